//! Files that hold credentials, by their names. Reading one is never "only looking": the secret ends up
//! in the agent's conversation.
//!
//! Two strengths. [`may_be_named_in`] is about words that nobody has looked up: a command with such a word is
//! not known only to look. [`is_credential`] is about files: whatever is in one of these is for a person to
//! give away, by whatever tool, link or program it is read, and whatever the preset.
//!
//! Sources: ssh(1), "FILES"; gpg(1), "FILES"; the documentation of each program or agent on where it keeps
//! what it logs in with; file-hierarchy(7) and proc(5).

use std::collections::HashSet;
use std::sync::LazyLock;

use wildmatch::WildMatch;

use super::components::{NamePattern, components, without_repeated};
use super::credential_table::{
    BROWSER_FILES, BROWSER_ROOTS, NO_KEYS, SAMPLES, SURE_IN_HOME, SURE_NAMES, SURE_PATHS, SURE_PATTERNS,
};
use super::literals::Literals;

const NAMES: &str = ".env .envrc .netrc _netrc .npmrc .yarnrc.yml .pypirc .pgpass .my.cnf .mylogin.cnf .git-credentials \
    .htpasswd .vault-token .boto .s3cfg .terraformrc .rediscli_auth .dockercfg .dockerconfigjson shadow gshadow shadow- \
    gshadow- sudoers credentials credentials.json credentials.toml .credentials .credentials.json auth.json \
    accesstokens.json msal_token_cache.json kubeconfig master.key secring.gpg wallet.dat id_rsa id_dsa id_ecdsa id_ed25519 \
    id_ecdsa_sk id_ed25519_sk id_xmss identity environ kcore secrets.json secrets.yml secrets.yaml secrets.toml \
    secret.json secret.yml secret.yaml client_secret.json service-account.json service_account.json cookies.sqlite \
    logins.json key4.db key3.db cookies .wgetrc .curlrc hosts.yml application_default_credentials.json serviceaccountkey.json \
    token.json sftp-config.json sftp.json datasources.local.xml wp-config.php .clasprc.json env.local nuget.config";

const ENDINGS: &str = ".pem .key .p12 .pfx .jks .keystore .kdbx .ppk .agekey .tfstate .tfstate.backup .tfvars _history .ovpn \
    .keytab .gpg .asc .jceks .p8 .pkcs12 .mobileprovision .env";

/// Folders whose every file is taken for a secret.
const FOLDERS: &str = ".ssh .gnupg .aws .azure .kube .docker .password-store keyrings gcloud .gcloud .handraise .vault .terraform.d \
    .1password .bitwarden kwalletd wireguard ssl-private system-connections .mozilla google-chrome chromium";

const PUBLIC: &str = ".env.example .env.sample .env.template .env.dist .env.defaults known_hosts authorized_keys gpg.conf \
    gpg-agent.conf dirmngr.conf";

/// Folders that hold so much that something secret is among it, when everything in them is read.
const BROAD: &str = "~ / /etc /root /home /proc /run /var /dev /mnt /media /Users";

/// The entries of a table of words with blanks between them.
type Listed = LazyLock<HashSet<&'static str>>;

static LISTED_NAMES: Listed = LazyLock::new(|| NAMES.split_ascii_whitespace().collect());
static LISTED_FOLDERS: Listed = LazyLock::new(|| FOLDERS.split_ascii_whitespace().collect());
static LISTED_PUBLIC: Listed = LazyLock::new(|| PUBLIC.split_ascii_whitespace().collect());
static LISTED_SURE_NAMES: Listed = LazyLock::new(|| SURE_NAMES.split_ascii_whitespace().collect());
static LISTED_SURE_IN_HOME: Listed = LazyLock::new(|| SURE_IN_HOME.split_ascii_whitespace().collect());
static LISTED_ENDINGS: LazyLock<Vec<&str>> = LazyLock::new(|| ENDINGS.split_ascii_whitespace().collect());

/// [`SURE_PATHS`], each from the sign in front of it on.
static SURE_PATHS_IN: LazyLock<Literals> =
    LazyLock::new(|| Literals::new(SURE_PATHS.iter().map(|known| format!("/{}", known.trim_start_matches('/')))));

/// Whether a word of a command may name a file that holds a secret. Operands, `--option=file`,
/// `-ofile`, `HEAD:file` and `a,b` are looked into alike.
pub fn may_be_named_in(word: &str) -> bool {
    let word = word.to_lowercase();
    let whole = word.split('/').collect::<Vec<_>>();
    // A short option may have its value glued to it.
    let glued = word.strip_prefix('-').and_then(|rest| rest.chars().next().and_then(|c| rest.strip_prefix(c)));
    // What is for everybody to see, in a folder that holds more.
    let last = whole.last().copied().unwrap_or_default();
    if is_public(last) && !word.contains([':', '=', ',', '@', '\\', '{']) {
        return is_own(&whole) || is_process(&whole) || is_disk(&word);
    }
    let mut components =
        whole.iter().copied().chain(glued).flat_map(|component| component.split([':', '=', ',', '@', '\\']));
    is_own(&whole) || is_process(&whole) || is_disk(&word) || components.any(is_secret)
}

/// Whether one of the files that the pattern `text` of a shell finds may be one of which [`may_be_named_in`] says so by its
/// name. Of a pattern that says little, as `x*`, and of one with brackets or braces, that is taken for granted.
pub fn may_find_secret(text: &str) -> bool {
    let text = text.to_lowercase();
    let name = text.rsplit('/').next().unwrap_or_default();
    let Some((front, end)) = name.rsplit_once(['*', '?']) else { return may_be_named_in(&text) };
    let is_telling = end.len() > 2 && end.starts_with('.');
    let ends_so = || LISTED_ENDINGS.iter().any(|ending| end.ends_with(ending) || ending.ends_with(end));
    let pattern = NamePattern::new(name);
    !is_telling
        || text.contains(['[', ']', '{', '}', '$', '`', '~'])
        || may_be_named_in(&text)
        || ends_so()
        || front.contains(".env")
        || LISTED_NAMES.iter().any(|known| pattern.may_find(known))
}

/// Whether `word` is a folder that holds too much to be read as a whole.
pub fn is_broad_folder(word: &str) -> bool {
    let word = without_repeated(word);
    let path = word.trim_end_matches(['/', '.', '*']);
    let path = if path.is_empty() && word.starts_with('/') { "/" } else { path };
    let home = path.strip_prefix("/home/").or_else(|| path.strip_prefix("/Users/"));
    BROAD.split_ascii_whitespace().any(|folder| folder == path) || home.is_some_and(|user| !user.contains('/'))
}

/// Whether the absolute `path` is a file that holds credentials. `home`: the person's home folder.
#[must_use]
pub fn is_credential(path: &str, home: Option<&str>) -> bool {
    let path = without_repeated(path).to_lowercase();
    let path = original(&path);
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    if name.ends_with(".pub") || is_sample(name) {
        return false;
    }
    let is_home = || home.is_some_and(|home| home.to_lowercase() == folder);
    is_sure_name(name)
        || (LISTED_SURE_IN_HOME.contains(name) && is_home())
        || is_process_secret(path)
        || (BROWSER_FILES.contains(&name) && BROWSER_ROOTS.iter().any(|root| path.contains(root)))
        || (path.starts_with("/etc/ssh/ssh_host_") && name.ends_with("_key"))
        || sure_paths_in(path).any(|known| ends_in(path, known, name))
        || home.is_some_and(|home| is_kept_by_program(path, &home.to_lowercase()))
}

/// Whether `path` is called as programs call what they log in with, in a hidden folder of the home folder `home`, where
/// they keep their settings. Source code of packages lies there too, deeper.
fn is_kept_by_program(path: &str, home: &str) -> bool {
    const MAX_DEPTH: usize = 4;
    const FORMATS: &[&str] = &["", "json", "toml", "yml", "yaml", "txt", "ini", "cfg", "conf", "dat", "db"];
    const NAMES: &[&str] = &["auth", "keys", "token", "tokens", "apikey", "api_key", "api-key", "secrets", "oauth"];
    const PARTS: &[&str] = &["access-token", "access_token", "credential", "oauth_creds", "auth-token", "auth_token"];
    let Some(below) = path.strip_prefix(home).and_then(|rest| rest.strip_prefix("/.")) else { return false };
    let components: Vec<&str> = components(below).collect();
    let Some(name) = components.last().filter(|_| (2..=MAX_DEPTH).contains(&components.len())) else { return false };
    let (stem, format) = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).unwrap_or((name, ""));
    FORMATS.contains(&format) && (NAMES.contains(&stem) || PARTS.iter().any(|part| stem.contains(part)))
}

/// What [`is_credential`] knows by its path, or by its name in a home folder, all in small letters: below a home folder,
/// or absolute. One that ends in `/` stands for everything in that folder.
pub fn known_credentials() -> impl Iterator<Item = &'static str> {
    let hidden = SURE_NAMES.split_ascii_whitespace().filter(|name| name.starts_with('.'));
    SURE_PATHS.iter().copied().chain(hidden).chain(SURE_IN_HOME.split_ascii_whitespace())
}

/// The entries of [`SURE_PATHS`] that stand in `path`, which is in small letters.
fn sure_paths_in(path: &str) -> impl Iterator<Item = &'static str> {
    SURE_PATHS_IN.in_text(path).into_iter().filter_map(|entry| SURE_PATHS.get(entry).copied())
}

/// The file that `path` is a copy of, going by its ending: what editors and people leave beside a file.
fn original(path: &str) -> &str {
    const COPIES: &[&str] = &["~", ".bak", ".backup", ".old", ".orig", ".save", ".swp", ".copy"];
    COPIES.iter().find_map(|ending| path.strip_suffix(ending)).unwrap_or(path)
}

/// Whether a file that is called so is a credential wherever it lies.
#[must_use]
pub fn is_credential_name(name: &str) -> bool {
    is_sure_name(&name.to_lowercase())
}

/// The same for a name in small letters.
fn is_sure_name(name: &str) -> bool {
    let name = original(name);
    let env = name.strip_prefix(".env").is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '-']));
    !is_sample(name) && (env || LISTED_SURE_NAMES.contains(name) || is_by_pattern(name))
}

/// Whether `text`, a path of which only the letters are known, or a pattern of the shell, may be one. What stands
/// for anything (`$X`) is no reason to say so.
pub fn may_be_found(text: &str, home: Option<&str>) -> bool {
    let text = text.strip_prefix("${HOME}").or_else(|| text.strip_prefix("$HOME")).map_or(text, |rest| rest);
    let text = text.strip_prefix("~/").unwrap_or(text);
    if is_credential(&format!("/{}", text.trim_start_matches('/')), home) {
        return true;
    }
    if !text.contains(['*', '?', '[']) {
        return false;
    }
    let text = one_for_each_bracket(&text.to_lowercase());
    let names: Vec<&str> = components(&text).collect();
    let Some(name) = names.last() else { return false };
    // A pattern that says nothing, `*`, may be anything; one that names a start means what begins so.
    let fixed = name.find(['*', '{', '$']).unwrap_or(name.len());
    let says = name.starts_with('.') || fixed > 1;
    let found: Vec<NamePattern> = names.iter().map(|name| NamePattern::new(name)).collect();
    let by_name = says && found.last().is_some_and(|name| example_names().any(|known| name.may_find(known)));
    by_name || EXAMPLE_PATHS.iter().any(|known| may_end_in(&found, known))
}

/// [`SURE_PATHS`] as their components, each with the name of a file in it.
static EXAMPLE_PATHS: LazyLock<Vec<Vec<&str>>> = LazyLock::new(|| {
    let example = |known: &&'static str| {
        let file = known.ends_with('/').then_some("id_rsa");
        components(known).chain(file).collect()
    };
    SURE_PATHS.iter().map(example).collect()
});

/// `[…]` as `?`: it stands for one character. A bracket that stays open stands for itself, and for no name here.
fn one_for_each_bracket(text: &str) -> String {
    let mut found = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('[') {
        found.push_str(before);
        // The first character in brackets may be a closing one.
        let end = after.char_indices().skip(1).find(|(_, character)| *character == ']').map(|(at, _)| at);
        match end.and_then(|end| after.get(end + 1..)) {
            Some(behind) => {
                found.push('?');
                rest = behind;
            }
            None => return found + "\u{0}",
        }
    }
    found + rest
}

/// Whether the components of a pattern may end in a path of the table.
fn may_end_in(pattern: &[NamePattern], known: &[&str]) -> bool {
    // From the end, which differs first.
    let same = |found: &[NamePattern]| found.iter().zip(known).rev().all(|(found, known)| found.may_find(known));
    match pattern.len().checked_sub(known.len()) {
        // A name alone says nothing about the folder.
        Some(start) => known.len() > 1 && pattern.get(start..).is_some_and(same),
        None => false,
    }
}

/// Folders that hold more than credentials.
const SHARED: &str = ".config .local .local/share .local/state .cache etc run var var/lib var/run library appdata user user/globalstorage";

/// The folders of [`SURE_PATHS`], and the first on the way to each, without those that hold much else.
static HOLDING: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    let folders = SURE_PATHS.iter().flat_map(|known| {
        let known = known.trim_start_matches('/');
        let folder = known.rsplit_once('/').map(|(folder, _)| folder).unwrap_or_default();
        [folder, known.split('/').next().unwrap_or_default()]
    });
    let counts = |folder: &&str| {
        let is_shared = SHARED.split_ascii_whitespace().any(|shared| shared == *folder);
        !folder.is_empty() && !is_shared && !folder.ends_with("/application support")
    };
    folders.filter(counts).collect()
});

/// Whether the folder `path` is one in which programs keep credentials, or the top of one, by its name.
pub fn may_hold(path: &str) -> bool {
    let path = without_repeated(path).to_lowercase();
    let path = format!("/{}/", path.trim_matches('/'));
    let mut ends = path.match_indices('/').filter_map(|(at, _)| path.get(at + 1..)?.strip_suffix('/'));
    // What stands in it stands behind a `/`.
    ends.any(|end| HOLDING.contains(end)) || sure_paths_in(&path).any(|known| known.ends_with('/'))
}

/// Whether `path`, from a home folder on, is a folder in which programs keep their settings, logins among them.
pub fn is_shared_folder(path: &str) -> bool {
    const FOLDERS: &[&str] =
        &[".config", ".local", ".local/share", ".local/state", "library", "library/application support"];
    let path = without_repeated(path);
    let path = path.trim_matches('/').to_lowercase();
    FOLDERS.contains(&path.as_str())
}

/// Names for a file of credentials that a pattern such as `.e*` may mean, for where nobody has looked.
fn example_names() -> impl Iterator<Item = &'static str> {
    SURE_NAMES.split_ascii_whitespace().chain([".env.local", ".env.production"])
}

fn is_sample(name: &str) -> bool {
    name.starts_with(".env")
        && SAMPLES.iter().any(|sample| name.ends_with(&format!(".{sample}")) || name.contains(&format!(".{sample}.")))
}

fn ends_in(path: &str, known: &str, name: &str) -> bool {
    // From the root.
    if known.starts_with('/') {
        return path == known || (known.ends_with('/') && path.starts_with(known));
    }
    if known.ends_with('/') {
        let mut rests = path.match_indices('/').filter_map(|(at, _)| path.get(at + 1..));
        rests.any(|rest| rest.starts_with(known))
            && !(known == ".ssh/" && NO_KEYS.split_ascii_whitespace().any(|known| known == name))
    } else {
        path.strip_suffix(known).is_some_and(|before| before.ends_with('/'))
    }
}

/// proc(5): `environ` holds the variables of a process, `mem` its memory. Behind `root`, `cwd` and `map_files`
/// lies whatever that process sees, which for `self` is another one than whoever looks it up.
fn is_process_secret(path: &str) -> bool {
    let Some(rest) = path.strip_prefix("/proc/") else { return path == "/dev/mem" };
    let elsewhere = |name: &str| ["root", "cwd", "map_files"].contains(&name);
    let mut names = components(rest);
    rest == "kcore"
        || rest.ends_with("/environ")
        || rest.ends_with("/mem")
        || (names.next().is_some()
            && names.next().is_some_and(|name| elsewhere(name) || name == "task" && names.any(elsewhere)))
}

/// Whether a pattern of the table finds `name`.
fn is_by_pattern(name: &str) -> bool {
    // `templates/x-service-account.example.json` shows what belongs there.
    let shows = || {
        name.split(['.', '-', '_'])
            .any(|part| ["example", "sample", "template", "schema", "tmpl", "tpl"].contains(&part))
    };
    // A title or a sentence may end in the name of such a file.
    let is_name = !name.contains(char::is_whitespace);
    static PATTERNS: LazyLock<Vec<(&str, WildMatch)>> = LazyLock::new(|| {
        SURE_PATTERNS.split_ascii_whitespace().map(|pattern| (pattern, WildMatch::new(pattern))).collect()
    });
    // The longest text of each that has to be there.
    static PIECES: LazyLock<Literals> = LazyLock::new(|| {
        let longest = |pattern: &'static str| pattern.split('*').max_by_key(|piece| piece.len()).unwrap_or_default();
        Literals::new(SURE_PATTERNS.split_ascii_whitespace().map(longest))
    });
    let found = is_name
        && PIECES.in_text(name).into_iter().filter_map(|entry| PATTERNS.get(entry)).any(|(pattern, compiled)| {
            // `.key` alone is no key.
            compiled.matches(name) && pattern.strip_prefix('*') != Some(name)
        });
    found && !shows()
}

fn is_public(name: &str) -> bool {
    LISTED_PUBLIC.contains(name) || name.ends_with(".pub")
}

fn is_secret(component: &str) -> bool {
    if is_public(component) || is_sample(component) {
        return false;
    }
    LISTED_NAMES.contains(component)
        || LISTED_FOLDERS.contains(component)
        || component.starts_with(".env.")
        || component.starts_with(".env-")
        || component.contains("id_rsa")
        || component.contains("id_ed25519")
        || LISTED_ENDINGS.iter().any(|ending| component.ends_with(ending) && component.len() > ending.len())
}

/// The folders of Handraise itself: credentials, tokens, the rules.
fn is_own(components: &[&str]) -> bool {
    components.iter().zip(components.iter().skip(1)).any(|(folder, name)| {
        *name == "handraise" && [".config", "config", "share", "state", ".cache", "cache"].contains(folder)
            || *name == "secrets" && ["run", ".kube"].contains(folder)
    }) || components.contains(&"handraise.sock")
}

/// `proc(5)`: the environment and the memory of a process.
fn is_process(components: &[&str]) -> bool {
    components.contains(&"proc")
        && components
            .iter()
            .any(|name| ["environ", "mem", "kcore", "fd", "root", "cwd", "map_files", "cmdline"].contains(name))
}

/// A disk read as a file, and the memory of the machine.
fn is_disk(word: &str) -> bool {
    word.strip_prefix("/dev/").is_some_and(|name| !["null", "zero", "stdin", "stdout", "stderr", "tty"].contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_that_finds_no_secret_by_its_name_says_so() {
        for text in ["docs/*.log", "a/b*.txt", "packages/*/package.json", "themes/*.omp.json", "/srv/x/*.csv"] {
            assert!(!may_find_secret(text), "{text}");
        }
        for text in [
            "*",
            "a/*",
            "x*",
            "*.json",
            "cfg/*.yml",
            "*.pem",
            "*.p*",
            "*y",
            "k*.key",
            ".e*",
            ".env.*",
            "*.env",
            "id_*",
            "~/.aws/*.txt",
            "a/[a-z]*.log",
            "{a,b}*.log",
            "$X/*.log",
            "*.lo?",
            "secrets.*",
            "*.pem.*",
        ] {
            assert!(may_find_secret(text), "{text}");
        }
    }

    #[test]
    fn credentials_are_known_by_their_place_and_name() {
        for path in [
            "/p/.env",
            "/p/.env.production",
            "/home/ann/.ssh/id_work",
            "/home/ann/.aws/credentials",
            "/home/ann/.config/gh/hosts.yml",
            "/home/ann/.claude/.credentials.json",
            "/home/ann/.codex/auth.json",
            "/home/ann/.gemini/oauth_creds.json",
            "/home/ann/.local/share/opencode/auth.json",
            "/home/ann/.copilot/config.json",
            "/home/ann/.npmrc",
            "/home/ann/.mozilla/firefox/x.default/logins.json",
            "/home/ann/.config/google-chrome/Default/Login Data",
            "/proc/1/environ",
            "/proc/self/task/1/environ",
            "/etc/shadow",
            "/etc/ssh/ssh_host_ed25519_key",
            "/home/ann/Library/Application Support/Google/Chrome/Default/Cookies",
            "/home/ann/.config/BraveSoftware/Brave-Browser/Default/Login Data",
            "/home/ann/Library/Keychains/login.keychain-db",
            "/home/ann/.config/Code/User/globalStorage/state.vscdb",
            "/home/ann/.local/share/atuin/history.db",
            "/home/ann/.gradle/gradle.properties",
            "/home/ann/.nuget/NuGet/NuGet.Config",
            "/home/ann/.qwen/oauth_creds.json",
            "/home/ann/.bash_history",
            "/etc/kubernetes/admin.conf",
            "/etc/rancher/k3s/k3s.yaml",
            "/p/.dev.vars",
            "/p/.dev.vars.production",
            "/p/client_secret_12.apps.json",
            "/p/secrets/gcp-service-account.json",
            "/p/deploy_rsa",
            "/p/service-account.json",
            "/p/prod.env",
            "/p/certs/tls.key",
            "/p/store.pfx",
            "/p/android/key.properties",
            "/p/config/credentials/production.key",
            "/p/secrets.yml",
            "/p/terraform.tfstate",
            "/home/ann/.dbt/profiles.yml",
            "/etc/nix/netrc",
            "/home/ann/.config/frob/access-token",
            "/home/ann/.frob/tokens.json",
            "/home/ann/.local/share/frob/credentials.db",
        ] {
            assert!(is_credential(path, Some("/home/ann")), "{path}");
        }
        for path in [
            "/p/.env.example",
            "/p/.env.local.example",
            "/p/.npmrc",
            "/p/auth.json",
            "/p/src/credentials",
            "/p/tests/server.pem",
            "/home/ann/.ssh/known_hosts",
            "/home/ann/.ssh/config",
            "/home/ann/.ssh/id_work.pub",
            "/p/docs/etc/shadow",
            "/p/environment.rs",
            "/p/cookies",
            "/p/src/secrets.ts",
            "/p/src/credentials.go",
            "/p/src/key.rs",
            "/p/.key",
            "/p/example.env",
            "/p/server.key.example",
            "/p/my-service-account.example.json",
            "/p/client_secret.template.json",
            "/p/deploy_rsa.pub",
            "/p/src/parse_rsa.rs",
            "/p/gradle.properties",
            "/p/keyboard.rs",
            "/p/docs/secrets.md",
            "/p/nuget.config",
            "/p/history.txt",
            "/p/src/tokens.json",
            "/home/ann/.cargo/registry/src/index/aws-1.0/src/credential.rs",
            "/home/ann/.config/nvim/lua/tokens.lua",
            "/home/ann/.tokens",
            "/home/ann/work/.frob/token",
        ] {
            assert!(!is_credential(path, Some("/home/ann")), "{path}");
        }
    }
}
