//! Programs whose operands are tasks of the project: a pattern names the task, and a second one is not covered.
//!
//! Sources: make(1) and GNU make manual, "Overriding"; `mvn --help` (3.9) and Surefire documentation; Gradle User
//! Manual, "Command-Line Interface"; ninja(1); rake(1); just(1); Task documentation, "CLI Reference".

use super::super::command_line::{Word, WordKind};
use super::Spelled;
use super::effect::Effect::{Loads, Runs, Writes};
use super::options::{self, Operands, PLAIN, Spec, Style};

/// Variables of a makefile that only say how much is told or how many run, when their value is a number or a switch.
const SETTINGS: &str = "V VERBOSE DEBUG QUIET TRACE CI RACE COVERAGE SHORT COUNT JOBS PARALLEL NO_COLOR COLOR RELEASE";

const TASK: Spec = Spec { long: "help version", operands: Operands::Tasks, runs_project: true, ..PLAIN };

/// The programs.
pub(super) const TASKS: &[Spec] = &[
    Spec {
        names: "make gmake",
        flags: "skBnwijO#",
        long: "silent quiet keep-going always-make just-print dry-run recon print-directory no-print-directory \
            output-sync ignore-errors jobs help version",
        refused: &[
            ("-f --file --makefile -C --directory -I --include-dir -e --environment-overrides -E --eval", Runs),
            ("-o --old-file --assume-old -W --what-if --new-file --assume-new", Loads),
        ],
        ..TASK
    },
    Spec {
        names: "mvn mvnw",
        style: Style::Words,
        long: "q B e X o N V U ntp am amd fae ff nsu T quiet batch-mode errors debug offline no-transfer-progress also-make \
            fail-at-end fail-fast version help DskipTests DskipITs Dtest Dit.test DfailIfNoTests \
            DfailIfNoSpecifiedTests Dsurefire.failIfNoSpecifiedTests Dmaven.test.skip Dstyle.color",
        refused: &[("f file s settings gs global-settings t toolchains D P l log-file pl projects", Loads)],
        ..TASK
    },
    Spec {
        names: "gradle gradlew",
        flags: "qidsSwBm",
        long: "info debug stacktrace quiet warn console no-daemon daemon parallel no-parallel continue offline rerun-tasks build-cache \
            no-build-cache no-configuration-cache configuration-cache dry-run tests: help version",
        refused: &[
            (
                "-I --init-script -b --build-file -p --project-dir -c --settings-file -g --gradle-user-home --include-build",
                Loads,
            ),
            ("-D -P -M --system-prop --project-prop --write-locks --write-verification-metadata", Loads),
        ],
        ..TASK
    },
    Spec {
        names: "ninja",
        flags: "nvdkj#",
        long: "verbose quiet help version",
        refused: &[("-C -f -t -d -w", Runs)],
        ..TASK
    },
    Spec {
        names: "just",
        refused: &[("-f --justfile --shell --set -d --working-directory -c --command", Runs)],
        ..TASK
    },
    Spec {
        names: "task go-task",
        flags: "svfyn",
        long: "silent verbose force yes dry summary parallel help version",
        refused: &[("-t --taskfile -d --dir -g --global -i --init", Runs), ("-o --output -w --watch", Writes)],
        ..TASK
    },
    Spec {
        names: "rake",
        flags: "qsvnt",
        long: "quiet silent verbose dry-run trace help version",
        refused: &[("-f --rakefile -r --require -I --libdir -e --execute -E -p -R --rakelibdir -g --system", Runs)],
        ..TASK
    },
];

/// Why a command of a runner of tasks is not covered.
pub(super) fn refusal(name: &str, spec: &Spec, words: &[Word], spelled: &[Spelled]) -> Option<String> {
    let is_task = |(word, spelled): (&Word, &Spelled)| {
        *spelled == Spelled::Out && !word.text.starts_with('-') && !word.text.contains('=')
    };
    if !words.iter().zip(spelled).skip(1).any(is_task) {
        return Some(format!("`{name}` runs what the project's files say, so a pattern has to name the task"));
    }
    options::check(name, spec, words, spelled, 1)
}

/// A number, the value of the option in front, or a setting that only says how much is told.
pub(super) fn is_harmless_operand(word: &Word) -> bool {
    let digits = |text: &str| (1..=4).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    if word.kind != WordKind::Exact {
        return false;
    }
    match word.text.split_once('=') {
        None => digits(&word.text),
        Some((name, value)) => {
            SETTINGS.split_ascii_whitespace().any(|listed| listed == name)
                && (digits(value) || ["true", "false", "yes", "no", "on", "off"].contains(&value))
        }
    }
}
