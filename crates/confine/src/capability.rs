//! What a machine can hold. It is found out by trying, never read from the environment.

use serde::{Deserialize, Serialize};

/// What the walls can be made of here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Capability {
    /// The system and its version, as uname(2) gives them.
    pub kernel: String,
    /// The newest version of Landlock that the kernel takes in full; 0 without Landlock.
    pub landlock_abi: u32,
    /// Whether a supervisor can answer system calls and get hold of descriptors (Linux 5.19).
    pub supervisor: bool,
    /// Whether this user may have namespaces for mounts, processes, network and IPC.
    pub namespaces: bool,
    /// What is missing, in words, for people.
    pub missing: Vec<String>,
}

/// Pretends that the kernel offers less. It can only take away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Imitation {
    /// No newer version of Landlock than this.
    pub landlock_abi: Option<u32>,
    /// No namespaces.
    pub without_namespaces: bool,
}

impl Capability {
    /// The oldest version of Landlock that walls can be made with: the first that lets files be moved between folders
    /// (Linux 5.19; Debian 12 has 6.1).
    pub const OLDEST_LANDLOCK: u32 = 2;

    /// What this machine can hold, less what the imitation takes away.
    #[cfg(not(target_os = "linux"))]
    #[must_use]
    pub fn of_this_machine(_imitation: Imitation) -> Self {
        Self {
            kernel: std::env::consts::OS.to_owned(),
            landlock_abi: 0,
            supervisor: false,
            namespaces: false,
            missing: vec!["walls are offered on Linux".to_owned()],
        }
    }

    /// Whether any walls can be put up.
    #[must_use]
    pub fn holds_walls(&self) -> bool {
        self.landlock_abi >= Self::OLDEST_LANDLOCK && self.supervisor
    }

    /// Lines for people: what there is, and what it means.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let yes = |there: bool| if there { "yes" } else { "no" };
        let mut lines = vec![
            format!("kernel: {}", self.kernel),
            format!("Landlock: version {}", self.landlock_abi),
            format!("supervisor (seccomp user notification): {}", yes(self.supervisor)),
            format!("namespaces: {}", yes(self.namespaces)),
        ];
        lines.extend(self.missing.iter().map(|missing| format!("missing: {missing}")));
        lines.push(self.meaning().to_owned());
        lines
    }

    /// What it means for calls.
    #[must_use]
    pub fn meaning(&self) -> &'static str {
        match (self.holds_walls(), self.namespaces) {
            (false, _) => "No call runs confined here: each is asked about.",
            (true, true) => {
                "Calls can run confined. Hooks and settings in the project are read-only, and `.env` is hidden."
            }
            (true, false) => {
                "Calls can run confined. Hooks and settings in the project are put back after the call. A call in a \
                 project with `.env` is asked about: it cannot be hidden here."
            }
        }
    }
}
