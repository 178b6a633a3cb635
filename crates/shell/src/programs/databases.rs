//! Clients of databases.

use super::class::Class;
use super::fact::Fact;
use super::interactive::Interactive;
use super::printer::printer;
use super::shared::{REDIS_CLI_DESTROYS, REDIS_CLI_PRINTS};
use super::{Program, Talks, UNLISTED};

pub(super) const PROGRAMS: &[Program] = &[
    Program { names: "sqlite3-diff", source: "sqlite3-diff(1)", class: Class::Writer, ..UNLISTED },
    Program {
        names: "sqlite3",
        source: "sqlite3(1)",
        is: &[Fact::SaysVersion, Fact::TakesCommands, Fact::TakesSql],
        class: Class::Never("can run commands and write files"),
        does: "can change a database",
        ..UNLISTED
    },
    Program {
        names: "sqlite duckdb",
        source: "sqlite(1), duckdb(1)",
        is: &[Fact::TakesCommands, Fact::TakesSql],
        class: Class::Never("can run commands and write files"),
        ..UNLISTED
    },
    Program {
        names: "psql",
        source: "psql(1)",
        is: &[Fact::SaysVersion, Fact::TakesCommands, Fact::TakesSql],
        class: Class::Never("can run commands and write files"),
        does: "can change a database",
        talks: Talks::Always,
        interactive: &[Interactive::Unless(&["-c", "--command", "-f", "--file", "-l", "--list"])],
        ..UNLISTED
    },
    Program {
        names: "mysql",
        source: "mysql(1)",
        is: &[Fact::SaysVersion, Fact::TakesCommands, Fact::TakesSql],
        class: Class::Never("can run commands and write files"),
        does: "can change a database",
        talks: Talks::Always,
        interactive: &[Interactive::Unless(&["-e", "--execute"])],
        ..UNLISTED
    },
    Program {
        names: "mariadb",
        source: "mariadb(1)",
        is: &[Fact::TakesCommands, Fact::TakesSql],
        class: Class::Never("can run commands and write files"),
        first_name: "mysql",
        does: "can change a database",
        talks: Talks::Always,
        interactive: &[Interactive::Unless(&["-e", "--execute"])],
        ..UNLISTED
    },
    Program {
        names: "mongo",
        source: "mongo(1)",
        is: &[Fact::TakesCommands],
        class: Class::Never("can run commands and write files"),
        talks: Talks::Always,
        interactive: &[Interactive::Unless(&["--eval", "--file", "-f"])],
        ..UNLISTED
    },
    Program {
        names: "mongosh",
        source: "mongosh(1)",
        is: &[Fact::TakesCommands],
        class: Class::Never("can run commands and write files"),
        does: "can change a database",
        talks: Talks::Always,
        interactive: &[Interactive::Unless(&["--eval", "--file", "-f"])],
        ..UNLISTED
    },
    Program {
        names: "redis-cli",
        source: "redis-cli(1)",
        is: &[Fact::SaysVersion, Fact::TakesCommands],
        class: Class::Never("can run commands and write files"),
        valued: "-h -p -t -s -a -n -r -i -d -D -u --user --pass --db",
        destroys: REDIS_CLI_DESTROYS,
        prints: REDIS_CLI_PRINTS,
        does: "can change a database",
        talks: Talks::Always,
        ..UNLISTED
    },
    Program {
        names: "clickhouse-client",
        source: "clickhouse-client(1)",
        is: &[Fact::TakesCommands, Fact::TakesSql],
        class: Class::Never("can run commands and write files"),
        interactive: &[Interactive::Unless(&["-q", "--query", "--queries-file"])],
        ..UNLISTED
    },
    Program {
        names: "sqlcmd",
        source: "sqlcmd(1)",
        is: &[Fact::TakesCommands, Fact::TakesSql],
        class: Class::Never("can run commands and write files"),
        interactive: &[Interactive::Unless(&["-Q", "-i"])],
        ..UNLISTED
    },
    Program {
        names: "influx",
        source: "influx(1)",
        is: &[Fact::TakesCommands],
        class: Class::Never("can run commands and write files"),
        ..UNLISTED
    },
    Program {
        names: "cqlsh",
        source: "cqlsh(1)",
        is: &[Fact::TakesCommands, Fact::TakesSql],
        class: Class::Never("can run commands and write files"),
        interactive: &[Interactive::Always],
        ..UNLISTED
    },
    Program { names: "tsql", source: "tsql(1)", interactive: &[Interactive::Always], ..UNLISTED },
    Program { names: "mssql-cli", source: "mssql-cli(1)", is: &[Fact::TakesSql], ..UNLISTED },
    Program {
        names: "my_print_defaults",
        source: "my_print_defaults(1)",
        prints: &[printer("", "my_print_defaults(1)").with("s show")],
        ..UNLISTED
    },
];
