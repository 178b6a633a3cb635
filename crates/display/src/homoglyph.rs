//! Letters, signs and hosts that look like others.

use super::character::{self, ascii_look, is_east_asian, is_mark};
use super::finding::{FindingKind, Findings};
use super::known;
use super::script::{self, Writing};
use super::stretch::stretches;
use super::{host, line};

/// Longest word that is repeated in a sentence, in characters.
const MAX_QUOTED: usize = 40;

/// Notes the words of `findings`' text that mix scripts or look like other words, and its hosts.
pub(super) fn letters(text: &str, findings: &mut Findings<'_>) {
    hosts(text, findings);
    if text.is_ascii() {
        return;
    }
    let words = stretches(text, |character| character.is_alphanumeric() || is_mark(character));
    let mut imitating = Vec::new();
    let mut has_foreign = false;
    for (start, word) in words.iter().copied().filter(|(_, word)| !word.is_ascii()) {
        match script::writing(word) {
            Writing::Usual => {}
            Writing::Mixed => findings.tell(FindingKind::MixedScript, start, || line(word, MAX_QUOTED)),
            Writing::LooksLatin => imitating.push((start, word)),
            Writing::Foreign => has_foreign = true,
        }
        styled(start, word, findings);
    }
    // In a text of its own script such a word is ordinary; among others it is there to deceive.
    let among_latin = text.bytes().any(|byte| byte.is_ascii_alphabetic());
    if !has_foreign {
        for (start, word) in imitating {
            if among_latin || word.chars().nth(1).is_some() {
                findings.tell(FindingKind::Confusable, start, || looks_like(word));
                findings.tell(FindingKind::MixedScript, start, || line(word, MAX_QUOTED));
            }
        }
    }
}

/// Letters that are styled copies of ASCII ones: fullwidth, mathematical, phonetic.
fn styled(start: usize, word: &str, findings: &mut Findings<'_>) {
    let east_asian = word.chars().any(|letter| is_east_asian(letter) && !is_fullwidth(letter));
    let styled = word.chars().filter(|letter| !letter.is_ascii() && letter.is_alphanumeric()).any(|letter| {
        // The dotless i of Turkish and the long s are letters of their own.
        let ordinary = matches!(letter, 'ı' | 'ſ' | 'þ' | 'Þ')
            || is_superscript(letter)
            || matches!(letter, '①'..='⑳')
            || character::is_emoji(letter)
            || is_number_set(letter, word)
            || script::is_other_letter(letter);
        let in_place = ordinary || (east_asian && is_fullwidth(letter));
        !in_place
            && (character::is_small_capital(letter)
                || ascii_look(letter).is_some_and(|look| look.is_ascii_alphanumeric()))
    });
    if styled {
        findings.tell(FindingKind::Confusable, start, || looks_like(word));
    }
}

/// A double-struck letter alone, as mathematics writes its sets.
fn is_number_set(letter: char, word: &str) -> bool {
    matches!(letter, 'ℂ' | 'ℍ' | 'ℕ' | 'ℙ' | 'ℚ' | 'ℝ' | 'ℤ')
        && word.chars().filter(|other| other.is_alphabetic()).count() == 1
}

fn is_fullwidth(character: char) -> bool {
    matches!(character, '\u{ff01}'..='\u{ff5e}')
}

/// Superscripts, subscripts and ordinal signs are read as such.
fn is_superscript(letter: char) -> bool {
    matches!(letter, 'ª' | 'º' | '²' | '³' | '¹' | '⁰'..='₟' | 'ʰ'..='ʸ')
}

fn hosts(text: &str, findings: &mut Findings<'_>) {
    for host in host::suspicious(text) {
        let detail = || format!("the host is {}", line(&host.ascii, 80));
        findings.tell(FindingKind::Confusable, host.start, detail);
        if host.mixed {
            findings.tell(FindingKind::MixedScript, host.start, detail);
        }
    }
    for (start, decoded, writing) in host::encoded(text) {
        let detail = || {
            let reading = decoded.as_deref().map(|decoded| format!("stands for {}", line(decoded, 80)));
            format!("an xn-- name {}", reading.unwrap_or_else(|| "that stands for nothing readable".to_owned()))
        };
        findings.tell(FindingKind::Confusable, start, detail);
        if matches!(writing, Writing::Mixed | Writing::LooksLatin) {
            findings.tell(FindingKind::MixedScript, start, detail);
        }
    }
}

fn looks_like(word: &str) -> String {
    let look: String = unicode_security::skeleton(word).map(|letter| ascii_look(letter).unwrap_or(letter)).collect();
    format!("{} looks like {}", line(word, MAX_QUOTED), line(&look, MAX_QUOTED))
}

/// Notes signs that pass for signs of a command line or an address.
pub(super) fn signs(text: &str, findings: &mut Findings<'_>) {
    if text.is_ascii() {
        return;
    }
    let characters: Vec<(usize, char)> = text.char_indices().collect();
    let is_command = starts_like_a_command(text);
    let has_syntax = text.contains([';', '|', '&', '$', '`', '<', '>']);
    let is_east_asian_text = text.chars().any(is_east_asian);
    let mut quoted = false;
    for (index, (byte, character)) in characters.iter().copied().enumerate() {
        let at = |index: Option<usize>| index.and_then(|index| characters.get(index)).map(|(_, character)| *character);
        let around = Around { before: at(index.checked_sub(1)), after: at(index.checked_add(1)) };
        if character == '"' {
            quoted = !quoted;
        }
        if character.is_ascii() || character.is_alphanumeric() || character::hidden(character).is_some() {
            continue;
        }
        let suspicious = match look_of_sign(character) {
            None => false,
            Some('-') => around.begins_option() || joins_a_known_name(text, byte, character),
            Some('\'' | '"' | '`' | ',') => {
                !quoted
                    && (is_command || has_syntax)
                    && !around.is_apostrophe()
                    && !around.in_other_script(is_east_asian_text)
            }
            Some('~') if around.is_range() || (around.goes_on_in_digits() && is_east_asian_text) => false,
            Some(_) => !around.in_other_script(is_east_asian_text) || in_address(text, byte),
        };
        if suspicious {
            findings.tell(FindingKind::Confusable, byte, || {
                let look = look_of_sign(character).unwrap_or(' ');
                format!("{} ({}) looks like {look}", character, character::label(character))
            });
        }
    }
}

/// The ASCII sign that `character` may be taken for. The dashes are spelled out: the tables hold that
/// some of them are letters of other scripts.
fn look_of_sign(character: char) -> Option<char> {
    match character {
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{2e3a}' | '\u{2e3b}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' => {
            Some('-')
        }
        // The tables write a vertical line as the letter l.
        '\u{2223}' | '\u{23d0}' | '\u{ff5c}' | '\u{ffe8}' => Some('|'),
        '\u{29f8}' | '\u{2571}' | '\u{27cb}' => Some('/'),
        '\u{29f5}' | '\u{29f9}' | '\u{2216}' | '\u{2572}' => Some('\\'),
        '\u{201c}'..='\u{201f}' | '\u{2033}' => Some('"'),
        '\u{2024}' | '\u{3002}' | '\u{ff61}' => Some('.'),
        // Frames and trees as programs draw them.
        '\u{2500}'..='\u{257f}' => None,
        // Degree, middle dot, multiplication and the like look like nothing that a shell knows.
        '\u{a0}'..='\u{bf}' | '×' | '÷' => None,
        _ => ascii_look(character).filter(char::is_ascii_punctuation),
    }
}

#[derive(Clone, Copy)]
struct Around {
    before: Option<char>,
    after: Option<char>,
}

impl Around {
    fn begins_option(self) -> bool {
        let starts =
            self.before.is_none_or(|before| before.is_whitespace() || matches!(before, '-' | '"' | '\'' | '='))
                || self.before.is_some_and(|before| look_of_sign(before) == Some('-'));
        let goes_on = |after: char| after.is_ascii_lowercase() || after == '-' || look_of_sign(after) == Some('-');
        starts && self.after.is_some_and(|after| after.is_ascii_alphabetic() || goes_on(after))
    }

    fn is_apostrophe(self) -> bool {
        self.before.is_some_and(char::is_alphanumeric) && self.after.is_some_and(char::is_alphabetic)
    }

    /// Between two numbers, as the wave dash of East Asian text.
    fn is_range(self) -> bool {
        [self.before, self.after].iter().all(|side| side.is_some_and(|side| side.is_ascii_digit()))
    }

    fn goes_on_in_digits(self) -> bool {
        self.after.is_some_and(|after| after.is_ascii_digit())
    }

    /// Next to a letter of a script that has such signs of its own, or to another such sign in a text of
    /// that script.
    fn in_other_script(self, is_east_asian_text: bool) -> bool {
        let other = |character: char| {
            script::is_other_letter(character)
                || is_east_asian(character)
                || is_east_asian_text && matches!(character, '\u{3000}'..='\u{303f}' | '\u{ff01}'..='\u{ff20}')
        };
        self.before.is_some_and(other) || self.after.is_some_and(other)
    }
}

/// Longest word that is looked at around a sign, in characters to each side.
const WORD_RADIUS: usize = 60;

/// The word around `byte`, up to blanks and separators of commands.
fn token(text: &str, byte: usize) -> String {
    let (head, tail) = text.split_at_checked(byte).unwrap_or((text, ""));
    let inside =
        |character: &char| !character.is_whitespace() && !matches!(character, ';' | '|' | '&' | '"' | '\'' | '(');
    let before: Vec<char> = head.chars().rev().take(WORD_RADIUS).take_while(inside).collect();
    before.into_iter().rev().chain(tail.chars().take(WORD_RADIUS).take_while(inside)).collect()
}

fn in_address(text: &str, byte: usize) -> bool {
    token(text, byte).contains("://")
}

/// With ASCII hyphens the word at `byte` is a program, or a part of an address or a path.
fn joins_a_known_name(text: &str, byte: usize, dash: char) -> bool {
    let token = token(text, byte);
    let plain = token.replace(dash, "-");
    known::contains(known::PROGRAMS, &plain) || token.contains("://") || (token.contains('/') && !token.contains("//"))
}

/// The first word is a program, as far as can be told.
pub(super) fn starts_like_a_command(text: &str) -> bool {
    text.split_whitespace().next().is_some_and(|word| known::PROGRAMS.contains(&word))
}
