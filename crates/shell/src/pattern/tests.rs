//! Patterns against commands.

use super::super::command_line::{CommandLine, Shell};
use super::{CommandPattern, InvalidCommandPattern, MayRun, PatternWarning, RuleMatch};

fn covers(pattern: &str, command: &str) -> bool {
    let pattern = CommandPattern::parse(pattern).unwrap();
    let line = CommandLine::analyse(command, Shell::Bash);
    line.obstacle.is_none() && !line.parts.is_empty() && line.parts.iter().all(|part| pattern.covers(part))
}

fn touches(pattern: &str, command: &str) -> bool {
    let pattern = CommandPattern::parse(pattern).unwrap();
    let line = CommandLine::analyse(command, Shell::Bash);
    match line.obstacle {
        Some(_) => pattern.touches(&MayRun::of_line(&line)),
        None => line.parts.iter().any(|part| pattern.touches(&MayRun::of_part(part))),
    }
}

#[test]
fn a_script_of_the_project_gets_nothing_from_elsewhere() {
    for (pattern, rest) in [
        ("npm test *", "npm test"),
        ("npm run lint *", "npm run lint"),
        ("npm run test:unit *", "npm run test:unit"),
        ("yarn test *", "yarn test"),
        ("pnpm test *", "pnpm test"),
        ("pnpm run build *", "pnpm run build"),
        ("python3 manage.py test *", "python3 manage.py test"),
    ] {
        for operand in ["/tmp/evil/x.js", "../evil/x.js", "~/Downloads/x.js", "src/../../x"] {
            assert!(!covers(pattern, &format!("{rest} {operand}")), "{rest} {operand}");
        }
        assert!(covers(pattern, &format!("{rest} src/a.test.js")), "{rest}");
    }
    assert!(covers("cargo nextest *", "cargo nextest run -p a"));
    assert!(!covers("cargo nextest *", "cargo nextest self update"));
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

/// Found by fuzzing: behind an option the first `--` may be its value, and so the second one the end of the options; a name with
/// brackets may find files, or be the name.
#[test]
fn what_is_spelled_out_is_denied() {
    for line in ["x g --wp --w -- -D w -- -D v", "x --w -- a -- b", "x --w -- -- a", "'git/]bi[[' of=x"] {
        assert!(covers(line, line) && touches(line, line), "{line}");
    }
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

fn touch(pattern: &str, command: &str) -> RuleMatch {
    let pattern = CommandPattern::parse(pattern).unwrap();
    let line = CommandLine::analyse(command, Shell::Unknown);
    match line.obstacle {
        Some(_) => pattern.touch(&MayRun::of_line(&line)),
        None => line.parts.iter().map(|part| pattern.touch(&MayRun::of_part(part))).max().unwrap(),
    }
}

#[test]
fn a_rule_that_denies_is_not_missed_by_another_spelling() {
    for (pattern, command) in [
        ("git push *", "git -C . push"),
        ("git push *", "git -c a=b push origin"),
        ("git push *", "git --git-dir=x push"),
        ("git push *", "git --git-dir x --work-tree y push"),
        ("git push *", "git --no-pager push"),
        ("git push *", "git -P -C . push"),
        ("git push *", "/usr/bin/GIT push"),
        ("docker rm *", "docker --context x rm y"),
        ("npm publish *", "npm --prefix x publish"),
        ("npm publish", "npm publish"),
        ("kubectl delete *", "kubectl -n x delete pod y"),
        ("kubectl delete *", "kubectl --namespace=x --context y delete pod z"),
        ("cargo publish *", "cargo --config x publish"),
        ("rm -rf *", "rm -fr x"),
        ("rm -rf *", "rm -r -f x"),
        ("rm -rf *", "rm -f x -r"),
        ("rm -rf *", "rm -vrf x"),
        ("rm -rf *", "rm -Rf x"),
        ("rm -rf *", "rm --recursive --force x"),
        ("rm -rf *", "rm --rec --forc x"),
        ("rm -rf *", "\\rm -r -f x"),
        ("rm -rf *", "sudo -u x rm -r -f y"),
        ("rm -rf *", "env rm -r -f y"),
        ("rm -rf *", "command rm -fr y"),
        ("rm -rf *", "ls | xargs rm -fr"),
        ("rm -rf *", "find . -exec rm -fr {} +"),
        ("rm -rf *", "bash -c 'rm -f -r x'"),
        ("rm -rf *", "timeout 5 /bin/rm -r x -f"),
        ("rm --recursive *", "rm -r x"),
        ("git push --force *", "git push -f"),
        ("git push --force *", "git push --forc"),
        ("git push --force *", "git push origin main --force"),
        ("git push --force *", "git push origin +main"),
        ("git push --force *", "git -C . push origin main -f"),
        ("git push -f *", "git push --force"),
        ("git push --delete *", "git push origin :main"),
        ("git branch -D *", "git branch --delete --force x"),
        ("git commit --no-verify *", "git commit -nm x"),
        ("rm ./build/*", "rm a ./build/x"),
        ("git push origin main", "git push origin main"),
    ] {
        assert_eq!(touch(pattern, command), RuleMatch::Yes, "{pattern} | {command}");
    }
}

#[test]
fn what_a_rule_that_denies_may_mean_is_asked_about() {
    for (pattern, command) in [
        ("rm *", "{rm,x}"),
        ("rm *", "r{m,} x"),
        ("rm -rf *", "{rm,-rf,x}"),
        ("rm *", "rm${IFS}x"),
        ("git push *", "git {-C,.,push}"),
        ("git push *", "git --git-dir=\"$x\" push"),
        ("git push *", "git -C \"$x\" push"),
        ("rm *", "echo rm x | sh"),
        ("rm *", "printf 'rm x' | bash"),
        ("rm *", "base64 -d x | sh"),
        ("rm *", "base64 -d x | sudo sh -x"),
        ("rm *", "bash <<< 'rm x'"),
        ("rm *", "sh <<'E'\nr''m x\nE"),
        ("rm *", "bash -s < x"),
        ("rm *", ". /dev/stdin"),
        ("rm *", "$(echo rm) x"),
        ("rm -rf *", "$(echo rm) -rf x"),
        ("rm -rf *", "$(echo rm -rf) x"),
        ("rm *", "r$(:)m x"),
        ("rm *", "r`:`m x"),
        ("rm *", "a=rm; $a x"),
        ("rm *", "$'rm' x"),
        ("rm *", "alias z=rm; z x"),
        ("rm -rf *", "alias z='rm -r'; z -f x"),
        ("rm -rf *", "hash -p /bin/rm z; z -rf x"),
        ("rm -rf *", "rm \"$o\" x"),
        ("rm -rf *", "busybox rm -r -f x"),
        ("rm -rf *", "ssh host 'rm -r -f x'"),
        ("git push *", "git \"$x\""),
        ("git push *", "git --unheard-of x push"),
        ("git push", "git push -v"),
        ("rm ./build/*", "rm -rf ./build/x"),
        ("rm *", ">x $c"),
        ("rm *", "time -p $c"),
        ("rm *", "xargs $x"),
        ("rm *", "sudo \"$x\""),
        ("rm *", "eval \"$x\""),
        ("rm *", "ssh h \"$x\""),
        ("git push --force *", "git push --unheard-of-f -xf"),
        ("tool --force *", "tool -f"),
        ("tool -f *", "tool --force"),
        ("git push --force *", "git push -o -- --force origin main"),
        ("git push --force *", "git push -- origin +main"),
        ("git push *", "git -C -- -c a=b push"),
        ("git push *", "git -C -- --git-dir x push"),
    ] {
        assert_ne!(touch(pattern, command), RuleMatch::No, "{pattern} | {command}");
    }
    for (pattern, command) in [("rm *", "$(echo x) x"), ("rm *", "echo x | sh"), ("tool --force *", "tool -f")] {
        assert_eq!(touch(pattern, command), RuleMatch::Perhaps, "{pattern} | {command}");
    }
    assert_eq!(touch("rm -rf *", "=rm -rf x"), RuleMatch::Yes);
}

#[test]
fn a_rule_that_denies_leaves_other_commands_alone() {
    for (pattern, command) in [
        ("git push *", "git commit -m push"),
        ("git push *", "git status"),
        ("git push *", "git stash push"),
        ("git push *", "git -C push status"),
        ("git push *", "git -C \"$x\" status"),
        ("git push *", "git log \"$x\""),
        ("git push --force *", "git push origin main"),
        ("git push --force *", "git push --follow-tags"),
        ("git push --force *", "git push --force-with-lease"),
        ("rm -rf *", "rm -r x"),
        ("rm -rf *", "rm -f x"),
        ("rm -rf *", "rm -- -rf"),
        ("rm *", "echo rm"),
        ("rm *", "for i in a b; do echo \"$i\"; done"),
        ("rm *", "for i in $(seq 3); do echo $i; done"),
        ("rm *", "bash script.sh"),
        ("rm *", "bash --version"),
        ("rm *", "python3 x.py"),
        ("rm *", "git log \"$x\""),
        ("rm *", "make \"$x\""),
        ("npm publish *", "npm run build -- --x publish"),
        ("npm publish *", "npm run publish-docs"),
        ("kubectl delete *", "kubectl get pods -n delete"),
        ("git push", "git push origin main"),
        ("docker rm *", "docker run --rm x"),
    ] {
        assert_eq!(touch(pattern, command), RuleMatch::No, "{pattern} | {command}");
    }
}

#[test]
fn a_rule_that_denies_narrowly_is_warned_about() {
    let warnings = |pattern: &str| CommandPattern::parse(pattern).unwrap().warnings_of_tightening();
    for pattern in ["git push", "kubectl delete --namespace=prod *", "git push * main", "rm -*f* *"] {
        assert_ne!(warnings(pattern), [], "{pattern}");
    }
    for pattern in ["git push *", "git push --force *", "rm -rf *", "rm ./build/*", "git push origin main", "sudo *"] {
        assert_eq!(warnings(pattern), [], "{pattern}");
    }
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

#[test]
fn a_rule_whose_last_star_covers_no_operand_is_warned_about() {
    let warned = |pattern: &str| {
        let warnings = CommandPattern::parse(pattern).unwrap().warnings();
        warnings.iter().any(|warning| matches!(warning, PatternWarning::NoOperand(_)))
    };
    for pattern in
        ["npm run *", "npm *", "git *", "cargo *", "make *", "python3 *", "bash *", "rm *", "docker *", "sudo *"]
    {
        assert!(warned(pattern), "{pattern}");
        let name = pattern.replace('*', "name");
        let line = CommandLine::analyse(&name, Shell::Bash);
        assert!(!CommandPattern::parse(pattern).unwrap().covers(&line.parts[0]), "{pattern} covers {name}");
    }
    // It covers some operand, nothing is left open, or another warning says it.
    for pattern in [
        "npm run test *",
        "git status *",
        "git log *",
        "cargo test *",
        "make test *",
        "ls *",
        "find *",
        "pytest *",
        "npm run",
        "mytool *",
        "./scripts/check *",
        "uname *",
    ] {
        assert!(!warned(pattern), "{pattern}");
    }
}

#[test]
fn a_command_that_may_run_in_several_folders_is_looked_at_once() {
    let line = CommandLine::analyse("cd a; cd b; sudo ls -l x", Shell::Bash);
    let ls: Vec<_> = line.parts.iter().filter(|part| part.program() == Some("ls")).collect();
    assert!(ls.len() > 1, "{:?}", line.parts);
    assert!(ls.iter().all(|part| part.wording() == ls[0].wording()), "{ls:?}");
    let other = CommandLine::analyse("sudo ls -l y", Shell::Bash);
    assert_ne!(other.parts[0].wording(), ls[0].wording());
}

#[test]
fn what_a_command_may_run_is_known_by_every_name_of_its_programs() {
    let line = CommandLine::analyse("sudo /usr/bin/GIT -C x push; npx y; bash -c 'rm z'", Shell::Bash);
    let programs = |part| {
        let may_run = MayRun::of_part(part);
        may_run.programs().map(str::to_owned).collect::<Vec<_>>()
    };
    let all: Vec<String> = line.parts.iter().flat_map(programs).collect();
    for program in ["sudo", "git", "/usr/bin/git", "npx", "npm", "rm"] {
        assert!(all.iter().any(|found| found == program), "{program}: {all:?}");
    }
    let push = MayRun::of_part(&line.parts[0]);
    assert!(push.sub_commands().is_some_and(|words| words.contains("push") && !words.contains("sudo")));
    let any = CommandLine::analyse("$x push", Shell::Bash);
    assert!(
        MayRun::of_part(&any.parts[0]).may_be_any_program() && MayRun::of_part(&any.parts[0]).sub_commands().is_none()
    );
}
