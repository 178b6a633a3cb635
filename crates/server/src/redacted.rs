//! Requests without their secrets: the only form in which they are shown, stored or streamed.
//!
//! The original stays in memory, in the gate, for as long as the request can be decided; the hash that
//! a decision is bound to is that of the original. What a surface gets is made from [`RedactedEntry`], which
//! cannot be had in another way.

use handraise_gate::{Entry, Lifecycle, Outcome};
use handraise_policy::{
    AgentIdentity, ChangedTask, Contradiction, Grant, PathFacts, Policy, Provenance, Request, ResolvedPath, Subject,
    TaskPin, TaskState,
};
use handraise_protocol::{ApprovalRequest, ApprovalResult};
use handraise_redaction::{RedactedArguments, Redactor, Secrets, Truncation, UserRedaction};
use serde_json::{Map, Value};

use crate::approval_result;
use crate::intake::{Submission, reread};

/// How much of each value is stored. More than other programs keep: the history is what a new rule is
/// tried on, and a command line that is cut is none.
const STORED: Truncation = Truncation { string_characters: 8_000, array_items: 500, object_keys: 500, depth: 16 };

/// What begins a mark that stands for a secret.
const MARK: &str = "‹redacted:";

/// Takes secrets out.
#[derive(Clone, Debug)]
pub(crate) struct RequestRedactor {
    rules: Redactor,
    user: UserRedaction,
    key: [u8; 32],
}

/// What is asked, without its secrets: whatever does not depend on what is decided about it.
#[derive(Clone, Debug)]
pub(crate) struct RedactedRequest {
    request: Request,
    hides: bool,
    /// Knows the secrets of the original arguments.
    redactor: RequestRedactor,
}

/// A request without its secrets, as a surface may have it.
#[derive(Clone, Debug)]
pub(crate) struct RedactedEntry {
    entry: Entry,
    hides: bool,
}

impl RequestRedactor {
    /// With the built-in kinds of secrets; `key` tells the fingerprints of this run from those of others.
    pub(crate) fn new(key: [u8; 32]) -> Self {
        let user = UserRedaction::default();
        Self { rules: Redactor::with(&user, key), user, key }
    }

    /// The same key with what `policies` add. One that nobody has confirmed can add, never take away.
    /// `None`: that is this one.
    pub(crate) fn with<'a>(&self, policies: impl IntoIterator<Item = &'a Policy>) -> Option<Self> {
        let mut user = UserRedaction::default();
        for UserRedaction { patterns, keys } in policies.into_iter().map(|policy| &policy.redaction) {
            user.patterns.extend(patterns.iter().cloned());
            user.keys.extend(keys.iter().cloned());
        }
        (user != self.user).then(|| Self { rules: Redactor::with(&user, self.key), user, key: self.key })
    }

    /// The same for texts that are made from `request`: a part of its command line, a sentence about it, a rule for it.
    /// What is hidden in the line is hidden there, too.
    pub(crate) fn knowing(&self, request: &Request) -> Self {
        match request.subject {
            Subject::Command { .. } => self.knowing_secrets(&self.rules.arguments(&request.arguments).secrets),
            // Nothing is said of others that holds a piece of a text with what stands around it left out.
            _ => self.clone(),
        }
    }

    /// The same for what is said of the request of `entry`.
    pub(crate) fn knowing_entry(&self, entry: Option<&Entry>) -> Self {
        entry.map_or_else(|| self.clone(), |entry| self.knowing(&entry.request))
    }

    fn knowing_secrets(&self, secrets: &Secrets) -> Self {
        Self { rules: self.rules.knowing(secrets), ..self.clone() }
    }

    /// A text without its secrets.
    pub(crate) fn text(&self, text: &str) -> String {
        self.rules.text(text).text
    }

    /// Where paths lead, by their redacted texts.
    fn paths(&self, request: &Request) -> PathFacts {
        let candidates = request.path_candidates().into_iter();
        candidates
            .filter_map(|candidate| {
                let resolved = request.paths.get(&candidate.text)?;
                let path = self.text(&resolved.path);
                Some((self.text(&candidate.text), ResolvedPath { path, ..resolved.clone() }))
            })
            .collect()
    }

    /// Where a request comes from: a path or the name of a branch can hold anything.
    pub(crate) fn provenance(&self, provenance: Option<&Provenance>) -> Option<Provenance> {
        let mut provenance = provenance?.clone();
        let programs = provenance.programs.iter_mut();
        let of_programs = programs.flat_map(|program| {
            std::iter::once(&mut program.name).chain(&mut program.executable).chain(&mut program.script)
        });
        let of_terminal = provenance.terminal.iter_mut().flat_map(|terminal| &mut terminal.program);
        let of_repository = provenance.repository.iter_mut().flat_map(|repository| {
            std::iter::once(&mut repository.folder).chain(&mut repository.branch).chain(&mut repository.worktree_of)
        });
        let of_container = provenance.container.iter_mut().flat_map(|container| &mut container.id);
        let texts = of_programs.chain(of_terminal).chain(of_repository).chain(of_container);
        for text in texts.chain(&mut provenance.folder) {
            *text = self.text(text);
        }
        for contradiction in &mut provenance.contradictions {
            match contradiction {
                Contradiction::OtherAgent { claimed, found } | Contradiction::OtherFolder { claimed, found } => {
                    *claimed = self.text(claimed);
                    *found = self.text(found);
                }
                Contradiction::NoAgent { claimed } => *claimed = self.text(claimed),
                Contradiction::OtherUser { .. } | Contradiction::InContainer => {}
            }
        }
        Some(provenance)
    }

    fn agent(&self, agent: &AgentIdentity) -> AgentIdentity {
        AgentIdentity { name: self.text(&agent.name), ..agent.clone() }
    }

    fn optional(&self, text: Option<&String>) -> Option<String> {
        text.map(|text| self.text(text))
    }

    /// A grant as it is shown and stored: its title is what was being asked.
    pub(crate) fn grant(&self, grant: &Grant) -> Grant {
        let tasks = grant.tasks.iter().map(|pin| self.pin(pin)).collect();
        Grant { title: self.text(&grant.title), tasks, ..grant.clone() }
    }

    fn pin(&self, pin: &TaskPin) -> TaskPin {
        TaskPin { text: self.text(&pin.text), file: self.text(&pin.file), ..pin.clone() }
    }

    fn changed_task(&self, changed: &ChangedTask) -> ChangedTask {
        let now = match &changed.now {
            TaskState::Defined(definition) => TaskState::Defined(definition.with_texts(|text| self.text(text))),
            TaskState::Unknown(why) => TaskState::Unknown(self.text(why)),
        };
        ChangedTask { approved: self.pin(&changed.approved), now }
    }

    /// An outcome without secrets in the words and in changed arguments.
    pub(crate) fn outcome(&self, outcome: &Outcome) -> Outcome {
        let arguments = outcome.arguments.as_ref().map(|arguments| self.rules.arguments(arguments).arguments);
        Outcome { reason: self.text(&outcome.reason), arguments, ..outcome.clone() }
    }

    /// How the request of `entry` stands, as everybody but its requester may have it. This one knows its secrets.
    pub(crate) fn result(&self, entry: &Entry) -> ApprovalResult {
        let outcome = entry.life.outcome.as_ref().map(|outcome| self.outcome(outcome));
        approval_result::result_with(entry, outcome.as_ref())
    }
}

/// A request as it is stored, without its secrets.
#[derive(Clone, Debug)]
pub(crate) struct StoredForm {
    /// One line that says what it does.
    pub(crate) title: String,
    /// Its arguments, as JSON.
    pub(crate) arguments: String,
    /// The submission, as JSON.
    pub(crate) submission: String,
}

impl StoredForm {
    /// `submission` redacted, cut, and with the hash of its original arguments. `asked` is what is asked with it.
    pub(crate) fn of(submission: &Submission, asked: &RedactedRequest) -> Result<Self, serde_json::Error> {
        let own = &submission.request;
        let request = asked.request();
        let arguments = asked.stored_arguments();
        let is_redacted = submission.is_redacted || arguments != own.arguments || request.cwd != own.cwd;
        let written = serde_json::to_string(&arguments)?;
        let stored = ApprovalRequest {
            arguments,
            tool: request.tool.clone(),
            server: request.server.clone(),
            agent: asked.redactor.optional(own.agent.as_ref()),
            user: request.user.clone(),
            batch: request.batch.clone(),
            intent: request.intent.clone(),
            summary: request.summary.clone(),
            description: request.description.clone(),
            cwd: request.cwd.clone(),
            tags: request.tags.clone(),
            ..own.clone()
        };
        let submission = Submission {
            request: stored,
            is_redacted,
            arguments_hash: Some(request.arguments_hash.clone().into()),
            provenance: request.provenance.clone(),
            ..submission.clone()
        };
        Ok(Self { title: request.title(), arguments: written, submission: serde_json::to_string(&submission)? })
    }
}

impl RedactedRequest {
    /// `original` without its secrets. What the call is about is read anew from the redacted arguments, so
    /// that no part of a request is shown in another form than the rest.
    pub(crate) fn of(original: &Request, redactor: &RequestRedactor) -> Self {
        let RedactedArguments { arguments, secrets, .. } = redactor.rules.arguments(&original.arguments);
        let redactor = redactor.knowing_secrets(&secrets);
        let hides = original.is_redacted || arguments != original.arguments;
        let request = if arguments == original.arguments { original.clone() } else { reread(original, arguments) };
        let request = Request {
            paths: redactor.paths(original),
            tasks: original.tasks.with_texts(|text| redactor.text(text)),
            // A decision is bound to what was asked, whatever of it is shown.
            arguments_hash: original.arguments_hash.clone(),
            // Names are texts of the requester, too. Identifiers are compared with those of later calls, and stay.
            tool: redactor.text(&original.tool),
            server: redactor.optional(original.server.as_ref()),
            agent: original.agent.as_ref().map(|agent| redactor.agent(agent)),
            user: redactor.optional(original.user.as_ref()),
            batch: redactor.optional(original.batch.as_ref()),
            intent: redactor.optional(original.intent.as_ref()),
            summary: redactor.optional(original.summary.as_ref()),
            description: redactor.optional(original.description.as_ref()),
            cwd: redactor.optional(original.cwd.as_ref()),
            project: redactor.optional(original.project.as_ref()),
            tags: original.tags.iter().map(|tag| redactor.text(tag)).collect(),
            provenance: redactor.provenance(original.provenance.as_ref()),
            ..request
        };
        Self { request, hides, redactor }
    }

    /// What is asked.
    pub(crate) fn request(&self) -> &Request {
        &self.request
    }

    /// What knows the secrets of the original.
    pub(crate) fn redactor(&self) -> &RequestRedactor {
        &self.redactor
    }

    /// With what was found out about `original` since.
    pub(crate) fn found(self, original: &Request) -> Self {
        let redactor = &self.redactor;
        let paths = if original.unseen == self.request.unseen { self.request.paths } else { redactor.paths(original) };
        let request = Request {
            tasks: original.tasks.with_texts(|text| redactor.text(text)),
            scripts: original.scripts.clone(),
            provenance: redactor.provenance(original.provenance.as_ref()),
            unseen: original.unseen.clone(),
            decision_point: original.decision_point.clone(),
            paths,
            ..self.request
        };
        Self { request, hides: self.hides, redactor: self.redactor }
    }

    /// The arguments as they are stored.
    pub(crate) fn stored_arguments(&self) -> Map<String, Value> {
        STORED.arguments(&self.request.arguments)
    }
}

impl RedactedEntry {
    /// `entry` without its secrets.
    pub(crate) fn of(entry: &Entry, redactor: &RequestRedactor) -> Self {
        Self::with(RedactedRequest::of(&entry.request, redactor), entry)
    }

    /// `entry`, in which `asked` is asked, without its secrets.
    pub(crate) fn with(asked: RedactedRequest, entry: &Entry) -> Self {
        let RedactedRequest { request, hides, redactor } = asked;
        let mut evaluation = entry.evaluation.clone();
        evaluation.policy = evaluation.policy.with_texts(|text| redactor.text(text));
        evaluation.changed_tasks = evaluation.changed_tasks.iter().map(|task| redactor.changed_task(task)).collect();
        for denial in &mut evaluation.denied_by_walls {
            denial.clause = redactor.text(&denial.clause);
        }
        for widening in &mut evaluation.widenings {
            widening.table.toml = redactor.text(&widening.table.toml);
        }
        let outcome = entry.life.outcome.as_ref().map(|outcome| redactor.outcome(outcome));
        let life = Lifecycle { outcome, ..entry.life.clone() };
        let entry = Entry { request, evaluation, under: None, life, redeemed: entry.redeemed };
        Self { entry, hides }
    }

    /// The request.
    pub(crate) fn entry(&self) -> &Entry {
        &self.entry
    }

    /// Something of the arguments is not shown.
    pub(crate) fn hides(&self) -> bool {
        self.hides
    }
}

/// Whether `text` holds a mark.
pub(crate) fn is_marked(text: &str) -> bool {
    text.contains(MARK)
}

/// Whether `arguments` hold a mark: who changes arguments that were shown redacted would have the mark
/// run in the place of the secret.
pub(crate) fn holds_mark(arguments: &Map<String, Value>) -> bool {
    fn holds(value: &Value) -> bool {
        match value {
            Value::String(text) => is_marked(text),
            Value::Array(items) => items.iter().any(holds),
            Value::Object(fields) => fields.iter().any(|(key, value)| is_marked(key) || holds(value)),
            Value::Null | Value::Bool(_) | Value::Number(_) => false,
        }
    }
    arguments.iter().any(|(key, value)| is_marked(key) || holds(value))
}
