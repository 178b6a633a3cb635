//! Qwen Code's transcripts (`ChatRecord` of its core): `projects/FOLDER/chats/SESSION.jsonl`; in older
//! versions they were those of Gemini CLI.

use serde_json::{Map, Value};

use super::NAME;
use crate::gemini_cli::transcript::{Conversation, outcome};
use crate::transcript::{CallContext, object, spoken, time};
use crate::{Calls, PastCall, ReadTranscript, TranscriptForm, TranscriptSource, Transcripts, Unreadable};

pub(super) const TRANSCRIPTS: Transcripts = Transcripts {
    places: &[
        place("projects/*/chats/**/*.jsonl", TranscriptForm::Lines),
        place("tmp/*/chats/**/*.jsonl", TranscriptForm::Lines),
        place("tmp/*/chats/**/*.json", TranscriptForm::Document),
    ],
    not_read: &[],
    reader: || Box::new(Reader { older: Conversation::of(NAME) }),
};

const fn place(files: &'static str, form: TranscriptForm) -> TranscriptSource {
    TranscriptSource {
        variables: &[("QWEN_RUNTIME_DIR", ""), ("QWEN_HOME", "")],
        folder: ".qwen",
        files,
        form,
        folder_file: None,
    }
}

/// Each line says by itself where and when.
struct Reader {
    older: Conversation,
}

impl ReadTranscript for Reader {
    fn begin(&mut self, folder: Option<String>) {
        self.older.begin(folder);
    }

    fn read(&mut self, text: &[u8], calls: &mut Calls) -> Result<(), Unreadable> {
        let record = object(text)?;
        if record.get("uuid").is_none() {
            return self.older.read(text, calls);
        }
        let parts = record.pointer("/message/parts").and_then(Value::as_array);
        for part in parts.into_iter().flatten() {
            if let Some(told) = part.get("functionCall") {
                calls.begin(call(&record, told).ok_or(Unreadable)?);
            }
            if let Some(told) = part.get("functionResponse")
                && let Some(id) = told.get("id").and_then(Value::as_str)
            {
                let status = record.pointer("/toolCallResult/status").and_then(Value::as_str);
                calls.end(id, outcome(status, &told.get("response").map(spoken).unwrap_or_default()));
            }
        }
        Ok(())
    }
}

fn call(record: &Value, told: &Value) -> Option<PastCall> {
    let text = |name: &str| record.get(name).and_then(Value::as_str).map(str::to_owned);
    let here = CallContext { session: text("sessionId"), cwd: text("cwd") };
    let arguments = match told.get("args") {
        None | Some(Value::Null) => Map::new(),
        Some(arguments) => arguments.as_object()?.clone(),
    };
    Some(PastCall {
        id: told.get("id").and_then(Value::as_str).map(str::to_owned),
        arguments,
        time: time(record.get("timestamp")),
        ..here.call(NAME, told.get("name")?.as_str()?)
    })
}
