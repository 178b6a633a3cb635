//! How dangerous a call is, and how that is known.

mod arguments;
mod assess;

pub use arguments::classify_arguments;
pub use assess::{AssessedRisk, Sources, assess};
pub use handraise_shell::risk::{
    Classification, RiskLevel, classify_command, classify_part, classify_sql, classify_together,
};

/// Where a risk level comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Risk {
    /// The highest level that any source names.
    pub level: RiskLevel,
    /// The source that named it.
    pub basis: RiskBasis,
}

/// MCP tool annotations (`ToolAnnotations` of the MCP specification 2025-11-25). Hints only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Annotations {
    /// The tool does not modify its environment.
    pub read_only_hint: Option<bool>,
    /// The tool may perform destructive updates.
    pub destructive_hint: Option<bool>,
    /// Calling it again with the same arguments changes nothing more.
    pub idempotent_hint: Option<bool>,
    /// The tool talks to an open world of outside entities.
    pub open_world_hint: Option<bool>,
}
