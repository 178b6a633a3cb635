//! Command lines: what would run, as the shell would run it, or that nobody here can tell.
//!
//! Architecture invariant: whatever is not understood is said to be not understood. A rule can
//! allow a command line only when [`CommandLine::obstacle`] is `None` and it allows every part.

mod command_line;
mod pattern;
mod spell;

pub use command_line::{CommandLine, Obstacle, Part, Shell, Word, WordKind};
pub use pattern::{CommandPattern, InvalidCommandPattern, PatternWarning};
