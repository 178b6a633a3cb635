//! Which scripts of a project an installation runs.

use serde_json::Value;

use super::files::Standpoint;
use super::told::{CommandConsequence, counted};
use crate::disk::Disk;
use crate::repository::{Lookup, NotTold};

/// Scripts around an installation, in the order in which they run: `npm help scripts`, "npm ci", "npm install"; pnpm,
/// "install"; Yarn 1, "Lifecycle scripts".
const AROUND: &[&str] = &["preinstall", "install", "postinstall", "prepublish", "preprepare", "prepare", "postprepare"];
/// Folders above the one of the call.
const MAX_FOLDERS: usize = 64;

/// What `program` runs when it installs in `folder`.
pub(super) fn told(place: &Standpoint<'_>, folder: &str, program: &str) -> Lookup<Vec<CommandConsequence>> {
    let folder = place.path(folder)?.canonicalize().map_err(|_| NotTold)?;
    let mut disk = Disk::default();
    let mut package = None;
    for folder in folder.ancestors().take(MAX_FOLDERS) {
        place.until.check()?;
        if let Some(text) = disk.text(&folder.join("package.json")).map_err(|_| NotTold)? {
            package = Some((folder.to_owned(), text));
            break;
        }
    }
    let (folder, text) = package.ok_or(NotTold)?;
    for settings in [Some(folder.as_path()), place.home].into_iter().flatten() {
        for name in [".npmrc", ".yarnrc", ".yarnrc.yml"] {
            let held = disk.text(&settings.join(name)).map_err(|_| NotTold)?.unwrap_or_default();
            // They may say that no script runs.
            if ["ignore-scripts", "enableScripts"].iter().any(|setting| held.contains(setting)) {
                return Err(NotTold);
            }
        }
    }
    let package: Value = serde_json::from_str(text.strip_prefix('\u{feff}').unwrap_or(&text)).map_err(|_| NotTold)?;
    let scripts = package.get("scripts").and_then(Value::as_object);
    let text = |name: &&str| {
        let script = scripts?.get(*name)?.as_str()?;
        Some(format!("{name}: {script}"))
    };
    let names: Vec<String> = AROUND.iter().filter_map(text).collect();
    if names.is_empty() {
        return Ok(Vec::new());
    }
    // Each version of Yarn and pnpm runs others of them.
    let verb = if program == "npm" { "Runs" } else { "May run" };
    let clause = format!("{verb} {} of package.json", counted(names.len(), "script", "scripts"));
    Ok(vec![CommandConsequence { clause, count: names.len(), names, ..CommandConsequence::default() }])
}
