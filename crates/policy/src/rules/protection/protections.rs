//! The built-in final rules.

use std::rc::Rc;
use std::sync::Arc;

use super::guard::Guard;
use super::named::NamedPaths;
use super::settings::is_agent_setting;
use super::tree::{FoldedPath, ProtectedTree};
use crate::path::{ProtectedPath, Protection, argument_texts};
use crate::rules::plain_text::{PlainText, mentions_path};
use crate::rules::protected_name::Named;
use crate::rules::situation::{NamedPath, Situation, Target};
use crate::{RiskLevel, Subject, ToolClass};
use handraise_shell::path::NamePattern;
use handraise_shell::{Fact, Part, Word, WordKind, file_use, has_fact};

/// The built-in final rules. No policy file takes any of them away.
#[derive(Clone, Debug, Default)]
pub struct Protections {
    own: Vec<ProtectedPath>,
    agents: Vec<ProtectedPath>,
    /// The same, made for looking them up.
    index: Arc<Index>,
}

#[derive(Debug, Default)]
struct Index {
    all: ProtectedTree,
    own: ProtectedTree,
    named: NamedPaths,
}

impl PartialEq for Protections {
    fn eq(&self, other: &Self) -> bool {
        (&self.own, &self.agents) == (&other.own, &other.agents)
    }
}

impl Eq for Protections {}

impl Protections {
    /// Protects `own`, Handraise's own files and folders ([`Protection::Own`] and [`Protection::Secret`]), and `agents`,
    /// the agents' hook and settings files of this user ([`Protection::Agent`]).
    #[must_use]
    pub fn new(own: Vec<ProtectedPath>, agents: Vec<ProtectedPath>) -> Self {
        let all = || own.iter().chain(&agents);
        let index =
            Index { all: ProtectedTree::new(all()), own: ProtectedTree::new(&own), named: NamedPaths::new(all()) };
        Self { index: Arc::new(index), own, agents }
    }

    /// Every protected path.
    pub(in crate::rules) fn all(&self) -> impl Iterator<Item = &ProtectedPath> {
        self.own.iter().chain(&self.agents)
    }

    /// What the built-in rules say about one part of a call; the strictest of them.
    pub(in crate::rules) fn guard(&self, situation: &Situation<'_>) -> Option<Guard> {
        let mut guards: Vec<Guard> = Vec::new();
        let paths = &situation.paths;
        let writes = situation.may_write();
        let last = paths.named.len().saturating_sub(1);
        for (position, path) in paths.named.iter().enumerate() {
            guards.extend(self.guard_of(path, writes, situation, position == last));
        }
        for (folder, component) in &paths.below {
            guards.extend(self.guard_below(folder, component, writes));
        }
        guards.extend(self.guard_of_folder(situation));
        guards.extend(self.guard_of_text(situation));
        guards.extend(super::deciding::guard(situation));
        guards.extend(super::credential::guard(situation));
        guards.extend(super::checkout::guard(situation));
        strictest(guards.into_iter())
    }

    /// A command may change what lies in the folder in which it runs without naming it.
    fn guard_of_folder(&self, situation: &Situation<'_>) -> Option<Guard> {
        let Target::Command(part) = situation.target else { return None };
        let folder = situation.paths.folder.as_ref().filter(|_| situation.may_write())?;
        let unpacks = has_fact(program(part), Fact::Unpacks);
        let guards = folder.forms().map(FoldedPath::of).flat_map(|form| {
            let around = self.index.all.around(&form).map(Protection::guard);
            let within = self.index.all.within(&form).filter(|_| unpacks).map(|(_, protection)| protection.asks());
            around.chain(within).collect::<Vec<Guard>>()
        });
        strictest(guards)
    }

    fn guard_of(&self, path: &NamedPath, writes: bool, situation: &Situation<'_>, last: bool) -> Option<Guard> {
        let same_file = path.protected.filter(|protection| writes || *protection == Protection::Secret);
        let found = path.forms().flat_map(|form| {
            let setting = (writes && is_agent_setting(form)).then_some(Protection::Agent.guard());
            self.guards_by_place(&FoldedPath::of(form), writes, situation, last).into_iter().chain(setting)
        });
        strictest(found.chain(same_file.map(Protection::guard)))
    }

    fn guards_by_place(&self, form: &FoldedPath, writes: bool, situation: &Situation<'_>, last: bool) -> Vec<Guard> {
        let mut guards = Vec::new();
        let counts = |protection: &Protection| writes || *protection == Protection::Secret;
        guards.extend(self.index.all.around(form).filter(counts).map(Protection::guard));
        for (_, protection) in self.index.all.within(form) {
            // Reading one of our own folders whole reads the tokens in it.
            let in_own = || self.index.own.around(form).next().is_some();
            if protection == Protection::Secret && !lists(situation) && in_own() {
                guards.push(protection.guard());
            } else if writes {
                guards.extend(above(situation, protection, last));
            }
        }
        guards
    }

    /// A glob of the shell that may find a protected file, or a folder with one in it.
    fn guard_below(&self, folder: &NamedPath, component: &str, writes: bool) -> Option<Guard> {
        let component = NamePattern::new(&component.to_lowercase());
        let found = folder.forms().map(FoldedPath::of).flat_map(|form| {
            let is_found = |path: &FoldedPath| path.next_below(&form).is_some_and(|next| component.may_find(next));
            let within = self.index.all.within(&form).filter(|(path, _)| is_found(path));
            let found = within.map(|(_, protection)| protection).chain(self.index.all.around(&form));
            found.collect::<Vec<Protection>>()
        });
        strictest(found.filter(|protection| writes || *protection == Protection::Secret).map(Protection::guard))
    }

    /// Where paths cannot be told, the text is searched for the protected ones.
    fn guard_of_text<'a>(&self, situation: &Situation<'a>) -> Option<Guard> {
        let request = situation.call.request;
        let home = request.home.as_deref();
        let Texts { whole, pieces } = texts(situation);
        let may_write = situation.may_write();
        let counts = |named: &&Named| may_write || named.protection == Protection::Secret;
        let plain_whole: Vec<Rc<PlainText>> = whole.iter().map(|text| situation.call.plain(text)).collect();
        let plain_pieces: Vec<(Rc<PlainText>, Names)> =
            pieces.iter().map(|(text, names)| (situation.call.plain(text), *names)).collect();
        // A word alone may be meant in a folder that the rest of the line names.
        let needs_line = pieces.iter().any(|(_, names)| *names != Names::No);
        let line = request.command.as_ref().filter(|_| needs_line && whole.is_empty());
        let around = line.map(|line| situation.call.plain(&line.text));
        let around = around.as_ref().or(plain_whole.first()).map(Rc::as_ref);
        let possible = |text: &PlainText| self.index.named.possible_in(text, home).filter(counts).collect::<Vec<_>>();
        let surely = plain_whole.iter().flat_map(|text| {
            let named = possible(text).into_iter().filter(|named| mentions_path(text, &named.path, home));
            named.map(|named| named.protection.guard()).collect::<Vec<Guard>>()
        });
        // In a script, a message, a pattern: it may or may not be what the program opens.
        let perhaps = plain_pieces.iter().flat_map(|(text, names)| {
            let is_named = |named: &&Named| mentions_path(text, &named.path, home) || names.tells(text, named, around);
            let named = possible(text).into_iter().filter(is_named);
            named.map(|named| named.protection.asks()).collect::<Vec<Guard>>()
        });
        let setting =
            |(text, names): &(Rc<PlainText>, Names)| *names == Names::Count && super::settings::mentions_setting(text);
        let setting = may_write && plain_pieces.iter().any(setting);
        let in_whole = whole.iter().filter_map(|text| self.guard_of_mentioned(text, situation));
        let in_pieces = pieces.iter().filter_map(|(text, _)| self.guard_of_mentioned(text, situation));
        let in_pieces = in_pieces.map(|guard| guard.protection.asks());
        let setting = setting.then(|| Protection::Agent.asks());
        strictest(surely.chain(perhaps).chain(setting).chain(in_whole).chain(in_pieces))
    }

    /// A word of a text that is another name of a protected file: a link to it, say.
    fn guard_of_mentioned<'a>(&self, text: &'a str, situation: &Situation<'a>) -> Option<Guard> {
        let found = situation.call.mentioned(text, |resolved| {
            let listed = self.index.all.around(&FoldedPath::of(&resolved.path)).collect::<Vec<Protection>>();
            listed.into_iter().chain(resolved.protected)
        });
        let counts = |protection: &Protection| match protection {
            // The last one is about calls, not about files.
            Protection::Credential | Protection::Decision => false,
            Protection::Secret => true,
            Protection::Own | Protection::Agent => situation.may_write(),
        };
        strictest(found.iter().copied().filter(counts).map(Protection::guard))
    }
}

/// Texts in which protected files may be named.
#[derive(Default)]
struct Texts<'a> {
    /// They may hold the path of a file that is opened.
    whole: Vec<&'a str>,
    /// They may name one, and mean it or not.
    pieces: Vec<(&'a str, Names)>,
}

/// Whether the last name of a path says enough.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Names {
    /// Yes: the shell may put the rest in front of it, or the folder is not known.
    Count,
    /// No, the path has to be there.
    No,
}

impl Names {
    fn tells(self, text: &PlainText, path: &Named, around: Option<&PlainText>) -> bool {
        self == Self::Count && text.names(path, around.unwrap_or(text))
    }
}

fn texts<'a>(situation: &Situation<'a>) -> Texts<'a> {
    let request = situation.call.request;
    let line = || request.command.as_ref().map(|line| line.text.as_str());
    let whole: Vec<&str> = match situation.target {
        Target::Line(Some(line)) => vec![line.text.as_str()],
        Target::Line(None) => match &request.subject {
            Subject::Command { line } => vec![line.as_str()],
            _ => argument_texts(&request.arguments),
        },
        Target::Call if request.class == ToolClass::FileWrite && situation.paths.unknown => {
            argument_texts(&request.arguments)
        }
        // What a tool makes of its arguments is its own business.
        Target::Call if request.subject == Subject::Arguments => {
            let texts = argument_texts(&request.arguments).into_iter();
            let (whole, pieces): (Vec<&str>, Vec<&str>) = texts.partition(|text| is_path_itself(text));
            return Texts { whole, pieces: pieces.into_iter().map(|text| (text, Names::No)).collect() };
        }
        Target::Command(part) => {
            let fed = part.wrappers.iter().any(|wrapper| has_fact(wrapper, Fact::Fed));
            let line = line().filter(|_| situation.paths.unknown || fed);
            let names = |word: &Word| match word.kind {
                WordKind::Varies => Names::Count,
                _ if part.folder_unknown => Names::Count,
                _ => Names::No,
            };
            let pieces = part.naming_words().map(|word| (word.text.as_str(), names(word)));
            return Texts { whole: line.into_iter().collect(), pieces: pieces.collect() };
        }
        Target::Write(_, word) | Target::Read(_, word) if situation.paths.unknown => {
            return Texts { whole: line().into_iter().collect(), pieces: vec![(word.text.as_str(), Names::Count)] };
        }
        Target::Call | Target::Write(..) | Target::Read(..) => Vec::new(),
    };
    let pieces = whole.iter().map(|text| (*text, Names::Count)).collect();
    Texts { whole, pieces }
}

/// Whether a text is a path and nothing else, whatever its key is called.
fn is_path_itself(text: &str) -> bool {
    let text = text.trim();
    let is_start = text.starts_with(['/', '~', '$']) || text.get(..5).is_some_and(|s| s.eq_ignore_ascii_case("file:"));
    is_start && !text.contains('\n')
}

/// What an operand says about the protected things in the folder that it names.
fn above(situation: &Situation<'_>, protection: Protection, last: bool) -> Option<Guard> {
    let Target::Command(part) = situation.target else { return None };
    let program = program(part);
    let moves = has_fact(program, Fact::TakesAway);
    let destination = last && moves && file_use(program).last_is_destination;
    let copies_one_file = program == "cp" && !part.words.iter().any(|word| copies_folders(&word.text));
    if has_fact(program, Fact::LeavesFolders) || copies_one_file {
        return None;
    }
    let takes_away = moves || situation.risk.level == RiskLevel::Destructive;
    Some(if takes_away && !destination { protection.guard() } else { protection.asks() })
}

fn program(part: &Part) -> &str {
    part.program().and_then(|program| program.rsplit('/').next()).unwrap_or("")
}

fn lists(situation: &Situation<'_>) -> bool {
    matches!(situation.target, Target::Command(part) if has_fact(program(part), Fact::TellsFolders))
}

/// `cp` with one of these copies folders: `-r`, `-R`, `-a`, `--recursive`, `--archive` (GNU coreutils).
fn copies_folders(word: &str) -> bool {
    match word.strip_prefix("--") {
        Some(long) => !long.is_empty() && ("recursive".starts_with(long) || "archive".starts_with(long)),
        None => word.starts_with('-') && word.contains(['r', 'R', 'a']),
    }
}

/// The strictest; of equals the one that says the most.
fn strictest(guards: impl Iterator<Item = Guard>) -> Option<Guard> {
    let rank = |protection| match protection {
        Protection::Credential => 0,
        Protection::Agent => 1,
        Protection::Secret => 2,
        Protection::Own => 3,
        Protection::Decision => 4,
    };
    guards.max_by_key(|guard| (guard.action, rank(guard.protection)))
}
