//! How a call ended.

use handraise_display::line;
use handraise_protocol::{Approval, ApprovalResult, DecidedBy, Scope, Status};
use jiff::Timestamp;

use super::text::{Line, Tone};
use super::time::age;

/// Longest text of a reason or a rule, in characters.
const MAX_TEXT: usize = 2_000;
/// Longest text of changed arguments, in characters.
const MAX_ARGUMENTS: usize = 20_000;

/// How it ended, in a word or two.
pub(crate) fn outcome(result: &ApprovalResult) -> Line {
    let (tone, words) = match (result.status, result.decided_by) {
        (Status::Approved, Some(DecidedBy::Person)) => (Tone::Added, "approved by you"),
        (Status::Approved, Some(DecidedBy::Grant)) => (Tone::Plain, "allowed: remembered"),
        (Status::Approved, _) => (Tone::Plain, "allowed by rule"),
        (Status::Denied, Some(DecidedBy::Person)) => (Tone::Removed, "denied by you"),
        (Status::Denied, Some(DecidedBy::Grant)) => (Tone::Removed, "denied: remembered"),
        (Status::Denied, Some(DecidedBy::Shutdown)) => (Tone::Removed, "denied: stopped"),
        (Status::Denied, _) => (Tone::Removed, "denied by rule"),
        (Status::Timeout, _) => (Tone::Warning, "nobody answered"),
        (Status::Cancelled, _) => (Tone::Label, "withdrawn"),
        (Status::Pending, _) => (Tone::Warning, "waits for you"),
    };
    Line::new(tone, words)
}

/// How `call` ended, with when and why.
pub(crate) fn ended(call: &Approval, now: Timestamp) -> Vec<Line> {
    let result = &call.result;
    let mut first = Line::new(Tone::Label, "Outcome   ");
    first.0.extend(outcome(result).0);
    let reach = match result.scope {
        None | Some(Scope::Once) => "",
        Some(Scope::Minutes) => ", for fifteen minutes",
        Some(Scope::Session) => ", for the rest of its session",
        Some(Scope::Project) => ", as a rule for the project",
        Some(Scope::Always) => ", as a rule",
    };
    let when = result.decided_at.map(|at| format!(", {} ago", age(at, now))).unwrap_or_default();
    let mut lines = vec![first.with(Tone::Plain, format!("{reach}{when}"))];
    let said = |label: &str, text: &str| Line::new(Tone::Label, label).with(Tone::Plain, line(text, MAX_TEXT));
    lines.extend(result.reason.as_deref().map(|reason| said("Reason    ", reason)));
    lines.extend(result.rule.as_deref().map(|rule| said("Rule      ", rule)));
    if let Some(arguments) = &result.arguments {
        let arguments = serde_json::to_string(arguments).unwrap_or_default();
        lines.push(Line::new(Tone::Warning, "It ran with other arguments than the agent asked for:"));
        lines.push(Line::new(Tone::Label, "  │ ").with(Tone::Plain, line(&arguments, MAX_ARGUMENTS)));
    }
    lines
}

#[cfg(test)]
mod tests {
    use handraise_protocol::RiskLevel;

    use super::*;
    use crate::command::watch::sample;

    #[test]
    fn who_decided_and_what_ran_instead_is_told() {
        let mut call = sample(1, RiskLevel::Write, "make");
        call.result.status = Status::Approved;
        call.result.decided_by = Some(DecidedBy::Person);
        call.result.scope = Some(Scope::Session);
        call.result.decided_at = Some(Timestamp::UNIX_EPOCH);
        call.result.reason = Some("go\u{202e} on".to_owned());
        call.result.arguments = serde_json::json!({ "command": "make -n" }).as_object().cloned();
        let shown: Vec<String> = ended(&call, Timestamp::from_second(30).unwrap()).iter().map(Line::text).collect();
        assert_eq!(
            shown,
            [
                "Outcome   approved by you, for the rest of its session, 30s ago",
                "Reason    go⟨U+202E⟩ on",
                "It ran with other arguments than the agent asked for:",
                "  │ {\"command\":\"make -n\"}",
            ]
        );
    }
}
