//! Why a command line was not understood, in words for the person who is asked.

/// Why a command line was not understood. Each message finishes the sentence "This needs a look:".
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Obstacle {
    /// Another shell's language.
    #[error("it is not written for bash")]
    OtherShell,
    /// Shells that may run it read it in different ways.
    #[error("{what}, which {shell} reads otherwise than bash")]
    ReadOtherwise {
        /// What there is in the line, as "it has `&>`".
        what: &'static str,
        /// The shell.
        shell: &'static str,
    },
    /// A program's name that is a word of another shell's own language.
    #[error("`{word}` is a command of {shell} itself that changes how the rest is read or run")]
    WordOfShell {
        /// The word.
        word: String,
        /// The shell.
        shell: &'static str,
    },
    /// It does not look like any command that was analysed; the two readings of it disagree.
    #[error("it was not analysed")]
    NotAnalysed,
    /// More text than is analysed.
    #[error("it is longer than {0} KiB")]
    TooLong(usize),
    /// More simple commands than are analysed.
    #[error("it has more than {0} commands")]
    TooManyCommands(usize),
    /// More words than are analysed.
    #[error("it has more than {0} words")]
    TooManyWords(usize),
    /// Loops in loops, with more rounds than are looked at.
    #[error("its loops and substitutions have more rounds than are followed here")]
    TooManyRounds,
    /// Groups in groups.
    #[error("its parentheses, braces or wrappers are nested too deeply")]
    TooDeep,
    /// A character that a shell and a reader see differently.
    #[error("it contains U+{0:04X}, a character that is invisible or easily mistaken")]
    Character(u32),
    /// A quote, bracket or here-document that does not end.
    #[error("a quote, a bracket or a here-document is not closed")]
    Unfinished,
    /// The grammar refuses it.
    #[error("it is not a complete bash command")]
    Syntax,
    /// `$"…"`, or a `$'…'` that shells end in different places.
    #[error("it uses `$'…'` or `$\"…\"` quotes, which hide characters")]
    DollarQuote,
    /// `$(…)` or backticks.
    #[error("it inserts the output of another command with `$(…)` or backticks")]
    CommandSubstitution,
    /// `<(…)` or `>(…)`.
    #[error("it connects another command with `<(…)` or `>(…)`")]
    ProcessSubstitution,
    /// An expansion that sets a variable, looks at another one or is not followed: `${x:=y}`, `${!x}`, `$@`.
    #[error("it uses a shell variable in a way that can change the command")]
    Variable,
    /// `HOME=x; cat ~/y`: what it names there is not what the home folder holds.
    #[error("it sets `HOME`, and names something by `~` or `$HOME`")]
    OtherHome,
    /// `((…))`, `$[…]`, and `$((…))` with a value of which nobody here knows that it is a number.
    #[error("it calculates with what is not known to be a number, which can run commands")]
    Arithmetic,
    /// `&`.
    #[error("it runs something in the background with `&`")]
    Background,
    /// `!…`.
    #[error("it contains a `!` that an interactive shell replaces by an earlier command")]
    History,
    /// `name() …`.
    #[error("it defines a shell function")]
    Function,
    /// A parenthesis that starts no subshell.
    #[error("it has a parenthesis where bash expects none")]
    Parenthesis,
    /// `select`, `coproc` and so on.
    #[error("it uses `{0}`, which is not followed here")]
    Compound(&'static str),
    /// `for path in …`: zsh ties that name to `PATH`.
    #[error(
        "its loop sets `{0}`, which may be a setting of a shell or of a program; a name of one letter, or one such as `file`, cannot be"
    )]
    LoopVariable(String),
    /// `for x in $(…)` and the like.
    #[error("it loops over words that are not written out")]
    Loop,
    /// A here-document in which the shell replaces variables and commands.
    #[error("it has a here-document in which the shell inserts text; quote the delimiter, as `<<'EOF'`")]
    HereDocument,
    /// `{name}>file` and other redirections that are not followed.
    #[error("it redirects in a way that is not followed here")]
    Redirection,
    /// `a=(…)`, `a[0]=…`.
    #[error("it assigns an array")]
    Array,
    /// `*` or a variable as the program.
    #[error("the program to run is not written out")]
    ProgramVaries,
    /// A wrapper with options that are not known.
    #[error("`{0}` is used with options that are not followed here, so what it runs is not known")]
    Wrapper(String),
    /// An argument of the call beside its command line that nobody here knows.
    #[error("its argument `{0}` is not known here and may change what runs, or how")]
    Argument(String),
    /// An argument that lets the command run on when the call has ended.
    #[error("its argument `{0}` lets it run on in the background")]
    RunsOn(String),
    /// An argument that takes the agent's own sandbox away.
    #[error("its argument `{0}` takes the agent's own sandbox off it")]
    Unconfined(String),
    /// Something that goes on reading what it is to do, for an agent that types into it unasked.
    #[error("it opens `{0}`, and nobody is asked about what is typed into that later")]
    Opens(String),
}

impl Obstacle {
    /// The same with the texts of the command line in it as `change` makes them.
    #[must_use]
    pub fn with_texts(self, change: impl Fn(&str) -> String) -> Self {
        match self {
            Self::WordOfShell { word, shell } => Self::WordOfShell { word: change(&word), shell },
            Self::LoopVariable(text) => Self::LoopVariable(change(&text)),
            Self::Wrapper(text) => Self::Wrapper(change(&text)),
            Self::Argument(text) => Self::Argument(change(&text)),
            Self::RunsOn(text) => Self::RunsOn(change(&text)),
            Self::Unconfined(text) => Self::Unconfined(change(&text)),
            Self::Opens(text) => Self::Opens(change(&text)),
            other => other,
        }
    }

    /// Only a person lets it pass, whatever the policy and earlier answers say: what is approved is more
    /// than the command line.
    pub fn holds_back(&self) -> bool {
        matches!(self, Self::Unconfined(_) | Self::Opens(_))
    }
}
