//! Programs whose operands are tasks of the project: a pattern names the task, and a second one is not covered.
//!
//! Sources: make(1) and GNU make manual, "Overriding"; `mvn --help` (3.9) and Surefire documentation; Gradle User
//! Manual, "Command-Line Interface"; ninja(1); rake(1); just(1); Task documentation, "CLI Reference".

use super::super::command_line::Word;
use super::options;
use super::spelled::Spelled;
use crate::programs::spec::Spec;

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
