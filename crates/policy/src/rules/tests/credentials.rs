//! Credentials, where nobody has looked at the disk: by names and words alone.

use super::*;
use crate::path::HeldCredential;

/// Also held against real files: `server/tests/server/credentials.rs`.
const CASES: &str = include_str!("../../../tests/data/credential_commands.tsv");

/// A call of Ann's shell of which no path was looked up.
fn unseen(line: &str) -> Request {
    let request = Request {
        class: ToolClass::Shell,
        subject: Subject::Command { line: line.into() },
        command: Some(CommandLine::analyse(line, Shell::Bash)),
        cwd: Some(PROJECT.into()),
        home: Some(HOME.into()),
        ..request("Bash", &serde_json::json!({ "command": line }).to_string())
    };
    request.in_plain_project()
}

fn everything_else_passes() -> Policy {
    policy("version = 1\npreset = \"autonomous\"\n[[rule]]\npattern = \"*\"\naction = \"allow\"\n")
}

#[test]
fn every_command_that_reads_or_prints_credentials_is_asked_about() {
    let policy = everything_else_passes();
    let mut wrong = Vec::new();
    let mut seen = std::collections::HashMap::new();
    for row in CASES.lines().filter(|row| !row.starts_with('#')) {
        let (expected, line) = row.split_once('\t').unwrap();
        *seen.entry(expected).or_insert(0) += 1;
        let decision = policy.decide(&unseen(line), at(0));
        let asked = decision.action == Action::Ask;
        // What depends on the disk is not known here.
        if expected != "disk" && asked != (expected == "ask") || decision.action == Action::Deny {
            wrong.push(format!("{expected}: {line}"));
        }
    }
    assert!(seen.values().sum::<usize>() > 500 && seen["pass"] * 3 > seen.values().sum::<usize>(), "{seen:?}");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn what_prints_credentials_is_said_and_given_away_by_a_rule_that_spells_it_out() {
    let text = "version = 1\npreset = \"autonomous\"\n\
        [[rule]]\ncommand = \"gh auth *\"\naction = \"allow\"\n\
        [[rule]]\ncommand = \"aws sts get-session-token\"\naction = \"allow\"\n";
    let policy = policy(text);
    let decision = policy.decide(&unseen("gh auth token"), at(0));
    assert_eq!(decision.action, Action::Ask);
    let part = decision.parts.first().unwrap();
    assert_eq!(part.protection, Some(Protection::Credential));
    assert!(part.why.contains("prints, or may print, credentials"), "{}", part.why);
    assert!(part.risk_sentence.contains("`gh auth token` prints credentials"), "{}", part.risk_sentence);
    assert_eq!(policy.decide(&unseen("aws sts get-session-token"), at(0)).action, Action::Allow);
    assert_eq!(policy.decide(&unseen("gh auth status"), at(0)).action, Action::Allow);
}

#[test]
fn no_tool_gets_a_credential_past_by_the_name_of_its_argument() {
    let policy = everything_else_passes();
    let call = |class, arguments: &str| Request {
        class,
        cwd: Some(PROJECT.into()),
        home: Some(HOME.into()),
        ..request("some_tool", arguments)
    };
    for arguments in [
        r#"{"path": ".env"}"#,
        r#"{"paths": ["a", ".env"]}"#,
        r#"{"what": "/home/ann/.ssh/id_rsa"}"#,
        r#"{"input": {"x": ["~/.aws/credentials"]}}"#,
        r#"{"target_uri": "file:///home/ann/.ssh/id_rsa"}"#,
        r#"{"code": "print(open('.env').read())"}"#,
        r#"{"include": [".env*"]}"#,
        r#"{"key": "fileb:///home/ann/.ssh/id_rsa"}"#,
        r#"{"file_path": "~/.bash_history"}"#,
        r#"{"file_path": "server.key"}"#,
    ] {
        for class in [ToolClass::Mcp, ToolClass::Other] {
            assert_eq!(policy.decide(&call(class, arguments), at(0)).action, Action::Ask, "{class:?} {arguments}");
        }
    }
    for arguments in [
        r#"{"todo": "read .env at the start"}"#,
        r#"{"pattern": "**/.env"}"#,
        r#"{"path": ".env.example"}"#,
        r#"{"query": ".env"}"#,
        r#"{"name": "environment"}"#,
    ] {
        assert_eq!(policy.decide(&call(ToolClass::Mcp, arguments), at(0)).action, Action::Allow, "{arguments}");
    }
    let fetch = r#"{"url": "file:///etc/shadow", "prompt": "x"}"#;
    assert_eq!(policy.decide(&call(ToolClass::Network, fetch), at(0)).action, Action::Ask);
    let fetch = r#"{"url": "https://example.org/etc/shadow", "prompt": "x"}"#;
    assert_ne!(
        policy.decide(&call(ToolClass::Network, fetch), at(0)).parts[0].protection,
        Some(Protection::Credential)
    );
    for (folder, asked) in [("~/.aws", true), ("~", true), ("~/.config", true), ("src", false), (".", false)] {
        let arguments = serde_json::json!({ "pattern": "x", "output_mode": "content", "path": folder }).to_string();
        let search = Request { tool: "Grep".into(), ..call(ToolClass::FileRead, &arguments) };
        assert_eq!(policy.decide(&search, at(0)).action == Action::Ask, asked, "{folder}");
    }
    let read = r#"{"file_path": "/home/ann/work/app/.env"}"#;
    let subject = Subject::Read { path: format!("{PROJECT}/.env") };
    let read = Request { subject, ..call(ToolClass::FileRead, read) };
    assert_eq!(policy.decide(&read, at(0)).action, Action::Ask);
}

#[test]
fn no_command_that_reads_or_prints_credentials_is_confined() {
    let policy = policy("version = 1\npreset = \"autonomous\"\n[[rule]]\nclass = \"shell\"\naction = \"confine\"");
    let asked = CASES.lines().filter_map(|row| row.strip_prefix("ask\t"));
    let confined = |line: &&str| {
        let request =
            Request { project: Some(PROJECT.into()), confinable: Confinable::Yes(Box::default()), ..unseen(line) };
        policy.decide(&request, at(0)).action < Action::Ask
    };
    let wrong: Vec<&str> = asked.filter(confined).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A call of Ann's shell in a clone in which everything called `k` or `k.txt` is a link to a key, as the disk tells.
fn in_clone(line: &str) -> Request {
    let leads_to_key = |path: &str| ["/k", "/k.txt"].iter().any(|name| path.ends_with(name));
    resolved(unseen(line), |path| {
        let held = |path: &str| HeldCredential {
            path: path.into(),
            is_ignored: false,
            is_taken_back: false,
            is_link: true,
            is_tracked: false,
        };
        let holds = match path.strip_prefix(PROJECT) {
            // What patterns find, and a folder that is read directly.
            Some("/*/*.txt" | "/*/k.txt" | "/lib/*/*.txt" | "/**/*.txt" | "/*.txt") => vec![held("lib/k.txt")],
            Some("/new") => vec![held("k.txt")],
            Some("/deep") => vec![held("er/k.txt")],
            _ => Vec::new(),
        };
        let is_cut = path.ends_with("/vast") || path.ends_with("/vast/*/x");
        ResolvedPath { is_credential: leads_to_key(path), holds, is_cut, ..ResolvedPath::new(path) }
    })
}

fn assert_asks(asked: &[&str], passing: &[&str]) {
    let policy = everything_else_passes();
    for (lines, expected) in [(asked, Action::Ask), (passing, Action::Allow)] {
        for line in lines {
            assert_eq!(policy.decide(&in_clone(line), at(0)).action, expected, "{line}");
        }
    }
}

#[test]
fn what_is_redirected_from_a_credential_counts_for_every_program() {
    assert_asks(
        &[
            "tr a b < k",
            "while read -r l; do echo \"$l\"; done < k",
            "read -r x < k; echo \"$x\"",
            "{ read -r x; echo \"$x\"; } < k",
            "python3 -c 'import sys; print(sys.stdin.read())' < k",
            "tee < k",
            "xargs echo < k",
            "xargs wc -l < k",
            "bash -c 'read x; echo $x' < k",
            "f=k; tr a b < \"$f\"",
            "f='*.txt'; tr a b < $f",
            "tr a b <&3 3< k",
            "cat < k",
            "./wc -l < k",
            "wc --files0-from=- < k",
            "wc $x < k",
            "md5sum -c < k",
            "sha256sum --ch < k",
            "ls < k",
        ],
        &[
            "wc -l < k",
            "/usr/bin/wc -c < k",
            "timeout 5 wc -l < k",
            "bash -c 'wc -l' < k",
            "md5sum < k",
            "sha256sum -b < k",
            "[ -s k ] < k",
            "while true; do :; done < k",
            "tr a b < list.txt",
            "while read -r line; do echo \"$line\"; done < list.txt",
            "sort < names.txt",
            "python3 -c 'import sys; print(sys.stdin.read())' < data.json",
            "xargs echo < list.txt",
        ],
    );
}

#[test]
fn what_a_pattern_finds_counts_in_each_of_its_components() {
    assert_asks(
        &[
            "cat */*.txt",
            "cat **/*.txt",
            "cat lib/*/*.txt",
            "head -3 */*.txt",
            "grep . */*.txt",
            "for d in */; do cat \"$d/k.txt\"; done",
            "for d in */; do cat $d/k.txt; done",
            "for d in lib/*; do cat \"$d\"/*.txt; done",
            "for f in */*.txt; do cat $f; done",
            "p='*/k.txt'; cat $p",
            "cat {*,src}/k.txt",
            "tr a b < */k.txt",
            // There was too much to look at.
            "cat vast/*/x",
        ],
        &[
            "cat src/*.rs",
            "cat */*.rs",
            "wc -l src/*.rs",
            "wc -l */*.txt",
            "ls */*.txt",
            "for f in *.txt; do echo $f; done",
            "for f in */*.txt; do touch $f; done",
            "for f in src/*.rs; do head -5 \"$f\"; done",
            "for f in src/*.rs; do head -5 $f; done",
            "head -50 README.md",
            "grep -rn foo src",
        ],
    );
}

#[test]
fn folders_are_read_as_far_as_the_program_goes() {
    assert_asks(
        &[
            "diff old new",
            "diff old/k.txt new",
            "diff -r old deep",
            "colordiff old new",
            "diff old/a.txt new",
            "grep -R x vast",
            "rg -L x vast",
            "find -L vast -exec cat {} +",
        ],
        &[
            "diff a.txt b.txt",
            "diff -u old/a.txt new/a.txt",
            "diff old deep",
            "grep -R foo src",
            "grep -r x vast",
            "grep -rn x new",
            "rg x vast",
            "find vast -name '*.rs' -exec cat {} +",
        ],
    );
}

#[test]
fn patterns_of_tools_are_searched_for() {
    let policy = everything_else_passes();
    let action = |arguments: serde_json::Value| {
        let call = Request {
            class: ToolClass::FileRead,
            cwd: Some(PROJECT.into()),
            home: Some(HOME.into()),
            ..request("read_many_files", &arguments.to_string())
        };
        let held = |path: &str, is_link| HeldCredential {
            path: path.into(),
            is_ignored: false,
            is_taken_back: false,
            is_link,
            is_tracked: false,
        };
        let resolve = |path: &str| {
            let holds = match path.strip_prefix(PROJECT) {
                Some("/*/*.txt" | "/k.txt") => vec![held("lib/k.txt", true)],
                Some("/**/*") => vec![held(".env", false)],
                _ => Vec::new(),
            };
            ResolvedPath { holds, ..ResolvedPath::new(path) }
        };
        policy.decide(&resolved(call, resolve), at(0)).action
    };
    for key in ["include", "paths"] {
        for pattern in ["*/*.txt", "k.txt", "{*,src}/*.txt", ".env", "/home/ann/.ssh/id_rsa"] {
            assert_eq!(action(serde_json::json!({ key: [pattern] })), Action::Ask, "{key} {pattern}");
        }
        for pattern in ["src/**/*.rs", "README.md", "**/*"] {
            assert_eq!(action(serde_json::json!({ key: [pattern] })), Action::Allow, "{key} {pattern}");
        }
        let all = serde_json::json!({ key: ["**/*"], "useDefaultExcludes": false });
        assert_eq!(action(all), Action::Ask, "{key}");
    }
}

#[test]
fn a_file_that_is_called_like_an_option_is_no_operand() {
    let policy = everything_else_passes();
    let action = |line: &str, name: &str| {
        let resolve = |path: &str| {
            let names = if path == format!("{PROJECT}/-*") { vec![name.to_owned()] } else { Vec::new() };
            ResolvedPath { names, ..ResolvedPath::new(path) }
        };
        policy.decide(&resolved(unseen(line), resolve), at(0)).action
    };
    let listing = "--files0-from=k.txt";
    for line in [
        "for f in *.txt; do wc -l \"$f\"; done",
        "for f in *; do du -sh \"$f\"; done",
        "git ls-files | xargs -n1 wc -l",
        "git ls-files | xargs -I{} wc -l {}",
        "ls | xargs -n 1 wc -l",
        "wc -l *",
        "sort *.txt",
    ] {
        assert_eq!(action(line, listing), Action::Ask, "{line}");
        assert_eq!(action(line, "--f=k"), Action::Ask, "{line}");
        assert_eq!(action(line, "-notes.txt"), Action::Allow, "{line}");
    }
    for line in ["wc -l ./*", "wc -l -- *", "wc -l src/*.rs", "wc -l README.md", "cat *.rs", "ls *"] {
        assert_eq!(action(line, listing), Action::Allow, "{line}");
    }
}
