//! The tasks that a rule holds.

use super::reader::{Reader, Value};
use crate::TaskPin;
use crate::project_task::MAX_PIN_TEXT;
use handraise_display::has_hidden;
use toml::de::DeTable;

const KEYS: &[&str] = &["call", "file", "sha256", "text"];
/// Most tasks of one rule.
const MAX_TASKS: usize = 64;
/// Longest call and file, in bytes.
const MAX_NAME: usize = 4096;

/// Reads `tasks = [{ call, file, sha256, text }]`. What is wrong with one of them is an error, and it is left out.
pub(super) fn read_tasks(reader: &mut Reader<'_>, value: &Value<'_>) -> Vec<TaskPin> {
    let values = reader.list("tasks", value, "a list as `[{ call = \"make test\", sha256 = \"…\" }]`");
    if value.get_ref().is_array() && !(1..=MAX_TASKS).contains(&values.len()) {
        let message = format!("`tasks` has {} entries", values.len());
        reader.error("bad_tasks", value.span(), message, Some(format!("name 1 to {MAX_TASKS} tasks")));
    }
    values.into_iter().filter_map(|value| read_task(reader, value)).collect()
}

fn read_task(reader: &mut Reader<'_>, value: &Value<'_>) -> Option<TaskPin> {
    let table = reader.table("tasks", value)?;
    reader.check_keys(table, "a task", KEYS);
    let call = needed(reader, table, value, "call")?;
    let digest = needed(reader, table, value, "sha256")?;
    let mut text = |key: &str| match table.get(key) {
        Some(value) => reader.string(key, value).map(str::to_owned),
        None => Some(String::new()),
    };
    let (file, text) = (text("file")?, text("text")?);
    let is_digest = digest.len() == 64 && digest.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let problem = match () {
        () if call.trim().is_empty() => "the task has no name",
        () if has_hidden(&call) => "`call` contains characters that cannot be seen",
        () if call.len() > MAX_NAME || file.len() > MAX_NAME => "`call` or `file` is too long",
        () if !is_digest => "`sha256` is no SHA-256 in lower-case hexadecimal",
        () if text.chars().count() > MAX_PIN_TEXT => "`text` is too long",
        () => return Some(TaskPin { call, file, digest, text }),
    };
    let help = "approve the task once more \"in this project\", and Handraise writes it".to_owned();
    reader.error("bad_task", value.span(), problem.to_owned(), Some(help));
    None
}

fn needed(reader: &mut Reader<'_>, table: &DeTable<'_>, value: &Value<'_>, key: &str) -> Option<String> {
    let Some(found) = table.get(key) else {
        let help = "write `{ call = \"make test\", sha256 = \"…\" }`".to_owned();
        reader.error("missing_key", value.span(), format!("the task has no `{key}`"), Some(help));
        return None;
    };
    reader.string(key, found).map(str::to_owned)
}
