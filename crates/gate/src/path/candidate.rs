//! The texts of a call that may name a path.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::shell::{Part, Word, WordKind};
use crate::{Request, Subject, ToolClass};

/// Most paths of one call that are looked at. A call that names more is not understood.
pub const MOST_PATHS: usize = 256;
/// Longest text that is looked at as a path, in bytes (Linux: `PATH_MAX`).
pub const LONGEST_PATH: usize = 4096;

/// A text that may name a path, for the owner of the gate to resolve: `~` and `~/` are the user's
/// home folder, anything else relative starts at the request's working folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PathCandidate {
    /// The text; the key of its fact.
    pub text: String,
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

impl Request {
    /// Every text of this call that may name a path, each once; at most one more than
    /// [`MOST_PATHS`], so that its owner sees that there are too many.
    #[must_use]
    pub fn path_candidates(&self) -> Vec<PathCandidate> {
        let mut texts = BTreeSet::new();
        let mut add = |text: String| {
            if !text.is_empty() && text.len() <= LONGEST_PATH && texts.len() <= MOST_PATHS {
                texts.insert(text);
            }
        };
        self.named_paths().into_iter().for_each(&mut add);
        let parts = self.command.iter().flat_map(|command| &command.parts);
        for part in parts {
            part_paths(part).into_iter().filter_map(|path| path.text).for_each(&mut add);
        }
        texts.into_iter().map(|text| PathCandidate { text }).collect()
    }

    /// The paths that the arguments themselves name, without those of a command line.
    pub(crate) fn named_paths(&self) -> Vec<String> {
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
const DEEPEST: usize = 8;

fn argument_paths(key: &str, value: &Value, depth: usize, found: &mut Vec<String>) {
    if depth > DEEPEST || found.len() > MOST_PATHS {
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

/// A word of a command that may name a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PartPath {
    /// As seen from the folder that the command line starts in; `None` when nobody here can tell.
    pub(crate) text: Option<String>,
    /// It is certain that the whole word is that path, and not an option with a path inside it.
    pub(crate) whole: bool,
}

/// The paths that the operands of `part` may name. Its redirections are not among them.
pub(crate) fn part_paths(part: &Part) -> Vec<PartPath> {
    part.words.iter().skip(1).flat_map(|word| word_paths(part, word)).collect()
}

/// A word is read as a path, and what follows `=`, `@`, or the first `/` or `~/` of an option too:
/// `of=/etc/x`, `-d@secret`, `-I/usr/include`.
fn word_paths(part: &Part, word: &Word) -> Vec<PartPath> {
    let text = word.text.as_str();
    let option = text.starts_with('-') && text.len() > 1;
    let mut paths = Vec::new();
    if !option {
        paths.push(PartPath { text: part.path(word), whole: true });
    }
    if word.kind == WordKind::Varies {
        return if option { vec![PartPath { text: None, whole: false }] } else { paths };
    }
    let mut tails: Vec<&str> = Vec::new();
    tails.extend(text.split_once('=').map(|(_, tail)| tail));
    tails.extend(text.split_once('@').map(|(_, tail)| tail));
    if option {
        let start = text.find("~/").or_else(|| text.find('/'));
        tails.extend(start.and_then(|start| text.get(start..)));
    }
    tails.retain(|tail| !tail.is_empty());
    tails.dedup();
    for tail in tails {
        let kind = if tail == "~" || tail.starts_with("~/") { WordKind::Home } else { WordKind::Exact };
        let text = part.path(&Word { text: tail.to_owned(), kind });
        paths.push(PartPath { text, whole: false });
    }
    paths
}
