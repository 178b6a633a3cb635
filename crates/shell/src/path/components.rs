//! Paths compared component by component.

use std::borrow::Cow;

use wildmatch::WildMatch;

/// Whether `path` is `folder` or something in it. Both are absolute.
pub fn is_within(path: &str, folder: &str) -> bool {
    let mut path = components(path);
    components(folder).all(|component| path.next() == Some(component))
}

/// The components of an absolute path, without empty ones and `.`.
pub fn components(path: &str) -> impl DoubleEndedIterator<Item = &str> {
    path.split('/').filter(|component| !component.is_empty() && *component != ".")
}

/// `path` with one `/` where it has several, or `/./`.
pub(super) fn without_repeated(path: &str) -> Cow<'_, str> {
    if !path.contains("//") && !path.contains("/./") {
        return Cow::Borrowed(path);
    }
    let (start, end) = (if path.starts_with('/') { "/" } else { "" }, if path.ends_with('/') { "/" } else { "" });
    let kept: Vec<&str> = components(path).collect();
    match kept.as_slice() {
        [] => Cow::Owned(start.to_owned()),
        kept => Cow::Owned(format!("{start}{}{end}", kept.join("/"))),
    }
}

/// `text` made absolute by its letters alone: `~` is `home`, anything else relative starts at `cwd`,
/// `..` takes the component before it away. `None` without the folder that it starts at.
///
/// Good for refusing only: where a symbolic link is on the way, `a/link/..` is not `a`.
pub fn lexical(text: &str, cwd: Option<&str>, home: Option<&str>) -> Option<String> {
    let start = match text {
        absolute if absolute.starts_with('/') => "",
        "~" => return home.map(str::to_owned),
        home_relative if home_relative.starts_with("~/") => home?,
        _ => cwd?,
    };
    let rest = text.strip_prefix("~/").unwrap_or(text);
    let mut kept: Vec<&str> = Vec::new();
    for component in components(start).chain(components(rest)) {
        if component == ".." {
            kept.pop();
        } else {
            kept.push(component);
        }
    }
    Some(format!("/{}", kept.join("/")))
}

/// A component of a path in which `*`, `?` and `[…]` stand for others. What stands in `[…]` is taken for any character.
#[derive(Clone, Debug)]
pub struct NamePattern {
    finds_leading_dot: bool,
    pattern: WildMatch,
}

impl NamePattern {
    /// The pattern that `component` is.
    #[must_use]
    pub fn new(component: &str) -> Self {
        let finds_leading_dot = component.starts_with(['.', '[']);
        let mut loose = String::new();
        let mut rest = component;
        while let Some((before, after)) = rest.split_once('[') {
            loose.push_str(before);
            loose.push('*');
            // A bracket without an end may stand for itself: whatever follows.
            rest = after.split_once(']').map_or("", |(_, after)| after);
        }
        loose.push_str(rest);
        Self { finds_leading_dot, pattern: WildMatch::new(&loose) }
    }

    /// Whether a shell may find the name `name` by it; a leading dot is found by a leading dot only (POSIX.1-2024, XCU
    /// 2.14.3).
    #[must_use]
    pub fn may_find(&self, name: &str) -> bool {
        (self.finds_leading_dot || !name.starts_with('.')) && self.may_match(name)
    }

    /// The same for programs whose patterns find a leading dot: find(1), ripgrep, git.
    #[must_use]
    pub fn may_match(&self, name: &str) -> bool {
        self.pattern.matches(name)
    }
}

/// Whether a shell may find the name `name` by the glob `component`: [`NamePattern::may_find`].
pub fn may_find(component: &str, name: &str) -> bool {
    NamePattern::new(component).may_find(name)
}

/// The same for programs whose patterns find a leading dot: [`NamePattern::may_match`].
pub fn may_match(component: &str, name: &str) -> bool {
    NamePattern::new(component).may_match(name)
}

/// Whether `name` is `pattern`, in which one `*` stands for any characters.
#[must_use]
pub fn is_named(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((start, end)) => name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_longer_name_is_not_inside() {
        assert!(is_within("/home/ann/work/a", "/home/ann/work"));
        assert!(is_within("/home/ann/work", "/home/ann/work/"));
        assert!(!is_within("/home/ann/work-other", "/home/ann/work"));
        assert!(!is_within("/home/ann", "/home/ann/work"));
    }

    #[test]
    fn letters_alone_make_a_path_absolute() {
        let lexical = |text| lexical(text, Some("/p/q"), Some("/home/ann"));
        assert_eq!(lexical("a/../b").as_deref(), Some("/p/q/b"));
        assert_eq!(lexical("~/x").as_deref(), Some("/home/ann/x"));
        assert_eq!(lexical("~").as_deref(), Some("/home/ann"));
        assert_eq!(lexical("./~/x").as_deref(), Some("/p/q/~/x"));
        assert_eq!(lexical("/../../etc//./passwd").as_deref(), Some("/etc/passwd"));
        assert_eq!(super::lexical("a", None, None), None);
    }

    #[test]
    fn a_glob_finds_names_as_a_shell_does() {
        assert!(may_find("hand*", "handraise") && may_find("h[ao]ndr?ise", "handraise") && may_find(".c*", ".config"));
        assert!(!may_find("*", ".config") && !may_find("*.rs", "main.c"));
    }
}
