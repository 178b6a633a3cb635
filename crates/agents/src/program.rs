//! Which agent a running program is, told from what the system knows about it. The names of programs
//! and packages are those under which the agents are published; a script counts by its path, since an
//! interpreter says nothing about what it runs.

use handraise_shell::{Fact, has_fact};

/// What a running program is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgramKind {
    /// The agent of this name, as in [`NAMES`](crate::NAMES).
    Agent(&'static str),
    /// An editor; agents run inside of it, in processes that look all the same.
    Editor(&'static str),
    /// No agent: shells, terminals and the like, and interpreters of languages that no agent is
    /// written in.
    Ordinary,
    /// It may be anything.
    Unknown,
}

/// An agent's programs.
struct Programs {
    agent: &'static str,
    /// Names of its executables and of the commands that its packages install.
    commands: &'static [&'static str],
    /// Parts of the paths that its files lie under, each whole folder names.
    folders: &'static [&'static str],
}

const PROGRAMS: &[Programs] = &[
    Programs {
        agent: "claude-code",
        commands: &["claude", "claude-code-acp", "claude-agent-acp"],
        folders: &[
            "@anthropic-ai/claude-code",
            "@anthropic-ai/claude-agent-sdk",
            // Its own installer names the executable by its version.
            "claude/versions",
        ],
    },
    Programs { agent: "codex", commands: &["codex", "codex-acp"], folders: &["@openai/codex"] },
    Programs { agent: "gemini-cli", commands: &["gemini"], folders: &["@google/gemini-cli"] },
    Programs { agent: "copilot-cli", commands: &["copilot"], folders: &["@github/copilot"] },
    Programs { agent: "opencode", commands: &["opencode"], folders: &["opencode-ai"] },
    Programs { agent: "qwen-code", commands: &["qwen"], folders: &["@qwen-code/qwen-code"] },
    Programs { agent: "cursor", commands: &["cursor-agent"], folders: &["cursor-agent/versions"] },
    Programs { agent: "amp", commands: &["amp"], folders: &["@sourcegraph/amp"] },
    Programs { agent: "goose", commands: &["goose", "goosed"], folders: &[] },
    Programs { agent: "cline", commands: &["cline", "cline-core", "cline-host"], folders: &[] },
    Programs { agent: "kiro", commands: &["kiro-cli", "kiro-cli-chat"], folders: &[] },
    Programs { agent: "windsurf", commands: &["devin"], folders: &[] },
];

/// Interpreters that agents are written for. Their own name says nothing.
const RUNTIMES: &[&str] = &["node", "nodejs", "bun", "deno"];

/// Editors by executable, and what people call them.
const EDITORS: &[(&str, &str)] = &[
    ("code", "VS Code"),
    ("code-insiders", "VS Code Insiders"),
    ("codium", "VSCodium"),
    ("vscodium", "VSCodium"),
    ("cursor", "Cursor"),
    ("windsurf", "Windsurf"),
    ("kiro", "Kiro"),
    ("zed", "Zed"),
    ("zed-editor", "Zed"),
    ("emacs", "Emacs"),
    ("idea", "IntelliJ IDEA"),
    ("pycharm", "PyCharm"),
    ("webstorm", "WebStorm"),
    ("goland", "GoLand"),
    ("rustrover", "RustRover"),
    ("clion", "CLion"),
];

/// Programs that are certainly no agent, beside shells.
const ORDINARY: &[&str] = &[
    "handraise",
    "handraise-hook",
    "busybox",
    "env",
    "sudo",
    "doas",
    "su",
    "runuser",
    "setsid",
    "nohup",
    "timeout",
    "time",
    "nice",
    "xargs",
    "make",
    "ninja",
    "just",
    "git",
    "curl",
    "wget",
    "nc",
    "ncat",
    "socat",
    "ssh",
    "sshd",
    "sshd-session",
    "sshd-auth",
    "tmux",
    "screen",
    "zellij",
    "script",
    "expect",
    "login",
    "cron",
    "crond",
    "atd",
    "systemd",
    "python",
    "python3",
    "perl",
    "ruby",
    "php",
    "lua",
];

/// What the program is that was started from the file `executable` with `arguments` (its own name
/// first). Without a file the name of the process tells which it may be.
#[must_use]
pub fn program_kind(executable: Option<&str>, process_name: &str, arguments: &[String]) -> ProgramKind {
    let path = executable.map_or(process_name, |path| path.strip_suffix(" (deleted)").unwrap_or(path));
    let command = command(path);
    if let Some(agent) = agent_of(path, command) {
        return ProgramKind::Agent(agent);
    }
    if RUNTIMES.contains(&command) {
        // Some set their title, and with it what the system has for their arguments.
        let title = arguments.first().map(|title| title.split(' ').next().unwrap_or_default());
        let written = [script(command, arguments), title.filter(|title| !title.contains('/'))];
        let agent = written.into_iter().flatten().find_map(|text| agent_of(text, self::command(text)));
        return agent.map_or(ProgramKind::Unknown, ProgramKind::Agent);
    }
    if let Some((_, name)) = EDITORS.iter().find(|(editor, _)| *editor == command) {
        return ProgramKind::Editor(name);
    }
    // `python3.12`, `perl5.38.2`
    let unversioned = command.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    let is_shell = has_fact(command, Fact::RunsScripts);
    if is_shell || ORDINARY.contains(&command) || ORDINARY.contains(&unversioned) {
        return ProgramKind::Ordinary;
    }
    ProgramKind::Unknown
}

/// The script that an interpreter runs, as it was written; `None` for any other program.
#[must_use]
pub fn script<'a>(executable: &str, arguments: &'a [String]) -> Option<&'a str> {
    let command = command(executable);
    let unversioned = command.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    let interprets =
        RUNTIMES.contains(&command) || has_fact(unversioned, Fact::RunsCode) || has_fact(command, Fact::Shell);
    let mut words = arguments.iter().skip(1).map(String::as_str).skip_while(|word| *word == "run");
    // A program given as text (`-c`, `-e`) is no script, and may hold a secret.
    let first = words.find(|word| !word.starts_with('-') || is_program_text(word))?;
    (interprets && !first.starts_with('-') && !first.is_empty()).then_some(first)
}

fn is_program_text(option: &str) -> bool {
    let bundle = option.strip_prefix('-').unwrap_or_default();
    let short = !bundle.starts_with('-') && (bundle.ends_with(['c', 'e', 'p', 'r']));
    short || ["--eval", "--print", "-"].contains(&option)
}

fn agent_of(path: &str, command: &str) -> Option<&'static str> {
    let lies_under = |folder: &&str| format!("/{path}/").contains(&format!("/{folder}/"));
    let is = |programs: &&Programs| programs.commands.contains(&command) || programs.folders.iter().any(lies_under);
    PROGRAMS.iter().find(is).map(|programs| programs.agent)
}

/// The last part of a path, without the ending that says which interpreter it is for.
fn command(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    let endings = [".exe", ".js", ".mjs", ".cjs", ".ts"];
    endings.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name)
}
