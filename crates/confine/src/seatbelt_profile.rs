//! The text of a profile for Seatbelt. Sources: sandbox-exec(1), and the profiles below `/System/Library/Sandbox/Profiles`.

use std::path::{Path, PathBuf};

/// Folders of the system that programs and their libraries are in. Not `/dev`: other terminals lie there. `system.sb` opens
/// the devices that every program may use.
const SYSTEM: &[&str] = &["/usr", "/bin", "/sbin", "/System", "/Library", "/opt", "/etc", "/Applications", "/dev/fd"];

/// Folders that are links on macOS. A rule counts for the place itself.
const LINKED: &[&str] = &["/etc", "/tmp", "/var"];

/// What the walls open and close. All places are absolute, without links.
pub(crate) struct Opened {
    /// May be read, beside the system's folders.
    pub(crate) readable: Vec<PathBuf>,
    /// May be read and written.
    pub(crate) writable: Vec<PathBuf>,
    /// May be read, and not written, though they lie in what is writable.
    pub(crate) kept: Vec<PathBuf>,
    /// May not even be read, though they lie in what may.
    pub(crate) closed: Vec<PathBuf>,
}

/// The profile: everything is denied, then what the walls open is allowed, then what they close again is denied. The
/// last rule that fits decides.
pub(crate) fn profile(opened: &Opened) -> String {
    let head = [
        "(version 1)",
        "(deny default)",
        "(import \"system.sb\")",
        "(allow process-exec)",
        "(allow process-fork)",
        "(allow signal (target same-sandbox))",
        "(allow sysctl-read)",
        "(allow file-read-metadata)",
        "(allow file-read* (literal \"/\"))",
    ];
    let rules = |rule: &'static str, places: &[PathBuf]| -> Vec<String> {
        places.iter().map(|place| format!("({rule} (subpath {}))", quoted(&unlinked(place)))).collect()
    };
    let system: Vec<PathBuf> = SYSTEM.iter().map(PathBuf::from).collect();
    // A line outside of the walls would follow one that leads elsewhere.
    let links = opened.writable.iter().map(|place| {
        format!("(deny file-write-create (require-all (vnode-type SYMLINK) (subpath {})))", quoted(&unlinked(place)))
    });
    let links: Vec<String> = links.collect();
    let body = [
        rules("allow file-read*", &system),
        rules("allow file-read*", &opened.readable),
        rules("allow file-read* file-write*", &opened.writable),
        links,
        rules("deny file-write*", &opened.kept),
        rules("deny file-read* file-write*", &opened.closed),
    ];
    head.map(str::to_owned).into_iter().chain(body.into_iter().flatten()).collect::<Vec<_>>().join("\n")
}

/// The place that `path` leads to, where its first folder is a link.
fn unlinked(path: &Path) -> PathBuf {
    let is_linked = LINKED.iter().any(|link| path.starts_with(link));
    if is_linked { Path::new("/private").join(path.strip_prefix("/").unwrap_or(path)) } else { path.to_owned() }
}

/// A string of the profile's language, which is a Scheme.
fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy().replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{text}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(places: &[&str]) -> Vec<PathBuf> {
        places.iter().map(PathBuf::from).collect()
    }

    #[test]
    fn what_is_closed_comes_after_what_is_opened() {
        let opened = Opened {
            readable: places(&["/Users/ana/.cargo/bin", "/srv/fixtures"]),
            writable: places(&["/Users/ana/shop \"front\\", "/private/var/folders/x1/T/.tmpA"]),
            kept: places(&["/Users/ana/shop \"front\\/.git/hooks"]),
            closed: places(&["/Users/ana/.ssh", "/etc/sudoers", "/Users/ana/shop \"front\\/.env"]),
        };
        let expected = r#"(version 1)
(deny default)
(import "system.sb")
(allow process-exec)
(allow process-fork)
(allow signal (target same-sandbox))
(allow sysctl-read)
(allow file-read-metadata)
(allow file-read* (literal "/"))
(allow file-read* (subpath "/usr"))
(allow file-read* (subpath "/bin"))
(allow file-read* (subpath "/sbin"))
(allow file-read* (subpath "/System"))
(allow file-read* (subpath "/Library"))
(allow file-read* (subpath "/opt"))
(allow file-read* (subpath "/private/etc"))
(allow file-read* (subpath "/Applications"))
(allow file-read* (subpath "/dev/fd"))
(allow file-read* (subpath "/Users/ana/.cargo/bin"))
(allow file-read* (subpath "/srv/fixtures"))
(allow file-read* file-write* (subpath "/Users/ana/shop \"front\\"))
(allow file-read* file-write* (subpath "/private/var/folders/x1/T/.tmpA"))
(deny file-write-create (require-all (vnode-type SYMLINK) (subpath "/Users/ana/shop \"front\\")))
(deny file-write-create (require-all (vnode-type SYMLINK) (subpath "/private/var/folders/x1/T/.tmpA")))
(deny file-write* (subpath "/Users/ana/shop \"front\\/.git/hooks"))
(deny file-read* file-write* (subpath "/Users/ana/.ssh"))
(deny file-read* file-write* (subpath "/private/etc/sudoers"))
(deny file-read* file-write* (subpath "/Users/ana/shop \"front\\/.env"))"#;
        assert_eq!(profile(&opened), expected);
    }

    #[test]
    fn only_whole_names_are_links() {
        for (path, place) in [("/etc", "/private/etc"), ("/etcetera", "/etcetera"), ("/private/etc", "/private/etc")] {
            assert_eq!(unlinked(Path::new(path)), Path::new(place));
        }
    }
}
