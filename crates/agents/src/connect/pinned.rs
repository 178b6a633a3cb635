//! Settings for all users of the machine that no project can change: hooks stay on.

use serde_json::{Value, json};
use toml_edit::{DocumentMut, Item, Table, value};

use super::jsonc::{self, Step};
use super::{ConnectError, ConnectOptions, Connection, Handler, ManagedText};

/// One value in a file in JSON.
pub(crate) struct PinnedJson {
    /// The key, in the object `inside` where that is given.
    pub(crate) key: &'static str,
    /// The object at the top of the file that holds it.
    pub(crate) inside: Option<&'static str>,
    /// What it has to be.
    pub(crate) value: bool,
}

impl PinnedJson {
    fn found(&self, text: &str) -> Result<Option<Value>, ConnectError> {
        let root = jsonc::value(text)?;
        let object = match (self.inside, &root) {
            (None, root) => root.as_ref(),
            (Some(inside), root) => root.as_ref().and_then(|root| root.get(inside)),
        };
        Ok(object.and_then(|object| object.get(self.key)).cloned())
    }

    fn is_pinned(&self, text: &str) -> Result<bool, ConnectError> {
        Ok(self.found(text)? == Some(Value::Bool(self.value)))
    }
}

impl ManagedText for PinnedJson {
    fn connect(&self, text: &str, _options: &ConnectOptions) -> Result<String, ConnectError> {
        if let Some(found) = self.found(text)? {
            let expected = if self.value { "true" } else { "false" };
            let place = [self.inside, Some(self.key)].into_iter().flatten().collect::<Vec<_>>().join(".");
            return match found == Value::Bool(self.value) {
                true => Ok(text.to_owned()),
                false => Err(ConnectError::Shape { place, expected }),
            };
        }
        let has_inside = match self.inside {
            None => true,
            Some(inside) => jsonc::value(text)?.is_some_and(|root| root.get(inside).is_some()),
        };
        match self.inside {
            Some(inside) if has_inside => {
                jsonc::insert(text, &[Step::Key(inside)], Some(self.key), &Value::Bool(self.value))
            }
            Some(inside) => jsonc::insert(text, &[], Some(inside), &json!({ self.key: self.value })),
            None => jsonc::insert(text, &[], Some(self.key), &Value::Bool(self.value)),
        }
    }

    fn disconnect(&self, text: &str) -> Result<String, ConnectError> {
        if !self.is_pinned(text)? {
            return Ok(text.to_owned());
        }
        let path: Vec<Step<'_>> = self.inside.into_iter().chain([self.key]).map(Step::Key).collect();
        jsonc::remove(text, &path)
    }

    fn connection(&self, text: &str) -> Result<Option<Connection>, ConnectError> {
        Ok(self.is_pinned(text)?.then(pinned))
    }
}

/// `hooks = true` in the table `features` of Codex's `requirements.toml`.
pub(crate) struct PinnedFeature;

const TABLE: &str = "features";
const KEY: &str = "hooks";

impl PinnedFeature {
    fn parse(text: &str) -> Result<DocumentMut, ConnectError> {
        text.parse().map_err(|error: toml_edit::TomlError| ConnectError::Toml(error.to_string()))
    }

    fn found(document: &DocumentMut) -> Option<&Item> {
        document.get(TABLE)?.as_table_like()?.get(KEY)
    }
}

impl ManagedText for PinnedFeature {
    fn connect(&self, text: &str, _options: &ConnectOptions) -> Result<String, ConnectError> {
        let mut document = Self::parse(text)?;
        match Self::found(&document).map(Item::as_bool) {
            Some(Some(true)) => return Ok(text.to_owned()),
            Some(_) => return Err(ConnectError::Shape { place: format!("{TABLE}.{KEY}"), expected: "true" }),
            None => {}
        }
        let table = document.entry(TABLE).or_insert_with(|| Item::Table(Table::new()));
        let shape = || ConnectError::Shape { place: TABLE.to_owned(), expected: "a table" };
        table.as_table_like_mut().ok_or_else(shape)?.insert(KEY, value(true));
        Ok(document.to_string())
    }

    fn disconnect(&self, text: &str) -> Result<String, ConnectError> {
        let mut document = Self::parse(text)?;
        if Self::found(&document).and_then(Item::as_bool) != Some(true) {
            return Ok(text.to_owned());
        }
        let is_empty = document.get_mut(TABLE).and_then(Item::as_table_like_mut).is_some_and(|table| {
            table.remove(KEY);
            table.is_empty()
        });
        if is_empty {
            document.remove(TABLE);
        }
        Ok(document.to_string())
    }

    fn connection(&self, text: &str) -> Result<Option<Connection>, ConnectError> {
        let document = Self::parse(text)?;
        Ok((Self::found(&document).and_then(Item::as_bool) == Some(true)).then(pinned))
    }
}

/// That it is there is all there is to tell.
fn pinned() -> Connection {
    Connection {
        handler: Handler::Program(Vec::new()),
        every_call: true,
        timeout_seconds: None,
        on_failure_block: false,
        switched_off: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> ConnectOptions {
        ConnectOptions {
            command: String::new(),
            words: Vec::new(),
            timeout_seconds: 1,
            on_failure_block: false,
            only_what_agent_asks: false,
            http: None,
        }
    }

    #[test]
    fn a_value_is_pinned_and_taken_back_to_the_byte() {
        let plain = PinnedJson { key: "disableAllHooks", inside: None, value: false };
        let nested = PinnedJson { key: "enabled", inside: Some("hooksConfig"), value: true };
        let texts = ["", "{}\n", "{\n  \"a\": 1\n}\n", "// ours\n{ \"hooksConfig\": { \"b\": 2 } }"];
        for text in texts {
            for edit in [&plain as &dyn ManagedText, &nested] {
                let new = edit.connect(text, &options()).unwrap();
                assert_ne!(new, text);
                assert!(edit.connection(&new).unwrap().is_some(), "{new}");
                assert_eq!(edit.connect(&new, &options()).unwrap(), new);
                assert_eq!(edit.disconnect(&new).unwrap(), text, "{new}");
            }
        }
        for text in ["", "[allowed]\nx = 1\n", "[features]\nother = true\n"] {
            let new = PinnedFeature.connect(text, &options()).unwrap();
            assert!(PinnedFeature.connection(&new).unwrap().is_some(), "{new}");
            assert_eq!(PinnedFeature.disconnect(&new).unwrap(), text);
        }
    }

    #[test]
    fn what_says_the_opposite_is_left_to_whoever_wrote_it() {
        let plain = PinnedJson { key: "disableAllHooks", inside: None, value: false };
        assert!(plain.connect(r#"{"disableAllHooks":true}"#, &options()).is_err());
        assert_eq!(plain.disconnect(r#"{"disableAllHooks":true}"#).unwrap(), r#"{"disableAllHooks":true}"#);
        assert!(PinnedFeature.connect("[features]\nhooks = false\n", &options()).is_err());
    }
}
