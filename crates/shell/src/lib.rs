//! Command lines: what would run, as the shell would run it, or that nobody here can tell.
//!
//! Architecture invariant: whatever is not understood is said to be not understood. A rule can
//! allow a command line only when [`CommandLine::obstacle`] is `None` and it allows every part.

mod analyse;
mod assignments;
mod cases;
mod changes;
mod characters;
mod command_line;
mod delimited;
mod dialect;
mod document;
mod expansion;
mod folders;
mod interactive;
mod lexer;
mod lower;
mod obstacle;
mod operand_effects;
pub mod path;
mod paths;
mod pattern;
mod programs;
mod publishing;
mod reading_places;
mod recovery;
mod redirect;
pub mod risk;
mod shell_differences;
mod source;
mod state_change;
mod temporary;
mod text_values;
mod unknown_program;
mod values;
mod variables;
mod word;
mod works_on_files;
mod wrapper;
mod written;

pub use changes::{Changes, ChangesElsewhere, ChangesHere, NamedChanges, changes, names_target_folder};
pub use command_line::{CommandLine, Input, Layer, Part, Script, Shell, Word, WordKind};
pub use obstacle::Obstacle;
pub use operand_effects::{
    is_listed, is_of_the_system, names_tasks, only_reads, only_writes, runs_project, runs_scripts, script_operand,
};
pub use paths::{Access, PathUse};
pub use pattern::{CommandPattern, InvalidCommandPattern, MayRun, PatternWarning, RuleMatch, Wording};
pub use programs::variables::names_written;
pub use programs::{
    Fact, FileUse, Folders, StateChange, Upload, called_like, file_use, has_fact, implied_files, open_behind,
};
pub use publishing::says_that_it_publishes;
pub use reading_places::{is_for_reading, is_here};
pub use risk::RiskLevel;
pub use state_change::{StateChangeCall, state_change_of};
pub use temporary::made_by_mktemp;
pub use unknown_program::{is_unknown_program, unknown_program_asked_for_help};
pub use works_on_files::works_on_files;

#[cfg(test)]
mod tests;
