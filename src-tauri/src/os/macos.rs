//! macOS: notifications through `notify-rust`, a LaunchAgent for the start at login. Type-checked,
//! never run.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

use handraise_locations::write_private;
use tokio::sync::mpsc::UnboundedSender;

use crate::notification::content::{NotificationAction, NotificationButton};
use crate::os::{LoginCommand, LoginItem, LoginItemError, LoginItemState, Notifier, NotifierEvent, PanelEvent, toast};

const LABEL: &str = "dev.handraise.app";

/// Starts the notifications.
#[must_use]
pub(crate) fn start_notifier(events: UnboundedSender<NotifierEvent>, _left: Option<PathBuf>) -> Box<dyn Notifier> {
    toast::start(events, looking_first)
}

/// A click on the title of the list of buttons counts as the first of them, so that one must only look.
fn looking_first(actions: Vec<NotificationButton>) -> Vec<NotificationButton> {
    let looks =
        |button: &NotificationButton| matches!(button.action, NotificationAction::Review | NotificationAction::Default);
    let (mut first, others): (Vec<_>, Vec<_>) = actions.into_iter().partition(looks);
    first.truncate(1);
    first.extend(others);
    first
}

/// The menu bar is always there and colours its icons itself.
pub(crate) async fn watch_panel(_at_login: bool, events: UnboundedSender<PanelEvent>) {
    // Nobody listens any more only while the program ends.
    let _ = events.send(PanelEvent::TrayHost(true));
}

/// The LaunchAgent that starts `command` at login, in `folder` or in the user's own.
#[must_use]
pub(crate) fn login_item(command: LoginCommand, folder: Option<PathBuf>) -> Option<Box<dyn LoginItem>> {
    let folder = folder.or_else(|| {
        let user = nix::unistd::User::from_uid(nix::unistd::getuid()).ok().flatten()?;
        Some(user.dir.join("Library/LaunchAgents"))
    })?;
    Some(Box::new(LaunchAgent { path: folder.join(format!("{LABEL}.plist")), command }))
}

/// Opens a file with the text editor.
///
/// # Errors
/// When there is none.
pub(crate) fn open_file(path: &Path) -> std::io::Result<()> {
    let mut child = Command::new("/usr/bin/open").arg("-t").arg(path).spawn()?;
    std::thread::spawn(move || child.wait());
    Ok(())
}

struct LaunchAgent {
    path: PathBuf,
    command: LoginCommand,
}

impl LaunchAgent {
    fn failed(&self, error: std::io::Error) -> LoginItemError {
        LoginItemError::Io { path: self.path.clone(), error }
    }
}

impl LoginItem for LaunchAgent {
    fn state(&self) -> Result<LoginItemState, LoginItemError> {
        let text = match std::fs::read_to_string(&self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(LoginItemState::Missing),
            Err(error) => return Err(self.failed(error)),
        };
        let current = text == property_list(&self.command)?;
        Ok(if current { LoginItemState::Current } else { LoginItemState::Outdated })
    }

    fn enable(&self) -> Result<(), LoginItemError> {
        if let Some(folder) = self.path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| self.failed(error))?;
        }
        write_private(&self.path, property_list(&self.command)?.as_bytes())?;
        Ok(())
    }

    fn disable(&self) -> Result<(), LoginItemError> {
        match std::fs::remove_file(&self.path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(self.failed(error)),
            _ => Ok(()),
        }
    }
}

fn property_list(command: &LoginCommand) -> Result<String, LoginItemError> {
    let refuse = |what| LoginItemError::Path { path: command.program.clone(), what };
    let program = command.program.to_str().ok_or_else(|| refuse("bytes that are not text"))?;
    let mut arguments = String::new();
    for argument in std::iter::once(program).chain(command.arguments.iter().map(String::as_str)) {
        if argument.chars().any(char::is_control) {
            return Err(refuse("a control character"));
        }
        arguments.push_str(&format!("    <string>{}</string>\n", escaped(argument)));
    }
    Ok(format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n\
         <plist version=\"1.0\">\n<dict>\n\
         \x20 <key>Label</key>\n  <string>{LABEL}</string>\n\
         \x20 <key>ProgramArguments</key>\n  <array>\n{arguments}  </array>\n\
         \x20 <key>RunAtLoad</key>\n  <true/>\n\
         \x20 <key>ProcessType</key>\n  <string>Interactive</string>\n\
         </dict>\n</plist>\n"
    ))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notification::content::NotificationContext;
    use crate::notification::wanted::wanted;
    use crate::testing::approval;

    #[test]
    fn a_path_is_escaped_for_xml() {
        let command = LoginCommand { program: "/Applications/A & <B>".into(), arguments: Vec::new() };
        assert!(property_list(&command).unwrap().contains("<string>/Applications/A &amp; &lt;B&gt;</string>"));
    }

    #[test]
    fn the_first_button_only_looks() {
        let content = wanted(&[std::sync::Arc::new(approval(1))], &[], &NotificationContext::default()).remove(0);
        let ordered = looking_first(content.actions);
        assert_eq!(ordered[0].action, NotificationAction::Default);
        assert!(ordered.len() > 1);
    }
}
