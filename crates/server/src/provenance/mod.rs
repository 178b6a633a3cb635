//! Where a request comes from: the programs behind it, their terminal, the folder and repository that
//! they work in, and what of the requester's claims this does not bear out.
//!
//! Everything is looked at while the requester waits for its answer, by process number *and* start time,
//! so that nothing is told about another process that has got the number since. A process can choose
//! its name, its arguments and its environment, and it can outlive its parent: this helps a person to see,
//! and decides nothing.

#[cfg(target_os = "linux")]
mod chain;
#[cfg(target_os = "linux")]
mod claims;
#[cfg(target_os = "linux")]
mod container;
#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(target_os = "linux")]
mod folders;
#[cfg(target_os = "linux")]
pub(crate) mod host_programs;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
mod process;
#[cfg(target_os = "linux")]
mod repository;

use std::sync::LazyLock;
use std::time::Duration;

use handraise_policy::{ProcessId, Provenance};
use handraise_protocol::ApprovalRequest;
use tokio::sync::Semaphore;

use crate::intake::RequesterIdentity;
use crate::threads;

/// How long each of two looks may hold up the answer to a request.
const MAX_TIME: Duration = Duration::from_millis(300);
/// Looks into folders at the same time. One that hangs, as on a network folder that does not answer,
/// keeps its slot until it ends, and what it would have told is not known.
static SLOTS: LazyLock<Semaphore> = LazyLock::new(|| Semaphore::new(8));

/// What a requester says about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Claims {
    /// The agent that it says it is, or that its credential belongs to.
    pub(crate) agent: Option<String>,
    /// The working folder.
    pub(crate) folder: Option<String>,
}

impl Claims {
    /// What `request` says, and what the credential of its requester stands for.
    pub(crate) fn of(request: &ApprovalRequest, requester: &RequesterIdentity) -> Self {
        let agent = requester.agent(request.agent.as_deref());
        Self { agent: agent.map(|agent| agent.name), folder: request.cwd.clone() }
    }
}

/// Where the request of the process with this `lineage` (itself first, then its ancestors) comes from.
/// `None`: it cannot be told, as on a system where processes are not looked up.
pub(crate) async fn find(lineage: Vec<ProcessId>, claims: Claims) -> Option<Provenance> {
    if lineage.is_empty() {
        return None;
    }
    let (provenance, folders) = in_time(move || look(&lineage, &claims)).await??;
    let Ok(slot) = SLOTS.try_acquire() else { return Some(provenance) };
    let found = in_time(move || {
        let found = folders.look();
        drop(slot);
        found
    });
    Some(found.await.map_or(provenance.clone(), |found| found.add_to(provenance)))
}

/// What `work` gives, unless that takes too long. It may hang, so it is not the runtime's, which would wait for it.
async fn in_time<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let found = threads::begin(work).ok()?;
    tokio::time::timeout(MAX_TIME, found).await.ok()?.ok()
}

#[cfg(not(target_os = "linux"))]
use elsewhere::look;
#[cfg(target_os = "linux")]
use linux::look;

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests;
