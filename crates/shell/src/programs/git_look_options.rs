//! Options of git's sub-commands with which they only look.

/// `git-diff(1)`, `git-log(1)`: without `--output`, `--ext-diff`, `--textconv`, `-O`.
pub(super) const GIT_DIFF: &str = "p u s U= # a b w R z M? C? D B? l= S= G= patch no-patch unified= raw patch-with-raw indent-heuristic minimal \
    patience histogram anchored= diff-algorithm= stat? numstat shortstat dirstat? cumulative summary patch-with-stat \
    name-only name-status color? no-color color-moved? word-diff? color-words? word-diff-regex= no-renames rename-empty check \
    full-index binary abbrev? find-renames? find-copies? find-copies-harder diff-filter= pickaxe-all pickaxe-regex relative? \
    text ignore-cr-at-eol ignore-space-at-eol ignore-space-change ignore-all-space ignore-blank-lines inter-hunk-context= \
    function-context exit-code quiet no-ext-diff no-textconv src-prefix= dst-prefix= no-prefix ita-invisible-in-index \
    compact-summary ignore-submodules? oneline";

pub(super) const GIT_LOG: &str = "p u s U= # a b w R z M? C? B? S= G= L= n= g i E F P c m t patch no-patch unified= raw minimal patience histogram \
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

pub(super) const GIT_LIST: &str = "a r v i list contains~ no-contains~ merged~ no-merged~ points-at= format= sort= column? no-column color? \
    no-color abbrev? no-abbrev show-current all remotes verbose ignore-case";

pub(super) const GIT_TAG: &str =
    "l i n? list contains~ no-contains~ merged~ no-merged~ points-at= format= sort= column? color? ignore-case";
