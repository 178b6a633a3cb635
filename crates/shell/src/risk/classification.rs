//! What a classifier says about a command or a statement.

use super::level::RiskLevel;

/// A level with the reason for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Classification {
    /// What it can do.
    pub level: RiskLevel,
    /// Why, as one clause of a sentence: "`rm -r` removes whole folders".
    pub because: String,
    /// It talks to another machine.
    pub network: bool,
}

/// A word of a command can be of any length and hold line breaks; a clause is for reading.
const MAX_CLAUSE: usize = 200;

impl Classification {
    /// This level, for a reason that is made one short line.
    pub fn new(level: RiskLevel, because: impl Into<String>) -> Self {
        Self { level, because: one_line(&because.into()), network: false }
    }

    /// The higher of two, the first of equals.
    pub fn or_higher(self, other: Self) -> Self {
        let network = self.network || other.network;
        let higher = if other.level > self.level { other } else { self };
        Self { network, ..higher }
    }
}

fn one_line(clause: &str) -> String {
    let mut chars = clause.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c });
    let mut line: String = chars.by_ref().take(MAX_CLAUSE).collect();
    if chars.next().is_some() {
        line.push('…');
    }
    line
}
