//! The prompt window on its way to the screen and away from it.
//!
//! It is built unseen. Its page draws what is to be shown and says so; then the window comes up, covered; then the page says
//! that it has painted, and is uncovered. Each step has a time limit, so that a broken page hides no request. Afterwards the
//! window waits unseen for the next time, and goes when nothing has waited for a while.

use std::time::{Duration, Instant};

use handraise_protocol::{DesktopState, KeepPromptReady, PromptStage, Wanted};
use uuid::Uuid;

use super::Controller;
use crate::desktop::{Desktop, Gatekeeper};
use crate::presence::Disturbance;
use crate::window::spec::{Attention, Layout, PromptSpec};
use crate::{locale, os};

/// How long the prompt window still shows how the last request ended before it goes away.
pub(super) const PROMPT_CLOSE_DELAY: Duration = Duration::from_millis(2_500);
/// How long a page that was ready may take to draw what is to be shown. One that takes longer is broken, and the window is
/// built anew.
pub(super) const DRAWN_WITHIN: Duration = Duration::from_secs(1);
/// The same for a page that has to be loaded first. After that the window comes up as it is.
pub(super) const LOADED_WITHIN: Duration = Duration::from_secs(4);
/// How long a window on the screen stays covered at most.
pub(super) const PAINTED_WITHIN: Duration = Duration::from_millis(500);
/// How long after something waited last the window is kept ready.
const QUIET: Duration = Duration::from_secs(600);

/// The prompt window that comes up or is on the screen.
#[derive(Clone, Debug)]
pub(super) struct OpenPrompt {
    /// It came up for a request and by itself, and goes in the same way.
    pub(super) goes_by_itself: bool,
    /// A person works in it.
    pub(super) has_focus: bool,
    /// Since when it has had nothing to show.
    idle_since: Option<Instant>,
    step: Step,
    /// When the step is over, whatever the page says.
    until: Instant,
    /// Its page was loaded before it was needed.
    was_ready: bool,
    spec: PromptSpec,
}

/// How far it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// Its page draws.
    Drawing,
    /// It is on the screen, and its page paints.
    Covered,
    /// The person sees it.
    OnScreen,
}

impl OpenPrompt {
    /// What its page is told about it.
    pub(super) fn stage(&self) -> PromptStage {
        match self.step {
            Step::Drawing | Step::Covered => PromptStage::ComingUp,
            Step::OnScreen => PromptStage::OnScreen,
        }
    }
}

/// The window itself, seen or unseen.
#[derive(Clone, Copy, Debug)]
pub(super) struct BuiltPrompt {
    state: Built,
    /// Counts the times that it has come up.
    pub(super) opening: u32,
    /// When something waited last, or an agent called for whose requests the window comes up.
    needed_at: Option<Instant>,
    agent_called: bool,
    /// How long after that it is kept ready.
    quiet: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Built {
    /// There is none.
    No,
    /// Its page is being loaded.
    Loading,
    /// Its page has asked what to show.
    Loaded,
    /// It is about to end. `anew`: it is needed, and built once more.
    Ending { anew: bool },
}

impl Default for BuiltPrompt {
    fn default() -> Self {
        Self { state: Built::No, opening: 0, needed_at: None, agent_called: false, quiet: QUIET }
    }
}

impl BuiltPrompt {
    /// An agent has called.
    pub(super) fn agent_called(&mut self) {
        self.agent_called = true;
    }

    /// Whether it waits unseen or comes up.
    fn is_there(self) -> bool {
        matches!(self.state, Built::Loading | Built::Loaded)
    }
}

impl<D: Desktop, G: Gatekeeper> Controller<D, G> {
    /// Another time than usual after which the window is no longer kept ready. For tests.
    #[must_use]
    pub(crate) fn releasing_prompt_after(mut self, quiet: Option<Duration>) -> Self {
        self.built.quiet = quiet.unwrap_or(QUIET);
        self
    }

    /// Has the prompt window come up, with the request or question `wanted` in it.
    pub(super) fn open_prompt(&mut self, attention: Attention, wanted: Option<Uuid>) {
        if let Some(id) = wanted {
            self.asked = self.asked.wrapping_add(1);
            self.asked_for = Some(Wanted { id: id.to_string(), number: self.asked });
        }
        let waiting = self.state.waiting();
        let token = self.token.take().filter(|_| attention == Attention::Asked);
        let spec = PromptSpec { attention, waiting, showing: self.state.showing(), token };
        let Some(prompt) = &mut self.prompt else { return self.bring_prompt_up(spec) };
        // It stays once a person has asked for it.
        prompt.goes_by_itself &= attention != Attention::Asked;
        match prompt.step {
            Step::Covered | Step::OnScreen => self.desktop.raise_prompt(spec),
            Step::Drawing if attention == Attention::Asked => prompt.spec = spec,
            Step::Drawing => {}
        }
    }

    fn bring_prompt_up(&mut self, spec: PromptSpec) {
        let was_ready = self.built.state == Built::Loaded;
        let within = if was_ready { DRAWN_WITHIN } else { LOADED_WITHIN };
        self.prompt = Some(OpenPrompt {
            goes_by_itself: spec.attention != Attention::Asked && spec.waiting > 0,
            has_focus: false,
            idle_since: None,
            step: Step::Drawing,
            until: self.now + within,
            was_ready,
            spec: spec.clone(),
        });
        self.published = None;
        self.built.opening = self.built.opening.wrapping_add(1);
        match self.built.state {
            Built::No => self.build_prompt(spec),
            Built::Loading | Built::Loaded => self.desktop.lay_out_prompt(spec),
            Built::Ending { .. } => self.built.state = Built::Ending { anew: true },
        }
        self.desktop.wake_in(within);
    }

    fn build_prompt(&mut self, spec: PromptSpec) {
        self.built.state = Built::Loading;
        self.desktop.build_prompt(spec);
    }

    /// What the page of a window that nobody sees is told.
    pub(super) fn unseen_state(&self) -> DesktopState {
        DesktopState {
            mode: self.state.mode,
            mode_until: self.state.mode_until,
            appearance: self.settings.appearance,
            locale: locale::in_force(self.settings.language),
            accent: os::accent(),
            pending: Vec::new(),
            questions: Vec::new(),
            missed: Vec::new(),
            wanted: None,
            notifications_changed: false,
            keyboard_unasked: false,
            came_by_itself: false,
            stage: PromptStage::Hidden,
            opening: self.built.opening,
            revision: self.revision,
        }
    }

    /// The page asks what to show.
    pub(super) fn prompt_loaded(&mut self) {
        match self.built.state {
            Built::Loading => {
                self.built.state = Built::Loaded;
                self.show_again();
            }
            // It was not there yet when it was to end.
            Built::Ending { .. } => self.desktop.release_prompt(),
            Built::No | Built::Loaded => {}
        }
    }

    /// Puts it on the screen if that was done before it was there, as on a busy machine: then nothing came of it.
    fn show_again(&mut self) {
        let Some(prompt) = self.prompt.as_ref().filter(|prompt| prompt.step != Step::Drawing) else { return };
        let (spec, is_uncovered) = (prompt.spec.clone(), prompt.step == Step::OnScreen);
        self.desktop.show_prompt(spec, None);
        if is_uncovered {
            self.desktop.uncover_prompt();
        }
    }

    /// The page has laid out what it will show.
    pub(super) fn prompt_drawn(&mut self, opening: u32, layout: Layout) {
        if opening == self.built.opening {
            self.show_prompt(Some(layout));
        }
    }

    fn show_prompt(&mut self, layout: Option<Layout>) {
        let Some(prompt) = self.prompt.as_mut().filter(|prompt| prompt.step == Step::Drawing) else { return };
        prompt.step = Step::Covered;
        prompt.until = self.now + PAINTED_WITHIN;
        self.desktop.show_prompt(prompt.spec.clone(), layout);
        self.desktop.wake_in(PAINTED_WITHIN);
    }

    /// The page has painted it.
    pub(super) fn prompt_painted(&mut self, opening: u32) {
        if opening == self.built.opening {
            self.uncover_prompt();
        }
    }

    fn uncover_prompt(&mut self) {
        let Some(prompt) = self.prompt.as_mut().filter(|prompt| prompt.step == Step::Covered) else { return };
        prompt.step = Step::OnScreen;
        self.desktop.uncover_prompt();
    }

    /// Goes on where the page did not say in time what it had to.
    pub(super) fn look_at_prompt(&mut self) {
        let Some(prompt) = self.prompt.as_mut().filter(|prompt| self.now >= prompt.until) else { return };
        match prompt.step {
            Step::Drawing if prompt.was_ready && self.built.state == Built::Loaded => {
                prompt.was_ready = false;
                prompt.until = self.now + LOADED_WITHIN;
                self.built.state = Built::Ending { anew: true };
                self.desktop.release_prompt();
                self.desktop.wake_in(LOADED_WITHIN);
            }
            Step::Drawing => self.show_prompt(None),
            Step::Covered => self.uncover_prompt(),
            Step::OnScreen => {}
        }
    }

    /// Takes the prompt window away that came up by itself, a while after it has done its work.
    pub(super) fn close_idle_prompt(&mut self, now: Instant) {
        let is_idle = self.state.waiting() == 0 && self.missed().next().is_none();
        let Some(prompt) = self.prompt.as_mut().filter(|prompt| prompt.goes_by_itself) else { return };
        match prompt.idle_since {
            _ if !is_idle => prompt.idle_since = None,
            None => {
                prompt.idle_since = Some(now);
                self.desktop.wake_in(PROMPT_CLOSE_DELAY);
            }
            Some(since) if now.duration_since(since) >= PROMPT_CLOSE_DELAY => self.put_prompt_away(),
            Some(_) => {}
        }
    }

    /// Takes the prompt window from the screen.
    pub(super) fn put_prompt_away(&mut self) {
        if self.prompt.take().is_none() {
            return;
        }
        self.asked_for = None;
        match self.built.state {
            Built::Loading | Built::Loaded if self.may_wait_unseen() => {
                self.built.state = Built::Loading;
                self.desktop.put_prompt_away();
            }
            Built::Loading | Built::Loaded => self.release_prompt(),
            Built::Ending { .. } => self.built.state = Built::Ending { anew: false },
            Built::No => {}
        }
    }

    fn release_prompt(&mut self) {
        self.built.state = Built::Ending { anew: false };
        self.desktop.release_prompt();
    }

    fn may_wait_unseen(&self) -> bool {
        self.settings.keep_prompt_ready != KeepPromptReady::Off && self.desktop.can_wait_unseen()
    }

    /// The window is gone.
    pub(super) fn prompt_closed(&mut self) {
        let before = std::mem::replace(&mut self.built.state, Built::No);
        let again = self.prompt.as_ref().filter(|_| before == Built::Ending { anew: true });
        if let Some(spec) = again.map(|prompt| prompt.spec.clone()) {
            return self.build_prompt(spec);
        }
        self.prompt = None;
        self.asked_for = None;
    }

    /// Builds the window ahead of the need, and lets it go when nothing has waited for a while.
    ///
    /// A window takes memory: so there is none before something waits for a person, or, where the window comes up with each
    /// request, before an agent has called at all.
    pub(super) fn keep_prompt_ready(&mut self) {
        let called = std::mem::take(&mut self.built.agent_called) && self.needs_prompt();
        if called || self.prompt.is_some() || self.state.waiting() > 0 {
            self.built.needed_at = Some(self.now);
        }
        if self.prompt.is_some() {
            return;
        }
        let left = self.built.needed_at.and_then(|at| (at + self.built.quiet).checked_duration_since(self.now));
        let left = left.filter(|left| !left.is_zero());
        let is_kept = self.may_wait_unseen()
            && match self.settings.keep_prompt_ready {
                KeepPromptReady::Off => false,
                KeepPromptReady::TenMinutes => left.is_some(),
                KeepPromptReady::Always => self.built.needed_at.is_some(),
            };
        match self.built.state {
            Built::No if is_kept && self.disturbance != Disturbance::Nothing => self.build_prompt(PromptSpec::unseen()),
            _ if self.built.is_there() && !is_kept => self.release_prompt(),
            _ => {}
        }
        if let Some(left) = left.filter(|_| self.built.is_there()) {
            self.look_again_in(left, self.now);
        }
    }
}
