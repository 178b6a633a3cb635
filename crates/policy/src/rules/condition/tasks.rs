//! What the tasks of a project have to run.

use super::Conditions;
use crate::project_task::{leaves_operands_open, runs_as_pinned};
use crate::rules::applies::{Applies, Miss};
use crate::rules::situation::{Situation, Target};

impl Conditions {
    /// Whether the task that a command runs is one that the rule holds. The reader lets no rule hold tasks but one that
    /// allows commands: what is not such a task is for the other conditions, and what cannot be told is none of them.
    pub(super) fn apply_tasks(&self, situation: &Situation<'_>) -> Applies {
        let Target::Command(part) = situation.target else { return Applies::Yes };
        if self.tasks.is_empty() {
            return Applies::Yes;
        }
        let request = situation.call.request;
        if !runs_as_pinned(&self.tasks, request, part, self.command_line.is_some()) {
            return Applies::No(Miss::Task);
        }
        // A pattern without open places says every operand itself.
        let is_open = self.command.as_ref().is_some_and(|pattern| pattern.text().contains(['*', '?']));
        if is_open && !leaves_operands_open(request, part) {
            return Applies::No(Miss::TaskOperands);
        }
        Applies::Yes
    }
}
