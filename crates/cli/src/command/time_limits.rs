//! How long a person has. Three clocks run: the policy's, the hook's own, and the agent's; the first to end
//! counts.

use handraise_agents::Agent;
use handraise_locations::Folders;
use handraise_policy::Policy;
use handraise_policy::rules::{self, LoadedPolicy};

/// Seconds that the server leaves the hook to hand the answer on.
const MARGIN: u32 = 3;

/// What ends the wait for a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TimeLimits {
    /// The policy's time-out.
    pub(super) policy: u32,
    /// The hook's deadline.
    pub(super) hook: u32,
    /// How long the agent waits for the hook.
    pub(super) agent: u32,
}

impl TimeLimits {
    /// Of `agent`, whose hook denies after `hook` seconds and is waited for `waits` seconds.
    pub(super) fn of(agent: &dyn Agent, hook: u32, waits: u32, folders: &Folders) -> Self {
        let text = std::fs::read_to_string(folders.policy_file()).unwrap_or_default();
        // A policy that cannot be read is not in force; then what is built in counts.
        let policy = rules::parse(&text).map_or_else(|_| Policy::default(), |LoadedPolicy { policy, .. }| policy);
        let own = policy.agents.get(agent.name()).and_then(|table| table.timeout_seconds);
        Self { policy: own.unwrap_or(policy.timeout_seconds), hook, agent: waits }
    }

    /// Seconds after which a call is denied that nobody has answered.
    pub(super) fn counts(self) -> u32 {
        self.policy.min(self.hook.saturating_sub(MARGIN).max(1)).min(self.agent)
    }

    /// For a person.
    pub(super) fn sentence(self) -> String {
        let Self { policy, hook, agent } = self;
        let counts = self.counts();
        let whose = match counts {
            _ if counts == policy => "the policy's `timeout`",
            _ if counts == agent => "the agent's own time-out",
            _ => "the hook's `--deadline`",
        };
        format!(
            "You have {counts} seconds to answer a call; then it is denied. That is {whose}, the shortest of the policy's \
             {policy}, the hook's {hook} (less {MARGIN} to hand the answer on), and {agent} that the agent waits."
        )
    }
}

/// The sentence for `agent` with a hook that denies after `hook` seconds.
pub(super) fn told(agent: &dyn Agent, hook: u32, folders: &Folders) -> String {
    TimeLimits::of(agent, hook, agent.timing().agent_seconds, folders).sentence()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_counts_and_is_named() {
        for (policy, hook, agent, counts, whose) in [
            (300, 590, 600, 300, "the policy's `timeout`"),
            (900, 590, 600, 587, "the hook's `--deadline`"),
            (300, 50, 58, 47, "the hook's `--deadline`"),
            (900, 590, 60, 60, "the agent's own time-out"),
            (900, 2, 60, 1, "the hook's `--deadline`"),
        ] {
            let limits = TimeLimits { policy, hook, agent };
            assert_eq!(limits.counts(), counts, "{limits:?}");
            let sentence = limits.sentence();
            assert!(sentence.contains(&format!("You have {counts} seconds")) && sentence.contains(whose), "{sentence}");
        }
    }
}
