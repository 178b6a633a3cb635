//! The state machine that decides: what waits, who may answer, and who wins when several things
//! happen at once.
//!
//! Architecture invariant: nothing here performs I/O, reads a clock, or waits. [`Gate::handle`] is
//! told what happened and what time it is, and answers with the effects that its owner has to carry
//! out. Every race (timeout against click, hang-up against click, two approvers) is therefore an
//! ordinary function call, and is tested as one.

mod decision;
mod lifecycle;
mod machine;
mod question;

pub use decision::{DecidedBy, Decision, Outcome, PersonsDecision, Status};
pub use lifecycle::{Asked, Attendance, Departure, End, Lifecycle, RegistryLimits};
pub use machine::{
    Acknowledgement, Approver, ApproverAction, Authority, ConfinedRun, Effect, Entry, Evaluation, ExternalDecisions,
    Gate, Input, LastingEffect, Limits, MAX_DENIED, Mode, Reaction, Record, Refusal, SessionState, arguments_size,
};
pub use question::{
    Question, QuestionChoice, QuestionEffect, QuestionEntry, QuestionId, QuestionInput, QuestionOutcome,
    QuestionReaction, QuestionRecord, QuestionRefusal, QuestionStatus, Questions, Reply,
};
