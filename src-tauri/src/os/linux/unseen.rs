//! A window that waits unseen, and comes up without taking the keyboard.
//!
//! On its way it is a new window to the desktop each time: its surface is given back when it goes (`unrealize`), so that
//! place, stacking, list of windows and keyboard are decided as for one that has never been there. That is also how a window
//! that was asked for comes forward on Wayland without a token.
//!
//! WebKit draws nothing as long as the window is not on the screen, and at first shows what it drew last. So the page is
//! covered with the colour of the window until it says that it has painted: what it showed the last time is never seen.

use std::cell::Cell;
use std::rc::Rc;

use gtk::gdk::Display;
use gtk::gdk::prelude::{DeviceExt, DisplayExtManual, MonitorExt, SeatExt};
use gtk::prelude::{BinExt, GtkWindowExt, WidgetExt};
use gtk::{Allocation, ApplicationWindow, glib};
use tauri::WebviewWindow;

use super::application::present;
use crate::os::Appearing;

/// Gives the page of a window that nobody sees the room that it will have, so that it lays itself out.
///
/// # Errors
/// When the system refuses.
pub(crate) fn lay_out(window: &WebviewWindow, width: f64, height: f64) -> tauri::Result<()> {
    with_window(window, move |window| {
        if !window.is_visible() {
            cover(window, true);
            let (width, height) = (whole(width), whole(height));
            window.resize(width, height);
            give_room(window, width, height);
        }
    })
}

/// Puts a window that nobody sees on the screen, in the middle of it, covered.
///
/// # Errors
/// When the system refuses.
pub(crate) fn show(window: &WebviewWindow, appearing: Appearing) -> tauri::Result<()> {
    with_window(window, move |window| {
        if window.is_visible() {
            return;
        }
        let Appearing { width, height, is_asked, stays_above, token } = appearing;
        let (width, height) = (whole(width), whole(height));
        window.resize(width, height);
        put_in_the_middle(window, width, height);
        window.set_focus_on_map(is_asked);
        leave_keyboard_at_first(window, is_asked);
        window.set_keep_above(stays_above);
        if stays_above {
            window.stick();
        } else {
            window.unstick();
        }
        if is_asked {
            let is_wayland = Display::default().is_some_and(|display| display.backend().is_wayland());
            present(window, token.as_deref(), is_wayland);
        } else {
            window.show();
        }
    })
}

/// Lets the page be seen.
///
/// # Errors
/// When the system refuses.
pub(crate) fn uncover(window: &WebviewWindow) -> tauri::Result<()> {
    with_window(window, |window| cover(window, false))
}

/// Takes a window from the screen. It waits unseen.
///
/// # Errors
/// When the system refuses.
pub(crate) fn put_away(window: &WebviewWindow) -> tauri::Result<()> {
    with_window(window, |window| {
        cover(window, true);
        window.hide();
        window.unrealize();
    })
}

/// Hands the size of a window to `then`, in logical pixels: the one that it would be given to stay as large as it is. What
/// Tauri tells counts the frame as well where the program draws it.
///
/// # Errors
/// When the system refuses.
pub(crate) fn read_size(window: &WebviewWindow, then: impl FnOnce(f64, f64) + Send + 'static) -> tauri::Result<()> {
    with_window(window, |window| {
        let (width, height) = window.size();
        then(width.into(), height.into());
    })
}

fn with_window(window: &WebviewWindow, act: impl FnOnce(&ApplicationWindow) + Send + 'static) -> tauri::Result<()> {
    let shown = window.clone();
    window.run_on_main_thread(move || match shown.gtk_window() {
        Ok(window) => act(&window),
        Err(error) => tracing::warn!(%error, "the window could not be reached"),
    })
}

fn cover(window: &ApplicationWindow, is_covered: bool) {
    if let Some(page) = window.child() {
        page.set_opacity(if is_covered { 0.0 } else { 1.0 });
    }
}

fn give_room(window: &ApplicationWindow, width: i32, height: i32) {
    if let Some(page) = window.child() {
        // Tauri leaves what is in a hidden window hidden as well.
        page.show_all();
        // GTK wants to be asked before it is told.
        page.preferred_size();
        page.size_allocate(&Allocation::new(0, 0, width, height));
    }
}

/// A Wayland compositor decides for itself.
fn put_in_the_middle(window: &ApplicationWindow, width: i32, height: i32) {
    let display = window.display();
    let pointed_at = || {
        let (_, x, y) = display.default_seat()?.pointer()?.position();
        display.monitor_at_point(x, y)
    };
    let Some(monitor) = pointed_at().or_else(|| display.primary_monitor()) else { return };
    let area = monitor.workarea();
    window.move_(area.x() + (area.width() - width) / 2, area.y() + (area.height() - height) / 2);
}

/// A window manager of X11 gives no keyboard to a window that takes none. Once it is drawn, a click gives it one.
fn leave_keyboard_at_first(window: &ApplicationWindow, is_asked: bool) {
    window.set_accept_focus(is_asked);
    if is_asked {
        return;
    }
    let handler = Rc::new(Cell::new(None));
    let own = handler.clone();
    let drawn = window.connect_draw(move |window, _| {
        if let Some(handler) = own.take() {
            window.set_accept_focus(true);
            glib::ObjectExt::disconnect(window, handler);
        }
        glib::Propagation::Proceed
    });
    handler.set(Some(drawn));
}

#[expect(clippy::cast_possible_truncation, reason = "a size of a screen")]
fn whole(length: f64) -> i32 {
    length.ceil() as i32
}
