//! What a task runs.

use sha2::{Digest, Sha256};

/// What a task runs, as its files say it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskDefinition {
    /// Its steps, in the order in which they were found. None: the project has no such task, and says nothing about
    /// what the command does.
    pub steps: Vec<TaskStep>,
    /// Commands among the steps that run further tasks which could not be followed: `make -C sub`.
    pub unfollowed: Vec<String>,
}

/// One text that a task runs, or that says how.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TaskStep {
    /// What it is called: `pretest`, `[env]`.
    pub name: String,
    /// The file that it stands in, absolute.
    pub file: String,
    /// Its text.
    pub text: String,
}

impl TaskStep {
    /// The file that it stands in: below the folder `project` as it is seen from there, else absolute.
    #[must_use]
    pub fn file_in(&self, project: Option<&str>) -> &str {
        let below = |project: &str| self.file.strip_prefix(project.trim_end_matches('/'))?.strip_prefix('/');
        project.and_then(below).unwrap_or(&self.file)
    }
}

impl TaskDefinition {
    /// SHA-256 of the steps, in lower-case hexadecimal: the same for the same texts under the same names in the same
    /// files, and for nothing else. Files below the folder `project` count by their place in it.
    #[must_use]
    pub fn digest(&self, project: Option<&str>) -> String {
        let mut hash = Sha256::new();
        for text in self.steps.iter().flat_map(|step| [step.file_in(project), &step.name, &step.text]) {
            hash.update(u64::try_from(text.len()).unwrap_or(u64::MAX).to_le_bytes());
            hash.update(text.as_bytes());
        }
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The steps as one text for a person, each behind its name.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        for TaskStep { name, text: step, .. } in &self.steps {
            if step.contains('\n') {
                text.push_str(&format!("{name}:\n"));
                step.lines().for_each(|line| text.push_str(&format!("  {line}\n")));
            } else {
                text.push_str(&format!("{name}: {step}\n"));
            }
        }
        text
    }

    /// The same with each text changed by `change`.
    #[must_use]
    pub fn with_texts(&self, change: impl Fn(&str) -> String) -> Self {
        let step =
            |step: &TaskStep| TaskStep { name: change(&step.name), file: change(&step.file), text: change(&step.text) };
        Self {
            steps: self.steps.iter().map(step).collect(),
            unfollowed: self.unfollowed.iter().map(|text| change(text)).collect(),
        }
    }
}
