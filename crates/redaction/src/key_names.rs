//! What the name of a key, option, variable, header or field says about its value.

use std::collections::HashSet;

use super::foreign_names::ForeignNames;
use super::secrecy::{Secrecy, Strength, words_of};

/// Words that name a secret, with what they say.
#[rustfmt::skip]
const SECRET_WORDS: &[(&str, &str, Strength)] = &[
    ("password", "password", Strength::Strong), ("passwd", "password", Strength::Strong),
    ("passphrase", "password", Strength::Strong), ("passcode", "password", Strength::Strong),
    ("pass", "password", Strength::Strong), ("pwd", "password", Strength::Strong), ("pw", "password", Strength::Strong),
    ("passwort", "password", Strength::Strong), ("kennwort", "password", Strength::Strong), ("senha", "password", Strength::Strong),
    ("psk", "password", Strength::Strong), ("requirepass", "password", Strength::Strong), ("masterauth", "password", Strength::Strong),
    ("passwords", "password", Strength::Strong), ("pswd", "password", Strength::Strong), ("pword", "password", Strength::Strong),
    ("secret", "secret", Strength::Medium), ("secrets", "secret", Strength::Medium),
    ("credential", "credential", Strength::Medium), ("credentials", "credential", Strength::Medium), ("creds", "credential", Strength::Medium),
    ("token", "token", Strength::Medium), ("tokens", "token", Strength::Medium), ("authtoken", "token", Strength::Medium),
    ("jwt", "token", Strength::Medium), ("pat", "token", Strength::Weak), ("bearer", "token", Strength::Weak),
    ("apikey", "api-key", Strength::Medium), ("secretkey", "secret", Strength::Medium), ("accesskey", "secret", Strength::Medium),
    ("authkey", "api-key", Strength::Medium), ("apisecret", "secret", Strength::Medium), ("privatekey", "private-key", Strength::Medium),
    ("accountkey", "secret", Strength::Medium), ("keydata", "private-key", Strength::Weak),
    ("key", "key", Strength::Weak), ("keys", "key", Strength::Weak), ("auth", "authorization", Strength::Weak),
    ("authorization", "authorization", Strength::Strong), ("cookie", "cookie", Strength::Strong), ("cookies", "cookie", Strength::Weak),
    ("sig", "signature", Strength::Weak), ("signature", "signature", Strength::Weak), ("sid", "session", Strength::Weak),
    ("sessionid", "session", Strength::Weak), ("session", "session", Strength::Weak), ("sessid", "session", Strength::Weak),
    ("phpsessid", "session", Strength::Weak), ("jsessionid", "session", Strength::Weak), ("dsn", "key", Strength::Weak),
    ("otp", "password", Strength::Weak), ("totp", "password", Strength::Weak), ("salt", "secret", Strength::Weak),
    ("nonce", "secret", Strength::Weak), ("webhook", "webhook", Strength::Weak), ("mnemonic", "secret", Strength::Strong),
];

/// Endings of words written without a separator: `pgpassword`, `clientsecret`, `storepass`.
#[rustfmt::skip]
const ENDINGS: &[(&str, &str, Strength)] = &[
    ("password", "password", Strength::Strong), ("passwd", "password", Strength::Strong), ("passphrase", "password", Strength::Strong),
    ("pwd", "password", Strength::Strong), ("pass", "password", Strength::Strong), ("secret", "secret", Strength::Medium),
    ("token", "token", Strength::Medium), ("apikey", "api-key", Strength::Medium), ("secretkey", "secret", Strength::Medium),
    ("accesskey", "secret", Strength::Medium), ("authkey", "api-key", Strength::Medium), ("privatekey", "private-key", Strength::Medium),
    ("credentials", "credential", Strength::Medium),
];

/// Last words of the names of secrets that are made of digits. They name other things, too, whose values are words.
const DIGIT_WORDS: &[&str] = &["pin", "otp", "totp", "cvv", "cvc"];

/// Words that end like a secret and are none.
const OTHER_WORDS: &[&str] = &[
    "bypass",
    "compass",
    "encompass",
    "trespass",
    "surpass",
    "overpass",
    "underpass",
    "multipass",
    "subpass",
    "renderpass",
    "oldpwd",
    "detoken",
    "nontoken",
    "subtoken",
    "multitoken",
];

/// Words that make a key an access key. `key` alone names parts of maps and tables.
const KEY_QUALIFIERS: &[&str] = &[
    "api",
    "access",
    "secret",
    "private",
    "encryption",
    "encrypt",
    "decryption",
    "signing",
    "sign",
    "master",
    "account",
    "shared",
    "storage",
    "auth",
    "authentication",
    "subscription",
    "deploy",
    "license",
    "admin",
    "service",
    "functions",
    "webhook",
    "hmac",
    "aes",
    "jwt",
    "crypt",
    "cipher",
    "app",
    "application",
    "ssh",
    "rsa",
    "tls",
    "ssl",
    "client",
    "server",
    "consumer",
    "instrumentation",
    "ingest",
    "write",
    "root",
    "recovery",
    "session",
    "cookie",
    "preshared",
    "wg",
    "integration",
];

/// Words that make a key, a signature or a session something public or technical.
const PUBLIC_QUALIFIERS: &[&str] = &[
    "public",
    "primary",
    "foreign",
    "sort",
    "partition",
    "cache",
    "row",
    "map",
    "dict",
    "index",
    "unique",
    "object",
    "hot",
    "lookup",
    "group",
    "composite",
    "natural",
    "surrogate",
    "range",
    "i18n",
    "translation",
    "query",
    "shortcut",
    "registry",
    "idempotency",
    "hash",
    "shard",
    "routing",
    "join",
    "publishable",
    "pub",
    "host",
    "known",
    "locale",
    "message",
    "label",
    "react",
    "item",
    "column",
    "field",
    "order",
    "s3",
    "bucket",
    "id",
    "color",
    "arrow",
    "function",
    "modifier",
    "socket",
    "default",
    "sitekey",
    "site",
    "ssh-key",
    "keyboard",
    "tab",
    "enter",
    "escape",
    "page",
    "block",
    "storage_object",
];

/// Last words that make a name say something about a secret instead of being one.
#[rustfmt::skip]
const ABOUT: &[&str] = &[
    "file", "files", "filename", "path", "paths", "dir", "directory", "folder", "location", "ttl", "length", "len", "count", "counts",
    "enabled", "disabled", "enable", "disable", "required", "require", "optional", "size", "limit", "limits", "max", "min", "maximum",
    "minimum", "policy", "policies", "stdin", "prompt", "store", "manager", "provider", "providers", "type", "types", "kind", "name",
    "names", "url", "urls", "uri", "uris", "endpoint", "endpoints", "host", "port", "mode", "method", "methods", "strategy", "format",
    "algorithm", "alg", "age", "expiry", "expires", "expiration", "expire", "lifetime", "timeout", "duration", "interval",
    "seconds", "milliseconds", "ms", "minutes", "hours", "days", "at", "in", "on", "id", "ids", "uuid", "arn", "ref", "refs", "reference",
    "field", "fields", "form", "page", "reset", "rotation", "rotate", "change", "changed", "changer", "input", "label", "placeholder", "hint",
    "help", "description", "desc", "title", "text", "message", "messages", "error", "errors", "valid", "validation", "validator",
    "rules", "rule", "strength", "complexity", "history", "regex", "pattern", "match", "matches", "confirmed", "present", "exists",
    "set", "unset", "visible", "hidden", "show", "scope", "scopes", "issuer", "audience", "realm", "version", "status", "state",
    "index", "offset", "position", "pos", "usage", "used", "budget", "window", "per", "rate", "cost", "price", "stream", "class", "classes",
    "helper", "service", "handler", "factory", "builder", "parser", "command", "cmd", "script", "env", "var", "variable", "prefix",
    "suffix", "separator", "header", "headers", "param", "params", "parameter", "options", "option", "config", "settings", "schema", "table", "column",
    "user", "username", "login", "email", "domain", "engine", "backend", "driver", "map", "list", "array", "keys", "registry",
    "bits", "bytes", "chars", "characters", "attempts", "retries", "retry", "samesite", "secure", "httponly", "domains",
    "ring", "chain", "storage", "vault", "less", "only", "time", "date", "created", "updated", "modified", "agent", "sock",
    "escrow", "ratio", "counter", "total", "number", "num", "usages", "bucket", "zone", "region", "fingerprint", "thumbprint",
    "checksum", "digest", "sha256", "sha1", "md5", "hit", "hits", "miss", "misses", "icon", "button", "view", "modal", "screen", "component",
];

/// First words that ask or count.
const ASKING: &[&str] = &[
    "no",
    "has",
    "is",
    "show",
    "hide",
    "ask",
    "max",
    "min",
    "num",
    "n",
    "total",
    "use",
    "allow",
    "require",
    "requires",
    "needs",
    "forgot",
    "change",
    "validate",
    "generate",
    "skip",
    "disable",
    "enable",
    "without",
    "count",
    "print",
    "list",
    "rotate",
    "missing",
    "invalid",
    "input",
    "output",
    "prompt",
    "completion",
    "get",
    "fetch",
    "create",
    "bypass",
    "first",
    "second",
    "render",
    "two",
    "multi",
    "single",
    "toggle",
    "with",
];

/// Qualifiers of keys that are as often a name as an access key.
const OFTEN_PUBLIC_QUALIFIERS: &[&str] =
    &["app", "application", "client", "server", "ssh", "service", "write", "root", "tls", "ssl"];

/// Last words that do not change what a name says.
#[rustfmt::skip]
const VARIANTS: &[&str] = &[
    "prod", "production", "staging", "dev", "live", "test", "base64", "b64", "value", "val", "old", "new",
    "plain", "raw", "default", "confirmation", "confirm", "data", "hash", "base", "string",
];

/// What the name of a key, option, variable, header or field says about its value: `strong`, `medium`, `random` or
/// `weak`, the surest first. `None`: nothing.
#[must_use]
pub fn secrecy_of_name(name: &str) -> Option<&'static str> {
    built_in(&words_of(name)).map(|secrecy| strength_word(secrecy.strength))
}

/// The tables of names, for the packages in other languages, which look names up in the same way.
#[must_use]
pub fn secret_name_tables() -> serde_json::Value {
    let strengths = |table: &[(&str, &str, Strength)]| -> serde_json::Value {
        // What counts for a key (`PUBLIC_QUALIFIERS`) depends on its kind.
        table.iter().map(|(word, kind, strength)| serde_json::json!([word, kind, strength_word(*strength)])).collect()
    };
    serde_json::json!({
        "words": strengths(SECRET_WORDS),
        "endings": strengths(ENDINGS),
        "other_words": OTHER_WORDS,
        "key_qualifiers": KEY_QUALIFIERS,
        "often_public_qualifiers": OFTEN_PUBLIC_QUALIFIERS,
        "public_qualifiers": PUBLIC_QUALIFIERS,
        "about": ABOUT,
        "asking": ASKING,
        "variants": VARIANTS,
    })
}

fn strength_word(strength: Strength) -> &'static str {
    match strength {
        Strength::Strong => "strong",
        Strength::Medium => "medium",
        Strength::Random => "random",
        Strength::Weak => "weak",
    }
}

/// The built-in names and the user's own.
#[derive(Debug)]
pub(super) struct KeyNames {
    user: HashSet<String>,
    first_words: Vec<String>,
    foreign: ForeignNames,
}

impl KeyNames {
    /// With the `words` of each of the user's own names.
    pub(super) fn new<'a>(words: impl Iterator<Item = &'a [String]> + Clone) -> Self {
        let first_words = words.clone().filter_map(|words| words.first().cloned()).collect();
        Self { user: words.map(<[String]>::concat).collect(), first_words, foreign: ForeignNames::new() }
    }

    /// Texts of which one occurs in every name that can be secret, in any case.
    pub(super) fn roots(&self) -> Vec<String> {
        let mut roots: Vec<String> = ROOTS.iter().map(|root| (*root).to_owned()).collect();
        roots.extend(ForeignNames::roots());
        roots.extend(self.first_words.iter().cloned());
        roots
    }

    /// What `name` says about its value; `None` when it says nothing.
    pub(super) fn secrecy(&self, name: &str) -> Option<Secrecy> {
        // The kind of an earlier mark says nothing about what stands beside it.
        if name.contains('‹') {
            return None;
        }
        let words = words_of(name);
        if !self.user.is_empty() && self.is_users(&words) {
            return Some(Secrecy { kind: "user-key", strength: Strength::Strong });
        }
        built_in(&words).or_else(|| self.foreign.secrecy(&words))
    }

    /// The user's name itself, or as the last part of a dotted one.
    fn is_users(&self, words: &[String]) -> bool {
        (0..words.len()).any(|from| self.user.contains(&words.get(from..).unwrap_or_default().concat()))
    }
}

/// Texts of which one occurs in every built-in name.
const ROOTS: &[&str] = &[
    "pass", "pwd", "pswd", "pword", "kennwort", "senha", "psk", "secret", "cred", "token", "jwt", "key", "auth",
    "cookie", "sig", "sess", "bearer", "salt", "nonce", "webhook", "mnemonic", "totp", "otp", "dsn", "pat", "pw",
    "sid",
];

fn built_in(words: &[String]) -> Option<Secrecy> {
    let last = words.iter().rposition(|word| !is_variant(word))?;
    let words = words.get(..=last)?;
    let last_word = words.last()?.as_str();
    let first_word = words.first()?.as_str();
    if words.len() > 1 && ASKING.contains(&first_word) {
        return None;
    }
    if let Some(secrecy) = word_secrecy(last_word) {
        return qualified(words, secrecy);
    }
    // The `secret_id` of Vault's AppRole is half of a login.
    if words.ends_with(&["secret".to_owned(), "id".to_owned()]) {
        return Some(Secrecy { kind: "secret", strength: Strength::Random });
    }
    if ABOUT.contains(&last_word) {
        return None;
    }
    // `SECRET_KEY_BASE`, `private-key-data`, `pypi-token.pypi`: something inside names a secret.
    words.iter().filter_map(|word| word_secrecy(word)).find(|secrecy| secrecy.strength != Strength::Weak).map(
        |secrecy| {
            let strength = if secrecy.strength == Strength::Strong { Strength::Medium } else { Strength::Weak };
            Secrecy { strength, ..secrecy }
        },
    )
}

/// What `name` says about a number behind it, where it names a secret that is made of digits.
pub(super) fn of_digits(name: &str) -> Option<Secrecy> {
    let words = words_of(name);
    let is_secret = words.last().is_some_and(|last| DIGIT_WORDS.contains(&last.as_str()));
    is_secret.then_some(Secrecy { kind: "password", strength: Strength::Strong })
}

/// Takes the words before the last into account.
fn qualified(words: &[String], secrecy: Secrecy) -> Option<Secrecy> {
    let before: Vec<&str> = words.iter().rev().skip(1).map(String::as_str).collect();
    let nearest = before.first().copied().unwrap_or_default();
    match secrecy.kind {
        "key" if PUBLIC_QUALIFIERS.contains(&nearest) => None,
        "key" if KEY_QUALIFIERS.contains(&nearest) => {
            let kind = if nearest == "private" { "private-key" } else { "api-key" };
            let strength = if OFTEN_PUBLIC_QUALIFIERS.contains(&nearest) { Strength::Random } else { Strength::Medium };
            Some(Secrecy { kind, strength })
        }
        "signature" | "session" if PUBLIC_QUALIFIERS.contains(&nearest) => None,
        _ if matches!(nearest, "public" | "pub" | "publishable") => None,
        _ => Some(secrecy),
    }
}

fn word_secrecy(word: &str) -> Option<Secrecy> {
    let word = word.trim_end_matches(|character: char| character.is_ascii_digit());
    let exact = SECRET_WORDS.iter().find(|(secret, ..)| *secret == word);
    let by_ending = || {
        let ends = !OTHER_WORDS.contains(&word);
        ENDINGS.iter().filter(|_| ends).find(|(ending, ..)| word.ends_with(ending))
    };
    exact.or_else(by_ending).map(|(_, kind, strength)| Secrecy { kind, strength: *strength })
}

/// Last words that do not change what a name says: `TOKEN_PROD`, `PASSWORD_BASE64`, `token_2`.
fn is_variant(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit()) || VARIANTS.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> KeyNames {
        KeyNames::new(std::iter::once(words_of("my_field").as_slice()))
    }

    #[test]
    fn names_of_secrets() {
        for name in [
            "password",
            "DB_PASSWORD",
            "dbPassword",
            "PGPASSWORD",
            "mysql_pwd",
            "api_key",
            "apiKey",
            "APIKEY",
            "clientSecret",
            "client-secret",
            "GITHUB_TOKEN",
            "access_token",
            "SECRET_KEY_BASE",
            "aws_secret_access_key",
            "AccountKey",
            "SharedAccessKey",
            "X-Api-Key",
            "Authorization",
            "storePass",
            "storepass",
            "TOKEN_PROD",
            "password2",
            "_authToken",
            "client-key-data",
            "requirepass",
            "STRIPE_KEY",
            "token.value",
            "Ocp-Apim-Subscription-Key",
            "javax.net.ssl.keyStorePassword",
            "credentials",
            "psk",
            "pypi-token.pypi",
            "myField",
            "MY-FIELD",
            "form.my_field",
            "PrivateKey",
            "PresharedKey",
            "DJANGO_SECRET_KEY",
            "connectionPassword",
            "ansible_become_pass",
            "secretAccessKey",
        ] {
            assert!(names().secrecy(name).is_some(), "{name}");
        }
    }

    #[test]
    fn names_about_secrets() {
        for name in [
            "PASSWORD_FILE",
            "token_count",
            "TOKEN_TTL",
            "PASSWORD_MIN_LENGTH",
            "password-policy",
            "no-password",
            "has_password",
            "max_tokens",
            "accessTokenExpirationInMilliseconds",
            "tokenizer",
            "secretary",
            "bypass",
            "PRIMARY_KEY",
            "public_key",
            "keyboard",
            "author",
            "authority",
            "password-stdin",
            "SECRET_NAME",
            "token_url",
            "PasswordResetForm",
            "show-token",
            "monkey",
            "idempotency-key",
            "input_tokens",
            "secretName",
            "keystone",
            "access_token_url",
            "auth_type",
            "ssh_public_key",
            "passwordHelp",
            "credentials_path",
            "compass",
        ] {
            assert!(names().secrecy(name).is_none(), "{name} {:?}", names().secrecy(name));
        }
    }

    #[test]
    fn every_word_has_a_root() {
        let joined = |word: &str| format!("_{word}");
        for (word, ..) in SECRET_WORDS {
            assert!(ROOTS.iter().any(|root| joined(word).contains(root)), "{word}");
        }
    }
}
