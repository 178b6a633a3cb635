//! HTTP to what the policy or the settings name: one POST, without redirects, proxies, cookies or credentials.

use std::io;
use std::sync::OnceLock;
use std::time::Duration;

use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::Bytes;
use hyper::header::{ACCEPT, CONTENT_TYPE};
use hyper::{Request, Response, StatusCode};
use hyper_rustls::HttpsConnector;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};

use crate::threads;

type Plain = Client<HttpConnector, Full<Bytes>>;
type Secure = Client<HttpsConnector<HttpConnector>, Full<Bytes>>;

/// How long a connection without work stays open.
const IDLE: Duration = Duration::from_secs(30);
/// Connections without work to one place.
const MAX_IDLE: usize = 4;

/// Sends to the addresses that a person has named.
#[derive(Debug)]
pub(crate) struct OutboundClient {
    plain: Plain,
    /// Made when it is first needed: it reads the system's certificates.
    secure: OnceLock<Secure>,
}

/// One message.
#[derive(Debug)]
pub(crate) struct Post {
    /// Where to.
    pub(crate) url: String,
    /// What the body is, and what is wanted back.
    pub(crate) content_type: &'static str,
    pub(crate) body: Vec<u8>,
    /// How long all of it may take.
    pub(crate) within: Duration,
    /// Bytes of the answer that are read at most.
    pub(crate) most: usize,
}

/// Why there is no answer that can be used: a clause, as "it could not be reached".
#[derive(Debug, thiserror::Error)]
pub(crate) enum OutboundError {
    #[error("its address cannot be used")]
    Address,
    #[error("the certificates of this system could not be read")]
    Certificates(#[source] io::Error),
    #[error("it could not be reached")]
    Unreachable(#[source] hyper_util::client::legacy::Error),
    #[error("its answer broke off")]
    Broken,
    #[error("it did not answer within {0} s")]
    Late(u64),
    #[error("it answered with the status {0}")]
    Status(u16),
    #[error("its answer is longer than {0} bytes")]
    TooLong(usize),
    #[error("its answer is no {0}")]
    NoSuchContent(&'static str),
}

impl OutboundClient {
    pub(crate) fn new() -> Self {
        Self { plain: client(HttpConnector::new()), secure: OnceLock::new() }
    }

    /// Sends `post` and gives the body of the answer, which has the status 200 and the same content type.
    pub(crate) async fn post(&self, post: Post) -> Result<Bytes, OutboundError> {
        let within = post.within;
        tokio::time::timeout(within, self.send(post)).await.unwrap_or(Err(OutboundError::Late(within.as_secs())))
    }

    async fn send(&self, post: Post) -> Result<Bytes, OutboundError> {
        let Post { url, content_type, body, within: _, most } = post;
        let is_secure = url.starts_with("https://");
        let request = Request::post(url).header(CONTENT_TYPE, content_type).header(ACCEPT, content_type);
        let request = request.body(Full::new(Bytes::from(body))).map_err(|_| OutboundError::Address)?;
        let sent =
            if is_secure { self.secure().await?.request(request).await } else { self.plain.request(request).await };
        read(sent.map_err(OutboundError::Unreachable)?, content_type, most).await
    }

    async fn secure(&self) -> Result<&Secure, OutboundError> {
        if let Some(secure) = self.secure.get() {
            return Ok(secure);
        }
        let made = threads::begin(|| {
            let connector = hyper_rustls::HttpsConnectorBuilder::new().with_native_roots()?;
            Ok(client(connector.https_only().enable_http1().build()))
        });
        let made = made.map_err(OutboundError::Certificates)?.await.map_err(|_| OutboundError::Broken)?;
        let made = made.map_err(OutboundError::Certificates)?;
        Ok(self.secure.get_or_init(|| made))
    }
}

fn client<Connector>(connector: Connector) -> Client<Connector, Full<Bytes>>
where
    Connector: hyper_util::client::legacy::connect::Connect + Clone,
{
    let mut builder = Client::builder(TokioExecutor::new());
    builder.pool_idle_timeout(IDLE).pool_max_idle_per_host(MAX_IDLE).pool_timer(TokioTimer::new());
    builder.build(connector)
}

async fn read(
    response: Response<hyper::body::Incoming>,
    content_type: &'static str,
    most: usize,
) -> Result<Bytes, OutboundError> {
    // A redirect is no answer either: whoever is to be asked stands in the settings.
    if response.status() != StatusCode::OK {
        return Err(OutboundError::Status(response.status().as_u16()));
    }
    let given = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let given = given.split(';').next().unwrap_or_default().trim();
    if !given.eq_ignore_ascii_case(content_type) {
        return Err(OutboundError::NoSuchContent(content_type));
    }
    let body = Limited::new(response.into_body(), most).collect().await.map_err(|error| {
        if error.is::<LengthLimitError>() { OutboundError::TooLong(most) } else { OutboundError::Broken }
    })?;
    Ok(body.to_bytes())
}
