//! What is known of programs, one entry for each, from its manual.
//!
//! An entry says what is harmless: options and operands that a `*` of an allow rule covers. Everything else
//! has to be spelled out, so that a short entry is a strict one. What is named as refused is there for the
//! reason that a person reads. To add a program, write an entry in the file of its kind; the tests of this
//! folder then try every option of it.

mod build;
mod clusters;
mod data;
mod documents;
mod language_linters;
mod languages;
mod linters;
mod media;
mod network;
mod packages;
mod security;
mod system;
mod testing;
#[cfg(test)]
mod tests;
mod versions;
mod web;

use std::collections::HashMap;
use std::sync::LazyLock;

use super::class::Class;
use super::effect::Effect;
use super::options::{Operands, PLAIN, Spec};

/// One program.
#[derive(Debug)]
pub(super) struct Program {
    /// Names under which it is installed, separated by blanks.
    pub(super) names: &'static str,
    /// Where the facts come from.
    #[cfg_attr(not(test), expect(dead_code, reason = "for who reads or changes the entry; a test wants it there"))]
    pub(super) source: &'static str,
    /// How its words are judged.
    pub(super) class: Class,
    /// Any of its words may be a program that it runs, so that a rule that denies looks at all of them.
    pub(super) runs_operands: bool,
    /// All that it does with harmless options is show something, whatever the files of its folder say: such a
    /// call is not asked about even without a rule.
    pub(super) only_looks: bool,
}

/// All entries, by kind.
const KINDS: &[&[Program]] = &[
    build::PROGRAMS,
    clusters::PROGRAMS,
    data::PROGRAMS,
    documents::PROGRAMS,
    language_linters::PROGRAMS,
    languages::PROGRAMS,
    linters::PROGRAMS,
    media::PROGRAMS,
    network::PROGRAMS,
    packages::PROGRAMS,
    security::PROGRAMS,
    system::PROGRAMS,
    testing::PROGRAMS,
    versions::PROGRAMS,
    web::PROGRAMS,
];

static BY_NAME: LazyLock<HashMap<&'static str, &'static Program>> = LazyLock::new(|| {
    all().flat_map(|program| program.names.split_ascii_whitespace().map(move |name| (name, program))).collect()
});

pub(super) fn all() -> impl Iterator<Item = &'static Program> {
    KINDS.iter().copied().flatten()
}

/// The entry of the program called `name`, without its folder.
pub(super) fn find(name: &str) -> Option<&'static Program> {
    BY_NAME.get(name).copied()
}

/// A program whose words are options and operands.
const fn options(names: &'static str, source: &'static str, spec: &'static Spec) -> Program {
    Program { names, source, class: Class::Options(spec), runs_operands: false, only_looks: false }
}

/// A program whose first word says what it does; a sub-command that is not listed has to be spelled out.
const fn commands(names: &'static str, source: &'static str, specs: &'static [&'static [Spec]]) -> Program {
    Program { names, source, class: Class::HarmlessCommands(specs), runs_operands: false, only_looks: false }
}

/// A program of which a `*` never covers anything, because it … (`why`).
const fn never(names: &'static str, source: &'static str, why: &'static str) -> Program {
    Program { names, source, class: Class::Never(why), runs_operands: false, only_looks: false }
}

/// A program that runs what its words say.
const fn runner(names: &'static str, source: &'static str) -> Program {
    Program { runs_operands: true, ..never(names, source, "runs another program") }
}

impl Program {
    /// The same, with sub-commands that run other programs.
    const fn running(self) -> Self {
        Self { runs_operands: true, ..self }
    }

    /// The same, known only to look.
    const fn looking(self) -> Self {
        Self { only_looks: true, ..self }
    }
}

/// Sub-commands that look, alone: what follows may be a sub-command of theirs that changes something, or a second
/// command of the program.
const fn looks(names: &'static str) -> Spec {
    Spec {
        names,
        long: "help json quiet verbose no-color output=json output=yaml format=json",
        operands: Operands::None,
        ..PLAIN
    }
}

/// Sub-commands that look at what they name and have no option that does more, but for those that are not
/// listed here.
const fn looks_at(names: &'static str) -> Spec {
    Spec { operands: Operands::Plain, ..looks(names) }
}

/// A program without sub-commands of which only this is known to be harmless.
const SAYS_VERSION: Spec = Spec { long: "help version", operands: Operands::None, ..PLAIN };

/// Sub-commands that check what is in the folder they run in, and are set up by it.
const fn checks(names: &'static str) -> Spec {
    Spec { names, long: "help quiet verbose no-color", operands: Operands::Inside, runs_project: true, ..PLAIN }
}

/// What a linter or a test program has in common with others: it reads the files that it names in its folder,
/// and the folder's own settings.
const CHECKER: Spec = Spec { operands: Operands::Inside, runs_project: true, has_verbs: true, ..PLAIN };
/// What a program that only shows something of one or more files has in common with others.
const VIEWER: Spec = Spec { operands: Operands::Inside, ..PLAIN };

/// Texts that mean more to a shell, for programs that put names of files into command lines.
const SHELL_TEXT: &[(&str, Effect)] = &[
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
const SERVES: &str = "opens a port and runs the project's code";
const CHANGES: &str = "changes the system or another machine";
const CODE: &str = "runs the code that it is given";
const WRITES: &str = "writes the files that it is told to";
