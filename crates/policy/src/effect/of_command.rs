//! What one part of a command line changes.

use handraise_shell::risk::classify_part;
use handraise_shell::{ChangesElsewhere, ChangesHere, NamedChanges, Part, Word, changes};

use super::place;
use super::switched::switches;
use super::{Effect, Elsewhere, Here, Lost};
use crate::path::{in_last, word_paths, working_folder};
use crate::{Request, RiskLevel};

/// What is to be known besides the words of a command.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CommandContext {
    /// Its risk.
    pub(crate) level: RiskLevel,
    /// The project makes it run something.
    pub(crate) runs_code: bool,
    /// A command in front of it may have brought links.
    pub(crate) behind_links: bool,
}

/// What the simple command `part` of `request` changes, its redirections apart.
pub(crate) fn of_command(request: &Request, part: &Part, about: CommandContext) -> Effect {
    let changes = changes(part, about.level == RiskLevel::ReadOnly);
    let elsewhere = match changes.elsewhere {
        ChangesElsewhere::Nothing => Elsewhere::Nothing,
        ChangesElsewhere::Asks => Elsewhere::Asked,
        ChangesElsewhere::Changes => Elsewhere::Changed,
    };
    let here = match changes.here {
        _ if about.runs_code => Effect::UNKNOWN,
        ChangesHere::Nothing => Effect::NOTHING,
        ChangesHere::Named(_) if about.behind_links => Effect::UNKNOWN,
        ChangesHere::Named(named) => of_named(request, part, &named),
        ChangesHere::Repository { is_kept } => {
            let lost = if is_kept || switches(request, part) { Lost::KEPT_BY_GIT } else { Lost::FOR_GOOD };
            Effect { lost, ..of_folder(request, part) }
        }
        ChangesHere::Machine => Effect::new(Here::Machine, Elsewhere::Nothing, Lost::FOR_GOOD),
        ChangesHere::Unknown => Effect::UNKNOWN,
    };
    // What it destroys, nobody has promised to keep.
    let here = if about.level == RiskLevel::Destructive { here.for_good() } else { here };
    Effect::new(here.here, elsewhere, here.lost)
}

/// What a redirection of `part` changes that writes `word`.
pub(crate) fn of_target(request: &Request, part: &Part, word: &Word, behind_links: bool) -> Effect {
    if word.text.starts_with("/dev/tcp/") || word.text.starts_with("/dev/udp/") {
        return Effect::new(Here::Nothing, Elsewhere::Changed, Lost::FOR_GOOD);
    }
    if behind_links {
        return Effect::UNKNOWN;
    }
    of_words(request, part, std::slice::from_ref(word), true)
}

fn of_named(request: &Request, part: &Part, named: &NamedChanges) -> Effect {
    let effect = of_words(request, part, &named.words, named.follows_links);
    let last = named.words.last().and_then(|word| part.path(word)).and_then(|text| request.paths.get(&text));
    let effect = match in_last(part, named) {
        // A folder stays what it is: what changes lies in it.
        Some(inside) if !inside.is_empty() && last.is_some_and(|last| last.is_folder) => {
            let inside = inside.iter().map(|text| place::at(request, text));
            inside.reduce(Effect::and).unwrap_or(Effect::UNKNOWN).reaching(effect)
        }
        None if last.is_none_or(|last| !last.is_missing) => Effect::UNKNOWN,
        _ => effect,
    };
    if named.only_contents { effect } else { effect.for_good() }
}

fn of_words(request: &Request, part: &Part, words: &[Word], follows_links: bool) -> Effect {
    let paths = words.iter().flat_map(|word| word_paths(part, word));
    let effects = paths.map(|path| place::of_word(request, &path, follows_links));
    effects.reduce(Effect::and).unwrap_or(Effect::UNKNOWN)
}

/// The folder that `part` runs in, as far as the file system tells.
fn of_folder(request: &Request, part: &Part) -> Effect {
    let settled = part.settled();
    let Some(text) = working_folder(settled.as_ref().unwrap_or(part)) else { return Effect::UNKNOWN };
    let known = [text.as_str(), text.strip_suffix("/.").unwrap_or(&text)].map(|text| place::at(request, text));
    let [as_it_is, without_dot] = known;
    if as_it_is == Effect::UNKNOWN { without_dot } else { as_it_is }
}

/// Whether `part` may bring links to where nobody has seen any, so that what a later command names may lie anywhere.
pub(crate) fn brings_links(part: &Part) -> bool {
    if classify_part(part).level == RiskLevel::ReadOnly {
        return false;
    }
    match changes(part, false).here {
        ChangesHere::Nothing | ChangesHere::Machine => false,
        ChangesHere::Named(named) => named.brings_links,
        ChangesHere::Repository { .. } | ChangesHere::Unknown => true,
    }
}
