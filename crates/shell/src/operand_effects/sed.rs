//! sed scripts that neither execute, write, nor read other files.
//!
//! Source: sed(1), GNU sed manual "Commands" (`e`, `r`, `R`, `w`, `W`, the flags `e` and `w` of `s`).

use super::super::command_line::{Word, WordKind};
use super::spelled::Spelled;
use crate::delimited::{delimited, delimited_expression};
use crate::programs::name::canonical;
use crate::programs::spec::{Operands, Spec};

/// Why a script of this sed command is not covered.
pub(super) fn refusal(words: &[Word], spelled: &[Spelled]) -> Option<String> {
    let pairs = || words.iter().zip(spelled).skip(1);
    let is_expression = |word: &Word| word.text == "-e" || word.text == "--expression";
    let mut scripts: Vec<(&Word, &Spelled)> = Vec::new();
    let mut takes = false;
    for (word, spelled) in pairs() {
        if std::mem::replace(&mut takes, is_expression(word)) {
            scripts.push((word, spelled));
        }
    }
    let inside: Vec<(Word, &Spelled)> = pairs()
        .filter_map(|(word, spelled)| {
            let script = word.text.strip_prefix("--expression=")?;
            Some((Word { text: script.to_owned(), kind: word.kind }, spelled))
        })
        .collect();
    scripts.extend(inside.iter().map(|(word, spelled)| (word, *spelled)));
    let glued = pairs().any(|(word, spelled)| {
        *spelled == Spelled::Not
            && word.text.starts_with('-')
            && !word.text.starts_with("--")
            && word.text.contains('e')
            && word.text != "-e"
    });
    if scripts.is_empty() {
        scripts.extend(pairs().find(|(word, _)| !word.text.starts_with('-')));
    }
    let harmless = |word: &Word| word.kind == WordKind::Exact && is_harmless(&word.text);
    let odd = scripts.iter().any(|(word, spelled)| **spelled != Spelled::Out && !harmless(word));
    (glued || odd)
        .then(|| "a `sed` script can run programs and write files, so a pattern has to spell it out".to_owned())
}

/// Whether `option` gives a script, or the file with one, to a program whose first operand is one otherwise.
pub(super) fn gives_script(spec: &Spec, option: &str) -> bool {
    let letters = option.strip_prefix('-').filter(|letters| !letters.starts_with('-'));
    spec.operands == Operands::SedScript
        && (["--expression", "--file"].iter().any(|name| option.starts_with(name))
            || letters.is_some_and(|letters| letters.ends_with(['e', 'f'])))
}

/// What some of `scripts` may write to or run, as sed reads it: the names behind `w`, the commands behind `e`,
/// and all of a script that runs what it puts in the place. More rather than less.
pub(crate) fn handed_on<'a>(scripts: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut found = Vec::new();
    for text in scripts.filter(|text| !is_harmless(text)) {
        for (at, letter) in text.char_indices().filter(|(_, letter)| matches!(letter, 'w' | 'W' | 'e')) {
            let Some(behind) = text.get(at + 1..) else { continue };
            let line = behind.lines().next().unwrap_or_default().trim_start_matches([' ', '\t']);
            let ends = behind.is_empty() || behind.starts_with([' ', ';', '}', '\n']);
            match letter {
                'e' if ends => found.push(text.replace("\\/", "/")),
                'e' => {}
                _ if line.starts_with(['/', '~']) || line.contains("../") || line.contains(".git/") => {
                    found.push(line.to_owned());
                }
                _ => {}
            }
        }
    }
    found
}

/// Whether a script among `words`, a call of sed, runs programs: the command `e`, and `e` behind `s` (GNU sed manual,
/// "Commands Specific to GNU sed").
pub(crate) fn runs_programs(words: &[Word]) -> bool {
    let is_sed = words.first().is_some_and(|program| canonical(&program.text) == "sed");
    let words = words.get(1..).filter(|_| is_sed).unwrap_or_default();
    let given = words.iter().zip(words.iter().skip(1)).filter(|(option, _)| {
        let letters = option.text.strip_prefix('-').filter(|letters| !letters.starts_with('-'));
        option.text == "--expression" || letters.is_some_and(|letters| letters.ends_with('e'))
    });
    let given: Vec<&str> = given.map(|(_, script)| script.text.as_str()).collect();
    let glued = words.iter().filter_map(|word| word.text.strip_prefix("--expression="));
    let first = words.iter().map(|word| word.text.as_str()).find(|word| !word.starts_with('-'));
    let first = first.filter(|_| given.is_empty());
    given.into_iter().chain(glued).chain(first).filter(|script| !is_harmless(script)).any(runs)
}

/// Whether `script`, which does more than change text, has an `e` where a command or a flag of `s` stands.
fn runs(script: &str) -> bool {
    script.match_indices('e').any(|(at, _)| {
        let (before, behind) = (script.get(..at).unwrap_or_default(), script.get(at + 1..).unwrap_or_default());
        let ends = behind.is_empty() || behind.starts_with([' ', ';', '}', '\n', 'p', 'g', 'm']);
        let starts = before.is_empty()
            || before.ends_with(|sign: char| {
                sign.is_ascii_punctuation() || sign.is_ascii_digit() || " \ngpIm".contains(sign)
            });
        ends && starts
    })
}

/// `5p`, `1,5p`, `$p`, `5q`, `1~2p`, `/text/p`, `/text/Id`, `s/a/b/gI`, `y/a/b/`, `/x/{n;p}`, `1a text`, and several
/// with `;` between.
pub(crate) fn is_harmless(script: &str) -> bool {
    let mut rest = script.trim();
    if rest.is_empty() {
        return false;
    }
    let mut open = 0_usize;
    loop {
        let Some(addressed) = address(rest) else { return false };
        if let Some(block) = addressed.strip_prefix('{') {
            open += 1;
            rest = block.trim_start_matches(' ');
            continue;
        }
        let Some(after) = command(addressed) else { return false };
        let mut after = after.trim_start_matches(' ');
        while let Some(closed) = after.strip_prefix('}').or_else(|| after.strip_prefix(";}")) {
            let Some(left) = open.checked_sub(1) else { return false };
            open = left;
            after = closed.trim_start_matches(' ');
        }
        if after.is_empty() {
            return open == 0;
        }
        let Some(next) = after.strip_prefix([';', '\n']) else { return false };
        rest = next.trim_start_matches([' ', '\n']);
        if rest.is_empty() {
            return open == 0;
        }
    }
}

fn address(script: &str) -> Option<&str> {
    let mut rest = one_address(script)?;
    if let Some(second) = rest.strip_prefix(',') {
        // `/x/,+3`, `/x/,~4`.
        rest = one_address(second.strip_prefix(['+', '~']).unwrap_or(second))?;
    }
    Some(rest.trim_start_matches([' ', '!']))
}

fn one_address(script: &str) -> Option<&str> {
    if let Some(pattern) = script.strip_prefix('/') {
        let rest = delimited_expression(pattern, '/')?;
        return Some(rest.strip_prefix('I').unwrap_or(rest));
    }
    // A step is `first~step`.
    let first = script.trim_start_matches(|character: char| character.is_ascii_digit());
    if first.len() != script.len()
        && let Some(step) = first.strip_prefix('~')
    {
        return Some(step.trim_start_matches(|character: char| character.is_ascii_digit()));
    }
    Some(script.trim_start_matches(|character: char| character.is_ascii_digit() || character == '$'))
}

/// What follows the text of `a`, `i` or `c`: it goes on to the end of a line that no `\` continues.
fn behind_text(script: &str) -> &str {
    let is_end = |at: &usize| {
        let before = script.get(..*at).unwrap_or_default();
        let backslashes = before.len() - before.trim_end_matches('\\').len();
        backslashes % 2 == 0
    };
    let end = script.match_indices('\n').map(|(at, _)| at).find(is_end);
    end.and_then(|end| script.get(end..)).unwrap_or_default()
}

fn command(script: &str) -> Option<&str> {
    let mut characters = script.chars();
    match characters.next()? {
        'p' | 'd' | 'q' | '=' | 'D' | 'P' | 'g' | 'G' | 'h' | 'H' | 'x' | 'n' | 'N' => Some(characters.as_str()),
        'a' | 'i' | 'c' => Some(behind_text(characters.as_str())),
        'y' => {
            let rest = characters.as_str().strip_prefix('/')?;
            delimited(rest, '/').and_then(|rest| delimited(rest, '/'))
        }
        's' => {
            let delimiter = characters.next()?;
            if delimiter.is_ascii_alphanumeric() || delimiter.is_whitespace() || delimiter == '\\' {
                return None;
            }
            let rest = delimited_expression(characters.as_str(), delimiter)?;
            // Brackets mean nothing in what is put in the place.
            let rest = delimited(rest, delimiter)?;
            let flags =
                rest.trim_start_matches(|flag: char| flag.is_ascii_digit() || matches!(flag, 'g' | 'p' | 'I' | 'i'));
            (flags.is_empty() || flags.starts_with([';', ' ', '}', '\n'])).then_some(flags)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::is_harmless;

    #[test]
    fn printing_and_substituting_are_harmless() {
        for script in [
            "5p",
            "1,20p",
            "$p",
            "/foo/p",
            "/a/,/b/p",
            "s/a/b/",
            "s|a|b|g",
            "s/a\\/b/c/gI",
            "1d;s/x/y/",
            "/^#/d",
            "1~2p",
            "5{p;q}",
            "/x/{n;p}",
            "/x/I p",
            "/x/,+3d",
            "y/abc/xyz/",
            "1p\n2p",
            "/a/{/b/{p}}",
            "s/[]a]/x/",
            "s/a/[]*b/",
            "s/\\[\\]a/[]b/g",
            "s/[[:digit:]]*$//",
            "s,[^]/],x,g",
            "/[^[:space:]]/p",
            "a\\ntext",
            "/^import (/a\\\n\t\"example.com/x\"\n",
            "1i // e id",
            "$a x\\\ne id",
            "2c x\n3d",
        ] {
            assert!(is_harmless(script), "{script}");
        }
    }

    #[test]
    fn executing_writing_and_reading_are_not() {
        for script in [
            "1e id",
            "e",
            "s/a/b/e",
            "s/a/b/ge",
            "w x",
            "1w x",
            "s/a/b/w x",
            "s/a/b/gw x",
            "r /etc/passwd",
            "W x",
            "R x",
            "1!e x",
            "s/[/]/x/e",
            "s,[],],p;5,e",
            "s,[^],],x,e",
            "s,[],],p;s,e;/x,y,p",
            "s,[[:alpha:],],p;y/a/b/,e",
            "s,[[.].],],p,e",
            "s,[a,p;p",
            "/[]/]/p;/x/e id",
            "a x\ne id",
            "a\\\n\ne id",
            "a x\\\\\ne id",
            "1i x\nw out",
            "{e}",
            "p;e id",
            "5{e id}",
            "5{p};e id",
            "5{p}e id",
            "5{p",
            "p}",
            "1~2e id",
            "/x/Ie id",
            "/x/,+3e id",
            "y/a/b/;e id",
            "y/a/b/w x",
            "1p\ne id",
            "{p;w x\n}",
            "",
        ] {
            assert!(!is_harmless(script), "{script}");
        }
    }
}
