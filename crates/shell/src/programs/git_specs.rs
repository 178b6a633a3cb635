//! Which options of git's sub-commands a pattern for them covers (`git log *`). Source: the manual page of each.

use super::effect::Effect::{self, Changes, Loads, Runs, Sends, Writes};
use super::spec::{Operands, PLAIN, Spec};

/// Options of the sub-commands that print differences and history.
const HISTORY: &str = "stat shortstat numstat dirstat summary patch no-patch raw patch-with-stat name-only name-status check color no-color \
    color-words word-diff word-diff-regex color-moved cached staged merge-base ignore-space-change ignore-all-space ignore-blank-lines \
    ignore-space-at-eol ignore-cr-at-eol unified function-context inter-hunk-context minimal patience histogram diff-algorithm \
    find-renames find-copies no-renames diff-filter relative no-relative text binary full-index abbrev no-abbrev no-ext-diff \
    no-textconv exit-code quiet ignore-submodules pickaxe-regex pickaxe-all oneline graph decorate no-decorate all \
    branches tags remotes glob exclude author committer grep invert-grep all-match regexp-ignore-case extended-regexp fixed-strings \
    perl-regexp since after until before max-count skip merges no-merges min-parents max-parents first-parent reverse date-order \
    topo-order author-date-order follow pretty format abbrev-commit no-abbrev-commit date relative-date notes \
    no-notes left-right cherry-pick cherry-mark cherry left-only right-only simplify-by-decoration full-history ancestry-path \
    walk-reflogs boundary parents children source show-pulls diff-merges combined-all-paths full-diff log-size no-walk stdin \
    count objects compact-summary no-prefix src-prefix dst-prefix null break-rewrites line-prefix encoding expand-tabs root";

/// What those sub-commands refuse.
const HISTORY_REFUSED: &[(&str, Effect)] =
    &[("--output", Writes), ("--ext-diff --textconv --show-signature", Runs), ("--no-index -O --orderfile", Loads)];

/// Sub-commands that look.
pub(super) const READING: &[Spec] = &[
    Spec {
        names: "log shortlog diff show diff-tree diff-index diff-files whatchanged rev-list range-diff reflog:show stash:list stash:show",
        flags: "pwbaRzqiEFPgmcrtsevuk#",
        valued: "nUSGLlMCDXB",
        long: HISTORY,
        refused: HISTORY_REFUSED,
        ..PLAIN
    },
    Spec {
        names: "status",
        flags: "sbvz",
        valued: "u",
        long: "short branch show-stash porcelain long verbose untracked-files ignored ignore-submodules column no-column ahead-behind no-ahead-behind renames no-renames find-renames null",
        ..PLAIN
    },
    Spec {
        names: "blame annotate",
        flags: "lswetfnpb",
        valued: "LMC",
        long: "line-porcelain porcelain show-name show-number show-email root date abbrev first-parent incremental show-stats",
        refused: &[("-S --ignore-revs-file --contents", Loads)],
        ..PLAIN
    },
    Spec {
        names: "rev-parse describe name-rev merge-base cat-file ls-tree ls-files show-ref for-each-ref show-branch count-objects check-ignore check-attr var cherry",
        flags: "aprtslcdomkvzuixeq#",
        valued: "n",
        long: "abbrev-ref show-toplevel verify short git-dir is-inside-work-tree symbolic symbolic-full-name show-prefix show-cdup all always tags long dirty abbrev contains exact-match match exclude candidates count sort format points-at merged no-merged heads hash dereference others cached modified deleted ignored exclude-standard stage full-name name-only name-status recurse-submodules recursive independent is-ancestor octopus stat patch porcelain verbose no-index show-origin show-scope global local is-bare-repository",
        refused: &[
            ("--textconv --filters --batch-command --open-files-in-pager -O", Runs),
            ("--output", Writes),
            ("--exclude-from --exclude-per-directory -X -f --file --blob --resolve-git-dir", Loads),
        ],
        ..PLAIN
    },
    // A letter of one of these means something else in the next: `tag -l -d x` deletes, `config -l -e` opens an editor.
    Spec { names: "worktree:list", flags: "vz", long: "porcelain verbose", operands: Operands::AtMost(0), ..PLAIN },
    Spec { names: "submodule:status", long: "recursive cached quiet", ..PLAIN },
    Spec { names: "remote:get-url", long: "all push", operands: Operands::AtMost(1), ..PLAIN },
    Spec { names: "notes:show notes:list", long: "", operands: Operands::AtMost(1), ..PLAIN },
    Spec {
        names: "config:--list config:--get config:--get-all config:-l config:list config:get",
        flags: "lz",
        long: "list get get-all null name-only show-origin show-scope global local system worktree type bool int path default \
            includes all",
        refused: &[
            ("-e --edit --add --unset --unset-all --replace-all --rename-section --remove-section", Changes),
            ("-f --file --blob", Loads),
        ],
        operands: Operands::AtMost(1),
        ..PLAIN
    },
    Spec {
        names: "reflog",
        flags: "qp#",
        valued: "n",
        long: HISTORY,
        refused: HISTORY_REFUSED,
        operands: Operands::AtMost(0),
        ..PLAIN
    },
    // It connects to what it is given.
    Spec { names: "remote:show", flags: "n", long: "", operands: Operands::Names, ..PLAIN },
    Spec { names: "remote:-v remote:--verbose", long: "", operands: Operands::AtMost(0), ..PLAIN },
    Spec {
        names: "branch branch:--list branch:-l",
        flags: "avrql",
        valued: "",
        long: "all remotes list verbose show-current contains no-contains merged no-merged points-at sort format column no-column color no-color abbrev no-abbrev ignore-case quiet",
        refused: &[
            ("--edit-description", Runs),
            ("-d -D -m -M -c -C -f -u --delete --move --copy --force --set-upstream-to --unset-upstream", Changes),
        ],
        ..PLAIN
    },
    Spec {
        names: "tag tag:-l tag:--list",
        flags: "l",
        valued: "n",
        long: "list sort contains no-contains merged no-merged points-at format column no-column color ignore-case",
        refused: &[("-d -f -a -s -u -m -F -e --delete --force --annotate --sign --edit --message --file", Changes)],
        ..PLAIN
    },
    Spec {
        names: "grep",
        flags: "ivwnlLcFEGPhHopaIWzqr#",
        valued: "eABCm",
        long: "ignore-case invert-match word-regexp line-number files-with-matches files-without-match name-only count fixed-strings extended-regexp basic-regexp perl-regexp cached heading break context after-context before-context show-function function-context color no-color only-matching column max-depth recursive no-recursive and or not all-match quiet null text full-name threads max-count recurse-submodules",
        refused: &[
            ("-O --open-files-in-pager", Runs),
            ("--textconv --ext-grep", Runs),
            ("-f --untracked --no-index --no-exclude-standard", Loads),
        ],
        ..PLAIN
    },
    Spec {
        names: "ls-remote",
        flags: "htqb",
        valued: "",
        long: "heads branches tags refs quiet exit-code get-url sort symref",
        refused: &[("--upload-pack --exec", Runs), ("-o --server-option", Sends)],
        operands: Operands::Remote("origin upstream"),
        ..PLAIN
    },
    Spec {
        names: "help version",
        flags: "ag",
        long: "all guides build-options",
        refused: &[("-w -m -i --web --man --info", Runs)],
        operands: Operands::None,
        ..PLAIN
    },
];

/// Sub-commands that change the repository, to the extent that a pattern for them plainly means.
pub(super) const CHANGING: &[Spec] = &[
    Spec {
        names: "add stage",
        flags: "AuvNn",
        long: "all update verbose dry-run intent-to-add no-all ignore-errors renormalize sparse",
        refused: &[
            // `interactive.diffFilter` is a program.
            ("-i -e -p --interactive --edit --patch", Runs),
            ("--chmod -f --force", Changes),
            ("--pathspec-from-file", Loads),
        ],
        ..PLAIN
    },
    Spec {
        names: "commit",
        flags: "avqs",
        valued: "m",
        long: "all message verbose quiet signoff dry-run short porcelain allow-empty no-edit only include",
        refused: &[
            ("-n --no-verify --amend --fixup --squash", Changes),
            ("-e --edit -p --patch --interactive -S --gpg-sign --trailer", Runs),
            (
                "-F -t -C -c --file --template --pathspec-from-file --reuse-message --reedit-message --cleanup --author --date",
                Loads,
            ),
        ],
        runs_project: true,
        ..PLAIN
    },
    // It removes no branch whose commits are in no other: git-branch(1), "-d".
    Spec {
        names: "branch:-d branch:--delete",
        flags: "dqrv",
        long: "delete quiet remotes verbose",
        refused: &[("-D -f --force -m -M -c -C -u --move --copy --edit-description", Changes)],
        ..PLAIN
    },
    Spec {
        names: "tag:-a tag:--annotate",
        flags: "a",
        valued: "m",
        long: "annotate message",
        refused: &[
            ("-d -f -s -u --delete --force --sign --local-user", Changes),
            ("-F --file", Loads),
            ("-e --edit", Runs),
        ],
        ..PLAIN
    },
    // Who commits here: git-config(1). It writes into the repository's own settings.
    Spec { names: "config:user.name config:user.email", long: "", operands: Operands::AtMost(1), ..PLAIN },
    // A new folder with a new branch; nothing of what is there changes.
    Spec {
        names: "worktree:add",
        flags: "dq",
        valued: "b",
        long: "detach quiet track no-track guess-remote no-guess-remote lock checkout no-checkout",
        refused: &[("-B -f --force --orphan --reason --relative-paths", Changes)],
        runs_project: true,
        ..PLAIN
    },
    // What is a repository already stays as it is.
    Spec {
        names: "init",
        flags: "q",
        valued: "b",
        long: "quiet",
        refused: &[(
            "--template --separate-git-dir --shared --bare --object-format --ref-format --initial-branch",
            Changes,
        )],
        operands: Operands::AtMost(0),
        ..PLAIN
    },
    Spec {
        names: "fetch pull",
        flags: "apqvtn46",
        long: "all prune tags no-tags quiet verbose dry-run unshallow ff-only rebase no-rebase progress no-edit ff no-ff jobs",
        refused: &[
            ("--upload-pack --exec -s -X --strategy --strategy-option", Runs),
            ("-o --server-option -c --config --refmap --filter", Sends),
            // A history that is cut off may have no other copy: git-fetch(1), "--depth".
            ("-f --force --depth --shallow-since --shallow-exclude", Changes),
            ("--output --write-fetch-head", Writes),
        ],
        operands: Operands::Remote("origin upstream"),
        broad: true,
        runs_project: true,
        ..PLAIN
    },
    Spec {
        names: "push",
        flags: "uvqn46",
        long: "set-upstream verbose quiet dry-run tags follow-tags progress porcelain",
        refused: &[
            ("--receive-pack --exec --repo", Runs),
            ("-f -d --force --force-with-lease --delete --mirror --prune --all", Changes),
            ("-o --push-option", Sends),
        ],
        operands: Operands::Remote(""),
        broad: true,
        runs_project: true,
        ..PLAIN
    },
    Spec {
        names: "stash:push stash:save stash:pop stash:apply merge switch checkout restore reset revert cherry-pick",
        flags: "qvubmScdnk",
        long: "quiet verbose keep-index index include-untracked message staged source worktree ff-only no-ff no-edit continue soft mixed create detach track no-commit",
        refused: &[
            ("--hard -f --force --discard-changes -C -B --orphan --recurse-submodules", Changes),
            ("-s -X --strategy --strategy-option -e --edit -p --patch --gpg-sign -x --exec", Runs),
            ("-F --file --pathspec-from-file", Loads),
        ],
        broad: true,
        runs_project: true,
        ..PLAIN
    },
];
