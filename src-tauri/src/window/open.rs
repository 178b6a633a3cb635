//! Opens the windows.

use tauri::webview::{Color, NewWindowResponse};
use tauri::{
    AppHandle, LogicalPosition, LogicalSize, Manager, Monitor, Url, WebviewUrl, WebviewWindow, WebviewWindowBuilder,
    Wry, async_runtime,
};

use crate::os::{self, Appearing};
use crate::window::size::{Showing, Size, fitting};
use crate::window::sizes::WindowSizes;
use crate::window::spec::{Attention, Layout, PromptSpec, WindowName};

/// Builds the prompt window for its page to draw what `spec` says. Nobody sees it before [`show_prompt`], but on a
/// system that shows no hidden window without giving it the keyboard. Blocks until it is there.
///
/// # Errors
/// When the system refuses.
pub(crate) fn build_prompt(app: &AppHandle, spec: &PromptSpec) -> tauri::Result<()> {
    let size = planned(app, spec.showing, app.primary_monitor()?.as_ref());
    let least = spec.showing.min_size();
    let urgent = spec.is_urgent();
    let window = builder(app, WindowName::Prompt)
        .inner_size(size.width, size.height)
        .min_inner_size(least.width, least.height)
        .visible(!os::CAN_WAIT_HIDDEN)
        .focused(spec.attention == Attention::Asked)
        .always_on_top(urgent)
        .visible_on_all_workspaces(urgent)
        .build()?;
    os::lay_out(&window, size.width, size.height)
}

/// Gives the page of the prompt window, which nobody sees, the room that it will have.
///
/// # Errors
/// When the system refuses.
pub(crate) fn lay_out_prompt(app: &AppHandle, spec: &PromptSpec) -> tauri::Result<()> {
    let Some(window) = prompt(app) else { return Ok(()) };
    let Size { width, height } = planned(app, spec.showing, monitor(&window)?.as_ref());
    os::lay_out(&window, width, height)
}

/// Puts the prompt window on the screen, covered with the colour behind its page until [`uncover_prompt`].
///
/// # Errors
/// When the system refuses.
pub(crate) fn show_prompt(app: &AppHandle, spec: PromptSpec, layout: Option<Layout>) -> tauri::Result<()> {
    let Some(window) = prompt(app) else { return Ok(()) };
    let monitor = monitor(&window)?;
    let planned = planned(app, spec.showing, monitor.as_ref());
    let size = match (layout, monitor) {
        (Some(layout), Some(monitor)) => fitting(planned, layout.size, size_of(&monitor)),
        _ => planned,
    };
    app.state::<WindowSizes>().came_up(WindowName::Prompt, spec.showing, size);
    if let Some(Layout { background: [red, green, blue], .. }) = layout {
        window.set_background_color(Some(Color(red, green, blue, u8::MAX)))?;
    }
    let appearing = Appearing {
        width: size.width,
        height: size.height,
        is_asked: spec.attention == Attention::Asked,
        stays_above: spec.is_urgent(),
        token: spec.token,
    };
    os::show(&window, appearing)
}

/// Lets the page of the prompt window be seen.
///
/// # Errors
/// When the system refuses.
pub(crate) fn uncover_prompt(app: &AppHandle) -> tauri::Result<()> {
    prompt(app).map_or(Ok(()), |window| os::uncover(&window))
}

/// Brings the prompt window forward, which is on the screen.
///
/// # Errors
/// When the system refuses.
pub(crate) fn raise_prompt(app: &AppHandle, spec: PromptSpec) -> tauri::Result<()> {
    let Some(window) = prompt(app) else { return Ok(()) };
    match spec.attention {
        Attention::ByItself => Ok(()),
        Attention::StartedAgain => os::call_attention(&window),
        Attention::Asked => bring_to_front(&window, spec.token),
    }
}

/// Takes the prompt window from the screen and lets it wait there. Its page is loaded anew: nothing of what it showed is
/// left in it.
///
/// # Errors
/// When the system refuses.
pub(crate) fn put_prompt_away(app: &AppHandle) -> tauri::Result<()> {
    let Some(window) = prompt(app) else { return Ok(()) };
    keep_size(&window);
    os::put_away(&window)?;
    window.reload()
}

/// Ends the prompt window.
///
/// # Errors
/// When the system refuses.
pub(crate) fn release_prompt(app: &AppHandle) -> tauri::Result<()> {
    let Some(window) = prompt(app) else { return Ok(()) };
    keep_size(&window);
    window.destroy()
}

/// Makes a window that is on the screen as large as its content, within what the screen has room for.
///
/// # Errors
/// When the system refuses.
pub(crate) fn fit(window: &WebviewWindow, content: Size) -> tauri::Result<()> {
    let Some(monitor) = window.current_monitor()? else { return Ok(()) };
    let screen = size_of(&monitor);
    let now = window.inner_size()?.to_logical::<f64>(monitor.scale_factor());
    let now = Size { width: now.width, height: now.height };
    let size = fitting(now, content, screen);
    if size == now {
        return Ok(());
    }
    if let Some(name) = WindowName::labelled(window.label()) {
        window.state::<WindowSizes>().was_given(name, size);
    }
    window.set_size(LogicalSize::new(size.width, size.height))?;
    // To center it by itself would go by the size that it had.
    let corner = monitor.position().to_logical::<f64>(monitor.scale_factor());
    let (left, top) = ((screen.width - size.width) / 2.0, (screen.height - size.height) / 2.0);
    window.set_position(LogicalPosition::new(corner.x + left, corner.y + top))
}

/// Keeps the size that a person has given a window, which is about to leave the screen.
pub(crate) fn keep_size(window: &WebviewWindow) {
    let Some(name) = WindowName::labelled(window.label()) else { return };
    let app = window.app_handle().clone();
    let read = os::read_size(window, move |width, height| {
        if !app.state::<WindowSizes>().left(name, Size { width, height }) {
            return;
        }
        async_runtime::spawn_blocking(move || {
            if let Err(error) = app.state::<WindowSizes>().save() {
                tracing::warn!(%error, "the size of a window is kept until the program ends");
            }
        });
    });
    if let Err(error) = read {
        tracing::warn!(%error, "the size of a window is not known");
    }
}

/// The size of a window that comes up on `monitor`, before its content is known.
fn planned(app: &AppHandle, showing: Showing, monitor: Option<&Monitor>) -> Size {
    app.state::<WindowSizes>().of(showing, monitor.map(size_of))
}

/// The monitor that a window is on, or is likely to come up on.
fn monitor(window: &WebviewWindow) -> tauri::Result<Option<Monitor>> {
    Ok(window.current_monitor()?.or(window.primary_monitor()?))
}

fn size_of(monitor: &Monitor) -> Size {
    let size = monitor.size().to_logical::<f64>(monitor.scale_factor());
    Size { width: size.width, height: size.height }
}

/// The prompt window, if there is one.
pub(crate) fn prompt(app: &AppHandle) -> Option<WebviewWindow> {
    app.get_webview_window(WindowName::Prompt.label())
}

/// Opens the settings window, or brings it to the front. Blocks until it is there.
///
/// # Errors
/// When the system refuses.
pub(crate) fn settings(app: &AppHandle) -> tauri::Result<()> {
    if let Some(prompt) = prompt(app) {
        // It would cover what the person has just asked for.
        prompt.set_always_on_top(false)?;
    }
    if let Some(window) = app.get_webview_window(WindowName::Settings.label()) {
        return bring_to_front(&window, None);
    }
    let size = planned(app, Showing::Settings, app.primary_monitor()?.as_ref());
    let least = Showing::Settings.min_size();
    app.state::<WindowSizes>().came_up(WindowName::Settings, Showing::Settings, size);
    builder(app, WindowName::Settings)
        .inner_size(size.width, size.height)
        .min_inner_size(least.width, least.height)
        .build()?;
    Ok(())
}

fn builder(app: &AppHandle, name: WindowName) -> WebviewWindowBuilder<'_, Wry, AppHandle> {
    WebviewWindowBuilder::new(app, name.label(), WebviewUrl::App(name.page().into()))
        .title(name.title())
        .center()
        .devtools(cfg!(debug_assertions))
        .on_navigation(is_own_page)
        .on_new_window(|_, _| NewWindowResponse::Deny)
}

fn bring_to_front(window: &WebviewWindow, token: Option<String>) -> tauri::Result<()> {
    window.unminimize()?;
    os::activate(window, token)
}

/// Only the pages that are built into the program.
fn is_own_page(url: &Url) -> bool {
    match url.scheme() {
        "tauri" => url.host_str() == Some("localhost"),
        // How Windows spells the same.
        "http" | "https" => cfg!(windows) && url.host_str() == Some("tauri.localhost"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_own_pages_are_shown() {
        let own = |url: &str| is_own_page(&Url::parse(url).unwrap());
        assert!(own("tauri://localhost/prompt.html"));
        for foreign in ["https://example.org/", "tauri://example.org/", "file:///etc/passwd", "data:text/html,x"] {
            assert!(!own(foreign), "{foreign}");
        }
    }
}
