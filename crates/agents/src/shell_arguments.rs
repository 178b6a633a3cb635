//! What the arguments of a tool mean that runs a command line.
//!
//! The line is not all that such a call says. Another folder makes its paths mean other files, another shell
//! makes it another program, an environment or an input decides what a harmless line does. So every argument
//! of each agent's tool has its place here, and one that has none is asked about.

use std::path::Path;

use handraise_shell::Obstacle;
use serde_json::{Map, Value};

/// Longest name of an argument that is shown, in characters; the rest is counted.
const MAX_NAME: usize = 40;

/// The arguments of one tool, by their meaning.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShellArguments {
    /// The command line.
    pub(crate) command: &'static str,
    /// The folder that it runs in. Only one of them may be there.
    pub(crate) folder: &'static [&'static str],
    /// The shell that it is for. Only one of them may be there.
    pub(crate) shell: &'static [&'static str],
    /// They change nothing about what runs: how long is waited, how much is shown, words for the person.
    pub(crate) harmless: &'static [&'static str],
    /// Unless `false`, the command runs on when the call has ended.
    pub(crate) background: &'static [&'static str],
    /// Arguments that take the agent's own sandbox off, unless they hold one of the values behind them.
    pub(crate) sandbox: &'static [(&'static str, &'static [&'static str])],
}

impl ShellArguments {
    /// Only the command line, in the argument `command`.
    pub(crate) const fn of(command: &'static str) -> Self {
        Self { command, folder: &[], shell: &[], harmless: &[], background: &[], sandbox: &[] }
    }

    /// What `arguments` say beside the command line.
    pub(crate) fn read(&self, arguments: &Map<String, Value>) -> ShellFacts {
        let one = |names: &'static [&'static str]| {
            let mut there = names.iter().filter(|name| arguments.get(**name).is_some_and(|value| !is_empty(value)));
            (there.next().and_then(|name| text(arguments, name)), there.next().copied())
        };
        let ((folder, second_folder), (shell, second_shell)) = (one(self.folder), one(self.shell));
        let second = second_folder.or(second_shell).map(|name| Obstacle::Argument(name.to_owned()));
        // To JavaScript `[]` and `{}` are true.
        let is_sandbox = |name: &str| self.sandbox.iter().any(|(known, _)| *known == name);
        let says = |name: &str, value: &Value| !is_empty(value) || (is_sandbox(name) && !is_nothing(value));
        let obstacles = arguments.iter().filter(|(name, value)| says(name, value));
        let obstacles = obstacles.filter_map(|(name, value)| self.obstacle(name, value)).chain(second);
        let worst = obstacles.max_by_key(|obstacle| matches!(obstacle, Obstacle::Unconfined(_)));
        ShellFacts { folder: folder.filter(|folder| folder != "."), shell, obstacle: worst }
    }

    fn obstacle(&self, name: &str, value: &Value) -> Option<Obstacle> {
        let shown = || handraise_display::line(name, MAX_NAME);
        let is_text = value.is_string();
        let is_shell = self.shell.contains(&name);
        if is_shell && !value.as_str().is_some_and(is_installed_shell) {
            return Some(Obstacle::Argument(shown()));
        }
        if let Some((_, confined)) = self.sandbox.iter().find(|(known, _)| *known == name) {
            let is_confined = match value {
                Value::Bool(value) => !value,
                Value::String(value) => confined.contains(&value.as_str()),
                _ => false,
            };
            return (!is_confined).then(|| Obstacle::Unconfined(shown()));
        }
        if self.background.contains(&name) {
            return (*value != Value::Bool(false)).then(|| Obstacle::RunsOn(shown()));
        }
        let is_known = (self.harmless.contains(&name) && !value.is_object() && !is_text_for_a_number(name, value))
            || (is_text && (is_shell || name == self.command || self.folder.contains(&name)));
        (!is_known).then(|| Obstacle::Argument(shown()))
    }
}

/// Whether `shell` is a bare name, or lies where the system or its packages put shells. Any other file may be any
/// program, whatever it is called.
fn is_installed_shell(shell: &str) -> bool {
    const FOLDERS: &[&str] =
        &["/bin/", "/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/", "/run/current-system/sw/bin/"];
    let name = FOLDERS.iter().find_map(|folder| shell.strip_prefix(folder)).unwrap_or(shell);
    !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_.".contains(&byte))
        && !name.starts_with('.')
}

/// A time, a number of lines or of tokens that is no number: somebody may paste it into a command line.
fn is_text_for_a_number(name: &str, value: &Value) -> bool {
    const COUNTS: &[&str] = &["time", "wait", "_ms", "tokens", "lines", "limit"];
    let is_number = |text: &str| text.parse::<f64>().is_ok();
    COUNTS.iter().any(|count| name.contains(count)) && value.as_str().is_some_and(|text| !is_number(text))
}

/// Nothing is said by it.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        _ => is_nothing(value),
    }
}

fn is_nothing(value: &Value) -> bool {
    matches!(value, Value::Null) || value.as_str() == Some("")
}

/// What the arguments of a tool that runs a command line say beside that line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShellFacts {
    /// The folder that it runs in, as it is written; `None`: that of the call.
    pub folder: Option<String>,
    /// The shell that it is for, as it is written; `None`: the agent's own.
    pub shell: Option<String>,
    /// Why the command line does not say all that the call does.
    pub obstacle: Option<Obstacle>,
}

impl ShellFacts {
    /// The folder that the command runs in, in a call whose own is `cwd`. What a relative path of the call
    /// means depends on it.
    #[must_use]
    pub fn folder_from(&self, cwd: Option<&str>) -> Option<String> {
        match self.folder.as_deref() {
            None => cwd.map(str::to_owned),
            Some(folder) if Path::new(folder).is_absolute() => Some(folder.to_owned()),
            // Joined as text, and left to whoever knows the file system.
            Some(folder) => Some(Path::new(cwd?).join(folder).to_string_lossy().into_owned()),
        }
    }
}

/// The text of the argument `name`, if that is a string.
pub(crate) fn text(arguments: &Map<String, Value>, name: &str) -> Option<String> {
    Some(arguments.get(name)?.as_str()?.to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const KNOWN: ShellArguments = ShellArguments {
        folder: &["workdir", "dir"],
        shell: &["shell"],
        harmless: &["timeout"],
        background: &["background"],
        sandbox: &[("escalated", &[]), ("sandbox", &["default"])],
        ..ShellArguments::of("command")
    };

    fn read(more: Value) -> ShellFacts {
        let Value::Object(mut arguments) = more else { panic!("arguments are an object") };
        arguments.insert("command".to_owned(), "ls".into());
        KNOWN.read(&arguments)
    }

    #[test]
    fn an_argument_that_nobody_knows_is_named() {
        for (more, name) in [
            (json!({ "env": { "PATH": "/tmp" } }), "env"),
            (json!({ "environment": ["A=1"] }), "environment"),
            (json!({ "stdin": "rm -rf ~" }), "stdin"),
            (json!({ "input": "x", "timeout": 5 }), "input"),
            (json!({ "script": "x" }), "script"),
            (json!({ "interpreter": "python3" }), "interpreter"),
            (json!({ "args": ["-c", "x"] }), "args"),
            (json!({ "cwd": "/etc" }), "cwd"),
            (json!({ "confirm": false }), "confirm"),
            (json!({ "level": 0 }), "level"),
            (json!({ "Command": "x" }), "Command"),
            (json!({ "workdir": ["/a"] }), "workdir"),
            (json!({ "workdir": "/a", "dir": "/b" }), "dir"),
        ] {
            assert_eq!(read(more.clone()).obstacle, Some(Obstacle::Argument(name.to_owned())), "{more}");
        }
        let folded = format!("a{}", "\u{202e}".repeat(200));
        let Some(Obstacle::Argument(shown)) = read(json!({ folded: 1 })).obstacle else { panic!("an obstacle") };
        assert!(!handraise_display::has_hidden(&shown), "{shown}");
    }

    #[test]
    fn what_is_known_or_says_nothing_is_no_obstacle() {
        for more in [
            json!({}),
            json!({ "timeout": 120_000 }),
            json!({ "env": {}, "args": [], "stdin": "", "input": null }),
            json!({ "background": false, "escalated": false, "sandbox": "default" }),
            json!({ "workdir": ".", "shell": "bash" }),
        ] {
            assert_eq!(read(more.clone()).obstacle, None, "{more}");
        }
    }

    #[test]
    fn what_runs_on_or_leaves_the_sandbox_is_said() {
        assert_eq!(read(json!({ "background": true })).obstacle, Some(Obstacle::RunsOn("background".into())));
        for more in [json!({ "escalated": true }), json!({ "sandbox": "none" }), json!({ "sandbox": {"a": 1} })] {
            assert!(matches!(read(more.clone()).obstacle, Some(Obstacle::Unconfined(_))), "{more}");
        }
        // The one that matters most.
        assert!(matches!(read(json!({ "a": 1, "escalated": true, "z": 1 })).obstacle, Some(Obstacle::Unconfined(_))));
    }

    #[test]
    fn a_shell_is_a_name_or_an_installed_file() {
        for known in ["bash", "zsh", "/bin/bash", "/usr/bin/zsh", "/usr/local/bin/bash", "pwsh.exe", "pwsh-7.4"] {
            assert_eq!(read(json!({ "shell": known })).obstacle, None, "{known}");
        }
        for other in [
            "/tmp/evil/bash",
            "./bash",
            "bin/bash",
            "~/bash",
            "C:\\tmp\\bash",
            "bash\n",
            " bash",
            "/bin/../tmp/bash",
            ".",
        ] {
            let found = read(json!({ "shell": other })).obstacle;
            assert_eq!(found, Some(Obstacle::Argument("shell".to_owned())), "{other:?}");
        }
    }

    #[test]
    fn what_javascript_takes_for_true_takes_the_sandbox_off() {
        for value in [json!([]), json!({}), json!(true), json!(1)] {
            let found = read(json!({ "escalated": value })).obstacle;
            assert_eq!(found, Some(Obstacle::Unconfined("escalated".to_owned())), "{value}");
        }
        for value in [json!(null), json!(""), json!(false)] {
            assert_eq!(read(json!({ "escalated": value })).obstacle, None, "{value}");
        }
    }

    #[test]
    fn a_call_that_works_elsewhere_is_judged_there() {
        let folder = |more: Value| read(more).folder_from(Some("/home/ana/shop")).unwrap();
        assert_eq!(folder(json!({})), "/home/ana/shop");
        assert_eq!(folder(json!({ "workdir": "" })), "/home/ana/shop");
        assert_eq!(folder(json!({ "workdir": "." })), "/home/ana/shop");
        assert_eq!(folder(json!({ "workdir": "/etc" })), "/etc");
        assert_eq!(folder(json!({ "dir": "../other" })), "/home/ana/shop/../other");
        assert_eq!(read(json!({ "workdir": "b" })).folder_from(None), None);
    }
}
