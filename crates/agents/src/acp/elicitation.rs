//! What an agent wants to know from the person (ACP, "Elicitation"): a form to fill in, or an address to open.

use handraise_protocol::{QuestionRequest, QuestionResult, QuestionStatus};
use serde_json::{Map, Value, json};

use super::form::Form;
use super::words::{MAX_MESSAGE, asking, choice, cut};
use crate::HookError;
use crate::message::Message;

pub(super) const METHOD: &str = "elicitation/create";
pub(super) const COMPLETE: &str = "elicitation/complete";
const OPENED: &str = "I open it";

/// An agent waits for the person's words, not for a permission: they have no effect of their own.
#[derive(Clone, Debug, PartialEq)]
pub struct Elicitation {
    /// JSON-RPC id of the request.
    id: Value,
    asked: Asked,
    session: Option<String>,
    folder: Option<String>,
    /// What the agent calls the tool call that it asks in.
    call: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
enum Asked {
    Form(Form),
    /// Words with an address; whether the person opens it.
    Page(QuestionRequest, bool),
    /// A form with a field that nobody can be asked about in words.
    Unknown,
}

/// How an elicitation goes on.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// The person is to be asked this.
    Ask(Box<QuestionRequest>),
    /// The person has answered: this is for the agent.
    Answer(String),
    /// It cannot be put as a question.
    Unknown,
}

/// The ways in which a client can ask.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Modes {
    pub(super) form: bool,
    pub(super) url: bool,
}

impl Modes {
    /// What a client says that it can do, in version 1 and 2.
    pub(super) fn of(capabilities: Option<&Value>) -> Self {
        let modes = capabilities.and_then(|capabilities| capabilities.get("elicitation"));
        let has = |mode: &str| modes.and_then(|modes| modes.get(mode)).is_some_and(Value::is_object);
        Self { form: has("form"), url: has("url") }
    }

    pub(super) fn has(self, mode: &str) -> bool {
        match mode {
            "form" => self.form,
            "url" => self.url,
            _ => false,
        }
    }
}

/// `params` of `initialize`, as a client would send them that can ask in both ways.
pub(super) fn with_both_modes(params: &Map<String, Value>, field: &str) -> Option<Map<String, Value>> {
    let mut params = params.clone();
    let place = params.entry(field).or_insert(Value::Null);
    let mut capabilities = match place {
        Value::Null => Map::new(),
        Value::Object(capabilities) => capabilities.clone(),
        _ => return None,
    };
    let mut modes = match capabilities.get("elicitation") {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(modes)) => modes.clone(),
        Some(_) => return None,
    };
    for mode in ["form", "url"] {
        if !modes.get(mode).is_some_and(Value::is_object) {
            modes.insert(mode.to_owned(), json!({}));
        }
    }
    capabilities.insert("elicitation".to_owned(), Value::Object(modes));
    *place = Value::Object(capabilities);
    Some(params)
}

/// The mode of a request, where it can be put as a question.
pub(super) fn mode(params: &Message) -> Result<Option<&str>, HookError> {
    Ok(params.optional("mode")?.filter(|mode| matches!(*mode, "form" | "url")))
}

impl Elicitation {
    pub(super) fn read(message: &Message, params: &Message, folder: Option<String>) -> Result<Self, HookError> {
        let id = message.value("id").cloned().ok_or(HookError::Missing("id"))?;
        let words = params.required("message")?;
        let asked = if mode(params)? == Some("url") {
            Asked::Page(page(words, params.required("url")?), false)
        } else {
            let schema = Value::Object(params.object("requestedSchema")?);
            Form::read(words, &schema).map_or(Asked::Unknown, Asked::Form)
        };
        let (session, call) = (params.text("sessionId")?, params.text("toolCallId")?);
        Ok(Self { id, asked, session, folder, call })
    }

    /// Its JSON-RPC id.
    #[must_use]
    pub fn id(&self) -> &Value {
        &self.id
    }

    /// The session that it belongs to; one outside of any has none.
    pub(super) fn session(&self) -> Option<&str> {
        self.session.as_deref()
    }

    /// What comes next.
    #[must_use]
    pub fn next(&self) -> Step {
        let question = match &self.asked {
            Asked::Unknown => return Step::Unknown,
            Asked::Page(question, false) => Some(question.clone()),
            Asked::Page(_, true) => None,
            Asked::Form(form) => form.question(),
        };
        match question {
            Some(question) => Step::Ask(Box::new(QuestionRequest {
                session: self.session.clone(),
                cwd: self.folder.clone(),
                trace_id: self.call.clone(),
                ..question
            })),
            None => Step::Answer(self.accepted()),
        }
    }

    /// Takes the end of the question that was asked; gives the agent's answer where the person does not want to go on, and
    /// `None` where [`Elicitation::next`] says how it goes on.
    ///
    /// # Errors
    /// Nobody has answered.
    pub fn take(&mut self, result: &QuestionResult) -> Result<Option<String>, Unanswered> {
        match result.status {
            QuestionStatus::Answered => {
                match &mut self.asked {
                    Asked::Form(form) => form.answer(&result.selected, result.custom.as_deref()),
                    Asked::Page(_, has_opened) => *has_opened = true,
                    Asked::Unknown => {}
                }
                Ok(None)
            }
            QuestionStatus::Declined => Ok(Some(respond(&self.id, &json!({ "action": "decline" })))),
            _ => Err(Unanswered(result.reason.clone().unwrap_or_default())),
        }
    }

    fn accepted(&self) -> String {
        let answer = match &self.asked {
            Asked::Form(form) => json!({ "action": "accept", "content": form.content() }),
            _ => json!({ "action": "accept" }),
        };
        respond(&self.id, &answer)
    }

    /// The answer when nobody answers.
    #[must_use]
    pub fn cancelled(&self) -> String {
        cancelled(&self.id)
    }
}

/// Nobody has answered, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unanswered(String);

/// The answer to the elicitation with the JSON-RPC id `id` when nobody answers.
pub(super) fn cancelled(id: &Value) -> String {
    respond(id, &json!({ "action": "cancel" }))
}

fn respond(id: &Value, result: &Value) -> String {
    json!({ "jsonrpc": "2.0", "id": id, "result": result }).to_string()
}

/// The whole address, and its host beside it: an address can look like another.
fn page(words: &str, url: &str) -> QuestionRequest {
    let host = host(url).map_or_else(|| "This is no web address.".to_owned(), |host| format!("It is at {host}."));
    let question = format!("{}\n\n{}\n{host}", cut(words.trim(), MAX_MESSAGE / 2), cut(url, MAX_MESSAGE));
    asking(question.trim().to_owned(), vec![choice(OPENED, None)], false, false)
}

/// The host of a web address, as browsers find it.
fn host(url: &str) -> Option<&str> {
    let (scheme, rest) = url.split_once("://")?;
    if !scheme.eq_ignore_ascii_case("https") && !scheme.eq_ignore_ascii_case("http") {
        return None;
    }
    let authority = rest.split(['/', '\\', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?;
    (!host.is_empty()).then_some(host)
}
