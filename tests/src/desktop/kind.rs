//! The desktops that the application is tried on.

/// A desktop, with its own notification server and tray.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Xfce on X11: Xvfb, xfwm4, xfce4-panel, xfce4-notifyd. `scripts/setup test` installs it, the others
    /// `scripts/setup desktops`.
    Xfce,
    /// GNOME Shell on Wayland, which is all of it in one program. It shows tray icons by an extension only.
    Gnome,
    /// KDE Plasma on Wayland: KWin, and plasmashell for the rest.
    Plasma,
    /// sway on Wayland, with waybar and mako.
    Sway,
}

/// The socket of each Wayland compositor; its folder is the desktop's own. sway takes the first that is free.
pub(super) const SOCKET: &str = "wayland-1";

impl Kind {
    /// What its programs find in their environment.
    pub(super) fn environment(self) -> Vec<(&'static str, &'static str)> {
        let own: &[(&str, &str)] = match self {
            Self::Xfce => return X11.to_vec(),
            Self::Gnome => &[
                ("XDG_CURRENT_DESKTOP", "GNOME"),
                ("GSETTINGS_BACKEND", "keyfile"),
                ("XDG_SESSION_CLASS", "user"),
                ("XDG_SESSION_ID", "c1"),
            ],
            Self::Plasma => &[
                ("XDG_CURRENT_DESKTOP", "KDE"),
                ("GSETTINGS_BACKEND", "memory"),
                ("KDE_FULL_SESSION", "true"),
                ("KDE_SESSION_VERSION", "5"),
                ("DESKTOP_SESSION", "plasma"),
                ("KDE_NO_GLOBAL_MENU", "1"),
                ("QT_QPA_PLATFORM", "wayland"),
                ("QT_LINUX_ACCESSIBILITY_ALWAYS_ON", "1"),
                // Pictures of the screen for everybody: only the harness is here.
                ("KWIN_SCREENSHOT_NO_PERMISSION_CHECKS", "1"),
            ],
            Self::Sway => &[("XDG_CURRENT_DESKTOP", "sway"), ("GSETTINGS_BACKEND", "memory")],
        };
        let wayland = [("XDG_SESSION_TYPE", "wayland"), ("GDK_BACKEND", "wayland"), ("WAYLAND_DISPLAY", SOCKET)];
        own.iter().copied().chain(wayland).collect()
    }

    /// What its session bus may start on demand, by the names of the packages' files: the accessibility bus (finding
    /// buttons on the screen), and what the desktop cannot do without. Where the notification server is a program of
    /// its own it is not among them: were it, the bus would start any one that is installed as soon as a test stops
    /// the desktop's own.
    pub(super) fn services(self) -> &'static [&'static str] {
        match self {
            Self::Xfce => &["org.a11y.Bus", "org.xfce.Xfconf"],
            Self::Gnome => &["org.a11y.Bus", "org.gnome.Shell.Notifications", "org.gnome.ScreenSaver"],
            Self::Plasma => &["org.a11y.Bus", "org.kde.ActivityManager", "org.kde.kglobalaccel"],
            Self::Sway => &["org.a11y.Bus"],
        }
    }

    /// What the program that draws notifications calls itself on the accessibility bus; mako is not there.
    pub(super) fn popup_program(self) -> Option<&'static str> {
        match self {
            Self::Xfce => Some("xfce4-notifyd"),
            Self::Gnome => Some("gnome-shell"),
            Self::Plasma => Some("plasmashell"),
            Self::Sway => None,
        }
    }
}

const X11: [(&str, &str); 4] = [
    ("GDK_BACKEND", "x11"),
    ("GSETTINGS_BACKEND", "memory"),
    ("XDG_CURRENT_DESKTOP", "XFCE"),
    ("XDG_SESSION_TYPE", "x11"),
];
