//! Calls that would decide in the person's place: Handraise's own deciding commands, however they get to run.
//!
//! What is read is the text of the call. A script that is written first and run later, or a name that is made up
//! while the command runs, does not show; what runs then is refused by the server, which looks at the process.

use super::guard::Guard;
use crate::path::Protection;
use crate::path::argument_texts;
use crate::rules::action::Action;
use crate::rules::situation::{Situation, Target};
use crate::{Subject, ToolClass};
use handraise_shell::{Fact, Part, WordKind, has_fact};

const OWN: &str = "handraise";
/// Commands of ours that decide, or change who is watched or what is allowed.
const DECIDING: &[&str] = &["approve", "deny", "answer", "watch", "connect", "disconnect"];
/// The same, of `handraise policy`.
const DECIDING_ABOUT_POLICY: &[&str] = &["confirm", "discard"];
/// Options of `handraise serve` that hand out an approver's token, or confirm a policy.
const DECIDING_OPTIONS: &[&str] = &["--approver-token-file", "--confirm-policy"];
/// Our options that have a value of their own.
const WITH_VALUE: &[&str] = &["--config-dir", "--data-dir", "--runtime-dir", "--agents-home"];
/// Places of the API where something is decided; both pieces in this order.
const ROUTES: &[(&str, &str)] = &[
    ("/v1/approvals", "/decision"),
    ("/v1/approvals", "/reveal"),
    ("/v1/questions", "/answer"),
    ("/v1/policy", "/confirm"),
    ("/v1/policy", "/discard"),
    ("/v1/credentials", ""),
    ("handraise.sock", ""),
];

/// What is said about a part of a call that would decide.
pub(super) fn guard(situation: &Situation<'_>) -> Option<Guard> {
    let request = situation.call.request;
    let action = match situation.target {
        Target::Command(part) => command(part, situation).then_some(Action::Deny),
        Target::Line(Some(line)) => names_decision(&line.text).then_some(Action::Deny),
        Target::Line(None) => match &request.subject {
            Subject::Command { line } => names_decision(line),
            _ => argument_texts(&request.arguments).into_iter().any(names_decision),
        }
        .then_some(Action::Deny),
        // What a tool makes of its arguments is its own business; a file is not run by being written.
        Target::Call if matches!(request.class, ToolClass::FileRead | ToolClass::FileWrite) => None,
        Target::Call => argument_texts(&request.arguments).into_iter().any(names_decision).then_some(Action::Ask),
        Target::Write(..) | Target::Read(..) => None,
    };
    action.map(|action| Guard { action, protection: Protection::Decision, says: None })
}

fn command(part: &Part, situation: &Situation<'_>) -> bool {
    let program = program(part);
    let operands = part.words.iter().skip(1);
    if program == OWN {
        let is_unknown = operands.clone().any(|word| word.kind == WordKind::Varies);
        let words: Vec<String> = operands.map(|word| word.text.to_lowercase()).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        return decides(&words) || (is_unknown && subcommand(&words).is_none_or(|(name, _)| !is_plain(name)));
    }
    if has_fact(program, Fact::ShowsText) && part.writes.is_empty() && only_reads(situation) {
        return false;
    }
    let text = part.words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
    let squashed = || -> String { text.chars().filter(|c| !c.is_whitespace() && *c != '\'' && *c != '"').collect() };
    let typed = || {
        let typed = squashed().to_lowercase();
        typed.contains(OWN) && DECIDING.iter().chain(DECIDING_ABOUT_POLICY).any(|verb| typed.contains(verb))
    };
    let on_bus = || {
        let text = text.to_lowercase();
        text.contains(OWN) || text.contains("actioninvoked") || (text.contains("dbusmenu") && text.contains("event"))
    };
    names_decision(&text)
        // What it is given to read stands in its text.
        || names_decision(&part.text)
        || (has_fact(program, Fact::Types) && typed())
        || (has_fact(program, Fact::SpeaksOnBus) && on_bus())
        // The program is only known when it runs: the rest of the line may say what it is.
        || (part.program().is_none() && situation.call.request.command.as_ref().is_some_and(|line| loosely(&line.text)))
}

/// Whether every command of the line does nothing but show, store or look for text.
fn only_reads(situation: &Situation<'_>) -> bool {
    let parts = situation.call.request.command.iter().flat_map(|line| &line.parts);
    let mut parts = parts.map(|part| part.wrappers.is_empty() && has_fact(program(part), Fact::ShowsText));
    parts.all(|reads| reads)
}

fn program(part: &Part) -> &str {
    part.program().and_then(|program| program.rsplit('/').next()).unwrap_or("")
}

/// Whether `text`, in which quotes count for nothing, runs or asks for something that decides.
fn names_decision(text: &str) -> bool {
    let plain: String =
        text.chars().filter(|c| !matches!(c, '\'' | '"' | '\\' | '`')).collect::<String>().to_lowercase();
    let on_route = |(first, second): &(&str, &str)| {
        plain.find(first).is_some_and(|start| plain.get(start..).is_some_and(|rest| rest.contains(second)))
    };
    if ROUTES.iter().any(on_route) {
        return true;
    }
    let words: Vec<&str> = plain.split(is_separator).filter(|word| !word.is_empty()).collect();
    let mut commands = words.iter().enumerate().filter(|(_, word)| is_own(word));
    commands.any(|(at, _)| {
        let operands = words.get(at + 1..).unwrap_or_default();
        decides(operands) || subcommand(operands).is_some_and(|(name, _)| name.starts_with('$'))
    }) || (plain.contains("=handraise") && loosely(&plain))
}

/// Whether `text` has our name and, somewhere behind it, a word that decides.
fn loosely(text: &str) -> bool {
    let text = text.to_lowercase();
    let Some((_, rest)) = text.split_once(OWN) else { return false };
    rest.split(|c: char| !(c.is_alphanumeric() || c == '-')).any(|word| DECIDING.contains(&word))
}

fn is_separator(character: char) -> bool {
    character.is_whitespace() || matches!(character, ',' | '(' | ')' | '[' | ']' | '{' | '}' | '<' | '>' | '=')
}

fn is_own(word: &str) -> bool {
    let name = word.rsplit('/').next().unwrap_or(word);
    name.trim_start_matches(['!', '&', ';', '|']) == OWN || name == "handraise.exe"
}

/// Whether `handraise` decides with these operands.
fn decides(operands: &[&str]) -> bool {
    let Some((name, rest)) = subcommand(operands) else { return false };
    match name {
        "policy" => subcommand(rest).is_some_and(|(name, _)| DECIDING_ABOUT_POLICY.contains(&name)),
        "serve" => rest.iter().any(|word| DECIDING_OPTIONS.iter().any(|option| word.starts_with(option))),
        name => DECIDING.contains(&name),
    }
}

/// The first operand that is no option, and what follows.
fn subcommand<'a, 'b>(operands: &'b [&'a str]) -> Option<(&'a str, &'b [&'a str])> {
    let mut rest = operands;
    while let Some((word, after)) = rest.split_first() {
        let clean = word.trim_end_matches([';', '|', '&']);
        if WITH_VALUE.contains(&clean) {
            rest = after.get(1..).unwrap_or_default();
        } else if word.starts_with('-') {
            rest = after;
        } else {
            return Some((clean, after));
        }
    }
    None
}

fn is_plain(name: &str) -> bool {
    name.chars().all(|character| character.is_ascii_lowercase() || character == '-')
}
