//! Clients of forges: GitHub.

use super::class::Class;
use super::danger::danger;
use super::effect::Effect::{Loads, Runs};
use super::fact::Fact;
use super::file_use::{FileUse, texts};
use super::form::form;
use super::interactive::Interactive;
use super::printer::printer;
use super::shared::GH_CHANGES;
use super::spec::{Operands, PLAIN, Spec};
use super::{Program, Talks, UNLISTED, later, lookers};

/// GitHub's client: only what looks.
const GH: &[Spec] = &[Spec {
    names: "pr:view pr:list pr:diff pr:checks pr:status issue:view issue:list issue:status run:view run:list repo:view repo:list \
        release:view release:list workflow:view workflow:list label:list search:issues search:prs search:code search:repos search:commits",
    flags: "cv",
    valued: "RLslaABHSjqbe",
    long: "repo limit state label author assignee base head search json jq comments log log-failed job verbose exit-status branch \
        workflow status user event commit name-only patch color draft required watch interval fail-fast language sort order owner \
        milestone mention app match visibility archived topic help",
    refused: &[("-w --web", Runs), ("-t --template", Loads)],
    operands: Operands::GitHub,
    ..PLAIN
}];

/// Options of `bd` that choose what is shown, and how.
const BEADS_OPTIONS: &str = "json readonly q quiet v verbose no-color long short pretty flat tree all a help h n= limit= s= status= t= type= p= \
    priority= priority-min= priority-max= l= label= label-any= assignee= parent= title= title-contains= desc-contains= \
    id= sort= r reverse days= created-after= created-before= updated-after= updated-before= closed-after= \
    closed-before= empty-description no-assignee no-labels include-closed query= local-time unassigned by-status \
    by-priority by-type by-assignee by-label direction= max-depth= depth= format= refs children thread";

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: "gh",
        source: "gh help; gh reference",
        groups: "pr issue repo release run workflow gist project cache ruleset org secret variable label ssh-key gpg-key codespace alias config auth search",
        sets: later::GH,
        is: &[
            Fact::SaysHelp,
            Fact::Hyphenated,
            Fact::NamesWithAt,
            Fact::SaysVersion,
            Fact::TellsOperands,
            Fact::TakesJq,
            Fact::ShowsText,
        ],
        class: Class::SubCommands(&[GH]),
        valued: "-R --repo --hostname",
        sub_commands: "attestation auth browse cache gist gpg-key issue label org pr project release repo ruleset \
            run search secret ssh-key status variable workflow api completion help version config",
        aliases: Some("alias"),
        synonyms: &[
            "pr list|pr ls",
            "pr create|pr new",
            "pr checkout|co|pr co",
            "issue list|issue ls",
            "issue create|issue new",
            "repo list|repo ls",
            "repo create|repo new",
            "release list|release ls",
            "release create|release new",
            "gist list|gist ls",
            "gist create|gist new",
            "run list|run ls",
            "workflow list|workflow ls",
            "codespace|cs",
            "ruleset|rs",
            "extension|extensions|ext",
            "attestation|at",
            "secret delete|secret remove",
            "variable delete|variable remove",
            "secret list|secret ls",
        ],
        same_options: &[("", "R=repo f=force y=yes b=body t=title")],
        looks: lookers::GH,
        destroys: &[
            danger("repo delete|archive", "", "removes a repository"),
            danger(
                "release|secret|variable|gist|run|cache|label|issue|codespace|ssh-key|gpg-key|project|extension \
                    delete|delete-asset|remove",
                "",
                "removes it on GitHub",
            ),
            danger("repo deploy-key delete", "", "removes a key on GitHub"),
        ],
        prints: &[
            printer("auth token", "gh help auth token"),
            printer("auth status", "gh help auth status").with("t show-token"),
            printer("auth git-credential get", "gh auth git-credential, gitcredentials(7)"),
            printer("config get oauth_token", "gh help config get"),
        ],
        changes: GH_CHANGES,
        talks: Talks::Always,
        sends: &[("gist create|new|edit", ""), ("repo create|new", "source push")],
        interactive: &[Interactive::As(&[&["ssh"]])],
        publishes: &[
            ("api", ""),
            ("auth login|refresh|setup-git", ""),
            (
                "pr|issue|release|gist|repo|label|run|workflow|secret|variable|project|ssh-key|gpg-key|cache|codespace|ruleset|environment create|new|edit|delete|remove|close|reopen|merge|comment|review|ready|lock|unlock|upload|delete-asset|pin|unpin|transfer|develop|rename|archive|unarchive|fork|sync|set|add|rerun|cancel|enable|disable|run|deploy-key|link|unlink|copy|update-branch|revert|stop|ssh|cp|ports|autolink|item-add|item-edit|item-delete|item-create|field-create|field-delete",
                "",
            ),
        ],
        open_behind: &[
            "issue list",
            "issue view",
            "pr checks",
            "pr diff",
            "pr list",
            "pr view",
            "run list",
            "run view",
        ],
        files: FileUse {
            texts: &[
                texts("api", "-f --raw-field", "-i --include --paginate --slurp --silent --verbose"),
                texts(
                    "pr create|new",
                    "-t --title -b --body",
                    "-d --draft -f --fill --fill-first --fill-verbose --dry-run",
                ),
                texts(
                    "pr merge",
                    "-t --subject -b --body",
                    "-m --merge -r --rebase -s --squash -d --delete-branch --auto --admin",
                ),
                texts("pr review", "-b --body", "-a --approve -c --comment -r --request-changes"),
                texts("pr close", "-c --comment", "-d --delete-branch"),
                texts("issue close|reopen", "-c --comment", ""),
                texts("pr|issue edit|comment", "-t --title -b --body", "--edit-last --create-if-none --yes"),
                texts("issue create|new", "-t --title -b --body", ""),
                texts(
                    "release create|new|edit",
                    "-t --title -n --notes",
                    "-d --draft -p --prerelease --generate-notes --latest",
                ),
            ],
            ..FileUse::PLAIN
        },
        ..UNLISTED
    },
    // What it changes runs the hooks of `.beads/hooks`, or reaches the server of its database.
    Program {
        names: "bd beads",
        source: "bd help; beads, command reference",
        groups: "dep label dolt worktree config epic comments template daemons",
        is: &[Fact::SaysHelp],
        leading: "--readonly --json --quiet -q --no-color",
        looks: &[
            form("show", BEADS_OPTIONS),
            form("list", BEADS_OPTIONS),
            form("ready", BEADS_OPTIONS),
            form("blocked", BEADS_OPTIONS),
            form("search", BEADS_OPTIONS),
            form("count", BEADS_OPTIONS),
            form("stale", BEADS_OPTIONS),
            form("status", BEADS_OPTIONS),
            form("stats", BEADS_OPTIONS),
            form("children", BEADS_OPTIONS),
            form("statuses", BEADS_OPTIONS),
            form("types", BEADS_OPTIONS),
            form("info", BEADS_OPTIONS),
            form("where", BEADS_OPTIONS),
            form("context", BEADS_OPTIONS),
            form("version", BEADS_OPTIONS),
            form("help", BEADS_OPTIONS),
            form("dep tree", BEADS_OPTIONS),
            form("dep list", BEADS_OPTIONS),
            form("dep cycles", BEADS_OPTIONS),
            form("label list", BEADS_OPTIONS),
            form("worktree list", BEADS_OPTIONS),
        ],
        files: FileUse {
            texts: &[
                texts(
                    "create|new|update",
                    "-d --description --title --notes --append-notes --design --acceptance",
                    "--json --silent",
                ),
                texts("close|reopen", "-r --reason", "-f --force --json"),
            ],
            ..FileUse::PLAIN
        },
        ..UNLISTED
    },
    // `add`, `open`, `merge` and `remove` run the commands of `.workmux.yaml`; `send` types into another terminal.
    Program {
        names: "workmux",
        source: "workmux, command reference",
        does: "opens, changes or closes windows in which agents run",
        is: &[Fact::SaysHelp, Fact::SaysVersion, Fact::SaysVersionByCapital],
        looks: &[
            form("status", "json git help"),
            form("list", "json pr a all help"),
            form("capture", "handle= pane-id= lines= n= ansi help"),
            form("wait", "handle= status= timeout= any all help"),
            form("path", "help"),
            form("docs", "help"),
        ],
        ..UNLISTED
    },
    Program { names: "gh-dash", source: "gh-dash(1)", interactive: &[Interactive::Terminal], ..UNLISTED },
];
