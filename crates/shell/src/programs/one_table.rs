//! What is known of programs stands in their entries, and nowhere else in this crate and in `policy`.

#![expect(clippy::disallowed_methods, reason = "a test reads the sources")]

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use super::find;

/// Files and folders in which names of programs stand side by side, how many such lists each has, and why. Of a folder
/// any number.
const OTHERS: &[(&str, usize, &str)] = &[
    (
        "policy/src/path/credential/implied.rs",
        2,
        "families of programs, and which file each of a family reads by itself",
    ),
    ("policy/src/path/credential/programs.rs", 1, "keys of options"),
    ("policy/src/project_code/", 0, "what a project makes a program run, and by which of its files"),
    ("policy/src/project_task/", 0, "which task of a project a command runs"),
    ("policy/src/rules/confine.rs", 1, "names of caches, which people write in a policy"),
    ("policy/src/rules/protection/credential.rs", 2, "words that make any program serve a folder; keys of arguments"),
    ("shell/src/assignments.rs", 1, "values of variables"),
    ("shell/src/dialect.rs", 2, "names that agents have for a shell, in the arguments of a tool"),
    ("shell/src/lexer/mod.rs", 2, "reserved words of the shell's grammar"),
    ("shell/src/lower/simple.rs", 4, "builtins, by what they do to the commands behind them"),
    ("shell/src/operand_effects/inner_commands/mod.rs", 3, "how builtins, copies and deno take their words"),
    (
        "shell/src/operand_effects/inner_commands/starts.rs",
        1,
        "sub-commands of any program that start what stands behind them",
    ),
    ("shell/src/operand_effects/inner_commands/sub_commands.rs", 3, "how git, cargo and uv take their words"),
    ("shell/src/operand_effects/options.rs", 1, "schemes of addresses"),
    ("shell/src/recovery.rs", 1, "words in front of a command that options may follow"),
    ("shell/src/risk/command/awk.rs", 1, "reserved words of awk"),
    ("shell/src/risk/command/database_task.rs", 1, "words in front of the name of a task"),
    ("shell/src/risk/command/destructive.rs", 1, "what writes to a device by its operands"),
    ("shell/src/risk/command/hazard.rs", 1, "tar, whose first word may be options without a dash"),
    ("shell/src/risk/command/look_forms.rs", 4, "programs whose words have a syntax of their own"),
    ("shell/src/risk/command/printing.rs", 3, "`env`, whose words have a syntax of their own; signs in scripts"),
    ("shell/src/unknown_program.rs", 2, "builtins, which are no programs that could be unknown"),
    ("shell/src/works_on_files.rs", 1, "sub-commands of any program behind which another command stands"),
    ("shell/src/variables.rs", 3, "builtins that set variables, and where their words name one"),
];

/// Texts of the program `source`, of which some stand side by side, as `["a", "b"]` and `"a" | "b"` do; with their line.
fn side_by_side(source: &str) -> Vec<(usize, Vec<String>)> {
    let chars: Vec<char> = source.chars().collect();
    let mut found: Vec<(usize, Vec<String>)> = Vec::new();
    let (mut at, mut line, mut joins) = (0, 1, false);
    while let Some(sign) = chars.get(at).copied() {
        let next = chars.get(at + 1).copied();
        line += usize::from(sign == '\n');
        at += 1;
        match sign {
            '/' if next == Some('/') => at += chars[at..].iter().take_while(|sign| **sign != '\n').count(),
            // `'"'`, `'\''`; not `'a` of a lifetime.
            '\'' if next == Some('\\') => {
                at += 2 + chars[at + 2..].iter().take_while(|sign| **sign != '\'').count() + 1
            }
            '\'' if chars.get(at + 1) == Some(&'\'') => at += 2,
            '"' => {
                let starts = line;
                let mut text = String::new();
                while let Some(sign) = chars.get(at).copied().filter(|sign| *sign != '"') {
                    line += usize::from(sign == '\n');
                    at += 1;
                    if sign == '\\' {
                        line += usize::from(chars[at] == '\n');
                        text.push(' ');
                        at += 1;
                    } else {
                        text.push(sign);
                    }
                }
                at += 1;
                match found.last_mut().filter(|_| joins) {
                    Some((_, texts)) => texts.push(text),
                    None => found.push((starts, vec![text])),
                }
                joins = true;
            }
            sign => joins &= sign.is_whitespace() || matches!(sign, ',' | '|'),
        }
    }
    found
}

/// Whether `texts` are mostly names of programs, two at least.
fn is_list_of_programs(texts: &[String]) -> bool {
    let words: Vec<&str> = texts.iter().flat_map(|text| text.split_ascii_whitespace()).collect();
    let named = words.iter().copied().filter(|word| find(word).is_some());
    let different: HashSet<&str> = named.clone().collect();
    different.len() > 1 && named.count() * 2 >= words.len()
}

/// The lists of programs in `source`, without its tests.
fn lists(source: &str) -> Vec<(usize, Vec<String>)> {
    let source = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    side_by_side(source).into_iter().filter(|(_, texts)| is_list_of_programs(texts)).collect()
}

/// Every file of Rust below `folder`, with its path from `root`.
fn sources(root: &Path, folder: &Path, into: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
        if path.is_dir() && !name.ends_with("/tests") && name != "shell/src/programs" {
            sources(root, &path, into);
        } else if name.ends_with(".rs") && !name.ends_with("tests.rs") {
            into.push((name, fs::read_to_string(&path).unwrap()));
        }
    }
}

#[test]
fn names_of_programs_stand_side_by_side_in_their_entries_only() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut files = Vec::new();
    for name in ["shell/src", "policy/src"] {
        sources(root, &root.join(name), &mut files);
    }
    assert!(files.len() > 150, "{}", files.len());
    let mut wrong = Vec::new();
    for (name, source) in &files {
        let found = lists(source);
        let other = OTHERS.iter().find(|(other, ..)| name == other || other.ends_with('/') && name.starts_with(other));
        let wanted = match other {
            Some((folder, ..)) if folder.ends_with('/') => found.len(),
            other => other.map_or(0, |(_, count, _)| *count),
        };
        if found.len() != wanted {
            let shown = found.iter().map(|(line, texts)| format!("  {name}:{line}: {}", texts.join(" ")));
            wrong.push(format!(
                "{name}: {wanted} lists, found {}\n{}",
                found.len(),
                shown.collect::<Vec<_>>().join("\n")
            ));
        }
    }
    let unknown = OTHERS.iter().filter(|(other, ..)| !files.iter().any(|(name, _)| name.starts_with(other)));
    wrong.extend(unknown.map(|(other, ..)| format!("{other} is no file")));
    assert!(
        wrong.is_empty(),
        "ask the table instead (`Fact`, `FileUse`, `called_like`), or say here why not:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn a_list_of_programs_is_told_from_other_texts() {
    for source in [
        r#"["xargs", "parallel"].contains(&name)"#,
        r#"matches!(name, "kubectl" | "oc")"#,
        r#"const A: &str = "docker podman nerdctl";"#,
        "let quote = '\"';\nlet (a, b) = (\"git\",\n    // why\n    \"hg\");",
        "split('\\''); [\"bash\", \"zsh\", \"other thing\"]",
    ] {
        assert_eq!(lists(source).len(), 1, "{source}");
    }
    for source in [
        r#"["xargs"].contains(&name) || ["parallel"].contains(&name)"#,
        r#"Some("it runs git, and nobody knows what sed does with it")"#,
        r#"["--force", "--all", "git"]"#,
        "// [\"xargs\", \"parallel\"]",
        "#[cfg(test)]\nmod tests {\n[\"xargs\", \"parallel\"]",
        r#"["git", "git"]"#,
    ] {
        assert_eq!(lists(source), [], "{source}");
    }
}
