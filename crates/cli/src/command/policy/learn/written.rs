//! A policy with its text, to which rules can be added.

use std::path::Path;

use anyhow::{Context, bail};
use handraise_policy::rules::{Diagnostic, parse};
use handraise_policy::{Policy, Preset};
use handraise_server::DryRun;

/// What every rule that the prompt offers is warned of: that it holds for one agent only.
const FOR_ONE_AGENT: &str = "policy::agents_in_allow";

/// A policy and what it was read from.
#[derive(Clone, Debug)]
pub(in crate::command::policy) struct WrittenPolicy {
    text: String,
    /// With the protections that no file takes away.
    pub(in crate::command::policy) policy: Policy,
    warnings: usize,
}

impl WrittenPolicy {
    /// The policy of a file.
    ///
    /// # Errors
    /// When it cannot be read or used.
    pub(in crate::command::policy) fn file(file: &Path, dry_run: &DryRun) -> anyhow::Result<Self> {
        let name = file.display();
        let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {name}"))?;
        match Self::read(text, dry_run) {
            Some(written) => Ok(written),
            None => bail!("{name} cannot be used; `handraise policy check {name}` says why"),
        }
    }

    /// A preset alone.
    pub(in crate::command::policy) fn preset(preset: Preset, dry_run: &DryRun) -> Self {
        let policy = dry_run.protect(Policy::from_preset(preset));
        let name = serde_json::to_value(handraise_protocol::Preset::from(preset)).unwrap_or_default();
        Self { text: format!("version = 1\npreset = {name}\n"), policy, warnings: 0 }
    }

    /// The policy of `text`, if it can be used.
    pub(in crate::command::policy) fn read(text: String, dry_run: &DryRun) -> Option<Self> {
        let loaded = parse(&text).ok()?;
        Some(Self { policy: dry_run.protect(loaded.policy), warnings: warnings(&loaded.warnings), text })
    }

    /// This policy with `rules` behind all others; `None` where it could not be used, or its author would be warned of
    /// them.
    pub(in crate::command::policy) fn with(&self, rules: &str, dry_run: &DryRun) -> Option<Self> {
        let gap = if self.text.is_empty() || self.text.ends_with('\n') { "\n" } else { "\n\n" };
        let more = Self::read(format!("{}{gap}{}\n", self.text, rules.trim()), dry_run)?;
        (more.warnings <= self.warnings).then_some(more)
    }

    /// The text of the file.
    pub(in crate::command::policy) fn text(&self) -> &str {
        &self.text
    }
}

/// How many things there are that a rule should not be suggested with.
fn warnings(all: &[Diagnostic]) -> usize {
    all.iter().filter(|warning| warning.code != FOR_ONE_AGENT).count()
}
