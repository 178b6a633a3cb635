//! Compilers, build tools and test programs of languages.

use super::class::Class;
use super::danger::danger;
use super::effect::Effect::{self, Loads, Runs, Sends, Writes};
use super::fact::Fact;
use super::file_use::FileUse;
use super::form::form;
use super::interactive::Interactive;
use super::javascript::JAVASCRIPT;
use super::runs::behind;
use super::shared::{GO_INTERACTIVE, UNINSTALL_CHANGES};
use super::spec::{Operands, PLAIN, Spec, Style};
use super::{Program, Talks, UNLISTED, later, lookers, never, options, runner};

const CARGO_REFUSED: &[(&str, Effect)] = &[
    ("--config -Z -C", Runs),
    (
        "--manifest-path --target-dir --target --lockfile-path --artifact-dir --out-dir --registry --index --path --git",
        Loads,
    ),
    ("--fix --allow-dirty", Writes),
];

/// What has a value says so, since libtest or a linter reads the words behind `--`.
const CARGO_LONG: &str = "package: workspace all exclude: lib bin: bins example: examples test: tests bench: benches all-targets features: all-features \
    no-default-features no-deps release profile: jobs: keep-going verbose quiet color: message-format: locked offline frozen no-run no-fail-fast \
    doc timings ignore-rust-version future-incompat-report check help";

const CARGO_BUILD: Spec = Spec {
    flags: "vqr",
    valued: "pjF",
    long: CARGO_LONG,
    refused: CARGO_REFUSED,
    operands: Operands::Plain,
    runs_project: true,
    ..PLAIN
};

/// Options of test programs (The Rustc Book, "Tests": CLI arguments).
const LIBTEST: Spec = Spec {
    flags: "q",
    long: "nocapture no-capture test-threads: ignored include-ignored exact skip: list quiet color: format: show-output bench test \
        report-time ensure-time shuffle shuffle-seed: exclude-should-panic force-run-in-process help baseline:",
    refused: &[("--logfile", Writes), ("-Z", Runs)],
    ..PLAIN
};

/// Lints, the only options of rustc(1) that tell it nothing else.
const LINTS: Spec = Spec {
    valued: "DWAF",
    long: "deny: warn: allow: forbid: cap-lints: no-deps help",
    refused: &[("-Z -C -L -l -B --extern --sysroot --codegen --config", Runs), ("-o --out-dir --emit", Writes)],
    operands: Operands::None,
    ..PLAIN
};

/// rustfmt(1) behind `cargo fmt --`.
const RUSTFMT: Spec = Spec {
    flags: "lvq",
    long: "check files-with-diff verbose quiet edition: color: help version",
    refused: &[("--config --config-path --style-edition", Loads), ("--emit --backup --print-config", Writes)],
    operands: Operands::Inside,
    ..PLAIN
};

/// Cargo.
const CARGO: &[Spec] = &[
    Spec { names: "check c build b doc d", ..CARGO_BUILD },
    Spec { names: "test t bench", passes_on_to: Some(&LIBTEST), ..CARGO_BUILD },
    Spec { names: "clippy", passes_on_to: Some(&LINTS), ..CARGO_BUILD },
    Spec { names: "fmt", passes_on_to: Some(&RUSTFMT), ..CARGO_BUILD },
    Spec {
        names: "nextest",
        flags: "vqr",
        valued: "pjFE",
        long: "package: workspace all exclude: lib bin: bins example: examples test: tests bench: benches all-targets features: all-features \
            no-default-features release cargo-profile: profile: jobs: build-jobs: test-threads: verbose quiet color: locked offline frozen \
            no-run no-fail-fast fail-fast no-capture nocapture retries: run-ignored: partition: filterset: filter-expr: status-level: \
            final-status-level: failure-output: success-output: message-format: ignore-default-filter hide-progress-bar no-tests: help",
        refused: &[
            (
                "--config --config-file --tool-config-file --user-config-file -Z --archive-file --binaries-metadata",
                Runs,
            ),
            ("--manifest-path --target-dir --target --workspace-remap --extract-to", Loads),
        ],
        // `self` replaces the program.
        operands: Operands::Command("run r list bench"),
        passes_on_to: Some(&LIBTEST),
        runs_project: true,
        has_verbs: true,
        ..PLAIN
    },
    Spec {
        names: "tree metadata pkgid locate-project version read-manifest verify-project search info",
        flags: "vqd",
        valued: "peifF",
        long: "package workspace edges invert depth duplicates features all-features no-default-features no-dedupe prefix format charset locked offline frozen no-deps format-version verbose quiet color help limit exclude",
        refused: CARGO_REFUSED,
        ..PLAIN
    },
];

const GO_REFUSED: &[(&str, Effect)] = &[
    ("exec toolexec vettool gccgoflags gcflags asmflags ldflags compiler", Runs),
    (
        "o outputdir coverprofile cpuprofile memprofile blockprofile mutexprofile trace test.outputdir fix w work pkgdir",
        Writes,
    ),
    ("versions u", Sends),
    ("C overlay modfile modcacherw installsuffix args fuzz fuzzcachedir pgo mod json-file", Loads),
];

/// Go.
const GO: &[Spec] = &[Spec {
    names: "test vet build list doc version fmt env",
    style: Style::Words,
    long: "v run count short race cover timeout bench benchmem cpu failfast parallel json list tags a n x p deps m e f test all u1 src cmd skip vet shuffle",
    refused: GO_REFUSED,
    // `go list -m host/module@version` fetches it.
    holding: &[("@", Sends)],
    runs_project: true,
    // It builds and runs what an operand names: not what lies elsewhere.
    operands: Operands::Inside,
    broad: true,
    ..PLAIN
}];

/// dotnet: the words behind the sub-command are those of MSBuild, too, with one dash (MSBuild reference,
/// "Command-line reference": `-fl` writes a log, `-p` sets anything).
const DOTNET: &[Spec] = &[Spec {
    names: "build test restore list --version --info --list-sdks",
    style: Style::Words,
    long: "c f v configuration framework no-build no-restore verbosity nologo filter list-tests help h m nodeReuse:false \
        v:q v:m v:n v:quiet v:minimal v:normal verbosity:quiet verbosity:minimal warnaserror no-incremental no-dependencies \
        no-logo tl:off",
    refused: &[
        ("o output results-directory logger l collect d diag artifacts-path fl flp bl dl", Writes),
        ("s source settings configfile p property test-adapter-path packages runtime r t target", Loads),
        ("interactive blame", Runs),
    ],
    operands: Operands::Inside,
    runs_project: true,
    ..PLAIN
}];

const GCC_OPTIONS: Spec = Spec {
    style: Style::Words,
    long: "Wall Wextra Werror Wpedantic pedantic g g3 O0 O1 O2 O3 Os fsyntax-only std v version help E S ansi w \
        pipe dumpversion dumpmachine",
    refused: &[
        ("wrapper B fplugin specs Xlinker Wl no-canonical-prefixes Xclang load", Runs),
        ("o save-temps MF dumpdir c", Writes),
    ],
    operands: Operands::Plain,
    broad: true,
    ..PLAIN
};

const PYTEST_CALLS: Spec = Spec {
    flags: "vqsxlhO",
    valued: "kmrn",
    long: "verbose quiet exitfirst maxfail lf last-failed ff failed-first tb durations collect-only co \
                no-header no-summary showlocals stepwise sw disable-warnings capture markers fixtures help \
                version color cov strict-markers strict-config numprocesses ignore timeout no-cov deselect \
                no-cov-on-fail cov-branch cov-fail-under cov-report=term cov-report=term-missing \
                cov-report=term:skip-covered cov-report=term-missing:skip-covered log-level log-cli-level \
                show-capture new-first nf setup-show reruns forked asyncio-mode failed-first ignore-glob",
    refused: &[
        (
            "-p -c --rootdir --confcutdir --import-mode -o --override-ini --pyargs --config-file -W \
                        --pythonwarnings --pdbcls --pdb",
            Loads,
        ),
        (
            "--basetemp --junitxml --junit-xml --log-file --cov-report --cov-config --debug --cache-clear \
                        --pastebin --report-log --result-log",
            Writes,
        ),
    ],
    operands: Operands::Inside,
    runs_project: true,
    broad: true,
    ..PLAIN
};

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: "nixpkgs-fmt psalter autopep8",
        source: "nixpkgs-fmt(1), psalter(1), autopep8(1)",
        class: Class::Writer,
        ..UNLISTED
    },
    Program {
        names: "coverage",
        source: "coverage(1)",
        is: &[Fact::RunsOperands],
        class: Class::Never("runs another program"),
        project_commands: &["run -m"],
        ..UNLISTED
    },
    runner(
        "kernprof py-spy memray scalene rr ctags-exuberant",
        "kernprof(1), py-spy(1), memray(1) and the manual page of each other",
    ),
    never("ruff-lsp", "ruff-lsp(1)", "can change the system or run other programs"),
    Program {
        names: "cargo",
        source: "The Cargo Book, \"Cargo Commands\"; The Rustc Book, \"Tests\"",
        sets: later::CARGO,
        is: &[
            Fact::SaysHelp,
            Fact::Hyphenated,
            Fact::RunsOthers,
            Fact::SaysVersion,
            Fact::SaysVersionByCapital,
            Fact::TakesToolchain,
        ],
        class: Class::SubCommands(&[CARGO]),
        valued: "--config -Z -C --color --manifest-path --target-dir",
        running: "--config",
        sub_commands: "add b bench build c check clean clippy d doc expand fetch fix fmt generate-lockfile help \
            info init install locate-project login logout metadata new nextest owner package pkgid \
            publish remove report rm search t test tree uninstall update vendor verify-project version \
            yank machete udeps audit deny outdated llvm-cov",
        synonyms: &["build|b", "check|c", "doc|d", "test|t", "run|r", "remove|rm"],
        looks: lookers::CARGO,
        destroys: &[danger("publish|yank", "", "changes what others install")],
        changes: &[
            UNINSTALL_CHANGES,
            ("build|check|test|run|bench|clippy|doc", "builds the project, which runs its scripts"),
            ("install|add|update|fix|fmt", "changes the project or installs programs"),
        ],
        talks: Talks::For(&[(
            "install|fetch|update|add|publish|yank|search|login|owner|build|check|test|run|clippy|tree|metadata|audit",
            "",
        )]),
        publishes: &[("publish|yank|owner|login|logout", "")],
        open_behind: &["bench", "build", "check", "clippy", "doc", "fmt", "metadata", "nextest run", "test", "tree"],
        implied: "Cargo.toml build.rs",
        ..UNLISTED
    },
    Program {
        names: "go",
        source: "go help build, go help testflag",
        running: "-exec -toolexec -vettool",
        sets: later::GO,
        is: &[Fact::SaysVersion, Fact::TellsOperands, Fact::Versioned],
        class: Class::SubCommands(&[GO]),
        valued: "-C",
        sub_commands: "build clean doc env fix fmt get install list mod work test version vet bug telemetry",
        looks: lookers::GO,
        changes: &[("build|test|run|install|get|generate|mod", "builds or changes the project")],
        talks: Talks::For(&[("get|install|mod|build|test|run|list|vet", "")]),
        interactive: GO_INTERACTIVE,
        files: FileUse { written: "-o --outfile", ..FileUse::PLAIN },
        open_behind: &["build", "fmt", "list", "test", "vet"],
        ..UNLISTED
    },
    Program {
        names: "dotnet",
        source: ".NET CLI reference; MSBuild reference, \"Command-line reference\"",
        sets: later::DOTNET,
        is: &[Fact::SaysVersion],
        class: Class::SubCommands(&[DOTNET]),
        sub_commands: "build test restore list add remove publish pack clean new sln nuget format",
        destroys: &[danger("nuget push|delete", "", "changes what others install")],
        interactive: &[Interactive::As(&[&["fsi"]])],
        talks: Talks::For(&[("restore|build|test|run|publish|tool|workload|nuget|add|list", "")]),
        publishes: &[("nuget push|delete", "")],
        open_behind: &["build", "format", "test"],
        ..UNLISTED
    },
    Program {
        names: "gcc clang",
        source: "gcc(1), clang(1)",
        is: &[Fact::OfTheSystem, Fact::SaysVersion, Fact::Versioned],
        class: Class::Options(&GCC_OPTIONS),
        files: FileUse { written: "-o --outfile", ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "g++ cc",
        source: "g++(1), cc(1)",
        is: &[Fact::OfTheSystem, Fact::SaysVersion],
        class: Class::Options(&GCC_OPTIONS),
        files: FileUse { written: "-o --outfile", ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "c++",
        source: "c++(1)",
        is: &[Fact::OfTheSystem, Fact::SaysVersion],
        class: Class::Options(&GCC_OPTIONS),
        ..UNLISTED
    },
    Program {
        names: "clang++",
        source: "clang++(1)",
        is: &[Fact::SaysVersion],
        class: Class::Options(&GCC_OPTIONS),
        files: FileUse { written: "-o --outfile", ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "rustc",
        source: "rustc(1)",
        is: &[Fact::SaysVersion, Fact::SaysVersionByCapital, Fact::TakesToolchain],
        class: Class::Options(&GCC_OPTIONS),
        looks: &[
            // `KIND=PATH` writes the file.
            form("--print sysroot", "").at_most(0),
            form("--print target-libdir", "").at_most(0),
            form("--print target-list", "").at_most(0),
            form("--print target-cpus", "").at_most(0),
            form("--print target-features", "").at_most(0),
            form("--print host-tuple", "").at_most(0),
            form("--print cfg", "").at_most(0),
            form("--version", "v verbose").at_most(0),
            form("-V", "v verbose").at_most(0),
        ],
        files: FileUse { written: "-o --outfile", ..FileUse::PLAIN },
        ..UNLISTED
    },
    options("tcc", "tcc(1)", &GCC_OPTIONS),
    Program { open_behind: &[""], ..options("mypy pylint flake8", "mypy(1), pylint(1), flake8(1)", &JAVASCRIPT) },
    Program {
        open_behind: &[""],
        implied: "conftest.py pyproject.toml pytest.ini",
        ..options("pytest", "pytest documentation, \"Command-line Flags\"", &PYTEST_CALLS)
    },
    options("py.test", "pytest documentation, \"Command-line Flags\"", &PYTEST_CALLS),
    Program {
        names: "rustup",
        source: "rustup(1)",
        groups: "toolchain target component override self",
        sets: later::RUSTUP,
        is: &[Fact::SaysHelp, Fact::SaysVersion, Fact::TakesToolchain],
        runs: &[behind("run", 1)],
        sub_commands: "update install uninstall show default toolchain target component override self doc which",
        looks: lookers::RUSTUP,
        talks: Talks::For(&[("update|install|toolchain|self|component|target", "")]),
        ..UNLISTED
    },
    Program { names: "clippy-driver", source: "clippy-driver(1)", is: &[Fact::SaysVersion], ..UNLISTED },
];
