//! Where a text comes from, and what can be odd about it there.

use super::character::{self, Hidden, is_mark};
use super::finding::{Finding, FindingKind, Findings};
use super::segment::{Segment, content_segments, segments};
use super::{claim, homoglyph, json, layout, markup, name};

/// Where a text comes from. The same words are a warning in one place and ordinary in another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextRole {
    /// Not known: everything is looked for.
    Anywhere,
    /// The name that an agent gives itself.
    AgentName,
    /// The name of a tool.
    ToolName,
    /// The name of a server.
    ServerName,
    /// A command line, another argument, a path, or what a requester says about its request.
    Argument,
    /// The content of a file: prose and programs may hold markup, and be long.
    Content,
    /// Arguments that are not text, written as JSON.
    Json,
}

/// What is odd about `text` in `place`, one finding of each kind.
#[must_use]
pub fn findings(text: &str, place: TextRole) -> Vec<Finding> {
    let segments = if place == TextRole::Content { content_segments(text) } else { segments(text) };
    findings_in(text, place, &segments)
}

pub(super) fn findings_in(text: &str, place: TextRole, segments: &[Segment]) -> Vec<Finding> {
    let mut findings = Findings::of(text);
    hidden(text, segments, &mut findings);
    homoglyph::letters(text, &mut findings);
    markup::links(text, &mut findings);
    if place == TextRole::Content {
        return findings.into_findings();
    }
    if place == TextRole::Json {
        json::members(text, &mut findings);
        return findings.into_findings();
    }
    homoglyph::signs(text, &mut findings);
    layout::newlines(text, &mut findings);
    layout::length(text, &mut findings);
    layout::filling(text, &mut findings);
    markup::markup(text, &mut findings);
    json::json(text, &mut findings);
    name::lookalikes(text, &mut findings);
    claim::narrative(text, &mut findings);
    claim::nested(text, &mut findings);
    if matches!(place, TextRole::Anywhere | TextRole::AgentName) {
        name::badges(text, &mut findings);
    }
    if matches!(place, TextRole::Anywhere | TextRole::ToolName | TextRole::ServerName) {
        name::collisions(text, &mut findings);
    }
    names(text, place, &mut findings);
    findings.into_findings()
}

/// What a name may not hold that another text may (threat model: names of servers and tools are
/// compared exactly and drawn beside each other).
fn names(text: &str, place: TextRole, findings: &mut Findings<'_>) {
    if !matches!(place, TextRole::AgentName | TextRole::ToolName | TextRole::ServerName) {
        return;
    }
    if let Some(at) = text.find('\n') {
        findings.note(FindingKind::Newline, at, 1);
    }
    if place == TextRole::ServerName && (text.contains("__") || text.starts_with('_') || text.ends_with('_')) {
        findings.note(FindingKind::NameCollision, 0, 1);
    }
    let plain = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '-' | '.' | '/' | ':');
    if place != TextRole::AgentName
        && let Some(at) = text.find(|character| !plain(character))
    {
        findings.tell(FindingKind::Confusable, at, || {
            "only ASCII letters, digits and . _ - / : are usual in this name".to_owned()
        });
    }
}

/// Notes what the segments name instead of drawing it.
fn hidden(text: &str, segments: &[Segment], findings: &mut Findings<'_>) {
    let mut characters = text.char_indices();
    for segment in segments {
        let at = characters.clone().next().map_or(text.len(), |(at, _)| at);
        match segment {
            Segment::Plain(_) | Segment::Host(_) => {}
            Segment::Hidden(hidden, character, count) => label(findings, *hidden, *character, at, *count),
            Segment::Marks(count) => findings.note(FindingKind::Combining, at, *count),
            Segment::Blanks(..) => findings.tell(FindingKind::Padding, at, || segment.label().unwrap_or_default()),
            Segment::EmptyLines(..) => {
                findings.tell(FindingKind::Padding, at, || segment.label().unwrap_or_default());
                findings.note(FindingKind::Newline, at, 1);
            }
        }
        if let Some(last) = segment.length().checked_sub(1) {
            characters.nth(last);
        }
    }
    if let Some(at) = text.find('\u{fffd}') {
        findings.note(FindingKind::Encoding, at, text.matches('\u{fffd}').count());
    }
    if segments.iter().any(|segment| matches!(segment, Segment::Hidden(Hidden::Tag, ..)))
        && let Some(hidden) = tagged(text)
    {
        let at = text.find(|character| character::hidden(character) == Some(Hidden::Tag)).unwrap_or_default();
        findings.tell(FindingKind::Tags, at, || hidden);
    }
}

fn label(findings: &mut Findings<'_>, hidden: Hidden, character: char, at: usize, count: usize) {
    /// Shortest run of one invisible character that is there to push text away.
    const PADDING: usize = 9;
    let mut note = |kind| findings.note(kind, at, count);
    match hidden {
        Hidden::Bidi => note(FindingKind::Bidi),
        Hidden::Tag => {
            note(FindingKind::Tags);
            note(FindingKind::Invisible);
        }
        Hidden::Invisible => note(FindingKind::Invisible),
        Hidden::OddSpace => note(FindingKind::OddSpace),
        Hidden::Mark => note(FindingKind::Combining),
        Hidden::Large => note(FindingKind::Padding),
        Hidden::Control => note(FindingKind::Control),
        Hidden::Separator => {
            note(FindingKind::Control);
            note(FindingKind::Invisible);
        }
    }
    if hidden == Hidden::Separator || matches!(character, '\r' | '\u{b}' | '\u{c}' | '\u{85}') {
        note(FindingKind::Newline);
    }
    if matches!(u32::from(character), 0xFDD0..=0xFDEF) || u32::from(character) & 0xFFFE == 0xFFFE {
        note(FindingKind::Encoding);
    }
    if count >= PADDING && !is_mark(character) && hidden != Hidden::Large {
        note(FindingKind::Padding);
    }
}

/// The ASCII text that the tag characters of `text` carry.
fn tagged(text: &str) -> Option<String> {
    let hidden: String = text
        .chars()
        .filter_map(|character| u32::from(character).checked_sub(0xE0000).filter(|code| (0x20..0x7F).contains(code)))
        .filter_map(char::from_u32)
        .take(80)
        .collect();
    (!hidden.trim().is_empty()).then(|| format!("they read `{hidden}`"))
}
