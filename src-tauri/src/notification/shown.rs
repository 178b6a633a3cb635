//! Which notifications were shown, and what has to change.

use std::collections::BTreeMap;

use uuid::Uuid;

use crate::notification::content::{NotificationAction, NotificationContent, NotificationKey};

/// The notifications that were shown.
///
/// One that a person has closed still counts as shown: closing is no answer, and showing it again
/// would only annoy.
#[derive(Clone, Debug, Default)]
pub(crate) struct ShownNotifications {
    shown: BTreeMap<NotificationKey, Shown>,
}

#[derive(Clone, Debug)]
struct Shown {
    content: NotificationContent,
    visible: bool,
}

/// What has to be done.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Step {
    /// Show it, in place of the one with the same key.
    Show(NotificationContent),
    /// Close it.
    Close(NotificationKey),
}

impl ShownNotifications {
    /// The steps from what is shown to what is `wanted`. They count as done. While `seen`, a person
    /// is looking at the requests elsewhere: what is not on the screen yet is not put there.
    pub(crate) fn reconcile(&mut self, wanted: Vec<NotificationContent>, seen: bool) -> Vec<Step> {
        let unwanted: Vec<NotificationKey> =
            self.shown.keys().filter(|key| !wanted.iter().any(|content| content.key == **key)).copied().collect();
        let mut steps = Vec::new();
        for key in unwanted {
            if self.shown.remove(&key).is_some_and(|shown| shown.visible) {
                steps.push(Step::Close(key));
            }
        }
        for content in wanted {
            let visible = self.shown.get(&content.key).is_some_and(|shown| shown.visible);
            if self.is_worth_showing(&content) {
                let visible = visible || !seen;
                if visible {
                    steps.push(Step::Show(content.clone()));
                }
                self.shown.insert(content.key, Shown { content, visible });
            } else if let Some(shown) = self.shown.get_mut(&content.key) {
                shown.content = content;
            }
        }
        steps
    }

    /// New or changed; a closed one only when it stands for more than it did.
    fn is_worth_showing(&self, content: &NotificationContent) -> bool {
        match self.shown.get(&content.key) {
            None => true,
            Some(shown) if shown.visible => shown.content != *content,
            Some(shown) => content.waiting > shown.content.waiting,
        }
    }

    /// It is not on the screen any more, whoever closed it.
    pub(crate) fn closed(&mut self, key: NotificationKey) {
        if let Some(shown) = self.shown.get_mut(&key) {
            shown.visible = false;
        }
    }

    /// Takes what is about this request or question off the screen, and says what it was: a person looks at it
    /// elsewhere, and it would cover that.
    pub(crate) fn hide(&mut self, about: Uuid) -> Option<NotificationKey> {
        let mut visible = self.shown.iter_mut().filter(|(_, shown)| shown.visible);
        let (key, shown) = visible.find(|(key, _)| key.about() == Some(about))?;
        shown.visible = false;
        Some(*key)
    }

    /// If it was closed, as if it had never been shown.
    pub(crate) fn forget_closed(&mut self, key: NotificationKey) {
        if self.shown.get(&key).is_some_and(|shown| !shown.visible) {
            self.shown.remove(&key);
        }
    }

    /// The same for each that stands for several.
    pub(crate) fn forget_closed_sums(&mut self) {
        let is_sum = |key: &NotificationKey| matches!(key, NotificationKey::Session(_) | NotificationKey::Summary);
        self.shown.retain(|key, shown| shown.visible || !is_sum(key));
    }

    /// As if it had never been shown.
    pub(crate) fn forget_one(&mut self, key: NotificationKey) {
        self.shown.remove(&key);
    }

    /// The notification server went away, and all notifications with it.
    pub(crate) fn forget(&mut self) {
        self.shown.clear();
    }

    /// The content behind `key` and the action on it that is called `name`, if it was offered.
    #[must_use]
    pub(crate) fn action(
        &self,
        key: NotificationKey,
        name: &str,
    ) -> Option<(&NotificationContent, NotificationAction)> {
        let content = &self.shown.get(&key)?.content;
        Some((content, content.offered(name)?))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::notification::content::NotificationContext;
    use crate::notification::wanted::wanted;
    use crate::testing::{approval, id};

    fn plans(numbers: std::ops::RangeInclusive<u128>) -> Vec<NotificationContent> {
        wanted(&numbers.map(approval).map(Arc::new).collect::<Vec<_>>(), &[], &NotificationContext::default())
    }

    fn request(number: u128) -> NotificationKey {
        NotificationKey::Request(id(number))
    }

    #[test]
    fn what_is_shown_already_is_left_alone() {
        let mut shown = ShownNotifications::default();
        assert_eq!(shown.reconcile(plans(1..=1), false).len(), 1);
        assert_eq!(shown.reconcile(plans(1..=1), false), []);
    }

    #[test]
    fn the_fourth_request_collapses_all_and_its_end_expands_them_again() {
        let mut shown = ShownNotifications::default();
        shown.reconcile(plans(1..=3), false);
        let summary = plans(1..=4).remove(0);
        assert_eq!(
            shown.reconcile(plans(1..=4), false),
            [Step::Close(request(1)), Step::Close(request(2)), Step::Close(request(3)), Step::Show(summary),]
        );
        let expanded = shown.reconcile(plans(1..=3), false);
        assert_eq!(expanded.first(), Some(&Step::Close(NotificationKey::Summary)));
        assert_eq!(expanded.len(), 4);
    }

    #[test]
    fn a_closed_notification_is_neither_shown_nor_closed_again() {
        let mut shown = ShownNotifications::default();
        shown.reconcile(plans(1..=1), false);
        shown.closed(request(1));
        assert_eq!(shown.reconcile(plans(1..=1), false), []);
        assert_eq!(shown.reconcile(Vec::new(), false), []);
    }

    #[test]
    fn a_closed_summary_comes_back_only_for_more_requests() {
        let mut shown = ShownNotifications::default();
        shown.reconcile(plans(1..=5), false);
        shown.closed(NotificationKey::Summary);
        assert_eq!(shown.reconcile(plans(1..=4), false), []);
        assert_eq!(shown.reconcile(plans(1..=5), false).len(), 1);
    }

    #[test]
    fn a_new_server_gets_everything_again() {
        let mut shown = ShownNotifications::default();
        shown.reconcile(plans(1..=2), false);
        shown.forget();
        assert_eq!(shown.reconcile(plans(1..=2), false).len(), 2);
    }

    #[test]
    fn what_a_person_looks_at_elsewhere_is_not_put_on_the_screen() {
        let mut shown = ShownNotifications::default();
        shown.reconcile(plans(1..=4), false);
        assert_eq!(shown.reconcile(plans(1..=3), true), [Step::Close(NotificationKey::Summary)]);
        assert_eq!(shown.reconcile(plans(1..=3), false), [], "nor later");
        assert_eq!(shown.reconcile(Vec::new(), false), []);
    }

    #[test]
    fn what_a_person_looks_at_elsewhere_is_not_covered_by_its_notification() {
        let mut shown = ShownNotifications::default();
        shown.reconcile(plans(1..=2), false);
        assert_eq!(shown.hide(id(1).0), Some(request(1)));
        assert_eq!(shown.hide(id(1).0), None);
        assert_eq!(shown.reconcile(plans(1..=2), false), [], "it was seen");
        shown.forget_closed(request(1));
        assert_eq!(shown.reconcile(plans(1..=2), false).len(), 1, "the reminder");
    }
}
