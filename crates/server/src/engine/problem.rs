//! The gate's refusals as problems of the API.

use std::sync::Arc;

use handraise_gate::Refusal;
use handraise_protocol::{Problem, ProblemCode};

use super::State;
use crate::sentence::sentence;

impl State {
    /// The problem that tells about `refusal`.
    pub(super) fn problem(&mut self, refusal: Refusal) -> Problem {
        let code = match &refusal {
            Refusal::UnknownRequest | Refusal::UnknownGrant => ProblemCode::NotFound,
            Refusal::AlreadyOver(_) => ProblemCode::AlreadyOver,
            Refusal::KeyReused => ProblemCode::KeyReused,
            Refusal::TooManyPending
            | Refusal::TooManyInSession
            | Refusal::TooManyBytes
            | Refusal::TooManySessions
            | Refusal::TooManyGrants => ProblemCode::TooManyRequests,
            Refusal::OwnProcessTree => ProblemCode::OwnProcessTree,
            Refusal::UnknownApprover(_) => ProblemCode::UnknownApprover,
            Refusal::TerminalsOff => ProblemCode::TerminalsOff,
            Refusal::WindowOnly => ProblemCode::WindowOnly,
            Refusal::WallsChanged => ProblemCode::WallsChanged,
            Refusal::OtherArguments => ProblemCode::OtherArguments,
            Refusal::FileChanged(_) | Refusal::Unseen(_) => ProblemCode::FileChanged,
            Refusal::EditDenied => ProblemCode::PolicyDenies,
            Refusal::NotRedeemable | Refusal::NoWalls => ProblemCode::NotRedeemable,
            Refusal::ShuttingDown => ProblemCode::ShuttingDown,
            Refusal::NotConfinable
            | Refusal::ConfinedAlone
            | Refusal::EditsNotAccepted
            | Refusal::EditBeyondOnce
            | Refusal::NoSession
            | Refusal::NoSuchRule
            | Refusal::CommandsAlone
            | Refusal::RuleAlone
            | Refusal::RuleUnfit(_)
            | Refusal::BreadthDoesNotFit
            | Refusal::Protected
            | Refusal::TooWide => ProblemCode::InvalidRequest,
        };
        let problem = Problem::new(code, sentence(&refusal.to_string()));
        let Refusal::AlreadyOver(outcome) = refusal else { return problem };
        let known = self.gate.ended().find(|entry| entry.life.outcome.as_ref() == Some(&*outcome));
        let result = known.map(|entry| self.results.of(entry, &self.redactor));
        Problem { result: result.map(|result| Box::new(Arc::unwrap_or_clone(result))), ..problem }
    }
}
