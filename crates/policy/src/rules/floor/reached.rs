//! What a command writes where only a `cd`, the call's own folder or a link leads: `cd /etc && sed -i s/a/b/ passwd`,
//! `tar cf link/a.tar .`. Its words look as if they were of the project.
//!
//! A program that runs in a folder outside and names no file there may do what its code does, as everywhere.

use super::place::{GuardedTarget, is_program, place};
use super::{clause, operands, resolved};
use crate::Request;
use crate::path::{WordPath, in_last, loose_paths, mounted_paths, read_paths, working_folder};
use handraise_shell::path::{components, lexical};
use handraise_shell::risk::{handed_on, writing_texts};
use handraise_shell::{
    ChangesHere, Fact, Part, Word, changes, file_use, has_fact, is_listed, names_tasks, only_reads, runs_project,
    runs_scripts, script_operand,
};

/// Sub-commands of git that make or change files of the folder that they run in, beside those whose entry says so.
const MAKING: &[&str] = &["am", "apply", "bisect", "clone", "format-patch", "init", "rebase", "submodule"];
/// Sub-commands of git that change no file and no branch of the folder that they run in.
const ONLY_REMOTE: &[&str] = &["fetch", "push"];
/// Options by which a program changes the files that it is given, and `.` is one.
const IN_PLACE: &[&str] = &["-i", "--in-place", "--inplace", "-w", "--write", "--fix"];

/// What counts of what is reached.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reached {
    /// Whatever lies outside.
    All,
    /// What looks as if it lay in the project: a link leads out of it.
    ByLink,
}

/// Where `part` writes what only its folder, or a link, leads to, as a clause.
pub(super) fn of_reached(request: &Request, part: &Part, by: Reached) -> Option<String> {
    part.program().filter(|program| !only_reads(program))?;
    let settled = part.settled();
    let reach = Reach { request, part: settled.as_ref().unwrap_or(part), by };
    let found = reach.changed().or_else(|| reach.named()).or_else(|| reach.said());
    found.map(|(place, path)| clause(place, &path))
}

/// A folder that `part` makes in git's own, as a clause: git goes by the names there, as of `rebase-merge`.
pub(super) fn made_for_git(request: &Request, part: &Part) -> Option<String> {
    let ChangesHere::Named(named) = changes(part, false).here else { return None };
    let makes = part.program().is_some_and(|program| has_fact(program, Fact::LeavesFolders));
    let words = named.words.iter().filter(|_| makes).flat_map(|word| read_paths(part, word));
    let mut paths = words.filter_map(WordPath::into_text).filter_map(|text| resolved(request, &text));
    let of_git = |path: &String| components(path).any(|name| name.eq_ignore_ascii_case(".git"));
    paths.find(of_git).map(|path| clause(GuardedTarget::Later, &path))
}

/// A command, and what counts of what it reaches.
struct Reach<'a> {
    request: &'a Request,
    part: &'a Part,
    by: Reached,
}

/// Where something lies, and its path.
type Found = (GuardedTarget, String);

impl Reach<'_> {
    /// Where the path written as `text` leads, unless that is the project.
    fn at(&self, text: &str) -> Option<Found> {
        let path = resolved(self.request, text).filter(|_| !text.contains("://"))?;
        let place = place(&path, self.request)?;
        (self.by == Reached::All || self.is_link(text)).then_some((place, path))
    }

    /// Whether `text` names something in the project by its letters.
    fn is_link(&self, text: &str) -> bool {
        let given = lexical(text, self.request.cwd.as_deref(), self.request.home.as_deref());
        given.is_some_and(|given| place(&given, self.request).is_none())
    }

    /// Where the folder lies that it runs in.
    fn folder(&self) -> Option<Found> {
        let text = working_folder(self.part)?;
        let plain = text.strip_suffix("/.").filter(|plain| !plain.is_empty()).unwrap_or(&text);
        let known = [text.as_str(), plain].into_iter().find(|text| self.request.paths.get(text).is_some());
        self.at(known.unwrap_or(plain))
    }

    fn program(&self) -> &str {
        let program = self.part.program().unwrap_or_default();
        program.rsplit('/').next().unwrap_or(program)
    }

    /// What its entry says that it changes.
    fn changed(&self) -> Option<Found> {
        let part = self.part;
        let command = part.words.iter().skip(1).map(|word| word.text.as_str()).find(|word| !word.starts_with('-'));
        let is_one_of =
            |list: &[&str]| self.program() == "git" && command.is_some_and(|command| list.contains(&command));
        match changes(part, false).here {
            ChangesHere::Repository { .. } if self.by == Reached::All && is_one_of(ONLY_REMOTE) => None,
            ChangesHere::Repository { .. } => self.folder(),
            ChangesHere::Named(named) => {
                let is_copy = file_use(self.program()).last_is_destination;
                let words = named.words.iter().filter(|_| !is_copy).flat_map(|word| read_paths(part, word));
                let inside = in_last(part, &named).unwrap_or_default();
                words.filter_map(WordPath::into_text).chain(inside).find_map(|text| self.at(&text))
            }
            _ if is_one_of(MAKING) => self.folder(),
            _ => None,
        }
    }

    /// What its words name.
    fn named(&self) -> Option<Found> {
        let part = self.part;
        let command = part.words.get(1).map(|word| word.text.as_str()).unwrap_or_default();
        if file_use(self.program()).unchanged_by.split_ascii_whitespace().any(|unchanged| unchanged == command) {
            return None;
        }
        // What it runs is judged by nobody.
        let script = script_operand(&part.words).filter(|_| runs_scripts(self.program()));
        let script = script.and_then(|at| part.words.get(at));
        let words = operands(part).into_iter().filter(|word| !script.is_some_and(|script| std::ptr::eq(script, *word)));
        let is_text =
            |word: &Word| word.text.contains("://") || word.text.contains([' ', '\n', '\t', '"', '\'', '(', '{']);
        words.filter(|word| !is_text(word)).find_map(|word| {
            let paths = read_paths(part, word).into_iter().chain(mounted_paths(part, word));
            paths.filter_map(WordPath::into_text).find_map(|text| {
                // What is written out as absolute is looked at as it is.
                let is_spelled = text.starts_with(['/', '~']) && word.text.contains(&text);
                let (place, path) = self.at(&text).filter(|(_, path)| !is_spelled && !is_program(path))?;
                self.names_file(word, &text, place).then_some((place, path))
            })
        })
    }

    /// Whether `word`, which leads to `place` as `text`, is the name of a file there, rather than of a task, a host, a number.
    fn names_file(&self, word: &Word, text: &str, place: GuardedTarget) -> bool {
        let program = self.program();
        let tail = word.text.rsplit(['=', ':']).next().unwrap_or(&word.text);
        if matches!(tail, "" | "." | "./") {
            return self.part.words.iter().any(|word| IN_PLACE.contains(&word.text.as_str()));
        }
        let fact = self.request.paths.get(text);
        let is_there = fact.is_some_and(|fact| !fact.is_missing);
        let in_folder = tail.contains('/') && fact.is_some_and(|fact| fact.missing_from.as_ref() == Some(&fact.path));
        let is_shaped = tail.contains('/') || extension(tail).is_some();
        let is_link = self.is_link(text);
        // `.venv/bin/python`: as an operand it is run or looked at.
        let is_command = ["/bin/", "/.bin/"].iter().any(|folder| tail.contains(folder));
        if is_link && is_command && is_there && place == GuardedTarget::Outside {
            return false;
        }
        match () {
            () if is_link => is_shaped || !names_tasks(program) && is_there,
            () if names_tasks(program) => is_shaped && (is_there || in_folder),
            () if !is_listed(program) || runs_scripts(program) || runs_project(&self.part.words) => {
                in_folder || is_there && (is_shaped || fact.is_some_and(|fact| !fact.is_folder))
            }
            () if is_there || in_folder => true,
            () if place == GuardedTarget::Outside => {
                let is_far =
                    [Fact::WorksOutside, Fact::LooksUpNames, Fact::Carries].map(|fact| has_fact(program, fact));
                extension(tail).is_some() && !is_far.contains(&true)
            }
            () => !tail.starts_with('-') && tail.contains(|sign: char| !sign.is_ascii_digit()),
        }
    }

    /// What a text among its words says to write: a script of sed or awk.
    fn said(&self) -> Option<Found> {
        let handed = handed_on(self.part);
        let mut texts = writing_texts(self.part).into_iter().chain(handed.iter().map(String::as_str)).peekable();
        texts.peek()?;
        self.folder().or_else(|| {
            let named = texts.flat_map(loose_paths).filter(|text| self.is_link(text));
            named.filter_map(|text| self.at(&text)).find(|(_, path)| !is_program(path))
        })
    }
}

/// `txt` of `a.txt`: letters and digits behind the last full stop, a letter first.
fn extension(text: &str) -> Option<&str> {
    let (name, extension) = text.rsplit('/').next().unwrap_or(text).rsplit_once('.')?;
    let is_plain = extension.starts_with(|sign: char| sign.is_ascii_alphabetic())
        && extension.chars().all(|sign| sign.is_ascii_alphanumeric());
    (is_plain && !name.is_empty()).then_some(extension)
}
