//! Tray icons: what an item tells the panel, and the icon and menu the panel draws for it.
//!
//! Interfaces: StatusNotifierItem and StatusNotifierWatcher (freedesktop.org, `org.kde.*`), `com.canonical.dbusmenu`.

use std::time::Duration;

use anyhow::{Context, Result};
use zbus::zvariant::{DynamicDeserialize, DynamicType, ObjectPath, OwnedValue, Value};

use super::session_bus::SessionBus;
use super::tray_menu::{Layout, MenuItem};
use super::wait::{PATIENCE, wait_until};
use super::{Desktop, Element, Rectangle};

const WATCHER: &str = "org.kde.StatusNotifierWatcher";
const WATCHER_PATH: &str = "/StatusNotifierWatcher";
const ITEM: &str = "org.kde.StatusNotifierItem";
const MENU: &str = "com.canonical.dbusmenu";

/// What the panel calls itself on the accessibility bus.
const PANEL: &str = "xfce4-panel";
/// Name of the windows of the program that runs the panel's tray plugin; its menus are not on the accessibility bus.
const TRAY_PLUGIN: &str = "wrapper-2.0";

/// A tray icon that is registered with the panel.
#[derive(Debug)]
pub struct Tray<'a> {
    desktop: &'a Desktop,
    service: String,
    item_path: String,
    menu_path: String,
}

impl Desktop {
    /// Waits for a tray icon and returns the first one that is registered.
    ///
    /// # Errors
    /// When none is registered in time.
    pub async fn tray(&self) -> Result<Tray<'_>> {
        wait_until("a tray icon", PATIENCE, async || {
            let items = registered(&self.bus).await?;
            let Some(item) = items.first() else { return Ok(None) };
            let (service, path) = item.split_once('/').with_context(|| format!("no path in the tray item {item:?}"))?;
            let item_path = format!("/{path}");
            // GNOME's extension puts an `@` in between.
            let service = service.trim_end_matches('@');
            let menu: ObjectPath<'static> = property(&self.bus, service, &item_path, ITEM, "Menu").await?;
            Ok(Some(Tray { desktop: self, service: service.to_owned(), item_path, menu_path: menu.to_string() }))
        })
        .await
    }

    /// How many tray icons are registered.
    ///
    /// # Errors
    /// When there is no panel that shows them.
    pub async fn tray_items(&self) -> Result<usize> {
        Ok(registered(&self.bus).await?.len())
    }
}

async fn registered(bus: &SessionBus) -> Result<Vec<String>> {
    property(bus, WATCHER, WATCHER_PATH, WATCHER, "RegisteredStatusNotifierItems").await
}

impl Tray<'_> {
    /// A text property of the item: `Id`, `Title`, `Status`, `IconName`, `IconThemePath`.
    ///
    /// # Errors
    /// When the program is gone or has no such property.
    pub async fn property(&self, name: &str) -> Result<String> {
        property(&self.desktop.bus, &self.service, &self.item_path, ITEM, name).await
    }

    /// The menu as it is now: a nameless root whose children are the entries.
    ///
    /// # Errors
    /// When the program is gone.
    pub async fn menu(&self) -> Result<MenuItem> {
        let all_properties: [&str; 0] = [];
        let (_revision, root): (u32, Layout) = self.call("GetLayout", &(0_i32, -1_i32, &all_properties[..])).await?;
        root.try_into()
    }

    /// Waits for an entry that `wanted` accepts, anywhere in the menu.
    ///
    /// # Errors
    /// When there is none in time; the message shows the menu.
    pub async fn wait_for_menu_item(&self, wanted: impl Fn(&MenuItem) -> bool) -> Result<MenuItem> {
        let mut last = None;
        let found = wait_until("an entry of the tray menu", PATIENCE, async || {
            let menu = self.menu().await?;
            let found = menu.all().find(|item| wanted(item)).cloned();
            last = Some(menu);
            Ok(found)
        })
        .await;
        found.with_context(|| format!("the menu is {last:#?}"))
    }

    /// Chooses an entry the way a panel does: the `clicked` event, without pixels.
    ///
    /// # Errors
    /// When there is no such entry in time.
    pub async fn activate_menu_item(&self, wanted: impl Fn(&MenuItem) -> bool) -> Result<()> {
        let is_wanted = |item: &MenuItem| item.enabled && item.visible && wanted(item);
        wait_until("an entry of the tray menu that stays until it is chosen", PATIENCE, async || {
            let item = self.wait_for_menu_item(is_wanted).await?;
            let chosen: Result<()> = self.call("Event", &(item.id, "clicked", Value::I32(0), 0_u32)).await;
            match chosen {
                Ok(()) => Ok(Some(())),
                // The program has made its menu anew since, and every entry has another number.
                Err(error) if error.to_string().contains("does not refer to a menu item") => Ok(None),
                Err(error) => Err(error),
            }
        })
        .await
    }

    /// Clicks the real icon in the panel with the real pointer, and returns where the panel has drawn the menu.
    ///
    /// # Errors
    /// When there is no icon or no menu in time.
    pub async fn open_menu(&self) -> Result<Rectangle> {
        let mut before = None;
        let icon = wait_until("the icon in the panel", PATIENCE, async || {
            let panel = self.desktop.accessibility.windows(PANEL).await?;
            let icon = panel.iter().flat_map(Element::all).filter_map(icon_area).next();
            // The tray grows while the icon is put in: only a place that stays can be clicked.
            let still = before == Some(icon);
            before = Some(icon);
            Ok(icon.filter(|_| still))
        })
        .await?;
        wait_until("the open menu", PATIENCE, async || {
            if let Some(menu) = self.drawn_menu() {
                return Ok(Some(menu));
            }
            self.desktop.click(icon)?;
            wait_until("the menu to be drawn", Duration::from_secs(2), async || Ok(self.drawn_menu())).await.map(Some)
        })
        .await
    }

    /// Opens the menu and chooses one of its top entries with the keyboard: the real panel, without counting pixels.
    ///
    /// # Errors
    /// When the menu cannot be opened or has no such entry to choose.
    pub async fn choose_menu_item(&self, wanted: impl Fn(&MenuItem) -> bool) -> Result<()> {
        self.open_menu().await?;
        let menu = self.menu().await?;
        let mut choices = menu.children.iter().filter(|item| item.enabled && item.visible && !item.separator);
        let steps = choices.position(wanted).with_context(|| format!("no such entry in {menu:#?}"))?;
        for _ in 0..=steps {
            self.desktop.press("Down")?;
        }
        self.desktop.press("Return")?;
        self.wait_until_closed().await
    }

    /// Closes the open menu without choosing anything.
    ///
    /// # Errors
    /// When it stays open.
    pub async fn close_menu(&self) -> Result<()> {
        self.desktop.press("Escape")?;
        self.wait_until_closed().await
    }

    async fn wait_until_closed(&self) -> Result<()> {
        wait_until("the menu to close", PATIENCE, async || Ok(self.drawn_menu().is_none().then_some(()))).await?;
        self.desktop.park_pointer()
    }

    /// The menu's window: the only visible one of the tray plugin that is not inside the panel.
    fn drawn_menu(&self) -> Option<Rectangle> {
        let found =
            self.desktop.xdotool(&["search", "--onlyvisible", "--maxdepth", "1", "--name", TRAY_PLUGIN]).ok()?;
        self.desktop.window_geometry(found.lines().last()?).ok()
    }

    async fn call<A, R>(&self, method: &str, arguments: &A) -> Result<R>
    where
        A: serde::Serialize + DynamicType + Sync,
        R: for<'d> DynamicDeserialize<'d>,
    {
        let connection = &self.desktop.bus.connection;
        let reply = connection
            .call_method(Some(self.service.as_str()), self.menu_path.as_str(), Some(MENU), method, arguments)
            .await?;
        Ok(reply.body().deserialize()?)
    }
}

/// Waits until a panel shows tray icons.
pub(super) async fn wait_for_host(bus: &SessionBus) -> Result<()> {
    wait_until("a tray", PATIENCE, async || {
        let present: bool = property(bus, WATCHER, WATCHER_PATH, WATCHER, "IsStatusNotifierHostRegistered").await?;
        Ok(present.then_some(()))
    })
    .await
}

async fn property<T>(bus: &SessionBus, service: &str, path: &str, interface: &str, name: &str) -> Result<T>
where
    T: TryFrom<OwnedValue>,
    T::Error: std::error::Error + Send + Sync + 'static,
{
    let properties = "org.freedesktop.DBus.Properties";
    let reply = bus.connection.call_method(Some(service), path, Some(properties), "Get", &(interface, name)).await?;
    Ok(reply.body().deserialize::<OwnedValue>()?.try_into()?)
}

/// The place of the icon, when `element` is the row of the panel's plugins: the tray is the last of them, and a private
/// desktop has one icon. Without an icon the tray is narrower than it is high.
fn icon_area(element: &Element) -> Option<Rectangle> {
    let tray = element.children.last().filter(|tray| tray.role == "panel" && element.role == "panel")?;
    let inside = tray.children.len() == 1 && tray.place.width >= tray.place.height && tray.place.x > 0;
    (inside && element.children.len() > 1).then_some(tray.place)
}
