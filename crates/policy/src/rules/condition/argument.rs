//! `arguments`: globs on single values, found by JSON pointer (RFC 6901).

use serde_json::{Map, Value};

use super::{Glob, InvalidPattern};
use crate::canonical::canonical_value;
use crate::rules::action::Action;
use crate::rules::situation::MAX_ARGUMENTS;

/// One entry of the table `arguments`.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::rules) struct Argument {
    /// RFC 6901, as `/command` or `/files/0/path`.
    pointer: String,
    glob: Glob,
}

/// A JSON pointer that cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(in crate::rules) enum InvalidPointer {
    #[error("a JSON pointer begins with `/`")]
    NoSlash,
    #[error("in a JSON pointer `~` stands only in `~0` (for `~`) and `~1` (for `/`)")]
    BadEscape,
}

/// Checks `pointer` as RFC 6901 has it. The empty pointer, the whole arguments, is `pattern`'s work.
pub(in crate::rules) fn check_pointer(pointer: &str) -> Result<(), InvalidPointer> {
    if !pointer.starts_with('/') {
        return Err(InvalidPointer::NoSlash);
    }
    let escapes_fit = pointer.split('~').skip(1).all(|after| after.starts_with(['0', '1']));
    if escapes_fit { Ok(()) } else { Err(InvalidPointer::BadEscape) }
}

impl Argument {
    pub(in crate::rules) fn new(pointer: &str, glob: &str) -> Result<Self, InvalidPattern> {
        Ok(Self { pointer: pointer.to_owned(), glob: Glob::new(glob)? })
    }

    pub(in crate::rules) fn pointer(&self) -> &str {
        &self.pointer
    }

    pub(in crate::rules) fn glob(&self) -> &Glob {
        &self.glob
    }

    /// Text is matched as it is, anything else by its RFC 8785 text. What is not there does not match.
    pub(in crate::rules) fn matches(&self, arguments: &Map<String, Value>, action: Action) -> bool {
        let Some(value) = find(arguments, &self.pointer) else { return false };
        let canonical;
        let text = match value {
            Value::String(text) => text.as_str(),
            other => {
                let Ok(text) = canonical_value(other) else { return action != Action::Allow };
                canonical = text;
                canonical.as_str()
            }
        };
        if text.len() > MAX_ARGUMENTS { action != Action::Allow } else { self.glob.matches(text) }
    }
}

fn find<'a>(arguments: &'a Map<String, Value>, pointer: &str) -> Option<&'a Value> {
    let (first, rest) = match pointer.strip_prefix('/')?.split_once('/') {
        Some((first, rest)) => (first, Some(rest)),
        None => (pointer.strip_prefix('/')?, None),
    };
    let value = arguments.get(&first.replace("~1", "/").replace("~0", "~"))?;
    match rest {
        Some(rest) => value.pointer(&format!("/{rest}")),
        None => Some(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pointer: &str, glob: &str, action: Action) -> bool {
        let arguments = r#"{"a":{"b":["x","y z"]},"n":3,"t/u":true,"o":{"k":1,"j":2}}"#;
        let arguments: Map<String, Value> = serde_json::from_str(arguments).unwrap();
        Argument::new(pointer, glob).unwrap().matches(&arguments, action)
    }

    #[test]
    fn a_pointer_finds_one_value() {
        assert!(matches("/a/b/1", "y*", Action::Allow));
        assert!(!matches("/a/b/0", "y*", Action::Allow));
        assert!(matches("/n", "3", Action::Allow));
        assert!(matches("/t~1u", "true", Action::Allow));
        assert!(matches("/o", r#"{"j":2,"k":1}"#, Action::Allow));
    }

    #[test]
    fn what_is_not_there_does_not_match() {
        assert!(!matches("/gone", "*", Action::Allow));
        assert!(!matches("/gone", "*", Action::Deny));
    }

    #[test]
    fn text_beyond_the_limit_matches_only_what_tightens() {
        let long = "x".repeat(MAX_ARGUMENTS + 1);
        let arguments = Map::from_iter([("a".to_owned(), Value::String(long))]);
        let rule = Argument::new("/a", "y").unwrap();
        assert!(rule.matches(&arguments, Action::Deny));
        assert!(!Argument::new("/a", "*").unwrap().matches(&arguments, Action::Allow));
    }

    #[test]
    fn pointers_are_checked() {
        assert_eq!(check_pointer("command"), Err(InvalidPointer::NoSlash));
        assert_eq!(check_pointer("/a~b"), Err(InvalidPointer::BadEscape));
        assert_eq!(check_pointer("/a~0b~1c"), Ok(()));
    }
}
