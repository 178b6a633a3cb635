//! What is known of the options and operands of a program, or of one of its sub-commands.

use super::effect::Effect;

/// How a program spells its options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// getopt: clusters of letters, `--long`, abbreviations.
    Letters,
    /// Words with one dash, as find(1), gcc(1), go(1).
    Words,
}

/// Operands that are harmless.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operands {
    /// Any.
    Any,
    /// Any that names no other host than github.com.
    GitHub,
    /// So many; one more is an output file, or changes something.
    AtMost(usize),
    /// None with a `=` in it, which would be a variable, and none that starts with `@`.
    Plain,
    /// As `Plain`, and in the folder it runs in: it runs what it finds there.
    Inside,
    /// Only those that start with `+` (date(1): the format).
    Format,
    /// A sed script first.
    SedScript,
    /// The first word is a cluster of letters even without a dash (tar(1), "Traditional usage").
    Cluster,
    /// At least so many have to be spelled out, and the rest stays in the folder: `npm run NAME`.
    Pinned(usize),
    /// A git remote, which has to be spelled out unless it is one of these, and plain names of branches.
    Remote(&'static str),
    /// Tasks, each of which has to be spelled out.
    Tasks,
    /// Addresses of web pages, written out.
    Addresses,
    /// Names as a registry has them: no path, no address, no `user/repo`.
    Names,
    /// As `Inside`, or in a folder for temporary files.
    InsideOrTemporary,
    /// So many files in the folder it runs in; one more would be an output.
    InsideAtMost(usize),
    /// None: every operand has to be spelled out.
    None,
    /// One of these sub-commands first, then as `Plain`.
    Command(&'static str),
    /// Files in the folder it runs in that cannot be taken for a host.
    NoHosts,
    /// A filter of sockets that names no host: a host is looked up (ss(8), "HOST SYNTAX").
    Sockets,
    /// Anything but a subscript with a substitution, which some shells evaluate.
    Values,
}

impl Operands {
    /// Whether an operand may be refused for what it looks like.
    pub(crate) const fn are_judged(self) -> bool {
        !matches!(self, Self::Any | Self::GitHub | Self::SedScript | Self::Cluster | Self::Values | Self::AtMost(_))
    }
}

/// What is known of one program or sub-command.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spec {
    /// Programs, or sub-commands, separated by blanks.
    pub(crate) names: &'static str,
    /// How it spells options.
    pub(crate) style: Style,
    /// Harmless letters without a value; `#` for numbers as in `-5`; `*`: every letter that is not
    /// refused.
    pub(crate) flags: &'static str,
    /// Harmless letters with a value.
    pub(crate) valued: &'static str,
    /// Harmless long options (or words with one dash), separated by blanks; `*`: every one whose
    /// name no refused one starts with. `since:` has its value in the next word, `report=term` is
    /// harmless only with this value, glued or in the next word, `-Iseconds` is a letter with its value, `-L:` one
    /// that has it in the next word even where more letters follow.
    pub(crate) long: &'static str,
    /// Options that are not harmless: names separated by blanks, and why.
    pub(crate) refused: &'static [(&'static str, Effect)],
    /// Texts that no word may hold, wherever they stand in it, with blanks between or without, and why.
    pub(crate) holding: &'static [(&'static str, Effect)],
    /// Operands that are harmless.
    pub(crate) operands: Operands,
    /// What reads the words behind `--`, when it is another program.
    pub(crate) passes_on_to: Option<&'static Spec>,
    /// It runs what it finds in the folder that it runs in, or is set up by it.
    pub(crate) runs_project: bool,
    /// Its first operand may be a sub-command that does more than check what it names.
    pub(crate) has_verbs: bool,
    /// A `*` for everything behind the name deserves a warning when the rule is loaded.
    pub(crate) broad: bool,
}

/// What most programs have in common.
pub(crate) const PLAIN: Spec = Spec {
    names: "",
    style: Style::Letters,
    flags: "",
    valued: "",
    long: "help version",
    refused: &[],
    holding: &[],
    operands: Operands::Any,
    passes_on_to: None,
    runs_project: false,
    has_verbs: false,
    broad: false,
};

/// Sub-commands that look, alone: what follows may be a sub-command of theirs that changes something, or a second
/// command of the program.
pub(super) const fn looks(names: &'static str) -> Spec {
    Spec {
        names,
        long: "help json quiet verbose no-color output=json output=yaml format=json",
        operands: Operands::None,
        ..PLAIN
    }
}

/// Sub-commands that look at what they name and have no option that does more, but for those that are not
/// listed here.
pub(super) const fn looks_at(names: &'static str) -> Spec {
    Spec { operands: Operands::Plain, ..looks(names) }
}

/// A program without sub-commands of which only this is known to be harmless.
pub(super) const SAYS_VERSION: Spec = Spec { long: "help version", operands: Operands::None, ..PLAIN };

/// Sub-commands that check what is in the folder they run in, and are set up by it.
pub(super) const fn checks(names: &'static str) -> Spec {
    Spec { names, long: "help quiet verbose no-color", operands: Operands::Inside, runs_project: true, ..PLAIN }
}

/// What a linter or a test program has in common with others: it reads the files that it names in its folder,
/// and the folder's own settings.
pub(super) const CHECKER: Spec = Spec { operands: Operands::Inside, runs_project: true, has_verbs: true, ..PLAIN };
/// What a program that only shows something of one or more files has in common with others.
pub(super) const VIEWER: Spec = Spec { operands: Operands::Inside, ..PLAIN };

/// Texts that mean more to a shell, for programs that put names of files into command lines.
pub(super) const SHELL_TEXT: &[(&str, Effect)] = &[
    (";", Effect::Runs),
    ("`", Effect::Runs),
    ("$", Effect::Runs),
    ("&", Effect::Runs),
    ("|", Effect::Runs),
    ("<", Effect::Runs),
    (">", Effect::Runs),
    ("(", Effect::Runs),
    ("'", Effect::Runs),
    ("\"", Effect::Runs),
];

/// Reasons that many share.
pub(super) const SERVES: &str = "opens a port and runs the project's code";
pub(super) const CHANGES: &str = "changes the system or another machine";
pub(crate) const CODE: &str = "runs the code that it is given";
pub(super) const WRITES: &str = "writes the files that it is told to";
