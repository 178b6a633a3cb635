//! Package managers and managers of versions, whose sub-commands are listed.

use super::class::Class;
use super::effect::Effect::{Changes, Loads, Runs};
use super::spec::{Operands, PLAIN, Spec};
use super::{Program, UNLISTED, never, runner};

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

pub(super) const PROGRAMS: &[Program] = &[
    runner("nix-shell", "nix-shell(1)"),
    runner("nix", "nix(1)"),
    runner("guix nvm fnm volta sdk easy_install cpan", "guix(1), nvm(1), fnm(1) and the manual page of each other"),
    runner("uvx", "uvx(1)"),
    runner("pipx", "pipx(1)"),
    runner("pipenv", "pipenv(1)"),
    runner("rye", "rye(1)"),
    runner("hatch", "hatch(1)"),
    runner("pdm", "pdm(1)"),
    runner("pyenv rbenv nodenv", "pyenv(1), rbenv(1), nodenv(1)"),
    runner("bundle", "bundle(1)"),
    never(
        "update-alternatives apk-tools xbps-install nix-env",
        "update-alternatives(8), apk-tools(1), xbps-install(1) and the manual page of each other",
        "can change the system or run other programs",
    ),
    never("dpkg", "dpkg(1)", "can change the system or run other programs"),
    never("port", "port(1)", "can change the system or run other programs"),
    Program { names: "pip", source: "pip(1)", class: Class::SubCommands(&[PIP]), ..UNLISTED },
    Program { names: "pip3", source: "pip3(1)", class: Class::SubCommands(&[PIP]), ..UNLISTED },
    Program { names: "uv", source: "uv(1)", class: Class::SubCommands(&[PIP]), ..UNLISTED },
    Program { names: "poetry", source: "poetry(1)", class: Class::SubCommands(&[PIP]), ..UNLISTED },
    Program { names: "apt", source: "apt(1)", class: Class::SubCommands(&[APT]), ..UNLISTED },
    Program { names: "apt-get", source: "apt-get(1)", class: Class::SubCommands(&[APT]), ..UNLISTED },
    Program { names: "apt-cache", source: "apt-cache(1)", class: Class::SubCommands(&[APT]), ..UNLISTED },
    Program { names: "brew", source: "brew(1)", class: Class::SubCommands(&[BREW]), ..UNLISTED },
];
