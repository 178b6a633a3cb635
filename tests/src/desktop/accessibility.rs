//! What is on the screen, as a screen reader sees it (AT-SPI over D-Bus).
//!
//! Buttons are found by their name and clicked with the real pointer at the place they really are, so no test holds
//! pixel positions of a theme. Interfaces: at-spi2-core, `xml/Accessible.xml` and `xml/Component.xml`.

use anyhow::{Context, Result};
use futures_util::future::BoxFuture;
use futures_util::{FutureExt, StreamExt, stream};
use zbus::Connection;
use zbus::zvariant::{DynamicType, OwnedObjectPath, OwnedValue};

use super::display::Rectangle;
use super::session_bus::{SessionBus, connect};

/// An object of the accessibility tree: the connection that has it, and its path there.
type Reference = (String, OwnedObjectPath);

/// Place of `ATSPI_STATE_SHOWING` in the first word of a state set (`atspi-constants.h`).
const SHOWING: u32 = 1 << 25;

/// `ATSPI_COORD_TYPE_SCREEN`: extents are counted from the corner of the screen.
const SCREEN: u32 = 0;

/// One element on the screen, with everything in it.
#[derive(Debug, Clone)]
pub struct Element {
    /// What kind of thing it is: `push button`, `label`, `menu item`, `window`.
    pub role: String,
    /// What it is called; a label's name is its text.
    pub name: String,
    /// Whether it is on the screen, not only in memory.
    pub showing: bool,
    /// Where it is on the screen.
    pub place: Rectangle,
    /// What is in it.
    pub children: Vec<Element>,
}

impl Element {
    /// The element itself and everything in it, outermost first.
    pub fn all(&self) -> Box<dyn Iterator<Item = &Element> + '_> {
        Box::new(std::iter::once(self).chain(self.children.iter().flat_map(Element::all)))
    }

    /// Whether a label in it contains `text`.
    #[must_use]
    pub fn shows(&self, text: &str) -> bool {
        self.all().any(|element| element.role == "label" && element.name.contains(text))
    }

    /// The first element shown with this role and name, if there is one.
    #[must_use]
    pub fn find(&self, role: &str, name: &str) -> Option<&Element> {
        self.all().find(|element| element.showing && element.role == role && element.name == name)
    }
}

/// A connection to the desktop's accessibility bus.
#[derive(Debug)]
pub(super) struct Accessibility {
    connection: Connection,
}

impl Accessibility {
    pub(super) async fn connect(bus: &SessionBus) -> Result<Self> {
        let reply = bus
            .connection
            .call_method(Some("org.a11y.Bus"), "/org/a11y/bus", Some("org.a11y.Bus"), "GetAddress", &())
            .await
            .context("the accessibility bus does not start (package at-spi2-core)")?;
        let address: String = reply.body().deserialize()?;
        Ok(Self { connection: connect(&address).await? })
    }

    /// The windows that programs called `program` have on the screen.
    pub(super) async fn windows(&self, program: &str) -> Result<Vec<Element>> {
        let root = reference("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root")?;
        let mut windows = Vec::new();
        for application in self.children(&root).await? {
            // A program that has just ended is still listed for a moment.
            if self.name(&application).await.is_ok_and(|name| name == program) {
                for window in self.children(&application).await? {
                    windows.extend(self.element(window).await.ok());
                }
            }
        }
        windows.retain(|window| window.showing);
        Ok(windows)
    }

    fn element(&self, object: Reference) -> BoxFuture<'_, Result<Element>> {
        async move {
            let role = self.call(&object, "Accessible", "GetRoleName", &()).await?;
            let name = self.name(&object).await?;
            let states: Vec<u32> = self.call(&object, "Accessible", "GetState", &()).await?;
            let showing = states.first().is_some_and(|word| word & SHOWING != 0);
            let place = self.place(&object).await.unwrap_or(Rectangle { x: 0, y: 0, width: 0, height: 0 });
            // What is not on the screen holds nothing that is, and Plasma has much of it. An element may vanish while
            // the tree is read: it is left out.
            let inside = if showing { self.children(&object).await? } else { Vec::new() };
            let children =
                stream::iter(inside).filter_map(async |child| self.element(child).await.ok()).collect().await;
            Ok(Element { role, name, showing, place, children })
        }
        .boxed()
    }

    async fn place(&self, object: &Reference) -> Result<Rectangle> {
        let (x, y, width, height) =
            self.call::<_, (i32, i32, i32, i32)>(object, "Component", "GetExtents", &SCREEN).await?;
        Ok(Rectangle { x, y, width, height })
    }

    async fn children(&self, object: &Reference) -> Result<Vec<Reference>> {
        self.call(object, "Accessible", "GetChildren", &()).await
    }

    async fn name(&self, object: &Reference) -> Result<String> {
        let arguments = ("org.a11y.atspi.Accessible", "Name");
        let reply = self
            .connection
            .call_method(Some(object.0.as_str()), &object.1, Some("org.freedesktop.DBus.Properties"), "Get", &arguments)
            .await?;
        Ok(reply.body().deserialize::<OwnedValue>()?.try_into()?)
    }

    async fn call<A, R>(&self, object: &Reference, interface: &str, method: &str, arguments: &A) -> Result<R>
    where
        A: serde::Serialize + DynamicType + Sync,
        R: for<'d> zbus::zvariant::DynamicDeserialize<'d>,
    {
        let interface = format!("org.a11y.atspi.{interface}");
        let reply = self
            .connection
            .call_method(Some(object.0.as_str()), &object.1, Some(interface.as_str()), method, arguments)
            .await?;
        Ok(reply.body().deserialize()?)
    }
}

fn reference(name: &str, path: &str) -> Result<Reference> {
    Ok((name.to_owned(), path.to_owned().try_into()?))
}
