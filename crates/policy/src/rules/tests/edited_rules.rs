//! Rules that a person changes before approving with them.

use super::*;
use crate::{Breadth, Scope, rule_from_approval};

const RISK: &str = "risk = [\"read_only\", \"write\"]";

fn strict(rules: &str) -> Policy {
    policy(&format!("version = 1\npreset = \"strict\"\n{rules}"))
}

/// What comes of approving `request` with `text`, under `policy`.
fn checked(
    policy: &Policy,
    request: &Request,
    (breadth, scope): (Breadth, Scope),
    text: &str,
) -> Result<String, EditedRuleError> {
    let draft = rule_from_approval(request, &policy.decide(request, at(0)), breadth, scope).unwrap();
    let occasion = RuleOccasion { request, draft: &draft, in_project: scope == Scope::Project, now: at(0) };
    policy.check_edited_rule(text, occasion).map(|rule| rule.toml)
}

fn always(request: &Request, text: &str) -> Result<String, EditedRuleError> {
    checked(&strict(""), request, (Breadth::Exact, Scope::Always), text)
}

fn rule(keys: &str) -> String {
    format!("[[rule]]\naction = \"allow\"\n{keys}\n{RISK}\n")
}

#[test]
fn what_a_person_begins_with_can_be_approved() {
    let calls = [
        (shell("cargo test -q"), Breadth::Prefix),
        (shell("cargo build && git push origin main"), Breadth::Exact),
        (write("notes.txt"), Breadth::Exact),
        (write("notes/a.txt"), Breadth::Folder),
        (at_home(request("deploy", "{}")), Breadth::Tool),
    ];
    for (request, breadth) in &calls {
        for scope in [Scope::Project, Scope::Always] {
            let draft = rule_from_approval(request, &strict("").decide(request, at(0)), *breadth, scope).unwrap();
            let text = draft.to_edit().unwrap();
            let taken = checked(&strict(""), request, (*breadth, scope), &text).unwrap();
            assert_eq!(taken.trim(), text.trim());
            assert_eq!(strict(&taken).decide(request, at(0)).action, Action::Allow, "{taken}");
            assert_eq!(checked(&strict(""), request, (*breadth, scope), &draft.toml).unwrap(), draft.toml);
        }
    }
    let several = shell("cargo test && make lint");
    let draft =
        rule_from_approval(&several, &strict("").decide(&several, at(0)), Breadth::Prefix, Scope::Always).unwrap();
    assert_eq!(draft.to_edit(), None, "{}", draft.toml);
}

#[test]
fn a_rule_can_be_narrower_or_wider_as_long_as_it_covers_the_call() {
    let asked = shell("cargo test -p core");
    for keys in [
        "command = \"cargo test -p core\"\nexpires = \"2027-01-31\"",
        "command = \"cargo test *\"",
        "command = \"cargo test *\"\nprojects = [\"/home/ann/work/*\"]",
    ] {
        let taken = always(&asked, &rule(keys)).unwrap_or_else(|error| panic!("{keys}: {error}"));
        assert_eq!(strict(&taken).decide(&asked, at(0)).action, Action::Allow);
    }
}

#[test]
fn a_rule_that_does_not_cover_the_call_is_refused_with_the_reason() {
    let asked = shell("cargo test -p core");
    for (keys, why) in [
        ("command = \"cargo build *\"", "its words do not match"),
        ("command = \"cargo *\"", "a pattern for `cargo` has to name the sub-command"),
        ("command = \"cargo test *\"\nprojects = [\"/srv/**\"]", "the project is `/home/ann/work/app`"),
        ("command = \"cargo test *\"\nexpires = \"1969-01-01\"", "it has expired (1969-01-01)"),
        ("command = \"cargo test *\"\nagents = [\"codex\"]", "the agent is not named"),
        ("command = \"cargo test *\"\nclass = \"mcp\"", "the tool is of the class shell"),
    ] {
        let error = always(&asked, &rule(keys)).unwrap_err();
        let sentence = error.to_string();
        assert!(sentence.starts_with("the rule does not cover `cargo test -p core`: "), "{sentence}");
        assert!(sentence.contains(why), "{sentence}");
    }
    let both = shell("cargo test && git push origin main");
    let error = always(&both, &rule("command = \"cargo test *\"")).unwrap_err().to_string();
    assert!(error.contains("`git push origin main`"), "{error}");
}

#[test]
fn a_rule_has_bounds_whatever_is_written() {
    let asked = shell("cargo test -p core");
    let allowed = |keys: &str| always(&asked, &format!("[[rule]]\naction = \"allow\"\n{keys}\n"));
    assert_eq!(allowed("command = \"cargo test *\""), Err(EditedRuleError::Destructive));
    let all = "command = \"cargo test *\"\nrisk = [\"write\", \"destructive\"]";
    assert_eq!(allowed(all), Err(EditedRuleError::Destructive));
    assert_eq!(always(&asked, &rule("tool = \"shell\"")), Err(EditedRuleError::NoCommand));
    assert_eq!(always(&asked, &rule("tool = \"Bash\"\npath_in = \"project\"")), Err(EditedRuleError::NoCommand));
    for key in ["pattern = \"*\"", "undo = \"kept\"", "users = [\"ann\"]", "tags = [\"ci\"]"] {
        let name = key.split(' ').next().unwrap();
        let refused = always(&asked, &rule(&format!("command = \"cargo test *\"\n{key}")));
        assert_eq!(refused, Err(EditedRuleError::Key(name.to_owned())));
    }
    let deploy = at_home(request("deploy", "{}"));
    let tool = |keys: &str| checked(&strict(""), &deploy, (Breadth::Tool, Scope::Always), &rule(keys));
    for wide in ["class = \"other\"", "tool = \"*\"", "tool = \"other\"", "agents = [\"*\"]"] {
        assert_eq!(tool(wide), Err(EditedRuleError::NoTool), "{wide}");
    }
    assert!(tool("tool = \"deploy\"\nexpires = \"2027-01-31\"").is_ok());
}

#[test]
fn a_text_that_is_not_one_rule_that_allows_is_refused() {
    let asked = shell("cargo test");
    let good = rule("command = \"cargo test *\"");
    for text in [
        format!("{good}{good}"),
        format!("preset = \"autonomous\"\n{good}"),
        format!("{good}[agent.codex]\ntimeout = \"1h\"\n"),
        format!("{good}[[confine.project]]\nproject = \"~/a\"\ncaches = [\"npm\"]\n"),
        String::new(),
        "# nothing".to_owned(),
        "rule = []".to_owned(),
        format!("rule = [{{ action = \"allow\", command = \"cargo test *\", {RISK} }}]"),
        format!("expires = \"2027-01-31\"\n{good}"),
    ] {
        let error = always(&asked, &text).unwrap_err();
        let is_no_rule = matches!(error, EditedRuleError::NotOneRule | EditedRuleError::Unreadable(_));
        assert!(is_no_rule, "{text}: {error}");
    }
    for action in ["ask", "deny", "confine"] {
        let refused = always(&asked, &good.replace("\"allow\"", &format!("\"{action}\"")));
        assert_eq!(refused, Err(EditedRuleError::NotAllow), "{action}");
    }
    assert_eq!(always(&asked, &good.replace("cargo", "cargo\u{200b}")), Err(EditedRuleError::Hidden));
    assert_eq!(always(&asked, &format!("{good}#{}", "x".repeat(65 * 1024))), Err(EditedRuleError::TooLong));
    let unknown = always(&asked, &good.replace("command", "comand")).unwrap_err().to_string();
    assert!(unknown.starts_with("line 3: ") && unknown.contains("command"), "{unknown}");
}

#[test]
fn a_rule_for_this_project_stays_in_it() {
    let asked = shell("cargo test");
    let here = format!("command = \"cargo test *\"\nprojects = [\"{PROJECT}\"]");
    let within = |keys: &str| checked(&strict(""), &asked, (Breadth::Exact, Scope::Project), &rule(keys));
    assert!(within(&here).is_ok());
    for other in ["command = \"cargo test *\"", "command = \"cargo test *\"\nprojects = [\"/home/ann/**\"]"] {
        let error = within(other).unwrap_err().to_string();
        assert!(error.contains(&format!("projects = [\"{PROJECT}\"]")), "{error}");
    }
}

#[test]
fn what_is_asked_about_whatever_a_rule_says_is_not_approved_by_one() {
    let asked = shell("cargo test");
    let held = strict("[[rule]]\npattern = \"*\"\naction = \"ask\"\nfinal = true\n");
    let refused = checked(&held, &asked, (Breadth::Exact, Scope::Always), &rule("command = \"cargo test *\""));
    assert_eq!(refused, Err(EditedRuleError::Useless));
}
