//! The person does not want to be disturbed.

use std::process::Command;

use anyhow::Result;
use handraise_tests::desktop::{Desktop, Kind};
use zbus::Connection;

use crate::away::nothing_comes_meanwhile;
use crate::hook::EDIT;
use crate::scene::Scene;

const NAME: &str = "org.freedesktop.Notifications";
const PATH: &str = "/org/freedesktop/Notifications";

fn switch_banners(desktop: &Desktop, on: bool) -> Result<()> {
    let mut command = Command::new("gsettings");
    command.args(["set", "org.gnome.desktop.notifications", "show-banners", &on.to_string()]);
    desktop.run(&command).map(drop)
}

/// The switch of the desktop itself. mako has one of its own, which it tells nobody of.
pub(super) async fn do_not_disturb(kind: Kind) -> Result<()> {
    let scene = Scene::start_on(kind).await?;
    let bus = scene.desktop.connect_to_bus().await?;
    match kind {
        Kind::Gnome => {
            let (on, off) =
                (async || switch_banners(&scene.desktop, false), async || switch_banners(&scene.desktop, true));
            nothing_comes_meanwhile(&scene, on, off).await
        }
        Kind::Plasma => {
            nothing_comes_meanwhile(&scene, async || inhibit(&bus).await, async || uninhibit(&bus).await).await
        }
        Kind::Sway => {
            let mode = |words: &[&str]| scene.desktop.run(Command::new("makoctl").arg("mode").args(words)).map(drop);
            mode(&["-s", "away"])?;
            let hook = scene.ask(EDIT)?;
            // It is sent all the same, and mako draws it when the person is back.
            scene.desktop.wait_for_notification(|one| one.body.contains("cart.ts")).await?;
            scene.desktop.screenshot(&crate::scene::picture("sway-away.png"))?;
            mode(&["-s", "default"])?;
            scene.desktop.screenshot(&crate::scene::picture("sway-back.png"))?;
            hook.kill()
        }
        Kind::Xfce => {
            let switch = |on: bool| {
                let mut command = Command::new("xfconf-query");
                command.args(["--channel", "xfce4-notifyd", "--property", "/do-not-disturb", "--create"]);
                command.args(["--type", "bool", "--set", &on.to_string()]);
                scene.desktop.run(&command).map(drop)
            };
            nothing_comes_meanwhile(&scene, async || switch(true), async || switch(false)).await
        }
    }
}

/// As a program does that shows a presentation.
async fn inhibit(bus: &Connection) -> Result<()> {
    let hints = std::collections::HashMap::<&str, zbus::zvariant::Value<'_>>::new();
    let arguments = ("org.example.slides", "a presentation", hints);
    bus.call_method(Some(NAME), PATH, Some(NAME), "Inhibit", &arguments).await?;
    Ok(())
}

/// The numbers of inhibitions begin at 1.
async fn uninhibit(bus: &Connection) -> Result<()> {
    bus.call_method(Some(NAME), PATH, Some(NAME), "UnInhibit", &1_u32).await?;
    Ok(())
}

/// The lock of the desktop itself, which logind asks for.
pub(super) async fn a_locked_screen_holds_everything_back(kind: Kind) -> Result<()> {
    let scene = Scene::start_on(kind).await?;
    let (lock, unlock) = (async || scene.desktop.lock_screen().await, async || scene.desktop.unlock_screen().await);
    nothing_comes_meanwhile(&scene, lock, unlock).await
}
