//! The client of the local API for commands that do several things at once: what is said is
//! [`handraise_client::Conversation`]'s, this moves its bytes.

mod connection;

use std::collections::VecDeque;
use std::path::Path;

use handraise_locations::{DEFAULT_REQUESTER, Folders};
use handraise_protocol::{Event, Method};
use serde::Serialize;
use serde::de::DeserializeOwned;

pub(crate) use handraise_client::{ClientError, Response, Token};
use handraise_client::{ClientIdentity, Request, Step};

use connection::Connection;

/// Speaks to the server with one credential.
#[derive(Debug)]
pub(crate) struct Client {
    folders: Folders,
    token: Token,
    identity: ClientIdentity,
}

impl Client {
    /// A requester, with the token called `name`.
    pub(crate) fn requester(folders: &Folders, name: &str) -> Result<Self, ClientError> {
        let token = Token::read(&folders.token_file(name))?;
        Ok(Self { folders: folders.clone(), token, identity: ClientIdentity::Token })
    }

    /// The requester for programs without a token of their own.
    pub(crate) fn default_requester(folders: &Folders) -> Result<Self, ClientError> {
        Self::requester(folders, DEFAULT_REQUESTER)
    }

    /// An approver: with the token in `token_file`, or else as the terminal that this runs in.
    pub(crate) fn approver(folders: &Folders, token_file: Option<&Path>) -> Result<Self, ClientError> {
        match token_file {
            Some(path) => {
                Ok(Self { folders: folders.clone(), token: Token::read(path)?, identity: ClientIdentity::Token })
            }
            None => Ok(Self { identity: ClientIdentity::Terminal, ..Self::default_requester(folders)? }),
        }
    }

    /// `GET`.
    pub(crate) async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, ClientError> {
        self.send(Method::Get, path, Vec::new()).await?.read()
    }

    /// `POST` of a JSON body.
    pub(crate) async fn post(&self, path: &str, body: &impl Serialize) -> Result<Response, ClientError> {
        let body = serde_json::to_vec(body).map_err(|_| ClientError::Response)?;
        self.send(Method::Post, path, body).await
    }

    /// Sends one request; an answer other than success is an error.
    pub(crate) async fn send(&self, method: Method, path: &str, body: Vec<u8>) -> Result<Response, ClientError> {
        match self.open(Request::new(method, path, body)).await?.next().await? {
            Step::Response(answer) => Ok(answer),
            _ => Err(ClientError::Response),
        }
    }

    /// Opens the event stream. What happens after this comes through it.
    pub(crate) async fn events(&self) -> Result<EventStream, ClientError> {
        let connection = self.open(Request::for_events()).await?;
        let mut stream = EventStream { connection, events: VecDeque::new(), is_over: false };
        stream.receive().await?;
        Ok(stream)
    }

    async fn open(&self, request: Request) -> Result<Connection, ClientError> {
        Connection::open(&self.folders, &self.token, self.identity, request).await
    }
}

/// Events as they come.
pub(crate) struct EventStream {
    connection: Connection,
    events: VecDeque<Event>,
    is_over: bool,
}

impl EventStream {
    /// The next event of a kind that is known here; `None` when the stream has ended.
    pub(crate) async fn next(&mut self) -> Result<Option<Event>, ClientError> {
        loop {
            if let Some(event) = self.events.pop_front() {
                return Ok(Some(event));
            }
            if self.is_over {
                return Ok(None);
            }
            self.receive().await?;
        }
    }

    async fn receive(&mut self) -> Result<(), ClientError> {
        let Step::Events { events, is_over } = self.connection.next().await? else { return Err(ClientError::Response) };
        self.events.extend(events);
        self.is_over = is_over;
        Ok(())
    }
}
