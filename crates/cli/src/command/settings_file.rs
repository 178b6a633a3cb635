//! An agent's settings file on disk: shown before it is changed, kept as a backup, written whole or
//! not at all.

use std::fs;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use anyhow::{Context, bail};
use clap::Args;
use handraise_agents::{Agent, Level, ManagedFile, ManagedText};
use handraise_locations::matching;
use handraise_protocol::{AgentChange, AgentFileChange, DiffLine, DiffSign, content_pieces};
use jiff::Timestamp;
use sha2::{Digest, Sha256};
use similar::{ChangeTag, TextDiff};

use super::{elevated, say};

/// Longest path that is shown, in characters.
const MAX_PATH: usize = 4096;
/// Another home folder than the user's own.
pub(crate) static GIVEN_HOME: OnceLock<PathBuf> = OnceLock::new();

/// Another root folder of the machine's settings than the system's.
pub(crate) static GIVEN_ROOT: OnceLock<PathBuf> = OnceLock::new();

/// Which settings, and how much to ask before they are changed.
#[derive(Debug, Args)]
pub(crate) struct SettingsArguments {
    /// Only for one project, in its settings that are not shared [DIR: this folder]
    #[arg(long, value_name = "DIR", num_args = 0..=1, default_missing_value = ".")]
    project: Option<PathBuf>,
    /// Another settings file than the agent's usual one
    #[arg(long, value_name = "FILE", conflicts_with_all = ["project", "all"])]
    settings: Option<PathBuf>,
    /// The settings for everybody on this machine, which keep projects from switching the agent's hooks off.
    /// Uses `sudo` or `pkexec`
    #[arg(long, conflicts_with_all = ["project", "settings", "all"])]
    pub(super) system: bool,
    /// Show the change, but do not make it
    #[arg(long)]
    dry_run: bool,
    /// Make the change without asking
    #[arg(long)]
    yes: bool,
    /// Print the change as JSON; it is made only with --yes
    #[arg(long, conflicts_with = "all")]
    pub(super) json: bool,
    /// Make the change only if an earlier --json showed this digest
    #[arg(long, value_name = "DIGEST", requires = "json")]
    expect: Option<String>,
}

/// A settings file as it was read.
pub(crate) struct SettingsFile {
    path: PathBuf,
    /// `None`: there is no such file.
    old: Option<String>,
    /// The agent runs the file itself.
    is_executable: bool,
}

/// A settings file of an agent, with the way to change it.
pub(crate) struct AgentFile {
    pub(crate) file: SettingsFile,
    pub(crate) edit: &'static dyn ManagedText,
}

/// A file, and what it is to hold.
pub(crate) struct Change {
    pub(crate) file: SettingsFile,
    pub(crate) new: String,
}

/// The files in `folder` (the home folder, or that of a project) that a connection of `agent` lives in.
pub(crate) fn files(agent: &dyn Agent, level: Level, folder: &Path) -> anyhow::Result<Vec<AgentFile>> {
    let mut files = Vec::new();
    for managed in agent.files(level) {
        for path in matching(folder, managed.path) {
            let mut file = SettingsFile::read(&path)?;
            file.is_executable = managed.is_executable;
            files.push(AgentFile { file, edit: managed.text });
        }
    }
    Ok(files)
}

/// The files of the whole machine in which it can be laid down that the hooks of `agent` stay on.
pub(crate) fn system_files(agent: &dyn Agent) -> anyhow::Result<Vec<AgentFile>> {
    let file = |managed: ManagedFile| {
        Ok(AgentFile { file: SettingsFile::read(&root().join(managed.path))?, edit: managed.text })
    };
    agent.system_files().into_iter().map(file).collect()
}

/// The root folder of the machine's settings.
pub(crate) fn root() -> PathBuf {
    GIVEN_ROOT.get().cloned().unwrap_or_else(|| PathBuf::from("/"))
}

impl SettingsArguments {
    /// Whose settings are meant.
    pub(crate) fn level(&self) -> Level {
        if self.project.is_some() { Level::Project } else { Level::User }
    }

    /// The folder that the paths of settings start from.
    pub(crate) fn folder(&self) -> anyhow::Result<PathBuf> {
        match &self.project {
            Some(project) => Ok(std::path::absolute(project)?),
            None => home(),
        }
    }

    /// The settings are in the usual place.
    pub(crate) fn is_usual_place(&self) -> bool {
        self.settings.is_none() && !self.system
    }

    /// Reads the settings files of `agent` that are meant.
    pub(crate) fn read(&self, agent: &dyn Agent) -> anyhow::Result<Vec<AgentFile>> {
        if self.system {
            let files = system_files(agent)?;
            if files.is_empty() {
                bail!("{} has no settings for the whole machine that keep its hooks on", agent.display_name());
            }
            return Ok(files);
        }
        let Some(path) = &self.settings else { return files(agent, self.level(), &self.folder()?) };
        let first = agent.files(Level::User).into_iter().next();
        let managed = first.with_context(|| format!("{} has no settings file", agent.display_name()))?;
        let file = SettingsFile { is_executable: managed.is_executable, ..SettingsFile::read(path)? };
        Ok(vec![AgentFile { file, edit: managed.text }])
    }

    /// Shows `changes`, asks, and makes them. Whether it did is the answer. `secret` is left out of
    /// what is shown.
    pub(crate) fn apply(&self, changes: &[Change], secret: Option<&str>) -> anyhow::Result<bool> {
        for change in changes {
            say(&change.file.difference(&change.new, secret))?;
        }
        if self.dry_run {
            say("Nothing was changed (--dry-run).")?;
            return Ok(false);
        }
        if !self.yes && !confirmed(changes)? {
            say("Nothing was changed.")?;
            return Ok(false);
        }
        if self.system && !may_write(changes) {
            return elevated::run(&digest(changes)).map(|()| true);
        }
        for change in changes {
            if let Some(backup) = change.file.write(&change.new)? {
                say(&format!("The old file is kept as {}.", backup.display()))?;
            }
        }
        Ok(true)
    }
}

impl SettingsArguments {
    /// Makes `changes`, if they are to be made, and gives what there is to tell of them. `secret` is left
    /// out of that.
    pub(super) fn answer(
        &self,
        agent: &dyn Agent,
        changes: &[Change],
        secret: Option<&str>,
    ) -> anyhow::Result<AgentChange> {
        let digest = digest(changes);
        let is_made = self.yes && !self.dry_run;
        let is_made_elsewhere = is_made && self.system && !may_write(changes);
        if is_made && self.expect.as_ref().is_some_and(|expected| *expected != digest) {
            bail!("the settings of {} have changed meanwhile; look at the change again", agent.display_name());
        }
        if is_made_elsewhere {
            elevated::run(&digest)?;
        }
        let mut files = Vec::new();
        for Change { file, new } in changes {
            let lines = lines(file.text(), new, secret);
            let backup = if is_made && !is_made_elsewhere { file.write(new)? } else { None };
            let shown = |path: &Path| handraise_display::line(&path.display().to_string(), MAX_PATH);
            files.push(AgentFileChange { path: shown(&file.path), lines, backup: backup.as_deref().map(shown) });
        }
        Ok(AgentChange { agent: agent.name().to_owned(), files, digest, is_made })
    }
}

/// Whether this program has the right to make `changes`. The administrator has every right there is.
fn may_write(changes: &[Change]) -> bool {
    #[cfg(unix)]
    if nix::unistd::geteuid().is_root() {
        return true;
    }
    changes.iter().all(|change| {
        // The nearest folder that is there; the others are made.
        let folder = change.file.path.ancestors().skip(1).find(|folder| folder.is_dir());
        folder.is_some_and(|folder| tempfile::Builder::new().prefix(".handraise-").tempfile_in(folder).is_ok())
    })
}

/// The lines that change, and three around them.
fn lines(old: &str, new: &str, secret: Option<&str>) -> Vec<DiffLine> {
    let line = |sign, text: &str| DiffLine { sign, text: content_pieces(text) };
    let difference = TextDiff::from_lines(old, new);
    let mut lines = Vec::new();
    for group in difference.grouped_ops(3) {
        if !lines.is_empty() {
            lines.push(line(DiffSign::Keep, "⋯"));
        }
        for change in group.iter().flat_map(|operation| difference.iter_changes(operation)) {
            let sign = match change.tag() {
                ChangeTag::Equal => DiffSign::Keep,
                ChangeTag::Insert => DiffSign::Add,
                ChangeTag::Delete => DiffSign::Remove,
            };
            let text = change.value().trim_end_matches(['\n', '\r']);
            lines.push(match secret {
                Some(secret) => line(sign, &text.replace(secret, "‹token›")),
                None => line(sign, text),
            });
        }
    }
    lines
}

/// A digest of what the files hold and are to hold.
fn digest(changes: &[Change]) -> String {
    let mut whole = Sha256::new();
    for Change { file, new } in changes {
        let parts = [file.path.as_os_str().as_encoded_bytes(), file.text().as_bytes(), new.as_bytes()];
        for part in parts {
            whole.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
            whole.update(part);
        }
    }
    hex::encode(whole.finalize())
}

/// Asks the person at the terminal; without one there is nobody to ask.
fn confirmed(changes: &[Change]) -> anyhow::Result<bool> {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        bail!("there is no terminal to ask on; add --yes to make this change");
    }
    let paths: Vec<String> = changes.iter().map(|change| change.file.path.display().to_string()).collect();
    let mut stdout = io::stdout().lock();
    write!(stdout, "Change {}? [y/N] ", paths.join(" and "))?;
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
        Ok(Self { path, old, is_executable: false })
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
        #[cfg(unix)]
        if self.is_executable {
            use std::os::unix::fs::PermissionsExt;
            file.as_file().set_permissions(fs::Permissions::from_mode(0o755))?;
        }
        file.as_file().sync_all()?;
        file.persist(&self.path).map_err(|error| error.error)?;
        Ok(())
    }
}

/// The home folder: the one that was given, or the one from the user database, as for Handraise's own
/// folders.
pub(crate) fn home() -> anyhow::Result<PathBuf> {
    if let Some(home) = GIVEN_HOME.get() {
        return Ok(home.clone());
    }
    handraise_locations::home().context("this user has no home folder; give --settings FILE")
}

/// The agent called `name`.
pub(crate) fn known_agent(name: &str) -> anyhow::Result<&'static dyn Agent> {
    let names = handraise_agents::NAMES.join(", ");
    handraise_agents::agent(name).with_context(|| format!("there is no agent called `{name}` here; there is: {names}"))
}

/// The agents that a command is for: the one called `name`, or all.
pub(crate) fn chosen(name: Option<&str>) -> anyhow::Result<Vec<&'static dyn Agent>> {
    match name {
        Some(name) => Ok(vec![known_agent(name)?]),
        None => handraise_agents::NAMES.iter().map(|name| known_agent(name)).collect(),
    }
}
