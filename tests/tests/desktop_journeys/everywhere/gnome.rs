//! GNOME Shell, with the extension that shows tray icons and without it.

use anyhow::Result;
use handraise_tests::desktop::{Kind, Options};

use crate::hook::EDIT;
use crate::scene::{Scene, picture};

super::journeys_on!(Kind::Gnome, #[ignore = "takes the desktop itself: make test-desktops"]);
journey!(
    Kind::Gnome,
    keyboard::no_letter_decides_in_a_window_that_was_given_the_keyboard_until_it_is_clicked,
    #[ignore = "takes the desktop itself: make test-desktops"]
);
journey!(
    Kind::Gnome,
    presence::a_locked_screen_holds_everything_back,
    #[ignore = "takes the desktop itself: make test-desktops"]
);

/// Without the extension nothing shows tray icons: the prompt window comes up once, at the start, and the notifications
/// do the rest.
#[tokio::test]
#[ignore = "takes the desktop itself: make test-desktops"]
async fn without_a_tray_the_window_comes_up_at_the_start() -> Result<()> {
    let options = Options { tray_host: false, ..Kind::Gnome.into() };
    let scene = Scene::start_with(options, &[]).await?;
    scene.desktop.wait_for_window("Handraise", |window| window.application == "Handraise").await?;
    let hook = scene.ask(EDIT)?;
    scene.desktop.screenshot(&picture("gnome-without-tray.png"))?;
    let web = scene.web_driver().await?;
    web.goto("prompt").await?;
    web.find("[data-testid=prompt-card]").await?;
    hook.kill()
}
