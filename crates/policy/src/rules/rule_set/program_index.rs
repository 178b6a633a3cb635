//! Rules by the program that their command pattern names, and the word after it.

use std::collections::{HashMap, HashSet};

use super::super::situation::{Situation, Target};
use crate::rules::action::Action;
use crate::rules::rule::Rule;
use handraise_shell::{CommandPattern, MayRun, Part, WordKind};

/// Rules with a command pattern that begins with a literal program.
#[derive(Clone, Debug, Default)]
pub(super) struct ProgramIndex {
    allowing: Programs,
    /// By the program under its first name: a rule that denies `rm` is meant for `/bin/RM` too.
    tightening: Programs,
}

/// A word that an allow rule's program may stand at, and the word after it.
struct Start {
    /// `None`: the shell decides.
    program: Option<String>,
    next: Next,
}

/// The word after a program.
enum Next {
    /// This one.
    Is(String),
    /// None.
    Nothing,
    /// The shell decides.
    Varies,
}

#[derive(Clone, Debug, Default)]
struct Programs {
    by_program: HashMap<String, Program>,
    /// Of every program.
    any: Program,
}

#[derive(Clone, Debug, Default)]
struct Program {
    all: Vec<usize>,
    /// Whose next word is not known here, or that have none.
    open: Vec<usize>,
    by_next: HashMap<String, Vec<usize>>,
}

impl ProgramIndex {
    /// Takes a rule in, if it has a command pattern that begins with a literal program.
    pub(super) fn insert(&mut self, position: usize, rule: &Rule) -> bool {
        let Some(pattern) = &rule.conditions.command else { return false };
        let allows = rule.action == Action::Allow;
        let program = if allows { pattern.program().map(str::to_owned) } else { pattern.first_program() };
        let Some(program) = program else { return false };
        let (programs, second) = match allows {
            true => (&mut self.allowing, plain_second(pattern)),
            false => (&mut self.tightening, pattern.sub_command()),
        };
        programs.by_program.entry(program).or_default().insert(position, second);
        programs.any.insert(position, second);
        true
    }

    /// Adds every rule that may apply.
    pub(super) fn add(&self, situation: &Situation<'_>, found: &mut Vec<usize>) {
        if let Target::Command(part) = situation.target {
            self.allowing.add(&allowable(part), found);
        }
        match (situation.target, situation.may_run()) {
            (Target::Line(None), _) => found.extend(&self.tightening.any.all),
            (_, Some(may_run)) => self.tightening.add_what(may_run, found),
            (_, None) => {}
        }
    }
}

impl Programs {
    fn add_what(&self, may_run: &MayRun<'_>, found: &mut Vec<usize>) {
        let programs: Vec<&Program> = match may_run.may_be_any_program() {
            true => vec![&self.any],
            false => may_run.programs().filter_map(|program| self.by_program.get(program)).collect(),
        };
        if programs.is_empty() {
            return;
        }
        let words = may_run.sub_commands();
        programs.into_iter().for_each(|program| program.add(words.as_ref(), found));
    }

    fn add(&self, starts: &[Start], found: &mut Vec<usize>) {
        for mention in starts {
            let program = match &mention.program {
                Some(program) => self.by_program.get(program),
                None => Some(&self.any),
            };
            let Some(program) = program else { continue };
            match &mention.next {
                Next::Varies => found.extend(&program.all),
                Next::Nothing => found.extend(&program.open),
                Next::Is(next) => {
                    found.extend(&program.open);
                    found.extend(program.by_next.get(next).into_iter().flatten());
                }
            }
        }
    }
}

impl Program {
    /// Adds the rules that may mean one of `words`; `None`: any.
    fn add(&self, words: Option<&HashSet<&str>>, found: &mut Vec<usize>) {
        let Some(words) = words else {
            found.extend(&self.all);
            return;
        };
        found.extend(&self.open);
        // The shorter of the two.
        if words.len() <= self.by_next.len() {
            let rules = words.iter().filter_map(|word| self.by_next.get(*word));
            found.extend(rules.flatten());
        } else {
            let rules = self.by_next.iter().filter(|(next, _)| words.contains(next.as_str()));
            found.extend(rules.flat_map(|(_, rules)| rules));
        }
    }

    fn insert(&mut self, position: usize, second: Option<&str>) {
        self.all.push(position);
        match second {
            Some(second) => self.by_next.entry(second.to_owned()).or_default().push(position),
            None => self.open.push(position),
        }
    }
}

/// The places at which a pattern that allows may begin: the command, also as it is without git's `-C`, and each wrapper
/// of it.
fn allowable(part: &Part) -> Vec<Start> {
    let layers = part.layers.iter().map(|layer| layer.words.as_slice());
    let settled = part.settled();
    let settled = settled.iter().map(|settled| settled.words.as_slice());
    let starts = layers.chain([part.words.as_slice()]).chain(settled).filter_map(|words| words.split_first());
    let mention = |(program, rest): (&handraise_shell::Word, &[handraise_shell::Word])| {
        let next = match rest.first() {
            None => Next::Nothing,
            Some(word) if word.kind == WordKind::Exact => Next::Is(word.text.clone()),
            Some(_) => Next::Varies,
        };
        let program = (program.kind != WordKind::Varies).then(|| program.text.clone());
        Start { program, next }
    };
    starts.map(mention).collect()
}

/// The second word of `pattern`, when the same word has to be the second of the command.
fn plain_second(pattern: &CommandPattern) -> Option<&str> {
    let plain = |word: &&str| word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    let mut words = pattern.text().split_ascii_whitespace();
    words.next().filter(plain)?;
    words.next().filter(plain)
}
