//! The modules of a crate stand on floors: what a module imports does not import it in turn, on whatever way.
//!
//! That holds for what the root of a crate names, with all that lies in its folder, and in the same way in each folder.
//! Tests may import what they like.

#![expect(clippy::indexing_slicing, clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What each module of one folder imports of the others there.
type Imports = BTreeMap<String, BTreeSet<String>>;

/// Where a module stands: `["rules", "floor"]`; the root of the crate is `[]`.
type ModulePath = Vec<String>;

/// Folders whose files are one type: each adds methods to it, and a part of what it holds.
const ONE_TYPE: &[(&str, &str)] = &[("gate", "machine"), ("server", "engine")];

#[test]
fn no_module_imports_what_imports_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let crates = std::fs::read_dir(root.join("crates")).unwrap().map(|entry| entry.unwrap().path());
    let mut found = BTreeSet::new();
    let mut count = 0;
    for folder in crates.chain([root.join("src-tauri")]).filter(|folder| folder.join("src").is_dir()) {
        let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
        for (folder, imports) in imports_of(&folder.join("src")) {
            let folder = folder.join("/");
            count += imports.values().map(BTreeSet::len).sum::<usize>();
            if !ONE_TYPE.contains(&(name.as_str(), folder.as_str())) {
                found.extend(circles(&imports).into_iter().map(|circle| format!("{name} {folder}: {circle}")));
            }
        }
    }
    assert!(count > 1_000, "the imports were not found: {count}");
    assert!(found.is_empty(), "modules that import each other: {found:#?}");
}

/// What the modules import of each other, by the folder that they are in.
fn imports_of(source: &Path) -> BTreeMap<ModulePath, Imports> {
    let modules: BTreeMap<ModulePath, String> =
        files(source).iter().map(|file| (module_path(source, file), code(file))).collect();
    let mut imports: BTreeMap<ModulePath, Imports> = BTreeMap::new();
    for (module, text) in &modules {
        for path in paths(text) {
            let imported = resolved(&path, module, &modules);
            let shared = module.iter().zip(&imported).take_while(|(one, other)| one == other).count();
            if let (Some(own), Some(other)) = (module.get(shared), imported.get(shared)) {
                let folder = imports.entry(module[..shared].to_vec()).or_default();
                folder.entry(own.clone()).or_default().insert(other.clone());
            }
        }
    }
    imports
}

/// The module that `path` leads to, which is written in `module`.
fn resolved(path: &str, module: &[String], modules: &BTreeMap<ModulePath, String>) -> ModulePath {
    let mut names = path.split("::").peekable();
    let mut place = module.to_vec();
    while let Some(up) = names.next_if(|name| ["crate", "super"].contains(name)) {
        if up == "crate" {
            place.clear();
        } else {
            place.pop();
        }
    }
    for name in names {
        let below = [place.as_slice(), &[name.to_owned()]].concat();
        if modules.contains_key(&below) {
            place = below;
            continue;
        }
        // `pub use facts::PathFacts`: who imports `crate::PathFacts` imports `facts`.
        place.extend(modules.get(&place).and_then(|text| given(text, name)));
        break;
    }
    place
}

/// The module from which `text`, that of the module above it, gives `name` on.
fn given(text: &str, name: &str) -> Option<String> {
    let uses = statements(text, "use ").into_iter().flat_map(written_out);
    let mut given = uses.filter_map(|path| {
        let path: Vec<&str> = path.trim_start_matches("crate::").split("::").collect();
        let module = path.first().filter(|module| declared_in(text, module))?;
        (path.len() > 1 && path.last() == Some(&name)).then(|| (*module).to_owned())
    });
    given.next()
}

fn declared_in(text: &str, module: &str) -> bool {
    text.lines().filter_map(declared).any(|declared| declared == module)
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
    let to_path =
        |path: &str| path.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect::<ModulePath>();
    let modules =
        [("", "mod rules;\nmod path;\npub use path::PathFacts;"), ("rules", "mod floor;"), ("rules::floor", "")];
    let modules =
        modules.into_iter().chain([("path", "")]).map(|(path, text)| (to_path(path), text.to_owned())).collect();
    let leads = |path: &str| resolved(path, &to_path("rules::floor"), &modules).join("::");
    assert_eq!(leads("super::super::path::Other"), "path");
    assert_eq!(leads("crate::PathFacts"), "path");
    assert_eq!(leads("super::Rule"), "rules");
    let to = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<String>>();
    let imports = [("a", to(&["b"])), ("b", to(&["c", "d"])), ("c", to(&["a"])), ("d", to(&[]))];
    let imports = imports.into_iter().map(|(name, to)| (name.to_owned(), to)).collect();
    assert_eq!(circles(&imports), to(&["a b c"]));
}
