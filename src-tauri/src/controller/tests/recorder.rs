//! A desktop and a gate that only note what they are told, and a page that does what it has to.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use handraise_protocol::{
    AnswerRequest, Appearance, ApprovalResult, DecisionRequest, Locale, PromptStage, QuestionResult, Scope,
    ShortcutState,
};
use jiff::Timestamp;
use jiff::tz::Offset;
use tokio::sync::mpsc::unbounded_channel;

use super::super::prompt::PROMPT_CLOSE_DELAY;
use super::super::*;
use super::action;
use crate::tray::menu::Menu;
use crate::window::size::Size;
use crate::window::spec::{Layout, PromptSpec};

/// What the page needs.
pub(super) const LAYOUT: Layout = Layout { size: Size { width: 640.0, height: 500.0 }, background: [255, 255, 255] };

/// What was done to the desktop and asked of the gate.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Call {
    Notify(NotificationKey),
    Close(NotificationKey),
    Tray(TrayIcon),
    Prompt(Attention, usize),
    /// The window has no more to do: it waits unseen.
    ClosePrompt,
    /// It ends.
    ReleasePrompt,
    Wake(Duration),
    Settings,
    Publish(usize),
    End,
    Appearance(Appearance),
    Language(Option<Locale>),
    StartAtLogin(bool),
    Shortcut(Option<String>),
    ShortcutState(ShortcutState),
    TrayHost(bool),
    Notifications(bool),
    Quit,
    Decide(RequestId, Decision, Scope, DecidingSurface),
    Answer(QuestionId, Vec<String>, DecidingSurface),
    Mode(Mode, Option<u32>),
    PutBack(RequestId),
    InActivity(RequestId),
}

#[derive(Clone, Default)]
pub(super) struct Recorder {
    pub(super) calls: Rc<RefCell<Vec<Call>>>,
    pub(super) states: Rc<RefCell<Vec<DesktopState>>>,
    /// A program made the last press.
    pub(super) is_made: Rc<Cell<bool>>,
    pub(super) contents: Rc<RefCell<Vec<NotificationContent>>>,
    /// Of each decision, what the agent is told.
    pub(super) reasons: Rc<RefCell<Vec<Option<String>>>>,
    pub(super) menu: Rc<RefCell<Option<Menu>>>,
    pub(super) tokens: Rc<RefCell<Vec<String>>>,
    /// How the window went, from the beginning.
    pub(super) steps: Rc<RefCell<Vec<WindowStep>>>,
    /// What its page has not answered yet.
    unanswered: Rc<RefCell<VecDeque<WindowStep>>>,
    /// Its page is broken, and says nothing.
    pub(super) is_silent: Rc<Cell<bool>>,
    /// No window can wait unseen.
    pub(super) shows_all: Rc<Cell<bool>>,
}

/// What happens to the prompt window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WindowStep {
    Built,
    LaidOut,
    Shown { drawn: bool },
    Uncovered,
    PutAway,
    Released,
}

impl Recorder {
    fn record(&self, call: Call) {
        self.calls.borrow_mut().push(call);
    }

    fn step(&self, step: WindowStep) {
        self.steps.borrow_mut().push(step);
        self.unanswered.borrow_mut().push_back(step);
    }

    /// What was done since the last time, but for the looks that are planned for a reminder and what the
    /// settings window is told about notifications.
    pub(super) fn take(&self) -> Vec<Call> {
        let calls = std::mem::take(&mut *self.calls.borrow_mut()).into_iter();
        calls
            .filter(|call| {
                !matches!(call, Call::Wake(time) if *time != PROMPT_CLOSE_DELAY)
                    && !matches!(call, Call::Notifications(_))
            })
            .collect()
    }
}

impl Desktop for Recorder {
    fn show_notification(&mut self, content: NotificationContent) {
        self.record(Call::Notify(content.key));
        self.contents.borrow_mut().push(content);
    }
    fn close_notification(&mut self, key: NotificationKey) {
        self.record(Call::Close(key));
    }
    fn draw_tray(&mut self, tray: &TrayDrawing) {
        self.record(Call::Tray(tray.icon));
        *self.menu.borrow_mut() = Some(tray.menu.clone());
    }
    fn build_prompt(&mut self, _spec: PromptSpec) {
        self.step(WindowStep::Built);
    }
    fn lay_out_prompt(&mut self, _spec: PromptSpec) {
        self.step(WindowStep::LaidOut);
    }
    fn show_prompt(&mut self, spec: PromptSpec, layout: Option<Layout>) {
        self.record(Call::Prompt(spec.attention, spec.waiting));
        self.tokens.borrow_mut().extend(spec.token);
        self.step(WindowStep::Shown { drawn: layout.is_some() });
    }
    fn uncover_prompt(&mut self) {
        self.step(WindowStep::Uncovered);
    }
    fn raise_prompt(&mut self, spec: PromptSpec) {
        self.record(Call::Prompt(spec.attention, spec.waiting));
        self.tokens.borrow_mut().extend(spec.token);
    }
    fn put_prompt_away(&mut self) {
        self.record(Call::ClosePrompt);
        self.step(WindowStep::PutAway);
    }
    fn release_prompt(&mut self) {
        self.record(Call::ReleasePrompt);
        self.step(WindowStep::Released);
    }
    fn can_wait_unseen(&self) -> bool {
        !self.shows_all.get()
    }
    fn wake_in(&mut self, time: Duration) {
        self.record(Call::Wake(time));
    }
    fn open_settings(&mut self) {
        self.record(Call::Settings);
    }
    fn show_call(&mut self, id: RequestId) {
        self.record(Call::InActivity(id));
    }
    fn publish(&mut self, state: &DesktopState) {
        self.states.borrow_mut().push(state.clone());
        // What the page is told while it draws is in `states`.
        if state.stage == PromptStage::OnScreen {
            self.record(Call::Publish(state.pending.len()));
        }
    }
    fn publish_end(&mut self, _result: &ApprovalResult) {
        self.record(Call::End);
    }
    fn publish_question_end(&mut self, _result: &QuestionResult) {
        self.record(Call::End);
    }
    fn set_appearance(&mut self, appearance: Appearance) {
        self.record(Call::Appearance(appearance));
    }
    fn set_language(&mut self, language: Option<Locale>) {
        // The application speaks it; the other tests are in English.
        self.record(Call::Language(language));
    }
    fn set_shortcut(&mut self, keys: Option<&str>) {
        self.record(Call::Shortcut(keys.map(str::to_owned)));
    }
    fn tell_shortcut(&mut self, state: ShortcutState) {
        self.record(Call::ShortcutState(state));
    }
    fn set_start_at_login(&mut self, start: bool) {
        self.record(Call::StartAtLogin(start));
    }
    fn tell_tray_host(&mut self, is_there: bool) {
        self.record(Call::TrayHost(is_there));
    }
    fn tell_notifications(&mut self, work: bool) {
        self.record(Call::Notifications(work));
    }
    fn is_pressed_by_person(&self) -> bool {
        !self.is_made.get()
    }
    fn may_give_keyboard(&self) -> bool {
        true
    }
    fn quit(&mut self) {
        self.record(Call::Quit);
    }
}

impl Gatekeeper for Recorder {
    fn decide(&mut self, id: RequestId, decision: DecisionRequest, surface: DecidingSurface) {
        assert!(decision.arguments_hash.is_some(), "a decision is bound to what was shown");
        self.record(Call::Decide(id, decision.decision, decision.scope, surface));
        self.reasons.borrow_mut().push(decision.reason);
    }
    fn answer(&mut self, id: QuestionId, answer: AnswerRequest, surface: DecidingSurface) {
        self.record(Call::Answer(id, answer.selected, surface));
    }
    fn put_back(&mut self, id: RequestId) {
        self.record(Call::PutBack(id));
    }
    fn set_mode(&mut self, request: ModeRequest) {
        self.record(Call::Mode(request.mode, request.seconds));
    }
}

pub(super) struct Case {
    pub(super) controller: Controller<Recorder, Recorder>,
    pub(super) recorder: Recorder,
    pub(super) now: Instant,
    pub(super) wall: Timestamp,
}

impl Case {
    pub(super) fn with(settings: Settings) -> Self {
        let recorder = Recorder::default();
        let now = Instant::now();
        let wall = Timestamp::UNIX_EPOCH;
        let moment = Moment { instant: now, wall, offset: Offset::UTC };
        let controller = Controller::new(recorder.clone(), recorder.clone(), settings, moment);
        recorder.take();
        Self { controller, recorder, now, wall }
    }

    /// With a notification server that has buttons, and a tray.
    pub(super) fn new() -> Self {
        let mut case = Self::with(Settings::default());
        case.does(Signal::Notifier(NotifierEvent::Server { answers: true, buttons: Buttons::Decide }));
        case.does(Signal::Panel(PanelEvent::TrayHost(true)));
        case
    }

    /// What `signal` leads to, a minute after the one before.
    pub(super) fn does(&mut self, signal: Signal) -> Vec<Call> {
        self.does_after(Duration::from_secs(60), signal)
    }

    pub(super) fn does_after(&mut self, time: Duration, signal: Signal) -> Vec<Call> {
        self.now += time;
        self.handle(signal);
        self.let_page_answer();
        self.recorder.take()
    }

    pub(super) fn handle(&mut self, signal: Signal) {
        self.controller.handle(signal, Moment { instant: self.now, wall: self.wall, offset: Offset::UTC });
    }

    /// The page says at once what it has to, unless it is broken.
    fn let_page_answer(&mut self) {
        let next = |case: &Self| case.recorder.unanswered.borrow_mut().pop_front();
        while let Some(step) = next(self) {
            let is_silent = self.recorder.is_silent.get();
            match step {
                WindowStep::Released => self.handle(Signal::WindowClosed(WindowName::Prompt)),
                WindowStep::Built | WindowStep::PutAway if !is_silent => {
                    let (answer, mut answered) = unbounded_channel();
                    self.handle(Signal::PromptAsks(answer));
                    let state = answered.try_recv().unwrap();
                    self.recorder.states.borrow_mut().push(state);
                    self.let_page_draw();
                }
                WindowStep::LaidOut if !is_silent => self.let_page_draw(),
                WindowStep::Shown { .. } if !is_silent => {
                    let opening = self.controller.built.opening;
                    self.handle(Signal::PromptPainted(opening));
                }
                _ => {}
            }
        }
    }

    fn let_page_draw(&mut self) {
        let last = self.recorder.states.borrow().last().cloned().unwrap();
        if last.stage == PromptStage::ComingUp {
            self.handle(Signal::PromptDrawn(last.opening, LAYOUT));
        }
    }

    pub(super) fn pending(&mut self, pending: Vec<Approval>) -> Vec<Call> {
        let mode = self.controller.state.mode;
        let pending = pending.into_iter().map(Arc::new).collect();
        self.does(Signal::Gate(Box::new(Snapshot { mode, pending, ..Snapshot::default() })))
    }

    pub(super) fn click(&mut self, number: u128, name: &str) -> Vec<Call> {
        self.does(action(number, name))
    }
}
