//! How a window comes up.

use crate::strings::Text;
use crate::window::size::{Showing, Size};

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
    /// What it shows at first.
    pub showing: Showing,
    /// What lets it take the keyboard, from the click that it comes up for.
    pub token: Option<String>,
}

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
        Self { attention: Attention::ByItself, waiting: 0, showing: Showing::Nothing, token: None }
    }

    /// Whether it stays above other windows: one that waits for an answer and was not asked for. With nothing to answer it is
    /// a window like any other.
    #[must_use]
    pub(crate) fn is_urgent(&self) -> bool {
        self.attention != Attention::Asked && self.waiting > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_waits_and_was_not_asked_for_stays_above() {
        let urgent = |attention, waiting| PromptSpec { attention, waiting, ..PromptSpec::unseen() }.is_urgent();
        assert!(urgent(Attention::ByItself, 1) && urgent(Attention::StartedAgain, 2));
        assert!(!urgent(Attention::Asked, 1) && !urgent(Attention::StartedAgain, 0));
    }

    #[test]
    fn a_window_is_found_by_its_label() {
        assert_eq!(WindowName::labelled("settings"), Some(WindowName::Settings));
        assert_eq!(WindowName::labelled("other"), None);
    }
}
