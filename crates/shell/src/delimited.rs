//! Where a text between delimiters ends, as in `s/a/b/` of sed and `/a/` of awk.

/// What follows the next `delimiter` on the same line that is not escaped.
pub(crate) fn delimited(text: &str, delimiter: char) -> Option<&str> {
    ended(text, delimiter, |_| false)
}

/// The same behind a regular expression. A delimiter in brackets ends nothing for some programs and ends the expression
/// for others, so with one there the end is not known.
pub(crate) fn delimited_expression(text: &str, delimiter: char) -> Option<&str> {
    ended(text, delimiter, |rest| may_be_bracketed(rest, delimiter))
}

/// What follows `delimiter`; `None` where it does not come, or `is_unclear` says so of what follows a `[`.
fn ended(text: &str, delimiter: char, is_unclear: impl Fn(&str) -> bool) -> Option<&str> {
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => drop(characters.next()?),
            '\n' => return None,
            '[' if is_unclear(characters.as_str()) => return None,
            _ if character == delimiter => return Some(characters.as_str()),
            _ => {}
        }
    }
    None
}

/// Whether the bracket expression that begins in front of `text` may hold `wanted`: for sed a `\` in it is a character as
/// any other (POSIX.1-2024, "RE Bracket Expression"), for awk it takes the meaning from the next one (gawk manual, "Bracket
/// Expressions").
fn may_be_bracketed(text: &str, wanted: char) -> bool {
    [false, true].iter().any(|escapes| bracketed(text, *escapes).contains(wanted))
}

/// What stands in the bracket expression that begins in front of `text`; all of `text` where it does not end. A `]` that
/// comes first, and one in `[:x:]`, `[.x.]` and `[=x=]`, is not the end.
fn bracketed(text: &str, escapes: bool) -> &str {
    let inside = text.strip_prefix('^').unwrap_or(text);
    let mut rest = inside.strip_prefix(']').unwrap_or(inside).chars();
    loop {
        let left = rest.as_str().len();
        match rest.next() {
            None => return text,
            Some(']') => return text.get(..text.len() - left).unwrap_or(text),
            Some('\\') if escapes => drop(rest.next()),
            Some('[') => {
                let Some(kind) = rest.as_str().chars().next().filter(|kind| [':', '.', '='].contains(kind)) else {
                    continue;
                };
                let closing = format!("{kind}]");
                let name = rest.as_str().get(1..).unwrap_or_default();
                let Some((_, behind)) = name.split_once(closing.as_str()) else { return text };
                rest = behind.chars();
            }
            Some(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{delimited, delimited_expression};

    #[test]
    fn a_text_ends_at_its_delimiter() {
        for (text, rest) in [
            ("a/b", "b"),
            (r"a\/b/c", "c"),
            ("[abc]/x", "x"),
            ("[]a]/x", "x"),
            ("[^]a]/x", "x"),
            ("[[:digit:]]*/x", "x"),
            (r"\[a/x", "x"),
            ("/", ""),
        ] {
            assert_eq!(delimited_expression(text, '/'), Some(rest), "{text}");
        }
    }

    #[test]
    fn a_delimiter_in_brackets_is_for_nobody_to_tell() {
        for text in [
            "[/]/x",
            "[]/]/x",
            "[^]/]/x",
            "[[:digit:]/]/x",
            "[[.].]/]/x",
            r"[\]/]/x",
            "[a/x",
            "[[:a]/x",
            "a",
            "a\n/x",
            r"a\",
        ] {
            assert_eq!(delimited_expression(text, '/'), None, "{text}");
        }
    }

    #[test]
    fn outside_of_an_expression_brackets_are_characters() {
        assert_eq!(delimited("[]*Segment{/g", '/'), Some("g"));
        assert_eq!(delimited("[/]/g", '/'), Some("]/g"));
    }
}
