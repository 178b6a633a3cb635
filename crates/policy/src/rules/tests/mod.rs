mod command_choices;
mod conditions;
mod confine;
mod credentials;
mod deciding;
mod decision_point;
mod edited_rules;
mod exact;
mod explanations;
mod floor;
mod in_force;
mod laws;
mod lines;
mod nothing_lost;
mod outdated;
mod protections;
mod tasks;
mod workspace;

use super::*;
use crate::path::{ProtectedPath, Protection};
use crate::test_support::{at, request};
use crate::{AgentIdentity, Annotations, ResolvedPath, Subject, ToolClass};
use crate::{Request, RiskLevel};
use handraise_shell::{CommandLine, Shell};

const HOME: &str = "/home/ann";
const PROJECT: &str = "/home/ann/work/app";

/// `request` in Ann's project, with every path that it names where its letters say.
fn at_home(request: Request) -> Request {
    let request =
        Request { cwd: Some(PROJECT.into()), project: Some(PROJECT.into()), home: Some(HOME.into()), ..request };
    resolved(request, |path| ResolvedPath::new(path)).in_plain_project()
}

/// `request` with every path that it names where `resolve` says, given what its letters say.
fn resolved(request: Request, resolve: impl Fn(&str) -> ResolvedPath) -> Request {
    let fact = |text: String| {
        let path = handraise_shell::path::lexical(&text, request.cwd.as_deref(), request.home.as_deref())?;
        Some((text, resolve(&path)))
    };
    let paths = request.path_candidates().into_iter().filter_map(|candidate| fact(candidate.text)).collect();
    Request { paths, ..request }
}

/// A call of Ann's shell.
fn shell(line: &str) -> Request {
    at_home(Request {
        class: ToolClass::Shell,
        subject: Subject::Command { line: line.into() },
        command: Some(CommandLine::analyse(line, Shell::Bash)),
        ..request("Bash", &serde_json::json!({ "command": line }).to_string())
    })
}

/// A file that Ann's agent writes.
fn write(path: &str) -> Request {
    at_home(Request {
        class: ToolClass::FileWrite,
        subject: Subject::Write { path: path.into(), content: String::new() },
        table_risk: Some(RiskLevel::Write),
        ..request("Write", "{}")
    })
}

/// What a policy with `rules` under the practical defaults says about `request`.
fn by(rules: &str, request: &Request) -> Action {
    policy(&format!("version = 1\n{rules}")).decide(request, at(0)).action
}

fn policy(text: &str) -> Policy {
    parse(text).unwrap().policy
}

fn action(policy: &Policy, tool: &str, arguments: &str) -> Action {
    policy.decide(&request(tool, arguments), at(0)).action
}

#[test]
fn the_last_matching_rule_wins() {
    let policy = policy(
        r#"
        version = 1
        rule = [
            { pattern = "*", action = "deny" },
            { pattern = "search_*", action = "allow" },
            { pattern = "search_secrets", action = "ask" },
        ]"#,
    );
    assert_eq!(action(&policy, "search_files", "{}"), Action::Allow);
    assert_eq!(action(&policy, "search_secrets", "{}"), Action::Ask);
    assert_eq!(action(&policy, "Search_files", "{}"), Action::Deny);
}

#[test]
fn a_pattern_with_a_colon_looks_at_the_arguments() {
    let policy = policy(
        r#"
        version = 1
        rule = [
            { pattern = "deploy", action = "allow" },
            { pattern = "deploy:*production*", action = "deny", reason = "staging first" },
        ]"#,
    );
    assert_eq!(action(&policy, "deploy", r#"{"to":"staging"}"#), Action::Allow);
    assert_eq!(action(&policy, "deploy", r#"{"to":"production"}"#), Action::Deny);
    assert_eq!(action(&policy, "other", r#"{"to":"deploy:production"}"#), Action::Ask);
}

#[test]
fn arguments_cannot_make_a_name_pattern_match() {
    let policy = policy("version = 1\nrule = [{ pattern = \"*read*\", action = \"allow\" }]");
    assert_eq!(action(&policy, "delete", r#"{"note":"read"}"#), Action::Ask);
}

#[test]
fn a_tool_of_a_server_is_not_allowed_by_its_bare_name() {
    let policy = policy(
        r#"
        version = 1
        rule = [
            { pattern = "Read", action = "allow" },
            { pattern = "mcp__files__*", action = "allow" },
            { pattern = "wipe", action = "deny" },
        ]"#,
    );
    let of = |server: &str, tool: &str| {
        policy.decide(&Request { server: Some(server.into()), ..request(tool, "{}") }, at(0)).action
    };
    assert_eq!(action(&policy, "Read", "{}"), Action::Allow);
    assert_eq!(of("evil", "Read"), Action::Ask);
    assert_eq!(of("files", "list"), Action::Allow);
    assert_eq!(of("files__x", "list"), Action::Ask);
    assert_eq!(of("_files", "list"), Action::Ask);
    assert_eq!(of("evil", "wipe"), Action::Deny);
    let open = Policy { rules: RuleSet::from_iter([Rule::new("*", Action::Allow, None).unwrap()]), ..policy.clone() };
    let any = Request { server: Some("a__b".into()), ..request("x", "{}") };
    assert_eq!(open.decide(&any, at(0)).action, Action::Allow);
}

#[test]
fn arguments_too_long_to_match_are_never_allowed_by_their_pattern() {
    let policy = policy("version = 1\nrule = [{ pattern = \"write:*safe*\", action = \"allow\" }]");
    let long = format!(r#"{{"text":"safe {}"}}"#, "x".repeat(70_000));
    assert_eq!(action(&policy, "write", &long), Action::Ask);
}

#[test]
fn without_a_rule_the_risk_decides() {
    let policy = Policy::default();
    let declared = |risk| Request { declared_risk: Some(risk), ..request("tool", "{}") };
    assert_eq!(policy.decide(&declared(RiskLevel::ReadOnly), at(0)).action, Action::Allow);
    assert_eq!(policy.decide(&declared(RiskLevel::Write), at(0)).action, Action::Ask);
    assert_eq!(policy.decide(&declared(RiskLevel::Destructive), at(0)).action, Action::Deny);
    assert_eq!(policy.decide(&request("tool", "{}"), at(0)).action, Action::Ask);
}

#[test]
fn a_destructive_level_that_is_only_hinted_asks() {
    let annotations = Annotations { destructive_hint: Some(true), ..Annotations::default() };
    let hinted = Request { annotations, ..request("tool", "{}") };
    let decision = Policy::default().decide(&hinted, at(0));
    assert_eq!((decision.action, decision.risk.level), (Action::Ask, RiskLevel::Destructive));
}

#[test]
fn unknown_tools_take_the_stricter_of_both_defaults() {
    let open = policy("version = 1\nunknown_tools = \"ask\"\nrisk = { write = \"allow\" }");
    assert_eq!(action(&open, "unheard_of", "{}"), Action::Ask);
    let closed = policy("version = 1\nunknown_tools = \"deny\"");
    assert_eq!(action(&closed, "unheard_of", "{}"), Action::Deny);
}

#[test]
fn presets_are_what_they_say() {
    let of = |preset| Policy::from_preset(preset);
    let read = Request { declared_risk: Some(RiskLevel::ReadOnly), ..request("tool", "{}") };
    let destroy = Request { declared_risk: Some(RiskLevel::Destructive), ..request("tool", "{}") };
    assert_eq!(of(Preset::Strict).decide(&read, at(0)).action, Action::Ask);
    assert_eq!(of(Preset::Autonomous).decide(&destroy, at(0)).action, Action::Allow);
    assert_eq!(of(Preset::Practical).decide(&read, at(0)).action, Action::Allow);
}

#[test]
fn a_claimed_agent_can_be_treated_stricter_but_not_laxer() {
    let policy = policy(
        r#"
        version = 1
        [agent.trusted]
        rule = [{ pattern = "*", action = "allow" }]
        [agent.watched]
        rule = [{ pattern = "*", action = "deny" }]"#,
    );
    let by = |name: &str, verified| {
        let agent = Some(AgentIdentity { name: name.into(), verified });
        policy.decide(&Request { agent, ..request("tool", "{}") }, at(0)).action
    };
    assert_eq!(by("trusted", true), Action::Allow);
    assert_eq!(by("trusted", false), Action::Ask);
    assert_eq!(by("watched", false), Action::Deny);
}

#[test]
fn timeouts_come_from_the_request_then_the_agent_then_the_policy() {
    let policy = policy("version = 1\ntimeout = \"2m\"\n[agent.slow]\ntimeout = \"1h\"");
    let plain = request("tool", "{}");
    assert_eq!(policy.timeout_seconds_for(&plain), 120);
    let slow = Request { agent: Some(AgentIdentity { name: "slow".into(), verified: false }), ..plain.clone() };
    assert_eq!(policy.timeout_seconds_for(&slow), 3600);
    let own = Request { timeout_seconds: Some(7), ..slow.clone() };
    assert_eq!(policy.timeout_seconds_for(&own), 7);
    let short_transport = Request { longest_wait_seconds: Some(590), ..slow };
    assert_eq!(policy.timeout_seconds_for(&short_transport), 590);
}
