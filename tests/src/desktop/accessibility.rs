//! What is on the screen, as a screen reader sees it (AT-SPI over D-Bus).
//!
//! Buttons are found by their name and clicked with the real pointer at the place they really are, so no test holds
//! pixel positions of a theme. Interfaces: at-spi2-core, `xml/Accessible.xml`, `Component.xml`, `Text.xml`, `Action.xml`,
//! `Registry.xml` and `Event.xml`.

use std::collections::HashMap;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use futures_util::future::BoxFuture;
use futures_util::{FutureExt, StreamExt, stream};
use tokio::time::timeout;
use zbus::connection::Builder;
use zbus::message::Type;
use zbus::zvariant::{DynamicType, OwnedObjectPath, OwnedValue, Structure, Value};
use zbus::{Connection, MatchRule, Message, MessageStream};

use super::display::Rectangle;
use super::session_bus::SessionBus;
use super::wait::PATIENCE;

/// An object of the accessibility tree: the connection that has it, and its path there.
type Reference = (String, OwnedObjectPath);

/// Places in the first word of a state set (`atspi-constants.h`): `ATSPI_STATE_FOCUSED`, `ATSPI_STATE_SENSITIVE` and
/// `ATSPI_STATE_SHOWING`.
const FOCUSED: u32 = 1 << 12;
/// See [`FOCUSED`].
const SENSITIVE: u32 = 1 << 24;
/// See [`FOCUSED`].
const SHOWING: u32 = 1 << 25;

/// Where WebKitGTK has the roots of its pages.
const PAGES: &str = "/org/a11y/webkit/accessible/";
/// The role of a box, and of what WebKitGTK has between window and page, which says nothing of whether it is on the screen.
const FILLER: &str = "filler";
/// Names of the roles of a page, which WebKitGTK gives by number alone (`AtspiRole`, `atspi-constants.h`).
const PAGE_ROLES: [(u32, &str); 14] = [
    (2, "alert"),
    (7, "check box"),
    (16, "dialog"),
    (29, "label"),
    (32, "list item"),
    (39, "panel"),
    (43, "push button"),
    (44, "radio button"),
    (54, "status bar"),
    (73, "paragraph"),
    (79, "entry"),
    (83, "heading"),
    (95, "document web"),
    (110, "landmark"),
];
/// What stands in a text in the place of an element.
const NO_LETTER: char = '\u{fffc}';

/// Events that may queue up.
const QUEUE: usize = 4096;

/// How long a call waits for its answer: a window that goes away because it was pressed may never give one.
const ANSWERED_WITHIN: Duration = Duration::from_secs(10);
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
    /// Whether it has the keyboard.
    pub focused: bool,
    /// Whether it says that a press does something now.
    pub enabled: bool,
    /// The text in it, where it is part of a page: of what is in it in turn, only what the page holds together.
    pub text: String,
    /// Where it is on the screen.
    pub place: Rectangle,
    /// What is in it.
    pub children: Vec<Element>,
    object: Option<Reference>,
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

    /// A thing with this role, name and place, of which only that much is known.
    pub(super) fn drawn(role: String, name: String, place: Rectangle, children: Vec<Self>) -> Self {
        Self {
            role,
            name,
            showing: true,
            focused: false,
            enabled: true,
            text: String::new(),
            place,
            children,
            object: None,
        }
    }

    /// All that is read aloud of it and of what is in it: names and texts, in their order.
    #[must_use]
    pub fn words(&self) -> String {
        let own = self.all().flat_map(|element| [&element.name, &element.text]);
        own.filter(|words| !words.is_empty()).map(String::as_str).collect::<Vec<_>>().join("\n")
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
        let connection = Builder::address(address.as_str())?.method_timeout(ANSWERED_WITHIN).build().await?;
        Ok(Self { connection })
    }

    /// Says on the session bus that a screen reader runs, as one does itself.
    pub(super) async fn announce_reader(bus: &SessionBus) -> Result<()> {
        for property in ["IsEnabled", "ScreenReaderEnabled"] {
            let arguments = ("org.a11y.Status", property, Value::from(true));
            let interface = Some("org.freedesktop.DBus.Properties");
            bus.connection.call_method(Some("org.a11y.Bus"), "/org/a11y/bus", interface, "Set", &arguments).await?;
        }
        Ok(())
    }

    /// The windows that programs called `program` have on the screen.
    pub(super) async fn windows(&self, program: &str) -> Result<Vec<Element>> {
        let root = reference("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root")?;
        let mut windows = Vec::new();
        for application in self.children(&root, "").await? {
            // A program that has just ended is still listed for a moment.
            if self.name(&application).await.is_ok_and(|name| name == program) {
                for window in self.children(&application, "").await? {
                    windows.extend(self.element(window, false).await.ok());
                }
            }
        }
        windows.retain(|window| window.showing);
        Ok(windows)
    }

    /// Does what a screen reader does when it is told to press `element`.
    pub(super) async fn press(&self, element: &Element) -> Result<()> {
        let object = element.object.as_ref().context("nothing tells where it is")?;
        let done: bool = self.call(object, "Action", "DoAction", &0_i32).await?;
        anyhow::ensure!(done, "{} {:?} cannot be pressed", element.role, element.name);
        Ok(())
    }

    /// Begins to listen to what programs say by themselves.
    pub(super) async fn listen(&self) -> Result<Announcements<'_>> {
        let registry = reference("org.a11y.atspi.Registry", "/org/a11y/atspi/registry")?;
        let rule = MatchRule::builder().msg_type(Type::Signal).interface("org.a11y.atspi.Event.Object")?.build();
        let events = MessageStream::for_match_rule(rule, &self.connection, Some(QUEUE)).await?;
        for event in ["Object:ChildrenChanged", "Object:TextChanged"] {
            let arguments = (event, Vec::<String>::new(), "");
            let (name, path) = (Some(registry.0.as_str()), &registry.1);
            let interface = Some("org.a11y.atspi.Registry");
            self.connection.call_method(name, path, interface, "RegisterEvent", &arguments).await?;
        }
        Ok(Announcements { accessibility: self, events })
    }

    /// Whether `object` is part of a page that is read aloud by itself when it changes.
    async fn is_live(&self, object: &Reference) -> bool {
        let attributes: Result<HashMap<String, String>> = self.call(object, "Accessible", "GetAttributes", &()).await;
        let is = |value: &String| matches!(value.as_str(), "polite" | "assertive");
        attributes
            .is_ok_and(|attributes| ["live", "container-live"].iter().any(|key| attributes.get(*key).is_some_and(is)))
    }

    /// `in_page`: it is part of a page of WebKit.
    fn element(&self, object: Reference, in_page: bool) -> BoxFuture<'_, Result<Element>> {
        async move {
            let role = self.role(&object).await?;
            let name = self.name(&object).await?;
            let states: Vec<u32> = self.call(&object, "Accessible", "GetState", &()).await?;
            let is = |state: u32| states.first().is_some_and(|word| word & state != 0);
            let showing = is(SHOWING);
            let text = if in_page { self.text(&object).await.unwrap_or_default() } else { String::new() };
            let in_page = in_page || object.1.as_str().starts_with(PAGES);
            let place = self.place(&object).await.unwrap_or(Rectangle { x: 0, y: 0, width: 0, height: 0 });
            // What is not on the screen holds nothing that is, and Plasma has much of it. An element may vanish while
            // the tree is read: it is left out.
            // A page has no more than what is drawn, and does not say so of all of it.
            let holds = showing || in_page || role == FILLER;
            let inside = if holds { self.children(&object, &role).await? } else { Vec::new() };
            let children =
                stream::iter(inside).filter_map(async |child| self.element(child, in_page).await.ok()).collect().await;
            let (focused, enabled) = (is(FOCUSED), is(SENSITIVE));
            Ok(Element { role, name, showing, focused, enabled, text, place, children, object: Some(object) })
        }
        .boxed()
    }

    async fn place(&self, object: &Reference) -> Result<Rectangle> {
        let (x, y, width, height) =
            self.call::<_, (i32, i32, i32, i32)>(object, "Component", "GetExtents", &SCREEN).await?;
        Ok(Rectangle { x, y, width, height })
    }

    async fn role(&self, object: &Reference) -> Result<String> {
        let name: String = self.call(object, "Accessible", "GetRoleName", &()).await?;
        if !name.is_empty() {
            return Ok(name);
        }
        let role: u32 = self.call(object, "Accessible", "GetRole", &()).await?;
        let known = PAGE_ROLES.iter().find(|(number, _)| *number == role);
        Ok(known.map_or_else(|| format!("role {role}"), |(_, name)| (*name).to_owned()))
    }

    async fn text(&self, object: &Reference) -> Result<String> {
        let text: String = self.call(object, "Text", "GetText", &(0_i32, -1_i32)).await?;
        Ok(text.replace(NO_LETTER, ""))
    }

    async fn children(&self, object: &Reference, role: &str) -> Result<Vec<Reference>> {
        let children: Vec<Reference> = self.call(object, "Accessible", "GetChildren", &()).await?;
        if !children.is_empty() || role != FILLER {
            return Ok(children);
        }
        // GTK names a page that is plugged in by another process only to who asks for the first child, as libatspi does
        // (at-spi2-core 2.46, `accessible-adaptor.c`).
        let count: i32 = self.property(object, "ChildCount").await?.try_into()?;
        let first =
            if count > 0 { self.call(object, "Accessible", "GetChildAtIndex", &0_i32).await.ok() } else { None };
        Ok(first.into_iter().collect())
    }

    async fn name(&self, object: &Reference) -> Result<String> {
        Ok(self.property(object, "Name").await?.try_into()?)
    }

    async fn property(&self, object: &Reference, name: &str) -> Result<OwnedValue> {
        let arguments = ("org.a11y.atspi.Accessible", name);
        let reply = self
            .connection
            .call_method(Some(object.0.as_str()), &object.1, Some("org.freedesktop.DBus.Properties"), "Get", &arguments)
            .await?;
        Ok(reply.body().deserialize()?)
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

/// What programs say by themselves, to be read aloud.
#[derive(Debug)]
pub struct Announcements<'a> {
    accessibility: &'a Accessibility,
    events: MessageStream,
}

impl Announcements<'_> {
    /// Waits until a text that contains `words` comes into a part of a page that is read aloud when it changes.
    ///
    /// # Errors
    /// When it does not come in time; the message holds what did.
    pub async fn wait_for(&mut self, words: &str) -> Result<()> {
        let mut heard = Vec::new();
        let waited = timeout(PATIENCE, async {
            while let Some(event) = self.events.next().await {
                let said = self.said(&event?).await;
                if said.as_ref().is_some_and(|said| said.contains(words)) {
                    return Ok(());
                }
                heard.extend(said);
            }
            bail!("the accessibility bus is gone")
        })
        .await;
        waited.with_context(|| format!("`{words}` was not said, but: {heard:#?}"))?
    }

    /// What an event says; `None`: it is not read aloud, or what it is about is gone by now.
    async fn said(&self, event: &Message) -> Option<String> {
        let header = event.header();
        let source = (header.sender()?.to_string(), header.path()?.to_owned().into());
        let body = event.body();
        let fields: Structure<'_> = body.deserialize().ok()?;
        let change: &str = fields.fields().first()?.downcast_ref().ok()?;
        let comes = change.starts_with("add") || change.starts_with("insert");
        if !comes || !self.accessibility.is_live(&source).await {
            return None;
        }
        Some(self.accessibility.element(source, true).await.ok()?.words())
    }
}

fn reference(name: &str, path: &str) -> Result<Reference> {
    Ok((name.to_owned(), path.to_owned().try_into()?))
}
