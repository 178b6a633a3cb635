//! What becomes of the agents' own rules, and the other way.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::disallowed_methods, reason = "a test reads what it compares with")]

use std::fmt::Write;
use std::path::Path;

use handraise_agents::own_rules::{ExportError, RuleEntry, RuleFile, RuleOutcome, RulePlace, export, placed};
use handraise_agents::{Level, agent};
use handraise_policy::rules::parse;

/// The project that the files of this test belong to.
const PROJECT: &str = "/home/ann/shop";

/// The form of `name`, at this level.
fn form(of: &str, name: &str, level: Level) -> &'static RuleFile {
    let forms = agent(of).unwrap().rule_files();
    let fits = |form: &&RuleFile| {
        let last = form.path.rsplit('/').next().unwrap();
        form.level == level && last.strip_prefix('*').map_or(last == name, |end| name.ends_with(end))
    };
    forms.iter().find(fits).unwrap()
}

fn entries(of: &str, name: &str, level: Level) -> Vec<RuleEntry> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/own_rules").join(format!("{of}.{name}"));
    read(of, name, level, &std::fs::read_to_string(path).unwrap())
}

fn read(of: &str, name: &str, level: Level, text: &str) -> Vec<RuleEntry> {
    let project = (level == Level::Project).then_some(PROJECT);
    form(of, name, level).entries(text, &RulePlace { project }).unwrap()
}

/// Every entry with what became of it, and then the rules in their order.
fn told(entries: &[RuleEntry]) -> String {
    let mut told = String::new();
    for entry in entries {
        writeln!(told, "» {}", entry.text).unwrap();
        match &entry.outcome {
            RuleOutcome::Left { reason } => writeln!(told, "left: {reason}").unwrap(),
            RuleOutcome::Carried { rules, notes, covers_little } => {
                assert!(!covers_little || notes.iter().any(|note| note.contains("covers")), "{notes:?}");
                notes.iter().for_each(|note| writeln!(told, "note: {note}").unwrap());
                rules.iter().for_each(|rule| told.push_str(rule));
            }
        }
    }
    let order = placed(entries);
    let keys =
        |rules: &[String]| rules.iter().map(|rule| rule.replace("[[rule]]\n", "").trim().replace('\n', ", ")).collect();
    let lists: [Vec<String>; 2] = [keys(&order.in_front), keys(&order.behind)];
    writeln!(told, "\nin front:\n{}\nbehind:\n{}", lists[0].join("\n"), lists[1].join("\n")).unwrap();
    let whole = [order.in_front, order.behind].concat().join("\n");
    assert!(parse(&format!("version = 1\n\n{whole}")).is_ok(), "{whole}");
    told
}

#[test]
fn every_agents_entries_become_these_rules() {
    let files = [
        ("claude-code", "settings.json"),
        ("codex", "default.rules"),
        ("codex", "config.toml"),
        ("gemini-cli", "settings.json"),
        ("gemini-cli", "mine.toml"),
        ("opencode", "opencode.jsonc"),
        ("qwen-code", "settings.json"),
        ("copilot-cli", "permissions-config.json"),
        ("copilot-cli", "settings.json"),
    ];
    for (of, name) in files {
        insta::assert_snapshot!(format!("{of}__{name}"), told(&entries(of, name, Level::User)));
    }
}

#[test]
fn what_stands_in_a_project_holds_in_it_only() {
    for (of, name) in [("claude-code", "settings.json"), ("opencode", "opencode.jsonc"), ("gemini-cli", "mine.toml")] {
        let entries = entries(of, name, Level::Project);
        let rules: Vec<&String> = entries.iter().flat_map(RuleEntry::rules).collect();
        assert!(!rules.is_empty());
        for rule in rules {
            assert!(rule.contains(&format!("projects = [\"{PROJECT}\"]")), "{rule}");
        }
    }
    let rule = |of: &str, name: &str, text: &str| read(of, name, Level::Project, text)[0].rules().concat();
    let claude = rule("claude-code", "settings.json", r#"{"permissions":{"allow":["Read(/docs/**)"]}}"#);
    assert!(claude.contains(&format!("path = \"{PROJECT}/docs/**\"")), "{claude}");
    let opencode = rule("opencode", "opencode.json", r#"{"permission":{"edit":{"docs/*.md":"allow"}}}"#);
    assert!(opencode.contains(&format!("path = \"{PROJECT}/docs/*.md\"")), "{opencode}");
}

#[test]
fn a_rule_that_allows_goes_in_front_of_all_and_what_it_loosens_before_it() {
    // Gemini CLI: by priority. What denies all of a kind stays in front of what takes some of it out.
    let order = placed(&entries("gemini-cli", "mine.toml", Level::User));
    let place = |list: &[String], part: &str| list.iter().position(|rule| rule.contains(part));
    let everything = place(&order.in_front, "tool = \"*\"").unwrap();
    let shell = place(&order.in_front, "action = \"ask\"").unwrap();
    let allowed = place(&order.in_front, "git status *").unwrap();
    assert!(everything < shell && shell < allowed);
    assert!(place(&order.behind, "git push *").is_some());
    // Claude Code: what denies always counts.
    let order = placed(&entries("claude-code", "settings.json", Level::User));
    assert!(order.in_front.iter().all(|rule| rule.contains("\"allow\"")));
    assert!(order.behind.iter().all(|rule| !rule.contains("\"allow\"")));
}

#[test]
fn broken_files_are_told_and_give_nothing() {
    let text = |of: &str, name: &str, text: &str| {
        form(of, name, Level::User).entries(text, &RulePlace::default()).unwrap_err().to_string()
    };
    assert!(text("claude-code", "settings.json", "{").contains("not valid JSON"));
    assert!(text("claude-code", "settings.json", r#"{"permissions":{"allow":"Bash"}}"#).contains("permissions.allow"));
    assert!(text("claude-code", "settings.json", r#"{"permissions":{"allow":[1]}}"#).contains("permissions.allow"));
    assert!(text("claude-code", "settings.json", r#"{"permissions":{},"permissions":{}}"#).contains("twice"));
    assert!(text("codex", "config.toml", "a = ").contains("not valid TOML"));
    assert!(text("gemini-cli", "x.toml", "[[rule]").contains("not valid TOML"));
    for (of, name) in [("claude-code", "settings.json"), ("opencode", "opencode.json"), ("codex", "x.rules")] {
        assert_eq!(form(of, name, Level::User).entries("", &RulePlace::default()).unwrap(), []);
    }
}

const POLICY: &str = r#"
version = 1
[[rule]]
tool = "shell"
command = "git status"
action = "allow"
[[rule]]
tool = "shell"
command = "git log *"
action = "allow"
agents = ["claude-code", "opencode", "gemini-cli", "codex", "qwen-code"]
[[rule]]
server = "docs"
tool = "search"
action = "allow"
[[rule]]
class = "file_write"
path = "~/notes/**"
action = "ask"
[[rule]]
tool = "shell"
command = "rm *"
action = "deny"
final = true
[[rule]]
tool = "WebSearch"
action = "allow"
[[rule]]
command = "make *"
action = "confine"
[[rule]]
tool = "shell"
command = "git push *"
agents = ["cursor"]
action = "allow"
"#;

#[test]
fn a_policy_is_said_in_each_agents_form() {
    for of in ["claude-code", "qwen-code", "opencode", "gemini-cli", "codex"] {
        let mut told = String::new();
        for wider in [false, true] {
            let exported = export(of, POLICY, wider).unwrap();
            writeln!(told, "~/{} wider: {wider}\n{}", exported.file, exported.text).unwrap();
            exported.left.iter().for_each(|(rule, reason)| writeln!(told, "left: {rule}\n  {reason}").unwrap());
        }
        insta::assert_snapshot!(format!("export__{of}"), told);
    }
    assert_eq!(export("copilot-cli", POLICY, false), Err(ExportError::NoForm("copilot-cli".to_owned())));
    assert!(matches!(export("codex", "version =", false), Err(ExportError::Toml(_))));
}

#[test]
fn nothing_is_allowed_that_a_later_rule_takes_back_and_the_form_cannot_say() {
    let allow = "[[rule]]\ntool = \"shell\"\ncommand = \"git status\"\naction = \"allow\"\n";
    let unsaid = "[[rule]]\ncommand = \"git *\"\nusers = [\"bob\"]\naction = \"deny\"\n";
    assert!(export("claude-code", &format!("{unsaid}{allow}"), false).unwrap().text.contains("git status"));
    let exported = export("claude-code", &format!("{allow}{unsaid}"), false).unwrap();
    assert!(!exported.text.contains("git status"), "{exported:?}");
    assert_eq!(exported.left.len(), 2);
}

#[test]
fn what_was_exported_is_imported_as_it_was() {
    let rules = "[[rule]]\ntool = \"shell\"\ncommand = \"git status\"\naction = \"allow\"\n\n\
                 [[rule]]\nserver = \"docs\"\ntool = \"search\"\naction = \"ask\"\n\n\
                 [[rule]]\ntool = \"WebSearch\"\naction = \"deny\"\n";
    let exported = export("claude-code", rules, false).unwrap();
    assert_eq!(exported.left, []);
    let back = read("claude-code", "settings.json", Level::User, &exported.text);
    let back: Vec<String> = back.iter().flat_map(RuleEntry::rules).cloned().collect();
    let agents = "agents = [\"claude-code\"]\naction";
    let expected = rules.replace("action", agents).replace("\"shell\"", "\"Bash\"");
    assert_eq!(back.join("\n"), expected);
}
