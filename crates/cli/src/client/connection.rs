//! One connection to a server that has proved itself.

use handraise_locations::{EndpointFile, Folders};
use handraise_protocol::{ChallengeProof, Method};
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1::{self, SendRequest};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HOST};
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
#[cfg(unix)]
use tokio::net::UnixStream;

use handraise_client::{ClientError, LARGEST_ANSWER, LONGEST_PROOF, Token, proof};

/// Where a connection may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// The Unix socket, or else the loopback port.
    Any,
    /// The Unix socket, where the server can see who is at the other end.
    SocketOnly,
}

/// A connection whose other end has proved to be Handraise.
pub(super) struct Connection {
    sender: SendRequest<Full<Bytes>>,
    host: String,
    address: String,
}

impl Connection {
    /// Connects, and lets the server prove that it knows `token`. Until it has, it learns nothing
    /// but the token's public id.
    pub(super) async fn open(folders: &Folders, token: &Token, reach: Reach) -> Result<Self, ClientError> {
        let endpoint = EndpointFile::read(folders).map_err(|error| match error.is_missing() {
            true => ClientError::NotRunning,
            false => ClientError::File(error),
        })?;
        let mut connection = Self::connect(&endpoint, reach).await?;
        let address = connection.address.clone();
        let proving = connection.prove(token);
        match tokio::time::timeout(LONGEST_PROOF, proving).await {
            Ok(Ok(true)) => Ok(connection),
            Ok(Ok(false) | Err(_)) | Err(_) => Err(ClientError::NotProved(address)),
        }
    }

    async fn connect(endpoint: &EndpointFile, reach: Reach) -> Result<Self, ClientError> {
        #[cfg(unix)]
        if let Some(path) = &endpoint.socket
            && let Ok(stream) = UnixStream::connect(path).await
        {
            return Self::handshake(stream, "localhost".to_owned(), path.display().to_string()).await;
        }
        if reach == Reach::SocketOnly {
            return Err(if endpoint.socket.is_some() { ClientError::NotRunning } else { ClientError::NoSocket });
        }
        // Whatever the discovery file says: arguments never leave this machine.
        if !endpoint.address.ip().is_loopback() {
            return Err(ClientError::NotProved(endpoint.address.to_string()));
        }
        let stream = TcpStream::connect(endpoint.address).await.map_err(|_| ClientError::NotRunning)?;
        let address = endpoint.address.to_string();
        Self::handshake(stream, address.clone(), address).await
    }

    async fn handshake(
        stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
        host: String,
        address: String,
    ) -> Result<Self, ClientError> {
        let (sender, driver) = http1::handshake(TokioIo::new(stream)).await.map_err(|_| ClientError::Interrupted)?;
        // Ends with the connection; whoever waits for an answer hears of it there.
        tokio::spawn(driver);
        Ok(Self { sender, host, address })
    }

    async fn prove(&mut self, token: &Token) -> Result<bool, ClientError> {
        let challenge = proof::challenge(token)?;
        let body = serde_json::to_vec(&challenge).map_err(|_| ClientError::Answer)?;
        let response = self.send(Method::Post, "/v1/challenge", body, None).await?;
        let answer: ChallengeProof = serde_json::from_slice(&read(response).await?).map_err(|_| ClientError::Answer)?;
        Ok(proof::is_right(&answer.proof, token, &challenge, &self.address))
    }

    /// Sends one request; `token` goes along as the authorization.
    pub(super) async fn send(
        &mut self,
        method: Method,
        path: &str,
        body: Vec<u8>,
        token: Option<&Token>,
    ) -> Result<Response<Incoming>, ClientError> {
        let mut request = Request::builder().method(method.as_str()).uri(path).header(HOST, &self.host);
        if method == Method::Post {
            request = request.header(CONTENT_TYPE, "application/json");
        }
        if let Some(token) = token {
            request = request.header(AUTHORIZATION, format!("Bearer {}", token.text()));
        }
        let request = request.body(Full::new(Bytes::from(body))).map_err(|_| ClientError::Answer)?;
        self.sender.ready().await.map_err(|_| ClientError::Interrupted)?;
        self.sender.send_request(request).await.map_err(|_| ClientError::Interrupted)
    }
}

/// The whole body of `response`.
pub(super) async fn read(response: Response<Incoming>) -> Result<Vec<u8>, ClientError> {
    let body = Limited::new(response.into_body(), LARGEST_ANSWER).collect().await;
    Ok(body.map_err(|_| ClientError::Interrupted)?.to_bytes().to_vec())
}
