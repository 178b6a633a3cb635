//! What is said about a file, and where.

use handraise_redaction::UserPattern;
use proptest::prelude::*;

use super::*;
use crate::rules::Preset;

/// Each problem of `text` as `line:column code message | help`.
fn said(text: &str) -> Vec<String> {
    let diagnostics = match parse(text) {
        Ok(loaded) => loaded.warnings,
        Err(errors) => errors,
    };
    let line = |d: &Diagnostic| {
        let help = d.help.as_deref().map(|help| format!(" | {help}")).unwrap_or_default();
        format!("{}:{} {} {}{help}", d.line, d.column, d.code.trim_start_matches("policy::"), d.message)
    };
    diagnostics.iter().map(line).collect()
}

/// What is said about one rule with these keys, below `version = 1` and `[[rule]]`.
fn said_of_rule(keys: &str) -> Vec<String> {
    said(&format!("version = 1\n[[rule]]\n{keys}\n"))
}

#[test]
fn the_file_around_the_rules_is_checked() {
    for (text, expected) in [
        (
            "preset = \"strict\"",
            "1:1 missing_version the file does not say its version | write `version = 1` at the top",
        ),
        (
            "version = 2",
            "1:11 unknown_version version 2 is not known here | this program reads `version = 1`; a newer file needs a newer program",
        ),
        ("version = \"1\"", "1:11 wrong_type `version` must be a number | write `version = 1`"),
        (
            "version = 1\npresett = \"strict\"",
            "2:1 unknown_key `presett` is not a key of the policy | did you mean `preset`?",
        ),
        ("version = 1\npreset = \"strickt\"", "2:10 unknown_preset `strickt` is no preset | did you mean \"strict\"?"),
        (
            "version = 1\nunknown_tools = \"never\"",
            "2:17 unknown_action `never` is no action | write one of \"allow\", \"ask\", \"deny\"",
        ),
        (
            "version = 1\ntimeout = \"2d\"",
            "2:11 bad_timeout `2d` is no time-out | write a number with a unit, as \"90s\", \"5m\" or \"1h\", from 1s to 24h",
        ),
        (
            "version = 1\ntimeout = 5",
            "2:11 wrong_type `timeout` is an integer, but must be text in quotes | put it in double quotes",
        ),
        (
            "version = 1\n[risk]\nwrites = \"ask\"",
            "3:1 unknown_key `writes` is not a key of [risk] | did you mean `write`?",
        ),
        (
            "version = 1\nrisk = 1",
            "2:8 wrong_type `risk` is an integer, but must be a table | write `[risk]` and its keys below, or `{ … }` on one line",
        ),
        (
            "version = 1\n[agent.codex]\ntimout = \"1m\"",
            "3:1 unknown_key `timout` is not a key of [agent.codex] | did you mean `timeout`?",
        ),
        ("version = 1\nversion = 1", "2:1 duplicate_key `version` stands here a second time | keep one of them"),
        (
            "version = 1\nrule = 1",
            "2:8 wrong_type `rule` is an integer, but must be a list of rules | write `rule = [ … ]`",
        ),
        (
            "version = 1\n[redaction]\npatterns = [{ name = \"x\", regex = '(' }]",
            "3:35 bad_regex the regular expression cannot be used: unclosed group | see https://docs.rs/regex/#syntax; in TOML, write it in single quotes",
        ),
        (
            "version = 1\n[redaction]\npatterns = [{ name = \"My Ticket\", regex = 'a' }]",
            "3:22 bad_name `My Ticket` cannot be the name of a redaction pattern | write lower-case letters, digits and hyphens, at most 32",
        ),
        (
            "version = 1\n[redaction]\nkeys = [\"-\"]",
            "3:9 bad_key `-` is no name of a key | write the name of a field, with letters or digits",
        ),
        (
            "version = 1\n[redaction]\npatterns = [{ name = \"x\", regex = 'a*' }]",
            "3:35 bad_regex the regular expression cannot be used: it matches the empty text | see https://docs.rs/regex/#syntax; in TOML, write it in single quotes",
        ),
        (
            "version = 1\ntrusted_servers = \"x\"",
            "2:19 wrong_type `trusted_servers` is a string, but must be a list of texts | write `trusted_servers = [ … ]`",
        ),
        (
            "version = 1\n[rule]\npattern = \"x\"",
            "2:1 wrong_type `rule` is a table, but must be a list of rules | write `[[rule]]`, with two brackets, above each",
        ),
        (
            "version = 1\n[agent.\"\"]",
            "2:8 empty_name the agent has no name | write `[agent.claude-code]`, with the name of an agent",
        ),
    ] {
        assert_eq!(said(text), [expected], "{text}");
    }
    assert!(said("version = ")[0].starts_with("1:11 syntax "), "{:?}", said("version = "));
}

#[test]
fn the_keys_of_a_rule_are_checked() {
    for (keys, expected) in [
        (
            "patern = \"x\"\npattern = \"y\"\naction = \"ask\"",
            "3:1 unknown_key `patern` is not a key of a rule | did you mean `pattern`?",
        ),
        ("pattern = \"\"\naction = \"ask\"", "3:11 bad_pattern the pattern is empty | write `*` to match every tool"),
        (
            "pattern = \"x\"",
            "2:1 missing_action the rule has no action | add `action = \"allow\"`, `\"confine\"`, `\"ask\"` or `\"deny\"`",
        ),
        ("pattern = \"x\"\naction = \"alow\"", "4:10 unknown_action `alow` is no action | did you mean \"allow\"?"),
        (
            "action = \"deny\"",
            "2:1 no_condition the rule has no condition | say what it is about, as `tool = \"shell\"`; `pattern = \"*\"` is every tool",
        ),
        (
            "pattern = \"x\"\naction = \"allow\"\nfinal = true",
            "5:9 final_allow a rule that allows or confines cannot be final: a later denial must hold | leave `final` out; only `ask` and `deny` can be final",
        ),
        (
            "pattern = \"x\"\naction = \"deny\"\nfinal = \"yes\"",
            "5:9 wrong_type `final` is a string, but must be `true` or `false` | write `final = true`, or leave the key out",
        ),
        (
            "pattern = \"mcp__[ab]*\"\naction = \"allow\"",
            "3:11 bad_pattern `[` has no meaning in a glob on names | `*` is any text and `?` one character, and each name has its own rule",
        ),
        (
            "tool = \"{a,b}\"\naction = \"deny\"",
            "3:8 bad_tool `{` has no meaning in a glob on names | `*` is any text and `?` one character, and each name has its own rule",
        ),
        (
            "server = \"a\\u202eb\"\naction = \"deny\"",
            "3:10 bad_server it contains control or invisible characters, which no name has | write the name anew",
        ),
        ("class = \"shel\"\naction = \"ask\"", "3:9 unknown_class `shel` is no class | did you mean \"shell\"?"),
        (
            "command = \"git status && ls\"\naction = \"ask\"",
            "3:11 bad_command a command pattern is one simple command, and `&&` can be in none | write one rule for each command, or quote it",
        ),
        (
            "path = [\"src/**\", \"../x\"]\naction = \"ask\"",
            "3:19 bad_path `..` never matches, because paths are compared after they are resolved | write a glob as \"src/**\" (in the project), \"~/notes/*\" or \"/etc/**\"",
        ),
        (
            "path = \"a[b\"\naction = \"ask\"",
            "3:8 bad_path the path is no glob: unclosed character class, missing ']' | write a glob as \"src/**\" (in the project), \"~/notes/*\" or \"/etc/**\"",
        ),
        (
            "path_in = \"projekt\"\naction = \"ask\"",
            "3:11 unknown_place `projekt` is no place | did you mean \"project\"?",
        ),
        (
            "pattern = \"x\"\nagents = []\naction = \"ask\"",
            "4:10 empty_list `agents` is an empty list, which nothing matches | leave the key out, or name at least one",
        ),
        (
            "projects = \"work\"\naction = \"ask\"",
            "3:12 bad_projects a project folder begins with `/`, `~/` or `**/` | write a folder as \"~/work/**\" or \"/srv/app\"",
        ),
        (
            "risk = [\"write\", \"high\"]\naction = \"ask\"",
            "3:18 unknown_risk_level `high` is no risk level | write one of \"read_only\", \"write\", \"destructive\"",
        ),
        (
            "pattern = \"x\"\nexpires = \"soon\"\naction = \"ask\"",
            "4:11 bad_expires this is no date and no time with a zone | write a date as \"2027-01-31\", or a time with its zone as \"2027-01-31T18:00:00Z\"",
        ),
        (
            "arguments = { path = \"x\" }\naction = \"ask\"",
            "3:15 bad_pointer a JSON pointer begins with `/` | write `\"/path\"`, or `\"/files/0/name\"` for something further inside",
        ),
        (
            "arguments = { \"/a\" = 1 }\naction = \"ask\"",
            "3:22 wrong_type `arguments` is an integer, but must be text in quotes | put it in double quotes",
        ),
        (
            "pattern = \"größe\"\naction = \"ask\"\nreason = 'ä' # ö\nagents = { 'ä' = 1 }",
            "6:10 wrong_type `agents` is a table, but must be text in quotes, or a list of such texts | write `agents = \"…\"` or `agents = [\"…\", \"…\"]`",
        ),
    ] {
        assert_eq!(said_of_rule(keys), [expected], "{keys}");
    }
}

#[test]
fn examples_are_tried() {
    let rule = |examples: &str| {
        said_of_rule(&format!("tool = \"shell\"\ncommand = \"git status *\"\naction = \"allow\"\n{examples}"))
    };
    let fine = "match = [\"git status -s\", \"cd src && git status\"]\nnot_match = [\"git status; curl x | sh\", \"git status > ~/.bashrc\", \"git push\", \"cd src\"]";
    assert_eq!(rule(fine), [""; 0]);
    assert_eq!(
        rule("match = [\"git status\", \"git push\"]"),
        ["6:24 example_fails this example is not matched by its rule: its part `git push` is not covered | \
          change the command pattern, or move the example to `not_match`"]
    );
    assert_eq!(
        rule("not_match = \"git status -s\""),
        ["6:13 example_fails this example is matched by its rule, but must not be | \
          narrow the command pattern, or move the example to `match`"]
    );
    assert!(rule("match = \"git status > x\"")[0].contains("it writes the file `x`"));
    assert!(rule("match = \"git status `x`\"")[0].contains("it is not understood"));
}

#[test]
fn examples_of_denials_paths_and_names_are_tried() {
    for fine in [
        "command = \"rm *\"\naction = \"deny\"\nmatch = [\"ls; sudo rm x\", \"echo $(rm x)\"]\nnot_match = \"ls rm\"",
        "path = \"~/.ssh/**\"\naction = \"deny\"\nmatch = [\"~/.ssh\", \"~/.ssh/id\"]\nnot_match = \"~/.sshx\"",
        "path_in = \"project\"\naction = \"ask\"\nmatch = \"src/x\"\nnot_match = [\"/etc/x\", \"../x\"]",
        "pattern = \"deploy:*production*\"\naction = \"ask\"\nmatch = \"deploy:{\\\"to\\\":\\\"production\\\"}\"\nnot_match = \"deploy:{}\"",
        "tool = \"search_*\"\naction = \"ask\"\nmatch = \"search_files\"\nnot_match = \"delete\"",
    ] {
        assert_eq!(said_of_rule(fine), [""; 0], "{fine}");
    }
    assert_eq!(
        said_of_rule("agents = \"x\"\naction = \"ask\"\nmatch = \"y\""),
        ["5:9 bad_example the rule has examples but no condition that they could be tried on | \
          remove them, or say what the rule is about with `command`, `path` or `pattern`"]
    );
}

#[test]
fn what_is_probably_not_meant_is_a_warning() {
    for (keys, expected) in [
        (
            "pattern = \"*\"\naction = \"allow\"",
            "2:1 allows_everything this rule allows every tool | name the tools, or choose `preset = \"autonomous\"` to say so plainly",
        ),
        (
            "tool = \"shell\"\naction = \"allow\"",
            "2:1 allows_every_command this rule allows every command, also those that are not understood | add `command = \"git status *\"` for what is meant",
        ),
        (
            "pattern = \"Bash\"\naction = \"allow\"",
            "2:1 allows_every_command this rule allows every command, also those that are not understood | add `command = \"git status *\"` for what is meant",
        ),
        (
            "pattern = \"Bash:*git*\"\naction = \"allow\"",
            "2:1 allows_every_command this rule allows every command, also those that are not understood | add `command = \"git status *\"` for what is meant",
        ),
        (
            "tool = \"shell\"\ncommand = \"git status*\"\naction = \"allow\"",
            "4:11 command_pattern there is no blank before the `*` | write `git status *`",
        ),
        (
            "tool = \"shell\"\ncommand = \"git push\"\naction = \"deny\"",
            "4:11 narrow_rule without ` *` at its end the rule means exactly these words | write `git push *` to mean the command with any operands",
        ),
        (
            "tool = \"shell\"\ncommand = \"git push * main *\"\naction = \"ask\"",
            "4:11 narrow_rule a `*` before the end is exactly one word, so the rule misses the command with more or fewer words | end it with ` *`",
        ),
        (
            "tool = \"shell\"\ncommand = \"kubectl delete --namespace=prod *\"\naction = \"deny\"",
            "4:11 narrow_rule an option with a value or a wildcard is found only as it is written here | leave it out, and the rule means the command with any options",
        ),
        (
            "pattern = \"Bash:*git push*\"\naction = \"deny\"",
            "2:1 narrow_rule a glob over a command line misses the command in any other spelling | use `command`, which also means it with other options, in wrappers and in quotes",
        ),
        (
            "pattern = \"x\"\nagents = \"codex\"\naction = \"allow\"",
            "4:10 agents_in_allow this rule holds only for agents whose own credential proves their name | an agent that only claims the name is not allowed anything by it",
        ),
    ] {
        assert_eq!(said_of_rule(keys), [expected], "{keys}");
    }
    let now = "2027-01-01T00:00:00Z".parse().unwrap();
    let expired = "version = 1\n[[rule]]\npattern = \"x\"\nexpires = 2026-12-31\naction = \"ask\"";
    assert_eq!(parse_at(expired, now).unwrap().warnings[0].code, "policy::expired");
    assert_eq!(parse(expired).unwrap().warnings, []);
}

#[test]
fn a_rule_that_never_decides_is_a_warning() {
    let two = |first: &str, second: &str| said(&format!("version = 1\n[[rule]]\n{first}\n[[rule]]\n{second}\n"));
    let shadowed = |why: &str| {
        vec![format!(
            "2:1 shadowed this rule never decides, because the rule in line 5 {why} | \
             the last rule that matches wins: move it below that one, or remove it"
        )]
    };
    let deny = "pattern = \"x\"\naction = \"deny\"";
    assert_eq!(two(deny, "pattern = \"x\"\naction = \"allow\""), shadowed("has the same conditions"));
    assert_eq!(two(deny, "pattern = \"*\"\naction = \"ask\""), shadowed("matches everything"));
    let wider = "2:1 shadowed this rule never decides, because the rule in line 5 allows all of it | \
                 move it below that rule, or add `final = true`";
    assert_eq!(two("pattern = \"get_secret\"\naction = \"deny\"", "pattern = \"get_*\"\naction = \"allow\""), [wider]);
    assert_eq!(
        two("command = \"git push --force *\"\naction = \"deny\"", "command = \"git push *\"\naction = \"allow\"")
            .iter()
            .filter(|said| said.as_str() == wider)
            .count(),
        1
    );
    let final_deny = "pattern = \"x\"\naction = \"deny\"\nfinal = true";
    assert!(two(final_deny, "pattern = \"x\"\naction = \"allow\"")[0].starts_with("6:1 shadowed"));
    assert_eq!(two(deny, "pattern = \"y\"\naction = \"allow\""), [""; 0]);
}

#[test]
fn every_error_is_found_at_once_and_in_order() {
    let text = "version = 1\ntimeout = \"x\"\n[[rule]]\npattern = \"\"\naction = \"no\"\n[[rule]]\nclass = \"x\"\n";
    let errors = parse(text).unwrap_err();
    let places: Vec<(usize, usize, Option<usize>)> = errors.iter().map(|d| (d.line, d.column, d.rule)).collect();
    assert_eq!(places, [(2, 11, None), (4, 11, Some(1)), (5, 10, Some(1)), (6, 1, Some(2)), (7, 9, Some(2))]);
    assert!(errors.iter().all(|error| error.severity == Severity::Error));
}

#[test]
fn what_is_looked_for_in_every_text_is_limited() {
    let patterns = |count: usize| {
        let each: Vec<String> =
            (0..count).map(|number| format!("{{ name = \"x{number}\", regex = 'x{number}' }}")).collect();
        format!("version = 1\n[redaction]\npatterns = [{}]", each.join(", "))
    };
    let keys = |count: usize| format!("version = 1\n[redaction]\nkeys = [{}]", vec!["'a'"; count].join(", "));
    assert_eq!(parse(&patterns(64)).unwrap().policy.redaction.patterns.len(), 64);
    assert_eq!(said(&patterns(65)), ["3:12 too_many `patterns` has more than 64 entries | 64 are the most"]);
    assert_eq!(parse(&keys(1_000)).unwrap().policy.redaction.keys.len(), 1_000);
    assert_eq!(said(&keys(1_001)), ["3:8 too_many `keys` has more than 1000 entries | 1000 are the most"]);
}

#[test]
fn a_place_is_exact() {
    let text = "version = 1\n# größe\n[[rule]]\npattern = \"x\" ; y\n";
    let errors = parse("version = 1\n[[rule]]\n'ä' = 1\npattern = 'x'\naction = 'askk' # ö").unwrap_err();
    assert!(errors.iter().any(|d| d.code == "policy::unknown_action" && (d.line, d.column) == (5, 10)), "{errors:?}");
    assert!(parse(text).is_err());
}

#[test]
fn every_key_is_read() {
    let text = r#"
        version = 1
        preset = "strict"
        unknown_tools = "deny"
        timeout = "90s"
        trusted_servers = ["github"]
        risk = { read_only = "allow" }
        redaction = { keys = ["pin"], patterns = [{ name = "ticket", regex = 'T-\d+' }] }
        [[rule]]
        pattern = "*"
        tool = "shell"
        class = "shell"
        server = "s"
        arguments = { "/a" = "b", "/c/0" = "*" }
        command = "git push *"
        path = ["src/**", "~/x"]
        path_in = "project"
        agents = ["claude-code", "codex"]
        users = "ann"
        projects = "~/work/**"
        risk = ["write", "destructive"]
        tags = "ci"
        expires = 2027-01-31T18:00:00Z
        action = "deny"
        final = true
        reason = "ask first"
        [agent.codex]
        timeout = "10m"
        risk.write = "deny"
        [[agent.codex.rule]]
        pattern = "x"
        action = "allow"
    "#;
    let LoadedPolicy { policy, warnings } = parse(text).unwrap();
    assert_eq!(warnings, []);
    assert_eq!((policy.preset, policy.timeout_seconds), (Preset::Strict, 90));
    let rule = policy.rules.iter().next().unwrap();
    assert_eq!(
        rule.text(),
        "pattern = \"*\", tool = \"shell\", class = \"shell\", server = \"s\", command = \"git push *\", \
         arguments = { \"/a\" = \"b\", \"/c/0\" = \"*\" }, path = [\"src/**\", \"~/x\"], path_in = \"project\", \
         agents = [\"claude-code\", \"codex\"], users = \"ann\", projects = \"~/work/**\", \
         risk = [\"write\", \"destructive\"], tags = \"ci\", expires = \"2027-01-31T18:00:00Z\""
    );
    assert_eq!((rule.shown(None).line, rule.is_final, rule.reason.as_deref()), (Some(9), true, Some("ask first")));
    assert_eq!(policy.agents["codex"].rules.len(), 1);
    assert_eq!(policy.redaction.patterns, [UserPattern::new("ticket", r"T-\d+").unwrap()]);
    assert_eq!(policy.trusted_servers, ["github"]);
}

const VALID: &str = "version = 1\npreset = \"strict\"\ntimeout = \"5m\"\n[risk]\nwrite = \"ask\"\n\
    [[rule]]\ntool = \"shell\"\ncommand = \"git status *\"\naction = \"allow\"\nmatch = [\"git status -s\"]\n\
    [[rule]]\npath = [\"~/.ssh/**\", \"größe\"]\naction = \"deny\"\nfinal = true\nexpires = 2027-01-31\n\
    [agent.codex]\nrule = [{ pattern = \"x:*y*\", action = \"ask\", arguments = { \"/a\" = \"b\" } }]\n";

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn no_text_makes_the_reader_panic_and_every_place_is_in_the_text(
        cuts in proptest::collection::vec((any::<prop::sample::Index>(), 0..6_usize, "[\\[\\]{}=\"'#,.a-z0-9ä\n\\\\ ]{0,4}"), 1..4),
    ) {
        let mut characters: Vec<char> = VALID.chars().collect();
        for (at, remove, insert) in cuts {
            let start = at.index(characters.len() + 1);
            let end = (start + remove).min(characters.len());
            characters.splice(start..end, insert.chars());
        }
        let text: String = characters.into_iter().collect();
        let diagnostics = match parse(&text) {
            Ok(loaded) => loaded.warnings,
            Err(errors) => {
                prop_assert!(!errors.is_empty(), "refused without a word");
                errors
            }
        };
        for diagnostic in diagnostics {
            prop_assert!(text.get(diagnostic.span.clone()).is_some(), "{diagnostic:?}");
            let lines = text.matches('\n').count() + 1;
            prop_assert!((1..=lines).contains(&diagnostic.line) && diagnostic.column >= 1, "{diagnostic:?}");
        }
    }
}
