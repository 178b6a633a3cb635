//! What the gate would like to know about the tasks of one call.

use crate::Request;
use crate::facts::{TaskCall, TaskFacts, TaskQuestion, TaskState};
use crate::path::working_folder;
use handraise_shell::Part;

/// Most tasks of one call that are looked up. Those of a call with more are not known.
pub const MAX_TASKS: usize = 16;

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
