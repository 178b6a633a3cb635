//! How requests and questions end, and how far an answer reaches.

use handraise_gate as gate;
use handraise_policy as policy;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::wire_enum::wire_enum;

wire_enum! {
    /// Where a request stands. Clients treat any status they do not know as denied.
    #[serde(rename_all = "snake_case")]
    pub enum Status = gate::Status {
        /// The call may run.
        Approved,
        /// The call must not run.
        Denied,
        /// No person answered in time; has the effect of a denial.
        Timeout,
        /// The requester withdrew it or went away.
        Cancelled,
        /// A person is being asked.
        Pending,
    }
}

wire_enum! {
    /// Who or what ended a request.
    #[serde(rename_all = "snake_case")]
    pub enum DecidedBy = gate::DecidedBy {
        /// A policy rule or default.
        Policy,
        /// An entry of the session allowlist.
        Grant,
        /// A person.
        Person,
        /// Nobody, in time.
        Timeout,
        /// The one who asked.
        Requester,
        /// Handraise was shut down.
        Shutdown,
    }
}

wire_enum! {
    /// A person's answer.
    #[serde(rename_all = "snake_case")]
    pub enum Decision = gate::Decision {
        /// Let the call run.
        Approve,
        /// Do not let it run.
        Deny,
    }
}

wire_enum! {
    /// Where a question stands. Clients treat any status they do not know as cancelled.
    #[serde(rename_all = "snake_case")]
    pub enum QuestionStatus = gate::QuestionStatus {
        /// A person has answered.
        Answered,
        /// A person does not want to answer.
        Declined,
        /// No person answered in time.
        Timeout,
        /// The requester withdrew it or went away, or Handraise was stopped.
        Cancelled,
        /// A person is being asked.
        Pending,
    }
}

wire_enum! {
    /// Rule for everything at once, set by a person from the tray or the settings.
    #[derive(Default)]
    #[serde(rename_all = "snake_case")]
    pub enum Mode = gate::Mode {
        /// The policy decides.
        #[default]
        Normal,
        /// What the policy or a grant would allow is asked for; what is denied stays denied.
        AskEverything,
        /// Everything is denied.
        DenyEverything,
    }
}

wire_enum! {
    /// How far a person's answer reaches.
    #[derive(Default)]
    #[serde(rename_all = "snake_case")]
    pub enum Scope = policy::Scope {
        /// This call only.
        #[default]
        Once,
        /// The next fifteen minutes of the session.
        Minutes,
        /// The rest of the session.
        Session,
        /// This project folder, as a policy rule.
        Project,
        /// For good, as a policy rule.
        Always,
    }
}

wire_enum! {
    /// How much of what was asked an answer covers.
    #[derive(Default)]
    #[serde(rename_all = "snake_case")]
    pub enum Breadth = policy::Breadth {
        /// Exactly this call.
        #[default]
        Exact,
        /// The same commands with any operands; for command lines.
        Prefix,
        /// Every file in the same folder and below it; for file tools.
        Folder,
        /// Every call of the tool.
        Tool,
    }
}
