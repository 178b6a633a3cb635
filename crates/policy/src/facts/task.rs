//! What is known of the tasks that a call runs.

use std::collections::BTreeMap;

use super::TaskDefinition;

/// Which kind of file says what a task runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TaskRunner {
    /// `scripts` of `package.json`, by npm.
    Npm,
    /// The same by pnpm.
    Pnpm,
    /// The same by Yarn.
    Yarn,
    /// The same by Bun.
    Bun,
    /// A makefile.
    Make,
    /// `mise.toml` and its like, and files that are tasks.
    Mise,
    /// `[alias]` in `.cargo/config.toml`.
    Cargo,
    /// `justfile`.
    Just,
    /// `Taskfile.yml`.
    Task,
    /// `deno.json`.
    Deno,
    /// `composer.json`.
    Composer,
    /// `[tool.poe.tasks]` in `pyproject.toml`.
    Poe,
    /// `[tool.pdm.scripts]` in `pyproject.toml`.
    Pdm,
}

/// One task, or those that one command runs together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TaskCall {
    /// Who runs it.
    pub runner: TaskRunner,
    /// The words that name it, as `npm run test`.
    pub words: String,
    /// Its names, as `test`. None: what the runner runs without a name.
    pub names: Vec<String>,
}

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

    /// What is known of the task of `question`; `None`: nobody has looked.
    pub(crate) fn get(&self, question: &TaskQuestion) -> Option<&TaskState> {
        self.0.get(question)
    }
}
