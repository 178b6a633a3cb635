//! Files and folders: what lists, finds, makes, moves and removes them.

use super::class::Class;
use super::danger::{Danger, danger};
use super::effect::Effect::{Changes, Loads, Runs, Writes};
use super::fact::Fact;
use super::file_use::{FileUse, Folders};
use super::form::{Form, form};
use super::interactive::Interactive;
use super::lands::Lands;
use super::shared::{LSCPU_LOOKS, RECURSIVE_IN_POWERSHELL};
use super::spec::{Operands, PLAIN, Spec, Style};
use super::state_change::{StateChange, changes_state};
use super::{Program, UNLISTED, options};

const LS: &str = "a A b B c C d f F g G h H i k l L m n N o p q Q r R s S t u U v x X Z 1 I= T= w= all almost-all author \
    escape block-size= ignore-backups color? directory classify? file-type format= full-time group-directories-first no-group \
    human-readable si dereference hide= hyperlink? indicator-style= inode ignore= kibibytes literal numeric-uid-gid \
    quote-name quoting-style= reverse recursive size sort= time= time-style= tabsize= width= zero context version help";

const RMDIR_IN_CMD: &[Danger] = &[RECURSIVE_IN_POWERSHELL, danger("/s|/S|/q|/Q|/f|/F", "", "removes files")];

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

const FD_LOOKS: &[Form] = &[form(
    "",
    "H I u s i g a l L p 0 d= t= e= E= S= j= c= F hidden no-ignore no-ignore-vcs unrestricted \
        case-sensitive ignore-case glob fixed-strings absolute-path list-details follow full-path print0 \
        max-depth= min-depth= exact-depth= type= extension= exclude= size= changed-within= changed-before= \
        owner= color= max-results= 1 prune quiet",
)];

const LSBLK_OPTIONS: Spec = Spec {
    flags: "abdfilmnopPrstT",
    long: "json all output help version list bytes fs",
    refused: &[("-c -g", Changes)],
    ..PLAIN
};

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: "ls",
        source: "ls(1)",
        is: &[Fact::Prefixed, Fact::TellsOperands, Fact::TellsFolders, Fact::ShowsText],
        class: Class::AnyText,
        looks: &[form("", LS).harmless()],
        files: FileUse { names_only: Some(""), ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "dir vdir",
        source: "dir(1), vdir(1)",
        class: Class::AnyText,
        looks: &[form("", LS).harmless()],
        files: FileUse { names_only: Some(""), ..FileUse::PLAIN },
        like: "ls",
        ..UNLISTED
    },
    Program {
        names: "basename",
        source: "basename(1)",
        class: Class::AnyText,
        looks: &[form("", "a s= z multiple suffix= zero").harmless()],
        files: FileUse { names_only: Some(""), ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "dirname",
        source: "dirname(1)",
        class: Class::AnyText,
        looks: &[form("", "z zero").harmless()],
        files: FileUse { names_only: Some(""), ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "realpath",
        source: "realpath(1)",
        is: &[Fact::TellsFolders],
        class: Class::AnyText,
        looks: &[form(
            "",
            "e m L P q s z canonicalize-existing canonicalize-missing logical physical quiet relative-to= \
                relative-base= strip no-symlinks zero",
        )
        .harmless()],
        files: FileUse { names_only: Some(""), ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "readlink",
        source: "readlink(1)",
        is: &[Fact::TellsFolders],
        class: Class::AnyText,
        looks: &[
            form("", "f e m n q s v z canonicalize canonicalize-existing canonicalize-missing no-newline").harmless()
        ],
        files: FileUse { names_only: Some(""), ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "stat",
        source: "stat(1)",
        is: &[Fact::TellsFolders],
        class: Class::AnyText,
        looks: &[form("", "L f c= t x s n q F r l dereference file-system format= printf= terse cached=")],
        files: FileUse { names_only: Some(""), ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "du",
        source: "du(1)",
        is: &[Fact::TellsFolders],
        class: Class::AnyText,
        looks: &[form(
            "",
            "0 a B= b c D d= H h k L l m P S s t= x X= all apparent-size block-size= bytes total \
                max-depth= human-readable inodes si summarize threshold= time? time-style= exclude= \
                one-file-system separate-dirs",
        )
        .with_harmless_operands()],
        files: FileUse { names_only: Some("--files0-from --exclude-from -X"), ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "df",
        source: "df(1)",
        class: Class::AnyText,
        looks: &[form(
            "",
            "a B= h H i k l P T t= x= all block-size= human-readable si inodes local output? portability \
                total type= print-type exclude-type=",
        )
        .harmless()],
        files: FileUse { names_only: Some(""), ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "which",
        source: "which(1)",
        is: &[Fact::OfTheSystem, Fact::ShowsText],
        class: Class::AnyText,
        looks: &[form("", "a s all")],
        files: FileUse { names_only: Some(""), ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "where",
        source: "zshbuiltins(1)",
        is: &[Fact::ShowsText],
        class: Class::AnyText,
        looks: &[form("", "w p s S")],
        files: FileUse { names_only: Some(""), ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program { names: "whereis pathchk", source: "whereis(1), pathchk(1)", class: Class::AnyText, ..UNLISTED },
    Program {
        names: "type",
        source: "type(1)",
        is: &[Fact::OfTheSystem, Fact::ShowsText],
        class: Class::AnyText,
        looks: &[form("", "a f p P t").harmless()],
        files: FileUse { names_only: Some(""), ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "rm",
        source: "rm(1)",
        is: &[Fact::Prefixed, Fact::TakesAway, Fact::OftenRun],
        class: Class::Writer,
        same_options: &[("", "r=recursive R=recursive f=force d=dir v=verbose i=interactive I=interactive")],
        destroys: &[danger("", "r R recursive no-preserve-root", "removes whole folders")],
        does: "removes files",
        files: FileUse { names_only: Some(""), ..FileUse::PLAIN },
        lands: &[("", Lands::Names)],
        state_changes: &[changes_state(
            "",
            StateChange::Removes,
            "f r R i I d v force recursive dir verbose one-file-system preserve-root",
        )],
        ..UNLISTED
    },
    Program {
        names: "rmdir",
        source: "rmdir(1)",
        is: &[Fact::Prefixed, Fact::TakesAway, Fact::OftenRun],
        class: Class::Writer,
        same_options: &[("", "p=parents m=mode v=verbose")],
        destroys: RMDIR_IN_CMD,
        does: "removes files",
        files: FileUse { names_only: Some(""), ..FileUse::PLAIN },
        lands: &[("", Lands::Names)],
        ..UNLISTED
    },
    Program {
        names: "unlink",
        source: "unlink(1)",
        is: &[Fact::Prefixed, Fact::TakesAway, Fact::OftenRun],
        class: Class::Writer,
        does: "removes files",
        files: FileUse { names_only: Some(""), ..FileUse::PLAIN },
        lands: &[("", Lands::Names)],
        state_changes: &[changes_state("", StateChange::Removes, "")],
        ..UNLISTED
    },
    Program {
        names: "mv",
        source: "mv(1)",
        is: &[Fact::Prefixed, Fact::TakesAway, Fact::OftenRun],
        class: Class::Writer,
        same_options: MV_SAME,
        does: "moves files, also over others",
        files: FileUse { last_is_destination: true, ..FileUse::PLAIN },
        lands: &[("", Lands::Moves)],
        state_changes: &[changes_state("", StateChange::Moves, "f v force verbose")],
        ..UNLISTED
    },
    Program {
        names: "cp",
        source: "cp(1)",
        is: &[Fact::Prefixed, Fact::OftenRun],
        class: Class::Writer,
        same_options: MV_SAME,
        does: "copies files, also over others",
        files: FileUse { folders: Folders::IfTold, last_is_destination: true, ..FileUse::PLAIN },
        lands: &[("", Lands::Destination)],
        ..UNLISTED
    },
    Program {
        names: "ln",
        source: "ln(1)",
        is: &[Fact::Prefixed, Fact::TakesAway, Fact::AddsPath],
        class: Class::Writer,
        same_options: MV_SAME,
        does: "makes files or folders",
        files: FileUse { last_is_destination: true, ..FileUse::PLAIN },
        lands: &[("", Lands::Links)],
        ..UNLISTED
    },
    Program {
        names: "install",
        source: "install(1)",
        is: &[Fact::Prefixed],
        class: Class::Writer,
        running: "--strip-program",
        same_options: MV_SAME,
        does: "copies files, also over others",
        files: FileUse { last_is_destination: true, ..FileUse::PLAIN },
        lands: &[("", Lands::Destination)],
        ..UNLISTED
    },
    Program {
        names: "dd",
        source: "dd(1)",
        is: &[Fact::Prefixed, Fact::OftenRun],
        class: Class::Writer,
        does: "writes files",
        files: FileUse { written: "of=", ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "tee",
        source: "tee(1)",
        is: &[Fact::Prefixed, Fact::PrintsInput, Fact::OftenRun],
        class: Class::Writer,
        does: "writes files",
        files: FileUse { names_only: Some(""), ..FileUse::PLAIN },
        lands: &[("", Lands::Files)],
        ..UNLISTED
    },
    Program {
        names: "truncate",
        source: "truncate(1)",
        is: &[Fact::Prefixed, Fact::OftenRun],
        class: Class::Writer,
        does: "writes files",
        files: FileUse { names_only: Some(""), ..FileUse::PLAIN },
        lands: &[("", Lands::Files)],
        ..UNLISTED
    },
    Program {
        names: "touch",
        source: "touch(1)",
        is: &[Fact::Prefixed, Fact::LeavesFolders, Fact::OftenRun],
        class: Class::Writer,
        does: "makes files or folders",
        files: FileUse { names_only: Some(""), ..FileUse::PLAIN },
        lands: &[("", Lands::Files)],
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
        names: "mktemp",
        source: "mktemp(1): what it makes is empty and has a new name",
        is: &[Fact::Prefixed],
        class: Class::Options(&Spec {
            flags: "dqut",
            long: "directory quiet dry-run suffix tmpdir=/tmp tmpdir=/var/tmp p=/tmp p=/var/tmp p=. help version",
            refused: &[("-p --tmpdir", Writes)],
            operands: Operands::InsideOrTemporary,
            ..PLAIN
        }),
        does: "makes files or folders",
        ..UNLISTED
    },
    Program {
        names: "chmod",
        source: "chmod(1)",
        is: &[Fact::Prefixed, Fact::TakesAway, Fact::OftenRun],
        class: Class::Writer,
        same_options: &[("", "R=recursive f=silent c=changes v=verbose")],
        does: "changes the rights of files",
        files: FileUse { names_only: Some(""), ..FileUse::PLAIN },
        lands: &[("", Lands::Files)],
        state_changes: &[changes_state(
            "",
            StateChange::ChangesRights,
            "R f c v recursive silent quiet changes verbose preserve-root",
        )],
        ..UNLISTED
    },
    Program {
        names: "chown chgrp",
        source: "chown(1), chgrp(1)",
        is: &[Fact::Prefixed, Fact::TakesAway, Fact::OftenRun, Fact::SetsOwner],
        class: Class::Writer,
        same_options: &[("", "R=recursive f=silent c=changes v=verbose")],
        destroys: &[danger("", "R recursive", "changes the owner of everything in a folder")],
        does: "changes the rights of files",
        files: FileUse { names_only: Some(""), ..FileUse::PLAIN },
        lands: &[("", Lands::Rights)],
        ..UNLISTED
    },
    Program {
        names: "chattr",
        source: "chattr(1)",
        sets: &[danger("", "", "changes what anybody may do with a file")],
        is: &[Fact::TakesAway],
        class: Class::Writer,
        destroys: &[danger("", "R", "changes the attributes of everything in a folder")],
        does: "changes the rights of files",
        files: FileUse { names_only: Some(""), ..FileUse::PLAIN },
        lands: &[("", Lands::Rights)],
        ..UNLISTED
    },
    Program {
        names: "setfacl",
        source: "setfacl(1)",
        is: &[Fact::TakesAway, Fact::SetsOwner],
        class: Class::Writer,
        destroys: &[danger("", "R recursive b remove-all", "changes the rights of everything in a folder")],
        does: "changes the rights of files",
        files: FileUse { names_only: Some(""), ..FileUse::PLAIN },
        lands: &[("", Lands::Rights)],
        ..UNLISTED
    },
    Program {
        names: "shred",
        source: "shred(1)",
        is: &[Fact::Prefixed, Fact::TakesAway, Fact::ForGood, Fact::OftenRun],
        class: Class::Writer,
        destroys: &[danger("", "", "overwrites files for good")],
        files: FileUse { names_only: Some(""), ..FileUse::PLAIN },
        lands: &[("", Lands::Files)],
        ..UNLISTED
    },
    Program {
        names: "split",
        source: "split(1)",
        is: &[Fact::Prefixed],
        class: Class::Writer,
        running: "--filter",
        does: "writes files",
        ..UNLISTED
    },
    Program {
        names: "csplit",
        source: "csplit(1)",
        is: &[Fact::Prefixed],
        class: Class::Writer,
        does: "writes files",
        ..UNLISTED
    },
    Program { names: "rename", source: "rename(1)", is: &[Fact::TakesAway], class: Class::Writer, ..UNLISTED },
    Program { names: "rip sponge mke2fs", source: "rip(1), sponge(1), mke2fs(1)", class: Class::Writer, ..UNLISTED },
    Program {
        names: "wipe srm",
        source: "wipe(1), srm(1)",
        is: &[Fact::TakesAway, Fact::ForGood],
        class: Class::Writer,
        destroys: &[danger("", "", "overwrites files for good")],
        ..UNLISTED
    },
    Program {
        names: "debugfs",
        source: "debugfs(8)",
        class: Class::Writer,
        interactive: &[Interactive::Always],
        ..UNLISTED
    },
    Program {
        names: "mkswap",
        source: "mkswap(8)",
        class: Class::Writer,
        destroys: &[danger("", "", "changes disks")],
        ..UNLISTED
    },
    Program {
        names: "find",
        source: "find(1)",
        is: &[
            Fact::OfTheSystem,
            Fact::RunsOperands,
            Fact::TakesText,
            Fact::TellsOperands,
            Fact::TellsFolders,
            Fact::FindsFiles,
        ],
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
        files: FileUse { names_only: Some("-files0-from"), ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "fd",
        source: "fd(1)",
        is: &[
            Fact::RunsOperands,
            Fact::SaysVersion,
            Fact::SaysVersionByCapital,
            Fact::TakesText,
            Fact::FindsFiles,
            Fact::HeedsIgnoreFiles,
        ],
        class: Class::Options(&FD_OPTIONS),
        executing: "-x -X --exec --exec-batch",
        looks: FD_LOOKS,
        files: FileUse { names_only: Some("--ignore-file"), ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "fdfind",
        source: "fdfind(1)",
        is: &[Fact::RunsOperands, Fact::TakesText, Fact::FindsFiles, Fact::HeedsIgnoreFiles],
        class: Class::Options(&FD_OPTIONS),
        first_name: "fd",
        executing: "-x -X --exec --exec-batch",
        looks: FD_LOOKS,
        files: FileUse { names_only: Some("--ignore-file"), ..FileUse::PLAIN },
        like: "fd",
        ..UNLISTED
    },
    Program {
        names: "bfs",
        source: "bfs(1)",
        is: &[Fact::FindsFiles, Fact::RunsOperands],
        class: Class::Never("runs what its options say"),
        like: "find",
        ..UNLISTED
    },
    Program {
        names: "tree",
        source: "tree(1)",
        is: &[Fact::OfTheSystem, Fact::TellsFolders],
        class: Class::Options(&Spec {
            flags: "adlfxiqNQpugshDFrtcUvnACSJX#",
            // tree(1): the value of these is the next word, behind further letters too.
            long: "-L: -P: -I: noreport dirsfirst filesfirst prune gitignore du si inodes device sort matchdirs \
                ignore-case filelimit charset timefmt help version metafirst",
            refused: &[("-o", Writes), ("-R", Writes), ("-H -T --fromfile --info --infofile --gitfile", Loads)],
            ..PLAIN
        }),
        looks: &[form(
            "",
            "a d f l x i q N Q p u g s h D F v t c U r n C J X A S L: P: I: dirsfirst noreport prune \
                filelimit= matchdirs ignore-case gitignore du si inodes device charset= timefmt= sort= \
                metafirst info",
        )],
        files: FileUse { names_only: Some("--infofile --gitfile"), ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "file",
        source: "file(1)",
        is: &[Fact::OfTheSystem, Fact::OnlyLooks],
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
        looks: &[form(
            "",
            "b i L k h r s 0 F= brief mime mime-type mime-encoding extension dereference no-dereference \
                keep-going",
        )],
        files: FileUse { names_only: Some("--files-from --magic-file -f -m"), ..FileUse::PLAIN },
        ..UNLISTED
    },
    // mkdir(1): a folder in the one that it runs in.
    Program {
        names: "mkdir",
        source: "mkdir(1)",
        is: &[Fact::Prefixed, Fact::LeavesFolders],
        class: Class::Options(&Spec {
            flags: "pv",
            long: "parents verbose help version",
            refused: &[("-m --mode -Z --context", Changes)],
            operands: Operands::Inside,
            ..PLAIN
        }),
        same_options: &[("", "p=parents m=mode v=verbose")],
        does: "makes files or folders",
        files: FileUse { names_only: Some(""), ..FileUse::PLAIN },
        lands: &[("", Lands::Names)],
        ..UNLISTED
    },
    Program {
        names: "lsblk",
        source: "lsblk(1)",
        is: &[Fact::OfTheSystem],
        class: Class::Options(&LSBLK_OPTIONS),
        looks: LSCPU_LOOKS,
        ..UNLISTED
    },
    options("findmnt blkid", "findmnt(1), blkid(1)", &LSBLK_OPTIONS),
    Program { names: "ginstall", source: "ginstall(1)", running: "--strip-program", ..UNLISTED },
    Program { names: "gfind", source: "gfind(1)", first_name: "find", ..UNLISTED },
    Program { names: "sync", source: "sync(1)", is: &[Fact::Prefixed], ..UNLISTED },
    Program {
        names: "scrub",
        source: "scrub(1)",
        destroys: &[danger("", "", "overwrites files for good")],
        ..UNLISTED
    },
    Program {
        names: "diskpart format vssadmin cipher",
        source: "diskpart(1), format(1), vssadmin(1) and the manual page of each other",
        destroys: &[danger("", "", "changes disks")],
        ..UNLISTED
    },
    Program {
        names: "Remove-Item remove-item",
        source: "PowerShell documentation, \"Microsoft.PowerShell.Management\"",
        destroys: &[RECURSIVE_IN_POWERSHELL],
        ..UNLISTED
    },
    Program { names: "del erase rd", source: "Windows Commands, \"del\", \"rd\"", destroys: RMDIR_IN_CMD, ..UNLISTED },
    Program {
        names: "Clear-Content",
        source: "PowerShell documentation, \"Microsoft.PowerShell.Management\"",
        destroys: &[danger("", "", "removes data or stops the machine")],
        ..UNLISTED
    },
];
