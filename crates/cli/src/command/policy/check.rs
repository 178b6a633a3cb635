//! `handraise policy check`: what is wrong with a policy file, before it is in force.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use handraise_gate::policy::{Loaded, parse_at};
use handraise_protocol::PolicyCheck;
use jiff::Timestamp;

use crate::DONE;
use crate::command::{FolderArguments, say};
use crate::show;

/// Check a policy file: its syntax, its patterns, and the examples of its rules
///
/// Exit codes: 0 it can be used (there may be warnings); 1 it cannot.
#[derive(Debug, Args)]
pub(crate) struct Check {
    /// The file [default: policy.toml in the config folder]
    file: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Check {
    /// Checks, and prints every finding with its place and its remedy.
    pub(crate) fn run(self, folders: &FolderArguments) -> anyhow::Result<ExitCode> {
        let path = match self.file {
            Some(file) => file,
            None => folders.folders()?.policy_file(),
        };
        let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let (rules, diagnostics) = match parse_at(&text, Timestamp::now()) {
            Ok(Loaded { policy, warnings, .. }) => (Some(policy.rule_count()), warnings),
            Err(errors) => (None, errors),
        };
        if self.json {
            say(&serde_json::to_string_pretty(&PolicyCheck { is_usable: rules.is_some(), diagnostics })?)?;
        } else {
            let name = path.display().to_string();
            for diagnostic in &diagnostics {
                say(&show::diagnostic(diagnostic, &name, &text))?;
            }
            say(&match rules {
                Some(1) => format!("{name}: 1 rule, can be used."),
                Some(count) => format!("{name}: {count} rules, can be used."),
                None => format!("{name}: cannot be used. The rules in force stay in force."),
            })?;
        }
        Ok(if rules.is_some() { DONE } else { ExitCode::from(1) })
    }
}
