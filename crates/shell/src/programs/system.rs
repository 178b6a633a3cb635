//! Programs that tell of the machine, and those that change it.

use super::class::Class;
use super::danger::danger;
use super::effect::Effect::{Changes, Loads, Runs, Sends, Writes};
use super::fact::Fact;
use super::file_use::{FileUse, Folders};
use super::form::form;
use super::interactive::Interactive;
use super::printer::printer;
use super::runs::behind;
use super::shared::{BASH_INTERACTIVE, LSCPU_LOOKS};
use super::spec::{CHANGES, Operands, PLAIN, SAYS_VERSION, SERVES, Spec, WRITES, looks, looks_at};
use super::{Program, UNLISTED, changer, commands, later, never, options, runner};

/// It has no option that changes anything but for those that are not listed.
const TELLS: Spec = Spec {
    flags: "hVvaqlntx",
    long: "help version verbose quiet all short long json no-pager",
    operands: Operands::None,
    ..PLAIN
};

const LSMEM_OPTIONS: Spec = Spec {
    refused: &[(
        "-o --output --logo --source --config -c --gen-config --ascii --backend --class -f --from-dump",
        Loads,
    )],
    operands: Operands::InsideAtMost(1),
    ..TELLS
};

const LSMOD_OPTIONS: Spec = Spec { flags: "hVvadln", long: "help version all", operands: Operands::Plain, ..PLAIN };

const LOGINCTL_COMMANDS: &[&[Spec]] = &[&[Spec {
    names: "status list show list-sessions list-users list-timezones list-locales list-keymaps statistics \
        list-links user-status session-status",
    flags: "la",
    long: "help no-pager no-legend all full json=short json=pretty output=json",
    refused: &[("-H --host -M --machine -D --directory --file --root --image", Sends), ("-o --output", Writes)],
    operands: Operands::Plain,
    ..PLAIN
}]];

const TLDR_OPTIONS: Spec = Spec {
    flags: "lhvp",
    long: "help version list platform: language:",
    refused: &[("-u --update -c --clear-cache --config -r --render -f --edit -e", Writes)],
    operands: Operands::Names,
    ..PLAIN
};

const LSAR_OPTIONS: Spec = Spec {
    flags: "ivnclhHqTL#",
    valued: "eABC",
    long: "help version ignore-case invert-match line-number count recursive quiet",
    refused: &[("-f --files --files0 -d -k -o -S", Loads)],
    ..PLAIN
};

const OF_NETWORK: &str = "changes the network of this machine";

pub(super) const PROGRAMS: &[Program] = &[
    // A second operand is a file that some of them write.
    Program {
        names: "lsmem",
        source: "each program's manual page",
        is: &[Fact::OfTheSystem],
        class: Class::Options(&LSMEM_OPTIONS),
        looks: LSCPU_LOOKS,
        ..UNLISTED
    },
    options(
        "lsns lsipc lslocks lslogins lsscsi lshw numastat inxi hwinfo dmidecode sensors acpi upower \
            cpuid x86info rocminfo clinfo glxinfo eglinfo vainfo vdpauinfo xdpyinfo xwininfo xlsclients \
            edid-decode neofetch fastfetch pfetch ipcs",
        "each program's manual page",
        &LSMEM_OPTIONS,
    ),
    options(
        "lsmod modinfo getfattr getcap",
        "lsmod(8), modinfo(8), lsattr(1), getfacl(1), getfattr(1), getcap(8)",
        &LSMOD_OPTIONS,
    ),
    Program {
        names: "lsattr getfacl",
        source: "lsmod(8), modinfo(8), lsattr(1), getfacl(1), getfattr(1), getcap(8)",
        class: Class::Options(&LSMOD_OPTIONS),
        files: FileUse { names_only: Some(""), ..FileUse::PLAIN },
        ..UNLISTED
    },
    // screenfetch(1): `-a` is a file of shell; vulkaninfo(1): `--json` writes one.
    options("screenfetch vulkaninfo", "screenfetch(1); vulkaninfo --help", &SAYS_VERSION),
    options(
        "mpstat pidstat",
        "mpstat(1), pidstat(1)",
        &Spec {
            flags: "uAdrshHltvVwR#",
            valued: "pPITC",
            refused: &[("-e", Runs), ("-o", Writes)],
            operands: Operands::Plain,
            ..PLAIN
        },
    ),
    options(
        "sar",
        "sar(1)",
        &Spec {
            flags: "uAbBdFHhqrRSvVwWy#",
            valued: "nPI",
            refused: &[("-o", Writes), ("-f", Loads)],
            operands: Operands::Plain,
            ..PLAIN
        },
    ),
    options(
        "pstree",
        "pstree(1)",
        &Spec {
            flags: "apAcGglnNsStTuUV",
            valued: "H",
            long: "help version show-pids arguments ascii compact-not long numeric-sort show-pgids show-parents \
                thread-names hide-threads uid-changes unicode",
            operands: Operands::Plain,
            ..PLAIN
        },
    ),
    // pmap(1): `-n`, `-N`, `-c` and `-C` write and read settings.
    options(
        "pmap pwdx prtstat",
        "pmap(1), pwdx(1), prtstat(1)",
        &Spec {
            flags: "xXdqVhrp",
            long: "help version extended device quiet show-path",
            refused: &[("-n -N -c -C --create-rc --create-rc-to --read-rc --read-rc-from", Writes)],
            operands: Operands::Plain,
            ..PLAIN
        },
    ),
    options(
        "fuser",
        "fuser(1)",
        &Spec {
            flags: "amuvV46c",
            long: "help version all verbose user mount ipv4 ipv6",
            refused: &[("-k --kill -i --interactive -w", Changes)],
            operands: Operands::Plain,
            ..PLAIN
        },
    ),
    // Their letters mean reading in one and recording, serving or connecting in the next.
    options(
        "iotop nethogs iftop nload bmon slabtop procinfo procs btm bottom glances atop nmon ytop \
            zenith gotop bpytop iptraf-ng vnstat dstat dool collectl tload",
        "glances(1), nmon(1), vnstat(1); each program's manual page",
        &SAYS_VERSION,
    ),
    Program {
        names: "btop",
        source: "glances(1), nmon(1), vnstat(1); each program's manual page",
        class: Class::Options(&SAYS_VERSION),
        interactive: &[Interactive::Terminal],
        ..UNLISTED
    },
    never("pidwait peekfd", "pidwait(1), peekfd(1)", "waits for other processes or reads what they read"),
    commands(
        "systemd-analyze",
        "systemd-analyze(1)",
        &[&[Spec {
            names: "time blame critical-chain calendar timespan timestamp unit-paths exit-status capability \
                syscall-filter security verify",
            long: "help no-pager user system iterations: base-time:",
            refused: &[("-H --host -M --machine --root --image --profile", Sends)],
            operands: Operands::Plain,
            ..PLAIN
        }]],
    ),
    Program {
        names: "busctl",
        source: "busctl(1)",
        sets: &[danger("call|set-property|emit|capture|monitor", "", "tells other programs what to do")],
        is: &[Fact::OnlyLooks, Fact::RunsOperands, Fact::SpeaksOnBus],
        class: Class::HarmlessCommands(LOGINCTL_COMMANDS),
        ..UNLISTED
    },
    Program {
        names: "gdbus",
        source: "gdbus(1)",
        sets: &[danger("call|emit|monitor", "", "tells other programs what to do")],
        is: &[Fact::SpeaksOnBus],
        class: Class::Never("tells other programs what to do"),
        ..UNLISTED
    },
    Program {
        names: "dbus-send qdbus qdbus6 qdbus-qt5 qdbus-qt6",
        source: "dbus-send(1) and the manual page of each other",
        sets: &[danger("", "", "tells other programs what to do")],
        is: &[Fact::SpeaksOnBus],
        class: Class::Never("tells other programs what to do"),
        ..UNLISTED
    },
    Program {
        names: "loginctl hostnamectl timedatectl localectl networkctl resolvectl coredumpctl bootctl \
            udevadm portablectl homectl userdbctl oomctl",
        source: "loginctl(1), hostnamectl(1) and the manual page of each other",
        sets: &[danger(
            "set-*|terminate-*|kill-*|lock-sessions|enable-linger|disable-linger|revert|create|remove|with|install|trigger|\
             dns|domain|default-route|llmnr|mdns|dnssec|dnsovertls|nta|up|down|delete|reload|reconfigure|forcerenew",
            "",
            "changes this machine",
        )],
        is: &[Fact::OnlyLooks, Fact::RunsOperands],
        class: Class::HarmlessCommands(LOGINCTL_COMMANDS),
        ..UNLISTED
    },
    Program {
        names: "machinectl",
        source: "machinectl(1)",
        sets: &[danger(
            "start|stop|poweroff|reboot|terminate|kill|bind|copy-to|enable|disable|clone|rename|remove|pull-*|import-*|set-limit",
            "",
            "changes this machine",
        )],
        is: &[Fact::OnlyLooks, Fact::RunsOperands],
        class: Class::HarmlessCommands(LOGINCTL_COMMANDS),
        interactive: &[Interactive::As(&[&["shell"], &["login"]])],
        ..UNLISTED
    },
    Program {
        names: "nmcli",
        source: "nmcli(1)",
        sets: later::NMCLI,
        is: &[Fact::Abbreviates],
        class: Class::HarmlessCommands(&[&[
            looks(
                "general general:status device device:status dev dev:status d d:status connection con c radio \
                    networking:connectivity",
            ),
            looks_at("device:show dev:show d:show connection:show con:show c:show"),
        ]]),
        prints: &[
            printer("", "nmcli(1)").with("s show-secrets"),
            printer("device|dev|d wifi show-password|show", "nmcli(1)"),
        ],
        ..UNLISTED
    },
    // A device comes first, and then what is done with it.
    Program {
        sets: &[
            danger("dev|phy * set|del|add|connect|disconnect|join|leave|interface|ibss|mesh", "", OF_NETWORK),
            danger("block|unblock|toggle|reg", "", OF_NETWORK),
        ],
        ..commands("iw rfkill", "iw(8); rfkill(8)", &[&[looks("dev phy list --version --help")]])
    },
    Program {
        names: "bluetoothctl",
        source: "bluetoothctl(1)",
        class: Class::HarmlessCommands(&[&[looks("list show devices"), looks_at("info")]]),
        interactive: &[Interactive::Always],
        ..UNLISTED
    },
    Program {
        sets: &[danger(
            "",
            "-s -K -A -C -G -L -N -U -X -E -r -f -change -offload -features -set-channels -pause -coalesce -reset -flash",
            OF_NETWORK,
        )],
        ..options("ethtool", "ethtool(8)", &SAYS_VERSION)
    },
    options("iwctl mmcli", "iwctl(1), mmcli(1)", &SAYS_VERSION),
    Program {
        names: "ip",
        source: "ip(8)",
        // Any beginning of a name does.
        sets: &[
            danger("l|li|lin|link se*|s|a*|d*|c*|rep*|p*|x*", "", OF_NETWORK),
            danger(
                "a*|r*|n*|t*|x*|m*|v*|fou|ila|macsec|l2tp|sr|nexthop|token se*|a|ad|add|app*|d|de*|c*|rep*|f*|p*|e*|at*",
                "",
                OF_NETWORK,
            ),
        ],
        is: &[Fact::Abbreviates, Fact::OfTheSystem],
        class: Class::HarmlessCommands(&[&[
            Spec {
                names: "a addr address l link r route n neigh rule -br:a -br:addr -br:link -brief:addr -brief:link \
                    -c:a -c:addr -s:link -j:addr -j:link -j:route -4:addr -4:route -6:addr -6:route -V",
                long: "",
                operands: Operands::None,
                ..PLAIN
            },
            Spec {
                names: "a:show a:s addr:show addr:list address:show l:show link:show link:list r:show route:show \
                    route:list neigh:show rule:show",
                long: "",
                operands: Operands::Plain,
                ..PLAIN
            },
        ]]),
        looks: &[
            form("a", "").at_most(0),
            form("addr", "").at_most(0),
            form("addr show", "").at_most(1),
            form("link", "").at_most(0),
            form("link show", "").at_most(1),
            form("route", "").at_most(0),
            form("route show", "").at_most(0),
        ],
        ..UNLISTED
    },
    Program {
        names: "locate plocate mlocate",
        source: "plocate(1)",
        is: &[Fact::OnlyLooks],
        class: Class::Options(&Spec {
            flags: "AbceiHLPpqsS0wNr",
            valued: "ln",
            long: "help version count basename ignore-case limit: null existing regexp regex wholename quiet \
                statistics",
            refused: &[("-d --database", Loads)],
            ..PLAIN
        }),
        like: "locate",
        ..UNLISTED
    },
    changer("updatedb mandb makewhatis", "updatedb(8); mandb(8)", CHANGES),
    changer(
        "adjtimex ntpdate sntp ntpd rdate wrmsr i2cset i2ctransfer wall cgset cgcreate cgdelete cgclassify ipcrm ipcmk slay",
        "adjtimex(8), wrmsr(1), i2cset(8), wall(1), cgset(1), ipcrm(1)",
        CHANGES,
    ),
    Program {
        sets: &[danger(
            "settime|makestep|burst|online|offline|add|delete|allow|deny|local|manual|shutdown|reset|rekey|cyclelogs|reselect|\
             trimrtc|writertc|dfreq|doffset|smoothing",
            "",
            "changes this machine",
        )],
        ..never("chronyc", "chronyc(1)", CHANGES)
    },
    Program {
        names: "chronic ts ifne",
        source: "moreutils: chronic(1), vipe(1), zrun(1), ifne(1), pee(1), mispipe(1)",
        is: &[Fact::RunsOperands],
        class: Class::Never("runs another program"),
        runs: &[behind("", 0)],
        ..UNLISTED
    },
    runner(
        "vidir vipe zrun pee combine mispipe lckdo",
        "moreutils: chronic(1), vipe(1), zrun(1), ifne(1), pee(1), mispipe(1)",
    ),
    never("asciinema ttyrec termtosvg vhs agg terminalizer", "asciinema(1); vhs --help", SERVES),
    Program {
        sets: &[danger("", "", "lets others type on this machine")],
        ..never(
            "ttyd gotty wetty shellinabox sshx tmate upterm mosh-server teleconsole",
            "ttyd(1); tmate(1); upterm host --help",
            SERVES,
        )
    },
    Program {
        names: "rc es",
        source: "rc(1), es(1)",
        is: &[Fact::RunsOperands],
        class: Class::Never("runs another program"),
        interactive: BASH_INTERACTIVE,
        ..UNLISTED
    },
    Program {
        names: "yash posh oksh elvish osh",
        source: "each shell's or terminal's manual page",
        is: &[Fact::RunsOperands, Fact::RunsScripts],
        class: Class::Never("runs another program"),
        interactive: BASH_INTERACTIVE,
        ..UNLISTED
    },
    Program {
        is: &[Fact::RunsOperands, Fact::RunsScripts],
        ..runner("sash loksh ysh murex ngs", "sash(1), loksh(1) and the manual page of each other")
    },
    Program {
        is: &[Fact::RunsOperands, Fact::Types],
        ..runner("wezterm kitty", "each shell's or terminal's manual page")
    },
    runner(
        "closh bashcov thefuck fuck hstr navi pet fig warp alacritty foot konsole urxvt st terminator tilix ghostty",
        "each shell's or terminal's manual page",
    ),
    // The names of shells among their words say for which one they print something.
    never("starship zoxide mcfly fasd autojump z oh-my-posh", "each program's --help", "runs what its settings say"),
    Program {
        names: "atuin",
        source: "atuin --help",
        class: Class::Never("keeps and shows what was typed"),
        prints: &[printer("history list|last", "atuin history --help"), printer("search", "atuin search --help")],
        ..UNLISTED
    },
    Program {
        names: "gnome-terminal",
        source: "each shell's or terminal's manual page",
        is: &[Fact::RunsOperands],
        class: Class::Never("runs another program"),
        interactive: &[Interactive::Always],
        ..UNLISTED
    },
    Program {
        names: "xterm",
        source: "each shell's or terminal's manual page",
        is: &[Fact::RunsOperands],
        class: Class::Never("runs another program"),
        interactive: &[Interactive::Terminal],
        ..UNLISTED
    },
    Program {
        names: "tldr cheat",
        source: "tldr --help",
        is: &[Fact::OnlyNames],
        class: Class::Options(&TLDR_OPTIONS),
        ..UNLISTED
    },
    options("howdoi cht.sh", "tldr --help", &TLDR_OPTIONS),
    options(
        "cowsay figlet toilet fortune lolcat banner cmatrix",
        "figlet(6); cowsay(1)",
        &Spec {
            flags: "cklrtnSsWo",
            valued: "w",
            long: "help version",
            refused: &[("-f -d -C -I -N -F -x --config --file", Loads)],
            operands: Operands::Plain,
            ..PLAIN
        },
    ),
    // boxes(1): the second operand is a file that it writes.
    options("boxes", "boxes(1)", &Spec { operands: Operands::InsideAtMost(1), ..SAYS_VERSION }),
    options(
        "ministat datamash bcal units dateutils.dconv dateutils.ddiff ncal zdump",
        "datamash(1); units(1); zdump(8)",
        &Spec {
            flags: "sgtivVhWqn",
            long: "help version sort header-in header-out verbose terse",
            refused: &[("-f --file -H --history -u --units -L --log", Loads)],
            operands: Operands::Plain,
            ..PLAIN
        },
    ),
    Program {
        sets: &[danger("", "", "makes something run later")],
        ..runner("anacron fcron fcrontab crond incron incrontab watchdog monit", "anacron(8); fcrontab(1); monit(1)")
    },
    Program {
        files: FileUse { folders: Folders::All, ..FileUse::PLAIN },
        ..never("rar", "each archiver's manual page; fdupes(1); trash-put(1)", WRITES)
    },
    Program {
        sets: &[danger("", "", "writes wherever its input says")],
        ..never("uudecode unshar munpack", "uudecode(1); unshar(1); munpack(1)", WRITES)
    },
    never(
        "lzip lzop lrzip pigz pbzip2 pixz pxz plzip zpaq arj lha zoo unar unarj ouch atool \
            aunpack apack als dtrx patool zipsplit zipcloak zipnote unlz4 brotli bzip3 kzip \
            advzip mksquashfs unsquashfs mkisofs genisoimage xorriso xorrisofs isoinfo wodim \
            cdrecord growisofs makeself shar uuencode mimencode mpack \
            cabextract gcab innoextract unshield rpm2cpio rpm2archive dar bsdcpio star pxattr \
            hardlink jdupes fdupes rdfind rmlint duperemove czkawka trash-put trash-empty \
            rename.ul prename mmv qmv imv fdrename vimv massren",
        "each archiver's manual page; fdupes(1); trash-put(1)",
        WRITES,
    ),
    Program {
        names: "7zr 7zz",
        source: "each archiver's manual page; fdupes(1); trash-put(1)",
        is: &[Fact::Unpacks],
        class: Class::Never(WRITES),
        first_name: "7z",
        files: FileUse { folders: Folders::All, ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "trash",
        source: "each archiver's manual page; fdupes(1); trash-put(1)",
        class: Class::Never(WRITES),
        destroys: &[danger("", "r R recursive no-preserve-root", "removes whole folders")],
        files: FileUse { names_only: Some(""), ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "gio",
        source: "each archiver's manual page; fdupes(1); trash-put(1)",
        class: Class::Never(WRITES),
        destroys: &[danger("", "r R recursive no-preserve-root", "removes whole folders")],
        ..UNLISTED
    },
    options(
        "lsar lz4cat zstdcat lzcat bzgrep xzgrep zstdgrep bzdiff xzdiff zdiff zcmp bzcmp xzcmp gzcat \
            zegrep zfgrep",
        "xz(1); zstd(1); bzgrep(1)",
        &LSAR_OPTIONS,
    ),
    Program {
        names: "bzcat xzcat",
        source: "xz(1); zstd(1); bzgrep(1)",
        is: &[Fact::BringsText],
        class: Class::Options(&LSAR_OPTIONS),
        ..UNLISTED
    },
    Program {
        names: "getent",
        source: "getent(1)",
        class: Class::Options(&Spec {
            flags: "",
            long: "help version",
            refused: &[("-s --service", Sends)],
            operands: Operands::None,
            ..PLAIN
        }),
        prints: &[printer("shadow|gshadow", "getent(1)")],
        ..UNLISTED
    },
    never("lstopo lstopo-no-graphics", "lstopo(1)", WRITES),
];
