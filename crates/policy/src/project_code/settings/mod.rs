//! Files of settings, read into names and values, so that no spelling of a name hides it.
//!
//! Formats with a parser are parsed. In the others a line whose name is not plain is refused: what cannot be
//! told is asked about.

mod json;
mod lines;
mod yaml;

pub(super) use json::json;
pub(super) use lines::{dot_env, ini, npmrc, properties, yarnrc};
pub(super) use yaml::yaml;

/// A file could not be read as the program that it is for reads it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("project_file_not_understood: {why}")]
pub struct NotUnderstood {
    /// Why, with the line if there is one.
    pub why: String,
}

impl NotUnderstood {
    pub(super) fn at(line: usize, why: &str) -> Self {
        Self { why: format!("line {line} {why}") }
    }

    pub(super) fn because(why: impl std::fmt::Display) -> Self {
        Self { why: why.to_string() }
    }
}

/// One value of a file, or one empty list or table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Setting {
    /// The names on the way to it; what is in a list has no name of its own.
    pub(super) keys: Vec<String>,
    /// `None`: what it is stands elsewhere in the file, as an alias of YAML.
    pub(super) value: Option<String>,
}

impl Setting {
    /// The name at `level`, from 0; nothing when there is none.
    pub(super) fn key(&self, level: usize) -> &str {
        self.keys.get(level).map_or("", String::as_str)
    }

    /// The names with dots between them.
    pub(super) fn name(&self) -> String {
        self.keys.join(".")
    }

    pub(super) fn value(&self) -> &str {
        self.value.as_deref().unwrap_or_default()
    }

    /// Whether `name` is one of its names.
    pub(super) fn is_below(&self, name: &str) -> bool {
        self.keys.iter().any(|key| key == name)
    }
}

/// TOML 1.1.
pub(super) fn toml(text: &str) -> Result<Vec<Setting>, NotUnderstood> {
    let table = toml::from_str::<toml::Table>(text).map_err(|error| NotUnderstood::because(error.message()))?;
    let mut settings = Vec::new();
    flatten_toml(&toml::Value::Table(table), &mut Vec::new(), &mut settings);
    Ok(settings)
}

fn flatten_toml(value: &toml::Value, keys: &mut Vec<String>, settings: &mut Vec<Setting>) {
    let scalar = match value {
        toml::Value::Table(table) if !table.is_empty() => {
            for (name, value) in table {
                keys.push(name.clone());
                flatten_toml(value, keys, settings);
                keys.pop();
            }
            return;
        }
        toml::Value::Array(list) if !list.is_empty() => {
            list.iter().for_each(|value| flatten_toml(value, keys, settings));
            return;
        }
        toml::Value::Table(_) | toml::Value::Array(_) => String::new(),
        toml::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    settings.push(Setting { keys: keys.clone(), value: Some(scalar) });
}
