//! Files of a project that make programs other than git run something: found however they are written, and under
//! rules, too.

use std::path::PathBuf;

use serde_json::json;

use crate::project_code::{Project, shell};

impl Project {
    /// Allows `patterns` by rules.
    async fn allow(&self, patterns: &[&str]) {
        let rule = |pattern: &&str| format!("[[rule]]\ncommand = \"{pattern}\"\naction = \"allow\"\n");
        let policy = format!("version = 1\n{}", patterns.iter().map(rule).collect::<String>());
        let current = self.server.get("/v1/policy").await;
        let etag = current["etag"].as_str().unwrap().to_owned();
        let put = self.server.put("/v1/policy", &etag, json!({ "text": policy })).await;
        assert_eq!(put.status, 200, "{:?}", put.body);
    }

    fn write(&self, file: &str, text: &str) -> PathBuf {
        let path = self.folder.join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    /// `command` is allowed, and asked about with `text` in `file`.
    async fn is_asked_with(&self, file: &str, text: &str, command: &str) {
        assert_eq!(self.action(command).await, "allow", "{command} without {file}");
        let path = self.write(file, text);
        let answer = self.evaluate(command).await;
        assert_eq!(answer["action"], "ask", "{command} with {file}: {text}");
        std::fs::remove_file(&path).unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rule_for_a_look_says_nothing_about_what_the_project_makes_of_it() {
    let project = Project::new().await;
    project
        .allow(&[
            "cargo metadata *",
            "cargo tree *",
            "cargo fmt --check *",
            "npm view *",
            "npm audit *",
            "pnpm why *",
            "yarn why *",
            "docker compose config *",
            "composer show *",
            "terraform validate *",
            "hg diff *",
            "jq *",
            "ug *",
            "trivy fs *",
            "sbt about *",
            "python3 -m json.tool *",
        ])
        .await;
    for (file, text, command) in [
        (".cargo/config.toml", "[build]\nrustc = \"./x\"\n", "cargo metadata --format-version 1"),
        (".cargo/config.toml", "build . rustc-wrapper = \"./x\"\n", "cargo tree -i serde"),
        ("rust-toolchain.toml", "[toolchain]\npath = \"/tmp/x\"\n", "cargo fmt --check"),
        (".npmrc", "regist${NOPE?}ry=http://evil.example/\n", "npm view react -s"),
        (".npmrc", "registry=http://evil.example/\n", "npm audit --json"),
        (".pnpmfile.cjs", "x", "pnpm why react"),
        (".yarnrc", "yarn-path \"./x.js\"\n", "yarn why react"),
        ("compose.yaml", "? include\n: - oci://evil.example/x\n", "docker compose config"),
        ("vendor/composer/installed.json", "{\"packages\":[{\"type\":\"composer-plugin\"}]}", "composer show"),
        ("main.tf", "terraform {\n  backend \"http\" {\n  }\n}\n", "terraform validate"),
        (".hg/hgrc", "[extensions]\nx = ./evil.py\n", "hg diff"),
        (".tool-versions", "jq path:./x\n", "jq -r .a x.json"),
        (".config/mise/conf.d/a.toml", "[env]\n_.source = \"./x.sh\"\n", "jq -r .a x.json"),
        (".volta/hooks.json", "{}", "npm view react"),
        (".ugrep", "filter=*:./x %\n", "ug TODO docs"),
        ("trivy.yaml", "output: ../x\n", "trivy fs ."),
        (".azure/config", "[extension]\nindex_url = https://evil.example\n", "az account show"),
        ("build.sbt", "x", "sbt about"),
        ("json/__init__.py", "", "python3 -m json.tool a.json"),
        ("argparse.py", "", "python3 -m json.tool a.json"),
        ("argparse.cpython-313-x86_64-linux-gnu.so", "", "python3 -m json.tool a.json"),
    ] {
        project.is_asked_with(file, text, command).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_a_file_of_the_project_names_is_read_as_well() {
    let project = Project::new().await;
    let extends = |file: &str| format!("services:\n  a:\n    extends:\n      file: {file}\n      service: a\n");
    project.write("compose.yaml", &extends("parts/base.yml"));
    project.write("parts/base.yml", &extends("../more.yml"));
    project.write("more.yml", "services: {a: {image: x}}\n");
    project.is_asked_with(".env", "DOCKER_HOST=ssh://evil.example\n", "docker compose ps").await;
    project.write("more.yml", &extends("oci://evil.example/x"));
    assert_eq!(project.action("docker compose ps").await, "ask");
    // In a circle, which ends.
    project.write("more.yml", &extends("./parts/base.yml"));
    project.write("parts/base.yml", &extends("../more.yml"));
    assert_eq!(project.action("docker compose ps").await, "allow");
    project.write("mise.toml", "[env]\n_.file = 'x.env'\n");
    project.is_asked_with("x.env", "NODE_OPTIONS=--require=./x.js\n", "node --version").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_ordinary_project_is_not_asked_about() {
    let project = Project::new().await;
    for (file, text) in [
        ("package.json", "{\"packageManager\":\"pnpm@10.1.1\",\"volta\":{\"node\":\"22.1.0\"}}"),
        (".npmrc", "save-exact=true\n//npm.pkg.github.com/:_authToken=${TOKEN}\n"),
        ("Cargo.toml", "[package]\nname = \"a\"\n"),
        (".cargo/config.toml", "[alias]\nt = \"test\"\n[build]\ntarget-dir = \"t\"\n"),
        ("compose.yaml", "services:\n  a:\n    image: postgres\n    environment: {URL: 'https://x/${Y}'}\n"),
        (".env", "A=1\nexport B=\"x y\"\n"),
        ("mise.toml", "[tools]\nnode = \"22\"\n[env]\nFOO = \"bar\"\n"),
        ("pyproject.toml", "[project]\nname = \"a\"\n"),
        ("main.tf", "terraform {\n  backend \"s3\" {}\n}\n"),
        ("app.py", "import json\n"),
        ("venv/bin/python", ""),
        ("pnpm-workspace.yaml", "packages: [a]\n"),
    ] {
        project.write(file, text);
    }
    project
        .allow(&[
            "cargo metadata *",
            "npm view *",
            "terraform state list *",
            "python3 -m json.tool *",
            "shellcheck *",
            "pnpm why *",
        ])
        .await;
    for command in [
        "cargo --version",
        "cargo metadata --no-deps",
        "npm view react",
        "npm ls",
        "pnpm why react",
        "docker compose ps",
        "node --version",
        "terraform state list",
        "python3 -m json.tool a.json",
        "shellcheck a.sh",
        "git status",
        "git log -p -1",
    ] {
        assert_eq!(project.action(command).await, "allow", "{command}: {}", project.evaluate(command).await);
    }
}

/// A module of Python's library that lies in the folder is what runs.
#[tokio::test(flavor = "multi_thread")]
async fn a_module_in_the_folder_is_what_python_imports() {
    let project = Project::new().await;
    if !shell(&project.folder, "python3 --version").output().unwrap().status.success() {
        return;
    }
    project.allow(&["python3 -m json.tool *", "python3 -I -m json.tool *"]).await;
    project.write("a.json", "{}");
    assert_eq!(project.action("python3 -m json.tool a.json").await, "allow");
    let code = format!("import os\nos.system('{}')\n", project.path("evil").display());
    project.write("argparse.py", &code);
    project.is_an_attack("python3 -m json.tool a.json", "argparse.py").await;
    assert!(!project.runs_foreign_code("python3 -I -m json.tool a.json"));
    assert_eq!(project.action("python3 -I -m json.tool a.json").await, "allow");
}

/// However it is built: importlib takes a folder with `__init__` and any of its suffixes for a package.
#[tokio::test(flavor = "multi_thread")]
async fn a_package_in_the_folder_counts_whatever_its_beginning_is() {
    let project = Project::new().await;
    project.allow(&["python3 -m json.tool *"]).await;
    project.write("a.json", "{}");
    project.write("json/schema.json", "{}");
    project.write("build/__init__.d/a.txt", "");
    project.write("build.rs", "");
    assert_eq!(project.action("python3 -m json.tool a.json").await, "allow");
    for file in ["json/__init__.cpython-311-x86_64-linux-gnu.so", "csv/__init__.abi3.so", "ast.abi3.so"] {
        let written = project.write(file, "");
        assert_ne!(project.action("python3 -m json.tool a.json").await, "allow", "{file}");
        std::fs::remove_file(written).unwrap();
        assert_eq!(project.action("python3 -m json.tool a.json").await, "allow", "{file}");
    }
}

/// Many a program that is installed for all hands over to the one of the project.
#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_nobody_knows_is_asked_for_help_where_the_project_has_none_of_its_name() {
    let project = Project::new().await;
    project.write("node_modules/left-pad/index.js", "");
    assert_eq!(project.action("nest --version").await, "allow");
    for file in ["node_modules/@nestjs/cli/commands/index.js", "node_modules/.bin/nest", "vendor/bin/nest", "bin/nest"]
    {
        let written = project.write(file, "");
        // `bin` further up may be the system's.
        let commands = ["nest --version", "nest --help", "cd node_modules && nest new --help"];
        for command in commands.into_iter().take(if file == "bin/nest" { 2 } else { 3 }) {
            assert_ne!(project.action(command).await, "allow", "{file}: {command}");
        }
        std::fs::remove_file(written).unwrap();
        _ = std::fs::remove_dir_all(project.folder.join("node_modules/@nestjs"));
    }
    assert_eq!(project.action("nest --version").await, "allow");
}

/// What npm makes of a name with `${…}` in it; npm 10 leaves `${…?}` as it stands.
#[tokio::test(flavor = "multi_thread")]
async fn a_name_with_a_variable_in_it_is_a_setting_of_npm() {
    let project = Project::new().await;
    project.write("package.json", "{}");
    project.write(".npmrc", "regist${NOPE?}ry=http://127.0.0.1:9/\n");
    let npm = |command| String::from_utf8(shell(&project.folder, command).output().unwrap().stdout).unwrap();
    let major = npm("npm --version").split('.').next().and_then(|major| major.parse::<u32>().ok());
    if major.is_some_and(|major| major >= 11) {
        assert_eq!(npm("npm config get registry").trim(), "http://127.0.0.1:9/");
    }
    let answer = project.evaluate("npm view a").await;
    assert_eq!(answer["action"], "ask", "{answer}");
    assert!(answer["explanation"].as_str().unwrap().contains("line 1 has a name that is not plain"), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn cargo_runs_the_compiler_that_the_project_names() {
    let project = Project::new().await;
    project.allow(&["cargo metadata *"]).await;
    project.write(
        "Cargo.toml",
        "[package]\nname = \"a\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[lib]\npath = \"l.rs\"\n",
    );
    project.write("l.rs", "");
    assert_eq!(project.action("cargo metadata --offline").await, "allow");
    project.write(".cargo/config.toml", &format!("build . \"rust\\u0063\" = \"{}\"\n", project.path("evil").display()));
    project.is_an_attack("cargo metadata --offline", "build.rustc").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_git_sends_where_a_repository_says_is_asked_about() {
    let project = Project::new().await;
    project.allow(&["git fetch *", "git ls-remote *", "git diff *"]).await;
    let config = project.folder.join(".git/config");
    let clean = std::fs::read_to_string(&config).unwrap();
    for settings in [
        "[http]\n\tcookieFile = ~/.profile\n\tsaveCookies = true\n",
        "[http \"https://a.example\"]\n\tproxy = http://b.example:1\n",
        "[http]\n\tsslVerify = false\n",
        "[branch \"work\"]\n\tremote = foo::x\n",
    ] {
        std::fs::write(&config, format!("{clean}{settings}")).unwrap();
        for command in ["git fetch origin", "git ls-remote"] {
            assert_eq!(project.action(command).await, "ask", "{command}: {settings}");
        }
        assert_eq!(project.action("git diff").await, "allow", "{settings}");
    }
    std::fs::write(&config, format!("{clean}[core]\n\tworktree = ../../elsewhere\n")).unwrap();
    assert_eq!(project.action("git diff").await, "ask");
    std::fs::write(&config, format!("{clean}[core]\n\tworktree = ..\n[http]\n\tpostBuffer = 1\n")).unwrap();
    assert_eq!(project.action("git diff").await, "allow");
    std::fs::write(&config, &clean).unwrap();
    for (file, text) in [
        (".git/remotes/origin", "URL: foo::bar\nPull: refs/heads/main:refs/heads/o\n"),
        (".git/branches/origin", "foo::bar\n"),
    ] {
        project.is_asked_with(file, text, "git fetch").await;
    }
}
