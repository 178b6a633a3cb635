//! A notification as it should be, and what a click on it means.

use std::collections::HashSet;

use handraise_display::line;
use handraise_protocol::{
    AnswerRequest, ArgumentsHash, Breadth, Decision, DecisionRequest, QuestionId, RequestId, Scope,
};
use uuid::Uuid;

use crate::strings::Text;

/// Longest summary of a notification, in characters.
pub(super) const MAX_SUMMARY: usize = 120;

/// Tells notifications apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum NotificationKey {
    /// About one request.
    Request(RequestId),
    /// A question.
    Question(QuestionId),
    /// About all of one session together; the number is made from its key.
    Session(u64),
    /// About all of them together.
    Summary,
    /// About a decision that changed nothing; goes away by itself.
    Answer(RequestId),
    /// About an answer to a question that changed nothing; goes away by itself.
    QuestionAnswer(QuestionId),
    /// What was missed while nothing came up.
    Returned,
    /// That Handraise does not run; goes away by itself.
    NotRunning,
}

impl NotificationKey {
    /// The request or question that it is about.
    #[must_use]
    pub(crate) fn about(self) -> Option<Uuid> {
        match self {
            Self::Request(id) | Self::Answer(id) => Some(id.0),
            Self::Question(id) | Self::QuestionAnswer(id) => Some(id.0),
            Self::Session(_) | Self::Summary | Self::Returned | Self::NotRunning => None,
        }
    }

    /// Whether what it is about is among `open`.
    #[must_use]
    pub(crate) fn is_open(self, open: &HashSet<Uuid>) -> bool {
        self.about().is_some_and(|id| open.contains(&id))
    }
}

/// A notification as it should be.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NotificationContent {
    /// Tells it apart from others.
    pub key: NotificationKey,
    /// Its first line, plain text.
    pub summary: String,
    /// The rest, plain text.
    pub body: String,
    /// Its buttons, in order, and what a click on it does.
    pub actions: Vec<NotificationButton>,
    /// How many requests it stands for.
    pub waiting: usize,
    /// What an answer given on it is bound to.
    pub arguments_hash: Option<ArgumentsHash>,
    /// It makes a sound, where its server can.
    pub sound: bool,
    /// What its buttons choose: [`NotificationAction::Choose`] counts from 0.
    pub choices: Vec<String>,
}

/// A button.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NotificationButton {
    /// What it does.
    pub action: NotificationAction,
    /// What is written on it.
    pub label: String,
    /// What stands in the field that it opens, until something is written there.
    pub placeholder: Option<String>,
}

/// What a person can do with a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotificationAction {
    /// Approve once.
    Approve,
    /// Deny once.
    Deny,
    /// Deny once, with the reason that is written on the notification itself. Only some servers can: one that cannot is
    /// not offered it.
    DenyWithReason,
    /// Approve this call for the rest of its session.
    ApproveForSession,
    /// Answer the question with one of its choices.
    Choose(usize),
    /// Look at it in the prompt window, by button.
    Review,
    /// Look at it in the prompt window, by clicking on the notification itself.
    Default,
}

impl NotificationAction {
    /// The name that the notification server sends back.
    #[must_use]
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Approve => "approve",
            Self::Deny => "deny",
            // KDE gave it this name, and others took it over (KNotifications, `notifybypopup.cpp`).
            Self::DenyWithReason => "inline-reply",
            Self::ApproveForSession => "session",
            Self::Choose(0) => "choice-1",
            Self::Choose(1) => "choice-2",
            Self::Choose(_) => "choice-3",
            Self::Review => "review",
            Self::Default => "default",
        }
    }

    pub(super) fn labelled(self, label: Text) -> NotificationButton {
        let placeholder = (self == Self::DenyWithReason).then(|| Text::NotificationReasonPlaceholder.get());
        NotificationButton { action: self, label: label.get(), placeholder }
    }

    /// The decision that it is, with the reason that was written; `None` when it only looks, or a reason is missing.
    #[must_use]
    pub(crate) fn decision(
        self,
        arguments_hash: Option<ArgumentsHash>,
        reason: Option<String>,
    ) -> Option<DecisionRequest> {
        let (decision, scope) = match self {
            Self::Approve => (Decision::Approve, Scope::Once),
            Self::ApproveForSession => (Decision::Approve, Scope::Session),
            Self::Deny => (Decision::Deny, Scope::Once),
            Self::DenyWithReason if reason.is_some() => (Decision::Deny, Scope::Once),
            Self::DenyWithReason | Self::Choose(_) | Self::Review | Self::Default => return None,
        };
        Some(DecisionRequest {
            decision,
            scope,
            breadth: Breadth::Exact,
            commands: None,
            rule: None,
            reason,
            arguments: None,
            arguments_hash,
            confined: None,
            late: false,
        })
    }
}

impl NotificationContent {
    /// It stays until it is closed.
    #[must_use]
    pub(crate) fn stays(&self) -> bool {
        matches!(
            self.key,
            NotificationKey::Request(_)
                | NotificationKey::Question(_)
                | NotificationKey::Session(_)
                | NotificationKey::Summary
                | NotificationKey::Returned
        )
    }

    /// The answer that `action` gives to the question; `None` when it only looks.
    #[must_use]
    pub(crate) fn answer(&self, action: NotificationAction) -> Option<AnswerRequest> {
        let NotificationAction::Choose(index) = action else { return None };
        let selected = vec![self.choices.get(index)?.clone()];
        Some(AnswerRequest { selected, ..AnswerRequest::default() })
    }

    /// The action that the notification server calls `name`, if it was offered.
    #[must_use]
    pub(crate) fn offered(&self, name: &str) -> Option<NotificationAction> {
        self.actions.iter().map(|button| button.action).find(|action| action.name() == name)
    }
}

/// What a notification has to say and to withhold beyond the request that it is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct NotificationContext {
    /// What a button on it may do.
    pub buttons: Buttons,
    /// Requests and questions whose time is nearly over.
    pub hurried: HashSet<Uuid>,
    /// The person wants to hear it.
    pub sound: bool,
}

/// What a button of a notification may do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Buttons {
    /// Approve and answer.
    #[default]
    Decide,
    /// Deny, and lead to the window: any program can have them pressed.
    #[cfg_attr(
        not(any(target_os = "linux", test)),
        expect(dead_code, reason = "elsewhere only the system presses buttons")
    )]
    Look,
    /// The same, because another program shows the notifications than at first.
    Changed,
}

/// The last lines: why a button is missing, and that there is little time.
pub(super) fn closing(id: Uuid, about: &NotificationContext) -> impl Iterator<Item = String> {
    let changed = (about.buttons == Buttons::Changed).then_some(Text::NotificationChanged);
    let hurry = about.hurried.contains(&id).then_some(Text::NotificationHurry);
    changed.into_iter().chain(hurry).map(Text::get)
}

/// An agent and its project.
pub(super) fn agent_and_project(agent: &str, project: Option<&str>) -> String {
    let text = match project {
        Some(project) => Text::NotificationTitle.with(&[("agent", agent), ("project", project)]),
        None => Text::NotificationTitleNoProject.with(&[("agent", agent)]),
    };
    line(&text, MAX_SUMMARY)
}
