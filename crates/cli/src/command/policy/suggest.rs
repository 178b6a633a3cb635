//! `handraise policy suggest`: rules that would have spared you questions.

use std::process::ExitCode;

use clap::Args;
use handraise_gate::display::line;
use handraise_protocol::{Preview, Suggestions};

use crate::DONE;
use crate::command::pending::ApproverArguments;
use crate::command::{FolderArguments, say};
use crate::runtime::runtime;

/// Suggest rules from what you have approved again and again, and never denied
///
/// Nothing is changed. Each rule comes with what it would have done to the calls of the past.
#[derive(Debug, Args)]
pub(crate) struct Suggest {
    /// How many calls of the past to look at, the latest first
    #[arg(long, value_name = "COUNT", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=5000))]
    calls: u32,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    approver: ApproverArguments,
}

impl Suggest {
    /// Prints the rules, ready to be copied into the policy.
    pub(crate) fn run(self, folders: &FolderArguments) -> anyhow::Result<ExitCode> {
        let client = self.approver.client(folders)?;
        let path = format!("/v1/policy/suggestions?calls={}", self.calls);
        let found: Suggestions = runtime()?.block_on(client.get(&path))?;
        if self.json {
            say(&serde_json::to_string_pretty(&found)?)?;
        } else if found.suggestions.is_empty() {
            say("Nothing to suggest: no call was approved three times or more without a denial.")?;
        } else {
            for suggestion in &found.suggestions {
                say(&format!("# {}\n{}\n", would_have(&suggestion.preview), suggestion.rule.trim_end()))?;
            }
        }
        Ok(DONE)
    }
}

/// What a rule would have done, in one line.
fn would_have(preview: &Preview) -> String {
    let mut text = format!("Of your last {} calls this would have let {} pass", preview.calls, preview.would_allow);
    match preview.denied_by_person.as_slice() {
        [] => text.push_str("; you denied none of them."),
        [first, ..] => {
            let title = line(&first.title, 120);
            text.push_str(&format!("; you denied {} of them, as: {title}", preview.denied_by_person_count));
        }
    }
    text
}
