//! A request of the gate as it is put before a person or told to its requester.

use handraise_gate::display::{content_pieces, escape_json, line, pieces};
use handraise_gate::{Entry, Outcome, Subject};
use handraise_protocol::{
    Approval, ApprovalResult, ArgumentRow, CommandSubject, DiffLine, DiffSign, EditSubject, FetchSubject, ReadSubject,
    RiskBasis, RiskLevel, Scope, ScopeChoice, Status, SubjectView, ToolClass, WriteSubject,
};
use serde_json::Value;
use similar::{ChangeTag, TextDiff};

use crate::findings::{findings, is_content};

/// Longest title on a surface, in characters; the rest is counted.
const LONGEST_TITLE: usize = 400;

/// How the request of `entry` stands.
pub(crate) fn result(entry: &Entry) -> ApprovalResult {
    let request = &entry.request;
    let pending = ApprovalResult {
        id: request.id,
        status: Status::Pending,
        decided_by: None,
        scope: None,
        reason: None,
        rule: entry.evaluation.policy.rule.as_ref().map(|rule| rule.text().to_owned()),
        risk: entry.evaluation.policy.risk.level,
        arguments: None,
        arguments_hash: request.arguments_hash.clone(),
        requested_at: entry.requested_at,
        decided_at: None,
        expires_at: entry.expires_at,
        trace_id: request.trace_id.clone(),
    };
    entry.outcome.as_ref().map_or(pending.clone(), |outcome| ended(pending, outcome))
}

/// `pending` with its end filled in.
pub(crate) fn ended(pending: ApprovalResult, outcome: &Outcome) -> ApprovalResult {
    ApprovalResult {
        status: outcome.status,
        decided_by: Some(outcome.decided_by),
        scope: outcome.scope,
        reason: Some(outcome.reason.clone()),
        rule: outcome.rule.clone(),
        risk: outcome.risk,
        arguments: outcome.arguments.clone(),
        arguments_hash: outcome.arguments_hash.clone(),
        decided_at: Some(outcome.decided_at),
        ..pending
    }
}

/// The request of `entry` with all that a surface needs.
pub(crate) fn approval(entry: &Entry) -> Approval {
    let request = &entry.request;
    let arguments: Vec<ArgumentRow> =
        request.arguments.iter().map(|argument| argument_row(argument, &request.subject)).collect();
    let findings = findings(request);
    let optional = |text: &Option<String>| text.as_deref().map(pieces).unwrap_or_default();
    Approval {
        id: request.id,
        result: result(entry),
        agent: request.agent_name().map(|name| line(name, 80)),
        agent_verified: request.agent.as_ref().is_some_and(|agent| agent.verified),
        session: request.session.clone(),
        tool: line(&request.tool, 120),
        server: request.server.as_deref().map(|server| line(server, 120)),
        class: request.class,
        risk: entry.evaluation.policy.risk,
        title: line(&request.title(), LONGEST_TITLE),
        subject: subject(&request.subject),
        has_hidden_characters: findings.iter().any(|finding| finding.kind.hides()),
        findings,
        arguments,
        editable_arguments: request
            .accepts_edits
            .then(|| serde_json::to_string_pretty(&request.arguments).ok())
            .flatten()
            .map(|json| escape_json(&json)),
        arguments_hash: request.arguments_hash.clone(),
        intent: optional(&request.intent),
        summary: optional(&request.summary),
        description: optional(&request.description),
        cwd: optional(&request.cwd),
        project: request.cwd.as_deref().and_then(project),
        rule: entry.evaluation.policy.rule.as_ref().map(|rule| rule.text().to_owned()),
        explanation: explanation(entry),
        scopes: scopes(entry),
        requested_at: entry.requested_at,
        expires_at: entry.expires_at,
    }
}

/// One sentence: why a person is asked.
pub(crate) fn explanation(entry: &Entry) -> String {
    let evaluation = &entry.evaluation;
    if let Some(rule) = &evaluation.policy.rule {
        let because = rule.reason.as_ref().map(|reason| format!(": {}", line(reason, 200)));
        return format!("The rule `{}` says so{}.", line(rule.text(), 120), because.unwrap_or_default());
    }
    let risk = evaluation.policy.risk;
    let level = match risk.level {
        RiskLevel::ReadOnly => "only reads",
        RiskLevel::Write => "changes something",
        RiskLevel::Destructive => "destroys something",
    };
    match risk.basis {
        RiskBasis::Unknown => "No rule matches, and nothing is known about this tool.".to_owned(),
        RiskBasis::Declared => format!("No rule matches; the requester says that the call {level}."),
        RiskBasis::Annotations => format!("No rule matches; the tool's server says that it {level}."),
        RiskBasis::ToolTable => format!("No rule matches; this is a tool that {level}."),
        RiskBasis::Command => format!("No rule matches; the command {level}."),
        RiskBasis::Statement => format!("No rule matches; the SQL in the arguments {level}."),
    }
}

fn subject(subject: &Subject) -> SubjectView {
    match subject {
        Subject::Command { line } => SubjectView::Command(CommandSubject { line: pieces(line) }),
        Subject::Edit { path, before, after } => {
            SubjectView::Edit(EditSubject { path: pieces(path), diff: diff(before, after) })
        }
        Subject::Write { path, content } => SubjectView::Write(WriteSubject {
            path: pieces(path),
            content: content_pieces(content),
            lines: count(content.lines()),
        }),
        Subject::Read { path } => SubjectView::Read(ReadSubject { path: pieces(path) }),
        Subject::Fetch { url } => SubjectView::Fetch(FetchSubject { url: pieces(url) }),
        Subject::Arguments => SubjectView::Arguments,
    }
}

fn diff(before: &str, after: &str) -> Vec<DiffLine> {
    TextDiff::from_lines(before, after)
        .iter_all_changes()
        .map(|change| DiffLine {
            sign: match change.tag() {
                ChangeTag::Equal => DiffSign::Keep,
                ChangeTag::Insert => DiffSign::Add,
                ChangeTag::Delete => DiffSign::Remove,
            },
            text: content_pieces(change.value().trim_end_matches('\n')),
        })
        .collect()
}

fn argument_row((name, value): (&String, &Value), subject: &Subject) -> ArgumentRow {
    let text = match value {
        Value::String(text) => text.clone(),
        other => serde_json::to_string_pretty(other).unwrap_or_else(|_| other.to_string()),
    };
    let value = if is_content(&text, subject) { content_pieces(&text) } else { pieces(&text) };
    ArgumentRow { name: pieces(name), value, lines: count(text.lines()), length: count(text.chars()) }
}

fn count(items: impl Iterator) -> u32 {
    u32::try_from(items.count()).unwrap_or(u32::MAX)
}

fn project(cwd: &str) -> Option<String> {
    let name = std::path::Path::new(cwd).file_name()?.to_str()?;
    Some(line(name, 60))
}

/// What a person can remember, the narrowest first; nothing without a session.
fn scopes(entry: &Entry) -> Vec<ScopeChoice> {
    let request = &entry.request;
    if request.session.is_none() {
        return Vec::new();
    }
    let exact = format!("Exactly this call: {}", line(&request.title(), LONGEST_TITLE));
    let choice = |scope, whole_tool, remembers| ScopeChoice { scope, whole_tool, remembers };
    let mut scopes = vec![choice(Scope::Minutes, false, exact.clone()), choice(Scope::Session, false, exact)];
    let risk = entry.evaluation.policy.risk.level;
    if request.class != ToolClass::Shell && risk != RiskLevel::Destructive {
        let tool = match &request.server {
            Some(server) => format!("Every call of {} on the server {}", request.tool, server),
            None => format!("Every call of {}", request.tool),
        };
        scopes.push(choice(Scope::Session, true, line(&tool, LONGEST_TITLE)));
    }
    scopes
}
