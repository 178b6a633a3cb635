//! Package managers of languages and systems: they install, and what they install runs.

use super::class::Class;
use super::danger::danger;
use super::effect::Effect::{Loads, Runs, Sends};
use super::fact::Fact;
use super::form::{Reaches, form};
use super::interactive::Interactive;
use super::lands::Lands;
use super::printer::printer;
use super::runs::behind;
use super::shared::{NPM_TALKS, UNINSTALL_CHANGES};
use super::spec::{CHANGES, Operands, PLAIN, SAYS_VERSION, Spec, looks, looks_at};
use super::{Program, Talks, UNLISTED, commands, later, lookers, never, options};

/// Sub-commands that ask the registry that is configured about packages by name.
const fn asks(names: &'static str) -> Spec {
    Spec {
        names,
        flags: "qvlaV",
        long: "help json quiet verbose all long outdated installed versions no-color version",
        refused: &[
            ("--registry --repository --repo --index --index-url --source --root --proxy --server", Sends),
            ("-c --config --config-file -o --option --setopt --eval --with --plugin", Loads),
        ],
        operands: Operands::Names,
        ..PLAIN
    }
}

const INSTALLS: &str = "installs packages, whose scripts run";

const APT_FILE_COMMANDS: &[&[Spec]] = &[&[asks("search list show showmanual showauto showhold dump")]];

const CONDA_COMMANDS: &[&[Spec]] = &[&[Spec {
    names: "list info search env:list",
    flags: "efhvq",
    long: "help json verbose quiet name: envs export full-name no-pip base canonical revisions \
        show-channel-urls",
    refused: &[(
        "-c --channel --override-channels --repodata-fn -p --prefix --subdir --platform --manifest-path \
            --file --offline --use-index-cache",
        Loads,
    )],
    // `package[channel=x]`, `x::package`.
    holding: &[("channel=", Sends), ("[", Sends), (":", Sends)],
    operands: Operands::Names,
    ..PLAIN
}]];

const DNF_COMMANDS: &[&[Spec]] = &[&[
    asks(
        "list info search provides repoquery repolist check-update se if wp lr lu pa history:list \
            history:info history:userinstalled",
    ),
    looks("history"),
]];

const PACMAN_COMMANDS: &[&[Spec]] = &[&[Spec {
    names: "-Q -Qi -Ql -Qs -Qe -Qm -Qk -Qo -Qdt -Qu -Ss -Si",
    long: "help quiet color=never",
    refused: &[("--config --dbpath --root -r -b --hookdir --gpgdir --sysroot", Loads)],
    operands: Operands::Names,
    ..PLAIN
}]];

const APK_COMMANDS: &[&[Spec]] = &[&[Spec {
    names: "list info search policy version stats dot",
    flags: "aIuvqed",
    long: "installed upgradable available all verbose quiet help",
    refused: &[("-X --repository -p --root --repositories-file --keys-dir --allow-untrusted -t", Loads)],
    operands: Operands::Names,
    ..PLAIN
}]];

const SNAP_COMMANDS: &[&[Spec]] =
    &[&[asks("list info find version search remotes history changes services connections")]];

const ASDF_OWN: &[Spec] = &[
    // The rest runs tasks and plugins of the project.
    Spec {
        names: "current ls list latest where which plugins:ls plugins:list plugin:list version doctor",
        flags: "ciJgh",
        long: "current installed json help global no-header missing",
        operands: Operands::Names,
        runs_project: true,
        ..PLAIN
    },
    Spec { runs_project: true, ..looks("plugins") },
];

const ASDF_COMMANDS: &[&[Spec]] = &[ASDF_OWN];

/// mise, "mise run": what follows the name of a task goes to its program.
const MISE_COMMANDS: &[&[Spec]] = &[
    ASDF_OWN,
    &[Spec {
        names: "run r",
        flags: "qSy",
        long: "quiet silent yes no-cache no-timings help",
        refused: &[("-C --cd -s --shell -t --tool -E --env -o --output", Runs)],
        operands: Operands::Tasks,
        runs_project: true,
        ..PLAIN
    }],
];

/// The package manager of Fedora, and those that are called as it is.
const DNF: Program = Program {
    names: "dnf",
    source: "dnf(8); zypper(8)",
    looks: lookers::DNF,
    is: &[Fact::ChangesMachine, Fact::OfTheSystem],
    class: Class::HarmlessCommands(DNF_COMMANDS),
    valued: "-o --option -c --config-file -t --target-release --installroot --repo",
    sub_commands: "install remove purge update upgrade full-upgrade dist-upgrade autoremove list show search \
        policy depends rdepends build-dep source download changelog clean autoclean check info erase \
        reinstall add del in rm se whyprovides provides repoquery showpkg madison satisfy fix",
    synonyms: &["remove|erase|rm", "install|in", "upgrade|update|up"],
    destroys: &[danger("remove|erase|autoremove", "", "removes programs")],
    changes: &[("install|update|upgrade", "installs programs")],
    talks: Talks::Always,
    lands: &[("", Lands::Machine)],
    ..UNLISTED
};

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: "aptitude",
        source: "aptitude(8)",
        is: &[Fact::ChangesMachine],
        class: Class::HarmlessCommands(&[&[asks("search show versions why why-not help")]]),
        valued: "-o --option -c --config-file -t --target-release --installroot --repo",
        running: "-o --option",
        sub_commands: "install remove purge update upgrade full-upgrade dist-upgrade autoremove list show search \
            policy depends rdepends build-dep source download changelog clean autoclean check info erase \
            reinstall add del in rm se whyprovides provides repoquery showpkg madison satisfy fix",
        same_options: &[("", "y=yes y=assume-yes q=quiet s=simulate d=download-only")],
        destroys: &[danger("remove|purge|autoremove|autopurge", "", "removes programs")],
        ..UNLISTED
    },
    Program {
        names: "apt-file apt-mark",
        source: "apt-file(1); apt-mark(8)",
        is: &[Fact::OnlyNames],
        class: Class::HarmlessCommands(APT_FILE_COMMANDS),
        ..UNLISTED
    },
    commands("apt-config", "apt-file(1); apt-mark(8)", APT_FILE_COMMANDS),
    Program {
        names: "dpkg-query",
        source: "dpkg-query(1)",
        is: &[Fact::OnlyNames],
        class: Class::HarmlessCommands(&[&[Spec {
            names: "-W -l -s -L -S --show --list --status --listfiles --search -p",
            valued: "f",
            long: "showformat:",
            operands: Operands::Plain,
            ..PLAIN
        }]]),
        looks: &[form("-W", "f= showformat=")],
        ..UNLISTED
    },
    commands(
        "dpkg-deb",
        "dpkg-deb(1)",
        &[&[Spec {
            names: "-I -c --info --contents -f --field",
            long: "",
            operands: Operands::InsideAtMost(1),
            ..PLAIN
        }]],
    ),
    Program {
        names: "gem",
        source: "gem help commands",
        sets: later::GEM,
        is: &[Fact::Abbreviates, Fact::SaysVersion, Fact::Versioned],
        class: Class::HarmlessCommands(&[&[
            asks("search query environment outdated which contents specification dependency"),
            Spec {
                names: "list info",
                flags: "ladq",
                long: "local remote all details versions installed help quiet",
                refused: &[("--source -s --config-file -c --clear-sources -p --http-proxy", Sends)],
                operands: Operands::Names,
                ..PLAIN
            },
        ]]),
        valued: "--gemfile --config-file",
        sub_commands: "install uninstall list search info push yank update outdated build fetch owner which \
            specification contents cleanup",
        synonyms: &["uninstall", "install|i"],
        looks: &[form("list", "l local r remote a all d details i installed silent versions q quiet")
            .reaches(Reaches::Registry)],
        destroys: &[danger("push|yank", "", "changes what others install")],
        changes: &[UNINSTALL_CHANGES],
        talks: Talks::For(&[("install|update|push|yank|require|deps.get|hex.publish|search|outdated", "")]),
        publishes: &[("push|yank|owner|signin", "")],
        ..UNLISTED
    },
    Program {
        names: "composer",
        source: "Composer documentation, \"Command-line interface / Commands\"",
        sets: later::COMPOSER,
        is: &[Fact::SaysVersion],
        class: Class::HarmlessCommands(&[&[Spec {
            names: "show info outdated licenses validate check-platform-reqs why why-not depends prohibits fund \
                search audit diagnose about",
            flags: "iatDoNvPql",
            long: "installed all tree direct outdated no-dev platform latest strict name-only path no-check-all \
                no-check-lock format=json format=text locked help no-plugins no-scripts no-ansi \
                no-interaction",
            refused: &[("-d --working-dir --profile --repository --repository-url --available --ignore", Loads)],
            operands: Operands::Plain,
            runs_project: true,
            ..PLAIN
        }]]),
        valued: "-d --working-dir",
        sub_commands: "install i require r remove rm update u upgrade show search outdated validate why depends \
            info init",
        synonyms: &["require|r", "install|i", "update|u|upgrade", "remove|rm|uninstall"],
        talks: Talks::For(&[("install|update|push|yank|require|deps.get|hex.publish|search|outdated", "")]),
        open_behind: &["run-script +", "validate"],
        implied: "composer.json",
        ..UNLISTED
    },
    Program {
        names: "conda mamba micromamba",
        source: "conda documentation, \"Commands\"; pixi documentation",
        looks: lookers::CONDA,
        sets: later::CONDA,
        is: &[Fact::RunsOperands],
        class: Class::HarmlessCommands(CONDA_COMMANDS),
        runs: &[behind("run", 0)],
        valued: "-n --name -p --prefix --cwd",
        sub_commands: "install remove uninstall create list search update upgrade env config info clean activate \
            deactivate",
        synonyms: &["remove|uninstall", "update|upgrade", "env remove|env rm"],
        talks: Talks::For(&[("install|create|search|update|upgrade|env", "")]),
        ..UNLISTED
    },
    Program {
        names: "pixi",
        source: "conda documentation, \"Commands\"; pixi documentation",
        is: &[Fact::RunsOperands],
        class: Class::HarmlessCommands(CONDA_COMMANDS),
        runs: &[behind("run", 0), behind("exec", 0)],
        valued: "-e --environment --manifest-path -s --spec -c --channel",
        fetched: "run",
        ..UNLISTED
    },
    Program {
        names: "yarnpkg",
        source: "Yarn documentation, \"CLI\"",
        looks: lookers::YARN,
        is: &[Fact::NamesWithAt],
        class: Class::HarmlessCommands(&[&[asks("list info why outdated --version")]]),
        talks: NPM_TALKS,
        first_name: "yarn",
        ..UNLISTED
    },
    commands("bower", "Bower documentation, \"API\"", &[&[looks("help --version"), looks_at("list")]]),
    DNF,
    Program { names: "yum dnf5 microdnf", first_name: "dnf", ..DNF },
    Program { names: "zypper", synonyms: &["install|in", "remove|rm", "update|up", "dist-upgrade|dup"], ..DNF },
    Program {
        names: "pacman",
        source: "pacman(8)",
        looks: lookers::PACMAN,
        is: &[Fact::ChangesMachine, Fact::OfTheSystem, Fact::OnlyNames],
        class: Class::HarmlessCommands(PACMAN_COMMANDS),
        destroys: &[danger("", "R remove", "removes programs")],
        changes: &[("install|update|upgrade", "installs programs")],
        talks: Talks::Always,
        lands: &[("", Lands::Machine)],
        ..UNLISTED
    },
    Program {
        names: "yay paru",
        source: "pacman(8)",
        is: &[Fact::OnlyNames],
        class: Class::HarmlessCommands(PACMAN_COMMANDS),
        destroys: &[danger("", "R remove", "removes programs")],
        ..UNLISTED
    },
    Program {
        names: "apk",
        source: "apk(8); xbps-query(1); equery(1)",
        is: &[Fact::ChangesMachine, Fact::OfTheSystem],
        class: Class::HarmlessCommands(APK_COMMANDS),
        sub_commands: "install remove purge update upgrade full-upgrade dist-upgrade autoremove list show search \
            policy depends rdepends build-dep source download changelog clean autoclean check info erase \
            reinstall add del in rm se whyprovides provides repoquery showpkg madison satisfy fix",
        synonyms: &["del|delete"],
        destroys: &[danger("remove|uninstall|zap|del", "", "removes programs")],
        ..UNLISTED
    },
    commands("xbps-query equery qlist eix portageq", "apk(8); xbps-query(1); equery(1)", APK_COMMANDS),
    // emerge(1): every operand is installed.
    options("emerge", "emerge(1)", &SAYS_VERSION),
    Program {
        names: "rpm",
        source: "rpm(8), \"QUERY OPTIONS\"",
        looks: lookers::RPM,
        is: &[Fact::ChangesMachine, Fact::OfTheSystem, Fact::RunsByOptions],
        class: Class::HarmlessCommands(&[&[Spec {
            names: "-q -qa -qi -ql -qf -qc -qd -qR --query",
            long: "all info list",
            refused: &[(
                "--eval -E --define -D --pipe --root -r --rcfile --load --macros --dbpath --queryformat --qf \
                    -p --package -V --specfile",
                Runs,
            )],
            operands: Operands::Names,
            ..PLAIN
        }]]),
        running: "-E --eval --pipe -D --define --qf --queryformat --undefine --predefine",
        destroys: &[danger("", "r P e purge remove erase", "removes programs")],
        ..UNLISTED
    },
    Program {
        names: "snap",
        source: "snap(8); flatpak(1)",
        looks: lookers::SNAP,
        is: &[Fact::ChangesMachine, Fact::OfTheSystem, Fact::RunsOperands],
        class: Class::HarmlessCommands(SNAP_COMMANDS),
        sub_commands: "install remove uninstall list info search refresh update find",
        destroys: &[danger("remove|uninstall|zap|del", "", "removes programs")],
        changes: &[("install|update|upgrade", "installs programs")],
        talks: Talks::Always,
        lands: &[("", Lands::Machine)],
        ..UNLISTED
    },
    Program {
        names: "flatpak",
        source: "snap(8); flatpak(1)",
        sets: later::INSTALLERS,
        looks: lookers::SNAP,
        is: &[Fact::OfTheSystem, Fact::RunsOperands],
        class: Class::HarmlessCommands(SNAP_COMMANDS),
        sub_commands: "install remove uninstall list info search refresh update find",
        destroys: &[danger("remove|uninstall|zap|del", "", "removes programs")],
        changes: &[("install|update|upgrade", "installs programs")],
        talks: Talks::Always,
        interactive: &[Interactive::As(&[&["enter"]])],
        lands: &[("", Lands::Machine)],
        ..UNLISTED
    },
    commands(
        "fink pkg_info pkgin pkgutil mas",
        "port(1); pkg(8); mas --help",
        &[&[asks("list info search installed contents deps provides outdated version query")]],
    ),
    Program {
        names: "choco scoop winget",
        source: "Chocolatey and WinGet documentation, \"Commands\"",
        sets: later::INSTALLERS,
        looks: lookers::WINDOWS,
        class: Class::HarmlessCommands(&[&[asks("list search show info")]]),
        sub_commands: "install remove purge update upgrade full-upgrade dist-upgrade autoremove list show search \
            policy depends rdepends build-dep source download changelog clean autoclean check info erase \
            reinstall add del in rm se whyprovides provides repoquery showpkg madison satisfy fix",
        talks: Talks::For(&[("install|update|upgrade|search|show|info|source|download|add|in", "")]),
        ..UNLISTED
    },
    Program {
        names: "asdf",
        source: "mise documentation, \"CLI\"; asdf documentation",
        sets: later::MISE,
        is: &[Fact::RunsOperands],
        class: Class::HarmlessCommands(ASDF_COMMANDS),
        runs: &[behind("exec", 0)],
        fetched: "exec x",
        synonyms: &["exec|x", "install|i", "uninstall|remove|rm", "use|u"],
        ..UNLISTED
    },
    Program {
        names: "mise",
        source: "mise documentation, \"CLI\"; asdf documentation",
        looks: lookers::MISE,
        sets: later::MISE,
        is: &[Fact::RunsElsewhere, Fact::RunsOperands, Fact::RunsOthers],
        class: Class::HarmlessCommands(MISE_COMMANDS),
        runs: &[behind("exec", 0), behind("x", 0)],
        fetched: "exec x",
        synonyms: &["exec|x", "install|i", "uninstall|remove|rm", "use|u"],
        prints: &[printer("env|e", "mise env --help")],
        open_behind: &["run +"],
        implied: "mise.toml .mise.toml",
        ..UNLISTED
    },
    Program {
        names: "rtx",
        source: "mise documentation, \"CLI\"; asdf documentation",
        sets: later::MISE,
        is: &[Fact::RunsOperands],
        class: Class::HarmlessCommands(ASDF_COMMANDS),
        runs: &[behind("exec", 0), behind("x", 0)],
        fetched: "exec x",
        synonyms: &["exec|x", "install|i", "uninstall|remove|rm", "use|u"],
        prints: &[printer("env|e", "mise env --help")],
        like: "mise",
        ..UNLISTED
    },
    never(
        "cargo-binstall cargo-install-update cargo-update cargo-generate gobrew juliaup roswell \
            coursier sdkmanager avdmanager lmod spack easybuild nix-build nix-store nix-channel \
            nix-collect-garbage nixos-rebuild home-manager darwin-rebuild devbox devenv flox \
            npm-check-updates ncu npm-check taze syncpack manypkg ni nr nlx na nci jsr dlx yalc \
            verdaccio cnpm tnpm nvs",
        "each tool's --help",
        INSTALLS,
    ),
    never(
        "pip-sync pip-compile pipreqs pip-licenses pipgrip zest.releaser check-manifest auditwheel \
            delocate cibuildwheel conda-build rattler-build grayskull anaconda-client briefcase shiv pex \
            zipapp cx_freeze py2exe",
        "pip-tools documentation, \"Command-line\"; cibuildwheel documentation",
        INSTALLS,
    ),
    never(
        "debootstrap mmdebstrap multistrap pbuilder cowbuilder sbuild schroot debuild \
            dpkg-buildpackage dpkg-source dpkg-reconfigure dpkg-divert dch debchange dput dupload \
            lintian piuparts reprepro aptly apt-key add-apt-repository apt-ftparchive unattended-upgrade \
            needrestart alien fpm rpmbuild mock copr createrepo_c makepkg pacstrap pacman-key abuild \
            snapcraft flatpak-builder appimagetool appimage-builder linuxdeploy",
        "dpkg-buildpackage(1); makepkg(8); rpmbuild(8); snapcraft help",
        CHANGES,
    ),
];
