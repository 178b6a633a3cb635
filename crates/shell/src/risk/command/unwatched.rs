//! Agents that are started so that they ask nobody.

use super::invocation::Invocation;
use crate::command_line::Part;
use crate::programs;
use crate::programs::fact::Fact;

/// Options that no program has but agents, by which they ask nobody: Claude Code, "CLI reference"; Codex, "Command line
/// options"; Gemini CLI, Copilot CLI, Amp, Kiro CLI, Droid and Aider, `--help`.
const SURE: &str = "--dangerously-skip-permissions --allow-dangerously-skip-permissions \
    --dangerously-bypass-approvals-and-sandbox --dangerously-allow-all --allow-all-tools --trust-all-tools \
    --skip-permissions-unsafe --yolo";
/// The same of agents, where other programs mean something else by them.
const OF_AGENTS: &str = "--full-auto --allow-all --allow-all-paths --yes-always --force -f -y --auto-approve \
    bypassPermissions danger-full-access yolo never auto_edit";

/// The program that `part` starts an agent by which asks nobody.
pub(super) fn unwatched(part: &Part) -> Option<String> {
    let invocation = Invocation::of(part)?;
    let is_agent = programs::of(invocation.program).is(Fact::Agent);
    let is_listed = |list: &str, word: &str| list.split_ascii_whitespace().any(|listed| listed == word);
    let says = |word: &&str| {
        let (name, value) = word.split_once('=').unwrap_or((word, ""));
        is_listed(SURE, name) || is_agent && (is_listed(OF_AGENTS, name) || is_listed(OF_AGENTS, value))
    };
    let known = programs::of(invocation.program);
    let shows = known.is(Fact::PrintsWords) || known.is(Fact::SearchesFiles);
    (!shows && invocation.words.iter().any(says)).then(|| invocation.program.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command_line::{CommandLine, Shell};

    #[test]
    fn an_agent_that_asks_nobody_is_told_from_one_that_does() {
        let found =
            |line: &str| CommandLine::analyse(line, Shell::Bash).parts.iter().any(|part| unwatched(part).is_some());
        for line in [
            "claude --dangerously-skip-permissions -p x",
            "claude -p x --permission-mode bypassPermissions",
            "claude --permission-mode=bypassPermissions",
            "codex --yolo",
            "codex exec -s danger-full-access x",
            "codex -a never",
            "gemini -y -p x",
            "gemini --approval-mode yolo",
            "copilot --allow-all-tools -p x",
            "cursor-agent -f -p x",
            "copilot --allow-all-paths -p x",
            "cline --auto-approve x",
            "kiro-cli-chat chat --force x",
            "aider --yes-always -m x",
            "npx @anthropic-ai/claude-code --dangerously-skip-permissions",
            "bash -c 'claude --dangerously-skip-permissions'",
        ] {
            assert!(found(line), "{line}");
        }
        for line in [
            "claude -p x",
            "claude --permission-mode plan",
            "codex exec -s read-only x",
            "goose postgres up",
            "rm -f x",
            "apt-get -y install x",
            "echo --dangerously-skip-permissions",
            "grep -rn -- --yolo src",
            "git commit -m 'drop --dangerously-skip-permissions'",
        ] {
            assert!(!found(line), "{line}");
        }
    }
}
