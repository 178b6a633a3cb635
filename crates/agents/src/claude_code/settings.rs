//! Claude Code's settings files (documentation page "Hooks reference", section "Configuration").

use serde_json::{Map, Value, json};

use super::NAME;
use crate::connect::hook_file::{Blocks, Entries, HookFile, Layout, all_hooks_disabled, all_of, group, some_of};
use crate::connect::{ConnectError, ConnectOptions, HttpHandler, Level, ManagedFile};

/// Seconds for hooks that only tell something. Claude Code gives all `SessionEnd` hooks together 1.5.
const NOTICE_SECONDS: u32 = 2;
/// The first version that knows `"onFailure": "block"`. What earlier ones make of the key is not known.
const BLOCKS_ON_FAILURE_FROM: [u32; 3] = [2, 1, 295];
/// Claude Code shows its own question while a `PermissionRequest` hook waits, and leaves the hook
/// alone when the person answers there. These tell that it is over.
const NOTICES: &[&str] = &["PostToolUse", "PostToolUseFailure", "Stop", "SessionEnd"];
/// Tools whose arguments do not say what they leave behind. Undo compares with what is there when they end.
const UNTOLD: &str = "Bash|PowerShell|NotebookEdit";

pub(super) fn files(level: Level) -> Vec<ManagedFile> {
    match level {
        Level::User => vec![ManagedFile::new(".claude/settings.json", &SETTINGS)],
        Level::Project => vec![ManagedFile::new(".claude/settings.local.json", &SETTINGS)],
    }
}

static SETTINGS: HookFile = HookFile {
    agent: NAME,
    layout: Layout::Grouped,
    command: "command",
    timeout: Some(("timeout", 1)),
    blocks: Some(("onFailure", Blocks::Text("block"))),
    version: None,
    events: &["PreToolUse", "PermissionRequest", "PostToolUse", "PostToolUseFailure", "Stop", "SessionEnd"],
    notices: NOTICES,
    shell_blocks: true,
    is_off: all_hooks_disabled,
    wanted,
};

/// `PreToolUse` is asked for every call, and its allow answers the agent's own question.
fn wanted(options: &ConnectOptions) -> Result<Entries, ConnectError> {
    if options.http.is_some() && !options.on_failure_block {
        return Err(ConnectError::HttpFailsOpen);
    }
    let asking = if options.only_what_agent_asks { "PermissionRequest" } else { "PreToolUse" };
    let mut ask = match &options.http {
        Some(http) => http_hook(http, options.timeout_seconds),
        None => SETTINGS.asking_hook(options),
    };
    if options.on_failure_block {
        ask.insert("onFailure".to_owned(), "block".into());
    }
    let notice = || match &options.http {
        Some(http) => http_hook(http, NOTICE_SECONDS),
        None => SETTINGS.telling_hook(options, NOTICE_SECONDS),
    };
    let notices = match options.only_what_agent_asks {
        true => NOTICES.iter().map(|event| (*event, all_of(notice()))).collect(),
        false => vec![
            ("PostToolUse", some_of(UNTOLD, notice())),
            ("PostToolUseFailure", some_of(UNTOLD, notice())),
            ("SessionEnd", all_of(notice())),
        ],
    };
    Ok(std::iter::once((asking, group(ask))).chain(notices).collect())
}

fn http_hook(http: &HttpHandler, seconds: u32) -> Map<String, Value> {
    let fields = [
        ("type", "http".into()),
        ("url", http.url.clone().into()),
        ("headers", json!({ "Authorization": format!("Bearer {}", http.token) })),
        ("timeout", seconds.into()),
    ];
    fields.into_iter().map(|(field, value)| (field.to_owned(), value)).collect()
}

/// `version` is what `claude --version` prints: `2.1.329 (Claude Code)`.
pub(super) fn can_block_on_failure(version: &str) -> bool {
    crate::version::is_at_least(version, BLOCKS_ON_FAILURE_FROM)
}
