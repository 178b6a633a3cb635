//! Redirections: which files one reads or writes.

use brush_parser::ast::{IoFileRedirectKind, IoFileRedirectTarget, IoRedirect};

use super::command_line::{Input, Part, Word, WordKind};
use super::obstacle::Obstacle;
use super::values::{Value, Values};
use super::word::{Reader, decode_with};

/// Files to which writing does nothing, and descriptors under another name (null(4), bash manual
/// "Redirections").
const HARMLESS: &[&str] = &["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/stdin"];

/// Adds what `redirect` reads and writes to `part`.
///
/// # Errors
/// When it is of a kind that is not followed.
pub(super) fn apply(redirect: &IoRedirect, reader: Reader<'_>, part: &mut Part) -> Result<(), Obstacle> {
    part.input = input(redirect, reader).unwrap_or(part.input);
    match redirect {
        IoRedirect::File(_, kind, target) => file(kind, target, reader, part),
        IoRedirect::OutputAndError(word, _) => {
            write(decode_with(&word.value, reader), part);
            Ok(())
        }
        // Its text only reaches the standard input.
        IoRedirect::HereString(_, word) => {
            part.given.push(decode_with(&word.value, reader).text);
            Ok(())
        }
        IoRedirect::HereDocument(_, document) => {
            let text = match document.requires_expansion {
                true => expanded(&document.doc.value, reader.values).ok_or(Obstacle::HereDocument)?,
                false => document.doc.value.clone(),
            };
            part.given.push(text);
            Ok(())
        }
    }
}

/// What the shell makes of the text of a here-document whose delimiter is not quoted (bash manual, "Here Documents").
/// `None`: it inserts the output of a command, or a variable of which nothing is known, which may hold a secret.
fn expanded(text: &str, values: &Values) -> Option<String> {
    let mut made = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['$', '`', '\\']) {
        let (front, behind) = rest.split_at_checked(at)?;
        made.push_str(front);
        let next = behind.chars().nth(1);
        let taken = match (behind.chars().next()?, next) {
            ('\\', Some('\n')) => 2,
            ('\\', Some(next @ ('$' | '`' | '\\'))) => {
                made.push(next);
                2
            }
            ('\\', _) => {
                made.push('\\');
                1
            }
            // zsh takes `$=x`, `$+x`, `$#x`, `$^x` and `$~x` for variables (zshexpn(1), "Parameter Expansion").
            ('$', Some(next)) if next.is_ascii_whitespace() || "'\".,;:/%)]}|&".contains(next) => {
                made.push('$');
                1
            }
            ('$', Some(_)) => {
                let inside = behind.strip_prefix("${").and_then(|inside| inside.split_once('}')).map(|(name, _)| name);
                let length = |text: &str| text.find(|c: char| !is_name_character(c)).unwrap_or(text.len());
                let name = inside.or_else(|| behind.get(1..).and_then(|text| text.get(..length(text))))?;
                let Some(Value::Text(value)) = values.get(name) else { return None };
                let taken = name.len() + if inside.is_some() { 3 } else { 1 };
                // Nor do all take `$x[1]` and `$x:h` for the value and a text, or a letter like `é` for the end of the name.
                let goes_on = |next: char| matches!(next, '[' | ':') || !next.is_ascii();
                if inside.is_none() && behind.get(taken..)?.starts_with(goes_on) {
                    return None;
                }
                made.push_str(value);
                taken
            }
            _ => return None,
        };
        rest = behind.get(taken..)?;
    }
    made.push_str(rest);
    Some(made)
}

fn is_name_character(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

/// The word of `redirect` that the shell expands, as it is written.
pub(super) fn word(redirect: &IoRedirect) -> Option<&str> {
    match redirect {
        IoRedirect::File(_, _, IoFileRedirectTarget::Filename(word) | IoFileRedirectTarget::Duplicate(word))
        | IoRedirect::HereString(_, word)
        | IoRedirect::OutputAndError(word, _) => Some(&word.value),
        IoRedirect::File(..) | IoRedirect::HereDocument(..) => None,
    }
}

/// Where `redirect` takes the standard input from; `None`: it leaves that alone.
fn input(redirect: &IoRedirect, reader: Reader<'_>) -> Option<Input> {
    match redirect {
        IoRedirect::HereString(None | Some(0), _) | IoRedirect::HereDocument(None | Some(0), _) => Some(Input::Given),
        IoRedirect::File(None | Some(0), IoFileRedirectKind::Read, target) => match target {
            IoFileRedirectTarget::Filename(word) if is_file(&decode_with(&word.value, reader)) => Some(Input::Given),
            _ => Some(Input::Unknown),
        },
        // `0<&3`, `<>file`: whatever that is.
        IoRedirect::File(None | Some(0), IoFileRedirectKind::DuplicateInput | IoFileRedirectKind::ReadAndWrite, _) => {
            Some(Input::Unknown)
        }
        _ => None,
    }
}

/// Whether `word` is the name of a file that has an end; of most under `/dev` and `/proc` nobody knows.
fn is_file(word: &Word) -> bool {
    let path = word.text.as_str();
    word.kind != WordKind::Varies && (path == "/dev/null" || !(path.starts_with("/dev/") || path.starts_with("/proc/")))
}

fn file(
    kind: &IoFileRedirectKind,
    target: &IoFileRedirectTarget,
    reader: Reader<'_>,
    part: &mut Part,
) -> Result<(), Obstacle> {
    let word = match target {
        IoFileRedirectTarget::Fd(_) => return Ok(()),
        IoFileRedirectTarget::ProcessSubstitution(..) => return Err(Obstacle::ProcessSubstitution),
        IoFileRedirectTarget::Filename(word) | IoFileRedirectTarget::Duplicate(word) => {
            decode_with(&word.value, reader)
        }
    };
    match kind {
        IoFileRedirectKind::DuplicateInput if is_descriptor(&word) => {}
        IoFileRedirectKind::DuplicateOutput if is_descriptor(&word) => {}
        IoFileRedirectKind::DuplicateInput => return Err(Obstacle::Redirection),
        // bash opens a connection for these (manual, "Redirections"), whatever the direction.
        IoFileRedirectKind::Read if is_network(&word) => write(word, part),
        IoFileRedirectKind::Read => read(word, part),
        IoFileRedirectKind::ReadAndWrite => {
            read(word.clone(), part);
            write(word, part);
        }
        IoFileRedirectKind::Write
        | IoFileRedirectKind::Append
        | IoFileRedirectKind::Clobber
        | IoFileRedirectKind::DuplicateOutput => write(word, part),
    }
    Ok(())
}

fn write(word: Word, part: &mut Part) {
    if word.kind != WordKind::Exact || !HARMLESS.contains(&word.text.as_str()) {
        part.writes.push(word);
    }
}

fn read(word: Word, part: &mut Part) {
    if word.kind != WordKind::Exact || !HARMLESS.contains(&word.text.as_str()) {
        part.reads.push(word);
    }
}

fn is_network(word: &Word) -> bool {
    word.text.starts_with("/dev/tcp/") || word.text.starts_with("/dev/udp/")
}

/// `1`, `-`, `1-` after `>&` or `<&`.
fn is_descriptor(word: &Word) -> bool {
    let digits = word.text.strip_suffix('-').unwrap_or(&word.text);
    word.kind == WordKind::Exact && !word.text.is_empty() && digits.chars().all(|character| character.is_ascii_digit())
}
