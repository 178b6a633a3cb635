//! What zsh and dash read otherwise than bash.
//!
//! The lexer and the grammar read a line as bash does. Where another shell may be the reader, what
//! it would read otherwise is an obstacle. That it refuses a line that bash runs is none: then
//! nothing runs.
//!
//! Sources: zshmisc(1) "Reserved Words", "Precommand Modifiers", "Redirection", "Simple Commands";
//! zshexpn(1) "Parameter Expansion", "Filename Expansion", "Filename Generation"; zshoptions(1);
//! zshbuiltins(1); zshmodules(1); dash(1). What they say was tried with zsh 5.9 and dash 0.5.12, and
//! `tests/shell_oracle` tries it again.

use super::command_line::Shell;
use super::lexer::Token;
use super::obstacle::Obstacle;
use super::word;

const ZSH: &str = "zsh";
const DASH: &str = "dash";

/// Words that run, evaluate or change something in zsh itself and are no programs that bash knows.
/// Reserved words, precommand modifiers, builtins, and builtins of its modules.
const WORDS_OF_ZSH: &str = "- nocorrect noglob repeat foreach end float integer private autoload bindkey chdir clone compadd comparguments \
    compcall compctl compdescribe compfiles compgroups compquote compset comptags comptry compvalues echotc echoti emulate \
    functions getln limit log print pushln r rehash sched setcap getcap cap setopt strftime sysopen sysread sysseek \
    syswrite syserror zsystem ttyctl unfunction unhash unlimit unsetopt vared whence zcompile zf_chmod zf_chown zf_ln \
    zf_mkdir zf_mv zf_rm zf_rmdir zf_sync zformat zftp zle zmodload zparseopts zprof zpty zregexparse zselect zsocket zstat \
    zstyle ztcp pcre_compile pcre_match pcre_study ztie zuntie zgdbmpath zcurses add-zsh-hook zargs zmv";
/// The same for dash.
const WORDS_OF_DASH: &str = "chdir";

impl Shell {
    /// zsh may read it.
    fn may_be_zsh(self) -> bool {
        matches!(self, Self::Zsh | Self::BashOrZsh | Self::Unknown)
    }

    /// dash may read it.
    fn may_be_dash(self) -> bool {
        matches!(self, Self::Posix | Self::Unknown)
    }

    /// zsh may read it, which calculates with what looks like a number to others.
    pub(super) fn may_calculate(self) -> bool {
        self.may_be_zsh()
    }

    /// zsh may read it, which takes `=ls` for the path of `ls` (zshoptions(1), `EQUALS`).
    pub(super) fn has_equals(self) -> bool {
        self.may_be_zsh()
    }

    /// Whoever reads it makes several words of `{a,b}`. dash leaves that as it is.
    pub(super) fn has_braces(self) -> bool {
        !self.may_be_dash()
    }

    /// Whoever reads it knows `[[`. To dash it is a program.
    pub(super) fn has_extended_test(self) -> bool {
        !self.may_be_dash()
    }

    /// Whoever reads it knows `$'…'`. dash takes that for a `$` and text in quotes.
    pub(super) fn has_ansi_quotes(self) -> bool {
        !self.may_be_dash()
    }

    /// zsh may read it, which runs the last command of a pipeline itself.
    pub(super) fn keeps_last_of_pipeline(self) -> bool {
        self.may_be_zsh()
    }

    /// Whether a number of more than one digit in front of a redirection is a descriptor to all.
    pub(super) fn has_long_descriptors(self) -> bool {
        self == Self::Bash
    }
}

/// Refuses a program's name that is a word of a shell that may read it, or an assignment: zsh has letters of every language
/// in the names of variables, so that `é= path` runs `path`.
///
/// # Errors
/// When it is one.
pub(super) fn check_program(name: &str, shell: Shell) -> Result<(), Obstacle> {
    let assigns = name.split_once('=').is_some_and(|(variable, _)| !variable.is_ascii());
    if assigns && shell.may_be_zsh() {
        return Err(Obstacle::ReadOtherwise { what: "it sets a variable whose name is not ASCII", shell: ZSH });
    }
    let listed = |list: &str| list.split_ascii_whitespace().any(|word| word == name);
    let found = match shell {
        _ if shell.may_be_zsh() && listed(WORDS_OF_ZSH) => ZSH,
        _ if shell.may_be_dash() && listed(WORDS_OF_DASH) => DASH,
        _ => return Ok(()),
    };
    Err(Obstacle::WordOfShell { word: name.to_owned(), shell: found })
}

/// Refuses an assignment in front of a command that a shell that may read it takes for a program.
///
/// # Errors
/// `NAME+=value`, which dash does not know.
pub(super) fn check_assignment(text: &str, shell: Shell) -> Result<(), Obstacle> {
    let appends = text.split_once('=').is_some_and(|(name, _)| name.ends_with('+'));
    match appends && shell.may_be_dash() {
        true => Err(Obstacle::ReadOtherwise { what: "it has an assignment with `+=`", shell: DASH }),
        false => Ok(()),
    }
}

/// Refuses a redirection without a program: zsh runs one, `cat` or a pager (zshparam(1), `NULLCMD`).
///
/// # Errors
/// When zsh may read it.
pub(super) fn check_bare_redirection(shell: Shell) -> Result<(), Obstacle> {
    match shell.may_be_zsh() {
        true => Err(Obstacle::ReadOtherwise { what: "it has a redirection without a program", shell: ZSH }),
        false => Ok(()),
    }
}

/// Refuses `time` behind a `|`, where it is a program to bash and a keyword to zsh.
///
/// # Errors
/// When zsh may read it.
pub(super) fn check_timed_part(shell: Shell) -> Result<(), Obstacle> {
    match shell.may_be_zsh() {
        true => Err(Obstacle::WordOfShell { word: "time".to_owned(), shell: ZSH }),
        false => Ok(()),
    }
}

/// Refuses a group, loop or condition behind `time`, which is a program to dash.
///
/// # Errors
/// When dash may read it.
pub(super) fn check_timed_group(shell: Shell) -> Result<(), Obstacle> {
    match shell.may_be_dash() {
        true => Err(Obstacle::ReadOtherwise { what: "it gives `time` a group", shell: DASH }),
        false => Ok(()),
    }
}

/// Refuses words and operators that a shell that may read them reads otherwise.
///
/// # Errors
/// The first of them.
pub(super) fn check_words(tokens: &[Token], shell: Shell) -> Result<(), Obstacle> {
    let mut before: Option<&Token> = None;
    let mut times = false;
    let mut tests = false;
    // The delimiter of a here-document, its body, and the delimiter at its end.
    let mut document = 0_usize;
    for token in tokens {
        let found = if document > 0 {
            document -= 1;
            None
        } else if token.operator {
            document = if matches!(token.text.as_str(), "<<" | "<<-") { 3 } else { 0 };
            operator(token, shell)
        } else {
            tests = !tests && token.text == "[[" && super::lexer::starts_command(before) || tests && token.text != "]]";
            word_of_zsh(token, before, times, tests).filter(|_| shell.may_be_zsh()).map(|what| (what, ZSH))
        };
        if let Some((what, shell)) = found {
            return Err(Obstacle::ReadOtherwise { what, shell });
        }
        times = !token.operator && token.text == "time" && super::lexer::starts_command(before);
        before = Some(token);
    }
    Ok(())
}

fn operator(token: &Token, shell: Shell) -> Option<(&'static str, &'static str)> {
    // To dash it is `&`, and a redirection of nothing.
    let both = matches!(token.text.as_str(), "&>" | "&>>") && shell.may_be_dash();
    both.then_some(("it has `&>`", DASH))
}

/// What zsh reads otherwise in a word; `times`: the word before it is the keyword `time`; `tests`: it stands between `[[`
/// and `]]`, where no names of files are found.
fn word_of_zsh(token: &Token, before: Option<&Token>, times: bool, tests: bool) -> Option<&'static str> {
    let text = token.text.as_str();
    let starts_command = super::lexer::starts_command(before);
    if starts_command && text.starts_with('{') && text != "{" {
        return Some("it has a `{` that is glued to a program");
    }
    if times && text.starts_with('-') {
        return Some("it gives `time` an option");
    }
    if before.is_some_and(|before| before.operator && matches!(before.text.as_str(), ">&" | "<&"))
        && text.ends_with('-')
        && text != "-"
    {
        return Some("it moves a descriptor");
    }
    let units = word::units(text);
    // `=ls` is the path of `ls` (option EQUALS). Of `===` there is none: nothing runs.
    let plain = |index: usize| units.get(index).filter(|unit| !unit.quoted).map(|unit| unit.character);
    if !tests && plain(0) == Some('=') && units.get(1).is_some_and(|next| next.character != '=') {
        return Some("it has a word that starts with `=`");
    }
    let mut open = 0_usize;
    for (index, unit) in units.iter().enumerate() {
        let next = units.get(index + 1).map(|next| next.character);
        match unit.character {
            // Quoted, too: `"$=x"`, `"$+x"`, `"$^x"`, `"$~x"` are flags of an expansion, `"$x[1]"` and
            // `"$x:h"` go on behind it.
            '$' if !is_literal(text) && next.is_some_and(|next| "=+^~#:".contains(next)) => {
                return Some("it has a `$` in front of a sign");
            }
            '{' if !unit.quoted => open += 1,
            '}' if !unit.quoted => match open.checked_sub(1) {
                Some(rest) => open = rest,
                None if starts_command && text == "}" => {}
                None => return Some("it has a `}` that closes nothing in its word"),
            },
            // With the option EXTENDED_GLOB, as some people have it, both match names.
            '^' | '#' if tests => {}
            '^' if !unit.quoted && !is_revision(&units, index) => return Some("it has a `^` that may match names"),
            '#' if !unit.quoted => return Some("it has a `#` that may match names"),
            _ => {}
        }
    }
    if names_in_letters(text) {
        return Some("it has a variable with a letter behind it that is not one of A to Z");
    }
    subscript(text).then_some("it has a variable with `[` or `:` behind it")
}

/// `'…'` and nothing else.
fn is_literal(raw: &str) -> bool {
    raw.len() > 1 && raw.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')).is_some_and(|s| !s.contains('\''))
}

/// git's `HEAD^`, `HEAD^^`, `HEAD^2`, `HEAD^{tree}`: names that the shell may find instead start the same.
fn is_revision(units: &[word::Unit], index: usize) -> bool {
    let character = |index: usize| units.get(index).map(|unit| unit.character);
    index.checked_sub(1).and_then(character).is_some_and(|c| c.is_ascii_alphanumeric() || "^})=".contains(c))
        && character(index + 1).is_none_or(|c| c.is_ascii_digit() || "^~{:.!$".contains(c))
}

/// `$é` or `$NAMEé`, in double quotes, too: zsh takes any letter for part of a name (zshoptions(1), "POSIX_IDENTIFIERS").
fn names_in_letters(raw: &str) -> bool {
    let behind_name = |after: &str| {
        let rest = after.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
        rest.starts_with(|c: char| !c.is_ascii())
    };
    !is_literal(raw) && raw.split('$').skip(1).any(behind_name)
}

/// `$NAME[` or `$NAME:x`, in double quotes, too: zsh calculates what stands in the brackets, and takes a letter or `&`
/// for a modifier (zshexpn(1), "Modifiers").
fn subscript(raw: &str) -> bool {
    if is_literal(raw) {
        return false;
    }
    raw.split('$').skip(1).any(|after| {
        let rest = after.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
        let modified = |rest: &str| {
            let next = rest.trim_start_matches('"').chars().next();
            next.is_some_and(|next| !" \t\n0123456789./-_=%,:@+$".contains(next))
        };
        rest.len() < after.len() && (rest.starts_with('[') || rest.strip_prefix(':').is_some_and(modified))
    })
}

#[cfg(test)]
mod tests {
    use super::super::command_line::{CommandLine, Shell, WordKind};

    fn is_understood(line: &str, shell: Shell) -> bool {
        CommandLine::analyse(line, shell).obstacle.is_none()
    }

    #[test]
    fn what_zsh_reads_otherwise_is_not_understood_where_zsh_may_read_it() {
        for line in [
            "echo \"$é[b]\"",
            "echo $é",
            "x=a; cp b \"$xé/c\"",
            "=ls a",
            "==ls a",
            "cat =ls",
            "echo a {b} >/dev/null",
            "echo a 1&>/dev/null",
            "echo a}",
            "{ echo a }; echo b; }",
            "echo a$=HOME",
            "echo \"$+HOME\"",
            "echo \"$v[x]\"",
            "echo \"$v:h\"",
            "echo $v:gs/a/b/",
            "echo \"$v:&\"",
            "echo a 12>/dev/null",
            "echo a 2>&1-",
            "!(echo hi)",
            "time -p ls",
            "repeat 3 ls",
            "foreach ls",
            "noglob rm x",
            "nocorrect rm x",
            "- rm x",
            "setopt extendedglob",
            "rm ^keep",
            "rm a#b",
            "ls <1-5>out",
            "chdir x",
            "ls | > out",
            "ls | time CI=1 cat",
            "< in",
            "é= sudo x",
            "ls && xä=1 path",
        ] {
            for shell in [Shell::Zsh, Shell::Unknown] {
                assert!(!is_understood(line, shell), "{line} {shell:?}");
            }
        }
    }

    #[test]
    fn a_word_that_zsh_may_take_for_a_path_varies() {
        for (shell, varies) in [(Shell::Zsh, true), (Shell::Unknown, true), (Shell::Bash, false), (Shell::Posix, false)]
        {
            let line = CommandLine::analyse("cat ==ls", shell);
            let word = line.parts.first().and_then(|part| part.words.last());
            assert_eq!((word.map(|word| word.kind == WordKind::Varies), line.obstacle.clone()), (Some(varies), None));
            assert_eq!(word.map(crate::Word::fixed_start), Some(if varies { "" } else { "==ls" }));
        }
    }

    #[test]
    fn quotes_with_escapes_are_text_where_every_shell_knows_them() {
        for (shell, expected) in
            [(Shell::Bash, "a\tb-c"), (Shell::Zsh, "a\tb-c"), (Shell::Posix, ""), (Shell::Unknown, "")]
        {
            let line = CommandLine::analyse("x $'a\\tb-c'", shell);
            assert_eq!(line.obstacle, None);
            let word = line.parts.first().and_then(|part| part.words.last());
            assert_eq!(word.map(crate::Word::fixed_start), Some(expected), "{shell:?}");
        }
        assert!(!is_understood("x $'a\\'b'", Shell::Unknown) && is_understood("x $'a\\'b'", Shell::Bash));
    }

    #[test]
    fn what_dash_reads_otherwise_is_not_understood_where_dash_may_read_it() {
        for line in [
            "x+=1 ls",
            "ls &>/dev/null",
            "ls &>>/dev/null",
            "ls 12>/dev/null",
            "chdir x",
            "[[ a && b ]]",
            "[[ a < b ]]",
            "[[ a =~ b|c ]]",
            "if [[ ''x=  =~ esac| ]]; then a; fi",
        ] {
            for shell in [Shell::Posix, Shell::Unknown] {
                assert!(!is_understood(line, shell), "{line} {shell:?}");
            }
        }
        for shell in [Shell::Bash, Shell::Zsh, Shell::BashOrZsh] {
            assert!(is_understood("ls &>/dev/null", shell), "{shell:?}");
        }
    }

    #[test]
    fn what_bash_or_zsh_reads_otherwise_than_the_other_is_refused_where_either_may_read_it() {
        for line in ["cat =ls", "> out", "ls 12>/dev/null", "private x"] {
            assert!(!is_understood(line, Shell::BashOrZsh), "{line}");
        }
        for line in
            ["[[ -f a && -f b ]] && ls", "mkdir -p src/{a,b}", "make test 2>&1 | tail; echo \"${PIPESTATUS[0]}\""]
        {
            assert!(is_understood(line, Shell::BashOrZsh), "{line}");
        }
        let words = |shell| CommandLine::analyse("mkdir src/{a,b}", shell).parts.remove(0).words.len();
        assert_eq!((words(Shell::BashOrZsh), words(Shell::Unknown)), (3, 2));
    }

    #[test]
    fn what_all_read_alike_is_understood_whoever_reads_it() {
        for line in [
            "git status -s && git log --oneline -5",
            "git show HEAD^ HEAD^^ HEAD^2 'HEAD^{tree}'",
            "find . -name '*.rs' -exec grep -l foo {} \\;",
            "git stash show stash@{0}",
            "awk '{ print $1 }' x",
            "cat <<'E' > out\n# a } = ^b $=x\nE",
            "ls 2>&1 | head -5",
            "for f in a b; do ls \"$f\"; done",
            "# a comment\nls",
            "curl 'https://example.com/#a'",
            "echo \"$HOME/a:b\" '$=x' \"a: $b, c\"",
            "rg 'a^b' src",
            "mkdir -p a/{b,c}",
            "{ ls; }",
            "[ -f a ]",
            "echo \"http://$host:8080\" > /dev/null",
            "echo \"$host: $a:$b $a:\"",
            "if [ -f a ]; then ls; else pwd; fi",
            "case a in (b|c) ls;; *.d) pwd;; esac",
            "while IFS= read -r f; do ls; done < a",
            "[[ -f a ]]",
            "n=1; echo $((n + 1)) ${#n} ${n:-2} ${n%.c}",
        ] {
            for shell in [Shell::Bash, Shell::Zsh, Shell::Posix, Shell::Unknown] {
                assert!(
                    is_understood(line, shell),
                    "{line} {shell:?}: {:?}",
                    CommandLine::analyse(line, shell).obstacle
                );
            }
        }
    }
}
