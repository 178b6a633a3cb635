//! One case of the corpus, and the server that it is sent to.

use anyhow::{Context, Result, ensure};
use handraise_tests::headless::Headless;
use serde::Deserialize;
use serde_json::{Value, json};

/// One line of the corpus.
#[derive(Debug, Deserialize)]
pub(crate) struct Case {
    pub(crate) id: String,
    pub(crate) why: String,
    method: String,
    path: String,
    headers: Vec<(String, String)>,
    body: Option<String>,
    #[serde(default)]
    raw: Option<String>,
    pub(crate) expect: Expect,
}

/// What must come of it.
#[derive(Debug, Deserialize)]
pub(crate) struct Expect {
    #[serde(default)]
    pub(crate) status: Vec<u16>,
    #[serde(default)]
    pub(crate) no_prompt_shown: bool,
    #[serde(default)]
    pub(crate) or_connection_closed: bool,
}

/// A case made ready to be sent.
pub(crate) struct Target {
    pub(crate) bytes: Vec<u8>,
    /// A request that must still be pending afterwards.
    pub(crate) pending: Option<String>,
}

/// A server with two requesters and an approver.
pub(crate) struct Scene {
    pub(crate) server: Headless,
}

impl Scene {
    pub(crate) fn start() -> Result<Self> {
        let policy = "version = 1\n[agent.claude-code]\nrule = [{ pattern = \"*\", action = \"allow\" }]\n";
        Ok(Self { server: Headless::start(policy)? })
    }

    /// Puts this server's paths, tokens and ids into a case, and our field names into its body.
    pub(crate) fn target(&self, case: &Case) -> Result<Target> {
        let needs_pending = [case.path.as_str(), case.body.as_deref().unwrap_or_default()]
            .iter()
            .any(|text| text.contains("{DECIDE}") || text.contains("{PENDING_ID}") || text.contains("{RESUME}"));
        let pending = needs_pending.then(|| self.submit("Bash", &json!({ "command": "npm install" }))).transpose()?;
        let fill = |text: &str| self.fill(text, pending.as_deref().unwrap_or_default());

        if let Some(raw) = &case.raw {
            return Ok(Target { bytes: with_host(&fill(raw)?), pending });
        }
        let body = case.body.as_deref().map(|body| fill(&ours(body))).transpose()?.unwrap_or_default();
        let mut head = format!("{} {} HTTP/1.1\r\n", case.method, fill(&case.path)?);
        for (name, value) in &case.headers {
            head += &format!("{name}: {}\r\n", fill(value)?);
        }
        if !case.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("connection")) {
            head += "Connection: close\r\n";
        }
        head += &format!("Content-Length: {}\r\n\r\n", body.len());
        Ok(Target { bytes: (head + &body).into_bytes(), pending })
    }

    fn fill(&self, text: &str, pending: &str) -> Result<String> {
        let token = self.server.requester_token("default")?;
        let port = self.server.started.address.rsplit(':').next().context("no port")?;
        let prefix = token.get(..token.len() - 4).context("a short token")?;
        let decide = format!("/v1/approvals/{pending}/decision");
        Ok(text
            .replace("{AGENT_TOKEN_PREFIX}", prefix)
            .replace("{AGENT_TOKEN}", &token)
            .replace("{AGENT_B_TOKEN}", &self.server.requester_token("claude-code")?)
            .replace("{APPROVER_TOKEN}", &self.server.approver_token()?)
            .replace("{OTHER_USER_TOKEN}", &format!("hrq_{}_{}", "0".repeat(12), "0".repeat(64)))
            .replace("{TRUSTED_AGENT_NAME}", "claude-code")
            .replace("{PORT}", port)
            .replace("{SUBMIT}", "/v1/approvals?wait=0")
            .replace("{DECIDE}", &decide)
            .replace("{RESUME}", &format!("/v1/approvals/{pending}/redeem"))
            .replace("{REQUEST}", "/v1/approvals")
            .replace("{EVENTS}", "/v1/events")
            .replace("{POLICY}", "/v1/policy")
            .replace("{HEALTH}", "/v1/health")
            .replace("{PENDING_ID}", pending))
    }

    /// Submits a call with the default token and gives its id.
    pub(crate) fn submit(&self, tool: &str, arguments: &Value) -> Result<String> {
        let body = json!({ "tool": tool, "arguments": arguments });
        let reply = self.server.requester()?.call("POST", "/v1/approvals?wait=0", Some(&body))?;
        Ok(reply.body["id"].as_str().with_context(|| format!("{reply:?}"))?.to_owned())
    }

    /// Ids of the open requests.
    pub(crate) fn open_requests(&self) -> Result<Vec<Value>> {
        let reply = self.server.approver()?.call("GET", "/v1/approvals?limit=200", None)?;
        let approvals = reply.body["approvals"].as_array().with_context(|| format!("{reply:?}"))?;
        Ok(approvals.iter().map(|approval| approval["id"].clone()).collect())
    }

    pub(crate) fn status_of(&self, id: &str) -> Result<String> {
        let reply = self.server.approver()?.call("GET", &format!("/v1/approvals/{id}"), None)?;
        Ok(reply.body["status"].as_str().with_context(|| format!("{reply:?}"))?.to_owned())
    }

    pub(crate) fn check_alive(&self) -> Result<()> {
        let reply = self.server.requester()?.call("GET", "/v1/health", None)?;
        ensure!(reply.status == 200, "the server is gone: {reply:?}");
        Ok(())
    }
}

/// The corpus' field names as ours.
fn ours(body: &str) -> String {
    body.replace("\"args\":", "\"arguments\":")
        .replace("\"timeout_ms\":1000", "\"timeout_seconds\":1")
        .replace("\"timeout_ms\":", "\"timeout_seconds\":")
        .replace("\"decision\":\"allow\"", "\"decision\":\"approve\"")
        .replace("\"id\":\"{PENDING_ID}\",", "")
        .replace("{\"approval_id\":\"{PENDING_ID}\"}", r#"{"tool":"Bash","arguments":{"command":"npm install"}}"#)
        .replace("{EVIL_REGEX_INPUT}", &"a".repeat(100_000))
}

/// Raw requests keep the connection open unless told otherwise; this test reads to the end.
fn with_host(raw: &str) -> Vec<u8> {
    raw.replacen("\r\nContent-Type:", "\r\nConnection: close\r\nContent-Type:", 1).into_bytes()
}
