use super::*;

const TOKEN: &str = "hrq_0123456789ab_c0ffee";
const PLACE: &str = "127.0.0.1:4733";
const RIGHT: &str = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";

fn token() -> Token {
    Token::parse(TOKEN).unwrap()
}

fn begin(request: Request) -> (Conversation, Vec<u8>) {
    let place = ServerAddress::Port(PLACE.parse().unwrap());
    Conversation::begin(place, &token(), ClientIdentity::Token, request, Nonce("5eed".repeat(16))).unwrap()
}

fn asked() -> Request {
    Request::new(Method::Post, "/v1/x", b"{\"secret\":1}".to_vec())
}

fn answer(status: &str, body: &str) -> String {
    format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\n\r\n{body}", body.len())
}

/// The proof of a server at `address` that knows `token`.
fn proof(token: &str, address: &str) -> String {
    let challenge = Challenge { credential: "0123456789ab".to_owned(), nonce: "5eed".repeat(16) };
    answer("200 OK", &serde_json::to_string(&TokenHash::of(token).prove(&challenge, address)).unwrap())
}

fn proved(request: Request) -> Conversation {
    let (mut conversation, _) = begin(request);
    assert!(matches!(conversation.receive(proof(TOKEN, PLACE).as_bytes()), Ok(Step::Send(_))));
    conversation
}

#[test]
fn a_server_learns_nothing_before_it_has_proved_itself() {
    let (mut conversation, first) = begin(asked());
    let first = String::from_utf8(first).unwrap();
    assert!(first.starts_with("POST /v1/challenge HTTP/1.1\r\n") && first.contains("0123456789ab"));
    assert!(!first.contains("c0ffee") && !first.contains("authorization") && !first.contains("secret"));
    let proof = proof(TOKEN, PLACE);
    for byte in proof.as_bytes().iter().take(proof.len() - 1) {
        assert!(matches!(conversation.receive(&[*byte]), Ok(Step::Wait)));
        assert!(!conversation.is_proved());
    }
    let Ok(Step::Send(request)) = conversation.receive(&proof.as_bytes()[proof.len() - 1..]) else { panic!() };
    assert!(conversation.is_proved());
    let request = String::from_utf8(request).unwrap();
    assert!(request.contains("authorization: Bearer hrq_0123456789ab_c0ffee\r\n"));
    assert!(request.ends_with("\r\n\r\n{\"secret\":1}"));
}

#[test]
fn whoever_proves_anything_else_is_not_the_server() {
    let right = proof(TOKEN, PLACE);
    let body = right.split("\r\n\r\n").nth(1).unwrap();
    for wrong in [
        proof("hrq_0123456789ab_c0ffef", PLACE),
        proof(TOKEN, "127.0.0.1:4734"),
        answer("200 OK", "{\"proof\":\"\"}"),
        answer("200 OK", "{\"proof\":null}"),
        answer("200 OK", "null"),
        answer("200 OK", ""),
        answer("201 Created", body),
        answer("404 Not Found", body),
        format!("{right}x"),
        format!("{right}{RIGHT}"),
        "HTTP/1.1 100 Continue\r\n\r\n".to_owned(),
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n".to_owned(),
        RIGHT.to_owned(),
        "SSH-2.0-OpenSSH_9.2\r\n".to_owned(),
    ] {
        let (mut conversation, _) = begin(asked());
        assert!(matches!(conversation.receive(wrong.as_bytes()), Err(ClientError::NotProved(_))), "{wrong}");
        assert!(!conversation.is_proved(), "{wrong}");
    }
    let (mut conversation, _) = begin(asked());
    assert!(matches!(conversation.receive(&right.as_bytes()[..right.len() - 1]), Ok(Step::Wait)));
    assert!(matches!(conversation.broken_off(), ClientError::NotProved(_)));
    // A server that has no time is not taken for another program.
    assert!(matches!(conversation.timed_out(), ClientError::NoAnswer(_)));
}

#[test]
fn an_answer_counts_once_it_is_whole() {
    let text = answer("202 Accepted", "{}");
    for end in 0..text.len() {
        let mut conversation = proved(asked());
        assert!(matches!(conversation.receive(&text.as_bytes()[..end]), Ok(Step::Wait)), "{end}");
        assert!(matches!(conversation.broken_off(), ClientError::Interrupted), "{end}");
        let Ok(Step::Response(whole)) = conversation.receive(&text.as_bytes()[end..]) else { panic!("{end}") };
        assert_eq!(whole, Response { is_pending: true, body: b"{}".to_vec(), protocol: None });
    }
    let mut conversation = proved(asked());
    assert!(matches!(conversation.receive(format!("{text} ").as_bytes()), Err(ClientError::Response)));
}

#[test]
fn an_error_of_the_server_is_one() {
    let problem = "{\"title\":\"t\",\"status\":401,\"code\":\"unauthorized\",\"detail\":\"No.\"}";
    for request in [asked(), Request::for_events()] {
        let told = proved(request.clone()).receive(answer("401 Unauthorized", problem).as_bytes());
        assert!(matches!(&told, Err(ClientError::Problem(problem)) if problem.detail == "No."), "{told:?}");
        let broken = proved(request).receive(answer("500 Internal Server Error", "oops").as_bytes());
        assert!(matches!(broken, Err(ClientError::Response)));
    }
}

#[test]
fn events_come_until_the_stream_ends() {
    let data = "data: {\"type\":\"policy_changed\"}\n\n: a comment\ndata: {\"type\":\"of tomorrow\"}\n\n";
    let text = format!("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n{:x}\r\n{data}\r\n0\r\n\r\n", data.len());
    for end in 0..text.len() - "\r\n".len() {
        let mut conversation = proved(Request::for_events());
        let mut found = Vec::new();
        let mut ended = false;
        let (first, second) = text.as_bytes().split_at(end);
        for piece in [first, second] {
            match conversation.receive(piece) {
                Ok(Step::Wait) => {}
                Ok(Step::Events { events, is_over }) => {
                    found.extend(events);
                    ended = is_over;
                }
                other => panic!("{end}: {other:?}"),
            }
            assert!(matches!(conversation.broken_off(), ClientError::Interrupted));
        }
        assert!(ended && matches!(found[..], [Event::PolicyChanged(_)]), "{end}: {found:?}");
    }
}

#[test]
fn a_stream_is_no_answer_and_an_answer_is_no_stream() {
    let chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n";
    assert!(matches!(proved(asked()).receive(chunked.as_bytes()), Err(ClientError::Response)));
    assert!(matches!(proved(Request::for_events()).receive(RIGHT.as_bytes()), Err(ClientError::Response)));
}

#[test]
fn a_terminal_sends_no_token() {
    let place = ServerAddress::Port(PLACE.parse().unwrap());
    let nonce = Nonce("5eed".repeat(16));
    let (mut conversation, _) = Conversation::begin(place, &token(), ClientIdentity::Terminal, asked(), nonce).unwrap();
    let Ok(Step::Send(request)) = conversation.receive(proof(TOKEN, PLACE).as_bytes()) else { panic!() };
    assert!(!String::from_utf8(request).unwrap().contains("c0ffee"));
}

#[test]
fn no_challenge_comes_twice() {
    assert_ne!(Nonce::random().unwrap().0, Nonce::random().unwrap().0);
}
