//! Line breaks, blank space and length that keep a person from seeing all of a text.

use super::character;
use super::finding::{FindingKind, Findings};
use super::known;
use super::segment::counted;
use super::stretch::lines;

/// Longest text that a person reads whole, in characters.
pub(super) const MAX_LENGTH: usize = 2_000;
/// Most lines in a row without anything to see.
const MAX_BLANK_LINES: usize = 2;
/// Longest run of blanks of any kind, in characters.
const MAX_GAP: usize = 8;
/// Longest run of signs without a letter or digit.
const MAX_DECORATION: usize = 200;
/// Longest single line, in characters.
const MAX_LINE: usize = 1_000;
/// Most lines that a person reads.
const MAX_LINES: usize = 50;
/// Longest run of one sign that is decoration: rulers in comments are 80 wide.
const MAX_RULER: usize = 120;
/// Most blanks on one line in gaps that are each too short to be noticed.
const MAX_BLANKS: usize = 120;

/// How a line begins that imitates a prompt, a log or a decision. Lower case.
const IMITATIONS: &[&str] = &[
    "[allow",
    "[approve",
    "[deny",
    "[yes",
    "[no]",
    "[y/n",
    "[ok]",
    "[info]",
    "[audit]",
    "(y/n",
    "action:",
    "agent:",
    "allow?",
    "allowed",
    "approval",
    "approve",
    "audit:",
    "allow always",
    "allow once",
    "always allow",
    "auto-approved",
    "command:",
    "confirmed",
    "decision:",
    "denied",
    "do you want to",
    "handraise",
    "info ",
    "permission granted",
    "policy:",
    "press ",
    "result:",
    "risk:",
    "rule:",
    "safe to ",
    "security:",
    "session:",
    "status:",
    "system:",
    "tool:",
    "trusted:",
    "user:",
    "assistant:",
    "human:",
    "verdict:",
    "verified",
    "warning:",
];
/// What a line contains that imitates buttons or the record of a decision. Lower case.
const IMITATED_PARTS: &[&str] = &[
    "[approve]",
    "[deny]",
    "[allow]",
    "[y/n]",
    "(y/n)",
    "\"decision\"",
    "\"approved\"",
    "\"verdict\"",
    "decision=",
    "approved by",
    "allowed by",
    "request approved",
    "request denied",
    "request allowed",
    "handraise:",
    "\"permissiondecision\"",
    "verdict=",
    "status=approved",
    "\"outcome\"",
];

/// Notes lines of `text` that hide or imitate something.
pub(super) fn newlines(text: &str, findings: &mut Findings<'_>) {
    let mut all = lines(text);
    let Some((_, first)) = all.next() else { return };
    let comment = is_comment(first);
    let mut count = 1;
    for (start, line) in all {
        count += 1;
        let plain = line.trim();
        if plain.is_empty() {
            continue;
        }
        if comment && names_harm(plain) && !findings.has(FindingKind::Newline) {
            findings
                .tell(FindingKind::Newline, start, || "the first line is a comment, what runs is below it".to_owned());
        } else if imitates(plain) {
            findings.tell(FindingKind::Newline, start, || format!("line {count} imitates a prompt or a record"));
        } else if does_harm(plain) && !names_harm(first) {
            findings.tell(FindingKind::Newline, start, || format!("line {count} does more than the first one shows"));
        }
    }
    if blank_lines(text) > MAX_BLANK_LINES {
        findings.note(FindingKind::Padding, 0, 1);
    }
    if count > MAX_LINES {
        findings.tell(FindingKind::Newline, 0, || counted(count, "line"));
    }
}

/// The longest run of lines without anything to see.
fn blank_lines(text: &str) -> usize {
    let unseen = |character: char| character.is_whitespace() || character::hidden(character).is_some();
    let mut run = 0;
    let mut longest = 0;
    for (_, line) in lines(text).skip(1) {
        run = if line.chars().all(unseen) { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with('#') && !line.starts_with("#!")
        || line.starts_with("// ")
        || line == ":"
        || line.starts_with(": '")
}

fn imitates(line: &str) -> bool {
    let start: String = line.chars().skip_while(|character| !character.is_ascii()).take(400).collect();
    let start = start.trim_start().to_lowercase();
    IMITATIONS.iter().any(|known| start.starts_with(known))
        || IMITATED_PARTS.iter().any(|known| start.contains(known))
        || is_dated(&start)
}

/// Begins with a date, as a log line does: `2026-01-01`.
fn is_dated(line: &str) -> bool {
    let shape: String = line
        .trim_start_matches(['[', '"'])
        .chars()
        .take(10)
        .map(|character| if character.is_ascii_digit() { '0' } else { character })
        .collect();
    shape == "0000-00-00"
}

/// One of its commands is a program that can do harm.
fn names_harm(line: &str) -> bool {
    line.split([';', '|', '&']).any(|part| harmful_program(part).is_some())
}

/// The same, and not in the way in which scripts of many lines use it all the time: to remove a file by its name, to make
/// one executable, to run a script of their own.
fn does_harm(line: &str) -> bool {
    line.split([';', '|', '&']).any(|part| harmful_program(part).is_some_and(|program| !is_everyday(program, part)))
}

fn harmful_program(command: &str) -> Option<&str> {
    let program = command.split_whitespace().next()?.rsplit('/').next()?;
    known::HARMFUL.contains(&program).then_some(program)
}

fn is_everyday(program: &str, command: &str) -> bool {
    let words = || command.split_whitespace().skip(1).take_while(|word| !word.starts_with(['>', '<']) && *word != "2>");
    let options = || words().filter(|word| word.starts_with('-'));
    let mut operands = words().filter(|word| !word.starts_with('-'));
    let is_plain = |word: &str| !word.contains(['*', '?', '[', '~', '`', '(']) && !matches!(word, "/" | "." | "..");
    match program {
        "rm" | "unlink" | "rmdir" => {
            let reaches_far = |option: &str| option.starts_with("--") || option.contains(['r', 'R']);
            !options().any(reaches_far) && operands.all(is_plain)
        }
        "chmod" => options().next().is_none() && operands.next().is_some_and(|mode| matches!(mode, "+x" | "u+x")),
        "bash" | "sh" | "zsh" | "pwsh" | "powershell" | "source" => {
            let takes_text = |option: &str| option.starts_with("--") || option.contains(['c', 'C', 's', 'i']);
            !options().any(takes_text) && operands.next().is_some_and(is_plain)
        }
        _ => false,
    }
}

/// Notes `text` when it is longer than a person reads.
pub(super) fn length(text: &str, findings: &mut Findings<'_>) {
    let characters = text.chars().count();
    let line_count = lines(text).count();
    let longest = lines(text).map(|(_, line)| line.len()).max().unwrap_or_default();
    // A long line in bytes only is measured again.
    let long_line = longest > MAX_LINE && lines(text).any(|(_, line)| line.chars().count() > MAX_LINE);
    if characters > MAX_LENGTH || long_line || line_count > 2 * MAX_LINES {
        findings.tell(FindingKind::Long, 0, || summary(characters, line_count));
    }
}

/// The size of a text, for a person.
pub(super) fn summary(characters: usize, lines: usize) -> String {
    format!("{} on {}", counted(characters, "character"), counted(lines, "line"))
}

/// Notes runs of visible signs that fill the view, and lines made mostly of short gaps.
pub(super) fn filling(text: &str, findings: &mut Findings<'_>) {
    let mut run = 0;
    let mut last = None;
    let mut blanks = 0;
    let mut inked = 0;
    let mut odd_gap = 0;
    let mut is_odd = false;
    let mut signs = 0;
    for (at, character) in text.char_indices() {
        run = if last == Some(character) { run + 1 } else { 1 };
        if run == MAX_RULER && !character.is_whitespace() && !character.is_alphanumeric() {
            findings.note(FindingKind::Padding, at, 1);
        }
        odd_gap = if character == '\n' || !character.is_whitespace() { 0 } else { odd_gap + 1 };
        is_odd = odd_gap > 0 && (is_odd || !character.is_ascii());
        if odd_gap == MAX_GAP + 1 && is_odd {
            findings.note(FindingKind::Padding, at, 1);
        }
        signs = if character == '\n' || character.is_alphanumeric() { 0 } else { signs + 1 };
        if signs == MAX_DECORATION && !character.is_whitespace() {
            findings.note(FindingKind::Padding, at, 1);
        }
        match character {
            '\n' => (blanks, inked) = (0, 0),
            ' ' | '\t' if run > 2 => blanks += 1,
            ' ' | '\t' => {}
            _ => inked += 1,
        }
        if blanks == MAX_BLANKS && inked > 0 && inked < blanks {
            blanks += 1;
            findings.note(FindingKind::Padding, at, 1);
        }
        last = Some(character);
    }
}
