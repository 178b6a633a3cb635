//! The examples that a rule carries, tried when the file is loaded.

use toml::de::DeTable;

use super::reader::Reader;
use crate::ToolClass;
use crate::rules::action::Action;
use crate::rules::condition::{Conditions, Tool, touch_confined};
use crate::rules::rule::Rule;
use crate::rules::situation::changes_only_folder;
use handraise_shell::path::lexical;
use handraise_shell::{CommandLine, CommandPattern, MayRun, Part, RuleMatch, Shell};

/// What the examples of a rule are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    CommandLine,
    Path,
    Tool,
}

/// Tries the examples of `rule`. Only the condition that an example is about is tried: the command,
/// else the path, else the tool's name; who asks and where does not count.
pub(super) fn check_examples(reader: &mut Reader<'_>, table: &DeTable<'_>, rule: &Rule) {
    for (key, wanted) in [("match", true), ("not_match", false)] {
        let Some(value) = table.get(key) else { continue };
        let Some(kind) = kind(&rule.conditions) else {
            let help = "remove them, or say what the rule is about with `command`, `path` or `pattern`".to_owned();
            let message = "the rule has examples but no condition that they could be tried on".to_owned();
            reader.error("bad_example", value.span(), message, Some(help));
            continue;
        };
        for (example, span) in reader.strings(key, value) {
            let outcome = try_example(rule, kind, example);
            match (outcome, wanted) {
                (Ok(()), true) | (Err(_), false) => {}
                (Err(why), true) => {
                    let message = format!("this example is not matched by its rule: {why}");
                    reader.error("example_fails", span, message, Some(advice(kind, true).to_owned()));
                }
                (Ok(()), false) => {
                    let message = "this example is matched by its rule, but must not be".to_owned();
                    reader.error("example_fails", span, message, Some(advice(kind, false).to_owned()));
                }
            }
        }
    }
}

fn advice(kind: Kind, must_match: bool) -> &'static str {
    match (kind, must_match) {
        (Kind::CommandLine, true) => "change the command pattern, or move the example to `not_match`",
        (Kind::Path, true) => "change the path, or move the example to `not_match`",
        (Kind::Tool, true) => "change the pattern, or move the example to `not_match`",
        (Kind::CommandLine, false) => "narrow the command pattern, or move the example to `match`",
        (Kind::Path, false) => "narrow the path, or move the example to `match`",
        (Kind::Tool, false) => "narrow the pattern, or move the example to `match`",
    }
}

fn kind(conditions: &Conditions) -> Option<Kind> {
    if conditions.command.is_some() || conditions.program.is_some() {
        Some(Kind::CommandLine)
    } else if !conditions.path.is_empty() {
        Some(Kind::Path)
    } else if conditions.pattern.is_some() || matches!(conditions.tool, Some(Tool::Name(_))) {
        Some(Kind::Tool)
    } else {
        let shell =
            conditions.class == Some(ToolClass::Shell) || conditions.tool == Some(Tool::Class(ToolClass::Shell));
        shell.then_some(Kind::CommandLine)
    }
}

fn try_example(rule: &Rule, kind: Kind, example: &str) -> Result<(), String> {
    let conditions = &rule.conditions;
    let matches = match kind {
        Kind::CommandLine if conditions.command.is_some() || conditions.program.is_some() => {
            return try_line(conditions, rule.action, example);
        }
        Kind::CommandLine => true,
        Kind::Path => try_path(conditions, example),
        Kind::Tool => {
            let by_pattern = conditions.pattern.as_ref().is_none_or(|pattern| pattern.matches_text(example));
            let by_tool = match &conditions.tool {
                Some(Tool::Name(glob)) => glob.matches(example.split(':').next().unwrap_or(example)),
                Some(Tool::Class(_)) | None => true,
            };
            by_pattern && by_tool
        }
    };
    if matches { Ok(()) } else { Err(format!("`{}` is something else", rule.text())) }
}

/// A rule that allows or confines has to cover every part; another only has to touch one.
fn try_line(conditions: &Conditions, action: Action, example: &str) -> Result<(), String> {
    let line = CommandLine::analyse(example, Shell::Bash);
    let is_meant = |part: &Part| conditions.program.is_none_or(|program| program.holds(part));
    let pattern = conditions.command.as_ref();
    if action >= Action::Ask {
        let touches = |may_run: &MayRun<'_>| pattern.is_none_or(|pattern| pattern.touches(may_run));
        let touches = match &line.obstacle {
            None => line.parts.iter().any(|part| is_meant(part) && touches(&MayRun::of_part(part))),
            Some(_) => touches(&MayRun::of_line(&line)),
        };
        return if touches { Ok(()) } else { Err("no part of it is touched".to_owned()) };
    }
    if let Some(obstacle) = &line.obstacle {
        return Err(format!("it is not understood, because {obstacle}"));
    }
    if line.parts.iter().all(changes_only_folder) {
        return Err("it runs nothing".to_owned());
    }
    for part in line.parts.iter().filter(|part| !changes_only_folder(part)) {
        let bare = part.without_writes();
        let covers = |pattern: &CommandPattern| match action {
            Action::Confine => {
                touch_confined(pattern, &bare, || pattern.touch(&MayRun::of_part(&bare))) == RuleMatch::Yes
            }
            Action::Allow | Action::Ask | Action::Deny => pattern.covers(&bare),
        };
        if !is_meant(&bare) || !pattern.is_none_or(covers) {
            let why =
                pattern.and_then(|pattern| pattern.refusal(&bare)).map(|why| format!(": {why}")).unwrap_or_default();
            return Err(format!("its part `{}` is not covered{why}", part.text));
        }
        let written = part.writes.iter().find(|word| !crate::rules::situation::goes_nowhere(part, word));
        if let Some(word) = written {
            return Err(format!("it writes the file `{}`, which needs a rule about that path", word.text));
        }
    }
    Ok(())
}

/// Folders that stand for the reader's own.
const HOME: &str = "/home/you";
const PROJECT: &str = "/home/you/project";

fn try_path(conditions: &Conditions, example: &str) -> bool {
    let Some(path) = lexical(example, Some(PROJECT), Some(HOME)) else { return false };
    let in_place = conditions.path.place.is_none_or(|place| place.holds(&path, Some(HOME), Some(PROJECT)));
    let globs = &conditions.path.globs;
    in_place && (globs.is_empty() || globs.iter().any(|glob| glob.matches(&path, Some(HOME), Some(PROJECT))))
}
