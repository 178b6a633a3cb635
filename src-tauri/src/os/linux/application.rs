//! What the desktop knows the application by, and how its windows come to the front.

use std::time::Duration;

use gtk::gdk::Display;
use gtk::gdk::prelude::DisplayExtManual;
use gtk::prelude::{GtkWindowExt, WidgetExt};
use gtk::{ApplicationWindow, glib};
use tauri::WebviewWindow;

/// The one name of the application on the desktop: that of its desktop entry (`Handraise.desktop`, which the packages
/// name after `productName`), of its windows (`app_id` of Wayland, `WM_CLASS` of X11) and of its notifications.
pub(super) const APPLICATION: &str = "Handraise";
/// The name of its icon, which the packages name after the program.
pub(super) const ICON: &str = "handraise-desktop";
/// How long a compositor may take to let a window have the keyboard that has a token for it.
const MAX_ACTIVATION: Duration = Duration::from_millis(300);
/// The longest token that is passed on. They are a few dozen characters.
const MAX_TOKEN: usize = 512;

/// Gives the windows their name. Must be called before the first of them, and before GTK is started.
pub(crate) fn name_application() {
    glib::set_prgname(Some(APPLICATION));
    glib::set_application_name(APPLICATION);
}

/// Brings a window that is open to the front, because of a click that a person made. On Wayland only a `token` that
/// the compositor gave for that click lets it (xdg-activation-v1). GNOME 43 gives none, and sway only marks the window.
/// There it is put up anew, as a new window comes to the front.
///
/// # Errors
/// When the system refuses.
pub(crate) fn activate(window: &WebviewWindow, token: Option<String>) -> tauri::Result<()> {
    let shown = window.clone();
    window.run_on_main_thread(move || {
        let is_wayland = Display::default().is_some_and(|display| display.backend().is_wayland());
        let raised = match shown.gtk_window() {
            _ if !is_wayland && token.is_none() => shown.set_focus(),
            Ok(shown) => {
                present(&shown, token.as_deref(), is_wayland);
                Ok(())
            }
            Err(error) => Err(error),
        };
        if let Err(error) = raised {
            tracing::warn!(%error, "the window could not be brought to the front");
        }
    })
}

/// Marks a window that is open, and leaves the keyboard where it is. A Wayland compositor does that to one that has no token,
/// or says that it is ready.
///
/// # Errors
/// When the system refuses.
pub(crate) fn call_attention(window: &WebviewWindow) -> tauri::Result<()> {
    let shown = window.clone();
    window.run_on_main_thread(move || {
        let is_wayland = Display::default().is_some_and(|display| display.backend().is_wayland());
        match shown.gtk_window() {
            Ok(window) if is_wayland => window.present(),
            // Raised, xfwm4 gives it the keyboard.
            Ok(window) => window.set_urgency_hint(true),
            Err(error) => tracing::warn!(%error, "the window could not be shown"),
        }
    })
}

pub(super) fn present(window: &ApplicationWindow, token: Option<&str>, is_wayland: bool) {
    if window.is_active() {
        return;
    }
    let Some(token) = token else { return put_up_anew(window) };
    window.set_startup_id(token);
    window.present();
    if is_wayland {
        let window = window.clone();
        glib::timeout_add_local_once(MAX_ACTIVATION, move || {
            if window.is_visible() && !window.is_active() {
                put_up_anew(&window);
            }
        });
    }
}

fn put_up_anew(window: &ApplicationWindow) {
    window.hide();
    window.present();
}

/// The token `text` of a notification server, if it looks like one.
pub(super) fn token(text: String) -> Option<String> {
    let is_usable = !text.is_empty() && text.len() <= MAX_TOKEN && text.bytes().all(|byte| byte.is_ascii_graphic());
    is_usable.then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_looks_like_a_token_is_passed_on() {
        assert_eq!(token("kwin-1".to_owned()).as_deref(), Some("kwin-1"));
        for other in [String::new(), "a b".to_owned(), "a\0b".to_owned(), "é".to_owned(), "x".repeat(513)] {
            assert_eq!(token(other.clone()), None, "{other:?}");
        }
    }

    /// The packages name the desktop entry after `productName` and the icon after the program.
    #[test]
    fn windows_notifications_and_packages_have_one_name() {
        let configuration: serde_json::Value = serde_json::from_str(include_str!("../../../tauri.conf.json")).unwrap();
        assert_eq!(configuration["productName"], APPLICATION);
        assert_eq!(configuration["mainBinaryName"], ICON);
        for package in ["deb", "rpm"] {
            assert_eq!(configuration["bundle"]["linux"][package]["desktopTemplate"], "desktop-entry.hbs", "{package}");
        }
        let template = include_str!("../../../desktop-entry.hbs");
        assert!(template.lines().any(|line| line == format!("StartupWMClass={APPLICATION}")));
        assert!(template.lines().any(|line| line == "Icon={{icon}}"));
    }
}
