//! Where a name stands.

/// A name in the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name {
    pub(super) start: usize,
    pub(super) end: usize,
    /// Whether it begins with a hyphen as options do.
    pub(super) is_option: bool,
}
