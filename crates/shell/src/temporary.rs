//! What mktemp(1) prints: the name of a file or folder that it has just made, in the folder for temporary files.

use crate::command_line::Part;
use crate::programs::name::base_name;

/// What stands for the name where the line gives no template: GNU coreutils, "mktemp invocation".
const DEFAULT: &str = "/tmp/tmp.XXXXXXXXXX";
/// Options that change nothing about where the name lies: a folder, and no message.
const OPTIONS: &[&str] = &["-d", "-q", "-dq", "-qd", "--directory", "--quiet"];
/// Fewest `X` in a row that are replaced.
const FEWEST: usize = 3;
/// Longest name of a template: more would not be made, and then nothing is printed.
const LONGEST: usize = 100;

/// The name that a call of mktemp prints, with the `X` in it where nobody can tell a letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Temporary {
    /// Absolute. Nothing was there before.
    pub(crate) path: String,
    /// It is made wherever mktemp is the usual one. The one of BSD takes what stands behind the `X` for a part of the name, and
    /// prints nothing where that is there already. What `"$x/y"` would be then is a name of its own.
    pub(crate) is_sure: bool,
}

/// What `script` prints, where it is one plain call of mktemp, which nothing in the line can make fail.
pub(crate) fn printed(script: &str) -> Option<Temporary> {
    let mut words = script.split_ascii_whitespace();
    let is_it = words.next() == Some("mktemp");
    let mut words = words.filter(|word| !OPTIONS.contains(word));
    let (first, second, third) = (words.next(), words.next(), words.next());
    if !is_it || third.is_some() {
        return None;
    }
    let name = match (first, second) {
        (None, _) => return Some(Temporary { path: DEFAULT.to_owned(), is_sure: true }),
        (Some("-t"), Some(name)) => name,
        (Some(template), None) => template.strip_prefix("/tmp/")?,
        _ => return None,
    };
    let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte));
    let replaced = name.rfind('X').map(|last| name.get(..=last).unwrap_or_default()).unwrap_or_default();
    let run = replaced.len() - replaced.trim_end_matches('X').len();
    if !is_plain || name.starts_with(['-', '.']) || name.len() > LONGEST || run < FEWEST {
        return None;
    }
    Some(Temporary { path: format!("/tmp/{name}"), is_sure: replaced.len() == name.len() })
}

/// The name that `part` makes and prints, where it is such a call.
#[must_use]
pub fn made_by_mktemp(part: &Part) -> Option<String> {
    let is_plain = part.wrappers.is_empty() && part.assignments.is_empty();
    let words: Vec<&str> = part.exact_words().collect();
    let is_whole = words.len() == part.words.len() && base_name(words.first()?) == *words.first()?;
    (is_plain && is_whole).then(|| printed(&words.join(" ")))?.map(|made| made.path)
}

#[cfg(test)]
mod tests {
    use super::printed;

    #[test]
    fn a_plain_call_prints_a_new_name_among_the_temporary_files() {
        for (script, path, is_sure) in [
            ("mktemp", "/tmp/tmp.XXXXXXXXXX", true),
            ("mktemp -d", "/tmp/tmp.XXXXXXXXXX", true),
            (" mktemp -d /tmp/notes.XXXXXX ", "/tmp/notes.XXXXXX", true),
            ("mktemp -t notes.XXXX", "/tmp/notes.XXXX", true),
            ("mktemp /tmp/notes.XXXXXX.md", "/tmp/notes.XXXXXX.md", false),
        ] {
            let found = printed(script).map(|made| (made.path, made.is_sure));
            assert_eq!(found, Some((path.to_owned(), is_sure)), "{script}");
        }
    }

    #[test]
    fn what_may_lie_elsewhere_or_may_print_nothing_is_not_known() {
        for script in [
            "",
            "mktemp -p /etc",
            "mktemp --tmpdir=/etc",
            "mktemp -u",
            "mktemp --dry-run",
            "mktemp notes.XXXXXX",
            "mktemp /etc/notes.XXXXXX",
            "mktemp /tmp/a/notes.XXXXXX",
            "mktemp /tmp/../etc/XXXXXX",
            "mktemp /tmp/XX",
            "mktemp /tmp/notes",
            "mktemp /tmp/$name.XXXXXX",
            "mktemp /tmp/.XXXXXX",
            "mktemp -t",
            "mktemp /tmp/a.XXXXXX /tmp/b.XXXXXX",
            "mktemp --suffix=.md",
            "mktemp; echo x",
            "mktemp | cat",
            "/tmp/mktemp",
            "sudo mktemp",
        ] {
            assert_eq!(printed(script), None, "{script}");
        }
        let long = format!("mktemp /tmp/{}XXXXXX", "a".repeat(200));
        assert_eq!(printed(&long), None);
    }
}
