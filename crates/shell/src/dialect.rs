//! Which language a command line is written in.

use super::command_line::{Shell, Word, WordKind};
use crate::programs;

/// Shells and tools of other languages, and bash with history expansion.
const OTHER: &[&str] = &[
    "bash-interactive",
    "cmd",
    "cmd.exe",
    "csh",
    "elvish",
    "fish",
    "ksh",
    "mksh",
    "nu",
    "nushell",
    "oil",
    "osh",
    "powershell",
    "powershell.exe",
    "pwsh",
    "pwsh.exe",
    "rc",
    "tcsh",
    "xonsh",
    "yash",
];

/// Words that run something in PowerShell or cmd and are no programs of a Unix system
/// (about_Aliases; `help` of cmd.exe).
const FOREIGN_PROGRAMS: &[&str] = &[
    "iex", "iwr", "irm", "gci", "saps", "spps", "del", "erase", "copy", "xcopy", "robocopy", "rd", "ren", "icacls",
    "attrib",
];

impl Shell {
    /// The shell of a tool called `tool` whose arguments name `shell`. Without a name it is not
    /// known, unless the tool is called after a shell that is not analysed: the tool `Bash` of Claude
    /// Code runs the user's own shell.
    #[must_use]
    pub fn of(tool: &str, shell: Option<&str>) -> Self {
        let name = |text: &str| {
            let text = text.trim().to_ascii_lowercase();
            text.rsplit(['/', '\\']).next().unwrap_or_default().to_owned()
        };
        match shell.map(name).as_deref() {
            Some("bash") => Self::Bash,
            Some("zsh") => Self::Zsh,
            Some("sh" | "dash") => Self::Posix,
            Some(shell) if !shell.is_empty() => Self::Other,
            _ => {
                let tool = name(tool);
                let parts = tool.split(|character: char| !character.is_ascii_alphanumeric());
                let foreign = OTHER.contains(&tool.as_str()) || parts.into_iter().any(|part| OTHER.contains(&part));
                if foreign { Self::Other } else { Self::Unknown }
            }
        }
    }
}

/// Whether the words of one simple command show that it is not meant for bash: a cmdlet
/// (`Get-Content`), an alias of PowerShell or cmd, fish's `; and`, a typographic dash as option,
/// `%NAME%`, cmd's `^` in front of an operator.
pub(super) fn is_foreign(words: &[Word]) -> bool {
    let Some((program, operands)) = words.split_first() else { return false };
    let text = program.text.as_str();
    let lower = text.to_ascii_lowercase();
    is_cmdlet(text)
        || FOREIGN_PROGRAMS.contains(&lower.as_str())
        || matches!(text, "and" | "or" | "not" | "end" | "begin")
        || is_of_windows(&lower)
        || (lower == "cmd" && operands.first().is_some_and(|word| word.text.starts_with('/')))
        || operands.iter().any(|word| {
            begins_as_an_option_of_powershell(&word.text)
                || (word.kind == WordKind::Exact && word.text.ends_with('^') && word.text.len() == 1)
                || names_cmd_variable(&word.text)
        })
}

/// A typographic dash and the name of an option behind it (about_Parameters). A dash alone, as it is looked for or
/// replaced in a text, is none.
fn begins_as_an_option_of_powershell(text: &str) -> bool {
    text.strip_prefix(['\u{2013}', '\u{2014}', '\u{2015}', '\u{2212}'])
        .is_some_and(|name| name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '-'))
}

/// A program of Windows as its own shells name it. One by a path, `./tool.exe` or `/tmp/tool.exe`, is started so by bash
/// as well, and says nothing of the language; nothing is known of what it does. Those of Windows itself and of other
/// shells are meant for these.
fn is_of_windows(program: &str) -> bool {
    let Some(stem) = [".exe", ".cmd", ".bat"].iter().find_map(|ending| program.strip_suffix(ending)) else {
        return false;
    };
    let name = stem.rsplit('/').next().unwrap_or(stem);
    let is_built = program.ends_with(".exe")
        && stem.contains('/')
        && !stem.contains('\\')
        && !stem.starts_with("/mnt/c/windows/")
        && !stem.starts_with("/c/windows/")
        && programs::find(name).is_none()
        && !OTHER.contains(&name)
        && !FOREIGN_PROGRAMS.contains(&name);
    !is_built
}

/// `Verb-Noun` (PowerShell, "Approved Verbs": both in Pascal case).
fn is_cmdlet(program: &str) -> bool {
    program.split_once('-').is_some_and(|(verb, noun)| {
        let capital = |text: &str| text.starts_with(|first: char| first.is_ascii_uppercase());
        capital(verb)
            && capital(noun)
            && verb.chars().all(|character| character.is_ascii_alphabetic())
            && noun.chars().all(|character| character.is_ascii_alphanumeric())
    })
}

/// `%NAME%` with a name in capitals, as cmd's own variables are.
fn names_cmd_variable(text: &str) -> bool {
    let mut pieces = text.split('%').skip(1).peekable();
    let mut found = false;
    while let Some(piece) = pieces.next() {
        found |= pieces.peek().is_some()
            && piece.len() >= 3
            && piece
                .split(':')
                .next()
                .unwrap_or_default()
                .chars()
                .all(|character| character.is_ascii_uppercase() || character == '_' || character.is_ascii_digit());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::word::decode;
    use super::{Shell, is_foreign};

    #[test]
    fn only_bash_zsh_and_posix_shells_are_analysed() {
        for (tool, shell, expected) in [
            ("Bash", None, Shell::Unknown),
            ("shell", None, Shell::Unknown),
            ("x", Some(""), Shell::Unknown),
            ("run_command", Some("/bin/bash"), Shell::Bash),
            ("Bash", Some("/usr/bin/zsh"), Shell::Zsh),
            ("x", Some("sh"), Shell::Posix),
        ] {
            assert_eq!(Shell::of(tool, shell), expected, "{tool} {shell:?}");
        }
        for (tool, shell) in [
            ("PowerShell", None),
            ("Bash", Some("fish")),
            ("x", Some("C:\\Windows\\cmd.exe")),
            ("run_pwsh", None),
            ("x", Some("bash-interactive")),
        ] {
            assert_eq!(Shell::of(tool, shell), Shell::Other, "{tool} {shell:?}");
        }
    }

    #[test]
    fn other_languages_are_recognised_by_their_words() {
        let foreign = |line: &str| is_foreign(&line.split(' ').map(decode).collect::<Vec<_>>());
        for line in [
            "Get-Content a",
            "iex x",
            "cmd /c dir",
            "echo %PATH%",
            "and kill",
            "git.exe status",
            "tool.exe x",
            "C:\\x\\tool.exe x",
            "/mnt/c/Windows/System32/cmd.exe /c dir",
            "./git.exe status",
            "/c/Windows/System32/frob.exe /x",
            "x \u{2014}-out",
            "/x/pwsh.exe -c x",
            "./setup.bat",
            "x \u{2013}Out",
            "del /q a",
        ] {
            assert!(foreign(line), "{line}");
        }
        for line in [
            "git status",
            "date +%Y%m%d",
            "echo 100%",
            "apt-get update",
            "x-Y z",
            "printf %s%s a",
            "grep -rn \u{2014} docs",
            "sed \u{2014}",
            "../tool.exe x",
            "/tmp/a/tool.exe",
        ] {
            assert!(!foreign(line), "{line}");
        }
    }
}
