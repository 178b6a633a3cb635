//! `handraise policy suggest`: rules that would have spared you questions.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use handraise_display::line;
use handraise_protocol::{Preview, PreviewRequest, Suggestions, WideningSuggestion};
use handraise_server::DryRun;
use serde::Serialize;

use super::added;
use super::history::{HistoryArguments, HistoryRead};
use super::learn::{self, Evidence, Suggested, WrittenPolicy};
use super::shown::Shown;
use crate::DONE;
use crate::client::{Client, ClientError};
use crate::command::pending::ApproverArguments;
use crate::command::{FolderArguments, list, say};
use crate::runtime::runtime;

/// Suggest rules from calls that you approved again and again and never denied
///
/// Looks at the audit log of the running Handraise; with --agents at the transcripts of your agents as well. Each rule
/// is one that the question itself would have offered, and comes with what it would have done to the calls of the
/// past. What walls have denied to three calls of a project is suggested as well, where it can be opened to them.
/// Nothing is changed without --write.
#[derive(Debug, Args)]
pub(crate) struct Suggest {
    #[command(flatten)]
    history: HistoryArguments,
    /// Read calls as JSON lines from stdin, as `handraise policy replay` does
    #[arg(long, conflicts_with_all = ["agents", "transcripts"])]
    stdin: bool,
    /// The policy that the rules are for [default: yours]
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    /// How many calls of the audit log to look at, the latest first
    #[arg(long, value_name = "COUNT", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=5000))]
    calls: u32,
    /// Add the rules to the policy, once you have said yes
    #[arg(long, conflicts_with = "json")]
    write: bool,
    /// Say yes beforehand
    #[arg(long, requires = "write")]
    yes: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    approver: ApproverArguments,
}

/// What is suggested from transcripts or stdin.
#[derive(Debug, Serialize)]
struct SuggestReport {
    #[serde(flatten)]
    read: HistoryRead,
    /// Questions about calls that ran, of which a rule could have answered some.
    asked: usize,
    /// Calls that a person refused; no rule covers any of them.
    refused: usize,
    suggested: Vec<Suggested>,
    /// What to open to the walls of a project, by the audit log.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    widenings: Vec<WideningSuggestion>,
    /// Why the audit log was not looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    without_audit_log: Option<String>,
}

impl Suggest {
    /// Prints the rules, ready to be copied into the policy, or adds them to it.
    pub(crate) fn run(self, folders: &FolderArguments) -> anyhow::Result<ExitCode> {
        if self.stdin || self.history.are_transcripts() {
            return self.over_history(folders);
        }
        let client = self.approver.client(folders)?;
        let found = runtime()?.block_on(self.of_audit_log(&client))?;
        if self.json {
            list::print_json(&found)?;
        } else if found.suggestions.is_empty() && found.widenings.is_empty() {
            say("Nothing to suggest: no call was approved three times or more without a denial.")?;
        } else {
            for suggestion in &found.suggestions {
                say(&format!("# {}\n{}\n", would_have(&suggestion.preview), suggestion.rule.trim_end()))?;
            }
            for widening in &found.widenings {
                say(&opening(widening))?;
            }
        }
        let rules = found.suggestions.iter().map(|suggestion| suggestion.rule.trim_end().to_owned());
        let widenings = found.widenings.iter().map(opening);
        self.write(&rules.chain(widenings).collect::<Vec<_>>().join("\n\n"), folders)?;
        Ok(DONE)
    }

    async fn of_audit_log(&self, client: &Client) -> Result<Suggestions, ClientError> {
        client.get(&format!("/v1/policy/suggestions?calls={}", self.calls)).await
    }

    fn over_history(&self, folders: &FolderArguments) -> anyhow::Result<ExitCode> {
        let dry_run = DryRun::new(&folders.folders()?);
        let shown = Shown::new()?;
        let file = self.file(folders)?;
        let base = match file.exists() || self.policy.is_some() {
            true => WrittenPolicy::file(&file, &dry_run)?,
            false => WrittenPolicy::read(DryRun::starting_policy().to_owned(), &dry_run)
                .context("the policy of a new installation cannot be used")?,
        };
        let mut evidence = Evidence::new(&base, &shown);
        let read = self.history.requests(&dry_run, &mut |call, request| {
            if let Some(request) = request {
                evidence.add(request, call.outcome);
            }
            Ok(())
        })?;
        let (asked, refused) = evidence.counts();
        let mut suggested = evidence.choose(&dry_run);
        let (widenings, without_audit_log) = match self.held_against_audit_log(folders, &mut suggested) {
            Ok(widenings) => (widenings, None),
            Err(error) => (Vec::new(), Some(error)),
        };
        let without_audit_log = without_audit_log.map(|error| match error.downcast_ref::<ClientError>() {
            Some(error) => error.sentence(),
            None => format!("{error:#}"),
        });
        let found = SuggestReport { read, asked, refused, suggested, widenings, without_audit_log };
        if self.json {
            list::print_json(&found)?;
        } else {
            say(&found.text())?;
        }
        let widenings = found.widenings.iter().map(opening);
        let rules = std::iter::once(learn::text(&found.suggested)).chain(widenings);
        self.write(&rules.collect::<Vec<_>>().join("\n"), folders)?;
        Ok(DONE)
    }

    /// Takes the rules away under which a call would have passed that a person has denied in Handraise, and adds those
    /// that the log suggests by itself. Gives what the log suggests to open to walls.
    fn held_against_audit_log(
        &self,
        folders: &FolderArguments,
        suggested: &mut Vec<Suggested>,
    ) -> anyhow::Result<Vec<WideningSuggestion>> {
        let client = self.approver.client(folders)?;
        runtime()?.block_on(async {
            let mut kept = Vec::new();
            for one in suggested.iter() {
                let mut was_denied = false;
                for rule in learn::tables(&one.rule) {
                    let request = PreviewRequest { rule, calls: Some(self.calls) };
                    let preview: Preview = client.post("/v1/policy/preview", &request).await?.read()?;
                    was_denied |= preview.denied_by_person_count > 0;
                }
                if !was_denied {
                    kept.push(one.clone());
                }
            }
            let Suggestions { suggestions, widenings } = self.of_audit_log(&client).await?;
            for suggestion in suggestions {
                if kept.iter().all(|known| known.rule.trim() != suggestion.rule.trim()) {
                    let example = suggestion.preview.examples.first().map(|call| call.title.clone());
                    let saves = suggestion.preview.approved_by_person.into();
                    kept.push(Suggested { rule: suggestion.rule, saves, example: example.unwrap_or_default() });
                }
            }
            *suggested = kept;
            Ok(widenings)
        })
    }

    fn file(&self, folders: &FolderArguments) -> anyhow::Result<PathBuf> {
        match &self.policy {
            Some(file) => Ok(file.clone()),
            None => Ok(folders.folders()?.policy_file()),
        }
    }

    /// Adds `rules` to the policy, if that is wanted and there are any.
    fn write(&self, rules: &str, folders: &FolderArguments) -> anyhow::Result<()> {
        if !self.write || rules.trim().is_empty() {
            return Ok(());
        }
        let file = self.file(folders)?;
        let dry_run = DryRun::new(&folders.folders()?);
        let base = WrittenPolicy::file(&file, &dry_run)?;
        let name = file.display();
        let Some(with) = base.with(rules, &dry_run) else {
            bail!("the rules cannot be added to {name}; `handraise policy check {name}` says what is odd about it");
        };
        added::write(&file, base.text(), with.text(), self.yes)
    }
}

impl SuggestReport {
    fn text(&self) -> String {
        let mut lines = vec![match self.suggested.len() {
            0 => format!(
                "Nothing to suggest: no rule would have answered three of the {} questions, in two sessions or more.",
                self.asked
            ),
            rules => {
                let saves: u64 = self.suggested.iter().map(|one| one.saves).sum();
                format!("Suggested: {rules}. Questions that this would have saved: {saves} of {}.", self.asked)
            }
        }];
        lines.push(match self.refused {
            0 => "No call was refused.".to_owned(),
            refused => format!("Refused calls: {refused}. None of them would pass."),
        });
        if let Some(why) = &self.without_audit_log {
            lines.push(format!("The audit log was not looked at: {}", line(why, 200)));
        }
        lines.push(String::new());
        for one in &self.suggested {
            lines.push(format!("# would have saved {} questions, as: {}", one.saves, line(&one.example, 120)));
            lines.push(format!("{}\n", one.rule.trim()));
        }
        lines.extend(self.widenings.iter().map(opening));
        lines.join("\n")
    }
}

/// A table that opens something to walls, with why.
fn opening(widening: &WideningSuggestion) -> String {
    let WideningSuggestion { opens, rule, calls, example } = widening;
    let why = format!("# its walls have denied {} to {calls} calls, as: {}", line(opens, 120), line(example, 120));
    format!("{why}\n{}\n", rule.trim())
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
