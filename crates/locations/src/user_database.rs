//! The user database on Linux: `/etc/passwd`, or what `getent` answers for users that are kept elsewhere.
//!
//! It is not asked through the C library, which loads other libraries for it. A program that is linked
//! statically, as `handraise-hook` is to start quickly, must not do that.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const PASSWD: &str = "/etc/passwd";
/// Asks what the system is set up to ask (nsswitch.conf(5)): a directory of the network, say.
const GETENT: &str = "/usr/bin/getent";

/// The home folder of the user with this number.
pub(crate) fn home(uid: u32) -> Option<PathBuf> {
    home_in(&std::fs::read(PASSWD).unwrap_or_default(), uid).or_else(|| {
        let mut command = Command::new(GETENT);
        command.args(["passwd", &uid.to_string()]).env_clear().stdin(Stdio::null()).stderr(Stdio::null());
        home_in(&command.output().ok()?.stdout, uid)
    })
}

/// As passwd(5) says: `name:password:UID:GID:GECOS:directory:shell`.
fn home_in(entries: &[u8], uid: u32) -> Option<PathBuf> {
    entries.split(|byte| *byte == b'\n').find_map(|entry| {
        let fields: Vec<&[u8]> = entry.split(|byte| *byte == b':').collect();
        let &[_, _, own, _, _, directory, _] = fields.as_slice() else { return None };
        let is_own = std::str::from_utf8(own).is_ok_and(|own| own.parse() == Ok(uid));
        let directory = Path::new(OsStr::from_bytes(directory));
        (is_own && directory.is_absolute()).then(|| directory.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_entry_of_the_number_counts() {
        let entries = b"root:x:0:0:root:/root:/bin/bash\n# no entry\nann:x:1000:1000:Ann \xe9:/home/ann:/bin/sh\n\
                        x:x:1001:1001::relative:/bin/sh\n+::::::\n";
        assert_eq!(home_in(entries, 0), Some("/root".into()));
        assert_eq!(home_in(entries, 1000), Some("/home/ann".into()));
        assert_eq!(home_in(entries, 1001), None);
        assert_eq!(home_in(entries, 1002), None);
    }

    #[test]
    fn it_is_what_the_c_library_says() {
        let user = nix::unistd::User::from_uid(nix::unistd::getuid()).unwrap().unwrap();
        assert_eq!(home(user.uid.as_raw()), Some(user.dir));
    }
}
