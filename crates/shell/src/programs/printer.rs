//! Ways to call a program that print credentials, without naming a file that holds them.

/// A way to call a program that prints credentials.
#[derive(Debug)]
pub(crate) struct Printer {
    /// Sub-commands in order; `list|get` is one of two, `print-*` every one that starts so.
    pub(crate) path: &'static str,
    /// One of these options has to be given; empty: none has to.
    pub(crate) options: &'static str,
    /// With one of these options, or with one of these words behind the sub-commands, it prints none.
    pub(crate) unless: &'static str,
    /// The manual that says so.
    pub(crate) source: &'static str,
}

/// The program with `path` behind it prints credentials, says `source`.
pub(super) const fn printer(path: &'static str, source: &'static str) -> Printer {
    Printer { path, options: "", unless: "", source }
}

impl Printer {
    /// Only with one of these options.
    pub(super) const fn with(self, options: &'static str) -> Self {
        Self { options, ..self }
    }

    /// Not with one of these options or words.
    pub(super) const fn unless(self, unless: &'static str) -> Self {
        Self { unless, ..self }
    }
}
