//! Errors, as RFC 9457 problem documents with a stable code.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{ApprovalResult, Diagnostic, QuestionResult};

/// An RFC 9457 problem document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct Problem {
    /// Short and the same for every occurrence.
    pub title: String,
    /// HTTP status.
    pub status: u16,
    /// For programs.
    pub code: ProblemCode,
    /// What happened this time, and what to do.
    pub detail: String,
    /// With `already_over`: how the request really ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Box<ApprovalResult>>,
    /// With `already_over`, about a question: how it really ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<Box<QuestionResult>>,
    /// With `too_many_requests`: seconds after which to try again, as in the header `Retry-After`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_seconds: Option<u32>,
    /// With `policy_invalid`: everything that is wrong, with its place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<Diagnostic>>", optional)]
    pub diagnostics: Vec<Diagnostic>,
}

macro_rules! problem_codes {
    ($($variant:ident $status:literal $title:literal)*) => {
        /// Why a call was refused. The values never change their meaning.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
        #[serde(rename_all = "snake_case")]
        pub enum ProblemCode {
            $(#[doc = $title] $variant,)*
        }

        impl ProblemCode {
            /// HTTP status that goes with it.
            #[must_use]
            pub fn status(self) -> u16 {
                match self { $(Self::$variant => $status,)* }
            }

            /// Title that goes with it.
            #[must_use]
            pub fn title(self) -> &'static str {
                match self { $(Self::$variant => $title,)* }
            }
        }
    };
}

problem_codes! {
    InvalidJson 400 "The body is not valid JSON"
    InvalidHost 400 "The Host header does not name this server"
    ForeignOrigin 403 "Requests from web pages are refused"
    Unauthorized 401 "A valid bearer token is needed"
    NotAnApprover 403 "Only an approver may do this"
    NotARequester 403 "Only a requester may do this"
    OwnProcessTree 403 "The requesting agent may not decide"
    MadeInput 403 "A program pressed this, and not a person"
    UnknownApprover 403 "It cannot be told whose process this is"
    TerminalsOff 403 "Terminals may not decide"
    WindowOnly 403 "Only the window of Handraise may approve this"
    NotFound 404 "There is no such thing here"
    MethodNotAllowed 405 "This method is not allowed here"
    AlreadyOver 409 "The request is already over"
    KeyReused 409 "The idempotency key belongs to another call"
    OtherArguments 409 "The arguments are not the ones that were shown"
    FileChanged 409 "A file that the call runs has changed"
    WallsChanged 409 "The walls are not the ones that were shown"
    NotRedeemable 409 "The approval cannot be used"
    PolicyDenies 409 "The policy denies the changed arguments"
    NotRevealable 409 "The arguments cannot be revealed"
    PolicyPending 409 "A change of the policy waits to be confirmed"
    PolicyMoved 412 "The policy is another one by now"
    BodyTooLarge 413 "The body is too large"
    UnsupportedMediaType 415 "The body must be application/json"
    InvalidRequest 422 "The request cannot be taken as it is"
    PolicyInvalid 422 "The policy cannot be used"
    IfMatchMissing 428 "Say which text the new one was made from"
    TooManyRequests 429 "Too much is going on at once"
    Internal 500 "Something went wrong in Handraise"
    AuditUnavailable 503 "The audit log cannot be written"
    ShuttingDown 503 "Handraise is shutting down"
}

impl Problem {
    /// A problem with its usual title and status.
    #[must_use]
    pub fn new(code: ProblemCode, detail: impl Into<String>) -> Self {
        Self {
            title: code.title().to_owned(),
            status: code.status(),
            code,
            detail: detail.into(),
            result: None,
            question: None,
            retry_after_seconds: None,
            diagnostics: Vec::new(),
        }
    }
}
