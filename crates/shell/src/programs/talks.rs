//! When a program talks to another machine.

/// When a program talks to another machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Talks {
    /// It is not known to.
    Never,
    /// Always.
    Always,
    /// For these sub-commands, separated by `|`.
    For(&'static str),
}
