//! A conversation over the Agent Client Protocol, line by line.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that panics fails, which is what it is for")]

use handraise_agents::acp::{FromAgent, FromClient, Passed, PermissionRequest, Proxy, Step};
use handraise_policy::Subject;
use serde_json::{Map, Value, json};

fn line(message: &Value) -> Vec<u8> {
    format!("{message}\n").into_bytes()
}

fn permission_request(id: u32, call: &Value) -> Value {
    let options = json!([{ "optionId": "y", "name": "Yes", "kind": "allow_once" }]);
    let params = json!({ "sessionId": "s", "toolCall": call, "options": options });
    json!({ "jsonrpc": "2.0", "id": id, "method": "session/request_permission", "params": params })
}

fn asked(proxy: &mut Proxy, message: &Value) -> (Box<PermissionRequest>, Option<Value>) {
    match proxy.from_agent(&line(message)) {
        FromAgent::Ask { permission, told } => (permission, told.map(|told| serde_json::from_str(&told).unwrap())),
        other => panic!("{other:?}"),
    }
}

fn passes(proxy: &mut Proxy, message: &Value) {
    let found = proxy.from_agent(&line(message));
    assert!(matches!(found, FromAgent::Pass), "{found:?}");
}

fn update(fields: Value) -> Value {
    json!({ "jsonrpc": "2.0", "method": "session/update", "params": { "sessionId": "s", "update": fields } })
}

#[test]
fn a_session_has_the_folder_that_it_was_made_with() {
    let ask =
        |proxy: &mut Proxy| asked(proxy, &permission_request(1, &json!({ "toolCallId": "c" }))).0.call.request.cwd;
    let mut made = Proxy::default();
    made.from_client(&line(&json!({ "id": 5, "method": "session/new", "params": { "cwd": "/repo" } })));
    passes(&mut made, &json!({ "id": 4, "result": { "sessionId": "other" } }));
    passes(&mut made, &json!({ "id": 5, "result": { "sessionId": "s" } }));
    assert_eq!(ask(&mut made).as_deref(), Some("/repo"));
    for method in ["session/load", "session/resume"] {
        let mut known = Proxy::default();
        known.from_client(&line(&json!({ "id": 5, "method": method, "params": { "cwd": "/old", "sessionId": "s" } })));
        assert_eq!(ask(&mut known).as_deref(), Some("/old"));
    }
    let mut forked = Proxy::default();
    let fork = json!({ "id": 5, "method": "session/fork", "params": { "cwd": "/new", "sessionId": "first" } });
    forked.from_client(&line(&fork));
    passes(&mut forked, &json!({ "id": 5, "result": { "sessionId": "s" } }));
    assert_eq!(ask(&mut forked).as_deref(), Some("/new"));
    assert_eq!(ask(&mut Proxy::default()), None);
}

#[test]
fn what_was_told_of_a_call_belongs_to_the_permission_request_about_it() {
    let mut proxy = Proxy::default();
    let told = json!({ "sessionUpdate": "tool_call", "toolCallId": "c", "title": "Remove it", "kind": "execute" });
    passes(&mut proxy, &update(told));
    let input = json!({ "sessionUpdate": "tool_call_update", "toolCallId": "c", "rawInput": { "command": "rm a" } });
    passes(&mut proxy, &update(input));
    let (permission, told) =
        asked(&mut proxy, &permission_request(1, &json!({ "toolCallId": "c", "status": "pending" })));
    let request = &permission.call.request;
    assert_eq!((request.tool.as_str(), &request.arguments["command"]), ("shell", &json!("rm a")));
    assert_eq!(request.intent.as_deref(), Some("Remove it"));
    assert_eq!(told.unwrap()["params"]["update"]["sessionUpdate"], "tool_call_update");
}

#[test]
fn the_client_hears_of_a_call_that_only_the_permission_request_told_of() {
    let mut proxy = Proxy::default();
    let call = json!({ "toolCallId": "c", "title": "List", "kind": "execute", "rawInput": { "command": "ls" } });
    let (_, told) = asked(&mut proxy, &permission_request(1, &call));
    let mut expected: Map<String, Value> = call.as_object().unwrap().clone();
    expected.insert("sessionUpdate".to_owned(), "tool_call".into());
    assert_eq!(told.unwrap(), update(Value::Object(expected)));
    // A tool call of version 1 has a title.
    assert_eq!(asked(&mut proxy, &permission_request(2, &json!({ "toolCallId": "d" }))).1, None);
}

#[test]
fn version_2_asks_about_a_command_or_about_nothing_in_particular() {
    let ask = |subject: Value| {
        let mut message = permission_request(1, &Value::Null);
        let params = message["params"].as_object_mut().unwrap();
        params.remove("toolCall");
        params.insert("title".to_owned(), "May I?".into());
        params.insert("subject".to_owned(), subject);
        asked(&mut Proxy::default(), &message).0.call.request
    };
    let command = ask(json!({ "type": "command", "command": "ls", "cwd": "/repo", "toolCallId": "c" }));
    assert_eq!((command.tool.as_str(), &command.arguments["command"]), ("shell", &json!("ls")));
    assert_eq!((command.cwd.as_deref(), command.trace_id.as_deref()), (Some("/repo"), Some("c")));
    let unknown = ask(json!({ "type": "_deploy", "to": "production" }));
    assert_eq!((unknown.tool.as_str(), &unknown.arguments["to"]), ("other", &json!("production")));
    let nothing = ask(Value::Null);
    assert_eq!((nothing.tool.as_str(), nothing.intent.as_deref()), ("other", Some("May I?")));
}

#[test]
fn a_permission_request_is_taken_back_by_its_client_or_its_agent() {
    for method in ["session/cancel", "session/close", "session/delete"] {
        let mut proxy = Proxy::default();
        asked(&mut proxy, &permission_request(1, &json!({ "toolCallId": "c" })));
        asked(&mut proxy, &permission_request(2, &json!({ "toolCallId": "d" })));
        let cancel = |session: &str| line(&json!({ "method": method, "params": { "sessionId": session } }));
        assert_eq!(proxy.from_client(&cancel("other")), FromClient::default());
        assert_eq!(proxy.from_client(&cancel("s")).withdrawn, [json!(1), json!(2)]);
        proxy.answered(&json!(1));
        assert_eq!(proxy.last_answers().len(), 1);
    }
    let mut proxy = Proxy::default();
    asked(&mut proxy, &permission_request(1, &json!({ "toolCallId": "c" })));
    let withdrawal = |id: u32| json!({ "method": "$/cancel_request", "params": { "requestId": id } });
    // A request that the client has got.
    passes(&mut proxy, &withdrawal(2));
    let found = proxy.from_agent(&line(&withdrawal(1)));
    assert!(matches!(&found, FromAgent::Withdraw { id, told: None } if *id == json!(1)), "{found:?}");
}

#[test]
fn a_second_permission_request_with_the_id_of_an_open_one_is_refused() {
    let mut proxy = Proxy::default();
    asked(&mut proxy, &permission_request(1, &json!({ "toolCallId": "c" })));
    let found = proxy.from_agent(&line(&permission_request(1, &json!({ "toolCallId": "d" }))));
    assert!(matches!(found, FromAgent::Refuse { answer: Some(_), .. }), "{found:?}");
}

fn initialize(version: u32, field: &str, elicitation: &Value) -> Value {
    let params = json!({ "protocolVersion": version, field: { "fs": {}, "elicitation": elicitation } });
    json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params })
}

fn form(id: &Value) -> Value {
    let schema = json!({ "type": "object", "properties": { "b": { "type": "string" } }, "required": ["b"] });
    let params = json!({ "sessionId": "s", "mode": "form", "message": "Which?", "requestedSchema": schema });
    json!({ "jsonrpc": "2.0", "id": id, "method": "elicitation/create", "params": params })
}

fn instead(passed: Passed) -> Value {
    match passed {
        Passed::Instead(line) => serde_json::from_str(&line).unwrap(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_agent_may_ask_what_the_client_cannot() {
    for (version, field) in [(1, "clientCapabilities"), (2, "capabilities")] {
        for own in [Value::Null, json!({}), json!({ "form": {} }), json!({ "form": {}, "url": null })] {
            let line = line(&initialize(version, field, &own));
            let changed = instead(Proxy::default().from_client(&line).line);
            assert_eq!(changed["params"][field], json!({ "fs": {}, "elicitation": { "form": {}, "url": {} } }));
        }
        let whole = line(&initialize(version, field, &json!({ "form": {}, "url": {} })));
        assert_eq!(Proxy::default().from_client(&whole), FromClient::default());
    }
    let bare = json!({ "id": 0, "method": "initialize", "params": { "protocolVersion": 1 } });
    let changed = instead(Proxy::default().from_client(&line(&bare)).line);
    assert_eq!(changed["params"]["clientCapabilities"]["elicitation"], json!({ "form": {}, "url": {} }));
    // What nobody understands stays as it is.
    let odd = json!({ "id": 0, "method": "initialize", "params": { "clientCapabilities": [] } });
    assert_eq!(Proxy::default().from_client(&line(&odd)), FromClient::default());
}

#[test]
fn whoever_answers_an_elicitation_first_is_heard_and_the_other_is_not() {
    let mut proxy = Proxy::default();
    proxy.from_client(&line(&initialize(1, "clientCapabilities", &json!({ "form": {} }))));
    let elicit = |proxy: &mut Proxy, id: Value| match proxy.from_agent(&line(&form(&id))) {
        FromAgent::Elicit { told: Some(told), .. } => {
            let told: Value = serde_json::from_str(&told).unwrap();
            assert_eq!(told["params"], form(&id)["params"]);
            told["id"].clone()
        }
        other => panic!("{other:?}"),
    };
    let answer = |id: &Value| line(&json!({ "jsonrpc": "2.0", "id": id, "result": { "action": "decline" } }));
    let at_client = elicit(&mut proxy, json!("a"));
    let found = proxy.from_client(&answer(&at_client));
    assert_eq!(found.withdrawn, [json!("a")]);
    assert_eq!(instead(found.line), json!({ "jsonrpc": "2.0", "id": "a", "result": { "action": "decline" } }));
    assert_eq!(proxy.settle(&json!("a")), None);
    // The other way round: what the client says later reaches nobody, also where the agent uses the id anew.
    let first = elicit(&mut proxy, json!(1));
    let withdrawal: Value = serde_json::from_str(&proxy.settle(&json!(1)).unwrap().unwrap()).unwrap();
    assert_eq!(withdrawal["params"]["requestId"], first);
    let second = elicit(&mut proxy, json!(1));
    assert_eq!(proxy.from_client(&answer(&first)).line, Passed::Nothing);
    assert_eq!(instead(proxy.from_client(&answer(&second)).line)["id"], 1);
}

#[test]
fn an_elicitation_is_taken_back_by_its_agent_and_ends_with_its_session() {
    let mut proxy = Proxy::default();
    proxy.from_client(&line(&initialize(1, "clientCapabilities", &json!({ "form": {} }))));
    let FromAgent::Elicit { told: Some(told), .. } = proxy.from_agent(&line(&form(&json!(7)))) else { panic!() };
    let told: Value = serde_json::from_str(&told).unwrap();
    let withdrawal =
        |id: &Value| json!({ "jsonrpc": "2.0", "method": "$/cancel_request", "params": { "requestId": id } });
    let FromAgent::Withdraw { id, told: Some(taken_back) } = proxy.from_agent(&line(&withdrawal(&json!(7)))) else {
        panic!()
    };
    assert_eq!((id, serde_json::from_str::<Value>(&taken_back).unwrap()), (json!(7), withdrawal(&told["id"])));
    let cancel = line(&json!({ "method": "session/cancel", "params": { "sessionId": "s" } }));
    assert_eq!(proxy.from_client(&cancel).withdrawn, [json!(7)]);
    assert_eq!(proxy.last_answers(), [r#"{"jsonrpc":"2.0","id":7,"result":{"action":"cancel"}}"#]);
}

#[test]
fn what_only_the_person_here_can_be_asked_never_reaches_the_client() {
    let mut proxy = Proxy::default();
    proxy.from_client(&line(&initialize(1, "clientCapabilities", &json!({ "form": {} }))));
    let url = json!({ "mode": "url", "message": "Sign in", "elicitationId": "e", "url": "https://a.example/x" });
    let found = proxy.from_agent(&line(&json!({ "id": 1, "method": "elicitation/create", "params": url })));
    let FromAgent::Elicit { elicitation, told: None } = found else { panic!("{found:?}") };
    let Step::Ask(question) = elicitation.next() else { panic!() };
    assert_eq!(question.question, "Sign in\n\nhttps://a.example/x\nIt is at a.example.");
    let done = json!({ "method": "elicitation/complete", "params": { "elicitationId": "e" } });
    assert!(matches!(proxy.from_agent(&line(&done)), FromAgent::Keep));
    // A mode that nobody knows is the client's affair.
    let later = json!({ "id": 2, "method": "elicitation/create", "params": { "mode": "_hologram", "message": "m" } });
    passes(&mut proxy, &later);
}

fn version_2(subject: Value) -> Value {
    let options = json!([{ "optionId": "y", "name": "Yes", "kind": "allow_once" }]);
    let params = json!({ "sessionId": "s", "title": "May I?", "subject": subject, "options": options });
    json!({ "jsonrpc": "2.0", "id": 1, "method": "session/request_permission", "params": params })
}

#[test]
fn changes_of_files_are_shown_as_what_they_change() {
    let ask = |call: Value| asked(&mut Proxy::default(), &permission_request(1, &call)).0.call.request;
    let diff = json!({ "type": "diff", "path": "/repo/a", "oldText": "one\ntwo\n", "newText": "one\n2\n" });
    let edit = ask(json!({ "toolCallId": "c", "kind": "edit", "content": [diff] }));
    let patch = "*** Begin Patch\n*** Update File: /repo/a\n@@\n-one\n-two\n+one\n+2\n*** End Patch\n";
    assert_eq!((edit.tool.as_str(), &edit.arguments), ("edit", json!({ "patch": patch }).as_object().unwrap()));
    let facts = handraise_agents::tool_facts(None, "edit", None, &edit.arguments);
    assert_eq!(facts.files, ["/repo/a"]);
    let Subject::Edit { path, before, after } = facts.subject else { panic!() };
    assert_eq!((path.as_str(), before.as_str(), after.as_str()), ("/repo/a", "one\ntwo\n", "one\n2\n"));
    // An input whose meaning is the agent's own is told beside it, and one that is understood is all there is.
    let own = ask(json!({ "toolCallId": "c", "kind": "edit", "content": [diff], "rawInput": { "x": 1 } }));
    assert_eq!(own.arguments, json!({ "patch": patch, "rawInput": { "x": 1 } }).as_object().unwrap().clone());
    let known = json!({ "path": "/repo/a", "old_string": "two", "new_string": "2" });
    let understood = ask(json!({ "toolCallId": "c", "kind": "edit", "content": [diff], "rawInput": known }));
    assert_eq!(Value::Object(understood.arguments), known);
    // A path that could be taken for more than a path is none.
    let odd = json!({ "type": "diff", "path": "/a\n*** Delete File: /b", "newText": "x" });
    assert!(!ask(json!({ "toolCallId": "c", "kind": "edit", "content": [odd] })).arguments.contains_key("patch"));
}

#[test]
fn version_2_tells_of_changes_in_a_patch_of_git() {
    let ask = |changes: Value, text: &str| {
        let diff = json!({ "type": "diff", "changes": changes, "patch": { "format": "git_patch", "text": text } });
        let call = json!({ "toolCallId": "c", "kind": "edit", "content": [diff] });
        let subject = json!({ "type": "tool_call", "toolCall": call });
        asked(&mut Proxy::default(), &version_2(subject)).0.call.request.arguments
    };
    let text = "--- a/src/a\n+++ b/src/a\n@@ -1 +1 @@\n-x\n+y\n--- /dev/null\n+++ b/b\n@@ -0,0 +1 @@\n+one\n";
    let changes = json!([
        { "operation": "modify", "path": "/repo/src/a" },
        { "operation": "add", "path": "/repo/b" },
        { "operation": "delete", "path": "/repo/c" },
        { "operation": "move", "oldPath": "/repo/d", "path": "/repo/e" },
    ]);
    let patch = "*** Begin Patch\n*** Update File: /repo/src/a\n@@\n-x\n+y\n*** Add File: /repo/b\n@@\n+one\n\
                 *** Delete File: /repo/c\n*** Update File: /repo/d\n*** Move to: /repo/e\n*** End Patch\n";
    assert_eq!(ask(changes.clone(), text)["patch"], patch);
    // What the patch and the list of changes do not say alike is shown as it came.
    let further = format!("{text}--- a/z\n+++ b/z\n@@ -1 +1 @@\n-x\n+y\n");
    assert!(!ask(changes.clone(), &further).contains_key("patch"));
    assert!(!ask(changes, "").contains_key("patch"));
    assert!(!ask(json!([{ "operation": "_shred", "path": "/repo/a" }]), "").contains_key("patch"));
}

#[test]
fn terminals_places_and_text_are_shown_beside_the_input() {
    let mut proxy = Proxy::default();
    passes(&mut proxy, &json!({ "id": 0, "result": { "protocolVersion": 2 } }));
    let terminal =
        json!({ "sessionUpdate": "terminal_update", "terminalId": "t", "command": "npm test", "cwd": "/repo" });
    passes(&mut proxy, &update(terminal));
    passes(&mut proxy, &update(json!({ "sessionUpdate": "terminal_output_chunk", "terminalId": "t", "data": "Zm9v" })));
    for piece in [
        json!({ "type": "content", "content": { "type": "text", "text": "The plan" } }),
        json!({ "type": "terminal", "terminalId": "t" }),
    ] {
        let chunk = json!({ "sessionUpdate": "tool_call_content_chunk", "toolCallId": "c", "content": piece });
        passes(&mut proxy, &update(chunk));
    }
    let call = json!({ "toolCallId": "c", "name": "deploy", "kind": "execute", "rawInput": { "command": "make" },
        "locations": [{ "path": "/repo/Makefile", "line": 3 }, { "path": "/repo/b" }] });
    let (permission, _) = asked(&mut proxy, &version_2(json!({ "type": "tool_call", "toolCall": call })));
    let shown =
        "Tool: deploy\n\nThe plan\n\nTerminal: npm test (in /repo)\nfoo\n\nFiles:\n/repo/Makefile, line 3\n/repo/b";
    assert_eq!(permission.call.request.description.as_deref(), Some(shown));
    assert_eq!(permission.call.request.arguments["command"], "make");
    proxy.answered(&json!(1));
    let command = json!({ "type": "command", "command": "ls", "cwd": "/repo", "terminalId": "t" });
    let (permission, _) = asked(&mut proxy, &version_2(command));
    assert_eq!(permission.call.request.description.as_deref(), Some("Terminal: npm test (in /repo)\nfoo"));
}

#[test]
fn an_agent_with_answers_of_its_own_is_told_the_one_that_the_person_chose() {
    let ask = |options: Value| {
        let mut message = version_2(json!({ "type": "command", "command": "make", "cwd": "/repo" }));
        message["params"]["options"] = options;
        asked(&mut Proxy::default(), &message).0
    };
    let option = |id: &str, name: &str, kind: &str| json!({ "optionId": id, "name": name, "kind": kind });
    let usual = json!([
        option("a", "Always", "allow_always"),
        option("y", "Yes", "allow_once"),
        option("n", "No", "reject_once")
    ]);
    assert_eq!(ask(usual).which_answer(), None);
    assert!(ask(json!([option("a", "Always", "allow_always")])).which_answer().is_none());
    let two = ask(json!([
        option("s", "Yes", "allow_once"),
        option("p", "Yes", "allow_once"),
        option("n", "No", "reject_once")
    ]));
    let which = two.which_answer().unwrap();
    which.check().unwrap();
    let labels: Vec<_> = which.choices.iter().map(|choice| choice.label.as_str()).collect();
    assert_eq!(labels, ["Yes", "Yes (2)"]);
    let told = |answer: &str| serde_json::from_str::<Value>(answer).unwrap()["result"]["outcome"].clone();
    assert_eq!(told(&two.chosen(&["Yes (2)".to_owned()])), json!({ "outcome": "selected", "optionId": "p" }));
    let own = ask(json!([option("d", "Deploy slowly", "_slow"), option("n", "No", "reject_once")]));
    assert!(own.can_be_allowed());
    assert_eq!(told(&own.chosen(&["Deploy slowly".to_owned()])), json!({ "outcome": "selected", "optionId": "d" }));
    for chosen in [vec![], vec!["No".to_owned()], vec!["Yes".to_owned(), "Yes (2)".to_owned()]] {
        assert_eq!(told(&own.chosen(&chosen)), json!({ "outcome": "cancelled" }), "{chosen:?}");
    }
    let shown = own.call.request.description.unwrap();
    assert_eq!(shown, "The agent offers these answers:\nDeploy slowly (_slow)\nNo (reject_once)");
}
