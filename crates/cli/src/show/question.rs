//! One question, in full.

use handraise_protocol::Question;

use super::approval::{finding, named, section};
use super::text::{Line, Tone, lines};

/// The agent and its project on one line.
pub(crate) fn asker(question: &Question) -> String {
    named(question.agent.as_deref(), question.agent_verified, question.project.as_deref())
}

/// All that there is to know about `question`.
pub(crate) fn question(question: &Question) -> Vec<Line> {
    let mut shown = vec![Line::new(Tone::Strong, "Question from ").with(Tone::Plain, asker(question))];
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

/// In front of every line of the question.
const MARGIN: &str = "  │ ";
/// In front of what belongs to the choice above.
const BESIDE: &str = "      │ ";
