//! Package managers of languages and systems: they install, and what they install runs.

use super::class::Class;
use super::effect::Effect::{Loads, Runs, Sends};
use super::fact::Fact;
use super::spec::{CHANGES, Operands, PLAIN, SAYS_VERSION, Spec, looks, looks_at};
use super::{Program, UNLISTED, commands, never, options};

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

const ASDF_COMMANDS: &[&[Spec]] = &[&[
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
]];

pub(super) const PROGRAMS: &[Program] = &[
    commands("aptitude", "aptitude(8)", &[&[asks("search show versions why why-not help")]]),
    commands("apt-file apt-mark", "apt-file(1); apt-mark(8)", APT_FILE_COMMANDS),
    commands("apt-config", "apt-file(1); apt-mark(8)", APT_FILE_COMMANDS),
    commands(
        "dpkg-query",
        "dpkg-query(1)",
        &[&[Spec {
            names: "-W -l -s -L -S --show --list --status --listfiles --search -p",
            valued: "f",
            long: "showformat:",
            operands: Operands::Plain,
            ..PLAIN
        }]],
    ),
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
    commands(
        "gem",
        "gem help commands",
        &[&[
            asks("search query environment outdated which contents specification dependency"),
            Spec {
                names: "list info",
                flags: "ladq",
                long: "local remote all details versions installed help quiet",
                refused: &[("--source -s --config-file -c --clear-sources -p --http-proxy", Sends)],
                operands: Operands::Names,
                ..PLAIN
            },
        ]],
    ),
    commands(
        "composer",
        "Composer documentation, \"Command-line interface / Commands\"",
        &[&[Spec {
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
        }]],
    ),
    Program {
        names: "conda mamba micromamba",
        source: "conda documentation, \"Commands\"; pixi documentation",
        is: &[Fact::RunsOperands],
        class: Class::HarmlessCommands(CONDA_COMMANDS),
        ..UNLISTED
    },
    Program {
        names: "pixi",
        source: "conda documentation, \"Commands\"; pixi documentation",
        is: &[Fact::RunsOperands],
        class: Class::HarmlessCommands(CONDA_COMMANDS),
        ..UNLISTED
    },
    commands("yarnpkg", "Yarn documentation, \"CLI\"", &[&[asks("list info why outdated --version")]]),
    commands("bower", "Bower documentation, \"API\"", &[&[looks("help --version"), looks_at("list")]]),
    commands("dnf", "dnf(8); zypper(8)", DNF_COMMANDS),
    commands("yum", "dnf(8); zypper(8)", DNF_COMMANDS),
    commands("microdnf", "dnf(8); zypper(8)", DNF_COMMANDS),
    commands("zypper", "dnf(8); zypper(8)", DNF_COMMANDS),
    commands("dnf5", "dnf(8); zypper(8)", DNF_COMMANDS),
    commands("pacman", "pacman(8)", PACMAN_COMMANDS),
    commands("yay paru", "pacman(8)", PACMAN_COMMANDS),
    commands("apk", "apk(8); xbps-query(1); equery(1)", APK_COMMANDS),
    commands("xbps-query equery qlist eix portageq", "apk(8); xbps-query(1); equery(1)", APK_COMMANDS),
    // emerge(1): every operand is installed.
    options("emerge", "emerge(1)", &SAYS_VERSION),
    commands(
        "rpm",
        "rpm(8), \"QUERY OPTIONS\"",
        &[&[Spec {
            names: "-q -qa -qi -ql -qf -qc -qd -qR --query",
            long: "all info list",
            refused: &[(
                "--eval -E --define -D --pipe --root -r --rcfile --load --macros --dbpath --queryformat --qf \
                    -p --package -V --specfile",
                Runs,
            )],
            operands: Operands::Names,
            ..PLAIN
        }]],
    ),
    Program {
        names: "snap",
        source: "snap(8); flatpak(1)",
        is: &[Fact::RunsOperands],
        class: Class::HarmlessCommands(SNAP_COMMANDS),
        ..UNLISTED
    },
    Program {
        names: "flatpak",
        source: "snap(8); flatpak(1)",
        is: &[Fact::RunsOperands],
        class: Class::HarmlessCommands(SNAP_COMMANDS),
        ..UNLISTED
    },
    commands(
        "fink pkg_info pkgin pkgutil mas",
        "port(1); pkg(8); mas --help",
        &[&[asks("list info search installed contents deps provides outdated version query")]],
    ),
    commands(
        "choco scoop winget",
        "Chocolatey and WinGet documentation, \"Commands\"",
        &[&[asks("list search show info")]],
    ),
    Program {
        names: "asdf",
        source: "mise documentation, \"CLI\"; asdf documentation",
        is: &[Fact::RunsOperands],
        class: Class::HarmlessCommands(ASDF_COMMANDS),
        ..UNLISTED
    },
    Program {
        names: "mise",
        source: "mise documentation, \"CLI\"; asdf documentation",
        is: &[Fact::RunsOperands],
        class: Class::HarmlessCommands(ASDF_COMMANDS),
        ..UNLISTED
    },
    Program {
        names: "rtx",
        source: "mise documentation, \"CLI\"; asdf documentation",
        is: &[Fact::RunsOperands],
        class: Class::HarmlessCommands(ASDF_COMMANDS),
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
