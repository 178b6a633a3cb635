//! Claude Code's transcripts, as 2.1 writes them: `projects/FOLDER/SESSION.jsonl`, those of sub-agents below that.

use serde_json::Value;

use super::NAME;
use crate::transcript::{CallContext, object, refused_in_handraise, spoken, time};
use crate::{Calls, PastCall, PastOutcome, ReadTranscript, TranscriptForm, TranscriptSource, Transcripts, Unreadable};

pub(super) const TRANSCRIPTS: Transcripts = Transcripts {
    places: &[TranscriptSource {
        variables: &[("CLAUDE_CONFIG_DIR", "")],
        folder: ".claude",
        files: "projects/**/*.jsonl",
        form: TranscriptForm::Lines,
        folder_file: None,
    }],
    not_read: &[],
    reader: || Box::new(Reader),
};

/// What the result of a call begins with that a person has refused.
const REFUSED: &str = "The user doesn't want to ";

/// Each line says by itself where and when.
struct Reader;

impl ReadTranscript for Reader {
    fn begin(&mut self, _folder: Option<String>) {}

    fn read(&mut self, text: &[u8], calls: &mut Calls) -> Result<(), Unreadable> {
        let line = object(text)?;
        let Some(Value::Array(blocks)) = line.pointer("/message/content") else { return Ok(()) };
        blocks.iter().try_for_each(|block| match block.get("type").and_then(Value::as_str) {
            Some("tool_use") => call(&line, block).map(|call| calls.begin(call)).ok_or(Unreadable),
            Some("tool_result") => {
                if let Some(id) = block.get("tool_use_id").and_then(Value::as_str) {
                    calls.end(id, outcome(block));
                }
                Ok(())
            }
            _ => Ok(()),
        })
    }
}

fn call(line: &Value, block: &Value) -> Option<PastCall> {
    let text = |name| line.get(name).and_then(Value::as_str).map(str::to_owned);
    let circumstances = CallContext { session: text("sessionId"), cwd: text("cwd") };
    Some(PastCall {
        id: Some(block.get("id")?.as_str()?.to_owned()),
        arguments: block.get("input")?.as_object()?.clone(),
        time: time(line.get("timestamp")),
        ..circumstances.call(NAME, block.get("name")?.as_str()?)
    })
}

fn outcome(result: &Value) -> PastOutcome {
    if result.get("is_error").and_then(Value::as_bool) != Some(true) {
        return PastOutcome::Ok;
    }
    let said = result.get("content").map(spoken).unwrap_or_default();
    match said.starts_with(REFUSED) || refused_in_handraise(&said) {
        true => PastOutcome::Rejected,
        false => PastOutcome::Error,
    }
}
