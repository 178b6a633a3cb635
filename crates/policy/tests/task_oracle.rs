//! What tasks are said to run against the programs that run them: make, npm and Cargo, where they are installed.
//!
//! The law for makefiles: whatever is put into a project, either what `make test` runs is said to be another text, or make
//! runs exactly what it ran before.

#![cfg(unix)]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the oracle is the real program, which reads files"
)]

use std::fs;
use std::path::Path;
use std::process::Command;

use handraise_policy::project_task::{LookedAt, Pause, TaskCall, TaskDefinition, TaskFiles, TaskRunner, define_task};

fn look(path: &Path) -> LookedAt {
    if path.is_dir() {
        let entries = fs::read_dir(path).unwrap();
        return LookedAt::Folder(entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect());
    }
    fs::read_to_string(path).map_or(LookedAt::Absent, LookedAt::File)
}

/// What the task `name` of `folder` is said to run.
fn defined(runner: TaskRunner, name: &str, folder: &Path) -> Result<TaskDefinition, String> {
    let call = TaskCall { runner, words: format!("run {name}"), names: vec![name.to_owned()] };
    let mut files = TaskFiles::default();
    loop {
        match define_task(&call, folder.to_str().unwrap(), None, &files) {
            Ok(definition) => return Ok(definition),
            Err(Pause::Unknown(why)) => return Err(why),
            Err(Pause::Look(paths)) => {
                for path in paths {
                    let found = look(Path::new(&path));
                    files.add(path, found);
                }
            }
        }
    }
}

/// What `program` prints in `folder`, and whether it succeeds; `None`: it is not installed.
fn run(program: &str, arguments: &[&str], folder: &Path) -> Option<(bool, String)> {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).env_remove("MAKEFLAGS").env_remove("MAKELEVEL");
    let done = match command.output() {
        Ok(done) => done,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            eprintln!("left out: {program} is not installed");
            return None;
        }
        Err(error) => panic!("{program}: {error}"),
    };
    Some((done.status.success(), String::from_utf8_lossy(&done.stdout).into_owned()))
}

const MAKEFILE: &[&str] = &[
    "CC = cc\n",
    ".PHONY: all test build\n",
    "all: test\n",
    "test: build data.txt | out\n\techo testing\n\n\techo more\n",
    "build:\n\t@echo building \\\n\t  it\n",
    "data.txt:\n\techo data > data.txt\n",
    "out:\n\tmkdir -p out\n",
    "other: test\n\techo other\n",
];

/// What somebody may put between the rules of a makefile.
const SNIPPETS: &[&str] = &[
    "# nothing\n",
    "# a comment \\\ntest: evil\n",
    "\n",
    "test: evil\n",
    "evil:\n\techo evil\n",
    "test other: evil\nevil:\n\techo evil\n",
    "./test: evil\nevil:\n\techo evil\n",
    "  test: evil\n  evil: ; echo evil\n",
    "build: ; echo evil\n",
    "build: evil\nevil: ; @echo evil\n",
    "out data.txt: evil\nevil:\n\techo evil\n",
    "%: %.x\n\techo evil\n",
    "%.txt:\n\techo evil\n",
    ".DEFAULT:\n\techo evil\n",
    "Makefile: evil\n\techo evil\nevil:\n\techo evil\n",
    "makefile Makefile:\n\techo evil\n",
    "$(subst x,,txest): evil\nevil:\n\techo evil\n",
    "T = test\n$(T): evil\nevil:\n\techo evil\n",
    "SHELL = /bin/false\n",
    ".ONESHELL:\n",
    ".RECIPEPREFIX = >\n",
    "MAKEFLAGS += -s\n",
    "MAKEFLAGS += --eval=test:evil\n",
    "define X\ntest: evil\nendef\n",
    "define X\ntest: evil\nevil:\n\techo evil\nendef\n$(eval $(X))\n",
    "ifeq (a,a)\ntest: evil\nevil:\n\techo evil\nendif\n",
    "ifndef CC\nelse\ntest: evil\nevil:\n\techo evil\nendif\n",
    "include x.mk\n",
    "-include x.mk\n",
    "sinclude x.mk\n",
    "\\\ninclude x.mk\n",
    "\tinclude x.mk\n",
    "X = 1\n\tinclude x.mk\n",
    "X := $(eval include x.mk)\n",
    "override CC = x\n",
    "export X = 1\n",
    "vpath %.txt src\n",
    "test: X = 1\n",
    "test: private X = 1\n",
    ".SECONDEXPANSION:\ntest: $$(X)\nX = evil\nevil:\n\techo evil\n",
    ".PHONY: data.txt\n",
    ".PHONY: other\n",
    ".SILENT:\n",
    ".IGNORE: test\n",
    ".SUFFIXES:\n",
    "tes\\\nt: evil\n",
    "test:: evil\n",
    "test other &: evil\nevil:\n\techo evil\n",
    "\techo evil\n",
    "undefine CC\n",
    "unrelated: X := $(shell touch read)\n",
    "unrelated: X != touch read\n",
    "unrelated: $(shell touch read)\n",
    "unrelated: ; $(shell touch read)\n",
    "unrelated:\n\t$(shell touch read)\n",
    "unrelated: private export X := $(shell touch read)\n",
    "$(shell touch read)\n",
    "X != touch read\n",
    "export X := $(shell touch read)\n",
    "test : evil\nevil :\n\techo evil\n",
    "unrelated: other\n\techo unrelated\n",
];

/// What somebody may put beside a makefile.
const FILES: &[(&str, &str)] = &[
    ("GNUmakefile", "test:\n\techo evil\n"),
    ("makefile", "test:\n\techo evil\n"),
    ("Makefile.sh", "test:\n\techo evil\n"),
    ("Makefile.c", "int main;\n"),
    ("Makefile,v", "x"),
    ("RCS/Makefile,v", "x"),
    ("SCCS/s.Makefile", "x"),
    ("s.Makefile", "x"),
    ("x.mk", "test:\n\techo evil\n"),
    ("notes.txt", "x"),
];

#[test]
fn make_runs_what_is_said_or_something_else_is_said() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path().canonicalize().unwrap();
    let whole = MAKEFILE.concat();
    let mut project = 0;
    let mut try_one = |makefile: &str, beside: &[(&str, &str)]| {
        project += 1;
        let folder = root.join(format!("{project}")).join("a");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("Makefile"), makefile).unwrap();
        for (name, text) in beside {
            fs::create_dir_all(folder.join(name).parent().unwrap()).unwrap();
            fs::write(folder.join(name), text).unwrap();
        }
        let said = defined(TaskRunner::Make, "test", &folder);
        let said = said.map(|definition| definition.text());
        let (succeeds, printed) = run("make", &["-n", "test"], &folder)?;
        // Some of a makefile runs while it is read.
        Some(((succeeds, printed, folder.join("read").exists()), said))
    };
    let x_mk = ("x.mk", "test: evil\nevil:\n\techo evil\n");
    let Some((ran, said)) = try_one(&whole, &[x_mk]) else { return };
    let said = said.unwrap();
    assert!(ran.0 && said.contains("echo testing") && said.contains("mkdir"), "{ran:?} {said}");
    let (mut same, mut other) = (0, 0);
    for snippet in SNIPPETS {
        for place in 0..=MAKEFILE.len() {
            let makefile = format!("{}{snippet}{}", MAKEFILE[..place].concat(), MAKEFILE[place..].concat());
            let (now, told) = try_one(&makefile, &[x_mk]).unwrap();
            if told.as_ref() == Ok(&said) {
                assert_eq!(now, ran, "at {place}: {snippet}");
                same += 1;
            } else {
                other += 1;
            }
        }
    }
    for beside in FILES {
        let (now, told) = try_one(&whole, &[x_mk, *beside]).unwrap();
        // A makefile that make makes anew is run anew; `-n` does not keep it from that.
        assert!(told != Ok(said.clone()) || now == ran, "{beside:?}");
    }
    // Both sides of the law are tried.
    assert!(same > 40 && other > 200, "{same} {other}");
}

#[test]
fn npm_runs_the_steps_that_are_said() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().canonicalize().unwrap();
    let package = r#"{"name":"x","version":"1.0.0","scripts":{"pretest":"echo one","test":"echo two && npm run -s sub","posttest":
        "echo three","sub":"echo four","\u0073tart":"echo five","other":"echo six"}}"#;
    fs::write(folder.join("package.json"), package).unwrap();
    let said = |name: &str| {
        let definition = defined(TaskRunner::Npm, name, &folder).unwrap();
        definition.steps.into_iter().map(|step| step.text).collect::<Vec<_>>()
    };
    assert_eq!(said("test"), ["echo one", "echo two && npm run -s sub", "echo three", "echo four"]);
    for name in ["test", "start"] {
        let Some((succeeded, printed)) = run("npm", &["run", name], &folder) else { return };
        let started: Vec<&str> = printed.lines().filter_map(|line| line.strip_prefix("> ")).collect();
        let commands: Vec<&str> = started.into_iter().filter(|line| !line.starts_with("x@")).collect();
        let said = said(name);
        assert!(succeeded && !commands.is_empty(), "{printed}");
        assert!(commands.iter().all(|command| said.iter().any(|text| text == command)), "{commands:?} {said:?}");
        let own = said.iter().filter(|text| !text.contains("four"));
        assert!(own.clone().all(|text| commands.contains(&text.as_str())), "{commands:?} {said:?}");
    }
    // What npm takes its shell from is no such text.
    fs::write(folder.join("evil.sh"), "#!/bin/sh\necho evil\n").unwrap();
    let evil = folder.join("evil.sh");
    Command::new("chmod").arg("+x").arg(&evil).status().unwrap();
    fs::write(folder.join(".npmrc"), format!("script-shell={}\n", evil.display())).unwrap();
    assert!(run("npm", &["run", "start"], &folder).unwrap().1.contains("evil"));
    assert!(defined(TaskRunner::Npm, "start", &folder).is_err());
}

#[test]
fn cargo_runs_the_alias_that_is_said_and_none_for_its_own_commands() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().canonicalize().unwrap().join("a/b");
    fs::create_dir_all(folder.join(".cargo")).unwrap();
    let aliases = "[alias]\nv = 'version'\nclippy = ['version']\ntest = 'version'\nw = 'v'\n";
    fs::write(folder.parent().unwrap().join("x"), "").unwrap();
    fs::write(folder.join(".cargo/config.toml"), aliases).unwrap();
    let (_, version) = run("cargo", &["version"], &folder).unwrap();
    for name in ["v", "clippy", "w"] {
        assert_eq!(run("cargo", &[name], &folder).unwrap(), (true, version.clone()), "{name}");
        let text = defined(TaskRunner::Cargo, name, &folder).unwrap().text();
        assert!(text.contains("cargo version"), "{name}: {text}");
    }
    // An alias for `cargo test` is not used, so `cargo test` is no task.
    assert_ne!(run("cargo", &["test"], &folder).unwrap().1, version);
    // Lists of several files are joined; whichever of two files in one folder counts is among what is said.
    fs::create_dir_all(folder.join("../.cargo")).unwrap();
    fs::write(folder.join("../.cargo/config.toml"), "[alias]\nj = ['version']\n").unwrap();
    fs::write(folder.join(".cargo/config.toml"), "[alias]\nj = ['--quiet']\nv = 'help'\n").unwrap();
    fs::write(folder.join(".cargo/config"), "[alias]\nv = 'version'\n").unwrap();
    for name in ["j", "v"] {
        let (_, printed) = run("cargo", &[name], &folder).unwrap();
        let text = defined(TaskRunner::Cargo, name, &folder).unwrap().text();
        assert!(text.contains("version") || printed != version, "{name}: {text}");
    }
    assert!(run("cargo", &["j"], &folder).unwrap().1.contains(version.trim()));
}
