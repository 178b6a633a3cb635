//! Opens the windows.

use tauri::webview::NewWindowResponse;
use tauri::{AppHandle, Manager, Url, WebviewUrl, WebviewWindow, WebviewWindowBuilder, Wry};

use crate::os;
use crate::window::spec::{Attention, MIN_PROMPT, MIN_SETTINGS, PromptSpec, SETTINGS, WindowName};

/// Opens the prompt window as planned. Blocks until it is there.
///
/// # Errors
/// When the system refuses.
pub(crate) fn prompt(app: &AppHandle, spec: PromptSpec) -> tauri::Result<()> {
    if let Some(window) = app.get_webview_window(WindowName::Prompt.label()) {
        return match spec.attention {
            Attention::ByItself => Ok(()),
            Attention::StartedAgain => os::call_attention(&window),
            Attention::Asked => bring_to_front(&window, spec.token),
        };
    }
    let size = spec.size();
    let asked = spec.attention == Attention::Asked;
    // With nothing to answer it is a window like any other.
    let urgent = !asked && spec.waiting > 0;
    builder(app, WindowName::Prompt)
        .inner_size(size.width, size.height)
        .min_inner_size(MIN_PROMPT.width, MIN_PROMPT.height)
        // The first time that it is shown it leaves the keyboard where it is. X11 only: a Wayland
        // compositor decides for itself, and so the page ignores keys at first.
        .focused(asked)
        .always_on_top(urgent)
        .visible_on_all_workspaces(urgent)
        .build()?;
    Ok(())
}

/// Opens the settings window, or brings it to the front. Blocks until it is there.
///
/// # Errors
/// When the system refuses.
pub(crate) fn settings(app: &AppHandle) -> tauri::Result<()> {
    if let Some(prompt) = app.get_webview_window(WindowName::Prompt.label()) {
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
