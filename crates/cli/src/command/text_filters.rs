//! `handraise redact` and `handraise show`: what happens to text before anybody sees it.

use std::process::ExitCode;

use clap::Args;
use handraise_protocol::Finding;
use handraise_redaction::{Redaction, Redactor};
use serde::{Deserialize, Serialize};
use serde_json::Map;

use super::filter;

/// Replace secrets in text: JSON lines {"text"} in, {"text","redactions"} out
#[derive(Debug, Args)]
pub(crate) struct Redact {}

/// Make text safe to display: JSON lines {"text"} in, {"text","findings"} out
#[derive(Debug, Args)]
pub(crate) struct Show {}

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
        let redactor = Redactor::new(&[], key)?;
        filter::run(&Map::new(), |Text { text }| {
            let redacted = redactor.text(&text);
            let redactions = redacted.redactions.into_iter().map(RedactedSecret::from);
            Ok(RedactedText { text: redacted.text, redactions: redactions.collect() })
        })
    }
}

impl Show {
    /// Runs the filter.
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        filter::run(&Map::new(), |Text { text }| {
            let shown = handraise_display::show(&text);
            Ok(ShownText { text: shown.text, findings: shown.findings.into_iter().map(Finding::from).collect() })
        })
    }
}
