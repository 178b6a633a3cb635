//! The client of the local API for commands that do several things at once; see `handraise_client`.

mod connection;
mod event_stream;

use std::path::Path;

use handraise_locations::Folders;
use handraise_protocol::{Method, Problem};
use hyper::StatusCode;
use serde::Serialize;
use serde::de::DeserializeOwned;

pub(crate) use event_stream::EventStream;
pub(crate) use handraise_client::{ClientError, Token};

use connection::{Connection, Reach};

/// Name of the requester credential for programs that have none of their own.
const DEFAULT_REQUESTER: &str = "default";

/// Speaks to the server with one credential.
#[derive(Debug)]
pub(crate) struct Client {
    folders: Folders,
    token: Token,
    authority: Authority,
}

/// By what right a [`Client`] speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Authority {
    /// By its token.
    Token,
    /// As a person's terminal, which the server recognises at the other end of the Unix socket. The
    /// token only serves to let the server prove itself.
    Terminal,
}

/// An answer without an error.
#[derive(Debug)]
pub(crate) struct Answer {
    /// The body.
    pub(crate) body: Vec<u8>,
}

impl Client {
    /// A requester, with the token called `name`.
    pub(crate) fn requester(folders: &Folders, name: &str) -> Result<Self, ClientError> {
        let token = Token::read(&folders.token_file(name))?;
        Ok(Self { folders: folders.clone(), token, authority: Authority::Token })
    }

    /// The requester for programs without a token of their own.
    pub(crate) fn default_requester(folders: &Folders) -> Result<Self, ClientError> {
        Self::requester(folders, DEFAULT_REQUESTER)
    }

    /// An approver: with the token in `token_file`, or else as the terminal that this runs in.
    pub(crate) fn approver(folders: &Folders, token_file: Option<&Path>) -> Result<Self, ClientError> {
        match token_file {
            Some(path) => Ok(Self { folders: folders.clone(), token: Token::read(path)?, authority: Authority::Token }),
            None => Ok(Self { authority: Authority::Terminal, ..Self::default_requester(folders)? }),
        }
    }

    /// `GET`.
    pub(crate) async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, ClientError> {
        self.send(Method::Get, path, Vec::new()).await?.read()
    }

    /// `POST` of a JSON body.
    pub(crate) async fn post(&self, path: &str, body: &impl Serialize) -> Result<Answer, ClientError> {
        let body = serde_json::to_vec(body).map_err(|_| ClientError::Answer)?;
        self.send(Method::Post, path, body).await
    }

    /// Sends one request; an answer other than success is an error.
    pub(crate) async fn send(&self, method: Method, path: &str, body: Vec<u8>) -> Result<Answer, ClientError> {
        let mut connection = self.open().await?;
        let response = connection.send(method, path, body, self.authorization()).await?;
        let status = response.status();
        let body = connection::read(response).await?;
        if status.is_success() {
            return Ok(Answer { body });
        }
        let problem: Problem = serde_json::from_slice(&body).map_err(|_| ClientError::Answer)?;
        Err(ClientError::Problem(Box::new(problem)))
    }

    /// Opens the event stream.
    pub(crate) async fn events(&self) -> Result<EventStream, ClientError> {
        let mut connection = self.open().await?;
        let response = connection.send(Method::Get, "/v1/events", Vec::new(), self.authorization()).await?;
        if response.status() != StatusCode::OK {
            let body = connection::read(response).await?;
            let problem: Problem = serde_json::from_slice(&body).map_err(|_| ClientError::Answer)?;
            return Err(ClientError::Problem(Box::new(problem)));
        }
        Ok(EventStream::new(response.into_body(), connection))
    }

    async fn open(&self) -> Result<Connection, ClientError> {
        let reach = match self.authority {
            Authority::Token => Reach::Any,
            Authority::Terminal => Reach::SocketOnly,
        };
        Connection::open(&self.folders, &self.token, reach).await
    }

    fn authorization(&self) -> Option<&Token> {
        (self.authority == Authority::Token).then_some(&self.token)
    }
}

impl Answer {
    /// The body as `T`.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Result<T, ClientError> {
        serde_json::from_slice(&self.body).map_err(|_| ClientError::Answer)
    }
}
