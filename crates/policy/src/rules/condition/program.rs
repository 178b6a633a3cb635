//! `program`: what is known of the program of a simple command.

use handraise_shell::{Part, is_unknown_program, says_that_it_publishes, works_on_files};

/// The key `program`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rules) enum ProgramCondition {
    /// `unknown`: nothing is known of it but how it looks.
    Unknown,
    /// `works_on_files`: it is there to build, test, check, format, generate, convert or show files.
    WorksOnFiles,
    /// `publishes`: its words say that it publishes, or changes something on another machine.
    Publishes,
}

impl ProgramCondition {
    /// Its word in the file.
    pub(in crate::rules) fn word(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::WorksOnFiles => "works_on_files",
            Self::Publishes => "publishes",
        }
    }

    /// Whether that is so of the program of `part`, and its words say nothing else.
    pub(in crate::rules) fn holds(self, part: &Part) -> bool {
        match self {
            Self::Unknown => is_unknown_program(part),
            Self::WorksOnFiles => works_on_files(part),
            Self::Publishes => says_that_it_publishes(part),
        }
    }
}
