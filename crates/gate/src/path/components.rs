//! Paths compared component by component.

/// Whether `path` is `folder` or something in it. Both are absolute.
pub(crate) fn is_within(path: &str, folder: &str) -> bool {
    let mut path = components(path);
    components(folder).all(|component| path.next() == Some(component))
}

/// The components of an absolute path, without empty ones and `.`.
pub(crate) fn components(path: &str) -> impl DoubleEndedIterator<Item = &str> {
    path.split('/').filter(|component| !component.is_empty() && *component != ".")
}

/// `text` made absolute by its letters alone: `~` is `home`, anything else relative starts at `cwd`,
/// `..` takes the component before it away. `None` without the folder that it starts at.
///
/// Good for refusing only: where a symbolic link is on the way, `a/link/..` is not `a`.
pub(crate) fn lexical(text: &str, cwd: Option<&str>, home: Option<&str>) -> Option<String> {
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
}
