//! What stands in the log about a record, as JSON.

use handraise_gate::{Entry, Gate, Outcome, Record};
use handraise_policy::{DecisionPointAnswer, DecisionPointResult, GrantId};
use handraise_protocol::{
    Action, CanBeUndone, DecidedBy, Grant, Mode, Reach, Risk, RiskLevel, Scope, SessionKey, Status, Walls,
};
use serde_json::{Value, json};

use super::New;
use crate::keeping::KeepResult;
use crate::redacted::RequestRedactor;
use crate::results::RedactedResults;

/// The log entry for `record`.
pub(super) fn of(
    record: &Record,
    gate: &Gate,
    new: Option<New<'_>>,
    redactor: &RequestRedactor,
    results: &mut RedactedResults<Entry>,
) -> Value {
    match record {
        Record::Requested(id) => {
            let entry = gate.entry(*id);
            let new = new.filter(|new| new.id == *id);
            let (asked, kept) = (new.map(|new| new.asked), new.and_then(|new| new.kept));
            json!({
                "kind": "requested",
                "id": id.0,
                "requester": entry.map(|entry| &entry.request.requester),
                "agent": asked.and_then(|asked| asked.agent_name()),
                "session": entry.and_then(|entry| entry.request.session.clone()).map(SessionKey::from),
                "tool": asked.map(|asked| &asked.tool),
                "server": asked.and_then(|asked| asked.server.as_ref()),
                "arguments_hash": entry.map(|entry| entry.request.arguments_hash.as_str()),
                "cwd": asked.and_then(|asked| asked.cwd.as_ref()),
                "origin": asked.and_then(|asked| asked.provenance.as_ref()),
                "unseen": asked.and_then(|asked| asked.unseen.as_ref()),
                "outside": entry.and_then(|entry| entry.request.decision_point.as_ref()).map(decision_point_said),
                "kept": kept.map(kept_for_undo),
                "action": entry.map(|entry| Action::from(entry.evaluation.action)),
                "risk": entry.map(|entry| Risk::from(entry.evaluation.policy.risk)),
                "reach": entry.map(|entry| Reach::from(entry.evaluation.policy.effect().reach())),
                "can_be_undone": entry.map(|entry| CanBeUndone::from(entry.evaluation.policy.effect().can_be_undone())),
                "rule": entry.and_then(|entry| entry.evaluation.policy.rule.as_ref()).map(|rule| rule.text()),
            })
        }
        Record::Decided(id, outcome, approver) => json!({
            "kind": "decided",
            "id": id.0,
            "status": Status::from(outcome.status),
            "decided_by": DecidedBy::from(outcome.decided_by),
            "scope": outcome.scope.map(Scope::from),
            "reason": reason(gate.entry(*id), outcome, redactor, results),
            "rule": outcome.rule,
            "risk": RiskLevel::from(outcome.risk),
            "arguments_hash": outcome.arguments_hash.as_str(),
            "confined": outcome.walls.clone().map(Walls::from),
            "approver": approver,
        }),
        Record::RuleGiven(id, rule) => {
            let redactor = redactor.knowing_entry(gate.entry(*id));
            json!({ "kind": "rule_given", "id": id.0, "rule": redactor.text(&rule.toml) })
        }
        Record::GrantAdded(grant) => json!({ "kind": "grant_added", "grant": Grant::from(redactor.grant(grant)) }),
        Record::GrantRevoked(grant, why) => grant_revoked(grant.id, why),
        Record::SessionEnded(session) => {
            json!({ "kind": "session_ended", "session": SessionKey::from(session.clone()) })
        }
        Record::TicketMinted(id, approver) => {
            json!({ "kind": "ticket_minted", "id": id.0, "approver": approver })
        }
        Record::ApproverRefused(id, approver) => {
            json!({ "kind": "approver_refused", "id": id.0, "approver": approver })
        }
        Record::AskedAgain(id) => json!({ "kind": "asked_again", "id": id.0 }),
        Record::Redeemed(id) => json!({ "kind": "redeemed", "id": id.0 }),
        Record::WallsEntered(id) => json!({ "kind": "walls_entered", "id": id.0 }),
        Record::WallsDenied(id, denied) => {
            let redactor = redactor.knowing_entry(gate.entry(*id));
            let denied: Vec<String> = denied.iter().map(|denial| redactor.text(&denial.clause)).collect();
            json!({ "kind": "walls_denied", "id": id.0, "denied": denied })
        }
        Record::PolicyChanged => json!({ "kind": "policy_changed" }),
        Record::ClockMoved(by) => json!({ "kind": "clock_moved", "seconds": by.as_secs() }),
        Record::ModeChanged(mode, until) => {
            json!({ "kind": "mode_changed", "mode": Mode::from(*mode), "until": until })
        }
    }
}

/// The words for how a request ended.
fn reason(
    entry: Option<&Entry>,
    outcome: &Outcome,
    redactor: &RequestRedactor,
    results: &mut RedactedResults<Entry>,
) -> String {
    let rendered = entry.and_then(|entry| results.of(entry, redactor).reason.clone());
    rendered.unwrap_or_else(|| redactor.knowing_entry(entry).text(&outcome.reason))
}

/// What the external decision point has said.
fn decision_point_said(result: &DecisionPointResult) -> Value {
    let (answer, words) = match &result.answer {
        DecisionPointAnswer::Permits => ("permits", None),
        DecisionPointAnswer::Denies(words) => ("denies", words.as_deref()),
        DecisionPointAnswer::Failed(why) => ("failed", Some(why.as_str())),
    };
    json!({ "url": result.url, "answer": answer, "why": words })
}

/// What was kept of what a call changes.
fn kept_for_undo(kept: &KeepResult) -> Value {
    match kept {
        KeepResult::Nothing => json!({ "files": 0 }),
        KeepResult::Files { count, undoable, why } => json!({ "files": count, "undoable": undoable, "why": why }),
        KeepResult::Failed(why) => json!({ "files": 0, "why": why }),
    }
}

/// The log entry for a grant that has ended.
pub(super) fn grant_revoked(id: GrantId, why: &str) -> Value {
    json!({ "kind": "grant_revoked", "grant": id.0, "why": why })
}
