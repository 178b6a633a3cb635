//! What the disk says about the projects in which the commands of a call run.

use std::collections::BTreeMap;

/// Something about a project that the gate would like to know.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ProjectQuestion {
    /// The folder in which the command runs, as in a [`crate::PathCandidate`].
    pub folder: String,
    /// What.
    pub about: ProjectSubject,
}

/// What a question is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ProjectSubject {
    /// The repository that git finds from the folder: its settings, hooks and submodules.
    Git,
    /// The files of [`crate::project_code::project_files`] with this name.
    Files(&'static str),
    /// What the project has installed under the name of a program of which nothing is known: the files of
    /// [`crate::project_code::own_program_files`] with this name.
    OwnProgram(String),
}

/// What the disk says about one question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProjectAnswer {
    /// Everything was looked at.
    Looked(FoundCode),
    /// It could not be, for this reason: "`.git/config` is too large".
    Unknown(String),
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundCode {
    /// What may run something.
    pub sources: Vec<CodeSource>,
    /// The folder of the repository, when the question was about git and there is one.
    pub repository: Option<String>,
}

/// Something that may make a program run something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeSource {
    /// The file, absolute.
    pub file: String,
    /// What in it.
    pub what: CodeSetting,
}

/// What in a file may make a program run something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CodeSetting {
    /// That it is there.
    Presence,
    /// A setting, by its name.
    Named(String),
    /// A setting of git.
    Git(GitSetting),
    /// A hook of git, by its name.
    Hook(String),
}

/// What the disk says about the projects of one call, by question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProjectFacts(BTreeMap<ProjectQuestion, ProjectAnswer>);

impl FromIterator<(ProjectQuestion, ProjectAnswer)> for ProjectFacts {
    fn from_iter<I: IntoIterator<Item = (ProjectQuestion, ProjectAnswer)>>(facts: I) -> Self {
        Self(facts.into_iter().collect())
    }
}

impl ProjectFacts {
    /// What is known about `question`; `None`: nobody has looked.
    pub(crate) fn get(&self, question: &ProjectQuestion) -> Option<&ProjectAnswer> {
        self.0.get(question)
    }
}

/// One setting of a configuration file of git.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GitSetting {
    /// In small letters: `diff`.
    pub section: String,
    /// As written: `[diff "Word"]`.
    pub subsection: Option<String>,
    /// In small letters: `textconv`.
    pub key: String,
    /// `None`: the key alone, which means true.
    pub value: Option<String>,
}
