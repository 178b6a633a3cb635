//! How surely a rule means a command.

/// Whether a rule that denies or asks means a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RuleMatch {
    /// It does not.
    No,
    /// Nobody here can tell: a person has to be asked.
    Perhaps,
    /// It does.
    Yes,
}
