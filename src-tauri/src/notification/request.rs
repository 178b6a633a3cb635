//! The notification of a request.

use handraise_display::{FindingKind, line};
use handraise_protocol::{Approval, RiskLevel};

use super::content::{
    Buttons, NotificationAction, NotificationButton, NotificationContent, NotificationContext, NotificationKey,
    agent_and_project, closing,
};
use crate::compact_view::{CompactView, MAX_LINE, agent, approvable, approvable_for_session, compact_view};
use crate::strings::Text;

/// Who asks, and where.
pub(crate) fn sender(approval: &Approval) -> String {
    agent_and_project(&agent(approval), approval.project.as_deref())
}

/// The notification of `approval`.
pub(super) fn content(approval: &Approval, about: &NotificationContext) -> NotificationContent {
    let risk = match approval.risk.level {
        RiskLevel::ReadOnly => Text::RiskReadOnly,
        RiskLevel::Write => Text::RiskWrite,
        RiskLevel::Destructive => Text::RiskDestructive,
    };
    let CompactView { title, change, more, .. } = compact_view(approval);
    let mut body = vec![line(&title, MAX_LINE)];
    body.extend(change);
    if more > 0 {
        body.push(Text::NotificationMore.with(&[("count", &more.to_string())]));
    }
    let reach = approval.findings.iter().filter(|finding| FindingKind::from(finding.kind).reaches_far());
    body.extend(reach.take(1).map(|finding| line(&finding.sentence, MAX_LINE)));
    body.push(line(&approval.effect.sentence, MAX_LINE));
    body.push(risk.get());
    if approval.agent.is_some() && !approval.agent_verified {
        body.push(Text::WarningUnverified.get());
    }
    let actions = actions(approval, about.buttons);
    body.extend(closing(approval.id.0, about));
    NotificationContent {
        key: NotificationKey::Request(approval.id),
        summary: sender(approval),
        body: body.join("\n"),
        actions,
        waiting: 1,
        arguments_hash: Some(approval.arguments_hash.clone()),
        sound: about.sound,
        choices: Vec::new(),
    }
}

fn actions(approval: &Approval, buttons: Buttons) -> Vec<NotificationButton> {
    let deny = NotificationAction::Deny.labelled(Text::NotificationDeny);
    let why = NotificationAction::DenyWithReason.labelled(Text::NotificationReason);
    if !approvable(approval) || buttons != Buttons::Decide {
        let review = NotificationAction::Review.labelled(Text::NotificationReview);
        let default = NotificationAction::Default.labelled(Text::NotificationReview);
        return vec![deny, why, review, default];
    }
    let mut actions = vec![NotificationAction::Approve.labelled(Text::NotificationApprove), deny];
    if approvable_for_session(approval) {
        actions.push(NotificationAction::ApproveForSession.labelled(Text::NotificationSession));
    }
    actions.push(why);
    actions.push(NotificationAction::Default.labelled(Text::NotificationDetails));
    actions
}
