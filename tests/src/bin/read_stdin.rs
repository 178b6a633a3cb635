//! The least that a hook can be: reads its message and ends. What `handraise-hook` is measured by.

use std::io::{Read, stdin};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut message = Vec::new();
    match stdin().lock().read_to_end(&mut message) {
        Ok(_) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
