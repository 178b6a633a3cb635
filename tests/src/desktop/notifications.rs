//! Notifications as a person has them: on the screen, with buttons to click.

use anyhow::{Context, Result, ensure};

use super::bus_record::{ActionSignal, Notification, NotificationState};
use super::notification_server::{NAME, PATH};
use super::wait::{PATIENCE, wait_until};
use super::{Desktop, Element, Kind, Rectangle, gnome, sway};

impl Desktop {
    /// Every notification that was sent from the start of the desktop until now, in order, with what became of it.
    ///
    /// # Errors
    /// When the bus is gone.
    pub async fn notifications(&self) -> Result<Vec<Notification>> {
        self.record.catch_up(&self.bus.connection).await?;
        Ok(self.heard_notifications())
    }

    /// Those of [`notifications`](Self::notifications) that the harness has heard of; it may be behind the bus.
    #[must_use]
    pub fn heard_notifications(&self) -> Vec<Notification> {
        self.record.heard().notifications.clone()
    }

    /// The ids that programs asked to close until now, in order.
    ///
    /// # Errors
    /// When the bus is gone.
    pub async fn close_calls(&self) -> Result<Vec<u32>> {
        self.record.catch_up(&self.bus.connection).await?;
        Ok(self.record.heard().close_calls.clone())
    }

    /// Every `ActionInvoked` signal on the bus that was heard, in order: clicks and forgeries.
    fn action_signals(&self) -> Vec<ActionSignal> {
        self.record.heard().actions.clone()
    }

    /// Waits for an open notification that `wanted` accepts and returns the newest such.
    ///
    /// # Errors
    /// When none comes in time; the message lists those that did.
    pub async fn wait_for_notification(&self, wanted: impl Fn(&Notification) -> bool) -> Result<Notification> {
        let found = wait_until("a notification", PATIENCE, async || {
            let open = |notification: &Notification| notification.state == NotificationState::Open;
            Ok(self
                .heard_notifications()
                .into_iter()
                .rev()
                .find(|notification| open(notification) && wanted(notification)))
        })
        .await;
        found.with_context(|| format!("the notifications so far: {:#?}", self.heard_notifications()))
    }

    /// The popups that are on the screen now.
    ///
    /// # Errors
    /// When the accessibility bus is gone.
    pub async fn notification_popups(&self) -> Result<Vec<Element>> {
        if self.kind == Kind::Gnome {
            return gnome::banners(self).await;
        }
        let program = self.kind.popup_program().context("nothing tells what this server shows")?;
        let windows = self.accessibility.windows(program).await?;
        Ok(windows.into_iter().filter(|window| window.all().any(|element| element.role == "label")).collect())
    }

    /// What GNOME Shell shows or lists.
    ///
    /// # Errors
    /// When the shell is gone.
    pub async fn gnome_notifications(&self) -> Result<Vec<String>> {
        gnome::listed(self).await
    }

    /// Where Plasma's panel draws the tray icon of the program called `name`.
    ///
    /// # Errors
    /// When it does not draw one.
    pub async fn tray_icon(&self, name: &str) -> Result<Rectangle> {
        wait_until(&format!("the tray icon of {name}"), PATIENCE, async || {
            let windows = self.accessibility.windows("plasmashell").await?;
            Ok(windows.iter().find_map(|window| Some(window.find("push button", name)?.place)))
        })
        .await
    }

    /// How many notifications are on the screen now.
    ///
    /// # Errors
    /// When the accessibility bus is gone.
    pub async fn notification_count(&self) -> Result<usize> {
        Ok(self.notification_popups().await?.len())
    }

    /// Waits until exactly `count` notifications are on the screen.
    ///
    /// # Errors
    /// When that does not come about in time.
    pub async fn wait_for_notification_count(&self, count: usize) -> Result<()> {
        wait_until(&format!("{count} notifications on the screen"), PATIENCE, async || {
            Ok((self.notification_count().await? == count).then_some(()))
        })
        .await
    }

    /// Clicks the real button `label` of the popup that shows this notification, with the real pointer. mako draws no
    /// buttons: there it is the command that a person would bind to a key, `makoctl invoke`.
    ///
    /// # Errors
    /// When the popup or its button does not appear.
    pub async fn click_notification_action(&self, notification: &Notification, label: &str) -> Result<()> {
        if self.kind == Kind::Sway {
            let action = notification.actions.iter().find(|(_, shown)| shown == label);
            let (key, _) = action.with_context(|| format!("no action {label:?} in {:?}", notification.actions))?;
            return sway::invoke(self, notification.id, key);
        }
        if self.kind == Kind::Gnome {
            self.point(self.notification_title(notification).await?)?;
        }
        self.click(self.notification_button(notification, label).await?)?;
        self.park_pointer()
    }

    /// Clicks the popup that shows this notification, beside its buttons, with the real pointer. Xfce draws a button for
    /// that. Nothing tells where mako draws: there the newest notification can be clicked, which is the uppermost.
    ///
    /// # Errors
    /// When the popup does not appear.
    pub async fn click_notification(&self, notification: &Notification) -> Result<()> {
        let place = match self.kind {
            Kind::Sway => sway::newest_notification(self.size),
            Kind::Xfce => {
                let (_, label) = notification.actions.iter().find(|(key, _)| key == "default").context("no click")?;
                self.notification_button(notification, label).await?
            }
            Kind::Gnome | Kind::Plasma => self.notification_title(notification).await?,
        };
        self.click(place)?;
        self.park_pointer()
    }

    /// Where the popup that shows this notification has its title.
    ///
    /// # Errors
    /// When the popup does not appear.
    pub async fn notification_title(&self, notification: &Notification) -> Result<Rectangle> {
        let mut before = None;
        let first = notification.body.lines().next().unwrap_or_default();
        wait_until(&format!("the notification {:?}", notification.summary), PATIENCE, async || {
            let popups = self.notification_popups().await?;
            let mut named = popups.iter().rev().filter(|popup| popup.find("label", &notification.summary).is_some());
            // Plasma does not tell the text of its popups; the last one is the newest.
            let newest = named.clone().next().filter(|_| self.kind == Kind::Plasma);
            let popup = named.find(|popup| popup.shows(first)).or(newest);
            let title = popup.and_then(|popup| popup.find("label", &notification.summary)).map(|title| title.place);
            // As with its buttons: it may still be on its way.
            let still = before == Some(title);
            before = Some(title);
            Ok(title.filter(|_| still))
        })
        .await
    }

    /// Where the real button `label` of the popup that shows this notification is.
    ///
    /// # Errors
    /// When the popup or its button does not appear.
    pub async fn notification_button(&self, notification: &Notification, label: &str) -> Result<Rectangle> {
        self.notification_part(notification, "push button", label).await
    }

    /// Where the field is into which something is written, on the popup that shows this notification.
    ///
    /// # Errors
    /// When the popup or its field does not appear.
    pub async fn notification_field(&self, notification: &Notification) -> Result<Rectangle> {
        self.notification_part(notification, "text", "").await
    }

    async fn notification_part(&self, notification: &Notification, role: &str, name: &str) -> Result<Rectangle> {
        let what = format!("the {role} {name:?} of the notification {:?}", notification.summary);
        let mut before = None;
        let first = notification.body.lines().next().unwrap_or_default();
        wait_until(&what, PATIENCE, async || {
            let popups = self.notification_popups().await?;
            let named = popups.iter().rev().filter(|popup| popup.find("label", &notification.summary).is_some());
            // Several may have the same title; then the first line of the text tells them apart.
            let popup = named.clone().find(|popup| popup.shows(first)).or(named.clone().next());
            let part = popup.and_then(|popup| popup.find(role, name)).map(|part| part.place);
            // A popup moves up when the one above it goes: only what stays where it is can be clicked.
            let still = before == Some(part);
            before = Some(part);
            Ok(part.filter(|_| still))
        })
        .await
    }

    /// Claims, from a connection that is not the notification server's, that an action was invoked.
    ///
    /// # Errors
    /// When the bus is gone.
    pub async fn forge_action_invoked(&self, id: u32, action: &str) -> Result<()> {
        let forger = self.connect_to_bus().await?;
        forger.emit_signal(None::<&str>, PATH, NAME, "ActionInvoked", &(id, action)).await?;
        let signal = ActionSignal {
            sender: forger.unique_name().map(ToString::to_string).unwrap_or_default(),
            id,
            action: action.to_owned(),
        };
        ensure!(!signal.sender.is_empty(), "the bus gave the forger no name");
        wait_until("the forged signal", PATIENCE, async || Ok(self.action_signals().contains(&signal).then_some(())))
            .await
    }
}
