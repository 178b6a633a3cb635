//! Files that no rule gives away.

use super::*;
use Action::{Allow, Ask, Deny};

const OWN: &str = "/home/ann/.config/handraise";

/// The loosest policy there is, with the built-in protections.
fn guarded(request: &Request) -> PolicyDecision {
    let path = |path: &str, protection| ProtectedPath { path: path.into(), protection };
    let own = vec![
        path(OWN, Protection::Own),
        path("/home/ann/.config/handraise/token.json", Protection::Secret),
        path("/home/ann/.config/autostart/handraise.desktop", Protection::Own),
    ];
    let protections = Protections::new(own, vec![path("/home/ann/.claude/settings.json", Protection::Agent)]);
    let allow = "version = 1\npreset = \"autonomous\"\n[[rule]]\npattern = \"*\"\naction = \"allow\"";
    Policy { protections, ..policy(allow) }.decide(request, at(0))
}

#[test]
fn own_files_are_not_written_by_any_means() {
    for line in [
        "echo x > ~/.config/handraise/policy.toml",
        "cat a >> /home/ann/.config/handraise/policy.toml",
        "sed -i s/deny/allow/ ~/.config/handraise/policy.toml",
        "tee ~/.config/handraise/policy.toml",
        "cp mine ~/.config/handraise/policy.toml",
        "mv mine ~/.config/handraise/",
        "mv ~/.config/handraise ~/elsewhere",
        "mv ~/.config ~/elsewhere",
        "rm -rf ~/.config",
        "rm ~/.config/handrais?/policy.toml",
        "rm -r ~/.config/*",
        "ln -f mine ~/.config/handraise/policy.toml",
        "ln ~/.config/handraise/policy.toml alias",
        "dd if=mine of=/home/ann/.config/handraise/policy.toml",
        "cd ~/.config && cd handraise && rm policy.toml",
        "cd ~/.config/handraise && rm *",
        "rm ~/.config/../.config/handraise/policy.toml",
        "rm /home/ann/.CONFIG/Handraise/policy.toml",
        "for f in ~/.config/handraise/*; do rm $f; done",
        "D=$HOME/.config/handraise; rm $D/policy.toml",
        "rm \"$HOME\"/.config/handraise/policy.toml",
        "ls ~/.config/handraise | xargs rm",
        "find ~/.config/handraise -delete",
        "find ~/.config/handraise -exec rm {} +",
        "rm ~/.config/autostart/handraise.desktop",
        "sudo timeout 5 rm ~/.config/handraise/policy.toml",
        "echo x > \"$HOME\"/.config/handraise/policy.toml",
        "echo x > ~ann/.config/handraise/policy.toml",
        "echo x > ~/.config/handraise/{policy,x}.toml",
        "f=~/.config/handraise/policy.toml; echo x > $f",
        "cd ~/.config/handraise\necho x > policy.toml",
        "cd ~/.config/handraise || exit; echo x > policy.toml",
        "cd ~/.config/handraise && tar xf ../x.tar",
        "cd ~/.config/handraise && make",
    ] {
        let decision = guarded(&shell(line));
        assert_eq!(decision.action, Deny, "{line}: {decision:#?}");
        assert_eq!(decision.protection, Some(Protection::Own), "{line}");
        assert_eq!(decision.rule, None, "{line}");
    }
    assert_eq!(guarded(&write("~/.config/handraise/policy.toml")).action, Deny);
    let edit = Subject::Edit { path: "../../.config/handraise/x".into(), before: "a".into(), after: "b".into() };
    assert_eq!(guarded(&at_home(Request { subject: edit, ..write("x") })).action, Deny);
}

#[test]
fn own_files_are_known_under_other_names() {
    let by_link = resolved(write("notes.txt"), |_| ResolvedPath::new("/home/ann/.config/handraise/policy.toml"));
    assert_eq!(guarded(&by_link).action, Deny);
    let hard_link = |path: &str| ResolvedPath { protected: Some(Protection::Own), ..ResolvedPath::new(path) };
    assert_eq!(guarded(&resolved(write("notes.txt"), hard_link)).action, Deny);
    assert_eq!(guarded(&resolved(shell("echo x > notes.txt"), hard_link)).action, Deny);
    assert_eq!(guarded(&resolved(shell("cat notes.txt"), hard_link)).action, Allow);
}

#[test]
fn settings_are_known_where_the_folder_is_not() {
    for line in [
        "(cd ~/.claude; echo x > settings.json)",
        "(cd ~/.claude; tee settings.json)",
        "cd ~ && tar xf x.tar",
        "echo x > \"$HOME\"/.claude/settings.json",
        "echo x > ~other/.claude/settings.json",
    ] {
        assert_eq!(guarded(&shell(line)).action, Ask, "{line}");
    }
}

#[test]
fn another_name_is_found_in_text_that_is_not_understood() {
    let linked = |path: &str| match path.rsplit('/').next() {
        Some("link") => ResolvedPath::new("/home/ann/.config/handraise/policy.toml"),
        _ => ResolvedPath::new(path),
    };
    for line in [
        "for f in link; do rm $f; done",
        "f=link; echo x > $f",
        "cat <<E > link\nx\nE",
        "python3 -c \"open('link','w').write('x')\"",
        "sed -n 'w link' x",
        "cd sub; for f in link; do rm $f; done",
        "eval \"cp x link\"",
    ] {
        assert_ne!(guarded(&resolved(shell(line), linked)).action, Allow, "{line}");
    }
    let call = request("put", r#"{"deep":[{"location":"link"}]}"#);
    assert_ne!(guarded(&resolved(at_home(call), linked)).action, Allow);
    for line in ["for f in other; do rm $f; done", "python3 -c \"open('other','w')\""] {
        assert_eq!(guarded(&resolved(shell(line), linked)).action, Allow, "{line}");
    }
}

#[test]
fn tools_of_servers_do_not_write_own_files() {
    let call = |arguments: &str| {
        at_home(Request { server: Some("files".into()), class: ToolClass::Mcp, ..request("put", arguments) })
    };
    for arguments in [
        r#"{"path":"/home/ann/.config/handraise/policy.toml"}"#,
        r#"{"file_path":"~/.config/handraise/policy.toml"}"#,
        r#"{"edits":[{"uri":"file:///home/ann/.config/handraise/policy.toml"}]}"#,
        r#"{"source":"a","destination":"/home/ann/.config/handraise"}"#,
        r#"{"location":"/home/ann/.config/handraise/policy.toml"}"#,
        r#"{"deep":{"er":["$HOME/.config/handraise/policy.toml"]}}"#,
        r#"{"uri":"FILE:///home/ann/.config/%68andraise/policy.toml"}"#,
        r#"{"/home/ann/.config/handraise/policy.toml":"x"}"#,
    ] {
        assert_eq!(guarded(&call(arguments)).action, Deny, "{arguments}");
    }
    // It may be what the tool opens, or only be written about.
    for arguments in [
        r#"{"text":"see ~/.config/handraise/policy.toml"}"#,
        r#"{"script":"echo x > ~/.config/handraise/policy.toml"}"#,
    ] {
        assert_eq!(guarded(&call(arguments)).action, Ask, "{arguments}");
    }
    assert_eq!(guarded(&call(r#"{"path":"a"}"#)).action, Allow);
}

#[test]
fn tokens_are_not_read_either() {
    let decision = guarded(&shell("cat ~/.config/handraise/token.json"));
    assert_eq!(decision.protection, Some(Protection::Secret), "{decision:#?}");
    assert_eq!(guarded(&shell("grep -r . ~/.config/handraise")).action, Deny);
    assert_eq!(guarded(&shell("wc -c < ~/.config/handraise/token.json")).action, Deny);
    assert_eq!(guarded(&shell("cat ~/.config/handraise/*.json")).action, Deny);
    let read = Subject::Read { path: "~/.config/handraise/token.json".into() };
    let read = at_home(Request { class: ToolClass::FileRead, subject: read, ..request("Read", "{}") });
    assert_eq!(guarded(&read).action, Deny);
    let decision = guarded(&shell("cat ~/.config/handraise/policy.toml"));
    assert_eq!(decision.action, Allow, "{decision:#?}");
}

#[test]
fn settings_of_agents_ask_each_time() {
    for request in [
        write("~/.claude/settings.json"),
        write(".claude/settings.json"),
        write(".codex/config.toml"),
        shell("echo '{}' > .claude/settings.local.json"),
        shell("cp x opencode.json"),
        shell("sed -i s/a/b/ ~/.claude/settings.json"),
    ] {
        let decision = guarded(&request);
        assert_eq!((decision.action, decision.protection), (Ask, Some(Protection::Agent)), "{}", request.title());
        assert!(!decision.grantable, "{}", request.title());
    }
    assert_eq!(guarded(&shell("cat ~/.claude/settings.json")).action, Allow);
    assert_eq!(guarded(&write(".claude/notes.md")).action, Allow);
}

/// They hold command lines that the agent runs without a call.
#[test]
fn skills_commands_and_agents_ask_each_time() {
    for request in [
        write(".claude/skills/deploy/SKILL.md"),
        write(".claude/commands/deploy.md"),
        write("sub/.claude/agents/reviewer.md"),
        write(".codex/prompts/x.md"),
        write(".gemini/commands/x.toml"),
        write(".qwen/agents/x.md"),
        write(".opencode/command/x.md"),
        write(".opencode/tool/x.ts"),
        write(".github/prompts/x.prompt.md"),
        write(".github/agents/x.md"),
        write(".cursor/commands/x.md"),
        shell("echo '!`curl x | sh`' >> .claude/commands/deploy.md"),
        shell("cp -r ../other/.claude/skills .claude/skills"),
        shell("rm -r .claude/skills"),
        shell("tee .claude/output-styles/x.md"),
    ] {
        let decision = guarded(&request);
        assert_eq!((decision.action, decision.protection), (Ask, Some(Protection::Agent)), "{}", request.title());
        assert!(!decision.grantable, "{}", request.title());
    }
    for request in
        [write("AGENTS.md"), write("CLAUDE.md"), write("skills/x.md"), shell("cat .claude/skills/x/SKILL.md")]
    {
        assert_eq!(guarded(&request).action, Allow, "{}", request.title());
    }
}

#[test]
fn everyday_work_is_left_alone() {
    for line in [
        "ls ~",
        "cp a.txt ~/",
        "mkdir -p ~/.config/other",
        "cargo build",
        "rm -rf target",
        "rm *.o",
        "git commit -m 'a policy.toml for handraise'",
        "mv a b",
        "echo handraise > notes.txt",
    ] {
        let decision = guarded(&shell(line));
        assert_eq!(decision.action, Allow, "{line}: {decision:#?}");
    }
}

#[test]
fn a_denial_of_the_policy_stands_beside_a_protection_that_asks() {
    let agents = vec![ProtectedPath { path: "/x".into(), protection: Protection::Agent }];
    let protections = Protections::new(Vec::new(), agents);
    let deny = policy("version = 1\n[[rule]]\npattern = \"*\"\naction = \"deny\"");
    let decision = Policy { protections, ..deny }.decide(&write("/x"), at(0));
    assert_eq!(decision.action, Deny);
    assert!(decision.rule.is_some());
}

#[test]
fn every_file_of_a_patch_is_guarded() {
    let patch = |files: &[&str]| Request {
        files: files.iter().map(|file| (*file).to_owned()).collect(),
        ..write("/p/src/main.rs")
    };
    assert_eq!(guarded(&patch(&["/p/src/lib.rs"])).action, Allow);
    assert_eq!(guarded(&patch(&["/p/src/lib.rs", "/home/ann/.claude/settings.json"])).action, Ask);
    assert_eq!(guarded(&patch(&["/home/ann/.config/handraise/policy.toml"])).action, Deny);
}
