//! The person is away, or does not want to be disturbed. The screen saver and the login service are small ones of this
//! test that speak the interfaces of the real ones; the notification server and its switch are Xfce's.

use anyhow::{Context, Result};
use handraise_tests::desktop::{Notification, NotificationState, Options, PATIENCE, wait_until};
use zbus::Connection;
use zbus::object_server::SignalEmitter;

use crate::hook::{EDIT, PUSH};
use crate::scene::Scene;

const SAVER: &str = "/org/freedesktop/ScreenSaver";
const SESSION: &str = "/org/freedesktop/login1/session/auto";

/// A screen saver (`org.freedesktop.ScreenSaver`, as KDE Plasma and Xfce have it).
struct ScreenSaver {
    is_active: bool,
}

#[zbus::interface(name = "org.freedesktop.ScreenSaver")]
impl ScreenSaver {
    fn get_active(&self) -> bool {
        self.is_active
    }

    #[zbus(signal)]
    async fn active_changed(emitter: &SignalEmitter<'_>, is_active: bool) -> zbus::Result<()>;
}

/// A session of logind (org.freedesktop.login1(5)).
#[derive(Default)]
struct LoginSession {
    locked: bool,
    idle: bool,
}

#[zbus::interface(name = "org.freedesktop.login1.Session")]
impl LoginSession {
    #[zbus(property)]
    fn locked_hint(&self) -> bool {
        self.locked
    }

    #[zbus(property)]
    fn idle_hint(&self) -> bool {
        self.idle
    }
}

async fn cover(bus: &Connection, is_active: bool) -> Result<()> {
    let saver = bus.object_server().interface::<_, ScreenSaver>(SAVER).await?;
    saver.get_mut().await.is_active = is_active;
    Ok(ScreenSaver::active_changed(saver.signal_emitter(), is_active).await?)
}

async fn set_session(bus: &Connection, locked: bool, idle: bool) -> Result<()> {
    let session = bus.object_server().interface::<_, LoginSession>(SESSION).await?;
    let mut hints = session.get_mut().await;
    (hints.locked, hints.idle) = (locked, idle);
    hints.locked_hint_changed(session.signal_emitter()).await?;
    Ok(hints.idle_hint_changed(session.signal_emitter()).await?)
}

/// All about `text` that was shown, in order.
async fn shown(scene: &Scene, text: &str) -> Result<Vec<Notification>> {
    Ok(scene.desktop.notifications().await?.into_iter().filter(|one| one.body.contains(text)).collect())
}

/// Where those about `text` are among `all`.
fn positions(all: &[Notification], text: &str) -> Vec<usize> {
    all.iter().enumerate().filter(|(_, one)| one.body.contains(text)).map(|(at, _)| at).collect()
}

async fn wait_until_withdrawn(scene: &Scene, notification: &Notification) -> Result<()> {
    wait_until("the notification to be withdrawn", PATIENCE, async || {
        let all = scene.desktop.notifications().await?;
        Ok(all.iter().any(|one| one.id == notification.id && one.state == NotificationState::Closed(3)).then_some(()))
    })
    .await
    .with_context(|| scene.app.log())
}

/// A request comes, `away` makes the person go, another request comes, `back` lets them come back. That nothing came
/// meanwhile is known from the order: the second request is shown once, and only after the first is shown again.
pub(crate) async fn nothing_comes_meanwhile(
    scene: &Scene,
    away: impl AsyncFnOnce() -> Result<()>,
    back: impl AsyncFnOnce() -> Result<()>,
) -> Result<()> {
    // Now, as the lock of GNOME takes the tray away.
    let tray = scene.desktop.tray().await?;
    let edit = scene.ask(EDIT)?;
    let before = scene.desktop.wait_for_notification(|one| one.body.contains("cart.ts")).await?;
    away().await?;
    wait_until_withdrawn(scene, &before).await?;
    let push = scene.ask(PUSH)?;
    tray.wait_for_menu_item(|item| item.label.contains("git push")).await?;
    assert_eq!(shown(scene, "git push").await?.len(), 0);
    back().await?;
    let mut all = Vec::new();
    let both = wait_until("both to be shown", PATIENCE, async || {
        all = scene.desktop.notifications().await?;
        let shown = |text: &str| {
            all.iter().filter(|one| one.body.contains(text) && one.state != NotificationState::Refused).count()
        };
        Ok((shown("cart.ts") == 2 && shown("git push") == 1).then_some(()))
    });
    both.await.with_context(|| format!("{:#?}\n{}", scene.desktop.heard_notifications(), scene.app.log()))?;
    // Plasma refuses the first for a moment, as it looks like the one before it.
    let (edits, pushes) = (positions(&all, "cart.ts"), positions(&all, "git push"));
    assert!(edits[1] < pushes[0], "{all:#?}");
    edit.kill()?;
    push.kill()
}

#[tokio::test]
async fn a_screen_that_is_covered_holds_everything_back() -> Result<()> {
    let scene = Scene::start().await?;
    let bus = scene.desktop.connect_to_bus().await?;
    bus.object_server().at(SAVER, ScreenSaver { is_active: false }).await?;
    bus.request_name("org.freedesktop.ScreenSaver").await?;
    nothing_comes_meanwhile(&scene, async || cover(&bus, true).await, async || cover(&bus, false).await).await
}

#[tokio::test]
async fn a_locked_or_idle_session_holds_everything_back() -> Result<()> {
    let scene = Scene::start().await?;
    let bus = scene.desktop.connect_to_bus().await?;
    bus.object_server().at(SESSION, LoginSession::default()).await?;
    bus.request_name("org.freedesktop.login1").await?;
    let back = async || set_session(&bus, false, false).await;
    nothing_comes_meanwhile(&scene, async || set_session(&bus, true, false).await, back).await
}

#[tokio::test]
async fn what_was_missed_is_summed_up_afterwards() -> Result<()> {
    let policy = "version = 1\ntimeout = \"3s\"\n";
    let scene = Scene::start_with(Options::default(), &[("config/policy.toml", policy)]).await?;
    let bus = scene.desktop.connect_to_bus().await?;
    bus.object_server().at(SAVER, ScreenSaver { is_active: false }).await?;
    bus.request_name("org.freedesktop.ScreenSaver").await?;
    let edit = scene.ask(EDIT)?;
    scene.desktop.wait_for_notification(|one| one.body.contains("cart.ts")).await?;
    cover(&bus, true).await?;
    // Shown to nobody as soon as the application knows of the lock.
    wait_until("a request that nobody saw", PATIENCE, async || {
        let before = scene.desktop.notifications().await?.len();
        assert_eq!(scene.ask(PUSH)?.end().await?.decision(), "deny");
        Ok((scene.desktop.notifications().await?.len() == before).then_some(()))
    })
    .await?;
    cover(&bus, false).await?;
    let summary = scene.desktop.wait_for_notification(|one| one.summary == "While you were away").await?;
    assert!(summary.body.contains("ended because nobody answered: Claude Code in shopfront"), "{}", summary.body);
    assert!(!summary.body.contains("git push"), "no argument is in it: {}", summary.body);
    edit.kill()
}
