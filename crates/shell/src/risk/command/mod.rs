//! Command lines: what they can do.
//!
//! Two lists, and everything that is on neither is writing: [`read_only`] is as strict as an allow
//! rule, because by default such a command is not asked about; [`destructive`] takes a command for
//! dangerous in doubt, because a level that is too high only costs a question.

mod among;
mod awk;
mod carries;
mod credential_search;
mod database_task;
mod destructive;
mod downloaded;
mod fetching;
mod github_api;
mod hazard;
mod invocation;
mod look_forms;
mod network;
mod printing;
mod python_text;
mod read_only;
mod texts;
mod untold;
mod unwatched;
mod writing;

use std::collections::HashSet;

use super::classification::Classification;
use super::level::RiskLevel;
use crate::command_line::{CommandLine, Part, Word, WordKind};
use crate::programs;
use crate::programs::class::Class;
use crate::programs::fact::Fact;
pub use among::hazard_among;
pub use hazard::{Hazard, handed_on, hazard, may_run_text};
use invocation::Invocation;
pub(crate) use network::{publishes, talks_out};
pub use printing::prints_credentials;
pub(crate) use read_only::begins_to_look;
pub use texts::writing_texts;

/// Different commands of a text that was not understood that are looked at, each for itself.
const MAX_COMMANDS: usize = 512;
/// Words of one of them that are looked at.
const MAX_WORDS: usize = 128;
/// What one simple command can do.
#[must_use]
pub fn classify_part(part: &Part) -> Classification {
    // `git -C DIR push` is told as `git push`.
    if let Some(settled) = part.settled() {
        return classify_part(&settled);
    }
    let network = network::talks(part);
    let looks = read_only::check(part);
    // `cargo publish --help` publishes nothing.
    let only_helps = looks.is_ok() && read_only::asks_for_help(part);
    if !only_helps && let Some(because) = destructive::reason(part) {
        return Classification { network, ..Classification::new(RiskLevel::Destructive, because) };
    }
    let by_root =
        part.wrappers.iter().find(|wrapper| programs::of(invocation::base_name(wrapper)).is(Fact::AsAnotherUser));
    let found = match looks {
        Ok(_) => Classification::new(RiskLevel::ReadOnly, format!("`{}` changes nothing", shown(part))),
        Err(_) if by_root.is_some() => {
            let wrapper = by_root.map_or("", String::as_str);
            Classification::new(RiskLevel::Write, format!("`{wrapper}` runs it with the rights of another user"))
        }
        Err(reason) => {
            let writes = part.writes.is_empty() && part.assignments.is_empty();
            let known = Invocation::of(part).filter(|_| writes).and_then(|invocation| writing::reason(&invocation));
            let prints = prints_credentials(part).map(|printing| printing.clause());
            Classification::new(RiskLevel::Write, prints.or(known).unwrap_or(reason))
        }
    };
    Classification { network, ..found }
}

/// Whether `part`, which only looks, shows what files hold; `None`: it is not known only to look.
pub fn shows_contents(part: &Part) -> Option<bool> {
    read_only::check(part).ok()
}

/// Whether `name` is one of the blank-separated `list`.
pub fn names_listed(list: &str, name: &str) -> bool {
    invocation::names(list, name)
}

/// What a command line can do: the highest of its parts. One that was not understood is at least
/// writing, and destructive when any part that could be found is.
#[must_use]
pub fn classify_command(line: &CommandLine) -> Classification {
    let mut parts = line.parts.iter();
    let first = parts.next().map(classify_part);
    let of_parts = parts.map(classify_part).fold(first, |highest, found| match highest {
        Some(highest) => Some(highest.or_higher(found)),
        None => Some(found),
    });
    let together = classify_together(&line.parts);
    let not_understood = line.obstacle.as_ref().map(|obstacle| {
        let found = Classification::new(RiskLevel::Write, format!("nobody can tell what it runs: {obstacle}"));
        if line.parts.is_empty() { found.or_higher(of_text(&line.text)) } else { found }
    });
    let known: Option<Classification> =
        [of_parts, together, not_understood].into_iter().flatten().reduce(Classification::or_higher);
    known.unwrap_or_else(|| Classification::new(RiskLevel::Write, "it runs no program"))
}

/// What the parts of a command line do together that none does alone, as `curl … | sh`.
#[must_use]
pub fn classify_together(parts: &[Part]) -> Option<Classification> {
    of_several(parts).map(|because| Classification::new(RiskLevel::Destructive, because))
}

fn of_several(parts: &[Part]) -> Option<String> {
    if parts.len() < 2 {
        return None;
    }
    let brings_text = parts.iter().any(network::is_source);
    let runs = parts.iter().find(|part| runs_input(part, brings_text));
    if let Some(shell) = runs.and_then(Part::program) {
        return Some(format!("`{shell}` runs what another command gives it, which nobody has seen"));
    }
    if let Some(program) = downloaded::runs_downloaded(parts) {
        return Some(format!("`{program}` runs what another command has fetched, which nobody has seen"));
    }
    if !parts.iter().any(destructive::is_sql_client) {
        return None;
    }
    let says = |part: &&Part| part.program().is_some_and(|program| programs::of(program).is(Fact::PrintsWords));
    let mut words = parts.iter().filter(says).flat_map(|part| part.words.iter().skip(1));
    words.find_map(|word| destructive::destructive_sql(&word.text))
}

/// Whether `part` is a shell or an interpreter that runs what it gets from the part before it.
fn runs_input(part: &Part, brings_text: bool) -> bool {
    let Some(invocation) = Invocation::of(part) else { return false };
    let program = programs::of(invocation.program);
    let is_shell = program.is(Fact::RunsScripts);
    let known = is_shell || program.is(Fact::RunsCode);
    let reads_itself = invocation.operands().all(|word| word == "-" || word == "/dev/stdin" || word == "--")
        && !invocation
            .words
            .iter()
            .any(|word| word.starts_with("--") && word.len() > 2 || *word == "-V" || *word == "-v")
        || invocation.words.contains(&"-s");
    if is_shell && hazard::only_checks(&part.words) {
        return false;
    }
    let from_document = part.text.contains("<<") || !part.reads.is_empty();
    if known && reads_itself && !from_document && (is_shell || brings_text) {
        return true;
    }
    brings_text && invocation.varies && (known || program.is(Fact::RunsWords))
}

/// A line of which nothing is understood: whether something destructive stands where a command
/// could. Cut at every character that could separate commands, so that quotes hide nothing.
fn of_text(text: &str) -> Classification {
    let is_separator = |c: char| ";|&\n\r(){}`".contains(c);
    let mut seen = HashSet::new();
    let commands = text.split(is_separator).map(str::trim).filter(|command| command.len() > 1);
    for command in commands {
        if !seen.insert(command) {
            continue;
        }
        if seen.len() > MAX_COMMANDS {
            let because = "it holds more commands than are looked at".to_owned();
            return Classification::new(RiskLevel::Destructive, because);
        }
        let words = command.split_whitespace().take(MAX_WORDS).map(|word| Word {
            text: word.trim_matches(['"', '\'']).to_owned(),
            kind: if word.contains(['*', '$']) { WordKind::Varies } else { WordKind::Exact },
        });
        let part = Part { words: words.collect(), text: command.to_owned(), ..Part::default() };
        if let Some(because) = destructive::reason(&part) {
            return Classification::new(RiskLevel::Destructive, because);
        }
    }
    Classification::new(RiskLevel::Write, "nobody can tell what it runs")
}

/// Program and sub-command, short enough for a sentence.
fn shown(part: &Part) -> String {
    let plain =
        |word: &&Word| !word.text.starts_with('-') && word.text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let program = part.program().map(invocation::base_name).unwrap_or_default();
    let has_commands = matches!(programs::of(program).class, Class::SubCommands(_) | Class::HarmlessCommands(_));
    let command = part.words.get(1).filter(plain).filter(|_| has_commands);
    command.map_or_else(|| program.to_owned(), |command| format!("{program} {}", command.text))
}
