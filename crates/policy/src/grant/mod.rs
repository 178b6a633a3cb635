//! Grants: what a person's answer covers beyond the call that it was given for.

mod breadth;
mod choice;
mod matcher;
mod prefixes;
mod rule_from_answer;
mod scope;
mod suggested;

use std::fmt;

use jiff::Timestamp;
use uuid::Uuid;

use crate::project_task::{self, ChangedTask, leaves_operands_open, runs_as_pinned};
use crate::{Request, RequestId, SessionKey, TaskPin};
use handraise_shell::Part;

pub use breadth::Breadth;
pub use breadth::{Coverage, is_offered, matcher, tasks};
pub use choice::{CommandChoice, GrantChoice, choices, choices_of_commands};
pub use matcher::{CommandMatcher, ExactMatcher, FolderMatcher, Matcher, ToolMatcher};
pub use rule_from_answer::rule_from_answer;
pub use rule_from_answer::rule_from_approval;
pub use scope::Scope;
pub use suggested::may_be_suggested;

/// Identifies one grant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GrantId(pub Uuid);

impl fmt::Display for GrantId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// What a grant does to the calls that it covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GrantEffect {
    /// They pass without asking.
    Approve,
    /// They are refused without asking.
    Deny,
}

/// An entry of a session's list, made by a person's answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Grant {
    /// Identifies it.
    pub id: GrantId,
    /// The session that it belongs to and dies with.
    pub session: SessionKey,
    /// Approve or deny.
    pub effect: GrantEffect,
    /// Which calls.
    pub matcher: Matcher,
    /// `minutes` or `session`.
    pub scope: Scope,
    /// One line for a person: what was being asked when it was made.
    pub title: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it ends by itself; `None`: with its session.
    pub expires_at: Option<Timestamp>,
    /// The decision that made it; the audit log must hold that decision.
    pub decided_in: RequestId,
    /// Of an approval: what the tasks of the project ran that it names. It covers them while they run that. None: no
    /// task of it was known, and it is about the words alone.
    pub tasks: Vec<TaskPin>,
}

impl Grant {
    /// Whether it belongs to the session of `request` and is in force.
    fn concerns(&self, request: &Request, now: Timestamp) -> bool {
        request.session.as_ref() == Some(&self.session) && self.expires_at.is_none_or(|end| now < end)
    }

    /// Whether it covers the whole call, whatever its parts are.
    fn covers(&self, request: &Request) -> bool {
        let is_exact = matches!(self.matcher, Matcher::Exact(_));
        let mut parts = request.command.iter().flat_map(|command| &command.parts);
        self.matcher.covers(request) && parts.all(|part| runs_as_pinned(&self.tasks, request, part, is_exact))
    }

    /// Whether it covers one simple command of `request`.
    fn covers_part(&self, request: &Request, part: &Part) -> bool {
        self.matcher.covers_part(request, part, self.effect)
            && runs_as_pinned(&self.tasks, request, part, false)
            && (self.tasks.is_empty() || leaves_operands_open(request, part))
    }

    /// Whether `newer` takes its place: the same answer about the same calls, of which a task runs something else now.
    #[must_use]
    pub fn is_renewed_by(&self, newer: &Self) -> bool {
        let is_other = |pin: &TaskPin| newer.tasks.iter().any(|new| new.is_about(pin) && new.digest != pin.digest);
        self.session == newer.session
            && self.effect == newer.effect
            && self.scope == newer.scope
            && self.matcher == newer.matcher
            && self.tasks.iter().any(is_other)
    }
}

/// What the grants in force say about one call.
pub enum Remembered {
    /// A person has denied it.
    Denied(GrantId),
    /// A person has approved all of it.
    Approved(GrantId),
    /// Nothing, or not all of it.
    Nothing,
}

/// Looks `request` up: a deny grant before an approving one. `asked` are the simple commands that
/// the policy asks about; approving grants for commands have to cover each of them.
pub fn look_up(grants: &[Grant], request: &Request, asked: &[&Part], now: Timestamp) -> Remembered {
    let of = |effect| grants.iter().filter(move |grant| grant.effect == effect && grant.concerns(request, now));
    let parts = || request.command.iter().flat_map(|command| &command.parts);
    let denies = |grant: &&Grant| grant.covers(request) || parts().any(|part| grant.covers_part(request, part));
    if let Some(grant) = of(GrantEffect::Deny).find(denies) {
        return Remembered::Denied(grant.id);
    }
    if let Some(grant) = of(GrantEffect::Approve).find(|grant| grant.covers(request)) {
        return Remembered::Approved(grant.id);
    }
    let covering = |part: &&Part| of(GrantEffect::Approve).find(|grant| grant.covers_part(request, part));
    match asked.iter().map(covering).collect::<Option<Vec<&Grant>>>() {
        Some(grants) => grants.first().map_or(Remembered::Nothing, |grant| Remembered::Approved(grant.id)),
        None => Remembered::Nothing,
    }
}

/// The tasks of `request` that ran something else when a person approved them for its session.
#[must_use]
pub fn changed_tasks(grants: &[Grant], request: &Request, now: Timestamp) -> Vec<ChangedTask> {
    let approved = |grant: &&Grant| grant.effect == GrantEffect::Approve && grant.concerns(request, now);
    let pins: Vec<TaskPin> = grants.iter().filter(approved).flat_map(|grant| grant.tasks.clone()).collect();
    project_task::changed_tasks(&pins, request)
}
