//! What one simple command changes, and where, as far as the entry of its program tells.

use crate::command_line::{Part, Word, WordKind};
use crate::operand_effects::{only_reads, refuses_behind};
use crate::programs;
use crate::programs::fact::Fact;
use crate::programs::lands::Lands;
use crate::programs::name::base_name;
use crate::risk::{publishes, talks_out};

/// What a command changes, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changes {
    /// On this machine, redirections apart.
    pub here: ChangesHere,
    /// On another one.
    pub elsewhere: ChangesElsewhere,
}

/// What a command changes on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangesHere {
    /// Nothing: it only looks.
    Nothing,
    /// What these words name, and nothing else.
    Named(NamedChanges),
    /// The repository of the folder that it runs in.
    Repository {
        /// The repository keeps what was there.
        is_kept: bool,
    },
    /// Something that lies in no project.
    Machine,
    /// Nobody can tell.
    Unknown,
}

/// What words name that a command changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedChanges {
    /// The words; each may hold several paths, as `-tfolder` does. More rather than less.
    pub words: Vec<Word>,
    /// A link that a word names is followed to what it leads to.
    pub follows_links: bool,
    /// Content, permission bits and links are all that it changes.
    pub only_contents: bool,
    /// What it changes in the last of the words, should that be a folder, under these names; `None`: that cannot be told.
    pub into_folder: Option<Vec<String>>,
    /// It may bring links to where there were none, so that what later commands name may lie anywhere.
    pub brings_links: bool,
}

/// What a command does to another machine. Ordered: more is greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangesElsewhere {
    /// It talks to none, as far as is known.
    Nothing,
    /// It talks to one: it asks, or fetches something.
    Asks,
    /// It changes something there, or sends something.
    Changes,
}

/// What `part` changes, its redirections apart. `only_looks`: it is known to change nothing here. What is not known to
/// change less may change anything.
#[must_use]
pub fn changes(part: &Part, only_looks: bool) -> Changes {
    let elsewhere = match () {
        () if !only_looks && publishes(part) => ChangesElsewhere::Changes,
        () if talks_out(part) => ChangesElsewhere::Asks,
        () => ChangesElsewhere::Nothing,
    };
    let here = if only_looks { ChangesHere::Nothing } else { here(part) };
    Changes { here, elsewhere }
}

fn here(part: &Part) -> ChangesHere {
    let settled = part.settled();
    let part = settled.as_ref().unwrap_or(part);
    let Some((program, (name, rest))) = part.words.first().zip(plain_call(part)) else { return ChangesHere::Unknown };
    // What it prints may be a secret, and still it changes nothing.
    if only_reads(name) {
        return ChangesHere::Nothing;
    }
    let entry = programs::of(name);
    if rest.iter().any(|word| names_option(entry.running, &word.text)) {
        return ChangesHere::Unknown;
    }
    let rows = entry.lands.iter().filter(|(path, _)| starts_with(rest, path));
    rows.map(|(path, lands)| row(program, rest, path, *lands))
        .find(|here| *here != ChangesHere::Unknown)
        .unwrap_or(ChangesHere::Unknown)
}

/// The name of the program that `part` runs, and the words behind it, where it is what it looks like: found by its name,
/// and with nothing around it that makes it do something else.
pub(crate) fn plain_call(part: &Part) -> Option<(&str, &[Word])> {
    let transparent = |wrapper: &String| {
        let known = programs::of(base_name(wrapper));
        known.is(Fact::Transparent) && !known.is(Fact::Fed)
    };
    let (program, rest) = part.words.split_first()?;
    let name = program.text.strip_prefix("/usr/bin/").or_else(|| program.text.strip_prefix("/bin/"));
    let name = name.unwrap_or(&program.text);
    if !part.wrappers.iter().all(transparent)
        || !part.assignments.is_empty()
        || program.kind != WordKind::Exact
        || name.contains('/')
    {
        return None;
    }
    let skipped = rest.iter().take_while(|word| ["--no-pager", "-P", "--no-optional-locks"].contains(&&*word.text));
    let skipped = if name == "git" { skipped.count() } else { 0 };
    Some((name, rest.get(skipped..)?))
}

/// What a call that a row of the table is about changes; [`ChangesHere::Unknown`]: the row does not tell.
fn row(program: &Word, rest: &[Word], path: &str, lands: Lands) -> ChangesHere {
    let steps = path.split_ascii_whitespace().count();
    let words = rest.get(steps..).unwrap_or_default();
    let named = |follows_links, only_contents| NamedChanges {
        words: words.to_vec(),
        follows_links,
        only_contents,
        into_folder: Some(Vec::new()),
        brings_links: false,
    };
    match lands {
        Lands::Files => ChangesHere::Named(named(true, true)),
        Lands::Rights => ChangesHere::Named(named(true, false)),
        Lands::Names => ChangesHere::Named(named(false, true)),
        Lands::Moves => ChangesHere::Named(NamedChanges { brings_links: true, ..named(false, true) }),
        Lands::Links => ChangesHere::Named(NamedChanges { brings_links: true, ..named(true, true) }),
        Lands::Destination => ChangesHere::Named(destination(words, named(true, true))),
        Lands::EditedFiles => match edited_files(program, rest) {
            Some(words) => ChangesHere::Named(NamedChanges { words, ..named(false, true) }),
            None => ChangesHere::Unknown,
        },
        Lands::History if refuses_behind(program, rest, steps) => ChangesHere::Unknown,
        Lands::History => ChangesHere::Repository { is_kept: true },
        // `interactive.diffFilter` and the editor are programs.
        Lands::Repository
            if rest.iter().any(|word| names_option("-p --patch -i --interactive -e --edit", &word.text)) =>
        {
            ChangesHere::Unknown
        }
        Lands::Repository => ChangesHere::Repository { is_kept: false },
        Lands::Machine => ChangesHere::Machine,
    }
}

/// Whether `word` is the option of cp(1), mv(1), ln(1) and install(1) that says into which folder: `-t`, `-vt`,
/// `-vtfolder`, `--target-directory`, or the beginning of that name.
#[must_use]
pub fn names_target_folder(word: &str) -> bool {
    match word.strip_prefix("--") {
        Some(long) => long.starts_with('t'),
        None => word.starts_with('-') && word.contains('t'),
    }
}

/// cp(1), install(1): what is copied keeps its name in a folder.
fn destination(rest: &[Word], named: NamedChanges) -> NamedChanges {
    // A tree may hold links, and may be copied over one that does.
    let is_tree = |word: &Word| {
        let text = word.text.as_str();
        let letters = text.strip_prefix('-').filter(|letters| !letters.starts_with('-'));
        letters.is_some_and(|letters| letters.contains(['r', 'R', 'a', 'd', 'P', 's', 'l', 'D']))
            || ["--r", "--a", "--no-d", "--d", "--pa", "--s", "--l"].iter().any(|start| text.starts_with(start))
    };
    let is_tree = rest.iter().any(is_tree);
    let is_by_option = rest.iter().any(|word| names_target_folder(&word.text));
    let (options, operands): (Vec<Word>, Vec<Word>) = rest.iter().cloned().partition(|word| is_option(&word.text));
    match operands.split_last() {
        Some((last, others)) if !is_tree && !is_by_option => {
            let name = |word: &Word| word.text.trim_end_matches('/').rsplit('/').next().unwrap_or_default().to_owned();
            let is_told = others.iter().all(|word| word.kind != WordKind::Varies);
            let into_folder = is_told.then(|| others.iter().map(name).collect());
            NamedChanges { words: options.into_iter().chain([last.clone()]).collect(), into_folder, ..named }
        }
        _ => NamedChanges { brings_links: is_tree, into_folder: None, ..named },
    }
}

/// The files that `sed -i` edits; `None`: its script or an option may do more.
fn edited_files(program: &Word, rest: &[Word]) -> Option<Vec<Word>> {
    let is_in_place =
        |text: &str| text == "-i" || text == "--in-place" || (text.starts_with("-i.") && !text.contains('/'));
    let at = rest.iter().position(|word| is_in_place(&word.text))?;
    // `-i ''` of BSD and macOS, which means no suffix. GNU sed takes the empty word for its script, which edits nothing.
    let is_suffix = |index: usize, word: &Word| {
        let bare = rest.get(at).is_some_and(|option| option.text == "-i");
        bare && index == at + 1 && word.kind == WordKind::Exact && word.text.is_empty()
    };
    let others = rest.iter().enumerate().filter(|(index, word)| !is_in_place(&word.text) && !is_suffix(*index, word));
    let script: Vec<Word> = others.map(|(_, word)| word.clone()).collect();
    if refuses_behind(program, &script, 0) {
        return None;
    }
    let is_expression = |text: &str| text == "-e" || text == "--expression";
    let by_option = script.iter().any(|word| is_expression(&word.text) || word.text.starts_with("--expression="));
    let mut files = Vec::new();
    let mut skips = !by_option;
    for word in &script {
        if is_expression(&word.text) {
            skips = true;
        } else if !is_option(&word.text) && !std::mem::take(&mut skips) {
            files.push(word.clone());
        }
    }
    Some(files)
}

/// Whether `words` begin with the sub-commands of `path`; `add|stage` is one of two.
pub(crate) fn starts_with(words: &[Word], path: &str) -> bool {
    let mut words = words.iter();
    path.split_ascii_whitespace().all(|step| {
        words.next().is_some_and(|word| word.kind == WordKind::Exact && step.split('|').any(|name| word.text == name))
    })
}

fn is_option(word: &str) -> bool {
    word.len() > 1 && word.starts_with('-')
}

/// Whether `word` gives one of the options `listed`, perhaps with its value or abbreviated.
fn names_option(listed: &str, word: &str) -> bool {
    let name = word.split('=').next().unwrap_or(word);
    let abbreviates = |option: &str| name.len() > 2 && option.starts_with("--") && option.starts_with(name);
    is_option(word) && listed.split_ascii_whitespace().any(|option| word.starts_with(option) || abbreviates(option))
}
