//! Everything that the application can do to the desktop, as one trait; tests record instead.

use std::time::Duration;

use handraise_protocol::{
    AnswerRequest, Appearance, ApprovalResult, DecisionRequest, DesktopState, Locale, ModeRequest, QuestionId,
    QuestionResult, RequestId, ShortcutState,
};

use crate::notification::content::{NotificationContent, NotificationKey};
use crate::tray::drawing::TrayDrawing;
use crate::window::spec::{Layout, PromptSpec};

/// Everything that the application can do to the desktop. No call waits for the desktop.
pub(crate) trait Desktop {
    /// Shows a notification, in place of the one with the same key.
    fn show_notification(&mut self, content: NotificationContent);
    /// Closes a notification.
    fn close_notification(&mut self, key: NotificationKey);
    /// Shows icon and menu in the tray.
    fn draw_tray(&mut self, tray: &TrayDrawing);
    /// Builds the prompt window, unseen, with the size that `spec` needs.
    fn build_prompt(&mut self, spec: PromptSpec);
    /// Gives the unseen prompt window the size that `spec` needs.
    fn lay_out_prompt(&mut self, spec: PromptSpec);
    /// Puts the prompt window on the screen, covered.
    fn show_prompt(&mut self, spec: PromptSpec, layout: Option<Layout>);
    /// Takes the cover away: its page has painted.
    fn uncover_prompt(&mut self);
    /// The prompt window is on the screen: brings it to the front if a person asked for it.
    fn raise_prompt(&mut self, spec: PromptSpec);
    /// Takes the prompt window from the screen. It waits unseen, and its page is loaded anew.
    fn put_prompt_away(&mut self);
    /// Ends the prompt window.
    fn release_prompt(&mut self);
    /// Whether a window can wait unseen here.
    fn can_wait_unseen(&self) -> bool;
    /// Lets the controller look again after this time.
    fn wake_in(&mut self, time: Duration);
    /// Opens the settings window, or brings it to the front.
    fn open_settings(&mut self);
    /// Opens the settings window, or brings it to the front, with this call of the past.
    fn show_call(&mut self, id: RequestId);
    /// Tells the prompt window that there is another state, for which its page then asks.
    fn publish(&mut self, state: &DesktopState);
    /// Tells the prompt window how a request ended.
    fn publish_end(&mut self, result: &ApprovalResult);
    /// Tells the prompt window how a question ended.
    fn publish_question_end(&mut self, result: &QuestionResult);
    /// Makes windows light or dark.
    fn set_appearance(&mut self, appearance: Appearance);
    /// Speaks another language; `None`: the system's.
    fn set_language(&mut self, language: Option<Locale>);
    /// Has these keys bring the prompt window forward, wherever the keyboard is; `None`: none.
    fn set_shortcut(&mut self, keys: Option<&str>);
    /// Tells, in the settings window, how these keys stand.
    fn tell_shortcut(&mut self, state: ShortcutState);
    /// Makes or removes the entry that starts the program at login.
    fn set_start_at_login(&mut self, start: bool);
    /// Tells, in the settings window, whether this desktop shows tray icons.
    fn tell_tray_host(&mut self, is_there: bool);
    /// Tells, in the settings window, whether notifications can be answered on this desktop.
    fn tell_notifications(&mut self, work: bool);
    /// Whether a person made the last press of a button or key; also where there is no telling.
    fn is_pressed_by_person(&self) -> bool;
    /// Whether a window that comes up by itself may be given the keyboard; also where there is no telling.
    fn may_give_keyboard(&self) -> bool;
    /// Ends the program in good order.
    fn quit(&mut self);
}

/// What the gate is asked to do. The answers come back as signals.
pub(crate) trait Gatekeeper {
    /// Decides about a request on behalf of the person at `surface`.
    fn decide(&mut self, id: RequestId, decision: DecisionRequest, surface: DecidingSurface);
    /// Answers a question on behalf of the person at `surface`.
    fn answer(&mut self, id: QuestionId, answer: AnswerRequest, surface: DecidingSurface);
    /// Puts back what a call has changed, where nobody else may have changed it since.
    fn put_back(&mut self, id: RequestId);
    /// Pauses, until a person resumes or for a time; or resumes.
    fn set_mode(&mut self, request: ModeRequest);
}

/// Where a person decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DecidingSurface {
    /// A button of a notification.
    Notification,
    /// The prompt window.
    PromptWindow,
    /// The tray menu.
    Tray,
}

impl DecidingSurface {
    /// Its name in the audit log.
    #[must_use]
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Notification => "notification",
            Self::PromptWindow => "prompt window",
            Self::Tray => "tray",
        }
    }
}
