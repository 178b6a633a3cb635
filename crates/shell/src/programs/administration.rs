//! Programs that change disks, accounts, and how the machine starts, connects and protects itself.

use super::class::Class;
use super::danger::danger;
use super::fact::Fact;
use super::interactive::Interactive;
use super::spec::CHANGES;
use super::{Program, UNLISTED, changer};

pub(super) const PROGRAMS: &[Program] = &[
    changer(
        "fusermount fusermount3 mount.nfs losetup dmsetup lvm lvcreate lvextend vgcreate pvcreate \
            vgchange resize2fs e2fsck fsck tune2fs e2label xfs_repair xfs_growfs bcachefs partprobe \
            mkfs.fat mkfs.ntfs mkfs.exfat mkfs.f2fs mkfs.ext2 mkfs.ext3 mkfs.msdos mkfs.minix mkdosfs \
            nvme smartctl sg_format ddrescue partclone testdisk photorec kpartx multipath mkfs.ext4 \
            mkfs.xfs mkfs.vfat mkfs.btrfs growpart fstrim swaplabel quotacheck quotaon setquota edquota",
        "lvm(8), mdadm(8), btrfs(8), smartctl(8)",
        "changes disks",
    ),
    Program {
        names: "lvremove vgremove pvremove",
        source: "lvm(8), mdadm(8), btrfs(8), smartctl(8)",
        is: &[Fact::ChangesMachine],
        class: Class::Never("changes disks"),
        destroys: &[danger("", "", "removes volumes")],
        ..UNLISTED
    },
    Program {
        names: "mdadm",
        source: "lvm(8), mdadm(8), btrfs(8), smartctl(8)",
        is: &[Fact::ChangesMachine],
        class: Class::Never("changes disks"),
        destroys: &[danger("", "zero-superblock", "removes a disk from its array")],
        ..UNLISTED
    },
    Program {
        names: "cryptsetup",
        source: "lvm(8), mdadm(8), btrfs(8), smartctl(8)",
        is: &[Fact::ChangesMachine],
        class: Class::Never("changes disks"),
        destroys: &[danger("luksFormat|erase|luksErase|luksRemoveKey|luksKillSlot", "", "makes a disk unreadable")],
        ..UNLISTED
    },
    Program {
        names: "btrfs",
        source: "lvm(8), mdadm(8), btrfs(8), smartctl(8)",
        is: &[Fact::ChangesMachine],
        class: Class::Never("changes disks"),
        destroys: &[danger("subvolume delete", "", "removes a subvolume")],
        ..UNLISTED
    },
    Program {
        names: "zfs zpool",
        source: "lvm(8), mdadm(8), btrfs(8), smartctl(8)",
        is: &[Fact::ChangesMachine],
        class: Class::Never("changes disks"),
        destroys: &[danger("destroy|rollback|labelclear", "", "removes data sets")],
        ..UNLISTED
    },
    Program {
        names: "blkdiscard wipefs sgdisk sfdisk gdisk hdparm badblocks",
        source: "lvm(8), mdadm(8), btrfs(8), smartctl(8)",
        is: &[Fact::ChangesMachine],
        class: Class::Never("changes disks"),
        destroys: &[danger("", "", "changes disks")],
        ..UNLISTED
    },
    Program {
        names: "cfdisk",
        source: "lvm(8), mdadm(8), btrfs(8), smartctl(8)",
        is: &[Fact::ChangesMachine],
        class: Class::Never("changes disks"),
        destroys: &[danger("", "", "changes disks")],
        interactive: &[Interactive::Always],
        ..UNLISTED
    },
    changer(
        "pw rmuser sysrc kldunload setcap chflags update-ca-trust certctl authselect grubby",
        "pw(8), setcap(8), chflags(1) and the manual page of each other",
        CHANGES,
    ),
    changer(
        "adduser addgroup groupmod gpasswd chage chfn chsh pwconv grpconv faillock newusers sulogin \
            getty setfont loadkeys",
        "adduser(8), gpasswd(1), chsh(1)",
        "changes accounts",
    ),
    Program {
        names: "deluser delgroup groupdel",
        source: "adduser(8), gpasswd(1), chsh(1)",
        is: &[Fact::ChangesMachine],
        class: Class::Never("changes accounts"),
        destroys: &[danger("", "", "removes an account")],
        ..UNLISTED
    },
    Program {
        names: "vipw vigr",
        source: "adduser(8), gpasswd(1), chsh(1)",
        is: &[Fact::ChangesMachine],
        class: Class::Never("changes accounts"),
        interactive: &[Interactive::Terminal],
        ..UNLISTED
    },
    Program {
        names: "login agetty",
        source: "adduser(8), gpasswd(1), chsh(1)",
        is: &[Fact::ChangesMachine],
        class: Class::Never("changes accounts"),
        interactive: &[Interactive::Always],
        ..UNLISTED
    },
    changer(
        "grub-install grub-mkconfig update-grub update-initramfs mkinitcpio dracut kexec depmod dkms \
            efibootmgr fwupdmgr flashrom setpci iwconfig brctl ovs-vsctl bridge arp rarp iptables-save \
            iptables-restore firewall-cmd conntrack ipset ebtables arptables tuned-adm cpupower powertop \
            tlp x86_energy_perf_policy rtcwake kldload pfctl rc-service rc-update sv svc initctl upstart \
            runit chkconfig insserv update-rc.d invoke-rc.d update-ca-certificates \
            update-desktop-database update-mime-database xdg-mime xdg-settings gsettings dconf \
            gconftool-2 kwriteconfig5 kwriteconfig6 plutil scutil networksetup systemsetup csrutil spctl \
            diskutil hdiutil pmset nvram bless dscl reg regedit schtasks sc netsh wmic powercfg",
        "firewall-cmd(1), update-grub(8), gsettings(1)",
        CHANGES,
    ),
    Program {
        names: "ip6tables",
        source: "firewall-cmd(1), update-grub(8), gsettings(1)",
        is: &[Fact::ChangesMachine],
        class: Class::Never(CHANGES),
        destroys: &[danger("", "F X flush delete-chain", "removes firewall rules")],
        ..UNLISTED
    },
    Program {
        names: "setenforce",
        source: "firewall-cmd(1), update-grub(8), gsettings(1)",
        is: &[Fact::ChangesMachine],
        class: Class::Never(CHANGES),
        destroys: &[danger("0", "", "turns the protection of the system off")],
        ..UNLISTED
    },
    Program {
        names: "defaults",
        source: "firewall-cmd(1), update-grub(8), gsettings(1)",
        is: &[Fact::ChangesMachine, Fact::OfTheSystem],
        class: Class::Never(CHANGES),
        ..UNLISTED
    },
    Program {
        names: "bcdedit",
        source: "firewall-cmd(1), update-grub(8), gsettings(1)",
        is: &[Fact::ChangesMachine],
        class: Class::Never(CHANGES),
        destroys: &[danger("", "", "changes disks")],
        ..UNLISTED
    },
];
