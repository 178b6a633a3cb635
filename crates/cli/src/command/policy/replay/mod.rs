//! `handraise policy replay`: what a policy would have done with the calls of the past.

mod calls;
mod category;
mod compare;
mod examples;
mod person;
mod progress;
mod report;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use clap::{Args, ValueEnum};
use handraise_policy::Preset;
use handraise_server::DryRun;

use super::history::{HistoryArguments, HistoryRead, NoTranscript};
use super::learn::WrittenPolicy;
use super::shown::Shown;
use crate::DONE;
use crate::command::{FolderArguments, say};
use calls::{Calls, ReplayedCall, learned, replayed};
use compare::Comparison;
use person::Person;
use progress::Progress;
use report::{Figures, Report};

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
    #[arg(long, value_enum, default_value_t = PersonModel::None)]
    person: PersonModel,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Print each call that is asked about, and why, as JSON lines
    #[arg(long, conflicts_with = "json")]
    calls: bool,
    /// Set all presets beside each other, with each kind of person
    #[arg(long, conflicts_with_all = ["calls", "preset", "policy", "person"])]
    compare: bool,
    /// With --compare: leave out what suggested rules would change, which takes the most time
    #[arg(long, requires = "compare")]
    no_suggestions: bool,
    /// With --compare: say on stderr how far it is, as JSON lines
    #[arg(long, requires = "compare")]
    progress: bool,
}

/// How the person answers who stands in for the one of the past.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PersonModel {
    /// Approves each call once; nothing is remembered
    None,
    /// Approves for the session, as broadly as the prompt offers
    Session,
    /// Takes the rules over that the first third of each repository's sessions suggests; the rest is replayed
    Suggested,
}

/// A preset, by the name that a policy file has for it.
#[derive(Clone, Copy, Debug)]
struct PresetName(Preset);

impl std::str::FromStr for PresetName {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let preset = serde_json::from_value::<handraise_protocol::Preset>(serde_json::Value::String(name.to_owned()));
        preset.map(|preset| Self(preset.into())).map_err(|_| format!("there is no preset `{name}`"))
    }
}

impl Replay {
    /// Replays.
    pub(crate) fn run(self, folders: &FolderArguments) -> anyhow::Result<ExitCode> {
        let dry_run = DryRun::new(&folders.folders()?);
        let shown = Shown::new()?;
        if self.compare {
            return self.compare(&dry_run, &shown);
        }
        if self.calls && self.person == PersonModel::Suggested {
            bail!("--calls prints calls as they come, and --person suggested has to see them all; leave one out");
        }
        let rules = self.rules(&dry_run)?;
        let figures = match self.person {
            PersonModel::Suggested => self.after_suggestions(&rules, &dry_run, &shown)?,
            PersonModel::None | PersonModel::Session => self.at_once(&rules, &dry_run, &shown)?,
        };
        match (self.calls, self.json) {
            (true, _) => {}
            (false, true) => say(&serde_json::to_string_pretty(&figures)?)?,
            (false, false) => say(&figures.text())?,
        }
        Ok(DONE)
    }

    /// Sets the presets beside each other.
    fn compare(&self, dry_run: &DryRun, shown: &Shown) -> anyhow::Result<ExitCode> {
        let mut progress = Progress::new(self.progress);
        let kept = self.keep(dry_run, &mut progress);
        // For a program: nothing was read, which is no figure of zero.
        if self.json && kept.as_ref().is_err_and(|error| error.is::<NoTranscript>()) {
            say(&serde_json::to_string_pretty(&Comparison::default())?)?;
        }
        let (calls, read) = kept?;
        let comparison = Comparison::of(&calls, read, !self.no_suggestions, (dry_run, shown), &mut progress);
        say(&if self.json { serde_json::to_string_pretty(&comparison)? } else { comparison.text() })?;
        Ok(DONE)
    }

    /// Replays call by call, and keeps none.
    fn at_once(&self, rules: &WrittenPolicy, dry_run: &DryRun, shown: &Shown) -> anyhow::Result<Figures> {
        let mut person = Person::new(rules.policy.clone(), self.person == PersonModel::Session);
        let mut report = Report::default();
        let read = self.history.requests(dry_run, &mut |call, request| {
            let Some(request) = request else {
                report.add_own_question(&call);
                return Ok(());
            };
            let answered = person.submit(&request, &call);
            if self.calls
                && let Some(line) = answered.line(&call, shown)
            {
                say(&line)?;
            }
            report.add(&call, &answered);
            Ok(())
        })?;
        Ok(report.figures(read, shown))
    }

    /// Learns from the first third of the sessions, and replays the rest.
    fn after_suggestions(&self, rules: &WrittenPolicy, dry_run: &DryRun, shown: &Shown) -> anyhow::Result<Figures> {
        let (calls, read) = self.keep(dry_run, &mut Progress::new(false))?;
        let divided = calls.divided();
        let (suggested, with_rules) = learned(&divided.first, rules, dry_run, shown);
        let none = |_: &ReplayedCall| false;
        let before = replayed(&divided.rest, rules, false, &none).0.summary();
        let figures = replayed(&divided.rest, &with_rules, false, &none).0.figures(read, shown);
        Ok(figures.after(before, suggested))
    }

    fn keep(&self, dry_run: &DryRun, progress: &mut Progress) -> anyhow::Result<(Calls, HistoryRead)> {
        let mut calls = Calls::default();
        let read = self.history.requests(dry_run, &mut |call, request| {
            calls.add(call, request);
            progress.read();
            Ok(())
        })?;
        Ok((calls, read))
    }

    fn rules(&self, dry_run: &DryRun) -> anyhow::Result<WrittenPolicy> {
        match &self.policy {
            Some(file) => WrittenPolicy::file(file, dry_run),
            None => {
                let preset = self.preset.map_or(Preset::Practical, |PresetName(preset)| preset);
                Ok(WrittenPolicy::preset(preset, dry_run))
            }
        }
    }
}
