//! `handraise approve` and `handraise deny`.

use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use handraise_display::line;
use handraise_protocol::{
    Approval, Breadth, Decision, DecisionRequest, DecisionResponse, DenyAllRequest, DenyAllResponse, Scope,
};

use super::pending::{ApproverArguments, candidates, list};
use super::reading::{self, Chosen};
use super::remembered::{Remembered, own_rule};
use super::{FolderArguments, say, usage};
use crate::DONE;
use crate::client::Client;
use crate::runtime::runtime;

/// Show a waiting call and approve it
///
/// Shows the whole call, then asks: `y` approves it. In a script, where nobody reads, name the call that you have
/// read elsewhere with --hash.
#[derive(Debug, Args)]
pub(crate) struct Approve {
    #[command(flatten)]
    which: Which,
    /// Approve without showing the call: its `arguments_hash`, from `handraise pending --json`
    #[arg(long, value_name = "HASH", conflicts_with = "last")]
    hash: Option<String>,
    #[command(flatten)]
    reach: ScopeArguments,
    /// With --covers prefix: remember only these commands of the line, by their numbers, as 1,3
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',', requires_all = ["scope", "covers"])]
    #[arg(conflicts_with_all = ["confined", "late"])]
    commands: Vec<u32>,
    /// Write this rule instead of the usual one: one `[[rule]]` of TOML, only with --scope project or always
    #[arg(long, value_name = "TOML", requires = "scope", conflicts_with_all = ["confined", "late"])]
    rule: Option<String>,
    /// Let it run only inside the walls that are shown, this once. With --hash, name these walls, too: the `hash` of
    /// `confinement`, from `handraise pending --json`
    #[arg(long, value_name = "WALLS", num_args = 0..=1, require_equals = true, conflicts_with_all = ["scope", "late"])]
    confined: Option<Option<String>>,
    /// Reason, told to the agent
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    /// Approve a request that has timed out: the agent's next identical call passes once
    #[arg(long, conflicts_with = "scope")]
    late: bool,
    #[command(flatten)]
    approver: ApproverArguments,
}

/// Deny a waiting call
#[derive(Debug, Args)]
pub(crate) struct Deny {
    /// The request: its id, or the beginning of it
    #[arg(required_unless_present_any = ["last", "agent"])]
    id: Option<String>,
    /// The newest request
    #[arg(long, conflicts_with = "id")]
    last: bool,
    /// With --all: everything that waits from this agent, or from the credential of this name
    #[arg(long, value_name = "NAME", requires = "all", conflicts_with_all = ["id", "last", "scope", "covers"])]
    agent: Option<String>,
    /// Everything that waits from the agent
    #[arg(long, requires = "agent")]
    all: bool,
    #[command(flatten)]
    reach: ScopeArguments,
    /// Reason, told to the agent
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    #[command(flatten)]
    approver: ApproverArguments,
}

#[derive(Debug, Args)]
struct Which {
    /// The request: its id, or the beginning of it
    #[arg(required_unless_present = "last")]
    id: Option<String>,
    /// The newest request
    #[arg(long, conflicts_with = "id")]
    last: bool,
}

#[derive(Debug, Args)]
struct ScopeArguments {
    /// How long the answer counts
    #[arg(long, value_enum, default_value = "once")]
    scope: ScopeArgument,
    /// How much it covers; only with a scope beyond once
    #[arg(long, value_enum, default_value = "exact")]
    covers: BreadthArgument,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ScopeArgument {
    /// This call only
    Once,
    /// The next fifteen minutes of the session
    Minutes,
    /// The rest of the session
    Session,
    /// This project folder, as a rule of the policy
    Project,
    /// For good, as a rule of the policy
    Always,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum BreadthArgument {
    /// Exactly this call
    Exact,
    /// The same commands with any operands
    Prefix,
    /// Every file in the same folder and below it
    Folder,
    /// Every call of the tool
    Tool,
}

impl Approve {
    /// Approves.
    pub(crate) fn run(self, folders: &FolderArguments) -> anyhow::Result<ExitCode> {
        let request = self.reach.decision(Decision::Approve, self.reason, self.late)?;
        if self.rule.is_some() && !matches!(request.scope, Scope::Project | Scope::Always) {
            return Err(usage("--rule needs --scope project or always: nothing else is written as a rule"));
        }
        if !self.commands.is_empty() && request.breadth != Breadth::Prefix {
            return Err(usage("--commands needs --covers prefix: otherwise the whole line is remembered"));
        }
        let request = DecisionRequest { rule: self.rule, ..request };
        let answer = GivenDecision { request, confined: self.confined, numbers: self.commands };
        if self.hash.is_some() && answer.confined == Some(None) {
            bail!("with --hash, nobody sees the walls: name those that you have read, as --confined=WALLS");
        }
        let Some(hash) = self.hash else {
            return decide(&self.approver.client(folders)?, &self.which, answer, Reading::Now);
        };
        decide(&self.approver.client(folders)?, &self.which, answer, Reading::Elsewhere(hash))
    }
}

impl Deny {
    /// Denies.
    pub(crate) fn run(self, folders: &FolderArguments) -> anyhow::Result<ExitCode> {
        if let Some(agent) = self.agent {
            return deny_all(&self.approver.client(folders)?, DenyAllRequest { agent, reason: self.reason });
        }
        let request = self.reach.decision(Decision::Deny, self.reason, false)?;
        let (answer, which) =
            (GivenDecision { request, confined: None, numbers: Vec::new() }, Which { id: self.id, last: self.last });
        decide(&self.approver.client(folders)?, &which, answer, Reading::Unneeded)
    }
}

impl ScopeArguments {
    fn decision(&self, decision: Decision, reason: Option<String>, late: bool) -> anyhow::Result<DecisionRequest> {
        let scope = match self.scope {
            ScopeArgument::Once => Scope::Once,
            ScopeArgument::Minutes => Scope::Minutes,
            ScopeArgument::Session => Scope::Session,
            ScopeArgument::Project => Scope::Project,
            ScopeArgument::Always => Scope::Always,
        };
        let breadth = match self.covers {
            BreadthArgument::Exact => Breadth::Exact,
            BreadthArgument::Prefix => Breadth::Prefix,
            BreadthArgument::Folder => Breadth::Folder,
            BreadthArgument::Tool => Breadth::Tool,
        };
        if breadth != Breadth::Exact && scope == Scope::Once {
            return Err(usage("--covers needs a --scope beyond once: once, there is nothing to remember"));
        }
        Ok(DecisionRequest {
            decision,
            scope,
            breadth,
            commands: None,
            rule: None,
            reason,
            arguments: None,
            arguments_hash: None,
            confined: None,
            late,
        })
    }
}

/// When a person reads what is decided about.
enum Reading {
    /// Now, in this terminal.
    Now,
    /// It was read elsewhere, with this hash.
    Elsewhere(String),
    /// Nothing runs.
    Unneeded,
}

/// What a late approval lets pass.
const LATE: &str = "It has timed out: the agent's next identical call passes, once.";

/// Said where the server offers no such answer; it has the last word.
const NOT_OFFERED: &str =
    "This call cannot be remembered in this way; `handraise pending --json` lists how in `scopes`.";

/// What a person has said about a call.
struct GivenDecision {
    request: DecisionRequest,
    /// It runs inside the walls that are shown, or inside those that were read elsewhere.
    confined: Option<Option<String>>,
    /// Only these commands of the line are remembered, by their numbers; none: as many as can be.
    numbers: Vec<u32>,
}

fn decide(client: &Client, which: &Which, answer: GivenDecision, reading: Reading) -> anyhow::Result<ExitCode> {
    let GivenDecision { request, confined, numbers } = answer;
    runtime()?.block_on(async {
        let status = if request.late { "timeout" } else { "pending" };
        let approvals = list(client, status).await?;
        let approval = find(&approvals, which)?;
        let walls = approval.confinement.as_ref().filter(|_| confined.is_some());
        if confined.is_some() && walls.is_none() {
            bail!("this call cannot run confined; approve it without --confined, or deny it");
        }
        let remembered = Remembered::of(approval, &request).filter(|_| request.decision == Decision::Approve);
        let named = commands_named(remembered, &numbers)?;
        let reach = match walls {
            Some(walls) => Some(format!("It runs confined: {}.", walls.walls.sentence)),
            None if request.late => Some(LATE.to_owned()),
            None => reaching(&request, remembered, named.as_deref()),
        };
        // What was not said beforehand is asked, where there is something to choose.
        let is_asked = named.is_none() && request.rule.is_none();
        let ticking = remembered.filter(|remembered| is_asked && remembered.is_chosen());
        let chosen = match reading {
            Reading::Now => match reading::wants(approval, reach.as_deref(), ticking)? {
                Some(chosen) => Some(chosen),
                None => {
                    say("Not approved; it waits on.")?;
                    return Ok(ExitCode::from(1));
                }
            },
            Reading::Elsewhere(hash) if hash != approval.arguments_hash.to_string() => {
                bail!("the call is not the one with this hash; `handraise pending --json` shows which it is");
            }
            Reading::Elsewhere(_) | Reading::Unneeded => None,
        };
        // The server compares it with what it has by now.
        let arguments_hash = Some(approval.arguments_hash.clone());
        let walls = walls.map(|walls| confined.flatten().unwrap_or_else(|| walls.hash.clone()));
        let (decision, confined, commands) = match chosen {
            Some(Chosen::Deny) => (Decision::Deny, None, None),
            Some(Chosen::Approve(approving)) => (request.decision, walls.or_else(|| approving.walls(approval)), named),
            Some(Chosen::Remember(commands)) => (request.decision, None, Some(commands)),
            None => (request.decision, walls, named),
        };
        let is_confined = confined.is_some();
        let request = DecisionRequest { decision, arguments_hash, confined, commands, ..request };
        let path = format!("/v1/approvals/{}/decision", approval.id);
        let response: DecisionResponse = client.post(&path, &request).await?.read()?;
        let what = match decision {
            Decision::Approve if is_confined => "Approved to run confined",
            Decision::Approve => "Approved",
            Decision::Deny => "Denied",
        };
        say(&format!("{what}: {}", approval.title))?;
        if response.ticket {
            say("It had timed out: the agent's next identical call passes, once.")?;
        }
        Ok(DONE)
    })
}

fn deny_all(client: &Client, request: DenyAllRequest) -> anyhow::Result<ExitCode> {
    let agent = line(&request.agent, 80);
    let DenyAllResponse { denied } =
        runtime()?.block_on(async { client.post("/v1/approvals/deny-all", &request).await?.read() })?;
    match denied {
        0 => bail!("nothing waits from {agent}; `handraise pending` shows what does"),
        1 => say(&format!("Denied the one call that waited from {agent}."))?,
        denied => say(&format!("Denied all {denied} calls that waited from {agent}."))?,
    }
    Ok(DONE)
}

/// The positions of the commands with these numbers; `None`: no numbers were given.
fn commands_named(remembered: Option<Remembered<'_>>, numbers: &[u32]) -> anyhow::Result<Option<Vec<u32>>> {
    if numbers.is_empty() {
        return Ok(None);
    }
    let Some(remembered) = remembered else { bail!("{NOT_OFFERED}") };
    remembered.numbered(numbers).map(Some).map_err(anyhow::Error::msg)
}

/// What an approval reaches beyond this call, in words; `None`: nothing, or it is asked.
fn reaching(request: &DecisionRequest, remembered: Option<Remembered<'_>>, named: Option<&[u32]>) -> Option<String> {
    if request.scope == Scope::Once {
        return None;
    }
    if let Some(rule) = &request.rule {
        return Some(own_rule(request.scope, rule));
    }
    match remembered {
        // What can be chosen is listed in the question.
        Some(remembered) if remembered.is_chosen() && named.is_none() => None,
        Some(remembered) => Some(remembered.said(named)),
        None => Some(NOT_OFFERED.to_owned()),
    }
}

/// The one request that is meant.
fn find<'a>(approvals: &'a [Approval], which: &Which) -> anyhow::Result<&'a Approval> {
    let Some(prefix) = &which.id else {
        return match approvals.last() {
            Some(last) => Ok(last),
            None => bail!("nothing waits for an answer"),
        };
    };
    let index = candidates(approvals).find(prefix)?;
    approvals.get(index).context("no such request waits")
}
