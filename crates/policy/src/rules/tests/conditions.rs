//! Each condition of a rule.

use super::*;
use Action::{Allow, Ask, Deny};

/// What one rule with these conditions and `action` says, where everything else asks.
fn one(conditions: &str, action: &str, request: &Request) -> Action {
    by(&format!("preset = \"strict\"\n[[rule]]\n{conditions}\naction = \"{action}\""), request)
}

fn allows(conditions: &str, request: &Request) -> bool {
    one(conditions, "allow", request) == Allow
}

fn denies(conditions: &str, request: &Request) -> bool {
    one(conditions, "deny", request) == Deny
}

#[test]
fn a_class_word_is_every_agents_tool_of_that_class() {
    assert!(allows("tool = \"shell\"", &shell("ls")));
    assert!(allows("class = \"file_write\"", &write("a")));
    assert!(!allows("tool = \"file_read\"", &write("a")));
    assert!(allows("tool = \"Wri*\"", &write("a")));
}

#[test]
fn every_condition_has_to_hold() {
    assert!(allows("class = \"file_write\"\npath = \"src/**\"", &write("src/a")));
    assert!(!allows("class = \"file_write\"\npath = \"src/**\"", &write("b")));
    assert!(!allows("class = \"file_read\"\npath = \"src/**\"", &write("src/a")));
}

#[test]
fn a_server_is_a_field_of_its_own() {
    let tool = Request { server: Some("files".into()), class: ToolClass::Mcp, ..request("read", "{}") };
    assert!(allows("server = \"files\"", &tool));
    assert!(allows("server = \"files\"\ntool = \"read\"", &tool));
    assert!(!allows("tool = \"read\"", &tool));
    assert!(!allows("server = \"other\"", &tool));
    assert!(!allows("server = \"files\"", &request("read", "{}")));
}

#[test]
fn arguments_are_found_by_pointer() {
    let call = request("tool", r#"{"to":{"name":"staging"}}"#);
    assert!(allows("arguments = { \"/to/name\" = \"stag*\" }", &call));
    assert!(!allows("arguments = { \"/to/name\" = \"prod*\" }", &call));
}

#[test]
fn a_glob_over_a_command_line_allows_nothing() {
    assert!(!allows("arguments = { \"/command\" = \"git *\" }", &shell("git status")));
    assert!(!allows("pattern = \"Bash:*git status*\"", &shell("git status")));
    assert!(allows("arguments = { \"/command\" = \"git status\" }", &shell("git status")));
    assert!(denies("arguments = { \"/command\" = \"*rm *\" }", &shell("rm x")));
}

#[test]
fn a_path_has_to_be_resolved_to_be_allowed() {
    let inside = "class = \"file_write\"\npath_in = \"project\"";
    assert!(allows(inside, &write("src/a")));
    assert!(!allows(inside, &write("../other/a")));
    let link = resolved(write("link/a"), |_| ResolvedPath::new("/etc/a"));
    assert!(!allows(inside, &link));
    let unseen = Request { paths: crate::PathFacts::default(), ..write("src/a") };
    assert!(!allows(inside, &unseen));
}

#[test]
fn a_path_is_denied_as_it_is_written_and_as_it_is_resolved() {
    let ssh = "path = \"~/.ssh/**\"";
    assert!(denies(ssh, &write("~/.ssh/config")));
    assert!(denies(ssh, &resolved(write("link"), |_| ResolvedPath::new("/home/ann/.ssh/config"))));
    let unseen = Request { paths: crate::PathFacts::default(), ..write("/home/ann/x/../.ssh/config") };
    assert!(denies(ssh, &unseen));
    assert!(!denies(ssh, &write("~/.ssh-backup/config")));
}

#[test]
fn outside_the_project_needs_a_project_to_allow() {
    let outside = "class = \"file_write\"\npath_in = \"outside\"";
    assert!(allows(outside, &write("/tmp/a")));
    let nowhere = Request { project: None, ..write("/tmp/a") };
    assert!(!allows(outside, &nowhere));
    assert!(denies(outside, &nowhere));
}

#[test]
fn a_claimed_agent_is_allowed_nothing_by_its_name() {
    let by_agent =
        |verified| Request { agent: Some(AgentIdentity { name: "codex".into(), verified }), ..request("tool", "{}") };
    assert!(allows("agents = [\"claude-code\", \"codex\"]", &by_agent(true)));
    assert!(!allows("agents = \"codex\"", &by_agent(false)));
    assert!(denies("agents = \"codex\"", &by_agent(false)));
    assert!(!denies("agents = \"claude-*\"", &by_agent(true)));
}

#[test]
fn a_claimed_name_does_not_loosen_a_denial() {
    let rules = "[[rule]]\npattern = \"*\"\naction = \"deny\"\n[[rule]]\nagents = \"codex\"\naction = \"ask\"";
    let by_agent =
        |verified| Request { agent: Some(AgentIdentity { name: "codex".into(), verified }), ..request("tool", "{}") };
    assert_eq!(by(rules, &by_agent(true)), Ask);
    assert_eq!(by(rules, &by_agent(false)), Deny);
}

#[test]
fn users_and_tags_are_what_the_requester_says() {
    let call = Request { user: Some("bob".into()), tags: vec!["ci".into(), "night".into()], ..request("tool", "{}") };
    assert!(allows("users = [\"ann\", \"bob\"]", &call));
    assert!(!allows("users = \"ann\"", &call));
    assert!(allows("tags = \"night\"", &call));
    assert!(!allows("tags = \"day\"", &call));
}

#[test]
fn a_project_is_the_folder_that_the_file_system_knows() {
    assert!(allows("tool = \"*\"\nprojects = \"~/work/**\"", &write("a")));
    assert!(allows("tool = \"*\"\nprojects = \"/home/ann/work/app\"", &write("a")));
    assert!(!allows("tool = \"*\"\nprojects = \"~/play/**\"", &write("a")));
    let only_said = Request { project: None, ..write("a") };
    assert!(!allows("tool = \"*\"\nprojects = \"~/work/**\"", &only_said));
    assert!(denies("tool = \"*\"\nprojects = \"~/work/**\"", &only_said));
}

#[test]
fn risk_is_what_the_call_is_judged_with() {
    let call = |level| Request { declared_risk: Some(level), ..request("tool", "{}") };
    assert!(allows("risk = [\"read_only\", \"write\"]", &call(RiskLevel::Write)));
    assert!(!allows("risk = [\"read_only\", \"write\"]", &call(RiskLevel::Destructive)));
}

#[test]
fn an_expired_rule_does_nothing() {
    let policy =
        policy("version = 1\n[[rule]]\npattern = \"*\"\naction = \"allow\"\nexpires = \"1970-01-01T00:01:00Z\"");
    let call = request("tool", "{}");
    assert_eq!(policy.decide(&call, at(59)).action, Allow);
    assert_eq!(policy.decide(&call, at(60)).action, Ask);
}

#[test]
fn a_final_rule_is_loosened_by_no_later_one() {
    let rules = |last: &str| {
        format!(
            "[[rule]]\npattern = \"tool\"\naction = \"ask\"\nfinal = true\n[[rule]]\npattern = \"*\"\naction = \"{last}\""
        )
    };
    let call = request("tool", "{}");
    assert_eq!(by(&rules("allow"), &call), Ask);
    assert_eq!(by(&rules("deny"), &call), Deny);
}

#[test]
fn a_final_rule_holds_in_the_table_of_an_agent_too() {
    let rules = "[[rule]]\npattern = \"*\"\naction = \"deny\"\nfinal = true\n\
                 [agent.codex]\nrule = [{ pattern = \"*\", action = \"allow\" }]";
    let agent = Some(AgentIdentity { name: "codex".into(), verified: true });
    assert_eq!(by(rules, &Request { agent, ..request("tool", "{}") }), Deny);
}
