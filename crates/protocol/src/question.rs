//! Questions that an agent has for a person, and how they end.

use std::collections::HashSet;
use std::sync::Arc;

use handraise_gate as gate;
use handraise_gate::Reply;
use handraise_policy::rules::MAX_TIMEOUT_SECONDS;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::approval::check_name;
use crate::{FindingView, InvalidRequest, Piece, QuestionId, QuestionStatus, SessionKey};

/// Longest question, in characters.
const MAX_QUESTION: usize = 4_000;
/// Longest header, label or name of the text field, in characters.
const MAX_LINE: usize = 200;
/// Longest description of a choice, in characters.
const MAX_DESCRIPTION: usize = 1_000;
/// Longest words of a person, in characters.
const MAX_ANSWER: usize = 10_000;
/// Most choices of one question.
const MAX_CHOICES: usize = 25;
/// How long a person has to answer when the question does not say, in seconds.
const DEFAULT_TIMEOUT_SECONDS: u32 = 300;

/// A question for the person.
///
/// Unknown fields are refused with their name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
#[ts(optional_fields)]
pub struct QuestionRequest {
    /// What is asked: 1 to 4 000 characters.
    pub question: String,
    /// A short title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<String>,
    /// What can be chosen: at most 25, each with a label of its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<QuestionChoice>>", optional)]
    #[schemars(length(max = 25))]
    pub choices: Vec<QuestionChoice>,
    /// More than one can be chosen.
    #[serde(default)]
    #[ts(as = "Option<bool>", optional)]
    pub multiple: bool,
    /// Free text is welcome; must be so when there are no choices. Default: true.
    #[serde(default = "yes")]
    #[ts(as = "Option<bool>", optional)]
    pub custom: bool,
    /// What the field for free text is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub custom_label: Option<String>,
    /// Name of the agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The conversation; the question ends with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Used as the session when `session` is absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation_id: Option<String>,
    /// Used as the session when `session` and `conversation_id` are absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// Working folder of the agent, an absolute path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// The requester's own trace id, handed back in the result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace_id: Option<String>,
    /// The same key with the same question joins the question that is known by it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idempotency_key: Option<String>,
    /// How long a person has to answer, in seconds: 1 to 86 400. Default: 300.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 86_400))]
    pub timeout_seconds: Option<u32>,
}

fn yes() -> bool {
    true
}

/// One thing that a person can choose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
#[ts(optional_fields)]
pub struct QuestionChoice {
    /// What an answer names it by; no other choice of the question has it.
    pub label: String,
    /// What choosing it means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

impl From<gate::QuestionChoice> for QuestionChoice {
    fn from(choice: gate::QuestionChoice) -> Self {
        let gate::QuestionChoice { label, description } = choice;
        Self { label, description }
    }
}

impl From<QuestionChoice> for gate::QuestionChoice {
    fn from(choice: QuestionChoice) -> Self {
        let QuestionChoice { label, description } = choice;
        Self { label, description }
    }
}

impl QuestionRequest {
    /// The session that the question belongs to: `session ?? conversation_id ?? user`.
    #[must_use]
    pub fn session_id(&self) -> Option<&str> {
        self.session.as_deref().or(self.conversation_id.as_deref()).or(self.user.as_deref())
    }

    /// How long a person has to answer, in seconds.
    #[must_use]
    pub fn timeout_seconds(&self) -> u32 {
        self.timeout_seconds.unwrap_or(DEFAULT_TIMEOUT_SECONDS)
    }

    /// Checks what the types do not.
    ///
    /// # Errors
    /// Names the field and says what is wrong with it.
    pub fn check(&self) -> Result<(), InvalidRequest> {
        check_words("question", &self.question, MAX_QUESTION)?;
        for (field, words) in [("header", &self.header), ("custom_label", &self.custom_label)] {
            words.as_ref().map_or(Ok(()), |words| check_words(field, words, MAX_LINE))?;
        }
        let names = [
            ("agent", &self.agent),
            ("session", &self.session),
            ("conversation_id", &self.conversation_id),
            ("user", &self.user),
            ("trace_id", &self.trace_id),
            ("idempotency_key", &self.idempotency_key),
        ];
        for (field, name) in names {
            name.as_ref().map_or(Ok(()), |name| check_name(field, name))?;
        }
        if let Some(cwd) = &self.cwd {
            check_words("cwd", cwd, MAX_QUESTION)?;
        }
        self.check_choices()?;
        match self.timeout_seconds() {
            1..=MAX_TIMEOUT_SECONDS => Ok(()),
            _ => Err(InvalidRequest::Timeout),
        }
    }

    fn check_choices(&self) -> Result<(), InvalidRequest> {
        if self.choices.is_empty() && !self.custom {
            return Err(InvalidRequest::NothingToAnswer);
        }
        if self.choices.len() > MAX_CHOICES {
            return Err(InvalidRequest::TooManyChoices(MAX_CHOICES));
        }
        let mut labels = HashSet::new();
        for choice in &self.choices {
            check_words("choices.label", &choice.label, MAX_LINE)?;
            let description = choice.description.as_ref();
            description.map_or(Ok(()), |words| check_words("choices.description", words, MAX_DESCRIPTION))?;
            if !labels.insert(choice.label.trim()) {
                return Err(InvalidRequest::SameLabel);
            }
        }
        Ok(())
    }
}

fn check_words(field: &'static str, words: &str, longest: usize) -> Result<(), InvalidRequest> {
    if words.trim().is_empty() {
        return Err(InvalidRequest::Empty(field));
    }
    if words.chars().count() > longest {
        return Err(InvalidRequest::TooManyCharacters(field, longest));
    }
    Ok(())
}

/// Where a question stands, and how it ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct QuestionResult {
    /// Identifies the question.
    pub id: QuestionId,
    /// Any status that a client does not know means cancelled.
    pub status: QuestionStatus,
    /// Labels that were chosen, in the order of the choices.
    #[serde(default)]
    pub selected: Vec<String>,
    /// The person's own words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub custom: Option<String>,
    /// When answered: the labels, and on a new line the person's own words, as one text for the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// When it ended without an answer: why, for the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// When it was asked.
    #[ts(type = "string")]
    pub asked_at: Timestamp,
    /// When it ended, however it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(type = "string")]
    pub answered_at: Option<Timestamp>,
    /// When nobody can answer any more.
    #[ts(type = "string")]
    pub expires_at: Timestamp,
    /// The requester's own trace id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace_id: Option<String>,
}

/// An approver's answer: `selected` and `custom`, or `decline`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
#[ts(optional_fields)]
pub struct AnswerRequest {
    /// Labels of the chosen choices.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<String>>", optional)]
    pub selected: Vec<String>,
    /// The person's own words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub custom: Option<String>,
    /// No answer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<bool>", optional)]
    pub decline: bool,
    /// With `decline`: words for the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl AnswerRequest {
    /// What is said to the question.
    ///
    /// # Errors
    /// When it is an answer and a refusal at once, or too long.
    pub fn reply(self) -> Result<Reply, InvalidRequest> {
        let Self { selected, custom, decline, reason } = self;
        let is_long = |words: &Option<String>| words.as_ref().is_some_and(|words| words.chars().count() > MAX_ANSWER);
        if is_long(&custom) {
            return Err(InvalidRequest::TooManyCharacters("custom", MAX_ANSWER));
        }
        if is_long(&reason) {
            return Err(InvalidRequest::TooManyCharacters("reason", MAX_ANSWER));
        }
        match decline {
            true if selected.is_empty() && custom.is_none() => Ok(Reply::Decline { reason }),
            false if reason.is_none() => Ok(Reply::Answer { selected, custom }),
            _ => Err(InvalidRequest::AnswerAndDecline),
        }
    }
}

/// A question with all that a surface needs to show it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct Question {
    /// Identifies the question.
    pub id: QuestionId,
    /// Where it stands.
    pub result: QuestionResult,
    /// Name of the agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// What to call the agent before a person, safe for any surface: `Claude Code` for one that has proved its name, the
    /// name in quotation marks for one that only claims it. Absent when it gave no name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_title: Option<String>,
    /// The agent's name is proved by its credential and not only claimed.
    pub agent_verified: bool,
    /// The session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionKey>,
    /// One plain line that says what is asked, safe for any surface.
    pub title: String,
    /// The short title.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<Piece>>", optional)]
    pub header: Vec<Piece>,
    /// What is asked, with its line breaks.
    pub question: Vec<Piece>,
    /// What can be chosen.
    pub choices: Vec<ChoiceView>,
    /// More than one can be chosen.
    pub multiple: bool,
    /// Free text is welcome.
    pub custom: bool,
    /// What the field for free text is called.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<Piece>>", optional)]
    pub custom_label: Vec<Piece>,
    /// Working folder.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<Piece>>", optional)]
    pub cwd: Vec<Piece>,
    /// Last part of the working folder, one plain line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// What is odd about its texts, in the order in which they are shown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<FindingView>>", optional)]
    pub findings: Vec<FindingView>,
    /// Some of its texts hold characters that would be invisible, or may be taken for something else.
    pub has_hidden_characters: bool,
    /// When it was asked.
    #[ts(type = "string")]
    pub asked_at: Timestamp,
    /// When nobody can answer any more.
    #[ts(type = "string")]
    pub expires_at: Timestamp,
}

/// One thing that can be chosen, as it is shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct ChoiceView {
    /// What an answer names it by. For programs: it may hold characters that must not be drawn.
    pub label: String,
    /// The label as one plain line, safe for any surface.
    pub line: String,
    /// The label as it is drawn.
    pub shown: Vec<Piece>,
    /// What choosing it means.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<Piece>>", optional)]
    pub description: Vec<Piece>,
}

/// Open questions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
pub struct QuestionList {
    /// The questions, oldest first.
    pub questions: Vec<Arc<Question>>,
}
