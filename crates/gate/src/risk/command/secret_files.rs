//! Files that hold secrets, by their names. Reading one is never "only looking": the secret ends up
//! in the agent's conversation.

const NAMES: &str = ".env .envrc .netrc _netrc .npmrc .yarnrc.yml .pypirc .pgpass .my.cnf .mylogin.cnf .git-credentials \
    .htpasswd .vault-token .boto .s3cfg .terraformrc .rediscli_auth .dockercfg .dockerconfigjson shadow gshadow shadow- \
    gshadow- sudoers credentials credentials.json credentials.toml .credentials .credentials.json auth.json \
    accesstokens.json msal_token_cache.json kubeconfig master.key secring.gpg wallet.dat id_rsa id_dsa id_ecdsa id_ed25519 \
    id_ecdsa_sk id_ed25519_sk id_xmss identity environ kcore secrets.json secrets.yml secrets.yaml secrets.toml \
    secret.json secret.yml secret.yaml client_secret.json service-account.json service_account.json cookies.sqlite \
    logins.json key4.db key3.db cookies .wgetrc .curlrc hosts.yml application_default_credentials.json";

const ENDINGS: &str = ".pem .key .p12 .pfx .jks .keystore .kdbx .ppk .agekey .tfstate .tfstate.backup .tfvars _history .ovpn \
    .keytab .gpg .asc .jceks .p8 .pkcs12 .mobileprovision .env";

/// Folders whose every file is taken for a secret.
const FOLDERS: &str = ".ssh .gnupg .aws .azure .kube .docker .password-store keyrings gcloud .gcloud .handraise .vault .terraform.d \
    .1password .bitwarden kwalletd wireguard ssl-private system-connections .mozilla google-chrome chromium";

const PUBLIC: &str = ".env.example .env.sample .env.template .env.dist .env.defaults known_hosts authorized_keys";

/// Folders that hold so much that something secret is among it, when everything in them is read.
const BROAD: &str = "~ / /etc /root /home /proc /run /var /dev /mnt /media /Users";

/// Whether a word of a command may name a file that holds a secret. Operands, `--option=file`,
/// `-ofile`, `HEAD:file` and `a,b` are looked into alike.
pub(super) fn may_be_named_in(word: &str) -> bool {
    let word = word.to_lowercase();
    let whole = word.split('/').collect::<Vec<_>>();
    // A short option may have its value glued to it.
    let glued = word.strip_prefix('-').and_then(|rest| rest.chars().next().and_then(|c| rest.strip_prefix(c)));
    let mut components =
        whole.iter().copied().chain(glued).flat_map(|component| component.split([':', '=', ',', '@', '\\']));
    is_own(&whole) || is_process(&whole) || is_disk(&word) || components.any(is_secret)
}

/// Whether `word` is a folder that holds too much to be read as a whole.
pub(super) fn is_broad_folder(word: &str) -> bool {
    let path = word.trim_end_matches(['/', '.', '*']);
    let path = if path.is_empty() && word.starts_with('/') { "/" } else { path };
    let home = path.strip_prefix("/home/").or_else(|| path.strip_prefix("/Users/"));
    BROAD.split_ascii_whitespace().any(|folder| folder == path) || home.is_some_and(|user| !user.contains('/'))
}

fn is_secret(component: &str) -> bool {
    let listed = |list: &str| list.split_ascii_whitespace().any(|name| name == component);
    if listed(PUBLIC) || component.ends_with(".pub") {
        return false;
    }
    listed(NAMES)
        || listed(FOLDERS)
        || component.starts_with(".env.")
        || component.starts_with(".env-")
        || component.contains("id_rsa")
        || component.contains("id_ed25519")
        || ENDINGS.split_ascii_whitespace().any(|ending| component.ends_with(ending) && component.len() > ending.len())
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
