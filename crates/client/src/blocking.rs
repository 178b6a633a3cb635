//! One request by a program that waits for its answer and does nothing else: no runtime is started for it.

use std::io::{self, ErrorKind, Read, Write};
use std::time::{Duration, Instant};

use handraise_locations::Folders;
use handraise_protocol::Method;
use socket2::{SockAddr, Socket, Type};

#[cfg(unix)]
use crate::wait_for;
use crate::{
    ClientError, ClientIdentity, Conversation, Interest, MAX_PROOF, Nonce, Request, Response, ServerAddress,
    ServerAddresses, Step, Token, WaitLimit,
};

/// Bytes that are read at once.
const PIECE: usize = 8 * 1024;

/// How long a connection is waited for before it is looked whether anybody still waits. Where a Unix socket has too
/// many callers, the system tells nobody when there is room.
const CONNECT: Duration = Duration::from_secs(1);

/// Lets the server prove itself to `token`, then sends it a request with that token.
///
/// # Errors
/// When there is no server, when it does not prove itself, when it answers with an error, and whatever
/// `limit` says.
pub fn post<Limit: WaitLimit>(
    folders: &Folders,
    token: &Token,
    path: &str,
    body: &[u8],
    limit: &Limit,
) -> Result<Response, Limit::Stop> {
    let ServerAddresses { addresses, nobody } = ServerAddresses::read(folders, ClientIdentity::Token)?;
    for place in addresses {
        if let Some(socket) = connect(&place, limit)? {
            let request = Request::new(Method::Post, path, body.to_vec());
            let (conversation, first) =
                Conversation::begin(place, token, ClientIdentity::Token, request, Nonce::random()?)?;
            let proved_until = Instant::now() + MAX_PROOF;
            return Shell { socket, conversation, proved_until, limit }.run(first);
        }
    }
    Err(nobody.into())
}

/// Connects; `None`: nobody listens there.
fn connect<Limit: WaitLimit>(place: &ServerAddress, limit: &Limit) -> Result<Option<Socket>, Limit::Stop> {
    let address = match place {
        #[cfg(unix)]
        ServerAddress::Socket(path) => match SockAddr::unix(path) {
            Ok(address) => address,
            Err(_) => return Ok(None),
        },
        ServerAddress::Port(address) => SockAddr::from(*address),
    };
    loop {
        let longest = limit.remaining()?.min(CONNECT);
        let socket = Socket::new(address.domain(), Type::STREAM, None).map_err(ClientError::System)?;
        // A server that does not take connections any more lets them queue up, and then wait.
        let connected = if address.is_unix() {
            socket.set_write_timeout(Some(longest)).and_then(|()| socket.connect(&address))
        } else {
            socket.connect_timeout(&address, longest)
        };
        match connected {
            Ok(()) => {
                // Its calls end at once where there is nothing to do; what is waited for is [`Shell::until`].
                #[cfg(unix)]
                socket.set_nonblocking(true).map_err(ClientError::System)?;
                return Ok(Some(socket));
            }
            Err(error) if is_early(&error) => {}
            Err(_) => return Ok(None),
        }
    }
}

/// Moves the bytes of one conversation.
struct Shell<'a, Limit> {
    socket: Socket,
    conversation: Conversation,
    proved_until: Instant,
    limit: &'a Limit,
}

impl<Limit: WaitLimit> Shell<'_, Limit> {
    fn run(mut self, first: Vec<u8>) -> Result<Response, Limit::Stop> {
        self.write(&first)?;
        let mut piece = [0; PIECE];
        loop {
            let length = self.read(&mut piece)?;
            match self.conversation.receive(piece.get(..length).unwrap_or_default())? {
                Step::Wait => {}
                Step::Send(bytes) => self.write(&bytes)?,
                Step::Response(answer) => return Ok(answer),
                // Nobody has asked for events.
                Step::Events { .. } => return Err(ClientError::Response.into()),
            }
        }
    }

    fn write(&mut self, mut rest: &[u8]) -> Result<(), Limit::Stop> {
        while !rest.is_empty() {
            self.until(Interest::Write)?;
            match self.socket.write(rest) {
                Ok(length) if length > 0 => rest = rest.get(length..).unwrap_or_default(),
                Err(error) if is_early(&error) => {}
                Ok(_) | Err(_) => return Err(self.conversation.broken_off().into()),
            }
        }
        Ok(())
    }

    /// At least one byte.
    fn read(&mut self, piece: &mut [u8]) -> Result<usize, Limit::Stop> {
        loop {
            self.until(Interest::Read)?;
            match self.socket.read(piece) {
                Ok(length) if length > 0 => return Ok(length),
                Err(error) if is_early(&error) => {}
                Ok(_) | Err(_) => return Err(self.conversation.broken_off().into()),
            }
        }
    }

    /// Waits until the socket is ready.
    #[cfg(unix)]
    fn until(&self, interest: Interest) -> Result<(), Limit::Stop> {
        use std::os::fd::AsFd;

        while !wait_for(self.socket.as_fd(), interest, self.longest()?, self.limit) {}
        Ok(())
    }

    /// Lets the next call of the system end in time to look at the limit again.
    #[cfg(not(unix))]
    fn until(&self, interest: Interest) -> Result<(), Limit::Stop> {
        let longest = Some(self.longest()?);
        let set = match interest {
            Interest::Read => self.socket.set_read_timeout(longest),
            Interest::Write => self.socket.set_write_timeout(longest),
        };
        Ok(set.map_err(ClientError::System)?)
    }

    /// How long to wait before the limits are looked at again.
    fn longest(&self) -> Result<Duration, Limit::Stop> {
        let longest = self.limit.remaining()?;
        if self.conversation.is_proved() {
            return Ok(longest);
        }
        match self.proved_until.saturating_duration_since(Instant::now()) {
            Duration::ZERO => Err(self.conversation.timed_out().into()),
            left => Ok(longest.min(left)),
        }
    }
}

/// A call of the system that ended before anything happened.
fn is_early(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}
