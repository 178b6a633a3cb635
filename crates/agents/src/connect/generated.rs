//! Files that are ours alone: plugins and scripts. The first lines say so, and a file without them
//! is never touched.

use serde_json::Value;

use super::{ConnectError, ConnectOptions, Connection, Handler, ManagedText};

/// A file that is written whole.
pub(crate) struct Generated {
    /// The agent's name, as in the hook's command line.
    pub(crate) agent: &'static str,
    /// The text, with `@COMMAND@` for the command line as a JSON array of words, `@LINE@` for it as
    /// a line for a POSIX shell, and `@EVERY_CALL@` for `true` or `false`. It holds [`MARK`].
    pub(crate) template: &'static str,
    /// What stands before and behind the command in its line, so that it can be read back.
    pub(crate) around_command: (&'static str, &'static str),
    /// It can ask only where the agent would ask itself.
    pub(crate) has_own_questions: bool,
}

/// Says that a file is ours.
pub(crate) const MARK: &str = "Written by `handraise connect`";
/// Says, in the same file, that every call is asked about.
const EVERY_CALL: &str = "EVERY_CALL = true";

impl ManagedText for Generated {
    fn connect(&self, text: &str, options: &ConnectOptions) -> Result<String, ConnectError> {
        if !text.trim().is_empty() && !text.contains(MARK) {
            return Err(ConnectError::NotOurs);
        }
        super::hook_file::without_http(options)?;
        if !self.has_own_questions {
            super::hook_file::every_call(options)?;
        }
        let words = options.words.join(" ");
        if !super::hook_file::runs(&words, self.agent) {
            return Err(ConnectError::Command(words));
        }
        let array = Value::from(options.words.clone()).to_string();
        let every_call = if options.only_what_agent_asks { "false" } else { "true" };
        let text = self.template.replace("@EVERY_CALL@", every_call);
        Ok(text.replace("@COMMAND@", &array).replace("@LINE@", &options.command))
    }

    fn disconnect(&self, text: &str) -> Result<String, ConnectError> {
        Ok(if text.contains(MARK) { String::new() } else { text.to_owned() })
    }

    fn connection(&self, text: &str) -> Result<Option<Connection>, ConnectError> {
        if !text.contains(MARK) {
            return Ok(None);
        }
        let (before, behind) = self.around_command;
        let command = text.lines().find_map(|line| line.strip_prefix(before)?.strip_suffix(behind)).unwrap_or_default();
        let handler = match serde_json::from_str::<Vec<String>>(command) {
            Ok(words) => Handler::Program(words),
            Err(_) => Handler::Command(command.to_owned()),
        };
        Ok(Some(Connection {
            handler,
            every_call: !self.has_own_questions || text.contains(EVERY_CALL),
            timeout_seconds: None,
            on_failure_block: true,
            switched_off: false,
        }))
    }
}

/// A JSON file that is ours alone because of its place and name.
pub(crate) struct GeneratedJson {
    /// The agent's name, as in the hook's command line.
    pub(crate) agent: &'static str,
    /// The whole file.
    pub(crate) file: fn(&ConnectOptions) -> Value,
    /// The JSON pointer of the command line in it.
    pub(crate) command: &'static str,
    /// The JSON pointer of the seconds that the agent waits.
    pub(crate) timeout: &'static str,
}

impl ManagedText for GeneratedJson {
    fn connect(&self, text: &str, options: &ConnectOptions) -> Result<String, ConnectError> {
        if !text.trim().is_empty() && self.connection(text)?.is_none() {
            return Err(ConnectError::NotOurs);
        }
        super::hook_file::without_http(options)?;
        super::hook_file::every_call(options)?;
        if !super::hook_file::runs(&options.command, self.agent) {
            return Err(ConnectError::Command(options.command.clone()));
        }
        Ok(format!("{:#}\n", (self.file)(options)))
    }

    fn disconnect(&self, text: &str) -> Result<String, ConnectError> {
        Ok(if self.connection(text)?.is_some() { String::new() } else { text.to_owned() })
    }

    fn connection(&self, text: &str) -> Result<Option<Connection>, ConnectError> {
        let Some(file) = super::jsonc::value(text)? else { return Ok(None) };
        let command = file.pointer(self.command).and_then(Value::as_str);
        let Some(command) = command.filter(|command| super::hook_file::runs(command, self.agent)) else {
            return Ok(None);
        };
        Ok(Some(Connection {
            handler: Handler::Command(command.to_owned()),
            every_call: true,
            timeout_seconds: file.pointer(self.timeout).and_then(Value::as_u64),
            on_failure_block: false,
            switched_off: false,
        }))
    }
}
