//! Tasks of mise.
//!
//! Source: mise, "Configuration", "TOML Tasks", "File Tasks", "Task Configuration", "Templates". Where a name stands in
//! several files, all of them are taken: what is compared may be more than what runs.

use std::collections::BTreeSet;

use toml::{Table, Value};

use super::files::{Pause, join, upwards};
use super::task_search::TaskSearch;
use crate::facts::{TaskCall, TaskRunner};
use crate::project_code::{runs_mise_template, settings_that_run};

const CONFIGS: &str = "mise.local.toml .mise.local.toml mise.toml .mise.toml mise/config.local.toml mise/config.toml \
    .mise/config.local.toml .mise/config.toml .config/mise.local.toml .config/mise.toml .config/mise/config.local.toml \
    .config/mise/config.toml .config/mise/mise.local.toml .config/mise/mise.toml .rtx.toml";
const TASK_FOLDERS: &str = "mise-tasks .mise-tasks mise/tasks .mise/tasks .config/mise/tasks";
/// How deep folders of tasks may lie in each other.
const MAX_DEPTH: usize = 6;
/// Tables that hold for every task.
const FRAME: &[&str] = &["env", "vars", "settings", "task_config", "task_templates", "shell_alias"];
/// What of a task says nothing about what it runs.
const TOLD: &[&str] = &["description", "alias", "aliases", "hide", "quiet", "silent"];

pub(super) fn follow(found: &mut TaskSearch<'_>, call: &TaskCall, folder: &str) -> Result<(), Pause> {
    let name = call.names.first().map_or("", String::as_str);
    let configs = configs(found, folder)?;
    let mut is_there = false;
    for config in &configs {
        for task in config.tasks(name) {
            follow_task(found, config, name, task, folder)?;
            is_there = true;
        }
    }
    let parts: Vec<&str> = name.split(':').collect();
    for above in upwards(folder, found.home) {
        for tasks in TASK_FOLDERS.split_ascii_whitespace() {
            let tasks = join(above, tasks);
            is_there |= follow_files(found, &tasks, &parts, name)?;
            check_aliases(found, &tasks, name, MAX_DEPTH)?;
        }
    }
    if !is_there {
        return Ok(());
    }
    for config in &configs {
        config.add_frame(found)?;
    }
    Ok(())
}

/// One file of settings.
struct Config {
    file: String,
    /// The folder that its tasks run in.
    root: String,
    table: Table,
    /// Other tables that say what programs are found or what runs besides.
    further: BTreeSet<String>,
}

/// Those that mise reads in `folder`, the nearest first.
fn configs(found: &TaskSearch<'_>, folder: &str) -> Result<Vec<Config>, Pause> {
    let mut configs = Vec::new();
    let looked_at = || CONFIGS.split_ascii_whitespace().chain(TASK_FOLDERS.split_ascii_whitespace());
    let all = upwards(folder, found.home).flat_map(|above| looked_at().map(move |name| join(above, name)));
    found.files.need(all)?;
    for above in upwards(folder, found.home) {
        // It names the environments, and so further files.
        if found.files.is_there(&join(above, ".miserc.toml"))? {
            return Pause::unknown(format!("`{above}/.miserc.toml` may name further files"));
        }
        let parts = join(above, ".config/mise/conf.d");
        let parts = found.files.names(&parts)?.iter().map(|name| format!(".config/mise/conf.d/{name}"));
        let names = CONFIGS.split_ascii_whitespace().map(str::to_owned);
        for name in names.chain(parts.filter(|name| name.ends_with(".toml"))) {
            let file = join(above, &name);
            let Some(text) = found.files.text(&file)? else { continue };
            let not_understood = |why: &str| Pause::Unknown(format!("`{file}` is not understood: {why}"));
            let table: Table = toml::from_str(text).map_err(|error| not_understood(error.message()))?;
            if table.get("task_config").is_some_and(|config| config.get("includes").is_some()) {
                return Pause::unknown(format!("`{file}` includes other files"));
            }
            let settings =
                settings_that_run("versions", "mise.toml", text).map_err(|error| not_understood(&error.why))?;
            let tops = settings.iter().map(|name| name.split('.').next().unwrap_or(name).to_owned());
            let further = tops.filter(|top| !FRAME.contains(&top.as_str())).collect();
            configs.push(Config { file, root: above.to_owned(), table, further });
        }
    }
    Ok(configs)
}

impl Config {
    /// The tasks that are called `name`.
    fn tasks(&self, name: &str) -> Vec<&Value> {
        let Some(Value::Table(tasks)) = self.table.get("tasks") else { return Vec::new() };
        let is_alias = |alias: &Value| alias.as_str() == Some(name);
        let is_called = |key: &str, task: &Value| {
            let aliases = ["alias", "aliases"].iter().filter_map(|key| task.get(key));
            let mut aliases =
                aliases.flat_map(|alias| alias.as_array().map_or(std::slice::from_ref(alias), Vec::as_slice));
            key == name || aliases.any(is_alias)
        };
        tasks.iter().filter(|(key, task)| is_called(key, task)).map(|(_, task)| task).collect()
    }

    /// Adds what holds for every task.
    fn add_frame(&self, found: &mut TaskSearch<'_>) -> Result<(), Pause> {
        for name in FRAME.iter().copied().chain(self.further.iter().map(String::as_str)) {
            let Some(value) = self.table.get(name) else { continue };
            let text = written(&self.file, value)?;
            if !text.is_empty() {
                found.add(&format!("[{name}]"), &self.file, &text)?;
            }
        }
        Ok(())
    }

    fn unknown<T>(&self, why: &str) -> Result<T, Pause> {
        Pause::unknown(format!("`{}` {why}", self.file))
    }
}

fn follow_task(
    found: &mut TaskSearch<'_>,
    config: &Config,
    name: &str,
    task: &Value,
    folder: &str,
) -> Result<(), Pause> {
    let plain;
    let table = match task {
        Value::Table(table) => table,
        run => {
            plain = Table::from_iter([("run".to_owned(), run.clone())]);
            &plain
        }
    };
    let kept = table.iter().filter(|(key, _)| !TOLD.contains(&key.as_str()));
    let kept: Table = kept.map(|(key, value)| (key.clone(), value.clone())).collect();
    let mut texts = Vec::new();
    let mut others = Vec::new();
    for key in ["run", "run_windows", "depends", "depends_post", "wait_for"] {
        let Some(value) = kept.get(key) else { continue };
        let is_run = key.starts_with("run");
        for entry in value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice) {
            match entry {
                Value::String(text) if is_run => texts.push(text.as_str()),
                Value::String(text) => others.push(text.as_str()),
                Value::Table(table) => {
                    others.extend(named_in(table).map_or_else(|| config.unknown("names a task in an unknown way"), Ok)?)
                }
                _ => return config.unknown("names a task in an unknown way"),
            }
        }
    }
    let only_runs = kept.len() == 1 && kept.contains_key("run") && others.is_empty();
    let text = if only_runs { texts.join("\n") } else { written(&config.file, &Value::Table(kept.clone()))? };
    if runs_mise_template(&text) {
        return config.unknown("puts its commands together while it runs");
    }
    found.add(name, &config.file, &text)?;
    if let Some(file) = kept.get("file") {
        let file = file.as_str().filter(|file| !file.contains("://") && !file.contains("{{") && !file.starts_with('~'));
        let Some(file) = file else { return config.unknown("names a file that lies elsewhere") };
        let file = if file.starts_with('/') { file.to_owned() } else { join(&config.root, file) };
        let held = found.files.text(&file)?.map(str::to_owned);
        found.add(name, &file, &held.unwrap_or_default())?;
    }
    for other in others {
        let other = other.split_ascii_whitespace().next().unwrap_or_default();
        if other.is_empty() || other.contains(|c: char| !(c.is_ascii_alphanumeric() || "_-:.".contains(c))) {
            return config.unknown(&format!("names tasks by the pattern `{other}`"));
        }
        let call =
            TaskCall { runner: TaskRunner::Mise, words: format!("mise run {other}"), names: vec![other.to_owned()] };
        found.follow(&call, folder)?;
    }
    match kept.get("dir").map(Value::as_str) {
        None => texts.iter().try_for_each(|text| found.follow_text(text, &config.root)),
        Some(_) => Ok(()),
    }
}

/// The tasks that an entry names: `{ task = "x" }`, `{ tasks = ["x", "y"] }`.
fn named_in(table: &Table) -> Option<Vec<&str>> {
    match (table.get("task"), table.get("tasks")) {
        (Some(Value::String(task)), None) => Some(vec![task]),
        (None, Some(Value::Array(tasks))) => tasks.iter().map(Value::as_str).collect(),
        _ => None,
    }
}

/// Adds the files below `folder` that are the task of these `parts`. Whether there are any.
fn follow_files(found: &mut TaskSearch<'_>, folder: &str, parts: &[&str], name: &str) -> Result<bool, Pause> {
    let Some((first, rest)) = parts.split_first() else { return Ok(false) };
    let names = found.files.names(folder)?.to_vec();
    let mut is_there = false;
    for entry in names {
        let stem = entry.split_once('.').map_or(entry.as_str(), |(stem, _)| stem);
        let is_whole = entry == parts.join(":");
        if entry != *first && stem != *first && !is_whole {
            continue;
        }
        let path = join(folder, &entry);
        if !rest.is_empty() && !is_whole {
            is_there |= follow_files(found, &path, rest, name)?;
        } else if let Some(text) = found.files.text(&path)?.map(str::to_owned) {
            is_there = true;
            if ["depends", "extends", "wait_for"].iter().any(|key| has_line_about(&text, key)) {
                return Pause::unknown(format!("`{path}` names other tasks"));
            }
            found.add(name, &path, &text)?;
        } else {
            is_there |= follow_files(found, &path, &["_default"], name)?;
        }
    }
    Ok(is_there)
}

/// No file below `folder` may call itself `name`.
fn check_aliases(found: &TaskSearch<'_>, folder: &str, name: &str, depth: usize) -> Result<(), Pause> {
    let names = found.files.names(folder)?;
    found.files.need(names.iter().map(|name| join(folder, name)))?;
    for entry in names {
        let path = join(folder, entry);
        match found.files.text(&path)? {
            Some(text) if text.contains(name) && has_line_about(text, "alias") => {
                return Pause::unknown(format!("`{path}` may be called `{name}` as well"));
            }
            Some(_) => {}
            None if depth == 0 => return Pause::unknown(format!("there is too much in `{folder}`")),
            None => check_aliases(found, &path, name, depth - 1)?,
        }
    }
    Ok(())
}

/// `#MISE depends=["x"]`, `# [MISE] depends=…`, `//MISE …`.
fn has_line_about(text: &str, key: &str) -> bool {
    text.lines().any(|line| line.contains("MISE") && line.contains(key))
}

fn written(file: &str, value: &Value) -> Result<String, Pause> {
    let text = match value {
        Value::Table(table) => toml::to_string(table).ok(),
        other => Some(other.to_string()),
    };
    text.map(|text| text.trim_end().to_owned()).ok_or_else(|| Pause::Unknown(format!("`{file}` is not understood")))
}
