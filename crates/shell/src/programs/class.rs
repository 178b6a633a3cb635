//! How the words of a program are judged.

use super::spec::Spec;

/// How the words of a program are judged.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Class {
    /// It only reads; any option and any operand is harmless.
    AnyText,
    /// It writes its operands.
    Writer,
    /// A wildcard never covers it, because it …
    Never(&'static str),
    /// It runs what it is given.
    Script(&'static Interpreter),
    /// Its sub-commands are listed, and a pattern has to name the one that it means.
    SubCommands(&'static [&'static [Spec]]),
    /// Its harmless sub-commands are listed.
    HarmlessCommands(&'static [&'static [Spec]]),
    /// Its options are listed.
    Options(&'static Spec),
    /// Its operands are tasks of the project.
    Tasks(&'static Spec),
    /// Nothing is known.
    Unlisted,
}

/// How an interpreter is told what to run. What it gets without a script it takes from its standard input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Interpreter {
    /// What it is called like.
    pub(crate) kind: Kind,
    /// Options whose value is code or the name of what runs; they end the search.
    pub(crate) code: &'static str,
    /// Options with a value that is something else.
    pub(crate) valued: &'static str,
    /// Options that only tell something.
    pub(crate) tells: &'static str,
    /// Sub-commands in front of the script.
    pub(crate) subs: &'static str,
}

/// Interpreters that are called in a way of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `-m` runs a module.
    Python,
    /// Its sub-commands work on the project.
    Deno,
    /// Its first operand is a program, the others are files.
    Awk,
    /// `-s` and `-i` read commands from the standard input.
    Shell,
    /// Any other.
    Other,
}
