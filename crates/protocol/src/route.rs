//! Every route of the API, in one table: the OpenAPI document is made from it, and a test of the
//! server compares it with what is really served.

/// HTTP methods in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Reads.
    Get,
    /// Makes or does.
    Post,
    /// Puts in the place of what is there.
    Put,
    /// Takes back.
    Delete,
}

/// Who may call a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// Anybody on this machine.
    Anyone,
    /// A requester, for its own.
    Requester,
    /// An approver.
    Approver,
    /// A requester for its own, an approver for all.
    Both,
}

/// One route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Route {
    /// Method.
    pub method: Method,
    /// Path with parameters in braces.
    pub path: &'static str,
    /// Who may call it.
    pub access: Access,
    /// One sentence.
    pub summary: &'static str,
    /// Query parameters: name and meaning.
    pub query: &'static [(&'static str, &'static str)],
    /// A header that has to be there: name and meaning.
    pub header: Option<(&'static str, &'static str)>,
    /// Schema name of the body.
    pub body: Option<&'static str>,
    /// Schema name of the answer; `None`: no content, an event stream or free JSON.
    pub answer: Option<&'static str>,
    /// Media type of the answer.
    pub media_type: &'static str,
}

impl Method {
    /// As it stands in a request line.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Delete => "DELETE",
        }
    }
}

const JSON: &str = "application/json";
const WAIT: (&str, &str) =
    ("wait", "Seconds to wait for the end; absent: until it ends. After that: 202 and status `pending`");

const fn route(
    method: Method,
    path: &'static str,
    access: Access,
    summary: &'static str,
    body: Option<&'static str>,
    answer: Option<&'static str>,
) -> Route {
    Route { method, path, access, summary, query: &[], header: None, body, answer, media_type: JSON }
}

impl Route {
    const fn with_query(self, query: &'static [(&'static str, &'static str)]) -> Self {
        Self { query, ..self }
    }

    const fn with_header(self, header: (&'static str, &'static str)) -> Self {
        Self { header: Some(header), ..self }
    }

    const fn with_media_type(self, media_type: &'static str) -> Self {
        Self { media_type, ..self }
    }
}

/// Every route of the API.
pub const ROUTES: &[Route] = &[
    route(
        Method::Post,
        "/v1/approvals",
        Access::Requester,
        "Ask for a tool call to be decided",
        Some("ApprovalRequest"),
        Some("ApprovalResult"),
    )
    .with_query(&[WAIT]),
    route(
        Method::Post,
        "/v1/approvals/batch",
        Access::Requester,
        "Ask for the calls of one parallel batch to be decided: all are taken, or none; shown together",
        Some("BatchRequest"),
        Some("BatchResult"),
    )
    .with_query(&[WAIT]),
    route(
        Method::Post,
        "/v1/approvals/deny-all",
        Access::Approver,
        "Deny everything that waits from one agent",
        Some("DenyAllRequest"),
        Some("DenyAllResponse"),
    ),
    route(
        Method::Get,
        "/v1/approvals",
        Access::Approver,
        "List open requests or search ended ones",
        None,
        Some("ApprovalPage"),
    )
    .with_query(&[
        ("status", "`pending` (default), `approved`, `denied`, `timeout`, `cancelled` or `all`"),
        ("session", "Only this session"),
        ("agent", "Only this agent"),
        ("q", "Only requests whose tool, title or arguments contain this text"),
        ("cursor", "`next_cursor` of the page before"),
        ("limit", "Requests on a page: 1 to 200, default 50"),
    ]),
    route(
        Method::Get,
        "/v1/approvals/{id}",
        Access::Both,
        "Look at a request, or go on waiting for it",
        None,
        Some("ApprovalResult"),
    )
    .with_query(&[("wait", "Seconds to wait for the end; absent: look only")]),
    route(Method::Delete, "/v1/approvals/{id}", Access::Requester, "Take a request back", None, Some("ApprovalResult")),
    route(
        Method::Post,
        "/v1/approvals/{id}/decision",
        Access::Approver,
        "Decide about a request",
        Some("DecisionRequest"),
        Some("DecisionResponse"),
    ),
    route(
        Method::Get,
        "/v1/approvals/{id}/reveal",
        Access::Approver,
        "The arguments of an open request with their secrets; recorded",
        None,
        Some("Revealed"),
    )
    .with_query(&[("field", "Only the argument with this name; absent: all of them")]),
    route(
        Method::Post,
        "/v1/approvals/{id}/redeem",
        Access::Requester,
        "Use an approval that was not waited for, once, for the call that was approved, within 15 minutes",
        Some("ApprovalRequest"),
        Some("ApprovalResult"),
    ),
    route(
        Method::Post,
        "/v1/approvals/{id}/walls",
        Access::Requester,
        "What `handraise-confine` runs for a call that was approved to run inside walls, once, within 2 minutes",
        None,
        Some("ConfinedCommand"),
    ),
    route(
        Method::Post,
        "/v1/approvals/{id}/walls/report",
        Access::Requester,
        "What the walls of a call have denied it: the same call goes to a person next time",
        Some("WallsReport"),
        None,
    ),
    route(
        Method::Post,
        "/v1/questions",
        Access::Requester,
        "Ask the person a question",
        Some("QuestionRequest"),
        Some("QuestionResult"),
    )
    .with_query(&[WAIT]),
    route(Method::Get, "/v1/questions", Access::Approver, "Open questions, oldest first", None, Some("QuestionList")),
    route(
        Method::Get,
        "/v1/questions/{id}",
        Access::Both,
        "Look at a question, or go on waiting for its answer",
        None,
        Some("QuestionResult"),
    )
    .with_query(&[("wait", "Seconds to wait for the end; absent: look only")]),
    route(
        Method::Delete,
        "/v1/questions/{id}",
        Access::Requester,
        "Take a question back",
        None,
        Some("QuestionResult"),
    ),
    route(
        Method::Post,
        "/v1/questions/{id}/answer",
        Access::Approver,
        "Answer a question, or decline to",
        Some("AnswerRequest"),
        Some("QuestionResult"),
    ),
    route(
        Method::Post,
        "/v1/evaluate",
        Access::Requester,
        "What the policy would do and why; changes nothing",
        Some("ApprovalRequest"),
        Some("EvaluationResult"),
    ),
    route(
        Method::Get,
        "/v1/policy",
        Access::Approver,
        "The policy: its text, what is in force, what waits to be confirmed",
        None,
        Some("PolicyView"),
    ),
    route(
        Method::Put,
        "/v1/policy",
        Access::Approver,
        "Put another text in the place of the policy, whole or not at all",
        Some("PolicyText"),
        Some("PolicyView"),
    )
    .with_header(("If-Match", "The `ETag` of the text that this one was made from")),
    route(
        Method::Post,
        "/v1/policy/check",
        Access::Both,
        "What is wrong with a policy text; changes nothing",
        Some("PolicyText"),
        Some("PolicyCheck"),
    ),
    route(
        Method::Post,
        "/v1/policy/confirm",
        Access::Approver,
        "Confirm a change that was made outside Handraise",
        Some("PolicyEtag"),
        Some("PolicyView"),
    ),
    route(
        Method::Post,
        "/v1/policy/discard",
        Access::Approver,
        "Set a change that was made outside Handraise aside, and take the confirmed text back",
        Some("PolicyEtag"),
        Some("PolicyView"),
    ),
    route(
        Method::Post,
        "/v1/policy/preview",
        Access::Approver,
        "What a rule would have done to calls of the past; changes nothing",
        Some("PreviewRequest"),
        Some("Preview"),
    ),
    route(
        Method::Get,
        "/v1/policy/suggestions",
        Access::Approver,
        "Rules for what a person has approved again and again, and never denied",
        None,
        Some("Suggestions"),
    )
    .with_query(&[("calls", "How many calls of the past: 1 to 5000, default 500")]),
    route(
        Method::Get,
        "/v1/kept",
        Access::Approver,
        "Calls that have changed something, and whether it can be put back",
        None,
        Some("KeptCalls"),
    )
    .with_query(&[
        ("ids", "Only these calls, with `,` between them"),
        ("session", "Only this session"),
        ("since", "Only calls from this time on (RFC 3339)"),
        ("limit", "How many calls: 1 to 200, default 50"),
        ("diff", "`true`: with what has changed in each file"),
    ]),
    route(
        Method::Post,
        "/v1/kept/restore",
        Access::Approver,
        "Put back what calls have changed; recorded",
        Some("PutBackRequest"),
        Some("PutBackResult"),
    ),
    route(
        Method::Get,
        "/v1/sessions",
        Access::Approver,
        "Sessions with what is remembered for them",
        None,
        Some("SessionList"),
    ),
    route(
        Method::Delete,
        "/v1/sessions/{id}",
        Access::Approver,
        "End a session and forget what is remembered for it",
        None,
        None,
    ),
    route(Method::Get, "/v1/grants", Access::Approver, "Everything that is remembered", None, Some("Grants")),
    route(Method::Delete, "/v1/grants/{id}", Access::Approver, "Take a grant back", None, None),
    route(Method::Get, "/v1/mode", Access::Approver, "Whether Handraise is paused", None, Some("ModeState")),
    route(
        Method::Put,
        "/v1/mode",
        Access::Approver,
        "Pause, for a time or until a person resumes; or resume",
        Some("ModeRequest"),
        Some("ModeState"),
    ),
    route(
        Method::Get,
        "/v1/surfaces",
        Access::Both,
        "What a person is asked on, and whether it works",
        None,
        Some("SurfaceList"),
    ),
    route(
        Method::Get,
        "/v1/credentials",
        Access::Approver,
        "Credentials, without their secrets",
        None,
        Some("Credentials"),
    ),
    route(
        Method::Get,
        "/v1/events",
        Access::Both,
        "What happens, as server-sent events; resumes from `Last-Event-ID`",
        None,
        Some("Event"),
    )
    .with_media_type("text/event-stream"),
    route(
        Method::Post,
        "/v1/hooks/{agent}",
        Access::Requester,
        "An agent's own hook message in, that agent's own answer out",
        None,
        None,
    )
    .with_query(&[("wait", "Seconds that the hook can wait; the answer comes before")]),
    route(
        Method::Post,
        "/v1/challenge",
        Access::Anyone,
        "Let the server prove that it knows a credential",
        Some("Challenge"),
        Some("ChallengeProof"),
    ),
    route(
        Method::Get,
        "/v1/health",
        Access::Anyone,
        "Whether Handraise is there, and can record what it answers",
        None,
        Some("Health"),
    ),
    route(Method::Get, "/v1/openapi.json", Access::Anyone, "This document", None, None),
];
