//! Commands that print credentials: a token, a password, the variables of a process. In doubt a command is one
//! of them, since what is printed ends up in the agent's conversation; a wrong guess only costs a question.

use super::invocation::{Invocation, base_name, names};
use super::look_forms::only_known_variables;
use crate::command_line::Part;
use crate::programs;
use crate::programs::fact::Fact;
use crate::programs::printer::Printer;

/// Commands of pass(1) that print no password; anything else in their place is the name of one.
const PASS_PRINTS_NONE: &str = "init ls list find search insert add edit rm remove delete mv rename cp copy git help version -h --help \
    --version ln link mount recipients setup sync clone config audit";
/// Parts of programs that ask a store for what it holds. Sources: the Python Standard Library, "netrc", "spwd"; the
/// documentation of keyring, boto3, google-auth, browser_cookie3 and keytar.
const ASKS_STORES: &[&str] = &[
    "netrc.netrc",
    "from netrc import",
    "keyring.get_password",
    "keyring.get_credential",
    "get_frozen_credentials",
    "browser_cookie3",
    "google.auth.default",
    "spwd.getsp",
    "keytar.getPassword",
    "keytar.findCredentials",
];
/// Parts of the names of variables that hold credentials.
const SECRET_NAMES: &str =
    "TOKEN SECRET PASSWORD PASSWD API_KEY APIKEY ACCESS_KEY PRIVATE_KEY CREDENTIAL AUTH_KEY PASSPHRASE";

/// A command that prints credentials.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printing<'a> {
    /// The words by which it does, the program first.
    pub words: Vec<&'a str>,
    /// The manual that says so; empty: that of the program itself.
    source: &'static str,
}

impl Printing<'_> {
    /// Why it does more than look, as a clause.
    pub(super) fn clause(&self) -> String {
        let shown: Vec<&str> =
            self.words.iter().take(4).filter(|word| word.len() < 60 && !word.contains('\n')).copied().collect();
        let source = if self.source.is_empty() { String::new() } else { format!(" ({})", self.source) };
        format!("`{}` prints credentials{source}", shown.join(" "))
    }
}

/// How `part` prints credentials; `None`: it is not known to.
pub fn prints_credentials(part: &Part) -> Option<Printing<'_>> {
    let invocation = Invocation::of(part)?;
    printing_of(&invocation, part)
        .or_else(|| Invocation::run_by(part).iter().find_map(|invocation| printing_of(invocation, part)))
}

fn printing_of<'a>(invocation: &Invocation<'a>, part: &'a Part) -> Option<Printing<'a>> {
    if invocation.words.last().is_some_and(|last| *last == "--help") {
        return None;
    }
    let by_row = programs::of(invocation.program).prints.iter().find_map(|printer| {
        let called =
            (printer.path.is_empty() || invocation.calls(printer.path) || is_fed_to(invocation, part, printer))
                && (printer.options.is_empty() || invocation.option(printer.options).is_some());
        if !called {
            return None;
        }
        let steps = printer.path.split_ascii_whitespace().count();
        let mut behind = invocation.operands().skip(steps);
        let is_safe = invocation.option(printer.unless).is_some() || behind.any(|word| names(printer.unless, word));
        let words = invocation.operands().take(steps).chain(invocation.option(printer.options));
        (!is_safe).then(|| Printing { words: words.collect(), source: printer.source })
    });
    let special = || Some(Printing { words: special(invocation, part)?, source: "" });
    // `cat <<< "$API_TOKEN"`. The lines of a document are text.
    let handed = || part.given.iter().find(|text| !text.contains('\n') && shows_secret_variable(text));
    let handed = || Some(Printing { words: vec![handed()?.as_str()], source: "" });
    let Printing { words, source } = by_row.or_else(special).or_else(handed)?;
    Some(Printing { words: std::iter::once(invocation.program).chain(words).collect(), source })
}

/// xargs(1): what another command writes, or a file holds, is the rest of the words.
fn is_fed_to(invocation: &Invocation<'_>, part: &Part, printer: &Printer) -> bool {
    let is_fed = part.wrappers.iter().any(|wrapper| programs::of(base_name(wrapper)).is(Fact::Fed));
    // Behind them stands what nobody knows: `Word::unknown`, and the mark of `-I{}`.
    let given = invocation.operands().take_while(|word| !["\u{2026}", "{}"].contains(word)).count();
    let start: Vec<&str> = printer.path.split_ascii_whitespace().take(given).collect();
    is_fed && given > 0 && start.len() == given && invocation.calls(&start.join(" "))
}

fn special<'a>(invocation: &Invocation<'a>, part: &'a Part) -> Option<Vec<&'a str>> {
    let words = &invocation.words;
    let known = programs::of(invocation.program);
    let first = || invocation.operands().next();
    let all = |prints: bool| prints.then(|| words.clone());
    match programs::called_like(invocation.program) {
        // env(1), printenv(1); bash(1), "set", "export", "declare".
        "env" | "printenv" => all(shows_variables(words)),
        "set" => all(words.is_empty()),
        _ if known.is(Fact::Declares) => {
            let lists = words.iter().all(|word| word.starts_with('-') && !word.contains(['f', 'F']));
            let named = words.first() == Some(&"-p") && words.iter().any(|word| is_secret_name(word));
            all(lists || named)
        }
        program if program == "print" || known.is(Fact::PrintsWords) => part.words.iter().skip(1).find_map(|word| {
            (word.kind == crate::command_line::WordKind::Varies && shows_secret_variable(&word.text))
                .then(|| vec![word.text.as_str()])
        }),
        "ps" => all(shows_environments(words)),
        // git-config(1), `http.<url>.extraHeader`: one key is shown, two words are set.
        "git" if invocation.calls("config *") => {
            let keys: Vec<&str> = invocation.operands().filter(|word| word.contains('.')).collect();
            let is_secret = |key: &str| key.to_lowercase().ends_with("extraheader") || is_secret_name(key);
            let shows = matches!(keys.as_slice(), [key] if is_secret(key) && words.last() == Some(key));
            all(shows)
        }
        "pass" => first().filter(|word| !names(PASS_PRINTS_NONE, word)).map(|word| vec![word]),
        // jq manual, "$ENV, env".
        "jq" => {
            let shows = |word: &&&str| {
                word.contains("$ENV") && !word.contains("$ENV.") || is_filter_env(word) || shows_environment(word)
            };
            words.iter().find(shows).map(|word| vec![*word])
        }
        "kubectl" if shows_secret(invocation) => Some(words.clone()),
        // docker inspect: `.Config.Env`.
        "docker" if invocation.calls("inspect") || invocation.calls("container|image inspect") => {
            all(!words.iter().any(|word| is_harmless_format(word)))
        }
        // systemctl(1), "show": `Environment` is among the properties unless others are named.
        "systemctl" if invocation.calls("show") => {
            let named: Vec<String> = words
                .iter()
                .enumerate()
                .filter_map(|(at, word)| match word.strip_prefix("--property=").or_else(|| word.strip_prefix("-p")) {
                    Some("") => words.get(at + 1).copied(),
                    None if *word == "--property" => words.get(at + 1).copied(),
                    glued => glued,
                })
                .map(str::to_lowercase)
                .collect();
            let units = invocation.operands().count() > 1;
            all(named.iter().any(|name| name.contains("environment")) || named.is_empty() && units)
        }
        // netsh wlan show profile: `key=clear` shows the password.
        "netsh" => all(words.iter().any(|word| word.eq_ignore_ascii_case("key=clear"))),
        // docker-credential-helpers: `get` and `list` of the protocol.
        program if program.starts_with("docker-credential-") => all(first() == Some("get")),
        _ if known.is(Fact::RunsElsewhere) => {
            let shows = |command: &str| command.trim() == "env" || command.trim().starts_with("printenv");
            let ends = words.len() > 1 && words.last().is_some_and(|last| last.split([';', '|', '&']).any(shows));
            let named =
                words.iter().position(|word| *word == "printenv").map(|at| words.get(at + 1..).unwrap_or_default());
            all(ends || named.is_some_and(shows_variables))
        }
        like if known.is(Fact::RunsCode) || known.is(Fact::RunsScripts) || like == "awk" => {
            let shows = |word: &&&str| shows_environment(word) || ASKS_STORES.iter().any(|call| word.contains(call));
            words.iter().find(shows).map(|word| vec![*word])
        }
        _ => None,
    }
}

/// Whether `env` or `printenv` with `words` shows variables that nobody knows to be harmless.
fn shows_variables(words: &[&str]) -> bool {
    if words.iter().any(|word| ["--help", "--version"].contains(word)) {
        return false;
    }
    let named: Vec<&&str> = words.iter().filter(|word| !word.starts_with('-') && !word.contains('=')).collect();
    named.is_empty() || named.iter().any(|name| !only_known_variables(&format!("${name}")) && is_secret_name(name))
}

/// ps(1): `e` without a dash shows the environment of each process, and so does `-o environ`.
fn shows_environments(words: &[&str]) -> bool {
    const VALUED: [char; 11] = ['o', 'O', 'u', 'U', 'C', 'p', 'q', 't', 'g', 'G', 's'];
    let is_value = |before: &str| before.starts_with("--") || (before.starts_with('-') && before.ends_with(VALUED));
    let is_bsd = |word: &str| word.contains('e') && word.chars().all(|c| "aAcefghjlmnrStuTvVwxX".contains(c));
    let before = std::iter::once("").chain(words.iter().copied());
    words.iter().any(|word| word.contains("environ"))
        || before.zip(words).any(|(before, word)| is_bsd(word) && !is_value(before))
}

fn is_secret_name(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    SECRET_NAMES.split_ascii_whitespace().any(|part| name.contains(part))
}

/// `$NAME`, `${NAME}`, `${NAME:0:4}` of a variable that holds a secret by its name. Not `${NAME:+set}` and
/// `${#NAME}`, which say whether there is one.
fn shows_secret_variable(text: &str) -> bool {
    text.split('$').skip(1).any(|after| {
        let (name, rest) = match after.strip_prefix('{') {
            Some(braced) => {
                let end = braced.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(braced.len());
                braced.split_at_checked(end).unwrap_or((braced, ""))
            }
            None => {
                let end = after.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(after.len());
                (after.get(..end).unwrap_or_default(), "")
            }
        };
        is_secret_name(name) && !rest.starts_with(":+") && !rest.starts_with('+')
    })
}

/// `env`, `env | .X`, `.a, env`: jq's filter, as a word of its own, and not `env.NAME`.
fn is_filter_env(filter: &str) -> bool {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$' | '"' | '-' | '/');
    filter.split(|c: char| !is_name(c)).any(|word| word == "env")
}

/// kubectl get: `secret`, `secrets`, `secret/x`, `pods,secrets`, with an output that shows values.
fn shows_secret(invocation: &Invocation<'_>) -> bool {
    let is_secret =
        |word: &str| word.split(',').any(|kind| matches!(kind.split(['/', '.']).next(), Some("secret" | "secrets")));
    let gets = invocation.calls("get|edit|view-secret") && invocation.operands().any(is_secret);
    let value = |pair: &[&str]| match pair {
        ["-o" | "--output" | "--template", value] => !["name", "wide"].contains(value),
        _ => false,
    };
    let words = &invocation.words;
    let glued = words.iter().any(|word| {
        let value = word.strip_prefix("--output=").or_else(|| word.strip_prefix("-o"));
        value.is_some_and(|value| !value.is_empty() && !["name", "wide", "=name", "=wide"].contains(&value))
            || word.starts_with("--template=")
    });
    // `kubectl get --raw`: the API's own path.
    let raw = || invocation.calls("get") && words.iter().any(|word| word.contains("/secrets"));
    gets && (glued || words.windows(2).any(value)) || raw()
}

/// A template that shows neither all of a container nor its variables.
fn is_harmless_format(word: &str) -> bool {
    let template = word.strip_prefix("--format=").or_else(|| word.strip_prefix("-f=")).unwrap_or(word);
    let template = template.strip_prefix("-f").unwrap_or(template);
    let all = ["{{.}}", "{{json .}}", "json", "{{.Config}}", "{{json .Config}}", "{{. }}"].contains(&template.trim());
    template.contains("{{")
        && !all
        && !template.contains("Env")
        && !template.contains(".Config}}")
        && !template.contains("json .}}")
}

/// Whether the program text `script` reads a variable that holds a secret by its name: each language's name for the
/// variables, and the choice of one behind it.
fn shows_one_secret(script: &str) -> bool {
    const VARIABLES: &[&str] = &["env", "environ", "ENV", "getenv", "ENVIRON", "var"];
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut tokens = script.split(|c: char| !is_part(c)).filter(|token| !token.is_empty()).peekable();
    while let Some(token) = tokens.next() {
        if VARIABLES.contains(&token) {
            tokens.next_if(|next| ["get", "fetch", "toObject"].contains(next));
            if tokens.peek().is_some_and(|name| is_secret_name(name)) {
                return true;
            }
        }
    }
    false
}

/// Whether the program text `script` shows all variables: each language's name for them, without the choice of one;
/// or one that holds a secret.
fn shows_environment(script: &str) -> bool {
    const WHOLE: &[(&str, &[&str])] = &[
        ("process.env", &[".", "[", "?"]),
        ("os.environ", &["[", ".get", ".setdefault", ".pop"]),
        ("Deno.env", &[".get", ".set", ".has", ".delete"]),
        ("Bun.env", &[".", "["]),
        ("%ENV", &[]),
        ("ENV.to_h", &[]),
        ("ENV.each", &[]),
        ("ENV.inspect", &[]),
        ("p ENV", &["["]),
        ("puts ENV", &["["]),
        ("in ENVIRON", &[]),
        ("getenv()", &[]),
        ("$_ENV", &["["]),
    ];
    shows_one_secret(script)
        || WHOLE.iter().any(|(name, one)| {
            script.split(name).skip(1).any(|after| {
                let goes_on = after.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
                !goes_on && !one.iter().any(|start| after.starts_with(start))
            })
        })
}
