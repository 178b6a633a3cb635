//! Gemini CLI's transcripts (`chatRecordingTypes.ts` of its core): `tmp/PROJECT/chats/session-*.jsonl`, in older
//! versions a `.json` with all of a session, which Qwen Code had as well.

use serde_json::Value;

use super::NAME;
use crate::transcript::{CallContext, object, refused_in_handraise, spoken, time};
use crate::{Calls, PastCall, PastOutcome, ReadTranscript, TranscriptForm, TranscriptSource, Transcripts, Unreadable};

pub(super) const TRANSCRIPTS: Transcripts = Transcripts {
    places: &[
        place("tmp/*/chats/**/*.jsonl", TranscriptForm::Lines),
        place("tmp/*/chats/**/*.json", TranscriptForm::Document),
    ],
    not_read: &[],
    reader: || Box::new(Conversation::of(NAME)),
};

const fn place(files: &'static str, form: TranscriptForm) -> TranscriptSource {
    TranscriptSource {
        variables: &[("GEMINI_CLI_HOME", ".gemini")],
        folder: ".gemini",
        files,
        form,
        folder_file: Some("../.project_root"),
    }
}

/// Reads `ConversationRecord`s, and the `MessageRecord`s that they consist of.
pub(crate) struct Conversation {
    agent: &'static str,
    here: CallContext,
}

impl Conversation {
    /// A reader for `agent`.
    pub(crate) fn of(agent: &'static str) -> Self {
        Self { agent, here: CallContext::default() }
    }
}

impl ReadTranscript for Conversation {
    fn begin(&mut self, folder: Option<String>) {
        self.here = CallContext { session: None, cwd: folder };
    }

    /// A message is written again whenever something of it changes, and a call with it.
    fn read(&mut self, text: &[u8], calls: &mut Calls) -> Result<(), Unreadable> {
        let record = object(text)?;
        let record = record.get("$set").unwrap_or(&record);
        if let Some(session) = record.get("sessionId").and_then(Value::as_str) {
            self.here.session = Some(session.to_owned());
        }
        let messages = record.get("messages").and_then(Value::as_array);
        messages.into_iter().flatten().chain([record]).try_for_each(|message| self.message(message, calls))
    }
}

impl Conversation {
    fn message(&self, message: &Value, calls: &mut Calls) -> Result<(), Unreadable> {
        let of_message = message.get("toolCalls").and_then(Value::as_array);
        of_message.into_iter().flatten().try_for_each(|told| {
            let call = self.call(told).ok_or(Unreadable)?;
            match call.outcome {
                PastOutcome::None => calls.begin(call),
                _ => calls.whole(call),
            }
            Ok(())
        })
    }

    fn call(&self, told: &Value) -> Option<PastCall> {
        Some(PastCall {
            id: Some(told.get("id")?.as_str()?.to_owned()),
            arguments: told.get("args")?.as_object()?.clone(),
            time: time(told.get("timestamp")),
            outcome: outcome(told.get("status").and_then(Value::as_str), &told_result(told)),
            ..self.here.call(self.agent, told.get("name")?.as_str()?)
        })
    }
}

/// What came back from a call.
fn told_result(told: &Value) -> String {
    let results = told.get("result").and_then(Value::as_array);
    let responses = results.into_iter().flatten().filter_map(|part| part.pointer("/functionResponse/response"));
    responses.map(spoken).collect::<Vec<_>>().join("\n")
}

/// `cancelled` is what a person has refused or stopped (`CoreToolScheduler`).
pub(crate) fn outcome(status: Option<&str>, result: &str) -> PastOutcome {
    match status {
        Some("cancelled") => PastOutcome::Rejected,
        Some("success") => PastOutcome::Ok,
        Some("error") if refused_in_handraise(result) => PastOutcome::Rejected,
        Some("error") => PastOutcome::Error,
        _ => PastOutcome::None,
    }
}
