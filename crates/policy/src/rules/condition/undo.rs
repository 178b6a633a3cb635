//! `undo`: that nothing is lost with what a command changes.

use crate::control_files::is_control;
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
    /// `switched`: it is `git checkout` of a branch or commit, and nothing in its folder is called so.
    Switched,
}

impl Undo {
    /// Its word in the file.
    pub(in crate::rules) fn word(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Renewed => "renewed",
            Self::Own => "own",
            Self::Switched => "switched",
        }
    }

    /// Whether that is so. Rights for others, and whatever else is asked about in every preset, are more than what is in
    /// a file.
    pub(super) fn holds(self, situation: &Situation<'_>) -> bool {
        match self {
            Self::Kept => (is_kept(situation) || writes_own(situation)) && floor(situation).is_none(),
            Self::Renewed => removed(situation).is_some_and(|removed| removed.are_all(is_renewed)),
            Self::Switched => switches(situation),
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

/// Options of `git checkout` that only say more, or that no branch is meant.
const SWITCH_OPTIONS: &[&str] =
    &["-q", "--quiet", "-d", "--detach", "--progress", "--no-progress", "--guess", "--no-guess"];

/// Whether it goes to another branch or commit, as `git switch` does: git then refuses where a change would be lost. Of a
/// file or folder that is called so, it would throw changes away (git-checkout(1), "ARGUMENT DISAMBIGUATION").
fn switches(situation: &Situation<'_>) -> bool {
    let Target::Command(own) = situation.target else { return false };
    let request = situation.call.request;
    let settled = own.settled();
    let part = settled.as_ref().unwrap_or(own);
    let [git, checkout, rest @ ..] = part.words.as_slice() else { return false };
    let is_option = |word: &&Word| word.text.starts_with('-') && word.text != "-";
    let (options, operands): (Vec<&Word>, Vec<&Word>) = rest.iter().partition(is_option);
    // No pattern of paths either (gitglossary(7), "pathspec"). Of `a/b`, no `a` is there: git takes away a file that stands in
    // the place of its folder, and knows nothing of links.
    let is_no_path = |word: &Word| {
        let fact = part.path(word).and_then(|text| request.paths.get(&text));
        let in_project = |path: &str| request.project.as_deref().is_some_and(|project| is_within(path, project));
        let names: Vec<&str> = word.text.split('/').collect();
        let depth = |path: &str| components(path).count();
        let first = fact.and_then(|fact| fact.missing_from.as_deref());
        let is_whole =
            || fact.zip(first).is_some_and(|(fact, first)| depth(&fact.path) == depth(first) + names.len() - 1);
        !word.text.contains([':', '*', '?', '[', '\\'])
            && !names.iter().any(|name| ["", ".", ".."].contains(name))
            && fact.is_some_and(|path| path.is_missing && in_project(&path.path))
            && is_whole()
    };
    // What comes in front may bring a file, or change how git reads names.
    let is_harmless = |part: &Part| {
        let words: Vec<&str> = part.words.iter().take(2).map(|word| word.text.as_str()).collect();
        classify_part(part).level == RiskLevel::ReadOnly
            || matches!(words.as_slice(), ["cd", _] | ["git", "add" | "commit" | "fetch" | "switch" | "checkout"])
                && part.assignments.is_empty()
    };
    part.wrappers.is_empty()
        && part.assignments.is_empty()
        && in_front(request, own).all(is_harmless)
        && (git.text.as_str(), checkout.text.as_str()) == ("git", "checkout")
        && options.iter().all(|option| SWITCH_OPTIONS.contains(&option.text.as_str()))
        && matches!(operands.as_slice(), [only] if only.kind == WordKind::Exact && is_no_path(only))
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

/// The commands in front of `own`.
fn in_front<'a>(request: &'a Request, own: &'a Part) -> impl Iterator<Item = &'a Part> {
    let parts = request.command.iter().flat_map(|line| &line.parts);
    parts.take_while(move |part| !std::ptr::eq(*part, own))
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
