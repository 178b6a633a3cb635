//! The least that a Tauri application with a tray icon is: what `tests/benches/desktop.rs` holds the memory of the real one
//! against. It has the same library, no window, and a menu of one entry.

use tauri::image::Image;
use tauri::menu::{Menu, MenuItem};
use tauri::tray::TrayIconBuilder;
use tauri::{RunEvent, include_image};

const ICON: Image<'_> = include_image!("../icons/32x32.png");

#[expect(clippy::exit, reason = "in what `generate_context` makes")]
fn main() -> tauri::Result<()> {
    let app = tauri::Builder::default().build(tauri::generate_context!())?;
    let quit = MenuItem::with_id(&app, "quit", "Quit", true, None::<&str>)?;
    let menu = Menu::with_items(&app, &[&quit])?;
    TrayIconBuilder::with_id("empty").icon(ICON).menu(&menu).build(&app)?;
    app.run(|_, event| {
        if let RunEvent::ExitRequested { code: None, api, .. } = event {
            api.prevent_exit();
        }
    });
    Ok(())
}
