//! Calls that publish, or change something on another machine, by what their words say.

use crate::command_line::{Part, Word, WordKind};
use crate::operand_effects::inner_commands;
use crate::programs::class::Class;
use crate::programs::fact::Fact;
use crate::programs::name::base_name;
use crate::programs::{self, Program};
use crate::risk;
use crate::unknown_program::{is_file, word_parts};

/// Words by which a task, a script or a sub-command says so.
const PUBLISHING: &[&str] = &["deploy", "provision", "publish", "push", "release", "upload"];
/// Programs that do so without such a word: npm-docs of each.
const PUBLISHERS: &[&str] = &["gh-pages", "np"];
/// Sub-commands in front of the name of a task or a program.
const VERBS: &[&str] = &["dlx", "exec", "r", "run", "run-script", "x"];

/// Whether `part` runs what its words name, a task or another program, and these say that this publishes, or changes
/// something on another machine: `npx wrangler deploy`, `make push`, `npm run docs:publish`. What a task is called is nobody's
/// promise: one that is called otherwise may publish as well.
#[must_use]
pub fn says_that_it_publishes(part: &Part) -> bool {
    let Some((program, words)) = part.words.split_first() else { return false };
    if !runs_what_is_named(programs::of(base_name(&program.text))) {
        return false;
    }
    let inner = || inner_commands::behind(&part.words).filter(|(_, as_text)| !as_text).map(|(inner, _)| inner);
    let sends = |inner: &[Word]| risk::publishes(&Part { words: inner.to_vec(), ..Part::default() });
    risk::publishes(part) || names(words).any(publishes) || inner().is_some_and(sends)
}

/// Whether its operands name tasks, scripts or programs that it runs.
fn runs_what_is_named(program: &Program) -> bool {
    matches!(program.class, Class::Tasks(_) | Class::Script(_))
        || program.is(Fact::RunsFetched)
        || !program.project_commands.is_empty()
        || !program.fetched.is_empty()
}

/// The name of what runs, and the word behind it, which may be its sub-command. The word behind an option may be its value,
/// unless the option has it already (`-j4`).
fn names(words: &[Word]) -> impl Iterator<Item = &Word> {
    let mut may_be_value = false;
    let operands = words.iter().filter(move |word| {
        let is_option = word.text.starts_with('-');
        let is_operand = !is_option && !may_be_value;
        let has_value = word.text.contains('=') || !word.text.starts_with("--") && word.text.len() > 2;
        may_be_value = is_option && !has_value && !["-y", "--yes", "-s", "--silent"].contains(&&*word.text);
        is_operand
    });
    operands.skip_while(|word| VERBS.contains(&&*word.text)).take(2)
}

fn publishes(word: &Word) -> bool {
    let is_name = word.kind == WordKind::Exact && !is_file(word) && !word.text.contains('=');
    is_name
        && (PUBLISHERS.contains(&&*word.text)
            || word_parts(&word.text).split(' ').any(|part| PUBLISHING.contains(&part)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CommandLine, Shell};

    fn publishes(line: &str) -> bool {
        let line = CommandLine::analyse(line, Shell::Bash);
        assert_eq!((line.parts.len(), &line.obstacle), (1, &None), "{}", line.text);
        says_that_it_publishes(&line.parts[0])
    }

    #[test]
    fn a_task_that_is_called_so_publishes() {
        for line in [
            "npx wrangler deploy",
            "npx --yes wrangler@4 deploy",
            "npx vercel --prod",
            "npx semantic-release",
            "npx np",
            "npx changeset publish",
            "pnpm exec gh-pages -d dist",
            "bunx cdk deploy",
            "make push",
            "make -C web deploy",
            "make -j4 push",
            "npm run deploy",
            "npm run docs:publish",
            "pnpm run publish",
            "yarn deploy",
            "./gradlew publishToMavenCentral",
            "mvn release:perform",
            "bundle exec rake release",
            "uv run fab deploy",
            "python setup.py upload",
            "node scripts/cli.js publish",
            "just deploy",
            "task deploy:prod",
            "python -m twine upload dist/x",
            "bun publish",
        ] {
            assert!(publishes(line), "{line}");
        }
    }

    #[test]
    fn what_only_has_such_a_word_somewhere_does_not() {
        for line in [
            "npx vitest run deploy",
            "uv run pytest -k release",
            "npx tsc --project release",
            "bunx biome check scripts/release.ts",
            "python scripts/push.py",
            "npm run build",
            "make test",
            "make PROFILE=release",
            "cargo build --release",
            "git push",
            "git checkout release",
            "git log release",
            "cat deploy",
            "gh release list",
            "ls push",
        ] {
            assert!(!publishes(line), "{line}");
        }
    }
}
