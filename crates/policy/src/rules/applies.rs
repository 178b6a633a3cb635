//! Whether a rule applies, and what keeps it from it.

/// Whether a rule applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Applies {
    /// It does.
    Yes,
    /// It tightens and may apply; nobody here can tell. It asks.
    Perhaps,
    /// It does not.
    No(Miss),
}

/// The first condition of a rule that does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Miss {
    Expired,
    Tool,
    Class,
    Server,
    User,
    Agent,
    ClaimedAgent,
    Tag,
    Risk,
    Project,
    NoProject,
    Pattern,
    PatternArguments,
    Argument(usize),
    GlobOverCommand,
    Path,
    NoPath,
    UnknownPath,
    Command,
    /// The program is none of those that the rule is about.
    Program,
    /// What it changes lies elsewhere, or nobody keeps what was there.
    CannotBeUndone,
    CommandLine,
    /// A task runs something else than the rule holds, or that cannot be told.
    Task,
    /// What stands behind a task could make it run something else.
    TaskOperands,
    NoCommand,
    NotUnderstood,
}
