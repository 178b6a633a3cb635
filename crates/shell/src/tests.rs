//! What a command line would run.

use super::{CommandLine, Obstacle, Part, Shell, WordKind};

fn analyse(text: &str) -> CommandLine {
    CommandLine::analyse(text, Shell::Bash)
}

fn words(part: &Part) -> String {
    part.words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// The commands of a line that is understood.
fn commands(text: &str) -> Vec<String> {
    let line = analyse(text);
    assert_eq!(line.obstacle, None, "{text}");
    line.parts.iter().map(words).collect()
}

fn obstacle(text: &str) -> Option<Obstacle> {
    analyse(text).obstacle
}

#[test]
fn every_simple_command_is_found_through_lists_pipelines_groups_and_loops() {
    for text in [
        "a 1; b 2",
        "a 1 && b 2",
        "a 1 || b 2",
        "a 1 | b 2",
        "a 1 |& b 2",
        "a 1\nb 2 # c",
        "(a 1; b 2)",
        "{ a 1; b 2; }",
        "! a 1 && b 2",
    ] {
        assert_eq!(commands(text), ["a 1", "b 2"], "{text}");
    }
    assert_eq!(commands("for x in 1 2; do a \"$x\"; b; done"), ["a 1", "b", "a 2", "b"]);
    assert_eq!(commands("bash -c 'a; timeout 5 b'"), ["a", "b"]);
    assert_eq!(commands("find . -exec a {} \\;"), ["find . -exec a {} ;", "a {}"]);
}

#[test]
fn a_quoted_separator_is_no_separator() {
    assert_eq!(commands("echo \"a;b\" 'c && d' e\\|f"), ["echo a;b c && d e|f"]);
}

#[test]
fn what_is_not_understood_is_said() {
    for (text, expected) in [
        ("a &", Obstacle::Background),
        ("a `b`", Obstacle::CommandSubstitution),
        ("a > \"$(b)\"", Obstacle::CommandSubstitution),
        ("a <<< $(b)", Obstacle::CommandSubstitution),
        ("a $(b # c\n)", Obstacle::CommandSubstitution),
        ("a $(b <<'E'\nE\n)", Obstacle::CommandSubstitution),
        ("a $(b", Obstacle::Unfinished),
        ("a `b`", Obstacle::CommandSubstitution),
        ("a <(b)", Obstacle::ProcessSubstitution),
        ("a $x", Obstacle::Variable),
        ("a \"$@\"", Obstacle::Variable),
        ("a $'x'", Obstacle::DollarQuote),
        ("((a))", Obstacle::Arithmetic),
        ("a $((1))", Obstacle::Arithmetic),
        ("a() { b; }", Obstacle::Function),
        ("if a; then b; fi", Obstacle::Compound("if")),
        ("[[ a ]]", Obstacle::Compound("[[")),
        ("coproc a", Obstacle::Compound("coproc")),
        ("cat <<E\na\nE", Obstacle::HereDocument),
        ("a 'b", Obstacle::Unfinished),
        ("echo !!", Obstacle::History),
        ("a=(b) c", Obstacle::Parenthesis),
        ("for IFS in a; do b; done", Obstacle::LoopVariable("IFS".to_owned())),
        ("\"$x\" a", Obstacle::ProgramVaries),
        ("/bin/l? a", Obstacle::ProgramVaries),
        ("env -S a", Obstacle::Wrapper("env".to_owned())),
        ("ls {fd}>x", Obstacle::Redirection),
        ("Get-Content a", Obstacle::OtherShell),
    ] {
        assert_eq!(obstacle(text), Some(expected), "{text}");
    }
    assert_eq!(analyse("ls").obstacle, None);
    assert_eq!(CommandLine::analyse("ls", Shell::Other).obstacle, Some(Obstacle::OtherShell));
}

#[test]
fn more_than_can_be_looked_at_is_not_understood() {
    assert!(matches!(obstacle(&"a".repeat(9000)), Some(Obstacle::TooLong(_))));
    assert!(matches!(obstacle(&"a;".repeat(70)), Some(Obstacle::TooManyCommands(_))));
    assert!(matches!(obstacle(&"a ".repeat(2000)), Some(Obstacle::TooManyWords(_))));
    assert!(matches!(obstacle(&"{ ".repeat(20)), Some(Obstacle::TooDeep)));
    assert!(matches!(obstacle("nice nice nice nice nice a"), Some(Obstacle::TooDeep)));
}

/// Found by running the same lines in bash.
#[test]
fn what_bash_reads_in_another_way_than_the_grammar_is_not_understood() {
    for text in [
        "x[ 1 ]=2 a",
        "x[;",
        "a <  2>&1 b",
        "echo $\\\n(b)",
        "a <\\\n(b)",
        "echo \\$'a\\\nb'",
        "a 2\\\n>b",
        "a >&-\"\"",
        "a 2>&-\\\nb",
    ] {
        assert!(obstacle(text).is_some(), "{text}");
    }
}

#[test]
fn redirections_are_reads_and_writes() {
    for text in ["a > f", "a >> f", "a >| f", "a &> f", "a >& f", "a 2> f", "> f a", "{ a; } > f", "(a) >> f"] {
        let line = analyse(text);
        let writes: Vec<&str> =
            line.parts.iter().flat_map(|part| &part.writes).map(|word| word.text.as_str()).collect();
        assert_eq!((writes.as_slice(), line.obstacle), (["f"].as_slice(), None), "{text}");
    }
    for text in ["a 2>&1", "a >/dev/null 2>&1", "a <<< b", "a <<'E'\nb\nE", "a 2>&-"] {
        let line = analyse(text);
        assert!(line.parts.iter().all(|part| part.writes.is_empty() && part.reads.is_empty()), "{text}");
        assert_eq!(line.obstacle, None, "{text}");
    }
}

#[test]
fn a_folder_is_followed_as_far_as_it_is_certain() {
    let last = |text: &str| analyse(text).parts.pop().unwrap_or_default();
    assert_eq!(last("cd a && cd b && x").folders, ["a", "b"]);
    assert!(!last("cd a && x").folder_unknown);
    for text in [
        "cd a; x",
        "cd a || x",
        "cd - && x",
        "cd \"$y\" && x",
        "pushd a && x",
        "! cd a && x",
        "{ cd a; } && x",
        "eval a; x",
    ] {
        assert!(last(text).folder_unknown, "{text}");
    }
    for text in ["b | cd a; x", "b | { cd a; }; x", "b | c | command cd a && x", "{ b | cd a; }; x"] {
        let last = |shell| CommandLine::analyse(text, shell).parts.pop().unwrap_or_default();
        for shell in [Shell::Zsh, Shell::Unknown] {
            assert!(last(shell).folder_unknown, "{text}");
        }
        assert!(!last(Shell::Bash).folder_unknown, "{text}");
    }
    for text in ["(cd a); x", "cd a | x", "bash -c 'cd a'; x"] {
        let part = last(text);
        assert!(part.folders.is_empty() && !part.folder_unknown, "{text}");
    }
}

#[test]
fn wrappers_and_assignments_are_kept() {
    let line = analyse("X=1 CI=1 sudo -u me timeout 5 rm x");
    let part = line.parts.first().cloned().unwrap_or_default();
    assert_eq!(part.wrappers, ["sudo", "timeout"]);
    assert_eq!(part.assignments, ["X=1"]);
    assert_eq!(words(&part), "rm x");
    assert_eq!(part.layers.len(), 2);
}

#[test]
fn a_part_has_its_own_piece_of_the_text() {
    let line = analyse("git status && rg 'a b' src | head -5");
    let texts: Vec<&str> = line.parts.iter().map(|part| part.text.as_str()).collect();
    assert_eq!(texts, ["git status", "rg 'a b' src", "head -5"]);
}

#[test]
fn what_a_substitution_runs_is_found() {
    for (text, wanted) in [
        ("a $(b c)", vec!["b c", "a $(…)"]),
        ("a \"x $(b | c) y\"", vec!["b", "c", "a x $(…) y"]),
        ("a $(b $(c d))", vec!["c d", "b $(…)", "a $(…)"]),
        ("x=$(b) && a", vec!["b", "a"]),
        ("for f in $(b); do a \"$f\"; done", vec!["b", "a $f"]),
        ("a '$(b)' \"\\$(c)\"", vec!["a $(b) $(c)"]),
        ("a \"$(b \")\")\" c", vec!["b )", "a $(…) c"]),
    ] {
        let line = analyse(text);
        let found: Vec<String> = line.parts.iter().map(words).collect();
        assert_eq!((found, line.obstacle), (wanted.iter().map(|text| (*text).to_owned()).collect(), None), "{text}");
    }
}

#[test]
fn a_quoted_document_in_a_substitution_is_its_text() {
    let text = "git commit -m \"$(cat <<'EOF'\nfix(x): don't `rm` $HOME \"now\"\n\n1) $(rm -rf x)\\\nEOF\n)\" && ls";
    let line = analyse(text);
    assert_eq!(line.obstacle, None);
    let found: Vec<String> = line.parts.iter().map(words).collect();
    assert_eq!(found, ["git commit -m fix(x): don't `rm` $HOME \"now\"\n\n1) $(rm -rf x)\\", "ls"]);
    assert!(line.parts.iter().flat_map(|part| &part.words).all(|word| word.kind == WordKind::Exact));
    for other in [
        "a \"$(cat <<EOF\n$(b)\nEOF\n)\"",
        "a \"$(cat - <<'EOF'\nb\nEOF\n)\"",
        "a \"$(cat <<'EOF'; b\nc\nEOF\n)\"",
        "a \"$(cat <<'EOF'\nb\nEOF\nc)\"",
        "a $(cat <<'EOF'\nb\nEOF\n)",
        "a \"$(cat <<'EOF'\nb\n EOF\n)\"",
        "a \"$(cat<<'E'F\nb\nEF\n)\"",
    ] {
        assert!(analyse(other).obstacle.is_some(), "{other}");
    }
}

#[test]
fn the_folder_of_git_is_followed_like_a_cd() {
    let settled = |text: &str| analyse(text).parts.pop().and_then(|part| part.settled());
    for (text, command, folders) in [
        ("git -C sub status -s", "git status -s", vec!["sub"]),
        ("cd a && git --no-pager -C b -C c log", "git --no-pager log", vec!["a", "b", "c"]),
        ("git -C '~' log -C x", "git log -C x", vec!["./~"]),
        ("git -C ~/x log", "git log", vec!["~/x"]),
    ] {
        let found = settled(text).unwrap();
        assert_eq!(
            (words(&found).as_str(), found.folders),
            (command, folders.iter().map(|f| (*f).to_owned()).collect()),
            "{text}"
        );
    }
    for text in
        ["git log -C sub", "git -C \"$x\" log", "git -c a=b -C sub log", "hg -C sub log", "git -C '' log", "git -C"]
    {
        assert!(settled(text).is_none(), "{text}");
    }
}

#[test]
fn a_variable_is_what_the_line_has_given_it() {
    for (text, wanted) in [
        ("file=a/b; x \"$file\" $file ${file}c", "x a/b a/b a/bc"),
        ("file='a b' && x \"$file/c\"", "x a b/c"),
        ("n=1; m=$n.2; x $m", "x 1.2"),
        ("cmd=rm; $cmd y", "rm y"),
        ("OUT=/tmp/o; x > $OUT", "x"),
        ("a b; n=1; { m=2; }; x $n$m", "x 12"),
        ("set -e; n=1; x $n", "x 1"),
    ] {
        assert_eq!(commands(text).pop().as_deref(), Some(wanted), "{text}");
    }
    let written = analyse("OUT=/tmp/o; x > $OUT").parts.pop().unwrap_or_default();
    assert_eq!(written.writes.first().map(|word| word.text.as_str()), Some("/tmp/o"));
}

#[test]
fn a_loop_over_written_words_runs_its_body_for_each() {
    assert_eq!(commands("for f in a b/c; do x $f; y \"$f.d\"; done"), ["x a", "y a.d", "x b/c", "y b/c.d"]);
    assert_eq!(commands("for f in a b; do x \"$f\"; cd d; done"), ["x $f", "cd d"]);
    assert_eq!(commands("for f in *; do x \"$f\"; done"), ["x $f"]);
    assert_eq!(commands("for f in a b; do n=$f; x \"$n\"; done"), ["x $n", "x $n"]);
}

#[test]
fn a_variable_that_something_else_may_have_set_is_not_known() {
    for text in [
        "x $file",
        "a || file=b; x $file",
        "a || file=b && x $file",
        "IFS=,; for file in b; do x $file; done",
        "a && file=b || x $file",
        "(file=b); x $file",
        "file=b | a; x $file",
        "file=b; read file; x $file",
        "file=b; printf -v file %s c; x $file",
        "file=b; unset file; x $file",
        "file=b; declare -i file; file=c; x $file; declare y; x $file",
        "file=b; eval 'file=c'; x $file",
        "file=b; . ./c; x $file",
        "file=b; file=$(a); x $file",
        "file=b; file+=c; x $file",
        "file=*; x $file",
        "file='b c'; x $file",
        "file=~/b; x $file",
        "file=; x $file",
        "file=b x $file",
        "bash -c 'x $file'",
        "for file in a b; do y; done; x $file",
        "for f in a b; do file=c; break; file=d; done; x $file",
        "PATH=b; x $PATH",
        "IFS=:; file=b:c; x $file",
        "file=b:c; IFS=:; x $file",
        "file=b:c; declare IFS=:; x $file",
        "IFS=: :; file=b:c; x $file",
        "for IFS in :; do y; done; file=b:c; x $file",
        "time file=b; x $file",
    ] {
        assert!(obstacle(text).is_some(), "{text}: {:?}", analyse(text).parts.last().map(words));
    }
    // Quoted it is one word, whatever it holds.
    assert_eq!(commands("file=b; read file; x \"$file\"").pop().as_deref(), Some("x $file"));
}
