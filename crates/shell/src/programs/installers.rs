//! Package managers and managers of versions, whose sub-commands are listed.

use super::class::Class;
use super::danger::danger;
use super::effect::Effect::{Changes, Loads, Runs};
use super::fact::Fact;
use super::file_use::FileUse;
use super::form::form;
use super::interactive::Interactive;
use super::lands::Lands;
use super::printer::{Printer, printer};
use super::runs::behind;
use super::shared::UNINSTALL_CHANGES;
use super::spec::{Operands, PLAIN, Spec};
use super::{Program, Talks, UNLISTED, later, lookers, never, runner};

/// pip, uv, poetry: only what looks.
const PIP: &[Spec] = &[Spec {
    names: "list show freeze check inspect debug",
    flags: "vqol",
    long: "outdated uptodate local user format verbose quiet files not-required exclude help",
    refused: &[(
        "--python --index-url --extra-index-url -i --proxy --path --log --cache-dir --config-settings -r --requirement --find-links -f",
        Loads,
    )],
    ..PLAIN
}];

/// apt: what looks, and `update`.
const APT: &[Spec] = &[Spec {
    names: "update list show search policy depends rdepends showpkg madison changelog check",
    flags: "qya",
    long: "quiet yes assume-yes installed upgradable all-versions names-only full help",
    refused: &[
        ("-o --option", Runs),
        ("-c --config-file", Loads),
        ("-t --target-release --allow-insecure-repositories --allow-unauthenticated", Changes),
    ],
    ..PLAIN
}];

/// brew: only what looks.
const BREW: &[Spec] = &[Spec {
    names: "list ls info search outdated deps uses leaves config doctor",
    flags: "1v",
    long: "formula cask versions json tree installed help verbose quiet",
    // A path or `user/tap/formula` is Ruby that runs.
    operands: Operands::Names,
    ..PLAIN
}];

const INSTALL_CHANGES: (&str, &str) = ("install|add|sync|update", "installs packages and runs their scripts");

const PIPX_CHANGES: &[(&str, &str)] = &[INSTALL_CHANGES];

const PIP_PRINTS: &[Printer] = &[
    printer("config list|debug", "pip config --help"),
    // An address may have a password in it: pip documentation, "Authentication".
    printer("config get *index-url|*index_url|*proxy|*find-links", "pip config --help"),
];

const PIP_CHANGES: &[(&str, &str)] = &[UNINSTALL_CHANGES, INSTALL_CHANGES];

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: "nix-shell",
        source: "nix-shell(1)",
        is: &[Fact::RunsOperands],
        class: Class::Never("runs another program"),
        interactive: &[Interactive::Unless(&["--run", "--command", "-p"])],
        ..UNLISTED
    },
    Program {
        names: "nix",
        source: "nix(1)",
        sets: later::NIX,
        is: &[Fact::RunsOperands],
        class: Class::Never("runs another program"),
        sub_commands: "search profile store flake build eval log hash registry path-info",
        interactive: &[Interactive::As(&[&["repl"], &["develop"], &["shell"]])],
        ..UNLISTED
    },
    runner("nvm sdk", "nvm(1) and the manual page of the other"),
    Program { sets: later::GUIX, ..runner("guix", "guix(1)") },
    Program {
        runs: &[behind("exec", 0)],
        valued: "--using --fnm-dir --arch --log-level --node-dist-mirror",
        ..runner("fnm", "fnm exec --help")
    },
    Program {
        runs: &[behind("run", 0)],
        valued: "--node --npm --pnpm --yarn --env",
        ..runner("volta", "volta help run")
    },
    Program {
        sets: later::FOR_EVERYBODY,
        interactive: &[Interactive::Bare],
        ..runner("easy_install cpan cpanm cpanminus", "cpan(1); cpanm(1); setuptools documentation, \"Easy Install\"")
    },
    Program {
        names: "uvx",
        source: "uvx(1)",
        is: &[Fact::RunsFetched, Fact::RunsOperands],
        class: Class::Never("runs another program"),
        stands_for: &["uv", "tool", "run"],
        does: "runs programs of the project",
        talks: Talks::Always,
        ..UNLISTED
    },
    Program {
        names: "pipx",
        source: "pipx(1)",
        sets: later::PIPX,
        is: &[Fact::RunsOperands],
        class: Class::Never("runs another program"),
        runs: &[behind("run", 0)],
        fetched: "run",
        changes: PIPX_CHANGES,
        talks: Talks::For(&[("install|download|sync|add|update|publish|search|lock|pip|tool", "")]),
        ..UNLISTED
    },
    Program {
        names: "pipenv",
        source: "pipenv(1)",
        is: &[Fact::RunsOperands, Fact::RunsOthers],
        class: Class::Never("runs another program"),
        project_commands: &["run"],
        fetched: "run",
        interactive: &[Interactive::As(&[&["shell"]])],
        ..UNLISTED
    },
    Program {
        names: "rye",
        source: "rye(1)",
        is: &[Fact::RunsOperands, Fact::RunsOthers],
        class: Class::Never("runs another program"),
        project_commands: &["run"],
        fetched: "run",
        ..UNLISTED
    },
    Program {
        names: "hatch",
        source: "hatch(1)",
        is: &[Fact::RunsOperands, Fact::RunsOthers],
        class: Class::Never("runs another program"),
        project_commands: &["run"],
        fetched: "run",
        destroys: &[danger("publish", "", "publishes a package")],
        interactive: &[Interactive::As(&[&["shell"]])],
        ..UNLISTED
    },
    Program {
        names: "pdm",
        source: "pdm(1)",
        is: &[Fact::RunsOperands, Fact::RunsOthers],
        class: Class::Never("runs another program"),
        valued: "-C --directory --project -P --config-file",
        project_commands: &["run"],
        fetched: "run",
        destroys: &[danger("publish", "", "publishes a package")],
        changes: PIPX_CHANGES,
        talks: Talks::For(&[("install|download|sync|add|update|publish|search|lock|pip|tool", "")]),
        interactive: &[Interactive::As(&[&["shell"]])],
        publishes: &[("publish", "")],
        ..UNLISTED
    },
    Program {
        names: "pyenv rbenv nodenv",
        source: "pyenv(1), rbenv(1), nodenv(1)",
        sets: later::VERSIONS,
        is: &[Fact::RunsOperands],
        class: Class::Never("runs another program"),
        runs: &[behind("exec", 0)],
        ..UNLISTED
    },
    Program {
        names: "bundle",
        source: "bundle(1)",
        is: &[Fact::Abbreviates, Fact::RunsOperands, Fact::RunsOthers, Fact::SaysVersion, Fact::Versioned],
        class: Class::Never("runs another program"),
        valued: "--gemfile --config-file",
        project_commands: &["exec"],
        fetched: "exec",
        talks: Talks::For(&[("install|update|push|yank|require|deps.get|hex.publish|search|outdated", "")]),
        open_behind: &["exec rspec", "exec rubocop"],
        ..UNLISTED
    },
    Program {
        names: "update-alternatives apk-tools xbps-install",
        source: "update-alternatives(8), apk-tools(1), xbps-install(1)",
        is: &[Fact::ChangesMachine],
        class: Class::Never("can change the system or run other programs"),
        ..UNLISTED
    },
    Program { sets: later::NIX_ENV, ..never("nix-env", "nix-env(1)", "can change the system or run other programs") },
    Program {
        names: "dpkg",
        source: "dpkg(1)",
        is: &[Fact::ChangesMachine, Fact::OfTheSystem, Fact::RunsByOptions],
        class: Class::Never("can change the system or run other programs"),
        running: "--pre-invoke --post-invoke --status-logger",
        looks: &[form("-l", ""), form("-L", ""), form("-s", ""), form("-S", "")],
        destroys: &[danger("", "r P e purge remove erase", "removes programs")],
        ..UNLISTED
    },
    Program {
        names: "port",
        source: "port(1)",
        is: &[Fact::ChangesMachine, Fact::OfTheSystem],
        class: Class::Never("can change the system or run other programs"),
        sub_commands: "install remove purge update upgrade full-upgrade dist-upgrade autoremove list show search \
            policy depends rdepends build-dep source download changelog clean autoclean check info erase \
            reinstall add del in rm se whyprovides provides repoquery showpkg madison satisfy fix",
        ..UNLISTED
    },
    Program {
        names: "pip",
        source: "pip(1)",
        sets: later::PIP,
        is: &[Fact::SaysHelp, Fact::SaysVersion, Fact::Versioned],
        class: Class::SubCommands(&[PIP]),
        sub_commands: "install download uninstall freeze inspect list show check config search cache index wheel \
            hash debug help",
        same_options: &[("", "U=upgrade e=editable r=requirement y=yes t=target")],
        looks: lookers::PIP,
        prints: PIP_PRINTS,
        changes: PIP_CHANGES,
        talks: Talks::For(&[("install|download|wheel|search|index", "")]),
        files: FileUse {
            written: "--report --log",
            unchanged_by: "install download wheel uninstall",
            ..FileUse::PLAIN
        },
        ..UNLISTED
    },
    Program {
        names: "pip3",
        source: "pip3(1)",
        sets: later::PIP,
        is: &[Fact::SaysHelp, Fact::SaysVersion],
        class: Class::SubCommands(&[PIP]),
        first_name: "pip",
        sub_commands: "install download uninstall freeze inspect list show check config search cache index wheel \
            hash debug help",
        same_options: &[("", "U=upgrade e=editable r=requirement y=yes t=target")],
        looks: lookers::PIP,
        prints: PIP_PRINTS,
        changes: PIP_CHANGES,
        talks: Talks::For(&[("install|download|wheel|search|index", "")]),
        files: FileUse {
            written: "--report --log",
            unchanged_by: "install download wheel uninstall",
            ..FileUse::PLAIN
        },
        ..UNLISTED
    },
    Program {
        names: "uv",
        source: "uv(1)",
        groups: "pip tool python cache self",
        sets: later::UV,
        is: &[Fact::SaysHelp, Fact::RunsOthers, Fact::SaysVersion],
        class: Class::SubCommands(&[PIP]),
        runs: &[behind("tool run", 0)],
        valued: "-C --directory --project -P --config-file",
        project_commands: &["run"],
        fetched: "run",
        sub_commands: "add remove sync lock export tree venv build publish cache self version init python help pip",
        destroys: &[danger("publish", "", "publishes a package")],
        changes: PIP_CHANGES,
        talks: Talks::For(&[("install|download|sync|add|update|publish|search|lock|pip|tool", "")]),
        publishes: &[("publish", "")],
        open_behind: &["run mypy", "run pytest", "run ruff"],
        ..UNLISTED
    },
    Program {
        names: "poetry",
        source: "poetry(1)",
        sets: later::POETRY,
        is: &[Fact::RunsOthers, Fact::SaysHelp, Fact::SaysVersion],
        class: Class::SubCommands(&[PIP]),
        valued: "-C --directory --project -P --config-file",
        project_commands: &["run"],
        fetched: "run",
        sub_commands: "add remove install lock update build publish show check init new env cache config self \
            version search about",
        destroys: &[danger("publish", "", "publishes a package")],
        prints: &[printer("config pypi-token.*|http-basic.*", "poetry config --help")],
        changes: PIPX_CHANGES,
        talks: Talks::For(&[("install|download|sync|add|update|publish|search|lock|pip|tool", "")]),
        interactive: &[Interactive::As(&[&["shell"]])],
        publishes: &[("publish", "")],
        open_behind: &["run mypy", "run pytest", "run ruff"],
        ..UNLISTED
    },
    Program {
        names: "apt",
        source: "apt(1)",
        is: &[Fact::ChangesMachine, Fact::OfTheSystem],
        class: Class::SubCommands(&[APT]),
        first_name: "apt-get",
        valued: "-o --option -c --config-file -t --target-release --installroot --repo",
        sub_commands: "install remove purge update upgrade full-upgrade dist-upgrade autoremove list show search \
            policy depends rdepends build-dep source download changelog clean autoclean check info erase \
            reinstall add del in rm se whyprovides provides repoquery showpkg madison satisfy fix",
        same_options: &[("", "y=yes y=assume-yes q=quiet s=simulate d=download-only")],
        looks: lookers::APT,
        destroys: &[danger("remove|purge|autoremove|autopurge", "", "removes programs")],
        changes: &[("install|update|upgrade", "installs programs")],
        talks: Talks::Always,
        lands: &[("", Lands::Machine)],
        ..UNLISTED
    },
    Program {
        names: "apt-get",
        source: "apt-get(1)",
        is: &[Fact::ChangesMachine, Fact::OfTheSystem],
        class: Class::SubCommands(&[APT]),
        valued: "-o --option -c --config-file -t --target-release --installroot --repo",
        running: "-o --option",
        sub_commands: "install remove purge update upgrade full-upgrade dist-upgrade autoremove list show search \
            policy depends rdepends build-dep source download changelog clean autoclean check info erase \
            reinstall add del in rm se whyprovides provides repoquery showpkg madison satisfy fix",
        same_options: &[("", "y=yes y=assume-yes q=quiet s=simulate d=download-only")],
        destroys: &[danger("remove|purge|autoremove|autopurge", "", "removes programs")],
        changes: &[("install|update|upgrade", "installs programs")],
        talks: Talks::Always,
        lands: &[("", Lands::Machine)],
        ..UNLISTED
    },
    Program {
        names: "apt-cache",
        source: "apt-cache(1)",
        is: &[Fact::OfTheSystem],
        class: Class::SubCommands(&[APT]),
        running: "-o --option",
        sub_commands: "install remove purge update upgrade full-upgrade dist-upgrade autoremove list show search \
            policy depends rdepends build-dep source download changelog clean autoclean check info erase \
            reinstall add del in rm se whyprovides provides repoquery showpkg madison satisfy fix",
        looks: lookers::APT,
        ..UNLISTED
    },
    Program {
        names: "brew",
        source: "brew(1)",
        sets: later::BREW,
        is: &[Fact::SaysHelp, Fact::SaysVersion, Fact::OfTheSystem],
        class: Class::SubCommands(&[BREW]),
        valued: "--gemfile --config-file",
        sub_commands: "install uninstall remove rm upgrade update list ls info search outdated deps uses leaves \
            config doctor tap untap pin unpin link unlink reinstall cleanup services fetch desc home cat \
            log formulae casks autoremove",
        synonyms: &["uninstall|remove|rm", "install|instal", "list|ls", "home|homepage", "doctor|dr"],
        looks: lookers::BREW,
        destroys: &[danger("remove|uninstall|zap|del", "", "removes programs")],
        changes: &[("install|update|upgrade", "installs programs")],
        talks: Talks::Always,
        lands: &[("", Lands::Machine)],
        ..UNLISTED
    },
    Program { names: "pip2", source: "pip2(1)", first_name: "pip", ..UNLISTED },
];
