//! OpenCode's transcripts (types `Session.Info` and `ToolPart` of its SDK): a file for each session,
//! `storage/session/PROJECT/SESSION.json`, and one for each part of a message, `storage/part/MESSAGE/PART.json`.
//! Newer versions have a database; `opencode export` writes a session of it as one document.

use std::collections::HashMap;

use serde_json::Value;

use super::NAME;
use crate::transcript::{CallContext, object, refused_in_handraise, time};
use crate::{Calls, PastCall, PastOutcome, ReadTranscript, TranscriptForm, TranscriptSource, Transcripts, Unreadable};

pub(super) const TRANSCRIPTS: Transcripts = Transcripts {
    places: &[place("storage/session/*/*.json"), place("storage/part/*/*.json")],
    not_read: &[(
        "opencode.db",
        "OpenCode's database is not read; write a session out with `opencode export ID > FILE` and give that to \
         --transcripts opencode=FILE",
    )],
    reader: || Box::new(Reader::default()),
};

const fn place(files: &'static str) -> TranscriptSource {
    TranscriptSource {
        variables: &[("XDG_DATA_HOME", "opencode")],
        folder: ".local/share/opencode",
        files,
        form: TranscriptForm::Document,
        folder_file: None,
    }
}

/// What the error of a call begins with that a person has refused (`Permission.RejectedError`, `CorrectedError`).
const REFUSED: &str = "The user rejected permission";

#[derive(Default)]
struct Reader {
    /// The working folder of each session.
    folders: HashMap<String, String>,
}

impl ReadTranscript for Reader {
    fn begin(&mut self, _folder: Option<String>) {}

    fn read(&mut self, text: &[u8], calls: &mut Calls) -> Result<(), Unreadable> {
        let document = object(text)?;
        let text = |name: &str| document.get(name).and_then(Value::as_str).map(str::to_owned);
        self.folders.extend(text("id").zip(text("directory")));
        // An export has the session and its messages in one.
        let id = |pointer| document.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
        self.folders.extend(id("/info/id").zip(id("/info/directory")));
        let messages = document.get("messages").and_then(Value::as_array).into_iter().flatten();
        let parts = messages.filter_map(|message| message.get("parts")?.as_array()).flatten();
        parts.chain([&document]).try_for_each(|part| {
            if part.get("type").and_then(Value::as_str) == Some("tool") {
                calls.whole(self.call(part).ok_or(Unreadable)?);
            }
            Ok(())
        })
    }
}

impl Reader {
    fn call(&self, part: &Value) -> Option<PastCall> {
        let session = part.get("sessionID")?.as_str()?.to_owned();
        let cwd = self.folders.get(&session).cloned();
        let here = CallContext { session: Some(session), cwd };
        Some(PastCall {
            // Some providers count the calls of a session; the part's own id is nobody else's.
            id: part.get("id").and_then(Value::as_str).map(str::to_owned),
            arguments: part.pointer("/state/input").and_then(Value::as_object).cloned().unwrap_or_default(),
            time: time(part.pointer("/state/time/start")),
            outcome: outcome(part),
            ..here.call(NAME, part.get("tool")?.as_str()?)
        })
    }
}

fn outcome(part: &Value) -> PastOutcome {
    let error = part.pointer("/state/error").and_then(Value::as_str).unwrap_or_default();
    match part.pointer("/state/status").and_then(Value::as_str) {
        Some("completed") => PastOutcome::Ok,
        Some("error") if error.starts_with(REFUSED) || refused_in_handraise(error) => PastOutcome::Rejected,
        Some("error") => PastOutcome::Error,
        _ => PastOutcome::None,
    }
}
