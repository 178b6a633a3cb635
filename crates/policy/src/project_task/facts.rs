//! What the gate would like to know about the tasks of one call, and what is known of them.

use std::collections::BTreeMap;

use super::call::TaskCall;
use super::definition::TaskDefinition;
use crate::Request;
use crate::path::working_folder;
use handraise_shell::Part;

/// Most tasks of one call that are looked up. Those of a call with more are not known.
pub const MAX_TASKS: usize = 16;

/// A task that the gate would like to know.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TaskQuestion {
    /// The folder in which it is called, as in a [`crate::PathCandidate`].
    pub folder: String,
    /// The task.
    pub call: TaskCall,
}

/// What is known of one task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TaskState {
    /// What it runs.
    Defined(TaskDefinition),
    /// Why that cannot be told, as a clause: "`Makefile` includes other files".
    Unknown(String),
}

/// What is known of the tasks of one call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskFacts(BTreeMap<TaskQuestion, TaskState>);

impl FromIterator<(TaskQuestion, TaskState)> for TaskFacts {
    fn from_iter<I: IntoIterator<Item = (TaskQuestion, TaskState)>>(facts: I) -> Self {
        Self(facts.into_iter().collect())
    }
}

impl TaskFacts {
    /// Every task with what is known of it.
    pub fn iter(&self) -> impl Iterator<Item = (&TaskQuestion, &TaskState)> {
        self.0.iter()
    }

    /// Whether there is a task among them that runs something.
    #[must_use]
    pub fn run_something(&self) -> bool {
        self.0.values().any(|state| match state {
            TaskState::Defined(definition) => !definition.steps.is_empty(),
            TaskState::Unknown(_) => true,
        })
    }

    /// The first task that runs something else in `later`, by the words that name it. What nobody could tell either
    /// time, for whatever reason, is the same: whoever approved it was told so.
    #[must_use]
    pub fn first_change<'a>(&'a self, later: &'a Self) -> Option<&'a str> {
        let questions = self.0.keys().chain(later.0.keys());
        let changed = |question: &&TaskQuestion| match (self.get(question), later.get(question)) {
            (Some(TaskState::Unknown(_)), Some(TaskState::Unknown(_))) => false,
            (before, now) => before != now,
        };
        questions.filter(changed).map(|question| question.call.words.as_str()).next()
    }

    /// The same with each text changed by `change`.
    #[must_use]
    pub fn with_texts(&self, change: impl Fn(&str) -> String) -> Self {
        let state = |state: &TaskState| match state {
            TaskState::Defined(definition) => TaskState::Defined(definition.with_texts(&change)),
            TaskState::Unknown(why) => TaskState::Unknown(change(why)),
        };
        self.0.iter().map(|(question, known)| (question.clone(), state(known))).collect()
    }

    pub(super) fn get(&self, question: &TaskQuestion) -> Option<&TaskState> {
        self.0.get(question)
    }
}

impl Request {
    /// The tasks that the commands of this call run, each once, at most [`MAX_TASKS`].
    #[must_use]
    pub fn task_questions(&self) -> Vec<TaskQuestion> {
        let mut questions = Vec::new();
        for part in self.command.iter().flat_map(|line| &line.parts) {
            let question = TaskCall::of(part).and_then(Result::ok).and_then(|(call, _)| question(part, call));
            let new = question.filter(|question| questions.len() < MAX_TASKS && !questions.contains(question));
            questions.extend(new);
        }
        questions
    }

    /// What is known of the tasks when nobody can look at files, and `why`.
    #[must_use]
    pub fn tasks_unseen(&self, why: &str) -> TaskFacts {
        let questions = self.task_questions().into_iter();
        questions.map(|question| (question, TaskState::Unknown(why.to_owned()))).collect()
    }
}

/// The question about `call`, which is that of `part`; `None`: nobody can tell in which folder it runs.
pub(super) fn question(part: &Part, call: TaskCall) -> Option<TaskQuestion> {
    Some(TaskQuestion { folder: working_folder(part)?, call })
}
