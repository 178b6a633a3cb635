//! The words of the tray and the notifications, from the catalogue that the windows use.

use std::collections::HashMap;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU8, Ordering};

use handraise_protocol::Locale;

/// The words of a language by their keys.
type Catalogue = LazyLock<HashMap<String, String>>;

/// A catalogue, read once. A test holds that it can be read and has every [`Text`].
macro_rules! catalogue {
    ($file:literal) => {
        LazyLock::new(|| serde_json::from_str(include_str!($file)).unwrap_or_default())
    };
}

static ENGLISH: Catalogue = catalogue!("../../ui/messages/en.json");
static GERMAN: Catalogue = catalogue!("../../ui/messages/de.json");
static JAPANESE: Catalogue = catalogue!("../../ui/messages/ja.json");

/// The [`Locale`] that the application speaks.
static SPOKEN: AtomicU8 = AtomicU8::new(Locale::En as u8);

/// From now on every [`Text`] is in this language.
pub(crate) fn speak(locale: Locale) {
    SPOKEN.store(locale as u8, Ordering::Relaxed);
}

fn catalogue(locale: Locale) -> &'static HashMap<String, String> {
    match locale {
        Locale::En => &ENGLISH,
        Locale::De => &GERMAN,
        Locale::Ja => &JAPANESE,
    }
}

fn spoken() -> Locale {
    let spoken = SPOKEN.load(Ordering::Relaxed);
    [Locale::De, Locale::Ja].into_iter().find(|locale| *locale as u8 == spoken).unwrap_or_default()
}

macro_rules! texts {
    ($($name:ident $key:literal $fallback:literal)*) => {
        /// A text of the catalogue.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Text {
            $(#[doc = $fallback] $name,)*
        }

        impl Text {
            fn key(self) -> &'static str {
                match self { $(Self::$name => $key,)* }
            }

            fn fallback(self) -> &'static str {
                match self { $(Self::$name => $fallback,)* }
            }

            #[cfg(test)]
            const ALL: &'static [Self] = &[$(Self::$name),*];
        }
    };
}

// The second text stands in for one that the catalogue lacks: a missing word must not stop a prompt.
texts! {
    AgentUnnamed "agent_unnamed" "An unnamed agent"
    AppName "app_name" "Handraise"
    NotificationMore "notification_more_lines" "… {count} more lines: open it to read them"
    NotificationWriteLine "notification_write_line" "{title}, the whole file of 1 line"
    NotificationWrite "notification_write" "{title}, the whole file of {lines} lines"
    MadeInput "notification_made_input" "Not counted: no person pressed it"
    MadeInputDetail "notification_made_input_detail" "No real mouse or key was pressed, or a program simulated the press. If you use a remote desktop or an on-screen keyboard, see Settings, General."
    NotificationAnswer "notification_action_answer" "Answer…"
    NotificationApprove "notification_action_approve" "Approve"
    NotificationAsks "notification_asks" "{agent} asks"
    NotificationChanged "notification_changed" "Another program shows notifications now: approve in the window."
    NotificationDeny "notification_action_deny" "Deny"
    NotificationDetails "notification_action_details" "Details"
    NotificationHurry "notification_hurry" "The time to answer is nearly over."
    NotificationMissed "notification_missed" "{count} requests ended because nobody answered"
    NotificationMissedOf "notification_missed_of" "{count} requests ended because nobody answered: {senders}"
    NotificationMissedOne "notification_missed_one" "1 request ended because nobody answered"
    NotificationMissedOneOf "notification_missed_one_of" "1 request ended because nobody answered: {senders}"
    NotificationReason "notification_action_reason" "Reason…"
    NotificationReasonPlaceholder "reason_placeholder" "What should it do instead?"
    NotificationReturned "notification_returned" "While you were away"
    NotificationReview "notification_action_review" "Review"
    NotificationSession "notification_action_session" "For this session"
    NotificationStill "notification_still" "{count} more are waiting for you"
    NotificationStillOne "notification_still_one" "1 more is waiting for you"
    NotificationSummary "notification_summary" "{count} requests are waiting"
    NotificationTitle "notification_title" "{agent} in {project}"
    NotificationTitleNoProject "notification_title_no_project" "{agent}"
    RiskDestructive "risk_destructive" "Destructive"
    RiskReadOnly "risk_read_only" "Read-only"
    RiskWrite "risk_write" "Write"
    ShortcutForward "tray_bring_forward" "Bring Handraise forward"
    SettingsTitle "settings_title" "Handraise settings"
    TooLate "too_late" "Too late: the agent already went on"
    TooLateDetail "too_late_detail" "Your answer changed nothing."
    TrayAnswered "tray_answered" "Your last answers"
    TrayApprove "tray_approve" "Approve"
    TrayApproved "tray_approved" "Approved: {call}"
    TrayAskEverything "mode_ask_everything" "Ask about everything"
    TrayChanged "tray_changed" "Changed without asking"
    TrayDenied "tray_denied" "Denied: {call}"
    TrayDeny "tray_deny" "Deny"
    TrayDenyEverything "mode_deny_everything" "Deny everything"
    TrayForHour "tray_for_hour" "{what} for 1 hour"
    TrayForQuarter "tray_for_quarter" "{what} for 15 minutes"
    TrayMissed "tray_missed" "{count} ended unanswered…"
    TrayMissedOne "tray_missed_one" "1 ended unanswered…"
    TrayMore "tray_more" "{count} more in the inbox…"
    TrayNothingWaiting "tray_nothing_waiting" "Nothing is waiting"
    TrayOpen "tray_open" "Open"
    TrayOpenInbox "tray_open_inbox" "Open inbox"
    TrayPausedUntil "tray_paused_until" "Paused until {time}"
    TrayPause "tray_pause" "Pause"
    TrayQuit "tray_quit" "Quit"
    TrayQuitDenies "tray_quit_denies" "Deny what waits ({count}) and quit"
    TrayResume "tray_resume" "Resume"
    TraySettings "tray_settings" "Settings…"
    TrayShowCall "tray_show_call" "Show in Activity"
    TrayTooltipAskEverything "tray_tooltip_ask_everything" "Handraise: paused, asks about everything"
    TrayTooltipDenyEverything "tray_tooltip_deny_everything" "Handraise: paused, denies everything"
    TrayTooltipIdle "tray_tooltip_idle" "Handraise: nothing is waiting"
    TrayTooltipWaiting "tray_tooltip_waiting" "Handraise: {count} waiting"
    TrayTooltipMissed "tray_tooltip_missed" "{state}; {count} ended unanswered"
    TrayUndo "history_undo" "Undo"
    TrayUntilTomorrow "tray_until_tomorrow" "{what} until tomorrow"
    TrayQuestion "tray_question" "{agent} asks: {question}"
    TrayWaiting "tray_waiting" "{count} waiting"
    Undone "notification_undone" "Undone: {call}"
    UndoneDetail "history_done" "Put back. What was there is kept too, and can be put back in turn."
    UndoneFailed "notification_undone_failed" "Not undone: {call}"
    UndoneLeft "history_left" "These files were left as they are:"
    UndoneNothing "notification_undone_nothing" "Nothing to undo: {call}"
    UndoneNothingDetail "notification_undone_nothing_detail" "The files are as they were before the call."
    WarningUnverified "warning_unverified" "Nothing proves this agent’s name."
}

impl Text {
    /// The text as it is, in the language that is spoken.
    #[must_use]
    pub(crate) fn get(self) -> String {
        catalogue(spoken()).get(self.key()).map_or_else(|| self.fallback().to_owned(), Clone::clone)
    }

    /// The text with each `{name}` replaced by its value. What a value holds is not looked at again.
    #[must_use]
    pub(crate) fn with(self, values: &[(&str, &str)]) -> String {
        let text = self.get();
        let mut filled = String::with_capacity(text.len());
        let mut rest = text.as_str();
        while let Some((before, after)) = rest.split_once('{') {
            filled.push_str(before);
            let Some((name, after)) = after.split_once('}') else {
                filled.push('{');
                rest = after;
                continue;
            };
            let value = values.iter().find(|(given, _)| *given == name).map(|(_, value)| *value);
            filled.push_str(value.unwrap_or_default());
            rest = after;
        }
        filled.push_str(rest);
        filled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_catalogue_has_every_text() {
        for locale in [Locale::En, Locale::De, Locale::Ja] {
            let catalogue = catalogue(locale);
            let missing: Vec<_> =
                Text::ALL.iter().map(|text| text.key()).filter(|key| !catalogue.contains_key(*key)).collect();
            assert!(missing.is_empty(), "the catalogue of {locale:?} lacks {missing:?}");
        }
    }

    #[test]
    fn a_text_is_in_the_language_that_is_spoken() {
        for (locale, deny) in [(Locale::De, "Ablehnen"), (Locale::Ja, "拒否"), (Locale::En, "Deny")] {
            speak(locale);
            assert_eq!(Text::TrayDeny.get(), deny);
        }
    }

    #[test]
    fn a_value_is_filled_in_once_and_not_looked_at_again() {
        assert_eq!(Text::NotificationTitle.with(&[("agent", "{project}"), ("project", "shop")]), "{project} in shop");
    }
}
