//! Why the policy stays as it is, for whoever wanted to change it.

use handraise_policy::rules::Diagnostic;
use handraise_protocol::{Problem, ProblemCode};

use crate::policy_file::PolicyWriteError;

/// The policy would be one that cannot be used.
pub(super) fn invalid(diagnostics: Vec<Diagnostic>) -> Problem {
    let detail = match diagnostics.first() {
        Some(first) => format!("The policy cannot be used, so nothing has changed. {first}"),
        None => "The policy cannot be used, so nothing has changed.".to_owned(),
    };
    let diagnostics = diagnostics.into_iter().map(Into::into).collect();
    Problem { diagnostics, ..Problem::new(ProblemCode::PolicyInvalid, detail) }
}

/// The disk does not answer.
pub(super) fn silent() -> Problem {
    let what = "The policy file does not answer, so nothing has changed. Look at the disk that it is on.";
    Problem::new(ProblemCode::Internal, what)
}

/// The system gives no thread, or the one that it gave has failed.
pub(super) fn not_tried() -> Problem {
    Problem::new(ProblemCode::Internal, "The policy could not be looked at, so nothing has changed.")
}

/// It could not be written.
pub(super) fn unwritten(error: PolicyWriteError) -> Problem {
    match error {
        PolicyWriteError::Edit(error) => Problem::new(ProblemCode::InvalidRequest, error.to_string()),
        PolicyWriteError::Refused(refused) => invalid(refused.diagnostics),
        PolicyWriteError::File(error) => Problem::new(
            ProblemCode::Internal,
            format!("The policy cannot be written, so nothing has changed: {error}"),
        ),
    }
}
