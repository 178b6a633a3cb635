//! Decoding a word: what the shell gives to the program.
//!
//! Source: bash manual, "Quoting", "Shell Expansions".

use super::characters::is_variable_name;
use super::command_line::{Shell, Word, WordKind};
use super::expansion::{Braced, ansi_quoted, arithmetic, unescaped};
use super::lexer;
use super::temporary;
use super::values::{Value, Values};

/// Stands for a `$(…)` in a word, whatever it prints.
pub(crate) const SUBSTITUTED: &str = "$(\u{2026})";
/// Stands for a `$((…))`, whatever the number.
pub(crate) const CALCULATED: &str = "$((\u{2026}))";
/// Stands for a `$(…)` that prints revisions of git: hashes, or what it was asked for.
pub(crate) const REVISION: &str = "$(revision)";
/// Stands for a `$'…'` that not every shell reads alike.
const ANSI_QUOTED: &str = "$'\u{2026}'";
/// The exit status of the last command.
pub(crate) const STATUS: &str = "$?";
/// Stands behind what the shell may split into several words, or make none of.
const MORE: char = '\u{2026}';

/// Whether `text` is nothing but variables, outputs of commands and what another program fills in.
pub(crate) fn is_only_inserted(text: &str) -> bool {
    let text = text.trim();
    text.starts_with(['$', '`', MORE, '{']) && !text.contains([' ', ';', '\n'])
}

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

/// What is known where a word is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reader<'a> {
    /// The shell that reads it.
    pub(super) shell: Shell,
    /// What is known of variables.
    pub(super) values: &'a Values,
    /// A variable outside of quotes is read as if its value stood there, although it may become several words.
    pub(super) loosely: bool,
}

/// Takes quotes and escapes from a word of the lexer.
pub(super) fn units(raw: &str) -> Vec<Unit> {
    read(raw, Reader { shell: Shell::Bash, values: &Values::new(), loosely: false }).units
}

/// The units of a word, and whether they hold an expansion that somebody has to have looked at.
#[derive(Default)]
struct Units {
    units: Vec<Unit>,
    expands: bool,
}

impl Units {
    fn literal(&mut self, text: &str) {
        self.units.extend(text.chars().map(|character| Unit { character, quoted: true, expands: false }));
    }

    /// Something of which only its sign is known. Outside of double quotes it may be several words.
    fn unknown(&mut self, sign: &str, is_one: bool) {
        self.units.extend(sign.chars().map(|character| Unit { character, quoted: true, expands: true }));
        if !is_one {
            self.units.push(Unit { character: MORE, quoted: true, expands: true });
        }
    }

    /// The home folder.
    fn home(&mut self, has_slash: bool) {
        let unquoted = |character| Unit { character, quoted: false, expands: false };
        self.units.push(unquoted('~'));
        self.units.extend(has_slash.then(|| unquoted('/')));
    }

    /// A pattern that finds names of files.
    fn pattern(&mut self, pattern: &str) {
        self.units.extend(pattern.chars().map(|character| Unit { character, quoted: false, expands: false }));
    }
}

fn read(raw: &str, reader: Reader<'_>) -> Units {
    let mut found = Units { units: Vec::with_capacity(raw.len()), expands: false };
    let mut characters = raw.chars();
    let mut double = false;
    while let Some(character) = characters.next() {
        let next = characters.clone().next();
        match character {
            '\'' if !double => {
                let quoted = characters.by_ref().take_while(|&inner| inner != '\'');
                found.units.extend(quoted.map(|character| Unit { character, quoted: true, expands: false }));
            }
            '"' => double = !double,
            '\\' if !double => {
                characters.next().into_iter().for_each(|escaped| found.literal(escaped.encode_utf8(&mut [0; 4])))
            }
            // In double quotes a backslash keeps its meaning only in front of these.
            '\\' if next.is_some_and(|next| matches!(next, '$' | '`' | '"' | '\\' | '\n')) => {
                characters.next().into_iter().for_each(|escaped| found.literal(escaped.encode_utf8(&mut [0; 4])));
            }
            '$' => characters = dollar(characters.as_str(), double, reader, &mut found).chars(),
            _ => found.units.push(Unit { character, quoted: double, expands: false }),
        }
    }
    found
}

/// Adds what a `$` in front of `text` means, and gives back what follows.
fn dollar<'a>(text: &'a str, double: bool, reader: Reader<'_>, found: &mut Units) -> &'a str {
    if let Some((_, behind)) = arithmetic(text) {
        found.expands = true;
        found.unknown(CALCULATED, double);
        return behind;
    }
    if text.starts_with('(') {
        found.expands = true;
        // In what the lexer has not accepted, everything behind it may be part of it.
        let (script, behind) = lexer::substitution(text).unwrap_or_default();
        match temporary::printed(script).filter(|made| made.is_sure) {
            Some(made) => found.literal(&made.path),
            None if prints_revisions(script) => found.unknown(REVISION, true),
            None => found.unknown(SUBSTITUTED, double),
        }
        return behind;
    }
    if !double && let Some((body, behind)) = ansi_quoted(text) {
        found.expands = true;
        match unescaped(body).filter(|_| reader.shell.has_ansi_quotes()) {
            Some(decoded) => found.literal(&decoded),
            None => found.unknown(ANSI_QUOTED, true),
        }
        return behind;
    }
    let Some((braced, behind)) = variable(text, double) else {
        // The exit status is a number of up to three digits. To zsh `$?[1]` is one of them, and `$?:h` something else.
        if let Some(behind) = text.strip_prefix('?').filter(|behind| double || !behind.starts_with(['[', ':'])) {
            found.unknown(STATUS, true);
            return behind;
        }
        found.units.push(Unit { character: '$', quoted: double, expands: false });
        return text;
    };
    found.expands |= !double || !braced.is_plain();
    // `$HOME/x` is `~/x` to every shell.
    if braced.is_plain() && braced.name == "HOME" && found.units.is_empty() && reader.values.get("HOME").is_none() {
        let slash = behind.strip_prefix('/');
        let ends_word = behind.is_empty() || ends(behind, double) || double && behind.starts_with("\"/");
        if slash.is_some() || ends_word {
            found.home(slash.is_some());
            return slash.unwrap_or(behind);
        }
    }
    // Whoever can put several words into HOME decides what every program does.
    let is_one = double || braced.is_plain() && braced.name == "HOME";
    let sign = || format!("${}", text.get(..text.len() - behind.len()).unwrap_or_default());
    match reader.values.get(braced.name) {
        Some(Value::Text(value) | Value::Pattern(value)) if reader.loosely && !double && braced.is_plain() => {
            found.pattern(value);
        }
        Some(Value::Text(value)) => match braced.of(value).filter(|value| double || is_plain(value)) {
            Some(value) => found.literal(&value),
            None => found.unknown(&sign(), double),
        },
        Some(Value::Whole(value)) if braced.is_plain() && found.units.is_empty() && ends(behind, double) => {
            found.literal(value);
        }
        Some(Value::Pattern(pattern)) if double && braced.is_plain() => found.pattern(pattern),
        Some(Value::Number) if braced.is_plain() => found.unknown(&sign(), true),
        Some(Value::Revision) if braced.is_plain() => found.unknown(REVISION, true),
        _ => found.unknown(&sign(), is_one),
    }
    behind
}

/// Whether the word ends with `text`.
fn ends(text: &str, double: bool) -> bool {
    text == if double { "\"" } else { "" }
}

/// Whether `script` prints nothing but revisions, none of which begins with a `-` (git-merge-base(1), git-rev-list(1),
/// git-rev-parse(1), which prints a word that it does not know).
fn prints_revisions(script: &str) -> bool {
    const OPTIONS: &[(&str, &str)] = &[
        ("merge-base", "--all --octopus --fork-point"),
        ("rev-list", "--all --reverse --no-merges --merges --first-parent --topo-order --date-order -1"),
        ("rev-parse", "--verify --short --quiet -q"),
    ];
    let script = script.trim().strip_suffix("2>/dev/null").unwrap_or(script);
    let mut words = script.split_ascii_whitespace();
    let Some((_, options)) = (words.next() == Some("git"))
        .then(|| words.next())
        .flatten()
        .and_then(|command| OPTIONS.iter().find(|(listed, _)| *listed == command))
    else {
        return false;
    };
    let plain = |word: &str| word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_./~^@-".contains(&byte));
    let known = |word: &str| !word.starts_with('-') || options.split(' ').any(|option| option == word);
    words.clone().any(|word| !word.starts_with('-')) && words.all(|word| plain(word) && known(word))
}

/// Whether the word of the lexer is the output of a command that prints one decimal number, or nothing (date(1); wc(1),
/// which gets no name to print; nproc(1)).
pub(super) fn prints_number(raw: &str) -> bool {
    const PRINTERS: &[&[&str]] = &[
        &["date", "+%s"],
        &["date", "+%s%N"],
        &["date", "+%s%3N"],
        &["date", "+%N"],
        &["nproc"],
        &["wc", "-l", "<", "FILE"],
        &["wc", "-c", "<", "FILE"],
        &["wc", "-w", "<", "FILE"],
    ];
    let inside = raw.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(raw);
    let Some((script, "")) = inside.strip_prefix('$').and_then(lexer::substitution) else { return false };
    let words: Vec<&str> = script.split_ascii_whitespace().collect();
    let is_name = |word: &str| word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_./-".contains(&byte));
    let fits = |(word, listed): (&&str, &&str)| if *listed == "FILE" { is_name(word) } else { word == listed };
    PRINTERS.iter().any(|listed| words.len() == listed.len() && words.iter().zip(*listed).all(fits))
}

/// The variable at the start of `text`, which stands behind a `$`, and what follows it.
fn variable(text: &str, double: bool) -> Option<(Braced<'_>, &str)> {
    if text.starts_with('{') {
        return Braced::read(text, double);
    }
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    let (name, behind) = text.split_at_checked(end).filter(|(name, _)| is_variable_name(name))?;
    Some((Braced { name, is_length: false, operation: "" }, behind))
}

/// Whether a value stays one word outside of quotes, whatever shell reads it (bash manual, "Word Splitting").
fn is_plain(value: &str) -> bool {
    !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_./:@%+,-".contains(&byte))
}

/// The name of the new file that the word of the lexer is, where that is all of it.
pub(super) fn new_name(raw: &str) -> Option<String> {
    let inside = raw.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(raw);
    let (script, behind) = lexer::substitution(inside.strip_prefix('$')?)?;
    temporary::printed(script).filter(|_| behind.is_empty()).map(|made| made.path)
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
                let text = characters.as_str();
                if let Some((_, behind)) = arithmetic(text).or_else(|| ansi_quoted(text).filter(|_| !double)) {
                    characters = behind.chars();
                } else if let Some((script, behind)) = lexer::substitution(text) {
                    scripts.push(script);
                    characters = behind.chars();
                }
            }
            _ => {}
        }
    }
    scripts
}

/// The expressions of the `$((…))` in a word of the lexer.
pub(super) fn expressions(raw: &str) -> Vec<&str> {
    let mut expressions = Vec::new();
    let mut characters = raw.chars();
    let mut double = false;
    while let Some(character) = characters.next() {
        let text = characters.as_str();
        match character {
            '\'' if !double => characters.by_ref().take_while(|&inner| inner != '\'').for_each(drop),
            '"' => double = !double,
            '\\' => drop(characters.next()),
            '$' => {
                if let Some((expression, behind)) = arithmetic(text) {
                    expressions.push(expression);
                    characters = behind.chars();
                } else if let Some((_, behind)) =
                    ansi_quoted(text).filter(|_| !double).or_else(|| lexer::substitution(text))
                {
                    characters = behind.chars();
                }
            }
            _ => {}
        }
    }
    expressions
}

/// Whether the word of the lexer is a number, whatever it is: `$((…))`, `${#x}`, or a variable that is one.
pub(super) fn is_number(raw: &str, values: &Values) -> bool {
    let inside = raw.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(raw);
    let Some(text) = inside.strip_prefix('$') else { return false };
    let calculated = arithmetic(text).is_some_and(|(_, behind)| behind.is_empty());
    let named = || variable(text, true).filter(|(_, behind)| behind.is_empty()).map(|(braced, _)| braced);
    calculated
        || inside == STATUS
        || named().is_some_and(|braced| {
            braced.is_length || braced.is_plain() && values.get(braced.name).is_some_and(Value::is_number)
        })
}

/// The word as the program gets it, where nothing is known of variables and bash reads it.
pub(super) fn decode(raw: &str) -> Word {
    decode_with(raw, Reader { shell: Shell::Bash, values: &Values::new(), loosely: false })
}

/// The word as the program gets it.
pub(super) fn decode_with(raw: &str, reader: Reader<'_>) -> Word {
    let units = read(raw, reader).units;
    let text = units.iter().map(|unit| unit.character).collect();
    // zsh's `=ls` is the path of `ls` (zshexpn(1), "Filename Expansion").
    let is_path =
        reader.shell.has_equals() && matches!(units.as_slice(), [Unit { character: '=', quoted: false, .. }, _, ..]);
    Word { text, kind: if is_path { WordKind::Varies } else { kind(&units) } }
}

/// Whether a word of the lexer holds a `$(…)` or `$((…))`, a `$'…'`, an operator in `${…}`, or a variable outside of
/// quotes.
pub(super) fn expands(raw: &str) -> bool {
    read(raw, Reader { shell: Shell::Bash, values: &Values::new(), loosely: false }).expands
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

/// `{a,b}` and `{1..3}` (bash manual, "Brace Expansion"). `{}`, `@{0}` and `@{upstream}..HEAD` are literal.
fn braces(units: &[Unit]) -> bool {
    let text: String = plain(units).skip_while(|&character| character != '{').collect();
    let inside = text.rsplit_once('}').map_or("", |(inside, _)| inside);
    inside.contains(',') || inside.contains("..")
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
            WordKind::Varies if self.text.starts_with(REVISION) && !self.may_be_several() => false,
            WordKind::Varies => self.fixed_start().is_empty() || self.text.starts_with('-'),
        }
    }

    /// The start of the text that is the same whatever the shell makes of the rest; none where that may be several
    /// words: `a$x` may become `a` and `-b`.
    #[must_use]
    pub fn fixed_start(&self) -> &str {
        match self.kind {
            WordKind::Exact => &self.text,
            WordKind::Varies if !self.text.starts_with('=') && !self.may_be_several() => {
                self.text.split(VARYING).next().unwrap_or_default()
            }
            WordKind::Home | WordKind::Varies => "",
        }
    }

    /// The same word with `HEAD` in the place of revisions that are not known, where nothing else varies.
    pub(crate) fn at_head(&self) -> Self {
        let text = self.text.replace(REVISION, "HEAD");
        let varies = text.contains(['*', '?', '[', '{', '$', '`', MORE]);
        let known = self.kind == WordKind::Varies && text != self.text && !varies;
        if known { Self { text, kind: WordKind::Exact } } else { self.clone() }
    }

    /// Whether the shell may make several words of it, or none, of which each but the first may begin with anything.
    /// What finds names of files and what stands in braces begins like the word.
    #[must_use]
    pub fn may_be_several(&self) -> bool {
        self.kind == WordKind::Varies
            && self.text.contains(MORE)
            && self.text.replace(SUBSTITUTED, "").replace(CALCULATED, "").replace(ANSI_QUOTED, "").contains(MORE)
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
            ("@{upstream}...HEAD", "@{upstream}...HEAD"),
            ("{a,b", "{a,b"),
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
        for raw in [
            "*.rs",
            "a?",
            "[ab]",
            "{a,b}",
            "x{1..3}",
            "{a,b}..",
            "{a}{1..3}",
            "{a},{b}",
            "\"a$HOME/src\"",
            "$HOME*",
            "\"$HOMES/src\"",
            "${HOME%/*}/src",
            "\"${x}\"",
            "~user",
            "a=~",
            "a=b:~/c",
        ] {
            assert_eq!(decode(raw).kind, WordKind::Varies, "{raw}");
        }
        for raw in ["~/src", "$HOME/src", "\"$HOME/src\"", "\"$HOME\"/src", "${HOME}/src", "\"${HOME}/src\""] {
            let word = decode(raw);
            assert_eq!((word.text.as_str(), word.kind), ("~/src", WordKind::Home), "{raw}");
        }
        assert_eq!(decode("\"$HOME\"").text, "~");
        assert_eq!(decode("'~/src'").kind, WordKind::Exact);
    }
}
