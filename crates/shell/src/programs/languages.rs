//! Compilers, interpreters and the tools of their languages.

use super::class::Class;
use super::danger::danger;
use super::effect::Effect::{Changes, Loads, Runs, Writes};
use super::fact::Fact;
use super::interactive::Interactive;
use super::runs::behind;
use super::shared::{
    BUN_INTERACTIVE, CLOJURE_INTERACTIVE, GUILE_INTERACTIVE, NODE_INTERACTIVE, PYTHON_INTERACTIVE, SBCL_INTERACTIVE,
};
use super::spec::{CODE, Operands, PLAIN, SAYS_VERSION, Spec, Style, VIEWER, WRITES, looks, looks_at};
use super::{Program, Talks, UNLISTED, commands, later, never, options, outsider, runner};

/// Sub-commands of the compiler-and-project tools that build and test without arguments of their own.
const BUILDS: Spec = Spec {
    long: "help version verbose quiet release",
    flags: "hvq",
    operands: Operands::None,
    runs_project: true,
    ..PLAIN
};

const MIX_COMMANDS: &[&[Spec]] = &[&[
    Spec {
        names: "test",
        long: "trace stale failed seed: only: exclude: include: max-failures: color no-color cover slowest: force \
            warnings-as-errors help all-warnings",
        refused: &[(
            "--formatter --import-lib-path --preload-modules --export-coverage --partitions -r --require --suite \
                --dir --config --name --sname",
            Runs,
        )],
        operands: Operands::Inside,
        runs_project: true,
        ..PLAIN
    },
    Spec { names: "compile build check", ..BUILDS },
    Spec { names: "format:--check-formatted format:--check", operands: Operands::Inside, runs_project: true, ..PLAIN },
    looks("help --version version"),
    Spec { names: "deps deps.tree", ..BUILDS },
]];

const OPAM_COMMANDS: &[&[Spec]] = &[&[
    looks("--version --help help"),
    looks_at("list show search"),
    Spec {
        names: "build test runtest",
        flags: "h",
        long: "help force",
        refused: &[(
            "--root --workspace --profile --config-file --trace-file -x --context --promote --auto-promote -w \
                --watch",
            Runs,
        )],
        operands: Operands::None,
        runs_project: true,
        ..PLAIN
    },
]];

const PKG_CONFIG_OPTIONS: Spec = Spec {
    long: "help version modversion list-all exists print-errors cflags libs static cflags-only-I libs-only-l \
        libs-only-L print-provides print-requires variable: atleast-version: exact-version: max-version: \
        silence-errors short-errors",
    refused: &[("--define-variable --with-path --define-prefix --prefix-variable --log-file --env", Loads)],
    operands: Operands::Plain,
    ..PLAIN
};

const DART_COMMANDS: &[&[Spec]] = &[&[
    Spec {
        names: "analyze",
        long: "fatal-infos fatal-warnings no-fatal-infos no-fatal-warnings help format=json format=machine",
        refused: &[("--sdk-path --packages --write --watch --cache --use-aot-snapshot --enable-experiment", Loads)],
        operands: Operands::Inside,
        runs_project: true,
        ..PLAIN
    },
    Spec {
        names: "test",
        valued: "nNjtx",
        long: "name: plain-name: tags: exclude-tags: concurrency: coverage-off run-skipped no-run-skipped \
                    color no-color reporter=compact reporter=expanded reporter=github timeout: help no-pub",
        refused: &[(
            "--platform -p --preset -P --configuration --file-reporter --coverage --coverage-path \
                        --dart-define --dart-define-from-file --update-goldens --machine --track-widget-creation \
                        --compiler -c --pause-after-load --enable-experiment",
            Runs,
        )],
        operands: Operands::Inside,
        runs_project: true,
        ..PLAIN
    },
    looks("--version --help doctor devices"),
]];

const INSTALLER_COMMANDS: &[&[Spec]] =
    &[&[looks("version --version --help help check"), looks_at("list search info show")]];

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: "mix",
        source: "mix help; rebar3 help; gleam help",
        is: &[Fact::SaysVersion],
        class: Class::HarmlessCommands(MIX_COMMANDS),
        destroys: &[danger("hex.publish|ecto.drop|ecto.reset", "", "publishes a package or removes a database")],
        talks: Talks::For(&[("install|update|push|yank|require|deps.get|hex.publish|search|outdated", "")]),
        publishes: &[("hex.publish|hex.retire|hex.owner|hex.organization|hex.user", "")],
        open_behind: &["compile", "format", "test"],
        ..UNLISTED
    },
    commands("rebar3 gleam", "mix help; rebar3 help; gleam help", MIX_COMMANDS),
    Program { open_behind: &["analyze", "test"], ..commands("flutter", "dart help; flutter help", DART_COMMANDS) },
    commands("dart", "dart help; flutter help", DART_COMMANDS),
    Program {
        names: "swift",
        source: "swift test --help, swift build --help (6.0)",
        is: &[Fact::SaysVersion, Fact::RunsText],
        class: Class::HarmlessCommands(&[&[
            Spec {
                names: "test build",
                flags: "vqc",
                long: "filter: skip: parallel no-parallel enable-code-coverage verbose quiet help list-tests \
                    num-workers: jobs: skip-build build-tests show-bin-path configuration=debug \
                    configuration=release c=debug c=release",
                refused: &[(
                    "--disable-sandbox --package-path --scratch-path --build-path --cache-path --config-path \
                        --swift-sdk --toolset --sdk --triple --toolchain -Xswiftc -Xcc -Xlinker -Xcxx \
                        --manifest-cache --xunit-output --pkg-config-path --security-path --swift-sdks-path \
                        --experimental-xunit-message-failure --attachments-path -X",
                    Runs,
                )],
                operands: Operands::None,
                runs_project: true,
                ..PLAIN
            },
            looks("--version --help"),
        ]]),
        interactive: CLOJURE_INTERACTIVE,
        open_behind: &["build", "test"],
        ..UNLISTED
    },
    Program {
        names: "zig",
        source: "zig help (0.13)",
        is: &[Fact::SaysVersion],
        class: Class::HarmlessCommands(&[&[
            Spec { names: "fmt:--check", operands: Operands::Inside, ..PLAIN },
            Spec { names: "version env targets help", long: "", operands: Operands::None, ..PLAIN },
            Spec { names: "ast-check", long: "color=auto color=off help", operands: Operands::Inside, ..PLAIN },
        ]]),
        open_behind: &["build", "fmt", "test"],
        ..UNLISTED
    },
    Program {
        names: "stack cabal",
        source: "Stack documentation, \"Commands\"; Cabal User Guide",
        sets: later::HASKELL,
        runs: &[behind("exec", 0)],
        is: &[Fact::SaysVersion],
        class: Class::HarmlessCommands(&[&[
            Spec {
                names: "build test bench check",
                flags: "hv",
                long: "help fast pedantic coverage",
                refused: &[(
                    "--ghc-options --exec --stack-yaml --resolver --docker --nix -w --with-compiler \
                        --project-file --test-arguments --ta --file-watch",
                    Runs,
                )],
                operands: Operands::None,
                runs_project: true,
                ..PLAIN
            },
            looks("--version --numeric-version --help path list ls"),
        ]]),
        interactive: &[Interactive::As(&[&["repl"], &["ghci"], &["utop"]])],
        ..UNLISTED
    },
    Program {
        sets: later::OPAM,
        ..commands("opam", "opam(1); Dune documentation, \"Command-line Interface\"", OPAM_COMMANDS)
    },
    Program {
        names: "dune",
        source: "opam(1); Dune documentation, \"Command-line Interface\"",
        class: Class::HarmlessCommands(OPAM_COMMANDS),
        interactive: &[Interactive::As(&[&["repl"], &["ghci"], &["utop"]])],
        ..UNLISTED
    },
    // Every operand of sbt, Mill and Boot is a command, a text that is run, or a task.
    Program {
        names: "sbt",
        source: "sbt Reference Manual, \"Command line reference\"; lein help",
        class: Class::HarmlessCommands(&[&[looks("--version --help version help about")]]),
        interactive: BUN_INTERACTIVE,
        ..UNLISTED
    },
    commands(
        "mill",
        "sbt Reference Manual, \"Command line reference\"; lein help",
        &[&[looks("--version --help version help about")]],
    ),
    Program {
        names: "scala-cli",
        source: "sbt Reference Manual, \"Command line reference\"; lein help",
        class: Class::HarmlessCommands(&[&[looks("--version --help version help about")]]),
        interactive: CLOJURE_INTERACTIVE,
        ..UNLISTED
    },
    Program {
        names: "lein boot",
        source: "sbt Reference Manual, \"Command line reference\"; lein help",
        class: Class::HarmlessCommands(&[&[looks("--version --help version help about")]]),
        interactive: &[Interactive::As(&[&["repl"], &["ghci"], &["utop"]])],
        ..UNLISTED
    },
    options("amm nbb", "Babashka documentation, \"Usage\"; Ammonite documentation", &SAYS_VERSION),
    Program {
        names: "clj bb",
        source: "Babashka documentation, \"Usage\"; Ammonite documentation",
        class: Class::Options(&SAYS_VERSION),
        interactive: CLOJURE_INTERACTIVE,
        ..UNLISTED
    },
    // `crystal FILE` runs it.
    commands("crystal", "crystal help", &[&[looks("version --version help --help env")]]),
    commands("elm elm-test elm-review elm-format purs", "elm --help; spago --help", &[&[looks("--version --help")]]),
    Program {
        names: "spago",
        source: "elm --help; spago --help",
        class: Class::HarmlessCommands(&[&[looks("--version --help")]]),
        interactive: &[Interactive::As(&[&["repl"], &["ghci"], &["utop"]])],
        ..UNLISTED
    },
    Program { sets: later::INSTALLERS, ..commands("luarocks", "luarocks help", INSTALLER_COMMANDS) },
    commands("nimble shards alr dub haxelib raco", "nimble --help", INSTALLER_COMMANDS),
    commands(
        "lake lean elan coqc coqtop agda idris idris2 isabelle leanpkg dafny boogie why3 z3 cvc5 \
            minizinc clingo sicstus tlc",
        "lean --help; coqc(1); swipl --help",
        &[&[looks("--version --help")]],
    ),
    Program {
        names: "swipl gprolog",
        source: "lean --help; coqc(1); swipl --help",
        class: Class::HarmlessCommands(&[&[looks("--version --help")]]),
        interactive: BUN_INTERACTIVE,
        ..UNLISTED
    },
    Program {
        is: &[Fact::RunsText],
        ..never("runghc", "each compiler's or interpreter's manual page or --help", CODE)
    },
    never(
        "nim v odin vlang d dmd ldc2 gdc rdmd hare haxe neko ponyc chapel chpl fpc lazbuild \
            gnatmake gprbuild gfortran flang ifort nvcc hipcc icc icpc dpcpp emcc em++ wasm-pack \
            wasm-bindgen wat2wasm wasmtime wasmer wasm3 wasm-opt assemblyscript asc \
            kotlinc-native scalac fsc fsharpc csc mcs mono ilasm dotnet-script swiftc ecj \
            groovyc jar jlink jpackage jmod native-image proguard r8 dx dex2jar apktool ghcup \
            runhaskell ocamlc ocamlopt ocamlfind ocamlbuild rescript bsc erlc escript elixirc \
            fennel picolisp newlisp chicken gsc racketc chez petite hy pharo gst squeak gforth \
            pforth apl dyalog ijconsole bqn uiua kdb matlab magma mathematica wolfram \
            wolframscript scilab sclang chuck csound supercollider rebol arturo wren gravity \
            squirrel moon moonc luac texlua cython nuitka pyinstaller pyoxidizer mypyc numba \
            pythran brython circuitpython ironpython graalpy",
        "each compiler's or interpreter's manual page or --help",
        CODE,
    ),
    Program {
        names: "kotlinc kotlin",
        source: "each compiler's or interpreter's manual page or --help",
        class: Class::Never(CODE),
        interactive: CLOJURE_INTERACTIVE,
        ..UNLISTED
    },
    Program {
        names: "csi janet gsi mit-scheme scheme",
        source: "each compiler's or interpreter's manual page or --help",
        class: Class::Never(CODE),
        interactive: GUILE_INTERACTIVE,
        ..UNLISTED
    },
    Program {
        names: "javac",
        source: "each compiler's or interpreter's manual page or --help",
        is: &[Fact::SaysVersion, Fact::SaysVersionByWord],
        class: Class::Never(CODE),
        ..UNLISTED
    },
    Program {
        names: "d8",
        source: "each compiler's or interpreter's manual page or --help",
        class: Class::Never(CODE),
        interactive: NODE_INTERACTIVE,
        ..UNLISTED
    },
    Program {
        names: "ghc",
        source: "each compiler's or interpreter's manual page or --help",
        is: &[Fact::SaysVersion, Fact::RunsText],
        class: Class::Never(CODE),
        interactive: &[Interactive::Unless(&["-c", "-o", "--make", "-e"])],
        ..UNLISTED
    },
    Program {
        names: "iex",
        source: "each compiler's or interpreter's manual page or --help",
        class: Class::Never(CODE),
        interactive: &[Interactive::Always],
        ..UNLISTED
    },
    Program {
        names: "ecl abcl ccl clisp",
        source: "each compiler's or interpreter's manual page or --help",
        class: Class::Never(CODE),
        interactive: SBCL_INTERACTIVE,
        ..UNLISTED
    },
    Program {
        names: "sage micropython jython ipython3 bpython ptpython",
        source: "each compiler's or interpreter's manual page or --help",
        class: Class::Never(CODE),
        interactive: PYTHON_INTERACTIVE,
        ..UNLISTED
    },
    Program {
        names: "maxima gp gap",
        source: "each compiler's or interpreter's manual page or --help",
        class: Class::Never(CODE),
        interactive: BUN_INTERACTIVE,
        ..UNLISTED
    },
    never(
        "nasm yasm fasm masm gas ld.lld ld.gold lld mold gold dlltool windres windmc \
            dwp patchelf chrpath upx install_name_tool lipo codesign debugedit dwz dsymutil",
        "nasm(1); patchelf(1); upx(1)",
        WRITES,
    ),
    options(
        "lddtree eu-readelf eu-nm eu-size eu-strings llvm-nm llvm-size llvm-readelf llvm-readobj \
            llvm-strings llvm-cxxfilt c++filt otool dwarfdump llvm-dwarfdump",
        "eu-readelf(1); llvm-readelf --help; c++filt(1)",
        &Spec {
            flags: "ahlSsrdnVvtxgpuACDwWeIj#",
            long: "help version all headers symbols relocs dynamic notes demangle file-header program-headers \
                sections segments debug-syms defined-only extern-only undefined-only numeric-sort \
                reverse-sort no-sort print-file-name disassemble syms section-headers wide",
            refused: &[(
                "-o --output --plugin --plugin-opt --dwo --sup --debug-file-directory --source \
                    --start-address-file @",
                Loads,
            )],
            ..VIEWER
        },
    ),
    options(
        "javap jdeps jps jstat jinfo jcmd jstack jmap jhsdb jfr jdeprscan",
        "JDK Tool Specifications: javap, jdeps, jps",
        &Spec {
            style: Style::Words,
            long: "version help l v verbose public protected private package p c s sysinfo constants h q m V \
                summary s R recursive",
            refused: &[
                (
                    "J classpath cp bootclasspath system module module-path multi-release dotoutput genmoduleinfo \
                        generate-module-info sysroot flag flags",
                    Loads,
                ),
                ("dump heap finalizerinfo clstats histo", Writes),
            ],
            operands: Operands::None,
            ..PLAIN
        },
    ),
    Program {
        names: "pkg-config",
        source: "pkg-config(1)",
        is: &[Fact::OfTheSystem],
        class: Class::Options(&PKG_CONFIG_OPTIONS),
        ..UNLISTED
    },
    options("pkgconf", "pkg-config(1)", &PKG_CONFIG_OPTIONS),
    options(
        "llvm-config mysql_config pg_config xml2-config python3-config python-config sdl2-config \
            freetype-config curl-config nc-config gdal-config krb5-config icu-config ncurses6-config \
            net-snmp-config",
        "llvm-config --help; pg_config(1)",
        &Spec {
            long: "help version cflags libs ldflags includes cxxflags prefix bindir libdir includedir \
                includes-dir embed components system-libs host-target configure pkglibdir sharedir \
                sysconfdir mandir docdir cc cppflags targets-built shared-mode build-mode link-static \
                link-shared abiflags extension-suffix",
            operands: Operands::Plain,
            ..PLAIN
        },
    ),
    outsider(
        "virtualenv venv ruby-build rvm chruby gvm goenv jenv plenv phpenv perlbrew tfenv tfswitch \
            proto pkgx nodeenv pythonz",
        "virtualenv documentation, \"CLI\"; rvm help",
        "installs languages and changes what later commands run",
    ),
    // `python -m pickle FILE` runs what the file says.
    never("pickle shelve", "Python documentation, \"pickle\"", CODE),
    runner(
        "cargo-watch bacon cargo-make makers cargo-script rust-script cross irust",
        "bacon --help; cargo-watch --help; cross documentation",
    ),
    Program {
        names: "evcxr",
        source: "bacon --help; cargo-watch --help; cross documentation",
        is: &[Fact::RunsOperands],
        class: Class::Never("runs another program"),
        interactive: &[Interactive::Always],
        ..UNLISTED
    },
    runner(
        "dotnet-ef paket cake fake nbgv roslynator csharpier jb resharper msbuild xbuild \
            vstest.console nunit3-console xunit.console",
        "MSBuild reference, \"MSBuild command-line reference\"; nuget help",
    ),
    Program {
        names: "nuget",
        source: "MSBuild reference, \"MSBuild command-line reference\"; nuget help",
        is: &[Fact::RunsOperands],
        class: Class::Never("runs another program"),
        destroys: &[danger("push|delete", "", "changes what others install")],
        ..UNLISTED
    },
    options(
        "ctypesgen",
        "addr2line(1)",
        &Spec { long: "help version", refused: &[("-x", Changes)], operands: Operands::None, ..PLAIN },
    ),
];
