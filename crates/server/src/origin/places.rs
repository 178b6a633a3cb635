//! What programs run in: terminals, multiplexers, editors. The names are those of their executables.

use handraise_agents::ProgramKind;

use super::chain::Process;

/// Terminals by executable, and what people call them.
const TERMINALS: &[(&str, &str)] = &[
    ("gnome-terminal-server", "GNOME Terminal"),
    ("kgx", "GNOME Console"),
    ("gnome-console", "GNOME Console"),
    ("ptyxis", "Ptyxis"),
    ("ptyxis-agent", "Ptyxis"),
    ("konsole", "Konsole"),
    ("yakuake", "Yakuake"),
    ("xfce4-terminal", "Xfce Terminal"),
    ("mate-terminal", "MATE Terminal"),
    ("lxterminal", "LXTerminal"),
    ("qterminal", "QTerminal"),
    ("tilix", "Tilix"),
    ("terminator", "Terminator"),
    ("xterm", "XTerm"),
    ("urxvt", "rxvt-unicode"),
    ("st", "st"),
    ("alacritty", "Alacritty"),
    ("kitty", "kitty"),
    ("foot", "foot"),
    ("footserver", "foot"),
    ("wezterm-gui", "WezTerm"),
    ("wezterm-mux-server", "WezTerm"),
    ("ghostty", "Ghostty"),
    ("cosmic-term", "COSMIC Terminal"),
    ("warp", "Warp"),
    ("tmux", "tmux"),
    ("screen", "GNU Screen"),
    ("zellij", "Zellij"),
    ("sshd", "SSH"),
    ("sshd-session", "SSH"),
    ("mosh-server", "Mosh"),
    ("login", "the console"),
];

/// Whether other programs run in `process`, as in a terminal or an editor. A name alone counts only
/// where the executable cannot be read, as that of a program of another user.
pub(super) fn is_place(process: &Process) -> bool {
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
    TERMINALS.iter().find(|(executable, _)| *executable == word).map(|(_, name)| *name)
}

/// `tmux: server` and `sshd: ann@pts/1` set their names.
fn first_word(process: &Process) -> &str {
    let command = process.command();
    let word = command.split([':', ' ']).next().unwrap_or(command);
    if word == "SCREEN" { "screen" } else { word }
}
