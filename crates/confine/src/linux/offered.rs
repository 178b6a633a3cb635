//! What this kernel offers, found out by trying.

use nix::errno::Errno;
use nix::sys::wait::waitpid;

use super::{kernel, landlock_version, namespaces, root};
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
        let namespaces =
            if imitation.without_namespaces { Err("left out".to_owned()) } else { tried(namespaces_alone) };
        match namespaces.as_ref().map(|()| tried(root::takes_copies)) {
            Err(why) => missing.push(format!("namespaces for ordinary users ({why})")),
            Ok(Err(why)) => missing.push(format!(
                "overlayfs for ordinary users ({why}), so locks and named pipes in what may be read are shared with others"
            )),
            Ok(Ok(())) => {}
        }
        Self { kernel, landlock_abi, supervisor, namespaces: namespaces.is_ok(), missing }
    }
}

fn namespaces_alone() -> namespaces::Step<()> {
    namespaces::mount_processes()?;
    namespaces::loopback()
}

/// Tries something in namespaces, in a process that does nothing else.
fn tried(step: fn() -> namespaces::Step<()>) -> Result<(), String> {
    let (user, group) = (nix::unistd::getuid(), nix::unistd::getgid());
    let (read, write) = nix::unistd::pipe().map_err(|error| error.to_string())?;
    match kernel::fork(namespaces::FLAGS).map_err(|error| error.to_string())? {
        kernel::Fork::Child => {
            let tried = namespaces::enter(user, group).and_then(|()| step());
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
