//! Programs that read a secret from their standard input, by their manual pages.

/// What a program reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reads {
    /// Nothing but a secret.
    Secret,
    /// `user:secret` on each line.
    Login,
}

/// Programs, the words that have to follow in this order, and what is read then. Without programs it is so whatever
/// the program; `-S` may be written together with other letters.
type Reader = (&'static [&'static str], &'static [&'static str], Reads);

#[rustfmt::skip]
const READERS: &[Reader] = &[
    (&[], &["--password-stdin"], Reads::Secret), (&[], &["--with-token"], Reads::Secret),
    (&[], &["--passphrase-fd"], Reads::Secret), (&[], &["--password-fd"], Reads::Secret),
    (&[], &["secret", "set"], Reads::Secret), (&[], &["secret", "put"], Reads::Secret), (&[], &["secret", "create"], Reads::Secret),
    (&[], &["secrets", "set"], Reads::Secret), (&[], &["secrets", "create"], Reads::Secret), (&[], &["secrets", "versions", "add"], Reads::Secret),
    (&["chpasswd", "chgpasswd"], &[], Reads::Login),
    (&["passwd", "smbpasswd", "kpasswd", "kinit", "cryptsetup", "mkpasswd", "wpa_passphrase", "argon2", "ecryptfs-add-passphrase"], &[], Reads::Secret),
    (&["su"], &["-c"], Reads::Secret),
    (&["kubectl", "oc"], &["create", "secret", "*/dev/stdin"], Reads::Secret),
    (&["vercel", "vc"], &["env", "add"], Reads::Secret),
    (&["pass", "gopass"], &["insert"], Reads::Secret),
    (&["secret-tool"], &["store"], Reads::Secret),
    (&["vault", "bao"], &["login", "-"], Reads::Secret),
    (&["docker", "podman", "az", "helm", "oras", "cf"], &["login", "-"], Reads::Secret),
    (&["cargo"], &["login"], Reads::Secret),
    (&["keyctl"], &["padd"], Reads::Secret),
    (&["systemd-creds"], &["encrypt"], Reads::Secret),
    (&["ansible-vault"], &["encrypt_string"], Reads::Secret),
    (&["htpasswd"], &["-i"], Reads::Secret),
    (&["openssl"], &["passwd", "-stdin"], Reads::Secret), (&["openssl"], &["stdin"], Reads::Secret),
    (&["pulumi"], &["config", "set", "--secret"], Reads::Secret),
    (&["rclone"], &["obscure", "-"], Reads::Secret),
    (&["veracrypt"], &["--stdin"], Reads::Secret),
    (&["kubeseal"], &["--raw"], Reads::Secret),
    (&["zfs"], &["load-key"], Reads::Secret),
    (&["caddy"], &["hash-password"], Reads::Secret),
    (&["doveadm"], &["pw"], Reads::Secret),
];

/// Commands that pass on what they read, changed or not.
pub(super) const FILTERS: &[&str] = &["base64", "tr", "cat", "tee", "openssl", "iconv", "xxd", "head"];

/// Commands that run the command behind them.
const RUNNERS: &[&str] = &["env", "npx", "bunx", "pnpm", "dlx", "yarn", "command", "exec", "time", "nohup", "doas"];

/// Options of sudo(8) that take the next word.
const SUDO_VALUES: &[&str] = &["-u", "-g", "-p", "-C", "-h", "-r", "-t", "-T", "-U", "-D", "-R"];

/// Commands that run the command behind their own words, elsewhere.
const REMOTES: &[&str] =
    &["ssh", "docker", "podman", "nerdctl", "kubectl", "oc", "wsl", "timeout", "nsenter", "chroot", "sshpass"];

/// What the command of these words reads, when it is a secret.
pub(super) fn read_by(words: &[&str]) -> Option<Reads> {
    let mut words = words;
    loop {
        let (first, rest) = words.split_first()?;
        words = match program(first) {
            "sudo" => {
                let options = sudo_options(rest);
                let (options, rest) = rest.split_at_checked(options)?;
                if options.iter().any(|option| *option == "--stdin" || is_bundled(option, "-S")) {
                    return Some(Reads::Secret);
                }
                rest
            }
            runner if RUNNERS.contains(&runner) || first.contains('=') => rest,
            program => {
                let reader = READERS.iter().find(|(programs, follow, _)| {
                    (programs.is_empty() || programs.contains(&program)) && follows(rest, follow)
                });
                return reader.map(|(.., reads)| *reads).or_else(|| read_remotely(program, rest));
            }
        };
    }
}

/// What a command reads that another one runs elsewhere: `ssh host 'sudo -S ls'`.
fn read_remotely(program: &str, words: &[&str]) -> Option<Reads> {
    let words: Vec<&str> =
        words.iter().filter(|_| REMOTES.contains(&program)).flat_map(|word| word.split(' ')).collect();
    let is_reader = |word: &&str| *word == "sudo" || READERS.iter().any(|(programs, ..)| programs.contains(word));
    let first = words.iter().position(is_reader)?;
    read_by(words.get(first..)?)
}

/// How many words behind `sudo` are its options.
fn sudo_options(words: &[&str]) -> usize {
    let mut takes_next = false;
    let is_option = |word: &&&str| {
        let is_value = std::mem::replace(&mut takes_next, SUDO_VALUES.contains(*word));
        is_value || word.starts_with('-')
    };
    words.iter().take_while(is_option).count()
}

/// Whether the words of `follow` occur in this order.
fn follows(words: &[&str], follow: &[&str]) -> bool {
    let mut words = words.iter();
    follow
        .iter()
        .all(|sought| words.any(|word| *word == *sought || is_bundled(word, sought) || ends_with(word, sought)))
}

fn ends_with(word: &str, sought: &str) -> bool {
    sought.strip_prefix('*').is_some_and(|end| word.ends_with(end))
}

/// `-kS`: short options written together (POSIX utility syntax guideline 5).
fn is_bundled(word: &str, option: &str) -> bool {
    let letters = word.strip_prefix('-').filter(|letters| (1..=6).contains(&letters.len()));
    letters.is_some_and(|letters| letters.bytes().all(|byte| byte.is_ascii_alphabetic()))
        && option.len() == 2
        && option.strip_prefix('-').is_some_and(|letter| word.contains(letter))
}

/// The name of a program without its folder.
pub(super) fn program(word: &str) -> &str {
    let word = word.trim_start_matches(['(', '{', '@']);
    word.rsplit('/').next().unwrap_or(word)
}
