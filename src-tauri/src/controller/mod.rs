//! What the desktop shows, decided in one place: signals in, calls of [`Desktop`] and [`Gatekeeper`]
//! out. It looks at the whole state every time and changes what differs, so that a signal that was
//! missed, doubled or late does no lasting harm.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use handraise_protocol::{
    Approval, ApprovalResult, Decision, DesktopState, Mode, Problem, ProblemCode, PromptWindow, Question, QuestionId,
    QuestionResult, RequestId, Settings,
};

use uuid::Uuid;

use crate::desktop::{DecidingSurface, Desktop, Gatekeeper, TrayDrawing};
use crate::glance::approvable;
use crate::notification::plan::{NotificationAction, NotificationKey, answer_refused, plan};
use crate::notification::shown::{ShownNotifications, Step};
use crate::os::{NotifierEvent, PanelEvent, PanelTone};
use crate::strings::Text;
use crate::tray::icon::TrayIcon;
use crate::tray::menu::{Choice, TrayState, menu};
use crate::window::plan::{Attention, PromptPlan, WindowName};

/// An approving click this soon after something appeared, moved or went away on the screen was meant
/// for what was there before.
const ARMING: Duration = Duration::from_millis(500);
/// How long the prompt window still shows how the last request ended before it goes away.
const FAREWELL: Duration = Duration::from_millis(2_500);

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
    pub pending: Vec<Approval>,
    /// Open questions, oldest first.
    pub questions: Vec<Question>,
    /// Requests that timed out and can still be answered late, the latest first.
    pub missed: Vec<Approval>,
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
}

/// What the desktop shows, and why.
pub(crate) struct Controller<D, G> {
    desktop: D,
    gate: G,
    state: Snapshot,
    settings: Settings,
    /// Notifications can be answered; `None`: not known yet.
    answers: Option<bool>,
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
    pub(crate) fn new(desktop: D, gate: G, settings: Settings, now: Instant) -> Self {
        let state = Snapshot { mode: Mode::Normal, pending: Vec::new(), questions: Vec::new(), missed: Vec::new() };
        let mut controller = Self {
            desktop,
            gate,
            state,
            settings,
            answers: None,
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
        };
        controller.desktop.set_appearance(controller.settings.appearance);
        controller.settle(now);
        controller
    }

    /// Takes in what happened at the time `now`.
    pub(crate) fn handle(&mut self, signal: Signal, now: Instant) {
        match signal {
            Signal::Gate(state) => self.state = *state,
            Signal::Ended(result) => self.desktop.publish_end(&result),
            Signal::QuestionEnded(result) => self.desktop.publish_question_end(&result),
            Signal::Answered(id, outcome) => self.answered(id, outcome),
            Signal::Decided(id, outcome) => self.decided(id, outcome),
            Signal::Notifier(event) => self.notifier(event, now),
            Signal::Panel(PanelEvent::Tone(tone)) => self.panel = tone,
            Signal::Panel(PanelEvent::TrayHost(is_there)) => self.tray_host(is_there),
            Signal::NoTray => self.tray_host(false),
            Signal::Menu(choice) => self.menu(choice),
            Signal::PromptFocus(has_focus) => {
                if let Some(prompt) = &mut self.prompt {
                    prompt.has_focus = has_focus;
                }
            }
            Signal::WindowClosed(WindowName::Prompt) => self.prompt = None,
            Signal::WindowClosed(WindowName::Settings) => {}
            // Any program can start this one, so that this is no sign of a person who looks here.
            Signal::StartedAgain => self.open_prompt(Attention::ByItself),
            Signal::OpenSettings => self.desktop.open_settings(),
            Signal::Settings(settings) => self.change_settings(*settings),
            Signal::Awake => {}
            Signal::Terminate => self.desktop.quit(),
        }
        self.settle(now);
    }

    /// Makes the desktop look as it should.
    fn settle(&mut self, now: Instant) {
        let pending = self.state.ids();
        self.deciding.retain(|id| pending.contains(&id.0));
        self.answering.retain(|id| pending.contains(&id.0));
        self.prompted.retain(|id| pending.contains(id));
        if self.draw_tray() | self.notify() {
            self.armed_from = Some(now + ARMING);
        }
        if self.needs_prompt() && !pending.is_subset(&self.prompted) {
            self.open_prompt(Attention::ByItself);
        }
        self.say_farewell(now);
        if self.prompt.is_some() {
            self.prompted = pending;
            self.publish();
        }
    }

    /// A window that is told the same twice would make its buttons wait anew.
    fn publish(&mut self) {
        let state = DesktopState {
            mode: self.state.mode,
            appearance: self.settings.appearance,
            pending: self.state.pending.clone(),
            questions: self.state.questions.clone(),
            missed: self.state.missed.clone(),
        };
        if self.published.as_ref() != Some(&state) {
            self.desktop.publish(&state);
            self.published = Some(state);
        }
    }

    /// Takes the prompt window away that came up by itself, a while after it has done its work.
    fn say_farewell(&mut self, now: Instant) {
        let is_idle = self.state.waiting() == 0 && self.state.missed.is_empty();
        let Some(prompt) = self.prompt.as_mut().filter(|prompt| prompt.goes_by_itself) else { return };
        match prompt.idle_since {
            _ if !is_idle => prompt.idle_since = None,
            None => {
                prompt.idle_since = Some(now);
                self.desktop.wake_in(FAREWELL);
            }
            Some(since) if now.duration_since(since) >= FAREWELL => {
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
        let wanted = if can { plan(&self.state.pending, &self.state.questions) } else { Vec::new() };
        let steps = self.shown.reconcile(wanted, self.prompt.is_some_and(|prompt| prompt.has_focus));
        let differs = !steps.is_empty();
        for step in steps {
            match step {
                Step::Show(plan) => self.desktop.show_notification(plan),
                Step::Close(key) => self.desktop.close_notification(key),
            }
        }
        differs
    }

    /// Whether a notification cannot do it, or the person wants the window anyway. As long as it is
    /// not known what the notification server can do, neither comes up.
    fn needs_prompt(&self) -> bool {
        self.settings.prompt_window == PromptWindow::Always
            || !self.settings.notifications
            || self.answers == Some(false)
    }

    fn open_prompt(&mut self, attention: Attention) {
        let waiting = self.state.waiting();
        self.desktop.open_prompt(PromptPlan { attention, waiting });
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
            NotifierEvent::Server { answers } => {
                self.answers = Some(answers);
                self.shown.forget();
            }
            NotifierEvent::Action { key, name } => self.act(key, &name, now),
            NotifierEvent::Closed(key) => self.shown.closed(key),
            NotifierEvent::Failed(
                NotificationKey::Answer(_) | NotificationKey::QuestionAnswer(_) | NotificationKey::NotRunning,
            ) => {}
            NotifierEvent::Failed(key) => {
                self.shown.closed(key);
                self.open_prompt(Attention::ByItself);
            }
        }
    }

    /// A person pressed a button of a notification.
    fn act(&mut self, key: NotificationKey, name: &str, now: Instant) {
        let Some((plan, action)) = self.shown.action(key, name) else { return };
        let decision = action.decision(plan.arguments_hash.clone());
        let answer = plan.answer(action);
        let approves =
            answer.is_some() || decision.as_ref().is_some_and(|decision| decision.decision == Decision::Approve);
        if approves && self.armed_from.is_some_and(|armed_from| now < armed_from) {
            // Most servers take a notification away with the click: show it once more.
            self.shown.forget_one(key);
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
            _ => self.open_prompt(Attention::Asked),
        }
    }

    fn menu(&mut self, choice: Choice) {
        match choice {
            Choice::Approve(id) => self.decide_in_tray(id, NotificationAction::Approve),
            Choice::Deny(id) => self.decide_in_tray(id, NotificationAction::Deny),
            Choice::Open(_) | Choice::OpenInbox => self.open_prompt(Attention::Asked),
            Choice::SetMode(mode) => self.gate.set_mode(mode),
            Choice::OpenSettings => self.desktop.open_settings(),
            Choice::Quit => self.desktop.quit(),
        }
    }

    fn decide_in_tray(&mut self, id: RequestId, action: NotificationAction) {
        let approval = self.state.pending.iter().find(|approval| approval.id == id);
        // The menu may have been open for long: what it offered then must still be allowed now.
        if action == NotificationAction::Approve && approval.is_some_and(|approval| !approvable(approval)) {
            return;
        }
        let hash = approval.map(|approval| approval.arguments_hash.clone());
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
            self.open_prompt(Attention::ByItself);
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
