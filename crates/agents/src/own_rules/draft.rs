//! A rule in the making, and the list of what became of each entry.

use handraise_display::has_hidden;
use handraise_policy::Action;
use handraise_policy::rules::{Severity, parse};
use toml_edit::{Array, InlineTable, Table, Value, value};

use super::{RuleEntry, RuleOutcome, RulePlace};

/// What a rule is warned of that covers next to nothing.
const COVERS_LITTLE: &str = "policy::covers_little";
/// What every imported rule is warned of: that it holds for one agent only.
const FOR_ONE_AGENT: &str = "policy::agents_in_allow";

/// The conditions of one rule.
#[derive(Clone, Debug, Default)]
pub(crate) struct Draft {
    conditions: Vec<(&'static str, Value)>,
}

impl Draft {
    /// About one tool, by its name or its kind.
    pub(crate) fn tool(name: &str) -> Self {
        Self::default().with("tool", name)
    }

    /// About every tool of an MCP server, or about one.
    pub(crate) fn server(server: &str, tool: Option<&str>) -> Self {
        let draft = Self::default().with("server", server);
        match tool {
            Some(tool) => draft.with("tool", tool),
            None => draft,
        }
    }

    /// And this.
    pub(crate) fn with(mut self, key: &'static str, text: &str) -> Self {
        self.conditions.push((key, text.into()));
        self
    }

    /// And one of these paths.
    pub(crate) fn with_paths(mut self, paths: &[String]) -> Self {
        let value = match paths {
            [only] => only.as_str().into(),
            several => several.iter().map(String::as_str).collect::<Array>().into(),
        };
        self.conditions.push(("path", value));
        self
    }

    /// And the argument at `pointer` matches `glob`.
    pub(crate) fn with_argument(mut self, pointer: &str, glob: &str) -> Self {
        let mut table = InlineTable::new();
        table.insert(pointer, glob.into());
        self.conditions.push(("arguments", Value::InlineTable(table)));
        self
    }

    fn text(&self, action: Action, agent: &str, place: &RulePlace<'_>) -> String {
        let mut table = Table::new();
        for (key, condition) in &self.conditions {
            table.insert(key, value(condition.clone()));
        }
        table.insert("agents", value(Array::from_iter([agent])));
        if let Some(project) = place.project {
            table.insert("projects", value(Array::from_iter([super::path::escaped(project)])));
        }
        table.insert("action", value(word(action)));
        format!("[[rule]]\n{table}")
    }
}

/// The word of the policy for `action`.
fn word(action: Action) -> &'static str {
    match action {
        Action::Allow => "allow",
        Action::Confine => "confine",
        Action::Ask => "ask",
        Action::Deny => "deny",
    }
}

/// The entries of one file, as they are read.
pub(crate) struct Entries<'a> {
    agent: &'static str,
    place: RulePlace<'a>,
    found: Vec<RuleEntry>,
}

impl<'a> Entries<'a> {
    pub(crate) fn new(agent: &'static str, place: &RulePlace<'a>) -> Self {
        Self { agent, place: *place, found: Vec::new() }
    }

    pub(crate) fn place(&self) -> &RulePlace<'a> {
        &self.place
    }

    pub(crate) fn done(self) -> Vec<RuleEntry> {
        self.found
    }

    /// An entry that says `action`, with the rules that it becomes or why it becomes none.
    pub(crate) fn add(
        &mut self,
        text: &str,
        action: Action,
        (about, weight): (&str, u32),
        made: Result<(Vec<Draft>, Vec<String>), String>,
    ) {
        let outcome = match made {
            Ok((drafts, notes)) => self.checked(&drafts, action, notes),
            Err(reason) => RuleOutcome::Left { reason },
        };
        let (text, about) = (text.to_owned(), about.to_owned());
        self.found.push(RuleEntry { text, action: Some(action), outcome, about, weight });
    }

    /// An entry that is no rule about calls.
    pub(crate) fn leave(&mut self, text: String, reason: impl Into<String>) {
        let outcome = RuleOutcome::Left { reason: reason.into() };
        self.found.push(RuleEntry { text, action: None, outcome, about: "*".to_owned(), weight: 0 });
    }

    /// The rules as texts, each read as the policy reads it.
    fn checked(&self, drafts: &[Draft], action: Action, mut notes: Vec<String>) -> RuleOutcome {
        let mut rules = Vec::new();
        let mut covers_little = false;
        for draft in drafts {
            let rule = draft.text(action, self.agent, &self.place);
            if has_hidden(&rule) {
                return RuleOutcome::Left { reason: "It has characters that cannot be seen.".to_owned() };
            }
            match parse(&format!("version = 1\n\n{rule}")) {
                Ok(loaded) => {
                    covers_little |= loaded.warnings.iter().any(|warning| warning.code == COVERS_LITTLE);
                    let warnings = loaded.warnings.iter().filter(|warning| warning.code != FOR_ONE_AGENT);
                    notes.extend(warnings.map(|warning| said(&warning.message, warning.help.as_deref())));
                }
                Err(errors) => {
                    let error = errors.iter().find(|error| error.severity == Severity::Error);
                    let said = error.map(|error| said(&error.message, error.help.as_deref()));
                    return RuleOutcome::Left { reason: said.unwrap_or_else(|| "No rule can say it.".to_owned()) };
                }
            }
            rules.push(rule);
        }
        notes.dedup();
        RuleOutcome::Carried { rules, notes, covers_little }
    }
}

/// A message and what to do about it, as a sentence.
fn said(message: &str, help: Option<&str>) -> String {
    let mut letters = message.chars();
    let first: String = letters.next().map(|first| first.to_uppercase().collect()).unwrap_or_default();
    let help = help.map(|help| format!("; {help}")).unwrap_or_default();
    format!("{first}{}{help}.", letters.as_str())
}
