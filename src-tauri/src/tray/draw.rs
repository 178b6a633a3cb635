//! Draws the tray.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tauri::menu::{IsMenuItem, Menu as NativeMenu, MenuItem, PredefinedMenuItem, Submenu};
use tauri::tray::{TrayIcon as NativeTray, TrayIconBuilder};
use tauri::{AppHandle, Wry};
use tokio::sync::watch;

use crate::essential_task;
use crate::os::PanelTone;
use crate::tray::drawing::TrayDrawing;
use crate::tray::icon::TrayIcon;
use crate::tray::menu::{Item, Menu, TrayState, menu};

/// Shortest time between two drawings. A panel fetches each menu anew; the one of Xfce 4.18 was seen
/// to crash when menus came at thirty a second, and not at three.
const MIN_PAUSE: Duration = Duration::from_millis(300);

/// The tray icon with its menu.
pub(crate) struct Tray {
    drawings: watch::Sender<Option<TrayDrawing>>,
}

#[derive(Clone)]
struct Native {
    tray: NativeTray<Wry>,
    picture: Arc<Mutex<(TrayIcon, PanelTone)>>,
}

/// Why there is no tray icon.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoTray {
    /// The system refused.
    #[error(transparent)]
    System(#[from] tauri::Error),
    /// The library is loaded when the first icon is built, and panics when it is not there.
    #[error("libayatana-appindicator3 is not installed")]
    NoLibrary,
}

impl Tray {
    /// Shows an icon with nothing waiting. `folder` is for the picture, which the panel reads from a
    /// file. Must be called on the main thread.
    ///
    /// # Errors
    /// When this system has no tray.
    pub(crate) fn build(app: &AppHandle, folder: &Path) -> Result<Self, NoTray> {
        let picture = (TrayIcon::Idle, PanelTone::Dark);
        let native_menu = native_menu(app, &menu(&TrayState::empty()))?;
        let builder = TrayIconBuilder::with_id("handraise")
            .icon(picture.0.image(picture.1))
            .icon_as_template(cfg!(target_os = "macos"))
            .menu(&native_menu)
            .show_menu_on_left_click(true)
            .temp_dir_path(folder);
        let built = catch_unwind(AssertUnwindSafe(|| builder.build(app))).map_err(|_| NoTray::NoLibrary)?;
        let native = Native { tray: built?, picture: Arc::new(Mutex::new(picture)) };
        let (drawings, wanted) = watch::channel(None);
        essential_task::spawn("the tray", draw_all(app.clone(), native, wanted));
        Ok(Self { drawings })
    }

    /// Draws, at once or after a short pause; of several drawings in that pause the last.
    pub(crate) fn draw(&self, drawing: &TrayDrawing) {
        self.drawings.send_replace(Some(drawing.clone()));
    }
}

async fn draw_all(app: AppHandle, native: Native, mut wanted: watch::Receiver<Option<TrayDrawing>>) {
    while wanted.changed().await.is_ok() {
        let Some(drawing) = wanted.borrow_and_update().clone() else { continue };
        let (native, handle) = (native.clone(), app.clone());
        let asked = app.run_on_main_thread(move || {
            if let Err(error) = native.draw(&handle, &drawing) {
                tracing::warn!(%error, "the tray could not be drawn");
            }
        });
        if let Err(error) = asked {
            tracing::warn!(%error, "the tray could not be drawn");
        }
        tokio::time::sleep(MIN_PAUSE).await;
    }
}

impl Native {
    fn draw(&self, app: &AppHandle, drawing: &TrayDrawing) -> tauri::Result<()> {
        let wanted = (drawing.icon, drawing.panel);
        let mut picture = self.picture.lock().unwrap_or_else(PoisonError::into_inner);
        if *picture != wanted {
            let image = Some(drawing.icon.image(drawing.panel));
            // Colours itself on macOS; set in one step, as it would flicker otherwise.
            self.tray.set_icon_with_as_template(image, cfg!(target_os = "macos"))?;
            *picture = wanted;
        }
        self.tray.set_tooltip(Some(&drawing.tooltip))?;
        self.tray.set_menu(Some(native_menu(app, &drawing.menu)?))
    }
}

fn native_menu(app: &AppHandle, menu: &Menu) -> tauri::Result<NativeMenu<Wry>> {
    let native = NativeMenu::new(app)?;
    for item in &menu.0 {
        native.append(native_item(app, item)?.as_ref())?;
    }
    Ok(native)
}

fn native_item(app: &AppHandle, item: &Item) -> tauri::Result<Box<dyn IsMenuItem<Wry>>> {
    Ok(match item {
        Item::Label(text) => Box::new(MenuItem::new(app, literal(text), false, None::<&str>)?),
        Item::Choice(choice, text) => {
            Box::new(MenuItem::with_id(app, choice.name(), literal(text), true, None::<&str>)?)
        }
        Item::Submenu(text, Menu(items)) => {
            let submenu = Submenu::new(app, literal(text), true)?;
            for item in items {
                submenu.append(native_item(app, item)?.as_ref())?;
            }
            Box::new(submenu)
        }
        Item::Separator => Box::new(PredefinedMenuItem::separator(app)?),
    })
}

/// An ampersand marks the letter after it; two of them are one that is meant.
fn literal(text: &str) -> String {
    text.replace('&', "&&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ampersand_is_meant() {
        assert_eq!(literal("a && b_c"), "a &&&& b_c");
    }
}
