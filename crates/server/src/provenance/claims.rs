//! What a requester claims, held against what the system tells. An honest agent must never be marked: a
//! claim counts as contradicted only where nothing could explain it.

use std::path::PathBuf;

use handraise_agents::ProgramKind;
use handraise_policy::Contradiction;

use super::chain::Chain;
use super::process::Process;
use super::{Claims, host_programs};

/// Agents that run in processes of their own, so that one of them has to be there. The others run
/// inside of editors.
const WITH_OWN_PROCESS: &[&str] =
    &["claude-code", "codex", "gemini-cli", "copilot-cli", "opencode", "qwen-code", "amp", "goose"];

/// The contradictions between `claims` and the processes of `chain`, but for the folder. `children` gives the agents among
/// the children of some of them: a program that runs an agent may ask in its name, as a proxy does.
pub(super) fn contradictions(
    chain: &Chain<'_>,
    claims: &Claims,
    own_user: u32,
    children: &dyn Fn(&[Process]) -> Vec<&'static str>,
) -> Vec<Contradiction> {
    let mut found = Vec::new();
    found.extend(claims.agent.as_deref().and_then(|claimed| agent(chain, claimed, children)));
    let other = chain.up_to_agent().iter().filter_map(|process| process.user).find(|user| *user != own_user);
    found.extend(other.map(|user| Contradiction::OtherUser { user }));
    found
}

fn agent(
    chain: &Chain<'_>,
    claimed: &str,
    children: &dyn Fn(&[Process]) -> Vec<&'static str>,
) -> Option<Contradiction> {
    if !handraise_agents::NAMES.contains(&claimed) {
        return None;
    }
    // What an editor's own processes do in there cannot be told apart; what started it is not asking.
    let kinds = chain.processes.iter().map(|process| match process.kind() {
        ProgramKind::Unknown if host_programs::is_host(process) => ProgramKind::Ordinary,
        kind => kind,
    });
    let kinds: Vec<ProgramKind> = kinds.take_while(|kind| !matches!(kind, ProgramKind::Editor(_))).collect();
    let is_in_editor = kinds.len() < chain.processes.len();
    let known = kinds.iter().find_map(|kind| if let ProgramKind::Agent(name) = kind { Some(*name) } else { None });
    let contradiction = match known {
        Some(found) if found == claimed => return None,
        Some(found) => Contradiction::OtherAgent { claimed: claimed.to_owned(), found: found.to_owned() },
        None if is_in_editor || !WITH_OWN_PROCESS.contains(&claimed) => return None,
        None if kinds.contains(&ProgramKind::Unknown) => return None,
        None => Contradiction::NoAgent { claimed: claimed.to_owned() },
    };
    (!children(chain.up_to_agent()).contains(&claimed)).then_some(contradiction)
}

/// The folder that is claimed and those of the processes that ask, where the two can be compared.
///
/// A command hook is started in the folder that the agent says it is in. The agent's own process need
/// not be there, for its shell may have moved on; a program that asks without a hook may have been told
/// its folder in any way, and what an editor starts works anywhere. So only the hook of a known agent is
/// looked at.
pub(super) fn folders(chain: &Chain<'_>, claims: &Claims) -> Option<(PathBuf, Vec<PathBuf>)> {
    let claimed = PathBuf::from(claims.folder.as_deref()?);
    let (hook, asking) = (chain.processes.first()?, chain.up_to_agent());
    let is_hook = hook.is_shim() && hook.arguments.iter().any(|argument| argument == "hook");
    let is_agents = asking.last().is_some_and(|last| matches!(last.kind(), ProgramKind::Agent(_)));
    if !is_hook || !is_agents || !claimed.is_absolute() {
        return None;
    }
    let folders: Vec<PathBuf> = asking.iter().map(|process| process.folder.clone()).collect::<Option<_>>()?;
    Some((claimed, folders))
}
