//! What a person's answer adds to `policy.toml`.

/// Tables that say what a person's answer says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleDraft {
    /// One or more `[[rule]]` tables, or one table `[[confine.project]]`.
    pub toml: String,
}
