//! Programs as somebody has them who uses a screen reader ([`Options::screen_reader`](super::Options::screen_reader)).

use anyhow::{Context, Result};

use super::accessibility::Announcements;
use super::wait::{PATIENCE, wait_until};
use super::{Desktop, Element};

impl Desktop {
    /// The window called `title` of the program called `program`, as soon as `wanted` accepts what can be read of it.
    ///
    /// # Errors
    /// When it does not come about in time; the message holds what could be read.
    pub async fn read_window(&self, program: &str, title: &str, wanted: impl Fn(&Element) -> bool) -> Result<Element> {
        let mut read = Vec::new();
        let found = wait_until(&format!("the window {title:?} to be read"), PATIENCE, async || {
            read = self.accessibility.windows(program).await?;
            Ok(read.iter().find(|window| window.name == title && wanted(window)).cloned())
        })
        .await;
        found.with_context(|| format!("what can be read: {read:#?}"))
    }

    /// The windows of the program called `program`, as they can be read at this moment.
    ///
    /// # Errors
    /// When the accessibility bus is gone.
    pub async fn readable_windows(&self, program: &str) -> Result<Vec<Element>> {
        self.accessibility.windows(program).await
    }

    /// Presses `element` as a screen reader does, over the accessibility bus: without a pointer and without a key.
    ///
    /// # Errors
    /// When it cannot be pressed.
    pub async fn press_as_reader(&self, element: &Element) -> Result<()> {
        self.accessibility.press(element).await
    }

    /// Begins to listen to what programs say by themselves.
    ///
    /// # Errors
    /// When the accessibility bus is gone.
    pub async fn announcements(&self) -> Result<Announcements<'_>> {
        self.accessibility.listen().await
    }
}
