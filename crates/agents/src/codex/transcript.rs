//! Codex's transcripts (`RolloutLine` and `ResponseItem` of its protocol): `sessions/YYYY/MM/DD/rollout-*.jsonl`.

use handraise_shell::CommandPattern;
use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::NAME;
use crate::transcript::{CallContext, object, refused_in_handraise, spoken, time};
use crate::{Calls, PastCall, PastOutcome, ReadTranscript, TranscriptForm, TranscriptSource, Transcripts, Unreadable};

pub(super) const TRANSCRIPTS: Transcripts = Transcripts {
    places: &[place("sessions/**/rollout-*.jsonl"), place("archived_sessions/**/rollout-*.jsonl")],
    not_read: &[],
    reader: || Box::new(Reader::default()),
};

const fn place(files: &'static str) -> TranscriptSource {
    TranscriptSource {
        variables: &[("CODEX_HOME", "")],
        folder: ".codex",
        files,
        form: TranscriptForm::Lines,
        folder_file: None,
    }
}

/// What the output of a call begins with that a person has refused.
const REFUSED: &[&str] = &["exec command rejected by user", "patch rejected by user", "user rejected MCP tool call"];
/// What it begins with where those words stand further on, behind the command.
const FAILED: &[&str] = &["exec_command failed", "Script failed"];
const REFUSED_WITHIN: &str = "rejected by user";
/// Where a line of the output says the exit code.
const EXIT_CODE: &[&str] = &["Process exited with code ", "Exit code: "];
/// Lines at the beginning of an output that may say it.
const HEAD: usize = 6;

#[derive(Default)]
struct Reader {
    here: CallContext,
    /// When the session began; in older versions no line says more.
    began: Option<Timestamp>,
}

impl ReadTranscript for Reader {
    fn begin(&mut self, _folder: Option<String>) {
        *self = Self::default();
    }

    fn read(&mut self, text: &[u8], calls: &mut Calls) -> Result<(), Unreadable> {
        let line = object(text)?;
        // In older versions the items have nothing around them.
        let item = line.get("payload").unwrap_or(&line);
        let text = |name: &str| item.get(name).and_then(Value::as_str).map(str::to_owned);
        match text("type").as_deref() {
            Some("function_call" | "custom_tool_call" | "local_shell_call") => {
                let call = self.call(item).ok_or(Unreadable)?;
                calls.begin(PastCall { time: time(line.get("timestamp")).or(self.began), ..call });
            }
            Some("function_call_output" | "custom_tool_call_output" | "local_shell_call_output") => {
                if let Some(id) = text("call_id") {
                    calls.end(&id, outcome(&item.get("output").map(spoken).unwrap_or_default()));
                }
            }
            _ => {
                // The first that names a session is that of the file; a fork goes on with those of its parent.
                let is_beginning = item.get("cwd").is_some() || item.get("instructions").is_some();
                if self.here.session.is_none() && is_beginning {
                    self.here.session = text("id");
                    self.began = time(item.get("timestamp"));
                }
                self.here.cwd = text("cwd").or(self.here.cwd.take());
            }
        }
        Ok(())
    }
}

impl Reader {
    fn call(&self, item: &Value) -> Option<PastCall> {
        let text = |name: &str| item.get(name).and_then(Value::as_str);
        let (tool, arguments) = match text("type")? {
            "local_shell_call" => ("shell".to_owned(), shell(item.get("action")?.as_object()?.clone())),
            "custom_tool_call" => {
                let field = if text("name")? == "apply_patch" { "command" } else { "input" };
                (text("name")?.to_owned(), Map::from_iter([(field.to_owned(), text("input")?.into())]))
            }
            _ => {
                let arguments: Map<String, Value> = match item.get("arguments")? {
                    Value::String(text) if text.trim().is_empty() => Map::new(),
                    Value::String(text) => serde_json::from_str(text).ok()?,
                    value => value.as_object()?.clone(),
                };
                (name(text("namespace"), text("name")?), shell(arguments))
            }
        };
        let id = text("call_id").or_else(|| text("id")).map(str::to_owned);
        Some(PastCall { id, arguments, ..self.here.call(NAME, &tool) })
    }
}

/// The whole name of a tool. Tools of an MCP server have the server in their namespace.
fn name(namespace: Option<&str>, name: &str) -> String {
    match namespace.filter(|namespace| namespace.starts_with("mcp__")) {
        Some(namespace) => format!("{}__{name}", namespace.trim_end_matches("__")),
        None => name.to_owned(),
    }
}

/// The arguments of a shell as a hook has them: one line in the place of a list of words.
fn shell(mut arguments: Map<String, Value>) -> Map<String, Value> {
    if let Some(Value::Array(words)) = arguments.get("command")
        && let Some(words) = words.iter().map(Value::as_str).collect::<Option<Vec<&str>>>()
    {
        arguments.insert("command".to_owned(), json!(CommandPattern::spell(&words)));
        arguments.retain(|_, value| !value.is_null());
        arguments.remove("type");
        if let Some(folder) = arguments.remove("working_directory") {
            arguments.insert("workdir".to_owned(), folder);
        }
    }
    arguments
}

fn outcome(output: &str) -> PastOutcome {
    let begins = |with: &[&str]| with.iter().any(|words| output.starts_with(words));
    let is_refused =
        begins(REFUSED) || (begins(FAILED) && output.contains(REFUSED_WITHIN)) || refused_in_handraise(output);
    if is_refused {
        return PastOutcome::Rejected;
    }
    let structured = serde_json::from_str::<Value>(output).ok();
    let code = structured.as_ref().and_then(|output| output.pointer("/metadata/exit_code")?.as_i64());
    let told = || {
        output.lines().take(HEAD).find_map(|line| {
            let code = EXIT_CODE.iter().find_map(|words| line.strip_prefix(words))?;
            code.trim().parse::<i64>().ok()
        })
    };
    match code.or_else(told) {
        Some(0) | None => PastOutcome::Ok,
        Some(_) => PastOutcome::Error,
    }
}
