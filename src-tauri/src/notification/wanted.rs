//! Which notifications there should be.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use handraise_display::line;
use handraise_protocol::{Approval, Question, RequestId, SessionKey};

use super::content::{
    NotificationAction, NotificationButton, NotificationContent, NotificationContext, NotificationKey,
};
use super::{question, request};
use crate::compact_view::MAX_LINE;
use crate::presence::Absence;
use crate::strings::Text;

/// More open requests than this share notifications: one for each session, and one in all when that is still too many.
const MAX_SINGLE: usize = 3;
/// Senders that such a notification names.
const MAX_SENDERS: usize = 3;

/// The notifications that there should be for what is open, each oldest first.
#[must_use]
pub(crate) fn wanted(
    pending: &[Arc<Approval>],
    questions: &[Arc<Question>],
    about: &NotificationContext,
) -> Vec<NotificationContent> {
    if pending.len() + questions.len() > MAX_SINGLE {
        let groups = by_session(pending, questions);
        if groups.len() == 1 || groups.len() > MAX_SINGLE {
            return vec![all(pending, questions, about)];
        }
        return groups.iter().flat_map(|group| together(group, about)).collect();
    }
    told_apart(each(pending, questions, about).collect())
}

/// Some servers take two notifications with the same text for one: the later one says which request it is about.
fn told_apart(mut contents: Vec<NotificationContent>) -> Vec<NotificationContent> {
    for at in 1..contents.len() {
        let (before, rest) = contents.split_at_mut(at);
        let Some(content) = rest.first_mut() else { break };
        let is_alike = |one: &NotificationContent| one.summary == content.summary && one.body == content.body;
        if let NotificationKey::Request(id) = content.key
            && before.iter().any(is_alike)
        {
            content.body = format!("{}\n{}", content.body, end_of(id));
        }
    }
    contents
}

/// The beginning of an id is the time, and the same for requests that come together.
fn end_of(id: RequestId) -> String {
    let digits = id.0.simple().to_string();
    digits.chars().skip(digits.len().saturating_sub(6)).collect()
}

fn each<'open>(
    pending: &'open [Arc<Approval>],
    questions: &'open [Arc<Question>],
    about: &'open NotificationContext,
) -> impl Iterator<Item = NotificationContent> + 'open {
    let requests = pending.iter().map(move |approval| request::content(approval, about));
    requests.chain(questions.iter().map(move |one| question::content(one, about)))
}

/// What is open of one session.
struct Group {
    /// Made from the key of the session, or from who asks where there is none.
    number: u64,
    pending: Vec<Arc<Approval>>,
    questions: Vec<Arc<Question>>,
}

/// In the order of the first request of each.
fn by_session(pending: &[Arc<Approval>], questions: &[Arc<Question>]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for one in pending {
        let number = number(one.session.as_ref(), || request::sender(one));
        match groups.iter_mut().find(|group| group.number == number) {
            Some(group) => group.pending.push(one.clone()),
            None => groups.push(Group { number, pending: vec![one.clone()], questions: Vec::new() }),
        }
    }
    for one in questions {
        let number = number(one.session.as_ref(), || question::sender(one));
        match groups.iter_mut().find(|group| group.number == number) {
            Some(group) => group.questions.push(one.clone()),
            None => groups.push(Group { number, pending: Vec::new(), questions: vec![one.clone()] }),
        }
    }
    groups
}

fn number(session: Option<&SessionKey>, sender: impl FnOnce() -> String) -> u64 {
    let mut hasher = DefaultHasher::new();
    match session {
        Some(SessionKey { requester, agent, id }) => (requester, agent, id).hash(&mut hasher),
        None => sender().hash(&mut hasher),
    }
    hasher.finish()
}

/// One notification for a session; a single request or question has its own.
fn together(group: &Group, about: &NotificationContext) -> Vec<NotificationContent> {
    let waiting = group.pending.len() + group.questions.len();
    let own: Vec<NotificationContent> = each(&group.pending, &group.questions, about).collect();
    if waiting < 2 {
        return own;
    }
    let sum = all(&group.pending, &group.questions, about);
    let who = sum.body.lines().next().unwrap_or_default().to_owned();
    let rest = sum.body.lines().skip(1).map(|line| format!("\n{line}"));
    let body = rest.fold(sum.summary, |body, line| body + &line);
    vec![NotificationContent { key: NotificationKey::Session(group.number), summary: who, body, ..sum }]
}

/// The notification that Handraise could not start, because of `reason`.
#[must_use]
pub(crate) fn not_running(reason: &str) -> NotificationContent {
    NotificationContent {
        key: NotificationKey::NotRunning,
        summary: "Handraise could not start".to_owned(),
        body: line(reason, MAX_LINE),
        actions: Vec::new(),
        waiting: 0,
        arguments_hash: None,
        sound: false,
        choices: Vec::new(),
    }
}

/// The notification that an answer changed nothing.
#[must_use]
pub(crate) fn answer_refused(key: NotificationKey, title: String, detail: String) -> NotificationContent {
    NotificationContent {
        key,
        summary: title,
        body: detail,
        actions: Vec::new(),
        waiting: 0,
        arguments_hash: None,
        sound: false,
        choices: Vec::new(),
    }
}

/// The notification of what was missed while nothing came up, which stands for all that still waits; none when nothing
/// was missed. It says nothing of any call.
#[must_use]
pub(crate) fn returned(absence: &Absence, about: &NotificationContext) -> Option<NotificationContent> {
    let missed = absence.missed.len();
    if missed == 0 {
        return None;
    }
    let senders = named(absence.senders());
    let text = match (missed, senders.is_empty()) {
        (1, true) => Text::NotificationMissedOne,
        (_, true) => Text::NotificationMissed,
        (1, false) => Text::NotificationMissedOneOf,
        (_, false) => Text::NotificationMissedOf,
    };
    let mut body = text.with(&[("count", &missed.to_string()), ("senders", &senders)]);
    let waiting = absence.waiting.len();
    if waiting > 0 {
        let text = if waiting == 1 { Text::NotificationStillOne } else { Text::NotificationStill };
        body = format!("{body}\n{}", text.with(&[("count", &waiting.to_string())]));
    }
    Some(NotificationContent {
        key: NotificationKey::Returned,
        summary: Text::NotificationReturned.get(),
        body,
        actions: looks(),
        waiting: 0,
        arguments_hash: None,
        sound: about.sound,
        choices: Vec::new(),
    })
}

fn looks() -> Vec<NotificationButton> {
    [NotificationAction::Review, NotificationAction::Default]
        .map(|action| action.labelled(Text::NotificationReview))
        .into()
}

/// The first few of these, each once.
fn named(mut senders: Vec<String>) -> String {
    let more = senders.len() > MAX_SENDERS;
    senders.truncate(MAX_SENDERS);
    if more { format!("{}, …", senders.join(", ")) } else { senders.join(", ") }
}

fn all(pending: &[Arc<Approval>], questions: &[Arc<Question>], about: &NotificationContext) -> NotificationContent {
    let waiting = pending.len() + questions.len();
    let mut senders: Vec<String> = Vec::new();
    for sender in
        pending.iter().map(|one| request::sender(one)).chain(questions.iter().map(|one| question::sender(one)))
    {
        if !senders.contains(&sender) {
            senders.push(sender);
        }
    }
    let mut body = named(senders);
    let ids = pending.iter().map(|approval| approval.id.0).chain(questions.iter().map(|question| question.id.0));
    if ids.into_iter().any(|id| about.hurried.contains(&id)) {
        body = format!("{body}\n{}", Text::NotificationHurry.get());
    }
    NotificationContent {
        key: NotificationKey::Summary,
        summary: Text::NotificationSummary.with(&[("count", &waiting.to_string())]),
        body,
        actions: looks(),
        waiting,
        arguments_hash: None,
        sound: about.sound,
        choices: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notification::content::Buttons;
    use crate::testing::{approval, destructive, edit, id, spoofed, written};
    use handraise_display::has_hidden;
    use handraise_protocol::{Decision, FindingKind, FindingView, Scope};

    fn planned(pending: &[Approval]) -> Vec<NotificationContent> {
        planned_in(pending, &NotificationContext::default())
    }

    fn planned_in(pending: &[Approval], about: &NotificationContext) -> Vec<NotificationContent> {
        wanted(&pending.iter().cloned().map(Arc::new).collect::<Vec<_>>(), &[], about)
    }

    fn names(content: &NotificationContent) -> Vec<&'static str> {
        content.actions.iter().map(|button| button.action.name()).collect()
    }

    #[test]
    fn requests_that_read_the_same_are_told_apart_and_no_other_has_a_code() {
        let again = Approval { id: id(0xdef), ..approval(0xabc) };
        let open = [approval(0xabc), again, edit(0x123, &["a"], &["b"])];
        let bodies: Vec<_> = planned(&open).into_iter().map(|one| one.body).collect();
        assert_eq!(bodies[0], "make step-2748\nIt cannot be told what it changes.\nWrite");
        assert_eq!(bodies[1], format!("{}\n000def", bodies[0]));
        assert!(bodies[2].ends_with("\nWrite"), "{}", bodies[2]);
    }

    #[test]
    fn one_request_has_one_notification_that_says_it_all() {
        let approval = approval(0xabc);
        let button = |action: NotificationAction, label: &str| NotificationButton {
            action,
            label: label.into(),
            placeholder: (action == NotificationAction::DenyWithReason).then(|| "What should it do instead?".into()),
        };
        assert_eq!(
            planned(std::slice::from_ref(&approval)),
            [NotificationContent {
                key: NotificationKey::Request(id(0xabc)),
                summary: "Claude Code in shopfront".into(),
                body: "make step-2748\nIt cannot be told what it changes.\nWrite".into(),
                actions: vec![
                    button(NotificationAction::Approve, "Approve"),
                    button(NotificationAction::Deny, "Deny"),
                    button(NotificationAction::ApproveForSession, "For this session"),
                    button(NotificationAction::DenyWithReason, "Reason…"),
                    button(NotificationAction::Default, "Details"),
                ],
                waiting: 1,
                arguments_hash: Some(approval.arguments_hash),
                sound: false,
                choices: Vec::new(),
            }]
        );
    }

    #[test]
    fn a_destructive_request_can_only_be_denied_or_reviewed() {
        assert_eq!(names(&planned(&[destructive(1)])[0]), ["deny", "inline-reply", "review", "default"]);
    }

    #[test]
    fn a_text_that_is_cut_off_says_so_and_cannot_be_approved() {
        let long = Approval { title: "x".repeat(300), ..approval(1) };
        let content = &planned(&[long])[0];
        assert!(content.body.contains("… 100 more characters"), "{}", content.body);
        assert_eq!(names(content), ["deny", "inline-reply", "review", "default"]);
    }

    #[test]
    fn no_notification_carries_text_that_acts_on_its_server_and_none_approves_what_misleads() {
        for spoofed in spoofed() {
            let content = &planned(std::slice::from_ref(&spoofed))[0];
            for text in [&content.summary, &content.body] {
                assert!(!has_hidden(text), "{:?}: {text:?}", spoofed.title);
            }
            if spoofed.findings.iter().any(|finding| finding.misleads) {
                assert_eq!(names(content), ["deny", "inline-reply", "review", "default"], "{:?}", spoofed.title);
            }
        }
    }

    #[test]
    fn without_a_session_nothing_is_offered_for_a_session() {
        let once = Approval { session: None, scopes: Vec::new(), ..approval(1) };
        assert_eq!(names(&planned(&[once])[0]), ["approve", "deny", "inline-reply", "default"]);
    }

    #[test]
    fn a_claimed_agent_name_is_called_a_claim() {
        let claimed = Approval { agent_verified: false, ..approval(1) };
        assert!(planned(&[claimed])[0].body.ends_with("Nothing proves this agent’s name."));
    }

    #[test]
    fn more_than_three_requests_share_one_notification() {
        let three: Vec<_> = (1..=3).map(approval).collect();
        assert_eq!(planned(&three).len(), 3);
        let five: Vec<_> = (1..=5).map(approval).collect();
        let contents = planned(&five);
        assert_eq!(contents.len(), 1);
        assert_eq!(contents[0].key, NotificationKey::Summary);
        assert_eq!(contents[0].summary, "5 requests are waiting");
        assert_eq!(contents[0].body, "Claude Code in shopfront");
        assert_eq!(names(&contents[0]), ["review", "default"]);
    }

    fn of_session(number: u128, id: &str) -> Approval {
        let one = approval(number);
        Approval { session: one.session.clone().map(|key| SessionKey { id: id.into(), ..key }), ..one }
    }

    #[test]
    fn many_requests_of_a_few_sessions_have_one_notification_for_each() {
        let many = [of_session(1, "a"), of_session(2, "b"), of_session(3, "a"), of_session(4, "a")];
        let contents = planned(&many);
        assert_eq!(contents.len(), 2);
        assert!(matches!(contents[0].key, NotificationKey::Session(_)));
        assert_eq!((contents[0].summary.as_str(), contents[0].waiting), ("Claude Code in shopfront", 3));
        assert_eq!(contents[0].body, "3 requests are waiting");
        assert_eq!(names(&contents[0]), ["review", "default"]);
        assert_eq!(contents[1].key, NotificationKey::Request(id(2)), "the only one of its session");
        let fewer = planned(&[of_session(2, "b"), of_session(3, "a"), of_session(4, "a"), of_session(5, "b")]);
        assert_eq!(fewer.iter().filter(|one| one.key == contents[0].key).count(), 1, "it stays the same notification");
        let sessions: Vec<_> = (1..=4).map(|number| of_session(number, &number.to_string())).collect();
        assert_eq!(planned(&sessions)[0].key, NotificationKey::Summary, "too many sessions");
    }

    #[test]
    fn little_time_is_said_of_a_session_too() {
        let about = NotificationContext { hurried: [id(3).0].into(), ..NotificationContext::default() };
        let many = [of_session(1, "a"), of_session(2, "b"), of_session(3, "a"), of_session(4, "b")];
        let contents = planned_in(&many, &about);
        assert!(contents[0].body.ends_with("nearly over.") && !contents[1].body.contains("nearly over."));
    }

    #[test]
    fn only_what_was_offered_counts() {
        let content = &planned(&[destructive(1)])[0];
        assert_eq!(content.offered("approve"), None);
        assert_eq!(content.offered("deny"), Some(NotificationAction::Deny));
        assert_eq!(content.offered("nonsense"), None);
    }

    #[test]
    fn an_answer_is_bound_to_what_was_shown() {
        let hash = approval(1).arguments_hash;
        let decision = NotificationAction::ApproveForSession.decision(Some(hash.clone()), None).unwrap();
        assert_eq!(decision.scope, Scope::Session);
        assert_eq!(decision.arguments_hash, Some(hash));
        assert_eq!(NotificationAction::Default.decision(None, None), None);
        let denied = NotificationAction::DenyWithReason.decision(None, Some("use pnpm".into())).unwrap();
        assert_eq!((denied.decision, denied.reason), (Decision::Deny, Some("use pnpm".into())));
        assert_eq!(NotificationAction::DenyWithReason.decision(None, None), None, "nothing was written");
    }

    #[test]
    fn a_change_is_on_its_notification() {
        let content = &planned(&[edit(0xabc, &["const tax = 0.2;"], &["const tax = 0.21;"])])[0];
        assert_eq!(
            content.body,
            "Edit src/cart.ts +1 −1\n− const tax = 0.2;\n+ const tax = 0.21;\nIt cannot be told what it changes.\nWrite"
        );
        assert_eq!(names(content), ["approve", "deny", "session", "inline-reply", "default"]);
    }

    #[test]
    fn a_change_that_does_not_fit_is_begun_and_can_only_be_denied_or_reviewed() {
        let content = &planned(&[written(1, "notes.txt", &"x\n".repeat(41))])[0];
        assert!(content.body.contains("… 37 more lines: open it to read them"), "{}", content.body);
        assert_eq!(names(content), ["deny", "inline-reply", "review", "default"]);
    }

    #[test]
    fn a_start_up_file_can_only_be_denied_or_reviewed_and_its_notification_says_why() {
        let sentence = "A shell runs /home/ana/.bashrc whenever one starts.";
        let kind = FindingKind::ActsLater;
        let finding = FindingView { kind, sentence: sentence.into(), field: "reach".into(), misleads: false };
        let content = &planned(&[Approval { findings: vec![finding], ..written(1, ".bashrc", "true") }])[0];
        assert!(content.body.contains(sentence), "{}", content.body);
        assert_eq!(names(content), ["deny", "inline-reply", "review", "default"]);
    }

    #[test]
    fn buttons_that_another_program_may_press_approve_nothing() {
        for buttons in [Buttons::Look, Buttons::Changed] {
            let about = NotificationContext { buttons, ..NotificationContext::default() };
            let content = &planned_in(&[approval(1)], &about)[0];
            assert_eq!(names(content), ["deny", "inline-reply", "review", "default"]);
            assert_eq!(content.body.contains("Another program"), buttons == Buttons::Changed);
        }
    }

    #[test]
    fn little_time_is_said() {
        let about = NotificationContext { hurried: [id(1).0].into(), ..NotificationContext::default() };
        assert!(planned_in(&[approval(1)], &about)[0].body.ends_with("nearly over."));
        assert!(!planned_in(&[approval(2)], &about)[0].body.contains("nearly over."));
        let many: Vec<_> = (1..=5).map(approval).collect();
        assert!(planned_in(&many, &about)[0].body.ends_with("nearly over."));
    }

    #[test]
    fn what_was_missed_is_said_once_and_without_any_argument() {
        let about = NotificationContext::default();
        let mut absence = Absence::default();
        assert_eq!(returned(&absence, &about), None);
        absence.miss(id(1).0, Some("Claude Code in shopfront".into()));
        let body = |absence: &Absence| returned(absence, &about).unwrap().body;
        assert_eq!(body(&absence), "1 request ended because nobody answered: Claude Code in shopfront");
        for number in 2..6 {
            absence.miss(id(number).0, Some(format!("Codex in api-{number}")));
        }
        absence.waiting = vec![id(7).0, id(8).0];
        let content = returned(&absence, &about).unwrap();
        assert_eq!(
            content.body,
            "5 requests ended because nobody answered: Claude Code in shopfront, Codex in api-2, Codex in api-3, …\n\
             2 more are waiting for you"
        );
        assert_eq!((content.summary.as_str(), names(&content)), ("While you were away", vec!["review", "default"]));
        assert!(content.stays());
    }
}
