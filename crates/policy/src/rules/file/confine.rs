//! The table `[confine]`.

use toml::de::{DeTable, DeValue};

use super::reader::{Reader, Value};
use crate::path::MAX_PATH_LENGTH;
use crate::rules::confine::{CACHES, ConfineSettings, ProjectWalls, WallLimits};
use handraise_display::has_hidden;

const KEYS: &[&str] = &["write", "read", "show", "read_deny", "caches", "network", "limits", "project"];
const PROJECT_KEYS: &[&str] = &["project", "write", "read", "show", "caches"];
const LIMIT_KEYS: &[&str] = &["processes", "memory", "seconds"];
/// What of the network a command inside walls reaches.
const NETWORKS: &[(&str, ())] = &[("none", ())];
/// Most entries of one list.
const MAX_ENTRIES: usize = 64;
const PATH_HELP: &str =
    "write a file or folder as \"~/notes\", \"/srv/out\" or \"dist\" (in the project); it is no pattern";
const NAME_HELP: &str = "write the name of a file, as \".env\"; it is shown wherever it lies in the project";
/// Units of a size: the multiples of IEC 80000-13.
const UNITS: &[(&str, u64)] = &[("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30)];

pub(super) fn read_confine(reader: &mut Reader<'_>, value: &Value<'_>) -> ConfineSettings {
    let Some(table) = reader.table("confine", value) else { return ConfineSettings::default() };
    reader.check_keys(table, "[confine]", KEYS);
    // There is one answer today, and it is what holds without the key.
    if let Some(value) = table.get("network") {
        reader.word("network", value, NETWORKS);
    }
    ConfineSettings {
        write: read_paths(reader, table, "write"),
        read: read_paths(reader, table, "read"),
        show: read_names(reader, table, "show"),
        read_deny: read_paths(reader, table, "read_deny"),
        caches: read_caches(reader, table),
        limits: table.get("limits").map(|value| read_limits(reader, value)).unwrap_or_default(),
        projects: table.get("project").map(|value| read_projects(reader, value)).unwrap_or_default(),
    }
}

fn read_projects(reader: &mut Reader<'_>, value: &Value<'_>) -> Vec<ProjectWalls> {
    let values = reader.list("confine.project", value, "tables `[[confine.project]]`");
    values.into_iter().filter_map(|value| read_project(reader, value)).collect()
}

fn read_project(reader: &mut Reader<'_>, value: &Value<'_>) -> Option<ProjectWalls> {
    let table = reader.table("confine.project", value)?;
    reader.check_keys(table, "[[confine.project]]", PROJECT_KEYS);
    let project =
        table.get("project").and_then(|value| Some((reader.string("project", value)?.to_owned(), value.span())));
    let Some((project, span)) = project else {
        let message = "a table [[confine.project]] does not say which project it is about".to_owned();
        reader.error("missing_project", value.span(), message, Some("add `project = \"~/work/shop\"`".to_owned()));
        return None;
    };
    let is_whole = project.starts_with('/') || project.starts_with("~/");
    if let Some(fault) = fault(&project).or((!is_whole).then_some("names no folder from the root or from your home on"))
    {
        let help = Some("write `project = \"~/work/shop\"` or `\"/srv/shop\"`; it is no pattern".to_owned());
        reader.error("bad_path", span, format!("`project` {fault}"), help);
        return None;
    }
    Some(ProjectWalls {
        project,
        write: read_paths(reader, table, "write"),
        read: read_paths(reader, table, "read"),
        show: read_names(reader, table, "show"),
        caches: read_caches(reader, table),
    })
}

fn read_paths(reader: &mut Reader<'_>, table: &DeTable<'_>, key: &str) -> Vec<String> {
    read_places(reader, table, key, fault, ("bad_path", PATH_HELP))
}

fn read_names(reader: &mut Reader<'_>, table: &DeTable<'_>, key: &str) -> Vec<String> {
    let fault = |name: &str| fault(name).or(name.contains('/').then_some("names a path"));
    read_places(reader, table, key, fault, ("bad_name", NAME_HELP))
}

/// The texts of a list, or none where one has a `fault`; `told` is the code of the error and what helps.
fn read_places(
    reader: &mut Reader<'_>,
    table: &DeTable<'_>,
    key: &str,
    fault: impl Fn(&str) -> Option<&'static str>,
    told: (&'static str, &str),
) -> Vec<String> {
    let Some(value) = table.get(key) else { return Vec::new() };
    let places = reader.texts(key, value);
    let message = if places.len() > MAX_ENTRIES {
        Some(format!("`{key}` has more than {MAX_ENTRIES} entries"))
    } else {
        places.iter().find_map(|place| Some(format!("`{key}` {}", fault(place)?)))
    };
    if let Some(message) = message {
        reader.error(told.0, value.span(), message, Some(told.1.to_owned()));
        return Vec::new();
    }
    places
}

/// Why a text is no file or folder that walls can be made of.
fn fault(path: &str) -> Option<&'static str> {
    let other_home = path.starts_with('~') && path != "~" && !path.starts_with("~/");
    match path {
        _ if path.trim().is_empty() => Some("names an empty path"),
        _ if path.len() > MAX_PATH_LENGTH => Some("names a path that is too long"),
        _ if has_hidden(path) || path.contains('\0') => Some("names a path with characters that cannot be seen"),
        _ if path.contains(['*', '?', '[']) => Some("names a pattern"),
        _ if path.split('/').any(|name| name == "..") => Some("names a path with `..`"),
        _ if other_home => Some("names another user's home folder, which is not known here"),
        _ => None,
    }
}

fn read_caches(reader: &mut Reader<'_>, table: &DeTable<'_>) -> Vec<String> {
    let Some(value) = table.get("caches") else { return Vec::new() };
    let words: Vec<(&str, &str)> = CACHES.iter().map(|name| (*name, *name)).collect();
    let values = reader.list("caches", value, "a list of texts");
    let mut caches: Vec<String> = Vec::new();
    for value in values {
        let cache = reader.word("cache", value, &words);
        caches.extend(cache.map(str::to_owned).filter(|cache| !caches.contains(cache)));
    }
    caches
}

fn read_limits(reader: &mut Reader<'_>, value: &Value<'_>) -> WallLimits {
    let Some(table) = reader.table("limits", value) else { return WallLimits::default() };
    reader.check_keys(table, "`limits`", LIMIT_KEYS);
    let mut number = |key: &str| {
        let value = table.get(key)?;
        let number = match value.get_ref() {
            DeValue::Integer(number) if number.radix() == 10 => number.as_str().parse().ok().filter(|n| *n > 0),
            _ => None,
        };
        if number.is_none() {
            let help = Some(format!("write a whole number, as `{key} = 600`, or leave it out for no limit"));
            reader.error("bad_limit", value.span(), format!("`{key}` is no number above 0"), help);
        }
        number
    };
    let (processes, seconds) = (number("processes"), number("seconds"));
    WallLimits { processes, seconds, memory_bytes: read_memory(reader, table) }
}

fn read_memory(reader: &mut Reader<'_>, table: &DeTable<'_>) -> Option<u64> {
    let value = table.get("memory")?;
    let text = reader.string("memory", value)?;
    let size = UNITS.iter().find_map(|(unit, bytes)| {
        let number: u64 = text.strip_suffix(unit)?.trim_end().parse().ok()?;
        number.checked_mul(*bytes).filter(|bytes| *bytes > 0)
    });
    if size.is_none() {
        let help = Some("write a whole number with a unit, as \"4GiB\" or \"512MiB\"".to_owned());
        reader.error("bad_limit", value.span(), format!("`{text}` is no size"), help);
    }
    size
}
