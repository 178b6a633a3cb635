//! Calls looked at without a running gate: for trying rules out.

use std::path::Path;

use handraise_locations::{DEFAULT_REQUESTER, Folders};
use handraise_policy::rules::Protections;
use handraise_policy::{Policy, ProcessTree, Request, RequestId};
use handraise_protocol::{ApprovalRequest, Problem};
use uuid::Uuid;

use crate::intake::{RequesterIdentity, Submission, intake};
use crate::made_files::MadeFiles;
use crate::paths::{PathResolver, Protected};
use crate::protections::GuardedFiles;
use crate::skills;
use crate::walls::WallsOffer;

/// Makes requests as the running gate would, from this machine's files as they are now.
#[derive(Debug)]
pub struct DryRun {
    resolver: PathResolver,
    protections: Protections,
    protected: Protected,
    walls: WallsOffer,
}

impl DryRun {
    /// The policy that a new user starts with.
    #[must_use]
    pub fn starting_policy() -> &'static str {
        crate::policy_file::STARTING_POLICY
    }

    /// For the Handraise that keeps its files in `folders`.
    #[must_use]
    pub fn new(folders: &Folders) -> Self {
        let home = handraise_locations::home().ok();
        let files = GuardedFiles::new(folders, home.clone());
        let protected = files.look();
        Self {
            resolver: PathResolver::new(home),
            protections: files.for_gate(),
            protected,
            walls: WallsOffer::on_trial(folders),
        }
    }

    /// The policy with the protections that no file takes away.
    #[must_use]
    pub fn protect(&self, policy: Policy) -> Policy {
        Policy { protections: self.protections.clone(), ..policy }
    }

    /// The request as the gate would decide about it. The agent that it names counts as proved: who
    /// tries a rule out says who asks.
    ///
    /// # Errors
    /// When a field cannot be taken.
    pub fn request(&self, request: ApprovalRequest) -> Result<Request, Problem> {
        let requester = request.agent.clone().unwrap_or_else(|| DEFAULT_REQUESTER.to_owned());
        let is_agent = handraise_agents::agent(&requester).is_some();
        let submission = Submission::of_trial(request, RequesterIdentity { credential: requester, is_agent });
        let request = intake(&submission, RequestId(Uuid::nil()), ProcessTree::default())?;
        let request = self.resolver.look_up(request, &self.protected, &MadeFiles::default());
        let request = skills::with_risk(request, self.resolver.home());
        // Without a folder, or one that is not on this machine, there is no project to look into: the rules are tried
        // as in an empty one. Of another machine the home folder is told by where the project lies, or a file of the call.
        let request = match request.cwd.clone() {
            Some(cwd) if Path::new(&cwd).is_dir() => request,
            cwd => {
                let by_file = || request.path_candidates().iter().find_map(|file| home_of(&file.text));
                let home = cwd.as_deref().and_then(home_of).or_else(by_file).or_else(|| request.home.clone());
                Request { project: cwd, home, ..request }.in_plain_project()
            }
        };
        let confinable = submission.runs_changed_command().then(|| self.walls.confinable(&request));
        // As long as nobody has switched that off.
        let is_kept = cfg!(unix);
        Ok(Request { confinable: confinable.unwrap_or_default(), is_kept, ..request })
    }
}

/// The home folder that `folder` of another machine lies in, by the usual places: `/home/ann`, `/Users/ann`, and
/// `/c/Users/ann`, as Git Bash writes it.
fn home_of(folder: &str) -> Option<String> {
    let parts: Vec<&str> = folder.split('/').collect();
    let steps = match parts.as_slice() {
        ["", "home" | "Users", _, ..] => 3,
        ["", drive, "Users", _, ..] if drive.len() == 1 => 4,
        _ => return None,
    };
    let home = parts.get(..steps)?;
    (!home.last()?.is_empty()).then(|| home.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_home_folder_of_a_foreign_folder_is_told_by_where_it_lies() {
        assert_eq!(home_of("/home/ann/app").as_deref(), Some("/home/ann"));
        assert_eq!(home_of("/Users/ann").as_deref(), Some("/Users/ann"));
        assert_eq!(home_of("/c/Users/ann/x/y").as_deref(), Some("/c/Users/ann"));
        for other in ["/srv/app", "/home", "/home/", "home/ann", "/d/app", ""] {
            assert_eq!(home_of(other), None, "{other}");
        }
    }
}
