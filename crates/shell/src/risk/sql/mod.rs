//! What SQL can do. It only ever raises a level: a statement that looks harmless may still call a
//! function that is not, so "only looks" here is no reason to let a call pass.

mod statement;
mod tokens;

use super::classification::Classification;
use super::level::RiskLevel;

/// What the statements of `text` can do, the highest of them in any dialect; `None` when it is no
/// SQL that starts with a keyword known here and goes on as that statement does.
///
/// A text is SQL when one of its statements is; the statements that are not count as writing then.
#[must_use]
pub fn classify_sql(text: &str) -> Option<Classification> {
    tokens::DIALECTS.into_iter().filter_map(|dialect| classify_in(text, dialect)).reduce(Classification::or_higher)
}

fn classify_in(text: &str, dialect: tokens::Dialect) -> Option<Classification> {
    let statements = tokens::statements(text, dialect);
    let found: Vec<_> = statements.iter().map(|statement| statement::classify(statement)).collect();
    let highest = found.iter().flatten().cloned().reduce(Classification::or_higher)?;
    if found.iter().any(Option::is_none) {
        let unknown = Classification::new(RiskLevel::Write, "it has a statement that is not known");
        return Some(highest.or_higher(unknown));
    }
    Some(highest)
}

#[cfg(test)]
mod tests;
