//! The machine that an address leads to, as a program resolves it.

use std::net::Ipv4Addr;

/// Where an address leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Destination {
    /// The host as it is resolved: small letters, every other one in Punycode (UTS 46).
    pub ascii: String,
    /// The host as it is written.
    pub written: String,
    /// The address that the host is, where it is a number (WHATWG URL, "IPv4 parser").
    pub address: Option<Ipv4Addr>,
    /// What stands in front of an `@`, without a password.
    pub user: Option<String>,
}

/// The machine that `address`, as `https://host/path`, leads to. `None`: it names none, or programs read it differently.
#[must_use]
pub fn host_of(address: &str) -> Option<Destination> {
    let address = address.trim_matches(' ');
    // Browsers drop some of these, and take a backslash for a slash; other programs do not.
    if address.contains(|character: char| character.is_whitespace() || character.is_control() || character == '\\') {
        return None;
    }
    let (scheme, rest) = address.split_once("://")?;
    let is_scheme = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    if scheme.is_empty() || !scheme.bytes().all(is_scheme) {
        return None;
    }
    let authority = rest.split(['/', '?', '#']).next()?;
    let (user, host) = authority.rsplit_once('@').map_or((None, authority), |(user, host)| (Some(user), host));
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    let host = match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((inside, port)) if port.is_empty() || port.strip_prefix(':').is_some_and(is_port) => {
            inside.parse::<std::net::Ipv6Addr>().ok()?;
            host.split_inclusive(']').next()?
        }
        Some(_) => return None,
        None => match host.rsplit_once(':') {
            Some((host, port)) if is_port(port) => host,
            Some(_) => return None,
            None => host,
        },
    };
    // Some programs decode it.
    if host.is_empty() || host.contains('%') {
        return None;
    }
    let ascii = if host.starts_with('[') { host.to_ascii_lowercase() } else { idna::domain_to_ascii(host).ok()? };
    let number = ipv4(&ascii).filter(|number| number.to_string() != ascii);
    let name = |user: &str| user.split(':').next().unwrap_or_default().to_owned();
    let user = user.map(name).filter(|user| user.contains('.'));
    let is_same = host.to_ascii_lowercase() == ascii;
    let written = if is_same { ascii.clone() } else { host.to_owned() };
    Some(Destination { ascii, written, address: number, user })
}

/// `2130706433`, `0x7f.1`, `0177.0.0.1`.
fn ipv4(host: &str) -> Option<Ipv4Addr> {
    let host = host.strip_suffix('.').unwrap_or(host);
    let number = |part: &str| match part.strip_prefix("0x") {
        Some("") => Some(0),
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None if part.len() > 1 && part.starts_with('0') => u32::from_str_radix(part, 8).ok(),
        None => part.parse().ok(),
    };
    let parts: Vec<u32> = host.split('.').map(number).collect::<Option<_>>()?;
    let (last, front) = parts.split_last()?;
    let free = 8 * (4_u32.checked_sub(u32::try_from(front.len()).ok()?)?);
    if front.iter().any(|part| *part > 255) || free < 32 && u64::from(*last) >= 1_u64.checked_shl(free)? {
        return None;
    }
    let high = front.iter().fold(0_u32, |all, part| (all << 8) | part);
    let high = if front.is_empty() { 0 } else { high.checked_shl(free).unwrap_or(0) };
    Some(Ipv4Addr::from(high | last))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(address: &str) -> Option<String> {
        host_of(address).map(|host| host.ascii)
    }

    #[test]
    fn the_host_is_what_a_program_resolves() {
        for (address, found) in [
            ("https://docs.rs/serde", Some("docs.rs")),
            ("HTTPS://Docs.RS:443", Some("docs.rs")),
            ("https://github.com@evil.example/x", Some("evil.example")),
            ("https://evil.example/@github.com", Some("evil.example")),
            ("https://evil.example?@github.com", Some("evil.example")),
            ("https://evil.example#@github.com", Some("evil.example")),
            ("https://p\u{430}ypal.com/", Some("xn--pypal-4ve.com")),
            ("https://stra\u{df}e.de", Some("xn--strae-oqa.de")),
            ("http://[::1]:80/", Some("[::1]")),
            ("https://evil.example\\@github.com", None),
            ("https://a b/", None),
            ("https://ev\til.example", None),
            ("https://%65vil.example", None),
            ("https:///x", None),
            ("docs.rs", None),
        ] {
            assert_eq!(host(address).as_deref(), found, "{address}");
        }
        let user = |address| host_of(address).and_then(|host| host.user);
        assert_eq!(user("https://github.com:x@evil.example").as_deref(), Some("github.com"));
        assert_eq!(user("ssh://git@github.com/x"), None);
    }

    #[test]
    fn a_number_is_an_address() {
        let address = |text: &str| host_of(text).and_then(|host| host.address).map(|address| address.to_string());
        for (text, found) in [
            ("http://2130706433/", Some("127.0.0.1")),
            ("http://0x7f.1/", Some("127.0.0.1")),
            ("http://0177.0.0.1/", Some("127.0.0.1")),
            ("http://127.1/", Some("127.0.0.1")),
            ("http://127.0.0.1/", None),
            ("http://256.1.1.1/", None),
            ("http://a.1/", None),
        ] {
            assert_eq!(address(text).as_deref(), found, "{text}");
        }
    }
}
