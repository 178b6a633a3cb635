//! Agent text in the body of a notification.

/// `text` with the signs of XML escaped, for a notification server that reads markup (Desktop
/// Notifications Specification 1.3, "Markup"; XML 1.0 §2.4). For a body: of a [`line`](super::line).
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
