//! Reading a file that holds credentials: asked about in every preset, unless a rule spells the file out.
//!
//! What a program reads without its words saying so (a script, a test, an editor's plug-in) cannot be seen.

use wildmatch::WildMatch;

use super::Protection;
use super::guard::Guard;
use crate::path::{CredentialReader, HeldCredential, is_within, loose_paths, may_find, word_paths};
use crate::policy::Action;
use crate::policy::situation::{NamedPath, Situation, Target};
use crate::risk::credential_files::{example_names, is_broad_folder};
use crate::risk::{is_credential, is_credential_name, names_listed};
use crate::shell::{Part, Word};
use crate::{Request, ToolClass};

/// Interpreters, whose operands may be programs: what they name, they open.
const RUNS_TEXT: &str =
    "sh bash zsh dash ksh python python2 python3 node deno bun perl ruby php lua awk gawk mawk sed osascript";

/// Why `situation` reads credentials; `None`: it does not, as far as anybody can tell.
pub(super) fn guard(situation: &Situation<'_>) -> Option<Guard> {
    reads_credentials(situation).then_some(Guard { action: Action::Ask, protection: Protection::Credential })
}

fn reads_credentials(situation: &Situation<'_>) -> bool {
    let request = situation.call.request;
    let home = request.home.as_deref();
    match situation.target {
        Target::Write(..) => false,
        Target::Call => call_reads(situation, request),
        Target::Read(..) => situation.paths.named.iter().any(|path| is_credential_path(path, home)),
        Target::Line(line) => {
            let text = line.map(|line| line.text.as_str()).unwrap_or_default();
            mentions(text, request)
        }
        Target::Command(part) => command_reads(situation, part),
    }
}

fn call_reads(situation: &Situation<'_>, request: &Request) -> bool {
    // Whoever writes the file says what is in it.
    if matches!(request.class, ToolClass::FileWrite | ToolClass::Shell) {
        return false;
    }
    let home = request.home.as_deref();
    if situation.paths.named.iter().any(|path| is_credential_path(path, home)) {
        return true;
    }
    let Some(search) = request.content_search() else { return false };
    let glob = search.glob.as_deref();
    let reads = |held: &HeldCredential| match glob {
        // A glob that names it is stronger than an ignore file: ripgrep's guide, "Manual filtering: globs".
        Some(glob) => glob_matches(glob, held.name()),
        None => !held.is_ignored,
    };
    request.paths.get(&search.folder).is_some_and(|fact| fact.holds.iter().any(reads))
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

fn command_reads(situation: &Situation<'_>, part: &Part) -> bool {
    let request = situation.call.request;
    let home = request.home.as_deref();
    let Some(reader) = CredentialReader::of(part) else { return false };
    let named = |text: &str| credential_at(request, text);
    if reader.read_words().into_iter().flat_map(|word| word_paths(part, word)).any(|path| match path {
        crate::path::WordPath::Named(text) => named(&text),
        crate::path::WordPath::Below { folder, component } => below(request, &folder, &component),
        crate::path::WordPath::Unknown => false,
    }) {
        return true;
    }
    if reader.read_words().into_iter().any(|word| word.kind == crate::shell::WordKind::Varies && ends_in_name(word)) {
        return true;
    }
    let searched = reader.folders();
    let in_folders = searched.iter().any(|folder| {
        let fact = request.paths.get(folder);
        let whole_home = home.is_some_and(|home| fact.is_some_and(|fact| is_within(home, &fact.path)));
        let reads = |held: &HeldCredential| reader.reads(held);
        is_broad_folder(folder) || whole_home || fact.is_some_and(|fact| fact.holds.iter().any(reads))
    });
    if in_folders {
        return true;
    }
    let program = part.program().map_or("", |program| program.rsplit('/').next().unwrap_or(program));
    let scripts = part.words.iter().skip(1).filter(|word| word.text.contains([' ', '(', '\n']));
    names_listed(RUNS_TEXT, program) && scripts.into_iter().any(|word| mentions(&word.text, request))
}

/// `$DIR/.env`, `*/.env`: the shell makes something of the rest.
fn ends_in_name(word: &Word) -> bool {
    word.text.rsplit('/').next().is_some_and(is_credential_name)
}

/// Names in `folder` that `component` may find.
fn below(request: &Request, folder: &str, component: &str) -> bool {
    match request.paths.get(folder) {
        Some(fact) => {
            fact.holds.iter().filter(|held| !held.path.contains('/')).any(|held| may_find(component, &held.path))
        }
        None => component.starts_with('.') && example_names().any(|name| may_find(component, name)),
    }
}

/// Whether `text`, as seen from the working folder, is a file that holds credentials.
fn credential_at(request: &Request, text: &str) -> bool {
    match request.paths.get(text) {
        Some(fact) => fact.protected == Some(Protection::Credential),
        None => {
            let given = crate::path::lexical(text, request.cwd.as_deref(), request.home.as_deref());
            is_credential(given.as_deref().unwrap_or(text), request.home.as_deref())
        }
    }
}

fn is_credential_path(path: &NamedPath, home: Option<&str>) -> bool {
    // What nobody has looked up is told by its name.
    let unseen = path.resolved.is_none() && path.given.as_deref().is_some_and(|given| is_credential(given, home));
    path.protected == Some(Protection::Credential) || unseen
}

/// Whether a word of `text` leads to a file that holds credentials.
fn mentions(text: &str, request: &Request) -> bool {
    let leads =
        |word: String| request.paths.get(&word).is_some_and(|fact| fact.protected == Some(Protection::Credential));
    loose_paths(text).into_iter().any(leads)
}

/// The words of `part` that name files with credentials.
pub(in crate::policy) fn credential_words<'a>(situation: &Situation<'_>, part: &'a Part) -> Vec<&'a Word> {
    let request = situation.call.request;
    let is = |word: &&Word| {
        let paths = word_paths(part, word);
        paths.iter().any(|path| matches!(path, crate::path::WordPath::Named(text) if credential_at(request, text)))
    };
    part.words.iter().skip(1).chain(&part.reads).filter(is).collect()
}
