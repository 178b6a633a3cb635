//! Words that vouch for the request, and JSON that imitates one.

use serde_json::Value;

use super::finding::{FindingKind, Findings};
use super::name::BADGE_SIGNS;

/// Longest text whose words are looked at; longer ones are documents.
const LONGEST: usize = 4_000;

/// Phrases that tell a person what to decide. Lower case.
const PHRASES: &[&str] = &[
    "already approved",
    "already been approved",
    "approved by",
    "auto-approved",
    "just approve",
    "no approval needed",
    "no need to review",
    "no review needed",
    "pre-approved",
    "preapproved",
    "please approve",
    "read-only operation",
    "safe to approve",
    "safe to run",
    "safe operation",
    "user has approved",
    "user approved",
    "verified safe",
    "click approve",
    "press approve",
    "harmless",
    "no side effects",
    "trusted operation",
    "approved this",
    "100% safe",
    "completely safe",
    "perfectly safe",
    "totally safe",
    "is safe",
    "risk-free",
    "nothing to worry",
    "you can approve",
    "no risk",
    "low risk",
    "authorized by",
    "approved in advance",
    "you asked for this",
    "you requested this",
    "requested by the user",
    "routine maintenance",
    "approve quickly",
    "approve immediately",
    "urgent",
];
/// Words that vouch when a badge stands beside them. Lower case.
const WORDS: &[&str] = &[
    "safe",
    "read-only",
    "readonly",
    "approved",
    "verified",
    "trusted",
    "allowed",
    "harmless",
    "secure",
    "official",
    "risk",
    "reviewed",
    "passed",
    "checked",
];

/// Notes where `text` vouches for itself.
pub(super) fn narrative(text: &str, findings: &mut Findings<'_>) {
    if text.len() > LONGEST {
        return;
    }
    let lower = text.to_lowercase();
    let phrase = PHRASES.iter().any(|phrase| lower.contains(phrase));
    let badge = text.contains(BADGE_SIGNS) && WORDS.iter().any(|word| lower.contains(word));
    let label = text
        .split(|character: char| !character.is_ascii_alphabetic() && character != '-')
        .any(|word| matches!(word, "SAFE" | "APPROVED" | "VERIFIED" | "TRUSTED" | "READ-ONLY"));
    if phrase || badge || label {
        findings.note(FindingKind::Narrative, 0, 1);
    }
}

/// Names of members of requests, answers and configurations.
const MEMBERS: &[&str] = &[
    "action",
    "allow",
    "allowed",
    "approve",
    "approved",
    "agent",
    "args",
    "arguments",
    "behavior",
    "command",
    "decision",
    "deny",
    "function",
    "hookspecificoutput",
    "jsonrpc",
    "method",
    "outcome",
    "params",
    "permission",
    "permissiondecision",
    "policy",
    "risk",
    "role",
    "server",
    "session",
    "tool",
    "tool_input",
    "tool_name",
    "toolname",
    "tool_call",
    "tool_calls",
    "updatedinput",
    "verdict",
];

/// Notes `text` when it is JSON that could be taken for a request or an answer.
pub(super) fn nested(text: &str, findings: &mut Findings<'_>) {
    let trimmed = text.trim();
    if !trimmed.starts_with(['{', '[', '"']) {
        return;
    }
    let Ok(value) = serde_json::from_str::<Value>(trimmed) else { return };
    if imitates(&value, 4) {
        findings.note(FindingKind::Nested, 0, 1);
    }
}

fn imitates(value: &Value, levels: usize) -> bool {
    let Some(levels) = levels.checked_sub(1) else { return false };
    match value {
        Value::Object(members) => members.keys().any(|key| MEMBERS.contains(&key.to_lowercase().as_str())),
        Value::Array(items) => items.iter().any(|item| imitates(item, levels)),
        Value::String(text) if text.trim_start().starts_with(['{', '[', '"']) => {
            serde_json::from_str::<Value>(text).is_ok_and(|inner| imitates(&inner, levels))
        }
        _ => false,
    }
}
