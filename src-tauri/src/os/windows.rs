//! Windows: toasts through `notify-rust`, the registry's `Run` key for the start at login.
//! Type-checked, never run.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

use tokio::sync::mpsc::UnboundedSender;
use winreg::RegKey;
use winreg::enums::{HKEY_CURRENT_USER, KEY_READ};

use crate::notification::content::NotificationButton;
use crate::os::{
    LoginCommand, LoginItem, LoginItemError, LoginItemState, Notifier, NotifierEvent, PanelEvent, PanelTone, toast,
};

const RUN: &str = r"Software\Microsoft\Windows\CurrentVersion\Run";
/// What the task manager and the settings write when somebody switches an entry of `Run` off.
const APPROVED: &str = r"Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run";
/// The colours that a person chose.
const PERSONALIZE: &str = r"Software\Microsoft\Windows\CurrentVersion\Themes\Personalize";
const NAME: &str = "Handraise";

/// Starts the notifications.
#[must_use]
pub(crate) fn start_notifier(events: UnboundedSender<NotifierEvent>, _left: Option<PathBuf>) -> Box<dyn Notifier> {
    toast::start(events, as_planned)
}

fn as_planned(actions: Vec<NotificationButton>) -> Vec<NotificationButton> {
    actions
}

/// The notification area is always there; its tone is that of the task bar.
pub(crate) async fn watch_panel(_at_login: bool, events: UnboundedSender<PanelEvent>) {
    let light = RegKey::predef(HKEY_CURRENT_USER)
        .open_subkey_with_flags(PERSONALIZE, KEY_READ)
        .and_then(|key| key.get_value::<u32, _>("SystemUsesLightTheme"))
        .is_ok_and(|light| light == 1);
    let tone = if light { PanelTone::Light } else { PanelTone::Dark };
    for event in [PanelEvent::Tone(tone), PanelEvent::TrayHost(true)] {
        // Nobody listens any more only while the program ends.
        let _ = events.send(event);
    }
}

/// The entry of the user's `Run` key that starts `command`. There is no folder to keep it in.
#[must_use]
pub(crate) fn login_item(command: LoginCommand, folder: Option<PathBuf>) -> Option<Box<dyn LoginItem>> {
    if folder.is_some() {
        return None;
    }
    Some(Box::new(RunEntry { command }))
}

/// Opens a file with the text editor.
///
/// # Errors
/// When there is none.
pub(crate) fn open_file(path: &Path) -> std::io::Result<()> {
    Command::new("notepad.exe").arg(path).spawn().map(drop)
}

struct RunEntry {
    command: LoginCommand,
}

impl LoginItem for RunEntry {
    fn state(&self) -> Result<LoginItemState, LoginItemError> {
        let user = RegKey::predef(HKEY_CURRENT_USER);
        let run = user.open_subkey_with_flags(RUN, KEY_READ).map_err(failed)?;
        let value: String = match run.get_value(NAME) {
            Ok(value) => value,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(LoginItemState::Missing),
            Err(error) => return Err(failed(error)),
        };
        // The lowest bit of the first byte means "switched off".
        let approved = user.open_subkey_with_flags(APPROVED, KEY_READ).and_then(|key| key.get_raw_value(NAME));
        if approved.is_ok_and(|value| value.bytes.first().is_some_and(|first| first & 1 == 1)) {
            return Ok(LoginItemState::SwitchedOff);
        }
        let current = value == command_line(&self.command)?;
        Ok(if current { LoginItemState::Current } else { LoginItemState::Outdated })
    }

    fn enable(&self) -> Result<(), LoginItemError> {
        let user = RegKey::predef(HKEY_CURRENT_USER);
        let (run, _) = user.create_subkey(RUN).map_err(failed)?;
        run.set_value(NAME, &command_line(&self.command)?).map_err(failed)?;
        // What a person has switched off in the task manager is switched on again here.
        if let Ok((approved, _)) = user.create_subkey(APPROVED) {
            match approved.delete_value(NAME) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(failed(error)),
                _ => {}
            }
        }
        Ok(())
    }

    fn disable(&self) -> Result<(), LoginItemError> {
        let (run, _) = RegKey::predef(HKEY_CURRENT_USER).create_subkey(RUN).map_err(failed)?;
        match run.delete_value(NAME) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(failed(error)),
            _ => Ok(()),
        }
    }
}

fn failed(error: std::io::Error) -> LoginItemError {
    LoginItemError::Io { path: PathBuf::from(format!(r"HKCU\{RUN}")), error }
}

/// A command line as `CommandLineToArgvW` reads it. A path cannot hold a quotation mark; a backslash
/// at the end of an argument would escape the closing one.
fn command_line(command: &LoginCommand) -> Result<String, LoginItemError> {
    let refuse = |what| LoginItemError::Path { path: command.program.clone(), what };
    let program = command.program.to_str().ok_or_else(|| refuse("characters that are not text"))?;
    let mut line = format!("\"{program}\"");
    for argument in &command.arguments {
        if argument.contains('"') || argument.ends_with('\\') {
            return Err(refuse("a quotation mark, or an argument that ends in a backslash"));
        }
        line.push_str(&format!(" \"{argument}\""));
    }
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_with_spaces_is_quoted() {
        let command = LoginCommand {
            program: r"C:\Program Files\Handraise\handraise-desktop.exe".into(),
            arguments: vec!["--autostart".into()],
        };
        assert_eq!(
            command_line(&command).unwrap(),
            r#""C:\Program Files\Handraise\handraise-desktop.exe" "--autostart""#
        );
    }
}
