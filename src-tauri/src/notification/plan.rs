//! Which notifications there should be.

use handraise_gate::display::line;
use handraise_protocol::{
    AnswerRequest, Approval, ArgumentsHash, Breadth, Decision, DecisionRequest, Question, QuestionId, RequestId,
    RiskLevel, Scope,
};

use crate::glance::{LONGEST_GLANCE, agent, approvable, approvable_for_session, glance};
use crate::notification::question;
use crate::strings::Text;

/// More open requests than this share one notification.
const MOST_SINGLE: usize = 3;
/// Askers that such a notification names.
const MOST_ASKERS: usize = 3;
/// Longest summary of a notification, in characters.
pub(super) const LONGEST_SUMMARY: usize = 120;

/// Tells notifications apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum NotificationKey {
    /// About one request.
    Request(RequestId),
    /// A question.
    Question(QuestionId),
    /// About all of them together.
    Summary,
    /// About a decision that changed nothing; goes away by itself.
    Answer(RequestId),
    /// About an answer to a question that changed nothing; goes away by itself.
    QuestionAnswer(QuestionId),
    /// That Handraise does not run; goes away by itself.
    NotRunning,
}

/// A notification as it should be.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NotificationPlan {
    /// Tells it apart from others.
    pub key: NotificationKey,
    /// Its first line, plain text.
    pub summary: String,
    /// The rest, plain text.
    pub body: String,
    /// Its buttons, in order, and what a click on it does.
    pub actions: Vec<PlannedAction>,
    /// How many requests it stands for.
    pub waiting: usize,
    /// What an answer given on it is bound to.
    pub arguments_hash: Option<ArgumentsHash>,
    /// What its buttons choose: [`NotificationAction::Choose`] counts from 0.
    pub choices: Vec<String>,
}

/// A button.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlannedAction {
    /// What it does.
    pub action: NotificationAction,
    /// What is written on it.
    pub label: String,
}

/// What a person can do with a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotificationAction {
    /// Approve once.
    Approve,
    /// Deny once.
    Deny,
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
            Self::ApproveForSession => "session",
            Self::Choose(0) => "choice-1",
            Self::Choose(1) => "choice-2",
            Self::Choose(_) => "choice-3",
            Self::Review => "review",
            Self::Default => "default",
        }
    }

    pub(super) fn labelled(self, label: Text) -> PlannedAction {
        PlannedAction { action: self, label: label.get() }
    }

    /// The decision that it is; `None` when it only looks.
    #[must_use]
    pub(crate) fn decision(self, arguments_hash: Option<ArgumentsHash>) -> Option<DecisionRequest> {
        let (decision, scope) = match self {
            Self::Approve => (Decision::Approve, Scope::Once),
            Self::ApproveForSession => (Decision::Approve, Scope::Session),
            Self::Deny => (Decision::Deny, Scope::Once),
            Self::Choose(_) | Self::Review | Self::Default => return None,
        };
        Some(DecisionRequest {
            decision,
            scope,
            breadth: Breadth::Exact,
            reason: None,
            arguments: None,
            arguments_hash,
            late: false,
        })
    }
}

impl NotificationPlan {
    /// It stays until it is closed.
    #[must_use]
    pub(crate) fn stays(&self) -> bool {
        matches!(self.key, NotificationKey::Request(_) | NotificationKey::Question(_) | NotificationKey::Summary)
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
        self.actions.iter().map(|planned| planned.action).find(|action| action.name() == name)
    }
}

/// The notifications that there should be for what is open, each oldest first.
#[must_use]
pub(crate) fn plan(pending: &[Approval], questions: &[Question]) -> Vec<NotificationPlan> {
    if pending.len() + questions.len() > MOST_SINGLE {
        return vec![all(pending, questions)];
    }
    pending.iter().map(one).chain(questions.iter().map(question::plan)).collect()
}

/// The notification that Handraise could not start, because of `reason`.
#[must_use]
pub(crate) fn not_running(reason: &str) -> NotificationPlan {
    NotificationPlan {
        key: NotificationKey::NotRunning,
        summary: "Handraise could not start".to_owned(),
        body: line(reason, LONGEST_GLANCE),
        actions: Vec::new(),
        waiting: 0,
        arguments_hash: None,
        choices: Vec::new(),
    }
}

/// The notification that an answer changed nothing.
#[must_use]
pub(crate) fn answer_refused(key: NotificationKey, title: String, detail: String) -> NotificationPlan {
    NotificationPlan {
        key,
        summary: title,
        body: detail,
        actions: Vec::new(),
        waiting: 0,
        arguments_hash: None,
        choices: Vec::new(),
    }
}

fn one(approval: &Approval) -> NotificationPlan {
    let risk = match approval.risk.level {
        RiskLevel::ReadOnly => Text::RiskReadOnly,
        RiskLevel::Write => Text::RiskWrite,
        RiskLevel::Destructive => Text::RiskDestructive,
    };
    let mut body = format!("{}\n{} · {}", line(&glance(approval), LONGEST_GLANCE), risk.get(), short(approval.id));
    if approval.agent.is_some() && !approval.agent_verified {
        body = format!("{body}\n{}", Text::WarningUnverified.get());
    }
    NotificationPlan {
        key: NotificationKey::Request(approval.id),
        summary: asker(approval),
        body,
        actions: actions(approval),
        waiting: 1,
        arguments_hash: Some(approval.arguments_hash.clone()),
        choices: Vec::new(),
    }
}

fn actions(approval: &Approval) -> Vec<PlannedAction> {
    let deny = NotificationAction::Deny.labelled(Text::NotificationDeny);
    if !approvable(approval) {
        let review = NotificationAction::Review.labelled(Text::NotificationReview);
        let default = NotificationAction::Default.labelled(Text::NotificationReview);
        return vec![deny, review, default];
    }
    let mut actions = vec![NotificationAction::Approve.labelled(Text::NotificationApprove), deny];
    if approvable_for_session(approval) {
        actions.push(NotificationAction::ApproveForSession.labelled(Text::NotificationSession));
    }
    actions.push(NotificationAction::Default.labelled(Text::NotificationDetails));
    actions
}

fn all(pending: &[Approval], questions: &[Question]) -> NotificationPlan {
    let waiting = pending.len() + questions.len();
    let mut askers: Vec<String> = Vec::new();
    for asker in pending.iter().map(asker).chain(questions.iter().map(question::asker)) {
        if !askers.contains(&asker) {
            askers.push(asker);
        }
    }
    let more = askers.len() > MOST_ASKERS;
    askers.truncate(MOST_ASKERS);
    NotificationPlan {
        key: NotificationKey::Summary,
        summary: Text::NotificationSummary.with(&[("count", &waiting.to_string())]),
        body: if more { format!("{}, …", askers.join(", ")) } else { askers.join(", ") },
        actions: vec![
            NotificationAction::Review.labelled(Text::NotificationReview),
            NotificationAction::Default.labelled(Text::NotificationReview),
        ],
        waiting,
        arguments_hash: None,
        choices: Vec::new(),
    }
}

/// Who asks, and where.
fn asker(approval: &Approval) -> String {
    named(&agent(approval), approval.project.as_deref())
}

/// An agent and its project.
pub(super) fn named(agent: &str, project: Option<&str>) -> String {
    let asker = match project {
        Some(project) => Text::NotificationTitle.with(&[("agent", agent), ("project", project)]),
        None => Text::NotificationTitleNoProject.with(&[("agent", agent)]),
    };
    line(&asker, LONGEST_SUMMARY)
}

/// The end of an id: its beginning is the time and the same for requests that come together.
/// It also keeps two notifications from having the same text, which some servers take for one.
fn short(id: RequestId) -> String {
    let digits = id.0.simple().to_string();
    digits.chars().skip(digits.len().saturating_sub(6)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{approval, destructive, id, spoofed};
    use handraise_gate::display::has_hidden;

    fn names(plan: &NotificationPlan) -> Vec<&'static str> {
        plan.actions.iter().map(|planned| planned.action.name()).collect()
    }

    #[test]
    fn one_request_has_one_notification_that_says_it_all() {
        let approval = approval(0xabc);
        let planned = |action: NotificationAction, label: &str| PlannedAction { action, label: label.into() };
        assert_eq!(
            plan(std::slice::from_ref(&approval), &[]),
            [NotificationPlan {
                key: NotificationKey::Request(id(0xabc)),
                summary: "claude-code in shopfront".into(),
                body: "make step-2748\nWrite · 000abc".into(),
                actions: vec![
                    planned(NotificationAction::Approve, "Approve"),
                    planned(NotificationAction::Deny, "Deny"),
                    planned(NotificationAction::ApproveForSession, "For this session"),
                    planned(NotificationAction::Default, "Details"),
                ],
                waiting: 1,
                arguments_hash: Some(approval.arguments_hash),
                choices: Vec::new(),
            }]
        );
    }

    #[test]
    fn a_destructive_request_can_only_be_denied_or_reviewed() {
        assert_eq!(names(&plan(&[destructive(1)], &[])[0]), ["deny", "review", "default"]);
    }

    #[test]
    fn a_text_that_is_cut_off_says_so_and_cannot_be_approved() {
        let long = Approval { title: "x".repeat(300), ..approval(1) };
        let plan = &plan(&[long], &[])[0];
        assert!(plan.body.contains("… 100 more characters"), "{}", plan.body);
        assert_eq!(names(plan), ["deny", "review", "default"]);
    }

    #[test]
    fn no_notification_carries_text_that_acts_on_its_server_and_none_approves_what_misleads() {
        for spoofed in spoofed() {
            let plan = &plan(std::slice::from_ref(&spoofed), &[])[0];
            for text in [&plan.summary, &plan.body] {
                assert!(!has_hidden(text), "{:?}: {text:?}", spoofed.title);
            }
            if spoofed.findings.iter().any(|finding| finding.misleads) {
                assert_eq!(names(plan), ["deny", "review", "default"], "{:?}", spoofed.title);
            }
        }
    }

    #[test]
    fn without_a_session_nothing_is_offered_for_a_session() {
        let once = Approval { session: None, scopes: Vec::new(), ..approval(1) };
        assert_eq!(names(&plan(&[once], &[])[0]), ["approve", "deny", "default"]);
    }

    #[test]
    fn a_claimed_agent_name_is_called_a_claim() {
        let claimed = Approval { agent_verified: false, ..approval(1) };
        assert!(plan(&[claimed], &[])[0].body.ends_with("claimed, not proved."));
    }

    #[test]
    fn more_than_three_requests_share_one_notification() {
        let three: Vec<_> = (1..=3).map(approval).collect();
        assert_eq!(plan(&three, &[]).len(), 3);
        let five: Vec<_> = (1..=5).map(approval).collect();
        let plans = plan(&five, &[]);
        assert_eq!(plans.len(), 1);
        assert_eq!(plans[0].key, NotificationKey::Summary);
        assert_eq!(plans[0].summary, "5 requests are waiting");
        assert_eq!(plans[0].body, "claude-code in shopfront");
        assert_eq!(names(&plans[0]), ["review", "default"]);
    }

    #[test]
    fn only_what_was_offered_counts() {
        let plan = &plan(&[destructive(1)], &[])[0];
        assert_eq!(plan.offered("approve"), None);
        assert_eq!(plan.offered("deny"), Some(NotificationAction::Deny));
        assert_eq!(plan.offered("nonsense"), None);
    }

    #[test]
    fn an_answer_is_bound_to_what_was_shown() {
        let hash = approval(1).arguments_hash;
        let decision = NotificationAction::ApproveForSession.decision(Some(hash.clone())).unwrap();
        assert_eq!(decision.scope, Scope::Session);
        assert_eq!(decision.arguments_hash, Some(hash));
        assert_eq!(NotificationAction::Default.decision(None), None);
    }
}
