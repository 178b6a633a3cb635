//! What is true of a program, or not.

/// What is true of a program, or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fact {
    /// Any of its words may be a program that it runs, so that a rule that denies looks at all of them.
    RunsOperands,
    /// All that it does with harmless options is show something, whatever the files of its folder say: such a
    /// call is not asked about even without a rule.
    OnlyLooks,
    /// Commands can be typed or scripted in it: an editor, a pager, a database's client.
    TakesCommands,
    /// One of the shell's own commands that change what later ones mean.
    Builtin,
}
