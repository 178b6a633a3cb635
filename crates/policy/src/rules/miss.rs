//! Why a rule does not apply, in words.

use super::applies::Miss;
use super::condition::{Area, Conditions, Glob, PathGlob, class_word, risk_word};
use super::rule::Rule;
use super::situation::{Situation, Target};
use crate::project_task::unlike_pins;

impl Miss {
    /// One clause for a person.
    pub(super) fn words(self, rule: &Rule, situation: &Situation<'_>) -> String {
        let request = situation.call.request;
        let conditions = &rule.conditions;
        match self {
            Self::Expired => {
                format!("it has expired ({})", conditions.expires.as_ref().map_or("", |expiry| expiry.text()))
            }
            Self::Tool => format!("the tool is `{}`", request.tool),
            Self::Class => format!("the tool is of the class {}", class_word(request.class)),
            Self::Server => match &request.server {
                Some(server) => format!("the MCP server is `{server}`"),
                None => "the tool is of no MCP server".to_owned(),
            },
            Self::User => named("the user", request.user.as_deref()),
            Self::Agent => named("the agent", request.agent_name()),
            Self::ClaimedAgent => {
                let name = request.agent_name().unwrap_or_default();
                format!("the agent only says that it is `{name}`, and its credential does not prove it")
            }
            Self::Tag => format!("none of its tags is {}", list(&conditions.tags)),
            Self::Risk => format!("its risk is {}", risk_word(situation.risk.level)),
            Self::Project => match request.project.as_deref().or(request.cwd.as_deref()) {
                Some(folder) => format!("the project is `{folder}`"),
                None => "the project is not known".to_owned(),
            },
            Self::NoProject => "the project is not known".to_owned(),
            Self::Pattern => format!("the tool is `{}`", situation.call.full_name().unwrap_or(&request.tool)),
            Self::PatternArguments => "its arguments do not match".to_owned(),
            Self::Argument(position) => {
                let pointer = conditions.arguments.get(position).map_or("", |argument| argument.pointer());
                format!("the argument `{pointer}` does not match")
            }
            Self::GlobOverCommand => {
                "a glob over a command line allows nothing; a `command` is held against each part".to_owned()
            }
            Self::Path => format!("a path is not {}", places(conditions)),
            Self::NoPath => "it names no path".to_owned(),
            Self::UnknownPath => "it cannot be told which files this is about".to_owned(),
            Self::Command => refused(conditions, situation),
            Self::Program => "its program is another one, or its words say what it does".to_owned(),
            Self::CannotBeUndone => "what it changes cannot all be put back".to_owned(),
            Self::CommandLine => "it is another command line".to_owned(),
            Self::Task => match situation.target {
                Target::Command(part) => unlike_pins(request, part),
                _ => "it runs no task".to_owned(),
            },
            Self::TaskOperands => "what follows the task could make it run something else".to_owned(),
            Self::NoCommand => "this is no command".to_owned(),
            Self::NotUnderstood => "the command line was not understood".to_owned(),
        }
    }
}

fn refused(conditions: &Conditions, situation: &Situation<'_>) -> String {
    let Target::Command(part) = situation.target else { return "its words do not match".to_owned() };
    let refusal = conditions.command.as_ref().and_then(|pattern| pattern.refusal(situation.bare(part)));
    refusal.unwrap_or_else(|| "its words do not match".to_owned())
}

fn named(who: &str, name: Option<&str>) -> String {
    match name {
        Some(name) => format!("{who} is `{name}`"),
        None => format!("{who} is not named"),
    }
}

fn list(globs: &[Glob]) -> String {
    let names: Vec<String> = globs.iter().map(|glob| format!("`{}`", glob.text())).collect();
    names.join(" or ")
}

fn places(conditions: &Conditions) -> String {
    let globs: Vec<String> =
        conditions.path.globs.iter().map(PathGlob::text).map(|text| format!("in `{text}`")).collect();
    let place = conditions.path.place.map(|place| match place {
        Area::Project => "inside the project".to_owned(),
        Area::Outside => "outside the project".to_owned(),
        Area::Control => "a file that decides what runs elsewhere or later".to_owned(),
        Area::Scratch => "in a folder that an agent keeps for its own plans and drafts".to_owned(),
        Area::Temporary => "new, in a folder for temporary files".to_owned(),
    });
    let all: Vec<String> = (!globs.is_empty()).then(|| globs.join(" or ")).into_iter().chain(place).collect();
    all.join(" and ")
}
