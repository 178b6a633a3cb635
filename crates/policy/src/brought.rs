//! What the parts of a command line bring, of which nobody knew when the disk was looked at.
//!
//! The disk is looked at once, before the line runs. `git switch topic && cat a` shows the `a` of `topic`, which may be a link
//! to a key; `… && git -C b status` runs what a repository `b` there says. So behind a part that brings files, nothing counts
//! that was found where they may lie.
//!
//! The line is drawn at git in the project's own top folder: there it finds `.git` before anything else, and no branch, patch
//! or stash holds a file called so. `git switch x && git status` asks nobody, unless the settings there name files of the branch.
//! In a folder below, a branch may bring a repository of its own, by the name of `HEAD`.

use crate::path::{CredentialReader, WordPath, in_last, read_paths, word_paths, working_folder};
use crate::project_code::{
    ProjectAnswer, ProjectQuestion, ProjectSubject, git_words, is_own_program_file, is_project_file, leaves_files,
    project_questions_of, reads_files_of_branches,
};
use crate::risk::classify_part;
use crate::{Request, RiskLevel};
use handraise_display::line;
use handraise_shell::path::{components, is_within, lexical};
use handraise_shell::{
    ChangesElsewhere, ChangesHere, Fact, Input, NamedChanges, Part, Word, WordKind, changes, has_fact,
};

/// Commands of git that bring files into a folder of their own.
const ELSEWHERE: &str = "clone worktree submodule";
/// Files of a repository that say what git runs: gitrepository-layout(5).
const FILES_OF_GIT: &str = "HEAD config config.worktree commondir";
/// Folders of one, and the repository of a folder with working files. Without `objects` and `refs` a folder is none.
const FOLDERS_OF_GIT: &str = ".git hooks modules objects refs";
/// Longest name in a sentence, in characters.
const MAX_NAME: usize = 60;

/// What one part brings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Brought {
    /// Files, absolute, with a content that nobody has looked at.
    files: Vec<String>,
    /// Paths where other files, folders and links may lie then, below them too.
    trees: Vec<String>,
    /// Files of any name.
    anything: Option<Anywhere>,
    /// It talks to another machine, so that it would fail inside walls.
    talks: bool,
}

/// Where files of any name may lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Anywhere {
    /// Below the project, by git, which writes no `.git`.
    InTheProject,
    /// In other folders, too, by git.
    ByGit,
    /// Everywhere: an archive may hold a `.git/config`.
    Everywhere,
}

/// What the parts in front of one bring.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Earlier<'a> {
    request: &'a Request,
    brought: &'a [Brought],
}

/// What `part` of `request` brings.
pub(crate) fn brought(request: &Request, part: &Part) -> Brought {
    let mut brought = Brought::default();
    let written = part.writes.iter().flat_map(|word| word_paths(part, word)).filter_map(WordPath::into_text);
    brought.files.extend(written.flat_map(|text| places(request, &text)));
    let only_looks = classify_part(&part.without_writes()).level == RiskLevel::ReadOnly;
    let changes = changes(part, only_looks);
    brought.talks = changes.elsewhere != ChangesElsewhere::Nothing;
    match changes.here {
        ChangesHere::Nothing | ChangesHere::Machine => {}
        ChangesHere::Named(named) => brought.add_named(request, part, &named),
        ChangesHere::Repository { .. } | ChangesHere::Unknown => brought.anything = anything(request, part),
    }
    brought
}

impl Brought {
    fn add_named(&mut self, request: &Request, part: &Part, named: &NamedChanges) {
        let program = part.program().unwrap_or_default();
        if has_fact(program, Fact::TakesAway) && !named.brings_links {
            return;
        }
        let words = named.words.iter().filter(|word| !word.text.starts_with('-') || word.text.contains(['/', '=']));
        let texts: Vec<String> =
            words.flat_map(|word| word_paths(part, word)).filter_map(WordPath::into_text).collect();
        // An empty folder holds nothing that counts. It counts itself where it makes the folder above a repository.
        if program == "mkdir" {
            let is_of_git = |path: &String| components(path).any(|name| listed(FOLDERS_OF_GIT, name));
            self.files.extend(texts.iter().flat_map(|text| places(request, text)).filter(is_of_git));
            return;
        }
        // mv(1): the name of a file that is no link leads nowhere under another name either.
        let moves_files = !named.follows_links && texts.iter().all(|text| is_plain_file(request, text));
        let inside = in_last(part, named);
        // git-worktree(1), `add`: the files of a branch.
        let is_checkout = program == "git";
        let is_tree = is_checkout || named.brings_links && !moves_files || inside.is_none();
        let all = texts.iter().chain(inside.iter().flatten()).flat_map(|text| places(request, text));
        if is_tree { self.trees.extend(all) } else { self.files.extend(all) }
    }
}

/// Whether `text` is a file that is called so, or nothing.
fn is_plain_file(request: &Request, text: &str) -> bool {
    let given = lexical(text, request.cwd.as_deref(), request.home.as_deref());
    request.paths.get(text).is_some_and(|fact| !fact.is_folder && Some(&fact.path) == given.as_ref())
}

/// Where `part` brings files whose names its words do not say: a branch, an archive, what another machine has. A build or a
/// program that nobody knows may as well: but it is asked about itself, or walls hold all of the line.
fn anything(request: &Request, part: &Part) -> Option<Anywhere> {
    let is = |program: &str| has_fact(program, Fact::Unpacks) || has_fact(program, Fact::Carries);
    if part.programs().any(is) {
        return Some(Anywhere::Everywhere);
    }
    if !part.programs().any(|program| program == "git") {
        return None;
    }
    let settled = part.settled();
    let part = settled.as_ref().unwrap_or(part);
    let Some((command, rest)) = git_words(part) else { return Some(Anywhere::ByGit) };
    if leaves_files(command, rest) {
        return None;
    }
    let is_here = working_folder(part).is_some_and(|folder| {
        let project = request.project.as_deref();
        request.paths.get(&folder).is_some_and(|fact| project.is_some_and(|project| is_within(&fact.path, project)))
    });
    let is_own = is_here && part.assignments.is_empty() && !listed(ELSEWHERE, command);
    Some(if is_own { Anywhere::InTheProject } else { Anywhere::ByGit })
}

impl<'a> Earlier<'a> {
    pub(crate) fn new(request: &'a Request, brought: &'a [Brought]) -> Self {
        Self { request, brought }
    }

    /// Whether a part in front talks to another machine, which nothing does inside walls.
    pub(crate) fn talks(&self) -> bool {
        self.brought.iter().any(|brought| brought.talks)
    }

    fn anything(&self) -> Option<Anywhere> {
        self.brought.iter().filter_map(|brought| brought.anything).max()
    }

    /// Why `part` relies on files that may be others by the time at which it runs, as a clause.
    pub(crate) fn clause_for(&self, part: &Part) -> Option<String> {
        self.is_something().then(|| self.leads_elsewhere(part)).flatten()
    }

    /// The same of a redirection to or from `word`.
    pub(crate) fn clause_for_word(&self, part: &Part, word: &Word) -> Option<String> {
        let leads = self.is_something() && self.word_leads_elsewhere(part, word);
        leads.then(|| format!("where `{}` leads", line(&word.text, MAX_NAME)))
    }

    /// Why what the project makes `part` run may be something else by then, as a clause.
    pub(crate) fn code_clause_for(&self, part: &Part) -> Option<String> {
        let is_brought = self.is_something()
            && project_questions_of(part).iter().any(|question| self.may_answer_otherwise(question));
        let program = part.program().unwrap_or_default();
        is_brought.then(|| format!("what the project makes `{}` run", line(program, MAX_NAME)))
    }

    fn is_something(&self) -> bool {
        self.brought
            .iter()
            .any(|brought| brought.anything.is_some() || !brought.files.is_empty() || !brought.trees.is_empty())
    }

    fn leads_elsewhere(&self, part: &Part) -> Option<String> {
        let parts = self.request.command.as_ref().map(|line| line.parts.as_slice()).unwrap_or_default();
        let program = part.program().unwrap_or_default();
        // It follows no link that a repository holds.
        if program == "git" && self.is_in_top_folder(part) && !part.words.iter().any(|word| word.text == "--no-index") {
            return None;
        }
        let only_looks = classify_part(&part.without_writes()).level == RiskLevel::ReadOnly;
        let mut words: Vec<Word> = Vec::new();
        let mut folders: Vec<String> = Vec::new();
        let mut names_all = only_looks;
        if let ChangesHere::Named(named) = changes(part, only_looks).here {
            words.extend(named.words);
            names_all = true;
        }
        // What any other program reads is not judged by its words: `npm run build` names no file.
        if let Some(reader) = CredentialReader::of(part, parts).filter(|_| names_all) {
            words.extend(reader.read_words().iter().cloned());
            // The folder that it runs in already is no other one.
            let is_here = |folder: &String| part.folders.is_empty() && folder == ".";
            folders.extend(reader.folders().into_iter().map(|taken| taken.folder).filter(|folder| !is_here(folder)));
            if reader.is_fed() && matches!(part.input, Input::Piped) {
                return self
                    .anything()
                    .is_some()
                    .then(|| format!("which files `{}` is given", line(program, MAX_NAME)));
            }
        }
        let values = numbers_of_options(part);
        let counts = |word: &&Word| !values.contains(&word.text.as_str());
        let word = words.iter().filter(counts).find(|word| self.word_leads_elsewhere(part, word));
        let folder = || folders.iter().find(|folder| self.may_lead_elsewhere(folder)).map(String::as_str);
        let found = word.map(|word| word.text.as_str()).or_else(folder)?;
        Some(format!("where `{}` leads", line(found, MAX_NAME)))
    }

    /// Whether `part` runs in the top folder of the project, which is a repository.
    fn is_in_top_folder(&self, part: &Part) -> bool {
        project_questions_of(part).iter().any(|question| self.is_own_repository(question))
    }

    fn word_leads_elsewhere(&self, part: &Part, word: &Word) -> bool {
        // Of an option only what can hold a path.
        let is_plain = word.text.starts_with('-') && !word.text.contains(['/', '=']);
        !is_plain
            && read_paths(part, word).into_iter().any(|path| match path {
                WordPath::Named(text) | WordPath::Below { folder: text, .. } => self.may_lead_elsewhere(&text),
                WordPath::Unknown => word.kind == WordKind::Varies && self.anything().is_some(),
            })
    }

    /// Whether what `text` names may lie elsewhere by then.
    fn may_lead_elsewhere(&self, text: &str) -> bool {
        let places = places(self.request, text);
        let is_within_any =
            |folders: &[String]| places.iter().any(|place| folders.iter().any(|folder| is_within(place, folder)));
        let is_in_project =
            || self.request.project.as_ref().is_none_or(|project| is_within_any(std::slice::from_ref(project)));
        match self.anything() {
            Some(Anywhere::Everywhere | Anywhere::ByGit) => true,
            Some(Anywhere::InTheProject) if is_in_project() => true,
            _ => self.brought.iter().any(|brought| is_within_any(&brought.trees)),
        }
    }

    /// Whether git runs in the project's own top folder, where it finds `.git` before anything else.
    fn is_own_repository(&self, question: &ProjectQuestion) -> bool {
        let Some(project) = self.request.project.as_deref() else { return false };
        let is_own = matches!(self.request.project_code.get(question), Some(ProjectAnswer::Looked(found))
            if found.repository.as_deref() == Some(project) && !reads_files_of_branches(found));
        question.about == ProjectSubject::Git
            && is_own
            && self.anything() != Some(Anywhere::Everywhere)
            && places(self.request, &question.folder).iter().all(|place| place == project)
    }

    /// Whether the answer to `question` may be another one by then.
    fn may_answer_otherwise(&self, question: &ProjectQuestion) -> bool {
        if self.is_own_repository(question) {
            return false;
        }
        if self.anything().is_some() {
            return true;
        }
        let is_missing = self.request.paths.get(&question.folder).is_none_or(|fact| fact.is_missing);
        let folders = places(self.request, &question.folder);
        let counts = |path: &str, is_tree: bool| {
            folders.iter().any(|folder| {
                is_missing && is_within(path, folder)
                    || is_tree && is_within(folder, path)
                    || may_count(&question.about, folder, path, is_tree)
            })
        };
        self.brought.iter().any(|brought| {
            brought.files.iter().any(|path| counts(path, false)) || brought.trees.iter().any(|path| counts(path, true))
        })
    }
}

/// Whether what is written at `path` may be one of the files that a program in `folder` looks at, or lie in one.
fn may_count(about: &ProjectSubject, folder: &str, path: &str, is_tree: bool) -> bool {
    let (folder, path): (Vec<&str>, Vec<&str>) = (components(folder).collect(), components(path).collect());
    let shared = folder.iter().zip(&path).take_while(|(one, other)| one == other).count();
    // Each folder above is looked at, too.
    (0..=shared).any(|depth| {
        let below = path.get(depth..).unwrap_or_default();
        match about {
            ProjectSubject::Git => match below {
                [file] if listed(FILES_OF_GIT, file) => true,
                [first, ..] => listed(FOLDERS_OF_GIT, first),
                [] => false,
            },
            ProjectSubject::OwnProgram(name) => is_own_program_file(name, below, is_tree),
            ProjectSubject::Files(name) => is_project_file(name, below, depth == folder.len(), is_tree),
        }
    })
}

/// The numbers that stand behind an option, as in `head -n 5`.
fn numbers_of_options(part: &Part) -> Vec<&str> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let pairs = part.words.windows(2).filter_map(|two| match two {
        [option, value] if option.text.starts_with('-') && is_number(&value.text) => Some(value.text.as_str()),
        _ => None,
    });
    pairs.collect()
}

/// Where `text` leads as far as is known, and what its letters say.
fn places(request: &Request, text: &str) -> Vec<String> {
    let given = lexical(text, request.cwd.as_deref(), request.home.as_deref());
    let resolved = request.paths.get(text).map(|fact| fact.path.clone());
    let mut places: Vec<String> = resolved.into_iter().chain(given).collect();
    places.dedup();
    places
}

fn listed(list: &str, name: &str) -> bool {
    list.split_ascii_whitespace().any(|entry| entry == name)
}
