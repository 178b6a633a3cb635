//! Puts the parts together and runs them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use handraise_locations::{Folders, create_private_folder};
use handraise_protocol::{Notice, Settings};
use handraise_server::{GrantList, Server, ServerOptions, Surface};
use tauri::{AppHandle, Emitter, Manager, RunEvent, WindowEvent, async_runtime};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::{Notify, watch};

use crate::agents::{self, Program};
use crate::commands::{self, Shared};
use crate::controller::{Controller, Moment, Signal};
use crate::flags::Flags;
use crate::gate::{ChangeSurface, EngineGatekeeper, follow};
use crate::guide::{self, Guide};
use crate::notices::Notices;
use crate::notification::wanted::not_running;
use crate::os::{self, LoginCommand, LoginItem, NoLoginItem, Notifier};
use crate::shutdown::Shutdown;
use crate::stored::grants::GrantFile;
use crate::stored::plugin::PluginFile;
use crate::stored::settings::SettingsStore;
use crate::tauri_desktop::TauriDesktop;
use crate::tray::draw::Tray;
use crate::tray::menu::Choice;
use crate::window::open;
use crate::window::sizes::WindowSizes;
use crate::window::spec::WindowName;
use crate::{activity, essential_task, lately, locale, login, strings};

/// Changes that come so close together are shown at once.
const COALESCE: Duration = Duration::from_millis(50);

/// How long the process stays to have its last notification shown.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// The notice that the X server does not tell where input comes from.
const NO_INPUT: &str = "Clicks that programs make cannot be told from yours";
const NO_INPUT_DETAIL: &str = "This X server does not say which device a click or key came from (XInput 2.2). \
                               Any program in this session can press the buttons of these windows.";

/// Runs until the person quits.
///
/// # Errors
/// With a sentence for the person when it cannot start.
#[expect(clippy::exit, reason = "in what `generate_context` makes")]
pub(crate) fn run(flags: Flags) -> anyhow::Result<()> {
    let folders = Folders::with(flags.config_dir.clone(), flags.data_dir.clone(), flags.runtime_dir.clone())?;
    folders.create()?;
    let (signals, received) = unbounded_channel();
    let (again, menu, windows) = (signals.clone(), signals.clone(), signals.clone());
    os::name_application();
    strings::speak(locale::in_force(None));
    let builder = tauri::Builder::default()
        .manage(Guide::default())
        .plugin(tauri_plugin_single_instance::init(move |_, _, _| send(&again, Signal::StartedAgain)))
        .plugin(tauri_plugin_store::Builder::default().build())
        .invoke_handler(tauri::generate_handler![
            activity::activity,
            activity::activity_choices,
            activity::activity_figures,
            activity::export_activity,
            agents::agents,
            agents::change_agent,
            agents::check_agent,
            agents::own_rules,
            agents::preview_agent_change,
            commands::add_policy_rules,
            commands::check_policy,
            commands::confirm_policy,
            commands::create_credential,
            commands::answer,
            commands::decide,
            commands::desktop_state,
            commands::discard_policy,
            commands::dismiss_missed,
            commands::dismiss_notice,
            commands::end_session,
            commands::fit_window,
            commands::hide_window,
            commands::import_policy_rules,
            commands::kept,
            commands::open_policy_file,
            commands::open_settings,
            commands::policy,
            commands::preview_rule,
            commands::pressed_without_device,
            commands::prompt_drawn,
            commands::prompt_painted,
            commands::check_rule,
            commands::put_back,
            commands::preview_edit,
            commands::reveal,
            commands::revoke_credential,
            commands::revoke_grant,
            commands::save_policy,
            commands::save_settings,
            commands::set_mode,
            commands::set_policy_preset,
            commands::set_timeout,
            commands::settings_view,
            commands::suggest_rules,
            commands::try_call,
            guide::ask_sample,
            guide::compare_presets,
            guide::open_guide,
            guide::open_inbox,
            guide::stop_comparing,
            guide::stop_sample,
        ])
        .on_menu_event(move |_, event| {
            if let Some(choice) = Choice::named(event.id().as_ref()) {
                send(&menu, Signal::Menu(choice));
            }
        })
        .on_window_event(move |window, event| match (WindowName::labelled(window.label()), event) {
            (Some(name), WindowEvent::Destroyed) => {
                if name == WindowName::Settings {
                    window.state::<Guide>().stop();
                }
                send(&windows, Signal::WindowClosed(name));
            }
            (Some(WindowName::Prompt), WindowEvent::CloseRequested { api, .. }) => {
                api.prevent_close();
                send(&windows, Signal::PutPromptAway);
            }
            (Some(WindowName::Settings), WindowEvent::CloseRequested { .. }) => {
                if let Some(window) = window.get_webview_window(window.label()) {
                    open::keep_size(&window);
                }
            }
            (Some(WindowName::Prompt), WindowEvent::Focused(focused)) => send(&windows, Signal::PromptFocus(*focused)),
            _ => {}
        });
    // Without a display this panics instead of saying so.
    let built = catch_unwind(AssertUnwindSafe(|| builder.build(tauri::generate_context!())));
    let Ok(app) = built else {
        anyhow::bail!("there is no graphical session here; in a terminal, use `handraise serve`");
    };
    let app = app?;
    let shutdown = start(app.handle(), &flags, &folders, signals, received)
        .inspect_err(|error| tell_that_nothing_runs(&error.to_string()))?;
    app.run(move |_, event| match event {
        // The last window is closed: the tray goes on.
        RunEvent::ExitRequested { code: None, api, .. } => api.prevent_exit(),
        RunEvent::Exit => async_runtime::block_on(shutdown.run()),
        _ => {}
    });
    Ok(())
}

/// Starts everything that is no window.
fn start(
    app: &AppHandle,
    flags: &Flags,
    folders: &Folders,
    signals: UnboundedSender<Signal>,
    received: UnboundedReceiver<Signal>,
) -> anyhow::Result<Arc<Shutdown>> {
    let notices = Arc::new(Notices::default());
    let changed = Arc::new(Notify::new());
    let handle = app.clone();
    let grants = GrantFile::new(folders.data.clone(), Box::new(move |path| PluginFile::open(&handle, path)));
    let store: Arc<dyn GrantList> = Arc::new(grants);
    let surface: Arc<dyn Surface> = Arc::new(ChangeSurface { signals: signals.clone(), changed: changed.clone() });
    let options = ServerOptions {
        folders: folders.clone(),
        port: flags.port,
        approver_token_file: None,
        confirm_policy: flags.confirm_policy,
        // Until the settings are read, just below.
        external_decisions: Settings::default().external_decisions(),
        confine_program: None,
    };
    let server = async_runtime::block_on(Server::start(options, vec![surface], store))?;
    let engine = server.engine().clone();

    // The server holds its lock: no other process uses these folders now.
    let (settings, notice) = SettingsStore::open(&folders.data, |path| PluginFile::open(app, path));
    notice.into_iter().for_each(|notice| notices.add(notice));
    strings::speak(locale::in_force(settings.get().language));
    async_runtime::block_on(engine.set_external_decisions(settings.get().external_decisions()))
        .map_err(|problem| anyhow::anyhow!(problem.detail))?;
    if let Err(problem) = async_runtime::block_on(engine.set_keep_days(settings.get().keep_audit_days)) {
        tracing::warn!(detail = problem.detail, "the audit log is kept for ever");
    }
    if let Err(problem) = async_runtime::block_on(engine.set_undo(settings.get().undo)) {
        tracing::warn!(detail = problem.detail, "the settings of undo are not in force");
    }
    let (sizes, notice) = WindowSizes::open(&folders.data, |path| PluginFile::open(app, path));
    notice.into_iter().for_each(|notice| notices.add(notice));
    app.manage(sizes);
    let login_item = login_item(flags);
    reconcile_login(&settings, login_item.as_ref(), &notices);

    let left = folders.runtime.join("notifications.json");
    let notifier = os::start_notifier(forwarded(&signals, Signal::Notifier), Some(left));
    let notifier: Arc<dyn Notifier> = Arc::from(notifier);
    os::watch_accent();
    os::watch_presence(forwarded(&signals, Signal::Presence));
    let input = Arc::new(os::watch_input());
    if input.is_blind() {
        notices.add(Notice { title: NO_INPUT.to_owned(), detail: NO_INPUT_DETAIL.to_owned() });
    }
    let shared = Shared {
        input: input.clone(),
        engine: engine.clone(),
        endpoint: server.endpoint(),
        settings: Arc::new(settings),
        notices: notices.clone(),
        signals: signals.clone(),
        shown: Arc::new(Notify::new()),
        wanted: Mutex::default(),
        shortcut: Mutex::default(),
    };
    let shown = shared.shown.clone();
    let is_first_start = shared.settings.is_first_start();
    let settings = shared.settings.get();
    app.manage(shared);
    app.manage(Program::new(flags));
    let shutdown = Arc::new(Shutdown::new(server, notifier.clone()));

    // In front of what is known of the tray: where there is none, an open window is what the person sees.
    if opens_settings(is_first_start, flags) {
        send(&signals, Signal::Menu(Choice::OpenSettings));
    }
    let tray = build_tray(app, folders);
    if tray.is_some() {
        let panel = forwarded(&signals, Signal::Panel);
        async_runtime::spawn(os::watch_panel(flags.autostart, panel));
    } else {
        send(&signals, Signal::NoTray);
    }
    let (shortcut, wanted) = watch::channel(None);
    async_runtime::spawn(os::watch_shortcut(
        wanted,
        strings::Text::ShortcutForward,
        forwarded(&signals, Signal::Shortcut),
    ));
    let desktop = TauriDesktop {
        app: app.clone(),
        notifier,
        tray,
        input,
        login_item,
        notices: notices.clone(),
        shortcut,
        engine: engine.clone(),
        signals: signals.clone(),
        shutdown: shutdown.clone(),
    };
    let gatekeeper = EngineGatekeeper { engine: engine.clone(), signals: signals.clone() };
    let controller = Controller::new(desktop, gatekeeper, settings, Moment::now())
        .releasing_prompt_after(flags.release_prompt_after.map(Duration::from_secs));
    essential_task::spawn("what is shown", control(controller, received));
    essential_task::spawn("following the gate", follow(engine.clone(), changed, signals.clone(), shown.clone()));
    let told = signals.clone();
    async_runtime::spawn(lately::follow(engine.clone(), move |lately| send(&told, Signal::Lately(Box::new(lately)))));
    essential_task::spawn("the settings window", publish_settings(app.clone(), shown, notices));
    async_runtime::spawn(listen_for_the_end(signals));
    let ending = shutdown.clone();
    async_runtime::spawn(async move {
        engine.stopped().await;
        if !ending.has_begun() {
            essential_task::end("the gate has stopped");
        }
    });
    Ok(shutdown)
}

/// Whoever started it from a menu, or at login, sees no terminal.
fn tell_that_nothing_runs(reason: &str) {
    let (events, _) = unbounded_channel();
    async_runtime::block_on(async {
        let notifier = os::start_notifier(events, None);
        notifier.show(not_running(reason));
        tokio::time::sleep(LAST_WORDS).await;
    });
}

async fn control(mut controller: Controller<TauriDesktop, EngineGatekeeper>, mut received: UnboundedReceiver<Signal>) {
    while let Some(signal) = received.recv().await {
        controller.handle(signal, Moment::now());
    }
}

/// Tells the settings window what to show whenever that may have changed, if there is such a window.
async fn publish_settings(app: AppHandle, shown: Arc<Notify>, notices: Arc<Notices>) {
    let label = WindowName::Settings.label();
    loop {
        tokio::select! {
            () = shown.notified() => {}
            () = notices.changed() => {}
        }
        tokio::time::sleep(COALESCE).await;
        if app.get_webview_window(label).is_none() {
            continue;
        }
        // An error: the gate has stopped, and the program ends.
        let Ok(view) = app.state::<Shared>().settings_view().await else { return };
        if let Err(error) = app.emit_to(label, "settings-view", view) {
            tracing::warn!(%error, "the settings window could not be told");
        }
    }
}

/// The end of the session, or somebody's `kill`: time to deny what is open.
#[cfg(unix)]
async fn listen_for_the_end(signals: UnboundedSender<Signal>) {
    use tokio::signal::unix::{SignalKind, signal};
    let listened = [SignalKind::terminate(), SignalKind::interrupt(), SignalKind::hangup()].map(signal);
    let [Ok(mut terminate), Ok(mut interrupt), Ok(mut hangup)] = listened else {
        tracing::warn!("signals cannot be listened to");
        return;
    };
    loop {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
            _ = hangup.recv() => {}
        }
        send(&signals, Signal::Terminate);
    }
}

/// The end of the session, or Ctrl+C: time to deny what is open.
#[cfg(not(unix))]
async fn listen_for_the_end(signals: UnboundedSender<Signal>) {
    while tokio::signal::ctrl_c().await.is_ok() {
        send(&signals, Signal::Terminate);
    }
}

fn build_tray(app: &AppHandle, folders: &Folders) -> Option<Tray> {
    let folder = folders.runtime.join("tray");
    // A run that was killed leaves its picture behind; that there is none is fine as well.
    let _ = std::fs::remove_dir_all(&folder);
    if let Err(error) = create_private_folder(&folder) {
        tracing::warn!(%error, "the tray's folder cannot be made");
        return None;
    }
    match Tray::build(app, &folder) {
        Ok(tray) => Some(tray),
        Err(error) => {
            tracing::warn!(%error, "there is no tray");
            None
        }
    }
}

/// None for a run with a folder of its own, as those of tests, unless it has one for this as well.
fn login_item(flags: &Flags) -> Arc<dyn LoginItem> {
    let is_own_run = flags.config_dir.is_some() && flags.autostart_dir.is_none();
    let item = std::env::current_exe().ok().filter(|_| !is_own_run).and_then(|program| {
        let mut arguments = vec!["--autostart".to_owned()];
        arguments.extend(flags.folder_arguments());
        os::login_item(LoginCommand { program, arguments }, flags.autostart_dir.clone())
    });
    item.map_or_else(|| Arc::new(NoLoginItem) as Arc<dyn LoginItem>, Arc::from)
}

/// Whoever starts it for the first time finds what there is to choose, above all whether it starts at login. Not a
/// session that starts it, and no run with folders of its own.
fn opens_settings(is_first_start: bool, flags: &Flags) -> bool {
    is_first_start && !flags.autostart && flags.config_dir.is_none()
}

fn reconcile_login(settings: &SettingsStore, item: &dyn LoginItem, notices: &Notices) {
    let current = settings.get();
    match login::reconcile(item, current.start_at_login) {
        Ok(start_at_login) => {
            let is_kept = !settings.is_first_start() && start_at_login == current.start_at_login;
            if is_kept {
                return;
            }
            if let Err(error) = settings.set(Settings { start_at_login, ..current }) {
                tracing::warn!(%error, "the settings could not be saved");
            }
        }
        Err(error) => notices
            .add(Notice { title: "The start at login could not be set up".to_owned(), detail: error.to_string() }),
    }
}

/// A sender whose messages arrive as signals.
fn forwarded<T: Send + 'static>(signals: &UnboundedSender<Signal>, wrap: fn(T) -> Signal) -> UnboundedSender<T> {
    let (sender, mut receiver) = unbounded_channel();
    let signals = signals.clone();
    async_runtime::spawn(async move {
        while let Some(message) = receiver.recv().await {
            send(&signals, wrap(message));
        }
    });
    sender
}

fn send(signals: &UnboundedSender<Signal>, signal: Signal) {
    // Nobody listens any more only while the program ends.
    let _ = signals.send(signal);
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[test]
    fn the_settings_open_where_a_person_starts_it_for_the_first_time() {
        let opens = |first, flags: &[&str]| {
            let flags = ["handraise-desktop"].iter().chain(flags);
            opens_settings(first, &Flags::parse_from(flags))
        };
        assert!(opens(true, &[]));
        assert!(!opens(false, &[]));
        assert!(!opens(true, &["--autostart"]));
        assert!(!opens(true, &["--config-dir", "/tmp/c"]));
    }
}
