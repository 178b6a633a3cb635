//! Clients of databases.

use super::class::Class;
use super::fact::Fact;
use super::{Program, UNLISTED};

pub(super) const PROGRAMS: &[Program] = &[
    Program { names: "sqlite3-diff", source: "sqlite3-diff(1)", class: Class::Writer, ..UNLISTED },
    Program {
        names: "sqlite3",
        source: "sqlite3(1)",
        is: &[Fact::TakesCommands],
        class: Class::Never("can run commands and write files"),
        ..UNLISTED
    },
    Program {
        names: "sqlite duckdb",
        source: "sqlite(1), duckdb(1)",
        is: &[Fact::TakesCommands],
        class: Class::Never("can run commands and write files"),
        ..UNLISTED
    },
    Program {
        names: "psql",
        source: "psql(1)",
        is: &[Fact::TakesCommands],
        class: Class::Never("can run commands and write files"),
        ..UNLISTED
    },
    Program {
        names: "mysql",
        source: "mysql(1)",
        is: &[Fact::TakesCommands],
        class: Class::Never("can run commands and write files"),
        ..UNLISTED
    },
    Program {
        names: "mariadb",
        source: "mariadb(1)",
        first_name: "mysql",
        is: &[Fact::TakesCommands],
        class: Class::Never("can run commands and write files"),
        ..UNLISTED
    },
    Program {
        names: "mongo",
        source: "mongo(1)",
        is: &[Fact::TakesCommands],
        class: Class::Never("can run commands and write files"),
        ..UNLISTED
    },
    Program {
        names: "mongosh",
        source: "mongosh(1)",
        is: &[Fact::TakesCommands],
        class: Class::Never("can run commands and write files"),
        ..UNLISTED
    },
    Program {
        names: "redis-cli",
        source: "redis-cli(1)",
        is: &[Fact::TakesCommands],
        class: Class::Never("can run commands and write files"),
        valued: "-h -p -t -s -a -n -r -i -d -D -u --user --pass --db",
        ..UNLISTED
    },
    Program {
        names: "clickhouse-client",
        source: "clickhouse-client(1)",
        is: &[Fact::TakesCommands],
        class: Class::Never("can run commands and write files"),
        ..UNLISTED
    },
    Program {
        names: "sqlcmd",
        source: "sqlcmd(1)",
        is: &[Fact::TakesCommands],
        class: Class::Never("can run commands and write files"),
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
        is: &[Fact::TakesCommands],
        class: Class::Never("can run commands and write files"),
        ..UNLISTED
    },
];
