//! The pointer and the keyboard of KWin and sway, which let a program speak for a device: the protocols
//! `org_kde_kwin_fake_input` (plasma-wayland-protocols) and `zwlr_virtual_pointer_v1` (wlr-protocols), byte by byte as
//! the Wayland protocol has it ("Wire Format").

use std::collections::HashMap;
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use super::wait::PATIENCE;

/// The object that every connection has.
const DISPLAY: u32 = 1;
const FAKE_INPUT: &str = "org_kde_kwin_fake_input";
const VIRTUAL_POINTER: &str = "zwlr_virtual_pointer_manager_v1";

/// A connection that moves the pointer and, on KWin, presses keys.
#[derive(Debug)]
pub(super) struct Hands {
    stream: UnixStream,
    last: u32,
    device: Device,
    screen: (u32, u32),
}

#[derive(Debug, Clone, Copy)]
enum Device {
    FakeInput(u32),
    VirtualPointer(u32),
}

/// A part of a message.
enum Word<'text> {
    Number(u32),
    /// A number in 256ths.
    Fixed(i32),
    Text(&'text str),
}

impl Hands {
    /// Connects to the compositor at `socket`, whose screen is so large.
    pub(super) fn connect(socket: &Path, screen: (u32, u32)) -> Result<Self> {
        let stream = UnixStream::connect(socket)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        let mut hands = Self { stream, last: DISPLAY, device: Device::FakeInput(0), screen };
        let registry = hands.new_object();
        hands.send(DISPLAY, 1, &[Word::Number(registry)])?;
        let globals = hands.round_trip(registry)?;
        let mut bind = |interface: &str, version: u32| -> Result<Option<u32>> {
            let Some(name) = globals.get(interface) else { return Ok(None) };
            let object = hands.new_object();
            let words = [Word::Number(*name), Word::Text(interface), Word::Number(version), Word::Number(object)];
            hands.send(registry, 0, &words)?;
            Ok(Some(object))
        };
        if let Some(input) = bind(FAKE_INPUT, 4)? {
            hands.send(input, 0, &[Word::Text("test"), Word::Text("test")])?;
            hands.device = Device::FakeInput(input);
        } else if let Some(manager) = bind(VIRTUAL_POINTER, 1)? {
            let pointer = hands.new_object();
            // Any seat.
            hands.send(manager, 0, &[Word::Number(0), Word::Number(pointer)])?;
            hands.device = Device::VirtualPointer(pointer);
        } else {
            bail!("the compositor lets no program move the pointer: {globals:?}");
        }
        hands.settle()?;
        Ok(hands)
    }

    /// Moves the pointer to this pixel.
    pub(super) fn move_to(&mut self, x: i32, y: i32) -> Result<()> {
        let inside = |at: i32, size: u32| u32::try_from(at).unwrap_or(0).min(size.saturating_sub(1));
        let (x, y) = (inside(x, self.screen.0), inside(y, self.screen.1));
        match self.device {
            Device::FakeInput(input) => {
                self.send(input, 9, &[Word::Fixed(i32::try_from(x)?), Word::Fixed(i32::try_from(y)?)])?;
            }
            Device::VirtualPointer(pointer) => {
                let (width, height) = self.screen;
                self.send(pointer, 1, &[0, x, y, width, height].map(Word::Number))?;
                self.send(pointer, 4, &[])?;
            }
        }
        self.settle()
    }

    /// Presses or lets go of a button, by its number in `linux/input-event-codes.h`.
    pub(super) fn button(&mut self, button: u32, is_down: bool) -> Result<()> {
        let words = [button, u32::from(is_down)];
        match self.device {
            Device::FakeInput(input) => self.send(input, 2, &words.map(Word::Number))?,
            Device::VirtualPointer(pointer) => {
                self.send(pointer, 2, &[0, words[0], words[1]].map(Word::Number))?;
                self.send(pointer, 4, &[])?;
            }
        }
        self.settle()
    }

    /// Presses or lets go of a key, by its number in `linux/input-event-codes.h`.
    pub(super) fn key(&mut self, key: u32, is_down: bool) -> Result<()> {
        let Device::FakeInput(input) = self.device else { bail!("this compositor's keys are wtype's") };
        self.send(input, 10, &[key, u32::from(is_down)].map(Word::Number))?;
        self.settle()
    }

    fn new_object(&mut self) -> u32 {
        self.last += 1;
        self.last
    }

    /// Waits until the compositor has taken in everything that was sent.
    fn settle(&mut self) -> Result<()> {
        self.round_trip(0).map(drop)
    }

    /// Asks for an answer, and gives what `registry` has announced before it: interfaces with their numbers.
    fn round_trip(&mut self, registry: u32) -> Result<HashMap<String, u32>> {
        let callback = self.new_object();
        self.send(DISPLAY, 0, &[Word::Number(callback)])?;
        let mut globals = HashMap::new();
        loop {
            let mut head = [0; 8];
            self.stream.read_exact(&mut head)?;
            let [object, word] = [0, 4].map(|at| number(&head, at));
            let (object, word) = (object?, word?);
            let mut body = vec![0; usize::try_from(word >> 16)?.saturating_sub(8)];
            self.stream.read_exact(&mut body)?;
            let event = word & 0xffff;
            ensure!((object, event) != (DISPLAY, 0), "the compositor refused: {}", String::from_utf8_lossy(&body));
            if object == callback {
                return Ok(globals);
            }
            if object == registry && event == 0 {
                let length = usize::try_from(number(&body, 4)?)?;
                let name = body.get(8..8 + length.saturating_sub(1)).context("a name that is cut off")?;
                globals.insert(String::from_utf8(name.to_vec())?, number(&body, 0)?);
            }
        }
    }

    fn send(&mut self, object: u32, request: u32, words: &[Word<'_>]) -> Result<()> {
        let mut body = Vec::new();
        for word in words {
            match word {
                Word::Number(number) => body.extend(number.to_ne_bytes()),
                Word::Fixed(number) => body.extend((number * 256).to_ne_bytes()),
                Word::Text(text) => {
                    body.extend(u32::try_from(text.len() + 1)?.to_ne_bytes());
                    body.extend(text.as_bytes());
                    // The end of the text, and what is left of the last word.
                    body.resize((body.len() / 4 + 1) * 4, 0);
                }
            }
        }
        let size = u32::try_from(body.len() + 8)?;
        let head = [object, size << 16 | request].map(u32::to_ne_bytes).concat();
        Ok(self.stream.write_all(&[head, body].concat())?)
    }
}

fn number(bytes: &[u8], at: usize) -> Result<u32> {
    let word = bytes.get(at..at + 4).context("a message that is cut off")?;
    Ok(u32::from_ne_bytes(word.try_into()?))
}
