//! The temporary files that a call names: what it may be let do with them beside its project.

use handraise_shell::Word;
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
    /// is a folder for temporary files itself, or one that somebody else has made.
    #[must_use]
    pub fn of(request: &Request) -> Self {
        let (mut found, home) = (Self::default(), request.home.as_deref());
        for fact in written(request).chain(named(request)) {
            let (list, path) = match &fact.missing_from {
                // It comes into a folder of the session's own, which is there.
                Some(first) if fact.is_made_by_session => match first.rsplit_once('/') {
                    Some((folder, _)) => (&mut found.write, folder),
                    None => continue,
                },
                Some(first) if is_directly_in(first) => (&mut found.made, first.as_str()),
                None if fact.is_made_by_session || is_scratch(&fact.path, home) => {
                    (&mut found.write, fact.path.as_str())
                }
                // What lies in a folder may be anything.
                None if !fact.is_folder => (&mut found.read, fact.path.as_str()),
                Some(_) | None => continue,
            };
            if is_within(path, SHARED) && is_apart(path, request) && !list.iter().any(|known| known == path) {
                list.push(path.to_owned());
            }
        }
        found
    }
}

/// The temporary files and folders that the shell of `request` makes for certain, at once, and where nothing is: what the first
/// command of its line is redirected to, and what it makes where it is `mkdir` or `touch`.
#[must_use]
pub fn surely_made(request: &Request) -> Vec<String> {
    let Some(line) = request.understood_command() else { return Vec::new() };
    let Some(part) = line.parts.first() else { return Vec::new() };
    // Not in a branch, and not behind a redirection of a group, which may fail.
    let is_first = line.text.trim_start().starts_with(&part.text);
    let is_plain = is_first && part.reads.is_empty() && part.wrappers.is_empty() && part.assignments.is_empty();
    let (options, operands): (Vec<&Word>, Vec<&Word>) =
        part.words.iter().skip(1).partition(|word| word.text.starts_with('-'));
    let makes_folders_around = options.iter().any(|option| matches!(option.text.as_str(), "-p" | "-pv" | "--parents"));
    // Of several redirections one may fail before the next one makes its file.
    let written: Vec<&Word> = part.writes.iter().filter(|word| word.text != "/dev/null").collect();
    let made: Vec<(&Word, bool)> = match (part.program(), written.as_slice()) {
        (Some("mkdir"), []) if options.is_empty() || makes_folders_around => {
            operands.into_iter().map(|word| (word, makes_folders_around)).collect()
        }
        (Some("touch"), []) if options.is_empty() => operands.into_iter().map(|word| (word, false)).collect(),
        (_, [only]) => vec![(*only, false)],
        _ => Vec::new(),
    };
    let fact = |(word, around): (&Word, bool)| {
        let fact = part.path(word).and_then(|text| request.paths.get(&text))?;
        let first = fact.missing_from.as_ref().filter(|first| around || **first == fact.path)?;
        let is_fine = is_ordinary(fact, request.home.as_deref()) && may_be_made(fact, request);
        is_fine.then(|| first.clone())
    };
    if is_plain { made.into_iter().filter_map(fact).collect() } else { Vec::new() }
}

/// Whether a call may make what `fact` says is not there: directly in a folder for temporary files, under a name that no other
/// program goes by, or in a folder that its session has made. In a folder of somebody else it would be taken for theirs: a hook
/// of a repository, a module of a Python.
pub(crate) fn may_be_made(fact: &ResolvedPath, request: &Request) -> bool {
    let is_draft = is_scratch(&fact.path, request.home.as_deref());
    fact.missing_from.as_deref().is_some_and(|first| {
        is_draft
            || (fact.is_made_by_session || is_directly_in(first))
                && [first, &fact.path].iter().all(|path| is_apart(path, request))
    })
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
pub(crate) fn is_ordinary(fact: &ResolvedPath, home: Option<&str>) -> bool {
    fact.protected.is_none() && !fact.is_credential && fact.holds.is_empty() && !is_control(&fact.path, home)
}

/// The folder whose files walls let through.
const SHARED: &str = "/tmp";
/// How names begin that other programs look for among the temporary files, to run or to trust what lies there. Sockets and
/// credentials: tmpfiles.d(5) of X11 and systemd, ssh-agent(1), tmux(1), screen(1), gpg-agent(1), GNOME Keyring, PulseAudio,
/// Emacs, VS Code, Firefox, Kerberos, the Grid's certificates, "handraise-confine". Caches of code: tsx, jiti, Node.js'
/// `NODE_COMPILE_CACHE`, v8-compile-cache, Jest, PyTorch, PHPStan, HotSpot, pytest.
const OF_OTHERS: &[&str] = &[
    ".",
    "ssh-",
    "systemd-private-",
    "snap-private-tmp",
    "snap.",
    "tmux-",
    "handraise",
    "dbus-",
    "screen",
    "uscreen",
    "gpg-",
    "keyring-",
    "pulse-",
    "emacs",
    "vscode-",
    "mozilla_",
    "krb5cc",
    "x509up_",
    "tsx-",
    "jiti",
    "node-jiti",
    "node-compile-cache",
    "v8-compile-cache",
    "jest_",
    "torchinductor_",
    "phpstan",
    "hsperfdata_",
    "pytest-of-",
    "bunx-",
    "par-",
    "metro-",
    "haste-map",
    "nvim",
];
/// Names that tools look for in every folder above the one that they work in: those of Node.js, pytest, Invoke, Fabric, gulp,
/// Grunt, SCons, Bazel, TypeScript, MSBuild, agents; and of a repository that is a folder itself (gitrepository-layout(5)).
const LOOKED_FOR: &[&str] = &[
    "node_modules",
    "conftest.py",
    "pytest.ini",
    "package.json",
    "tasks.py",
    "fabfile.py",
    "gulpfile.js",
    "gulpfile.mjs",
    "gulpfile.ts",
    "jakefile.js",
    "cakefile",
    "gems.rb",
    "capfile",
    "thorfile",
    "wscript",
    "dune-project",
    "gruntfile.js",
    "sconstruct",
    "workspace",
    "module.bazel",
    "tsconfig.json",
    "jsconfig.json",
    "directory.packages.props",
    "claude.md",
    "agents.md",
    "gemini.md",
    "config",
    "objects",
    "refs",
    "hooks",
    "info",
    "commondir",
];
/// What makes a folder a repository, whose settings git(1) obeys wherever it is started below it.
const MARK_OF_REPOSITORIES: &str = "head";

/// Whether `path` lies directly in a folder for temporary files.
fn is_directly_in(path: &str) -> bool {
    let parts: Vec<&str> = components(path).collect();
    matches!(parts.as_slice(), ["tmp", _] | ["private" | "var", "tmp", _] | ["dev", "shm", _])
}

/// Whether `path` is below a folder for temporary files, and lies neither in the project nor under a name there that other
/// programs look for.
fn is_apart(path: &str, request: &Request) -> bool {
    let parts: Vec<&str> = components(path).collect();
    let below = parts.iter().position(|part| ["tmp", "shm"].contains(part)).and_then(|at| parts.get(at + 1));
    let in_project = request.project.as_deref().is_some_and(|project| is_within(path, project));
    let user = request.home.as_deref().and_then(|home| components(home).next_back());
    let is_of_others = |first: &str| {
        let lower = first.to_ascii_lowercase();
        // `vite.config.ts`, and what has the user in its name, by name or by number.
        let is_setting = lower.split_once(".config.").is_some_and(|(tool, _)| !tool.is_empty());
        let of_user = lower.rsplit_once(['-', '_']).is_some_and(|(_, end)| {
            user.is_some_and(|user| user.eq_ignore_ascii_case(end))
                || (3..=6).contains(&end.len()) && end.bytes().all(|byte| byte.is_ascii_digit())
        });
        OF_OTHERS.iter().any(|start| lower.starts_with(start))
            || LOOKED_FOR.contains(&lower.as_str())
            || is_setting
            || of_user
    };
    is_temporary(path)
        && !in_project
        && !parts.iter().any(|part| part.eq_ignore_ascii_case(MARK_OF_REPOSITORIES))
        && below.is_some_and(|first| !is_of_others(first) || is_scratch(path, request.home.as_deref()))
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
            let is_there = |path: &str| {
                there
                    .iter()
                    .any(|one| one.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
                    || ["/", "/tmp", "/var/tmp", "/srv/tmp", ""].contains(&path)
            };
            let is_missing = !is_there(&text);
            let above: Vec<&str> =
                text.match_indices('/').filter_map(|(at, _)| text.get(..at)).chain([text.as_str()]).collect();
            let missing_from = above.iter().find(|path| !is_there(path)).map(|path| (*path).to_owned());
            let is_made_by_session = above.iter().any(|path| own.contains(path));
            let is_folder = !text.contains('.') && there.contains(&text.as_str());
            let resolved = ResolvedPath::new(text.clone());
            (text.clone(), ResolvedPath { is_missing, missing_from, is_made_by_session, is_folder, ..resolved })
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
            // In folders of somebody else.
            ("make > /tmp/theirs/out", files(&[], &[], &[])),
            ("python3 x.py /tmp/theirs", files(&[], &[], &[])),
            ("python3 x.py /tmp/theirs/hooks/update", files(&[], &[], &[])),
            // In a folder of the session's own.
            ("python3 x.py /tmp/own/out", files(&[], &["/tmp/own"], &[])),
            ("python3 x.py /tmp/new/deep/out", files(&[], &[], &["/tmp/new"])),
            ("python3 x.py /var/tmp/new", files(&[], &[], &[])),
            (
                "node /tmp/claude-1000/-a/8f/scratchpad/x.js",
                files(&[], &["/tmp/claude-1000/-a/8f/scratchpad/x.js"], &[]),
            ),
        ] {
            let there =
                ["/tmp/t.py", "/tmp/own", "/tmp/theirs", "/srv/tmp/t.py", "/tmp/claude-1000/-a/8f/scratchpad/x.js"];
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
            "/tmp/node_modules/x",
            "/tmp/conftest.py",
            "/tmp/vite.config.ts",
            "/tmp/tsx-1000/x",
            "/tmp/pytest-of-ann",
            "/tmp/torchinductor_ann/x",
            "/tmp/x509up_u1000",
            "/etc/passwd",
        ] {
            assert_eq!(of(&format!("./x {path}"), &[path], &[]), files(&[], &[], &[]), "{path}");
            assert_eq!(of(&format!("./x -o {path}"), &[], &[]), files(&[], &[], &[]), "{path}");
        }
    }
}
