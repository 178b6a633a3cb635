//! Lists the commands of the windows, so that a window can call only those that its capability names.

fn main() {
    let manifest = tauri_build::AppManifest::new().commands(&[
        "add_policy_rules",
        "agents",
        "answer",
        "change_agent",
        "check_agent",
        "check_policy",
        "confirm_policy",
        "create_credential",
        "decide",
        "desktop_state",
        "discard_policy",
        "dismiss_missed",
        "dismiss_notice",
        "end_session",
        "fit_window",
        "hide_window",
        "kept",
        "open_policy_file",
        "open_settings",
        "policy",
        "preview_agent_change",
        "preview_rule",
        "put_back",
        "reveal",
        "revoke_credential",
        "revoke_grant",
        "save_policy",
        "save_settings",
        "set_mode",
        "set_policy_preset",
        "set_timeout",
        "settings_view",
        "suggest_rules",
        "try_command",
    ]);
    if let Err(error) = tauri_build::try_build(tauri_build::Attributes::new().app_manifest(manifest)) {
        println!("cargo::error={error:#}");
    }
}
