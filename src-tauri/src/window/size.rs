//! How large a window is.

use serde::{Deserialize, Serialize};

/// Width and height in logical pixels.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Size {
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

/// What a window shows when it comes up. A person who makes it larger or smaller does so for what it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Showing {
    /// The prompt window: nothing waits.
    Nothing,
    /// One command line.
    Command,
    /// One change of a file.
    Change,
    /// One call of another tool.
    Tool,
    /// One question.
    Question,
    /// More than one thing that waits, in a list beside the first.
    List,
    /// The settings.
    Settings,
}

impl Showing {
    /// The size of a window that nobody has made larger or smaller.
    #[must_use]
    pub(crate) fn usual_size(self) -> Size {
        match self {
            Self::Nothing | Self::Command | Self::Change | Self::Tool | Self::Question => {
                Size { width: 640.0, height: 480.0 }
            }
            Self::List => Size { width: 860.0, height: 560.0 },
            // The first steps in whole, with their buttons.
            Self::Settings => Size { width: 860.0, height: 720.0 },
        }
    }

    /// The smallest that its window can be made.
    #[must_use]
    pub(crate) fn min_size(self) -> Size {
        match self {
            Self::Settings => Size { width: 560.0, height: 420.0 },
            _ => Size { width: 420.0, height: 320.0 },
        }
    }
}

/// How much of the screen a window may take by growing with its content.
const SHARE: f64 = 0.8;
/// How much of it a window takes at most in its usual size.
const SHARE_AT_FIRST: f64 = 0.9;

/// The usual size `wanted` of a window, as far as the screen has room for it.
#[must_use]
pub(crate) fn with_room(wanted: Size, screen: Size) -> Size {
    let fit = |wanted: f64, screen: f64| wanted.min((screen * SHARE_AT_FIRST).floor());
    Size { width: fit(wanted.width, screen.width), height: fit(wanted.height, screen.height) }
}

/// The size of a window of the size `now` that needs the size `wanted`: never smaller than it is, and not
/// larger than the screen has room for.
#[must_use]
pub(crate) fn fitting(now: Size, wanted: Size, screen: Size) -> Size {
    let fit = |now: f64, wanted: f64, screen: f64| now.max(wanted.min((screen * SHARE).floor())).ceil();
    Size { width: fit(now.width, wanted.width, screen.width), height: fit(now.height, wanted.height, screen.height) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_needs_more_room() {
        let (one, list) = (Showing::Command.usual_size(), Showing::List.usual_size());
        assert!(list.width > one.width && list.height > one.height);
    }

    #[test]
    fn a_window_grows_with_its_content_as_far_as_the_screen_has_room() {
        let size = |width, height| Size { width, height };
        let (now, screen) = (size(640.0, 480.0), size(1280.0, 800.0));
        assert_eq!(fitting(now, size(600.0, 400.0), screen), now);
        assert_eq!(fitting(now, size(700.0, 550.5), screen), size(700.0, 551.0));
        assert_eq!(fitting(now, size(5000.0, 5000.0), screen), size(1024.0, 640.0));
        assert_eq!(fitting(now, size(f64::NAN, f64::NAN), screen), size(1024.0, 640.0));
        assert_eq!(with_room(Showing::Settings.usual_size(), screen), size(860.0, 720.0));
        assert_eq!(with_room(Showing::Settings.usual_size(), size(1280.0, 720.0)), size(860.0, 648.0));
    }
}
