//! The windows of an X11 desktop, as its window manager tells them (Extended Window Manager Hints 1.5).

use anyhow::{Context, Result};
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{Atom, AtomEnum, ConnectionExt as _, Window as Number};
use x11rb::rust_connection::RustConnection;

use super::Desktop;
use super::display::Rectangle;
use super::windows::Window;

/// The types of windows that a person works in.
const WORKED_IN: [&str; 2] = ["_NET_WM_WINDOW_TYPE_NORMAL", "_NET_WM_WINDOW_TYPE_DIALOG"];

/// A connection to the display.
struct Asked {
    connection: RustConnection,
    root: Number,
}

/// The windows that the window manager has, the uppermost last.
pub(super) fn windows(desktop: &Desktop) -> Result<Vec<Window>> {
    let display = desktop.display.as_ref().context("this is no X11 desktop")?;
    let (connection, screen) = x11rb::connect(Some(&display.name))?;
    let root = connection.setup().roots.get(screen).context("no screen")?.root;
    let asked = Asked { connection, root };
    let active = asked.numbers(root, "_NET_ACTIVE_WINDOW")?.first().copied();
    let all = asked.numbers(root, "_NET_CLIENT_LIST_STACKING")?;
    // One may go away while it is asked about: it is left out.
    Ok(all.into_iter().filter_map(|number| asked.window(number, active).ok().flatten()).collect())
}

impl Asked {
    /// `None`: it belongs to the desktop itself.
    fn window(&self, number: Number, active: Option<Number>) -> Result<Option<Window>> {
        let worked_in = WORKED_IN.map(|name| self.atom(name)).into_iter().collect::<Result<Vec<_>>>()?;
        let kinds = self.numbers(number, "_NET_WM_WINDOW_TYPE")?;
        // A window that does not say what it is, is one like any other.
        if !kinds.is_empty() && !kinds.iter().any(|kind| worked_in.contains(kind)) {
            return Ok(None);
        }
        let states = self.numbers(number, "_NET_WM_STATE")?;
        let is = |name: &str| Ok::<_, anyhow::Error>(states.contains(&self.atom(name)?));
        let size = self.connection.get_geometry(number)?.reply()?;
        let corner = self.connection.translate_coordinates(number, self.root, 0, 0)?.reply()?;
        let class = self.bytes(number, AtomEnum::WM_CLASS.into())?;
        Ok(Some(Window {
            title: self.title(number)?,
            // The second of two texts, each with a zero behind it (ICCCM, 4.1.2.5).
            application: String::from_utf8_lossy(class.split(|byte| *byte == 0).nth(1).unwrap_or_default()).into(),
            place: Rectangle {
                x: corner.dst_x.into(),
                y: corner.dst_y.into(),
                width: size.width.into(),
                height: size.height.into(),
            },
            has_focus: active == Some(number),
            wants_attention: is("_NET_WM_STATE_DEMANDS_ATTENTION")?,
            is_listed: !is("_NET_WM_STATE_SKIP_TASKBAR")?,
        }))
    }

    /// An older program, such as xterm, has the older of the two names alone.
    fn title(&self, number: Number) -> Result<String> {
        let new = self.bytes(number, self.atom("_NET_WM_NAME")?)?;
        let title = if new.is_empty() { self.bytes(number, AtomEnum::WM_NAME.into())? } else { new };
        Ok(String::from_utf8_lossy(&title).into_owned())
    }

    fn atom(&self, name: &str) -> Result<Atom> {
        Ok(self.connection.intern_atom(false, name.as_bytes())?.reply()?.atom)
    }

    fn numbers(&self, window: Number, property: &str) -> Result<Vec<u32>> {
        let property = self.atom(property)?;
        let reply = self.connection.get_property(false, window, property, AtomEnum::ANY, 0, u32::MAX)?.reply()?;
        Ok(reply.value32().into_iter().flatten().collect())
    }

    fn bytes(&self, window: Number, property: Atom) -> Result<Vec<u8>> {
        Ok(self.connection.get_property(false, window, property, AtomEnum::ANY, 0, u32::MAX)?.reply()?.value)
    }
}
