//! What waits for the disk. The system call that brings a file to the disk fails here as it does when the disk
//! refuses: whoever waits for it is told, and whoever does not wait is not.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use handraise_gate::{
    Approver, DecidedBy, Input, Limits, PersonsDecision, Question, QuestionId, QuestionInput, Questions,
    RegistryLimits, Status,
};
use handraise_policy::{Policy, Preset, ProcessTree, RequestId};
use handraise_protocol::ApprovalRequest;
use nix::libc::{EIO, SYS_fdatasync, SYS_fsync};
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter};
use serde_json::json;
use uuid::Uuid;

use super::*;
use crate::intake::Submission;
use crate::intake::{RequesterIdentity, intake};
use crate::redacted::{RedactedRequest, StoredForm};

/// How long a test waits for something that ought to happen.
const TEST_TIMEOUT: Duration = Duration::from_secs(30);
const NOW: Timestamp = Timestamp::UNIX_EPOCH;

/// From now on nothing that this thread writes, or one that it starts, can be brought to the disk.
fn let_the_disk_refuse() {
    let refused = BTreeMap::from([(SYS_fsync, Vec::new()), (SYS_fdatasync, Vec::new())]);
    let error = SeccompAction::Errno(EIO.unsigned_abs());
    let architecture = std::env::consts::ARCH.try_into().unwrap();
    let filter = SeccompFilter::new(refused, SeccompAction::Allow, error, architecture).unwrap();
    seccompiler::apply_filter(&BpfProgram::try_from(filter).unwrap()).unwrap();
}

/// An audit log, and a gate that allows what only reads.
struct Scene {
    _folder: tempfile::TempDir,
    path: PathBuf,
    audit: Audit,
    gate: Gate,
}

impl Scene {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("audit.sqlite3");
        let (audit, _) = Audit::open(&path, NOW).unwrap();
        let gate = Gate::new(Policy::from_preset(Preset::Practical), Limits::default());
        Self { _folder: folder, path, audit, gate }
    }

    fn write(&mut self, effects: &[Effect], submission: Option<&Submission>) -> Result<(), AuditError> {
        let redactor = RequestRedactor::new([0; 32]);
        let asked = effects.iter().find_map(|effect| match effect {
            Effect::Record(Record::Requested(id)) => self.gate.entry(*id),
            _ => None,
        });
        let redacted = asked.map(|entry| RedactedRequest::of(&entry.request, &redactor));
        let stored = submission.zip(redacted.as_ref()).map(|(new, redacted)| StoredForm::of(new, redacted).unwrap());
        let new = redacted.as_ref().zip(stored.as_ref()).map(|(redacted, stored)| {
            let asked = redacted.request();
            New { id: asked.id, asked, stored, kept: None }
        });
        self.audit.write(effects, &self.gate, new, &redactor, &mut RedactedResults::default(), NOW)
    }

    /// Submits a call; what became of it, and of writing it down.
    fn submit(&mut self, risk: &str) -> (RequestId, Result<(), AuditError>) {
        let request = json!({ "tool": "look", "arguments": {}, "risk": risk });
        let request: ApprovalRequest = serde_json::from_value(request).unwrap();
        let requester = RequesterIdentity { credential: "tests".into(), is_agent: false };
        let submission = Submission::of_program(request, requester);
        let id = RequestId(Uuid::now_v7());
        let request = intake(&submission, id, ProcessTree::default()).unwrap();
        let effects = self.gate.handle(Input::submit(request), NOW).effects;
        (id, self.write(&effects, Some(&submission)))
    }

    /// Submits a call that the policy allows.
    fn allow(&mut self) -> Result<(), AuditError> {
        let (id, written) = self.submit("read_only");
        let outcome = self.gate.entry(id).unwrap().life.outcome.as_ref().unwrap();
        assert_eq!((outcome.status, outcome.decided_by), (Status::Approved, DecidedBy::Policy));
        written
    }

    /// A person approves.
    fn approve(&mut self, id: RequestId) -> Result<(), AuditError> {
        let approver = Approver::in_process("tests");
        let reaction = self.gate.handle(Input::Decide { id, decision: PersonsDecision::approve(), approver }, NOW);
        reaction.answer.unwrap();
        self.write(&reaction.effects, None)
    }

    fn ask_question(&mut self) -> Result<(), AuditError> {
        let mut questions = Questions::new(RegistryLimits::QUESTIONS);
        let question = Question {
            id: QuestionId(Uuid::now_v7()),
            requester: "tests".into(),
            agent: None,
            session: None,
            text: "Which one?".into(),
            header: None,
            choices: Vec::new(),
            multiple: false,
            custom: true,
            custom_label: None,
            cwd: None,
            trace_id: None,
            idempotency_key: None,
            timeout_seconds: 60,
            processes: ProcessTree::default(),
        };
        let effects = questions.handle(QuestionInput::Ask(Box::new(question)), NOW).effects;
        let new = questions.pending().next();
        let (redactor, mut results) = (RequestRedactor::new([0; 32]), RedactedResults::default());
        self.audit.write_questions(&effects, &questions, new, &redactor, &mut results, NOW)
    }

    fn entries(&self) -> u64 {
        match chain::verify(&self.audit.connection).unwrap() {
            Verification::Whole(count) => count,
            Verification::BrokenAt(entry) => panic!("broken at {entry}"),
        }
    }
}

fn is_refused(written: &Result<(), AuditError>) -> bool {
    matches!(written, Err(AuditError::Database(error)) if error.to_string().contains("disk I/O error"))
}

#[test]
fn what_a_person_has_part_in_waits_for_the_disk() {
    let mut scene = Scene::new();
    let (pending, written) = scene.submit("write");
    written.unwrap();
    // What was allowed just before must not change how the next entry is written.
    scene.allow().unwrap();
    let before = scene.entries();
    let_the_disk_refuse();

    let decided = scene.approve(pending);
    assert!(is_refused(&decided), "{decided:?}");
    let (_, asked) = scene.submit("write");
    assert!(is_refused(&asked), "{asked:?}");
    let noted = scene.audit.note(&json!({ "kind": "test" }), NOW);
    assert!(is_refused(&noted), "{noted:?}");
    let questioned = scene.ask_question();
    assert!(is_refused(&questioned), "{questioned:?}");
    assert_eq!(scene.entries(), before, "nothing is left of them");
}

#[test]
fn what_the_policy_answers_is_handed_over_at_once_and_brought_to_the_disk_by_a_thread() {
    let mut scene = Scene::new();
    let_the_disk_refuse();
    // The thread that was there already still reaches the disk.
    for _ in 0..3 {
        scene.allow().unwrap();
    }
    // Another program sees it: it is the system's, not this program's.
    let other = Connection::open(&scene.path).unwrap();
    let count: i64 = other.query_row("SELECT count(*) FROM log", [], |row| row.get(0)).unwrap();
    assert_eq!(u64::try_from(count).unwrap(), scene.entries());
    assert!(count >= 3);

    // One that does not: the failure is told before the next call is answered.
    scene.audit.sync = LaterSync::start(&scene.path, None).unwrap();
    let begin = Instant::now();
    let refused = loop {
        match scene.allow() {
            Ok(()) => assert!(begin.elapsed() < TEST_TIMEOUT, "the failure was never told"),
            Err(error) => break error,
        }
        std::thread::yield_now();
    };
    assert!(matches!(&refused, AuditError::Sync(error) if error.raw_os_error() == Some(EIO)), "{refused:?}");
}
