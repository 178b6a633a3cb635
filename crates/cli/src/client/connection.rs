//! Moves the bytes of one conversation, while other things go on.

use handraise_client::{
    ClientError, Conversation, MAX_PROOF, Nonce, Request, ServerAddress, ServerAddresses, Step, Token,
};
use handraise_locations::Folders;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
#[cfg(unix)]
use tokio::net::UnixStream;
use tokio::time::timeout;

use super::ClientIdentity;

/// Bytes that are read at once.
const PIECE: usize = 8 * 1024;

/// A stream of bytes in both directions.
trait Bytes: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Bytes for T {}

/// A connection whose other end has proved to be Handraise, and was sent the request.
pub(super) struct Connection {
    stream: Box<dyn Bytes>,
    conversation: Conversation,
}

impl Connection {
    /// Connects, lets the server prove that it knows `token`, and sends it `request`.
    pub(super) async fn open(
        folders: &Folders,
        token: &Token,
        identity: ClientIdentity,
        request: Request,
    ) -> Result<Self, ClientError> {
        let ServerAddresses { addresses, nobody } = ServerAddresses::read(folders, identity)?;
        for address in addresses {
            if let Some(stream) = connect(&address).await {
                let (conversation, first) = Conversation::begin(address, token, identity, request, Nonce::random()?)?;
                let mut this = Self { stream, conversation };
                let request = match timeout(MAX_PROOF, this.prove(&first)).await {
                    Ok(proved) => proved?,
                    Err(_) => return Err(this.conversation.timed_out()),
                };
                this.send(&request).await?;
                return Ok(this);
            }
        }
        Err(nobody)
    }

    /// What follows from the next bytes that come: an answer or events.
    pub(super) async fn next(&mut self) -> Result<Step, ClientError> {
        let mut piece = [0; PIECE];
        loop {
            // Where it is dropped while it waits, nothing was read.
            let length = match self.stream.read(&mut piece).await {
                Ok(length) if length > 0 => length,
                Ok(_) | Err(_) => return Err(self.conversation.broken_off()),
            };
            match self.conversation.receive(piece.get(..length).unwrap_or_default())? {
                Step::Wait => {}
                step => return Ok(step),
            }
        }
    }

    /// The request to send to the server once it has proved itself.
    async fn prove(&mut self, first: &[u8]) -> Result<Vec<u8>, ClientError> {
        self.send(first).await?;
        match self.next().await? {
            Step::Send(request) => Ok(request),
            _ => Err(self.conversation.broken_off()),
        }
    }

    async fn send(&mut self, bytes: &[u8]) -> Result<(), ClientError> {
        self.stream.write_all(bytes).await.map_err(|_| self.conversation.broken_off())
    }
}

/// `None`: nobody listens there.
async fn connect(address: &ServerAddress) -> Option<Box<dyn Bytes>> {
    match address {
        #[cfg(unix)]
        ServerAddress::Socket(path) => Some(Box::new(UnixStream::connect(path).await.ok()?)),
        ServerAddress::Port(address) => Some(Box::new(TcpStream::connect(address).await.ok()?)),
    }
}
