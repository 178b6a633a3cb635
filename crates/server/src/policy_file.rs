//! `policy.toml`: read at start; preset and time-out can be changed with everything else kept.

use std::path::PathBuf;

use handraise_gate::policy::Diagnostic;
use handraise_gate::{Policy, Preset, policy};
use handraise_locations::{PrivateFileError, write_private};
use handraise_protocol::{PolicySummary, Problem, ProblemCode};
use toml_edit::{DocumentMut, value};

/// What a new user starts with.
const STARTING_POLICY: &str = include_str!("starting_policy.toml");

/// The policy file and what came of it.
#[derive(Debug)]
pub(crate) struct PolicyFile {
    path: PathBuf,
    problem: Option<String>,
}

impl PolicyFile {
    /// Reads the file, or writes the one that a new user starts with. A file that cannot be used
    /// makes everything ask: it may have held a denial.
    pub(crate) fn open(path: PathBuf) -> Result<(Self, Policy), PrivateFileError> {
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                write_private(&path, STARTING_POLICY.as_bytes())?;
                STARTING_POLICY.to_owned()
            }
            Err(error) => return Ok(Self::unusable(path, &error)),
        };
        match policy::parse(&text) {
            Ok(loaded) => Ok((Self { path, problem: None }, loaded.policy)),
            Err(diagnostics) => Ok(Self::unusable(path, &sentences(&diagnostics))),
        }
    }

    /// Why the file on disk is not in force.
    pub(crate) fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    /// The policy in short.
    pub(crate) fn summary(&self, policy: &Policy) -> PolicySummary {
        let of_agents: usize = policy.agents.values().map(|table| table.rules.len()).sum();
        PolicySummary {
            preset: policy.preset,
            timeout_seconds: policy.timeout_seconds,
            rules: u32::try_from(policy.rules.len() + of_agents).unwrap_or(u32::MAX),
            path: self.path.display().to_string(),
            problem: self.problem.clone(),
        }
    }

    /// Writes another preset into the file and gives the policy that it now holds.
    pub(crate) fn set_preset(&mut self, preset: Preset) -> Result<Policy, Problem> {
        let name = match preset {
            Preset::Practical => "practical",
            Preset::Strict => "strict",
            Preset::Autonomous => "autonomous",
        };
        self.change(|document| {
            document["preset"] = value(name);
        })
    }

    /// Writes another time-out into the file and gives the policy that it now holds.
    pub(crate) fn set_timeout(&mut self, seconds: u32) -> Result<Policy, Problem> {
        self.change(|document| {
            document["timeout"] = value(format!("{seconds}s"));
        })
    }

    /// Adds `[[rule]]` tables at the end of the file and gives the policy that it now holds.
    pub(crate) fn add_rules(&mut self, rules: &str) -> Result<Policy, Problem> {
        let refuse = |detail: String| Problem::new(ProblemCode::InvalidRequest, detail);
        let text = std::fs::read_to_string(&self.path).map_err(|error| refuse(error.to_string()))?;
        self.replace(&format!("{}\n\n{rules}", text.trim_end()))
    }

    fn unusable(path: PathBuf, error: &dyn std::fmt::Display) -> (Self, Policy) {
        let problem = format!("{error}\nUntil it is mended everything asks. Mend the file and start Handraise again.");
        (Self { path, problem: Some(problem) }, Policy::from_preset(Preset::Strict))
    }

    fn change(&mut self, edit: impl FnOnce(&mut DocumentMut)) -> Result<Policy, Problem> {
        let refuse = |detail: String| Problem::new(ProblemCode::InvalidRequest, detail);
        let text = std::fs::read_to_string(&self.path).map_err(|error| refuse(error.to_string()))?;
        let mut document: DocumentMut = text.parse().map_err(|error| {
            refuse(format!("{} cannot be read, so it was left alone: {error}", self.path.display()))
        })?;
        edit(&mut document);
        self.replace(&document.to_string())
    }

    fn replace(&mut self, text: &str) -> Result<Policy, Problem> {
        let refuse = |detail: String| Problem::new(ProblemCode::InvalidRequest, detail);
        let policy = policy::parse(text).map_err(|diagnostics| refuse(sentences(&diagnostics)))?.policy;
        write_private(&self.path, text.as_bytes()).map_err(|error| refuse(error.to_string()))?;
        self.problem = None;
        Ok(policy)
    }
}

/// What is wrong with the file, one line each.
fn sentences(diagnostics: &[Diagnostic]) -> String {
    diagnostics.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_starting_policy_is_the_practical_one() {
        assert_eq!(policy::parse(STARTING_POLICY).unwrap().policy, Policy::default());
    }

    #[test]
    fn a_change_keeps_comments_and_rules() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("policy.toml");
        let text = "version = 1 # one\n\n# mine\n[[rule]]\npattern = \"x\"\naction = \"deny\"\n";
        std::fs::write(&path, text).unwrap();
        let (mut file, _) = PolicyFile::open(path.clone()).unwrap();
        let policy = file.set_preset(Preset::Strict).unwrap();
        assert_eq!(policy.preset, Preset::Strict);
        let now = std::fs::read_to_string(path).unwrap();
        assert!(now.contains("# one") && now.contains("# mine") && now.contains("pattern = \"x\""), "{now}");
    }

    #[test]
    fn a_broken_file_makes_everything_ask() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("policy.toml");
        std::fs::write(&path, "version = 1\npreset = \"autonomos\"").unwrap();
        let (file, policy) = PolicyFile::open(path).unwrap();
        assert_eq!(policy.preset, Preset::Strict);
        assert!(file.problem().unwrap().contains("autonomos"), "{:?}", file.problem());
    }
}
