//! `handraise policy explain`: why a call would be allowed, asked about or denied.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use handraise_display::line;
use handraise_policy as policy;
use handraise_policy::rules::{PolicyInForce, parse};
use handraise_protocol::{
    Action, ApprovalRequest, ConsideredRule, EvaluationResult, Explanation, PartExplanation, PartKind, RuleText,
};
use handraise_server::DryRun;
use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::DONE;
use crate::client::{Client, ClientError};
use crate::command::{FolderArguments, list, say};
use crate::runtime::runtime;

/// Longest text of one line, in characters; the rest is counted.
const MAX_TEXT: usize = 300;

/// Say why a call would be allowed, asked about or denied: every part of it, every rule considered
///
/// Asks the running Handraise; with --policy, or when it is not running, the file alone is asked,
/// without what you have approved before.
#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// A command line
    #[arg(required_unless_present = "tool")]
    command: Option<String>,
    /// Another tool than a shell
    #[arg(long, value_name = "NAME")]
    tool: Option<String>,
    /// The tool's arguments, a JSON object
    #[arg(long, value_name = "JSON", conflicts_with = "command")]
    arguments: Option<String>,
    /// MCP server that offers the tool
    #[arg(long, value_name = "NAME")]
    server: Option<String>,
    /// Name of the agent
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// Working folder of the call [default: this one]
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,
    /// Ask this file instead of the running Handraise
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Explain {
    /// Explains.
    pub(crate) fn run(self, folders: &FolderArguments) -> anyhow::Result<ExitCode> {
        let request = self.request()?;
        let (explanation, note) = match &self.policy {
            Some(file) => (offline(folders, &read(file)?, &file.display().to_string(), request)?, None),
            None => match online(folders, &request) {
                Ok(result) => (stricter(result), None),
                Err(ClientError::NotRunning) => {
                    let file = folders.folders()?.policy_file();
                    let name = file.display().to_string();
                    if file.exists() {
                        let note = "Handraise is not running; this is what the file says.";
                        (offline(folders, &read(&file)?, &name, request)?, Some(note))
                    } else {
                        let note = "Handraise has not been started yet; this is what its first policy will say.";
                        (offline(folders, DryRun::starting_policy(), &name, request)?, Some(note))
                    }
                }
                Err(error) => return Err(error.into()),
            },
        };
        if self.json {
            list::print_json(&explanation)?;
        } else {
            for text in describe(&explanation).into_iter().chain(note.map(str::to_owned)) {
                say(&text)?;
            }
        }
        Ok(DONE)
    }

    fn request(&self) -> anyhow::Result<ApprovalRequest> {
        let arguments: Map<String, Value> = match (&self.command, &self.arguments) {
            (Some(command), _) => Map::from_iter([("command".to_owned(), json!(command))]),
            (None, Some(text)) => serde_json::from_str(text).context("--arguments is not a JSON object")?,
            (None, None) => Map::new(),
        };
        let cwd = match &self.cwd {
            Some(cwd) => cwd.canonicalize().with_context(|| format!("cannot find {}", cwd.display()))?,
            None => std::env::current_dir().context("cannot tell the working folder; give --cwd")?,
        };
        let shell = || handraise_agents::shell_tool(self.agent.as_deref(), &arguments).to_owned();
        let tool = self.tool.clone().unwrap_or_else(shell);
        let Some(cwd) = cwd.to_str() else { bail!("the working folder's name is no text; give --cwd") };
        Ok(ApprovalRequest {
            tool,
            arguments,
            // As an agent with a hook: what runs is what Handraise gives back.
            runs_changed_command: self.command.is_some(),
            server: self.server.clone(),
            agent: self.agent.clone(),
            cwd: Some(cwd.to_owned()),
            ..ApprovalRequest::default()
        })
    }
}

fn online(folders: &FolderArguments, request: &ApprovalRequest) -> Result<EvaluationResult, ClientError> {
    let folders = folders.folders()?;
    // Before its first start there is no token either.
    if !folders.endpoint_file().exists() {
        return Err(ClientError::NotRunning);
    }
    let client = match &request.agent {
        Some(agent) if handraise_agents::NAMES.contains(&agent.as_str()) => Client::requester(&folders, agent)?,
        _ => Client::default_requester(&folders)?,
    };
    runtime().map_err(ClientError::System)?.block_on(client.post("/v1/evaluate", request))?.read()
}

/// The one of both that counts.
fn stricter(result: EvaluationResult) -> Explanation {
    let strictness = |explanation: &Explanation| policy::Action::from(explanation.action);
    let stricter = |unconfirmed: &Explanation| strictness(unconfirmed) > strictness(&result.policy);
    result.unconfirmed.filter(stricter).unwrap_or(result.policy)
}

fn read(file: &Path) -> anyhow::Result<String> {
    std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))
}

fn offline(folders: &FolderArguments, text: &str, name: &str, request: ApprovalRequest) -> anyhow::Result<Explanation> {
    let Ok(loaded) = parse(text) else {
        bail!("{name} cannot be used; `handraise policy check {name}` says why");
    };
    let dry_run = DryRun::new(&folders.folders()?);
    let policy = PolicyInForce::from(dry_run.protect(loaded.policy));
    let request = dry_run.request(request).map_err(|problem| anyhow::anyhow!(problem.detail))?;
    Ok(policy.confirmed.explain(&request, Timestamp::now()).into())
}

fn describe(explanation: &Explanation) -> Vec<String> {
    let strictest = strictest(explanation);
    let why = strictest.map_or(&explanation.why, |part| &part.why);
    let mut lines = vec![format!("{}: {}", verdict(explanation.action), shown(why))];
    // Of several commands the one that it hangs on comes first.
    if let Some(part) = strictest.filter(|_| explanation.parts.len() > 1) {
        lines = vec![format!("{}, for `{}`: {}", verdict(explanation.action), shown(&part.text), shown(why))];
    }
    lines.push(shown(&explanation.effect.sentence));
    if let Some(walls) = &explanation.walls {
        lines.push(format!("Runs confined: {}.", shown(&walls.sentence)));
    }
    if let Some(obstacle) = &explanation.obstacle {
        lines.push(format!("Not understood: {}.", shown(obstacle)));
    }
    lines.extend(explanation.unproved.iter().map(|unproved| shown(unproved)));
    for part in strictest_first(explanation) {
        lines.push(String::new());
        lines.extend(describe_part(part));
    }
    lines
}

/// The part that the answer hangs on: of those that are as strict as the whole, the one that no rule gives away,
/// then the riskiest, then the first. `None` when something about the whole call holds it back.
fn strictest(explanation: &Explanation) -> Option<&PartExplanation> {
    let parts = explanation.parts.iter().rev().filter(|part| part.action == explanation.action);
    parts.max_by_key(|part| (part.protection.is_some(), policy::RiskLevel::from(part.risk.level)))
}

/// The part that the answer hangs on, then the others from the strictest to the mildest, each in the order of the line.
fn strictest_first(explanation: &Explanation) -> Vec<&PartExplanation> {
    let first = strictest(explanation);
    let mut parts: Vec<&PartExplanation> = explanation.parts.iter().collect();
    parts.sort_by_key(|part| {
        let is_first = first.is_some_and(|first| std::ptr::eq(*part, first));
        (!is_first, std::cmp::Reverse(policy::Action::from(part.action)))
    });
    parts
}

fn describe_part(part: &PartExplanation) -> Vec<String> {
    let what = match part.kind {
        PartKind::Call | PartKind::Command | PartKind::Line => String::new(),
        PartKind::Write => "writes ".to_owned(),
        PartKind::Read => "reads ".to_owned(),
    };
    let mut lines = vec![
        format!("{what}{}", shown(&part.text)),
        format!("  {}: {}", verdict(part.action).to_lowercase(), shown(&part.why)),
    ];
    lines.push(format!("  {}", shown(&part.effect.sentence)));
    lines.extend(part.considered.iter().map(|considered| format!("  {}", describe_rule(considered))));
    lines
}

fn describe_rule(considered: &ConsideredRule) -> String {
    let ConsideredRule { rule, matched, decided, because } = considered;
    let mark = match (decided, matched) {
        (true, _) => "→",
        (false, true) => "✓",
        (false, false) => "·",
    };
    let place = rule.line.map(|line| format!("line {line}: ")).unwrap_or_default();
    let because = because.as_ref().map(|because| format!(" ({})", shown(because))).unwrap_or_default();
    format!("{mark} {place}{}{because}", rule_text(rule))
}

fn rule_text(rule: &RuleText) -> String {
    let last = if rule.is_final { " for good" } else { "" };
    let action = match rule.action {
        Action::Allow => "allow",
        Action::Confine => "confine",
        Action::Ask => "ask",
        Action::Deny => "deny",
    };
    format!("{action}{last} {}", shown(&rule.text))
}

fn verdict(action: Action) -> &'static str {
    match action {
        Action::Allow => "Allowed",
        Action::Confine => "Confined",
        Action::Ask => "Asked",
        Action::Deny => "Denied",
    }
}

fn shown(text: &str) -> String {
    line(text, MAX_TEXT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_part_that_the_answer_hangs_on_comes_first() {
        let folders = FolderArguments::default();
        let request = ApprovalRequest {
            tool: "shell".to_owned(),
            arguments: Map::from_iter([("command".to_owned(), json!("ls && make && rm -rf / && git status"))]),
            cwd: Some("/".to_owned()),
            ..ApprovalRequest::default()
        };
        let policy = "version = 1\npreset = \"practical\"\n[[rule]]\ncommand = \"rm *\"\naction = \"deny\"\n";
        let explanation = offline(&folders, policy, "x", request).unwrap();
        let texts: Vec<&str> = strictest_first(&explanation).iter().map(|part| part.text.as_str()).collect();
        assert_eq!(texts, ["rm -rf /", "make", "ls", "git status"]);
    }
}
