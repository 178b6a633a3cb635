//! What is handed out for a call that runs inside walls.

use handraise_policy::Walls;

/// What the program that puts walls up runs, and inside of which.
#[derive(Clone, Debug, PartialEq)]
pub struct ConfinedRun {
    /// The command line, as it was asked about.
    pub line: String,
    /// The shell that runs it.
    pub shell: String,
    /// The folder that it runs in, absolute.
    pub folder: String,
    /// The walls.
    pub walls: Walls,
}
