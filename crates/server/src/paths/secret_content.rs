//! Which files hold credentials by what stands in them, where their names alone do not tell: a `private.pem` may be a
//! certificate that everybody may see, and a `terraform.tfvars` the sizes of machines.

use std::path::Path;
use std::sync::LazyLock;

use handraise_policy::ResolvedPath;
use handraise_redaction::Redactor;
use handraise_shell::path::may_be_named_in;

use crate::disk::Disk;

/// Longest file that is looked into, in bytes: what people keep secrets in is short.
const MAX_LENGTH: u64 = 256 * 1024;

/// Its marks are shown to nobody, so their key does not matter.
static REDACTOR: LazyLock<Redactor> = LazyLock::new(|| Redactor::new([0; 32]));

/// How deep below the home folder people keep settings, the file counted: `~/.config/gh/config.yml`.
/// What lies deeper is what programs bring.
const MAX_DEPTH: usize = 5;

/// Whether the file that was found at `resolved`, or the link that `written` names, holds a secret, and has a name of those that
/// secrets are kept under, or is one of the settings that people write in their home folder (`~/.bashrc`).
pub(super) fn holds_secret(written: &str, resolved: &ResolvedPath, home: Option<&Path>, disk: &mut Disk) -> bool {
    if resolved.is_missing || resolved.is_folder {
        return false;
    }
    let (written, found) = (Path::new(written), Path::new(&resolved.path));
    (is_own_setting(found, home) || is_suspect(written) || is_suspect(found)) && is_secret_in(found, disk)
}

/// Whether the file at `path` has a name of those that secrets are kept under, and holds one.
pub(super) fn is_found_secret(path: &Path, disk: &mut Disk) -> bool {
    is_suspect(path) && is_secret_in(path, disk)
}

fn is_suspect(path: &Path) -> bool {
    path.file_name().and_then(std::ffi::OsStr::to_str).is_some_and(may_be_named_in)
}

fn is_secret_in(path: &Path, disk: &mut Disk) -> bool {
    let Ok(Some(mut held)) = disk.read(path, MAX_LENGTH) else { return false };
    // Of UTF-16 what remains reads as ASCII does.
    held.retain(|byte| *byte != 0);
    !REDACTOR.text(&String::from_utf8_lossy(&held)).redactions.is_empty()
}

fn is_own_setting(path: &Path, home: Option<&Path>) -> bool {
    let below = home.and_then(|home| path.strip_prefix(home).ok()).and_then(Path::to_str);
    below.is_some_and(|below| below.starts_with('.') && below.split('/').count() <= MAX_DEPTH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_in_the_home_folder_are_looked_into_and_what_programs_bring_is_not() {
        let home = tempfile::tempdir().unwrap();
        let home = home.path().canonicalize().unwrap();
        let holds = |file: &str, text: &str| {
            let path = home.join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, text).unwrap();
            let resolved = ResolvedPath::new(path.to_str().unwrap().to_owned());
            holds_secret(&resolved.path, &resolved, Some(&home), &mut Disk::default())
        };
        let secret = "export OPENAI_API_KEY=\"x7Kq29LmPz84x7Kq29LmPz84\"\n";
        for file in [".bashrc", ".config/frob/config.yml", ".claude/settings.json"] {
            assert!(holds(file, secret), "{file}");
            assert!(!holds(file, "export EDITOR=vim\n"), "{file}");
        }
        for file in ["notes.txt", "src/main.rs", ".cargo/registry/src/index/frob-1.0.0/src/lib.rs"] {
            assert!(!holds(file, secret), "{file}");
        }
        let wide: Vec<u8> = format!("\u{feff}{secret}").encode_utf16().flat_map(u16::to_le_bytes).collect();
        for bytes in [[b"# \xfc\n", secret.as_bytes()].concat(), wide] {
            std::fs::write(home.join("token.json"), bytes).unwrap();
            assert!(is_found_secret(&home.join("token.json"), &mut Disk::default()));
        }
    }
}
