//! Decoded words back into text.

use handraise_shell::{Part, WordKind};

/// The words of `part` as a command line in which each stands in single quotes (POSIX.1-2024, Shell
/// Command Language 2.2.2). `None` when there are none, when one is not exactly known, or when a quote
/// would have to stand beside a dollar sign, which no command line may have.
#[must_use]
pub fn requoted(part: &Part) -> Option<String> {
    let quote = |text: &str| format!("'{}'", text.replace('\'', r"'\''"));
    if part.words.is_empty() || part.words.iter().any(|word| word.kind != WordKind::Exact || word.text.contains('\'')) {
        return None;
    }
    // `'…$'` ends in the two characters `$'`, which open another kind of quote elsewhere.
    if part.words.iter().any(|word| word.text.contains("$\"") || word.text.ends_with('$')) {
        return None;
    }
    Some(part.words.iter().map(|word| quote(&word.text)).collect::<Vec<_>>().join(" "))
}

/// `text` as a basic string of TOML 1.0.
#[must_use]
pub fn toml_string(text: &str) -> String {
    let mut quoted = String::from('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            plain if !plain.is_control() => quoted.push(plain),
            control => quoted.push_str(&format!("\\u{:04X}", u32::from(control))),
        }
    }
    quoted.push('"');
    quoted
}
