//! Paths that go up behind a name: `a/../b`.
//!
//! A command inside walls may make `a` a link to another folder of its project, and then `a/..` is above that one. The walls
//! make no link that leads out by itself, nor one by which another does (`crates/confine`, `standing_links.rs`). But of what
//! goes up behind a link nobody can say where it leads once a line runs beside such a command.

use super::word_path::{WordPath, part_paths, word_paths};
use crate::{Request, ToolClass};
use handraise_shell::path::{components, is_within, may_find};
use handraise_shell::{Part, Word, WordKind};

/// First names of paths where nobody but the administrator makes links.
const OF_THE_ADMINISTRATOR: &[&str] =
    &["usr", "bin", "sbin", "lib", "lib32", "lib64", "etc", "opt", "boot", "sys", "nix", "gnu", "snap"];
/// Characters that stand for others in a word that the shell expands, or in a pattern.
const EXPANDED: &[char] = &['*', '?', '[', '{'];
/// What stands around alternatives, and around what is taken as it is.
const AROUND: &[char] = &['{', '}', ',', '\'', '"', '\\'];

/// Whether a word that `part` runs or works on goes up behind a name that may become another folder's, or nobody can tell in
/// which folder it runs.
pub(crate) fn part_turns_back(request: &Request, part: &Part) -> bool {
    let mut words = part.words.first().into_iter().chain(part.naming_words());
    part.folder_unknown
        || any_turns_back(request, part_paths(part))
        || words.any(|word| pattern_turns_back(request, part, word))
        || part.settled().is_some_and(|settled| any_turns_back(request, part_paths(&settled)))
}

/// The same of one word of `part`.
pub(crate) fn word_turns_back(request: &Request, part: &Part, word: &Word) -> bool {
    part.folder_unknown || any_turns_back(request, word_paths(part, word)) || pattern_turns_back(request, part, word)
}

/// The same of what a tool that is no shell is given.
pub(crate) fn call_turns_back(request: &Request) -> bool {
    let named = request.named_paths();
    if named.iter().any(|path| turns_back(request, path)) {
        return true;
    }
    if request.class != ToolClass::FileRead {
        return false;
    }
    // What a search looks for is no path. What it looks in is, below the folder that it names.
    let tool = request.tool.to_lowercase();
    let finds_text = tool.contains("grep") || tool.contains("search");
    let is_looked_for = |key: &str| matches!(key, "query" | "regex") || key == "pattern" && finds_text;
    let texts = request.arguments.iter().filter(|(key, _)| !is_looked_for(key));
    texts.filter_map(|(_, value)| value.as_str()).any(|text| {
        let below = named.iter().any(|folder| turns_back(request, &format!("{folder}/{text}")));
        text.contains("..") && below || turns_back(request, text) || alternatives_turn_back(request, text)
    })
}

fn any_turns_back(request: &Request, paths: Vec<WordPath>) -> bool {
    paths.into_iter().filter_map(WordPath::into_text).any(|text| turns_back(request, &text))
}

/// A word that the shell makes others of.
fn pattern_turns_back(request: &Request, part: &Part, word: &Word) -> bool {
    if word.kind != WordKind::Varies || !word.text.contains(EXPANDED) {
        return false;
    }
    let literal = part.path(&Word { text: word.text.clone(), kind: WordKind::Exact });
    literal.is_some_and(|text| turns_back(request, &text) || alternatives_turn_back(request, &text))
}

/// `b/{.,}.`: nobody writes out here which dots come together.
fn alternatives_turn_back(request: &Request, text: &str) -> bool {
    text.contains('{') && {
        let together: String = text.chars().filter(|char| !AROUND.contains(char)).collect();
        // A name in front, as there is one in some alternative.
        together.contains("..") && turns_back(request, &format!("a/{}", together.replace("..", "/../")))
    }
}

/// Whether the path `text` goes up behind a name where something inside walls may write, as far as anybody can tell.
fn turns_back(request: &Request, text: &str) -> bool {
    let may_go_up = |name: &str| name == ".." || name.contains(EXPANDED) && may_find(name, "..");
    if !components(text).any(may_go_up) {
        return false;
    }
    let (home, cwd) = (request.home.as_deref(), request.cwd.as_deref());
    let project = request.project.as_deref().or(cwd);
    let (start, rest) = match text.strip_prefix('~').filter(|rest| rest.starts_with('/')) {
        Some(rest) => (home, rest),
        None if text.starts_with('/') => (Some(""), text),
        None => (cwd, text),
    };
    let Some(start) = start else { return true };
    let mut place: Vec<&str> = components(start).collect();
    for name in components(rest) {
        if !may_go_up(name) {
            place.push(name);
            continue;
        }
        let above = format!("/{}", place.join("/"));
        // No command inside walls puts another folder there. Elsewhere a link may lead into the project.
        let is_held = |folder: Option<&str>| folder.is_some_and(|folder| is_within(folder, &above));
        let is_of_administrator = place.first().is_some_and(|first| OF_THE_ADMINISTRATOR.contains(first));
        if !is_held(project) && !is_held(home) && !is_of_administrator {
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
    use handraise_shell::{CommandLine, Shell};

    fn shell(line: &str, cwd: &str) -> Request {
        Request {
            class: ToolClass::Shell,
            cwd: Some(cwd.into()),
            project: Some("/home/ana/shop".into()),
            home: Some("/home/ana".into()),
            command: Some(CommandLine::analyse(line, Shell::Bash)),
            ..request("Bash", "{}")
        }
    }

    fn line_turns_back(line: &str, cwd: &str) -> bool {
        let request = shell(line, cwd);
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
            "cat b/{.,}./f",
            "cat b/{..,}/f",
            "cat {b/..,src}/f",
            "cat b{/..,}/f",
            "cat b/{,.}{,.}/f",
            "cat b/{\\.,}./f",
            "cat b/{'..',}/f",
            "grep -r x b/{.,}.",
            "cd b && cat {..,}/f",
            "cat b/.?/f",
            "cat b/..*/f",
            "cat b/.*/f",
            "cat b/[.][.]/f",
            "cd b && cat .?/f",
            "cd -P b && cd .. && cat f",
            "cd -P b; cd ..; cat f",
            "pushd b && cd .. && cat f",
        ] {
            assert!(line_turns_back(line, "/home/ana/shop"), "{line}");
        }
        // A link leads into the project, perhaps.
        for line in ["cat /srv/alias/b/../f", "cat /proc/self/cwd/b/../f", "cd /srv/alias && cat b/../f"] {
            assert!(line_turns_back(line, "/home/ana/shop"), "{line}");
        }
        assert!(line_turns_back("cat b/../f", "/srv/alias"));
        // Whoever starts the shell goes to its folder by name.
        assert!(line_turns_back("cat ../b", "/home/ana/shop/web"));
    }

    #[test]
    fn what_goes_up_first_is_known() {
        for line in [
            "cat ../b",
            "cat ../../b",
            "cat ../*.md",
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
            "cat src/{a,b}.rs",
            "cat src/*.rs src/[a-c].rs src/a?.rs",
            "cat src/.*.toml src/.git*",
            "ls {src,docs}/*.{md,rs}",
        ] {
            assert!(!line_turns_back(line, "/home/ana/shop"), "{line}");
        }
    }

    #[test]
    fn a_search_is_told_by_where_it_looks() {
        let tool = |arguments: &str| Request {
            class: ToolClass::FileRead,
            arguments: serde_json::from_str(arguments).unwrap(),
            ..shell("", "/home/ana/shop")
        };
        for arguments in [r#"{"pattern":"b/../*"}"#, r#"{"pattern":"{b/..,a}/*"}"#, r#"{"pattern":"b/.*/f"}"#] {
            assert!(call_turns_back(&tool(arguments)), "{arguments}");
        }
        for arguments in [r#"{"pattern":"../*"}"#, r#"{"pattern":"src/**/*.{ts,tsx}"}"#] {
            assert!(!call_turns_back(&tool(arguments)), "{arguments}");
        }
    }
}
