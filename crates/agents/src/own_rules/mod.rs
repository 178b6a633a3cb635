//! The rules that an agent keeps itself: its lists of what runs without a question, is asked about or is refused.
//! Each is carried over into a rule of the policy where that means the same or less, and else told with the reason.
//!
//! What is carried over holds for that agent only. A rule that allows never means more than the agent's own entry: that
//! is held by `tests/own_rules.rs`. A rule that asks or denies may mean more, and then says so.

pub(crate) mod claude_style;
pub(crate) mod codex;
mod command;
pub(crate) mod copilot_cli;
mod draft;
mod export;
pub(crate) mod gemini_cli;
pub(crate) mod opencode;
mod path;
mod starlark;
mod values;

pub use export::{ExportError, Exported, export};

use handraise_policy::Action;

use crate::{ConnectError, Level};
pub(crate) use draft::{Draft, Entries};

/// A file in which an agent keeps rules of its own.
#[derive(Clone, Copy)]
pub struct RuleFile {
    /// From the home folder or the project's folder. The last component may begin with `*`: every file in that folder with
    /// that end.
    pub path: &'static str,
    /// Whose file it is.
    pub level: Level,
    read: fn(&str, &RulePlace<'_>) -> Result<Vec<RuleEntry>, ConnectError>,
}

/// Where a file of rules lies.
#[derive(Clone, Copy, Debug, Default)]
pub struct RulePlace<'a> {
    /// The folder of the project that its rules hold in; `None`: they hold everywhere.
    pub project: Option<&'a str>,
}

/// One entry of an agent's own rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleEntry {
    /// It, as the agent's file has it.
    pub text: String,
    /// What it says about calls; `None`: it is no rule about calls.
    pub action: Option<Action>,
    /// What became of it.
    pub outcome: RuleOutcome,
    /// What it is about, to know which entries can be about the same call: `*`, a kind of tool, or a kind and one program, as
    /// `shell:git`.
    about: String,
    /// Of two entries about one call, the one with the higher number counts for the agent; of two with the same number, the
    /// later one.
    weight: u32,
}

/// What became of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RuleOutcome {
    /// It was carried over.
    Carried {
        /// The TOML text of each `[[rule]]`.
        rules: Vec<String>,
        /// What is different from what the agent makes of it, and what its author should look at: sentences.
        notes: Vec<String>,
        /// It allows next to nothing: the notes say why, and what to write instead.
        covers_little: bool,
    },
    /// It was not.
    Left {
        /// Why: a sentence.
        reason: String,
    },
}

/// Rules as they are added to a policy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlacedRules {
    /// Before all others, which go on to count.
    pub in_front: Vec<String>,
    /// Behind all others: nothing loosens them.
    pub behind: Vec<String>,
}

impl RuleFile {
    pub(crate) const fn new(
        path: &'static str,
        level: Level,
        read: fn(&str, &RulePlace<'_>) -> Result<Vec<RuleEntry>, ConnectError>,
    ) -> Self {
        Self { path, level, read }
    }

    /// The entries of a file with the content `text`.
    ///
    /// # Errors
    /// When it is not what the agent could read.
    pub fn entries(&self, text: &str, place: &RulePlace<'_>) -> Result<Vec<RuleEntry>, ConnectError> {
        (self.read)(text, place)
    }
}

impl RuleEntry {
    /// The rules that it became.
    #[must_use]
    pub fn rules(&self) -> &[String] {
        match &self.outcome {
            RuleOutcome::Carried { rules, .. } => rules,
            RuleOutcome::Left { .. } => &[],
        }
    }
}

/// Where the rules of one agent go, whose entries stand in all its files in the order in which it reads them.
///
/// In a policy the last rule counts. What allows goes in front of the person's own rules, so that it loosens none of them.
/// What asks or denies goes behind them, unless the agent itself has a later entry that allows some of it.
#[must_use]
pub fn placed(entries: &[RuleEntry]) -> PlacedRules {
    let mut sorted: Vec<&RuleEntry> = entries.iter().collect();
    sorted.sort_by_key(|entry| entry.weight);
    let mut placed = PlacedRules::default();
    for (index, entry) in sorted.iter().enumerate() {
        let later = sorted.iter().skip(index + 1);
        let is_loosened = later.into_iter().any(|later| later.action == Some(Action::Allow) && entry.may_meet(later));
        let is_behind = entry.action.is_some_and(|action| action >= Action::Ask) && !is_loosened;
        let list = if is_behind { &mut placed.behind } else { &mut placed.in_front };
        for rule in entry.rules() {
            // The later of two that are the same counts.
            list.retain(|known| known != rule);
            list.push(rule.clone());
        }
    }
    placed
}

impl RuleEntry {
    fn may_meet(&self, other: &Self) -> bool {
        let holds = |one: &str, other: &str| {
            one == "*" || other.strip_prefix(one).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
        };
        holds(&self.about, &other.about) || holds(&other.about, &self.about)
    }
}
