//! Laws of command lines and patterns, on random text.

use handraise_shell::{CommandLine, CommandPattern, MayRun, Part, Shell, WordKind};
use proptest::prelude::*;

/// Text in which quotes, operators and expansions are frequent.
fn shell_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("git"),
        Just("status"),
        Just("find"),
        Just("-exec"),
        Just("sort"),
        Just("-o"),
        Just("xargs"),
        Just("sudo"),
        Just("env"),
        Just("bash"),
        Just("-c"),
        Just("timeout"),
        Just("5"),
        Just("rm"),
        Just("ls"),
        Just("*"),
        Just(" "),
        Just(" "),
        Just(" "),
        Just("\n"),
        Just(";"),
        Just("&&"),
        Just("|"),
        Just("&"),
        Just("("),
        Just(")"),
        Just("{"),
        Just("}"),
        Just("<"),
        Just(">"),
        Just("<<'E'\n"),
        Just("E\n"),
        Just("'"),
        Just("\""),
        Just("\\"),
        Just("$"),
        Just("$("),
        Just("`"),
        Just("!"),
        Just("#"),
        Just("~"),
        Just("="),
        Just("for x in a; do "),
        Just("; done"),
        Just("{}"),
        Just("\\;"),
        Just("\u{e9}"),
        Just("tar"),
        Just("sed"),
        Just("s/a/b/"),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

fn patterns() -> impl Strategy<Value = Vec<CommandPattern>> {
    let pattern = prop_oneof![
        Just("git status *"),
        Just("git *"),
        Just("find *"),
        Just("sort*"),
        Just("xargs *"),
        Just("sudo *"),
        Just("bash -c *"),
        Just("ls *"),
        Just("rm ./a"),
        Just("* status"),
        Just("*"),
        Just("timeout 5 *"),
        Just("env *"),
        Just("tar *"),
        Just("sed *"),
        Just("./x/*"),
    ];
    prop::collection::vec(pattern, 1..6)
        .prop_map(|texts| texts.into_iter().filter_map(|text| CommandPattern::parse(text).ok()).collect())
}

fn single_quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

fn double_quoted(word: &str) -> String {
    let escaped: String = word
        .chars()
        .flat_map(|character| {
            matches!(character, '"' | '\\' | '$' | '`').then_some('\\').into_iter().chain([character])
        })
        .collect();
    format!("\"{escaped}\"")
}

fn escaped(word: &str) -> String {
    word.chars().flat_map(|character| ['\\', character]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn analysing_and_matching_end_for_any_text(text in any::<String>(), other in shell_text(), patterns in patterns()) {
        for text in [text, other] {
            let line = CommandLine::analyse(&text, Shell::Bash);
            for pattern in &patterns {
                let _ = pattern.touches(&MayRun::of_line(&line));
                for part in &line.parts {
                    // What allows a command also means it.
                    prop_assert!(!pattern.covers(part) || pattern.touches(&MayRun::of_part(part)), "{pattern:?} {part:?}");
                    prop_assert!(pattern.refusal(part).is_none() || !pattern.covers(part));
                    let _ = part.paths();
                }
            }
            let _ = CommandPattern::parse(&text).map(|pattern| pattern.warnings());
        }
    }

    #[test]
    fn a_pattern_never_covers_what_writes_or_assigns(text in shell_text(), patterns in patterns()) {
        let line = CommandLine::analyse(&text, Shell::Bash);
        for part in line.parts.iter().filter(|part| !part.writes.is_empty() || !part.assignments.is_empty()) {
            prop_assert!(patterns.iter().all(|pattern| !pattern.covers(part)));
        }
    }

    #[test]
    fn more_behind_a_separator_never_makes_a_line_allowed(
        first in shell_text(), second in shell_text(), patterns in patterns(), separator in prop_oneof![Just(";"), Just("\n"), Just(" && "), Just(" | ")]
    ) {
        let allowed = |line: &CommandLine| {
            let covered = |part: &Part| patterns.iter().any(|pattern| pattern.covers(part));
            line.obstacle.is_none() && !line.parts.is_empty() && line.parts.iter().all(covered)
        };
        let alone = CommandLine::analyse(&first, Shell::Bash);
        let both = CommandLine::analyse(&format!("{first}{separator}{second}"), Shell::Bash);
        // A first line that is complete in itself stays what it was.
        if alone.obstacle.is_none() && !alone.parts.is_empty() && allowed(&both) && !first.contains(['#', '\\', '\n']) {
            prop_assert!(allowed(&alone), "{first:?} + {second:?}");
        }
    }

    #[test]
    fn quoted_words_come_back_as_they_were(words in prop::collection::vec("[ -~\u{e9}\u{4e16}]{1,12}", 1..5)) {
        for quote in [single_quoted, double_quoted, escaped] {
            let text = format!("program {}", words.iter().map(|word| quote(word)).collect::<Vec<_>>().join(" "));
            let line = CommandLine::analyse(&text, Shell::Bash);
            let Some(part) = line.parts.first().filter(|_| line.obstacle.is_none()) else { continue };
            let decoded: Vec<&str> = part.words.iter().skip(1).map(|word| word.text.as_str()).collect();
            prop_assert_eq!(decoded, words.iter().map(String::as_str).collect::<Vec<_>>(), "{}", text);
            prop_assert!(part.words.iter().all(|word| word.kind == WordKind::Exact), "{}", text);
        }
    }
}
