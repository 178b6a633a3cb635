//! What the words of a command may name.

use std::borrow::Cow;

use handraise_shell::path::{expanded, is_one, is_within, lexical};
use handraise_shell::{Part, Word, WordKind};

use crate::Request;

/// What a word of a command may name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum WordPath {
    /// A path as seen from the folder that the command line starts in.
    Named(String),
    /// Names that the shell finds in a folder, by a component with `*`, `?` or `[`.
    Below {
        /// The folder, as seen from the folder that the command line starts in.
        folder: String,
        /// The component.
        component: String,
        /// What follows it in the word, from the `/` on: names, and other patterns.
        rest: String,
    },
    /// Nobody here can tell.
    Unknown,
}

impl WordPath {
    pub(crate) fn into_text(self) -> Option<String> {
        match self {
            Self::Named(text) => Some(text),
            Self::Below { folder, .. } => Some(folder),
            Self::Unknown => None,
        }
    }
}

/// The paths that the operands of `part` may name. Its redirections are not among them.
pub(crate) fn part_paths(part: &Part) -> Vec<WordPath> {
    let of_wrappers = part.layers.iter().flat_map(|layer| {
        // What follows is in the next layer, or nobody can tell where it begins.
        layer.words.iter().take(layer.taken.unwrap_or(layer.words.len())).skip(1)
    });
    of_wrappers.chain(part.naming_words()).flat_map(|word| word_paths(part, word)).collect()
}

/// The folder in which `part` runs, as seen from the folder that the command line starts in.
pub(crate) fn working_folder(part: &Part) -> Option<String> {
    part.path(&Word { text: ".".to_owned(), kind: WordKind::Exact })
}

/// `part` as a rule or grant judges it: a folder that it goes to and that lies in the project, as the file
/// system says, is no other place, however it was written; one that a link leads to elsewhere is.
pub(crate) fn seen_from_project<'a>(request: &Request, part: &'a Part) -> Cow<'a, Part> {
    // By its letters git's `-C` may stay in the project.
    if let Some(settled) = part.settled().filter(|settled| is_led_out(request, settled)) {
        return Cow::Owned(seen_from_project(request, &settled).into_owned());
    }
    let known = || {
        let resolved = request.paths.get(&working_folder(part)?)?;
        let is_inside = is_within(&resolved.path, request.project.as_deref()?);
        Some(if is_inside { ".".to_owned() } else { resolved.path.clone() })
    };
    match known().filter(|_| !part.folders.is_empty()) {
        Some(folder) => Cow::Owned(Part { folders: vec![folder], ..part.clone() }),
        None => Cow::Borrowed(part),
    }
}

/// Whether a link leads to the folder that `part` runs in, from the project to elsewhere.
fn is_led_out(request: &Request, part: &Part) -> bool {
    let (Some(text), Some(project)) = (working_folder(part), request.project.as_deref()) else { return false };
    let given = lexical(&text, request.cwd.as_deref(), request.home.as_deref());
    given.is_some_and(|given| is_within(&given, project))
        && request.paths.get(&text).is_some_and(|resolved| !is_within(&resolved.path, project))
}

/// `part` with the paths that lead into the project written as seen from there: `mkdir /home/ann/app/x` is `mkdir x` to
/// who is anywhere in `/home/ann/app`. `None`: it names none, or it is not known to run in the project.
pub(crate) fn named_from_project(request: &Request, part: &Part) -> Option<Part> {
    let project = request.project.as_deref()?;
    let is_inside = match part.folders.as_slice() {
        [] => is_within(request.cwd.as_deref()?, project),
        [folder] => folder == ".",
        _ => false,
    };
    let mut words = part.words.iter();
    let program = words.next().filter(|_| is_inside)?.clone();
    let seen = |word: &Word| {
        let absolute = word.kind == WordKind::Exact && word.text.starts_with('/');
        let resolved = request.paths.get(&word.text).filter(|_| absolute)?;
        // A link from elsewhere is elsewhere: who removes it removes nothing in the project.
        let given = lexical(&word.text, None, None)?;
        let is_inside = is_within(&resolved.path, project) && is_within(&given, project);
        let below = given.strip_prefix(project).filter(|_| is_inside)?;
        Some(match below.trim_start_matches('/') {
            "" => ".".to_owned(),
            below => format!("./{below}"),
        })
    };
    let words: Vec<Word> =
        words.map(|word| Word { text: seen(word).unwrap_or_else(|| word.text.clone()), kind: word.kind }).collect();
    let changed = words.iter().zip(part.words.iter().skip(1)).any(|(one, other)| one.text != other.text);
    changed.then(|| Part { words: std::iter::once(program).chain(words).collect(), ..part.clone() })
}

/// A word is read as a path, and so is what may be one in it: `of=/etc/x`, `-d@secret`, `host:file`,
/// `-I/usr/include`, `-oout`. More rather than less: words that are no path at all are among them.
pub(crate) fn word_paths(part: &Part, word: &Word) -> Vec<WordPath> {
    let text = word.text.as_str();
    let option = text.starts_with('-') && text.len() > 1;
    if word.kind == WordKind::Varies {
        return vec![if option { WordPath::Unknown } else { varying(part, text) }];
    }
    let named =
        |text: &str, kind| part.path(&Word { text: text.to_owned(), kind }).map_or(WordPath::Unknown, WordPath::Named);
    let mut paths = Vec::new();
    if !option {
        paths.push(named(text, word.kind));
    }
    for tail in tails(text, option) {
        let kind = if tail == "~" || tail.starts_with("~/") { WordKind::Home } else { WordKind::Exact };
        paths.push(named(tail, kind));
    }
    // `-C..` leaves the folder without a sign that a path begins.
    if option && text.contains("..") {
        paths.push(WordPath::Unknown);
    }
    paths
}

/// The same with braces and the home folder written out, for who asks what may be read: paths that are none may be
/// among them, since which signs were quoted is not known any more.
pub(crate) fn read_paths(part: &Part, word: &Word) -> Vec<WordPath> {
    let written_out = written_out(word);
    word_paths(part, word).into_iter().chain(written_out.iter().flat_map(|word| word_paths(part, word))).collect()
}

/// The same with patterns that have a `..` in them, for who has the disk looked at: that tells where they lead.
pub(crate) fn found_paths(part: &Part, word: &Word) -> Vec<WordPath> {
    let written_out = written_out(word);
    let words = std::iter::once(word).chain(&written_out).filter(|word| is_upward(word));
    read_paths(part, word).into_iter().chain(words.map(|word| found_by(part, &word.text))).collect()
}

/// Whether `word` is a pattern with `..` in it, which may lead elsewhere than its letters say.
fn is_upward(word: &Word) -> bool {
    word.kind == WordKind::Varies && !word.text.starts_with('-') && word.text.split('/').any(|name| name == "..")
}

/// The paths in front of a colon or between commas in `word`, and those that begin with the shell's name for the folder
/// that it is in: `-v $PWD/a:/b`, `type=bind,source=./a`.
pub(crate) fn mounted_paths(part: &Part, word: &Word) -> Vec<WordPath> {
    let text = word.text.as_str();
    if text.contains("://") || text.contains([' ', '\n', '\t', '"', '\'']) || !text.contains([':', ',', '$', '`']) {
        return Vec::new();
    }
    // Outside of quotes a sign stands behind a variable that may be more than one word.
    let own =
        ["$PWD", "${PWD}", "$(pwd)", "`pwd`"].into_iter().flat_map(|name| [format!("{name}/"), format!("{name}…/")]);
    let written_out = own.fold(text.to_owned(), |text, name| text.replace(&name, "./"));
    let pieces = written_out.split(',').map(|piece| piece.split_once('=').map_or(piece, |(_, value)| value));
    let fronts = pieces.map(|piece| piece.split(':').next().unwrap_or(piece));
    let varies = |front: &&str| front.contains(['$', '`', '*', '?', '[', '{', '(']);
    let fronts =
        fronts.filter(|front| front.contains('/') && *front != text && !front.starts_with('-') && !varies(front));
    let found = fronts.flat_map(|front| {
        let kind = if front.starts_with("~/") { WordKind::Home } else { WordKind::Exact };
        part.path(&Word { text: front.to_owned(), kind }).map(WordPath::Named)
    });
    found.collect()
}

/// The words that the shell makes of `word` by writing braces and the home folder out; none when it has neither, or
/// too many.
fn written_out(word: &Word) -> Vec<Word> {
    let home = ["$HOME", "${HOME}"].iter().find_map(|name| word.text.strip_prefix(name));
    let text = match home.filter(|rest| rest.is_empty() || rest.starts_with('/')) {
        Some(rest) => format!("~{rest}"),
        // What is not a list of words, but a program or a text with braces in it, has blanks.
        None if is_one(&word.text) && !word.text.contains(char::is_whitespace) => word.text.clone(),
        None => return Vec::new(),
    };
    if word.kind != WordKind::Varies {
        return Vec::new();
    }
    let words = expanded(&text).into_iter().map(|text| {
        let is_home = text == "~" || text.starts_with("~/");
        let varies = text.contains(['*', '?', '[', '$', '`']) || text.starts_with('~') && !is_home;
        let kind = if varies {
            WordKind::Varies
        } else if is_home {
            WordKind::Home
        } else {
            WordKind::Exact
        };
        Word { text, kind }
    });
    words.filter(|expanded| expanded != word).collect()
}

fn tails(text: &str, option: bool) -> Vec<&str> {
    let after = |sign| text.split_once(sign).map(|(_, tail)| tail);
    let start = option.then(|| text.find("~/").or_else(|| text.find('/'))).flatten();
    // The value may stand right behind the letter of an option.
    let glued = || text.get(2..).filter(|_| option && !text.starts_with("--"));
    let mut tails: Vec<&str> = Vec::new();
    let behind_last = text.rsplit_once(':').map(|(_, tail)| tail);
    let file = text.split_once("file://").map(|(_, path)| path.strip_prefix("localhost").unwrap_or(path));
    for tail in [
        after('='),
        after('<'),
        after('@'),
        after(':'),
        behind_last,
        file,
        start.and_then(|start| text.get(start..)),
        glued(),
    ] {
        // What follows the colon of an address is a host, which is no folder.
        let is_host = |tail: &str| tail.starts_with("//") && text.contains(&format!(":{tail}"));
        let tail = tail.filter(|tail| !tail.is_empty() && !is_host(tail) && !tails.contains(tail));
        tails.extend(tail);
    }
    tails
}

/// A word with `*`, `?` or `[` and nothing else that the shell would change.
fn varying(part: &Part, text: &str) -> WordPath {
    if text.split('/').any(|component| component == "..") { WordPath::Unknown } else { found_by(part, text) }
}

/// The same, whether there is a `..` in it or not.
fn found_by(part: &Part, text: &str) -> WordPath {
    let only_glob = !text.contains(['$', '`', '{', '(', '<', '>']);
    let other_home = text.starts_with('~') && !text.starts_with("~/");
    let Some(star) = text.find(['*', '?', '[']).filter(|_| only_glob && !other_home) else {
        return WordPath::Unknown;
    };
    let (before, rest) = text.split_at_checked(star).unwrap_or((text, ""));
    let (folder, start) = before.rsplit_once('/').unwrap_or((".", before));
    let folder = if folder.is_empty() { "/" } else { folder };
    let (end, rest) = rest.split_at_checked(rest.find('/').unwrap_or(rest.len())).unwrap_or((rest, ""));
    let kind = if folder == "~" || folder.starts_with("~/") { WordKind::Home } else { WordKind::Exact };
    match part.path(&Word { text: folder.to_owned(), kind }) {
        Some(folder) => WordPath::Below { folder, component: format!("{start}{end}"), rest: rest.to_owned() },
        None => WordPath::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ResolvedPath;
    use crate::test_support::request;
    use handraise_shell::{CommandLine, Shell};

    fn word(text: &str, kind: WordKind) -> Word {
        Word { text: text.into(), kind }
    }

    fn paths(text: &str, kind: WordKind) -> Vec<WordPath> {
        word_paths(&Part { folders: vec!["sub".into()], ..Part::default() }, &word(text, kind))
    }

    fn named(texts: &[&str]) -> Vec<WordPath> {
        texts.iter().map(|text| WordPath::Named((*text).into())).collect()
    }

    #[test]
    fn operands_and_what_options_carry_are_paths() {
        assert_eq!(paths("a/b", WordKind::Exact), named(&["sub/a/b"]));
        assert_eq!(paths("of=/etc/x", WordKind::Exact), named(&["sub/of=/etc/x", "/etc/x"]));
        assert_eq!(paths("--output=x", WordKind::Exact), named(&["sub/x"]));
        assert_eq!(paths("-d@secret", WordKind::Exact), named(&["sub/secret", "sub/@secret"]));
        assert_eq!(paths("-I/usr/include", WordKind::Exact), named(&["/usr/include"]));
        assert_eq!(paths("--file=~/x", WordKind::Exact), named(&["~/x"]));
        assert_eq!(paths("-oout", WordKind::Exact), named(&["sub/out"]));
        assert_eq!(paths("host:a/b", WordKind::Exact), named(&["sub/host:a/b", "sub/a/b"]));
        assert_eq!(paths("https://x.org/a", WordKind::Exact), named(&["sub/https://x.org/a"]));
        assert_eq!(paths("-l", WordKind::Exact), []);
    }

    #[test]
    fn an_option_that_may_leave_the_folder_is_unknown() {
        assert!(paths("-C..", WordKind::Exact).contains(&WordPath::Unknown));
    }

    #[test]
    fn a_link_leads_git_to_another_folder() {
        let facts = [("one/oth/.", "/srv/oth"), ("src/.", "/srv/app/src"), ("../oth/.", "/srv/oth")];
        let paths = facts.map(|(text, path)| (text.to_owned(), ResolvedPath::new(path))).into_iter().collect();
        let app = Some("/srv/app".to_owned());
        let request = Request { cwd: app.clone(), project: app, paths, ..request("Bash", "{}") };
        let folders = |line: &str| {
            let line = CommandLine::analyse(line, Shell::Bash);
            seen_from_project(&request, line.parts.first().unwrap()).folders.clone()
        };
        assert_eq!(folders("git -C one/oth commit -m x"), ["/srv/oth"]);
        // A rule spells these out, or they are of the project.
        assert!(folders("git -C ../oth commit -m x").is_empty());
        assert!(folders("git -C src commit -m x").is_empty());
    }

    #[test]
    fn a_folder_that_is_handed_on_stands_in_front_of_a_colon_or_between_commas() {
        let mounted = |text: &str, kind| mounted_paths(&Part::default(), &word(text, kind));
        assert_eq!(mounted("$PWD/a/b:/x", WordKind::Varies), named(&["./a/b"]));
        assert_eq!(mounted("--volume=$(pwd)/a:/x", WordKind::Varies), named(&["./a"]));
        assert_eq!(mounted("./a:/x", WordKind::Exact), named(&["./a"]));
        assert_eq!(mounted("type=bind,source=a/b,target=/x", WordKind::Exact), named(&["a/b", "/x"]));
        for other in ["$PWD:/app", "$X/a:/x", "https://x.org/a:b", "a/b", "x,y"] {
            assert_eq!(mounted(other, WordKind::Varies), [], "{other}");
        }
    }

    #[test]
    fn a_glob_names_something_in_its_folder() {
        let found = |folder: &str, component: &str, rest: &str| {
            vec![WordPath::Below { folder: folder.into(), component: component.into(), rest: rest.into() }]
        };
        let below = |folder: &str, component: &str| found(folder, component, "");
        assert_eq!(paths("*.rs", WordKind::Varies), below("sub/.", "*.rs"));
        assert_eq!(paths("~/.config/hand*/x", WordKind::Varies), found("~/.config", "hand*", "/x"));
        assert_eq!(paths("lib/*/a?/l.txt", WordKind::Varies), found("sub/lib", "*", "/a?/l.txt"));
        assert_eq!(paths("/*", WordKind::Varies), below("/", "*"));
        assert_eq!(paths("$HOME/*", WordKind::Varies), [WordPath::Unknown]);
        let varying = word("$HOME/{a,b*}", WordKind::Varies);
        let home = [vec![WordPath::Unknown], named(&["~/a"]), below("~", "b*")].concat();
        assert_eq!(read_paths(&Part::default(), &varying), home);
        assert_eq!(paths("../*", WordKind::Varies), [WordPath::Unknown]);
        // Who asks what may be read has the disk looked at.
        let upward = [vec![WordPath::Unknown], found("..", "*", "/k.txt")].concat();
        assert_eq!(found_paths(&Part::default(), &word("../*/k.txt", WordKind::Varies)), upward);
    }
}
