//! A question as it is put before a person or told to its requester.

use handraise_display::{TextRole, has_hidden, line};
use handraise_gate::{Lifecycle, Question, QuestionChoice, QuestionEntry, QuestionOutcome};
use handraise_protocol::{ChoiceView, FindingView, QuestionResult, QuestionStatus, pieces};

use super::findings::in_text;
use super::{MAX_TITLE, agent, project};
use crate::redacted::RequestRedactor;

/// Longest label on a surface with one line, in characters; the rest is counted.
const MAX_LABEL: usize = 200;

impl RequestRedactor {
    /// A question without its secrets, as a surface may have it.
    pub(crate) fn question(&self, entry: &QuestionEntry) -> QuestionEntry {
        let own = &entry.question;
        let optional = |text: &Option<String>| text.as_deref().map(|text| self.text(text));
        let choice = |choice: &QuestionChoice| QuestionChoice {
            label: self.text(&choice.label),
            description: optional(&choice.description),
        };
        let question = Question {
            text: self.text(&own.text),
            header: optional(&own.header),
            choices: own.choices.iter().map(choice).collect(),
            custom_label: optional(&own.custom_label),
            cwd: optional(&own.cwd),
            ..own.clone()
        };
        let outcome = entry.life.outcome.as_ref().map(|outcome| self.question_outcome(outcome));
        QuestionEntry { question, life: Lifecycle { outcome, ..entry.life.clone() } }
    }

    /// How a question stands, as everybody but its requester may have it.
    pub(crate) fn question_result(&self, entry: &QuestionEntry) -> QuestionResult {
        let outcome = entry.life.outcome.as_ref().map(|outcome| self.question_outcome(outcome));
        result_with(entry, outcome.as_ref())
    }

    fn question_outcome(&self, outcome: &QuestionOutcome) -> QuestionOutcome {
        let optional = |text: &Option<String>| text.as_deref().map(|text| self.text(text));
        QuestionOutcome {
            selected: outcome.selected.iter().map(|label| self.text(label)).collect(),
            custom: optional(&outcome.custom),
            reason: optional(&outcome.reason),
            ..outcome.clone()
        }
    }
}

/// How a question stands.
pub(crate) fn question_result(entry: &QuestionEntry) -> QuestionResult {
    result_with(entry, entry.life.outcome.as_ref())
}

/// The same with `outcome` as how it ended.
fn result_with(entry: &QuestionEntry, outcome: Option<&QuestionOutcome>) -> QuestionResult {
    QuestionResult {
        id: entry.question.id.into(),
        status: outcome.map_or(QuestionStatus::Pending, |outcome| outcome.status.into()),
        selected: outcome.map(|outcome| outcome.selected.clone()).unwrap_or_default(),
        custom: outcome.and_then(|outcome| outcome.custom.clone()),
        answer: outcome.and_then(QuestionOutcome::answer),
        reason: outcome.and_then(|outcome| outcome.reason.clone()),
        asked_at: entry.life.asked_at,
        answered_at: outcome.map(|outcome| outcome.ended_at),
        expires_at: entry.life.expires_at,
        trace_id: entry.question.trace_id.clone(),
    }
}

/// A question with all that a surface needs; `entry` is redacted.
pub(crate) fn question(entry: &QuestionEntry) -> handraise_protocol::Question {
    let question = &entry.question;
    let optional = |text: &Option<String>| text.as_deref().map(pieces).unwrap_or_default();
    let findings = findings(question);
    handraise_protocol::Question {
        id: question.id.into(),
        result: question_result(entry),
        agent: question.agent.as_ref().map(agent::name),
        agent_title: question.agent.as_ref().map(agent::title),
        agent_verified: question.agent.as_ref().is_some_and(|agent| agent.verified),
        session: question.session.clone().map(Into::into),
        title: line(&question.text, MAX_TITLE),
        header: optional(&question.header),
        question: pieces(&question.text),
        choices: question.choices.iter().map(choice).collect(),
        multiple: question.multiple,
        custom: question.custom,
        custom_label: optional(&question.custom_label),
        cwd: optional(&question.cwd),
        project: question.cwd.as_deref().and_then(project),
        has_hidden_characters: findings.iter().any(|finding| finding.misleads) || texts(question).any(has_hidden),
        findings,
        asked_at: entry.life.asked_at,
        expires_at: entry.life.expires_at,
    }
}

fn choice(choice: &QuestionChoice) -> ChoiceView {
    ChoiceView {
        label: choice.label.clone(),
        line: line(&choice.label, MAX_LABEL),
        shown: pieces(&choice.label),
        description: choice.description.as_deref().map(pieces).unwrap_or_default(),
    }
}

fn texts(question: &Question) -> impl Iterator<Item = &str> {
    fn of_choice(choice: &QuestionChoice) -> [Option<&str>; 2] {
        [Some(choice.label.as_str()), choice.description.as_deref()]
    }
    let own = [Some(question.text.as_str()), question.header.as_deref(), question.custom_label.as_deref()];
    own.into_iter().chain(question.choices.iter().flat_map(of_choice)).flatten()
}

/// What is odd about its texts. A question is prose: it may be long and have many lines.
fn findings(question: &Question) -> Vec<FindingView> {
    let agent = question.agent.as_ref().map(|agent| agent.name.as_str());
    let whole = [
        ("agent", agent, TextRole::AgentName),
        ("header", question.header.as_deref(), TextRole::Content),
        ("question", Some(question.text.as_str()), TextRole::Content),
        ("custom_label", question.custom_label.as_deref(), TextRole::Content),
    ];
    let mut found: Vec<FindingView> = Vec::new();
    for (field, text, place) in whole {
        found.extend(text.into_iter().flat_map(|text| in_text(field, text, place)));
    }
    for choice in &question.choices {
        found.extend(in_text("choices.label", &choice.label, TextRole::Content));
        let description = choice.description.as_deref();
        found.extend(description.into_iter().flat_map(|text| in_text("choices.description", text, TextRole::Content)));
    }
    found
}
