//! Copilot CLI's transcripts (`session-events.schema.json` of its SDK): `session-state/SESSION/events.jsonl`.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::NAME;
use crate::transcript::{CallContext, object, refused_in_handraise, spoken, time};
use crate::{Calls, PastCall, PastOutcome, ReadTranscript, TranscriptForm, TranscriptSource, Transcripts, Unreadable};

pub(super) const TRANSCRIPTS: Transcripts = Transcripts {
    places: &[TranscriptSource {
        variables: &[("COPILOT_HOME", "")],
        folder: ".copilot",
        files: "session-state/*/events.jsonl",
        form: TranscriptForm::Lines,
        folder_file: None,
    }],
    not_read: &[("history-session-state", "sessions of older versions of Copilot CLI are not read")],
    reader: || Box::new(Reader::default()),
};

/// How a question ends that a person has answered with no; older and newer versions.
const REFUSED: &[&str] = &["denied-interactively-by-user", "reject", "rejected"];

#[derive(Default)]
struct Reader {
    here: CallContext,
    /// The call that an open question is about, by the question's id. Older versions say it only when they ask.
    asked: HashMap<String, String>,
}

impl ReadTranscript for Reader {
    fn begin(&mut self, _folder: Option<String>) {
        *self = Self::default();
    }

    fn read(&mut self, text: &[u8], calls: &mut Calls) -> Result<(), Unreadable> {
        let line = object(text)?;
        let at = |pointer: &str| line.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
        match line.get("type").and_then(Value::as_str) {
            Some("session.start" | "session.resume" | "session.context_changed") => {
                self.here.session = at("/data/sessionId").or(self.here.session.take());
                self.here.cwd = at("/data/context/cwd").or_else(|| at("/data/cwd")).or(self.here.cwd.take());
            }
            Some("tool.execution_start") => {
                let data = line.get("data").ok_or(Unreadable)?;
                let call = self.call(data).ok_or(Unreadable)?;
                calls.begin(PastCall { time: time(line.get("timestamp")), ..call });
            }
            Some("permission.requested") => {
                let call = at("/data/permissionRequest/toolCallId");
                self.asked.extend(at("/data/requestId").zip(call));
            }
            Some("permission.completed") => {
                let asked = at("/data/requestId").and_then(|id| self.asked.remove(&id));
                let is_refused = at("/data/result/kind").is_some_and(|kind| REFUSED.contains(&kind.as_str()));
                if let (Some(call), true) = (at("/data/toolCallId").or(asked), is_refused) {
                    calls.end(&call, PastOutcome::Rejected);
                }
            }
            Some("tool.execution_complete") => {
                if let Some(id) = at("/data/toolCallId") {
                    calls.end(&id, outcome(&line));
                }
            }
            _ => {}
        }
        Ok(())
    }
}

impl Reader {
    fn call(&self, data: &Value) -> Option<PastCall> {
        let text = |name: &str| data.get(name).and_then(Value::as_str);
        let arguments = match data.get("arguments") {
            None | Some(Value::Null) => Map::new(),
            Some(Value::Object(arguments)) => arguments.clone(),
            // `apply_patch` has nothing but a text.
            Some(Value::String(text)) => Map::from_iter([("input".to_owned(), text.clone().into())]),
            Some(_) => return None,
        };
        let tool = text("mcpToolName").or_else(|| text("toolName"))?;
        Some(PastCall {
            id: Some(text("toolCallId")?.to_owned()),
            server: text("mcpServerName").map(str::to_owned),
            arguments,
            ..self.here.call(NAME, tool)
        })
    }
}

fn outcome(line: &Value) -> PastOutcome {
    if line.pointer("/data/success").and_then(Value::as_bool) == Some(true) {
        return PastOutcome::Ok;
    }
    let said = ["/data/error", "/data/result"].iter().filter_map(|pointer| line.pointer(pointer)).map(spoken);
    match said.into_iter().any(|said| refused_in_handraise(&said)) {
        true => PastOutcome::Rejected,
        false => PastOutcome::Error,
    }
}
