//! Counters, formatters and linters of what is no programming language, or of many.
//!
//! Formatters that write by default are covered only with the option that makes them check.

use super::class::Class;
use super::effect::Effect::{Loads, Runs, Sends, Writes};
use super::fact::Fact;
use super::spec::{CHECKER, Operands, PLAIN, SAYS_VERSION, SHELL_TEXT, Spec, Style, VIEWER, WRITES, checks, looks};
use super::{Program, UNLISTED, commands, later, never, options};

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        open_behind: &[""],
        ..options(
            "cloc",
            "cloc --help (1.98)",
            &Spec {
                flags: "vq",
                long: "by-file by-percent by-file-by-lang csv json md xml yaml quiet verbose hide-rate \
                progress-rate exclude-dir: exclude-ext: exclude-lang: include-ext: include-lang: match-f: \
                not-match-f: match-d: not-match-d: fullpath no-recurse show-ext show-lang skip-uniqueness \
                help version 3 sum-one max-file-size: follow-links",
                refused: &[
                    (
                        "--vcs --git --diff --count-and-diff --extract-with --diff-alignment --git-diff-rel \
                        --git-diff-all",
                        Runs,
                    ),
                    (
                        "--config --list-file --diff-list-file --read-lang-def --force-lang-def --exclude-list-file \
                        --read-binary-files --lang-no-ext --custom --autoconf --script-lang --force-lang \
                        --original-dir --strip-comments --strip-code",
                        Loads,
                    ),
                    (
                        "--out --report-file --counted --found --ignored --categorized --write-lang-def \
                        --write-lang-def-incl-dup --sql --sql-style --sql-append --sql-project --xsl --unique --sdir \
                        --sum-reports",
                        Writes,
                    ),
                ],
                // It unpacks archives with a command line.
                holding: SHELL_TEXT,
                ..VIEWER
            },
        )
    },
    Program {
        names: "tokei",
        source: "tokei --help (12.1)",
        is: &[Fact::OnlyLooks],
        class: Class::Options(&Spec {
            flags: "fCVhl",
            valued: "etsonc",
            long: "files compact hidden no-ignore no-ignore-parent no-ignore-dot no-ignore-vcs exclude: sort: \
                types: output: languages num-format: columns: verbose help version",
            refused: &[("-i --input", Loads)],
            ..VIEWER
        }),
        open_behind: &[""],
        ..UNLISTED
    },
    Program {
        names: "scc",
        source: "scc --help (3.4)",
        is: &[Fact::OnlyLooks],
        class: Class::Options(&Spec {
            flags: "avwzpd",
            valued: "fsinx",
            long: "by-file wide no-cocomo no-complexity no-duplicates no-gen no-min no-min-gen no-size \
                exclude-dir: exclude-ext: include-ext: format: sort: verbose help version ci character \
                binary cocomo-project-type: languages trace debug",
            refused: &[
                ("-o --output --format-multi", Writes),
                ("--count-as --remap-all --remap-unknown --sql-project", Loads),
            ],
            ..VIEWER
        }),
        ..UNLISTED
    },
    Program {
        open_behind: &[""],
        ..options(
            "shellcheck",
            "shellcheck(1)",
            &Spec {
                flags: "aVC",
                valued: "eisSofW",
                long: "check-sourced color exclude: include: format: norc shell: severity: enable: list-optional \
                wiki-link-count: help version",
                refused: &[("--rcfile -P --source-path -x --external-sources --extended-analysis", Loads)],
                ..VIEWER
            },
        )
    },
    Program {
        open_behind: &[""],
        ..options(
            "shfmt",
            "shfmt(1)",
            &Spec {
                flags: "dlsf",
                valued: "i",
                long: "diff list simplify find indent: binary-next-line case-indent space-redirects keep-padding \
                func-next-line minify language-dialect: posix filename: to-json version help -ln -bn -ci -sr \
                -kp -fn -mn",
                refused: &[("-w --write", Writes), ("--from-json", Loads)],
                ..VIEWER
            },
        )
    },
    Program {
        names: "hadolint",
        source: "hadolint --help (2.12)",
        is: &[Fact::OnlyLooks],
        class: Class::Options(&Spec {
            flags: "hvV",
            valued: "ft",
            long: "help version no-fail no-color verbose format: error: warning: info: style: ignore: \
                failure-threshold: strict-labels disable-ignore-pragma require-label: trusted-registry:",
            refused: &[("-c --config --file-path-in-report", Loads)],
            ..CHECKER
        }),
        ..UNLISTED
    },
    Program {
        names: "yamllint",
        source: "yamllint documentation, \"Quickstart\"",
        is: &[Fact::OnlyLooks],
        class: Class::Options(&Spec {
            flags: "hsv",
            valued: "f",
            long: "help strict version no-warnings list-files format=parsable format=standard format=colored \
                format=github format=auto",
            refused: &[("-c --config-file -d --config-data", Loads)],
            ..CHECKER
        }),
        open_behind: &[""],
        ..UNLISTED
    },
    options(
        "markdownlint markdownlint-cli2 mdl remark alex write-good proselint textlint vale",
        "markdownlint-cli, markdownlint-cli2, remark-cli, textlint and Vale documentation, \"Usage\"",
        &Spec {
            flags: "hqV",
            long: "help version quiet json no-color minAlertLevel: no-wrap no-exit no-stdout frail \
                ignore-pattern:",
            refused: &[
                (
                    "-c --config --rules -r --rule --rulesdir --rule-dir --preset --plugin --use -u --setting \
                        --rc-path --ignore-path -p --filter --ext --format --formatter --glob --configPointer",
                    Loads,
                ),
                ("-f --fix -o --output --fix-dry-run --cache --cache-location --tree-out --ls-config sync", Writes),
            ],
            ..CHECKER
        },
    ),
    options(
        "codespell",
        "codespell --help (2.3)",
        &Spec {
            flags: "fhcqHdes",
            valued: "LSABC",
            long: "help version count summary disable-colors enable-colors check-filenames check-hidden \
                quiet-level: skip: ignore-words-list: builtin: context: after-context: before-context: \
                hard-encoding-detection ignore-regex: regex: uri-ignore-words-list:",
            refused: &[
                ("-w --write-changes -i --interactive", Writes),
                ("-D --dictionary -I --ignore-words -x --exclude-file --config --toml --builtin-dir", Loads),
            ],
            ..CHECKER
        },
    ),
    options(
        "typos",
        "typos --help (1.2x)",
        &Spec {
            flags: "vqhV",
            valued: "j",
            long: "help version verbose quiet diff files hidden no-ignore no-ignore-vcs binary exclude: format: \
                color: sort type-list locale: no-check-filenames no-check-files threads: file-types \
                force-exclude",
            refused: &[
                ("-w --write-changes --write-baseline", Writes),
                ("-c --config --isolated --file-list --dump-config", Loads),
            ],
            ..CHECKER
        },
    ),
    options(
        "cspell",
        "cspell --help (8)",
        &Spec {
            flags: "hV",
            long: "help version no-progress no-summary words-only unique quiet no-color color show-context \
                show-suggestions no-must-find-files dot gitignore no-gitignore relative no-exit-code \
                fail-fast exclude: locale: language-id: max-duplicate-problems: lint",
            refused: &[
                ("-c --config --file-list --reporter -r --root --plugin --dictionaries-config --file --words", Loads),
                ("--cache --cache-location --report-file -o", Writes),
            ],
            ..CHECKER
        },
    ),
    commands(
        "sqlfluff",
        "SQLFluff documentation, \"CLI Reference\"",
        &[&[
            Spec {
                names: "lint",
                flags: "vhn",
                long: "help verbose nocolor dialect: rules: exclude-rules: format=human format=json format=yaml \
                    processes: disable-progress-bar",
                refused: &[
                    ("--config --templater --library-path --ignore-local-config --stdin-filename", Loads),
                    ("--write-output --persist-timing --bench", Writes),
                ],
                ..CHECKER
            },
            looks("version rules dialects"),
        ]],
    ),
    never("sqlfmt pg_format sql-formatter", "sqlfmt documentation; pg_format --help", WRITES),
    options(
        "tflint checkov kube-linter kubeval kubeconform kube-score",
        "tflint --help; checkov --help; kubeconform -h; kube-score --help",
        &Spec {
            flags: "hvq",
            long: "help version quiet verbose compact no-color strict summary skip-check: check: framework: \
                minimum-failure-severity: ignore-missing-schemas kubernetes-version: only-test: skip-tests:",
            refused: &[
                (
                    "-c --config --config-file --external-checks-dir --external-checks-git --load-external-checks \
                        --schema-location --additional-schema-locations --var-file --policy -p --plugin \
                        --enable-plugin --chdir --var --repo-id --bc-api-key --download-external-modules --init \
                        --template --policy-path --policy-type -i --exec",
                    Runs,
                ),
                ("-o --output --output-file --output-file-path --fix --cache --create-baseline --save", Writes),
            ],
            ..CHECKER
        },
    ),
    options(
        "semgrep opengrep",
        "semgrep scan --help (1.8x)",
        &Spec {
            flags: "hqv",
            long: "help version quiet verbose json sarif text error strict severity: max-target-bytes: timeout: \
                no-git-ignore metrics=off",
            refused: &[
                (
                    "-c -f --config --pattern -e -l --lang --rewrite-rule-ids --x-ls --project-root \
                        --baseline-commit --remote",
                    Loads,
                ),
                (
                    "-o --output --autofix -a --dump-command-for-core --time --test --json-output --sarif-output \
                        --text-output --junit-xml-output",
                    Writes,
                ),
                ("login publish ci", Sends),
            ],
            operands: Operands::None,
            ..CHECKER
        },
    ),
    Program {
        names: "pre-commit prek",
        source: "pre-commit documentation, \"Command line interface\"",
        sets: later::HOOK_INSTALLERS,
        class: Class::HarmlessCommands(&[&[
            Spec {
                names: "run",
                flags: "av",
                long: "all-files verbose show-diff-on-failure files color=auto color=always color=never hook-stage: \
                    from-ref: to-ref: help",
                refused: &[("-c --config --commit-msg-filename --remote-url --remote-branch", Runs)],
                operands: Operands::Plain,
                runs_project: true,
                ..PLAIN
            },
            Spec {
                names: "validate-config validate-manifest help sample-config",
                long: "help",
                operands: Operands::Inside,
                ..PLAIN
            },
        ]]),
        sub_commands: "run install uninstall autoupdate clean gc",
        ..UNLISTED
    },
    never("lint-staged", "lint-staged documentation, \"Usage\"", "runs the commands that the project's settings name"),
    Program {
        sets: later::HOOK_INSTALLERS,
        ..never(
            "husky lefthook overcommit",
            "Husky documentation, \"Get started\"; Lefthook documentation, \"Usage\"; overcommit --help",
            "runs the commands that the project's settings name",
        )
    },
    options(
        "commitlint gitlint",
        "commitlint documentation, \"CLI\"; gitlint --help",
        &Spec {
            flags: "hqVv",
            long: "help version quiet verbose color no-color strict last help-url:",
            refused: &[(
                "-g --config -x --extends -p --parser-preset -o --format -d --cwd -C --extra-path -E -e \
                    --edit --env --target",
                Runs,
            )],
            operands: Operands::None,
            ..CHECKER
        },
    ),
    // `OWNER/REPOSITORY` is fetched.
    options(
        "zizmor",
        "zizmor --help",
        &Spec { flags: "hVqv", long: "help version offline no-progress", ..SAYS_VERSION },
    ),
    options(
        "actionlint",
        "actionlint -h (1.7)",
        &Spec {
            style: Style::Words,
            long: "color no-color oneline verbose version help ignore offline quiet",
            refused: &[("shellcheck pyflakes config-file format stdin-filename init-config debug fix gh-token", Runs)],
            ..CHECKER
        },
    ),
    options(
        "taplo dprint treefmt prettierd eslint_d topiary nixfmt alejandra statix deadnix",
        "taplo --help; dprint help; treefmt --help",
        &Spec {
            flags: "hV",
            long: "help version",
            refused: &[
                ("-c --config --plugins --option -o --fix --config-precedence", Loads),
                ("-w --write --incremental", Writes),
            ],
            operands: Operands::None,
            ..CHECKER
        },
    ),
    // An operand without a scheme is a host where no file has its name.
    options(
        "pa11y lighthouse axe linkinator lychee markdown-link-check",
        "lychee --help; lighthouse --help; pa11y --help",
        &Spec {
            flags: "hvq",
            long: "help version verbose quiet offline no-progress",
            operands: Operands::NoHosts,
            ..PLAIN
        },
    ),
    options(
        "html-validate htmlhint",
        "html-validate --help; htmlhint --help",
        &Spec {
            flags: "hvq",
            long: "help version verbose quiet offline no-progress",
            refused: &[
                (
                    "-c --config --rules --rulesdir --preset --plugins --chrome-flags --config-path --reporter \
                        --runner --preprocess --formatter -f",
                    Runs,
                ),
                ("-o --output --output-path --screen-capture --save-assets --dump --cache", Writes),
                ("--header --headers --extra-headers --base-url --proxy --github-token", Sends),
            ],
            ..VIEWER
        },
    ),
    commands(
        "buf",
        "buf --help (1.4x)",
        &[&[
            // `HOST/OWNER/MODULE` is fetched.
            Spec { operands: Operands::None, ..checks("lint breaking build ls-files") },
            Spec { names: "format", flags: "d", long: "diff exit-code help", operands: Operands::None, ..PLAIN },
        ]],
    ),
    never(
        "sonar-scanner codeclimate megalinter super-linter trunk",
        "SonarScanner CLI and Trunk documentation",
        "sends the code elsewhere or runs other programs",
    ),
    never("reuse addlicense license-eye", "reuse --help; addlicense -h", WRITES),
];
