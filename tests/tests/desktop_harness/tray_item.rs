//! A tray icon with a menu, the least that a panel accepts; it stands for an app.

use std::collections::HashMap;

use anyhow::Result;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use zbus::zvariant::{ObjectPath, Value};
use zbus::{Connection, interface};

const ITEM_PATH: &str = "/item";
const MENU_PATH: &str = "/item/menu";

type Properties = HashMap<&'static str, Value<'static>>;

/// A menu entry on the wire: number, properties, children.
type Entry = (i32, Properties, Vec<Value<'static>>);

struct Item;

#[interface(name = "org.kde.StatusNotifierItem")]
impl Item {
    #[zbus(property)]
    fn category(&self) -> &str {
        "ApplicationStatus"
    }

    #[zbus(property)]
    fn id(&self) -> &str {
        "harness"
    }

    #[zbus(property)]
    fn title(&self) -> &str {
        "An example"
    }

    #[zbus(property)]
    fn status(&self) -> &str {
        "Active"
    }

    #[zbus(property)]
    fn icon_name(&self) -> &str {
        "dialog-question"
    }

    #[zbus(property)]
    fn item_is_menu(&self) -> bool {
        true
    }

    #[zbus(property)]
    fn menu(&self) -> ObjectPath<'_> {
        ObjectPath::from_static_str_unchecked(MENU_PATH)
    }
}

struct Menu {
    clicks: UnboundedSender<i32>,
}

#[interface(name = "com.canonical.dbusmenu")]
impl Menu {
    fn get_layout(&self, _parent: i32, _depth: i32, _properties: Vec<String>) -> (u32, Entry) {
        let children = entries().into_iter().map(|(id, it)| Value::from((id, it, Vec::<Value<'_>>::new()))).collect();
        (1, (0, HashMap::from([("children-display", Value::from("submenu"))]), children))
    }

    fn get_group_properties(&self, ids: Vec<i32>, _names: Vec<String>) -> Vec<(i32, Properties)> {
        entries().into_iter().filter(|(id, _)| ids.is_empty() || ids.contains(id)).collect()
    }

    fn event(&self, id: i32, event: &str, _data: Value<'_>, _timestamp: u32) {
        if event == "clicked" {
            let _test_is_over = self.clicks.send(id);
        }
    }

    /// Xfce's panel sends its events this way, several at once.
    fn event_group(&self, events: Vec<(i32, String, Value<'_>, u32)>) -> Vec<i32> {
        for (id, event, data, timestamp) in events {
            self.event(id, &event, data, timestamp);
        }
        Vec::new()
    }

    fn about_to_show(&self, _id: i32) -> bool {
        false
    }

    #[zbus(property)]
    fn version(&self) -> u32 {
        3
    }

    #[zbus(property)]
    fn status(&self) -> &str {
        "normal"
    }
}

/// The entries by number: a plain one, a line, one that cannot be chosen, a checked one.
fn entries() -> [(i32, Properties); 4] {
    let checkmark = [("label", "Quiet".into()), ("toggle-type", "checkmark".into()), ("toggle-state", 1.into())];
    [
        (1, [("label", "_Approve".into())].into()),
        (2, [("type", "separator".into())].into()),
        (3, [("label", "Never".into()), ("enabled", false.into())].into()),
        (4, checkmark.into()),
    ]
}

/// Puts the icon into the tray of the desktop that `connection` belongs to; the numbers of clicked entries come back.
pub(crate) async fn show(connection: &Connection) -> Result<UnboundedReceiver<i32>> {
    let (clicks, clicked) = unbounded_channel();
    connection.object_server().at(ITEM_PATH, Item).await?;
    connection.object_server().at(MENU_PATH, Menu { clicks }).await?;
    let watcher = "org.kde.StatusNotifierWatcher";
    connection
        .call_method(Some(watcher), "/StatusNotifierWatcher", Some(watcher), "RegisterStatusNotifierItem", &ITEM_PATH)
        .await?;
    Ok(clicked)
}
