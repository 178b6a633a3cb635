//! Who presses buttons and keys in an X11 session.
//!
//! A program can make presses up with the XTEST extension, as `xdotool` does. They come from devices of
//! their own, which the server marks with the property `XTEST Device` that no client can change (xorg-server,
//! `Xext/xtest.c`). A raw event of the X Input Extension tells the device that an event came from (`sourceid`,
//! XI2proc.txt, version 2.2), whatever window it went to. What is sent with `XSendEvent` makes no raw event at
//! all. On Wayland no program can make presses up without the compositor's leave, and nothing is watched. What is pressed
//! over the accessibility bus is no press to any server: the windows tell of it themselves (`ui/src/platform/presses.ts`).

use std::collections::HashMap;

use gtk::gdk;
use gtk::prelude::ObjectExt;
use x11rb::connection::Connection;
use x11rb::errors::ReplyOrIdError;
use x11rb::protocol::Event;
use x11rb::protocol::xinput::{ConnectionExt as _, Device, EventMask, XIEventMask, XIGetPropertyItems};
use x11rb::protocol::xproto::{Atom, AtomEnum, ConnectionExt as _};
use x11rb::rust_connection::RustConnection;

use crate::os::input::{InputWatch, PressVisibility};

/// The version that brought touch, and raw events during grabs.
const VERSION: (u16, u16) = (2, 2);
/// The name of the property that marks the devices of the XTEST extension.
const MADE: &[u8] = b"XTEST Device";

/// Begins to watch, if the windows are on an X server. Must be called on the main thread.
#[must_use]
pub(crate) fn watch() -> InputWatch {
    let is_x11 = gdk::Display::default().is_some_and(|display| display.type_().name() == "GdkX11Display");
    if !is_x11 {
        return InputWatch::new(PressVisibility::Nothing);
    }
    match Devices::open() {
        Ok(devices) => {
            let watch = InputWatch::new(PressVisibility::Each);
            let seen = watch.clone();
            std::thread::spawn(move || devices.watch(&seen));
            watch
        }
        Err(error) => {
            tracing::warn!(%error, "the X server does not tell where input comes from");
            InputWatch::new(PressVisibility::Blind)
        }
    }
}

/// The devices of the X server.
struct Devices {
    connection: RustConnection,
    made: Atom,
    /// Which are the XTEST extension's, as far as it was asked.
    known: HashMap<u16, bool>,
}

impl Devices {
    fn open() -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        let (connection, screen) = x11rb::connect(None)?;
        let root = connection.setup().roots.get(screen).ok_or("no screen")?.root;
        connection.xinput_xi_query_version(VERSION.0, VERSION.1)?.reply()?;
        let made = connection.intern_atom(false, MADE)?.reply()?.atom;
        let presses = XIEventMask::RAW_KEY_PRESS | XIEventMask::RAW_BUTTON_PRESS | XIEventMask::RAW_TOUCH_BEGIN;
        let masks = [
            EventMask { deviceid: u16::from(Device::ALL_MASTER), mask: vec![presses] },
            EventMask { deviceid: u16::from(Device::ALL), mask: vec![XIEventMask::HIERARCHY] },
        ];
        connection.xinput_xi_select_events(root, &masks)?.check()?;
        Ok(Self { connection, made, known: HashMap::new() })
    }

    /// Runs until the server goes away, and the windows with it.
    fn watch(mut self, seen: &InputWatch) {
        loop {
            let source = match self.connection.wait_for_event() {
                Ok(Event::XinputRawButtonPress(press)) => press.sourceid,
                Ok(Event::XinputRawKeyPress(press)) => press.sourceid,
                Ok(Event::XinputRawTouchBegin(touch)) => touch.sourceid,
                Ok(Event::XinputHierarchy(_)) => {
                    self.known.clear();
                    continue;
                }
                Ok(_) => continue,
                Err(error) => {
                    tracing::warn!(%error, "the X server is gone");
                    return;
                }
            };
            let is_made = self.is_made(source);
            seen.press(is_made);
        }
    }

    /// Whether the device belongs to the XTEST extension; one that cannot be asked counts as if.
    fn is_made(&mut self, device: u16) -> bool {
        if let Some(known) = self.known.get(&device) {
            return *known;
        }
        let is_made = self.ask(device).unwrap_or(true);
        self.known.insert(device, is_made);
        is_made
    }

    fn ask(&self, device: u16) -> Result<bool, ReplyOrIdError> {
        let property = self.connection.xinput_xi_get_property(device, false, self.made, AtomEnum::ANY.into(), 0, 1)?;
        Ok(match property.reply()?.items {
            XIGetPropertyItems::Data8(bytes) => bytes.first().is_some_and(|byte| *byte != 0),
            _ => false,
        })
    }
}
