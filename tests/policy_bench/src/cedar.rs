//! Cedar: one policy per rule, program and operands in the context. It reads no command lines, so it is
//! asked once for each simple command.

use std::fmt::Write as _;

use anyhow::Result;
use cedar_policy::{Authorizer, Context, Decision, Entities, EntityUid, PolicySet, Request, RestrictedExpression};

use crate::rules::{Call, Rule};

pub struct Cedar {
    authorizer: Authorizer,
    policies: PolicySet,
    entities: Entities,
    agent: EntityUid,
    run: EntityUid,
    shell: EntityUid,
}

impl Cedar {
    pub fn new(rules: &[Rule]) -> Result<Self> {
        let mut text = String::new();
        for Rule { program, sub_command, allow } in rules {
            let effect = if *allow { "permit" } else { "forbid" };
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "{effect}(principal, action == Action::\"run\", resource) when {{ context.program == \"{program}\" && context.operands like \"{sub_command} *\" }};"
            );
        }
        Ok(Self {
            authorizer: Authorizer::new(),
            policies: text.parse()?,
            entities: Entities::empty(),
            agent: "Agent::\"one\"".parse()?,
            run: "Action::\"run\"".parse()?,
            shell: "Tool::\"shell\"".parse()?,
        })
    }

    pub fn passes(&self, call: &Call) -> Result<bool> {
        self.passes_each(call.simple)
    }

    /// Whether each of `simple` passes: program and operands.
    pub fn passes_each<Text: AsRef<str>>(&self, simple: &[(Text, Text)]) -> Result<bool> {
        for (program, operands) in simple {
            let context = Context::from_pairs([
                ("program".to_owned(), RestrictedExpression::new_string(program.as_ref().to_owned())),
                // The blank at the end makes `status *` mean whole words.
                ("operands".to_owned(), RestrictedExpression::new_string(format!("{} ", operands.as_ref()))),
            ])?;
            let request = Request::new(self.agent.clone(), self.run.clone(), self.shell.clone(), context, None)?;
            let response = self.authorizer.is_authorized(&request, &self.policies, &self.entities);
            if response.decision() == Decision::Deny {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
