//! The policy in the engine: taken from the disk, changed in the app, confirmed by a person.

use std::sync::Arc;

use handraise_gate::Input;
use handraise_policy::rules::{Diagnostic, PolicyDifference, parse};
use handraise_protocol::{PolicyCheck, PolicySummary, PolicyView, Problem, ProblemCode};
use serde_json::json;

use super::policy_change::PolicyChange;
use super::policy_problem::invalid;
use super::{Engine, State, gone};
use crate::policy_file::{Looked, Opened, PolicyEdit, PolicyOnDisk, PolicyStore, PolicyText, unknown_agents};
use crate::prepare::Files;

const CHANGED: &str = "Your policy was changed outside Handraise";
const REFUSED: &str = "The policy file cannot be used";
const FOR_NOBODY: &str = "A part of your policy counts for nobody";
const LOST: &str = "Your confirmed policy is not there any more";

impl Engine {
    /// The policy: its text, what is in force, and what waits for a person's word.
    ///
    /// # Errors
    /// Only when the engine has stopped.
    pub async fn policy(&self) -> Result<PolicyView, Problem> {
        self.call(|state| state.policy_view()).await
    }

    /// The policy in force, in short.
    ///
    /// # Errors
    /// Only when the engine has stopped.
    pub async fn policy_summary(&self) -> Result<PolicySummary, Problem> {
        self.call(|state| state.policy_summary()).await
    }

    /// Puts `text` in the place of the policy, whole or not at all. `etag` names the text that it was
    /// made from; `by` the person, for the audit log.
    ///
    /// # Errors
    /// When another text lies there by now, one waits to be confirmed, or the new one cannot be used.
    pub async fn replace_policy(&self, text: String, etag: String, by: String) -> Result<PolicyView, Problem> {
        let read = |_: &_, text: &String, _: Files<'_>| PolicyText::read(text.clone());
        let text = self.preparer.one("", text, &mut None, read).await?;
        self.change_policy(PolicyChange::Replace { text: Box::new(text), etag }, by).await
    }

    /// Makes one change in the policy and keeps everything else, comments included.
    ///
    /// # Errors
    /// When a text waits to be confirmed or mended, or the changed one could not be used.
    pub(crate) async fn edit_policy(&self, edit: PolicyEdit, by: String) -> Result<(), Problem> {
        self.change_policy(PolicyChange::Edit(edit), by).await.map(|_| ())
    }

    /// Adds rules behind the others, the TOML text of `[[rule]]` tables, or opens places to the walls of projects, that of
    /// `[[confine.project]]` tables.
    ///
    /// # Errors
    /// When a text waits to be confirmed or mended, or the tables cannot be used.
    pub async fn add_policy_rules(&self, tables: String, by: String) -> Result<(), Problem> {
        self.edit_policy(PolicyEdit::of_tables(tables), by).await
    }

    /// Adds rules that an agent kept itself: the TOML text of `[[rule]]` tables before all others, and of some behind them.
    ///
    /// # Errors
    /// As [`Engine::add_policy_rules`].
    pub async fn import_policy_rules(&self, in_front: String, behind: String, by: String) -> Result<(), Problem> {
        self.edit_policy(PolicyEdit::Imported { in_front, behind }, by).await
    }

    /// A person has looked at the change with this `etag`: it is in force from now on.
    ///
    /// # Errors
    /// When nothing waits for that, or another text does by now.
    pub async fn confirm_policy(&self, etag: String, by: String) -> Result<PolicyView, Problem> {
        self.change_policy(PolicyChange::Confirm { etag }, by).await
    }

    /// Takes the confirmed text back. What lay there is set aside beside it, so that nothing is lost.
    ///
    /// # Errors
    /// When there is nothing to take back, or another text than that with this `etag`.
    pub async fn discard_policy(&self, etag: String, by: String) -> Result<PolicyView, Problem> {
        self.change_policy(PolicyChange::Discard { etag }, by).await
    }

    /// Makes a change when those before it are made.
    async fn change_policy(&self, change: PolicyChange, by: String) -> Result<PolicyView, Problem> {
        self.call(move |state| state.change_policy(change, by)).await?.await.map_err(|_| gone())?
    }

    /// What is wrong with a policy text. Changes nothing.
    #[must_use]
    pub fn check_policy(text: &str) -> PolicyCheck {
        let (is_usable, diagnostics) = match parse(text) {
            Ok(loaded) => (true, loaded.warnings),
            Err(diagnostics) => (false, diagnostics),
        };
        PolicyCheck { is_usable, diagnostics: diagnostics.into_iter().map(Into::into).collect() }
    }
}

impl State {
    /// Takes over what opening the files has shown.
    pub(crate) fn policy_opened(&mut self, opened: OpenedFacts) -> Result<(), crate::audit::AuditError> {
        let now = self.clock.now();
        if let Some((text, why)) = opened.adopted {
            self.audit.note(&confirmed_entry(&text, "handraise", why), now)?;
            self.policy.confirm(text);
            self.copy_policy_at_start();
        }
        if opened.is_restored {
            self.audit.note(&json!({ "kind": "policy_restored", "sha256": self.policy.confirmed().etag }), now)?;
        }
        let loaded = json!({
            "kind": "policy_loaded",
            "sha256": self.policy.confirmed().etag,
            "unconfirmed": self.policy.pending().map(|text| &text.etag),
            "refused": self.policy.refused().map(ToString::to_string),
        });
        self.audit.note(&loaded, now)?;
        let in_force = self.gate.policy().clone();
        self.policy_applied(&in_force);
        if opened.is_lost {
            self.set_notice(LOST, Some(LOST_DETAIL.to_owned()));
        }
        self.show_policy_notices();
        Ok(())
    }

    /// Takes over what a look at the file has shown.
    pub(super) fn take_policy_look(&mut self, looked: Looked) {
        let Some(seen) = self.policy.take(looked) else { return };
        let entry = match &seen {
            PolicyOnDisk::Confirmed => json!({ "kind": "policy_rolled_back", "sha256": self.policy.confirmed().etag }),
            PolicyOnDisk::SameInEffect(text) => {
                match self.confirm((**text).clone(), "handraise", "same in effect") {
                    Ok(()) => self.copy_policy(),
                    Err(problem) => {
                        tracing::warn!(detail = problem.detail, "a policy of the same effect could not be taken over");
                    }
                }
                return;
            }
            PolicyOnDisk::Changed => {
                json!({ "kind": "policy_unconfirmed", "sha256": self.policy.pending().map(|text| &text.etag) })
            }
            PolicyOnDisk::Refused => {
                json!({ "kind": "policy_refused", "why": self.policy.refused().map(ToString::to_string) })
            }
        };
        // What is seen can only make the answers stricter, so it counts even where it cannot be recorded.
        self.note(&entry);
        if let Err(problem) = self.apply_policy() {
            tracing::error!(detail = problem.detail, "a changed policy could not be recorded");
        }
    }

    /// From now on `text`, which lies on the disk, is what a person wants. The record comes first: what
    /// is not recorded is not confirmed. Its copy is to be written.
    pub(crate) fn confirm(&mut self, text: PolicyText, by: &str, how: &str) -> Result<(), Problem> {
        let now = self.clock.now();
        self.audit.note(&confirmed_entry(&text, by, how), now).map_err(|error| {
            Problem::new(
                ProblemCode::AuditUnavailable,
                format!("The audit log cannot be written, so the policy stays as it was. ({error})"),
            )
        })?;
        self.policy.confirm(text);
        self.set_notice(LOST, None);
        if let Err(problem) = self.apply_policy() {
            tracing::error!(detail = problem.detail, "that another policy is in force could not be recorded");
        }
        Ok(())
    }

    /// Puts in force what the store says, and tells everybody.
    fn apply_policy(&mut self) -> Result<(), Problem> {
        self.show_policy_notices();
        let in_force = Arc::new(self.policy.in_force());
        self.policy_applied(&in_force);
        self.handle(Input::SetPolicy(in_force), None).map(|_| ())
    }

    pub(super) fn note(&mut self, entry: &serde_json::Value) {
        if let Err(error) = self.audit.note(entry, self.clock.now()) {
            tracing::error!(%error, "the audit log cannot be written");
        }
    }

    pub(super) fn check_etag(&self, etag: &str) -> Result<(), Problem> {
        if self.policy.current().1 == etag {
            return Ok(());
        }
        Err(Problem::new(ProblemCode::PolicyMoved, "Another text lies there by now; read it again."))
    }

    pub(super) fn check_nothing_pends(&self) -> Result<(), Problem> {
        if self.policy.pending().is_none() {
            return Ok(());
        }
        Err(Problem::new(
            ProblemCode::PolicyPending,
            "The policy was changed outside Handraise. Confirm that change or discard it first.",
        ))
    }

    pub(super) fn unusable(&self) -> Problem {
        let diagnostics = self.policy.refused().map(|refused| refused.diagnostics.clone()).unwrap_or_default();
        Problem {
            detail: "The policy file cannot be used as it is. Mend it or discard it first.".to_owned(),
            ..invalid(diagnostics)
        }
    }

    pub(super) fn show_policy_notices(&mut self) {
        let refused = self.policy.refused().map(|refused| {
            format!(
                "{}\n{refused}\nThe rules in force stay in force. Mend the file, or take the confirmed policy back.",
                self.policy.path().display()
            )
        });
        self.set_notice(REFUSED, refused);
        let changed = self.policy.difference().map(|difference| changed_detail(&difference));
        self.set_notice(CHANGED, changed);
        let for_nobody = self.for_nobody(self.policy.confirmed());
        let sentences: Vec<String> = for_nobody.iter().map(ToString::to_string).collect();
        self.set_notice(FOR_NOBODY, Some(sentences.join("\n")).filter(|text| !text.is_empty()));
    }

    /// What is to be known of a policy that can be used.
    pub(super) fn policy_remarks(&self, text: &PolicyText) -> Vec<Diagnostic> {
        let mut remarks = text.warnings.clone();
        remarks.extend(self.for_nobody(text));
        remarks
    }

    fn for_nobody(&self, text: &PolicyText) -> Vec<Diagnostic> {
        let credentials: Vec<String> = self.credentials.list().into_iter().map(|credential| credential.name).collect();
        unknown_agents(&text.policy, &text.text, &credentials)
    }

    pub(super) fn policy_view(&self) -> PolicyView {
        let (text, etag) = self.policy.current();
        let diagnostics = match (self.policy.refused(), self.policy.pending()) {
            (Some(refused), _) => refused.diagnostics.clone(),
            (None, Some(pending)) => self.policy_remarks(pending),
            (None, None) => self.policy_remarks(self.policy.confirmed()),
        };
        PolicyView {
            text: text.to_owned(),
            etag: etag.to_owned(),
            path: self.policy.path().display().to_string(),
            diagnostics: diagnostics.into_iter().map(Into::into).collect(),
            in_force: self.policy_summary(),
            pending: self.policy.difference().map(Into::into),
        }
    }

    fn policy_summary(&self) -> PolicySummary {
        let policy = &self.policy.confirmed().policy;
        PolicySummary {
            preset: policy.preset.into(),
            timeout_seconds: policy.timeout_seconds,
            rules: u32::try_from(policy.rule_count()).unwrap_or(u32::MAX),
            path: self.policy.path().display().to_string(),
            problem: self.policy.refused().map(ToString::to_string),
        }
    }
}

/// What opening the policy has shown, apart from the store itself.
#[derive(Debug)]
pub(crate) struct OpenedFacts {
    adopted: Option<(PolicyText, &'static str)>,
    is_lost: bool,
    is_restored: bool,
}

impl OpenedFacts {
    pub(crate) fn of(opened: Opened) -> (PolicyStore, Self) {
        let Opened { store, adopted, is_lost, is_restored } = opened;
        (store, Self { adopted, is_lost, is_restored })
    }
}

const LOST_DETAIL: &str = "The audit log knows another policy than the one that was kept as confirmed. \
    Until you have looked at the policy and confirmed it, everything asks.";

/// The record that makes a text the confirmed one; found again by its `kind`, which stands first.
fn confirmed_entry(text: &PolicyText, by: &str, how: &str) -> serde_json::Value {
    json!({ "kind": "policy_confirmed", "sha256": text.etag, "by": by, "how": how })
}

fn changed_detail(difference: &PolicyDifference) -> String {
    let counted = |count: usize, one: &str, many: &str| match count {
        0 => None,
        1 => Some(format!("1 {one}")),
        count => Some(format!("{count} {many}")),
    };
    let parts: Vec<String> = [
        counted(difference.added.len(), "rule more", "rules more"),
        counted(difference.removed.len(), "rule less", "rules less"),
        counted(difference.moved.len(), "rule elsewhere", "rules elsewhere"),
        counted(difference.settings.len(), "setting changed", "settings changed"),
    ]
    .into_iter()
    .flatten()
    .collect();
    let effect = if difference.loosens {
        "It lets more pass than before; that part waits until you have confirmed it. What is stricter holds already."
    } else {
        "It is in force where it is stricter. Confirm it to have the rest of it."
    };
    match parts.as_slice() {
        [] => effect.to_owned(),
        parts => format!("{}. {effect}", parts.join(", ")),
    }
}
