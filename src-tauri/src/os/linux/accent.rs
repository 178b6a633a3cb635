//! The accent colour of the desktop: what GTK's theme marks a selection with, also for Plasma, which writes its own colour there.

use std::sync::atomic::{AtomicU32, Ordering};

use gtk::gdk::RGBA;
use gtk::glib;
use gtk::prelude::{GtkSettingsExt, StyleContextExt};

/// The name that themes give it (GTK 3, "Overview of GTK+ styling"; Adwaita, `_colors-public.scss`).
const NAME: &str = "theme_selected_bg_color";
/// No colour: one has three bytes.
const NONE: u32 = u32::MAX;

/// What GTK may say on its own thread only, for all the others.
static ACCENT: AtomicU32 = AtomicU32::new(NONE);

/// Reads it, and again with each new theme. Must be called on the main thread.
pub(crate) fn watch() {
    read();
    let Some(settings) = gtk::Settings::default() else { return };
    // The theme's own files are read after this is told.
    let again = |_: &gtk::Settings| {
        glib::idle_add_local_once(read);
    };
    settings.connect_gtk_theme_name_notify(again);
    settings.connect_gtk_application_prefer_dark_theme_notify(again);
}

/// The colour as CSS spells it, `#3584e4`; `None` where the theme names none.
#[must_use]
pub(crate) fn in_force() -> Option<String> {
    let colour = ACCENT.load(Ordering::Relaxed);
    (colour != NONE).then(|| format!("#{colour:06x}"))
}

fn read() {
    let colour = gtk::StyleContext::new().lookup_color(NAME);
    ACCENT.store(colour.map_or(NONE, |colour| packed(&colour)), Ordering::Relaxed);
}

/// Red, green and blue, a byte each.
fn packed(colour: &RGBA) -> u32 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of 255 that is held to its bounds"
    )]
    let byte = |share: f64| (share.clamp(0.0, 1.0) * 255.0).round() as u32;
    byte(colour.red()) << 16 | byte(colour.green()) << 8 | byte(colour.blue())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colour_is_packed_into_three_bytes() {
        assert_eq!(packed(&RGBA::new(1.0, 0.5, 0.0, 1.0)), 0x00ff_8000);
        assert_eq!(packed(&RGBA::new(7.0, -1.0, 1.0, 0.0)), 0x00ff_00ff);
    }
}
