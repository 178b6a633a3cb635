//! A conversation of a client and an agent, as whoever sits between them sees it: which lines are
//! permission requests, and which permission requests are taken back.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::calls::ToolCalls;
use super::elicitation::{self, Elicitation, Modes};
use super::envelope::Envelope;
use super::terminals::Terminals;
use super::{METHOD, PermissionRequest, cancelled, session_of};
use crate::HookError;
use crate::message::Message;

/// The version of the protocol in which `null` clears a field.
const VERSION_2: u64 = 2;
/// Requests of the client that begin a conversation and whose answers are awaited, at most.
const MAX_STARTS: usize = 1024;
/// What the ids of elicitations begin with, as the client gets them. Its answer to one is never taken for another's.
const OWN_ID: &str = "handraise:elicitation:";
/// Methods with which a client ends all work in a session.
const ENDS_WORK: &[&str] = &["session/cancel", "session/close", "session/delete"];

/// What is known of the conversation.
#[derive(Debug, Default)]
pub struct Proxy {
    version: Option<u64>,
    calls: ToolCalls,
    terminals: Terminals,
    /// Working folders of the sessions.
    folders: HashMap<String, String>,
    /// Working folders of sessions that have no id yet, with the ids of the requests for them.
    starts: Vec<(Value, String)>,
    /// The permission requests without an answer, with their sessions.
    open: Vec<(Value, String)>,
    /// What the client itself can ask the person.
    client: Modes,
    /// The elicitations without an answer.
    elicited: Vec<Elicited>,
    /// How many elicitations the client has got.
    count: u64,
}

/// An elicitation without an answer.
#[derive(Debug)]
struct Elicited {
    id: Value,
    session: Option<String>,
    /// Its id at the client, which asks as well.
    at_client: Option<String>,
}

/// What to do with a line of the client.
#[derive(Debug, Default, PartialEq)]
pub struct FromClient {
    /// The ids of the permission requests and elicitations that nobody has to be asked any more.
    pub withdrawn: Vec<Value>,
    /// What the agent gets.
    pub line: Passed,
}

/// What becomes of a line.
#[derive(Debug, Default, PartialEq)]
pub enum Passed {
    /// It is handed on as it is.
    #[default]
    AsItIs,
    /// This is handed on in its place.
    Instead(String),
    /// It is not handed on.
    Nothing,
}

/// What to do with a line of the agent.
#[derive(Debug)]
pub enum FromAgent {
    /// Hand it on as it is.
    Pass,
    /// Do not hand it on: have it decided, and answer the agent.
    Ask {
        /// The permission request.
        permission: Box<PermissionRequest>,
        /// A line that tells the client of the tool call, which the permission request would have done.
        told: Option<String>,
    },
    /// Do not hand it on: ask the person, and tell the agent what [`Elicitation`] says.
    Elicit {
        /// What the agent wants to know.
        elicitation: Box<Elicitation>,
        /// The same for a client that can ask the person, too. Whoever answers first counts.
        told: Option<String>,
    },
    /// Do not hand it on: it takes back the permission request or elicitation with this id, whose answer is now that it was
    /// cancelled.
    Withdraw {
        /// The id.
        id: Value,
        /// What takes it back from a client that asks the person, too.
        told: Option<String>,
    },
    /// Do not hand it on, and say nothing: the client would not know what it speaks of.
    Keep,
    /// Do not hand it on: it is, or could be taken for, a permission request that cannot be decided.
    Refuse {
        /// The answer to the agent; there is none when the line has no id.
        answer: Option<String>,
        /// Why.
        why: HookError,
    },
}

impl Proxy {
    /// Looks at one line of the agent, with or without its line feed.
    pub fn from_agent(&mut self, line: &[u8]) -> FromAgent {
        let Some(envelope) = Envelope::read(line) else { return without_envelope(line) };
        if envelope.may_be(METHOD) {
            return match self.permission(line) {
                Ok(ask) => ask,
                Err(why) => FromAgent::Refuse { answer: envelope.id.as_ref().map(cancelled), why },
            };
        }
        match envelope.method() {
            Some("session/update") => self.update(line),
            Some(elicitation::METHOD) => return self.elicit(line).unwrap_or(FromAgent::Pass),
            Some(elicitation::COMPLETE) if !self.client.url => return FromAgent::Keep,
            Some("$/cancel_request") => {
                if let Some(id) = field(line, "requestId").filter(|id| self.is_open(id)) {
                    let at_client =
                        self.elicited.iter().find(|one| one.id == id).and_then(|one| one.at_client.as_deref());
                    let told = at_client.map(withdrawal);
                    return FromAgent::Withdraw { id, told };
                }
            }
            None if envelope.is_response() => self.response(line),
            _ => {}
        }
        FromAgent::Pass
    }

    /// Looks at one line of the client, with or without its line feed.
    pub fn from_client(&mut self, line: &[u8]) -> FromClient {
        let Some(envelope) = Envelope::read(line) else { return FromClient::default() };
        let Some(method) = envelope.method() else {
            let id = envelope.id.as_ref().filter(|_| envelope.is_response()).and_then(Value::as_str);
            return id.filter(|id| id.starts_with(OWN_ID)).map_or_else(FromClient::default, |id| self.answer(id, line));
        };
        if method == "initialize" {
            let line = self.initialize(line).map_or(Passed::AsItIs, Passed::Instead);
            return FromClient { line, ..FromClient::default() };
        }
        if ENDS_WORK.contains(&method) {
            let Some(Value::String(session)) = field(line, "sessionId") else { return FromClient::default() };
            let permissions = self.open.iter().filter(|(_, other)| *other == session).map(|(id, _)| id.clone());
            let elicited = self.elicited.iter().filter(|one| one.session.as_ref() == Some(&session));
            let withdrawn = permissions.chain(elicited.map(|one| one.id.clone())).collect();
            return FromClient { withdrawn, ..FromClient::default() };
        }
        self.begins(method, envelope.id.as_ref(), line);
        FromClient::default()
    }

    /// Learns the folder of a session that the client begins or takes up.
    fn begins(&mut self, method: &str, id: Option<&Value>, line: &[u8]) {
        if method.starts_with("session/")
            && let Some(Value::String(folder)) = field(line, "cwd")
        {
            match field(line, "sessionId") {
                // The session that it is made from keeps its own.
                Some(Value::String(session)) if method != "session/fork" => {
                    self.folders.insert(session, folder);
                }
                _ => {
                    if let Some(id) = id.filter(|_| self.starts.len() < MAX_STARTS) {
                        self.starts.push((id.clone(), folder));
                    }
                }
            }
        }
    }

    /// Looks at what the client can do. A client that cannot ask the person itself still has one who can be asked.
    fn initialize(&mut self, line: &[u8]) -> Option<String> {
        let message = Message::read(line).ok()?;
        let params = message.nested("params").ok()??;
        let is_version_2 = params.value("protocolVersion").and_then(Value::as_u64) >= Some(VERSION_2);
        let field = if is_version_2 { "capabilities" } else { "clientCapabilities" };
        self.client = Modes::of(params.value(field));
        if self.client.form && self.client.url {
            return None;
        }
        let params = elicitation::with_both_modes(params.fields(), field)?;
        let mut message = message.fields().clone();
        message.insert("params".to_owned(), params.into());
        Some(Value::Object(message).to_string())
    }

    /// The client's answer to an elicitation: it counts when it is the first.
    fn answer(&mut self, at_client: &str, line: &[u8]) -> FromClient {
        let Some(at) = self.elicited.iter().position(|one| one.at_client.as_deref() == Some(at_client)) else {
            return FromClient { line: Passed::Nothing, ..FromClient::default() };
        };
        let Elicited { id, .. } = self.elicited.swap_remove(at);
        let answer = match Message::read(line) {
            Ok(message) => {
                let mut message = message.fields().clone();
                message.insert("id".to_owned(), id.clone());
                Value::Object(message).to_string()
            }
            Err(_) => elicitation::cancelled(&id),
        };
        FromClient { withdrawn: vec![id], line: Passed::Instead(answer) }
    }

    /// Forgets a permission request that has its answer.
    pub fn answered(&mut self, id: &Value) {
        self.open.retain(|(open, _)| open != id);
    }

    /// The elicitation `id` gets its answer now, from somebody else than the client. `None`: it has one already, or is not
    /// to have this one; else what withdraws it from a client that asks the person, too.
    pub fn settle(&mut self, id: &Value) -> Option<Option<String>> {
        let at = self.elicited.iter().position(|one| one.id == *id)?;
        Some(self.elicited.swap_remove(at).at_client.as_deref().map(withdrawal))
    }

    /// Whether the client asks the person, too, and has not answered the elicitation `id` yet.
    #[must_use]
    pub fn is_at_client(&self, id: &Value) -> bool {
        self.elicited.iter().any(|one| one.id == *id && one.at_client.is_some())
    }

    /// What the agent is told when the client has gone: an answer to each permission request and elicitation that has none.
    #[must_use]
    pub fn last_answers(&self) -> Vec<String> {
        let permissions = self.open.iter().map(|(id, _)| cancelled(id));
        permissions.chain(self.elicited.iter().map(|one| elicitation::cancelled(&one.id))).collect()
    }

    fn is_open(&self, id: &Value) -> bool {
        self.open.iter().any(|(open, _)| open == id) || self.elicited.iter().any(|one| one.id == *id)
    }

    /// `None`: it is nothing that a person here can be asked. The client answers as ever.
    fn elicit(&mut self, line: &[u8]) -> Option<FromAgent> {
        let message = Message::read(line).ok()?;
        let params = message.nested("params").ok()??;
        let mode = elicitation::mode(&params).ok()??;
        let folder = params.optional("sessionId").ok()?.and_then(|session| self.folders.get(session)).cloned();
        let elicitation = Elicitation::read(&message, &params, folder).ok()?;
        let id = elicitation.id().clone();
        if self.is_open(&id) {
            return None;
        }
        self.count += 1;
        let at_client = self.client.has(mode).then(|| format!("{OWN_ID}{}", self.count));
        let told = at_client.as_ref().map(|at_client| {
            let mut message = message.fields().clone();
            message.insert("id".to_owned(), at_client.clone().into());
            Value::Object(message).to_string()
        });
        self.elicited.push(Elicited { id, session: elicitation.session().map(str::to_owned), at_client });
        Some(FromAgent::Elicit { elicitation: Box::new(elicitation), told })
    }

    fn permission(&mut self, line: &[u8]) -> Result<FromAgent, HookError> {
        let null_clears = self.version == Some(VERSION_2);
        let message = Message::read(line)?;
        let params = message.required_nested("params")?;
        let session = session_of(&params)?.to_owned();
        let folder = self.folders.get(&session).cloned();
        let mut told = None;
        let Self { calls, terminals, .. } = self;
        let permission = PermissionRequest::read(&message, folder, terminals, |call| {
            told = self::told(calls, &session, call, params.has("subject"));
            calls.apply(&session, call, line.len(), null_clears)
        })?;
        if self.is_open(permission.id()) {
            return Err(HookError::Contradiction("id", "id"));
        }
        self.open.push((permission.id().clone(), session));
        Ok(FromAgent::Ask { permission: Box::new(permission), told })
    }

    /// Lines that cannot be understood tell nothing.
    fn update(&mut self, line: &[u8]) {
        let Ok(Some(params)) = Message::read(line).and_then(|message| message.nested("params")) else { return };
        let (Ok(session), Ok(update)) = (session_of(&params), params.object("update")) else { return };
        match update.get("sessionUpdate").and_then(Value::as_str) {
            Some("tool_call" | "tool_call_update") => {
                self.calls.apply(session, &update, line.len(), self.version == Some(VERSION_2));
            }
            Some("tool_call_content_chunk") => self.calls.append(session, &update, line.len()),
            Some("terminal_update") => self.terminals.update(session, &update),
            Some("terminal_output_chunk") => self.terminals.append(session, &update),
            _ => {}
        }
    }

    fn response(&mut self, line: &[u8]) {
        if self.version.is_some() && self.starts.is_empty() {
            return;
        }
        let Ok(message) = Message::read(line) else { return };
        let result = message.nested("result").ok().flatten();
        let value = |field| result.as_ref().and_then(|result: &Message| result.value(field));
        if self.version.is_none() {
            self.version = value("protocolVersion").and_then(Value::as_u64);
        }
        let answered = self.starts.iter().position(|(id, _)| message.value("id") == Some(id));
        if let Some(position) = answered {
            let (_, folder) = self.starts.swap_remove(position);
            if let Some(session) = value("sessionId").and_then(Value::as_str) {
                self.folders.insert(session.to_owned(), folder);
            }
        }
    }
}

/// What tells the client of the call. In version 2 a change of a call that is not known makes it.
fn told(calls: &ToolCalls, session: &str, call: &Map<String, Value>, is_version_2: bool) -> Option<String> {
    let id = call.get("toolCallId")?.as_str()?;
    let is_new = !is_version_2 && !calls.has(session, id);
    if is_new && !call.get("title").is_some_and(Value::is_string) {
        return None;
    }
    let mut update = call.clone();
    let kind = if is_new { "tool_call" } else { "tool_call_update" };
    update.insert("sessionUpdate".to_owned(), kind.into());
    let params = json!({ "sessionId": session, "update": update });
    Some(json!({ "jsonrpc": "2.0", "method": "session/update", "params": params }).to_string())
}

/// What takes the elicitation back that the client knows by this id.
fn withdrawal(at_client: &str) -> String {
    json!({ "jsonrpc": "2.0", "method": "$/cancel_request", "params": { "requestId": at_client } }).to_string()
}

/// A line that is no JSON is no permission request to any reader of JSON. One that names the method may be one to
/// a reader that is not strict.
fn without_envelope(line: &[u8]) -> FromAgent {
    let name = b"request_permission";
    if !line.windows(name.len()).any(|window| window == name) {
        return FromAgent::Pass;
    }
    let why = Message::read(line).err().unwrap_or(HookError::NotAnObject);
    FromAgent::Refuse { answer: None, why }
}

/// A field of the parameters, of a line that can be read in one way.
fn field(line: &[u8], name: &str) -> Option<Value> {
    Message::read(line).ok()?.nested("params").ok()??.value(name).cloned()
}
