//! A request of the gate as it is put before a person or told to its requester.

pub(crate) mod agent;
mod command;
mod findings;
mod on_disk;
mod provenance;
mod question;
mod task;

pub(crate) use on_disk::{with_file, without_file};
pub(crate) use question::{question, question_result};

use handraise_display::{FindingKind, escape_json, line};
use handraise_gate::{Entry, Mode};
use handraise_policy::{Action, CommandChoice, GrantChoice, Request, RiskBasis, RiskLevel, Subject};
use handraise_protocol::{
    Approval, ArgumentRow, CommandSubject, Confinement, DiffLine, DiffSign, EditSubject, Effect, FetchSubject,
    ReadSubject, ScopeChoice, ScopeCommands, SessionKey, SubjectView, Widening, WriteSubject, content_pieces, pieces,
};
use serde_json::Value;
use sha2::{Digest, Sha256};
use similar::{Change, ChangeTag, TextDiff};

use findings::{changed_task, findings, is_content, of_files, reach};

use crate::approval_result;
use crate::redacted::{RedactedEntry, RequestRedactor, is_marked};
use crate::sentence::sentence;
use crate::skills::RunsByItself;

/// Longest title on a surface, in characters; the rest is counted.
pub(crate) const MAX_TITLE: usize = 400;

/// `approval` of the request of `entry`, which may have been put together before that came, or before a clock was set.
pub(crate) fn at_times_of(entry: &Entry, approval: Approval) -> Approval {
    Approval {
        id: entry.request.id.into(),
        result: approval_result::result(entry),
        requested_at: entry.life.asked_at,
        expires_at: entry.life.expires_at,
        ..approval
    }
}

/// A request with all that a surface needs.
pub(crate) fn approval(redacted: &RedactedEntry) -> Approval {
    let entry = redacted.entry();
    let request = &entry.request;
    let arguments: Vec<ArgumentRow> =
        request.arguments.iter().map(|argument| argument_row(argument, &request.subject)).collect();
    let mut findings = findings(request);
    findings.extend(reach(entry));
    findings.extend(of_files(entry));
    let optional = |text: &Option<String>| text.as_deref().map(pieces).unwrap_or_default();
    Approval {
        id: request.id.into(),
        result: approval_result::result(entry),
        agent: request.agent.as_ref().map(agent::name),
        agent_title: request.agent.as_ref().map(agent::title),
        agent_verified: request.agent.as_ref().is_some_and(|agent| agent.verified),
        session: request.session.clone().map(SessionKey::from),
        sub_agent: agent::sub_agent(&request.tags),
        batch: request.batch.as_deref().map(|batch| batch_key(request, batch)),
        tool: line(&request.tool, 120),
        server: request.server.as_deref().map(|server| line(server, 120)),
        class: request.class.into(),
        risk: entry.evaluation.policy.risk.into(),
        effect: effect(entry, entry.evaluation.effect()),
        title: title(redacted),
        subject: subject(entry),
        has_hidden_characters: findings.iter().any(|finding| FindingKind::from(finding.kind).hides()),
        findings,
        tasks: task::tasks(entry),
        provenance: request.provenance.as_ref().map(provenance::provenance),
        consequences: Vec::new(),
        arguments,
        redacted: redacted.hides(),
        // What is redacted cannot be edited before it was revealed: the mark would run.
        editable_arguments: (request.accepts_edits && !redacted.hides())
            .then(|| serde_json::to_string_pretty(&request.arguments).ok())
            .flatten()
            .map(|json| escape_json(&json)),
        arguments_hash: request.arguments_hash.clone().into(),
        intent: optional(&request.intent),
        summary: optional(&request.summary),
        description: optional(&request.description),
        cwd: optional(&request.cwd),
        project: request.cwd.as_deref().and_then(project),
        rule: entry.evaluation.policy.rule.as_ref().map(|rule| rule.text().to_owned()),
        explanation: explanation(entry),
        scopes: scopes(entry),
        confinement: confinement(entry),
        denied_by_walls: entry.evaluation.denied_by_walls.iter().map(|denial| denial.clause.clone()).collect(),
        requested_at: entry.life.asked_at,
        expires_at: entry.life.expires_at,
    }
}

/// What `effect`, of the call or of a part of it, comes to when a person approves it.
fn effect(entry: &Entry, effect: handraise_policy::Effect) -> Effect {
    Effect::of(effect, entry.request.project.as_deref())
}

/// The walls that a person can have it run inside of, and what can be opened to them.
fn confinement(entry: &Entry) -> Option<Confinement> {
    let walls = entry.evaluation.offered_walls()?;
    let home = entry.request.home.as_deref();
    // A table with a secret in it would be kept for good; it is refused, so it is not offered.
    let offered = entry.evaluation.widenings.iter().filter(|widening| !is_marked(&widening.table.toml));
    let widenings = offered.map(|widening| Widening::of(widening, home)).collect();
    Some(Confinement { widenings, ..Confinement::from(walls) })
}

/// What tells a batch from those of others: a batch belongs to one session of one requester.
fn batch_key(request: &Request, batch: &str) -> String {
    let session = request.session.clone().map(SessionKey::from);
    let whole = serde_json::to_vec(&(&request.requester, request.agent_name(), &session, batch));
    hex::encode(Sha256::digest(whole.unwrap_or_default()).get(..16).unwrap_or_default())
}

/// One plain line that says what the call does.
pub(crate) fn title(redacted: &RedactedEntry) -> String {
    line(&redacted.entry().request.title(), MAX_TITLE)
}

/// One sentence: what the policy does with the call, and why.
pub(crate) fn explanation(entry: &Entry) -> String {
    let Entry { request, evaluation, .. } = entry;
    match evaluation.action {
        Action::Allow | Action::Confine => evaluation.approval_reason(),
        Action::Deny => evaluation.denial_reason(request),
        Action::Ask => why_asked(entry),
    }
}

fn why_asked(entry: &Entry) -> String {
    let evaluation = &entry.evaluation;
    if let Some(why) = &entry.request.unseen {
        return format!("Nobody can tell what it touches: {why}.");
    }
    if entry.request.require_approval && evaluation.policy.action == Action::Allow {
        return "The policy would allow it, but who asks wants a person to look at it.".to_owned();
    }
    if evaluation.mode == Mode::AskEverything && evaluation.policy.action == Action::Allow {
        return "The policy would allow it, but you have paused: Handraise asks about everything.".to_owned();
    }
    if evaluation.policy.action == Action::Ask {
        if let Some(sentence) = evaluation.policy.protection_sentence() {
            return sentence.to_owned();
        }
        if evaluation.policy.is_unconfined || evaluation.policy.is_held_by_decision_point {
            return line(&evaluation.policy.why, MAX_TITLE);
        }
        if let Some(changed) = evaluation.changed_tasks.first() {
            return changed_task(changed);
        }
        if let Some(clause) = evaluation.policy.project_code().next() {
            return sentence(clause);
        }
        // A line that nobody understands is the reason, whatever its risk is.
        if evaluation.policy.obstacle.is_some() && evaluation.policy.rule.is_none() {
            return line(&evaluation.policy.why, MAX_TITLE);
        }
    }
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

pub(crate) fn subject(entry: &Entry) -> SubjectView {
    match &entry.request.subject {
        Subject::Command { line } => SubjectView::Command(CommandSubject {
            line: pieces(line),
            parts: command::parts(entry),
            obstacle: entry.evaluation.policy.obstacle.as_ref().map(ToString::to_string),
        }),
        Subject::Edit { path, before, after } => {
            SubjectView::Edit(EditSubject { path: pieces(path), diff: diff(before, after), first_line: None })
        }
        Subject::Write { path, content } => SubjectView::Write(WriteSubject {
            path: pieces(path),
            content: content_pieces(content),
            lines: count(content.lines()),
            replaces: None,
        }),
        Subject::Read { path } => SubjectView::Read(ReadSubject { path: pieces(path) }),
        Subject::Fetch { url } => SubjectView::Fetch(FetchSubject { url: pieces(url) }),
        Subject::Arguments => SubjectView::Arguments,
    }
}

fn diff(before: &str, after: &str) -> Vec<DiffLine> {
    TextDiff::from_lines(before, after).iter_all_changes().map(|change| diff_line(&change)).collect()
}

/// What changes from one text to another, with a few lines around it; at most so many lines.
pub(crate) fn changes(before: &str, after: &str, most: usize) -> Vec<DiffLine> {
    let diff = TextDiff::from_lines(before, after);
    let groups = diff.grouped_ops(3);
    let operations = groups.iter().flatten();
    operations.flat_map(|operation| diff.iter_changes(operation)).take(most).map(|change| diff_line(&change)).collect()
}

fn diff_line(change: &Change<&str>) -> DiffLine {
    DiffLine {
        sign: match change.tag() {
            ChangeTag::Equal => DiffSign::Keep,
            ChangeTag::Insert => DiffSign::Add,
            ChangeTag::Delete => DiffSign::Remove,
        },
        text: content_pieces(change.value().trim_end_matches('\n')),
    }
}

pub(crate) fn argument_row((name, value): (&String, &Value), subject: &Subject) -> ArgumentRow {
    let text = match value {
        Value::String(text) => text.clone(),
        other => serde_json::to_string_pretty(other).unwrap_or_else(|_| other.to_string()),
    };
    let json = !value.is_string();
    let value = if is_content(&text, subject) { content_pieces(&text) } else { pieces(&text) };
    ArgumentRow { name: pieces(name), value, json, lines: count(text.lines()), length: count(text.chars()) }
}

/// The row for what a skill runs by itself: no argument, but as much a part of the call.
pub(crate) fn runs_by_itself(runs: &RunsByItself, redactor: &RequestRedactor) -> ArgumentRow {
    let RunsByItself { file, lines } = runs;
    let (name, lines) = (format!("runs by itself ({})", file.display()), redactor.text(lines));
    ArgumentRow {
        name: pieces(&name),
        value: pieces(&lines),
        json: false,
        lines: count(lines.lines()),
        length: count(lines.chars()),
    }
}

fn count(items: impl Iterator) -> u32 {
    u32::try_from(items.count()).unwrap_or(u32::MAX)
}

fn project(cwd: &str) -> Option<String> {
    let name = std::path::Path::new(cwd).file_name()?.to_str()?;
    Some(line(name, 60))
}

/// What a person can remember, the narrowest first.
fn scopes(entry: &Entry) -> Vec<ScopeChoice> {
    let (request, policy) = (&entry.request, &entry.evaluation.policy);
    let choices = handraise_policy::choices(request, policy).into_iter();
    choices
        .chain(handraise_policy::choices_of_commands(request, policy))
        // A rule with a secret in it would be kept for good; it is refused, so it is not offered.
        .filter(|choice| !choice.rule.as_deref().is_some_and(is_marked))
        .map(|GrantChoice { scope, breadth, remembers, rule, editable_rule, commands }| ScopeChoice {
            scope: scope.into(),
            breadth: breadth.into(),
            remembers,
            rule,
            editable_rule,
            commands: commands.into_iter().map(command_choice).collect(),
        })
        .collect()
}

fn command_choice(choice: CommandChoice) -> ScopeCommands {
    let CommandChoice { positions, remembers, rule, editable_rule } = choice;
    ScopeCommands { commands: positions.into_iter().map(position).collect(), remembers, rule, editable_rule }
}

/// A position in a command line's parts, for the wire.
fn position(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod false_alarms;
#[cfg(test)]
mod tests;
