//! Formats of one setting a line that have no parser of their own.

use super::{NotUnderstood, Setting};

/// A name that everybody reads in the same way, in small letters: printable ASCII without quotes but around all
/// of it, without `\`, and without `$`, which stands for something else.
fn plain_name(written: &str, line: usize) -> Result<String, NotUnderstood> {
    let name = written.trim_matches([' ', '\t']);
    let unquoted = |quote: char| name.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    let name = unquoted('"').or_else(|| unquoted('\'')).unwrap_or(name);
    let odd = |c: char| !(c.is_ascii_graphic() || c == ' ') || "\\$\"'`".contains(c);
    if name.contains(odd) {
        return Err(NotUnderstood::at(line, "has a name that is not plain"));
    }
    Ok(name.trim_matches(' ').to_lowercase())
}

fn setting(name: String, value: &str) -> Setting {
    Setting { keys: vec![name], value: Some(value.trim().to_owned()) }
}

/// Lines with their numbers, without those that are empty or begin with one of `comments`.
fn lines<'a>(text: &'a str, comments: &'static [char]) -> impl Iterator<Item = (usize, &'a str)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let numbered =
        text.split('\n').enumerate().flat_map(|(index, line)| line.split('\r').map(move |part| (index + 1, part)));
    numbered
        .map(|(line, text)| (line, text.trim_matches([' ', '\t'])))
        .filter(move |(_, text)| !text.is_empty() && !text.starts_with(comments))
}

/// `.npmrc` (npm 11, "npmrc"; the package `ini`): `${NAME}` is replaced in names as well as in values.
pub(in super::super) fn npmrc(text: &str) -> Result<Vec<Setting>, NotUnderstood> {
    lines(text, &['#', ';'])
        .filter(|(_, text)| !text.starts_with('['))
        .map(|(line, text)| {
            let (name, value) = text.split_once('=').unwrap_or((text, ""));
            Ok(setting(plain_name(name, line)?.trim_end_matches("[]").trim_end().to_owned(), value))
        })
        .collect()
}

/// `.yarnrc` of Yarn 1: a name, a blank or a colon, a value. It is read as a lockfile, where several names may stand before
/// one value, and as YAML where that fails. Both have other spellings, which are refused.
pub(in super::super) fn yarnrc(text: &str) -> Result<Vec<Setting>, NotUnderstood> {
    lines(text, &['#'])
        .map(|(line, text)| {
            let quote = text.chars().next().filter(|first| "\"'".contains(*first));
            let end = match quote {
                Some(quote) => text.get(1..).and_then(|rest| rest.find(quote)).map(|at| at + 2),
                None => text.find([' ', '\t', ':']),
            };
            let (name, value) = text.split_at(end.unwrap_or(text.len()));
            let is_plain = quote.is_some() || name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.@/".contains(c));
            if !is_plain || value.trim_start_matches([' ', '\t', ':']).starts_with(',') {
                return Err(NotUnderstood::at(line, "is no name and value"));
            }
            Ok(setting(plain_name(name, line)?, value.trim_start_matches([' ', '\t', ':'])))
        })
        .collect()
}

/// `.env` (Docker Compose, "Set environment variables", "Syntax"). A value in quotes may have several lines; each of
/// them is taken for a setting as well, which finds too much, never too little.
pub(in super::super) fn dot_env(text: &str) -> Result<Vec<Setting>, NotUnderstood> {
    let mut settings = Vec::new();
    for (line, text) in lines(text, &['#']) {
        let exported = text.strip_prefix("export").filter(|rest| rest.starts_with([' ', '\t', '\u{b}', '\u{c}']));
        let text = exported.unwrap_or(text).trim_start_matches([' ', '\t', '\u{b}', '\u{c}']);
        if let Some(end) = text.find(['=', ':']) {
            let (name, value) = text.split_at(end);
            settings.push(setting(plain_name(name, line)?, value.trim_start_matches(['=', ':'])));
        }
    }
    Ok(settings)
}

/// Sections with `name = value` lines (`hg help config`; configparser of Python). What continues a line is left out.
pub(in super::super) fn ini(text: &str) -> Result<Vec<Setting>, NotUnderstood> {
    let mut section = String::new();
    let mut settings = Vec::new();
    for (index, whole) in text.split(['\n', '\r']).enumerate() {
        let line = index + 1;
        if whole.is_empty() || whole.starts_with([' ', '\t', '#', ';']) {
            continue;
        }
        if let Some(name) = whole.strip_prefix('[') {
            section = plain_name(name.split(']').next().unwrap_or(name), line)?;
        } else {
            let (name, value) = whole.split_once(['=', ':']).unwrap_or((whole, ""));
            let keys = vec![section.clone(), plain_name(name, line)?];
            settings.push(Setting { keys, value: Some(value.trim().to_owned()) });
        }
    }
    Ok(settings)
}

/// Properties of Java (`java.util.Properties.load`), with its escapes and joined lines.
pub(in super::super) fn properties(text: &str) -> Result<Vec<Setting>, NotUnderstood> {
    let blank = |c: char| matches!(c, ' ' | '\t' | '\u{c}');
    let mut settings = Vec::new();
    let text = text.replace("\r\n", "\n");
    let mut rest = text.split(['\n', '\r']).enumerate();
    while let Some((index, first)) = rest.next() {
        let first = first.trim_start_matches(blank);
        if first.is_empty() || first.starts_with(['#', '!']) {
            continue;
        }
        let mut joined = first.to_owned();
        while joined.chars().rev().take_while(|c| *c == '\\').count() % 2 == 1 {
            joined.pop();
            let Some((_, next)) = rest.next() else { break };
            joined.push_str(next.trim_start_matches(blank));
        }
        let mut escaped = false;
        let ends = |c: char| {
            let here = !escaped && (c == '=' || c == ':' || blank(c));
            escaped = c == '\\' && !escaped;
            here
        };
        let (name, value) = joined.split_at(joined.find(ends).unwrap_or(joined.len()));
        let value = value.trim_start_matches(blank);
        let value = value.strip_prefix(['=', ':']).unwrap_or(value).trim_start_matches(blank);
        let decode = |text| unescaped(text).ok_or_else(|| NotUnderstood::at(index + 1, "has an escape that is none"));
        settings.push(Setting { keys: vec![decode(name)?], value: Some(decode(value)?) });
    }
    Ok(settings)
}

fn unescaped(text: &str) -> Option<String> {
    let mut plain = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            plain.push(letter);
            continue;
        }
        match letters.next() {
            Some('u') => {
                let digits: String = letters.by_ref().take(4).collect();
                let number = u32::from_str_radix(&digits, 16).ok().filter(|_| digits.len() == 4)?;
                plain.push(char::from_u32(number)?);
            }
            Some('t' | 'n' | 'r' | 'f') => plain.push(' '),
            Some(other) => plain.push(other),
            None => {}
        }
    }
    Some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(read: Result<Vec<Setting>, NotUnderstood>) -> Vec<String> {
        read.unwrap().iter().map(|setting| format!("{}={}", setting.name(), setting.value())).collect()
    }

    #[test]
    fn names_are_read_however_they_are_spelled() {
        for text in ["git=./x", "  GIT = ./x", "\"git\" = ./x", "'git'=./x", "git[]=./x", "a=b\rgit=./x"] {
            assert!(told(npmrc(text)).contains(&"git=./x".to_owned()), "{text}");
        }
        for text in ["yarn-path ./x", "\"yarn-path\" ./x", "yarn-path: ./x", "yarn-path\t./x"] {
            assert_eq!(told(yarnrc(text)), ["yarn-path=./x"], "{text}");
        }
        for text in ["A=x", "export A=x", "export\tA=x", "export  A = x", "A: x", "\u{feff}A=x"] {
            assert_eq!(told(dot_env(text)), ["a=x"], "{text}");
        }
        for text in
            ["java.home=./x", "java.h\\ome : ./x", "java.ho\\\n   me ./x", "java.\\u0068ome=./x", "java.home\\\n=./x"]
        {
            assert_eq!(told(properties(text)), ["java.home=./x"], "{text}");
        }
        assert_eq!(told(properties("a=b\\\n  c\n#d\\\ne=f")), ["a=bc", "e=f"]);
        assert_eq!(
            told(ini("[extensions]\nx = ./evil.py\n y\n[paths]\ndefault: z")),
            ["extensions.x=./evil.py", "paths.default=z"]
        );
    }

    #[test]
    fn names_that_are_not_plain_are_refused() {
        for text in ["regist${NOPE?}ry=x", "gi\\t=x", "\"gi\\u0074\"=x", "git\u{a0}=x", "g\"it=x"] {
            assert!(npmrc(text).is_err(), "{text}");
        }
        for text in ["export\u{a0}A=x", "\"A\\x\"=x", "A$B=x", "A\u{85}=x"] {
            assert!(dot_env(text).is_err(), "{text}");
        }
        assert!(properties("a=\\u00zz").is_err());
        for text in [
            "\"yarn\\u002dpath\" x",
            "foo, yarn-path \"./evil.js\"",
            "foo , yarn-path \"./evil.js\"",
            "\"foo\", yarn-path x",
            "{ \"yarn-path\": \"./evil.js\" }",
            "? yarn-path\n: ./evil.js",
            "&a yarn-path: ./evil.js",
            "\"x\n\", yarn-path ./evil.js",
        ] {
            assert!(yarnrc(text).is_err(), "{text}");
        }
    }

    #[test]
    fn ordinary_lines_are_read() {
        assert!(
            npmrc("# a\n; b\n//npm.pkg.github.com/:_authToken=${TOKEN}\n@a:registry=https://x\n[x]\nhoist\n").is_ok()
        );
        assert!(dot_env("A=\"-----BEGIN\nMIIab+/==\n-----END\"\nURL=postgres://u:p@h/d?x=$Y\n").is_ok());
        assert!(yarnrc("# x\n\"@a:registry\" \"https://x\"\n--install.frozen-lockfile true\n").is_ok());
    }
}
