//! What a person changes: policy and credentials.

use std::time::Duration;

use handraise_gate::{Approver, ApproverAction, ExternalDecisions};
use handraise_protocol::{
    Challenge, Credential, NewCredential, NewCredentialRequest, Notice, Preset, Problem, ProblemCode,
};
use tokio::time::timeout;

use super::history::unreadable;
use super::{Engine, State};
use crate::audit::Verification;
use crate::credentials::{CredentialError, Credentials};
use crate::policy_file::PolicyEdit;
use crate::threads;

/// Longest name of a credential, in characters.
const MAX_NAME: usize = 60;
/// How long the credentials take to be saved before whoever changes them is told that it failed.
const MAX_SAVING: Duration = Duration::from_secs(30);
/// Who changes the settings, in the audit log: only this process calls these.
const DESKTOP: &str = "settings";

impl Engine {
    /// Changes the preset, in `policy.toml` and at once.
    ///
    /// # Errors
    /// When the file cannot be read or written; nothing has changed then.
    pub async fn set_preset(&self, preset: Preset) -> Result<(), Problem> {
        self.edit_policy(PolicyEdit::Preset(preset.into()), DESKTOP.to_owned()).await
    }

    /// Changes how long a person has to answer, in `policy.toml` and at once.
    ///
    /// # Errors
    /// When it is not between one second and one day, or the file cannot be read or written.
    pub async fn set_timeout(&self, seconds: u32) -> Result<(), Problem> {
        self.edit_policy(PolicyEdit::Timeout(seconds), DESKTOP.to_owned()).await
    }

    /// Credentials, without their secrets.
    ///
    /// # Errors
    /// Only when the engine has stopped.
    pub async fn credentials(&self) -> Result<Vec<Credential>, Problem> {
        self.call(|state| state.credentials.list()).await
    }

    /// Makes a credential. Its token is in the answer and nowhere else.
    ///
    /// # Errors
    /// When the name cannot be used or the credential cannot be saved.
    pub async fn create_credential(&self, request: NewCredentialRequest) -> Result<NewCredential, Problem> {
        let name = request.name.trim().to_owned();
        if name.is_empty() || name.chars().count() > MAX_NAME || handraise_display::has_hidden(&name) {
            return Err(no_name());
        }
        let now = self.call(|state| state.clock.now()).await?;
        self.change_credentials(move |credentials| credentials.create_anew(&name, request.role, now)).await
    }

    /// Forgets a credential; its token is worth nothing from now on.
    ///
    /// # Errors
    /// When there is no such credential, or that cannot be saved.
    pub async fn revoke_credential(&self, id: String) -> Result<(), Problem> {
        if self.change_credentials(move |credentials| credentials.revoke(&id)).await? {
            return Ok(());
        }
        Err(Problem::new(ProblemCode::NotFound, "There is no such credential."))
    }

    /// Makes one change after the other, beside the engine: the disk may not answer. What takes longer than
    /// [`MAX_SAVING`] keeps those behind it from being tried.
    async fn change_credentials<Output: Send + 'static>(
        &self,
        change: impl FnOnce(&Credentials) -> Result<Output, CredentialError> + Send + 'static,
    ) -> Result<Output, Problem> {
        let changed = async {
            let one_at_a_time = self.credential_changes.clone().lock_owned().await;
            let credentials = self.credentials.clone();
            let work = move || {
                let changed = change(&credentials);
                drop(one_at_a_time);
                changed
            };
            threads::begin(work).ok()?.await.ok()
        };
        let changed = timeout(MAX_SAVING, changed).await.ok().flatten().ok_or_else(|| {
            let what = "The credentials could not be saved. Look at the disk that they are on.";
            Problem::new(ProblemCode::Internal, what)
        })?;
        self.call(State::show_policy_notices).await?;
        changed.map_err(unsaved)
    }

    /// The credential of a token.
    pub(crate) fn authenticate(&self, token: &str) -> Option<Credential> {
        self.credentials.find(token)
    }

    /// The proof that this server knows a credential.
    pub(crate) fn prove(&self, challenge: &Challenge, address: &str) -> Option<String> {
        self.credentials.prove(challenge, address)
    }

    /// Refuses an approver who may not do this.
    pub(crate) async fn admit(&self, approver: Approver, act: ApproverAction) -> Result<(), Problem> {
        self.call(move |state| state.gate.admit(&approver, act).map_err(|refusal| state.problem(refusal))).await?
    }

    /// Says what may be decided outside of this process from now on.
    ///
    /// # Errors
    /// Only when the engine has stopped.
    pub async fn set_external_decisions(&self, decisions: ExternalDecisions) -> Result<(), Problem> {
        self.call(move |state| state.gate.set_external_decisions(decisions)).await
    }

    /// What a person should know.
    ///
    /// # Errors
    /// Only when the engine has stopped.
    pub async fn notices(&self) -> Result<Vec<Notice>, Problem> {
        self.call(|state| state.notices.clone()).await
    }

    /// A person has read a notice.
    ///
    /// # Errors
    /// Only when the engine has stopped.
    pub async fn dismiss_notice(&self, title: String) -> Result<(), Problem> {
        self.call(move |state| state.notices.retain(|notice| notice.title != title)).await
    }

    /// Checks the audit log's hash chain.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub async fn verify_audit(&self) -> Result<Verification, Problem> {
        self.reader.verify().await.map_err(unreadable)
    }
}

fn no_name() -> Problem {
    let what = format!("Give it a name of its own, with at most {MAX_NAME} visible characters.");
    Problem::new(ProblemCode::InvalidRequest, what)
}

fn unsaved(error: CredentialError) -> Problem {
    if matches!(error, CredentialError::Taken) {
        return no_name();
    }
    Problem::new(ProblemCode::Internal, error.to_string())
}
