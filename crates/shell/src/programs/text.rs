//! Text: what shows, searches, compares and changes it.

use super::class::{Class, Interpreter, Kind};
use super::effect::Effect::{Loads, Runs, Writes};
use super::fact::Fact;
use super::file_use::{FileUse, Folders};
use super::form::{Form, form};
use super::interactive::Interactive;
use super::lands::Lands;
use super::spec::{Operands, PLAIN, Spec};
use super::{Program, UNLISTED, options};

const GREP: &str = "E F G P e= f= i y v w x c L l m= o q s b H h n T Z A= B= C= a I r R U z D= d= # extended-regexp fixed-strings \
    basic-regexp perl-regexp regexp= file= ignore-case no-ignore-case invert-match word-regexp line-regexp count color? colour? \
    files-without-match files-with-matches max-count= only-matching quiet silent no-messages byte-offset with-filename \
    no-filename label= line-number initial-tab null after-context= before-context= context= text binary-files= devices= \
    directories= exclude= exclude-from= exclude-dir= include= recursive dereference-recursive line-buffered binary null-data \
    version help";

const RG: &str = "A= B= C= c e= E= F f= g= H h i I j= L l M= m= n N o p P q r= s S t= T= u U v w x 0 . # after-context= \
    before-context= context= color= colors= column no-column count count-matches crlf encoding= engine= field-context-separator= \
    field-match-separator= files files-with-matches files-without-match fixed-strings follow glob= glob-case-insensitive \
    heading no-heading hidden no-hidden iglob= ignore-case ignore-file= include-zero invert-match json line-buffered \
    line-number no-line-number line-regexp max-columns= max-columns-preview max-count= max-depth= max-filesize= mmap multiline \
    multiline-dotall no-config no-ignore no-ignore-vcs no-ignore-parent no-messages no-filename with-filename null \
    only-matching passthru path-separator= pcre2 pretty quiet regexp= file= smart-case case-sensitive sort= sortr= stats text \
    threads= trim type= type-not= type-list unrestricted vimgrep word-regexp version help replace=";

const DIFF: &str = "q s c C= u U= e n y p t T E Z b w B a r N i W= # brief report-identical-files context? unified? ed rcs \
    side-by-side width= left-column suppress-common-lines show-c-function show-function-line= label= expand-tabs recursive \
    no-dereference new-file ignore-file-name-case exclude= ignore-case ignore-tab-expansion ignore-trailing-space \
    ignore-space-change ignore-all-space ignore-blank-lines text strip-trailing-cr minimal color? version";

const SUM: &str = "a= b c t w z binary check tag text zero ignore-missing quiet status strict warn algorithm= version";

const PASTE_LOOKS: &[Form] =
    &[form("", "1= 2= a= d= e= i j= o= t= v= s z w= c= n= x delimiters= serial header separator= table width= tabs=")
        .contents()];

const OD_LOOKS: &[Form] = &[form(
    "",
    "A= a b C c d e= f i j= l N= n= o s= S= t= v w? x address-radix= skip-bytes= read-bytes= strings? \
        format= output-duplicates width?",
)
.contents()];

const AG_OPTIONS: Spec = Spec {
    flags: "ivwlLcoasSQHhungf0",
    valued: "mGABCp",
    long: "hidden ignore-case smart-case case-sensitive word-regexp files-with-matches count literal color \
        nocolor heading noheading numbers nonumbers follow depth stats context after before help version \
        column group nogroup",
    refused: &[("--pager --output", Runs), ("-z --search-zip", Runs), ("-p --path-to-ignore --ackrc --env", Loads)],
    broad: true,
    ..PLAIN
};

const DIFF_OPTIONS: Spec = Spec {
    flags: "qsurNbBwiaydetTEpcn#",
    valued: "CUWILDxF",
    long: "brief report-identical-files unified context normal side-by-side width left-column \
        suppress-common-lines recursive new-file ignore-case ignore-space-change ignore-all-space \
        ignore-blank-lines ignore-trailing-space text color exclude minimal speed-large-files no-dereference \
        label show-function-line expand-tabs strip-trailing-cr help version palette",
    refused: &[("-l --paginate", Runs), ("--from-file --to-file -X --exclude-from", Loads)],
    ..PLAIN
};

const AWK_CALLS: Interpreter = Interpreter {
    kind: Kind::Awk,
    code: "-f --file -e --source",
    valued: "-F -v --field-separator --assign",
    tells: "--version -V --help",
    subs: "",
};

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: "cat",
        source: "cat(1)",
        is: &[Fact::Prefixed, Fact::PrintsInput, Fact::TellsOperands, Fact::ShowsText],
        class: Class::AnyText,
        looks: &[form(
            "",
            "A b e E n s t T u v show-all number-nonblank show-ends number squeeze-blank show-tabs \
                show-nonprinting",
        )
        .contents()
        .harmless()],
        ..UNLISTED
    },
    Program {
        names: "head",
        source: "head(1)",
        is: &[Fact::Prefixed, Fact::PrintsInput, Fact::TellsOperands, Fact::ShowsText],
        class: Class::AnyText,
        looks: &[form("", "n= c= q v z # lines= bytes= quiet silent verbose zero-terminated").contents().harmless()],
        ..UNLISTED
    },
    Program {
        names: "tail",
        source: "tail(1)",
        is: &[Fact::Prefixed, Fact::PrintsInput, Fact::TellsOperands, Fact::ShowsText],
        class: Class::AnyText,
        looks: &[form(
            "",
            "n= c= f F q v z s= # lines= bytes= follow? retry pid= quiet silent sleep-interval= verbose",
        )
        .contents()
        .harmless()],
        ..UNLISTED
    },
    Program {
        names: "wc",
        source: "wc(1)",
        is: &[Fact::ShowsText],
        class: Class::AnyText,
        looks: &[form("", "c m l L w bytes chars lines words max-line-length total=").with_harmless_operands()],
        files: FileUse { names_only: Some("--files0-from"), hides_input: Some("--files0-from"), ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "grep",
        source: "grep(1)",
        is: &[
            Fact::PrintsInput,
            Fact::Searches,
            Fact::TakesText,
            Fact::ShowsText,
            Fact::SearchesFiles,
            Fact::PassesLinksOver,
        ],
        class: Class::AnyText,
        looks: &[form("", GREP).matches().harmless()],
        files: FileUse { folders: Folders::IfTold, first_is_pattern: true, ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "egrep fgrep",
        source: "egrep(1), fgrep(1)",
        is: &[Fact::TakesText, Fact::ShowsText, Fact::SearchesFiles, Fact::PassesLinksOver],
        class: Class::AnyText,
        first_name: "grep",
        looks: &[form("", GREP).matches().harmless()],
        files: FileUse { folders: Folders::IfTold, first_is_pattern: true, ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "nl",
        source: "nl(1)",
        is: &[Fact::PrintsInput],
        class: Class::AnyText,
        looks: &[form("", "b= d= f= h= i= l= n= p s= v= w= body-numbering= number-format= number-width=")
            .contents()
            .harmless()],
        ..UNLISTED
    },
    Program {
        names: "tac rev",
        source: "tac(1), rev(1)",
        is: &[Fact::PrintsInput],
        class: Class::AnyText,
        looks: &[form("", "b r s= before regex separator=").contents().harmless()],
        ..UNLISTED
    },
    Program {
        names: "cut",
        source: "cut(1)",
        is: &[Fact::PrintsInput, Fact::ShowsText],
        class: Class::AnyText,
        looks: &[form(
            "",
            "b= c= d= f= n s z bytes= characters= delimiter= fields= only-delimited output-delimiter= \
                complement zero-terminated",
        )
        .contents()
        .harmless()],
        ..UNLISTED
    },
    Program {
        names: "tr",
        source: "tr(1)",
        is: &[Fact::PrintsInput, Fact::ShowsText],
        class: Class::AnyText,
        looks: &[form("", "c C d s t complement delete squeeze-repeats truncate-set1").harmless().at_most(2)],
        ..UNLISTED
    },
    Program {
        names: "paste join fmt expand unexpand",
        source: "paste(1), join(1), fmt(1) and the manual page of each other",
        class: Class::AnyText,
        looks: PASTE_LOOKS,
        ..UNLISTED
    },
    Program {
        names: "comm",
        source: "comm(1)",
        class: Class::AnyText,
        looks: &[form("", "1 2 3 z check-order nocheck-order output-delimiter= total zero-terminated")
            .contents()
            .harmless()],
        ..UNLISTED
    },
    Program {
        names: "fold",
        source: "fold(1)",
        is: &[Fact::PrintsInput],
        class: Class::AnyText,
        looks: PASTE_LOOKS,
        ..UNLISTED
    },
    Program { names: "od", source: "od(1)", class: Class::AnyText, looks: OD_LOOKS, ..UNLISTED },
    Program {
        names: "hexdump",
        source: "hexdump(1)",
        is: &[Fact::OfTheSystem],
        class: Class::AnyText,
        looks: OD_LOOKS,
        ..UNLISTED
    },
    Program {
        names: "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum",
        source: "md5sum(1), sha1sum(1), sha224sum(1) and the manual page of each other",
        class: Class::AnyText,
        looks: &[form("", SUM)],
        files: FileUse { hides_input: Some("-c --check"), ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "cmp",
        source: "cmp(1)",
        class: Class::AnyText,
        looks: &[form("", "b i= l n= s print-bytes ignore-initial= verbose bytes= quiet silent").contents().harmless()],
        ..UNLISTED
    },
    Program {
        names: "seq",
        source: "seq(1)",
        is: &[Fact::TellsOperands],
        class: Class::AnyText,
        looks: &[form("", "f= s= w # format= separator= equal-width").at_most(3)],
        ..UNLISTED
    },
    Program { names: "numfmt", source: "numfmt(1)", is: &[Fact::TakesText], class: Class::AnyText, ..UNLISTED },
    Program {
        names: "factor look basenc cal tsort",
        source: "factor(1), look(1), basenc(1) and the manual page of each other",
        class: Class::AnyText,
        ..UNLISTED
    },
    Program { names: "base32", source: "base32(1)", is: &[Fact::BringsText], class: Class::AnyText, ..UNLISTED },
    Program {
        names: "patch",
        source: "patch(1)",
        is: &[Fact::Unpacks],
        class: Class::Writer,
        interactive: &[Interactive::Below(2, &["-i", "--input"])],
        ..UNLISTED
    },
    Program {
        names: "dos2unix unix2dos indent",
        source: "dos2unix(1), unix2dos(1), indent(1)",
        class: Class::Writer,
        ..UNLISTED
    },
    Program {
        names: "rg",
        source: "rg(1)",
        is: &[
            Fact::SaysVersion,
            Fact::SaysVersionByCapital,
            Fact::Searches,
            Fact::TakesText,
            Fact::ShowsText,
            Fact::SearchesFiles,
            Fact::PassesLinksOver,
            Fact::HeedsIgnoreFiles,
        ],
        class: Class::Options(&Spec {
            flags: "ivwxnNlLcoaFPSsUHhIpuq0",
            valued: "egtTABCmMjrEd",
            long: "pretty ignore-case smart-case case-sensitive word-regexp line-regexp line-number \
                no-line-number files files-with-matches files-without-match count count-matches \
                only-matching text fixed-strings pcre2 multiline multiline-dotall with-filename no-filename \
                hidden no-hidden follow no-ignore no-ignore-vcs glob iglob type type-not type-list \
                after-context before-context context max-count max-columns max-depth max-filesize threads \
                replace regexp encoding color colors heading no-heading column no-column json null quiet \
                sort sortr stats trim vimgrep invert-match unrestricted passthru passthrough no-messages \
                no-config one-file-system help version crlf byte-offset context-separator debug \
                auto-hybrid-regex engine",
            refused: &[
                ("--pre --pre-glob --hostname-bin --hyperlink-format", Runs),
                ("-z --search-zip", Runs),
                ("-f --file --ignore-file", Loads),
            ],
            broad: true,
            ..PLAIN
        }),
        looks: &[form("", RG).matches()],
        files: FileUse { folders: Folders::All, first_is_pattern: true, ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "ag",
        source: "ag(1)",
        is: &[Fact::TakesText, Fact::ShowsText, Fact::SearchesFiles, Fact::HeedsIgnoreFiles],
        class: Class::Options(&AG_OPTIONS),
        looks: &[form(
            "",
            "i l n c w v A= B= C= G= Q s S ignore-case files-with-matches literal hidden word-regexp \
                nocolor",
        )
        .matches()],
        files: FileUse { folders: Folders::All, first_is_pattern: true, ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "ack",
        source: "ack(1)",
        is: &[Fact::TakesText, Fact::ShowsText, Fact::SearchesFiles],
        class: Class::Options(&AG_OPTIONS),
        files: FileUse { folders: Folders::All, first_is_pattern: true, ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "sort",
        source: "sort(1)",
        is: &[
            Fact::OfTheSystem,
            Fact::Prefixed,
            Fact::PrintsInput,
            Fact::TakesText,
            Fact::TellsOperands,
            Fact::ShowsText,
        ],
        class: Class::Options(&Spec {
            flags: "bdfgiMhnRrVcCmsuz#",
            valued: "ktS",
            long: "ignore-leading-blanks dictionary-order ignore-case general-numeric-sort ignore-nonprinting \
                month-sort human-numeric-sort numeric-sort random-sort reverse sort version-sort check key \
                merge stable field-separator unique zero-terminated parallel debug help version buffer-size \
                batch-size",
            refused: &[
                ("-o --output", Writes),
                ("--compress-program", Runs),
                ("-T --temporary-directory", Writes),
                ("--files0-from --random-source", Loads),
            ],
            broad: true,
            ..PLAIN
        }),
        looks: &[form(
            "",
            "b d f g i M h n R r V c C m k= s S= t= u z parallel= ignore-leading-blanks dictionary-order \
                ignore-case general-numeric-sort ignore-nonprinting month-sort human-numeric-sort \
                numeric-sort random-sort reverse sort= version-sort check? key= merge stable \
                field-separator= unique zero-terminated",
        )
        .contents()],
        files: FileUse { written: "-o --output", lists: "--files0-from", ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "uniq",
        source: "uniq(1)",
        is: &[Fact::OfTheSystem, Fact::PrintsInput, Fact::ShowsText],
        class: Class::Options(&Spec {
            flags: "cdDiuz",
            valued: "fsw",
            long: "count repeated all-repeated skip-fields group ignore-case skip-chars unique zero-terminated \
                check-chars help version",
            operands: Operands::AtMost(1),
            ..PLAIN
        }),
        looks: &[form(
            "",
            "c d D f= i s= u w= z count repeated all-repeated? skip-fields= ignore-case skip-chars= \
                unique check-chars= zero-terminated",
        )
        .contents()
        .at_most(1)],
        ..UNLISTED
    },
    Program {
        names: "xxd",
        source: "xxd(1)",
        is: &[Fact::BringsText, Fact::OfTheSystem, Fact::PrintsInput],
        class: Class::Options(&Spec {
            flags: "abdeEipu",
            valued: "clgos",
            long: "",
            refused: &[("-r", Writes)],
            operands: Operands::AtMost(1),
            ..PLAIN
        }),
        looks: &[form("", "a b c= e g= i l= u p ps").contents().at_most(1)],
        ..UNLISTED
    },
    options(
        "shuf",
        "shuf(1)",
        &Spec {
            flags: "erz",
            valued: "in",
            long: "echo input-range head-count repeat zero-terminated help version",
            refused: &[("-o --output", Writes), ("--random-source", Loads)],
            ..PLAIN
        },
    ),
    Program {
        names: "sed",
        source: "sed(1)",
        is: &[Fact::OfTheSystem, Fact::PrintsInput, Fact::Searches, Fact::TakesText, Fact::RunsText],
        class: Class::Options(&Spec {
            flags: "nErsuz",
            valued: "e",
            long: "quiet silent regexp-extended separate unbuffered null-data posix debug sandbox help version \
                expression",
            refused: &[("-i --in-place", Writes), ("-f --file", Loads)],
            operands: Operands::SedScript,
            broad: true,
            ..PLAIN
        }),
        same_options: &[("", "i=in-place n=quiet e=expression f=file E=regexp-extended")],
        does: "can change files and run programs",
        files: FileUse { first_is_pattern: true, ..FileUse::PLAIN },
        lands: &[("", Lands::EditedFiles)],
        ..UNLISTED
    },
    options(
        "json.tool",
        "Python Standard Library, \"json.tool\"",
        &Spec {
            long: "sort-keys no-ensure-ascii json-lines indent compact help",
            operands: Operands::AtMost(1),
            ..PLAIN
        },
    ),
    Program {
        names: "diff",
        source: "diff(1)",
        is: &[Fact::OfTheSystem],
        class: Class::Options(&DIFF_OPTIONS),
        looks: &[form("", DIFF).contents().harmless()],
        files: FileUse { folders: Folders::Direct, ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        files: FileUse { folders: Folders::Direct, ..FileUse::PLAIN },
        ..options("colordiff", "colordiff(1)", &DIFF_OPTIONS)
    },
    Program {
        names: "column",
        source: "column(1)",
        is: &[Fact::OfTheSystem, Fact::TakesText],
        class: Class::Options(&Spec {
            flags: "txneJdLR",
            valued: "scoNOTHW",
            long: "table separator output-separator table-columns json help version fillrows output-width",
            ..PLAIN
        }),
        looks: &[form("", "t x s= o= c= table separator= output-separator=").contents()],
        ..UNLISTED
    },
    Program {
        names: "jq",
        source: "jq(1)",
        is: &[
            Fact::SaysVersion,
            Fact::SaysVersionByCapital,
            Fact::Searches,
            Fact::TakesText,
            Fact::TakesJq,
            Fact::ShowsText,
        ],
        class: Class::Options(&Spec {
            // jq(1): options, "ENV", "env", "import", "include", "input_filename", "get_search_list".
            flags: "rcCMSjanesR",
            valued: "",
            long: "raw-output compact-output color-output monochrome-output sort-keys join-output ascii-output \
                null-input exit-status slurp raw-input raw-output0 tab indent unbuffered stream \
                stream-errors seq arg argjson args jsonargs help version build-configuration",
            refused: &[("-f -L --from-file --library-path --rawfile --slurpfile --argfile", Loads)],
            holding: &[("import", Loads), ("include", Loads), ("env", Loads), ("ENV", Loads)],
            ..PLAIN
        }),
        looks: &[form(
            "",
            "n r j a s c C M S e R tab indent= raw-output join-output null-input compact-output slurp \
                raw-input sort-keys color-output monochrome-output exit-status ascii-output arg= seq stream",
        )
        .matches()],
        files: FileUse { first_is_pattern: true, ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "yq",
        source: "yq(1)",
        is: &[Fact::SaysVersion, Fact::TakesText, Fact::LoadsFiles],
        class: Class::Options(&Spec {
            flags: "rePCMjN",
            valued: "po",
            long: "prettyPrint output-format input-format unwrapScalar no-colors colors exit-status null-input \
                help version",
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
        }),
        files: FileUse { written: "-s --split-exp", ..FileUse::PLAIN },
        ..UNLISTED
    },
    // base64(1) of GNU coreutils; of macOS, where `-o` is a file that it writes.
    Program {
        names: "base64",
        source: "base64(1)",
        is: &[Fact::BringsText, Fact::PrintsInput],
        class: Class::Options(&Spec {
            flags: "dDh",
            valued: "wib",
            long: "decode ignore-garbage wrap: input: break: help version",
            refused: &[("-o --output", Writes)],
            operands: Operands::AtMost(1),
            ..PLAIN
        }),
        looks: &[form("", "d D decode ignore-garbage w= wrap= b= break=").contents()],
        ..UNLISTED
    },
    Program {
        names: "awk",
        source: "awk(1)",
        is: &[Fact::OfTheSystem, Fact::PrintsInput, Fact::Searches],
        class: Class::Script(&AWK_CALLS),
        does: "can change files and run programs",
        files: FileUse { first_is_pattern: true, ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "gawk mawk",
        source: "gawk(1), mawk(1)",
        is: &[Fact::OfTheSystem],
        class: Class::Script(&AWK_CALLS),
        first_name: "awk",
        does: "can change files and run programs",
        files: FileUse { first_is_pattern: true, ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program { names: "nawk", source: "nawk(1)", class: Class::Script(&AWK_CALLS), first_name: "awk", ..UNLISTED },
    Program { names: "hd", source: "hd(1)", is: &[Fact::OfTheSystem], looks: OD_LOOKS, ..UNLISTED },
    Program { names: "expr", source: "expr(1)", is: &[Fact::TakesText], ..UNLISTED },
    Program {
        names: "original-awk",
        source: "the packages that install it under this name",
        first_name: "awk",
        ..UNLISTED
    },
    Program {
        names: "rgrep",
        source: "rgrep(1)",
        is: &[Fact::SearchesFiles, Fact::PassesLinksOver],
        first_name: "grep",
        files: FileUse { folders: Folders::All, first_is_pattern: true, ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program { names: "ggrep", source: "ggrep(1)", first_name: "grep", ..UNLISTED },
    Program { names: "gsed", source: "gsed(1)", first_name: "sed", ..UNLISTED },
    Program {
        names: "b3sum shasum",
        source: "b3sum(1), shasum(1)",
        looks: &[form("", SUM)],
        files: FileUse { hides_input: Some("-c --check"), ..FileUse::PLAIN },
        ..UNLISTED
    },
];
