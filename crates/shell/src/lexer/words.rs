//! One word: its quotes, and what a `$` in it means.

use super::{Lexer, MAX_OPENERS};
use crate::document::Document;
use crate::expansion::{Braced, ansi_quoted, arithmetic, unescaped};
use crate::obstacle::Obstacle;

/// Substitutions within substitutions.
const MAX_SUBSTITUTION_DEPTH: usize = 3;

impl Lexer<'_> {
    pub(super) fn word(&mut self) -> Result<String, Obstacle> {
        let mut word = String::new();
        while let Some(character) = self.peek() {
            match character {
                ' ' | '\t' | '\n' | '&' | '|' | ';' | '<' | '>' | '(' | ')' => break,
                '\\' => self.escape(&mut word)?,
                '\'' => {
                    let body = self.rest.get(1..).unwrap_or_default();
                    let (quoted, rest) = body.split_once('\'').ok_or(Obstacle::Unfinished)?;
                    word.push('\'');
                    word.push_str(quoted);
                    word.push('\'');
                    self.rest = rest;
                }
                '"' => self.double_quotes(&mut word)?,
                '`' => return Err(Obstacle::CommandSubstitution),
                '$' if self.rest.starts_with("$(") => self.substitute(&mut word)?,
                '$' => {
                    self.take(&mut word);
                    self.after_dollar(&mut word)?;
                }
                '!' => {
                    self.take(&mut word);
                    // To zsh `!(…)` is one word.
                    let alone = word == "!" && self.rest.starts_with('(') && !self.shell.may_calculate();
                    if !alone && self.peek().is_some_and(|next| !next.is_ascii_whitespace() && !"=;&|)".contains(next))
                    {
                        return Err(Obstacle::History);
                    }
                }
                _ => self.take(&mut word),
            }
        }
        Ok(word)
    }

    fn double_quotes(&mut self, word: &mut String) -> Result<(), Obstacle> {
        self.take(word);
        loop {
            match self.peek().ok_or(Obstacle::Unfinished)? {
                '"' => {
                    self.take(word);
                    return Ok(());
                }
                '\\' => self.escape(word)?,
                '`' => return Err(Obstacle::CommandSubstitution),
                '$' if self.rest.starts_with("$(") => {
                    if !self.inline_document(word) {
                        self.substitute(word)?;
                    }
                }
                '$' => {
                    self.take(word);
                    self.after_quoted_dollar(word)?;
                }
                '!' => {
                    self.take(word);
                    let next = self.peek().unwrap_or('"');
                    if next.is_ascii_alphanumeric() || "!?#$*-^:%{".contains(next) {
                        return Err(Obstacle::History);
                    }
                }
                _ => self.take(word),
            }
        }
    }

    /// `$(…)`: a command line of its own, up to the parenthesis that closes it; or `$((…))`.
    fn substitute(&mut self, word: &mut String) -> Result<(), Obstacle> {
        if self.rest.starts_with("$((") {
            let behind = self.rest.get(1..).and_then(arithmetic).map(|(_, behind)| behind);
            return self.take_to(behind.ok_or(Obstacle::Arithmetic)?, word);
        }
        if self.openers >= MAX_OPENERS || self.nesting >= MAX_SUBSTITUTION_DEPTH {
            return Err(Obstacle::TooDeep);
        }
        let before = self.rest;
        let inside = before.strip_prefix("$(").unwrap_or_default();
        let mut inner = Lexer {
            closes: true,
            nesting: self.nesting + 1,
            openers: self.openers + 1,
            commands: self.commands,
            ..Lexer::new(inside, self.shell)
        };
        while inner.token()? {}
        if !inner.closed {
            return Err(Obstacle::Unfinished);
        }
        self.openers = inner.openers;
        self.commands = inner.commands;
        self.rest = inner.rest;
        self.expands = true;
        word.push_str(before.get(..before.len() - self.rest.len()).unwrap_or_default());
        Ok(())
    }

    /// `"$(cat <<'EOF' …)"`, which is the text of the document and nothing else: puts that in its place.
    fn inline_document(&mut self, word: &mut String) -> bool {
        let start = self.text.len() - self.rest.len();
        let Some((document, rest)) = Document::read(self.rest, start).filter(|_| !self.closes) else { return false };
        word.push_str(&document.quoted);
        self.rest = rest;
        self.documents.push(document);
        true
    }

    /// Outside of quotes a `$` is accepted when it stands for itself, and in front of a name, whose value the line
    /// has to say itself.
    fn after_dollar(&mut self, word: &mut String) -> Result<(), Obstacle> {
        match self.peek() {
            // The exit status is a number.
            None
            | Some('?')
            | Some(' ' | '\t' | '\n' | '&' | '|' | ';' | '<' | '>' | ')' | '/' | '.' | ',' | ':' | '=' | '%' | '+') => {
                Ok(())
            }
            Some('\'') => self.ansi_quotes(word),
            Some('"') => Err(Obstacle::DollarQuote),
            Some('[') => Err(Obstacle::Arithmetic),
            Some('{') => {
                self.expands = true;
                self.braced(word, false)
            }
            Some(first) if first.is_ascii_alphabetic() || first == '_' => {
                self.expands = true;
                let end = self.rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(self.rest.len());
                let (name, rest) = self.rest.split_at_checked(end).unwrap_or_default();
                word.push_str(name);
                self.rest = rest;
                // A continued line may go on with the name.
                if rest.starts_with("\\\n") { Err(Obstacle::Variable) } else { Ok(()) }
            }
            Some(_) => Err(Obstacle::Variable),
        }
    }

    /// Takes what stands in front of `behind`.
    fn take_to(&mut self, behind: &str, word: &mut String) -> Result<(), Obstacle> {
        let taken = self.rest.len().checked_sub(behind.len()).and_then(|length| self.rest.split_at_checked(length));
        let (text, rest) = taken.ok_or(Obstacle::NotAnalysed)?;
        word.push_str(text);
        self.rest = rest;
        self.expands = true;
        Ok(())
    }

    /// `{NAME}` behind a `$`, with or without an operator.
    fn braced(&mut self, word: &mut String, double: bool) -> Result<(), Obstacle> {
        let (braced, behind) = Braced::read(self.rest, double).ok_or(match self.rest.contains('}') {
            true => Obstacle::Variable,
            false => Obstacle::Unfinished,
        })?;
        let expands = self.expands || !double || !braced.is_plain();
        self.take_to(behind, word)?;
        self.expands = expands;
        Ok(())
    }

    /// `'…'` behind a `$`. dash takes the first quote for the last.
    fn ansi_quotes(&mut self, word: &mut String) -> Result<(), Obstacle> {
        let (body, behind) = ansi_quoted(self.rest).ok_or(Obstacle::Unfinished)?;
        let ends_alike = !body.contains("\\'") || self.shell.has_ansi_quotes();
        if unescaped(body).is_none() || !ends_alike {
            return Err(Obstacle::DollarQuote);
        }
        self.take_to(behind, word)
    }

    /// In double quotes `$NAME` and `${NAME}` are one word whatever the value.
    fn after_quoted_dollar(&mut self, word: &mut String) -> Result<(), Obstacle> {
        match self.peek() {
            Some('[') => Err(Obstacle::Arithmetic),
            Some('{') => self.braced(word, true),
            // A continued line goes on with the name.
            Some('\\') if self.rest.starts_with("\\\n") => Err(Obstacle::Variable),
            Some('`') => Err(Obstacle::CommandSubstitution),
            Some('@' | '*' | '#' | '-' | '$' | '!') => Err(Obstacle::Variable),
            Some(next) if next.is_ascii_digit() => Err(Obstacle::Variable),
            _ => Ok(()),
        }
    }

    fn escape(&mut self, word: &mut String) -> Result<(), Obstacle> {
        if self.rest.starts_with("\\\n") {
            self.skip("\\\n");
            return Ok(());
        }
        self.take(word);
        match self.peek() {
            None => Err(Obstacle::Unfinished),
            Some(next) => {
                self.take(word);
                // The grammar reads `\$'` as the start of a `$'…'` quote; bash does not.
                if next == '$' && self.rest.starts_with(['\'', '\\']) { Err(Obstacle::DollarQuote) } else { Ok(()) }
            }
        }
    }
}
