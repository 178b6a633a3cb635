//! A harmless call on the very way that the agent's calls go.

use std::process::Command;
use std::time::Duration;

use handraise_agents::{Agent, HookOutput};

use super::{Check, State};
use crate::command::agent_program::{self, Ended};

/// How long an answer may take. A policy that asks about reading asks a person now; what is not
/// answered by then is withdrawn.
const MAX_ANSWER: Duration = Duration::from_secs(15);
/// Longest text of an answer that is shown, in characters.
const MAX_SHOWN: usize = 200;

/// Runs the configured hook (`line` for a shell, or else `words`) with a call that changes nothing.
pub(super) fn check(agent: &dyn Agent, words: &[String], line: Option<&str>) -> Check {
    let title = format!("{}: probe", agent.display_name());
    let Ok(folder) = std::env::current_dir() else {
        return super::check(title, State::Note, "Not tried: this folder is gone.");
    };
    let probe = agent.probe(&folder.to_string_lossy());
    let mut command = match (line, words.split_first()) {
        (Some(line), _) => {
            let (shell, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("/bin/sh", "-c") };
            let mut command = Command::new(shell);
            command.args([flag, line]);
            command
        }
        (None, Some((program, arguments))) => {
            let mut command = Command::new(program);
            command.args(arguments);
            command
        }
        (None, None) => return super::check(title, State::Wrong, "Its command is empty."),
    };
    command.current_dir(&folder).envs(probe.environment.iter().map(|(name, value)| (name, value)));
    match agent_program::run(command, &probe.stdin, MAX_ANSWER) {
        None => {
            let finding = "No answer within 15 seconds. If your policy asks about reading, answer the question; else \
                           look whether Handraise runs.";
            super::check(title, State::Note, finding)
        }
        Some(ended) => judge(agent, title, &probe.stdin, &ended),
    }
}

fn judge(agent: &dyn Agent, title: String, input: &[u8], ended: &Ended) -> Check {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    let (stdout, stderr) = (text(&ended.stdout), text(&ended.stderr));
    let shown = |text: &str| handraise_display::line(text, MAX_SHOWN);
    // Of a hook that failed, everything but the sentence is known.
    let failed = agent.failure(input, &stderr);
    let code = ended.status.code().and_then(|code| u8::try_from(code).ok());
    if !stderr.is_empty() && code == Some(failed.exit_code) && stdout == failed.stdout {
        return super::check(title, State::Wrong, format!("The hook denies every call: {}", shown(&stderr)));
    }
    let answer = HookOutput { stdout: stdout.clone(), ..HookOutput::default() };
    if code == Some(0) && handraise_agents::is_answer(agent, input, &answer) {
        let answer = if stdout.is_empty() { "no objection" } else { stdout.as_str() };
        return super::check(title, State::Fine, format!("A harmless call was answered: {}", shown(answer)));
    }
    match code {
        Some(2) => super::check(title, State::Note, format!("A harmless call was denied: {}", shown(&stderr))),
        _ => {
            let finding =
                format!("The hook ended in a way that no agent understands ({}). {}", ended.status, shown(&stderr));
            super::check(title, State::Wrong, finding)
        }
    }
}
