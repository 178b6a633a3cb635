//! Programs that keep secrets, or run others with them.

use super::class::Class;
use super::fact::Fact;
use super::file_use::FileUse;
use super::printer::printer;
use super::runs::behind;
use super::{PUBLISHES, Program, Talks, UNLISTED};

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: "dotenv",
        source: "dotenv --help",
        is: &[Fact::RunsElsewhere, Fact::RunsOperands],
        class: Class::Never("runs another program"),
        prints: &[printer("get|list|decrypt", "dotenv --help, dotenvx --help")],
        ..UNLISTED
    },
    Program {
        names: "op",
        source: "op --help",
        is: &[Fact::RunsElsewhere, Fact::RunsOperands],
        class: Class::Never("runs another program"),
        runs: &[behind("run", 0)],
        prints: &[
            printer("read|inject", "op read --help"),
            printer("item|document get", "op item get --help"),
            printer("service-account create", "op service-account --help"),
            printer("connect token create", "op connect token --help"),
            printer("signin", "op signin --help").with("raw"),
        ],
        files: FileUse { written: "-o --out-file --output", ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "doppler",
        source: "doppler --help",
        is: &[Fact::RunsElsewhere, Fact::RunsOperands],
        class: Class::Never("runs another program"),
        runs: &[behind("run", 0)],
        prints: &[
            printer("secrets", "doppler secrets --help").unless("only-names names set delete upload notes"),
            printer("configure get token", "doppler configure get --help"),
            printer("configs tokens create", "doppler configs tokens --help"),
        ],
        ..UNLISTED
    },
    Program {
        names: "chamber",
        source: "chamber --help",
        is: &[Fact::RunsElsewhere, Fact::RunsOperands],
        class: Class::Never("runs another program"),
        prints: &[
            printer("read|export|env", "chamber --help"),
            printer("list", "chamber list --help").with("e expand"),
        ],
        ..UNLISTED
    },
    Program {
        names: "aws-vault",
        source: "aws-vault --help",
        is: &[Fact::RunsElsewhere, Fact::RunsOperands],
        class: Class::Never("runs another program"),
        runs: &[behind("exec", 1)],
        prints: &[printer("export", "aws-vault export --help")],
        ..UNLISTED
    },
    Program {
        names: "envchain",
        source: "envchain --help",
        is: &[Fact::RunsElsewhere, Fact::RunsOperands],
        class: Class::Never("runs another program"),
        ..UNLISTED
    },
    Program {
        names: "envconsul",
        source: "envconsul --help",
        is: &[Fact::RunsOperands],
        class: Class::Never("runs another program"),
        prints: &[printer("", "envconsul -help").with("dry")],
        ..UNLISTED
    },
    Program {
        names: "dotenvx",
        source: "dotenvx --help",
        is: &[Fact::RunsElsewhere, Fact::RunsOperands],
        class: Class::Never("runs another program"),
        runs: &[behind("", 0)],
        prints: &[printer("get|list|decrypt", "dotenv --help, dotenvx --help")],
        ..UNLISTED
    },
    Program {
        names: "consul-template",
        source: "envconsul -help",
        prints: &[printer("", "envconsul -help").with("dry")],
        ..UNLISTED
    },
    Program {
        names: "bws",
        source: "bws secret --help",
        prints: &[printer("secret get|list", "bws secret --help")],
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
    Program { names: "rbw", source: "rbw --help", prints: &[printer("get|code|history", "rbw --help")], ..UNLISTED },
    Program {
        names: "kwallet-query",
        source: "kwallet-query(1)",
        prints: &[printer("", "kwallet-query(1)").with("r read-password")],
        ..UNLISTED
    },
    Program { names: "keyring", source: "keyring --help", prints: &[printer("get", "keyring --help")], ..UNLISTED },
];
