//! Connections: who may open how many, and how long they may take.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
#[cfg(unix)]
use tokio::net::UnixListener;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt;

use super::caller::KnownProcess;
use crate::peer::Peer;

/// Open connections over TCP; more are closed at once.
const TCP_CONNECTIONS: usize = 2048;
/// Likewise over the Unix socket, which is open to this user alone.
const UNIX_CONNECTIONS: usize = 1024;
/// Descriptors for all connections, and for files and programs.
const DESCRIPTORS: usize = 2 * TCP_CONNECTIONS;
/// Header fields of one request.
const HEADERS: usize = 64;
/// How long the head of a request may take to arrive.
const MAX_HEAD_WAIT: Duration = Duration::from_secs(5);
/// Bytes of one request's head.
const MAX_HEAD: usize = 16 * 1024;
/// Ports that are tried when the default one is taken.
const PORTS_TO_TRY: u16 = 20;

/// Places for connections. Every user of this machine reaches the port, so those over TCP take none of the others'.
struct Places {
    tcp: Arc<Semaphore>,
    unix: Arc<Semaphore>,
}

impl Places {
    /// For a process that may have so many descriptors: each connection takes one, and files need some.
    fn within(descriptors: usize) -> Self {
        let (tcp, unix) = (TCP_CONNECTIONS.min(descriptors / 2), UNIX_CONNECTIONS.min(descriptors / 4));
        Self { tcp: Arc::new(Semaphore::new(tcp)), unix: Arc::new(Semaphore::new(unix)) }
    }

    /// A place for a connection from `peer`; `None`: all are taken.
    fn take(&self, peer: &Peer) -> Option<OwnedSemaphorePermit> {
        let places = match peer {
            Peer::Tcp { .. } => &self.tcp,
            #[cfg(unix)]
            Peer::Unix { .. } => &self.unix,
        };
        Arc::clone(places).try_acquire_owned().ok()
    }
}

/// Where the server listens.
#[derive(Debug)]
pub(crate) struct Listeners {
    tcp: TcpListener,
    #[cfg(unix)]
    unix: (UnixListener, std::path::PathBuf),
}

impl Listeners {
    /// Listens on loopback, on `port` or, without one, on the first free port from `first_port` on,
    /// and on the socket at `path`.
    pub(crate) async fn bind(port: Option<u16>, first_port: u16, path: &Path) -> io::Result<Self> {
        let tcp = match port {
            Some(port) => TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?,
            None => bind_from(first_port).await?,
        };
        #[cfg(unix)]
        {
            // The lock on the data folder is held: whoever made an old socket is gone.
            match std::fs::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
            let unix = UnixListener::bind(path)?;
            std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
            Ok(Self { tcp, unix: (unix, path.to_owned()) })
        }
        #[cfg(not(unix))]
        {
            let _ = path;
            Ok(Self { tcp })
        }
    }

    /// The loopback address and port.
    pub(crate) fn address(&self) -> io::Result<SocketAddr> {
        self.tcp.local_addr()
    }
}

/// How many descriptors this process may have, after it has asked for what all connections and its files need: a session
/// begins with 1,024 on most systems (systemd.exec(5), "LimitNOFILE").
#[cfg(unix)]
fn descriptors() -> usize {
    use nix::sys::resource::{Resource, getrlimit, setrlimit};

    let Ok((soft, hard)) = getrlimit(Resource::RLIMIT_NOFILE) else { return DESCRIPTORS };
    let wanted = hard.min(DESCRIPTORS as u64);
    if soft >= wanted {
        return usize::try_from(soft).unwrap_or(usize::MAX);
    }
    match setrlimit(Resource::RLIMIT_NOFILE, wanted, hard) {
        Ok(()) => usize::try_from(wanted).unwrap_or(DESCRIPTORS),
        Err(error) => {
            tracing::warn!(%error, "fewer connections can be open at once");
            usize::try_from(soft).unwrap_or(DESCRIPTORS)
        }
    }
}

#[cfg(not(unix))]
fn descriptors() -> usize {
    DESCRIPTORS
}

async fn bind_from(first_port: u16) -> io::Result<TcpListener> {
    let mut taken = io::Error::from(io::ErrorKind::AddrInUse);
    for port in (first_port..first_port.saturating_add(PORTS_TO_TRY)).chain([0]) {
        match TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await {
            Ok(listener) => return Ok(listener),
            Err(error) => taken = error,
        }
    }
    Err(taken)
}

/// Accepts connections until `stopping`; ends when the last one has ended.
pub(crate) async fn serve(listeners: Listeners, router: Router, stopping: CancellationToken) {
    let places = Places::within(descriptors());
    let connections = TaskTracker::new();
    let local = listeners.tcp.local_addr().ok();
    loop {
        tokio::select! {
            () = stopping.cancelled() => break,
            accepted = listeners.tcp.accept() => {
                let (Ok((stream, remote)), Some(local)) = (accepted, local) else { pause().await; continue };
                let peer = Peer::Tcp { remote, local };
                let Some(place) = places.take(&peer) else { continue };
                // Small answers should not wait for more to send; failing to set this costs only time.
                let _ = stream.set_nodelay(true);
                let serving = connection(stream, peer, router.clone(), stopping.clone());
                connections.spawn(async move { serving.await; drop(place) });
            }
            accepted = listeners.accept_unix() => {
                let Ok((stream, peer)) = accepted else { pause().await; continue };
                let Some(place) = places.take(&peer) else { continue };
                let serving = connection(stream, peer, router.clone(), stopping.clone());
                connections.spawn(async move { serving.await; drop(place) });
            }
        }
    }
    #[cfg(unix)]
    if let Err(error) = std::fs::remove_file(&listeners.unix.1) {
        tracing::warn!(%error, "could not remove the socket");
    }
    connections.close();
    connections.wait().await;
}

#[cfg(unix)]
impl Listeners {
    async fn accept_unix(&self) -> io::Result<(tokio::net::UnixStream, Peer)> {
        let (listener, path) = &self.unix;
        let (stream, _) = listener.accept().await?;
        let credentials = stream.peer_cred()?;
        if credentials.uid() != nix::unistd::getuid().as_raw() {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        let process = crate::peer::pin(&stream, credentials.pid());
        Ok((stream, Peer::Unix { path: path.display().to_string(), process }))
    }
}

#[cfg(not(unix))]
impl Listeners {
    async fn accept_unix(&self) -> io::Result<(tokio::net::TcpStream, Peer)> {
        std::future::pending().await
    }
}

/// After a failed accept (out of descriptors, say), gives the system time to recover.
async fn pause() {
    tokio::time::sleep(Duration::from_millis(20)).await;
}

async fn connection(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    peer: Peer,
    router: Router,
    stopping: CancellationToken,
) {
    let known = KnownProcess::default();
    let service = hyper::service::service_fn(move |request: hyper::Request<hyper::body::Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(peer.clone());
        request.extensions_mut().insert(known.clone());
        router.clone().oneshot(request)
    });
    let serving = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(MAX_HEAD_WAIT)
        .max_headers(HEADERS)
        .max_buf_size(MAX_HEAD)
        .serve_connection(TokioIo::new(stream), service);
    let mut serving = std::pin::pin!(serving);
    let ended = tokio::select! {
        ended = &mut serving => ended,
        () = stopping.cancelled() => {
            serving.as_mut().graceful_shutdown();
            serving.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection ended early");
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn connections_over_tcp_take_no_place_of_the_socket() {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 1));
        let tcp = Peer::Tcp { remote: address, local: address };
        let unix = Peer::Unix { path: "/s".to_owned(), process: None };
        for (descriptors, most) in [(DESCRIPTORS, TCP_CONNECTIONS), (1024, 512)] {
            let places = Places::within(descriptors);
            let taken: Vec<_> = (0..most).map(|_| places.take(&tcp)).collect();
            assert!(taken.iter().all(Option::is_some) && places.take(&tcp).is_none());
            assert!(places.take(&unix).is_some());
            drop(taken);
            assert!(places.take(&tcp).is_some());
        }
    }
}
