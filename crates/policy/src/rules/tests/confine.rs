//! What runs confined, and what is asked about although a rule would confine it.

use super::*;
use crate::path::Protection;
use crate::rules::{CACHES, PartKind, Walls};

const CONFINE: &str = "[[rule]]\nclass = \"shell\"\naction = \"confine\"\n";

fn walled(line: &str) -> Request {
    let call = ConfinedCall { has_namespaces: true, ..ConfinedCall::default() };
    Request { confinable: Confinable::Yes(Box::new(call)), ..shell(line) }
}

fn decided(rules: &str, request: &Request) -> PolicyDecision {
    policy(&format!("version = 1\n{rules}")).decide(request, at(0))
}

#[test]
fn strictness_is_the_order_of_the_actions() {
    let mut actions = [Action::Deny, Action::Confine, Action::Allow, Action::Ask];
    actions.sort();
    assert_eq!(actions, [Action::Allow, Action::Confine, Action::Ask, Action::Deny]);
}

#[test]
fn a_line_runs_confined_as_a_whole_or_not_at_all() {
    let rules = "[[rule]]\ncommand = \"make *\"\naction = \"confine\"\n[[rule]]\ncommand = \"rm *\"\naction = \"deny\"";
    for (line, wanted) in [
        ("make test", Action::Confine),
        ("cd web && make -j4 all 2>&1 | tail -20", Action::Confine),
        ("git status && make", Action::Confine),
        ("make && git push", Action::Ask),
        ("make && rm -rf build", Action::Deny),
        ("make; python3 x.py", Action::Ask),
        ("make > /etc/passwd", Action::Ask),
        ("make &", Action::Ask),
        ("sudo make install", Action::Ask),
        ("ssh host make", Action::Ask),
        ("/usr/bin/make test", Action::Confine),
        ("/tmp/make test", Action::Confine),
        ("/tmp/git make", Action::Ask),
        ("git status", Action::Allow),
    ] {
        let decision = decided(rules, &walled(line));
        assert_eq!(decision.action, wanted, "{line}: {}", decision.why);
        assert_eq!(decision.walls().is_some(), wanted == Action::Confine, "{line}");
        let whole = |part: &PartDecision| part.action != Action::Confine || wanted == Action::Confine;
        assert!(decision.parts.iter().all(whole), "{line}");
    }
}

/// A command inside walls may make `a` of `a/../b` a link to another folder, while a line without walls waits.
#[test]
fn what_goes_up_behind_a_name_runs_inside_walls_where_other_calls_do() {
    for (line, wanted) in [
        ("cat src/../notes.txt", Action::Confine),
        ("cd web && cat ../notes.txt", Action::Confine),
        ("cd web && grep -rn x ../src/*.rs", Action::Confine),
        ("echo x > web/../notes.txt", Action::Confine),
        ("head -1 < web/../notes.txt", Action::Confine),
        ("git add web/../notes.txt", Action::Confine),
        ("cd web && ls && cd .. && cat notes.txt", Action::Allow),
        ("cat ../notes.txt", Action::Allow),
        ("git log main..topic", Action::Allow),
    ] {
        let workspace = decided("preset = \"workspace\"", &walled(line));
        assert_eq!(workspace.action, wanted, "{line}: {}", workspace.why);
        let without = Request { confinable: Confinable::default(), ..walled(line) };
        let is_asked = decided("preset = \"workspace\"", &without).action == Action::Ask;
        assert_eq!(is_asked, wanted == Action::Confine, "{line}");
        let passes = !line.starts_with("echo");
        let practical = decided("preset = \"practical\"", &walled(line));
        assert_eq!(practical.action == Action::Allow, passes, "{line}: {}", practical.why);
    }
    // A tool for files has no walls.
    for (path, wanted) in [("src/../notes.txt", Action::Ask), ("../app/notes.txt", Action::Allow)] {
        assert_eq!(decided("preset = \"workspace\"", &write(path)).action, wanted, "{path}");
    }
}

/// Nobody can tell what they do, and the walls hold it.
#[test]
fn workspace_confines_programs_of_which_nothing_is_known() {
    for (line, wanted) in [
        ("frobnicate --all", Action::Confine),
        ("cd web && ./tools/gen -o out.txt | tail -3", Action::Confine),
        ("bd create --title 'make install fails' -d 'git restore --worktree x'", Action::Confine),
        ("bd --readonly show a-1", Action::Allow),
        ("workmux status && workmux capture --lines 50", Action::Allow),
        ("frobnicate > /etc/passwd", Action::Ask),
        ("frobnicate && git push", Action::Ask),
        ("frobnicate purge", Action::Ask),
        ("sudo frobnicate", Action::Ask),
        ("eval frobnicate", Action::Ask),
        ("workmux send topic hello", Action::Ask),
        ("workmux add topic", Action::Ask),
        ("bun install", Action::Ask),
        ("bun x.ts", Action::Confine),
        ("go mod tidy", Action::Confine),
        ("go install example.org/x@latest", Action::Ask),
    ] {
        let decision = decided("preset = \"workspace\"", &walled(line));
        assert_eq!(decision.action, wanted, "{line}: {}", decision.why);
    }
    let own = "preset = \"workspace\"\n[[rule]]\ncommand = \"frobnicate *\"\naction = \"ask\"";
    assert_eq!(decided(own, &walled("frobnicate --all")).action, Action::Ask, "a person's rules win");
    let doubt = "preset = \"workspace\"\n[[rule]]\ncommand = \"git push *\"\naction = \"ask\"";
    assert_eq!(decided(doubt, &walled("frobnicate git push")).action, Action::Ask, "and count in doubt");
}

#[test]
fn a_grant_for_the_rest_of_a_line_lets_nothing_out_of_its_walls() {
    let rules = "[[rule]]\ncommand = \"make *\"\naction = \"confine\"";
    let request = walled("make && git push");
    let decision = decided(rules, &request);
    let asked: Vec<&str> =
        decision.asked_parts(request.command.as_ref().unwrap()).map(|part| part.text.as_str()).collect();
    assert_eq!(asked, ["make", "git push"]);
}

#[test]
fn what_cannot_be_confined_is_asked_about_with_the_reason() {
    let line = || walled("make");
    for (request, why) in [
        (
            Request { confinable: Confinable::No("this kernel has no Landlock".into()), ..line() },
            "this kernel has no Landlock",
        ),
        (
            Request { confinable: Confinable::default(), ..line() },
            "who asks has not said that it runs a changed command",
        ),
        (Request { accepts_edits: false, ..line() }, "this agent takes no changed command"),
        (Request { project: None, ..line() }, "the project is not known"),
        (Request { project: Some("/home".into()), ..line() }, "its project folder holds the home folder"),
        (Request { project: Some(HOME.into()), ..line() }, "its project folder holds the home folder"),
    ] {
        let decision = decided(CONFINE, &request);
        assert_eq!(
            (decision.action, decision.why.as_str()),
            (Action::Ask, format!("It would run confined, but {why}.").as_str())
        );
        assert!(decision.rule.is_none() && decision.walls().is_none());
        assert_eq!(decision.parts[0].action, Action::Ask);
    }
    let tool = Request { confinable: Confinable::Yes(Box::default()), ..request("deploy", "{}") };
    let decision = decided("[[rule]]\npattern = \"*\"\naction = \"confine\"", &tool);
    assert_eq!(decision.why, "It would run confined, but only command lines can be confined.");
}

#[test]
fn what_is_asked_about_for_its_own_sake_is_not_confined() {
    for line in ["gh auth token", "echo x > ~/.claude/settings.json", "if", "f() { make; }; f", "make \u{202e}"] {
        let decision = decided(CONFINE, &walled(line));
        assert_eq!(decision.action, Action::Ask, "{line}: {}", decision.why);
    }
    let later = "[[rule]]\ncommand = \"make *\"\naction = \"ask\"\nfinal = true\n";
    assert_eq!(decided(&format!("{later}{CONFINE}"), &walled("make")).action, Action::Ask);
    let denied = "[[rule]]\ncommand = \"make *\"\naction = \"deny\"\nfinal = true\n";
    assert_eq!(decided(&format!("{denied}{CONFINE}"), &walled("make")).action, Action::Deny);
    let unseen = walled("make").with_files_unseen("its files could not be looked at".into());
    assert_eq!(decided(CONFINE, &unseen).action, Action::Ask);
}

#[test]
fn protected_files_are_asked_about_in_spite_of_a_rule_that_confines() {
    let own = ProtectedPath { path: "/home/ann/.config/handraise".into(), protection: Protection::Own };
    let mut policy = policy(&format!("version = 1\npreset = \"autonomous\"\n{CONFINE}"));
    policy.protections = Protections::new(vec![own], Vec::new());
    let decision = policy.decide(&walled("cp x ~/.config/handraise/policy.toml"), at(0));
    assert!(decision.action >= Action::Ask && decision.protection == Some(Protection::Own), "{}", decision.why);
}

#[test]
fn a_rule_that_confines_tightens_what_would_pass() {
    let rules = "preset = \"autonomous\"\n[[rule]]\ncommand = \"make *\"\naction = \"confine\"";
    assert_eq!(decided(rules, &walled("make test")).action, Action::Confine);
    assert_eq!(decided(rules, &walled("nice make test")).action, Action::Confine);
    // It may be the command that is meant to be confined; walls do not hold the rights of another user.
    assert_eq!(decided(rules, &walled("env A=b nohup make")).action, Action::Confine);
    assert_eq!(decided(rules, &walled("env A=b sudo make")).action, Action::Ask);
    // Nobody can tell what runs: that is asked about by itself.
    assert_eq!(decided(rules, &walled("eval \"$X make\"")).action, Action::Ask);
    assert_eq!(decided(rules, &Request { accepts_edits: false, ..walled("make") }).action, Action::Ask);
    assert_eq!(decided(rules, &walled("ls")).action, Action::Allow);
}

#[test]
fn a_level_of_risk_may_be_confined() {
    let rules = "risk = { write = \"confine\" }";
    assert_eq!(decided(rules, &walled("mytool build --all")).action, Action::Confine);
    assert_eq!(decided(rules, &walled("rm -rf build")).action, Action::Ask);
    assert_eq!(decided(rules, &write("src/a.rs")).action, Action::Ask);
    assert!(parse("version = 1\nunknown_tools = \"confine\"").is_err());
}

#[test]
fn the_table_says_what_the_walls_are() {
    let table = "[confine]\nwrite = [\"~/out\", \"dist\", \"/srv/x\"]\nread_deny = [\"secrets\"]\ncaches = [\"cargo\", \"npm\"]\n\
                 network = \"none\"\nlimits = { processes = 200, memory = \"2GiB\", seconds = 600 }\n";
    let walls = decided(&format!("{table}{CONFINE}"), &walled("make")).walls().cloned().unwrap();
    assert_eq!(walls.project, PROJECT);
    assert_eq!(walls.write, ["/home/ann/out", "/home/ann/work/app/dist", "/srv/x"]);
    assert_eq!(walls.read_deny, ["/home/ann/work/app/secrets"]);
    assert_eq!(
        (walls.limits.processes, walls.limits.memory_bytes, walls.limits.seconds),
        (Some(200), Some(2 << 30), Some(600))
    );
    assert_eq!(walls.sentence(), "writes only in app, out, dist, x and 2 caches, no network");
    let plain = decided(CONFINE, &walled("make")).walls().cloned().unwrap();
    assert_eq!(plain.sentence(), "writes only in app, no network");
}

#[test]
fn what_walls_open_to_reading_is_named_where_it_is_a_secret() {
    let table = "[confine]\nread = [\"~/fixtures\"]\nshow = [\".env\"]\n\
                 [[confine.project]]\nproject = \"~/work/app\"\nread = [\"/srv/data\"]\nshow = [\".env.test\", \".env\"]\n";
    let open = decided(&format!("{table}{CONFINE}"), &walled("make")).walls().cloned().unwrap();
    assert_eq!(open.read, [format!("{HOME}/fixtures"), "/srv/data".to_owned()]);
    assert_eq!(open.show, [".env", ".env.test"]);
    assert_eq!(open.sentence(), "writes only in app, reads its .env and .env.test, no network");
    let shown_alone = decided(&format!("[confine]\nshow = [\".env\"]\n{CONFINE}"), &walled("make"));
    let plain = decided(CONFINE, &walled("make"));
    assert_ne!(shown_alone.walls().map(Walls::hash), plain.walls().map(Walls::hash), "an answer is for one of them");
}

#[test]
fn a_table_that_is_not_understood_is_refused() {
    for (table, code) in [
        ("wrte = [\"x\"]", "unknown_key"),
        ("write = \"x\"", "wrong_type"),
        ("write = [\"\"]", "bad_path"),
        ("write = [\"**/x\"]", "bad_path"),
        ("write = [\"../x\"]", "bad_path"),
        ("write = [\"~bob/x\"]", "bad_path"),
        ("read_deny = [\"a\u{202e}b\"]", "bad_path"),
        ("read = [\"../x\"]", "bad_path"),
        ("show = [\"config/.env\"]", "bad_name"),
        ("show = [\".env*\"]", "bad_name"),
        ("show = [\"..\"]", "bad_name"),
        ("network = \"all\"", "unknown_network"),
        ("caches = [\"cago\"]", "unknown_cache"),
        ("limits = { seconds = 0 }", "bad_limit"),
        ("limits = { seconds = -1 }", "bad_limit"),
        ("limits = { memory = \"4G\" }", "bad_limit"),
        ("limits = { memory = \"99999999999GiB\" }", "bad_limit"),
        ("limits = { cpu = 1 }", "unknown_key"),
    ] {
        let errors = parse(&format!("version = 1\n[confine]\n{table}")).unwrap_err();
        assert_eq!(errors[0].code, format!("policy::{code}"), "{table}: {errors:?}");
    }
    let final_rule = "version = 1\n[[rule]]\ncommand = \"make\"\naction = \"confine\"\nfinal = true";
    assert_eq!(parse(final_rule).unwrap_err()[0].code, "policy::final_allow");
    let all: Vec<String> = CACHES.iter().map(|name| format!("\"{name}\"")).collect();
    assert!(parse(&format!("version = 1\n[confine]\ncaches = [{}]", all.join(", "))).is_ok());
}

#[test]
fn a_change_that_widens_walls_or_confines_what_was_asked_loosens() {
    let made = |text: &str| policy(&format!("version = 1\n{text}"));
    let step = |old: &str, new: &str| difference(&made(old), &made(new));
    assert!(step("", CONFINE).loosens);
    assert!(step("", "[confine]\ncaches = [\"npm\"]").loosens);
    assert!(step("[confine]\nread_deny = [\"x\"]", "").loosens);
    assert!(step("", "[confine]\nread = [\"x\"]").loosens && !step("[confine]\nread = [\"x\"]", "").loosens);
    assert!(step("", "[confine]\nshow = [\".env\"]").loosens && !step("[confine]\nshow = [\".env\"]", "").loosens);
    assert!(step("[confine]\nlimits = { seconds = 1 }", "[confine]\nlimits = { seconds = 2 }").loosens);
    assert!(!step("[confine]\ncaches = [\"npm\", \"go\"]", "[confine]\ncaches = [\"go\"]").loosens);
    assert!(!step("", "[confine]\nread_deny = [\"x\"]\nlimits = { seconds = 9 }").loosens);
    assert!(step("risk = { write = \"ask\" }", "risk = { write = \"confine\" }").loosens);
    assert!(!step("risk = { write = \"allow\" }", "risk = { write = \"confine\" }").loosens);
    let change = &step("", "[confine]\nwrite = [\"a\"]\ncaches = [\"npm\"]").settings[0];
    assert_eq!(
        (change.key.as_str(), change.old.as_str(), change.new.as_str()),
        ("confine", "", "write = a; caches = npm")
    );
}

#[test]
fn two_policies_in_force_make_the_narrower_walls() {
    let with = |table: &str| policy(&format!("version = 1\n[confine]\n{table}\n{CONFINE}"));
    let confirmed = with(
        "write = [\"a\", \"b\"]\nread = [\"r\"]\nshow = [\".env\", \"x\"]\ncaches = [\"npm\", \"go\"]\n\
                          limits = { seconds = 60 }",
    );
    let unconfirmed = with(
        "write = [\"b\", \"c\"]\nread = [\"r\", \"q\"]\nshow = [\".env\"]\ncaches = [\"go\", \"uv\"]\n\
                            read_deny = [\"s\"]\nlimits = { seconds = 90 }",
    );
    let in_force = PolicyInForce { confirmed: confirmed.clone(), unconfirmed: Some(unconfirmed) };
    let walls = in_force.decide(&walled("make"), at(0)).walls().cloned().unwrap();
    assert_eq!(walls.write, [format!("{PROJECT}/b")]);
    assert_eq!((walls.read, walls.show), (vec![format!("{PROJECT}/r")], vec![".env".to_owned()]));
    assert_eq!((walls.caches.as_slice(), walls.limits.seconds), (["go".to_owned()].as_slice(), Some(60)));
    assert_eq!(walls.read_deny, [format!("{PROJECT}/s")]);
    let open = PolicyInForce { confirmed, unconfirmed: Some(Policy::from_preset(Preset::Autonomous)) };
    let decision = open.decide(&walled("make"), at(0));
    assert_eq!((decision.action, decision.walls().map(|walls| walls.write.len())), (Action::Confine, Some(2)));
}

#[test]
fn an_explanation_shows_the_walls() {
    let explanation = policy(&format!("version = 1\n{CONFINE}")).explain(&walled("make"), at(0));
    assert_eq!(explanation.action, Action::Confine);
    assert_eq!(explanation.walls.as_ref().map(Walls::sentence).as_deref(), Some("writes only in app, no network"));
    assert_eq!(explanation.parts[0].kind, PartKind::Command);
    assert_eq!(explanation.why, "The rule `class = \"shell\"` confines it.");
}

#[test]
fn the_rewritten_call_is_the_program_with_the_line_as_one_word() {
    let inside = |line: &str| ConfinedCall {
        has_namespaces: true,
        program: vec!["/opt/it's/handraise-confine".into()],
        argument: "command".into(),
        line: line.into(),
        ..ConfinedCall::default()
    };
    for line in ["make test", "echo 'a b' && echo \"$X\"", "a\nb", "'", "\\", "", "#x", "!x"] {
        let rewritten = inside(line).arguments(&Request { requester: "codex".into(), ..shell(line) });
        let rewritten = rewritten["command"].as_str().unwrap();
        let parsed = CommandLine::analyse(rewritten, Shell::Bash);
        let [part] = parsed.parts.as_slice() else { panic!("{rewritten}") };
        let words: Vec<&str> = part.words.iter().map(|word| word.text.as_str()).collect();
        let call = format!("codex:{}", crate::test_support::id(1));
        assert_eq!(words, ["/opt/it's/handraise-confine", "--call", &call, "--", line]);
    }
    let kept =
        Request { arguments: serde_json::from_str(r#"{"a":1,"command":"x","z":{"y":[]}}"#).unwrap(), ..shell("x") };
    let keys: Vec<String> = inside("x").arguments(&kept).keys().cloned().collect();
    assert_eq!(keys, ["a", "command", "z"]);
}

#[test]
fn what_only_namespaces_hold_asks_where_there_are_none() {
    let decide = |table: &str, has_namespaces: bool| {
        let call = ConfinedCall { has_namespaces, ..ConfinedCall::default() };
        let request = Request { confinable: Confinable::Yes(Box::new(call)), ..walled("make") };
        decided(&format!("[confine]\n{table}\n{CONFINE}"), &request)
    };
    for (table, needs) in [
        ("limits = { processes = 9 }", true),
        ("read_deny = [\"secrets\"]", true),
        ("write = [\"/srv/out\"]\nread_deny = [\"/srv/out/keys\"]", true),
        ("read_deny = [\"/srv/keys\"]", false),
        ("limits = { seconds = 9 }", false),
    ] {
        assert_eq!(decide(table, true).action, Action::Confine, "{table}");
        let without = decide(table, false);
        assert_eq!(without.action == Action::Ask, needs, "{table}");
        assert_eq!(format!("{without:?}").contains("and here are none"), needs, "{table}: {without:?}");
    }
}

#[test]
fn a_project_has_walls_of_its_own() {
    let table = "[confine]\nwrite = [\"/srv/all\"]\ncaches = [\"go\"]\n\
         [[confine.project]]\nproject = \"~/app\"\nwrite = [\"dist\", \"~/out\"]\ncaches = [\"npm\", \"go\"]\n\
         [[confine.project]]\nproject = \"/srv/other\"\nwrite = [\"/srv/others\"]\n\
         [[confine.project]]\nproject = \"~/app\"\ncaches = [\"uv\"]\n";
    let own = format!("{HOME}/app");
    let walls = |project: &str| {
        let request = Request { project: Some(project.into()), ..walled("make") };
        decided(&format!("{table}{CONFINE}"), &request).walls().cloned().unwrap()
    };
    assert_eq!(walls(&own).write, ["/srv/all".to_owned(), format!("{own}/dist"), format!("{HOME}/out")]);
    assert_eq!(walls(&own).caches, ["go", "npm", "uv"]);
    assert_eq!(walls("/srv/other").write, ["/srv/all", "/srv/others"]);
    assert_eq!(walls("/srv/app").write, ["/srv/all"], "a name alone is no project");
    assert_ne!(walls("/srv/other").hash(), walls("/srv/app").hash());
}

#[test]
fn what_a_project_has_open_counts_as_wider() {
    let step = |old: &str, new: &str| {
        let policy = |text: &str| policy(&format!("version = 1\n{text}"));
        difference(&policy(old), &policy(new)).loosens
    };
    let open = "[[confine.project]]\nproject = \"/p\"\nwrite = [\"/out\"]\n";
    assert!(step("", open));
    assert!(!step(open, "") && !step(open, open));
    assert!(!step("[confine]\nwrite = [\"/out\"]", &format!("[confine]\nwrite = [\"/out\"]\n{open}")));
    assert!(step(open, &open.replace("/p", "/q")), "another project");
    for more in ["caches = [\"npm\"]", "read = [\"/in\"]", "show = [\".env\"]"] {
        assert!(step(open, &format!("{open}{more}")), "{more}");
        assert!(!step(&format!("[confine]\n{more}\n{open}"), &format!("[confine]\n{open}{more}")), "{more}");
    }
}

#[test]
fn a_table_for_a_project_is_read_strictly() {
    let refused = |table: &str| parse(&format!("version = 1\n[[confine.project]]\n{table}")).is_err();
    for table in [
        "write = [\"/out\"]",
        "project = \"shop\"",
        "project = \"~ann/shop\"",
        "project = \"/srv/*\"",
        "project = \"/srv/../x\"",
        "project = \"/p\"\nread_deny = [\"x\"]",
        "project = \"/p\"\ncaches = [\"all\"]",
        "project = \"/p\"\nwrite = [\"/a/**\"]",
        "project = 1",
    ] {
        assert!(refused(table), "{table}");
    }
    assert!(!refused("project = \"/p\""));
}

/// A person who is asked may have run inside walls what a rule could confine, and nothing else.
#[test]
fn a_person_is_offered_the_walls_that_a_rule_could_put_up() {
    let offered = |rules: &str, request: &Request| decided(rules, request).walls_for_a_person().is_some();
    assert!(offered("", &walled("make test")) && offered("", &walled("make && rm -r build")));
    assert!(!offered("", &walled("git status")), "nobody is asked");
    assert!(!offered("", &walled("git push")), "inside walls it could only fail");
    let denies = "[[rule]]\ncommand = \"make *\"\naction = \"deny\"";
    for (rules, request) in [
        ("", Request { confinable: Confinable::default(), ..walled("make") }),
        ("", Request { accepts_edits: false, ..walled("make") }),
        ("", Request { project: None, ..walled("make") }),
        ("", walled("make").with_files_unseen("its files could not be looked at".into())),
        ("", walled("gh auth token")),
        ("", walled("echo x > ~/.claude/settings.json")),
        ("", walled("make \u{202e}")),
        ("", walled("f() { make; }; f")),
        (denies, walled("make")),
    ] {
        assert!(!offered(rules, &request), "{}", request.title());
    }
}

#[test]
fn workspace_confines_builds_tests_and_scripts_and_nothing_that_reaches_farther() {
    let policy = Policy::from_preset(Preset::Workspace);
    let action = |line: &str| policy.decide(&walled(line), at(0)).action;
    for line in [
        "make",
        "make -j4 test",
        "make -C web all",
        "npm run build",
        "npm run test -- --watch=false",
        "cargo build --release",
        "cargo build -p x --all-targets",
        "python x.py",
        "/usr/bin/python x.py",
        "python -m pytest -q",
        "python -c 'print(1)'",
        "source .venv/bin/activate",
        "export PATH=\"$HOME/.cargo/bin:$PATH\"",
        "luac -p x.lua",
    ] {
        assert_eq!(action(line), Action::Confine, "{line}");
    }
    for line in [
        "bd dolt push",
        "bd sync",
        "bd delete x",
        "bd hooks install",
        "sudo make install",
        "ssh host make",
        "npm publish",
        "npm install x",
        "cargo publish",
        "cargo install x",
        "cargo login",
        "sudo go install",
        "sudo python x.py",
    ] {
        assert_eq!(action(line), Action::Ask, "{line}");
    }
    for line in ["gradlew build", "/tmp/my-python x.py", "luac x.lua"] {
        let why = policy.decide(&walled(line), at(0)).why;
        assert!(!why.contains("command ="), "{line} is none of the list's: {why}");
    }
}
