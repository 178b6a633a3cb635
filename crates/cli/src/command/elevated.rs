//! This very command once more, with the rights of the administrator.

use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, bail};

/// Programs that run another one as root: the first where there is a terminal for the password (sudo(8)), the
/// second where there is a desktop (pkexec(1)).
const PROGRAMS: [&str; 2] = ["sudo", "pkexec"];
/// Folders of the system's own programs; no other one is given an administrator's password.
const FOLDERS: [&str; 2] = ["/usr/bin", "/bin"];

/// Runs this command again as root, to make exactly the change that `digest` names and no other.
///
/// # Errors
/// When there is no program for that, or the person or the system refuses.
pub(super) fn run(digest: &str) -> anyhow::Result<()> {
    let own = std::env::current_exe().context("this program does not know where it is")?;
    let mut given: Vec<OsString> = std::env::args_os().skip(1).filter(|word| !is_added(word)).collect();
    given.extend(["--json".into(), "--yes".into(), format!("--expect={digest}").into()]);
    let [sudo, pkexec] = PROGRAMS;
    let wanted = if std::io::stdin().is_terminal() { [sudo, pkexec] } else { [pkexec, sudo] };
    let Some(program) = wanted.into_iter().find_map(installed) else {
        bail!("writing there takes the rights of the administrator; run this as root");
    };
    let words = format!("That takes the rights of the administrator: {} runs this command again.", program.display());
    // Nobody may be listening; the question for the password comes all the same.
    let _ = writeln!(std::io::stderr(), "{words}");
    // What it prints is the change once more, as JSON.
    let status = Command::new(&program).arg(&own).args(&given).stdout(Stdio::null()).status();
    let status = status.with_context(|| format!("{} cannot be run", program.display()))?;
    if !status.success() {
        bail!("{} did not make the change ({status})", program.display());
    }
    Ok(())
}

/// Words that are added again.
fn is_added(word: &OsString) -> bool {
    let word = word.to_string_lossy();
    word == "--json" || word == "--yes" || word.starts_with("--expect")
}

fn installed(name: &str) -> Option<PathBuf> {
    FOLDERS.iter().map(|folder| Path::new(folder).join(name)).find(|path| path.is_file())
}
