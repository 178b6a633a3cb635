//! How a window comes up.

use crate::strings::Text;

/// A window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum WindowName {
    /// Requests.
    Prompt,
    /// Settings.
    Settings,
}

impl WindowName {
    /// The label that its capability names.
    #[must_use]
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Prompt => "prompt",
            Self::Settings => "settings",
        }
    }

    /// The window with this label.
    #[must_use]
    pub(crate) fn labelled(label: &str) -> Option<Self> {
        [Self::Prompt, Self::Settings].into_iter().find(|name| name.label() == label)
    }

    /// Its title.
    #[must_use]
    pub(crate) fn title(self) -> String {
        match self {
            Self::Prompt => Text::AppName.get(),
            Self::Settings => Text::SettingsTitle.get(),
        }
    }

    /// Its page.
    #[must_use]
    pub(crate) fn page(self) -> &'static str {
        match self {
            Self::Prompt => "prompt.html",
            Self::Settings => "settings.html",
        }
    }
}

/// Why a window comes up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Attention {
    /// By itself: on top, and without the keyboard, which belongs to whatever the person is typing in.
    ByItself,
    /// The program was started once more: the same, and one that is open is marked. Any program can do that.
    StartedAgain,
    /// A person clicked on something here: it may take the keyboard.
    Asked,
}

/// How the prompt window comes up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PromptSpec {
    /// Why.
    pub attention: Attention,
    /// Open requests.
    pub waiting: usize,
    /// What lets it take the keyboard, from the click that it comes up for.
    pub token: Option<String>,
}

/// Width and height in logical pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Size {
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

/// The smallest that the prompt window can be made.
pub(crate) const MIN_PROMPT: Size = Size { width: 420.0, height: 320.0 };
/// The settings window at first, and the smallest that it can be made.
pub(crate) const SETTINGS: Size = Size { width: 860.0, height: 640.0 };
/// See [`SETTINGS`].
pub(crate) const MIN_SETTINGS: Size = Size { width: 560.0, height: 420.0 };

/// What the page of the prompt window says when it has laid out what it will show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Layout {
    /// The size that all of it needs.
    pub size: Size,
    /// The colour behind it, as red, green and blue: what is seen until it is painted.
    pub background: [u8; 3],
}

impl PromptSpec {
    /// The window before anybody has asked for it.
    #[must_use]
    pub(crate) fn unseen() -> Self {
        Self { attention: Attention::ByItself, waiting: 0, token: None }
    }

    /// Whether it stays above other windows: one that waits for an answer and was not asked for. With nothing to answer it is
    /// a window like any other.
    #[must_use]
    pub(crate) fn is_urgent(&self) -> bool {
        self.attention != Attention::Asked && self.waiting > 0
    }

    /// Its size at first: wider with a list beside the request.
    #[must_use]
    pub(crate) fn size(&self) -> Size {
        if self.waiting > 1 { Size { width: 860.0, height: 560.0 } } else { Size { width: 640.0, height: 480.0 } }
    }
}

/// How much of the screen a window may take by itself.
const SHARE: f64 = 0.8;

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
        let size = |waiting| PromptSpec { attention: Attention::ByItself, waiting, token: None }.size();
        assert_eq!(size(1), Size { width: 640.0, height: 480.0 });
        assert_eq!(size(2), Size { width: 860.0, height: 560.0 });
    }

    #[test]
    fn a_window_grows_with_its_content_as_far_as_the_screen_has_room() {
        let size = |width, height| Size { width, height };
        let (now, screen) = (size(640.0, 480.0), size(1280.0, 800.0));
        assert_eq!(fitting(now, size(600.0, 400.0), screen), now);
        assert_eq!(fitting(now, size(700.0, 550.5), screen), size(700.0, 551.0));
        assert_eq!(fitting(now, size(5000.0, 5000.0), screen), size(1024.0, 640.0));
        assert_eq!(fitting(now, size(f64::NAN, f64::NAN), screen), size(1024.0, 640.0));
    }

    #[test]
    fn only_what_waits_and_was_not_asked_for_stays_above() {
        let urgent = |attention, waiting| PromptSpec { attention, waiting, token: None }.is_urgent();
        assert!(urgent(Attention::ByItself, 1) && urgent(Attention::StartedAgain, 2));
        assert!(!urgent(Attention::Asked, 1) && !urgent(Attention::StartedAgain, 0));
    }

    #[test]
    fn a_window_is_found_by_its_label() {
        assert_eq!(WindowName::labelled("settings"), Some(WindowName::Settings));
        assert_eq!(WindowName::labelled("other"), None);
    }
}
