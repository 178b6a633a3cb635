//! Programs whose sub-command says what they do, whatever operands follow: only for these can a
//! person remember "this command with any operands".
//!
//! Which these are stands in the entry of each. Left out on purpose: wrappers and interpreters (the operands are the command), programs that
//! write or remove what an operand names, and everything that publishes or talks to a server.

use handraise_shell::{Fact, Part, has_fact, open_behind};

/// The words of `part` that stay when its operands are left open, as `["git", "commit"]`; `None`
/// when operands could change what the command does.
pub(super) fn fixed_words(part: &Part) -> Option<Vec<&str>> {
    let words: Vec<&str> = part.exact_words().collect();
    let (program, operands) = words.split_first()?;
    // `./gradlew`, but not `/usr/bin/git`, which may be another one.
    let name = program.strip_prefix("./").filter(|name| has_fact(name, Fact::InProject)).unwrap_or(program);
    if name == *program && has_fact(name, Fact::InProject) {
        return None;
    }
    let longest = open_behind(name).iter().filter_map(|sub_command| begins_with(operands, sub_command)).max()?;
    words.get(..=longest).map(<[&str]>::to_vec)
}

/// The number of words of `sub_command`, when `operands` begin with it.
fn begins_with(operands: &[&str], sub_command: &str) -> Option<usize> {
    let expected: Vec<&str> = sub_command.split_ascii_whitespace().collect();
    let given = operands.get(..expected.len())?;
    let same = expected.iter().zip(given).all(|(expected, given)| match *expected {
        "+" => is_plain_name(given),
        expected => expected == *given,
    });
    same.then_some(expected.len())
}

/// A name of a script or target, and neither an option nor an assignment.
fn is_plain_name(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_alphanumeric())
        && word.chars().all(|character| character.is_ascii_alphanumeric() || "-_:./".contains(character))
}

#[cfg(test)]
mod tests {
    use super::*;
    use handraise_shell::{Word, WordKind};

    fn fixed(line: &str) -> Option<String> {
        let word = |text: &str| Word { text: text.to_owned(), kind: WordKind::Exact };
        let part = Part { words: line.split(' ').map(word).collect(), ..Part::default() };
        fixed_words(&part).map(|words| words.join(" "))
    }

    #[test]
    fn the_sub_command_stays_and_operands_are_left_open() {
        for (line, expected) in [
            ("git commit -m x", "git commit"),
            ("cargo nextest run -p core", "cargo nextest run"),
            ("npm run lint -- --fix", "npm run lint"),
            ("pytest -q tests", "pytest"),
            ("make test", "make test"),
            ("./gradlew build --info", "./gradlew build"),
            ("mise run test:ci", "mise run test:ci"),
            ("docker compose ps", "docker compose ps"),
        ] {
            assert_eq!(fixed(line).as_deref(), Some(expected), "{line}");
        }
    }

    #[test]
    fn what_an_operand_can_turn_into_anything_is_not_offered() {
        for line in [
            "gradlew build",
            "./git status",
            "/repo/gradlew build",
            "sudo npm test",
            "env npm test",
            "timeout 5 npm test",
            "xargs rm",
            "python x.py",
            "bash -c ls",
            "git push",
            "git -c core.pager=x log",
            "rm -r build",
            "cp a b",
            "curl https://example.com",
            "npm run --prefix",
            "make X=1",
            "node",
            "npm install",
            "/usr/bin/git status",
            "docker compose down",
            "cargo run",
        ] {
            assert_eq!(fixed(line), None, "{line}");
        }
    }
}
