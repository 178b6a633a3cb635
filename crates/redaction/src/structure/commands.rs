//! Short options and positions of well-known commands that take a secret, from their manual pages.

use super::super::look_alikes::{self, ValueSyntax};
use super::super::secrecy::Strength;
use super::super::span::{Rank, Span};
use super::named::word_end;
use super::view::View;

/// How an option takes its secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Takes {
    /// Glued to the option: `-pSECRET`.
    Glued,
    /// As the next word, or glued.
    Next,
    /// `user:secret` as the next word, or glued.
    Login,
    /// `source:secret` as the next word: `pass:SECRET`.
    Source,
    /// `user%secret`.
    Percent,
    /// `file:secret`.
    Certificate,
}

struct Command {
    names: &'static [&'static str],
    options: &'static [(&'static str, Takes)],
}

use Takes::{Certificate, Glued, Login, Next, Percent, Source};

/// Options by command.
#[rustfmt::skip]
const COMMANDS: &[Command] = &[
    // mysql(1), "-p": without a glued value the client asks.
    Command { names: &["mysql", "mysqldump", "mysqladmin", "mysqlimport", "mysqlcheck", "mysqlshow", "mysqlbinlog", "mysqlslap", "mysqlpump", "mysql_upgrade",
        "mariadb", "mariadb-dump", "mariadb-admin", "mariadb-import", "mariadb-check", "mariadb-show", "mydumper", "mycli", "xtrabackup", "mariabackup"], options: &[("-p", Glued)] },
    Command { names: &["sshpass", "twine", "mongo", "mongosh", "mongodump", "mongorestore", "mongoexport", "mongoimport", "oc", "rdesktop", "mysqlsh", "cqlsh", "clickhouse", "arangosh", "couchbase-cli", "cbq", "psexec", "psexec64"], options: &[("-p", Next)] },
    Command { names: &["docker", "podman", "buildah", "skopeo", "nerdctl", "crane", "oras", "helm", "az", "cf", "regctl", "docker-compose"], options: &[("-p", Next)] },
    Command { names: &["redis-cli", "valkey-cli", "keydb-cli", "redis-benchmark"], options: &[("-a", Next)] },
    Command { names: &["ldapsearch", "ldapadd", "ldapmodify", "ldapdelete", "ldappasswd", "ldapwhoami", "ldapcompare", "ldapmodrdn"], options: &[("-w", Next), ("-s", Next)] },
    Command { names: &["curl", "curlie"], options: &[("-u", Login), ("--user", Login), ("-U", Login), ("--proxy-user", Login), ("-E", Certificate), ("--cert", Certificate), ("--proxy-cert", Certificate)] },
    Command { names: &["wget"], options: &[("-u", Login), ("--user", Login), ("-U", Login), ("--proxy-user", Login)] },
    Command { names: &["http", "https", "xh", "xhs", "ab", "httpie"], options: &[("-a", Login), ("-A", Login), ("--auth", Login)] },
    Command { names: &["7z", "7za", "7zr", "7zz", "rar", "unrar"], options: &[("-p", Glued), ("-hp", Glued)] },
    Command { names: &["zip", "unzip", "zipcloak", "sqlcmd", "bcp", "osql", "isql", "ipmitool", "mosquitto_pub", "mosquitto_sub", "kafkacat"], options: &[("-P", Next)] },
    Command { names: &["plink", "pscp", "psftp", "putty"], options: &[("-pw", Next)] },
    Command { names: &["openssl"], options: &[("-passin", Source), ("-passout", Source), ("-pass", Source), ("-password", Source), ("-k", Next), ("-K", Next), ("-hmac", Next)] },
    Command { names: &["smbclient", "net", "rpcclient", "smbget", "mount.cifs"], options: &[("-U", Percent), ("--user", Percent)] },
    Command { names: &["ssh-keygen"], options: &[("-N", Next), ("-P", Next)] },
    Command { names: &["schtasks"], options: &[("/rp", Next)] },
    Command { names: &["lftp"], options: &[("-u", Login)] },
    Command { names: &["doctl", "vercel", "fly", "flyctl", "gitleaks", "railway", "surge", "codecov", "codecovcli"], options: &[("-t", Next)] },
    Command { names: &["nuget", "dotnet"], options: &[("-k", Next)] },
    Command { names: &["snmpget", "snmpwalk", "snmpset", "snmpbulkwalk"], options: &[("-A", Next), ("-X", Next)] },
    Command { names: &["kadmin", "hydra", "evil-winrm", "crackmapexec", "nxc", "netexec"], options: &[("-p", Next), ("-w", Next)] },
    Command { names: &["influx"], options: &[("-p", Next), ("-t", Next)] },
    Command { names: &["slappasswd"], options: &[("-s", Next)] },
    // useradd(8) and usermod(8): "-p": what crypt(3) makes of the password.
    Command { names: &["useradd", "usermod", "groupadd", "groupmod"], options: &[("-p", Next)] },
    // security(1) of macOS: "-w" of `find-generic-password` takes nothing.
    Command { names: &["add-generic-password", "add-internet-password"], options: &[("-w", Next)] },
    Command { names: &["create-keychain", "unlock-keychain"], options: &[("-p", Next)] },
    Command { names: &["set-keychain-password"], options: &[("-o", Next), ("-p", Next)] },
    Command { names: &["xfreerdp", "wfreerdp", "xfreerdp3"], options: &[("/p:", Glued)] },
];

/// Letters that take no value and may be written before an option in the same word (POSIX utility syntax guideline 5):
/// `-sSfuada:SECRET`.
const FLAGS: &[(&str, &str)] = &[
    ("curl", "#01234:6BGIJLMNORSVZafgijklnpqsv"),
    ("zip", "0123456789:ABCDJKLMTUVXZaefghjklmnopqruvyz"),
    ("redis-cli", "23cex"),
    ("ldapsearch", "23ACILMNRTWZknuvx"),
];

/// Options that take `user:secret` whatever the command.
const LOGIN_OPTIONS: &[&str] = &[
    "--auth",
    "--basic-auth",
    "--http-auth",
    "--proxy-user",
    "--proxy-auth",
    "--userpwd",
    "--credentials",
    "--creds",
    "--basic",
];

/// Digits of the largest port.
const MAX_PORT: usize = 5;

/// Longest word that is looked at as a name or an option, in bytes.
const MAX_WORD: usize = 64;

pub(super) fn find(view: &View<'_>, spans: &mut Vec<Span<'_>>) {
    let mut command: Option<&Command> = None;
    let mut place = 0;
    while place < view.length() {
        let start = view.until(place, |byte| !byte.is_ascii_whitespace() && byte != b',');
        // A new line is a new command, unless the line is continued.
        if view.slice(place..start).contains('\n') && view.before(place) != b'\\' {
            command = None;
        }
        let long = view.until_within(start, MAX_WORD, |byte| byte.is_ascii_whitespace());
        place = item_end(view.slice(start..long)).map_or(long, |length| start + length);
        let word = view.slice(start..place);
        let whole = place;
        if place == long {
            place = view.until(place, |byte| byte.is_ascii_whitespace());
        }
        if word.is_empty() {
            place = place.max(start + 1);
            continue;
        }
        if let Some(found) = command_named(word).filter(|_| whole == place) {
            command = Some(found);
        } else if matches!(word, "|" | "||" | "&&" | ";" | "&") {
            command = None;
        } else if let Some((takes, value)) = option_at(view, command, start, word) {
            value_at(view, takes, value, spans);
        }
        // `mysql;`
        if view.before(place) == b';' {
            command = None;
        }
    }
}

/// Where an item of an array in JSON ends that no blank follows: `"mysql","-pSECRET"`.
fn item_end(word: &str) -> Option<usize> {
    word.match_indices("\",").map(|(place, _)| place + 1).find(|end| *end > 1)
}

/// The command that a word names, whatever its folder and the quotes and brackets before it.
fn command_named(word: &str) -> Option<&'static Command> {
    let word = word.trim_matches(['"', '\'', '`', '(', '$', '\\', '{', '[', ':', ',', '!', '@']);
    let name = word.rsplit(['/', '\\', '"', '(', '`', '=', ':']).next().unwrap_or(word);
    let name = name.strip_suffix(".exe").unwrap_or(name);
    COMMANDS.iter().find(|command| command.names.contains(&name))
}

/// The option that begins at `start`, and where its value begins.
fn option_at(view: &View<'_>, command: Option<&Command>, start: usize, word: &str) -> Option<(Takes, usize)> {
    let option = word.trim_start_matches(['"', '\'', '[', '\\', ',']);
    let start = start + (word.len() - option.len());
    if !option.starts_with(['-', '/']) {
        return None;
    }
    let name = option.split(['=', '"', '\'', '\\', ',']).next().unwrap_or(option);
    let options = command.map_or(&[][..], |command| command.options);
    let general = LOGIN_OPTIONS.iter().find(|option| **option == name).map(|option| (*option, Login));
    let in_bundle = || command.and_then(|command| in_bundle(command, name));
    let bundled = || options.iter().find(|(option, takes)| is_bundle_of(name, option, *takes)).copied();
    let exact = options.iter().find(|(option, _)| *option == name).copied().or(general).or_else(bundled);
    if let Some((_, takes)) = exact {
        return Some((takes, value_behind(view, takes, start + name.len())?));
    }
    if let Some((takes, length)) = in_bundle() {
        let value = start + length;
        return Some((takes, if length == name.len() { value_behind(view, takes, value)? } else { value }));
    }
    let (option, takes) = options.iter().find(|(short, _)| is_short(short) && name.starts_with(short)).copied()?;
    // `-port`, `-print`: only a single letter takes a glued value, and no word follows a hyphen here.
    (takes == Glued || option.len() == 2 && !option.starts_with("--")).then_some((takes, start + option.len()))
}

/// Where the value of an option begins that ends at `after`.
fn value_behind(view: &View<'_>, takes: Takes, after: usize) -> Option<usize> {
    match (takes, view.byte(after)) {
        (_, b'"' | b'\'' | b'\\') if opens_value(view, after) => Some(after),
        (Glued, _) => None,
        (_, b'=') => Some(after + 1),
        (_, b'"' | b'\'' | b'\\' | b',') => next_item(view, after),
        _ => Some(view.skip_blanks(after)),
    }
}

/// Whether a quote right behind an option opens its value, `-p'SECRET'`, or ends an item of an array: `"-p", "SECRET"`.
fn opens_value(view: &View<'_>, after: usize) -> bool {
    view.quote(after).is_some_and(|quote| {
        let first = view.byte(quote.content);
        first != 0 && !first.is_ascii_whitespace() && !b",])}\"'".contains(&first)
    })
}

/// The option that ends the flags before it in the same word, and the length of both.
fn in_bundle(command: &Command, name: &str) -> Option<(Takes, usize)> {
    let (_, flags) = FLAGS.iter().find(|(program, _)| command.names.contains(program))?;
    let letters = name.strip_prefix('-')?;
    let place = letters.find(|letter| !flags.contains(letter)).filter(|place| *place > 0)?;
    let letter = letters.get(place..)?.chars().next()?;
    let is_letter = |option: &str| option.len() == 2 && option.ends_with(letter);
    command.options.iter().find(|(option, _)| is_letter(option)).map(|(_, takes)| (*takes, place + 2))
}

/// `-sSLu user:secret`: short options written together, of which the last takes the next word
/// (POSIX utility syntax guideline 5).
fn is_bundle_of(name: &str, option: &str, takes: Takes) -> bool {
    let letters = name.strip_prefix('-').unwrap_or_default();
    takes == Login
        && (2..=6).contains(&letters.len())
        && letters.bytes().all(|byte| byte.is_ascii_alphabetic())
        && option.len() == 2
        && option.strip_prefix('-').is_some_and(|last| letters.ends_with(last))
}

fn is_short(option: &str) -> bool {
    option.len() == 2 || option.starts_with('/') || option == "-hp"
}

/// The next item of an array in JSON: `"-p", "SECRET"`.
fn next_item(view: &View<'_>, after: usize) -> Option<usize> {
    let next = view.until_within(after, MAX_WORD, |byte| {
        !(byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'\\' | b','))
    });
    view.slice(after..next).contains(',').then_some(next)
}

fn value_at(view: &View<'_>, takes: Takes, value: usize, spans: &mut Vec<Span<'_>>) {
    let (start, end) = match view.quote(value) {
        Some(quote) if !view.is_inside(quote.sign, value) || quote.escapes > 0 => {
            (quote.content, view.quote_end(quote).0)
        }
        _ => (value, word_end(view, value, value)),
    };
    let text = view.slice(start..end);
    if matches!(view.byte(value), b'-' | b'|' | b'<' | b'>' | b'&' | b';') {
        return;
    }
    let Some((from, kind)) = secret_in(takes, text) else { return };
    spans.push(Span::new(start + from..end, kind, Rank::Structure));
}

/// Where the secret begins in the value of an option.
fn secret_in(takes: Takes, text: &str) -> Option<(usize, &'static str)> {
    let (from, place) = match takes {
        Glued => (0, ValueSyntax::Assigned),
        Next => (0, ValueSyntax::Option),
        // Without a secret behind the colon what stands before it is one: `-u TOKEN:`.
        Login => match text.find([':', ','])? + 1 {
            colon if colon == text.len() => {
                return look_alikes::looks_random(text.trim_end_matches(':')).then_some((0, "token"));
            }
            colon => (colon, ValueSyntax::Quoted),
        },
        Certificate => (certificate_secret(text)?, ValueSyntax::Quoted),
        Percent => (text.find('%').map(|sign| sign + 1)?, ValueSyntax::Quoted),
        Source => (text.strip_prefix("pass:").map(|_| "pass:".len())?, ValueSyntax::Quoted),
    };
    let secret = text.get(from..)?;
    // `-p 2222`, `-p 8080:80`, `-p project`: only some of these options always take a secret. No port has more digits.
    let is_number = secret.len() > MAX_PORT && secret.bytes().all(|byte| byte.is_ascii_digit());
    let is_ports =
        takes == Next && !is_number && secret.bytes().all(|byte| byte.is_ascii_digit() || b".:-/".contains(&byte));
    let is_word = takes == Next && secret.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-' || byte == b'_');
    (!is_ports && !is_word && look_alikes::is_secret(secret, Strength::Strong, place)).then_some((from, "password"))
}

/// Behind the colon of `file:secret`; none is that of a drive or of a key in hardware (RFC 7512).
fn certificate_secret(text: &str) -> Option<usize> {
    let colon = text.get(2..)?.find(':')? + 2;
    let is_address = text.starts_with("pkcs11:") || text.get(colon..)?.starts_with("://");
    (!is_address).then_some(colon + 1)
}

/// The secrets among the arguments of a program: the item, and from which byte on.
pub(in super::super) fn argument_values(arguments: &[&str]) -> Vec<(usize, usize)> {
    let mut command: Option<&Command> = None;
    let mut found = Vec::new();
    for (index, argument) in arguments.iter().enumerate() {
        if let Some(named) = command_named(argument) {
            command = Some(named);
            continue;
        }
        let view = View::new(argument);
        let Some((takes, value)) = option_at(&view, command, 0, argument) else { continue };
        let (item, from) = if value >= argument.len() { (index + 1, 0) } else { (index, value) };
        let text = arguments.get(item).and_then(|argument| argument.get(from..)).unwrap_or_default();
        if text.starts_with('-') {
            continue;
        }
        if let Some((start, _)) = secret_in(takes, text) {
            found.push((item, from + start));
        }
    }
    found
}
