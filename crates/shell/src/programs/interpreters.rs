//! Interpreters of languages: a pattern has to name what they run.

use super::class::{Class, Interpreter, Kind};
use super::danger::{Danger, danger};
use super::fact::Fact;
use super::interactive::{Console, Interactive};
use super::shared::{
    ARTISAN_DESTROYS, BUN_INTERACTIVE, CLOJURE_INTERACTIVE, DJANGO_ADMIN_DESTROYS, GO_INTERACTIVE, GUILE_INTERACTIVE,
    NODE_INTERACTIVE, NPM_CHANGES, PYTHON_INTERACTIVE, SBCL_INTERACTIVE,
};
use super::{Program, Talks, UNLISTED, later, lookers};

const OTHER_CALLS: Interpreter =
    Interpreter { kind: Kind::Other, code: "-e", valued: "", tells: "--version --help", subs: "" };

const EXPECT_INTERACTIVE: &[Interactive] =
    &[Interactive::WithoutScript(&Console { program: &["-c"], goes_on: &["-i"], ..Console::PLAIN })];

const PYTHON_CALLS: Interpreter =
    Interpreter { kind: Kind::Python, code: "-c -m", valued: "-W -X", tells: "--version -V --help -h -VV", subs: "" };

const PYTHON_DESTROYS: &[Danger] =
    &[danger("manage.py|./manage.py flush|reset_db", "", "removes what the database holds")];

const NODE_CALLS: Interpreter = Interpreter {
    kind: Kind::Other,
    code: "-e --eval -p --print -c --check",
    valued: "-r --require --import --loader -C --conditions --env-file --input-type",
    tells: "--version -v --help -h",
    subs: "",
};

const DENO_CALLS: Interpreter = Interpreter {
    kind: Kind::Deno,
    code: "",
    valued: "",
    tells: "--version -V -v --help -h",
    subs: "run test eval task x check fmt lint",
};

const PERL_INTERACTIVE: &[Interactive] = &[Interactive::WithoutScript(&Console {
    program: &["-e", "-E"],
    valued: &["-I"],
    goes_on: &["-d"],
    ..Console::PLAIN
})];

const RUBY_CALLS: Interpreter = Interpreter {
    kind: Kind::Other,
    code: "-e -ne -pe",
    valued: "-I -r -C -E -F",
    tells: "--version -v --help -h",
    subs: "",
};

const RUBY_INTERACTIVE: &[Interactive] =
    &[Interactive::WithoutScript(&Console { valued: &["-I", "-r"], goes_on: &[], ..Console::PLAIN })];

const LUA_CALLS: Interpreter = Interpreter { kind: Kind::Other, code: "-e", valued: "-l", tells: "-v", subs: "" };

const R_INTERACTIVE: &[Interactive] = &[Interactive::WithoutScript(&Console {
    program: &["-e", "-f", "CMD"],
    goes_on: &["--interactive"],
    ..Console::PLAIN
})];

const OCTAVE_INTERACTIVE: &[Interactive] =
    &[Interactive::WithoutScript(&Console { program: &["--eval"], goes_on: &["--persist"], ..Console::PLAIN })];

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: "expect",
        source: "expect(1)",
        is: &[Fact::Types],
        class: Class::Script(&OTHER_CALLS),
        interactive: EXPECT_INTERACTIVE,
        ..UNLISTED
    },
    Program {
        names: "tclsh wish",
        source: "tclsh(1), wish(1)",
        class: Class::Script(&OTHER_CALLS),
        interactive: EXPECT_INTERACTIVE,
        ..UNLISTED
    },
    Program {
        names: "jjs ginsh tasksh bconsole tdbtool scanmem byebug",
        source: "jjs(1), ginsh(1), tasksh(1), bconsole(8), tdbtool(8), scanmem(1), byebug(1)",
        is: &[Fact::TakesCommands],
        class: Class::Never("can run commands and open connections"),
        interactive: &[Interactive::Always],
        ..UNLISTED
    },
    Program {
        names: "pdb pdb3",
        source: "pdb(1), pdb3(1)",
        is: &[Fact::RunsOperands],
        class: Class::Never("runs another program"),
        interactive: &[Interactive::Always],
        ..UNLISTED
    },
    Program {
        names: "python",
        source: "python(1)",
        is: &[Fact::RunsCode, Fact::SaysVersion, Fact::SaysVersionByCapital, Fact::Versioned, Fact::OftenRun],
        class: Class::Script(&PYTHON_CALLS),
        destroys: PYTHON_DESTROYS,
        does: "runs a program",
        interactive: PYTHON_INTERACTIVE,
        open_behind: &["-m mypy", "-m pytest", "-m unittest"],
        ..UNLISTED
    },
    Program {
        names: "python2",
        source: "python2(1)",
        is: &[Fact::RunsCode],
        class: Class::Script(&PYTHON_CALLS),
        first_name: "python",
        interactive: PYTHON_INTERACTIVE,
        ..UNLISTED
    },
    Program {
        names: "python3",
        source: "python3(1)",
        is: &[Fact::RunsCode, Fact::SaysVersion, Fact::SaysVersionByCapital, Fact::OftenRun],
        class: Class::Script(&PYTHON_CALLS),
        first_name: "python",
        destroys: PYTHON_DESTROYS,
        does: "runs a program",
        interactive: PYTHON_INTERACTIVE,
        open_behind: &["-m mypy", "-m pytest", "-m unittest"],
        ..UNLISTED
    },
    Program {
        names: "pypy",
        source: "pypy(1)",
        is: &[Fact::Versioned],
        class: Class::Script(&PYTHON_CALLS),
        interactive: PYTHON_INTERACTIVE,
        ..UNLISTED
    },
    Program {
        names: "pypy3",
        source: "pypy3(1)",
        class: Class::Script(&PYTHON_CALLS),
        interactive: PYTHON_INTERACTIVE,
        ..UNLISTED
    },
    Program {
        names: "node",
        source: "node(1)",
        is: &[Fact::RunsCode, Fact::SaysVersion, Fact::SaysVersionByLetter, Fact::Versioned, Fact::OftenRun],
        class: Class::Script(&NODE_CALLS),
        does: "runs a program",
        interactive: NODE_INTERACTIVE,
        ..UNLISTED
    },
    Program {
        names: "nodejs",
        source: "nodejs(1)",
        class: Class::Script(&NODE_CALLS),
        first_name: "node",
        interactive: NODE_INTERACTIVE,
        ..UNLISTED
    },
    Program {
        names: "tsx ts-node",
        source: "tsx(1), ts-node(1)",
        class: Class::Script(&NODE_CALLS),
        interactive: NODE_INTERACTIVE,
        ..UNLISTED
    },
    Program {
        names: "deno",
        source: "Deno manual, \"Command line interface\"",
        sets: later::DENO,
        is: &[Fact::NamesWithAt, Fact::RunsCode, Fact::SaysVersion],
        class: Class::Script(&DENO_CALLS),
        does: "runs a program",
        interactive: &[Interactive::WithoutScript(&Console {
            program: &["eval"],
            goes_on: &["repl"],
            ..Console::PLAIN
        })],
        open_behind: &["check", "fmt", "lint", "task +", "test"],
        ..UNLISTED
    },
    Program {
        names: "bun",
        source: "Bun documentation, \"bun test\"",
        sets: later::BUN,
        looks: lookers::BUN,
        is: &[Fact::NamesWithAt, Fact::RunsCode, Fact::SaysVersion, Fact::SaysVersionByLetter],
        class: Class::Script(&DENO_CALLS),
        valued: "--prefix -C --dir --cwd -w --workspace -F --filter --registry --userconfig --globalconfig \
            --cache --loglevel --tag --otp --scope --script-shell",
        fetched: "x",
        sub_commands: "access add adduser audit author bugs cache ci clean-install completion create dedupe \
            deprecate diff dist-tag docs doctor edit explain find-dupes fund get help hook i in info \
            init install install-ci-test install-test issues la link list ll ln login logout ls org \
            outdated owner pack ping prefix profile prune publish query r rb rebuild remove repo restart \
            rm root run run-script s sbom se search shrinkwrap star stars start stop t team test token \
            tst un uninstall unlink unpublish unstar up update upgrade v version view whoami why \
            workspaces patch store import build lint dev why pm",
        synonyms: &["add|a", "install|i", "remove|rm", "run|r", "create|c", "x|exec"],
        destroys: &[danger("publish", "", "publishes a package")],
        changes: NPM_CHANGES,
        talks: Talks::For(&[(
            "install|i|ci|add|update|upgrade|publish|unpublish|view|info|outdated|search|audit|login|exec|dlx|create|init",
            "",
        )]),
        interactive: BUN_INTERACTIVE,
        publishes: &[("publish", "")],
        open_behind: &["test", "run +"],
        implied: "package.json",
        ..UNLISTED
    },
    Program {
        names: "perl",
        source: "perl(1)",
        is: &[Fact::RunsCode, Fact::SaysVersion, Fact::SaysVersionByLetter, Fact::Versioned, Fact::OftenRun],
        class: Class::Script(&Interpreter {
            kind: Kind::Other,
            code: "-e -E -ne -pe -nE -pE -le -lne -lane -ane",
            valued: "-I -M -F -C",
            tells: "--version -v --help -h",
            subs: "",
        }),
        does: "runs a program",
        interactive: PERL_INTERACTIVE,
        ..UNLISTED
    },
    Program {
        names: "ruby",
        source: "ruby(1)",
        is: &[Fact::RunsCode, Fact::SaysVersion, Fact::SaysVersionByLetter, Fact::Versioned, Fact::OftenRun],
        class: Class::Script(&RUBY_CALLS),
        does: "runs a program",
        interactive: RUBY_INTERACTIVE,
        ..UNLISTED
    },
    Program {
        names: "irb",
        source: "irb(1)",
        is: &[Fact::Versioned],
        class: Class::Script(&RUBY_CALLS),
        interactive: &[Interactive::Always],
        ..UNLISTED
    },
    Program {
        names: "php",
        source: "php(1)",
        is: &[
            Fact::RunsCode,
            Fact::SaysVersion,
            Fact::SaysVersionByCapital,
            Fact::SaysVersionByLetter,
            Fact::Versioned,
            Fact::OftenRun,
        ],
        class: Class::Script(&Interpreter {
            kind: Kind::Other,
            code: "-r -f -l",
            valued: "-d -c",
            tells: "--version -v --help -h -m",
            subs: "",
        }),
        destroys: &[ARTISAN_DESTROYS],
        does: "runs a program",
        interactive: &[
            Interactive::WithoutScript(&Console {
                program: &["-r", "-B", "-R", "-S"],
                valued: &["-d", "-c"],
                goes_on: &["-a", "--interactive"],
                ..Console::PLAIN
            }),
            Interactive::As(&[&["tinker"]]),
        ],
        ..UNLISTED
    },
    Program {
        names: "lua",
        source: "lua(1)",
        is: &[Fact::RunsCode, Fact::SaysVersion, Fact::Versioned],
        class: Class::Script(&LUA_CALLS),
        does: "runs a program",
        interactive: &[Interactive::WithoutScript(&Console { valued: &["-l"], ..Console::PLAIN })],
        ..UNLISTED
    },
    Program {
        names: "luajit",
        source: "luajit(1)",
        class: Class::Script(&LUA_CALLS),
        interactive: &[Interactive::WithoutScript(&Console { valued: &["-l"], ..Console::PLAIN })],
        ..UNLISTED
    },
    Program { names: "R", source: "R(1)", class: Class::Script(&OTHER_CALLS), interactive: R_INTERACTIVE, ..UNLISTED },
    Program {
        names: "Rscript",
        source: "Rscript(1)",
        class: Class::Script(&OTHER_CALLS),
        does: "runs a program",
        ..UNLISTED
    },
    Program {
        names: "julia",
        source: "julia(1)",
        class: Class::Script(&OTHER_CALLS),
        interactive: &[Interactive::WithoutScript(&Console {
            program: &["-e", "-E", "--eval", "--print"],
            valued: &["-t", "-L", "-p"],
            ..Console::PLAIN
        })],
        ..UNLISTED
    },
    Program {
        names: "guile racket ocaml",
        source: "guile(1), racket(1), ocaml(1)",
        class: Class::Script(&OTHER_CALLS),
        interactive: GUILE_INTERACTIVE,
        ..UNLISTED
    },
    Program {
        names: "sbcl",
        source: "sbcl(1)",
        class: Class::Script(&OTHER_CALLS),
        interactive: SBCL_INTERACTIVE,
        ..UNLISTED
    },
    Program {
        names: "clojure scala groovy",
        source: "clojure(1), scala(1), groovy(1)",
        class: Class::Script(&OTHER_CALLS),
        interactive: CLOJURE_INTERACTIVE,
        ..UNLISTED
    },
    Program {
        names: "jshell ghci dc",
        source: "jshell(1), ghci(1), dc(1)",
        class: Class::Script(&OTHER_CALLS),
        interactive: &[Interactive::Always],
        ..UNLISTED
    },
    Program {
        names: "elixir",
        source: "elixir(1)",
        is: &[Fact::SaysVersion],
        class: Class::Script(&OTHER_CALLS),
        ..UNLISTED
    },
    Program {
        names: "erl",
        source: "erl(1)",
        is: &[Fact::Versioned],
        class: Class::Script(&OTHER_CALLS),
        interactive: &[Interactive::Always],
        ..UNLISTED
    },
    Program {
        names: "octave",
        source: "octave(1)",
        class: Class::Script(&OTHER_CALLS),
        interactive: OCTAVE_INTERACTIVE,
        ..UNLISTED
    },
    Program {
        names: "jruby",
        source: "jruby(1)",
        class: Class::Script(&OTHER_CALLS),
        interactive: RUBY_INTERACTIVE,
        ..UNLISTED
    },
    Program {
        names: "osascript",
        source: "osascript(1)",
        sets: &[danger("", "", "tells other programs what to do")],
        is: &[Fact::RunsCode, Fact::WorksOutside],
        class: Class::Script(&OTHER_CALLS),
        does: "runs a program",
        ..UNLISTED
    },
    Program {
        names: "raku",
        source: "raku(1)",
        class: Class::Script(&OTHER_CALLS),
        interactive: PERL_INTERACTIVE,
        ..UNLISTED
    },
    Program { names: "m4 bc", source: "m4(1), bc(1)", class: Class::Script(&OTHER_CALLS), ..UNLISTED },
    Program {
        names: "gnuplot",
        source: "gnuplot(1)",
        class: Class::Script(&OTHER_CALLS),
        interactive: BUN_INTERACTIVE,
        ..UNLISTED
    },
    Program {
        names: "java",
        source: "java(1)",
        running: "-XX:OnError -XX:OnOutOfMemoryError",
        is: &[Fact::SaysVersion, Fact::SaysVersionByWord, Fact::Versioned],
        class: Class::Script(&Interpreter {
            kind: Kind::Other,
            code: "-jar",
            valued: "-cp -classpath --class-path -p --module-path",
            tells: "-version --version -help --help",
            subs: "",
        }),
        ..UNLISTED
    },
    Program { names: "py", source: "py(1)", first_name: "python", destroys: PYTHON_DESTROYS, ..UNLISTED },
    Program { names: "perl5", source: "perl5(1)", first_name: "perl", interactive: PERL_INTERACTIVE, ..UNLISTED },
    Program { names: "qjs hermes", source: "qjs(1), hermes(1)", interactive: NODE_INTERACTIVE, ..UNLISTED },
    Program { names: "perl6", source: "perl6(1)", interactive: PERL_INTERACTIVE, ..UNLISTED },
    Program { names: "truffleruby", source: "truffleruby(1)", interactive: RUBY_INTERACTIVE, ..UNLISTED },
    Program { names: "Rterm", source: "Rterm(1)", interactive: R_INTERACTIVE, ..UNLISTED },
    Program { names: "octave-cli", source: "octave-cli(1)", interactive: OCTAVE_INTERACTIVE, ..UNLISTED },
    Program {
        names: "gosh chibi-scheme",
        source: "gosh(1), chibi-scheme(1)",
        interactive: GUILE_INTERACTIVE,
        ..UNLISTED
    },
    Program { names: "jimsh", source: "jimsh(1)", interactive: EXPECT_INTERACTIVE, ..UNLISTED },
    Program {
        names: "pry utop groovysh gore ipdb cgdb jdb rdebug ghcid",
        source: "pry(1), utop(1), groovysh(1) and the manual page of each other",
        interactive: &[Interactive::Always],
        ..UNLISTED
    },
    Program {
        names: "manage.py",
        source: "Django documentation, \"django-admin and manage.py\"",
        is: &[Fact::ConsoleScript],
        destroys: DJANGO_ADMIN_DESTROYS,
        interactive: &[Interactive::As(&[&["shell"], &["dbshell"], &["shell_plus"]])],
        ..UNLISTED
    },
    Program { names: "dlv", source: "dlv(1)", interactive: GO_INTERACTIVE, ..UNLISTED },
];
