//! How soon the prompt window shows what it should.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, ensure};
use handraise_tests::application;
use handraise_tests::desktop::{Automation, Desktop, PATIENCE, WebDriver, wait_until};
use serde_json::{Value, json};
use tokio::time::timeout;

use super::{A_MOMENT, AT_ONCE, RUNS, Running, median, memory, told};

/// Title of the prompt window.
const PROMPT_TITLE: &str = "Handraise";
/// Notes when the card with the text is on the screen: the frame after the one in which it is drawn and may be seen has
/// begun. A page that nobody sees has no frames.
const WATCH: &str = "const text = arguments[0]; window.noted = new Promise((done) => { \
     const look = () => { if (document.querySelector('[data-stage=on_screen] #card-subject')?.textContent.includes(text)) \
         requestAnimationFrame(() => requestAnimationFrame(() => done(Date.now()))); \
         else requestAnimationFrame(look) }; look() }); return null";
/// Waits for what was noted: whoever looks again and again takes the page's time.
const NOTED: &str = "const done = arguments[arguments.length - 1]; window.noted.then(done)";
/// Selects the last of the list, and notes how long it takes until its card is on the screen, and how long two frames
/// take without that.
const SWITCH: &str = "const items = [...document.querySelectorAll('[data-testid=list-item]')]; \
     const item = items.at(arguments[0] % 2 === 0 ? -1 : 0); \
     const frames = (then) => requestAnimationFrame(() => requestAnimationFrame(then)); \
     const first = performance.now(); window.noted = new Promise((done) => \
     frames(() => { const floor = performance.now() - first; const begin = performance.now(); item.click(); \
         frames(() => done([performance.now() - begin, floor])) })); return items.length";

fn now() -> Result<Duration> {
    Ok(SystemTime::now().duration_since(UNIX_EPOCH)?)
}

fn milliseconds(value: &Value) -> Result<Duration> {
    Ok(Duration::from_secs_f64(value.as_f64().context("no time")? / 1e3))
}

/// From sending a request to the first paint of its prompt window, which is set to open with every
/// request; beside the page's own share of that. The rest is the start of WebKit's web process.
pub(super) async fn cold(desktop: &Desktop, automation: &Automation) -> Result<bool> {
    let app = Running::start(desktop, automation).await?;
    let (mut times, mut pages) = (Vec::new(), Vec::new());
    for number in 0..RUNS {
        let begin = now()?;
        let asked = app.ask(1000 + number)?;
        let web = automation.attach(desktop).await?;
        web.goto("prompt").await?;
        web.find("[data-testid=prompt-card]").await?;
        let script = "const paint = performance.getEntriesByName('first-contentful-paint')[0]; \
                      return paint ? [Date.now() - performance.now(), paint.startTime] : null";
        let found = wait_until("the first paint", PATIENCE, async || {
            let found = web.execute(script, vec![]).await?;
            Ok((!found.is_null()).then_some(found))
        })
        .await?;
        let page = milliseconds(&found[1])?;
        let painted = milliseconds(&found[0])? + page;
        times.push(painted.checked_sub(begin).context("the window of the request before is still there")?);
        pages.push(page);
        drop(web);
        // It is painted before it is shown.
        wait_until("the prompt window", PATIENCE, async || Ok(desktop.window(PROMPT_TITLE).ok())).await?;
        if number == 0 {
            memory::tell("with the prompt window open", &app)?;
        }
        drop(asked);
        // It goes away by itself, a while after its last request.
        wait_until("the prompt window to close", PATIENCE, async || desktop.no_window(PROMPT_TITLE).map(Some)).await?;
    }
    memory::tell("after the prompt window has closed", &app)?;
    Ok(told("request to painted prompt, no window ready", median(times)?, "the page itself", median(pages)?, A_MOMENT))
}

/// The same into a window that waits unseen, as after the first prompt of a while; beside two frames of the page.
pub(super) async fn ready(desktop: &Desktop, automation: &Automation) -> Result<bool> {
    let app = Running::start(desktop, automation).await?;
    let asked = app.ask(3000)?;
    let web = automation.attach(desktop).await?;
    web.goto("prompt").await?;
    let frames = two_frames(&web).await?;
    drop(asked);
    let mut times = Vec::new();
    for number in 0..RUNS {
        wait_until("the prompt window to go", PATIENCE, async || desktop.no_window(PROMPT_TITLE).map(Some)).await?;
        // Its page is loaded anew, and waits.
        web.find("[data-stage=hidden]").await?;
        if number == 0 {
            memory::tell("with the prompt window waiting unseen", &app)?;
        }
        let number = 3001 + number;
        times.push(request_to_paint(&app, &web, number).await?);
    }
    Ok(told("request to painted prompt, window ready", median(times)?, "two frames", frames, AT_ONCE))
}

/// From sending the request `number` until the page that is there has painted it.
async fn request_to_paint(app: &Running, web: &WebDriver, number: usize) -> Result<Duration> {
    web.execute(WATCH, vec![json!(number.to_string())]).await?;
    let begin = now()?;
    let _asked = app.ask(number)?;
    let painted = noted(web).await?;
    milliseconds(&painted)?.checked_sub(begin).context("it was painted before it was asked")
}

/// The same into a window that is open, and from one request to another while a thousand wait.
pub(super) async fn warm(desktop: &Desktop, automation: &Automation) -> Result<bool> {
    let app = Running::start(desktop, automation).await?;
    // A second start opens the window, which then stays.
    let mut second = application::start(desktop, automation)?;
    wait_until("the second start to end", PATIENCE, async || second.exit_status()).await?;
    let web = automation.attach(desktop).await?;
    web.goto("prompt").await?;
    let (mut times, mut frames) = (Vec::new(), Vec::new());
    for number in 0..RUNS {
        web.find("[data-testid=empty]").await?;
        frames.push(two_frames(&web).await?);
        let number = 5000 + number;
        times.push(request_to_paint(&app, &web, number).await?);
    }
    let what = "request to painted prompt, window open";
    let mut fine = told(what, median(times)?, "two frames", median(frames)?, AT_ONCE);

    app.ask_a_thousand(desktop)?;
    let count = "return document.querySelectorAll('[data-testid=list-item]').length";
    wait_until("a thousand", PATIENCE, async || Ok((web.execute(count, vec![]).await? == 1000).then_some(()))).await?;
    memory::tell("with the prompt window open and 1,000 waiting", &app)?;
    let (mut times, mut frames) = (Vec::new(), Vec::new());
    for number in 0..RUNS {
        ensure!(web.execute(SWITCH, vec![json!(number)]).await? == 1000, "one is missing");
        let found = noted(&web).await?;
        times.push(milliseconds(&found[0])?);
        frames.push(milliseconds(&found[1])?);
    }
    let what = "from one request to another, 1,000 waiting";
    fine &= told(what, median(times)?, "two frames", median(frames)?, AT_ONCE);
    Ok(fine)
}

/// What the page notes.
async fn noted(web: &WebDriver) -> Result<Value> {
    Ok(timeout(PATIENCE, web.client.execute_async(NOTED, vec![])).await.context("nothing was noted")??)
}

async fn two_frames(web: &WebDriver) -> Result<Duration> {
    let script = "const begin = performance.now(); window.noted = new Promise((done) => requestAnimationFrame(() => \
                  requestAnimationFrame(() => done(performance.now() - begin)))); return null";
    web.execute(script, vec![]).await?;
    milliseconds(&noted(web).await?)
}
