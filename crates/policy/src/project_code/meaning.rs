//! Which commands run the project by what they are for: whoever allows `npm test *` means what the project's files
//! make of it. Every other command of a family is looked up, known or not.

use super::listed;
use handraise_shell::{Part, runs_project};

/// Which sub-commands.
#[derive(Clone, Copy)]
enum Verbs {
    All,
    /// These.
    Only(&'static str),
    /// All that the program does not have itself: the names of scripts and tasks.
    AllBut(&'static str),
    /// A file as the first word.
    Script,
}

use Verbs::{All, AllBut, Only, Script};

/// By program. Sources: each program's `--help`.
const RUN: &[(&str, Verbs)] = &[
    (
        "npm",
        Only(
            "install i in ins inst isntall add ci clean-install ic install-clean install-test it install-ci-test cit update up upgrade udpate \
            rebuild rb test t tst run run-script rum urn start stop restart exec x create init dedupe ddp prune link ln pack uninstall un \
            remove rm r unlink",
        ),
    ),
    ("npx pnpx bunx uvx pipx", All),
    (
        "pnpm",
        AllBut(
            "list ls ll la why outdated audit view info show v root bin licenses config c get set store env server cat-file cat-index find-hash \
            fetch help search s ping whoami login logout owner deprecate undeprecate dist-tag org profile token team publish doctor cache \
            self-update setup import ignored-builds bugs docs home repo version versions",
        ),
    ),
    (
        "yarn yarnpkg",
        AllBut(
            "access audit bin cache check config constraints dedupe explain generate-lock-entry global help import info licenses list login logout node \
            npm outdated owner patch plugin policies publish search self-update set stage tag team unplug version versions why workspaces whoami",
        ),
    ),
    (
        "cargo",
        Only(
            "build b check c clippy test t run r bench doc d rustdoc rustc fix install nextest miri llvm-cov package tarpaulin watch expand udeps hack",
        ),
    ),
    // Command PATH security in Go (go.dev/blog/path-security): of the commands that build, only these run what is built.
    ("go", Only("test run install generate tool get")),
    ("mvn gradle mvnw gradlew", AllBut("version help")),
    // The first of these loads the project's definition to say its version or its help.
    ("sbt", AllBut("about help version sbtVersion")),
    ("mix rebar3", AllBut("help version")),
    ("lein", AllBut("help version")),
    ("nx", AllBut("show graph report list help version daemon print-affected")),
    ("ng", AllBut("version v help config analytics cache completion")),
    ("serverless sls", AllBut("help version config info print")),
    ("jest bundle bundler iex escript elixir ansible ansible-playbook ansible-pull ansible-console", All),
    ("poetry", Only("install run add update remove build shell lock sync")),
    (
        "composer",
        Only(
            "install i update u upgrade require r remove rm run run-script exec create-project dump-autoload dumpautoload test",
        ),
    ),
    ("dotnet", Only("build test run publish restore pack watch msbuild add exec vstest tool new clean format")),
    ("docker podman docker-compose podman-compose", Only("up run exec build create start restart watch")),
    ("terraform tofu", Only("init plan apply destroy refresh import test console get")),
    ("node nodejs tsx ts-node python python2 python3 pypy pypy3 ruby perl php lua java deno bun Rscript erl", Script),
];

/// Options in front of a sub-command that take no value.
const FLAGS: &str = "--silent --quiet -q --verbose --offline --locked --frozen --no-pager --no-color --no-interaction";

/// Whether `part` runs the project by what it is for.
pub(super) fn runs_the_project(program: &str, words: &[&str], part: &Part) -> bool {
    let Some((_, verbs)) = RUN.iter().find(|(programs, _)| listed(programs, program)) else {
        return runs_project(&part.words);
    };
    let verb = verb(program, words);
    match verbs {
        All => true,
        Only(list) => verb.is_some_and(|verb| listed(list, verb)),
        AllBut(list) => match verb {
            Some(verb) => !verb.starts_with('-') && !listed(list, verb),
            // `yarn` alone installs.
            None => words.is_empty() && program.starts_with("yarn"),
        },
        Script => words.first().is_some_and(|word| !word.starts_with('-')),
    }
}

/// The sub-command; an option that is not known here stands for itself, and so is none of the listed ones.
pub(super) fn verb<'a>(program: &str, words: &[&'a str]) -> Option<&'a str> {
    let mut rest = words.iter().copied();
    while let Some(word) = rest.next() {
        let flag = listed(FLAGS, word) || (program == "cargo" && word.starts_with('+'));
        match word {
            "compose" if ["docker", "podman"].contains(&program) => {}
            "-r" | "--recursive" | "-w" | "--workspace-root" if program == "pnpm" => {}
            "--filter" | "-F" if program == "pnpm" => _ = rest.next(),
            "workspace" if program == "yarn" => _ = rest.next(),
            _ if flag => {}
            word => return Some(word),
        }
    }
    None
}
