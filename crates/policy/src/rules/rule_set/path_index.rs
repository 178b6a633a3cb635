//! Rules by where their path globs begin.

use std::collections::BTreeMap;
use std::ops::Bound;

use super::super::condition::Base;
use super::super::situation::{NamedPath, Situation, Target};
use crate::rules::action::Action;
use crate::rules::rule::Rule;
use handraise_shell::path::{components, is_within};

/// Rules by the folders that all paths they match lie in.
#[derive(Clone, Debug, Default)]
pub(super) struct PathIndex {
    /// By base and the components without a wildcard, as `etc/ssh`.
    folders: BTreeMap<(u8, String), Vec<usize>>,
    /// Those that tighten: each may apply where a path cannot be told.
    tightening: Vec<usize>,
}

impl PathIndex {
    /// Takes a rule in, if each of its globs begins somewhere.
    pub(super) fn insert(&mut self, position: usize, rule: &Rule) -> bool {
        let globs = &rule.conditions.path.globs;
        let keys: Option<Vec<(u8, String)>> = globs
            .iter()
            .map(|glob| {
                let base = number(glob.base())?;
                (!glob.prefix().is_empty()).then(|| (base, glob.prefix().join("/")))
            })
            .collect();
        let Some(keys) = keys.filter(|keys| !keys.is_empty()) else { return false };
        for key in keys {
            self.folders.entry(key).or_default().push(position);
        }
        if rule.action != Action::Allow {
            self.tightening.push(position);
        }
        true
    }

    /// Adds every rule that may apply.
    pub(super) fn add(&self, situation: &Situation<'_>, found: &mut Vec<usize>) {
        if self.folders.is_empty() {
            return;
        }
        let paths = &situation.paths;
        let untold = |path: &NamedPath| path.forms().next().is_none();
        if paths.unknown || !paths.below.is_empty() || paths.named.iter().any(untold) {
            found.extend(&self.tightening);
        }
        let moves = matches!(situation.target, Target::Command(_)) && situation.may_write();
        let request = situation.call.request;
        let bases = [Some("/"), request.home.as_deref(), request.project.as_deref()];
        let named = paths.named.iter().map(|path| (path, moves));
        for (path, moves) in named.chain(paths.folder.iter().map(|folder| (folder, false))) {
            for form in path.forms() {
                for (base, start) in (0_u8..).zip(bases) {
                    let Some(start) = start else { continue };
                    if is_within(form, start) {
                        self.add_above((base, components(form).skip(components(start).count())), found);
                    }
                    if moves {
                        self.add_below(base, start, form, found);
                    }
                }
            }
        }
    }

    /// Adds the rules that begin at a folder of the path, or at the path itself.
    fn add_above<'a>(&self, (base, rest): (u8, impl Iterator<Item = &'a str>), found: &mut Vec<usize>) {
        let mut folder = String::new();
        for component in rest {
            if !folder.is_empty() {
                folder.push('/');
            }
            folder.push_str(component);
            found.extend(self.folders.get(&(base, folder.clone())).into_iter().flatten());
        }
    }

    /// Adds the rules that begin somewhere in the folder `form`.
    fn add_below(&self, base: u8, start: &str, form: &str, found: &mut Vec<usize>) {
        let rest: Vec<&str> = components(form).skip(components(start).count()).collect();
        let folder = if is_within(form, start) { rest.join("/") } else { String::new() };
        if !is_within(form, start) && !is_within(start, form) {
            return;
        }
        let from = Bound::Included((base, folder.clone()));
        let all = self.folders.range((from, Bound::Excluded((base + 1, String::new()))));
        let within = all.take_while(|((_, key), _)| key.starts_with(&folder));
        found.extend(within.flat_map(|(_, positions)| positions));
    }
}

fn number(base: Base) -> Option<u8> {
    match base {
        Base::Root => Some(0),
        Base::Home => Some(1),
        Base::Project => Some(2),
        Base::Anywhere => None,
    }
}
