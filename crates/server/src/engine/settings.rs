//! What a person changes: policy and credentials.

use handraise_gate::{Act, Approver, DecidedOutside};
use handraise_protocol::{
    Challenge, Credential, NewCredential, NewCredentialRequest, Notice, Preset, Problem, ProblemCode,
};

use super::Engine;
use super::history::unreadable;
use crate::audit::Verification;
use crate::credentials::CredentialError;
use crate::policy::PolicyEdit;

/// Longest name of a credential, in characters.
const MAX_NAME: usize = 60;
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
        self.call(move |state| {
            let name = request.name.trim();
            let usable = !name.is_empty() && name.chars().count() <= MAX_NAME && !handraise_display::has_hidden(name);
            let taken = state.credentials.list().iter().any(|known| known.name == name);
            if !usable || taken {
                let what = format!("Give it a name of its own, with at most {MAX_NAME} visible characters.");
                return Err(Problem::new(ProblemCode::InvalidRequest, what));
            }
            let created = state.credentials.create(name, request.role, state.clock.now()).map_err(unsaved);
            state.show_policy_notices();
            created
        })
        .await?
    }

    /// Forgets a credential; its token is worth nothing from now on.
    ///
    /// # Errors
    /// When there is no such credential, or that cannot be saved.
    pub async fn revoke_credential(&self, id: String) -> Result<(), Problem> {
        self.call(move |state| match state.credentials.revoke(&id) {
            Ok(true) => {
                state.show_policy_notices();
                Ok(())
            }
            Ok(false) => Err(Problem::new(ProblemCode::NotFound, "There is no such credential.")),
            Err(error) => Err(unsaved(error)),
        })
        .await?
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
    pub(crate) async fn admit(&self, approver: Approver, act: Act) -> Result<(), Problem> {
        self.call(move |state| state.gate.admit(&approver, act).map_err(|refusal| state.problem(refusal))).await?
    }

    /// Says what may be decided outside of this process from now on.
    ///
    /// # Errors
    /// Only when the engine has stopped.
    pub async fn set_decided_outside(&self, outside: DecidedOutside) -> Result<(), Problem> {
        self.call(move |state| state.gate.set_decided_outside(outside)).await
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

fn unsaved(error: CredentialError) -> Problem {
    Problem::new(ProblemCode::Internal, error.to_string())
}
