//! What of a call is judged by itself.

/// What is judged by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PartKind {
    /// The call of a tool that is no shell.
    Call,
    /// One simple command of a command line.
    Command,
    /// A file that a redirection writes.
    Write,
    /// A file that a redirection reads.
    Read,
    /// A command line that was not understood, as a whole.
    Line,
}
