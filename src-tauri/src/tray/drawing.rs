//! The tray as it should look.

use crate::os::PanelTone;
use crate::tray::icon::TrayIcon;
use crate::tray::menu::Menu;

/// The tray as it should look.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TrayDrawing {
    /// The picture.
    pub icon: TrayIcon,
    /// What the picture is on.
    pub panel: PanelTone,
    /// One line about the state, where the system shows one.
    pub tooltip: String,
    /// The menu.
    pub menu: Menu,
}
