//! What programs run in: terminals, multiplexers, editors. The names are those of their executables.

use handraise_agents::{ProgramKind, program_kind};

use super::process::Process;

/// What types into a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Typing {
    /// A person, as far as the terminal's own means go.
    Keyboard,
    /// Whoever has logged in.
    Login,
    /// Any program of the user as well: it has a command or a socket for that.
    Programs,
}

/// Terminals by executable, what people call them, and what types into them: tmux(1) `send-keys`, screen(1)
/// `-X stuff`, zellij `action write-chars`, `wezterm cli send-text`, Yakuake's D-Bus method `runCommand`. Of the
/// others, those that can be told to (Konsole, kitty) have that switched off at first.
const TERMINALS: &[(&str, &str, Typing)] = &[
    ("gnome-terminal-server", "GNOME Terminal", Typing::Keyboard),
    ("kgx", "GNOME Console", Typing::Keyboard),
    ("gnome-console", "GNOME Console", Typing::Keyboard),
    ("ptyxis", "Ptyxis", Typing::Keyboard),
    ("ptyxis-agent", "Ptyxis", Typing::Keyboard),
    ("konsole", "Konsole", Typing::Keyboard),
    ("yakuake", "Yakuake", Typing::Programs),
    ("xfce4-terminal", "Xfce Terminal", Typing::Keyboard),
    ("mate-terminal", "MATE Terminal", Typing::Keyboard),
    ("lxterminal", "LXTerminal", Typing::Keyboard),
    ("qterminal", "QTerminal", Typing::Keyboard),
    ("tilix", "Tilix", Typing::Keyboard),
    ("terminator", "Terminator", Typing::Keyboard),
    ("xterm", "XTerm", Typing::Keyboard),
    ("urxvt", "rxvt-unicode", Typing::Keyboard),
    ("st", "st", Typing::Keyboard),
    ("alacritty", "Alacritty", Typing::Keyboard),
    ("kitty", "kitty", Typing::Keyboard),
    ("foot", "foot", Typing::Keyboard),
    ("footserver", "foot", Typing::Keyboard),
    ("wezterm-gui", "WezTerm", Typing::Programs),
    ("wezterm-mux-server", "WezTerm", Typing::Programs),
    ("ghostty", "Ghostty", Typing::Keyboard),
    ("cosmic-term", "COSMIC Terminal", Typing::Keyboard),
    ("warp", "Warp", Typing::Programs),
    ("tmux", "tmux", Typing::Programs),
    ("screen", "GNU Screen", Typing::Programs),
    ("zellij", "Zellij", Typing::Programs),
    ("sshd", "SSH", Typing::Login),
    ("sshd-session", "SSH", Typing::Login),
    ("mosh-server", "Mosh", Typing::Keyboard),
    ("login", "the console", Typing::Login),
];
/// Programs of root that begin a person's session, by the name of the process, which the system cuts off after
/// 15 characters.
const LOGINS: &[&str] =
    &["sshd", "sshd-session", "lightdm", "gdm-session-wor", "sddm-helper", "greetd", "lxdm", "xdm", "dropbear"];

/// What types into the terminal that the executable of this name shows; `None`: it shows none that is known. What
/// runs in an editor can type into its terminals.
pub(crate) fn typing(executable: &str) -> Option<Typing> {
    if let ProgramKind::Editor(_) = program_kind(Some(executable), executable, &[]) {
        return Some(Typing::Programs);
    }
    TERMINALS.iter().find(|(known, _, _)| *known == executable).map(|(_, _, typing)| *typing)
}

/// Whether a process of another user begins a person's session. Its name alone does not tell: root's programs can
/// be started under any name. But only root's own programs are `started_by_root`; `login` is started by the first
/// process, and what it starts has a console, which nobody but root can hand out (`device`).
pub(crate) fn is_login(name: &str, started_by_root: bool, device: i32) -> bool {
    (LOGINS.contains(&name) && started_by_root) || (name == "login" && is_console(device))
}

/// Whether a terminal device is hardware, and not made by a program: the consoles and serial lines (4), and
/// those on USB (166, 188).
pub(crate) fn is_console(device: i32) -> bool {
    matches!((device.cast_unsigned() >> 8) & 0xfff, 4 | 166 | 188)
}

/// Whether other programs run in `process`, as in a terminal or an editor. A name alone counts only
/// where the executable cannot be read, as that of a program of another user.
pub(super) fn is_host(process: &Process) -> bool {
    matches!(process.kind(), ProgramKind::Editor(_)) || known(process).is_some()
}

/// What people call it.
pub(super) fn name(process: &Process) -> String {
    if let ProgramKind::Editor(name) = process.kind() {
        return name.to_owned();
    }
    known(process).unwrap_or_else(|| process.command()).to_owned()
}

/// Whether it is the server's side of an SSH session. That belongs to root, for another user's process
/// could be called so.
pub(super) fn is_ssh(process: &Process) -> bool {
    ["sshd", "sshd-session"].contains(&first_word(process)) && process.user.is_none_or(|user| user == 0)
}

/// The name of a terminal device (Linux, Documentation/admin-guide/devices.txt: 136 to 143 are the
/// pseudo-terminals, 4 the consoles). The number holds the major in bits 8 to 19, the minor in the others.
pub(super) fn device(number: u64) -> String {
    let (major, minor) = ((number >> 8) & 0xfff, (number & 0xff) | ((number >> 12) & 0xfff00));
    match major {
        136..=143 => format!("pts/{}", (major - 136) * 256 + minor),
        4 if minor < 64 => format!("tty{minor}"),
        4 => format!("ttyS{}", minor - 64),
        _ => format!("{major}:{minor}"),
    }
}

fn known(process: &Process) -> Option<&'static str> {
    let word = first_word(process);
    TERMINALS.iter().find(|(executable, _, _)| *executable == word).map(|(_, name, _)| *name)
}

/// `tmux: server` and `sshd: ann@pts/1` set their names.
fn first_word(process: &Process) -> &str {
    let command = process.command();
    let word = command.split([':', ' ']).next().unwrap_or(command);
    if word == "SCREEN" { "screen" } else { word }
}
