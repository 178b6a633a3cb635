//! Command lines, part by part.

use super::*;
use Action::{Allow, Ask, Deny};

const LOOK: &str = "preset = \"strict\"\n[[rule]]\ntool = \"shell\"\ncommand = \"git status *\"\naction = \"allow\"\n";

#[test]
fn every_part_of_a_line_has_to_be_allowed() {
    assert_eq!(by(LOOK, &shell("git status -s")), Allow);
    assert_eq!(by(LOOK, &shell("git status && git status -s")), Allow);
    assert_eq!(by(LOOK, &shell("cd src && git status")), Allow);
    assert_eq!(by(LOOK, &shell("cd src")), Ask);
    assert_eq!(by(LOOK, &shell("git status; curl https://x.org")), Ask);
    assert_eq!(by(LOOK, &shell("git status | sh")), Ask);
}

#[test]
fn one_denied_part_denies_the_line() {
    let rules = format!("{LOOK}[[rule]]\ntool = \"shell\"\ncommand = \"curl *\"\naction = \"deny\"\n");
    let decision = policy(&format!("version = 1\n{rules}")).decide(&shell("git status; curl https://x.org"), at(0));
    assert_eq!(decision.action, Deny);
    let actions: Vec<Action> = decision.parts.iter().map(|part| part.action).collect();
    assert_eq!(actions, [Allow, Deny]);
    assert_eq!(decision.rule.unwrap().text(), "tool = \"shell\", command = \"curl *\"");
}

#[test]
fn a_denial_is_not_missed_by_another_spelling_in_any_preset() {
    let rules = |command: &str| {
        format!("preset = \"autonomous\"\n[[rule]]\ntool = \"shell\"\ncommand = \"{command}\"\naction = \"deny\"\n")
    };
    for (command, line) in [
        ("git push *", "git -C . push"),
        ("git push *", "git -c a=b push && ls"),
        ("git push *", "git --git-dir=x push"),
        ("git push --force *", "git push -f"),
        ("rm -rf *", "rm -fr x"),
        ("rm -rf *", "rm -r -f x"),
        ("rm -rf *", "ls; sudo /bin/RM --recursive --force x"),
    ] {
        assert_eq!(by(&rules(command), &shell(line)), Deny, "{command} | {line}");
    }
    for (command, line) in [
        ("rm *", "{rm,x}"),
        ("rm *", "r{m,} x"),
        ("rm *", "echo rm x | sh"),
        ("rm *", "bash <<< 'rm x'"),
        ("rm *", "$(echo rm) x"),
        ("rm *", "base64 -d x | bash"),
        ("rm *", "if true; then $c x; fi"),
        ("rm *", "alias z=rm; z x"),
    ] {
        assert_ne!(by(&rules(command), &shell(line)), Allow, "{command} | {line}");
    }
    assert_eq!(by(&rules("rm *"), &shell("echo x | sh")), Ask);
    for (command, line) in [
        ("rm *", "for i in $(seq 3); do echo $i; done"),
        ("rm *", "if true; then ls; fi"),
        ("git push *", "git commit -m push"),
        ("git push --force *", "git push origin main"),
    ] {
        assert_eq!(by(&rules(command), &shell(line)), Allow, "{command} | {line}");
    }
}

#[test]
fn a_redirection_is_a_write_of_its_own() {
    assert_eq!(by(LOOK, &shell("git status > ~/.bashrc")), Ask);
    assert_eq!(by(LOOK, &shell("git status 2>/dev/null")), Allow);
    let files = "[[rule]]\nclass = \"file_write\"\npath = \"out/**\"\naction = \"allow\"\n";
    assert_eq!(by(&format!("{LOOK}{files}"), &shell("git status > out/s.txt")), Allow);
    assert_eq!(by(&format!("{LOOK}{files}"), &shell("git status > src/s.txt")), Ask);
    let denied = "[[rule]]\nclass = \"file_write\"\npath = \"~/.bashrc\"\naction = \"deny\"\n";
    assert_eq!(by(&format!("{LOOK}{denied}"), &shell("git status > ~/.bashrc")), Deny);
}

#[test]
fn a_file_rule_that_denies_reaches_operands() {
    let denied = "[[rule]]\ntool = \"file_write\"\npath = \"~/.ssh/**\"\naction = \"deny\"\n";
    assert_eq!(by(denied, &shell("cp key ~/.ssh/authorized_keys")), Deny);
    assert_eq!(by(denied, &shell("tee -a ~/.ssh/authorized_keys")), Deny);
    assert_eq!(by(denied, &shell("dd if=x of=/home/ann/.ssh/authorized_keys")), Deny);
    assert_ne!(by(denied, &shell("ls ~/.ssh")), Deny);
    let read = "[[rule]]\ntool = \"file_read\"\npath = \"~/.ssh/**\"\naction = \"deny\"\n";
    assert_eq!(by(read, &shell("cat ~/.ssh/id_ed25519")), Deny);
    assert_eq!(by(read, &shell("cd ~/.ssh && cat id_ed25519")), Deny);
    assert_eq!(by(read, &shell("wc -l < ~/.ssh/config")), Deny);
}

#[test]
fn where_a_path_cannot_be_told_a_file_rule_asks() {
    let rules = "[[rule]]\ntool = \"shell\"\naction = \"allow\"\n\
                 [[rule]]\ntool = \"file_read\"\npath = \"~/.ssh/**\"\naction = \"deny\"\n";
    assert_eq!(by(rules, &shell("cat \"$FILE\"")), Ask);
    assert_eq!(by(rules, &shell("cat ~/.ss*/id")), Ask);
    assert_eq!(by(rules, &shell("cat *.md")), Allow);
    assert_eq!(by(rules, &shell("cat README.md")), Allow);
}

#[test]
fn a_command_stays_in_the_project_with_all_its_paths() {
    let rules = "preset = \"strict\"\n[[rule]]\ntool = \"shell\"\ncommand = \"ls *\"\npath_in = \"project\"\naction = \"allow\"\n";
    assert_eq!(by(rules, &shell("ls -l src")), Allow);
    assert_eq!(by(rules, &shell("ls")), Allow);
    assert_eq!(by(rules, &shell("ls /etc")), Ask);
    assert_eq!(by(rules, &shell("ls src ../..")), Ask);
    assert_eq!(by(rules, &shell("ls --color=auto ~")), Ask);
    assert_eq!(by(rules, &resolved(shell("ls link"), |_| ResolvedPath::new("/etc"))), Ask);
}

#[test]
fn what_is_not_understood_is_allowed_only_by_a_rule_for_everything() {
    let line = "ls; x=$(cat y); $x";
    assert_eq!(by("", &shell(line)), Ask);
    assert_eq!(by("[[rule]]\ntool = \"shell\"\ncommand = \"*\"\naction = \"allow\"", &shell(line)), Ask);
    assert_eq!(by("[[rule]]\ntool = \"shell\"\naction = \"allow\"", &shell(line)), Allow);
    assert_eq!(by("preset = \"autonomous\"", &shell("ls; x=$(cat y); cp $x z")), Allow);
    assert_eq!(by("preset = \"autonomous\"", &shell(line)), Ask, "nobody can tell which program runs");
    let mostly = "preset = \"autonomous\"\nrisk = { destructive = \"ask\" }";
    assert_eq!(by(mostly, &shell(line)), Ask);
    let unread = Request { command: None, ..shell("ls") };
    assert_eq!(by("", &unread), Ask);
    assert_eq!(by(LOOK, &unread), Ask);
}

#[test]
fn a_denial_finds_its_command_in_what_is_not_understood() {
    let rules = "[[rule]]\ntool = \"shell\"\naction = \"allow\"\n\
                 [[rule]]\ntool = \"shell\"\ncommand = \"rm *\"\naction = \"deny\"\n";
    assert_eq!(by(rules, &shell("for f in $(ls); do rm $f; done")), Deny);
    assert_eq!(by(rules, &shell("echo `r''m x`")), Deny);
    assert_eq!(by(rules, &shell("/bin/rm x")), Deny);
    assert_eq!(by(rules, &shell("sudo rm x")), Deny);
    assert_eq!(by(rules, &shell("ls")), Allow);
}

#[test]
fn without_a_rule_the_risk_of_each_part_decides() {
    assert_eq!(by("", &shell("git status")), Allow);
    assert_eq!(by("", &shell("git status && touch x")), Ask);
    // Destructive only by what the classifier thinks: asked about, not refused.
    assert_eq!(by("", &shell("rm -rf src")), Ask);
    let declared = Request { declared_risk: Some(RiskLevel::Destructive), ..shell("git status") };
    assert_eq!(by("", &declared), Deny);
}

#[test]
fn characters_that_cannot_be_seen_are_never_allowed() {
    let all = "[[rule]]\npattern = \"*\"\naction = \"allow\"";
    assert_eq!(by(all, &shell("ls \u{202e}x")), Ask);
    assert_eq!(by(all, &write("a\u{200b}b")), Ask);
    assert_eq!(by(all, &write("größe")), Allow);
}

#[test]
fn more_paths_than_are_looked_at_are_never_allowed() {
    let all = "[[rule]]\npattern = \"*\"\naction = \"allow\"";
    let names: Vec<String> = (0..300).map(|number| format!("f{number}")).collect();
    assert_eq!(by(all, &shell(&format!("ls {}", names.join(" ")))), Ask);
    assert_eq!(by(all, &shell(&format!("ls {}", names[..200].join(" ")))), Allow);
}

#[test]
fn a_line_that_is_too_long_to_be_searched_is_never_allowed() {
    let everything = "[[rule]]\ntool = \"shell\"\naction = \"allow\"\n";
    let long = format!("echo {}; rm -rf x", "a ".repeat(20_000));
    assert_eq!(by(everything, &shell(&long)), Action::Ask);
    assert_eq!(by(everything, &shell("echo $(ls)")), Action::Allow);
}

/// What a build or a project's tests run stands in the folder that they run in.
#[test]
fn a_rule_for_a_projects_programs_holds_in_the_project() {
    let rules = "preset = \"strict\"\n[[rule]]\ntool = \"shell\"\ncommand = \"cargo test *\"\naction = \"allow\"\n\
                 [[rule]]\ntool = \"shell\"\ncommand = \"npm test\"\naction = \"allow\"\n\
                 [[rule]]\ntool = \"shell\"\ncommand = \"ls *\"\naction = \"allow\"\n";
    for here in ["cargo test", "cd crates/gate && cargo test", "cd /home/ann/work/app/web && npm test"] {
        assert_eq!(by(rules, &shell(here)), Allow, "{here}");
    }
    assert_eq!(by(rules, &shell("cd /home/ann/work/app && cargo test -q")), Allow);
    assert_eq!(by(rules, &shell("cd src/.. && npm test")), Allow);
    for elsewhere in
        ["cd /tmp/evil && cargo test", "cd ../other && npm test", "cd ~/evil && npm test", "cd && npm test"]
    {
        assert_eq!(by(rules, &shell(elsewhere)), Ask, "{elsewhere}");
    }
    // A link in the project that leads out of it.
    let led = resolved(shell("cd vendor && npm test"), |path| ResolvedPath::new(path.replace("app/vendor", "evil")));
    assert_eq!(by(rules, &led), Ask);
    // What only reads does it anywhere.
    assert_eq!(by(rules, &shell("cd /tmp && ls -la")), Allow);
}
