//! All presets beside each other: cold, with a person who answers for the session, before and after suggested rules.

use handraise_policy::Preset;
use handraise_protocol::ReplayedCalls;
use handraise_server::DryRun;
use serde::Serialize;

use super::calls::{Calls, learned, replayed};
use super::progress::Progress;
use super::report::{Report, Summary};
use crate::command::policy::history::{AgentRead, HistoryRead};
use crate::command::policy::learn::{Suggested, WrittenPolicy};
use crate::command::policy::shown::Shown;

const PRESETS: [Preset; 4] = [Preset::Practical, Preset::Workspace, Preset::Strict, Preset::Autonomous];

/// What each preset comes to. As JSON it holds what [`handraise_protocol::PresetComparison`] has, and more.
#[derive(Debug, Default, Serialize)]
pub(super) struct Comparison {
    /// What was read, where it was transcripts.
    agents: Vec<NamedAgent>,
    presets: Vec<OfPreset>,
}

/// An agent with a transcript.
#[derive(Debug, Serialize)]
struct NamedAgent {
    #[serde(flatten)]
    read: AgentRead,
    display_name: String,
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
    calls: ReplayedCalls,
    /// The person answers for the session.
    remembers: bool,
    /// With the suggested rules.
    suggested: bool,
    #[serde(flatten)]
    summary: Summary,
}

impl Comparison {
    /// Replays the calls that were `read`. Without `suggestions` nothing is learned from them, which takes by far the
    /// most time.
    pub(super) fn of(
        calls: &Calls,
        read: HistoryRead,
        suggestions: bool,
        (dry_run, shown): (&DryRun, &Shown),
        progress: &mut Progress,
    ) -> Self {
        let divided = calls.divided();
        let all = calls.all();
        // Two kinds of person; with suggestions, each again with the rules, and these rules to be found.
        progress.begin(PRESETS.len() * if suggestions { 5 } else { 2 });
        let presets = PRESETS.map(|preset| {
            let policy = WrittenPolicy::preset(preset, dry_run);
            let learned = suggestions.then(|| {
                let learned = learned(&divided.first, &policy, dry_run, shown);
                progress.step();
                learned
            });
            let mut rows = Vec::new();
            for remembers in [false, true] {
                let mut row = |calls, suggested, report: &Report| {
                    rows.push(Row { calls, remembers, suggested, summary: report.summary() });
                };
                // A session is remembered by itself, so that of the rest stands in that of all.
                let (of_all, of_rest) = replayed(&all, &policy, remembers, &|kept| divided.is_of_rest(kept));
                progress.step();
                row(ReplayedCalls::All, false, &of_all);
                if let Some((_, with_rules)) = &learned {
                    row(ReplayedCalls::Rest, false, &of_rest);
                    row(ReplayedCalls::Rest, true, &replayed(&divided.rest, with_rules, remembers, &|_| false).0);
                    progress.step();
                }
            }
            OfPreset { preset: preset.into(), rows, suggested: learned.map(|(rules, _)| rules).unwrap_or_default() }
        });
        let named = |read: AgentRead| {
            let known = handraise_agents::agent(&read.agent).map(|known| known.display_name().to_owned());
            NamedAgent { display_name: known.unwrap_or_else(|| read.agent.clone()), read }
        };
        Self { agents: read.agents.into_iter().map(named).collect(), presets: presets.into() }
    }

    /// The table for a person.
    pub(super) fn text(&self) -> String {
        let mut lines = Vec::new();
        for of in &self.presets {
            let name = serde_json::to_value(of.preset).ok().and_then(|name| name.as_str().map(str::to_owned));
            lines.push(format!("preset {}", name.unwrap_or_default()));
            let heads = ["prompts", "per 100 calls", "per 100 shell calls", "refused, not allowed"];
            let [prompts, all, shell, refused] = heads;
            lines.push(format!("  {prompts:58}{all:>16}{shell:>22}{refused:>26}"));
            lines.extend(of.rows.iter().map(|row| row.text(of.suggested.len())));
            lines.push(String::new());
        }
        lines.push("In brackets: with each repository counted alike.".to_owned());
        lines.push(
            "Refused: of the calls that a person refused, those that are not allowed; then of these the ones that publish, \
             discard or delete."
                .to_owned(),
        );
        lines.join("\n")
    }
}

impl Row {
    fn text(&self, rules: usize) -> String {
        let calls = match (self.calls, self.suggested) {
            (ReplayedCalls::All, _) => "all calls".to_owned(),
            (ReplayedCalls::Rest, false) => "the last two thirds of the sessions".to_owned(),
            (ReplayedCalls::Rest, true) => format!("… after {rules} rules that the first suggests"),
        };
        let person = if self.remembers { ", for the session" } else { "" };
        let (all, shell) = self.summary.rates();
        let refused = self.summary.refused();
        format!("  {:58}{all:>16}{shell:>22}{refused:>26}", format!("{calls}{person}"))
    }
}
