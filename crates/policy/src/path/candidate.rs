//! The texts of a call that may name a path.

use std::collections::BTreeSet;

use serde_json::Value;

use super::FolderSearch;
use super::implied_reads;
use super::into_folder::into_folders;
use super::word_path::{WordPath, found_paths, mounted_paths, part_paths, word_paths, working_folder};
use crate::{Request, Subject, ToolClass};

/// Most paths of one call that are looked at. A call that names more is not understood.
pub const MAX_PATHS: usize = 256;
/// Longest text that is looked at as a path, in bytes (Linux: `PATH_MAX`).
pub const MAX_PATH_LENGTH: usize = 4096;

/// A text that may name a path, for the owner of the gate to resolve: `~` and `~/` are the user's
/// home folder, anything else relative starts at the request's working folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PathCandidate {
    /// The text; the key of its fact.
    pub text: String,
    /// How it is to be searched for files that hold credentials: when it is a folder, or the folder that a pattern starts in,
    /// `/` and the pattern.
    pub search: Option<FolderSearch>,
}

/// Keys whose values name files in the arguments of tools that nobody here knows, without `_`, `-`
/// and case.
const PATH_KEYS: &[&str] = &[
    "path",
    "paths",
    "file",
    "files",
    "filepath",
    "filepaths",
    "filename",
    "uri",
    "directory",
    "dir",
    "folder",
    "source",
    "sourcepath",
    "src",
    "destination",
    "destinationpath",
    "dest",
    "dst",
    "target",
    "targetpath",
    "output",
    "outputpath",
    "outputfile",
    "inputpath",
    "inputfile",
    "oldpath",
    "newpath",
    "from",
    "to",
    "notebookpath",
    "absolutepath",
    "relativepath",
    "cwd",
    "workdir",
    "root",
];

/// Texts that may name a path, as many as count.
#[derive(Default)]
struct CandidateTexts(BTreeSet<String>);

impl CandidateTexts {
    /// There is one more than are looked at.
    fn is_full(&self) -> bool {
        self.0.len() > MAX_PATHS
    }

    fn add_all(&mut self, texts: impl IntoIterator<Item = String>) {
        let mut texts = texts.into_iter();
        while !self.is_full()
            && let Some(text) = texts.next()
        {
            if !text.is_empty() && text.len() <= MAX_PATH_LENGTH {
                self.0.insert(text);
            }
        }
    }
}

impl Request {
    /// Every text of this call that may name a path, each once; at most one more than
    /// [`MAX_PATHS`], so that its owner sees that there are too many.
    #[must_use]
    pub fn path_candidates(&self) -> Vec<PathCandidate> {
        let searches = self.credential_searches();
        let mut texts = self.candidate_texts(|| searches.keys().cloned().collect());
        // Long texts of other tools are no reason to ask: the words of the first are enough.
        let room = MAX_PATHS.saturating_sub(texts.len());
        texts.extend(self.loose_argument_paths().into_iter().filter(|text| text.len() <= MAX_PATH_LENGTH).take(room));
        texts.into_iter().map(|text| PathCandidate { search: searches.get(&text).cloned(), text }).collect()
    }

    /// Whether it names more paths than are looked at.
    pub(crate) fn names_too_many_paths(&self) -> bool {
        let searched = || self.credential_searches().into_keys().collect();
        self.candidate_texts(searched).len() > MAX_PATHS
    }

    /// The texts that count against [`MAX_PATHS`], up to one more; `searched`: the folders that are looked into.
    fn candidate_texts(&self, searched: impl FnOnce() -> Vec<String>) -> BTreeSet<String> {
        let mut found = CandidateTexts::default();
        found.add_all(self.named_paths());
        for part in self.command.iter().flat_map(|command| &command.parts) {
            if found.is_full() {
                return found.0;
            }
            let redirections = part.writes.iter().chain(&part.reads).flat_map(|word| word_paths(part, word));
            let words = part_paths(part).into_iter().chain(redirections);
            found.add_all(words.filter_map(WordPath::into_text));
            let words = part.words.first().into_iter().chain(part.naming_words());
            let written_out = words.chain(&part.reads).chain(&part.found).flat_map(|word| found_paths(part, word));
            let mounted = part.naming_words().flat_map(|word| mounted_paths(part, word));
            let implied = implied_reads(part);
            let implied = implied.iter().flat_map(|word| found_paths(part, word));
            found.add_all(written_out.chain(mounted).chain(implied).filter_map(WordPath::into_text));
            found.add_all(working_folder(part));
            found.add_all(part.settled().and_then(|part| working_folder(&part)));
            found.add_all(into_folders(part));
        }
        found.add_all(self.loose_command_paths());
        if !found.is_full() {
            found.add_all(searched());
        }
        found.0
    }

    /// The paths that the arguments themselves name, without those of a command line.
    pub(crate) fn named_paths(&self) -> Vec<String> {
        let mut paths = self.subject_paths();
        paths.extend(self.files.iter().cloned());
        paths
    }

    fn subject_paths(&self) -> Vec<String> {
        match &self.subject {
            Subject::Read { path } | Subject::Write { path, .. } | Subject::Edit { path, .. } => vec![path.clone()],
            Subject::Command { .. } | Subject::Fetch { .. } => Vec::new(),
            Subject::Arguments if self.class == ToolClass::Shell => Vec::new(),
            Subject::Arguments => {
                let mut found = Vec::new();
                for (key, value) in &self.arguments {
                    argument_paths(key, value, 0, &mut found);
                }
                found
            }
        }
    }
}

/// Deepest nesting of arguments that is searched for paths.
const MAX_DEPTH: usize = 8;

fn argument_paths(key: &str, value: &Value, depth: usize, found: &mut Vec<String>) {
    if depth > MAX_DEPTH || found.len() > MAX_PATHS {
        return;
    }
    match value {
        Value::String(text) => {
            if let Some(path) = text.strip_prefix("file://") {
                found.push(path.strip_prefix("localhost").unwrap_or(path).to_owned());
            } else if is_path_key(key) && !text.contains("://") {
                found.push(text.clone());
            }
        }
        Value::Array(values) => values.iter().for_each(|value| argument_paths(key, value, depth + 1, found)),
        Value::Object(fields) => {
            fields.iter().for_each(|(key, value)| argument_paths(key, value, depth + 1, found));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn is_path_key(key: &str) -> bool {
    let plain: String = key.chars().filter(|c| !matches!(c, '_' | '-')).map(|c| c.to_ascii_lowercase()).collect();
    PATH_KEYS.contains(&plain.as_str())
}
