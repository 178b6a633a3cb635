//! Command lines: what would run, as the shell would run it, or that nobody here can tell.
//!
//! Architecture invariant: whatever is not understood is said to be not understood. A rule can
//! allow a command line only when [`CommandLine::obstacle`] is `None` and it allows every part.

mod assignments;
mod characters;
mod command_line;
mod dialect;
mod document;
mod lenient;
mod lexer;
mod lower;
pub mod mention;
mod obstacle;
mod opens;
pub mod path;
mod paths;
mod pattern;
mod programs;
mod readers;
mod redirect;
pub mod risk;
mod source;
mod spell;
mod variables;
mod vetoes;
mod word;
mod wrapper;
mod written;

pub use command_line::{CommandLine, Input, Layer, Part, Shell, Word, WordKind};
pub use obstacle::Obstacle;
pub(crate) use opens::says_version;
pub use paths::{Access, PathUse};
pub use pattern::{CommandPattern, InvalidCommandPattern, PatternWarning, Touch};
pub use programs::{FileUse, file_use};
pub use risk::RiskLevel;
pub(crate) use variables::{is_free as is_free_variable, is_plain_set};
pub use vetoes::{is_of_the_system, runs_project};
pub(crate) use vetoes::{only_looks, shape, takes_lists, verifies_signature};
pub(crate) use word::SUBSTITUTED;

#[cfg(test)]
mod tests;
