//! What a project makes a command run, with real git: the attack runs without the gate, and the gate asks.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::support::{TestServer, start};

/// A canary that a program of the project makes when it runs.
pub(crate) struct Project {
    root: tempfile::TempDir,
    pub(crate) folder: PathBuf,
    pub(crate) server: TestServer,
}

impl Project {
    /// A clone of a repository with one commit, as `git clone` makes it.
    pub(crate) async fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let base = root.path().canonicalize().unwrap();
        let origin = base.join("origin");
        std::fs::create_dir(&origin).unwrap();
        git(&origin, &["init", "-q", "-b", "main"]);
        std::fs::write(origin.join("README.md"), "hello\n").unwrap();
        std::fs::create_dir(origin.join("docs")).unwrap();
        std::fs::write(origin.join("docs/a.md"), "a\n").unwrap();
        git(&origin, &["add", "."]);
        git(&origin, &["commit", "-q", "-m", "first"]);
        git(&base, &["clone", "-q", "origin", "project"]);
        git(&base.join("project"), &["config", "user.name", "Ann"]);
        git(&base.join("project"), &["checkout", "-q", "-b", "work"]);
        let server = start(&base.join("handraise")).await;
        let project = Self { folder: base.join("project"), root, server };
        project.script("evil");
        project
    }

    /// A program that leaves a canary.
    fn script(&self, name: &str) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, format!("#!/bin/sh\ntouch {}\ncat\n", self.canary().display())).unwrap();
        executable(&path);
        path
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root.path().canonicalize().unwrap().join(name)
    }

    fn canary(&self) -> PathBuf {
        self.path("canary")
    }

    /// Runs `command` in the project, and says whether something of the project ran.
    pub(crate) fn runs_foreign_code(&self, command: &str) -> bool {
        let _ = std::fs::remove_file(self.canary());
        let _ = shell(&self.folder, command).output().unwrap();
        self.canary().exists()
    }

    pub(crate) async fn evaluate(&self, command: &str) -> Value {
        let call = json!({ "tool": "Bash", "arguments": { "command": command }, "cwd": self.folder });
        let reply = self.server.ask("/v1/evaluate", call).await;
        assert_eq!(reply.status, 200, "{:?}", reply.body);
        reply.body
    }

    pub(crate) async fn action(&self, command: &str) -> Value {
        self.evaluate(command).await["action"].clone()
    }

    /// The attack works, is asked about, and the person is told what would run.
    pub(crate) async fn is_an_attack(&self, command: &str, named: &str) {
        assert!(self.runs_foreign_code(command), "`{command}` is no attack here");
        let answer = self.evaluate(command).await;
        assert_eq!(answer["action"], "ask", "`{command}`: {answer}");
        let why = answer["explanation"].as_str().unwrap();
        assert!(why.contains(named), "`{command}`: {why}");
    }
}

pub(crate) fn shell(folder: &Path, command: &str) -> Command {
    let mut shell = Command::new("bash");
    shell.args(["-c", command]).current_dir(folder);
    shell.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1").env_remove("GIT_DIR");
    // Cargo says which toolchain it runs itself, and puts that in front.
    let proxies = std::env::var("CARGO_HOME").unwrap_or_else(|_| format!("{}/.cargo", std::env::var("HOME").unwrap()));
    let path = std::env::var("PATH").unwrap();
    shell.env_remove("RUSTUP_TOOLCHAIN").env("PATH", format!("{proxies}/bin:{path}"));
    for (name, value) in [("GIT_AUTHOR_NAME", "Ann"), ("GIT_AUTHOR_EMAIL", "ann@example.org")] {
        shell.env(name, value).env(name.replace("AUTHOR", "COMMITTER"), value);
    }
    shell
}

fn git(folder: &Path, arguments: &[&str]) {
    let quoted: Vec<String> = arguments.iter().map(|argument| format!("'{argument}'")).collect();
    let done = shell(folder, &format!("git -c protocol.file.allow=always {}", quoted.join(" "))).output().unwrap();
    assert!(done.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
}

fn executable(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// Turns `folder` into a repository without files, as it may lie in a clone as ordinary folders.
fn bare(folder: &Path, config: &str) {
    std::fs::create_dir_all(folder.join("objects")).unwrap();
    std::fs::create_dir_all(folder.join("refs")).unwrap();
    std::fs::write(folder.join("HEAD"), "ref: refs/heads/main\n").unwrap();
    std::fs::write(folder.join("config"), config).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn looking_in_an_ordinary_clone_passes() {
    let project = Project::new().await;
    for command in [
        "git status",
        "git status -sb",
        "git log --oneline -5",
        "git diff HEAD",
        "git show HEAD",
        "git branch -vv",
        "git remote -v",
        "git --no-pager log",
        "cd docs && git status",
        "cd docs && git diff && ls",
        "cargo --version",
        "npm --version",
        "npm view react",
        "yarn --version",
        "pnpm list",
        "mvn --version",
        "node --version",
        "go version",
        "git --version",
    ] {
        assert_eq!(project.action(command).await, "allow", "{command}");
    }
    // Files of ordinary projects change nothing about it.
    for (file, text) in [
        (".npmrc", "engine-strict=true\n"),
        ("package.json", "{\"name\": \"a\", \"packageManager\": \"yarn@4.9.1\"}"),
        (".yarnrc.yml", "nodeLinker: node-modules\n"),
        ("rust-toolchain.toml", "[toolchain]\nchannel = \"stable\"\n"),
        (".tool-versions", "nodejs 22.1.0\n"),
    ] {
        std::fs::write(project.folder.join(file), text).unwrap();
    }
    for command in ["npm view react", "yarn --version", "cargo --version", "node --version", "pnpm list"] {
        assert_eq!(project.action(command).await, "allow", "{command}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repository_in_a_folder_of_a_clone_is_asked_about() {
    let project = Project::new().await;
    let evil = project.path("evil");
    bare(
        &project.folder.join("docs"),
        &format!("[core]\nrepositoryformatversion = 0\nbare = false\nworktree = .\nfsmonitor = {}\n", evil.display()),
    );
    project.is_an_attack("cd docs && git status", "core.fsmonitor").await;
    assert_eq!(project.action("git status").await, "allow");
    assert_eq!(project.action("git -C docs status").await, "ask");
    std::os::unix::fs::symlink(project.folder.join("docs"), project.folder.join("link")).unwrap();
    project.is_an_attack("cd link && git status", "core.fsmonitor").await;
    std::fs::create_dir(project.folder.join("docs/deep")).unwrap();
    project.is_an_attack("cd docs/deep && git status", "core.fsmonitor").await;
}

/// git reads and writes its own files through links: here it shows a key, and writes into a file outside.
#[tokio::test(flavor = "multi_thread")]
async fn links_among_the_files_of_a_repository_are_asked_about() {
    let project = Project::new().await;
    let git_folder = project.folder.join(".git");
    let secret = project.path("secret");
    std::fs::write(&secret, "TOPSECRET\n").unwrap();
    let link = |name: &str, target: &Path| {
        let path = git_folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let _ = std::fs::rename(&path, project.path("aside"));
        std::os::unix::fs::symlink(target, &path).unwrap();
        path
    };
    let undo = |path: &Path| {
        std::fs::remove_file(path).unwrap();
        let _ = std::fs::rename(project.path("aside"), path);
    };
    let shown = |command: &str| {
        let output = shell(&project.folder, command).output().unwrap();
        String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).contains("TOPSECRET")
    };
    let path = link("packed-refs", &secret);
    assert!(shown("git log"), "it is no attack here");
    assert_eq!(project.action("git log").await, "ask");
    undo(&path);
    let written = project.path("written");
    std::fs::write(&written, "mine\n").unwrap();
    for (name, command) in [("FETCH_HEAD", "git fetch"), ("logs/refs/heads/new", "git branch new")] {
        assert_eq!(project.action(command).await, "allow", "{command}");
        let path = link(name, &written);
        assert_eq!(project.action(command).await, "ask", "{command}");
        shell(&project.folder, command).output().unwrap();
        assert_ne!(std::fs::read_to_string(&written).unwrap(), "mine\n", "`{command}` is no attack here");
        std::fs::write(&written, "mine\n").unwrap();
        undo(&path);
    }
    // What `git-new-workdir` makes: the same of another repository.
    let shared = project.path("origin/.git/rr-cache");
    std::fs::create_dir(&shared).unwrap();
    link("rr-cache", &shared);
    assert_eq!(project.action("git log").await, "allow");
    // In a repository that lies in the clone as ordinary files.
    bare(&project.folder.join("sub"), "[core]\nrepositoryformatversion = 0\nbare = true\n");
    assert_eq!(project.action("git -C sub log").await, "allow");
    std::os::unix::fs::symlink(&secret, project.folder.join("sub/packed-refs")).unwrap();
    assert!(shown("git -C sub branch"), "it is no attack here");
    assert_eq!(project.action("git -C sub branch").await, "ask");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fetch_that_removes_a_persons_own_branches_is_asked_about() {
    let project = Project::new().await;
    assert_eq!(project.action("git fetch").await, "allow");
    for settings in ["fetch = +refs/heads/*:refs/heads/*", "pruneTags = true"] {
        let config = project.folder.join(".git/config");
        let clean = std::fs::read_to_string(&config).unwrap();
        std::fs::write(&config, format!("{clean}[remote \"origin\"]\n{settings}\n")).unwrap();
        assert_eq!(project.action("git fetch").await, "ask", "{settings}");
        std::fs::write(&config, clean).unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_setting_that_runs_a_program_is_asked_about() {
    let project = Project::new().await;
    let evil = project.path("evil").display().to_string();
    std::fs::write(project.folder.join("README.md"), "changed\n").unwrap();
    std::fs::write(project.folder.join(".gitattributes"), "*.md diff=x filter=x\n").unwrap();
    let config = project.folder.join(".git/config");
    let clean = std::fs::read_to_string(&config).unwrap();
    let attacks = [
        (format!("[core]\nfsmonitor = {evil}\n"), "git status", "core.fsmonitor"),
        (format!("[CORE] FSMonitor = \"{evil}\"\n"), "git status", "core.fsmonitor"),
        (format!("[diff]\nexternal = {evil}\n"), "git diff", "diff.external"),
        (format!("[diff \"x\"]\ncommand = {evil}\n"), "git diff", "diff.x.command"),
        (format!("[diff \"x\"]\ntextconv = {evil}\n"), "git diff", "diff.x.textconv"),
        (format!("[filter \"x\"]\nclean = {evil}\n"), "git diff", "filter.x.clean"),
        (format!("[alias]\nwhatever = !{evil}\n[core] fsmonitor = {evil} # \n"), "git status", "core.fsmonitor"),
    ];
    for (settings, command, named) in attacks {
        std::fs::write(&config, format!("{clean}{settings}")).unwrap();
        project.is_an_attack(command, named).await;
    }
    // The same by an included file, by a worktree's file, and by a hook.
    std::fs::write(project.folder.join("more"), format!("[core]\nfsmonitor = {evil}\n")).unwrap();
    std::fs::write(&config, format!("{clean}[include]\npath = ../more\n")).unwrap();
    project.is_an_attack("git status", "more").await;
    std::fs::write(&config, format!("{clean}[includeIf \"onbranch:work\"]\npath = ../more\n")).unwrap();
    project.is_an_attack("git status", "more").await;
    std::fs::write(&config, format!("{clean}[extensions]\nworktreeConfig = true\n")).unwrap();
    std::fs::write(project.folder.join(".git/config.worktree"), format!("[core]\nfsmonitor = {evil}\n")).unwrap();
    project.is_an_attack("git status", "config.worktree").await;
    std::fs::remove_file(project.folder.join(".git/config.worktree")).unwrap();
    std::fs::write(&config, &clean).unwrap();
    let hook = project.folder.join(".git/hooks/post-index-change");
    std::fs::create_dir_all(hook.parent().unwrap()).unwrap();
    std::fs::copy(project.path("evil"), &hook).unwrap();
    executable(&hook);
    shell(&project.folder, "touch README.md docs/a.md").output().unwrap();
    project.is_an_attack("git status", "post-index-change").await;
    std::fs::remove_file(&hook).unwrap();
    std::fs::create_dir(project.folder.join("h")).unwrap();
    std::fs::rename(project.path("evil"), project.folder.join("h/post-index-change")).unwrap();
    std::fs::write(&config, format!("{clean}[core]\nhooksPath = h\n")).unwrap();
    shell(&project.folder, "touch README.md docs/a.md").output().unwrap();
    project.is_an_attack("git status", "post-index-change").await;
    std::fs::write(&config, &clean).unwrap();
    assert_eq!(project.action("git status").await, "allow");
}

#[tokio::test(flavor = "multi_thread")]
async fn other_ways_to_a_repository_are_asked_about() {
    let project = Project::new().await;
    let evil = project.path("evil").display().to_string();
    let settings = format!("[core]\n\tbare = false\n\tfsmonitor = {evil}\n");
    // A `.git` that is a file.
    bare(&project.path("elsewhere"), &settings);
    std::fs::create_dir(project.folder.join("sub")).unwrap();
    std::fs::write(project.folder.join("sub/.git"), "gitdir: ../../elsewhere\n").unwrap();
    project.is_an_attack("cd sub && git status", "core.fsmonitor").await;
    // A worktree whose settings are those of the repository that it belongs to.
    let linked = project.path("linked");
    std::fs::create_dir(&linked).unwrap();
    std::fs::write(linked.join("HEAD"), "ref: refs/heads/main\n").unwrap();
    std::fs::write(linked.join("commondir"), "../elsewhere\n").unwrap();
    std::fs::write(project.folder.join("sub/.git"), format!("gitdir: {}\n", linked.display())).unwrap();
    assert_eq!(project.action("cd sub && git status").await, "ask");
    // A submodule: `git status` above it runs git in it.
    std::fs::remove_dir_all(project.folder.join("sub")).unwrap();
    git(&project.folder, &["submodule", "add", "-q", "../origin", "sub"]);
    git(&project.folder, &["commit", "-q", "-m", "sub"]);
    assert_eq!(project.action("git status").await, "allow");
    let config = project.folder.join(".git/modules/sub/config");
    let clean = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, format!("{clean}[core]\nfsmonitor = {evil}\n")).unwrap();
    project.is_an_attack("git status", "modules/sub/config").await;
    std::fs::write(&config, clean).unwrap();
    // The same with a repository of its own in the folder, which nothing but the index names.
    git(&project.folder, &["clone", "-q", "../origin", "nested"]);
    git(&project.folder, &["add", "nested"]);
    assert_eq!(project.action("git status").await, "allow");
    git(&project.folder.join("nested"), &["config", "core.fsmonitor", &evil]);
    project.is_an_attack("git status", "nested/.git/config").await;
}

/// Names and blanks as git takes them, and not as a reader would expect.
#[tokio::test(flavor = "multi_thread")]
async fn settings_are_found_however_git_spells_them() {
    let project = Project::new().await;
    let (evil, git_folder) = (project.path("evil"), project.folder.join(".git"));
    let evil = evil.display();
    let config = git_folder.join("config");
    let clean = std::fs::read_to_string(&config).unwrap();
    let touched = || shell(&project.folder, "touch README.md docs/a.md").output().unwrap();
    // A section that is named in both ways.
    std::fs::write(&config, format!("{clean}[filter.x \"y\"]\nclean = {evil}\n")).unwrap();
    std::fs::write(project.folder.join(".gitattributes"), "*.md filter=x.y\n").unwrap();
    touched();
    project.is_an_attack("git status", "filter.x.y.clean").await;
    std::fs::remove_file(project.folder.join(".gitattributes")).unwrap();
    // A form feed is no blank, and `:(optional)` may be a part of the name.
    let hook = |folder: &str| {
        let hook = project.folder.join(folder).join("post-index-change");
        std::fs::create_dir_all(hook.parent().unwrap()).unwrap();
        std::fs::copy(project.path("evil"), &hook).unwrap();
        executable(&hook);
        touched();
        hook
    };
    std::fs::write(&config, format!("{clean}[core]\nhooksPath = .git/hooks\u{c}\n")).unwrap();
    let folder = hook(".git/hooks\u{c}");
    project.is_an_attack("git status", "post-index-change").await;
    std::fs::remove_file(folder).unwrap();
    std::fs::write(&config, format!("{clean}[core]\nhooksPath = :(optional)h\n")).unwrap();
    for folder in ["h", ":(optional)h"] {
        let hook = hook(folder);
        assert_eq!(project.action("git status").await, "ask", "{folder}");
        std::fs::remove_file(hook).unwrap();
    }
    std::fs::write(&config, &clean).unwrap();
    // A blank behind the name of a folder belongs to it.
    let settings = format!("[core]\n\tbare = false\n\tfsmonitor = {evil}\n");
    bare(&project.path("g "), &settings);
    bare(&project.path("g"), "[core]\n\tbare = false\n");
    std::fs::create_dir(project.folder.join("sub")).unwrap();
    std::fs::write(project.folder.join("sub/.git"), "gitdir: ../../g \n").unwrap();
    project.is_an_attack("cd sub && git status", "core.fsmonitor").await;
    std::fs::remove_dir_all(project.folder.join("sub")).unwrap();
    assert_eq!(project.action("git status").await, "allow");
}

/// What a repository names is looked for from where git works in it.
#[tokio::test(flavor = "multi_thread")]
async fn a_submodule_is_looked_at_where_its_files_are() {
    let project = Project::new().await;
    git(&project.folder, &["submodule", "add", "-q", "../origin", "sub"]);
    git(&project.folder, &["commit", "-q", "-m", "sub"]);
    let config = project.folder.join(".git/modules/sub/config");
    let clean = std::fs::read_to_string(&config).unwrap();
    let without: Vec<&str> = clean.lines().filter(|line| !line.contains("worktree")).collect();
    std::fs::write(&config, format!("{}\n[core]\nhooksPath = hk\n", without.join("\n"))).unwrap();
    let hook = project.folder.join("sub/hk/post-index-change");
    std::fs::create_dir(hook.parent().unwrap()).unwrap();
    std::fs::copy(project.path("evil"), &hook).unwrap();
    executable(&hook);
    shell(&project.folder, "touch sub/README.md").output().unwrap();
    project.is_an_attack("git status", "post-index-change").await;
    // Shown by a git of its own, also where no commit names it any more.
    std::fs::remove_file(&hook).unwrap();
    std::fs::write(&config, &clean).unwrap();
    assert_eq!(project.action("git log -p").await, "allow");
    assert_ne!(project.action("git log -p --submodule=diff").await, "allow");
    git(&project.folder, &["config", "diff.submodule", "diff"]);
    assert_eq!(project.action("git log -p").await, "ask");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_lies_where_the_settings_move_the_files_is_asked_about() {
    let project = Project::new().await;
    let evil = project.path("evil").display().to_string();
    // A submodule of the index, whose files `core.worktree` moves out of the project.
    let moved = project.path("moved");
    std::fs::create_dir(&moved).unwrap();
    git(&moved, &["clone", "-q", "../origin", "nested"]);
    git(&project.folder, &["clone", "-q", "../origin", "nested"]);
    git(&project.folder, &["add", "nested"]);
    git(&moved.join("nested"), &["config", "core.fsmonitor", &evil]);
    assert_eq!(project.action("git status").await, "allow");
    git(&project.folder, &["config", "core.worktree", &moved.display().to_string()]);
    project.is_an_attack("git status", "nested/.git/config").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_merge_that_is_done_again_to_be_shown_runs_its_drivers() {
    let project = Project::new().await;
    let git = |arguments: &[&str]| git(&project.folder, arguments);
    let change = |text: &str| {
        std::fs::write(project.folder.join("docs/a.md"), text).unwrap();
        git(&["commit", "-q", "-a", "-m", text]);
    };
    std::fs::write(project.folder.join(".gitattributes"), "*.md merge=mine\n").unwrap();
    git(&["add", "."]);
    change("one");
    git(&["checkout", "-q", "-b", "other", "HEAD~1"]);
    std::fs::write(project.folder.join(".gitattributes"), "*.md merge=mine\n").unwrap();
    git(&["add", "."]);
    change("two");
    git(&["merge", "-q", "-s", "ours", "-m", "merged", "work"]);
    assert_eq!(project.action("git log --remerge-diff").await, "allow");
    git(&["config", "merge.mine.driver", &project.path("evil").display().to_string()]);
    project.is_an_attack("git log --remerge-diff", "merge.mine.driver").await;
    // Others do not merge again, and many projects have such a driver.
    assert_eq!(project.action("git log -p").await, "allow");
    assert_eq!(project.action("git status").await, "allow");
    git(&["config", "log.diffMerges", "remerge"]);
    project.is_an_attack("git log -p -m", "log.diffmerges").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn another_registry_than_the_usual_one_is_asked_about() {
    let project = Project::new().await;
    for (file, text, command) in [
        (".npmrc", "registry=https://registry.example/\n", "npm view a"),
        (".npmrc", "@a:registry=https://registry.example/\n", "npm outdated"),
        (".npmrc", "https-proxy=http://127.0.0.1:9\n", "npm view a"),
        (".cargo/config.toml", "[registry]\ndefault = \"a\"\n", "cargo search a"),
        ("compose.yaml", "include:\n  - https://git.example/a.git\n", "docker compose ps"),
    ] {
        let path = project.folder.join(file);
        assert_eq!(project.action(command).await, "allow", "{command}");
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        let answer = project.evaluate(command).await;
        assert_eq!(answer["action"], "ask", "{command}: {text}");
        assert!(answer["explanation"].as_str().unwrap().contains(file), "{answer}");
        std::fs::remove_file(&path).unwrap();
    }
    // npm asks no registry for these.
    std::fs::write(project.folder.join(".npmrc"), "registry=https://registry.example/\n").unwrap();
    assert_eq!(project.action("npm ls").await, "allow");
    assert_eq!(project.action("npm --version").await, "allow");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_read_is_asked_about() {
    let project = Project::new().await;
    let config = project.folder.join(".git/config");
    let clean = std::fs::read_to_string(&config).unwrap();
    for text in ["[core\n", "[core]\nfsmonitor = \"x\n", "\u{0}"] {
        std::fs::write(&config, format!("{clean}{text}")).unwrap();
        assert_eq!(project.action("git status").await, "ask", "{text:?}");
    }
    std::fs::write(&config, format!("{clean}#{}\n", "x".repeat(300 * 1024))).unwrap();
    assert_eq!(project.action("git status").await, "ask");
    std::fs::remove_file(&config).unwrap();
    shell(&project.folder, "mkfifo .git/config").output().unwrap();
    assert_eq!(project.action("git status").await, "ask");
    let nowhere = json!({ "tool": "Bash", "arguments": { "command": "git status" } });
    assert_eq!(project.server.ask("/v1/evaluate", nowhere).await.body["action"], "ask");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rule_for_a_command_does_not_cover_what_the_project_makes_it_run() {
    let project = Project::new().await;
    let policy = "version = 1\n[[rule]]\ncommand = \"git status *\"\naction = \"allow\"\n[[rule]]\ncommand = \"git commit *\"\naction = \"allow\"\n\
        [[rule]]\ncommand = \"npm test *\"\naction = \"allow\"\n[[rule]]\ncommand = \"npm view *\"\naction = \"allow\"\n";
    project.server.server.engine().set_preset(handraise_protocol::Preset::Strict).await.unwrap();
    let current = project.server.get("/v1/policy").await;
    let etag = current["etag"].as_str().unwrap().to_owned();
    let put = project.server.put("/v1/policy", &etag, json!({ "text": policy })).await;
    assert_eq!(put.status, 200, "{:?}", put.body);
    for command in ["git status -s", "git commit -m x", "npm test", "npm view a"] {
        assert_eq!(project.action(command).await, "allow", "{command}");
    }
    std::fs::write(project.folder.join(".npmrc"), "git=./evil\nscript-shell=./evil\n").unwrap();
    git(&project.folder, &["config", "core.fsmonitor", "./evil"]);
    for command in ["git status -s", "git commit -m x", "npm view a"] {
        assert_eq!(project.action(command).await, "ask", "{command}");
    }
    // Whoever allows the tests of a project means what the project runs for them.
    assert_eq!(project.action("npm test").await, "allow");
}

#[tokio::test(flavor = "multi_thread")]
async fn files_of_other_programs_are_asked_about() {
    let project = Project::new().await;
    for (file, text, command) in [
        (".npmrc", "git=./evil\n", "npm view a"),
        (".npmrc", "git=./evil\n", "cd docs && npm view a"),
        (".yarnrc", "yarn-path \"./evil\"\n", "yarn --version"),
        (".yarnrc.yml", "yarnPath: ./evil\n", "yarn --version"),
        (".pnpmfile.cjs", "require('child_process')", "pnpm list"),
        ("rust-toolchain.toml", "[toolchain]\npath = \"x\"\n", "cargo --version"),
        ("rust-toolchain.toml", "[toolchain]\npath = \"x\"\n", "cd docs && rustc --version"),
        (".mvn/jvm.config", "-javaagent:x.jar\n", "mvn --version"),
        (".tool-versions", "nodejs path:./x\n", "node --version"),
        ("global.json", "{\"sdk\": {\"paths\": [\".x\"]}}", "dotnet --version"),
        ("x.rb", "system 'id'", "brew info ./x.rb"),
    ] {
        let path = project.folder.join(file);
        let is_operand = command.contains(file);
        if !is_operand {
            assert_eq!(project.action(command).await, "allow", "{command} without {file}");
        }
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        let answer = project.evaluate(command).await;
        assert_eq!(answer["action"], "ask", "{command} with {file}");
        assert!(is_operand || answer["explanation"].as_str().unwrap().contains(file), "{answer}");
        std::fs::remove_file(&path).unwrap();
    }
}

/// Where rustup is installed, the toolchain that a file of the project names is what runs as `rustc`.
#[tokio::test(flavor = "multi_thread")]
async fn a_toolchain_of_the_project_runs_as_the_compiler() {
    let project = Project::new().await;
    let installed = shell(&project.folder, "rustup --version").output().unwrap().status.success();
    if !installed {
        return;
    }
    let bin = project.folder.join("toolchain/bin");
    std::fs::create_dir_all(&bin).unwrap();
    std::fs::create_dir_all(project.folder.join("toolchain/lib")).unwrap();
    for name in ["rustc", "cargo"] {
        std::fs::copy(project.path("evil"), bin.join(name)).unwrap();
        executable(&bin.join(name));
    }
    let path = project.folder.join("toolchain").display().to_string();
    std::fs::write(project.folder.join("rust-toolchain.toml"), format!("[toolchain]\npath = \"{path}\"\n")).unwrap();
    project.is_an_attack("rustc --version < /dev/null", "rust-toolchain.toml").await;
}
