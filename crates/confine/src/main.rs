//! `handraise-confine`: runs one command inside walls.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use handraise_confine::{CACHES, Call, Capability, ConfineError, Ending, Imitation, Report, Walls, run};
use lexopt::Arg::{Long, Short, Value};
use lexopt::ValueExt;

const USAGE: &str = "\
Usage: handraise-confine [OPTIONS] [--] COMMAND [ARGUMENTS]...
       handraise-confine [OPTIONS] -c LINE
       handraise-confine --explain [--json]

Runs a command inside walls: it writes only in its project, reads no credentials, reaches no network.

  -c LINE              run LINE in a shell
      --shell SHELL    which shell [default: /bin/sh]
      --walls FILE     the walls, in JSON; `-` reads them from standard input
      --project FOLDER without --walls: walls around FOLDER [default: this folder]
      --cache NAME     without --walls: let it write this cache
      --report FILE    write what was denied and how it ended to FILE, in JSON
      --explain        say what this machine can hold
      --json           with --explain: in JSON
      --home FOLDER    treat FOLDER as a home folder, too
      --imitate-abi N  use no newer version of Landlock than N
      --without-namespaces
  -h, --help
  -V, --version
";

/// The arguments were wrong, as with other programs.
const WRONG_USE: u8 = 2;
/// The time was over: timeout(1).
const TIME_OVER: u8 = 124;
/// Something of this program failed.
const FAILED: u8 = 125;

#[derive(Default)]
struct Arguments {
    line: Option<OsString>,
    shell: Option<OsString>,
    walls: Option<PathBuf>,
    project: Option<PathBuf>,
    caches: Vec<String>,
    report: Option<PathBuf>,
    home: Option<PathBuf>,
    explain: bool,
    json: bool,
    imitation: Imitation,
    command: Vec<OsString>,
}

fn main() -> ExitCode {
    let arguments = match parse() {
        Ok(Some(arguments)) => arguments,
        Ok(None) => return ExitCode::SUCCESS,
        Err(error) => {
            say(&format!("{error}\n\n{USAGE}"));
            return ExitCode::from(WRONG_USE);
        }
    };
    if arguments.explain {
        return explain(&arguments);
    }
    match confine(arguments) {
        Ok(report) => end(&report),
        Err(Failure::Walls(error)) => {
            say(&format!("handraise-confine: {}: {error}", error.code()));
            ExitCode::from(error.status())
        }
        Err(Failure::Other(text)) => {
            say(&format!("handraise-confine: {text}"));
            ExitCode::from(FAILED)
        }
    }
}

/// With a closed standard error there is nobody to tell.
fn say(text: &str) {
    let _ = writeln!(io::stderr(), "{}", text.trim_end());
}

fn print(text: &str) {
    let _ = writeln!(io::stdout(), "{}", text.trim_end());
}

/// None when what was asked for has been printed.
fn parse() -> Result<Option<Arguments>, lexopt::Error> {
    let mut found = Arguments::default();
    let mut parser = lexopt::Parser::from_env();
    while let Some(argument) = parser.next()? {
        match argument {
            Short('c') => found.line = Some(parser.value()?),
            Long("shell") => found.shell = Some(parser.value()?),
            Long("walls") => found.walls = Some(parser.value()?.into()),
            Long("project") => found.project = Some(parser.value()?.into()),
            Long("cache") => found.caches.push(parser.value()?.string()?),
            Long("report") => found.report = Some(parser.value()?.into()),
            Long("home") => found.home = Some(parser.value()?.into()),
            Long("explain") => found.explain = true,
            Long("json") => found.json = true,
            Long("imitate-abi") => found.imitation.landlock_abi = Some(parser.value()?.parse()?),
            Long("without-namespaces") => found.imitation.without_namespaces = true,
            Short('h') | Long("help") => {
                print(USAGE);
                return Ok(None);
            }
            Short('V') | Long("version") => {
                print(concat!("handraise-confine ", env!("CARGO_PKG_VERSION")));
                return Ok(None);
            }
            Value(word) => {
                found.command.push(word);
                found.command.extend(parser.raw_args()?);
            }
            other => return Err(other.unexpected()),
        }
    }
    if found.walls.is_some() && (found.project.is_some() || !found.caches.is_empty()) {
        return Err("--project and --cache are part of the walls: give --walls alone".into());
    }
    match (&found.line, found.command.is_empty(), found.explain) {
        (None, true, false) => Err("no command was given".into()),
        (Some(_), false, _) => Err("give a command or -c LINE, not both".into()),
        _ => Ok(Some(found)),
    }
}

enum Failure {
    Walls(ConfineError),
    Other(String),
}

impl From<ConfineError> for Failure {
    fn from(error: ConfineError) -> Self {
        Self::Walls(error)
    }
}

fn walls(arguments: &Arguments) -> Result<Walls, Failure> {
    let other = |name: &str, error: &dyn std::fmt::Display| Failure::Other(format!("{name}: {error}"));
    let Some(file) = &arguments.walls else {
        let folder = match &arguments.project {
            Some(folder) => std::path::absolute(folder),
            None => std::env::current_dir(),
        };
        let folder = folder.map_err(|error| other("project", &error))?;
        let mut walls = Walls::around(folder);
        walls.caches.clone_from(&arguments.caches);
        return Ok(walls);
    };
    let text = if file.as_os_str() == "-" {
        let mut text = String::new();
        io::stdin().read_to_string(&mut text).map(|_| text)
    } else {
        std::fs::read_to_string(file)
    };
    let text = text.map_err(|error| other(&file.to_string_lossy(), &error))?;
    serde_json::from_str(&text).map_err(|error| other("the walls are not understood", &error))
}

fn confine(arguments: Arguments) -> Result<Report, Failure> {
    let walls = walls(&arguments)?;
    // Before the command starts: it must not choose what is written to.
    let out = match &arguments.report {
        Some(path) => match std::fs::OpenOptions::new().write(true).create_new(true).open(path) {
            Ok(file) => Some(file),
            Err(error) => return Err(Failure::Other(format!("{}: {error}", path.display()))),
        },
        None => None,
    };
    let shell = arguments.shell.unwrap_or_else(|| "/bin/sh".into());
    let command = match arguments.line {
        Some(line) => vec![shell, "-c".into(), line],
        None => arguments.command,
    };
    let report = run(&Call { walls, command, also_home: arguments.home, imitation: arguments.imitation })?;
    if let Some(mut out) = out {
        let text = serde_json::to_string(&report).map_err(|error| Failure::Other(error.to_string()))?;
        writeln!(out, "{text}").map_err(|error| Failure::Other(format!("the report could not be written: {error}")))?;
    }
    Ok(report)
}

/// Ends as the command has ended.
fn end(report: &Report) -> ExitCode {
    if let Some(line) = report.line() {
        say(&line);
    }
    match report.ending {
        Some(Ending::Code(code)) => ExitCode::from(u8::try_from(code).unwrap_or(FAILED)),
        Some(Ending::TimeOver) => ExitCode::from(TIME_OVER),
        Some(Ending::Signal(number)) => by_signal(number),
        None => ExitCode::from(FAILED),
    }
}

#[cfg(unix)]
fn by_signal(number: i32) -> ExitCode {
    handraise_confine::end_by_signal(number);
    ExitCode::from(u8::try_from(128 + number).unwrap_or(FAILED))
}

#[cfg(not(unix))]
fn by_signal(_number: i32) -> ExitCode {
    ExitCode::from(FAILED)
}

fn explain(arguments: &Arguments) -> ExitCode {
    let capability = Capability::of_this_machine(arguments.imitation);
    if arguments.json {
        print(&serde_json::to_string(&capability).unwrap_or_default());
    } else {
        for line in capability.lines() {
            print(&line);
        }
        let names: Vec<&str> = CACHES.iter().map(|cache| cache.name).collect();
        print(&format!("caches: {}", names.join(", ")));
    }
    ExitCode::SUCCESS
}
