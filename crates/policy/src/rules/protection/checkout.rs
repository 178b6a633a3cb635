//! Settings of agents that git takes from a commit: nobody writes them, and still they are there.

use super::guard::Guard;
use crate::checkout::checkout_question;
use crate::facts::CheckoutAnswer;
use crate::path::Protection;
use crate::rules::action::Action;
use crate::rules::situation::{Situation, Target};

const UNKNOWN: &str = "Git may bring settings of agents (hooks, skills, commands) with what it checks out. That cannot be told here, \
                       so a person is asked.";

/// What is said about a command of git that brings such settings.
pub(super) fn guard(situation: &Situation<'_>) -> Option<Guard> {
    let Target::Command(part) = situation.target else { return None };
    match situation.call.request.checkouts.get(&checkout_question(part)?)? {
        CheckoutAnswer::Settings(settings) => (!settings.is_empty()).then(|| Protection::Agent.guard()),
        CheckoutAnswer::Unknown => {
            Some(Guard { action: Action::Ask, protection: Protection::Agent, says: Some(UNKNOWN) })
        }
    }
}
