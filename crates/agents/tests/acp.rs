//! A conversation over the Agent Client Protocol, line by line.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that panics fails, which is what it is for")]

use handraise_agents::acp::{FromAgent, PermissionRequest, Proxy};
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
    made.from_client(&line(&json!({ "id": 5, "method": "session/new", "params": { "cwd": "/work" } })));
    passes(&mut made, &json!({ "id": 4, "result": { "sessionId": "other" } }));
    passes(&mut made, &json!({ "id": 5, "result": { "sessionId": "s" } }));
    assert_eq!(ask(&mut made).as_deref(), Some("/work"));
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
    let command = ask(json!({ "type": "command", "command": "ls", "cwd": "/work", "toolCallId": "c" }));
    assert_eq!((command.tool.as_str(), &command.arguments["command"]), ("shell", &json!("ls")));
    assert_eq!((command.cwd.as_deref(), command.trace_id.as_deref()), (Some("/work"), Some("c")));
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
        assert_eq!(proxy.from_client(&cancel("other")), Vec::<Value>::new());
        assert_eq!(proxy.from_client(&cancel("s")), [json!(1), json!(2)]);
        proxy.answered(&json!(1));
        assert_eq!(proxy.open(), [json!(2)]);
    }
    let mut proxy = Proxy::default();
    asked(&mut proxy, &permission_request(1, &json!({ "toolCallId": "c" })));
    let withdrawal = |id: u32| json!({ "method": "$/cancel_request", "params": { "requestId": id } });
    // A request that the client has got.
    passes(&mut proxy, &withdrawal(2));
    let found = proxy.from_agent(&line(&withdrawal(1)));
    assert!(matches!(&found, FromAgent::Withdraw(id) if *id == json!(1)), "{found:?}");
}

#[test]
fn a_second_permission_request_with_the_id_of_an_open_one_is_refused() {
    let mut proxy = Proxy::default();
    asked(&mut proxy, &permission_request(1, &json!({ "toolCallId": "c" })));
    let found = proxy.from_agent(&line(&permission_request(1, &json!({ "toolCallId": "d" }))));
    assert!(matches!(found, FromAgent::Refuse { answer: Some(_), .. }), "{found:?}");
}
