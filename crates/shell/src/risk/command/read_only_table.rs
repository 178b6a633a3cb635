//! Programs and options that are known only to look, from their manuals.
//!
//! Options, blank-separated: `l` short, `color` long; `n=` takes a value, glued or as the next
//! word; `L:` one that is the next word even where more letters follow; `color?` only a glued one; `merged~` the next word if there is one; `#` a number, as `-5`.
//! An option that is not listed is not known only to look, and neither is its abbreviation.

/// What a form shows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shows {
    /// Names, sizes, states.
    Facts,
    /// What files hold.
    Contents,
    /// What files hold; the first operand is a pattern, unless an option gives it.
    Matches,
}

/// Where the operands and values of a form can make the program connect to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reaches {
    /// Nowhere: they are files, names and patterns on this machine.
    Nothing,
    /// The registry that is configured, as long as they are plain names: `npm view http://…` is another place.
    Registry,
    /// The server that is configured, as long as they are no addresses: `docker`, `kubectl`.
    Server,
    /// github.com, as long as they name no other host.
    GitHub,
    /// The name service, when a filter of sockets names a host.
    Sockets,
    /// The name service, when one of them is `@host`.
    Names,
}

/// A way to call a program that only looks.
pub(super) struct Form {
    /// Names of programs, blank-separated.
    pub(super) programs: &'static str,
    /// Words that have to follow the program at once.
    pub(super) path: &'static str,
    pub(super) options: &'static str,
    pub(super) most_operands: usize,
    pub(super) shows: Shows,
    pub(super) reaches: Reaches,
    /// No option of the program writes or runs anything, so that a word may vary.
    pub(super) harmless: bool,
}

const fn form(programs: &'static str, path: &'static str, options: &'static str) -> Form {
    let (most_operands, shows, reaches) = (usize::MAX, Shows::Facts, Reaches::Nothing);
    Form { programs, path, options, most_operands, shows, reaches, harmless: false }
}

impl Form {
    const fn contents(self) -> Self {
        Self { shows: Shows::Contents, ..self }
    }

    const fn matches(self) -> Self {
        Self { shows: Shows::Matches, ..self }
    }

    const fn harmless(self) -> Self {
        Self { harmless: true, ..self }
    }

    const fn reaches(self, reaches: Reaches) -> Self {
        Self { reaches, ..self }
    }

    const fn at_most(self, most_operands: usize) -> Self {
        Self { most_operands, ..self }
    }
}

const LS: &str = "a A b B c C d f F g G h H i k l L m n N o p q Q r R s S t u U v x X Z 1 I= T= w= all almost-all author \
    escape block-size= ignore-backups color? directory classify? file-type format= full-time group-directories-first no-group \
    human-readable si dereference hide= hyperlink? indicator-style= inode ignore= kibibytes literal numeric-uid-gid \
    quote-name quoting-style= reverse recursive size sort= time= time-style= tabsize= width= zero context version help";
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

/// `git-diff(1)`, `git-log(1)`: without `--output`, `--ext-diff`, `--textconv`, `-O`.
const GIT_DIFF: &str = "p u s U= # a b w R z M? C? D B? l= S= G= patch no-patch unified= raw patch-with-raw indent-heuristic minimal \
    patience histogram anchored= diff-algorithm= stat? numstat shortstat dirstat? cumulative summary patch-with-stat \
    name-only name-status color? no-color color-moved? word-diff? color-words? word-diff-regex= no-renames rename-empty check \
    full-index binary abbrev? find-renames? find-copies? find-copies-harder diff-filter= pickaxe-all pickaxe-regex relative? \
    text ignore-cr-at-eol ignore-space-at-eol ignore-space-change ignore-all-space ignore-blank-lines inter-hunk-context= \
    function-context exit-code quiet no-ext-diff no-textconv src-prefix= dst-prefix= no-prefix ita-invisible-in-index \
    compact-summary ignore-submodules? submodule?";
const GIT_LOG: &str = "p u s U= # a b w R z M? C? B? S= G= L= n= g i E F P c m t patch no-patch unified= raw minimal patience histogram \
    diff-algorithm= stat? numstat shortstat dirstat? summary name-only name-status color? no-color word-diff? color-words? \
    no-renames check full-index abbrev? find-renames? find-copies? diff-filter= pickaxe-all pickaxe-regex relative? text \
    ignore-space-at-eol ignore-space-change ignore-all-space ignore-blank-lines function-context no-ext-diff no-textconv \
    oneline graph decorate? no-decorate decorate-refs= decorate-refs-exclude= all branches? tags? remotes? glob= exclude= \
    pretty? format= abbrev-commit no-abbrev-commit date= relative-date author= committer= grep= all-match invert-grep \
    regexp-ignore-case extended-regexp fixed-strings perl-regexp since= after= until= before= max-count= skip= merges \
    no-merges min-parents= max-parents= first-parent follow reverse topo-order date-order author-date-order left-right \
    cherry-pick cherry-mark cherry no-walk? walk-reflogs reflog merge boundary simplify-by-decoration full-history ancestry-path? \
    source notes? no-notes no-mailmap mailmap log-size parents children left-only right-only cc remerge-diff \
    compact-summary shortstat no-expand-tabs expand-tabs? count numbered email group=";
const GIT_LIST: &str = "a r v i list contains~ no-contains~ merged~ no-merged~ points-at= format= sort= column? no-column color? \
    no-color abbrev? no-abbrev show-current all remotes verbose ignore-case";
const GIT_TAG: &str =
    "l i n? list contains~ no-contains~ merged~ no-merged~ points-at= format= sort= column? color? ignore-case";

const KUBECTL: &str = "n= A o= l= w L= namespace= all-namespaces output= selector= show-labels no-headers sort-by= \
    field-selector= label-columns= context= chunk-size= ignore-not-found show-kind show-managed-fields";
const GH: &str = "R= L= s= q= t= l= a= A= B= H= S= c e= b= u= repo= limit= state= json= jq= template= label= assignee= author= \
    base= head= search= comments name-only patch color= log log-failed job= verbose exit-status workflow= branch= \
    status= user= event= commit= archived source fork language= topic= visibility= no-archived exclude-drafts \
    exclude-pre-releases order= sort= milestone= mention= app= draft required interval= attempt= owner=";

/// `w` is a workflow here; elsewhere it opens a browser.
const GH_RUNS: &str =
    "a b= c= e= L= R= q= s= u= w= repo= limit= json= jq= workflow= branch= status= user= event= commit= created= all";

use Reaches::{GitHub, Names, Registry, Server, Sockets};

pub(super) const FORMS: &[Form] = &[
    // Coreutils and relatives.
    form("ls dir vdir", "", LS).harmless(),
    form("cat", "", "A b e E n s t T u v show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting")
        .contents().harmless(),
    form("tac rev", "", "b r s= before regex separator=").contents().harmless(),
    form("head", "", "n= c= q v z # lines= bytes= quiet silent verbose zero-terminated").contents().harmless(),
    form("tail", "", "n= c= f F q v z s= # lines= bytes= follow? retry pid= quiet silent sleep-interval= verbose").contents().harmless(),
    form("wc", "", "c m l L w bytes chars lines words max-line-length total=").harmless(),
    form("grep egrep fgrep", "", GREP).matches().harmless(),
    form("rg", "", RG).matches(),
    form("ag", "", "i l n c w v A= B= C= G= Q s S ignore-case files-with-matches literal hidden word-regexp nocolor").matches(),
    form("cut", "", "b= c= d= f= n s z bytes= characters= delimiter= fields= only-delimited output-delimiter= complement \
        zero-terminated").contents().harmless(),
    form("tr", "", "c C d s t complement delete squeeze-repeats truncate-set1").harmless().at_most(2),
    form("nl", "", "b= d= f= h= i= l= n= p s= v= w= body-numbering= number-format= number-width=").contents().harmless(),
    form("comm", "", "1 2 3 z check-order nocheck-order output-delimiter= total zero-terminated").contents().harmless(),
    form("join paste fold fmt expand unexpand", "", "1= 2= a= d= e= i j= o= t= v= s z w= c= n= x delimiters= serial header \
        separator= table width= tabs=").contents(),
    form("column", "", "t x s= o= c= table separator= output-separator=").contents(),
    form("diff", "", DIFF).contents().harmless(),
    form("cmp", "", "b i= l n= s print-bytes ignore-initial= verbose bytes= quiet silent").contents().harmless(),
    form("sort", "", "b d f g i M h n R r V c C m k= s S= t= u z parallel= ignore-leading-blanks dictionary-order ignore-case \
        general-numeric-sort ignore-nonprinting month-sort human-numeric-sort numeric-sort random-sort reverse sort= version-sort \
        check? key= merge stable field-separator= unique zero-terminated").contents(),
    form("uniq", "", "c d D f= i s= u w= z count repeated all-repeated? skip-fields= ignore-case skip-chars= unique check-chars= \
        zero-terminated").contents().at_most(1),
    form("basename", "", "a s= z multiple suffix= zero").harmless(),
    form("dirname", "", "z zero").harmless(),
    form("realpath", "", "e m L P q s z canonicalize-existing canonicalize-missing logical physical quiet relative-to= \
        relative-base= strip no-symlinks zero").harmless(),
    form("readlink", "", "f e m n q s v z canonicalize canonicalize-existing canonicalize-missing no-newline").harmless(),
    form("stat", "", "L f c= t x s n q F r l dereference file-system format= printf= terse cached="),
    form("file", "", "b i L k h r s 0 F= brief mime mime-type mime-encoding extension dereference no-dereference keep-going"),
    form("du", "", "0 a B= b c D d= H h k L l m P S s t= x X= all apparent-size block-size= bytes total max-depth= \
        human-readable inodes si summarize threshold= time? time-style= exclude= one-file-system separate-dirs").harmless(),
    form("df", "", "a B= h H i k l P T t= x= all block-size= human-readable si inodes local output? portability total type= print-type \
        exclude-type=").harmless(),
    form("pwd", "", "L P logical physical").harmless(),
    form("cd", "", "L P e").harmless().at_most(1),
    form("whoami", "", "").at_most(0),
    form("arch tty hostname logname", "", "").at_most(0),
    form("nproc", "", "all ignore=").at_most(0),
    form("groups", "", ""),
    form("id", "", "a Z g G n r u z group groups name real user zero context"),
    form("uname", "", "a s n r v m p i o all kernel-name nodename kernel-release kernel-version machine processor \
        hardware-platform operating-system").at_most(0),
    form("uptime", "", "p s pretty since").at_most(0),
    form("free", "", "b k m g h w t l v bytes kilo mega giga human wide total lohi si").at_most(0),
    form("lscpu lsblk lsusb lspci lsmem", "", "a b d f J l m n o= p r S t e= v k all bytes json list output= noheadings fs tree? \
        paths").at_most(0),
    form("true false", "", "").harmless(),
    form("sleep", "", ""),
    form("seq", "", "f= s= w # format= separator= equal-width").at_most(3),
    form("which", "", "a s all"),
    form("type", "", "a f p P t").harmless(),
    form("command", "-v", ""),
    form("command", "-V", ""),
    form("md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum b3sum cksum shasum sum", "", SUM),
    form("od hexdump hd", "", "A= a b C c d e= f i j= l N= n= o s= S= t= v w? x address-radix= skip-bytes= read-bytes= \
        strings? format= output-duplicates width?").contents(),
    form("strings", "", "a f n= t= e= o # all print-file-name bytes= radix= encoding=").contents(),
    form("xxd", "", "a b c= e g= i l= u p ps").contents().at_most(1),
    form("tree", "", "a d f l x i q N Q p u g s h D F v t c U r n C J X A S L: P: I: dirsfirst noreport prune filelimit= matchdirs \
        ignore-case gitignore du si inodes device charset= timefmt= sort= metafirst info"),
    form("fd fdfind", "", "H I u s i g a l L p 0 d= t= e= E= S= j= c= F hidden no-ignore no-ignore-vcs unrestricted case-sensitive \
        ignore-case glob fixed-strings absolute-path list-details follow full-path print0 max-depth= min-depth= exact-depth= \
        type= extension= exclude= size= changed-within= changed-before= owner= color= max-results= 1 prune quiet"),
    form("jq", "", "n r j a s c C M S e R tab indent= raw-output join-output null-input compact-output slurp raw-input sort-keys \
        color-output monochrome-output exit-status ascii-output arg= seq stream").matches(),
    form("pgrep", "", "l a f u= U= x n o c P= g= t= d= v w list-name list-full full exact newest oldest count parent= user="),
    form("ss", "", "t u l n p a r s x w 4 6 e m i o tcp udp listening numeric processes all resolve summary unix \
        ipv4 ipv6 extended memory info options").reaches(Sockets),
    form("netstat", "", "t u l n p a r s x w 4 6 e m i o tcp udp listening numeric processes all resolve summary unix \
        ipv4 ipv6 extended memory info options programs").at_most(0),
    form("lsof", "", "i? n P p= t a c= u= l").reaches(Names),
    form("locale", "", "a m").at_most(0),
    form("unzip", "-l", "v q"),
    form("unzip", "-Z", "1 s m l"),
    form("unzip", "-Z1", ""),
    form("zipinfo", "", "1 s m l h t"),
    // git.
    form("tmux", "ls", "").at_most(0),
    form("tmux", "list-sessions", "").at_most(0),
    form("tmux", "list-windows", "a t=").at_most(0),
    form("tmux", "list-panes", "a s t=").at_most(0),
    form("tmux", "has-session", "t=").at_most(0),
    form("git", "status", "s b v u? z short branch show-stash porcelain? long verbose untracked-files? ignore-submodules? ignored? \
        column? no-column ahead-behind no-ahead-behind renames no-renames find-renames?"),
    form("git", "diff", "staged cached merge-base").contents(),
    form("git", "log", "").contents(),
    form("git", "show", "").contents(),
    form("git", "whatchanged", "").contents(),
    form("git", "shortlog", "s n e c w? numbered summary email group= committer format= since= after= until= before= all no-merges \
        author= grep="),
    form("git", "rev-list", "").contents(),
    form("git", "diff-tree", "r t root stdin no-commit-id c cc m v pretty? oneline").contents(),
    form("git", "diff-index", "m cached merge-base").contents(),
    form("git", "diff-files", "q 0 1 2 3 base ours theirs").contents(),
    form("git", "range-diff", "").contents(),
    form("git", "reflog", "n= # date= oneline all no-color").at_most(0),
    form("git", "reflog show", ""),
    form("git", "stash list", "").at_most(0),
    form("git", "stash show", "").contents(),
    form("git", "branch", GIT_LIST).at_most(0),
    form("git", "branch --list", GIT_LIST),
    form("git", "branch -l", GIT_LIST),
    form("git", "tag", GIT_TAG).at_most(0),
    form("git", "tag --list", GIT_TAG),
    form("git", "tag -l", GIT_TAG),
    form("git", "remote", "v verbose").at_most(0),
    form("git", "remote get-url", "all push").at_most(1),
    form("git", "worktree list", "porcelain v z verbose").at_most(0),
    form("git", "blame", "b c e f l n s t w L= M? C? porcelain line-porcelain show-email show-name show-number since= root date= \
        color-lines ignore-rev= reverse= first-parent").contents(),
    form("git", "annotate", "l t n L=").contents(),
    form("git", "grep", "n i w v c l L h H E F G P e= q o A= B= C= p W # a I cached heading break count \
        ignore-case word-regexp invert-match files-with-matches name-only extended-regexp fixed-strings perl-regexp line-number \
        column show-function function-context context= max-depth= all-match and or not color? no-color").matches(),
    form("git", "ls-files", "c d m o i s u t v z x= X= f cached deleted modified others ignored stage unmerged killed \
        directory exclude= exclude-standard error-unmatch full-name abbrev? eol deduplicate format= recurse-submodules"),
    form("git", "ls-tree", "d r t l z name-only name-status object-only full-name full-tree abbrev? format= long"),
    form("git", "cat-file", "t s e p").contents(),
    form("git", "rev-parse", "q short? verify abbrev-ref? show-toplevel git-dir git-common-dir absolute-git-dir is-inside-work-tree \
        is-inside-git-dir is-bare-repository symbolic symbolic-full-name show-prefix show-cdup all branches? tags? remotes? \
        revs-only no-revs quiet superproject-working-tree git-path= is-shallow-repository show-current default="),
    form("git", "merge-base", "a all octopus independent is-ancestor fork-point"),
    form("git", "describe", "all tags contains abbrev= long always match= exclude= candidates= exact-match dirty? broken? first-parent"),
    form("git", "name-rev", "tags name-only refs= exclude= all always no-undefined"),
    form("git", "for-each-ref", "format= sort= count= points-at= merged~ no-merged~ contains~ no-contains~ ignore-case exclude="),
    form("git", "show-ref", "q d s? head heads tags branches verify abbrev? dereference hash? quiet"),
    form("git", "show-branch", "a r all remotes current topo-order list no-name sha1-name"),
    form("git", "cherry", "v abbrev?"),
    form("git", "count-objects", "v H verbose human-readable").at_most(0),
    form("git", "check-ignore", "v q n z no-index verbose quiet non-matching"),
    form("git", "check-attr", "a z cached all"),
    form("git", "check-ref-format", "branch allow-onelevel"),
    form("git", "submodule status", "recursive cached"),
    form("git", "version", "build-options").at_most(0),
    form("git", "--version", "").at_most(0),
    // Other tools of developers.
    form("cargo", "--list", "").at_most(0),
    form("cargo", "version", "v verbose").at_most(0),
    form("cargo", "search", "limit=").reaches(Registry),
    // `KIND=PATH` writes the file.
    form("rustc", "--print sysroot", "").at_most(0),
    form("rustc", "--print target-libdir", "").at_most(0),
    form("rustc", "--print target-list", "").at_most(0),
    form("rustc", "--print target-cpus", "").at_most(0),
    form("rustc", "--print target-features", "").at_most(0),
    form("rustc", "--print host-tuple", "").at_most(0),
    form("rustc", "--print cfg", "").at_most(0),
    form("rustc", "--version", "v verbose").at_most(0),
    form("rustc", "-V", "v verbose").at_most(0),
    form("cargo", "--version", "v verbose").at_most(0),
    form("rustup", "--version", "").at_most(0),
    form("go", "version", "").at_most(0),
    form("npm", "ls", "a g depth= all long json parseable global omit= prod dev").reaches(Registry),
    form("npm", "list", "a g depth= all long json parseable global omit= prod dev").reaches(Registry),
    form("npm", "view", "json").reaches(Registry),
    form("npm", "info", "json").reaches(Registry),
    form("npm", "outdated", "g json long all global").reaches(Registry),
    form("npm", "root", "g global").at_most(0),
    form("npm", "prefix", "g global").at_most(0),
    form("npm", "search", "json long").reaches(Registry),
    form("pnpm", "list", "depth= json long prod dev g global r recursive").reaches(Registry),
    form("pnpm", "ls", "depth= json long prod dev g global r recursive").reaches(Registry),
    form("pip pip3", "list", "o u format= outdated uptodate user local not-required").at_most(0).reaches(Registry),
    form("pip pip3", "show", "f files verbose").reaches(Registry),
    form("pip pip3", "freeze", "l all local user").at_most(0).reaches(Registry),
    form("pip pip3", "check", "").at_most(0).reaches(Registry),
    form("gem", "list", "l local r remote a all").reaches(Registry),
    form("gh", "pr view", GH).reaches(GitHub),
    form("gh", "pr list", GH).reaches(GitHub),
    form("gh", "pr status", GH).reaches(GitHub),
    form("gh", "pr diff", GH).reaches(GitHub),
    form("gh", "pr checks", GH).reaches(GitHub),
    form("gh", "issue view", GH).reaches(GitHub),
    form("gh", "issue list", GH).reaches(GitHub),
    form("gh", "issue status", GH).reaches(GitHub),
    form("gh", "repo view", GH).reaches(GitHub),
    form("gh", "repo list", GH).reaches(GitHub),
    form("gh", "run view", GH).reaches(GitHub),
    form("gh", "run list", GH_RUNS).reaches(GitHub),
    form("gh", "release view", GH).reaches(GitHub),
    form("gh", "release list", GH).reaches(GitHub),
    form("gh", "workflow view", GH).reaches(GitHub),
    form("gh", "workflow list", GH).reaches(GitHub),
    form("gh", "label list", GH).reaches(GitHub),
    form("gh", "search", GH).reaches(GitHub),
    // Containers and clusters.
    form("docker podman", "ps", "a f= l n= q s all filter= format= last= latest no-trunc quiet size").at_most(0).reaches(Server),
    form("docker podman", "container ls", "a f= l n= q s all filter= format= last= latest no-trunc quiet size").at_most(0).reaches(Server),
    form("docker podman", "images", "a f= q all digests filter= format= no-trunc quiet tree").reaches(Server),
    form("docker podman", "image ls", "a f= q all digests filter= format= no-trunc quiet").reaches(Server),
    form("docker podman", "logs", "f n= t follow tail= timestamps since= until= details").reaches(Server),
    form("docker podman", "inspect", "f= s format= size type=").reaches(Server),
    form("docker podman", "version", "f= format=").at_most(0).reaches(Server),
    form("docker podman", "info", "f= format=").at_most(0).reaches(Server),
    form("docker podman", "top", "").at_most(1).reaches(Server),
    form("docker podman", "port", "").reaches(Server),
    form("docker podman", "diff", "").reaches(Server),
    form("docker podman", "history", "q H format= human no-trunc quiet").reaches(Server),
    form("docker podman", "stats", "a all no-stream format= no-trunc").reaches(Server),
    form("docker podman", "volume ls", "f= q filter= format= quiet").at_most(0).reaches(Server),
    form("docker podman", "network ls", "f= q filter= format= no-trunc quiet").at_most(0).reaches(Server),
    form("docker podman", "compose ps", "a q all format= filter= services status= quiet").reaches(Server),
    form("docker podman", "compose logs", "f n= t follow tail= timestamps since= until= no-color no-log-prefix").reaches(Server),
    form("docker podman", "compose ls", "a q all filter= format= quiet").at_most(0).reaches(Server),
    form("kubectl oc", "get", KUBECTL).reaches(Server),
    form("kubectl oc", "describe", KUBECTL).reaches(Server),
    form("kubectl oc", "logs", "n= c= f p l= namespace= container= follow previous tail= since= since-time= timestamps selector= \
        all-containers prefix context= limit-bytes=").reaches(Server),
    form("kubectl oc", "top", "n= A l= namespace= all-namespaces selector= containers sort-by= no-headers context=").reaches(Server),
    form("kubectl oc", "explain", "recursive api-version=").reaches(Server),
    form("kubectl oc", "api-resources", "o= namespaced? verbs= api-group= no-headers output=").reaches(Server),
    form("kubectl oc", "version", "o= client output= context=").at_most(0).reaches(Server),
    form("kubectl oc", "cluster-info", "context=").at_most(0).reaches(Server),
    form("kubectl oc", "config current-context", "").at_most(0).reaches(Server),
    form("kubectl oc", "config get-contexts", "o= output= no-headers").reaches(Server),
    form("kubectl oc", "rollout status", "n= w namespace= watch? timeout= context=").reaches(Server),
    form("kubectl oc", "rollout history", "n= namespace= revision= context=").reaches(Server),
    form("helm", "list", "n= A a q namespace= all-namespaces all output= o= short").at_most(0).reaches(Server),
    form("helm", "status", "n= o= namespace= output=").reaches(Server),
    form("helm", "history", "n= o= namespace= output= max=").reaches(Server),
    form("terraform tofu", "version", "").at_most(0),
    // The system.
    form("systemctl", "status", "l n= o= a full lines= output= no-pager all user"),
    form("systemctl", "is-active", "q quiet user"),
    form("systemctl", "is-enabled", "q quiet user"),
    form("systemctl", "is-failed", "q quiet user"),
    form("systemctl", "list-units", "a l t= all full type= state= no-pager no-legend user plain failed"),
    form("systemctl", "list-unit-files", "a l t= all full type= state= no-pager no-legend user"),
    form("systemctl", "list-timers", "a l all no-pager no-legend user"),
    form("systemctl", "list-dependencies", "a l all no-pager reverse plain user"),
    form("journalctl", "", "a b? e f k l n= o= p= q r S= u= U= t= x g= all boot? pager-end follow dmesg lines= output= priority= quiet \
        reverse since= until= unit= user-unit= identifier= catalog grep= no-pager no-full no-tail utc user system no-hostname \
        list-boots disk-usage case-sensitive?"),
    form("ip", "a", "").at_most(0),
    form("ip", "addr", "").at_most(0),
    form("ip", "addr show", "").at_most(1),
    form("ip", "link", "").at_most(0),
    form("ip", "link show", "").at_most(1),
    form("ip", "route", "").at_most(0),
    form("ip", "route show", "").at_most(0),
    form("dpkg", "-l", ""),
    form("dpkg", "-L", ""),
    form("dpkg", "-s", ""),
    form("dpkg", "-S", ""),
    form("dpkg-query", "-W", "f= showformat="),
    form("apt", "list", "a installed upgradable all-versions"),
    form("apt", "show", "a all-versions"),
    form("apt-cache", "policy", ""),
    form("apt-cache", "show", ""),
    form("apt-cache", "search", "n f names-only full"),
    form("brew", "list", "1 l versions formula cask").reaches(Registry),
    form("brew", "info", "json?").reaches(Registry),
];

/// Options of forms whose lists are long, on top of their own.
pub(super) fn shared_options(form: &Form) -> &'static str {
    if form.programs != "git" {
        return "";
    }
    match form.path {
        "diff" | "diff-tree" | "diff-index" | "diff-files" => GIT_DIFF,
        "log" | "show" | "whatchanged" | "rev-list" | "range-diff" | "reflog show" | "stash list" | "stash show" => {
            GIT_LOG
        }
        _ => "",
    }
}

/// Programs that say their version when that is all they are asked. Not `erl`, which starts and runs its standard
/// input, nor `kotlinc` and `scala`, which know `-version` and go on.
pub(super) const SAY_VERSION: &str = "cargo rustc rustup rustfmt clippy-driver node npm npx pnpm yarn bun deno python python3 pip \
    pip3 uv poetry ruby gem bundle go java javac gradle mvn php composer perl lua gcc g++ clang clang++ cc c++ make \
    cmake ninja meson git gh hub docker podman kubectl helm terraform tofu aws gcloud az psql mysql sqlite3 redis-cli jq yq rg fd \
    curl wget ssh rsync tar zip unzip bash zsh tsc eslint prettier jest vitest dotnet swift zig ghc cabal stack elixir mix \
    code vim nvim emacs tmux systemctl ansible vagrant";

#[cfg(test)]
mod tests {
    use super::super::network;
    use super::{FORMS, Reaches};
    use crate::{CommandLine, Shell};

    /// They print an address that is set up here, and connect to none.
    const ONLY_TELL: &[&str] = &["git remote get-url", "git submodule status", "apt list", "apt show"];

    #[test]
    fn every_form_that_connects_says_where_to() {
        let mut unsaid = Vec::new();
        for form in FORMS.iter().filter(|form| form.most_operands > 0 && form.reaches == Reaches::Nothing) {
            for program in form.programs.split(' ') {
                let command = format!("{program} {}", form.path);
                let line = CommandLine::analyse(&format!("{command} x"), Shell::Bash);
                if line.parts.iter().any(network::talks) && !ONLY_TELL.contains(&command.trim()) {
                    unsaid.push(command);
                }
            }
        }
        assert!(unsaid.is_empty(), "they connect elsewhere, and their operands are not looked at: {unsaid:?}");
    }
}
