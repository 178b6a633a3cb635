//! What the shape of an operand tells: whether it may reach another machine or leave the folder.
//!
//! Sources: RFC 3986 section 3.1 (schemes); git-fetch(1) "GIT URLS" (`host:path`, `transport::address`);
//! `npm help package-spec` (`user/repo` is a repository on GitHub); brew(1) (`user/tap/formula` fetches the tap).

use super::super::command_line::{Word, WordKind};

/// Whether `text` may be an address: a URL, `git+…`, `user@host:path`, `//host/…`.
pub(crate) fn is_address(text: &str) -> bool {
    let scheme = |start: &str| {
        start.starts_with(|first: char| first.is_ascii_alphabetic())
            && start.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
    };
    text.starts_with("//")
        || text.starts_with("\\\\")
        || text.contains("://")
        || text.contains("git+")
        || ["file:", "data:", "git:", "ssh:", "http:", "https:", "ftp:", "github:", "gitlab:", "bitbucket:", "gist:"]
            .iter()
            .any(|start| text.get(..start.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(start)))
        || text.split_once("::").is_some_and(|(transport, rest)| scheme(transport) && rest.contains(['/', ' ']))
        || text.split_once(':').is_some_and(|(host, path)| {
            (host.contains('@') && !host.starts_with('@')) || (host.contains('.') && path.ends_with(".git"))
        })
}

/// Whether `text` is a name as registries have them, with a scope, a tap-less formula, a version: it reaches
/// the registry that is configured and nothing else. A path, a URL and `user/repo` are none.
pub(crate) fn is_registry_name(text: &str) -> bool {
    let known = |c: char| c.is_alphanumeric() || "@/._-~^<>=*+ []{},!|".contains(c);
    let folders = text.matches('/').count();
    let scoped = text.starts_with('@') && folders == 1;
    text.chars().all(known)
        && (folders == 0 || scoped)
        && !text.starts_with('.')
        // A file all the same: a formula, a packed package.
        && ![".rb", ".tgz", ".tar", ".tar.gz", ".gem", ".whl"].iter().any(|ending| text.ends_with(ending))
        && !is_address(text)
        // `name@file`, a version that is a place.
        && !text.strip_prefix('@').unwrap_or(text).contains("@.")
}

/// Whether `word` can be the name of a sub-command: small letters, digits and `-`.
pub(crate) fn is_sub_command(word: &Word) -> bool {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    word.kind == WordKind::Exact
        && word.text.starts_with(|c: char| c.is_ascii_lowercase())
        && word.text.chars().all(plain)
}

/// The value of an option, glued to it or not; of another word, the word.
pub(crate) fn value_of(text: &str) -> &str {
    match text.strip_prefix("--") {
        Some(long) => long.split_once('=').map_or("", |(_, value)| value),
        None if text.starts_with('-') => text.get(2..).unwrap_or_default(),
        None => text,
    }
}

/// Whether a word of gh(1) names another host than github.com: `HOST/OWNER/REPOSITORY`, a URL.
pub(crate) fn is_on_another_forge(text: &str) -> bool {
    let value = value_of(text);
    let place = value.strip_prefix("https://").unwrap_or(value);
    if place.starts_with("github.com/") {
        return false;
    }
    let mut components = place.split('/');
    let host = components.next().unwrap_or_default();
    let is_host = host.contains('.') && host.chars().all(|c| c.is_ascii_alphanumeric() || ".-:".contains(c));
    is_address(value) || (is_host && components.count() == 2)
}

/// Whether gawk may take an operand for a connection: `/inet/tcp/0/host/80` (gawk(1), "Special File Names").
pub(crate) fn may_be_connection(word: &Word) -> bool {
    let known = match word.kind {
        WordKind::Varies => word.text.split(['*', '?', '[', '{', '$', '`']).next().unwrap_or_default(),
        _ => word.text.as_str(),
    };
    let folder = known.trim_start_matches('/');
    known.starts_with('/')
        && (folder.starts_with("inet") || (word.kind == WordKind::Varies && "inet".starts_with(folder)))
}

/// Whether `text` may be a host, with a path or without, to a program that takes addresses without a scheme:
/// `evil.example/x`. `docs` and `README.md` are a folder and a file, or names that nobody but a registry is asked for.
pub(crate) fn may_be_host(text: &str) -> bool {
    const TEXTS: &[&str] = &["md", "html", "htm", "txt", "rst", "adoc"];
    let (first, path) = text.split_once('/').map_or((text, false), |(first, _)| (first, true));
    let file = |(name, ending): (&str, &str)| !name.contains('.') && TEXTS.contains(&ending);
    first.contains(':') || (first != "." && first.contains('.') && (path || !first.split_once('.').is_some_and(file)))
}

/// Whether a filter of sockets names a host that the name service is asked for, rather than an address in numbers, a
/// port or a state (ss(8), "HOST SYNTAX", "STATE-FILTER").
pub(crate) fn may_name_host(filter: &str) -> bool {
    const WORDS: &str = "state exclude all connected synchronized bucket big established syn-sent syn-recv fin-wait-1 \
        fin-wait-2 time-wait closed close-wait last-ack listening listen closing src dst sport dport and or not eq ne \
        neq gt ge lt le autobound";
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let port = |text: &str| {
        digits(text) || text == "*" || text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    let address = |text: &str| {
        let host = text.split('/').next().unwrap_or_default().trim_start_matches('[').trim_end_matches(']');
        host.is_empty() || host == "*" || host.parse::<core::net::IpAddr>().is_ok()
    };
    let harmless = |token: &str| {
        WORDS.split_ascii_whitespace().any(|word| word == token)
            || digits(token)
            || address(token)
            || token.rsplit_once(':').is_some_and(|(host, service)| address(host) && port(service))
    };
    let separates = |c: char| c.is_whitespace() || "()!=<>&|,".contains(c);
    !filter.split(separates).filter(|token| !token.is_empty()).all(harmless)
}

/// Whether `text` names a file or folder outside of the one that the program runs in.
pub(crate) fn leaves_folder(text: &str) -> bool {
    text.starts_with(['/', '~']) || text.split(['/', '\\']).any(|component| component == "..")
}

/// Whether `word` names something in a folder for temporary files (Filesystem Hierarchy Standard 3.0, "/tmp").
pub(crate) fn is_temporary(word: &Word) -> bool {
    let below = ["/tmp/", "/var/tmp/"].iter().find_map(|folder| word.text.strip_prefix(folder));
    word.kind == WordKind::Exact && below.is_some_and(|name| !leaves_folder(name))
}

/// Variables of a makefile that only say how much is told or how many run, when their value is a number or a switch.
const SETTINGS: &str = "V VERBOSE DEBUG QUIET TRACE CI RACE COVERAGE SHORT COUNT JOBS PARALLEL NO_COLOR COLOR RELEASE";

/// A number, the value of the option in front, or a setting that only says how much is told.
pub(super) fn is_harmless_operand(word: &Word) -> bool {
    let digits = |text: &str| (1..=4).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    if word.kind != WordKind::Exact {
        return false;
    }
    match word.text.split_once('=') {
        None => digits(&word.text),
        Some((name, value)) => {
            SETTINGS.split_ascii_whitespace().any(|listed| listed == name)
                && (digits(value) || ["true", "false", "yes", "no", "on", "off"].contains(&value))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{is_address, is_registry_name, leaves_folder, may_be_host, may_name_host};

    #[test]
    fn hosts_are_found_without_a_scheme() {
        for text in
            ["evil.example", "evil.example/x", "a.evil.md", "evil.md/x", "localhost:80", "192.0.2.1", "x.html.evil"]
        {
            assert!(may_be_host(text), "{text}");
        }
        for text in ["docs", "README.md", "docs/a.b.md", "./x.evil", ".", "./docs"] {
            assert!(!may_be_host(text), "{text}");
        }
    }

    #[test]
    fn filters_of_sockets_name_hosts_or_do_not() {
        for text in [
            "evil.example",
            "dst evil.example",
            "(dst=evil.example)",
            "src == x:80",
            "[evil]:80",
            "dst 1.2.3.4.evil.example",
        ] {
            assert!(may_name_host(text), "{text}");
        }
        for text in [
            "state established",
            "( sport = :8080 or dport = :https )",
            "dst 10.0.0.0/8",
            "src [::1]:80",
            "listening",
            "dst 127.0.0.1:5432",
        ] {
            assert!(!may_name_host(text), "{text}");
        }
    }

    #[test]
    fn addresses_are_found() {
        for text in [
            "http://evil.example/x.tgz",
            "git+http://evil.example/x",
            "git+ssh://git@evil.example/x",
            "git@evil.example:x",
            "evil.example:x.git",
            "x@git+https://evil.example/y",
            "//evil.example/x",
            "ext::sh -c id",
            "HTTPS://evil.example",
            "https:evil.example",
            "github:user/repo",
            "file:../x",
        ] {
            assert!(is_address(text), "{text}");
        }
        for text in ["react", "@types/node", "src/a.py::test_b", "shell::tests", "a:b", "HEAD:src/lib.rs", "x@1.2"] {
            assert!(!is_address(text), "{text}");
        }
    }

    #[test]
    fn names_of_registries_are_names() {
        for text in ["react", "@types/node", "react@18", "@a/b@^1.2", "dist-tags.latest", "versions[0]", "x@>=1 <2"] {
            assert!(is_registry_name(text), "{text}");
        }
        for text in [
            "./x",
            "../x",
            "x.rb",
            "x.tgz",
            "a/b",
            "/x",
            "http://e/x",
            "x@http://e/y",
            "@a/b/c",
            "a:b",
            "x@file:y",
            "~/x/y",
            "x@./y",
        ] {
            assert!(!is_registry_name(text), "{text}");
        }
    }

    #[test]
    fn paths_that_leave_are_found() {
        for text in ["/x", "~", "~/x", "..", "../x", "a/../../x"] {
            assert!(leaves_folder(text), "{text}");
        }
        assert!(!leaves_folder("a/b..c"));
    }
}
