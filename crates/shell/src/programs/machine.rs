//! The machine: its users, processes, services, disks and network.

use super::class::Class;
use super::effect::Effect::{Changes, Loads, Sends, Writes};
use super::fact::Fact;
use super::spec::{Operands, PLAIN, Spec};
use super::{Program, UNLISTED, never, options, runner};

/// systemctl: only what looks.
const SYSTEMCTL: &[Spec] = &[Spec {
    names: "status is-active is-enabled is-failed show cat list-units list-unit-files list-timers list-sockets list-dependencies list-jobs get-default is-system-running",
    flags: "laqr#",
    valued: "tnp",
    long: "no-pager all type state failed user system lines output plain no-legend full quiet property value reverse recursive help",
    refused: &[("-H --host -M --machine --root --image", Sends)],
    ..PLAIN
}];

const SS_OPTIONS: Spec = Spec {
    flags: "tulnpaesorimH46P#",
    long: "tcp udp listening numeric processes all help version summary route",
    refused: &[("-K --kill", Changes), ("-D -F", Writes)],
    operands: Operands::Sockets,
    ..PLAIN
};

pub(super) const PROGRAMS: &[Program] = &[
    Program { names: "id", source: "id(1)", class: Class::AnyText, ..UNLISTED },
    Program { names: "whoami logname", source: "whoami(1), logname(1)", class: Class::AnyText, ..UNLISTED },
    Program { names: "groups sleep", source: "groups(1), sleep(1)", class: Class::AnyText, ..UNLISTED },
    Program { names: "uname", source: "uname(1)", class: Class::AnyText, ..UNLISTED },
    Program { names: "uptime", source: "uptime(1)", class: Class::AnyText, ..UNLISTED },
    Program { names: "nproc", source: "nproc(1)", class: Class::AnyText, ..UNLISTED },
    Program {
        names: "printenv users w who pidof getconf vmstat iostat lsb_release tput",
        source: "printenv(1), users(1), w(1) and the manual page of each other",
        class: Class::AnyText,
        ..UNLISTED
    },
    Program { names: "tty", source: "tty(1)", is: &[Fact::OfTheSystem], class: Class::AnyText, ..UNLISTED },
    Program { names: "ps", source: "ps(1)", class: Class::AnyText, ..UNLISTED },
    Program { names: "free", source: "free(1)", class: Class::AnyText, ..UNLISTED },
    Program { names: "lscpu lsusb", source: "lscpu(1), lsusb(1)", class: Class::AnyText, ..UNLISTED },
    Program { names: "pgrep", source: "pgrep(1)", class: Class::AnyText, ..UNLISTED },
    Program { names: "locale", source: "locale(1)", class: Class::AnyText, ..UNLISTED },
    Program {
        names: "kill",
        source: "bash manual, \"Shell Builtin Commands\", \"Compound Commands\"",
        is: &[Fact::Builtin, Fact::OnlyNames, Fact::Prefixed],
        class: Class::Never("changes what later commands do"),
        ..UNLISTED
    },
    Program {
        names: "pkill killall",
        source: "bash manual, \"Shell Builtin Commands\", \"Compound Commands\"",
        is: &[Fact::Builtin, Fact::OnlyNames],
        class: Class::Never("changes what later commands do"),
        ..UNLISTED
    },
    Program {
        names: "arch",
        source: "arch(1)",
        is: &[Fact::OfTheSystem, Fact::RunsOperands],
        class: Class::Never("runs another program"),
        ..UNLISTED
    },
    runner("i3-msg swaymsg", "i3-msg(1), swaymsg(1)"),
    runner("launchctl", "launchctl(1)"),
    runner("logrotate", "logrotate(8)"),
    Program {
        names: "mount umount",
        source: "mount(8), umount(8)",
        is: &[Fact::OfTheSystem],
        class: Class::Never("can change the system or run other programs"),
        ..UNLISTED
    },
    never(
        "mkfs modprobe insmod rmmod sysctl ifconfig route useradd usermod groupadd ldconfig hwclock",
        "mkfs(8), modprobe(8), insmod(8) and the manual page of each other",
        "can change the system or run other programs",
    ),
    never("fdisk", "fdisk(8)", "can change the system or run other programs"),
    never("parted", "parted(8)", "can change the system or run other programs"),
    never("swapon swapoff", "swapon(8), swapoff(8)", "can change the system or run other programs"),
    never("iptables", "iptables(8)", "can change the system or run other programs"),
    never("nft", "nft(8)", "can change the system or run other programs"),
    never("ufw", "ufw(8)", "can change the system or run other programs"),
    Program {
        names: "tc",
        source: "tc(8)",
        is: &[Fact::Abbreviates],
        class: Class::Never("can change the system or run other programs"),
        ..UNLISTED
    },
    never("userdel", "userdel(8)", "can change the system or run other programs"),
    never("passwd chpasswd", "passwd(1), chpasswd(8)", "can change the system or run other programs"),
    never("visudo", "visudo(8)", "can change the system or run other programs"),
    never(
        "shutdown reboot halt poweroff",
        "shutdown(8), reboot(8), halt(8) and the manual page of each other",
        "can change the system or run other programs",
    ),
    never("init telinit", "init(8), telinit(8)", "can change the system or run other programs"),
    never("service", "service(8)", "can change the system or run other programs"),
    Program {
        names: "systemctl",
        source: "systemctl(1)",
        is: &[Fact::OfTheSystem],
        class: Class::SubCommands(&[SYSTEMCTL]),
        valued: "-H --host -M --machine -t --type -n --lines -o --output -p --property --root",
        sub_commands: "start stop restart reload status enable disable mask unmask is-active is-enabled is-failed \
            show cat kill list-units list-unit-files daemon-reload reset-failed list-timers try-restart",
        same_options: &[("", "f=force H=host M=machine q=quiet")],
        ..UNLISTED
    },
    Program {
        names: "date",
        source: "date(1)",
        is: &[Fact::OfTheSystem, Fact::Prefixed, Fact::TakesText],
        class: Class::Options(&Spec {
            flags: "uRI",
            valued: "d",
            long: "-Iseconds -Idate -Iminutes -Ihours -Ins date: utc universal iso-8601 rfc-3339 rfc-email \
                debug help version",
            refused: &[("-s --set", Changes), ("-f --file -r --reference", Loads)],
            operands: Operands::Format,
            ..PLAIN
        }),
        ..UNLISTED
    },
    Program {
        names: "hostname",
        source: "hostname(1)",
        is: &[Fact::OfTheSystem],
        class: Class::Options(&Spec {
            flags: "sfidIAay",
            long: "short fqdn long ip-address all-ip-addresses domain all-fqdns alias help version",
            refused: &[("-F --file -b --boot", Changes)],
            operands: Operands::AtMost(0),
            ..PLAIN
        }),
        ..UNLISTED
    },
    Program {
        names: "journalctl",
        source: "journalctl(1)",
        is: &[Fact::OfTheSystem],
        class: Class::Options(&Spec {
            flags: "axfrqmlke#",
            valued: "ubptnogS",
            long: "unit: user-unit: system user since: until: lines: follow reverse no-pager output boot \
                list-boots priority: grep: identifier: quiet utc catalog all no-hostname dmesg no-tail \
                no-full full pager-end disk-usage fields help version",
            refused: &[
                (
                    "--vacuum-size --vacuum-time --vacuum-files --rotate --flush --relinquish-var \
                        --smart-relinquish-var --sync --setup-keys --update-catalog",
                    Changes,
                ),
                ("-D --directory --file --root --image -M --machine --cursor-file", Loads),
            ],
            operands: Operands::AtMost(0),
            broad: true,
            ..PLAIN
        }),
        ..UNLISTED
    },
    options(
        "dmesg",
        "dmesg(1)",
        &Spec {
            flags: "HTtkuxLwWreP",
            valued: "flS",
            long: "human ctime kernel userspace decode color level facility notime nopager follow since until \
                time-format help version",
            refused: &[
                ("-C --clear -c --read-clear -D --console-off -E --console-on -n --console-level", Changes),
                ("-F --file -K", Loads),
            ],
            operands: Operands::AtMost(0),
            ..PLAIN
        },
    ),
    Program { names: "ss", source: "ss(1)", is: &[Fact::OfTheSystem], class: Class::Options(&SS_OPTIONS), ..UNLISTED },
    Program {
        names: "netstat",
        source: "netstat(1)",
        is: &[Fact::OfTheSystem],
        class: Class::Options(&SS_OPTIONS),
        ..UNLISTED
    },
    Program {
        names: "lsof",
        source: "lsof(8)",
        is: &[Fact::OfTheSystem],
        class: Class::Options(&Spec {
            flags: "tulnpaesorimH46iP#",
            long: "-sTCP:LISTEN -iTCP -iUDP",
            refused: &[("-D -F", Writes)],
            // lsof(8): `-i tcp@host`.
            holding: &[("@", Sends)],
            ..PLAIN
        }),
        ..UNLISTED
    },
    // lspci(8): `-q` and `-Q` ask the name service, `-O` says which.
    options(
        "lspci",
        "lspci(8)",
        &Spec {
            flags: "vnxkDbPtm#",
            valued: "sd",
            long: "-nn -vmm -mm -nnk -vv -vvv -vnn help version",
            refused: &[("-q -Q -O -A", Sends), ("-i -p -F -H -M -G", Loads)],
            operands: Operands::None,
            ..PLAIN
        },
    ),
    Program { names: "sw_vers", source: "sw_vers(1)", is: &[Fact::OfTheSystem, Fact::OnlyNames], ..UNLISTED },
];
