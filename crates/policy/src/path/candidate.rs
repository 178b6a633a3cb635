//! The texts of a call that may name a path.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde_json::Value;

use super::FolderSearch;
use super::into_folder::into_folders;
use crate::{Request, Subject, ToolClass};
use handraise_shell::path::{expanded, is_one, is_within, lexical};
use handraise_shell::{Part, Word, WordKind};

/// Most paths of one call that are looked at. A call that names more is not understood.
pub const MAX_PATHS: usize = 256;
/// Longest text that is looked at as a path, in bytes (Linux: `PATH_MAX`).
pub const MAX_PATH_LENGTH: usize = 4096;

/// A text that may name a path, for the owner of the gate to resolve: `~` and `~/` are the user's
/// home folder, anything else relative starts at the request's working folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PathCandidate {
    /// The text; the key of its fact.
    pub text: String,
    /// When it is a folder: how far it is to be searched for files that hold credentials.
    pub search: Option<FolderSearch>,
}

/// Keys whose values name files in the arguments of tools that nobody here knows, without `_`, `-`
/// and case.
const PATH_KEYS: &[&str] = &[
    "path",
    "paths",
    "file",
    "files",
    "filepath",
    "filepaths",
    "filename",
    "uri",
    "directory",
    "dir",
    "folder",
    "source",
    "sourcepath",
    "src",
    "destination",
    "destinationpath",
    "dest",
    "dst",
    "target",
    "targetpath",
    "output",
    "outputpath",
    "outputfile",
    "inputpath",
    "inputfile",
    "oldpath",
    "newpath",
    "from",
    "to",
    "notebookpath",
    "absolutepath",
    "relativepath",
    "cwd",
    "workdir",
    "root",
];

/// Texts that may name a path, as many as count.
#[derive(Default)]
struct CandidateTexts(BTreeSet<String>);

impl CandidateTexts {
    /// There is one more than are looked at.
    fn is_full(&self) -> bool {
        self.0.len() > MAX_PATHS
    }

    fn add_all(&mut self, texts: impl IntoIterator<Item = String>) {
        let mut texts = texts.into_iter();
        while !self.is_full()
            && let Some(text) = texts.next()
        {
            if !text.is_empty() && text.len() <= MAX_PATH_LENGTH {
                self.0.insert(text);
            }
        }
    }
}

impl Request {
    /// Every text of this call that may name a path, each once; at most one more than
    /// [`MAX_PATHS`], so that its owner sees that there are too many.
    #[must_use]
    pub fn path_candidates(&self) -> Vec<PathCandidate> {
        let searches = self.credential_searches();
        let mut texts = self.candidate_texts(|| searches.keys().cloned().collect());
        // Long texts of other tools are no reason to ask: the words of the first are enough.
        let room = MAX_PATHS.saturating_sub(texts.len());
        texts.extend(self.loose_argument_paths().into_iter().filter(|text| text.len() <= MAX_PATH_LENGTH).take(room));
        texts.into_iter().map(|text| PathCandidate { search: searches.get(&text).copied(), text }).collect()
    }

    /// Whether it names more paths than are looked at.
    pub(crate) fn names_too_many_paths(&self) -> bool {
        let searched = || self.credential_searches().into_keys().collect();
        self.candidate_texts(searched).len() > MAX_PATHS
    }

    /// The texts that count against [`MAX_PATHS`], up to one more; `searched`: the folders that are looked into.
    fn candidate_texts(&self, searched: impl FnOnce() -> Vec<String>) -> BTreeSet<String> {
        let mut found = CandidateTexts::default();
        found.add_all(self.named_paths());
        for part in self.command.iter().flat_map(|command| &command.parts) {
            if found.is_full() {
                return found.0;
            }
            let redirections = part.writes.iter().chain(&part.reads).flat_map(|word| word_paths(part, word));
            let words = part_paths(part).into_iter().chain(redirections);
            found.add_all(words.filter_map(WordPath::into_text));
            let written_out = part.words.iter().chain(&part.reads).flat_map(|word| read_paths(part, word));
            found.add_all(written_out.filter_map(WordPath::into_text));
            found.add_all(working_folder(part));
            found.add_all(part.settled().and_then(|part| working_folder(&part)));
            found.add_all(into_folders(part));
        }
        found.add_all(self.loose_command_paths());
        if !found.is_full() {
            found.add_all(searched());
        }
        found.0
    }

    /// The paths that the arguments themselves name, without those of a command line.
    pub(crate) fn named_paths(&self) -> Vec<String> {
        let mut paths = self.subject_paths();
        paths.extend(self.files.iter().cloned());
        paths
    }

    fn subject_paths(&self) -> Vec<String> {
        match &self.subject {
            Subject::Read { path } | Subject::Write { path, .. } | Subject::Edit { path, .. } => vec![path.clone()],
            Subject::Command { .. } | Subject::Fetch { .. } => Vec::new(),
            Subject::Arguments if self.class == ToolClass::Shell => Vec::new(),
            Subject::Arguments => {
                let mut found = Vec::new();
                for (key, value) in &self.arguments {
                    argument_paths(key, value, 0, &mut found);
                }
                found
            }
        }
    }
}

/// Deepest nesting of arguments that is searched for paths.
const MAX_DEPTH: usize = 8;

fn argument_paths(key: &str, value: &Value, depth: usize, found: &mut Vec<String>) {
    if depth > MAX_DEPTH || found.len() > MAX_PATHS {
        return;
    }
    match value {
        Value::String(text) => {
            if let Some(path) = text.strip_prefix("file://") {
                found.push(path.strip_prefix("localhost").unwrap_or(path).to_owned());
            } else if is_path_key(key) && !text.contains("://") {
                found.push(text.clone());
            }
        }
        Value::Array(values) => values.iter().for_each(|value| argument_paths(key, value, depth + 1, found)),
        Value::Object(fields) => {
            fields.iter().for_each(|(key, value)| argument_paths(key, value, depth + 1, found));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn is_path_key(key: &str) -> bool {
    let plain: String = key.chars().filter(|c| !matches!(c, '_' | '-')).map(|c| c.to_ascii_lowercase()).collect();
    PATH_KEYS.contains(&plain.as_str())
}

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
    of_wrappers.chain(part.words.iter().skip(1)).flat_map(|word| word_paths(part, word)).collect()
}

/// The folder in which `part` runs, as seen from the folder that the command line starts in.
pub(crate) fn working_folder(part: &Part) -> Option<String> {
    part.path(&Word { text: ".".to_owned(), kind: WordKind::Exact })
}

/// `part` as a rule or grant judges it: a folder that it goes to and that lies in the project, as the file
/// system says, is no other place, however it was written; one that a link leads to elsewhere is.
pub(crate) fn seen_from_project<'a>(request: &Request, part: &'a Part) -> Cow<'a, Part> {
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
    let only_glob = !text.contains(['$', '`', '{', '(', '<', '>']) && !text.split('/').any(|c| c == "..");
    let other_home = text.starts_with('~') && !text.starts_with("~/");
    let Some(star) = text.find(['*', '?', '[']).filter(|_| only_glob && !other_home) else {
        return WordPath::Unknown;
    };
    let (before, rest) = text.split_at_checked(star).unwrap_or((text, ""));
    let (folder, start) = before.rsplit_once('/').unwrap_or((".", before));
    let folder = if folder.is_empty() { "/" } else { folder };
    let end = rest.split('/').next().unwrap_or(rest);
    let kind = if folder == "~" || folder.starts_with("~/") { WordKind::Home } else { WordKind::Exact };
    match part.path(&Word { text: folder.to_owned(), kind }) {
        Some(folder) => WordPath::Below { folder, component: format!("{start}{end}") },
        None => WordPath::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn a_glob_names_something_in_its_folder() {
        let below = |folder: &str, component: &str| {
            vec![WordPath::Below { folder: folder.into(), component: component.into() }]
        };
        assert_eq!(paths("*.rs", WordKind::Varies), below("sub/.", "*.rs"));
        assert_eq!(paths("~/.config/hand*/x", WordKind::Varies), below("~/.config", "hand*"));
        assert_eq!(paths("/*", WordKind::Varies), below("/", "*"));
        assert_eq!(paths("$HOME/*", WordKind::Varies), [WordPath::Unknown]);
        let varying = word("$HOME/{a,b*}", WordKind::Varies);
        let home = [vec![WordPath::Unknown], named(&["~/a"]), below("~", "b*")].concat();
        assert_eq!(read_paths(&Part::default(), &varying), home);
        assert_eq!(paths("../*", WordKind::Varies), [WordPath::Unknown]);
    }
}
