//! Reading a file that holds credentials, and printing what such files hold: asked about in every preset, unless
//! a rule spells it out.
//!
//! What a program reads without its words saying so (a script, a test, an editor's plug-in) cannot be seen.

use wildmatch::WildMatch;

use super::guard::Guard;
use crate::path::Protection;
use crate::path::{CredentialReader, FoundNames, HeldCredential, OptionNames, TakenFolder, WordPath, implied_reads};
use crate::path::{found_paths, read_paths, shows_input, working_folder};
use crate::rules::action::Action;
use crate::rules::situation::{Call, NamedPath, Situation, Target};
use crate::{Request, ToolClass};
use handraise_shell::path::is_credential;
use handraise_shell::path::{expanded, is_within, lexical};
use handraise_shell::path::{is_broad_folder, is_shared_folder, may_be_found, may_hold};
use handraise_shell::risk::prints_credentials;
use handraise_shell::{CommandLine, Fact, Input, Part, Word, WordKind, has_fact, runs_scripts};

/// Parts of the names of functions that read a file, in filters and templates.
const LOADS: &[&str] = &["load", "include", "file.", "datasource"];
/// Words that make a program serve the folder that it runs in.
const SERVERS: &[&str] =
    &["http.server", "-S", "serve", "file-server", "http-server", "httpd", "live-server", "miniserve"];
const PRINTS: &str = "It prints, or may print, credentials, so a person is asked each time.";

/// Why `situation` reads or prints credentials; `None`: it does not, as far as anybody can tell.
pub(super) fn guard(situation: &Situation<'_>) -> Option<Guard> {
    let prints = matches!(situation.target, Target::Command(part) if prints_credentials(part).is_some());
    let says = prints.then_some(PRINTS);
    let guard = Guard { action: Action::Ask, protection: Protection::Credential, says };
    (prints || reads_credentials(situation)).then_some(guard)
}

fn reads_credentials<'a>(situation: &Situation<'a>) -> bool {
    let request = situation.call.request;
    let home = request.home.as_deref();
    match situation.target {
        Target::Write(..) => false,
        Target::Call => call_reads(situation, request),
        Target::Read(part, word) => {
            let is_one = || situation.paths.named.iter().any(|path| is_credential_path(path, home));
            // What a variable in it finds stands beside it.
            let found = part.found.iter().filter(|_| word.kind == WordKind::Varies);
            let mut words = std::iter::once(word).chain(found);
            shows_input(part) && (is_one() || words.any(|word| word_reads(situation.call, part, word)))
        }
        Target::Line(line) => {
            let text = line.map(|line| line.text.as_str()).unwrap_or_default();
            mentions(text, situation.call, Missing::DoNotCount)
        }
        Target::Command(part) => command_reads(situation, part) || told_reads(situation, part),
    }
}

fn parts(request: &Request) -> &[Part] {
    request.command.as_ref().map(|line| line.parts.as_slice()).unwrap_or_default()
}

/// Keys of arguments whose values are programs.
const PROGRAM_KEYS: &[&str] = &["code", "script", "command", "cmd", "expression", "source_code"];
/// Parts of the keys of arguments whose values are patterns or names to leave out.
const PATTERN_KEYS: &[&str] = &["pattern", "glob", "regex", "query", "exclude", "ignore"];
/// Beginnings of addresses that are files of this machine. `fileb`: AWS CLI, "Loading a parameter from a file".
const FILE_ADDRESSES: &[&str] = &["file://localhost/", "file://", "fileb://", "file:"];

fn call_reads<'a>(situation: &Situation<'a>, request: &'a Request) -> bool {
    // Whoever writes the file says what is in it.
    if matches!(request.class, ToolClass::FileWrite | ToolClass::Shell) {
        return false;
    }
    let home = request.home.as_deref();
    if situation.paths.named.iter().any(|path| is_credential_path(path, home)) {
        return true;
    }
    // A tool that fetches reads a file when the address is one.
    let is_address_of_one = |text: &str| file_at(text).is_some_and(|path| credential_at(request, path));
    if request.arguments.values().flat_map(|value| texts(value, 0)).any(is_address_of_one) {
        return true;
    }
    if matches!(request.class, ToolClass::Mcp | ToolClass::Other) {
        let fields = || request.arguments.iter().map(|(key, value)| (key.to_lowercase(), value));
        let named = fields().filter(|(key, _)| !PATTERN_KEYS.iter().any(|part| key.contains(part)));
        let is_one = |text: &str| match text.contains('*') {
            // A pattern of names of files, of which only the letters are known.
            true => !text.contains(char::is_whitespace) && may_be_found(text, home),
            false => !text.contains('\n') && credential_at(request, text),
        };
        if named.flat_map(|(_, value)| texts(value, 0)).any(is_one) {
            return true;
        }
        let programs = fields().filter(|(key, _)| PROGRAM_KEYS.contains(&key.as_str()));
        if programs.flat_map(|(_, value)| texts(value, 0)).any(|text| mentions(text, situation.call, Missing::Count)) {
            return true;
        }
    }
    // By itself the tool leaves out what is called so; links of other names it does not.
    let takes_all = request.content_search().is_some();
    let is_found = |found: &FoundNames| {
        // Of a pattern that was looked up, the disk tells what it finds.
        let by_letters = !found.is_pattern() || request.paths.get(&found.text()).is_none();
        by_letters && may_be_found(found.pattern(), home)
            || finds(request, found, |held| takes_all || held.is_link || !held.name().starts_with(".env"))
    };
    if request.found_names().iter().any(is_found) {
        return true;
    }
    let Some(search) = request.content_search() else { return false };
    let glob = search.glob.as_deref();
    let reads = |held: &HeldCredential| match glob {
        // A glob that names it is stronger than an ignore file: ripgrep's guide, "Manual filtering: globs".
        Some(glob) => glob_matches(glob, held.name()),
        None => !held.is_ignored,
    };
    (glob.is_none_or(is_any) && holds_by_name(request, &search.folder))
        || request.paths.get(&search.folder).is_some_and(|fact| fact.holds.iter().any(reads))
}

/// The file that an address names.
fn file_at(text: &str) -> Option<&str> {
    let path = FILE_ADDRESSES.iter().find_map(|start| text.strip_prefix(start));
    // What follows `localhost` is a path from the top.
    path.map(|path| if text.starts_with("file://localhost/") { text.get(16..).unwrap_or(path) } else { path })
}

/// A pattern that finds names of every kind.
fn is_any(glob: &str) -> bool {
    !glob.chars().any(char::is_alphanumeric)
}

/// The texts in `value`, without the names of fields.
fn texts(value: &serde_json::Value, depth: usize) -> Vec<&str> {
    use serde_json::Value;
    match value {
        Value::String(text) => vec![text],
        Value::Array(values) if depth < 8 => values.iter().flat_map(|value| texts(value, depth + 1)).collect(),
        Value::Object(fields) if depth < 8 => fields.values().flat_map(|value| texts(value, depth + 1)).collect(),
        _ => Vec::new(),
    }
}

fn glob_matches(glob: &str, name: &str) -> bool {
    let last = glob.rsplit('/').next().unwrap_or(glob);
    // Braces and brackets: anything.
    let loose: String = match last.find(['{', '[']) {
        Some(start) => format!("{}*", last.get(..start).unwrap_or_default()),
        None => last.to_owned(),
    };
    !glob.starts_with('!') && WildMatch::new(&loose).matches(name)
}

fn command_reads<'a>(situation: &Situation<'a>, part: &'a Part) -> bool {
    let request = situation.call.request;
    if OptionNames::of(part).is_some_and(|options| are_there(request, &options)) {
        return true;
    }
    if implied_reads(part).iter().any(|word| word_reads(situation.call, part, word)) {
        return true;
    }
    let Some(reader) = CredentialReader::of(part, parts(request)) else { return false };
    if reader.read_words().iter().any(|word| word_reads(situation.call, part, word)) {
        return true;
    }
    let taken = reader.folders();
    if taken.iter().any(|taken| folder_reads(request, taken)) {
        return true;
    }
    // `true | cd ~/.kube && grep -r token .`: where nobody can tell which, in any folder that the line names.
    let may_go =
        |line: &'a CommandLine| situation.call.loose_paths(&line.text).iter().any(|path| is_kept_in(request, path));
    if part.folder_unknown && !taken.is_empty() && request.command.as_ref().is_some_and(may_go) {
        return true;
    }
    let program = part.program().map_or("", |program| program.rsplit('/').next().unwrap_or(program));
    let scripts = part.words.iter().skip(1).filter(|word| word.text.contains([' ', '(', '\n']));
    let mentioned = |text: &'a str| mentions(text, situation.call, Missing::Count);
    // git-config(1), "alias": one that starts with `!` is a command of the shell.
    let runs_text = runs_scripts(program) || has_fact(program, Fact::RunsText);
    let runs = |word: &Word| {
        runs_text
            || (program == "git" && (word.text.starts_with('!') || word.text.contains("=!")))
            // yq manual, "load": `load`, `load_str` and their like read the file that they name.
            || (has_fact(program, Fact::LoadsFiles) && LOADS.iter().any(|name| word.text.contains(name)))
    };
    // Its program, or the names of its files, come from a here-document or from another command.
    let given =
        runs_text && matches!(part.input, Input::Given | Input::Piped) || reader.is_fed() && part.input == Input::Given;
    // `python3 -m http.server -d ~/.ssh`: a folder that is served.
    let serves = runs_text || has_fact(program, Fact::Serves);
    let folder = |word: &Word| {
        let text = word.text.split_once('=').map_or(word.text.as_str(), |(_, value)| value);
        text.contains('/') && is_kept_in(request, text)
    };
    if serves && part.words.iter().skip(1).any(folder) {
        return true;
    }
    // `cd ~/.aws && python3 -m http.server`; `ln -s ~/.aws d` makes another way to what lies there.
    let is_server = part.words.iter().any(|word| SERVERS.contains(&word.text.as_str()));
    if is_server && working_folder(part).is_some_and(|folder| is_kept_in(request, folder.trim_end_matches("/."))) {
        return true;
    }
    if has_fact(program, Fact::AddsPath) && part.words.iter().skip(1).any(folder) {
        return true;
    }
    let line = request.command.as_ref().filter(|_| given);
    scripts.into_iter().any(|word| runs(word) && mentioned(&word.text))
        || line.is_some_and(|line| mentioned(&line.text))
}

/// Whether a command that `part` is told to run reads or prints credentials.
fn told_reads<'a>(situation: &Situation<'a>, part: &'a Part) -> bool {
    let mut parts = part.told.iter().flat_map(|line| &line.parts);
    parts.any(|told| {
        prints_credentials(told).is_some()
            || told.reads.iter().any(|word| shows_input(told) && word_reads(situation.call, told, word))
            || command_reads(situation, told)
            || told_reads(situation, told)
    })
}

/// Whether `word`, which `part` reads, may name a file that holds credentials.
fn word_reads<'a>(call: &Call<'a>, part: &Part, word: &Word) -> bool {
    let request = call.request;
    let mut untold = part.folder_unknown;
    for path in found_paths(part, word) {
        match path {
            WordPath::Named(text) if is_address(&text) => {}
            WordPath::Named(text) if credential_at(request, &text) => return true,
            WordPath::Named(_) => {}
            WordPath::Below { ref folder, ref component, ref rest } => {
                let home = request.home.as_deref();
                let fact = request.paths.get(folder);
                let given = lexical(folder, request.cwd.as_deref(), home).unwrap_or_else(|| folder.clone());
                // Where credentials are kept, one may be made at any time.
                let unseen = fact.is_none_or(|fact| fact.is_missing) || may_hold(&given);
                let by_name = unseen && may_be_found(&format!("{given}/{component}"), home);
                let found = FoundNames::of_path(&path).is_some_and(|found| finds(request, &found, |_| true));
                if by_name || found {
                    return true;
                }
                // A file may be made in a folder of which nothing is known but the pattern that finds it.
                untold |= unseen || !rest.is_empty();
            }
            WordPath::Unknown => untold = true,
        }
    }
    // `pushd ~/.aws; cat credentials`: in any folder that the line goes to.
    let elsewhere = |line: &'a CommandLine| {
        let there = format!("/{}", word.text);
        call.loose_paths(&line.text).iter().any(|path| path.ends_with(&there) && credential_at(request, path))
    };
    if part.folder_unknown && word.kind == WordKind::Exact && request.command.as_ref().is_some_and(elsewhere) {
        return true;
    }
    // `file=@.env;type=text/plain`, `type=bind,src=.env`.
    // `.env#label`: gh release upload. `name=key=.env`: kubectl create configmap.
    let is_list = |text: &str| {
        (text.contains([',', ';', '#']) || text.matches('=').count() > 1 || text.contains("fileb:"))
            && !text.contains(char::is_whitespace)
    };
    let listed = |text: &str| {
        is_list(text)
            && text.split([',', ';', '#']).flat_map(pieces).any(|piece| may_be_found(&piece, request.home.as_deref()))
    };
    let written_out = expanded(&word.text);
    let named_so =
        if written_out.is_empty() { listed(&word.text) } else { written_out.iter().any(|text| listed(text)) };
    let named_so = named_so
        || untold
            && expanded(&word.text)
                .iter()
                .flat_map(|text| pieces(text))
                .any(|piece| may_be_found(&piece, request.home.as_deref()));
    let is_variable =
        word.kind == WordKind::Varies && word.text.rsplit('/').next().is_some_and(|name| name.contains('$'));
    // A variable that the line itself sets: `for f in .env; do cat $f; done`.
    let line = request.command.as_ref().filter(|_| is_variable && !word.text.contains("$HOME"));
    named_so || line.is_some_and(|line| mentions(&line.text, call, Missing::Count))
}

/// Whether a name lies there that the program would take for an option.
fn are_there(request: &Request, options: &OptionNames) -> bool {
    request.paths.get(&options.text()).is_some_and(|fact| fact.names.iter().any(|name| options.holds(name)))
}

/// Whether a pattern finds credentials that `counts` lets count, or may find some where nobody has looked.
fn finds(request: &Request, found: &FoundNames, counts: impl Fn(&HeldCredential) -> bool) -> bool {
    request.paths.get(&found.text()).is_some_and(|fact| fact.is_cut || fact.holds.iter().any(counts))
}

/// A place on another machine.
fn is_address(text: &str) -> bool {
    text.split_once("://")
        .is_some_and(|(scheme, _)| !scheme.ends_with("file") && !scheme.ends_with("fileb") && !scheme.contains('@'))
}

/// What in a word may be a path of which no more is known than its letters.
fn pieces(text: &str) -> impl Iterator<Item = String> {
    let glued = text.strip_prefix('-').and_then(|rest| rest.chars().next().and_then(|first| rest.strip_prefix(first)));
    let file = ["file://", "fileb://"].into_iter().find_map(|start| text.split_once(start)).map(|(_, path)| path);
    let behind = ['=', '@', ':'].into_iter().flat_map(|sign| [text.split_once(sign), text.rsplit_once(sign)]);
    let behind = behind.flatten().map(|(_, tail)| tail);
    let found: Vec<String> = [Some(text).filter(|text| !is_address(text)), glued, file]
        .into_iter()
        .flatten()
        .chain(behind.filter(|tail| !tail.starts_with("//")))
        .map(str::to_owned)
        .collect();
    found.into_iter()
}

fn folder_reads(request: &Request, taken: &TakenFolder<'_>) -> bool {
    let fact = request.paths.get(&taken.folder);
    holds_by_name(request, &taken.folder) && taken.takes_anything()
        || fact.is_some_and(|fact| {
            fact.holds.iter().any(|held| taken.takes(held)) || fact.is_cut && taken.is_told_to_follow()
        })
}

/// Whether `folder` is one in which credentials are kept.
fn is_kept_in(request: &Request, folder: &str) -> bool {
    let given = lexical(folder, request.cwd.as_deref(), request.home.as_deref());
    may_hold(&given.unwrap_or_else(|| folder.to_owned()))
}

/// Whether `folder` holds credentials as far as its name tells: programs keep theirs there, or it holds too much.
fn holds_by_name(request: &Request, folder: &str) -> bool {
    let home = request.home.as_deref();
    let fact = request.paths.get(folder);
    let whole_home = home.is_some_and(|home| fact.is_some_and(|fact| is_within(home, &fact.path)));
    let given = lexical(folder, request.cwd.as_deref(), home).unwrap_or_else(|| folder.to_owned());
    let in_home = home.and_then(|home| given.strip_prefix(home)).or_else(|| given.strip_prefix('~'));
    let shared = in_home.is_some_and(is_shared_folder);
    is_broad_folder(folder) || whole_home || is_broad_folder(&given) || shared || may_hold(&given)
}

/// Whether `text`, as seen from the working folder, is a file that holds credentials.
fn credential_at(request: &Request, text: &str) -> bool {
    match request.paths.get(text) {
        Some(fact) => fact.is_credential,
        None => {
            let given = lexical(text, request.cwd.as_deref(), request.home.as_deref());
            is_credential(given.as_deref().unwrap_or(text), request.home.as_deref())
        }
    }
}

fn is_credential_path(path: &NamedPath, home: Option<&str>) -> bool {
    // What nobody has looked up is told by its name.
    let by_name = || path.given.as_deref().is_some_and(|given| is_credential(given, home));
    path.is_credential.unwrap_or_else(by_name)
}

/// Whether a file counts that is not there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Missing {
    /// Yes: it may be made in between.
    Count,
    /// No: in a text of which nobody knows what opens a file, its name may be a word like any other.
    DoNotCount,
}

/// Whether a word of `text` leads to a file that holds credentials.
fn mentions<'a>(text: &'a str, call: &Call<'a>, missing: Missing) -> bool {
    let request = call.request;
    // From the home folder on it is no prose.
    let counts = |word: &str| missing == Missing::Count || word.starts_with("~/");
    let leads = |word: &String| match request.paths.get(word) {
        Some(fact) => fact.is_credential && (counts(word) || !fact.is_missing),
        None => counts(word) && is_credential(&format!("/{}", word.trim_start_matches('/')), None),
    };
    call.loose_paths(text).iter().any(leads)
}

/// The words by which `part` names files with credentials, or prints some.
pub(in crate::rules) fn credential_words<'a>(situation: &Situation<'_>, part: &'a Part) -> Vec<&'a str> {
    let request = situation.call.request;
    let is = |word: &&Word| {
        let paths = read_paths(part, word);
        paths.iter().any(|path| matches!(path, WordPath::Named(text) if credential_at(request, text)))
    };
    let named = part.words.iter().skip(1).chain(&part.reads).filter(is).map(|word| word.text.as_str());
    named.chain(prints_credentials(part).into_iter().flat_map(|printing| printing.words)).collect()
}
