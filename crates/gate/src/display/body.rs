//! Agent text in the body of a notification.

use super::line;

/// Longest body of a notification, in characters before it is escaped.
pub const LONGEST_BODY: usize = 200;

/// `text` for a notification server that reads markup: one plain line of at most `longest` characters,
/// the rest counted, with `&`, `<`, `>` and quotation marks escaped (Desktop Notifications Specification
/// 1.3, "Markup"; XML 1.0 §2.4).
#[must_use]
pub fn notification_markup(text: &str, longest: usize) -> String {
    escape_markup(&line(text, longest))
}

/// `text` with the signs of XML escaped, for a server that reads markup.
#[must_use]
pub fn escape_markup(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}
