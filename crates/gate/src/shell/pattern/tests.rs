//! Patterns against commands.

use super::super::command_line::{CommandLine, Shell};
use super::{CommandPattern, InvalidCommandPattern, PatternWarning};

fn covers(pattern: &str, command: &str) -> bool {
    let pattern = CommandPattern::parse(pattern).unwrap();
    let line = CommandLine::analyse(command, Shell::Bash);
    line.obstacle.is_none() && !line.parts.is_empty() && line.parts.iter().all(|part| pattern.covers(part))
}

fn touches(pattern: &str, command: &str) -> bool {
    let pattern = CommandPattern::parse(pattern).unwrap();
    let line = CommandLine::analyse(command, Shell::Bash);
    match line.obstacle {
        Some(_) => pattern.touches_text(&line),
        None => line.parts.iter().any(|part| pattern.touches(part)),
    }
}

#[test]
fn a_final_star_is_any_further_words_and_a_glued_one_is_the_same() {
    for command in ["git status", "git status -s", "git status -- a b"] {
        assert!(covers("git status *", command), "{command}");
        assert!(covers("git status*", command), "{command}");
    }
    assert!(!covers("git status*", "git status-x"));
    assert!(!covers("ls*", "lsattr"));
}

#[test]
fn a_star_in_the_middle_is_one_word_that_is_no_option() {
    assert!(covers("mytool * list", "mytool a.txt list"));
    assert!(!covers("mytool * list", "mytool a.txt b list"));
    assert!(!covers("mytool * list", "mytool --x list"));
    assert!(!covers("mytool * list", "mytool list"));
}

#[test]
fn a_star_in_a_path_stays_in_its_folder() {
    assert!(covers("./scripts/*", "./scripts/a.sh"));
    assert!(covers("cat /var/log/*", "cat /var/log/syslog"));
    assert!(covers("cat /var/log/**", "cat /var/log/a/b"));
    assert!(!covers("cat /var/log/*", "cat /var/log/a/b"));
    assert!(!covers("cat /var/log/**", "cat /var/log/../../etc/shadow"));
    assert!(!covers("./scripts/*", "./scripts/../../evil/x.sh"));
    assert!(!covers("./scripts/*", "cd /evil && ./scripts/a.sh"));
}

#[test]
fn a_star_in_the_host_of_an_address_stays_there() {
    assert!(covers("mytool https://*.example.com/*", "mytool https://a.example.com/b/c"));
    assert!(!covers("mytool https://*.example.com/*", "mytool https://evil.org/a.example.com/b"));
    assert!(!covers("mytool https://*.example.com/*", "mytool https://evil.org#a.example.com/b"));
    assert!(!covers("mytool https://api.example.com*", "mytool https://api.example.com.evil.org/"));
}

#[test]
fn wrappers_that_change_nothing_need_no_rule() {
    for command in [
        "timeout 60 npm test",
        "time npm test",
        "nice -n 5 npm test",
        "/usr/bin/nice npm test",
        "env CI=1 npm test",
        "bash -c 'npm test'",
    ] {
        assert!(covers("npm test *", command), "{command}");
    }
    for command in [
        "sudo npm test",
        "xargs npm test",
        "env PATH=. npm test",
        "./timeout 5 npm test",
        "/tmp/env npm test",
        "./bash -c 'npm test'",
        "bash -c 'npm test; id'",
    ] {
        assert!(!covers("npm test *", command), "{command}");
    }
}

#[test]
fn a_pattern_may_spell_a_wrapper_out() {
    assert!(covers("timeout 60 npm test", "timeout 60 npm test"));
    assert!(covers("xargs -0 grep *", "xargs -0 grep -l foo"));
    assert!(covers("sudo systemctl status *", "sudo systemctl status nginx"));
    assert!(covers("bash -c 'npm test; id'", "bash -c 'npm test; id'"));
    assert!(covers("find . -exec grep foo {} +", "find . -exec grep foo {} +"));
    assert!(!covers("timeout *", "timeout 5 rm -rf x"));
    assert!(!covers("timeout * npm test", "timeout 5 npm test") || covers("npm test", "npm test"));
    assert!(!covers("xargs *", "xargs rm"));
    assert!(!covers("find . *", "find . -exec grep foo {} +"));
}

#[test]
fn an_option_that_executes_or_writes_has_to_be_spelled_out() {
    assert!(!covers("sort *", "sort -o x y"));
    assert!(!covers("sort *", "sort --outp=x y"));
    assert!(!covers("sort *", "sort -ro x y"));
    assert!(covers("sort -o x *", "sort -o x y"));
    assert!(covers("sort *", "sort -rn -k 2 y"));
    let pattern = CommandPattern::parse("find *").unwrap();
    let line = CommandLine::analyse("find . -delete", Shell::Bash);
    let sentence = pattern.refusal(line.parts.first().unwrap()).unwrap();
    assert_eq!(sentence, "`-delete` writes or removes files, so a pattern has to spell it out");
}

#[test]
fn a_redirection_or_an_assignment_is_never_covered() {
    assert!(!covers("echo *", "echo a > b"));
    assert!(!covers("echo a", "X=1 echo a"));
    assert!(covers("echo *", "CI=1 echo a 2>&1"));
}

#[test]
fn words_that_vary_are_covered_only_where_any_text_is_harmless() {
    assert!(covers("ls *", "ls \"$HOME\""));
    assert!(covers("rg *", "rg foo src/*"));
    assert!(!covers("rg *", "rg foo *"));
    assert!(!covers("rg *", "rg foo \"$x\""));
    assert!(!covers("rm ./a", "rm ./*"));
}

#[test]
fn a_rule_that_denies_means_every_disguise() {
    for command in [
        "rm -rf x",
        "/bin/rm -rf x",
        "sudo rm -rf x",
        "sudo -u a rm -rf x",
        "find . | xargs rm -rf",
        "find . -exec rm -rf {} +",
        "bash -c 'rm -rf x'",
        "r''m -rf x",
        "echo $(rm -rf x)",
        "timeout --odd 5 rm -rf x",
        "eval 'rm -rf x'",
        "ssh host rm -rf x",
        "x & rm -rf y",
        "watch rm -rf x",
        "rm \"$opts\" x",
    ] {
        assert!(touches("rm -rf *", command), "{command}");
    }
    assert!(!touches("rm -rf *", "echo rm"));
    assert!(!touches("rm -rf *", "ls -rf x"));
}

#[test]
fn a_pattern_that_can_never_match_is_refused() {
    assert_eq!(CommandPattern::parse("  "), Err(InvalidCommandPattern::Empty));
    assert_eq!(CommandPattern::parse("git status; ls"), Err(InvalidCommandPattern::Operator(";".to_owned())));
    assert_eq!(CommandPattern::parse("X=1 ls"), Err(InvalidCommandPattern::Assignment("X=1".to_owned())));
    for pattern in ["echo 'a", "echo $(x)", "ls > a", "a & b", "echo $'x'"] {
        assert!(CommandPattern::parse(pattern).is_err(), "{pattern}");
    }
}

#[test]
fn the_program_is_for_an_index() {
    assert_eq!(CommandPattern::parse("git status *").unwrap().program(), Some("git"));
    assert_eq!(CommandPattern::parse("* --version").unwrap().program(), None);
    let line = CommandLine::analyse("sudo /bin/rm x", Shell::Bash);
    let programs: Vec<&str> = line.parts.iter().flat_map(super::super::Part::programs).collect();
    assert_eq!(programs, ["sudo", "/bin/rm", "rm"]);
}

#[test]
fn a_rule_for_a_program_without_a_table_is_warned_about() {
    let warned = |pattern: &str| {
        let warnings = CommandPattern::parse(pattern).unwrap().warnings();
        warnings.iter().any(|warning| matches!(warning, PatternWarning::NoTable(_)))
    };
    for pattern in ["mytool *", "mytool list *", "/opt/mytool/mytool *"] {
        assert!(warned(pattern), "{pattern}");
    }
    // Nothing is left open, or it is a script of the project's own, or the program is known.
    for pattern in ["mytool list", "./scripts/check *", "phpunit *", "cargo test *", "ls *"] {
        assert!(!warned(pattern), "{pattern}");
    }
}
