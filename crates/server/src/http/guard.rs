//! The checks that come before anything else: no web page, however it got here, is ever listened to.

use axum::extract::Request;
use axum::http::{HeaderMap, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use handraise_protocol::ProblemCode;

use super::refusal::{Refused, refuse};
use crate::peer::Peer;

/// Lets a request pass that no browser can have sent.
pub(super) async fn guard(request: Request, next: Next) -> Response {
    let Some(peer) = request.extensions().get::<Peer>() else {
        return refuse(ProblemCode::Internal, "The connection has no peer.").into_response();
    };
    let checked = check_host(request.uri(), request.headers(), peer)
        .and_then(|()| check_browser(request.headers()))
        .and_then(|()| check_duplicates(request.headers()));
    match checked {
        Ok(()) => next.run(request).await,
        Err(refused) => refused.into_response(),
    }
}

/// Against DNS rebinding: `Host` must be the very name or address that we listen on.
fn check_host(uri: &Uri, headers: &HeaderMap, peer: &Peer) -> Result<(), Refused> {
    let refused = |what: &str| Err(refuse(ProblemCode::InvalidHost, what));
    if uri.authority().is_some() || uri.scheme().is_some() {
        return refused("The request line must hold a path, not a whole address.");
    }
    let mut hosts = headers.get_all(header::HOST).iter();
    let (Some(host), None) = (hosts.next(), hosts.next()) else {
        return refused("Send exactly one Host header.");
    };
    let allowed = match peer {
        #[cfg(unix)]
        Peer::Unix { .. } => host == "localhost",
        Peer::Tcp { local, .. } => {
            let port = local.port();
            ["127.0.0.1", "localhost", "[::1]"].iter().any(|name| *host == format!("{name}:{port}"))
        }
    };
    if allowed { Ok(()) } else { refused("The Host header names another server.") }
}

/// Browsers add these headers to what a page sends, and a page cannot leave them out.
fn check_browser(headers: &HeaderMap) -> Result<(), Refused> {
    let mut sites = headers.get_all("sec-fetch-site").iter();
    if headers.contains_key(header::ORIGIN) || sites.any(|site| site != "none") {
        return Err(refuse(ProblemCode::ForeignOrigin, "Handraise does not answer web pages."));
    }
    Ok(())
}

fn check_duplicates(headers: &HeaderMap) -> Result<(), Refused> {
    if headers.get_all(header::AUTHORIZATION).iter().count() > 1 {
        return Err(refuse(ProblemCode::Unauthorized, "Send exactly one Authorization header."));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn one_header_of_a_browser_among_several_is_enough() {
        let of = |sites: &[&'static str]| {
            let mut headers = HeaderMap::new();
            for site in sites {
                headers.append("sec-fetch-site", HeaderValue::from_static(site));
            }
            check_browser(&headers).is_ok()
        };
        assert!(of(&[]) && of(&["none"]));
        assert!(!of(&["cross-site"]) && !of(&["none", "cross-site"]) && !of(&["cross-site", "none"]));
    }
}
