//! Limits and approvers for the tests of this crate.

pub(crate) use handraise_policy::test_support::{at, id, in_session, request, session_key};

use super::{Approver, Limits};
use crate::lifecycle::RegistryLimits;

/// The usual limits, with these of requests.
pub(crate) fn requests_limited(requests: RegistryLimits) -> Limits {
    Limits { requests, ..Limits::default() }
}

/// A person at the prompt window.
pub(crate) fn person() -> Approver {
    Approver::in_process("prompt window")
}
