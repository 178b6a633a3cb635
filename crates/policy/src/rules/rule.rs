//! One rule: conditions and an action.

use std::borrow::Cow;
use std::fmt::Write;

use jiff::Timestamp;

use super::condition::{Argument, Conditions, Glob, InvalidPattern, PathGlob, Pattern, Undo, class_word, risk_word};
use super::floor::guarded;
use super::protection::credential_words;
use super::situation::{Situation, Target};
use crate::TaskPin;
use crate::project_code::own_code;
use crate::rules::action::Action;
use crate::rules::applies::Applies;
use crate::rules::rule_text::RuleText;
use handraise_shell::CommandPattern;

/// One rule of the policy. Every condition of it has to hold.
///
/// A condition on what only the requester says (its user, its tags, its declared risk) is a condition
/// on a claim: an allow rule with one trusts the requester. The name of an agent whose credential does
/// not prove it can make the answer stricter, never laxer.
#[derive(Clone, Debug)]
pub struct Rule {
    /// What to do with a matching call.
    pub action: Action,
    /// Shown to the person and, for deny, to the model.
    pub reason: Option<String>,
    /// No later rule makes the answer laxer than this one. Only with [`Action::Ask`] and [`Action::Deny`].
    pub is_final: bool,
    pub(super) conditions: Conditions,
    /// Its line in the file.
    pub(super) line: Option<u32>,
    /// It is one of a preset's, which nobody wrote for this project.
    pub(super) is_of_preset: bool,
    text: String,
}

impl Rule {
    /// A rule whose only condition is a pattern: a glob on the tool name, or `name:arguments`.
    ///
    /// # Errors
    /// When the pattern is empty or too long.
    pub fn new(pattern: &str, action: Action, reason: Option<String>) -> Result<Self, InvalidPattern> {
        let conditions = Conditions { pattern: Some(Pattern::new(pattern)?), ..Conditions::default() };
        Ok(Self::with(conditions, action, reason, false, None))
    }

    pub(super) fn with(
        conditions: Conditions,
        action: Action,
        reason: Option<String>,
        is_final: bool,
        line: Option<u32>,
    ) -> Self {
        let text = conditions.text();
        Self { action, reason, is_final, conditions, line, is_of_preset: false, text }
    }

    /// The same rule as one of a preset.
    pub(super) fn of_preset(self) -> Self {
        Self { is_of_preset: true, line: None, ..self }
    }

    /// Whether it is one of a preset's, which nobody wrote for this project.
    #[must_use]
    pub fn is_of_preset(&self) -> bool {
        self.is_of_preset
    }

    /// The same rule with another action.
    #[must_use]
    pub fn with_action(&self, action: Action) -> Self {
        Self { action, is_final: self.is_final && action >= Action::Ask, ..self.clone() }
    }

    /// Whether it has expired at one of the times `one` and `other` and not at the other.
    pub(super) fn expires_between(&self, one: Timestamp, other: Timestamp) -> bool {
        self.conditions.has_expired(one) != self.conditions.has_expired(other)
    }

    /// Whether it spells out every file with credentials that `situation` reads: in its command, or as the last
    /// name of a path.
    pub(super) fn spells_credentials(&self, situation: &Situation<'_>) -> bool {
        let by_path =
            |name: &str| self.conditions.path.globs.iter().any(|glob| glob.text().rsplit('/').next() == Some(name));
        match situation.target {
            Target::Command(part) => {
                let words = credential_words(situation, part);
                let pattern = self.conditions.command.as_ref().map(CommandPattern::text).unwrap_or_default();
                let in_command =
                    |text: &str| pattern.split_whitespace().any(|word| word.trim_matches(['\'', '"']) == text);
                let spelled = |text: &str| in_command(text) || text.rsplit('/').next().is_some_and(by_path);
                !words.is_empty() && words.iter().all(|word| spelled(word))
            }
            Target::Call | Target::Read(..) => {
                let named = &situation.paths.named;
                let spelled = |path: &str| path.rsplit('/').next().is_some_and(by_path);
                !named.is_empty() && named.iter().all(|path| path.forms().all(spelled))
            }
            Target::Write(..) | Target::Line(_) => false,
        }
    }

    /// Whether it is about certain commands.
    pub(super) fn is_for_command(&self) -> bool {
        self.conditions.command.is_some() || self.conditions.program.is_some() || self.conditions.undo.is_some()
    }

    /// Whether it lets a call pass only because what that changes can be put back: where that could not be kept, nothing
    /// passes by it.
    #[must_use]
    pub fn relies_on_undo(&self) -> bool {
        self.conditions.undo == Some(Undo::Kept)
    }

    /// Whether it holds what tasks run.
    pub(super) fn holds_tasks(&self) -> bool {
        !self.conditions.tasks.is_empty()
    }

    /// The rule's conditions in one line, as `tool = "shell", command = "git status *"`, or its
    /// pattern alone when that is its only condition.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its text as it stands in a sentence, and whether it is one of a preset's.
    pub(super) fn name(&self) -> String {
        let of_preset = if self.is_of_preset { " of the preset" } else { "" };
        format!("`{}`{of_preset}", self.text)
    }

    /// The rule as a person reads it, in the table of `agent`.
    #[must_use]
    pub fn shown(&self, agent: Option<&str>) -> RuleText {
        RuleText {
            text: self.text.clone(),
            action: self.action,
            is_final: self.is_final,
            reason: self.reason.clone(),
            agent: agent.map(str::to_owned),
            line: self.line,
        }
    }

    /// What the project makes it run that the rule, which is for a command, does not mean, as a clause. A person who allows
    /// `git commit *` means the hooks of the person's own repository. A preset means nobody's, nor any place of the system.
    pub(super) fn uncovered_project_code<'a>(&self, situation: &'a Situation<'_>) -> Option<Cow<'a, str>> {
        let request = situation.call.request;
        let own = || match situation.target {
            Target::Command(part) if self.is_of_preset => {
                own_code(request, part).or_else(|| guarded(situation, part)).map(Cow::Owned)
            }
            _ => None,
        };
        situation.project_code.as_deref().map(Cow::Borrowed).or_else(own)
    }

    /// Whether it applies. A rule that confines loosens and tightens: where it does not cover a call for certain, but
    /// one that asks would mean it, it perhaps applies.
    pub(super) fn apply(&self, situation: &Situation<'_>) -> Applies {
        if self.action != Action::Confine {
            return self.conditions.apply(self.action, situation);
        }
        match (self.conditions.apply(Action::Confine, situation), self.conditions.apply(Action::Ask, situation)) {
            (Applies::Yes, _) => Applies::Yes,
            (miss, Applies::No(_)) => miss,
            (_, Applies::Yes | Applies::Perhaps) => Applies::Perhaps,
        }
    }
}

/// Two rules are the same when they say the same, wherever they stand.
impl PartialEq for Rule {
    fn eq(&self, other: &Self) -> bool {
        (self.action, &self.reason, self.is_final, &self.conditions)
            == (other.action, &other.reason, other.is_final, &other.conditions)
    }
}

impl Conditions {
    /// The conditions in one line.
    pub(super) fn text(&self) -> String {
        if let Some(pattern) = &self.pattern
            && *self == (Self { pattern: self.pattern.clone(), ..Self::default() })
        {
            return pattern.text().to_owned();
        }
        let mut text = String::new();
        let mut add = |key: &str, value: &str| {
            let comma = if text.is_empty() { "" } else { ", " };
            let _ = write!(text, "{comma}{key} = {value}");
        };
        let list = |texts: &mut dyn Iterator<Item = &str>| match texts.map(quoted).collect::<Vec<_>>().as_slice() {
            [one] => one.clone(),
            several => format!("[{}]", several.join(", ")),
        };
        if let Some(pattern) = &self.pattern {
            add("pattern", &quoted(pattern.text()));
        }
        if let Some(tool) = &self.tool {
            add("tool", &quoted(tool.text()));
        }
        if let Some(class) = self.class {
            add("class", &quoted(class_word(class)));
        }
        if let Some(server) = &self.server {
            add("server", &quoted(server.text()));
        }
        if let Some(command) = &self.command {
            add("command", &quoted(command.text()));
        }
        if let Some(program) = self.program {
            add("program", &quoted(program.word()));
        }
        if let Some(undo) = self.undo {
            add("undo", &quoted(undo.word()));
        }
        if let Some(line) = &self.command_line {
            add("command_line", &quoted(line));
        }
        if !self.arguments.is_empty() {
            let entry = |a: &Argument| format!("{} = {}", quoted(a.pointer()), quoted(a.glob().text()));
            add("arguments", &format!("{{ {} }}", self.arguments.iter().map(entry).collect::<Vec<_>>().join(", ")));
        }
        if !self.path.globs.is_empty() {
            add("path", &list(&mut self.path.globs.iter().map(PathGlob::text)));
        }
        if let Some(place) = self.path.place {
            add("path_in", &quoted(place.word()));
        }
        for (key, globs) in [("agents", &self.agents), ("users", &self.users)] {
            if !globs.is_empty() {
                add(key, &list(&mut globs.iter().map(Glob::text)));
            }
        }
        if !self.projects.is_empty() {
            add("projects", &list(&mut self.projects.iter().map(PathGlob::text)));
        }
        if !self.risk.is_empty() {
            add("risk", &list(&mut self.risk.iter().map(|level| risk_word(*level))));
        }
        if !self.tags.is_empty() {
            add("tags", &list(&mut self.tags.iter().map(Glob::text)));
        }
        if let Some(expiry) = &self.expires {
            add("expires", &quoted(expiry.text()));
        }
        if !self.tasks.is_empty() {
            let entry = |pin: &TaskPin| format!("{{ call = {}, sha256 = {} }}", quoted(&pin.call), quoted(&pin.digest));
            add("tasks", &format!("[{}]", self.tasks.iter().map(entry).collect::<Vec<_>>().join(", ")));
        }
        text
    }
}

fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}
