//! What a menu is made of.

use handraise_display::{line, split};
use handraise_protocol::{MAX_PAUSE, Mode, RequestId};
use jiff::Timestamp;
use jiff::tz::Offset;
use uuid::Uuid;

use crate::strings::Text;

/// Longest title of an entry, in characters.
pub(super) const MAX_TITLE: usize = 60;

/// A menu.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Menu(pub Vec<Item>);

/// One entry of a menu.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Item {
    /// Text that cannot be chosen.
    Label(String),
    /// Text that can.
    Choice(Choice, String),
    /// A menu of its own.
    Submenu(String, Menu),
    /// A line between entries.
    Separator,
}

/// What a person can choose from the menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    /// Approve this request, once.
    Approve(RequestId),
    /// Deny this request.
    Deny(RequestId),
    /// Show this request or question in the prompt window.
    Open(Uuid),
    /// Show all requests.
    OpenInbox,
    /// Put back what this call has changed.
    Undo(RequestId),
    /// Show this call of the past.
    ShowCall(RequestId),
    /// Pause until a person resumes, or resume.
    SetMode(Mode),
    /// Pause for a time.
    PauseFor(Mode, PauseTime),
    /// Show the settings.
    OpenSettings,
    /// End the program.
    Quit,
}

impl Choice {
    /// The name under which a drawn menu reports the choice.
    #[must_use]
    pub(crate) fn name(self) -> String {
        match self {
            Self::Approve(id) => format!("approve:{id}"),
            Self::Deny(id) => format!("deny:{id}"),
            Self::Open(id) => format!("open:{id}"),
            Self::OpenInbox => "open-inbox".to_owned(),
            Self::Undo(id) => format!("undo:{id}"),
            Self::ShowCall(id) => format!("call:{id}"),
            Self::SetMode(Mode::Normal) => "resume".to_owned(),
            Self::SetMode(Mode::AskEverything) => "ask-everything".to_owned(),
            Self::SetMode(Mode::DenyEverything) => "deny-everything".to_owned(),
            Self::PauseFor(mode, time) => format!("{}-{}", Self::SetMode(mode).name(), time.name()),
            Self::OpenSettings => "open-settings".to_owned(),
            Self::Quit => "quit".to_owned(),
        }
    }

    /// The choice with the name `name`.
    #[must_use]
    pub(crate) fn named(name: &str) -> Option<Self> {
        if let Some((verb, id)) = name.split_once(':') {
            let id = Uuid::parse_str(id).ok()?;
            return match verb {
                "approve" => Some(Self::Approve(RequestId(id))),
                "deny" => Some(Self::Deny(RequestId(id))),
                "open" => Some(Self::Open(id)),
                "undo" => Some(Self::Undo(RequestId(id))),
                "call" => Some(Self::ShowCall(RequestId(id))),
                _ => None,
            };
        }
        for time in PauseTime::ALL {
            let mode = name.strip_suffix(time.name()).and_then(|name| name.strip_suffix('-'));
            if let Some(Self::SetMode(mode)) = mode.and_then(Self::named) {
                return (mode != Mode::Normal).then_some(Self::PauseFor(mode, time));
            }
        }
        match name {
            "open-inbox" => Some(Self::OpenInbox),
            "resume" => Some(Self::SetMode(Mode::Normal)),
            "ask-everything" => Some(Self::SetMode(Mode::AskEverything)),
            "deny-everything" => Some(Self::SetMode(Mode::DenyEverything)),
            "open-settings" => Some(Self::OpenSettings),
            "quit" => Some(Self::Quit),
            _ => None,
        }
    }
}

/// How long a pause lasts that ends by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PauseTime {
    /// 15 minutes.
    Quarter,
    /// An hour.
    Hour,
    /// Until the day ends, by the local time.
    Tomorrow,
}

impl PauseTime {
    pub(super) const ALL: [Self; 3] = [Self::Quarter, Self::Hour, Self::Tomorrow];

    fn name(self) -> &'static str {
        match self {
            Self::Quarter => "quarter",
            Self::Hour => "hour",
            Self::Tomorrow => "tomorrow",
        }
    }

    pub(super) fn text(self) -> Text {
        match self {
            Self::Quarter => Text::TrayForQuarter,
            Self::Hour => Text::TrayForHour,
            Self::Tomorrow => Text::TrayUntilTomorrow,
        }
    }

    /// In seconds, from the time `now` of a clock that is `offset` from UTC.
    #[must_use]
    pub(crate) fn seconds(self, now: Timestamp, offset: Offset) -> u32 {
        let gone = || {
            let time = offset.to_datetime(now).time();
            (u32::try_from(time.hour()).unwrap_or_default() * 60 + u32::try_from(time.minute()).unwrap_or_default())
                * 60
                + u32::try_from(time.second()).unwrap_or_default()
        };
        match self {
            Self::Quarter => 15 * 60,
            Self::Hour => 60 * 60,
            Self::Tomorrow => MAX_PAUSE.saturating_sub(gone()).max(1),
        }
    }
}

/// `text` as one line of at most [`MAX_TITLE`] characters that shows where it is cut off.
#[must_use]
pub(super) fn shortened(text: &str) -> String {
    let plain = line(text, usize::MAX);
    if plain.chars().count() <= MAX_TITLE {
        return plain;
    }
    format!("{}…", split(&plain, MAX_TITLE - 1).0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_found_again_by_its_name() {
        let id = RequestId(Uuid::from_u128(7));
        let choices = [
            Choice::Approve(id),
            Choice::Deny(id),
            Choice::Open(id.0),
            Choice::OpenInbox,
            Choice::Undo(id),
            Choice::ShowCall(id),
            Choice::SetMode(Mode::Normal),
            Choice::SetMode(Mode::AskEverything),
            Choice::SetMode(Mode::DenyEverything),
            Choice::PauseFor(Mode::AskEverything, PauseTime::Quarter),
            Choice::PauseFor(Mode::AskEverything, PauseTime::Tomorrow),
            Choice::PauseFor(Mode::DenyEverything, PauseTime::Hour),
            Choice::OpenSettings,
            Choice::Quit,
        ];
        for choice in choices {
            assert_eq!(Choice::named(&choice.name()), Some(choice));
        }
        for name in ["approve:nonsense", "resume-hour", "deny-everything-", "hour"] {
            assert_eq!(Choice::named(name), None, "{name}");
        }
    }

    #[test]
    fn until_tomorrow_is_until_the_local_day_ends() {
        let now = Timestamp::UNIX_EPOCH + jiff::SignedDuration::from_secs(22 * 3_600 + 30 * 60 + 15);
        assert_eq!(PauseTime::Tomorrow.seconds(now, Offset::UTC), 89 * 60 + 45);
        assert_eq!(PauseTime::Tomorrow.seconds(now, Offset::constant(2)), 86_400 - (30 * 60 + 15));
        assert_eq!(PauseTime::Tomorrow.seconds(Timestamp::UNIX_EPOCH, Offset::UTC), MAX_PAUSE);
        assert_eq!(PauseTime::Quarter.seconds(now, Offset::UTC), 900);
    }
}
