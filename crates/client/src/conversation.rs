//! The conversation itself, without input and output: what to send, and what the bytes mean that have come.

use std::io;
use std::time::Duration;

use handraise_protocol::{Challenge, ChallengeProof, Event, Method, Problem, TokenHash};
use serde::de::DeserializeOwned;

use crate::event_stream::EventStream;
use crate::message::{Body, Head, head, request};
use crate::{ClientError, ClientIdentity, ServerAddress, Token};

/// How long a server may take to prove itself. The proof waits for nobody.
pub const MAX_PROOF: Duration = Duration::from_secs(10);
/// Random bytes of a challenge.
const NONCE_BYTES: usize = 32;
/// Status "OK".
const OK: u16 = 200;
/// Status "Accepted": the request is still open.
const ACCEPTED: u16 = 202;

/// What one challenge is told from every other by.
#[derive(Debug)]
pub struct Nonce(String);

impl Nonce {
    /// A fresh one.
    ///
    /// # Errors
    /// When the system gives no random numbers.
    pub fn random() -> Result<Self, ClientError> {
        let mut bytes = [0; NONCE_BYTES];
        getrandom::fill(&mut bytes).map_err(|error| ClientError::System(io::Error::other(error.to_string())))?;
        Ok(Self(hex::encode(bytes)))
    }
}

/// What is asked of a server that has proved itself.
#[derive(Clone, Debug)]
pub struct Request {
    method: Method,
    path: String,
    body: Vec<u8>,
    is_for_events: bool,
}

impl Request {
    /// `GET` of `path`, or `POST` of `body` to it. A path that cannot stand in a request gets no answer.
    #[must_use]
    pub fn new(method: Method, path: impl Into<String>, body: Vec<u8>) -> Self {
        Self { method, path: path.into(), body, is_for_events: false }
    }

    /// Everything that happens from now on.
    #[must_use]
    pub fn for_events() -> Self {
        Self { is_for_events: true, ..Self::new(Method::Get, "/v1/events", Vec::new()) }
    }
}

/// An answer without an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The request is still open.
    pub is_pending: bool,
    /// The body.
    pub body: Vec<u8>,
    /// The version of the protocol of hooks that the server says it speaks.
    pub protocol: Option<String>,
}

impl Response {
    /// The body as `T`.
    ///
    /// # Errors
    /// When it is something else.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, ClientError> {
        serde_json::from_slice(&self.body).map_err(|_| ClientError::Response)
    }
}

/// What follows from the bytes that have come.
#[derive(Debug)]
pub enum Step {
    /// Nothing yet: more has to come.
    Wait,
    /// The server has proved itself. Send this, then wait for more.
    Send(Vec<u8>),
    /// That was it.
    Response(Response),
    /// Things have happened.
    Events {
        /// What has, perhaps nothing.
        events: Vec<Event>,
        /// No more events come.
        is_over: bool,
    },
}

/// One conversation, on one connection: the server's proof, then one request with its answer.
#[derive(Debug)]
pub struct Conversation {
    place: ServerAddress,
    key: TokenHash,
    challenge: Challenge,
    request: Request,
    /// The request as bytes; sent to nobody who has not proved to know the token.
    bytes: Vec<u8>,
    stage: Stage,
    /// What has come of an answer that is not whole yet.
    received: Vec<u8>,
}

#[derive(Debug)]
enum Stage {
    /// Who is at the other end is not known.
    Unproved,
    Proved,
    Listening(EventStream),
}

impl Conversation {
    /// With whoever listens at `place`, and what to send first: nothing but the public id of `token`.
    ///
    /// # Errors
    /// When `request` has a path that cannot be sent.
    pub fn begin(
        place: ServerAddress,
        token: &Token,
        identity: ClientIdentity,
        request: Request,
        nonce: Nonce,
    ) -> Result<(Self, Vec<u8>), ClientError> {
        let host = place.host();
        let challenge = Challenge { credential: token.id().to_owned(), nonce: nonce.0 };
        let body = serde_json::to_vec(&challenge).map_err(|_| ClientError::Response)?;
        let first = message(Method::Post, "/v1/challenge", &host, &body, None)?;
        let sent = (identity == ClientIdentity::Token).then_some(token);
        let bytes = message(request.method, &request.path, &host, &request.body, sent)?;
        let key = TokenHash::of(token.text());
        let this = Self { place, key, challenge, request, bytes, stage: Stage::Unproved, received: Vec::new() };
        Ok((this, first))
    }

    /// Takes bytes that have come.
    ///
    /// # Errors
    /// When they are no proof, no answer, or the answer is an error. The conversation is over then.
    pub fn receive(&mut self, bytes: &[u8]) -> Result<Step, ClientError> {
        if let Stage::Listening(stream) = &mut self.stage {
            return listen(stream, bytes);
        }
        self.received.extend_from_slice(bytes);
        if matches!(self.stage, Stage::Unproved) {
            return self.check_proof().map_err(|_| self.not_proved());
        }
        let Some(head) = head(&self.received)? else { return Ok(Step::Wait) };
        if self.request.is_for_events && head.status == OK && head.body == Body::Chunks {
            let mut stream = EventStream::default();
            let rest = self.received.split_off(head.size);
            let step = listen(&mut stream, &rest);
            self.stage = Stage::Listening(stream);
            return step;
        }
        let Some(body) = self.whole_body(&head)? else { return Ok(Step::Wait) };
        if !(200..300).contains(&head.status) {
            let problem: Problem = serde_json::from_slice(&body).map_err(|_| ClientError::Response)?;
            return Err(ClientError::Problem(Box::new(problem)));
        }
        if self.request.is_for_events {
            return Err(ClientError::Response);
        }
        Ok(Step::Response(Response { is_pending: head.status == ACCEPTED, body, protocol: head.protocol }))
    }

    /// What it means that the connection has ended, or has failed.
    #[must_use]
    pub fn broken_off(&self) -> ClientError {
        match self.stage {
            Stage::Unproved => self.not_proved(),
            Stage::Proved | Stage::Listening(_) => ClientError::Interrupted,
        }
    }

    /// What it means that [`MAX_PROOF`] is over.
    #[must_use]
    pub fn timed_out(&self) -> ClientError {
        match self.stage {
            Stage::Unproved => ClientError::NoAnswer(self.place.address()),
            Stage::Proved | Stage::Listening(_) => ClientError::Interrupted,
        }
    }

    /// Whether the server has proved itself. One that takes longer for it than [`MAX_PROOF`] is none.
    #[must_use]
    pub fn is_proved(&self) -> bool {
        !matches!(self.stage, Stage::Unproved)
    }

    fn not_proved(&self) -> ClientError {
        ClientError::NotProved(self.place.address())
    }

    fn check_proof(&mut self) -> Result<Step, ClientError> {
        let Some(head) = head(&self.received)? else { return Ok(Step::Wait) };
        let Some(body) = self.whole_body(&head)? else { return Ok(Step::Wait) };
        let proof: ChallengeProof = serde_json::from_slice(&body).map_err(|_| ClientError::Response)?;
        if head.status != OK || !self.key.is_proved_by(&proof, &self.challenge, &self.place.address()) {
            return Err(ClientError::Response);
        }
        self.stage = Stage::Proved;
        self.received.clear();
        Ok(Step::Send(std::mem::take(&mut self.bytes)))
    }

    /// The body behind `head`; `None`: there is more of it to come. Nobody was asked for what comes behind it.
    fn whole_body(&self, head: &Head) -> Result<Option<Vec<u8>>, ClientError> {
        let Body::Length(length) = head.body else { return Err(ClientError::Response) };
        let body = self.received.get(head.size..).unwrap_or_default();
        match body.len() > length {
            true => Err(ClientError::Response),
            false => Ok((body.len() == length).then(|| body.to_vec())),
        }
    }
}

fn listen(stream: &mut EventStream, bytes: &[u8]) -> Result<Step, ClientError> {
    let events = stream.receive(bytes)?;
    Ok(Step::Events { events, is_over: stream.is_over() })
}

fn message(method: Method, path: &str, host: &str, body: &[u8], token: Option<&Token>) -> Result<Vec<u8>, ClientError> {
    request(method, path, host, body, token).ok_or_else(|| ClientError::Path(path.to_owned()))
}

#[cfg(test)]
#[path = "conversation_tests.rs"]
mod tests;
