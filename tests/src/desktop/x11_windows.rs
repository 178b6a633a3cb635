//! The windows of an X11 desktop, as its window manager tells them (Extended Window Manager Hints 1.5).

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    Atom, AtomEnum, ClientMessageEvent, ConnectionExt as _, EventMask, ImageFormat, Window as Number,
};
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

fn ask(desktop: &Desktop) -> Result<Asked> {
    let display = desktop.display.as_ref().context("this is no X11 desktop")?;
    let (connection, screen) = x11rb::connect(Some(&display.name))?;
    let root = connection.setup().roots.get(screen).context("no screen")?.root;
    Ok(Asked { connection, root })
}

/// The windows that the window manager has, the uppermost last.
pub(super) fn windows(desktop: &Desktop) -> Result<Vec<Window>> {
    let asked = ask(desktop)?;
    let active = asked.numbers(asked.root, "_NET_ACTIVE_WINDOW")?.first().copied();
    let all = asked.numbers(asked.root, "_NET_CLIENT_LIST_STACKING")?;
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

/// What is on the screen in one place at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    place: Rectangle,
    /// Four bytes for each pixel: blue, green, red, and one that means nothing.
    bytes: Vec<u8>,
}

impl Frame {
    /// Its pixels: blue, green and red.
    pub fn pixels(&self) -> impl Iterator<Item = &[u8]> {
        self.bytes.chunks_exact(4).map(|pixel| pixel.get(..3).unwrap_or_default())
    }

    /// Saves it as a picture (PPM).
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn save(&self, path: &Path) -> Result<()> {
        let mut picture = format!("P6 {} {} 255\n", self.place.width, self.place.height).into_bytes();
        picture.extend(self.pixels().flat_map(|pixel| pixel.iter().rev().copied()));
        Ok(std::fs::write(path, picture)?)
    }
}

/// Looks at one place of the screen all the time.
#[derive(Debug)]
pub struct FrameWatch {
    is_over: Arc<AtomicBool>,
    frames: JoinHandle<Result<Vec<(Frame, Duration)>>>,
}

impl FrameWatch {
    /// Everything that was seen there since, with the time when it was first seen.
    ///
    /// # Errors
    /// When the display is gone.
    pub fn stop(self) -> Result<Vec<(Frame, Duration)>> {
        self.is_over.store(true, Ordering::Relaxed);
        self.frames.join().map_err(|_| anyhow!("the watch has ended"))?
    }
}

fn look(connection: &RustConnection, root: Number, place: Rectangle) -> Result<Frame> {
    let (x, y) = (i16::try_from(place.x)?, i16::try_from(place.y)?);
    let (width, height) = (u16::try_from(place.width)?, u16::try_from(place.height)?);
    let image = connection.get_image(ImageFormat::Z_PIXMAP, root, x, y, width, height, u32::MAX)?.reply()?;
    Ok(Frame { place, bytes: image.data })
}

impl Desktop {
    /// What is on the screen in one place.
    ///
    /// # Errors
    /// On another desktop than Xfce.
    pub fn frame(&self, place: Rectangle) -> Result<Frame> {
        let asked = ask(self)?;
        look(&asked.connection, asked.root, place)
    }

    /// Begins to look at one place of the screen.
    ///
    /// # Errors
    /// On another desktop than Xfce.
    pub fn watch_frames(&self, place: Rectangle) -> Result<FrameWatch> {
        let asked = ask(self)?;
        let is_over = Arc::new(AtomicBool::new(false));
        let (ends, begin) = (is_over.clone(), Instant::now());
        let frames = std::thread::spawn(move || {
            let mut frames: Vec<(Frame, Duration)> = Vec::new();
            while !ends.load(Ordering::Relaxed) {
                let frame = look(&asked.connection, asked.root, place)?;
                if frames.last().is_none_or(|(last, _)| *last != frame) {
                    frames.push((frame, begin.elapsed()));
                }
            }
            Ok(frames)
        });
        Ok(FrameWatch { is_over, frames })
    }

    /// Presses the close button of the window with this title, as its window manager does it.
    ///
    /// # Errors
    /// On another desktop than Xfce, or when there is no such window.
    pub fn close_window(&self, title: &str) -> Result<()> {
        let asked = ask(self)?;
        let all = asked.numbers(asked.root, "_NET_CLIENT_LIST")?;
        let number = all.into_iter().find(|number| asked.title(*number).is_ok_and(|own| own == title));
        let number = number.with_context(|| format!("there is no window {title:?}"))?;
        // The second of the numbers: a pager or a title bar asks for it, and so a person.
        let message = ClientMessageEvent::new(32, number, asked.atom("_NET_CLOSE_WINDOW")?, [0, 2, 0, 0, 0]);
        let mask = EventMask::SUBSTRUCTURE_REDIRECT | EventMask::SUBSTRUCTURE_NOTIFY;
        asked.connection.send_event(false, asked.root, mask, message)?.check()?;
        Ok(())
    }
}
