//! Denying everything that waits from one agent.

use handraise_gate::{Acknowledgement, Approver, Input};
use handraise_protocol::{DenyAllRequest, DenyAllResponse, Problem};

use super::Engine;

impl Engine {
    /// Denies everything that waits from one agent: by the name that it is shown with, or by that of its credential.
    ///
    /// # Errors
    /// When the approver may not decide, or the audit log cannot be written.
    pub async fn deny_all(&self, request: DenyAllRequest, approver: Approver) -> Result<DenyAllResponse, Problem> {
        self.call(move |state| {
            let DenyAllRequest { agent, reason } = request;
            let denied = match state.handle(Input::DenyAll { agent, reason, approver }, None)? {
                Acknowledgement::Denied(denied) => denied,
                _ => 0,
            };
            Ok(DenyAllResponse { denied })
        })
        .await?
    }
}
