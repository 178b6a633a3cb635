//! How dangerous a call is, and how that is known.

mod arguments;
mod assess;
mod classification;
mod command;
pub(crate) mod credential_files;
mod credential_table;
mod sql;

pub use arguments::classify_arguments;
pub use assess::{AssessedRisk, Sources, assess};
pub use classification::Classification;
pub use command::{classify_command, classify_part, classify_together};
pub(crate) use command::{names_listed, prints_credentials, shows_contents};
pub use credential_files::{is_credential, is_credential_name};
pub use sql::classify_sql;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What a call can do. Undeclared means [`RiskLevel::Write`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum RiskLevel {
    /// Looks, changes nothing.
    ReadOnly,
    /// Changes something that can be put back.
    #[default]
    Write,
    /// Removes, overwrites or publishes something for good.
    Destructive,
}

impl RiskLevel {
    /// The level that a word of another product means: `low`, `medium`, `requires_approval`, … in any
    /// case, with `-` or blanks for `_`. `None`: an unknown word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        match word.trim().to_ascii_lowercase().replace(['-', ' '], "_").as_str() {
            "read_only" | "readonly" | "low" | "safe" => Some(Self::ReadOnly),
            "write" | "medium" | "requires_approval" | "requiresapproval" => Some(Self::Write),
            "destructive" | "high" | "forbidden" => Some(Self::Destructive),
            _ => None,
        }
    }
}

/// Where a risk level comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum RiskBasis {
    /// The requester said so.
    Declared,
    /// MCP tool annotations; hints from the server, which may raise a level but never lower it.
    Annotations,
    /// The table of the agents' known tools.
    ToolTable,
    /// The command line that the call runs.
    Command,
    /// SQL in the arguments.
    Statement,
    /// Nothing is known about the tool.
    Unknown,
}

/// A risk level with its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Risk {
    /// The highest level that any source names.
    pub level: RiskLevel,
    /// The source that named it.
    pub basis: RiskBasis,
}

/// MCP tool annotations (`ToolAnnotations` of the MCP specification 2025-11-25). Hints only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[ts(optional_fields)]
pub struct Annotations {
    /// The tool does not modify its environment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_only_hint: Option<bool>,
    /// The tool may perform destructive updates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub destructive_hint: Option<bool>,
    /// Calling it again with the same arguments changes nothing more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idempotent_hint: Option<bool>,
    /// The tool talks to an open world of outside entities.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open_world_hint: Option<bool>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_other_products_have_a_level() {
        let words = |words: &[&str]| words.iter().map(|word| RiskLevel::from_word(word)).collect::<Vec<_>>();
        assert_eq!(words(&["low", "ReadOnly", "read-only", "safe"]), [Some(RiskLevel::ReadOnly); 4]);
        assert_eq!(words(&["medium", "requires_approval", " write "]), [Some(RiskLevel::Write); 3]);
        assert_eq!(words(&["HIGH", "destructive", "forbidden"]), [Some(RiskLevel::Destructive); 3]);
        assert_eq!(RiskLevel::from_word("harmless"), None);
    }
}
