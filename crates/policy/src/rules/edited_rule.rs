//! A rule that a person has changed before approving with it.
//!
//! Architecture invariant: whatever is written, such a rule lets pass no more than a rule does, is about calls like the
//! one that was put before the person, and never lets pass what destroys.

use jiff::Timestamp;
use toml::Value;

use super::applies::Applies;
use super::condition::Tool;
use super::decide::targets;
use super::file::rule::rules_of;
use super::situation::{Call, Target};
use crate::rules::action::Action;
use crate::rules::decision::PolicyDecision;
use crate::rules::file::parse;
use crate::rules::policy::Policy;
use crate::rules::rule::Rule;
use crate::rules::rule_draft::RuleDraft;
use crate::rules::rule_set::RuleSet;
use crate::{Request, RiskLevel, ToolClass};
use handraise_display::{has_hidden, line};

/// Longest text, in bytes; nobody reads a longer one beside a call.
const MAX_TEXT: usize = 64 * 1024;
/// The keys of a rule that a person approves with. A `pattern` has no bounds, `undo` and `program` are about calls of every
/// kind, and users and tags are what the requester says.
const KEYS: &[&str] = &[
    "tool",
    "class",
    "server",
    "arguments",
    "command",
    "command_line",
    "tasks",
    "path",
    "path_in",
    "agents",
    "projects",
    "risk",
    "expires",
    "action",
    "reason",
    "match",
    "not_match",
];
/// What stands before the text, as in a policy: another rule, which nothing of it may fall to.
const HEAD: &str = "version = 1\n[[rule]]\npattern = \"x\"\naction = \"deny\"\n";
/// Characters of a command that a sentence names.
const MAX_NAMED: usize = 80;

/// Why a person cannot approve with a rule. Each says what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditedRuleError {
    /// It is too long.
    #[error("the rule is longer than {MAX_TEXT} bytes; shorten it")]
    TooLong,
    /// It cannot be seen as it is.
    #[error("the rule contains characters that cannot be seen; remove them")]
    Hidden,
    /// It is no text of a policy.
    #[error("{0}")]
    Unreadable(String),
    /// It is none, or more.
    #[error("write exactly one `[[rule]]`, and nothing beside it")]
    NotOneRule,
    /// It does something else.
    #[error("the rule has to say `action = \"allow\"`; to refuse such calls, deny this one")]
    NotAllow,
    /// It has a key that is not for it.
    #[error("a rule that you approve with has no `{0}`; remove it, or write the rule in the policy file")]
    Key(String),
    /// It may let pass what destroys.
    #[error("keep `risk = [\"read_only\", \"write\"]` in the rule; what destroys is asked about each time")]
    Destructive,
    /// It is about every command.
    #[error("keep `command` or `command_line` in the rule; a shell is not approved as a whole")]
    NoCommand,
    /// It is about every tool of a kind.
    #[error("name the tool in the rule, or the server, or a path; without any of them it is about tools of every kind")]
    NoTool,
    /// It is not about this project alone.
    #[error("keep `projects = {0}` in the rule, or choose the scope always")]
    OtherProjects(String),
    /// It is not about what the tasks run now.
    #[error("keep `tasks` as it is; what the tasks run is part of what you approve")]
    OtherTasks,
    /// No rule changes what is asked about this call.
    #[error("the policy asks about this call whatever such a rule says; approve it once")]
    Useless,
    /// It is not about the call that is approved.
    #[error("the rule does not cover {what}: {why}; change it so that it does")]
    NotCovered {
        /// The part of the call.
        what: String,
        /// A clause.
        why: String,
    },
}

/// What a rule is written for: the call, and how far the answer reaches.
#[derive(Clone, Copy, Debug)]
pub struct RuleOccasion<'a> {
    /// The call.
    pub request: &'a Request,
    /// The rule as it would be without a change.
    pub draft: &'a RuleDraft,
    /// The answer is for this project only.
    pub in_project: bool,
    /// What time it is.
    pub now: Timestamp,
}

impl RuleDraft {
    /// The text with which a person begins to change it; `None`: it is several rules.
    #[must_use]
    pub fn to_edit(&self) -> Option<String> {
        let is_one = rules_of(&self.toml).len() == 1;
        is_one.then(|| format!("{}\nrisk = [\"read_only\", \"write\"]\n", self.toml.trim_end()))
    }
}

impl Policy {
    /// The rule that a person wrote as `text` in the place of the draft, as it is to stand in the policy.
    ///
    /// # Errors
    /// Why nobody can approve with it, and what to do.
    pub fn check_edited_rule(&self, text: &str, occasion: RuleOccasion<'_>) -> Result<RuleDraft, EditedRuleError> {
        if text.trim() == occasion.draft.toml.trim() {
            return Ok(occasion.draft.clone());
        }
        let rule = read_one(text)?;
        check_bounds(&rule, occasion)?;
        self.check_cover(rule, occasion)?;
        Ok(RuleDraft { toml: format!("{}\n", text.trim()) })
    }

    /// Whether it lets pass whatever of the call the draft would.
    fn check_cover(&self, rule: Rule, occasion: RuleOccasion<'_>) -> Result<(), EditedRuleError> {
        let RuleOccasion { request, draft, now, .. } = occasion;
        let before = self.decide(request, now);
        let drafted = self.with_rules(rules_of(&draft.toml)).decide(request, now);
        let edited = self.with_rules(vec![rule.clone()]).decide(request, now);
        let passes = |decision: &PolicyDecision, at: usize| {
            decision.parts.get(at).is_some_and(|part| part.action == Action::Allow)
        };
        let mut meant = (0..before.parts.len()).filter(|at| passes(&drafted, *at) && !passes(&before, *at)).peekable();
        if meant.peek().is_none() {
            return Err(EditedRuleError::Useless);
        }
        let Some(missed) = meant.find(|at| !passes(&edited, *at)) else { return Ok(()) };
        let part = edited.parts.get(missed);
        let what = part.map_or_else(String::new, |part| format!("`{}`", line(&part.text, MAX_NAMED)));
        let why = targets(request).0.into_iter().nth(missed).and_then(|target| self.miss(&rule, request, target, now));
        let why = why.or_else(|| part.map(|part| part.why.trim_end_matches('.').to_owned())).unwrap_or_default();
        Err(EditedRuleError::NotCovered { what, why })
    }

    /// Why `rule` does not apply to `target`, as a clause; `None`: it does.
    fn miss(&self, rule: &Rule, request: &Request, target: Target<'_>, now: Timestamp) -> Option<String> {
        let counts = request.agent.as_ref().is_some_and(|agent| agent.verified);
        let call = Call::new(request, now, counts);
        let situation = self.situation(&call, target);
        match rule.apply(&situation) {
            Applies::No(miss) => Some(miss.words(rule, &situation)),
            Applies::Yes | Applies::Perhaps => None,
        }
    }

    /// The same with `rules` behind the general ones.
    fn with_rules(&self, rules: Vec<Rule>) -> Self {
        Self { rules: self.rules.followed_by(rules.into_iter().collect::<RuleSet>()), ..self.clone() }
    }
}

/// The one rule of `text`, which has no other keys than a person may write.
fn read_one(text: &str) -> Result<Rule, EditedRuleError> {
    if text.len() > MAX_TEXT {
        return Err(EditedRuleError::TooLong);
    }
    if has_hidden(text) {
        return Err(EditedRuleError::Hidden);
    }
    let whole = format!("{HEAD}{text}");
    let table: toml::Table = match parse(&whole) {
        Ok(_) => toml::from_str(text).map_err(|error| EditedRuleError::Unreadable(error.message().to_owned()))?,
        Err(errors) => {
            let first = errors.into_iter().next();
            let words = first.map(|error| {
                let help = error.help.map(|help| format!("; {help}")).unwrap_or_default();
                let line = error.line.saturating_sub(HEAD.lines().count()).max(1);
                format!("line {line}: {}{help}", error.message)
            });
            return Err(words.map_or(EditedRuleError::NotOneRule, EditedRuleError::Unreadable));
        }
    };
    let rules = table.get("rule").and_then(Value::as_array).filter(|_| table.len() == 1);
    let Some([Value::Table(keys)]) = rules.map(Vec::as_slice) else { return Err(EditedRuleError::NotOneRule) };
    let [rule] = <[Rule; 1]>::try_from(rules_of(text)).map_err(|_| EditedRuleError::NotOneRule)?;
    if rule.action != Action::Allow {
        return Err(EditedRuleError::NotAllow);
    }
    match keys.keys().find(|key| !KEYS.contains(&key.as_str())) {
        Some(key) => Err(EditedRuleError::Key(key.clone())),
        None => Ok(rule),
    }
}

/// Whether it is about calls like this one, and nothing that destroys.
fn check_bounds(rule: &Rule, occasion: RuleOccasion<'_>) -> Result<(), EditedRuleError> {
    let RuleOccasion { request, draft, in_project, .. } = occasion;
    let conditions = &rule.conditions;
    if conditions.risk.is_empty() || conditions.risk.contains(&RiskLevel::Destructive) {
        return Err(EditedRuleError::Destructive);
    }
    let names_command = conditions.command.is_some() || conditions.command_line.is_some();
    if request.class == ToolClass::Shell && !names_command {
        return Err(EditedRuleError::NoCommand);
    }
    let names_tool = matches!(&conditions.tool, Some(Tool::Name(glob)) if glob.is_exact());
    let names_server = conditions.server.as_ref().is_some_and(|server| server.is_exact());
    if !names_command && !names_tool && !names_server && conditions.path.globs.is_empty() {
        return Err(EditedRuleError::NoTool);
    }
    let drafted = rules_of(&draft.toml);
    let projects = |rule: &Rule| rule.conditions.projects.iter().map(|glob| glob.text().to_owned()).collect::<Vec<_>>();
    let wanted = drafted.first().map(projects).unwrap_or_default();
    if in_project && projects(rule) != wanted {
        return Err(EditedRuleError::OtherProjects(Value::from(wanted).to_string()));
    }
    let mut pins = drafted.iter().flat_map(|rule| &rule.conditions.tasks);
    if pins.any(|pin| !conditions.tasks.contains(pin)) {
        return Err(EditedRuleError::OtherTasks);
    }
    Ok(())
}
