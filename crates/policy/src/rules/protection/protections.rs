//! The built-in final rules.

use super::guard::Guard;
use super::settings::is_agent_setting;
use super::text::{PlainText, mentions_path};
use crate::path::{ProtectedPath, Protection, argument_texts, loose_paths};
use crate::rules::situation::{NamedPath, Situation, Target};
use crate::{RiskLevel, Subject, ToolClass};
use handraise_shell::path::{components, is_within, may_find};
use handraise_shell::{Fact, Part, Word, WordKind, file_use, has_fact};

/// The built-in final rules. No policy file takes any of them away.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Protections {
    /// Handraise's own files and folders: [`crate::path::Protection::Own`] and [`crate::path::Protection::Secret`].
    pub own: Vec<ProtectedPath>,
    /// The agents' hook and settings files of this user: [`crate::path::Protection::Agent`].
    pub agents: Vec<ProtectedPath>,
}

impl Protections {
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
        strictest(guards.into_iter())
    }

    /// A command may change what lies in the folder in which it runs without naming it.
    fn guard_of_folder(&self, situation: &Situation<'_>) -> Option<Guard> {
        let Target::Command(part) = situation.target else { return None };
        let folder = situation.paths.folder.as_ref().filter(|_| situation.may_write())?;
        let unpacks = has_fact(program(part), Fact::Unpacks);
        let forms: Vec<String> = folder.forms().map(fold).collect();
        let guards = self.all().filter_map(|protected| {
            let path = fold(&protected.path);
            if forms.iter().any(|form| is_within(form, &path)) {
                return Some(protected.protection.guard());
            }
            let above = unpacks && forms.iter().any(|form| is_within(&path, form));
            above.then(|| protected.protection.asks())
        });
        strictest(guards)
    }

    fn all(&self) -> impl Iterator<Item = &ProtectedPath> {
        self.own.iter().chain(&self.agents)
    }

    fn guard_of(&self, path: &NamedPath, writes: bool, situation: &Situation<'_>, last: bool) -> Option<Guard> {
        let same_file = path.protected.filter(|protection| writes || *protection == Protection::Secret);
        let found = path.forms().flat_map(|form| {
            let setting = (writes && is_agent_setting(form)).then_some(Protection::Agent.guard());
            let listed =
                self.all().filter_map(move |protected| self.guard_by(protected, form, writes, situation, last));
            listed.chain(setting)
        });
        strictest(found.chain(same_file.map(Protection::guard)))
    }

    fn guard_by(
        &self,
        protected: &ProtectedPath,
        form: &str,
        writes: bool,
        situation: &Situation<'_>,
        last: bool,
    ) -> Option<Guard> {
        let (form, path) = (fold(form), fold(&protected.path));
        if protected.protection == Protection::Secret {
            // Reading one of our own folders whole reads the tokens in it.
            let in_own = || self.own.iter().any(|own| is_within(&form, &fold(&own.path)));
            let reads = is_within(&form, &path) || (is_within(&path, &form) && !lists(situation) && in_own());
            if reads {
                return Some(protected.protection.guard());
            }
        }
        if !writes {
            return None;
        }
        if is_within(&form, &path) {
            return Some(protected.protection.guard());
        }
        is_within(&path, &form).then(|| above(situation, protected.protection, last)).flatten()
    }

    /// A glob of the shell that may find a protected file, or a folder with one in it.
    fn guard_below(&self, folder: &NamedPath, component: &str, writes: bool) -> Option<Guard> {
        let finds = |protected: &ProtectedPath| {
            let path = fold(&protected.path);
            folder.forms().any(|form| {
                let form = fold(form);
                let next = components(&path).nth(components(&form).count());
                let above = is_within(&path, &form) && next.is_some_and(|next| may_find(&fold(component), next));
                above || is_within(&form, &path)
            })
        };
        let counts = |protected: &&ProtectedPath| writes || protected.protection == Protection::Secret;
        strictest(self.all().filter(counts).filter(|path| finds(path)).map(|path| path.protection.guard()))
    }

    /// Where paths cannot be told, the text is searched for the protected ones.
    fn guard_of_text(&self, situation: &Situation<'_>) -> Option<Guard> {
        let request = situation.call.request;
        let home = request.home.as_deref();
        let Texts { whole, pieces } = texts(situation);
        let counts = |protected: &&ProtectedPath| situation.may_write() || protected.protection == Protection::Secret;
        let plain_whole: Vec<PlainText> = whole.iter().map(|text| PlainText::new(text)).collect();
        let plain_pieces: Vec<(PlainText, Names)> =
            pieces.iter().map(|(text, names)| (PlainText::new(text), *names)).collect();
        // A word alone may be meant in a folder that the rest of the line names.
        let needs_line = pieces.iter().any(|(_, names)| *names != Names::No);
        let line = request.command.as_ref().filter(|_| needs_line && whole.is_empty());
        let around = line.map(|line| PlainText::new(&line.text));
        let around = around.as_ref().or(plain_whole.first());
        let mentioned = |protected: &ProtectedPath| {
            if plain_whole.iter().any(|text| mentions_path(text, &protected.path, home)) {
                return Some(protected.protection.guard());
            }
            // In a script, a message, a pattern: it may or may not be what the program opens.
            let in_piece = |text: &PlainText| mentions_path(text, &protected.path, home);
            let asks =
                plain_pieces.iter().any(|(text, names)| in_piece(text) || names.tells(text, &protected.path, around));
            asks.then(|| protected.protection.asks())
        };
        let setting =
            |(text, names): &(PlainText, Names)| *names == Names::Count && super::settings::mentions_setting(text);
        let setting = situation.may_write() && plain_pieces.iter().any(setting);
        let listed = self.all().filter(counts).filter_map(mentioned);
        let in_whole = whole.iter().filter_map(|text| self.guard_of_mentioned(text, situation));
        let in_pieces = pieces.iter().filter_map(|(text, _)| self.guard_of_mentioned(text, situation));
        let in_pieces = in_pieces.map(|guard| guard.protection.asks());
        strictest(listed.chain(setting.then(|| Protection::Agent.asks())).chain(in_whole).chain(in_pieces))
    }

    /// A word of a text that is another name of a protected file: a link to it, say.
    fn guard_of_mentioned(&self, text: &str, situation: &Situation<'_>) -> Option<Guard> {
        let request = situation.call.request;
        let found = loose_paths(text).into_iter().filter_map(|text| request.paths.get(&text)).flat_map(|resolved| {
            let listed = self.all().filter(|protected| is_within(&fold(&resolved.path), &fold(&protected.path)));
            listed.map(|protected| protected.protection).chain(resolved.protected)
        });
        let counts = |protection: &Protection| match protection {
            // The last one is about calls, not about files.
            Protection::Credential | Protection::Decision => false,
            Protection::Secret => true,
            Protection::Own | Protection::Agent => situation.may_write(),
        };
        strictest(found.filter(counts).map(Protection::guard))
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
    fn tells(self, text: &PlainText, path: &str, around: Option<&PlainText>) -> bool {
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
            let pieces = part.words.iter().skip(1).map(|word| (word.text.as_str(), names(word)));
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

/// Without case, since some file systems do not tell it apart.
fn fold(path: &str) -> String {
    path.to_lowercase()
}
