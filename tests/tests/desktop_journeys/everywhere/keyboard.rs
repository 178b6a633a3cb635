//! A person types while something comes up.

use std::time::Duration;

use anyhow::{Context, Result};
use handraise_tests::desktop::{Kind, Options, PATIENCE, Rectangle, Typist, WebDriver, wait_until};
use serde_json::json;

use super::journeys::name;
use crate::hook::{EDIT, PUSH};
use crate::scene::{SETTINGS, Scene, deny, picture};

/// The application whose prompt window comes up by itself for each request.
async fn scene_with_prompts(kind: Kind) -> Result<Scene> {
    let settings = SETTINGS.replace(r#""when_needed""#, r#""always""#);
    Scene::start_with(Options::from(kind), &[("data/settings.json", &settings)]).await
}

/// Types until something arrives in the window that is typed in.
async fn types(scene: &Scene, typist: &Typist) -> Result<()> {
    let before = typist.typed();
    wait_until("what is typed", PATIENCE, async || {
        scene.desktop.press("x")?;
        Ok((typist.typed().len() > before.len()).then_some(()))
    })
    .await
}

pub(super) async fn a_notification_leaves_the_keyboard_where_it_is(kind: Kind) -> Result<()> {
    let scene = Scene::start_on(kind).await?;
    let typist = scene.desktop.typist("typing here").await?;
    types(&scene, &typist).await?;
    let hook = scene.ask(EDIT)?;
    scene.desktop.wait_for_notification(|one| one.body.contains("cart.ts")).await?;
    types(&scene, &typist).await?;
    assert_eq!(scene.desktop.focus().await?, "typing here");
    let windows = scene.desktop.windows().await?;
    assert!(!windows.iter().any(|window| window.title == "Handraise"), "{windows:#?}");
    scene.desktop.screenshot(&picture(&format!("{}-typing.png", name(kind))))?;
    hook.kill()
}

async fn waiting_prompt(scene: &Scene, text: &str) -> Result<WebDriver> {
    let web = scene.web_driver().await?;
    web.goto("prompt").await?;
    web.wait_for_text("[data-testid=prompt-card]", |shown| shown.contains(text)).await?;
    Ok(web)
}

/// The approve button, when a press on it counts.
const ARMED: &str = "[data-testid=approve][data-armed=true]";

/// Well below the time that a button waits.
const BETWEEN_CLICKS: Duration = Duration::from_millis(40);

/// Counts the keys that reach the page.
const COUNT: &str = "window.keys = 0; addEventListener('keydown', () => { window.keys += 1 }, true); return null";

/// Presses `key` until somebody has got it: the prompt or the window that is typed in.
async fn press_until_it_arrives(scene: &Scene, web: &WebDriver, typist: &Typist, key: &str) -> Result<()> {
    web.execute("window.keys = 0; return null", vec![]).await?;
    let before = typist.typed().len();
    wait_until("the key to arrive", PATIENCE, async || {
        scene.desktop.press(key)?;
        let in_prompt = web.execute("return window.keys", vec![]).await? != json!(0);
        Ok((in_prompt || typist.typed().len() > before).then_some(()))
    })
    .await
}

/// A Wayland compositor decides who has the keyboard, and most give it to a new window. So the page takes no key for an
/// answer at first, and none that is held.
pub(super) async fn keys_that_fall_while_a_prompt_comes_decide_nothing(kind: Kind) -> Result<()> {
    let scene = scene_with_prompts(kind).await?;
    let typist = scene.desktop.typist("typing here").await?;
    types(&scene, &typist).await?;
    let held = scene.desktop.hold("a")?;
    let mut hook = scene.ask(PUSH)?;
    let web = waiting_prompt(&scene, "git push").await?;
    web.execute(COUNT, vec![]).await?;
    // In the list of windows, where the keyboard finds it.
    scene.desktop.wait_for_window("Handraise", |window| window.application == "Handraise" && window.is_listed).await?;
    drop(held);
    press_until_it_arrives(&scene, &web, &typist, "a").await?;
    press_until_it_arrives(&scene, &web, &typist, "Return").await?;
    web.wait_until_drawn().await?;
    scene.desktop.screenshot(&picture(&format!("{}-by-itself.png", name(kind))))?;
    assert!(!hook.has_ended()?, "a key decided it");
    deny(hook, &web).await
}

/// A Wayland compositor may give the keyboard to a window that nobody asked for, and the person goes on typing. However
/// long that window stands there, no letter decides in it until it is clicked.
pub(super) async fn no_letter_decides_in_a_window_that_was_given_the_keyboard_until_it_is_clicked(
    kind: Kind,
) -> Result<()> {
    let scene = scene_with_prompts(kind).await?;
    let typist = scene.desktop.typist("typing here").await?;
    types(&scene, &typist).await?;
    let mut hook = scene.ask(EDIT)?;
    let web = waiting_prompt(&scene, "cart.ts").await?;
    web.execute(COUNT, vec![]).await?;
    scene.desktop.wait_for_window("Handraise", |window| window.has_focus).await?;
    for key in ["a", "s", "d", "r"] {
        // From here on a click on the button counts, and so would the key.
        web.find(ARMED).await?;
        press_until_it_arrives(&scene, &web, &typist, key).await?;
        web.wait_for_text("[data-testid=too-early]", |text| text.contains("Click here first")).await?;
    }
    scene.desktop.screenshot(&picture(&format!("{}-unasked.png", name(kind))))?;
    assert!(!hook.has_ended()?, "a letter decided it");
    let place = place_of(&scene, &web, "[data-testid=prompt-card] h1, #card-subject").await?;
    scene.desktop.click(place)?;
    wait_until("the letter to decide after the click", PATIENCE, async || {
        if hook.has_ended()? {
            return Ok(Some(()));
        }
        // On a busy machine the desktop loses a click.
        let said = "return document.querySelector('[data-testid=too-early]')?.innerText ?? ''";
        if web.execute(said, vec![]).await?.to_string().contains("Click here first") {
            scene.desktop.click(place)?;
        }
        web.find(ARMED).await?;
        scene.desktop.press("a")?;
        Ok(None)
    })
    .await?;
    assert_eq!(hook.end().await?.decision(), "allow");
    Ok(())
}

/// The place on the screen of what `css` finds in the page.
async fn place_of(scene: &Scene, web: &WebDriver, css: &str) -> Result<Rectangle> {
    let window = scene.desktop.wait_for_window("Handraise", |_| true).await?;
    let script = "const r = document.querySelector(arguments[0]).getBoundingClientRect(); \
                  return [r.left, r.top, r.width, r.height, innerWidth, innerHeight].map(Math.round)";
    let found: Vec<i32> = serde_json::from_value(web.execute(script, vec![json!(css)]).await?)?;
    let [left, top, width, height, inner_width, inner_height] = found[..] else { anyhow::bail!("{found:?}") };
    // The page is at the bottom of its frame, and in the middle of its width.
    let x = window.place.x + (window.place.width - inner_width) / 2 + left;
    let y = window.place.y + window.place.height - inner_height + top;
    Ok(Rectangle { x, y, width, height })
}

pub(super) async fn clicks_that_fall_while_a_prompt_comes_decide_nothing(kind: Kind) -> Result<()> {
    let scene = scene_with_prompts(kind).await?;
    // Where the button will be, from a first prompt.
    let hook = scene.ask(EDIT)?;
    let web = waiting_prompt(&scene, "cart.ts").await?;
    web.find(ARMED).await?;
    let place = place_of(&scene, &web, "[data-testid=approve]").await?;
    deny(hook, &web).await?;
    // Somebody clicks there all the time, the next prompt comes.
    scene.desktop.point(place)?;
    let mut hook = scene.ask(EDIT)?;
    let drawn = "return document.querySelector('[data-testid=prompt-card]')?.innerText.includes('cart.ts') ?? false";
    let mut looks = 0;
    let watching = wait_until("clicks on the prompt", PATIENCE, async || {
        looks += usize::from(web.execute(drawn, vec![]).await? == json!(true));
        Ok((looks > 8 || hook.has_ended()?).then_some(()))
    });
    // However slowly the page answers: a pause as long as the button waits would make the next click one that counts. And
    // no faster than anybody clicks, or the page is busy with nothing else.
    let clicking = async {
        loop {
            if let Err(error) = scene.desktop.press_button() {
                break error;
            }
            tokio::time::sleep(BETWEEN_CLICKS).await;
        }
    };
    tokio::select! {
        seen = watching => seen?,
        error = clicking => return Err(error),
    }
    scene.desktop.screenshot(&picture(&format!("{}-clicks.png", name(kind))))?;
    assert!(!hook.has_ended()?, "a click decided it");
    // The button is there, and such a click would have been one on it.
    web.find(ARMED).await?;
    let (x, y) = place.center();
    let button = place_of(&scene, &web, "[data-testid=approve]").await?;
    let holds = |at: i32, from: i32, size: i32| (from..from + size).contains(&at);
    let is_on_it = holds(x, button.x, button.width) && holds(y, button.y, button.height);
    assert!(is_on_it, "the clicks fell elsewhere: {place:?} {button:?}");
    scene.desktop.click(place).context("the last click")?;
    assert_eq!(hook.end().await?.decision(), "allow");
    Ok(())
}
