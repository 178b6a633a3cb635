//! What is stored in the form of the API means the same in the domain: it comes back as it was.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use handraise_gate as gate;
use handraise_policy as policy;
use handraise_protocol::{
    Action, Breadth, DecidedBy, Decision, Grant, GrantEffect, Mode, Preset, QuestionChoice, QuestionStatus, RiskLevel,
    Scope, Status, ToolClass,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// `json`, read as `Wire`, made into `Domain` and back.
fn there_and_back<Wire, Domain>(json: &Value) -> Value
where
    Wire: DeserializeOwned + Serialize + From<Domain> + Into<Domain>,
{
    let wire: Wire = serde_json::from_value(json.clone()).unwrap();
    let domain: Domain = wire.into();
    serde_json::to_value(Wire::from(domain)).unwrap()
}

#[test]
fn a_grant_comes_back_as_it_was() {
    let matchers = [
        json!({ "kind": "exact", "tool": "Bash", "server": "files", "cwd": "/srv/app", "arguments_hash": "ab12" }),
        json!({ "kind": "exact", "tool": "Bash", "arguments_hash": "ab12" }),
        json!({ "kind": "command", "patterns": ["git commit *", "ls *"], "project": "/srv/app" }),
        json!({ "kind": "folder", "class": "file_write", "folder": "/srv/app/src" }),
        json!({ "kind": "tool", "tool": "edit", "server": "files" }),
    ];
    for (matcher, effect) in matchers.into_iter().zip(["approve", "deny"].into_iter().cycle()) {
        let grant = json!({
            "id": "00000000-0000-0000-0000-000000000001",
            "session": { "requester": "default", "agent": "claude-code", "id": "s1" },
            "effect": effect,
            "matcher": matcher,
            "scope": "minutes",
            "title": "git commit -m x",
            "created_at": "2026-01-02T03:04:05Z",
            "expires_at": "2026-01-02T03:19:05Z",
            "decided_in": "00000000-0000-0000-0000-000000000002"
        });
        assert_eq!(there_and_back::<Grant, policy::Grant>(&grant), grant);
        let mut of_task = grant.clone();
        of_task["tasks"] = json!([{ "call": "npm test", "file": "/srv/app/package.json", "digest": "ab12", "text": "test: vitest\n" }]);
        assert_eq!(there_and_back::<Grant, policy::Grant>(&of_task), of_task);
    }
}

#[test]
fn a_choice_comes_back_as_it_was() {
    for choice in [json!({ "label": "one", "description": "the first" }), json!({ "label": "two" })] {
        assert_eq!(there_and_back::<QuestionChoice, gate::QuestionChoice>(&choice), choice);
    }
}

#[test]
fn every_word_comes_back_as_it_was() {
    fn all<Wire, Domain>(words: &[&str])
    where
        Wire: DeserializeOwned + Serialize + From<Domain> + Into<Domain>,
    {
        for word in words {
            assert_eq!(there_and_back::<Wire, Domain>(&json!(word)), json!(word));
        }
    }
    all::<Action, policy::Action>(&["allow", "ask", "deny"]);
    all::<Breadth, policy::Breadth>(&["exact", "prefix", "folder", "tool"]);
    all::<DecidedBy, gate::DecidedBy>(&["policy", "grant", "person", "timeout", "requester", "shutdown"]);
    all::<Decision, gate::Decision>(&["approve", "deny"]);
    all::<GrantEffect, policy::GrantEffect>(&["approve", "deny"]);
    all::<Mode, gate::Mode>(&["normal", "ask_everything", "deny_everything"]);
    all::<Preset, policy::Preset>(&["practical", "strict", "autonomous", "workspace"]);
    all::<QuestionStatus, gate::QuestionStatus>(&["answered", "declined", "timeout", "cancelled", "pending"]);
    all::<RiskLevel, policy::RiskLevel>(&["read_only", "write", "destructive"]);
    all::<Scope, policy::Scope>(&["once", "minutes", "session", "project", "always"]);
    all::<Status, gate::Status>(&["approved", "denied", "timeout", "cancelled", "pending"]);
    all::<ToolClass, policy::ToolClass>(&["shell", "file_read", "file_write", "network", "mcp", "other"]);
}

/// What is left out of a decision is what the domain takes where nothing is said.
#[test]
fn what_is_left_out_means_the_same_on_both_sides() {
    assert_eq!(policy::Scope::from(Scope::default()), policy::Scope::default());
    assert_eq!(policy::Breadth::from(Breadth::default()), policy::Breadth::default());
    assert_eq!(gate::Mode::from(Mode::default()), gate::Mode::default());
}
