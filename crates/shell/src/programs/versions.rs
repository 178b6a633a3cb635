//! Version control besides git itself, and clients of forges.

use super::class::Class;
use super::danger::danger;
use super::effect::Effect::{Changes, Loads, Runs, Sends, Writes};
use super::fact::Fact;
use super::file_use::{FileUse, texts, upload};
use super::interactive::Interactive;
use super::printer::printer;
use super::shared::GH_CHANGES;
use super::spec::{CHANGES, Operands, PLAIN, Spec, WRITES, looks};
use super::{PUBLISHES, Program, Talks, UNLISTED, commands, later, never, options, runner};

const HG_COMMANDS: &[&[Spec]] = &[&[
    looks("bookmarks"),
    Spec {
        names: "status st log diff branches tags heads parents summary sum annotate blame cat files manifest \
            identify id root paths version help",
        flags: "vqapgwbBUimrdncuflDTXGMtA#",
        valued: "Ik",
        long: "help verbose quiet limit: rev: change: stat git nodates show-function all modified added removed \
            deleted unknown ignored no-status copies graph user: date: keyword: branch: no-merges patch include: \
            exclude: follow number changeset line-number active closed",
        refused: &[
            // Anything may be set that way, an alias that runs a program too.
            (
                "--config --cwd -R --repository --repo --tool --encoding --pager --debugger --profile --template -T \
                    --style --ssh -e --remotecmd --insecure",
                Runs,
            ),
            ("-o --output", Writes),
        ],
        // Functions that ask another repository, or run a program of the settings.
        holding: &[("outgoing", Sends), ("remote(", Sends), ("extdata(", Runs)],
        operands: Operands::Inside,
        runs_project: true,
        ..PLAIN
    },
]];

const GLAB_COMMANDS: &[&[Spec]] = &[&[Spec {
    names: "mr:list mr:view mr:diff issue:list issue:view ci:list ci:status ci:view repo:view release:list \
        release:view label:list version help pr:list pr:view issues pulls",
    flags: "acdmMh",
    valued: "RPpFlS",
    long: "repo: page: per-page: all closed opened merged assignee: author: label: milestone: search: comments \
        system-logs output=json output=text help state: limit: draft",
    refused: &[("-w --web", Runs), ("-g --group --hostname --token", Sends)],
    operands: Operands::GitHub,
    ..PLAIN
}]];

const HUB_WHY: &str = "changes repositories and other machines, and runs their hooks";

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: "hg",
        source: "hg help commands; hg help config; hg help revisions",
        is: &[Fact::Abbreviates, Fact::Hyphenated],
        class: Class::HarmlessCommands(HG_COMMANDS),
        sub_commands: "add commit ci push pull update up checkout co log diff status st revert rm remove delete del \
            mv copy move merge resolve branch tag describe new edit show bookmark rebase squash abandon \
            undo",
        synonyms: &["commit|ci", "update|up|checkout|co", "remove|rm", "copy|cp", "rename|move|mv"],
        destroys: &[
            danger("strip|purge", "", "throws away changes"),
            danger("update", "C clean", "throws away changes"),
        ],
        talks: Talks::For(&[("push|pull|clone|incoming|in|outgoing|out|email|patchbomb|identify", "")]),
        publishes: &[("push|email|patchbomb", "")],
        sends: &[("email|patchbomb|serve", "")],
        files: FileUse { uploads: &[upload("push")], ..FileUse::PLAIN },
        ..UNLISTED
    },
    commands("chg rhg", "hg help commands; hg help config; hg help revisions", HG_COMMANDS),
    Program {
        names: "svn",
        source: "svn help",
        class: Class::HarmlessCommands(&[&[Spec {
            names: "status st stat info log diff di blame praise ann annotate cat list ls proplist pl propget pg \
                help",
            flags: "vquglNxRr",
            valued: "c",
            long: "verbose quiet show-updates revision: limit: change: summarize stop-on-copy recursive \
                non-interactive depth: xml incremental git help version show-item: no-newline internal-diff \
                notice-ancestry no-diff-deleted no-ignore",
            refused: &[
                (
                    "--diff-cmd --editor-cmd --config-dir --config-option -x --extensions --diff3-cmd --targets \
                        -F",
                    Runs,
                ),
                ("--username --password --trust-server-cert --old --new", Sends),
            ],
            operands: Operands::Inside,
            ..PLAIN
        }]]),
        sub_commands: "add commit ci push pull update up checkout co log diff status st revert rm remove delete del \
            mv copy move merge resolve branch tag describe new edit show bookmark rebase squash abandon \
            undo",
        synonyms: &[
            "delete|del|remove|rm",
            "commit|ci",
            "checkout|co",
            "copy|cp",
            "move|mv|rename|ren",
            "switch|sw",
            "update|up",
            "status|stat|st",
            "revert",
        ],
        destroys: &[danger("delete|rm|revert", "", "removes files or changes")],
        talks: Talks::For(&[(
            "commit|ci|checkout|co|update|up|import|copy|cp|delete|del|rm|mkdir|move|mv|lock|unlock|log|list|ls|export|switch|sw|merge|info|blame|cat|diff|propset|propdel|relocate",
            "",
        )]),
        publishes: &[("commit|ci|import|lock|unlock|mkdir|copy|cp|delete|del|rm|move|mv|propset|propdel", "")],
        files: FileUse {
            uploads: &[upload("import")],
            texts: &[texts("commit|ci", "-m --message", "-q --quiet --no-unlock --non-interactive")],
            ..FileUse::PLAIN
        },
        ..UNLISTED
    },
    Program {
        names: "jj",
        source: "jj help (0.2x)",
        is: &[Fact::NamesWithAt],
        class: Class::HarmlessCommands(&[&[Spec {
            names: "log status st diff show root version help bookmark:list op:log file:list file:show evolog \
                obslog interdiff",
            flags: "rspnG",
            valued: "",
            long: "revisions: summary stat git patch limit: reversed no-graph color: types name-only no-pager \
                quiet help from: to: context:",
            refused: &[(
                "--config --config-toml --config-file -R --repository --tool -T --template --at-operation \
                    --at-op",
                Runs,
            )],
            operands: Operands::Inside,
            runs_project: true,
            ..PLAIN
        }]]),
        sub_commands: "add commit ci push pull update up checkout co log diff status st revert rm remove delete del \
            mv copy move merge resolve branch tag describe new edit show bookmark rebase squash abandon \
            undo",
        destroys: &[danger("abandon|util gc", "", "throws away commits")],
        talks: Talks::For(&[("git push|fetch|clone", "")]),
        publishes: &[("git push", "")],
        ..UNLISTED
    },
    Program {
        sends: &[("send|server|serve", ""), ("remote|init|import|commit|ci", "d")],
        files: FileUse { uploads: &[upload("push"), upload("put")], ..FileUse::PLAIN },
        ..commands(
            "fossil bzr brz darcs pijul cvs p4 sapling",
            "fossil help; brz help; darcs help",
            &[&[Spec {
                names: "status info help version branches tags log timeline changes",
                flags: "vqn",
                valued: "l",
                long: "help verbose limit:",
                refused: &[("--config --repository -R --directory -d --diff-command --using", Runs)],
                operands: Operands::None,
                runs_project: true,
                ..PLAIN
            }]],
        )
    },
    Program {
        talks: Talks::Always,
        publishes: &[("push|lock|unlock", "")],
        ..commands(
            "git-lfs",
            "git-lfs(1)",
            &[&[Spec {
                names: "ls-files status version env locks",
                flags: "lsn",
                long: "long size name-only all json",
                refused: &[("-r --remote", Sends)],
                operands: Operands::None,
                ..PLAIN
            }]],
        )
    },
    Program {
        names: "glab",
        source: "glab help; tea help",
        is: &[Fact::NamesWithAt, Fact::ShowsText],
        class: Class::HarmlessCommands(GLAB_COMMANDS),
        valued: "-R --repo --hostname",
        sub_commands: "auth ci issue issues label mr pr pulls release repo user variable api",
        destroys: &[danger("repo|project|release|issue|mr|variable|ci delete", "", "removes it on GitLab")],
        prints: &[
            printer("auth status", "glab auth status --help").with("t show-token"),
            printer("config get token", "glab config get --help"),
        ],
        changes: GH_CHANGES,
        talks: Talks::Always,
        sends: &[("snippet create|new", "")],
        files: FileUse {
            texts: &[
                texts(
                    "mr|issue create|new|update",
                    "-t --title -d --description",
                    "--draft -f --fill -y --yes --no-editor",
                ),
                texts("mr|issue note|comment", "-m --message", "--unique"),
            ],
            ..FileUse::PLAIN
        },
        publishes: &[
            ("api", ""),
            (
                "mr|issue|release|repo|label|ci|variable|snippet|ssh-key|schedule|incident|token|cluster|deploy-key|milestone|iteration create|new|update|edit|delete|close|reopen|merge|approve|revoke|note|rebase|todo|subscribe|unsubscribe|upload|transfer|fork|archive|run|retry|cancel|trigger|set|rotate|mirror|members",
                "",
            ),
        ],
        ..UNLISTED
    },
    Program {
        names: "tea",
        source: "glab help; tea help",
        is: &[Fact::NamesWithAt],
        class: Class::HarmlessCommands(GLAB_COMMANDS),
        sub_commands: "auth ci issue issues label mr pr pulls release repo user variable api",
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program { talks: Talks::Always, publishes: PUBLISHES, ..commands("berg", "glab help; tea help", GLAB_COMMANDS) },
    Program {
        names: "hub",
        source: "hub(1); git-town and Graphite documentation; git-annex(1)",
        is: &[Fact::SaysVersion],
        class: Class::Never(HUB_WHY),
        first_name: "git",
        talks: Talks::Always,
        publishes: &[("push|pull-request|create|fork|release|issue|gist|api|sync|delete|merge|pr", "")],
        ..UNLISTED
    },
    never(
        "gitea gitlab forgejo gerrit git-review arc phab stg stgit topgit git-town git-flow \
            git-absorb git-branchless git-machete git-spice gt graphite ghstack spr git-extras git-crypt \
            git-secret git-annex git-quick-stats gclient mr myrepos vcstool vcs gws ghq gita mu-repo \
            gitk git-gui git-cola gitg gource smartgit gitkraken forgit",
        "hub(1); git-town and Graphite documentation; git-annex(1)",
        HUB_WHY,
    ),
    Program {
        names: "git-filter-repo bfg",
        source: "hub(1); git-town and Graphite documentation; git-annex(1)",
        class: Class::Never(HUB_WHY),
        destroys: &[danger("", "", "rewrites the whole history")],
        ..UNLISTED
    },
    Program {
        names: "lazygit gitui",
        source: "hub(1); git-town and Graphite documentation; git-annex(1)",
        class: Class::Never(HUB_WHY),
        interactive: &[Interactive::Terminal],
        ..UNLISTED
    },
    options(
        "onefetch git-sizer gitinspector",
        "onefetch --help; git-sizer --help",
        &Spec {
            flags: "hV",
            long: "help version json verbose no-art no-color-palette",
            refused: &[("-i --image --ascii-input --ascii-language --config -o --output", Loads)],
            operands: Operands::None,
            runs_project: true,
            ..PLAIN
        },
    ),
    options(
        "lsdiff filterdiff interdiff combinediff grepdiff diffmerge rediff recountdiff flipdiff",
        "filterdiff(1); lsdiff(1)",
        &Spec {
            flags: "nsvh",
            valued: "pixI",
            long: "help version line-number status strip: include: exclude: number-files",
            refused: &[("-o --output --in-place -d", Writes)],
            operands: Operands::InsideAtMost(2),
            ..PLAIN
        },
    ),
    runner(
        "meld kdiff3 nvimdiff bcompare opendiff p4merge tkdiff xxdiff diffuse kompare sdiff mergiraf",
        "sdiff(1); meld --help",
    ),
    Program {
        names: "vimdiff",
        source: "sdiff(1); meld --help",
        is: &[Fact::RunsOperands],
        class: Class::Never("runs another program"),
        interactive: &[Interactive::Terminal],
        ..UNLISTED
    },
    Program {
        names: "chezmoi",
        source: "chezmoi and yadm documentation; stow(8)",
        class: Class::Never(CHANGES),
        sets: later::DOTFILES,
        prints: &[printer("secret|decrypt", "chezmoi help secret")],
        ..UNLISTED
    },
    Program {
        names: "yadm",
        source: "chezmoi and yadm documentation; stow(8)",
        class: Class::Never(CHANGES),
        first_name: "git",
        ..UNLISTED
    },
    never("stow dotbot rcup homesick vcsh etckeeper", "chezmoi and yadm documentation; stow(8)", CHANGES),
    options(
        "semver svu autotag",
        "semver --help",
        &Spec {
            flags: "h",
            valued: "ri",
            long: "help version",
            refused: &[("--changelog --exec --config", Changes)],
            operands: Operands::Names,
            ..PLAIN
        },
    ),
    never("splitdiff", "splitdiff(1)", WRITES),
];
