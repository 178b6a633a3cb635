//! What is asked about where no rule of a person says otherwise, whatever the preset: writing outside of the project,
//! what acts later, the rights of others, the machine, and what cannot be undone.
//!
//! It stands in front of the preset's rules, so that a rule lets it pass. What is known only by a program's own code, as a
//! script or a build, is none of it.

mod later;
mod place;
mod reached;
mod written_script;

use std::cell::LazyCell;
use std::collections::HashSet;

use super::situation::{NamedPath, Situation, Target, changes_only_folder, goes_nowhere};
use crate::path::{WordPath, loose_paths, option_values, part_paths, read_paths};
use crate::{Request, RiskLevel, ToolClass};
use handraise_shell::path::{is_within, lexical};
use handraise_shell::risk::{
    Hazard, classify_part, classify_together, handed_on, hazard, hazard_among, may_run_text, writing_texts,
};
use handraise_shell::{
    CommandLine, Fact, Input, MayRun, Obstacle, Part, Word, WordKind, file_use, has_fact, names_target_folder,
    names_written, only_reads, only_writes, script_operand,
};
use place::{GuardedTarget, is_of_machine, is_program, place};
use reached::{Reached, made_for_git, of_reached};

/// Why a person is asked about `situation` unless a rule says otherwise, as a sentence; `None`: for no such reason.
pub(super) fn floor<'a>(situation: &Situation<'a>) -> Option<String> {
    let request = situation.call.request;
    let because = match situation.target {
        Target::Read(..) | Target::Line(None) => None,
        Target::Line(Some(line)) => {
            let spawns = || spawns_itself(&line.text).then(|| "it starts itself again and again".to_owned());
            let other_home = || {
                let is_other = line.obstacle == Some(Obstacle::OtherHome);
                is_other.then(|| "it sets `HOME`, so that nobody can tell which files `~` names".to_owned())
            };
            of_redirections(request, &line.text).or_else(other_home).or_else(spawns)
        }
        Target::Call => of_call(situation),
        Target::Write(part, word) => {
            let hazard = hazard(part, &situation.call.may_run(part))
                .filter(|hazard| matches!(hazard, Hazard::Traces(_) | Hazard::Connection));
            let hazard = hazard.map(|hazard| hazard.clause());
            hazard.or_else(|| named(&situation.paths.named, request)).or_else(|| untold(request, [word]))
        }
        Target::Command(part) if changes_only_folder(part) => None,
        Target::Command(part) => of_command(situation, part),
    };
    because.map(|because| format!("A person is asked, because {because}."))
}

/// A tool that writes files; of another one what it names is not known to be written, so that only places count which
/// nobody's work is about.
fn of_call(situation: &Situation<'_>) -> Option<String> {
    let request = situation.call.request;
    if !situation.may_write() {
        return None;
    }
    let is_writer = request.class == ToolClass::FileWrite;
    let found = situation.paths.named.iter().find_map(|path| told(path, request));
    found.filter(|(place, _)| is_writer || *place != GuardedTarget::Outside).map(|(place, path)| clause(place, &path))
}

fn of_command<'a>(situation: &Situation<'a>, part: &'a Part) -> Option<String> {
    let request = situation.call.request;
    let line = request.command.as_ref();
    // What an alias makes of a program that looks is among what it is told to run.
    let is_alias = || !part.told.is_empty() && line.is_some_and(|line| line.text.contains("alias"));
    let looks = situation.risk.level == RiskLevel::ReadOnly && !is_alias();
    let parts = line.map(|line| line.parts.as_slice()).unwrap_or_default();
    let found = hazard(part, &situation.call.may_run(part)).or_else(|| hazard_among(part, parts));
    let hazard = found.filter(|hazard| !looks || matches!(hazard, Hazard::SearchesCredentials(_)));
    if looks || hazard.is_some() {
        return hazard.map(|hazard| hazard.clause());
    }
    let opens = || opens(request, part).then(|| "it goes on reading what it is to do".to_owned());
    let destroys = situation.risk.level == RiskLevel::Destructive;
    of_part(request, part).or_else(|| written_script::of_script(request, part)).or_else(opens).or_else(|| {
        let destroys = destroys && !is_contained(request, part);
        destroys.then(|| situation.risk_sentence.trim_end_matches('.').to_owned())
    })
}

/// What `part` does that shows in its words, beside hazards.
fn of_part(request: &Request, part: &Part) -> Option<String> {
    if is_untold(part) {
        return Some("nobody can tell which program it runs".to_owned());
    }
    if let Some(setting) = later::git_setting(part) {
        return Some(setting);
    }
    let written = written(part);
    let outside = written.iter().find_map(|word| of_word(request, part, word));
    let outside = outside.map(|(place, path)| clause(place, &path));
    outside
        .or_else(|| of_options(request, part))
        .or_else(|| of_variables(request, part))
        .or_else(|| {
            // `awk -v F="$HOME/x" '…'`: of the letters of a value enough is known.
            let values = || written.iter().find_map(|word| written_by(request, &word.text));
            if writing_texts(part).is_empty() { None } else { values() }
        })
        .or_else(|| of_named_by_others(request, part))
        .or_else(|| of_reached(request, part, Reached::All))
        .or_else(|| untold(request, written.iter().copied()))
        .or_else(|| in_text(request, part))
        .or_else(|| handed_on(part).iter().find_map(|text| written_by(request, text)))
        .or_else(|| part.told.iter().find_map(|line| told_line(request, line)))
}

/// What a line does that a command is told to run, as if it stood alone.
fn told_line(request: &Request, line: &CommandLine) -> Option<String> {
    if matches!(line.obstacle, Some(Obstacle::TooLong(_))) {
        return Some("it is told to run a line that is too long to be looked at".to_owned());
    }
    let redirected = line.obstacle.as_ref().and_then(|_| of_redirections(request, &line.text));
    let together = || classify_together(&line.parts).map(|together| together.because);
    redirected.or_else(together).or_else(|| line.parts.iter().find_map(|part| told_part(request, part, &line.parts)))
}

fn told_part(request: &Request, part: &Part, parts: &[Part]) -> Option<String> {
    let found = classify_part(part);
    if found.level == RiskLevel::ReadOnly || changes_only_folder(part) {
        return None;
    }
    let hazard = hazard(part, &MayRun::of_part(part)).or_else(|| hazard_among(part, parts));
    let targets = || part.writes.iter().filter(|word| !goes_nowhere(part, word));
    let redirected = || {
        let paths = targets().flat_map(|word| read_paths(part, word)).filter_map(WordPath::into_text);
        let mut paths = paths.filter_map(|text| resolved(request, &text));
        paths.find_map(|path| place(&path, request).map(|place| clause(place, &path)))
    };
    hazard
        .map(|hazard| hazard.clause())
        .or_else(redirected)
        .or_else(|| untold(request, targets()))
        .or_else(|| of_part(request, part))
        .or_else(|| (found.level == RiskLevel::Destructive && !is_contained(request, part)).then_some(found.because))
}

/// Files that another command finds or prints for `part`, which writes its operands: `find /opt -exec touch {} +`,
/// `find /opt | xargs touch`, `echo /opt/x | xargs touch`.
fn of_named_by_others(request: &Request, part: &Part) -> Option<String> {
    let name = part.program().map(|program| program.rsplit('/').next().unwrap_or(program))?;
    let in_place = |word: &Word| word.text.starts_with("-i") || word.text.starts_with("--in-place");
    let edits = has_fact(name, Fact::RunsText) && part.words.iter().any(in_place);
    let copies = file_use(name).last_is_destination && name != "mv";
    if !(only_writes(name) && !copies || edits) {
        return None;
    }
    let is_fed = part.wrappers.iter().any(|wrapper| has_fact(wrapper, Fact::Fed));
    let printed = part.given.iter().filter(|_| is_fed).find_map(|text| written_by(request, text));
    printed.or_else(|| {
        let found = part.layers.iter().map(|layer| layer.words.as_slice());
        let fed = producers(request, part).filter(|_| is_fed).map(|producer| producer.words.as_slice());
        found.chain(fed).find_map(|words| folder_searched(request, part, words))
    })
}

/// The commands in front of `part` in its pipeline.
fn producers<'a>(request: &'a Request, part: &Part) -> impl Iterator<Item = &'a Part> {
    let parts = request.command.as_ref().map(|line| line.parts.as_slice()).unwrap_or_default();
    let at = parts.iter().position(|other| std::ptr::eq(other, part)).unwrap_or_default();
    let before = parts.get(..at).unwrap_or_default();
    let first = before.iter().rposition(|other| other.input != Input::Piped).unwrap_or_default();
    before.get(first..).unwrap_or_default().iter()
}

/// Where a command of `words` looks for files, as far as it matters, as a clause.
fn folder_searched(request: &Request, part: &Part, words: &[Word]) -> Option<String> {
    let (program, operands) = words.split_first()?;
    if !has_fact(&program.text, Fact::FindsFiles) {
        return None;
    }
    let folders = operands.iter().take_while(|word| !word.text.starts_with(['-', '(', '!']));
    folders.flat_map(|word| read_paths(part, word)).filter_map(WordPath::into_text).find_map(|text| {
        let path = resolved(request, &text)?;
        place(&path, request).map(|place| clause(place, &path))
    })
}

/// A file or folder that a variable says to write: `GIT_DIR=/x`; or what such a text writes that the program of `part` runs.
fn of_variables(request: &Request, part: &Part) -> Option<String> {
    let writes = !writing_texts(part).is_empty();
    part.assignments.iter().find_map(|setting| {
        let (name, value) = setting.split_once('=')?;
        let path = resolved(request, value).filter(|_| names_written(name) || writes && value.contains('/'))?;
        let counts = names_written(name) && value.contains('/') || is_of_machine(&path);
        // git's own folder in the project is where it writes otherwise, too.
        let is_own = |place: &GuardedTarget| *place == GuardedTarget::Later && in_project(request, &path);
        place(&path, request).filter(|place| counts && !is_own(place)).map(|place| clause(place, &path))
    })
}

fn in_project(request: &Request, path: &str) -> bool {
    request.project.as_deref().is_some_and(|project| is_within(path, project))
}

/// Whether only a variable or another command tells the name of the program that `part` runs: `$C x`, `$(echo sudo) x`.
fn is_untold(part: &Part) -> bool {
    let varies = |word: &&Word| word.kind == WordKind::Varies;
    let name = part.words.first().filter(varies).map(|word| word.text.rsplit('/').next().unwrap_or(&word.text));
    name.is_some_and(|name| name.contains(['$', '`', '{', '*', '?', '[']))
}

/// Whether `part` is an editor, a pager or an interpreter that reads what it is to do.
fn opens(request: &Request, part: &Part) -> bool {
    let Some(program) = part.program().map(|program| program.rsplit('/').next().unwrap_or(program)) else {
        return false;
    };
    let opened = request.command.as_ref().and_then(CommandLine::interactive_program);
    let is_bare = part.words.len() == 1;
    // What it runs may be what reads: `python3 manage.py shell`.
    let base = |word: &Word| word.text.rsplit('/').next().unwrap_or(&word.text).to_owned();
    opened.is_some_and(|opened| opened == program || part.words.iter().any(|word| base(word) == opened))
        && (is_bare || !has_fact(program, Fact::TypedByOthers))
}

/// Whether all that `part` removes or overwrites is named, and lies below the project or where only drafts are.
fn is_contained(request: &Request, part: &Part) -> bool {
    let program = part.program().unwrap_or_default();
    let inside = |path: WordPath| match path {
        WordPath::Named(text) | WordPath::Below { folder: text, .. } => {
            let path = resolved(request, &text);
            path.is_some_and(|path| {
                place(&path, request).is_none() && request.project.as_deref() != Some(path.as_str())
            })
        }
        WordPath::Unknown => false,
    };
    let paths = part_paths(part);
    only_writes(program) && !has_fact(program, Fact::ForGood) && !paths.is_empty() && paths.into_iter().all(inside)
}

/// The words of `part` that may name what it writes, and look like it: a text of several words is a message or a script,
/// and a plain word may be anything.
fn written(part: &Part) -> Vec<&Word> {
    let writes = part.program().is_some_and(only_writes);
    let is_path = |word: &&Word| {
        let text = word.text.as_str();
        writes || text.contains(['/', '~', '$']) && !text.contains([' ', '\n', '\t', '"', '\'', '(', '{'])
    };
    // Of these only the words are among them that may be written.
    let name = part.program().map(|program| program.rsplit('/').next().unwrap_or(program)).unwrap_or_default();
    let is_chosen = file_use(name).last_is_destination || has_fact(name, Fact::FindsFiles);
    operands(part).into_iter().filter(|word| is_chosen || is_path(word)).collect()
}

/// The words of `part` that may name what it writes: not the sources of a copy, nor a pattern or a script in front.
fn operands(part: &Part) -> Vec<&Word> {
    let Some((program, words)) = part.words.split_first() else { return Vec::new() };
    let name = program.text.rsplit('/').next().unwrap_or(&program.text);
    let used = file_use(name);
    if used.last_is_destination && name != "mv" {
        // install(1), `-d`: every operand is a folder that it makes.
        let makes = |word: &Word| {
            let letters = word.text.strip_prefix('-').filter(|letters| !letters.starts_with('-'));
            word.text.starts_with("--d") || letters.is_some_and(|letters| letters.contains('d'))
        };
        if name == "install" && words.iter().any(makes) {
            return words.iter().collect();
        }
        // rsync(1), scp(1): `-t` is something else.
        let has_target = !has_fact(name, Fact::NamesHosts);
        let target = words.iter().position(|word| has_target && names_target_folder(&word.text));
        return match target {
            Some(at) => words.iter().skip(at).take(2).collect(),
            None => words.last().into_iter().collect(),
        };
    }
    let first = script_operand(&part.words).and_then(|at| at.checked_sub(1)).filter(|_| used.first_is_pattern);
    if only_reads(name) {
        return Vec::new();
    }
    // find(1) names folders only to look into them, unless it is told to write.
    if has_fact(name, Fact::FindsFiles) {
        let is_written =
            |word: &&Word| ["-fprint", "-fprint0", "-fprintf", "-fls", "-delete"].contains(&word.text.as_str());
        return if words.iter().any(|word| is_written(&word)) { words.iter().collect() } else { Vec::new() };
    }
    let key = used.logs_in_with.and_then(|(option, _)| words.iter().position(|word| word.text == option));
    let counts = |(index, _): &(usize, &Word)| Some(*index) != first && key.is_none_or(|key| key + 1 != *index);
    words.iter().enumerate().filter(counts).map(|(_, word)| word).collect()
}

/// Where the system's files lie, or what acts later, or where a link leads out of the project, that the command `part` of
/// `situation` may write although a preset's rule lets it pass, as a clause: `git worktree add ~/.local/bin`.
pub(super) fn guarded(situation: &Situation<'_>, part: &Part) -> Option<String> {
    let request = situation.call.request;
    let looks = situation.risk.level == RiskLevel::ReadOnly;
    let found = written(part).into_iter().find_map(|word| of_word(request, part, word));
    let found = found.filter(|(place, _)| *place != GuardedTarget::Outside).map(|(place, path)| clause(place, &path));
    let reached = found.or_else(|| of_reached(request, part, Reached::ByLink).filter(|_| !looks));
    reached.or_else(|| made_for_git(request, part))
}

fn of_word(request: &Request, part: &Part, word: &Word) -> Option<(GuardedTarget, String)> {
    let writes = part.program().is_some_and(only_writes);
    let is_git = part.program().is_some_and(|program| program == "git" || program.ends_with("/git"));
    // Where a program runs says nothing about what it writes there.
    let leaves =
        |piece: &str| piece.starts_with(['/', '~', '$']) || piece.split('/').any(|component| component == "..");
    let mut pieces =
        word.text.split(['=', '@', ':', ',']).chain(word.text.get(2..).filter(|_| word.text.starts_with('-')));
    let in_repository = word.text.contains(".git/") && !is_git;
    if !writes && !in_repository && !pieces.any(leaves) {
        return None;
    }
    // `-v /:/mnt`: a folder of this machine in front of a colon.
    let handed = word.text.split_once(':').map(|(folder, _)| folder).filter(|folder| folder.starts_with(['/', '~']));
    let handed = handed.map(|folder| WordPath::Named(folder.to_owned()));
    // `type=local,dest=/x`.
    let listed = word.text.split(',').filter_map(|piece| piece.split_once('=')).map(|(_, value)| value);
    let listed = listed.filter(|value| word.text.contains(',') && leaves(value));
    let handed = handed.into_iter().chain(listed.map(|value| WordPath::Named(value.to_owned())));
    read_paths(part, word).into_iter().chain(handed).find_map(|path| {
        let (WordPath::Named(text) | WordPath::Below { folder: text, .. }) = path else { return None };
        // An address is no path, nor is what stands behind the number of a port in it.
        let is_spelled = text.starts_with(['/', '~']) && word.text.contains(&text);
        let is_address = text.contains("://") || word.text.contains("://") && !is_spelled;
        let path = resolved(request, &text).filter(|_| !is_address)?;
        // A setting of the repository is found by its own folder, also where it is no file of the machine.
        let of_repository = path.contains("/.git/") && !is_git;
        let counts = writes || of_repository || is_of_machine(&path) && !is_program(&path);
        place(&path, request).filter(|_| counts).map(|place| (place, path))
    })
}

/// A file that an option says to write, in a folder of programs too: `curl -o`, `gcc -o`.
fn of_options(request: &Request, part: &Part) -> Option<String> {
    let name = part.program().map(|program| program.rsplit('/').next().unwrap_or(program))?;
    let words: Vec<&Word> = part.words.iter().skip(1).collect();
    let values = option_values(&words, file_use(name).written);
    // `yq -s '"/opt/" + .name'`: an expression that makes the name.
    let texts = || values.iter().filter(|value| value.text.contains(['"', '\'', '(']));
    if let Some(found) = texts().find_map(|value| written_by(request, &value.text)) {
        return Some(found);
    }
    let paths = values.iter().flat_map(|value| read_paths(part, value));
    let mut paths = paths.filter_map(|path| match path {
        WordPath::Named(text) | WordPath::Below { folder: text, .. } => resolved(request, &text),
        WordPath::Unknown => None,
    });
    paths.find_map(|path| place(&path, request).map(|place| clause(place, &path)))
}

fn named(paths: &[NamedPath], request: &Request) -> Option<String> {
    paths.iter().find_map(|path| told(path, request)).map(|(place, path)| clause(place, &path))
}

/// The files that redirections may write in a line that was not understood, as its letters tell: more rather than less.
fn of_redirections(request: &Request, text: &str) -> Option<String> {
    let plain: String = text.chars().filter(|sign| !matches!(sign, '\'' | '"')).collect();
    let plain = plain.replace("${HOME}", "~").replace("$HOME", "~");
    let ends = |sign: char| sign.is_whitespace() || matches!(sign, ';' | '|' | '&' | ')' | '(' | '<' | '>' | '`' | ',');
    // Each letter is looked at a few times only: an agent chooses how many there are.
    let spoken_of = LazyCell::new(|| spoken_of(request, text));
    plain.split('>').skip(1).find_map(|behind| {
        let target = behind.trim_start_matches(['|', ' ']);
        let target = target.get(..target.find(ends).unwrap_or(target.len()))?;
        if target.contains("$HISTFILE") {
            return Some(Hazard::Traces("HISTFILE".to_owned()).clause());
        }
        if target.starts_with('$') {
            return spoken_of.clone();
        }
        let path = resolved(request, target).filter(|_| target.starts_with(['/', '~', '.']))?;
        place(&path, request).filter(|_| is_of_machine(&path)).map(|place| clause(place, &path))
    })
}

/// Whether `text` defines a function that starts itself twice: `:(){ :|:& };:`, a fork bomb.
fn spawns_itself(text: &str) -> bool {
    let plain: String = text.chars().filter(|sign| !sign.is_whitespace()).collect();
    let ends = |sign: char| matches!(sign, ';' | '&' | '|' | '{' | '}' | '(' | ')');
    let pieces: Vec<&str> = plain.split(ends).collect();
    let signs: Vec<char> = plain.chars().filter(|sign| ends(*sign)).collect();
    // `name|name&`: two pieces with these signs behind them.
    let doubled = pieces.windows(2).zip(signs.windows(2));
    let doubled = doubled.filter(|(names, signs)| **signs == ['|', '&'] && names.first() == names.last());
    let doubled: HashSet<&str> = doubled.filter_map(|(names, _)| names.first().copied()).collect();
    let defined = pieces.iter().zip(signs.windows(3)).filter(|(_, signs)| **signs == ['(', ')', '{']);
    let mut names = defined.map(|(name, _)| name.strip_prefix("function").unwrap_or(name));
    names.any(|name| !name.is_empty() && doubled.contains(name))
}

/// Where `path` lies, and the form of it that does.
fn told(path: &NamedPath, request: &Request) -> Option<(GuardedTarget, String)> {
    path.forms().find_map(|form| Some((place(form, request)?, form.to_owned())))
}

/// A file that only a variable names: a place that the line speaks of may be meant.
fn untold<'a>(request: &Request, words: impl IntoIterator<Item = &'a Word>) -> Option<String> {
    let varies = |word: &&Word| word.kind == WordKind::Varies && word.text.contains(['$', '`']);
    words.into_iter().find(varies)?;
    let line = request.command.as_ref()?;
    spoken_of(request, &line.text)
}

/// A place that a program names which the words of `part`, or its input, may hold.
fn in_text(request: &Request, part: &Part) -> Option<String> {
    if !may_run_text(part) {
        return None;
    }
    let scripts = part.words.iter().skip(1).filter(|word| word.text.contains([' ', '(', '\n', '\'', '"']));
    let texts = scripts.map(|word| word.text.as_str()).chain(part.given.iter().map(String::as_str));
    let outside = || {
        let mut texts = writing_texts(part).into_iter();
        texts.find_map(|text| written_by(request, text).or_else(|| leaves(request, text)))
    };
    texts.into_iter().find_map(|text| spoken_of(request, text)).or_else(outside)
}

/// A text that writes files, and asks its language for the home folder, or goes up by a name of its own: what it names there
/// is made of several pieces.
fn leaves(request: &Request, text: &str) -> Option<String> {
    const HOME: &[&str] = &[
        "\"HOME\"",
        "'HOME'",
        "env.HOME",
        "{HOME}",
        "homedir(",
        "home_dir(",
        "Dir.home",
        "Path.home",
        "expanduser",
        "USERPROFILE",
    ];
    const PARENT: &[&str] = &[
        "\"..\"",
        "'..'",
        "pardir",
        "cwd().parent",
        "updir",
        "dirname(os.getcwd",
        "dirname(process.cwd",
        "dirname(getcwd",
        "dirname(Dir.pwd",
    ];
    let holds = |names: &[&str]| names.iter().any(|name| text.contains(name));
    let above = || resolved(request, "..").and_then(|path| Some(clause(place(&path, request)?, &path)));
    if holds(HOME) { Some(clause(GuardedTarget::Outside, "~")) } else { above().filter(|_| holds(PARENT)) }
}

/// A place outside of the project that `text`, which writes files, speaks of.
fn written_by(request: &Request, text: &str) -> Option<String> {
    let leaves = |path: &str| path.split('/').any(|component| component == "..");
    let counts = |path: &String| path.starts_with(['/', '~']) || leaves(path) || path.contains(".git/");
    loose_paths(text).into_iter().filter(counts).find_map(|text| {
        let path = resolved(request, &text).filter(|path| path != "/" && is_of_machine(path) && !is_program(path))?;
        place(&path, request).map(|place| clause(place, &path))
    })
}

fn spoken_of(request: &Request, text: &str) -> Option<String> {
    let counts = |path: &String| path.starts_with(['/', '~']) || path.contains(".git/");
    loose_paths(text).into_iter().filter(counts).find_map(|text| {
        let path = resolved(request, &text)?;
        let place = place(&path, request).filter(|place| *place != GuardedTarget::Outside)?;
        // The root alone is a sign of division, or the start of an address.
        (path != "/").then(|| clause(place, &path))
    })
}

fn resolved(request: &Request, text: &str) -> Option<String> {
    let found = request.paths.get(text).map(|fact| fact.path.clone());
    found.or_else(|| lexical(text, request.cwd.as_deref(), request.home.as_deref()))
}

fn clause(place: GuardedTarget, path: &str) -> String {
    let path = handraise_display::line(path, MAX_PATH_LENGTH);
    match place {
        GuardedTarget::Connection => "it connects what runs here with another machine".to_owned(),
        GuardedTarget::Later => format!("it may write {path}, which is run or obeyed by itself later"),
        GuardedTarget::System => format!("it may write {path}, which is the operating system's"),
        GuardedTarget::Outside => format!("it may write {path}, outside of the project"),
    }
}

/// Longest path in a sentence, in characters; the rest is counted.
const MAX_PATH_LENGTH: usize = 200;
