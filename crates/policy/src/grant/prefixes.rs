//! Programs whose sub-command says what they do, whatever operands follow: only for these can a
//! person remember "this command with any operands".
//!
//! Left out on purpose: wrappers and interpreters (the operands are the command), programs that
//! write or remove what an operand names, and everything that publishes or talks to a server.

use handraise_shell::Part;

/// A program with its sub-commands. `+` stands for one further word that has to stay the same, as
/// the name of a script in `npm run lint`.
struct Program {
    name: &'static str,
    sub_commands: &'static [&'static str],
}

const fn program(name: &'static str, sub_commands: &'static [&'static str]) -> Program {
    Program { name, sub_commands }
}

/// Programs that do one thing only.
const SINGLE: &[&str] = &[
    "black",
    "clang-format",
    "cloc",
    "ctest",
    "eslint",
    "flake8",
    "gofmt",
    "golangci-lint",
    "isort",
    "jest",
    "mypy",
    "ninja",
    "nox",
    "phpstan",
    "phpunit",
    "playwright",
    "prettier",
    "pylint",
    "pyright",
    "pytest",
    "rspec",
    "rubocop",
    "rustfmt",
    "shellcheck",
    "shfmt",
    "stylelint",
    "svelte-check",
    "tokei",
    "tox",
    "tsc",
    "vitest",
    "yamllint",
];

const PROGRAMS: &[Program] = &[
    program("biome", &["check", "ci", "format", "lint"]),
    program("bun", &["test", "run +"]),
    program("bundle", &["exec rspec", "exec rubocop"]),
    program("cargo", &["bench", "build", "check", "clippy", "doc", "fmt", "metadata", "nextest run", "test", "tree"]),
    program("composer", &["run-script +", "validate"]),
    program("deno", &["check", "fmt", "lint", "task +", "test"]),
    program("docker", &["images", "inspect", "logs", "ps", "compose config", "compose logs", "compose ps"]),
    program("dotnet", &["build", "format", "test"]),
    program("flutter", &["analyze", "test"]),
    program("gh", &["issue list", "issue view", "pr checks", "pr diff", "pr list", "pr view", "run list", "run view"]),
    program(
        "git",
        &[
            "add",
            "blame",
            "commit",
            "describe",
            "diff",
            "log",
            "ls-files",
            "merge-base",
            "rev-parse",
            "shortlog",
            "show",
            "status",
            "switch",
        ],
    ),
    program("go", &["build", "fmt", "list", "test", "vet"]),
    program("gradle", &["assemble", "build", "check", "test"]),
    program("./gradlew", &["assemble", "build", "check", "test"]),
    program("just", &["+"]),
    program("kubectl", &["describe", "get", "logs", "top"]),
    program("make", &["+"]),
    program("mise", &["run +"]),
    program("mix", &["compile", "format", "test"]),
    program("mvn", &["compile", "package", "test", "verify"]),
    program("./mvnw", &["compile", "package", "test", "verify"]),
    program("npm", &["ls", "run +", "test"]),
    program("pnpm", &["ls", "run +", "test"]),
    program("poetry", &["run mypy", "run pytest", "run ruff"]),
    program("python", &["-m mypy", "-m pytest", "-m unittest"]),
    program("python3", &["-m mypy", "-m pytest", "-m unittest"]),
    program("rake", &["+"]),
    program("ruff", &["check", "format"]),
    program("swift", &["build", "test"]),
    program("task", &["+"]),
    program("terraform", &["fmt", "plan", "validate"]),
    program("uv", &["run mypy", "run pytest", "run ruff"]),
    program("yarn", &["run +", "test"]),
    program("zig", &["build", "fmt", "test"]),
];

/// The words of `part` that stay when its operands are left open, as `["git", "commit"]`; `None`
/// when operands could change what the command does.
pub(super) fn fixed_words(part: &Part) -> Option<Vec<&str>> {
    let words: Vec<&str> = part.exact_words().collect();
    let (program, operands) = words.split_first()?;
    if SINGLE.contains(program) {
        return Some(vec![program]);
    }
    let known = PROGRAMS.iter().find(|known| known.name == *program)?;
    let longest = known.sub_commands.iter().filter_map(|sub_command| begins_with(operands, sub_command)).max()?;
    words.get(..=longest).map(<[&str]>::to_vec)
}

/// The number of words of `sub_command`, when `operands` begin with it.
fn begins_with(operands: &[&str], sub_command: &str) -> Option<usize> {
    let expected: Vec<&str> = sub_command.split(' ').collect();
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
            ("mise run test:ci", "mise run test:ci"),
            ("docker compose ps", "docker compose ps"),
        ] {
            assert_eq!(fixed(line).as_deref(), Some(expected), "{line}");
        }
    }

    #[test]
    fn what_an_operand_can_turn_into_anything_is_not_offered() {
        for line in [
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
