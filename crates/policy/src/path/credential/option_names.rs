//! Files whose names are options of the program that gets them: `wc -l *` where one is called `--files0-from=key`.

use super::FolderSearch;
use super::input::may_be_one;
use crate::path::working_folder;
use handraise_shell::{Fact, Part, Word, WordKind, file_use, has_fact};

/// Names that a program would take for one of its options.
#[derive(Clone, Debug)]
pub(crate) struct OptionNames {
    /// The folder in which they would lie, as in [`crate::path::PathCandidate`].
    folder: String,
    options: &'static str,
}

impl OptionNames {
    /// What `part` may be given by the shell or by another command. `None`: no name means anything to it.
    pub(crate) fn of(part: &Part) -> Option<Self> {
        let program = part.program()?;
        let files = file_use(program.rsplit('/').next().unwrap_or(program));
        let options = files.names_only.unwrap_or(files.lists);
        // Behind `--` stand operands only (POSIX.1-2024, XBD 12.2, guideline 10).
        let before_end = || part.words.iter().skip(1).take_while(|word| word.text != "--");
        let has_end = part.words.len() > before_end().count() + 1;
        let is_fed = !has_end && part.wrappers.iter().any(|wrapper| has_fact(wrapper, Fact::Fed));
        let varies = || before_end().any(|word| word.kind == WordKind::Varies && word.may_be_option());
        let folder = working_folder(part).filter(|_| !options.is_empty() && (is_fed || varies()))?;
        Some(Self { folder, options })
    }

    /// The text of its [`crate::path::PathCandidate`].
    pub(crate) fn text(&self) -> String {
        format!("{}/{PATTERN}", self.folder)
    }

    /// How it is looked for.
    pub(super) fn search() -> FolderSearch {
        FolderSearch::Names { pattern: PATTERN.to_owned() }
    }

    /// Whether `name` is one of the options.
    pub(crate) fn holds(&self, name: &str) -> bool {
        may_be_one(&Word { text: name.to_owned(), kind: WordKind::Exact }, self.options)
    }
}

/// What every option begins with.
const PATTERN: &str = "-*";
