//! What in a file of a project makes a program run something, by program.

mod compose;
mod environment;
mod java_script;
mod languages;
mod systems;
mod terraform;
mod versions;

pub(super) use compose::{compose, compose_environment};
pub(super) use java_script::{
    fetched_package_manager, npm, npm_connection, npm_environment, npm_registry, pnpm, pnpm_workspace, yarn,
    yarn_berry, yarn_berry_registry, yarn_npmrc, yarn_registry,
};
pub(super) use languages::{cargo, composer, composer_plugins, dotnet, go_toolchain, gradle, toolchain};
pub(super) use systems::{jujutsu, mercurial, trivy, yamllint};
pub(super) use terraform::{terraform_backend, terraform_backend_in_json, terraform_state};
pub(crate) use versions::runs_mise_template;
pub(super) use versions::{asdf, mise, proto, version_path};

use super::files::Findings;
use super::settings::{NotUnderstood, Setting};

type FindResult = Result<Findings, NotUnderstood>;

/// Those of `settings` that `runs` is true of, by name.
fn those(settings: Vec<Setting>, runs: impl Fn(&Setting) -> bool) -> FindResult {
    let names = settings.iter().filter(|setting| runs(setting)).map(Setting::name).collect();
    Ok(Findings { names, further: Vec::new() })
}

fn listed(list: &str, name: &str) -> bool {
    list.split_ascii_whitespace().any(|entry| entry == name)
}

/// A path that leads out of the folder of the file that holds it.
fn leaves(path: &str) -> bool {
    path.starts_with(['/', '~', '\\'])
        || path.split(['/', '\\']).any(|component| component == "..")
        || path.contains(['$', '{'])
        || path.get(1..2) == Some(":")
}

#[cfg(test)]
mod tests;
