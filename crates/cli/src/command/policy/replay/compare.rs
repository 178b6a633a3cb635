//! All presets beside each other: cold, with a person who answers for the session, before and after suggested rules.

use handraise_policy::Preset;
use handraise_server::DryRun;
use serde::Serialize;

use super::kept::{Calls, learned, replayed};
use super::report::{Report, Summary};
use super::shown::Shown;
use crate::command::policy::learn::{Suggested, WrittenPolicy};

const PRESETS: [Preset; 4] = [Preset::Practical, Preset::Workspace, Preset::Strict, Preset::Autonomous];

/// What each preset comes to.
#[derive(Debug, Serialize)]
pub(super) struct Comparison {
    presets: Vec<OfPreset>,
}

#[derive(Debug, Serialize)]
struct OfPreset {
    preset: handraise_protocol::Preset,
    rows: Vec<Row>,
    /// What the first third of each source's sessions suggests.
    suggested: Vec<Suggested>,
}

#[derive(Debug, Serialize)]
struct Row {
    calls: CallsOf,
    /// The person answers for the session.
    remembers: bool,
    /// With the suggested rules.
    suggested: bool,
    #[serde(flatten)]
    summary: Summary,
}

/// Which calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum CallsOf {
    /// All of them.
    All,
    /// Those of the sessions that nothing is learned from.
    Rest,
}

impl Comparison {
    pub(super) fn of(calls: &Calls, dry_run: &DryRun, shown: &Shown) -> Self {
        let divided = calls.divided();
        let all = calls.all();
        let presets = PRESETS.map(|preset| {
            let policy = WrittenPolicy::preset(preset, dry_run);
            let (suggested, with_rules) = learned(&divided.first, &policy, dry_run, shown);
            let mut rows = Vec::new();
            for remembers in [false, true] {
                let mut row = |calls, suggested, report: &Report| {
                    rows.push(Row { calls, remembers, suggested, summary: report.summary() });
                };
                // A session is remembered by itself, so that of the rest stands in that of all.
                let (of_all, of_rest) = replayed(&all, &policy, remembers, &|kept| divided.is_of_rest(kept));
                row(CallsOf::All, false, &of_all);
                row(CallsOf::Rest, false, &of_rest);
                row(CallsOf::Rest, true, &replayed(&divided.rest, &with_rules, remembers, &|_| false).0);
            }
            OfPreset { preset: preset.into(), rows, suggested }
        });
        Self { presets: presets.into() }
    }

    /// The table for a person.
    pub(super) fn text(&self) -> String {
        let mut lines = Vec::new();
        for of in &self.presets {
            let name = serde_json::to_value(of.preset).ok().and_then(|name| name.as_str().map(str::to_owned));
            lines.push(format!("preset {}", name.unwrap_or_default()));
            lines.push(format!("  {:58}{:>16}{:>22}", "prompts", "per 100 calls", "per 100 shell calls"));
            lines.extend(of.rows.iter().map(|row| row.text(of.suggested.len())));
            lines.push(String::new());
        }
        lines.push("In brackets: with each repository counted alike.".to_owned());
        lines.join("\n")
    }
}

impl Row {
    fn text(&self, rules: usize) -> String {
        let calls = match (self.calls, self.suggested) {
            (CallsOf::All, _) => "all calls".to_owned(),
            (CallsOf::Rest, false) => "the last two thirds of the sessions".to_owned(),
            (CallsOf::Rest, true) => format!("… after {rules} rules that the first suggests"),
        };
        let person = if self.remembers { ", for the session" } else { "" };
        let (all, shell) = self.summary.rates();
        format!("  {:58}{all:>16}{shell:>22}", format!("{calls}{person}"))
    }
}
