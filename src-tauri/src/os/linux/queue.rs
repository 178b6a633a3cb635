//! What the notification server has still to be asked, in order. It is asked one thing at a time.

use std::collections::VecDeque;

use tokio::sync::oneshot;
use tokio::time::Instant;

use super::left::Shown;
use crate::notification::content::{NotificationContent, NotificationKey};

/// Something to do.
pub(super) enum Command {
    Show(Box<NotificationContent>),
    /// What was refused once, because it came too soon.
    ShowAgain(Box<NotificationContent>),
    Close(NotificationKey),
    CloseAll(oneshot::Sender<()>),
    FindServer,
    AskInhibited,
    CloseLeft(Vec<Shown>),
}

impl Command {
    /// What it shows.
    fn shows(&self) -> Option<NotificationKey> {
        match self {
            Self::Show(content) | Self::ShowAgain(content) => Some(content.key),
            _ => None,
        }
    }

    /// Whether it makes needless what was to be shown for `key` before it.
    fn replaces(&self, key: NotificationKey) -> bool {
        match self {
            Self::Show(content) => content.key == key,
            Self::Close(closed) => *closed == key,
            Self::CloseAll(_) => true,
            _ => false,
        }
    }
}

/// The commands that wait.
pub(super) struct Queue {
    waiting: VecDeque<Command>,
    /// Notifications that are shown later, and when.
    later: Vec<(Instant, Box<NotificationContent>)>,
}

impl Queue {
    /// With these commands in it.
    pub(super) fn new<const COUNT: usize>(waiting: [Command; COUNT]) -> Self {
        Self { waiting: waiting.into(), later: Vec::new() }
    }

    /// Puts a command behind the others, and takes away what it makes needless.
    pub(super) fn order(&mut self, command: Command) {
        self.waiting.retain(|waiting| waiting.shows().is_none_or(|key| !command.replaces(key)));
        self.later.retain(|(_, content)| !command.replaces(content.key));
        self.waiting.push_back(command);
    }

    /// Shows `content` at `time`, unless something that waits makes that needless.
    pub(super) fn order_later(&mut self, content: Box<NotificationContent>, time: Instant) {
        if !self.waiting.iter().any(|command| command.replaces(content.key)) {
            self.later.push((time, content));
        }
    }

    /// When the next one is due that is shown later.
    pub(super) fn next_due(&self) -> Option<Instant> {
        self.later.iter().map(|(time, _)| *time).min()
    }

    /// Puts what is due at `now` behind the others.
    pub(super) fn order_due(&mut self, now: Instant) {
        let due = self.later.extract_if(.., |(time, _)| *time <= now);
        self.waiting.extend(due.map(|(_, content)| Command::ShowAgain(content)));
    }

    /// The command that has waited longest. While `holds`, what is to be shown goes on waiting.
    pub(super) fn take(&mut self, holds: bool) -> Option<Command> {
        let next = self.waiting.iter().position(|command| !holds || command.shows().is_none())?;
        self.waiting.remove(next)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use super::*;
    use crate::notification::content::NotificationContext;
    use crate::notification::wanted::wanted;
    use crate::testing::{approval, id};

    fn content(number: u128) -> Box<NotificationContent> {
        Box::new(wanted(&[Arc::new(approval(number))], &[], &NotificationContext::default()).remove(0))
    }

    fn key(number: u128) -> NotificationKey {
        NotificationKey::Request(id(number))
    }

    /// What is done, in order.
    fn all(queue: &mut Queue, holds: bool) -> Vec<String> {
        let name = |command: Command| match command {
            Command::Show(content) => format!("show {:?}", content.key),
            Command::ShowAgain(content) => format!("again {:?}", content.key),
            Command::Close(key) => format!("close {key:?}"),
            Command::CloseAll(_) => "close all".to_owned(),
            _ => "other".to_owned(),
        };
        std::iter::from_fn(|| queue.take(holds)).map(name).collect()
    }

    #[test]
    fn nothing_is_shown_while_a_server_is_looked_for() {
        let mut queue = Queue::new([Command::FindServer]);
        queue.order(Command::Show(content(1)));
        queue.order(Command::Close(key(2)));
        assert_eq!(all(&mut queue, true), ["other".to_owned(), format!("close {:?}", key(2))]);
        assert_eq!(all(&mut queue, false), [format!("show {:?}", key(1))]);
    }

    #[test]
    fn what_is_closed_or_shown_anew_before_its_turn_is_not_shown() {
        let mut queue = Queue::new([]);
        queue.order(Command::Show(content(1)));
        queue.order(Command::Show(content(2)));
        queue.order(Command::Close(key(1)));
        queue.order(Command::Show(content(2)));
        assert_eq!(all(&mut queue, false), [format!("close {:?}", key(1)), format!("show {:?}", key(2))]);
        // To close and to show again are two things: only so does it come up anew.
        queue.order(Command::Close(key(1)));
        queue.order(Command::Show(content(1)));
        assert_eq!(all(&mut queue, false), [format!("close {:?}", key(1)), format!("show {:?}", key(1))]);
    }

    #[test]
    fn what_came_too_soon_is_shown_once_more_unless_it_went_away() {
        let (now, second) = (Instant::now(), Duration::from_secs(1));
        let mut queue = Queue::new([]);
        queue.order_later(content(1), now + second);
        queue.order_later(content(2), now + second);
        queue.order(Command::Close(key(2)));
        queue.order_later(content(2), now + second);
        queue.order_due(now);
        assert_eq!(all(&mut queue, false), [format!("close {:?}", key(2))]);
        assert_eq!(queue.next_due(), Some(now + second));
        queue.order_due(now + second);
        assert_eq!((all(&mut queue, false), queue.next_due()), (vec![format!("again {:?}", key(1))], None));
    }
}
