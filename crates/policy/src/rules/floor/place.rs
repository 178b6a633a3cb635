//! Where a file lies that a call writes, as far as it matters who is asked.

use crate::Request;
use crate::scratch_files::{is_scratch, is_temporary};
use crate::written_findings::{acts_by_itself, is_read_by_git};
use handraise_shell::path::{components, is_within};

/// What a path leads to whose files are not a call's to write unasked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GuardedTarget {
    /// A connection that bash makes of a name.
    Connection,
    /// A file that is run or obeyed by itself later.
    Later,
    /// A folder of the operating system.
    System,
    /// Anywhere else outside of the project and of folders for temporary files.
    Outside,
}

/// Folders of the operating system (hier(7), the Filesystem Hierarchy Standard; macOS: hier(7)).
const SYSTEM: &[&str] = &[
    "bin",
    "boot",
    "dev",
    "etc",
    "lib",
    "lib32",
    "lib64",
    "libx32",
    "opt",
    "proc",
    "root",
    "run",
    "sbin",
    "snap",
    "srv",
    "sys",
    "usr",
    "var",
    "Library",
    "System",
    "Applications",
    "private",
];
/// Those in which nobody has a project, with what lies in them; and folders of a home whose files act by themselves.
const NO_PROJECTS: &[&[&str]] = &[
    &["bin"],
    &["boot"],
    &["dev"],
    &["etc"],
    &["lib"],
    &["lib32"],
    &["lib64"],
    &["libx32"],
    &["proc"],
    &["sbin"],
    &["sys"],
    &["usr", "bin"],
    &["usr", "lib"],
    &["usr", "sbin"],
    &["Library"],
    &["System"],
];
const ACTING: &[&[&str]] =
    &[&[".ssh"], &[".gnupg"], &[".config", "autostart"], &[".config", "systemd"], &[".local", "bin"]];
/// Folders at the root in which other things lie than the system's.
const OTHERS: &[&str] = &["home", "Users", "mnt", "media", "Volumes", "nix", "tmp"];
/// Devices that keep nothing.
const DEVICES: &[&str] =
    &["/dev/null", "/dev/zero", "/dev/full", "/dev/tty", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/fd"];

/// Where the absolute `path` lies; `None`: in the project, or where only drafts are.
pub(super) fn place(path: &str, request: &Request) -> Option<GuardedTarget> {
    if ["/dev/tcp/", "/dev/udp/"].iter().any(|start| path.starts_with(start)) {
        return Some(GuardedTarget::Connection);
    }
    let within = |folder: &&&str| is_within(path, folder);
    if DEVICES.iter().find(within).is_some() {
        return None;
    }
    if is_read_by_git(path) {
        return Some(GuardedTarget::Later);
    }
    let home = request.home.as_deref();
    // A call may name any folder as the one that it runs in.
    let project = request.project.as_deref().filter(|project| may_be_project(project));
    let in_project = project.is_some_and(|project| is_within(path, project));
    if in_project {
        return None;
    }
    if is_scratch(path, home) || is_temporary(path) {
        return None;
    }
    if acts_by_itself(path, home) {
        return Some(GuardedTarget::Later);
    }
    let is_own = home.is_some_and(|home| is_within(path, home));
    match is_of_system(path) && !is_own {
        true => Some(GuardedTarget::System),
        // Without a project, nothing is outside of it.
        false => request.project.is_some().then_some(GuardedTarget::Outside),
    }
}

fn may_be_project(folder: &str) -> bool {
    let names: Vec<&str> = components(folder).collect();
    let is_acting = |acting: &&&[&str]| names.windows(acting.len()).any(|names| names == **acting);
    !NO_PROJECTS.iter().any(|start| names.starts_with(start)) && ACTING.iter().find(is_acting).is_none()
}

/// Whether the absolute `path` begins as the paths of a machine do: `/users/7`, say, is one of a web service.
pub(super) fn is_of_machine(path: &str) -> bool {
    let first = components(path).next();
    first.is_none_or(|first| SYSTEM.contains(&first) || OTHERS.contains(&first))
}

/// Whether the absolute `path` lies in a folder of the system's programs: as an operand it is run or looked at.
pub(super) fn is_program(path: &str) -> bool {
    ["/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/opt/homebrew/bin"]
        .iter()
        .any(|folder| is_within(path, folder))
}

fn is_of_system(path: &str) -> bool {
    components(path).next().is_none_or(|first| SYSTEM.contains(&first))
}
