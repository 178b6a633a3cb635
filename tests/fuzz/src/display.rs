//! Nothing that acts on its surroundings leaves the display, and what is plain stays as it is.

use super::first_acting;
use handraise_display::Piece;
use serde_json::Value;

/// What holds of every text.
pub fn check(text: &str) {
    for piece in handraise_display::pieces(text).into_iter().chain(handraise_display::content_pieces(text)) {
        match piece {
            Piece::Text(text) => assert_harmless(&text),
            Piece::Hidden(label) => {
                assert_harmless(&label);
                assert!(!label.is_empty() && !label.contains('\n'));
            }
        }
    }
    for longest in [0, 1, 80, 4096] {
        let line = handraise_display::line(text, longest);
        assert_harmless(&line);
        assert!(!line.contains(['\n', '\t']), "one line is one line");
        // A host is named again in Punycode, which is longer.
        assert!(line.chars().count() <= 8 * longest + 80, "{longest} characters at most, and their labels");
    }

    let shown = handraise_display::show(text);
    assert_harmless(&shown.text);
    assert!(!handraise_display::has_hidden(&shown.text), "hidden characters in what was shown: {:?}", shown.text);
    if shown.findings.is_empty() && !text.contains('⟨') {
        assert_eq!(shown.text, text, "changed, and not said");
    }
    let line = handraise_display::line(text, usize::MAX);
    assert!(!handraise_display::has_hidden(&line), "hidden characters in a line: {line:?}");

    assert!(!handraise_display::escape_markup(&line).contains(['<', '>']), "markup is left");
    if let Ok(value) = serde_json::from_str::<Value>(text) {
        let escaped = handraise_display::escape_json(text);
        assert_harmless(&escaped);
        assert_eq!(serde_json::from_str::<Value>(&escaped).ok(), Some(value), "escaping changes what it says");
    }
}

fn assert_harmless(shown: &str) {
    assert_eq!(first_acting(shown), None, "shown as it is: {shown:?}");
}
