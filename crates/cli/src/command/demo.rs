//! `handraise demo`: three sample calls, so that a new user sees what a prompt looks like.

use std::process::ExitCode;

use clap::Args;
use handraise_protocol::{ApprovalRequest, ApprovalResult, DecidedBy, RiskLevel, Status};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::{FolderArguments, say};
use crate::DONE;
use crate::client::Client;
use crate::runtime::runtime;

/// Send three sample calls through the gate; nothing is run
///
/// One only reads, one writes, one destroys, as if an agent called "demo" made them.
#[derive(Debug, Args)]
pub(crate) struct Demo {}

/// One sample call.
struct Sample {
    tool: &'static str,
    risk: RiskLevel,
    what: &'static str,
    intent: &'static str,
    arguments: Value,
}

impl Demo {
    /// Sends them one after the other, and tells what happened.
    pub(crate) fn run(self, folders: &FolderArguments) -> anyhow::Result<ExitCode> {
        let client = Client::default_requester(&folders.folders()?)?;
        say("Three sample calls go through the gate, as if an agent called \"demo\" made them. Nothing is run.")?;
        let session = format!("demo-{}", Timestamp::now().as_millisecond());
        runtime()?.block_on(async {
            for sample in samples() {
                say(&format!("\n{} …", sample.what))?;
                let answer = client.post("/v1/approvals", &sample.request(&session)).await?;
                say(&format!("  {}", told(&answer.read()?)))?;
            }
            anyhow::Ok(())
        })?;
        say(
            "\nWhat was decided stands in the audit log. To let an agent ask for real: `handraise connect claude-code`.",
        )?;
        Ok(DONE)
    }
}

fn samples() -> [Sample; 3] {
    [
        Sample {
            tool: "read_file",
            risk: RiskLevel::ReadOnly,
            what: "A call that only reads: README.md",
            intent: "to learn what the project is about",
            arguments: json!({ "path": "README.md" }),
        },
        Sample {
            tool: "write_file",
            risk: RiskLevel::Write,
            what: "A call that writes: notes.txt. Answer it where Handraise asks you",
            intent: "to keep notes for the next step",
            arguments: json!({ "path": "notes.txt", "content": "remember the milk\n" }),
        },
        Sample {
            tool: "drop_database",
            risk: RiskLevel::Destructive,
            what: "A call that destroys: the production database",
            intent: "to free some disk space",
            arguments: json!({ "database": "production", "backup": false }),
        },
    ]
}

impl Sample {
    fn request(&self, session: &str) -> ApprovalRequest {
        ApprovalRequest {
            tool: self.tool.to_owned(),
            arguments: self.arguments.as_object().cloned().unwrap_or_default(),
            agent: Some("demo".to_owned()),
            session: Some(session.to_owned()),
            intent: Some(self.intent.to_owned()),
            risk: Some(self.risk),
            ..ApprovalRequest::default()
        }
    }
}

/// The result in plain words.
fn told(result: &ApprovalResult) -> String {
    let by = match result.decided_by {
        Some(DecidedBy::Person) => "by you",
        Some(DecidedBy::Policy) => "by the policy, without asking you",
        Some(DecidedBy::Grant) => "by what you approved for this session before",
        _ => "by nobody",
    };
    let reason = result.reason.as_deref().unwrap_or("no reason was given");
    match result.status {
        Status::Approved => format!("Approved {by}: the agent would go on. ({reason})"),
        Status::Denied => format!("Denied {by}: the agent would be told \"{reason}\""),
        Status::Timeout => "Nobody answered in time: the agent would be told so, and would not go on.".to_owned(),
        Status::Cancelled | Status::Pending => "It was withdrawn: the agent would not go on.".to_owned(),
    }
}
