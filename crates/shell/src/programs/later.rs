//! Ways in which programs set what they, or others, run by themselves later: aliases, plugins, hooks of shells, servers
//! that an agent starts.
//!
//! What changes the machine as a whole, as `systemctl` and `crontab`, is known by [`super::Fact::ChangesMachine`], and a
//! file that is written by its path. Here is what is set by a program's own words.

use super::danger::{Danger, danger};
use super::{Program, never, runner};

const LATER: &str = "decides what runs later";

/// What an installer does that fills a folder of commands, and not the project.
const FOR_ALL: &str = "puts programs where every project finds them";

/// An installer that knows no other place.
pub(super) const FOR_EVERYBODY: &[Danger] = &[danger("", "", FOR_ALL)];

/// npm-config(7), "global"; the same for pnpm, Yarn and Bun.
const FOR_ALL_BY_NODE: Danger = danger("install|i|in|ins|add|update|upgrade|up|link|ln", "g global location", FOR_ALL);

/// npm-config(7), "script-shell", "node-options"; Yarn documentation, "Configuration".
pub(super) const NODE_PACKAGES: &[Danger] = &[
    FOR_ALL_BY_NODE,
    danger("global add|upgrade", "", FOR_ALL),
    danger("config|c set|edit", "", "changes what npm and its like run and ask, in every project"),
    danger("set", "", "changes what npm and its like run and ask, in every project"),
    danger("setup", "", "changes the start-up files of shells"),
];

/// gh help alias, gh help extension, gh help config (`editor`, `pager`, `browser`).
pub(super) const GH: &[Danger] = &[
    danger("alias set|import", "", "changes what `gh` runs"),
    danger("extension|extensions|ext install|upgrade|create", "", "changes what `gh` runs"),
    danger("config set", "", "changes what `gh` runs"),
    danger("auth setup-git", "", "changes what git runs"),
    danger("ssh-key|gpg-key add", "", "lets who has the key act as you on GitHub"),
    danger("repo deploy-key add", "", "lets who has the key into the repository"),
    danger("repo edit", "visibility", "changes who may read the repository"),
    danger("secret|variable set", "", "changes what runs on GitHub use"),
];

/// git-lfs-install(1), git-maintenance(1): filters of every repository, timers.
pub(super) const GIT: &[Danger] = &[
    danger("lfs install", "", "changes what git runs in every repository"),
    danger("maintenance start|register", "", "makes git run at set times"),
];

/// Programs that write hooks of git, which no commit shows.
pub(super) const HOOK_INSTALLERS: &[Danger] = &[
    danger("install|init|init-templatedir|add|set", "", "changes what git runs in this repository"),
    danger("", "install sign", "changes what git runs in this repository"),
];

/// docker-run(1), "--restart"; podman-unshare(1), which is on this machine.
pub(super) const CONTAINERS: &[Danger] = &[
    danger("run|create|update", "restart", "makes a container start by itself later"),
    danger("container run|create|update", "restart", "makes a container start by itself later"),
    danger("plugin install|enable", "", "changes what the container engine runs"),
    danger("unshare", "", "runs something as if it were root"),
    CONTEXTS,
];

/// code(1), "Extensions Management"; the same for what is made of it.
pub(super) const EDITORS: &[Danger] = &[
    danger("", "install-extension update-extensions add-mcp", "changes what the editor runs"),
    danger("tunnel|serve-web", "", "opens this machine to others"),
];

/// Claude Code, "CLI reference"; Codex, "MCP"; Gemini CLI, "Extensions"; each agent's `--help`.
pub(super) const AGENTS: &[Danger] = &[
    danger("mcp add|add-json|add-from-claude-desktop|enable", "", "changes what an agent starts"),
    danger(
        "plugin|plugins|extensions|extension|skills|hooks|migrate-installer install|add|enable|link|update|marketplace",
        "",
        "changes what an agent runs",
    ),
    danger("config set", "", "changes how an agent is asked"),
    danger("install|setup-token", "", "changes how an agent is started"),
];

pub(super) const PIP: &[Danger] = &[
    danger("config set|edit", "", "changes where packages come from, in every project"),
    danger("install", "user break-system-packages", FOR_ALL),
];
/// The Cargo Book, "cargo install".
pub(super) const CARGO: &[Danger] = &[danger("install", "", FOR_ALL)];
/// gem help install.
pub(super) const GEM: &[Danger] = &[danger("install|i|update", "", FOR_ALL)];
/// deno help install, .NET CLI reference.
pub(super) const DENO: &[Danger] = &[danger("install|i", "g global", FOR_ALL)];
pub(super) const BUN: &[Danger] = &[FOR_ALL_BY_NODE];
pub(super) const DOTNET: &[Danger] = &[danger("tool install|update", "g global", FOR_ALL)];
/// Node.js documentation, "Corepack": it puts programs beside `node`.
pub(super) const COREPACK: &[Danger] = &[danger("enable|disable|install|use|up", "", FOR_ALL)];
/// Jupyter documentation, "Config file and command line options"; IPython documentation, "Profiles".
pub(super) const NOTEBOOKS: &[Danger] = &[danger(
    "labextension|serverextension|nbextension|server|kernelspec|profile install|enable|extension|create|develop",
    "",
    "changes what notebooks run in every project",
)];
/// docker-context(1): which machine is meant from now on.
pub(super) const CONTEXTS: Danger =
    danger("context create|use|update|import", "", "changes on which machine containers run");
/// Composer documentation, "global".
pub(super) const COMPOSER: &[Danger] = &[danger("global require|update|install|i|u", "", FOR_ALL)];

pub(super) const CONDA: &[Danger] = &[
    danger("init", "", "changes the start-up files of shells"),
    danger("config", "add set append prepend", "changes where packages come from, in every project"),
];

pub(super) const POETRY: &[Danger] = &[
    danger("self add|update|install", "", "changes what `poetry` runs"),
    danger("self", "add", "changes what `poetry` runs"),
    danger(
        "config repositories*|http-basic*|pypi-token*|certificates*",
        "",
        "changes where packages come from, in every project",
    ),
];

pub(super) const UV: &[Danger] = &[
    danger("tool update-shell", "", "changes the start-up files of shells"),
    danger("tool install|upgrade", "", FOR_ALL),
    danger("pip install|sync", "system break-system-packages", FOR_ALL),
];
pub(super) const PIPX: &[Danger] = &[
    danger("ensurepath", "", "changes the start-up files of shells"),
    danger("install|install-all|inject|upgrade|upgrade-all|reinstall", "", FOR_ALL),
];
/// brew(1), "services".
pub(super) const BREW: &[Danger] = &[
    danger("install|instal|reinstall|upgrade|link|bundle|unlink|pin|postinstall", "", FOR_ALL),
    danger("services start|run|restart", "", "makes a service start by itself later"),
    danger("tap", "", "changes where programs come from"),
];
/// go help env: `GOFLAGS=-toolexec=…`.
pub(super) const GO: &[Danger] =
    &[danger("env", "-w", "changes what `go` runs in every project"), danger("install", "", FOR_ALL)];
pub(super) const RUSTUP: &[Danger] = &[
    danger("toolchain link", "", "changes what `cargo` and `rustc` run"),
    danger("set|default", "", "changes what `rustup` does"),
    danger("override set", "", "changes what `cargo` and `rustc` run"),
];
pub(super) const HELM: &[Danger] = &[danger("plugin install|add|update|up", "", "changes what `helm` runs")];
/// flatpak(1), Chocolatey, WinGet and LuaRocks documentation.
pub(super) const INSTALLERS: &[Danger] =
    &[danger("install|update|upgrade|override|remote-add|source|bucket|pin|import", "", FOR_ALL)];
/// kubectl reference, "config set-credentials" (`--exec-command`), "proxy" (`--address`, `--www`).
pub(super) const KUBECTL: &[Danger] = &[
    danger("proxy", "address www accept-hosts", "opens this machine or the cluster to others"),
    danger(
        "config set|set-credentials|set-context|set-cluster|use-context",
        "",
        "changes which cluster is meant, and how to log in",
    ),
    danger("krew install|upgrade", "", "changes what `kubectl` runs"),
    danger(
        "create clusterrolebinding|rolebinding|clusterrole|role|serviceaccount|sa|token|cronjob|cj",
        "",
        "changes who may do what in the cluster, or what it runs later",
    ),
    danger("certificate approve", "", "lets somebody into the cluster"),
];
pub(super) const AZURE: &[Danger] = &[
    danger("extension add|update", "", "changes what `az` runs"),
    danger("config set", "", "changes what `az` does in every project"),
    danger("role assignment|definition create|update", "", "changes who may do what in the account"),
    danger(
        "ad app|sp|user|group create*|credential|owner|member|permission",
        "",
        "changes who may do what in the account",
    ),
];
/// gcloud reference.
pub(super) const GCLOUD: &[Danger] = &[
    danger(
        "iam service-accounts create|enable|keys|add-iam-policy-binding|set-iam-policy",
        "",
        "changes who may do what in the account",
    ),
    danger("iam roles create|update", "", "changes who may do what in the account"),
    danger(
        "projects|organizations|resource-manager add-iam-policy-binding|set-iam-policy",
        "",
        "changes who may do what in the account",
    ),
];
/// AWS CLI, "Sourcing credentials with an external process", "aliases".
pub(super) const AWS: &[Danger] = &[
    danger("configure set|import", "", "changes how `aws` logs in, and what it runs"),
    danger(
        "iam create-*|attach-*|put-*|add-*|update-*|upload-*|enable-*",
        "",
        "changes who may do what in the account",
    ),
    danger("ec2 authorize-*|modify-snapshot-attribute|modify-image-attribute", "", "opens to others what runs there"),
    danger("s3api put-bucket-policy|put-bucket-acl|put-object-acl", "", "opens to others what lies there"),
    danger("lambda add-permission|create-event-source-mapping", "", "changes what runs there later"),
];
/// mise documentation, "Trust", "Settings"; asdf documentation, "Plugins".
pub(super) const MISE: &[Danger] = &[
    danger("trust", "", "lets a project's settings run programs"),
    danger("settings set|add", "", "changes what `mise` runs in every project"),
    danger("plugins|plugin|p install|i|add|link|ln", "", "changes what `mise` runs"),
    danger("use|u", "g global", "changes which programs are found in every project"),
    danger("activate", "add", "changes the start-up files of shells"),
];
/// direnv(1): what is allowed runs whenever a shell enters the folder.
pub(super) const DIRENV: &[Danger] =
    &[danger("allow|grant|permit|edit", "", "lets a file run whenever a shell enters the folder")];

/// nmcli(1).
pub(super) const NMCLI: &[Danger] = &[
    danger("radio|r wifi|wwan|all on|off", "", "changes the network of this machine"),
    danger("networking|n on|off", "", "changes the network of this machine"),
    danger(
        "connection|con|c add|modify|import|up|clone|load|edit|delete|down",
        "",
        "changes the network of this machine",
    ),
    danger("device|dev|d wifi|connect|set|modify|disconnect|delete", "", "changes the network of this machine"),
];

pub(super) const OPAM: &[Danger] = &[
    danger("init|setup", "", "changes the start-up files of shells"),
    danger("install|reinstall|upgrade|switch|pin", "", FOR_ALL),
];
/// Stack documentation, "stack install command"; Cabal User Guide, "cabal install".
pub(super) const HASKELL: &[Danger] = &[danger("install|copy", "", FOR_ALL)];
/// nix-env(1); guix(1), "Invoking guix package".
pub(super) const NIX_ENV: &[Danger] =
    &[danger("", "i install u upgrade e uninstall S switch-profile G switch-generation rollback set", FOR_ALL)];
pub(super) const NIX: &[Danger] = &[danger("profile install|add|remove|upgrade|rollback", "", FOR_ALL)];
pub(super) const GUIX: &[Danger] = &[danger("install|remove|upgrade|package|home|system|deploy|pull", "", FOR_ALL)];
pub(super) const VERSIONS: &[Danger] = &[danger("init", "", "may change the start-up files of shells")];

pub(super) const DOTFILES: &[Danger] = &[danger("apply|init|update", "", "writes the start-up files of programs")];

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        sets: &[danger("startup|save|dump|resurrect|install", "", "makes a program start by itself later")],
        ..runner("pm2 forever", "PM2 documentation, \"Persistent applications: Startup Script Generator\"")
    },
    Program {
        sets: &[danger("", "", "changes what fish runs later")],
        ..never("fish_add_path fish_config abbr funcsave", "fish documentation, \"Commands\"", LATER)
    },
    Program {
        sets: &[danger("", "", "makes something run later")],
        ..never(
            "setx Register-ScheduledTask New-Service Set-Service New-ScheduledTask Register-ScheduledJob",
            "Windows commands; PowerShell documentation, \"ScheduledTasks\"",
            LATER,
        )
    },
];
