//! What is known of programs, one entry for each, from its manual.
//!
//! An entry holds everything: how its words are judged, what it runs, what only looks, what is destructive, what
//! prints credentials, and which of its words mean the same. What it says of harmless options and operands is what a
//! `*` of an allow rule covers; everything else has to be spelled out, so that a short entry is a strict one. What is
//! named as refused is there for the reason that a person reads.
//!
//! To add a program, write an entry in the file of its kind. The tests of this folder then try it.

mod administration;
mod archives;
mod build;
pub(crate) mod class;
mod cloud;
mod cloud_looks;
mod clusters;
mod connections;
mod containers;
pub(crate) mod danger;
mod data;
mod databases;
mod documents;
mod editors;
pub(crate) mod effect;
#[cfg(test)]
mod every_entry;
pub(crate) mod fact;
mod file_use;
mod files;
mod forges;
pub(crate) mod form;
mod git;
mod git_interactive;
mod git_look_options;
mod git_specs;
mod installers;
pub(crate) mod interactive;
mod interpreters;
mod javascript;
pub(crate) mod lands;
mod language_linters;
mod languages;
mod later;
mod linters;
mod lookers;
mod machine;
mod media;
pub(crate) mod name;
mod network;
#[cfg(test)]
mod one_table;
mod packages;
pub(crate) mod printer;
pub(crate) mod runs;
mod secrets;
mod security;
mod shared;
mod shells;
pub(crate) mod spec;
pub(crate) mod state_change;
mod system;
mod talks;
mod testing;
#[cfg(test)]
mod tests;
mod text;
mod toolchains;
pub(crate) mod variables;
mod versions;
mod wrappers;

use std::collections::HashMap;
use std::sync::LazyLock;

use foldhash::fast::FixedState;

use class::Class;
use danger::Danger;
pub use fact::Fact;
pub(crate) use file_use::TextValues;
pub use file_use::{FileUse, Folders, Upload};
use form::Form;
use interactive::Interactive;
use lands::Lands;
use printer::Printer;
use runs::{RunsBehind, Wrapper};
use spec::Spec;
pub use state_change::StateChange;
use state_change::StateChangeForm;
pub(crate) use talks::Talks;

/// One program.
#[derive(Debug)]
pub(crate) struct Program {
    /// Names under which it is installed, separated by blanks, where all that is known of them is the same.
    pub(crate) names: &'static str,
    /// Where the facts come from.
    #[cfg_attr(not(test), expect(dead_code, reason = "for who reads or changes the entry; a test wants it there"))]
    pub(crate) source: &'static str,
    /// What is true of it.
    pub(crate) is: &'static [Fact],
    /// How its words are judged.
    pub(crate) class: Class,
    /// How it comes off a command that stands behind it and is then judged by itself.
    pub(crate) wrapper: Option<&'static Wrapper>,
    /// Where the program stands that it runs, for rules that deny.
    pub(crate) runs: &'static [RunsBehind],
    /// Options in front of that program without a value; one that is neither here nor among those with a value leaves
    /// open where the program stands.
    pub(crate) flags: &'static str,
    /// Options behind which that program stands at once.
    pub(crate) announcing: &'static str,
    /// Options in front of that program, or of a sub-command, whose value is the next word.
    pub(crate) valued: &'static str,
    /// Sub-commands behind which a program of the project stands, which a pattern names beside them; the empty one is
    /// the program itself.
    pub(crate) project_commands: &'static [&'static str],
    /// Sub-commands behind which a program stands that it fetches or finds, and runs.
    pub(crate) fetched: &'static str,
    /// Options whose value is the command that runs, and its words.
    pub(crate) executing: &'static str,
    /// Options that are refused as running something, but whose value names a folder, a file or a form of printing.
    pub(crate) naming: &'static str,
    /// Sub-commands whose operands are a command, or one text that a shell reads, which may run here, once, several times or
    /// not at all.
    pub(crate) told_behind: &'static [&'static str],
    /// Options that run their value.
    pub(crate) running: &'static str,
    /// Letters behind a sub-command that run their value, or set what is run.
    pub(crate) running_letters: &'static str,
    /// Sub-commands of which no operand is run.
    pub(crate) sub_commands: &'static str,
    /// The name under which rules that deny know it, where it is another one.
    pub(crate) first_name: &'static str,
    /// The program whose options and sub-commands it has, where rules know the two apart: `podman` has docker's.
    pub(crate) like: &'static str,
    /// The program and the sub-command that it stands for: `npx x` is `npm exec x`.
    pub(crate) stands_for: &'static [&'static str],
    /// Its unknown sub-commands may be aliases of others; these are none, beside those of which no operand is run.
    pub(crate) aliases: Option<&'static str>,
    /// Kinds of objects that are the same, each under its names.
    pub(crate) kinds: &'static [&'static str],
    /// Sub-commands that are the same, the first name first; the names of one are separated by `|`, its words by blanks.
    pub(crate) synonyms: &'static [&'static str],
    /// Sub-commands, or none, and their options that are the same: a letter and a name.
    pub(crate) same_options: &'static [(&'static str, &'static str)],
    /// A sub-command, an option of it, and how an operand begins that does the same.
    pub(crate) operands_as_options: &'static [(&'static str, &'static str, char)],
    /// An option that means the same as another one, and that one.
    pub(crate) same_option: Option<(&'static str, &'static str)>,
    /// Options in front of a sub-command with which it does no more than without them; `--region=` has a value.
    pub(crate) leading: &'static str,
    /// Sub-commands that have sub-commands of their own and do nothing else.
    pub(crate) groups: &'static str,
    /// Ways to call it in which it only looks.
    pub(crate) looks: &'static [Form],
    /// Ways to call it that remove, overwrite or publish for good.
    pub(crate) destroys: &'static [Danger],
    /// Words of which each says so wherever it stands, for programs with many levels of sub-commands.
    pub(crate) destroying_words: &'static str,
    /// Ways to call it that decide what other programs, or it itself, run by themselves later.
    pub(crate) sets: &'static [Danger],
    /// Ways to call it that print credentials.
    pub(crate) prints: &'static [Printer],
    /// Sub-commands, and what they change, as the rest of a clause.
    pub(crate) changes: &'static [(&'static str, &'static str)],
    /// What it changes otherwise.
    pub(crate) does: &'static str,
    /// When it talks to another machine.
    pub(crate) talks: Talks,
    /// Sub-commands and options with which it changes something on another machine or sends something there, unless it
    /// only looks; empty: any, and none has to be given.
    pub(crate) publishes: &'static [(&'static str, &'static str)],
    /// Sub-commands and options with which it hands what lies here, or what it is given, to a place that its words or
    /// its own choice name: a page for everybody, a bucket, a registry. Where one of [`FileUse::uploads`] copies to an
    /// address, it does so, too.
    pub(crate) sends: &'static [(&'static str, &'static str)],
    /// Sub-commands, and where all that they change on this machine lands. They stand right behind the program.
    pub(crate) lands: &'static [(&'static str, Lands)],
    /// Ways to call it in which it is known for certain what they do to what is there.
    pub(crate) state_changes: &'static [StateChangeForm],
    /// How it has to be called to go on reading what it is to do.
    pub(crate) interactive: &'static [Interactive],
    /// Sub-commands that say what it does, whatever operands follow, so that a person can remember "this with any
    /// operands"; the empty one is the program itself. `+` stands for one further word that has to stay the same, as the
    /// name of a script in `npm run lint`.
    pub(crate) open_behind: &'static [&'static str],
    /// Files that it runs, or takes what it runs from, without being told.
    pub(crate) implied: &'static str,
    /// What it does with the files that its words name.
    pub(crate) files: FileUse,
}

/// A program of which nothing is known.
pub(super) const UNLISTED: Program = Program {
    names: "",
    source: "",
    is: &[],
    class: Class::Unlisted,
    wrapper: None,
    runs: &[],
    flags: "",
    announcing: "",
    valued: "",
    project_commands: &[],
    fetched: "",
    executing: "",
    naming: "",
    told_behind: &[],
    running: "",
    running_letters: "",
    sub_commands: "",
    first_name: "",
    like: "",
    stands_for: &[],
    aliases: None,
    kinds: &[],
    synonyms: &[],
    same_options: &[],
    operands_as_options: &[],
    same_option: None,
    leading: "",
    groups: "",
    looks: &[],
    destroys: &[],
    destroying_words: "",
    sets: &[],
    prints: &[],
    changes: &[],
    does: "",
    talks: Talks::Never,
    publishes: &[],
    sends: &[],
    lands: &[],
    state_changes: &[],
    interactive: &[],
    open_behind: &[],
    implied: "",
    files: FileUse::PLAIN,
};

/// What the programs of one file of this folder are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// They build, test, check, format, generate or convert files, or run the code that is in them.
    Files,
    /// They show or change text; their words are patterns and files, and never say that something is removed or sent.
    Text,
    /// Anything else.
    Other,
}

/// All entries, by kind.
const KINDS: &[(Purpose, &[Program])] = &[
    (Purpose::Other, administration::PROGRAMS),
    (Purpose::Files, archives::PROGRAMS),
    (Purpose::Files, build::PROGRAMS),
    (Purpose::Other, cloud::PROGRAMS),
    (Purpose::Other, clusters::PROGRAMS),
    (Purpose::Other, connections::PROGRAMS),
    (Purpose::Other, containers::PROGRAMS),
    (Purpose::Files, data::PROGRAMS),
    (Purpose::Other, databases::PROGRAMS),
    (Purpose::Files, documents::PROGRAMS),
    (Purpose::Other, editors::PROGRAMS),
    (Purpose::Other, files::PROGRAMS),
    (Purpose::Other, forges::PROGRAMS),
    (Purpose::Other, git::PROGRAMS),
    (Purpose::Other, installers::PROGRAMS),
    (Purpose::Files, interpreters::PROGRAMS),
    (Purpose::Files, javascript::PROGRAMS),
    (Purpose::Other, later::PROGRAMS),
    (Purpose::Files, language_linters::PROGRAMS),
    (Purpose::Files, languages::PROGRAMS),
    (Purpose::Files, linters::PROGRAMS),
    (Purpose::Other, machine::PROGRAMS),
    (Purpose::Files, media::PROGRAMS),
    (Purpose::Other, network::PROGRAMS),
    (Purpose::Other, packages::PROGRAMS),
    (Purpose::Other, secrets::PROGRAMS),
    (Purpose::Other, security::PROGRAMS),
    (Purpose::Other, shells::PROGRAMS),
    (Purpose::Other, system::PROGRAMS),
    (Purpose::Files, testing::PROGRAMS),
    (Purpose::Text, text::PROGRAMS),
    (Purpose::Files, toolchains::PROGRAMS),
    (Purpose::Other, versions::PROGRAMS),
    (Purpose::Other, wrappers::PROGRAMS),
];

/// Nobody outside chooses its keys, so that a fast hash does.
static BY_NAME: LazyLock<HashMap<&'static str, (Purpose, &'static Program), FixedState>> = LazyLock::new(|| {
    let entries = KINDS.iter().flat_map(|(purpose, programs)| programs.iter().map(move |program| (*purpose, program)));
    entries.flat_map(|entry| entry.1.names.split_ascii_whitespace().map(move |name| (name, entry))).collect()
});

/// Every entry.
#[cfg(test)]
pub(crate) fn all() -> impl Iterator<Item = &'static Program> {
    KINDS.iter().flat_map(|(_, programs)| *programs)
}

/// The entry of the program called `name`, without its folder.
pub(crate) fn find(name: &str) -> Option<&'static Program> {
    BY_NAME.get(name).map(|(_, program)| *program)
}

/// What the program called `name`, without its folder, is for.
pub(crate) fn purpose(name: &str) -> Purpose {
    BY_NAME.get(name).map_or(Purpose::Other, |(purpose, _)| *purpose)
}

/// The same, or the one of which nothing is known.
pub(crate) fn of(name: &str) -> &'static Program {
    find(name).unwrap_or(&UNLISTED)
}

/// Whether the next word is surely the value of `option`, which stands in front of a sub-command of `name`, or of the
/// program that it runs.
pub(crate) fn takes_next(name: &str, option: &str) -> bool {
    of(name).valued.split_ascii_whitespace().any(|listed| listed == option)
}

/// Whether `fact` is true of `program`, whatever folder stands in front of its name.
#[must_use]
pub fn has_fact(program: &str, fact: Fact) -> bool {
    of(name::base_name(program)).is(fact)
}

/// The program whose options and sub-commands `program` has, whatever folder stands in front of its name: `docker` for
/// `podman`, `kubectl` for `oc`; itself, unless its entry says otherwise.
#[must_use]
pub fn called_like(program: &str) -> &str {
    let name = name::base_name(program);
    let known = of(name);
    [known.like, known.first_name].into_iter().find(|other| !other.is_empty()).unwrap_or(name)
}

/// Sub-commands of the program called `name`, without its folder, that say what it does, whatever operands follow; the
/// empty one is the program itself. `+` stands for one further word that has to stay the same.
#[must_use]
pub fn open_behind(name: &str) -> &'static [&'static str] {
    of(name).open_behind
}

/// Files that `program`, whatever folder stands in front of its name, runs without being told: `make` a `Makefile`.
pub fn implied_files(program: &str) -> impl Iterator<Item = &'static str> {
    of(name::base_name(program)).implied.split_ascii_whitespace()
}

/// What the program called `name`, without its folder, does with the files that its words name.
#[must_use]
pub fn file_use(name: &str) -> &'static FileUse {
    &of(name).files
}

impl Program {
    /// Whether `fact` is true of it.
    pub(crate) fn is(&self, fact: Fact) -> bool {
        self.is.contains(&fact)
    }
}

/// A program whose words are options and operands.
const fn options(names: &'static str, source: &'static str, spec: &'static Spec) -> Program {
    Program { names, source, class: Class::Options(spec), ..UNLISTED }
}

/// A program whose first word says what it does; a sub-command that is not listed has to be spelled out.
const fn commands(names: &'static str, source: &'static str, specs: &'static [&'static [Spec]]) -> Program {
    Program { names, source, class: Class::HarmlessCommands(specs), ..UNLISTED }
}

/// All that it is told, it does to another machine.
const PUBLISHES: &[(&str, &str)] = &[("", "")];

/// A program of which a `*` never covers anything, because it … (`why`).
const fn never(names: &'static str, source: &'static str, why: &'static str) -> Program {
    Program { names, source, class: Class::Never(why), ..UNLISTED }
}

/// A program that changes the machine.
const fn changer(names: &'static str, source: &'static str, why: &'static str) -> Program {
    Program { is: &[Fact::ChangesMachine], ..never(names, source, why) }
}

/// A program whose work is not done on files of this machine alone.
const fn outsider(names: &'static str, source: &'static str, why: &'static str) -> Program {
    Program { is: &[Fact::WorksOutside], ..never(names, source, why) }
}

/// A program that runs what its words say.
const fn runner(names: &'static str, source: &'static str) -> Program {
    Program { is: &[Fact::RunsOperands], ..never(names, source, "runs another program") }
}
