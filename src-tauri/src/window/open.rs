//! Opens the windows.

use tauri::webview::{Color, NewWindowResponse};
use tauri::{AppHandle, Manager, Url, WebviewUrl, WebviewWindow, WebviewWindowBuilder, Wry};

use crate::os::{self, Appearing};
use crate::window::spec::{
    Attention, Layout, MIN_PROMPT, MIN_SETTINGS, PromptSpec, SETTINGS, Size, WindowName, fitting,
};

/// Builds the prompt window for its page to draw what `spec` says. Nobody sees it before [`show_prompt`], but on a
/// system that shows no hidden window without giving it the keyboard. Blocks until it is there.
///
/// # Errors
/// When the system refuses.
pub(crate) fn build_prompt(app: &AppHandle, spec: &PromptSpec) -> tauri::Result<()> {
    let size = spec.size();
    let urgent = spec.is_urgent();
    let window = builder(app, WindowName::Prompt)
        .inner_size(size.width, size.height)
        .min_inner_size(MIN_PROMPT.width, MIN_PROMPT.height)
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
    let Size { width, height } = spec.size();
    prompt(app).map_or(Ok(()), |window| os::lay_out(&window, width, height))
}

/// Puts the prompt window on the screen, covered with the colour behind its page until [`uncover_prompt`].
///
/// # Errors
/// When the system refuses.
pub(crate) fn show_prompt(app: &AppHandle, spec: PromptSpec, layout: Option<Layout>) -> tauri::Result<()> {
    let Some(window) = prompt(app) else { return Ok(()) };
    let monitor = window.current_monitor()?.or(window.primary_monitor()?);
    let screen = monitor.map(|monitor| monitor.size().to_logical::<f64>(monitor.scale_factor()));
    let planned = spec.size();
    let size = match (layout, screen) {
        (Some(layout), Some(screen)) => {
            fitting(planned, layout.size, Size { width: screen.width, height: screen.height })
        }
        _ => planned,
    };
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
    os::put_away(&window)?;
    window.reload()
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
    builder(app, WindowName::Settings)
        .inner_size(SETTINGS.width, SETTINGS.height)
        .min_inner_size(MIN_SETTINGS.width, MIN_SETTINGS.height)
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
