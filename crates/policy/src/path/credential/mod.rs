//! Which words and folders of a command are read, where that matters: for credentials.

mod folders;
mod git;
mod implied;
mod input;
mod operands;
mod option_names;
mod pattern;
mod programs;

use std::collections::BTreeMap;

pub(crate) use folders::TakenFolder;
pub(crate) use operands::values_of as option_values;

pub(crate) use implied::implied_reads;
pub(crate) use input::shows_input;
pub(crate) use option_names::OptionNames;
pub(crate) use pattern::FoundNames;

use super::found_paths;
use crate::{Request, ToolClass};
use handraise_shell::path::{is_within, lexical};
use handraise_shell::risk::shows_contents;
use handraise_shell::{Fact, Input, Part, Word, WordKind, has_fact};

/// How files that hold credentials are searched for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FolderSearch {
    /// In a folder and below it.
    Whole,
    /// The same, and links wherever they lie below it, and what lies in the folders to which some of them lead.
    Links {
        /// The program goes where they lead, so that nothing may be left out; otherwise a shorter look is enough.
        followed: bool,
    },
    /// Not for such files, but for names that a pattern finds directly in a folder.
    Names {
        /// The pattern, which stands behind the folder.
        pattern: String,
    },
    /// Among the files that a pattern finds: see [`crate::path::PathCandidate`].
    Found {
        /// The pattern, from the folder on that stands in front of it.
        pattern: String,
        /// It finds a leading dot, too.
        hidden: bool,
        /// What lies in a folder that it finds by a link is read as well.
        folders: bool,
    },
}

/// A tool that shows lines of whatever files lie in a folder.
pub(crate) struct ContentSearch {
    pub(crate) folder: String,
    pub(crate) glob: Option<String>,
}

/// A command that reads files.
pub(crate) struct CredentialReader<'a> {
    part: &'a Part,
    program: &'a str,
    /// The other commands of the line, which may say what it reads.
    before: &'a [Part],
    words: Vec<Word>,
}

impl<'a> CredentialReader<'a> {
    /// `None`: it reads none of the files that it names. `line`: all commands of the line.
    pub(crate) fn of(part: &'a Part, line: &'a [Part]) -> Option<Self> {
        // As `$(cat file)`: see `shows_input`.
        let program = part.program().or_else(|| (!part.reads.is_empty()).then_some("cat"))?;
        let program = program.rsplit('/').next().unwrap_or(program);
        let tells_facts = shows_contents(&part.without_writes()) == Some(false);
        // ripgrep's guide: it prints the names of the files that it would search.
        let tells_facts = tells_facts || (program == "rg" && part.words.iter().any(|word| word.text == "--files"));
        if tells_facts && program != "git" {
            return None;
        }
        let position = line.iter().position(|other| std::ptr::eq(other, part)).unwrap_or(0);
        let before = line.get(..position).unwrap_or_default();
        let mut reader = Self { part, program, before, words: programs::read_words(part, program) };
        if shows_input(part) {
            reader.words.extend(part.reads.iter().cloned());
        }
        if reader.reads_operands() {
            reader.words.extend(part.found.iter().cloned());
        }
        reader.words.extend(reader.words_from_others());
        Some(reader)
    }

    /// The words that may name what is read.
    pub(crate) fn read_words(&self) -> &[Word] {
        &self.words
    }

    /// Whether it reads the files that another command names for it.
    fn reads_operands(&self) -> bool {
        let words: Vec<&Word> = self.part.words.iter().skip(1).collect();
        match self.program {
            "git" => !git::takes_names(&words),
            program => !programs::takes_names(program),
        }
    }

    /// Whether it reads files whose names another command writes.
    pub(crate) fn is_fed(&self) -> bool {
        let lists = |word: &Word| {
            let text = word.text.as_str();
            matches!(text, "-T" | "-@" | "--files-from" | "--verbatim-files-from") || text.starts_with("--files-from=")
        };
        let by_wrapper = self.part.wrappers.iter().any(|wrapper| has_fact(wrapper, Fact::Fed));
        let by_option = matches!(self.part.input, Input::Piped | Input::Given) && self.part.words.iter().any(lists);
        self.reads_operands() && (by_wrapper || by_option || has_fact(self.program, Fact::ReadsNames))
    }

    /// Names that `echo` and `printf` hand on.
    fn words_from_others(&self) -> Vec<Word> {
        let others = self
            .before
            .iter()
            .filter(|part| part.program().is_some_and(|program| has_fact(program, Fact::PrintsWords)));
        others.filter(|_| self.is_fed()).flat_map(|part| part.words.iter().skip(1)).cloned().collect()
    }
}

/// The path of `word`. A folder that nobody knows is taken for the one that the line starts in.
fn path_of(part: &Part, word: &Word) -> Option<String> {
    part.path(word).or_else(|| (word.kind == WordKind::Exact).then(|| word.text.clone()))
}

fn is_cluster_with(word: &str, letter: char) -> bool {
    word.starts_with('-') && !word.starts_with("--") && word.contains(letter)
}

/// Tools of agents that show the lines that a pattern finds in the files of a folder.
const SEARCH_TOOLS: &[&str] =
    &["grep", "search_file_content", "grep_search", "ripgrep", "searchtext", "grep_files", "search_files"];

/// The tool of Gemini CLI that shows all files that its patterns find.
const READS_MANY: &str = "read_many_files";

impl Request {
    /// What the patterns find whose files this call shows (`ReadManyFilesParams` of Gemini CLI: `include`; `paths` in
    /// older versions).
    pub(crate) fn found_names(&self) -> Vec<FoundNames> {
        if self.class == ToolClass::Shell || !self.tool.eq_ignore_ascii_case(READS_MANY) {
            return Vec::new();
        }
        let lists = ["include", "paths"].into_iter().filter_map(|key| self.arguments.get(key));
        let texts = lists.flat_map(|list| list.as_array().map_or(std::slice::from_ref(list), Vec::as_slice));
        texts.filter_map(serde_json::Value::as_str).flat_map(FoundNames::of_tool).collect()
    }

    /// The folder whose files this call shows lines of, if it is such a search.
    pub(crate) fn content_search(&self) -> Option<ContentSearch> {
        let tool = self.tool.to_lowercase();
        if self.class == ToolClass::Shell || !(SEARCH_TOOLS.contains(&tool.as_str()) || tool == READS_MANY) {
            return None;
        }
        let tells = |key: &str| self.arguments.get(key).and_then(serde_json::Value::as_bool);
        // Gemini CLI, `read_many_files`: by itself it leaves `.env` out. What its patterns find is looked up for itself.
        if tool == READS_MANY {
            let takes_all = tells("useDefaultExcludes") == Some(false);
            return takes_all.then(|| ContentSearch { folder: ".".to_owned(), glob: None });
        }
        let text = |keys: &[&str]| keys.iter().find_map(|key| self.arguments.get(*key)?.as_str()).map(str::to_owned);
        // Claude Code's `Grep` answers with names of files unless it is told to show lines; that of Cursor shows lines.
        let mode = text(&["output_mode"]);
        let names_only = match mode.as_deref() {
            Some(mode) => ["files_with_matches", "file_paths", "count"].contains(&mode),
            None => self.tool == "Grep" && self.agent.as_ref().is_none_or(|agent| agent.name != "cursor"),
        };
        let folder = text(&["path", "dir_path", "directory", "dir"]).filter(|folder| !folder.is_empty());
        // Whether a line matches tells what it holds, letter by letter. In the project that is no reason to ask.
        let is_outside = || {
            let named = folder.as_deref().and_then(|folder| lexical(folder, self.cwd.as_deref(), self.home.as_deref()));
            let project = self.project.as_deref().or(self.cwd.as_deref());
            named.is_some_and(|named| !project.is_some_and(|project| is_within(&named, project)))
        };
        (!names_only || is_outside()).then(|| ContentSearch {
            folder: folder.unwrap_or_else(|| ".".to_owned()),
            glob: text(&["glob", "include", "file_pattern", "includePattern"]),
        })
    }

    /// The folders that have to be searched for credentials, as in [`super::PathCandidate`].
    pub(super) fn credential_searches(&self) -> BTreeMap<String, FolderSearch> {
        let mut searches = BTreeMap::new();
        let mut add = |folder: String, search: FolderSearch| {
            let known = searches.entry(folder).or_insert_with(|| search.clone());
            if *known < search {
                *known = search;
            }
        };
        if let Some(search) = self.content_search() {
            add(search.folder, FolderSearch::Whole);
        }
        self.found_names().into_iter().for_each(|found| add(found.text(), found.search(false)));
        let parts = self.command.as_ref().map(|line| line.parts.as_slice()).unwrap_or_default();
        for part in parts {
            let reader = CredentialReader::of(part, parts);
            let input = part.reads.iter().chain(&part.found).filter(|_| shows_input(part));
            let words = reader.iter().flat_map(|reader| reader.read_words()).chain(input);
            let paths = words.filter(|word| word.kind == WordKind::Varies).flat_map(|word| found_paths(part, word));
            let folders = reader.as_ref().is_some_and(CredentialReader::takes_folders);
            for found in paths.filter_map(|path| FoundNames::of_path(&path)) {
                add(found.text(), found.search(folders));
            }
            if let Some(options) = OptionNames::of(part) {
                add(options.text(), OptionNames::search());
            }
            let taken = reader.iter().flat_map(CredentialReader::folders);
            taken.for_each(|taken| {
                let search = taken.search();
                add(taken.folder, search);
            });
        }
        searches
    }
}
