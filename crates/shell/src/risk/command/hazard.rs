//! What a command does beside reading and writing the files that it names, and that hardly any work on a project needs:
//! asked about even where everything else passes.
//!
//! What counts are facts of the tables: whose rights a program runs with, whether it changes the machine, which
//! program another one starts. What a program does that nobody can see, as a script or a build, is none of it.

use super::destructive;
use super::invocation::{Invocation, base_name};
use crate::command_line::{Input, Part, Word, WordKind};
use crate::mentions;
use crate::operand_effects;
use crate::path::{is_credential_name, may_hold, may_match};
use crate::programs;
use crate::programs::fact::Fact;
use crate::programs::name::canonical;

/// What a command does that is asked about even where everything else passes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hazard {
    /// This program runs something with the rights of another user.
    AnotherUser(String),
    /// This program changes the machine: accounts, services, timers, disks, the network, the kernel, what is installed.
    Machine(String),
    /// It sets what its program, or others, run by themselves later: what it does, as a clause.
    Later(String),
    /// Whoever runs the file gets the rights of its owner.
    OwnersRights,
    /// This variable makes other programs load code.
    LoadsCode(String),
    /// It turns off or changes what is noted about commands, by this word.
    Traces(String),
    /// This program, which is no shell, starts this shell.
    Shell {
        /// The program.
        program: String,
        /// The shell.
        shell: String,
    },
    /// This shell goes on reading what it is to do.
    Open(String),
    /// It connects what runs here with another machine.
    Connection,
    /// This program carries data or commands to another machine.
    Carries(String),
    /// It changes whose a file is, or lets everybody write it.
    Ownership,
    /// It runs a container with the rights of the machine itself.
    Container(String),
    /// It looks beyond the folder it runs in for files with this name, which hold credentials.
    SearchesCredentials(String),
}

/// Variables by which other programs load code (ld.so(8), dyld(1), bash manual "Bash Variables").
const LOADERS: &[&str] = &["LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES", "BASH_ENV", "PROMPT_COMMAND"];
/// Variables that say what is noted of commands (bash manual, "Bash History Facilities"; zshparam(1)).
const HISTORY: &[&str] = &["HISTFILE", "HISTSIZE", "HISTFILESIZE", "HISTCONTROL", "HISTIGNORE", "SAVEHIST"];
/// Beginnings of names that are connections: bash manual "Redirections"; gawk manual "Using gawk for Network Programming".
const CONNECTIONS: &[&str] = &["/dev/tcp/", "/dev/udp/", "/inet/tcp/", "/inet/udp/"];
/// Options of find(1) and fd(1) whose value is a pattern of names.
const NAME_OPTIONS: &[&str] = &["-name", "-iname", "-path", "-ipath", "-wholename", "-regex"];

impl Hazard {
    /// What it does, as a clause.
    #[must_use]
    pub fn clause(&self) -> String {
        match self {
            Self::AnotherUser(program) => format!("`{program}` runs it with the rights of another user"),
            Self::Machine(program) => format!("`{program}` changes this machine"),
            Self::Later(clause) => clause.clone(),
            Self::OwnersRights => "whoever runs the file gets the rights of its owner".to_owned(),
            Self::LoadsCode(variable) => format!("`{variable}` makes other programs load code"),
            Self::Traces(word) => format!("`{word}` changes what is noted about commands"),
            Self::Shell { program, shell } => format!("`{program}` starts the shell `{shell}`"),
            Self::Open(shell) => format!("`{shell}` goes on reading what it is to do"),
            Self::Carries(program) => format!("`{program}` carries data or commands to another machine"),
            Self::Ownership => "it changes whose the file is, or who may write it".to_owned(),
            Self::Container(word) => format!("`{word}` gives a container the rights of this machine"),
            Self::Connection => "it connects what runs here with another machine".to_owned(),
            Self::SearchesCredentials(name) => {
                format!("it looks for `{name}`, which holds credentials, outside of the folder it runs in")
            }
        }
    }
}

/// What of it `part` does.
#[must_use]
pub fn hazard(part: &Part) -> Option<Hazard> {
    as_another_user(part)
        .or_else(|| by_variables(part))
        .or_else(|| of_machine(part))
        .or_else(|| later(part).map(Hazard::Later))
        .or_else(|| rights(part))
        .or_else(|| container(part))
        .or_else(|| carries(part))
        .or_else(|| connects(part).then_some(Hazard::Connection))
        .or_else(|| searches_credentials(part).map(Hazard::SearchesCredentials))
        .or_else(|| starts(part))
}

/// Whether a text among the words of `part`, or on its standard input, may be a program that it runs.
#[must_use]
pub fn may_run_text(part: &Part) -> bool {
    operand_effects::runs_text(&part.words)
}

fn is_as_another_user(name: &str) -> bool {
    programs::of(name).is(Fact::AsAnotherUser)
}

fn as_another_user(part: &Part) -> Option<Hazard> {
    let own = part.wrappers.iter().map(String::as_str).chain(part.program()).map(canonical);
    let found = own.into_iter().find(|name| is_as_another_user(name));
    found.map(Hazard::AnotherUser)
}

/// A variable that is set in front of the command, or by `export` and its like.
fn by_variables(part: &Part) -> Option<Hazard> {
    let program = part.program().unwrap_or_default();
    let set = (program == "unset" || programs::of(program).is(Fact::Declares))
        .then(|| part.words.iter().skip(1))
        .into_iter()
        .flatten();
    let name = |text: &str| text.split(['=', '+']).next().unwrap_or_default().to_owned();
    let mut names = part.assignments.iter().map(|text| name(text)).chain(set.map(|word| name(&word.text)));
    let words: Vec<&str> = part.words.iter().map(|word| word.text.as_str()).collect();
    let found = names.find(|name| LOADERS.contains(&name.as_str()) || HISTORY.contains(&name.as_str()));
    let uses_file = |word: &Word| word.kind == WordKind::Varies && word.text.contains("HISTFILE");
    let changes_file = part.writes.iter().any(uses_file)
        || operand_effects::only_writes(base_name(program)) && part.words.iter().any(uses_file);
    match (found, words.as_slice()) {
        _ if changes_file => Some(Hazard::Traces("HISTFILE".to_owned())),
        (Some(name), _) if LOADERS.contains(&name.as_str()) => Some(Hazard::LoadsCode(name)),
        (Some(name), _) => Some(Hazard::Traces(name)),
        (None, ["history", first, ..]) if first.starts_with('-') => Some(Hazard::Traces("history".to_owned())),
        (None, ["set", rest @ ..] | ["shopt", rest @ ..]) if rest.contains(&"history") => {
            Some(Hazard::Traces("history".to_owned()))
        }
        _ => None,
    }
}

fn of_machine(part: &Part) -> Option<Hazard> {
    let name = canonical(part.program()?);
    // date(1): an operand without `+` is the time that is set.
    let sets_clock = |pair: (&Word, &Word)| {
        let option = pair.0.text.starts_with('-') && pair.0.text != "-u";
        !option && pair.1.text.len() >= 8 && pair.1.text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
    };
    if name == "date" && part.words.iter().zip(part.words.iter().skip(1)).any(sets_clock) {
        return Some(Hazard::Machine(name));
    }
    programs::of(&name).is(Fact::ChangesMachine).then_some(Hazard::Machine(name))
}

/// What runs by itself later, by a row of the program's entry. Asked for help it only tells.
fn later(part: &Part) -> Option<String> {
    let invocation = Invocation::of(part)?;
    let only_tells = invocation.words.last() == Some(&"--help");
    destructive::row(programs::of(invocation.program).sets, &invocation).filter(|_| !only_tells)
}

/// `chmod u+s`, `chmod 4755`, `install -m 4755` (chmod(1), "SETUID AND SETGID BITS"); `chmod a+w`, `chown`.
fn rights(part: &Part) -> Option<Hazard> {
    let invocation = Invocation::of(part)?;
    let mut words = invocation.words.iter().copied();
    let (sets_id, opens) = match invocation.program {
        "chmod" => words.find(|word| !is_long_option(word)).map_or((false, false), mode),
        "install" => {
            let modes = words.map(|word| mode(word.trim_start_matches("--mode=").trim_start_matches("-m")));
            (modes.filter(|(sets_id, _)| *sets_id).count() > 0, false)
        }
        program if programs::of(program).is(Fact::SetsOwner) => (false, true),
        _ => (false, false),
    };
    match (sets_id, opens) {
        (true, _) => Some(Hazard::OwnersRights),
        (false, true) => Some(Hazard::Ownership),
        (false, false) => None,
    }
}

/// An option of chmod(1), not a mode such as `-w`.
fn is_long_option(word: &str) -> bool {
    word.starts_with("--") || matches!(word, "-R" | "-v" | "-c" | "-f" | "-Rv" | "-Rf" | "-vR" | "-fR")
}

/// Whether a mode of a file gives its owner's rights to who runs it, and whether it lets everybody write.
fn mode(text: &str) -> (bool, bool) {
    if !text.is_empty() && text.bytes().all(|byte| (b'0'..=b'7').contains(&byte)) {
        let mode = u32::from_str_radix(text, 8).unwrap_or_default();
        return (mode & 0o6000 != 0, mode & 0o002 != 0);
    }
    let mut found = (false, false);
    for clause in text.split(',') {
        let Some((who, what)) = clause.split_once(['+', '=']) else { continue };
        if who.bytes().all(|letter| b"ugoa".contains(&letter)) && what.bytes().all(|letter| b"rwxXst".contains(&letter))
        {
            found.0 |= what.contains('s');
            found.1 |= what.contains('w') && who.contains(['o', 'a']);
        }
    }
    found
}

/// A container that sees all of the machine (docker-run(1), "--privileged", "--pid").
fn container(part: &Part) -> Option<Hazard> {
    let invocation = Invocation::of(part)?;
    let gives = |word: &&str| {
        word.starts_with("--privileged")
            || *word == "--pid=host"
            || word.contains("\"privileged\"")
            || word.contains("hostPID")
    };
    let runs = programs::of(invocation.program).is(Fact::RunsContainers);
    let word = invocation.words.iter().copied().find(|word| runs && gives(word))?;
    let word: String = word.chars().take(40).collect();
    Some(Hazard::Container(word))
}

/// A program that carries data or commands to a machine that is not this one.
fn carries(part: &Part) -> Option<Hazard> {
    let invocation = Invocation::of(part)?;
    let name = canonical(part.program()?);
    let words = &invocation.words;
    // scp(1), rsync(1): `host:path`.
    let is_remote = |word: &&str| word.split_once(':').is_some_and(|(host, _)| !host.is_empty() && !host.contains('/'));
    let sends_file = |words: &[&str]| {
        let glued = |word: &&str| {
            let value = word
                .strip_prefix("-d")
                .or_else(|| word.strip_prefix("-F"))
                .or_else(|| word.split_once('=').map(|(_, v)| v));
            value.is_some_and(|value| value.starts_with('@') || value.contains("=@"))
        };
        let next = words.iter().zip(words.iter().skip(1)).any(|(option, value)| {
            matches!(*option, "-T" | "--upload-file")
                || option.starts_with('-') && (value.starts_with('@') || value.contains("=@"))
        });
        next || words.iter().any(|word| {
            glued(word)
                || word.starts_with("--post-file")
                || word.starts_with("--body-file")
                || word.starts_with("--upload-file")
        })
    };
    let carries = match name.as_str() {
        name if programs::of(name).is(Fact::NamesHosts) => words.iter().any(is_remote),
        name if programs::of(name).is(Fact::SendsRequests) => sends_file(words),
        "openssl" => words.first() == Some(&"s_client"),
        _ => programs::of(&name).is(Fact::Carries),
    };
    let here = |word: &&str| ["localhost", "127.0.0.1", "[::1]", "::1"].iter().any(|host| word.contains(host));
    let only_tells = words.iter().all(|word| matches!(*word, "-V" | "-h" | "--help" | "--version"));
    (carries && !only_tells && !words.iter().any(here)).then_some(Hazard::Carries(name))
}

fn connects(part: &Part) -> bool {
    let words = part.words.iter().chain(&part.writes).chain(&part.reads);
    // A text that is only data may speak of it.
    let runs = may_run_text(part);
    let given = part.given.iter().filter(|_| runs).map(String::as_str);
    let files = part.writes.iter().chain(&part.reads).map(|word| word.text.as_str());
    let texts: Vec<&str> = words.filter(|_| runs).map(|word| word.text.as_str()).chain(given).chain(files).collect();
    // A program in another language that runs what comes from a connection.
    let holds = |text: &str, parts: &[&str]| parts.iter().any(|part| text.contains(part));
    let serves = |text: &str| {
        holds(text, &["socket", "Socket", "connect("]) && holds(text, &["popen", "exec", "spawn", "system(", "dup2"])
    };
    texts.iter().any(|text| CONNECTIONS.iter().any(|start| text.contains(start)) || runs && serves(text))
}

/// The name of the credentials that `find` looks for, in a folder that is not below the one it runs in.
fn searches_credentials(part: &Part) -> Option<String> {
    let invocation = Invocation::of(part)?;
    let words = &invocation.words;
    let elsewhere = |text: &str| text.starts_with(['/', '~', '$']) || text.split('/').any(|part| part == "..");
    match programs::called_like(invocation.program) {
        "find" => {
            let mut roots = words.iter().take_while(|word| !word.starts_with(['-', '(', '!']));
            let there = part.folders.iter().any(|folder| elsewhere(folder));
            let kept = roots.clone().find(|root| elsewhere(root) && may_hold(root)).map(|root| (*root).to_owned());
            if kept.is_some() || !(there || roots.any(|root| elsewhere(root))) {
                return kept;
            }
            let pairs = words.iter().zip(words.iter().skip(1));
            let mut patterns = pairs.filter(|(option, _)| NAME_OPTIONS.contains(option)).map(|(_, value)| *value);
            patterns.find(|pattern| is_for_credentials(pattern)).map(str::to_owned)
        }
        "locate" => words.iter().find(|word| is_for_credentials(word)).map(|word| (*word).to_owned()),
        _ => None,
    }
}

/// Whether a pattern of names is meant to find files that hold credentials: `id_rsa`, `*/.aws/credentials`, `.env*`.
fn is_for_credentials(pattern: &str) -> bool {
    const KNOWN: &[&str] = &[".env", "id_rsa", "id_ed25519", "credentials", ".netrc", ".git-credentials", ".pgpass"];
    let last = pattern.rsplit('/').next().unwrap_or(pattern);
    let literal = last.trim_matches('*');
    let folder = pattern.split('/').any(|name| matches!(name, ".ssh" | ".aws" | ".gnupg" | ".kube" | ".azure"));
    let named = is_credential_name(&literal.to_lowercase());
    // `*` alone finds everything.
    let found = literal.len() > 3 && KNOWN.iter().any(|name| may_match(last, name));
    folder || named || found
}

/// A shell, or a program that runs others as another user, which a program starts that is none.
fn starts(part: &Part) -> Option<Hazard> {
    let program = part.words.first()?;
    let name = canonical(&program.text);
    let is_shell = |name: &str| programs::of(name).is(Fact::RunsScripts);
    if is_shell(&name) {
        let is_typed = matches!(part.input, Input::Inherited | Input::Unknown) && part.reads.is_empty();
        let goes_on =
            |word: &Word| word.text.starts_with(['-', '+']) && reads_on(Some(&word.text)) && !tells(&word.text);
        let open = is_typed && part.given.is_empty() && part.words.iter().skip(1).all(goes_on);
        return open.then_some(Hazard::Open(name));
    }
    let sure = programs::of(&name).is(Fact::RunsOperands);
    let bare = part.words.iter().enumerate().skip(1).find(|(index, word)| {
        let is_named = word.kind == WordKind::Exact && is_shell(&canonical(&word.text));
        is_named
            && (sure || word.text.starts_with('/'))
            && reads_on(part.words.get(index + 1).map(|next| next.text.as_str()))
    });
    let takes_code = operand_effects::takes_code(&part.words);
    let in_text = || {
        let texts = part.words.iter().skip(1).filter(|word| word.text.contains([' ', '(', '\'', '"', ':', '=', '!']));
        let texts = texts.map(|word| word.text.as_str()).chain(part.given.iter().map(String::as_str));
        let assigned = part.assignments.iter().map(String::as_str);
        let counts = |text: &&str| takes_code || text.contains("=!");
        texts.into_iter().filter(counts).chain(assigned).find_map(shell_in)
    };
    let mentions = mentions::in_part(part);
    let mut named: Vec<&String> = mentions.programs.iter().filter(|named| **named != name).collect();
    named.sort();
    if let Some(user) = named.iter().find(|named| is_as_another_user(named)) {
        return Some(Hazard::AnotherUser((*user).clone()));
    }
    let path = named.iter().find(|named| named.starts_with('/') && is_shell(base_name(named)) && !is_word(part, named));
    let shell =
        bare.map(|(_, word)| word.text.clone()).or_else(|| path.map(|path| (*path).clone())).or_else(in_text)?;
    Some(Hazard::Shell { program: name, shell })
}

/// Whether a shell with this option only tells of itself.
fn tells(option: &str) -> bool {
    matches!(option, "--version" | "--help")
}

/// Whether a shell with this word behind it goes on reading what it is to do: no script and no command is given to it.
fn reads_on(next: Option<&str>) -> bool {
    match next {
        None | Some(";" | "+" | "\\;" | "{}") => true,
        Some(option) if option.starts_with("--") => true,
        Some(option) => option.starts_with(['-', '+']) && !option.contains('c'),
    }
}

/// A shell that a program in another language starts: `system("sh")`, `:!sh`, `exec 'bash -i'`, `exec sh 0<&1`.
fn shell_in(text: &str) -> Option<String> {
    // vim(1), ed(1) and their like: `:shell`.
    if matches!(text, ":shell" | ":sh" | ":term" | ":terminal") {
        return Some("sh".to_owned());
    }
    let quotes = ['"', '\'', '!', '`'];
    let quoted = text.char_indices().filter(|(_, sign)| quotes.contains(sign));
    let quoted = quoted.map(|(at, sign)| (at + sign.len_utf8(), Some(sign)));
    let before = |before: &'static str| text.match_indices(before).map(|(at, word)| (at + word.len(), None));
    let replaced = before("exec ").chain(before("| ")).chain(before("|"));
    quoted.chain(replaced).find_map(|(at, sign)| {
        let rest = text.get(at..)?.trim_start_matches(['"', '\'']);
        let end = rest.find(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '/')).unwrap_or(rest.len());
        let (word, behind) = rest.split_at_checked(end)?;
        let closes = behind.starts_with(['"', '\'', '`', ')', ';']) || behind.is_empty();
        let typed = [" -i", " 0<", " <", " 1>"].iter().any(|start| behind.starts_with(start));
        let ends = closes || typed || sign == Some('!') && !behind.starts_with(" -c");
        let is_shell = programs::of(base_name(word)).is(Fact::RunsScripts);
        (ends && is_shell).then(|| word.to_owned())
    })
}

/// Whether `name` is a word of `part` by itself.
fn is_word(part: &Part, name: &str) -> bool {
    part.words.iter().skip(1).any(|word| word.text == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command_line::{CommandLine, Shell};

    fn found(line: &str) -> Option<Hazard> {
        CommandLine::analyse(line, Shell::Bash).parts.iter().find_map(hazard)
    }

    #[test]
    fn a_shell_that_reads_on_is_told_from_one_with_a_script() {
        for line in [
            "sh",
            "bash -i",
            "env /bin/sh",
            "find . -exec sh \\;",
            "vim -c ':!sh'",
            "python3 -c 'os.system(\"bash\")'",
            "perl -e 'exec \"/bin/sh -i\"'",
            "vim -c ':lua os.execute(\"reset; exec sh\")'",
        ] {
            assert!(matches!(found(line), Some(Hazard::Shell { .. } | Hazard::Open(_))), "{line}: {:?}", found(line));
        }
        for line in [
            "bash run.sh",
            "bash --version",
            "sh -c 'echo x'",
            "echo 'echo x' | bash -s",
            "find . -name x -exec sh -c 'echo \"$1\"' _ {} \\;",
            "docker exec web bash run.sh",
            "git commit -m 'Start bash'",
            "python3 -c 'print(\"push\")'",
            "npm run bash-completion",
        ] {
            let hazard = found(line);
            assert!(!matches!(hazard, Some(Hazard::Shell { .. } | Hazard::Open(_))), "{line}: {hazard:?}");
        }
    }

    #[test]
    fn what_runs_as_another_user_or_with_the_rights_of_the_machine_is_known_by_its_entry() {
        for line in ["sudo-rs x", "doas-rs x", "run0 x", "gosu app x", "su-exec app x", "dzdo x", "/usr/bin/sudo x"] {
            assert!(matches!(found(line), Some(Hazard::AnotherUser(_))), "{line}: {:?}", found(line));
        }
        for line in ["finch run --privileged x", "microk8s.kubectl run x --overrides '{\"privileged\": true}'"] {
            assert!(matches!(found(line), Some(Hazard::Container(_))), "{line}: {:?}", found(line));
        }
        for line in ["vim -c ':!mksh'", "python3 -c 'os.system(\"tcsh\")'", "elvish", "ksh93"] {
            assert!(matches!(found(line), Some(Hazard::Shell { .. } | Hazard::Open(_))), "{line}: {:?}", found(line));
        }
    }

    #[test]
    fn modes_that_give_rights_are_told_from_others() {
        for (text, gives) in [
            ("4755", (true, false)),
            ("2755", (true, false)),
            ("u+s", (true, false)),
            ("g=rxs", (true, false)),
            ("777", (false, true)),
            ("1777", (false, true)),
            ("a+w", (false, true)),
            ("u+x,o+w", (false, true)),
            ("755", (false, false)),
            ("0644", (false, false)),
            ("+x", (false, false)),
            ("u+w", (false, false)),
            ("src", (false, false)),
        ] {
            assert_eq!(mode(text), gives, "{text}");
        }
    }

    #[test]
    fn a_search_for_credentials_counts_beyond_the_folder_only() {
        for line in [
            "find / -name id_rsa",
            "find .. -name '.env*'",
            "cd / && find . -name credentials",
            "find $HOME -iname '*credentials*'",
            "find ~/.aws -name x",
            "find / -path '*/.ssh/*'",
        ] {
            assert!(matches!(found(line), Some(Hazard::SearchesCredentials(_))), "{line}: {:?}", found(line));
        }
        for line in ["find . -name .env", "find / -name '*.rs'", "find src -name credentials.ts", "find / -name '*'"] {
            assert_eq!(found(line), None, "{line}");
        }
    }

    #[test]
    fn what_stays_on_this_machine_is_carried_nowhere() {
        for line in ["scp a ann@host:b", "rsync -a src host:b", "curl -d @a https://x.example", "nc x.example 80"] {
            assert!(matches!(found(line), Some(Hazard::Carries(_))), "{line}: {:?}", found(line));
        }
        for line in
            ["rsync -a src b", "curl -d @a http://localhost:1", "curl -d a=b https://x.example", "nc -z 127.0.0.1 80"]
        {
            assert_eq!(found(line), None, "{line}");
        }
    }
}
