//! `handraise policy confirm` and `discard`: a change of the policy made outside Handraise.

use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use handraise_display::line;
use handraise_protocol::{Action, PolicyDifference, PolicyEtag, PolicyView, RuleText};

use crate::DONE;
use crate::client::Client;
use crate::command::pending::ApproverArguments;
use crate::command::{FolderArguments, say};
use crate::runtime::runtime;

/// Show a policy change that was made outside Handraise, and apply it
///
/// Until you confirm it, what it loosens has no effect. What it tightens applies at once.
#[derive(Debug, Args)]
pub(crate) struct Confirm {
    /// The change that you have looked at, as this command names it; without it, it is only shown
    #[arg(long, value_name = "ETAG")]
    yes: Option<String>,
    #[command(flatten)]
    approver: ApproverArguments,
}

/// Undo a policy change that was made outside Handraise; the changed file is kept aside
#[derive(Debug, Args)]
pub(crate) struct Discard {
    #[command(flatten)]
    approver: ApproverArguments,
}

impl Confirm {
    /// Shows the difference, or confirms it.
    pub(crate) fn run(self, folders: &FolderArguments) -> anyhow::Result<ExitCode> {
        let client = self.approver.client(folders)?;
        runtime()?.block_on(async {
            let view: PolicyView = client.get("/v1/policy").await?;
            let Some(pending) = &view.pending else {
                say("Nothing to confirm: the policy is as you left it.")?;
                return Ok(DONE);
            };
            say(&describe(pending))?;
            match self.yes {
                None => say(&format!("To put it in force: handraise policy confirm --yes {}", view.etag))?,
                Some(etag) if etag == view.etag => {
                    put(&client, "/v1/policy/confirm", etag).await?;
                    say("Confirmed. It is in force.")?;
                }
                Some(_) => bail!("the file has changed again since; look at the difference above"),
            }
            Ok(DONE)
        })
    }
}

impl Discard {
    /// Discards it.
    pub(crate) fn run(self, folders: &FolderArguments) -> anyhow::Result<ExitCode> {
        let client = self.approver.client(folders)?;
        runtime()?.block_on(async {
            let view: PolicyView = client.get("/v1/policy").await?;
            if view.pending.is_none() {
                say("Nothing to discard: the policy is as you left it.")?;
                return Ok(DONE);
            }
            put(&client, "/v1/policy/discard", view.etag).await?;
            say("Discarded. The changed file was set aside beside the policy.")?;
            Ok(DONE)
        })
    }
}

async fn put(client: &Client, path: &str, etag: String) -> anyhow::Result<PolicyView> {
    Ok(client.post(path, &PolicyEtag { etag }).await?.read()?)
}

/// A change, line by line.
fn describe(difference: &PolicyDifference) -> String {
    let rules = |sign: &str, rules: &[RuleText]| {
        rules.iter().map(|rule| format!("{sign} {}", rule_text(rule))).collect::<Vec<_>>()
    };
    let mut lines = rules("-", &difference.removed);
    lines.extend(rules("+", &difference.added));
    lines.extend(rules("~", &difference.moved));
    lines.extend(
        difference.settings.iter().map(|change| format!("~ {}: `{}` becomes `{}`", change.key, change.old, change.new)),
    );
    let loosens = if difference.loosens { "It may allow more than now." } else { "It allows nothing more than now." };
    lines.push(loosens.to_owned());
    lines.iter().map(|text| line(text, 400)).collect::<Vec<_>>().join("\n")
}

fn rule_text(rule: &RuleText) -> String {
    let action = match rule.action {
        Action::Allow => "allow",
        Action::Confine => "confine",
        Action::Ask => "ask",
        Action::Deny => "deny",
    };
    let agent = rule.agent.as_ref().map(|agent| format!(" [agent.{agent}]")).unwrap_or_default();
    format!("{action} {}{agent}", rule.text)
}
