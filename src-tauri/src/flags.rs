//! The command line.

use std::path::PathBuf;

use clap::Parser;

/// Stands between AI agents and what they want to do: asks you first.
#[derive(Clone, Debug, Parser)]
#[command(name = "handraise-desktop", version)]
pub(crate) struct Flags {
    /// Folder of the policy and the tokens.
    #[arg(long, value_name = "FOLDER")]
    pub config_dir: Option<PathBuf>,
    /// Folder of the audit log, the settings and the grants.
    #[arg(long, value_name = "FOLDER")]
    pub data_dir: Option<PathBuf>,
    /// Folder of the socket and the discovery file.
    #[arg(long, value_name = "FOLDER")]
    pub runtime_dir: Option<PathBuf>,
    /// Port on 127.0.0.1.
    #[arg(long)]
    pub port: Option<u16>,
    /// Take the policy file as it lies there as confirmed: you have looked at it.
    #[arg(long)]
    pub confirm_policy: bool,
    /// Started by the login session: wait for the tray, open no window.
    #[arg(long)]
    pub autostart: bool,
    /// Folder of the start-at-login entry; with --config-dir and without this there is none.
    #[arg(long, value_name = "FOLDER", hide = true)]
    pub autostart_dir: Option<PathBuf>,
    /// Home folder that the agents keep their settings in. For tests.
    #[arg(long, value_name = "FOLDER", hide = true)]
    pub agents_home: Option<PathBuf>,
    /// Lets a WebDriver drive the windows. For tests: whoever drives them can approve.
    #[arg(long, hide = true)]
    pub webdriver: bool,
    /// Seconds after which the prompt window is no longer kept ready, when nothing waits. For tests.
    #[arg(long, value_name = "SECONDS", hide = true)]
    pub release_prompt_after: Option<u64>,
    /// Ask the desktop's portal which colours are preferred, print the answer and end. Handraise starts itself so.
    #[arg(long, hide = true)]
    pub ask_color_scheme: bool,
    /// Have the desktop's portal tell when these keys are pressed, print that and end with the input. Handraise starts itself
    /// so.
    #[arg(long, value_name = "KEYS", hide = true, requires = "shortcut_words")]
    pub watch_shortcut: Option<String>,
    /// What the desktop shows for these keys.
    #[arg(long, value_name = "WORDS", hide = true)]
    pub shortcut_words: Option<String>,
}

impl Flags {
    /// The flags that a start at login has to repeat to find the same folders.
    #[must_use]
    pub(crate) fn folder_arguments(&self) -> Vec<String> {
        let folders =
            [("--config-dir", &self.config_dir), ("--data-dir", &self.data_dir), ("--runtime-dir", &self.runtime_dir)];
        folders
            .into_iter()
            .filter_map(|(flag, folder)| Some((flag, folder.as_ref()?)))
            .flat_map(|(flag, folder)| [flag.to_owned(), folder.to_string_lossy().into_owned()])
            .collect()
    }
}
