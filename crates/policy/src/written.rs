//! The paths that a call may write, as its texts name them.

use handraise_shell::path::may_find;
use handraise_shell::{Access, Part};

use crate::path::{MAX_PATHS, WordPath, read_paths};
use crate::{Request, ToolClass};

/// A path that a call may write. It is written as a [`PathCandidate`](crate::PathCandidate) is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WrittenPath {
    /// The path.
    Named(String),
    /// Whatever the shell finds in a folder.
    Found {
        /// The folder.
        folder: String,
        /// A name with `*`, `?` or `[` in it.
        component: String,
    },
}

impl WrittenPath {
    /// Whether the shell may find the name `name` in the folder.
    #[must_use]
    pub fn finds(&self, name: &str) -> bool {
        matches!(self, Self::Found { component, .. } if may_find(component, name))
    }
}

/// The paths that `request` may write, each once and at most [`MAX_PATHS`]: the files of a tool for files, and of a
/// command the operands of whatever is not known to read only, and the targets of its redirections. More rather than
/// less: words that are no path at all are among them. What a command writes without naming it is not.
#[must_use]
pub fn written_paths(request: &Request) -> Vec<WrittenPath> {
    let mut found = Vec::new();
    let named: Vec<WrittenPath> = match request.class {
        ToolClass::FileRead => Vec::new(),
        ToolClass::Shell => {
            let parts = request.command.iter().flat_map(|command| &command.parts);
            parts.flat_map(of_part).collect()
        }
        _ => request.named_paths().into_iter().map(WrittenPath::Named).collect(),
    };
    for path in named {
        if found.len() < MAX_PATHS && !found.contains(&path) {
            found.push(path);
        }
    }
    found
}

fn of_part(part: &Part) -> Vec<WrittenPath> {
    let program = part.words.first();
    let written = part.paths().into_iter().filter(|used| used.access == Access::Write);
    let written = written.filter(|used| part.writes.contains(&used.word) || Some(&used.word) != program);
    let paths = written.flat_map(|used| match used.path {
        Some(path) => vec![WrittenPath::Named(path)],
        // The shell makes something of it: names that it finds, words in braces.
        None => read_paths(part, &used.word).into_iter().filter_map(of_word).collect(),
    });
    paths.collect()
}

fn of_word(path: WordPath) -> Option<WrittenPath> {
    match path {
        WordPath::Named(path) => Some(WrittenPath::Named(path)),
        WordPath::Below { folder, component, .. } => Some(WrittenPath::Found { folder, component }),
        WordPath::Unknown => None,
    }
}

#[cfg(test)]
mod tests {
    use handraise_shell::{CommandLine, Shell};

    use super::*;
    use crate::Subject;
    use crate::test_support::request;

    fn of(line: &str) -> Vec<WrittenPath> {
        let command = CommandLine::analyse(line, Shell::Bash);
        let subject = Subject::Command { line: line.to_owned() };
        written_paths(&Request { class: ToolClass::Shell, subject, command: Some(command), ..request("Bash", "{}") })
    }

    fn named(path: &str) -> WrittenPath {
        WrittenPath::Named(path.to_owned())
    }

    #[test]
    fn what_a_command_may_write_is_found() {
        for (line, paths) in [
            ("rm -r old", &["old"][..]),
            ("cd src && mv a b", &["src/a", "src/b"]),
            ("sed -i s/a/b/ x.txt", &["x.txt"]),
            ("echo x > out.txt", &["out.txt"]),
            ("git checkout -- a.rs", &["a.rs"]),
            ("rm {a,b}.rs", &["a.rs", "b.rs"]),
            ("sort -o out in", &["out", "in"]),
            ("timeout 5 rm a", &["a"]),
        ] {
            let found = of(line);
            assert!(paths.iter().all(|path| found.contains(&named(path))), "{line}: {found:?}");
        }
    }

    #[test]
    fn what_only_reads_writes_nothing_and_no_program_is_a_file() {
        assert_eq!(of("cat a b"), []);
        assert_eq!(of("grep -r x src | head"), []);
        assert!(!of("./run.sh a").contains(&named("./run.sh")));
    }

    #[test]
    fn a_glob_says_what_it_finds() {
        let found = of("rm src/*.rs");
        let [glob] = &found[..] else { panic!("{found:?}") };
        assert!(matches!(glob, WrittenPath::Found { folder, .. } if folder == "src"), "{glob:?}");
        assert!(glob.finds("a.rs") && !glob.finds("a.py") && !glob.finds(".rs"));
    }

    #[test]
    fn a_tool_for_files_names_them_and_one_that_reads_writes_none() {
        let write = Request { subject: Subject::Write { path: "a".into(), content: "x".into() }, ..request("w", "{}") };
        let write = Request { class: ToolClass::FileWrite, files: vec!["b".into()], ..write };
        assert_eq!(written_paths(&write), [named("a"), named("b")]);
        assert_eq!(written_paths(&Request { class: ToolClass::FileRead, ..write }), []);
    }
}
