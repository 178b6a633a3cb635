//! What the controller is told.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Instant;

use handraise_protocol::{
    Approval, ApprovalResult, DesktopState, KeptFile, Mode, Problem, Question, QuestionId, QuestionResult, RequestId,
    Settings, SubjectView,
};
use jiff::Timestamp;
use jiff::tz::{Offset, TimeZone};
use tokio::sync::mpsc::UnboundedSender;
use uuid::Uuid;

use crate::lately::Lately;
use crate::notification::{question, request};
use crate::os::{NotifierEvent, PanelEvent, ShortcutEvent};
use crate::presence::PresenceEvent;
use crate::tray::menu::Choice;
use crate::window::size::Showing;
use crate::window::spec::{Layout, WindowName};

/// When something happened: by a clock that only goes on, and by the one that requests expire by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    /// Never set back.
    pub instant: Instant,
    /// The time of day, in UTC.
    pub wall: Timestamp,
    /// How far the local time is from it.
    pub offset: Offset,
}

impl Moment {
    /// This moment.
    #[must_use]
    pub(crate) fn now() -> Self {
        let wall = Timestamp::now();
        Self { instant: Instant::now(), wall, offset: TimeZone::system().to_offset(wall) }
    }
}

/// Something that happened.
#[derive(Clone, Debug)]
pub(crate) enum Signal {
    /// The gate's state has changed.
    Gate(Box<Snapshot>),
    /// A request ended.
    Ended(Box<ApprovalResult>),
    /// A question ended.
    QuestionEnded(Box<QuestionResult>),
    /// An answer that was given to a question was taken, or refused.
    Answered(QuestionId, Result<(), Box<Problem>>),
    /// A decision that was asked for was made, or refused.
    Decided(RequestId, Result<(), Box<Problem>>),
    /// Something about notifications.
    Notifier(NotifierEvent),
    /// Something about the panel.
    Panel(PanelEvent),
    /// Something about the person and the session.
    Presence(PresenceEvent),
    /// Something about the keys that bring the prompt window forward.
    Shortcut(ShortcutEvent),
    /// The tray cannot be built on this system.
    NoTray,
    /// What happened lately has changed.
    Lately(Box<Lately>),
    /// What a call has changed was put back, or not.
    PutBack(RequestId, Result<Vec<KeptFile>, Box<Problem>>),
    /// A person chose something from the tray menu.
    Menu(Choice),
    /// A person works in the prompt window, or no longer.
    PromptFocus(bool),
    /// The prompt window's page asks what to show.
    PromptAsks(UnboundedSender<DesktopState>),
    /// The prompt window's page has laid out what it will show, in the opening with this number.
    PromptDrawn(u32, Layout),
    /// The prompt window's page has painted it, in the opening with this number.
    PromptPainted(u32),
    /// A person puts the prompt window away.
    PutPromptAway,
    /// An agent has called, whatever came of it.
    AgentCalled,
    /// A person answered in the prompt window.
    AnsweredInPrompt,
    /// A person does not want to see this missed request any more.
    PutAway(RequestId),
    /// A window is gone.
    WindowClosed(WindowName),
    /// The program was started once more.
    StartedAgain,
    /// A window asks for the settings.
    OpenSettings,
    /// New settings are in force.
    Settings(Box<Settings>),
    /// The time that was asked for with `Desktop::wake_in` is over.
    Awake,
    /// The session or the system wants the program to end.
    Terminate,
}

/// The gate's state as far as it is shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Snapshot {
    /// The mode in force.
    pub mode: Mode,
    /// When it ends by itself; `None`: when a person ends it.
    pub mode_until: Option<Timestamp>,
    /// Open requests, oldest first.
    pub pending: Vec<Arc<Approval>>,
    /// Open questions, oldest first.
    pub questions: Vec<Arc<Question>>,
    /// Requests that timed out and can still be answered late, the latest first.
    pub missed: Vec<Arc<Approval>>,
}

impl Snapshot {
    /// How many things wait for a person.
    pub(super) fn waiting(&self) -> usize {
        self.pending.len() + self.questions.len()
    }

    /// What waits for a person.
    pub(super) fn ids(&self) -> HashSet<Uuid> {
        let questions = self.questions.iter().map(|question| question.id.0);
        self.pending.iter().map(|approval| approval.id.0).chain(questions).collect()
    }

    /// What waits for a person, with when it began to wait and until when it does.
    pub(super) fn times(&self) -> impl Iterator<Item = (Uuid, Timestamp, Timestamp)> {
        let pending = self.pending.iter().map(|one| (one.id.0, one.requested_at, one.expires_at));
        pending.chain(self.questions.iter().map(|one| (one.id.0, one.asked_at, one.expires_at)))
    }

    /// What the prompt window shows when it comes up now.
    pub(super) fn showing(&self) -> Showing {
        match (self.pending.as_slice(), self.questions.as_slice()) {
            ([], []) => Showing::Nothing,
            ([one], []) => match one.subject {
                SubjectView::Command(_) => Showing::Command,
                SubjectView::Edit(_) | SubjectView::Write(_) => Showing::Change,
                SubjectView::Read(_) | SubjectView::Fetch(_) | SubjectView::Arguments => Showing::Tool,
            },
            ([], [_]) => Showing::Question,
            _ => Showing::List,
        }
    }

    /// Who asked, by request or question, and where.
    pub(super) fn sender(&self, id: Uuid) -> Option<String> {
        let mut requests = self.pending.iter().chain(&self.missed).filter(|one| one.id.0 == id);
        let mut questions = self.questions.iter().filter(|one| one.id.0 == id);
        requests.next().map(|one| request::sender(one)).or_else(|| questions.next().map(|one| question::sender(one)))
    }
}
