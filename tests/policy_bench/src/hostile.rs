//! Text made to be slow: 64 KiB of it, and as much as is still analysed.

use anyhow::{Result, ensure};
use handraise_policy::{Policy, Preset, rules};
use handraise_redaction::Redactor;
use handraise_shell::{CommandLine, Shell};

use crate::handraise::Handraise;
use crate::measure::microseconds;
use crate::request::{now, shell_request};
use crate::rules::rules;

const MAX_SIZE: usize = 64 * 1024;
/// The analyser refuses longer text at once, so this is what can cost it most.
const MAX_ANALYSED: usize = 8 * 1024;
/// What analysing, or deciding, one hostile text may cost, in milliseconds. The others are told by it too.
const BOUND: f64 = 5.0;
/// Rules in force while hostile commands are decided.
const RULES: usize = 1_000;

/// A kind of hostile text: what it begins with, and what is repeated.
type Kind = (&'static str, &'static str, &'static str);

const COMMANDS: [Kind; 18] = [
    ("nested braces", "", "{ "),
    ("nested parentheses", "", "( "),
    ("nested substitutions", "echo ", "$("),
    ("nested quoted substitutions", "echo ", "\"$("),
    ("nested expansions", "echo ", "${x:-"),
    ("brace bomb", "echo ", "{a,"),
    ("quotes", "echo ", "'a'\"b\""),
    ("backslashes", "echo ", "\\"),
    ("operators", "a", ";a"),
    ("pipes into wrappers", "a", "|sudo env nice -n 1 xargs "),
    ("one long word", "", "a"),
    ("here-documents", "", "cat <<'E'\n"),
    ("here-documents with one end", "", "<<a\n"),
    ("stars", "rm ", "*a"),
    ("words", "git status", " x"),
    ("redirections", "echo", ">>"),
    ("redirections to variables", "echo", " >$a"),
    ("functions", "", "a(){a|a&"),
];
const TEXTS: [Kind; 6] = [
    ("secret keys", "{", "\"password\":"),
    ("secret options", "curl", " --password x"),
    ("key beginnings", "", "ghp_"),
    ("private keys without an end", "", "-----BEGIN RSA PRIVATE KEY-----\n"),
    ("addresses", "", "https://a:b@c/"),
    ("control sequences", "", "\u{1b}[password="),
];
const SIGHTS: [Kind; 5] = [
    ("zalgo", "a", "\u{336}\u{300}"),
    ("overrides", "", "\u{202e}a"),
    ("hosts that look alike", "", "https://p\u{430}ypal.com/ "),
    ("blanks and lines", "", "          \n\n\n\n"),
    ("nested JSON", "", "{\"a\":["),
];
const POLICIES: [Kind; 5] = [
    ("nested arrays", "version = 1\nx = ", "["),
    ("tables", "version = 1\n", "[agent.a]\n"),
    ("dotted keys", "version = 1\n", "a."),
    ("rules", "version = 1\n", "[[rule]]\ntool = \"shell\"\ncommand = \"a *\"\naction = \"allow\"\n"),
    ("broken rules", "version = 1\n", "[[rule]]\npattern = \"\"\n"),
];

/// Prints the table of those texts in whose name `named` stands; whether analysis and decision stay within the bound.
pub fn measure(named: &str) -> Result<bool> {
    let chosen =
        |kinds: &[Kind]| -> Vec<Kind> { kinds.iter().filter(|(name, ..)| name.contains(named)).copied().collect() };
    let [commands, texts, sights, policies] = [&COMMANDS[..], &TEXTS, &SIGHTS, &POLICIES].map(chosen);
    let is_known = [&commands, &texts, &sights, &policies].iter().any(|kinds| !kinds.is_empty());
    ensure!(is_known, "no hostile text has `{named}` in its name; see tests/policy_bench/src/hostile.rs");
    println!("\nHostile text, ms (OVER: more than {BOUND} ms)");
    let handraise = Handraise::new(&rules(RULES))?;
    let redactor = Redactor::new([7; 32]);
    let presets = [Preset::Practical, Preset::Workspace, Preset::Autonomous];
    let presets = presets.map(|preset| (format!("{preset:?}").to_lowercase(), Policy::from_preset(preset)));
    let as_it_is = |text: String| text;

    let mut kept = true;
    for size in [MAX_ANALYSED, MAX_SIZE] {
        kept &= all("analysis", &commands, size, as_it_is, |text| CommandLine::analyse(text, Shell::Bash));
        kept &= all("decision", &commands, size, |text| shell_request(&text), |call| handraise.passes_analysed(call));
        for (name, policy) in &presets {
            kept &= all(name, &commands, size, |text| shell_request(&text), |call| policy.decide(call, now()).action);
        }
    }
    println!("analysis and decision below {BOUND} ms: {}", if kept { "PASS" } else { "FAIL" });

    for kinds in [&texts, &commands] {
        all("redaction", kinds, MAX_SIZE, as_it_is, |text| redactor.text(text));
    }
    for kinds in [&sights, &commands] {
        all("display", kinds, MAX_SIZE, as_it_is, |text| handraise_display::show(text));
    }
    all("policy file", &policies, MAX_SIZE, as_it_is, |text| rules::parse(text));
    Ok(kept)
}

/// Whether `run` stays within the bound with every kind of text. What `prepare` does is not counted.
fn all<P, T>(what: &str, kinds: &[Kind], size: usize, prepare: impl Fn(String) -> P, run: impl Fn(&P) -> T) -> bool {
    let mut kept = true;
    for (name, head, repeated) in kinds {
        let prepared = prepare(filled(head, repeated, size));
        let milliseconds = microseconds(|| run(&prepared)) / 1000.0;
        let verdict = if milliseconds < BOUND { "ok" } else { "OVER" };
        kept &= milliseconds < BOUND;
        println!("{verdict:<6}{what:<12}{:>3} KiB  {name:<30}{milliseconds:>9.3}", size / 1024);
    }
    kept
}

/// `head` and then `repeated` until there are `size` bytes, or a little less.
fn filled(head: &str, repeated: &str, size: usize) -> String {
    let mut text = head.to_owned();
    while text.len() + repeated.len() <= size {
        text.push_str(repeated);
    }
    text
}
