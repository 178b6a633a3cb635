//! Codex's `hooks.json` (documentation page "Hooks"). A timeout that is no integer makes Codex drop
//! the whole file.

use super::NAME;
use crate::connect::hook_file::{Entries, HookFile, Layout, all_of, group, never_off, without_http};
use crate::connect::{ConnectError, ConnectOptions, Level, ManagedFile};

/// Seconds for hooks that only tell something.
const NOTICE_SECONDS: u32 = 5;

pub(super) fn files(level: Level) -> Vec<ManagedFile> {
    match level {
        Level::User | Level::Project => vec![ManagedFile::new(".codex/hooks.json", &HOOKS)],
    }
}

static HOOKS: HookFile = HookFile {
    agent: NAME,
    layout: Layout::Grouped,
    command: "command",
    timeout: Some(("timeout", 1)),
    blocks: None,
    version: None,
    events: &["PreToolUse", "PermissionRequest", "SessionEnd"],
    notices: &["SessionEnd"],
    shell_blocks: true,
    is_off: never_off,
    wanted,
};

fn wanted(options: &ConnectOptions) -> Result<Entries, ConnectError> {
    without_http(options)?;
    let asking = || {
        let mut hook = HOOKS.asking_hook(options);
        hook.insert("statusMessage".to_owned(), "Waiting for Handraise".into());
        group(hook)
    };
    let end = all_of(HOOKS.telling_hook(options, NOTICE_SECONDS));
    let every_call = (!options.only_what_agent_asks).then(|| ("PreToolUse", asking()));
    Ok(every_call.into_iter().chain([("PermissionRequest", asking()), ("SessionEnd", end)]).collect())
}
