//! A command line taken apart, one row for each thing that would happen.

use std::collections::BTreeSet;

use handraise_display::line;
use handraise_gate::Entry;
use handraise_policy::rules::{PartDecision, PartKind};
use handraise_protocol::{CommandPart, PartPath, pieces};
use handraise_shell::{Part, Word, WordKind};

/// Most rows; a line with more is not understood anyway.
const MAX_ROWS: usize = 64;
/// Most paths of one row.
const MAX_PATHS: usize = 16;
/// Longest path or rule in one row, in characters; the rest is counted.
const MAX_TEXT: usize = 400;

/// The rows of a command line; none when the line is a single plain command.
pub(super) fn parts(entry: &Entry) -> Vec<CommandPart> {
    let decisions = &entry.evaluation.policy.parts;
    decisions.iter().filter(|part| part.kind != PartKind::Line).take(MAX_ROWS).map(|part| row(entry, part)).collect()
}

fn row(entry: &Entry, decision: &PartDecision) -> CommandPart {
    let command = entry.request.command.as_ref();
    let part = decision.command.and_then(|index| command?.parts.get(index));
    let paths = match decision.kind {
        PartKind::Command => part.map(|part| command_paths(entry, part)).unwrap_or_default(),
        _ => path(entry, &decision.text).into_iter().collect(),
    };
    CommandPart {
        kind: decision.kind.into(),
        command: decision.command.filter(|_| decision.kind == PartKind::Command).map(super::position),
        text: pieces(&decision.text),
        action: decision.action.into(),
        risk: decision.risk.level.into(),
        effect: super::effect(entry, entry.evaluation.policy.effect_of(decision)),
        rule: decision.rule.as_ref().map(|rule| line(rule.text(), MAX_TEXT)),
        why: line(&decision.why, MAX_TEXT),
        paths,
    }
}

/// The operands that lead somewhere, as files.
fn command_paths(entry: &Entry, part: &Part) -> Vec<PartPath> {
    let looks_like_path =
        |word: &&Word| word.kind == WordKind::Home || (names_file(&word.text) && !is_address(&word.text));
    let operands = part.words.iter().skip(1).filter(|word| !word.text.starts_with('-'));
    let texts: BTreeSet<String> = operands.filter(looks_like_path).filter_map(|word| part.path(word)).collect();
    texts.iter().filter_map(|text| path(entry, text)).take(MAX_PATHS).collect()
}

/// `/srv/x`, `../x`, `x.txt`; not `1.2.3` or `left-pad@1.3.0`.
fn names_file(word: &str) -> bool {
    let ends_in_number = word.rsplit('.').next().is_some_and(|end| end.chars().all(|c| c.is_ascii_digit()));
    word.contains('/') || (word.contains('.') && !ends_in_number)
}

/// `https://host/path`, `git@host:path`, `host:path`, `package@version`: the name of something elsewhere.
fn is_address(word: &str) -> bool {
    let before_path = word.split('/').next().unwrap_or_default();
    word.contains("://") || before_path.contains([':', '@'])
}

fn path(entry: &Entry, text: &str) -> Option<PartPath> {
    let resolved = entry.request.paths.get(text)?;
    let project = entry.request.project.as_deref()?;
    let inside = resolved.path == project || resolved.path.starts_with(&format!("{}/", project.trim_end_matches('/')));
    Some(PartPath { path: line(&resolved.path, MAX_TEXT), outside_project: !inside })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_no_file() {
        for address in [
            "https://github.com/x/y.git",
            "git@github.com:x/y.git",
            "host:/srv/x",
            "left-pad@1.3.0",
            "@scope/package",
            "registry.example:5000/image",
        ] {
            assert!(is_address(address) || !names_file(address), "{address}");
        }
        for file in ["/srv/x", "../x", "notes.txt", "src/a:b.txt", "./x@2.png", "~/x"] {
            assert!(names_file(file) && !is_address(file), "{file}");
        }
        assert!(!names_file("1.2.3"));
    }
}
