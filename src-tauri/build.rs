//! Lists the commands of the windows, so that a window can call only those that its capability names.

use std::fs::File;
use std::io;
use std::path::Path;
use std::time::SystemTime;

fn main() {
    let manifest = tauri_build::AppManifest::new().commands(&[
        "activity",
        "activity_choices",
        "activity_figures",
        "add_policy_rules",
        "agents",
        "answer",
        "ask_sample",
        "change_agent",
        "check_agent",
        "check_policy",
        "check_rule",
        "compare_presets",
        "confirm_policy",
        "create_credential",
        "decide",
        "desktop_state",
        "discard_policy",
        "dismiss_missed",
        "dismiss_notice",
        "end_session",
        "export_activity",
        "fit_window",
        "hide_window",
        "import_policy_rules",
        "kept",
        "open_guide",
        "open_inbox",
        "open_policy_file",
        "open_settings",
        "own_rules",
        "policy",
        "preview_agent_change",
        "preview_rule",
        "pressed_without_device",
        "prompt_drawn",
        "prompt_painted",
        "put_back",
        "preview_edit",
        "reveal",
        "revoke_credential",
        "revoke_grant",
        "save_policy",
        "save_settings",
        "set_mode",
        "set_policy_preset",
        "set_timeout",
        "settings_view",
        "stop_comparing",
        "stop_sample",
        "suggest_rules",
        "try_call",
    ]);
    if let Err(error) = tauri_build::try_build(tauri_build::Attributes::new().app_manifest(manifest)) {
        println!("cargo::error={error:#}");
    }
    // Where it cannot be done, the next build compiles this crate once more.
    let _ = make_old(Path::new("permissions"));
}

/// What `tauri_build` writes here is newer than the start of this script. So the next build would take it for changed.
fn make_old(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        for entry in path.read_dir()? {
            make_old(&entry?.path())?;
        }
    }
    File::open(path)?.set_modified(SystemTime::UNIX_EPOCH)
}
