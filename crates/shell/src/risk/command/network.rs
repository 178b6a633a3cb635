//! Commands that talk to another machine.

use super::destructive::names;
use super::invocation::Invocation;
use crate::Part;

const ALWAYS: &str = "curl wget http https xh aria2c ssh scp sftp ftp telnet nc ncat netcat socat ping dig nslookup host whois traceroute \
    gh glab hub kubectl oc helm aws gcloud gsutil az oci doctl hcloud heroku fly flyctl vercel netlify wrangler railway supabase \
    firebase twine dropdb psql mysql mariadb mongo mongosh redis-cli ansible ansible-playbook terraform tofu pulumi vault rclone s3cmd \
    mc azcopy skopeo npx bunx uvx apt apt-get dnf yum pacman snap flatpak brew eksctl argocd sendmail mail lynx w3m";

/// Programs that do so for some sub-commands.
const SOMETIMES: &[(&str, &str)] = &[
    ("git", "push|fetch|pull|clone|ls-remote|submodule|remote|archive|send-email|lfs|svn"),
    (
        "npm pnpm yarn bun",
        "install|i|ci|add|update|upgrade|publish|unpublish|view|info|outdated|search|audit|login|exec|dlx|create|init",
    ),
    ("pip pip3 uv poetry pipx pdm", "install|download|sync|add|update|publish|search|lock|pip|tool"),
    (
        "cargo",
        "install|fetch|update|add|publish|yank|search|login|owner|build|check|test|run|clippy|tree|metadata|audit",
    ),
    ("go", "get|install|mod|build|test|run|list|vet"),
    ("gem bundle composer mix", "install|update|push|yank|require|deps.get|hex.publish|search|outdated"),
    ("docker podman nerdctl", "pull|push|login|search|build|run|buildx"),
    ("rustup", "update|install|toolchain|self|component|target"),
];

/// Programs that fetch text or turn it into a program: what a shell behind them runs, nobody has seen.
const SOURCES: &str = "curl wget http https xh aria2c nc ncat netcat socat fetch lynx w3m ssh base64 base32 openssl xxd gunzip zcat \
    bzcat xzcat gpg dig";

/// Whether `part` talks to another machine.
pub(super) fn talks(part: &Part) -> bool {
    let to_socket = |text: &str| text.starts_with("/dev/tcp/") || text.starts_with("/dev/udp/");
    if part.writes.iter().chain(&part.reads).any(|word| to_socket(&word.text)) {
        return true;
    }
    let Some(invocation) = Invocation::of(part) else { return false };
    let program = invocation.program;
    names(ALWAYS, program)
        || SOMETIMES.iter().any(|(programs, path)| names(programs, program) && invocation.calls(path))
        || (program == "rsync" && invocation.operands().any(|word| word.contains(':')))
}

/// Whether `part` brings text here that a shell could run.
pub(super) fn is_source(part: &Part) -> bool {
    Invocation::of(part).is_some_and(|invocation| names(SOURCES, invocation.program))
}
