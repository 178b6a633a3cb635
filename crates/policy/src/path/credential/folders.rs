//! Folders of which a command reads everything, and what it leaves out.

use super::super::{WordPath, read_paths, working_folder};
use super::programs;
use super::{CredentialReader, FolderSearch, git, is_cluster_with, path_of};
use crate::facts::HeldCredential;
use handraise_shell::path::may_match;
use handraise_shell::{Fact, Folders, Part, Upload, Word, WordKind, called_like, file_use, has_fact};

/// A folder that is read as a whole.
#[derive(Clone, Debug)]
pub(crate) struct TakenFolder<'a> {
    /// The folder, as in [`crate::path::PathCandidate`].
    pub(crate) folder: String,
    by: By<'a>,
}

/// What chooses among the files of a folder.
#[derive(Clone, Copy, Debug)]
enum By<'a> {
    /// The program that reads them.
    Program(&'a Part),
    /// The same, which reads what lies directly in the folder.
    Directly(&'a Part),
    /// `find` with these tests.
    Find(&'a [Word]),
    /// `ls` with these options: what lies directly in the folder.
    List(&'a [Word]),
    /// A container, into which it is mounted, or another program that takes it as an option's value: a program that
    /// nobody sees may read any of it, and as little as any other program of the project.
    Mount {
        /// The program itself takes in what lies directly in it.
        is_packed: bool,
    },
    /// `git`, which takes in what it does not know; ignored files, too.
    Git { ignored: bool },
}

impl<'a> CredentialReader<'a> {
    /// The folders of which everything is read.
    pub(crate) fn folders(&self) -> Vec<TakenFolder<'a>> {
        let mut taken = Vec::new();
        if self.reads_operands() {
            let found = self.part.layers.iter().filter(|layer| {
                layer.words.first().is_some_and(|program| program.text.rsplit('/').next() == Some("find"))
            });
            found.for_each(|layer| taken.extend(of_find(self.part, &layer.words)));
        }
        if self.is_fed() {
            self.before.iter().for_each(|part| taken.extend(named_by(part)));
        }
        taken.extend(self.of_mounts());
        match called_like(self.program) {
            "git" => taken.extend(self.of_git()),
            "fd" if runs(self.part) => taken.extend(here(self.part, By::Program(self.part))),
            _ if self.takes_folders() => taken.extend(self.of_operands()),
            _ => {}
        }
        taken
    }

    /// What a container gets to see, and a folder that is taken in as one.
    fn of_mounts(&self) -> Vec<TakenFolder<'a>> {
        let given = programs::folder_values(self.part, self.program);
        // `kubectl create configmap --help`: each file directly in the folder.
        let is_packed = called_like(self.program) == "kubectl";
        let paths = given.iter().flat_map(|word| read_paths(self.part, word));
        let named = paths.filter_map(|path| match path {
            WordPath::Named(folder) => Some(folder),
            _ => None,
        });
        named.map(|folder| TakenFolder { folder, by: By::Mount { is_packed } }).collect()
    }

    fn of_git(&self) -> Vec<TakenFolder<'a>> {
        let words: Vec<&Word> = self.part.words.iter().skip(1).collect();
        let Some((operands, ignored)) = git::takes_folders(&words) else { return Vec::new() };
        if operands.is_empty() {
            return here(self.part, By::Git { ignored }).into_iter().collect();
        }
        let named = operands.into_iter().filter_map(|word| path_of(self.part, word));
        named.map(|folder| TakenFolder { folder, by: By::Git { ignored } }).collect()
    }

    fn of_operands(&self) -> Vec<TakenFolder<'a>> {
        let mut taken = Vec::new();
        let mut is_value = false;
        for word in &self.words {
            let text = word.text.as_str();
            let operand = !text.starts_with('-') && !is_value && !text.chars().all(|c| c.is_ascii_digit());
            is_value = self.takes_value(text);
            let written_out = read_paths(self.part, word).into_iter().filter_map(|path| match path {
                WordPath::Named(folder) if word.kind == WordKind::Varies => Some(folder),
                _ => None,
            });
            let folders = path_of(self.part, word).into_iter().chain(written_out).filter(|_| operand);
            let by = if self.reads_directly() { By::Directly(self.part) } else { By::Program(self.part) };
            taken.extend(folders.map(|folder| TakenFolder { folder, by }));
        }
        if has_fact(self.program, Fact::SearchesFiles) && taken.is_empty() {
            taken.extend(here(self.part, By::Program(self.part)));
        }
        taken
    }

    /// Whether the next word is the value of the option `text` of a program that searches.
    fn takes_value(&self, text: &str) -> bool {
        let long = ["--regexp", "--file", "--include", "--glob", "--iglob", "--type", "--context"].contains(&text);
        let short = text.starts_with('-')
            && !text.starts_with("--")
            && text.ends_with(['e', 'f', 'g', 't', 'A', 'B', 'C', 'm']);
        file_use(self.program).first_is_pattern && (long || short)
    }

    /// Whether it sends whole folders to another machine. Sources: the manual of each.
    fn uploads(&self) -> bool {
        let operands: Vec<&str> = self
            .part
            .words
            .iter()
            .skip(1)
            .map(|word| word.text.as_str())
            .filter(|word| !word.starts_with('-'))
            .collect();
        let told = || {
            self.part.words.iter().any(|word| {
                word.text.starts_with("--rec") || is_cluster_with(&word.text, 'r') || is_cluster_with(&word.text, 'R')
            })
        };
        let has = |step: &str| operands.iter().any(|word| step.split('|').any(|name| name == *word));
        let is_called = |upload: &Upload| upload.words.split_ascii_whitespace().all(has);
        file_use(self.program).uploads.iter().any(|upload| is_called(upload) && (!upload.if_told || told()))
    }

    /// `python -m tarfile -c`, `-m zipfile -c`: the Python Standard Library, "Command-Line Interface" of each.
    fn packs_by_module(&self) -> bool {
        let words: Vec<&str> = self.part.words.iter().map(|word| word.text.as_str()).collect();
        let module = words.windows(2).any(|pair| matches!(pair, ["-m", "tarfile" | "zipfile" | "shutil"]));
        module && words.iter().any(|word| ["-c", "--create"].contains(word))
    }

    /// Whether an option makes it take whole folders.
    fn is_told_recursive(&self) -> bool {
        let recursive = |word: &str| {
            ["--recursive", "--dereference-recursive", "--archive", "--directories=recurse", "recurse"].contains(&word)
                || is_cluster_with(word, 'r')
                || is_cluster_with(word, 'R')
                || (self.program == "cp" && is_cluster_with(word, 'a'))
        };
        self.part.words.iter().skip(1).any(|word| recursive(&word.text))
    }

    /// Whether it takes of a folder only what lies directly in it.
    fn reads_directly(&self) -> bool {
        file_use(self.program).folders == Folders::Direct && !self.is_told_recursive()
    }

    /// Whether it reads what lies in the folders that its words name.
    pub(super) fn takes_folders(&self) -> bool {
        let words = || self.part.words.iter().skip(1).map(|word| word.text.as_str());
        if self.uploads() || self.packs_by_module() {
            return true;
        }
        let folders = file_use(self.program).folders;
        if folders == Folders::Not {
            return false;
        }
        if folders == Folders::IfTold {
            return self.is_told_recursive();
        }
        if called_like(self.program) == "tar" {
            let first = self.part.words.get(1).map_or("", |word| word.text.as_str());
            let cluster =
                |word: &str| word.starts_with('-') && !word.starts_with("--") && word.contains(['c', 'r', 'u']);
            let long = |word: &str| ["--create", "--append", "--update"].contains(&word);
            return (!first.starts_with('-') && first.contains(['c', 'r', 'u']))
                || words().any(|word| cluster(word) || long(word));
        }
        true
    }
}

impl TakenFolder<'_> {
    /// Whether it may read files there whose names nobody knows.
    pub(crate) fn takes_anything(&self) -> bool {
        match self.by {
            By::Find(tests) => tests.iter().all(|word| !["-name", "-iname"].contains(&word.text.as_str())),
            By::Program(part) | By::Directly(part) => {
                !part.words.iter().any(|word| word.text.starts_with("--include="))
            }
            By::List(_) | By::Git { .. } | By::Mount { .. } => true,
        }
    }

    /// Whether `held`, which lies in the folder, is among what is read.
    pub(crate) fn takes(&self, held: &HeldCredential) -> bool {
        match self.by {
            By::Git { ignored } => !held.is_tracked && (ignored || !held.is_ignored),
            By::List(words) => {
                let has = |letter| words.iter().any(|word| is_cluster_with(&word.text, letter));
                let all = has('a')
                    || has('A')
                    || words.iter().any(|word| ["--all", "--almost-all"].contains(&word.text.as_str()));
                (has('R') || !held.path.contains('/')) && (all || !held.is_hidden())
            }
            By::Find(words) => may_be_found(words, held),
            By::Mount { is_packed } => is_packed && !held.path.contains('/'),
            By::Program(part) => reads(part, held),
            By::Directly(part) => !held.path.contains('/') && reads(part, held),
        }
    }

    /// How it is searched. Links count wherever they lie, but for programs that pass them over.
    pub(super) fn search(&self) -> FolderSearch {
        let passes_over = match self.by {
            By::Git { .. } | By::Mount { .. } => true,
            By::Program(part) => has_fact(program_of(part), Fact::PassesLinksOver) && !follows(part),
            By::Directly(_) | By::Find(_) | By::List(_) => false,
        };
        match passes_over {
            true => FolderSearch::Whole,
            false => FolderSearch::Links { followed: self.is_told_to_follow() },
        }
    }

    /// Whether it was told to go wherever links lead: what nobody has looked at may be anything then.
    pub(crate) fn is_told_to_follow(&self) -> bool {
        match self.by {
            By::Program(part) => has_fact(program_of(part), Fact::PassesLinksOver) && follows(part),
            // find(1), "-L" and "-follow".
            By::Find(words) => words.iter().any(|word| ["-L", "-follow"].contains(&word.text.as_str())),
            By::Directly(_) | By::List(_) | By::Git { .. } | By::Mount { .. } => false,
        }
    }
}

fn program_of(part: &Part) -> &str {
    part.program().and_then(|program| program.rsplit('/').next()).unwrap_or_default()
}

/// Whether `part`, which searches, is told to follow links: grep(1), `-r` and `-R`; ripgrep's guide, `--follow`.
fn follows(part: &Part) -> bool {
    let letter = if program_of(part) == "rg" { 'L' } else { 'R' };
    part.words.iter().skip(1).any(|word| {
        ["-L", "--follow", "--dereference-recursive"].contains(&word.text.as_str())
            || is_cluster_with(&word.text, letter)
    })
}

/// Whether the program of `part` reads `held`, which lies in a folder that it takes.
fn reads(part: &Part, held: &HeldCredential) -> bool {
    let program = program_of(part);
    let words: Vec<&str> = part.words.iter().skip(1).map(|word| word.text.as_str()).collect();
    let left_out = values(&words, &["--exclude", "--ignore"]).any(|glob| surely_matches(glob, held.name()));
    if held.is_link && !follows(part) && has_fact(program, Fact::PassesLinksOver) {
        return false;
    }
    // `--iglob` does not heed capitals, and neither does every file system. What stands in braces is not looked at.
    let name = held.name().to_lowercase();
    let matches = |glob: &str| {
        glob.contains(['{', '\\']) || may_match(&glob.rsplit('/').next().unwrap_or(glob).to_lowercase(), &name)
    };
    let includes: Vec<&str> = values(&words, &["--include"]).collect();
    if !includes.is_empty() && !includes.iter().any(|glob| matches(glob)) || left_out && includes.is_empty() {
        return false;
    }
    if !has_fact(program, Fact::HeedsIgnoreFiles) {
        return true;
    }
    // ripgrep's guide, "Manual filtering: globs": they are stronger than ignore files, and the last that matches counts.
    let globs: Vec<&str> = values(&words, &["--glob", "--iglob", "-g"]).collect();
    if program == "rg" && !globs.is_empty() {
        for glob in globs.iter().rev() {
            match glob.strip_prefix('!') {
                Some(glob) if surely_matches(glob, held.name()) => return false,
                None if matches(glob) => return true,
                _ => {}
            }
        }
        if globs.iter().any(|glob| !glob.starts_with('!')) {
            return false;
        }
    }
    // A hidden file that is taken back is searched.
    if held.is_taken_back {
        return true;
    }
    // ripgrep's guide, "Automatic filtering": `-u` does not heed ignore files, `-uu` looks at hidden files.
    // fd(1): `-H` and `-I` for the same.
    let is_fd = program.starts_with("fd");
    let unrestricted: usize = words
        .iter()
        .filter(|word| word.starts_with('-') && !word.starts_with("--"))
        .map(|word| word.matches('u').count())
        .sum();
    let long: usize = words.iter().filter(|word| word.starts_with("--unrestricted")).count();
    // ag(1): `-u` searches all files.
    let level = (unrestricted + long) * if is_fd || program == "ag" { 2 } else { 1 };
    let has = |letter| is_fd && words.iter().any(|word| is_cluster_with(word, letter));
    let hidden =
        level > 1 || has('H') || words.iter().any(|word| *word == "--hidden" || (!is_fd && is_cluster_with(word, '.')));
    let heeds = level == 0 && !has('I') && !words.iter().any(|word| word.starts_with("--no-ignore"));
    !(held.is_hidden() && !hidden || held.is_ignored && heeds)
}

/// The values of these options as they are written: `--glob=x`, `--glob x`, `-gx`. Other than
/// [`super::operands::values_of`], it takes nothing for one in doubt.
fn values<'a>(words: &[&'a str], options: &[&str]) -> impl Iterator<Item = &'a str> {
    words.iter().enumerate().filter_map(|(index, word)| {
        options.iter().find_map(|option| {
            let rest = word.strip_prefix(option)?;
            match rest.strip_prefix('=') {
                Some(glued) if option.starts_with("--") => Some(glued),
                None if rest.is_empty() => words.get(index + 1).copied(),
                _ => (!option.starts_with("--")).then_some(rest),
            }
        })
    })
}

/// Whether every program takes `name` for what `glob` means: it has no other sign than `*`.
fn surely_matches(glob: &str, name: &str) -> bool {
    let is_plain = !glob.contains(['/', '\\', '[', ']', '{', '}', '?', '!']);
    is_plain && may_match(glob, name)
}

/// The folders whose files `part` names for the next command.
fn named_by(part: &Part) -> Vec<TakenFolder<'_>> {
    let words = part.words.get(1..).unwrap_or_default();
    let program = part.program().and_then(|program| program.rsplit('/').next()).unwrap_or_default();
    let texts = || words.iter().map(|word| word.text.as_str());
    match called_like(program) {
        "find" => of_find(part, &part.words),
        "ls" => {
            let operands =
                words.iter().filter(|word| !word.text.starts_with('-')).filter_map(|word| path_of(part, word));
            let mut taken: Vec<TakenFolder<'_>> =
                operands.map(|folder| TakenFolder { folder, by: By::List(words) }).collect();
            if taken.is_empty() {
                taken.extend(here(part, By::List(words)));
            }
            taken
        }
        "fd" => here(part, By::Program(part)).into_iter().collect(),
        "rg" if texts().any(|word| word == "--files") => here(part, By::Program(part)).into_iter().collect(),
        "git"
            if texts().any(|word| word == "ls-files")
                && texts().any(|word| word == "--others" || is_cluster_with(word, 'o')) =>
        {
            let ignored = !texts().any(|word| word == "--exclude-standard");
            here(part, By::Git { ignored }).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// The folders that `find` starts in.
fn of_find<'a>(part: &Part, words: &'a [Word]) -> Vec<TakenFolder<'a>> {
    let tests = words.get(1..).unwrap_or_default();
    let is_start = |word: &&Word| !word.text.starts_with(['-', '(', ')', '!']);
    let options = |word: &&Word| ["-H", "-L", "-P"].contains(&word.text.as_str());
    let starts: Vec<&Word> = tests.iter().skip_while(options).take_while(is_start).collect();
    if starts.is_empty() {
        return here(part, By::Find(tests)).into_iter().collect();
    }
    let folders = starts.into_iter().filter_map(|word| path_of(part, word));
    folders.map(|folder| TakenFolder { folder, by: By::Find(tests) }).collect()
}

/// find(1): whether the `-name` tests leave `held` over. Behind an "or" with anything but a name they do not count.
fn may_be_found(tests: &[Word], held: &HeldCredential) -> bool {
    let texts: Vec<&str> = tests.iter().map(|word| word.text.as_str()).collect();
    let is_name = |text: &str| ["-name", "-iname"].contains(&text);
    let finds = |pattern: &str| may_match(&pattern.to_lowercase(), &held.name().to_lowercase());
    let is_or = |text: &str| ["-o", "-or", ","].contains(&text);
    let mut named = Vec::new();
    let mut left_out = false;
    for (index, text) in texts.iter().enumerate() {
        let at = |index: Option<usize>| index.and_then(|index| texts.get(index)).copied().unwrap_or_default();
        if is_name(text) {
            let pattern = at(Some(index + 1));
            match at(index.checked_sub(1)) {
                "!" | "-not" => left_out |= surely_matches(pattern, held.name()),
                _ => named.push(finds(pattern)),
            }
        } else if is_or(text) && !(is_name(at(Some(index + 1))) && is_name(at(index.checked_sub(2)))) {
            return true;
        }
    }
    !left_out && (named.is_empty() || named.contains(&true))
}

/// `fd` with a command to run.
fn runs(part: &Part) -> bool {
    part.words.iter().any(|word| {
        ["-x", "-X", "--exec", "--exec-batch"].contains(&word.text.as_str()) || word.text.starts_with("--exec=")
    })
}

fn here<'a>(part: &Part, by: By<'a>) -> Option<TakenFolder<'a>> {
    let folder = working_folder(part).or_else(|| Some(".".to_owned()))?;
    Some(TakenFolder { folder, by })
}
