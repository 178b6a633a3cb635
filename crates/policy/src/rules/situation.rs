//! What the conditions of rules are held against: one call, and one part of it at a time.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use jiff::Timestamp;

use crate::brought::{Brought, Earlier, brought};
use crate::canonical::canonical_json;
use crate::effect::{CommandContext, brings_links, of_call, of_command, of_target};
use crate::path::Protection;
use crate::path::{
    WordPath, call_turns_back, loose_paths, named_from_project, part_paths, part_turns_back, seen_from_project,
    word_paths, word_turns_back, working_folder,
};
use crate::risk::{Classification, classify_together};
use crate::rules::part_kind::PartKind;
use crate::rules::plain_text::PlainText;
use crate::temporary_files::may_be_made;
use crate::{AssessedRisk, Effect, Request, ResolvedPath, Risk, RiskLevel, ToolClass};
use handraise_shell::path::lexical;
use handraise_shell::{Access, CommandLine, CommandPattern, MayRun, Part, Word, WordKind, Wording};

/// Longest argument text that a glob is tried on, in bytes. A longer one does not match a rule that
/// allows, and does match one that asks or denies.
pub(super) const MAX_ARGUMENTS: usize = 64 * 1024;

/// What all parts of one call have in common.
pub(super) struct Call<'a> {
    pub(super) request: &'a Request,
    pub(super) now: Timestamp,
    /// The agent's name counts. A name that is only claimed counts in one of two looks at the call.
    pub(super) agent_counts: bool,
    full_name: Option<String>,
    arguments: OnceCell<Option<String>>,
    together: OnceCell<Option<Classification>>,
    links_from: OnceCell<usize>,
    brought: OnceCell<Vec<Brought>>,
    plain: RefCell<HashMap<&'a str, Rc<PlainText>>>,
    loose_paths: RefCell<HashMap<&'a str, Rc<[String]>>>,
    mentioned: RefCell<HashMap<&'a str, Rc<[Protection]>>>,
    may_run: RefCell<HashMap<Wording<'a>, Rc<MayRun<'a>>>>,
}

/// What the disk says about a part that may be otherwise once the parts in front of it have run.
pub(super) struct Outdated {
    /// What, as a clause.
    pub(super) clause: String,
    /// It is what the project makes it run.
    pub(super) is_code: bool,
    /// A part in front would fail inside walls.
    pub(super) talks: bool,
}

/// What is judged by itself.
#[derive(Clone, Copy)]
pub(super) enum Target<'a> {
    /// The call of a tool that is no shell.
    Call,
    /// One simple command.
    Command(&'a Part),
    /// A file that a redirection of a simple command writes.
    Write(&'a Part, &'a Word),
    /// A file that a redirection of a simple command reads.
    Read(&'a Part, &'a Word),
    /// A command line that was not understood. `None`: not even its text is known.
    Line(Option<&'a CommandLine>),
}

/// One part of a call, with what is known about it.
pub(super) struct Situation<'a> {
    pub(super) call: &'a Call<'a>,
    pub(super) target: Target<'a>,
    pub(super) risk: Risk,
    /// Why that risk, in one sentence.
    pub(super) risk_sentence: String,
    pub(super) paths: TargetPaths,
    /// What the project makes it run, as a clause.
    pub(super) project_code: Option<String>,
    /// The simple command without the files that it writes, which are parts of their own, and seen from the
    /// project.
    bare: OnceCell<Part>,
    /// The same, written in other ways.
    rewritten: OnceCell<Vec<Part>>,
    may_run: OnceCell<Option<Rc<MayRun<'a>>>>,
}

impl Situation<'_> {
    /// Position of the simple command that this is about among those of the command line.
    pub(super) fn command(&self) -> Option<usize> {
        let (Target::Command(own) | Target::Write(own, _) | Target::Read(own, _)) = self.target else { return None };
        let parts = &self.call.request.command.as_ref()?.parts;
        parts.iter().position(|part| std::ptr::eq(part, own))
    }
}

/// The paths that a target names.
#[derive(Debug, Default)]
pub(super) struct TargetPaths {
    pub(super) named: Vec<NamedPath>,
    /// Folders with a glob on one component in them.
    pub(super) below: Vec<(NamedPath, String)>,
    /// There may be others.
    pub(super) unknown: bool,
    /// The folder in which it runs.
    pub(super) folder: Option<NamedPath>,
}

/// One path.
#[derive(Clone, Debug)]
pub(super) struct NamedPath {
    /// Made absolute by its letters alone.
    pub(super) given: Option<String>,
    /// Where the file system says that it leads.
    pub(super) resolved: Option<String>,
    /// The same file as a protected one.
    pub(super) protected: Option<Protection>,
    /// It holds credentials, by its name or that of a link; `None`: nobody has looked.
    pub(super) is_credential: Option<bool>,
    /// Nothing is there that a file written there would take the place of.
    pub(super) is_new: bool,
}

impl<'a> Call<'a> {
    pub(super) fn new(request: &'a Request, now: Timestamp, agent_counts: bool) -> Self {
        let server = request.server.as_deref().and_then(plain_server);
        let full_name = server.map(|server| format!("mcp__{server}__{}", request.tool));
        Self {
            request,
            now,
            agent_counts,
            full_name,
            arguments: OnceCell::new(),
            together: OnceCell::new(),
            links_from: OnceCell::new(),
            brought: OnceCell::new(),
            plain: RefCell::default(),
            loose_paths: RefCell::default(),
            mentioned: RefCell::default(),
            may_run: RefCell::default(),
        }
    }

    /// The name of an MCP server's tool as the agents spell it.
    pub(super) fn full_name(&self) -> Option<&str> {
        self.full_name.as_deref()
    }

    /// What the simple commands do together that none of them does alone.
    pub(super) fn together(&self) -> Option<&Classification> {
        let line = || self.request.command.as_ref();
        self.together.get_or_init(|| classify_together(&line()?.parts)).as_ref()
    }

    /// Whether a command in front of `own` may have brought links to where nobody has seen any.
    fn may_link_before(&self, own: &Part) -> bool {
        let parts = || self.request.command.iter().flat_map(|line| &line.parts);
        let links = |part: &Part| !changes_only_folder(part) && brings_links(part);
        let from = self.links_from.get_or_init(|| parts().position(links).unwrap_or(usize::MAX));
        parts().position(|part| std::ptr::eq(part, own)).is_none_or(|position| position > *from)
    }

    /// What the parts in front of `own` bring.
    fn earlier(&self, own: &Part) -> Earlier<'_> {
        let parts = self.request.command.as_ref().map(|line| line.parts.as_slice()).unwrap_or_default();
        let all = self.brought.get_or_init(|| parts.iter().map(|part| brought(self.request, part)).collect());
        let position = parts.iter().position(|part| std::ptr::eq(part, own)).unwrap_or(parts.len());
        Earlier::new(self.request, all.get(..position).unwrap_or_default())
    }

    /// A text of the call as protected paths are searched for in it. Many parts ask for the same.
    pub(super) fn plain(&self, text: &'a str) -> Rc<PlainText> {
        Rc::clone(self.plain.borrow_mut().entry(text).or_insert_with(|| Rc::new(PlainText::new(text))))
    }

    /// The words of a text of the call that may be paths, likewise.
    pub(super) fn loose_paths(&self, text: &'a str) -> Rc<[String]> {
        Rc::clone(self.loose_paths.borrow_mut().entry(text).or_insert_with(|| loose_paths(text).into()))
    }

    /// What the paths that a text of the call mentions are protected as, likewise: `protected` tells it of one that was
    /// looked up.
    pub(super) fn mentioned<Found: IntoIterator<Item = Protection>>(
        &self,
        text: &'a str,
        protected: impl Fn(&'a ResolvedPath) -> Found,
    ) -> Rc<[Protection]> {
        if let Some(known) = self.mentioned.borrow().get(text) {
            return Rc::clone(known);
        }
        let words = self.loose_paths(text);
        let paths = words.iter().filter_map(|word| self.request.paths.get(word));
        let found: Rc<[Protection]> = paths.flat_map(protected).collect();
        self.mentioned.borrow_mut().insert(text, Rc::clone(&found));
        found
    }

    /// What `part` may run, likewise: behind a `cd` that may fail a command is a part for each folder.
    pub(super) fn may_run(&self, part: &'a Part) -> Rc<MayRun<'a>> {
        let mut known = self.may_run.borrow_mut();
        Rc::clone(known.entry(part.wording()).or_insert_with(|| Rc::new(MayRun::of_part(part))))
    }

    /// The RFC 8785 text of the arguments, unless it is too long.
    pub(super) fn arguments(&self) -> Option<&str> {
        let text = || canonical_json(&self.request.arguments).ok().filter(|text| text.len() <= MAX_ARGUMENTS);
        self.arguments.get_or_init(text).as_deref()
    }

    fn path(&self, text: &str) -> NamedPath {
        let request = self.request;
        let fact = request.paths.get(text);
        NamedPath {
            given: lexical(text, request.cwd.as_deref(), request.home.as_deref()),
            resolved: fact.map(|fact| fact.path.clone()),
            protected: fact.and_then(|fact| fact.protected),
            is_credential: fact.map(|fact| fact.is_credential),
            is_new: fact.is_some_and(|fact| match fact.is_missing {
                true => may_be_made(fact, request),
                false => fact.is_folder || fact.is_made_by_session,
            }),
        }
    }
}

/// A server name that can be joined with a tool name so that nothing else reads the same.
fn plain_server(server: &str) -> Option<&str> {
    let ambiguous = server.contains("__") || server.starts_with('_') || server.ends_with('_');
    (!ambiguous).then_some(server)
}

impl NamedPath {
    /// Every absolute form of it that is known.
    pub(super) fn forms(&self) -> impl Iterator<Item = &str> {
        self.resolved.as_deref().into_iter().chain(self.given.as_deref())
    }
}

impl<'a> Situation<'a> {
    pub(super) fn new(
        call: &'a Call<'a>,
        target: Target<'a>,
        assessed: AssessedRisk,
        project_code: Option<String>,
    ) -> Self {
        let risk_sentence = assessed.sentence();
        let paths = target.paths(call);
        let (bare, rewritten, may_run) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
        Self { call, target, risk: assessed.risk, risk_sentence, paths, project_code, bare, rewritten, may_run }
    }

    pub(super) fn kind(&self) -> PartKind {
        match self.target {
            Target::Call => PartKind::Call,
            Target::Command(_) => PartKind::Command,
            Target::Write(..) => PartKind::Write,
            Target::Read(..) => PartKind::Read,
            Target::Line(_) => PartKind::Line,
        }
    }

    /// The command line has no other part that does something.
    pub(super) fn is_alone(&self) -> bool {
        let parts = self.call.request.command.iter().flat_map(|line| &line.parts);
        parts.filter(|part| !changes_only_folder(part)).count() == 0
    }

    /// It is a command line, or a part of one.
    pub(super) fn is_shell(&self) -> bool {
        !matches!(self.target, Target::Call)
    }

    /// What it changes, and where; `server_trusted`: what the server of its tool says is believed.
    pub(super) fn effect(&self, server_trusted: bool) -> Effect {
        let request = self.call.request;
        match self.target {
            Target::Call => of_call(request, self.risk.level, server_trusted),
            Target::Read(..) => Effect::NOTHING,
            Target::Command(part) if changes_only_folder(part) => Effect::NOTHING,
            Target::Command(part) => {
                let (level, runs_code) = (self.risk.level, self.project_code.is_some());
                let behind_links = self.call.may_link_before(part);
                of_command(request, part, CommandContext { level, runs_code, behind_links })
            }
            Target::Write(part, word) => of_target(request, part, word, self.call.may_link_before(part)),
            Target::Line(_) => Effect::UNKNOWN,
        }
    }

    /// Whether it goes through a path that may lead elsewhere by the time that it runs.
    pub(super) fn turns_back(&self) -> bool {
        let request = self.call.request;
        match self.target {
            Target::Call => call_turns_back(request),
            // What goes to a folder goes by its name.
            Target::Command(part) => !changes_only_folder(part) && part_turns_back(request, part),
            Target::Write(part, word) | Target::Read(part, word) => word_turns_back(request, part, word),
            // Asked about for its own sake, or let pass with all else.
            Target::Line(_) => false,
        }
    }

    /// What it relies on that a part of the line in front of it may bring anew.
    pub(super) fn outdated(&self) -> Option<Outdated> {
        let (Target::Command(part) | Target::Write(part, _) | Target::Read(part, _)) = self.target else { return None };
        let earlier = self.call.earlier(part);
        let found = |clause, is_code| Outdated { clause, is_code, talks: earlier.talks() };
        match self.target {
            Target::Command(part) if changes_only_folder(part) => None,
            Target::Command(part) => {
                let path = earlier.clause_for(part).map(|clause| found(clause, false));
                path.or_else(|| earlier.code_clause_for(part).map(|clause| found(clause, true)))
            }
            Target::Write(part, word) | Target::Read(part, word) => {
                earlier.clause_for_word(part, word).map(|clause| found(clause, false))
            }
            Target::Call | Target::Line(_) => None,
        }
    }

    /// What a person reads for it.
    pub(super) fn text(&self) -> String {
        let request = self.call.request;
        match self.target {
            Target::Call => request.title(),
            Target::Command(part) if part.text.is_empty() => {
                let words: Vec<&str> = part.words.iter().map(|word| word.text.as_str()).collect();
                words.join(" ")
            }
            Target::Command(part) => part.text.clone(),
            Target::Write(_, word) | Target::Read(_, word) => word.text.clone(),
            Target::Line(Some(line)) => line.text.clone(),
            Target::Line(None) => request.title(),
        }
    }

    /// The simple command without the files that it writes, seen from the project.
    pub(super) fn bare(&self, part: &Part) -> &Part {
        let request = self.call.request;
        self.bare.get_or_init(|| Part { writes: Vec::new(), ..seen_from_project(request, part).into_owned() })
    }

    /// What it may run; `None`: it is no command, or not even its text is known.
    pub(super) fn may_run(&self) -> Option<&MayRun<'a>> {
        let may_run = || match self.target {
            Target::Command(part) => Some(self.call.may_run(part)),
            Target::Line(line) => Some(Rc::new(MayRun::of_line(line?))),
            Target::Call | Target::Write(..) | Target::Read(..) => None,
        };
        self.may_run.get_or_init(may_run).as_deref()
    }

    /// Whether `pattern` covers `part`, in one of the ways in which the same can be written.
    pub(super) fn is_covered(&self, pattern: &CommandPattern, part: &Part) -> bool {
        pattern.covers(self.bare(part)) || self.rewritten(part).iter().any(|part| pattern.covers(part))
    }

    /// `git -C DIR` as `cd DIR`, and paths in the project as seen from there.
    fn rewritten(&self, part: &Part) -> &[Part] {
        let request = self.call.request;
        self.rewritten.get_or_init(|| {
            let bare = self.bare(part);
            let settled = bare.settled().map(|settled| seen_from_project(request, &settled).into_owned());
            let from_project = [Some(bare), settled.as_ref()].into_iter().flatten();
            let from_project: Vec<Part> = from_project.filter_map(|part| named_from_project(request, part)).collect();
            settled.into_iter().chain(from_project).collect()
        })
    }

    /// Whether it counts as a call of a tool of `class`, in a rule with a condition on paths
    /// (`by_path`) that tightens: a command may read every file that it names, and write them too
    /// unless it is known only to read.
    pub(super) fn is_of_class(&self, class: ToolClass, tightens_by_path: bool) -> bool {
        let own = self.call.request.class;
        match (self.target, class) {
            (Target::Call, _) => own == class,
            (_, ToolClass::Shell) => true,
            (Target::Write(..), ToolClass::FileWrite) | (Target::Read(..), ToolClass::FileRead) => true,
            (Target::Command(_) | Target::Line(_), ToolClass::FileRead) => tightens_by_path,
            (Target::Command(_) | Target::Line(_), ToolClass::FileWrite) => tightens_by_path && self.may_write(),
            _ => false,
        }
    }

    /// Whether it can change the files that it names.
    pub(super) fn may_write(&self) -> bool {
        let read_only = self.risk.level == RiskLevel::ReadOnly;
        match self.target {
            Target::Write(..) => true,
            Target::Read(..) => false,
            Target::Line(_) => !read_only,
            // A reader of secrets has a level above reading, and writes nothing all the same.
            Target::Command(part) => match self.risk.level {
                RiskLevel::ReadOnly => false,
                RiskLevel::Write => self.bare(part).paths().iter().any(|path| path.access == Access::Write),
                RiskLevel::Destructive => true,
            },
            Target::Call => match self.call.request.class {
                ToolClass::FileWrite | ToolClass::Shell => true,
                ToolClass::FileRead => false,
                ToolClass::Network | ToolClass::Mcp | ToolClass::Other => !read_only,
            },
        }
    }
}

impl Target<'_> {
    fn paths(self, call: &Call<'_>) -> TargetPaths {
        let mut paths = TargetPaths::default();
        match self {
            Self::Call => {
                paths.named = call.request.named_paths().iter().map(|text| call.path(text)).collect();
                // A tool that writes files without naming them where it can be seen: a patch, say.
                paths.unknown = paths.named.is_empty() && call.request.class == ToolClass::FileWrite;
            }
            Self::Command(part) => {
                paths.add(call, part_paths(part));
                paths.folder = working_folder(part).map(|text| call.path(&text));
            }
            Self::Write(part, word) | Self::Read(part, word) => paths.add(call, word_paths(part, word)),
            Self::Line(line) => {
                for part in line.into_iter().flat_map(|line| &line.parts) {
                    let redirections = part.writes.iter().chain(&part.reads).flat_map(|word| word_paths(part, word));
                    paths.add(call, part_paths(part).into_iter().chain(redirections));
                }
                paths.unknown = true;
            }
        }
        paths
    }
}

/// Files that swallow everything, whose loss nobody feels.
const NOWHERE: &[&str] = &["/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr"];

impl TargetPaths {
    fn add(&mut self, call: &Call<'_>, paths: impl IntoIterator<Item = WordPath>) {
        for path in paths {
            match path {
                WordPath::Named(text) if NOWHERE.contains(&text.as_str()) => {}
                WordPath::Named(text) => self.named.push(call.path(&text)),
                WordPath::Below { folder, component, .. } => self.below.push((call.path(&folder), component)),
                WordPath::Unknown => self.unknown = true,
            }
        }
    }
}

/// Whether `part` does nothing but go to a folder that is written out. What follows is judged with
/// that folder in mind, so that it needs no rule of its own beside other commands.
pub(super) fn changes_only_folder(part: &Part) -> bool {
    let words: Vec<&str> = part.words.iter().map(|word| word.text.as_str()).collect();
    let written_out = part.words.iter().all(|word| word.kind != WordKind::Varies);
    let alone = part.assignments.is_empty() && part.wrappers.is_empty() && part.writes.is_empty();
    matches!(words.as_slice(), ["cd", folder] if !folder.starts_with('-')) && written_out && alone
}

/// Whether a redirection to `word` changes nothing.
pub(super) fn goes_nowhere(part: &Part, word: &Word) -> bool {
    part.path(word).is_some_and(|path| NOWHERE.contains(&path.as_str()))
}
