//! What is odd about the texts of a request, field by field.

use std::collections::BTreeSet;

use handraise_display::{Finding, FindingKind, TextRole, line};
use handraise_gate::Entry;
use handraise_policy::path::Protection;
use handraise_policy::{Action, ChangedTask, Request, Subject, TaskState};
use handraise_protocol::FindingView;
use handraise_redaction::in_short;
use serde_json::Value;

use crate::sentence::sentence;

/// Longest name of a field, in characters; the rest is counted.
const MAX_FIELD: usize = 80;
/// The field of a finding that is about the whole call.
const REACH: &str = "reach";
/// Longest name of a file, in characters; the rest is counted.
const MAX_FILE: usize = 160;
/// Most arguments that a person sees at once.
const MAX_ARGUMENTS: usize = 40;

/// Everything that is odd about the texts of `request`: one finding of each kind and field, in the
/// order in which the fields are shown.
pub(crate) fn findings(request: &Request) -> Vec<FindingView> {
    let mut found = Vec::new();
    let contradictions = request.provenance.iter().flat_map(|provenance| &provenance.contradictions);
    found.extend(contradictions.map(|contradiction| {
        let (field, sentence) = crate::view::provenance::contradiction(contradiction);
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
pub(crate) fn reach(entry: &Entry) -> Vec<FindingView> {
    let policy = &entry.evaluation.policy;
    let reached = handraise_policy::written_findings(&entry.request, policy.risk.level);
    let protection = policy.protection.filter(|protection| *protection == Protection::Agent);
    let protected = protection.map(|protection| (FindingKind::ActsLater, protection.sentence(Action::Ask).to_owned()));
    protected.into_iter().chain(reached).map(|(kind, sentence)| view(REACH)(finding(kind, sentence))).collect()
}

/// What is to be known about the files behind the request of `entry`: what a project makes its commands run, and
/// which files have changed, or might, since it was shown.
pub(crate) fn of_files(entry: &Entry) -> Vec<FindingView> {
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
pub(crate) fn changed_task(changed: &ChangedTask) -> String {
    let call = line(&changed.approved.call, MAX_FILE);
    match &changed.now {
        TaskState::Defined(_) => format!("`{call}` has changed since you allowed it."),
        TaskState::Unknown(why) => {
            format!("`{call}` cannot be compared with what you allowed: {}.", line(why, MAX_FILE))
        }
    }
}

/// What is odd about a text that is a field of its own.
pub(crate) fn in_text(field: &str, text: &str, place: TextRole) -> Vec<FindingView> {
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
fn texts(value: &Value, each: &mut impl FnMut(&str)) {
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
pub(crate) fn is_content(text: &str, subject: &Subject) -> bool {
    match subject {
        Subject::Write { content, .. } => content == text,
        Subject::Edit { before, after, .. } => before == text || after == text,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use handraise_display::has_hidden;
    use handraise_gate::{DecidedBy, Evaluation, Mode};
    use handraise_policy::{
        Contradiction, Provenance, ProvenanceContainer, ProvenanceProgram, ProvenanceRepository, ProvenanceSsh,
        ProvenanceTerminal,
    };
    use handraise_policy::{Policy, Preset, ProcessTree, RequestId};
    use handraise_protocol::FindingKind;
    use handraise_protocol::{Approval, ApprovalRequest};
    use serde_json::json;
    use uuid::Uuid;

    use super::*;
    use crate::intake::{RequesterIdentity, Submission, intake};
    use crate::redacted::{RedactedEntry, RequestRedactor};

    /// The texts of the gate's corpus.
    fn payloads() -> Vec<String> {
        let corpora = [
            include_str!("../../display/tests/data/display_spoof.jsonl"),
            include_str!("../../display/tests/data/display_spoof_more.jsonl"),
        ];
        let cases = corpora.into_iter().flat_map(str::lines).map(|case| serde_json::from_str::<Value>(case).unwrap());
        cases.filter_map(|case| Some(case["payload"].as_str()?.to_owned())).collect()
    }

    fn request(change: ApprovalRequest) -> Request {
        let requester = RequesterIdentity { credential: "tests".into(), is_agent: false };
        let mut request =
            intake(&Submission::of_program(change, requester), RequestId(Uuid::nil()), ProcessTree::default()).unwrap();
        request.accepts_edits = true;
        request
    }

    fn approval(request: Request) -> Approval {
        redacted_approval(request, &RequestRedactor::new([7; 32]).unwrap())
    }

    fn redacted_approval(request: Request, redactor: &RequestRedactor) -> Approval {
        let now = jiff::Timestamp::UNIX_EPOCH;
        let policy = Policy::from_preset(Preset::Strict).decide(&request, now);
        let evaluation = Evaluation {
            action: policy.action,
            decided_by: DecidedBy::Policy,
            policy,
            grant: None,
            mode: Mode::Normal,
            changed_tasks: Vec::new(),
        };
        let entry = Entry::new(request, evaluation, now, now);
        crate::view::approval(&RedactedEntry::of(&entry, redactor))
    }

    /// Everything that a process can name as it likes is called `text`.
    fn provenance(text: &str) -> Provenance {
        let named = || Some(text.to_owned());
        Provenance {
            programs: vec![ProvenanceProgram {
                name: text.to_owned(),
                pid: 1,
                executable: named(),
                script: named(),
                agent: None,
            }],
            agent: Some(0),
            terminal: Some(ProvenanceTerminal { program: named(), device: named() }),
            folder: named(),
            repository: Some(ProvenanceRepository {
                folder: text.to_owned(),
                branch: named(),
                commit: named(),
                worktree_of: named(),
            }),
            container: Some(ProvenanceContainer { kind: "Docker".to_owned(), id: named() }),
            ssh: Some(ProvenanceSsh { client: named() }),
            contradictions: vec![
                Contradiction::OtherAgent { claimed: text.to_owned(), found: text.to_owned() },
                Contradiction::NoAgent { claimed: text.to_owned() },
                Contradiction::OtherFolder { claimed: text.to_owned(), found: text.to_owned() },
            ],
        }
    }

    #[test]
    fn secrets_in_paths_and_branches_are_masked() {
        let secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
        let mut request = request(ApprovalRequest { tool: "edit".into(), ..ApprovalRequest::default() });
        let whole = provenance(secret);
        let repository = whole.repository.map(|repository| ProvenanceRepository { commit: None, ..repository });
        request.provenance = Some(Provenance { ssh: None, terminal: None, repository, ..whole });
        let shown = serde_json::to_string(&approval(request)).unwrap();
        // An address, a commit and a device are no texts that anybody chooses.
        assert!(!shown.contains(secret), "{shown}");
        assert!(shown.contains("‹redacted:"), "{shown}");
    }

    #[test]
    fn no_text_of_an_approval_can_act_on_what_draws_it() {
        let redactor = RequestRedactor::new([7; 32]).unwrap();
        for payload in payloads() {
            let text = payload.as_str();
            for (tool, arguments) in [
                ("Bash", json!({ "command": text, text: { text: [text] } })),
                ("Write", json!({ "file_path": text, "content": text })),
                ("Edit", json!({ "file_path": text, "old_string": "a", "new_string": text })),
                ("WebFetch", json!({ "url": text })),
            ] {
                let claim = (text.len() < 8_000).then(|| text.to_owned());
                let request = request(ApprovalRequest {
                    tool: tool.into(),
                    arguments: arguments.as_object().unwrap().clone(),
                    session: Some("s".into()),
                    intent: claim.clone(),
                    summary: claim.clone(),
                    description: claim.clone(),
                    cwd: claim,
                    ..ApprovalRequest::default()
                });
                let request = Request { provenance: Some(provenance(text)), ..request };
                let approval = redacted_approval(request, &redactor);
                let mut strings = Vec::new();
                texts(&serde_json::to_value(&approval).unwrap(), &mut |string| strings.push(string.to_owned()));
                for string in strings {
                    assert!(!has_hidden(&string), "{tool} {text:?}: {string:?}");
                }
            }
        }
    }

    #[test]
    fn a_finding_names_its_field() {
        let approval = approval(request(ApprovalRequest {
            tool: "Bash".into(),
            arguments: json!({ "command": "ls \u{202e}x", "Command": "\u{455}udo", "n": 9_007_199_254_740_993_u64 })
                .as_object()
                .unwrap()
                .clone(),
            agent: Some("codex (verified)".into()),
            intent: Some("This is safe to run".into()),
            ..ApprovalRequest::default()
        }));
        let found: Vec<(&str, FindingKind)> =
            approval.findings.iter().map(|finding| (finding.field.as_str(), finding.kind)).collect();
        assert_eq!(
            found,
            [
                ("agent", FindingKind::ReservedName),
                ("arguments.command", FindingKind::Bidi),
                ("arguments.Command", FindingKind::CaseKey),
                ("arguments.Command", FindingKind::MixedScript),
                ("arguments.n", FindingKind::Number),
                ("intent", FindingKind::Narrative),
            ]
        );
        assert!(approval.has_hidden_characters);
    }

    #[test]
    fn an_ordinary_request_has_no_findings() {
        let arguments = json!({ "file_path": "/srv/größe.md", "content": "# Title\n\n<b>\u{201c}x\u{201d}</b>\n" });
        let ordinary = request(ApprovalRequest {
            tool: "Write".into(),
            arguments: arguments.as_object().unwrap().clone(),
            agent: Some("claude-code".into()),
            intent: Some("Write down what the user asked for".into()),
            cwd: Some("/home/mira/Проект".into()),
            ..ApprovalRequest::default()
        });
        assert_eq!(findings(&ordinary), []);
    }

    #[test]
    fn what_reaches_out_of_the_project_or_acts_later_is_told() {
        let written = |tool: &str, arguments: Value| {
            let cwd = Some("/srv/app".to_owned());
            let arguments = arguments.as_object().unwrap().clone();
            let asked =
                request(ApprovalRequest { tool: tool.into(), arguments, cwd: cwd.clone(), ..Default::default() });
            let found = approval(Request { project: cwd, ..asked });
            let of_call = found.findings.into_iter().filter(|finding| finding.field == REACH);
            of_call.inspect(|finding| assert!(!finding.misleads)).map(|finding| finding.kind).collect::<Vec<_>>()
        };
        let write = |path: &str| written("Write", json!({ "file_path": path, "content": "x" }));
        let run = |line: &str| written("Bash", json!({ "command": line }));
        assert_eq!(write("/srv/app/notes.txt"), []);
        assert_eq!(write("/srv/other/notes.txt"), [FindingKind::Outside]);
        assert_eq!(write("/home/x/.bashrc"), [FindingKind::ActsLater, FindingKind::Outside]);
        assert_eq!(write("/srv/app/.git/hooks/pre-commit"), [FindingKind::ActsLater]);
        assert!(write("/srv/app/.claude/settings.json").contains(&FindingKind::ActsLater), "a setting of an agent");
        assert_eq!(run("echo x >> /home/x/.profile"), [FindingKind::ActsLater]);
        assert_eq!(run("touch /tmp/x"), []);
    }

    #[test]
    fn edited_arguments_mean_what_was_asked() {
        let arguments = json!({ "command": "ls \u{202e}\u{e0041}\u{1b}x é" });
        let asked = request(ApprovalRequest {
            tool: "Bash".into(),
            arguments: arguments.as_object().unwrap().clone(),
            ..ApprovalRequest::default()
        });
        let edited = approval(asked).editable_arguments.unwrap();
        assert!(edited.contains(r"\u202e\udb40\udc41"), "{edited}");
        assert_eq!(serde_json::from_str::<Value>(&edited).unwrap(), arguments);
    }
}
