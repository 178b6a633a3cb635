//! The desktop, by way of Tauri and the [`os`] module.

use std::sync::Arc;
use std::time::Duration;

use handraise_protocol::{
    Appearance, ApprovalResult, DesktopState, Locale, Notice, QuestionResult, RequestId, ShortcutState, SurfaceKind,
    SurfaceState,
};
use handraise_server::Engine;
use tauri::{AppHandle, Emitter, Manager, Theme, async_runtime};
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::watch;

use crate::commands::Shared;
use crate::controller::Signal;
use crate::desktop::Desktop;
use crate::notices::Notices;
use crate::notification::content::{NotificationContent, NotificationKey};
use crate::os::{InputWatch, LoginItem, Notifier};
use crate::shortcut::Shortcut;
use crate::shutdown::Shutdown;
use crate::tray::draw::Tray;
use crate::tray::drawing::TrayDrawing;
use crate::window::open;
use crate::window::spec::{Layout, PromptSpec, WindowName};
use crate::{locale, os, strings};

/// Title of the notice that there is no tray.
const NO_TRAY: &str = "This desktop shows no tray icons";
/// Title of the notice that there are no notifications.
const NO_NOTIFICATIONS: &str = "Notifications do not work here";
/// Title of the notice that the start at login does not work.
const NO_LOGIN_ITEM: &str = "The start at login could not be changed";

/// The real desktop.
pub(crate) struct TauriDesktop {
    /// The application.
    pub app: AppHandle,
    /// Shows notifications.
    pub notifier: Arc<dyn Notifier>,
    /// The tray, where there is one.
    pub tray: Option<Tray>,
    /// Who presses buttons and keys.
    pub input: Arc<InputWatch>,
    /// The entry for the start at login, where this run has one.
    pub login_item: Arc<dyn LoginItem>,
    /// What a person should know.
    pub notices: Arc<Notices>,
    /// The keys that bring the prompt window forward.
    pub shortcut: watch::Sender<Option<Shortcut>>,
    /// The gate.
    pub engine: Engine,
    /// The controller.
    pub signals: UnboundedSender<Signal>,
    /// The end of the program.
    pub shutdown: Arc<Shutdown>,
}

impl TauriDesktop {
    /// Opening a window blocks until the main thread has made it.
    fn open(&self, name: WindowName, open: impl FnOnce(&AppHandle) -> tauri::Result<()> + Send + 'static) {
        let (app, signals) = (self.app.clone(), self.signals.clone());
        async_runtime::spawn_blocking(move || {
            if let Err(error) = open(&app) {
                tracing::error!(%error, "the window could not be opened");
                // Nobody listens any more only while the program ends.
                let _ = signals.send(Signal::WindowClosed(name));
            }
        });
    }

    /// In turn with what the page is told: both go by way of the main thread, one after the other.
    fn change_prompt(&self, change: impl FnOnce(&AppHandle) -> tauri::Result<()> + Send + 'static) {
        let app = self.app.clone();
        let asked = self.app.run_on_main_thread(move || {
            if let Err(error) = change(&app) {
                tracing::error!(%error, "the prompt window could not be changed");
            }
        });
        if let Err(error) = asked {
            tracing::error!(%error, "the prompt window could not be changed");
        }
    }

    /// Lets `handraise doctor` know.
    fn tell_surface(&self, kind: SurfaceKind, works: bool, detail: &str) {
        self.engine.tell_surface(SurfaceState { kind, works, detail: detail.to_owned() });
    }

    fn emit(&self, name: WindowName, event: &str, payload: &(impl serde::Serialize + Clone)) {
        if let Err(error) = self.app.emit_to(name.label(), event, payload) {
            tracing::warn!(%error, event, "a window could not be told");
        }
    }
}

impl Desktop for TauriDesktop {
    fn show_notification(&mut self, content: NotificationContent) {
        self.notifier.show(content);
    }

    fn close_notification(&mut self, key: NotificationKey) {
        self.notifier.close(key);
    }

    fn draw_tray(&mut self, drawing: &TrayDrawing) {
        if let Some(tray) = &self.tray {
            tray.draw(drawing);
        }
    }

    fn build_prompt(&mut self, spec: PromptSpec) {
        self.open(WindowName::Prompt, move |app| open::build_prompt(app, &spec));
    }

    fn lay_out_prompt(&mut self, spec: PromptSpec) {
        self.change_prompt(move |app| open::lay_out_prompt(app, &spec));
    }

    fn show_prompt(&mut self, spec: PromptSpec, layout: Option<Layout>) {
        self.change_prompt(move |app| open::show_prompt(app, spec, layout));
    }

    fn uncover_prompt(&mut self) {
        self.change_prompt(open::uncover_prompt);
    }

    fn raise_prompt(&mut self, spec: PromptSpec) {
        self.change_prompt(move |app| open::raise_prompt(app, spec));
    }

    fn put_prompt_away(&mut self) {
        self.change_prompt(open::put_prompt_away);
    }

    fn release_prompt(&mut self) {
        self.change_prompt(open::release_prompt);
    }

    fn can_wait_unseen(&self) -> bool {
        os::CAN_WAIT_HIDDEN
    }

    fn wake_in(&mut self, time: Duration) {
        let signals = self.signals.clone();
        async_runtime::spawn(async move {
            tokio::time::sleep(time).await;
            // Nobody listens any more only while the program ends.
            let _ = signals.send(Signal::Awake);
        });
    }

    fn open_settings(&mut self) {
        self.open(WindowName::Settings, open::settings);
    }

    fn show_call(&mut self, id: RequestId) {
        self.app.state::<Shared>().want(id);
        self.open_settings();
    }

    /// The page asks for it: with a thousand that wait it is megabytes, and WebKit keeps what events carry for a while.
    fn publish(&mut self, _state: &DesktopState) {
        self.emit(WindowName::Prompt, "desktop-state-changed", &());
    }

    fn publish_end(&mut self, result: &ApprovalResult) {
        self.emit(WindowName::Prompt, "request-ended", result);
    }

    fn publish_question_end(&mut self, result: &QuestionResult) {
        self.emit(WindowName::Prompt, "question-ended", result);
    }

    fn set_appearance(&mut self, appearance: Appearance) {
        self.app.set_theme(match appearance {
            Appearance::System => None,
            Appearance::Light => Some(Theme::Light),
            Appearance::Dark => Some(Theme::Dark),
        });
    }

    fn set_language(&mut self, language: Option<Locale>) {
        strings::speak(locale::in_force(language));
        for name in [WindowName::Prompt, WindowName::Settings] {
            let window = self.app.get_webview_window(name.label());
            if let Some(Err(error)) = window.map(|window| window.set_title(&name.title())) {
                tracing::warn!(%error, "a window has its title in another language");
            }
        }
    }

    fn set_shortcut(&mut self, keys: Option<&str>) {
        self.shortcut.send_replace(keys.and_then(Shortcut::read));
    }

    fn tell_shortcut(&mut self, state: ShortcutState) {
        self.app.state::<Shared>().tell_shortcut(state);
    }

    fn set_start_at_login(&mut self, start: bool) {
        let changed = if start { self.login_item.enable() } else { self.login_item.disable() };
        match changed {
            Ok(()) => self.notices.remove(NO_LOGIN_ITEM),
            Err(error) => {
                self.notices.add(Notice { title: NO_LOGIN_ITEM.to_owned(), detail: error.to_string() });
            }
        }
    }

    fn tell_tray_host(&mut self, is_there: bool) {
        self.tell_surface(SurfaceKind::Window, true, "The prompt window opens when a notification cannot do it.");
        if is_there && self.tray.is_some() {
            self.notices.remove(NO_TRAY);
            self.tell_surface(SurfaceKind::Tray, true, "The desktop shows the icon.");
            return;
        }
        let detail = if self.tray.is_some() {
            "Everything that the tray menu does, this window and the prompt window do as well. Start Handraise once \
             more to open the prompt window. On GNOME an extension for AppIndicator icons brings the tray back."
        } else {
            "The library libayatana-appindicator3 is not installed. Start Handraise once more to open the prompt \
             window."
        };
        self.tell_surface(SurfaceKind::Tray, false, &format!("{NO_TRAY}. {detail}"));
        self.notices.add(Notice { title: NO_TRAY.to_owned(), detail: detail.to_owned() });
    }

    fn tell_notifications(&mut self, work: bool) {
        if work {
            self.notices.remove(NO_NOTIFICATIONS);
            self.tell_surface(
                SurfaceKind::Notifications,
                true,
                "A notification service shows them with their buttons.",
            );
            return;
        }
        let detail = "No notification service is running, it does not start, or it shows no buttons. Requests open \
                      in the prompt window instead.";
        self.tell_surface(SurfaceKind::Notifications, false, &format!("{NO_NOTIFICATIONS}. {detail}"));
        self.notices.add(Notice { title: NO_NOTIFICATIONS.to_owned(), detail: detail.to_owned() });
    }

    fn may_give_keyboard(&self) -> bool {
        self.input.is_untold()
    }

    fn is_pressed_by_person(&self) -> bool {
        self.input.is_by_person()
    }

    fn quit(&mut self) {
        let (app, shutdown) = (self.app.clone(), self.shutdown.clone());
        async_runtime::spawn(async move {
            shutdown.run().await;
            app.exit(0);
        });
    }
}
