//! A command line, lowered to the simple commands that would run.

use super::vetoes::{is_harmless_global, shape};
use super::word::SUBSTITUTED;
use super::{lenient, lower, obstacle::Obstacle};

/// The shell that reads a command line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Shell {
    /// bash.
    Bash,
    /// zsh that is not interactive. What it reads as bash does is understood.
    Zsh,
    /// `sh`: dash, or bash under that name. What they read alike is understood.
    Posix,
    /// bash, zsh or dash: nobody told. What they all read alike is understood.
    #[default]
    Unknown,
    /// Anything else: fish, PowerShell, cmd. Recognised, never analysed.
    Other,
}

/// What a command line would run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLine {
    /// The text that the shell gets.
    pub text: String,
    /// Every simple command that was found, in the order of the text; wrappers are taken off. With
    /// an obstacle this is what could be found, for rules that deny.
    pub parts: Vec<Part>,
    /// With an obstacle: every word of the text, quotes, escapes and operators taken out, for rules
    /// that deny.
    pub flat: Vec<Word>,
    /// Why it was not understood; `None`: `parts` is exactly what would run.
    pub obstacle: Option<Obstacle>,
}

/// One simple command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// Program and operands, decoded: quotes and escapes are gone.
    pub words: Vec<Word>,
    /// Assignments in front of it that are not on the short list of harmless ones, and the variables
    /// that a builtin sets by other means, as `read PATH` and `printf '%n' PATH` do.
    pub assignments: Vec<String>,
    /// The wrappers taken off, outermost first, as `["sudo", "timeout"]`.
    pub wrappers: Vec<String>,
    /// The same with their words, for patterns that spell the wrapper out; outermost first, one for
    /// each of `wrappers`.
    pub layers: Vec<Layer>,
    /// Files that a redirection of it writes.
    pub writes: Vec<Word>,
    /// Files that a redirection of it reads.
    pub reads: Vec<Word>,
    /// Where its standard input comes from.
    pub input: Input,
    /// What the line itself writes there: here-documents, here-strings, the words of an `echo` in front.
    pub given: Vec<String>,
    /// What earlier parts of the line write into files from which it may take what it does.
    pub from_files: Vec<String>,
    /// Literal `cd` folders in force when it runs, in order. Paths are relative to the last.
    pub folders: Vec<String>,
    /// An earlier part may have gone to a folder that nobody here knows.
    pub folder_unknown: bool,
    /// Its own piece of the text, for showing.
    pub text: String,
}

/// Where the standard input of a command comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Input {
    /// From wherever the whole line has it.
    #[default]
    Inherited,
    /// From the command in front of it in a pipeline.
    Piped,
    /// From the line itself or from a file: a here-document, a here-string, `<file`.
    Given,
    /// From a device or a descriptor, as `</dev/tty` and `<&3`.
    Unknown,
}

/// One decoded word.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Word {
    /// The text after quotes and escapes.
    pub text: String,
    /// Whether the shell gives exactly this text to the program.
    pub kind: WordKind,
}

/// Whether a word reaches the program as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WordKind {
    /// It does.
    Exact,
    /// It starts with an unquoted `~` or `~/`, the user's home folder; the rest is exact.
    Home,
    /// The shell makes something of it: file names for `*`, the value of a variable, several words
    /// for braces.
    Varies,
}

/// A command as it stood with a wrapper still on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// The wrapper and everything after it, decoded.
    pub words: Vec<Word>,
    /// How many words belong to the wrapper; the rest is the next layer. `None`: what it runs is
    /// not simply the rest (`bash -c`, `find -exec`).
    pub taken: Option<usize>,
    /// The wrapper changes nothing about what its command may do (`timeout`, `nice`), so a rule
    /// for the command itself is enough.
    pub transparent: bool,
}

/// More text than this is not analysed, in KiB.
const MAX_KIB: usize = 8;

impl CommandLine {
    /// Whether all of the text was searched for what rules may deny, understood or not.
    #[must_use]
    pub fn is_searched_whole(&self) -> bool {
        lenient::is_searched_whole(&self.text)
    }

    /// Analyses `text`. Never fails: what is not understood has an [`Obstacle`].
    #[must_use]
    pub fn analyse(text: &str, shell: Shell) -> Self {
        let understood = match shell {
            Shell::Other => Err(Obstacle::OtherShell),
            _ if text.len() > MAX_KIB * 1024 => Err(Obstacle::TooLong(MAX_KIB)),
            _ => lower::parts(text, shell),
        };
        match understood {
            Ok(parts) => Self { text: text.to_owned(), parts, flat: Vec::new(), obstacle: None },
            Err(obstacle) => Self {
                text: text.to_owned(),
                // Rules that deny see a longer text word by word only.
                parts: if text.len() > MAX_KIB * 1024 { Vec::new() } else { lenient::parts(text) },
                flat: lenient::flat_words(text),
                obstacle: Some(obstacle),
            },
        }
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
        }
        self
    }

    /// The same line in a call that is about more than its line, as `obstacle` says. What could be found
    /// stays, for rules that tighten.
    #[must_use]
    pub fn held_up(self, obstacle: Obstacle) -> Self {
        let flat = if self.obstacle.is_none() { lenient::flat_words(&self.text) } else { self.flat };
        Self { flat, obstacle: Some(obstacle), ..self }
    }
}

impl Word {
    /// The word as a folder that [`Part::folders`] holds: a literal `~` is none of the home folder.
    pub fn as_folder(&self) -> String {
        let literal = self.kind == WordKind::Exact && self.text.starts_with('~');
        if literal { format!("./{}", self.text) } else { self.text.clone() }
    }
}

impl CommandLine {
    /// Whether what another command prints becomes part of one: then the same text may run something else next time.
    pub fn inserts_output(&self) -> bool {
        let inserted = |word: &Word| word.kind == WordKind::Varies && word.text.contains(SUBSTITUTED);
        self.parts.iter().any(|part| part.words.iter().any(inserted))
    }
}

impl Part {
    /// Whether it runs in a folder that is not known to lie below the one that the command line starts in.
    pub(super) fn is_elsewhere(&self) -> bool {
        self.folder_unknown || self.folders.iter().any(|folder| shape::leaves_folder(folder))
    }

    /// The same command with git's `-C DIR` taken off and followed as a `cd`; `None`: it has none in front of its
    /// sub-command, or nobody here can tell where that leads (git(1), `-C`).
    pub(crate) fn settled(&self) -> Option<Self> {
        let (program, rest) = self.words.split_first().filter(|(program, _)| program.text == "git")?;
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

    /// The program, decoded.
    #[must_use]
    pub fn program(&self) -> Option<&str> {
        self.words.first().map(|word| word.text.as_str())
    }

    /// The leading words that reach the program exactly as they are written.
    pub fn exact_words(&self) -> impl Iterator<Item = &str> {
        self.words.iter().take_while(|word| word.kind == WordKind::Exact).map(|word| word.text.as_str())
    }

    /// Every name by which a rule may mean this command: the programs of it and of its wrappers, as
    /// they are written and without their folders. For an index of rules that deny or ask.
    pub fn programs(&self) -> impl Iterator<Item = &str> {
        let words = self.layers.iter().map(|layer| &layer.words).chain([&self.words]);
        words.filter_map(|words| words.first()).flat_map(|word| {
            let base = word.text.rsplit_once('/').map(|(_, base)| base);
            [Some(word.text.as_str()), base].into_iter().flatten()
        })
    }

    /// `word` as a path seen from the folder in which the whole command line starts: the folders of
    /// `cd` in front, nothing resolved. `None` when nobody here can tell.
    #[must_use]
    pub fn path(&self, word: &Word) -> Option<String> {
        match word.kind {
            WordKind::Varies => None,
            WordKind::Home => Some(word.text.clone()),
            WordKind::Exact if word.text.starts_with('/') => Some(word.text.clone()),
            WordKind::Exact if self.folder_unknown => None,
            // `./` keeps a literal leading `~` from being read as the home folder.
            WordKind::Exact => {
                let mut path = self.folders.iter().fold(String::new(), |path, folder| match folder {
                    folder if folder.starts_with(['/', '~']) => format!("{folder}/"),
                    folder => format!("{path}{folder}/"),
                });
                if path.is_empty() && word.text.starts_with('~') {
                    path.push_str("./");
                }
                path.push_str(&word.text);
                Some(path)
            }
        }
    }
}
