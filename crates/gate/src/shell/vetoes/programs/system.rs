//! Programs that tell of the machine, and those that change it.

use super::super::effect::Effect::{Changes, Loads, Sends, Writes};
use super::super::options::{Operands, PLAIN, Spec};
use super::{CHANGES, Program, SERVES, WRITES, commands, looks, never, options, runner};

/// It has no option that changes anything but for those that are not listed.
const TELLS: Spec = Spec {
    flags: "hVvaqlntx",
    long: "help version verbose quiet all short long json no-pager",
    operands: Operands::None,
    ..PLAIN
};

pub(super) const PROGRAMS: &[Program] = &[
    options(
        "lsmem lsns lsipc lslocks lslogins lsscsi lshw numastat inxi hwinfo dmidecode \
            sensors acpi upower cpuid x86info rocminfo clinfo vulkaninfo glxinfo eglinfo vainfo vdpauinfo \
            xdpyinfo xwininfo xlsclients edid-decode neofetch fastfetch screenfetch pfetch lsmod modinfo lsattr \
            ipcs getfacl getfattr getcap",
        "each program's manual page",
        &Spec {
            refused: &[(
                "-o --output --logo --source --config -c --gen-config --ascii --backend --class -f --from-dump",
                Loads,
            )],
            operands: Operands::Plain,
            ..TELLS
        },
    ),
    options(
        "mpstat pidstat sar iotop nethogs iftop nload bmon slabtop pidwait pstree pwdx pmap prtstat peekfd fuser \
            procinfo procs btm bottom glances atop nmon ytop zenith gotop bpytop btop iptraf-ng vnstat dstat dool \
            collectl tload",
        "mpstat(1), pstree(1), pmap(1)",
        &Spec {
            flags: "hVpautlxcgsnTZ#",
            long: "help version show-pids arguments all extended",
            refused: &[(
                "-k -K --kill -o --output -f --export --webserver -w -s --server -C --config --command -i \
                    --interactive",
                Changes,
            )],
            operands: Operands::Plain,
            ..PLAIN
        },
    ),
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
        "nmcli iw ethtool rfkill bluetoothctl iwctl mmcli",
        "nmcli(1); iw(8)",
        &[&[looks("general device:status connection:show dev list show status info")]],
    ),
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
            nvme smartctl sg_format badblocks ddrescue partclone testdisk photorec kpartx multipath mkfs.ext4 \
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
        "cowsay figlet toilet fortune lolcat boxes banner cmatrix",
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
