//! What a person should know about the desktop part, as the settings window shows it.

use std::sync::{Mutex, PoisonError};

use handraise_protocol::Notice;
use tokio::sync::Notify;

/// The desktop's own notices.
#[derive(Debug, Default)]
pub(crate) struct Notices {
    notices: Mutex<Vec<Notice>>,
    changed: Notify,
}

impl Notices {
    /// Adds a notice, in place of one with the same title.
    pub(crate) fn add(&self, notice: Notice) {
        self.change(|notices| {
            notices.retain(|known| known.title != notice.title);
            notices.push(notice);
        });
    }

    /// Takes the notice with this title away: it is not true any more, or a person has read it.
    pub(crate) fn remove(&self, title: &str) {
        self.change(|notices| notices.retain(|notice| notice.title != title));
    }

    /// All of them.
    #[must_use]
    pub(crate) fn all(&self) -> Vec<Notice> {
        self.notices.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Waits for the next change.
    pub(crate) async fn changed(&self) {
        self.changed.notified().await;
    }

    fn change(&self, change: impl FnOnce(&mut Vec<Notice>)) {
        change(&mut self.notices.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notice_takes_the_place_of_one_with_the_same_title() {
        let notices = Notices::default();
        for detail in ["1", "2"] {
            notices.add(Notice { title: "title".into(), detail: detail.into() });
        }
        assert_eq!(notices.all(), [Notice { title: "title".into(), detail: "2".into() }]);
        notices.remove("title");
        assert_eq!(notices.all(), []);
    }
}
