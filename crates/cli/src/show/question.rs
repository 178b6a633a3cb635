//! One question, in full.

use handraise_protocol::Question;

use super::approval::{finding, named, section};
use super::text::{Line, MARGIN, Tone, lines};

/// The agent and its project on one line.
pub(crate) fn question_sender(question: &Question) -> String {
    let title = question.agent_title.as_deref().or(question.agent.as_deref());
    named(title, question.agent_verified, question.project.as_deref())
}

/// All that there is to know about `question`.
pub(crate) fn question(question: &Question) -> Vec<Line> {
    let mut shown = vec![Line::new(Tone::Strong, "Question from ").with(Tone::Plain, question_sender(question))];
    shown.extend(question.findings.iter().filter(|finding| finding.misleads).map(finding));
    if !question.header.is_empty() {
        shown.extend(lines(&question.header, MARGIN, Tone::Strong));
    }
    shown.extend(lines(&question.question, MARGIN, Tone::Plain));
    for (index, choice) in question.choices.iter().enumerate() {
        let number = index + 1;
        let mut label = lines(&choice.shown, &format!("{number:>4}  "), Tone::Strong);
        // A label of several lines must not look like several choices.
        for line in label.iter_mut().skip(1) {
            if let Some(margin) = line.0.first_mut() {
                margin.text = BESIDE.to_owned();
            }
        }
        shown.extend(label);
        if !choice.description.is_empty() {
            shown.extend(lines(&choice.description, BESIDE, Tone::Label));
        }
    }
    section(&mut shown, "Folder", &question.cwd);
    shown
}

/// In front of what belongs to the choice above.
const BESIDE: &str = "      │ ";

/// A question that waits, for tests.
#[cfg(test)]
pub(crate) fn sample(multiple: bool) -> Question {
    use handraise_display::line;
    use handraise_protocol::{ChoiceView, QuestionId, QuestionResult, QuestionStatus, pieces};
    use jiff::Timestamp;

    let id = QuestionId(uuid::Uuid::from_u128(1));
    let asked_at = Timestamp::UNIX_EPOCH;
    let expires_at = Timestamp::from_second(300).unwrap();
    let result = QuestionResult {
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
    };
    let choice = |label: &str| ChoiceView {
        label: label.to_owned(),
        line: line(label, 200),
        shown: pieces(label),
        description: Vec::new(),
    };
    Question {
        id,
        result,
        agent: Some("claude-code".into()),
        agent_title: Some("Claude Code".into()),
        agent_verified: true,
        session: None,
        title: "Which one?".into(),
        header: Vec::new(),
        question: pieces("Which one?"),
        choices: vec![choice("a\u{202e}b"), choice("c")],
        multiple,
        custom: true,
        custom_label: Vec::new(),
        cwd: Vec::new(),
        project: Some("shop".into()),
        findings: Vec::new(),
        has_hidden_characters: true,
        asked_at,
        expires_at,
    }
}
