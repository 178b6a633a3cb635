//! `${…}`, `$((…))` and `$'…'`: what is accepted of them, and what they make of a value.
//!
//! Sources: bash manual, "Shell Parameter Expansion", "Arithmetic Expansion", "ANSI-C Quoting"; zshexpn(1) "Parameter
//! Expansion"; dash(1) "Parameter Expansion". Accepted is what holds no quote and no expansion of its own, so that it ends
//! at the first `}` to every shell. A shell that does not know one of them, as dash does not know `${x:0:2}`, stops
//! there and runs nothing more.

use super::characters::is_variable_name;

/// More of a value is not tried against a pattern.
const MAX_TRIMMED: usize = 256;

/// `${NAME}` with or without an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Braced<'a> {
    /// Its variable.
    pub(super) name: &'a str,
    /// `${#NAME}`: the length of its value.
    pub(super) is_length: bool,
    /// The operator and its operand; nothing for `${NAME}`.
    pub(super) operation: &'a str,
}

/// Operators that neither set the variable nor stop the shell nor look at another one, longest first. `${x@P}` and
/// `${x:=y}` are not among them.
const OPERATORS: &[&str] = &[":-", ":+", "%%", "##", "//", "^^", ",,", "-", "+", "%", "#", "/", "^", ",", ":"];

impl<'a> Braced<'a> {
    /// Reads `{…}` behind a `$`, in double quotes or not, and what follows it.
    pub(super) fn read(text: &'a str, double: bool) -> Option<(Self, &'a str)> {
        let (inside, behind) = text.strip_prefix('{')?.split_once('}')?;
        let name_of = |text: &'a str| {
            let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
            text.split_at_checked(end).filter(|(name, _)| is_variable_name(name))
        };
        if let Some((name, "")) = inside.strip_prefix('#').and_then(name_of) {
            return Some((Self { name, is_length: true, operation: "" }, behind));
        }
        // A number, whatever it stands for. zsh has another name for it, and takes a character of nothing; dash refuses it.
        let status = inside.strip_prefix("PIPESTATUS[").and_then(|rest| rest.strip_suffix(']'));
        if status.is_some_and(|index| !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit())) {
            return Some((Self { name: "PIPESTATUS", is_length: true, operation: "" }, behind));
        }
        let (name, operation) = name_of(inside)?;
        let known = operation.is_empty() || is_accepted(operation, double);
        known.then_some((Self { name, is_length: false, operation }, behind))
    }

    /// Whether it is nothing but the value.
    pub(super) fn is_plain(&self) -> bool {
        self.operation.is_empty() && !self.is_length
    }

    /// What it makes of `value`; `None`: that is not followed here.
    pub(super) fn of(&self, value: &str) -> Option<String> {
        if self.is_length {
            return value.is_ascii().then(|| value.len().to_string());
        }
        let operator = OPERATORS.iter().find(|operator| self.operation.starts_with(**operator));
        let operand = self.operation.get(operator.map_or(0, |operator| operator.len())..)?;
        match operator.copied() {
            None => Some(value.to_owned()),
            Some(":-" | "-") => (!value.is_empty()).then(|| value.to_owned()),
            Some("%") => trimmed(value, operand, false, false),
            Some("%%") => trimmed(value, operand, false, true),
            Some("#") => trimmed(value, operand, true, false),
            Some("##") => trimmed(value, operand, true, true),
            Some(":") => cut(value, operand),
            Some(_) => None,
        }
    }
}

fn is_accepted(operation: &str, double: bool) -> bool {
    let Some(operator) = OPERATORS.iter().find(|operator| operation.starts_with(**operator)) else { return false };
    let operand = operation.get(operator.len()..).unwrap_or_default();
    if *operator == ":" {
        return bounds(operand).is_some();
    }
    let known = |c: char| {
        c.is_ascii_alphanumeric()
            || "_./@%+,=:-*?".contains(c)
            || double && (c.is_alphanumeric() || " <>()[]#^".contains(c))
    };
    operand.chars().all(known)
}

/// `OFFSET` or `OFFSET:LENGTH` in plain numbers.
fn bounds(operand: &str) -> Option<(usize, Option<usize>)> {
    let number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten();
    match operand.split_once(':') {
        None => Some((number(operand)?, None)),
        Some((offset, length)) => Some((number(offset)?, Some(number(length)?))),
    }
}

fn cut(value: &str, operand: &str) -> Option<String> {
    let (offset, length) = bounds(operand)?;
    let rest = value.get(offset.min(value.len())..).filter(|_| value.is_ascii())?;
    rest.get(..length.unwrap_or(rest.len()).min(rest.len())).map(str::to_owned)
}

/// `value` without the shortest or longest start or end that a pattern of letters and `*` means.
fn trimmed(value: &str, pattern: &str, start: bool, longest: bool) -> Option<String> {
    if value.len() > MAX_TRIMMED
        || pattern.contains(['?', '[', ']', '(', ')', '<', '>', '#', '^'])
        || !value.is_ascii()
        || value.contains('\n')
    {
        return None;
    }
    let mut lengths: Vec<usize> = (0..=value.len()).collect();
    if longest {
        lengths.reverse();
    }
    let split = |length: usize| {
        let at = if start { length } else { value.len().checked_sub(length)? };
        value.split_at_checked(at)
    };
    let found = lengths.into_iter().filter_map(split).find_map(|(front, end)| {
        let (piece, rest) = if start { (front, end) } else { (end, front) };
        matches(piece, pattern).then_some(rest)
    });
    Some(found.unwrap_or(value).to_owned())
}

fn matches(text: &str, pattern: &str) -> bool {
    let mut pieces = pattern.split('*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let mut pieces = pieces.peekable();
    let mut open = false;
    while let Some(piece) = pieces.next() {
        open = true;
        if pieces.peek().is_none() {
            return rest.ends_with(piece);
        }
        let Some((_, behind)) = rest.split_once(piece) else { return false };
        rest = behind;
    }
    open || rest.is_empty()
}

/// Reads `((…))` behind a `$` where it holds nothing but numbers, names and operators: the expression, and what
/// follows it.
pub(super) fn arithmetic(text: &str) -> Option<(&str, &str)> {
    let inside = text.strip_prefix("((")?;
    let mut depth = 0_usize;
    for (index, character) in inside.char_indices() {
        match character {
            '(' => depth += 1,
            ')' if depth > 0 => depth -= 1,
            ')' => {
                let behind = inside.get(index..)?.strip_prefix("))")?;
                return Some((inside.get(..index)?, behind));
            }
            _ if character.is_ascii_alphanumeric() || " _$+-*/%<>=!&|^~?:,".contains(character) => {}
            _ => return None,
        }
    }
    None
}

/// The names whose values an arithmetic expression takes; `None` where it sets one, calls a function, or is not
/// followed here. bash calculates the value of a name again, with commands in subscripts and all.
pub(super) fn names_in(expression: &str) -> Option<Vec<&str>> {
    let compares = |at: usize| {
        let before = at.checked_sub(1).and_then(|before| expression.as_bytes().get(before));
        let after = expression.as_bytes().get(at + 1);
        after == Some(&b'=') || before.is_some_and(|before| b"=!<>".contains(before))
    };
    let sets = ["++", "--", "<<=", ">>="].iter().any(|operator| expression.contains(operator))
        || expression.match_indices('=').any(|(at, _)| !compares(at));
    if sets || expression.trim().is_empty() {
        return None;
    }
    let mut names = Vec::new();
    let mut rest = expression;
    while let Some(first) = rest.chars().next() {
        if first.is_ascii_alphanumeric() || first == '_' {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            let (word, behind) = rest.split_at_checked(end)?;
            if first.is_ascii_digit() {
                word.bytes().all(|byte| byte.is_ascii_digit()).then_some(())?;
            } else {
                (!behind.trim_start().starts_with('(')).then_some(())?;
                names.push(word);
            }
            rest = behind;
        } else {
            rest = rest.get(first.len_utf8()..)?;
            // `$5`, `$$`: no name of the line's own.
            let is_named = rest.starts_with(|next: char| next.is_ascii_alphabetic() || next == '_');
            (first != '$' || is_named).then_some(())?;
        }
    }
    Some(names)
}

/// Reads `'…'` behind a `$`, with escapes: what stands between the quotes, and what follows them.
pub(super) fn ansi_quoted(text: &str) -> Option<(&str, &str)> {
    let inside = text.strip_prefix('\'')?;
    let mut characters = inside.char_indices();
    while let Some((index, character)) = characters.next() {
        match character {
            '\'' => return Some((inside.get(..index)?, inside.get(index + 1..)?)),
            '\\' => drop(characters.next()?),
            _ => {}
        }
    }
    None
}

/// What bash and zsh make of `body` in `$'body'`; `None` where a number or a letter of it hides a character.
pub(super) fn unescaped(body: &str) -> Option<String> {
    let mut text = String::with_capacity(body.len());
    let mut characters = body.chars();
    while let Some(character) = characters.next() {
        text.push(match character {
            '\\' => match characters.next()? {
                'n' => '\n',
                't' => '\t',
                plain @ ('\\' | '\'' | '"') => plain,
                _ => return None,
            },
            plain => plain,
        });
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::{Braced, arithmetic, names_in, unescaped};

    #[test]
    fn an_operator_makes_of_a_known_value_what_bash_makes_of_it() {
        for (text, value, expected) in [
            ("{x}", "a", "a"),
            ("{#x}", "abc", "3"),
            ("{x:-b}", "a", "a"),
            ("{x%.*}", "a.b.c", "a.b"),
            ("{x%%.*}", "a.b.c", "a"),
            ("{x#*.}", "a.b.c", "b.c"),
            ("{x##*/}", "a/b/c.d", "c.d"),
            ("{x%.go}", "a.go", "a"),
            ("{x%.go}", "a.rs", "a.rs"),
            ("{x:0:2}", "abcd", "ab"),
            ("{x:2}", "abcd", "cd"),
            ("{x:9}", "abcd", ""),
            ("{x#agent-}", "agent-1", "1"),
            ("{x%*b*}", "abcb", "abc"),
        ] {
            let found = Braced::read(text, false).and_then(|(braced, _)| braced.of(value));
            assert_eq!(found.as_deref(), Some(expected), "{text} {value}");
        }
    }

    #[test]
    fn what_sets_runs_or_looks_elsewhere_is_no_expansion_of_ours() {
        for text in [
            "{x@P}",
            "{x:=a}",
            "{x=a}",
            "{!x}",
            "{x[0]}",
            "{x[$(y)]}",
            "{x:?a}",
            "{x:$(y)}",
            "{x:y}",
            "{x:-$(y)}",
            "{x:-`y`}",
            "{x:-\"}\"}",
            "{(e)x}",
            "{^x}",
            "{=x}",
            "{~x}",
            "{x:-~}",
            "{x:-{a}}",
            "{1}",
            "{@}",
            "{#}",
            "{x:a[0]}",
            "{x:-a b}",
        ] {
            assert_eq!(Braced::read(text, false).filter(|(_, behind)| behind.is_empty()), None, "{text}");
        }
    }

    #[test]
    fn an_expression_says_which_names_it_takes() {
        let names = |text| arithmetic(text).and_then(|(expression, _)| names_in(expression));
        assert_eq!(names("((1+2))"), Some(vec![]));
        assert_eq!(names("(( (a + $b) * 3 == c ))"), Some(vec!["a", "b", "c"]));
        for text in [
            "((a[0]))",
            "((a=1))",
            "((a++))",
            "((a+=1))",
            "((a<<=1))",
            "(($(x)))",
            "((`x`))",
            "((f(1)))",
            "((a[$(x)]))",
            "(($1))",
            "((16#ff))",
            "((0x1))",
            "((1)",
            "((a; b))",
            "(())",
            "((--a))",
            "(('a'))",
            "((a)b)",
        ] {
            assert_eq!(names(text), None, "{text}");
        }
    }

    #[test]
    fn escapes_are_read_as_bash_and_zsh_read_them() {
        for (body, expected) in [("a\\tb\\n", "a\tb\n"), ("\\'\\\\\\\"", "'\\\""), ("é", "é")] {
            assert_eq!(unescaped(body).as_deref(), Some(expected), "{body}");
        }
        for body in ["\\e[0m", "\\0", "\\x41", "\\101", "\\u0041", "\\ca", "\\q", "\\"] {
            assert_eq!(unescaped(body), None, "{body}");
        }
    }
}
