//! Systems of versions other than git, and scanners.

use super::super::settings::{ini, toml, yaml};
use super::{FindResult, leaves, listed, those};

/// `hg help config`: a repository's `hgrc` loads extensions, and its hooks, aliases and merge tools run programs.
/// Only where it comes from, and who commits, is harmless.
pub(in super::super) fn mercurial(text: &str) -> FindResult {
    those(ini(text)?, |setting| {
        // `%include` reads another file, wherever it stands.
        let path = setting.key(0) == "paths" && !setting.key(1).starts_with('%') && !setting.value().starts_with('-');
        !path && setting.name() != "ui.username"
    })
}

/// Jujutsu, "Settings": a repository's own may name a pager, a diff tool, a file system monitor.
pub(in super::super) fn jujutsu(text: &str) -> FindResult {
    those(toml(text)?, |setting| {
        !listed("user revsets revset-aliases template-aliases templates remotes colors", setting.key(0))
            && !listed("git.fetch git.push git.push-bookmark-prefix", &setting.name())
    })
}

/// yamllint, "Extending the default configuration": another file than the two that come with it.
pub(in super::super) fn yamllint(text: &str) -> FindResult {
    those(yaml(text)?, |setting| {
        let names_file = setting.key(0) == "extends" && !["default", "relaxed"].contains(&setting.value());
        names_file || setting.is_below("ignore-from-file") && leaves(setting.value())
    })
}

/// Trivy, "Config file": `trivy.yaml` names a server, a file to write, a folder of modules.
pub(in super::super) fn trivy(text: &str) -> FindResult {
    const HARMLESS: &str = "severity exit-code exit-on-eol quiet debug no-progress timeout ignore-unfixed list-all-pkgs dependency-tree \
        vulnerability pkg format show-suppressed";
    const SCAN: &str = "scanners skip-dirs skip-files security-checks parallel slow file-patterns detection-priority";
    those(yaml(text)?, |setting| {
        let scan = setting.key(0) == "scan" && listed(SCAN, setting.key(1));
        !(scan || listed(HARMLESS, setting.key(0)))
    })
}
