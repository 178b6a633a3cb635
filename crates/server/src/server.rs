//! The whole server: folders, lock, engine, listeners.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use handraise_gate::{
    Attendance, Departure, Entry, ExternalDecisions, Gate, Input, Limits, Mode, Questions, RegistryLimits,
};
use handraise_locations::{EndpointFile, Folders, PrivateFileError, write_private};
use handraise_policy::Grant;
use handraise_protocol::{DEFAULT_PORT, Endpoint, Notice, Problem, Role};
use jiff::Timestamp;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::audit::{Audit, AuditError, AuditReader, SetAside, StoredRequest, is_same_grant};
use crate::clock::{ClockWatch, set_back};
use crate::credentials::{CredentialError, Credentials};
use crate::engine::{
    Engine, EventLog, OpenedFacts, PolicyChanges, PolicyLooks, Recording, Retention, ShownRequest, State,
};
use crate::file_watch::FileWatch;
use crate::http::{self, Arrivals, Listeners, Shared};
use crate::keeping::Keeping;
use crate::paths::PathResolver;
use crate::policy_file::{PolicyFiles, PolicyStore};
use crate::prepare::{Known, LoggedCall, Preparer};
use crate::protections::GuardedFiles;
use crate::redacted::RequestRedactor;
use crate::results::RedactedResults;
use crate::skills::RunsByItself;
use crate::telemetry::Telemetry;
use crate::turns::Turns;
use crate::walls::WallsOffer;
use crate::{Clock, GrantList, ListedGrants, Surface, SystemClock};

/// How long open connections may take to end when the server stops.
const MAX_SHUTDOWN: Duration = Duration::from_secs(3);

/// How to start.
#[derive(Clone, Debug)]
pub struct ServerOptions {
    /// Where everything is kept.
    pub folders: Folders,
    /// The port; without one the first free port from 4733 on. 0: any.
    pub port: Option<u16>,
    /// Write a fresh approver token into this file.
    pub approver_token_file: Option<PathBuf>,
    /// Take the policy file as it lies there as confirmed: whoever starts the server with this has
    /// looked at it. For setting a machine up, before anybody could confirm it in Handraise.
    pub confirm_policy: bool,
    /// What may be decided outside of this process.
    pub external_decisions: ExternalDecisions,
    /// The program that puts walls up; without one that beside this program.
    pub confine_program: Option<PathBuf>,
}

/// A running server.
#[derive(Debug)]
pub struct Server {
    engine: Engine,
    endpoint: Endpoint,
    folders: Folders,
    stopping: CancellationToken,
    tasks: TaskTracker,
    // Held as long as the server runs.
    _lock: File,
    _watch: Option<FileWatch>,
}

/// Why the server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// A folder or file.
    #[error(transparent)]
    File(#[from] PrivateFileError),
    /// Another server uses the same folders.
    #[error("Handraise is already running with these folders ({}); there can be only one", .0.display())]
    AlreadyRunning(PathBuf),
    /// The port or the socket.
    #[error("cannot listen: {0}; is another program using the port? Choose one with --port")]
    Listen(io::Error),
    /// The system.
    #[error("the system refused: {0}")]
    System(io::Error),
    /// The audit log cannot be opened.
    #[error("{}: {error}; look at the disk that it is on", path.display())]
    AuditLog {
        /// The database.
        path: PathBuf,
        /// What is wrong.
        error: AuditError,
    },
    /// The audit log.
    #[error(transparent)]
    Audit(#[from] AuditError),
    /// Credentials.
    #[error(transparent)]
    Credentials(#[from] CredentialError),
    /// The policy is to be taken as confirmed, and cannot be.
    #[error("the policy cannot be taken as confirmed: {0}")]
    Policy(String),
}

// Written out, since `#[from]` would make the error its own source and print it twice.
impl From<io::Error> for StartError {
    fn from(error: io::Error) -> Self {
        Self::System(error)
    }
}

impl Server {
    /// Starts to listen. When this returns, requests are answered.
    ///
    /// # Errors
    /// When anything that the gate's promises rest on is missing; it does not start half.
    pub async fn start(
        options: ServerOptions,
        surfaces: Vec<Arc<dyn Surface>>,
        grant_list: Arc<dyn GrantList>,
    ) -> Result<Self, StartError> {
        Self::start_with_clock(options, surfaces, grant_list, Arc::new(SystemClock)).await
    }

    /// Like [`Server::start`], with another clock.
    ///
    /// # Errors
    /// As there.
    pub async fn start_with_clock(
        options: ServerOptions,
        surfaces: Vec<Arc<dyn Surface>>,
        grant_list: Arc<dyn GrantList>,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, StartError> {
        let ServerOptions { folders, port, approver_token_file, confirm_policy, external_decisions, confine_program } =
            options;
        folders.create()?;
        let lock = lock(&folders.lock_file())?;
        let now = clock.now();

        let database = folders.audit_database();
        let (audit, set_aside) =
            Audit::open(&database, now).map_err(|error| StartError::AuditLog { path: database.clone(), error })?;
        let reader = AuditReader::open(&database)?;
        let seen = audit.last_seen()?;
        let credentials = Credentials::open(&folders, handraise_agents::NAMES, now)?;
        if let Some(file) = approver_token_file {
            let name = format!("started-{now}");
            let new = credentials.create(&name, Role::Approver, now)?;
            write_private(&file, new.token.as_bytes())?;
        }
        let home = handraise_locations::home().ok();
        let guarded = GuardedFiles::new(&folders, home.clone());
        let files = PolicyFiles { policy: folders.policy_file(), confirmed: folders.confirmed_policy_file() };
        let opened = PolicyStore::open(files, guarded.for_gate(), audit.confirmed_policy()?.as_deref())?;
        let (policy, opened) = OpenedFacts::of(opened);
        let mut key = [0; 32];
        getrandom::fill(&mut key).map_err(|error| StartError::System(io::Error::other(error)))?;
        let redactor = Arc::new(RequestRedactor::new(key));
        let listeners = Listeners::bind(port, DEFAULT_PORT, &folders.socket()).await.map_err(StartError::Listen)?;
        let address = listeners.address()?;

        let in_force = Arc::new(policy.in_force());
        let known = Known { redactor: redactor.clone(), policy: in_force.clone(), mode: Mode::default() };
        let (keeping, unkept) = Keeping::open(&folders.kept(), now);
        let resolver = PathResolver::new(home.clone());
        let walls = match confine_program {
            Some(program) => WallsOffer::by(Some(program), &folders),
            None => WallsOffer::beside_this_program(&folders),
        };
        let preparer = Preparer::new(resolver, guarded, walls, Arc::new(keeping), clock.clone(), known);
        let stopping = CancellationToken::new();
        let (telemetry, exporting) = Telemetry::new(stopping.clone());
        let mut state = State {
            telemetry,
            gate: Gate::new(in_force, Limits::default()),
            questions: Questions::new(RegistryLimits::QUESTIONS),
            audit,
            audit_folder: folders.audit_database().parent().map(Path::to_owned).unwrap_or_default(),
            clock_watch: ClockWatch::new(&*clock),
            recording: Recording::default(),
            probed: None,
            clock,
            surfaces,
            grant_list,
            credentials,
            policy,
            policy_looks: PolicyLooks::new(now),
            policy_changes: PolicyChanges::default(),
            preparer,
            redactor,
            shown: HashMap::new(),
            results: RedactedResults::default(),
            question_results: RedactedResults::default(),
            shown_questions: HashMap::new(),
            surface_states: Vec::new(),
            retention: Retention::default(),
            is_over: false,
            events: EventLog::new(),
            notices: set_aside.iter().map(damaged_log).chain(unkept.iter().map(nothing_kept)).collect(),
            waiters: HashMap::new(),
            question_waiters: HashMap::new(),
        };
        state.gate.set_external_decisions(external_decisions);
        state.policy_opened(opened)?;
        if confirm_policy {
            state.confirm_policy_at_start()?;
        }
        let was_open = state.restore_grants(now)?;
        let prepared = state.preparer.past(was_open, RestoredRequest::of).await.map_err(unprepared)?;
        prepared.into_iter().flatten().for_each(|one| state.restore(one));
        state.end_open_questions()?;
        // What was stored is due at times of a clock that was ahead of this one.
        if let Some(by) = set_back(now, seen) {
            state.clock_moved(by);
        }

        let engine = Engine::start(state, reader)?;
        let watch = engine.watch_policy(&folders.policy_file());
        let shared = Shared {
            engine: engine.clone(),
            stopping: stopping.clone(),
            streams: Arc::new(Mutex::default()),
            arrivals: Arrivals::default(),
            policy_checks: Turns::default(),
        };
        let tasks = TaskTracker::new();
        tasks.spawn(exporting);
        tasks.spawn(http::serve(listeners, http::router(shared), stopping.clone()));
        if let Some(home) = home {
            tasks.spawn(engine.clone().watch_projects(home, stopping.clone()));
        }
        let socket = cfg!(unix).then(|| folders.socket());
        EndpointFile { version: 1, address, socket: socket.clone(), pid: std::process::id() }.write(&folders)?;
        let endpoint =
            Endpoint { address: address.to_string(), socket: socket.map(|socket| socket.display().to_string()) };
        Ok(Self { engine, endpoint, folders, stopping, tasks, _lock: lock, _watch: watch })
    }

    /// The engine.
    #[must_use]
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Where it listens.
    #[must_use]
    pub fn endpoint(&self) -> Endpoint {
        self.endpoint.clone()
    }

    /// Denies what is open, tells everyone who waits, and stops listening.
    pub async fn stop(self) {
        self.engine.shut_down().await;
        self.stopping.cancel();
        self.tasks.close();
        if tokio::time::timeout(MAX_SHUTDOWN, self.tasks.wait()).await.is_err() {
            tracing::warn!("some connections did not end in time");
        }
        if let Err(error) = std::fs::remove_file(self.folders.endpoint_file()) {
            tracing::warn!(%error, "could not remove the discovery file");
        }
    }
}

/// A request that was open when the program last stopped.
struct RestoredRequest {
    entry: Entry,
    runs: Option<RunsByItself>,
    /// Its requester was told to come back for the answer.
    comes_back: bool,
}

impl RestoredRequest {
    fn of(call: LoggedCall<'_>, _: &Known) -> Self {
        let runs = call.runs_by_itself();
        let comes_back = call.submission.comes_back;
        Self { entry: call.with_scripts().entry, runs, comes_back }
    }
}

impl State {
    /// Brings back what a restart must not lose: the grants that the audit log has and the list of grants does not
    /// lack. Gives the open requests.
    fn restore_grants(&mut self, now: Timestamp) -> Result<Vec<StoredRequest>, AuditError> {
        let ListedGrants { grants: listed, notice } = self.grant_list.load().unwrap_or_else(|error| ListedGrants {
            grants: None,
            notice: Some(Notice { title: "The list of remembered answers cannot be read".to_owned(), detail: error.0 }),
        });
        let listed: Option<Vec<Grant>> = listed.map(|listed| listed.into_iter().map(Grant::from).collect());
        self.notices.extend(notice);
        let known = self.audit.live_grants()?;
        let is_in = |grants: &[Grant], grant: &Grant| grants.iter().any(|other| is_same_grant(other, grant));
        let (kept, taken_out): (Vec<Grant>, Vec<Grant>) =
            known.iter().cloned().partition(|grant| listed.as_ref().is_none_or(|listed| is_in(listed, grant)));
        self.audit.taken_out(&taken_out, now)?;
        let mut dropped = listed.iter().flatten().filter(|grant| !is_in(&known, grant)).count();
        let mut backed: Vec<(Grant, Timestamp)> = Vec::new();
        for grant in kept {
            // What the log cannot be asked about, it does not back.
            match self.audit.last_call(&grant.session).unwrap_or(None) {
                Some(last_call) => backed.push((grant, last_call)),
                None => dropped += 1,
            }
        }
        if dropped > 0 {
            self.notice(
                "Some remembered approvals were dropped",
                &format!("{dropped} of them have no decision of yours in the audit log. Handraise will ask again."),
            );
        }
        self.gate.handle(Input::RestoreGrants(backed), now);
        if listed.is_none() {
            self.list_grants();
        }
        let open = self.audit.open_requests()?;
        self.audit.end_unreadable(&open.unreadable, now)?;
        if !open.unreadable.is_empty() {
            let what = format!(
                "{} of them cannot be read, as those of a newer version. They were cancelled; agents have to ask again.",
                open.unreadable.len()
            );
            self.notice("Some open requests were cancelled", &what);
        }
        Ok(open.requests)
    }

    /// Brings an open request back whose requester can come back for it, and ends any other one.
    fn restore(&mut self, RestoredRequest { mut entry, runs, comes_back }: RestoredRequest) {
        let (id, requester) = (entry.request.id, entry.request.requester.clone());
        let returns = entry.request.idempotency_key.is_some();
        entry.evaluation = self.gate.evaluate(&entry.request, self.clock.now());
        // Nobody waits yet. Who was told to come back does when it likes.
        if comes_back {
            entry.life.attendance = Attendance::ComesBack;
        }
        self.shown.insert(id, ShownRequest { runs, ..ShownRequest::default() });
        self.handle_at_start(Input::Restore(Box::new(entry)));
        if returns && !comes_back {
            self.handle_at_start(Input::HangUp { id, departure: Departure::ConnectionClosed });
        }
        if !returns {
            let reason = "Handraise was stopped while this was open.".to_owned();
            self.handle_at_start(Input::Cancel { id, requester, reason });
        }
    }

    /// The one who starts the server says that the policy file is as it should be.
    fn confirm_policy_at_start(&mut self) -> Result<(), StartError> {
        if let Some(refused) = self.policy.refused() {
            return Err(StartError::Policy(refused.to_string()));
        }
        let Some(text) = self.policy.pending().cloned() else { return Ok(()) };
        self.confirm(text, "start", "confirmed by --confirm-policy")
            .map_err(|problem| StartError::Policy(problem.detail))?;
        self.copy_policy_at_start();
        Ok(())
    }

    fn handle_at_start(&mut self, input: Input) {
        if let Err(problem) = self.handle(input, None) {
            tracing::warn!(detail = problem.detail, "a request of the last run could not be brought back");
        }
    }
}

fn unprepared(problem: Problem) -> StartError {
    StartError::System(io::Error::other(problem.detail))
}

/// Takes the lock that makes this server the only one with these folders.
fn lock(path: &Path) -> Result<File, StartError> {
    let file = File::options().create(true).truncate(false).write(true).open(path)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(std::fs::TryLockError::WouldBlock) => Err(StartError::AlreadyRunning(path.to_owned())),
        Err(std::fs::TryLockError::Error(error)) => Err(error.into()),
    }
}

fn nothing_kept(error: &handraise_undo::StoreError) -> Notice {
    Notice { title: "Nothing can be undone".to_owned(), detail: format!("What calls change cannot be kept: {error}.") }
}

fn damaged_log(SetAside { path, why }: &SetAside) -> Notice {
    let what = match path {
        Some(path) => format!("It was set aside as {} ({why}).", path.display()),
        None => "It was there before, and is gone.".to_owned(),
    };
    Notice {
        title: "The audit log was damaged".to_owned(),
        detail: format!("{what} A new one has begun; remembered approvals are asked for again."),
    }
}
