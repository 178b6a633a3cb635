//! Which programs are made to run something by which files, other than git's.

use super::content;
use super::files::ProjectFile;
use super::meaning::{runs_the_project, verb};
use super::{listed, python};
use handraise_shell::{Part, is_of_the_system};

/// Which calls of a family's programs look at its files; those that run the project by what they are for never do.
#[derive(Clone, Copy)]
enum Calls {
    All,
    /// Those with one of these words.
    With(&'static str),
    /// Those with another sub-command than these.
    Without(&'static str),
    /// Those of whose words this is true.
    When(fn(&[&str]) -> bool),
}

/// What files make the programs of one family run something.
pub(super) struct Family {
    /// The key of the question.
    pub(super) name: &'static str,
    /// Programs; `*`: all but those of the system.
    programs: &'static str,
    calls: Calls,
    pub(super) files: &'static [ProjectFile],
}

/// The families that `part`, a call of `program` with `words`, is reached by.
pub(super) fn of(
    program: &str,
    words: &[&str],
    part: &Part,
    only_looks: &dyn Fn() -> bool,
) -> impl Iterator<Item = &'static Family> {
    let is_path = part.program().is_none_or(|program| program.contains('/'));
    let is_own = |family: &&'static Family| {
        // A path is run as it stands: no version manager stands before it.
        let is_own = match family.programs {
            "*" => !is_path && !is_of_the_system(program),
            programs => listed(programs, program),
        };
        is_own
            && match family.calls {
                Calls::All => true,
                Calls::With(list) => words.iter().any(|word| listed(list, word)),
                Calls::Without(list) => !verb(program, words).is_some_and(|verb| listed(list, verb)),
                Calls::When(is) => is(words),
            }
    };
    let own: Vec<&Family> = FAMILIES.iter().filter(is_own).collect();
    let runs = !own.is_empty() && !only_looks() && runs_the_project(program, words, part);
    own.into_iter().filter(move |_| !runs)
}

const fn family(name: &'static str, programs: &'static str, files: &'static [ProjectFile]) -> Family {
    Family { name, programs, calls: Calls::All, files }
}

impl Family {
    const fn calls(self, calls: Calls) -> Self {
        Self { calls, ..self }
    }
}

use ProjectFile as F;

/// Corepack ("Environment Variables", README of corepack 0.31): this file may name the server that a package
/// manager is fetched from, and switch its check off.
const COREPACK: ProjectFile = F::present(".corepack.env");
const PACKAGE_MANAGER: ProjectFile = F::found("package.json", content::fetched_package_manager);

const COMPOSE: &[ProjectFile] = &[
    F::found(".env", content::compose_environment),
    F::found("compose.yaml", content::compose),
    F::found("compose.yml", content::compose),
    F::found("docker-compose.yaml", content::compose),
    F::found("docker-compose.yml", content::compose),
    F::found("compose.override.yaml", content::compose),
    F::found("compose.override.yml", content::compose),
    F::found("docker-compose.override.yaml", content::compose),
    F::found("docker-compose.override.yml", content::compose),
];

/// The table. The functions of [`content`] say from which manual they are.
pub(super) const FAMILIES: &[Family] = &[
    family(
        "yarn",
        "yarn yarnpkg",
        &[F::found(".yarnrc", content::yarn), F::found(".yarnrc.yml", content::yarn_berry), COREPACK, PACKAGE_MANAGER],
    ),
    family(
        "yarn registry",
        "yarn yarnpkg",
        &[
            F::found(".npmrc", content::yarn_npmrc),
            F::found(".yarnrc", content::yarn_registry),
            F::found(".yarnrc.yml", content::yarn_berry_registry),
        ],
    )
    .calls(Calls::Without("--version -v bin help --help -h licenses list why workspaces")),
    family(
        "pnpm",
        "pnpm pnpx",
        &[
            F::present(".pnpmfile.cjs"),
            F::present(".pnpmfile.mjs"),
            F::present("pnpmfile.js"),
            F::found(".npmrc", content::pnpm),
            F::found("pnpm-workspace.yaml", content::pnpm_workspace),
            COREPACK,
            PACKAGE_MANAGER,
        ],
    ),
    family("npm", "npm npx", &[F::found(".npmrc", content::npm), COREPACK]),
    family("npm connection", "npm npx", &[F::found(".npmrc", content::npm_connection)])
        .calls(Calls::Without("--version -v help --help -h")),
    family("npm registry", "npm npx", &[F::found(".npmrc", content::npm_registry)]).calls(Calls::Without(
        "ls list ll la --version -v version root bin prefix help explain config c get fund pkg --help -h",
    )),
    // npm 11, "config": what stands in the environment is put into the values, and shown.
    family("npm settings", "npm pnpm", &[F::found(".npmrc", content::npm_environment)])
        .calls(Calls::With("config c get")),
    family(
        "rustup",
        "cargo rustc rustup rustfmt rustdoc clippy-driver cargo-clippy cargo-fmt rust-analyzer rust-gdb rust-lldb cargo-miri",
        &[F::found("rust-toolchain.toml", content::toolchain), F::found("rust-toolchain", content::toolchain)],
    ),
    family(
        "cargo",
        "cargo",
        &[F::found(".cargo/config.toml", content::cargo), F::found(".cargo/config", content::cargo)],
    )
    .calls(Calls::Without("--version -V version help --help -h --list")),
    family("go", "go gofmt", &[F::found("go.mod", content::go_toolchain), F::found("go.work", content::go_toolchain)]),
    // Repo, `repo` (the launcher hands over before it reads its words); ESP-IDF, "idf.py", "Extending idf.py".
    family("repo", "repo", &[F::present(".repo/repo/main.py")]),
    family("idf.py", "idf.py", &[F::present_here("idf_ext.py")]),
    // "Configuring Apache Maven": options of the Java machine, of Maven, and extensions.
    family(
        "maven",
        "mvn",
        &[F::present(".mvn/jvm.config"), F::present(".mvn/maven.config"), F::present(".mvn/extensions.xml")],
    ),
    family(
        "gradle",
        "gradle",
        &[F::found("gradle.properties", content::gradle), F::present("gradle/gradle-daemon-jvm.properties")],
    ),
    // sbt Reference Manual, "Command line reference": the build is compiled and loaded for `about`, too.
    family(
        "sbt",
        "sbt",
        &[
            F::present_here("build.sbt"),
            F::present_here("project"),
            F::present_here(".sbtopts"),
            F::present_here(".jvmopts"),
        ],
    )
    .calls(Calls::Without("--version -V -version")),
    // `mix help`, `rebar3 help`: tasks of the project are listed, which takes its definition. Leiningen reads
    // `project.clj` with `read-eval` for every task.
    family("mix", "mix", &[F::present_here("mix.exs")]).calls(Calls::Without("--version -v")),
    family("rebar3", "rebar3", &[F::present_here("rebar.config"), F::present_here("rebar.config.script")]),
    family("lein", "lein", &[F::present_here("project.clj"), F::present_here("profiles.clj")]),
    // Nx, "Plugins"; Angular and Serverless: the project's own program and plugins are what runs.
    family("nx", "nx", &[F::present("nx.json")]),
    family("ng", "ng", &[F::present("node_modules/@angular/cli")]),
    family(
        "serverless",
        "serverless sls",
        &[
            F::present_here("serverless.yml"),
            F::present_here("serverless.yaml"),
            F::present_here("serverless.ts"),
            F::present_here("serverless.js"),
            F::present_here("serverless.json"),
        ],
    ),
    // Poetry 2, "Plugins": those of a project lie in `.poetry`.
    family("poetry", "poetry", &[F::present(".poetry")]),
    // jest-cli 29: `import-local` runs the one that is installed in the project.
    family("jest", "jest", &[F::present("node_modules/jest"), F::present("node_modules/jest-cli")]),
    // bundle-config(1), bundle-plugin(1).
    family("bundler", "bundle bundler", &[F::present(".bundle")]),
    family(
        "composer",
        "composer",
        &[
            F::found_here("vendor/composer/installed.json", content::composer_plugins),
            F::found_here("composer.json", content::composer),
        ],
    ),
    // Azure CLI, "Configuration": the folder's own `.azure/config` may have extensions installed, and say from where.
    family("azure", "az", &[F::present(".azure/config")]),
    family("dotnet", "dotnet", &[F::found("global.json", content::dotnet)]),
    // erl(1): `.erlang` is run at the start.
    family("erlang", "erl elixir mix iex rebar3", &[F::present_here(".erlang")]),
    // Ansible, "Configuration Settings": the folder's own `ansible.cfg` names plugins.
    family(
        "ansible",
        "ansible ansible-playbook ansible-inventory ansible-galaxy ansible-config ansible-doc ansible-vault ansible-console ansible-lint",
        &[F::present_here("ansible.cfg")],
    ),
    family("compose", "docker podman", COMPOSE).calls(Calls::With("compose")),
    family("docker-compose", "docker-compose podman-compose", COMPOSE),
    family(
        "terraform",
        "terraform tofu",
        &[
            F::found_here(".terraform/terraform.tfstate", content::terraform_state),
            F::found_here("*.tf", content::terraform_backend),
            F::found_here("*.tofu", content::terraform_backend),
            F::found_here("*.tf.json", content::terraform_backend_in_json),
            F::found_here("*.tofu.json", content::terraform_backend_in_json),
        ],
    )
    .calls(Calls::Without("version -version --version -v fmt help -help --help -h")),
    family(
        "mercurial",
        "hg chg rhg",
        &[
            F::found(".hg/hgrc", content::mercurial),
            F::found(".hg/hgrc-not-shared", content::mercurial),
            F::present(".hg/sharedpath"),
        ],
    ),
    // The Darcs manual, "Configuring darcs"; the manual of Pijul, "Configuration".
    family("darcs", "darcs", &[F::present("_darcs/prefs/defaults")]),
    family("pijul", "pijul", &[F::present(".pijul/config")]),
    family("jujutsu", "jj", &[F::found(".jj/repo/config.toml", content::jujutsu)]),
    // ugrep(1), "CONFIGURATION": `ug` reads `.ugrep` of the folder; `filter` runs programs.
    family("ugrep", "ug ug+ ugrep ugrep+", &[F::present_here(".ugrep")]),
    // yamllint, "Configuration": what it cannot read of the file that is extended, it shows.
    family(
        "yamllint",
        "yamllint",
        &[
            F::found_here(".yamllint", content::yamllint),
            F::found_here(".yamllint.yaml", content::yamllint),
            F::found_here(".yamllint.yml", content::yamllint),
        ],
    ),
    family("trivy", "trivy", &[F::found_here("trivy.yaml", content::trivy)]),
    family(
        "python modules",
        "python python2 python3 pypy pypy3",
        &[F::module("*"), F::module("*/__init__.*"), F::module("*/__main__.*")],
    )
    .calls(Calls::When(python::imports_from_folder)),
    // asdf, mise, proto, Volta, pyenv, rbenv and their like stand before any program that is not the system's.
    family(
        "versions",
        "*",
        &[
            F::found(".tool-versions", content::asdf),
            F::found("mise.toml", content::mise),
            F::found(".mise.toml", content::mise),
            F::found("mise.local.toml", content::mise),
            F::found(".mise.local.toml", content::mise),
            F::found("mise/config.toml", content::mise),
            F::found("mise/config.local.toml", content::mise),
            F::found("mise/conf.d/*.toml", content::mise),
            F::found(".mise/conf.d/*.toml", content::mise),
            F::found(".config/mise.local.toml", content::mise),
            F::found(".config/mise/mise.local.toml", content::mise),
            F::found(".mise/config.toml", content::mise),
            F::found(".mise/config.local.toml", content::mise),
            F::found(".config/mise.toml", content::mise),
            F::found(".config/mise/config.toml", content::mise),
            F::found(".config/mise/config.local.toml", content::mise),
            F::found(".config/mise/mise.toml", content::mise),
            F::found(".config/mise/conf.d/*.toml", content::mise),
            F::found(".miserc.toml", content::mise),
            F::found(".rtx.toml", content::mise),
            F::found(".prototools", content::proto),
            F::present(".volta/hooks.json"),
            F::found(".python-version", content::version_path),
            F::found(".ruby-version", content::version_path),
            F::found(".node-version", content::version_path),
            F::found(".java-version", content::version_path),
            F::found(".go-version", content::version_path),
            F::found(".php-version", content::version_path),
            F::found(".perl-version", content::version_path),
            F::found(".terraform-version", content::version_path),
            F::found(".opentofu-version", content::version_path),
            F::found(".terragrunt-version", content::version_path),
            F::found(".swift-version", content::version_path),
            F::found(".scala-version", content::version_path),
            F::found(".lua-version", content::version_path),
            F::found(".crystal-version", content::version_path),
            F::found(".exenv-version", content::version_path),
            F::found(".kotlin-version", content::version_path),
            F::found(".helm-version", content::version_path),
            F::found(".kubectl-version", content::version_path),
        ],
    ),
];
