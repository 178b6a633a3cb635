//! What can be found in a command line that was not understood, for rules that deny.
//!
//! The text is cut at everything that may separate or start a command; quotes and escapes are
//! taken out. It finds too much rather than too little and is never used to allow.

mod nested;

use super::command_line::{Part, Word, WordKind};

/// More text than this is not searched, in characters. What is longer can never be allowed: see
/// [`super::CommandLine::is_searched_whole`].
const MAX_LENGTH: usize = 16 * 1024;
/// No more parts than this are kept.
const MAX_PARTS: usize = 256;
/// No more words of one part are kept.
const MAX_WORDS: usize = 128;

/// Words in front of a command that are no program (bash manual, "Reserved Words").
const RESERVED: &[&str] = &[
    "!",
    "{",
    "}",
    "do",
    "done",
    "elif",
    "else",
    "fi",
    "if",
    "then",
    "time",
    "until",
    "while",
    "coproc",
    "esac",
    "-",
    "noglob",
    "nocorrect",
    "builtin",
    "command",
    "exec",
];

/// Options of `time` and `exec` whose value is the next word.
const OPTIONS_WITH_VALUE: &[&str] = &["-f", "--format", "-o", "--output", "-a"];

/// Whether all of `text` is searched.
pub(super) fn is_searched_whole(text: &str) -> bool {
    text.chars().nth(MAX_LENGTH).is_none()
}

/// The commands that can be found in `text`.
pub(super) fn parts(text: &str) -> Vec<Part> {
    let mut found = Vec::new();
    // Once as quotes and brackets say, once cut at every bracket, once as if there were no quotes:
    // text in quotes may reach a shell later.
    let quoted = text.contains(['\'', '"', '\\']);
    let readings =
        [nested::commands(text), commands(text, true), if quoted { commands(text, false) } else { Vec::new() }];
    for words in readings.into_iter().flatten() {
        let start = first_program(&words);
        for start in named_time(&words, start).into_iter().chain([start]) {
            let words: Vec<Word> = words.iter().skip(start).take(MAX_WORDS).cloned().map(word).collect();
            let text = words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
            let part = Part { words, text, folder_unknown: true, ..Part::default() };
            if !part.words.is_empty() && found.len() < MAX_PARTS && !found.contains(&part) {
                found.push(part);
            }
        }
    }
    found
}

/// Where `time` stands in front of the program at `start` with options of its own: those of the program of that name, which
/// can write a file (time(1), `-o`).
fn named_time(words: &[String], start: usize) -> Option<usize> {
    let mut pairs = words.iter().zip(words.iter().skip(1)).take(start);
    pairs.position(|(word, next)| word == "time" && next.starts_with('-'))
}

/// Where the program stands, behind assignments and words that are none.
fn first_program(words: &[String]) -> usize {
    // Options may follow, and what one of them is followed by is no program.
    let mut takes_options = false;
    let mut is_value = false;
    let is_none = |word: &String| {
        if std::mem::take(&mut is_value) {
            return true;
        }
        let none = RESERVED.contains(&word.as_str()) || is_assignment(word) || takes_options && word.starts_with('-');
        // time(1), `-f`, `-o`; bash manual, "exec", `-a`; "Shell Functions".
        is_value = takes_options && OPTIONS_WITH_VALUE.contains(&word.as_str()) || word == "function";
        takes_options = none && (["time", "exec"].contains(&word.as_str()) || takes_options);
        none || word == "function"
    };
    words.iter().map(is_none).position(|none| !none).unwrap_or(usize::MAX)
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| super::characters::is_variable_name(name.trim_end_matches('+')))
}

/// The words of `text`, one list for each piece that may be a command.
fn commands(text: &str, quotes: bool) -> Vec<Vec<String>> {
    let mut commands = vec![Vec::new()];
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = text.chars().take(MAX_LENGTH).peekable();
    while let Some(character) = characters.next() {
        match (character, quote) {
            ('\\', Some('\'')) if quotes => word.get_or_insert_default().push('\\'),
            ('\\', _) => match characters.next() {
                Some('\n') | None => {}
                // Backquotes within backquotes.
                Some('`') => end_command(&mut commands, &mut word),
                Some(escaped) => word.get_or_insert_default().push(escaped),
            },
            ('\'' | '"', None) if quotes => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            ('\'' | '"', None) => {}
            ('\'' | '"', Some(open)) if open == character => quote = None,
            ('`', _) => end_command(&mut commands, &mut word),
            ('$', open) if open != Some('\'') && characters.peek() == Some(&'(') => {
                end_command(&mut commands, &mut word)
            }
            (';' | '&' | '|' | '\n' | '(' | ')' | '<' | '>', None) => end_command(&mut commands, &mut word),
            (' ' | '\t', None) => end_word(&mut commands, &mut word),
            _ => word.get_or_insert_default().push(character),
        }
    }
    end_command(&mut commands, &mut word);
    commands
}

fn end_word(commands: &mut [Vec<String>], word: &mut Option<String>) {
    if let (Some(command), Some(word)) = (commands.last_mut(), word.take()) {
        command.push(word);
    }
}

fn end_command(commands: &mut Vec<Vec<String>>, word: &mut Option<String>) {
    end_word(commands, word);
    if commands.last().is_some_and(|command| !command.is_empty()) && commands.len() <= 4 * MAX_PARTS {
        commands.push(Vec::new());
    }
}

/// `text` as words, with every quote, escape and operator taken for a blank or for nothing.
pub(super) fn flat_words(text: &str) -> Vec<Word> {
    commands(text, false).into_iter().flatten().map(word).collect()
}

/// The commands of `text`, its quotes and brackets taken at their word.
pub(super) fn commands_as_quoted(text: &str) -> Vec<Vec<Word>> {
    let behind_reserved = |words: Vec<String>| {
        let start = first_program(&words);
        words.into_iter().skip(start).map(word).collect::<Vec<Word>>()
    };
    nested::commands(text).into_iter().map(behind_reserved).filter(|words| !words.is_empty()).collect()
}

fn word(text: String) -> Word {
    let braces = text.contains('{') && (text.contains(',') || text.contains(".."));
    let varies = braces || text.contains(['$', '*', '?', '`']);
    // zsh's `=rm` is the path of `rm`.
    let text = text.strip_prefix('=').filter(|rest| !rest.is_empty()).map(str::to_owned).unwrap_or(text);
    let kind = match varies {
        true => WordKind::Varies,
        // Also where it stood in quotes, which may be taken off later.
        false if text == "~" || text.starts_with("~/") => WordKind::Home,
        false => WordKind::Exact,
    };
    Word { kind, text }
}

#[cfg(test)]
mod tests {
    use super::parts;

    #[test]
    fn commands_inside_substitutions_quotes_and_groups_are_found() {
        for text in [
            "echo $(rm -rf /)",
            "echo \"`rm -rf /`\"",
            "x & rm -rf / &",
            "f() { rm -rf /; }",
            "if true; then rm -rf /; fi",
            "eval 'rm -rf /'; $(",
            "A=1 r''m -rf /",
        ] {
            let found = parts(text);
            let rm = |part: &super::Part| {
                part.words.windows(2).any(|pair| pair.iter().map(|word| word.text.as_str()).eq(["rm", "-rf"]))
            };
            assert!(found.iter().any(rm), "{text}: {found:?}");
        }
    }
}
