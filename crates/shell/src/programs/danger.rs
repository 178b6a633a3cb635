//! Ways to call a program that remove, overwrite or publish for good.

/// A way to call a program that removes, overwrites or publishes for good.
#[derive(Debug)]
pub(crate) struct Danger {
    /// Sub-commands in order; `drop|clear` is one of two, `delete-*` every one that starts so.
    pub(crate) path: &'static str,
    /// One of these options has to be given; empty: none has to.
    pub(crate) options: &'static str,
    /// What it does, as the rest of a clause.
    pub(crate) does: &'static str,
}

/// The program with `path` behind it and one of `options` does this.
pub(super) const fn danger(path: &'static str, options: &'static str, does: &'static str) -> Danger {
    Danger { path, options, does }
}
