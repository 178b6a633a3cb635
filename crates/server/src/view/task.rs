//! What the tasks of a project run that a command line names.

use handraise_display::line;
use handraise_gate::Entry;
use handraise_policy::project_task::{TaskDefinition, TaskQuestion};
use handraise_policy::{TaskPin, TaskState};
use handraise_protocol::{TaskStepView, TaskView, content_pieces, pieces};

use super::changes;
use crate::sentence::sentence;

/// Longest name, file or command, in characters; the rest is counted.
const MAX_TEXT: usize = 200;
/// Most lines of a difference.
const MAX_CHANGES: usize = 400;

/// The tasks of `entry` that run something, or have changed.
pub(super) fn tasks(entry: &Entry) -> Vec<TaskView> {
    let all = entry.request.tasks.iter().map(|(question, state)| task(entry, question, state));
    let is_told = |task: &TaskView| !task.steps.is_empty() || task.unknown.is_some() || !task.changes.is_empty();
    all.filter(is_told).collect()
}

fn task(entry: &Entry, question: &TaskQuestion, state: &TaskState) -> TaskView {
    let call = line(&question.call.words, MAX_TEXT);
    let project = entry.request.project.as_deref();
    match state {
        TaskState::Unknown(why) => {
            let why = line(&format!("what `{call}` runs cannot be told: {why}"), 2 * MAX_TEXT);
            TaskView {
                call,
                steps: Vec::new(),
                unknown: Some(sentence(&why)),
                unfollowed: Vec::new(),
                changes: Vec::new(),
            }
        }
        TaskState::Defined(definition) => TaskView {
            changes: before(entry, question, state)
                .map(|pin| changes(&pin.text, &TaskPin::beginning(definition), MAX_CHANGES))
                .unwrap_or_default(),
            steps: steps(definition, project),
            unknown: None,
            unfollowed: definition.unfollowed.iter().map(|text| line(text, MAX_TEXT)).collect(),
            call,
        },
    }
}

/// What a person has approved it with, when that was something else.
fn before<'a>(entry: &'a Entry, question: &TaskQuestion, state: &TaskState) -> Option<&'a TaskPin> {
    let changed = &entry.evaluation.changed_tasks;
    let is_it = |pin: &TaskPin| pin.call == question.call.words;
    changed.iter().find(|changed| is_it(&changed.approved) && changed.now == *state).map(|changed| &changed.approved)
}

fn steps(definition: &TaskDefinition, project: Option<&str>) -> Vec<TaskStepView> {
    let from_project = |file: &str| {
        let inside = project.and_then(|project| file.strip_prefix(project)?.strip_prefix('/'));
        line(inside.unwrap_or(file), MAX_TEXT)
    };
    let steps = definition.steps.iter();
    steps
        .map(|step| TaskStepView {
            name: line(&step.name, MAX_TEXT),
            file: pieces(&from_project(&step.file)),
            text: content_pieces(&step.text),
        })
        .collect()
}
