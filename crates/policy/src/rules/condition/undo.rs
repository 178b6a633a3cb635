//! `undo`: that nothing is lost with what a command changes.

use crate::control_files::is_control;
use crate::effect::in_front;
use crate::filled_anew::is_filled_anew;
use crate::rules::floor::floor;
use crate::rules::situation::{Situation, Target};
use crate::scratch_files::is_temporary;
use crate::temporary_files::{is_ordinary, may_be_made};
use crate::{CanBeUndone, Reach, Request, ResolvedPath, RiskLevel};
use handraise_shell::path::{components, is_within};
use handraise_shell::risk::classify_part;
use handraise_shell::{
    ChangesElsewhere, ChangesHere, Fact, Part, StateChange, Word, WordKind, changes, has_fact, made_by_mktemp,
    state_change_of,
};

/// The key `undo`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rules) enum Undo {
    /// `kept`: all that it changes lies in the project, and can be put back; or all of it are temporary files that are new, or
    /// that the session has made.
    Kept,
    /// `renewed`: it removes nothing but folders of the project that a build or an installation fills anew.
    Renewed,
    /// `own`: it removes nothing but what a command in front of it has made, where nothing was before; or it makes folders
    /// among the temporary files.
    Own,
}

impl Undo {
    /// Its word in the file.
    pub(in crate::rules) fn word(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Renewed => "renewed",
            Self::Own => "own",
        }
    }

    /// Whether that is so. Rights for others, and whatever else is asked about in every preset, are more than what is in
    /// a file.
    pub(super) fn holds(self, situation: &Situation<'_>) -> bool {
        match self {
            Self::Kept => (is_kept(situation) || writes_own(situation)) && floor(situation).is_none(),
            Self::Renewed => removed(situation).is_some_and(|removed| removed.are_all(is_renewed)),
            Self::Own => makes_folders(situation) || removed(situation).is_some_and(|removed| removed.are_all(is_own)),
        }
    }
}

fn is_kept(situation: &Situation<'_>) -> bool {
    // What the server of a tool says of itself makes no difference here.
    let effect = situation.effect(false);
    let is_kept = matches!(effect.can_be_undone(), CanBeUndone::Yes | CanBeUndone::ByItself);
    is_kept && effect.reach() == Reach::Project
}

/// Whether it makes folders among the temporary files, and nothing else.
fn makes_folders(situation: &Situation<'_>) -> bool {
    let Target::Command(part) = situation.target else { return false };
    let is_plain = part.wrappers.is_empty() && part.assignments.is_empty() && part.program() == Some("mkdir");
    let (options, operands): (Vec<&Word>, Vec<&Word>) =
        part.words.iter().skip(1).partition(|word| word.text.starts_with('-'));
    let are_known = options.iter().all(|option| matches!(option.text.as_str(), "-p" | "-v" | "-pv" | "--parents"));
    let request = situation.call.request;
    let is_temporary_folder = |word: &Word| {
        let fact = part.path(word).and_then(|text| request.paths.get(&text));
        fact.is_some_and(|path| {
            let may_be = path.protected.is_none() && !is_control(&path.path, request.home.as_deref());
            may_be
                && is_temporary(&path.path)
                && if path.is_missing { may_be_made(path, request) } else { path.is_folder }
        })
    };
    is_plain
        && are_known
        && !operands.is_empty()
        && !in_front(request, part).any(brings_links)
        && operands.into_iter().all(is_temporary_folder)
}

/// Whether all that it changes are temporary files that are new, or that the session has made.
fn writes_own(situation: &Situation<'_>) -> bool {
    let Target::Command(part) = situation.target else { return false };
    let changes = changes(part, classify_part(part).level == RiskLevel::ReadOnly);
    let ChangesHere::Named(named) = changes.here else { return false };
    let request = situation.call.request;
    let is_own = |word: &Word| {
        part.path(word).and_then(|text| request.paths.get(&text)).is_some_and(|path| {
            let is_new = if path.is_missing { may_be_made(path, request) } else { path.is_made_by_session };
            is_new && is_temporary(&path.path) && is_ordinary(path, request.home.as_deref())
        })
    };
    changes.elsewhere == ChangesElsewhere::Nothing
        && !named.brings_links
        && !named.words.is_empty()
        && part.wrappers.is_empty()
        && part.assignments.is_empty()
        && !in_front(request, part).any(brings_links)
        && named.words.iter().all(is_own)
}

/// What a command removes.
struct Removed<'a> {
    request: &'a Request,
    part: &'a Part,
    operands: Vec<Word>,
}

/// `None`: it does not only remove what it names, or nobody can tell where that lies.
fn removed<'a>(situation: &Situation<'a>) -> Option<Removed<'a>> {
    let Target::Command(part) = situation.target else { return None };
    let call =
        state_change_of(part).filter(|call| call.state_change == StateChange::Removes && call.program == "rm")?;
    let operands = call.operands;
    let request = situation.call.request;
    let is_told = !operands.is_empty() && !in_front(request, part).any(brings_links);
    is_told.then_some(Removed { request, part, operands })
}

/// Whether `part` may put a link where a folder was. A build or a program that nobody knows may as well: but it is asked
/// about itself, or walls hold all of the line.
fn brings_links(part: &Part) -> bool {
    let is_of_others =
        |program: &str| program == "git" || has_fact(program, Fact::Unpacks) || has_fact(program, Fact::Carries);
    match changes(part, classify_part(part).level == RiskLevel::ReadOnly).here {
        ChangesHere::Nothing | ChangesHere::Machine => false,
        ChangesHere::Named(named) => named.brings_links,
        ChangesHere::Repository { is_kept } => !is_kept,
        // What it unpacks or fetches may hold links.
        ChangesHere::Unknown => part.programs().any(is_of_others),
    }
}

impl Removed<'_> {
    fn are_all(&self, is: fn(&Self, &ResolvedPath) -> bool) -> bool {
        let is_one = |word: &Word| {
            let text = self.part.path(word);
            text.and_then(|text| self.request.paths.get(&text))
                .is_some_and(|path| is_ordinary(path, self.request.home.as_deref()) && is(self, path))
        };
        self.operands.iter().all(is_one)
    }

    /// What of `path` lies below the project.
    fn below_project<'p>(&self, path: &'p str) -> Option<Vec<&'p str>> {
        let project = self.request.project.as_deref().filter(|project| is_within(path, project))?;
        Some(components(path).skip(components(project).count()).collect())
    }
}

fn is_renewed(removed: &Removed<'_>, path: &ResolvedPath) -> bool {
    removed.below_project(&path.path).is_some_and(|below| is_filled_anew(&below)) && !path.holds_tracked
}

fn is_own(removed: &Removed<'_>, path: &ResolvedPath) -> bool {
    let is_here = removed.below_project(&path.path).is_some_and(|below| !below.is_empty()) || is_temporary(&path.path);
    let mut before = in_front(removed.request, removed.part);
    let leads_there = |part: &Part, word: &Word| {
        let text = part.path(word);
        text.and_then(|text| removed.request.paths.get(&text)).is_some_and(|made| made.path == path.path)
    };
    path.is_made_by_session && is_temporary(&path.path)
        || path.is_missing && is_here && before.any(|part| made(part).iter().any(|word| leads_there(part, word)))
}

/// The words of `part` that name what it makes.
fn made(part: &Part) -> Vec<Word> {
    let mut made = part.writes.clone();
    made.extend(made_by_mktemp(part).map(|text| Word { text, kind: WordKind::Exact }));
    let takes_away = part.program().is_some_and(|program| has_fact(program, Fact::TakesAway));
    if let ChangesHere::Named(named) = changes(part, classify_part(part).level == RiskLevel::ReadOnly).here
        && !takes_away
    {
        made.extend(named.words);
    }
    let behind_output = part.words.windows(2).filter_map(|two| match two {
        [option, value] if matches!(option.text.as_str(), "-o" | "--output" | "-output" | "--out") => Some(value),
        _ => None,
    });
    made.extend(behind_output.cloned());
    made
}
