//! Version managers, which stand before many programs.

use super::super::files::{Findings, FurtherFile};
use super::super::settings::{Setting, dot_env, toml};
use super::environment::decides;
use super::{FindResult, leaves, listed, those};

/// A template of mise (Tera) that runs or reads something (mise, "Templates").
pub(crate) fn runs_mise_template(text: &str) -> bool {
    (text.contains("{{") || text.contains("{%"))
        && ["exec", "read_file", "include", "import", "macro"].iter().any(|word| text.contains(word))
}

/// `.tool-versions`: in asdf ("Configuration") `path:` names a folder with the programs; mise replaces templates.
pub(in super::super) fn asdf(text: &str) -> FindResult {
    let names = ["path:", "{{", "{%"].into_iter().filter(|mark| text.to_lowercase().contains(mark)).map(str::to_owned);
    Ok(Findings { names: names.collect(), further: Vec::new() })
}

/// `.python-version` and its like (pyenv, rbenv, nodenv): a version that is a path leaves their folder.
pub(in super::super) fn version_path(text: &str) -> FindResult {
    let leaves =
        text.lines().any(|line| line.contains("..") || line.contains("./") || line.trim_start().starts_with('/'));
    let templates = text.contains("{{") || text.contains("{%");
    let names = if leaves || templates { vec!["a version that is a path".to_owned()] } else { Vec::new() };
    Ok(Findings { names, further: Vec::new() })
}

/// mise runs these for who called one of its shims, once the file is trusted (mise, "Configuration", "Environments",
/// "Hooks", "Templates", `mise trust`). Tables that are not known here count.
pub(in super::super) fn mise(text: &str) -> FindResult {
    const SETTINGS: &str = "experimental jobs idiomatic_version_file idiomatic_version_file_enable_tools legacy_version_file lockfile color \
        quiet verbose task_output task_timings auto_install not_found_auto_install exec_auto_install http_timeout pin asdf_compat \
        disable_hints status";
    let mut findings = Findings::default();
    for setting in toml(text)? {
        let value = setting.value();
        let runs = match setting.key(0) {
            "tasks" | "task_config" | "min_version" | "redactions" | "shell_alias" | "monorepo_root" => {
                // What a task is to run is a template for when it runs; what is told of it, for when it is listed.
                let is_run = setting.key(0) == "tasks"
                    && (setting.keys.len() == 2 || ["run", "run_windows"].contains(&setting.key(2)));
                !is_run && (setting.keys.iter().any(|key| runs_mise_template(key)) || runs_mise_template(value))
            }
            "tools" => runs_tool(&setting),
            "settings" => !listed(SETTINGS, setting.key(1)),
            "env" | "vars" if setting.key(1) == "_" => match setting.key(2) {
                "file" | "dotenv" if setting.keys.len() == 3 && is_env_file(value) => {
                    findings.further.push(FurtherFile { path: value.to_owned(), find: mise_environment });
                    false
                }
                "python" => false,
                "redact" | "required" => false,
                _ => true,
            },
            "env" => decides(setting.key(1)) || runs_mise_template(value) || runs_mise_template(setting.key(1)),
            "vars" => runs_mise_template(value),
            _ => true,
        };
        if runs {
            findings.names.push(setting.name());
        }
    }
    Ok(findings)
}

/// `.env`, `config/dev.env`: other endings are read in other formats.
fn is_env_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let env = name.ends_with(".env")
        || (name.starts_with(".env") && !name.contains(".json") && !name.contains(".y") && !name.contains(".toml"));
    env && !leaves(path)
}

fn mise_environment(text: &str) -> FindResult {
    those(dot_env(text)?, |setting| decides(setting.key(0)) || runs_mise_template(setting.value()))
}

fn runs_tool(setting: &Setting) -> bool {
    let plugin = ["asdf:", "vfox:", "http:"].iter().any(|start| setting.key(1).starts_with(start));
    let value = setting.value();
    let detail = !["", "version", "os", "profile", "bin", "exe"].contains(&setting.key(2));
    plugin
        || detail
        || value.to_lowercase().contains("path:")
        || runs_mise_template(value)
        || runs_mise_template(setting.key(1))
}

/// proto, "Configuration": plugins are programs; variables are set for what a shim runs.
pub(in super::super) fn proto(text: &str) -> FindResult {
    const SETTINGS: &str = "auto-install auto-clean detect-strategy pin-latest telemetry lockfile builtin-plugins";
    those(toml(text)?, |setting| match setting.key(0) {
        "env" => decides(setting.key(1)) || setting.key(1) == "file",
        "settings" => !listed(SETTINGS, setting.key(1)),
        "tools" => setting.value().contains("://") || setting.name().contains("url") || setting.is_below("env"),
        _ => setting.keys.len() > 1 || leaves(setting.value()) || setting.value().contains(':'),
    })
}
