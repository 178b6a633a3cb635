//! Pausing, and how it stands with what a person is asked on.

use handraise_gate::Input;
use handraise_protocol::{MAX_PAUSE, Mode, ModeRequest, ModeState, Problem, ProblemCode, SurfaceList, SurfaceState};
use jiff::SignedDuration;

use super::Engine;
use super::state::State;

impl Engine {
    /// The mode in force, and when it ends by itself.
    ///
    /// # Errors
    /// Only when the engine has stopped.
    pub async fn mode_state(&self) -> Result<ModeState, Problem> {
        self.call(|state| mode_state(state)).await
    }

    /// Pauses for a time or for good, or resumes.
    ///
    /// # Errors
    /// When the time is none, or the audit log cannot be written.
    pub async fn change_mode(&self, request: ModeRequest) -> Result<ModeState, Problem> {
        let ModeRequest { mode, seconds } = request;
        let invalid = |what: String| Err(Problem::new(ProblemCode::InvalidRequest, what));
        match seconds {
            Some(_) if mode == Mode::Normal => return invalid("`seconds` belongs to a pause.".to_owned()),
            Some(seconds) if !(1..=MAX_PAUSE).contains(&seconds) => {
                return invalid(format!("`seconds` is between 1 and {MAX_PAUSE}."));
            }
            _ => {}
        }
        self.call(move |state| {
            let end = seconds
                .and_then(|seconds| state.clock.now().checked_add(SignedDuration::from_secs(seconds.into())).ok());
            let input = match end {
                Some(end) => Input::PauseUntil(mode.into(), end),
                None => Input::SetMode(mode.into()),
            };
            state.handle(input, None)?;
            Ok(mode_state(state))
        })
        .await?
    }

    /// How it stands with what a person is asked on.
    ///
    /// # Errors
    /// Only when the engine has stopped.
    pub async fn surfaces(&self) -> Result<SurfaceList, Problem> {
        self.call(|state| SurfaceList { surfaces: state.surface_states.clone() }).await
    }

    /// Whoever brings a surface says how it stands with it. The latest word counts.
    pub fn tell_surface(&self, told: SurfaceState) {
        self.tell(move |state| {
            state.surface_states.retain(|known| known.kind != told.kind);
            state.surface_states.push(told);
            state.surface_states.sort_by_key(|known| known.kind);
        });
    }
}

fn mode_state(state: &State) -> ModeState {
    ModeState { mode: state.gate.mode().into(), until: state.gate.paused_until() }
}
