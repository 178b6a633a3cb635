//! Requests and answers as bytes.
//!
//! Source of the format: RFC 9112, HTTP/1.1.

use handraise_protocol::{HOOK_PROTOCOL, Method, PROTOCOL_HEADER};

use crate::{ClientError, Token};

/// The largest answer that is read, in bytes.
pub const MAX_ANSWER: usize = 32 * 1024 * 1024;
/// Header fields of an answer.
const MAX_HEADERS: usize = 32;
/// Bytes of an answer's head.
pub(crate) const MAX_HEAD: usize = 16 * 1024;
/// Status "No Content".
const NO_CONTENT: u16 = 204;

/// A request to `host`. `None`: `path` is none that can stand in a request.
pub(crate) fn request(method: Method, path: &str, host: &str, body: &[u8], token: Option<&Token>) -> Option<Vec<u8>> {
    // Nothing in it may begin another line or another word.
    if !path.starts_with('/') || !path.bytes().all(|byte| byte.is_ascii_graphic()) {
        return None;
    }
    let mut head = format!("{} {path} HTTP/1.1\r\nhost: {host}\r\n", method.as_str());
    if method != Method::Get {
        head += &format!("content-type: application/json\r\ncontent-length: {}\r\n", body.len());
    }
    head += &format!("{PROTOCOL_HEADER}: {HOOK_PROTOCOL}\r\n");
    if let Some(token) = token {
        head += &format!("authorization: Bearer {}\r\n", token.text());
    }
    Some([head.as_bytes(), b"\r\n", body].concat())
}

/// The head of an answer.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Head {
    /// Its own bytes, up to the body.
    pub(crate) size: usize,
    pub(crate) status: u16,
    pub(crate) body: Body,
    /// The version of the protocol of hooks that the server says it speaks.
    pub(crate) protocol: Option<String>,
}

/// How the end of a body is known (RFC 9112, section 6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Body {
    /// By its length in bytes.
    Length(usize),
    /// It comes in chunks.
    Chunks,
}

/// The head that `answer` begins with; `None`: there is more of it to come. One that does not say, or says in two
/// ways, where its body ends is none.
pub(crate) fn head(answer: &[u8]) -> Result<Option<Head>, ClientError> {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut response = httparse::Response::new(&mut headers);
    let httparse::Status::Complete(size) = response.parse(answer).map_err(|_| ClientError::Response)? else {
        return if answer.len() < MAX_HEAD { Ok(None) } else { Err(ClientError::Response) };
    };
    let status = response.code.filter(|status| (200..600).contains(status)).ok_or(ClientError::Response)?;
    let values = |name: &str| {
        let named = response.headers.iter().filter(|header| header.name.eq_ignore_ascii_case(name));
        named.map(|header| header.value).collect::<Vec<_>>()
    };
    let body = match (&values("content-length")[..], &values("transfer-encoding")[..]) {
        ([length], []) => Body::Length(parse_length(length).ok_or(ClientError::Response)?),
        ([], [coding]) if coding.eq_ignore_ascii_case(b"chunked") => Body::Chunks,
        ([], []) if status == NO_CONTENT => Body::Length(0),
        _ => return Err(ClientError::Response),
    };
    let protocol = values(PROTOCOL_HEADER).first().map(|value| String::from_utf8_lossy(value).into_owned());
    Ok(Some(Head { size, status, body, protocol }))
}

fn parse_length(digits: &[u8]) -> Option<usize> {
    let digits = std::str::from_utf8(digits).ok().filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))?;
    digits.parse().ok().filter(|length| *length <= MAX_ANSWER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_of_doubtful_length_is_none() {
        for headers in [
            "",
            "Content-Length: -2\r\n",
            "Content-Length: +2\r\n",
            "Content-Length: \r\n",
            "Content-Length: 2, 2\r\n",
            "Content-Length: 2\r\nContent-Length: 2\r\n",
            "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n",
            "Content-Length: 99999999999\r\n",
            "Transfer-Encoding: gzip, chunked\r\n",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        ] {
            let answer = format!("HTTP/1.1 200 OK\r\n{headers}\r\n{{}}");
            assert!(head(answer.as_bytes()).is_err(), "{headers}");
        }
        assert!(head(b"SSH-2.0-OpenSSH_9.2\r\n").is_err());
        assert!(head(b"HTTP/1.1 100 Continue\r\nContent-Length: 0\r\n\r\n").is_err());
        let endless = format!("HTTP/1.1 200 OK\r\nX: {}", "x".repeat(MAX_HEAD));
        assert!(head(endless.as_bytes()).is_err());
    }

    #[test]
    fn the_end_of_a_body_is_known_by_its_length_or_by_chunks() {
        let body = |text: &str| head(text.as_bytes()).unwrap().unwrap().body;
        assert_eq!(body("HTTP/1.1 200 OK\r\ncontent-length: 12\r\n\r\n"), Body::Length(12));
        assert_eq!(body("HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n"), Body::Chunks);
        assert_eq!(body("HTTP/1.1 204 No Content\r\n\r\n"), Body::Length(0));
    }

    #[test]
    fn a_path_is_one_word_of_one_line() {
        for path in ["", "v1", "/a b", "/a\r\nx: y", "/a\tb", "/ä", "/a\0"] {
            assert!(request(Method::Get, path, "localhost", b"", None).is_none(), "{path:?}");
        }
        let request = request(Method::Get, "/v1/health?a=%20", "localhost", b"", None).unwrap();
        assert!(request.starts_with(b"GET /v1/health?a=%20 HTTP/1.1\r\nhost: localhost\r\n"));
    }
}
