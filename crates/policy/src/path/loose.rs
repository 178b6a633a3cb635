//! Words that may be paths, in text that nobody has taken apart: a script, a patch, a loop.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::MAX_PATH_LENGTH;
use crate::{Request, Subject, ToolClass};
use handraise_shell::{CommandLine, Fact, Part, Word, WordKind, has_fact};

/// Deepest nesting of arguments that is searched.
const MAX_DEPTH: usize = 32;
/// Whether a character stands between words, in shells, programming languages and patches.
const fn is_between(sign: char) -> bool {
    matches!(
        sign,
        '(' | ')'
            | '{'
            | '}'
            | '['
            | ']'
            | '<'
            | '>'
            | '|'
            | ';'
            | '&'
            | ','
            | '='
            | ':'
            | '@'
            | '!'
            | '*'
            | '?'
            | '#'
            | '^'
            | '$'
    )
}

/// Every word of `text` that may be a path, and what it is in the folder that a `cd` before it names.
/// More rather than less; not those with blanks in them, nor what a program puts together.
pub(crate) fn loose_paths(text: &str) -> Vec<String> {
    let plain: String = text.chars().filter(|character| !matches!(character, '\'' | '"' | '\\' | '`')).collect();
    let plain = match plain.contains('$') {
        true => plain.replace("${HOME}", "~").replace("$HOME", "~"),
        false => plain,
    };
    let words = plain.split(|character: char| character.is_whitespace() || is_between(character));
    let is_name = |sign: char| sign != '-' && sign != '.';
    let words = words.filter(|word| word.contains(is_name) && word.len() <= MAX_PATH_LENGTH);
    let mut found = Vec::new();
    // Each word counts once, and texts have the same ones again and again; whether a folder stands behind it.
    let mut seen: HashMap<&str, bool> = HashMap::new();
    let mut folder: Option<String> = None;
    let mut goes_there = false;
    for word in words {
        let known = seen.get(word).copied();
        let goes = known.unwrap_or_else(|| matches!(word, "-C" | "--chdir") || has_fact(word, Fact::ChangesFolder));
        let inside = folder.as_ref().filter(|_| !word.starts_with(['/', '~'])).map(|folder| format!("{folder}/{word}"));
        if std::mem::replace(&mut goes_there, goes) {
            folder = Some(inside.clone().unwrap_or_else(|| word.to_owned()));
        }
        found.extend(inside);
        if known.is_none() {
            seen.insert(word, goes);
            // `${X:-.env}`: the sign of a default stands in front of it.
            found.extend(word.strip_prefix('-').filter(|rest| rest.starts_with(['.', '/', '~'])).map(str::to_owned));
            found.push(word.to_owned());
        }
    }
    found
}

/// Every text in `arguments`, names of fields too.
pub(crate) fn argument_texts(arguments: &Map<String, Value>) -> Vec<&str> {
    fn collect<'a>(value: &'a Value, depth: usize, found: &mut Vec<&'a str>) {
        match value {
            Value::String(text) => found.push(text),
            Value::Array(values) if depth < MAX_DEPTH => {
                values.iter().for_each(|value| collect(value, depth + 1, found));
            }
            Value::Object(fields) if depth < MAX_DEPTH => fields.iter().for_each(|(key, value)| {
                found.push(key);
                collect(value, depth + 1, found);
            }),
            _ => {}
        }
    }
    let mut found = Vec::new();
    for (key, value) in arguments {
        found.push(key.as_str());
        collect(value, 0, &mut found);
    }
    found
}

impl Request {
    /// Words that may be paths where the paths of a command line cannot all be told.
    pub(super) fn loose_command_paths(&self) -> impl Iterator<Item = String> {
        let whole = match (&self.command, &self.subject) {
            (Some(line), _) => Some(line.text.as_str()).filter(|_| is_indirect(line)),
            (None, Subject::Command { line }) => Some(line.as_str()),
            (None, _) => None,
        };
        let parts = self.command.iter().flat_map(|line| &line.parts);
        // A word with blanks or brackets in it may be a script.
        let scripts = parts.flat_map(|part| &part.words).filter(|word| word.text.contains([' ', '\n', '\t', '(']));
        // What was not understood has the same texts again and again.
        let mut seen = HashSet::new();
        let texts = scripts.map(|word| word.text.as_str()).chain(whole).filter(move |text| seen.insert(*text));
        texts.flat_map(loose_paths)
    }

    /// Words that may be paths in the arguments of a tool that is no shell and says nothing about files.
    pub(super) fn loose_argument_paths(&self) -> Vec<String> {
        let counts = self.class != ToolClass::Shell && self.subject == Subject::Arguments;
        let texts = if counts { argument_texts(&self.arguments) } else { Vec::new() };
        texts.into_iter().flat_map(loose_paths).collect()
    }
}

/// Whether `line` opens files that its words do not name.
fn is_indirect(line: &CommandLine) -> bool {
    let varies = |word: &Word| word.kind == WordKind::Varies;
    let indirect = |part: &Part| {
        let mut words = part.words.iter().chain(&part.writes).chain(&part.reads);
        part.folder_unknown || !part.wrappers.is_empty() || words.any(varies)
    };
    line.obstacle.is_some() || line.parts.iter().any(indirect)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_scripts_are_found_between_their_signs() {
        let found = loose_paths("open('a/b.txt','w').write(\"$HOME/c\"); f=d\n+++ e");
        for path in ["a/b.txt", "~/c", "d", "e"] {
            assert!(found.iter().any(|word| word == path), "{path}: {found:?}");
        }
    }

    #[test]
    fn a_word_is_looked_for_in_the_folder_that_the_text_goes_to() {
        let found = loose_paths("cd a; cd b && for f in x; do rm $f; done");
        assert!(found.iter().any(|word| word == "a/b/x") && found.iter().any(|word| word == "x"), "{found:?}");
    }
}
