//! What the desktop's own windows show and change.

use std::sync::Arc;

use handraise_gate::ExternalDecisions;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{Approval, Credential, Mode, PolicySummary, Question, Session};

/// The settings that the desktop application stores.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Start Handraise when the user logs in. Off until a person switches it on.
    pub start_at_login: bool,
    /// A person has said whether it starts at login. Until then the settings window asks.
    #[serde(default)]
    pub start_at_login_asked: bool,
    /// The guide of the first start was gone through, or left. Until then the settings window opens with it. Settings
    /// that were stored before there was a guide count as if it had been left.
    #[serde(default = "yes")]
    pub guide_left: bool,
    /// Show a native notification for each request.
    pub notifications: bool,
    /// When the prompt window opens by itself.
    pub prompt_window: PromptWindow,
    /// How long the prompt window is kept ready, unseen, so that it comes up at once.
    #[serde(default)]
    pub keep_prompt_ready: KeepPromptReady,
    /// Light, dark, or as the system is.
    pub appearance: Appearance,
    /// The language of windows, tray and notifications; `null`: the system's.
    #[serde(default)]
    pub language: Option<Locale>,
    /// Clicks and keys count that another program makes, as those of remote desktops (x11vnc), of shared
    /// keyboards (Synergy) and of keyboards on the screen. X11 only: elsewhere there is no telling.
    #[serde(default)]
    pub accept_made_input: bool,
    /// While the application runs, terminals may decide as well. Off: a program that gets at a terminal of the
    /// user would have an answer of its own, and the window is there.
    #[serde(default)]
    pub terminals_decide: bool,
    /// What destroys something is approved in the application only: not at a terminal, and not by a program with
    /// an approver's token. On: nothing of that kind is undone, and the window shows the most.
    #[serde(default = "yes")]
    pub destructive_in_window_only: bool,
    /// Days that the audit log is kept; `null`: for ever.
    #[serde(default)]
    pub keep_audit_days: Option<u32>,
    /// What is kept of files that calls change.
    #[serde(default)]
    pub undo: UndoSettings,
    /// The hours of each day in which nothing comes up by itself; `null`: there are none.
    #[serde(default)]
    pub quiet_hours: Option<QuietHours>,
    /// A notification makes a sound.
    #[serde(default)]
    pub sound: bool,
    /// Keys that bring the prompt window forward, wherever the keyboard is, as `Super+Shift+H`; `null`: there are none.
    #[serde(default)]
    pub shortcut: Option<String>,
}

/// Hours of each day, by the local time. The end may lie on the next day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct QuietHours {
    /// When they begin, in minutes after midnight: 0 to 1439.
    pub from: u16,
    /// When they end, in minutes after midnight: 0 to 1439, and not when they begin.
    pub until: u16,
}

impl QuietHours {
    /// The minutes of a day.
    const DAY: u16 = 24 * 60;

    /// Whether its numbers are in their bounds.
    #[must_use]
    pub fn is_usable(&self) -> bool {
        self.from < Self::DAY && self.until < Self::DAY && self.from != self.until
    }

    /// Whether the minute `minute` of a day is one of them.
    #[must_use]
    pub fn hold(&self, minute: u16) -> bool {
        if self.from <= self.until {
            (self.from..self.until).contains(&minute)
        } else {
            minute >= self.from || minute < self.until
        }
    }
}

/// What is kept, so that a call can be undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
pub struct UndoSettings {
    /// What such a call is about to change is kept first. Off: nothing is, and nothing can be undone.
    pub enabled: bool,
    /// Days that it is kept: 1 to 365.
    pub days: u32,
    /// MiB that all of it may take; the oldest goes first: 64 to 65536.
    pub mebibytes: u32,
}

impl Default for UndoSettings {
    fn default() -> Self {
        Self { enabled: true, days: 7, mebibytes: 512 }
    }
}

impl UndoSettings {
    /// Whether its numbers are in their bounds.
    #[must_use]
    pub fn is_usable(&self) -> bool {
        (1..=365).contains(&self.days) && (64..=65_536).contains(&self.mebibytes)
    }
}

fn yes() -> bool {
    true
}

impl Settings {
    /// What may be decided outside of the application.
    #[must_use]
    pub fn external_decisions(&self) -> ExternalDecisions {
        ExternalDecisions { terminals: self.terminals_decide, destructive: !self.destructive_in_window_only }
    }
}

/// When the prompt window opens by itself. It never takes the keyboard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum PromptWindow {
    /// When a notification cannot do it: no notification server, or one without buttons.
    #[default]
    WhenNeeded,
    /// With every request.
    Always,
}

/// How long the prompt window is kept ready, unseen, so that it comes up at once. It takes memory meanwhile. Before the
/// first time that something waits it is never built.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum KeepPromptReady {
    /// It is built for each time.
    Off,
    /// Until ten minutes after something waited last.
    #[default]
    TenMinutes,
    /// As long as Handraise runs.
    Always,
}

/// How the keys that bring the prompt window forward stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum ShortcutState {
    /// There are none, or nobody knows yet.
    #[default]
    Off,
    /// They do.
    Works,
    /// Another program has them.
    Taken,
    /// The person or the desktop has said no.
    Refused,
    /// The keyboard has no such keys.
    NoKey,
    /// This desktop gives none to any program.
    Impossible,
}

/// Light, dark, or as the system is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Appearance {
    /// As the system is.
    #[default]
    System,
    /// Always light.
    Light,
    /// Always dark.
    Dark,
}

/// A language that windows, tray and notifications have all their words in. What the gate says is English.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum Locale {
    /// English.
    #[default]
    En,
    /// German.
    De,
    /// Japanese.
    Ja,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            start_at_login: false,
            start_at_login_asked: false,
            guide_left: false,
            notifications: true,
            prompt_window: PromptWindow::default(),
            keep_prompt_ready: KeepPromptReady::default(),
            appearance: Appearance::default(),
            language: None,
            accept_made_input: false,
            terminals_decide: false,
            destructive_in_window_only: true,
            keep_audit_days: None,
            undo: UndoSettings::default(),
            quiet_hours: None,
            sound: false,
            shortcut: None,
        }
    }
}

/// Where the prompt window is on its way to the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum PromptStage {
    /// Nobody sees it: it shows nothing, and is told nothing.
    #[default]
    Hidden,
    /// It is about to come up. Its page draws what it will show and says so, first of the layout and then of the paint.
    ComingUp,
    /// The person sees what it shows. Nothing counts as answered before.
    OnScreen,
}

/// What the prompt window shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct DesktopState {
    /// The mode in force.
    pub mode: Mode,
    /// When a pause ends by itself; absent: when a person ends it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(type = "string")]
    pub mode_until: Option<Timestamp>,
    /// Light, dark, or as the system is.
    pub appearance: Appearance,
    /// The language in force.
    pub locale: Locale,
    /// The desktop's accent colour, as `#3584e4`; absent where it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accent: Option<String>,
    /// Open requests, oldest first.
    pub pending: Vec<Arc<Approval>>,
    /// Open questions, oldest first.
    pub questions: Vec<Arc<Question>>,
    /// Requests that timed out and can still be answered late, the latest first, without those that the
    /// person put away.
    pub missed: Vec<Arc<Approval>>,
    /// What the person asked to see last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wanted: Option<Wanted>,
    /// Another program shows the notifications than at first, and the person has not answered in the
    /// window since: nothing can be approved on a notification.
    #[serde(default)]
    pub notifications_changed: bool,
    /// The window came up by itself, on a desktop that may have given it the keyboard: what is typed may be meant for
    /// another window.
    #[serde(default)]
    pub keyboard_unasked: bool,
    /// The window came up by itself, for a request: what is pressed at first may be meant for what was there before.
    #[serde(default)]
    pub came_by_itself: bool,
    /// Where the window is on its way to the screen.
    pub stage: PromptStage,
    /// Counts the times that the window has come up: what its page says is about one of them.
    pub opening: u32,
    /// Counts the changes: a page that gets the same twice takes it once.
    pub revision: u32,
}

/// A request or question that a person asked to see, by its notification or in the tray; in the settings window, a call
/// of the past.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Wanted {
    /// The request or question.
    pub id: String,
    /// Counts the times that a person asked: the same may be asked for again.
    pub number: u32,
}

/// What the settings window shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct SettingsView {
    /// The settings.
    pub settings: Settings,
    /// The language in force.
    pub locale: Locale,
    /// The desktop's accent colour, as `#3584e4`; absent where it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accent: Option<String>,
    /// The mode in force.
    pub mode: Mode,
    /// When a pause ends by itself; absent: when a person ends it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(type = "string")]
    pub mode_until: Option<Timestamp>,
    /// The policy in force.
    pub policy: PolicySummary,
    /// Sessions with their grants, the latest first.
    pub sessions: Vec<Session>,
    /// Credentials, without secrets.
    pub credentials: Vec<Credential>,
    /// Where the server listens.
    pub endpoint: Endpoint,
    /// What a person should know.
    pub notices: Vec<Notice>,
    /// How many requests and questions wait for a person.
    pub waiting: u32,
    /// Version of Handraise.
    pub version: String,
    /// How the keys stand that bring the prompt window forward; absent: this system has no such thing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shortcut: Option<ShortcutState>,
    /// The call of the past that a person asked to see last, in the tray.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wanted: Option<Wanted>,
}

/// Where the server listens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(optional_fields)]
pub struct Endpoint {
    /// `IP:PORT`.
    pub address: String,
    /// Path of the Unix socket.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub socket: Option<String>,
}

/// Something that a person should know, as a damaged file that was set aside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
pub struct Notice {
    /// What happened.
    pub title: String,
    /// What it means and what to do.
    pub detail: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quiet_hours_may_go_past_midnight() {
        let night = QuietHours { from: 22 * 60, until: 7 * 60 };
        assert!(night.is_usable());
        assert_eq!(
            [0, 419, 420, 1319, 1320, 1439].map(|minute| night.hold(minute)),
            [true, true, false, false, true, true]
        );
        let noon = QuietHours { from: 720, until: 780 };
        assert_eq!([719, 720, 779, 780].map(|minute| noon.hold(minute)), [false, true, true, false]);
    }

    #[test]
    fn quiet_hours_have_bounds() {
        for (from, until) in [(1440, 0), (0, 1440), (60, 60)] {
            assert!(!QuietHours { from, until }.is_usable(), "{from} {until}");
        }
    }

    #[test]
    fn settings_of_before_have_no_quiet_hours_and_no_sound() {
        let stored =
            r#"{"start_at_login":false,"notifications":true,"prompt_window":"when_needed","appearance":"system"}"#;
        let settings: Settings = serde_json::from_str(stored).unwrap();
        assert_eq!((settings.quiet_hours, settings.sound), (None, false));
        assert_eq!(settings.keep_prompt_ready, KeepPromptReady::TenMinutes);
    }
}
