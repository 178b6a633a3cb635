//! Rules by the most telling of their conditions.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::super::condition::{Conditions, Glob, Tool};
use super::super::situation::Situation;
use super::path_index::PathIndex;
use super::program_index::ProgramIndex;
use crate::ToolClass;
use crate::rules::rule::Rule;

/// Rules by the most telling of their conditions, as positions in their table. A rule stands under one
/// condition that has to hold for it to apply, or under one entry for each way in which it can hold.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    programs: ProgramIndex,
    paths: PathIndex,
    names: HashMap<String, Vec<usize>>,
    prefixes: HashMap<String, Vec<usize>>,
    prefix_lengths: BTreeSet<usize>,
    servers: HashMap<String, Vec<usize>>,
    agents: HashMap<String, Vec<usize>>,
    users: HashMap<String, Vec<usize>>,
    tags: HashMap<String, Vec<usize>>,
    classes: HashMap<ToolClass, Vec<usize>>,
    others: Vec<usize>,
}

impl Index {
    pub(super) fn of(rules: &[Arc<Rule>]) -> Self {
        let mut index = Self::default();
        for (position, rule) in rules.iter().enumerate() {
            index.insert(position, rule);
        }
        index
    }

    #[cfg(test)]
    pub(super) fn everything(rules: usize) -> Self {
        Self { others: (0..rules).collect(), ..Self::default() }
    }

    fn insert(&mut self, position: usize, rule: &Rule) {
        let conditions = &rule.conditions;
        if self.programs.insert(position, rule) {
        } else if let Some(name) = exact_name(conditions) {
            push(&mut self.names, name, position);
        } else if let Some(server) = conditions.server.as_ref().filter(|glob| glob.is_exact()) {
            push(&mut self.servers, server.text(), position);
        } else if self.paths.insert(position, rule) {
        } else if let Some(prefix) = name_prefix(conditions) {
            self.prefix_lengths.insert(prefix.len());
            push(&mut self.prefixes, prefix, position);
        } else if all_exact(&conditions.agents) {
            conditions.agents.iter().for_each(|glob| push(&mut self.agents, glob.text(), position));
        } else if all_exact(&conditions.users) {
            conditions.users.iter().for_each(|glob| push(&mut self.users, glob.text(), position));
        } else if all_exact(&conditions.tags) {
            conditions.tags.iter().for_each(|glob| push(&mut self.tags, glob.text(), position));
        } else if let Some(class) = class(conditions) {
            self.classes.entry(class).or_default().push(position);
        } else {
            self.others.push(position);
        }
    }

    /// The positions of every rule that may apply, in order.
    pub(super) fn candidates(&self, situation: &Situation<'_>) -> Vec<usize> {
        let call = situation.call;
        let request = call.request;
        let mut found = self.others.clone();
        self.programs.add(situation, &mut found);
        self.paths.add(situation, &mut found);
        for name in call.full_name().into_iter().chain([request.tool.as_str()]) {
            add(&self.names, name, &mut found);
            for length in self.prefix_lengths.range(..=name.len()) {
                name.get(..*length).into_iter().for_each(|prefix| add(&self.prefixes, prefix, &mut found));
            }
        }
        request.server.iter().for_each(|server| add(&self.servers, server, &mut found));
        request.agent_name().into_iter().for_each(|agent| add(&self.agents, agent, &mut found));
        request.user.iter().for_each(|user| add(&self.users, user, &mut found));
        request.tags.iter().for_each(|tag| add(&self.tags, tag, &mut found));
        let files = situation.is_shell().then_some([ToolClass::FileRead, ToolClass::FileWrite]);
        for class in files.into_iter().flatten().chain([request.class]) {
            found.extend(self.classes.get(&class).into_iter().flatten());
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// The one name that the tool must have.
fn exact_name(conditions: &Conditions) -> Option<&str> {
    let pattern = conditions.pattern.as_ref().filter(|pattern| pattern.arguments().is_none());
    let tool = conditions.tool.as_ref().and_then(tool_glob);
    pattern.map(|pattern| pattern.name()).into_iter().chain(tool).find(|glob| glob.is_exact()).map(Glob::text)
}

/// What the tool's name must begin with.
fn name_prefix(conditions: &Conditions) -> Option<&str> {
    let pattern = conditions.pattern.as_ref().map(|pattern| pattern.name());
    let tool = conditions.tool.as_ref().and_then(tool_glob);
    pattern.into_iter().chain(tool).map(Glob::prefix).find(|prefix| !prefix.is_empty())
}

fn tool_glob(tool: &Tool) -> Option<&Glob> {
    match tool {
        Tool::Name(glob) => Some(glob),
        Tool::Class(_) => None,
    }
}

fn class(conditions: &Conditions) -> Option<ToolClass> {
    match conditions.tool {
        Some(Tool::Class(class)) => Some(class),
        _ => conditions.class,
    }
}

fn all_exact(globs: &[Glob]) -> bool {
    !globs.is_empty() && globs.iter().all(Glob::is_exact)
}

fn push(map: &mut HashMap<String, Vec<usize>>, key: &str, position: usize) {
    map.entry(key.to_owned()).or_default().push(position);
}

fn add(map: &HashMap<String, Vec<usize>>, key: &str, found: &mut Vec<usize>) {
    found.extend(map.get(key).into_iter().flatten());
}
