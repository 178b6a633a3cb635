//! The sizes that a person has given the windows.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use handraise_protocol::Notice;
use jiff::Timestamp;

use crate::stored::backend_for;
use crate::stored::file::{Backend, Format, SaveError, open, save};
use crate::window::size::{Showing, Size, with_room};
use crate::window::spec::WindowName;

/// The file of the sizes.
pub(crate) const FORMAT: Format = Format {
    name: "windows.json",
    field: "sizes",
    holds: "The sizes of the windows were",
    without: "The windows come up in their usual sizes.",
    // The next window that a person makes larger or smaller writes it anew.
    has_good_copy: false,
};

/// What a size may differ by, in logical pixels, where a desktop counts in physical ones.
const ROUNDING: f64 = 1.0;

/// A window as it came up.
#[derive(Clone, Copy, Debug)]
struct OnScreen {
    name: WindowName,
    showing: Showing,
    size: Size,
}

/// The sizes that a person has given the windows, by what they show. One that Handraise has chosen is not kept.
pub(crate) struct WindowSizes {
    path: PathBuf,
    /// `None`: the file must not be written.
    backend: Option<Box<dyn Backend>>,
    kept: Mutex<BTreeMap<Showing, Size>>,
    on_screen: Mutex<Vec<OnScreen>>,
}

impl WindowSizes {
    /// Reads the sizes in `folder`, and tells what a person should know about that. `backend` makes what the file is written
    /// with, once it is known that it may be.
    pub(crate) fn open(
        folder: &Path,
        backend: impl FnOnce(&Path) -> Result<Box<dyn Backend>, String>,
    ) -> (Self, Option<Notice>) {
        let opened = open::<BTreeMap<Showing, Size>>(folder, FORMAT, Timestamp::now());
        let path = folder.join(FORMAT.name);
        let (backend, notice) = backend_for(&path, &opened, backend);
        (Self { path, backend, kept: Mutex::new(opened.value), on_screen: Mutex::default() }, notice)
    }

    /// The size of a window that comes up with this, on a screen of the size `screen`.
    #[must_use]
    pub(crate) fn of(&self, showing: Showing, screen: Option<Size>) -> Size {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner).get(&showing).copied();
        let Some(kept) = kept else {
            let usual = showing.usual_size();
            return screen.map_or(usual, |screen| with_room(usual, screen));
        };
        let (least, most) = (showing.min_size(), screen.unwrap_or(kept));
        // The file is a person's to change, and the screen may be another.
        let within = |kept: f64, least: f64, most: f64| kept.min(most).max(least);
        Size {
            width: within(kept.width, least.width, most.width),
            height: within(kept.height, least.height, most.height),
        }
    }

    /// The window `name` has come up with this, in a size that Handraise has given it.
    pub(crate) fn came_up(&self, name: WindowName, showing: Showing, size: Size) {
        let mut windows = self.on_screen.lock().unwrap_or_else(PoisonError::into_inner);
        windows.retain(|window| window.name != name);
        windows.push(OnScreen { name, showing, size });
    }

    /// Handraise has given the window `name` another size.
    pub(crate) fn was_given(&self, name: WindowName, size: Size) {
        let mut windows = self.on_screen.lock().unwrap_or_else(PoisonError::into_inner);
        windows.iter_mut().filter(|window| window.name == name).for_each(|window| window.size = size);
    }

    /// The window `name` leaves the screen, and has this size. Whether a person gave it that: then it counts from now on.
    #[must_use]
    pub(crate) fn left(&self, name: WindowName, size: Size) -> bool {
        let mut windows = self.on_screen.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(at) = windows.iter().position(|window| window.name == name) else { return false };
        let came_up = windows.swap_remove(at);
        let differs = |now: f64, before: f64| (now - before).abs() > ROUNDING;
        if !differs(size.width, came_up.size.width) && !differs(size.height, came_up.size.height) {
            return false;
        }
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).insert(came_up.showing, size);
        true
    }

    /// Writes the sizes. Waits for the disk.
    ///
    /// # Errors
    /// When they cannot be saved; they hold until the program ends.
    pub(crate) fn save(&self) -> Result<(), SaveError> {
        let backend = self.backend.as_deref().ok_or_else(|| SaveError::NotWritable(self.path.display().to_string()))?;
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner).clone();
        save(&self.path, FORMAT, backend, &kept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDE: Size = Size { width: 900.0, height: 500.0 };

    fn size(width: f64, height: f64) -> Size {
        Size { width, height }
    }

    fn sizes(folder: &Path) -> WindowSizes {
        let (sizes, notice) = WindowSizes::open(folder, |_| Err("not here".to_owned()));
        assert!(notice.is_none_or(|notice| notice.detail.contains("not here")));
        sizes
    }

    #[test]
    fn only_a_size_that_a_person_has_chosen_is_kept_and_only_for_what_was_shown() {
        let folder = tempfile::tempdir().unwrap();
        let sizes = sizes(folder.path());
        let usual = Showing::Command.usual_size();
        sizes.came_up(WindowName::Prompt, Showing::Command, usual);
        assert!(!sizes.left(WindowName::Prompt, size(usual.width + 0.5, usual.height)), "rounded by the desktop");
        sizes.came_up(WindowName::Prompt, Showing::Command, usual);
        sizes.was_given(WindowName::Prompt, size(640.0, 600.0));
        assert!(!sizes.left(WindowName::Prompt, size(640.0, 600.0)), "as its content needed it");
        assert_eq!(sizes.of(Showing::Command, None), usual);

        sizes.came_up(WindowName::Settings, Showing::Settings, Showing::Settings.usual_size());
        sizes.came_up(WindowName::Prompt, Showing::Command, usual);
        assert!(sizes.left(WindowName::Prompt, WIDE));
        assert!(!sizes.left(WindowName::Prompt, usual), "it has left already");
        assert_eq!(sizes.of(Showing::Command, None), WIDE);
        assert_eq!(sizes.of(Showing::Change, None), Showing::Change.usual_size());
        assert_eq!(sizes.of(Showing::Settings, None), Showing::Settings.usual_size());
    }

    #[test]
    fn a_size_from_another_screen_fits_on_this_one() {
        let folder = tempfile::tempdir().unwrap();
        let sizes = sizes(folder.path());
        sizes.came_up(WindowName::Prompt, Showing::List, Showing::List.usual_size());
        assert!(sizes.left(WindowName::Prompt, size(3000.0, 1.0)));
        assert_eq!(sizes.of(Showing::List, Some(size(1280.0, 720.0))), size(1280.0, Showing::List.min_size().height));
    }

    #[test]
    fn what_was_written_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let text = r#"{"version":1,"sizes":{"command":{"width":900.0,"height":500.0}}}"#;
        handraise_locations::write_private(&folder.path().join(FORMAT.name), text.as_bytes()).unwrap();
        assert_eq!(sizes(folder.path()).of(Showing::Command, None), WIDE);
    }
}
