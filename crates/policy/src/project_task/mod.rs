//! Tasks of a project: `npm run test`, `make test` or `mise run lint` run what stands in a file of the project.
//!
//! What a task runs is its [`TaskDefinition`]: the text of its steps, with those that run before and after it and the
//! tasks that they name. A person who approves the task approves that text, and a remembered answer holds while it
//! stays ([`TaskPin`]). The programs that the text starts, and the files that those run, are the project's own code:
//! they are not part of it.
//!
//! The gate names the tasks that it would like to know ([`crate::Request::task_questions`]). Its owner looks on the disk for
//! what [`define_task`] asks for. What cannot be followed for certain has no definition.

mod call;
mod cargo;
mod files;
mod follow;
mod json;
mod make;
mod makefile;
mod mise;
mod package;
mod pin;
mod questions;
mod table;
mod task_search;
mod whole;

pub use crate::facts::{TaskCall, TaskDefinition, TaskFacts, TaskQuestion, TaskRunner, TaskState, TaskStep};
pub use files::{LookedAt, Pause, TaskFiles};
pub use follow::define_task;
pub use pin::{ChangedTask, TaskPin};
pub(crate) use pin::{MAX_PIN_TEXT, changed_tasks, leaves_operands_open, pins, runs_as_pinned, unlike_pins};
pub use questions::MAX_TASKS;

#[cfg(test)]
pub(crate) mod tests;
