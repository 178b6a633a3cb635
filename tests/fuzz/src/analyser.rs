//! A command line that the analyser accepts has no surprises left in it.

use super::{is_refused_control, requoted};
use handraise_shell::{CommandLine, CommandPattern, MayRun, Part, Shell};

const UNINVITED: &str = "evil_program_x";

/// What holds of every text.
pub fn check(text: &str) {
    let line = CommandLine::analyse(text, Shell::Bash);
    assert!(CommandLine::analyse(text, Shell::Other).obstacle.is_some(), "another shell's line was accepted");
    if line.obstacle.is_some() {
        return;
    }
    let control = text.chars().find(|&character| is_refused_control(character));
    assert_eq!(control, None, "an accepted line holds a control character");
    for part in &line.parts {
        decoded_words_mean_themselves(part);
        coverage_implies_touch(part);
    }
    nothing_is_hidden_behind(text, &line);
}

/// Quoting the decoded words and analysing again gives the same words.
fn decoded_words_mean_themselves(part: &Part) {
    let Some(quoted) = requoted(part) else { return };
    let again = CommandLine::analyse(&quoted, Shell::Bash);
    if again.obstacle.is_some() {
        return;
    }
    // More are found when it runs others, as `find -exec` does.
    let found = again.parts.iter().find(|again| again.words.iter().eq(&part.words));
    assert!(found.is_some(), "{quoted} becomes {:?}", again.parts);
}

/// What a pattern allows, the same pattern also denies.
fn coverage_implies_touch(part: &Part) {
    let program = part.program().unwrap_or_default();
    let texts = [requoted(part), Some(format!("{program} *")), Some(part.text.clone())];
    for pattern in texts.iter().flatten().filter_map(|text| CommandPattern::parse(text).ok()) {
        assert!(
            !pattern.covers(part) || pattern.touches(&MayRun::of_part(part)),
            "{} covers without touching",
            pattern.text()
        );
    }
}

/// A command on a line of its own is found, whatever stands in front of it.
fn nothing_is_hidden_behind(text: &str, line: &CommandLine) {
    if text.ends_with('\\') {
        return;
    }
    let longer = format!("{text}\n{UNINVITED}");
    let longer = CommandLine::analyse(&longer, Shell::Bash);
    if longer.obstacle.is_none() {
        let found = longer.parts.iter().any(|part| part.program() == Some(UNINVITED));
        assert!(found, "a second line is not seen");
        assert!(longer.parts.len() > line.parts.len());
    }
}
