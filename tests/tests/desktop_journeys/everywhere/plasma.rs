//! KDE Plasma.

use std::process::Command;

use handraise_tests::desktop::Kind;

use super::journeys::wait_until_withdrawn;
use crate::hook::EDIT;
use crate::scene::{Scene, picture};

super::journeys_on!(Kind::Plasma, #[ignore = "takes the desktop itself: make test-desktops"]);
journey!(
    Kind::Plasma,
    keyboard::no_letter_decides_in_a_window_that_was_given_the_keyboard_until_it_is_clicked,
    #[ignore = "takes the desktop itself: make test-desktops"]
);
journey!(
    Kind::Plasma,
    presence::a_locked_screen_holds_everything_back,
    #[ignore = "takes the desktop itself: make test-desktops"]
);

#[tokio::test]
#[ignore = "takes the desktop itself: make test-desktops"]
async fn a_reason_is_written_on_the_notification_itself() -> anyhow::Result<()> {
    let scene = Scene::start_on(Kind::Plasma).await?;
    let hook = scene.ask(EDIT)?;
    let shown = scene.desktop.wait_for_notification(|one| one.body.contains("cart.ts")).await?;
    scene.desktop.click_notification_action(&shown, "Reason…").await?;
    scene.desktop.notification_field(&shown).await?;
    for key in ["r", "a", "d", "a", "r", "s"] {
        scene.desktop.press(key)?;
    }
    scene.desktop.screenshot(&picture("plasma-reason.png"))?;
    scene.desktop.press("Return")?;
    let ended = hook.end().await?;
    assert_eq!(ended.decision(), "deny");
    assert!(ended.reason().contains("radars"), "{}", ended.reason());
    wait_until_withdrawn(&scene, &shown).await
}

/// Makes `docs/pictures/desktop.png`, which CONTRIBUTING.md says.
#[tokio::test]
#[ignore = "takes the desktop itself: make test-desktops"]
async fn notification_and_tray_are_beside_each_other() -> anyhow::Result<()> {
    let scene = Scene::start_on(Kind::Plasma).await?;
    let tray = scene.desktop.tray().await?;
    let hook = scene.ask(EDIT)?;
    tray.wait_for_menu_item(|item| item.label.contains("cart.ts")).await?;
    let shown = scene.desktop.wait_for_notification(|one| one.body.contains("cart.ts")).await?;
    let title = scene.desktop.notification_title(&shown).await?;
    let icon = scene.desktop.tray_icon("Handraise").await?;
    assert!(icon.y > title.y && icon.x > 640, "{icon:?} is not below {title:?}");
    let whole = picture("plasma-whole.png");
    scene.desktop.screenshot(&whole)?;
    let mut crop = Command::new("convert");
    crop.arg(&whole).args(["-crop", "420x300+860+500", "+repage"]).arg(picture("desktop.png"));
    scene.desktop.run(&crop)?;
    hook.kill()
}
