//! One file for each sub-command.

pub(crate) mod acp;
mod agent_program;
pub(crate) mod agents;
mod answer;
pub(crate) mod answer_question;
pub(crate) mod ask;
pub(crate) mod audit;
pub(crate) mod completions;
pub(crate) mod confine;
pub(crate) mod connect;
mod connected_hook;
pub(crate) mod decide;
pub(crate) mod demo;
pub(crate) mod disconnect;
pub(crate) mod doctor;
mod elevated;
mod filter;
pub(crate) mod grants;
pub(crate) mod history;
pub(crate) mod hook;
mod ids;
mod list;
pub(crate) mod pause;
pub(crate) mod pending;
pub(crate) mod policy;
mod reading;
mod remembered;
pub(crate) mod serve;
pub(crate) mod sessions;
pub(crate) mod settings_file;
mod shell_word;
mod show_call;
mod signals;
mod since;
pub(crate) mod text_filters;
mod time_limits;
pub(crate) mod undo;
mod waiting;
pub(crate) mod watch;

use std::io::{ErrorKind, IsTerminal, Write};
use std::path::PathBuf;

use clap::Args;
use handraise_locations::{Folders, FoldersError};

use crate::client::ClientError;
use crate::show::{self, Line};

/// Where everything is kept, when it is not in the usual places. Never taken from the environment:
/// a project can set that for the programs that an agent starts.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Folders")]
pub(crate) struct FolderArguments {
    /// Folder of the policy and the tokens [default: ~/.config/handraise]
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) config_dir: Option<PathBuf>,
    /// Folder of the audit log and the remembered approvals [default: ~/.local/share/handraise]
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) data_dir: Option<PathBuf>,
    /// Folder of the socket and the discovery file [default: /run/user/UID/handraise]
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) runtime_dir: Option<PathBuf>,
    /// Home folder that the agents keep their settings in [default: yours]
    #[arg(long, global = true, value_name = "DIR", hide = true)]
    pub(crate) agents_home: Option<PathBuf>,
    /// Folder that the settings of the whole machine are kept in [default: /]
    #[arg(long, global = true, value_name = "DIR", hide = true)]
    pub(crate) system_root: Option<PathBuf>,
}

impl FolderArguments {
    /// The folders.
    pub(crate) fn folders(&self) -> Result<Folders, FoldersError> {
        Folders::with(self.config_dir.clone(), self.data_dir.clone(), self.runtime_dir.clone())
    }

    /// The flags that were given, for another call of this program.
    pub(crate) fn given(&self) -> impl Iterator<Item = (&'static str, &PathBuf)> {
        let flags =
            [("--config-dir", &self.config_dir), ("--data-dir", &self.data_dir), ("--runtime-dir", &self.runtime_dir)];
        flags.into_iter().filter_map(|(flag, folder)| Some((flag, folder.as_ref()?)))
    }
}

/// The arguments do not go together: nothing was done.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct UsageError(String);

/// An error about the arguments, beyond what the parser knows.
pub(crate) fn usage(what: impl Into<String>) -> anyhow::Error {
    UsageError(what.into()).into()
}

/// Writes an error as a sentence to stderr.
pub(crate) fn complain(error: &anyhow::Error) {
    let sentence = match error.downcast_ref::<ClientError>() {
        Some(error) => error.sentence(),
        None => format!("{error:#}"),
    };
    // With stderr closed there is nobody to tell.
    let _ = writeln!(std::io::stderr(), "handraise: {sentence}");
}

/// `lines` as they are printed: coloured where that is wanted, and broken to the width of the terminal, if that is where they go.
pub(crate) fn printed(lines: &[Line]) -> Vec<String> {
    let width = std::io::stdout().is_terminal().then(|| crossterm::terminal::size().ok()).flatten();
    let coloured = show::is_coloured();
    let painted = |lines: &[Line]| lines.iter().map(|line| show::painted(line, coloured)).collect();
    match width {
        Some((width, _)) if width > 0 => painted(&show::wrap(lines, width.into())),
        _ => painted(lines),
    }
}

/// Whoever read the output has gone, as `head` does when it has enough: there is nobody to tell, and nothing is wrong.
#[derive(Debug, thiserror::Error)]
#[error("nobody reads the output any more")]
pub(crate) struct OutputClosed;

/// Writes to stdout.
///
/// # Errors
/// [`OutputClosed`], or what the system says.
pub(crate) fn say(text: &str) -> anyhow::Result<()> {
    let mut stdout = std::io::stdout().lock();
    let said = stdout.write_all(text.as_bytes()).and_then(|()| stdout.write_all(b"\n")).and_then(|()| stdout.flush());
    said.map_err(unwritten)
}

/// Why something could not be written to stdout.
fn unwritten(error: std::io::Error) -> anyhow::Error {
    match error.kind() {
        ErrorKind::BrokenPipe => OutputClosed.into(),
        _ => error.into(),
    }
}
