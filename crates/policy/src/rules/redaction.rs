//! What the policy file says about redaction: data for [`handraise_redaction`].

/// The table `[redaction]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RedactionSettings {
    /// The user's own patterns.
    pub patterns: Vec<RedactionPattern>,
    /// Keys whose values are secret, besides the built-in ones.
    pub keys: Vec<String>,
}

/// One of the user's own patterns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RedactionPattern {
    /// What it finds, for `‹redacted: name›`.
    pub name: String,
    /// A regular expression that the `regex` crate compiles.
    pub regex: String,
}
