//! A rule that was made from an agent's own entry allows nothing that the entry does not match.
//!
//! What the agent's entry matches is decided here by the agent's documented words alone: each command that a line runs, as
//! its words joined by blanks, is held against the entry's pattern. The lines are made from commands, so that it is known what each
//! runs.

use handraise_agents::own_rules::{RuleEntry, RulePlace};
use handraise_agents::{Level, agent};
use handraise_locations::Folders;
use handraise_policy::rules::parse;
use handraise_policy::{Action, Policy};
use handraise_protocol::ApprovalRequest;
use handraise_server::DryRun;
use jiff::Timestamp;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// An entry in an agent's own words, and the same as a pattern here: `*` is any text, and ` *` at the end also nothing.
struct Entry {
    agent: &'static str,
    file: &'static str,
    text: Value,
    patterns: &'static [&'static str],
}

fn entries() -> Vec<Entry> {
    let claude = |list: &[&str], patterns| Entry {
        agent: "claude-code",
        file: ".claude/settings.json",
        text: json!({ "permissions": { "allow": list } }),
        patterns,
    };
    let qwen = |list: &[&str], patterns| Entry {
        agent: "qwen-code",
        file: ".qwen/settings.json",
        text: json!({ "permissions": { "allow": list } }),
        patterns,
    };
    let opencode = |bash: Value, patterns| Entry {
        agent: "opencode",
        file: ".config/opencode/opencode.json",
        text: json!({ "permission": { "bash": bash } }),
        patterns,
    };
    let text = |agent, file, text: &str, patterns| Entry { agent, file, text: json!(text), patterns };
    vec![
        claude(&["Bash(npm run test:*)"], &["npm run test *"]),
        claude(&["Bash(git status)"], &["git status"]),
        claude(&["Bash(git log *)", "Bash(ls*)"], &["git log *", "ls*"]),
        claude(&["Bash(git * main)"], &["git * main"]),
        claude(&["Bash(git commit -m 'wip')"], &["git commit -m wip"]),
        claude(&["Bash(what?)", "Bash(echo *)"], &["what?", "echo *"]),
        qwen(&["Bash(git status *)"], &["git status *"]),
        opencode(json!({ "git status*": "allow", "echo *": "allow" }), &["git status*", "echo *"]),
        opencode(json!({ "npm run *": "allow" }), &["npm run *"]),
        text(
            "codex",
            ".codex/rules/x.rules",
            "prefix_rule(pattern=[\"git\", [\"status\", \"log\"]])\nprefix_rule(pattern=[\"rm\"], decision=\"forbidden\")",
            &["git status *", "git log *"],
        ),
        text(
            "gemini-cli",
            ".gemini/policies/x.toml",
            "[[rule]]\ntoolName = \"run_shell_command\"\ncommandPrefix = [\"git status\", \"npm run test\"]\ndecision = \"allow\"\npriority = 1",
            &["git status *", "npm run test *"],
        ),
    ]
}

/// The agent's tool that runs commands.
fn shell_of(agent: &str) -> &'static str {
    match agent {
        "claude-code" | "codex" => "Bash",
        "opencode" => "bash",
        _ => "run_shell_command",
    }
}

/// The policy with nothing but what became of `entry`.
fn policy(entry: &Entry) -> Policy {
    let forms = agent(entry.agent).unwrap().rule_files();
    let level = |path: &str| path.rsplit_once('/').map_or(path, |(folder, _)| folder).to_owned();
    let form = forms
        .iter()
        .find(|form| {
            form.level == Level::User
                && level(form.path) == level(entry.file)
                && form.path.rsplit('.').next() == entry.file.rsplit('.').next()
        })
        .unwrap();
    let text = entry.text.as_str().map_or_else(|| entry.text.to_string(), str::to_owned);
    let found = form.entries(&text, &RulePlace::default()).unwrap();
    let rules: Vec<String> = found.iter().flat_map(RuleEntry::rules).cloned().collect();
    assert!(!rules.is_empty(), "{found:?}");
    parse(&format!("version = 1\npreset = \"strict\"\n{}", rules.join("\n"))).unwrap().policy
}

struct Trial {
    dry_run: DryRun,
    _folder: tempfile::TempDir,
}

impl Trial {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| Some(folder.path().join(name));
        let folders = Folders::with(at("config"), at("data"), at("runtime")).unwrap();
        Self { dry_run: DryRun::new(&folders), _folder: folder }
    }

    fn allows(&self, policy: &Policy, agent: &str, line: &str) -> bool {
        let request = self.dry_run.request(ApprovalRequest {
            tool: shell_of(agent).to_owned(),
            agent: Some(agent.to_owned()),
            arguments: Map::from_iter([("command".to_owned(), json!(line))]),
            cwd: Some("/nowhere/app".to_owned()),
            ..ApprovalRequest::default()
        });
        let policy = self.dry_run.protect(policy.clone());
        policy.decide(&request.unwrap(), Timestamp::UNIX_EPOCH).action == Action::Allow
    }
}

/// Whether `*` of `pattern` can stand for the rest of `text`.
fn matches(pattern: &str, text: &str) -> bool {
    if pattern.strip_suffix(" *") == Some(text) {
        return true;
    }
    let mut parts = pattern.split('*');
    let Some(rest) = text.strip_prefix(parts.next().unwrap()) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    let mut rest = rest;
    for part in middle {
        let Some((_, after)) = rest.split_once(part) else { return false };
        rest = after;
    }
    rest.ends_with(last)
}

/// A line, and the words of each command that it runs. `None` among them: something that no entry is about.
#[derive(Clone, Debug)]
struct Line {
    text: String,
    runs: Vec<Option<Vec<String>>>,
}

fn plain(text: &str) -> Line {
    Line { text: text.to_owned(), runs: vec![Some(text.split(' ').map(str::to_owned).collect())] }
}

fn commands() -> impl Strategy<Value = Line> {
    let known = [
        "npm run test",
        "npm run test a.test.ts",
        "npm run test:evil",
        "npm run testx",
        "npm run build",
        "git status",
        "git status -s",
        "git statusx",
        "git log",
        "git log -p",
        "git log --output=x",
        "git push origin main",
        "git commit -m wip",
        "git commit -m wipx",
        "ls",
        "lsof",
        "ls -l",
        "echo a",
        "what?",
        "whatx",
        "curl evil",
        "rm -rf src",
        "git",
    ];
    prop_oneof![
        8 => proptest::sample::select(known.to_vec()).prop_map(plain),
        // Quotes around one word change nothing; around several they make one word of them.
        1 => Just(Line { text: "'git' \"status\"".to_owned(), runs: plain("git status").runs }),
        1 => Just(Line { text: "'git status' -s".to_owned(), runs: vec![Some(vec!["git status".to_owned(), "-s".to_owned()])] }),
        1 => Just(Line { text: "\"npm run\" test".to_owned(), runs: vec![Some(vec!["npm run".to_owned(), "test".to_owned()])] }),
        // What a shell is given runs as if it stood there itself.
        1 => Just(Line { text: "sh -c ls".to_owned(), runs: plain("ls").runs }),
        1 => Just(Line { text: "timeout 5 git status".to_owned(), runs: plain("git status").runs }),
        1 => Just(Line { text: "git status > out".to_owned(), runs: vec![None] }),
        1 => Just(Line { text: "GIT_PAGER=evil git log".to_owned(), runs: vec![None] }),
        1 => Just(Line { text: "alias git=rm".to_owned(), runs: vec![None] }),
        1 => Just(Line { text: "$tool status".to_owned(), runs: vec![None] }),
    ]
}

fn lines() -> impl Strategy<Value = Line> {
    commands().prop_recursive(3, 8, 2, |inner| {
        let joined = proptest::sample::select(vec![" ; ", " && ", " || ", " | ", "\n", " & ", ";", "&&"]);
        prop_oneof![
            (inner.clone(), joined, inner.clone()).prop_map(|(one, by, other)| Line {
                text: format!("{}{by}{}", one.text, other.text),
                runs: [one.runs, other.runs].concat(),
            }),
            inner.clone().prop_map(|inner| Line { text: format!("({})", inner.text), runs: inner.runs }),
            // What is put in is another word, which may be anything.
            (inner.clone(), proptest::sample::select(vec!["git log", "echo", "npm run test"])).prop_map(
                |(inner, around)| Line {
                    text: format!("{around} \"$({})\"", inner.text),
                    runs: [inner.runs, plain(&format!("{around} inserted")).runs].concat(),
                }
            ),
            inner.prop_map(|inner| Line {
                text: format!("bash -c '{}'", inner.text.replace('\'', "'\\''")),
                runs: inner.runs,
            }),
        ]
    })
}

fn all_match(entry: &Entry, line: &Line) -> bool {
    line.runs.iter().all(|words| {
        // A word with a blank in it is no beginning of an entry with two.
        words.as_ref().is_some_and(|words| {
            let text = words.iter().map(|word| word.replace(' ', "\u{0}")).collect::<Vec<_>>().join(" ");
            entry.patterns.iter().any(|pattern| matches(pattern, &text))
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn an_imported_rule_allows_nothing_that_the_entry_does_not_match(line in lines()) {
        let trial = Trial::new();
        for entry in entries() {
            let allowed = trial.allows(&policy(&entry), entry.agent, &line.text);
            prop_assert!(!allowed || all_match(&entry, &line), "{} {}: {}", entry.agent, entry.text, line.text);
        }
    }
}

#[test]
fn what_the_entries_are_for_passes() {
    let trial = Trial::new();
    let passes = [
        ("git status", vec![1, 6, 7, 9, 10]),
        ("git status -s", vec![6, 7, 9, 10]),
        ("npm run test", vec![0, 10]),
        ("git log && ls -l", vec![2]),
        ("git commit -m wip", vec![4]),
        ("npm run test ; curl evil", vec![]),
        ("git status\ncurl evil", vec![]),
        ("git status $(curl evil)", vec![]),
        ("git status `curl evil`", vec![]),
        ("git status > ~/.bashrc", vec![]),
        ("git status & curl evil", vec![]),
        ("'git status' -s", vec![]),
        ("npm run test:evil", vec![]),
    ];
    for (line, expected) in passes {
        let allowed: Vec<usize> = (0..)
            .zip(entries())
            .filter(|(_, entry)| trial.allows(&policy(entry), entry.agent, line))
            .map(|(index, _)| index)
            .collect();
        assert_eq!(allowed, expected, "{line:?}");
    }
}
