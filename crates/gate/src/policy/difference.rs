//! What a change of the policy does.

use super::{Policy, PolicyDifference};

/// What the step from `old` to `new` changes, and whether anything may pass that did not before.
#[must_use]
pub fn difference(old: &Policy, new: &Policy) -> PolicyDifference {
    PolicyDifference { loosens: old != new, ..PolicyDifference::default() }
}
