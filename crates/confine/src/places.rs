//! What may be read outside of the project, and what no walls ever open. Landlock knows no "all but", so what may be
//! read is named: the system's folders, and the known folders of tools in the home.

use std::path::PathBuf;

/// Folders of the system that programs and their libraries are in.
pub(crate) const SYSTEM: &[&str] = &[
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/etc",
    "/opt",
    "/nix/store",
    "/nix/var/nix/profiles",
    "/gnu/store",
    "/snap",
    "/proc",
    "/sys",
    "/var/lib/dpkg",
    "/var/lib/rpm",
    "/var/lib/gems",
    "/var/lib/texmf",
    "/var/lib/ghc",
    "/var/lib/snapd/snap",
    "/var/cache/fontconfig",
    "/run/systemd/resolve",
    "/run/current-system",
    "/run/opengl-driver",
];

/// Devices that every program may use. Terminals are not among them: whoever may open those of this user reads what is
/// typed into other windows. The command has its own open already, and `/dev/tty` is that.
#[cfg(target_os = "linux")]
pub(crate) const DEVICES: &[&str] = &["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"];

/// The links that every system has among its devices. The first leads to the terminals of the call's own.
#[cfg(target_os = "linux")]
pub(crate) const LINKS_OF_DEVICES: &[(&str, &str)] = &[
    ("/dev/ptmx", "pts/ptmx"),
    ("/dev/fd", "/proc/self/fd"),
    ("/dev/stdin", "/proc/self/fd/0"),
    ("/dev/stdout", "/proc/self/fd/1"),
    ("/dev/stderr", "/proc/self/fd/2"),
];

/// Where there are namespaces, the terminals that the call makes for itself: others are not in there.
#[cfg(target_os = "linux")]
pub(crate) const OWN_TERMINALS: &[&str] = &["/dev/pts"];

/// What of the home may be read: tools, their settings without credentials, and caches (`caches.rs`). Never what the
/// environment names: whoever sets `PATH` would choose what is read.
pub(crate) const TOOLS: &[&str] = &[
    ".cargo/bin",
    ".cargo/config.toml",
    ".cargo/config",
    ".cargo/env",
    ".rustup",
    ".nvm",
    ".pyenv",
    ".rbenv",
    ".rvm",
    ".nodenv",
    ".asdf",
    ".sdkman/candidates",
    ".volta",
    ".bun/bin",
    ".deno/bin",
    ".dotnet",
    ".juliaup",
    ".julia/packages",
    ".julia/artifacts",
    ".ghcup",
    ".opam",
    ".stack/programs",
    ".local/bin",
    ".local/lib",
    ".local/share/mise",
    ".local/share/uv",
    ".local/share/pnpm",
    ".local/share/pipx",
    ".local/pipx",
    ".local/share/pypoetry",
    ".local/share/fnm",
    ".fnm",
    ".local/share/virtualenv",
    ".local/share/fonts",
    ".fonts",
    ".fonts.conf",
    "go/bin",
    "bin",
    ".cache/node",
    ".cache/node-gyp",
    ".cache/electron",
    ".cache/Cypress",
    ".cache/puppeteer",
    ".cache/fontconfig",
    ".cache/typescript",
    ".gitconfig",
    ".config/git/config",
    ".config/git/ignore",
    ".config/git/attributes",
    ".inputrc",
    ".editorconfig",
    ".config/pip/pip.conf",
    ".pip/pip.conf",
];

/// Credentials, keys, histories and the files of agents, browsers and Handraise, relative to the home. No walls open
/// one of them, and none open a folder around one: where such a folder is to be read, its other entries are named
/// one by one, and where it is to be written, the call is refused.
pub(crate) const SECRETS: &[&str] = &[
    ".ssh",
    ".gnupg",
    ".aws",
    ".azure",
    ".config/gcloud",
    ".config/gh",
    ".config/hub",
    ".config/glab-cli",
    ".config/doctl",
    ".config/heroku",
    ".config/op",
    ".config/ngrok",
    ".config/stripe",
    ".config/netlify",
    ".config/hcloud",
    ".config/scw",
    ".config/sops",
    ".config/composer/auth.json",
    ".config/configstore",
    ".config/github-copilot",
    ".config/solana",
    ".config/nushell/history.txt",
    ".config/rclone",
    ".config/containers/auth.json",
    ".config/git/credentials",
    ".config/pypoetry",
    ".config/systemd",
    ".config/autostart",
    ".config/google-chrome",
    ".config/chromium",
    ".config/BraveSoftware",
    ".config/microsoft-edge",
    ".config/vivaldi",
    ".config/discord",
    ".config/Bitwarden",
    ".config/1Password",
    ".config/keepassxc",
    ".config/KeePass",
    ".config/filezilla",
    ".config/remmina",
    ".config/evolution",
    ".config/wireguard",
    ".config/libreoffice",
    ".config/Claude",
    ".config/zed",
    ".config/Signal",
    ".config/Slack",
    ".config/Code",
    ".config/Cursor",
    ".config/opencode",
    ".config/amp",
    ".config/goose",
    ".config/handraise",
    ".local/share/handraise",
    ".local/share/keyrings",
    ".local/share/kwalletd",
    ".local/share/opencode",
    ".local/share/uv/credentials",
    ".local/share/goose",
    ".local/share/com.vercel.cli",
    ".local/share/evolution",
    ".local/share/fish/fish_history",
    ".local/share/gnupg",
    ".local/share/remmina",
    ".local/share/python_keyring",
    ".local/state",
    ".mozilla",
    ".thunderbird",
    "snap/firefox",
    ".var/app",
    ".kube",
    ".docker",
    ".oci",
    ".aliyun",
    ".pulumi",
    ".fly",
    ".databrickscfg",
    ".kaggle",
    ".snowsql",
    ".dbt",
    ".composer/auth.json",
    ".bundle/config",
    ".hex",
    ".subversion/auth",
    ".android",
    ".age",
    ".pki",
    ".config/age",
    ".terraform.d",
    ".terraformrc",
    ".netrc",
    "_netrc",
    ".npmrc",
    ".yarnrc.yml",
    ".yarnrc",
    ".pypirc",
    ".pgpass",
    ".my.cnf",
    ".mylogin.cnf",
    ".s3cfg",
    ".boto",
    ".vault-token",
    ".git-credentials",
    ".gem/credentials",
    ".cargo/credentials.toml",
    ".cargo/credentials",
    ".m2/settings.xml",
    ".m2/settings-security.xml",
    ".gradle/gradle.properties",
    ".gradle/init.d",
    ".gradle/init.gradle",
    ".nuget/NuGet",
    ".dotnet/corefx",
    ".password-store",
    ".electrum",
    ".ethereum",
    ".monero",
    ".config/Ledger Live",
    ".config/Exodus",
    ".bitcoin",
    ".claude",
    ".claude.json",
    ".codex",
    ".gemini",
    ".qwen",
    ".copilot",
    ".cursor",
    ".windsurf",
    ".codeium",
    ".aider.conf.yml",
    ".continue",
    ".kiro",
    ".amp",
    ".factory",
    ".cline",
    ".bash_history",
    ".zsh_history",
    ".python_history",
    ".node_repl_history",
    ".psql_history",
    ".mysql_history",
    ".sqlite_history",
    ".rediscli_history",
    ".irb_history",
    ".lesshst",
    ".viminfo",
    ".histfile",
    ".zhistory",
    ".cache/huggingface/token",
];

/// Credentials of the machine. Only the system administrator can read most of them; where this user can, they are
/// left out of what may be read.
pub(crate) const SYSTEM_SECRETS: &[&str] = &[
    "/etc/shadow",
    "/etc/shadow-",
    "/etc/gshadow",
    "/etc/gshadow-",
    "/etc/sudoers",
    "/etc/sudoers.d",
    "/etc/ssl/private",
    "/etc/pki/tls/private",
    "/etc/letsencrypt",
    "/etc/NetworkManager/system-connections",
    "/etc/wireguard",
    "/etc/rancher",
    "/etc/kubernetes",
    "/etc/krb5.keytab",
    "/etc/ssh/ssh_host_rsa_key",
    "/etc/ssh/ssh_host_ecdsa_key",
    "/etc/ssh/ssh_host_ed25519_key",
    "/etc/mysql/debian.cnf",
];

/// All places that no walls open, absolute, for these home folders.
pub(crate) fn secrets(homes: &[PathBuf]) -> Vec<PathBuf> {
    let own = homes.iter().flat_map(|home| SECRETS.iter().map(|place| home.join(place)));
    own.chain(SYSTEM_SECRETS.iter().map(PathBuf::from)).collect()
}

/// The folders of tools and caches, absolute, for these home folders.
pub(crate) fn tools(homes: &[PathBuf]) -> Vec<PathBuf> {
    let caches = || crate::CACHES.iter().flat_map(|cache| cache.places).copied();
    homes.iter().flat_map(|home| TOOLS.iter().copied().chain(caches()).map(move |place| home.join(place))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_tool_and_no_cache_lies_in_a_secret() {
        let home = [PathBuf::from("/home/ana")];
        let secrets = secrets(&home);
        for tool in tools(&home) {
            assert!(!secrets.iter().any(|secret| tool.starts_with(secret)), "{} is secret", tool.display());
        }
    }

    #[test]
    fn no_cache_holds_a_secret() {
        let home = [PathBuf::from("/home/ana")];
        for cache in crate::CACHES {
            for place in cache.places {
                let place = home[0].join(place);
                let secrets = secrets(&home);
                let holds = secrets.iter().any(|secret| secret.starts_with(&place) || place.starts_with(secret));
                assert!(!holds, "{}", place.display());
            }
        }
    }
}
