//! One request by a program that waits for its answer and does nothing else: no runtime is started for it.
//!
//! Source of the message format: RFC 9112, HTTP/1.1.

use std::cmp::Ordering;
use std::io::{self, ErrorKind, Read, Write};
use std::time::{Duration, Instant};

use handraise_locations::{EndpointFile, Folders};
use handraise_protocol::{ChallengeProof, HOOK_PROTOCOL, PROTOCOL_HEADER, Problem};
use socket2::{SockAddr, Socket, Type};

use super::{ClientError, LARGEST_ANSWER, LONGEST_PROOF, Token, proof};

/// Header fields of an answer.
const MOST_HEADERS: usize = 32;
/// Bytes of an answer's head.
const LARGEST_HEAD: usize = 16 * 1024;
/// Bytes that are read at once.
const PIECE: usize = 8 * 1024;
/// Status "Accepted": the request is still open.
const ACCEPTED: u16 = 202;

/// Says how long to wait until it is asked again, or why nobody waits any more.
pub type Patience<'a, Stop> = &'a dyn Fn() -> Result<Duration, Stop>;

/// An answer without an error.
#[derive(Debug)]
pub struct Answer {
    /// The request is still open.
    pub is_pending: bool,
    /// The body.
    pub body: Vec<u8>,
    /// The version of the protocol of hooks that the server says it speaks.
    pub protocol: Option<String>,
}

/// Lets the server prove itself to `token`, then sends it a request with that token.
///
/// # Errors
/// When there is no server, when it does not prove itself, when it answers with an error, and whatever
/// `patience` says.
pub fn post<Stop: From<ClientError>>(
    folders: &Folders,
    token: &Token,
    path: &str,
    body: &[u8],
    patience: Patience<'_, Stop>,
) -> Result<Answer, Stop> {
    let endpoint = EndpointFile::read(folders).map_err(|error| match error.is_missing() {
        true => ClientError::NotRunning,
        false => ClientError::File(error),
    })?;
    let mut connection = Connection::open(&endpoint, patience)?;
    connection.prove(token, patience)?;
    let Reply { status, body, protocol } = connection.exchange(path, body, Some(token), patience)?;
    if (200..300).contains(&status) {
        return Ok(Answer { is_pending: status == ACCEPTED, body, protocol });
    }
    let problem: Problem = serde_json::from_slice(&body).map_err(|_| ClientError::Answer)?;
    Err(ClientError::Problem(Box::new(problem)).into())
}

struct Connection {
    socket: Socket,
    /// What the server is called in a request.
    host: String,
    /// Where it was reached, as its proof names it.
    address: String,
    /// How long one call of the system may take.
    limit: Duration,
}

/// Why there is no proof.
enum Unproved<Stop> {
    /// Whoever sits there answered something else, or nothing.
    Server,
    Stop(Stop),
}

impl<Stop> From<ClientError> for Unproved<Stop> {
    fn from(_: ClientError) -> Self {
        Self::Server
    }
}

impl Connection {
    fn open<Stop: From<ClientError>>(endpoint: &EndpointFile, patience: Patience<'_, Stop>) -> Result<Self, Stop> {
        #[cfg(unix)]
        if let Some(path) = &endpoint.socket
            && let Ok(address) = SockAddr::unix(path)
            && let Some(socket) = connect(&address, patience)?
        {
            return Ok(Self::new(socket, "localhost".to_owned(), path.display().to_string()));
        }
        // Whatever the discovery file says: arguments never leave this machine.
        if !endpoint.address.ip().is_loopback() {
            return Err(ClientError::NotProved(endpoint.address.to_string()).into());
        }
        let socket = connect(&SockAddr::from(endpoint.address), patience)?.ok_or(ClientError::NotRunning)?;
        let address = endpoint.address.to_string();
        Ok(Self::new(socket, address.clone(), address))
    }

    fn new(socket: Socket, host: String, address: String) -> Self {
        Self { socket, host, address, limit: Duration::ZERO }
    }

    /// Until the server has proved that it knows `token`, it learns nothing but the token's public id.
    fn prove<Stop: From<ClientError>>(&mut self, token: &Token, patience: Patience<'_, Stop>) -> Result<(), Stop> {
        let challenge = proof::challenge(token)?;
        let body = serde_json::to_vec(&challenge).map_err(|_| ClientError::Answer)?;
        let end = Instant::now() + LONGEST_PROOF;
        let in_time = || {
            let longest = patience().map_err(Unproved::Stop)?;
            match end.saturating_duration_since(Instant::now()) {
                Duration::ZERO => Err(Unproved::Server),
                left => Ok(longest.min(left)),
            }
        };
        let is_proved = match self.exchange("/v1/challenge", &body, None, &in_time) {
            Ok(Reply { body, .. }) => serde_json::from_slice(&body)
                .is_ok_and(|answer: ChallengeProof| proof::is_right(&answer.proof, token, &challenge, &self.address)),
            Err(Unproved::Server) => false,
            Err(Unproved::Stop(stop)) => return Err(stop),
        };
        if is_proved { Ok(()) } else { Err(ClientError::NotProved(self.address.clone()).into()) }
    }

    /// Sends one request and reads the answer.
    fn exchange<Stop: From<ClientError>>(
        &mut self,
        path: &str,
        body: &[u8],
        token: Option<&Token>,
        patience: Patience<'_, Stop>,
    ) -> Result<Reply, Stop> {
        let authorization = token.map(|token| format!("authorization: Bearer {}\r\n", token.text()));
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\
             {PROTOCOL_HEADER}: {HOOK_PROTOCOL}\r\n{}\r\n",
            self.host,
            body.len(),
            authorization.unwrap_or_default(),
        );
        self.write(&[head.as_bytes(), body].concat(), patience)?;
        self.read(patience)
    }

    fn write<Stop: From<ClientError>>(&mut self, mut rest: &[u8], patience: Patience<'_, Stop>) -> Result<(), Stop> {
        while !rest.is_empty() {
            self.limit_calls(patience()?)?;
            match self.socket.write(rest) {
                Ok(length) if length > 0 => rest = rest.get(length..).unwrap_or_default(),
                Err(error) if is_early(&error) => {}
                Ok(_) | Err(_) => return Err(ClientError::Interrupted.into()),
            }
        }
        Ok(())
    }

    fn read<Stop: From<ClientError>>(&mut self, patience: Patience<'_, Stop>) -> Result<Reply, Stop> {
        let mut answer = Vec::new();
        let mut piece = [0; PIECE];
        loop {
            self.limit_calls(patience()?)?;
            match self.socket.read(&mut piece) {
                Ok(length) if length > 0 => answer.extend_from_slice(piece.get(..length).unwrap_or_default()),
                Err(error) if is_early(&error) => continue,
                Ok(_) | Err(_) => return Err(ClientError::Interrupted.into()),
            }
            if let Some(reply) = parse(&answer)? {
                return Ok(reply);
            }
        }
    }

    /// Lets a call of the system end after `limit`, so that patience can be looked at again. A signal ends
    /// it, too (signal(7): where a socket has a time limit, its calls are not begun again).
    fn limit_calls(&mut self, limit: Duration) -> Result<(), ClientError> {
        if self.limit != limit {
            self.socket.set_read_timeout(Some(limit)).map_err(ClientError::System)?;
            self.socket.set_write_timeout(Some(limit)).map_err(ClientError::System)?;
            self.limit = limit;
        }
        Ok(())
    }
}

/// Connects; `None`: nobody listens there.
fn connect<Stop: From<ClientError>>(address: &SockAddr, patience: Patience<'_, Stop>) -> Result<Option<Socket>, Stop> {
    loop {
        let limit = patience()?;
        let socket = Socket::new(address.domain(), Type::STREAM, None).map_err(ClientError::System)?;
        // A server that does not take connections any more lets them queue up, and then wait.
        let connected = if address.is_unix() {
            socket.set_write_timeout(Some(limit)).and_then(|()| socket.connect(address))
        } else {
            socket.connect_timeout(address, limit)
        };
        match connected {
            Ok(()) => return Ok(Some(socket)),
            Err(error) if is_early(&error) => {}
            Err(_) => return Ok(None),
        }
    }
}

/// A whole answer of the server.
struct Reply {
    status: u16,
    body: Vec<u8>,
    protocol: Option<String>,
}

/// A whole answer; `None`: there is more to come.
fn parse(answer: &[u8]) -> Result<Option<Reply>, ClientError> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut response = httparse::Response::new(&mut headers);
    let httparse::Status::Complete(head) = response.parse(answer).map_err(|_| ClientError::Answer)? else {
        return if answer.len() < LARGEST_HEAD { Ok(None) } else { Err(ClientError::Answer) };
    };
    let mut lengths = response.headers.iter().filter(|header| header.name.eq_ignore_ascii_case("content-length"));
    let length = lengths.next().and_then(|header| std::str::from_utf8(header.value).ok()?.parse().ok());
    let length: usize = length.filter(|length| *length <= LARGEST_ANSWER).ok_or(ClientError::Answer)?;
    let body = answer.get(head..).unwrap_or_default();
    let protocol = response.headers.iter().find(|header| header.name.eq_ignore_ascii_case(PROTOCOL_HEADER));
    let protocol = protocol.map(|header| String::from_utf8_lossy(header.value).into_owned());
    match (response.code, body.len().cmp(&length)) {
        (Some(status), Ordering::Equal) if lengths.next().is_none() => {
            Ok(Some(Reply { status, body: body.to_vec(), protocol }))
        }
        (Some(_), Ordering::Less) => Ok(None),
        _ => Err(ClientError::Answer),
    }
}

/// A call of the system that ended before anything happened.
fn is_early(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}

#[cfg(test)]
#[path = "exchange_tests.rs"]
mod tests;
