//! The paths that a command reads or writes, as far as its words tell.

use super::command_line::{Part, Word, WordKind};
use super::operand_effects;
use super::programs::file_use;
use super::programs::name::base_name;

/// What is done with a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// It is read.
    Read,
    /// It is written.
    Write,
    /// The value of an option of a program that only reads its operands.
    Unknown,
}

/// A word that may be a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathUse {
    /// The path, as [`Part::path`] gives it; `None` when nobody here can tell.
    pub path: Option<String>,
    /// The word, or the value of an option in it.
    pub word: Word,
    /// What is done with it.
    pub access: Access,
}

impl Part {
    /// Every path that this command may read or write: targets of redirections, operands, values of
    /// options. More rather than less: words that are no path at all are among them, and whatever is
    /// not known to be read only counts as written.
    #[must_use]
    pub fn paths(&self) -> Vec<PathUse> {
        let reads = self.program().is_some_and(operand_effects::only_reads);
        let named = if self.leaves_operands() { Access::Read } else { Access::Write };
        let (operands, values) = if reads { (Access::Read, Access::Unknown) } else { (named, Access::Write) };
        let mut uses = Vec::new();
        let mut add = |word: &Word, access| uses.push(PathUse { path: self.path(word), word: word.clone(), access });
        self.writes.iter().for_each(|word| add(word, Access::Write));
        self.reads.iter().for_each(|word| add(word, Access::Read));
        let layers = self.layers.iter().flat_map(|layer| layer.words.iter().take(layer.taken.unwrap_or_default()));
        for word in self.words.first().into_iter().chain(self.naming_words()).chain(layers) {
            if !word.text.starts_with('-') {
                add(word, operands);
                // `of=file`, `@file`, `host:file`.
                for separator in ['=', '@', ':'] {
                    if let Some((_, value)) = word.text.split_once(separator)
                        && !value.is_empty()
                    {
                        add(&Word { text: value.to_owned(), kind: word.kind }, values);
                    }
                }
            } else if let Some((_, value)) = word.text.split_once('=') {
                add(&Word { text: value.to_owned(), kind: word.kind }, values);
            } else if !word.text.starts_with("--") && word.text.chars().count() > 2 {
                // The value may start after any letter of a cluster.
                let value: String = word.text.chars().skip(2).collect();
                add(&Word { text: value, kind: word.kind }, values);
            }
        }
        uses
    }

    /// Whether its sub-command changes none of the files that its operands name.
    fn leaves_operands(&self) -> bool {
        let settled = self.settled();
        let part = settled.as_ref().unwrap_or(self);
        let unchanged_by = part.program().map_or("", |program| file_use(base_name(program)).unchanged_by);
        let sub_command = part.words.get(1).filter(|word| word.kind == WordKind::Exact);
        sub_command.is_some_and(|word| unchanged_by.split_ascii_whitespace().any(|one| one == word.text))
    }
}

#[cfg(test)]
mod tests {
    use super::super::command_line::{CommandLine, Shell};
    use super::Access;

    #[test]
    fn redirections_operands_and_values_are_paths() {
        let line = CommandLine::analyse("cd src && sort -oout --files0-from=list in.txt > result < data", Shell::Bash);
        let part = line.parts.last().cloned().unwrap_or_default();
        let paths = part.paths();
        for (path, access) in [
            ("src/result", Access::Write),
            ("src/data", Access::Read),
            ("src/in.txt", Access::Write),
            ("src/out", Access::Write),
            ("src/list", Access::Write),
        ] {
            assert!(
                paths.iter().any(|found| found.path.as_deref() == Some(path) && found.access == access),
                "{path}: {paths:?}"
            );
        }
    }
}
