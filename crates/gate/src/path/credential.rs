//! Which words and folders of a command are read, where that matters: for credentials.

use std::collections::BTreeMap;

use super::{WordPath, part_paths, working_folder};
use crate::risk::{names_listed, shows_contents};
use crate::shell::{Part, Word, WordKind};
use crate::{Request, ToolClass};

/// How far a folder is searched for files that hold credentials.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FolderSearch {
    /// Directly in it.
    Direct,
    /// Below it, too.
    Whole,
}

/// A file that holds credentials, in a folder that was searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldCredential {
    /// Its path from the folder.
    pub path: String,
    /// A `.gitignore` leaves it out, so that programs that heed these pass it over.
    pub is_ignored: bool,
}

impl HeldCredential {
    pub(crate) fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    fn is_hidden(&self) -> bool {
        self.path.split('/').any(|component| component.starts_with('.'))
    }
}

/// A tool that shows lines of whatever files lie in a folder.
pub(crate) struct ContentSearch {
    pub(crate) folder: String,
    pub(crate) glob: Option<String>,
}

/// Programs that neither show nor copy what is in the files that they are given.
const NO_READERS: &str = "ls dir stat test [ [[ find fd du df tree realpath readlink cd pushd popd mkdir rmdir touch rm unlink shred chmod \
    chown chgrp basename dirname echo printf file wc which type git gh true false : trash";
/// Programs that take whole folders.
const TAKES_FOLDERS: &str =
    "grep egrep fgrep rgrep zgrep rg ag ack ugrep tar bsdtar zip 7z 7za 7zz rar cp rsync scp cpio pax diff";
/// Those of them whose last operand is where something goes.
const LAST_IS_DESTINATION: &str = "cp rsync scp mv install";
/// Programs whose first operand is a pattern or a script, unless an option gives it.
const MATCHERS: &str = "grep egrep fgrep rgrep zgrep rg ag ack ugrep jq sed awk gawk mawk";
/// Commands of git that show what is in files, of which `git diff` takes those outside of the repository, too.
const GIT_SHOWS: &str = "diff show log whatchanged grep cat-file blame annotate stash diff-files diff-index diff-tree archive \
    format-patch reflog";
const HEEDS_IGNORE_FILES: &str = "rg ag";
const GREPS: &str = "grep egrep fgrep zgrep diff cp scp";

/// A command that reads files.
pub(crate) struct CredentialReader<'a> {
    part: &'a Part,
    program: &'a str,
}

impl<'a> CredentialReader<'a> {
    /// `None`: it reads none of the files that it names.
    pub(crate) fn of(part: &'a Part) -> Option<Self> {
        let program = part.program()?;
        let program = program.rsplit('/').next().unwrap_or(program);
        let tells_facts = shows_contents(&Part { writes: Vec::new(), ..part.clone() }) == Some(false);
        // `git show HEAD:.env` shows it, `git add .env` does not.
        let command = part.words.iter().skip(1).find(|word| !word.text.starts_with('-'));
        let shows = program == "git" && command.is_some_and(|command| names_listed(GIT_SHOWS, &command.text));
        // ripgrep's guide: it prints the names of the files that it would search.
        let tells_facts = tells_facts || (program == "rg" && part.words.iter().any(|word| word.text == "--files"));
        (!tells_facts && (shows || !names_listed(NO_READERS, program))).then_some(Self { part, program })
    }

    /// The words that may name what is read.
    pub(crate) fn read_words(&self) -> Vec<&'a Word> {
        let mut words = Vec::new();
        let mut skips = false;
        let all = self.part.words.iter().skip(1);
        let pattern = self.pattern().map(std::ptr::from_ref);
        let operands = all.clone().filter(|word| !word.text.starts_with('-')).count();
        let goes = names_listed(LAST_IS_DESTINATION, self.program) && operands > 1;
        let last = self.part.words.iter().rev().find(|word| !word.text.starts_with('-')).filter(|_| goes);
        for word in all {
            let text = word.text.as_str();
            let leaves_out =
                ["--exclude", "--ignore", "--env-file", "--glob=!", "-g!"].iter().any(|start| text.starts_with(start));
            let skipped = skips || leaves_out || text.starts_with('!');
            skips = leaves_out && !text.contains('=') && !text.starts_with("-g!");
            let is_pattern = pattern.is_some_and(|pattern| std::ptr::eq(pattern, word));
            if !skipped && !is_pattern && last.is_none_or(|last| !std::ptr::eq(last, word)) {
                words.push(word);
            }
        }
        words.into_iter().chain(&self.part.reads).collect()
    }

    /// The operand that is a pattern or a script, and no file.
    fn pattern(&self) -> Option<&'a Word> {
        let words = &self.part.words;
        let searches = names_listed(MATCHERS, self.program);
        let of_git = self.program == "git" && words.iter().any(|word| word.text == "grep");
        let given = |word: &&Word| {
            ["--regexp", "--file", "--expression"].iter().any(|option| word.text.starts_with(option))
                || is_cluster_with(&word.text, 'e')
                || is_cluster_with(&word.text, 'f')
        };
        if !(searches || of_git) || words.iter().any(|word| given(&word)) {
            return None;
        }
        let mut operands = words.iter().skip(1).filter(|word| !word.text.starts_with('-'));
        if of_git { operands.nth(1) } else { operands.next() }
    }

    /// The folders of which everything is read, as in [`super::PathCandidate`].
    pub(crate) fn folders(&self) -> Vec<String> {
        if !self.takes_folders() {
            return Vec::new();
        }
        let mut folders = Vec::new();
        let mut is_value = false;
        for word in self.read_words() {
            let text = word.text.as_str();
            let operand = !text.starts_with('-') && !is_value && !text.chars().all(|c| c.is_ascii_digit());
            is_value = self.takes_value(text);
            folders.extend(self.part.path(word).filter(|_| operand));
        }
        let of_wrappers = self
            .part
            .layers
            .iter()
            .flat_map(|layer| layer.words.iter().take(layer.taken.unwrap_or(layer.words.len())).skip(1));
        folders.extend(of_wrappers.filter(|word| !word.text.starts_with('-')).filter_map(|word| self.part.path(word)));
        let searches = names_listed("grep egrep fgrep rgrep zgrep rg ag ack ugrep", self.program);
        if searches && folders.is_empty() {
            folders.extend(working_folder(self.part));
        }
        folders
    }

    /// Whether the next word is the value of the option `text` of a program that searches.
    fn takes_value(&self, text: &str) -> bool {
        let long = ["--regexp", "--file", "--include", "--glob", "--type", "--context"].contains(&text);
        let short = text.starts_with('-')
            && !text.starts_with("--")
            && text.ends_with(['e', 'f', 'g', 't', 'A', 'B', 'C', 'm']);
        names_listed(MATCHERS, self.program) && (long || short)
    }

    /// Whether it reads `held`, which lies in a folder that it takes.
    pub(crate) fn reads(&self, held: &HeldCredential) -> bool {
        let words = || self.part.words.iter().skip(1).map(|word| word.text.as_str());
        let left_out = words()
            .any(|word| (word.starts_with("--exclude") || word.starts_with("--ignore")) && word.contains(held.name()));
        let included: Vec<&str> = words().filter_map(|word| word.strip_prefix("--include=")).collect();
        let is_included =
            included.is_empty() || included.iter().any(|glob| wildmatch::WildMatch::new(glob).matches(held.name()));
        if left_out || !is_included {
            return false;
        }
        if !names_listed(HEEDS_IGNORE_FILES, self.program) {
            return true;
        }
        // ripgrep's guide, "Automatic filtering": `-u` does not heed ignore files, `-uu` looks at hidden files.
        let unrestricted: usize = words()
            .filter(|word| word.starts_with('-') && !word.starts_with("--"))
            .map(|word| word.matches('u').count())
            .sum();
        let long: usize = words().filter(|word| word.starts_with("--unrestricted")).count();
        let level = unrestricted + long;
        let hidden = level > 1 || words().any(|word| word == "--hidden" || is_cluster_with(word, '.'));
        let heeds = level == 0 && !words().any(|word| word.starts_with("--no-ignore"));
        !(held.is_hidden() && !hidden || held.is_ignored && heeds)
    }

    fn takes_folders(&self) -> bool {
        let words = || self.part.words.iter().skip(1).map(|word| word.text.as_str());
        if self.part.wrappers.iter().any(|wrapper| ["find", "fd"].contains(&wrapper.as_str())) {
            return true;
        }
        if !names_listed(TAKES_FOLDERS, self.program) {
            return false;
        }
        if names_listed(GREPS, self.program) {
            let recursive = |word: &str| {
                ["--recursive", "--dereference-recursive", "--archive", "--directories=recurse"].contains(&word)
                    || is_cluster_with(word, 'r')
                    || is_cluster_with(word, 'R')
                    || (self.program == "cp" && is_cluster_with(word, 'a'))
            };
            return words().any(recursive);
        }
        if ["tar", "bsdtar"].contains(&self.program) {
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

fn is_cluster_with(word: &str, letter: char) -> bool {
    word.starts_with('-') && !word.starts_with("--") && word.contains(letter)
}

/// Tools of agents that show the lines that a pattern finds in the files of a folder.
const SEARCH_TOOLS: &[&str] =
    &["grep", "search_file_content", "grep_search", "ripgrep", "searchtext", "grep_files", "search_files"];

impl Request {
    /// The folder whose files this call shows lines of, if it is such a search.
    pub(crate) fn content_search(&self) -> Option<ContentSearch> {
        let tool = self.tool.to_lowercase();
        if self.class == ToolClass::Shell || !SEARCH_TOOLS.contains(&tool.as_str()) {
            return None;
        }
        let text = |keys: &[&str]| keys.iter().find_map(|key| self.arguments.get(*key)?.as_str()).map(str::to_owned);
        // Claude Code's `Grep` answers with names of files unless it is told to show lines.
        let mode = text(&["output_mode"]);
        let names_only =
            mode.as_deref().is_some_and(|mode| mode != "content") || (self.tool == "Grep" && mode.is_none());
        let folder = text(&["path", "dir_path", "directory", "dir"]).filter(|folder| !folder.is_empty());
        (!names_only).then(|| ContentSearch {
            folder: folder.unwrap_or_else(|| ".".to_owned()),
            glob: text(&["glob", "include", "file_pattern", "includePattern"]),
        })
    }

    /// The folders that have to be searched for credentials, as in [`super::PathCandidate`].
    pub(super) fn credential_searches(&self) -> BTreeMap<String, FolderSearch> {
        let mut searches = BTreeMap::new();
        let mut add = |folder: String, search: FolderSearch| {
            let known = searches.entry(folder).or_insert(search);
            *known = (*known).max(search);
        };
        if let Some(search) = self.content_search() {
            add(search.folder, FolderSearch::Whole);
        }
        for part in self.command.iter().flat_map(|line| &line.parts) {
            let Some(reader) = CredentialReader::of(part) else { continue };
            let globs = part.words.iter().any(|word| word.kind == WordKind::Varies);
            for path in globs.then(|| part_paths(part)).into_iter().flatten() {
                if let WordPath::Below { folder, .. } = path {
                    add(folder, FolderSearch::Direct);
                }
            }
            reader.folders().into_iter().for_each(|folder| add(folder, FolderSearch::Whole));
        }
        searches
    }
}
