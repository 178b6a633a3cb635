//! What the windows can ask for. Which window may ask for what stands in `capabilities/`.

#![expect(clippy::unreachable, reason = "in what `tauri::command` makes of an async function")]

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use handraise_gate::Approver;
use handraise_protocol::{
    AnswerRequest, Approval, Decision, DecisionRequest, DecisionResponse, DesktopState, Endpoint, EvaluationResult,
    GrantId, KeptCalls, Mode, ModeRequest, NewCredential, NewCredentialRequest, PolicyCheck, PolicyView, Preset,
    Preview, PreviewRequest, Problem, ProblemCode, PutBackRequest, PutBackResult, QuestionId, QuestionResult,
    RequestId, Revealed, RuleCheck, RuleCheckRequest, SessionKey, Settings, SettingsView, ShortcutState, Suggestions,
    TriedCall, Wanted,
};
use handraise_server::{Engine, KeptSearch};
use serde_json::{Map, Value};
use tauri::{State, WebviewWindow, async_runtime};
use tokio::sync::Notify;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use crate::controller::Signal;
use crate::desktop::DecidingSurface;
use crate::notices::Notices;
use crate::os::InputWatch;
use crate::shortcut::Shortcut;
use crate::stored::settings::SettingsStore;
use crate::strings::Text;
use crate::window::open;
use crate::window::size::Size;
use crate::window::spec::{Layout, WindowName};
use crate::{gate, locale, os};

/// Most calls that the history shows.
const MAX_KEPT: usize = 100;
/// Who changes the policy and puts files back, in the audit log.
const SETTINGS_WINDOW: &str = "settings window";

/// What the commands work with.
pub(crate) struct Shared {
    /// The engine.
    pub engine: Engine,
    /// Who presses buttons and keys.
    pub input: Arc<InputWatch>,
    /// Where the server listens.
    pub endpoint: Endpoint,
    /// The settings.
    pub settings: Arc<SettingsStore>,
    /// The desktop's own notices.
    pub notices: Arc<Notices>,
    /// The controller.
    pub signals: UnboundedSender<Signal>,
    /// Told when what the settings window shows may have changed.
    pub shown: Arc<Notify>,
    /// The call of the past that a person asked to see last.
    pub wanted: Mutex<Option<Wanted>>,
    /// How the keys stand that bring the prompt window forward.
    pub shortcut: Mutex<ShortcutState>,
}

impl Shared {
    /// What the settings window shows.
    ///
    /// # Errors
    /// When the engine has ended.
    pub(crate) async fn settings_view(&self) -> Result<SettingsView, Problem> {
        let mut notices = self.engine.notices().await?;
        notices.extend(self.notices.all());
        let mode = self.engine.mode_state().await?;
        let settings = self.settings.get();
        let waiting = self.engine.pending().await?.len() + self.engine.questions().await?.len();
        Ok(SettingsView {
            locale: locale::in_force(settings.language),
            accent: os::accent(),
            settings,
            mode: mode.mode,
            mode_until: mode.until,
            policy: self.engine.policy_summary().await?,
            sessions: self.engine.sessions().await?,
            credentials: self.engine.credentials().await?,
            endpoint: self.endpoint.clone(),
            notices,
            waiting: u32::try_from(waiting).unwrap_or(u32::MAX),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            shortcut: os::HAS_SHORTCUT.then(|| *self.shortcut.lock().unwrap_or_else(PoisonError::into_inner)),
            wanted: self.wanted().clone(),
        })
    }

    /// Refuses what a program pressed: whatever lets more pass is a person's to do.
    ///
    /// # Errors
    /// When the last press was made by a program, or there was none.
    pub(crate) fn by_person(&self) -> Result<(), Problem> {
        if self.settings.get().accept_made_input || self.input.is_by_person() {
            return Ok(());
        }
        Err(Problem::new(ProblemCode::MadeInput, Text::MadeInputDetail.get()))
    }

    /// Lets the settings window show this call of the past.
    pub(crate) fn want(&self, id: RequestId) {
        let mut wanted = self.wanted();
        let number = wanted.as_ref().map_or(1, |before| before.number.wrapping_add(1));
        *wanted = Some(Wanted { id: id.to_string(), number });
        self.shown.notify_one();
    }

    /// Lets the settings window show how the keys stand that bring the prompt window forward.
    pub(crate) fn tell_shortcut(&self, state: ShortcutState) {
        *self.shortcut.lock().unwrap_or_else(PoisonError::into_inner) = state;
        self.shown.notify_one();
    }

    fn wanted(&self) -> MutexGuard<'_, Option<Wanted>> {
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets the settings window show what came of a command.
    pub(crate) fn show<T>(&self, outcome: T) -> T {
        self.shown.notify_one();
        outcome
    }

    /// Tells the controller.
    pub(crate) fn signal(&self, signal: Signal) {
        // Nobody listens any more only while the program ends.
        let _ = self.signals.send(signal);
    }
}

/// Something in a window was pressed without mouse, finger or key. Not `async`: it is noted before what follows from it.
#[tauri::command]
#[expect(clippy::needless_pass_by_value, reason = "Tauri hands it over so")]
pub(crate) fn pressed_without_device(shared: State<'_, Shared>) {
    shared.input.press_without_device();
}

/// What the prompt window shows.
#[tauri::command]
pub(crate) async fn desktop_state(shared: State<'_, Shared>) -> Result<DesktopState, Problem> {
    let (answer, mut answered) = unbounded_channel();
    shared.signal(Signal::PromptAsks(answer));
    let ends = || Problem::new(ProblemCode::Internal, "Handraise is ending.".to_owned());
    answered.recv().await.ok_or_else(ends)
}

/// Takes a missed request out of the list. It can still be approved elsewhere.
#[tauri::command]
pub(crate) async fn dismiss_missed(shared: State<'_, Shared>, id: RequestId) -> Result<(), Problem> {
    shared.signal(Signal::PutAway(id));
    Ok(())
}

/// Decides about a request, as it was shown.
#[tauri::command]
pub(crate) async fn decide(
    shared: State<'_, Shared>,
    id: RequestId,
    decision: DecisionRequest,
) -> Result<DecisionResponse, Problem> {
    if decision.arguments_hash.is_none() {
        let what = "A decision of the prompt window names the arguments that it is about.";
        return Err(Problem::new(ProblemCode::InvalidRequest, what));
    }
    if decision.decision == Decision::Approve {
        shared.by_person()?;
    }
    let decided = gate::decide(&shared.engine, id, decision, DecidingSurface::PromptWindow).await;
    decided.inspect(|_| shared.signal(Signal::AnsweredInPrompt))
}

/// Answers a question, or declines to.
#[tauri::command]
pub(crate) async fn answer(
    shared: State<'_, Shared>,
    id: QuestionId,
    answer: AnswerRequest,
) -> Result<QuestionResult, Problem> {
    if !answer.decline {
        shared.by_person()?;
    }
    gate::answer(&shared.engine, id, answer, DecidingSurface::PromptWindow).await
}

/// An open request as it would be shown with other arguments. Changes nothing.
#[tauri::command]
pub(crate) async fn preview_edit(
    shared: State<'_, Shared>,
    id: RequestId,
    values: Map<String, Value>,
) -> Result<Approval, Problem> {
    shared.engine.preview_edit(id.into(), values).await
}

/// The redacted values of an open request. That they were looked at stands in the audit log.
#[tauri::command]
pub(crate) async fn reveal(shared: State<'_, Shared>, id: RequestId) -> Result<Revealed, Problem> {
    gate::reveal(&shared.engine, id, DecidingSurface::PromptWindow).await
}

/// What a rule would have done to calls of the past. Changes nothing.
#[tauri::command]
pub(crate) async fn preview_rule(shared: State<'_, Shared>, request: PreviewRequest) -> Result<Preview, Problem> {
    shared.engine.preview_rule(request).await
}

/// Whether a person can approve an open request with a changed rule, and what it would have done. Changes nothing.
#[tauri::command]
pub(crate) async fn check_rule(
    shared: State<'_, Shared>,
    id: RequestId,
    request: RuleCheckRequest,
) -> Result<RuleCheck, Problem> {
    shared.engine.check_rule(id.into(), request).await
}

/// Pauses, until a person resumes or for so many seconds; or resumes.
#[tauri::command]
pub(crate) async fn set_mode(shared: State<'_, Shared>, mode: Mode, seconds: Option<u32>) -> Result<(), Problem> {
    // To resume lets more pass, now or when the time is over.
    if mode == Mode::Normal || seconds.is_some() {
        shared.by_person()?;
    }
    shared.engine.change_mode(ModeRequest { mode, seconds }).await.map(drop)
}

/// Opens the settings window.
#[tauri::command]
pub(crate) async fn open_settings(shared: State<'_, Shared>) -> Result<(), Problem> {
    shared.signal(Signal::OpenSettings);
    Ok(())
}

/// What the settings window shows.
#[tauri::command]
pub(crate) async fn settings_view(shared: State<'_, Shared>) -> Result<SettingsView, Problem> {
    shared.settings_view().await
}

/// Keeps settings and puts them in force.
#[tauri::command]
pub(crate) async fn save_settings(shared: State<'_, Shared>, settings: Settings) -> Result<(), Problem> {
    shared.by_person()?;
    if settings.quiet_hours.is_some_and(|hours| !hours.is_usable()) {
        let what = "Quiet hours begin and end within a day, and not at the same minute.";
        return Err(Problem::new(ProblemCode::InvalidRequest, what));
    }
    if settings.shortcut.as_deref().is_some_and(|keys| Shortcut::read(keys).is_none()) {
        let what = "A shortcut is Ctrl, Alt or Super with another key, as Super+Shift+H.";
        return Err(Problem::new(ProblemCode::InvalidRequest, what));
    }
    // Refused where its numbers are out of their bounds, before anything is saved.
    shared.engine.set_undo(settings.undo).await?;
    let saved = shared.settings.set(settings.clone());
    shared.show(saved).map_err(|error| Problem::new(ProblemCode::Internal, error.to_string()))?;
    shared.engine.set_external_decisions(settings.external_decisions()).await?;
    shared.engine.set_keep_days(settings.keep_audit_days).await?;
    shared.signal(Signal::Settings(Box::new(settings)));
    Ok(())
}

/// Changes the policy's starting point.
#[tauri::command]
pub(crate) async fn set_policy_preset(shared: State<'_, Shared>, preset: Preset) -> Result<(), Problem> {
    shared.by_person()?;
    shared.show(shared.engine.set_preset(preset).await)
}

/// Changes how long a person has to answer.
#[tauri::command]
pub(crate) async fn set_timeout(shared: State<'_, Shared>, seconds: u32) -> Result<(), Problem> {
    shared.by_person()?;
    shared.show(shared.engine.set_timeout(seconds).await)
}

/// The policy: its text, what is in force, and what waits for a person's word.
#[tauri::command]
pub(crate) async fn policy(shared: State<'_, Shared>) -> Result<PolicyView, Problem> {
    shared.engine.policy().await
}

/// What is wrong with a policy text. Changes nothing.
#[tauri::command]
pub(crate) async fn check_policy(text: String) -> Result<PolicyCheck, Problem> {
    // A large text with many examples takes a while, and the windows wait for this thread.
    let check = async_runtime::spawn_blocking(move || Engine::check_policy(&text)).await;
    check.map_err(|error| Problem::new(ProblemCode::Internal, error.to_string()))
}

/// Puts a text in the place of the one that `etag` names.
#[tauri::command]
pub(crate) async fn save_policy(shared: State<'_, Shared>, text: String, etag: String) -> Result<PolicyView, Problem> {
    shared.by_person()?;
    shared.show(shared.engine.replace_policy(text, etag, SETTINGS_WINDOW.to_owned()).await)
}

/// Puts the change with this `etag`, made outside Handraise, in force.
#[tauri::command]
pub(crate) async fn confirm_policy(shared: State<'_, Shared>, etag: String) -> Result<PolicyView, Problem> {
    shared.by_person()?;
    shared.show(shared.engine.confirm_policy(etag, SETTINGS_WINDOW.to_owned()).await)
}

/// Takes the confirmed policy back.
#[tauri::command]
pub(crate) async fn discard_policy(shared: State<'_, Shared>, etag: String) -> Result<PolicyView, Problem> {
    shared.by_person()?;
    shared.show(shared.engine.discard_policy(etag, SETTINGS_WINDOW.to_owned()).await)
}

/// Adds rules behind the others.
#[tauri::command]
pub(crate) async fn add_policy_rules(shared: State<'_, Shared>, rules: String) -> Result<(), Problem> {
    shared.by_person()?;
    shared.show(shared.engine.add_policy_rules(rules, SETTINGS_WINDOW.to_owned()).await)
}

/// Adds rules that an agent kept itself, before the others and behind them.
#[tauri::command]
pub(crate) async fn import_policy_rules(
    shared: State<'_, Shared>,
    in_front: String,
    behind: String,
) -> Result<(), Problem> {
    shared.by_person()?;
    shared.show(shared.engine.import_policy_rules(in_front, behind, SETTINGS_WINDOW.to_owned()).await)
}

/// Rules that would have spared a person some questions.
#[tauri::command]
pub(crate) async fn suggest_rules(shared: State<'_, Shared>) -> Result<Suggestions, Problem> {
    shared.engine.suggest_rules(None).await
}

/// What would happen to a call. Changes nothing.
#[tauri::command]
pub(crate) async fn try_call(
    shared: State<'_, Shared>,
    call: TriedCall,
    folder: Option<String>,
    agent: Option<String>,
) -> Result<EvaluationResult, Problem> {
    shared.engine.try_call(call, folder, agent).await
}

/// Calls that have changed something; of these `ids` with what has changed in each file.
#[tauri::command]
pub(crate) async fn kept(shared: State<'_, Shared>, ids: Option<Vec<RequestId>>) -> Result<KeptCalls, Problem> {
    let with_diff = ids.is_some();
    let ids = ids.map(|ids| ids.into_iter().map(Into::into).collect());
    shared.engine.kept(KeptSearch { ids, with_diff, limit: MAX_KEPT, ..KeptSearch::default() }).await
}

/// Puts back what calls have changed.
#[tauri::command]
pub(crate) async fn put_back(shared: State<'_, Shared>, request: PutBackRequest) -> Result<PutBackResult, Problem> {
    shared.by_person()?;
    shared.engine.put_back(request, Approver::in_process(SETTINGS_WINDOW)).await
}

/// Takes a grant back.
#[tauri::command]
pub(crate) async fn revoke_grant(shared: State<'_, Shared>, id: GrantId) -> Result<(), Problem> {
    shared.show(shared.engine.revoke_grant(id.into()).await)
}

/// Ends a session and forgets what is remembered for it.
#[tauri::command]
pub(crate) async fn end_session(shared: State<'_, Shared>, key: SessionKey) -> Result<(), Problem> {
    shared.show(shared.engine.end_session(key.into()).await)
}

/// Makes a credential; its token is in the answer and nowhere else.
#[tauri::command]
pub(crate) async fn create_credential(
    shared: State<'_, Shared>,
    request: NewCredentialRequest,
) -> Result<NewCredential, Problem> {
    shared.by_person()?;
    shared.show(shared.engine.create_credential(request).await)
}

/// Forgets a credential.
#[tauri::command]
pub(crate) async fn revoke_credential(shared: State<'_, Shared>, id: String) -> Result<(), Problem> {
    shared.show(shared.engine.revoke_credential(id).await)
}

/// Opens `policy.toml` in the desktop's editor.
#[tauri::command]
pub(crate) async fn open_policy_file(shared: State<'_, Shared>) -> Result<(), Problem> {
    let path = shared.engine.policy_summary().await?.path;
    os::open_file(Path::new(&path)).map_err(|error| {
        Problem::new(ProblemCode::Internal, format!("{path} cannot be opened ({error}). Open it in an editor."))
    })
}

/// A person has read a notice.
#[tauri::command]
pub(crate) async fn dismiss_notice(shared: State<'_, Shared>, title: String) -> Result<(), Problem> {
    shared.notices.remove(&title);
    shared.show(shared.engine.dismiss_notice(title).await)
}

/// The page of the prompt window has laid out what it will show.
#[tauri::command]
pub(crate) async fn prompt_drawn(
    shared: State<'_, Shared>,
    opening: u32,
    width: f64,
    height: f64,
    background: [u8; 3],
) -> Result<(), Problem> {
    shared.signal(Signal::PromptDrawn(opening, Layout { size: Size { width, height }, background }));
    Ok(())
}

/// The page of the prompt window has painted it.
#[tauri::command]
pub(crate) async fn prompt_painted(shared: State<'_, Shared>, opening: u32) -> Result<(), Problem> {
    shared.signal(Signal::PromptPainted(opening));
    Ok(())
}

/// Puts the calling window away. The settings window ends; the prompt window may wait unseen.
#[tauri::command]
pub(crate) async fn hide_window(shared: State<'_, Shared>, window: WebviewWindow) -> Result<(), Problem> {
    if WindowName::labelled(window.label()) == Some(WindowName::Prompt) {
        shared.signal(Signal::PutPromptAway);
        return Ok(());
    }
    open::keep_size(&window);
    window.destroy().map_err(|error| Problem::new(ProblemCode::Internal, error.to_string()))
}

/// Makes the calling window as large as its content, within what the screen has room for, once.
#[tauri::command]
pub(crate) async fn fit_window(window: WebviewWindow, width: f64, height: f64) -> Result<(), Problem> {
    open::fit(&window, Size { width, height }).map_err(|error| Problem::new(ProblemCode::Internal, error.to_string()))
}
