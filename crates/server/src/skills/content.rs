//! What stands in the file of a skill, a command or a sub-agent.
//!
//! Source: Claude Code's documentation pages "Skills", "Slash commands", "Subagents" and "Hooks"; agentskills.io.

/// Keys of the front matter that run nothing.
const HARMLESS_KEYS: &[&str] = &[
    "agent",
    "allowed-tools",
    "argument-hint",
    "arguments",
    "author",
    "category",
    "color",
    "compatibility",
    "context",
    "description",
    "disable-model-invocation",
    "disallowed-tools",
    "effort",
    "license",
    "metadata",
    "model",
    "name",
    "permissionmode",
    "tags",
    "title",
    "tools",
    "user-invocable",
    "version",
    "when_to_use",
];

/// The front matter of `text`, and what follows it.
fn parts(text: &str) -> (&str, &str) {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let Some(rest) = text.strip_prefix("---") else { return ("", text) };
    rest.split_once("\n---").unwrap_or((rest, ""))
}

/// The name that it gives itself.
pub(super) fn name(text: &str) -> Option<String> {
    let line = parts(text).0.lines().find_map(|line| line.trim().strip_prefix("name:"))?;
    Some(line.trim().trim_matches(['"', '\'']).to_owned())
}

/// The command lines: those between `` !` `` and the next backtick, in a fenced block that begins with ```` ```! ````, and
/// those of hooks in the front matter. A key there that is not known may run something as well, and its line is told.
pub(super) fn lines(text: &str) -> Vec<String> {
    let (front, body) = parts(text);
    let mut found = of_front_matter(front);
    let mut in_block = false;
    // A placeholder is replaced in all of the file.
    for line in front.lines().chain(body.lines()) {
        let trimmed = line.trim();
        if in_block {
            in_block = !trimmed.starts_with("```");
            found.extend(Some(line.to_owned()).filter(|_| in_block && !trimmed.is_empty()));
            continue;
        }
        if trimmed.starts_with("```!") {
            in_block = true;
            continue;
        }
        let mut rest = line;
        while let Some((_, after)) = rest.split_once("!`") {
            let (command, more) = after.split_once('`').unwrap_or((after, ""));
            found.extend(Some(command.to_owned()).filter(|command| !command.trim().is_empty()));
            rest = more;
        }
    }
    found
}

/// What hooks run; without one of them, the lines that begin with a key that is not known.
fn of_front_matter(front: &str) -> Vec<String> {
    let lines = || front.lines().filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
    let indent = |line: &str| line.len() - line.trim_start().len();
    // The keys of the top may all stand in by some blanks.
    let least = lines().map(indent).min().unwrap_or_default();
    let is_harmless = |line: &&str| {
        let key = line.trim().split_once(':').map_or(line.trim(), |(key, _)| key.trim());
        HARMLESS_KEYS.iter().any(|harmless| key.eq_ignore_ascii_case(harmless))
    };
    let at_top = || lines().filter(|line| indent(line) == least);
    // `- Read` at the top goes on with the list of the key above it.
    let unknown: Vec<&str> =
        at_top().filter(|line| !is_harmless(line) && !line.trim_start().starts_with("- ")).collect();
    if unknown.is_empty() {
        return Vec::new();
    }
    let command = |line: &str| {
        let line = line.trim().trim_start_matches("- ");
        let (key, value) = line.split_once(':')?;
        (key.trim().trim_matches(['"', '\'']) == "command").then(|| value.trim().to_owned())
    };
    let commands: Vec<String> = lines().filter_map(command).collect();
    if commands.is_empty() { unknown.into_iter().map(|line| line.trim().to_owned()).collect() } else { commands }
}

#[cfg(test)]
mod tests {
    use super::{lines, name};

    #[test]
    fn every_command_line_of_a_skill_is_found() {
        let text = "---\nname: deploy\nhooks:\n  PreToolUse:\n    - hooks:\n        - command: ./check.sh\n---\n\
            Status: !`git status` and !`curl x | sh`\n```!\nrm -rf build\n\nmake\n```\nPlain `ls` and !\n!`unfinished\n";
        let expected = ["./check.sh", "git status", "curl x | sh", "rm -rf build", "make", "unfinished"];
        assert_eq!(lines(text), expected);
        assert!(lines("# Title\n`ls`\n```sh\nmake\n```\nWow!\n").is_empty());
    }

    #[test]
    fn a_hook_is_found_however_it_is_written() {
        for front in [
            "hooks: {PreToolUse: [{hooks: [{type: command, command: ./evil.sh}]}]}",
            "{name: a, hooks: {PreToolUse: [{hooks: [{command: ./evil.sh}]}]}}",
            "hooks:\n  PreToolUse:\n  - hooks:\n    - \"command\": ./evil.sh",
            "\"hooks\":\n  PreToolUse: []",
            "\"\\x68ooks\": {}",
            "? hooks\n: {}",
            "<<: *others",
            "  name: a\n  hooks:\n    Stop: []",
            "name: a\n\thooks: x\nhooks: y",
        ] {
            for text in [format!("---\n{front}\n---\nText\n"), format!("\u{feff}---\r\n{front}\r\n---\r\n")] {
                assert!(!lines(&text).is_empty(), "{text}");
            }
        }
    }

    #[test]
    fn an_ordinary_skill_runs_nothing() {
        let text = "---\nname: review\ndescription: >\n  Looks at hooks and\n  says: what is wrong\nallowed-tools:\n- Read\n- Grep\n\
            metadata:\n  short-description: a\n---\n# Review\nhooks: are described here\ncommand: none\n";
        assert!(lines(text).is_empty(), "{:?}", lines(text));
        assert_eq!(name(text).as_deref(), Some("review"));
        assert_eq!(name("name: a"), None);
    }
}
