//! Test runners, load generators and what measures tests.

use super::effect::Effect::{Loads, Runs, Sends, Writes};
use super::shared::PARCEL_OPTIONS;
use super::spec::{CHECKER, CODE, Operands, PLAIN, SERVES, Spec, looks};
use super::{Program, Talks, commands, never, options, outsider, runner};

const PHPUNIT_CALLS: Spec = Spec {
    flags: "hv",
    long: "help version filter: exclude-filter: group: exclude-group: testsuite: list-tests list-suites \
                list-groups stop-on-defect stop-on-error stop-on-failure stop-on-skipped order-by: \
                colors=auto colors=always colors=never testdox debug verbose no-progress no-results \
                no-output no-coverage strict-coverage fail-on-warning fail-on-risky fail-on-empty-test-suite \
                display-warnings display-deprecations display-notices display-errors teamcity parallel bail \
                dirty compact processes: random-order-seed: disallow-test-output cache-result \
                do-not-cache-result",
    refused: &[
        (
            "--bootstrap -c --configuration --include-path -d --extension --printer --loader --prepend \
                        --runner --phpunit --no-configuration --test-suffix --whitelist --coverage-filter \
                        --test-directory --passthru --passthru-php --tmp-dir",
            Runs,
        ),
        (
            "--log-junit --log-teamcity --testdox-html --testdox-text --testdox-xml --coverage-html \
                        --coverage-php --coverage-text --coverage-xml --coverage-clover --coverage-cobertura \
                        --coverage-crap4j --cache-directory --cache-result-file --generate-configuration \
                        --migrate-configuration --list-tests-xml --log-events-text --log-events-verbose-text \
                        --update-snapshots --init --generate-baseline",
            Writes,
        ),
        ("--use-baseline --coverage-cache", Loads),
    ],
    ..CHECKER
};

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        open_behind: &[""],
        ..options(
            "phpunit",
            "PHPUnit manual, \"The Command-Line Test Runner\"; Pest documentation, \"CLI API Reference\"",
            &PHPUNIT_CALLS,
        )
    },
    options(
        "pest paratest",
        "PHPUnit manual, \"The Command-Line Test Runner\"; Pest documentation, \"CLI API Reference\"",
        &PHPUNIT_CALLS,
    ),
    Program {
        open_behind: &[""],
        ..options(
            "rspec",
            "rspec --help (3.13)",
            &Spec {
                flags: "bcwvhn",
                valued: "et",
                long: "help version backtrace color no-color force-color fail-fast no-fail-fast dry-run example: \
                example-matches: line-number: tag: order: seed: profile no-profile warnings only-failures \
                next-failure -fd -fp -fj format=progress format=documentation format=json no-drb \
                failure-exit-code: bisect",
                refused: &[
                    (
                        "-r --require -I -O --options -f --format -P --pattern --default-path -X --drb --drb-port \
                        --exclude-pattern",
                        Runs,
                    ),
                    ("-o --out --deprecation-out --init", Writes),
                ],
                ..CHECKER
            },
        )
    },
    options(
        "cucumber behave behat kahlan turnip lettuce",
        "cucumber --help; behave documentation, \"Command-Line Arguments\"; Behat and Codeception \
            documentation",
        &Spec {
            flags: "hqdvb",
            long: "help version quiet verbose dry-run strict no-color color no-source name: lang: stop wip \
                no-skipped no-snippets no-multiline steps debug",
            refused: &[
                (
                    "-r --require --import --loader --format -f -p --profile -c --config --suite \
                        --world-parameters --language --define -D -i --bootstrap --ext --stage --steps-catalog \
                        --runner --override -t --tags",
                    Runs,
                ),
                ("-o --out --outfile --junit --junit-directory --html --xml --publish --report --coverage", Writes),
            ],
            ..CHECKER
        },
    ),
    options(
        "robot rebot pabot",
        "Robot Framework User Guide, \"All command line options\"",
        &Spec {
            flags: "hX",
            valued: "tsie",
            long: "help version test: suite: include: exclude: exitonfailure exitonerror dryrun loglevel: skip: \
                skiponfailure: randomize: norpa runemptysuite quiet console: consolecolors: rpa",
            refused: &[
                (
                    "--listener --variablefile -V --variable -v --pythonpath -P --argumentfile -A \
                        --prerunmodifier --prerebotmodifier --parser --resourcefile --language --extension -F \
                        --rerunfailed -R --rerunfailedsuites -S --pabotlib --command --ordering",
                    Runs,
                ),
                (
                    "--outputdir -d --output -o --log -l --report -r --xunit -x --debugfile -b --timestampoutputs \
                        --splitlog --legacyoutput",
                    Writes,
                ),
            ],
            ..CHECKER
        },
    ),
    options(
        "unittest",
        "Python documentation, \"unittest\": Command-Line Interface",
        &Spec {
            // The values of `-s`, `-t` and `-p` are looked at as operands.
            flags: "vqfbcstph",
            valued: "k",
            long: "verbose quiet failfast catch buffer locals durations help start-directory pattern \
                top-level-directory",
            ..CHECKER
        },
    ),
    options(
        "nose2 nosetests trial ward stestr",
        "nose2 documentation, \"Using nose2\"; trial --help",
        &Spec {
            flags: "vqhF",
            long: "help version verbose quiet fail-fast log-capture collect-only",
            refused: &[
                (
                    "--plugin --config -c --no-user-config -s --start-dir -t --top-level-directory \
                        --project-directory --with-coverage --debugger -D --exclude-plugin --set --reporter \
                        --reactor --testmodule --path --wrap --tb --temp-directory",
                    Runs,
                ),
                ("--coverage --coverage-report --junit-xml --junit-xml-path --log-file --profile --logfile -l", Writes),
            ],
            ..CHECKER
        },
    ),
    commands(
        "tap tape uvu qunit jasmine",
        "node-tap documentation, \"CLI\"; QUnit and Jasmine documentation, \"Command-line interface\"",
        &[&[Spec { names: "help", ..PLAIN }]],
    ),
    options(
        "cypress nightwatch testcafe wdio codeceptjs backstop detox maestro",
        "Cypress documentation, \"Command Line\"; TestCafe documentation, \"Command Line Interface\"",
        &PARCEL_OPTIONS,
    ),
    options(
        "web-test-runner wtr tsd attw publint size-limit knip depcheck madge dependency-cruiser \
            depcruise ts-prune unimported",
        "knip, depcheck, madge and dependency-cruiser documentation, \"Command line\"",
        &Spec {
            flags: "hV",
            long: "help version json circular orphans leaves summary no-color no-spinner strict production \
                no-progress warning",
            refused: &[
                (
                    "-c --config --config-file --webpack-config --require-config --ts-config -p --parsers \
                        --detectors --specials -v --validate --reporter --preprocessor --tsConfig --rules -r \
                        --require",
                    Runs,
                ),
                ("-i --image -f --output-to --fix --dot --init --graph --cache --watch", Writes),
            ],
            ..CHECKER
        },
    ),
    Program {
        open_behind: &[""],
        ..options(
            "ctest",
            "ctest(1)",
            &Spec {
                flags: "NVQ",
                valued: "RELj",
                long: "show-only verbose extra-verbose quiet output-on-failure stop-on-failure tests-regex: \
                exclude-regex: label-regex: rerun-failed repeat: progress schedule-random timeout: \
                no-label-summary no-subproject-summary help version parallel: print-labels",
                refused: &[
                    (
                        "-S --script -SP --script-new-process --build-and-test --build-makeprogram -D --dashboard -T \
                        --test-action -M --test-model --test-command --test-dir --preset -C --build-config \
                        --overwrite --extra-submit --build-exe-dir --resource-spec-file",
                        Runs,
                    ),
                    (
                        "-O --output-log --output-junit -A --add-notes -F --submit-index --tomorrow-tag \
                        --force-new-ctest-process",
                        Writes,
                    ),
                ],
                operands: Operands::None,
                runs_project: true,
                ..PLAIN
            },
        )
    },
    options(
        "bats shunit2 shellspec roundup",
        "bats(1); shellspec --help",
        &Spec {
            flags: "ctTprh",
            valued: "fj",
            long: "help version count filter: jobs: tap pretty timing recursive show-output-of-passing-tests \
                verbose-run abort no-parallelize-across-files no-parallelize-within-files \
                print-output-on-failure filter-tags: no-tempdir-cleanup",
            refused: &[
                (
                    "-F --formatter --code-quote-style --line-reference-format --setup-suite-file \
                        --report-formatter --shell -s --env --require --load-path --config --default-path --execdir",
                    Runs,
                ),
                (
                    "-o --output --gather-test-outputs-in -x --trace --filter-status --kcov --init --gen-bin \
                        --profile",
                    Writes,
                ),
            ],
            ..CHECKER
        },
    ),
    options(
        "cargo-llvm-cov cargo-tarpaulin cargo-mutants cargo-fuzz cargo-audit cargo-deny \
            cargo-outdated cargo-udeps cargo-machete cargo-expand",
        "each program's --help",
        &PARCEL_OPTIONS,
    ),
    options(
        "gcov lcov genhtml llvm-cov llvm-profdata gcovr diff-cover grcov",
        "gcov(1); lcov(1); gcovr --help",
        &Spec {
            flags: "hv",
            long: "help version",
            refused: &[(
                "-o --output --output-file -a --add-tracefile --gcov-tool --gcov-executable --rc \
                    --config-file -t",
                Runs,
            )],
            operands: Operands::None,
            ..PLAIN
        },
    ),
    outsider(
        "vegeta locust k6 artillery gatling jmeter tsung",
        "Locust, k6 and Artillery documentation, \"Command line\"",
        CODE,
    ),
    // ab(1): `-p` and `-u` name a file that is sent.
    Program {
        sends: &[("", "p u")],
        talks: Talks::Always,
        ..never("ab", "ab(1)", "sends what it is given to a server")
    },
    options(
        "wrk wrk2 hey siege oha bombardier autocannon plow h2load",
        "ab(1); wrk --help; hey -h; oha --help; h2load(1); siege(1)",
        &Spec {
            // To h2load and oha `-d` is what they send, to siege `-l` a log.
            flags: "khq",
            valued: "nctz",
            long: "help version latency no-tui disable-keepalive json",
            refused: &[
                (
                    "-s --script -p -u -T -D -f --file -C -A -P -b --post-file --rc --targets --body \
                        --urls-from-file",
                    Loads,
                ),
                ("-e -g -w -o --output --log --csv", Writes),
                ("-H --header -m --method -X -x --proxy -a --host --connect-to --cert --key --data", Sends),
            ],
            operands: Operands::None,
            ..PLAIN
        },
    ),
    commands(
        "storybook chromatic percy loki ladle histoire",
        "Storybook documentation, \"CLI options\"; Chromatic documentation, \"CLI\"",
        &[&[looks("info help")]],
    ),
    outsider("selenium-side-runner chromedriver geckodriver appium", "Appium and Selenium documentation", SERVES),
    outsider(
        "stress stress-ng sysbench fio bonnie++ iperf iperf3 memtester",
        "stress-ng(1); fio(1); iperf3(1)",
        "uses up the machine, writes files or connects elsewhere",
    ),
    runner(
        "apitrace renderdoccmd uftrace magic-trace samply flamegraph inferno-flamegraph vtune",
        "samply --help; uftrace(1)",
    ),
    never("codecept gauge", "Codeception and Gauge documentation, \"Commands\"", CODE),
];
