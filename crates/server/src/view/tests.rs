//! What a person is shown of a request: nothing that misleads, no secret, and all that is odd.

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

use super::findings::{REACH, texts};
use super::*;
use crate::intake::{RequesterIdentity, Submission, intake};
use crate::redacted::{RedactedEntry, RequestRedactor};

/// The texts of the gate's corpus.
fn payloads() -> Vec<String> {
    let corpora = [
        include_str!("../../../display/tests/data/display_spoof.jsonl"),
        include_str!("../../../display/tests/data/display_spoof_more.jsonl"),
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
    redacted_approval(request, &RequestRedactor::new([7; 32]))
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
        denied_by_walls: Vec::new(),
        widenings: Vec::new(),
    };
    let entry = Entry::new(request, evaluation, now, now);
    super::approval(&RedactedEntry::of(&entry, redactor))
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
fn secrets_in_paths_and_branches_are_redacted() {
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
fn a_part_of_a_command_line_hides_what_the_line_hides() {
    let secret = "Fake1Value9x";
    for line in [
        format!("echo {secret} | sudo -S apt-get update"),
        format!("echo {secret} | docker login -u a --password-stdin && rm -rf /"),
        format!("printf '{secret}' | gpg --passphrase-fd 0 x"),
        format!("(echo 'ada:{secret}' | chpasswd) > log"),
    ] {
        let arguments = json!({ "command": line }).as_object().unwrap().clone();
        let asked = ApprovalRequest { tool: "Bash".into(), arguments, ..ApprovalRequest::default() };
        let shown = serde_json::to_string(&approval(request(asked))).unwrap();
        assert!(!shown.contains(secret) && shown.contains("‹redacted:"), "{shown}");
    }
}

#[test]
fn no_text_of_an_approval_can_act_on_what_draws_it() {
    let redactor = RequestRedactor::new([7; 32]);
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
        let asked = request(ApprovalRequest { tool: tool.into(), arguments, cwd: cwd.clone(), ..Default::default() });
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
