//! Whether what is answered can be recorded.

use std::path::PathBuf;
use std::time::Duration;

use handraise_locations::check_room;
use handraise_protocol::{Health, HealthStatus, Problem, ProblemCode};

use super::{Engine, State};
use crate::audit::AuditError;

const NOTICE: &str = "The audit log cannot be written";
const SENTENCE: &str = "Handraise cannot write its audit log, so nothing is approved.";

/// Whether what is answered can be recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Recording {
    /// As far as is known.
    #[default]
    Works,
    /// It cannot.
    Fails {
        /// What is wrong, as a sentence without a path.
        why: String,
        /// How many times something could not be recorded.
        times: u64,
    },
}

impl Engine {
    /// How Handraise is: whether what it answers can be recorded, tried out when that was in doubt.
    ///
    /// # Errors
    /// Only when the engine has stopped.
    pub async fn health(&self) -> Result<Health, Problem> {
        let folder = self.call(State::folder_to_probe).await?;
        let probed = match folder {
            Some(folder) => tokio::task::spawn_blocking(move || check_room(&folder, PROBE)).await.unwrap_or(Ok(())),
            None => Ok(()),
        };
        self.call(move |state| {
            if let Err(error) = probed {
                state.fails(sentence(&error), 0);
            } else {
                state.try_to_record_again();
            }
            let problem = match &state.recording {
                Recording::Works => None,
                Recording::Fails { why, .. } => Some(why.clone()),
            };
            let status = if problem.is_some() { HealthStatus::CannotRecord } else { HealthStatus::Ok };
            Health { status, version: env!("CARGO_PKG_VERSION").to_owned(), problem }
        })
        .await
    }
}

/// Bytes that are written to see whether there is room: more than one record takes.
const PROBE: usize = 128 * 1024;
/// How long such a look counts: anybody may ask, and the disk is not theirs to wear out.
const BETWEEN_PROBES: Duration = Duration::from_secs(2);

impl State {
    /// The folder to look at, unless that was done just now.
    fn folder_to_probe(&mut self) -> Option<PathBuf> {
        let now = self.clock.elapsed();
        if self.probed.is_some_and(|before| now.saturating_sub(before) < BETWEEN_PROBES) {
            return None;
        }
        self.probed = Some(now);
        Some(self.audit_folder.clone())
    }

    /// Something could not be recorded. Says so to whoever is answered, and to the person.
    pub(super) fn cannot_record(&mut self, error: &AuditError) -> Problem {
        tracing::error!(%error, "the audit log cannot be written");
        self.fails(why(error), 1);
        let folder = self.audit_folder.display();
        Problem::new(ProblemCode::AuditUnavailable, format!("{SENTENCE} Look at the disk of {folder}. ({error})"))
    }

    fn fails(&mut self, why: String, times: u64) {
        let before = match &self.recording {
            Recording::Works => 0,
            Recording::Fails { times, .. } => *times,
        };
        let folder = self.audit_folder.display();
        let detail = format!("{why} {SENTENCE} It is kept in {folder}: make room there, or make it writable.");
        self.recording = Recording::Fails { why, times: before + times };
        self.set_notice(NOTICE, Some(detail));
    }

    /// Something was recorded.
    pub(super) fn recorded(&mut self) {
        if self.recording == Recording::Works {
            return;
        }
        self.try_to_record_again();
    }

    /// Where recording has failed: tries again, and brings what is stored in line with what has happened meanwhile.
    pub(super) fn try_to_record_again(&mut self) {
        let Recording::Fails { times, .. } = self.recording else { return };
        let now = self.clock.now();
        let results = (&mut self.results, &mut self.question_results);
        match self.audit.resume(&self.gate, &self.questions, &self.redactor, results, times, now) {
            Ok(()) => {
                self.recording = Recording::Works;
                self.set_notice(NOTICE, None);
                self.list_grants();
            }
            Err(error) => self.fails(why(&error), 0),
        }
    }
}

/// What is wrong, as a sentence without a path.
fn why(error: &AuditError) -> String {
    use rusqlite::ErrorCode;
    let code = match error {
        AuditError::Database(error) => error.sqlite_error_code(),
        AuditError::Sync(error) => return sentence(error),
        _ => None,
    };
    match code {
        Some(ErrorCode::DiskFull) => FULL.to_owned(),
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => READ_ONLY.to_owned(),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => "Another program holds the log locked.".to_owned(),
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
            "The log is damaged; it is set aside when Handraise is started anew.".to_owned()
        }
        _ => "The disk refuses to be written.".to_owned(),
    }
}

fn sentence(error: &std::io::Error) -> String {
    use std::io::ErrorKind;
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => FULL.to_owned(),
        ErrorKind::ReadOnlyFilesystem | ErrorKind::PermissionDenied | ErrorKind::NotFound => READ_ONLY.to_owned(),
        _ => "The disk refuses to be written.".to_owned(),
    }
}

const FULL: &str = "The disk is full.";
const READ_ONLY: &str = "The folder cannot be written: it is read-only, or gone.";
