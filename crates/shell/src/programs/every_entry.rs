//! What is true of every entry, whatever program it is for: each row that an entry has is tried in a command line.

use super::danger::Danger;
use super::fact::Fact;
use super::form::{Form, Reaches, Shows};
use super::lands::Lands;
use super::{Program, Talks, all};
use crate::changes::{ChangesElsewhere, ChangesHere, changes};
use crate::command_line::{CommandLine, Shell};
use crate::pattern::{CommandPattern, MayRun};
use crate::risk::{Hazard, RiskLevel, classify_command, hazard, prints_credentials};

fn level(line: &str) -> RiskLevel {
    classify_command(&CommandLine::analyse(line, Shell::Bash)).level
}

/// The name as a person would write it: `[[` and `((` are words of the shell's grammar.
fn names(program: &'static Program) -> impl Iterator<Item = &'static str> {
    let is_word = |name: &&str| name.chars().any(char::is_alphanumeric);
    program.names.split_ascii_whitespace().filter(is_word)
}

/// The first of the alternatives of each step: `stash drop|clear` as `stash drop`.
fn written_out(path: &str) -> String {
    let steps = path.split_ascii_whitespace().map(|step| step.split('|').next().unwrap_or(step).replace('*', "x"));
    steps.collect::<Vec<_>>().join(" ")
}

fn dashed(option: &str) -> String {
    let dashes = if option.chars().count() == 1 || option.starts_with('-') { "-" } else { "--" };
    format!("{dashes}{}", option.trim_start_matches('-'))
}

/// Options of `gh api` whose value says whether it only asks.
const LOOKED_AT: &[&str] = &["-H 5", "--header 5", "-X 5", "--method 5", "-f 5", "--raw-field 5", "-F 5", "--field 5"];

#[test]
fn every_form_that_only_looks_is_read_only_with_each_of_its_options() {
    let mut tried = 0;
    let mut others = Vec::new();
    for (program, form) in all().flat_map(|program| program.looks.iter().map(move |form| (program, form))) {
        let options = form.options.split_ascii_whitespace().chain(form.shared.split_ascii_whitespace()).map(given);
        let options: Vec<String> = options.chain([String::new()]).collect();
        // With more names of one step the others are tried once.
        let paths = every_path(&form.path.replace('*', "x"));
        let needed = form.only_with.split_ascii_whitespace().next().map(dashed).unwrap_or_default();
        let calls = paths.iter().enumerate().flat_map(|(index, path)| {
            let of_path = if index == 0 { options.len() } else { 1 };
            options.iter().rev().take(of_path).map(move |option| (path, option))
        });
        let calls: Vec<(&String, &String)> = calls.collect();
        for (name, (path, option)) in names(program).flat_map(|name| calls.iter().map(move |call| (name, call))) {
            tried += 1;
            let line = format!("{name} {path} {needed} {option} {}", harmless_operand(form));
            let found = CommandLine::analyse(&line, Shell::Bash);
            // `docker inspect` shows the variables of a container unless it is told to show something else.
            let prints = found.parts.iter().any(|part| prints_credentials(part).is_some());
            // What it sends decides: `risk_commands.tsv` tries that.
            let prints = prints || form.path == "api" && LOOKED_AT.contains(&option.as_str());
            if classify_command(&found).level != RiskLevel::ReadOnly && !prints {
                others.push(line);
            }
        }
    }
    assert!(tried > 2_000, "{tried}");
    assert!(others.is_empty(), "{}", others.join("\n"));
}

/// `n=` as `-n 5`: see the notes on [`super::form`].
fn given(option: &str) -> String {
    match (option, option.strip_suffix(['=', '~', ':'])) {
        ("#", _) => "-5".to_owned(),
        (_, Some(name)) => format!("{} 5", dashed(name)),
        _ => dashed(option.trim_end_matches('?')),
    }
}

fn harmless_operand(form: &Form) -> &'static str {
    match (form.shows, form.reaches, form.most_operands) {
        (_, _, 0) | (_, Reaches::Sockets, _) => "",
        (Shows::Matches, ..) => "pattern",
        _ => "name",
    }
}

#[test]
fn a_form_looks_only_with_the_option_that_it_needs() {
    let forms = all().flat_map(|program| program.looks.iter().map(move |form| (program, form)));
    let mut tried = 0;
    for (program, form) in forms.filter(|(_, form)| !form.only_with.is_empty()) {
        let options = form.options.split_ascii_whitespace().chain(form.shared.split_ascii_whitespace());
        let others = options.clone().filter(|option| !form.only_with.split(' ').any(|needed| needed == *option));
        for name in names(program) {
            for option in others.clone().map(given).chain([String::new()]) {
                tried += 1;
                let line = format!("{name} {} {option}", form.path);
                assert_ne!(level(&line), RiskLevel::ReadOnly, "{line}");
            }
        }
        for needed in form.only_with.split(' ') {
            assert!(options.clone().any(|option| option == needed), "{} {}: {needed}", program.names, form.path);
        }
    }
    assert!(tried > 10, "{tried}");
}

#[test]
fn every_way_to_hand_on_what_lies_here_is_a_hazard() {
    let (mut tried, mut others) = (0, Vec::new());
    for (program, (path, options)) in all().flat_map(|program| program.sends.iter().map(move |way| (program, *way))) {
        let option = options.split_ascii_whitespace().next().map(dashed).unwrap_or_default();
        for (name, path) in names(program).flat_map(|name| every_path(path).into_iter().map(move |path| (name, path))) {
            tried += 1;
            let found = CommandLine::analyse(&format!("{name} {path} {option} x"), Shell::Bash);
            let is_hazard =
                |part| matches!(hazard(part, &MayRun::of_part(part)), Some(Hazard::Carries(_) | Hazard::Later(_)));
            if !found.parts.iter().any(is_hazard) || classify_command(&found).level == RiskLevel::ReadOnly {
                others.push(found.text);
            }
        }
    }
    assert!(tried > 100, "{tried}");
    assert!(others.is_empty(), "{}", others.join("\n"));
}

#[test]
fn every_way_to_set_what_runs_later_is_a_hazard() {
    let (mut tried, mut others) = (0, Vec::new());
    for (program, danger) in all().flat_map(|program| program.sets.iter().map(move |danger| (program, danger))) {
        let option = danger.options.split_ascii_whitespace().next().map(dashed).unwrap_or_default();
        for (name, path) in
            names(program).flat_map(|name| every_path(danger.path).into_iter().map(move |path| (name, path)))
        {
            tried += 1;
            let found = CommandLine::analyse(&format!("{name} {path} {option} x"), Shell::Bash);
            let is_hazard =
                found.parts.iter().any(|part| matches!(hazard(part, &MayRun::of_part(part)), Some(Hazard::Later(_))));
            if !is_hazard || classify_command(&found).level == RiskLevel::ReadOnly {
                others.push(found.text);
            }
        }
    }
    assert!(tried > 100, "{tried}");
    assert!(others.is_empty(), "{}", others.join("\n"));
}

/// Help is asked for by `--help` as the last word, behind names alone.
#[test]
fn what_says_help_does_nothing_else() {
    let mut tried = 0;
    for program in all().filter(|program| program.is(Fact::SaysHelp)) {
        for name in names(program) {
            tried += 1;
            let sub = program.sub_commands.split_ascii_whitespace().next().unwrap_or("sub");
            for line in [format!("{name} --help"), format!("{name} {sub} --help")] {
                assert_eq!(level(&line), RiskLevel::ReadOnly, "{line}");
            }
            // Nor what it would do otherwise, however dangerous that is.
            let is_sub = |path: &str| program.sub_commands.split_ascii_whitespace().any(|sub| sub == path);
            let known = |danger: &&Danger| danger.options.is_empty() && is_sub(danger.path);
            for danger in program.destroys.iter().filter(known) {
                let line = format!("{name} {} --help", danger.path);
                assert_eq!(level(&line), RiskLevel::ReadOnly, "{line}");
                assert_eq!(level(&format!("{line} && {name} {}", danger.path)), RiskLevel::Destructive, "{line}");
            }
            for line in [
                format!("{name} {sub} ./x --help"),
                format!("{name} --option {sub} --help"),
                format!("{name} no-group x --help"),
                format!("./{name} {sub} --help"),
                format!("X=1 {name} {sub} --help"),
            ] {
                assert_ne!(level(&line), RiskLevel::ReadOnly, "{line}");
            }
        }
    }
    assert!(tried > 15, "{tried}");
}

#[test]
fn every_dangerous_form_is_destructive() {
    let mut tried = 0;
    let mut others = Vec::new();
    for (program, danger) in all().flat_map(|program| program.destroys.iter().map(move |danger| (program, danger))) {
        let path = written_out(danger.path);
        let mut options: Vec<String> = danger.options.split_ascii_whitespace().map(dashed).collect();
        if options.is_empty() {
            options.push(String::new());
        }
        for (name, option) in names(program).flat_map(|name| options.iter().map(move |option| (name, option))) {
            tried += 1;
            let line = format!("{name} {path} {option} name");
            if level(&line) != RiskLevel::Destructive {
                others.push(line);
            }
        }
    }
    for program in all() {
        for (name, word) in names(program)
            .flat_map(|name| program.destroying_words.split_ascii_whitespace().map(move |word| (name, word)))
        {
            let line = format!("{name} group {} name", word.replace('*', "x"));
            if level(&line) != RiskLevel::Destructive {
                others.push(line);
            }
        }
    }
    assert!(tried > 400, "{tried}");
    assert!(others.is_empty(), "{}", others.join("\n"));
}

#[test]
fn every_way_to_print_credentials_is_found() {
    let mut others = Vec::new();
    for (program, way) in all().flat_map(|program| program.prints.iter().map(move |way| (program, way))) {
        let option = way.options.split_ascii_whitespace().next().map(dashed).unwrap_or_default();
        for name in names(program) {
            let line = format!("{name} {} {option}", written_out(way.path));
            let found = CommandLine::analyse(&line, Shell::Bash);
            if !found.parts.iter().any(|part| prints_credentials(part).is_some()) {
                others.push(line);
            }
        }
    }
    assert!(others.is_empty(), "{}", others.join("\n"));
}

/// Behind a wrapper that comes off, a command is what it is alone.
#[test]
fn every_wrapper_is_as_dangerous_as_what_it_runs() {
    let mut tried = 0;
    for program in all() {
        let Some(wrapper) = program.wrapper else { continue };
        for name in names(program) {
            tried += 1;
            let own = if wrapper.duration { "5 " } else { "" };
            let options = wrapper.flags.iter().map(|flag| format!("{flag} "));
            let valued = wrapper.valued.iter().map(|option| format!("{option} 5 "));
            for option in options.chain(valued).chain([String::new()]) {
                let line = format!("{name} {option}{own}rm -rf x");
                assert_eq!(level(&line), RiskLevel::Destructive, "{line}");
                let line = format!("{name} {option}{own}ls");
                let part = CommandLine::analyse(&line, Shell::Bash).parts.pop().unwrap_or_default();
                assert_eq!(part.program(), Some("ls"), "{line}");
            }
        }
    }
    assert!(tried > 10, "{tried}");
}

/// A rule that denies a program is not missed where an entry says that another one runs it.
#[test]
fn every_program_that_runs_another_one_is_found_to() {
    let deny = CommandPattern::parse("rm *").unwrap();
    let mut tried = 0;
    let mut missed = Vec::new();
    for (program, runs) in all().flat_map(|program| program.runs.iter().map(move |runs| (program, runs))) {
        let own = "own ".repeat(runs.operands);
        for name in names(program) {
            for rest in ["rm -r x", "-- rm -r x"] {
                tried += 1;
                let line = format!("{name} {} {own}{rest}", runs.sub);
                let found = CommandLine::analyse(&line, Shell::Bash);
                if !found.parts.iter().any(|part| deny.touches(&MayRun::of_part(part)))
                    && !deny.touches(&MayRun::of_line(&found))
                {
                    missed.push(line);
                }
            }
        }
    }
    assert!(tried > 150, "{tried}");
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

/// A first name is the one under which a rule finds the program; a name that stands for two words is no program of its own.
#[test]
fn every_other_name_leads_to_an_entry() {
    for program in all() {
        if !program.first_name.is_empty() {
            assert!(
                super::find(program.first_name).is_some(),
                "{} is also called {}",
                program.names,
                program.first_name
            );
        }
        if let Some(first) = program.stands_for.first() {
            assert!(super::find(first).is_some(), "{} stands for {first}", program.names);
        }
    }
}

#[test]
fn every_way_to_publish_changes_another_machine() {
    let (mut tried, mut others) = (0, Vec::new());
    for (program, (path, options)) in all().flat_map(|program| program.publishes.iter().map(move |row| (program, row)))
    {
        let option = options.split_ascii_whitespace().next().map(dashed).unwrap_or_default();
        for name in names(program) {
            tried += 1;
            let line = CommandLine::analyse(&format!("{name} {} {option} x", written_out(path)), Shell::Bash);
            let elsewhere = line.parts.last().map(|part| changes(part, false).elsewhere);
            if program.talks == Talks::Never || elsewhere != Some(ChangesElsewhere::Changes) {
                others.push(line.text);
            }
        }
    }
    assert!(tried > 300, "{tried}");
    assert!(others.is_empty(), "{}", others.join("\n"));
}

#[test]
fn every_way_to_call_a_program_whose_changes_are_known_is_found() {
    let (mut tried, mut others) = (0, Vec::new());
    for (program, (path, lands)) in all().flat_map(|program| program.lands.iter().map(move |row| (program, row))) {
        let operand = if *lands == Lands::EditedFiles { "-i s/a/b/ x" } else { "x" };
        for (name, path) in names(program).flat_map(|name| every_path(path).into_iter().map(move |path| (name, path))) {
            tried += 1;
            let line = CommandLine::analyse(&format!("{name} {path} {operand}"), Shell::Bash);
            // `git stash x` is a sub-command that is none, `git push x` a remote that nobody has named.
            let is_told = |part| changes(part, false).here != ChangesHere::Unknown;
            let bare = CommandLine::analyse(&format!("{name} {path}"), Shell::Bash);
            if !line.parts.iter().chain(&bare.parts).any(is_told) {
                others.push(line.text);
            }
        }
    }
    assert!(tried > 60, "{tried}");
    assert!(others.is_empty(), "{}", others.join("\n"));
}

/// `add|rm x` as `add x` and `rm x`.
fn every_path(path: &str) -> Vec<String> {
    path.split_ascii_whitespace().fold(vec![String::new()], |paths, step| {
        let longer = |path: &String| step.split('|').map(|name| format!("{path} {name}")).collect::<Vec<_>>();
        paths.iter().flat_map(longer).collect()
    })
}
