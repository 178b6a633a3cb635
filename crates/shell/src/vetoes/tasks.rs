//! Programs whose operands are tasks of the project: a pattern names the task, and a second one is not covered.
//!
//! Sources: make(1) and GNU make manual, "Overriding"; `mvn --help` (3.9) and Surefire documentation; Gradle User
//! Manual, "Command-Line Interface"; ninja(1); rake(1); just(1); Task documentation, "CLI Reference".

use super::super::command_line::{Word, WordKind};
use super::Spelled;
use super::options;
use crate::programs::spec::Spec;

/// Variables of a makefile that only say how much is told or how many run, when their value is a number or a switch.
const SETTINGS: &str = "V VERBOSE DEBUG QUIET TRACE CI RACE COVERAGE SHORT COUNT JOBS PARALLEL NO_COLOR COLOR RELEASE";

/// Why a command of a runner of tasks is not covered.
pub(super) fn refusal(name: &str, spec: &Spec, words: &[Word], spelled: &[Spelled]) -> Option<String> {
    let is_task = |(word, spelled): (&Word, &Spelled)| {
        *spelled == Spelled::Out && !word.text.starts_with('-') && !word.text.contains('=')
    };
    if !words.iter().zip(spelled).skip(1).any(is_task) {
        return Some(format!("`{name}` runs what the project's files say, so a pattern has to name the task"));
    }
    options::check(name, spec, words, spelled, 1)
}

/// A number, the value of the option in front, or a setting that only says how much is told.
pub(super) fn is_harmless_operand(word: &Word) -> bool {
    let digits = |text: &str| (1..=4).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    if word.kind != WordKind::Exact {
        return false;
    }
    match word.text.split_once('=') {
        None => digits(&word.text),
        Some((name, value)) => {
            SETTINGS.split_ascii_whitespace().any(|listed| listed == name)
                && (digits(value) || ["true", "false", "yes", "no", "on", "off"].contains(&value))
        }
    }
}
