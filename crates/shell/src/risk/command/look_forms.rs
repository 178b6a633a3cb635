//! Programs that only look but have a syntax of their own.

use super::awk as awk_program;
use super::fetching;
use super::invocation::names as listed;
use super::python_text;
use crate::command_line::{Word, WordKind};
use crate::operand_effects::{is_harmless_sed, shape};
use crate::path::{ends_like_source, may_be_named_in, may_find_secret};
use crate::variables::{is_free as is_free_variable, is_plain_set, names_read};
use crate::word::{CALCULATED, REVISION, STATUS, SUBSTITUTED};

/// Variables that hold no secret, whoever sets them.
const KNOWN_VARIABLES: &str = "HOME PWD OLDPWD USER LOGNAME SHELL PATH LANG TERM HOSTNAME UID EUID PPID SHLVL LINENO SECONDS \
    BASH_VERSION ? # $ !";
/// Predicates of find(1) that neither run nor write anything, and those of them with a value.
const FIND: &str = "-print -print0 -ls -prune -quit -depth -mount -xdev -empty -readable -writable -executable -nouser -nogroup -true \
    -false -not -and -or -a -o ! ( ) , -daystart -follow -noleaf -ignore_readdir_race -H -L -P -E -x -d";
const FIND_VALUED: &str = "-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname -type -xtype -size -mtime \
    -mmin -atime -amin -ctime -cmin -newer -anewer -cnewer -newermt -newerat -newerct -maxdepth -mindepth -user -group -uid -gid -perm \
    -links -inum -samefile -fstype -regextype -used -printf";
const TEST: &str = "-e -f -d -r -w -x -s -L -h -n -z -b -c -g -k -p -S -u -G -O -t -nt -ot -ef = == != -eq -ne -lt -le -gt -ge ! -a -o ( ) < >";

/// Checks a call of one of these programs: whether it shows the contents of files, or why it is not
/// known only to look. `None`: it is none of them.
pub(super) fn check(program: &str, words: &[Word]) -> Option<Result<bool, String>> {
    let checked = match program {
        "echo" => echo(words).map(|()| false),
        "printf" => printf(words).map(|()| false),
        ":" => Ok(false),
        "find" => find(words).map(|()| false),
        "test" | "[" => test(words).map(|()| false),
        "date" => date(words).map(|()| false),
        "tee" => tee(words).map(|()| false),
        "sed" => sed(words).map(|()| true),
        "awk" | "gawk" | "mawk" | "nawk" => awk(words).map(|()| true),
        "git" if words.first().is_some_and(|word| word.text == "config") => git_config(words).map(|()| false),
        "tar" => tar(words).map(|()| false),
        "ps" => ps(words).map(|()| false),
        "curl" if !words.iter().any(|word| word.text == "--version" || word.text == "-V") => {
            fetching::curl(words).map(|()| true)
        }
        "python3" if words.first().is_some_and(|word| word.text == "-c") => python_text::check(words).map(|()| false),
        "set" if is_plain_set(words) => Ok(false),
        "set" if !words.is_empty() => Err("changes how the shell reads the rest of the line"),
        "read" => read(words).map(|()| false),
        // What it calculates with was looked at when the line was taken apart.
        "[[" => Ok(false),
        "break" | "continue" | "exit" | "return" => ends(words).map(|()| false),
        "env" | "printenv" | "set" | "export" | "declare" | "compgen" => Err("shows variables, which may hold secrets"),
        _ => return None,
    };
    Some(checked.map_err(|reason| format!("`{program}` {reason}")))
}

fn echo(words: &[Word]) -> Result<(), &'static str> {
    let harmless = |word: &Word| word.kind != WordKind::Varies || only_known_variables(&word.text);
    if words.iter().all(harmless) { Ok(()) } else { Err("shows a variable, which may hold a secret") }
}

/// `-v` sets a variable, and `a[$(…)]` as its name runs a command: bash(1), "printf".
fn printf(words: &[Word]) -> Result<(), &'static str> {
    match words.first() {
        Some(first) if first.kind == WordKind::Exact && (!first.text.starts_with('-') || first.text == "--") => {
            echo(words)
        }
        _ => Err("has an option or a format that may do more"),
    }
}

fn find(words: &[Word]) -> Result<(), &'static str> {
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let text = word.text.as_str();
        if word.kind == WordKind::Varies {
            if !starts_fixed(text) && !is_below_known(word) {
                return Err("gets a word that may be an action");
            }
        } else if listed(FIND_VALUED, text) {
            let Some(value) = rest.next() else { return Err("has an option without a value") };
            // An unquoted `*.rs` becomes names, of which all but the first are read as something else.
            if value.kind == WordKind::Varies && !starts_fixed(&value.text) {
                return Err("gets a word that may be an action");
            }
        } else if text.starts_with(['-', '!', '(', ')', ',']) && !listed(FIND, text) && !is_optimisation(text) {
            return Err("has an action or option that is not known only to look");
        }
    }
    Ok(())
}

fn is_optimisation(text: &str) -> bool {
    text.strip_prefix("-O").is_some_and(|level| level.len() == 1 && level.starts_with(|c: char| c.is_ascii_digit()))
}

/// tee(1) hands on what it reads. What it writes beside that is written as what stands behind `>`.
fn tee(words: &[Word]) -> Result<(), &'static str> {
    let is_known = |word: &Word| {
        let option = word.text.strip_prefix('-').filter(|_| word.kind == WordKind::Exact);
        option.map_or(!word.may_be_option(), |option| listed("a i p ai ia -append -ignore-interrupts", option))
    };
    if words.iter().all(is_known) { Ok(()) } else { Err("has an option that is not known only to hand on") }
}

/// `read` into names that only the line looks at.
fn read(words: &[Word]) -> Result<(), &'static str> {
    let is_ours = |word: &Word| word.kind == WordKind::Exact && is_free_variable(&word.text);
    match names_read(words) {
        Some(names) if !names.is_empty() && names.iter().all(is_ours) => Ok(()),
        _ => Err("has an option or a name that may do more"),
    }
}

/// What ends a loop or the shell, with a number or none: zsh calculates with any other word.
fn ends(words: &[Word]) -> Result<(), &'static str> {
    let number = |word: &Word| word.text == STATUS || word.text.bytes().all(|byte| byte.is_ascii_digit());
    match words {
        [] => Ok(()),
        [word] if number(word) => Ok(()),
        _ => Err("gets a word that is no number"),
    }
}

/// Whether test(1) gets words of which some vary and does nothing but look at each: of up to three words it knows which
/// is the operator, whatever the others say (POSIX.1-2024, "test"), and none of these operators calculates with a
/// text (bash manual, "Bash Conditional Expressions"; zshbuiltins(1): "arithmetic operators expect integer arguments").
fn tests_varying(words: &[Word]) -> bool {
    const UNARY: &str = "-e -f -d -r -w -x -s -L -h -n -z -b -c -g -k -p -S -u -G -O";
    const BINARY: &str = "= == != -eq -ne -lt -le -gt -ge -nt -ot -ef";
    let exact = |word: &Word, text: &str| word.kind == WordKind::Exact && word.text == text;
    let is_one = |word: &Word| {
        let names_nothing = !word.text.replace("${", "").replace(STATUS, "").contains(['*', '?', '[', '{']);
        // To zsh `==` is the path of a program, with which test(1) does nothing.
        word.kind != WordKind::Varies
            || word.text == "=="
            || names_nothing && word.text.contains('$') && !word.may_be_several()
            // Names of files that begin so are no operators, however many they are.
            || starts_fixed(&word.text)
    };
    let words = words.split_last().filter(|(last, _)| exact(last, "]")).map_or(words, |(_, front)| front);
    let words = words.split_first().filter(|(first, _)| exact(first, "!")).map_or(words, |(_, rest)| rest);
    let is = |operator: &Word, list| {
        (operator.kind == WordKind::Exact || operator.text == "==") && listed(list, &operator.text)
    };
    words.iter().all(is_one)
        && match words {
            [_] => true,
            [operator, _] => is(operator, UNARY),
            [_, operator, _] => is(operator, BINARY),
            _ => false,
        }
}

/// test(1) without `-v` and `-R`, whose operand may run a command: bash(1), "CONDITIONAL EXPRESSIONS".
fn test(words: &[Word]) -> Result<(), &'static str> {
    if words.iter().any(|word| word.kind == WordKind::Varies) && tests_varying(words) {
        return Ok(());
    }
    let fine = words.iter().all(|word| {
        word.kind != WordKind::Varies
            && !(word.text.contains('[') && word.text.contains(['$', '`']))
            && (!word.text.starts_with('-') || listed(TEST, &word.text) || word.text.parse::<i64>().is_ok())
    });
    if fine { Ok(()) } else { Err("has an operator or a word that may do more") }
}

/// date(1): any operand that does not start with `+` sets the clock.
fn date(words: &[Word]) -> Result<(), &'static str> {
    const FLAGS: &str = "-u --utc --universal -R --rfc-email -I -Iseconds -Idate -Ihours -Iminutes -Ins --iso-8601 --iso-8601=seconds \
        --iso-8601=date --rfc-3339=seconds --rfc-3339=date --debug";
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let text = word.text.as_str();
        if word.kind == WordKind::Varies {
            return Err("gets a word that may set the clock");
        }
        if ["-d", "--date", "-r", "--reference"].contains(&text) {
            // The value; it can only be a value.
            if rest.next().is_none_or(|value| value.kind == WordKind::Varies || value.text.starts_with('-')) {
                return Err("has an option without a plain value");
            }
        } else if !text.starts_with('+')
            && !text.starts_with("--date=")
            && !text.starts_with("--reference=")
            && !listed(FLAGS, text)
        {
            return Err("may set the clock");
        }
    }
    Ok(())
}

/// sed(1) as a filter: scripts that print, leave out and replace lines of what it reads, and change no file.
fn sed(words: &[Word]) -> Result<(), &'static str> {
    let is_option =
        |text: &str| ["--quiet", "--silent", "--regexp-extended", "--separate", "--unbuffered"].contains(&text);
    // `l` and `i` take what follows for their value.
    let are_letters = |letters: &str| !letters.is_empty() && letters.bytes().all(|letter| b"nErsuz".contains(&letter));
    let mut scripts = Vec::new();
    // With `-e` no operand is a script, wherever `-e` stands.
    let mut operands = Vec::new();
    let mut is_given = false;
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let text = word.text.as_str();
        let letters = text.strip_prefix('-').unwrap_or_default();
        if word.kind == WordKind::Varies || !text.starts_with('-') || text.len() == 1 {
            operands.push(word);
        } else if text == "--expression"
            || letters.strip_suffix('e').is_some_and(|front| front.is_empty() || are_letters(front))
        {
            scripts.push(rest.next().ok_or("has an option without a value")?);
            is_given = true;
        } else if !is_option(text) && !are_letters(letters) {
            return Err("has an option that is not known only to look");
        }
    }
    let (script, files) = if is_given {
        (None, operands.as_slice())
    } else {
        operands.split_first().map_or((None, [].as_slice()), |(script, files)| (Some(*script), files))
    };
    for word in files {
        let text = word.text.as_str();
        if word.kind == WordKind::Varies && (!starts_fixed(text) || !ends_harmlessly(text)) {
            return Err("gets a word that may be anything");
        }
        if may_be_named_in(text) {
            return Err("may read secrets");
        }
    }
    scripts.extend(script);
    let only_filters = |script: &&Word| script.kind == WordKind::Exact && is_harmless_sed(&script.text);
    if !scripts.is_empty() && scripts.iter().all(only_filters) {
        Ok(())
    } else {
        Err("has a script that is not known only to look")
    }
}

/// awk(1) with a program in its first operand, and files behind it.
fn awk(words: &[Word]) -> Result<(), &'static str> {
    let mut program = None;
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let text = word.text.as_str();
        if program.is_some() && shape::may_be_connection(word) {
            return Err("may connect to another machine");
        }
        if word.kind == WordKind::Varies {
            if program.is_none() || !starts_fixed(text) || !ends_harmlessly(text) || may_be_named_in(text) {
                return Err("gets a word that may be anything");
            }
        } else if program.is_some() {
            if may_be_named_in(text) || (text.starts_with('-') && text.len() > 1) {
                return Err("may read secrets, or has an option behind its program");
            }
        } else if ["-F", "-v"].contains(&text) {
            if rest.next().is_none_or(|value| value.kind == WordKind::Varies && !(text == "-v" && sets_one(value))) {
                return Err("has an option without a plain value");
            }
        } else if text.starts_with('-') {
            if !["-F", "-v"].iter().any(|option| text.starts_with(option)) {
                return Err("has an option that is not known only to look");
            }
        } else {
            program = Some(text);
        }
    }
    if program.is_some_and(awk_program::only_looks) {
        Ok(())
    } else {
        Err("has a program that is not known only to look")
    }
}

/// `name="$value"` behind `-v`: text to awk, never program.
fn sets_one(word: &Word) -> bool {
    let is_name = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    let is_assignment = word.text.split_once('=').is_some_and(|(name, _)| is_name(name));
    is_assignment && !word.may_be_several() && only_known_variables(&word.text)
}

/// git-config(1): the value of one setting, whose name says that it is no secret. `git config NAME` shows it, too.
fn git_config(words: &[Word]) -> Result<(), &'static str> {
    const OPTIONS: &str = "--get --get-all --global --local --system --worktree --show-origin --show-scope --null -z --bool \
        --int --path --type=bool --type=int --type=path --includes --no-includes";
    const SECTIONS: &str = "user author committer core branch remote init merge pull push rebase commit diff status fetch color \
        submodule log tag extensions advice";
    let words = words.get(1..).unwrap_or_default();
    if words.iter().any(|word| word.kind != WordKind::Exact) {
        return Err("gets a word that may be anything");
    }
    let words =
        if words.first().is_some_and(|word| word.text == "get") { words.get(1..).unwrap_or_default() } else { words };
    let (options, names): (Vec<&Word>, Vec<&Word>) = words.iter().partition(|word| word.text.starts_with('-'));
    let [name] = names.as_slice() else { return Err("changes settings, or shows all of them") };
    let shows_harmless =
        name.text.split_once('.').is_some_and(|(section, _)| listed(SECTIONS, &section.to_lowercase()));
    if shows_harmless && options.iter().all(|option| listed(OPTIONS, &option.text)) {
        Ok(())
    } else {
        Err("changes settings, or shows one that may hold a secret")
    }
}

/// tar(1) listing a local archive: a name with a colon is on another machine, reached by a program.
fn tar(words: &[Word]) -> Result<(), &'static str> {
    let Some((mode, files)) = words.split_first() else { return Err("has nothing to do") };
    let letters = mode.text.trim_start_matches('-');
    let lists =
        letters.contains('t') && letters.chars().all(|c| "tvfzjJ".contains(c)) && letters.ends_with(['f', 't', 'v']);
    let plain = |word: &Word| {
        word.kind != WordKind::Varies && (word.text == "-" || !word.text.starts_with('-')) && !word.text.contains(':')
    };
    if mode.kind == WordKind::Exact && lists && files.iter().all(plain) { Ok(()) } else { Err("does more than list") }
}

/// ps(1) without the environment of processes (`e` of the BSD style, `-o environ`).
fn ps(words: &[Word]) -> Result<(), &'static str> {
    const COLUMNS: &str = "pid ppid pgid sid user uid group comm args cmd command etime etimes time cputime pcpu %cpu pmem %mem rss vsz \
        stat state s tty tt lstart start nice ni pri psr nlwp wchan ucmd";
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let text = word.text.as_str();
        if word.kind == WordKind::Varies {
            return Err("gets a word that may be an option");
        }
        // Letters in front of an `o` with its columns: `-eo`, `-axo`.
        let columns = text
            .strip_prefix('-')
            .and_then(|letters| letters.strip_suffix('o'))
            .is_some_and(|letters| letters.bytes().all(|letter| b"eAafFlwx".contains(&letter)));
        let valued = columns
            || ["-o", "-p", "-u", "-C", "-U", "-t", "-g", "--sort", "--pid", "--ppid", "--format"].contains(&text);
        let value = if valued { rest.next().map(|value| value.text.as_str()) } else { None };
        let fine = if columns || text == "--format" {
            value.is_some_and(|columns| columns.split(',').all(|column| listed(COLUMNS, column.trim_end_matches('='))))
        } else if valued {
            value.is_some_and(|value| !value.starts_with('-'))
        } else if let Some(unix) = text.strip_prefix('-') {
            unix.chars().all(|c| "eAafFlywTLjHdZ".contains(c))
                || ["-sort=-pcpu", "-forest", "-no-headers"].contains(&unix)
        } else {
            text.chars().all(|c| "auxfwlTrj".contains(c)) || text.chars().all(|c| c.is_ascii_digit())
        };
        if !fine {
            return Err("has an option that may show variables, which may hold secrets");
        }
    }
    Ok(())
}

/// A varying word that cannot become an option: file names that begin as it does.
fn starts_fixed(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphanumeric() || c == '/' || c == '.') && !text.contains(['$', '`', '\\', '~'])
}

/// Whether `word` is a path below the home folder or the working folder, as `"$HOME/x"`: one word, and no option.
pub(super) fn is_below_known(word: &Word) -> bool {
    let begins = ["$HOME", "${HOME}", "$PWD", "${PWD}"].into_iter().find_map(|name| word.text.strip_prefix(name));
    let is_plain =
        |rest: &str| (rest.is_empty() || rest.starts_with('/')) && !rest.contains(['$', '`', '*', '?', '[', '{']);
    !word.may_be_several() && begins.is_some_and(is_plain)
}

/// Whether no file that a pattern of file names stands for holds a secret by its name: each ends like a file of source
/// text, or as no such file is called.
pub(super) fn ends_harmlessly(text: &str) -> bool {
    // What a repository has GitHub run is for everybody who may read it.
    let is_workflow = text.rsplit_once('/').is_some_and(|(folder, _)| folder.ends_with(".github/workflows"));
    ends_like_source(text) || is_workflow || !may_find_secret(text)
}

/// Whether `text` names only variables that hold no secret, and runs nothing.
pub(super) fn only_known_variables(text: &str) -> bool {
    let known = |after: &str| {
        let name = if let Some(braced) = after.strip_prefix('{') {
            // Behind the name may stand an operator, which makes another text of the value, or the length of it.
            let braced = braced.strip_prefix('#').unwrap_or(braced);
            let end = braced.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(braced.len());
            braced.get(..end).unwrap_or_default()
        } else {
            let end = after.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(after.len());
            let end = if end == 0 { after.chars().next().map_or(0, char::len_utf8) } else { end };
            after.get(..end).unwrap_or_default()
        };
        // What the line itself gives a value to: names of files, numbers.
        listed(KNOWN_VARIABLES, name) || is_free_variable(name)
    };
    // What a command prints that itself only looks.
    let text = text.replace(SUBSTITUTED, "").replace(CALCULATED, "").replace(REVISION, "");
    !text.contains('`') && text.split('$').skip(1).all(known)
}
