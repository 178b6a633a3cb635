//! What a command may do. Pure data: the wire between whoever decides about calls and the program that runs them.

use std::ffi::OsStr;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::{CACHES, ConfineError};

/// The version of the format that [`Walls`] has in JSON.
const VERSION: u32 = 1;

/// The walls around one command.
///
/// Everything that is not named here is refused: writing anywhere else, reading outside of the system's folders and
/// the known folders of tools, every network, every socket of others, every signal to others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Walls {
    /// The version of this format: 1.
    pub version: u32,
    /// Folders that the command works in, writable. The first is the one it is named after. Absolute.
    pub project: Vec<PathBuf>,
    /// Further files and folders that it may write. Absolute.
    #[serde(default)]
    pub write: Vec<PathBuf>,
    /// Further files and folders that it may read. Absolute.
    #[serde(default)]
    pub read: Vec<PathBuf>,
    /// Files and folders in `/tmp` that are not there yet and that it may make there. What it makes of them stays when the
    /// call has ended. Absolute.
    #[serde(default)]
    pub made: Vec<PathBuf>,
    /// Places that it must not read even where something else here would let it. Absolute. Inside of what is
    /// writable only namespaces can do that.
    #[serde(default)]
    pub read_deny: Vec<PathBuf>,
    /// Names of files that are hidden wherever they lie in the project. `*` at the end stands for anything.
    #[serde(default = "default_hidden_names")]
    pub hide: Vec<String>,
    /// Names that are shown although `hide` names them, beside those of templates.
    #[serde(default)]
    pub show: Vec<String>,
    /// Paths in the project, beside the known ones, that have to be after the call as they were before.
    #[serde(default)]
    pub keep: Vec<PathBuf>,
    /// Caches that it may write, by the names in [`CACHES`].
    #[serde(default)]
    pub caches: Vec<String>,
    /// What of the network it reaches.
    #[serde(default)]
    pub network: Network,
    /// How much it may use.
    #[serde(default)]
    pub limits: Limits,
    /// What it gets of the environment.
    #[serde(default)]
    pub environment: EnvironmentRules,
}

/// What of the network a command reaches. There is one answer today; hosts by name come later.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Network {
    /// Nothing but itself: what it listens at, it may connect to.
    #[default]
    None,
}

/// How much a command may use. What is not given is not limited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Processes and threads at one time. Only a user namespace can count those of one call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processes: Option<u64>,
    /// Bytes of private memory of **each** process (`RLIMIT_DATA`, setrlimit(2)).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<u64>,
    /// Seconds until the call is ended, with status 124 as timeout(1) has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<u64>,
}

/// What a command gets of the environment. Variables that look like credentials, and those that lead to sockets of the
/// session, are left out (`environment.rs` has the table).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EnvironmentRules {
    /// Variables that pass although the table leaves them out.
    #[serde(default)]
    pub keep: Vec<String>,
    /// Variables that are left out beside those of the table.
    #[serde(default)]
    pub drop: Vec<String>,
}

/// Where projects keep secrets for their programs.
fn default_hidden_names() -> Vec<String> {
    [".env", ".env.*", ".secrets", ".netrc", ".pypirc", ".git-credentials"].map(str::to_owned).into()
}

/// Files that are named like secrets and are there to be read: the common names of templates.
pub const TEMPLATES: &[&str] = &[".env.example", ".env.sample", ".env.template", ".env.dist", ".env.defaults"];

impl Walls {
    /// The walls for work in one project: nothing else is writable.
    #[must_use]
    pub fn around(project: PathBuf) -> Self {
        Self {
            version: VERSION,
            project: vec![project],
            write: Vec::new(),
            read: Vec::new(),
            made: Vec::new(),
            read_deny: Vec::new(),
            hide: default_hidden_names(),
            show: Vec::new(),
            keep: Vec::new(),
            caches: Vec::new(),
            network: Network::None,
            limits: Limits::default(),
            environment: EnvironmentRules::default(),
        }
    }

    /// Whether a file of this name is hidden in the project.
    pub(crate) fn hides(&self, name: &OsStr) -> bool {
        let matches = |pattern: &String| match pattern.strip_suffix('*') {
            Some(beginning) => name.as_encoded_bytes().starts_with(beginning.as_bytes()),
            None => name == OsStr::new(pattern),
        };
        let shown = self.show.iter().map(String::as_str).chain(TEMPLATES.iter().copied());
        self.hide.iter().any(matches) && !shown.map(OsStr::new).any(|shown| shown == name)
    }

    /// Checks what can be checked without looking at the disk.
    ///
    /// # Errors
    /// When the version is another one, no project is named, a path is not absolute, a path in `keep` leads out of the
    /// project, or a cache is not known.
    pub fn check(&self) -> Result<(), ConfineError> {
        if self.version != VERSION {
            return Err(ConfineError::Version { found: self.version });
        }
        if self.project.is_empty() {
            return Err(ConfineError::NoProject);
        }
        for path in self.project.iter().chain(&self.write).chain(&self.read).chain(&self.read_deny) {
            if !path.is_absolute() {
                return Err(ConfineError::NotAbsolute { path: path.clone() });
            }
        }
        for path in &self.made {
            let below = path.strip_prefix("/tmp").is_ok_and(|below| !below.as_os_str().is_empty());
            if !below || path.components().any(|part| matches!(part, std::path::Component::ParentDir)) {
                return Err(ConfineError::NotTemporary { path: path.clone() });
            }
        }
        for path in &self.keep {
            let inside = path.components().all(|part| matches!(part, std::path::Component::Normal(_)));
            if !inside || path.as_os_str().is_empty() {
                return Err(ConfineError::NotInProject { path: path.clone() });
            }
        }
        match self.caches.iter().find(|name| !CACHES.iter().any(|cache| cache.name == name.as_str())) {
            Some(name) => Err(ConfineError::UnknownCache { name: name.clone() }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_is_the_narrow_choice() {
        let walls: Walls = serde_json::from_str(r#"{"version":1,"project":["/p"]}"#).unwrap();
        assert_eq!(walls, Walls::around("/p".into()));
        assert!(walls.hide.contains(&".env".to_owned()));
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for text in [
            r#"{"version":1,"project":["/p"],"netwrok":"none"}"#,
            r#"{"version":1,"project":["/p"],"network":"all"}"#,
            r#"{"version":1,"project":["/p"],"limits":{"cpu":1}}"#,
            r#"{"project":["/p"]}"#,
        ] {
            assert!(serde_json::from_str::<Walls>(text).is_err(), "{text}");
        }
        for (text, code) in [
            (r#"{"version":2,"project":["/p"]}"#, "walls_version"),
            (r#"{"version":1,"project":[]}"#, "no_project"),
            (r#"{"version":1,"project":["p"]}"#, "not_absolute"),
            (r#"{"version":1,"project":["/p"],"read_deny":["~/.x"]}"#, "not_absolute"),
            (r#"{"version":1,"project":["/p"],"keep":["../x"]}"#, "not_in_project"),
            (r#"{"version":1,"project":["/p"],"keep":["/x"]}"#, "not_in_project"),
            (r#"{"version":1,"project":["/p"],"made":["/tmp"]}"#, "not_temporary"),
            (r#"{"version":1,"project":["/p"],"made":["/srv/x"]}"#, "not_temporary"),
            (r#"{"version":1,"project":["/p"],"made":["/tmp/../etc/x"]}"#, "not_temporary"),
            (r#"{"version":1,"project":["/p"],"caches":["all"]}"#, "unknown_cache"),
        ] {
            let walls: Walls = serde_json::from_str(text).unwrap();
            assert_eq!(walls.check().unwrap_err().code(), code, "{text}");
        }
    }
}
