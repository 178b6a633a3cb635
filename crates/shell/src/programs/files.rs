//! Files and folders: what lists, finds, makes, moves and removes them.

use super::class::Class;
use super::effect::Effect::{Changes, Loads, Runs, Writes};
use super::fact::Fact;
use super::spec::{Operands, PLAIN, Spec, Style};
use super::{Program, UNLISTED, options};

const MV_SAME: &[(&str, &str)] = &[(
    "",
    "r=recursive R=recursive f=force a=archive s=symbolic t=target-directory T=no-target-directory \
        v=verbose",
)];

const FD_OPTIONS: Spec = Spec {
    flags: "HIusigFalLp0q1h",
    valued: "tdeESjcSo",
    long: "hidden no-ignore unrestricted case-sensitive ignore-case glob regex fixed-strings absolute-path \
        list-details follow full-path print0 max-depth min-depth exact-depth type extension exclude size \
        changed-within changed-before owner color threads max-results quiet show-errors strip-cwd-prefix \
        one-file-system help version and no-ignore-vcs",
    refused: &[("-x --exec -X --exec-batch", Runs), ("--ignore-file --base-directory --search-path -C", Loads)],
    broad: true,
    ..PLAIN
};

const LSBLK_OPTIONS: Spec = Spec {
    flags: "abdfilmnopPrstT",
    long: "json all output help version list bytes fs",
    refused: &[("-c -g", Changes)],
    ..PLAIN
};

pub(super) const PROGRAMS: &[Program] = &[
    Program { names: "ls", source: "ls(1)", is: &[Fact::Prefixed], class: Class::AnyText, ..UNLISTED },
    Program { names: "dir vdir", source: "dir(1), vdir(1)", class: Class::AnyText, ..UNLISTED },
    Program { names: "basename", source: "basename(1)", class: Class::AnyText, ..UNLISTED },
    Program { names: "dirname", source: "dirname(1)", class: Class::AnyText, ..UNLISTED },
    Program { names: "realpath", source: "realpath(1)", class: Class::AnyText, ..UNLISTED },
    Program { names: "readlink", source: "readlink(1)", class: Class::AnyText, ..UNLISTED },
    Program { names: "stat", source: "stat(1)", class: Class::AnyText, ..UNLISTED },
    Program { names: "du", source: "du(1)", class: Class::AnyText, ..UNLISTED },
    Program { names: "df", source: "df(1)", class: Class::AnyText, ..UNLISTED },
    Program { names: "which", source: "which(1)", is: &[Fact::OfTheSystem], class: Class::AnyText, ..UNLISTED },
    Program { names: "whereis pathchk", source: "whereis(1), pathchk(1)", class: Class::AnyText, ..UNLISTED },
    Program { names: "type", source: "type(1)", is: &[Fact::OfTheSystem], class: Class::AnyText, ..UNLISTED },
    Program {
        names: "rm",
        source: "rm(1)",
        is: &[Fact::Prefixed],
        class: Class::Writer,
        same_options: &[("", "r=recursive R=recursive f=force d=dir v=verbose i=interactive I=interactive")],
        ..UNLISTED
    },
    Program {
        names: "rmdir",
        source: "rmdir(1)",
        is: &[Fact::Prefixed],
        class: Class::Writer,
        same_options: &[("", "p=parents m=mode v=verbose")],
        ..UNLISTED
    },
    Program { names: "unlink", source: "unlink(1)", is: &[Fact::Prefixed], class: Class::Writer, ..UNLISTED },
    Program {
        names: "mv",
        source: "mv(1)",
        is: &[Fact::Prefixed],
        class: Class::Writer,
        same_options: MV_SAME,
        ..UNLISTED
    },
    Program {
        names: "cp",
        source: "cp(1)",
        is: &[Fact::Prefixed],
        class: Class::Writer,
        same_options: MV_SAME,
        ..UNLISTED
    },
    Program {
        names: "ln",
        source: "ln(1)",
        is: &[Fact::Prefixed],
        class: Class::Writer,
        same_options: MV_SAME,
        ..UNLISTED
    },
    Program {
        names: "install",
        source: "install(1)",
        is: &[Fact::Prefixed],
        class: Class::Writer,
        running: "--strip-program",
        same_options: MV_SAME,
        ..UNLISTED
    },
    Program {
        names: "dd truncate csplit",
        source: "dd(1), truncate(1), csplit(1)",
        is: &[Fact::Prefixed],
        class: Class::Writer,
        ..UNLISTED
    },
    Program { names: "tee", source: "tee(1)", is: &[Fact::Prefixed], class: Class::Writer, ..UNLISTED },
    Program {
        names: "touch mktemp",
        source: "touch(1), mktemp(1)",
        is: &[Fact::Prefixed],
        class: Class::Writer,
        ..UNLISTED
    },
    Program {
        names: "mkfifo mknod",
        source: "mkfifo(1), mknod(1)",
        is: &[Fact::Prefixed],
        class: Class::Writer,
        ..UNLISTED
    },
    Program {
        names: "chmod",
        source: "chmod(1)",
        is: &[Fact::Prefixed],
        class: Class::Writer,
        same_options: &[("", "R=recursive f=silent c=changes v=verbose")],
        ..UNLISTED
    },
    Program {
        names: "chown chgrp",
        source: "chown(1), chgrp(1)",
        is: &[Fact::Prefixed],
        class: Class::Writer,
        same_options: &[("", "R=recursive f=silent c=changes v=verbose")],
        ..UNLISTED
    },
    Program { names: "chattr", source: "chattr(1)", class: Class::Writer, ..UNLISTED },
    Program { names: "setfacl", source: "setfacl(1)", class: Class::Writer, ..UNLISTED },
    Program { names: "shred", source: "shred(1)", is: &[Fact::Prefixed], class: Class::Writer, ..UNLISTED },
    Program {
        names: "split",
        source: "split(1)",
        is: &[Fact::Prefixed],
        class: Class::Writer,
        running: "--filter",
        ..UNLISTED
    },
    Program {
        names: "rename rip sponge mke2fs",
        source: "rename(1), rip(1), sponge(1) and the manual page of each other",
        class: Class::Writer,
        ..UNLISTED
    },
    Program { names: "wipe srm", source: "wipe(1), srm(1)", class: Class::Writer, ..UNLISTED },
    Program {
        names: "rsync",
        source: "rsync(1)",
        class: Class::Writer,
        running: "-e --rsh --rsync-path",
        same_options: &[("", "a=archive r=recursive e=rsh n=dry-run v=verbose z=compress")],
        ..UNLISTED
    },
    Program {
        names: "rclone",
        source: "rclone(1)",
        class: Class::Writer,
        running: "--password-command --sftp-ssh --metadata-mapper",
        ..UNLISTED
    },
    Program { names: "debugfs", source: "debugfs(8)", class: Class::Writer, ..UNLISTED },
    Program { names: "mkswap", source: "mkswap(8)", class: Class::Writer, ..UNLISTED },
    Program {
        names: "find",
        source: "find(1)",
        is: &[Fact::OfTheSystem, Fact::RunsOperands, Fact::TakesText],
        class: Class::Options(&Spec {
            style: Style::Words,
            long: "H L P O0 O1 O2 O3 amin anewer atime cmin cnewer ctime daystart depth empty executable false \
                follow fstype gid group help ilname iname inum ipath iregex iwholename links lname ls \
                maxdepth mindepth mmin mount mtime name newer neweraa newerat newermm newermt newerct \
                nogroup noleaf nouser path perm print print0 printf prune quit readable regex regextype \
                samefile size true type uid used user version wholename writable xdev xtype a o and or not",
            refused: &[
                ("exec execdir ok okdir", Runs),
                ("delete fprint fprint0 fprintf fls", Writes),
                ("files0-from", Loads),
            ],
            broad: true,
            ..PLAIN
        }),
        executing: "-exec -execdir -ok -okdir",
        ..UNLISTED
    },
    Program {
        names: "fd",
        source: "fd(1)",
        is: &[Fact::RunsOperands, Fact::TakesText],
        class: Class::Options(&FD_OPTIONS),
        executing: "-x -X --exec --exec-batch",
        ..UNLISTED
    },
    Program {
        names: "fdfind",
        source: "fdfind(1)",
        first_name: "fd",
        is: &[Fact::RunsOperands, Fact::TakesText],
        class: Class::Options(&FD_OPTIONS),
        executing: "-x -X --exec --exec-batch",
        ..UNLISTED
    },
    Program {
        names: "tree",
        source: "tree(1)",
        is: &[Fact::OfTheSystem],
        class: Class::Options(&Spec {
            flags: "adlfxiqNQpugshDFrtcUvnACSJX#",
            // tree(1): the value of these is the next word, behind further letters too.
            long: "-L: -P: -I: noreport dirsfirst filesfirst prune gitignore du si inodes device sort matchdirs \
                ignore-case filelimit charset timefmt help version metafirst",
            refused: &[("-o", Writes), ("-R", Writes), ("-H -T --fromfile --info --infofile --gitfile", Loads)],
            ..PLAIN
        }),
        ..UNLISTED
    },
    Program {
        names: "file",
        source: "file(1)",
        is: &[Fact::OfTheSystem],
        class: Class::Options(&Spec {
            flags: "bikLhNnprsSvz0E",
            valued: "F",
            long: "brief mime mime-type mime-encoding dereference no-dereference keep-going raw separator \
                extension help version",
            refused: &[
                ("-C --compile", Writes),
                ("-m --magic-file -f --files-from -P --parameter", Loads),
                ("-z -Z --uncompress", Runs),
            ],
            ..PLAIN
        }),
        ..UNLISTED
    },
    // mkdir(1): a folder in the one that it runs in.
    Program {
        names: "mkdir",
        source: "mkdir(1)",
        is: &[Fact::Prefixed],
        class: Class::Options(&Spec {
            flags: "pv",
            long: "parents verbose help version",
            refused: &[("-m --mode -Z --context", Changes)],
            operands: Operands::Inside,
            ..PLAIN
        }),
        same_options: &[("", "p=parents m=mode v=verbose")],
        ..UNLISTED
    },
    Program {
        names: "lsblk",
        source: "lsblk(1)",
        is: &[Fact::OfTheSystem],
        class: Class::Options(&LSBLK_OPTIONS),
        ..UNLISTED
    },
    options("findmnt blkid", "findmnt(1), blkid(1)", &LSBLK_OPTIONS),
    Program { names: "ginstall", source: "ginstall(1)", running: "--strip-program", ..UNLISTED },
    Program { names: "gfind", source: "gfind(1)", first_name: "find", ..UNLISTED },
    Program { names: "sync", source: "sync(1)", is: &[Fact::Prefixed], ..UNLISTED },
];
