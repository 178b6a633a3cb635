//! What the environment may bring into the process that decides.
//!
//! Whoever starts the program chooses its environment, and that may be an agent. Variables that have
//! put foreign code into this process before `main` ran cannot be undone, so they end the start;
//! those that are read later are removed by starting once more without them.

use std::ffi::OsStr;

/// The start must end: code named here already runs in this process.
const LOADED_BEFORE_MAIN: [&str; 3] = ["DYLD_INSERT_LIBRARIES", "LD_AUDIT", "LD_PRELOAD"];

/// Removed: they make the C library (iconv(3), setlocale(3)), GTK, GLib or WebKit load code from a place of
/// somebody's choice, or open a debugger.
const REMOVED: [&str; 16] = [
    "GCONV_PATH",
    "GDK_PIXBUF_MODULEDIR",
    "GDK_PIXBUF_MODULE_FILE",
    "GIO_EXTRA_MODULES",
    "GIO_MODULE_DIR",
    "GST_PLUGIN_PATH",
    "GTK3_MODULES",
    "GTK_DEBUG",
    "GTK_EXE_PREFIX",
    "GTK_IM_MODULE_FILE",
    "GTK_PATH",
    "LOCPATH",
    "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS",
    "WEBKIT_EXEC_PATH",
    "WEBKIT_INJECTED_BUNDLE_PATH",
    "WEBKIT_WEB_CONTEXT_SETTINGS",
];

/// Removed likewise, every variable that begins so.
///
/// `LD_*` and `GLIBC_TUNABLES` direct the dynamic loader (ld.so(8)), `DYLD_*` that of macOS. What they have let in
/// until now is not there any more after the new start.
const REMOVED_PREFIXES: [&str; 5] = ["DYLD_", "GLIBC_TUNABLES", "JSC_", "LD_", "WEBKIT_INSPECTOR_"];

/// Removed unless a WebDriver is allowed: it makes the windows take orders.
const AUTOMATION: &str = "TAURI_WEBVIEW_AUTOMATION";
/// The one inspector variable that a WebDriver needs.
const AUTOMATION_SERVER: &str = "WEBKIT_INSPECTOR_SERVER";

/// Modules that desktops put into `GTK_MODULES` for everybody: accessibility, menu bars, sounds,
/// colours and window decorations.
const USUAL_GTK_MODULES: [&str; 12] = [
    "appmenu-gtk-module",
    "atk-bridge",
    "canberra-gtk-module",
    "canberra-gtk3-module",
    "colorreload-gtk-module",
    "gail",
    "pk-gtk-module",
    "topmenu-gtk-module",
    "topmenu-gtk3-module",
    "unity-gtk-module",
    "window-decorations-gtk-module",
    "xapp-gtk3-module",
];

/// What to do about the environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum EnvironmentCheck {
    /// Nothing dangerous is in it.
    Clean,
    /// End with this sentence.
    Refuse(String),
    /// Start once more without these variables.
    RestartWithout(Vec<String>),
}

/// Judges the environment `variables`; `webdriver` lets a WebDriver in.
#[must_use]
pub(crate) fn judge<'a>(
    variables: impl IntoIterator<Item = (&'a OsStr, &'a OsStr)>,
    webdriver: bool,
) -> EnvironmentCheck {
    let mut removed = Vec::new();
    for (name, value) in variables {
        // A name that is not text is none of those below.
        let Some(name) = name.to_str() else { continue };
        if LOADED_BEFORE_MAIN.contains(&name) && !value.is_empty() {
            return EnvironmentCheck::Refuse(format!(
                "{name} is set: it puts other code into the program that decides for you. Start Handraise without it."
            ));
        }
        if name == "GTK_MODULES" {
            if let Some(module) = unusual_module(value) {
                return EnvironmentCheck::Refuse(format!(
                    "GTK_MODULES names `{module}`, which Handraise does not know: it would run inside the program \
                     that decides for you. Start Handraise without it."
                ));
            }
            continue;
        }
        if is_removed(name, webdriver) {
            removed.push(name.to_owned());
        }
    }
    if removed.is_empty() {
        EnvironmentCheck::Clean
    } else {
        removed.sort();
        EnvironmentCheck::RestartWithout(removed)
    }
}

fn is_removed(name: &str, webdriver: bool) -> bool {
    if name == AUTOMATION || name == AUTOMATION_SERVER {
        return !webdriver;
    }
    REMOVED.contains(&name) || REMOVED_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

fn unusual_module(value: &OsStr) -> Option<String> {
    let value = value.to_string_lossy();
    let unusual = value.split(':').find(|module| !module.is_empty() && !USUAL_GTK_MODULES.contains(module));
    unusual.map(|module| handraise_display::line(module, 120))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(variables: &[(&str, &str)], webdriver: bool) -> EnvironmentCheck {
        judge(variables.iter().map(|(name, value)| (OsStr::new(*name), OsStr::new(*value))), webdriver)
    }

    #[test]
    fn an_ordinary_desktop_environment_is_clean() {
        let ordinary = [
            ("DISPLAY", ":0"),
            ("GTK_MODULES", "gail:atk-bridge:appmenu-gtk-module:canberra-gtk-module"),
            ("GTK_THEME", "Adwaita:dark"),
            ("WEBKIT_DISABLE_DMABUF_RENDERER", "1"),
        ];
        assert_eq!(verdict(&ordinary, false), EnvironmentCheck::Clean);
    }

    #[test]
    fn code_that_is_already_inside_ends_the_start() {
        for name in ["LD_PRELOAD", "LD_AUDIT"] {
            for webdriver in [false, true] {
                assert!(matches!(verdict(&[(name, "/tmp/evil.so")], webdriver), EnvironmentCheck::Refuse(_)), "{name}");
            }
        }
    }

    #[test]
    fn an_unknown_gtk_module_ends_the_start() {
        for modules in ["evil", "gail:/tmp/evil.so", "/tmp/gail"] {
            assert!(matches!(verdict(&[("GTK_MODULES", modules)], false), EnvironmentCheck::Refuse(_)), "{modules}");
        }
    }

    #[test]
    fn variables_that_are_read_later_are_removed() {
        let dangerous = [
            ("TAURI_WEBVIEW_AUTOMATION", "true"),
            ("WEBKIT_INSPECTOR_SERVER", "127.0.0.1:9222"),
            ("WEBKIT_INSPECTOR_HTTP_SERVER", "127.0.0.1:9223"),
            ("GTK_PATH", "/tmp"),
            ("JSC_useDollarVM", "1"),
            ("LD_LIBRARY_PATH", "/tmp"),
            ("LD_PRELOAD", ""),
            ("GLIBC_TUNABLES", "glibc.malloc.check=1"),
            ("GCONV_PATH", "/tmp"),
        ];
        assert_eq!(
            verdict(&dangerous, false),
            EnvironmentCheck::RestartWithout(vec![
                "GCONV_PATH".to_owned(),
                "GLIBC_TUNABLES".to_owned(),
                "GTK_PATH".to_owned(),
                "JSC_useDollarVM".to_owned(),
                "LD_LIBRARY_PATH".to_owned(),
                "LD_PRELOAD".to_owned(),
                "TAURI_WEBVIEW_AUTOMATION".to_owned(),
                "WEBKIT_INSPECTOR_HTTP_SERVER".to_owned(),
                "WEBKIT_INSPECTOR_SERVER".to_owned(),
            ])
        );
    }

    #[test]
    fn a_webdriver_gets_its_two_variables_and_no_more() {
        let wanted = [("TAURI_WEBVIEW_AUTOMATION", "true"), ("WEBKIT_INSPECTOR_SERVER", "127.0.0.1:9444")];
        assert_eq!(verdict(&wanted, true), EnvironmentCheck::Clean);
        assert_eq!(
            verdict(&[("WEBKIT_INSPECTOR_HTTP_SERVER", "x")], true),
            EnvironmentCheck::RestartWithout(vec!["WEBKIT_INSPECTOR_HTTP_SERVER".to_owned()])
        );
    }
}
