//! Declarative rules: the last matching rule wins, then the default action of the risk level.
//!
//! Architecture invariant: nothing is allowed but by a rule or a default that says `allow`, for every
//! part of the call; what is not understood, has no place or is protected never is.

mod action;
mod applies;
mod condition;
mod confine;
mod decide;
mod decision;
mod decision_point;
mod difference;
mod edited_rule;
mod explain;
mod file;
mod floor;
mod foreseen;
mod in_force;
mod miss;
mod part_kind;
mod plain_text;
mod policy;
mod preset;
mod protected_name;
mod protection;
mod rule;
mod rule_draft;
mod rule_set;
mod rule_text;
mod situation;
mod telemetry;
mod unheld;
mod widening;

pub use crate::facts::{Confinable, ConfinedCall};
pub use action::{Action, PartialRiskActions, RiskActions};
pub use condition::InvalidPattern;
pub use confine::{CACHES, ConfineSettings, ProjectWalls, WallLimits, Walls, WallsHash};
pub use decision::{PartDecision, PolicyDecision};
pub use decision_point::DecisionPoint;
pub use difference::difference;
pub use edited_rule::{EditedRuleError, RuleOccasion};
pub use explain::{ConsideredRule, Explanation, PartExplanation};
pub(crate) use file::MAX_COMMAND_LINE;
pub use file::{Diagnostic, LoadedPolicy, MAX_POLICY_FILE, Severity, nearest, parse, parse_at};
pub use foreseen::{DecidedUnder, Foreseen};
pub use in_force::{PolicyDifference, PolicyInForce, SettingChange};
pub use part_kind::PartKind;
pub use policy::{AgentPolicy, Policy};
pub use preset::Preset;
pub use protection::{PROJECT_SETTINGS, Protections};
pub use rule::Rule;
pub use rule_draft::RuleDraft;
pub use rule_set::RuleSet;
pub use rule_text::RuleText;
pub use telemetry::TelemetryTarget;
pub use widening::{WallsDenial, WallsOpening, Widening};

/// How long a person has to answer unless the policy says otherwise, in seconds.
pub const DEFAULT_TIMEOUT_SECONDS: u32 = 300;
/// The longest time-out that can be asked for: one day, in seconds.
pub const MAX_TIMEOUT_SECONDS: u32 = 86_400;

#[cfg(test)]
mod tests;
