//! What the desktop shows, decided in one place: signals in, calls of [`Desktop`] and [`Gatekeeper`]
//! out. It looks at the whole state every time and changes what differs, so that a signal that was
//! missed, doubled or late does no lasting harm.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use handraise_protocol::{
    Approval, ApprovalResult, Decision, DesktopState, Mode, Problem, ProblemCode, PromptWindow, Question, QuestionId,
    QuestionResult, RequestId, Settings, Wanted,
};
use jiff::{SignedDuration, Timestamp};
use tokio::sync::mpsc::UnboundedSender;
use uuid::Uuid;

use crate::compact_view::approvable;
use crate::desktop::{DecidingSurface, Desktop, Gatekeeper};
use crate::notification::content::{Buttons, Circumstances, NotificationAction, NotificationKey};
use crate::notification::shown::{ShownNotifications, Step};
use crate::notification::wanted::{answer_refused, wanted};
use crate::os::{NotifierEvent, PanelEvent, PanelTone};
use crate::strings::Text;
use crate::tray::drawing::TrayDrawing;
use crate::tray::icon::TrayIcon;
use crate::tray::menu::{Choice, TrayState, menu};
use crate::window::spec::{Attention, PromptSpec, WindowName};

/// An approving click this soon after something appeared, moved or went away on the screen was meant
/// for what was there before.
const ARMING: Duration = Duration::from_millis(500);
/// A person is reminded this long before the time to answer is over, or when a quarter of it is left.
const REMINDER: SignedDuration = SignedDuration::from_secs(60);
/// How long the prompt window still shows how the last request ended before it goes away.
const PROMPT_CLOSE_DELAY: Duration = Duration::from_millis(2_500);

/// When something happened: by a clock that only goes on, and by the one that requests expire by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    /// Never set back.
    pub instant: Instant,
    /// The time of day.
    pub wall: Timestamp,
}

impl Moment {
    /// This moment.
    #[must_use]
    pub(crate) fn now() -> Self {
        Self { instant: Instant::now(), wall: Timestamp::now() }
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
    /// The tray cannot be built on this system.
    NoTray,
    /// A person chose something from the tray menu.
    Menu(Choice),
    /// A person works in the prompt window, or no longer.
    PromptFocus(bool),
    /// The prompt window's page asks what to show.
    PromptAsks(UnboundedSender<DesktopState>),
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
    /// The time that was asked for with [`Desktop::wake_in`] is over.
    Awake,
    /// The session or the system wants the program to end.
    Terminate,
}

/// The gate's state as far as it is shown.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Snapshot {
    /// The mode in force.
    pub mode: Mode,
    /// Open requests, oldest first.
    pub pending: Vec<Arc<Approval>>,
    /// Open questions, oldest first.
    pub questions: Vec<Arc<Question>>,
    /// Requests that timed out and can still be answered late, the latest first.
    pub missed: Vec<Arc<Approval>>,
}

impl Snapshot {
    /// How many things wait for a person.
    fn waiting(&self) -> usize {
        self.pending.len() + self.questions.len()
    }

    /// What waits for a person.
    fn ids(&self) -> HashSet<Uuid> {
        let questions = self.questions.iter().map(|question| question.id.0);
        self.pending.iter().map(|approval| approval.id.0).chain(questions).collect()
    }

    /// What waits for a person, with when it began to wait and until when it does.
    fn times(&self) -> impl Iterator<Item = (Uuid, Timestamp, Timestamp)> {
        let pending = self.pending.iter().map(|one| (one.id.0, one.requested_at, one.expires_at));
        pending.chain(self.questions.iter().map(|one| (one.id.0, one.asked_at, one.expires_at)))
    }
}

/// What the desktop shows, and why.
pub(crate) struct Controller<D, G> {
    desktop: D,
    gate: G,
    state: Snapshot,
    settings: Settings,
    /// Notifications can be answered; `None`: not known yet.
    answers: Option<bool>,
    /// What a button of a notification may do.
    buttons: Buttons,
    /// The notification server holds notifications back for now: the person is not to be disturbed.
    inhibited: bool,
    shown: ShownNotifications,
    /// Answered on a notification or in the tray, and the gate has not said anything yet.
    deciding: HashSet<RequestId>,
    /// Questions that were answered on a notification, and the gate has not said anything yet.
    answering: HashSet<QuestionId>,
    panel: PanelTone,
    /// `None`: not known yet.
    tray_host: Option<bool>,
    drawn: Option<TrayDrawing>,
    /// What the open prompt window was told last.
    published: Option<DesktopState>,
    prompt: Option<OpenPrompt>,
    /// Open requests and questions that the prompt window has come up for, or that a person saw in it.
    prompted: HashSet<Uuid>,
    /// From when on a click on a notification can approve.
    armed_from: Option<Instant>,
    /// Clicked too early to count. A server may take such a notification away: it is shown once more.
    early: HashSet<NotificationKey>,
    /// Taken away with an early click: where it is the only one, it comes back in its place and moves nothing.
    again: Option<NotificationKey>,
    /// Requests and questions that the person was reminded of, because their time is nearly over.
    reminded: HashSet<Uuid>,
    /// When the controller looks again for the sake of a reminder.
    looks_at: Option<Instant>,
    /// What the person asked to see last.
    wanted: Option<Wanted>,
    /// How often the person asked.
    asked: u32,
    /// Missed requests that the person put away.
    put_away: HashSet<RequestId>,
}

/// The open prompt window.
#[derive(Clone, Copy, Debug, Default)]
struct OpenPrompt {
    /// It came up for a request and by itself, and goes in the same way.
    goes_by_itself: bool,
    /// A person works in it.
    has_focus: bool,
    /// Since when it has had nothing to show.
    idle_since: Option<Instant>,
}

impl<D: Desktop, G: Gatekeeper> Controller<D, G> {
    /// A controller that has shown nothing yet.
    pub(crate) fn new(desktop: D, gate: G, settings: Settings, now: Moment) -> Self {
        let state = Snapshot { mode: Mode::Normal, pending: Vec::new(), questions: Vec::new(), missed: Vec::new() };
        let mut controller = Self {
            desktop,
            gate,
            state,
            settings,
            answers: None,
            buttons: Buttons::default(),
            inhibited: false,
            shown: ShownNotifications::default(),
            deciding: HashSet::new(),
            answering: HashSet::new(),
            panel: PanelTone::Dark,
            tray_host: None,
            drawn: None,
            published: None,
            prompt: None,
            prompted: HashSet::new(),
            armed_from: None,
            early: HashSet::new(),
            again: None,
            reminded: HashSet::new(),
            looks_at: None,
            wanted: None,
            asked: 0,
            put_away: HashSet::new(),
        };
        controller.desktop.set_appearance(controller.settings.appearance);
        controller.settle(now);
        controller
    }

    /// Takes in what happened at the time `now`.
    pub(crate) fn handle(&mut self, signal: Signal, now: Moment) {
        match signal {
            Signal::Gate(state) => self.state = *state,
            Signal::Ended(result) => self.desktop.publish_end(&result),
            Signal::QuestionEnded(result) => self.desktop.publish_question_end(&result),
            Signal::Answered(id, outcome) => self.answered(id, outcome),
            Signal::Decided(id, outcome) => self.decided(id, outcome),
            Signal::Notifier(event) => self.notifier(event, now.instant),
            Signal::Panel(PanelEvent::Tone(tone)) => self.panel = tone,
            Signal::Panel(PanelEvent::TrayHost(is_there)) => self.tray_host(is_there),
            Signal::NoTray => self.tray_host(false),
            Signal::Menu(choice) => self.menu(choice),
            Signal::PromptFocus(has_focus) => {
                if let Some(prompt) = &mut self.prompt {
                    prompt.has_focus = has_focus;
                }
            }
            Signal::PromptAsks(answer) => {
                let state = self.desktop_state();
                // The page may be gone again.
                let _ = answer.send(state.clone());
                self.published = Some(state);
            }
            Signal::AnsweredInPrompt if self.buttons == Buttons::Changed => self.buttons = Buttons::Decide,
            Signal::AnsweredInPrompt => {}
            Signal::PutAway(id) => drop(self.put_away.insert(id)),
            Signal::WindowClosed(WindowName::Prompt) => {
                self.prompt = None;
                self.wanted = None;
            }
            Signal::WindowClosed(WindowName::Settings) => {}
            // Any program can start this one, so that this is no sign of a person who looks here.
            Signal::StartedAgain => self.open_prompt(Attention::ByItself, None),
            Signal::OpenSettings => self.desktop.open_settings(),
            Signal::Settings(settings) => self.change_settings(*settings),
            Signal::Awake => {}
            Signal::Terminate => self.desktop.quit(),
        }
        self.settle(now);
    }

    /// Makes the desktop look as it should.
    fn settle(&mut self, now: Moment) {
        let pending = self.state.ids();
        self.early.retain(|key| key.is_open(&pending));
        self.reminded.retain(|id| pending.contains(id));
        self.put_away.retain(|id| self.state.missed.iter().any(|missed| missed.id == *id));
        self.remind(now);
        let now = now.instant;
        self.deciding.retain(|id| pending.contains(&id.0));
        self.answering.retain(|id| pending.contains(&id.0));
        self.prompted.retain(|id| pending.contains(id));
        if self.draw_tray() | self.notify() {
            self.armed_from = Some(now + ARMING);
        }
        if self.needs_prompt() && !pending.is_subset(&self.prompted) {
            self.open_prompt(Attention::ByItself, None);
        }
        self.close_idle_prompt(now);
        if self.prompt.is_some() {
            self.prompted = pending;
            self.publish();
        }
    }

    /// A window that is told the same twice would make its buttons wait anew.
    fn publish(&mut self) {
        let state = self.desktop_state();
        if self.published.as_ref() != Some(&state) {
            self.desktop.publish(&state);
            self.published = Some(state);
        }
    }

    fn desktop_state(&self) -> DesktopState {
        DesktopState {
            mode: self.state.mode,
            appearance: self.settings.appearance,
            pending: self.state.pending.clone(),
            questions: self.state.questions.clone(),
            missed: self.missed().cloned().collect(),
            wanted: self.wanted.clone(),
            notifications_changed: self.buttons == Buttons::Changed,
        }
    }

    fn missed(&self) -> impl Iterator<Item = &Arc<Approval>> {
        self.state.missed.iter().filter(|missed| !self.put_away.contains(&missed.id))
    }

    /// Says once of each request that its time is nearly over, and looks again when the next one is due.
    fn remind(&mut self, now: Moment) {
        let mut next: Option<Timestamp> = None;
        for (id, since, until) in self.state.times().collect::<Vec<_>>() {
            let due = until - REMINDER.min(until.duration_since(since) / 4);
            if self.reminded.contains(&id) {
                continue;
            }
            if now.wall < due {
                next = Some(next.map_or(due, |next| next.min(due)));
                continue;
            }
            self.reminded.insert(id);
            for key in [NotificationKey::Request(RequestId(id)), NotificationKey::Question(QuestionId(id))] {
                self.shown.forget_closed(key);
            }
            self.shown.forget_closed(NotificationKey::Summary);
        }
        let wait = next.and_then(|next| Duration::try_from(next.duration_since(now.wall)).ok());
        let Some(wait) = wait else { return };
        let at = now.instant + wait;
        if self.looks_at.is_none_or(|looks_at| looks_at <= now.instant || at < looks_at) {
            self.looks_at = Some(at);
            self.desktop.wake_in(wait);
        }
    }

    /// Takes the prompt window away that came up by itself, a while after it has done its work.
    fn close_idle_prompt(&mut self, now: Instant) {
        let is_idle = self.state.waiting() == 0 && self.missed().next().is_none();
        let Some(prompt) = self.prompt.as_mut().filter(|prompt| prompt.goes_by_itself) else { return };
        match prompt.idle_since {
            _ if !is_idle => prompt.idle_since = None,
            None => {
                prompt.idle_since = Some(now);
                self.desktop.wake_in(PROMPT_CLOSE_DELAY);
            }
            Some(since) if now.duration_since(since) >= PROMPT_CLOSE_DELAY => {
                self.prompt = None;
                self.desktop.close_prompt();
            }
            Some(_) => {}
        }
    }

    /// Whether anything was drawn.
    fn draw_tray(&mut self) -> bool {
        let waiting = self.state.waiting();
        let count = waiting.to_string();
        let tooltip = match (waiting, self.state.mode) {
            (0, Mode::Normal) => Text::TrayTooltipIdle.get(),
            (0, Mode::AskEverything) => Text::TrayTooltipAskEverything.get(),
            (_, Mode::DenyEverything) => Text::TrayTooltipDenyEverything.get(),
            _ => Text::TrayTooltipWaiting.with(&[("count", &count)]),
        };
        let drawing = TrayDrawing {
            icon: TrayIcon::of(self.state.mode, waiting),
            panel: self.panel,
            tooltip,
            menu: menu(&TrayState::new(self.state.mode, &self.state.pending, &self.state.questions)),
        };
        let differs = self.drawn.as_ref() != Some(&drawing);
        if differs {
            self.desktop.draw_tray(&drawing);
            self.drawn = Some(drawing);
        }
        differs
    }

    /// Whether any notification was shown or closed.
    fn notify(&mut self) -> bool {
        let can = self.settings.notifications && self.answers == Some(true);
        let about = Circumstances { buttons: self.buttons, hurried: self.reminded.clone() };
        let wanted = if can { wanted(&self.state.pending, &self.state.questions, &about) } else { Vec::new() };
        let is_only = wanted.len() == 1;
        let steps = self.shown.reconcile(wanted, self.prompt.is_some_and(|prompt| prompt.has_focus));
        let again = self.again.take();
        let comes_back = matches!(steps.as_slice(), [Step::Show(content)] if is_only && again == Some(content.key));
        let differs = !steps.is_empty() && !comes_back;
        for step in steps {
            match step {
                Step::Show(content) => self.desktop.show_notification(content),
                Step::Close(key) => self.desktop.close_notification(key),
            }
        }
        differs
    }

    /// Whether a notification cannot do it, or the person wants the window anyway. As long as it is
    /// not known what the notification server can do, neither comes up.
    fn needs_prompt(&self) -> bool {
        (self.settings.prompt_window == PromptWindow::Always && !self.inhibited)
            || !self.settings.notifications
            || self.answers == Some(false)
    }

    /// Opens the prompt window, with the request or question `wanted` in it.
    fn open_prompt(&mut self, attention: Attention, wanted: Option<Uuid>) {
        if let Some(id) = wanted {
            self.asked = self.asked.wrapping_add(1);
            self.wanted = Some(Wanted { id: id.to_string(), number: self.asked });
        }
        let waiting = self.state.waiting();
        self.desktop.open_prompt(PromptSpec { attention, waiting });
        let goes_by_itself = attention == Attention::ByItself && waiting > 0;
        match &mut self.prompt {
            // It stays once a person has asked for it.
            Some(prompt) => prompt.goes_by_itself &= attention == Attention::ByItself,
            None => {
                self.prompt = Some(OpenPrompt { goes_by_itself, ..OpenPrompt::default() });
                self.published = None;
            }
        }
    }

    fn notifier(&mut self, event: NotifierEvent, now: Instant) {
        match event {
            NotifierEvent::Server { answers, buttons } => {
                self.answers = Some(answers);
                // Once it has changed, only a person's answer in the window makes up for it.
                if answers && self.buttons != Buttons::Changed {
                    self.buttons = buttons;
                }
                self.early.clear();
                self.shown.forget();
                self.desktop.tell_notifications(answers);
            }
            NotifierEvent::Inhibited(inhibited) => self.inhibited = inhibited,
            NotifierEvent::Action { key, name } => self.act(key, &name, now),
            NotifierEvent::Closed(key) if self.early.remove(&key) => {
                self.shown.forget_one(key);
                self.again = Some(key);
            }
            NotifierEvent::Closed(key) => self.shown.closed(key),
            NotifierEvent::Failed(
                NotificationKey::Answer(_) | NotificationKey::QuestionAnswer(_) | NotificationKey::NotRunning,
            ) => {}
            NotifierEvent::Failed(key) => {
                self.shown.closed(key);
                self.open_prompt(Attention::ByItself, key.about());
            }
        }
    }

    /// A person pressed a button of a notification.
    fn act(&mut self, key: NotificationKey, name: &str, now: Instant) {
        let Some((content, action)) = self.shown.action(key, name) else { return };
        let decision = action.decision(content.arguments_hash.clone());
        let answer = content.answer(action);
        let approves =
            answer.is_some() || decision.as_ref().is_some_and(|decision| decision.decision == Decision::Approve);
        if approves && self.armed_from.is_some_and(|armed_from| now < armed_from) {
            // It does not count, and nobody waits the longer for it.
            self.early.insert(key);
            return;
        }
        if approves && !self.is_pressed_by_person(key) {
            return;
        }
        if let (NotificationKey::Question(id), Some(answer)) = (key, answer) {
            if self.answering.insert(id) {
                self.gate.answer(id, answer, DecidingSurface::Notification);
            }
            return;
        }
        match (key, decision) {
            (NotificationKey::Request(id), Some(decision)) => {
                if self.deciding.insert(id) {
                    self.gate.decide(id, decision, DecidingSurface::Notification);
                }
            }
            _ => self.open_prompt(Attention::Asked, key.about()),
        }
    }

    /// Whether a person made the last press. If not, that is said, and what it was about opens.
    fn is_pressed_by_person(&mut self, key: NotificationKey) -> bool {
        if self.counts_as_person() {
            return true;
        }
        let answer = match key {
            NotificationKey::Question(id) => NotificationKey::QuestionAnswer(id),
            NotificationKey::Request(id) => NotificationKey::Answer(id),
            other => other,
        };
        let refused = answer_refused(answer, Text::MadeInput.get(), Text::MadeInputDetail.get());
        self.desktop.show_notification(refused);
        // Its server may have taken it away with the click.
        self.early.insert(key);
        self.open_prompt(Attention::ByItself, key.about());
        false
    }

    fn counts_as_person(&self) -> bool {
        self.settings.accept_made_input || self.desktop.is_pressed_by_person()
    }

    fn menu(&mut self, choice: Choice) {
        match choice {
            Choice::Approve(id) => self.decide_in_tray(id, NotificationAction::Approve),
            Choice::Deny(id) => self.decide_in_tray(id, NotificationAction::Deny),
            Choice::Open(id) => self.open_prompt(Attention::Asked, Some(id)),
            Choice::OpenInbox => self.open_prompt(Attention::Asked, None),
            // To resume lets more pass.
            Choice::SetMode(Mode::Normal) if !self.counts_as_person() => self.open_prompt(Attention::ByItself, None),
            Choice::SetMode(mode) => self.gate.set_mode(mode),
            Choice::OpenSettings => self.desktop.open_settings(),
            Choice::Quit => self.desktop.quit(),
        }
    }

    fn decide_in_tray(&mut self, id: RequestId, action: NotificationAction) {
        let approval = self.state.pending.iter().find(|approval| approval.id == id);
        // The menu may have been open for long: what it offered then must still be allowed now.
        if action == NotificationAction::Approve && approval.is_some_and(|approval| !approvable(approval)) {
            self.open_prompt(Attention::Asked, Some(id.0));
            return;
        }
        let hash = approval.map(|approval| approval.arguments_hash.clone());
        if action == NotificationAction::Approve && !self.is_pressed_by_person(NotificationKey::Request(id)) {
            return;
        }
        if let Some(decision) = action.decision(hash)
            && self.deciding.insert(id)
        {
            self.gate.decide(id, decision, DecidingSurface::Tray);
        }
    }

    fn decided(&mut self, id: RequestId, outcome: Result<(), Box<Problem>>) {
        let Err(problem) = outcome else { return };
        self.deciding.remove(&id);
        let notification = if problem.code == ProblemCode::AlreadyOver {
            answer_refused(NotificationKey::Answer(id), Text::TooLate.get(), Text::TooLateDetail.get())
        } else {
            // Still open, and its notification is gone with the click: show it once more.
            self.shown.forget_one(NotificationKey::Request(id));
            answer_refused(NotificationKey::Answer(id), problem.title, problem.detail)
        };
        self.desktop.show_notification(notification);
    }

    fn answered(&mut self, id: QuestionId, outcome: Result<(), Box<Problem>>) {
        let Err(problem) = outcome else { return };
        self.answering.remove(&id);
        let key = NotificationKey::QuestionAnswer(id);
        let notification = if problem.code == ProblemCode::AlreadyOver {
            answer_refused(key, Text::TooLate.get(), Text::TooLateDetail.get())
        } else {
            // Still open, and its notification is gone with the click: show it once more.
            self.shown.forget_one(NotificationKey::Question(id));
            answer_refused(key, problem.title, problem.detail)
        };
        self.desktop.show_notification(notification);
    }

    /// Without a tray the window is the way in: it comes up once, at the start.
    fn tray_host(&mut self, is_there: bool) {
        if self.tray_host.is_none() && !is_there {
            self.open_prompt(Attention::ByItself, None);
        }
        self.tray_host = Some(is_there);
        self.desktop.tell_tray_host(is_there);
    }

    fn change_settings(&mut self, settings: Settings) {
        if settings.appearance != self.settings.appearance {
            self.desktop.set_appearance(settings.appearance);
        }
        if settings.start_at_login != self.settings.start_at_login {
            self.desktop.set_start_at_login(settings.start_at_login);
        }
        self.settings = settings;
    }
}

#[cfg(test)]
mod tests;
