//! The `handraise-hook` program: the hook shim alone, which `connect` puts into agents' settings.
//!
//! An agent starts it before every tool call, so what it is made of counts: the system prepares a whole
//! program before its first line runs.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use handraise_hook::{BLOCKED, DEADLINE, Hook, MAX_DEADLINE};
use handraise_locations::Folders;
use lexopt::{Arg, ValueExt};

const HELP: &str = "\
What an agent runs before each of its tool calls; `handraise connect` puts it into the agent's settings.

Usage: handraise-hook hook AGENT [--deadline SECONDS]

  AGENT                 the agent, as `claude-code`
  --deadline SECONDS    seconds until the call is denied; must end before the agent stops waiting
  --config-dir DIR      folder of the policy and the tokens
  --data-dir DIR        folder of the audit log and the remembered approvals
  --runtime-dir DIR     folder of the socket and the discovery file
  -V, --version         print the version
";

/// What the arguments say.
enum Wanted {
    Hook(Hook),
    Words(String),
}

fn main() -> ExitCode {
    match wanted(lexopt::Parser::from_env()) {
        Ok(Wanted::Hook(hook)) => hook.run(),
        Ok(Wanted::Words(words)) => {
            print!("{words}");
            ExitCode::SUCCESS
        }
        // A hook that is called wrongly blocks the call like any other hook that fails.
        Err(error) => {
            eprintln!("handraise-hook: {error}; see handraise-hook --help");
            ExitCode::from(BLOCKED)
        }
    }
}

fn wanted(mut arguments: lexopt::Parser) -> Result<Wanted, lexopt::Error> {
    let mut names: Vec<OsString> = Vec::new();
    let mut deadline = DEADLINE;
    let [mut config, mut data, mut runtime, mut agents_home]: [Option<PathBuf>; 4] = Default::default();
    while let Some(argument) = arguments.next()? {
        match argument {
            Arg::Long("deadline") => deadline = arguments.value()?.parse()?,
            Arg::Long("config-dir") => config = Some(arguments.value()?.into()),
            Arg::Long("data-dir") => data = Some(arguments.value()?.into()),
            Arg::Long("runtime-dir") => runtime = Some(arguments.value()?.into()),
            Arg::Long("agents-home") => agents_home = Some(arguments.value()?.into()),
            Arg::Long("help") | Arg::Short('h') => return Ok(Wanted::Words(HELP.to_owned())),
            Arg::Long("version") | Arg::Short('V') => {
                return Ok(Wanted::Words(concat!("handraise-hook ", env!("CARGO_PKG_VERSION"), "\n").to_owned()));
            }
            Arg::Value(name) => names.push(name),
            Arg::Long(_) | Arg::Short(_) => return Err(argument.unexpected()),
        }
    }
    let Ok([command, agent]) = <[OsString; 2]>::try_from(names) else {
        return Err("one agent is needed, as in `hook claude-code`".into());
    };
    if command != "hook" {
        return Err(Arg::Value(command).unexpected());
    }
    if !(1..=MAX_DEADLINE).contains(&deadline) {
        return Err(format!("--deadline is 1 to {MAX_DEADLINE} seconds").into());
    }
    let folders = Folders::with(config, data, runtime);
    Ok(Wanted::Hook(Hook { agent: agent.string()?, deadline, folders, agents_home }))
}
