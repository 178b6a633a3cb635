//! What a task ran when a person approved it, and whether it still does.

use super::call::Operands;
use super::questions::question;
use crate::Request;
use crate::facts::{TaskCall, TaskDefinition, TaskRunner, TaskState};
use handraise_shell::{CommandLine, CommandPattern, Part, Shell, WordKind};

/// Longest text of a pin, in characters; it only shows what has changed.
pub(crate) const MAX_PIN_TEXT: usize = 8 * 1024;

/// What a task ran when a person approved it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TaskPin {
    /// The words that name it, as `npm run test`.
    pub call: String,
    /// The file that its first step stands in, as [`TaskStep::file_in`] says it; empty when the project had no such
    /// task.
    ///
    /// [`TaskStep::file_in`]: crate::project_task::TaskStep::file_in
    pub file: String,
    /// [`TaskDefinition::digest`].
    pub digest: String,
    /// The beginning of [`TaskDefinition::text`], at most 8,192 characters of it.
    pub text: String,
}

impl TaskPin {
    fn of(call: &TaskCall, definition: &TaskDefinition, project: Option<&str>) -> Self {
        let file = definition.steps.first().map(|step| step.file_in(project).to_owned()).unwrap_or_default();
        Self { call: call.words.clone(), file, digest: definition.digest(project), text: Self::beginning(definition) }
    }

    /// As much of the text of `definition` as a pin holds.
    #[must_use]
    pub fn beginning(definition: &TaskDefinition) -> String {
        handraise_display::split(&definition.text(), MAX_PIN_TEXT).0.to_owned()
    }

    /// Whether it is about the same task as `other`, whatever that ran.
    #[must_use]
    pub fn is_about(&self, other: &Self) -> bool {
        let same_file = self.file == other.file || self.file.is_empty() || other.file.is_empty();
        self.call == other.call && same_file
    }

    /// Whether `words` name its task, alone or in front of others: `make test lint` runs `make test`.
    fn is_named_by(&self, words: &str) -> bool {
        words.strip_prefix(&self.call).is_some_and(|behind| behind.is_empty() || behind.starts_with(' '))
    }
}

/// A task of one call that ran something else when a person approved it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedTask {
    /// What it ran then.
    pub approved: TaskPin,
    /// What it runs now.
    pub now: TaskState,
}

/// What the tasks run that `parts` of `request` are, as far as that is known.
pub(crate) fn pins<'a>(request: &Request, parts: impl Iterator<Item = &'a Part>) -> Vec<TaskPin> {
    let mut pins = Vec::new();
    for part in parts {
        let Some(Ok((call, _))) = TaskCall::of(part) else { continue };
        if let Some(TaskState::Defined(definition)) = state(request, part, &call) {
            let pin = TaskPin::of(&call, definition, request.project.as_deref());
            if !pins.contains(&pin) {
                pins.push(pin);
            }
        }
    }
    pins
}

/// Whether `part` of `request` runs what `pins` say, if it is a task. `is_exact`: its words are those that the pins were
/// made with.
pub(crate) fn runs_as_pinned(pins: &[TaskPin], request: &Request, part: &Part, is_exact: bool) -> bool {
    if pins.is_empty() {
        return true;
    }
    match TaskCall::of(part) {
        None => true,
        Some(Err(_)) => is_exact,
        Some(Ok((call, _))) => match state(request, part, &call) {
            Some(TaskState::Defined(definition)) => {
                let digest = definition.digest(request.project.as_deref());
                pins.iter().any(|pin| pin.digest == digest)
            }
            // One that could not be told when it was approved, either.
            Some(TaskState::Unknown(_)) | None => !pins.iter().any(|pin| pin.is_named_by(&call.words)),
        },
    }
}

/// Why `part` of `request`, which is not what pins say, is none of it, as a clause.
pub(crate) fn unlike_pins(request: &Request, part: &Part) -> String {
    match TaskCall::of(part) {
        Some(Ok((call, _))) => match state(request, part, &call) {
            Some(TaskState::Defined(_)) => format!("`{}` runs something else than was approved", call.words),
            Some(TaskState::Unknown(why)) => format!("what `{}` runs cannot be told: {why}", call.words),
            None => format!("nobody has looked what `{}` runs", call.words),
        },
        Some(Err(why)) => format!("it cannot be told which task it runs: {why}"),
        None => "it runs no task".to_owned(),
    }
}

/// The tasks of `request` that `pins` are about and that run something else now. Of several pins of one task the last
/// counts.
pub(crate) fn changed_tasks(pins: &[TaskPin], request: &Request) -> Vec<ChangedTask> {
    let mut tasks: Vec<ChangedTask> = Vec::new();
    for (approved, now) in changed(pins, request) {
        tasks.retain(|earlier| earlier.approved.call != approved.call || earlier.now != *now);
        tasks.push(ChangedTask { approved: approved.clone(), now: now.clone() });
    }
    tasks
}

/// Each pin of a task that runs something else now, with what is known of that.
fn changed<'a>(pins: &'a [TaskPin], request: &'a Request) -> impl Iterator<Item = (&'a TaskPin, &'a TaskState)> {
    let tasks = request.tasks.iter().filter(|_| !pins.is_empty());
    tasks.flat_map(move |(question, state)| {
        let now = match state {
            TaskState::Defined(definition) => Some(TaskPin::of(&question.call, definition, request.project.as_deref())),
            TaskState::Unknown(_) => None,
        };
        let is_known = pins.iter().any(|pin| now.as_ref().is_some_and(|now| now.digest == pin.digest));
        let is_it = move |pin: &&TaskPin| match &now {
            Some(now) => pin.is_about(now),
            None => pin.call == question.call.words,
        };
        pins.iter().filter(is_it).filter(move |_| !is_known).map(move |pin| (pin, state))
    })
}

/// Whether `part`, when it is a task whose text is known, gives its operands to a program that does nothing with them
/// but what a pattern with open operands covers.
pub(crate) fn leaves_operands_open(request: &Request, part: &Part) -> bool {
    let Some(Ok((call, operands))) = TaskCall::of(part) else { return true };
    match state(request, part, &call) {
        Some(TaskState::Defined(definition)) if !operands.is_empty() && !definition.steps.is_empty() => {
            passes_on_harmlessly(&call, definition, &operands)
        }
        _ => true,
    }
}

/// The runner appends `operands` to the last command of the task. They are open where they are for that command.
fn passes_on_harmlessly(call: &TaskCall, definition: &TaskDefinition, operands: &Operands<'_>) -> bool {
    let appends = matches!(
        call.runner,
        TaskRunner::Npm | TaskRunner::Pnpm | TaskRunner::Yarn | TaskRunner::Bun | TaskRunner::Mise | TaskRunner::Cargo
    );
    let mut own = definition.steps.iter().filter(|step| call.names.contains(&step.name));
    let (Some(step), None) = (own.next().filter(|_| appends), own.next()) else { return false };
    let line = CommandLine::analyse(&step.text, Shell::Posix);
    let Some(last) = line.parts.last().filter(|_| line.obstacle.is_none()) else { return false };
    let is_at_the_end = step.text.trim_end().ends_with(last.text.trim_end()) && !last.text.is_empty();
    let is_plain = last.layers.is_empty() && last.words.iter().all(|word| word.kind == WordKind::Exact);
    if !is_at_the_end || !is_plain {
        return false;
    }
    let words: Vec<&str> = last.exact_words().collect();
    let pattern = format!("{} *", CommandPattern::spell(&words));
    let operands = operands.iter().copied().cloned();
    let passed_on = Part { words: last.words.iter().cloned().chain(operands).collect(), ..last.clone() };
    CommandPattern::parse(&pattern).is_ok_and(|pattern| pattern.covers(&passed_on))
}

fn state<'a>(request: &'a Request, part: &Part, call: &TaskCall) -> Option<&'a TaskState> {
    request.tasks.get(&question(part, call.clone())?)
}
