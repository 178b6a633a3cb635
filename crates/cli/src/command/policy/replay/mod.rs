//! `handraise policy replay`: what a policy would have done with the calls of the past.

mod examples;
mod person;
mod report;
mod shown;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use handraise_gate::policy::parse;
use handraise_gate::{Gate, Limits, Policy, PolicyInForce, Preset};
use handraise_server::DryRun;

use super::history::HistoryArguments;
use crate::DONE;
use crate::command::{FolderArguments, say};
use person::Person;
use report::Report;
pub(super) use shown::Shown;

/// Say what a policy would have done with calls that agents made
///
/// Reads the transcripts of the agents on this machine (--agents), or JSON lines from stdin, a call each:
/// {"tool","arguments"} and, where they are known, "agent","session","server","cwd","time","outcome" (ok, error,
/// rejected, none) and "source" (the repository). Nothing runs and nothing is changed.
#[derive(Debug, Args)]
pub(crate) struct Replay {
    /// Replay with the preset alone [default: practical]
    #[arg(long, value_name = "NAME", conflicts_with = "policy")]
    preset: Option<PresetName>,
    /// Replay with this policy file
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    #[command(flatten)]
    history: HistoryArguments,
    /// Who answers what is asked about
    #[arg(long, value_enum, default_value_t = Answers::None)]
    person: Answers,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Print each call that is asked about, and why, as JSON lines
    #[arg(long, conflicts_with = "json")]
    calls: bool,
}

/// How the person answers who stands in for the one of the past.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Answers {
    /// Approves each call once; nothing is remembered
    None,
    /// Approves for the session, as broadly as the prompt offers
    Session,
}

/// A preset, by the name that a policy file has for it.
#[derive(Clone, Copy, Debug)]
struct PresetName(Preset);

impl std::str::FromStr for PresetName {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let preset = serde_json::from_value(serde_json::Value::String(name.to_owned()));
        preset.map(Self).map_err(|_| format!("there is no preset `{name}`"))
    }
}

impl Replay {
    /// Replays.
    pub(crate) fn run(self, folders: &FolderArguments) -> anyhow::Result<ExitCode> {
        let dry_run = DryRun::new(&folders.folders()?);
        let policy = dry_run.protect(self.rules()?);
        let mut gate = Gate::new(PolicyInForce::from(policy), Limits::default());
        let mut person = Person::new(self.person == Answers::Session);
        let mut report = Report::default();
        let shown = Shown::new()?;
        let read = self.history.read(&mut |mut call| {
            let Ok(asked) = call.request() else { return Ok(false) };
            // What the agent puts before the person itself no hook hears of.
            let Some(asked) = asked else {
                report.add_own_question(&call);
                return Ok(true);
            };
            let Ok(request) = dry_run.request(asked) else { return Ok(false) };
            if self.history.are_transcripts() {
                call.source.clone_from(&request.project);
            }
            let answered = person.submit(&mut gate, request, &call);
            report.add(&call, &answered);
            if self.calls
                && let Some(line) = answered.line(&call, &shown)
            {
                say(&line)?;
            }
            Ok(true)
        })?;
        match (self.calls, self.json) {
            (true, _) => {}
            (false, true) => say(&serde_json::to_string_pretty(&report.figures(read, &shown))?)?,
            (false, false) => say(&report.figures(read, &shown).text())?,
        }
        Ok(DONE)
    }

    fn rules(&self) -> anyhow::Result<Policy> {
        let Some(file) = &self.policy else {
            return Ok(Policy::from_preset(self.preset.map_or(Preset::Practical, |PresetName(preset)| preset)));
        };
        let name = file.display();
        let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {name}"))?;
        match parse(&text) {
            Ok(loaded) => Ok(loaded.policy),
            Err(_) => bail!("{name} cannot be used; `handraise policy check {name}` says why"),
        }
    }
}
