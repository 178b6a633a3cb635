//! Words of an agent, no longer than a person can be shown, and questions made of them.

use handraise_protocol::{QuestionChoice, QuestionRequest};

/// Longest message of a form, in characters.
pub(super) const MAX_MESSAGE: usize = 2_000;
/// Longest description of a field, and longest hint, in characters.
pub(super) const MAX_ABOUT: usize = 800;
/// Longest name of a field, and longest label, in characters.
pub(super) const MAX_LABEL: usize = 200;

/// The first `longest` characters of `text`, and how many are left out.
pub(super) fn cut(text: &str, longest: usize) -> String {
    let count = text.chars().count();
    if count <= longest {
        return text.to_owned();
    }
    let kept: String = text.chars().take(longest).collect();
    format!("{kept}… ({} more characters)", count - longest)
}

/// A question with nothing but its words and what can be said to it.
pub(super) fn asking(question: String, choices: Vec<QuestionChoice>, multiple: bool, custom: bool) -> QuestionRequest {
    QuestionRequest {
        question,
        header: None,
        choices,
        multiple,
        custom,
        custom_label: None,
        agent: None,
        session: None,
        conversation_id: None,
        user: None,
        cwd: None,
        trace_id: None,
        idempotency_key: None,
        timeout_seconds: None,
    }
}

/// One thing that can be chosen.
pub(super) fn choice(label: &str, description: Option<&str>) -> QuestionChoice {
    QuestionChoice { label: label.to_owned(), description: description.map(str::to_owned) }
}
