//! What is odd about the texts of a request, field by field.

use std::collections::BTreeSet;

use handraise_display::{Finding, FindingKind, TextRole, line};
use handraise_gate::Entry;
use handraise_policy::path::Protection;
use handraise_policy::{ChangedTask, Request, Subject, TaskState};
use handraise_protocol::FindingView;
use handraise_redaction::in_short;
use serde_json::Value;

use super::provenance;
use crate::sentence::sentence;

/// Longest name of a field, in characters; the rest is counted.
const MAX_FIELD: usize = 80;
/// The field of a finding that is about the whole call.
pub(super) const REACH: &str = "reach";
/// Longest name of a file, in characters; the rest is counted.
const MAX_FILE: usize = 160;
/// Most arguments that a person sees at once.
const MAX_ARGUMENTS: usize = 40;

/// Everything that is odd about the texts of `request`: one finding of each kind and field, in the
/// order in which the fields are shown.
pub(super) fn findings(request: &Request) -> Vec<FindingView> {
    let mut found = Vec::new();
    let contradictions = request.provenance.iter().flat_map(|provenance| &provenance.contradictions);
    found.extend(contradictions.map(|contradiction| {
        let (field, sentence) = provenance::contradiction(contradiction);
        view(field)(finding(FindingKind::Contradiction, sentence))
    }));
    let names = [
        ("agent", request.agent_name(), TextRole::AgentName),
        ("session", request.session.as_ref().map(|session| session.id.as_str()), TextRole::Argument),
        ("tool", Some(request.tool.as_str()), TextRole::ToolName),
        ("server", request.server.as_deref(), TextRole::ServerName),
        ("cwd", request.cwd.as_deref(), TextRole::Argument),
    ];
    for (field, text, place) in names {
        found.extend(text.into_iter().flat_map(|text| odd(text, place)).map(view(field)));
    }
    let mut spellings = BTreeSet::new();
    for (name, value) in &request.arguments {
        let mut found_here = in_name(name, &mut spellings);
        found_here.extend(in_value(value, &request.subject));
        found.extend(once_each(found_here).into_iter().map(view(&format!("arguments.{name}"))));
    }
    if request.arguments.len() > MAX_ARGUMENTS {
        let sentence = format!("There are {} arguments; one is easy to miss.", request.arguments.len());
        found.push(view("arguments")(finding(FindingKind::HiddenField, sentence)));
    }
    let claims = [("intent", &request.intent), ("summary", &request.summary), ("description", &request.description)];
    for (field, claim) in claims {
        let in_claim = claim.iter().flat_map(|text| odd(text, TextRole::Argument));
        found.extend(in_claim.map(view(field)));
    }
    found
}

/// How far the request of `entry` reaches, beyond the project and beyond this moment.
pub(super) fn reach(entry: &Entry) -> Vec<FindingView> {
    let policy = &entry.evaluation.policy;
    let reached = handraise_policy::written_findings(&entry.request, policy.risk.level);
    let sentence = policy.protection_sentence().filter(|_| policy.protection == Some(Protection::Agent));
    let protected = sentence.map(|sentence| (FindingKind::ActsLater, sentence.to_owned()));
    protected.into_iter().chain(reached).map(|(kind, sentence)| view(REACH)(finding(kind, sentence))).collect()
}

/// What is to be known about the files behind the request of `entry`: what a project makes its commands run, and
/// which files have changed, or might, since it was shown.
pub(super) fn of_files(entry: &Entry) -> Vec<FindingView> {
    let field = view("arguments");
    let project = entry.evaluation.policy.project_code();
    let project = project.map(|clause| finding(FindingKind::ProjectCode, sentence(clause)));
    let scripts = &entry.request.scripts;
    let changed = scripts.changed().map(|file| {
        let sentence = format!("`{}` changed while you were reading; look at it again.", line(file, MAX_FILE));
        finding(FindingKind::FileChanged, sentence)
    });
    let unwatched = scripts.unknown().map(|(file, why)| {
        let what = "is not compared again before this runs";
        let sentence = format!("`{}` {what}: {}.", line(file, MAX_FILE), line(why, MAX_FILE));
        finding(FindingKind::FileUnwatched, sentence)
    });
    let tasks = entry.evaluation.changed_tasks.iter();
    let tasks = tasks.map(|changed| finding(FindingKind::TaskChanged, changed_task(changed)));
    tasks.chain(project).chain(changed).chain(unwatched).map(field).collect()
}

/// One sentence: a task is not what a person has approved.
pub(super) fn changed_task(changed: &ChangedTask) -> String {
    let call = line(&changed.approved.call, MAX_FILE);
    match &changed.now {
        TaskState::Defined(_) => format!("`{call}` has changed since you allowed it."),
        TaskState::Unknown(why) => {
            format!("`{call}` cannot be compared with what you allowed: {}.", line(why, MAX_FILE))
        }
    }
}

/// What is odd about a text that is a field of its own.
pub(super) fn in_text(field: &str, text: &str, place: TextRole) -> Vec<FindingView> {
    odd(text, place).into_iter().map(view(field)).collect()
}

fn view(field: &str) -> impl Fn(Finding) -> FindingView {
    let field = line(field, MAX_FIELD);
    move |finding| FindingView {
        kind: finding.kind.into(),
        sentence: finding.sentence,
        field: field.clone(),
        misleads: finding.kind.misleads(),
    }
}

fn finding(kind: FindingKind, sentence: String) -> Finding {
    Finding { kind, sentence, position: 0, count: 1 }
}

/// The first finding of each kind.
fn once_each(findings: Vec<Finding>) -> Vec<Finding> {
    let mut kinds = BTreeSet::new();
    findings.into_iter().filter(|finding| kinds.insert(finding.kind)).collect()
}

/// `spellings` holds the names before this one as readers see them that ignore case and separators.
fn in_name(name: &str, spellings: &mut BTreeSet<String>) -> Vec<Finding> {
    let mut found: Vec<Finding> =
        odd(name, TextRole::Argument).into_iter().filter(|finding| finding.kind.misleads()).collect();
    if handraise_display::has_hidden(name) || name.trim() != name {
        let sentence = "The name of this argument holds what cannot be seen.".to_owned();
        found.push(finding(FindingKind::HiddenField, sentence));
    }
    if !spellings.insert(handraise_display::fold_name(name)) {
        let sentence = "Another argument has nearly the same name; programs may disagree which counts.".to_owned();
        found.push(finding(FindingKind::CaseKey, sentence));
    }
    found
}

/// What is odd about `text`, whose secrets stand redacted: a mark is ours.
fn odd(text: &str, place: TextRole) -> Vec<Finding> {
    handraise_display::findings(&in_short(text), place)
}

fn in_value(value: &Value, subject: &Subject) -> Vec<Finding> {
    match value {
        Value::String(text) => odd(text, place(text, subject)),
        other => {
            let json = serde_json::to_string_pretty(other).unwrap_or_else(|_| other.to_string());
            let mut found = odd(&json, TextRole::Json);
            texts(other, &mut |text| found.extend(odd(text, place(text, subject))));
            found
        }
    }
}

/// Tells `each` every text inside `value`, names included. Requests are at most 64 levels deep.
pub(super) fn texts(value: &Value, each: &mut impl FnMut(&str)) {
    match value {
        Value::String(text) => each(text),
        Value::Array(items) => items.iter().for_each(|item| texts(item, each)),
        Value::Object(members) => {
            for (name, member) in members {
                each(name);
                texts(member, each);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn place(text: &str, subject: &Subject) -> TextRole {
    if is_content(text, subject) { TextRole::Content } else { TextRole::Argument }
}

/// `text` is the content of a file, or a part of it, as far as the call is understood.
pub(super) fn is_content(text: &str, subject: &Subject) -> bool {
    match subject {
        Subject::Write { content, .. } => content == text,
        Subject::Edit { before, after, .. } => before == text || after == text,
        _ => false,
    }
}
