use super::*;
use crate::test_support::request;
use handraise_shell::{CommandLine, Shell};

fn shell(line: &str) -> Request {
    let command = Some(CommandLine::analyse(line, Shell::Bash));
    Request { command, cwd: Some("/p".into()), project: Some("/p".into()), ..request("Bash", "{}") }
}

fn with(request: Request, sources: &[CodeSource], repository: &str) -> Request {
    let found = FoundCode { sources: sources.to_vec(), repository: Some(repository.to_owned()) };
    let answer = |question| (question, ProjectAnswer::Looked(found.clone()));
    let project_code = request.project_questions().into_iter().map(answer).collect();
    Request { project_code, ..request }
}

fn clause_of(request: &Request) -> Option<String> {
    let parts = &request.command.as_ref().unwrap().parts;
    parts.iter().find_map(|part| foreign_code(request, part)).map(|foreign| foreign.clause)
}

fn git(text: &str) -> CodeSource {
    let setting = read_git_config(text).unwrap().remove(0);
    CodeSource { file: "/p/.git/config".into(), what: CodeSetting::Git(setting) }
}

fn hook(name: &str) -> CodeSource {
    CodeSource { file: format!("/p/.git/hooks/{name}"), what: CodeSetting::Hook(name.into()) }
}

#[test]
fn questions_name_the_folder_that_the_command_runs_in() {
    let folders = |line: &str| -> Vec<String> {
        shell(line).project_questions().into_iter().map(|question| question.folder).collect()
    };
    assert_eq!(folders("git status"), ["."]);
    assert_eq!(folders("cd docs && git status"), ["docs/."]);
    assert_eq!(folders("git -C a -C b push"), ["a/b/."]);
    assert_eq!(folders("git -C ~/x fetch"), ["~/x/."]);
    assert_eq!(folders("git --no-pager log"), ["."]);
    assert_eq!(folders("ls -la && cat x"), Vec::<String>::new());
    assert_eq!(folders("npm test"), Vec::<String>::new());
    assert_eq!(folders("npm view react"), [".", ".", ".", "."]);
}

fn subjects_of(line: &str) -> Vec<&'static str> {
    let questions = shell(line).project_questions();
    let name = |question: &ProjectQuestion| match question.about {
        ProjectSubject::Git => "git",
        ProjectSubject::Files(name) => name,
        ProjectSubject::OwnProgram(_) => "own program",
    };
    questions.iter().map(name).collect()
}

#[test]
fn every_command_of_a_family_is_looked_up_but_for_those_that_run_the_project() {
    for (line, subject) in [
        ("cargo metadata --format-version 1", "cargo"),
        ("cargo tree -i serde", "cargo"),
        ("cargo fmt --check", "rustup"),
        ("cargo whatever", "cargo"),
        ("rustfmt --check a.rs", "rustup"),
        ("npm view react -s", "npm registry"),
        ("npm audit", "npm registry"),
        ("npm --prefix test view", "npm registry"),
        ("pnpm why react", "pnpm"),
        ("yarn workspaces info", "yarn"),
        ("docker compose config", "compose"),
        ("docker compose down", "compose"),
        ("docker-compose ps", "docker-compose"),
        ("composer show", "composer"),
        ("terraform state list", "terraform"),
        ("terraform validate", "terraform"),
        ("hg diff", "mercurial"),
        ("go list ./...", "git"),
        ("delta a b", "git"),
        ("git-lfs ls-files", "git"),
        ("sbt about", "sbt"),
        ("repo --version", "repo"),
        ("idf.py --help", "idf.py"),
        ("lein version", "lein"),
        ("jq --args .a x.json", "versions"),
        ("shellcheck a.sh", "versions"),
        ("a-program-that-nobody-knows x", "versions"),
        ("python3 -m json.tool a.json", "python modules"),
        ("python3.12 -c 1", "python modules"),
    ] {
        assert!(subjects_of(line).contains(&subject), "{line}: {:?}", subjects_of(line));
    }
    for line in [
        "npm test",
        "npm ci",
        "npm run lint",
        "npx eslint .",
        "pnpm -r test",
        "pnpm --filter a build",
        "yarn",
        "yarn build:prod",
        "cargo test",
        "cargo +nightly build --release",
        "go test ./...",
        "mvn test",
        "docker compose up -d",
        "terraform plan",
        "sbt test",
        "pytest -q",
        "python3 manage.py test",
        "python3 -I a.py",
        "make test",
        "ls",
        "cat a | grep b | sort",
        "./scripts/check.sh",
    ] {
        let own: Vec<_> =
            subjects_of(line).into_iter().filter(|subject| *subject != "versions" || !line.contains("-I")).collect();
        assert_eq!(own, Vec::<&str>::new(), "{line}");
    }
}

#[test]
fn a_command_of_many_programs_stays_within_what_is_looked_up() {
    let many = "npm ls; pnpm ls; yarn list; cargo tree; go version; docker compose ps; composer show; terraform providers; node -v; jq . a; git status";
    assert!(shell(many).project_questions().len() <= MAX_QUESTIONS, "{}", shell(many).project_questions().len());
}

#[test]
fn what_nobody_has_looked_up_is_not_known_only_to_look() {
    assert!(clause_of(&shell("git status")).is_some());
    assert!(clause_of(&shell("cargo --version")).is_some());
    assert_eq!(clause_of(&shell("git status").in_plain_project()), None);
    assert_eq!(clause_of(&shell("ls")), None);
    assert!(clause_of(&shell("git --git-dir=x log").in_plain_project()).is_some());
    let unknown = |question| (question, ProjectAnswer::Unknown("`x` is too large".to_owned()));
    let request = shell("git status");
    let project_code = request.project_questions().into_iter().map(unknown).collect();
    assert!(clause_of(&Request { project_code, ..request }).unwrap().ends_with("`x` is too large"));
}

#[test]
fn a_setting_that_runs_something_is_named() {
    let monitored = with(shell("git status"), &[git("[core] fsmonitor = ./x")], "/p");
    let clause = clause_of(&monitored).unwrap();
    assert_eq!(clause, "`git` may run what `core.fsmonitor` in `/p/.git/config` says");
}

#[test]
fn what_a_setting_has_git_do_is_told_as_it_is() {
    let shows = with(shell("git check-attr -a x"), &[git("[core] attributesFile = ~/.netrc")], "/p");
    assert_eq!(clause_of(&shows).unwrap(), "`git` may show what `core.attributesfile` in `/p/.git/config` names");
    let loses = with(shell("git gc"), &[git("[gc] pruneExpire = now")], "/p/docs");
    assert_eq!(clause_of(&loses).unwrap(), "`git` may lose what `gc.pruneexpire` in `/p/.git/config` lets it remove");
}

#[test]
fn hooks_are_meant_by_who_allows_a_commit_and_by_nobody_who_looks() {
    let of = |line: &str, source: &CodeSource, place: &str| {
        clause_of(&with(shell(line), std::slice::from_ref(source), place))
    };
    assert_eq!(of("git status", &hook("pre-commit"), "/p"), None);
    assert_eq!(of("git commit -m x", &hook("pre-commit"), "/p"), None);
    assert!(of("git commit -m x", &hook("pre-commit"), "/p/docs").is_some());
    assert!(of("git status", &hook("post-index-change"), "/p").is_some());
    let ssh = git("[core] sshCommand = ./x");
    assert_eq!(of("git status", &ssh, "/p"), None);
    assert!(of("git fetch", &ssh, "/p").is_some());
}

#[test]
fn operands_that_are_programs_are_known() {
    assert!(clause_of(&shell("jq 'include \"x\"; .' a.json").in_plain_project()).is_some());
    assert_eq!(clause_of(&shell("jq .name package.json").in_plain_project()), None);
}

/// The real `nest` loads `node_modules/@nestjs/cli` of the folder before it reads its words.
#[test]
fn what_the_project_has_under_the_name_of_an_unknown_program_is_looked_up() {
    for line in ["nest --version", "nest --help", "nest new --help", "cd web && nest --version"] {
        assert!(subjects_of(line).contains(&"own program"), "{line}");
    }
    for line in ["nest build", "git --version", "ls --help", "node --version"] {
        assert!(!subjects_of(line).contains(&"own program"), "{line}");
    }
    let present = CodeSource { file: "/p/node_modules/@nestjs".into(), what: CodeSetting::Presence };
    assert!(clause_of(&with(shell("nest --version"), &[present], "/p")).is_some());
    assert_eq!(clause_of(&with(shell("nest --version"), &[], "/p")), None);
    let files = own_program_files("nest");
    for file in ["node_modules/nest*", "node_modules/@nest*", "vendor/bin/nest*", "bin/nest", ".venv/bin/nest"] {
        assert!(files.iter().any(|(own, _)| own == file), "{file}");
    }
}

/// The files that `core.hooksPath` and `include.path` name may be those of the branch by the time at which git reads them.
#[test]
fn a_branch_may_bring_what_the_settings_of_the_repository_name() {
    for text in ["[core] hooksPath = h", "[include] path = ../x.cfg"] {
        let of = |line: &str| {
            let request = with(shell(line), &[git(text)], "/p");
            own_code(&request, &request.command.as_ref().unwrap().parts[0])
        };
        for line in ["git switch topic", "git merge topic", "git pull --ff-only", "git checkout topic", "git stash pop"]
        {
            assert!(of(line).is_some(), "{text}: {line}");
        }
        for line in ["git status", "git add .", "git commit -m x", "git switch -c topic", "git fetch origin"] {
            assert_eq!(of(line), None, "{text}: {line}");
        }
    }
}
