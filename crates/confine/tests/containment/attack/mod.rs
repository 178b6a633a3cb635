//! The attacks. Each has three parts: what has to be there, what it does, and how one sees outside that it succeeded.

mod files;
mod given;
mod ipc;
mod leading;
mod locks;
mod metadata;
mod names;
mod network;
mod others;
mod processes;
mod reading;
mod recent;
mod services;
mod serving;
mod stand_ins;
mod unguarded;
mod ways;

use std::io;
use std::path::PathBuf;

use crate::scene::{Outcome, Scene, is_root};

pub(crate) struct Attack {
    pub(crate) name: &'static str,
    /// What it needs of the world.
    pub(crate) prepare: fn(&mut Scene),
    /// What the attacker does, in its own process.
    pub(crate) run: fn(&Inside) -> io::Result<()>,
    /// Whether it has had its effect.
    pub(crate) happened: fn(&Scene, &Outcome) -> bool,
    /// Why it cannot be tried here.
    pub(crate) not_here: fn() -> Option<&'static str>,
}

/// Only root can set the world up for it.
pub(crate) fn needs_root() -> Option<&'static str> {
    (!is_root()).then_some("only root can prepare it")
}

/// fchmodat2(2): since Linux 6.6.
pub(crate) fn needs_fchmodat2() -> Option<&'static str> {
    let missing = crate::call::call(452, &[-1, 0, 0, 0]).is_err_and(|error| error.raw_os_error() == Some(libc::ENOSYS));
    missing.then_some("the kernel has no fchmodat2")
}

/// What the attacker knows.
pub(crate) struct Inside {
    root: PathBuf,
}

impl Inside {
    pub(crate) fn at(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    pub(crate) fn name(&self, name: &str) -> String {
        std::env::var(format!("AT_{name}")).unwrap()
    }

    pub(crate) fn number(&self, name: &str) -> i64 {
        self.name(name).parse().unwrap()
    }

    pub(crate) fn port(&self, name: &str) -> u16 {
        self.name(name).parse().unwrap()
    }
}

pub(crate) const fn attack(
    name: &'static str,
    prepare: fn(&mut Scene),
    run: fn(&Inside) -> io::Result<()>,
    happened: fn(&Scene, &Outcome) -> bool,
) -> Attack {
    Attack { name, prepare, run, happened, not_here: || None }
}

pub(crate) static ALL: std::sync::LazyLock<Vec<&'static Attack>> = std::sync::LazyLock::new(|| {
    let all = [files::ATTACKS, metadata::ATTACKS, reading::ATTACKS, network::ATTACKS, ways::ATTACKS];
    all.into_iter()
        .chain([processes::ATTACKS, others::ATTACKS, ipc::ATTACKS, unguarded::ATTACKS, given::ATTACKS])
        .chain([
            names::ATTACKS,
            locks::ATTACKS,
            serving::ATTACKS,
            services::ATTACKS,
            stand_ins::ATTACKS,
            recent::ATTACKS,
            leading::ATTACKS,
        ])
        .flatten()
        .collect()
});

/// Watches a folder and opens what is in it.
pub(crate) fn watch_own(at: &std::path::Path) -> io::Result<()> {
    names::watch(at, || drop(std::fs::File::open(at.join("main.rs"))))
}

/// In the attacker's process.
pub(crate) fn run_named() {
    let (Ok(name), Ok(root)) = (std::env::var("ATTACK"), std::env::var("SCENE")) else { return };
    let inside = Inside { root: root.into() };
    let run = ALL.iter().find(|attack| attack.name == name).map(|attack| attack.run);
    let result = run.or_else(|| crate::later::named(&name)).unwrap()(&inside);
    println!("{name}: {result:?}");
    std::process::exit(i32::from(result.is_err()));
}
