//! The walls on macOS: a profile for Seatbelt, given to `/usr/bin/sandbox-exec`. The types are checked; nobody has run
//! it yet, and there is no supervisor: what was denied is not told, and files of the project are not put back.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{CACHES, Call, ConfineError, Ending, Report, Walls, environment, places, protected, search};

/// Runs a command inside walls and waits for it.
///
/// # Errors
/// When the walls cannot be held or put up.
pub fn run(call: &Call) -> Result<Report, ConfineError> {
    let walls = &call.walls;
    walls.check()?;
    if walls.limits != crate::Limits::default() {
        return Err(ConfineError::NotHeld { need: "limits are not offered on macOS".to_owned(), code: "needs_limits" });
    }
    let homes: Vec<PathBuf> = handraise_locations::home().ok().into_iter().chain(call.also_home.clone()).collect();
    let start = std::env::current_dir().map_err(|source| ConfineError::Missing { path: ".".into(), source })?;
    let tmp = tempfile::tempdir().map_err(|error| ConfineError::setup("private temporary folder", error))?;
    let profile = profile(walls, &homes, &start, tmp.path())?;
    let Some((program, arguments)) = call.command.split_first() else {
        return Err(ConfineError::setup("command", "there is none"));
    };
    let environment = environment::inside(std::env::vars_os(), &walls.environment, tmp.path().as_os_str());
    let status = Command::new("/usr/bin/sandbox-exec")
        .arg("-p")
        .arg(profile)
        .arg(program)
        .args(arguments)
        .env_clear()
        .envs(environment)
        .status()
        .map_err(|error| ConfineError::setup("sandbox-exec", error))?;
    let signal = std::os::unix::process::ExitStatusExt::signal(&status).map(Ending::Signal);
    let ending = status.code().map(Ending::Code).or(signal);
    Ok(Report { version: 1, ending, ..Report::default() })
}

/// Ends this process as a command did that a signal ended. macOS needs nothing for it: the status says it.
pub fn end_by_signal(_number: i32) {}

/// The profile: everything is denied, then what the walls open is allowed, then what they close again is denied. The
/// last rule that fits decides.
fn profile(walls: &Walls, homes: &[PathBuf], start: &Path, tmp: &Path) -> Result<String, ConfineError> {
    let real =
        |path: &Path| path.canonicalize().map_err(|source| ConfineError::Missing { path: path.to_owned(), source });
    let projects = walls.project.iter().map(|path| real(path)).collect::<Result<Vec<_>, _>>()?;
    let mut writable = projects.clone();
    writable.extend(walls.write.iter().map(|path| real(path)).collect::<Result<Vec<_>, _>>()?);
    writable.push(real(tmp)?);
    let secrets = places::secrets(homes);
    for place in &writable {
        let holds = secrets.iter().chain(homes).find(|secret| secret.starts_with(place) || place.starts_with(secret));
        if let Some(holds) = holds.filter(|holds| !homes.contains(holds) || holds.starts_with(place)) {
            return Err(ConfineError::TooWide { path: place.clone(), holds: holds.clone() });
        }
    }
    for cache in CACHES.iter().filter(|cache| walls.caches.iter().any(|name| name == cache.name)) {
        writable.extend(homes.iter().flat_map(|home| cache.places.iter().map(|place| home.join(place))));
    }
    let mut lines = vec![
        "(version 1)".to_owned(),
        "(deny default)".to_owned(),
        "(import \"system.sb\")".to_owned(),
        "(allow process-exec process-fork signal (target same-sandbox))".to_owned(),
        "(allow sysctl-read file-read-metadata)".to_owned(),
    ];
    let mut rule = |verdict: &str, operation: &str, path: &Path| {
        lines.push(format!("({verdict} {operation} (subpath {}))", quoted(path)));
    };
    let system = ["/usr", "/bin", "/sbin", "/System", "/Library", "/opt", "/private/etc", "/Applications", "/dev"];
    let readable = system.iter().map(PathBuf::from).chain(places::tools(homes)).chain(walls.read.iter().cloned());
    for path in readable {
        rule("allow", "file-read*", &path);
    }
    for path in &writable {
        rule("allow", "file-read* file-write*", path);
    }
    for path in protected::places(&projects, start, homes, &walls.keep) {
        rule("deny", "file-write*", &path);
    }
    let hidden = search::hidden_files(walls, &projects)?;
    for path in secrets.into_iter().chain(walls.read_deny.iter().cloned()).chain(hidden) {
        rule("deny", "file-read* file-write*", &path);
    }
    Ok(lines.join("\n"))
}

/// A string of the profile's language, which is a Scheme.
fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy().replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{text}\"")
}
