//! An agent's settings file on disk: shown before it is changed, kept as a backup, written whole or
//! not at all.

use std::fs;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use handraise_agents::Agent;
use jiff::Timestamp;
use similar::TextDiff;

use super::say;
use crate::DONE;

/// Which settings file, and how much to ask before it is changed.
#[derive(Debug, Args)]
pub(crate) struct SettingsArguments {
    /// Only for one project, in its settings that are not shared [DIR: this folder]
    #[arg(long, value_name = "DIR", num_args = 0..=1, default_missing_value = ".")]
    project: Option<PathBuf>,
    /// Another settings file than the agent's usual one
    #[arg(long, value_name = "FILE", conflicts_with = "project")]
    settings: Option<PathBuf>,
    /// Show the change and make none
    #[arg(long)]
    dry_run: bool,
    /// Do not ask before the change is made
    #[arg(long)]
    yes: bool,
}

/// A settings file as it was read.
pub(crate) struct SettingsFile {
    path: PathBuf,
    /// `None`: there is no such file.
    old: Option<String>,
}

impl SettingsArguments {
    /// Reads the settings file of `agent` that is meant.
    pub(crate) fn read(&self, agent: &dyn Agent) -> anyhow::Result<SettingsFile> {
        SettingsFile::read(&match (&self.settings, &self.project) {
            (Some(file), _) => file.clone(),
            (None, Some(project)) => project.join(agent.project_settings()),
            (None, None) => home()?.join(agent.user_settings()),
        })
    }

    /// Shows how `file` would change to `new`, asks, and changes it. Whether it did is the answer.
    /// `secret` is left out of what is shown.
    pub(crate) fn apply(&self, file: &SettingsFile, new: &str, secret: Option<&str>) -> anyhow::Result<bool> {
        say(&file.difference(new, secret))?;
        if self.dry_run {
            say("Nothing was changed (--dry-run).")?;
            return Ok(false);
        }
        if !self.yes && !confirmed(&file.path)? {
            say("Nothing was changed.")?;
            return Ok(false);
        }
        if let Some(backup) = file.write(new)? {
            say(&format!("The old file is kept as {}.", backup.display()))?;
        }
        Ok(true)
    }
}

/// Asks the person at the terminal; without one there is nobody to ask.
fn confirmed(path: &Path) -> anyhow::Result<bool> {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        bail!("there is no terminal to ask on; add --yes to make this change");
    }
    let mut stdout = io::stdout().lock();
    write!(stdout, "Change {}? [y/N] ", path.display())?;
    stdout.flush()?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

impl SettingsFile {
    /// Reads the file at `path`, through links: the file itself is changed, never the link.
    pub(crate) fn read(path: &Path) -> anyhow::Result<Self> {
        let path = std::path::absolute(path)?;
        let path = fs::canonicalize(&path).unwrap_or(path);
        let old = match fs::read_to_string(&path) {
            Ok(text) => Some(text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
        };
        Ok(Self { path, old })
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Its text; empty when there is no file.
    pub(crate) fn text(&self) -> &str {
        self.old.as_deref().unwrap_or_default()
    }

    fn difference(&self, new: &str, secret: Option<&str>) -> String {
        let path = self.path.display().to_string();
        let difference = TextDiff::from_lines(self.text(), new).unified_diff().header(&path, &path).to_string();
        match secret {
            Some(secret) => difference.trim_end().replace(secret, "‹token›"),
            None => difference.trim_end().to_owned(),
        }
    }

    /// Writes `new` in place of the old text and keeps the old file beside it; returns where.
    fn write(&self, new: &str) -> anyhow::Result<Option<PathBuf>> {
        let now = Self::read(&self.path)?;
        if now.old != self.old {
            bail!("{} was changed by somebody else meanwhile; nothing was written, try again", self.path.display());
        }
        let context = || format!("cannot write {}", self.path.display());
        let folder = self.path.parent().context("the settings file is in no folder")?;
        fs::create_dir_all(folder).with_context(context)?;
        let backup = match &self.old {
            Some(_) => Some(self.back_up().with_context(context)?),
            None => None,
        };
        if new.trim().is_empty() {
            // An empty file is no settings file.
            if self.old.is_some() {
                fs::remove_file(&self.path).with_context(context)?;
            }
        } else {
            self.replace(folder, new).with_context(context)?;
        }
        #[cfg(unix)]
        fs::File::open(folder).and_then(|folder| folder.sync_all()).with_context(context)?;
        Ok(backup)
    }

    fn back_up(&self) -> io::Result<PathBuf> {
        let mut name = self.path.file_name().unwrap_or_default().to_owned();
        name.push(Timestamp::now().strftime(".handraise-backup-%Y%m%dT%H%M%S.%3fZ").to_string());
        let backup = self.path.with_file_name(name);
        // Keeps the mode as well.
        fs::copy(&self.path, &backup)?;
        Ok(backup)
    }

    /// A new file beside it, fsync, rename: a reader sees the old text or the new one.
    fn replace(&self, folder: &Path, new: &str) -> io::Result<()> {
        let mut file = tempfile::Builder::new().prefix(".handraise-").tempfile_in(folder)?;
        file.write_all(new.as_bytes())?;
        if self.old.is_some() {
            file.as_file().set_permissions(fs::metadata(&self.path)?.permissions())?;
        }
        file.as_file().sync_all()?;
        file.persist(&self.path).map_err(|error| error.error)?;
        Ok(())
    }
}

/// The home folder from the user database, as for Handraise's own folders.
#[cfg(unix)]
pub(crate) fn home() -> anyhow::Result<PathBuf> {
    let user = nix::unistd::User::from_uid(nix::unistd::getuid())?;
    Ok(user.context("this user has no entry in the user database; give --settings FILE")?.dir)
}

/// The home folder.
#[cfg(not(unix))]
pub(crate) fn home() -> anyhow::Result<PathBuf> {
    std::env::home_dir().context("this user has no home folder; give --settings FILE")
}

/// The agent called `name`.
pub(crate) fn known_agent(name: &str) -> anyhow::Result<&'static dyn Agent> {
    let names = handraise_agents::NAMES.join(", ");
    handraise_agents::agent(name).with_context(|| format!("there is no agent called `{name}` here; there is: {names}"))
}

/// What there is to say when a file needs no change.
pub(crate) fn nothing_to_change(what: &str) -> anyhow::Result<ExitCode> {
    say(&format!("{what} Nothing to change."))?;
    Ok(DONE)
}
