//! What this kernel offers, found out by trying.

use nix::errno::Errno;
use nix::sys::wait::waitpid;

use super::{kernel, landlock_version, namespaces};
use crate::{Capability, Imitation};

impl Capability {
    /// What this machine can hold, less what the imitation takes away.
    #[must_use]
    pub fn of_this_machine(imitation: Imitation) -> Self {
        let named = nix::sys::utsname::uname();
        let kernel = named.map_or_else(
            |_| "Linux".to_owned(),
            |name| format!("{} {}", name.sysname().to_string_lossy(), name.release().to_string_lossy()),
        );
        let landlock_abi = landlock_version(imitation);
        let supervisor = kernel::knows_listeners();
        let mut missing = Vec::new();
        if landlock_abi < Self::OLDEST_LANDLOCK {
            missing.push(
                "Landlock of version 2 or newer (Linux 5.19; it may be switched off in the kernel's settings)"
                    .to_owned(),
            );
        }
        if !supervisor {
            missing.push("seccomp user notification (Linux 5.19; a container may forbid it)".to_owned());
        }
        let namespaces = if imitation.without_namespaces { Err("left out".to_owned()) } else { try_namespaces() };
        if let Err(why) = &namespaces {
            missing.push(format!("namespaces for ordinary users ({why})"));
        }
        Self { kernel, landlock_abi, supervisor, namespaces: namespaces.is_ok(), missing }
    }
}

/// Enters namespaces in a process that does nothing else.
fn try_namespaces() -> Result<(), String> {
    let (user, group) = (nix::unistd::getuid(), nix::unistd::getgid());
    let (read, write) = nix::unistd::pipe().map_err(|error| error.to_string())?;
    match kernel::fork(namespaces::FLAGS).map_err(|error| error.to_string())? {
        kernel::Fork::Child => {
            let tried = namespaces::enter(user, group)
                .and_then(|()| namespaces::mount_processes())
                .and_then(|()| namespaces::network().map(drop));
            if let Err((step, why)) = &tried {
                let _ = nix::unistd::write(&write, format!("{step}: {why}").as_bytes());
            }
            kernel::exit(i32::from(tried.is_err()))
        }
        kernel::Fork::Parent(child) => {
            drop(write);
            let mut why = String::new();
            let _ = std::io::Read::read_to_string(&mut std::fs::File::from(read), &mut why);
            while waitpid(child, None) == Err(Errno::EINTR) {}
            if why.is_empty() { Ok(()) } else { Err(why) }
        }
    }
}
