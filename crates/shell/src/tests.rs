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
fn every_branch_and_every_condition_of_a_compound_command_is_found() {
    for (text, wanted) in [
        ("if a; then b; fi", "a b"),
        ("if a; then b; elif c; then d; elif e; then f; else g; fi", "a b c d e f g"),
        ("while a; do b; done", "a b"),
        ("until a && b; do c; d; done", "a b c d"),
        ("case \"$x\" in a|b) c;; (d) e;; *.ts) ;; *) f | g;; esac", "c e f g"),
        ("case $(a) in $(b)) c;; esac", "a b c"),
        ("case x in\n  a)\n    b\n    ;;\n  c) (d; e)\nesac; f", "b d e f"),
        ("case x in a) case y in b) c;; esac;; d) e;; esac", "c e"),
        ("if a; then while b; do case x in y) c;; esac; done; fi | d", "a b c d"),
        ("(if a; then b; fi) && { while c; do d; done; }", "a b c d"),
        ("x=$(if a; then b; else c; fi); d", "a b c d"),
        ("if a; then b; fi 2>/dev/null; c", "a b c"),
        ("! if a; then b; fi", "a b"),
        ("for f in 1 2; do if a; then continue; fi; b; done", "a continue b a continue b"),
    ] {
        assert_eq!(commands(text).join(" "), wanted, "{text}");
    }
    assert_eq!(commands("[[ -f a && ! $(b) == c* ]] && d"), ["b", "[[ -f a && ! $(…)… == c* ]]", "d"]);
    let writes = |text| analyse(text).parts.iter().flat_map(|part| &part.writes).count();
    assert_eq!(writes("while a; do b; done > c"), 2);
    assert_eq!(writes("if a; then b; else c; fi >> d"), 3);
    assert_eq!(writes("[[ a ]] > b"), 1);
}

#[test]
fn a_loop_that_goes_elsewhere_begins_its_next_round_there() {
    for text in ["while a; do x; cd b; done", "until cd a; do x; done", "for f in $(a); do x; cd b; done"] {
        let line = analyse(text);
        let part = line.parts.iter().find(|part| part.program() == Some("x")).unwrap();
        assert!(part.folder_unknown, "{text}");
    }
    assert!(analyse("while a; do cd b; done; x").parts.pop().unwrap().folder_unknown);
    for text in ["if cd a; then b; fi; x", "case b in b) cd a;; esac; x"] {
        let line = analyse(text);
        let at = |part: &Part| (part.folders.join("/"), part.folder_unknown);
        let found: Vec<_> = line.parts.iter().filter(|part| part.program() == Some("x")).map(at).collect();
        assert!(found.contains(&(String::new(), false)) && found.contains(&("a".to_owned(), false)), "{text}");
    }
}

#[test]
fn what_a_round_writes_reaches_the_next_one() {
    for text in ["while a; do sh s; echo 'rm x' > s; done", "for i in 1 2; do sh s; echo 'rm x' > s; done"] {
        let line = analyse(text);
        let reader = line.parts.iter().find(|part| words(part) == "sh s").unwrap();
        assert!(reader.from_files.iter().any(|text| text.contains("rm x")), "{text}");
    }
    let once = analyse("sh s; echo 'rm x' > s");
    assert!(once.parts.iter().all(|part| part.from_files.is_empty()));
}

#[test]
fn rounds_in_rounds_end() {
    let loops = |count: usize, body: &str| {
        let values: String = (0..16).map(|value| format!(" {value}")).collect();
        let open: String = (0..count).map(|index| format!("for a{index} in{values}; do ")).collect();
        format!("{open}{body}{}", "; done".repeat(count))
    };
    for text in [loops(7, "n=1"), loops(7, "n=$a1"), loops(7, "while a; do n=1; done")] {
        assert_eq!(obstacle(&text), Some(Obstacle::TooManyRounds), "{text}");
    }
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
        ("a $@", Obstacle::Variable),
        ("a \"$@\"", Obstacle::Variable),
        ("a ${x:=y}", Obstacle::Variable),
        ("a \"${x@P}\"", Obstacle::Variable),
        ("a $\"x\"", Obstacle::DollarQuote),
        ("((a))", Obstacle::Arithmetic),
        ("a $((n))", Obstacle::Arithmetic),
        ("n=b; a $((n))", Obstacle::Arithmetic),
        ("a $((n=1))", Obstacle::Arithmetic),
        ("a() { b; }", Obstacle::Function),
        ("select f in a; do b; done", Obstacle::Compound("select")),
        ("case a in b) c;& *) d;; esac", Obstacle::Compound("case")),
        ("[[ -v a ]]", Obstacle::Arithmetic),
        ("[[ a -eq 1 ]]", Obstacle::Arithmetic),
        ("[[ a =~ (b) ]]", Obstacle::Compound("[[")),
        ("[[ -x =~ a ]]", Obstacle::Compound("[[")),
        ("[[ -n > a ]]", Obstacle::Compound("[[")),
        ("[[ ! < a ]]", Obstacle::Compound("[[")),
        ("[[ -n ]] ]]", Obstacle::Compound("[[")),
        ("[[ x && ]] ]]", Obstacle::Compound("[[")),
        ("[[ a == ]] ]]", Obstacle::Compound("[[")),
        ("coproc a", Obstacle::Compound("coproc")),
        ("cat <<E\n$a\nE", Obstacle::HereDocument),
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
    // The absolute one is where it is, wherever the line was before.
    assert_eq!(last("pushd a; cd /b && x").folders, ["/b"]);
    assert!(!last("pushd a; cd /b && x").folder_unknown);
    // As the shell sees it, whatever links there are: `cd a && cd ..` is back where the line starts.
    for (text, folders) in [
        ("cd a && cd .. && x", [].as_slice()),
        ("cd a/b && cd .. && x", &["a"]),
        ("cd a && cd b && cd ../.. && x", &[]),
        ("cd a && cd ../b/./c && x", &["b", "c"]),
        ("cd .. && cd .. && x", &["..", ".."]),
        ("cd a && cd ../../b && x", &["..", "b"]),
        ("cd /a && cd .. && x", &["/"]),
        ("cd /a/b/ && cd ../c && x", &["/a", "c"]),
        ("cd / && cd .. && x", &["/", ".."]),
        ("cd && cd .. && x", &["~", ".."]),
        ("cd ~/a && cd .. && x", &["~"]),
        ("cd /a/../b && x", &["/", "b"]),
        ("cd ~/a/../b && x", &["~", "b"]),
    ] {
        assert_eq!(last(text).folders, folders, "{text}");
    }
    for text in ["cd - && x", "pushd a && x", "eval a; x", "pushd a; cd b && x", "pushd a; cd /b; x"] {
        assert!(last(text).folder_unknown, "{text}");
    }
    for text in ["(cd a); x", "cd a | x", "bash -c 'cd a'; x"] {
        let part = last(text);
        assert!(part.folders.is_empty() && !part.folder_unknown, "{text}");
    }
}

#[test]
fn a_command_behind_a_cd_that_may_have_failed_is_looked_at_in_each_folder() {
    let folders = |text: &str, shell| {
        let line = CommandLine::analyse(text, shell);
        let last = line.parts.last().map(words).unwrap_or_default();
        let of_last = line.parts.iter().filter(|part| words(part) == last);
        let mut found: Vec<_> = of_last.map(|part| (part.folders.join("/"), part.folder_unknown)).collect();
        found.sort();
        found
    };
    let both = vec![(String::new(), false), ("a".to_owned(), false)];
    let lines = [
        "cd a; x",
        "cd a\nx",
        "cd a || x",
        "! cd a && x",
        "{ cd a; } && x",
        "cd a || exit 1; x",
        "if cd a; then y; fi; x",
        "cd a && y || x",
        "b || cd a && x",
        "cd a; bash -c 'x'",
    ];
    for text in lines {
        assert_eq!(folders(text, Shell::Bash), both, "{text}");
    }
    // In zsh the last command of a pipeline runs in the shell itself.
    for text in ["b | cd a; x", "b | { cd a; }; x", "b | c | command cd a; x", "{ b | cd a; }; x"] {
        assert_eq!(folders(text, Shell::Zsh), both, "{text}");
        assert_eq!(folders(text, Shell::Unknown), both, "{text}");
        assert_eq!(folders(text, Shell::Bash), [(String::new(), false)], "{text}");
    }
    let three = folders("cd a; cd b; cd /c; x", Shell::Bash);
    assert_eq!(three.iter().map(|(folder, _)| folder.as_str()).collect::<Vec<_>>(), ["", "a", "a/b", "b"]);
    assert!(three.iter().all(|(_, unknown)| *unknown), "there are more than are told apart: {three:?}");
    let many = format!("cd a; {}x", "y; ".repeat(50));
    assert_eq!(folders(&many, Shell::Bash), [(String::new(), true)], "they would be too many commands");
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
        ("a $(b c)", vec!["b c", "a $(…)…"]),
        ("a \"x $(b | c) y\"", vec!["b", "c", "a x $(…) y"]),
        ("a $(b $(c d))", vec!["c d", "b $(…)…", "a $(…)…"]),
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
fn a_document_that_the_shell_expands_is_its_text_where_that_is_known() {
    let given = |text: &str| {
        let line = analyse(text);
        assert_eq!(line.obstacle, None, "{text}");
        line.parts.into_iter().flat_map(|part| part.given).collect::<Vec<_>>()
    };
    for (text, document) in [
        ("cat > a <<EOF\nit's \"x\" (y) $\nEOF", "it's \"x\" (y) $\n"),
        ("cat <<-E\n\ta\\nb\n\tE\nls", "a\\nb\n"),
        ("x=3; cat <<E\n$x ${x}4 \\$x \\`b\\` 5$\nE", "3 34 $x `b` 5$\n"),
        ("cat <<E\nrm -rf ~ *.rs {a,b}\nE", "rm -rf ~ *.rs {a,b}\n"),
    ] {
        assert_eq!(given(text), [document], "{text}");
    }
    for text in [
        "cat <<E\n$HOME\nE",
        "cat <<E\n$(rm x)\nE",
        "cat <<E\n`rm x`\nE",
        "cat <<E\n$((a[$(b)]))\nE",
        "x=3; cat <<E\n${x:-$(rm y)}\nE",
        "x=3; cat <<E\n${x@P}\nE",
        "cat <<E\n$1 $@ $$ $? $! $#\nE",
        "cat <<E\n$'a'\"$(b)\"\nE",
        "cat <<E\n$=x $+x\nE",
        "cat <<E\n$+x[b]\nE",
        "cat <<E\n$é[b]\nE",
        "x=a; cat <<E\n$x[b]\nE",
        "x=a; cat <<E\n$x:h\nE",
        "x=a; cat <<E\n$xé\nE",
        "cat <<E\na\\\nE\nrm x\nE",
        "a \"$(cat <<E\nb\nE\n)\"",
        "a $(cat <<E\nb )\nE\n)",
    ] {
        assert!(analyse(text).obstacle.is_some(), "{text}: {:?}", analyse(text).parts);
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
        ("n=1; if a; then b; else c; fi; x $n", "x 1"),
        ("if a; then n=1; else n=1; fi; x $n", "x 1"),
        ("n=1; while a; do b; done; x $n", "x 1"),
        ("n=1; while read -r f; do b; done; x $n", "x 1"),
        ("n=1; case a in b) c;; *) d;; esac; x $n", "x 1"),
        ("f=a/b.c; x ${f%.*} \"${f##*/}\" ${f:0:1}", "x a/b b.c a"),
        ("n=1; x $((n + 1)) \"$((2*3))\"", "x $((…))… $((…))"),
        ("n=0; while a; do n=$((n + 1)); x f$n; done", "x f$n"),
        ("IFS=, read -r f; n=1; x $n", "x 1"),
        ("BASE=$(git merge-base a/b HEAD); x $BASE..HEAD", "x $(revision)..HEAD"),
        ("for c in $(git rev-list --reverse a..b); do x \"$c:f\"; done", "x $(revision):f"),
        ("x $(git rev-parse --short HEAD 2>/dev/null)", "x $(revision)"),
    ] {
        assert_eq!(commands(text).pop().as_deref(), Some(wanted), "{text}");
    }
    // An assignment in front of some builtins stays, to some shells.
    for text in [
        "c=ls; c=rm : ; $c y",
        "c=ls; c=rm export z; $c y",
        "c=ls; IFS=s : ; $c y",
        "C=ls; C=rm command x; $C y",
        "c=x:=ls; $c",
    ] {
        assert_eq!(analyse(text).obstacle, Some(Obstacle::ProgramVaries), "{text}");
    }
    for text in ["BIN=a/b; $BIN --help", "BIN=a/b; export X=1; $BIN --help", "BIN=a; BIN=$BIN/b && cd c; $BIN --help"] {
        assert_eq!(commands(text).pop().as_deref(), Some("a/b --help"), "{text}");
    }
    for text in ["PATH=a/b; $PATH x", "IFS=/; B=a/b; $B x", "declare B=a; $B x", "B=a; trap 'B=c' EXIT; $B x"] {
        assert_eq!(analyse(text).obstacle, Some(Obstacle::ProgramVaries), "{text}");
    }
    for text in [
        "HOME=a; $HOME x",
        "HOME=a; cat ~/b",
        "cat ~/b; HOME=a",
        "HOME=a && cat < \"$HOME/b\"",
        "export HOME=a; sh -c 'cat ~/b'",
        "HOME=a sh -c 'cat ~/b'",
        "env HOME=a sh -c 'cat ~/b'",
        "read HOME; ls ~",
        "HOME=a; cd; cat b",
        "HOME=a; cd ~/b && cat c",
        "printf -v HOME a; echo x > ~/b",
        "HOME=a; cat ~/b*",
        "HOME=a; cat ~/{b,c}",
        "HOME=a; X=~/b; cat $X",
        "HOME=a; for f in ~/b; do cat $f; done",
        "HOME+=/a; cat ~/b",
    ] {
        assert_eq!(analyse(text).obstacle, Some(Obstacle::OtherHome), "{text}");
    }
    for text in ["HOME=a cargo test", "export HOME=a; cat b", "XHOME=a; cat ~/b"] {
        assert_eq!(analyse(text).obstacle, None, "{text}");
    }
    // What a group writes to is said before what stands in the group.
    let target = |text| analyse(text).parts.pop().and_then(|mut part| part.writes.pop()).map(|word| word.text);
    assert_eq!(target("OUT=a; { OUT=b; x; } > $OUT").as_deref(), Some("a"));
    assert_eq!(target("for f in a b; do x; done > \"$f\"").as_deref(), Some("$f"));
    let written = analyse("OUT=/tmp/o; x > $OUT").parts.pop().unwrap_or_default();
    assert_eq!(written.writes.first().map(|word| word.text.as_str()), Some("/tmp/o"));
}

#[test]
fn a_loop_over_written_words_runs_its_body_for_each() {
    assert_eq!(commands("for f in a b/c; do x $f; y \"$f.d\"; done"), ["x a", "y a.d", "x b/c", "y b/c.d"]);
    let moved = analyse("for f in a b; do x \"$f\"; cd d; done");
    let places: Vec<String> =
        moved.parts.iter().map(|part| format!("{}:{}", words(part), part.folders.join("/"))).collect();
    assert_eq!((places.join(" "), moved.obstacle), ("x a: cd d: x b: x b:d cd d: cd d:d".to_owned(), None));
    assert_eq!(commands("for f in *; do x \"$f\"; done"), ["x *"]);
    assert_eq!(commands("for f in src/*.ts b; do x \"$f\" $f; done"), ["x src/*.ts $f…", "x b b"]);
    assert_eq!(commands("for f in a b; do n=$f; x \"$n\"; done"), ["x a", "x b"]);
    assert_eq!(commands("for f in a b; do x \"$n\"; n=$f; done"), ["x $n", "x a"]);
    assert_eq!(commands("for f in $(a); do x $f \"$f\"; done").pop().as_deref(), Some("x $f… $f"));
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
        "if a; then file=b; fi; x $file",
        "if a; then file=b; else file=c; fi; x $file",
        "if file=b; then a; elif file=c; then a; fi; x $file",
        "file=b; case a in c) file=d;; esac; x $file",
        "file=b; while a; do x; file=c; done; x $file",
        "file=b; while file=c; do x; done; file=$(a); x $file",
        "file=b; until a; do x; read -r file; done; x $file",
        "file=b; while a; do if c; then file=d; break; fi; done; x $file",
        "file=b; while a; do file=d; eval b; file=b; done; x $file",
        "file=b; while a; do if c; then file=d; continue; fi; done; x $file",
        "file=b; for i in 1 2; do file=d; c || break; file=b; done; x $file",
        "file=b; trap 'file=c' DEBUG; x $file",
        "trap 'file=c' DEBUG; file=b; x $file",
        "readonly file=c\nfile=b\nx $file",
        "declare -u file; file=b; x $file",
        "file=b; IFS= read -r file; x $file",
        "file=b; unset file; x ${file%.c}",
        "file='b c'; x ${file%d}",
        "file=b.c; x ${file/c/d}",
    ] {
        let line = analyse(text);
        let last = line.parts.last().and_then(|part| part.words.last()).unwrap();
        assert_eq!((last.kind, line.obstacle), (WordKind::Varies, None), "{text}");
        // It may be an option.
        assert!(last.may_be_option() && last.may_be_several(), "{text}");
    }
    assert!(obstacle("time file=b; x $file").is_some());
    for text in [
        "x $(git rev-parse --git-dir)",
        "x $(git rev-list --format=%B HEAD)",
        "x $(git merge-base $y HEAD)",
        "x $(git rev-parse 'a b')",
        "x $(git rev-list HEAD | tail)",
        "x $(git -C a rev-parse HEAD)",
        "x $(git rev-parse)",
        "x $(git merge-base a b)$file",
    ] {
        let word = analyse(text).parts.pop().and_then(|mut part| part.words.pop()).unwrap();
        assert!(word.may_be_option(), "{text}");
    }
    let revision = analyse("x $(git rev-parse HEAD)").parts.pop().and_then(|mut part| part.words.pop()).unwrap();
    assert!(!revision.may_be_option() && revision.kind == WordKind::Varies);
    for text in ["x a$file", "x a$(b)", "x a${file}b"] {
        let word = analyse(text).parts.pop().and_then(|mut part| part.words.pop()).unwrap();
        assert!(word.may_be_option() && word.may_be_several(), "{text}");
    }
    for text in ["x \"a$file\"", "x a\"$(b)\"", "x a*", "x a{b,c}", "x a$HOME/b"] {
        let word = analyse(text).parts.pop().and_then(|mut part| part.words.pop()).unwrap();
        assert!(!word.may_be_option() && !word.may_be_several(), "{text}");
    }
    // Quoted it is one word, whatever it holds.
    assert_eq!(commands("file=b; read file; x \"$file\"").pop().as_deref(), Some("x $file"));
}
