//! `handraise redact` and `handraise show`: what happens to text before anybody sees it.

use std::io::IsTerminal;
use std::process::ExitCode;

use clap::Args;
use handraise_protocol::Finding;
use handraise_redaction::{Redaction, Redactor};
use serde::{Deserialize, Serialize};
use serde_json::Map;

use super::pending::ApproverArguments;
use super::{FolderArguments, filter, show_call, usage};

/// Replace secrets in text: JSON lines {"text"} in, {"text","redactions"} out
#[derive(Debug, Args)]
pub(crate) struct Redact {}

/// Show one call: what a person was asked, how it ended, and what it has changed
///
/// Without an id it is a filter that makes text safe to display: JSON lines {"text"} in, {"text","findings"} out.
#[derive(Debug, Args)]
pub(crate) struct Show {
    /// The call: its id, or the beginning of it; `handraise history` and `handraise pending` show it
    id: Option<String>,
    /// Print JSON
    #[arg(long, requires = "id")]
    json: bool,
    #[command(flatten)]
    approver: ApproverArguments,
}

#[derive(Deserialize)]
struct Text {
    text: String,
}

#[derive(Serialize)]
struct RedactedText {
    text: String,
    redactions: Vec<RedactedSecret>,
}

#[derive(Serialize)]
struct RedactedSecret {
    kind: String,
    length: usize,
}

impl From<Redaction> for RedactedSecret {
    fn from(Redaction { kind, length }: Redaction) -> Self {
        Self { kind, length }
    }
}

#[derive(Serialize)]
struct ShownText {
    text: String,
    findings: Vec<Finding>,
}

impl Redact {
    /// Runs the filter.
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let mut key = [0; 32];
        getrandom::fill(&mut key).map_err(|error| anyhow::anyhow!("no random numbers from the system: {error}"))?;
        let redactor = Redactor::new(key);
        filter::run(&Map::new(), |Text { text }| {
            let redacted = redactor.text(&text);
            let redactions = redacted.redactions.into_iter().map(RedactedSecret::from);
            Ok(RedactedText { text: redacted.text, redactions: redactions.collect() })
        })
    }
}

impl Show {
    /// Shows the call, or runs the filter.
    pub(crate) fn run(self, folders: &FolderArguments) -> anyhow::Result<ExitCode> {
        if let Some(id) = &self.id {
            return show_call::run(id, self.json, &self.approver, folders);
        }
        if std::io::stdin().is_terminal() {
            return Err(usage("say which call: `handraise history` lists the latest"));
        }
        filter::run(&Map::new(), |Text { text }| {
            let shown = handraise_display::show(&text);
            Ok(ShownText { text: shown.text, findings: shown.findings.into_iter().map(Finding::from).collect() })
        })
    }
}
