//! Runners whose file, or the table of tasks in it, is taken as a whole: a task of it may run any other.
//!
//! Sources: just(1), "Settings", "Imports", "Modules"; Task documentation, "Taskfile Schema"; Deno documentation,
//! "deno task"; Composer documentation, "Scripts"; Poe the Poet documentation, "Including files"; PDM documentation, "PDM
//! Scripts".

use serde_json::Value;

use super::files::{Pause, join, upwards};
use super::json::json;
use super::package;
use super::task_search::TaskSearch;
use crate::facts::{TaskCall, TaskRunner};
use crate::project_code::yaml_names;

const TASKFILES: &str = "Taskfile.yml taskfile.yml Taskfile.yaml taskfile.yaml Taskfile.dist.yml taskfile.dist.yml \
    Taskfile.dist.yaml taskfile.dist.yaml";

pub(super) fn follow(found: &mut TaskSearch<'_>, call: &TaskCall, folder: &str) -> Result<(), Pause> {
    for above in upwards(folder, None) {
        let is_found = match call.runner {
            TaskRunner::Just => just(found, above)?,
            TaskRunner::Task => taskfile(found, above)?,
            TaskRunner::Deno => deno(found, call, above)?,
            TaskRunner::Composer => return composer(found, call, above),
            _ => python(found, call, above)?,
        };
        if is_found {
            return Ok(());
        }
    }
    Ok(())
}

fn not_understood(file: &str, why: impl std::fmt::Display) -> Pause {
    Pause::Unknown(format!("`{file}` is not understood: {why}"))
}

fn just(found: &mut TaskSearch<'_>, folder: &str) -> Result<bool, Pause> {
    let is_justfile = |name: &&String| ["justfile", ".justfile"].iter().any(|own| name.eq_ignore_ascii_case(own));
    let Some(name) = found.files.names(folder)?.iter().find(is_justfile) else { return Ok(false) };
    let file = join(folder, name);
    let Some(text) = found.files.text(&file)?.map(str::to_owned) else { return Ok(false) };
    let leads_on = |line: &str| {
        let mut words = line.split_ascii_whitespace();
        let first = words.next().unwrap_or_default().trim_end_matches('?');
        ["import", "mod", "!include"].contains(&first)
            || (first == "set" && words.next().is_some_and(|word| word.starts_with("fallback")))
    };
    if text.lines().any(leads_on) {
        return Pause::unknown(format!("`{file}` includes other files"));
    }
    found.add("all of the justfile", &file, &text)?;
    Ok(true)
}

fn taskfile(found: &mut TaskSearch<'_>, folder: &str) -> Result<bool, Pause> {
    for name in TASKFILES.split_ascii_whitespace() {
        let file = join(folder, name);
        let Some(text) = found.files.text(&file)?.map(str::to_owned) else { continue };
        let names = yaml_names(&text).map_err(|error| not_understood(&file, error.why))?;
        if names.iter().any(|name| ["includes", "<<"].contains(&name.as_str())) {
            return Pause::unknown(format!("`{file}` includes other files"));
        }
        found.add(&format!("all of {name}"), &file, &text)?;
        return Ok(true);
    }
    Ok(false)
}

fn deno(found: &mut TaskSearch<'_>, call: &TaskCall, folder: &str) -> Result<bool, Pause> {
    for name in ["deno.json", "deno.jsonc"] {
        let file = join(folder, name);
        let Some(text) = found.files.text(&file)?.map(str::to_owned) else { continue };
        let value = json(&text).map_err(|why| not_understood(&file, why))?;
        let tasks = value.get("tasks").cloned().unwrap_or_default();
        if call.names.iter().all(|name| tasks.get(name).is_none()) {
            break;
        }
        found.add("tasks", &file, &pretty(&tasks))?;
        return Ok(true);
    }
    // Scripts of `package.json` are tasks as well.
    let package = join(folder, "package.json");
    if found.files.is_there(&package)? {
        package::follow(found, &TaskCall { runner: TaskRunner::Npm, ..call.clone() }, folder)?;
        return Ok(true);
    }
    Ok(false)
}

fn composer(found: &mut TaskSearch<'_>, call: &TaskCall, folder: &str) -> Result<(), Pause> {
    let file = join(folder, "composer.json");
    let Some(text) = found.files.text(&file)?.map(str::to_owned) else { return Ok(()) };
    let value = json(&text).map_err(|why| not_understood(&file, why))?;
    let scripts = value.get("scripts").cloned().unwrap_or_default();
    if call.names.iter().all(|name| scripts.get(name).is_none()) {
        return Ok(());
    }
    found.add("scripts", &file, &pretty(&scripts))
}

fn python(found: &mut TaskSearch<'_>, call: &TaskCall, folder: &str) -> Result<bool, Pause> {
    if call.runner == TaskRunner::Poe {
        for other in ["poe_tasks.toml", "poe_tasks.yaml", "poe_tasks.json"] {
            if found.files.is_there(&join(folder, other))? {
                return Pause::unknown(format!("`{other}` may hold tasks as well"));
            }
        }
    }
    let file = join(folder, "pyproject.toml");
    let Some(text) = found.files.text(&file)?.map(str::to_owned) else { return Ok(false) };
    let table: toml::Table = toml::from_str(&text).map_err(|error| not_understood(&file, error.message()))?;
    let tool = |name: &str| table.get("tool").and_then(|tools| tools.get(name));
    let (name, tasks) = match call.runner {
        TaskRunner::Poe => ("[tool.poe]", tool("poe")),
        _ => ("[tool.pdm.scripts]", tool("pdm").and_then(|pdm| pdm.get("scripts"))),
    };
    let Some(tasks) = tasks.and_then(toml::Value::as_table) else { return Ok(true) };
    if ["include", "include_script"].iter().any(|key| tasks.contains_key(*key)) {
        return Pause::unknown(format!("`{file}` includes other files"));
    }
    let text = toml::to_string(tasks).map_err(|error| not_understood(&file, error))?;
    found.add(name, &file, text.trim_end())?;
    Ok(true)
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_else(|_| value.to_string())
}
