//! `handraise-confine`: runs one command inside walls.

mod call;

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use call::{ApprovedCall, CallError};
use handraise_confine::{CACHES, Call, Capability, ConfineError, Ending, Imitation, Report, Walls, plain, run};
use handraise_locations::Folders;
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
      --json           with --explain: in JSON; with --walls or --project also whether it holds these
      --opening PATH   with --explain --json: what would let a command write there
      --home FOLDER    treat FOLDER as a home folder, too
      --imitate-abi N  use no newer version of Landlock than N
      --without-namespaces
      --call CALL      run the call that Handraise has approved to run inside walls; an agent gets such a line
      --config-dir, --data-dir, --runtime-dir FOLDER
                       with --call: where Handraise keeps its files
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
    openings: Vec<PathBuf>,
    imitation: Imitation,
    command: Vec<OsString>,
    call: Option<String>,
    config: Option<PathBuf>,
    data: Option<PathBuf>,
    runtime: Option<PathBuf>,
}

fn main() -> ExitCode {
    let arguments = match parse() {
        Ok(Some(arguments)) => arguments,
        Ok(None) => return ExitCode::SUCCESS,
        Err(error) => {
            say(&format!("{}\n\n{USAGE}", plain(&error.to_string())));
            return ExitCode::from(WRONG_USE);
        }
    };
    if arguments.explain {
        return explain(&arguments);
    }
    let outcome = if arguments.call.is_some() { approved(arguments) } else { confine(arguments) };
    match outcome {
        Ok(report) => end(&report),
        Err(Failure::Walls(error)) => {
            say(&plain(&format!("handraise-confine: {}: {error}", error.code())));
            ExitCode::from(error.status())
        }
        Err(Failure::Other(text)) => {
            say(&plain(&format!("handraise-confine: {text}")));
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
            Long("call") => found.call = Some(parser.value()?.string()?),
            Long("config-dir") => found.config = Some(parser.value()?.into()),
            Long("data-dir") => found.data = Some(parser.value()?.into()),
            Long("runtime-dir") => found.runtime = Some(parser.value()?.into()),
            Long("explain") => found.explain = true,
            Long("json") => found.json = true,
            Long("opening") => found.openings.push(parser.value()?.into()),
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
    let own = found.line.is_some() || found.shell.is_some() || found.walls.is_some() || found.project.is_some();
    let own = own || found.report.is_some() || found.home.is_some() || !found.caches.is_empty() || found.explain;
    if found.call.is_some() && (own || found.imitation != Imitation::default()) {
        return Err("with --call, Handraise says what runs inside of which walls: give nothing else".into());
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
            Some(folder) => folder.canonicalize().or_else(|_| std::path::absolute(folder)),
            None => std::env::current_dir().and_then(|folder| folder.canonicalize()),
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
    let report =
        run(&Call { walls, is_looked_at: false, command, also_home: arguments.home, imitation: arguments.imitation })?;
    if let Some(mut out) = out {
        let text = serde_json::to_string(&report).map_err(|error| Failure::Other(error.to_string()))?;
        writeln!(out, "{text}").map_err(|error| Failure::Other(format!("the report could not be written: {error}")))?;
    }
    Ok(report)
}

/// Runs the call that was approved. What its walls deny is told.
fn approved(arguments: Arguments) -> Result<Report, Failure> {
    let other = |error: &dyn std::fmt::Display| Failure::Other(error.to_string());
    let Arguments { call, config, data, runtime, command, .. } = arguments;
    let folders = Folders::with(config, data, runtime).map_err(|error| other(&error))?;
    let call = ApprovedCall::new(&call.unwrap_or_default(), folders).map_err(|error| other(&error))?;
    let line = match command.as_slice() {
        [line] => line.to_str().ok_or_else(|| other(&CallError::OtherLine))?,
        _ => return Err(other(&CallError::OtherLine)),
    };
    let folder = std::env::current_dir().map_err(|error| other(&error))?;
    let approved = call.enter(line, &folder).map_err(|error| other(&error))?;
    let command = vec![approved.shell.into(), "-c".into(), approved.line.into()];
    let inside =
        Call { walls: approved.walls, is_looked_at: true, command, also_home: None, imitation: Imitation::default() };
    let outcome = run(&inside);
    call.tell(&outcome);
    Ok(outcome?)
}

/// Ends as the command has ended.
fn end(report: &Report) -> ExitCode {
    if let Some(line) = report.line() {
        say(&line);
    }
    match report.ending {
        Some(Ending::Code(0)) if !report.is_cleaned_up() => ExitCode::from(FAILED),
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

/// Why this machine does not hold the walls that were named.
#[cfg(target_os = "linux")]
fn refusal(arguments: &Arguments) -> Option<String> {
    let walls = match walls(arguments) {
        Ok(walls) => walls,
        Err(Failure::Walls(error)) => return Some(error.to_string()),
        Err(Failure::Other(text)) => return Some(text),
    };
    let call = Call {
        walls,
        is_looked_at: false,
        command: Vec::new(),
        also_home: arguments.home.clone(),
        imitation: arguments.imitation,
    };
    handraise_confine::check(&call).err().map(|error| error.to_string())
}

#[cfg(not(target_os = "linux"))]
fn refusal(_arguments: &Arguments) -> Option<String> {
    Some("it can be told on Linux only".to_owned())
}

/// What would let a command write at each of the places that were named; `null` where nothing should.
#[cfg(unix)]
fn openings(arguments: &Arguments) -> serde_json::Value {
    let opening = |path: &PathBuf| handraise_confine::Opening::of(path, arguments.home.as_deref());
    let found: Vec<_> = arguments.openings.iter().map(opening).collect();
    serde_json::to_value(found).unwrap_or_default()
}

#[cfg(not(unix))]
fn openings(_arguments: &Arguments) -> serde_json::Value {
    serde_json::Value::Null
}

fn explain(arguments: &Arguments) -> ExitCode {
    let capability = Capability::of_this_machine(arguments.imitation);
    if arguments.json {
        let mut said = serde_json::to_value(&capability).unwrap_or_default();
        if let Some(fields) = said.as_object_mut() {
            fields.insert("holds_walls".to_owned(), capability.holds_walls().into());
            if arguments.walls.is_some() || arguments.project.is_some() {
                fields.insert("refused".to_owned(), refusal(arguments).into());
            }
            if !arguments.openings.is_empty() {
                fields.insert("openings".to_owned(), openings(arguments));
            }
        }
        print(&said.to_string());
    } else {
        for line in capability.lines() {
            print(&line);
        }
        let names: Vec<&str> = CACHES.iter().map(|cache| cache.name).collect();
        print(&format!("caches: {}", names.join(", ")));
    }
    ExitCode::SUCCESS
}
