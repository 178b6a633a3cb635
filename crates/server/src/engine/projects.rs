//! Tells a person about projects that switch an agent's hooks off.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use handraise_protocol::Problem;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::{Engine, State};
use crate::file_watch::FileWatch;
use crate::prepare::{Files, TOO_SLOW};
use crate::projects::{HooksOff, could_be_off, hooks_off, known, lists};

/// How often to look where nobody says that an agent has begun to work in a project.
const BETWEEN_LOOKS: Duration = Duration::from_secs(30);
/// How long an agent's notes are left alone after it has written to them, which some do all the time.
const SETTLING: Duration = Duration::from_secs(2);
/// Files that are named one by one.
const NAMED: usize = 5;
/// Folders that are looked at.
const MAX_FOLDERS: usize = 800;
/// Whose places the looks at the agents' notes take.
const NOTES: &str = "notes of the agents";
/// Whose places the looks at projects take.
const PROJECTS: &str = "projects with hooks switched off";
const TITLE: &str = "Hooks are switched off in a project";

impl Engine {
    /// Looks at the projects of the user whose home folder is `home` again and again, until `stopping`.
    pub(crate) async fn watch_projects(self, home: PathBuf, stopping: CancellationToken) {
        let mut told = Vec::new();
        let mut looks = Looks::default();
        // An agent whose hooks are off tells nothing but its own notes of the projects that it works in.
        let noted = Arc::new(Notify::new());
        let watch = FileWatch::new(&lists(&home), {
            let noted = Arc::clone(&noted);
            move || noted.notify_one()
        });
        let _watch = watch.inspect_err(|error| tracing::warn!(%error, "the agents' notes cannot be watched"));
        loop {
            let Ok(found) = self.projects_with_hooks_off(&home, &mut looks).await else { return };
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

/// What earlier looks have shown.
#[derive(Debug, Default)]
struct Looks {
    found: BTreeMap<PathBuf, Vec<HooksOff>>,
    /// Folders that did not answer: each of them has a thread that waits for it, and one is enough.
    stuck: BTreeSet<PathBuf>,
}

impl Engine {
    async fn projects_with_hooks_off(&self, home: &Path, looks: &mut Looks) -> Result<Vec<HooksOff>, Problem> {
        let mut folders: BTreeSet<PathBuf> = self.call(|state| state.folders()).await?.into_iter().collect();
        let (own, notes) = (home.to_owned(), home.to_owned());
        let (agents, noted) = self
            .preparer
            .one(NOTES, (), &mut None, move |_, (), files| match files {
                Files::Seen => (could_be_off(&notes, Path::new("/")), known(&notes)),
                Files::Unseen(_) => (Vec::new(), Vec::new()),
            })
            .await?;
        folders.extend(noted);
        folders.retain(|folder| !looks.stuck.contains(folder));
        let folders: Vec<PathBuf> = folders.into_iter().take(MAX_FOLDERS).collect();
        let looked = self
            .preparer
            .each(PROJECTS, folders.clone(), &mut None, move |_, folder: &PathBuf, files| match files {
                Files::Seen => Ok(hooks_off(&agents, [folder.clone()], &own)),
                Files::Unseen(why) => Err(why == TOO_SLOW),
            })
            .await?;
        let mut before = std::mem::take(&mut looks.found);
        for (folder, looked) in folders.into_iter().zip(looked) {
            // What nobody could look at now is as it was.
            let found = looked.unwrap_or_else(|is_stuck| {
                looks.stuck.extend(is_stuck.then(|| folder.clone()));
                before.remove(&folder).unwrap_or_default()
            });
            looks.found.insert(folder, found);
        }
        let found: BTreeSet<HooksOff> = looks.found.values().flatten().cloned().collect();
        Ok(found.into_iter().collect())
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
