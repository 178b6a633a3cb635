//! Every entry is tried: what it refuses is refused in every spelling, what it calls harmless passes.

use std::collections::{HashMap, HashSet};

use super::class::Class;
use super::form::Reaches;
use super::spec::{Operands, Spec, Style};
use super::{Program, all};
use crate::command_line::{CommandLine, Shell};
use crate::pattern::CommandPattern;
use crate::risk::classify_command;

/// `PROGRAM` or `PROGRAM SUB-COMMAND`, and what is known of its words.
fn specs(program: &'static Program) -> Vec<(String, &'static Spec)> {
    // Other names of the same entry are judged alike.
    let names = program.names.split(' ').take(1);
    match program.class {
        Class::Options(spec) => names.map(|name| (name.to_owned(), spec)).collect(),
        Class::HarmlessCommands(specs) | Class::SubCommands(specs) => names
            .flat_map(|name| {
                specs.iter().copied().flatten().flat_map(move |spec| {
                    // Those of one entry are judged alike, too.
                    let subs = spec.names.split(' ').take(2);
                    subs.map(move |sub| (format!("{name} {}", sub.replace(':', " ")), spec))
                })
            })
            .collect(),
        _ => Vec::new(),
    }
}

fn covers(rule: &str, command: &str) -> bool {
    let line = CommandLine::analyse(command, Shell::Bash);
    let pattern = CommandPattern::parse(rule).unwrap();
    line.obstacle.is_none() && line.parts.iter().all(|part| pattern.covers(part))
}

fn words(list: &'static str) -> impl Iterator<Item = &'static str> {
    list.split_ascii_whitespace()
}

/// The ways to write the option `name` of a refused list.
fn spellings(spec: &Spec, name: &str) -> Vec<String> {
    if spec.style == Style::Words {
        let plain = name.trim_start_matches('-');
        return vec![format!("-{plain}"), format!("-{plain}=x"), format!("--{plain}")];
    }
    if let Some(long) = name.strip_prefix("--") {
        let mut spellings = vec![format!("--{long}"), format!("--{long}=x"), format!("--{long} x")];
        // What getopt_long(3) takes for it, unless that is another option.
        let short = long.get(..long.len().saturating_sub(1)).unwrap_or_default();
        if short.len() > 3 {
            spellings.push(format!("--{short}"));
        }
        return spellings;
    }
    match name.strip_prefix('-').map(|letters| letters.chars().count()) {
        Some(1) => {
            let mut spellings = vec![name.to_owned(), format!("{name}x"), format!("{name} x")];
            // In a cluster, behind a harmless letter.
            spellings.extend(harmless_flag(spec).map(|flag| format!("-{flag}{}", name.trim_start_matches('-'))));
            spellings
        }
        Some(_) => vec![name.to_owned()],
        None => Vec::new(),
    }
}

fn harmless_flag(spec: &Spec) -> Option<char> {
    spec.flags.chars().find(|flag| flag.is_ascii_alphabetic() && !is_refused(spec, *flag))
}

fn is_refused(spec: &Spec, letter: char) -> bool {
    let option = format!("-{letter}");
    spec.refused.iter().any(|(list, _)| words(list).any(|listed| listed == option))
}

#[test]
fn no_program_has_two_entries() {
    let mut seen: HashMap<&str, &str> = HashMap::new();
    for program in all() {
        assert!(!program.names.is_empty() && !program.source.is_empty(), "{program:?}");
        for name in words(program.names) {
            assert_eq!(seen.insert(name, program.source), None, "{name} has two entries");
            assert!(super::find(name).is_some_and(|found| std::ptr::eq(found, program)), "{name}");
        }
    }
    assert!(seen.len() > 3_000, "{}", seen.len());
}

#[test]
fn what_an_entry_refuses_is_refused_however_it_is_written() {
    let mut tried = 0;
    let mut passed = Vec::new();
    for (name, spec) in all().flat_map(specs) {
        let rule = format!("{name} *");
        for option in spec.refused.iter().flat_map(|(list, _)| words(list)) {
            for spelling in spellings(spec, option) {
                for command in [format!("{name} {spelling}"), format!("{name} a {spelling}")] {
                    tried += 1;
                    if covers(&rule, &command) {
                        passed.push(command);
                    }
                }
            }
        }
    }
    assert!(tried > 4_000, "{tried}");
    assert!(passed.is_empty(), "{} passed:\n{}", passed.len(), passed.join("\n"));
}

/// getopt_long(3): behind an option with a value `--` is that value, and the options go on.
#[test]
fn a_double_dash_behind_an_option_hides_nothing() {
    let mut tried = 0;
    let mut passed = Vec::new();
    for (name, spec) in all().flat_map(specs).filter(|(_, spec)| spec.style == Style::Letters) {
        let rule = format!("{name} *");
        let flags = spec.flags.chars().chain(spec.valued.chars()).filter(char::is_ascii_alphabetic);
        let letters = flags.filter(|letter| !is_refused(spec, *letter)).map(|letter| format!("-{letter}"));
        let long = words(spec.long).filter(|long| !long.contains('='));
        let long = long
            .map(|long| long.trim_end_matches(':'))
            .map(|long| if long.starts_with('-') { long.to_owned() } else { format!("--{long}") });
        let refused = spec.refused.iter().flat_map(|(list, _)| words(list)).filter(|option| option.starts_with('-'));
        let refused: Vec<&str> = refused.filter(|option| *option != "-:").collect();
        for option in letters.chain(long) {
            // Where another program reads the words behind, they are its options: `--silent -- --fix`.
            let inner = spec.passes_on_to;
            for behind in refused.iter().filter(|_| inner.is_none()).take(4) {
                for command in [format!("{name} {option} -- {behind}"), format!("{name} {option} -- x {behind}")] {
                    tried += 1;
                    if covers(&rule, &command) {
                        passed.push(command);
                    }
                }
            }
        }
    }
    assert!(tried > 10_000, "{tried}");
    assert!(passed.is_empty(), "{} passed:\n{}", passed.len(), passed.join("\n"));
}

#[test]
fn a_double_dash_counts_operands_both_ways() {
    for (rule, covered, not) in [
        ("xxd *", "xxd -c 8 a", "xxd -c -- a b"),
        ("xxd *", "xxd -l 8 -s 2 a", "xxd -c -s a b"),
        ("uniq *", "uniq -f 1 a", "uniq -f -- a b"),
        ("rspec *", "rspec --tag fast spec/a_spec.rb", "rspec --tag -- ../a_spec.rb"),
        ("cargo test *", "cargo test --lib -- --nocapture", "cargo test -p -- --config=x"),
        ("cargo test *", "cargo test --all-features -- --nocapture", "cargo test --features -- --config x"),
        ("cargo test *", "cargo test -p a -- --nocapture x", "cargo test --lib -- --skip -- --logfile=x"),
        ("cargo clippy *", "cargo clippy --all-targets -- -D warnings", "cargo clippy --jobs -- -D warnings"),
        ("git diff *", "git diff --stat -- src/a.rs", "git diff --stat -- --output=x"),
        ("git log *", "git log --oneline -5 -- src", "git log --grep -- --output=x"),
        ("npm test *", "npm test --silent -- --coverage", "npm test --silent -- --config=x"),
        ("git commit *", "git commit -m x -- a", "git commit -m -- --amend"),
        ("tree *", "tree -dL 2 -I target src", "tree -Lo 2 a"),
        ("tree *", "tree -L2 src", "tree -LR 2 src"),
        ("ss *", "ss -tn state established", "ss -tn evil.example"),
        ("cargo nextest *", "cargo nextest run -E 'test(x)'", "cargo nextest self update"),
        ("dnf *", "dnf history list", "dnf history undo last"),
        ("git log *", "git log --grep=signature -- src/signature.rs", "git log --format=%+GK"),
        ("git grep *", "git grep -n signature src", "git grep -O./x signature"),
        ("git commit *", "git commit -m '100% Good % for signature'", "git commit -m x --help"),
        ("git for-each-ref *", "git for-each-ref --format='%(signer) %(refname)'", "git for-each-ref --sor -signature"),
        ("git branch *", "git branch --list --sort=-committerdate", "git branch --list --sort=-signature:key"),
        ("awk '{print $1}' *", "awk '{print $1}' a.txt", "awk '{print $1}' /inet/tcp/0/evil.example/80"),
    ] {
        assert!(covers(rule, covered), "{covered}");
        assert!(!covers(rule, not), "{not}");
    }
}

#[test]
fn what_an_entry_calls_harmless_passes() {
    let mut refused = Vec::new();
    for (name, spec) in all().flat_map(specs) {
        let rule = format!("{name} *");
        let both: Vec<char> = spec.flags.chars().filter(|flag| spec.valued.contains(*flag)).collect();
        assert!(both.is_empty(), "{name}: {both:?} have a value and have none");
        let letters = spec.flags.chars().filter(|letter| letter.is_ascii_alphabetic() && !is_refused(spec, *letter));
        let valued = spec.valued.chars().filter(|letter| !is_refused(spec, *letter));
        let long = words(spec.long).map(|long| {
            let dashes = match spec.style {
                Style::Words if !long.starts_with('-') => "-",
                Style::Letters if !long.starts_with('-') => "--",
                _ => "",
            };
            match long.strip_suffix(':') {
                Some(long) => format!("{dashes}{long} 5"),
                None => format!("{dashes}{long}"),
            }
        });
        let options =
            letters.map(|letter| format!("-{letter}")).chain(valued.map(|letter| format!("-{letter} 5p"))).chain(long);
        let options: Vec<String> = options.collect();
        for option in options {
            let command = format!("{name} {option}");
            if !covers(&rule, &command) {
                refused.push(command);
            }
        }
        if !covers(&rule, &name) && !spec.names.is_empty() {
            refused.push(name.clone());
        }
    }
    assert!(refused.is_empty(), "{} refused:\n{}", refused.len(), refused.join("\n"));
}

#[test]
fn operands_that_leave_the_folder_or_the_machine_are_refused() {
    for (name, spec) in all().flat_map(specs) {
        let outside: &[&str] = match spec.operands {
            Operands::Inside | Operands::InsideAtMost(_) | Operands::None => {
                &["/etc/x", "../x", "~/x", "https://evil.example/x", "@list", "A=b"]
            }
            Operands::Names => &["./x", "/x", "https://evil.example/x", "git+ssh://git@evil.example/x", "a/b"],
            Operands::Plain => &["https://evil.example/x", "@list", "A=b"],
            _ => &[],
        };
        for operand in outside {
            let command = format!("{name} {operand}");
            assert!(!covers(&format!("{name} *"), &command), "{command}");
        }
    }
}

/// They print an address that is set up here, and connect to none.
const ONLY_TELL: &[&str] = &["git remote get-url", "git submodule status", "apt list", "apt show"];

#[test]
fn every_form_that_connects_says_where_to() {
    let mut unsaid = Vec::new();
    for (program, form) in all().flat_map(|program| program.looks.iter().map(move |form| (program, form))) {
        if form.most_operands == 0 || form.reaches != Reaches::Nothing {
            continue;
        }
        for name in words(program.names) {
            let first = |step: &str| step.split('|').next().unwrap_or_default().replace('*', "x");
            let path: Vec<String> = form.path.split(' ').map(first).collect();
            let command = format!("{name} {}", path.join(" "));
            let line = CommandLine::analyse(&format!("{command} x"), Shell::Bash);
            if classify_command(&line).network && !ONLY_TELL.contains(&command.trim()) {
                unsaid.push(command);
            }
        }
    }
    assert!(unsaid.is_empty(), "they connect elsewhere, and their operands are not looked at: {unsaid:?}");
}

/// Names of packages are all that they take, and what they tell of these is installed here.
const TELL_WHAT_IS_INSTALLED: &[&str] = &[
    "pip list",
    "pip show",
    "pip freeze",
    "pip check",
    "pip3 list",
    "pip3 show",
    "pip3 freeze",
    "pip3 check",
    "npm ls",
    "npm why",
    "npm query",
    "npm pkg get",
    "npm fund",
    "pnpm list",
    "pnpm why",
    "yarn list",
    "yarn why",
    "yarnpkg list",
    "yarnpkg why",
    "gem list",
    "rpm -q",
    "choco list",
    "scoop list",
    "winget list",
    "mise current",
];

#[test]
fn every_form_that_asks_another_machine_is_known_to() {
    let mut unknown = Vec::new();
    for (program, form) in all().flat_map(|program| program.looks.iter().map(move |form| (program, form))) {
        if !matches!(form.reaches, Reaches::Registry | Reaches::GitHub | Reaches::Service) {
            continue;
        }
        for name in words(program.names) {
            let first = |step: &str| step.split('|').next().unwrap_or_default().replace('*', "x");
            let path: Vec<String> = form.path.split(' ').map(first).collect();
            let command = format!("{name} {}", path.join(" "));
            let asks = classify_command(&CommandLine::analyse(&command, Shell::Bash)).network;
            if !asks && !TELL_WHAT_IS_INSTALLED.contains(&command.as_str()) {
                unknown.push(command);
            }
        }
    }
    assert!(unknown.is_empty(), "they ask another machine, and would be told as if they stayed here: {unknown:?}");
}

#[test]
fn every_way_to_print_credentials_names_its_manual_and_stands_once() {
    for program in all() {
        let mut seen = HashSet::new();
        for way in program.prints {
            assert!(!way.source.is_empty(), "{} {}", program.names, way.path);
            assert!(seen.insert((way.path, way.options)), "twice: {} {}", program.names, way.path);
        }
    }
}
