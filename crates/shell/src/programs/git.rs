//! git and its helpers.

use super::class::Class;
use super::danger::danger;
use super::fact::Fact;
use super::file_use::{FileUse, texts};
use super::form::form;
use super::git_interactive::GIT_INTERACTIVE;
use super::git_look_options::{GIT_DIFF, GIT_LIST, GIT_LOG, GIT_TAG};
use super::git_specs::{CHANGING, READING};
use super::lands::Lands;
use super::printer::printer;
use super::runs::behind;
use super::state_change::{StateChange, changes_state};
use super::{Program, Talks, UNLISTED, later, runner};

pub(super) const PROGRAMS: &[Program] = &[
    runner("git-shell", "git-shell(1)"),
    Program {
        names: "git",
        source: "git(1) and the manual page of each sub-command; gitattributes(5)",
        sets: later::GIT,
        is: &[
            Fact::Hyphenated,
            Fact::NamesWithAt,
            Fact::OfTheSystem,
            Fact::RunsOperands,
            Fact::SaysVersion,
            Fact::SaysVersionByCapital,
            Fact::SaysVersionByLetter,
            Fact::TellsOperands,
            Fact::ShowsText,
            Fact::TypedByOthers,
        ],
        class: Class::SubCommands(&[READING, CHANGING]),
        runs: &[behind("bisect run", 0)],
        told_behind: &["submodule foreach"],
        running: "--upload-pack --receive-pack --open-files-in-pager --sendmail-cmd --to-cmd --cc-cmd --header-cmd --extcmd \
            --httpd --access-hook",
        valued: "-C -c --git-dir --work-tree --namespace --exec-path --config-env --super-prefix \
            --attr-source --list-cmds",
        running_letters: "xcuO",
        sub_commands: "add stage am annotate apply archive blame branch cat-file check-attr check-ignore \
            check-mailmap check-ref-format checkout checkout-index cherry cherry-pick citool clean clone \
            column commit commit-graph commit-tree count-objects describe diff diff-files diff-index \
            diff-tree fast-export fast-import fetch fetch-pack fmt-merge-msg for-each-ref format-patch \
            fsck gc grep gui hash-object help index-pack init interpret-trailers lfs log ls-files \
            ls-remote ls-tree mailinfo maintenance merge merge-base merge-file merge-index merge-tree \
            mktag mktree mv name-rev notes pack-objects pack-refs patch-id prune pull push range-diff \
            read-tree rebase reflog remote repack replace request-pull rerere reset restore rev-list \
            rev-parse revert rm send-email send-pack shortlog show show-branch show-index show-ref \
            sparse-checkout stash status stripspace subtree switch symbolic-ref tag unpack-file \
            unpack-objects update-index update-ref var verify-commit verify-pack verify-tag version \
            whatchanged worktree write-tree bisect gitk difftool mergetool",
        aliases: Some(
            "config submodule filter-branch credential credential-cache credential-store svn p4 daemon \
                instaweb hook shell http-backend http-fetch http-push upload-pack upload-archive \
                receive-pack multi-pack-index prune-packed mailsplit get-tar-commit-id imap-send bugreport \
                diagnose update-server-info cvsserver cvsimport cvsexportcommit archimport quiltimport \
                merge-one-file merge-recursive merge-resolve merge-octopus merge-ours sh-setup sh-i18n \
                web--browse for-each-repo refs replay range-diff fsmonitor--daemon",
        ),
        synonyms: &[
            "remote remove|remote rm",
            "add|stage",
            "stash push|stash save",
            "blame|annotate",
            "push|subtree push|for-each-repo push|submodule foreach push|send-pack",
        ],
        same_options: &[
            ("push", "f=force d=delete u=set-upstream n=dry-run q=quiet v=verbose o=push-option 4=ipv4 6=ipv6"),
            (
                "commit",
                "n=no-verify a=all m=message F=file C=reuse-message s=signoff S=gpg-sign p=patch q=quiet \
                    v=verbose o=only i=include e=edit",
            ),
            (
                "branch",
                "d=delete D=delete D=force f=force m=move M=move M=force c=copy C=copy C=force a=all \
                    r=remotes v=verbose u=set-upstream-to l=list",
            ),
            ("clean", "f=force n=dry-run q=quiet i=interactive e=exclude"),
            ("checkout switch", "f=force q=quiet t=track c=create C=force-create d=detach m=merge p=patch"),
            ("tag", "d=delete f=force a=annotate s=sign m=message l=list v=verify"),
            ("add rm", "f=force A=all u=update n=dry-run p=patch e=edit i=interactive q=quiet"),
            ("rebase merge pull", "i=interactive x=exec f=force-rebase q=quiet v=verbose r=rebase m=merge s=strategy"),
            ("fetch", "f=force p=prune t=tags a=append q=quiet v=verbose"),
            (
                "reset stash restore worktree",
                "q=quiet f=force u=include-untracked a=all p=patch k=keep-index s=source S=staged W=worktree",
            ),
        ],
        operands_as_options: &[("push", "force", '+'), ("push", "delete", ':'), ("push", "mirror", '*')],
        leading: "--no-pager -P --no-optional-locks",
        looks: &[
            form(
                "status",
                "s b v u? z short branch show-stash porcelain? long verbose untracked-files? \
                    ignore-submodules? ignored? column? no-column ahead-behind no-ahead-behind renames \
                    no-renames find-renames?",
            ),
            form("diff", "staged cached merge-base").contents().sharing(GIT_DIFF),
            form("log", "").contents().sharing(GIT_LOG),
            form("show", "").contents().sharing(GIT_LOG),
            form("whatchanged", "").contents().sharing(GIT_LOG),
            form(
                "shortlog",
                "s n e c w? numbered summary email group= committer format= since= after= until= before= all \
                    no-merges author= grep=",
            ),
            form("rev-list", "").contents().sharing(GIT_LOG),
            form("diff-tree", "r t root stdin no-commit-id c cc m v pretty? oneline").contents().sharing(GIT_DIFF),
            form("diff-index", "m cached merge-base").contents().sharing(GIT_DIFF),
            form("diff-files", "q 0 1 2 3 base ours theirs").contents().sharing(GIT_DIFF),
            form("range-diff", "").contents().sharing(GIT_LOG),
            form("reflog", "n= # date= oneline all no-color").at_most(0),
            form("reflog show", "").sharing(GIT_LOG),
            form("stash list", "").at_most(0).sharing(GIT_LOG),
            form("stash show", "").contents().sharing(GIT_LOG),
            form("branch", GIT_LIST).at_most(0),
            form("branch --list", GIT_LIST),
            form("branch -a|-r|--all|--remotes --list|-l", GIT_LIST),
            form("branch -l", GIT_LIST),
            form("tag", GIT_TAG).at_most(0),
            form("tag --list", GIT_TAG),
            form("tag -l", GIT_TAG),
            form("remote", "v verbose").at_most(0),
            form("remote get-url", "all push").at_most(1),
            form("worktree list", "porcelain v z verbose").at_most(0),
            form(
                "blame",
                "b c e f l n s t w L= M? C? porcelain line-porcelain show-email show-name show-number since= \
                    root date= color-lines ignore-rev= reverse= first-parent",
            )
            .contents(),
            form("annotate", "l t n L=").contents(),
            form(
                "grep",
                "n i w v c l L h H E F G P e= q o A= B= C= p W # a I cached heading break count ignore-case \
                    word-regexp invert-match files-with-matches name-only extended-regexp fixed-strings \
                    perl-regexp line-number column show-function function-context context= max-depth= all-match \
                    and or not color? no-color",
            )
            .matches(),
            form(
                "ls-files",
                "c d m o i s u t v z x= X= f cached deleted modified others ignored stage unmerged killed \
                    directory exclude= exclude-standard error-unmatch full-name abbrev? eol deduplicate format= \
                    recurse-submodules",
            ),
            form("ls-tree", "d r t l z name-only name-status object-only full-name full-tree abbrev? format= long"),
            form("cat-file", "t s e p").contents(),
            form(
                "rev-parse",
                "q short? verify abbrev-ref? show-toplevel git-dir git-common-dir absolute-git-dir \
                    is-inside-work-tree is-inside-git-dir is-bare-repository symbolic symbolic-full-name \
                    show-prefix show-cdup all branches? tags? remotes? revs-only no-revs quiet \
                    superproject-working-tree git-path= is-shallow-repository show-current default=",
            ),
            form("merge-base", "a all octopus independent is-ancestor fork-point"),
            form(
                "describe",
                "all tags contains abbrev= long always match= exclude= candidates= exact-match dirty? broken? \
                    first-parent",
            ),
            form("name-rev", "tags name-only refs= exclude= all always no-undefined"),
            form(
                "for-each-ref",
                "format= sort= count= points-at= merged~ no-merged~ contains~ no-contains~ ignore-case \
                    exclude=",
            ),
            form("show-ref", "q d s? head heads tags branches verify abbrev? dereference hash? quiet"),
            form("clean", "n dry-run d x X q quiet e= exclude=").only_with("n dry-run"),
            form("show-branch", "a r all remotes current topo-order list no-name sha1-name"),
            form("cherry", "v abbrev?"),
            form("symbolic-ref", "q quiet short recurse no-recurse").at_most(1),
            form("fsck", "full no-full connectivity-only dangling no-dangling unreachable progress no-progress verbose name-objects"),
            form("count-objects", "v H verbose human-readable").at_most(0),
            form("check-ignore", "v q n z no-index verbose quiet non-matching"),
            form("check-attr", "a z cached all"),
            form("update-index", "q refresh really-refresh").only_with("refresh really-refresh").at_most(0),
            form("bisect log", "").at_most(0),
            form("check-ref-format", "branch allow-onelevel"),
            form("submodule status", "recursive cached"),
            // git-apply(1): with one of these it applies nothing, unless `--apply` says so.
            form(
                "apply",
                "check stat numstat summary cached R reverse v verbose q quiet p= C= recount unidiff-zero ignore-whitespace \
                    ignore-space-change directory= include= exclude= allow-empty",
            )
            .only_with("check stat numstat summary"),
            form("version", "build-options").at_most(0),
            form("--version", "").at_most(0),
        ],
        destroys: &[
            danger("push", "f force force-with-lease mirror delete d prune", "overwrites or removes what the other side has"),
            danger("reset", "hard merge", "throws away changes that are not committed"),
            // git-merge(1), git-rebase(1): what was staged, and how a conflict was resolved, is in no commit yet.
            danger("merge|cherry-pick|revert|rebase|am", "abort skip", "throws away how conflicts were resolved"),
            danger("clean", "f force", "removes files that git does not know"),
            danger("branch", "D", "removes a branch even if its commits are nowhere else"),
            danger(
                "branch|checkout|switch",
                "C B M f force discard-changes force-create",
                "replaces a branch or throws away changes",
            ),
            danger("tag", "d delete f force", "removes or moves a tag"),
            danger("stash drop|clear", "", "removes stashed changes"),
            danger("filter-branch|filter-repo", "", "rewrites the whole history"),
            danger("reflog expire|delete", "", "removes the way back to old commits"),
            danger("gc", "prune", "removes the way back to old commits"),
            danger("prune", "", "removes the way back to old commits"),
            danger("update-ref", "d delete stdin", "removes or moves a branch without a check"),
            danger("worktree remove", "f force", "removes a working folder with its changes"),
            danger("submodule deinit|update", "f force", "throws away what was changed in a submodule"),
            danger("rm", "r f force", "removes files"),
            danger("read-tree|checkout-index", "f force reset", "throws away changes that are not committed"),
            danger("apply", "unsafe-paths", "writes outside of the working folder"),
            danger("lfs prune", "", "removes large files"),
        ],
        prints: &[
            printer("credential fill", "git-credential(1)"),
            printer(
                "credential-store|credential-cache|credential-manager|credential-osxkeychain|credential-libsecret|credential-oauth \
                    get",
                "gitcredentials(7)",
            ),
            // `http.<url>.extraHeader` and URLs in settings carry tokens: git-config(1), "http", "url", "sendemail".
            printer("config", "git-config(1)").with("l list -get-regexp -get-urlmatch").unless("name-only"),
            printer("config list", "git-config(1)").unless("name-only"),
        ],
        changes: &[
            ("add|rm|mv|stage", "changes what the next commit holds"),
            ("commit|merge|rebase|cherry-pick|revert|am|apply", "changes the repository"),
            ("checkout|switch|restore|reset|stash", "changes the files of the project"),
            ("branch -d|--delete", "removes a branch, if its commits are in another"),
            ("push", "changes the other side"),
            ("fetch|pull|clone", "brings in changes from another machine"),
            ("config", "changes or shows settings of git"),
        ],
        talks: Talks::For(&[
            ("push|fetch|pull|clone|ls-remote|send-email|lfs|svn", ""),
            ("submodule add|update", ""),
            ("remote show|update|prune|set-head", ""),
            ("remote add", "f fetch"),
            ("archive", "remote"),
        ]),
        publishes: &[
            ("push|send-email|send-pack|imap-send|http-push|cvsexportcommit", ""),
            ("lfs push|lock|unlock", ""),
            ("svn dcommit|set-tree|branch|tag", ""),
            ("p4 submit", ""),
            ("subtree push", ""),
        ],
        // What serves the repository, and what goes to a place that its words or settings alone name. `push` goes to
        // a remote that the repository knows.
        sends: &[
            ("send-email|send-pack|imap-send|http-push|cvsexportcommit", ""),
            ("daemon|instaweb|http-backend|cvsserver|shell", ""),
            ("svn dcommit|set-tree|branch|tag", ""),
            ("p4 submit", ""),
            ("remote-ext|remote-fd", ""),
        ],
        // gitglossary(7), "reflog": what a branch pointed to stays; git-stash(1), git-merge(1): changes that are not
        // committed are kept, or it refuses; what cannot be taken back from the stash without a conflict stays there.
        lands: &[
            ("checkout -b", Lands::History),
            ("stash push|save|pop|apply", Lands::History),
            ("stash", Lands::History),
            ("add|stage|commit|branch|tag|switch|merge|cherry-pick|revert|fetch|pull|push", Lands::History),
            // A folder with the names of another branch.
            ("worktree add", Lands::Rights),
            ("notes add|append", Lands::Repository),
            ("stash drop|clear|branch", Lands::Repository),
            // git-branch(1): it removes no branch whose commits are in no other.
            ("branch -d|--delete", Lands::History),
            ("branch -D|-m|-M|-f", Lands::Repository),
            ("tag -d|--delete|-f", Lands::Repository),
            ("mv", Lands::Moves),
            ("reset|restore|checkout|rm|clean", Lands::Repository),
        ],
        state_changes: &[
            changes_state(
                "push",
                StateChange::Pushes,
                "u f d q v 4 6 force delete set-upstream quiet verbose progress no-progress no-verify verify atomic \
                    no-atomic thin no-thin porcelain",
            )
            .permutes(),
            changes_state("reset", StateChange::Resets, "hard q quiet").only_with("hard").permutes(),
            changes_state("restore", StateChange::Restores, "s= source= W worktree S staged q quiet progress no-progress")
                .permutes(),
            changes_state("checkout", StateChange::Restores, "f force q quiet").permutes(),
            changes_state("clean", StateChange::Cleans, "f d x q force quiet").only_with("f force").permutes(),
            changes_state("stash drop", StateChange::DropsStash, "q quiet").permutes(),
            changes_state("stash clear", StateChange::ClearsStashes, ""),
            changes_state("branch", StateChange::DeletesBranches, "D q quiet").only_with("D").permutes(),
        ],
        interactive: GIT_INTERACTIVE,
        files: FileUse {
            written: "--output -o --output-directory",
            // Of `revert HEAD` the operand is a commit, and no file of that name is written.
            unchanged_by: "add annotate archive bisect blame branch cat-file check-attr check-ignore cherry-pick commit describe diff diff-tree \
                fetch for-each-ref grep log ls-files ls-tree merge merge-base merge-tree name-rev push rebase remote reset revert \
                rev-list rev-parse shortlog show show-ref stage status tag verify-commit verify-tag",
            texts: &[
                texts(
                    "commit",
                    "-m --message -am -sm -qm -nm -vm -asm -sam -aqm -qam -anm",
                    "-a --all --amend --no-edit -q --quiet -n --no-verify --verify -s --signoff --allow-empty \
                        --allow-empty-message -v --verbose --no-gpg-sign --dry-run",
                ),
                texts("tag", "-m --message -am -sm -fm", "-a --annotate -s --sign -f --force"),
                texts("merge", "-m", "--no-ff --ff --ff-only --squash --no-commit --commit --no-edit -q --quiet -s --signoff"),
                texts(
                    "stash push|save",
                    "-m --message -um -km",
                    "-u --include-untracked -k --keep-index -a --all -q --quiet -S --staged --no-keep-index",
                ),
                texts("notes add|append|edit", "-m --message -fm", "-f --force"),
            ],
            ..FileUse::PLAIN
        },
        open_behind: &[
            "add",
            "blame",
            "commit",
            "describe",
            "diff",
            "log",
            "ls-files",
            "merge-base",
            "rev-parse",
            "shortlog",
            "show",
            "status",
            "switch",
        ],
        ..UNLISTED
    },
    Program {
        names: "git-credential-store git-credential-cache git-credential-manager git-credential-osxkeychain \
            git-credential-libsecret git-credential-oauth",
        source: "gitcredentials(7)",
        prints: &[printer("get", "gitcredentials(7)")],
        ..UNLISTED
    },
];
