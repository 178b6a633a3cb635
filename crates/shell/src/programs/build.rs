//! Build tools, task runners, code generators and bundlers.
//!
//! All of them run what the project's files say; so a `*` covers little, and never another file.

use super::class::Class;
use super::danger::{Danger, danger};
use super::effect::Effect::{Loads, Runs, Writes};
use super::fact::Fact;
use super::interactive::Interactive;
use super::printer::printer;
use super::runs::{behind, script};
use super::shared::{NODE_INTERACTIVE, PARCEL_OPTIONS, RAKE_DESTROYS};
use super::spec::{CHECKER, Operands, PLAIN, SERVES, Spec, Style, WRITES, looks, looks_at};
use super::{PUBLISHES, Program, Talks, UNLISTED, commands, never, options, outsider, runner};

/// What makes a build of the project itself, with nothing else chosen.
const fn builds(names: &'static str) -> Spec {
    Spec {
        names,
        flags: "hvq",
        long: "help version verbose quiet silent no-color",
        operands: Operands::None,
        runs_project: true,
        ..PLAIN
    }
}

const TASK: Spec = Spec { long: "help version", operands: Operands::Tasks, runs_project: true, ..PLAIN };

const MAKE_OPTIONS: Spec = Spec {
    flags: "skBnwijO#",
    long: "silent quiet keep-going always-make just-print dry-run recon print-directory no-print-directory \
        output-sync ignore-errors jobs help version",
    refused: &[
        ("-f --file --makefile -C --directory -I --include-dir -e --environment-overrides -E --eval", Runs),
        ("-o --old-file --assume-old -W --what-if --new-file --assume-new", Loads),
    ],
    ..TASK
};

const MVN_OPTIONS: Spec = Spec {
    style: Style::Words,
    long: "q B e X o N V U ntp am amd fae ff nsu T quiet batch-mode errors debug offline no-transfer-progress \
        also-make fail-at-end fail-fast version help DskipTests DskipITs Dtest Dit.test DfailIfNoTests \
        DfailIfNoSpecifiedTests Dsurefire.failIfNoSpecifiedTests Dmaven.test.skip Dstyle.color",
    refused: &[("f file s settings gs global-settings t toolchains D P l log-file pl projects", Loads)],
    ..TASK
};

const MVN_DESTROYS: &[Danger] =
    &[danger("deploy|publish|*:deploy|*:publish|release:perform", "", "publishes a package")];

const GRADLE_OPTIONS: Spec = Spec {
    flags: "qidsSwBm",
    long: "info debug stacktrace quiet warn console no-daemon daemon parallel no-parallel continue offline \
        rerun-tasks build-cache no-build-cache no-configuration-cache configuration-cache dry-run tests: \
        help version",
    refused: &[
        (
            "-I --init-script -b --build-file -p --project-dir -c --settings-file -g --gradle-user-home \
                --include-build",
            Loads,
        ),
        ("-D -P -M --system-prop --project-prop --write-locks --write-verification-metadata", Loads),
    ],
    ..TASK
};

const TASK_OPTIONS: Spec = Spec {
    flags: "svfyn",
    long: "silent verbose force yes dry summary parallel help version",
    refused: &[("-t --taskfile -d --dir -g --global -i --init", Runs), ("-o --output -w --watch", Writes)],
    ..TASK
};

const SVELTE_CHECK_CALLS: Spec = Spec {
    long: "help version noEmit fail-on-warnings threshold: output=human output=machine no-tsconfig \
                strict detail pretty skipLibCheck",
    refused: &[
        (
            "--tsconfig --workspace --ignore --compiler-warnings --diagnostic-sources -p --project -b \
                        --build --preserveWatchOutput -c --rules-dir -r --formatters-dir",
            Loads,
        ),
        ("--outDir --outFile --watch --update --fix --incremental --tsBuildInfoFile -o", Writes),
    ],
    ..CHECKER
};

pub(super) const PROGRAMS: &[Program] = &[
    never(
        "grunt gulp jake brunch broccoli wireit zx shelljs",
        "Grunt documentation, \"Using the CLI\"; gulp documentation, \"CLI\"",
        "runs what its file of tasks says",
    ),
    commands(
        "nx",
        "Nx documentation, \"Commands\"; Turborepo documentation, \"turbo run\"",
        &[&[
            Spec {
                names: "test lint build typecheck check",
                long: "help verbose no-color parallel: skip-nx-cache nxBail output-style=static output-style=stream \
                    concurrency: continue force only",
                refused: &[(
                    "--configuration --runner --batch --graph --profile --cwd --team --token --api --cache-dir \
                        --global-deps --env-mode -c --tsConfig --outputPath",
                    Runs,
                )],
                operands: Operands::AtMost(1),
                runs_project: true,
                ..PLAIN
            },
            looks("list report help --version --help daemon:status show:projects"),
            looks_at("show:project"),
        ]],
    ),
    // Each operand is a task of its own.
    commands(
        "turbo lage rush wsrun ultra",
        "Turborepo documentation, \"turbo run\"; Lage documentation, \"CLI\"",
        &[&[
            Spec {
                names: "test lint build typecheck check run:test run:lint run:build run:typecheck run:check",
                long: "help verbose no-color force only output-logs=errors-only output-logs=full concurrency: \
                    continue",
                refused: &[(
                    "--cwd --team --token --api --cache-dir --global-deps --env-mode -F --filter --graph \
                        --profile",
                    Runs,
                )],
                operands: Operands::None,
                runs_project: true,
                ..PLAIN
            },
            looks("version help --version --help"),
        ]],
    ),
    commands(
        "ng",
        "Angular CLI documentation, \"ng\"",
        &[&[
            Spec {
                names: "test lint build",
                long: "help watch=false no-watch browsers=ChromeHeadless code-coverage no-progress no-code-coverage \
                    source-map verbose named-chunks optimization",
                refused: &[(
                    "--karma-config --config -c --configuration --main --polyfills --ts-config --output-path \
                        --include --web-worker-ts-config --builders --serve-path",
                    Runs,
                )],
                operands: Operands::Plain,
                runs_project: true,
                ..PLAIN
            },
            looks("version help"),
        ]],
    ),
    commands(
        "next nuxt nuxi astro gatsby remix svelte-kit vue-cli-service react-scripts expo ember qwik \
            solid-start blitz redwood rw wasp",
        "Next.js documentation, \"CLI\"; Astro documentation, \"CLI Commands\"",
        &[&[builds("build lint check info telemetry:status"), looks("--version --help help")]],
    ),
    options(
        "parcel swc babel tsup unbuild tsdown ncc nexe microbundle snowpack sucrase terser uglifyjs \
            cleancss html-minifier html-minifier-terser svgr postcss lessc sass node-sass sassc stylus \
            tailwindcss pug ejs haml slimrb livescript browserify metro rspack rsbuild farm",
        "Babel, Sass and Terser documentation, \"Command line\"",
        &PARCEL_OPTIONS,
    ),
    Program {
        names: "coffee",
        source: "Babel, Sass and Terser documentation, \"Command line\"",
        class: Class::Options(&PARCEL_OPTIONS),
        interactive: NODE_INTERACTIVE,
        ..UNLISTED
    },
    Program {
        open_behind: &[""],
        ..options("svelte-check", "svelte-check README, \"Options\"; vue-tsc documentation", &SVELTE_CHECK_CALLS)
    },
    options(
        "vue-tsc tslint type-coverage",
        "svelte-check README, \"Options\"; vue-tsc documentation",
        &SVELTE_CHECK_CALLS,
    ),
    never(
        "redo tup samu gn bjam waf premake premake5 xmake conan vcpkg hunter cpm colcon catkin \
            catkin_make bitbake buck buck2 please plz pants bazelisk buildozer earthly dagger mage gox \
            kobalt kotlinw sbtn mvnd ivy buildr leiningen rebar xcodebuild xctool tuist mint",
        "each tool's manual page or --help",
        "runs what its file of rules says",
    ),
    runner("xcrun libtool glibtool", "xcrun(1); libtool(1), \"Execute mode\""),
    outsider(
        "goreleaser nfpm ko fastlane carthage packer mkosi debos kiwi livecd-creator diskimage-builder linuxkit",
        "each tool's manual page or --help",
        "runs what its file of rules says",
    ),
    Program {
        names: "pod",
        source: "each tool's manual page or --help",
        class: Class::Never("runs what its file of rules says"),
        destroys: &[danger("trunk push|delete|deprecate", "", "changes what others install")],
        ..UNLISTED
    },
    never(
        "autoconf automake autoreconf autoheader aclocal autoscan autoupdate libtoolize glibtoolize \
            gettextize intltoolize configure config.status cmake-gui ccmake cpack qmake qmake6 moc uic \
            rcc lrelease lupdate muon imake xmkmf autogen.sh",
        "autoconf(1); cmake(1); meson(1)",
        "runs programs of the project",
    ),
    never(
        "bison yacc byacc flex lex re2c ragel lemon antlr antlr4 jflex swig ply peg leg gperf unifdef \
            cproto protoize gengetopt help2man rpcgen bin2c glib-mkenums glib-genmarshal \
            glib-compile-schemas glib-compile-resources gdbus-codegen wayland-scanner stringer mockgen \
            mockery enumer go-bindata packr statik moq counterfeiter",
        "bison(1); flex(1); swig(1); mockgen -help",
        WRITES,
    ),
    runner("ccache sccache distcc icecc bear compiledb intercept-build", "ccache(1); bear(1)"),
    never(
        "compdb checkinstall cargo-chef cargo-c cargo-zigbuild maturin setuptools-rust hatchling git-cliff towncrier reno \
            conventional-changelog auto-changelog git-chglog",
        "ccache(1); git-cliff and towncrier documentation, \"CLI\"",
        "runs other programs, changes versions or publishes",
    ),
    outsider(
        "bumpversion bump2version bump-my-version cz commitizen semantic-release release-it standard-version \
            changeset changesets cargo-release release-please",
        "semantic-release and Changesets documentation, \"CLI\"; cargo-release --help",
        "runs other programs, changes versions or publishes",
    ),
    Program {
        names: "flit",
        source: "ccache(1); semantic-release and Changesets documentation, \"CLI\"; cargo-release --help",
        class: Class::Never("runs other programs, changes versions or publishes"),
        destroys: &[danger("publish", "", "publishes a package")],
        talks: Talks::Always,
        publishes: &[("publish", "")],
        ..UNLISTED
    },
    Program {
        names: "twine",
        source: "ccache(1); semantic-release and Changesets documentation, \"CLI\"; cargo-release --help",
        class: Class::Never("runs other programs, changes versions or publishes"),
        destroys: &[danger("upload", "", "publishes a package")],
        talks: Talks::Always,
        publishes: &[("upload|register", "")],
        ..UNLISTED
    },
    runner(
        "watchexec chokidar onchange rerun reflex modd CompileDaemon tsc-watch wach when-changed",
        "watchexec --help; chokidar-cli README",
    ),
    Program {
        names: "viddy",
        source: "watchexec --help; chokidar-cli README",
        is: &[Fact::RunsOperands],
        class: Class::Never("runs another program"),
        runs: &[script(0)],
        ..UNLISTED
    },
    outsider(
        "act gitlab-runner circleci drone woodpecker-cli jenkins jenkins-cli argo tekton wf",
        "act --help; gitlab-runner help; circleci help",
        "runs the jobs of the project or changes them elsewhere",
    ),
    Program {
        names: "buildkite-agent",
        is: &[Fact::WorksOutside],
        source: "act --help; gitlab-runner help; circleci help",
        class: Class::Never("runs the jobs of the project or changes them elsewhere"),
        prints: &[printer("secret|oidc get|request-token", "buildkite-agent secret get --help")],
        ..UNLISTED
    },
    Program {
        names: "travis",
        is: &[Fact::WorksOutside],
        source: "act --help; gitlab-runner help; circleci help",
        class: Class::Never("runs the jobs of the project or changes them elsewhere"),
        prints: &[printer("token", "travis token --help")],
        ..UNLISTED
    },
    outsider(
        "web-ext electron electron-builder electron-forge electron-packager tauri cordova ionic \
            capacitor react-native nativescript expo-cli neutralino wails",
        "electron-builder documentation, \"Command Line Interface\"; Tauri documentation, \"CLI\"",
        SERVES,
    ),
    Program {
        names: "vsce ovsx",
        source: "electron-builder documentation, \"Command Line Interface\"; Tauri documentation, \"CLI\"",
        class: Class::Never(SERVES),
        destroys: &[danger("publish|unpublish", "", "publishes an extension")],
        talks: Talks::Always,
        publishes: &[("publish|unpublish|login|create-publisher", "")],
        ..UNLISTED
    },
    Program {
        names: "eas",
        source: "electron-builder documentation, \"Command Line Interface\"; Tauri documentation, \"CLI\"",
        class: Class::Never(SERVES),
        prints: &[printer("env:get|env:list|env:pull", "eas env --help")],
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
    runner(
        "foreman overmind hivemind honcho",
        "foreman(1), overmind(1), hivemind(1) and the manual page of each other",
    ),
    Program {
        names: "cmake",
        source: "cmake(1), \"Run a Command-Line Tool\"",
        is: &[Fact::SaysVersion],
        runs: &[behind("-E env", 0), behind("-E time", 0), behind("-E chdir", 1)],
        class: Class::Never("can change the system or run other programs"),
        prints: &[printer("environment", "cmake(1), -E environment").with("E")],
        does: "runs programs of the project",
        ..UNLISTED
    },
    Program {
        names: "meson",
        source: "meson(1)",
        is: &[Fact::SaysVersion],
        class: Class::Never("can change the system or run other programs"),
        ..UNLISTED
    },
    Program {
        names: "bazel",
        source: "bazel(1)",
        running: "--run_under --workspace_status_command",
        class: Class::Never("can change the system or run other programs"),
        does: "runs programs of the project",
        ..UNLISTED
    },
    Program {
        runs: &[behind("exec", 0), behind("e", 0)],
        valued: "-e -c --conf --workdir --root --colored",
        running: "-x --override",
        open_behind: &[""],
        implied: "tox.ini",
        ..never("tox", "tox(1)", "can change the system or run other programs")
    },
    Program {
        open_behind: &[""],
        implied: "noxfile.py",
        ..never("nox", "nox(1)", "can change the system or run other programs")
    },
    never("ant scons invoke", "ant(1), scons(1), invoke(1)", "can change the system or run other programs"),
    Program {
        names: "make",
        source: "make(1)",
        sets: &[danger("", "E eval", "runs what its words say")],
        is: &[Fact::OfTheSystem, Fact::RunsOperands, Fact::SaysVersion, Fact::SaysVersionByLetter, Fact::RunsText],
        class: Class::Tasks(&MAKE_OPTIONS),
        valued: "-C --directory -f --file --makefile -j --jobs -I --include-dir -l -o -W",
        naming: "-C --directory -f --file --makefile -I --include-dir",
        does: "runs programs of the project",
        open_behind: &["+"],
        implied: "GNUmakefile makefile Makefile",
        interactive: &[Interactive::FromFile],
        ..UNLISTED
    },
    Program {
        names: "gmake",
        source: "gmake(1)",
        is: &[Fact::OfTheSystem, Fact::RunsText],
        class: Class::Tasks(&MAKE_OPTIONS),
        first_name: "make",
        valued: "-C --directory -f --file --makefile -j --jobs -I --include-dir -l -o -W",
        naming: "-C --directory -f --file --makefile -I --include-dir",
        implied: "GNUmakefile makefile Makefile",
        interactive: &[Interactive::FromFile],
        ..UNLISTED
    },
    Program {
        names: "mvn",
        source: "mvn --help (3.9); Surefire documentation",
        is: &[Fact::SaysVersion],
        class: Class::Tasks(&MVN_OPTIONS),
        valued: "-f --file -s --settings -P -pl --projects -p --project-dir -b --build-file -c \
            --settings-file",
        destroys: MVN_DESTROYS,
        prints: &[printer("help:effective-settings", "Maven help plugin, effective-settings").with("-DshowPasswords")],
        does: "runs programs of the project",
        open_behind: &["compile", "package", "test", "verify"],
        implied: "pom.xml",
        ..UNLISTED
    },
    Program {
        names: "mvnw",
        source: "mvn --help (3.9); Surefire documentation",
        is: &[Fact::InProject],
        class: Class::Tasks(&MVN_OPTIONS),
        destroys: MVN_DESTROYS,
        does: "runs programs of the project",
        open_behind: &["compile", "package", "test", "verify"],
        ..UNLISTED
    },
    Program {
        names: "gradle",
        source: "Gradle User Manual, \"Command-Line Interface\"",
        is: &[Fact::SaysVersion],
        class: Class::Tasks(&GRADLE_OPTIONS),
        valued: "-f --file -s --settings -P -pl --projects -p --project-dir -b --build-file -c \
            --settings-file",
        destroys: MVN_DESTROYS,
        does: "runs programs of the project",
        open_behind: &["assemble", "build", "check", "test"],
        implied: "build.gradle build.gradle.kts settings.gradle settings.gradle.kts",
        ..UNLISTED
    },
    Program {
        names: "gradlew",
        source: "Gradle User Manual, \"Command-Line Interface\"",
        is: &[Fact::InProject],
        class: Class::Tasks(&GRADLE_OPTIONS),
        destroys: MVN_DESTROYS,
        does: "runs programs of the project",
        open_behind: &["assemble", "build", "check", "test"],
        ..UNLISTED
    },
    Program {
        names: "ninja",
        source: "ninja(1)",
        is: &[Fact::SaysVersion],
        class: Class::Tasks(&Spec {
            flags: "nvdkj#",
            long: "verbose quiet help version",
            refused: &[("-C -f -t -d -w", Runs)],
            ..TASK
        }),
        naming: "-f -d -C -t --justfile",
        does: "runs programs of the project",
        open_behind: &[""],
        ..UNLISTED
    },
    Program {
        names: "just",
        source: "just(1)",
        class: Class::Tasks(&Spec {
            refused: &[("-f --justfile --shell --set -d --working-directory -c --command", Runs)],
            ..TASK
        }),
        naming: "-f -d -C -t --justfile",
        does: "runs programs of the project",
        open_behind: &["+"],
        implied: "justfile Justfile .justfile",
        ..UNLISTED
    },
    Program {
        names: "task",
        source: "Task documentation, \"CLI Reference\"",
        class: Class::Tasks(&TASK_OPTIONS),
        naming: "-f -d -C -t --justfile",
        does: "runs programs of the project",
        open_behind: &["+"],
        implied: "Taskfile.yml Taskfile.yaml",
        ..UNLISTED
    },
    Program { names: "go-task", source: "go-task(1)", class: Class::Tasks(&TASK_OPTIONS), ..UNLISTED },
    Program {
        names: "rake",
        source: "rake(1)",
        is: &[Fact::Versioned],
        class: Class::Tasks(&Spec {
            flags: "qsvnt",
            long: "quiet silent verbose dry-run trace help version",
            refused: &[("-f --rakefile -r --require -I --libdir -e --execute -E -p -R --rakelibdir -g --system", Runs)],
            ..TASK
        }),
        naming: "-f -d -C -t --justfile",
        destroys: RAKE_DESTROYS,
        does: "runs programs of the project",
        open_behind: &["+"],
        implied: "Rakefile",
        ..UNLISTED
    },
    Program { names: "thor", source: "thor(1)", is: &[Fact::Abbreviates], ..UNLISTED },
];
