//! Words that vouch for the request, and JSON that imitates one.

use serde_json::Value;

use super::finding::{FindingKind, Findings};
use super::name::BADGE_SIGNS;

/// Longest text whose words are looked at; longer ones are documents.
const MAX_LENGTH: usize = 4_000;

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
    "trusted by handraise",
    "verified by handraise",
    "handraise says",
    "reviewed by the security",
    "reviewed by security",
    "policy: allow",
    "risk: none",
    "risk: low",
    "risk level: low",
    "risk level: none",
    "safe: yes",
    "safe: true",
    "do not show this",
    "don't show this",
    "do not tell the user",
    "without telling the user",
    "ignore previous",
    "ignore the warning",
    "ignore this warning",
    "no changes will be made",
    "non-destructive operation",
    "pre-authorized",
    "preauthorized",
    "no confirmation needed",
    "nothing will be deleted",
];
/// Words that vouch when a badge stands beside them. Lower case.
const WORDS: &[&str] = &[
    "safe",
    "read-only",
    "read only",
    "readonly",
    "protected",
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
    if text.len() > MAX_LENGTH {
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
        if let Some(at) = embedded(text) {
            findings.note(FindingKind::Nested, at, 1);
        }
        return;
    }
    let Ok(value) = serde_json::from_str::<Value>(trimmed) else { return };
    if imitates(&value, 4) {
        findings.note(FindingKind::Nested, 0, 1);
    }
}

/// Names of members that are hardly in anything but a request or an answer.
const DECISIONS: &[&str] = &[
    "decision",
    "permissiondecision",
    "verdict",
    "approve",
    "approved",
    "tool_name",
    "tool_input",
    "tool_calls",
    "hookspecificoutput",
    "updatedinput",
];
/// Most places where JSON may begin that are looked at inside other text.
const MAX_STARTS: usize = 8;
/// Longest JSON that is looked at inside other text, in bytes.
const MAX_EMBEDDED: usize = 2_000;

/// Where JSON stands in other text that could be taken for a decision.
fn embedded(text: &str) -> Option<usize> {
    let starts = text.match_indices("{\"").map(|(at, _)| at).take(MAX_STARTS);
    starts.into_iter().find(|at| {
        let rest = text.get(*at..).unwrap_or_default();
        let end = (0..=MAX_EMBEDDED.min(rest.len())).rev().find(|end| rest.is_char_boundary(*end));
        let part = rest.get(..end.unwrap_or_default()).unwrap_or_default();
        let mut values = serde_json::Deserializer::from_str(part).into_iter::<Value>();
        values.next().is_some_and(|value| value.is_ok_and(|value| decides(&value, 4)))
    })
}

/// Whether a decision is anywhere in `value`.
fn decides(value: &Value, levels: usize) -> bool {
    let Some(levels) = levels.checked_sub(1) else { return false };
    match value {
        Value::Object(members) => members.iter().any(|(key, value)| {
            DECISIONS.contains(&key.to_lowercase().as_str()) || is_verdict(key, value) || decides(value, levels)
        }),
        Value::Array(items) => items.iter().any(|item| decides(item, levels)),
        Value::String(text) if text.trim_start().starts_with(['{', '[']) => {
            serde_json::from_str::<Value>(text).is_ok_and(|inner| imitates(&inner, levels))
        }
        _ => false,
    }
}

/// `"status": "approved"`, `"type": "tool_use"`.
fn is_verdict(key: &str, value: &Value) -> bool {
    let says =
        |words: &[&str]| value.as_str().is_some_and(|value| words.iter().any(|word| word.eq_ignore_ascii_case(value)));
    match key.to_lowercase().as_str() {
        "status" | "result" | "state" => says(&["approved", "allowed", "denied"]),
        "type" => says(&["tool_use", "tool_result", "tool_call", "function_call"]),
        _ => false,
    }
}

fn imitates(value: &Value, levels: usize) -> bool {
    let Some(levels) = levels.checked_sub(1) else { return false };
    match value {
        Value::Object(members) => {
            members.keys().any(|key| MEMBERS.contains(&key.to_lowercase().as_str()))
                || members.values().any(|value| decides(value, levels))
                || members.iter().any(|(key, value)| is_verdict(key, value))
        }
        Value::Array(items) => items.iter().any(|item| imitates(item, levels)),
        Value::String(text) if text.trim_start().starts_with(['{', '[', '"']) => {
            serde_json::from_str::<Value>(text).is_ok_and(|inner| imitates(&inner, levels))
        }
        _ => false,
    }
}
