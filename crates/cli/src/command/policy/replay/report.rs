//! What a replay comes to, in figures.

use std::collections::{BTreeMap, BTreeSet};

use handraise_agents::{PastCall, PastOutcome};
use handraise_policy::Action;
use handraise_policy::ToolClass;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::Serialize;

use super::category::Category;
use super::examples::{Example, Examples};
use super::person::ReplayedCall;
use crate::command::policy::history::{AgentRead, HistoryRead};
use crate::command::policy::learn::Suggested;
use crate::command::policy::shown::Shown;

/// Causes that are listed.
const MAX_CAUSES: usize = 25;

/// Counts, as they come in.
#[derive(Debug, Default)]
pub(super) struct Report {
    by_source: BTreeMap<String, Source>,
    causes: BTreeMap<String, u64>,
    days: BTreeSet<Date>,
    own_questions: Counts,
    refused_by: BTreeMap<Category, Counts>,
    passed: Examples,
    refused_and_passed: Examples,
}

/// The calls of one repository.
#[derive(Clone, Copy, Debug, Default)]
struct Source {
    all: Counts,
    shell: Counts,
    refused: Counts,
}

/// Calls, and what was done with them.
#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Counts {
    calls: u64,
    asked: u64,
    denied: u64,
    /// What runs at once inside walls.
    confined: u64,
}

impl Counts {
    fn add(&mut self, action: Action) {
        self.calls += 1;
        self.asked += u64::from(action == Action::Ask);
        self.denied += u64::from(action == Action::Deny);
        self.confined += u64::from(action == Action::Confine);
    }

    fn plus(self, other: Self) -> Self {
        Self {
            calls: self.calls + other.calls,
            asked: self.asked + other.asked,
            denied: self.denied + other.denied,
            confined: self.confined + other.confined,
        }
    }

    fn asked_per_hundred(self) -> Option<f64> {
        (self.calls > 0).then(|| hundredths(self.asked, self.calls))
    }
}

/// `part` of 100 of `whole`.
fn hundredths(part: u64, whole: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "counts of calls are far below 2^52")]
    let share = part as f64 / whole as f64;
    (share * 1000.0).round() / 10.0
}

/// The figures of a report.
#[derive(Debug, Serialize)]
pub(super) struct Figures {
    /// What was read.
    #[serde(flatten)]
    read: HistoryRead,
    all: Rates,
    shell: Rates,
    /// Days on which there were calls.
    days: usize,
    asked_per_day: Option<f64>,
    /// What a person refused, and what was done with it.
    refused: Counts,
    /// The same by what the calls are about.
    refused_by: BTreeMap<Category, Counts>,
    /// Questions that the agents put before the person themselves, which are among the calls that pass; `denied`: those
    /// that the person refused.
    own_questions: Counts,
    causes: Vec<Cause>,
    /// Calls that pass and look worst, the worst first.
    passed: Vec<Example>,
    /// Calls that a person refused and that pass.
    refused_and_passed: Vec<Example>,
    /// What was suggested before, and what it was like without.
    #[serde(skip_serializing_if = "Option::is_none")]
    suggested: Option<AfterSuggestions>,
}

/// Rules that were taken over, and the same calls without them.
#[derive(Debug, Serialize)]
struct AfterSuggestions {
    rules: Vec<Suggested>,
    before: Summary,
}

/// The most important of the figures.
#[derive(Debug, Serialize)]
pub(super) struct Summary {
    all: Rates,
    shell: Rates,
    /// What a person refused, and what was done with it.
    refused: Counts,
    /// Of that, what publishes, discards or deletes.
    refused_and_grave: Counts,
}

impl Summary {
    /// Prompts per 100 calls and per 100 shell calls; in brackets with each repository counted alike.
    pub(super) fn rates(&self) -> (String, String) {
        (self.all.text(), self.shell.text())
    }

    /// How many of the calls that a person refused are not allowed: of all, and of those that publish, discard or delete.
    pub(super) fn refused(&self) -> String {
        let of = |counts: Counts| format!("{} of {}", counts.asked + counts.denied, counts.calls);
        format!("{}, {}", of(self.refused), of(self.refused_and_grave))
    }
}

/// How often a person is asked.
#[derive(Debug, Serialize)]
struct Rates {
    #[serde(flatten)]
    counts: Counts,
    asked_per_hundred: Option<f64>,
    /// The same with each repository counted alike.
    asked_per_hundred_weighted: Option<f64>,
}

#[derive(Debug, Serialize)]
struct Cause {
    cause: String,
    calls: u64,
    per_hundred: f64,
}

impl Rates {
    fn text(&self) -> String {
        match (self.asked_per_hundred, self.asked_per_hundred_weighted) {
            (Some(raw), Some(weighted)) => format!("{raw:.1} ({weighted:.1})"),
            _ => "–".to_owned(),
        }
    }
}

impl Report {
    /// Counts a question that an agent puts before the person itself.
    pub(super) fn add_own_question(&mut self, call: &PastCall) {
        let source = self.by_source.entry(call.source.clone().unwrap_or_default()).or_default();
        source.all.add(Action::Allow);
        let is_refused = call.outcome == PastOutcome::Rejected;
        self.own_questions.add(if is_refused { Action::Deny } else { Action::Allow });
    }

    /// Counts a call.
    pub(super) fn add(&mut self, call: &PastCall, answered: &ReplayedCall) {
        let source = self.by_source.entry(call.source.clone().unwrap_or_default()).or_default();
        source.all.add(answered.action);
        if answered.class == ToolClass::Shell {
            source.shell.add(answered.action);
        }
        if call.outcome == PastOutcome::Rejected {
            source.refused.add(answered.action);
            self.refused_by.entry(answered.category).or_default().add(answered.action);
            if answered.action == Action::Allow {
                self.refused_and_passed.add(answered);
            }
        } else if answered.action == Action::Allow && answered.looks_bad() {
            self.passed.add(answered);
        }
        if answered.action >= Action::Ask {
            *self.causes.entry(answered.cause.clone()).or_default() += 1;
        }
        self.days.extend(call.time.map(|time| time.to_zoned(TimeZone::system()).date()));
    }

    /// The most important figures so far.
    pub(super) fn summary(&self) -> Summary {
        let grave = self.refused_by.iter().filter(|(category, _)| category.has_to_be_asked());
        Summary {
            all: self.rates(|source| source.all),
            shell: self.rates(|source| source.shell),
            refused: self.total(|source| source.refused),
            refused_and_grave: grave.map(|(_, counts)| *counts).fold(Counts::default(), Counts::plus),
        }
    }

    fn total(&self, counts: fn(&Source) -> Counts) -> Counts {
        self.by_source.values().map(counts).fold(Counts::default(), Counts::plus)
    }

    /// The figures so far.
    pub(super) fn figures(&self, read: HistoryRead, shown: &Shown) -> Figures {
        let all = self.total(|source| source.all);
        let mut causes: Vec<Cause> = self
            .causes
            .iter()
            .map(|(cause, calls)| Cause {
                cause: cause.clone(),
                calls: *calls,
                per_hundred: hundredths(*calls, all.calls),
            })
            .collect();
        causes.sort_by_key(|cause| std::cmp::Reverse(cause.calls));
        causes.truncate(MAX_CAUSES);
        Figures {
            read,
            all: self.rates(|source| source.all),
            shell: self.rates(|source| source.shell),
            days: self.days.len(),
            asked_per_day: (!self.days.is_empty()).then(|| hundredths(all.asked, self.days.len() as u64) / 100.0),
            refused: self.total(|source| source.refused),
            refused_by: self.refused_by.clone(),
            own_questions: self.own_questions,
            causes,
            passed: self.passed.listed(shown),
            refused_and_passed: self.refused_and_passed.listed(shown),
            suggested: None,
        }
    }

    fn rates(&self, counts: fn(&Source) -> Counts) -> Rates {
        let all = self.total(counts);
        let rates: Vec<f64> = self.by_source.values().filter_map(|source| counts(source).asked_per_hundred()).collect();
        #[expect(clippy::cast_precision_loss, reason = "few repositories")]
        let weighted = (!rates.is_empty()).then(|| rates.iter().sum::<f64>() / rates.len() as f64);
        Rates {
            counts: all,
            asked_per_hundred: all.asked_per_hundred(),
            asked_per_hundred_weighted: weighted.map(|rate| (rate * 10.0).round() / 10.0),
        }
    }
}

impl Figures {
    /// These figures as those with `rules`, beside the ones `before`.
    pub(super) fn after(self, before: Summary, rules: Vec<Suggested>) -> Self {
        Self { suggested: Some(AfterSuggestions { rules, before }), ..self }
    }

    /// The figures for a person.
    pub(super) fn text(&self) -> String {
        let read = |agent: &AgentRead| {
            let again = match agent.told_again {
                0 => String::new(),
                again => format!(", {again} told again"),
            };
            let unreadable = match agent.unreadable {
                0 => String::new(),
                unreadable => format!(", {unreadable} unreadable"),
            };
            let title =
                handraise_agents::agent(&agent.agent).map_or(agent.agent.as_str(), |known| known.display_name());
            format!("{title}: {} calls in {} files{again}{unreadable}", agent.calls, agent.files)
        };
        let mut lines: Vec<String> = self.read.agents.iter().map(read).collect();
        lines.extend(self.read.not_read.iter().cloned());
        if let Some(AfterSuggestions { rules, before }) = &self.suggested {
            let (all, shell) = before.rates();
            lines.push(format!(
                "The last two thirds of each repository's sessions, with {} rules that the first third suggests.",
                rules.len()
            ));
            lines.push(format!("Without them: {all} prompts per 100 calls, {shell} per 100 shell calls. With them:"));
        }
        let counts = self.all.counts;
        let confined = if counts.confined > 0 { format!("{} confined, ", counts.confined) } else { String::new() };
        lines.push(format!(
            "{} calls: {} asked about, {} denied, {confined}{} allowed.",
            counts.calls,
            counts.asked,
            counts.denied,
            counts.calls - counts.asked - counts.denied - counts.confined,
        ));
        let mut rates = |name: &str, rates: &Rates| {
            if let (Some(raw), Some(weighted)) = (rates.asked_per_hundred, rates.asked_per_hundred_weighted) {
                lines.push(format!("{name}: {raw:.1} ({weighted:.1} with each repository counted alike)"));
            }
        };
        rates("Prompts per 100 calls", &self.all);
        rates("Prompts per 100 shell calls", &self.shell);
        if let Some(per_day) = self.asked_per_day {
            lines.push(format!("Prompts per day: {per_day:.0} (on {} days with calls)", self.days));
        }
        if self.refused.calls > 0 {
            let seen = self.refused.asked + self.refused.denied;
            lines
                .push(format!("Calls that a person refused: {}, of which {seen} are not allowed.", self.refused.calls));
        }
        lines.extend(self.refused_by.iter().map(|(category, counts)| {
            format!(
                "{:>7}  {}, of which {} are not allowed",
                counts.calls,
                category.word(),
                counts.asked + counts.denied
            )
        }));
        if self.own_questions.denied > 0 {
            lines.push(format!(
                "Besides, a person refused {} of the {} questions that agents ask themselves.",
                self.own_questions.denied, self.own_questions.calls
            ));
        }
        if self.read.agents.is_empty() && self.read.unreadable > 0 {
            lines.push(format!("Lines that are no calls: {}.", self.read.unreadable));
        }
        if !self.causes.is_empty() {
            lines.push(String::new());
            lines.push("What is asked about or denied most:".to_owned());
            lines.extend(self.causes.iter().map(|cause| format!("{:>7}  {}", cause.calls, cause.cause)));
        }
        let mut list = |title: &str, examples: &[Example]| {
            if !examples.is_empty() {
                lines.push(format!("\n{title}"));
                lines.extend(examples.iter().map(Example::text));
            }
        };
        list("Refused by a person, and allowed:", &self.refused_and_passed);
        list("Allowed, and looks worst:", &self.passed);
        lines.join("\n")
    }
}
