//! Whether walls can be put around calls on this machine, and how a call runs inside of them.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use handraise_gate::ConfinedRun;
use handraise_locations::Folders;
use handraise_policy::{Confinable, ConfinedCall, Request, Subject, WallsOpening};
use handraise_protocol::ConfinedCommand;
use handraise_shell::Shell;
use serde_json::{Map, Value, json};

/// The program that puts walls up, beside this one.
const PROGRAM: &str = "handraise-confine";
/// The version of the walls' JSON that it reads.
const VERSION: u32 = 1;

/// What of walls this machine offers. The program is asked once, when the first call comes that could use them.
#[derive(Debug)]
pub(crate) struct WallsOffer {
    program: Option<PathBuf>,
    /// Where the program finds this Handraise, where that is not the usual place.
    folders: Vec<String>,
    /// Where it finds the tokens. `None`: nobody runs the call, so that none is looked for.
    tokens: Option<Folders>,
    found: OnceLock<Result<WallsProgram, String>>,
}

/// The program that puts walls up, which has said that it can.
#[derive(Clone, Debug)]
struct WallsProgram {
    program: String,
    /// It can have namespaces.
    namespaces: bool,
}

impl WallsOffer {
    /// By the program in the folder of this one; never one from the search path.
    pub(crate) fn beside_this_program(folders: &Folders) -> Self {
        let name = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
        Self::by(std::env::current_exe().ok().map(|own| own.with_file_name(name)), folders)
    }

    /// The same for calls that are only tried: who asks has a token by the time when it does.
    pub(crate) fn on_trial(folders: &Folders) -> Self {
        Self { tokens: None, ..Self::beside_this_program(folders) }
    }

    /// By the program at this path.
    pub(crate) fn by(program: Option<PathBuf>, folders: &Folders) -> Self {
        let usual = Folders::of_user().is_ok_and(|usual| usual == *folders);
        let all =
            [("--config-dir", &folders.config), ("--data-dir", &folders.data), ("--runtime-dir", &folders.runtime)];
        let named = all.into_iter().filter(|_| !usual);
        let words = named.flat_map(|(flag, folder)| [flag.to_owned(), folder.to_string_lossy().into_owned()]);
        Self { program, folders: words.collect(), tokens: Some(folders.clone()), found: OnceLock::new() }
    }

    /// Whether walls can be put around `request`, whose requester runs what it gets back in the place of its command line.
    /// Starts a program the first time.
    pub(crate) fn confinable(&self, request: &Request) -> Confinable {
        match self.call(request) {
            Ok(call) => Confinable::Yes(Box::new(call)),
            Err(why) => Confinable::No(why),
        }
    }

    fn call(&self, request: &Request) -> Result<ConfinedCall, String> {
        let Subject::Command { line } = &request.subject else {
            return Err("only command lines can be confined".to_owned());
        };
        let proved = request.agent.as_ref().filter(|agent| agent.verified).map(|agent| agent.name.as_str());
        let agent = proved.filter(|name| handraise_agents::agent(name).is_some());
        // The line that runs reads the token of who asks.
        let has_token = |tokens: &Folders| tokens.token_file(&request.requester).is_file();
        if agent.is_none() && !self.tokens.as_ref().is_none_or(has_token) {
            return Err("Handraise keeps no token of who asks".to_owned());
        }
        let facts = handraise_agents::tool_facts(agent, &request.tool, request.server.as_deref(), &request.arguments);
        let argument = facts.shell.command.ok_or("the argument with the command line is not known")?;
        let shell = shell(&request.tool, agent, facts.shell.shell.as_deref())?;
        let folder = facts.shell.folder_from(request.cwd.as_deref()).filter(|folder| Path::new(folder).is_absolute());
        let found = self.program()?;
        if let Some(why) = request.project.as_deref().and_then(|project| found.unheld(project)) {
            return Err(why);
        }
        Ok(ConfinedCall {
            has_namespaces: found.namespaces,
            program: std::iter::once(found.program).chain(self.folders.iter().cloned()).collect(),
            argument: argument.to_owned(),
            line: line.clone(),
            shell: shell.to_owned(),
            folder: folder.ok_or("the folder that it runs in is not known")?,
        })
    }

    /// The program, when it says that it can put walls up here.
    fn program(&self) -> Result<WallsProgram, String> {
        self.found.get_or_init(|| self.find()).clone()
    }

    fn find(&self) -> Result<WallsProgram, String> {
        let missing = || format!("`{PROGRAM}` is not installed beside Handraise");
        let program = self.program.as_deref().filter(|program| program.is_file()).ok_or_else(missing)?;
        let program = program.to_str().ok_or("the path of the program that puts walls up is not text")?.to_owned();
        let said = explained(&program, &[])?;
        let is_true = |key: &str| said.get(key) == Some(&Value::Bool(true));
        if is_true("holds_walls") {
            return Ok(WallsProgram { namespaces: is_true("namespaces"), program });
        }
        let missing = said.get("missing").and_then(|missing| missing.get(0)?.as_str());
        Err(format!("this machine cannot put walls up: {}", missing.unwrap_or("nothing more is known")))
    }

    /// What would let a call write where its walls have denied it, for each of `clauses`, as "write /srv/x".
    pub(crate) fn openings(&self, clauses: &[&str]) -> Vec<Option<WallsOpening>> {
        let denied: Vec<Option<&str>> = clauses.iter().map(|clause| clause.strip_prefix("write ")).collect();
        let named: Vec<&str> = denied.iter().flatten().copied().collect();
        let Some(found) = self.program().ok().filter(|_| !named.is_empty()) else { return Vec::new() };
        let arguments: Vec<&str> = named.iter().flat_map(|path| ["--opening", path]).collect();
        let said = explained(&found.program, &arguments).unwrap_or_default();
        let openings = said.get("openings").and_then(Value::as_array).cloned().unwrap_or_default();
        // One that answers less has not understood.
        if openings.len() != named.len() {
            return Vec::new();
        }
        let mut openings = openings.iter().map(opening);
        denied.iter().map(|path| path.and_then(|_| openings.next().flatten())).collect()
    }
}

impl WallsProgram {
    /// Why walls around `project` cannot be held here, as a clause: it has a file that has to be hidden. Only namespaces
    /// can do that, so that nobody looks where there are some.
    fn unheld(&self, project: &str) -> Option<String> {
        if self.namespaces {
            return None;
        }
        match explained(&self.program, &["--project", project]).map(|said| said.get("refused").cloned()) {
            Ok(Some(Value::Null)) => None,
            Ok(Some(Value::String(why))) => Some(why),
            Ok(_) => Some(format!("`{PROGRAM}` does not say whether it can")),
            Err(why) => Some(why),
        }
    }
}

/// What `program` says when it is asked what it can do, and more.
fn explained(program: &str, more: &[&str]) -> Result<Value, String> {
    let mut asked = Command::new(program);
    asked.args(["--explain", "--json"]).args(more).stdin(Stdio::null()).stderr(Stdio::null());
    let said = asked.output().map_err(|error| format!("`{PROGRAM}` cannot be started: {error}"))?;
    serde_json::from_slice(&said.stdout).map_err(|_| format!("`{PROGRAM}` does not say what it can do"))
}

fn opening(said: &Value) -> Option<WallsOpening> {
    let text = |key: &str| Some(said.get(key)?.as_str()?.to_owned());
    text("cache").map(WallsOpening::Cache).or_else(|| text("folder").map(WallsOpening::Folder))
}

/// Where most systems have bash.
const BASH: &str = "/bin/bash";

/// The shell that runs inside what the agent's shell would have run.
fn shell(tool: &str, agent: Option<&str>, named: Option<&str>) -> Result<&'static str, &'static str> {
    match handraise_agents::shell_of(agent, tool, named) {
        Shell::BashOrZsh if Path::new(BASH).is_file() => Ok(BASH),
        Shell::Bash | Shell::BashOrZsh => Ok("bash"),
        Shell::Zsh => Ok("zsh"),
        // What was understood for all three of bash, zsh and dash means the same in each of them, but that dash has no `source`.
        Shell::Unknown if Path::new(BASH).is_file() => Ok(BASH),
        Shell::Posix | Shell::Unknown => Ok("/bin/sh"),
        Shell::Other => Err("its shell is none that runs inside walls"),
    }
}

/// What the program is told about `run`.
pub(crate) fn command(run: ConfinedRun) -> ConfinedCommand {
    let walls = &run.walls;
    let limits = &walls.limits;
    let mut most = Map::new();
    let all = [("processes", limits.processes), ("memory_bytes", limits.memory_bytes), ("seconds", limits.seconds)];
    most.extend(all.into_iter().filter_map(|(key, limit)| Some((key.to_owned(), limit?.into()))));
    let walls = Map::from_iter([
        ("version".to_owned(), json!(VERSION)),
        ("project".to_owned(), json!([walls.project])),
        ("write".to_owned(), json!(walls.write)),
        ("read".to_owned(), json!(walls.read)),
        ("made".to_owned(), json!(walls.made)),
        ("show".to_owned(), json!(walls.show)),
        ("read_deny".to_owned(), json!(walls.read_deny)),
        ("caches".to_owned(), json!(walls.caches)),
        ("network".to_owned(), json!("none")),
        ("limits".to_owned(), Value::Object(most)),
    ]);
    ConfinedCommand { line: run.line, shell: run.shell, folder: run.folder, walls }
}

#[cfg(test)]
mod tests {
    use handraise_policy::rules::CACHES;
    use handraise_policy::{WallLimits, Walls};

    use super::*;

    #[test]
    fn the_program_understands_the_walls() {
        let walls = Walls {
            project: "/srv/app".into(),
            write: vec!["/srv/out".into()],
            read: vec!["/tmp/in.txt".into()],
            made: vec!["/tmp/out.txt".into()],
            show: vec![".env".into()],
            read_deny: vec!["/srv/app/secrets".into()],
            caches: vec!["npm".into()],
            limits: WallLimits { processes: Some(9), memory_bytes: None, seconds: Some(60) },
        };
        let run = ConfinedRun { line: "make".into(), shell: "bash".into(), folder: "/srv/app".into(), walls };
        let walls: handraise_confine::Walls = serde_json::from_value(Value::Object(command(run).walls)).unwrap();
        walls.check().unwrap();
        assert_eq!((walls.project, walls.write), (vec![PathBuf::from("/srv/app")], vec![PathBuf::from("/srv/out")]));
        assert_eq!(walls.caches, ["npm"]);
        assert_eq!(walls.show, [".env"]);
        assert_eq!(
            (walls.limits.processes, walls.limits.memory_bytes, walls.limits.seconds),
            (Some(9), None, Some(60))
        );
        assert_eq!(walls.read_deny, [PathBuf::from("/srv/app/secrets")]);
        assert_eq!((walls.read, walls.made), (vec!["/tmp/in.txt".into()], vec!["/tmp/out.txt".into()]));
    }

    #[test]
    fn policy_and_program_know_the_same_caches() {
        let known: Vec<&str> = handraise_confine::CACHES.iter().map(|cache| cache.name).collect();
        assert_eq!(CACHES, known);
    }

    #[cfg(unix)]
    #[test]
    fn what_walls_keep_as_it_was_are_control_files_to_the_policy() {
        let is_control = |path: &str| handraise_policy::is_control(path, Some("/home/ann"));
        let others = handraise_confine::PROTECTED.iter().filter(|place| {
            let path = format!("/srv/app/{place}");
            !is_control(&path) && !is_control(&format!("{path}/x"))
        });
        assert_eq!(others.collect::<Vec<_>>(), [&""; 0]);
    }

    /// Whoever is confined must not change how an agent is watched, nor what it runs unasked.
    #[test]
    fn walls_keep_all_settings_of_agents_as_they_were() {
        let connections = handraise_agents::NAMES
            .iter()
            .filter_map(|name| handraise_agents::agent(name))
            .flat_map(|agent| agent.files(handraise_agents::Level::Project).into_iter().map(|file| file.path));
        let is_kept = |path: &&str| {
            handraise_confine::PROTECTED.iter().any(|place| Path::new(&path.to_lowercase()).starts_with(place))
        };
        let settings = handraise_policy::rules::PROJECT_SETTINGS.iter().copied();
        let others: Vec<&str> = connections.chain(settings).filter(|path| !is_kept(path)).collect();
        assert_eq!(others, [""; 0]);
    }

    #[test]
    fn without_the_program_nothing_is_confined() {
        let folders = Folders::with(Some("/a".into()), Some("/b".into()), Some("/c".into())).unwrap();
        for program in [None, Some(PathBuf::from("/nowhere/handraise-confine")), Some(PathBuf::from("/bin/true"))] {
            assert!(WallsOffer::by(program, &folders).program().is_err());
        }
    }
}
