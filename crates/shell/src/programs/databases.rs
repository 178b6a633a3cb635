//! Clients of databases, and what changes or saves their data.

use super::class::Class;
use super::danger::danger;
use super::effect::Effect::Sends;
use super::fact::Fact;
use super::form::form;
use super::interactive::Interactive;
use super::printer::printer;
use super::shared::{REDIS_CLI_DESTROYS, REDIS_CLI_PRINTS};
use super::spec::{Operands, PLAIN, Spec};
use super::{Program, Talks, UNLISTED, later, never, options};

/// Why a `*` never covers a client of a database, or what moves its data.
const CHANGES_DATABASES: &str = "changes databases, writes files or runs the code that it is given";

pub(super) const PROGRAMS: &[Program] = &[
    Program { names: "sqlite3-diff", source: "sqlite3-diff(1)", class: Class::Writer, ..UNLISTED },
    Program {
        names: "sqlite3",
        source: "sqlite3(1)",
        is: &[Fact::SaysVersion, Fact::TakesCommands, Fact::TakesSql, Fact::RunsText],
        class: Class::Never("can run commands and write files"),
        does: "can change a database",
        interactive: &[Interactive::Below(2, &["-c", "-cmd"])],
        ..UNLISTED
    },
    Program {
        names: "sqlite duckdb",
        source: "sqlite(1), duckdb(1)",
        is: &[Fact::TakesCommands, Fact::TakesSql, Fact::RunsText],
        class: Class::Never("can run commands and write files"),
        interactive: &[Interactive::Below(2, &["-c", "-cmd"])],
        ..UNLISTED
    },
    Program {
        names: "psql",
        source: "psql(1)",
        is: &[Fact::SaysVersion, Fact::TakesCommands, Fact::TakesSql, Fact::RunsText],
        class: Class::Never("can run commands and write files"),
        does: "can change a database",
        talks: Talks::Always,
        interactive: &[Interactive::Unless(&["-c", "--command", "-f", "--file", "-l", "--list"])],
        ..UNLISTED
    },
    Program {
        names: "mysql",
        source: "mysql(1)",
        is: &[Fact::SaysVersion, Fact::TakesCommands, Fact::TakesSql, Fact::RunsText],
        class: Class::Never("can run commands and write files"),
        does: "can change a database",
        talks: Talks::Always,
        interactive: &[Interactive::Unless(&["-e", "--execute"])],
        ..UNLISTED
    },
    Program {
        names: "mariadb",
        source: "mariadb(1)",
        is: &[Fact::TakesCommands, Fact::TakesSql, Fact::RunsText],
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
        like: "mongo",
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
        interactive: &[Interactive::WithoutWord],
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
    Program {
        talks: Talks::Always,
        ..never(
            "pg_dump pg_basebackup pg_receivewal pg_upgrade initdb createdb createuser vacuumdb reindexdb \
            clusterdb pgbench pgloader pg_rewind pgbackrest barman wal-g",
            "pg_dump(1), pg_restore(1), pgbench(1)",
            "writes files and changes databases",
        )
    },
    Program {
        names: "pg_dumpall",
        source: "pg_dump(1), pg_restore(1), pgbench(1)",
        class: Class::Never("writes files and changes databases"),
        prints: &[printer("", "pg_dumpall(1)").with("r roles-only g globals-only").unless("no-role-passwords")],
        ..UNLISTED
    },
    Program {
        names: "pg_restore",
        source: "pg_dump(1), pg_restore(1), pgbench(1)",
        class: Class::Never("writes files and changes databases"),
        destroys: &[danger("", "c clean", "removes what the database holds")],
        ..UNLISTED
    },
    Program {
        names: "pg_ctl pg_ctlcluster",
        source: "pg_dump(1), pg_restore(1), pgbench(1)",
        class: Class::Never("writes files and changes databases"),
        destroys: &[danger("stop", "", "stops the database")],
        ..UNLISTED
    },
    Program {
        names: "dropdb",
        source: "pg_dump(1), pg_restore(1), pgbench(1)",
        class: Class::Never("writes files and changes databases"),
        destroys: &[danger("", "", "removes a database or its user")],
        talks: Talks::Always,
        ..UNLISTED
    },
    Program {
        names: "dropuser",
        source: "pg_dump(1), pg_restore(1), pgbench(1)",
        class: Class::Never("writes files and changes databases"),
        destroys: &[danger("", "", "removes a database or its user")],
        ..UNLISTED
    },
    Program {
        names: "pg_resetwal",
        source: "pg_dump(1), pg_restore(1), pgbench(1)",
        class: Class::Never("writes files and changes databases"),
        destroys: &[danger("", "", "may make the database unreadable")],
        ..UNLISTED
    },
    Program {
        names: "pgcli iredis",
        source: "pg_dump(1), pg_restore(1), pgbench(1)",
        is: &[Fact::TakesSql],
        class: Class::Never("writes files and changes databases"),
        interactive: &[Interactive::Unless(&["-c", "--command", "-f", "--file", "-l", "--list"])],
        ..UNLISTED
    },
    // Without a host it asks the server of this machine.
    Program {
        looks: &[form("", "q quiet V version t= timeout=").at_most(0)],
        ..options(
            "pg_isready",
            "pg_isready(1)",
            &Spec {
                flags: "qV",
                valued: "t",
                long: "quiet version help timeout:",
                refused: &[("-h --host -p --port -d --dbname -U --username", Sends)],
                operands: Operands::None,
                ..PLAIN
            },
        )
    },
    Program {
        talks: Talks::Always,
        ..never(
            "mysqldump mariadb-dump mysqlpump mysqlimport mysqlbinlog mysqlsh mysqlslap mysqlcheck \
            mydumper myloader xtrabackup pt-query-digest pt-online-schema-change gh-ost",
            "mysqldump(1), mysqladmin(1), mysqlbinlog(1)",
            "writes files and changes databases",
        )
    },
    Program {
        names: "mysqladmin mariadb-admin",
        source: "mysqldump(1), mysqladmin(1), mysqlbinlog(1)",
        class: Class::Never("writes files and changes databases"),
        destroys: &[danger("drop|shutdown|flush-*", "", "removes a database or stops the server")],
        ..UNLISTED
    },
    Program {
        names: "mycli",
        source: "mysqldump(1), mysqladmin(1), mysqlbinlog(1)",
        is: &[Fact::TakesSql],
        class: Class::Never("writes files and changes databases"),
        interactive: &[Interactive::Unless(&["-e", "--execute"])],
        ..UNLISTED
    },
    Program {
        names: "litecli",
        source: "mysqldump(1), mysqladmin(1), mysqlbinlog(1)",
        is: &[Fact::TakesSql],
        interactive: &[Interactive::Unless(&["-e", "--execute"])],
        class: Class::Never("writes files and changes databases"),
        ..UNLISTED
    },
    Program {
        talks: Talks::Always,
        ..never(
            "mongodump mongorestore mongoexport mongoimport mongofiles bsondump redis-server \
            redis-benchmark redis-check-aof valkey-server memcached memcstat clickhouse-local influxd \
            cassandra nodetool sstableloader neo4j cypher-shell arangosh couchdb dgraph etcdutl rqlite \
            surreal spark-submit spark-shell spark-sql pyspark hadoop hdfs flink kafka-configs.sh \
            rabbitmqctl rabbitmqadmin",
            "mongodump documentation; cockroach, ClickHouse and Spark documentation, \"Command line\"",
            CHANGES_DATABASES,
        )
    },
    Program {
        names: "valkey-cli",
        source: "mongodump documentation; cockroach, ClickHouse and Spark documentation, \"Command line\"",
        class: Class::Never(CHANGES_DATABASES),
        destroys: REDIS_CLI_DESTROYS,
        prints: REDIS_CLI_PRINTS,
        interactive: &[Interactive::WithoutWord],
        ..UNLISTED
    },
    Program {
        names: "keydb-cli",
        source: "mongodump documentation; cockroach, ClickHouse and Spark documentation, \"Command line\"",
        class: Class::Never(CHANGES_DATABASES),
        destroys: REDIS_CLI_DESTROYS,
        ..UNLISTED
    },
    Program {
        names: "cockroach clickhouse usql osql snowsql trino presto beeline hive impala-shell",
        source: "mongodump documentation; cockroach, ClickHouse and Spark documentation, \"Command line\"",
        is: &[Fact::TakesSql],
        class: Class::Never(CHANGES_DATABASES),
        ..UNLISTED
    },
    Program {
        names: "etcdctl",
        source: "mongodump documentation; cockroach, ClickHouse and Spark documentation, \"Command line\"",
        class: Class::Never(CHANGES_DATABASES),
        destroys: &[danger("delete|del", "", "removes keys")],
        ..UNLISTED
    },
    Program {
        names: "sqlplus isql",
        source: "mongodump documentation; cockroach, ClickHouse and Spark documentation, \"Command line\"",
        is: &[Fact::TakesSql],
        class: Class::Never(CHANGES_DATABASES),
        interactive: &[Interactive::Always],
        ..UNLISTED
    },
    Program {
        names: "bq",
        source: "mongodump documentation; cockroach, ClickHouse and Spark documentation, \"Command line\"",
        is: &[Fact::TakesSql],
        class: Class::Never(CHANGES_DATABASES),
        destroys: &[danger("rm", "", "removes data")],
        ..UNLISTED
    },
    Program {
        names: "alembic",
        source: "Alembic, Flyway, Prisma, dbt and Airflow documentation, \"Command line\"",
        class: Class::Never("changes databases and runs the project's code"),
        destroys: &[danger("downgrade", "", "takes changes of the database back")],
        ..UNLISTED
    },
    Program {
        names: "flyway",
        source: "Alembic, Flyway, Prisma, dbt and Airflow documentation, \"Command line\"",
        class: Class::Never("changes databases and runs the project's code"),
        destroys: &[danger("clean", "", "removes what the database holds")],
        ..UNLISTED
    },
    Program {
        names: "liquibase",
        source: "Alembic, Flyway, Prisma, dbt and Airflow documentation, \"Command line\"",
        class: Class::Never("changes databases and runs the project's code"),
        destroys: &[danger("drop-all|dropAll|rollback*", "", "removes what the database holds")],
        ..UNLISTED
    },
    never(
        "dbmate migrate golang-migrate atlas sqitch drizzle-kit mikro-orm sqlx-cli sea-orm-cli \
            refinery phinx doctrine hasura postgrest graphile-migrate schemaspy tbls sqlc pgtyped kysely \
            dbt sqlmesh dvc great_expectations airflow dagster prefect luigi kedro mlflow meltano soda",
        "Alembic, Flyway, Prisma, dbt and Airflow documentation, \"Command line\"",
        "changes databases and runs the project's code",
    ),
    Program {
        // Two programs: an agent, and one that migrates databases.
        is: &[Fact::Agent],
        sets: later::AGENTS,
        ..never("goose", "goose --help", "changes databases and runs the project's code")
    },
    Program {
        names: "kafka-topics kafka-topics.sh",
        source: "mongodump documentation; cockroach, ClickHouse and Spark documentation, \"Command line\"",
        class: Class::Never(CHANGES_DATABASES),
        destroys: &[danger("", "-delete", "removes a topic")],
        ..UNLISTED
    },
];
