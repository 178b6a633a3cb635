//! A combination of keys that works wherever the keyboard is, as a person writes it: `Super+Shift+H`.

use std::fmt;

/// A combination of keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shortcut {
    /// Control is held.
    pub control: bool,
    /// Alt is held.
    pub alt: bool,
    /// Shift is held.
    pub shift: bool,
    /// The logo key is held: Super, Windows.
    pub logo: bool,
    /// The key, as `xkbcommon-keysyms.h` calls it without `XKB_KEY_`: `h`, `F5`, `Return`.
    pub key: String,
    /// Its number there.
    pub keysym: u32,
}

impl Shortcut {
    /// Reads `text`: names of modifiers and one key, with `+` in between. `None`: it is no such combination, or it has
    /// none of the modifiers that keep it from being a letter that somebody types.
    #[must_use]
    pub(crate) fn read(text: &str) -> Option<Self> {
        let (modifiers, key) = text.rsplit_once('+')?;
        let (key, keysym) = known(key.trim())?;
        let mut shortcut = Self { control: false, alt: false, shift: false, logo: false, key, keysym };
        for modifier in modifiers.split('+') {
            let held = match modifier.trim().to_ascii_lowercase().as_str() {
                "ctrl" | "control" | "strg" => &mut shortcut.control,
                "alt" => &mut shortcut.alt,
                "shift" | "umschalt" => &mut shortcut.shift,
                "logo" | "super" | "meta" | "win" => &mut shortcut.logo,
                _ => return None,
            };
            if std::mem::replace(held, true) {
                return None;
            }
        }
        (shortcut.control || shortcut.alt || shortcut.logo).then_some(shortcut)
    }
}

/// As the specification of the freedesktop for shortcuts writes it: `LOGO+SHIFT+h`.
impl fmt::Display for Shortcut {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let modifiers = [(self.control, "CTRL"), (self.alt, "ALT"), (self.shift, "SHIFT"), (self.logo, "LOGO")];
        for (_, name) in modifiers.into_iter().filter(|(is_held, _)| *is_held) {
            write!(formatter, "{name}+")?;
        }
        formatter.write_str(&self.key)
    }
}

/// Keys that are called by a name, with their numbers (`keysymdef.h` of the X Window System).
const NAMED: [(&str, u32); 17] = [
    ("space", 0x20),
    ("Tab", 0xff09),
    ("Return", 0xff0d),
    ("Pause", 0xff13),
    ("Escape", 0xff1b),
    ("Home", 0xff50),
    ("Left", 0xff51),
    ("Up", 0xff52),
    ("Right", 0xff53),
    ("Down", 0xff54),
    ("Page_Up", 0xff55),
    ("Page_Down", 0xff56),
    ("End", 0xff57),
    ("Print", 0xff61),
    ("Insert", 0xff63),
    ("Menu", 0xff67),
    ("Delete", 0xffff),
];
/// The number of the key F1; the others follow.
const F1: u32 = 0xffbe;

/// The name and the number of a key, however it is written.
fn known(key: &str) -> Option<(String, u32)> {
    if let [byte] = key.as_bytes()
        && byte.is_ascii_alphanumeric()
    {
        let byte = byte.to_ascii_lowercase();
        return Some((char::from(byte).to_string(), u32::from(byte)));
    }
    let number = key.strip_prefix(['F', 'f']).and_then(|number| number.parse::<u32>().ok());
    if let Some(number) = number.filter(|number| (1..=24).contains(number)) {
        return Some((format!("F{number}"), F1 + number - 1));
    }
    let found = NAMED.iter().find(|(name, _)| name.eq_ignore_ascii_case(key));
    found.map(|(name, number)| ((*name).to_owned(), *number))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> Option<String> {
        Some(Shortcut::read(text)?.to_string())
    }

    #[test]
    fn it_is_read_as_people_write_it_and_written_as_the_specification_does() {
        assert_eq!(written("Super+Shift+H").as_deref(), Some("SHIFT+LOGO+h"));
        assert_eq!(written("SHIFT+LOGO+h").as_deref(), Some("SHIFT+LOGO+h"));
        assert_eq!(written("ctrl + alt + return").as_deref(), Some("CTRL+ALT+Return"));
        assert_eq!(written("Alt+f12").as_deref(), Some("ALT+F12"));
        assert_eq!(Shortcut::read("Meta+F1").unwrap().keysym, 0xffbe);
        assert_eq!(Shortcut::read("Meta+H").unwrap().keysym, 0x68);
    }

    #[test]
    fn what_would_take_a_letter_from_whoever_types_is_none() {
        for text in ["", "h", "Shift+h", "Super+", "+h", "Super+Super+h", "Hyper+h", "Super+ü", "Super+F25", "Super+hh"]
        {
            assert_eq!(written(text), None, "{text:?}");
        }
    }
}
