//! The tray application of Handraise: it embeds the server, and puts requests before a person as
//! notifications, in the prompt window and in the tray menu.
//!
//! Architecture invariant: what is shown follows from the gate's state in pure functions
//! ([`controller`], [`notification`], [`tray::menu`]); what touches the system does nothing else
//! ([`tauri_desktop`], [`os`]).

#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

mod activity;
mod agents;
mod app;
mod commands;
mod compact_view;
mod controller;
mod desktop;
mod essential_task;
mod flags;
mod gate;
mod guide;
mod lately;
mod locale;
mod login;
mod notices;
mod notification;
mod os;
mod presence;
mod shortcut;
mod shutdown;
mod stored;
mod strings;
mod tauri_desktop;
#[cfg(test)]
mod testing;
mod tray;
mod window;

use std::process::ExitCode;

use clap::Parser;
use flags::Flags;
use handraise_server::hardening;

fn main() -> ExitCode {
    let flags = Flags::parse();
    if flags.ask_color_scheme {
        return os::print_color_scheme();
    }
    if let (Some(keys), Some(words)) = (&flags.watch_shortcut, &flags.shortcut_words) {
        return os::print_shortcut(keys, words);
    }
    match prepare(&flags).and_then(|()| app::run(flags)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("handraise-desktop: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Makes the process fit to decide, before anything else happens in it.
fn prepare(flags: &Flags) -> anyhow::Result<()> {
    hardening::clean_environment(flags.webdriver)?;
    let filter = tracing_subscriber::EnvFilter::try_from_default_env();
    let filter = filter.unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("warn"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
    essential_task::log_panics();
    // A debug build stays open to debuggers and to tests that look into /proc.
    hardening::harden(cfg!(debug_assertions));
    Ok(())
}
