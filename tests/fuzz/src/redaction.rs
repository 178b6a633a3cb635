//! What was redacted stays redacted, a key never gets through, and the text does not grow out of bounds.

use std::sync::LazyLock;

use handraise_redaction::{Redactor, Truncation};
use serde_json::Value;

static REDACTOR: LazyLock<Redactor> = LazyLock::new(|| Redactor::new([7; 32]));

/// Made up, in the public formats of keys that need no context to be recognised. In two pieces, so
/// that nothing takes this file for a leak.
const TOKENS: [(&str, &str); 6] = [
    ("ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"),
    ("glpat-", "x7Kq9_Zr2mWb4TnVcY8L"),
    ("AKIA", "4YSNIFBKEITN5XVK"),
    ("xoxb-", "123456789012-123456789012-AbCdEfGhIjKlMnOpQrStUvWx"),
    ("npm_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"),
    ("hf_", "AbCdEfGhIjKlMnOpQrStUvWxYzAbCdEfGh"),
];
/// What may stand on both sides of a key.
const NEIGHBOURS: [(&str, &str); 4] = [(" ", " "), ("\n", "\n"), ("\"", "\""), ("key=", "\n")];

/// Longest mark, in bytes: a kind of 32 characters, a length, a fingerprint.
const MAX_MARK: usize = 80;

/// What holds of every text.
pub fn check(text: &str) {
    let once = REDACTOR.text(text);
    assert_eq!(REDACTOR.text(&once.text).text, once.text, "redacting again changes it");
    assert!(once.text.len() <= text.len() + once.redactions.len() * MAX_MARK);
    assert!(once.redactions.len() <= text.len());

    a_planted_key_is_found(text);
    in_json(text);

    let short = Truncation { string_characters: 20, ..Truncation::default() };
    assert!(short.text(&once.text).chars().count() <= 20 + MAX_MARK + 40);
}

fn a_planted_key_is_found(text: &str) {
    // The text itself chooses, so that an input always means the same.
    let choice = text.bytes().fold(text.len(), |sum, byte| sum.wrapping_mul(31).wrapping_add(usize::from(byte)));
    let (Some((head, tail)), Some((before, after))) =
        (TOKENS.get(choice % TOKENS.len()), NEIGHBOURS.get(choice / 7 % NEIGHBOURS.len()))
    else {
        return;
    };
    if text.contains(tail) {
        return;
    }
    let place = (0..=choice % (text.len() + 1)).rev().find_map(|place| text.split_at_checked(place));
    let Some((left, right)) = place else { return };
    let planted = format!("{left}{before}{head}{tail}{after}{right}");
    let redacted = REDACTOR.text(&planted).text;
    assert!(!redacted.contains(tail), "{head}… got through: {redacted:?}");

    let arguments = serde_json::json!({ "text": planted, "list": [planted] });
    let redacted = REDACTOR.value(&arguments).value.to_string();
    assert!(!redacted.contains(tail), "{head}… got through in JSON: {redacted}");
}

fn in_json(text: &str) {
    let Ok(value) = serde_json::from_str::<Value>(text) else { return };
    let once = REDACTOR.value(&value).value;
    assert_eq!(REDACTOR.value(&once).value, once, "redacting again changes it");
    let _ = Truncation::default().value(&once);
}
