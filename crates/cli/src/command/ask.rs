//! `handraise ask`: have a call decided, from a script.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, ValueEnum};
use handraise_agents::strict_json;
use handraise_protocol::{ApprovalRequest, ApprovalResult, RiskLevel, Status};
use serde_json::{Map, Value};

use super::{FolderArguments, list, usage};
use crate::DONE;
use crate::client::Client;
use crate::runtime::runtime;

/// Denied, timed out or cancelled; also when nobody could be asked.
const NOT_APPROVED: u8 = 1;
/// Still open.
const PENDING: u8 = 3;

/// Ask for a decision about a call, and print the result
///
/// Exit codes: 0 approved; 1 not approved: denied, timed out, cancelled, or nobody could be asked; 2 the arguments are
/// wrong; 3 still open. Only 0 lets the call run.
#[derive(Debug, Args)]
pub(crate) struct Ask {
    /// The tool
    #[arg(long, value_name = "NAME")]
    tool: String,
    /// The tool's arguments, a JSON object
    #[arg(long, value_name = "JSON", conflicts_with = "command")]
    arguments: Option<String>,
    /// A command line, as the one argument `command`
    #[arg(long, value_name = "LINE")]
    command: Option<String>,
    /// Name of the agent
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// The conversation that the call belongs to
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Why, in your words
    #[arg(long, value_name = "TEXT")]
    intent: Option<String>,
    /// How dangerous it is
    #[arg(long, value_enum)]
    risk: Option<RiskArgument>,
    /// Working folder of the call [default: this one]
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,
    /// How long a person has to answer [default: as the policy says]
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<u32>,
    /// Have a person asked, even where the policy or an earlier answer would let it pass
    #[arg(long)]
    require_approval: bool,
    /// Do not wait for a person
    #[arg(long)]
    no_wait: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum RiskArgument {
    /// Looks, changes nothing
    #[value(alias = "read_only")]
    ReadOnly,
    /// Changes something
    Write,
    /// Removes, overwrites or publishes something for good
    Destructive,
}

impl Ask {
    /// Asks, and waits for the answer.
    pub(crate) fn run(self, folders: &FolderArguments) -> anyhow::Result<ExitCode> {
        let path = if self.no_wait { "/v1/approvals?wait=0" } else { "/v1/approvals" };
        let request = self.request()?;
        let client = Client::default_requester(&folders.folders()?)?;
        let answer = runtime()?.block_on(client.post(path, &request))?;
        let result: ApprovalResult = answer.read()?;
        list::print_json(&result)?;
        Ok(match result.status {
            Status::Approved => DONE,
            Status::Pending => ExitCode::from(PENDING),
            Status::Denied | Status::Timeout | Status::Cancelled => ExitCode::from(NOT_APPROVED),
        })
    }

    fn request(self) -> anyhow::Result<ApprovalRequest> {
        let cwd = match self.cwd {
            Some(folder) => std::path::absolute(folder)?,
            None => std::env::current_dir()?,
        };
        Ok(ApprovalRequest {
            arguments: arguments(self.arguments.as_deref(), self.command)?,
            tool: self.tool,
            agent: self.agent,
            session: self.session,
            intent: self.intent,
            risk: self.risk.map(RiskArgument::level),
            cwd: Some(cwd.to_str().context("the working folder's name is not UTF-8")?.to_owned()),
            timeout_seconds: self.timeout,
            require_approval: self.require_approval,
            ..ApprovalRequest::default()
        })
    }
}

fn arguments(json: Option<&str>, command: Option<String>) -> anyhow::Result<Map<String, Value>> {
    if let Some(command) = command {
        return Ok(Map::from_iter([("command".to_owned(), Value::String(command))]));
    }
    let Some(json) = json else { return Ok(Map::new()) };
    match strict_json::from_slice(json.as_bytes()) {
        Ok(Value::Object(arguments)) => Ok(arguments),
        Ok(_) => Err(usage("--arguments is not a JSON object; write it as '{\"path\": \"README.md\"}'")),
        Err(error) => Err(usage(format!("--arguments: {error}"))),
    }
}

impl RiskArgument {
    fn level(self) -> RiskLevel {
        match self {
            Self::ReadOnly => RiskLevel::ReadOnly,
            Self::Write => RiskLevel::Write,
            Self::Destructive => RiskLevel::Destructive,
        }
    }
}
