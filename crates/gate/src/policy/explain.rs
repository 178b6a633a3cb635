//! A decision taken apart: every rule that was looked at, and why it did or did not match.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use jiff::Timestamp;

use super::{Action, PartKind, Policy, Protection, RuleText};
use crate::{Request, Risk};

/// Why the policy says what it says about one call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct Explanation {
    /// The answer.
    pub action: Action,
    /// The rule that gave it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<RuleText>,
    /// The risk that the call was judged with.
    pub risk: Risk,
    /// Why the command line was not understood.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub obstacle: Option<String>,
    /// Files that no rule and no grant gives away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protection: Option<Protection>,
    /// Whether a remembered approval may answer in a person's place.
    pub grantable: bool,
    /// One sentence: what gave the answer.
    pub why: String,
    /// What was judged one by one.
    pub parts: Vec<PartExplanation>,
}

/// Why the policy says what it says about one part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct PartExplanation {
    /// What was judged.
    pub kind: PartKind,
    /// The simple command, the path, or the tool's name.
    pub text: String,
    /// The answer for this part.
    pub action: Action,
    /// The rule that gave it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<RuleText>,
    /// The risk that the part was judged with.
    pub risk: Risk,
    /// Files that no rule and no grant gives away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protection: Option<Protection>,
    /// One sentence: what gave the answer.
    pub why: String,
    /// Every rule that was looked at, in the order of the file.
    pub considered: Vec<ConsideredRule>,
}

/// One rule that was looked at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct ConsideredRule {
    /// The rule.
    pub rule: RuleText,
    /// It matched.
    pub matched: bool,
    /// It gave the answer for this part.
    pub decided: bool,
    /// The first condition that did not hold, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
}

impl Policy {
    /// What this policy says about `request` at the time `now`, with every rule that was looked at.
    #[must_use]
    pub fn explain(&self, request: &Request, now: Timestamp) -> Explanation {
        let decision = self.decide(request, now);
        Explanation {
            action: decision.action,
            rule: None,
            risk: decision.risk,
            obstacle: decision.obstacle.map(|obstacle| obstacle.to_string()),
            protection: decision.protection,
            grantable: decision.grantable,
            why: decision.why,
            parts: Vec::new(),
        }
    }
}
