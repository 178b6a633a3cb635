//! Tells a person about projects that switch an agent's hooks off.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::{Engine, State};
use crate::file_watch::FileWatch;
use crate::projects::{HooksOff, could_be_off, hooks_off, known, lists};

/// How often to look where nobody says that an agent has begun to work in a project.
const BETWEEN_LOOKS: Duration = Duration::from_secs(30);
/// How long an agent's notes are left alone after it has written to them, which some do all the time.
const SETTLING: Duration = Duration::from_secs(2);
/// Files that are named one by one.
const NAMED: usize = 5;
const TITLE: &str = "Hooks are switched off in a project";

impl Engine {
    /// Looks at the projects of the user whose home folder is `home` again and again, until `stopping`.
    pub(crate) async fn watch_projects(self, home: PathBuf, stopping: CancellationToken) {
        let mut told = Vec::new();
        // An agent whose hooks are off tells nothing but its own notes of the projects that it works in.
        let noted = Arc::new(Notify::new());
        let watch = FileWatch::new(&lists(&home), {
            let noted = Arc::clone(&noted);
            move || noted.notify_one()
        });
        let _watch = watch.inspect_err(|error| tracing::warn!(%error, "the agents' notes cannot be watched"));
        loop {
            let Ok(folders) = self.call(|state| state.folders()).await else { return };
            let home = home.clone();
            let look = tokio::task::spawn_blocking(move || {
                let folders = folders.into_iter().chain(known(&home));
                hooks_off(&could_be_off(&home, Path::new("/")), folders, &home)
            });
            let found = look.await.unwrap_or_default();
            if found != told {
                told.clone_from(&found);
                if self.call(move |state| state.set_notice(TITLE, detail(&found))).await.is_err() {
                    return;
                }
            }
            tokio::select! {
                () = stopping.cancelled() => return,
                () = tokio::time::sleep(BETWEEN_LOOKS) => {}
                () = async { noted.notified().await; tokio::time::sleep(SETTLING).await } => {}
            }
        }
    }
}

impl State {
    /// Folders that calls have come from lately.
    fn folders(&self) -> Vec<PathBuf> {
        let entries = self.gate.pending().chain(self.gate.ended());
        entries.filter_map(|entry| entry.request.cwd.as_deref().map(PathBuf::from)).collect()
    }
}

fn detail(found: &[HooksOff]) -> Option<String> {
    let mut sentences: Vec<String> = found.iter().take(NAMED).map(HooksOff::sentence).collect();
    if found.len() > NAMED {
        sentences.push(format!("And {} more.", found.len() - NAMED));
    }
    sentences.push("`handraise connect AGENT --system` lays down for the whole machine that hooks stay on.".to_owned());
    (!found.is_empty()).then(|| sentences.join(" "))
}
