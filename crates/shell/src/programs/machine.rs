//! The machine: its users, processes, services, disks and network.

use super::class::Class;
use super::danger::danger;
use super::effect::Effect::{Changes, Loads, Sends, Writes};
use super::fact::Fact;
use super::file_use::FileUse;
use super::form::{Reaches, form};
use super::interactive::Interactive;
use super::lands::Lands;
use super::printer::printer;
use super::runs::behind;
use super::shared::LSCPU_LOOKS;
use super::spec::{Operands, PLAIN, Spec};
use super::{Program, UNLISTED, changer, lookers, options, runner};

/// systemctl: only what looks.
const SYSTEMCTL: &[Spec] = &[Spec {
    names: "status is-active is-enabled is-failed show cat list-units list-unit-files list-timers list-sockets list-dependencies list-jobs get-default is-system-running",
    flags: "laqr#",
    valued: "tnp",
    long: "no-pager all type state failed user system lines output plain no-legend full quiet property value reverse recursive help",
    refused: &[("-H --host -M --machine --root --image", Sends)],
    ..PLAIN
}];

const SERVICE_CHANGES: &[(&str, &str)] =
    &[("start|stop|restart|enable|disable|mask|unmask|reload|daemon-reload", "changes what runs on this machine")];

const SS_OPTIONS: Spec = Spec {
    flags: "tulnpaesorimH46P#",
    long: "tcp udp listening numeric processes all help version summary route",
    refused: &[("-K --kill", Changes), ("-D -F", Writes)],
    operands: Operands::Sockets,
    ..PLAIN
};

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: "id",
        source: "id(1)",
        class: Class::AnyText,
        looks: &[form("", "a Z g G n r u z group groups name real user zero context")],
        ..UNLISTED
    },
    Program {
        names: "whoami logname",
        source: "whoami(1), logname(1)",
        class: Class::AnyText,
        looks: &[form("", "").at_most(0)],
        ..UNLISTED
    },
    Program { names: "groups", source: "groups(1)", class: Class::AnyText, looks: &[form("", "")], ..UNLISTED },
    Program {
        names: "uname",
        source: "uname(1)",
        class: Class::AnyText,
        looks: &[form(
            "",
            "a s n r v m p i o all kernel-name nodename kernel-release kernel-version machine processor \
                hardware-platform operating-system",
        )
        .at_most(0)],
        ..UNLISTED
    },
    Program {
        names: "uptime",
        source: "uptime(1)",
        class: Class::AnyText,
        looks: &[form("", "p s pretty since").at_most(0)],
        ..UNLISTED
    },
    Program {
        names: "nproc",
        source: "nproc(1)",
        class: Class::AnyText,
        looks: &[form("", "all ignore=").at_most(0)],
        ..UNLISTED
    },
    Program {
        names: "uuidgen",
        source: "uuidgen(1)",
        class: Class::AnyText,
        looks: &[form("", "r t random time 6 7 time-v6 time-v7").at_most(0)],
        ..UNLISTED
    },
    Program {
        names: "sleep",
        source: "sleep(1)",
        class: Class::AnyText,
        looks: &[form("", "")],
        files: FileUse { names_only: Some(""), ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "printenv users w who getconf vmstat iostat lsb_release tput",
        source: "printenv(1), users(1), w(1) and the manual page of each other",
        class: Class::AnyText,
        ..UNLISTED
    },
    Program { names: "pidof", source: "pidof(8)", is: &[Fact::TellsProcesses], class: Class::AnyText, ..UNLISTED },
    Program {
        names: "tty",
        source: "tty(1)",
        is: &[Fact::OfTheSystem],
        class: Class::AnyText,
        looks: &[form("", "").at_most(0)],
        ..UNLISTED
    },
    Program { names: "ps", source: "ps(1)", is: &[Fact::TellsOperands], class: Class::AnyText, ..UNLISTED },
    Program {
        names: "free",
        source: "free(1)",
        class: Class::AnyText,
        looks: &[form("", "b k m g h w t l v bytes kilo mega giga human wide total lohi si").at_most(0)],
        ..UNLISTED
    },
    Program {
        names: "lscpu lsusb",
        source: "lscpu(1), lsusb(1)",
        class: Class::AnyText,
        looks: LSCPU_LOOKS,
        ..UNLISTED
    },
    Program {
        names: "pgrep",
        source: "pgrep(1)",
        is: &[Fact::TellsProcesses],
        class: Class::AnyText,
        looks: &[form(
            "",
            "l a f u= U= x n o c P= g= t= d= v w list-name list-full full exact newest oldest count \
                parent= user=",
        )],
        ..UNLISTED
    },
    Program {
        names: "locale",
        source: "locale(1)",
        class: Class::AnyText,
        looks: &[form("", "a m").at_most(0)],
        ..UNLISTED
    },
    Program {
        names: "kill",
        source: "bash manual, \"Shell Builtin Commands\", \"Compound Commands\"",
        is: &[Fact::Builtin, Fact::OnlyNames, Fact::Prefixed, Fact::OftenRun, Fact::TakesSignal],
        class: Class::Never("changes what later commands do"),
        does: "ends processes",
        // kill(1): signal 0 only tells whether the process is there.
        looks: &[form("", "0 l L").only_with("0 l L")],
        lands: &[("", Lands::Machine)],
        ..UNLISTED
    },
    Program {
        names: "pkill killall",
        source: "bash manual, \"Shell Builtin Commands\", \"Compound Commands\"",
        is: &[Fact::Builtin, Fact::OnlyNames, Fact::TakesSignal],
        class: Class::Never("changes what later commands do"),
        does: "ends processes",
        lands: &[("", Lands::Machine)],
        ..UNLISTED
    },
    Program { names: "skill", source: "skill(1)", is: &[Fact::TakesSignal], ..UNLISTED },
    Program {
        names: "arch",
        source: "arch(1)",
        is: &[Fact::OfTheSystem, Fact::RunsOperands],
        class: Class::Never("runs another program"),
        looks: &[form("", "").at_most(0)],
        ..UNLISTED
    },
    runner("i3-msg swaymsg", "i3-msg(1), swaymsg(1)"),
    Program {
        names: "launchctl",
        source: "launchctl(1)",
        is: &[Fact::ChangesMachine, Fact::RunsOperands],
        class: Class::Never("runs another program"),
        prints: &[printer("getenv|export", "launchctl(1)")],
        ..UNLISTED
    },
    Program {
        names: "logrotate",
        source: "logrotate(8)",
        is: &[Fact::RunsOperands],
        class: Class::Never("runs another program"),
        destroys: &[danger("", "f force", "replaces logs")],
        ..UNLISTED
    },
    Program {
        names: "mount",
        source: "mount(1)",
        is: &[Fact::ChangesMachine, Fact::OfTheSystem, Fact::AddsPath],
        class: Class::Never("can change the system or run other programs"),
        does: "changes the file systems of this machine",
        lands: &[("", Lands::Machine)],
        ..UNLISTED
    },
    Program {
        names: "umount",
        source: "umount(1)",
        is: &[Fact::ChangesMachine, Fact::OfTheSystem],
        class: Class::Never("can change the system or run other programs"),
        does: "changes the file systems of this machine",
        lands: &[("", Lands::Machine)],
        ..UNLISTED
    },
    Program {
        is: &[Fact::ChangesMachine, Fact::OftenRun],
        lands: &[("", Lands::Machine)],
        ..changer("mkfs", "mkfs(1)", "can change the system or run other programs")
    },
    Program {
        lands: &[("", Lands::Machine)],
        ..changer(
            "modprobe insmod rmmod kmod sysctl ifconfig route useradd usermod groupadd ldconfig \
            hwclock opkg atd",
            "modprobe(1), insmod(1) and the manual page of each other",
            "can change the system or run other programs",
        )
    },
    Program {
        names: "fdisk",
        source: "fdisk(8)",
        is: &[Fact::ChangesMachine],
        class: Class::Never("can change the system or run other programs"),
        destroys: &[danger("", "", "changes disks")],
        interactive: &[Interactive::Always],
        ..UNLISTED
    },
    Program {
        names: "parted",
        source: "parted(8)",
        is: &[Fact::ChangesMachine],
        class: Class::Never("can change the system or run other programs"),
        destroys: &[danger("", "", "changes disks")],
        ..UNLISTED
    },
    Program {
        names: "swapon swapoff",
        source: "swapon(8), swapoff(8)",
        is: &[Fact::ChangesMachine],
        class: Class::Never("can change the system or run other programs"),
        does: "changes the file systems of this machine",
        lands: &[("", Lands::Machine)],
        ..UNLISTED
    },
    Program {
        names: "iptables",
        source: "iptables(8)",
        is: &[Fact::ChangesMachine],
        class: Class::Never("can change the system or run other programs"),
        destroys: &[danger("", "F X flush delete-chain", "removes firewall rules")],
        ..UNLISTED
    },
    Program {
        names: "nft",
        source: "nft(8)",
        is: &[Fact::ChangesMachine],
        class: Class::Never("can change the system or run other programs"),
        destroys: &[danger("flush|delete", "", "removes firewall rules")],
        ..UNLISTED
    },
    Program {
        names: "ufw",
        source: "ufw(8)",
        is: &[Fact::ChangesMachine],
        class: Class::Never("can change the system or run other programs"),
        destroys: &[danger("disable|reset", "", "turns the firewall off")],
        ..UNLISTED
    },
    Program {
        names: "tc",
        source: "tc(8)",
        is: &[Fact::ChangesMachine, Fact::Abbreviates],
        class: Class::Never("can change the system or run other programs"),
        ..UNLISTED
    },
    Program {
        names: "userdel",
        source: "userdel(8)",
        is: &[Fact::ChangesMachine],
        class: Class::Never("can change the system or run other programs"),
        destroys: &[danger("", "", "removes an account")],
        lands: &[("", Lands::Machine)],
        ..UNLISTED
    },
    Program {
        names: "passwd chpasswd",
        source: "passwd(1), chpasswd(8)",
        is: &[Fact::ChangesMachine],
        class: Class::Never("can change the system or run other programs"),
        destroys: &[danger("", "", "changes a password")],
        ..UNLISTED
    },
    Program {
        names: "visudo",
        source: "visudo(8)",
        is: &[Fact::ChangesMachine],
        class: Class::Never("can change the system or run other programs"),
        interactive: &[Interactive::Terminal],
        ..UNLISTED
    },
    Program {
        names: "shutdown reboot halt poweroff",
        source: "shutdown(8), reboot(8), halt(8) and the manual page of each other",
        is: &[Fact::ChangesMachine, Fact::OftenRun],
        class: Class::Never("can change the system or run other programs"),
        destroys: &[danger("", "", "stops the machine")],
        lands: &[("", Lands::Machine)],
        ..UNLISTED
    },
    Program {
        names: "init telinit",
        source: "init(8), telinit(8)",
        class: Class::Never("can change the system or run other programs"),
        destroys: &[danger("0|6", "", "stops the machine")],
        ..UNLISTED
    },
    Program {
        names: "service",
        source: "service(8)",
        is: &[Fact::ChangesMachine],
        class: Class::Never("can change the system or run other programs"),
        changes: SERVICE_CHANGES,
        lands: &[("", Lands::Machine)],
        ..UNLISTED
    },
    Program {
        names: "systemctl",
        source: "systemctl(1)",
        leading: "--user --no-pager",
        is: &[Fact::SaysHelp, Fact::ChangesMachine, Fact::OfTheSystem, Fact::SaysVersion],
        class: Class::SubCommands(&[SYSTEMCTL]),
        valued: "-H --host -M --machine -t --type -n --lines -o --output -p --property --root",
        sub_commands: "start stop restart reload status enable disable mask unmask is-active is-enabled is-failed \
            show cat kill list-units list-unit-files daemon-reload reset-failed list-timers try-restart",
        same_options: &[("", "f=force H=host M=machine q=quiet")],
        looks: lookers::SYSTEMCTL,
        destroys: &[danger("poweroff|reboot|halt|kexec|rescue|emergency", "", "stops the machine")],
        prints: &[printer("show-environment", "systemctl(1)")],
        changes: SERVICE_CHANGES,
        lands: &[("", Lands::Machine)],
        ..UNLISTED
    },
    Program {
        names: "date",
        source: "date(1)",
        is: &[Fact::OfTheSystem, Fact::Prefixed, Fact::TakesText, Fact::TellsOperands],
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
        sets: &[danger("*", "", "changes the name of this machine")],
        is: &[Fact::OfTheSystem],
        class: Class::Options(&Spec {
            flags: "sfidIAay",
            long: "short fqdn long ip-address all-ip-addresses domain all-fqdns alias help version",
            refused: &[("-F --file -b --boot", Changes)],
            operands: Operands::AtMost(0),
            ..PLAIN
        }),
        looks: &[form("", "").at_most(0)],
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
        looks: &[form(
            "",
            "a b? e f k l n= o= p= q r S= u= U= t= x g= all boot? pager-end follow dmesg lines= output= \
                priority= quiet reverse since= until= unit= user-unit= identifier= catalog grep= no-pager \
                no-full no-tail utc user system no-hostname list-boots disk-usage case-sensitive?",
        )],
        destroys: &[danger("", "vacuum-size vacuum-time vacuum-files", "removes the system's log")],
        ..UNLISTED
    },
    Program {
        destroys: &[danger("", "C c clear read-clear", "removes the log of the kernel")],
        ..options(
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
        )
    },
    Program {
        names: "ss",
        source: "ss(1)",
        is: &[Fact::OfTheSystem],
        class: Class::Options(&SS_OPTIONS),
        looks: &[form(
            "",
            "t u l n p a r s x w 4 6 e m i o tcp udp listening numeric processes all resolve summary unix \
                ipv4 ipv6 extended memory info options",
        )
        .reaches(Reaches::Sockets)],
        ..UNLISTED
    },
    Program {
        names: "netstat",
        source: "netstat(1)",
        is: &[Fact::OfTheSystem],
        class: Class::Options(&SS_OPTIONS),
        looks: &[form(
            "",
            "t u l n p a r s x w 4 6 e m i o tcp udp listening numeric processes all resolve summary unix \
                ipv4 ipv6 extended memory info options programs",
        )
        .at_most(0)],
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
        looks: &[form("", "i? s? n P p= t a c= u= l").reaches(Reaches::Names)],
        ..UNLISTED
    },
    // lspci(8): `-q` and `-Q` ask the name service, `-O` says which.
    Program {
        names: "lspci",
        source: "lspci(8)",
        class: Class::Options(&Spec {
            flags: "vnxkDbPtm#",
            valued: "sd",
            long: "-nn -vmm -mm -nnk -vv -vvv -vnn help version",
            refused: &[("-q -Q -O -A", Sends), ("-i -p -F -H -M -G", Loads)],
            operands: Operands::None,
            ..PLAIN
        }),
        looks: LSCPU_LOOKS,
        ..UNLISTED
    },
    Program { names: "sw_vers", source: "sw_vers(1)", is: &[Fact::OfTheSystem, Fact::OnlyNames], ..UNLISTED },
    Program { names: "lvreduce", source: "lvreduce(8)", destroys: &[danger("", "", "removes volumes")], ..UNLISTED },
    Program {
        names: "Clear-Disk Format-Volume Initialize-Disk Remove-Partition Stop-Computer Restart-Computer",
        source: "PowerShell documentation, \"Microsoft.PowerShell.Management\"",
        destroys: &[danger("", "", "removes data or stops the machine")],
        ..UNLISTED
    },
    Program {
        names: "run0",
        source: "run0(1)",
        is: &[Fact::AsAnotherUser, Fact::RunsOperands],
        class: Class::Never("runs another program"),
        runs: &[behind("", 0)],
        flags: "--no-ask-password --via-shell",
        valued: "-u --user -g --group -D --chdir -M --machine --nice --setenv --background --property --slice --unit \
            --description",
        ..UNLISTED
    },
    Program {
        names: "singularity apptainer",
        source: "singularity(1), apptainer(1)",
        files: FileUse { handed: "-B --bind", ..FileUse::PLAIN },
        ..UNLISTED
    },
];
