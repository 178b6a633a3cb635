//! Files that a call must not change by itself, and whose they are.

/// Whose file is protected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Protection {
    /// Handraise's own files, socket and start at login: changed only in Handraise, never by a call.
    Own,
    /// Tokens of Handraise: never read by a call either.
    Secret,
    /// Hook and settings files of an agent: a person is asked each time.
    Agent,
    /// Deciding in a person's place: never done by a call.
    Decision,
    /// Files that hold credentials: a person is asked each time one is read, unless a rule spells it out.
    Credential,
}

/// A file, or a folder with everything in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ProtectedPath {
    /// Absolute, without symbolic links where it exists.
    pub path: String,
    /// Whose.
    pub protection: Protection,
}
