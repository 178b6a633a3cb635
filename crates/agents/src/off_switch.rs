//! Files of a project with which an agent's hooks are switched off, and where agents note which projects
//! they have worked in.
//!
//! Such a file comes with a clone. The agent then asks nobody there, whatever the person's own settings say,
//! unless the settings of the whole machine forbid it.

use serde_json::{Map, Value};
use toml_edit::{DocumentMut, Item, TableLike};

use crate::connect::jsonc;

/// A setting in a file of a project that switches hooks off.
#[derive(Clone, Copy, Debug)]
pub struct OffSwitch {
    /// The file, from the project's folder. `FOLDER/*.json` stands for every such file.
    pub file: &'static str,
    /// The setting, as a person finds it there.
    pub setting: &'static str,
    is_off: fn(&str, &str) -> bool,
}

impl OffSwitch {
    /// `"disableAllHooks": true`, at the top of a file in JSON.
    pub(crate) const fn disable_all_hooks(file: &'static str) -> Self {
        Self { file, setting: "disableAllHooks", is_off: |text, key| json(text, key, |root| counts(root.get(key))) }
    }

    /// A setting of Gemini CLI's `hooksConfig`.
    pub(crate) const fn hooks_config(setting: &'static str) -> Self {
        let is_off = |text: &str, key: &str| {
            json(text, "hooksConfig", |root| {
                let name = key.rsplit('.').next().unwrap_or_default();
                match root.get("hooksConfig").and_then(|config| config.get(name)) {
                    Some(Value::Bool(value)) => !value,
                    Some(Value::Array(names)) => !names.is_empty(),
                    Some(Value::String(text)) => text == "false",
                    _ => false,
                }
            })
        };
        Self { file: ".gemini/settings.json", setting, is_off }
    }

    /// `hooks = false` in the table `features` of Codex's `config.toml`, also of a profile.
    pub(crate) const fn codex_feature() -> Self {
        Self { file: ".codex/config.toml", setting: "features.hooks", is_off: |text, _| codex(text) }
    }

    /// Whether `text`, that of the file, switches hooks off. A file that cannot be read but names the
    /// setting counts: nobody here knows what the agent makes of it.
    #[must_use]
    pub fn is_off_in(&self, text: &str) -> bool {
        (self.is_off)(text, self.setting)
    }
}

/// Whether a switch is on. Some agents take anything but these for "yes".
fn counts(value: Option<&Value>) -> bool {
    !matches!(value, None | Some(Value::Null | Value::Bool(false))) && value.and_then(Value::as_str) != Some("false")
}

fn json(text: &str, key: &str, is_off: impl Fn(&Map<String, Value>) -> bool) -> bool {
    match jsonc::value(text) {
        Ok(Some(Value::Object(root))) => is_off(&root),
        Ok(_) => false,
        Err(_) => text.contains(key),
    }
}

fn codex(text: &str) -> bool {
    let Ok(document) = text.parse::<DocumentMut>() else { return text.contains("hooks") };
    let is_off = |table: &dyn TableLike| {
        let features = table.get("features").and_then(Item::as_table_like);
        // `codex_hooks` is its older name.
        ["hooks", "codex_hooks"].iter().any(|name| {
            features.and_then(|features| features.get(name)).is_some_and(|value| value.as_bool() != Some(true))
        })
    };
    let profiles = document.get("profiles").and_then(Item::as_table_like);
    let mut profiles = profiles.into_iter().flat_map(|profiles| profiles.iter().map(|(_, profile)| profile));
    is_off(document.as_table()) || profiles.any(|profile| profile.as_table_like().is_some_and(is_off))
}

/// A file in which an agent notes the folders that it has worked in.
#[derive(Clone, Copy, Debug)]
pub struct ProjectList {
    /// The file, from the home folder.
    pub file: &'static str,
    read: fn(&str) -> Vec<String>,
}

impl ProjectList {
    /// The keys of the object `projects` of a file in JSON.
    pub(crate) const fn keys_of_projects(file: &'static str) -> Self {
        Self { file, read: |text| keys(json_object(text).get("projects")) }
    }

    /// The keys of the whole object of a file in JSON.
    pub(crate) const fn keys(file: &'static str) -> Self {
        Self { file, read: |text| json_object(text).into_iter().map(|(key, _)| key).collect() }
    }

    /// The texts of a list in a file in JSON.
    pub(crate) const fn trusted_folders(file: &'static str) -> Self {
        let read = |text: &str| {
            let root = json_object(text);
            let lists = ["trusted_folders", "trustedFolders"].into_iter().filter_map(|name| root.get(name)?.as_array());
            lists.flatten().filter_map(|folder| folder.as_str().map(str::to_owned)).collect()
        };
        Self { file, read }
    }

    /// The keys of the table `projects` of Codex's `config.toml`.
    pub(crate) const fn codex() -> Self {
        let read = |text: &str| {
            let document = text.parse::<DocumentMut>().unwrap_or_default();
            let projects = document.get("projects").and_then(Item::as_table_like);
            projects.into_iter().flat_map(TableLike::iter).map(|(folder, _)| folder.to_owned()).collect()
        };
        Self { file: ".codex/config.toml", read }
    }

    /// The absolute folders that `text`, that of the file, names.
    #[must_use]
    pub fn folders(&self, text: &str) -> Vec<String> {
        (self.read)(text).into_iter().filter(|folder| std::path::Path::new(folder).is_absolute()).collect()
    }
}

fn json_object(text: &str) -> Map<String, Value> {
    match serde_json::from_str(text) {
        Ok(Value::Object(root)) => root,
        _ => Map::new(),
    }
}

fn keys(value: Option<&Value>) -> Vec<String> {
    value.and_then(Value::as_object).map(|object| object.keys().cloned().collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_counts_in_every_way_to_write_it() {
        let switch = OffSwitch::disable_all_hooks("x");
        for text in [
            r#"{"disableAllHooks":true}"#,
            r#"{"disableAllHooks": "true"}"#,
            r#"{"disableAllHooks": 1}"#,
            "{ // why\n \"disableAllHooks\": true, }",
            r#"{"disableAllHooks":false,"disableAllHooks":true}"#,
            r#"{"disableAllHooks":true"#,
        ] {
            assert!(switch.is_off_in(text), "{text}");
        }
        for text in ["", "{}", "[]", "nonsense", r#"{"disableAllHooks":false}"#, r#"{"env":{"disableAllHooks":true}}"#]
        {
            assert!(!switch.is_off_in(text), "{text}");
        }
    }

    #[test]
    fn the_features_of_codex_and_of_its_profiles_count() {
        let switch = OffSwitch::codex_feature();
        for text in [
            "[features]\nhooks = false",
            "features.hooks = false",
            "features = { hooks = false }",
            "[features]\ncodex_hooks = false",
            "[profiles.x.features]\nhooks = false",
            "[features]\nhooks = \"off\"",
            "hooks = [",
        ] {
            assert!(switch.is_off_in(text), "{text}");
        }
        for text in ["", "[features]\nhooks = true", "[features]\nother = false", "hooks = false", "x = ["] {
            assert!(!switch.is_off_in(text), "{text}");
        }
    }

    #[test]
    fn gemini_has_two_switches() {
        let (enabled, disabled) =
            (OffSwitch::hooks_config("hooksConfig.enabled"), OffSwitch::hooks_config("hooksConfig.disabled"));
        assert!(enabled.is_off_in(r#"{"hooksConfig":{"enabled":false}}"#));
        assert!(!enabled.is_off_in(r#"{"hooksConfig":{"enabled":true,"disabled":["a"]}}"#));
        assert!(disabled.is_off_in(r#"{"hooksConfig":{"disabled":["handraise"]}}"#));
        assert!(!disabled.is_off_in(r#"{"hooksConfig":{"disabled":[],"enabled":false}}"#));
    }

    #[test]
    fn projects_are_read_from_what_the_agents_note() {
        let claude = ProjectList::keys_of_projects("x");
        assert_eq!(claude.folders(r#"{"projects":{"/a":{},"b":{}}}"#), ["/a"]);
        assert_eq!(ProjectList::codex().folders("[projects.\"/a b\"]\ntrust_level = \"trusted\""), ["/a b"]);
        assert_eq!(ProjectList::keys("x").folders(r#"{"/a":"TRUST_FOLDER"}"#), ["/a"]);
        assert_eq!(ProjectList::trusted_folders("x").folders(r#"{"trusted_folders":["/a"]}"#), ["/a"]);
        assert_eq!(claude.folders("nonsense"), [""; 0]);
    }
}
