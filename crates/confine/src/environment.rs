//! What a command inside gets of the environment. Credentials travel there, and ways to sockets of the session.

use std::ffi::{OsStr, OsString};

use crate::EnvironmentRules;

/// Words of a variable's name, between underscores, that say that it holds a credential.
const WORDS: &[&str] = &[
    "KEY", "KEYS", "PAT", "PASS", "AUTH", "COOKIE", "JWT", "BEARER", "DSN", "SESSION", "WEBHOOK", "OTP", "MNEMONIC",
    "PSK", "HEADERS",
];
/// What such a word may end with, so that `GITHUBTOKEN` is found.
const ENDINGS: &[&str] = &[
    "TOKEN",
    "TOKENS",
    "SECRET",
    "SECRETS",
    "PASSWORD",
    "PASSWD",
    "PASSPHRASE",
    "CREDENTIAL",
    "CREDENTIALS",
    "APIKEY",
    "ACCESSKEY",
    "SECRETKEY",
    "PRIVATEKEY",
    "ACCOUNTKEY",
    "AUTHKEY",
    "CREDS",
    "PWD",
    "PASS",
];
/// Words that end like a credential and are none.
const OTHER_WORDS: &[&str] = &["PWD", "OLDPWD", "BYPASS", "COMPASS"];
/// Variables that lead to sockets, displays and files of the session, or make other programs run.
const NAMES: &[&str] = &[
    "SSH_AUTH_SOCK",
    "SSH_AGENT_PID",
    "SSH_ASKPASS",
    "GIT_ASKPASS",
    "SUDO_ASKPASS",
    "GPG_AGENT_INFO",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "WAYLAND_SOCKET",
    "XAUTHORITY",
    "XDG_RUNTIME_DIR",
    "SESSION_MANAGER",
    "DOCKER_HOST",
    "DOCKER_CONFIG",
    "CONTAINER_HOST",
    "KUBECONFIG",
    "NETRC",
    "PGPASSFILE",
    "LD_PRELOAD",
    "LD_AUDIT",
    "TMUX",
    "TMUX_PANE",
    "STY",
    "NOTIFY_SOCKET",
    "LISTEN_FDS",
    "LISTEN_PID",
];
/// Beginnings of names: the session bus, editors' sockets, Handraise, and clouds as a whole.
/// Settings of git may carry headers of HTTP, and only all of them together mean something.
const BEGINNINGS: &[&str] = &["DBUS_", "VSCODE_", "HANDRAISE_", "AWS_", "AZURE_", "GOOGLE_APPLICATION_", "GIT_CONFIG_"];
/// What the tokens of services begin with that mark their own.
const MARKS: &[&str] = &[
    "ghp_",
    "gho_",
    "ghs_",
    "ghu_",
    "ghr_",
    "github_pat_",
    "glpat-",
    "npm_",
    "pypi-",
    "xoxb-",
    "xoxp-",
    "xapp-",
    "sk-",
    "sk_live_",
    "rk_live_",
    "hf_",
    "gsk_",
    "dop_v1_",
    "lin_api_",
    "hvs.",
    "SG.",
    "AIza",
    "ya29.",
    "AKIA",
    "ASIA",
    "eyJhbGciOi",
];

/// Set inside, so that tools say at once that there is no network instead of trying for minutes.
const OFFLINE: &[(&str, &str)] = &[
    ("CARGO_NET_OFFLINE", "true"),
    ("npm_config_offline", "true"),
    ("npm_config_audit", "false"),
    ("npm_config_update_notifier", "false"),
    ("GOPROXY", "off"),
    ("GOTOOLCHAIN", "local"),
    ("PIP_NO_INDEX", "1"),
    ("PIP_DISABLE_PIP_VERSION_CHECK", "1"),
    ("UV_OFFLINE", "1"),
    ("GIT_TERMINAL_PROMPT", "0"),
];

/// Says to programs inside that they are.
const MARK: (&str, &str) = ("HANDRAISE_CONFINED", "1");

/// The environment of the command: of `all`, what `rules` and the tables let pass, and what is set inside.
pub(crate) fn inside(
    all: impl IntoIterator<Item = (OsString, OsString)>,
    rules: &EnvironmentRules,
    tmp: &OsStr,
) -> Vec<(OsString, OsString)> {
    let passes = |name: &OsStr, value: &OsStr| {
        let named = |list: &[String]| list.iter().any(|entry| OsStr::new(entry) == name);
        !named(&rules.drop) && (named(&rules.keep) || !is_left_out(name, value))
    };
    let set: Vec<(&str, &OsStr)> = OFFLINE
        .iter()
        .chain([&MARK])
        .map(|(name, value)| (*name, OsStr::new(*value)))
        .chain(["TMPDIR", "TMP", "TEMP"].map(|name| (name, tmp)))
        .collect();
    let mut kept: Vec<(OsString, OsString)> = all
        .into_iter()
        .filter(|(name, value)| passes(name, value) && !set.iter().any(|(own, _)| OsStr::new(own) == name))
        .collect();
    kept.extend(set.into_iter().map(|(name, value)| (name.into(), value.to_owned())));
    kept
}

fn is_left_out(name: &OsStr, value: &OsStr) -> bool {
    let name = name.to_string_lossy().to_uppercase();
    let is_credential = name
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !OTHER_WORDS.contains(word) || name != *word)
        .any(|word| WORDS.contains(&word) || ENDINGS.iter().any(|ending| word.ends_with(ending)));
    is_credential
        || NAMES.contains(&name.as_str())
        || BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
        || holds_a_password(&value.to_string_lossy())
        || holds_a_token(&value.to_string_lossy())
}

/// `scheme://user:password@host`, as in `DATABASE_URL`.
fn holds_a_password(value: &str) -> bool {
    value.split("://").skip(1).any(|rest| {
        let authority = rest.split(['/', '?', '#', ' ']).next().unwrap_or_default();
        authority.rsplit_once('@').is_some_and(|(user, _)| user.contains(':'))
    })
}

/// A token that says of itself that it is one, as in `https://ghp_…@github.com`.
fn holds_a_token(value: &str) -> bool {
    /// No service has shorter ones.
    const MIN_LENGTH: usize = 16;
    let words = value.split(|letter: char| !letter.is_ascii_alphanumeric() && !"-_.".contains(letter));
    let rests = words.flat_map(|word| MARKS.iter().filter_map(move |mark| word.strip_prefix(mark)));
    let mut rests = rests.map(|rest| rest.chars().filter(char::is_ascii_alphanumeric));
    value.contains("-----BEGIN")
        || rests.any(|rest| rest.clone().any(|letter| letter.is_ascii_digit()) && rest.count() >= MIN_LENGTH)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(rules: &EnvironmentRules, given: &[(&str, &str)]) -> Vec<String> {
        let all = given.iter().map(|(name, value)| (name.into(), value.into()));
        let kept = inside(all, rules, OsStr::new("/tmp"));
        let kept: Vec<String> = kept.into_iter().map(|(name, _)| name.into_string().unwrap()).collect();
        kept.into_iter().filter(|name| given.iter().any(|(given, _)| given == name)).collect()
    }

    #[test]
    fn credentials_and_ways_out_stay_outside() {
        let out = [
            "GITHUB_TOKEN",
            "GITHUBTOKEN",
            "AWS_ACCESS_KEY_ID",
            "AWS_PROFILE",
            "OPENAI_API_KEY",
            "PGPASSWORD",
            "npm_config_//r.example/:_authToken",
            "NPM_CONFIG__AUTH",
            "MY_SECRET_VALUE",
            "GH_PAT",
            "SSH_AUTH_SOCK",
            "DBUS_SESSION_BUS_ADDRESS",
            "DISPLAY",
            "LD_PRELOAD",
            "KUBECONFIG",
            "GOOGLE_APPLICATION_CREDENTIALS",
            "VSCODE_IPC_HOOK_CLI",
            "VAULT_TOKEN",
            "SENTRY_DSN",
            "STRIPE_SECRET",
            "client_secret",
            "MYSQL_PWD",
            "OP_SESSION_my",
            "BW_SESSION",
            "SLACK_WEBHOOK_URL",
            "ARTIFACTORY_CREDS",
            "STORAGE_ACCOUNTKEY",
            "DBPASS",
            "ANTHROPIC_CUSTOM_HEADERS",
            "GIT_CONFIG_COUNT",
            "GIT_CONFIG_VALUE_0",
        ];
        for name in out {
            assert!(names(&EnvironmentRules::default(), &[(name, "x")]).is_empty(), "{name}");
        }
        let token = format!("ghp_{}", "a1".repeat(18));
        let tokens =
            [token.clone(), format!("https://{token}@github.com/a/b"), format!("Authorization: token {token}")];
        let rest = "a1".repeat(18);
        let marks = ["ghr_", "gsk_", "dop_v1_", "SG.", "xapp-1-", "ASIA", "hvs.", "lin_api_", "AIza", "sk-", "ya29."];
        for token in marks.map(|mark| format!("{mark}{rest}")) {
            assert!(names(&EnvironmentRules::default(), &[("BASE", &token)]).is_empty(), "{token}");
        }
        assert_eq!(names(&EnvironmentRules::default(), &[("BASE", "sk-learn and SG.x")]), ["BASE"]);
        let key = "x -----BEGIN OPENSSH PRIVATE KEY-----".to_owned();
        let passwords = ["postgres://ana:pw@db/x", "https://ana:t@h", "a http://x:y@z b"].map(str::to_owned);
        for value in &[&tokens[..], &passwords, &[key]].concat() {
            assert!(names(&EnvironmentRules::default(), &[("DATABASE_URL", value)]).is_empty(), "{value}");
        }
    }

    #[test]
    fn what_builds_need_passes() {
        for name in [
            "PATH",
            "HOME",
            "PWD",
            "OLDPWD",
            "LANG",
            "TERM",
            "KEYBOARD",
            "RUSTFLAGS",
            "TOKENIZERS_PARALLELISM",
            "CI",
            "BYPASS",
        ] {
            assert_eq!(names(&EnvironmentRules::default(), &[(name, "x")]), [name]);
        }
        let path = "/home/ana/.npm_packages/bin:/opt/hf_hub/bin:/usr/lib/sk-ant-tools";
        assert_eq!(names(&EnvironmentRules::default(), &[("PATH", path)]), ["PATH"]);
        assert_eq!(names(&EnvironmentRules::default(), &[("U", "http://localhost:80/a@b:c")]), ["U"]);
    }

    #[test]
    fn the_walls_have_the_last_word_but_not_on_what_is_set_inside() {
        let rules = EnvironmentRules { keep: vec!["CI_TOKEN".into(), "TMPDIR".into()], drop: vec!["LANG".into()] };
        assert_eq!(names(&rules, &[("CI_TOKEN", "x"), ("LANG", "C")]), ["CI_TOKEN"]);
        let kept = inside([("TMPDIR".into(), "/home".into())], &rules, OsStr::new("/tmp"));
        let tmp: Vec<_> = kept.iter().filter(|(name, _)| name == "TMPDIR").collect();
        assert_eq!(tmp, [&(OsString::from("TMPDIR"), OsString::from("/tmp"))]);
    }
}
