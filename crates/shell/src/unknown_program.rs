//! Programs of which nobody here knows what they do.

use crate::command_line::{Part, Word, WordKind};
use crate::operand_effects::shape;
use crate::path::ends_like_source;
use crate::programs::class::Class;
use crate::programs::fact::Fact;
use crate::programs::{self, Program, Talks};

/// Words by which a program says that it removes or replaces something.
const REMOVING: &str = "abandon clean clear close delete del destroy discard drop erase expire flush force kill nuke obliterate \
    distclean down migrate overwrite prune purge reap redo remove reset restore revert revoke rm rollback shred stop \
    terminate truncate undeploy uninstall unlink unpublish wipe zero";
/// Words by which it says that it needs another machine, or the rights of the user there.
const SENDING: &str = "auth clone deploy download fetch install login logout mail merge notify provision publish pull push receive \
    register release remote send share signin submit sync tunnel update-self upgrade upload";
/// So many words behind the program are looked at: sub-commands and their options stand in front.
pub(crate) const LOOKED_AT: usize = 6;
/// Names of sub-commands in front of `--help`.
const MAX_GROUPS: usize = 3;

/// Whether nothing is known of the program of `part` but ways in which it only looks, it runs as this user and on this
/// machine, and none of its first words says that it removes or sends something.
///
/// What such a command does cannot be told from its line. That it may run is for whoever puts walls around it.
#[must_use]
pub fn is_unknown_program(part: &Part) -> bool {
    let Some((program, words)) = part.words.split_first() else { return false };
    let name = program.text.rsplit('/').next().unwrap_or(&program.text);
    let is_plain = |wrapper: &String| programs::of(wrapper).is(Fact::Transparent);
    program.kind != WordKind::Varies
        && !name.is_empty()
        && !is_builtin(name)
        && programs::find(name).is_none_or(only_looking_is_known)
        && part.wrappers.iter().all(is_plain)
        && !words.iter().take(LOOKED_AT).any(may_say_more)
}

/// Whether a program of which nothing is known is asked for help or for its version, and nothing else: `frob --version`,
/// `frob issue list --help`. GNU Coding Standards, "Command-Line Interfaces": once one of these is seen, the program
/// ignores all else and does not do what it is for.
pub(crate) fn asks_unknown_for_help(program: &str, words: &[Word]) -> bool {
    let Some((last, front)) = words.split_last() else { return false };
    let asks = match last.text.as_str() {
        "--help" => front.len() <= MAX_GROUPS,
        "--version" => front.is_empty(),
        _ => false,
    };
    asks && last.kind == WordKind::Exact
        && programs::find(program).is_none()
        && !is_builtin(program)
        && !says_more(program)
        && front.iter().all(|word| shape::is_sub_command(word) && !may_say_more(word))
}

/// The name of the program of `part`, where nothing is known of it and it is asked for help or for its version.
#[must_use]
pub fn unknown_program_asked_for_help(part: &Part) -> Option<&str> {
    let (_, words) = part.words.split_first()?;
    part.program().filter(|program| asks_unknown_for_help(program, words))
}

/// Whether the entry of a program says how it only looks, and nothing else.
fn only_looking_is_known(program: &Program) -> bool {
    matches!(program.class, Class::Unlisted)
        && program.is.iter().all(|fact| {
            matches!(fact, Fact::SaysHelp | Fact::SaysVersion | Fact::SaysVersionByCapital | Fact::OnlyNames)
        })
        && program.sets.is_empty()
        && program.destroys.is_empty()
        && program.destroying_words.is_empty()
        && program.prints.is_empty()
        && program.changes.is_empty()
        && program.does.is_empty()
        && program.talks == Talks::Never
        && program.interactive.is_empty()
}

/// Whether one of the parts of `word` (`db:drop`, `--delete-all`) says that it removes or sends something. The path of a
/// file, the name of one (`install.sh`) and a sentence do not.
pub(crate) fn may_say_more(word: &Word) -> bool {
    if is_file(word) {
        return false;
    }
    word.kind == WordKind::Varies || says_more(&word.text)
}

/// Whether `word` is the path of a file, the name of one (`install.sh`) or a sentence, and no name of a task.
pub(crate) fn is_file(word: &Word) -> bool {
    let is_source = || !word.text.starts_with('-') && (ends_like_source(&word.text) || word.text.ends_with(".sh"));
    word.text.contains(|c: char| c == '/' || c.is_whitespace()) || word.kind == WordKind::Exact && is_source()
}

pub(crate) fn says_more(text: &str) -> bool {
    let listed =
        |part: &str| [REMOVING, SENDING].iter().any(|list| list.split_ascii_whitespace().any(|one| one == part));
    word_parts(text).split(' ').any(listed)
}

/// The words of a name in lower case, with spaces between them: `publishSigned` and `publish:signed` are two.
pub(crate) fn word_parts(text: &str) -> String {
    let mut words = String::with_capacity(text.len());
    let mut was_small = false;
    for letter in text.chars() {
        if was_small && letter.is_ascii_uppercase() {
            words.push(' ');
        }
        was_small = letter.is_ascii_lowercase();
        words.push(if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { ' ' });
    }
    words
}

/// bash(1), "SHELL BUILTIN COMMANDS"; zshbuiltins(1): they change the shell itself, and are no programs.
fn is_builtin(name: &str) -> bool {
    const BUILTINS: &str = "alias autoload bg bind bindkey builtin caller chdir command compadd compdef complete compopt coproc dirs \
        disable disown emulate enable eval exec exit export fc fg float functions getopts hash history integer jobs let \
        limit local logout mapfile nocorrect noglob popd print pushd read readarray readonly rehash return sched set setopt \
        shift shopt source suspend times trap ttyctl type typeset ulimit umask unalias unfunction unhash unlimit unset \
        unsetopt vared wait whence where which zcompile zle zmodload zparseopts zstyle";
    [".", ":", "["].contains(&name) || BUILTINS.split_ascii_whitespace().any(|builtin| builtin == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CommandLine, Shell};

    fn unknown(line: &str) -> bool {
        let line = CommandLine::analyse(line, Shell::Bash);
        assert_eq!((line.parts.len(), &line.obstacle), (1, &None), "{}", line.text);
        is_unknown_program(&line.parts[0])
    }

    #[test]
    fn a_program_is_unknown_until_something_is_known_of_it() {
        for line in [
            "frobnicate",
            "frobnicate --all x.txt",
            "./tools/gen -o out",
            "timeout 5 frobnicate",
            "/opt/x/bin/frob a",
            "bd create x",
            "./tool.exe x",
        ] {
            assert!(unknown(line), "{line}");
        }
        for line in [
            "git push",
            "git frobnicate",
            "rm x",
            "curl x",
            "make",
            "ssh host x",
            "export A=1",
            "trap x EXIT",
            "eval x",
        ] {
            assert!(!unknown(line), "{line}");
        }
    }

    #[test]
    fn an_unknown_program_that_is_asked_for_help_only_looks() {
        let looks = |line: &str| {
            let line = CommandLine::analyse(line, Shell::Bash);
            crate::risk::classify_part(&line.parts[0]).level == crate::risk::RiskLevel::ReadOnly
        };
        for line in ["frob --help", "frob issue list --help", "frob --version", "timeout 5 frob --help"] {
            assert!(looks(line), "{line}");
        }
        for line in [
            "frob",
            "frob --help x",
            "frob x.sh --help",
            "frob -c x --help",
            "frob 'x;y' --help",
            "frob $X --help",
            "frob a b c d --help",
            "frob a --version",
            "frob prune --help",
            "deploy --help",
            "./frob --help",
            "/tmp/frob --help",
            "sudo frob --help",
            "frob --help > ~/.bashrc",
            "LD_PRELOAD=./x.so frob --help",
            "eval --help",
            "bash x --help",
            "npx frob --help",
        ] {
            assert!(!looks(line), "{line}");
        }
    }

    #[test]
    fn what_says_that_it_removes_or_sends_is_asked_about() {
        let lines = [
            "frob delete x",
            "frob db:drop",
            "frob --force x",
            "frob x y --delete-all",
            "frob Purge",
            "frob deploy --prod",
            "frob auth login",
            "frob release-notes",
            "frob dolt push",
            "sudo frob",
            "frob *",
        ];
        for line in lines {
            assert!(!unknown(line), "{line}");
        }
        assert!(unknown("frob pushy deletes") && unknown("frob src/clean/*.rs"), "other words");
        assert!(unknown("frob install.sh release.md"), "files");
    }
}
