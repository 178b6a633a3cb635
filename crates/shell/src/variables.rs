//! Variables that are set without an assignment, and names that are safe to set.
//!
//! Sources: bash manual, "Bourne Shell Builtins", "Bash Builtin Commands", "Bash Variables";
//! zshbuiltins(1), zshmodules(1), zshparam(1); dash(1). `printf` with `%n` sets a variable in bash and
//! zsh; zsh calculates what it prints as a number, and `PATH=5` is a calculation that sets.

use super::assignments::is_harmless;
use super::characters::is_variable_name;
use super::command_line::{Part, Shell, Word, WordKind};
use crate::programs::{Fact, has_fact};

/// How a builtin is told which variables it sets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    /// Any word behind it may be one, or a value that looks like one.
    Words,
    /// The value of this option.
    Option(char),
    /// The format or `-v`.
    Format,
    /// `-v` and `-R`, which look into a variable and calculate its subscript; `-t`, of which zsh
    /// calculates the number.
    Test,
}

/// Every builtin that sets a variable.
const SETTERS: &[(&str, By)] = &[
    ("read mapfile readarray getopts declare typeset local export readonly unset let select", By::Words),
    (
        "integer float nameref private vared zparseopts zstat sysread strftime zformat zregexparse getln print set",
        By::Words,
    ),
    ("coproc compgen shift", By::Words),
    ("wait", By::Option('p')),
    ("printf", By::Format),
    ("test [", By::Test),
];

/// Ordinary words for what a line works on, which no program takes a setting from, even where they are exported.
const ORDINARY: &str = "file files dir name item line arg key val value num idx pr repo branch commit sha tag pkg crate test spec case url \
    port job run step task ext lang day row col bin dst pattern page entry cmd target checkpoint id tmpfile tmpdir_path body title msg \
    count total fail empty need list prev cur hash sum result output input data text json base head old new dest owner repo_name \
    owner_repo pr_number pr_author issue number worktree session log res resp response status_code code start suffix prefix lib cfg blob sub subj msgs names lines \
    files_list expected actual found missing failed passed ok errors total_lines first last left right prev_file part parts field";

/// Words that may be a name in capitals of their own. No program is known that takes a setting from one of them: `TARGET`,
/// `PREFIX`, `TMP`, `HOST`, `LANG`, `PORT`, `CC` and `KEY` are not among them.
const ORDINARY_IN_CAPITALS: &str = "A B C D F G L N P R S T U W SP SK WT SC SCRATCH SCRATCHPAD INPUT IN OUT OUTPUT RESULT RESULTS RESP RESPONSE BASE HEAD BRANCH REPO PR \
    ISSUE JOB SHA COMMIT COMMITS TAG FILE FILES DIR DIRS SRC DEST DST BODY TITLE MSG MESSAGE OLD NEW FINAL COUNT LINE LINES ROOT DESC NAME \
    NAMES TEXT TMPFILE LOGFILE OUTDIR OUTFILE WORKTREE WORKDIR BEFORE AFTER TOTAL DATE NOW START FROM TO LAST FIRST PREV NEXT CUR CURRENT \
    MERGE DIFF PATCH PLAN NOTE NOTES REPORT SUMMARY PROMPT_FILE COMMENT COMMENTS CHANGED MISSING FAILED PASSED FOUND ITEM ITEMS LIST \
    WORKFLOW RUN STEP STATE STATUS_CODE HTTP_CODE ATTEMPT TRIES SIZE LEN MAX_TRIES NUM NUMBER QUERY JSON CSV";

/// Words that make a name in capitals together with others of these and of [`ORDINARY_IN_CAPITALS`]: `RUN_ID`, `LOG_FILE`,
/// `BASE_URL`. A name of a program, as in `GIT_DIR`, is not among them, nor what tells where programs or libraries are.
const IN_COMPOUNDS: &str =
    "ID IDS URL LOG OWNER USER ORG PATH PATHS TMP TEMP TEST TESTS DATA DOCS DOC SESSION CODE STATUS OF AND MD";

/// Names in small letters that a shell or a program takes a setting from: zshparam(1), zshmodules(1), zshzle(1) and
/// zshcompwid(1), "Parameters"; bash manual, "Bash Variables"; curl(1) and wget(1), the proxies.
const SMALL_SETTINGS: &str = "aliases argv auto_resume builtins cdpath commands compstate context curcontext dirstack errnos epochtime \
    fignore fpath funcfiletrace funcsourcetrace funcstack functions functions_source functrace galiases histchars history \
    historywords jobdirs jobstates jobtexts keymaps langinfo mailpath manpath mapfile match mbegin mend module_path modules \
    nameddirs options out parameters patchars path periodic pipestatus precmd preexec prompt psvar region_highlight reply \
    reswords saliases signals src status suffix_aliases sysparams term termcap terminfo usergroups userdirs watch watchfmt widgets \
    windir words";

/// How names in small letters begin that programs read: npm-config(7), yarn, pnpm, rvm, zsh, nix.
const SMALL_BEGINNINGS: &[&str] =
    &["npm_", "yarn_", "pnpm_", "bun_", "rvm_", "zsh", "zle", "dis_", "comp", "nix", "prompt", "java", "python"];

/// How they end: hooks of zsh (zshmisc(1), "Hook Functions"), proxies.
const SMALL_ENDINGS: &[&str] = &["_functions", "_proxy", "path", "_options", "_command"];

/// Names in capitals by which a shell reads or expands text, finds folders and programs, or that are numbers to it: bash
/// manual, "Bourne Shell Variables", "Bash Variables"; zshparam(1), "Parameters Set By The Shell", "Parameters Used By The
/// Shell".
const SHELL_SETTINGS: &str = "ARGC ARGV0 BAUD CDPATH CHILD_MAX COLUMNS COPROC CPUTYPE DIRSTACK DIRSTACKSIZE EGID EMACS ENV EPOCHREALTIME \
    EPOCHSECONDS ERRNO EUID EXECIGNORE FCEDIT FIGNORE FPATH FUNCNAME FUNCNEST GID GLOBIGNORE GLOBSORT GROUPS HOME HOSTFILE HOSTNAME \
    IFS IGNOREEOF INPUTRC INSIDE_EMACS KEYBOARD_HACK KEYTIMEOUT LANG LANGUAGE LINENO LINES LISTMAX LOGCHECK LOGNAME MACHTYPE MAIL \
    MAILCHECK MAILPATH MANPATH MAPFILE MODULE_PATH NULLCMD OLDPWD OPTARG OPTERR OPTIND OSTYPE PATH PIPESTATUS POSIXLY_CORRECT \
    POSTEDIT PPID PROMPT PWD RANDOM READNULLCMD REPLY REPORTMEMORY REPORTTIME SAVEHIST SECONDS SHELL SHELLOPTS SHLVL SPROMPT \
    SRANDOM STTY TERM TERMINFO TERMINFO_DIRS TIMEFMT TIMEFORMAT TMOUT TMPDIR TMPPREFIX TMPSUFFIX TRY_BLOCK_ERROR \
    TRY_BLOCK_INTERRUPT TTY TTYIDLE UID USERNAME VENDOR WATCH WATCHFMT WORDCHARS ZDOTDIR";

/// How other such names begin.
const SHELL_SETTING_BEGINNINGS: &[&str] =
    &["BASH", "COMP", "DIS_", "HIST", "LC_", "PROMPT", "PS", "READLINE", "RPROMPT", "RPS", "ZBEEP", "ZLE", "ZSH"];

/// Whether `assignment`, or one to the variable of this name, may change how the shell reads or expands what follows, or
/// is about a variable whose name is not known.
pub(crate) fn changes_reading(assignment: &str) -> bool {
    let name = assignment.split(['=', '+', '[']).next().unwrap_or_default();
    // No shell has settings of its own in mixed letters.
    let is_of_programs = |name: &str| {
        name.bytes().any(|byte| byte.is_ascii_uppercase())
            && !listed(SHELL_SETTINGS, name)
            && !SHELL_SETTING_BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
    };
    let subscripted = assignment.split('=').next().is_some_and(|left| left.contains('['));
    !is_variable_name(name) || subscripted || !(is_free(name) || is_of_programs(name))
}

/// Whether nothing but the line itself looks at a variable called `name`, unless somebody exports it.
///
/// Names in small letters are the user's own (POSIX.1-2024, XBD 8.1), but for those of zsh and of few programs. In
/// capitals they are programs', but for a few ordinary words.
pub(crate) fn is_free(name: &str) -> bool {
    is_ordinary(name) || is_small(name)
}

/// Whether `name` is a plain word for what a line works on, wherever it is seen: one or two small letters, with a
/// number or not, or one of the list.
fn is_ordinary(name: &str) -> bool {
    let letters = without_number(name);
    let short = (1..=2).contains(&letters.len()) && letters.bytes().all(|byte| byte.is_ascii_lowercase());
    (short && name.len() <= 4) || listed(ORDINARY, name) || is_ordinary_in_capitals(name)
}

/// Ordinary words, or one that may stand alone.
fn is_ordinary_in_capitals(name: &str) -> bool {
    let is_word = |word: &str| listed(ORDINARY_IN_CAPITALS, word) || listed(IN_COMPOUNDS, word);
    listed(ORDINARY_IN_CAPITALS, without_number(name))
        || name.contains('_') && name.split('_').map(without_number).all(is_word)
}

fn without_number(name: &str) -> &str {
    name.trim_end_matches(|last: char| last.is_ascii_digit())
}

fn is_small(name: &str) -> bool {
    name.len() <= 40
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
        && !listed(SMALL_SETTINGS, name)
        && !SMALL_BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
        && !SMALL_ENDINGS.iter().any(|ending| name.ends_with(ending))
}

fn listed(list: &str, name: &str) -> bool {
    list.split_ascii_whitespace().any(|listed| listed == name)
}

/// Whether `part` may set a variable, or change what an assignment means (`declare -i`), whatever its name.
pub(super) fn may_set(part: &Part, shell: Shell) -> bool {
    let Some(program) = part.program() else { return false };
    let evaluates = |name: &str| has_fact(name, Fact::RunsWords);
    if evaluates(program) || part.wrappers.iter().any(|wrapper| evaluates(wrapper)) {
        return true;
    }
    let setter = SETTERS.iter().find(|(names, _)| names.split(' ').any(|name| name == program));
    match setter {
        None => false,
        Some((_, By::Words)) => program != "set" || !is_plain_set(part.words.get(1..).unwrap_or_default()),
        Some((_, By::Test)) => !set_by(&part.words, shell).is_empty(),
        // Free names count here, too.
        Some((_, By::Option(_))) => part.words.len() > 1,
        Some((_, By::Format)) => {
            let sets = |word: &Word| {
                word.kind != WordKind::Exact || word.text.starts_with("-v") || Conversions::of(&word.text).sets
            };
            part.words.iter().skip(1).any(sets)
        }
    }
}

/// The variables that `part` sets where it is a plain `read` of free names, an `unset` of some, or an `export` that names
/// what it sets: nothing else is set then.
pub(super) fn sets_only(part: &Part) -> Option<Vec<&str>> {
    let (program, operands) = part.words.split_first().filter(|_| part.wrappers.is_empty())?;
    let plain = |words: &[Word]| words.iter().all(|word| word.kind == WordKind::Exact && is_free(&word.text));
    let names = match program.text.as_str() {
        "read" => names_read(operands)?,
        "unset" => operands,
        "export" => return operands.iter().map(exported).collect(),
        _ => return None,
    };
    plain(names).then(|| names.iter().map(|word| word.text.as_str()).collect())
}

/// The variable that an operand of `export` names, whatever its value.
fn exported(operand: &Word) -> Option<&str> {
    let name = operand.text.split('=').next().unwrap_or_default();
    (is_variable_name(name) && !changes_reading(name)).then_some(name)
}

/// The names behind the options of a plain `read` (bash manual, "Bash Builtin Commands"; zshbuiltins(1); dash(1)): what
/// ends a line, how long it waits and that a backslash is one.
pub(crate) fn names_read(operands: &[Word]) -> Option<&[Word]> {
    let mut rest = operands;
    while let Some((first, behind)) = rest.split_first()
        && first.text.starts_with('-')
    {
        let taken = match first.text.as_str() {
            "-r" | "-rs" | "-s" => 0,
            "-d" | "-rd" => 1,
            "-t" | "-rt" => {
                let value = behind.first()?;
                value.text.bytes().all(|byte| byte.is_ascii_digit()).then_some(1)?
            }
            _ => return None,
        };
        let exact = |word: &&Word| word.kind == WordKind::Exact;
        rest = if taken == 0 { behind } else { behind.split_first().filter(|(value, _)| exact(value))?.1 };
    }
    Some(rest)
}

/// `set -e`, `set -euo pipefail`, `set -x`: they change when the line stops and what it tells (bash manual, "The Set
/// Builtin"; zshoptions(1)), and nothing about what its commands are.
pub(crate) fn is_plain_set(operands: &[Word]) -> bool {
    let mut options = operands.iter().map(|word| (word.text.as_str(), word.kind));
    while let Some((text, kind)) = options.next() {
        let letters = text.strip_prefix(['-', '+']).unwrap_or_default();
        let named = letters.ends_with('o');
        let letters = letters.strip_suffix('o').unwrap_or(letters);
        let known =
            kind == WordKind::Exact && (named || !letters.is_empty()) && letters.chars().all(|c| "euxv".contains(c));
        let name = if named { options.next() } else { None };
        let known_name = |(name, _)| matches!(name, "pipefail" | "errexit" | "nounset" | "xtrace");
        if !known || named && !name.is_some_and(known_name) {
            return false;
        }
    }
    !operands.is_empty()
}

/// The variables that the builtin of `words` sets in `shell`, as assignments of what nobody knows, but
/// for free ones.
pub(super) fn set_by(words: &[Word], shell: Shell) -> Vec<String> {
    let Some((program, operands)) = words.split_first() else { return Vec::new() };
    let setter = SETTERS.iter().find(|(names, _)| names.split(' ').any(|name| name == program.text));
    let Some((_, by)) = setter.filter(|_| program.text != "set" || !is_plain_set(operands)) else { return Vec::new() };
    let mut found = Found::default();
    match by {
        By::Words => {
            operands.iter().for_each(|word| found.add_word(word));
            // The value of a reference is a name.
            let is_reference = |word: &Word| word.text.starts_with(['-', '+']) && word.text.contains('n');
            if program.text == "nameref" || program.text != "read" && operands.iter().any(is_reference) {
                found.add_unknown();
            }
        }
        By::Option(letter) => found.add_values(*letter, operands),
        By::Format => found.add_formatted(operands, shell),
        By::Test => found.add_tested(operands, shell),
    }
    found.0
}

/// Assignments as [`super::Part::assignments`] has them.
#[derive(Default)]
struct Found(Vec<String>);

impl Found {
    fn add(&mut self, name: &str) {
        let bare = name.split(['=', '+', '[']).next().unwrap_or_default();
        // `declare -i x=PATH=5` and `let x=PATH++` calculate.
        let value = name.split_once('=').map_or("", |(_, value)| value);
        let calculates = value.contains(['=', '[']) || value.contains("++") || value.contains("--");
        // It may be exported.
        let harmless = is_ordinary(bare) && !name.contains('[') && !calculates || is_harmless(name);
        if !harmless && (name.contains('[') || is_variable_name(bare)) {
            self.0.push(if name.contains('=') { name.to_owned() } else { format!("{name}=") });
        }
    }

    /// A variable whose name is not known.
    fn add_unknown(&mut self) {
        self.0.push("a variable=".to_owned());
    }

    fn add_word(&mut self, word: &Word) {
        match word.kind {
            WordKind::Exact if !word.text.starts_with('-') => self.add(&word.text),
            // The name may be glued to the letter.
            WordKind::Exact => self.add(word.text.get(2..).unwrap_or_default()),
            WordKind::Home => {}
            WordKind::Varies => self.add_unknown(),
        }
    }

    /// The value of `-letter`, also in a cluster, glued or behind it.
    fn add_values(&mut self, letter: char, operands: &[Word]) {
        for (index, word) in operands.iter().enumerate() {
            let cluster = word.text.strip_prefix('-').unwrap_or_default();
            match cluster.split_once(letter) {
                Some((_, "")) => operands.get(index + 1).into_iter().for_each(|value| self.add_word(value)),
                Some((_, value)) => self.add(value),
                None if word.kind == WordKind::Varies && word.may_be_option() => self.add_unknown(),
                None => {}
            }
        }
    }

    fn add_formatted(&mut self, operands: &[Word], shell: Shell) {
        let mut rest = operands;
        while let Some((word, behind)) = rest.split_first()
            && word.text.starts_with("-v")
        {
            let glued = word.text.len() > 2;
            if glued {
                self.add(word.text.get(2..).unwrap_or_default());
            } else {
                behind.first().into_iter().for_each(|name| self.add_word(name));
            }
            rest = behind.get(usize::from(!glued)..).unwrap_or_default();
        }
        if rest.first().is_some_and(|word| word.text == "--") {
            rest = rest.get(1..).unwrap_or_default();
        }
        let Some((format, values)) = rest.split_first() else { return };
        if format.kind != WordKind::Exact {
            return self.add_unknown();
        }
        let conversions = Conversions::of(&format.text);
        for value in values {
            let calculated = conversions.numbers && shell.may_calculate() && !is_plain_number(value);
            if conversions.sets
                || calculated && (value.kind == WordKind::Varies || value.text.contains(['=', '+', '-', '[']))
            {
                match value.kind {
                    WordKind::Exact if is_variable_name(&value.text) => self.0.push(format!("{}=", value.text)),
                    _ => self.add_unknown(),
                }
            }
        }
    }

    fn add_tested(&mut self, operands: &[Word], shell: Shell) {
        for two in operands.windows(2) {
            let [operator, value] = two else { continue };
            let calculates = matches!(operator.text.as_str(), "-v" | "-R") && value.text.contains('[')
                || operator.text == "-t" && shell.may_calculate() && !is_plain_number(value) && value.text != "]";
            if calculates {
                self.add_unknown();
            }
        }
    }
}

fn is_plain_number(word: &Word) -> bool {
    word.kind == WordKind::Exact
        && word.text.bytes().all(|byte| byte.is_ascii_digit() || b".-+".contains(&byte))
        && word.text.trim_start_matches(['-', '+']).bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

/// What the conversions of a format of printf do (printf(3), "Conversion specifiers"; zsh takes `%1$n`).
#[derive(Default)]
struct Conversions {
    /// One of them is `%n`.
    sets: bool,
    /// One of them prints a number, or takes a width from an operand.
    numbers: bool,
}

impl Conversions {
    fn of(format: &str) -> Self {
        let mut found = Self::default();
        let mut pieces = format.split('%').skip(1);
        while let Some(piece) = pieces.next() {
            if piece.is_empty() {
                // `%%`; what follows is text.
                pieces.next();
                continue;
            }
            let start = piece.trim_start_matches(|c: char| c.is_ascii_digit() || "-+ #0'I*.$hlLqjzt".contains(c));
            let skipped = piece.get(..piece.len() - start.len()).unwrap_or_default();
            found.numbers |= skipped.contains('*');
            match start.chars().next() {
                Some('n') => found.sets = true,
                Some('s' | 'b' | 'c') => {}
                // `%q` and its like were skipped as lengths.
                None if skipped.ends_with('q') => {}
                Some('(') => found.numbers = true,
                // An escape in the format may become any letter.
                Some('\\') => found.sets = true,
                _ => found.numbers = true,
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::super::command_line::{CommandLine, Shell};
    use super::is_free;

    fn sets(line: &str, shell: Shell) -> bool {
        let line = CommandLine::analyse(line, shell);
        assert_eq!(line.obstacle, None, "{}", line.text);
        line.parts.iter().any(|part| !part.assignments.is_empty())
    }

    #[test]
    fn a_variable_that_is_set_without_an_assignment_is_an_assignment() {
        for line in [
            "printf '12345%n' PATH",
            "printf '%s%n' abc HOME",
            "printf '%5.2n' PATH",
            "printf '%ln' PATH",
            "printf '%1$n' PATH",
            "printf -- '%n' PATH",
            "printf -v PATH x",
            "printf -vPATH x",
            "printf -v 'a[$(id)]' x",
            "printf \"$x\" PATH",
            "read PATH",
            "read -r -a PATH",
            "read -aPATH",
            "read x PATH",
            "mapfile -t PATH",
            "readarray PATH",
            "getopts a PATH",
            "getopts a path",
            "wait -n -p PATH",
            "wait -fpPATH",
            "declare -n ref=PATH",
            "declare -n x=PATH y=IFS",
            "local PATH=x",
            "export PATH=x",
            "unset PATH",
            "let 'PATH=1'",
            "let PATH=1",
            "let x=PATH=1",
            "let 'x=PATH++'",
            "declare -i x=PATH=5",
            "test -v 'a[$(x)]'",
            "[ -v 'a[0]' ]",
            "command printf -v PATH x",
            "builtin read PATH",
            "timeout 5 printf -v PATH x",
            "read path",
            "print -v PATH x",
            "read \"$name\"",
        ] {
            assert!(sets(line, Shell::Bash), "{line}");
        }
    }

    #[test]
    fn zsh_calculates_numbers() {
        for line in [
            "printf '%d' PATH=5",
            "printf '%*s' PATH=5 x",
            "printf '%d' \"$x\"",
            "test -t PATH=1",
            "printf '%x\\n' 'a[1]'",
        ] {
            assert!(sets(line, Shell::Unknown) && sets(line, Shell::Zsh), "{line}");
        }
        assert!(!sets("printf '%d' PATH=5", Shell::Bash));
    }

    #[test]
    fn ordinary_uses_set_nothing() {
        for line in [
            "printf '%s\\n' a b",
            "printf 'a\\nb\\n'",
            "printf '%-10s %5d%%\\n' name 12",
            "printf '100%%n' x",
            "printf '%s' \"$x\"",
            "printf '%q' a=b",
            "test -f x",
            "[ \"$x\" = y ]",
            "read x",
            "read -r line",
            "export CI=1",
            "wait 12",
            "unset f",
            "[ -t 1 ]",
        ] {
            assert!(!sets(line, Shell::Unknown), "{line}");
        }
    }

    #[test]
    fn only_names_that_nothing_else_reads_are_free() {
        for name in [
            "f",
            "i",
            "x1",
            "wt",
            "file",
            "branch",
            "id",
            "tmp",
            "issue_body",
            "marker",
            "R",
            "SK",
            "WT7594",
            "ROOT",
            "S",
            "S2",
            "RUN_ID",
            "LOG_FILE",
            "BASE_URL",
            "PR_NUMBER",
        ] {
            assert!(is_free(name), "{name}");
        }
        for name in [
            "path",
            "fpath",
            "cdpath",
            "manpath",
            "module_path",
            "psvar",
            "watch",
            "prompt",
            "status",
            "argv",
            "match",
            "mapfile",
            "commands",
            "functions",
            "options",
            "aliases",
            "http_proxy",
            "no_proxy",
            "npm_config_prefix",
            "PATH",
            "IFS",
            "CC",
            "TARGET",
            "TMP",
            "GIT_DIR",
            "OUT_",
            "_FILE",
            "PYTHON_PATH",
            "LIB_PATH",
            "LOG",
            "URL",
            "NODE_OPTIONS",
            "PATH_",
            "PS1",
            "TZ",
            "TMP",
            "TMPDIR",
            "EDITOR",
            "chpwd_functions",
            "yarn_registry",
            "ld_library_path",
            "_",
            "GIT_SSH_COMMAND",
            "LD_PRELOAD",
            "histchars",
            "signals",
            "words",
            "out",
            "src",
            "rvm_path",
            "",
        ] {
            assert!(!is_free(name), "{name}");
        }
    }
}
