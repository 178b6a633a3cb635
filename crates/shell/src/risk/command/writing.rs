//! What common commands change, for the sentence in the prompt.

use super::destructive::names;
use super::invocation::Invocation;

const CHANGES: &[(&str, &str, &str)] = &[
    ("npm pnpm yarn bun", "install|i|ci|add|update|upgrade", "changes the project and runs scripts of packages"),
    ("npm pnpm yarn bun", "run|test|start|exec|dlx|run-script", "runs scripts of the project or of packages"),
    ("npm pnpm yarn bun pip pip3 uv cargo gem", "uninstall|remove|rm|un", "removes packages from the project"),
    ("pip pip3 uv pipx poetry pdm", "install|add|sync|update", "installs packages and runs their scripts"),
    ("cargo", "build|check|test|run|bench|clippy|doc", "builds the project, which runs its scripts"),
    ("cargo", "install|add|update|fix|fmt", "changes the project or installs programs"),
    ("go", "build|test|run|install|get|generate|mod", "builds or changes the project"),
    ("git", "add|rm|mv|stage", "changes what the next commit holds"),
    ("git", "commit|merge|rebase|cherry-pick|revert|am|apply", "changes the repository"),
    ("git", "checkout|switch|restore|reset|stash", "changes the files of the project"),
    ("git", "push", "changes the other side"),
    ("git", "fetch|pull|clone", "brings in changes from another machine"),
    ("git", "config", "changes or shows settings of git"),
    ("docker podman nerdctl", "run|exec|start|stop|restart|build|compose|kill|create", "runs or stops containers"),
    (
        "kubectl oc",
        "apply|create|edit|patch|scale|set|exec|rollout|label|annotate|expose|run|cp",
        "changes the cluster",
    ),
    (
        "systemctl service",
        "start|stop|restart|enable|disable|mask|unmask|reload|daemon-reload",
        "changes what runs on this machine",
    ),
    ("terraform tofu", "plan|apply|init|import", "runs providers and may change infrastructure"),
    ("gh glab", "api|pr|issue|repo|run|release|workflow|gist|secret|auth", "changes something on another machine"),
    ("apt apt-get dnf yum pacman brew snap flatpak", "install|update|upgrade", "installs programs"),
];

const PROGRAMS: &[(&str, &str)] = &[
    ("rm unlink rmdir", "removes files"),
    ("mv", "moves files, also over others"),
    ("cp install rsync scp", "copies files, also over others"),
    ("mkdir touch ln mktemp", "makes files or folders"),
    ("tee dd truncate split csplit", "writes files"),
    ("chmod chown chgrp chattr setfacl", "changes the rights of files"),
    ("bash sh zsh fish dash ksh pwsh powershell cmd", "runs a script"),
    ("python python3 node deno perl ruby php lua Rscript osascript", "runs a program"),
    ("make just task ninja cmake gradle gradlew mvn mvnw bazel rake npx bunx uvx", "runs programs of the project"),
    ("eval exec source . trap alias", "runs what its words say"),
    ("sed awk gawk mawk", "can change files and run programs"),
    ("curl wget http https xh ssh scp sftp nc ncat socat", "talks to another machine"),
    ("tar zip unzip gzip gunzip bzip2 xz 7z", "packs or unpacks files"),
    ("kill killall pkill", "ends processes"),
    ("vi vim nvim nano emacs less more man", "can change files and run programs"),
    ("psql mysql mariadb sqlite3 mongosh redis-cli", "can change a database"),
    ("mount umount swapon swapoff", "changes the file systems of this machine"),
];

/// What `invocation` changes, as a clause; `None` when nothing is known of it.
pub(super) fn reason(invocation: &Invocation<'_>) -> Option<String> {
    let program = invocation.program;
    let called = CHANGES.iter().find(|(programs, path, _)| names(programs, program) && invocation.calls(path));
    if let Some((_, _, does)) = called {
        let command = invocation.operands().next().unwrap_or_default();
        return Some(format!("`{program} {command}` {does}"));
    }
    let (_, does) = PROGRAMS.iter().find(|(programs, _)| names(programs, program))?;
    Some(format!("`{program}` {does}"))
}
