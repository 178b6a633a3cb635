//! Decoding a word: what the shell gives to the program.
//!
//! Source: bash manual, "Quoting", "Shell Expansions".

use std::collections::BTreeMap;

use super::characters::is_variable_name;
use super::command_line::{Word, WordKind};
use super::lexer;
use super::obstacle::Obstacle;

/// Stands for a `$(…)` in a word, whatever it prints.
pub(crate) const SUBSTITUTED: &str = "$(\u{2026})";

/// One character of a word, and whether the shell takes it literally.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unit {
    /// The character.
    pub(super) character: char,
    /// Quoted or escaped: never a wildcard, brace, tilde.
    pub(super) quoted: bool,
    /// Starts the name of a variable.
    pub(super) expands: bool,
}

/// Takes quotes and escapes from a word of the lexer.
pub(super) fn units(raw: &str) -> Vec<Unit> {
    let (mut units, mut unknown) = (Vec::with_capacity(raw.len()), false);
    read(raw, &Values::new(), &mut units, &mut unknown);
    units
}

/// Adds the units of `raw`, of whose variables those in `values` are known. Says whether one outside of quotes is not.
fn read(raw: &str, values: &Values, units: &mut Vec<Unit>, unknown: &mut bool) {
    let literal = |character| Unit { character, quoted: true, expands: false };
    let mut characters = raw.chars();
    let mut double = false;
    while let Some(character) = characters.next() {
        let next = characters.clone().next();
        match character {
            '\'' if !double => {
                units.extend(characters.by_ref().take_while(|&inner| inner != '\'').map(literal));
            }
            '"' => double = !double,
            '\\' if !double => units.extend(characters.next().map(literal)),
            // In double quotes a backslash keeps its meaning only in front of these.
            '\\' if next.is_some_and(|next| matches!(next, '$' | '`' | '"' | '\\' | '\n')) => {
                units.extend(characters.next().map(literal));
            }
            '$' if next == Some('(') => {
                // In what the lexer has not accepted, everything behind it may be part of it.
                characters = lexer::substitution(characters.as_str()).map_or("", |(_, behind)| behind).chars();
                let mark = SUBSTITUTED.chars();
                units.extend(mark.map(|character| Unit { character, quoted: double, expands: character == '$' }));
            }
            '$' => {
                let named = name(characters.as_str());
                if let Some((value, behind)) = named.and_then(|(name, behind)| Some((values.get(name)?, behind)))
                    && (double || is_plain(value))
                {
                    units.extend(value.chars().map(literal));
                    characters = behind.chars();
                    continue;
                }
                *unknown |= named.is_some() && !double;
                units.push(Unit { character, quoted: double, expands: named.is_some() || next == Some('?') && double });
            }
            _ => units.push(Unit { character, quoted: double, expands: false }),
        }
    }
}

/// What the line itself has given to its variables, by their names.
pub(super) type Values = BTreeMap<String, String>;

/// The name of a variable at the start of `text`, which stands behind a `$`, and what follows it.
fn name(text: &str) -> Option<(&str, &str)> {
    if let Some(braced) = text.strip_prefix('{') {
        return braced.split_once('}').filter(|(name, _)| is_variable_name(name));
    }
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    text.split_at_checked(end).filter(|(name, _)| is_variable_name(name))
}

/// Whether a value stays one word outside of quotes, whatever shell reads it (bash manual, "Word Splitting").
fn is_plain(value: &str) -> bool {
    !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_./:@%+,-".contains(&byte))
}

/// The scripts of the `$(…)` in a word of the lexer, those within others not by themselves.
pub(super) fn substitutions(raw: &str) -> Vec<&str> {
    let mut scripts = Vec::new();
    let mut characters = raw.chars();
    let mut double = false;
    while let Some(character) = characters.next() {
        match character {
            '\'' if !double => characters.by_ref().take_while(|&inner| inner != '\'').for_each(drop),
            '"' => double = !double,
            '\\' => drop(characters.next()),
            '$' => {
                if let Some((script, behind)) = lexer::substitution(characters.as_str()) {
                    scripts.push(script);
                    characters = behind.chars();
                }
            }
            _ => {}
        }
    }
    scripts
}

/// The word as the program gets it, where nothing is known of variables.
pub(super) fn decode(raw: &str) -> Word {
    decode_with(raw, &Values::new()).unwrap_or_else(|_| Word::unknown())
}

/// The word as the program gets it.
///
/// # Errors
/// A variable outside of quotes that is not among `values`: what the shell makes of it may be several words, or names
/// of files.
pub(super) fn decode_with(raw: &str, values: &Values) -> Result<Word, Obstacle> {
    let (mut units, mut unknown) = (Vec::with_capacity(raw.len()), false);
    read(raw, values, &mut units, &mut unknown);
    if unknown {
        return Err(Obstacle::Variable);
    }
    let text = units.iter().map(|unit| unit.character).collect();
    Ok(Word { text, kind: kind(&units) })
}

/// Whether a word of the lexer holds a `$(…)`, or a variable outside of quotes.
pub(super) fn expands(raw: &str) -> bool {
    !substitutions(raw).is_empty() || decode_with(raw, &Values::new()).is_err()
}

fn kind(units: &[Unit]) -> WordKind {
    if units.iter().any(|unit| unit.expands) || globs(units) || braces(units) || tilde_inside(units) {
        return WordKind::Varies;
    }
    match units {
        [Unit { character: '~', quoted: false, .. }] => WordKind::Home,
        [Unit { character: '~', quoted: false, .. }, Unit { character: '/', quoted: false, .. }, ..] => WordKind::Home,
        // `~user`, `~+`, `~1`, or `~"x"`, which is literal.
        [Unit { character: '~', quoted: false, .. }, ..] => WordKind::Varies,
        _ => WordKind::Exact,
    }
}

fn plain(units: &[Unit]) -> impl Iterator<Item = char> {
    units.iter().filter(|unit| !unit.quoted).map(|unit| unit.character)
}

/// `*`, `?`, `[…]` (bash manual, "Filename Expansion"); extended patterns need a parenthesis.
fn globs(units: &[Unit]) -> bool {
    let mut bracket = false;
    units.iter().any(|unit| {
        let closes = bracket && unit.character == ']';
        bracket |= unit.character == '[' && !unit.quoted;
        closes || (!unit.quoted && matches!(unit.character, '*' | '?'))
    })
}

/// `{a,b}` and `{1..3}` (bash manual, "Brace Expansion"). `{}` and `@{0}` are literal.
fn braces(units: &[Unit]) -> bool {
    let mut open = plain(units).skip_while(|&character| character != '{');
    open.next().is_some() && {
        let inside: String = open.collect();
        inside.contains(',') || inside.contains("..")
    }
}

/// bash expands `~` also after the `=` and `:` of a word that looks like an assignment.
fn tilde_inside(units: &[Unit]) -> bool {
    units
        .windows(2)
        .any(|pair| matches!(pair, [Unit { character: '=' | ':', .. }, Unit { character: '~', quoted: false, .. }]))
}

/// Characters after which nothing is known of a word that varies.
const VARYING: &[char] = &['*', '?', '[', '{', '$', '~', '\u{2026}'];

impl Word {
    /// A word of which nothing is known, as the operands that `xargs` adds.
    #[must_use]
    pub fn unknown() -> Self {
        Self { text: "\u{2026}".to_owned(), kind: WordKind::Varies }
    }

    /// Whether the program may read this word as an option.
    #[must_use]
    pub fn may_be_option(&self) -> bool {
        match self.kind {
            WordKind::Home => false,
            WordKind::Exact => self.text.starts_with('-'),
            WordKind::Varies => self.fixed_start().is_empty() || self.text.starts_with('-'),
        }
    }

    /// The start of the text that is the same whatever the shell makes of the rest.
    #[must_use]
    pub fn fixed_start(&self) -> &str {
        match self.kind {
            WordKind::Exact => &self.text,
            WordKind::Home => "",
            WordKind::Varies => self.text.split(VARYING).next().unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{WordKind, decode};

    #[test]
    fn quotes_and_escapes_are_gone() {
        for (raw, text) in [
            ("-ex''ec", "-exec"),
            (r"'don'\''t'", "don't"),
            (r#""a\"b\\c\d""#, r#"a"b\c\d"#),
            (r"a\;b", "a;b"),
            (r#"'a'"b"c"#, "abc"),
            ("'*'", "*"),
            ("HEAD@{0}", "HEAD@{0}"),
            ("{}", "{}"),
            ("[", "["),
            ("a~", "a~"),
        ] {
            let word = decode(raw);
            assert_eq!((word.text.as_str(), word.kind), (text, WordKind::Exact), "{raw}");
        }
    }

    #[test]
    fn what_the_shell_replaces_varies() {
        for raw in ["*.rs", "a?", "[ab]", "{a,b}", "x{1..3}", "\"$HOME/src\"", "\"${x}\"", "~user", "a=~", "a=b:~/c"] {
            assert_eq!(decode(raw).kind, WordKind::Varies, "{raw}");
        }
        assert_eq!(decode("~/src").kind, WordKind::Home);
        assert_eq!(decode("'~/src'").kind, WordKind::Exact);
    }
}
