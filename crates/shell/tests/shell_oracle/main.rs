//! The analysis against the real shells: for random command lines, every word that is said to be
//! exact is the word that bash gives to the program, and zsh and dash where they may be the reader.
//!
//! Each line runs with an empty PATH, and a function or `command_not_found_handle` prints the words.
//! Programs have made-up names: those that end in `t` succeed, those that end in `f` fail. zsh and dash
//! may refuse a line that bash runs, since then nothing runs; what they run has to be what was found.
//! `HANDRAISE_ORACLE_INPUTS` sets how many analysable lines are tried, `HANDRAISE_ORACLE_SEED` the
//! start of the sequence.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the oracle is the real shell, which reads a file"
)]

mod generator;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use generator::{PROGRAMS, Random, line, word};
use handraise_shell::{CommandLine, Part, Shell, Word, WordKind};

/// A shell that lines are run in.
struct Oracle {
    program: &'static str,
    options: &'static [&'static str],
    /// What answers instead of programs; builtins that could do something are off.
    handler: &'static str,
    /// Reads a line and runs it; `INPUT` and `OUTPUT` are replaced.
    line: &'static str,
    /// It has to run everything that was found.
    runs_all: bool,
}

const BASH: Oracle = Oracle {
    program: "/bin/bash",
    options: &["--norc", "--noprofile"],
    handler: BASH_HANDLER,
    line: "ORACLE_FILE=OUTPUT; ( ulimit -t 5; IFS= read -r -d '' text <INPUT; eval -- \"$text\" ); printf '%s' $? >OUTPUT.status\n",
    runs_all: true,
};
const ZSH: Oracle = Oracle {
    program: "/usr/bin/zsh",
    options: &["-f"],
    handler: ZSH_HANDLER,
    line: "ORACLE_FILE=OUTPUT; ( ulimit -t 5; IFS= read -r -d '' text <INPUT; eval \"$text\" )\n",
    runs_all: false,
};
const DASH: Oracle = Oracle {
    program: "/usr/bin/dash",
    options: &[],
    handler: DASH_HANDLER,
    line: "ORACLE_FILE=OUTPUT; ( ulimit -t 5; text=$(/bin/cat INPUT; printf x); eval \"${text%x}\" ) 2>OUTPUT.errors\n",
    runs_all: false,
};
const DEFAULT_INPUTS: usize = 3_000;
/// Lines for one bash process.
const BATCH: usize = 500;

const BASH_HANDLER: &str = r#"PATH=/nonexistent
HOME=/home/oracle
unset v
trap '' PIPE
command_not_found_handle() {
  # One write for each command: `printf` would flush at each line break.
  printf '%s\0' "$#" "${@//$'\n'/$'\1'}" >>"$ORACLE_FILE"
  case $1 in *t) return 0 ;; *) return 1 ;; esac
}
cat() { [ $# = 0 ] || return; local text; while IFS= read -r text || [ -n "$text" ]; do printf '%s\n' "$text"; done; }
"#;

const ZSH_HANDLER: &str = r#"PATH=/nonexistent
HOME=/home/oracle
unset v
line=$'\n' mark=$'\1'
trap '' PIPE
command_not_found_handler() {
  printf '%s\0' "$#" "${@//$line/$mark}" >>"$ORACLE_FILE"
  case $1 in *t) return 0 ;; *) return 1 ;; esac
}
cat() { [ $# = 0 ] || return; local text; while IFS= read -r text || [ -n "$text" ]; do printf '%s\n' "$text"; done; }
"#;

/// dash has no handler: the programs are functions, and what else it looks for is in its errors.
const DASH_HANDLER: &str = r#"PATH=/nonexistent
HOME=/home/oracle
unset v
trap '' PIPE
tell() { printf '%s\0' "$#" "$@" >>"$ORACLE_FILE"; }
xat() { tell xat "$@"; return 0; }
xbt() { tell xbt "$@"; return 0; }
xdt() { tell xdt "$@"; return 0; }
xaf() { tell xaf "$@"; return 1; }
xcf() { tell xcf "$@"; return 1; }
cat() { [ $# = 0 ] || return; while IFS= read -r oracle || [ -n "$oracle" ]; do printf '%s\n' "$oracle"; done; }
"#;

/// What bash ran: for each line the words of each program, in any order, or that it refused the
/// line.
struct Ran {
    commands: Vec<Vec<String>>,
    refused: bool,
}

fn run(lines: &[String], folder: &Path, oracle: &Oracle) -> Vec<Ran> {
    let work = folder.join("work");
    fs::create_dir_all(&work).unwrap();
    let mut script = oracle.handler.to_owned();
    for (index, _) in lines.iter().enumerate() {
        let input = folder.join(format!("{index}.in"));
        let output = folder.join(format!("{index}.out"));
        fs::write(&input, lines.get(index).unwrap()).unwrap();
        let line = oracle.line.replace("INPUT", &input.display().to_string());
        script.push_str(&line.replace("OUTPUT", &output.display().to_string()));
    }
    let file = folder.join("script");
    fs::write(&file, script).unwrap();
    let status = Command::new(oracle.program)
        .args(oracle.options)
        .arg(&file)
        .current_dir(&work)
        .env_clear()
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(fs::File::create(folder.join("errors")).unwrap())
        .status()
        .unwrap();
    assert!(status.code().is_some(), "{} was stopped by a signal", oracle.program);
    let ran = (0..lines.len()).map(|index| {
        let output = fs::read(folder.join(format!("{index}.out"))).unwrap_or_default();
        let status = fs::read_to_string(folder.join(format!("{index}.out.status"))).unwrap_or_default();
        let fields: Vec<String> = output
            .split(|byte| *byte == 0)
            .map(|field| String::from_utf8_lossy(field).replace('\u{1}', "\n"))
            .collect();
        let mut fields = fields.into_iter();
        let mut commands = Vec::new();
        while let Some(count) = fields.next().and_then(|count| count.parse().ok()) {
            commands.push(fields.by_ref().take(count).collect());
        }
        let errors = fs::read_to_string(folder.join(format!("{index}.out.errors"))).unwrap_or_default();
        let sought = errors.lines().filter_map(|line| line.strip_suffix(": not found")?.rsplit_once(": "));
        commands.extend(sought.map(|(_, program)| vec![program.to_owned(), SOUGHT.to_owned()]));
        Ran { refused: commands.is_empty() && status == "2", commands }
    });
    let ran = ran.collect();
    fs::remove_dir_all(folder).unwrap();
    ran
}

/// The word of a program of which only the name is known.
const SOUGHT: &str = "\u{1}";

/// Whether `part` can have given `words` to its program: equal up to the first word that varies.
fn explains(part: &Part, words: &[String]) -> bool {
    if let [program, sought] = words
        && sought == SOUGHT
    {
        // In the error the name stands behind a `: `, which may be part of it.
        return part.programs().any(|name| name == program || name.ends_with(&format!(": {program}")));
    }
    words_explain(&part.words, words) || part.layers.iter().any(|layer| words_explain(&layer.words, words))
}

fn words_explain(found: &[Word], words: &[String]) -> bool {
    let exact = found.iter().take_while(|word| word.kind == WordKind::Exact).count();
    let all = exact == found.len();
    (if all { words.len() == exact } else { words.len() >= exact })
        && found.iter().take(exact).zip(words).all(|(word, ran)| word.text == *ran)
        && ends_match(found, words)
}

/// And from the end back to the last word that varies.
fn ends_match(found: &[Word], words: &[String]) -> bool {
    let after = found.iter().rev().take_while(|word| word.kind == WordKind::Exact);
    after.zip(words.iter().rev()).all(|(word, ran)| word.text == *ran)
}

/// What is wrong between the analysis of a line and what bash did; `None` when nothing is.
fn difference(parts: &[Part], ran: &Ran, conditional: bool, oracle: &Oracle) -> Option<String> {
    if ran.refused {
        return Some("it is refused".to_owned());
    }
    if let Some(words) = ran.commands.iter().find(|words| !parts.iter().any(|part| explains(part, words))) {
        return Some(format!("{} ran {words:?}", oracle.program));
    }
    if !oracle.runs_all {
        return None;
    }
    // Without `&&` and `||` everything that was found runs.
    let skipped = parts.iter().filter(|part| !part.program().is_some_and(|name| OURS.contains(&name))).find(|part| {
        !part.words.is_empty() && part.reads.is_empty() && !ran.commands.iter().any(|words| explains(part, words))
    });
    match skipped {
        Some(part) if !conditional => Some(format!("bash did not run {:?}", part.words)),
        _ => None,
    }
}

/// Each command runs as often as it is found, loops apart.
fn counts_differ(parts: &[Part], ran: &Ran, text: &str) -> bool {
    if is_conditional(text) {
        return false;
    }
    let mut programs: HashMap<&str, i64> = HashMap::new();
    // A file that is not there keeps a command from running, and a wrapper is a program here.
    if parts.iter().any(|part| !part.reads.is_empty() || !part.wrappers.is_empty()) {
        return false;
    }
    for part in parts {
        if let Some(program) = part.program().filter(|program| !OURS.contains(program)) {
            *programs.entry(program).or_default() += 1;
        }
    }
    for words in ran.commands.iter().filter(|words| !OURS.contains(&words.first().unwrap().as_str())) {
        *programs.entry(words.first().unwrap()).or_default() -= 1;
    }
    programs.values().any(|count| *count != 0)
}

fn folder(oracle: &Oracle, seed: u64, batch: usize) -> PathBuf {
    let shell = oracle.program.rsplit('/').next().unwrap_or_default();
    std::env::temp_dir().join(format!("handraise-oracle-{shell}-{}-{seed}-{batch}", std::process::id()))
}

#[test]
fn bash_gives_programs_the_words_that_are_said_to_be_exact() {
    compare(&BASH, Shell::Bash);
}

#[test]
fn zsh_runs_nothing_but_what_is_found_where_it_may_be_the_reader() {
    compare(&ZSH, Shell::Zsh);
}

/// What each shell hands to a program from a here-document that it expands, against what is said of it.
#[test]
fn a_document_that_is_understood_is_what_the_shells_make_of_it() {
    let shells = [(&BASH, Shell::Bash), (&ZSH, Shell::Zsh), (&DASH, Shell::Posix)];
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let wanted = number("HANDRAISE_ORACLE_INPUTS").map_or(DEFAULT_INPUTS, |count| usize::try_from(count).unwrap()) / 30;
    let mut random = Random(number("HANDRAISE_ORACLE_SEED").unwrap_or(1));
    let (mut understood, mut failures) = (0, Vec::new());
    for _ in 0..100 * wanted {
        if understood >= wanted {
            break;
        }
        let body: String = (0..=random.below(3)).map(|_| format!("{}\n", word(&mut random))).collect();
        let text = format!("v=a; BIN=b/c; cat <<E\n{body}E\n");
        for (oracle, shell) in shells {
            let analysed = CommandLine::analyse(&text, shell);
            let Some(Part { given, .. }) = analysed.parts.last() else { continue };
            let ([given], None) = (given.as_slice(), &analysed.obstacle) else { continue };
            understood += 1;
            let mut command = Command::new(oracle.program);
            command
                .args(oracle.options)
                .args(["-c", &text])
                .env_clear()
                .env("PATH", "/usr/bin:/bin")
                .env("LC_ALL", "C.UTF-8");
            let printed = String::from_utf8_lossy(&command.output().unwrap().stdout).into_owned();
            if printed != *given {
                failures.push(format!("{} {text:?}: {printed:?}, not {given:?}", oracle.program));
            }
        }
    }
    assert!(understood >= wanted, "only {understood} are understood");
    assert!(failures.is_empty(), "{} of {understood}:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn dash_runs_nothing_but_what_is_found_where_it_may_be_the_reader() {
    compare(&DASH, Shell::Posix);
}

fn compare(oracle: &Oracle, shell: Shell) {
    assert!(Path::new(oracle.program).exists(), "{} is not installed; scripts/setup does it", oracle.program);
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let wanted = number("HANDRAISE_ORACLE_INPUTS").map_or(DEFAULT_INPUTS, |count| usize::try_from(count).unwrap());
    let seed = number("HANDRAISE_ORACLE_SEED").unwrap_or(1);
    let mut random = Random(seed);
    let (mut tried, mut accepted, mut batch) = (0_usize, 0_usize, 0_usize);
    let mut failures = Vec::new();
    while accepted < wanted {
        let mut analysed = Vec::new();
        while analysed.len() < BATCH.min(wanted - accepted) {
            tried += 1;
            let text = line(&mut random, 0);
            let line = CommandLine::analyse(&text, shell);
            let known = |part: &Part| {
                part.program().is_none_or(|program| {
                    PROGRAMS.contains(&program) || OURS.contains(&program) || !is_builtin(program)
                })
            };
            if line.obstacle.is_none()
                && line.parts.iter().all(known)
                // A path is looked up as a file, wrapper or not.
                && line.parts.iter().flat_map(Part::programs).all(|program| !program.contains('/'))
                && line.parts.iter().all(|part| part.writes.is_empty())
            {
                analysed.push(line);
            }
        }
        accepted += analysed.len();
        let lines: Vec<String> = analysed.iter().map(|line| line.text.clone()).collect();
        for (line, ran) in analysed.iter().zip(run(&lines, &folder(oracle, seed, batch), oracle)) {
            let conditional = is_conditional(&line.text);
            let wrong = difference(&line.parts, &ran, conditional, oracle).or_else(|| {
                (oracle.runs_all && counts_differ(&line.parts, &ran, &line.text))
                    .then(|| format!("bash ran {:?}", ran.commands))
            });
            // What the programs of a pipeline say at once may be torn: a real difference comes again.
            let again = || run(std::slice::from_ref(&line.text), &folder(oracle, seed, batch), oracle);
            let is_torn = || {
                !oracle.runs_all
                    && line.text.contains('|')
                    && (0..3)
                        .any(|_| again().iter().all(|ran| difference(&line.parts, ran, conditional, oracle).is_none()))
            };
            if let Some(wrong) = wrong.filter(|_| !is_torn()) {
                let words: Vec<_> = line.parts.iter().map(|part| &part.words).collect();
                failures.push(format!("{:?}: {wrong}; found {words:?}", line.text));
            }
        }
        batch += 1;
    }
    println!("{tried} lines, {accepted} analysable, {} differ (seed {seed})", failures.len());
    failures.sort_by_key(String::len);
    assert!(
        failures.is_empty(),
        "{} of {accepted} differ (seed {seed}):\n{}",
        failures.len(),
        failures.iter().take(30).cloned().collect::<Vec<_>>().join("\n")
    );
}

/// Builtins that the lines are meant to have. Nobody hears of them.
const OURS: &[&str] = &["[", "[[", "read", "break", "continue", ":"];

/// Whether some of the line may not run, or run more than once.
fn is_conditional(text: &str) -> bool {
    ["&&", "||", "for ", "if ", "while ", "until ", "case ", "continue", "break"].iter().any(|word| text.contains(word))
}

/// Names that bash would run itself, without the handler.
fn is_builtin(program: &str) -> bool {
    !program.contains(|character: char| !character.is_ascii_alphabetic())
        || [".", ":", "[", ".."].contains(&program)
        || program.contains('/')
        || program.starts_with(['%', '~'])
}
