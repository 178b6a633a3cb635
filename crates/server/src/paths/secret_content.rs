//! Which files hold credentials by what stands in them, where their names alone do not tell: a `private.pem` may be a
//! certificate that everybody may see, and a `terraform.tfvars` the sizes of machines.

use std::path::Path;
use std::sync::LazyLock;

use handraise_policy::ResolvedPath;
use handraise_redaction::Redactor;
use handraise_shell::path::may_be_named_in;

use crate::disk::Disk;

/// Longest file that is looked into, in bytes: what people keep secrets in is short.
const MAX_LENGTH: u64 = 64 * 1024;

/// Its marks are shown to nobody, so their key does not matter.
static REDACTOR: LazyLock<Redactor> = LazyLock::new(|| Redactor::new([0; 32]));

/// Whether the file that was found at `resolved`, or the link that `written` names, has a name of those that secrets are kept
/// under, and holds one.
pub(super) fn holds_secret(written: &str, resolved: &ResolvedPath, disk: &mut Disk) -> bool {
    if resolved.is_missing || resolved.is_folder {
        return false;
    }
    let name = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    if ![written, &resolved.path].into_iter().any(|path| may_be_named_in(&name(path))) {
        return false;
    }
    let held = disk.read(Path::new(&resolved.path), MAX_LENGTH).ok().flatten();
    let text = held.and_then(|held| String::from_utf8(held).ok());
    text.is_some_and(|text| !REDACTOR.text(&text).redactions.is_empty())
}
