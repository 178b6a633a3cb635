//! Credentials, where nobody has looked at the disk: by names and words alone.

use super::*;

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
    resolved(unseen(line), |path| ResolvedPath { is_credential: leads_to_key(path), ..ResolvedPath::new(path) })
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
