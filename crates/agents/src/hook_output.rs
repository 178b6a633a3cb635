//! How a hook program ends, and how that travels from the server to it.

use serde_json::{Value, json};

use crate::strict_json;

/// How a hook program ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HookOutput {
    /// For the agent.
    pub stdout: String,
    /// For the model or the person, depending on the agent.
    pub stderr: String,
    /// 0, or 2: the one exit code that blocks the call in every agent. Where an agent gives 1 a
    /// meaning of its own, that too.
    pub exit_code: u8,
}

const EXIT_CODE: &str = "exit_code";
const STDOUT: &str = "stdout";
const STDERR: &str = "stderr";

impl HookOutput {
    /// A regular answer.
    pub(crate) fn json(value: &Value) -> Self {
        Self { stdout: value.to_string(), ..Self::default() }
    }

    /// Ends well and says nothing.
    pub(crate) fn silent() -> Self {
        Self::default()
    }

    /// Blocks by exit code; `sentence` says why.
    pub(crate) fn blocked(sentence: &str) -> Self {
        Self { stderr: sentence.to_owned(), exit_code: 2, ..Self::default() }
    }

    /// Blocks by exit code and by `denial`: each closes where the other does not count.
    pub(crate) fn blocked_twice(denial: &Value, sentence: &str) -> Self {
        Self { stdout: denial.to_string(), ..Self::blocked(sentence) }
    }

    /// The answer as the body of an HTTP response: the agent's own JSON where it has said something
    /// in JSON, so that agents that ask over HTTP understand it, and else all three parts.
    #[must_use]
    pub fn to_body(&self) -> String {
        let is_object = strict_json::from_slice(self.stdout.as_bytes()).is_ok_and(|value| value.is_object());
        if is_object {
            return self.stdout.clone();
        }
        json!({ EXIT_CODE: self.exit_code, STDOUT: self.stdout, STDERR: self.stderr }).to_string()
    }

    /// What [`HookOutput::to_body`] wrote; `None` for what it never writes.
    #[must_use]
    pub fn of_body(body: &str) -> Option<Self> {
        let value = strict_json::from_slice(body.as_bytes()).ok()?;
        let object = value.as_object()?;
        if !object.contains_key(EXIT_CODE) {
            return Some(Self { stdout: body.to_owned(), ..Self::default() });
        }
        let text = |key: &str| Some(object.get(key)?.as_str()?.to_owned());
        let exit_code = u8::try_from(object.get(EXIT_CODE)?.as_u64()?).ok()?;
        (object.len() == 3).then_some(Self { stdout: text(STDOUT)?, stderr: text(STDERR)?, exit_code })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_json_travels_with_its_exit_code() {
        for answer in
            [HookOutput::silent(), HookOutput::blocked("no"), HookOutput { exit_code: 1, ..HookOutput::silent() }]
        {
            assert_eq!(HookOutput::of_body(&answer.to_body()), Some(answer));
        }
    }

    #[test]
    fn json_travels_as_it_is() {
        let denial = HookOutput::blocked_twice(&json!({ "decision": "deny" }), "no");
        assert_eq!(denial.to_body(), r#"{"decision":"deny"}"#);
        assert_eq!(HookOutput::of_body("{}"), Some(HookOutput::json(&json!({}))));
    }

    #[test]
    fn anything_else_is_no_answer() {
        for body in ["", "[]", "null", "{} {}", r#"{"a":1,"a":1}"#] {
            assert_eq!(HookOutput::of_body(body), None, "{body}");
        }
        for body in [
            r#"{"exit_code":0}"#,
            r#"{"exit_code":256,"stdout":"","stderr":""}"#,
            r#"{"exit_code":"0","stdout":"","stderr":""}"#,
            r#"{"exit_code":0,"stdout":"","stderr":"","more":1}"#,
        ] {
            assert_eq!(HookOutput::of_body(body), None, "{body}");
        }
    }
}
