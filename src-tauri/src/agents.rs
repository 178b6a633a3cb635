//! The agents on this machine. Finding and connecting them is the work of the `handraise` command; it is
//! run from beside this program, so that both do exactly the same, and this program itself neither reads
//! nor writes a file of an agent.

#![expect(clippy::unreachable, reason = "in what `tauri::command` makes of an async function")]

use std::path::PathBuf;
use std::process::{Output, Stdio};
use std::time::Duration;

use handraise_protocol::{AgentChange, AgentOverview, AgentRules, DoctorCheck, Problem, ProblemCode};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tauri::State;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::{Child, Command};

use crate::commands::Shared;
use crate::flags::Flags;

/// How long the command may take. A probe waits 15 seconds for each of an agent's connections.
const MAX_TIME: Duration = Duration::from_secs(120);
/// Exit code of a doctor that has found something wrong, and of any other command that has failed.
const FAILED: i32 = 1;

/// The `handraise` command.
pub(crate) struct Program {
    /// The flags with which it finds the same folders as this program.
    flags: Vec<String>,
    /// Where it runs: the settings of a project in this folder count as well, so there is none here.
    folder: Option<PathBuf>,
}

impl Program {
    /// The command for a program that was started with `flags`.
    pub(crate) fn new(flags: &Flags) -> Self {
        let home = flags.agents_home.as_ref();
        let mut words = flags.folder_arguments();
        if let Some(home) = home {
            words.extend(["--agents-home".to_owned(), home.to_string_lossy().into_owned()]);
        }
        Self { flags: words, folder: home.cloned().or_else(std::env::home_dir) }
    }

    /// Runs it, and reads what it prints.
    async fn run<T: DeserializeOwned>(&self, words: &[String]) -> Result<T, Problem> {
        self.watched(words, MAX_TIME, std::future::pending(), |_| false).await
    }

    /// Runs it for at most `max_time`, or until `stop`, and reads what it prints. `take` is given each line of what it
    /// says meanwhile; whatever it does not take is a complaint.
    ///
    /// # Errors
    /// With the complaint, or with why it was ended.
    pub(crate) async fn watched<T: DeserializeOwned>(
        &self,
        words: &[String],
        max_time: Duration,
        stop: impl Future<Output = ()>,
        take: impl FnMut(&str) -> bool,
    ) -> Result<T, Problem> {
        let path = std::env::current_exe().ok().and_then(|this| Some(this.parent()?.join(NAME)));
        let path = path.filter(|path| path.is_file()).ok_or_else(|| {
            internal("The command `handraise` is not beside this program. Install Handraise again, all of it.")
        })?;
        let mut command = Command::new(&path);
        command.args(words).args(&self.flags).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(folder) = self.folder.as_ref().filter(|folder| folder.is_dir()) {
            command.current_dir(folder);
        }
        command.kill_on_drop(true);
        let failed = |error: std::io::Error| internal(format!("{} cannot be run ({error}).", path.display()));
        let ended = tokio::time::timeout(max_time, output(command.spawn().map_err(failed)?, take));
        let ended = tokio::select! {
            ended = ended => ended,
            () = stop => return Err(internal("It was stopped.")),
        };
        let minutes = max_time.as_secs() / 60;
        let ended = ended.map_err(|_| internal(format!("It took {minutes} minutes and was ended. Try again.")))?;
        let output = ended.map_err(failed)?;
        // The doctor also prints what it has found when something is wrong, and so do others.
        let is_usable = output.status.success() || (output.status.code() == Some(FAILED) && !output.stdout.is_empty());
        if is_usable && let Ok(printed) = serde_json::from_slice(&output.stdout) {
            return Ok(printed);
        }
        Err(internal(complaint(&output.stderr)))
    }
}

/// What a program prints until it ends, without the lines of what it says that `take` takes.
async fn output(mut child: Child, mut take: impl FnMut(&str) -> bool) -> std::io::Result<Output> {
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let printed = async move {
        let mut printed = Vec::new();
        if let Some(mut stdout) = stdout {
            stdout.read_to_end(&mut printed).await?;
        }
        Ok(printed)
    };
    let said = async move {
        let mut said = Vec::new();
        let Some(stderr) = stderr else { return Ok(said) };
        let mut lines = BufReader::new(stderr).split(b'\n');
        while let Some(line) = lines.next_segment().await? {
            if !take(&String::from_utf8_lossy(&line)) {
                said.extend(line);
                said.push(b'\n');
            }
        }
        Ok(said)
    };
    let (stdout, stderr, status) = tokio::try_join!(printed, said, child.wait())?;
    Ok(Output { status, stdout, stderr })
}

/// Its name.
const NAME: &str = if cfg!(windows) { "handraise.exe" } else { "handraise" };

/// A problem of this program itself.
pub(crate) fn internal(detail: impl Into<String>) -> Problem {
    Problem::new(ProblemCode::Internal, detail)
}

/// What the command complained about, as a sentence.
fn complaint(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    let text = text.trim();
    let text = text.strip_prefix("handraise: ").unwrap_or(text);
    let mut characters = text.chars();
    let Some(first) = characters.next() else { return "The command `handraise` failed without a word.".to_owned() };
    let sentence = handraise_display::line(characters.as_str(), 2000);
    let stop = if sentence.ends_with('.') { "" } else { "." };
    format!("{}{sentence}{stop}", first.to_uppercase())
}

/// What a person wants of an agent.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AgentWish {
    agent: String,
    /// Connected, or else disconnected.
    connect: bool,
    /// Asked only about what it would ask a person itself.
    only_what_agent_asks: bool,
    /// Not the person's own settings: those of the whole machine, by which no project switches hooks off.
    for_machine: bool,
}

/// Every agent that Handraise knows.
#[tauri::command]
pub(crate) async fn agents(program: State<'_, Program>) -> Result<Vec<AgentOverview>, Problem> {
    program.run(&["agents".to_owned(), "--json".to_owned()]).await
}

/// What a wish would change. Changes nothing.
#[tauri::command]
pub(crate) async fn preview_agent_change(program: State<'_, Program>, wish: AgentWish) -> Result<AgentChange, Problem> {
    program.run(&wish.words(&["--dry-run"])).await
}

/// Makes the change that `digest` names, as it was shown, or none.
#[tauri::command]
pub(crate) async fn change_agent(
    program: State<'_, Program>,
    shared: State<'_, Shared>,
    wish: AgentWish,
    digest: String,
) -> Result<AgentChange, Problem> {
    shared.by_person()?;
    let expected = format!("--expect={digest}");
    program.run(&wish.words(&["--yes", &expected])).await
}

/// Tries an agent's connections out with a harmless call.
#[tauri::command]
pub(crate) async fn check_agent(program: State<'_, Program>, agent: String) -> Result<Vec<DoctorCheck>, Problem> {
    program.run(&["doctor".to_owned(), "--json".to_owned(), format!("--agent={agent}")]).await
}

/// The rules that the agents keep themselves, for the user and in the projects that they have worked in, as rules of the
/// policy. Changes nothing.
#[tauri::command]
pub(crate) async fn own_rules(program: State<'_, Program>) -> Result<Vec<AgentRules>, Problem> {
    program.run(&["policy", "import", "--all-projects", "--json"].map(str::to_owned)).await
}

impl AgentWish {
    /// The words of the command for it.
    fn words(&self, how: &[&str]) -> Vec<String> {
        let mut words = vec![if self.connect { "connect" } else { "disconnect" }, "--json"];
        if self.for_machine {
            words.push("--system");
        } else if self.connect && self.only_what_agent_asks {
            words.push("--only-what-agent-asks");
        }
        words.extend(how);
        let mut words: Vec<String> = words.into_iter().map(str::to_owned).collect();
        // A flag would be refused as an unknown agent is.
        words.push(self.agent.trim_start_matches('-').to_owned());
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_asked_for_in_the_words_of_the_command() {
        let wish = |agent: &str, connect, for_machine| {
            let agent = agent.to_owned();
            AgentWish { agent, connect, only_what_agent_asks: true, for_machine }
        };
        assert_eq!(
            wish("codex", true, false).words(&["--dry-run"]),
            ["connect", "--json", "--only-what-agent-asks", "--dry-run", "codex"]
        );
        assert_eq!(wish("--all", false, false).words(&["--yes"]), ["disconnect", "--json", "--yes", "all"]);
        assert_eq!(
            wish("codex", true, true).words(&["--dry-run"]),
            ["connect", "--json", "--system", "--dry-run", "codex"]
        );
    }

    #[test]
    fn a_complaint_is_a_sentence() {
        assert_eq!(complaint(b"handraise: there is no agent\n"), "There is no agent.");
        assert_eq!(complaint(b"It is so. Do that."), "It is so. Do that.");
        assert_eq!(complaint(b""), "The command `handraise` failed without a word.");
    }
}
