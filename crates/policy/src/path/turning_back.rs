//! Paths that go up behind a name: `a/../b`.
//!
//! A command inside walls may make `a` a link to another folder of its project, and then `a/..` is above that one. The walls
//! make no link that leads out by itself (`crates/confine`, `way_out.rs`), but of what goes up behind a link nobody can say
//! where it leads once a line runs beside such a command.

use super::word_path::{WordPath, part_paths, word_paths};
use crate::Request;
use crate::scratch_files::is_temporary;
use handraise_shell::path::{components, is_within};
use handraise_shell::{Part, Word, WordKind};

/// Whether a word that `part` runs or works on goes up behind a name that may become another folder's.
pub(crate) fn part_turns_back(request: &Request, part: &Part) -> bool {
    let mut words = part.words.first().into_iter().chain(part.naming_words());
    any_turns_back(request, part_paths(part))
        || words.any(|word| glob_turns_back(request, part, word))
        || part.settled().is_some_and(|settled| any_turns_back(request, part_paths(&settled)))
}

/// The same of one word of `part`.
pub(crate) fn word_turns_back(request: &Request, part: &Part, word: &Word) -> bool {
    any_turns_back(request, word_paths(part, word)) || glob_turns_back(request, part, word)
}

fn any_turns_back(request: &Request, paths: Vec<WordPath>) -> bool {
    paths.into_iter().filter_map(WordPath::into_text).any(|text| turns_back(request, &text))
}

/// What `*`, `?` and `[` stand for is found in the folders that are written out.
fn glob_turns_back(request: &Request, part: &Part, word: &Word) -> bool {
    let is_glob = word.kind == WordKind::Varies && word.text.contains("..");
    let literal = || part.path(&Word { text: word.text.clone(), kind: WordKind::Exact });
    is_glob && literal().is_some_and(|text| turns_back(request, &text))
}

/// Whether the path `text` goes up behind a name in a place where something inside walls may write, or leads through a link
/// that does.
pub(crate) fn turns_back(request: &Request, text: &str) -> bool {
    if request.paths.get(text).is_some_and(|fact| fact.turns_back) {
        return true;
    }
    if !text.contains("..") {
        return false;
    }
    let (home, cwd) = (request.home.as_deref(), request.cwd.as_deref());
    let project = request.project.as_deref().or(cwd);
    // The folder that it is seen from stays the same, whatever it is called by then.
    let (start, rest, stays) = match text.strip_prefix('~').filter(|rest| rest.starts_with('/')) {
        Some(rest) => (home, rest, home),
        None if text.starts_with('/') => (Some(""), text, None),
        None => (cwd, text, cwd),
    };
    let Some(start) = start else { return true };
    let mut place: Vec<&str> = components(start).collect();
    for name in components(rest) {
        if name != ".." {
            place.push(name);
            continue;
        }
        let above = format!("/{}", place.join("/"));
        let is_above = |folder: Option<&str>| folder.is_some_and(|folder| is_within(folder, &above));
        let is_in = |folder: Option<&str>| folder.is_some_and(|folder| is_within(&above, folder));
        let is_held = is_above(stays) || is_above(project);
        if !is_held && (is_in(project) || is_in(home) || is_temporary(&above)) {
            return true;
        }
        place.pop();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::request;
    use crate::{ResolvedPath, ToolClass};
    use handraise_shell::{CommandLine, Shell};

    fn shell(line: &str) -> Request {
        Request {
            class: ToolClass::Shell,
            cwd: Some("/home/ana/shop/web".into()),
            project: Some("/home/ana/shop".into()),
            home: Some("/home/ana".into()),
            command: Some(CommandLine::analyse(line, Shell::Bash)),
            ..request("Bash", "{}")
        }
    }

    fn line_turns_back(line: &str) -> bool {
        let request = shell(line);
        let last = request.command.as_ref().unwrap().parts.last().unwrap();
        part_turns_back(&request, last)
    }

    #[test]
    fn what_goes_up_behind_a_name_is_told() {
        for line in [
            "cat a/../b",
            "cat ./a/../../b",
            "cat /home/ana/shop/web/../b",
            "cat ~/.cargo/registry/../config",
            "cat /tmp/a/../b",
            "cd sub && cat ../b",
            "cd sub && cat ../*.md",
            "cd /home/ana/shop/web && cat ../b",
            "grep --file=a/../b x",
            "git -C a log -- ../b",
        ] {
            assert!(line_turns_back(line), "{line}");
        }
    }

    #[test]
    fn what_goes_up_first_is_known() {
        for line in [
            "cat ../b",
            "cat ../../b",
            "cat ../../../b",
            "cat a/b",
            "cat /home/ana/shop/../other/b",
            "cat ~/../b",
            "cat /usr/lib/../share/b",
            "cd sub && cd .. && cat b",
            "cd .. && cat ../b",
            "cd /home/ana/shop && cat ../b",
            "git diff main..topic",
            "git diff main...topic",
            "echo wait...",
        ] {
            assert!(!line_turns_back(line), "{line}");
        }
    }

    #[test]
    fn a_link_that_does_is_told_by_what_was_found() {
        let request = shell("cat pre");
        assert!(!turns_back(&request, "pre"));
        let fact = ResolvedPath { turns_back: true, ..ResolvedPath::new("/home/ana/shop/x") };
        let request = Request { paths: [("pre".to_owned(), fact)].into_iter().collect(), ..request };
        assert!(turns_back(&request, "pre"));
    }
}
