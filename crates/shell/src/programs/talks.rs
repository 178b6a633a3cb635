//! When a program talks to another machine.

/// When a program talks to another machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Talks {
    /// It is not known to.
    Never,
    /// Always.
    Always,
    /// For these sub-commands and options; either may be empty.
    For(&'static [(&'static str, &'static str)]),
}
