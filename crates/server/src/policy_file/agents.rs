//! Tables of a policy for agents that nobody is called: a slip of the pen, and their rules count for nobody.

use handraise_policy::rules::{Diagnostic, Policy, Severity, nearest};

/// The names that are told as possible ones, at most.
const MAX_NAMES: usize = 30;
/// Tables that are told of, at most: each is looked for in the whole text, which may hold thousands.
const MAX_TOLD: usize = 20;

/// What is wrong with each `[agent.NAME]` of `policy` whose name is neither that of an agent that Handraise
/// knows nor one of `credentials`; of the first twenty of them. `text` is the policy's, for the place.
#[must_use]
pub fn unknown_agents(policy: &Policy, text: &str, credentials: &[String]) -> Vec<Diagnostic> {
    let credentials = credentials.iter().map(String::as_str);
    let known: Vec<&str> = handraise_agents::NAMES.iter().copied().chain(credentials).collect();
    let unknown = policy.agents.keys().filter(|name| !known.contains(&name.as_str()));
    unknown.take(MAX_TOLD).map(|name| diagnostic(name, text, &known)).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_thousands_of_tables_for_nobody_the_first_are_told() {
        let tables: String = (1_000..4_000).map(|number| format!("[agent.x{number}]\ntimeout = \"1m\"\n")).collect();
        let text = format!("version = 1\n{tables}");
        let policy = handraise_policy::rules::parse(&text).unwrap().policy;
        let told = unknown_agents(&policy, &text, &["x1001".to_owned()]);
        assert_eq!(told.len(), MAX_TOLD);
        assert_eq!(told.iter().map(|one| one.line).take(2).collect::<Vec<_>>(), [2, 6], "x1000, x1002");
        assert_eq!((told[0].column, text.get(told[0].span.clone())), (8, Some("x1000")));
    }
}
