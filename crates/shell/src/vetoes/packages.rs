//! Build tools, package tools and clients of services with sub-commands.
//!
//! Sources: `npm help`, pnpm and yarn documentation; The Cargo Book "Cargo Commands"; `go help
//! build`, `go help testflag`; pip(1); docker(1) and kubectl(1) references; systemctl(1);
//! apt-get(8); brew(1); .NET CLI reference.

use super::effect::Effect::{self, Changes, Loads, Runs, Sends, Writes};
use super::options::{Operands, PLAIN, Spec, Style};
use super::tools::JAVASCRIPT;

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
const SHELL: &[(&str, Effect)] =
    &[(";", Runs), ("`", Runs), ("$(", Runs), ("&", Runs), ("\n", Runs), (">", Writes), ("<", Loads)];

/// npm, pnpm, yarn.
pub(super) const NPM: &[Spec] = &[
    Spec {
        names: "test t tst",
        flags: "s",
        long: "silent coverage watch verbose version help runInBand bail ci passWithNoTests",
        refused: NPM_REFUSED,
        holding: SHELL,
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
        holding: SHELL,
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
        holding: SHELL,
        has_verbs: true,
        // The script's program runs what it is given: not what lies elsewhere.
        operands: Operands::Inside,
        passes_on_to: Some(&JAVASCRIPT),
        runs_project: true,
        ..PLAIN
    },
];

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
pub(super) const CARGO: &[Spec] = &[
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
        flags: "vqedi",
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
pub(super) const GO: &[Spec] = &[Spec {
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

/// pip, uv, poetry: only what looks.
pub(super) const PIP: &[Spec] = &[Spec {
    names: "list show freeze check inspect debug",
    flags: "vqol",
    long: "outdated uptodate local user format verbose quiet files not-required exclude help",
    refused: &[(
        "--python --index-url --extra-index-url -i --proxy --path --log --cache-dir --config-settings -r --requirement --find-links -f",
        Loads,
    )],
    ..PLAIN
}];

const CONTAINER_REFUSED: &[(&str, Effect)] =
    &[("-H --host -c --context --config --tlscacert", Loads), ("-o --output --iidfile --cidfile", Writes)];

/// Sub-commands of Compose for services of the project's own file (docker-compose-up(1) and its neighbours).
const COMPOSE_SERVICES: Spec = Spec {
    flags: "dq",
    valued: "t",
    long: "detach build no-build wait force-recreate no-recreate no-deps quiet quiet-pull no-color no-log-prefix timeout: \
        abort-on-container-exit no-start remove-orphans no-cache pull progress: wait-timeout: help",
    refused: &[("-V --renew-anon-volumes --scale --attach -w --watch --push --ssh --builder --build-arg", Changes)],
    operands: Operands::Names,
    runs_project: true,
    ..PLAIN
};

/// docker-compose: what looks, and services of the project.
pub(super) const COMPOSE: &[Spec] = &[
    Spec { names: "up build pull start stop restart", ..COMPOSE_SERVICES },
    Spec {
        names: "ps logs ls version images port top config",
        flags: "aqtf",
        valued: "n",
        long: "all quiet format filter tail since until timestamps follow services volumes images no-color no-log-prefix help",
        refused: CONTAINER_REFUSED,
        ..PLAIN
    },
];

/// GitHub's client: only what looks.
pub(super) const GH: &[Spec] = &[Spec {
    names: "pr:view pr:list pr:diff pr:checks pr:status issue:view issue:list issue:status run:view run:list repo:view repo:list \
        release:view release:list workflow:view workflow:list label:list search:issues search:prs search:code search:repos search:commits",
    flags: "cv",
    valued: "RLslaABHSjqbe",
    long: "repo limit state label author assignee base head search json jq comments log log-failed job verbose exit-status branch \
        workflow status user event commit name-only patch color draft required watch interval fail-fast language sort order owner \
        milestone mention app match visibility archived topic help",
    refused: &[("-w --web", Runs), ("-t --template", Loads)],
    operands: Operands::GitHub,
    ..PLAIN
}];

/// docker, podman: what looks, and what builds and starts the project.
pub(super) const DOCKER: &[Spec] = &[
    // docker-buildx-build(1): what is built lies in the folder; a secret, another place for the result or the cache,
    // and more rights have to be spelled out.
    Spec {
        names: "build buildx:build",
        // The value of `-f` is looked at as an operand.
        flags: "qf",
        valued: "t",
        long: "tag: quiet no-cache pull progress: platform: target: label: rm force-rm load squash help",
        refused: &[
            ("--file --build-arg", Loads),
            ("-o --output --iidfile --metadata-file --cache-to --push --sbom --attest --provenance", Writes),
            (
                "--secret --ssh --build-context --cache-from --cgroup-parent --allow --network --add-host -H --host -c --context",
                Loads,
            ),
            ("--security-opt --privileged --cap-add --device --isolation -v --volume", Runs),
        ],
        // docker-build(1): a context that begins so is a repository, without a scheme too.
        holding: &[("github.com/", Sends)],
        operands: Operands::InsideAtMost(2),
        runs_project: true,
        ..PLAIN
    },
    Spec {
        names: "compose:up compose:build compose:pull compose:start compose:stop compose:restart",
        ..COMPOSE_SERVICES
    },
    // `host/term` asks another registry.
    Spec { names: "search", long: "filter limit no-trunc format help", operands: Operands::Names, ..PLAIN },
    // What follows the container are options of ps(1).
    Spec { names: "top container:top", long: "help", operands: Operands::AtMost(1), ..PLAIN },
    Spec {
        names: "ps images version info logs inspect port stats history diff container:ls container:ps container:logs image:ls \
        image:history network:ls volume:ls compose:ps compose:logs compose:ls compose:version compose:config compose:images compose:top system:df",
        flags: "aqlsft",
        valued: "fn",
        long: "all quiet latest size no-trunc format filter last tail since until timestamps details follow no-stream services volumes type digests human limit help",
        refused: CONTAINER_REFUSED,
        ..PLAIN
    },
];

const KUBECTL_REFUSED: &[(&str, Effect)] = &[(
    "--kubeconfig --context --cluster --user --as --as-group --server -s --token --client-certificate --client-key --certificate-authority --insecure-skip-tls-verify --cache-dir --profile --profile-output",
    Loads,
)];

/// kubectl: only what looks.
pub(super) const KUBECTL: &[Spec] = &[
    Spec {
        names: "logs",
        flags: "fp",
        valued: "nlc",
        long: "namespace selector container tail since since-time previous timestamps follow all-containers prefix limit-bytes \
        max-log-requests ignore-errors help",
        refused: KUBECTL_REFUSED,
        ..PLAIN
    },
    Spec {
        names: "get describe top version explain api-resources api-versions cluster-info events rollout:status rollout:history config:current-context config:get-contexts auth:can-i",
        flags: "Aw",
        valued: "nlco",
        long: "all-namespaces namespace selector output watch show-labels no-headers sort-by field-selector containers container tail since \
        previous timestamps follow all-containers recursive short client label-columns help limit-bytes chunk-size timeout revision watch-only ignore-not-found show-kind",
        refused: &[
            (
                "--kubeconfig --context --cluster --user --as --as-group --server -s --token --client-certificate --client-key --certificate-authority --insecure-skip-tls-verify --cache-dir --profile --profile-output",
                Loads,
            ),
            ("-f --filename -k --kustomize --raw --template --output-directory", Loads),
        ],
        holding: &[("-file=", Loads)],
        broad: true,
        ..PLAIN
    },
];

/// systemctl: only what looks.
pub(super) const SYSTEMCTL: &[Spec] = &[Spec {
    names: "status is-active is-enabled is-failed show cat list-units list-unit-files list-timers list-sockets list-dependencies list-jobs get-default is-system-running",
    flags: "laqnr#",
    valued: "tnp",
    long: "no-pager all type state failed user system lines output plain no-legend full quiet property value reverse recursive help",
    refused: &[("-H --host -M --machine --root --image", Sends)],
    ..PLAIN
}];

/// apt: what looks, and `update`.
pub(super) const APT: &[Spec] = &[Spec {
    names: "update list show search policy depends rdepends showpkg madison changelog check",
    flags: "qya",
    long: "quiet yes assume-yes installed upgradable all-versions names-only full help",
    refused: &[
        ("-o --option", Runs),
        ("-c --config-file", Loads),
        ("-t --target-release --allow-insecure-repositories --allow-unauthenticated", Changes),
    ],
    ..PLAIN
}];

/// brew: only what looks.
pub(super) const BREW: &[Spec] = &[Spec {
    names: "list ls info search outdated deps uses leaves config doctor",
    flags: "1v",
    long: "formula cask versions json tree installed help verbose quiet",
    // A path or `user/tap/formula` is Ruby that runs.
    operands: Operands::Names,
    ..PLAIN
}];

/// dotnet: the words behind the sub-command are those of MSBuild, too, with one dash (MSBuild reference,
/// "Command-line reference": `-fl` writes a log, `-p` sets anything).
pub(super) const DOTNET: &[Spec] = &[Spec {
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
