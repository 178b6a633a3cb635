//! Who may import what: the tables of ARCHITECTURE.md, held against `cargo metadata`.

#![expect(clippy::indexing_slicing, clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use cargo_metadata::{DependencyKind, MetadataCommand};

/// The domain, as ARCHITECTURE.md calls it.
const DOMAIN: [&str; 5] = ["display", "redaction", "shell", "policy", "gate"];

/// A crate of the table, the crates of this repository that it may use, and those of others that it must never use.
struct Row {
    name: String,
    ours: BTreeSet<String>,
    never: BTreeSet<String>,
}

/// The rows of the table in ARCHITECTURE.md whose head starts with `head`, each as its cells.
fn table(head: &str) -> Vec<Vec<String>> {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../ARCHITECTURE.md")).unwrap();
    let rows = page.lines().skip_while(|line| !line.starts_with(head)).skip(2);
    let rows = rows.take_while(|line| line.starts_with('|'));
    rows.map(|row| row.trim_matches('|').split(" | ").map(|cell| cell.trim().to_owned()).collect()).collect()
}

/// The entries of a cell, without what stands in parentheses. "nothing" is none.
fn entries(cell: &str) -> Vec<String> {
    let mut depth = 0_usize;
    let plain = cell.chars().filter(|character| {
        depth += usize::from(*character == '(');
        let is_outside = depth == 0;
        depth -= usize::from(*character == ')');
        is_outside
    });
    let plain: String = plain.collect();
    plain.split(',').map(|entry| entry.trim().to_owned()).filter(|entry| entry != "nothing").collect()
}

/// The name of a crate's package.
fn package(name: &str) -> String {
    format!("handraise-{}", if name == "src-tauri" { "desktop" } else { name })
}

fn rows() -> Vec<Row> {
    let brought: BTreeMap<String, Vec<String>> =
        table("| never | the crates").into_iter().map(|cells| (cells[0].clone(), entries(&cells[1]))).collect();
    let rows = table("| crate | ours | never |").into_iter();
    // These two are no crates: tests of their own hold them.
    let rows = rows.filter(|cells| cells[0] != "ui" && !cells[0].starts_with("sdk/"));
    let rows = rows.map(|cells| {
        let ours = entries(&cells[1]).into_iter().flat_map(|entry| match entry.as_str() {
            "the domain" => DOMAIN.map(str::to_owned).to_vec(),
            _ => vec![entry],
        });
        let never = entries(&cells[2]).into_iter();
        let never = never.flat_map(|entry| brought.get(&entry).cloned().unwrap_or_else(|| vec![entry]));
        Row { name: package(&cells[0]), ours: ours.map(|name| package(&name)).collect(), never: never.collect() }
    });
    rows.collect()
}

#[test]
fn every_crate_imports_only_what_it_may() {
    let metadata = MetadataCommand::new().no_deps().exec().unwrap();
    let rows = rows();
    let names: BTreeSet<&str> = metadata.packages.iter().map(|package| package.name.as_str()).collect();
    let in_table: BTreeSet<&str> = rows.iter().map(|row| row.name.as_str()).chain(["handraise-tests"]).collect();
    assert_eq!(names, in_table, "a crate without a row, or a row without a crate");

    for row in &rows {
        assert!(row.ours.iter().all(|name| names.contains(name.as_str())), "{}: {:?}", row.name, row.ours);
        assert!(!row.never.is_empty(), "{} is never kept from anything", row.name);
        // What the table says in words has to be one of its words.
        assert!(row.never.iter().all(|name| !name.contains(' ') && name != "I/O"), "{}: {:?}", row.name, row.never);
        let package = metadata.packages.iter().find(|package| package.name.as_str() == row.name).unwrap();
        for dependency in &package.dependencies {
            if dependency.kind == DependencyKind::Development {
                continue;
            }
            let name = dependency.name.as_str();
            let ours = name.starts_with("handraise-");
            assert!(!ours || row.ours.contains(name), "{} must not import {name}", row.name);
            assert!(!row.never.contains(name), "{} must never import {name}", row.name);
        }
        let imported: BTreeSet<&str> = package.dependencies.iter().map(|dependency| dependency.name.as_str()).collect();
        let only_said: Vec<&String> = row.ours.iter().filter(|name| !imported.contains(name.as_str())).collect();
        assert!(only_said.is_empty(), "{} does not import {only_said:?}", row.name);
    }
}

#[test]
fn the_table_says_what_the_domain_must_not_import() {
    let rows = rows();
    let row = |name: &str| rows.iter().find(|row| row.name == package(name)).unwrap();
    for name in DOMAIN {
        for never in
            ["tokio", "tauri", "rusqlite", "axum", "hyper", "nix", "tempfile", "getrandom", "schemars", "ts-rs"]
        {
            assert!(row(name).never.contains(never), "{name}: {never}");
        }
    }
    let of_policy = ["display", "redaction", "shell"].map(package).into_iter().collect::<BTreeSet<_>>();
    assert_eq!(row("policy").ours, of_policy);
    assert!(row("server").ours.is_superset(&DOMAIN.map(package).into_iter().collect()));
    assert!(row("cli").ours.contains("handraise-server") && row("cli").never.contains("axum"));
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
fn every_pure_crate_has_the_rules_of_purity() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
    let rules = std::fs::read_to_string(crates.join("clippy-pure.toml")).unwrap();
    for name in DOMAIN.into_iter().chain(["agents", "protocol"]) {
        assert_eq!(std::fs::read_to_string(crates.join(name).join("clippy.toml")).unwrap(), rules, "{name}");
    }
}

/// Whatever the API or a file says has a type in `protocol`. The one exception has a stored form that the API does not
/// tell: where a request comes from.
#[test]
fn the_domain_derives_nothing_for_the_wire() {
    for folder in DOMAIN {
        for (path, text) in sources(&format!("crates/{folder}/src")) {
            // The latter reads files of other programs.
            let excepted = ["crates/policy/src/provenance.rs", "crates/policy/src/project_code/settings/json.rs"];
            let is_excepted = excepted.iter().any(|file| path.ends_with(file));
            assert!(is_excepted || !text.contains("serde::"), "{} is for the wire", path.display());
        }
    }
}

#[test]
fn the_domain_waits_for_nothing() {
    for folder in DOMAIN {
        for (path, text) in sources(&format!("crates/{folder}/src")) {
            assert!(!text.contains("async fn") && !text.contains("async move"), "{} waits", path.display());
        }
    }
}

/// `cargo test --doc` would compile every crate anew to run nothing, so nothing calls it.
#[test]
fn no_example_in_the_documentation_of_code_goes_untested() {
    for folder in ["crates", "src-tauri/src", "tests/src"] {
        for (path, text) in sources(folder) {
            let comments = text.lines().filter_map(|line| {
                let line = line.trim_start();
                line.strip_prefix("///").or_else(|| line.strip_prefix("//!"))
            });
            let fences = comments.map(str::trim).filter(|line| line.starts_with("```"));
            for opening in fences.step_by(2) {
                let is_no_code = ["```text", "```toml", "```json", "```sh"].contains(&opening);
                assert!(is_no_code, "{}: write a test in place of `{opening}`", path.display());
            }
        }
    }
}

/// CONTRIBUTING.md, "Write code". What a program writes is as long as it is.
#[test]
fn no_file_of_code_is_too_long() {
    const MAX_LINES: usize = 600;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut waiting: Vec<PathBuf> =
        ["crates", "src-tauri", "tests", "ui", "sdk", "scripts"].iter().map(|folder| root.join(folder)).collect();
    let (mut count, mut long) = (0, Vec::new());
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            let is_made = ["node_modules", "generated", "paraglide", "target", "gen", "dist", "build"].contains(&name);
            if path.is_dir() && !is_made && !name.starts_with(['.', '_']) && !name.starts_with("dist-") {
                waiting.push(path);
            } else if path.is_file()
                && ["rs", "ts", "svelte", "js", "py", "css"]
                    .iter()
                    .any(|end| path.extension().is_some_and(|ending| ending == *end))
            {
                let text = std::fs::read_to_string(&path).unwrap();
                count += 1;
                if text.lines().count() >= MAX_LINES && !text.contains("Generated") {
                    long.push(path);
                }
            }
        }
    }
    assert!(count > 1_000, "the files were not found: {count}");
    assert!(long.is_empty(), "{MAX_LINES} lines or more: {long:#?}");
}
