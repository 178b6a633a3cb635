//! Text, tables and structured data, and the databases' own tools.

use super::class::Class;
use super::danger::danger;
use super::effect::Effect::{Loads, Runs, Sends, Writes};
use super::fact::Fact;
use super::file_use::{FileUse, Folders};
use super::interactive::Interactive;
use super::printer::printer;
use super::shared::{ARTISAN_DESTROYS, DJANGO_ADMIN_DESTROYS, RAKE_DESTROYS};
use super::spec::{CHANGES, Operands, PLAIN, Spec, VIEWER, WRITES, looks};
use super::{PUBLISHES, Program, Talks, UNLISTED, commands, later, never, options, outsider, runner};

const GRON_OPTIONS: Spec = Spec {
    flags: "hvcrsMC",
    long: "help version compact-output raw-output slurp monochrome color-output stream values colorize \
        monochrome no-sort quiet",
    refused: &[
        (
            "-f --from-file -L --library-path --slurpfile --rawfile --argfile --yaml-input --file --indent-file \
                --modules -n --null-input",
            Loads,
        ),
        ("-i --in-place --inplace -w --write -o --out --output put delete", Writes),
        ("-k --insecure -u --ungron", Sends),
    ],
    operands: Operands::None,
    ..PLAIN
};

const UGREP_OPTIONS: Spec = Spec {
    flags: "ivwxnNlLcohHrRsqFEGPu#",
    valued: "eABCmgt",
    long: "help version ignore-case invert-match word-regexp line-number files-with-matches count only-matching \
        recursive no-messages color context after-context before-context include: exclude: max-count: hidden",
    refused: &[
        (
            "--filter --filter-magic-label --pager --query -Q --view --save-config --config --hexdump-file -z \
                --decompress --tee --targets --delay",
            Runs,
        ),
        ("-f --file --from --exclude-from --include-from --exclude-fs --file-list", Loads),
    ],
    // pcre2grep(1), "PCRE2'S CALLOUT FACILITY": `(?C'program|word')` runs it.
    holding: &[("(?C", Runs), ("(*", Runs)],
    broad: true,
    ..PLAIN
};

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: "xmllint",
        source: "xmllint(1); tried with 2.9.14: `--c14n` reads external entities, `--nodefdtd` fetches the \
            DTD",
        is: &[Fact::OnlyLooks],
        class: Class::Options(&Spec {
            // With one dash or two alike.
            long: "noout format nonet nowarning noblanks recover huge quiet timing memory version help xpath: \
                pretty: encode: dropdtd stream walker -noout -format -nonet -recover -huge -version -quiet \
                -noblanks",
            refused: &[
                (
                    "--c14n --c14n11 --exc-c14n --nodefdtd --shell --load-trace --path --catalogs --nocatalogs \
                        --postvalid --loaddtd --dtdattr --valid --dtdvalid --dtdvalidfpi --relaxng --schema \
                        --schematron --noent --xinclude --noxincludenode --html --nofixup-base-uris",
                    Loads,
                ),
                ("--output -o --compress --debug --debugent --copy --repeat --insert --push --maxmem", Writes),
            ],
            ..VIEWER
        }),
        ..UNLISTED
    },
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
    Program {
        names: "csvcut csvgrep csvstat csvsort csvlook csvjson csvjoin csvstack csvformat in2csv",
        source: "csvkit documentation, \"Reference\"",
        is: &[Fact::OnlyLooks],
        class: Class::Options(&Spec {
            flags: "nhvHlzSIXtpS#",
            valued: "cdqmKrge",
            long: "names help version columns: delimiter: tabs quotechar: maxfieldsize: encoding: no-header-row \
                skip-lines: linenumbers zero not-columns: delete-empty-rows match: invert-match any-match \
                regex: reverse no-inference count unique max min mean sum nulls type blanks max-rows: \
                max-columns: max-column-width: indent: key: stream",
            refused: &[
                ("-f --file --match-file --names-file --zip-file --write-sheets --sheet", Loads),
                ("--dry-run -o --out", Writes),
            ],
            ..VIEWER
        }),
        ..UNLISTED
    },
    outsider(
        "csvsql sql2csv csvpy csvclean",
        "csvkit documentation, \"csvsql\"",
        "connects to databases and runs what it is told there",
    ),
    options(
        "mlr",
        "Miller documentation, \"List of verbs\", \"Output redirection\"",
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
                long: "help no-headers select: delimiter: ignore-case limit: numeric reverse everything cardinality \
                    median mode nulls len: start: end: index: just-names",
                refused: &[("-o --output", Writes)],
                operands: Operands::InsideAtMost(2),
                ..PLAIN
            },
            looks("--version --help"),
        ]],
    ),
    Program {
        names: "jaq gojq",
        source: "jaq(1), gojq(1)",
        is: &[Fact::TakesText, Fact::TakesJq, Fact::LoadsFiles],
        class: Class::Options(&GRON_OPTIONS),
        like: "jq",
        ..UNLISTED
    },
    Program {
        names: "gron",
        source: "gron --help; dasel --help; gojq --help; jaq --help",
        is: &[Fact::TakesText],
        class: Class::Options(&GRON_OPTIONS),
        ..UNLISTED
    },
    Program {
        is: &[Fact::LoadsFiles],
        ..options("dasel", "gron --help; dasel --help; gojq --help; jaq --help", &GRON_OPTIONS)
    },
    options(
        "jless fx jo yj yamlpath jql jsonlint jsonnetfmt",
        "gron --help; dasel --help; gojq --help; jaq --help",
        &GRON_OPTIONS,
    ),
    Program {
        names: "jc",
        source: "gron --help; dasel --help; gojq --help; jaq --help",
        class: Class::Options(&GRON_OPTIONS),
        files: FileUse { written: "-o --output", ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        is: &[Fact::LoadsFiles],
        ..never(
            "gomplate",
            "Jsonnet, CUE and Dhall documentation, \"Command line\"; gomplate and Copier documentation",
            "evaluates files, which may import others and run programs",
        )
    },
    never(
        "jsonnet cue dhall dhall-to-json dhall-to-yaml nickel pkl kcl ytt esh mustache jinja2 \
            j2 minijinja-cli cookiecutter copier yeoman yo plop hygen",
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
            refused: &[(
                "-c --auto-convert -x --convert-to -C --try-converters -E --external-converter-program",
                Writes,
            )],
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
        "sd choose hck ruplacer rpl sad amber ambr",
        "sd --help; choose --help",
        &Spec {
            flags: "hV",
            long: "help version",
            refused: &[("-p -i --in-place", Writes)],
            operands: Operands::None,
            ..PLAIN
        },
    ),
    Program {
        names: "dust duf dfc pdu diskus",
        source: "dust --help; duf --help",
        is: &[Fact::OnlyLooks],
        class: Class::Options(&Spec {
            flags: "hVrbsDFfc",
            valued: "dnX",
            long: "help version all depth: number-of-lines: reverse no-percent-bars bars-on-right apparent-size \
                only-dir only-file json hide: only: sort: style: theme: width: inodes",
            refused: &[("-o --output -O --files0-from -i --interactive --config -e --extra -f", Writes)],
            ..VIEWER
        }),
        ..UNLISTED
    },
    Program {
        names: "ugrep",
        source: "ugrep(1); pcre2grep(1)",
        is: &[Fact::TakesText, Fact::SearchesFiles],
        class: Class::Options(&UGREP_OPTIONS),
        files: FileUse { folders: Folders::All, first_is_pattern: true, ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "ug",
        source: "ugrep(1); pcre2grep(1)",
        is: &[Fact::TakesText],
        class: Class::Options(&UGREP_OPTIONS),
        ..UNLISTED
    },
    options("pt ucg hgrep grepcidr pcregrep pcre2grep agrep tre-agrep", "ugrep(1); pcre2grep(1)", &UGREP_OPTIONS),
    options(
        "fzf sk peco percol gum fzy selecta zf dmenu rofi wofi",
        "fzf(1), \"KEY/EVENT BINDINGS\"",
        &Spec {
            long: "help version",
            refused: &[(
                "--preview --bind --filter --listen --with-shell --history --preview-window --color-file \
                    --expect -f -c --cmd -run-command",
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
    runner("rargs", "rargs --help"),
    Program {
        names: "prisma",
        is: &[Fact::WorksOutside],
        source: "Alembic, Flyway, Prisma, dbt and Airflow documentation, \"Command line\"",
        class: Class::Never("changes databases and runs the project's code"),
        destroys: &[
            danger("migrate reset", "", "removes what the database holds"),
            danger("db push", "accept-data-loss force-reset", "removes what the database holds"),
        ],
        ..UNLISTED
    },
    Program {
        names: "knex",
        is: &[Fact::WorksOutside],
        source: "Alembic, Flyway, Prisma, dbt and Airflow documentation, \"Command line\"",
        class: Class::Never("changes databases and runs the project's code"),
        destroys: &[danger("migrate:rollback", "all", "removes what the database holds")],
        ..UNLISTED
    },
    Program {
        names: "sequelize sequelize-cli",
        is: &[Fact::WorksOutside],
        source: "Alembic, Flyway, Prisma, dbt and Airflow documentation, \"Command line\"",
        class: Class::Never("changes databases and runs the project's code"),
        destroys: &[danger("db:drop|db:migrate:undo:all", "", "removes what the database holds")],
        ..UNLISTED
    },
    Program {
        names: "typeorm",
        is: &[Fact::WorksOutside],
        source: "Alembic, Flyway, Prisma, dbt and Airflow documentation, \"Command line\"",
        class: Class::Never("changes databases and runs the project's code"),
        destroys: &[danger("schema:drop", "", "removes what the database holds")],
        ..UNLISTED
    },
    Program {
        names: "diesel sqlx",
        is: &[Fact::WorksOutside],
        source: "Alembic, Flyway, Prisma, dbt and Airflow documentation, \"Command line\"",
        class: Class::Never("changes databases and runs the project's code"),
        destroys: &[danger("database reset|drop", "", "removes what the database holds")],
        ..UNLISTED
    },
    Program {
        names: "rails",
        source: "Alembic, Flyway, Prisma, dbt and Airflow documentation, \"Command line\"",
        is: &[Fact::Abbreviates, Fact::ConsoleScript],
        class: Class::Never("changes databases and runs the project's code"),
        destroys: RAKE_DESTROYS,
        prints: &[printer("credentials:show|encrypted:show", "Rails guides, credentials")],
        interactive: &[Interactive::As(&[&["console"], &["c"], &["dbconsole"], &["db"]])],
        ..UNLISTED
    },
    Program {
        names: "django-admin",
        source: "Alembic, Flyway, Prisma, dbt and Airflow documentation, \"Command line\"",
        class: Class::Never("changes databases and runs the project's code"),
        destroys: DJANGO_ADMIN_DESTROYS,
        interactive: &[Interactive::As(&[&["shell"], &["dbshell"], &["shell_plus"]])],
        ..UNLISTED
    },
    Program {
        names: "artisan",
        source: "Alembic, Flyway, Prisma, dbt and Airflow documentation, \"Command line\"",
        is: &[Fact::ConsoleScript],
        class: Class::Never("changes databases and runs the project's code"),
        destroys: &[
            ARTISAN_DESTROYS,
            danger("migrate:fresh|migrate:reset|migrate:refresh|db:wipe", "", "removes what the database holds"),
        ],
        interactive: &[Interactive::As(&[&["tinker"]])],
        ..UNLISTED
    },
    Program {
        names: "supabase",
        source: "Alembic, Flyway, Prisma, dbt and Airflow documentation, \"Command line\"",
        class: Class::Never("changes databases and runs the project's code"),
        destroys: &[
            danger("db reset", "", "removes what the database holds"),
            danger("projects|branches|functions|secrets delete|unset", "", "removes something of the project"),
        ],
        prints: &[printer("projects api-keys", "supabase projects api-keys")],
        talks: Talks::Always,
        publishes: PUBLISHES,
        ..UNLISTED
    },
    never(
        "protoc protoc-gen-go thrift flatc capnp capnpc openapi-generator openapi-generator-cli \
            swagger-codegen autorest quicktype graphql-codegen apollo rover json2ts datamodel-codegen \
            smithy asn1c avro-tools xsd wsimport gsoap wsdl2h soapcpp2",
        "protoc --help; openapi-generator help; quicktype --help",
        WRITES,
    ),
    Program {
        names: "ollama",
        source: "Claude Code, Codex and Gemini CLI documentation; ollama --help; hf --help",
        class: Class::Never(CHANGES),
        sub_commands: "pull push rm list ls show stop ps cp create",
        synonyms: &["list|ls"],
        talks: Talks::For(&[("pull|push|run|signin", "")]),
        publishes: &[("push", "")],
        sends: &[("push", "")],
        ..UNLISTED
    },
    Program {
        sends: &[
            ("datasets|kernels|models|d|k create|version|push", ""),
            ("competitions|c submit", ""),
            ("sync|verify", ""),
            ("artifact put", ""),
        ],
        talks: Talks::Always,
        ..never("kaggle wandb", "kaggle --help; wandb --help", CHANGES)
    },
    outsider(
        "llm llama-cli llama-server vllm comet clearml tensorboard accelerate deepspeed \
            torchrun lightning modal runpodctl replicate sgpt mods fabric interpreter",
        "Claude Code, Codex and Gemini CLI documentation; ollama --help; hf --help",
        CHANGES,
    ),
    Program {
        names: "huggingface-cli hf",
        source: "Claude Code, Codex and Gemini CLI documentation; ollama --help; hf --help",
        class: Class::Never(CHANGES),
        prints: &[printer("auth token", "hf auth --help")],
        talks: Talks::Always,
        publishes: &[("upload|upload-large-folder|repo|lfs-enable-largefiles|repo-files|delete-cache", "")],
        sends: &[("upload|upload-large-folder", "")],
        ..UNLISTED
    },
    Program {
        is: &[Fact::Agent, Fact::SaysHelp, Fact::SaysVersion],
        sets: later::AGENTS,
        ..never(
            "codex gemini opencode amp qwen cursor-agent copilot-cli droid kiro-cli kiro-cli-chat auggie goosed cline \
                cline-core cline-host devin aider crush",
            "Claude Code, Codex and Gemini CLI documentation; ollama --help; hf --help",
            CHANGES,
        )
    },
    Program {
        names: "claude",
        groups: "mcp plugin",
        is: &[Fact::Agent, Fact::SaysHelp, Fact::SaysVersion],
        source: "Claude Code, Codex and Gemini CLI documentation; ollama --help; hf --help",
        sets: later::AGENTS,
        class: Class::Never(CHANGES),
        prints: &[printer("setup-token", "claude --help")],
        talks: Talks::Always,
        ..UNLISTED
    },
];
