//! Editors, pagers, file managers: programs in which commands can be typed, or that open something for a person.

use super::class::Class;
use super::danger::danger;
use super::fact::Fact;
use super::file_use::{FileUse, upload};
use super::interactive::Interactive;
use super::shared::WL_PASTE_PRINTS;
use super::{PUBLISHES, Program, Talks, UNLISTED, later, runner};

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: "xdg-open open",
        source: "xdg-open(1), open(1)",
        is: &[Fact::OfTheSystem, Fact::OnlyNames, Fact::RunsOperands],
        class: Class::Never("runs another program"),
        ..UNLISTED
    },
    Program {
        names: "code",
        source: "code(1)",
        sets: later::EDITORS,
        is: &[Fact::OnlyNames, Fact::RunsOperands, Fact::SaysVersion],
        class: Class::Never("runs another program"),
        ..UNLISTED
    },
    Program { sets: later::EDITORS, ..runner("codium code-insiders windsurf", "codium(1), code(1)") },
    runner("start explorer", "start(1), explorer(1)"),
    Program {
        names: "cursor subl",
        source: "cursor(1), subl(1)",
        sets: later::EDITORS,
        is: &[Fact::OnlyNames, Fact::RunsOperands],
        class: Class::Never("runs another program"),
        ..UNLISTED
    },
    Program {
        names: "vi",
        source: "vi(1)",
        is: &[Fact::TakesCommands, Fact::RunsText],
        class: Class::Never("can run commands and open connections"),
        does: "can change files and run programs",
        interactive: &[Interactive::Terminal],
        ..UNLISTED
    },
    Program {
        names: "nano",
        source: "nano(1)",
        is: &[Fact::TakesCommands],
        class: Class::Never("can run commands and open connections"),
        does: "can change files and run programs",
        interactive: &[Interactive::Terminal],
        ..UNLISTED
    },
    Program {
        names: "vim",
        source: "vim(1)",
        is: &[Fact::SaysVersion, Fact::TakesCommands, Fact::RunsText],
        class: Class::Never("can run commands and open connections"),
        does: "can change files and run programs",
        interactive: &[Interactive::Terminal],
        ..UNLISTED
    },
    Program {
        names: "nvim",
        source: "nvim(1)",
        is: &[Fact::SaysVersion, Fact::TakesCommands, Fact::RunsText],
        class: Class::Never("can run commands and open connections"),
        does: "can change files and run programs",
        interactive: &[Interactive::Terminal],
        ..UNLISTED
    },
    Program {
        names: "view ex ed red",
        source: "view(1), ex(1) and the manual page of each other",
        is: &[Fact::TakesCommands, Fact::RunsText],
        class: Class::Never("can run commands and open connections"),
        interactive: &[Interactive::Terminal],
        ..UNLISTED
    },
    Program {
        names: "pico info tig links elinks ranger nnn htop",
        source: "pico(1), info(1) and the manual page of each other",
        is: &[Fact::TakesCommands],
        class: Class::Never("can run commands and open connections"),
        interactive: &[Interactive::Terminal],
        ..UNLISTED
    },
    Program {
        names: "emacs",
        source: "emacs(1)",
        is: &[Fact::SaysVersion, Fact::TakesCommands, Fact::RunsText],
        class: Class::Never("can run commands and open connections"),
        does: "can change files and run programs",
        interactive: &[Interactive::Terminal],
        ..UNLISTED
    },
    Program {
        names: "emacsclient pinfo irssi weechat",
        source: "emacsclient(1), pinfo(1), irssi(1) and the manual page of each other",
        is: &[Fact::TakesCommands],
        class: Class::Never("can run commands and open connections"),
        ..UNLISTED
    },
    Program {
        names: "less more",
        source: "less(1), more(1)",
        is: &[Fact::OfTheSystem, Fact::TakesCommands, Fact::ShowsText],
        class: Class::Never("can run commands and open connections"),
        running: "-P -k --lesskey-src --lesskey-content",
        does: "can change files and run programs",
        interactive: &[Interactive::Terminal],
        ..UNLISTED
    },
    Program {
        names: "most",
        source: "most(1)",
        is: &[Fact::TakesCommands],
        class: Class::Never("can run commands and open connections"),
        running: "-P -k --lesskey-src --lesskey-content",
        interactive: &[Interactive::Terminal],
        ..UNLISTED
    },
    Program {
        names: "man",
        source: "man(1)",
        is: &[Fact::OfTheSystem, Fact::TakesCommands, Fact::ShowsText],
        class: Class::Never("can run commands and open connections"),
        running: "-P --pager -H --html --preprocessor -p",
        does: "can change files and run programs",
        ..UNLISTED
    },
    Program {
        names: "lynx w3m",
        source: "lynx(1), w3m(1)",
        is: &[Fact::BringsText, Fact::TakesCommands],
        class: Class::Never("can run commands and open connections"),
        talks: Talks::Always,
        interactive: &[Interactive::Terminal],
        ..UNLISTED
    },
    Program {
        names: "mutt",
        source: "mutt(1)",
        is: &[Fact::TakesCommands],
        class: Class::Never("can run commands and open connections"),
        running: "-S",
        interactive: &[Interactive::Terminal],
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        names: "mail",
        source: "mail(1)",
        is: &[Fact::TakesCommands, Fact::Carries],
        class: Class::Never("can run commands and open connections"),
        running: "-S",
        talks: Talks::Always,
        interactive: &[Interactive::Always],
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        names: "mailx",
        source: "mailx(1)",
        is: &[Fact::TakesCommands, Fact::Carries],
        class: Class::Never("can run commands and open connections"),
        running: "-S",
        interactive: &[Interactive::Always],
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        names: "sendmail",
        source: "sendmail(1)",
        is: &[Fact::TakesCommands, Fact::Carries],
        class: Class::Never("can run commands and open connections"),
        running: "-S",
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program {
        names: "mc",
        source: "mc(1)",
        is: &[Fact::TakesCommands],
        class: Class::Never("can run commands and open connections"),
        destroys: &[danger("del|rm|rb|mirror", "", "removes objects")],
        talks: Talks::Always,
        interactive: &[Interactive::Terminal],
        files: FileUse { uploads: &[upload("mirror"), upload("cp|mv").if_told()], ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "top",
        source: "top(1)",
        is: &[Fact::OfTheSystem, Fact::TakesCommands],
        class: Class::Never("can run commands and open connections"),
        interactive: &[Interactive::Terminal],
        ..UNLISTED
    },
    Program { names: "pbcopy", source: "pbcopy(1)", is: &[Fact::OfTheSystem], ..UNLISTED },
    Program {
        names: "pbpaste",
        source: "wl-paste(1), pbpaste(1)",
        is: &[Fact::OfTheSystem],
        prints: WL_PASTE_PRINTS,
        ..UNLISTED
    },
    Program {
        names: "whatis apropos help",
        source: "whatis(1), apropos(1), help(1)",
        is: &[Fact::OnlyNames],
        ..UNLISTED
    },
    Program { names: "neovim", source: "neovim(1)", first_name: "nvim", ..UNLISTED },
    Program {
        names: "vim.basic vim.tiny vim.nox vim.gtk3",
        source: "the packages that install it under this name",
        first_name: "vim",
        ..UNLISTED
    },
    Program {
        names: "gvim rvim rview rnano micro joe jed mcedit hx helix kak ne lf vifm yazi alpine fzf-tmux",
        source: "gvim(1), rvim(1), rview(1) and the manual page of each other",
        interactive: &[Interactive::Terminal],
        ..UNLISTED
    },
    Program {
        names: "k9s",
        source: "k9s(1)",
        interactive: &[Interactive::Terminal],
        files: FileUse { logs_in_with: Some(("--kubeconfig", "/.kube/config")), ..FileUse::PLAIN },
        ..UNLISTED
    },
];
