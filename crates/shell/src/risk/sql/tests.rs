use proptest::prelude::*;

use super::*;

const READ_ONLY: &[&str] = &[
    "SELECT 1",
    "select * from users where name = 'drop table x; delete from y'",
    "SELECT a FROM t; SELECT b FROM t;",
    "(SELECT 1) UNION (SELECT 2)",
    "WITH x AS (SELECT 1) SELECT * FROM x",
    "SHOW TABLES",
    "DESCRIBE users",
    "EXPLAIN SELECT * FROM t",
    "EXPLAIN DELETE FROM t_name_only",
    "EXPLAIN ANALYZE SELECT 1",
    "-- a comment\nSELECT 1",
    "/* DROP TABLE x */ SELECT 1",
    "SELECT \"drop\", `delete` FROM t",
    "SELECT replace(a, 'x', 'y'), truncate(b, 2) FROM t",
    "SELECT updated_at, deleted FROM t",
    "BEGIN; SELECT 1; COMMIT",
    "VALUES (1), (2)",
];

const WRITE: &[&str] = &[
    "INSERT INTO t VALUES (1)",
    "INSERT INTO t SELECT * FROM u",
    "UPDATE t SET a = 1 WHERE id = 2",
    "UPDATE t SET a = (SELECT 1) WHERE id = 2",
    "SELECT * INTO copy FROM t",
    "SELECT * FROM t INTO OUTFILE '/tmp/x'",
    "SELECT * FROM t FOR UPDATE",
    "SELECT * FROM t LOCK IN SHARE MODE",
    "SELECT pg_read_file('/etc/passwd')",
    "SELECT load_extension('x')",
    "SELECT nextval('s')",
    "CREATE TABLE t (a int)",
    "CREATE INDEX i ON t (a)",
    "ALTER TABLE t ADD COLUMN b int",
    "GRANT ALL ON t TO bob",
    "REVOKE ALL ON t FROM bob",
    "SET search_path TO x",
    "COPY t FROM STDIN",
    "COPY t TO '/tmp/x'",
    "CALL refresh()",
    "EXPLAIN ANALYZE INSERT INTO t VALUES (1)",
    "MERGE INTO t USING u ON t.a = u.a WHEN MATCHED THEN UPDATE SET b = 1",
    "INSERT INTO t VALUES (1) ON CONFLICT DO UPDATE SET a = 1",
    "PRAGMA writable_schema = 1",
    "ATTACH DATABASE 'x.db' AS x",
    "VACUUM",
    "WITH x AS (INSERT INTO t VALUES (1) RETURNING a) SELECT * FROM x",
    "SELECT 1; FROBNICATE t",
    "DO $$ BEGIN PERFORM 1; END $$",
    "SELECT 'never ends",
];

const DESTRUCTIVE: &[&str] = &[
    "DROP TABLE users",
    "drop database shop",
    "DROP/**/TABLE users",
    "DROP -- x\n TABLE users",
    "TRUNCATE users",
    "TRUNCATE TABLE a, b CASCADE",
    "DELETE FROM users",
    "DELETE FROM users WHERE id = 1",
    "DELETE t FROM t JOIN u ON t.a = u.a",
    "UPDATE users SET admin = true",
    "UPDATE users SET a = (SELECT 1 WHERE true)",
    "SELECT 1; DROP TABLE users",
    "SELECT 'it''s'; DROP TABLE users",
    "SELECT '\\'; DROP TABLE users; --'",
    "SELECT '\\' ; DROP TABLE users",
    "SELECT /* /* */ 1; DROP TABLE users; -- */",
    "SELECT 1 /*! ; DROP TABLE users */",
    "SELECT 1 /*!50000 ; DROP TABLE users */",
    "SELECT 1 # ; x\n; DROP TABLE users",
    "SELECT $x$ ; $x$; DROP TABLE users",
    "ALTER TABLE t DROP COLUMN a",
    "ALTER TABLE t DROP a",
    "WITH gone AS (DELETE FROM t RETURNING *) SELECT * FROM gone",
    "WITH all_rows AS (UPDATE t SET a = 1 RETURNING *) SELECT * FROM all_rows WHERE a = 1",
    "EXPLAIN ANALYZE DELETE FROM t",
    "EXPLAIN (ANALYZE, BUFFERS) DELETE FROM t",
    "COPY t TO PROGRAM 'sh'",
    "COPY t FROM PROGRAM 'curl x'",
    "EXEC xp_cmdshell 'dir'",
    "SELECT pg_terminate_backend(1)",
    "SELECT lo_export(1, '/tmp/x')",
    "DO $$ BEGIN DELETE FROM t; END $$",
    "EXECUTE 'DROP TABLE users'",
    "SELECT 1 DROP TABLE users",
    "REPLACE INTO t VALUES (1)",
    "INSERT OVERWRITE TABLE t SELECT 1",
    "CREATE OR REPLACE TABLE t (a int)",
    "RESTORE DATABASE x FROM DISK = 'y'",
    "SHUTDOWN",
    "USE shop\nGO\nDROP TABLE t\nGO",
    "IF EXISTS (SELECT 1) DROP TABLE t",
    "DELIMITER //\nDROP TABLE t//",
    "((((DELETE FROM users))))",
];

const NO_SQL: &[&str] = &[
    "",
    "   ",
    "hello world",
    "drop shipping companies",
    "delete my old mails please",
    "update on the war",
    "truncate a string in python",
    "set up docker on linux",
    "call center jobs near me",
    "copy files between folders",
    "replace a car battery",
    "use the force luke",
    "create a landing page for dogs",
    "with love from paris",
    "kill a process on linux quickly",
    "-- only a comment",
];

fn wrong(cases: &[&str], expected: Option<RiskLevel>) -> Vec<String> {
    let mut wrong = Vec::new();
    for case in cases {
        let got = classify_sql(case);
        if got.as_ref().map(|got| got.level) != expected {
            wrong.push(format!("{case:?}: expected {expected:?}, got {got:?}"));
        }
    }
    wrong
}

#[test]
fn statements_have_their_level() {
    let wrong = [
        wrong(READ_ONLY, Some(RiskLevel::ReadOnly)),
        wrong(WRITE, Some(RiskLevel::Write)),
        wrong(DESTRUCTIVE, Some(RiskLevel::Destructive)),
        wrong(NO_SQL, None),
    ]
    .concat();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn long_text_comes_to_an_end() {
    for piece in [
        "/*",
        "(",
        "'",
        "$a$",
        "$",
        "UPDATE t SET ",
        "DELETE ",
        "[",
        "--",
        "SELECT 1;",
        "\\",
        "/*!",
        "EXPLAIN ANALYZE ",
    ] {
        let text = format!("SELECT {}", piece.repeat(5_000));
        assert!(classify_sql(&text).is_some(), "{piece}");
    }
}

proptest! {
    #[test]
    fn any_text_is_read(text in ".{0,200}") {
        let _ = classify_sql(&text);
    }

    #[test]
    fn another_statement_never_lowers_the_level(first in any::<prop::sample::Index>(), second in any::<prop::sample::Index>()) {
        let all: Vec<&str> = [READ_ONLY, WRITE, DESTRUCTIVE].concat();
        let (first, second) = (all[first.index(all.len())], all[second.index(all.len())]);
        // A text that does not end takes the next statement in: together they are another statement.
        prop_assume!(!first.contains("never ends"));
        let level = |text: &str| classify_sql(text).map(|found| found.level);
        let both = format!("{first}\n;{second}");
        prop_assert!(level(&both) >= level(first), "{}", both);
    }
}
