//! Who may import what: the table of ARCHITECTURE.md, held against `cargo metadata`.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use cargo_metadata::{DependencyKind, MetadataCommand};

/// A crate, its own crates that it may use, and what it must never use.
struct Row {
    name: &'static str,
    ours: &'static [&'static str],
    never: &'static [&'static str],
}

/// What the domain never imports: what does I/O or waits, and what makes wire types of its own.
const NOT_IN_DOMAIN: &[&str] =
    &["tokio", "rusqlite", "axum", "hyper", "nix", "tauri", "tempfile", "getrandom", "schemars", "ts-rs"];

const TABLE: &[Row] = &[
    Row { name: "handraise-display", ours: &[], never: NOT_IN_DOMAIN },
    Row { name: "handraise-redaction", ours: &[], never: NOT_IN_DOMAIN },
    Row { name: "handraise-shell", ours: &[], never: NOT_IN_DOMAIN },
    Row {
        name: "handraise-policy",
        ours: &["handraise-display", "handraise-redaction", "handraise-shell"],
        never: NOT_IN_DOMAIN,
    },
    Row {
        name: "handraise-gate",
        ours: &["handraise-display", "handraise-policy", "handraise-shell"],
        never: NOT_IN_DOMAIN,
    },
    Row {
        name: "handraise-protocol",
        ours: &["handraise-display", "handraise-gate", "handraise-policy", "handraise-redaction"],
        never: &["tokio", "rusqlite", "axum", "hyper", "nix", "tauri"],
    },
    Row {
        name: "handraise-client",
        ours: &["handraise-locations", "handraise-protocol"],
        never: &["tokio", "axum", "hyper", "rusqlite", "tauri", "clap"],
    },
    Row {
        name: "handraise-hook",
        ours: &["handraise-agents", "handraise-client", "handraise-locations", "handraise-protocol"],
        never: &["tokio", "axum", "hyper", "rusqlite", "tauri", "clap"],
    },
    Row {
        name: "handraise-undo",
        ours: &["handraise-locations"],
        never: &["tokio", "axum", "hyper", "tauri", "rusqlite"],
    },
    Row {
        name: "handraise-confine",
        ours: &["handraise-client", "handraise-locations", "handraise-protocol"],
        never: &["tokio", "axum", "hyper", "rusqlite", "tauri", "clap", "anyhow"],
    },
    Row { name: "handraise-locations", ours: &[], never: &["tokio", "axum", "hyper", "tauri", "rusqlite"] },
    Row {
        name: "handraise-agents",
        ours: &["handraise-display", "handraise-policy", "handraise-protocol", "handraise-shell"],
        never: &["tokio", "axum", "hyper", "nix", "rusqlite", "tauri"],
    },
    Row {
        name: "handraise-server",
        ours: &[
            "handraise-agents",
            "handraise-display",
            "handraise-gate",
            "handraise-locations",
            "handraise-policy",
            "handraise-protocol",
            "handraise-redaction",
            "handraise-shell",
            "handraise-undo",
        ],
        never: &["tauri", "zbus", "clap", "anyhow"],
    },
    Row {
        name: "handraise-cli",
        ours: &[
            "handraise-agents",
            "handraise-client",
            "handraise-confine",
            "handraise-display",
            "handraise-gate",
            "handraise-hook",
            "handraise-locations",
            "handraise-policy",
            "handraise-protocol",
            "handraise-redaction",
            "handraise-server",
            "handraise-shell",
        ],
        never: &["tauri", "rusqlite", "axum", "zbus"],
    },
    Row {
        name: "handraise-desktop",
        ours: &[
            "handraise-agents",
            "handraise-display",
            "handraise-gate",
            "handraise-locations",
            "handraise-protocol",
            "handraise-redaction",
            "handraise-server",
        ],
        never: &["rusqlite", "axum", "hyper"],
    },
];

#[test]
fn every_crate_imports_only_what_it_may() {
    let metadata = MetadataCommand::new().no_deps().exec().unwrap();
    let names: BTreeSet<&str> = metadata.packages.iter().map(|package| package.name.as_str()).collect();
    let in_table: BTreeSet<&str> = TABLE.iter().map(|row| row.name).chain(["handraise-tests"]).collect();
    assert_eq!(names, in_table, "a crate without a row, or a row without a crate");

    for row in TABLE {
        let package = metadata.packages.iter().find(|package| package.name.as_str() == row.name).unwrap();
        for dependency in &package.dependencies {
            if dependency.kind == DependencyKind::Development {
                continue;
            }
            let name = dependency.name.as_str();
            let ours = name.starts_with("handraise-");
            assert!(!ours || row.ours.contains(&name), "{} must not import {name}", row.name);
            assert!(!row.never.contains(&name), "{} must never import {name}", row.name);
        }
    }
}

/// Every Rust file below `folder`, with its text.
fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder)];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                found.push((path, text));
            }
        }
    }
    found
}

/// The lists of clippy's `disallowed-methods` and `disallowed-types` hold for each crate that has this file.
#[test]
fn every_crate_of_the_domain_has_the_rules_of_purity() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
    let rules = std::fs::read_to_string(crates.join("clippy-pure.toml")).unwrap();
    for name in ["display", "redaction", "shell", "policy", "gate"] {
        assert_eq!(std::fs::read_to_string(crates.join(name).join("clippy.toml")).unwrap(), rules, "{name}");
    }
}

/// Whatever the API or a file says has a type in `protocol`. The one exception has a stored form that the API does not
/// tell: where a request comes from.
#[test]
fn the_domain_derives_nothing_for_the_wire() {
    for folder in ["display", "redaction", "shell", "policy", "gate"] {
        for (path, text) in sources(&format!("crates/{folder}/src")) {
            let is_provenance = path.ends_with("crates/policy/src/provenance.rs");
            assert!(is_provenance || !text.contains("serde::"), "{} is for the wire", path.display());
        }
    }
}

#[test]
fn the_domain_waits_for_nothing() {
    for folder in ["display", "redaction", "shell", "policy", "gate"] {
        for (path, text) in sources(&format!("crates/{folder}/src")) {
            assert!(!text.contains("async fn") && !text.contains("async move"), "{} waits", path.display());
        }
    }
}
