//! The prompt window waits unseen, and comes up again.

use anyhow::{Result, ensure};
use handraise_tests::desktop::{Frame, Kind, Options, PATIENCE, Rectangle, WebDriver, wait_until};

use crate::hook::{EDIT, PUSH};
use crate::scene::{SETTINGS, Scene, deny, picture};

const TITLE: &str = "Handraise";

/// The application whose prompt window comes up by itself for each request.
async fn scene(appearance: &str) -> Result<Scene> {
    let settings = SETTINGS.replace(r#""when_needed""#, r#""always""#);
    let settings = settings.replace(r#""system""#, &format!("{appearance:?}"));
    Scene::start_with(Options::from(Kind::Xfce), &[("data/settings.json", &settings)]).await
}

async fn prompt(scene: &Scene, web: &WebDriver, text: &str) -> Result<()> {
    web.goto("prompt").await?;
    web.wait_for_text("[data-testid=prompt-card]", |shown| shown.contains(text)).await?;
    scene.desktop.wait_for_window(TITLE, |window| window.is_listed).await.map(drop)
}

async fn wait_until_it_is_away(scene: &Scene) -> Result<()> {
    wait_until("the prompt window to go", PATIENCE, async || scene.desktop.no_window(TITLE).map(Some)).await
}

/// A window has a name that outlives its pages: who finds it again has found the same window.
#[tokio::test]
async fn the_next_prompt_comes_up_in_the_same_window_and_never_with_the_last_request() -> Result<()> {
    for appearance in ["dark", "light"] {
        let scene = scene(appearance).await?;
        let typist = scene.desktop.typist("typing here").await?;
        let hook = scene.ask(PUSH)?;
        let web = scene.web_driver().await?;
        prompt(&scene, &web, "git push").await?;
        web.execute("window.name = 'the first'; return null", vec![]).await?;
        let place = scene.desktop.wait_for_window(TITLE, |_| true).await?.place;
        web.wait_until_drawn().await?;
        scene.desktop.screenshot(&picture(&format!("unseen-{appearance}-cold.png")))?;
        let before = scene.desktop.frame(place)?;
        deny(hook, &web).await?;
        wait_until_it_is_away(&scene).await?;
        scene.desktop.screenshot(&picture(&format!("unseen-{appearance}-away.png")))?;

        let empty = scene.desktop.frame(place)?;
        let watch = scene.desktop.watch_frames(place)?;
        let hook = scene.ask(EDIT)?;
        prompt(&scene, &web, "cart.ts").await?;
        web.wait_until_drawn().await?;
        let frames = watch.stop()?;
        scene.desktop.screenshot(&picture(&format!("unseen-{appearance}-warm.png")))?;
        ensure!(web.execute("return window.name", vec![]).await? == "the first", "it is another window");
        ensure!(scene.desktop.focus().await? == "typing here", "it has taken the keyboard");
        for (number, (frame, at)) in frames.iter().enumerate() {
            frame.save(&picture(&format!("unseen-{appearance}-{number:02}-{}ms.ppm", at.as_millis())))?;
        }
        let after = scene.desktop.frame(place)?;
        let old = OnlyBefore { before, others: [empty, after] };
        for (number, (frame, _)) in frames.iter().enumerate() {
            let (seen, all) = old.seen_in(frame);
            ensure!(all > 500 && seen * 10 < all, "picture {number} shows the last request: {seen} of {all}");
        }
        drop(typist);
        deny(hook, &web).await?;
    }
    Ok(())
}

/// What only the window of before has, and neither the screen without it nor the window of after.
struct OnlyBefore {
    before: Frame,
    others: [Frame; 2],
}

impl OnlyBefore {
    /// How much of it is in `frame`, and how much there is. What is as the colour behind the page says nothing.
    fn seen_in(&self, frame: &Frame) -> (usize, usize) {
        let mut colours = std::collections::HashMap::new();
        for pixel in self.before.pixels() {
            *colours.entry(pixel).or_insert(0) += 1;
        }
        let behind = colours.into_iter().max_by_key(|(_, count)| *count).map(|(pixel, _)| pixel);
        let [empty, after] = &self.others;
        let all = self.before.pixels().zip(empty.pixels()).zip(after.pixels()).zip(frame.pixels());
        let own =
            all.filter(|(((before, empty), after), _)| before != empty && before != after && Some(*before) != behind);
        own.fold((0, 0), |(seen, all), (((before, _), _), pixel)| (seen + usize::from(pixel == before), all + 1))
    }
}

#[tokio::test]
async fn a_window_that_nothing_has_needed_for_a_while_goes() -> Result<()> {
    let mut scene = scene("dark").await?;
    scene.restart_with_flags(&["--release-prompt-after", "1"]).await?;
    let hook = scene.ask(PUSH)?;
    let web = scene.web_driver().await?;
    prompt(&scene, &web, "git push").await?;
    deny(hook, &web).await?;
    wait_until("the window to end", PATIENCE, async || Ok((web.count().await? == 0).then_some(()))).await?;
    // And the next one is built anew.
    let hook = scene.ask(EDIT)?;
    scene.desktop.wait_for_window(TITLE, |window| window.is_listed).await?;
    hook.kill()
}

#[tokio::test]
async fn the_close_button_puts_it_away_and_a_person_gets_it_back_with_the_keyboard() -> Result<()> {
    let scene = scene("light").await?;
    let hook = scene.ask(PUSH)?;
    let web = scene.web_driver().await?;
    prompt(&scene, &web, "git push").await?;
    web.execute("window.name = 'the first'; return null", vec![]).await?;
    scene.desktop.close_window(TITLE)?;
    wait_until_it_is_away(&scene).await?;
    let tray = scene.desktop.tray().await?;
    tray.activate_menu_item(|item| item.label.contains("inbox")).await?;
    scene.desktop.wait_for_window(TITLE, |window| window.has_focus && window.is_listed).await?;
    prompt(&scene, &web, "git push").await?;
    ensure!(web.execute("return window.name", vec![]).await? == "the first", "it is another window");
    deny(hook, &web).await
}

#[tokio::test]
async fn a_command_comes_up_in_the_size_that_the_person_gave_the_last_one() -> Result<()> {
    const SIZE: (i32, i32) = (900, 620);
    let mut scene = scene("light").await?;
    let usual = answered_with(&scene, PUSH, "git push", None).await?;
    ensure!(usual != SIZE, "it had that size before");
    answered_with(&scene, PUSH, "git push", Some(SIZE)).await?;
    let other = answered_with(&scene, EDIT, "cart.ts", None).await?;
    ensure!(other != SIZE, "a change has the size of a command");
    ensure!(answered_with(&scene, PUSH, "git push", None).await? == SIZE, "it did not keep its size");
    scene.crash_and_restart().await?;
    ensure!(answered_with(&scene, PUSH, "git push", None).await? == SIZE, "it forgot its size");
    Ok(())
}

/// The size in which the prompt window comes up for `payload`; then it is given `size`, and the call is denied.
async fn answered_with(scene: &Scene, payload: &str, text: &str, size: Option<(i32, i32)>) -> Result<(i32, i32)> {
    let hook = scene.ask(payload)?;
    let web = scene.web_driver().await?;
    prompt(scene, &web, text).await?;
    web.wait_until_drawn().await?;
    let place = scene.desktop.wait_for_window(TITLE, |_| true).await?.place;
    if let Some((width, height)) = size {
        scene.desktop.resize_window(TITLE, (width, height))?;
        let has_it = |place: Rectangle| (place.width, place.height) == (width, height);
        scene.desktop.wait_for_window(TITLE, |window| has_it(window.place)).await?;
    }
    deny(hook, &web).await?;
    wait_until_it_is_away(scene).await?;
    Ok((place.width, place.height))
}
