//! How each runner of tasks is called, and where its tasks stand.

use crate::facts::TaskRunner;

/// One program that runs tasks of a project. Sources: each program's `--help`.
pub(super) struct Runner {
    pub(super) runner: TaskRunner,
    pub(super) programs: &'static str,
    /// Sub-commands that are followed by the name of a task. None: every word is a task.
    pub(super) verbs: &'static str,
    /// Words that are a task by themselves, with its name.
    pub(super) short: &'static [(&'static str, &'static str)],
    /// Sub-commands of its own, where every other word is a task.
    pub(super) own: Option<&'static str>,
    /// Options that change nothing about what runs.
    pub(super) harmless: &'static str,
    /// Options behind the name are its own as well.
    pub(super) reads_options_everywhere: bool,
}

const PLAIN: Runner = Runner {
    runner: TaskRunner::Npm,
    programs: "",
    verbs: "run",
    short: &[],
    own: None,
    harmless: "",
    reads_options_everywhere: false,
};

pub(super) const RUNNERS: &[Runner] = &[
    // npm 11, `npm help run`: what npm does not know of `--x` goes into the environment of the script only.
    Runner {
        runner: TaskRunner::Npm,
        programs: "npm",
        verbs: "run run-script rum urn",
        short: &[("test t tst", "test"), ("start", "start"), ("stop", "stop")],
        harmless: "-s --silent -q --quiet --verbose --no-color --if-present --foreground-scripts",
        reads_options_everywhere: true,
        ..PLAIN
    },
    // pnpm 10, "pnpm run".
    Runner {
        runner: TaskRunner::Pnpm,
        programs: "pnpm",
        verbs: "run run-script",
        short: &[("test t tst", "test"), ("start", "start"), ("stop", "stop")],
        own: Some(
            "add approve-builds audit bin bugs c cache cat-file cat-index ci clean-install config create dedupe deploy deprecate \
            dist-tag dlx docs doctor env exec fetch find-hash get help home i import info init install install-test it \
            licenses link list ll ln login logout ls org outdated owner pack patch patch-commit patch-remove ping pkg \
            prefix profile prune publish rb rebuild recursive remove repo restart rm root s search self-update server set \
            setup show store team token un undeprecate uninstall unlink unpublish up update upgrade v version versions view \
            whoami why x la m multi exec",
        ),
        harmless: "-s --silent --no-color --color --if-present",
        ..PLAIN
    },
    // Yarn 1 and 4, "yarn run".
    Runner {
        runner: TaskRunner::Yarn,
        programs: "yarn yarnpkg",
        short: &[("test", "test"), ("start", "start")],
        own: Some(
            "access add audit autoclean bin cache check config constraints create dedupe dlx exec explain \
            generate-lock-entry global help import info init install licenses link list login logout node npm outdated owner \
            pack patch patch-commit plugin plugins policies prune publish rebuild remove run search self-update set stage tag \
            team unlink unplug up upgrade upgrade-interactive v version versions why workspace workspaces whoami",
        ),
        harmless: "-s --silent",
        ..PLAIN
    },
    // Bun 1, "bun run"; `bun test` is its own.
    Runner {
        runner: TaskRunner::Bun,
        programs: "bun",
        own: Some(
            "a add audit build c create dev exec getcompletes help i info init install link outdated patch patch-commit pm \
            publish r remove repl rm run test unlink update upgrade why x",
        ),
        harmless: "--silent --bun -b --if-present",
        ..PLAIN
    },
    // make(1).
    Runner {
        runner: TaskRunner::Make,
        programs: "make gmake",
        verbs: "",
        harmless: "-s --silent --quiet -k --keep-going -B --always-make -n --just-print --dry-run --recon -w \
            --print-directory --no-print-directory -i --ignore-errors -j -j1 -j2 -j3 -j4 -j6 -j8 -j10 -j12 -j16 -j32 -O \
            --output-sync --trace",
        ..PLAIN
    },
    // mise, "mise run"; its own commands from `mise --help`.
    Runner {
        runner: TaskRunner::Mise,
        programs: "mise",
        verbs: "run r",
        own: Some(
            "a activate alias asdf b backends bin-paths bootstrap cache cfg completion config cp current d deactivate deps \
            direnv dr doctor e en env exec f fmt g generate generate-task-docs global hook-env hook-not-found i implode \
            import install install-into install-plugin installs l lang latest link list list-all list-remote ln local lock ls \
            ls-remote mcp mkdir outdated p plugin plugins prepare prune registry remove render-help reshim r rm run s \
            search self-update set settings sh shell shell-alias sync t task tasks test-tool tool tool-alias tool-stub trust u \
            uninstall un unset unuse up update upgrade usage use v version w watch where which x",
        ),
        harmless: "-q --quiet -S --silent --no-cache --no-prepare --no-deps-install -y --yes --no-timings --timings",
        ..PLAIN
    },
    // The Cargo Book, "Cargo Commands", "alias": its own commands cannot be replaced; `clippy` can.
    Runner {
        runner: TaskRunner::Cargo,
        programs: "cargo",
        // No verb is called so.
        verbs: "-",
        own: Some(
            "add bench build check clean config doc fetch fix generate-lockfile help info init install locate-project login \
            logout metadata new owner package pkgid publish read-manifest remove report run rustc rustdoc search test tree \
            uninstall update vendor verify-project version yank",
        ),
        harmless: "-q --quiet -v --verbose --locked --offline --frozen",
        ..PLAIN
    },
    // just(1): what follows a name may be its arguments.
    Runner { runner: TaskRunner::Just, programs: "just", verbs: "", harmless: "-q --quiet -v --verbose", ..PLAIN },
    // Task documentation, "CLI Reference".
    Runner {
        runner: TaskRunner::Task,
        programs: "task go-task",
        verbs: "",
        harmless: "-s --silent -v --verbose -f --force -y --yes",
        ..PLAIN
    },
    // Deno documentation, "deno task".
    Runner { runner: TaskRunner::Deno, programs: "deno", verbs: "task", harmless: "-q --quiet", ..PLAIN },
    // Composer documentation, "Scripts".
    Runner {
        runner: TaskRunner::Composer,
        programs: "composer",
        verbs: "run run-script",
        short: &[("test", "test")],
        harmless: "-q --quiet -v -vv --no-interaction -n --no-ansi --ansi",
        ..PLAIN
    },
    // Poe the Poet documentation, "Usage".
    Runner {
        runner: TaskRunner::Poe,
        programs: "poe",
        // No verb is called so.
        verbs: "-",
        own: Some(""),
        harmless: "-q --quiet -v --verbose",
        ..PLAIN
    },
    // PDM documentation, "PDM Scripts".
    Runner { runner: TaskRunner::Pdm, programs: "pdm", verbs: "run", harmless: "-q --quiet -v", ..PLAIN },
];
