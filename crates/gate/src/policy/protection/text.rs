//! Protected paths in text that nobody could take apart.

use crate::path::components;

/// `text` without quotes and backslashes, in small letters, with `$HOME` and `${HOME}` as `~`.
pub(super) fn plain(text: &str) -> String {
    let plain: String = text.chars().filter(|character| !matches!(character, '\'' | '"' | '\\' | '`')).collect();
    let plain = plain.to_lowercase().replace("${home}", "~").replace("$home", "~");
    collapsed(&plain)
}

/// Whether `text` names `path`, absolute or from the home folder.
pub(super) fn mentions_path(text: &str, path: &str, home: Option<&str>) -> bool {
    let text = plain(text);
    let path = path.to_lowercase();
    let from_home = home.and_then(|home| path.strip_prefix(&home.to_lowercase())).map(|rest| format!("~{rest}"));
    ends_there(&text, &path) || from_home.is_some_and(|form| ends_there(&text, &form))
}

/// Whether `text` names the last component of `path`.
pub(super) fn mentions_name(text: &str, path: &str) -> bool {
    components(path).next_back().is_some_and(|name| plain(text).contains(&name.to_lowercase()))
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

    const OWN: &str = "/home/ann/.config/handraise";

    #[test]
    fn a_path_is_found_in_every_spelling() {
        for text in [
            "for f in /home/ann/.config/handraise/*; do rm $f; done",
            "rm \"$HOME\"/.config/'hand'raise",
            "rm ${HOME}/.config//./handraise/policy.toml",
            "rm ~/.config/hand\\raise",
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
    fn a_name_is_found_anywhere() {
        assert!(mentions_name("rm $D/policy.toml", "/home/ann/.config/handraise/policy.toml"));
    }
}
