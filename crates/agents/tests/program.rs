//! Which agent a running program is.

use handraise_agents::{NAMES, ProgramKind, agent, program_kind, script};

fn kind(executable: &str, line: &str) -> ProgramKind {
    let arguments: Vec<String> = line.split(' ').map(str::to_owned).collect();
    program_kind(Some(executable), "some-name", &arguments)
}

#[test]
fn agents_are_known_by_their_programs_packages_and_titles() {
    let cases = [
        ("/home/ann/.local/share/claude/versions/2.1.197", "claude", "claude-code"),
        ("/usr/lib/node_modules/@anthropic-ai/claude-code-linux-x64/claude", "claude --resume", "claude-code"),
        ("/usr/bin/node", "claude", "claude-code"),
        ("/usr/bin/node", "node /usr/lib/node_modules/@anthropic-ai/claude-code/cli.js", "claude-code"),
        ("/usr/bin/node", "node /srv/app/node_modules/@anthropic-ai/claude-agent-sdk/cli.js --print", "claude-code"),
        ("/usr/bin/node", "node --enable-source-maps /usr/lib/node_modules/@openai/codex/bin/codex.js exec", "codex"),
        ("/usr/lib/node_modules/@openai/codex-linux-x64/vendor/codex/codex", "codex exec", "codex"),
        ("/usr/bin/node", "node --no-warnings=DEP0040 /usr/local/bin/gemini", "gemini-cli"),
        ("/usr/bin/node", "node /usr/lib/node_modules/@google/gemini-cli/dist/index.js -p hello", "gemini-cli"),
        ("/usr/bin/node", "node /opt/node_modules/@github/copilot/index.js", "copilot-cli"),
        ("/home/ann/.bun/bin/bun", "bun run /opt/node_modules/opencode-ai/bin/opencode", "opencode"),
        ("/opt/opencode-linux-x64/bin/opencode", "opencode serve", "opencode"),
        ("/usr/bin/node", "node /usr/local/bin/qwen", "qwen-code"),
        ("/home/ann/.local/share/cursor-agent/versions/2026.1/node", "node index.js", "cursor"),
        ("/usr/local/bin/goose (deleted)", "goose session", "goose"),
        ("/home/ann/.local/bin/kiro-cli-chat", "kiro-cli-chat", "kiro"),
    ];
    for (executable, line, name) in cases {
        assert_eq!(kind(executable, line), ProgramKind::Agent(name), "{executable}: {line}");
        assert!(NAMES.contains(&name));
    }
}

#[test]
fn every_agents_own_command_is_known() {
    for name in NAMES {
        let program = agent(name).unwrap().program();
        let found = kind(&format!("/usr/bin/{program}"), program);
        let is_editor = matches!(found, ProgramKind::Editor(_));
        assert!(found == ProgramKind::Agent(name) || is_editor, "{name}: {program} is {found:?}");
    }
}

#[test]
fn other_programs_are_no_agents() {
    assert_eq!(kind("/usr/share/code/code", "code --type=utility"), ProgramKind::Editor("VS Code"));
    for (executable, line) in [
        ("/bin/dash", "sh -c claude"),
        ("/usr/bin/mksh", "mksh -c claude"),
        ("/usr/bin/tcsh", "tcsh -c claude"),
        ("/usr/bin/python3.12", "python3 /home/ann/claude.py"),
        ("/usr/bin/curl", "curl http://127.0.0.1:4733"),
        ("/usr/local/bin/handraise", "handraise hook claude-code"),
    ] {
        assert_eq!(kind(executable, line), ProgramKind::Ordinary, "{executable}: {line}");
    }
    for (executable, line) in [
        ("/usr/bin/node", "node /home/ann/bot/server.js --agent claude"),
        ("/usr/bin/node", "node -e codex"),
        ("/home/ann/bin/claude-helper", "claude"),
        ("/home/ann/claude-code/target/debug/thing", "thing"),
    ] {
        assert_eq!(kind(executable, line), ProgramKind::Unknown, "{executable}: {line}");
    }
    assert_eq!(program_kind(None, "claude", &[]), ProgramKind::Agent("claude-code"));
}

#[test]
fn a_script_is_told_and_a_program_given_as_text_is_not() {
    let of = |executable: &str, line: &str| {
        let arguments: Vec<String> = line.split(' ').map(str::to_owned).collect();
        script(executable, &arguments).map(str::to_owned)
    };
    assert_eq!(of("/usr/bin/python3.12", "python3 -u bot.py --token x").as_deref(), Some("bot.py"));
    assert_eq!(of("/usr/bin/bun", "bun run bot.ts").as_deref(), Some("bot.ts"));
    assert_eq!(of("/usr/bin/tcsh", "tcsh -f bot.csh x").as_deref(), Some("bot.csh"));
    for line in [
        "bash -c secret",
        "tcsh -c secret",
        "pwsh -Command secret",
        "bash -lc secret",
        "node -e secret",
        "node --eval secret",
        "bash",
        "bash -",
    ] {
        let executable = line.split(' ').next().unwrap_or_default();
        assert_eq!(of(executable, line), None, "{line}");
    }
    assert_eq!(of("/usr/bin/curl", "curl http://host/?token=secret"), None);
}
