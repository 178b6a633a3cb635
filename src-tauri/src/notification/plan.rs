//! Which notifications there should be.

use std::collections::HashSet;

use handraise_display::line;
use handraise_protocol::{
    AnswerRequest, Approval, ArgumentsHash, Breadth, Decision, DecisionRequest, Question, QuestionId, RequestId,
    RiskLevel, Scope,
};
use uuid::Uuid;

use crate::glance::{Glance, MAX_GLANCE, agent, approvable, approvable_for_session, glance};
use crate::notification::question;
use crate::strings::Text;

/// More open requests than this share one notification.
const MAX_SINGLE: usize = 3;
/// Askers that such a notification names.
const MAX_ASKERS: usize = 3;
/// Longest summary of a notification, in characters.
pub(super) const MAX_SUMMARY: usize = 120;

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

impl NotificationKey {
    /// The request or question that it is about.
    #[must_use]
    pub(crate) fn about(self) -> Option<Uuid> {
        match self {
            Self::Request(id) | Self::Answer(id) => Some(id.0),
            Self::Question(id) | Self::QuestionAnswer(id) => Some(id.0),
            Self::Summary | Self::NotRunning => None,
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

/// What a notification has to say and to withhold beyond the request that it is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Circumstances {
    /// What a button on it may do.
    pub buttons: Buttons,
    /// Requests and questions whose time is nearly over.
    pub hurried: HashSet<Uuid>,
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

/// The notifications that there should be for what is open, each oldest first.
#[must_use]
pub(crate) fn plan(pending: &[Approval], questions: &[Question], about: &Circumstances) -> Vec<NotificationPlan> {
    if pending.len() + questions.len() > MAX_SINGLE {
        return vec![all(pending, questions, about)];
    }
    let requests = pending.iter().map(|approval| one(approval, about));
    requests.chain(questions.iter().map(|one| question::plan(one, about))).collect()
}

/// The notification that Handraise could not start, because of `reason`.
#[must_use]
pub(crate) fn not_running(reason: &str) -> NotificationPlan {
    NotificationPlan {
        key: NotificationKey::NotRunning,
        summary: "Handraise could not start".to_owned(),
        body: line(reason, MAX_GLANCE),
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

fn one(approval: &Approval, about: &Circumstances) -> NotificationPlan {
    let risk = match approval.risk.level {
        RiskLevel::ReadOnly => Text::RiskReadOnly,
        RiskLevel::Write => Text::RiskWrite,
        RiskLevel::Destructive => Text::RiskDestructive,
    };
    let Glance { title, change, more, .. } = glance(approval);
    let mut body = vec![line(&title, MAX_GLANCE)];
    body.extend(change);
    if more > 0 {
        body.push(Text::GlanceMore.with(&[("count", &more.to_string())]));
    }
    let reach = approval.findings.iter().filter(|finding| finding.kind.reaches_far());
    body.extend(reach.take(1).map(|finding| line(&finding.sentence, MAX_GLANCE)));
    body.push(format!("{} · {}", risk.get(), short(approval.id)));
    if approval.agent.is_some() && !approval.agent_verified {
        body.push(Text::WarningUnverified.get());
    }
    let actions = actions(approval, about.buttons);
    body.extend(closing(approval.id.0, about));
    NotificationPlan {
        key: NotificationKey::Request(approval.id),
        summary: asker(approval),
        body: body.join("\n"),
        actions,
        waiting: 1,
        arguments_hash: Some(approval.arguments_hash.clone()),
        choices: Vec::new(),
    }
}

/// The last lines: why a button is missing, and that there is little time.
pub(super) fn closing(id: Uuid, about: &Circumstances) -> impl Iterator<Item = String> {
    let changed = (about.buttons == Buttons::Changed).then_some(Text::NotificationChanged);
    let hurry = about.hurried.contains(&id).then_some(Text::NotificationHurry);
    changed.into_iter().chain(hurry).map(Text::get)
}

fn actions(approval: &Approval, buttons: Buttons) -> Vec<PlannedAction> {
    let deny = NotificationAction::Deny.labelled(Text::NotificationDeny);
    if !approvable(approval) || buttons != Buttons::Decide {
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

fn all(pending: &[Approval], questions: &[Question], about: &Circumstances) -> NotificationPlan {
    let waiting = pending.len() + questions.len();
    let mut askers: Vec<String> = Vec::new();
    for asker in pending.iter().map(asker).chain(questions.iter().map(question::asker)) {
        if !askers.contains(&asker) {
            askers.push(asker);
        }
    }
    let more = askers.len() > MAX_ASKERS;
    askers.truncate(MAX_ASKERS);
    let mut body = if more { format!("{}, …", askers.join(", ")) } else { askers.join(", ") };
    let ids = pending.iter().map(|approval| approval.id.0).chain(questions.iter().map(|question| question.id.0));
    if ids.into_iter().any(|id| about.hurried.contains(&id)) {
        body = format!("{body}\n{}", Text::NotificationHurry.get());
    }
    NotificationPlan {
        key: NotificationKey::Summary,
        summary: Text::NotificationSummary.with(&[("count", &waiting.to_string())]),
        body,
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
    line(&asker, MAX_SUMMARY)
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
    use crate::testing::{approval, destructive, edit, id, spoofed, written};
    use handraise_display::has_hidden;
    use handraise_protocol::{FindingKind, FindingView};

    fn planned(pending: &[Approval]) -> Vec<NotificationPlan> {
        plan(pending, &[], &Circumstances::default())
    }

    fn names(plan: &NotificationPlan) -> Vec<&'static str> {
        plan.actions.iter().map(|planned| planned.action.name()).collect()
    }

    #[test]
    fn one_request_has_one_notification_that_says_it_all() {
        let approval = approval(0xabc);
        let button = |action: NotificationAction, label: &str| PlannedAction { action, label: label.into() };
        assert_eq!(
            planned(std::slice::from_ref(&approval)),
            [NotificationPlan {
                key: NotificationKey::Request(id(0xabc)),
                summary: "Claude Code in shopfront".into(),
                body: "make step-2748\nWrite · 000abc".into(),
                actions: vec![
                    button(NotificationAction::Approve, "Approve"),
                    button(NotificationAction::Deny, "Deny"),
                    button(NotificationAction::ApproveForSession, "For this session"),
                    button(NotificationAction::Default, "Details"),
                ],
                waiting: 1,
                arguments_hash: Some(approval.arguments_hash),
                choices: Vec::new(),
            }]
        );
    }

    #[test]
    fn a_destructive_request_can_only_be_denied_or_reviewed() {
        assert_eq!(names(&planned(&[destructive(1)])[0]), ["deny", "review", "default"]);
    }

    #[test]
    fn a_text_that_is_cut_off_says_so_and_cannot_be_approved() {
        let long = Approval { title: "x".repeat(300), ..approval(1) };
        let plan = &planned(&[long])[0];
        assert!(plan.body.contains("… 100 more characters"), "{}", plan.body);
        assert_eq!(names(plan), ["deny", "review", "default"]);
    }

    #[test]
    fn no_notification_carries_text_that_acts_on_its_server_and_none_approves_what_misleads() {
        for spoofed in spoofed() {
            let plan = &planned(std::slice::from_ref(&spoofed))[0];
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
        assert_eq!(names(&planned(&[once])[0]), ["approve", "deny", "default"]);
    }

    #[test]
    fn a_claimed_agent_name_is_called_a_claim() {
        let claimed = Approval { agent_verified: false, ..approval(1) };
        assert!(planned(&[claimed])[0].body.ends_with("claimed, not proved."));
    }

    #[test]
    fn more_than_three_requests_share_one_notification() {
        let three: Vec<_> = (1..=3).map(approval).collect();
        assert_eq!(planned(&three).len(), 3);
        let five: Vec<_> = (1..=5).map(approval).collect();
        let plans = planned(&five);
        assert_eq!(plans.len(), 1);
        assert_eq!(plans[0].key, NotificationKey::Summary);
        assert_eq!(plans[0].summary, "5 requests are waiting");
        assert_eq!(plans[0].body, "Claude Code in shopfront");
        assert_eq!(names(&plans[0]), ["review", "default"]);
    }

    #[test]
    fn only_what_was_offered_counts() {
        let plan = &planned(&[destructive(1)])[0];
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

    #[test]
    fn a_change_is_on_its_notification() {
        let plan = &planned(&[edit(0xabc, &["const tax = 0.2;"], &["const tax = 0.21;"])])[0];
        assert_eq!(plan.body, "Edit src/cart.ts +1 −1\n− const tax = 0.2;\n+ const tax = 0.21;\nWrite · 000abc");
        assert_eq!(names(plan), ["approve", "deny", "session", "default"]);
    }

    #[test]
    fn a_change_that_does_not_fit_is_begun_and_can_only_be_denied_or_reviewed() {
        let plan = &planned(&[written(1, "notes.txt", &"x\n".repeat(41))])[0];
        assert!(plan.body.contains("… 37 more lines: open it to read them"), "{}", plan.body);
        assert_eq!(names(plan), ["deny", "review", "default"]);
    }

    #[test]
    fn a_start_up_file_can_only_be_denied_or_reviewed_and_its_notification_says_why() {
        let sentence = "A shell runs /home/ana/.bashrc whenever one starts.";
        let kind = FindingKind::ActsLater;
        let finding = FindingView { kind, sentence: sentence.into(), field: "reach".into(), misleads: false };
        let plan = &planned(&[Approval { findings: vec![finding], ..written(1, ".bashrc", "true") }])[0];
        assert!(plan.body.contains(sentence), "{}", plan.body);
        assert_eq!(names(plan), ["deny", "review", "default"]);
    }

    #[test]
    fn buttons_that_another_program_may_press_approve_nothing() {
        for buttons in [Buttons::Look, Buttons::Changed] {
            let about = Circumstances { buttons, ..Circumstances::default() };
            let plan = &plan(&[approval(1)], &[], &about)[0];
            assert_eq!(names(plan), ["deny", "review", "default"]);
            assert_eq!(plan.body.contains("Another program"), buttons == Buttons::Changed);
        }
    }

    #[test]
    fn little_time_is_said() {
        let about = Circumstances { hurried: [id(1).0].into(), ..Circumstances::default() };
        assert!(plan(&[approval(1)], &[], &about)[0].body.ends_with("nearly over."));
        assert!(!plan(&[approval(2)], &[], &about)[0].body.contains("nearly over."));
        let many: Vec<_> = (1..=5).map(approval).collect();
        assert!(plan(&many, &[], &about)[0].body.ends_with("nearly over."));
    }
}
