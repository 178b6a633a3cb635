//! Text, tables and structured data, and the databases' own tools.

use super::super::effect::Effect::{Loads, Runs, Sends, Writes};
use super::super::options::{Operands, PLAIN, Spec};
use super::{CHANGES, Program, VIEWER, WRITES, commands, looks, never, options};

pub(super) const PROGRAMS: &[Program] = &[
    options(
        "xmllint",
        "xmllint(1); tried with 2.9.14: `--c14n` reads external entities, `--nodefdtd` fetches the DTD",
        &Spec {
            // With one dash or two alike.
            long: "noout format nonet nowarning noblanks recover huge quiet timing \
                memory version help xpath: pretty: encode: dropdtd stream walker -noout \
                -format -nonet -recover -huge -version -quiet -noblanks",
            refused: &[
                (
                    "--c14n --c14n11 --exc-c14n --nodefdtd --shell --load-trace --path --catalogs --nocatalogs --postvalid --loaddtd --dtdattr --valid \
                        --dtdvalid --dtdvalidfpi --relaxng --schema --schematron --noent --xinclude \
                        --noxincludenode --html --nofixup-base-uris",
                    Loads,
                ),
                ("--output -o --compress --debug --debugent --copy --repeat --insert --push --maxmem", Writes),
            ],
            ..VIEWER
        },
    )
    .looking(),
    commands(
        "xmlstarlet xml",
        "XmlStarlet User's Guide",
        &[&[
            Spec {
                names: "el elements val validate",
                flags: "auvweq",
                long: "well-formed err quiet",
                refused: &[("-d -s -r -E --dtd --xsd --relaxng --embed", Loads)],
                operands: Operands::Inside,
                ..PLAIN
            },
            // `sel` has functions that read other documents, `ed -L` rewrites, `tr` runs a stylesheet.
            looks("--version --help"),
        ]],
    ),
    never(
        "xsltproc saxon saxonb-xslt xalan xqilla zorba basex basexclient xidel tidy xmlto fop",
        "xsltproc(1); xidel --help; tidy(1)",
        "runs stylesheets and queries, which may read, write and connect",
    ),
    options(
        "csvcut csvgrep csvstat csvsort csvlook csvjson csvjoin csvstack csvformat in2csv",
        "csvkit documentation, \"Reference\"",
        &Spec {
            flags: "nhvHlzSIXtpS#",
            valued: "cdqmKrge",
            long: "names help version columns: delimiter: tabs quotechar: maxfieldsize: encoding: no-header-row \
                skip-lines: linenumbers zero not-columns: delete-empty-rows match: invert-match any-match regex: \
                reverse no-inference count unique max min mean sum nulls type blanks max-rows: max-columns: \
                max-column-width: indent: key: stream",
            refused: &[
                ("-f --file --match-file --names-file --zip-file --write-sheets --sheet", Loads),
                ("--dry-run -o --out", Writes),
            ],
            ..VIEWER
        },
    )
    .looking(),
    never(
        "csvsql sql2csv csvpy csvclean",
        "csvkit documentation, \"csvsql\"",
        "connects to databases and runs what it is told \
        there",
    ),
    options(
        "mlr",
        "Miller documentation, \"List of verbs\", \"Output redirection\"",
        // `tee`, `split`, `put` and `filter` write and run: the verb has to be spelled out.
        &Spec {
            long: "version help icsv ojson ijson ocsv c2p c2j c2t j2c json csv tsv opprint oxtab ixtab barred",
            refused: &[
                ("-I -n --from --load --mload --prepipe --prepipex --tz --records-per-batch --c2l -s --ofmt", Runs),
                ("--tee --split", Writes),
            ],
            operands: Operands::None,
            ..PLAIN
        },
    ),
    commands(
        "xsv qsv xan",
        "xsv --help; xan help",
        &[&[
            Spec {
                names: "count headers stats frequency table view search select slice sort",
                flags: "hniljrR",
                valued: "sdc",
                long: "help no-headers select: delimiter: ignore-case limit: numeric reverse everything \
                    cardinality median mode nulls len: start: end: index: just-names",
                refused: &[("-o --output", Writes)],
                operands: Operands::InsideAtMost(2),
                ..PLAIN
            },
            looks("--version --help"),
        ]],
    ),
    options(
        "gron jless fx jo jc yj yamlpath dasel jql jaq gojq jsonlint jsonnetfmt",
        "gron --help; dasel --help; gojq --help; jaq --help",
        &Spec {
            flags: "hvcrsMC",
            long: "help version compact-output raw-output slurp monochrome color-output stream values colorize \
                monochrome no-sort quiet",
            refused: &[
                (
                    "-f --from-file -L --library-path --slurpfile --rawfile --argfile --yaml-input --file \
                        --indent-file --modules -n --null-input",
                    Loads,
                ),
                ("-i --in-place --inplace -w --write -o --out --output put delete", Writes),
                ("-k --insecure -u --ungron", Sends),
            ],
            operands: Operands::None,
            ..PLAIN
        },
    ),
    never(
        "jsonnet cue dhall dhall-to-json dhall-to-yaml nickel pkl kcl ytt gomplate esh mustache jinja2 j2 \
            minijinja-cli cookiecutter copier yeoman yo plop hygen",
        "Jsonnet, CUE and Dhall documentation, \"Command line\"; gomplate and Copier documentation",
        "evaluates files, which may import others and run programs",
    ),
    // `-c` and `-x` change the files that it is given.
    options(
        "enca enconv",
        "enca(1)",
        &Spec {
            flags: "gdhvV",
            valued: "L",
            long: "help version guess details verbose language: list:",
            refused: &[("-c --auto-convert -x --convert-to -C --try-converters -E --external-converter-program", Writes)],
            ..VIEWER
        },
    ),
    options(
        "envsubst iconv uconv uchardet",
        "iconv(1); envsubst(1); uchardet(1)",
        &Spec {
            flags: "clvVh",
            valued: "ft",
            long: "help version list from-code: to-code: silent variables verbose",
            refused: &[
                ("-o --output -x --convert-to", Writes),
                ("--byte-subst --unicode-subst --widechar-subst --callback", Runs),
            ],
            ..VIEWER
        },
    ),
    options(
        "sd choose hck rargs ruplacer rpl sad amber ambr",
        "sd --help; choose --help",
        &Spec {
            flags: "hV",
            long: "help version",
            refused: &[("-p -i --in-place", Writes)],
            operands: Operands::None,
            ..PLAIN
        },
    ),
    options(
        "dust duf dfc pdu diskus",
        "dust --help; duf --help",
        &Spec {
            flags: "hVrbsDFfc",
            valued: "dnX",
            long: "help version all depth: number-of-lines: reverse no-percent-bars bars-on-right apparent-size \
                only-dir only-file json hide: only: sort: style: theme: width: inodes",
            refused: &[("-o --output -O --files0-from -i --interactive --config -e --extra -f", Writes)],
            ..VIEWER
        },
    )
    .looking(),
    options(
        "ugrep ug pt ucg hgrep grepcidr pcregrep pcre2grep agrep tre-agrep",
        "ugrep(1); pcre2grep(1)",
        &Spec {
            flags: "ivwxnNlLcohHrRsqFEGPu#",
            valued: "eABCmgt",
            long: "help version ignore-case invert-match word-regexp line-number files-with-matches count \
                only-matching recursive no-messages color context after-context before-context include: exclude: \
                max-count: hidden",
            refused: &[
                (
                    "--filter --filter-magic-label --pager --query -Q --view --save-config --config \
                        --hexdump-file -z --decompress --tee --targets --delay",
                    Runs,
                ),
                ("-f --file --from --exclude-from --include-from --exclude-fs --file-list", Loads),
            ],
            // pcre2grep(1), "PCRE2'S CALLOUT FACILITY": `(?C'program|word')` runs it.
            holding: &[("(?C", Runs), ("(*", Runs)],
            broad: true,
            ..PLAIN
        },
    ),
    options(
        "fzf sk peco percol gum fzy selecta zf dmenu rofi wofi",
        "fzf(1), \"KEY/EVENT BINDINGS\"",
        &Spec {
            long: "help version",
            refused: &[(
                "--preview --bind --filter --listen --with-shell --history --preview-window --color-file --expect \
                    -f",
                Runs,
            )],
            operands: Operands::None,
            ..PLAIN
        },
    ),
    options(
        "ctags uctags exctags etags readtags",
        "ctags(1), \"COMMAND LINE INTERFACE\"",
        &Spec {
            long: "help version list-languages list-kinds list-maps list-fields",
            refused: &[
                ("--options -L --optlib-dir --langdef --regex --libexec-dir --data-dir", Loads),
                ("-f -o -a --append -u", Writes),
            ],
            operands: Operands::None,
            ..PLAIN
        },
    ),
    never("cscope gtags global htags id-utils mkid lid zoekt-index zoekt livegrep src", "cscope(1); gtags(1)", WRITES),
    never(
        "pg_dump pg_dumpall pg_restore pg_basebackup pg_receivewal pg_upgrade pg_ctl pg_ctlcluster initdb \
            createdb createuser dropdb dropuser vacuumdb reindexdb clusterdb pgbench pgloader pg_rewind \
            pg_resetwal pgcli pgbackrest barman wal-g",
        "pg_dump(1), pg_restore(1), pgbench(1)",
        "writes files and changes databases",
    ),
    options(
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
    ),
    never(
        "mysqldump mariadb-dump mysqlpump mysqlimport mysqladmin mariadb-admin mysqlbinlog mysqlsh mysqlslap \
            mysqlcheck mycli litecli mydumper myloader xtrabackup pt-query-digest pt-online-schema-change gh-ost",
        "mysqldump(1), mysqladmin(1), mysqlbinlog(1)",
        "writes files and changes databases",
    ),
    never(
        "mongodump mongorestore mongoexport mongoimport mongofiles bsondump redis-server redis-benchmark \
            redis-check-aof valkey-cli valkey-server keydb-cli memcached memcstat cockroach clickhouse \
            clickhouse-local influxd cassandra nodetool sstableloader neo4j cypher-shell arangosh couchdb dgraph \
            etcdctl etcdutl rqlite surreal usql sqlplus isql osql bq snowsql trino presto beeline hive \
            impala-shell spark-submit spark-shell spark-sql pyspark hadoop hdfs flink kafka-topics \
            kafka-topics.sh kafka-configs.sh rabbitmqctl rabbitmqadmin",
        "mongodump documentation; cockroach, ClickHouse and Spark documentation, \"Command line\"",
        "changes databases, writes files or runs the code that it is given",
    ),
    never(
        "alembic flyway liquibase dbmate goose migrate golang-migrate atlas sqitch prisma drizzle-kit knex \
            sequelize sequelize-cli typeorm mikro-orm diesel sqlx sqlx-cli sea-orm-cli refinery phinx doctrine \
            rails django-admin artisan supabase hasura postgrest graphile-migrate schemaspy tbls sqlc pgtyped \
            kysely dbt sqlmesh dvc great_expectations airflow dagster prefect luigi kedro mlflow meltano soda",
        "Alembic, Flyway, Prisma, dbt and Airflow documentation, \"Command line\"",
        "changes databases and runs the project's code",
    ),
    never(
        "protoc protoc-gen-go thrift flatc capnp capnpc openapi-generator openapi-generator-cli swagger-codegen \
            autorest quicktype graphql-codegen apollo rover json2ts datamodel-codegen smithy asn1c avro-tools xsd \
            wsimport gsoap wsdl2h soapcpp2",
        "protoc --help; openapi-generator help; quicktype --help",
        WRITES,
    ),
    never(
        "ollama llm llama-cli llama-server vllm huggingface-cli hf wandb comet clearml tensorboard accelerate \
            deepspeed torchrun lightning kaggle modal runpodctl replicate aider claude codex gemini opencode amp \
            crush qwen cursor-agent cline sgpt mods fabric interpreter",
        "Claude Code, Codex and Gemini CLI documentation; ollama --help; hf --help",
        CHANGES,
    ),
];
