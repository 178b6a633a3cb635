//! The three folders of a user.

use std::path::{Path, PathBuf};

use crate::{PrivateFileError, create_private_folder};

/// Name of the requester credential for programs that have none of their own.
pub const DEFAULT_REQUESTER: &str = "default";

/// The three folders that everything is kept in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folders {
    /// What a person writes or hands out: policy, tokens.
    pub config: PathBuf,
    /// What Handraise remembers: audit log, settings, grants.
    pub data: PathBuf,
    /// What lives as long as the program: socket, discovery file.
    pub runtime: PathBuf,
}

/// The folders of this user cannot be found out.
#[derive(Clone, Copy, Debug, thiserror::Error)]
pub enum FoldersError {
    /// The user database has no entry for this user.
    #[error("this user has no entry in the user database; give --config-dir, --data-dir and --runtime-dir")]
    NoUser,
}

impl Folders {
    /// The folders of the user that runs this program, from the user database.
    ///
    /// # Errors
    /// When the user database does not know the user.
    pub fn of_user() -> Result<Self, FoldersError> {
        let home = home()?;
        Ok(Self {
            config: home.join(".config/handraise"),
            data: home.join(".local/share/handraise"),
            runtime: runtime(&home),
        })
    }

    /// The user's folders with those replaced that are given. The user database is asked only when
    /// one is not given.
    ///
    /// # Errors
    /// When a folder is missing and the user database does not know the user.
    pub fn with(
        config: Option<PathBuf>,
        data: Option<PathBuf>,
        runtime: Option<PathBuf>,
    ) -> Result<Self, FoldersError> {
        if let (Some(config), Some(data), Some(runtime)) = (&config, &data, &runtime) {
            return Ok(Self { config: config.clone(), data: data.clone(), runtime: runtime.clone() });
        }
        let own = Self::of_user()?;
        Ok(Self {
            config: config.unwrap_or(own.config),
            data: data.unwrap_or(own.data),
            runtime: runtime.unwrap_or(own.runtime),
        })
    }

    /// Makes the folders, for this user's eyes only.
    ///
    /// # Errors
    /// When one cannot be made, or belongs to somebody else.
    pub fn create(&self) -> Result<(), PrivateFileError> {
        for folder in [&self.config, &self.data, &self.runtime, &self.tokens()] {
            create_private_folder(folder)?;
        }
        Ok(())
    }

    /// The policy.
    #[must_use]
    pub fn policy_file(&self) -> PathBuf {
        self.config.join("policy.toml")
    }

    /// The text of the policy that a person confirmed last.
    #[must_use]
    pub fn confirmed_policy_file(&self) -> PathBuf {
        self.data.join("confirmed-policy.toml")
    }

    /// Hashes of all credentials.
    #[must_use]
    pub fn credentials_file(&self) -> PathBuf {
        self.config.join("credentials.json")
    }

    /// The token of the requester credential called `name`: an agent's name, or `default`.
    #[must_use]
    pub fn token_file(&self, name: &str) -> PathBuf {
        self.tokens().join(format!("{name}.token"))
    }

    /// The audit database.
    #[must_use]
    pub fn audit_database(&self) -> PathBuf {
        self.data.join("audit.sqlite3")
    }

    /// What calls were about to change.
    #[must_use]
    pub fn kept(&self) -> PathBuf {
        self.data.join("kept")
    }

    /// The grants of a server without a desktop.
    #[must_use]
    pub fn grants_file(&self) -> PathBuf {
        self.data.join("grants.json")
    }

    /// The Unix socket.
    #[must_use]
    pub fn socket(&self) -> PathBuf {
        self.runtime.join("handraise.sock")
    }

    /// The discovery file.
    #[must_use]
    pub fn endpoint_file(&self) -> PathBuf {
        self.runtime.join("endpoint.json")
    }

    /// Held locked by the one server that uses these folders.
    #[must_use]
    pub fn lock_file(&self) -> PathBuf {
        self.data.join("server.lock")
    }

    /// The folder of the requesters' tokens.
    #[must_use]
    pub fn tokens(&self) -> PathBuf {
        self.config.join("tokens")
    }
}

/// The user's home folder, from the user database and never from `$HOME`.
///
/// # Errors
/// When the user database does not know the user.
pub fn home() -> Result<PathBuf, FoldersError> {
    of_user_database()
}

#[cfg(target_os = "linux")]
fn of_user_database() -> Result<PathBuf, FoldersError> {
    crate::user_database::home(nix::unistd::getuid().as_raw()).ok_or(FoldersError::NoUser)
}

#[cfg(all(unix, not(target_os = "linux")))]
fn of_user_database() -> Result<PathBuf, FoldersError> {
    let user = nix::unistd::User::from_uid(nix::unistd::getuid()).ok().flatten();
    user.map(|user| user.dir).filter(|home| home.is_absolute()).ok_or(FoldersError::NoUser)
}

#[cfg(not(unix))]
fn of_user_database() -> Result<PathBuf, FoldersError> {
    dirs::home_dir().ok_or(FoldersError::NoUser)
}

/// The files that `pattern` names in `folder`: a relative path, or `FOLDER/*.json` for every file with that end that is
/// there, in the order of their names.
#[must_use]
pub fn matching(folder: &Path, pattern: &str) -> Vec<PathBuf> {
    let Some((every, end)) = pattern.split_once("/*.") else { return vec![folder.join(pattern)] };
    let entries = std::fs::read_dir(folder.join(every)).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == end))
        .collect();
    files.sort();
    files
}

/// `/run/user/UID/handraise` where a login session has made that folder, else a folder in the home.
#[cfg(target_os = "linux")]
fn runtime(home: &Path) -> PathBuf {
    use std::os::unix::fs::MetadataExt;
    let uid = nix::unistd::getuid();
    let session = PathBuf::from(format!("/run/user/{uid}"));
    let ours = session
        .symlink_metadata()
        .is_ok_and(|metadata| metadata.is_dir() && metadata.uid() == uid.as_raw() && metadata.mode() & 0o077 == 0);
    if ours { session.join("handraise") } else { home.join(".local/share/handraise/run") }
}

#[cfg(not(target_os = "linux"))]
fn runtime(home: &Path) -> PathBuf {
    home.join(".local/share/handraise/run")
}
