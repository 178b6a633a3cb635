//! Which programs are judged how.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::options::{Operands, Spec};
use super::scripts::{INTERPRETERS, Interpreter};
use super::{git, packages, programs, tasks, tools};

/// How a program is judged.
#[derive(Clone, Copy, Debug)]
pub(super) enum Class {
    /// It only reads; any option and any operand is harmless.
    AnyText,
    /// It writes its operands.
    Writer,
    /// A wildcard never covers it, because it …
    Never(&'static str),
    /// It runs what it is given.
    Script(&'static Interpreter),
    /// Its sub-commands are listed, and a pattern has to name the one that it means.
    SubCommands(&'static [&'static [Spec]]),
    /// Its harmless sub-commands are listed.
    HarmlessCommands(&'static [&'static [Spec]]),
    /// Its options are listed.
    Options(&'static Spec),
    /// Its operands are tasks of the project.
    Tasks(&'static Spec),
    /// Nothing is known.
    Unlisted,
}

/// Programs whose options and operands can do nothing but read and print (their manual pages list
/// no option that writes, executes or connects).
const ANY_TEXT: &str = "ls dir vdir echo cat head tail wc grep egrep fgrep basename dirname realpath readlink stat du df pwd true false : \
    nl tac rev cut tr paste join comm fold fmt expand unexpand od hexdump md5sum sha1sum sha224sum sha256sum sha384sum \
    sha512sum b2sum cksum sum cmp id whoami groups uname uptime nproc which whereis seq sleep printenv tty logname \
    users w who ps free lscpu lsusb pgrep pidof numfmt factor type getconf locale readelf strings \
    look base32 basenc cal tsort pathchk vmstat iostat lsb_release tput";

/// Programs that write, remove or change what their operands name.
const WRITERS: &str = "rm rmdir unlink mv cp ln install dd tee truncate touch mkfifo mknod mktemp chmod chown chgrp chattr \
    setfacl shred split csplit rename wipe srm rip nixpkgs-fmt psalter patch gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lz4 compress uncompress wget sponge \
    cpio pax unzip unrar 7z 7za ar ranlib objcopy strip link ld as dos2unix unix2dos rsync scp sftp rclone mogrify convert \
    magick ffmpeg wkhtmltopdf pdflatex latex xelatex lualatex tex gs indent autopep8 sqlite3-diff debugfs mkswap mke2fs";

/// Builtins that change what later commands mean, or evaluate their operands (bash manual, "Bourne
/// Shell Builtins", "Bash Builtin Commands").
const BUILTINS: &str = "eval source . trap hash alias unalias export declare typeset local readonly set unset shopt enable read \
    mapfile readarray let getopts compgen complete compopt bind caller fc history jobs fg bg wait disown kill pkill killall \
    suspend logout exit return break continue shift umask ulimit pushd popd dirs times coproc function select [[ (( case if while until for";

/// Whether `name` is one of the shell's own commands that change what later ones mean.
pub(super) fn is_builtin(name: &str) -> bool {
    BUILTINS.split_ascii_whitespace().any(|listed| listed == name)
}

/// Programs that run what their operands say.
const RUNNERS: &str = "xargs env timeout nohup nice ionice stdbuf setsid sudo doas su runuser pkexec flock script parallel watch strace \
    ltrace gdb lldb valgrind perf unshare nsenter chroot busybox toybox ssh mosh autossh tmux screen at batch crontab systemd-run time builtin exec \
    entr firejail bwrap proot fakeroot chrt taskset numactl prlimit setarch linux32 linux64 run-parts start-stop-daemon expect \
    unbuffer rlwrap dbus-run-session dbus-launch xvfb-run watchman hyperfine direnv nix-shell nix guix distrobox toolbox \
    vagrant ansible ansible-playbook salt fab cap npx pnpx bunx uvx pipx corepack nyc dotenv cross-env concurrently nodemon pm2 forever supervisord \
    caffeinate arch gtimeout gnice genv gxargs chpst softlimit setuidgid s6-setuidgid s6-applyuidgid runsv chroot gosu su-exec tini dumb-init \
    catchsegv ldd ld.so ld-linux.so.2 ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 cgexec nocache eatmydata faketime torsocks torify proxychains \
    proxychains4 tsocks i3-msg swaymsg launchctl newgrp sg capsh setpriv with-contenv logsave setlock daemonize daemon detach dtach abduco \
    gpg-agent keychain op doppler chamber aws-vault vault-env envdir envchain envconsul dotenvx foreman overmind hivemind honcho pipenv rye \
    hatch pdm pyenv rbenv nodenv nvm fnm volta sdk coverage kernprof py-spy memray scalene rr heaptrack bpftrace stap dtrace \
    bundle lxc incus multipass k3s crictl ctr xdg-open open code codium cursor subl start explorer \
    wsl aa-exec choom cpulimit multitime openvt sshpass slsh run-mailcap logrotate puppet knife easy_install cpan pdb pdb3 git-shell \
    sudoedit dzdo sudo-rs doas-rs runcon runscope uidgid sshfs ts-run ngrok cloudflared pwsh-preview zellij byobu ctags-exuberant lerna";

/// Programs in which commands can be typed or scripted.
const EDITORS: &str = "vi vim nvim view ex ed red nano pico emacs emacsclient less more most man info pinfo tig lynx links w3m elinks \
    zless zmore mutt mail mailx sendmail ftp telnet nc ncat netcat socat gdbserver irssi weechat mc ranger nnn top htop";

/// Databases whose clients run shell commands and write files.
const DATABASES: &str =
    "sqlite3 sqlite psql mysql mariadb mongo mongosh redis-cli duckdb clickhouse-client sqlcmd influx cqlsh";

/// Programs that change the system.
const SYSTEM: &str = "mount umount mkfs fdisk parted swapon swapoff modprobe insmod rmmod sysctl iptables nft ufw ifconfig route tc \
    useradd userdel usermod groupadd passwd chpasswd visudo shutdown reboot halt poweroff init telinit service update-alternatives \
    ldconfig hwclock openssl gpg gpg2 ssh-keygen ssh-agent ssh-add keytool nmap tcpdump wireshark tshark \
    dpkg ruff-lsp apk-tools xbps-install nix-env port \
    cmake meson bazel ant tox nox scons invoke";

/// Names in lists of which every program is judged alike.
const LISTS: &[(&str, Class)] = &[
    (ANY_TEXT, Class::AnyText),
    (WRITERS, Class::Writer),
    (BUILTINS, Class::Never("changes what later commands do")),
    (RUNNERS, Class::Never("runs another program")),
    (EDITORS, Class::Never("can run commands and open connections")),
    (DATABASES, Class::Never("can run commands and write files")),
    (SYSTEM, Class::Never("can change the system or run other programs")),
];

/// Every name that is listed anywhere. Of a program that stands in two tables the first counts.
static BY_NAME: LazyLock<HashMap<&'static str, Class>> = LazyLock::new(|| {
    let tools = tools::TOOLS.iter().map(|spec| (spec.names, Class::Options(spec)));
    let tasks = tasks::TASKS.iter().map(|spec| (spec.names, Class::Tasks(spec)));
    let commands = SUB_COMMANDS.iter().map(|(names, specs)| (*names, Class::SubCommands(specs)));
    let others = programs::all().map(|program| (program.names, program.class));
    let mut by_name = HashMap::new();
    for (names, class) in tools.chain(tasks).chain(commands).chain(others).chain(LISTS.iter().copied()) {
        for name in names.split_ascii_whitespace() {
            by_name.entry(name).or_insert(class);
        }
    }
    by_name
});

static INTERPRETERS_BY_NAME: LazyLock<HashMap<&'static str, &'static Interpreter>> = LazyLock::new(|| {
    let each = INTERPRETERS.iter().rev();
    each.flat_map(|interpreter| interpreter.names.split(' ').map(move |name| (name, interpreter))).collect()
});

/// The class of the program called `name`, without its folder.
pub(super) fn of(name: &str) -> Class {
    // `python3.12`, `ruby2.7`.
    let plain = name.trim_end_matches(|character: char| character.is_ascii_digit() || character == '.');
    match INTERPRETERS_BY_NAME.get(name).or_else(|| INTERPRETERS_BY_NAME.get(plain)) {
        Some(interpreter) => Class::Script(interpreter),
        None => BY_NAME.get(name).copied().unwrap_or(Class::Unlisted),
    }
}

/// Programs with sub-commands.
pub(super) const SUB_COMMANDS: &[(&str, &[&[Spec]])] = &[
    ("git", &[git::READING, git::CHANGING]),
    ("npm pnpm yarn", &[packages::NPM]),
    ("cargo", &[packages::CARGO]),
    ("go", &[packages::GO]),
    ("pip pip3 uv poetry", &[packages::PIP]),
    ("docker podman", &[packages::DOCKER]),
    ("kubectl oc", &[packages::KUBECTL]),
    ("systemctl", &[packages::SYSTEMCTL]),
    ("apt apt-get apt-cache", &[packages::APT]),
    ("brew", &[packages::BREW]),
    ("dotnet", &[packages::DOTNET]),
    ("docker-compose podman-compose", &[packages::COMPOSE]),
    ("gh", &[packages::GH]),
];

/// Whether `name` runs its operands as a program, so that any of its words may be one.
pub(crate) fn runs_operands(name: &str) -> bool {
    let name = super::name_of(name);
    RUNNERS.split_whitespace().any(|listed| listed == name)
        || programs::find(name).is_some_and(|program| program.runs_operands)
        || INTERPRETERS.iter().any(|interpreter| interpreter.names.split(' ').any(|listed| listed == name))
        || matches!(
            name,
            "find" | "fd" | "fdfind" | "eval" | "trap" | "docker" | "podman" | "kubectl" | "make" | "git" | "npm"
        )
}

/// Whether commands can be typed or scripted in `name`: an editor, a pager, a database's client.
pub(super) fn takes_commands(name: &str) -> bool {
    let name = super::name_of(name);
    [EDITORS, DATABASES].iter().any(|list| list.split_whitespace().any(|listed| listed == name))
}

/// Whether a pattern for `name` and `subs`, the words behind it that are no options, whose rest is a `*` deserves a warning.
pub(crate) fn is_broad(name: &str, subs: &[&str]) -> bool {
    match of(super::name_of(name)) {
        Class::Writer | Class::Never(_) | Class::Script(_) => true,
        Class::Options(spec) => spec.broad,
        Class::Tasks(_) => subs.iter().all(|sub| sub.starts_with('-')),
        Class::SubCommands(specs) => {
            let find = |name: &str| {
                let listed = |spec: &&Spec| spec.names.split(' ').any(|listed| listed == name);
                specs.iter().copied().flatten().find(listed)
            };
            let nested = subs.get(..2).and_then(|subs| find(&subs.join(":")));
            // What has to be spelled out, `npm run NAME`, is.
            let pinned = |spec: &Spec| matches!(spec.operands, Operands::Pinned(least) if subs.len() > least);
            let spec = nested.or_else(|| subs.first().and_then(|sub| find(sub)));
            spec.is_none_or(|spec| spec.broad && !pinned(spec))
        }
        Class::AnyText | Class::HarmlessCommands(_) | Class::Unlisted => false,
    }
}
