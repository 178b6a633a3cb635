//! Fixed wordings around a secret that are not name and value.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::OnceLock;

use aho_corasick::AhoCorasick;
use regex::bytes::{Regex, RegexBuilder};

use super::super::look_alikes::{self, ValueSyntax};
use super::super::secrecy::Strength;
use super::super::span::{Rank, Span};

/// One wording: the kind of secret, what the wording says about it, texts of which one occurs in it
/// (in any case), and the regular expression whose group `secret`, `quoted` or `bare` is the secret.
type Wording = (&'static str, Strength, &'static [&'static str], &'static str);

/// The wordings. Every repetition is bounded, so that finding all is linear.
const WORDINGS: &[Wording] = &[
    // SQL: MySQL 8 `CREATE USER`, Oracle `IDENTIFIED BY`, PostgreSQL `PASSWORD 'x'`.
    (
        "password",
        Strength::Strong,
        &["identified"],
        r#"(?i)\bidentified\s{1,9}(?:with\s{1,9}['"`\w]{1,64}\s{1,9})?(?:by|as)\s{1,9}(?:password\s{1,9})?(?:'(?<secret>[^'\n]{1,256})'|"(?<quoted>[^"\n]{1,256})"|(?<bare>[\w$#@!.-]{1,128}))"#,
    ),
    // MySQL and MariaDB: `SET PASSWORD FOR user = 'x'`, `… TO 'x'`.
    (
        "password",
        Strength::Strong,
        &["password"],
        r#"(?i)\bset\s{1,9}password\s{1,9}(?:for\s{1,9}[^\s=]{1,128}\s{0,9})?(?:=|to)\s{0,9}(?:\\?"(?<quoted>[^"\n]{1,256}?)\\?"|'(?<secret>[^'\n]{1,256})')"#,
    ),
    // crypt(3) and pgcrypto: `crypt('x', salt)`.
    ("password", Strength::Strong, &["crypt("], r#"\bcrypt\(\s{0,9}["'](?<secret>[^"'\n]{1,256})["']\s{0,9},"#),
    // Redis ACL: `ACL SETUSER user on >x`, and the same in its files.
    (
        "password",
        Strength::Strong,
        &["setuser", "user "],
        r#"(?im)(?:\bACL\s{1,9}SETUSER\s{1,9}\S{1,64}|^\s{0,9}user\s{1,9}\S{1,64}\s{1,9}(?:on|off|reset))(?:\s{1,9}[^\s>]{1,64}){0,16}\s{1,9}["']?>(?<secret>[^\s"'>]{1,256})"#,
    ),
    // PowerShell: `ConvertTo-SecureString "x" -AsPlainText`, and credentials made of two texts.
    (
        "password",
        Strength::Strong,
        &["securestring"],
        r#"(?i)ConvertTo-SecureString\s{1,9}(?:-String\s{1,9})?(?:\\?"(?<secret>[^"\n]{1,256}?)\\?"|'(?<quoted>[^'\n]{1,256})'|(?<bare>[^\s"'$()|-][^\s"'|)]{0,255}))"#,
    ),
    (
        "password",
        Strength::Strong,
        &["networkcredential"],
        r#"(?i)NetworkCredential\]?(?:::new)?\s{0,9}\(\s{0,9}["'][^"'\n]{1,128}["']\s{0,9},\s{0,9}["'](?<secret>[^"'\n]{1,256})["']"#,
    ),
    // .pgpass (libpq manual, "The Password File"): a colon in a field is escaped, and an address has some.
    (
        "password",
        Strength::Strong,
        &[":"],
        r#"(?m)^(?:\[[0-9a-fA-F:.]{2,45}\]|(?:[\w.*/-]|\\[:\\]){1,128}):(?:\d{1,5}|\*):(?:[\w.*-]|\\[:\\]){1,64}:(?:[\w.*-]|\\[:\\]){1,64}:(?<secret>[^\s:]{1,256})$"#,
    ),
    (
        "password",
        Strength::Strong,
        &["::"],
        r#"(?m)^[0-9a-fA-F:]{0,36}::[0-9a-fA-F:]{0,36}:\d{4,5}:[\w.*-]{1,64}:[\w.*-]{1,64}:(?<secret>[^\s:]{1,256})$"#,
    ),
    // `net use x: \\host\share PASSWORD /user:NAME`.
    (
        "password",
        Strength::Strong,
        &["net"],
        r#"(?i)\bnet\s{1,9}use\s{1,9}(?:\w:\s{1,9})?\\\\\S{1,160}\s{1,9}(?:"(?<quoted>[^"\n]{1,128})"|(?<secret>[^\s/*"][^\s"]{0,127}))"#,
    ),
    // SQL*Plus and JDBC thin: `user/password@host`.
    (
        "password",
        Strength::Strong,
        &["/"],
        r#"\b(?:sqlplus|sqlldr|exp|imp|expdp|impdp|rman)\s{1,9}(?:-\w{1,12}\s{1,9}){0,4}['"]?\w{1,64}/(?:"(?<quoted>[^"\n]{1,128})"|(?<secret>[^\s@'"/]{1,128}))@"#,
    ),
    ("password", Strength::Strong, &["jdbc:oracle"], r"jdbc:oracle:\w{1,12}:\w{1,64}/(?<secret>[^\s@'/]{1,128})@"),
    // Commands whose secret is a position.
    (
        "token",
        Strength::Medium,
        &["auth", "login"],
        r#"\b(?:vault|cargo|npm|snyk|ngrok|netlify|hf|huggingface-cli)\s{1,9}(?:config\s{1,9})?(?:login|auth|authtoken|add-authtoken)\s{1,9}['"]?(?<secret>[A-Za-z0-9_.-]{16,512})"#,
    ),
    (
        "password",
        Strength::Strong,
        &["htpasswd"],
        r#"\bhtpasswd\s{1,9}(?:-\w{0,8}b\w{0,8})(?:\s{1,9}-\w{1,8}(?:\s{1,9}\d{1,2})?){0,3}(?:\s{1,9}[^\s-]\S{0,255})?\s{1,9}[^\s-]\S{0,63}\s{1,9}(?:'(?<quoted>[^'\n]{1,256})'|"(?<secret>[^"\n]{1,256})"|(?<bare>[^\s'"|;&<>-][^\s'"|;&<>]{0,255}))"#,
    ),
    (
        "password",
        Strength::Strong,
        &["rabbitmqctl"],
        r#"\brabbitmqctl\s{1,9}(?:add_user|change_password|authenticate_user)\s{1,9}\S{1,64}\s{1,9}['"]?(?<secret>[^\s'"|;&]{1,256})"#,
    ),
    (
        "password",
        Strength::Strong,
        &["net"],
        r#"(?i)\bnet\s{1,9}user\s{1,9}[\w.$-]{1,64}\s{1,9}(?:"(?<quoted>[^"\n]{1,128})"|(?<secret>[^\s/*"][^\s"]{0,127}))"#,
    ),
    (
        "password",
        Strength::Strong,
        &["net"],
        r#"(?i)\bnet\s{1,9}use\s{1,9}[^\n]{1,160}?/user:\S{1,64}\s{1,9}(?:"(?<quoted>[^"\n]{1,128})"|(?<secret>[^\s/*"][^\s"]{0,127}))"#,
    ),
    (
        "password",
        Strength::Strong,
        &["wpa_passphrase"],
        r#"\bwpa_passphrase\s{1,9}(?:"[^"\n]{1,64}"|\S{1,64})\s{1,9}(?:"(?<quoted>[^"\n]{1,64})"|'(?<bare>[^'\n]{1,64})'|(?<secret>[^\s'"|;&>]{8,64}))"#,
    ),
    (
        "secret",
        Strength::Strong,
        &["mc"],
        r#"\bmc\s{1,9}(?:alias\s{1,9}set|config\s{1,9}host\s{1,9}add)\s{1,9}\S{1,64}\s{1,9}\S{1,256}\s{1,9}\S{1,128}\s{1,9}['"]?(?<secret>[^\s'"|;&]{4,256})"#,
    ),
    (
        "password",
        Strength::Strong,
        &["auth"],
        r#"(?m)(?:^|[\s"'])AUTH\s{1,9}(?:\w{1,32}\s{1,9})?(?<secret>[^\s"']{3,64}[0-9][^\s"']{0,64})"#,
    ),
    (
        "secret",
        Strength::Strong,
        &["secret"],
        r#"\bgh\s{1,9}secret\s{1,9}set\s{1,9}[^\n|;&]{1,160}?(?:--body[\s=]|-b[\s=]?)\s{0,9}(?:"(?<quoted>[^"\n]{1,512})"|'(?<bare>[^'\n]{1,512})'|(?<secret>[^\s"'|;&$<][^\s"'|;&]{0,511}))"#,
    ),
    // expect(1) answers a question for a password.
    (
        "password",
        Strength::Strong,
        &["send"],
        r#"(?i)(?:password|passphrase)[^\n]{0,12}?["'}\]]{0,2}[;\s{]{1,9}(?:exp_)?send\s{1,9}(?:--\s{1,9})?\\?"(?<secret>[^"\n]{1,128}?)(?:\\{1,2}[rn])?\\?""#,
    ),
    // mysqladmin(1) `password`, `grafana-cli admin reset-admin-password`.
    (
        "password",
        Strength::Strong,
        &["mysqladmin", "reset-admin-password"],
        r#"\b(?:mysqladmin\b[^\n|;&]{0,80}?\spassword|reset-admin-password)\s{1,9}(?:'(?<quoted>[^'\n]{1,128})'|"(?<secret>[^"\n]{1,128})"|(?<bare>[^\s'"|;&<>-][^\s'"|;&<>]{0,127}))"#,
    ),
    // Composer, Poetry: `config http-basic.HOST USER SECRET`, `config github-oauth.HOST TOKEN`.
    (
        "password",
        Strength::Strong,
        &["http-basic", "-oauth.", "-token."],
        r#"\bconfig\s[^\n|;&]{0,80}?(?:http-basic\.\S{1,80}\s{1,9}[^\s"']{1,64}|(?:github-oauth|gitlab-token|gitlab-oauth|bitbucket-oauth)\.\S{1,80})\s{1,9}['"]?(?<secret>[^\s'"|;&]{1,256})"#,
    ),
    // Commands whose secret is a position and may look like an identifier.
    (
        "token",
        Strength::Strong,
        &["setapikey", "unseal"],
        r#"(?i)\b(?:nuget(?:\.exe)?\s{1,9}setapikey|operator\s{1,9}unseal)\s{1,9}['"]?(?<secret>[A-Za-z0-9_.+/=-]{16,512})"#,
    ),
    // `aws ssm put-parameter --type SecureString --value SECRET`.
    (
        "secret",
        Strength::Strong,
        &["securestring"],
        r#"(?i)--type[\s=]{1,9}SecureString\s[^\n|;&]{0,160}?--value[\s=]{1,9}(?:'(?<quoted>[^'\n]{1,1024})'|"(?<secret>[^"\n]{1,1024})"|(?<bare>[^\s'"|;&<>]{1,1024}))"#,
    ),
    (
        "secret",
        Strength::Strong,
        &["securestring"],
        r#"(?i)--value[\s=]{1,9}(?:'(?<quoted>[^'\n]{1,1024})'|"(?<secret>[^"\n]{1,1024})"|(?<bare>[^\s'"|;&<>]{1,1024}))\s[^\n|;&]{0,160}?--type[\s=]{1,9}SecureString\b"#,
    ),
    // qpdf(1) `--encrypt USER OWNER BITS`.
    (
        "password",
        Strength::Strong,
        &["--encrypt"],
        r#"\bqpdf\b[^\n|;&]{0,80}--encrypt\s{1,9}(?<secret>[^\s"'-][^\s"']{0,127})\s"#,
    ),
    (
        "password",
        Strength::Strong,
        &["--encrypt"],
        r#"\bqpdf\b[^\n|;&]{0,80}--encrypt\s{1,9}\S{1,128}\s{1,9}(?<secret>[^\s"'-][^\s"']{0,127})\s{1,9}\d{2,3}\b"#,
    ),
    // A line of .pgpass that a command writes.
    (
        "password",
        Strength::Strong,
        &["pgpass"],
        r#"["'\s][\w.*-]{1,128}:(?:\d{1,5}|\*):[\w.*-]{1,64}:[\w.*-]{1,64}:(?<secret>[^\s:"'\\]{1,256})(?:\\n)?["'\s]"#,
    ),
    // JSON Web Key (RFC 7518, section 6): private and symmetric parts.
    (
        "private-key",
        Strength::Strong,
        &["kty"],
        r#""(?:d|p|q|dp|dq|qi|k)\\?"\s{0,9}:\s{0,9}\\?"(?<secret>[A-Za-z0-9_-]{20,1024})"#,
    ),
    // PHP Data Objects: `new PDO(dsn, user, password)`.
    (
        "password",
        Strength::Strong,
        &["pdo("],
        r#"(?i)\bnew\s{1,9}\\?PDO\([^,\n]{1,256},\s{0,9}[^,\n]{1,128},\s{0,9}["'](?<secret>[^"'\n]{1,256})["']"#,
    ),
    // HTML, 4.10.5.1.6: an input that hides what it holds.
    (
        "password",
        Strength::Strong,
        &["<input"],
        r#"(?i)<input\b[^<>]{0,256}?\btype\s{0,3}=\s{0,3}["']?password\b[^<>]{0,256}?\svalue\s{0,3}=\s{0,3}(?:"(?<secret>[^"\n]{1,256})"|'(?<quoted>[^'\n]{1,256})')"#,
    ),
    (
        "password",
        Strength::Strong,
        &["<input"],
        r#"(?i)<input\b[^<>]{0,256}?\svalue\s{0,3}=\s{0,3}(?:"(?<secret>[^"\n]{1,256})"|'(?<quoted>[^'\n]{1,256})')[^<>]{0,256}?\btype\s{0,3}=\s{0,3}["']?password\b"#,
    ),
    // Basic authentication in code: requests, Go, reqwest.
    (
        "password",
        Strength::Strong,
        &["auth"],
        r#"(?i)(?:\bauth\s{0,3}=\s{0,3}|basic_?auth)\(\s{0,9}\\?["'][^"'\n]{1,128}?\\?["']\s{0,9},\s{0,9}(?:Some\(\s{0,9})?\\?["'](?<secret>[^"'\s]{1,256}?)\\?["']"#,
    ),
    // A user and a password side by side: Java, C#, Python, Go, PHP.
    (
        "password",
        Strength::Strong,
        &[".login(", "credential", "passwordauthentication(", "usernamepasswordtoken("],
        r#"(?:\.login|\b(?:Sql|UsernamePassword|NT|Basic|BasicAWS|AwsBasic)Credentials?|PasswordAuthentication|UsernamePasswordToken)\(\s{0,9}["'][^"'\n]{1,128}["']\s{0,9},\s{0,9}["'](?<secret>[^"'\s]{1,256})["']"#,
    ),
    (
        "password",
        Strength::Strong,
        &["getconnection(", "plainauth(", "mysqli", "mysql_connect("],
        r#"(?:getConnection\(\s{0,9}[^,\n()]{1,200}|PlainAuth\(\s{0,9}"[^"\n]{0,64}"|\b(?:mysqli|mysqli_connect|mysql_connect)\(\s{0,9}["'][^"'\n]{1,128}["'])\s{0,9},\s{0,9}["'][^"'\n]{1,128}["']\s{0,9},\s{0,9}["'](?<secret>[^"'\s]{1,256})["']"#,
    ),
    // What makes a hash of a password: bcrypt, Django, Werkzeug.
    (
        "password",
        Strength::Strong,
        &["bcrypt.", "make_password(", "generate_password_hash("],
        r#"\b(?:bcrypt\.(?:hash|hashSync|hashpw|compare|compareSync|GenerateFromPassword)|make_password|generate_password_hash)\(\s{0,9}(?:\[\]byte\(|b)?["'](?<secret>[^"'\s]{1,256})["']"#,
    ),
    // A password that a test types: Playwright, Selenium, Cypress.
    (
        "password",
        Strength::Strong,
        &[".fill", ".type", ".send", ".setvalue", ".press"],
        r#"(?i)pass(?:word|wd|code|phrase)[^\n;()"'`]{0,16}["'`]?\]?["'`]?(?:,\s{0,3}\{[^\n{}]{0,60}\})?\)\.(?:first\(\)\.)?(?:fill|type|sendKeys|send_keys|setValue|pressSequentially|press_sequentially)\(\s{0,9}(?:"(?<secret>[^"\n]{1,256})"|'(?<quoted>[^'\n]{1,256})')"#,
    ),
    // Keys of message authentication codes and of JSON Web Tokens (RFC 2104, RFC 7519).
    (
        "secret",
        Strength::Strong,
        &["createhmac", "hmac.new"],
        r#"(?i)(?:createHmac\(\s{0,9}["'][\w-]{1,20}["']\s{0,9},\s{0,9}|\bhmac\.new\(\s{0,9}(?:[\w.]{1,32},\s{0,9}\[\]byte\()?b?)["'](?<secret>[^"'\s]{1,256})["']"#,
    ),
    (
        "secret",
        Strength::Strong,
        &["jwt."],
        r#"\bjwt\.(?:sign|verify|encode|decode)\(\s{0,9}(?:[\w.$]{1,80}|\{[^{}\n]{0,200}\}),\s{0,9}b?["'](?<secret>[^"'\s]{1,256})["']"#,
    ),
    // User information of a URL that is encoded itself.
    (
        "url-password",
        Strength::Strong,
        &["%3A%2F%2F"],
        r#"(?i)%3A%2F%2F[\w.~-]{0,64}%3A(?<secret>[\w.~!*()%+-]{1,256}?)%40"#,
    ),
    // Authorization codes (RFC 6749, section 4.1.2) and function keys in a query.
    ("code", Strength::Weak, &["code="], r#"[?&]code=(?<secret>[A-Za-z0-9_.~%/=-]{20,2048})"#),
    // Signatures of addresses that were signed beforehand.
    (
        "signature",
        Strength::Random,
        &["signature="],
        r#"(?i)[?&]X-(?:Amz|Goog)-Signature=(?<secret>[0-9a-f]{16,1024})"#,
    ),
    ("token", Strength::Strong, &["sonar.login"], r#"sonar\.login=['"]?(?<secret>[A-Za-z0-9_]{20,128})"#),
    // RFC 6750: a bearer token outside of its header.
    ("token", Strength::Weak, &["bearer"], r"(?i)\bbearer(?:\s{1,9}|%20)(?<secret>[A-Za-z0-9._~+/=-]{16,4096})"),
    // Prose: `the password is Xy12…`, only with a digit or a sign inside.
    (
        "password",
        Strength::Strong,
        &["pass"],
        r#"(?i)\b(?:password|passphrase|passwd)\s{1,3}(?:(?:for|of)\s{1,3}[^\s:]{1,64}\s{1,3})?(?:is|was):?\s{1,3}["'`]?(?<secret>[^\s"'`]{0,64}[A-Za-z][^\s"'`]{0,64}[0-9][^\s"'`,;]{0,64})"#,
    ),
    (
        "secret",
        Strength::Strong,
        &["sharedaccess"],
        r#"(?i)\bdefault(?:endpointsprotocol)?[^\n"']{0,200};SharedAccess(?:Key|Signature)=(?<secret>[^\s;"']{8,1024})"#,
    ),
];

/// The wordings, each compiled when one of its texts occurs for the first time: together they take 12 MB, and most are
/// never needed.
#[derive(Debug)]
pub(super) struct Phrases {
    compiled: Vec<OnceLock<Option<Regex>>>,
    /// All texts of [`WORDINGS`], and for each the wording that it belongs to: most texts have none of
    /// them, and no wording is tried on those.
    texts: Option<AhoCorasick>,
    owners: Vec<usize>,
}

impl Phrases {
    pub(super) fn new() -> Self {
        let texts = WORDINGS.iter().flat_map(|(_, _, texts, _)| texts.iter());
        let owners = WORDINGS.iter().enumerate().flat_map(|(owner, (_, _, texts, _))| texts.iter().map(move |_| owner));
        Self {
            compiled: WORDINGS.iter().map(|_| OnceLock::new()).collect(),
            texts: AhoCorasick::builder().ascii_case_insensitive(true).build(texts).ok(),
            owners: owners.collect(),
        }
    }

    pub(super) fn find(&self, text: &str, spans: &mut Vec<Span<'_>>) {
        for index in self.occurring(text) {
            let (Some((kind, strength, _, wording)), Some(compiled)) = (WORDINGS.get(index), self.compiled.get(index))
            else {
                continue;
            };
            // The wordings are fixed; a test compiles each.
            let Some(regex) = compiled.get_or_init(|| compile(wording)) else { continue };
            for captures in regex.captures_iter(text.as_bytes()) {
                let secret = ["secret", "quoted", "bare"].into_iter().find_map(|group| captures.name(group));
                let Some(range) = secret.map(|secret| whole_characters(text, secret.range())) else { continue };
                if look_alikes::is_secret(text.get(range.clone()).unwrap_or_default(), *strength, ValueSyntax::Quoted) {
                    spans.push(Span::new(range, kind, Rank::Structure));
                }
            }
        }
    }

    /// The wordings of which a text occurs.
    fn occurring(&self, text: &str) -> BTreeSet<usize> {
        let mut occurring = BTreeSet::new();
        for hit in self.texts.iter().flat_map(|texts| texts.find_overlapping_iter(text)) {
            occurring.extend(self.owners.get(hit.pattern().as_usize()));
            if occurring.len() == self.compiled.len() {
                break;
            }
        }
        occurring
    }
}

/// Bytes instead of characters keep bounded repetitions small.
fn compile(wording: &str) -> Option<Regex> {
    RegexBuilder::new(wording).unicode(false).build().ok()
}

/// The range with the characters whole that a bounded repetition cut.
fn whole_characters(text: &str, mut range: Range<usize>) -> Range<usize> {
    while !text.is_char_boundary(range.start) {
        range.start -= 1;
    }
    while !text.is_char_boundary(range.end) {
        range.end += 1;
    }
    range
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_wording_compiles() {
        assert!(WORDINGS.iter().all(|(_, _, _, wording)| compile(wording).is_some()));
    }
}
