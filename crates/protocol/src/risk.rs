//! How dangerous a call is, and what kind of tool it is of.

use handraise_policy as policy;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::wire_enum::wire_enum;

wire_enum! {
    /// The kind of tool, whatever an agent calls it.
    #[serde(rename_all = "snake_case")]
    pub enum ToolClass = policy::ToolClass {
        /// Runs a command line.
        Shell,
        /// Reads a file or lists a folder.
        FileRead,
        /// Creates, changes or removes a file.
        FileWrite,
        /// Talks to another machine.
        Network,
        /// A tool of an MCP server.
        Mcp,
        /// Anything else.
        Other,
    }
}

wire_enum! {
    /// What a call can do. Undeclared means [`RiskLevel::Write`].
    #[serde(rename_all = "snake_case")]
    pub enum RiskLevel = policy::RiskLevel {
        /// Looks, changes nothing.
        ReadOnly,
        /// Changes something. Whether that can be undone is another question: `can_be_undone`.
        Write,
        /// Removes, overwrites or publishes something for good.
        Destructive,
    }
}

wire_enum! {
    /// Where a risk level comes from.
    #[serde(rename_all = "snake_case")]
    pub enum RiskBasis = policy::RiskBasis {
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
}

/// A risk level with its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Risk {
    /// The highest level that any source names.
    pub level: RiskLevel,
    /// The source that named it.
    pub basis: RiskBasis,
}

impl From<policy::Risk> for Risk {
    fn from(risk: policy::Risk) -> Self {
        let policy::Risk { level, basis } = risk;
        Self { level: level.into(), basis: basis.into() }
    }
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

impl From<Annotations> for policy::Annotations {
    fn from(annotations: Annotations) -> Self {
        let Annotations { read_only_hint, destructive_hint, idempotent_hint, open_world_hint } = annotations;
        Self { read_only_hint, destructive_hint, idempotent_hint, open_world_hint }
    }
}
