//! Programs that tell of the machine, and those that change it.

use super::super::effect::Effect::{Changes, Loads, Runs, Sends, Writes};
use super::super::options::{Operands, PLAIN, Spec};
use super::{CHANGES, Program, SAYS_VERSION, SERVES, WRITES, commands, looks, looks_at, never, options, runner};

/// It has no option that changes anything but for those that are not listed.
const TELLS: Spec = Spec {
    flags: "hVvaqlntx",
    long: "help version verbose quiet all short long json no-pager",
    operands: Operands::None,
    ..PLAIN
};

pub(super) const PROGRAMS: &[Program] = &[
    // A second operand is a file that some of them write.
    options(
        "lsmem lsns lsipc lslocks lslogins lsscsi lshw numastat inxi hwinfo dmidecode sensors acpi upower cpuid \
            x86info rocminfo clinfo glxinfo eglinfo vainfo vdpauinfo xdpyinfo xwininfo xlsclients edid-decode \
            neofetch fastfetch pfetch ipcs",
        "each program's manual page",
        &Spec {
            refused: &[(
                "-o --output --logo --source --config -c --gen-config --ascii --backend --class -f --from-dump",
                Loads,
            )],
            operands: Operands::InsideAtMost(1),
            ..TELLS
        },
    ),
    options(
        "lsmod modinfo lsattr getfacl getfattr getcap",
        "lsmod(8), modinfo(8), lsattr(1), getfacl(1), getfattr(1), getcap(8)",
        &Spec { flags: "hVvadln", long: "help version all", operands: Operands::Plain, ..PLAIN },
    ),
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
        "iotop nethogs iftop nload bmon slabtop procinfo procs btm bottom glances atop nmon ytop zenith gotop \
            bpytop btop iptraf-ng vnstat dstat dool collectl tload",
        "glances(1), nmon(1), vnstat(1); each program's manual page",
        &SAYS_VERSION,
    ),
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
    commands(
        "loginctl hostnamectl timedatectl localectl networkctl resolvectl coredumpctl bootctl udevadm busctl \
            portablectl homectl userdbctl machinectl oomctl",
        "loginctl(1), timedatectl(1), networkctl(1), coredumpctl(1)",
        &[&[Spec {
            names: "status list show list-sessions list-users list-timezones list-locales list-keymaps statistics \
                list-links user-status session-status",
            flags: "la",
            long: "help no-pager no-legend all full json=short json=pretty output=json",
            refused: &[("-H --host -M --machine -D --directory --file --root --image", Sends), ("-o --output", Writes)],
            operands: Operands::Plain,
            ..PLAIN
        }]],
    )
    .looking()
    .running(),
    commands(
        "nmcli",
        "nmcli(1)",
        &[&[
            looks(
                "general general:status device device:status dev dev:status d d:status connection con c radio \
                    networking:connectivity",
            ),
            looks_at("device:show dev:show d:show connection:show con:show c:show"),
        ]],
    ),
    // A device comes first, and then what is done with it.
    commands("iw rfkill", "iw(8); rfkill(8)", &[&[looks("dev phy list --version --help")]]),
    commands("bluetoothctl", "bluetoothctl(1)", &[&[looks("list show devices"), looks_at("info")]]),
    options("ethtool iwctl mmcli", "ethtool(8), iwctl(1), mmcli(1)", &SAYS_VERSION),
    commands(
        "ip",
        "ip(8)",
        &[&[
            Spec {
                names: "a addr address l link r route n neigh rule -br:a -br:addr -br:link -brief:addr -brief:link -c:a \
                    -c:addr -s:link -j:addr -j:link -j:route -4:addr -4:route -6:addr -6:route -V",
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
        ]],
    ),
    commands("tailscale zerotier-cli", "tailscale --help", &[&[looks("status version")]]),
    options(
        "locate plocate mlocate",
        "plocate(1)",
        &Spec {
            flags: "AbceiHLPpqsS0wNr",
            valued: "ln",
            long: "help version count basename ignore-case limit: null existing regexp regex wholename quiet \
                statistics",
            refused: &[("-d --database", Loads)],
            ..PLAIN
        },
    )
    .looking(),
    never("updatedb mandb makewhatis", "updatedb(8); mandb(8)", CHANGES),
    never(
        "fusermount fusermount3 mount.nfs losetup dmsetup lvm lvcreate lvextend lvremove vgcreate vgremove \
            pvcreate pvremove vgchange mdadm cryptsetup resize2fs e2fsck fsck tune2fs e2label xfs_repair \
            xfs_growfs btrfs zfs zpool bcachefs blkdiscard wipefs sgdisk sfdisk cfdisk gdisk partprobe hdparm \
            mkfs.fat mkfs.ntfs mkfs.exfat mkfs.f2fs mkfs.ext2 mkfs.ext3 mkfs.msdos mkfs.minix mkdosfs nvme smartctl sg_format badblocks ddrescue partclone testdisk photorec kpartx multipath mkfs.ext4 \
            mkfs.xfs mkfs.vfat mkfs.btrfs growpart fstrim swaplabel quotacheck quotaon setquota edquota",
        "lvm(8), mdadm(8), btrfs(8), smartctl(8)",
        "changes disks",
    ),
    never(
        "adduser addgroup deluser delgroup groupdel groupmod gpasswd chage chfn chsh vipw vigr pwconv grpconv \
            faillock newusers login sulogin agetty getty setfont loadkeys",
        "adduser(8), gpasswd(1), chsh(1)",
        "changes accounts",
    ),
    never(
        "grub-install grub-mkconfig update-grub update-initramfs mkinitcpio dracut kexec depmod dkms efibootmgr \
            fwupdmgr flashrom setpci iwconfig brctl ovs-vsctl bridge arp rarp ip6tables iptables-save \
            iptables-restore firewall-cmd conntrack ipset ebtables arptables tuned-adm cpupower powertop tlp \
            x86_energy_perf_policy rtcwake setenforce kldload pfctl rc-service rc-update sv svc initctl upstart \
            runit chkconfig insserv update-rc.d invoke-rc.d update-ca-certificates update-desktop-database \
            update-mime-database xdg-mime xdg-settings gsettings dconf gconftool-2 kwriteconfig5 kwriteconfig6 \
            defaults plutil scutil networksetup systemsetup csrutil spctl diskutil hdiutil pmset nvram bless dscl \
            reg regedit schtasks sc netsh bcdedit wmic powercfg",
        "firewall-cmd(1), update-grub(8), gsettings(1)",
        CHANGES,
    ),
    runner(
        "chronic ts vidir vipe zrun ifne pee combine mispipe lckdo",
        "moreutils: chronic(1), vipe(1), zrun(1), ifne(1), pee(1), mispipe(1)",
    ),
    never(
        "asciinema ttyrec termtosvg vhs agg terminalizer ttyd gotty wetty shellinabox sshx tmate upterm \
            mosh-server teleconsole",
        "asciinema(1); ttyd(1); vhs --help",
        SERVES,
    ),
    runner(
        "rc es yash posh sash oksh loksh elvish osh ysh murex ngs closh bashcov starship zoxide thefuck fuck \
            mcfly atuin hstr fasd autojump z navi pet oh-my-posh fig warp wezterm kitty alacritty foot \
            gnome-terminal konsole xterm urxvt st terminator tilix ghostty",
        "each shell's or terminal's manual page",
    ),
    options(
        "tldr cheat howdoi cht.sh",
        "tldr --help",
        &Spec {
            flags: "lhvp",
            long: "help version list platform: language:",
            refused: &[("-u --update -c --clear-cache --config -r --render -f --edit -e", Writes)],
            operands: Operands::Names,
            ..PLAIN
        },
    ),
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
    runner("anacron fcron crond incron incrontab watchdog monit", "anacron(8); monit(1)"),
    never(
        "lzip lzop lrzip pigz pbzip2 pixz pxz plzip zpaq arj lha zoo rar unar unarj ouch atool aunpack apack als \
            dtrx patool 7zr 7zz zipsplit zipcloak zipnote unlz4 brotli bzip3 kzip advzip mksquashfs unsquashfs \
            mkisofs genisoimage xorriso xorrisofs isoinfo wodim cdrecord growisofs makeself shar unshar uuencode \
            uudecode mimencode munpack mpack cabextract gcab innoextract unshield rpm2cpio rpm2archive dar \
            bsdcpio star pxattr hardlink jdupes fdupes rdfind rmlint duperemove czkawka trash trash-put \
            trash-empty gio rename.ul prename mmv qmv imv fdrename vimv massren",
        "each archiver's manual page; fdupes(1); trash-put(1)",
        WRITES,
    ),
    options(
        "lsar lz4cat bzcat xzcat zstdcat lzcat bzgrep xzgrep zstdgrep bzdiff xzdiff zdiff zcmp bzcmp xzcmp gzcat \
            zegrep zfgrep",
        "xz(1); zstd(1); bzgrep(1)",
        &Spec {
            flags: "ivnclhHqTL#",
            valued: "eABC",
            long: "help version ignore-case invert-match line-number count recursive quiet",
            refused: &[("-f --files --files0 -d -k -o -S", Loads)],
            ..PLAIN
        },
    ),
    options(
        "getent",
        "getent(1)",
        &Spec {
            flags: "",
            long: "help version",
            refused: &[("-s --service", Sends)],
            operands: Operands::None,
            ..PLAIN
        },
    ),
    never("lstopo lstopo-no-graphics", "lstopo(1)", WRITES),
];
