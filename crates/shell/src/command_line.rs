//! A command line, lowered to the simple commands that would run.

use std::borrow::Cow;

use super::obstacle::Obstacle;

/// The shell that reads a command line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Shell {
    /// bash.
    Bash,
    /// zsh that is not interactive. What it reads as bash does is understood.
    Zsh,
    /// `sh`: dash, or bash under that name. What they read alike is understood.
    Posix,
    /// bash or zsh: nobody told which. What both read alike is understood.
    BashOrZsh,
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
    /// What variables outside of quotes make of its words and redirections where the line has set them to patterns, or to
    /// several words: names of files that it finds by them. More rather than less: they may be several words each.
    pub found: Vec<Word>,
    /// Where its standard input comes from.
    pub input: Input,
    /// What the line itself writes there: here-documents, here-strings, the words of an `echo` in front.
    pub given: Vec<String>,
    /// What earlier parts of the line write into files from which it may take what it does.
    pub from_files: Vec<String>,
    /// Those of them that it runs as a script in another language than the shell's.
    pub scripts: Vec<Script>,
    /// Literal `cd` folders in force when it runs, in order. Paths are relative to the last.
    pub folders: Vec<String>,
    /// An earlier part may have gone to a folder that nobody here knows.
    pub folder_unknown: bool,
    /// What it is told to run by an option, by a word that holds a command line, or by a variable.
    pub told: Vec<CommandLine>,
    /// It is told to run what only a variable or another command says.
    pub told_unknown: bool,
    /// Its own piece of the text, for showing.
    pub text: String,
}

/// A script that a line writes and runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// What runs it.
    pub interpreter: String,
    /// What it says.
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
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
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

impl Word {
    /// The word as a folder that [`Part::folders`] holds: a literal `~` is none of the home folder.
    pub fn as_folder(&self) -> String {
        let literal = self.kind == WordKind::Exact && self.text.starts_with('~');
        if literal { format!("./{}", self.text) } else { self.text.clone() }
    }
}

impl Part {
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

    /// The same without the files that its redirections write.
    #[must_use]
    pub fn without_writes(&self) -> Cow<'_, Self> {
        if self.writes.is_empty() {
            return Cow::Borrowed(self);
        }
        Cow::Owned(Self { writes: Vec::new(), ..self.clone() })
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
