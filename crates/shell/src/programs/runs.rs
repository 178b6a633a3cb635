//! Where the command stands that a program runs.

/// How the own words of a program are read that comes off the command behind it.
#[derive(Debug)]
pub(crate) struct Wrapper {
    /// See `Layer::transparent`.
    pub(crate) transparent: bool,
    /// Options without a value.
    pub(crate) flags: &'static [&'static str],
    /// Options whose value is the next word.
    pub(crate) valued: &'static [&'static str],
    /// Starts of options that have their value in the same word.
    pub(crate) glued: &'static [&'static str],
    /// `NAME=value` words.
    pub(crate) assignments: bool,
    /// One operand of its own in front of the program.
    pub(crate) duration: bool,
}

impl Wrapper {
    /// One without options of its own.
    pub(super) const PLAIN: Self =
        Self { transparent: true, flags: &[], valued: &[], glued: &[], assignments: false, duration: false };
}

/// A way to call a program in which it runs another one: that one is the first operand behind so many others.
#[derive(Debug)]
pub(crate) struct RunsBehind {
    /// Sub-commands that run.
    pub(crate) sub: &'static str,
    /// Operands in front of the program.
    pub(crate) operands: usize,
    /// A shell reads the rest.
    pub(crate) script: bool,
}

/// The program stands behind the sub-commands `sub` and `operands` operands.
pub(super) const fn behind(sub: &'static str, operands: usize) -> RunsBehind {
    RunsBehind { sub, operands, script: false }
}

/// Behind `operands` operands stands what a shell reads.
pub(super) const fn script(operands: usize) -> RunsBehind {
    RunsBehind { sub: "", operands, script: true }
}
