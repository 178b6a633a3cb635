//! npm, pnpm and Yarn.

use super::super::settings::{Setting, npmrc, yaml, yarnrc};
use super::{FindResult, leaves, listed, those};
use crate::project_code::files::Findings;

/// npm 11, "config": `git` is the git that is run, `node-options` is for node, `globalconfig` names another file of
/// settings.
const RUN: &str = "git shell script-shell node-options editor viewer browser globalconfig userconfig prefix init-module \
    init.module onload-script script-prepend-node-path scripts-prepend-node-path";
const REGISTRIES: &[&str] =
    &["https://registry.npmjs.org", "https://registry.yarnpkg.com", "https://npm.pkg.github.com"];

fn runs(setting: &Setting) -> bool {
    let name = setting.key(0);
    // Both are folders that npm writes into.
    let writes = ["logs-dir", "cache", "tmp"].contains(&name) && leaves(setting.value().trim_matches(['"', '\'']));
    writes || listed(RUN, name)
}

fn is_other_registry(setting: &Setting) -> bool {
    let (name, value) = (setting.key(0), setting.value().trim_matches(['"', '\'']));
    let known = REGISTRIES
        .iter()
        .any(|known| value.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')));
    (name == "registry" || name.ends_with(":registry")) && (!known || value.contains("${"))
}

/// `.npmrc` for every command of npm: `${NAME}` puts a variable into the address of another registry.
pub(in super::super) fn npm(text: &str) -> FindResult {
    those(npmrc(text)?, |setting| runs(setting) || (is_other_registry(setting) && text.contains("${")))
}

/// npm 11, "config": settings into which it puts variables of the environment, but for those that it does not show.
pub(in super::super) fn npm_environment(text: &str) -> FindResult {
    those(npmrc(text)?, |setting| {
        let is_hidden = setting.key(0).starts_with('_') || setting.key(0).contains(":_");
        !is_hidden && (setting.value().contains("${") || setting.key(0).contains("${"))
    })
}

/// Another machine between npm and its registry, or somebody else believed to be the registry, who gets the person's token.
fn is_connection(setting: &Setting) -> bool {
    let value = setting.value().trim_matches(['"', '\'']);
    listed("proxy https-proxy http-proxy ca ca[] cafile", setting.key(0))
        || (setting.key(0) == "strict-ssl" && value != "true")
}

fn asks_elsewhere(setting: &Setting) -> bool {
    is_other_registry(setting) || is_connection(setting)
}

/// npm 11, "config": `registry`, `@scope:registry` say whom it asks.
pub(in super::super) fn npm_registry(text: &str) -> FindResult {
    those(npmrc(text)?, is_other_registry)
}

/// npm 11, "config": the proxies, and `strict-ssl`, `ca` and `cafile`. Every command may look for a newer npm, with the token
/// ("update-notifier").
pub(in super::super) fn npm_connection(text: &str) -> FindResult {
    those(npmrc(text)?, is_connection)
}

/// Yarn 1, "yarnrc" and "npmrc": of both files it takes the registry and how that is reached, with variables of the
/// environment.
pub(in super::super) fn yarn_npmrc(text: &str) -> FindResult {
    those(npmrc(text)?, asks_elsewhere)
}

/// The same in `.yarnrc`.
pub(in super::super) fn yarn_registry(text: &str) -> FindResult {
    those(yarnrc(text)?, asks_elsewhere)
}

/// Yarn 4, "Settings": whom it asks, and whom it believes.
pub(in super::super) fn yarn_berry_registry(text: &str) -> FindResult {
    const NAMES: &str = "npmregistryserver npmauditregistry npmpublishregistry httpproxy httpsproxy enablestrictssl httpscafilepath \
        httpscertfilepath httpskeyfilepath networksettings unsafehttpwhitelist";
    let is_known = |value: &str| REGISTRIES.contains(&value.trim_end_matches('/')) || value == "true";
    those(yaml(text)?, |setting| {
        setting.keys.iter().any(|key| listed(NAMES, &key.to_lowercase())) && !is_known(setting.value())
    })
}

/// pnpm 10, ".pnpmfile.cjs", "Settings"; `packageManager` is fetched from `registry`.
pub(in super::super) fn pnpm(text: &str) -> FindResult {
    those(npmrc(text)?, |setting| {
        runs(setting)
            || asks_elsewhere(setting)
            || listed("pnpmfile global-pnpmfile use-node-version global-dir node-mirror", setting.key(0))
            || setting.key(0).starts_with("node-mirror:")
    })
}

/// pnpm 10, "Settings (pnpm-workspace.yaml)".
pub(in super::super) fn pnpm_workspace(text: &str) -> FindResult {
    const NAMES: &str = "pnpmfile globalpnpmfile configdependencies nodeversion usenodeversion nodedownloadmirrors scriptshell \
        nodeoptions registry registries globaldir git";
    those(yaml(text)?, |setting| {
        let own = |key: &String| listed(NAMES, &key.to_lowercase().replace(['-', '_'], ""));
        setting.keys.iter().any(own) || setting.is_below("<<")
    })
}

/// Yarn 1, "yarnrc": `yarn-path`.
pub(in super::super) fn yarn(text: &str) -> FindResult {
    those(yarnrc(text)?, |setting| setting.key(0).trim_start_matches('-').replace('_', "-") == "yarn-path")
}

/// Yarn 4, "Settings": `yarnPath`, `plugins`.
pub(in super::super) fn yarn_berry(text: &str) -> FindResult {
    those(yaml(text)?, |setting| {
        let own = |key: &String| ["yarnpath", "plugins", "<<"].contains(&key.to_lowercase().as_str());
        setting.keys.iter().any(own)
    })
}

/// A package manager that Corepack fetches from an address.
pub(in super::super) fn fetched_package_manager(text: &str) -> FindResult {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let package = serde_json::from_str::<serde_json::Value>(text);
    let package = match package {
        Ok(package) => package,
        // Then it names no package manager to anybody, unless a reader is lenient.
        Err(_) if !text.to_lowercase().contains("packagemanager") && !text.contains("\\u") => {
            return Ok(Findings::default());
        }
        Err(error) => return Err(super::NotUnderstood::because(error)),
    };
    let manager = package.get("packageManager").and_then(serde_json::Value::as_str).unwrap_or_default();
    let names = if manager.contains("://") { vec!["packageManager".to_owned()] } else { Vec::new() };
    Ok(Findings { names, further: Vec::new() })
}
