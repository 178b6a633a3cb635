//! Markup that a notification server, a web view or a Markdown view would act on, and addresses that
//! lead elsewhere than they seem.

use super::destination::host_of;
use super::finding::{FindingKind, Findings};
use super::stretch::lines;
use super::{host, line};

/// Elements of HTML and of Pango markup. Names that are more often type parameters or placeholders
/// in program text are not among them.
const ELEMENTS: &[&str] = &[
    "a",
    "abbr",
    "article",
    "audio",
    "b",
    "base",
    "big",
    "blink",
    "blockquote",
    "body",
    "br",
    "button",
    "center",
    "code",
    "details",
    "dialog",
    "div",
    "dl",
    "dt",
    "em",
    "embed",
    "font",
    "footer",
    "form",
    "frame",
    "frameset",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hr",
    "html",
    "i",
    "iframe",
    "img",
    "input",
    "label",
    "li",
    "link",
    "main",
    "mark",
    "markup",
    "marquee",
    "math",
    "meta",
    "nav",
    "noscript",
    "object",
    "ol",
    "option",
    "p",
    "picture",
    "pre",
    "q",
    "s",
    "script",
    "section",
    "select",
    "small",
    "source",
    "span",
    "strike",
    "strong",
    "style",
    "sub",
    "summary",
    "sup",
    "svg",
    "table",
    "tbody",
    "td",
    "template",
    "textarea",
    "th",
    "thead",
    "title",
    "tr",
    "tt",
    "u",
    "ul",
    "video",
];

/// Longest address that is repeated in a sentence, in characters.
const MAX_ADDRESS: usize = 80;

/// Longest label or target of a Markdown link that is looked at, in characters.
const MAX_LABEL: usize = 300;

/// Notes markup and misleading addresses of `text`.
pub(super) fn markup(text: &str, findings: &mut Findings<'_>) {
    tags(text, findings);
    entities(text, findings);
    markdown(text, findings);
}

fn tags(text: &str, findings: &mut Findings<'_>) {
    for (at, _) in text.match_indices('<') {
        let Some((head, rest)) = text.split_at_checked(at + 1) else { continue };
        if rest.starts_with("!--")
            || rest.starts_with("![CDATA[")
            || starts_with(rest, "!doctype")
            || rest.starts_with("?xml")
        {
            findings.note(FindingKind::Markup, at, 1);
            continue;
        }
        // Chat programs write `<address|label>`.
        let stops = |end: &char| matches!(end, '<' | '>' | '|') || end.is_whitespace();
        let address: String = rest.chars().take(MAX_LABEL).take_while(|end| !stops(end)).collect();
        if address.contains("://") && rest.get(address.len()..).is_some_and(|rest| rest.starts_with('|')) {
            findings.note(FindingKind::Link, at, 1);
        }
        let closes = rest.starts_with('/');
        let name_on = rest.strip_prefix('/').unwrap_or(rest);
        let name_end = name_on.find(|character: char| !character.is_ascii_alphanumeric()).unwrap_or(name_on.len());
        let Some((name, after)) = name_on.split_at_checked(name_end) else { continue };
        if !ELEMENTS.iter().any(|element| element.eq_ignore_ascii_case(name)) {
            if name.starts_with(|first: char| first.is_ascii_alphabetic()) && has_handler(after) {
                findings.note(FindingKind::Markup, at, 1);
            }
            continue;
        }
        let before = head.chars().rev().nth(1);
        let parameter = !closes
            && name.len() == 1
            && after.starts_with(['>', ',', ':', ' '])
            && before.is_some_and(|before| before.is_ascii_alphanumeric() || matches!(before, '_' | ':' | '<'))
            && !attributes(after).contains('=');
        if parameter || !after.starts_with(['>', ' ', '/', '\t', '\n']) {
            continue;
        }
        findings.note(FindingKind::Markup, at, 1);
        if name.eq_ignore_ascii_case("a") && attributes(after).contains("href") {
            findings.note(FindingKind::Link, at, 1);
        }
    }
}

/// The attributes of the tag that goes on with `after`, in lower case, as far as they are looked at.
fn attributes(after: &str) -> String {
    after.chars().take_while(|character| *character != '>').take(200).collect::<String>().to_ascii_lowercase()
}

/// Whether an attribute runs a script, whatever the element (HTML §8.1.8). Program text has `onX={…}`.
fn has_handler(after: &str) -> bool {
    attributes(after).split([' ', '\t', '\n', '/']).any(|attribute| {
        attribute.strip_prefix("on").and_then(|event| event.split_once('=')).is_some_and(|(event, value)| {
            !event.is_empty() && event.bytes().all(|letter| letter.is_ascii_alphabetic()) && !value.starts_with('{')
        })
    })
}

fn starts_with(text: &str, prefix: &str) -> bool {
    text.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

/// Character references that hide or imitate signs (HTML §13.5).
fn entities(text: &str, findings: &mut Findings<'_>) {
    for (at, _) in text.match_indices('&') {
        let Some(rest) = text.get(at + 1..) else { continue };
        let name: String = rest.chars().take(12).take_while(|character| *character != ';').collect();
        let ended = rest.get(name.len()..).is_some_and(|rest| rest.starts_with(';'));
        let number = name.strip_prefix('#').is_some_and(|digits| {
            let digits = digits.strip_prefix(['x', 'X']).unwrap_or(digits);
            !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
        });
        let named = matches!(
            name.as_str(),
            "amp"
                | "lt"
                | "gt"
                | "quot"
                | "apos"
                | "nbsp"
                | "zwj"
                | "zwnj"
                | "rlm"
                | "lrm"
                | "shy"
                | "ensp"
                | "emsp"
                | "thinsp"
                | "sol"
                | "newline"
                | "NewLine"
                | "Tab"
        );
        if ended && (number || named) {
            findings.note(FindingKind::Markup, at, 1);
        }
    }
}

fn markdown(text: &str, findings: &mut Findings<'_>) {
    for (start, text) in lines(text) {
        let line = text.trim_start();
        let boxed = ["- [ ]", "- [x]", "- [X]", "* [x]", "* [ ]", "+ [x]"].iter().any(|mark| line.starts_with(mark));
        // A reference gives the address of links elsewhere (CommonMark, section 4.7).
        if let Some((_, target)) = line.strip_prefix('[').and_then(|line| line.split_once("]: "))
            && target.contains("://")
        {
            findings.note(FindingKind::Markup, start, 1);
            findings.note(FindingKind::Link, start, 1);
        }
        if line.starts_with("```") || line.starts_with("~~~") || boxed {
            findings.note(FindingKind::Markup, start, 1);
        }
    }
    for (at, _) in text.match_indices("](") {
        let label = text.get(..at).and_then(label);
        let target: String =
            text.get(at + 2..).unwrap_or_default().chars().take(MAX_LABEL).take_while(|end| *end != ')').collect();
        let leads = target.contains("://")
            || target.trim_start().starts_with("//")
            || target.starts_with("javascript:")
            || target.starts_with("data:");
        let Some((label, is_image)) = label.filter(|_| leads) else { continue };
        // Words promise no address, nor does the very host; what runs a script promises whatever it likes.
        let is_plain = target.starts_with("http://") || target.starts_with("https://");
        let is_honest = is_plain && (!seems_address(label) || names_host_of(label, &target));
        if is_image || !is_honest {
            findings.note(FindingKind::Markup, at, 1);
        }
        if is_honest {
            continue;
        }
        findings.tell(FindingKind::Link, at, || line(&target, MAX_ADDRESS));
    }
}

/// The label of a link that `head` ends with, without the address of an image in it, and whether it is one itself.
fn label(head: &str) -> Option<(&str, bool)> {
    let line = head.rsplit('\n').next()?;
    let (start, _) = line.char_indices().rev().take(MAX_LABEL).find(|(_, character)| *character == '[')?;
    let (before, label) = line.split_at_checked(start)?;
    let words = label.strip_prefix('[')?.split("](").next()?;
    Some((words, before.ends_with('!')))
}

/// Whether `label` is an address with the host of `target`.
fn names_host_of(label: &str, target: &str) -> bool {
    let host = |address: &str| host_of(address.trim()).map(|destination| destination.ascii);
    host(target).is_some_and(|of_target| host(label).is_some_and(|of_label| of_label == of_target))
}

/// Whether a person may take `label` for an address: `good.example`, `https://good.example`.
fn seems_address(label: &str) -> bool {
    label.contains("://")
        || label.split_whitespace().any(|word| {
            let (host, end) = word.split('/').next().and_then(|host| host.rsplit_once('.')).unwrap_or_default();
            !host.is_empty() && end.len() > 1 && end.chars().all(char::is_alphabetic)
        })
}

/// Notes addresses whose host is not what stands first: `https://good.example@evil.example` and
/// `https://good.example\@evil.example` (RFC 3986 §7.6), and hyperlinks of terminals (OSC 8).
pub(super) fn links(text: &str, findings: &mut Findings<'_>) {
    for (at, _) in text.match_indices("://") {
        let Some(rest) = text.get(at + 3..) else { continue };
        let authority =
            rest.split(|end: char| end.is_whitespace() || matches!(end, '/' | '?' | '#' | '"' | '\'')).next();
        let Some((user, real)) = authority.and_then(|authority| authority.rsplit_once('@')) else { continue };
        if user.contains(['.', '\\', '%']) && !real.is_empty() {
            findings.tell(FindingKind::Link, at, || format!("it leads to {}", line(real, MAX_ADDRESS)));
        }
    }
    for (start, host) in host::authorities(text) {
        if text.get(start + host.len()..).is_some_and(|rest| rest.starts_with('\\')) {
            findings.note(FindingKind::Link, start, 1);
        }
    }
    if let Some(at) = text.find("\u{1b}]8;").or_else(|| text.find("\u{9d}8;")) {
        findings.note(FindingKind::Link, at, 1);
    }
}
