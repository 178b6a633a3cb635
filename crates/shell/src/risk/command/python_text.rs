//! A text that a line hands to Python, as `python3 -c 'import json, sys; print(json.load(sys.stdin)["a"])'`: whether it only
//! looks at its input.
//!
//! An allow-list of modules and of names behind a dot: nothing that the text can reach from these starts, opens, writes or
//! loads anything. Builtins that could are refused by name. What Python would import from the folder that it runs in instead
//! of these modules, `policy` asks its owner.
//!
//! Sources: The Python Language Reference, "Lexical analysis"; The Python Standard Library, "Built-in Functions", and the
//! pages of the modules.

use crate::command_line::{Word, WordKind};
use crate::path::may_be_named_in;

/// Modules that only work on values. What each has behind a dot counts only where it stands in [`ATTRIBUTES`].
const MODULES: &str = "json sys re collections math datetime itertools statistics textwrap csv base64 html";
/// Names behind a dot.
const ATTRIBUTES: &str = "load loads dumps stdin stdout stderr argv read readline readlines write flush exit maxsize version_info \
    get items keys values append extend insert add update sort count index copy setdefault discard union intersection difference \
    split rsplit splitlines join strip lstrip rstrip replace lower upper title capitalize startswith endswith find rfind partition \
    rpartition isdigit isalpha isalnum isspace isupper islower zfill ljust rjust center encode decode removeprefix removesuffix \
    search match fullmatch findall finditer sub compile group groups groupdict span start end escape IGNORECASE MULTILINE DOTALL \
    VERBOSE I M S X Counter defaultdict OrderedDict deque most_common elements floor ceil sqrt log log2 log10 isnan inf nan pi \
    datetime date timedelta timezone utc now today strftime strptime fromtimestamp isoformat fromisoformat total_seconds days \
    seconds year month day hour minute chain groupby islice combinations permutations product zip_longest accumulate mean median \
    stdev mode shorten indent dedent wrap fill reader DictReader fieldnames b64decode b64encode unescape JSONDecodeError msg pos \
    lineno bit_length real imag numerator denominator";
/// Builtins and words with which a text could run, write or load something, or reach what does.
const REFUSED: &str = "exec eval compile input breakpoint globals locals vars getattr setattr delattr help license credits copyright \
    super type object memoryview class async await yield import from open";
/// Longer texts are not looked at.
const MAX_LENGTH: usize = 8_000;
/// Texts in f-strings in texts in f-strings.
const MAX_DEPTH: usize = 3;

/// Checks the words behind `python3 -c`: the text, and what it is given.
pub(super) fn check(words: &[Word]) -> Result<(), &'static str> {
    let [dash_c, text, rest @ ..] = words else { return Err("runs a program") };
    if dash_c.text != "-c" || words.iter().any(|word| word.kind != WordKind::Exact) {
        return Err("runs a program");
    }
    if rest.iter().any(|word| may_be_named_in(&word.text)) {
        return Err("may read secrets");
    }
    only_looks(&text.text, 0).then_some(()).ok_or("runs a text that is not known only to look")
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Name(String),
    /// The expressions in it were looked at.
    Text,
    Number,
    Sign(char),
    /// The end of a logical line.
    End,
}

fn only_looks(text: &str, depth: usize) -> bool {
    if text.len() > MAX_LENGTH || depth > MAX_DEPTH {
        return false;
    }
    tokens(text, depth).is_some_and(|tokens| are_harmless(&tokens))
}

fn are_harmless(tokens: &[Token]) -> bool {
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        let Token::Name(name) = token else {
            // A matrix product or a decorator, neither of which such a text needs.
            if *token == Token::Sign('@') {
                return false;
            }
            at += 1;
            continue;
        };
        if before == Some(&Token::Sign('.')) {
            if !listed(ATTRIBUTES, name) {
                return false;
            }
            at += 1;
            continue;
        }
        let is_start = before.is_none_or(|before| matches!(before, Token::End | Token::Sign(';' | ':')));
        let rest = tokens.get(at + 1..).unwrap_or_default();
        let taken = match name.as_str() {
            "import" if is_start => imported(rest),
            "from" if is_start => imported_from(rest),
            name if listed(REFUSED, name) || name.contains("__") => None,
            _ => Some(0),
        };
        let Some(taken) = taken else { return false };
        at += 1 + taken;
    }
    true
}

/// `json, sys`: how many tokens.
fn imported(rest: &[Token]) -> Option<usize> {
    let end = rest.iter().position(|token| matches!(token, Token::End | Token::Sign(';'))).unwrap_or(rest.len());
    let names = rest.get(..end)?;
    let fine = |names: &[Token]| match names {
        [Token::Name(module)] => listed(MODULES, module),
        // Under another name it is the same module.
        [Token::Name(module), Token::Name(word), Token::Name(own)] => {
            listed(MODULES, module) && word == "as" && !listed(REFUSED, own) && !own.contains("__")
        }
        _ => false,
    };
    names.split(|token| *token == Token::Sign(',')).all(fine).then_some(end)
}

/// `collections import Counter, defaultdict`.
fn imported_from(rest: &[Token]) -> Option<usize> {
    let [Token::Name(module), Token::Name(word), names @ ..] = rest else { return None };
    let end = names.iter().position(|token| matches!(token, Token::End | Token::Sign(';'))).unwrap_or(names.len());
    let fine = |names: &[Token]| matches!(names, [Token::Name(name)] if listed(ATTRIBUTES, name));
    let all = names.get(..end)?.split(|token| *token == Token::Sign(',')).all(fine);
    (word == "import" && listed(MODULES, module) && all).then_some(end + 2)
}

/// `None`: it is not read here as Python reads it.
fn tokens(text: &str, depth: usize) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut open = 0_usize;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if first == '#' {
            // Python 2 decodes what follows as such a comment says: the letters are others then.
            let comment = rest.lines().next().unwrap_or_default();
            (!comment.contains("coding")).then_some(())?;
            rest = rest.find('\n').and_then(|end| rest.get(end..)).unwrap_or_default();
            continue;
        }
        if let Some(behind) = rest.strip_prefix("\\\n") {
            rest = behind;
            continue;
        }
        if first.is_ascii_alphabetic() || first == '_' {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            let (word, behind) = rest.split_at_checked(end)?;
            // Python makes one letter of another: `ｅval` is `eval`.
            behind.chars().next().is_none_or(|next| next.is_ascii()).then_some(())?;
            if behind.starts_with(['"', '\'']) {
                let (token, behind) = quoted(behind, word, depth)?;
                tokens.push(token);
                rest = behind;
            } else {
                tokens.push(Token::Name(word.to_owned()));
                rest = behind;
            }
            continue;
        }
        if first == '"' || first == '\'' {
            let (token, behind) = quoted(rest, "", depth)?;
            tokens.push(token);
            rest = behind;
            continue;
        }
        if first.is_ascii_digit() {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '.').unwrap_or(rest.len());
            let (number, behind) = rest.split_at_checked(end)?;
            // `1.real`, `1if x`: what is glued to a number may be a name.
            let is_plain =
                number.bytes().all(|byte| byte.is_ascii_digit() || b"._".contains(&byte)) && !number.ends_with('.');
            is_plain.then_some(())?;
            tokens.push(Token::Number);
            rest = behind;
            continue;
        }
        match first {
            '(' | '[' | '{' => open += 1,
            ')' | ']' | '}' => open = open.checked_sub(1)?,
            _ => {}
        }
        match first {
            '\n' if open > 0 => {}
            '\n' => tokens.push(Token::End),
            ' ' | '\t' => {}
            sign if "()[]{}:,.;=+-*/%<>!&|^~@".contains(sign) => tokens.push(Token::Sign(sign)),
            _ => return None,
        }
        rest = rest.get(first.len_utf8()..)?;
    }
    (open == 0).then_some(tokens)
}

/// The text that starts with the quote at the beginning of `rest`, behind `prefix`, and what follows it.
fn quoted<'a>(rest: &'a str, prefix: &str, depth: usize) -> Option<(Token, &'a str)> {
    let prefix = prefix.to_ascii_lowercase();
    ["", "r", "b", "u", "f", "rb", "br", "rf", "fr"].contains(&prefix.as_str()).then_some(())?;
    let quote = rest.chars().next()?;
    let triple: String = std::iter::repeat_n(quote, 3).collect();
    let (mark, inside) = match rest.strip_prefix(&triple) {
        Some(inside) => (triple, inside),
        None => (quote.to_string(), rest.get(1..)?),
    };
    let mut at = 0;
    let end = loop {
        let left = inside.get(at..)?;
        if left.starts_with(&mark) {
            break at;
        }
        let first = left.chars().next()?;
        if first == '\n' && mark.len() == 1 {
            return None;
        }
        at += first.len_utf8();
        if first == '\\' {
            at += left.chars().nth(1)?.len_utf8();
        }
    };
    let (content, behind) = (inside.get(..end)?, inside.get(end + mark.len()..)?);
    let is_harmless = !prefix.contains('f') || are_expressions_harmless(content, depth);
    is_harmless.then_some((Token::Text, behind))
}

/// Whether what stands in the braces of an f-string only looks.
fn are_expressions_harmless(content: &str, depth: usize) -> bool {
    let mut rest = content;
    if content.contains("\\N") {
        return false;
    }
    while let Some(at) = rest.find(['{', '}']) {
        let brace = rest.get(at..=at);
        let behind = rest.get(at + 1..).unwrap_or_default();
        if let Some(doubled) = brace.and_then(|brace| behind.strip_prefix(brace)) {
            rest = doubled;
            continue;
        }
        let mut open = 1_usize;
        let end = behind.char_indices().find_map(|(index, character)| {
            match character {
                '{' => open += 1,
                '}' => open -= 1,
                _ => {}
            }
            (open == 0).then_some(index)
        });
        let Some(end) = end.filter(|_| brace == Some("{")) else { return false };
        let (expression, format) = without_format(behind.get(..end).unwrap_or_default());
        // A format is a text, but for what stands in braces in it.
        let is_plain = !expression.contains(['#', '\\', '\n']) && !format.contains(['{', '}']);
        if !is_plain || !only_looks(expression, depth + 1) {
            return false;
        }
        rest = behind.get(end + 1..).unwrap_or_default();
    }
    true
}

/// `n` and `>6` of `n:>6`.
fn without_format(replaced: &str) -> (&str, &str) {
    let (mut open, mut quote) = (0_usize, None);
    for (at, character) in replaced.char_indices() {
        match character {
            _ if quote == Some(character) => quote = None,
            _ if quote.is_some() => {}
            '"' | '\'' => quote = Some(character),
            '(' | '[' | '{' => open += 1,
            ')' | ']' | '}' => open = open.saturating_sub(1),
            ':' if open == 0 => {
                return (replaced.get(..at).unwrap_or_default(), replaced.get(at + 1..).unwrap_or_default());
            }
            _ => {}
        }
    }
    (replaced, "")
}

fn listed(list: &str, name: &str) -> bool {
    list.split_ascii_whitespace().any(|listed| listed == name)
}

#[cfg(test)]
mod tests {
    use crate::risk::{RiskLevel, classify_part};
    use crate::{CommandLine, Shell};

    fn looks(text: &str) -> bool {
        super::only_looks(text, 0)
    }

    #[test]
    fn a_text_that_shows_its_input_only_looks() {
        for text in [
            "import json,sys; print(json.load(sys.stdin)['a'])",
            "import json,sys; d=json.load(sys.stdin); print([f['name'] for f in d['fields'] if 'x' in f['name'].lower()])",
            "import sys, json\nfor i, line in enumerate(sys.stdin):\n    try:\n        data = json.loads(line)\n    except Exception as e:\n        print(f'Error: {e}')\n        continue\n    print(f'{i}: {data.get(\"type\", \"\")[:20]} {len(line):>6}')",
            "import sys; print(f'{len(sys.stdin.read()) / 3:.2f} {1:>10,}')",
            "from collections import Counter; import sys\nprint(Counter(sys.stdin.read().split()).most_common(3))",
            "import re,sys # why\nprint(re.findall(r'\\d+', sys.stdin.read()))",
            "print(2 ** 10, 0.5 + 1_000)",
            "import sys\nrows = [\n  (1, 'a'),\n]\nfor n, s in rows:\n    sys.stdout.write(f'{n} {s}\\n')",
            "import json as j, sys; print(sorted(j.load(sys.stdin).items(), key=lambda kv: -kv[1]))",
        ] {
            assert!(looks(text), "{text}");
        }
    }

    #[test]
    fn whatever_may_do_more_is_not_known() {
        for text in [
            "import os; os.system('x')",
            "import subprocess",
            "import json, os",
            "import json.tool",
            "from os import system",
            "from json import codecs",
            "from sys import modules",
            "from sys import *",
            "from . import x",
            "import json; json.codecs.open('x', 'w')",
            "import sys; sys.modules['os'].system('x')",
            "import re; re.enum.sys.modules",
            "import sys; sys.path.append('/tmp')",
            "import sys; sys.settrace(x)",
            "import sys; sys.breakpointhook()",
            "exec('x')",
            "eval('x')",
            "e = eval; e('x')",
            "__import__('os').system('x')",
            "getattr(x, 'y')",
            "print.__self__",
            "().__class__.__bases__[0].__subclasses__()",
            "'{0.__class__}'.format(x)",
            "type('X', (), {})",
            "open('x', 'w')",
            "print(open('x').read())",
            "map(open, ['x'])",
            "f'{__import__(\"os\").system(\"x\")}'",
            "f'{eval(x)}'",
            "f'{x!r:{eval(y)}}'",
            "f'{x[0:eval(y)]}'",
            "f'{(lambda: eval(y))()}'",
            "f'{x:{y}}'",
            "f'{f\"{eval(x)}\"}'",
            "f'{{{eval(x)}}}'",
            "f'{x[\"a\"]}' if exec('y') else 1",
            "rf'{eval(x)}'",
            "F'{eval(x)}'",
            "import json; json.dump({}, x)",
            "class A: pass",
            "@eval\ndef f(): pass",
            "breakpoint()",
            "# coding: rot13\nvzcbeg bf",
            "input()",
            "globals()",
            "\u{ff45}val('x')",
            "e\u{ff56}al('x')",
            "1if eval('x')else 2",
            "1.real.x",
            "x\\\n.system",
            "print('a\nb')",
            "print('a",
            "print(1))",
            "import sys; sys.exit(); import os",
            "if 1: import os",
            "x = 1; import os",
            "lambda: (yield)",
            "help()",
            "license()",
            "\r\nimport os",
            "\u{c}import os",
        ] {
            assert!(!looks(text), "{text}");
        }
    }

    #[test]
    fn it_counts_as_a_text_on_the_line_alone() {
        let looks = |line: &str| {
            let line = CommandLine::analyse(line, Shell::Bash);
            line.obstacle.is_none() && line.parts.iter().all(|part| classify_part(part).level == RiskLevel::ReadOnly)
        };
        for line in [
            "gh pr list --json number | python3 -c 'import json,sys; print(len(json.load(sys.stdin)))'",
            "cat a.json | python3 -c \"import sys,json; print(json.load(sys.stdin)['x'])\" | head -3",
            "python3 -c 'print(1)'",
        ] {
            assert!(looks(line), "{line}");
        }
        for line in [
            "python3 -c \"print('$X')\"",
            "python3 -c 'print(1)' .env",
            "python3 -ic 'print(1)'",
            "python3 -i -c 'print(1)'",
            "python3 -X importtime -c 'print(1)'",
            "python3 -c",
            "python3 - -c 'print(1)'",
            "python3 x.py -c 'print(1)'",
            "./python3 -c 'print(1)'",
            "PYTHONPATH=x python3 -c 'import json'",
            "sudo python3 -c 'print(1)'",
            "python3 -c 'print(1)' > ~/.bashrc",
            "python3 -m http.server",
        ] {
            assert!(!looks(line), "{line}");
        }
    }
}
