//! One request by a program that waits for its answer and does nothing else: no runtime is started for it.

use std::io::{self, ErrorKind, Read, Write};
use std::time::{Duration, Instant};

use handraise_locations::Folders;
use handraise_protocol::Method;
use socket2::{SockAddr, Socket, Type};

use crate::{Answer, Authority, ClientError, Conversation, MAX_PROOF, Nonce, Place, Places, Request, Step, Token};

/// Bytes that are read at once.
const PIECE: usize = 8 * 1024;

/// Says how long to wait until it is asked again, or why nobody waits any more.
pub type Patience<'a, Stop> = &'a dyn Fn() -> Result<Duration, Stop>;

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
    let Places { places, nobody } = Places::read(folders, Authority::Token)?;
    for place in places {
        if let Some(socket) = connect(&place, patience)? {
            let request = Request::new(Method::Post, path, body.to_vec());
            let (conversation, first) = Conversation::begin(place, token, Authority::Token, request, Nonce::random()?)?;
            let proved_until = Instant::now() + MAX_PROOF;
            return Shell { socket, conversation, proved_until, limit: Duration::ZERO, patience }.run(first);
        }
    }
    Err(nobody.into())
}

/// Connects; `None`: nobody listens there.
fn connect<Stop: From<ClientError>>(place: &Place, patience: Patience<'_, Stop>) -> Result<Option<Socket>, Stop> {
    let address = match place {
        #[cfg(unix)]
        Place::Socket(path) => match SockAddr::unix(path) {
            Ok(address) => address,
            Err(_) => return Ok(None),
        },
        Place::Port(address) => SockAddr::from(*address),
    };
    loop {
        let limit = patience()?;
        let socket = Socket::new(address.domain(), Type::STREAM, None).map_err(ClientError::System)?;
        // A server that does not take connections any more lets them queue up, and then wait.
        let connected = if address.is_unix() {
            socket.set_write_timeout(Some(limit)).and_then(|()| socket.connect(&address))
        } else {
            socket.connect_timeout(&address, limit)
        };
        match connected {
            Ok(()) => return Ok(Some(socket)),
            Err(error) if is_early(&error) => {}
            Err(_) => return Ok(None),
        }
    }
}

/// Moves the bytes of one conversation.
struct Shell<'a, Stop> {
    socket: Socket,
    conversation: Conversation,
    proved_until: Instant,
    /// How long one call of the system may take.
    limit: Duration,
    patience: Patience<'a, Stop>,
}

impl<Stop: From<ClientError>> Shell<'_, Stop> {
    fn run(mut self, first: Vec<u8>) -> Result<Answer, Stop> {
        self.write(&first)?;
        let mut piece = [0; PIECE];
        loop {
            let length = self.read(&mut piece)?;
            match self.conversation.receive(piece.get(..length).unwrap_or_default())? {
                Step::Wait => {}
                Step::Send(bytes) => self.write(&bytes)?,
                Step::Answer(answer) => return Ok(answer),
                // Nobody has asked for events.
                Step::Events { .. } => return Err(ClientError::Answer.into()),
            }
        }
    }

    fn write(&mut self, mut rest: &[u8]) -> Result<(), Stop> {
        while !rest.is_empty() {
            self.limit_calls()?;
            match self.socket.write(rest) {
                Ok(length) if length > 0 => rest = rest.get(length..).unwrap_or_default(),
                Err(error) if is_early(&error) => {}
                Ok(_) | Err(_) => return Err(self.conversation.broken_off().into()),
            }
        }
        Ok(())
    }

    /// At least one byte.
    fn read(&mut self, piece: &mut [u8]) -> Result<usize, Stop> {
        loop {
            self.limit_calls()?;
            match self.socket.read(piece) {
                Ok(length) if length > 0 => return Ok(length),
                Err(error) if is_early(&error) => {}
                Ok(_) | Err(_) => return Err(self.conversation.broken_off().into()),
            }
        }
    }

    /// Lets a call of the system end in time to look at patience again. A signal ends
    /// it, too (signal(7): where a socket has a time limit, its calls are not begun again).
    fn limit_calls(&mut self) -> Result<(), Stop> {
        let mut limit = (self.patience)()?;
        if !self.conversation.is_proved() {
            match self.proved_until.saturating_duration_since(Instant::now()) {
                Duration::ZERO => return Err(self.conversation.broken_off().into()),
                left => limit = limit.min(left),
            }
        }
        if self.limit != limit {
            self.socket.set_read_timeout(Some(limit)).map_err(ClientError::System)?;
            self.socket.set_write_timeout(Some(limit)).map_err(ClientError::System)?;
            self.limit = limit;
        }
        Ok(())
    }
}

/// A call of the system that ended before anything happened.
fn is_early(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}
