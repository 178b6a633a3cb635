//! Single programs.
//!
//! Sources: the manual pages of GNU coreutils, findutils, sed, tar, diffutils and binutils;
//! ripgrep's, fd's and The Silver Searcher's `--help`; curl(1), tree(1), file(1), less(1), zip(1),
//! journalctl(1), dmesg(1), hostname(1), xxd(1), column(1), gcc(1), eslint and pytest
//! "Command-line" documentation; bash manual, "Bash Builtin Commands" (`printf`, `test`, `cd`).

use super::effect::Effect::{Changes, Loads, Runs, Sends, Writes};
use super::options::{Operands, PLAIN, Spec, Style};

/// Linters, formatters, type checkers and test programs of the JavaScript world, and those of others that spell
/// their options the same way. It also reads what a script of a `package.json` passes on, whichever of them
/// that script runs.
pub(super) const JAVASCRIPT: Spec = Spec {
    names: "eslint prettier tsc jest vitest mocha stylelint mypy pylint flake8 biome webpack vite rollup \
        esbuild playwright karma ava",
    // tsc takes its long options with one dash, too.
    flags: "vhq",
    long: "-t: ext quiet help version max-warnings color no-color no-cache coverage watch watchAll verbose silent bail check noEmit no-emit \
        passWithNoTests runInBand ci testNamePattern testPathPattern grep list-different ignore-unknown strict run changed all \
        pretty select no-coverage ignore-missing-imports max-line-length diff show-error-codes watchman no-error-on-unmatched-pattern \
        maxWorkers incremental skipLibCheck timeout retries shard testTimeout fgrep invert forbid-only exit parallel \
        no-parallel max-failures detectOpenHandles forceExit onlyChanged onlyFailures logHeapUsage headed workers repeat-each no-watch reporter=default reporter=verbose reporter=dot reporter=json reporter=tap",
    refused: &[
        (
            "-c --config --rulesdir --plugin --resolve-plugins-relative-to --parser -f --format -r --require --setupFiles --project -p \
          --import --loader --preset --rootDir --globalSetup --globals --env --transform --build -b --init --reporter",
            Loads,
        ),
        (
            "-o --output-file --outputFile --fix --fix-dry-run --write -w --outDir --outFile --cache-location --update -u --updateSnapshot",
            Writes,
        ),
    ],
    operands: Operands::Inside,
    runs_project: true,
    has_verbs: true,
    broad: true,
    ..PLAIN
};

/// Programs and their options.
pub(super) const TOOLS: &[Spec] = &[
    Spec {
        names: "find",
        style: Style::Words,
        long: "H L P O0 O1 O2 O3 amin anewer atime cmin cnewer ctime daystart depth empty executable false follow fstype gid group \
            help ilname iname inum ipath iregex iwholename links lname ls maxdepth mindepth mmin mount mtime name newer neweraa \
            newerat newermm newermt newerct nogroup noleaf nouser path perm print print0 printf prune quit readable regex \
            regextype samefile size true type uid used user version wholename writable xdev xtype a o and or not",
        refused: &[
            ("exec execdir ok okdir", Runs),
            ("delete fprint fprint0 fprintf fls", Writes),
            ("files0-from", Loads),
        ],
        broad: true,
        ..PLAIN
    },
    Spec {
        names: "fd fdfind",
        flags: "HIusigFalLp0q1h",
        valued: "tdeESjcSo",
        long: "hidden no-ignore unrestricted case-sensitive ignore-case glob regex fixed-strings absolute-path list-details follow \
            full-path print0 max-depth min-depth exact-depth type extension exclude size changed-within changed-before owner \
            color threads max-results quiet show-errors strip-cwd-prefix one-file-system help version and no-ignore-vcs",
        refused: &[("-x --exec -X --exec-batch", Runs), ("--ignore-file --base-directory --search-path -C", Loads)],
        broad: true,
        ..PLAIN
    },
    Spec {
        names: "rg",
        flags: "ivwxnNlLcoaFPSsUHhIpuq0",
        valued: "egtTABCmMjrEd",
        long: "pretty ignore-case smart-case case-sensitive word-regexp line-regexp line-number no-line-number files files-with-matches \
            files-without-match count count-matches only-matching text fixed-strings pcre2 multiline multiline-dotall with-filename \
            no-filename hidden no-hidden follow no-ignore no-ignore-vcs glob iglob type type-not type-list after-context \
            before-context context max-count max-columns max-depth max-filesize threads replace regexp encoding color colors heading \
            no-heading column no-column json null quiet sort sortr stats trim vimgrep invert-match unrestricted passthru passthrough \
            no-messages no-config one-file-system help version crlf byte-offset context-separator debug auto-hybrid-regex engine",
        refused: &[
            ("--pre --pre-glob --hostname-bin --hyperlink-format", Runs),
            ("-z --search-zip", Runs),
            ("-f --file --ignore-file", Loads),
        ],
        broad: true,
        ..PLAIN
    },
    Spec {
        names: "ag ack",
        flags: "ivwlLcoasSQHhunCABgf0",
        valued: "mGABCp",
        long: "hidden ignore-case smart-case case-sensitive word-regexp files-with-matches count literal color nocolor heading \
            noheading numbers nonumbers follow depth stats context after before help version column group nogroup",
        refused: &[("--pager --output", Runs), ("-z --search-zip", Runs), ("-p --path-to-ignore --ackrc --env", Loads)],
        broad: true,
        ..PLAIN
    },
    Spec {
        names: "sort",
        flags: "bdfgiMhnRrVcCmsuz#",
        valued: "ktS",
        long: "ignore-leading-blanks dictionary-order ignore-case general-numeric-sort ignore-nonprinting month-sort \
            human-numeric-sort numeric-sort random-sort reverse sort version-sort check key merge stable field-separator unique \
            zero-terminated parallel debug help version buffer-size batch-size",
        refused: &[
            ("-o --output", Writes),
            ("--compress-program", Runs),
            ("-T --temporary-directory", Writes),
            ("--files0-from --random-source", Loads),
        ],
        broad: true,
        ..PLAIN
    },
    Spec {
        names: "uniq",
        flags: "cdDiuz",
        valued: "fsw",
        long: "count repeated all-repeated skip-fields group ignore-case skip-chars unique zero-terminated check-chars help version",
        operands: Operands::AtMost(1),
        ..PLAIN
    },
    Spec {
        names: "xxd",
        flags: "abdeEipu",
        valued: "clgos",
        long: "",
        refused: &[("-r", Writes)],
        operands: Operands::AtMost(1),
        ..PLAIN
    },
    Spec {
        names: "shuf",
        flags: "erz",
        valued: "in",
        long: "echo input-range head-count repeat zero-terminated help version",
        refused: &[("-o --output", Writes), ("--random-source", Loads)],
        ..PLAIN
    },
    Spec {
        names: "tree",
        flags: "adlfxiqNQpugshDFrtcUvnACSJX#",
        // tree(1): the value of these is the next word, behind further letters too.
        long: "-L: -P: -I: noreport dirsfirst filesfirst prune gitignore du si inodes device sort matchdirs ignore-case filelimit charset timefmt \
            help version metafirst",
        refused: &[("-o", Writes), ("-R", Writes), ("-H -T --fromfile --info --infofile --gitfile", Loads)],
        ..PLAIN
    },
    Spec {
        names: "date",
        flags: "uRI",
        valued: "d",
        long: "-Iseconds -Idate -Iminutes -Ihours -Ins date: utc universal iso-8601 rfc-3339 rfc-email debug help version",
        refused: &[("-s --set", Changes), ("-f --file -r --reference", Loads)],
        operands: Operands::Format,
        ..PLAIN
    },
    Spec {
        names: "hostname",
        flags: "sfidIAay",
        long: "short fqdn long ip-address all-ip-addresses domain all-fqdns alias help version",
        refused: &[("-F --file -b --boot", Changes)],
        operands: Operands::AtMost(0),
        ..PLAIN
    },
    Spec {
        names: "file",
        flags: "bikLhNnprsSvz0E",
        valued: "F",
        long: "brief mime mime-type mime-encoding dereference no-dereference keep-going raw separator extension help version",
        refused: &[
            ("-C --compile", Writes),
            ("-m --magic-file -f --files-from -P --parameter", Loads),
            ("-z -Z --uncompress", Runs),
        ],
        ..PLAIN
    },
    Spec {
        names: "sed",
        flags: "nErsuz",
        valued: "e",
        long: "quiet silent regexp-extended separate unbuffered null-data posix debug sandbox help version expression",
        refused: &[("-i --in-place", Writes), ("-f --file", Loads)],
        operands: Operands::SedScript,
        broad: true,
        ..PLAIN
    },
    Spec {
        names: "tar bsdtar gtar",
        flags: "tvzjJanpokmhSlW",
        valued: "fCNb",
        long: "list file verbose gzip bzip2 xz zstd lzma auto-compress exclude wildcards no-wildcards totals utc full-time \
            numeric-owner strip-components show-transformed-names directory help version same-order block-number occurrence",
        refused: &[
            (
                "--to-command --checkpoint-action --use-compress-program -I -F --info-script --new-volume-script --rsh-command --rmt-command",
                Runs,
            ),
            (
                "-x --extract --get -c --create -r --append -u --update -A --delete --remove-files -P --absolute-names --overwrite",
                Writes,
            ),
            ("-T --files-from -X --exclude-from --index-file", Loads),
        ],
        operands: Operands::Cluster,
        broad: true,
        ..PLAIN
    },
    Spec {
        names: "zip",
        long: "",
        refused: &[("-T -TT --test --unzip-command", Runs), ("-m --move -O --output-file -b -d --delete -r", Writes)],
        operands: Operands::AtMost(0),
        broad: true,
        ..PLAIN
    },
    Spec { names: "zipinfo zcat zgrep", flags: "12smlvhtTzMivnwclqoEF#", long: "help version", ..PLAIN },
    Spec {
        names: "curl",
        flags: "sSIifLvg46#k",
        valued: "mA",
        long: "silent show-error head include fail fail-with-body location verbose compressed globoff max-time connect-timeout retry \
            retry-delay retry-max-time max-redirs http1.1 http2 http3 no-progress-meter ipv4 ipv6 user-agent help version",
        refused: &[
            (
                "-o -O -J -D -c --output --output-dir --remote-name --remote-header-name --dump-header --cookie-jar --trace --trace-ascii \
              --libcurl --stderr --create-dirs --etag-save --hsts --alt-svc",
                Writes,
            ),
            (
                "-K --config -E --cert --key --cacert --netrc --netrc-file -b --cookie --engine --next --variable -: --path-as-is",
                Loads,
            ),
            (
                "-T -F -d --upload-file --form --data --data-binary --data-raw --data-urlencode --json -x --proxy --resolve --connect-to \
              --unix-socket --socks5 -X --request -H --header -u --user -w --write-out --url-query --preproxy --doh-url",
                Sends,
            ),
        ],
        operands: Operands::Addresses,
        broad: true,
        ..PLAIN
    },
    Spec { names: "printf", long: "", refused: &[("-v", Runs)], broad: true, ..PLAIN },
    Spec {
        names: "test [",
        style: Style::Words,
        long: "a b c d e f g h k p r s t u w x z n G L N O S nt ot ef o eq ne lt le gt ge",
        refused: &[("v R", Runs)],
        operands: Operands::Values,
        broad: true,
        ..PLAIN
    },
    // With `-v` and `-V` it only tells; what it runs otherwise is judged as that.
    Spec { names: "command", long: "", refused: &[("-p", Runs)], broad: true, ..PLAIN },
    Spec {
        names: "json.tool",
        long: "sort-keys no-ensure-ascii json-lines indent compact help",
        operands: Operands::AtMost(1),
        ..PLAIN
    },
    Spec { names: "cd", flags: "LP", long: "", ..PLAIN },
    // mkdir(1): a folder in the one that it runs in.
    Spec {
        names: "mkdir",
        flags: "pv",
        long: "parents verbose help version",
        refused: &[("-m --mode -Z --context", Changes)],
        operands: Operands::Inside,
        ..PLAIN
    },
    Spec {
        names: "diff colordiff",
        flags: "qsurNbBwiaydetTEpcnUC#",
        valued: "CUWILDxF",
        long: "brief report-identical-files unified context normal side-by-side width left-column suppress-common-lines recursive \
            new-file ignore-case ignore-space-change ignore-all-space ignore-blank-lines ignore-trailing-space text color exclude \
            minimal speed-large-files no-dereference label show-function-line expand-tabs strip-trailing-cr help version palette",
        refused: &[("-l --paginate", Runs), ("--from-file --to-file -X --exclude-from", Loads)],
        ..PLAIN
    },
    Spec {
        names: "column",
        flags: "txnecJdLR",
        valued: "scoNOTHW",
        long: "table separator output-separator table-columns json help version fillrows output-width",
        ..PLAIN
    },
    Spec {
        names: "journalctl",
        flags: "axfrqmnlke#",
        valued: "ubptnogS",
        long: "unit: user-unit: system user since: until: lines: follow reverse no-pager output boot list-boots priority: grep: identifier: \
            quiet utc catalog all no-hostname dmesg no-tail no-full full pager-end disk-usage fields help version",
        refused: &[
            (
                "--vacuum-size --vacuum-time --vacuum-files --rotate --flush --relinquish-var --smart-relinquish-var --sync --setup-keys --update-catalog",
                Changes,
            ),
            ("-D --directory --file --root --image -M --machine --cursor-file", Loads),
        ],
        operands: Operands::AtMost(0),
        broad: true,
        ..PLAIN
    },
    Spec {
        names: "dmesg",
        flags: "HTtkuxLwWreP",
        valued: "flS",
        long: "human ctime kernel userspace decode color level facility notime nopager follow since until time-format help version",
        refused: &[
            ("-C --clear -c --read-clear -D --console-off -E --console-on -n --console-level", Changes),
            ("-F --file -K", Loads),
        ],
        operands: Operands::AtMost(0),
        ..PLAIN
    },
    Spec {
        names: "nm size objdump addr2line",
        flags: "aAgnoprSsuCDhdfxtTlwR",
        long: "all extern-only debug-syms numeric-sort demangle dynamic undefined-only defined-only print-size size-sort help version \
            disassemble syms section-headers file-headers",
        refused: &[("--plugin -P", Loads)],
        operands: Operands::Plain,
        ..PLAIN
    },
    Spec {
        // jq(1): options, "ENV", "env", "import", "include", "input_filename", "get_search_list".
        names: "jq",
        flags: "rcCMSjanesR",
        valued: "",
        long: "raw-output compact-output color-output monochrome-output sort-keys join-output ascii-output null-input \
            exit-status slurp raw-input raw-output0 tab indent unbuffered stream stream-errors seq arg argjson args jsonargs help version \
            build-configuration",
        refused: &[("-f -L --from-file --library-path --rawfile --slurpfile --argfile", Loads)],
        holding: &[("import", Loads), ("include", Loads), ("env", Loads), ("ENV", Loads)],
        ..PLAIN
    },
    Spec {
        names: "yq",
        flags: "rePCMjN",
        valued: "po",
        long: "prettyPrint output-format input-format unwrapScalar no-colors colors exit-status null-input help version",
        refused: &[
            ("-i --inplace --in-place -s --split-exp --split-exp-file", Writes),
            ("-f --from-file --front-matter -L", Loads),
            ("-n", Loads),
        ],
        holding: &[
            ("load", Loads),
            ("import", Loads),
            ("include", Loads),
            ("env", Loads),
            ("ENV", Loads),
            ("system", Runs),
            // It evaluates a text, which a comment may stand in.
            ("eval(", Runs),
            ("#", Runs),
        ],
        broad: true,
        ..PLAIN
    },
    Spec {
        names: "gcc g++ cc c++ clang clang++ rustc tcc",
        style: Style::Words,
        long: "Wall Wextra Werror Wpedantic pedantic g g3 O0 O1 O2 O3 Os fsyntax-only std v version help E S ansi w pipe dumpversion dumpmachine",
        refused: &[
            ("wrapper B fplugin specs Xlinker Wl no-canonical-prefixes Xclang load", Runs),
            ("o save-temps MF dumpdir c", Writes),
        ],
        operands: Operands::Plain,
        broad: true,
        ..PLAIN
    },
    JAVASCRIPT,
    Spec {
        names: "pytest py.test",
        flags: "vqsxlhO",
        valued: "kmrn",
        long: "verbose quiet exitfirst maxfail lf last-failed ff failed-first tb durations collect-only co no-header no-summary \
            showlocals stepwise sw disable-warnings capture markers fixtures help version color cov strict-markers strict-config numprocesses ignore \
            timeout no-cov deselect no-cov-on-fail cov-branch cov-fail-under cov-report=term cov-report=term-missing \
            cov-report=term:skip-covered cov-report=term-missing:skip-covered log-level log-cli-level show-capture \
            new-first nf setup-show reruns forked asyncio-mode failed-first ignore-glob",
        refused: &[
            (
                "-p -c --rootdir --confcutdir --import-mode -o --override-ini --pyargs --config-file -W --pythonwarnings --pdbcls --pdb",
                Loads,
            ),
            (
                "--basetemp --junitxml --junit-xml --log-file --cov-report --cov-config --debug --cache-clear --pastebin --report-log --result-log",
                Writes,
            ),
        ],
        operands: Operands::Inside,
        runs_project: true,
        broad: true,
        ..PLAIN
    },
    Spec {
        names: "ping ping6 traceroute tracepath dig nslookup host whois",
        flags: "46naqv",
        valued: "cWwitsm",
        long: "help version",
        refused: &[("-f -k", Loads)],
        operands: Operands::Plain,
        ..PLAIN
    },
    Spec {
        names: "ss netstat",
        flags: "tulnpaesorimH46P#",
        long: "tcp udp listening numeric processes all help version summary route",
        refused: &[("-K --kill", Changes), ("-D -F", Writes)],
        operands: Operands::Sockets,
        ..PLAIN
    },
    Spec {
        names: "lsof",
        flags: "tulnpaesorimH46iP#",
        long: "-sTCP:LISTEN -iTCP -iUDP",
        refused: &[("-D -F", Writes)],
        // lsof(8): `-i tcp@host`.
        holding: &[("@", Sends)],
        ..PLAIN
    },
    // base64(1) of GNU coreutils; of macOS, where `-o` is a file that it writes.
    Spec {
        names: "base64",
        flags: "dDh",
        valued: "wib",
        long: "decode ignore-garbage wrap: input: break: help version",
        refused: &[("-o --output", Writes)],
        operands: Operands::AtMost(1),
        ..PLAIN
    },
    // lspci(8): `-q` and `-Q` ask the name service, `-O` says which.
    Spec {
        names: "lspci",
        flags: "vnxkDbPtm#",
        valued: "sd",
        long: "-nn -vmm -mm -nnk -vv -vvv -vnn help version",
        refused: &[("-q -Q -O -A", Sends), ("-i -p -F -H -M -G", Loads)],
        operands: Operands::None,
        ..PLAIN
    },
    Spec {
        names: "lsblk findmnt blkid",
        flags: "abdfilmnopPrstT",
        long: "json all output help version list bytes fs",
        refused: &[("-c -g", Changes)],
        ..PLAIN
    },
];
