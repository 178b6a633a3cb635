//! The desktop entry that starts Handraise at login.
//!
//! Format: Desktop Entry Specification 1.5, "The Exec key"; place: Desktop Application Autostart
//! Specification 0.5.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use handraise_locations::write_private;

use crate::os::linux::application::ICON;
use crate::os::{LoginCommand, LoginItem, LoginItemError, LoginItemState};

/// Same as that of the application's own entry, so that the desktop takes them for one thing.
const FILE: &str = "Handraise.desktop";
/// Its name in versions of before.
const OLD_FILE: &str = "handraise.desktop";

/// A desktop entry in an autostart folder.
#[derive(Clone, Debug)]
pub(super) struct DesktopEntry {
    path: PathBuf,
    /// The entry of a version that called it otherwise.
    old: PathBuf,
    command: LoginCommand,
}

impl DesktopEntry {
    /// The entry that starts `command`, in `folder`.
    #[must_use]
    pub(super) fn new(folder: &Path, command: LoginCommand) -> Self {
        Self { path: folder.join(FILE), old: folder.join(OLD_FILE), command }
    }
}

fn read(path: &Path) -> Result<Option<String>, LoginItemError> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed(path, error)),
    }
}

fn remove(path: &Path) -> Result<(), LoginItemError> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(failed(path, error)),
        _ => Ok(()),
    }
}

fn failed(path: &Path, error: std::io::Error) -> LoginItemError {
    LoginItemError::Io { path: path.to_owned(), error }
}

impl LoginItem for DesktopEntry {
    fn state(&self) -> Result<LoginItemState, LoginItemError> {
        let (text, is_old) = match (read(&self.path)?, read(&self.old)?) {
            (Some(text), _) => (text, false),
            (None, Some(text)) => (text, true),
            (None, None) => return Ok(LoginItemState::Missing),
        };
        if is_switched_off(&text) {
            return Ok(LoginItemState::SwitchedOff);
        }
        if is_old {
            return Ok(LoginItemState::Outdated);
        }
        let exec = value(&text, "Exec");
        if exec == Some(exec_value(&self.command)?.as_str()) {
            Ok(LoginItemState::Current)
        } else {
            Ok(LoginItemState::Outdated)
        }
    }

    fn enable(&self) -> Result<(), LoginItemError> {
        let text = entry(&self.command)?;
        if let Some(folder) = self.path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
        }
        write_private(&self.path, text.as_bytes())?;
        remove(&self.old)
    }

    fn disable(&self) -> Result<(), LoginItemError> {
        remove(&self.path)?;
        remove(&self.old)
    }
}

fn entry(command: &LoginCommand) -> Result<String, LoginItemError> {
    let exec = exec_value(command)?;
    Ok(format!(
        "[Desktop Entry]\n\
         Type=Application\n\
         Name=Handraise\n\
         Comment=Asks you before AI agents act\n\
         Exec={exec}\n\
         Icon={ICON}\n\
         Terminal=false\n\
         StartupNotify=false\n\
         X-GNOME-Autostart-enabled=true\n"
    ))
}

/// The value of the `Exec` key: each argument quoted, and then the whole escaped as every string is.
fn exec_value(command: &LoginCommand) -> Result<String, LoginItemError> {
    let refuse = |what| LoginItemError::Path { path: command.program.clone(), what };
    let program = command.program.to_str().ok_or_else(|| refuse("bytes that are not text"))?;
    if program.contains('=') {
        return Err(refuse("an equals sign, which the format forbids"));
    }
    let arguments = std::iter::once(program).chain(command.arguments.iter().map(String::as_str));
    let mut quoted = Vec::new();
    for argument in arguments {
        if argument.chars().any(char::is_control) {
            return Err(refuse("a control character"));
        }
        quoted.push(quote(argument));
    }
    Ok(quoted.join(" ").replace('\\', "\\\\"))
}

/// One argument of an `Exec` key. The program is always quoted; a plain flag need not be.
fn quote(argument: &str) -> String {
    let plain = |character: char| character.is_ascii_alphanumeric() || "-_.,/:@+".contains(character);
    if argument.starts_with('-') && argument.chars().all(plain) {
        return argument.to_owned();
    }
    let mut quoted = String::from('"');
    for character in argument.chars() {
        match character {
            '"' | '`' | '$' | '\\' => quoted.extend(['\\', character]),
            '%' => quoted.push_str("%%"),
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}

/// The value of `key` in the main group.
fn value<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let lines = text.lines().skip_while(|line| line.trim() != "[Desktop Entry]").skip(1);
    lines.take_while(|line| !line.starts_with('[')).find_map(|line| {
        let (name, value) = line.split_once('=')?;
        (name.trim_end() == key).then_some(value.trim_start())
    })
}

/// The desktop's own settings switch an entry off in one of these two ways.
fn is_switched_off(text: &str) -> bool {
    value(text, "Hidden") == Some("true") || value(text, "X-GNOME-Autostart-enabled") == Some("false")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(program: &str) -> LoginCommand {
        LoginCommand { program: program.into(), arguments: vec!["--autostart".into()] }
    }

    #[test]
    fn a_path_is_quoted_as_the_specification_says() {
        let table = [
            ("/usr/bin/handraise-desktop", r#""/usr/bin/handraise-desktop" --autostart"#),
            ("/opt/Hand Raise/app", r#""/opt/Hand Raise/app" --autostart"#),
            (r#"/opt/a"b"#, r#""/opt/a\\"b" --autostart"#),
            ("/opt/$HOME/`id`", r#""/opt/\\$HOME/\\`id\\`" --autostart"#),
            (r"/opt/a\b", r#""/opt/a\\\\b" --autostart"#),
            ("/opt/100%/%f", r#""/opt/100%%/%%f" --autostart"#),
            ("/opt/größe/日本", r#""/opt/größe/日本" --autostart"#),
            ("/opt/it's;(&)#~", r#""/opt/it's;(&)#~" --autostart"#),
        ];
        for (path, expected) in table {
            assert_eq!(exec_value(&command(path)).unwrap(), expected, "{path}");
        }
    }

    #[test]
    fn a_path_that_the_format_cannot_express_is_refused() {
        for path in ["/opt/a\nb", "/opt/a=b", "/opt/a\tb"] {
            assert!(matches!(exec_value(&command(path)), Err(LoginItemError::Path { .. })), "{path:?}");
        }
    }

    #[test]
    fn switching_on_and_off_makes_and_removes_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let item = DesktopEntry::new(&folder.path().join("autostart"), command("/usr/bin/handraise-desktop"));
        assert_eq!(item.state().unwrap(), LoginItemState::Missing);
        item.enable().unwrap();
        assert_eq!(item.state().unwrap(), LoginItemState::Current);
        item.disable().unwrap();
        item.disable().unwrap();
        assert_eq!(item.state().unwrap(), LoginItemState::Missing);
    }

    #[test]
    fn a_moved_program_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        DesktopEntry::new(folder.path(), command("/old/place")).enable().unwrap();
        let item = DesktopEntry::new(folder.path(), command("/new/place"));
        assert_eq!(item.state().unwrap(), LoginItemState::Outdated);
    }

    #[test]
    fn an_entry_of_an_older_version_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let item = DesktopEntry::new(folder.path(), command("/usr/bin/handraise-desktop"));
        let old = folder.path().join(OLD_FILE);
        std::fs::write(&old, entry(&command("/usr/bin/handraise-desktop")).unwrap()).unwrap();
        assert_eq!(item.state().unwrap(), LoginItemState::Outdated);
        item.enable().unwrap();
        assert_eq!((item.state().unwrap(), old.exists()), (LoginItemState::Current, false));
        std::fs::write(&old, "[Desktop Entry]\n").unwrap();
        item.disable().unwrap();
        assert_eq!((item.state().unwrap(), old.exists()), (LoginItemState::Missing, false));
    }

    #[test]
    fn an_entry_that_the_desktop_switched_off_is_off() {
        let folder = tempfile::tempdir().unwrap();
        let item = DesktopEntry::new(folder.path(), command("/usr/bin/handraise-desktop"));
        item.enable().unwrap();
        let path = folder.path().join(FILE);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, format!("{text}Hidden=true\n")).unwrap();
        assert_eq!(item.state().unwrap(), LoginItemState::SwitchedOff);
        std::fs::write(&path, text.replace("enabled=true", "enabled=false")).unwrap();
        assert_eq!(item.state().unwrap(), LoginItemState::SwitchedOff);
    }

    #[test]
    fn the_desktops_own_check_accepts_the_entry() {
        let folder = tempfile::tempdir().unwrap();
        for path in ["/usr/bin/handraise-desktop", "/opt/Hand Raise/100%/$x`\"\\y"] {
            let item = DesktopEntry::new(folder.path(), command(path));
            item.enable().unwrap();
            let check = std::process::Command::new("desktop-file-validate").arg(folder.path().join(FILE)).output();
            // Not installed everywhere; the table above holds without it.
            let Ok(check) = check else { return };
            assert!(check.status.success(), "{path}: {}", String::from_utf8_lossy(&check.stdout));
        }
    }
}
