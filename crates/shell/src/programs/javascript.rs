//! Package managers, linters and test programs of JavaScript.

use super::class::Class;
use super::danger::{Danger, danger};
use super::effect::Effect::{self, Loads, Runs, Sends, Writes};
use super::fact::Fact;
use super::file_use::FileUse;
use super::printer::{Printer, printer};
use super::runs::behind;
use super::shared::{NPM_CHANGES, NPM_TALKS};
use super::spec::{Operands, PLAIN, Spec};
use super::state_change::{StateChange, StateChangeForm, changes_state};
use super::{Program, Talks, UNLISTED, later, lookers, options, runner};

/// Linters, formatters, type checkers and test programs of the JavaScript world, and those of others that spell
/// their options the same way. It also reads what a script of a `package.json` passes on, whichever of them
/// that script runs.
pub(super) const JAVASCRIPT: Spec = Spec {
    names: "eslint prettier tsc jest vitest mocha stylelint mypy pylint flake8 biome webpack vite rollup \
        esbuild playwright karma ava",
    // tsc takes its long options with one dash, too.
    flags: "vhq",
    long: "-t: ext quiet help version max-warnings color no-color no-cache coverage watch watchAll verbose silent bail check noEmit no-emit \
        passWithNoTests runInBand ci testNamePattern testPathPattern grep list-different ignore-unknown strict run changed all \
        pretty select no-coverage ignore-missing-imports max-line-length diff show-error-codes watchman no-error-on-unmatched-pattern \
        maxWorkers incremental skipLibCheck timeout retries shard testTimeout fgrep invert forbid-only exit parallel \
        no-parallel max-failures detectOpenHandles forceExit onlyChanged onlyFailures logHeapUsage headed workers repeat-each no-watch reporter=default reporter=verbose reporter=dot reporter=json reporter=tap",
    refused: &[
        (
            "-c --config --rulesdir --plugin --resolve-plugins-relative-to --parser -f --format -r --require --setupFiles --project -p \
                --import --loader --preset --rootDir --globalSetup --globals --env --transform --build -b --init --reporter",
            Loads,
        ),
        (
            "-o --output-file --outputFile --fix --fix-dry-run --write -w --outDir --outFile --cache-location --update -u --updateSnapshot",
            Writes,
        ),
    ],
    operands: Operands::Inside,
    runs_project: true,
    has_verbs: true,
    broad: true,
    ..PLAIN
};

const NPM_REFUSED: &[(&str, Effect)] = &[
    (
        "--script-shell --shell --node-options --exec --call -c --git --editor --viewer --browser --if-present --init-module",
        Runs,
    ),
    (
        "--prefix -C --dir --cwd --userconfig --globalconfig --cache --config --node-linker --require --scripts-prepend-node-path",
        Loads,
    ),
    ("--registry --proxy --https-proxy --otp", Sends),
    ("-g --global --location --force -f --unsafe-perm --output --pack-destination", Writes),
];

/// What a script passes on reaches a shell once more (`npm help run-script`). npm 11, pnpm 10 and yarn quote it, older
/// ones and scripts that pass it on again do not.
const SCRIPT_TEXT: &[(&str, Effect)] =
    &[(";", Runs), ("`", Runs), ("$(", Runs), ("&", Runs), ("\n", Runs), (">", Writes), ("<", Loads)];

/// npm, pnpm, yarn.
const NPM: &[Spec] = &[
    Spec {
        names: "test t tst",
        flags: "s",
        long: "silent coverage watch verbose version help runInBand bail ci passWithNoTests",
        refused: NPM_REFUSED,
        holding: SCRIPT_TEXT,
        has_verbs: true,
        // The script's program runs what it is given: not what lies elsewhere.
        operands: Operands::Inside,
        passes_on_to: Some(&JAVASCRIPT),
        runs_project: true,
        ..PLAIN
    },
    Spec {
        names: "run run-script",
        flags: "s",
        long: "silent help",
        refused: NPM_REFUSED,
        holding: SCRIPT_TEXT,
        operands: Operands::Pinned(1),
        passes_on_to: Some(&JAVASCRIPT),
        runs_project: true,
        broad: true,
        ..PLAIN
    },
    Spec {
        // `npm fund NAME` opens a browser.
        names: "audit fund",
        long: "json audit-level production omit help",
        refused: NPM_REFUSED,
        operands: Operands::AtMost(0),
        ..PLAIN
    },
    Spec {
        names: "ls list ll la outdated view info show why explain ping search root bin prefix",
        flags: "gals",
        long: "all depth json long parseable prod production dev global help audit-level",
        refused: &[
            ("--prefix -C --dir --cwd --userconfig --globalconfig --cache --config", Loads),
            ("--registry --proxy --https-proxy", Sends),
        ],
        operands: Operands::Names,
        ..PLAIN
    },
    Spec {
        names: "start build lint check typecheck format",
        flags: "s",
        long: "silent help",
        refused: NPM_REFUSED,
        holding: SCRIPT_TEXT,
        has_verbs: true,
        // The script's program runs what it is given: not what lies elsewhere.
        operands: Operands::Inside,
        passes_on_to: Some(&JAVASCRIPT),
        runs_project: true,
        ..PLAIN
    },
];

const NPM_DESTROYS: &[Danger] = &[danger("publish|unpublish|deprecate", "", "changes what others install")];

const NPM_PRINTS_TOKENS: Printer =
    printer("config get *_authToken|*_auth|*_password|npmAuthToken|npmAuthIdent", "npm help config");

/// Options of an installation after which the scripts of the project still run.
const NODE_INSTALLS: &str = "s silent quiet verbose audit no-audit fund no-fund progress no-progress prefer-offline offline \
    legacy-peer-deps foreground-scripts loglevel= omit= include= frozen-lockfile no-frozen-lockfile immutable \
    non-interactive force f";

/// npm-install(1), npm-ci(1).
const NPM_STATE_CHANGES: &[StateChangeForm] = &[
    changes_state("install|i|in|ins|inst|insta|instal|isnt|isnta|isntal|isntall", StateChange::Installs, NODE_INSTALLS)
        .permutes(),
    changes_state("ci|clean-install|ic|install-clean|isntall-clean", StateChange::Installs, NODE_INSTALLS).permutes(),
];

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: "npx",
        source: "npx(1)",
        is: &[
            Fact::NamesWithAt,
            Fact::RunsFetched,
            Fact::RunsOperands,
            Fact::RunsOthers,
            Fact::SaysVersion,
            Fact::RunsText,
        ],
        class: Class::Never("runs another program"),
        stands_for: &["npm", "exec"],
        flags: "-y --yes",
        project_commands: &[""],
        does: "runs programs of the project",
        talks: Talks::Always,
        implied: "package.json",
        ..UNLISTED
    },
    Program {
        names: "pnpx",
        source: "pnpx(1)",
        is: &[Fact::RunsFetched, Fact::RunsOperands],
        class: Class::Never("runs another program"),
        stands_for: &["pnpm", "dlx"],
        implied: "package.json",
        ..UNLISTED
    },
    Program {
        names: "bunx",
        source: "bunx(1)",
        is: &[Fact::NamesWithAt, Fact::RunsFetched, Fact::RunsOperands, Fact::RunsOthers, Fact::RunsText],
        class: Class::Never("runs another program"),
        stands_for: &["bun", "x"],
        project_commands: &[""],
        does: "runs programs of the project",
        talks: Talks::Always,
        implied: "package.json",
        ..UNLISTED
    },
    Program { sets: later::COREPACK, ..runner("corepack", "Node.js documentation, \"Corepack\"") },
    runner("nyc ts-run", "nyc(1), ts-run(1)"),
    Program {
        names: "lerna",
        source: "lerna(1)",
        is: &[Fact::RunsOperands],
        class: Class::Never("runs another program"),
        destroys: &[danger("publish", "", "publishes packages")],
        ..UNLISTED
    },
    Program {
        names: "npm",
        source: "npm help",
        leading: "--silent -s",
        sets: later::NODE_PACKAGES,
        is: &[
            Fact::Abbreviates,
            Fact::NamesWithAt,
            Fact::RunsOperands,
            Fact::SaysVersion,
            Fact::SaysVersionByLetter,
            Fact::TellsOperands,
        ],
        class: Class::SubCommands(&[NPM]),
        runs: &[behind("exec", 0), behind("x", 0), behind("explore", 1)],
        flags: "-y --yes",
        valued: "--prefix -C --dir --cwd -w --workspace -F --filter --registry --userconfig --globalconfig \
            --cache --loglevel --tag --otp --scope --script-shell",
        fetched: "exec x",
        running_letters: "c",
        sub_commands: "access add adduser audit author bugs cache ci clean-install completion create dedupe \
            deprecate diff dist-tag docs doctor edit explain find-dupes fund get help hook i in info \
            init install install-ci-test install-test issues la link list ll ln login logout ls org \
            outdated owner pack ping prefix profile prune publish query r rb rebuild remove repo restart \
            rm root run run-script s sbom se search shrinkwrap star stars start stop t team test token \
            tst un uninstall unlink unpublish unstar up update upgrade v version view whoami why \
            workspaces patch store import build lint dev why pm",
        synonyms: &[
            "install|i|in|ins|inst|insta|instal|isnt|isnta|isntal|isntall|add",
            "uninstall|unlink|remove|rm|r|un",
            "run|run-script|rum|urn",
            "exec|x",
            "publish|pub",
            "update|up|upgrade|udpate",
            "view|info|show|v",
            "ci|clean-install|ic|install-clean|isntall-clean",
            "install-test|it",
            "install-ci-test|cit|clean-install-test|sit",
            "test|tst|t",
            "create|init|innit",
            "ls|list|ll|la",
            "dedupe|ddp",
            "rebuild|rb",
            "search|s|se|find",
            "link|ln",
            "config|c",
            "adduser|add-user",
            "dist-tag|dist-tags",
            "owner|author",
            "org|ogr",
            "token|tokens",
            "docs|home",
            "bugs|issues",
            "explain|why",
            "help|hlep",
        ],
        same_options: &[("", "f=force g=global w=workspace D=save-dev y=yes r=recursive")],
        same_option: Some(("--location=global", "--global")),
        looks: lookers::NPM,
        destroys: NPM_DESTROYS,
        prints: &[printer("token list|ls|create", "npm help token"), NPM_PRINTS_TOKENS],
        changes: NPM_CHANGES,
        talks: NPM_TALKS,
        publishes: &[(
            "publish|unpublish|deprecate|undeprecate|dist-tag|dist-tags|access|owner|team|token|star|unstar|hook|org|profile|login|adduser|stage",
            "",
        )],
        open_behind: &["ls", "run +", "test"],
        implied: "package.json",
        state_changes: NPM_STATE_CHANGES,
        ..UNLISTED
    },
    Program {
        names: "pnpm",
        source: "pnpm documentation, \"CLI\"",
        leading: "--silent -s -r --recursive",
        sets: later::NODE_PACKAGES,
        is: &[Fact::NamesWithAt, Fact::RunsOthers, Fact::SaysVersion, Fact::SaysVersionByLetter],
        class: Class::SubCommands(&[NPM]),
        runs: &[behind("exec", 0), behind("dlx", 0)],
        flags: "-y --yes",
        valued: "--prefix -C --dir --cwd -w --workspace -F --filter --registry --userconfig --globalconfig \
            --cache --loglevel --tag --otp --scope --script-shell",
        project_commands: &["exec"],
        fetched: "dlx exec",
        sub_commands: "access add adduser audit author bugs cache ci clean-install completion create dedupe \
            deprecate diff dist-tag docs doctor edit explain find-dupes fund get help hook i in info \
            init install install-ci-test install-test issues la link list ll ln login logout ls org \
            outdated owner pack ping prefix profile prune publish query r rb rebuild remove repo restart \
            rm root run run-script s sbom se search shrinkwrap star stars start stop t team test token \
            tst un uninstall unlink unpublish unstar up update upgrade v version view whoami why \
            workspaces patch store import build lint dev why pm",
        synonyms: &[
            "install|i",
            "add|install-pkg",
            "remove|rm|uninstall|un",
            "update|up|upgrade",
            "run|run-script",
            "list|ls",
            "unlink|dislink",
            "exec|x",
        ],
        same_options: &[("", "f=force g=global w=workspace D=save-dev y=yes r=recursive")],
        looks: lookers::PNPM,
        destroys: NPM_DESTROYS,
        prints: &[NPM_PRINTS_TOKENS],
        changes: NPM_CHANGES,
        talks: NPM_TALKS,
        publishes: &[(
            "publish|unpublish|deprecate|undeprecate|dist-tag|dist-tags|access|owner|team|token|star|unstar|hook|org|profile|login|adduser|stage",
            "",
        )],
        open_behind: &["ls", "run +", "test"],
        implied: "package.json",
        state_changes: &[changes_state("install|i", StateChange::Installs, NODE_INSTALLS).permutes()],
        ..UNLISTED
    },
    Program {
        names: "yarn",
        source: "Yarn documentation, \"CLI\"",
        looks: lookers::YARN,
        sets: later::NODE_PACKAGES,
        is: &[Fact::NamesWithAt, Fact::SaysVersion, Fact::SaysVersionByLetter],
        class: Class::SubCommands(&[NPM]),
        runs: &[
            behind("workspaces foreach exec", 0),
            behind("workspaces foreach run", 0),
            behind("exec", 0),
            behind("dlx", 0),
        ],
        valued: "--prefix -C --dir --cwd -w --workspace -F --filter --registry --userconfig --globalconfig \
            --cache --loglevel --tag --otp --scope --script-shell",
        project_commands: &["exec"],
        fetched: "dlx exec",
        sub_commands: "access add adduser audit author bugs cache ci clean-install completion create dedupe \
            deprecate diff dist-tag docs doctor edit explain find-dupes fund get help hook i in info \
            init install install-ci-test install-test issues la link list ll ln login logout ls org \
            outdated owner pack ping prefix profile prune publish query r rb rebuild remove repo restart \
            rm root run run-script s sbom se search shrinkwrap star stars start stop t team test token \
            tst un uninstall unlink unpublish unstar up update upgrade v version view whoami why \
            workspaces patch store import build lint dev why pm",
        synonyms: &[
            "add|npm add",
            "publish|npm publish",
            "run|run-script",
            "upgrade|up",
            "unpublish|npm unpublish",
            "tag|npm tag",
        ],
        same_options: &[("", "f=force g=global w=workspace D=save-dev y=yes r=recursive")],
        destroys: &[danger("publish", "", "publishes a package"), danger("npm publish", "", "publishes a package")],
        prints: &[NPM_PRINTS_TOKENS, printer("config get|list|show", "yarn config get --help").with("no-redacted")],
        changes: NPM_CHANGES,
        talks: NPM_TALKS,
        publishes: &[(
            "publish|unpublish|deprecate|undeprecate|dist-tag|dist-tags|access|owner|team|token|star|unstar|hook|org|profile|login|adduser|stage",
            "",
        )],
        open_behind: &["run +", "test"],
        implied: "package.json",
        state_changes: &[
            changes_state("install", StateChange::Installs, NODE_INSTALLS).permutes(),
            changes_state("", StateChange::Installs, NODE_INSTALLS).permutes(),
        ],
        ..UNLISTED
    },
    Program {
        names: "eslint prettier jest vitest",
        source: "eslint(1), prettier(1), jest(1) and the manual page of each other",
        is: &[Fact::SaysVersion],
        class: Class::Options(&JAVASCRIPT),
        open_behind: &[""],
        ..UNLISTED
    },
    Program {
        names: "tsc",
        source: "tsc(1)",
        is: &[Fact::SaysVersion, Fact::SaysVersionByLetter],
        class: Class::Options(&JAVASCRIPT),
        files: FileUse { written: "-o --outfile", ..FileUse::PLAIN },
        open_behind: &[""],
        ..UNLISTED
    },
    Program { open_behind: &[""], ..options("stylelint playwright", "stylelint(1), playwright(1)", &JAVASCRIPT) },
    Program { open_behind: &["check", "ci", "format", "lint"], ..options("biome", "biome(1)", &JAVASCRIPT) },
    options(
        "mocha webpack vite rollup karma ava",
        "mocha(1), webpack(1) and the manual page of each other",
        &JAVASCRIPT,
    ),
    Program {
        names: "esbuild",
        source: "esbuild(1)",
        class: Class::Options(&JAVASCRIPT),
        files: FileUse { written: "-o --outfile", ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "yarn.js yarn.cjs",
        source: "the packages that install it under this name",
        first_name: "yarn",
        ..UNLISTED
    },
    Program {
        names: "npm-cli.js",
        source: "the packages that install it under this name",
        first_name: "npm",
        ..UNLISTED
    },
    Program {
        names: "npx-cli.js",
        source: "the packages that install it under this name",
        first_name: "npx",
        ..UNLISTED
    },
    Program {
        names: "pnpm.js pnpm.cjs",
        source: "the packages that install it under this name",
        first_name: "pnpm",
        ..UNLISTED
    },
];
