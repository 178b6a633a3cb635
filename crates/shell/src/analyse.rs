//! From the text of a command line to what it would run.

use super::command_line::{CommandLine, Shell, Word, WordKind};
use super::obstacle::Obstacle;
use super::word::SUBSTITUTED;
use super::{lower, recovery};

/// More text than this is not analysed, in KiB.
const MAX_KIB: usize = 8;

impl CommandLine {
    /// Whether all of the text was searched for what rules may deny, understood or not.
    #[must_use]
    pub fn is_searched_whole(&self) -> bool {
        recovery::is_searched_whole(&self.text)
    }

    /// Analyses `text`. Never fails: what is not understood has an [`Obstacle`].
    #[must_use]
    pub fn analyse(text: &str, shell: Shell) -> Self {
        let understood = match shell {
            Shell::Other => Err(Obstacle::OtherShell),
            _ if text.len() > MAX_KIB * 1024 => Err(Obstacle::TooLong(MAX_KIB)),
            _ => lower::parts(text, shell),
        };
        let mut line = match understood {
            Ok(parts) => Self { text: text.to_owned(), parts, flat: Vec::new(), obstacle: None },
            Err(obstacle) => Self {
                text: text.to_owned(),
                // Rules that deny see a longer text word by word only.
                parts: if text.len() > MAX_KIB * 1024 { Vec::new() } else { recovery::parts(text) },
                flat: recovery::flat_words(text),
                obstacle: Some(obstacle),
            },
        };
        lower::add_told(&mut line.parts);
        line
    }
}

impl CommandLine {
    /// The same line in a call that goes to `folder` first, as behind `cd FOLDER &&`. Whether its tool makes something
    /// of a `~`, of a variable or of a URL nobody here knows.
    #[must_use]
    pub fn in_folder(mut self, folder: &str) -> Self {
        let is_plain = !folder.starts_with('~') && !folder.contains(['$', '%', '`']) && !folder.contains("://");
        for part in &mut self.parts {
            part.folder_unknown |= !is_plain;
            part.folders.insert(0, folder.to_owned());
            let told = std::mem::take(&mut part.told).into_iter();
            part.told = told.map(|line| line.in_folder(folder)).collect();
        }
        self
    }

    /// The same line in a call that is about more than its line, as `obstacle` says. What could be found
    /// stays, for rules that tighten.
    #[must_use]
    pub fn held_up(self, obstacle: Obstacle) -> Self {
        let flat = if self.obstacle.is_none() { recovery::flat_words(&self.text) } else { self.flat };
        Self { flat, obstacle: Some(obstacle), ..self }
    }

    /// Whether what another command prints becomes part of one: then the same text may run something else next time.
    pub fn inserts_output(&self) -> bool {
        let inserted = |word: &Word| word.kind == WordKind::Varies && word.text.contains(SUBSTITUTED);
        self.parts.iter().any(|part| part.words.iter().any(inserted))
    }
}
