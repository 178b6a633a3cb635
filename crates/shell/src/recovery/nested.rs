//! The commands of a text whose quotes and brackets are taken at their word: what `$(…)` and backticks
//! stand for is a part of the word that they are in, and their commands are commands of their own.
//!
//! Only here a word is known to be a program that nobody can name, as in `$(echo rm) x` and
//! `r$(:)m x`.

use super::{MAX_LENGTH, MAX_PARTS, MAX_WORDS};

/// Brackets in brackets beyond this are taken for no brackets.
const MAX_DEPTH: usize = 32;

/// A command that is being read.
#[derive(Default)]
struct Level {
    words: Vec<String>,
    word: Option<String>,
    /// The next word is the target of a redirection.
    target: bool,
    quote: Option<char>,
    /// What ends it: `)` or a backtick.
    end: Option<char>,
}

impl Level {
    fn push(&mut self, character: char) {
        self.word.get_or_insert_default().push(character);
    }

    fn end_word(&mut self) {
        let Some(word) = self.word.take() else { return };
        if std::mem::take(&mut self.target) {
            return;
        }
        if self.words.len() < MAX_WORDS {
            self.words.push(word);
        }
    }
}

/// The words of every command in `text`. What varies has a `$` in its word.
pub(super) fn commands(text: &str) -> Vec<Vec<String>> {
    let mut done: Vec<Vec<String>> = Vec::new();
    let mut outer: Vec<Level> = Vec::new();
    let mut level = Level::default();
    let mut characters = text.chars().take(MAX_LENGTH).peekable();
    while let Some(character) = characters.next() {
        let next = characters.peek().copied();
        match (character, level.quote) {
            ('\'', Some('\'')) | ('"', Some('"')) => level.quote = None,
            (_, Some('\'')) => level.push(character),
            ('\\', _) => match characters.next() {
                Some('\n') | None => {}
                Some(escaped) => level.push(escaped),
            },
            ('$' | '<' | '>' | '=', quote)
                if next == Some('(') && outer.len() < MAX_DEPTH && (character == '$' || quote.is_none()) =>
            {
                characters.next();
                level.push('$');
                let inner = Level { end: Some(')'), ..Level::default() };
                outer.push(std::mem::replace(&mut level, inner));
            }
            ('`', _) if level.end == Some('`') => leave(&mut level, &mut outer, &mut done),
            ('`', _) if outer.len() < MAX_DEPTH => {
                level.push('$');
                let inner = Level { end: Some('`'), ..Level::default() };
                outer.push(std::mem::replace(&mut level, inner));
            }
            ('\'', None) | ('"', None) => {
                level.word.get_or_insert_default();
                level.quote = Some(character);
            }
            (_, Some(_)) => level.push(character),
            (')', None) if level.end == Some(')') => leave(&mut level, &mut outer, &mut done),
            (';' | '|' | '\n' | '(' | ')', None) => end_command(&mut level, &mut done),
            ('&', None) if next == Some('>') => level.end_word(),
            ('&', None) => end_command(&mut level, &mut done),
            ('<' | '>', None) => {
                level.end_word();
                while characters.next_if(|next| matches!(next, '<' | '>' | '&' | '|' | '!' | '-')).is_some() {}
                level.target = true;
            }
            (' ' | '\t', None) => level.end_word(),
            _ => level.push(character),
        }
    }
    while !outer.is_empty() {
        leave(&mut level, &mut outer, &mut done);
    }
    end_command(&mut level, &mut done);
    done
}

fn end_command(level: &mut Level, done: &mut Vec<Vec<String>>) {
    level.end_word();
    level.target = false;
    let words = std::mem::take(&mut level.words);
    if !words.is_empty() && done.len() <= 4 * MAX_PARTS {
        done.push(words);
    }
}

fn leave(level: &mut Level, outer: &mut Vec<Level>, done: &mut Vec<Vec<String>>) {
    end_command(level, done);
    *level = outer.pop().unwrap_or_default();
}

#[cfg(test)]
mod tests {
    use super::commands;

    #[test]
    fn what_a_substitution_stands_for_is_a_part_of_its_word() {
        for (text, expected) in [
            ("$(echo rm) x", vec!["echo rm", "$ x"]),
            ("r$(:)m x", vec![":", "r$m x"]),
            ("r`:`m x; ls", vec![":", "r$m x", "ls"]),
            ("a \"b $(c \"d\") e\" f", vec!["c d", "a b $ e f"]),
            (">x rm y", vec!["rm y"]),
            ("cat <(rm y)", vec!["rm y", "cat $"]),
            ("a 2>&1 | b", vec!["a 2", "b"]),
            ("$(a", vec!["a", "$"]),
        ] {
            let found: Vec<String> = commands(text).iter().map(|words| words.join(" ")).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
