//! A shortcut that is grabbed from the X server: it goes to nobody else then.

use std::io::ErrorKind;
use std::os::fd::AsFd;

use handraise_protocol::ShortcutState;
use tokio::io::Interest;
use tokio::net::UnixStream;
use tokio::sync::mpsc::UnboundedSender;
use x11rb::connection::Connection;
use x11rb::errors::{ConnectError, ConnectionError, ReplyError};
use x11rb::protocol::xproto::{ConnectionExt as _, GrabMode, Keycode, ModMask};
use x11rb::protocol::{self, Event};
use x11rb::rust_connection::RustConnection;

use crate::os::ShortcutEvent;
use crate::os::linux::send;
use crate::shortcut::Shortcut;

/// Numbers of keys that are modifiers (`keysymdef.h`): `Num_Lock`, `Scroll_Lock`, `Alt_L`, `Super_L`.
const NUM_LOCK: u32 = 0xff7f;
const SCROLL_LOCK: u32 = 0xff14;
const ALT: u32 = 0xffe9;
const SUPER: u32 = 0xffeb;
/// Marks an event that a program sent (`XSendEvent`).
const SENT: u8 = 0x80;
/// The modifiers of the core protocol beside Shift, Lock and Control, in their order.
const MODIFIERS: [ModMask; 8] =
    [ModMask::SHIFT, ModMask::LOCK, ModMask::CONTROL, ModMask::M1, ModMask::M2, ModMask::M3, ModMask::M4, ModMask::M5];

/// Why the shortcut cannot be grabbed.
#[derive(Debug, thiserror::Error)]
pub(super) enum X11Error {
    /// Another program has it.
    #[error("another program has it")]
    Taken,
    /// The keyboard has no such key.
    #[error("this keyboard has no such key")]
    NoKey,
    /// The server.
    #[error(transparent)]
    Server(#[from] ReplyError),
    /// The connection to it.
    #[error(transparent)]
    Connection(#[from] ConnectionError),
    /// No connection to it.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// Its socket.
    #[error(transparent)]
    Socket(#[from] std::io::Error),
}

/// Grabs the shortcut and tells each press, until the task is dropped or the server is gone. The server forgets the grab with
/// the connection.
pub(super) async fn follow(shortcut: &Shortcut, events: &UnboundedSender<ShortcutEvent>) -> Result<(), X11Error> {
    let (connection, screen) = x11rb::connect(None)?;
    let root = connection.setup().roots.get(screen).ok_or(X11Error::NoKey)?.root;
    let mut grabbed = Grab { root, keys: Vec::new() };
    grabbed.take(&connection, shortcut)?;
    send(events, ShortcutEvent::State(ShortcutState::Works));
    // Another number of the same socket: the connection closes its own.
    let socket = UnixStream::from_std(connection.stream().as_fd().try_clone_to_owned()?.into())?;
    let mut released_at = None;
    loop {
        while let Some(event) = connection.poll_for_event()? {
            match event {
                // What a program sends is no key.
                Event::KeyPress(press) if press.response_type & SENT != 0 => {}
                // The server repeats a key that is held: it is released and pressed in the same moment.
                Event::KeyPress(press) if released_at != Some(press.time) => {
                    // A time of the server lets a window take the keyboard there (`gtk_window_set_startup_id`).
                    send(events, ShortcutEvent::Pressed(Some(format!("handraise_TIME{}", press.time))));
                }
                Event::KeyRelease(release) => released_at = Some(release.time),
                Event::MappingNotify(_) => {
                    grabbed.release(&connection)?;
                    grabbed.take(&connection, shortcut)?;
                }
                _ => {}
            }
        }
        socket.readable().await?;
        // Forgets that there was something to read: all of it is read now, and more is told anew.
        let _ = socket.try_io(Interest::READABLE, || Err::<(), _>(ErrorKind::WouldBlock.into()));
    }
}

/// What is grabbed.
struct Grab {
    root: u32,
    keys: Vec<(Keycode, ModMask)>,
}

impl Grab {
    fn take(&mut self, connection: &RustConnection, shortcut: &Shortcut) -> Result<(), X11Error> {
        let keyboard = Keyboard::ask(connection)?;
        let codes = keyboard.codes(shortcut.keysym);
        if codes.is_empty() {
            return Err(X11Error::NoKey);
        }
        let wanted = [
            (shortcut.shift, Some(ModMask::SHIFT)),
            (shortcut.control, Some(ModMask::CONTROL)),
            (shortcut.alt, keyboard.modifier(ALT)),
            (shortcut.logo, keyboard.modifier(SUPER)),
        ];
        let mut held = ModMask::from(0_u16);
        for (_, mask) in wanted.into_iter().filter(|(is_wanted, _)| *is_wanted) {
            held |= mask.ok_or(X11Error::NoKey)?;
        }
        for locked in keyboard.locks() {
            for code in &codes {
                let mode = GrabMode::ASYNC;
                let grab = connection.grab_key(true, self.root, held | locked, *code, mode, mode)?;
                match grab.check() {
                    Ok(()) => self.keys.push((*code, held | locked)),
                    Err(ReplyError::X11Error(error)) if error.error_kind == protocol::ErrorKind::Access => {
                        return Err(X11Error::Taken);
                    }
                    Err(error) => return Err(error.into()),
                }
            }
        }
        Ok(())
    }

    fn release(&mut self, connection: &RustConnection) -> Result<(), X11Error> {
        for (code, modifiers) in self.keys.drain(..) {
            connection.ungrab_key(code, self.root, modifiers)?;
        }
        Ok(())
    }
}

/// What the keys of the keyboard are.
struct Keyboard {
    first: Keycode,
    /// For each key, from the first on, what it is without and with Shift, and so on.
    keysyms: Vec<Vec<u32>>,
    /// For each modifier its keys.
    modifiers: Vec<Vec<Keycode>>,
}

impl Keyboard {
    fn ask(connection: &RustConnection) -> Result<Self, X11Error> {
        let setup = connection.setup();
        let (first, last) = (setup.min_keycode, setup.max_keycode);
        let count = last.saturating_sub(first).saturating_add(1);
        let mapping = connection.get_keyboard_mapping(first, count)?.reply()?;
        let keysyms = mapping.keysyms.chunks(usize::from(mapping.keysyms_per_keycode).max(1)).map(<[_]>::to_vec);
        let modifiers = connection.get_modifier_mapping()?.reply()?;
        let each = (modifiers.keycodes.len() / MODIFIERS.len()).max(1);
        let modifiers = modifiers.keycodes.chunks(each).map(<[_]>::to_vec);
        Ok(Self { first, keysyms: keysyms.collect(), modifiers: modifiers.collect() })
    }

    /// The keys that are `keysym`, with or without Shift.
    fn codes(&self, keysym: u32) -> Vec<Keycode> {
        let codes = (self.first..=Keycode::MAX).zip(&self.keysyms);
        codes.filter(|(_, keysyms)| keysyms.iter().take(2).any(|one| *one == keysym)).map(|(code, _)| code).collect()
    }

    /// The modifier that the key `keysym` is, if it is one.
    fn modifier(&self, keysym: u32) -> Option<ModMask> {
        let is_it = |code: &Keycode| *code != 0 && self.is(*code, keysym);
        let found = MODIFIERS.iter().zip(&self.modifiers).find(|(_, keys)| keys.iter().any(is_it));
        found.map(|(mask, _)| *mask)
    }

    fn is(&self, code: Keycode, keysym: u32) -> bool {
        let at = code.checked_sub(self.first).map(usize::from);
        at.and_then(|at| self.keysyms.get(at)).is_some_and(|keysyms| keysyms.contains(&keysym))
    }

    /// Every way in which Caps Lock, Num Lock and Scroll Lock can be on: a grab is for one of them alone.
    fn locks(&self) -> Vec<ModMask> {
        let locks = [Some(ModMask::LOCK), self.modifier(NUM_LOCK), self.modifier(SCROLL_LOCK)];
        let mut ways = vec![ModMask::from(0_u16)];
        for lock in locks.into_iter().flatten() {
            let with: Vec<ModMask> = ways.iter().map(|way| *way | lock).filter(|way| !ways.contains(way)).collect();
            ways.extend(with);
        }
        ways
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A keyboard with three keys: Super, Num Lock and H.
    fn keyboard() -> Keyboard {
        let mut modifiers = vec![Vec::new(); MODIFIERS.len()];
        modifiers[4] = vec![0, 9];
        modifiers[6] = vec![8];
        Keyboard { first: 8, keysyms: vec![vec![SUPER], vec![NUM_LOCK], vec![0x68, 0x48]], modifiers }
    }

    #[test]
    fn keys_and_modifiers_are_found_where_the_keyboard_has_them() {
        let keyboard = keyboard();
        assert_eq!(keyboard.codes(0x68), [10]);
        assert!(keyboard.codes(0x61).is_empty());
        assert_eq!(keyboard.modifier(SUPER), Some(ModMask::M4));
        assert_eq!(keyboard.modifier(ALT), None);
    }

    #[test]
    fn a_lock_that_is_on_takes_no_shortcut_away() {
        let (none, lock, number) = (ModMask::from(0_u16), ModMask::LOCK, ModMask::M2);
        assert_eq!(keyboard().locks(), [none, lock, number, lock | number]);
    }
}
