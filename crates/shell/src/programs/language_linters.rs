//! Linters, formatters and type checkers of one programming language each.
//!
//! Formatters that write by default are covered only with the option that makes them check.

use super::class::Class;
use super::effect::Effect::{Loads, Runs, Writes};
use super::fact::Fact;
use super::lands::Lands;
use super::spec::{CHECKER, CODE, Operands, PLAIN, Spec, Style, VIEWER, WRITES, looks};
use super::{Program, UNLISTED, commands, never, options, runner};

const GOFMT_OPTIONS: Spec = Spec {
    style: Style::Words,
    long: "l d s e h help version extra format-only v",
    refused: &[("w cpuprofile memprofile trace", Writes), ("r srcdir local lang modpath base-formatter b", Runs)],
    ..VIEWER
};

const BLACK_COMMANDS: &[&[Spec]] = &[&[Spec {
    names: "--check --diff --check-only --version --help -d",
    flags: "qv",
    long: "check diff check-only quiet verbose color no-color line-length: target-version: recursive \
                profile=black check-diff",
    refused: &[
        (
            "--config --settings-path --settings-file --sp --style --code -c --workers --stdin-filename \
                        --src-path",
            Loads,
        ),
        ("-i --in-place -w --write-changes --overwrite-in-place --show-files", Writes),
        (
            "--exclude --force-exclude --include --required-version --python-cell-magics \
                        --expand-star-imports",
            Loads,
        ),
    ],
    ..CHECKER
}]];

const PHPSTAN_COMMANDS: &[&[Spec]] = &[&[Spec {
    names: "analyse analyze list help",
    flags: "vqlh",
    long: "level: no-progress debug quiet verbose ansi no-ansi error-format=table error-format=json \
                error-format=raw error-format=github memory-limit: help version no-interaction xdebug",
    refused: &[
        (
            "-a --autoload-file -c --configuration --error-format --tmp-file --instead-of --paths-file \
                        --bootstrap --plugin --root",
            Runs,
        ),
        ("-b --generate-baseline --fix --pro --watch --report --set-baseline --alter", Writes),
    ],
    ..CHECKER
}]];

const PYRIGHT_CALLS: Spec = Spec {
    flags: "hw",
    long: "help version stats verbose outputjson level: warnings skipunannotated dependencies threads",
    refused: &[
        (
            "--pythonpath -p --project -v --venvpath -t --typeshedpath --typeshed-path --venv-path \
                        --pythonversion --pythonplatform",
            Runs,
        ),
        ("--createstub --writebaseline --baselinefile --verifytypes --output -o", Writes),
    ],
    ..CHECKER
};

const RUBOCOP_CALLS: Spec = Spec {
    flags: "DPqvVSE",
    long: "display-cop-names display-style-guide extra-details only: except: fail-level: lint parallel \
                no-parallel no-color color version verbose-version help format=simple format=progress \
                format=json format=clang format=emacs list-target-files force-exclusion \
                display-only-fail-level-offenses quiet no-pager no-progress",
    refused: &[
        (
            "-r --require --plugin -c --config -f --format -s --stdin --server --start-server \
                        --restart-server --init --lsp --profile --add-libs-path --ignore-config --path \
                        --force-default-config",
            Runs,
        ),
        (
            "-a -A -x --autocorrect --auto-correct --autocorrect-all --auto-correct-all --fix-layout \
                        --auto-gen-config -o --out --output --fix --cache --cache-root --interactive-ignore -I \
                        --regenerate-todo --todo",
            Writes,
        ),
    ],
    broad: true,
    ..CHECKER
};

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        open_behind: &[""],
        ..commands(
            "golangci-lint",
            "golangci-lint documentation, \"Command-Line\"",
            &[&[
                Spec {
                    names: "run",
                    flags: "vhED",
                    long: "help verbose color: fast timeout: tests disable-all enable-only: enable: disable: \
                    build-tags: issues-exit-code: new new-from-rev: max-issues-per-linter: max-same-issues: \
                    show-stats sort-results concurrency: allow-parallel-runners version",
                    refused: &[
                        (
                            "-c --config --custom --modules-download-mode --path-prefix -p --presets --out-format \
                            --output --new-from-patch",
                            Loads,
                        ),
                        ("--fix --cpu-profile-path --mem-profile-path --trace-path --migrate", Writes),
                    ],
                    ..CHECKER
                },
                looks("linters version help"),
            ]],
        )
    },
    options(
        "staticcheck errcheck ineffassign misspell golint revive gosec nilaway deadcode gocyclo \
            unparam",
        "staticcheck, errcheck, revive and gosec documentation, \"Usage\"",
        &Spec {
            style: Style::Words,
            long: "v version help h tests tags checks explain f=text f=stylish f=json show-ignored quiet \
                severity confidence exclude-dir exclude-generated error source set_exit_status \
                min_confidence over avg top",
            refused: &[(
                "o out w exclude config conf formatter fmt track-issues overlay debug.cpuprofile merge matrix",
                Loads,
            )],
            ..CHECKER
        },
    ),
    Program {
        names: "gofmt",
        source: "go doc cmd/gofmt",
        is: &[Fact::OnlyLooks],
        class: Class::Options(&GOFMT_OPTIONS),
        lands: &[("-w", Lands::Files), ("-s -w", Lands::Files), ("-l -w", Lands::Files), ("-l -s -w", Lands::Files)],
        open_behind: &[""],
        ..UNLISTED
    },
    options("goimports gofumpt golines", "goimports -help; gofumpt -h", &GOFMT_OPTIONS),
    Program {
        open_behind: &[""],
        ..options(
            "clang-format",
            "clang-format --help (18)",
            &Spec {
                style: Style::Words,
                long: "n dry-run Werror verbose help version sort-includes style=llvm style=google",
                refused: &[(
                    "i files style fallback-style assume-filename output-replacements-xml qualifier-alignment",
                    Writes,
                )],
                ..CHECKER
            },
        )
    },
    options(
        "clang-tidy run-clang-tidy clang-query iwyu include-what-you-use",
        "clang-tidy --help (18)",
        &Spec {
            style: Style::Words,
            long: "help version list-checks quiet checks header-filter line-filter warnings-as-errors use-color \
                explain-config",
            refused: &[
                ("load extra-arg extra-arg-before p config config-file vfsoverlay o plugins", Runs),
                ("fix fix-errors fix-notes export-fixes store-check-profile enable-check-profile", Writes),
            ],
            ..CHECKER
        },
    ),
    options(
        "cppcheck",
        "cppcheck(1)",
        &Spec {
            flags: "qvfhj",
            long: "quiet verbose force help version enable: inline-suppr std: max-configs: error-exitcode: xml \
                inconclusive check-level: report-progress errorlist doc",
            refused: &[
                (
                    "--addon --addon-python --clang --rule --rule-file --library --project --suppressions-list \
                        --suppress-xml --includes-file --file-list --include --config-exclude --template \
                        --template-location --cppcheck-build-dir -I -D -U",
                    Runs,
                ),
                ("--output-file --dump --plist-output --checkers-report --xml-version", Writes),
            ],
            ..CHECKER
        },
    ),
    options(
        "phpcs",
        "phpcs --help (3.10)",
        &Spec {
            flags: "nwpslivq",
            long: "colors no-colors report=full report=summary report=json report=source report=diff \
                report=code report-width: severity: error-severity: warning-severity: extensions: ignore: \
                tab-width: encoding: help version parallel:",
            refused: &[
                (
                    "--standard --bootstrap --report --runtime-set --config-set --config-delete --file-list \
                        --filter --stdin-path --basepath --generator --exclude --sniffs -d --config-show",
                    Runs,
                ),
                ("--report-file --report-full --report-json --cache", Writes),
            ],
            ..CHECKER
        },
    ),
    never(
        "phpcbf php-cs-fixer pint rector",
        "phpcbf --help; php-cs-fixer and Rector documentation, \"Usage\"",
        "rewrites files and loads code that its options name",
    ),
    Program {
        open_behind: &[""],
        ..commands("phpstan", "PHPStan documentation, \"Command Line Usage\"; psalm --help", PHPSTAN_COMMANDS)
    },
    commands("psalm phan deptrac", "PHPStan documentation, \"Command Line Usage\"; psalm --help", PHPSTAN_COMMANDS),
    Program {
        open_behind: &[""],
        ..options("rubocop", "RuboCop documentation, \"Basic Usage\"; reek --help; brakeman --help", &RUBOCOP_CALLS)
    },
    options(
        "standardrb reek brakeman haml-lint slim-lint erb_lint erblint scss-lint bundle-audit \
            bundler-audit fasterer",
        "RuboCop documentation, \"Basic Usage\"; reek --help; brakeman --help",
        &RUBOCOP_CALLS,
    ),
    options(
        "bandit vulture pydocstyle pycodestyle pyflakes interrogate radon xenon mccabe safety \
            pip-audit deptry ty",
        "bandit --help; vulture --help; pycodestyle --help; radon documentation, \"Command-line \
            Usage\"",
        &Spec {
            flags: "rqvhl",
            long: "help version quiet verbose recursive min-confidence: sort-by-size max-line-length: \
                max-complexity: statistics count first show-source show-pep8 severity-level: \
                confidence-level: select: ignore:",
            refused: &[
                (
                    "-c --config --configfile --ini -p --profile -t --tests --format -f --msg-template --baseline \
                        -b --exclude --add-select --import-plugin --python --requirement --index-url \
                        --extra-index-url -i --project --extra-search-path",
                    Loads,
                ),
                (
                    "-o --output --output-file --make-whitelist --diff --fix --save-json --report --testsuite \
                        --doctest --benchmark",
                    Writes,
                ),
            ],
            ..CHECKER
        },
    ),
    Program { open_behind: &[""], ..options("pyright", "Pyright documentation, \"Command-line\"", &PYRIGHT_CALLS) },
    options("basedpyright pytype pyre", "Pyright documentation, \"Command-line\"", &PYRIGHT_CALLS),
    options(
        "ktlint detekt detekt-cli checkstyle pmd spotbugs google-java-format ktfmt scalafmt scalafix \
            swiftlint swiftformat",
        "ktlint --help; detekt documentation, \"Command Line Interface\"; swiftlint help lint; \
            google-java-format --help",
        &Spec {
            flags: "hv",
            long: "help version verbose color color-name: relative limit: strict quiet lenient lint",
            refused: &[
                (
                    "-R --ruleset -c --config --config-resource -p --plugins -r --report --reporter --baseline \
                        --jdk-home --classpath -cp --rules --rules-tool --language-settings -g --toolpath",
                    Runs,
                ),
                (
                    "-F --format --fix --autocorrect --auto-correct -i --replace -o --output --create-baseline \
                        --generate-config --cache-path --write-baseline --skip-sorting-imports",
                    Writes,
                ),
            ],
            operands: Operands::None,
            ..CHECKER
        },
    ),
    options(
        "hlint ormolu fourmolu stylish-haskell brittany weeder",
        "hlint --help; ormolu --help; fourmolu --help",
        &Spec {
            flags: "hvq",
            valued: "j",
            long: "help version verbose quiet color no-color check-idempotence",
            refused: &[
                (
                    "--refactor --with-refactor --refactor-options --hint -h --with --cpp-define --cpp-include \
                        --cpp-file --ghc-opt -o --config",
                    Runs,
                ),
                ("-i --mode --report --inplace --find --test --default -m", Writes),
            ],
            ..CHECKER
        },
    ),
    options(
        "luacheck selene solhint slither elvis dialyzer",
        "luacheck --help; selene --help; slither --help",
        &Spec {
            flags: "qhv",
            long: "help version quiet codes no-color no-cache std: globals: ignore: only: no-unused \
                max-line-length: strict all",
            refused: &[(
                "--config --default-config --formatter --filter --plt --plugins --solc --detect --json \
                    --sarif --fix --save -o --output",
                Runs,
            )],
            ..CHECKER
        },
    ),
    never(
        "jscodeshift codemod ast-grep comby fastmod putout",
        "jscodeshift, ast-grep and Comby documentation, \"Command line\"",
        "rewrites files, and some run the code that their options name",
    ),
    runner(
        "rust-analyzer gopls clangd pylsp pyright-langserver typescript-language-server \
            bash-language-server",
        "rust-analyzer --help; gopls help",
    ),
    runner("scan-build intercept-cc analyze-build", "scan-build(1)"),
    never("nbqa", "nbQA documentation, \"Quickstart\"", CODE),
    Program {
        open_behind: &["check", "format"],
        ..commands(
            "ruff",
            "Ruff documentation, \"Configuring Ruff\": Command-line interface",
            &[&[
                Spec {
                    names: "check",
                    flags: "qvsenh",
                    long: "quiet verbose silent no-fix diff statistics show-files show-settings select: ignore: \
                    extend-select: extend-ignore: preview no-preview no-cache exit-zero exit-non-zero-on-fix \
                    output-format=full output-format=concise output-format=json output-format=github \
                    output-format=grouped target-version: respect-gitignore force-exclude help line-length: \
                    per-file-ignores: color: no-respect-gitignore",
                    refused: &[
                        (
                            "--config --isolated --stdin-filename --extension --exclude --extend-exclude --output-format \
                            --cache-dir",
                            Loads,
                        ),
                        ("--fix --unsafe-fixes --fix-only --add-noqa -o --output-file -w --watch --show-fixes", Writes),
                    ],
                    ..CHECKER
                },
                // It rewrites unless `--check` or `--diff` stands in the pattern.
                Spec {
                    names: "format:--check format:--diff",
                    flags: "qvh",
                    long: "quiet verbose check diff help",
                    ..CHECKER
                },
                Spec {
                    names: "rule linter version help config",
                    flags: "h",
                    long: "all output-format=text output-format=json help",
                    operands: Operands::Plain,
                    ..PLAIN
                },
            ]],
        )
    },
    Program {
        names: "rustfmt",
        source: "rustfmt --help (1.8)",
        is: &[Fact::SaysVersion],
        class: Class::HarmlessCommands(&[&[Spec {
            names: "--check --version --help",
            flags: "lvq",
            long: "files-with-diff verbose quiet edition: color: check",
            refused: &[("--config --config-path", Loads), ("--emit --backup --print-config", Writes)],
            ..CHECKER
        }]]),
        open_behind: &[""],
        ..UNLISTED
    },
    Program {
        open_behind: &[""],
        ..commands(
            "black isort",
            "Black documentation, \"Command line options\"; isort --help; yapf --help; autoflake --help",
            BLACK_COMMANDS,
        )
    },
    commands(
        "yapf autoflake docformatter",
        "Black documentation, \"Command line options\"; isort --help; yapf --help; autoflake --help",
        BLACK_COMMANDS,
    ),
    // Each rewrites what it is given unless it is told to check.
    commands(
        "stylua cljfmt mdformat buildifier gersemi cmake-format swift-format gdformat rufo terrafmt \
            djlint",
        "each program's --help",
        &[&[Spec {
            names: "--check --version --help",
            flags: "qv",
            long: "check quiet verbose",
            refused: &[
                (
                    "-c --config --config-path -f --search-parent-directories --stdin-filepath --extensions \
                        --plugin",
                    Loads,
                ),
                ("-i --in-place --inplace -w --write --reformat -o --output", Writes),
            ],
            ..CHECKER
        }]],
    ),
    never("pyupgrade", "pyupgrade README, \"Usage\"", WRITES),
    never("pyrefly", "pyrefly --help", WRITES),
];
