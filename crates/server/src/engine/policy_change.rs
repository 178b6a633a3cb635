//! What a person changes in the policy: looked at, written and copied on threads beside the engine, one change after
//! the other. Calls are judged by the policy in force meanwhile.

use std::collections::VecDeque;
use std::time::Duration;

use handraise_policy::RequestId;
use handraise_protocol::{PolicyView, Problem, ProblemCode};
use serde_json::json;
use tokio::sync::oneshot;

use super::State;
use super::policy_problem::{invalid, not_tried, silent, unwritten};
use super::under_way::{UnderWay, WorkOutcome, news_of};
use crate::policy_file::{Looked, PolicyEdit, PolicyText, PolicyWrite, PolicyWriteError, PolicyWritten, RefusedText};

/// How long a look or a write takes before whoever asked for the change is told that it failed.
const MAX_STEP: Duration = Duration::from_secs(30);
/// How long the end of the engine waits for a write.
const MAX_END: Duration = Duration::from_secs(2);
/// Changes that wait at most.
const MAX_WAITING: usize = 100;

/// What is to become of the policy.
#[derive(Debug)]
pub(super) enum PolicyChange {
    /// One change in the confirmed text.
    Edit(PolicyEdit),
    /// The same, made by the answer to a request.
    Answer(PolicyEdit),
    /// This text in the place of the one that `etag` names.
    Replace { text: Box<Result<PolicyText, RefusedText>>, etag: String },
    /// The text that waits, which `etag` names, is the confirmed one.
    Confirm { etag: String },
    /// The confirmed text in the place of the one that `etag` names.
    Discard { etag: String },
    /// The copy of the confirmed text is another one.
    Copy,
}

/// Whoever waits for a change.
pub(super) type Changed = oneshot::Receiver<Result<PolicyView, Problem>>;

/// The changes that are to be made, in the order in which they came.
#[derive(Debug, Default)]
pub(crate) struct PolicyChanges {
    waiting: VecDeque<Asked>,
    current: Option<Current>,
    /// What the last answer changes, until whoever gave it has taken it.
    of_answer: Option<Changed>,
}

#[derive(Debug)]
struct Asked {
    change: PolicyChange,
    by: String,
    /// `None`: nobody waits, or who waited was told.
    told: Option<oneshot::Sender<Result<PolicyView, Problem>>>,
}

/// A change that is being made.
#[derive(Debug)]
struct Current {
    asked: Asked,
    step: Step,
    work: UnderWay<StepDone>,
}

/// What is under way for a change, in this order.
#[derive(Debug)]
enum Step {
    /// What lies there is looked at.
    Look,
    /// The file is written.
    Write,
    /// What was there before is put back, for this reason.
    PutBack(Problem),
    /// The change is in force, and its text is copied.
    Copy,
}

/// What a step has come to.
#[derive(Debug)]
pub(super) enum StepDone {
    Looked(Box<Looked>),
    Written(Box<Result<PolicyWritten, PolicyWriteError>>),
}

impl PolicyChanges {
    /// Waits for the change that is being made; for ever when there is none.
    pub(super) async fn news(&mut self) -> WorkOutcome<StepDone> {
        news_of(self.current.as_mut().map(|current| &mut current.work)).await
    }

    /// A change is being made, and the disk answers as far as anybody knows.
    pub(super) fn is_under_way(&self) -> bool {
        self.current.as_ref().is_some_and(|current| !current.work.is_late())
    }

    /// The disk has not answered for long.
    pub(super) fn is_stuck(&self) -> bool {
        self.current.as_ref().is_some_and(|current| current.work.is_late())
    }

    /// Waits until nothing is written any more, and not for ever.
    pub(super) async fn end(&mut self) {
        if let Some(current) = &mut self.current {
            // What it comes to, nobody can record any more.
            let _ = tokio::time::timeout(MAX_END, current.work.news()).await;
        }
    }

    /// What the answer changes that was just given.
    pub(super) fn take_of_answer(&mut self) -> Option<Changed> {
        self.of_answer.take()
    }
}

impl State {
    /// Makes `change`, which `by` wants, when those before it are made. Gives what comes of it.
    pub(super) fn change_policy(&mut self, change: PolicyChange, by: String) -> Changed {
        let (told, changed) = oneshot::channel();
        let asked = Asked { change, by, told: Some(told) };
        if self.policy_changes.is_stuck() || self.policy_changes.waiting.len() >= MAX_WAITING {
            self.tell_policy_change(asked, Err(silent()));
        } else {
            self.policy_changes.waiting.push_back(asked);
        }
        changed
    }

    /// Lets a person's answer to the request `id` stand as `rules`. The answer itself stands also when that fails.
    pub(super) fn change_policy_by_answer(&mut self, id: RequestId, rules: String) {
        let sound = self.check_rule(id, &rules);
        let (change, by) = (PolicyChange::Answer(PolicyEdit::Rules(rules)), format!("answer to {id}"));
        let changed = match sound {
            Ok(()) => self.change_policy(change, by),
            Err(problem) => {
                let (told, changed) = oneshot::channel();
                self.tell_policy_change(Asked { change, by, told: Some(told) }, Err(problem));
                changed
            }
        };
        self.policy_changes.of_answer = Some(changed);
    }

    /// The copy of the confirmed text is to be written anew.
    pub(super) fn copy_policy(&mut self) {
        self.policy_changes.waiting.push_back(Asked { change: PolicyChange::Copy, by: String::new(), told: None });
    }

    /// The same before anybody can ask for anything.
    pub(crate) fn copy_policy_at_start(&self) {
        if let Err(error) = self.policy.begin_copy().write() {
            tracing::warn!(%error, "the copy of the confirmed policy cannot be written");
        }
    }

    /// Begins the next change, unless one is being made.
    pub(super) fn begin_policy_change(&mut self) {
        while self.policy_changes.current.is_none()
            && let Some(asked) = self.policy_changes.waiting.pop_front()
        {
            if matches!(asked.change, PolicyChange::Copy) {
                let copy = self.policy.begin_copy();
                self.write_policy(asked, Step::Copy, copy);
            } else {
                self.look_before_change(asked);
            }
        }
    }

    fn look_before_change(&mut self, asked: Asked) {
        let look = self.policy.begin_look();
        self.begin_step(asked, Step::Look, move || StepDone::Looked(Box::new(look.look())));
    }

    fn write_policy(&mut self, asked: Asked, step: Step, write: PolicyWrite) {
        self.begin_step(asked, step, move || StepDone::Written(Box::new(write.write())));
    }

    fn begin_step(&mut self, asked: Asked, step: Step, work: impl FnOnce() -> StepDone + Send + 'static) {
        match UnderWay::begin(work, MAX_STEP) {
            Ok(work) => self.policy_changes.current = Some(Current { asked, step, work }),
            Err(error) => {
                tracing::error!(%error, "the system gives no thread");
                self.step_failed(asked, step);
            }
        }
    }

    /// What is under way for a change is done, or takes too long.
    pub(super) fn hear_of_policy_change(&mut self, news: WorkOutcome<StepDone>) {
        let Some(mut current) = self.policy_changes.current.take() else { return };
        match news {
            WorkOutcome::Late => {
                let outcome = match &current.step {
                    Step::Look | Step::Write => Err(silent()),
                    Step::PutBack(problem) => Err(problem.clone()),
                    Step::Copy => Ok(self.policy_view()),
                };
                self.tell_of_policy_change(&mut current.asked, outcome);
                self.policy_changes.current = Some(current);
                // Nobody knows when those behind it could be made.
                for asked in std::mem::take(&mut self.policy_changes.waiting) {
                    self.tell_policy_change(asked, Err(silent()));
                }
            }
            WorkOutcome::Done(None) => {
                tracing::error!("work on the policy file failed");
                self.step_failed(current.asked, current.step);
            }
            WorkOutcome::Done(Some(done)) => {
                let is_late = current.work.is_late();
                self.step_done(current.asked, current.step, done, is_late);
            }
        }
    }

    fn step_failed(&mut self, asked: Asked, step: Step) {
        let outcome = match step {
            Step::Look | Step::Write => Err(not_tried()),
            Step::PutBack(problem) => Err(problem),
            Step::Copy => Ok(self.policy_view()),
        };
        self.tell_policy_change(asked, outcome);
    }

    fn step_done(&mut self, asked: Asked, step: Step, done: StepDone, is_late: bool) {
        match (step, done) {
            (Step::Look, StepDone::Looked(looked)) => {
                if !self.policy.is_of_now(&looked) {
                    // Another look came between, and was older.
                    return if is_late {
                        self.tell_policy_change(asked, Err(silent()))
                    } else {
                        self.look_before_change(asked)
                    };
                }
                self.take_policy_look(*looked);
                // Who asked was told that nothing has changed.
                if !is_late {
                    self.write_change(asked);
                }
            }
            (Step::Write, StepDone::Written(written)) => match *written {
                Err(error) => self.tell_policy_change(asked, Err(unwritten(error))),
                Ok(_) if is_late => self.put_policy_back(asked, silent()),
                Ok(written) => self.take_written_policy(asked, written),
            },
            (Step::PutBack(problem), StepDone::Written(written)) => {
                if let Err(error) = *written {
                    tracing::error!(%error, "the policy could not be put back");
                }
                self.tell_policy_change(asked, Err(problem));
            }
            (Step::Copy, StepDone::Written(written)) => {
                if let Err(error) = *written {
                    tracing::warn!(%error, "the copy of the confirmed policy cannot be written");
                }
                let view = self.policy_view();
                self.tell_policy_change(asked, Ok(view));
            }
            // No step comes to what another one does.
            (step, _) => self.step_failed(asked, step),
        }
    }

    /// The file was just looked at: writes the change, where it can be made.
    fn write_change(&mut self, asked: Asked) {
        match self.policy_write(&asked) {
            Ok(Some(write)) => self.write_policy(asked, Step::Write, write),
            Ok(None) => self.confirm_change(asked, None),
            Err(problem) => self.tell_policy_change(asked, Err(problem)),
        }
    }

    /// The write that makes the change; `None`: its text lies there already.
    fn policy_write(&mut self, asked: &Asked) -> Result<Option<PolicyWrite>, Problem> {
        match &asked.change {
            PolicyChange::Edit(edit) | PolicyChange::Answer(edit) => {
                self.check_nothing_pends()?;
                if self.policy.refused().is_some() {
                    return Err(self.unusable());
                }
                Ok(Some(self.policy.begin_edit(edit.clone())))
            }
            PolicyChange::Replace { text, etag } => {
                self.check_etag(etag)?;
                self.check_nothing_pends()?;
                let text =
                    PolicyText::clone(text.as_ref().as_ref().map_err(|refused| invalid(refused.diagnostics.clone()))?);
                Ok(Some(self.policy.begin_write(text)))
            }
            PolicyChange::Confirm { etag } => {
                if self.policy.refused().is_some() {
                    return Err(self.unusable());
                }
                if self.policy.pending().is_none() {
                    let what = "There is no change of the policy to confirm.";
                    return Err(Problem::new(ProblemCode::NotFound, what));
                }
                self.check_etag(etag).map(|()| None)
            }
            PolicyChange::Discard { etag } => {
                self.check_etag(etag)?;
                if self.policy.pending().is_none() && self.policy.refused().is_none() {
                    let what = "There is no change of the policy to discard.";
                    return Err(Problem::new(ProblemCode::NotFound, what));
                }
                Ok(Some(self.policy.begin_set_aside(self.clock.now())))
            }
            PolicyChange::Copy => Ok(None),
        }
    }

    fn take_written_policy(&mut self, asked: Asked, written: PolicyWritten) {
        if let PolicyChange::Discard { etag } = &asked.change {
            self.note(&json!({ "kind": "policy_discarded", "sha256": etag, "kept_as": written.aside, "by": asked.by }));
        }
        self.confirm_change(asked, written.text);
    }

    /// What a person wants lies on the disk, as `text` or as what waited there: it is recorded, and in force.
    fn confirm_change(&mut self, asked: Asked, text: Option<PolicyText>) {
        let how = match asked.change {
            PolicyChange::Confirm { .. } => "confirmed",
            PolicyChange::Discard { .. } => "discarded the other",
            PolicyChange::Edit(_) | PolicyChange::Answer(_) | PolicyChange::Replace { .. } | PolicyChange::Copy => {
                "changed in Handraise"
            }
        };
        let Some(text) = text.or_else(|| self.policy.pending().cloned()) else {
            return self.tell_policy_change(asked, Err(not_tried()));
        };
        match self.confirm(text, &asked.by, how) {
            Ok(()) => {
                let copy = self.policy.begin_copy();
                self.write_policy(asked, Step::Copy, copy);
            }
            Err(problem) if matches!(asked.change, PolicyChange::Confirm { .. } | PolicyChange::Discard { .. }) => {
                self.tell_policy_change(asked, Err(problem));
            }
            Err(problem) => self.put_policy_back(asked, problem),
        }
    }

    fn put_policy_back(&mut self, asked: Asked, problem: Problem) {
        if matches!(asked.change, PolicyChange::Discard { .. }) {
            return self.tell_policy_change(asked, Err(problem));
        }
        let before = self.policy.confirmed().clone();
        let write = self.policy.begin_write(before);
        self.write_policy(asked, Step::PutBack(problem), write);
    }

    /// A change is over.
    fn tell_policy_change(&mut self, mut asked: Asked, outcome: Result<PolicyView, Problem>) {
        self.tell_of_policy_change(&mut asked, outcome);
    }

    /// Tells whoever waits what came of a change, once.
    fn tell_of_policy_change(&mut self, asked: &mut Asked, outcome: Result<PolicyView, Problem>) {
        let Some(told) = asked.told.take() else { return };
        let outcome = outcome.map_err(|problem| {
            if !matches!(asked.change, PolicyChange::Answer(_)) {
                return problem;
            }
            let detail = format!("This call is decided, but its rule could not be saved: {}", problem.detail);
            self.notice("A rule could not be saved", &detail);
            Problem { detail, ..problem }
        });
        // Whoever asked may have gone away.
        let _ = told.send(outcome);
    }
}
