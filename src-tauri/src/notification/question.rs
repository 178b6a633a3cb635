//! The notification of a question.

use handraise_display::line;
use handraise_protocol::Question;

use super::content::{
    Buttons, MAX_SUMMARY, NotificationAction, NotificationButton, NotificationContent, NotificationContext,
    NotificationKey, agent_and_project, closing,
};
use crate::compact_view::{MAX_LINE, question_agent};
use crate::strings::Text;

/// Most choices that fit on a notification.
const MAX_CHOICES: usize = 3;
/// Longest choice that a button shows whole, in characters.
const MAX_CHOICE: usize = 24;

/// Who asks, and where.
pub(crate) fn sender(question: &Question) -> String {
    agent_and_project(&question_agent(question), question.project.as_deref())
}

/// The notification of `question`.
pub(super) fn content(question: &Question, about: &NotificationContext) -> NotificationContent {
    let choices = if about.buttons == Buttons::Decide { choices(question) } else { Vec::new() };
    let choose = choices.iter().enumerate().map(|(index, label)| NotificationButton {
        action: NotificationAction::Choose(index),
        label: label.clone(),
        placeholder: None,
    });
    let look = [NotificationAction::Review, NotificationAction::Default];
    let actions = choose.chain(look.map(|action| action.labelled(Text::NotificationAnswer))).collect();
    let claimed = question.agent.is_some() && !question.agent_verified;
    let mut body = line(&question.title, MAX_LINE);
    if claimed {
        body = format!("{body}\n{}", Text::WarningUnverified.get());
    }
    for line in closing(question.id.0, about) {
        body = format!("{body}\n{line}");
    }
    NotificationContent {
        key: NotificationKey::Question(question.id),
        summary: line(&Text::NotificationAsks.with(&[("agent", &sender(question))]), MAX_SUMMARY),
        body,
        actions,
        waiting: 1,
        arguments_hash: None,
        sound: about.sound,
        choices,
    }
}

/// The choices that can be made on the notification: one of a few, all of which can be seen whole.
fn choices(question: &Question) -> Vec<String> {
    let fits = |line: &str| line.chars().count() <= MAX_CHOICE && !line.contains(['⏎', '⇥']);
    let whole = !question.multiple
        && !question.has_hidden_characters
        && question.choices.len() <= MAX_CHOICES
        && question.title.chars().count() <= MAX_LINE
        && question.choices.iter().all(|choice| choice.line == choice.label && fits(&choice.line));
    if whole { question.choices.iter().map(|choice| choice.label.clone()).collect() } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::question;

    fn labels(question: &Question) -> Vec<(String, String)> {
        let planned = content(question, &NotificationContext::default()).actions.into_iter();
        planned.map(|button| (button.action.name().to_owned(), button.label)).collect()
    }

    fn pair(name: &str, label: &str) -> (String, String) {
        (name.to_owned(), label.to_owned())
    }

    #[test]
    fn a_few_short_choices_are_buttons() {
        let question = question(1, &["PostgreSQL", "SQLite"]);
        let content = content(&question, &NotificationContext::default());
        assert_eq!(content.summary, "Claude Code in shopfront asks");
        assert_eq!(content.body, "Which database?");
        assert_eq!(
            labels(&question),
            [
                pair("choice-1", "PostgreSQL"),
                pair("choice-2", "SQLite"),
                pair("review", "Answer…"),
                pair("default", "Answer…"),
            ]
        );
        let answer = content.answer(NotificationAction::Choose(1)).unwrap();
        assert_eq!(answer.selected, ["SQLite"]);
        assert_eq!(content.answer(NotificationAction::Choose(2)), None);
        assert_eq!(content.answer(NotificationAction::Default), None);
    }

    #[test]
    fn what_cannot_be_seen_whole_is_answered_in_the_window() {
        let looks = [pair("review", "Answer…"), pair("default", "Answer…")];
        let few = question(1, &["a", "b"]);
        for other in [
            Question { multiple: true, ..few.clone() },
            Question { has_hidden_characters: true, ..few.clone() },
            Question { title: "x".repeat(201), ..few },
            question(1, &["a", "b", "c", "d"]),
            question(1, &["a", &"b".repeat(25)]),
            question(1, &["a", "two\nlines"]),
            question(1, &["a", "b\u{202e}"]),
            question(1, &[]),
        ] {
            assert_eq!(labels(&other), looks, "{:?}", other.choices);
        }
    }
}
