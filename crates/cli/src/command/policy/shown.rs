//! What of a call of the past is shown: without what is secret, and no longer than a person reads.

use anyhow::anyhow;
use handraise_display::line;
use handraise_redaction::Redactor;

/// Longest text of a call, in characters; the rest is counted.
const MAX_TEXT: usize = 2_000;

/// Makes text of transcripts fit to be shown.
pub(in crate::command::policy) struct Shown(Redactor);

impl Shown {
    /// With a key of its own, so that the marks say nothing beyond this run.
    ///
    /// # Errors
    /// When the system has no random numbers.
    pub(in crate::command::policy) fn new() -> anyhow::Result<Self> {
        let mut key = [0; 32];
        getrandom::fill(&mut key).map_err(|error| anyhow!("no random numbers from the system: {error}"))?;
        Ok(Self(Redactor::new(key)))
    }

    /// Whether `text` holds a secret.
    pub(in crate::command::policy) fn hides(&self, text: &str) -> bool {
        self.0.text(text).text != text
    }

    /// `text` in one line.
    pub(in crate::command::policy) fn text(&self, text: &str) -> String {
        line(&self.0.text(text).text, MAX_TEXT)
    }
}
