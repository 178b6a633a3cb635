//! Docker Compose.

use super::super::files::{Findings, FurtherFile};
use super::super::settings::{dot_env, yaml};
use super::environment::decides_for_compose;
use super::{FindResult, those};

/// Compose file reference, "Include" and "Extend": both may name a repository or a registry, which is fetched, and
/// files that do. An `include` is asked about; a file of the project that a service extends is read as well.
pub(in super::super) fn compose(text: &str) -> FindResult {
    let mut findings = Findings::default();
    for setting in yaml(text)? {
        let below = setting.keys.iter().position(|key| key == "extends");
        let rest: Vec<&str> =
            setting.keys.iter().skip(below.map_or(usize::MAX, |at| at + 1)).map(String::as_str).collect();
        match (below, rest.as_slice()) {
            _ if setting.is_below("include") => findings.names.push("include".to_owned()),
            (None, _) | (Some(_), ["service"]) => {}
            (Some(_), []) if setting.value.is_some() => {}
            (Some(_), ["file"]) if is_local_file(setting.value()) => {
                findings.further.push(FurtherFile { path: setting.value().to_owned(), find: compose });
            }
            (Some(_), _) => findings.names.push("extends".to_owned()),
        }
    }
    findings.names.dedup();
    Ok(findings)
}

/// `base.yml`, `../common/base.yaml`: what Compose takes for no address (compose-go, "remote").
fn is_local_file(path: &str) -> bool {
    let plain = path.chars().all(|c| c.is_ascii_alphanumeric() || "._-/".contains(c));
    let mut components = path.split('/');
    let first = components.next().unwrap_or_default();
    let is_host = first.contains('.') && ![".", ".."].contains(&first) && components.next().is_some();
    plain && !path.starts_with('/') && !is_host && (path.ends_with(".yml") || path.ends_with(".yaml"))
}

/// `.env`: Docker Compose, "Set environment variables" and "Pre-defined environment variables".
pub(in super::super) fn compose_environment(text: &str) -> FindResult {
    those(dot_env(text)?, |setting| decides_for_compose(setting.key(0)))
}
