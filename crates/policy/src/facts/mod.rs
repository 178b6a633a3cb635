//! What the owner of the gate has found out about a call: plain data that a [`Request`](crate::Request) holds.
//!
//! Architecture invariant: nothing here imports another module of this crate. What asks for these facts (`path`,
//! `project_code`, `project_task`, `script`) and what judges by them (`rules`, `grant`, `effect`) stand above the request.

mod checkout;
mod confinable;
mod decision_point;
mod path;
mod project_code;
mod protection;
mod script;
mod task;
mod task_definition;

pub use checkout::{CheckoutAnswer, CheckoutFacts, CheckoutQuestion, CheckoutSource};
pub use confinable::{Confinable, ConfinedCall};
pub use decision_point::{DecisionPointAnswer, DecisionPointResult};
pub use path::{HeldCredential, PathFacts, ResolvedPath};
pub use project_code::{
    CodeSetting, CodeSource, FoundCode, GitSetting, ProjectAnswer, ProjectFacts, ProjectQuestion, ProjectSubject,
};
pub use protection::{ProtectedPath, Protection};
pub use script::{ScriptFacts, ScriptState};
pub use task::{TaskCall, TaskFacts, TaskQuestion, TaskRunner, TaskState};
pub use task_definition::{TaskDefinition, TaskStep};
