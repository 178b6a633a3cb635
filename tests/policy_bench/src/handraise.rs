//! Handraise's own policy: it reads the command line itself.

use anyhow::{Result, anyhow};
use handraise_policy::rules::{self, Policy};
use handraise_policy::{Action, Request};

use crate::request::{now, shell_request};
use crate::rules::{Rule, as_policy_file};

pub struct Handraise {
    policy: Policy,
}

impl Handraise {
    pub fn new(rules: &[Rule]) -> Result<Self> {
        let loaded = rules::parse(&as_policy_file(rules))
            .map_err(|diagnostics| anyhow!("the rules are refused: {:?}", diagnostics.first()))?;
        Ok(Self { policy: loaded.policy })
    }

    /// From the text of the command line, as it comes in, to the answer.
    pub fn passes(&self, line: &str) -> bool {
        self.passes_analysed(&shell_request(line))
    }

    /// The answer alone, for a command line that was analysed before.
    pub fn passes_analysed(&self, request: &Request) -> bool {
        self.policy.decide(request, now()).action == Action::Allow
    }
}
