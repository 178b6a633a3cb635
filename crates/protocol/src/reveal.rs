//! Secrets of an open request, for the person who decides about it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{ArgumentRow, SubjectView};

/// The original arguments of an open request. That they were looked at stands in the audit log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct Revealed {
    /// The argument that was asked for, or all of them.
    pub arguments: Vec<ArgumentRow>,
    /// What the call is about; only when all arguments were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<SubjectView>,
    /// All arguments as indented JSON, for editing; only when all were asked for and the agent takes
    /// changed arguments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub editable_arguments: Option<String>,
}
