//! The walls on Linux.

mod address;
mod baseline;
mod binder;
mod by_number;
mod caller;
mod calls;
mod connecting;
mod descendants;
mod filter;
mod guardian;
mod inotify;
mod inside;
mod kept;
mod kernel;
mod landlock_rules;
mod limits;
mod link_target;
mod links;
mod made;
mod metadata;
mod moves;
mod namespaces;
mod no_links;
mod offered;
mod out_of_sight;
mod place;
mod plan;
mod private_tmp;
mod root;
mod session;
mod signals;
mod socket_list;
mod sockets;
mod stand_ins;
mod standard_streams;
mod standing_links;
mod supervisor;
mod terminal;
mod territory;
pub use terminal::end_by_signal;
mod view;
mod watch;
mod way_out;

use std::ffi::OsStr;

use inside::{Inside, Word};
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
    standard_streams::check()?;
    let given = standard_streams::Settings::now();
    let start = std::env::current_dir().map_err(|source| ConfineError::Missing { path: ".".into(), source })?;
    let (kept, noted) = baseline::copy(&plan.wanted())?;
    let supervisor = Supervisor::prepare()?;
    let begin = |with_namespaces: bool, supervisor: &Supervisor| {
        let tmp = if with_namespaces { OsStr::new("/tmp") } else { plan.tmp.path().as_os_str() };
        supervisor.begin(&noted, |talk| Inside {
            plan: &plan,
            kept: &kept,
            start: start.clone(),
            command: &call.command,
            environment: environment::inside(std::env::vars_os(), &call.walls.environment, tmp),
            limits: call.walls.limits,
            landlock_abi,
            with_namespaces,
            has_terminal: terminal::is_given(),
            talk,
            user: nix::unistd::getuid(),
            group: nix::unistd::getgid(),
        })
    };
    let began = if call.imitation.without_namespaces {
        needs_namespaces("there are none here")?;
        None
    } else {
        match begin(true, &supervisor)? {
            Began::Running(running) => Some(running),
            // What somebody has taken away, or put a link in the place of, in this very moment is no reason for less.
            Began::NoNamespaces(why) if is_about_a_place(&why) => return Err(ConfineError::setup("namespaces", why)),
            Began::NoNamespaces(why) => needs_namespaces(&why).map(|()| None)?,
        }
    };
    let with_namespaces = began.is_some();
    if !with_namespaces {
        plan.made.make_files();
    }
    let running = match began.map_or_else(|| begin(false, &supervisor), |running| Ok(Began::Running(running)))? {
        Began::Running(running) => running,
        Began::NoNamespaces(why) => return Err(ConfineError::setup("process", why)),
    };
    let (mut ended, last) = running.supervise(supervisor, &plan, &kept, call, with_namespaces, landlock_abi);
    given.put_back();
    if let Ok(report) = &mut ended
        && report.has_failed()
        && report.denied.is_empty()
    {
        for place in out_of_sight::named_in(&call.command, &start, &plan) {
            report.note("read", &place.to_string_lossy());
        }
    }
    match &mut ended {
        Ok(report) if !report.is_cleaned_up() => {
            let place = noted.leave().map(|place| place.display().to_string());
            report.not_put_back.extend(place.map(|place| format!("what it was stands in {place}")));
        }
        _ => drop(noted),
    }
    drop(plan);
    last.wait();
    ended
}

/// Whether `why`, a step and what the system has said to it, is about a place that is not there any more or leads elsewhere. A
/// kernel that gives no namespaces says something else.
fn is_about_a_place(why: &str) -> bool {
    [libc::ENOENT, libc::ENOTDIR, libc::ELOOP, libc::ESTALE].iter().any(|code| {
        why.contains(&format!("(os error {code})")) || why.contains(nix::errno::Errno::from_raw(*code).desc())
    })
}

/// Whether this machine holds the walls of `call`. Starts nothing of it.
///
/// # Errors
/// Why it does not.
pub fn check(call: &Call) -> Result<(), ConfineError> {
    let need = Plan::of(call)?.needs_namespaces;
    match need.filter(|_| !Capability::of_this_machine(call.imitation).namespaces) {
        Some(need) => {
            Err(ConfineError::NotHeld { need: format!("{need} (there are none here)"), code: "needs_namespaces" })
        }
        None => Ok(()),
    }
}

fn landlock_version(imitation: Imitation) -> u32 {
    let there = landlock_rules::newest();
    imitation.landlock_abi.map_or(there, |limit| limit.min(there))
}
