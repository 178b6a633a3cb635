//! Tables of a policy for agents that nobody is called: a slip of the pen, and their rules count for nobody.

use handraise_policy::rules::{Diagnostic, Policy, Severity, nearest};

/// The names that are told as possible ones, at most.
const MAX_NAMES: usize = 30;

/// What is wrong with each `[agent.NAME]` of `policy` whose name is neither that of an agent that Handraise
/// knows nor one of `credentials`. `text` is the policy's, for the place.
#[must_use]
pub fn unknown_agents(policy: &Policy, text: &str, credentials: &[String]) -> Vec<Diagnostic> {
    let credentials = credentials.iter().map(String::as_str);
    let known: Vec<&str> = handraise_agents::NAMES.iter().copied().chain(credentials).collect();
    let unknown = policy.agents.keys().filter(|name| !known.contains(&name.as_str()));
    unknown.map(|name| diagnostic(name, text, &known)).collect()
}

fn diagnostic(name: &str, text: &str, known: &[&str]) -> Diagnostic {
    let place = text.find(&format!("agent.{name}")).map(|at| at + "agent.".len());
    let place = place.or_else(|| text.find(name)).unwrap_or_default();
    let before = text.get(..place).unwrap_or_default();
    let help = match nearest(name, known.iter().copied()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => {
            let names = known.iter().take(MAX_NAMES).copied().collect::<Vec<_>>().join(", ");
            format!("known are {names}; make a credential of this name for a program of your own")
        }
    };
    Diagnostic {
        severity: Severity::Error,
        code: "policy::unknown_agent".to_owned(),
        message: format!("no agent is called `{name}`, so its table counts for nobody"),
        span: place..place + name.len(),
        line: before.matches('\n').count() + 1,
        column: before.chars().rev().take_while(|character| *character != '\n').count() + 1,
        help: Some(help),
        rule: None,
    }
}
