//! A literal that is written into a program that reads a secret from its standard input: `echo SECRET | sudo -S ls`,
//! `docker login --password-stdin <<< SECRET`. The programs and their options are those of their manual pages.

use super::super::key_names::Strength;
use super::super::look_alikes::{self, ValueSyntax};
use super::super::span::{Rank, Span};
use super::shell_words::{self, Word};
use super::view::View;

/// What a program reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reads {
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

/// Commands that print their words.
const PRINTERS: &[&str] = &["echo", "printf", "print", "Write-Output"];

/// Commands that pass on what they read, changed or not.
const FILTERS: &[&str] = &["base64", "tr", "cat", "tee", "openssl", "iconv", "xxd", "head"];

/// Commands that run the command behind them.
const RUNNERS: &[&str] = &["env", "npx", "bunx", "pnpm", "dlx", "yarn", "command", "exec", "time", "nohup", "doas"];

/// Options of sudo(8) that take the next word.
const SUDO_VALUES: &[&str] = &["-u", "-g", "-p", "-C", "-h", "-r", "-t", "-T", "-U", "-D", "-R"];

/// Most commands of a pipeline that are looked at behind the one that prints.
const MAX_PIPELINE: usize = 4;

/// Most blanks and line breaks behind `|`, in bytes.
const MAX_GAP: usize = 64;

/// Longest here-document that is looked at, in bytes.
const MAX_DOCUMENT: usize = 1024;

pub(super) fn find(view: &View<'_>, spans: &mut Vec<Span<'_>>) {
    if view.text.contains('|') {
        for printer in PRINTERS {
            let mut from = 0;
            for (place, _) in view.text.match_indices(printer) {
                let begins = place >= from
                    && !view.before(place).is_ascii_alphanumeric()
                    && !b"_-.".contains(&view.before(place));
                if begins && matches!(view.byte(place + printer.len()), b' ' | b'\t') {
                    from = printed(view, place + printer.len(), *printer == "printf", spans).unwrap_or(from);
                }
            }
        }
    }
    for (place, _) in view.text.match_indices("<<") {
        if view.before(place) != b'<' {
            written_here(view, place + "<<".len(), spans);
        }
    }
}

/// Hides the words that a command prints from `from` on, when the next command of the pipeline reads a secret. Returns
/// where they end then.
fn printed(view: &View<'_>, from: usize, is_printf: bool, spans: &mut Vec<Span<'_>>) -> Option<usize> {
    let (words, end) = shell_words::words(view, from);
    let reads = reader_behind(view, end)?;
    let is_option = |word: &&Word| view.byte(word.start) == b'-' && word.end - word.start <= 3;
    let options = words.iter().take_while(is_option).count();
    let words = words.get(options..).unwrap_or_default();
    let (format, arguments) = words.split_first().map_or(("", &[][..]), |(first, rest)| (first.text(view), rest));
    let is_format = is_printf && format.contains('%') && !arguments.is_empty();
    // `printf '%s:%s' ada SECRET`: the user was printed before.
    let is_divided = is_format && reads == Reads::Login && !arguments.iter().any(|word| word.text(view).contains(':'));
    if is_divided {
        arguments.last().into_iter().for_each(|word| hide(view, *word, Reads::Secret, spans));
        return Some(end);
    }
    for word in if is_format { arguments } else { words } {
        hide(view, *word, reads, spans);
    }
    Some(end)
}

/// What the pipeline from `end` on reads, where it goes on there.
fn reader_behind(view: &View<'_>, mut end: usize) -> Option<Reads> {
    for _ in 0..MAX_PIPELINE {
        if view.byte(end) != b'|' || view.byte(end + 1) == b'|' {
            return None;
        }
        let start = view.until_within(end + 1, MAX_GAP, |byte| !(byte.is_ascii_whitespace() || b"\\&".contains(&byte)));
        let (words, next) = shell_words::words(view, start);
        let words: Vec<&str> = words.iter().map(|word| word.text(view)).collect();
        if let Some(reads) = read_by(&words) {
            return Some(reads);
        }
        if !FILTERS.contains(&program(words.first()?)) {
            return None;
        }
        end = next;
    }
    None
}

/// What the command of these words reads, when it is a secret.
fn read_by(words: &[&str]) -> Option<Reads> {
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
                return reader.map(|(.., reads)| *reads);
            }
        };
    }
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
fn program(word: &str) -> &str {
    let word = word.trim_start_matches(['(', '{', '@']);
    word.rsplit('/').next().unwrap_or(word)
}

/// `<<< SECRET`, and the lines of a here-document (POSIX shell, 2.7.4).
fn written_here(view: &View<'_>, from: usize, spans: &mut Vec<Span<'_>>) {
    let head = view.line_before(from - "<<".len());
    let command = head.rsplit(['|', ';', '&', '(', '`', '"', '\'', '$']).next().unwrap_or_default();
    let command: Vec<&str> = command.split_whitespace().collect();
    if view.byte(from) == b'<' {
        let Some(reads) = read_by(&command) else { return };
        let (words, _) = shell_words::words(view, from + 1);
        words.first().into_iter().for_each(|word| hide(view, *word, reads, spans));
        return;
    }
    let (words, end) = shell_words::words(view, view.until_within(from, 1, |byte| byte != b'-'));
    let Some(tag) = words.first().map(|word| word.text(view)).filter(|tag| !tag.is_empty()) else { return };
    let Some(reads) = read_by(&command).or_else(|| reader_behind(view, end)) else { return };
    let mut place = view.line_end(from) + 1;
    let stop = place + MAX_DOCUMENT;
    while place < view.length().min(stop) {
        let end = view.line_end(place);
        if view.slice(place..end).trim() == tag {
            break;
        }
        hide(view, Word { start: place, end }, reads, spans);
        place = end + 1;
    }
}

/// Hides what is secret in a word, line by line.
fn hide(view: &View<'_>, word: Word, reads: Reads, spans: &mut Vec<Span<'_>>) {
    let content = word.content(view);
    let mut place = content.start;
    for line in view.slice(content).split("\\n") {
        let login = line.find(':').map_or(line.len(), |colon| colon + 1);
        let from = if reads == Reads::Login { login } else { 0 };
        let secret = line.get(from..).unwrap_or_default();
        // `y` answers a question.
        if secret.trim().len() > 1 && look_alikes::is_secret(secret, Strength::Strong, ValueSyntax::Quoted) {
            spans.push(Span::new(place + from..place + line.trim_end().len(), "password", Rank::Structure));
        }
        place += line.len() + "\\n".len();
    }
}
