//! Groups, branches and loops.
//!
//! Every branch counts as run: what is known behind it is what holds whichever was taken. What is known where a loop
//! begins is what holds in its first round and in every later one. Source: bash manual, "Compound Commands".

use brush_parser::ast::{
    CaseClauseCommand, CaseItemPostAction, CompoundCommand, ForClauseCommand, IfClauseCommand,
    WhileOrUntilClauseCommand,
};

use super::Lowering;
use super::place::ShellState;
use crate::command_line::{Word, WordKind};
use crate::obstacle::Obstacle;
use crate::values::Value;
use crate::variables;
use crate::word::REVISION;

/// Values of a loop that are followed one by one.
const MAX_ROUNDS: usize = 16;
/// Rounds of a loop behind which nothing more is kept about variables.
const MAX_PASSES: usize = 3;

impl Lowering<'_> {
    /// Follows `compound`.
    pub(super) fn compound(&mut self, compound: &CompoundCommand, place: &mut ShellState) -> Result<(), Obstacle> {
        match compound {
            CompoundCommand::Subshell(subshell) => self.list(&subshell.list, &mut place.clone()),
            CompoundCommand::BraceGroup(group) => self.list(&group.list, place),
            CompoundCommand::ForClause(clause) => self.for_clause(clause, place),
            CompoundCommand::IfClause(clause) => self.branches(clause, place),
            CompoundCommand::CaseClause(clause) => self.cases(clause, place),
            CompoundCommand::WhileClause(clause) | CompoundCommand::UntilClause(clause) => {
                self.while_clause(clause, place)
            }
            CompoundCommand::Arithmetic(_) | CompoundCommand::ArithmeticForClause(_) => Err(Obstacle::Arithmetic),
            CompoundCommand::Coprocess(_) => Err(Obstacle::Compound("coproc")),
        }
    }

    fn branches(&mut self, clause: &IfClauseCommand, place: &mut ShellState) -> Result<(), Obstacle> {
        self.list(&clause.condition, place)?;
        let mut behind = place.clone();
        self.list(&clause.then, &mut behind)?;
        let mut has_else = false;
        for branch in clause.elses.iter().flatten() {
            has_else = branch.condition.is_none();
            if let Some(condition) = &branch.condition {
                self.list(condition, place)?;
            }
            let mut inside = place.clone();
            self.list(&branch.body, &mut inside)?;
            behind.join(&inside);
        }
        if !has_else {
            behind.join(place);
        }
        *place = behind;
        Ok(())
    }

    fn cases(&mut self, clause: &CaseClauseCommand, place: &mut ShellState) -> Result<(), Obstacle> {
        self.word(&clause.value.value, place)?;
        // None of them may match.
        let mut behind = place.clone();
        for item in &clause.cases {
            if !matches!(item.post_action, CaseItemPostAction::ExitCase) {
                return Err(Obstacle::Compound("case"));
            }
            for pattern in &item.patterns {
                self.word(&pattern.value, place)?;
            }
            let mut inside = place.clone();
            if let Some(commands) = &item.cmd {
                self.list(commands, &mut inside)?;
            }
            behind.join(&inside);
        }
        *place = behind;
        Ok(())
    }

    fn while_clause(&mut self, clause: &WhileOrUntilClauseCommand, place: &mut ShellState) -> Result<(), Obstacle> {
        self.repeat(place, |lowering, inside| {
            lowering.list(&clause.0, inside)?;
            let behind = inside.clone();
            lowering.list(&clause.1.list, inside)?;
            Ok(behind)
        })
    }

    fn for_clause(&mut self, clause: &ForClauseCommand, place: &mut ShellState) -> Result<(), Obstacle> {
        let values = clause.values.as_ref().filter(|values| !values.is_empty()).ok_or(Obstacle::Loop)?;
        if !variables::is_free(&clause.variable_name) {
            return Err(Obstacle::LoopVariable(clause.variable_name.clone()));
        }
        let mut written = Vec::new();
        for value in values {
            written.push(self.word(&value.value, place)?);
        }
        place.values.remove(&clause.variable_name);
        self.rounds(clause, &written, place)?;
        place.values.remove(&clause.variable_name);
        Ok(())
    }

    /// Runs the body once for each of `values` where all of them are written out, and else with a variable of which
    /// nothing is known.
    fn rounds(&mut self, clause: &ForClauseCommand, values: &[Word], place: &mut ShellState) -> Result<(), Obstacle> {
        self.walked.loops.set(true);
        let known: Option<Vec<Value>> = values.iter().map(known_value).collect();
        if let Some(known) = known.filter(|known| known.len() <= MAX_ROUNDS && !self.set) {
            let (first, expanded, mut inside) = (self.parts.len(), self.expanded, place.clone());
            if self.each_round(clause, known, &mut inside).is_ok() {
                *place = inside;
                return Ok(());
            }
            self.parts.truncate(first);
            self.expanded = expanded;
        }
        self.repeat(place, |lowering, inside| lowering.round(clause, None, inside))
    }

    fn each_round(
        &mut self,
        clause: &ForClauseCommand,
        values: Vec<Value>,
        place: &mut ShellState,
    ) -> Result<(), Obstacle> {
        let expanded = self.expanded;
        let mut behind: Option<ShellState> = None;
        for value in values {
            self.expanded = expanded;
            let mut left = None;
            if let Value::Text(_) = value {
                self.leaving.push(None);
                let ran = self.round(clause, Some(&value), place);
                left = self.leaving.pop().flatten();
                ran?;
            } else {
                self.repeat(place, |lowering, inside| lowering.round(clause, Some(&value), inside))?;
            }
            if let Some(left) = left {
                place.join(&left);
                match &mut behind {
                    Some(behind) => behind.join(&left),
                    None => behind = Some(left),
                }
            }
        }
        behind.into_iter().for_each(|left| place.join(&left));
        Ok(())
    }

    /// Runs the body of a `for` with `value` in its variable. What is known in front of it.
    fn round(
        &mut self,
        clause: &ForClauseCommand,
        value: Option<&Value>,
        place: &mut ShellState,
    ) -> Result<ShellState, Obstacle> {
        let name = &clause.variable_name;
        place.values.remove(name);
        let before = place.clone();
        if let Some(value) = value.filter(|_| !self.set) {
            place.values.insert(name.clone(), value.clone());
        }
        self.list(&clause.body.list, place)?;
        place.values.remove(name);
        Ok(before)
    }

    /// Runs `round` until what is known in front of it holds behind it, too. It answers with what is known where the loop
    /// may end.
    fn repeat(
        &mut self,
        place: &mut ShellState,
        mut round: impl FnMut(&mut Self, &mut ShellState) -> Result<ShellState, Obstacle>,
    ) -> Result<(), Obstacle> {
        self.walked.loops.set(true);
        let (first, expanded) = (self.parts.len(), self.expanded);
        let mut start = place.clone();
        let mut passes = 0;
        loop {
            self.parts.truncate(first);
            self.expanded = expanded;
            self.leaving.push(None);
            let mut inside = start.clone();
            let ran = round(self, &mut inside);
            let left = self.leaving.pop().flatten();
            let mut behind = ran?;
            let mut next = start.clone();
            next.join(&inside);
            left.iter().for_each(|left| next.join(left));
            if next == start {
                left.iter().for_each(|left| behind.join(left));
                *place = behind;
                return Ok(());
            }
            passes += 1;
            if passes >= MAX_PASSES {
                next.values.clear();
                next.folders.lose();
            }
            start = next;
        }
    }
}

/// What the variable of a loop is in the round for `word`.
fn known_value(word: &Word) -> Option<Value> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_./@%+,-*?".contains(c);
    match word.kind {
        WordKind::Exact => Some(Value::Text(word.text.clone())),
        WordKind::Varies if word.text == REVISION => Some(Value::Revision),
        WordKind::Varies if word.text.contains(['*', '?']) && word.text.chars().all(plain) => {
            Some(Value::Pattern(word.text.clone()))
        }
        WordKind::Home | WordKind::Varies => None,
    }
}
