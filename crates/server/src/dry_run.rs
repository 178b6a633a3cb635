//! Calls looked at without a running gate: for trying rules out.

use std::path::Path;

use handraise_locations::Folders;
use handraise_policy::rules::Protections;
use handraise_policy::{Policy, ProcessTree, Request, RequestId};
use handraise_protocol::{ApprovalRequest, Problem};
use uuid::Uuid;

use crate::credentials::DEFAULT_REQUESTER;
use crate::intake::{RequesterIdentity, Submission, intake};
use crate::paths::{PathResolver, Protected};
use crate::protections::GuardedFiles;
use crate::skills;

/// Makes requests as the running gate would, from this machine's files as they are now.
#[derive(Debug)]
pub struct DryRun {
    resolver: PathResolver,
    protections: Protections,
    protected: Protected,
}

impl DryRun {
    /// The policy that a new user starts with.
    #[must_use]
    pub fn starting_policy() -> &'static str {
        crate::policy::STARTING_POLICY
    }

    /// For the Handraise that keeps its files in `folders`.
    #[must_use]
    pub fn new(folders: &Folders) -> Self {
        let home = handraise_locations::home().ok();
        let files = GuardedFiles::new(folders, home.clone());
        let protected = files.look();
        Self { resolver: PathResolver::new(home), protections: files.for_gate(), protected }
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
        let submission = Submission::of_program(request, RequesterIdentity { credential: requester, is_agent });
        let request = intake(&submission, RequestId(Uuid::nil()), ProcessTree::default())?;
        let request = self.resolver.look_up(request, &self.protected);
        let request = skills::with_risk(request, self.resolver.home());
        // Without a folder, or one that is not on this machine, there is no project to look into: the rules are tried
        // as in an empty one.
        match request.cwd.clone() {
            Some(cwd) if Path::new(&cwd).is_dir() => Ok(request),
            cwd => Ok(Request { project: cwd, ..request.in_plain_project() }),
        }
    }
}
