//! Patterns of commands, as conditions of a rule.

use handraise_policy::Action;
use handraise_shell::{CommandPattern, InvalidCommandPattern};

use super::Draft;

/// How an agent writes the commands that an entry is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    /// `*` is any text; every other character is itself.
    Star,
    /// `*` is any text and `?` any character.
    StarAndOne,
    /// The command begins with these words.
    Prefix,
}

/// The agent's tool that runs commands, and where the command stands among its arguments.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShellTool {
    pub(super) name: &'static str,
    pub(super) argument: &'static str,
}

/// A rule about the commands that `pattern` matches.
///
/// A word of a policy's pattern is one word of the command, and `*` in it stays inside that word. So what is allowed is
/// never more than what the agent's own text matches. What asks or denies and cannot be said by words is compared with
/// the text of the whole line.
pub(super) fn about_commands(
    tool: ShellTool,
    pattern: &str,
    written: Written,
    action: Action,
) -> Result<(Vec<Draft>, Vec<String>), String> {
    let pattern = pattern.trim();
    let all = if written == Written::Prefix { pattern.is_empty() } else { pattern.chars().all(|sign| sign == '*') };
    let draft = Draft::tool(tool.name);
    if all {
        return Ok((vec![draft], Vec::new()));
    }
    match condition(pattern, written) {
        Ok((key, text)) => Ok((vec![draft.with(key, &text)], Vec::new())),
        Err(reason) if action < Action::Ask => Err(reason),
        Err(_) => {
            let glob = format!("*{}*", pattern.trim_end_matches('*').trim());
            let note = "It is compared with the text of the whole command line, as no pattern of words can say it.";
            Ok((vec![draft.with_argument(tool.argument, &glob)], vec![note.to_owned()]))
        }
    }
}

/// What an entry with this pattern is about.
pub(super) fn about(pattern: &str) -> String {
    let program = pattern.trim().trim_end_matches(":*").split(' ').next().unwrap_or_default();
    let is_plain = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '_' | '.' | '/' | '-');
    match !program.is_empty() && program.chars().all(is_plain) {
        true => format!("shell:{program}"),
        false => "shell".to_owned(),
    }
}

/// The key of a rule, and its value.
fn condition(pattern: &str, written: Written) -> Result<(&'static str, String), String> {
    if pattern.contains(['\n', '\r']) {
        return Err("It goes over several lines, and a rule is about one command.".to_owned());
    }
    let literal: &[char] = match written {
        Written::Star => &['?'],
        Written::StarAndOne => &[],
        Written::Prefix => &['*', '?'],
    };
    let mut text = pattern.to_owned();
    if pattern.contains(literal) {
        if pattern.contains(['\'', '"', '\\']) {
            return Err("It has wildcards beside quotes, which the agent and a rule read differently.".to_owned());
        }
        for sign in literal {
            text = text.replace(*sign, &format!("\\{sign}"));
        }
    }
    if written == Written::Prefix {
        text.push_str(" *");
    }
    match CommandPattern::parse(&text) {
        Ok(_) => Ok(("command", text)),
        // As it stands, every character counts, and all of it has to be understood.
        Err(InvalidCommandPattern::Operator(_)) if written != Written::Prefix && !pattern.contains('*') => {
            Ok(("command_line", pattern.to_owned()))
        }
        Err(error) => Err(format!("A rule cannot say it: {error}.")),
    }
}

/// A command that begins with exactly these words.
pub(super) fn words(words: &[String]) -> String {
    let quoted = words.iter().map(|word| {
        let is_plain = |sign: char| {
            sign.is_ascii_alphanumeric() || matches!(sign, '_' | '.' | '/' | ':' | '=' | '@' | '%' | '+' | ',' | '-')
        };
        match !word.is_empty() && word.chars().all(is_plain) {
            true => word.clone(),
            false => format!("'{}'", word.replace('\'', "'\\''")),
        }
    });
    quoted.collect::<Vec<_>>().join(" ")
}
