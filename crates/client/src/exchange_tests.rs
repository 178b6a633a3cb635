use super::*;

fn parsed(answer: &str) -> Option<Option<(u16, String)>> {
    let parsed = parse(answer.as_bytes()).ok()?;
    Some(parsed.map(|reply| (reply.status, String::from_utf8(reply.body).unwrap())))
}

#[test]
fn an_answer_counts_once_it_is_whole() {
    let answer = "HTTP/1.1 202 Accepted\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
    for end in 0..answer.len() {
        assert_eq!(parsed(answer.get(..end).unwrap()), Some(None), "{end}");
    }
    assert_eq!(parsed(answer), Some(Some((202, "{}".to_owned()))));
}

#[test]
fn an_answer_of_doubtful_length_is_none() {
    for headers in [
        "",
        "Transfer-Encoding: chunked\r\n",
        "Content-Length: -2\r\n",
        "Content-Length: 1\r\n",
        "Content-Length: 2\r\nContent-Length: 2\r\n",
        "Content-Length: 99999999999\r\n",
    ] {
        assert_eq!(parsed(&format!("HTTP/1.1 200 OK\r\n{headers}\r\n{{}}")), None, "{headers}");
    }
    assert_eq!(parsed("SSH-2.0-OpenSSH_9.2\r\n"), None);
    assert_eq!(parsed(&format!("HTTP/1.1 200 OK\r\nX: {}", "x".repeat(LARGEST_HEAD))), None);
}
