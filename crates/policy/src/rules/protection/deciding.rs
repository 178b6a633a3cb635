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
const DECIDING: &[&str] = &["approve", "deny", "answer", "watch", "connect", "disconnect", "pause", "resume", "revoke"];
/// The same, of `handraise policy`.
const DECIDING_ABOUT_POLICY: &[&str] = &["confirm", "discard"];
/// Options of `handraise serve` that hand out an approver's token, or confirm a policy.
const DECIDING_OPTIONS: &[&str] = &["--approver-token-file", "--confirm-policy"];
/// Commands of ours that run another command, which stands behind them.
const RUNNING: &[&str] = &["confine", "acp"];
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

/// It runs what it is given, or what a file holds that it names.
const RUNNERS: &[Fact] = &[Fact::RunsScripts, Fact::RunsCode, Fact::RunsInput, Fact::RunsFiles, Fact::Sources];

fn command(part: &Part, situation: &Situation<'_>) -> bool {
    let program = program(part);
    let operands = part.words.iter().skip(1);
    if program == OWN {
        let varies: Vec<bool> = operands.clone().map(|word| word.kind == WordKind::Varies).collect();
        let words: Vec<String> = operands.map(|word| word.text.to_lowercase()).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        return decides(&words) || may_decide(&words, &varies);
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
        // What it is given to read stands in its text, but for here-documents.
        || names_decision(&part.text)
        || (RUNNERS.iter().any(|fact| has_fact(program, *fact))
            && part.given.iter().chain(&part.from_files).any(|text| names_decision(text)))
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
        decides(operands) || subcommands(operands).iter().any(|(name, _)| name.starts_with('$'))
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
    subcommands(operands).into_iter().any(|(name, at)| {
        let rest = operands.get(at + 1..).unwrap_or_default();
        match name {
            "policy" => subcommands(rest).iter().any(|(name, _)| DECIDING_ABOUT_POLICY.contains(name)),
            "serve" => rest.iter().any(|word| DECIDING_OPTIONS.iter().any(|option| word.starts_with(option))),
            name if RUNNING.contains(&name) => names_decision(&rest.join(" ")),
            name => DECIDING.contains(&name),
        }
    })
}

/// Whether `handraise` may decide with these operands, of which some are only known when it runs (`varies`, one for
/// each): such a word may be none, one or several, so a sub-command and what belongs to it.
fn may_decide(operands: &[&str], varies: &[bool]) -> bool {
    let is_open = |from: usize| {
        let unknown = varies.iter().skip(from).position(|varies| *varies);
        let known = unknown.and_then(|unknown| operands.get(from..from + unknown));
        known.is_some_and(|known| !Subcommands::of(known).is_certain)
    };
    is_open(0)
        || subcommands(operands).into_iter().any(|(name, at)| match name {
            "policy" => is_open(at + 1),
            "serve" => varies.get(at + 1..).is_some_and(|rest| rest.contains(&true)),
            _ => false,
        })
}

fn subcommands<'a>(operands: &[&'a str]) -> Vec<(&'a str, usize)> {
    Subcommands::of(operands).found
}

/// What may be the sub-command, each with its place: the first operand that is no option, and before it the one behind
/// each option. That may be the option's value; which options have one is not asked, so that a new one opens no way
/// around this.
struct Subcommands<'a> {
    found: Vec<(&'a str, usize)>,
    /// The last of them stands behind no option: what follows is none.
    is_certain: bool,
}

impl<'a> Subcommands<'a> {
    fn of(operands: &[&'a str]) -> Self {
        let mut found = Vec::new();
        let mut may_be_value = false;
        for (at, word) in operands.iter().enumerate() {
            if word.starts_with('-') {
                may_be_value = !word.contains('=');
                continue;
            }
            found.push((word.trim_end_matches([';', '|', '&']), at));
            if !std::mem::take(&mut may_be_value) {
                return Self { found, is_certain: true };
            }
        }
        Self { found, is_certain: false }
    }
}
