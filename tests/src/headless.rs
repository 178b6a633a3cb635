//! A headless server (`handraise serve`) in folders of its own.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result};
use serde::Deserialize;
use tempfile::TempDir;

use crate::{api, binaries};

/// A running `handraise serve`. Killed when dropped.
#[derive(Debug)]
pub struct Headless {
    server: Child,
    /// Where it listens, as its first line of output says.
    pub started: Started,
    /// Its folders and files.
    pub folder: TempDir,
}

/// The first line that `handraise serve` prints.
#[derive(Clone, Debug, Deserialize)]
pub struct Started {
    /// `127.0.0.1:PORT`.
    pub address: String,
    /// Path of the Unix socket.
    pub socket: PathBuf,
    /// File of the default requester token.
    pub requester_token_file: PathBuf,
}

impl Headless {
    /// Starts a server with this policy; an empty text means the one that a new user starts with.
    ///
    /// # Errors
    /// When it does not start.
    pub fn start(policy: &str) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        if policy.is_empty() {
            return Self::start_in(folder);
        }
        let config = folder.path().join("config");
        std::fs::create_dir_all(&config)?;
        std::fs::write(config.join("policy.toml"), policy)?;
        Self::start_with(folder, &["--confirm-policy"])
    }

    /// Starts a server in a folder that another one has used.
    ///
    /// # Errors
    /// When it does not start.
    pub fn start_in(folder: TempDir) -> Result<Self> {
        Self::start_with(folder, &[])
    }

    fn start_with(folder: TempDir, flags: &[&str]) -> Result<Self> {
        let mut server = Command::new(binaries::handraise()?)
            .args(folder_flags(folder.path()))
            .args(["serve", "--port", "0", "--approver-token-file"])
            .arg(folder.path().join("approver.token"))
            .args(flags)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut line = String::new();
        BufReader::new(server.stdout.take().context("no output")?).read_line(&mut line)?;
        let started = serde_json::from_str(&line).with_context(|| format!("first line: {line:?}"))?;
        Ok(Self { server, started, folder })
    }

    /// Kills it with SIGKILL and gives its folder, for the next one.
    ///
    /// # Errors
    /// When it cannot be killed.
    pub fn kill(self) -> Result<TempDir> {
        let mut this = self;
        this.server.kill()?;
        this.server.wait()?;
        let empty = tempfile::tempdir()?;
        Ok(std::mem::replace(&mut this.folder, empty))
    }

    /// Ends it as the system does (SIGTERM) and gives its folder, for the next one.
    ///
    /// # Errors
    /// When it cannot be told to end.
    pub fn end(self) -> Result<TempDir> {
        let mut this = self;
        let pid = nix::unistd::Pid::from_raw(i32::try_from(this.pid())?);
        nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGTERM)?;
        this.server.wait()?;
        let empty = tempfile::tempdir()?;
        Ok(std::mem::replace(&mut this.folder, empty))
    }

    /// Its process number.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.server.id()
    }

    /// Whether it is still running.
    ///
    /// # Errors
    /// When the system does not say.
    pub fn is_running(&mut self) -> Result<bool> {
        Ok(self.server.try_wait()?.is_none())
    }

    /// The token of the requester credential called `name`.
    ///
    /// # Errors
    /// When there is none.
    pub fn requester_token(&self, name: &str) -> Result<String> {
        let path = self.folder.path().join(format!("config/tokens/{name}.token"));
        Ok(std::fs::read_to_string(path)?)
    }

    /// The approver token.
    ///
    /// # Errors
    /// When there is none.
    pub fn approver_token(&self) -> Result<String> {
        Ok(std::fs::read_to_string(self.folder.path().join("approver.token"))?)
    }

    /// A client with the default requester token.
    ///
    /// # Errors
    /// When there is no token.
    pub fn requester(&self) -> Result<api::Client> {
        Ok(api::Client::new(&self.started.address, &self.requester_token("default")?))
    }

    /// A client with the approver token.
    ///
    /// # Errors
    /// When there is no token.
    pub fn approver(&self) -> Result<api::Client> {
        Ok(api::Client::new(&self.started.address, &self.approver_token()?))
    }
}

impl Drop for Headless {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// The flags that keep a program in `folder`.
#[must_use]
pub fn folder_flags(folder: &Path) -> Vec<String> {
    [("--config-dir", "config"), ("--data-dir", "data"), ("--runtime-dir", "run")]
        .into_iter()
        .flat_map(|(flag, name)| [flag.to_owned(), folder.join(name).display().to_string()])
        .collect()
}
