//! The modules of a crate stand on floors: what a module imports does not import it in turn, on whatever way.
//!
//! A module is what the root of a crate names, with all that lies in its folder. Tests may import what they like.

#![expect(clippy::indexing_slicing, clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What each module of one crate imports.
type Imports = BTreeMap<String, BTreeSet<String>>;

#[test]
fn no_module_imports_what_imports_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let crates = std::fs::read_dir(root.join("crates")).unwrap().map(|entry| entry.unwrap().path());
    let mut found = BTreeSet::new();
    let mut count = 0;
    for folder in crates.chain([root.join("src-tauri")]).filter(|folder| folder.join("src").is_dir()) {
        let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
        let imports = imports_of(&folder.join("src"));
        count += imports.values().map(BTreeSet::len).sum::<usize>();
        found.extend(circles(&imports).into_iter().map(|circle| (name.clone(), circle)));
    }
    assert!(count > 200, "the imports were not found");
    assert!(found.is_empty(), "modules that import each other: {found:?}");
}

fn imports_of(source: &Path) -> Imports {
    let root = ["lib.rs", "main.rs"].map(|name| source.join(name)).into_iter().find(|path| path.is_file()).unwrap();
    let text = code(&root);
    let modules: BTreeSet<&str> = text.lines().filter_map(declared).collect();
    // `pub use facts::PathFacts`: who imports `crate::PathFacts` imports `facts`.
    let mut given = BTreeMap::new();
    for line in statements(&text, "use ") {
        for path in written_out(line) {
            let path: Vec<&str> = path.trim_start_matches("crate::").split("::").collect();
            if let [module, .., name] = path.as_slice() {
                given.insert((*name).to_owned(), (*module).to_owned());
            }
        }
    }
    let mut imports = Imports::new();
    for file in files(source) {
        let module = module_path(source, &file);
        let Some(own) = module.first().filter(|own| modules.contains(own.as_str())) else { continue };
        for path in paths(&code(&file)) {
            let Some(first) = below_root(&path, module.len()) else { continue };
            let imported = if modules.contains(first) { first } else { given.get(first).map_or("", String::as_str) };
            if modules.contains(imported) && imported != own {
                imports.entry(own.clone()).or_default().insert(imported.to_owned());
            }
        }
    }
    imports
}

/// The first name below the root of the crate in a path that is written in a module so deep; `None`: it stays inside of
/// the module that the root names.
fn below_root(path: &str, depth: usize) -> Option<&str> {
    let names: Vec<&str> = path.split("::").collect();
    let supers = names.iter().take_while(|name| **name == "super").count();
    match names.first() {
        Some(&"crate") => names.get(1).copied(),
        _ if supers == depth => names.get(supers).copied(),
        _ => None,
    }
}

/// Groups of modules of which each imports, on some way, each other.
fn circles(imports: &Imports) -> BTreeSet<String> {
    let reached = |from: &str| {
        let mut reached = BTreeSet::new();
        let mut waiting = vec![from.to_owned()];
        while let Some(module) = waiting.pop() {
            let new = imports.get(&module).into_iter().flatten().filter(|next| reached.insert((*next).clone()));
            waiting.extend(new.cloned().collect::<Vec<_>>());
        }
        reached
    };
    let all: BTreeMap<&String, BTreeSet<String>> = imports.keys().map(|module| (module, reached(module))).collect();
    let circle = |module: &String| {
        let with = all[module].iter().filter(|other| all.get(other).is_some_and(|back| back.contains(module)));
        with.map(String::as_str).collect::<Vec<_>>().join(" ")
    };
    all.keys().filter(|module| all[**module].contains(**module)).map(|module| circle(module)).collect()
}

/// The module that a line declares, as `pub mod path;`.
fn declared(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let line = line.strip_prefix("pub(crate) ").or_else(|| line.strip_prefix("pub ")).unwrap_or(line);
    line.strip_prefix("mod ")?.strip_suffix(';')
}

/// The text of a file without comments, and without modules that only tests have.
fn code(file: &Path) -> String {
    let text = std::fs::read_to_string(file).unwrap();
    let mut lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    let mut kept = String::new();
    while let Some(line) = lines.next() {
        if line.trim().starts_with("#[cfg(") && line.contains("test") {
            let module = lines.find(|next| !next.trim().starts_with("#["));
            // `mod tests {` ends the file, `mod tests;` does not.
            match module.filter(|next| next.contains("mod ")) {
                Some(module) if module.trim_end().ends_with('{') => break,
                _ => continue,
            }
        }
        kept.push_str(line);
        kept.push('\n');
    }
    kept
}

/// Files below `folder`, but for those of modules that only tests have.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        let owners = ["mod.rs", "lib.rs", "main.rs"].map(|name| folder.join(name)).into_iter();
        let owners: Vec<PathBuf> = owners.chain([folder.with_extension("rs")]).filter(|path| path.is_file()).collect();
        let text: String = owners.iter().map(|owner| code(owner)).collect();
        let declared: BTreeSet<&str> = text.lines().filter_map(declared).collect();
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let is_named = declared.contains(path.file_stem().unwrap().to_str().unwrap());
            if path.is_dir() && is_named {
                waiting.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") && (is_named || owners.contains(&path)) {
                found.push(path);
            }
        }
    }
    found
}

/// `rules/floor/place.rs` is `["rules", "floor", "place"]`; the root is `[]`.
fn module_path(source: &Path, file: &Path) -> Vec<String> {
    let below = file.strip_prefix(source).unwrap().with_extension("");
    let names = below.iter().map(|name| name.to_str().unwrap().to_owned());
    names.filter(|name| !["mod", "lib", "main"].contains(&name.as_str())).collect()
}

/// What stands between `word` at the beginning of a statement and its semicolon.
fn statements<'a>(text: &'a str, word: &str) -> Vec<&'a str> {
    let starts = text.match_indices(word).filter(|(start, _)| {
        let before = text.get(..*start).unwrap_or_default().lines().last().unwrap_or_default().trim();
        text.get(..*start).is_some_and(|before| before.ends_with('\n')) || before.starts_with("pub")
    });
    starts.filter_map(|(start, word)| text.get(start + word.len()..)?.split(';').next()).collect()
}

/// Every path of `text` that starts at the root of the crate or goes up.
fn paths(text: &str) -> Vec<String> {
    let is_name = |character: char| character.is_alphanumeric() || "_:".contains(character);
    let mut found = Vec::new();
    for start in ["crate::", "super::"] {
        for (position, _) in text.match_indices(start) {
            let (before, here) = text.split_at(position);
            if before.ends_with(is_name) {
                continue;
            }
            let end = here.find(|character| !is_name(character)).unwrap_or(here.len());
            let mut path = here.get(..end).unwrap_or_default().to_owned();
            if let Some(tree) = here.get(end..).filter(|rest| rest.starts_with('{')) {
                path.push_str(tree.get(..closing(tree)).unwrap_or_default());
            }
            found.extend(written_out(&path));
        }
    }
    found
}

/// Where the brace is closed that `text` starts with.
fn closing(text: &str) -> usize {
    let mut depth = 0_usize;
    for (position, character) in text.char_indices() {
        match character {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return position + 1;
        }
    }
    text.len()
}

/// `a::{b, c::{d, e}}` is `a::b`, `a::c::d` and `a::c::e`.
fn written_out(tree: &str) -> Vec<String> {
    let Some((start, rest)) = tree.split_once('{') else { return vec![tree.trim().to_owned()] };
    let inside = rest.rsplit_once('}').map_or(rest, |(inside, _)| inside);
    let mut depth = 0_usize;
    let branches = inside.split(|character| {
        match character {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        character == ',' && depth == 0
    });
    let branches = branches.flat_map(written_out).filter(|branch| !branch.is_empty());
    branches.map(|branch| format!("{}{branch}", start.trim())).collect()
}

#[test]
fn a_circle_is_found_however_it_is_written() {
    assert_eq!(written_out("a::{b, c::{d, e}}"), ["a::b", "a::c::d", "a::c::e"]);
    assert_eq!(paths("use super::{x};\nlet y = crate::rules::Rule;"), ["crate::rules::Rule", "super::x"]);
    assert_eq!(below_root("super::super::path::PathFacts", 2), Some("path"));
    assert_eq!(below_root("super::path::PathFacts", 2), None);
    let to = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<String>>();
    let imports = [("a", to(&["b"])), ("b", to(&["c", "d"])), ("c", to(&["a"])), ("d", to(&[]))];
    let imports = imports.into_iter().map(|(name, to)| (name.to_owned(), to)).collect();
    assert_eq!(circles(&imports), to(&["a b c"]));
}
