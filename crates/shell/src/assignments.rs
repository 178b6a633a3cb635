//! Assignments in front of a command that change nothing about what it may do.

/// Names with the only values that are accepted, `*` for any plain word: switches for output,
/// language and logging that neither name a program or file nor load code.
///
/// Sources: no-color.org, consoledonottrack.com, bash manual "Bash Variables" (`LC_*`), The Rust
/// Standard Library `std::backtrace`, `env_logger`, Node.js `NODE_ENV`; git(1), "Environment Variables": with a number or
/// a truth value `GIT_TRACE…` writes to stderr, with anything else to a file; go(1), "Environment variables"; MSYS2,
/// "Filesystem Paths".
const HARMLESS: &[(&str, &[&str])] = &[
    ("CI", &["", "0", "1", "true", "false"]),
    ("NO_COLOR", &["", "0", "1", "true"]),
    ("FORCE_COLOR", &["", "0", "1", "2", "3", "true", "false"]),
    ("CLICOLOR", &["0", "1"]),
    ("CLICOLOR_FORCE", &["0", "1"]),
    ("CARGO_TERM_COLOR", &["auto", "always", "never"]),
    ("CARGO_INCREMENTAL", &["0", "1"]),
    ("RUST_BACKTRACE", &["0", "1", "full"]),
    ("RUST_LIB_BACKTRACE", &["0", "1", "full"]),
    ("RUST_LOG", &["*"]),
    ("LANG", &["C", "C.UTF-8", "en_US.UTF-8", "POSIX"]),
    ("LANGUAGE", &["C", "en"]),
    ("LC_ALL", &["C", "C.UTF-8", "en_US.UTF-8", "POSIX"]),
    ("LC_CTYPE", &["C", "C.UTF-8", "en_US.UTF-8", "POSIX"]),
    ("LC_COLLATE", &["C", "C.UTF-8", "en_US.UTF-8", "POSIX"]),
    ("LC_MESSAGES", &["C", "C.UTF-8", "en_US.UTF-8", "POSIX"]),
    ("LC_NUMERIC", &["C", "C.UTF-8", "en_US.UTF-8", "POSIX"]),
    ("LC_TIME", &["C", "C.UTF-8", "en_US.UTF-8", "POSIX"]),
    ("TZ", &["UTC", "UTC0", "GMT"]),
    ("NODE_ENV", &["test", "development", "production"]),
    ("DO_NOT_TRACK", &["1"]),
    ("TERM", &["dumb", "xterm", "xterm-256color"]),
    ("COLUMNS", &["80", "100", "120", "160", "200"]),
    ("DEBIAN_FRONTEND", &["noninteractive"]),
    ("PAGER", &["", "cat"]),
    ("GIT_PAGER", &["", "cat"]),
    ("GH_PAGER", &["", "cat"]),
    ("AWS_PAGER", &["", "cat"]),
    ("SYSTEMD_PAGER", &["", "cat"]),
    ("GIT_TRACE", &["0", "1", "2", "true", "false"]),
    ("GIT_TRACE_PERFORMANCE", &["0", "1", "2", "true", "false"]),
    ("GIT_TRACE_SETUP", &["0", "1", "2", "true", "false"]),
    ("GIT_TRACE_PACKET", &["0", "1", "2", "true", "false"]),
    ("GIT_TRACE_REFS", &["0", "1", "2", "true", "false"]),
    ("GIT_CURL_VERBOSE", &["0", "1"]),
    ("GOOS", &["*"]),
    ("GOARCH", &["*"]),
    ("CGO_ENABLED", &["0", "1"]),
    ("MSYS_NO_PATHCONV", &["0", "1"]),
    ("NODE_NO_WARNINGS", &["1"]),
    ("PYTHONIOENCODING", &["utf-8", "utf8", "UTF-8"]),
    ("PYTHONUTF8", &["0", "1"]),
    ("NEXT_TELEMETRY_DISABLED", &["1"]),
    ("PYTHONUNBUFFERED", &["1"]),
    ("PYTHONDONTWRITEBYTECODE", &["1"]),
];

/// Whether `NAME=value` in front of a command is on the short list.
pub(super) fn is_harmless(assignment: &str) -> bool {
    let Some((name, value)) = assignment.split_once('=') else { return false };
    HARMLESS
        .iter()
        .filter(|(listed, _)| *listed == name)
        .any(|(_, values)| values.iter().any(|listed| *listed == value || (*listed == "*" && is_plain(value))))
}

/// A log filter such as `info,server=debug`.
fn is_plain(value: &str) -> bool {
    value.chars().all(|character| character.is_ascii_alphanumeric() || "_:=,-".contains(character))
}

#[cfg(test)]
mod tests {
    use super::is_harmless;

    #[test]
    fn only_listed_names_with_listed_values_are_harmless() {
        for harmless in
            ["CI=1", "RUST_BACKTRACE=full", "LC_ALL=C", "RUST_LOG=info,server=debug", "GIT_TRACE=1", "GOOS=windows"]
        {
            assert!(is_harmless(harmless), "{harmless}");
        }
        for other in [
            "PATH=/x",
            "LD_PRELOAD=x",
            "GIT_TRACE=/tmp/x",
            "GIT_TRACE=a",
            "CI=$(x)",
            "RUST_BACKTRACE=2",
            "GIT_PAGER=x",
            "PAGER=cat x",
            "LANG=../x",
            "CI",
        ] {
            assert!(!is_harmless(other), "{other}");
        }
    }
}
