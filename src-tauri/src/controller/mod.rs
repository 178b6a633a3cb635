//! What the desktop shows, decided in one place: signals in, calls of [`Desktop`] and [`Gatekeeper`]
//! out. It looks at the whole state every time and changes what differs, so that a signal that was
//! missed, doubled or late does no lasting harm.

mod away;
mod lately;
mod prompt;
pub(crate) mod signal;

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use handraise_protocol::{
    Approval, Decision, DesktopState, Mode, ModeRequest, Problem, ProblemCode, PromptWindow, QuestionId,
    QuestionStatus, RequestId, Settings, Status, Wanted,
};
use uuid::Uuid;

use crate::compact_view::approvable;
use crate::desktop::{DecidingSurface, Desktop, Gatekeeper};
use crate::lately::Lately;
use crate::locale;
use crate::notification::content::{
    Buttons, NotificationAction, NotificationContent, NotificationContext, NotificationKey,
};
use crate::notification::shown::{ShownNotifications, Step};
use crate::notification::wanted::{answer_refused, returned, wanted};
use crate::os::{self, NotifierEvent, PanelEvent, PanelTone, ShortcutEvent};
use crate::presence::{Absence, Disturbance, Presence};
use crate::strings::Text;
use crate::tray::drawing::TrayDrawing;
use crate::tray::icon::TrayIcon;
use crate::tray::menu::{Choice, TrayState, menu};
use crate::window::spec::{Attention, WindowName};
use prompt::{BuiltPrompt, OpenPrompt};
pub(crate) use signal::{Moment, Signal, Snapshot};

/// An approving click this soon after something appeared, moved or went away on the screen was meant
/// for what was there before.
const ARMING: Duration = Duration::from_millis(500);

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
    /// What the desktop says about the person.
    presence: Presence,
    /// What may come up by itself.
    disturbance: Disturbance,
    /// What happened while nothing could come up by itself.
    absence: Absence,
    /// The window that comes up where there is no tray has not come up yet.
    owes_window: bool,
    /// The settings window is open.
    shows_settings: bool,
    shown: ShownNotifications,
    /// Answered on a notification or in the tray, and the gate has not said anything yet.
    deciding: HashSet<RequestId>,
    /// Questions that were answered on a notification, and the gate has not said anything yet.
    answering: HashSet<QuestionId>,
    panel: PanelTone,
    /// `None`: not known yet.
    tray_host: Option<bool>,
    /// What was drawn last, without what happened lately.
    drawn: Option<TrayDrawing>,
    /// What happened lately.
    lately: Lately,
    /// What of it was drawn last.
    drawn_lately: Lately,
    /// What the open prompt window was told last.
    published: Option<DesktopState>,
    /// Counts what it was told.
    revision: u32,
    /// The prompt window that comes up or is on the screen.
    prompt: Option<OpenPrompt>,
    /// The window itself, seen or unseen.
    built: BuiltPrompt,
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
    asked_for: Option<Wanted>,
    /// What lets the window take the keyboard, while a click on a notification is taken in.
    token: Option<String>,
    /// How often the person asked.
    asked: u32,
    /// Missed requests that the person put away.
    put_away: HashSet<RequestId>,
    /// When the signal came that is taken in.
    now: Instant,
}

impl<D: Desktop, G: Gatekeeper> Controller<D, G> {
    /// A controller that has shown nothing yet.
    pub(crate) fn new(desktop: D, gate: G, settings: Settings, now: Moment) -> Self {
        let mut controller = Self {
            desktop,
            gate,
            state: Snapshot::default(),
            settings,
            answers: None,
            buttons: Buttons::default(),
            presence: Presence::default(),
            disturbance: Disturbance::Everything,
            absence: Absence::default(),
            owes_window: false,
            shows_settings: false,
            shown: ShownNotifications::default(),
            deciding: HashSet::new(),
            answering: HashSet::new(),
            panel: PanelTone::Dark,
            tray_host: None,
            drawn: None,
            lately: Lately::default(),
            drawn_lately: Lately::default(),
            published: None,
            revision: 0,
            prompt: None,
            built: BuiltPrompt::default(),
            prompted: HashSet::new(),
            armed_from: None,
            early: HashSet::new(),
            again: None,
            reminded: HashSet::new(),
            looks_at: None,
            asked_for: None,
            token: None,
            asked: 0,
            put_away: HashSet::new(),
            now: now.instant,
        };
        controller.desktop.set_appearance(controller.settings.appearance);
        controller.desktop.set_shortcut(controller.settings.shortcut.as_deref());
        controller.settle(now);
        controller
    }

    /// Takes in what happened at the time `now`.
    pub(crate) fn handle(&mut self, signal: Signal, now: Moment) {
        self.now = now.instant;
        match signal {
            Signal::Gate(state) => self.state = *state,
            Signal::Ended(result) => {
                if result.status == Status::Timeout {
                    self.missed_by_person(result.id.0);
                }
                self.desktop.publish_end(&result);
            }
            Signal::QuestionEnded(result) => {
                if result.status == QuestionStatus::Timeout {
                    self.missed_by_person(result.id.0);
                }
                self.desktop.publish_question_end(&result);
            }
            Signal::Answered(id, outcome) => self.answered(id, outcome),
            Signal::Decided(id, outcome) => self.decided(id, outcome),
            Signal::Notifier(event) => self.notifier(event, now.instant),
            Signal::Panel(PanelEvent::Tone(tone)) => self.panel = tone,
            Signal::Panel(PanelEvent::TrayHost(is_there)) => self.tray_host(is_there),
            Signal::Presence(event) => self.presence.take(event),
            Signal::Shortcut(ShortcutEvent::State(state)) => self.desktop.tell_shortcut(state),
            // It decides nothing: the keyboard is in the window then, and what is read there is answered there.
            Signal::Shortcut(ShortcutEvent::Pressed(token)) => {
                self.token = token;
                self.open_prompt(Attention::Asked, None);
                self.token = None;
            }
            Signal::NoTray => self.tray_host(false),
            Signal::Lately(lately) => self.lately = *lately,
            Signal::PutBack(id, outcome) => self.undone(id, outcome),
            Signal::Menu(choice) => self.menu(choice, now),
            Signal::PromptFocus(has_focus) => {
                if let Some(prompt) = &mut self.prompt {
                    prompt.has_focus = has_focus;
                    if has_focus {
                        // What was missed stands in it.
                        self.absence.missed.clear();
                    }
                }
            }
            Signal::PromptAsks(answer) => {
                self.prompt_loaded();
                let state = self.changed_state().unwrap_or_else(|| self.desktop_state());
                // The page may be gone again.
                let _ = answer.send(state.clone());
                self.published = Some(state);
            }
            Signal::PromptDrawn(opening, layout) => self.prompt_drawn(opening, layout),
            Signal::PromptPainted(opening) => self.prompt_painted(opening),
            Signal::PutPromptAway => self.put_prompt_away(),
            Signal::AgentCalled => self.built.agent_called(),
            Signal::AnsweredInPrompt if self.buttons == Buttons::Changed => self.buttons = Buttons::Decide,
            Signal::AnsweredInPrompt => {}
            Signal::PutAway(id) => drop(self.put_away.insert(id)),
            Signal::WindowClosed(WindowName::Prompt) => self.prompt_closed(),
            Signal::WindowClosed(WindowName::Settings) => self.shows_settings = false,
            // Any program can start this one, so that this is no sign of a person who looks here.
            Signal::StartedAgain => self.open_prompt(Attention::StartedAgain, None),
            Signal::OpenSettings => self.open_settings(),
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
        self.absence.waiting.retain(|id| pending.contains(id));
        self.look_at_presence(now);
        let (moment, now) = (now, now.instant);
        self.deciding.retain(|id| pending.contains(&id.0));
        self.answering.retain(|id| pending.contains(&id.0));
        self.prompted.retain(|id| pending.contains(id));
        if self.draw_tray(moment) | self.notify() {
            self.armed_from = Some(now + ARMING);
        }
        let may_come_up = self.disturbance == Disturbance::Everything;
        if may_come_up && std::mem::take(&mut self.owes_window) {
            self.open_prompt(Attention::ByItself, None);
        }
        if may_come_up && self.needs_prompt() && !pending.is_subset(&self.prompted) {
            self.open_prompt(Attention::ByItself, None);
        }
        self.close_idle_prompt(now);
        self.look_at_prompt();
        self.keep_prompt_ready();
        if self.prompt.is_some() {
            self.prompted = pending;
            self.publish();
        }
    }

    /// A window that is told the same twice would make its buttons wait anew.
    fn publish(&mut self) {
        if let Some(state) = self.changed_state() {
            self.desktop.publish(&state);
            self.published = Some(state);
        }
    }

    /// What the page is to be told, if that is not what it was told last.
    fn changed_state(&mut self) -> Option<DesktopState> {
        let state = self.desktop_state();
        if self.published.as_ref() == Some(&state) {
            return None;
        }
        self.revision = self.revision.wrapping_add(1);
        Some(DesktopState { revision: self.revision, ..state })
    }

    fn desktop_state(&self) -> DesktopState {
        let Some(prompt) = &self.prompt else { return self.unseen_state() };
        DesktopState {
            mode: self.state.mode,
            mode_until: self.state.mode_until,
            appearance: self.settings.appearance,
            locale: locale::in_force(self.settings.language),
            accent: os::accent(),
            pending: self.state.pending.clone(),
            questions: self.state.questions.clone(),
            missed: self.missed().cloned().collect(),
            wanted: self.asked_for.clone(),
            notifications_changed: self.buttons == Buttons::Changed,
            keyboard_unasked: prompt.goes_by_itself && self.desktop.may_give_keyboard(),
            came_by_itself: prompt.goes_by_itself,
            stage: prompt.stage(),
            opening: self.built.opening,
            revision: self.revision,
        }
    }

    fn missed(&self) -> impl Iterator<Item = &Arc<Approval>> {
        self.state.missed.iter().filter(|missed| !self.put_away.contains(&missed.id))
    }

    /// Whether anything was drawn but what happened lately: that moves nothing that can be answered.
    fn draw_tray(&mut self, now: Moment) -> bool {
        let waiting = self.state.waiting();
        let count = waiting.to_string();
        let tooltip = match (waiting, self.state.mode) {
            (0, Mode::Normal) => Text::TrayTooltipIdle.get(),
            (0, Mode::AskEverything) => Text::TrayTooltipAskEverything.get(),
            (_, Mode::DenyEverything) => Text::TrayTooltipDenyEverything.get(),
            _ => Text::TrayTooltipWaiting.with(&[("count", &count)]),
        };
        let missed = self.missed().count();
        let tooltip = match missed {
            0 => tooltip,
            _ => Text::TrayTooltipMissed.with(&[("state", &tooltip), ("count", &missed.to_string())]),
        };
        let until = self.state.mode_until.map(|end| now.offset.to_datetime(end).strftime("%H:%M").to_string());
        let tray = TrayState::new(self.state.mode, &self.state.pending, &self.state.questions);
        let tray = TrayState { until, missed, ..tray };
        let drawing =
            TrayDrawing { icon: TrayIcon::of(self.state.mode, waiting), panel: self.panel, tooltip, menu: menu(&tray) };
        let differs = self.drawn.as_ref() != Some(&drawing);
        if differs || self.drawn_lately != self.lately {
            let tray = TrayState { lately: self.lately.clone(), ..tray };
            self.desktop.draw_tray(&TrayDrawing { menu: menu(&tray), ..drawing.clone() });
            self.drawn = Some(drawing);
            self.drawn_lately = self.lately.clone();
        }
        differs
    }

    /// Whether any notification was shown or closed.
    fn notify(&mut self) -> bool {
        let can = self.settings.notifications && self.answers == Some(true);
        let wanted = if can && self.disturbance != Disturbance::Nothing { self.wanted() } else { Vec::new() };
        let is_only = wanted.len() == 1;
        let has_focus = self.prompt.as_ref().is_some_and(|prompt| prompt.has_focus);
        let mut steps = self.shown.reconcile(wanted, has_focus);
        if has_focus {
            let looked_at = self.asked_for.as_ref().and_then(|asked| Uuid::parse_str(&asked.id).ok());
            steps.extend(looked_at.and_then(|id| self.shown.hide(id)).map(Step::Close));
        }
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

    /// The notifications that there should be.
    fn wanted(&self) -> Vec<NotificationContent> {
        let about =
            NotificationContext { buttons: self.buttons, hurried: self.reminded.clone(), sound: self.settings.sound };
        let covered = &self.absence.waiting;
        let pending: Vec<_> = self.state.pending.iter().filter(|one| !covered.contains(&one.id.0)).cloned().collect();
        let questions: Vec<_> =
            self.state.questions.iter().filter(|one| !covered.contains(&one.id.0)).cloned().collect();
        let mut contents = wanted(&pending, &questions, &about);
        if self.disturbance == Disturbance::Everything {
            contents.extend(returned(&self.absence, &about));
        }
        contents
    }

    /// Whether a notification cannot do it, or the person wants the window anyway. As long as it is
    /// not known what the notification server can do, neither comes up.
    fn needs_prompt(&self) -> bool {
        self.settings.prompt_window == PromptWindow::Always
            || !self.settings.notifications
            || self.answers == Some(false)
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
            NotifierEvent::Inhibited(inhibited) => self.presence.inhibit(inhibited),
            NotifierEvent::Action { key, name, token } => {
                self.token = token;
                self.act(key, &name, None, now);
                self.token = None;
            }
            NotifierEvent::Reason { key, text } => {
                let reason = (!text.trim().is_empty()).then_some(text);
                self.act(key, NotificationAction::DenyWithReason.name(), reason, now);
            }
            NotifierEvent::Closed(key) if self.early.remove(&key) => {
                self.shown.forget_one(key);
                self.again = Some(key);
            }
            NotifierEvent::Closed(key) => {
                self.shown.closed(key);
                if key == NotificationKey::Returned {
                    self.absence.missed.clear();
                }
            }
            NotifierEvent::Failed(
                NotificationKey::Answer(_) | NotificationKey::QuestionAnswer(_) | NotificationKey::NotRunning,
            ) => {}
            NotifierEvent::Failed(key) => {
                self.shown.closed(key);
                if self.disturbance == Disturbance::Everything {
                    self.open_prompt(Attention::ByItself, key.about());
                }
            }
        }
    }

    /// A person pressed a button of a notification, or sent a reason.
    fn act(&mut self, key: NotificationKey, name: &str, reason: Option<String>, now: Instant) {
        let Some((content, action)) = self.shown.action(key, name) else { return };
        let decision = action.decision(content.arguments_hash.clone(), reason);
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

    fn menu(&mut self, choice: Choice, now: Moment) {
        match choice {
            Choice::Approve(id) => self.decide_in_tray(id, NotificationAction::Approve),
            Choice::Deny(id) => self.decide_in_tray(id, NotificationAction::Deny),
            Choice::Open(id) => self.open_prompt(Attention::Asked, Some(id)),
            Choice::OpenInbox => self.open_prompt(Attention::Asked, None),
            Choice::Undo(id) => self.undo(id),
            Choice::ShowCall(id) => self.show_call(id),
            // To resume lets more pass.
            Choice::SetMode(Mode::Normal) if !self.counts_as_person() => self.open_prompt(Attention::ByItself, None),
            // So does the end of a pause.
            Choice::PauseFor(..) if !self.counts_as_person() => self.open_prompt(Attention::ByItself, None),
            Choice::SetMode(mode) => self.gate.set_mode(ModeRequest { mode, seconds: None }),
            Choice::PauseFor(mode, time) => {
                self.gate.set_mode(ModeRequest { mode, seconds: Some(time.seconds(now.wall, now.offset)) });
            }
            Choice::OpenSettings => self.open_settings(),
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
        if let Some(decision) = action.decision(hash, None)
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
            // The first steps are a way in by themselves, and nothing may cover them.
            self.owes_window = !self.shows_settings;
        }
        self.tray_host = Some(is_there);
        self.desktop.tell_tray_host(is_there);
    }

    fn open_settings(&mut self) {
        self.shows_settings = true;
        self.desktop.open_settings();
    }

    fn change_settings(&mut self, settings: Settings) {
        if settings.appearance != self.settings.appearance {
            self.desktop.set_appearance(settings.appearance);
        }
        if settings.language != self.settings.language {
            self.desktop.set_language(settings.language);
        }
        if settings.shortcut != self.settings.shortcut {
            self.desktop.set_shortcut(settings.shortcut.as_deref());
        }
        if settings.start_at_login != self.settings.start_at_login {
            self.desktop.set_start_at_login(settings.start_at_login);
        }
        self.settings = settings;
    }
}

#[cfg(test)]
mod tests;
