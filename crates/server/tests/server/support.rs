//! A server in a folder of its own, and a plain HTTP client for it.

use std::sync::Arc;
use std::sync::Mutex;

use handraise_gate::ExternalDecisions;
use handraise_locations::Folders;
#[cfg(target_os = "linux")]
use handraise_protocol::PolicyView;
use handraise_protocol::{Approval, ApprovalResult, Question, QuestionId, QuestionResult, RequestId};
use handraise_server::{Clock, FileStore, Server, ServerOptions, Surface, SystemClock};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// What a surface was told.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Shown {
    Present(RequestId),
    Withdraw(RequestId),
    PresentQuestion(QuestionId),
    WithdrawQuestion(QuestionId),
}

/// A surface that remembers what it was told.
#[derive(Default)]
pub(crate) struct RecordingSurface(pub(crate) Mutex<Vec<Shown>>);

impl Surface for RecordingSurface {
    fn present(&self, approval: &Approval) {
        self.0.lock().unwrap().push(Shown::Present(approval.id));
    }

    fn withdraw(&self, id: RequestId, _: &ApprovalResult) {
        self.0.lock().unwrap().push(Shown::Withdraw(id));
    }

    fn present_question(&self, question: &Question) {
        self.0.lock().unwrap().push(Shown::PresentQuestion(question.id));
    }

    fn withdraw_question(&self, id: QuestionId, _: &QuestionResult) {
        self.0.lock().unwrap().push(Shown::WithdrawQuestion(id));
    }
}

pub(crate) struct TestServer {
    pub(crate) server: Server,
    pub(crate) folders: Folders,
    pub(crate) surface: Arc<RecordingSurface>,
    pub(crate) requester: String,
    pub(crate) approver: String,
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    /// Status line and header fields.
    pub(crate) head: String,
    pub(crate) body: Value,
}

pub(crate) fn folders(root: &std::path::Path) -> Folders {
    let at = |name: &str| Some(root.join(name));
    Folders::with(at("config"), at("data"), at("runtime")).unwrap()
}

pub(crate) async fn start(root: &std::path::Path) -> TestServer {
    start_with_clock(root, Arc::new(SystemClock)).await
}

pub(crate) async fn start_with_clock(root: &std::path::Path, clock: Arc<dyn Clock>) -> TestServer {
    let folders = folders(root);
    let surface = Arc::new(RecordingSurface::default());
    let token_file = root.join("approver.token");
    let options = ServerOptions {
        folders: folders.clone(),
        port: Some(0),
        approver_token_file: Some(token_file.clone()),
        confirm_policy: false,
        external_decisions: ExternalDecisions::default(),
        confine_program: None,
    };
    let store = Arc::new(FileStore::new(folders.grants_file()));
    let server = Server::start_with_clock(options, vec![surface.clone()], store, clock).await.unwrap();
    TestServer {
        server,
        requester: std::fs::read_to_string(folders.token_file("default")).unwrap(),
        approver: std::fs::read_to_string(token_file).unwrap(),
        folders,
        surface,
    }
}

/// Starts where another server has just been dropped, as after a crash: its engine may take a moment to end.
pub(crate) async fn start_again(root: &std::path::Path) -> TestServer {
    let deadline = std::time::Instant::now();
    loop {
        let attempt = std::panic::AssertUnwindSafe(start(root));
        match futures_util::FutureExt::catch_unwind(attempt).await {
            Ok(server) => return server,
            Err(_) => assert!(deadline.elapsed().as_secs() < 20, "the old engine did not end"),
        }
    }
}

impl TestServer {
    pub(crate) fn address(&self) -> String {
        self.server.endpoint().address
    }

    /// As an approver who has started from the text with this `etag`.
    pub(crate) async fn put(&self, path: &str, etag: &str, body: Value) -> Reply {
        let header = format!("If-Match: \"{etag}\"\r\n");
        let mut stream = self.open_with("PUT", path, &self.approver, Some(body), &header).await;
        read(&mut stream).await
    }

    /// As an approver.
    pub(crate) async fn get(&self, path: &str) -> Value {
        self.call("GET", path, &self.approver, None).await.body
    }

    /// As an approver.
    pub(crate) async fn post(&self, path: &str, body: Value) -> Reply {
        self.call("POST", path, &self.approver, Some(body)).await
    }

    /// Waits until the policy is as `is` wants it, woken by each change.
    #[cfg(target_os = "linux")]
    pub(crate) async fn policy_when(&self, is: impl Fn(&PolicyView) -> bool) -> PolicyView {
        let mut events = self.server.engine().subscribe().await.unwrap();
        loop {
            let policy = self.server.engine().policy().await.unwrap();
            if is(&policy) {
                return policy;
            }
            events.recv().await.unwrap();
        }
    }

    pub(crate) async fn call(&self, method: &str, path: &str, token: &str, body: Option<Value>) -> Reply {
        let mut stream = self.open(method, path, token, body).await;
        read(&mut stream).await
    }

    pub(crate) async fn ask(&self, path: &str, body: Value) -> Reply {
        self.call("POST", path, &self.requester, Some(body)).await
    }

    pub(crate) async fn decide(&self, id: &str, body: Value) -> Reply {
        self.call("POST", &format!("/v1/approvals/{id}/decision"), &self.approver, Some(body)).await
    }

    /// Sends a request and leaves the connection open.
    pub(crate) async fn open(&self, method: &str, path: &str, token: &str, body: Option<Value>) -> TcpStream {
        self.open_with(method, path, token, body, "").await
    }

    /// The same with another header.
    pub(crate) async fn open_with(
        &self,
        method: &str,
        path: &str,
        token: &str,
        body: Option<Value>,
        header: &str,
    ) -> TcpStream {
        let address = self.address();
        let body = body.map(|body| body.to_string()).unwrap_or_default();
        let mut stream = TcpStream::connect(&address).await.unwrap();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\
             {header}Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all((head + &body).as_bytes()).await.unwrap();
        stream
    }

    /// Waits until a request is pending and gives its id.
    pub(crate) async fn pending(&self) -> String {
        loop {
            if let Some(approval) = self.server.engine().pending().await.unwrap().first() {
                return approval.id.to_string();
            }
            tokio::task::yield_now().await;
        }
    }
}

/// A program that ends with the test.
pub(crate) struct Running(pub(crate) std::process::Child);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

pub(crate) async fn read(stream: &mut TcpStream) -> Reply {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).await.unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Reply { status, head: head.to_owned(), body: serde_json::from_str(body).unwrap_or(Value::Null) }
}
