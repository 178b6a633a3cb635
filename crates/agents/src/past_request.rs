//! What the hook of an agent would have asked about a call of the past.

use handraise_protocol::ApprovalRequest;

use crate::{HookError, HookMessage, PastCall, mcp};

impl PastCall {
    /// The request that the agent's hook makes of such a call, by way of the message that the hook sends. `None`:
    /// the agent asks no hook about it, since it puts something before the person itself.
    ///
    /// # Errors
    /// As for a message of the hook.
    pub fn request(&self) -> Result<Option<ApprovalRequest>, HookError> {
        let agent = self.agent.as_deref().and_then(crate::agent);
        let told = agent.and_then(|agent| Some((agent, agent.told_before(self)?)));
        let Some((agent, message)) = told else { return Ok(Some(self.plain_request())) };
        Ok(match agent.parse(message.to_string().as_bytes())? {
            HookMessage::Ask(call) => Some(ApprovalRequest { session: self.session.clone(), ..call.request }),
            _ => None,
        })
    }

    /// The request of a program that asks by itself.
    fn plain_request(&self) -> ApprovalRequest {
        let (server, tool) = mcp::server_and_tool(&self.tool, self.server.as_deref());
        ApprovalRequest {
            tool,
            server,
            arguments: self.arguments.clone(),
            agent: self.agent.clone(),
            session: self.session.clone(),
            cwd: self.cwd.clone(),
            ..ApprovalRequest::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn request(call: Value) -> Option<ApprovalRequest> {
        serde_json::from_value::<PastCall>(call).unwrap().request().unwrap()
    }

    #[test]
    fn a_call_of_the_past_is_what_the_hook_would_have_sent() {
        let claude = request(json!({
            "agent": "claude-code", "tool": "mcp__docs__search", "arguments": { "query": "x" }, "cwd": "/srv/app",
        }));
        let claude = claude.unwrap();
        assert_eq!((claude.server.as_deref(), claude.tool.as_str()), (Some("docs"), "search"));
        assert_eq!((claude.session, claude.cwd.as_deref()), (None, Some("/srv/app")));
        for (agent, tool) in [
            ("claude-code", "Bash"),
            ("codex", "exec_command"),
            ("copilot-cli", "bash"),
            ("opencode", "bash"),
            ("gemini-cli", "run_shell_command"),
            ("qwen-code", "run_shell_command"),
        ] {
            let call = json!({
                "agent": agent, "session": "s1", "tool": tool, "cwd": "/srv/app",
                "arguments": { "command": "git status", "description": "Look" },
            });
            let request = request(call).unwrap();
            assert_eq!((request.agent.as_deref(), request.tool.as_str()), (Some(agent), tool));
            assert_eq!(request.session.as_deref(), Some("s1"));
            assert_eq!(request.arguments["command"], "git status", "{agent}");
        }
    }

    #[test]
    fn nobody_is_asked_about_an_agents_own_question() {
        for (agent, tool) in [
            ("claude-code", "AskUserQuestion"),
            ("claude-code", "ExitPlanMode"),
            ("copilot-cli", "ask_user"),
            ("gemini-cli", "ask_user"),
            ("qwen-code", "exit_plan_mode"),
            ("opencode", "question"),
        ] {
            assert_eq!(request(json!({ "agent": agent, "tool": tool })), None, "{agent} {tool}");
        }
    }

    #[test]
    fn a_call_of_another_program_is_taken_as_it_is() {
        let found = request(json!({ "tool": "mcp__a__b", "session": "s" })).unwrap();
        assert_eq!((found.server.as_deref(), found.tool.as_str()), (Some("a"), "b"));
        assert_eq!(request(json!({ "agent": "my-own", "tool": "t" })).unwrap().tool, "t");
    }
}
