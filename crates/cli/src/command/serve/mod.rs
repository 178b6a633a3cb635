//! `handraise serve`: the gate without a desktop.

mod prompt;
mod surface;

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::bail;
use clap::Args;
use handraise_gate::ExternalDecisions;
use handraise_locations::Folders;
use handraise_protocol::{SurfaceKind, SurfaceState, UndoSettings};
use handraise_server::{FileStore, Server, ServerOptions, Surface, hardening};
use serde::Serialize;
use tracing_subscriber::filter::LevelFilter;

use super::signals::EndSignals;
use super::{FolderArguments, say};
use crate::DONE;
use crate::runtime::runtime;

use surface::TerminalSurface;

/// Run the gate without a desktop
///
/// The first line on stdout is a JSON object that says where it listens. On a terminal, requests
/// are asked here; elsewhere answer them with `handraise watch`.
#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// Port on 127.0.0.1; 0 for any [default: the first free one from 4733 on]
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Write a fresh approver's token into this file
    #[arg(long, value_name = "FILE")]
    approver_token_file: Option<PathBuf>,
    /// Confirm the policy file as it is: you have read it
    #[arg(long)]
    confirm_policy: bool,
    /// Keep the audit log for so many days [default: forever]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    keep_days: Option<u32>,
    /// Keep what calls change for so many days; 0: keep nothing [default: 7]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=365))]
    undo_days: Option<u32>,
    /// Do not show requests in this terminal
    #[arg(long)]
    no_prompts: bool,
}

/// The first line: where it listens, for programs that start it.
#[derive(Serialize)]
struct Started<'a> {
    address: &'a str,
    socket: Option<&'a str>,
    requester_token_file: PathBuf,
}

impl Serve {
    /// Runs until a signal asks it to end.
    pub(crate) fn run(self, folders: &FolderArguments) -> anyhow::Result<ExitCode> {
        hardening::clean_environment(false)?;
        tracing_subscriber::fmt().with_max_level(LevelFilter::WARN).with_writer(io::stderr).init();
        hardening::harden(false);
        let folders = folders.folders()?;
        let prompts = !self.no_prompts && io::stdin().is_terminal() && io::stdout().is_terminal();
        let runtime = runtime()?;
        let served = runtime.block_on(self.serve(folders, prompts));
        // The thread that reads the terminal must not hold the end up.
        runtime.shutdown_background();
        served.map(|()| DONE)
    }

    async fn serve(self, folders: Folders, prompts: bool) -> anyhow::Result<()> {
        let mut signals = EndSignals::listen()?;
        let (surface, news) = TerminalSurface::new();
        let surfaces: Vec<Arc<dyn Surface>> = if prompts { vec![Arc::new(surface)] } else { Vec::new() };
        let store = Arc::new(FileStore::new(folders.grants_file()));
        let requester_token_file = folders.token_file("default");
        let options = ServerOptions {
            folders,
            port: self.port,
            approver_token_file: self.approver_token_file,
            confirm_policy: self.confirm_policy,
            external_decisions: ExternalDecisions::default(),
            confine_program: None,
        };
        let server = Server::start(options, surfaces, store).await?;
        let engine = server.engine().clone();
        engine.set_keep_days(self.keep_days).await.map_err(|problem| anyhow::anyhow!(problem.detail))?;
        engine.set_undo(undo_settings(self.undo_days)).await.map_err(|problem| anyhow::anyhow!(problem.detail))?;
        engine.tell_surface(terminal(prompts));
        let endpoint = server.endpoint();
        let socket = endpoint.socket.as_deref();
        let started = Started { address: &endpoint.address, socket, requester_token_file };
        say(&serde_json::to_string(&started)?)?;
        for notice in engine.notices().await.unwrap_or_default() {
            tracing::warn!("{}: {}", notice.title, notice.detail);
        }
        if prompts {
            say("Handraise is running. Requests are asked here. Ctrl-C stops it, and denies what is open then.")?;
            tokio::spawn(prompt::ask(engine.clone(), news));
        }
        tokio::select! {
            () = signals.received() => {}
            () = engine.stopped() => bail!("the gate has stopped by itself; nothing is approved any more. Start it again"),
        }
        server.stop().await;
        Ok(())
    }
}

/// What a person is asked on, for `handraise doctor`.
fn terminal(prompts: bool) -> SurfaceState {
    let detail = match prompts {
        true => "Requests are asked in the terminal that `handraise serve` runs in.",
        false => "Requests are shown nowhere by themselves; `handraise watch` asks them in a terminal.",
    };
    SurfaceState { kind: SurfaceKind::Terminal, works: prompts, detail: detail.to_owned() }
}

/// What is kept for undo, when a person wants that for so many days.
fn undo_settings(days: Option<u32>) -> UndoSettings {
    let defaults = UndoSettings::default();
    match days {
        Some(0) => UndoSettings { enabled: false, ..defaults },
        days => UndoSettings { days: days.unwrap_or(defaults.days), ..defaults },
    }
}
