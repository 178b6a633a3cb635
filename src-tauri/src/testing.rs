//! Requests for tests.

use handraise_display::{TextRole, findings, has_hidden, line};
use handraise_protocol::{
    Approval, ApprovalResult, ArgumentRow, ArgumentsHash, Breadth, CanBeUndone, ChoiceView, DiffLine, DiffSign,
    EditSubject, Effect, FindingView, Question, QuestionId, QuestionResult, QuestionStatus, Reach, RequestId, Risk,
    RiskBasis, RiskLevel, Scope, ScopeChoice, SessionKey, Status, SubjectView, ToolClass, WriteSubject, content_pieces,
    pieces,
};
use jiff::Timestamp;
use uuid::Uuid;

/// The id with this number.
pub(crate) fn id(number: u128) -> RequestId {
    RequestId(Uuid::from_u128(number))
}

/// A question with these choices.
pub(crate) fn question(number: u128, choices: &[&str]) -> Question {
    let id = QuestionId(Uuid::from_u128(number));
    let asked_at = Timestamp::UNIX_EPOCH;
    let expires_at = asked_at + jiff::SignedDuration::from_mins(5);
    let choice = |label: &&str| ChoiceView {
        label: (*label).to_owned(),
        line: line(label, 200),
        shown: pieces(label),
        description: Vec::new(),
    };
    Question {
        id,
        result: QuestionResult {
            id,
            status: QuestionStatus::Pending,
            selected: Vec::new(),
            custom: None,
            answer: None,
            reason: None,
            asked_at,
            answered_at: None,
            expires_at,
            trace_id: None,
        },
        agent: Some("claude-code".into()),
        agent_title: Some("Claude Code".into()),
        agent_verified: true,
        session: None,
        title: "Which database?".into(),
        header: Vec::new(),
        question: pieces("Which database?"),
        choices: choices.iter().map(choice).collect(),
        multiple: false,
        custom: true,
        custom_label: Vec::new(),
        cwd: Vec::new(),
        project: Some("shopfront".into()),
        findings: Vec::new(),
        has_hidden_characters: false,
        asked_at,
        expires_at,
    }
}

/// A harmless request of a session.
pub(crate) fn approval(number: u128) -> Approval {
    let requested_at = Timestamp::UNIX_EPOCH;
    let expires_at = requested_at + jiff::SignedDuration::from_mins(5);
    let arguments_hash: ArgumentsHash = serde_json::from_value(serde_json::json!(format!("{number:064x}"))).unwrap();
    let session = SessionKey { requester: "claude-code".into(), agent: Some("claude-code".into()), id: "s1".into() };
    Approval {
        id: id(number),
        result: ApprovalResult {
            id: id(number),
            status: Status::Pending,
            decided_by: None,
            scope: None,
            reason: None,
            rule: None,
            risk: RiskLevel::Write,
            arguments: None,
            confined: None,
            arguments_hash: arguments_hash.clone(),
            requested_at,
            decided_at: None,
            expires_at,
            trace_id: None,
        },
        agent: Some("claude-code".into()),
        agent_title: Some("Claude Code".into()),
        agent_verified: true,
        session: Some(session),
        sub_agent: None,
        batch: None,
        tool: "Bash".into(),
        server: None,
        class: ToolClass::Shell,
        risk: Risk { level: RiskLevel::Write, basis: RiskBasis::ToolTable },
        effect: Effect {
            reach: Reach::Machine,
            can_be_undone: CanBeUndone::No,
            sentence: "It cannot be told what it changes.".into(),
        },
        title: format!("make step-{number}"),
        subject: SubjectView::Arguments,
        tasks: Vec::new(),
        consequences: Vec::new(),
        arguments: Vec::new(),
        editable_arguments: None,
        redacted: false,
        arguments_hash,
        intent: Vec::new(),
        summary: Vec::new(),
        description: Vec::new(),
        cwd: Vec::new(),
        project: Some("shopfront".into()),
        rule: None,
        explanation: "No rule matches.".into(),
        provenance: None,
        scopes: vec![ScopeChoice {
            scope: Scope::Session,
            breadth: Breadth::Exact,
            remembers: "Exactly this call".into(),
            rule: None,
            editable_rule: None,
            commands: Vec::new(),
        }],
        confinement: None,
        denied_by_walls: Vec::new(),
        findings: Vec::new(),
        has_hidden_characters: false,
        requested_at,
        expires_at,
    }
}

/// Requests that carry the texts of the gate's corpus in every field that a glance shows.
pub(crate) fn spoofed() -> Vec<Approval> {
    let corpora = [
        include_str!("../../crates/display/tests/data/display_spoof.jsonl"),
        include_str!("../../crates/display/tests/data/display_spoof_more.jsonl"),
    ];
    let cases =
        corpora.into_iter().flat_map(str::lines).map(|case| serde_json::from_str::<serde_json::Value>(case).unwrap());
    let texts = cases.filter_map(|case| Some(case["payload"].as_str()?.to_owned()));
    let spoofed = texts.map(|text| Approval {
        agent: Some(line(&text, 80)),
        agent_title: Some(format!("“{}”", line(&text, 80))),
        project: Some(line(&text, 60)),
        title: line(&text, 400),
        arguments: vec![ArgumentRow { name: pieces(&text), value: pieces(&text), json: false, lines: 1, length: 1 }],
        has_hidden_characters: has_hidden(&text),
        findings: findings(&text, TextRole::Argument)
            .into_iter()
            .map(|finding| FindingView {
                kind: finding.kind.into(),
                misleads: finding.kind.misleads(),
                sentence: finding.sentence,
                field: "arguments.command".into(),
            })
            .collect(),
        ..approval(1)
    });
    spoofed.collect()
}

/// A destructive request of a session.
pub(crate) fn destructive(number: u128) -> Approval {
    Approval { risk: Risk { level: RiskLevel::Destructive, basis: RiskBasis::ToolTable }, ..approval(number) }
}

/// A request of a session to replace `before` in `src/cart.ts` by `after`.
pub(crate) fn edit(number: u128, before: &[&str], after: &[&str]) -> Approval {
    let line = |sign, text: &&str| DiffLine { sign, text: pieces(text) };
    let removed = before.iter().map(|text| line(DiffSign::Remove, text));
    let added = after.iter().map(|text| line(DiffSign::Add, text));
    let path = "/home/mira/shopfront/src/cart.ts";
    Approval {
        tool: "Edit".into(),
        title: format!("Edit {path}"),
        subject: SubjectView::Edit(EditSubject {
            path: pieces(path),
            diff: removed.chain(added).collect(),
            first_line: None,
        }),
        cwd: pieces("/home/mira/shopfront"),
        ..approval(number)
    }
}

/// A request of a session to write `content` into a file of the project.
pub(crate) fn written(number: u128, path: &str, content: &str) -> Approval {
    let path = format!("/home/mira/shopfront/{path}");
    let lines = u32::try_from(content.lines().count()).unwrap();
    Approval {
        tool: "Write".into(),
        title: format!("Write {path}"),
        subject: SubjectView::Write(WriteSubject {
            path: pieces(&path),
            content: content_pieces(content),
            lines,
            replaces: None,
        }),
        cwd: pieces("/home/mira/shopfront"),
        ..approval(number)
    }
}
