//! A submission as the engine takes it.

use std::sync::Arc;

use handraise_gate::{Entry, Evaluation};
use handraise_policy::rules::{DecidedUnder, Foreseen, Rule};
use handraise_policy::{
    Action, CanBeUndone, DecisionPointResult, PhaseOrder, ProcessTree, Provenance, Request, RequestId, RiskLevel,
    ScriptFacts, TaskFacts, ToolClass,
};
use handraise_protocol::{Approval, Consequence, Problem};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::{Files, Inner, Known, Preparer};
use crate::consequences::consequences;
use crate::intake::{Submission, intake, reread};
use crate::keeping::KeepResult;
use crate::paths::{OnDisk, SeenFolders};
use crate::redacted::{RedactedEntry, RedactedRequest, RequestRedactor, StoredForm};
use crate::skills::{self, RunsByItself};
use crate::turns::Turn;
use crate::view;

/// A submission made a request of the gate, with everything about it that is slow.
#[derive(Clone, Debug)]
pub(crate) struct Prepared {
    /// As it came.
    pub(crate) submission: Submission,
    /// What is asked. The engine gives it its id.
    pub(crate) request: Request,
    /// What it was prepared with.
    pub(crate) known: Arc<Known>,
    /// The same without its secrets.
    asked: RedactedRequest,
    stored: StoredForm,
    /// By what the policy says.
    evaluation: Evaluation,
    /// What the policy's part of it was decided by.
    under: DecidedUnder,
    has_scripts: bool,
    prompt: Option<ForPrompt>,
    /// What was kept of what it changes; `None`: nobody has tried.
    pub(crate) kept: Option<KeepResult>,
}

/// What a person is shown of a call.
#[derive(Clone, Debug)]
pub(crate) struct ForPrompt {
    /// What a skill runs by itself.
    pub(crate) runs: Option<RunsByItself>,
    approval: Box<Approval>,
}

impl Preparer {
    /// Makes `submission` ready for the engine, which `turn` is for; it is taken anew where this took long. With what
    /// a person is shown only when `with_prompt`.
    pub(crate) async fn prepare(
        &self,
        submission: Submission,
        processes: ProcessTree,
        with_prompt: bool,
        turn: &mut Option<Turn>,
    ) -> Result<Prepared, Problem> {
        self.prepare_all(vec![submission], processes, with_prompt, turn).await?.pop().ok_or_else(super::failed)?
    }

    /// The same for the calls of one requester that come together.
    pub(crate) async fn prepare_all(
        &self,
        submissions: Vec<Submission>,
        processes: ProcessTree,
        with_prompt: bool,
        turn: &mut Option<Turn>,
    ) -> Result<Vec<Result<Prepared, Problem>>, Problem> {
        let requester = submissions.first().map(|first| first.requester.credential.clone()).unwrap_or_default();
        let known = self.known();
        let (foreknown, prompt_now) = (known.clone(), with_prompt && !known.asks_decision_point());
        let prepared = self.each(&requester, submissions, turn, move |inner, submission, files| {
            let prepared = inner.begin(submission, &processes, &foreknown, files)?;
            if prompt_now { inner.with_prompt(prepared, files) } else { Ok(prepared) }
        });
        let prepared = prepared.await?;
        if known.asks_decision_point() {
            self.with_decision_point(prepared, &known, with_prompt, turn).await
        } else {
            Ok(prepared)
        }
    }

    /// Adds what a person is shown, with where the call comes from.
    pub(crate) async fn finish(
        &self,
        prepared: Prepared,
        provenance: Option<Provenance>,
        turn: &mut Option<Turn>,
    ) -> Result<Prepared, Problem> {
        let requester = prepared.request.requester.clone();
        self.one(&requester, prepared, turn, move |inner, prepared, files| {
            let mut prepared = prepared.clone();
            prepared.submission.provenance.clone_from(&provenance);
            prepared.request.provenance.clone_from(&provenance);
            inner.with_prompt(prepared, files)
        })
        .await?
    }

    /// What the files that `request` runs hold now, and what its tasks run.
    pub(crate) async fn files_now(&self, request: Request) -> Result<(ScriptFacts, TaskFacts), Problem> {
        let requester = request.requester.clone();
        self.one(&requester, request, &mut None, |inner, request, files| {
            (inner.scripts(request, files), inner.tasks(request, files))
        })
        .await
    }

    /// `request` with other `arguments`, read anew.
    pub(crate) async fn edited(&self, request: Request, arguments: Map<String, Value>) -> Result<Request, Problem> {
        let requester = request.requester.clone();
        let known = self.known();
        let foreknown = known.clone();
        let mut no_turn = None;
        let edited =
            self.one(&requester, (request, arguments), &mut no_turn, move |inner, (request, arguments), files| {
                let edited = Request { unseen: None, ..reread(request, arguments.clone()) };
                let edited = inner.look_up(edited, files);
                let to_ask = foreknown.asks_decision_point().then(|| {
                    let (by_rules, _) = inner.evaluate_alone(&edited, &foreknown);
                    (RedactedRequest::of(&edited, &foreknown.redactor), by_rules)
                });
                (edited, to_ask)
            });
        let (edited, to_ask) = edited.await?;
        let Some((asked, by_rules)) = to_ask else { return Ok(edited) };
        let decision_point = self.ask_decision_point(&edited, &asked, &by_rules, &known).await;
        Ok(Request { decision_point, ..edited })
    }

    /// `entry` with other `arguments`, as a person would be shown it. No external decision point is asked.
    pub(crate) async fn edited_shown(&self, entry: Entry, arguments: Map<String, Value>) -> Result<Approval, Problem> {
        let requester = entry.request.requester.clone();
        let known = self.known();
        self.one(&requester, (entry, arguments), &mut None, move |inner, (entry, arguments), files| {
            let edited = Request { unseen: None, ..reread(&entry.request, arguments.clone()) };
            let edited = inner.look_up(edited, files);
            let (evaluation, _) = inner.evaluate_alone(&edited, &known);
            let asked = RedactedRequest::of(&edited, &known.redactor);
            let found = match files {
                Files::Seen => consequences(&edited, inner.resolver.home(), &known.redactor),
                Files::Unseen(_) => Vec::new(),
            };
            let entry = Entry { request: edited, evaluation, ..entry.clone() };
            Approval { consequences: found, ..approval(asked, &entry, None, &known.redactor) }
        })
        .await
    }
}

impl Inner {
    /// Says where the paths of `request` lead, as far as the file system tells.
    pub(super) fn look_up(&self, request: Request, files: Files<'_>) -> Request {
        match files {
            Files::Seen => {
                let request = self.resolver.look_up(request, &self.protected(), &self.made);
                skills::with_risk(request, self.resolver.home())
            }
            Files::Unseen(why) => request.with_files_unseen(why.to_owned()),
        }
    }

    /// Says what the files hold that `request` runs.
    pub(super) fn scripts(&self, request: &Request, files: Files<'_>) -> ScriptFacts {
        match files {
            Files::Seen => self.resolver.script_facts(request),
            Files::Unseen(why) => request.scripts_unseen(why),
        }
    }

    /// Says what the tasks run that `request` names.
    fn tasks(&self, request: &Request, files: Files<'_>) -> TaskFacts {
        match files {
            Files::Seen => self.resolver.task_facts(request, &mut SeenFolders::default()),
            Files::Unseen(why) => request.tasks_unseen(why),
        }
    }

    /// What the skill runs by itself that `request` loads.
    pub(super) fn runs_by_itself(&self, request: &Request, files: Files<'_>) -> Option<RunsByItself> {
        matches!(files, Files::Seen).then(|| skills::of(request, self.resolver.home())).flatten()
    }

    /// What the file holds that `request` writes.
    fn on_disk(&self, request: &Request, files: Files<'_>) -> Option<OnDisk> {
        matches!(files, Files::Seen).then(|| self.resolver.on_disk(request)).flatten()
    }

    /// By what the policy says, and by which one.
    pub(super) fn evaluate(&self, request: &Request, known: &Known) -> (Evaluation, DecidedUnder) {
        let Foreseen { decision, under } = Foreseen::new(&known.policy, request, self.clock.now());
        (Evaluation::by_policy(decision, known.mode, request), under)
    }

    /// The same by its rules alone: what an external decision point says is still to be found out.
    pub(super) fn evaluate_alone(&self, request: &Request, known: &Known) -> (Evaluation, DecidedUnder) {
        let now = self.clock.now();
        let decision = known.policy.decide_alone(request, now);
        (Evaluation::by_policy(decision, known.mode, request), DecidedUnder::new(known.policy.clone(), now))
    }

    /// `request` with its files, its walls where it runs what it gets back, and whether what it changes is kept.
    pub(super) fn look_up_all(&self, request: Request, runs_changed_command: bool, files: Files<'_>) -> Request {
        let mut request = self.look_up(request, files);
        if runs_changed_command {
            request.confinable = self.walls.confinable(&request);
        }
        request.is_kept = self.keeping.is_on();
        request
    }

    fn begin(
        &self,
        submission: &Submission,
        processes: &ProcessTree,
        known: &Arc<Known>,
        files: Files<'_>,
    ) -> Result<Prepared, Problem> {
        let request = intake(submission, RequestId(Uuid::nil()), processes.clone())?;
        let mut request = self.look_up_all(request, submission.runs_changed_command(), files);
        // Whoever comes back for an answer is about what its files hold now.
        let is_second = request.hook_phase.as_ref().is_some_and(|phase| phase.order == PhaseOrder::Second);
        let has_scripts = is_second || request.idempotency_key.is_some();
        if has_scripts {
            request.scripts = self.scripts(&request, files);
        }
        let (evaluation, under) = if known.asks_decision_point() {
            self.evaluate_alone(&request, known)
        } else {
            self.evaluate(&request, known)
        };
        let asked = RedactedRequest::of(&request, &known.redactor);
        let stored = stored(submission, &asked)?;
        let (submission, known) = (submission.clone(), known.clone());
        Ok(Prepared {
            submission,
            request,
            known,
            asked,
            stored,
            evaluation,
            under,
            has_scripts,
            prompt: None,
            kept: None,
        })
    }

    /// Says that nobody but a person approves `prepared`, since what it changes could not be kept, and `why`.
    pub(super) fn unkept(&self, prepared: Prepared, why: &str, files: Files<'_>) -> Result<Prepared, Problem> {
        let had_prompt = prepared.has_prompt();
        let request = Request { unseen: Some(format!("it could not be undone, because {why}")), ..prepared.request };
        let (evaluation, under) = self.evaluate(&request, &prepared.known);
        let prepared = Prepared { request, evaluation, under, prompt: None, ..prepared };
        if had_prompt { self.with_prompt(prepared, files) } else { Ok(prepared) }
    }

    /// `prepared` with what the `decision_point` says about it.
    pub(super) fn tightened(&self, mut prepared: Prepared, decision_point: Option<DecisionPointResult>) -> Prepared {
        prepared.request.decision_point = decision_point;
        let (evaluation, under) = self.evaluate(&prepared.request, &prepared.known);
        Prepared { evaluation, under, ..prepared }
    }

    /// Adds what a person is shown.
    pub(super) fn with_prompt(&self, prepared: Prepared, files: Files<'_>) -> Result<Prepared, Problem> {
        let Prepared { submission, mut request, known, asked, mut evaluation, mut under, has_scripts, kept, .. } =
            prepared;
        match files {
            Files::Seen if request.unseen.is_none() => {
                if !has_scripts {
                    request.scripts = self.scripts(&request, files);
                }
            }
            Files::Unseen(why) if request.unseen.is_none() => {
                request = request.with_files_unseen(why.to_owned());
                (evaluation, under) = self.evaluate(&request, &known);
            }
            Files::Seen | Files::Unseen(_) => {}
        }
        let files = request.unseen.as_deref().map_or(files, Files::Unseen);
        let runs = self.runs_by_itself(&request, files);
        let asked = asked.found(&request);
        let stored = stored(&submission, &asked)?;
        let now = self.clock.now();
        let entry = Entry::new(request.clone(), evaluation.clone(), now, now);
        let mut approval = Box::new(approval(asked.clone(), &entry, runs.as_ref(), &known.redactor));
        if let Some(on_disk) = self.on_disk(&request, files) {
            view::with_file(&mut approval, &request, asked.request(), on_disk, &known.redactor);
        }
        let prompt = Some(ForPrompt { runs, approval });
        Ok(Prepared { submission, request, known, asked, stored, evaluation, under, has_scripts: true, prompt, kept })
    }
}

impl Prepared {
    /// What is put before the external decision point: the call without its secrets, and what the rules say.
    pub(super) fn for_decision_point(&self) -> (&RedactedRequest, &Evaluation) {
        (&self.asked, &self.evaluation)
    }

    /// What the policy says about it.
    pub(crate) fn foreseen(&self) -> Foreseen {
        Foreseen { decision: self.evaluation.policy.clone(), under: self.under.clone() }
    }

    /// Whether a person is asked, as far as the policy tells.
    pub(crate) fn asks(&self) -> bool {
        self.evaluation.action == Action::Ask
    }

    /// Whether it passes, as far as the policy tells.
    pub(crate) fn passes(&self) -> bool {
        self.evaluation.action == Action::Allow
    }

    /// It passes only because what it changes can be undone: by a rule that says so, or, where its tool writes files, by
    /// one of a preset.
    pub(crate) fn has_to_be_kept(&self) -> bool {
        let policy = &self.evaluation.policy;
        let writes_files = self.request.class == ToolClass::FileWrite;
        let relies = |rule: &Rule| rule.relies_on_undo() || writes_files && rule.is_of_preset();
        self.passes() && policy.parts.iter().filter_map(|part| part.rule.as_deref()).any(relies)
    }

    /// It names every file that it changes: what is kept of these is all there is to keep.
    pub(crate) fn names_all_that_it_changes(&self) -> bool {
        self.request.class == ToolClass::FileWrite || self.evaluation.policy.effect().can_be_undone() < CanBeUndone::No
    }

    /// Its risk.
    pub(crate) fn risk(&self) -> RiskLevel {
        self.evaluation.policy.risk.level
    }

    /// What a person is shown is ready.
    pub(crate) fn has_prompt(&self) -> bool {
        self.prompt.is_some()
    }

    /// What is asked, without its secrets.
    pub(crate) fn asked(&self) -> &Request {
        self.asked.request()
    }

    /// What knows the secrets of what is asked.
    pub(crate) fn redactor(&self) -> &RequestRedactor {
        self.asked.redactor()
    }

    /// As it is stored.
    pub(crate) fn stored(&self) -> &StoredForm {
        &self.stored
    }

    /// Adds what was found out of what it would do.
    pub(crate) fn add_consequences(&mut self, found: Vec<Consequence>) {
        if let Some(prompt) = &mut self.prompt {
            prompt.approval.consequences = found;
        }
    }

    /// What it would do.
    pub(crate) fn consequences(&self) -> &[Consequence] {
        self.prompt.as_ref().map_or(&[], |prompt| &prompt.approval.consequences)
    }

    /// What a skill runs by itself.
    pub(crate) fn runs(&self) -> Option<&RunsByItself> {
        self.prompt.as_ref()?.runs.as_ref()
    }

    /// `entry`, which came of this, as a person is shown it. `None` when something else was decided than was
    /// expected.
    pub(crate) fn approval(&self, entry: &Entry) -> Option<Approval> {
        let prompt = self.prompt.as_ref().filter(|_| self.evaluation == entry.evaluation)?;
        Some(view::at_times_of(entry, Approval::clone(&prompt.approval)))
    }
}

/// `entry`, in which `asked` is asked, as a person is shown it.
pub(super) fn approval(
    asked: RedactedRequest,
    entry: &Entry,
    runs: Option<&RunsByItself>,
    redactor: &RequestRedactor,
) -> Approval {
    let mut approval = view::approval(&RedactedEntry::with(asked, entry));
    approval.arguments.extend(runs.map(|runs| view::runs_by_itself(runs, redactor)));
    approval
}

fn stored(submission: &Submission, asked: &RedactedRequest) -> Result<StoredForm, Problem> {
    StoredForm::of(submission, asked).map_err(|error| {
        tracing::error!(%error, "a request cannot be written as JSON");
        super::failed()
    })
}
