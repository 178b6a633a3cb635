//! Where the server may be.

use std::net::SocketAddr;
use std::path::PathBuf;

use handraise_locations::{EndpointFile, Folders};

use crate::ClientError;

/// By what right a program speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClientIdentity {
    /// By its token.
    Token,
    /// As a person's terminal, which the server recognises at the other end of the Unix socket. The
    /// token only serves to let the server prove itself.
    Terminal,
}

/// One place where the server may listen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerAddress {
    /// A Unix socket, where the server can see who is at the other end.
    #[cfg(unix)]
    Socket(PathBuf),
    /// A loopback port.
    Port(SocketAddr),
}

impl ServerAddress {
    /// As the server's proof names it.
    #[must_use]
    pub fn address(&self) -> String {
        match self {
            #[cfg(unix)]
            Self::Socket(path) => path.display().to_string(),
            Self::Port(address) => address.to_string(),
        }
    }

    /// As the `Host` of a request names it.
    pub(crate) fn host(&self) -> String {
        match self {
            #[cfg(unix)]
            Self::Socket(_) => "localhost".to_owned(),
            Self::Port(address) => address.to_string(),
        }
    }
}

/// Where to look for the server.
#[derive(Debug)]
pub struct ServerAddresses {
    /// In the order in which to try them. The first one that listens is the one: what it says counts, whatever
    /// it is.
    pub addresses: Vec<ServerAddress>,
    /// What it means that nobody listens at any of them.
    pub nobody: ClientError,
}

impl ServerAddresses {
    /// Those that the discovery file names.
    ///
    /// # Errors
    /// When there is no such file, or when others could have written it.
    pub fn read(folders: &Folders, identity: ClientIdentity) -> Result<Self, ClientError> {
        let endpoint = EndpointFile::read(folders).map_err(|error| match error.is_missing() {
            true => ClientError::NotRunning,
            false => ClientError::File(error),
        })?;
        Ok(Self::of(endpoint, identity))
    }

    fn of(endpoint: EndpointFile, identity: ClientIdentity) -> Self {
        let socket = socket(endpoint.socket);
        match identity {
            ClientIdentity::Terminal => {
                let nobody = if socket.is_some() { ClientError::NotRunning } else { ClientError::NoSocket };
                Self { addresses: socket.into_iter().collect(), nobody }
            }
            // Whatever the discovery file says: arguments never leave this machine.
            ClientIdentity::Token if !endpoint.address.ip().is_loopback() => Self {
                addresses: socket.into_iter().collect(),
                nobody: ClientError::NotProved(endpoint.address.to_string()),
            },
            ClientIdentity::Token => Self {
                addresses: socket.into_iter().chain([ServerAddress::Port(endpoint.address)]).collect(),
                nobody: ClientError::NotRunning,
            },
        }
    }
}

#[cfg(unix)]
fn socket(path: Option<PathBuf>) -> Option<ServerAddress> {
    path.map(ServerAddress::Socket)
}

#[cfg(not(unix))]
fn socket(_path: Option<PathBuf>) -> Option<ServerAddress> {
    None
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    fn addresses(address: &str, socket: Option<&str>, identity: ClientIdentity) -> (Vec<String>, ClientError) {
        let endpoint =
            EndpointFile { version: 1, address: address.parse().unwrap(), socket: socket.map(PathBuf::from), pid: 1 };
        let found = ServerAddresses::of(endpoint, identity);
        (found.addresses.iter().map(ServerAddress::address).collect(), found.nobody)
    }

    #[test]
    fn arguments_never_leave_this_machine() {
        for address in ["203.0.113.1:80", "0.0.0.0:4733", "[::]:4733", "[::ffff:203.0.113.1]:80", "169.254.1.1:80"] {
            let (found, nobody) = addresses(address, None, ClientIdentity::Token);
            assert!(found.is_empty() && matches!(nobody, ClientError::NotProved(_)), "{address}");
            let (found, _) = addresses(address, Some("/run/socket"), ClientIdentity::Token);
            assert_eq!(found, ["/run/socket"], "{address}");
        }
        let (found, nobody) = addresses("127.0.0.1:4733", Some("/run/socket"), ClientIdentity::Token);
        assert_eq!(found, ["/run/socket", "127.0.0.1:4733"]);
        assert!(matches!(nobody, ClientError::NotRunning));
    }

    #[test]
    fn a_terminal_is_known_at_the_socket_only() {
        let (found, nobody) = addresses("127.0.0.1:4733", Some("/run/socket"), ClientIdentity::Terminal);
        assert_eq!(found, ["/run/socket"]);
        assert!(matches!(nobody, ClientError::NotRunning));
        let (found, nobody) = addresses("127.0.0.1:4733", None, ClientIdentity::Terminal);
        assert!(found.is_empty() && matches!(nobody, ClientError::NoSocket));
    }
}
