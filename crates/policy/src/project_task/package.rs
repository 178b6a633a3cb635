//! Scripts of `package.json`.
//!
//! Sources: npm 11, `npm help scripts`, `npm help run`, `npm help config`; pnpm 10, "pnpm run", "Settings"; Yarn 1 and 4,
//! "yarn run"; Bun 1, "bun run", "bunfig.toml".

use serde_json::Value;

use super::files::{Pause, join, upwards};
use super::json::json;
use super::task_search::TaskSearch;
use crate::facts::{TaskCall, TaskRunner};
use crate::project_code::settings_that_run;

/// What runs before and after a script, where the runner does that; which one does is not asked: what is compared may
/// be more than what runs.
const AROUND: &[&str] = &["pre", "", "post"];

/// Settings that say what runs a script, by the runner: family and file of the table of project code.
const SETTINGS: &[(TaskRunner, &str, &str)] = &[
    (TaskRunner::Npm, "npm", ".npmrc"),
    (TaskRunner::Npm, "npm", ".corepack.env"),
    (TaskRunner::Pnpm, "npm", ".corepack.env"),
    (TaskRunner::Pnpm, "yarn", "package.json"),
    (TaskRunner::Pnpm, "pnpm", ".npmrc"),
    (TaskRunner::Pnpm, "pnpm", "pnpm-workspace.yaml"),
    (TaskRunner::Yarn, "npm", ".npmrc"),
    (TaskRunner::Yarn, "npm", ".corepack.env"),
    (TaskRunner::Yarn, "yarn", "package.json"),
    (TaskRunner::Yarn, "yarn", ".yarnrc"),
    (TaskRunner::Yarn, "yarn", ".yarnrc.yml"),
];

/// Settings that matter to scripts alone, in small letters and without `-` and `_`: the shell, and an installation in front.
const OF_SCRIPTS: &[&str] = &["scriptshell", "verifydepsbeforerun"];
/// Variables in a script that stand for what is written elsewhere.
const FROM_SETTINGS: &[&str] = &["npm_package_", "npm_config_"];

pub(super) fn follow(found: &mut TaskSearch<'_>, call: &TaskCall, folder: &str) -> Result<(), Pause> {
    let Some((root, file, text)) = nearest(found, call.runner, folder)? else { return Ok(()) };
    let not_understood = |why: &str| format!("`{file}` is not understood: {why}");
    let package = json(&text).map_err(|why| Pause::Unknown(not_understood(&why)))?;
    let scripts = match package.get("scripts") {
        None => return absent(call),
        Some(Value::Object(scripts)) => scripts,
        Some(_) => return Pause::unknown(not_understood("its `scripts` are no object")),
    };
    let name = call.names.first().map_or("", String::as_str);
    if !scripts.contains_key(name) {
        return absent(call);
    }
    let mut texts = Vec::new();
    for around in AROUND {
        let name = format!("{around}{name}");
        match scripts.get(&name) {
            None => {}
            Some(Value::String(text)) => texts.push((name, text.clone())),
            Some(_) => return Pause::unknown(not_understood(&format!("its script `{name}` is no text"))),
        }
    }
    check_settings(found, call.runner, folder)?;
    if texts.iter().any(|(_, text)| FROM_SETTINGS.iter().any(|start| text.contains(start))) {
        return Pause::unknown(format!("the script in `{file}` uses settings of the package"));
    }
    for (name, text) in &texts {
        found.add(name, &file, text)?;
    }
    if call.runner == TaskRunner::Bun {
        // `[run]`, `preload` and the like of Bun.
        for folder in [&root, folder] {
            let bunfig = join(folder, "bunfig.toml");
            if let Some(text) = found.files.text(&bunfig)? {
                found.add("settings of Bun", &bunfig, text)?;
            }
        }
    }
    texts.iter().try_for_each(|(_, text)| found.follow_text(text, &root))
}

/// The folder of the package that `folder` belongs to, its file, and what that holds.
fn nearest(
    found: &TaskSearch<'_>,
    runner: TaskRunner,
    folder: &str,
) -> Result<Option<(String, String, String)>, Pause> {
    for folder in upwards(folder, None) {
        let file = join(folder, "package.json");
        for other in ["package.json5", "package.yaml"] {
            if runner == TaskRunner::Pnpm && found.files.is_there(&join(folder, other))? {
                return Pause::unknown(format!("pnpm may read `{other}`"));
            }
        }
        if let Some(text) = found.files.text(&file)? {
            return Ok(Some((folder.to_owned(), file, text.to_owned())));
        }
    }
    Ok(None)
}

/// There is no such script: then npm starts `server.js` for `npm start`, and the others may know a program of that name.
fn absent(call: &TaskCall) -> Result<(), Pause> {
    if call.runner == TaskRunner::Npm && call.names.iter().any(|name| name == "start") {
        return Pause::unknown("there is no script `start`, so npm runs `server.js`");
    }
    Ok(())
}

/// Settings are read in the package and in the workspace around it; those of the person's own are the person's own.
fn check_settings(found: &TaskSearch<'_>, runner: TaskRunner, folder: &str) -> Result<(), Pause> {
    for folder in upwards(folder, found.home) {
        for (_, family, name) in SETTINGS.iter().filter(|(of, _, _)| *of == runner) {
            let file = join(folder, name);
            let Some(text) = found.files.text(&file)? else { continue };
            let plain = text.to_lowercase().replace(['-', '_'], "");
            if *name != "package.json" && OF_SCRIPTS.iter().any(|setting| plain.contains(setting)) {
                return Pause::unknown(format!("`{file}` may say what runs it"));
            }
            match settings_that_run(family, name, text) {
                Ok(settings) => {
                    if let Some(setting) = settings.first() {
                        return Pause::unknown(format!("`{setting}` in `{file}` may say what runs it"));
                    }
                }
                Err(error) => return Pause::unknown(format!("`{file}` is not understood: {}", error.why)),
            }
        }
    }
    Ok(())
}
