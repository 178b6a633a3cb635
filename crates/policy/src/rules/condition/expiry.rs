//! `expires`: the time after which a rule does not apply.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

/// When a rule stops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::rules) struct Expiry {
    text: String,
    at: Timestamp,
}

/// An expiry that is no time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is no date and no time with a zone")]
pub(in crate::rules) struct InvalidExpiry;

impl Expiry {
    /// An RFC 3339 time with its zone, or a date: then the rule holds through that day in UTC.
    pub(in crate::rules) fn new(text: &str) -> Result<Self, InvalidExpiry> {
        let at = match text.parse::<Timestamp>() {
            Ok(at) => at,
            Err(_) if text.len() == "2026-12-31".len() => {
                let midnight = text.parse::<Date>().ok().and_then(|date| date.to_zoned(TimeZone::UTC).ok());
                let day = SignedDuration::from_hours(24);
                midnight.and_then(|midnight| midnight.timestamp().checked_add(day).ok()).ok_or(InvalidExpiry)?
            }
            Err(_) => return Err(InvalidExpiry),
        };
        Ok(Self { text: text.to_owned(), at })
    }

    pub(in crate::rules) fn text(&self) -> &str {
        &self.text
    }

    /// Whether it is over at the time `now`.
    pub(in crate::rules) fn is_over(&self, now: Timestamp) -> bool {
        self.at <= now
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn over(expiry: &str, now: &str) -> bool {
        Expiry::new(expiry).unwrap().is_over(now.parse().unwrap())
    }

    #[test]
    fn a_time_is_over_when_it_has_come() {
        assert!(over("2026-12-31T12:00:00Z", "2026-12-31T12:00:00Z"));
        assert!(!over("2026-12-31T12:00:00+02:00", "2026-12-31T09:59:59Z"));
    }

    #[test]
    fn a_date_holds_through_its_day() {
        assert!(!over("2026-12-31", "2026-12-31T23:59:59Z"));
        assert!(over("2026-12-31", "2027-01-01T00:00:00Z"));
    }

    #[test]
    fn a_time_without_a_zone_is_refused() {
        for text in ["2026-12-31T12:00:00", "tomorrow", "", "2026-13-01", "2026-02-30"] {
            assert_eq!(Expiry::new(text), Err(InvalidExpiry), "{text}");
        }
    }
}
