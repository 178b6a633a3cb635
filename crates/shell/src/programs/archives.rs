//! Archives, compressed files, and files of machine code.

use super::class::Class;
use super::danger::{Danger, danger};
use super::effect::Effect::{Loads, Runs, Writes};
use super::fact::Fact;
use super::file_use::{FileUse, Folders};
use super::form::form;
use super::spec::{Operands, PLAIN, Spec};
use super::{Program, UNLISTED};

/// tar(1), "--absolute-names": an archive says where its files go.
const ABSOLUTE: &[Danger] = &[danger("", "P absolute-names", "writes wherever the archive says")];

const TAR_OPTIONS: Spec = Spec {
    flags: "tvzjJanpokmhSlW",
    valued: "fCNb",
    long: "list file verbose gzip bzip2 xz zstd lzma auto-compress exclude wildcards no-wildcards totals utc \
        full-time numeric-owner strip-components show-transformed-names directory help version same-order \
        block-number occurrence",
    refused: &[
        (
            "--to-command --checkpoint-action --use-compress-program -I -F --info-script --new-volume-script \
                --rsh-command --rmt-command",
            Runs,
        ),
        (
            "-x --extract --get -c --create -r --append -u --update -A --delete --remove-files -P \
                --absolute-names --overwrite",
            Writes,
        ),
        ("-T --files-from -X --exclude-from --index-file", Loads),
    ],
    operands: Operands::Cluster,
    broad: true,
    ..PLAIN
};

const ZIPINFO_OPTIONS: Spec = Spec { flags: "12smlvhtTzMivnwclqoEF#", long: "help version", ..PLAIN };

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: "readelf",
        source: "readelf(1)",
        is: &[Fact::ReadsLists],
        class: Class::AnyText,
        looks: &[form(
            "",
            "a h l S g t e s n r u d V A W all file-header program-headers section-headers sections segments headers syms \
                symbols notes relocs dynamic version-info wide dyn-syms x= p= string-dump= hex-dump=",
        )
        .contents()],
        ..UNLISTED
    },
    Program {
        names: "strings",
        source: "strings(1)",
        is: &[Fact::ReadsLists],
        class: Class::AnyText,
        looks: &[form("", "a f n= t= e= o # all print-file-name bytes= radix= encoding=").contents()],
        ..UNLISTED
    },
    Program {
        names: "gzip",
        source: "gzip(1)",
        is: &[Fact::OfTheSystem],
        class: Class::Writer,
        does: "packs or unpacks files",
        ..UNLISTED
    },
    Program {
        names: "gunzip",
        source: "gunzip(1)",
        is: &[Fact::BringsText],
        class: Class::Writer,
        does: "packs or unpacks files",
        ..UNLISTED
    },
    Program {
        names: "bzip2 xz",
        source: "bzip2(1), xz(1)",
        class: Class::Writer,
        does: "packs or unpacks files",
        ..UNLISTED
    },
    Program {
        names: "pax",
        source: "pax(1)",
        is: &[Fact::ReadsNames, Fact::Unpacks],
        class: Class::Writer,
        files: FileUse { folders: Folders::All, ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program { names: "unrar", source: "unrar(1)", is: &[Fact::Unpacks], class: Class::Writer, ..UNLISTED },
    Program {
        names: "bunzip2 unxz zstd unzstd lz4 compress uncompress ar ranlib objcopy strip link as",
        source: "bunzip2(1), unxz(1) and the manual page of each other",
        class: Class::Writer,
        ..UNLISTED
    },
    Program {
        names: "cpio",
        source: "cpio(1)",
        is: &[Fact::ReadsNames, Fact::Unpacks],
        class: Class::Writer,
        running: "--rsh-command -I",
        files: FileUse { folders: Folders::All, ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "unzip",
        source: "unzip(1)",
        is: &[Fact::SaysVersion, Fact::Unpacks],
        class: Class::Writer,
        looks: &[form("-l", "v q"), form("-Z", "1 s m l"), form("-Z1", "")],
        does: "packs or unpacks files",
        ..UNLISTED
    },
    Program {
        names: "7z",
        source: "7z(1)",
        is: &[Fact::Unpacks],
        class: Class::Writer,
        does: "packs or unpacks files",
        files: FileUse { folders: Folders::All, ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "7za",
        source: "7za(1)",
        is: &[Fact::Unpacks],
        class: Class::Writer,
        first_name: "7z",
        files: FileUse { folders: Folders::All, ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "ld",
        source: "ld(1)",
        class: Class::Writer,
        files: FileUse { written: "-o --outfile", ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "zless zmore",
        source: "zless(1), zmore(1)",
        is: &[Fact::TakesCommands],
        class: Class::Never("can run commands and open connections"),
        ..UNLISTED
    },
    Program {
        names: "tar",
        source: "tar(1)",
        is: &[Fact::OfTheSystem, Fact::SaysVersion, Fact::Unpacks],
        class: Class::Options(&TAR_OPTIONS),
        same_options: &[(
            "",
            "x=extract c=create t=list r=append u=update f=file C=directory z=gzip I=use-compress-program \
                P=absolute-names",
        )],
        same_option: Some(("--get", "--extract")),
        does: "packs or unpacks files",
        sets: ABSOLUTE,
        files: FileUse { folders: Folders::All, ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "bsdtar gtar",
        source: "bsdtar(1), gtar(1)",
        is: &[Fact::Unpacks],
        sets: ABSOLUTE,
        class: Class::Options(&TAR_OPTIONS),
        first_name: "tar",
        files: FileUse { folders: Folders::All, ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "zip",
        source: "zip(1)",
        is: &[Fact::OfTheSystem, Fact::SaysVersion, Fact::SaysVersionByCapital],
        class: Class::Options(&Spec {
            long: "",
            refused: &[
                ("-T -TT --test --unzip-command", Runs),
                ("-m --move -O --output-file -b -d --delete -r", Writes),
            ],
            operands: Operands::AtMost(0),
            broad: true,
            ..PLAIN
        }),
        does: "packs or unpacks files",
        files: FileUse { folders: Folders::All, ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "zipinfo",
        source: "zipinfo(1)",
        class: Class::Options(&ZIPINFO_OPTIONS),
        looks: &[form("", "1 s m l h t")],
        ..UNLISTED
    },
    Program {
        names: "zcat",
        source: "zcat(1)",
        is: &[Fact::BringsText],
        looks: &[form("", "").contents()],
        class: Class::Options(&ZIPINFO_OPTIONS),
        ..UNLISTED
    },
    Program {
        names: "zgrep",
        source: "zgrep(1)",
        is: &[Fact::TakesText, Fact::ShowsText, Fact::SearchesFiles],
        class: Class::Options(&ZIPINFO_OPTIONS),
        files: FileUse { folders: Folders::IfTold, first_is_pattern: true, ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "objdump llvm-objdump",
        source: "objdump(1), llvm-objdump(1)",
        is: &[Fact::OnlyLooks],
        class: Class::Options(&Spec {
            flags: "aCDdfhlprRstTwx",
            long: "demangle help version disassemble disassemble-all syms dynamic-syms reloc dynamic-reloc section-headers \
                headers file-headers all-headers full-contents private-headers line-numbers wide",
            // It shows the lines of whatever file the debugging information names.
            refused: &[("-S --source --source-comment", Loads), ("-P --dwarf -W", Loads)],
            operands: Operands::Plain,
            ..PLAIN
        }),
        ..UNLISTED
    },
    Program {
        names: "nm size addr2line",
        source: "nm(1), size(1), addr2line(1)",
        is: &[Fact::OnlyLooks],
        class: Class::Options(&Spec {
            flags: "aAgnoprSsuCDhdfxtTlwR",
            long: "all extern-only debug-syms numeric-sort demangle dynamic undefined-only defined-only \
                print-size size-sort help version",
            refused: &[("--plugin -P", Loads)],
            operands: Operands::Plain,
            ..PLAIN
        }),
        ..UNLISTED
    },
];
