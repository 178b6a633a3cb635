//! The walls on macOS: a profile for Seatbelt, given to `/usr/bin/sandbox-exec`. Types and text are checked; nobody has run
//! it yet, and there is no supervisor: what was denied is not told, and files of the project are not put back.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::seatbelt_profile::{Opened, profile};
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
    let profile = profile(&opened(walls, &homes, &start, tmp.path())?);
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

/// What the walls open and close, as it lies on the disk.
fn opened(walls: &Walls, homes: &[PathBuf], start: &Path, tmp: &Path) -> Result<Opened, ConfineError> {
    let real =
        |path: &Path| path.canonicalize().map_err(|source| ConfineError::Missing { path: path.to_owned(), source });
    let projects = walls.project.iter().map(|path| real(path)).collect::<Result<Vec<_>, _>>()?;
    let mut writable = projects.clone();
    // What is not there has no real path yet; `/tmp` is a link.
    writable.extend(
        walls.made.iter().filter_map(|path| Some(real(Path::new("/tmp")).ok()?.join(path.strip_prefix("/tmp").ok()?))),
    );
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
    let hidden = search::hidden_files(walls, &projects)?;
    let tools = homes.iter().flat_map(|home| places::tools().map(|tool| home.join(tool)));
    Ok(Opened {
        readable: tools.chain(walls.read.iter().cloned()).collect(),
        writable,
        kept: protected::places(&projects, start, homes, &walls.keep),
        closed: secrets.into_iter().chain(walls.read_deny.iter().cloned()).chain(hidden).collect(),
    })
}
