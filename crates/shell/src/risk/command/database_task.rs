//! Commands that say by their own words that they empty or drop a database: `rake db:reset`, `php artisan migrate:fresh`,
//! `npx prisma migrate reset`, `npm run db-wipe`.
//!
//! What such a word runs stands in the project or in a framework, so no entry of a program could list it. Sources of the
//! words: the command lines of Rails, Laravel, Symfony, Django, Prisma, Knex, Sequelize, TypeORM, Diesel, SQLx, Ecto,
//! Entity Framework, Flask-Migrate and Supabase.

use super::invocation::Invocation;
use crate::operand_effects::only_reads;
use crate::programs::class::Class;
use crate::programs::{self, Purpose};

/// What a database, or what shapes it, is called.
const DATABASE: &str = "db database databases migrate migration migrations schema ecto prisma drizzle flyway liquibase";
/// What says that something of it goes.
const GOES: &str = "clean clear delete destroy down downgrade drop dropdb empty erase flush fresh kill nuke purge recreate redo \
    refresh remove replant reset revert rollback teardown truncate undo wipe zero";
/// Both in one word.
const JOINED: &str = "cleandb dbclean dbdrop dbreset dbwipe dropall dropdatabase dropdb flywayclean liquibasedropall recreatedb \
    resetdatabase resetdb wipedb";
/// Words behind which the name of a task of the project stands.
const RUNNING: &str = "run run-script task exec";
/// So many words behind the program are looked at.
const LOOKED_AT: usize = 8;

/// What `invocation` says that it does to a database, as a clause.
pub(super) fn reason(invocation: &Invocation<'_>) -> Option<String> {
    let known = programs::of(invocation.program);
    let is_text = programs::purpose(invocation.program) == Purpose::Text || only_reads(invocation.program);
    if is_text || invocation.program == "git" {
        return None;
    }
    let words: Vec<&str> = invocation.words.iter().take(LOOKED_AT).copied().collect();
    let is_task = |at: usize| {
        matches!(known.class, Class::Tasks(_))
            || words.iter().take(at).any(|word| RUNNING.split(' ').any(|running| running == *word))
    };
    let is_name = |word: &str| !word.contains(|c: char| c == '/' || c.is_whitespace());
    let named = |at: usize, word: &str| {
        let joins = word.contains([':', '.']) || is_task(at);
        joins && is_name(word) && has(word, DATABASE) && has(word, GOES) || is_task(at) && has(word, JOINED)
    };
    // `migrate reset`, `db push --force-reset`, `manage.py flush`.
    let followed = |at: usize, word: &str| {
        let is_database = DATABASE.split(' ').any(|one| one == word);
        let goes =
            |next: &&&str| is_name(next) && has(next, GOES) && (!next.starts_with('-') || next.contains("reset"));
        let next = words.get(at + 1..).unwrap_or_default().iter().take(2).find(goes).filter(|_| is_database);
        next.copied()
            .or_else(|| words.get(at + 1).copied().filter(|next| word.ends_with("manage.py") && has(next, GOES)))
    };
    words.iter().enumerate().find_map(|(at, word)| {
        if named(at, word) {
            return Some(format!("`{} … {word}` empties or drops a database", invocation.program));
        }
        let next = followed(at, word)?;
        Some(format!("`{} … {word} {next}` empties or drops a database", invocation.program))
    })
}

/// Whether one of the parts of `word` is one of `list`.
fn has(word: &str, list: &str) -> bool {
    let parts = word.split(|c: char| !c.is_ascii_alphanumeric());
    parts.map(str::to_ascii_lowercase).any(|part| list.split_ascii_whitespace().any(|one| one == part))
}

#[cfg(test)]
mod tests {
    use crate::risk::{RiskLevel, classify_command};
    use crate::{CommandLine, Shell};

    fn destroys(line: &str) -> bool {
        classify_command(&CommandLine::analyse(line, Shell::Bash)).level == RiskLevel::Destructive
    }

    #[test]
    fn what_says_that_it_empties_a_database_destroys() {
        for line in [
            "php artisan migrate:fresh --seed",
            "php artisan db:wipe --force",
            "php artisan migrate:rollback",
            "php bin/console doctrine:schema:drop --force",
            "npx prisma migrate reset --force",
            "npx prisma db push --force-reset",
            "python manage.py flush --no-input",
            "python3 backend/manage.py reset_db",
            "npx sequelize-cli db:migrate:undo:all",
            "npx knex migrate:rollback",
            "npx typeorm schema:drop",
            "npm run db:reset",
            "npm run resetDb",
            "make dropdb",
            "npm run db:delete",
            "pnpm db:drop",
            "yarn run reset-db",
            "make db-reset",
            "just drop_database",
            "bundle exec rake db:reset",
            "bin/rails db:drop",
            "flask db downgrade",
            "uv run flask db downgrade",
            "sqlx database drop -y",
            "diesel migration revert",
            "diesel database reset",
            "dotnet ef database drop -f",
            "npx supabase db reset",
            "mix ecto.reset",
            "sea-orm-cli migrate fresh",
        ] {
            assert!(destroys(line), "{line}");
        }
    }

    #[test]
    fn other_words_about_databases_do_not() {
        for line in [
            "php artisan migrate",
            "npx prisma migrate dev --name init",
            "rails db:migrate",
            "npm run db:seed",
            "grep -rn db:reset src",
            "rg 'migrate:fresh' .",
            "cargo test db_reset",
            "pytest tests/test_db_reset.py -k migrate_down",
            "git log --grep db:reset",
            "git switch db-reset",
            "echo db:reset",
            "make clean",
            "npm run clean",
            "node scripts/db/reset-check.js",
            "python manage.py migrate",
            "cat db/schema.rb",
        ] {
            assert!(!destroys(line), "{line}");
        }
    }
}
