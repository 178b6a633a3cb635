//! What an option does that a pattern has to spell out.

/// What an option does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Starts another program.
    Runs,
    /// Writes or removes files.
    Writes,
    /// Takes configuration, code or a list of files from a file or folder.
    Loads,
    /// Sends data or connects elsewhere.
    Sends,
    /// Changes the system.
    Changes,
    /// Is not on the list of harmless ones.
    Unknown,
}

impl Effect {
    /// One sentence about `option`.
    pub(crate) fn sentence(self, option: &str) -> String {
        let effect = match self {
            Self::Runs => "runs another program",
            Self::Writes => "writes or removes files",
            Self::Loads => "loads configuration or code from elsewhere",
            Self::Sends => "sends data or connects elsewhere",
            Self::Changes => "changes the system",
            Self::Unknown => "is not known to be harmless",
        };
        let option: String = option.chars().take(60).collect();
        format!("`{option}` {effect}, so a pattern has to spell it out")
    }
}
