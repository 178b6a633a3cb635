//! A few of many calls: those that look worst.

use handraise_display::line;
use handraise_policy::RiskLevel;
use serde::Serialize;

use super::person::ReplayedCall;
use crate::command::policy::shown::Shown;

/// Calls that are kept.
const MAX_EXAMPLES: usize = 10;
/// Longest call in a list, in characters; the rest is counted.
const MAX_CALL: usize = 160;

/// Calls, the worst first.
#[derive(Debug, Default)]
pub(super) struct Examples(Vec<RankedExample>);

#[derive(Debug)]
struct RankedExample {
    title: String,
    risk: RiskLevel,
    reaches: Vec<String>,
    times: u64,
}

/// A call that is shown.
#[derive(Debug, Serialize)]
pub(super) struct Example {
    /// What was called.
    call: String,
    /// What it may do.
    risk: handraise_protocol::RiskLevel,
    /// Why it looks bad, as sentences.
    reaches: Vec<String>,
    /// How often it was made.
    times: u64,
}

impl Examples {
    /// Keeps the call, if it is among the worst; of calls that look alike, the first.
    pub(super) fn add(&mut self, answered: &ReplayedCall) {
        if let Some(known) = self.0.iter_mut().find(|known| known.title == answered.title) {
            known.times += 1;
            return;
        }
        let (risk, reaches) = (answered.risk, answered.reaches.clone());
        let worse = |kept: &RankedExample| (kept.risk, kept.reaches.len()) >= (risk, reaches.len());
        let place = self.0.partition_point(worse);
        if place < MAX_EXAMPLES {
            self.0.insert(place, RankedExample { title: answered.title.clone(), risk, reaches, times: 1 });
            self.0.truncate(MAX_EXAMPLES);
        }
    }

    /// As a person may see them.
    pub(super) fn listed(&self, shown: &Shown) -> Vec<Example> {
        let example = |kept: &RankedExample| Example {
            call: shown.text(&kept.title),
            risk: kept.risk.into(),
            reaches: kept.reaches.iter().map(|sentence| shown.text(sentence)).collect(),
            times: kept.times,
        };
        self.0.iter().map(example).collect()
    }
}

impl Example {
    /// The call in one line, with what is bad about it.
    pub(super) fn text(&self) -> String {
        let times = if self.times > 1 { format!(" ({} times)", self.times) } else { String::new() };
        let destroys = (self.risk == RiskLevel::Destructive.into()).then_some("It destroys.");
        let why: Vec<&str> = destroys.into_iter().chain(self.reaches.iter().map(String::as_str)).collect();
        let why = if why.is_empty() { String::new() } else { format!(" — {}", why.join(" ")) };
        format!("  {}{times}{why}", line(&self.call, MAX_CALL))
    }
}
