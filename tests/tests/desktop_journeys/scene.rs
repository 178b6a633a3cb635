//! The built application on a desktop of its own, and agents that ask it.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use anyhow::{Context, Result};
use handraise_tests::desktop::{
    Automation, Desktop, DesktopProcess, Kind, Notification, NotificationState, Options, PATIENCE, WebDriver,
    wait_until,
};
use handraise_tests::{api, application, headless};

use crate::hook::{Ended, Hook};

/// How long one click may take: the button may be gone before the pointer is there.
pub(crate) const ONE_CLICK: std::time::Duration = std::time::Duration::from_secs(3);

/// The home folder that the recorded payloads name.
const HOME_OF_PAYLOADS: &str = "/home/ana";
/// The project in it.
const PROJECT: &str = "code/shopfront";

/// The settings of these journeys: their clicks come from `xdotool` and WebDriver, which are programs.
pub(crate) const SETTINGS: &str = r#"{"version":1,"settings":{"start_at_login":false,"start_at_login_asked":true,"notifications":true,
    "prompt_window":"when_needed","appearance":"system","accept_made_input":true}}"#;

/// The application on its desktop.
pub(crate) struct Scene {
    // Dropped from top to bottom: the application before its desktop.
    pub(crate) app: DesktopProcess,
    pub(crate) desktop: Desktop,
    pub(crate) automation: Automation,
}

/// Where pictures go, to be looked at by a person.
pub(crate) fn picture(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("pictures").join(name)
}

impl Scene {
    /// The application, which takes the clicks of programs for those of a person.
    pub(crate) async fn start() -> Result<Self> {
        Self::start_with(Options::default(), &[]).await
    }

    /// The application on another desktop than Xfce, installed there as a package does it.
    pub(crate) async fn start_on(kind: Kind) -> Result<Self> {
        Self::start_with(kind.into(), &[]).await
    }

    /// The same with files that were there before: path and content.
    pub(crate) async fn start_with(options: Options, files: &[(&str, &str)]) -> Result<Self> {
        let has_settings = files.iter().any(|(path, _)| *path == "data/settings.json");
        let settings = (!has_settings).then_some(("data/settings.json", SETTINGS));
        let files: Vec<(&str, &str)> = files.iter().copied().chain(settings).collect();
        Self::start_new(options, &files).await
    }

    /// The application as a new user has it, with these files.
    pub(crate) async fn start_new(options: Options, files: &[(&str, &str)]) -> Result<Self> {
        let desktop = Desktop::start(options).await?;
        std::fs::create_dir_all(desktop.home().join(PROJECT))?;
        for (path, content) in files {
            put(&desktop, path, content)?;
        }
        application::install(&desktop)?;
        let automation = Automation::new()?;
        let app = application::start(&desktop, &automation)?;
        let scene = Self { app, desktop, automation };
        scene.wait_until_it_listens().await?;
        Ok(scene)
    }

    /// Kills the application, and starts it again with other settings.
    pub(crate) async fn restart_with_settings(&mut self, settings: &str) -> Result<()> {
        self.crash()?;
        put(&self.desktop, "data/settings.json", settings)?;
        self.app = application::start(&self.desktop, &self.automation)?;
        self.wait_until_it_listens().await
    }

    /// Kills the application, and starts it again with more flags.
    pub(crate) async fn restart_with_flags(&mut self, flags: &[&str]) -> Result<()> {
        self.crash()?;
        self.app = application::start_with(&self.desktop, &self.automation, flags)?;
        self.wait_until_it_listens().await
    }

    /// Kills the application as a crash would, and starts it again.
    pub(crate) async fn crash_and_restart(&mut self) -> Result<()> {
        self.crash()?;
        self.app = application::start(&self.desktop, &self.automation)?;
        self.wait_until_it_listens().await
    }

    /// Kills the application as a crash would.
    pub(crate) fn crash(&mut self) -> Result<()> {
        if self.app.exit_status()?.is_none() {
            self.app.signal(nix::sys::signal::Signal::SIGKILL)?;
            self.app.stop();
        }
        Ok(())
    }

    /// Starts the application once more, beside the running one.
    pub(crate) fn start_again(&self) -> Result<DesktopProcess> {
        application::start(&self.desktop, &self.automation)
    }

    /// An agent asks: `payload` is what Claude Code gives its hook. Ana's home folder is the desktop's.
    pub(crate) fn ask(&self, payload: &str) -> Result<Hook> {
        let home = self.desktop.home();
        let payload = payload.replace(HOME_OF_PAYLOADS, &home.to_string_lossy());
        Hook::start(&self.flags(), &payload, &home.join(PROJECT))
    }

    pub(crate) fn flags(&self) -> Vec<String> {
        headless::folder_flags(&self.desktop.home())
    }

    /// A requester of the API, with the token of the agent called `name`.
    pub(crate) fn requester(&self, name: &str) -> Result<api::Client> {
        application::requester(&self.desktop, name)
    }

    /// Clicks the button `label` of the notification about `text` until the hook has its answer: a
    /// click that comes faster than a person could have meant it does not count.
    pub(crate) async fn answer(&self, mut hook: Hook, text: &str, label: &str) -> Result<Ended> {
        wait_until(&format!("the answer {label:?}"), PATIENCE, async || {
            if hook.has_ended()? {
                return Ok(Some(()));
            }
            let is_open = |one: &Notification| one.state == NotificationState::Open && one.body.contains(text);
            let open = self.desktop.heard_notifications().into_iter().find(is_open).context("no notification")?;
            tokio::time::timeout(ONE_CLICK, self.desktop.click_notification_action(&open, label)).await??;
            Ok(None)
        })
        .await
        .with_context(|| self.app.log())?;
        hook.end().await
    }

    pub(crate) async fn web_driver(&self) -> Result<WebDriver> {
        self.automation.attach(&self.desktop).await
    }

    async fn wait_until_it_listens(&self) -> Result<()> {
        wait_until("the application to listen", PATIENCE, async || Ok(Some(self.requester("default")?)))
            .await
            .map(drop)
            .with_context(|| self.app.log())
    }
}

fn put(desktop: &Desktop, path: &str, content: &str) -> Result<()> {
    let path = desktop.home().join(path);
    std::fs::create_dir_all(path.parent().context("no folder")?)?;
    // As the application writes them: for this user's eyes only.
    std::fs::write(&path, content)?;
    Ok(std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600))?)
}

/// Denies in the prompt window. A click right after it came up by itself does not count: it may have been meant for what was
/// there before.
pub(crate) async fn deny(mut hook: Hook, web: &WebDriver) -> Result<()> {
    anyhow::ensure!(!hook.has_ended()?, "it was decided");
    wait_until("the denial", PATIENCE, async || {
        if hook.has_ended()? {
            return Ok(Some(()));
        }
        tokio::time::timeout(ONE_CLICK, web.click("[data-testid=deny]")).await??;
        Ok(None)
    })
    .await?;
    anyhow::ensure!(hook.end().await?.decision() == "deny", "it was not denied");
    Ok(())
}
