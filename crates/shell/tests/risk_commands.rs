//! Levels of command lines.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use handraise_shell::RiskLevel;
use handraise_shell::risk::{classify_command, classify_part, prints_credentials};
use handraise_shell::{CommandLine, Obstacle, Part, Shell, Word, WordKind};
use proptest::prelude::*;

const TABLE: &str = include_str!("data/risk_commands.tsv");

fn line(text: &str) -> CommandLine {
    CommandLine::analyse(text, Shell::Bash)
}

fn part(text: &str) -> Part {
    line(text).parts.into_iter().next().unwrap()
}

/// A command that is longer than what is analysed.
fn words(text: &str) -> CommandLine {
    let word = |text: &str| Word { text: text.to_owned(), kind: WordKind::Exact };
    CommandLine { parts: vec![Part { words: text.split(' ').map(word).collect(), ..Part::default() }], ..line("ls") }
}

fn rows() -> Vec<(RiskLevel, &'static str)> {
    let lines = TABLE.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|row| {
            let (level, command) = row.split_once('\t').unwrap();
            let level = match level {
                "r" => RiskLevel::ReadOnly,
                "w" => RiskLevel::Write,
                _ => RiskLevel::Destructive,
            };
            (level, command)
        })
        .collect()
}

#[test]
fn commands_have_their_level() {
    let rows = rows();
    assert!(rows.len() >= 250, "the table has {} commands", rows.len());
    let wrong: Vec<String> = rows
        .iter()
        .filter_map(|(expected, command)| {
            let got = classify_command(&line(command));
            (got.level != *expected).then(|| format!("`{command}`: expected {expected:?}, got {got:?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_clause_has_no_full_stop_and_no_line_break() {
    for (_, command) in rows() {
        let because = classify_command(&line(command)).because;
        assert!(!because.is_empty() && !because.contains('\n') && !because.ends_with('.'), "`{command}`: {because}");
    }
}

/// git(1), `-C`: it says where, not what.
#[test]
fn a_folder_in_front_of_a_sub_command_is_not_told_as_one() {
    for (command, told) in [
        ("git -C ../other push", "`git push` changes the other side"),
        ("git -C ../other -C x commit -m y", "`git commit` changes the repository"),
        ("git -C ../other log --oneline", "`git log` changes nothing"),
    ] {
        assert_eq!(classify_command(&line(command)).because, told, "{command}");
    }
}

#[test]
fn an_obstacle_is_at_least_writing() {
    let not_understood = |text: &str| CommandLine { obstacle: Some(Obstacle::NotAnalysed), ..line(text) };
    assert_eq!(classify_command(&not_understood("git status")).level, RiskLevel::Write);
    assert_eq!(classify_command(&not_understood("git status; rm -rf x")).level, RiskLevel::Destructive);
    let text_only = |text: &str| CommandLine { parts: Vec::new(), ..not_understood(text) };
    assert_eq!(classify_command(&text_only("ls")).level, RiskLevel::Write);
    assert_eq!(classify_command(&text_only("ls $'x'; rm -rf x")).level, RiskLevel::Destructive);
    assert_eq!(classify_command(&text_only("Remove-Item -Recurse -Force C:\\x")).level, RiskLevel::Destructive);
}

#[test]
fn a_line_without_a_command_is_writing() {
    assert_eq!(
        classify_command(&CommandLine { text: String::new(), parts: Vec::new(), flat: Vec::new(), obstacle: None })
            .level,
        RiskLevel::Write
    );
}

#[test]
fn a_folder_of_secrets_is_remembered() {
    assert_eq!(classify_command(&line("cd ~/.ssh && cat config")).level, RiskLevel::Write);
    assert_eq!(classify_command(&line("cd ~/.ssh && ls")).level, RiskLevel::ReadOnly);
    assert_eq!(classify_command(&line("cd ~ && grep -r x .")).level, RiskLevel::Write);
}

#[test]
fn a_program_that_is_called_like_another_one_prints_what_that_one_prints() {
    for (command, names) in [
        ("kubectl get secret x -o yaml", "oc k kubecolor microk8s.kubectl"),
        ("docker inspect x", "podman nerdctl"),
        ("jq '$ENV'", "gojq jaq"),
        ("pass x", "gopass"),
        ("awk 'BEGIN { for (n in ENVIRON) print ENVIRON[n] }'", "gawk mawk nawk"),
    ] {
        let (program, rest) = command.split_once(' ').unwrap();
        for name in names.split(' ').chain([program]) {
            let command = format!("{name} {rest}");
            assert!(prints_credentials(&part(&command)).is_some(), "{command}");
        }
    }
}

#[test]
fn words_that_xargs_adds_may_be_anything() {
    let wrapped = |text: &str| Part { wrappers: vec!["xargs".to_owned()], ..part(text) };
    assert_eq!(classify_part(&wrapped("grep -l x")).level, RiskLevel::Write);
    assert_eq!(classify_part(&wrapped("rm")).level, RiskLevel::Destructive);
    let by_folder = Part { wrappers: vec!["/usr/bin/xargs".to_owned()], ..part("grep -l x") };
    assert_eq!(classify_part(&by_folder).level, RiskLevel::Write);
}

#[test]
fn talking_to_another_machine_is_said() {
    for command in ["curl x", "git push", "npm install", "scp a b:c", "rsync a b:c", "docker pull x", "gh pr list"] {
        assert!(classify_command(&line(command)).network, "{command}");
    }
    for command in ["ls", "git status", "rsync a b", "docker ps", "cargo fmt"] {
        assert!(!classify_command(&line(command)).network, "{command}");
    }
    assert!(classify_command(&line("echo x > /dev/tcp/host/80")).network);
}

fn any_word() -> impl Strategy<Value = Word> {
    let known: Vec<String> = rows().iter().flat_map(|(_, command)| command.split(' ').map(str::to_owned)).collect();
    let text = prop_oneof![4 => proptest::sample::select(known), 1 => ".{0,12}", 1 => "-{1,2}[a-z]{1,6}(=.{0,4})?"];
    let kind = prop_oneof![4 => Just(WordKind::Exact), 1 => Just(WordKind::Varies), 1 => Just(WordKind::Home)];
    (text, kind).prop_map(|(text, kind)| Word { text, kind })
}

fn any_part() -> impl Strategy<Value = Part> {
    let words = proptest::collection::vec(any_word(), 0..8);
    let few = || proptest::collection::vec(any_word(), 0..2);
    (words, few(), few(), proptest::collection::vec("[a-z]{1,8}", 0..2)).prop_map(|(words, writes, reads, wrappers)| {
        Part {
            text: words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" "),
            words,
            writes,
            reads,
            wrappers,
            ..Part::default()
        }
    })
}

proptest! {
    #[test]
    fn another_part_never_lowers_the_level(
        parts in proptest::collection::vec(any_part(), 1..5), added in any_part(), not_understood in any::<bool>(),
    ) {
        let obstacle = not_understood.then_some(Obstacle::NotAnalysed);
        let before = CommandLine { text: String::new(), parts, flat: Vec::new(), obstacle };
        let mut after = before.clone();
        after.parts.push(added);
        prop_assert!(classify_command(&after).level >= classify_command(&before).level);
    }

    #[test]
    fn an_unknown_option_makes_a_command_more_than_looking(row in any::<prop::sample::Index>(), option in "--zz[a-z]{1,8}") {
        let rows: Vec<_> = rows().into_iter().filter(|(level, command)| {
            // These print whatever they get, or end with an operator that takes any word.
            let prints = ["echo", "printf", "["].iter().any(|program| command.starts_with(program));
            *level == RiskLevel::ReadOnly && !prints && !command.contains([';', '&', '|', '>', '<'])
        }).collect();
        let (_, command) = rows[row.index(rows.len())];
        prop_assert!(classify_command(&line(&format!("{command} {option}"))).level > RiskLevel::ReadOnly, "{} {}", command, option);
    }

    #[test]
    fn an_assignment_or_a_written_file_is_more_than_looking(row in any::<prop::sample::Index>()) {
        let rows = rows();
        let (_, command) = rows[row.index(rows.len())];
        let plain = part(command);
        let assigned = Part { assignments: vec!["A=b".to_owned()], ..plain.clone() };
        let written = Part { writes: vec![Word { text: "out.txt".to_owned(), kind: WordKind::Exact }], ..plain };
        prop_assert!(classify_part(&assigned).level > RiskLevel::ReadOnly);
        prop_assert!(classify_part(&written).level > RiskLevel::ReadOnly);
    }
}

/// The work is in proportion to the length: a long command of each kind comes to an end.
#[test]
fn long_commands_come_to_an_end() {
    for start in ["git", "git --a", "kubectl", "find", "rm", "env", "psql", "echo", "aws", "sed -n 1p"] {
        let many = format!("{start}{}", " --x a".repeat(5_000));
        assert!(classify_command(&words(&many)).level >= RiskLevel::ReadOnly);
    }
    let parts = part("ls");
    let many = CommandLine { parts: vec![parts; 5_000], ..line("ls") };
    assert_eq!(classify_command(&many).level, RiskLevel::ReadOnly);
}
