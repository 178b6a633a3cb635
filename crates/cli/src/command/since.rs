//! A moment in the past, as a person writes it.

use std::str::FromStr;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp, Zoned};

/// The beginning of a day, or so many minutes, hours, days or weeks ago.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Since(pub(crate) Timestamp);

impl FromStr for Since {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::at(text, &Zoned::now())
            .ok_or_else(|| format!("`{text}` is no date such as 2026-05-01, and not 90m, 2h, 7d or 4w"))
    }
}

impl Since {
    fn at(text: &str, now: &Zoned) -> Option<Self> {
        let count = |unit: char| text.strip_suffix(unit)?.parse::<u16>().ok();
        let span =
            [('m', Span::minutes as fn(Span, u16) -> Span), ('h', Span::hours), ('d', Span::days), ('w', Span::weeks)]
                .into_iter()
                .find_map(|(unit, of)| Some(of(Span::new(), count(unit)?)));
        if let Some(span) = span {
            return Some(Self(now.checked_sub(span).ok()?.timestamp()));
        }
        if let Ok(time) = text.parse::<Timestamp>() {
            return Some(Self(time));
        }
        let date: Date = text.parse().ok()?;
        Some(Self(date.to_zoned(TimeZone::system()).ok()?.timestamp()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_or_so_many_days_ago() {
        let now: Zoned = "2026-05-10T12:00:00[UTC]".parse().unwrap();
        let at = |text| Since::at(text, &now).map(|since| since.0.to_string());
        assert_eq!(at("7d").as_deref(), Some("2026-05-03T12:00:00Z"));
        assert_eq!(at("90m").as_deref(), Some("2026-05-10T10:30:00Z"));
        assert_eq!(at("2h").as_deref(), Some("2026-05-10T10:00:00Z"));
        assert_eq!(at("2w").as_deref(), Some("2026-04-26T12:00:00Z"));
        assert_eq!(at("2026-05-01T00:00:00Z").as_deref(), Some("2026-05-01T00:00:00Z"));
        assert!(at("2026-05-01").unwrap().starts_with("2026-0"));
        for wrong in ["", "d", "-1d", "yesterday", "99999999d", "2026-13-01"] {
            assert_eq!(at(wrong), None, "{wrong}");
        }
    }
}
