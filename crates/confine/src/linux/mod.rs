//! The walls on Linux.

mod asker;
mod baseline;
mod calls;
mod descendants;
mod filter;
mod inside;
mod kept;
mod kernel;
mod landlock_rules;
mod metadata;
mod namespaces;
mod plan;
mod private_tmp;
mod signals;
mod socket_list;
mod sockets;
mod supervisor;
mod terminal;
mod territory;
pub use terminal::end_by_signal;
mod watch;

use std::ffi::OsStr;

use inside::{Inside, Word};
use nix::errno::Errno;
use nix::sys::wait::waitpid;
use plan::Plan;
use supervisor::{Began, Supervisor};

use crate::{Call, Capability, ConfineError, Imitation, Report, environment};

/// Runs a command inside walls and waits for it. This process must have one thread, and is good for nothing else
/// afterwards: its signals are blocked, orphans have become its children, and its capabilities are gone.
///
/// # Errors
/// When the walls cannot be held or put up. Nothing of the command has run then.
pub fn run(call: &Call) -> Result<Report, ConfineError> {
    let plan = Plan::of(call)?;
    let landlock_abi = landlock_version(call.imitation);
    let (holds, code, need) = match () {
        () if landlock_abi < Capability::OLDEST_LANDLOCK => {
            (false, "needs_landlock", "the kernel has no Landlock of version 2 or newer (Linux 5.19)".to_owned())
        }
        () if !kernel::knows_listeners() => {
            (false, "needs_supervisor", "the kernel lets no supervisor answer system calls (Linux 5.19)".to_owned())
        }
        () => (true, "", String::new()),
    };
    if !holds {
        return Err(ConfineError::NotHeld { need, code });
    }
    let needs_namespaces = |why: &str| match &plan.needs_namespaces {
        Some(need) => Err(ConfineError::NotHeld { need: format!("{need} ({why})"), code: "needs_namespaces" }),
        None => Ok(()),
    };
    let start = std::env::current_dir().map_err(|source| ConfineError::Missing { path: ".".into(), source })?;
    let (kept, _noted) = baseline::copy(plan.kept.clone())?;
    let supervisor = Supervisor::prepare()?;
    let begin = |with_namespaces: bool, supervisor: &Supervisor| {
        let tmp = if with_namespaces { OsStr::new("/tmp") } else { plan.tmp.path().as_os_str() };
        supervisor.begin(|talk| Inside {
            plan: &plan,
            kept: &kept,
            start: start.clone(),
            command: &call.command,
            environment: environment::inside(std::env::vars_os(), &call.walls.environment, tmp),
            limits: call.walls.limits,
            landlock_abi,
            with_namespaces,
            talk,
            user: nix::unistd::getuid(),
            group: nix::unistd::getgid(),
        })
    };
    if call.imitation.without_namespaces {
        needs_namespaces("there are none here")?;
    } else {
        match begin(true, &supervisor)? {
            Began::Running(running) => return running.supervise(supervisor, &plan, &kept, call, true, landlock_abi),
            Began::NoNamespaces(why) => needs_namespaces(&why)?,
        }
    }
    match begin(false, &supervisor)? {
        Began::Running(running) => running.supervise(supervisor, &plan, &kept, call, false, landlock_abi),
        Began::NoNamespaces(why) => Err(ConfineError::setup("process", why)),
    }
}

fn landlock_version(imitation: Imitation) -> u32 {
    let there = landlock_rules::newest();
    imitation.landlock_abi.map_or(there, |limit| limit.min(there))
}

/// What this kernel offers, found out by trying.
pub(crate) fn capability(imitation: Imitation) -> Capability {
    let named = nix::sys::utsname::uname();
    let kernel = named.map_or_else(
        |_| "Linux".to_owned(),
        |name| format!("{} {}", name.sysname().to_string_lossy(), name.release().to_string_lossy()),
    );
    let landlock_abi = landlock_version(imitation);
    let supervisor = kernel::knows_listeners();
    let mut missing = Vec::new();
    if landlock_abi < Capability::OLDEST_LANDLOCK {
        missing.push(
            "Landlock of version 2 or newer (Linux 5.19; it may be switched off in the kernel's settings)".to_owned(),
        );
    }
    if !supervisor {
        missing.push("seccomp user notification (Linux 5.19; a container may forbid it)".to_owned());
    }
    let namespaces = if imitation.without_namespaces { Err("left out".to_owned()) } else { try_namespaces() };
    if let Err(why) = &namespaces {
        missing.push(format!("namespaces for ordinary users ({why})"));
    }
    Capability { kernel, landlock_abi, supervisor, namespaces: namespaces.is_ok(), missing }
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
