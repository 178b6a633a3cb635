//! Notifications through `notify-rust`, for macOS and Windows. It has been type-checked for both and
//! run on neither.
//!
//! Neither system lets a shown notification be closed from here. One that is out of date therefore
//! loses its meaning instead: a click on it counts only while its number is the current one of its key.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

#[cfg(windows)]
use notify_rust::Urgency;
use notify_rust::{Notification, NotificationResponse, Timeout};
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::oneshot;

use crate::notification::content::{
    Buttons, NotificationAction, NotificationButton, NotificationContent, NotificationKey,
};
use crate::os::{Notifier, NotifierEvent};

/// Puts the buttons into the order that the system needs.
pub(crate) type Order = fn(Vec<NotificationButton>) -> Vec<NotificationButton>;

type Current = Arc<Mutex<HashMap<NotificationKey, u64>>>;

struct Toasts {
    events: UnboundedSender<NotifierEvent>,
    current: Current,
    latest: AtomicU64,
    order: Order,
}

/// A notifier that offers buttons in the given order.
#[must_use]
pub(crate) fn start(events: UnboundedSender<NotifierEvent>, order: Order) -> Box<dyn Notifier> {
    // Nobody listens any more only while the program ends.
    let _ = events.send(NotifierEvent::Server { answers: true, buttons: Buttons::Decide });
    Box::new(Toasts { events, current: Current::default(), latest: AtomicU64::new(0), order })
}

impl Toasts {
    fn with_current<T>(&self, change: impl FnOnce(&mut HashMap<NotificationKey, u64>) -> T) -> T {
        change(&mut self.current.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Notifier for Toasts {
    fn show(&self, content: NotificationContent) {
        let key = content.key;
        let number = self.latest.fetch_add(1, Ordering::Relaxed);
        self.with_current(|current| current.insert(key, number));
        let (events, current, order) = (self.events.clone(), self.current.clone(), self.order);
        // Waiting for the answer blocks.
        std::thread::spawn(move || {
            let event = answer(&content, order).unwrap_or(NotifierEvent::Failed(key));
            let is_current = current.lock().unwrap_or_else(PoisonError::into_inner).get(&key) == Some(&number);
            if is_current {
                // As above.
                let _ = events.send(event);
            }
        });
    }

    fn close(&self, key: NotificationKey) {
        self.with_current(|current| current.remove(&key));
    }

    fn close_all(&self) -> oneshot::Receiver<()> {
        self.with_current(HashMap::clear);
        let (done, receiver) = oneshot::channel();
        // The receiver may have been dropped: nobody waits.
        let _ = done.send(());
        receiver
    }
}

/// Shows the notification and waits for what a person does with it.
fn answer(content: &NotificationContent, order: Order) -> Option<NotifierEvent> {
    let mut notification = Notification::new();
    notification.summary(&content.summary).body(&content.body).appname("Handraise");
    if content.stays() {
        notification.timeout(Timeout::Never);
        #[cfg(windows)]
        notification.urgency(Urgency::Critical);
    }
    #[cfg(windows)]
    notification.app_id("dev.handraise.app");
    for button in order(content.actions.clone()) {
        // What is written into a toast is not read here yet.
        if button.action == NotificationAction::DenyWithReason {
            continue;
        }
        notification.action(button.action.name(), &button.label);
    }
    let mut event = NotifierEvent::Closed(content.key);
    let key = content.key;
    let handle = notification.show().ok()?;
    handle
        .wait_for_response(|response: &NotificationResponse| {
            event = match response {
                NotificationResponse::Default => NotifierEvent::Action { key, name: "default".to_owned(), token: None },
                NotificationResponse::Action(name) => NotifierEvent::Action { key, name: name.clone(), token: None },
                NotificationResponse::Reply(_) | NotificationResponse::Closed(_) => NotifierEvent::Closed(key),
            };
        })
        .ok()?;
    Some(event)
}
