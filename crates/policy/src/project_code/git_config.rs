//! The file format of git's configuration, read as git reads it.
//!
//! Source: git-config(1), "CONFIGURATION FILE", "Syntax". What does not follow it is refused, since git and a
//! reader that guesses could see different settings.

use crate::facts::GitSetting;

/// The file does not follow the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("git_config_malformed: line {line} is not what git's settings look like")]
pub struct MalformedGitConfig {
    /// The line, from 1.
    pub line: usize,
}

/// Every setting of `text`, in order.
///
/// # Errors
/// When a line does not follow the format.
pub fn read_git_config(text: &str) -> Result<Vec<GitSetting>, MalformedGitConfig> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n");
    let mut reader = Reader { characters: text.chars().collect(), position: 0 };
    reader.settings().map_err(|Malformed| {
        let before = reader.characters.iter().take(reader.position);
        MalformedGitConfig { line: 1 + before.filter(|character| **character == '\n').count() }
    })
}

struct Malformed;

struct Reader {
    characters: Vec<char>,
    position: usize,
}

impl Reader {
    fn next(&mut self) -> Option<char> {
        let next = self.characters.get(self.position).copied();
        self.position += 1;
        next
    }

    fn settings(&mut self) -> Result<Vec<GitSetting>, Malformed> {
        let mut settings = Vec::new();
        let mut section: Option<(String, Option<String>)> = None;
        while let Some(character) = self.next() {
            match character {
                '\0' => return Err(Malformed),
                '#' | ';' => self.skip_line(),
                blank if is_blank(blank) => {}
                '[' => section = Some(self.section()?),
                letter if letter.is_ascii_alphabetic() => {
                    let (section, subsection) = section.clone().ok_or(Malformed)?;
                    let (key, value) = self.key_and_value(letter)?;
                    settings.push(GitSetting { section, subsection, key, value });
                }
                _ => return Err(Malformed),
            }
        }
        Ok(settings)
    }

    fn skip_line(&mut self) {
        while self.next().is_some_and(|character| character != '\n') {}
    }

    /// `[name]`, `[name "sub"]`, or the old `[name.sub]`. Of both at once, `[name.a "b"]`, git makes `name.a.b`
    /// (config.c, `get_extended_base_var`).
    fn section(&mut self) -> Result<(String, Option<String>), Malformed> {
        let mut name = String::new();
        let mut quoted = None;
        loop {
            match self.next().ok_or(Malformed)? {
                ']' => break,
                ' ' | '\t' => {
                    quoted = Some(self.subsection()?);
                    break;
                }
                character if is_key_character(character) || character == '.' => name.push(character),
                _ => return Err(Malformed),
            }
        }
        let (section, dotted) = match name.split_once('.') {
            Some((section, dotted)) => (section, Some(dotted.to_ascii_lowercase())),
            None => (name.as_str(), None),
        };
        let subsection = match (dotted, quoted) {
            (Some(dotted), Some(quoted)) => Some(format!("{dotted}.{quoted}")),
            (dotted, quoted) => dotted.or(quoted),
        };
        Ok((lower_name(section)?, subsection))
    }

    fn subsection(&mut self) -> Result<String, Malformed> {
        let mut first = self.next().ok_or(Malformed)?;
        while first == ' ' || first == '\t' {
            first = self.next().ok_or(Malformed)?;
        }
        if first != '"' {
            return Err(Malformed);
        }
        let mut subsection = String::new();
        loop {
            match self.next().ok_or(Malformed)? {
                '"' => break,
                '\n' | '\0' => return Err(Malformed),
                '\\' => match self.next().ok_or(Malformed)? {
                    '\n' | '\0' => return Err(Malformed),
                    escaped => subsection.push(escaped),
                },
                character => subsection.push(character),
            }
        }
        if self.next() == Some(']') { Ok(subsection) } else { Err(Malformed) }
    }

    fn key_and_value(&mut self, first: char) -> Result<(String, Option<String>), Malformed> {
        let mut key = String::from(first.to_ascii_lowercase());
        let mut after = self.next();
        while let Some(character) = after.filter(|character| is_key_character(*character)) {
            key.push(character.to_ascii_lowercase());
            after = self.next();
        }
        while matches!(after, Some(' ' | '\t')) {
            after = self.next();
        }
        match after {
            None | Some('\n') => Ok((key, None)),
            Some('=') => Ok((key, Some(self.value()?))),
            Some(_) => Err(Malformed),
        }
    }

    fn value(&mut self) -> Result<String, Malformed> {
        let mut value = String::new();
        let mut quoted = false;
        // Length up to the last character that is no blank outside of quotes.
        let mut kept = 0;
        loop {
            match self.next() {
                None | Some('\n') if quoted => return Err(Malformed),
                None | Some('\n') => break,
                Some('\0') => return Err(Malformed),
                Some('#' | ';') if !quoted => {
                    self.skip_line();
                    break;
                }
                Some('"') => {
                    quoted = !quoted;
                    kept = value.len();
                }
                Some('\\') => {
                    match self.next() {
                        Some('\n') => continue,
                        Some('n') => value.push('\n'),
                        Some('t') => value.push('\t'),
                        Some('b') => value.push('\u{8}'),
                        Some(same @ ('\\' | '"')) => value.push(same),
                        _ => return Err(Malformed),
                    }
                    kept = value.len();
                }
                Some(blank) if is_blank(blank) && !quoted => {
                    if !value.is_empty() {
                        value.push(blank);
                    }
                }
                Some(character) => {
                    value.push(character);
                    kept = value.len();
                }
            }
        }
        value.truncate(kept);
        Ok(value)
    }
}

/// git-compat-util.h, `isspace`: no form feed, and no vertical tab.
fn is_blank(character: char) -> bool {
    [' ', '\t', '\n', '\r'].contains(&character)
}

fn is_key_character(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '-'
}

fn lower_name(name: &str) -> Result<String, Malformed> {
    if name.is_empty() { Err(Malformed) } else { Ok(name.to_ascii_lowercase()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<String> {
        let shown = |setting: &GitSetting| {
            format!(
                "{}|{}|{}|{}",
                setting.section,
                setting.subsection.as_deref().unwrap_or("-"),
                setting.key,
                setting.value.as_deref().unwrap_or("-")
            )
        };
        read_git_config(text).unwrap().iter().map(shown).collect()
    }

    #[test]
    fn settings_are_read_as_git_reads_them() {
        assert_eq!(read("[core]\n\tbare = false\n"), ["core|-|bare|false"]);
        assert_eq!(read("[CORE] FsMonitor=./x # why\n"), ["core|-|fsmonitor|./x"]);
        assert_eq!(read("\u{feff}[core]\r\n  pager\r\n"), ["core|-|pager|-"]);
        assert_eq!(read("[diff \"Wo\\\"rd\"] textconv = \"a ; b\"  ; c\n"), ["diff|Wo\"rd|textconv|a ; b"]);
        assert_eq!(read("[diff.Word]\ncommand=x"), ["diff|word|command|x"]);
        assert_eq!(read("[filter.X \"Y\"] clean = ./x"), ["filter|x.Y|clean|./x"]);
        assert_eq!(read("[core] hooksPath = hooks\u{c}\n"), ["core|-|hookspath|hooks\u{c}"]);
        assert_eq!(read("[a]\nb = one \\\n  two\\t\n"), ["a|-|b|one   two\t"]);
        assert_eq!(read("[a] b = c [core]\n; [core] fsmonitor = x\n"), ["a|-|b|c [core]"]);
    }

    #[test]
    fn what_git_refuses_is_refused() {
        for text in ["a = b", "[core", "[core] = x", "[core]\n1 = x", "[c \"x\" ]", "[a]\nb = \"c\n", "[a] b = \\x\n"] {
            assert!(read_git_config(text).is_err(), "{text:?}");
        }
        assert_eq!(read_git_config("[a]\nb = c\n!"), Err(MalformedGitConfig { line: 3 }));
    }
}
