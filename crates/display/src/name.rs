//! Names that look like known ones, or that are not the requester's to use.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::finding::{FindingKind, Findings};
use super::known;
use super::line;
use super::stretch::stretches;

/// Shortest name that can be told from an ordinary word after its look-alikes are folded.
const MIN_LENGTH: usize = 4;
/// Longest text that is taken for a name.
const MAX_LENGTH: usize = 160;

/// Words in brackets that only a program may add to a name. Lower case.
const BADGES: &[&str] = &[
    "admin",
    "administrator",
    "allowed",
    "approved",
    "authenticated",
    "authorized",
    "built-in",
    "builtin",
    "certified",
    "confirmed",
    "human",
    "internal",
    "official",
    "owner",
    "root",
    "safe",
    "secure",
    "signed",
    "system",
    "trusted",
    "user",
    "verified",
    "you",
];
/// Names that mean Handraise, its policy or the person.
const RESERVED: &[&str] =
    &["handraise", "approver", "handraise-policy", "handraise policy", "policy", "the user", "system", "administrator"];
/// Signs that are drawn beside what has been checked.
pub(super) const BADGE_SIGNS: &[char] = &['✅', '✔', '✓', '☑', '🟢', '🔒', '🔐', '🛡', '👍', '💚'];

/// Notes words of `text` that differ from a known name only in signs that look alike.
pub(super) fn lookalikes(text: &str, findings: &mut Findings<'_>) {
    let words = stretches(text, |character| character.is_ascii_alphanumeric() || matches!(character, '_' | '-'));
    for (start, word) in words {
        if word.len() < MIN_LENGTH || word.len() > 64 {
            continue;
        }
        if let Some(known) = imitated(word) {
            findings.tell(FindingKind::LookalikeName, start, || format!("{word} looks like {known}"));
        }
    }
}

/// Every known name by how it looks to a person who does not tell `_` from `-`.
static KNOWN: LazyLock<BTreeMap<String, &str>> = LazyLock::new(|| {
    let names = [known::TOOLS, known::PROGRAMS, known::BRANDS].into_iter().flatten();
    names.map(|name| (plain(name), *name)).collect()
});

fn plain(name: &str) -> String {
    name.to_ascii_lowercase().replace('_', "-")
}

fn imitated(word: &str) -> Option<&'static str> {
    // Nothing is folded in most words.
    if !word.contains(['0', '1', '5', 'I']) && !word.contains("rn") && !word.contains("vv") {
        return None;
    }
    let known = ['l', 'i'].into_iter().find_map(|one| KNOWN.get(&fold(word, one)).copied())?;
    (known.len() >= MIN_LENGTH && !KNOWN.contains_key(&plain(word))).then_some(known)
}

/// `word` with what looks alike written alike; the digit one is `one`.
fn fold(word: &str, one: char) -> String {
    let folded: String = word
        .chars()
        .map(|character| match character {
            '1' => one,
            'I' => 'l',
            '0' => 'o',
            '5' => 's',
            '_' => '-',
            other => other.to_ascii_lowercase(),
        })
        .collect();
    folded.replace("rn", "m").replace("vv", "w")
}

/// Notes badges that `text` gives itself.
pub(super) fn badges(text: &str, findings: &mut Findings<'_>) {
    if text.len() > MAX_LENGTH || text.contains('\n') {
        return;
    }
    for (at, bracket) in
        text.char_indices().filter(|(_, character)| matches!(character, '(' | '[' | '{' | '<' | '«' | '⟨' | '【'))
    {
        let inside = text.get(at + bracket.len_utf8()..).unwrap_or_default();
        let inside: String = inside
            .chars()
            .take_while(|character| !matches!(character, ')' | ']' | '}' | '>' | '»' | '⟩' | '】'))
            .collect();
        let word = inside.trim_matches(|character: char| !character.is_ascii_alphabetic()).to_lowercase();
        let claims = word
            .split(|character: char| !character.is_ascii_alphabetic() && character != '-')
            .any(|word| BADGES.contains(&word));
        if claims && word.len() <= 40 && is_name_before(text, at) {
            findings.tell(FindingKind::ReservedName, at, || line(&word, 40));
        }
    }
    let ends = text.trim();
    let signed = ends.ends_with(BADGE_SIGNS)
        && ends.split_whitespace().count() <= 3
        && ends.contains(|character: char| character.is_alphabetic());
    if signed
        || is_self_named(ends)
        || vouches_at_its_end(ends)
        || RESERVED.iter().any(|reserved| reserved.eq_ignore_ascii_case(ends))
    {
        findings.note(FindingKind::ReservedName, 0, 1);
    }
}

/// One word that begins with the name of Handraise: `handraise-daemon`.
fn is_self_named(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    lower.strip_prefix("handraise").is_some_and(|rest| {
        rest.starts_with(['-', '_', ' ']) && rest.chars().skip(1).all(|letter| letter.is_ascii_lowercase())
    })
}

/// A name, a sign, and a badge behind it: `agent — verified`.
fn vouches_at_its_end(text: &str) -> bool {
    let mut words = text.split_whitespace().rev();
    let badge = words.next().unwrap_or_default().to_lowercase();
    let sign = words.next().unwrap_or_default();
    let rest = words.count();
    (1..=2).contains(&rest)
        && matches!(badge.as_str(), "verified" | "official" | "trusted" | "certified" | "approved" | "authenticated")
        && !sign.contains(char::is_alphanumeric)
        && !matches!(sign, "=" | "==" | "!=" | "&&" | "||" | "|" | ">" | "<" | "&" | ";")
}

/// What stands before the bracket is a name and not a call or a command line.
fn is_name_before(text: &str, bracket: usize) -> bool {
    let before = text.get(..bracket).unwrap_or_default();
    let words = before.split_whitespace().count();
    before
        .chars()
        .all(|character| character.is_alphanumeric() || matches!(character, '-' | '_' | '.' | '@' | ' ' | '/' | ':'))
        && (before.is_empty() || before.ends_with(' ') || words <= 1)
        && words <= 3
}

/// Notes a name whose parts can be divided in two ways: agents join server and tool by `__`.
pub(super) fn collisions(text: &str, findings: &mut Findings<'_>) {
    // `tests/__snapshots__/a`: a path and no joined name.
    if text.len() > MAX_LENGTH
        || text.contains('/')
        || !text
            .chars()
            .all(|character| character.is_ascii_alphanumeric() || matches!(character, '_' | '-' | '.' | '/' | ':'))
    {
        return;
    }
    let joined = text.strip_prefix("mcp__");
    let name = joined.unwrap_or(text);
    let parts = name.split("__").count();
    let ambiguous = match joined {
        Some(_) => parts > 2 || name.contains("___") || name.starts_with('_') || name.ends_with('_'),
        None => parts > 2 && !name.starts_with("__") && !name.ends_with("__"),
    };
    if ambiguous {
        findings.note(FindingKind::NameCollision, 0, 1);
    }
}
