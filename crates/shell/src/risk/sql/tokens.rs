//! Words of SQL, as far as it takes to tell one statement from another.
//!
//! Servers disagree about what a comment or a string is, and a text that is harmless for one runs a
//! second statement on another. Every text is therefore read in each [`Dialect`].
//!
//! Sources: PostgreSQL 17 manual, 4.1 "Lexical Structure"; `MySQL` 8.4 manual, 11.1.1 "String
//! Literals" and 11.7 "Comments"; SQLite, "SQL Comment Syntax".

/// What the servers disagree about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dialect {
    /// `/* /* */ */` is one comment.
    nested_comments: bool,
    /// `'\''` is one string.
    backslash_escapes: bool,
    /// `#` starts a comment, `--` only with a blank after it, and `/*! … */` is run.
    mysql_comments: bool,
    /// `$tag$ … $tag$` is a string.
    dollar_quotes: bool,
}

/// PostgreSQL, `MySQL`, everybody else.
pub(super) const DIALECTS: [Dialect; 3] = [
    Dialect { nested_comments: true, backslash_escapes: false, mysql_comments: false, dollar_quotes: true },
    Dialect { nested_comments: false, backslash_escapes: true, mysql_comments: true, dollar_quotes: false },
    Dialect { nested_comments: false, backslash_escapes: false, mysql_comments: false, dollar_quotes: false },
];

/// A piece of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// A bare word in capitals: a keyword or a name.
    Word(String),
    /// A name in `""`, ` `` ` or `[]`.
    Name,
    /// A string, without its quotes.
    Text(&'a str),
    /// Any other character.
    Sign(char),
    /// A string or comment that does not end.
    Unfinished,
}

/// The tokens of `text`, statement by statement.
pub(super) fn statements(text: &str, dialect: Dialect) -> Vec<Vec<Token<'_>>> {
    let mut reader = Reader { rest: text, dialect };
    let mut statements = vec![Vec::new()];
    while let Some(token) = reader.next() {
        if token == Token::Sign(';') {
            statements.push(Vec::new());
        } else if let Some(statement) = statements.last_mut() {
            statement.push(token);
        }
    }
    statements.retain(|statement| !statement.is_empty());
    statements
}

struct Reader<'a> {
    rest: &'a str,
    dialect: Dialect,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            self.rest = self.rest.trim_start_matches(|c: char| c.is_whitespace() || c.is_control() || c == '\u{feff}');
            match self.comment() {
                Some(true) => {}
                Some(false) => return Some(Token::Unfinished),
                None => break,
            }
        }
        let mut chars = self.rest.chars();
        let first = chars.next()?;
        let after = chars.as_str();
        let escapes = self.dialect.backslash_escapes;
        match first {
            '\'' => Some(self.quoted(after, '\'', escapes)),
            // A string in MySQL, a name elsewhere; what it holds matters to neither.
            '"' => Some(self.quoted(after, '"', escapes).into_name()),
            '`' => Some(self.quoted(after, '`', false).into_name()),
            '[' => {
                // No server has longer names; without an end the bracket is an ordinary sign.
                let end = after.char_indices().take(130).find(|(_, c)| [']', '\'', '\n', ';'].contains(c));
                let name = end.filter(|(at, c)| *at > 0 && *c == ']').and_then(|(at, _)| after.get(at + 1..));
                self.rest = name.unwrap_or(after);
                Some(name.map_or(Token::Sign('['), |_| Token::Name))
            }
            '$' if self.dialect.dollar_quotes => Some(self.dollar_quoted(after)),
            c if is_word(c) => Some(self.word()),
            c => {
                self.rest = after;
                Some(Token::Sign(c))
            }
        }
    }

    /// Passes one comment: `Some(false)` when it does not end.
    fn comment(&mut self) -> Option<bool> {
        let mysql = self.dialect.mysql_comments;
        if let Some(after) = self.rest.strip_prefix("--") {
            if mysql && !after.is_empty() && !after.starts_with(|c: char| c.is_whitespace() || c.is_control()) {
                return None;
            }
            self.rest = after.split_once('\n').map_or("", |(_, rest)| rest);
            return Some(true);
        }
        if mysql && self.rest.starts_with('#') {
            self.rest = self.rest.split_once('\n').map_or("", |(_, rest)| rest);
            return Some(true);
        }
        if mysql && let Some(after) = self.rest.strip_prefix("*/") {
            // The end of `/*! … */`.
            self.rest = after;
            return Some(true);
        }
        let after = self.rest.strip_prefix("/*")?;
        if mysql && let Some(run) = after.strip_prefix('!').or_else(|| after.strip_prefix("M!")) {
            self.rest = run.trim_start_matches(|c: char| c.is_ascii_digit());
            return Some(true);
        }
        self.rest = after;
        let mut depth = 1_usize;
        while depth > 0 {
            let Some(at) = self.rest.find(['*', '/']) else {
                self.rest = "";
                return Some(false);
            };
            let tail = self.rest.get(at..).unwrap_or_default();
            if let Some(after) = tail.strip_prefix("*/") {
                depth -= 1;
                self.rest = after;
            } else if self.dialect.nested_comments
                && let Some(after) = tail.strip_prefix("/*")
            {
                depth += 1;
                self.rest = after;
            } else {
                self.rest = tail.get(1..).unwrap_or_default();
            }
        }
        Some(true)
    }

    /// A string whose quote is doubled inside; `text` begins after the first one.
    fn quoted(&mut self, text: &'a str, quote: char, escapes: bool) -> Token<'a> {
        let mut chars = text.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            if c == '\\' && escapes {
                chars.next();
            } else if c == quote && chars.next_if(|(_, next)| *next == quote).is_none() {
                self.rest = text.get(at + 1..).unwrap_or_default();
                return Token::Text(text.get(..at).unwrap_or_default());
            }
        }
        self.rest = "";
        Token::Unfinished
    }

    fn dollar_quoted(&mut self, after: &'a str) -> Token<'a> {
        self.rest = after;
        let tag = after.split_once('$').map(|(tag, _)| tag);
        let Some(tag) = tag.filter(|tag| tag.len() <= 64 && tag.chars().all(|c| c.is_alphanumeric() || c == '_'))
        else {
            return Token::Sign('$');
        };
        if tag.starts_with(|c: char| c.is_ascii_digit()) {
            return Token::Sign('$');
        }
        let end = format!("${tag}$");
        let body = after.get(tag.len() + 1..).unwrap_or_default();
        match body.split_once(end.as_str()) {
            Some((text, rest)) => {
                self.rest = rest;
                Token::Text(text)
            }
            None => {
                self.rest = "";
                Token::Unfinished
            }
        }
    }

    fn word(&mut self) -> Token<'a> {
        let end = self.rest.find(|c: char| !is_word(c) && c != '$').unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at_checked(end).unwrap_or((self.rest, ""));
        // `E'…'` of PostgreSQL has escapes whatever the settings are.
        if word.eq_ignore_ascii_case("e")
            && let Some(text) = rest.strip_prefix('\'')
        {
            return self.quoted(text, '\'', true);
        }
        self.rest = rest;
        Token::Word(word.to_uppercase())
    }
}

impl Token<'_> {
    fn into_name(self) -> Self {
        if matches!(self, Self::Text(_)) { Self::Name } else { self }
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
