//! What a call is about, in the terms in which a person is asked about it.

/// The kind of tool, whatever an agent calls it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ToolClass {
    /// Runs a command line.
    Shell,
    /// Reads a file or lists a folder.
    FileRead,
    /// Creates, changes or removes a file.
    FileWrite,
    /// Talks to another machine.
    Network,
    /// A tool of an MCP server.
    Mcp,
    /// Anything else.
    #[default]
    Other,
}

/// The part of the arguments that matters to the person who decides. Made only from the arguments
/// that are decided, never from what the requester says about them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Subject {
    /// A command line for a shell.
    Command {
        /// The text that the shell gets.
        line: String,
    },
    /// Text in a file is replaced.
    Edit {
        /// The file.
        path: String,
        /// What is replaced.
        before: String,
        /// What takes its place.
        after: String,
    },
    /// A file is written whole.
    Write {
        /// The file.
        path: String,
        /// Its new content.
        content: String,
    },
    /// A file or folder is read.
    Read {
        /// The file or folder.
        path: String,
    },
    /// Something is fetched from the network.
    Fetch {
        /// The address.
        url: String,
    },
    /// Nothing more specific than the arguments themselves.
    #[default]
    Arguments,
}

impl Subject {
    /// The file that the call is about.
    #[must_use]
    pub fn path(&self) -> Option<&str> {
        match self {
            Self::Edit { path, .. } | Self::Write { path, .. } | Self::Read { path } => Some(path),
            Self::Command { .. } | Self::Fetch { .. } | Self::Arguments => None,
        }
    }
}
