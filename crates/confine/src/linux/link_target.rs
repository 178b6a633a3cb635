//! What a link may say that others meet. A line outside of the walls was judged by what its files were; a link that is put
//! in the place of one while it runs must not make it read or write something else.

use std::ffi::OsStr;
use std::path::{Component, Path};

/// Places of the administrator: a link there opens nothing that is secret, and nobody else writes through it.
const OF_THE_SYSTEM: &[&str] =
    &["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store"];

/// Whether a link in `folder`, which lies in `room`, never leads out of `room` by what it says. Both are real paths. It holds
/// wherever the folder is in the room, as long as it is as deep: so what lies in the room keeps its depth (`links.rs`).
///
/// Up only at the beginning: behind a folder's name, `..` is above what that name leads to, which may be another link.
pub(super) fn stays_in(room: &Path, folder: &Path, target: &OsStr) -> bool {
    let target = Path::new(target);
    let Ok(below) = folder.strip_prefix(room) else { return false };
    if goes_up_behind_name(target) {
        return false;
    }
    if target.is_absolute() {
        let is_of_the_system = OF_THE_SYSTEM.iter().any(|place| target.starts_with(place));
        let opens_nothing = is_of_the_system && !nix::unistd::geteuid().is_root() || target == Path::new("/dev/null");
        return target.starts_with(room) || opens_nothing;
    }
    let ups = target.components().filter(|part| *part == Component::ParentDir).count();
    ups <= below.components().count()
}

/// Whether a link that says `target` goes up behind a name: `a/../x`.
pub(super) fn goes_up_behind_name(target: &Path) -> bool {
    let parts = target.components().filter(|part| *part != Component::CurDir);
    let mut behind = parts.skip_while(|part| *part == Component::ParentDir);
    behind.any(|part| part == Component::ParentDir)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stays(folder: &str, target: &str) -> bool {
        stays_in(Path::new("/home/ana/shop"), Path::new(folder), OsStr::new(target))
    }

    #[test]
    fn what_never_leaves_is_told_from_what_may() {
        for (folder, target) in [
            ("/home/ana/shop", "src/a"),
            ("/home/ana/shop", "./libx.so.1"),
            ("/home/ana/shop/node_modules/.bin", "../tsc/bin/tsc"),
            ("/home/ana/shop/a/b", "../../c/d"),
            ("/home/ana/shop/a", "/home/ana/shop/b"),
            ("/home/ana/shop", "."),
            ("/home/ana/shop", "/dev/null"),
        ] {
            assert!(stays(folder, target), "{folder} {target}");
        }
        for (folder, target) in [
            ("/home/ana/shop", "/home/ana/.ssh/id_ed25519"),
            ("/home/ana/shop", "/home/ana/shopping"),
            ("/home/ana/shop", "/home/ana/shop/../.ssh"),
            ("/home/ana/shop", "../.ssh/id_ed25519"),
            ("/home/ana/shop", "./../.ssh/id_ed25519"),
            ("/home/ana/shop/a", "../../.ssh"),
            // `a/b` may be a link to the room itself.
            ("/home/ana/shop/x", "a/b/../../.ssh"),
            ("/home/ana/shop/x", "../a/../.."),
            ("/home/ana/shop", "/"),
            ("/home/ana/shop", "/proc/self/root/etc/passwd"),
            ("/home/ana/shop", "/dev/fd/9"),
            ("/home/ana/other", "a"),
        ] {
            assert!(!stays(folder, target), "{folder} {target}");
        }
    }

    #[test]
    fn a_link_to_programs_of_the_system_is_for_who_cannot_change_them() {
        assert_eq!(stays("/home/ana/shop/.venv/bin", "/usr/bin/python3"), !nix::unistd::geteuid().is_root());
    }
}
