//! Protected paths in text that nobody could take apart.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use handraise_shell::path::{Literals, NamePattern, components};

use super::protected_name::Named;

/// A text as paths are searched for in it; made once, since there are many paths.
pub(in crate::rules) struct PlainText {
    plain: String,
    /// With `%2F` as `/` and so on, when there is any.
    decoded: Option<String>,
    /// Those of its words that stand for names, `sett*`.
    globs: OnceCell<HashMap<String, NamePattern>>,
    /// Taken apart where that is needed.
    words: OnceCell<Words>,
}

/// The words of a text that may be paths.
struct Words {
    /// How many there are.
    count: usize,
    /// Each of them once, as its components.
    paths: Vec<Vec<String>>,
    /// Every component of them.
    components: HashSet<String>,
    /// One of them goes to a folder that nobody here knows.
    goes_anywhere: bool,
}

/// Letters in front of the first `*` of a component, from which on it is said to mean a name.
const MIN_LETTERS: usize = 2;
/// Words and globs of a text that are compared with each path. A text with more is said to name every
/// path whose name is in it.
const MAX_WORDS: usize = 2048;
pub(super) const MAX_GLOBS: usize = 64;

impl PlainText {
    pub(in crate::rules) fn new(text: &str) -> Self {
        let decoded = text.contains('%').then(|| plain(&percent_decoded(text)));
        Self { plain: plain(text), decoded, globs: OnceCell::new(), words: OnceCell::new() }
    }

    /// The positions of those of `literals` that stand in it.
    pub(super) fn literals(&self, literals: &Literals) -> Vec<usize> {
        let mut found = literals.in_text(&self.plain);
        found.extend(self.decoded.iter().flat_map(|decoded| literals.in_text(decoded)));
        found
    }

    /// Its words that stand for names.
    pub(super) fn globs(&self) -> Vec<&NamePattern> {
        self.named_globs().values().collect()
    }

    fn named_globs(&self) -> &HashMap<String, NamePattern> {
        self.globs.get_or_init(|| match self.has_globs() {
            true => globs_of(&self.plain),
            false => HashMap::new(),
        })
    }

    fn has_globs(&self) -> bool {
        self.plain.contains(['*', '?', '['])
    }

    /// Whether `path`, written as `.claude/settings.json`, stands in it as components of a path.
    pub(super) fn has_components(&self, path: &str) -> bool {
        let path: Vec<&str> = components(path).collect();
        path.iter().all(|component| self.plain.contains(component))
            && self.words().paths.iter().any(|word| word.windows(path.len()).any(|window| window == path))
    }

    /// Whether it names the last component of `path`, and nothing says that another file of that name is
    /// meant: in front of it stands the same folder, or what nobody here knows; or nothing, and `line`, the
    /// text around it, names that folder or goes to one that nobody knows.
    pub(super) fn names(&self, path: &Named, line: &Self) -> bool {
        let (name, folder) = (path.name.as_str(), path.folder.as_deref());
        // Most texts are done with here.
        if name.is_empty() || !self.plain.contains(name) && !self.has_globs() {
            return false;
        }
        let (words, globs) = (self.words(), self.named_globs());
        let is_named = words.components.contains(name);
        if globs.len() > MAX_GLOBS || (words.count > MAX_WORDS && is_named) {
            return true;
        }
        if !is_named && !globs.values().any(|glob| glob.may_find(name)) {
            return false;
        }
        let means =
            |component: &String| component == name || globs.get(component).is_some_and(|glob| glob.may_find(name));
        let around = line.words();
        let in_folder = folder.is_some_and(|folder| around.components.contains(folder)) || around.goes_anywhere;
        words.paths.iter().any(|word| {
            let named = word.iter().enumerate().filter(|(_, component)| means(component));
            named.map(|(index, _)| index.checked_sub(1).and_then(|before| word.get(before))).any(
                |before| match before {
                    Some(before) => Some(before.as_str()) == folder || is_unknown(before),
                    None => in_folder,
                },
            )
        })
    }

    fn words(&self) -> &Words {
        self.words.get_or_init(|| Words::of(&self.plain))
    }
}

impl Words {
    fn of(text: &str) -> Self {
        let (mut count, mut goes_there, mut goes_anywhere) = (0, false, false);
        // Texts have the same words again and again.
        let mut seen: HashSet<&str> = HashSet::new();
        let mut paths: Vec<Vec<String>> = Vec::new();
        for word in words_of(text) {
            count += 1;
            goes_anywhere |= goes_there && components(word).any(is_unknown);
            goes_there = goes(word);
            if seen.insert(word) {
                paths.push(components(word).map(str::to_owned).collect());
            }
        }
        let components = paths.iter().flatten().cloned().collect();
        Self { count, paths, components, goes_anywhere }
    }
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    let is_between = |sign: char| {
        sign.is_whitespace()
            || matches!(sign, ';' | '|' | '&' | '(' | ')' | '<' | '>' | ',' | ':' | '=' | '@' | '!' | '^')
    };
    text.split(is_between).filter(|word| !word.is_empty())
}

fn globs_of(text: &str) -> HashMap<String, NamePattern> {
    let globs: HashSet<&str> = words_of(text).flat_map(components).filter(|component| is_glob(component)).collect();
    globs.into_iter().map(|glob| (glob.to_owned(), NamePattern::new(glob))).collect()
}

/// Whether what follows is a folder to go to. The text is in small letters.
fn goes(word: &str) -> bool {
    let mut names = components(word);
    matches!((names.next(), names.next()), (Some("cd" | "chdir" | "pushd" | "-c" | "--chdir"), None))
}

/// `text` without quotes and backslashes, in small letters, with `$HOME`, `${HOME}` and `~name` as `~`:
/// whose home folder a name stands for is not known here.
fn plain(text: &str) -> String {
    let plain: String = text.chars().filter(|character| !matches!(character, '\'' | '"' | '\\' | '`')).collect();
    let plain = plain.to_lowercase().replace("${home}", "~").replace("$home", "~");
    collapsed(&without_user(&plain))
}

/// `~name/` as `~/` (bash manual, section 3.5.2).
fn without_user(text: &str) -> String {
    let mut pieces = text.split('~');
    let mut plain = pieces.next().unwrap_or("").to_owned();
    for piece in pieces {
        let rest = piece.trim_start_matches(|c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '+'));
        plain.push('~');
        plain.push_str(if rest.starts_with('/') { rest } else { piece });
    }
    plain
}

/// Whether `text` names `path`, which is in small letters: absolute or from the home folder.
pub(super) fn mentions_path(text: &PlainText, path: &str, home: Option<&str>) -> bool {
    let from_home = home.and_then(|home| path.strip_prefix(&home.to_lowercase())).map(|rest| format!("~{rest}"));
    let names = |text: &str| ends_there(text, path) || from_home.as_ref().is_some_and(|form| ends_there(text, form));
    names(&text.plain) || text.decoded.as_deref().is_some_and(names)
}

/// `text` with `%2F` as `/` and so on, as the address of a file writes it (RFC 3986, section 2.1).
fn percent_decoded(text: &str) -> String {
    let mut decoded = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let digits = after.get(..2).filter(|_| *first == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                decoded.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                decoded.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

/// A component that the shell or a program makes something of.
fn is_unknown(component: &str) -> bool {
    component == ".." || component.contains(['$', '*', '?', '[', '{', '}', '%'])
}

/// `sett*` and `settings.js?n`.
fn is_glob(component: &str) -> bool {
    component.find(['*', '?', '[']).is_some_and(|start| start >= MIN_LETTERS)
}

/// Whether `text` contains `path`, and neither as the beginning of a longer name nor behind another folder.
fn ends_there(text: &str, path: &str) -> bool {
    let longer = |character: char| character.is_alphanumeric() || matches!(character, '-' | '_');
    text.match_indices(path).any(|(start, found)| {
        let after = text.get(start + found.len()..).and_then(|rest| rest.chars().next());
        !after.is_some_and(longer) && starts_there(text.get(..start).unwrap_or_default())
    })
}

/// Whether a path may begin behind `before`: not in the middle of one, but for what a variable holds.
fn starts_there(before: &str) -> bool {
    let word = before.rsplit(|c: char| !(c.is_alphanumeric() || "-_.~".contains(c))).next().unwrap_or_default();
    // `-I/usr/include`, `-d@/x`; `$x/home/ann`.
    word.is_empty()
        || word.starts_with('-')
        || before.strip_suffix(word).is_some_and(|rest| rest.ends_with(['$', '{', '}', '%']))
}

/// `text` with `//` and `/./` as `/`.
fn collapsed(text: &str) -> String {
    let mut text = text.to_owned();
    while text.contains("//") || text.contains("/./") {
        text = text.replace("/./", "/").replace("//", "/");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mentions_path(text: &str, path: &str, home: Option<&str>) -> bool {
        super::mentions_path(&PlainText::new(text), path, home)
    }

    const OWN: &str = "/home/ann/.config/handraise";

    #[test]
    fn a_path_is_found_in_every_spelling() {
        for text in [
            "for f in /home/ann/.config/handraise/*; do rm $f; done",
            "rm \"$HOME\"/.config/'hand'raise",
            "rm ${HOME}/.config//./handraise/policy.toml",
            "rm ~/.config/hand\\raise",
            "rm ~ann/.config/handraise/policy.toml",
            "file:///home/ann/%2Econfig/%68andraise",
        ] {
            assert!(mentions_path(text, OWN, Some("/home/ann")), "{text}");
        }
    }

    #[test]
    fn a_longer_name_is_another_path() {
        assert!(!mentions_path("ls /home/ann/.config/handraise-old", OWN, Some("/home/ann")));
        assert!(!mentions_path("ls /home/ann/.config", OWN, Some("/home/ann")));
    }

    #[test]
    fn a_path_behind_another_folder_is_another_path() {
        assert!(!mentions_path("rm /x/tmp/c", "/tmp/c", None));
        for text in ["rm /tmp/c", "rm -d/tmp/c", "of=/tmp/c", "rm $X/tmp/c", "rm ${X}/tmp/c", "x:/tmp/c"] {
            assert!(mentions_path(text, "/tmp/c", None), "{text}");
        }
    }
}
