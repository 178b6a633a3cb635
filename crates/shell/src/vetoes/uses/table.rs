//! What is known of the programs that run others.
//!
//! Sources: the manual page of each program, its section on how it is called.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::super::super::command_line::{Word, WordKind};
use super::{generic, name_of, takes_next};
use crate::pattern::canonical;
use crate::programs::class::Class;
use crate::programs::effect::Effect;
use crate::vetoes::PROJECT_RUNNERS;

/// Wrappers whose program is the first operand behind so many others.
struct Wrapper {
    names: &'static str,
    /// Sub-commands that run.
    sub: &'static str,
    operands: usize,
    /// A shell reads the rest.
    script: bool,
}

const fn wrapper(names: &'static str, sub: &'static str, operands: usize) -> Wrapper {
    Wrapper { names, sub, operands, script: false }
}

const fn script(names: &'static str, operands: usize) -> Wrapper {
    Wrapper { names, sub: "", operands, script: true }
}

const WRAPPERS: &[Wrapper] = &[
    wrapper(
        "nohup setsid unbuffer busybox toybox coreutils strace ltrace catchsegv xvfb-run dbus-run-session firejail \
        systemd-run eatmydata nocache proxychains proxychains4 torsocks torify tsocks caffeinate fakeroot rlwrap entr chronic ts \
        ifne stdbuf nice ionice gnice env genv sudo sudo-rs doas dzdo command builtin exec time sg-run tini dumb-init xargs gxargs \
        wsl dotenvx linux32 linux64 aa-exec faketime-run",
        "",
        0,
    ),
    wrapper("timeout gtimeout setarch chroot gosu su-exec setuidgid chpst taskset chrt softlimit faketime", "", 1),
    wrapper("flock", "", 1),
    script("eval watch viddy hyperfine parallel trap", 0),
    script("ssh mosh autossh", 1),
    wrapper("docker podman nerdctl", "exec", 1),
    wrapper("docker podman nerdctl", "run", 1),
    wrapper("docker podman nerdctl", "create", 1),
    wrapper("docker podman nerdctl", "container exec", 1),
    wrapper("docker podman nerdctl", "container run", 1),
    wrapper("docker podman nerdctl", "compose exec", 1),
    wrapper("docker podman nerdctl", "compose run", 1),
    wrapper("docker-compose podman-compose", "exec", 1),
    wrapper("docker-compose podman-compose", "run", 1),
    wrapper("docker podman nerdctl", "service create", 1),
    wrapper("kubectl oc", "exec", 1),
    wrapper("kubectl oc", "create job", 1),
    wrapper("kubectl oc", "create cronjob", 1),
    wrapper("kubectl oc", "run", 1),
    wrapper("kubectl oc", "debug", 1),
    wrapper("yarn", "workspaces foreach exec", 0),
    wrapper("yarn", "workspaces foreach run", 0),
    wrapper("npm pnpm yarn", "exec", 0),
    wrapper("npm", "x", 0),
    wrapper("pnpm yarn", "dlx", 0),
    wrapper("uv", "tool run", 0),
    wrapper("pipx", "run", 0),
    wrapper("conda mamba micromamba", "run", 0),
    wrapper("mise rtx asdf rbenv nodenv pyenv", "exec", 0),
    wrapper("mise rtx", "x", 0),
    wrapper("direnv", "exec", 1),
    wrapper("rustup", "run", 1),
    wrapper("git", "bisect run", 0),
    wrapper("aws-vault", "exec", 1),
    wrapper("op doppler", "run", 0),
];

static WRAPPERS_BY_NAME: LazyLock<HashMap<&'static str, Vec<&'static Wrapper>>> = LazyLock::new(|| {
    let mut by_name: HashMap<&'static str, Vec<&'static Wrapper>> = HashMap::new();
    for wrapper in WRAPPERS {
        wrapper.names.split_ascii_whitespace().for_each(|name| by_name.entry(name).or_default().push(wrapper));
    }
    by_name
});

/// Options in front of the program of a wrapper.
const ANNOUNCING: &[(&str, &str)] = &[("wsl", "-e"), ("wsl", "--exec")];

/// Options of wrappers without a value; one that is neither here nor among those with a value leaves open where the
/// program stands.
const FLAGS: &[(&str, &str)] = &[
    (
        "docker podman nerdctl docker-compose podman-compose kubectl oc",
        "-i -t -it -ti -d -T --rm --tty --interactive --stdin --detach --privileged --no-deps",
    ),
    ("npx npm pnpm", "-y --yes"),
    ("flock", "-n -x -s -e -u --nonblock --exclusive --shared --unlock"),
    ("watch", "-d -t -e -g -b -c -x --differences --no-title --color --exec"),
    ("strace ltrace", "-f -ff -c -q -t -tt -r -v -y"),
    ("env", "-i -"),
    ("ssh autossh", "-t -tt -T -A -a -q -v -C -f -n -4 -6 -X -Y -x -M"),
    ("sudo sudo-rs", "-n -E -H -S -k -b -i -s"),
    ("command time", "-p"),
    ("systemd-run", "--user --system --scope --pty -t --wait -q --quiet --collect"),
    ("firejail", "--quiet --noprofile --private"),
    ("xargs gxargs", "-0 -r -t -x --null --no-run-if-empty"),
    ("setarch linux32 linux64", "-R -B -F -I -L -S -T -X -Z -v"),
    ("setsid", "-w -f -c --wait --fork"),
];

/// Where the program of a wrapper stands.
pub(super) struct Prefix {
    /// `None`: there is one, but nobody here can tell where.
    pub(super) start: Option<usize>,
    /// A shell reads what stands there.
    pub(super) script: bool,
}

/// Where the command starts that `words` run, if they are a wrapper's.
pub(super) fn prefix(name: &str, words: &[Word]) -> Option<Prefix> {
    let own = WRAPPERS_BY_NAME.get(name).into_iter().flatten();
    let found = own.filter_map(|wrapper| {
        let subs: Vec<&str> = wrapper.sub.split_ascii_whitespace().collect();
        let from = behind_subs(name, words, &subs)?;
        Some(Prefix { start: start(name, words, from, wrapper.operands), script: wrapper.script })
    });
    let project = PROJECT_RUNNERS.iter().filter_map(|runner| {
        let (program, subs) = runner.split_first()?;
        let from = if *program == name { behind_subs(name, words, subs)? } else { return None };
        Some(Prefix { start: start(name, words, from, 0), script: false })
    });
    found.chain(project).next()
}

/// Behind the sub-commands `subs` of `words`.
fn behind_subs(name: &str, words: &[Word], subs: &[&str]) -> Option<usize> {
    let mut index = 1;
    for sub in subs {
        index = super::sub_commands::position(name, words, index)?;
        if words.get(index)?.text != *sub {
            return None;
        }
        index += 1;
    }
    Some(index)
}

/// The word behind `operands` operands and all options, if it is surely that one.
fn start(name: &str, words: &[Word], from: usize, mut operands: usize) -> Option<usize> {
    // `mise exec node@20 -- rm x`: tools may stand in front.
    if matches!(name, "mise" | "rtx")
        && let Some(dashes) = words.iter().position(|word| word.text == "--")
    {
        return (words.len() > dashes + 1).then_some(dashes + 1);
    }
    let mut index = from;
    let mut unclear = false;
    loop {
        let word = words.get(index)?;
        let text = word.text.as_str();
        if text == "--" {
            return (operands == 0 || words.len() > index + 1).then_some(index + 1);
        }
        if word.kind == WordKind::Varies && (operands == 0 || unclear) {
            return None;
        }
        if ANNOUNCING.iter().any(|(listed, option)| *listed == name && *option == text) {
            return (words.len() > index + 1).then_some(index + 1);
        }
        if text.starts_with('-') && text.len() > 1 {
            let takes = takes_next(name, text);
            let listed = |list: &str, name: &str| list.split_ascii_whitespace().any(|listed| listed == name);
            let is_flag = FLAGS.iter().any(|(names, flags)| listed(names, name) && listed(flags, text));
            unclear = !takes && !is_flag && !text.contains('=');
            index += if takes { 2 } else { 1 };
            continue;
        }
        // `env A=b`, `docker exec -e A=b`.
        if text.split_once('=').is_some_and(|(name, _)| super::super::super::word::is_variable_name(name)) {
            index += 1;
            continue;
        }
        if unclear {
            return None;
        }
        if operands == 0 {
            return Some(index);
        }
        operands -= 1;
        index += 1;
    }
}

/// Programs whose words are only names and texts.
const NAMES: &str = "pacman yay paru whatis apropos tldr cheat help kill pkill killall read wait unset cd pushd popd dirs jobs fg bg disown \
    shift umask ulimit times history break continue exit return logout suspend getopts shopt set \
    enable [[ case for select dpkg-query apt-file apt-mark open sw_vers say xdg-open code subl cursor";

/// Whether `name` does nothing with its words but look them up, or open them for a person.
pub(super) fn only_names(name: &str) -> bool {
    NAMES.split_ascii_whitespace().any(|listed| listed == name)
}

/// Builtins that calculate with their words, or with the subscript of a variable that one of them names (bash manual,
/// "Shell Arithmetic", "Arrays").
pub(super) fn calculates(name: &str) -> bool {
    matches!(
        name,
        "let" | "test" | "[" | "[[" | "printf" | "read" | "unset" | "wait" | "mapfile" | "readarray" | "getopts"
    )
}

/// Options of programs that write or in which commands can be typed, which run their value.
const RUNNING: &[(&str, &str)] = &[
    ("rsync", "-e --rsh --rsync-path"),
    ("scp sftp", "-S -o -F -D -s"),
    ("split", "--filter"),
    ("install ginstall", "--strip-program"),
    ("cpio", "--rsh-command -I"),
    ("wget", "--use-askpass -e --execute"),
    ("rclone", "--password-command --sftp-ssh --metadata-mapper"),
    ("sendmail mail mailx mutt", "-S"),
    ("man", "-P --pager -H --html --preprocessor -p"),
    ("socat", "-e"),
    ("nc ncat netcat", "-e -c --exec --sh-exec"),
    ("apt-get apt-cache aptitude", "-o --option"),
    ("dpkg", "--pre-invoke --post-invoke --status-logger"),
    ("rpm", "-E --eval --pipe -D --define --qf --queryformat --undefine --predefine"),
    ("cargo", "--config"),
    ("mapfile readarray", "-C"),
    ("less more most", "-P -k --lesskey-src --lesskey-content"),
];

/// Whether `option` of the program called `name` runs its value: by its manual, or going by its name.
pub(super) fn runs(name: &str, option: &str) -> bool {
    runs_by_manual(name, option) || option.starts_with("--") && generic::effect(option) == Some(Effect::Runs)
}

/// The same by its manual alone.
pub(super) fn runs_by_manual(name: &str, option: &str) -> bool {
    let listed = |list: &str, name: &str| list.split_ascii_whitespace().any(|listed| listed == name);
    let bare = option.split('=').next().unwrap_or(option);
    let letter = option.get(..2).unwrap_or(option);
    let found = |(names, options): &(&str, &str)| {
        // getopt_long(3) takes the beginning of a name.
        let abbreviated = |full: &str| bare.len() > 2 && full.starts_with("--") && full.starts_with(bare);
        // `-avze rm`: the last of a cluster.
        let cluster = |full: &str| {
            !option.starts_with("--")
                && full.len() == 2
                && full.chars().last().is_some_and(|last| option.contains(last))
        };
        listed(names, name)
            && options.split_ascii_whitespace().any(|full| {
                full == bare || full == letter && !option.starts_with("--") || abbreviated(full) || cluster(full)
            })
    };
    RUNNING.iter().any(found)
}

/// Options whose value is the command that runs, and its words: find(1), fd(1).
pub(super) fn is_command(name: &str, option: &str) -> bool {
    match name {
        "find" => matches!(option, "-exec" | "-execdir" | "-ok" | "-okdir"),
        "fd" | "fdfind" => matches!(option, "-x" | "-X" | "--exec" | "--exec-batch"),
        _ => false,
    }
}

/// Options that the tables of what may be allowed list among those that run, but whose value names a folder, a
/// file or a form of printing.
pub(super) fn only_looks_up(name: &str, option: &str) -> bool {
    match name {
        "make" | "gmake" => {
            matches!(option, "-C" | "--directory" | "-f" | "--file" | "--makefile" | "-I" | "--include-dir")
        }
        "just" | "task" | "ninja" | "rake" => matches!(option, "-f" | "-d" | "-C" | "-t" | "--justfile"),
        _ => false,
    }
}

/// Options that hold a text, a name or a number in every program that has them.
const DATA: &[&str] = &[
    "message",
    "body",
    "title",
    "subject",
    "description",
    "notes",
    "note",
    "comment",
    "search",
    "query",
    "grep",
    "regex",
    "regexp",
    "pattern",
    "label",
    "name",
    "author",
    "assignee",
    "milestone",
    "branch",
    "base",
    "head",
    "tag",
    "date",
    "since",
    "until",
    "format",
    "jq",
    "json",
    "limit",
    "namespace",
    "selector",
    "repo",
    "project",
    "package",
    "region",
    "profile",
    "include",
    "exclude",
    "glob",
    "type",
    "field",
    "raw-field",
    "body-file",
    "notes-file",
    "reason",
    "workspace",
    "filter",
    "features",
    "bin",
    "example",
    "test",
    "rm",
    "reviewer",
];
/// Letters of which the same is true where there are sub-commands.
const DATA_LETTERS: &str = "mtbnlpgFR";

/// Whether the value of `option` is a text, a name or a number whatever the program is.
pub(super) fn is_data(option: &str) -> bool {
    match option.strip_prefix("--") {
        Some(long) => DATA.contains(&long.split('=').next().unwrap_or(long)),
        // Behind a longer one its value may be glued to it: `-e/bin/rm`.
        None => option.len() == 2 && option.ends_with(|letter: char| DATA_LETTERS.contains(letter)),
    }
}

/// Programs that write, but can be told what to run in a word of their own language: the pages of TeX with
/// `-shell-escape` and of Lua, a file that is a pipe (Ghostscript, "Use of the pipe device"; ImageMagick, "MSL"), sftp with `!`.
const WITH_LANGUAGE: &str =
    "sftp tex etex pdftex luatex xetex latex pdflatex lualatex xelatex gs magick convert mogrify ffmpeg";

/// Whether a word of `name`, which writes files, may be a text that it runs.
pub(super) fn reads_language(name: &str) -> bool {
    WITH_LANGUAGE.split_ascii_whitespace().any(|listed| listed == name)
}

/// Programs that take words for text, patterns or expressions, in which a `|` means nothing else.
pub(super) fn takes_pipes(name: &str) -> bool {
    !crate::vetoes::forms::takes_text(name)
}

/// Shells of which `-c` takes a script that begins its commands as bash does.
pub(super) fn is_shell(name: &str) -> bool {
    matches!(name, "bash" | "sh" | "dash" | "zsh" | "ksh" | "mksh" | "fish" | "csh" | "tcsh" | "ash" | "rbash")
}

/// The name under which `program` stands in the tables.
pub(super) fn listed_name(program: &str) -> String {
    let base = name_of(program);
    if !matches!(super::class::of(base), Class::Unlisted) { base.to_owned() } else { canonical(base) }
}

/// Folders in which a program has the name that it is known by (hier(7), the Filesystem Hierarchy Standard, Homebrew).
const FOLDERS: &[&str] = &[
    "/bin/",
    "/usr/bin/",
    "/usr/local/bin/",
    "/sbin/",
    "/usr/sbin/",
    "/usr/local/sbin/",
    "/opt/homebrew/bin/",
    "/usr/lib/git-core/",
    "/usr/libexec/git-core/",
];

/// Whether `program` is what its name says: `./grep` may be anything.
pub(super) fn is_system(program: &str) -> bool {
    let base = name_of(program);
    base.len() == program.len() || FOLDERS.iter().any(|folder| program.strip_suffix(base) == Some(*folder))
}
