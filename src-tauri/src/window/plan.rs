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
    /// A person clicked on something here: it may take the keyboard.
    Asked,
}

/// How the prompt window comes up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PromptPlan {
    /// Why.
    pub attention: Attention,
    /// Open requests.
    pub waiting: usize,
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
pub(crate) const SMALLEST_PROMPT: Size = Size { width: 420.0, height: 320.0 };
/// The settings window at first, and the smallest that it can be made.
pub(crate) const SETTINGS: Size = Size { width: 860.0, height: 640.0 };
/// See [`SETTINGS`].
pub(crate) const SMALLEST_SETTINGS: Size = Size { width: 560.0, height: 420.0 };

impl PromptPlan {
    /// Its size at first: wider with a list beside the request.
    #[must_use]
    pub(crate) fn size(self) -> Size {
        if self.waiting > 1 { Size { width: 760.0, height: 560.0 } } else { Size { width: 560.0, height: 420.0 } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_needs_more_room() {
        let size = |waiting| PromptPlan { attention: Attention::ByItself, waiting }.size();
        assert_eq!(size(1), Size { width: 560.0, height: 420.0 });
        assert_eq!(size(2), Size { width: 760.0, height: 560.0 });
    }

    #[test]
    fn a_window_is_found_by_its_label() {
        assert_eq!(WindowName::labelled("settings"), Some(WindowName::Settings));
        assert_eq!(WindowName::labelled("other"), None);
    }
}
