//! Build tools, task runners, code generators and bundlers.
//!
//! All of them run what the project's files say; so a `*` covers little, and never another file.

use super::super::effect::Effect::{Loads, Runs, Writes};
use super::super::options::{Operands, PLAIN, Spec};
use super::{CHECKER, Program, SERVES, WRITES, commands, looks, looks_at, never, options, runner};

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
                long: "help verbose no-color parallel: skip-nx-cache nxBail output-style=static \
                    output-style=stream concurrency: continue force only",
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
                long: "help verbose no-color force only output-logs=errors-only output-logs=full concurrency: continue",
                refused: &[(
                    "--cwd --team --token --api --cache-dir --global-deps --env-mode -F --filter --graph --profile",
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
                long: "help watch=false no-watch browsers=ChromeHeadless code-coverage no-progress \
                    no-code-coverage source-map verbose named-chunks optimization",
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
        "next nuxt nuxi astro gatsby remix svelte-kit vue-cli-service react-scripts expo ember qwik solid-start \
            blitz redwood rw wasp",
        "Next.js documentation, \"CLI\"; Astro documentation, \"CLI Commands\"",
        &[&[builds("build lint check info telemetry:status"), looks("--version --help help")]],
    ),
    options(
        "parcel swc babel tsup unbuild tsdown ncc nexe microbundle snowpack sucrase terser uglifyjs cleancss \
            html-minifier html-minifier-terser svgr postcss lessc sass node-sass sassc stylus tailwindcss pug ejs \
            haml slimrb coffee livescript browserify metro rspack rsbuild farm",
        "Babel, Sass and Terser documentation, \"Command line\"",
        &Spec { long: "help version", operands: Operands::None, runs_project: true, ..PLAIN },
    ),
    options(
        "svelte-check vue-tsc tslint type-coverage",
        "svelte-check README, \"Options\"; vue-tsc documentation",
        &Spec {
            long: "help version noEmit fail-on-warnings threshold: output=human output=machine no-tsconfig strict \
                detail pretty skipLibCheck",
            refused: &[
                (
                    "--tsconfig --workspace --ignore --compiler-warnings --diagnostic-sources -p --project -b \
                        --build --preserveWatchOutput -c --rules-dir -r --formatters-dir",
                    Loads,
                ),
                ("--outDir --outFile --watch --update --fix --incremental --tsBuildInfoFile -o", Writes),
            ],
            ..CHECKER
        },
    ),
    never(
        "redo tup samu gn bjam waf premake premake5 xmake conan vcpkg hunter cpm colcon catkin catkin_make \
            bitbake buck buck2 please plz pants bazelisk buildozer earthly dagger mage gox goreleaser nfpm ko \
            kobalt kotlinw sbtn mvnd ivy buildr leiningen rebar fastlane xcodebuild xcrun xctool pod carthage \
            tuist mint packer mkosi debos kiwi livecd-creator diskimage-builder linuxkit",
        "each tool's manual page or --help",
        "runs what its file of rules says",
    ),
    runner(
        "autoconf automake autoreconf autoheader aclocal autoscan autoupdate libtoolize glibtoolize gettextize \
            intltoolize configure config.status cmake-gui ccmake cpack qmake qmake6 moc uic rcc lrelease lupdate \
            muon imake xmkmf autogen.sh",
        "autoconf(1); cmake(1); meson(1)",
    ),
    never(
        "bison yacc byacc flex lex re2c ragel lemon antlr antlr4 jflex swig ply peg leg gperf unifdef cproto \
            protoize gengetopt help2man rpcgen bin2c glib-mkenums glib-genmarshal glib-compile-schemas \
            glib-compile-resources gdbus-codegen wayland-scanner stringer mockgen mockery enumer go-bindata packr \
            statik moq counterfeiter",
        "bison(1); flex(1); swig(1); mockgen -help",
        WRITES,
    ),
    never(
        "ccache sccache distcc icecc bear compiledb intercept-build compdb checkinstall cargo-chef cargo-c \
            cargo-zigbuild maturin setuptools-rust flit twine hatchling bumpversion bump2version bump-my-version \
            cz commitizen semantic-release release-it standard-version changeset changesets cargo-release \
            git-cliff towncrier reno conventional-changelog auto-changelog git-chglog release-please",
        "ccache(1); semantic-release and Changesets documentation, \"CLI\"; cargo-release --help",
        "runs other programs, changes versions or publishes",
    ),
    runner(
        "watchexec chokidar onchange rerun reflex modd CompileDaemon tsc-watch wach viddy when-changed",
        "watchexec --help; chokidar-cli README",
    ),
    never(
        "act gitlab-runner circleci buildkite-agent drone woodpecker-cli jenkins jenkins-cli travis argo tekton \
            wf",
        "act --help; gitlab-runner help; circleci help",
        "runs the jobs of the project or changes them elsewhere",
    ),
    never(
        "web-ext vsce ovsx electron electron-builder electron-forge electron-packager tauri cordova ionic \
            capacitor react-native nativescript expo-cli eas neutralino wails",
        "electron-builder documentation, \"Command Line Interface\"; Tauri documentation, \"CLI\"",
        SERVES,
    ),
];
