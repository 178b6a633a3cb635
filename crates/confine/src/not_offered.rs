//! Where no walls are offered.

use crate::{Call, ConfineError, Report};

/// Runs nothing.
///
/// # Errors
/// Always: there are no walls on this system.
pub fn run(_call: &Call) -> Result<Report, ConfineError> {
    Err(ConfineError::NotHeld { need: "walls are offered on Linux".to_owned(), code: "not_offered" })
}
