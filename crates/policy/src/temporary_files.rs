//! The temporary files that a call names: what it may be let do with them beside its project.

use handraise_shell::path::{components, is_within};

use crate::control_files::is_control;
use crate::path::{WordPath, word_paths};
use crate::scratch_files::{is_scratch, is_temporary};
use crate::written::{WrittenPath, written_paths};
use crate::{Request, ResolvedPath};

/// The files and folders among the temporary ones that a call names, each an absolute path, once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TemporaryFiles {
    /// What was there before its session made anything.
    pub read: Vec<String>,
    /// What calls of its session have made, and the agent's own drafts.
    pub write: Vec<String>,
    /// What it may make where nothing is: of several folders that are not there, the first.
    pub made: Vec<String>,
}

impl TemporaryFiles {
    /// Those that `request` names, as the file system sees them. None of them holds credentials or is protected, and none
    /// is a folder for temporary files itself.
    #[must_use]
    pub fn of(request: &Request) -> Self {
        Self::among(request, written(request).chain(named(request)))
    }

    /// Those that `request` may write, likewise.
    #[must_use]
    pub fn written(request: &Request) -> Self {
        Self { read: Vec::new(), ..Self::among(request, written(request)) }
    }

    fn among<'a>(request: &Request, facts: impl Iterator<Item = &'a ResolvedPath>) -> Self {
        let (mut found, home) = (Self::default(), request.home.as_deref());
        for fact in facts {
            let (list, path) = match &fact.missing_from {
                Some(first) => (&mut found.made, first),
                None if fact.is_made_by_session || is_scratch(&fact.path, home) => (&mut found.write, &fact.path),
                None => (&mut found.read, &fact.path),
            };
            if is_apart(path, request) && !list.contains(path) {
                list.push(path.clone());
            }
        }
        found
    }
}

/// What `request` may write.
fn written(request: &Request) -> impl Iterator<Item = &ResolvedPath> {
    let named = written_paths(request).into_iter().filter_map(|path| match path {
        WrittenPath::Named(text) => Some(text),
        WrittenPath::Found { .. } => None,
    });
    let facts = named.filter_map(|text| request.paths.get(&text));
    facts.filter(|fact| is_ordinary(fact, request.home.as_deref()))
}

/// What the command line of `request` names and is there: programs, files that are read, and whatever else.
fn named(request: &Request) -> impl Iterator<Item = &ResolvedPath> {
    let parts = request.command.iter().flat_map(|line| &line.parts);
    let words = parts.flat_map(|part| {
        let words = part.words.iter().chain(&part.reads);
        words.flat_map(move |word| word_paths(part, word).into_iter().filter_map(WordPath::into_text))
    });
    let facts = words.filter_map(|text| request.paths.get(&text));
    facts.filter(|fact| is_ordinary(fact, request.home.as_deref()) && !fact.is_missing)
}

/// It is neither protected nor a credential, and decides nothing about what runs elsewhere, as a hook of another repository.
fn is_ordinary(fact: &ResolvedPath, home: Option<&str>) -> bool {
    fact.protected.is_none() && !fact.is_credential && fact.holds.is_empty() && !is_control(&fact.path, home)
}

/// Names of folders in which other programs keep their sockets and files, and how they begin: tmpfiles.d(5) of X11 and
/// systemd, ssh-agent(1), tmux(1), "handraise-confine".
const OF_OTHERS: &[&str] =
    &[".", "ssh-", "systemd-private-", "snap-private-tmp", "snap.", "tmux-", "handraise", "dbus-"];

/// Whether `path` is below a folder for temporary files, and lies neither in the project nor in a folder that other programs
/// keep there.
fn is_apart(path: &str, request: &Request) -> bool {
    let parts: Vec<&str> = components(path).collect();
    let below = parts.iter().position(|part| *part == "tmp").and_then(|at| parts.get(at + 1));
    let in_project = request.project.as_deref().is_some_and(|project| is_within(path, project));
    is_temporary(path)
        && !in_project
        && below.is_some_and(|first| !OF_OTHERS.iter().any(|start| first.starts_with(start)))
}

#[cfg(test)]
mod tests {
    use handraise_shell::{CommandLine, Shell};

    use super::*;
    use crate::test_support::request;
    use crate::{Subject, ToolClass};

    /// What `line` names where `there` is there, and of that `own` was made by the session.
    fn of(line: &str, there: &[&str], own: &[&str]) -> TemporaryFiles {
        let command = CommandLine::analyse(line, Shell::Bash);
        let subject = Subject::Command { line: line.to_owned() };
        let request = Request { class: ToolClass::Shell, subject, command: Some(command), ..request("Bash", "{}") };
        let fact = |text: String| {
            let is_missing = !there.contains(&text.as_str());
            let missing_from = is_missing.then(|| text.clone());
            let is_made_by_session = own.contains(&text.as_str());
            let resolved = ResolvedPath::new(text.clone());
            (text, ResolvedPath { is_missing, missing_from, is_made_by_session, ..resolved })
        };
        let paths = request.path_candidates().into_iter().map(|candidate| fact(candidate.text)).collect();
        TemporaryFiles::of(&Request { paths, ..request })
    }

    fn files(read: &[&str], write: &[&str], made: &[&str]) -> TemporaryFiles {
        let all = |paths: &[&str]| paths.iter().map(|path| (*path).to_owned()).collect();
        TemporaryFiles { read: all(read), write: all(write), made: all(made) }
    }

    #[test]
    fn what_a_line_names_among_the_temporary_files_is_found() {
        for (line, expected) in [
            ("python3 /tmp/t.py", files(&["/tmp/t.py"], &[], &[])),
            ("python3 /tmp/t.py > /tmp/out", files(&["/tmp/t.py"], &[], &["/tmp/out"])),
            ("go build -o /tmp/x . && /tmp/own a", files(&[], &["/tmp/own"], &["/tmp/x"])),
            ("make 2>&1 | tee /tmp/log", files(&[], &[], &["/tmp/log"])),
            ("make > /tmp/own", files(&[], &["/tmp/own"], &[])),
            ("make < /tmp/t.py", files(&["/tmp/t.py"], &[], &[])),
            ("make src /srv/tmp/t.py", files(&[], &[], &[])),
            (
                "node /tmp/claude-1000/-a/8f/scratchpad/x.js",
                files(&[], &["/tmp/claude-1000/-a/8f/scratchpad/x.js"], &[]),
            ),
        ] {
            let there = ["/tmp/t.py", "/tmp/own", "/srv/tmp/t.py", "/tmp/claude-1000/-a/8f/scratchpad/x.js"];
            assert_eq!(of(line, &there, &["/tmp/own"]), expected, "{line}");
        }
    }

    #[test]
    fn folders_of_others_and_the_whole_are_not_among_them() {
        for path in [
            "/tmp",
            "/tmp/other/.git/hooks/pre-commit",
            "/tmp/x/package.json",
            "/tmp/.X11-unix/X0",
            "/tmp/ssh-x/agent.1",
            "/tmp/handraise-confine-1000/a",
            "/etc/passwd",
        ] {
            assert_eq!(of(&format!("./x {path}"), &[path], &[]), files(&[], &[], &[]), "{path}");
            assert_eq!(of(&format!("./x -o {path}"), &[], &[]), files(&[], &[], &[]), "{path}");
        }
    }
}
