//! Codex runs only hooks that the person trusts: for each, `config.toml` holds the hash of its
//! definition, and a hook that has changed since is skipped without a word.
//!
//! What the key and the hash of a hook are, only Codex itself knows: `codex app-server` tells them
//! (JSON-RPC 2.0 on stdio, one message to a line, method `hooks/list`; seen in 0.169.0).

use serde_json::{Value, json};
use toml_edit::{DocumentMut, Item, Table, TableLike, value};

use super::NAME;
use crate::connect::ConnectError;
use crate::connect::hook_file::runs;

/// `config.toml`, from the home folder.
pub const CONFIG: &str = ".codex/config.toml";
/// Arguments of Codex for the server that is asked.
pub const SERVER_ARGUMENTS: &[&str] = &["app-server"];
/// The id of the request whose answer [`read`] takes.
const LIST: u64 = 2;

/// One of our own hooks, as Codex sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustedHook {
    /// What Codex calls it: path, event and position.
    pub key: String,
    /// The hash of its definition as it is now.
    pub hash: String,
    /// Codex runs it.
    pub is_trusted: bool,
}

/// The lines to send, for the hooks that count in the folder `cwd`.
#[must_use]
pub fn requests(cwd: &str) -> String {
    let client = json!({ "name": "handraise", "title": "Handraise", "version": env!("CARGO_PKG_VERSION") });
    let lines = [
        json!({ "id": 1, "method": "initialize", "params": { "clientInfo": client } }),
        json!({ "method": "initialized" }),
        json!({ "id": LIST, "method": "hooks/list", "params": { "cwds": [cwd] } }),
    ];
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// Our own hooks, when `line` is the answer that tells them. `None`: it is something else.
#[must_use]
pub fn read(line: &str) -> Option<Vec<TrustedHook>> {
    let message: Value = serde_json::from_str(line).ok()?;
    if message.get("id").and_then(Value::as_u64) != Some(LIST) {
        return None;
    }
    let folders = message.get("result").and_then(|result| result.get("data")).and_then(Value::as_array);
    let hooks = folders.into_iter().flatten().filter_map(|folder| folder.get("hooks")?.as_array()).flatten();
    Some(hooks.filter_map(own).collect())
}

fn own(hook: &Value) -> Option<TrustedHook> {
    let text = |name: &str| hook.get(name)?.as_str();
    runs(text("command")?, NAME).then_some(())?;
    let is_enabled = hook.get("enabled").and_then(Value::as_bool).unwrap_or(true);
    Some(TrustedHook {
        key: text("key")?.to_owned(),
        hash: text("currentHash")?.to_owned(),
        is_trusted: is_enabled && text("trustStatus") == Some("trusted"),
    })
}

/// `config` (the text of `config.toml`) with trust in `hooks`.
///
/// # Errors
/// When the file is no TOML, or `hooks.state` is no table.
pub fn trust(config: &str, hooks: &[TrustedHook]) -> Result<String, ConnectError> {
    let mut document = parse(config)?;
    if hooks.is_empty() {
        return Ok(config.to_owned());
    }
    let table = |expected: &'static str| move || ConnectError::Shape { place: "hooks.state".to_owned(), expected };
    let hooks_table = implicit(document.as_table_mut(), "hooks").ok_or_else(table("a table"))?;
    let state = implicit(hooks_table, "state").ok_or_else(table("a table"))?;
    for hook in hooks {
        let entry = state.entry(&hook.key).or_insert_with(|| Item::Table(Table::new()));
        let entry = entry.as_table_like_mut().ok_or_else(table("a table of tables"))?;
        entry.insert("trusted_hash", value(hook.hash.as_str()));
    }
    Ok(document.to_string())
}

/// `config` without the trust in `keys` of [`TrustedHook`].
///
/// # Errors
/// When the file is no TOML.
pub fn distrust(config: &str, keys: &[&str]) -> Result<String, ConnectError> {
    let mut document = parse(config)?;
    let Some(hooks) = document.get_mut("hooks").and_then(Item::as_table_like_mut) else { return Ok(config.to_owned()) };
    let Some(state) = hooks.get_mut("state").and_then(Item::as_table_like_mut) else { return Ok(config.to_owned()) };
    let mut changed = false;
    for key in keys {
        let only_trust = state
            .get(key)
            .and_then(Item::as_table_like)
            .is_some_and(|entry| entry.contains_key("trusted_hash") && entry.len() == 1);
        changed |= if only_trust {
            state.remove(key).is_some()
        } else {
            let entry = state.get_mut(key).and_then(Item::as_table_like_mut);
            entry.is_some_and(|entry| entry.remove("trusted_hash").is_some())
        };
    }
    if !changed {
        return Ok(config.to_owned());
    }
    if state.is_empty() {
        hooks.remove("state");
    }
    if hooks.is_empty() {
        document.remove("hooks");
    }
    Ok(document.to_string())
}

/// The keys under which `config` trusts hooks of the file at `path`.
#[must_use]
pub fn keys_of(config: &str, path: &str) -> Vec<String> {
    let Ok(document) = parse(config) else { return Vec::new() };
    let state = document.get("hooks").and_then(|hooks| hooks.get("state")).and_then(Item::as_table_like);
    let keys = state.into_iter().flat_map(TableLike::iter).map(|(key, _)| key.to_owned());
    keys.filter(|key| key.strip_prefix(path).is_some_and(|rest| rest.starts_with(':'))).collect()
}

fn parse(config: &str) -> Result<DocumentMut, ConnectError> {
    config.parse().map_err(|error: toml_edit::TomlError| ConnectError::Toml(error.to_string()))
}

/// The table `name`, made without a header of its own when it is not there.
fn implicit<'a>(parent: &'a mut dyn TableLike, name: &str) -> Option<&'a mut dyn TableLike> {
    let made = || {
        let mut table = Table::new();
        table.set_implicit(true);
        Item::Table(table)
    };
    parent.entry(name).or_insert_with(made).as_table_like_mut()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hook(event: &str) -> TrustedHook {
        TrustedHook {
            key: format!("/home/ana/.codex/hooks.json:{event}:0:0"),
            hash: "sha256:1".into(),
            is_trusted: false,
        }
    }

    const CONFIG: &str = "# mine\nmodel = \"gpt\" # the big one\n\n[notice]\na = 1\n";

    #[test]
    fn trust_is_added_and_taken_back_to_the_byte() {
        for config in ["", CONFIG, "[hooks.state.\"/other:a:0:0\"]\ntrusted_hash = \"x\"\n"] {
            let hooks = [hook("pre_tool_use"), hook("session_end")];
            let trusted = trust(config, &hooks).unwrap();
            assert!(trusted.contains("[hooks.state.\"/home/ana/.codex/hooks.json:pre_tool_use:0:0\"]"), "{trusted}");
            assert!(trusted.contains("trusted_hash = \"sha256:1\""));
            assert_eq!(trust(&trusted, &hooks).unwrap(), trusted);
            let keys = keys_of(&trusted, "/home/ana/.codex/hooks.json");
            assert_eq!(keys.len(), 2);
            let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
            assert_eq!(distrust(&trusted, &keys).unwrap(), config, "{trusted}");
        }
    }

    #[test]
    fn a_new_hash_replaces_the_old_one() {
        let old = trust(CONFIG, &[hook("a")]).unwrap();
        let new = trust(&old, &[TrustedHook { hash: "sha256:2".into(), ..hook("a") }]).unwrap();
        assert!(new.contains("sha256:2") && !new.contains("sha256:1"), "{new}");
    }

    #[test]
    fn what_is_no_toml_is_left_alone() {
        assert!(matches!(trust("a = [", &[hook("a")]), Err(ConnectError::Toml(_))));
        assert!(matches!(trust("hooks = 1", &[hook("a")]), Err(ConnectError::Shape { .. })));
    }

    #[test]
    fn only_our_own_hooks_are_read() {
        let line = r#"{"id":2,"result":{"data":[{"cwd":"/","hooks":[
            {"key":"k","command":"/usr/bin/handraise hook codex --deadline 590","currentHash":"h","trustStatus":"untrusted","enabled":true},
            {"key":"o","command":"other","currentHash":"h","trustStatus":"trusted"}],"warnings":[],"errors":[]}]}}"#;
        let own = TrustedHook { key: "k".into(), hash: "h".into(), is_trusted: false };
        assert_eq!(read(line), Some(vec![own]));
        assert_eq!(read(r#"{"id":1,"result":{}}"#), None);
        assert_eq!(read("{\"method\":\"x\"}"), None);
    }
}
