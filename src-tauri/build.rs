//! Lists the commands of the windows, so that a window can call only those that its capability names.

fn main() {
    let manifest = tauri_build::AppManifest::new().commands(&[
        "create_credential",
        "decide",
        "desktop_state",
        "dismiss_notice",
        "end_session",
        "hide_window",
        "open_policy_file",
        "open_settings",
        "revoke_credential",
        "revoke_grant",
        "save_settings",
        "set_mode",
        "set_policy_preset",
        "set_timeout",
        "settings_view",
    ]);
    if let Err(error) = tauri_build::try_build(tauri_build::Attributes::new().app_manifest(manifest)) {
        println!("cargo::error={error:#}");
    }
}
