//! Laws that hold for all rules and all calls.

use proptest::prelude::*;

use super::*;
use crate::rules::situation::Target;

const CONDITIONS: &[&str] = &[
    "pattern = \"*\"",
    "pattern = \"Bash\"",
    "pattern = \"Wri*\"",
    "pattern = \"Bash:*rm*\"",
    "tool = \"shell\"",
    "tool = \"file_write\"",
    "tool = \"file_read\"\npath = \"~/.ssh/**\"",
    "class = \"file_write\"\npath = \"src/**\"",
    "class = \"file_write\"\npath_in = \"outside\"",
    "path = [\"/etc/**\", \"~/.ssh/*\"]",
    "path = \"**/.env\"",
    "command = \"git *\"",
    "command = \"git status *\"",
    "command = \"rm *\"",
    "command = \"rm -rf *\"",
    "command = \"* --version\"",
    "command = \"cat *\"\npath_in = \"project\"",
    "command = \"sudo rm *\"",
    "command = \"git push --force *\"",
    "command = \"git push\"",
    "command = \"kubectl delete --namespace prod *\"",
    "command = \"rm build\"",
    "command = \"Git push *\"",
    "command = \"g* push *\"",
    "command = \"docker rm *\"",
    "command = \"docker container rm *\"",
    "command = \"npm publish *\"",
    "command = \"npx *\"",
    "command = \"pip3 install *\"",
    "command = \"kubectl delete pod *\"",
    "command = \"/opt/x/rm *\"",
    "agents = \"codex\"",
    "users = \"ann\"",
    "tags = \"night\"",
    "risk = \"read_only\"",
    "server = \"files\"",
    "server = \"fi*\"\ntool = \"read\"",
    "projects = \"~/work/**\"",
    "arguments = { \"/command\" = \"*rm*\" }",
];
/// Words of random lines, with what may hide a program or a sub-command.
const WORDS: &[&str] = &[
    "git",
    "push",
    "-C",
    ".",
    "--force",
    "-f",
    "--forc",
    "--git-dir=x",
    "-c",
    "a=b",
    "status",
    "+main",
    "rm",
    "-rf",
    "-r",
    "-fr",
    "--recursive",
    "build",
    "./build",
    "/bin/RM",
    "\\rm",
    "=rm",
    "r''m",
    "kubectl",
    "-n",
    "--namespace=prod",
    "prod",
    "delete",
    "sudo",
    "env",
    "xargs",
    "busybox",
    "sh",
    "bash",
    "-s",
    "eval",
    "alias",
    "z=rm",
    "hash",
    "-p",
    "ssh",
    "h",
    "'rm -rf x'",
    "'git -C . push'",
    "{rm,x}",
    "r{m,}",
    "\"$x\"",
    "*",
    "$(",
    ")",
    "`",
    "|",
    "&&",
    ";",
    "\n",
    ">",
    "x",
    "--",
    "time",
    "noglob",
    "docker",
    "<<<",
    "!",
    "find",
    "-exec",
    "{}",
    "\\;",
    "timeout",
    "5",
    "command",
    "&",
    "$y",
    "GIT_PAGER=rm",
    "PAGER='git push'",
    "--pre",
    "--pre=rm",
    "-ccore.pager=rm",
    "alias.x=push",
    "-c",
    "'1e rm x'",
    "python3.12",
    "-m",
    "pip",
    "install",
    "\"os.system('rm x')\"",
    "npm",
    "npx",
    "pub",
    "publish",
    "container",
    "docker-compose",
    "git-push",
    "poetry",
    "run",
    "unknown",
    "/bin/r?",
    "/bin/[r]m",
    "[a]",
    "po/x",
    "grm.exe",
    "/opt/x/rm",
    "cargo",
    "+nightly",
    "awk",
    "vim",
    "$(which",
    "exec",
];
const ACTIONS: &[&str] = &["allow", "ask", "deny", "confine"];
const LINES: &[&str] = &[
    "git status",
    "git status -s && rm -rf src",
    "rm x; git push --force",
    "cat ~/.ssh/id",
    "cat .env",
    "cat src/*.rs",
    "cat *",
    "sudo rm -rf /",
    "/bin/rm x",
    "xargs rm < list",
    "git -c core.pager='rm x' log",
    "echo x > src/a",
    "echo x > /etc/passwd",
    "echo x >> ~/.ssh/config",
    "cd ~/.ssh && cat id",
    "mv ~/.ssh x",
    "node --version",
    "$X y",
    "git $X",
    "echo $(rm x)",
    "for f in a b; do rm $f; done",
    "A=b",
    "A=b git status",
    "",
    "if",
    "bash -c 'git status; rm x'",
];

fn rules() -> impl Strategy<Value = Vec<(usize, usize, bool)>> {
    proptest::collection::vec((0..CONDITIONS.len(), 0..ACTIONS.len(), any::<bool>()), 0..8)
}

fn text((condition, action, is_final): (usize, usize, bool)) -> String {
    let is_final = is_final && !["allow", "confine"].contains(&ACTIONS[action]);
    format!("[[rule]]\n{}\naction = \"{}\"\nfinal = {is_final}\n", CONDITIONS[condition], ACTIONS[action])
}

fn made(rules: &[(usize, usize, bool)]) -> Policy {
    policy(&format!("version = 1\n{}", rules.iter().map(|rule| text(*rule)).collect::<String>()))
}

fn call() -> impl Strategy<Value = Request> {
    let base = prop_oneof![
        6 => (0..LINES.len()).prop_map(|line| shell(LINES[line])),
        1 => Just(Request { command: None, ..shell("rm x") }),
        1 => prop_oneof![Just("src/a"), Just("/etc/x"), Just("~/.ssh/x"), Just("a/.env")].prop_map(write),
        1 => Just(Request { server: Some("files".into()), class: ToolClass::Mcp, ..request("read", r#"{"path":"/etc/x"}"#) }),
        1 => Just(request("other", "{}")),
    ];
    (base, proptest::option::of(any::<bool>()), any::<bool>(), any::<bool>(), any::<bool>()).prop_map(
        |(request, agent, user, resolved, confinable)| Request {
            confinable: if confinable { Confinable::Yes(Box::default()) } else { Confinable::default() },
            agent: agent.map(|verified| AgentIdentity { name: "codex".into(), verified }),
            user: user.then(|| "ann".into()),
            tags: if user { vec!["night".into()] } else { Vec::new() },
            paths: if resolved { request.paths.clone() } else { crate::PathFacts::default() },
            ..request
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn the_index_finds_what_looking_at_each_rule_finds(rules in rules(), call in call()) {
        let indexed = made(&rules);
        let naive = Policy { rules: indexed.rules.without_index(), ..indexed.clone() };
        prop_assert_eq!(indexed.decide(&call, at(0)), naive.decide(&call, at(0)));
    }

    #[test]
    fn the_index_never_loses_a_rule_whatever_the_line_is(
        rules in rules(), words in proptest::collection::vec(0..WORDS.len(), 0..12), glued in any::<bool>()
    ) {
        let words: Vec<&str> = words.into_iter().map(|word| WORDS[word]).collect();
        let call = shell(&words.join(if glued && words.len() < 5 { "" } else { " " }));
        let indexed = made(&rules);
        let naive = Policy { rules: indexed.rules.without_index(), ..indexed.clone() };
        prop_assert_eq!(indexed.decide(&call, at(0)), naive.decide(&call, at(0)), "{}", call.title());
    }

    #[test]
    fn one_more_denial_never_loosens(rules in rules(), at_position in 0..8_usize, condition in 0..CONDITIONS.len(), call in call()) {
        let before = made(&rules).decide(&call, at(0)).action;
        let mut more = rules;
        more.insert(at_position.min(more.len()), (condition, 2, false));
        let after = made(&more).decide(&call, at(0)).action;
        prop_assert!(after >= before);
    }

    #[test]
    fn what_is_allowed_is_allowed_in_every_part(rules in rules(), line in 0..LINES.len()) {
        let policy = made(&rules);
        let whole = shell(LINES[line]);
        let decision = policy.decide(&whole, at(0));
        if !(decision.action == Action::Allow && decision.obstacle.is_none()) {
            return Ok(());
        }
        prop_assert!(decision.parts.iter().all(|part| part.action == Action::Allow));
        let parts = whole.command.iter().flat_map(|line| &line.parts);
        for part in parts.filter(|part| !part.text.starts_with("cd ")) {
            let alone = CommandLine { text: part.text.clone(), parts: vec![part.clone()], flat: Vec::new(), obstacle: None };
            let alone = Request { command: Some(alone), ..whole.clone() };
            prop_assert_eq!(policy.decide(&alone, at(0)).action, Action::Allow, "{}", part.text);
        }
    }

    #[test]
    fn the_order_of_denials_does_not_matter(mut rules in rules(), call in call(), turn in 0..8_usize) {
        rules.iter_mut().for_each(|rule| rule.1 = 2);
        let one = made(&rules).decide(&call, at(0)).action;
        let middle = turn.min(rules.len());
        rules.rotate_left(middle);
        prop_assert_eq!(one, made(&rules).decide(&call, at(0)).action);
    }

    #[test]
    fn a_final_rule_is_a_floor(rules in rules(), condition in 0..CONDITIONS.len(), later in rules(), call in call()) {
        let mut first = rules;
        first.push((condition, 2, true));
        let policy = made(&first);
        if !(policy.decide(&call, at(0)).parts.iter().any(|part| {
            part.rule.as_ref().is_some_and(|rule| rule.is_final && rule.action == Action::Deny && part.action == Action::Deny)
        })) {
            return Ok(());
        }
        first.extend(later);
        prop_assert_eq!(made(&first).decide(&call, at(0)).action, Action::Deny);
    }

    #[test]
    fn nothing_is_allowed_but_by_a_rule_or_a_default(rules in rules(), call in call()) {
        let strict = Policy { risk: Policy::from_preset(Preset::Strict).risk, ..made(&rules) };
        let decision = strict.decide(&call, at(0));
        if decision.action != Action::Allow {
            return Ok(());
        }
        let judged = |part: &&PartDecision| part.kind != PartKind::Read && !part.text.starts_with("cd ");
        for part in decision.parts.iter().filter(judged) {
            prop_assert_eq!(part.rule.as_ref().map(|rule| rule.action), Some(Action::Allow));
        }
    }

    #[test]
    fn the_unconfirmed_is_never_looser(old in rules(), new in rules(), call in call()) {
        let (old, new) = (made(&old), made(&new));
        let in_force = PolicyInForce { confirmed: old.clone(), unconfirmed: Some(new.clone()) };
        let strictest = old.decide(&call, at(0)).action.max(new.decide(&call, at(0)).action);
        prop_assert_eq!(in_force.decide(&call, at(0)).action, strictest);
    }

    #[test]
    fn what_does_not_loosen_by_its_difference_allows_nothing_new(old in rules(), new in rules(), call in call()) {
        let (old, new) = (made(&old), made(&new));
        if difference(&old, &new).loosens {
            return Ok(());
        }
        prop_assert!(new.decide(&call, at(0)).action >= old.decide(&call, at(0)).action);
    }

    #[test]
    fn what_is_confined_is_a_line_that_walls_hold_in_every_part(rules in rules(), call in call()) {
        let policy = made(&rules);
        let decision = policy.decide(&call, at(0));
        prop_assert_eq!(decision.walls().is_some(), decision.action == Action::Confine);
        let parts = |action: Action| decision.parts.iter().filter(|part| part.action == action).count();
        if decision.action != Action::Confine {
            prop_assert_eq!(parts(Action::Confine), 0);
            return Ok(());
        }
        prop_assert!(call.understood_command().is_some() && matches!(call.confinable, Confinable::Yes(_)) && decision.protection.is_none());
        prop_assert!(parts(Action::Confine) > 0 && parts(Action::Ask) + parts(Action::Deny) == 0);
        let elsewhere = Request { confinable: Confinable::default(), ..call };
        prop_assert_eq!(policy.decide(&elsewhere, at(0)).action, Action::Ask);
    }

    #[test]
    fn to_ask_is_never_looser_than_to_confine(rules in rules(), call in call()) {
        // Of two rules that mean a call for certain the last one decides, so that a question may follow a denial.
        let rules: Vec<_> = rules.into_iter().filter(|rule| rule.1 != 2).collect();
        let asked: Vec<_> = rules.iter().map(|rule| if rule.1 == 3 { (rule.0, 1, false) } else { *rule }).collect();
        // A policy that confines nothing lets pass what goes up behind a name: nothing beside it makes links then.
        let confining = |rules: &[(usize, usize, bool)]| {
            let rules: String = rules.iter().map(|rule| text(*rule)).collect();
            policy(&format!("version = 1\n[[rule]]\npattern = \"Nobody\"\naction = \"confine\"\n{rules}"))
        };
        prop_assert!(confining(&asked).decide(&call, at(0)).action >= confining(&rules).decide(&call, at(0)).action);
    }

    #[test]
    fn an_explanation_agrees_with_the_decision(rules in rules(), call in call()) {
        let policy = made(&rules);
        prop_assert_eq!(policy.explain(&call, at(0)).action, policy.decide(&call, at(0)).action);
    }
}

#[test]
fn a_policy_of_ten_thousand_rules_looks_at_few_of_them() {
    let rules: String = (0..10_000)
        .map(|number| format!("[[rule]]\ntool = \"shell\"\ncommand = \"program{number} run *\"\naction = \"allow\"\n"))
        .collect();
    let policy = policy(&format!(
        "version = 1\n{rules}[[rule]]\ntool = \"shell\"\ncommand = \"git status *\"\naction = \"allow\""
    ));
    let request = shell("git status -s");
    let call = super::situation::Call::new(&request, at(0), true);
    let part = &request.command.as_ref().unwrap().parts[0];
    let situation = policy.situation(&call, Target::Command(part));
    let own = policy.rules.candidates(&situation).into_iter().filter(|rule| !rule.is_of_preset()).count();
    assert_eq!(own, 1);
    assert_eq!(policy.decide(&request, at(0)).action, Action::Allow);
}
