//! A request whose files nobody can look at.

use crate::Request;
use crate::facts::{PathFacts, ProjectAnswer};

impl Request {
    /// The request when nobody can look at the files that it names, and `why`: everything that they were to tell is
    /// unknown.
    #[must_use]
    pub fn with_files_unseen(self, why: String) -> Self {
        let questions = self.project_questions().into_iter();
        let project_code = questions.map(|question| (question, ProjectAnswer::Unknown(why.clone()))).collect();
        let (scripts, tasks) = (self.scripts_unseen(&why), self.tasks_unseen(&why));
        Self { paths: PathFacts::default(), project_code, tasks, scripts, unseen: Some(why), ..self }
    }
}
