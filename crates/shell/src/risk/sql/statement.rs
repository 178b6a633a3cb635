//! One statement: its kind by its keywords.
//!
//! Sources: PostgreSQL 17 manual, part VI "SQL Commands"; `MySQL` 8.4 manual, chapter 15 "SQL
//! Statements"; SQLite, "SQL As Understood By SQLite"; Transact-SQL reference.

use super::tokens::Token;
use crate::risk::classification::Classification;
use crate::risk::level::RiskLevel;
use crate::risk::level::RiskLevel::{Destructive, ReadOnly, Write};

/// What `DROP`, `CREATE` and `ALTER` are followed by: tells SQL from a sentence.
const OBJECTS: &str = "TABLE DATABASE SCHEMA INDEX VIEW MATERIALIZED SEQUENCE FUNCTION PROCEDURE TRIGGER ROLE USER LOGIN \
    TYPE DOMAIN EXTENSION COLUMN CONSTRAINT POLICY PUBLICATION SUBSCRIPTION SERVER TABLESPACE EVENT OWNED KEYSPACE OR \
    TEMP TEMPORARY UNIQUE UNLOGGED VIRTUAL FOREIGN EXTERNAL AGGREGATE OPERATOR CAST COLLATION RULE LANGUAGE SYSTEM \
    DEFAULT PACKAGE SYNONYM STAGE PIPE WAREHOUSE STREAM TASK STATISTICS GROUP IF RECURSIVE GLOBAL LOCAL BITMAP ALGORITHM \
    DEFINER SQL TRANSFORM ACCESS CONVERSION TEXT PARTITION UNDO LOGFILE RESOURCE CLUSTERED NONCLUSTERED FULLTEXT SPATIAL";

/// Functions that reach out of the tables or stop others, although a `SELECT` calls them.
const DESTRUCTIVE_FUNCTIONS: &str = "XP_CMDSHELL LO_EXPORT LO_UNLINK PG_TERMINATE_BACKEND SYS_EXEC SYS_EVAL WRITEFILE \
    DBLINK_EXEC PG_DROP_REPLICATION_SLOT PG_FILE_WRITE PG_FILE_UNLINK PG_FILE_RENAME";
const WRITING_FUNCTIONS: &str = "PG_READ_FILE PG_READ_BINARY_FILE PG_LS_DIR PG_STAT_FILE LO_IMPORT LO_CREATE LO_PUT LO_FROM_BYTEA \
    PG_CANCEL_BACKEND PG_RELOAD_CONF PG_ROTATE_LOGFILE PG_SWITCH_WAL PG_PROMOTE DBLINK DBLINK_CONNECT DBLINK_SEND_QUERY \
    LOAD_FILE LOAD_EXTENSION READFILE EDIT FTS3_TOKENIZER NEXTVAL SETVAL SET_CONFIG QUERY_TO_XML QUERY_TO_JSON SP_EXECUTESQL \
    SP_OACREATE SP_CONFIGURE XP_REGWRITE XP_DIRTREE XP_FILEEXIST OPENROWSET OPENDATASOURCE OPENQUERY BULK UTL_HTTP UTL_FILE \
    DBMS_SQL DBMS_SCHEDULER PG_ADVISORY_LOCK PG_LOGICAL_EMIT_MESSAGE PG_NOTIFY PG_SLEEP SLEEP BENCHMARK GET_LOCK XMLTABLE \
    PG_CREATE_RESTORE_POINT SYSTEM URL S3 FILE";

type Tokens<'s, 'a> = &'s [Token<'a>];

/// What one statement can do; `None` when it is none that is known here.
pub(super) fn classify(tokens: Tokens<'_, '_>) -> Option<Classification> {
    let tokens = tokens.get(tokens.iter().take_while(|token| **token == Token::Sign('(')).count()..)?;
    let first = keyword(tokens, 0)?;
    let Some(own) = kind(first, tokens) else {
        // Transact-SQL needs no semicolon: `USE shop GO DROP TABLE t`.
        let in_script = contains("USE SET DECLARE IF WHILE BEGIN START GO PRINT DELIMITER EXEC", first);
        return inside(tokens).into_iter().filter(|_| in_script).reduce(Classification::or_higher);
    };
    let own = if tokens.contains(&Token::Unfinished) {
        own.or_higher(found(Write, "a string or comment of it does not end"))
    } else {
        own
    };
    // `EXPLAIN DELETE …` runs nothing of what stands in it.
    let runs = first != "EXPLAIN" || analyses(tokens).is_some();
    let parts = if runs { inside(tokens) } else { Vec::new() };
    Some(parts.into_iter().fold(own, Classification::or_higher))
}

fn kind(first: &str, tokens: Tokens<'_, '_>) -> Option<Classification> {
    let second = keyword(tokens, 1).unwrap_or_default();
    let has = |word: &str| position(tokens, word).is_some();
    let any = |words: &str| words.split_ascii_whitespace().any(|word| word == second);
    let when = |shape: bool, level: RiskLevel, because: &str| shape.then(|| found(level, because));
    match first {
        "SELECT" => Some(query(tokens, "`SELECT` only looks")),
        "VALUES" | "TABLE" => when(tokens.len() > 1, ReadOnly, "it only looks"),
        "SHOW" | "DESCRIBE" | "DESC" => when(tokens.len() > 1, ReadOnly, "it only looks"),
        "EXPLAIN" => Some(explain(tokens)),
        "WITH" => when(has("AS"), ReadOnly, "the query only looks").map(|own| query(tokens, "").or_higher(own)),
        "FROM" => when(has("SELECT"), ReadOnly, "the query only looks"),
        "BEGIN" | "START" | "COMMIT" | "ROLLBACK" | "END" | "SAVEPOINT" | "RELEASE" | "ABORT" => {
            when(tokens.len() <= 4, ReadOnly, "it starts or ends a transaction")
        }
        "INSERT" => when(has("INTO") || has("VALUES") || has("OVERWRITE"), Write, "`INSERT` adds rows").map(|own| {
            if second == "OVERWRITE" {
                own.or_higher(found(Destructive, "`INSERT OVERWRITE` replaces rows"))
            } else {
                own
            }
        }),
        "REPLACE" => when(second == "INTO", Destructive, "`REPLACE` removes the rows that it replaces"),
        "MERGE" => when(second == "INTO" || has("USING"), Write, "`MERGE` changes rows"),
        "UPSERT" => when(second == "INTO", Write, "`UPSERT` changes rows"),
        "UPDATE" => when(has("SET"), Write, "`UPDATE` changes rows"),
        "DELETE" => when(has("FROM") || has("WHERE") || tokens.len() == 2, Destructive, "`DELETE` removes rows"),
        "TRUNCATE" => truncate(tokens),
        "DROP" => when(is_object(second), Destructive, "`DROP` removes a part of the database"),
        "ALTER" => when(is_object(second), Write, "`ALTER` changes the structure of the database"),
        "CREATE" => when(is_object(second), Write, "`CREATE` makes a part of the database").map(|own| {
            let replaces = second == "OR" && has("TABLE");
            if replaces {
                own.or_higher(found(Destructive, "`CREATE OR REPLACE TABLE` removes the old table"))
            } else {
                own
            }
        }),
        "RENAME" => when(is_object(second), Write, "`RENAME` changes the structure of the database"),
        "COMMENT" => when(second == "ON", Write, "`COMMENT` changes the database"),
        "GRANT" => when(has("TO"), Write, "`GRANT` gives rights"),
        "REVOKE" => when(has("FROM"), Write, "`REVOKE` takes rights away"),
        "DENY" => when(has("TO"), Write, "`DENY` takes rights away"),
        "SET" => when(
            has("TO") || tokens.contains(&Token::Sign('=')) || any("ROLE SESSION"),
            Write,
            "`SET` changes settings",
        ),
        "RESET" => when(any("MASTER SLAVE REPLICA QUERY ALL PERSIST BINARY"), Write, "`RESET` changes settings"),
        "USE" => when(tokens.len() == 2, Write, "`USE` changes the database in use"),
        "COPY" => copy(tokens),
        "LOAD" => {
            when(any("DATA XML EXTENSION INDEX") || has_text(tokens), Write, "`LOAD` reads a file into the database")
        }
        "UNLOAD" | "EXPORT" | "IMPORT" => when(has_text(tokens), Write, "it moves data between files and the database"),
        "CALL" => when(tokens.contains(&Token::Sign('(')), Write, "`CALL` runs a procedure"),
        "DO" => when(has_text(tokens), Write, "`DO` runs a program in the database"),
        "EXEC" | "EXECUTE" => when(tokens.len() > 1, Write, "it runs a procedure"),
        "PREPARE" => when(has("AS") || has("FROM"), Write, "`PREPARE` makes a statement to be run"),
        "DECLARE" => {
            when(tokens.contains(&Token::Sign('@')) || has("CURSOR"), Write, "it runs a program in the database")
        }
        "LOCK" | "UNLOCK" => when(any("TABLE TABLES INSTANCE"), Write, "it locks tables"),
        "VACUUM" | "ANALYZE" | "REINDEX" | "CLUSTER" | "OPTIMIZE" | "REPAIR" | "CHECKPOINT" => {
            when(tokens.len() <= 4, Write, "it reorganises the database")
        }
        "REFRESH" => when(any("MATERIALIZED TABLE"), Write, "it changes a view"),
        "PRAGMA" => when(tokens.len() > 1, Write, "`PRAGMA` may change settings"),
        "ATTACH" | "DETACH" => {
            when(second == "DATABASE" || has_text(tokens), Write, "it opens or closes a database file")
        }
        "BACKUP" => when(any("DATABASE LOG TABLE"), Write, "it writes a copy of the database"),
        "RESTORE" => when(any("DATABASE LOG TABLE"), Destructive, "`RESTORE` replaces the database"),
        "PURGE" => when(any("BINARY MASTER TABLE RECYCLEBIN"), Destructive, "`PURGE` removes data for good"),
        "FLUSH" => when(any("TABLES LOGS PRIVILEGES HOSTS STATUS BINARY"), Write, "`FLUSH` changes the server"),
        "KILL" => when(tokens.len() <= 3 && tokens.len() > 1, Destructive, "`KILL` ends the work of somebody"),
        "SHUTDOWN" => when(tokens.len() <= 3, Destructive, "`SHUTDOWN` stops the server"),
        "XP_CMDSHELL" => Some(found(Destructive, "`xp_cmdshell` runs a program on the server")),
        _ => None,
    }
}

/// `SELECT` with what makes it more than looking.
fn query(tokens: Tokens<'_, '_>, because: &str) -> Classification {
    let mut own = found(ReadOnly, because);
    if position(tokens, "INTO").is_some() {
        own = own.or_higher(found(Write, "`SELECT … INTO` writes a table or a file"));
    }
    let locks = pairs(tokens).any(|(first, second)| {
        first == "FOR" && ["UPDATE", "SHARE", "NO", "KEY"].contains(&second) || (first == "LOCK" && second == "IN")
    });
    if locks { own.or_higher(found(Write, "it locks rows")) } else { own }
}

/// `EXPLAIN` looks; `EXPLAIN ANALYZE` runs the statement.
fn explain(tokens: Tokens<'_, '_>) -> Classification {
    let looks = found(ReadOnly, "`EXPLAIN` only looks");
    let Some(at) = analyses(tokens) else { return looks };
    const STARTS: [&str; 8] = ["SELECT", "WITH", "INSERT", "UPDATE", "DELETE", "MERGE", "CREATE", "EXECUTE"];
    let start = (at..tokens.len()).find(|index| keyword(tokens, *index).is_some_and(|word| STARTS.contains(&word)));
    let inner = start.and_then(|start| kind(keyword(tokens, start)?, tokens.get(start..)?));
    inner.map_or_else(|| found(Write, "`EXPLAIN ANALYZE` runs the statement"), |inner| looks.or_higher(inner))
}

fn analyses(tokens: Tokens<'_, '_>) -> Option<usize> {
    position(tokens, "ANALYZE").or_else(|| position(tokens, "ANALYSE"))
}

/// `TRUNCATE a, b CASCADE`, and no sentence that begins with the word.
fn truncate(tokens: Tokens<'_, '_>) -> Option<Classification> {
    const TAIL: &str = "TABLE ONLY CASCADE RESTRICT RESTART CONTINUE IDENTITY";
    let names = tokens.iter().skip(1).filter(|token| match token {
        Token::Word(word) => !contains(TAIL, word),
        _ => false,
    });
    let separators = tokens.iter().filter(|token| matches!(token, Token::Sign(',' | '.'))).count();
    let shape = keyword(tokens, 1) == Some("TABLE") || (tokens.len() > 1 && names.count() <= separators + 1);
    shape.then(|| found(Destructive, "`TRUNCATE` removes every row"))
}

fn copy(tokens: Tokens<'_, '_>) -> Option<Classification> {
    if pairs(tokens).any(|(_, second)| second == "PROGRAM") {
        return Some(found(Destructive, "`COPY … PROGRAM` runs a program on the server"));
    }
    let stream = position(tokens, "STDIN").is_some() || position(tokens, "STDOUT").is_some();
    let direction = position(tokens, "TO").is_some() || position(tokens, "FROM").is_some();
    (direction && (stream || has_text(tokens))).then(|| found(Write, "`COPY` moves data between files and tables"))
}

/// What stands inside a statement: parts that change data (`WITH x AS (DELETE …)`), a second statement
/// without a semicolon (Transact-SQL), functions, and programs in strings.
fn inside(tokens: Tokens<'_, '_>) -> Vec<Classification> {
    let mut all = Vec::new();
    // From the end, so that what follows a word is known: for each open parenthesis, whether a
    // `WHERE` was seen in it.
    let mut filtered = Vec::new();
    let mut here = false;
    for (at, token) in tokens.iter().enumerate().rev() {
        let word = match token {
            Token::Word(word) => word,
            Token::Sign(')') => {
                filtered.push(here);
                here = false;
                continue;
            }
            Token::Sign('(') => {
                here = filtered.pop().unwrap_or(false);
                continue;
            }
            _ => continue,
        };
        let next = tokens.get(at + 1);
        let next_word = keyword(tokens, at + 1).unwrap_or_default();
        let called = next == Some(&Token::Sign('('));
        match word.as_str() {
            "WHERE" => here = true,
            "DELETE" if next_word == "FROM" => all.push(found(Destructive, "`DELETE` removes rows")),
            "UPDATE" if !called && updates(tokens, at) => {
                if !here {
                    all.push(found(Destructive, "`UPDATE` without `WHERE` changes every row"));
                }
                all.push(found(Write, "`UPDATE` changes rows"));
                here = false;
            }
            "INSERT" | "MERGE" if next_word == "INTO" => all.push(found(Write, "it adds rows")),
            "DROP" if is_object(next_word) || alters(tokens, at) => {
                all.push(found(Destructive, "`DROP` removes a part of the database"));
            }
            "TRUNCATE" if next_word == "TABLE" || next_word == "PARTITION" => {
                all.push(found(Destructive, "`TRUNCATE` removes every row"));
            }
            "OUTFILE" | "DUMPFILE" => all.push(found(Write, "it writes a file on the server")),
            "EXEC" | "EXECUTE" | "SHUTDOWN" | "RECONFIGURE" if at > 0 => all.push(found(Write, "it runs a procedure")),
            word if contains(DESTRUCTIVE_FUNCTIONS, word) && (called || word.starts_with("XP_")) => {
                all.push(found(Destructive, &format!("`{}` reaches out of the database", word.to_lowercase())));
            }
            word if called && contains(WRITING_FUNCTIONS, word) => {
                all.push(found(Write, &format!("`{}` does more than look", word.to_lowercase())));
            }
            _ => {}
        }
    }
    let runs_text =
        keyword(tokens, 0).is_some_and(|first| contains("DO EXEC EXECUTE PREPARE CREATE DECLARE CALL", first));
    if runs_text && tokens.iter().any(|token| matches!(token, Token::Text(text) if removes(text))) {
        all.push(found(Destructive, "the program in it removes data"));
    }
    all
}

/// `UPDATE` that has its `SET` nearby; not `FOR UPDATE`, not `ON UPDATE`, not `ON CONFLICT DO UPDATE`.
fn updates(tokens: Tokens<'_, '_>, at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| keyword(tokens, before)).unwrap_or_default();
    let near = tokens.iter().skip(at + 1).take(16).any(|token| matches!(token, Token::Word(word) if word == "SET"));
    !["FOR", "ON", "KEY", "DO", "THEN", "OR", "BEFORE", "AFTER"].contains(&before) && (near || at == 0)
}

/// `DROP name` in `ALTER TABLE`, where `COLUMN` may be left out; not `DROP DEFAULT`, which loses nothing but may as well.
fn alters(tokens: Tokens<'_, '_>, at: usize) -> bool {
    at > 0 && keyword(tokens, 0) == Some("ALTER")
}

/// Words that remove data in the text of a program.
fn removes(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).peekable();
    while let Some(word) = words.next() {
        let next = words.peek().copied().unwrap_or_default();
        let is = |name: &str| word.eq_ignore_ascii_case(name);
        let removes = (is("drop") && is_object(&next.to_uppercase()))
            || (is("delete") && next.eq_ignore_ascii_case("from"))
            || is("truncate")
            || is("xp_cmdshell");
        if removes {
            return true;
        }
    }
    false
}

fn found(level: RiskLevel, because: &str) -> Classification {
    Classification::new(level, because)
}

fn contains(list: &str, name: &str) -> bool {
    list.split_ascii_whitespace().any(|entry| entry == name)
}

fn is_object(word: &str) -> bool {
    !word.is_empty() && contains(OBJECTS, word)
}

fn has_text(tokens: Tokens<'_, '_>) -> bool {
    tokens.iter().any(|token| matches!(token, Token::Text(_)))
}

fn keyword<'s>(tokens: Tokens<'s, '_>, at: usize) -> Option<&'s str> {
    match tokens.get(at)? {
        Token::Word(word) => Some(word),
        _ => None,
    }
}

fn position(tokens: Tokens<'_, '_>, wanted: &str) -> Option<usize> {
    tokens.iter().position(|token| matches!(token, Token::Word(word) if word == wanted))
}

fn pairs<'s>(tokens: Tokens<'s, '_>) -> impl Iterator<Item = (&'s str, &'s str)> {
    tokens.iter().zip(tokens.iter().skip(1)).filter_map(|pair| match pair {
        (Token::Word(first), Token::Word(second)) => Some((first.as_str(), second.as_str())),
        _ => None,
    })
}
