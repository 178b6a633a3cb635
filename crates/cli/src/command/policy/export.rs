//! `handraise policy export`: what of the policy an agent's own form can say.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use handraise_agents::own_rules::{Exported, export};
use handraise_display::line;

use crate::DONE;
use crate::command::{FolderArguments, say};

/// Longest rule that is named, in characters.
const MAX_RULE: usize = 300;

/// Print rules of the policy in the form of an agent's own settings
///
/// Prints what goes into the agent's file to stdout, and to stderr which file that is, and each rule that it cannot say
/// with the reason. Preset, risk table, walls and protections have no counterpart in any agent.
#[derive(Debug, Args)]
pub(crate) struct Export {
    /// The agent, as `claude-code`
    #[arg(long)]
    agent: String,
    /// The policy [default: yours]
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    /// Also rules that would allow more there than here
    #[arg(long)]
    wider: bool,
}

impl Export {
    /// Prints both.
    pub(crate) fn run(self, folders: &FolderArguments) -> anyhow::Result<ExitCode> {
        let file = match self.policy {
            Some(file) => file,
            None => folders.folders()?.policy_file(),
        };
        let policy = std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let Exported { text, file, left } = export(&self.agent, &policy, self.wider)?;
        let mut report = format!("For ~/{file}. The preset and the table [risk] are not in it.\n");
        for (rule, reason) in left {
            report.push_str(&format!("Left out: {}\n  {reason}\n", line(&rule, MAX_RULE)));
        }
        // With stderr closed there is nobody to tell.
        let _ = std::io::stderr().write_all(report.as_bytes());
        say(text.trim_end())?;
        Ok(DONE)
    }
}
