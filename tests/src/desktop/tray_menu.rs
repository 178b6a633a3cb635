//! The menu of a tray icon as its program describes it (`com.canonical.dbusmenu`, `GetLayout`).

use std::collections::HashMap;

use anyhow::{Context, Error, Result, bail};
use zbus::zvariant::{OwnedValue, Value};

/// A menu entry on the wire, `(ia{sv}av)`: number, properties, children (each a variant of the same shape).
pub(super) type Layout = (i32, HashMap<String, OwnedValue>, Vec<OwnedValue>);

/// One entry of a tray menu.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MenuItem {
    /// The number it has in the menu.
    pub id: i32,
    /// Its text, mnemonic underscores taken out; empty for a separator.
    pub label: String,
    /// Whether it can be chosen.
    pub enabled: bool,
    /// Whether it is shown.
    pub visible: bool,
    /// Whether it is a separator line.
    pub separator: bool,
    /// `Some(true)` for a checked entry, `Some(false)` for one that could be, `None` for a plain one.
    pub checked: Option<bool>,
    /// Its submenu.
    pub children: Vec<MenuItem>,
}

impl MenuItem {
    /// The entry itself and everything below it, in the order of the menu.
    pub fn all(&self) -> Box<dyn Iterator<Item = &MenuItem> + '_> {
        Box::new(std::iter::once(self).chain(self.children.iter().flat_map(MenuItem::all)))
    }

    /// The labels of the entries directly below that are shown, separators as `-`.
    #[must_use]
    pub fn labels(&self) -> Vec<&str> {
        let shown = self.children.iter().filter(|item| item.visible);
        shown.map(|item| if item.separator { "-" } else { &item.label }).collect()
    }

    /// Reads one entry; a property that is not sent has the default of the interface's description.
    fn read(id: i32, properties: &HashMap<String, Value<'_>>, children: Vec<MenuItem>) -> Self {
        let text = |name: &str| properties.get(name).and_then(|value| value.downcast_ref::<&str>().ok());
        let flag =
            |name: &str| properties.get(name).and_then(|value| value.downcast_ref::<bool>().ok()).unwrap_or(true);
        let state = properties.get("toggle-state").and_then(|value| value.downcast_ref::<i32>().ok());
        Self {
            id,
            label: without_mnemonic(text("label").unwrap_or_default()),
            enabled: flag("enabled"),
            visible: flag("visible"),
            separator: text("type") == Some("separator"),
            checked: text("toggle-type").filter(|kind| !kind.is_empty()).map(|_| state == Some(1)),
            children,
        }
    }
}

impl TryFrom<Layout> for MenuItem {
    type Error = Error;

    fn try_from((id, properties, children): Layout) -> Result<Self> {
        let properties = properties.into_iter().map(|(name, value)| (name, value.into())).collect();
        let children = children.iter().map(|child| read_child(child)).collect::<Result<_>>()?;
        Ok(Self::read(id, &properties, children))
    }
}

/// Reads an entry below the root, which comes as a variant.
fn read_child(value: &Value<'_>) -> Result<MenuItem> {
    let entry = match value {
        Value::Value(inner) => return read_child(inner),
        Value::Structure(entry) => entry,
        other => bail!("not a menu entry: {other:?}"),
    };
    let [Value::I32(id), Value::Dict(properties), Value::Array(children)] = entry.fields() else {
        bail!("not a menu entry: {entry:?}");
    };
    let mut named = HashMap::new();
    for (name, value) in properties.iter() {
        let name: &str = name.downcast_ref().context("a property's name is not a text")?;
        let value = match value {
            Value::Value(inner) => inner.try_clone()?,
            plain => plain.try_clone()?,
        };
        named.insert(name.to_owned(), value);
    }
    let children = children.iter().map(read_child).collect::<Result<_>>()?;
    Ok(MenuItem::read(*id, &named, children))
}

/// In a menu label `_` marks the key of the next letter and `__` is one underscore.
fn without_mnemonic(label: &str) -> String {
    let mut text = String::with_capacity(label.len());
    let mut characters = label.chars();
    while let Some(character) = characters.next() {
        if character == '_' {
            text.extend(characters.next());
        } else {
            text.push(character);
        }
    }
    text
}
