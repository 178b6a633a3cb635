//! Protected paths in text that nobody could take apart.

use crate::path::components;

/// A text as paths are searched for in it; made once, since there are many paths.
pub(super) struct PlainText {
    plain: String,
    /// With `%2F` as `/` and so on, when there is any.
    decoded: Option<String>,
}

impl PlainText {
    pub(super) fn new(text: &str) -> Self {
        Self { plain: plain(text), decoded: text.contains('%').then(|| plain(&percent_decoded(text))) }
    }

    pub(super) fn contains(&self, text: &str) -> bool {
        self.plain.contains(text)
    }
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

/// Whether `text` names `path`, absolute or from the home folder.
pub(super) fn mentions_path(text: &PlainText, path: &str, home: Option<&str>) -> bool {
    let path = path.to_lowercase();
    let from_home = home.and_then(|home| path.strip_prefix(&home.to_lowercase())).map(|rest| format!("~{rest}"));
    let names = |text: &str| ends_there(text, &path) || from_home.as_ref().is_some_and(|form| ends_there(text, form));
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

/// Whether `text` has the last component of `path` as a name of its own.
pub(super) fn has_name(text: &PlainText, path: &str) -> bool {
    let mut names =
        text.plain.split(|character: char| !(character.is_alphanumeric() || matches!(character, '-' | '_' | '.')));
    let last = components(path).next_back().map(str::to_lowercase);
    names.any(|name| last.as_deref() == Some(name))
}

/// Whether `text` names the last component of `path`.
pub(super) fn mentions_name(text: &PlainText, path: &str) -> bool {
    components(path).next_back().is_some_and(|name| text.contains(&name.to_lowercase()))
}

/// Whether `text` contains `path`, and not as the beginning of a longer name.
fn ends_there(text: &str, path: &str) -> bool {
    let longer = |character: char| character.is_alphanumeric() || matches!(character, '-' | '_');
    text.match_indices(path).any(|(start, found)| {
        let after = text.get(start + found.len()..).and_then(|rest| rest.chars().next());
        !after.is_some_and(longer)
    })
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
    fn a_name_alone_is_no_part_of_another() {
        let policy = "/home/ann/.config/handraise/policy.toml";
        assert!(
            has_name(&PlainText::new("x/policy.toml"), policy) && has_name(&PlainText::new("of=policy.toml"), policy)
        );
        assert!(
            !has_name(&PlainText::new("my-policy.toml"), policy)
                && !has_name(&PlainText::new("policy.toml.new"), policy)
        );
    }

    #[test]
    fn a_name_is_found_anywhere() {
        assert!(mentions_name(&PlainText::new("rm $D/policy.toml"), "/home/ann/.config/handraise/policy.toml"));
    }
}
