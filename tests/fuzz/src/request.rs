//! Requests as an agent's shell tool makes them.

use handraise_policy::project_code::{FoundCode, ProjectAnswer};
use handraise_policy::{
    Annotations, ArgumentsHash, PathFacts, ProcessTree, Request, RequestId, ResolvedPath, RiskLevel, Subject, ToolClass,
};
use handraise_shell::{CommandLine, Shell};
use jiff::Timestamp;
use serde_json::{Map, Value};
use uuid::Uuid;

const HOME: &str = "/home/user";
const PROJECT: &str = "/home/user/project";

/// The time at which everything is decided.
#[must_use]
pub fn now() -> Timestamp {
    Timestamp::UNIX_EPOCH
}

/// A call of a shell tool with the command line `command`, in a project without symbolic links and with nothing
/// that makes a program run something.
#[must_use]
pub fn shell_request(command: &str) -> Request {
    let arguments = Map::from_iter([("command".to_owned(), Value::from(command))]);
    let mut request = Request {
        id: RequestId(Uuid::from_u128(1)),
        requester: "default".into(),
        agent: None,
        session: None,
        user: None,
        tool: "Bash".into(),
        server: None,
        arguments_hash: ArgumentsHash::of(&arguments).expect("plain strings have a hash"),
        arguments,
        class: ToolClass::Shell,
        subject: Subject::Command { line: command.to_owned() },
        command: Some(CommandLine::analyse(command, Shell::Bash)),
        paths: PathFacts::default(),
        project: Some(PROJECT.into()),
        home: Some(HOME.into()),
        declared_risk: None,
        table_risk: Some(RiskLevel::Write),
        annotations: Annotations::default(),
        intent: None,
        summary: None,
        description: None,
        tags: Vec::new(),
        cwd: Some(PROJECT.into()),
        batch: None,
        trace_id: None,
        idempotency_key: None,
        timeout_seconds: None,
        longest_wait_seconds: None,
        accepts_edits: true,
        confinable: handraise_policy::Confinable::default(),
        is_kept: true,
        is_redacted: false,
        unseen: None,
        decision_point: None,
        require_approval: false,
        hook_phase: None,
        files: Vec::new(),
        project_code: Default::default(),
        tasks: Default::default(),
        checkouts: Default::default(),
        scripts: Default::default(),
        processes: ProcessTree::default(),
        provenance: None,
    };
    let resolved = |text: String| (text.clone(), ResolvedPath::new(resolve(&text)));
    request.paths = request.path_candidates().into_iter().map(|path| resolved(path.text)).collect();
    let nothing = |question| (question, ProjectAnswer::Looked(FoundCode::default()));
    request.project_code = request.project_questions().into_iter().map(nothing).collect();
    request
}

/// Where `text` leads from the project folder, in a file system without symbolic links.
fn resolve(text: &str) -> String {
    let start = if text.starts_with('/') || text.starts_with('~') { "" } else { PROJECT };
    let text = text.strip_prefix('~').map_or_else(|| text.to_owned(), |rest| format!("{HOME}/{rest}"));
    let mut components: Vec<&str> = Vec::new();
    for component in start.split('/').chain(text.split('/')) {
        match component {
            "" | "." => {}
            ".." => drop(components.pop()),
            name => components.push(name),
        }
    }
    format!("/{}", components.join("/"))
}
