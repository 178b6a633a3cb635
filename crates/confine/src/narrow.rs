//! What may be made writable: nothing that holds a home, a folder of the system, or credentials.

use std::path::{Path, PathBuf};

use crate::{ConfineError, places};

/// A folder that is to be written must not hold a home, a folder of the system, or credentials, nor lie in these.
pub(crate) fn check_narrow(path: &Path, homes: &[PathBuf], denied: &[PathBuf]) -> Result<(), ConfineError> {
    /// Nothing below these is anybody's project.
    const NEVER: &[&str] = &["/proc", "/sys", "/dev", "/boot", "/etc"];
    /// Whole trees that hold other people's things.
    const NEVER_WHOLE: &[&str] = &["/tmp", "/var", "/var/tmp", "/home", "/root", "/run", "/mnt", "/media", "/srv"];
    let too_wide = |holds: &Path| Err(ConfineError::TooWide { path: path.to_owned(), holds: holds.to_owned() });
    let whole = NEVER_WHOLE.iter().chain(places::SYSTEM).map(Path::new).chain(homes.iter().map(PathBuf::as_path));
    if let Some(holds) = whole.into_iter().find(|place| place.starts_with(path)) {
        return too_wide(holds);
    }
    if let Some(place) = NEVER.iter().map(Path::new).find(|place| path.starts_with(place)) {
        return too_wide(place);
    }
    // What the walls themselves take out of the project is hidden there, not refused.
    match denied.iter().find(|secret| path.starts_with(secret)) {
        Some(secret) => too_wide(secret),
        None => secret_in(path, homes).map_or(Ok(()), |secret| too_wide(&secret)),
    }
}

/// A secret that `path` holds, whether it is there or not. For each call: so no path is written out that is not asked for.
fn secret_in(path: &Path, homes: &[PathBuf]) -> Option<PathBuf> {
    let own = homes.iter().find_map(|home| {
        let inner = path.strip_prefix(home).ok()?;
        places::SECRETS.iter().find(|secret| Path::new(secret).starts_with(inner)).map(|secret| home.join(secret))
    });
    own.or_else(|| places::SYSTEM_SECRETS.iter().map(PathBuf::from).find(|secret| secret.starts_with(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_home_and_no_credential_becomes_writable() {
        let home = [PathBuf::from("/home/ana")];
        let denied = places::secrets(&home);
        let check = |path: &str| check_narrow(Path::new(path), &home, &denied);
        for wide in [
            "/",
            "/home",
            "/home/ana",
            "/home/ana/.config",
            "/home/ana/.ssh/x",
            "/usr",
            "/etc/x",
            "/tmp",
            "/home/ana/.cache",
        ] {
            assert_eq!(check(wide).unwrap_err().code(), "too_wide", "{wide}");
        }
        for narrow in ["/home/ana/shopfront", "/tmp/x", "/srv/app", "/usr/src/app", "/opt/app"] {
            check(narrow).unwrap();
        }
    }
}
