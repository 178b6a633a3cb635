//! The app's windows from inside: WebKitWebDriver attached to the running app.

use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use fantoccini::elements::Element;
use fantoccini::error::CmdError;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::Value;
use tokio::time::timeout;

use super::Desktop;
use super::process::DesktopProcess;
use super::wait::{PATIENCE, wait_until};

/// The Tauri label of the window a session looks at; none of a window that nobody sees.
const LABEL: &str = "const unseen = document.visibilityState !== 'visible' \
     || document.querySelector('[data-stage]:not([data-stage=on_screen])') !== null; \
     return unseen ? null : window.__TAURI_INTERNALS__?.metadata.currentWindow.label ?? null";

/// What there is to know about a window that nobody sees.
const SEEN: &str = "return [window.__TAURI_INTERNALS__?.metadata.currentWindow.label, document.visibilityState, \
     document.readyState, document.querySelector('[data-stage]')?.dataset.stage]";

/// How long one driver may take for a session. WebKit has its socket open a moment before somebody listens behind it; a
/// request of that moment is lost, and the driver that sent it waits for ever.
const SESSION: Duration = Duration::from_secs(20);

/// How many drivers are tried, one after the other.
const DRIVERS: u32 = 4;

/// The port where the app's WebKit lets itself be driven. Made before the app is started, because the app is told.
#[derive(Debug, Clone)]
pub struct Automation {
    inspector: String,
}

impl Automation {
    /// Picks a free port.
    ///
    /// # Errors
    /// When no port can be bound.
    pub fn new() -> Result<Self> {
        Ok(Self { inspector: format!("127.0.0.1:{}", free_port()?) })
    }

    /// The variables the app must be started with.
    #[must_use]
    pub fn environment(&self) -> [(&'static str, &str); 2] {
        [("TAURI_WEBVIEW_AUTOMATION", "true"), ("WEBKIT_INSPECTOR_SERVER", &self.inspector)]
    }

    /// Starts a driver and attaches it to the app; waits until the app has a window.
    ///
    /// # Errors
    /// When the driver is not installed, or the app opens no window in time.
    pub async fn attach(&self, desktop: &Desktop) -> Result<WebDriver> {
        // The app listens as soon as it has a window; a session asked for earlier might never be answered.
        wait_until("the app's first window", PATIENCE, async || Ok(Some(TcpStream::connect(&self.inspector)?))).await?;
        let mut last = None;
        for _ in 0..DRIVERS {
            let (process, client) = self.ask_for_a_session(desktop).await?;
            match client {
                Ok(client) => return Ok(WebDriver { client, _process: process }),
                // The driver ends here, and with it a session that nobody would answer any more.
                Err(error) => last = Some(error.context(process.log())),
            }
        }
        Err(last.unwrap_or_else(|| anyhow!("no driver was started")))
    }

    /// Starts a driver, and asks it for a session.
    async fn ask_for_a_session(&self, desktop: &Desktop) -> Result<(DesktopProcess, Result<Client>)> {
        let port = free_port()?;
        let mut command = Command::new("WebKitWebDriver");
        command.args([format!("--port={port}"), format!("--target={}", self.inspector)]);
        let process = desktop.spawn(&command)?;
        let address = format!("http://127.0.0.1:{port}");
        let client = wait_until("a session with the app's windows", SESSION, async || {
            Ok(Some(ClientBuilder::new(HttpConnector::new()).connect(&address).await?))
        })
        .await;
        Ok((process, client))
    }
}

/// A session with the app's windows. One at a time: WebKit allows one automation session per app.
#[derive(Debug)]
pub struct WebDriver {
    /// The session itself, for everything that has no method here.
    pub client: Client,
    _process: DesktopProcess,
}

impl WebDriver {
    /// Looks at the window with this Tauri label from now on; waits for it to be opened.
    ///
    /// # Errors
    /// When there is no such window in time; the message lists those there are.
    pub async fn goto(&self, label: &str) -> Result<()> {
        let found = wait_until(&format!("the window {label:?}"), PATIENCE, async || {
            for window in self.client.windows().await? {
                // Windows may close between the two calls.
                if self.client.switch_to_window(window).await.is_err() {
                    continue;
                }
                let Ok(Value::String(current)) = self.client.execute(LABEL, Vec::new()).await else { continue };
                if current == label {
                    return Ok(Some(()));
                }
            }
            Ok(None)
        })
        .await;
        match found {
            Ok(()) => Ok(()),
            Err(error) => Err(error.context(format!("the windows are {:?}", self.what_is_there().await))),
        }
    }

    /// What each window is, and how much of it is to be seen.
    async fn what_is_there(&self) -> Result<Vec<String>> {
        let mut found = Vec::new();
        for window in self.client.windows().await? {
            let seen = match self.client.switch_to_window(window).await {
                Ok(()) => self.client.execute(SEEN, Vec::new()).await,
                Err(error) => Err(error),
            };
            found.push(seen.map_or_else(|error| error.to_string(), |seen| seen.to_string()));
        }
        Ok(found)
    }

    /// How many windows there are, seen or unseen.
    ///
    /// # Errors
    /// When the app is gone.
    pub async fn count(&self) -> Result<usize> {
        Ok(self.client.windows().await?.len())
    }

    /// The Tauri labels of the windows that are open.
    ///
    /// # Errors
    /// When the app is gone.
    pub async fn labels(&self) -> Result<Vec<String>> {
        let mut labels = Vec::new();
        for window in self.client.windows().await? {
            if self.client.switch_to_window(window).await.is_ok()
                && let Ok(Value::String(label)) = self.client.execute(LABEL, Vec::new()).await
            {
                labels.push(label);
            }
        }
        labels.sort();
        Ok(labels)
    }

    /// Waits for the element and returns it.
    ///
    /// # Errors
    /// When it does not appear.
    pub async fn find(&self, css: &str) -> Result<Element> {
        let element = self.client.wait().at_most(PATIENCE).every(LOOK).for_element(Locator::Css(css)).await;
        element.with_context(|| format!("no element {css}"))
    }

    /// Waits for the element, scrolls it into view and clicks it. A click that closes its own window counts as done.
    ///
    /// # Errors
    /// When the element does not appear or cannot be clicked.
    pub async fn click(&self, css: &str) -> Result<()> {
        let element = self.find(css).await?;
        let clicked = timeout(PATIENCE, element.click()).await.with_context(|| format!("the click on {css}"))?;
        match clicked {
            Err(error) if error.is_no_such_window() => Ok(()),
            other => other.with_context(|| format!("cannot click {css}")),
        }
    }

    /// Waits for the element and returns the text it shows.
    ///
    /// # Errors
    /// When the element does not appear.
    pub async fn text(&self, css: &str) -> Result<String> {
        let element = self.find(css).await?;
        answer("the text", element.text()).await
    }

    /// Waits until the element shows a text that `wanted` accepts, and returns it.
    ///
    /// # Errors
    /// When it does not; the message holds the last text.
    pub async fn wait_for_text(&self, css: &str, wanted: impl Fn(&str) -> bool) -> Result<String> {
        let mut last = String::new();
        let found = wait_until(&format!("a text in {css}"), PATIENCE, async || {
            last = self.client.find(Locator::Css(css)).await?.text().await?;
            Ok(wanted(&last).then(|| last.clone()))
        })
        .await;
        found.with_context(|| format!("the text is {last:?}"))
    }

    /// Empties the field and types into it.
    ///
    /// # Errors
    /// When the element does not appear or takes no text.
    pub async fn fill(&self, css: &str, text: &str) -> Result<()> {
        let element = self.find(css).await?;
        answer("the emptying", element.clear()).await?;
        answer("the typing", element.send_keys(text)).await
    }

    /// Runs the body of a JavaScript function in the page and returns its result.
    ///
    /// # Errors
    /// When the script throws.
    pub async fn execute(&self, script: &str, arguments: Vec<Value>) -> Result<Value> {
        answer("the script", self.client.execute(script, arguments)).await
    }

    /// Saves a picture (PNG) of the page, without the window's frame.
    ///
    /// # Errors
    /// When no page is looked at.
    pub async fn screenshot(&self, path: &Path) -> Result<()> {
        self.wait_until_drawn().await?;
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        Ok(std::fs::write(path, answer("the picture", self.client.screenshot()).await?)?)
    }

    /// Waits until the page is on the screen as it is: what was changed a moment ago is there two frames later.
    ///
    /// # Errors
    /// When it is not drawn in time.
    pub async fn wait_until_drawn(&self) -> Result<()> {
        self.execute(
            "window.drawn = false; requestAnimationFrame(() => requestAnimationFrame(() => { window.drawn = true }))",
            Vec::new(),
        )
        .await?;
        wait_until("the page to be drawn", PATIENCE, async || {
            Ok((self.execute("return window.drawn", Vec::new()).await? == true).then_some(()))
        })
        .await
    }
}

/// Pause between two looks at a page.
const LOOK: Duration = Duration::from_millis(25);

/// The answer of the driver, which must come in time: some requests it never answers.
async fn answer<T>(what: &str, request: impl Future<Output = Result<T, CmdError>>) -> Result<T> {
    let answered = timeout(PATIENCE, request).await;
    Ok(answered.with_context(|| format!("the driver did not answer: {what}"))??)
}

fn free_port() -> Result<u16> {
    Ok(TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}
