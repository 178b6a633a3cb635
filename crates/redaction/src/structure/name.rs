//! A name that stands in front of its value.

/// Blanks between a name and its separator that still belong together, in bytes.
pub(super) const MAX_GAP: usize = 64;

/// A name in the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name {
    pub(super) start: usize,
    pub(super) end: usize,
    /// Whether it begins with a hyphen as options do.
    pub(super) is_option: bool,
}
