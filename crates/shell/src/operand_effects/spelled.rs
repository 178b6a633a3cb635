//! How a pattern matched a word.

/// How a pattern matched a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spelled {
    /// By the same text.
    Out,
    /// By a path with a wildcard, which keeps it in a folder.
    Path,
    /// By an address with a wildcard, which keeps it on a host.
    Address,
    /// By a `*` that takes anything.
    Not,
}
