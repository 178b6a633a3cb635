//! Shells, and the commands that are built into them.

use super::class::{Class, Interpreter, Kind};
use super::danger::danger;
use super::effect::Effect::Runs;
use super::fact::Fact;
use super::file_use::FileUse;
use super::form::form;
use super::runs::{Wrapper, behind, script};
use super::shared::BASH_INTERACTIVE;
use super::spec::{Operands, PLAIN, Spec, Style};
use super::{Program, UNLISTED, runner};

const BASH_CALLS: Interpreter = Interpreter {
    kind: Kind::Shell,
    code: "-c -lc -ec -ce -euc -lec",
    valued: "-o -O",
    tells: "--version --help",
    subs: "",
};

pub(super) const PROGRAMS: &[Program] = &[
    // With `-v` and `-V` it only tells; what it runs otherwise is judged as that.
    Program {
        names: "command",
        source: "bash manual, \"Shell Builtin Commands\", \"Compound Commands\"",
        is: &[Fact::OfTheSystem, Fact::Transparent],
        class: Class::Options(&Spec { long: "", refused: &[("-p", Runs)], broad: true, ..PLAIN }),
        wrapper: Some(&Wrapper { ..Wrapper::PLAIN }),
        runs: &[behind("", 0)],
        flags: "-p",
        looks: &[form("-v", ""), form("-V", "")],
        ..UNLISTED
    },
    Program {
        names: "builtin",
        source: "bash manual, \"Shell Builtin Commands\", \"Compound Commands\"",
        is: &[Fact::RunsOperands, Fact::Transparent],
        class: Class::Never("runs another program"),
        wrapper: Some(&Wrapper { ..Wrapper::PLAIN }),
        runs: &[behind("", 0)],
        ..UNLISTED
    },
    Program {
        names: "exec",
        source: "bash manual, \"Shell Builtin Commands\", \"Compound Commands\"",
        is: &[Fact::RunsOperands, Fact::OftenRun],
        class: Class::Never("runs another program"),
        wrapper: Some(&Wrapper { transparent: false, ..Wrapper::PLAIN }),
        runs: &[behind("", 0)],
        does: "runs what its words say",
        ..UNLISTED
    },
    Program {
        names: "echo",
        source: "echo(1)",
        is: &[Fact::TakesText, Fact::TellsOperands, Fact::ShowsText, Fact::PrintsWords],
        class: Class::AnyText,
        files: FileUse { names_only: Some(""), ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "pwd",
        source: "pwd(1)",
        class: Class::AnyText,
        looks: &[form("", "L P logical physical").harmless()],
        files: FileUse { names_only: Some(""), ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "true",
        source: "bash manual, \"Shell Builtin Commands\", \"Compound Commands\"",
        is: &[Fact::TellsOperands, Fact::ShowsText],
        class: Class::AnyText,
        looks: &[form("", "").harmless()],
        files: FileUse { names_only: Some(""), hides_input: Some(""), ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "false",
        source: "false(1)",
        class: Class::AnyText,
        looks: &[form("", "").harmless()],
        files: FileUse { names_only: Some(""), hides_input: Some(""), ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: ":",
        source: ":(1)",
        class: Class::AnyText,
        files: FileUse { names_only: Some(""), hides_input: Some(""), ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "eval",
        source: "bash manual, \"Shell Builtin Commands\", \"Compound Commands\"",
        is: &[Fact::Builtin, Fact::RunsOperands, Fact::RunsWords, Fact::RunsText, Fact::OftenRun],
        class: Class::Never("changes what later commands do"),
        runs: &[script(0)],
        does: "runs what its words say",
        ..UNLISTED
    },
    Program {
        names: "source .",
        source: "bash manual, \"Shell Builtin Commands\", \"Compound Commands\"",
        is: &[Fact::Builtin, Fact::RunsWords, Fact::Sources],
        class: Class::Never("changes what later commands do"),
        does: "runs what its words say",
        ..UNLISTED
    },
    Program {
        names: "trap",
        source: "bash manual, \"Shell Builtin Commands\", \"Compound Commands\"",
        is: &[Fact::Builtin, Fact::RunsOperands, Fact::RunsText],
        class: Class::Never("changes what later commands do"),
        runs: &[script(0)],
        does: "runs what its words say",
        ..UNLISTED
    },
    Program {
        names: "export declare typeset local readonly",
        source: "bash manual, \"Shell Builtin Commands\", \"Compound Commands\"",
        is: &[Fact::Builtin, Fact::Declares],
        class: Class::Never("changes what later commands do"),
        ..UNLISTED
    },
    Program {
        names: "unalias compgen complete compopt bind caller fc coproc function (( if while until",
        source: "bash manual, \"Shell Builtin Commands\", \"Compound Commands\"",
        is: &[Fact::Builtin],
        class: Class::Never("changes what later commands do"),
        ..UNLISTED
    },
    Program {
        names: "hash",
        source: "bash manual, \"Bourne Shell Builtins\"",
        is: &[Fact::Builtin],
        class: Class::Never("changes what later commands do"),
        sets: &[danger("", "p", "gives a program another name")],
        ..UNLISTED
    },
    Program {
        names: "alias",
        source: "bash manual, \"Shell Builtin Commands\", \"Compound Commands\"",
        is: &[Fact::Builtin],
        class: Class::Never("changes what later commands do"),
        does: "runs what its words say",
        ..UNLISTED
    },
    Program {
        names: "enable",
        source: "bash manual, \"Bash Builtin Commands\"",
        is: &[Fact::Builtin, Fact::OnlyNames],
        class: Class::Never("changes what later commands do"),
        sets: &[danger("", "f", "loads code into the shell")],
        ..UNLISTED
    },
    Program {
        names: "jobs",
        source: "bash manual, \"Job Control Builtins\"; zshbuiltins(1)",
        is: &[Fact::Builtin, Fact::OnlyNames],
        class: Class::Never("changes what later commands do"),
        // `-x COMMAND` runs one.
        looks: &[form("", "l p n r s").at_most(0)],
        ..UNLISTED
    },
    Program {
        names: "set shopt fg bg disown suspend logout break continue shift umask ulimit dirs \
            times select case for",
        source: "bash manual, \"Shell Builtin Commands\", \"Compound Commands\"",
        is: &[Fact::Builtin, Fact::OnlyNames],
        class: Class::Never("changes what later commands do"),
        ..UNLISTED
    },
    Program {
        names: "unset read getopts",
        source: "bash manual, \"Shell Builtin Commands\", \"Compound Commands\"",
        is: &[Fact::Builtin, Fact::Calculates, Fact::OnlyNames],
        class: Class::Never("changes what later commands do"),
        ..UNLISTED
    },
    Program {
        names: "mapfile readarray",
        source: "bash manual, \"Shell Builtin Commands\", \"Compound Commands\"",
        is: &[Fact::Builtin, Fact::Calculates, Fact::RunsByOptions],
        class: Class::Never("changes what later commands do"),
        running: "-C",
        ..UNLISTED
    },
    Program {
        names: "let",
        source: "bash manual, \"Shell Builtin Commands\", \"Compound Commands\"",
        is: &[Fact::Builtin, Fact::Calculates, Fact::RunsByOptions],
        class: Class::Never("changes what later commands do"),
        ..UNLISTED
    },
    Program {
        names: "history",
        source: "bash manual, \"Shell Builtin Commands\", \"Compound Commands\"",
        is: &[Fact::Builtin, Fact::OnlyNames],
        class: Class::Never("changes what later commands do"),
        destroys: &[danger("", "c d", "removes the shell's history")],
        ..UNLISTED
    },
    Program {
        names: "wait",
        source: "bash manual, \"Job Control Builtins\"; zshbuiltins(1)",
        is: &[Fact::Builtin, Fact::Calculates, Fact::OnlyNames],
        class: Class::AnyText,
        // Behind it may stand a number; `-p NAME` sets a variable.
        looks: &[form("", "n f").at_most(0)],
        files: FileUse { names_only: Some(""), hides_input: Some(""), ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "[[",
        source: "bash manual, \"Shell Builtin Commands\", \"Compound Commands\"",
        is: &[Fact::Builtin, Fact::Calculates, Fact::OnlyNames],
        class: Class::Never("changes what later commands do"),
        files: FileUse { names_only: Some(""), hides_input: Some(""), ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "pushd",
        source: "bash manual, \"Shell Builtin Commands\", \"Compound Commands\"",
        is: &[Fact::Builtin, Fact::OnlyNames, Fact::LeavesFolders, Fact::TellsFolders, Fact::ChangesFolder],
        class: Class::Never("changes what later commands do"),
        files: FileUse { names_only: Some(""), ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "popd",
        source: "bash manual, \"Shell Builtin Commands\", \"Compound Commands\"",
        is: &[Fact::Builtin, Fact::OnlyNames, Fact::ChangesFolder],
        class: Class::Never("changes what later commands do"),
        files: FileUse { names_only: Some(""), ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "exit return",
        source: "bash manual, \"Shell Builtin Commands\", \"Compound Commands\"",
        is: &[Fact::Builtin, Fact::OnlyNames],
        class: Class::Never("changes what later commands do"),
        files: FileUse { names_only: Some(""), ..FileUse::PLAIN },
        ..UNLISTED
    },
    runner("slsh pwsh-preview", "slsh(1), pwsh-preview(1)"),
    Program {
        names: "printf",
        source: "bash manual, \"Bash Builtin Commands\"",
        is: &[
            Fact::Calculates,
            Fact::OfTheSystem,
            Fact::TakesText,
            Fact::TellsOperands,
            Fact::ShowsText,
            Fact::PrintsWords,
        ],
        class: Class::Options(&Spec { long: "", refused: &[("-v", Runs)], broad: true, ..PLAIN }),
        files: FileUse { names_only: Some(""), ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "test [",
        source: "test(1); bash manual, \"Bash Builtin Commands\"",
        is: &[Fact::Calculates, Fact::OfTheSystem, Fact::TakesText, Fact::TellsFolders],
        class: Class::Options(&Spec {
            style: Style::Words,
            long: "a b c d e f g h k p r s t u w x z n G L N O S nt ot ef o eq ne lt le gt ge",
            refused: &[("v R", Runs)],
            operands: Operands::Values,
            broad: true,
            ..PLAIN
        }),
        files: FileUse { names_only: Some(""), hides_input: Some(""), ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "cd",
        source: "bash manual, \"Bourne Shell Builtins\"",
        is: &[
            Fact::OfTheSystem,
            Fact::OnlyNames,
            Fact::LeavesFolders,
            Fact::TellsFolders,
            Fact::ShowsText,
            Fact::ChangesFolder,
        ],
        class: Class::Options(&Spec { flags: "LP", long: "", ..PLAIN }),
        looks: &[form("", "L P e").harmless().at_most(1)],
        files: FileUse { names_only: Some(""), ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "bash",
        source: "bash(1)",
        is: &[
            Fact::OfTheSystem,
            Fact::ReadsBash,
            Fact::RunsScripts,
            Fact::SaysVersion,
            Fact::Shell,
            Fact::Transparent,
            Fact::OftenRun,
        ],
        class: Class::Script(&BASH_CALLS),
        does: "runs a script",
        interactive: BASH_INTERACTIVE,
        ..UNLISTED
    },
    Program {
        names: "sh dash",
        source: "sh(1), dash(1)",
        is: &[Fact::OfTheSystem, Fact::ReadsPosix, Fact::RunsScripts, Fact::Shell, Fact::Transparent, Fact::OftenRun],
        class: Class::Script(&BASH_CALLS),
        does: "runs a script",
        interactive: BASH_INTERACTIVE,
        ..UNLISTED
    },
    Program {
        names: "zsh",
        source: "zsh(1)",
        is: &[
            Fact::OfTheSystem,
            Fact::ReadsOtherLanguage,
            Fact::RunsScripts,
            Fact::SaysVersion,
            Fact::Shell,
            Fact::OftenRun,
        ],
        class: Class::Script(&BASH_CALLS),
        does: "runs a script",
        interactive: BASH_INTERACTIVE,
        ..UNLISTED
    },
    Program {
        names: "ksh fish",
        source: "ksh(1), fish(1)",
        is: &[Fact::OfTheSystem, Fact::ReadsOtherLanguage, Fact::RunsScripts, Fact::Shell, Fact::OftenRun],
        class: Class::Script(&BASH_CALLS),
        does: "runs a script",
        interactive: BASH_INTERACTIVE,
        ..UNLISTED
    },
    Program {
        names: "mksh",
        source: "mksh(1)",
        is: &[Fact::ReadsOtherLanguage, Fact::Shell, Fact::RunsScripts],
        class: Class::Script(&BASH_CALLS),
        interactive: BASH_INTERACTIVE,
        ..UNLISTED
    },
    Program {
        names: "csh tcsh",
        source: "csh(1), tcsh(1)",
        is: &[Fact::ReadsOtherLanguage, Fact::RunsScripts, Fact::Shell],
        class: Class::Script(&BASH_CALLS),
        interactive: BASH_INTERACTIVE,
        ..UNLISTED
    },
    Program {
        names: "ash",
        source: "ash(1)",
        is: &[Fact::RunsScripts, Fact::Shell],
        class: Class::Script(&BASH_CALLS),
        interactive: BASH_INTERACTIVE,
        ..UNLISTED
    },
    Program {
        names: "rbash",
        source: "rbash(1)",
        is: &[Fact::Shell, Fact::RunsScripts],
        class: Class::Script(&BASH_CALLS),
        interactive: BASH_INTERACTIVE,
        ..UNLISTED
    },
    Program {
        names: "pwsh powershell",
        source: "pwsh(1), powershell(1)",
        is: &[Fact::ReadsOtherLanguage, Fact::RunsScripts, Fact::TypedByOthers],
        class: Class::Script(&BASH_CALLS),
        first_name: "pwsh",
        does: "runs a script",
        interactive: BASH_INTERACTIVE,
        ..UNLISTED
    },
    Program {
        names: "nu",
        source: "nu(1)",
        is: &[Fact::ReadsOtherLanguage, Fact::RunsScripts],
        class: Class::Script(&BASH_CALLS),
        interactive: BASH_INTERACTIVE,
        ..UNLISTED
    },
    Program {
        names: "xonsh",
        source: "xonsh(1)",
        is: &[Fact::RunsScripts],
        class: Class::Script(&BASH_CALLS),
        interactive: BASH_INTERACTIVE,
        ..UNLISTED
    },
    Program { names: "ksh93", source: "ksh93(1)", is: &[Fact::RunsScripts], interactive: BASH_INTERACTIVE, ..UNLISTED },
    Program {
        names: "cmd",
        source: "Windows Commands, \"cmd\"",
        is: &[Fact::ReadsOtherLanguage],
        does: "runs a script",
        ..UNLISTED
    },
];
