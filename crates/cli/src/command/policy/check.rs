//! `handraise policy check`: what is wrong with a policy file, before it is in force.

use std::io::ErrorKind;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use handraise_locations::{Folders, read_private};
use handraise_policy::rules::{LoadedPolicy, Severity, parse_at};
use handraise_protocol::PolicyCheck;
use handraise_server::unknown_agents;
use jiff::Timestamp;

use crate::DONE;
use crate::command::{FolderArguments, list, say};
use crate::show;

/// Check a policy file: its syntax, its patterns, and the examples of its rules
///
/// Exit codes: 0 it can be used (there may be warnings); 1 it cannot, or an agent's table counts for nobody.
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
        let is_named = self.file.is_some();
        let path = match self.file {
            Some(file) => file,
            None => folders.folders()?.policy_file(),
        };
        let text = match std::fs::read_to_string(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound && !is_named => {
                bail!("there is no policy yet: start Handraise once, and it writes {}", path.display())
            }
            read => read.with_context(|| format!("cannot read {}", path.display()))?,
        };
        let (rules, diagnostics) = match parse_at(&text, Timestamp::now()) {
            Ok(LoadedPolicy { policy, mut warnings, .. }) => {
                warnings.extend(unknown_agents(&policy, &text, &credential_names(&folders.folders()?)));
                (Some(policy.rule_count()), warnings)
            }
            Err(errors) => (None, errors),
        };
        let is_wrong = diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
        if self.json {
            let diagnostics = diagnostics.into_iter().map(Into::into).collect();
            list::print_json(&PolicyCheck { is_usable: rules.is_some(), diagnostics })?;
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
        Ok(if rules.is_some() && !is_wrong { DONE } else { ExitCode::from(1) })
    }
}

/// The names of the credentials that were made. A file of credentials that cannot be read has none.
fn credential_names(folders: &Folders) -> Vec<String> {
    let stored = read_private(&folders.credentials_file()).ok();
    let stored: Option<serde_json::Value> = stored.and_then(|text| serde_json::from_str(&text).ok());
    let credentials = stored.as_ref().and_then(|stored| stored.get("credentials")?.as_array());
    let names = credentials.into_iter().flatten().filter_map(|one| one.get("name")?.as_str());
    names.map(str::to_owned).collect()
}
