//! Which picture the tray shows.

use handraise_protocol::Mode;
use tauri::image::Image;

use crate::os::PanelTone;

/// What the tray icon says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TrayIcon {
    /// Nothing is waiting.
    Idle,
    /// A person is being asked.
    Waiting,
    /// A person has paused; nothing is waiting.
    Paused,
}

impl TrayIcon {
    /// The icon for `waiting` open requests in `mode`. A waiting request outranks a pause.
    #[must_use]
    pub(crate) fn of(mode: Mode, waiting: usize) -> Self {
        match (waiting, mode) {
            (0, Mode::Normal) => Self::Idle,
            (0, _) => Self::Paused,
            _ => Self::Waiting,
        }
    }

    /// The picture, for a panel of this tone.
    #[must_use]
    pub(crate) fn image(self, panel: PanelTone) -> Image<'static> {
        match (self, panel) {
            (Self::Idle, PanelTone::Dark) => tauri::include_image!("../icons/tray/idle-dark.png"),
            (Self::Idle, PanelTone::Light) => tauri::include_image!("../icons/tray/idle-light.png"),
            (Self::Waiting, PanelTone::Dark) => tauri::include_image!("../icons/tray/waiting-dark.png"),
            (Self::Waiting, PanelTone::Light) => tauri::include_image!("../icons/tray/waiting-light.png"),
            (Self::Paused, PanelTone::Dark) => tauri::include_image!("../icons/tray/paused-dark.png"),
            (Self::Paused, PanelTone::Light) => tauri::include_image!("../icons/tray/paused-light.png"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_waiting_request_outranks_a_pause() {
        assert_eq!(TrayIcon::of(Mode::Normal, 0), TrayIcon::Idle);
        assert_eq!(TrayIcon::of(Mode::AskEverything, 0), TrayIcon::Paused);
        assert_eq!(TrayIcon::of(Mode::AskEverything, 1), TrayIcon::Waiting);
        assert_eq!(TrayIcon::of(Mode::DenyEverything, 0), TrayIcon::Paused);
    }

    #[test]
    fn every_picture_is_44_pixels_square() {
        for icon in [TrayIcon::Idle, TrayIcon::Waiting, TrayIcon::Paused] {
            for panel in [PanelTone::Dark, PanelTone::Light] {
                let image = icon.image(panel);
                assert_eq!((image.width(), image.height()), (44, 44), "{icon:?} {panel:?}");
            }
        }
    }
}
