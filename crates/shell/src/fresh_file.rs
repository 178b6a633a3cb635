//! `$(mktemp …)`: a file or a folder that was not there before.
//!
//! Sources: mktemp(1) of GNU coreutils; mktemp(1) of BSD and macOS, where a template and `-d` mean the same.

use crate::lexer;

/// Where mktemp(1) makes what no template places, on a machine whose TMPDIR is not set.
const FOLDER: &str = "/tmp";
/// Its template, if none is given.
const TEMPLATE: &str = "tmp.XXXXXXXXXX";

/// The path that `value`, the right side of an assignment, has: `$(mktemp)`, `"$(mktemp -d)"`, `$(mktemp /tmp/a.XXXXXX).md`.
/// The letters `X` stay in it in the place of those that mktemp(1) draws: nobody can know the name before, so what lies
/// there is what the line itself has made, and the path tells the folder. `None`: it is something else, or only a variable
/// tells the folder.
pub(crate) fn path(value: &str) -> Option<String> {
    let quoted = value.strip_prefix('"');
    let (script, behind) = lexer::substitution(quoted.unwrap_or(value).strip_prefix('$')?)?;
    let suffix = match quoted {
        Some(_) => behind.split_once('"').map(|(inside, outside)| inside.to_owned() + outside)?,
        None => behind.to_owned(),
    };
    is_name(&suffix).then(|| template(script).map(|template| template + &suffix)).flatten()
}

/// The path that the command `script` prints, with its letters `X`.
fn template(script: &str) -> Option<String> {
    let script = script.trim();
    let script = script.strip_suffix("2>/dev/null").unwrap_or(script);
    let mut words = script.split_ascii_whitespace();
    (words.next() == Some("mktemp")).then_some(())?;
    let (mut given, mut folder, mut suffix) = (None, None, "");
    while let Some(word) = words.next() {
        match word.split_once('=') {
            Some(("--suffix", value)) if is_name(value) => suffix = value,
            Some(("--tmpdir", value)) if is_plain(value) => folder = Some(value),
            _ => match word {
                "-d" | "-q" | "--directory" | "--quiet" => {}
                "-p" => folder = Some(words.next().filter(|value| is_plain(value))?),
                "-t" => folder = folder.or(Some(FOLDER)),
                _ if given.is_none() && is_plain(word) => given = Some(word),
                _ => return None,
            },
        }
    }
    let template = given.unwrap_or(TEMPLATE);
    // BSD's `-t` takes the beginning of a name; to all others fewer are an error.
    template.contains("XXX").then_some(())?;
    let folder = folder.or_else(|| given.is_none().then_some(FOLDER));
    Some(match folder {
        Some(folder) => format!("{folder}/{template}{suffix}"),
        None => format!("{template}{suffix}"),
    })
}

/// Whether `text` is a path, and the same to every shell.
fn is_plain(text: &str) -> bool {
    !text.is_empty() && !text.starts_with('-') && text.split('/').all(|name| is_name(name) && name != "..")
}

/// Whether `text` may stand in a name of a file, and is the same to every shell.
fn is_name(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-+".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::path;

    #[test]
    fn a_new_file_has_the_folder_of_its_template() {
        for (value, expected) in [
            ("$(mktemp)", "/tmp/tmp.XXXXXXXXXX"),
            ("\"$(mktemp -d)\"", "/tmp/tmp.XXXXXXXXXX"),
            ("$(mktemp /tmp/notes.XXXXXX.md)", "/tmp/notes.XXXXXX.md"),
            ("$(mktemp).md", "/tmp/tmp.XXXXXXXXXX.md"),
            ("\"$(mktemp)\".md", "/tmp/tmp.XXXXXXXXXX.md"),
            ("$(mktemp -t a.XXXX)", "/tmp/a.XXXX"),
            ("$(mktemp -p out a.XXXX)", "out/a.XXXX"),
            ("$(mktemp --tmpdir=/var/tmp --suffix=.json)", "/var/tmp/tmp.XXXXXXXXXX.json"),
            ("$(mktemp notes.XXXXXX 2>/dev/null)", "notes.XXXXXX"),
        ] {
            assert_eq!(path(value).as_deref(), Some(expected), "{value}");
        }
    }

    #[test]
    fn what_may_be_something_else_is_not_told() {
        for value in [
            "$(mktemp -u)",
            "$(mktemp $X)",
            "$(mktemp \"$X\")",
            "$(mktemp ~/a.XXXX)",
            "$(mktemp a/../../b.XXXX)",
            "$(mktemp notes)",
            "$(mktemp; echo x)",
            "$(mktemp | sed s/tmp/etc/)",
            "$(mktemp)/../x",
            "$(mktemp)$X",
            "$(mktemp a.XXXX b.XXXX)",
            "x$(mktemp)",
            "$(mktempx)",
            "$(mktemp -t notes)",
            "`mktemp`",
            "$(echo a)",
            "$(mktemp *.XXXX)",
            "$(mktemp {a,b}.XXXX)",
        ] {
            assert_eq!(path(value), None, "{value}");
        }
    }
}
