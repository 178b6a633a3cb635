//! A literal that is written into a program that reads a secret from its standard input: `echo SECRET | sudo -S ls`,
//! `docker login --password-stdin <<< SECRET`. The same in `PASSWORD=$(echo SECRET)`.

use super::super::key_names::KeyNames;
use super::super::look_alikes::{self, ValueSyntax};
use super::super::secrecy::Strength;
use super::super::span::{Rank, Span};
use super::readers::{FILTERS, Reads, program, read_by};
use super::shell_words::{self, Word};
use super::view::View;

/// Commands that print their words.
const PRINTERS: &[&str] = &["echo", "printf", "print", "yes", "Write-Output"];

/// Most commands of a pipeline that are looked at behind the one that prints.
const MAX_PIPELINE: usize = 4;

/// Most blanks and line breaks behind `|`, in bytes.
const MAX_GAP: usize = 64;

/// Longest here-document that is looked at, in bytes.
const MAX_DOCUMENT: usize = 1024;

/// Longest rest of a group of commands, in bytes: `(echo SECRET; echo SECRET) | passwd`.
const MAX_GROUP: usize = 256;

pub(super) fn find(view: &View<'_>, names: &KeyNames, spans: &mut Vec<Span<'_>>) {
    for printer in PRINTERS {
        let mut from = 0;
        for (place, _) in view.text.match_indices(printer) {
            let begins = !view.before(place).is_ascii_alphanumeric() && !b"_-.".contains(&view.before(place));
            let behind = place + printer.len();
            if place >= from && begins && matches!(view.byte(behind), b' ' | b'\t') {
                let is_named = is_for_secret(view, place, names);
                from = printed(view, behind, *printer == "printf", is_named, spans).unwrap_or(from);
            }
        }
    }
    // PowerShell prints a text that stands alone.
    for (place, _) in view.text.match_indices(['"', '\'']) {
        let may_begin = matches!(view.before(place), 0 | b'\n' | b'\r' | b' ' | b'\t');
        if may_begin && view.line_before(place).trim().is_empty() {
            let words = shell_words::words(view, place);
            if let ([word], end) = (words.0.as_slice(), words.1)
                && let Some(reads) = reader_behind(view, end)
            {
                hide(view, *word, reads, spans);
            }
        }
    }
    for (place, _) in view.text.match_indices("<<") {
        if view.before(place) != b'<' {
            written_here(view, place + "<<".len(), spans);
        }
    }
}

/// Whether what is printed at `place` becomes the value of a name or of an option: `PASSWORD=$(echo …)`,
/// `--passphrase-file <(echo …)`, `--password-command 'echo …'`.
fn is_for_secret(view: &View<'_>, place: usize, names: &KeyNames) -> bool {
    let head = view.line_before(place).trim_end();
    let opened = ["$(", "<("].iter().find_map(|open| head.strip_suffix(open));
    let head = opened.or_else(|| {
        head.strip_suffix(['"', '\'']).filter(|head| head.trim_end_matches(['=', ' ']).ends_with("-command"))
    });
    let Some(head) = head else { return false };
    let head = head.trim_end_matches(['"', '\'', '\\', ' ', '=', ':', '@']);
    let name = head.rsplit(|character: char| !(character.is_alphanumeric() || "_-.".contains(character))).next();
    let name = name.unwrap_or_default().trim_start_matches('-');
    let name = ["-file", "-fd", "-command"].iter().find_map(|about| name.strip_suffix(about)).unwrap_or(name);
    let says = names.secrecy(name).is_some_and(|secrecy| secrecy.strength == Strength::Strong);
    says || name == "f" && head.contains("sshpass")
}

/// Hides the words that a command prints from `from` on, when they become a secret or the next command of the pipeline
/// reads one. Returns where they end then.
fn printed(view: &View<'_>, from: usize, is_printf: bool, is_named: bool, spans: &mut Vec<Span<'_>>) -> Option<usize> {
    let (words, end) = shell_words::words(view, from);
    let named = is_named.then_some(Reads::Secret);
    let reads = named.or_else(|| reader_behind(view, group_end(view, from, end)))?;
    let is_option = |word: &&Word| view.byte(word.start) == b'-' && word.end - word.start <= 3;
    let options = words.iter().take_while(is_option).count();
    let words = words.get(options..).unwrap_or_default();
    let (format, arguments) = words.split_first().map_or(("", &[][..]), |(first, rest)| (first.text(view), rest));
    let is_format = is_printf && format.contains('%') && !arguments.is_empty();
    // `printf '%s:%s' ada SECRET`: the user was printed before.
    let is_divided = is_format && reads == Reads::Login && !arguments.iter().any(|word| word.text(view).contains(':'));
    if is_divided {
        arguments.last().into_iter().for_each(|word| hide(view, *word, Reads::Secret, spans));
        return Some(end);
    }
    for word in if is_format { arguments } else { words } {
        hide(view, *word, reads, spans);
    }
    Some(end)
}

/// Where the group of commands ends that the command from `from` to `end` stands in; `end` without one.
fn group_end(view: &View<'_>, from: usize, end: usize) -> usize {
    if !matches!(view.byte(end), b';' | b')' | b'&') || !view.line_before(from).contains(['(', '{']) {
        return end;
    }
    let close = view.until_within(end, MAX_GROUP, |byte| matches!(byte, b')' | b'}' | b'|' | b'\n'));
    if matches!(view.byte(close), b')' | b'}') { view.skip_blanks(close + 1) } else { end }
}

/// What the pipeline from `end` on reads, where it goes on there.
fn reader_behind(view: &View<'_>, mut end: usize) -> Option<Reads> {
    for _ in 0..MAX_PIPELINE {
        if view.byte(end) != b'|' || view.byte(end + 1) == b'|' {
            return None;
        }
        let start = view.until_within(end + 1, MAX_GAP, |byte| !(byte.is_ascii_whitespace() || b"\\&".contains(&byte)));
        let (words, next) = shell_words::words(view, start);
        let words: Vec<&str> = words.iter().map(|word| word.text(view)).collect();
        if let Some(reads) = read_by(&words) {
            return Some(reads);
        }
        if !FILTERS.contains(&program(words.first()?)) {
            return None;
        }
        end = next;
    }
    None
}

/// `<<< SECRET`, and the lines of a here-document (POSIX shell, 2.7.4).
fn written_here(view: &View<'_>, from: usize, spans: &mut Vec<Span<'_>>) {
    let head = view.line_before(from - "<<".len());
    let command = head.rsplit(['|', ';', '&', '(', '`', '"', '\'', '$']).next().unwrap_or_default();
    let command: Vec<&str> = command.split_whitespace().collect();
    if view.byte(from) == b'<' {
        let Some(reads) = read_by(&command) else { return };
        let (words, _) = shell_words::words(view, from + 1);
        words.first().into_iter().for_each(|word| hide(view, *word, reads, spans));
        return;
    }
    let (words, end) = shell_words::words(view, view.until_within(from, 1, |byte| byte != b'-'));
    let Some(tag) = words.first().map(|word| word.text(view)).filter(|tag| !tag.is_empty()) else { return };
    let Some(reads) = read_by(&command).or_else(|| reader_behind(view, end)) else { return };
    let mut place = view.line_end(from) + 1;
    let stop = place + MAX_DOCUMENT;
    while place < view.length().min(stop) {
        let end = view.line_end(place);
        if view.slice(place..end).trim() == tag {
            break;
        }
        hide(view, Word { start: place, end }, reads, spans);
        place = end + 1;
    }
}

/// Hides what is secret in a word, line by line.
fn hide(view: &View<'_>, word: Word, reads: Reads, spans: &mut Vec<Span<'_>>) {
    let content = word.content(view);
    let mut place = content.start;
    for line in view.slice(content).split("\\n") {
        let login = line.find(':').map_or(line.len(), |colon| colon + 1);
        let from = if reads == Reads::Login { login } else { 0 };
        let secret = line.get(from..).unwrap_or_default();
        // `y` answers a question.
        if secret.trim().len() > 1 && look_alikes::is_secret(secret, Strength::Strong, ValueSyntax::Quoted) {
            spans.push(Span::new(place + from..place + line.trim_end().len(), "password", Rank::Structure));
        }
        place += line.len() + "\\n".len();
    }
}
