//! Casbin: one line of policy per rule, matched by program and by `keyMatch` on the operands. The plain
//! enforcer, which keeps no answers. It reads no command lines, so it is asked once for each simple command.

use anyhow::Result;
use casbin::{CoreApi, DefaultModel, Enforcer, MemoryAdapter, MgmtApi};

use crate::rules::{Call, Rule};

const MODEL: &str = "
[request_definition]
r = program, operands

[policy_definition]
p = program, operands, eft

[policy_effect]
e = some(where (p.eft == allow)) && !some(where (p.eft == deny))

[matchers]
m = r.program == p.program && keyMatch(r.operands, p.operands)
";

pub struct Casbin {
    enforcer: Enforcer,
}

impl Casbin {
    pub fn new(rules: &[Rule]) -> Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().build()?;
        let enforcer = runtime.block_on(async {
            let mut enforcer = Enforcer::new(DefaultModel::from_str(MODEL).await?, MemoryAdapter::default()).await?;
            let line = |rule: &Rule| {
                let effect = if rule.allow { "allow" } else { "deny" };
                vec![rule.program.clone(), format!("{} *", rule.sub_command), effect.to_owned()]
            };
            enforcer.add_policies(rules.iter().map(line).collect()).await?;
            casbin::Result::Ok(enforcer)
        })?;
        Ok(Self { enforcer })
    }

    pub fn passes(&self, call: &Call) -> Result<bool> {
        self.passes_each(call.simple)
    }

    /// Whether each of `simple` passes: program and operands.
    pub fn passes_each<Text: AsRef<str>>(&self, simple: &[(Text, Text)]) -> Result<bool> {
        for (program, operands) in simple {
            // The blank at the end makes `status *` mean whole words.
            if !self.enforcer.enforce((program.as_ref(), format!("{} ", operands.as_ref())))? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
