//! What is no secret although it stands where one would: references, placeholders, numbers, code,
//! words of prose, digests and identifiers.

use super::foreign_names;
use super::secrecy::{Strength, words_of};

/// Where a value stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueSyntax {
    /// In quotes, or the value of a JSON key.
    Quoted,
    /// `NAME=value` without blanks, as shells and `.env` files write it.
    Assigned,
    /// Behind an option of a command.
    Option,
    /// `name: value` or `name = value` alone on its line, as YAML and ini files write it.
    Line,
    /// `name: value` or `name = value` inside of a line: code or prose.
    Inline,
}

/// Longest value that can be a word, a placeholder or code, in bytes.
const MAX_LOOK_ALIKE: usize = 200;
/// Shortest value that a weak name makes a secret, in bytes.
const MIN_WEAK: usize = 12;

/// Last letter of the Latin alphabet with its diacritical marks (Unicode, "Latin Extended-B").
const LAST_LATIN: char = '\u{24f}';

/// First of the scripts that put no blanks between words (Unicode, "CJK Radicals Supplement" and behind).
const FIRST_UNDIVIDED: char = '\u{2e80}';

/// Fewest digits of a number that a strong name makes a secret, in a field of its own and in a text, where the name may
/// be that of a count (`pass=1204`); and of one that a medium name does.
const MIN_DIGITS: usize = 4;
const MIN_DIGITS_IN_TEXT: usize = 6;
const MIN_DIGITS_MEDIUM: usize = 12;

/// Values that say that there is no value, or what should stand there.
#[rustfmt::skip]
const EMPTY_WORDS: &[&str] = &[
    "true", "false", "yes", "no", "on", "off", "null", "none", "nil", "undefined", "nan", "empty", "unset", "void", "any",
    "password", "passwd", "pass", "secret", "token", "apikey", "api_key", "api-key", "key", "credentials", "username", "user", "value", "default",
    "required", "optional", "enabled", "disabled", "hidden", "masked", "redacted", "removed", "filtered", "example", "placeholder", "unknown",
    "never", "always", "inherit", "auto", "prompt", "stdin", "ask", "manual", "invalid", "missing", "expired", "omitted", "bearer", "basic", "digest", "oauth", "oauth2",
    "base64", "sha1", "sha256", "sha512", "md5", "bcrypt", "argon2", "pbkdf2", "utf8", "utf-8", "base64-encoded", "todo", "tbd", "fixme", "n/a", "changeme", "change_me", "change-me", "changeit",
    "include", "omit", "same-origin",
];

/// Names of types, as declarations write them behind a colon.
#[rustfmt::skip]
const TYPES: &[&str] = &[
    "string", "str", "&str", "number", "bool", "boolean", "int", "integer", "float", "bytes", "byte[]", "[]byte", "[u8]", "object", "array",
    "char", "varchar", "text", "uuid", "secretstr", "secretstring", "securestring", "unknown", "buffer", "uint8array", "u8", "u32", "u64", "i64", "i32",
    "vec<u8>", "option<string>", "cow", "never", "symbol", "date", "optional", "literal", "union",
];

/// Words of prose that follow the name of an option or of a field.
#[rustfmt::skip]
const PROSE: &[&str] = &[
    "the", "a", "an", "and", "or", "is", "are", "was", "be", "to", "for", "in", "on", "of", "at", "by", "with", "from", "as", "if", "it", "this", "that",
    "flag", "flags", "option", "options", "argument", "arguments", "parameter", "parameters", "instead", "when", "will", "can", "must", "should", "not",
    "field", "fields", "page", "expected", "unexpected", "found", "see", "here", "please", "your", "use", "using", "set", "wrong", "incorrect", "has", "have",
    "does", "you", "we", "same", "only", "which", "where", "then", "but", "into", "via", "per", "list", "create", "delete", "get", "show", "refresh", "reset",
];

/// Beginnings of texts that tell a person what to put there.
const INSTRUCTIONS: &[&str] = &[
    "your-",
    "your_",
    "your ",
    "yourpass",
    "yourtoken",
    "yoursecret",
    "yourapi",
    "yourkey",
    "my-api-key",
    "my_api_key",
    "changeme",
    "change-me",
    "change_me",
    "replace-",
    "replace_",
    "replaceme",
    "insert-",
    "insert_",
    "enter-",
    "enter_",
    "enter ",
    "put-",
    "put_",
    "todo",
    "example-",
    "example_",
    "placeholder",
    "dummy-placeholder",
    "redacted",
    "some-secret-here",
    "the-",
];

/// Beginnings of references to where a secret is kept.
#[rustfmt::skip]
const STORES: &[&str] = &[
    "op://", "vault:", "vault://", "secret://", "secrets://", "env:", "env://", "file:", "file://", "fd:", "arn:", "ref+", "keyring:", "sops:", "enc[", "enc(", "doppler://",
    "ssm:", "ssm://", "awssm://", "gcpsm://", "gcp-secret://", "keychain:", "secretref:", "secretkeyref", "valuefrom", "azurekeyvault", "@microsoft.keyvault", "pkcs11:", "credhub:",
    "data:image", "sha256:", "sha512:", "sha1:", "sha256-", "sha384-", "sha512-", "h1:", "ssh-ed25519 ", "ssh-rsa ", "ecdsa-sha2-", "sk-ssh-",
    "pk_live_", "pk_test_", "-----begin public", "-----begin certificate", "-----begin rsa public",
];

/// Objects that code reads secrets from.
const CODE_ROOTS: &[&str] = &[
    "process.env",
    "os.environ",
    "os.getenv",
    "import.meta",
    "deno.env",
    "env[",
    "env::var",
    "system.getenv",
    "environment.",
];

/// Places that printf(3) and its kin fill in.
const FORMATS: &[&str] = &["%s", "%d", "%v", "%q", "%x", "%r", "%@", "%+v"];

/// Beginnings of regular expressions, as searches for secrets have them.
const EXPRESSIONS: &[&str] = &[".*", ".+", "[^", "\\S", "\\w", "\\s", "(.", "(\\", "(?"];

/// Whether `value`, behind a name of this strength in this place, is a secret.
pub(super) fn is_secret(value: &str, strength: Strength, place: ValueSyntax) -> bool {
    let trimmed = value.trim_matches(|character: char| character.is_whitespace() || character == ',');
    if !trimmed.contains(char::is_alphanumeric) {
        return false;
    }
    if is_kept_elsewhere(trimmed) || is_filler(trimmed) || is_collection(trimmed) {
        return false;
    }
    if matches!(place, ValueSyntax::Line | ValueSyntax::Inline)
        && trimmed.starts_with(['{', '['])
        && !trimmed.starts_with("[]")
    {
        return false;
    }
    if trimmed.len() > MAX_LOOK_ALIKE {
        return !matches!(strength, Strength::Weak | Strength::Random) || !trimmed.contains(char::is_whitespace);
    }
    if is_prose_abroad(trimmed) {
        return false;
    }
    let lower = trimmed.to_ascii_lowercase();
    if is_reference(trimmed, &lower) || is_empty_word(&lower) || is_number(&lower, strength, place) {
        return false;
    }
    match strength {
        Strength::Weak => looks_random(trimmed),
        Strength::Random => looks_random(trimmed) || is_digest(trimmed),
        Strength::Strong if place == ValueSyntax::Quoted => !is_sentence(&lower),
        Strength::Medium if place == ValueSyntax::Quoted => !is_phrase(trimmed),
        Strength::Strong => !is_code(trimmed, place) && !is_word(trimmed, &lower, place, false),
        Strength::Medium => !is_code(trimmed, place) && !is_word(trimmed, &lower, place, true),
    }
}

/// Whether a number in JSON, behind a name of this strength, is a secret.
pub(super) fn is_secret_number(digits: &str, strength: Strength) -> bool {
    let least = match strength {
        Strength::Strong => MIN_DIGITS,
        Strength::Medium => MIN_DIGITS_MEDIUM,
        Strength::Random | Strength::Weak => return false,
    };
    digits.len() >= least && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a text is made of one character, of asterisks or crosses, or tells what to put there.
/// This much is asked about every token too.
pub(super) fn is_filler(text: &str) -> bool {
    if is_repeated(text) {
        return true;
    }
    let head: String = text.chars().take(MAX_LOOK_ALIKE).collect::<String>().to_ascii_lowercase();
    if text.len() > MAX_LOOK_ALIKE {
        return false;
    }
    let head = head.trim_start_matches(['-', '_', '.', '<', '[', '(']);
    INSTRUCTIONS.iter().any(|start| head.starts_with(start))
        || head.ends_with("-here")
        || head.ends_with("_here")
        || head.contains("xxxxxx")
        || head.contains("***")
        || head.contains("...") && head.len() < 24
        || head.contains('…') && head.len() < 24
}

/// One letter or digit, or one sign, throughout.
fn is_repeated(text: &str) -> bool {
    let mut inner = text.bytes().filter(|byte| !matches!(byte, b'-' | b'_' | b'.' | b'/' | b' '));
    let Some(first) = inner.next() else { return true };
    text.len() > 2 && inner.all(|byte| byte.eq_ignore_ascii_case(&first))
}

fn is_kept_elsewhere(value: &str) -> bool {
    STORES.iter().any(|store| value.get(..store.len()).is_some_and(|head| head.eq_ignore_ascii_case(store)))
}

/// `$X`, `${X}`, `$(…)`, `%X%`, `{{…}}`, `{x}`, `<…>`, `[…]`, `` `…` ``, `!vault …`, `@file`.
fn is_reference(value: &str, lower: &str) -> bool {
    let inside = |open: &str, close: &str| value.starts_with(open) && value.ends_with(close);
    if value.contains("${")
        || value.contains("$(")
        || value.contains("{{")
        || value.contains("<%")
        || value.contains("#{")
    {
        return true;
    }
    let name = |text: &str| {
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_:.[]'\"@*?#".contains(&byte))
    };
    if let Some(rest) = value.strip_prefix('$') {
        return name(rest.trim_end_matches([';', ')', '}', '&', '/']));
    }
    let named = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.:- ".contains(&byte));
    inside("<", ">")
        || value.starts_with('<') && !value.contains('>')
        || inside("%", "%") && name(value.trim_matches('%'))
        || inside("{", "}") && named(value.trim_matches(['{', '}']))
        || inside("[", "]") && named(value.trim_matches(['[', ']']))
        || inside("(", ")") && named(value.trim_matches(['(', ')']))
        || inside("`", "`")
        || inside("%(", ")s")
        || inside("__", "__")
        || inside("@", "@")
        || lower.starts_with("!vault")
        || lower.starts_with("!ref")
        || lower.starts_with("!sub")
        || lower.starts_with("!secret")
        || lower.starts_with("!env")
        || lower.starts_with("!getatt")
        || lower.starts_with("!importvalue")
        || value.starts_with('@') && value.contains(['/', '.'])
        || FORMATS.contains(&value)
        || EXPRESSIONS.iter().any(|start| value.starts_with(start))
        || CODE_ROOTS.iter().any(|root| lower.starts_with(root))
}

fn is_empty_word(lower: &str) -> bool {
    let bare = lower.trim_start_matches(['(', '[']).trim_end_matches([';', ',', '.', ')', ']', '!', '?', ':']);
    EMPTY_WORDS.contains(&bare) || foreign_names::is_name(bare)
}

/// Words of another script than the Latin one, or several with letters outside of ASCII: nobody types these where
/// nothing is shown, but programs that speak such a language say them.
fn is_prose_abroad(value: &str) -> bool {
    let is_word = |character: char| character.is_alphabetic() || !character.is_ascii() && !character.is_numeric();
    let is_other = |character: char| character > LAST_LATIN && character.is_alphabetic();
    // Where no blanks divide words, names and numbers stand between them.
    let is_undivided = || {
        let signs = value.chars().filter(|character| *character >= FIRST_UNDIVIDED).count();
        signs >= 4 && signs * 2 >= value.chars().count()
    };
    !value.is_ascii()
        && (value.chars().all(|character| is_word(character) || " ,.:;!?'()/-\"".contains(character))
            && (value.contains(' ') || value.contains(is_other))
            || is_undivided())
}

/// Numbers with units, dates and versions. Six digits or more behind a password are one, but inside of a line.
fn is_number(lower: &str, strength: Strength, place: ValueSyntax) -> bool {
    let digits = lower.trim_start_matches(['-', '+']);
    let unit = digits.trim_start_matches(|character: char| character.is_ascii_digit() || "._,".contains(character));
    let is_number = unit.len() < digits.len()
        && matches!(
            unit,
            "" | "ms" | "s" | "m" | "h" | "d" | "w" | "y" | "kb" | "mb" | "gb" | "k" | "b" | "%" | ";" | ")"
        );
    let is_plain = || place == ValueSyntax::Quoted || lower.bytes().all(|byte| byte.is_ascii_digit());
    let is_password = strength == Strength::Strong
        && place != ValueSyntax::Inline
        && unit.is_empty()
        && digits.len() >= MIN_DIGITS_IN_TEXT
        && is_plain();
    is_number && !is_password
}

/// Prose in quotes: several words without anything random.
fn is_phrase(value: &str) -> bool {
    let words = value.split_whitespace().count();
    let lower = value.to_ascii_lowercase();
    if words >= 2 {
        let mixed = |word: &str| {
            word.contains(|sign: char| sign.is_ascii_digit()) && word.contains(|sign: char| sign.is_ascii_alphabetic())
        };
        return !value.split_whitespace().any(mixed);
    }
    TYPES.contains(&lower.as_str()) || is_url_or_path(value)
}

/// An object or array in JSON: what is secret in it has a name of its own.
fn is_collection(value: &str) -> bool {
    ["{\"", "{\\\"", "[{", "[\""].iter().any(|open| value.starts_with(open))
}

/// Prose even behind `password`: three words or more, one of them a word that no passphrase needs.
fn is_sentence(lower: &str) -> bool {
    lower.split_whitespace().count() >= 3 && lower.split_whitespace().any(|word| PROSE.contains(&word))
}

/// Code that computes the value: calls, fields, indices, or the name of another variable.
fn is_code(value: &str, place: ValueSyntax) -> bool {
    if place == ValueSyntax::Option {
        return value.starts_with(['-', '='])
            || value.starts_with("id=")
            || is_url_or_path(value) && !value.contains('@');
    }
    let bare = value.trim_end_matches([';', ',', ')', '}', ']']);
    let head: &str = bare.split(['(', '[', '<']).next().unwrap_or_default();
    let is_chain = !head.is_empty()
        && head
            .trim_start_matches(['&', '*', '!', '@', ':', '?'])
            .split(['.', ':', '?', '-', '>'])
            .all(is_identifier_or_empty);
    if head.len() < bare.len() && is_chain && ["(", "[\"", "['"].iter().any(|open| value.contains(open)) {
        return true;
    }
    let has_digit = head.contains(|character: char| character.is_ascii_digit());
    let joined = bare.contains('.') || bare.contains("::") || bare.contains("->");
    if is_chain && !has_digit && joined {
        return true;
    }
    if is_url_or_path(value) && !value.contains('@') {
        return true;
    }
    // `SECRET_NAME`: a constant, or a placeholder as manuals write it.
    if value.contains('_') && value.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_') {
        return true;
    }
    // `password=password`, `token: accessToken`: a variable that is named like what it holds.
    let is_hyphenated = place == ValueSyntax::Assigned && head.matches('-').count() > 1;
    is_chain && !has_digit && !is_hyphenated && names_a_secret(head)
}

fn is_identifier_or_empty(text: &str) -> bool {
    !text.starts_with(|character: char| character.is_ascii_digit())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$')
}

fn names_a_secret(identifier: &str) -> bool {
    let words = words_of(identifier);
    identifier
        .trim_start_matches(['&', '*', '!', '@', ':'])
        .starts_with(|first: char| first.is_ascii_lowercase() || first == '_')
        && words.iter().all(|word| word.chars().all(char::is_alphabetic))
        && words.iter().any(|word| {
            matches!(
                word.as_str(),
                "password"
                    | "passwd"
                    | "token"
                    | "secret"
                    | "key"
                    | "credentials"
                    | "credential"
                    | "apikey"
                    | "passphrase"
                    | "pwd"
                    | "auth"
            )
        })
}

/// Words: types, prose, and where names also occur in prose, whatever has no digit and no mixed case.
fn is_word(value: &str, lower: &str, place: ValueSyntax, strict: bool) -> bool {
    let bare = lower.trim_end_matches([';', ',', ')', '|', '?', '=', '!', '.', ':']);
    if TYPES.contains(&bare) || place != ValueSyntax::Assigned && PROSE.contains(&bare) {
        return true;
    }
    let declared = value.ends_with([';', ',', '|', '>', ')', '{', '}'])
        || value.contains(['<', '>', '|']) && place != ValueSyntax::Assigned;
    let accented = strict && !bare.is_ascii() && bare.chars().all(char::is_alphabetic);
    let alphabetic = accented
        || !bare.is_empty() && bare.bytes().all(|byte| byte.is_ascii_alphabetic() || b"_-<>|[]&'?".contains(&byte));
    match place {
        ValueSyntax::Inline => alphabetic && !looks_random(value),
        ValueSyntax::Line => alphabetic && (declared || strict && !has_mixed_case(value) || is_type_name(value)),
        ValueSyntax::Option => false,
        ValueSyntax::Assigned | ValueSyntax::Quoted => alphabetic && strict && bare.len() < 6,
    }
}

/// `AccessToken`, `SecretStr`: words in title case that end like a type.
fn is_type_name(value: &str) -> bool {
    let ends = [
        "Token",
        "String",
        "Str",
        "Type",
        "Key",
        "Secret",
        "Password",
        "Config",
        "Credentials",
        "Provider",
        "Schema",
        "Field",
        "Value",
        "Input",
        "Option",
    ];
    value.starts_with(|character: char| character.is_ascii_uppercase()) && ends.iter().any(|end| value.ends_with(end))
}

fn has_mixed_case(value: &str) -> bool {
    let inner = value.get(1..).unwrap_or_default();
    inner.contains(|character: char| character.is_ascii_uppercase())
        && value.contains(|character: char| character.is_ascii_lowercase())
}

fn is_url_or_path(value: &str) -> bool {
    let is_windows = value.get(1..3) == Some(":\\") || value.get(1..3) == Some(":/");
    value.starts_with(['/', '~']) && value.contains('/') && !is_base64(value)
        || value.starts_with("./")
        || value.starts_with("../")
        || is_windows
        || value.contains("://") && !value.contains('@')
}

/// Base64 may begin with a slash: signs that paths do without, or a long part that mixes everything.
fn is_base64(value: &str) -> bool {
    let mixes = |part: &str| {
        part.len() >= 12
            && part.bytes().any(|byte| byte.is_ascii_digit())
            && part.bytes().any(|byte| byte.is_ascii_uppercase())
            && part.bytes().any(|byte| byte.is_ascii_lowercase())
    };
    value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte))
        && (value.contains(['+', '=']) || value.split('/').any(mixes))
}

/// Whether a text behind another one can be its secret: letters and digits, and not itself a name.
pub(super) fn mixes(value: &str) -> bool {
    value.len() >= 6
        && !value.contains(char::is_whitespace)
        && value.contains(|character: char| character.is_ascii_digit())
        && value.contains(|character: char| character.is_ascii_alphabetic())
        && !names_a_secret(value.trim_end_matches(|character: char| character.is_ascii_digit()))
}

/// Whether a text looks like a made-up one: long, with letters and digits, and none of the public
/// identifiers and digests.
pub(super) fn looks_random(value: &str) -> bool {
    let value = value
        .trim_matches(|character: char| !character.is_ascii_alphanumeric() && !matches!(character, '=' | '+' | '/'));
    value.len() >= MIN_WEAK
        && !value.contains(char::is_whitespace)
        && (value.contains(|character: char| character.is_ascii_digit()) || value.ends_with('='))
        && value.contains(|character: char| character.is_ascii_alphabetic())
        && !is_identifier_or_digest(value)
        && !is_url_or_path(value)
        && !is_slug(value)
}

/// Digests and identifiers whose form says nothing about what they are for.
pub(super) fn is_digest(value: &str) -> bool {
    let hex = value.bytes().all(|byte| byte.is_ascii_hexdigit());
    let uuid = value.len() == 36 && value.matches('-').count() == 4;
    (hex && matches!(value.len(), 40 | 64 | 128) || uuid) && is_identifier_or_digest(value)
}

/// Whether a word has small and capital letters and digits, as no word of prose has.
pub(super) fn is_jumbled(value: &str) -> bool {
    value.len() >= 8
        && value.bytes().any(|byte| byte.is_ascii_lowercase())
        && value.bytes().any(|byte| byte.is_ascii_uppercase())
        && value.bytes().any(|byte| byte.is_ascii_digit())
        && !is_slug(value)
        && !is_url_or_path(value)
        && !value.contains(['(', '<', '{', '$', '='])
}

/// Git objects and SHA-256 (40 and 64 hexadecimal digits), UUID (RFC 9562), ULID, digests of npm, Go
/// and container registries.
fn is_identifier_or_digest(value: &str) -> bool {
    let hex = value.bytes().all(|byte| byte.is_ascii_hexdigit());
    let uuid = value.len() == 36
        && value.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
        && value.matches('-').count() == 4;
    let ulid = value.len() == 26
        && value.starts_with('0')
        && value.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    hex && matches!(value.len(), 40 | 64 | 128) || uuid || ulid || value.starts_with("0x") || is_kept_elsewhere(value)
}

/// Words and numbers joined by separators: file names, versions, host names, object keys.
fn is_slug(value: &str) -> bool {
    let parts: Vec<&str> = value.split(['-', '_', '.', '/', ':', '@', ' ']).filter(|part| !part.is_empty()).collect();
    let plain = |part: &&str| {
        let letters = part.trim_start_matches(|character: char| character.is_ascii_digit());
        let letters = letters.trim_end_matches(|character: char| character.is_ascii_digit());
        // A short hash is part of a name too.
        let hash = part.len() <= 12 && part.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
        hash || letters.bytes().all(|byte| byte.is_ascii_lowercase())
            || letters.bytes().all(|byte| byte.is_ascii_uppercase())
    };
    parts.len() > 1 && parts.iter().all(plain) && parts.iter().all(|part| part.len() < 16)
}
