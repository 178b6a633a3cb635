//! The session allowlist: what a person's answer covers beyond the call that it was given for.

mod breadth;
mod choice;
mod matcher;
mod prefixes;
mod rule_draft;
mod scope;

use std::fmt;

use jiff::Timestamp;
use uuid::Uuid;

use crate::{Request, RequestId, SessionKey};
use handraise_shell::Part;

pub use breadth::Breadth;
pub use breadth::{is_offered, matcher};
pub use choice::{GrantChoice, choices};
pub use matcher::{CommandMatcher, ExactMatcher, FolderMatcher, Matcher, ToolMatcher};
pub use rule_draft::rule_for;
pub use rule_draft::{RuleDraft, rule_draft};
pub use scope::Scope;

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

/// An entry of a session allowlist, made by a person's answer.
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
}

impl Grant {
    /// Whether it belongs to the session of `request` and is in force.
    fn concerns(&self, request: &Request, now: Timestamp) -> bool {
        request.session.as_ref() == Some(&self.session) && self.expires_at.is_none_or(|end| now < end)
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
    let denies = |grant: &&Grant| {
        grant.matcher.covers(request) || parts().any(|part| grant.matcher.covers_part(request, part, GrantEffect::Deny))
    };
    if let Some(grant) = of(GrantEffect::Deny).find(denies) {
        return Remembered::Denied(grant.id);
    }
    if let Some(grant) = of(GrantEffect::Approve).find(|grant| grant.matcher.covers(request)) {
        return Remembered::Approved(grant.id);
    }
    let covering = |part: &&Part| {
        of(GrantEffect::Approve).find(|grant| grant.matcher.covers_part(request, part, GrantEffect::Approve))
    };
    match asked.iter().map(covering).collect::<Option<Vec<&Grant>>>() {
        Some(grants) => grants.first().map_or(Remembered::Nothing, |grant| Remembered::Approved(grant.id)),
        None => Remembered::Nothing,
    }
}
