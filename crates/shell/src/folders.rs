//! Where a command runs, seen from where its line starts.

use super::command_line::{Part, WordKind};
use super::operand_effects::{is_harmless_global, shape};

impl Part {
    /// Whether it runs in a folder that is not known to lie below the one that the command line starts in.
    pub(super) fn is_elsewhere(&self) -> bool {
        self.folder_unknown || self.folders.iter().any(|folder| shape::leaves_folder(folder))
    }

    /// The same command with git's `-C DIR` taken off and followed as a `cd`; `None`: it has none in front of its
    /// sub-command, or nobody here can tell where that leads (git(1), `-C`).
    #[must_use]
    pub fn settled(&self) -> Option<Self> {
        let (program, rest) = self.words.split_first().filter(|(program, _)| program.text == "git")?;
        // Most have none, and every rule asks.
        rest.iter().find(|word| !is_harmless_global(&word.text)).filter(|word| word.text == "-C")?;
        let mut settled = Self { words: vec![program.clone()], ..self.clone() };
        let mut rest = rest.iter();
        while let Some(word) = rest.next() {
            if word.text != "-C" || word.kind != WordKind::Exact {
                settled.words.push(word.clone());
                if is_harmless_global(&word.text) {
                    continue;
                }
                break;
            }
            let folder = rest.next().filter(|folder| folder.kind != WordKind::Varies && !folder.text.is_empty())?;
            settled.folders.push(folder.as_folder());
        }
        settled.words.extend(rest.cloned());
        (settled.folders.len() > self.folders.len()).then_some(settled)
    }
}
