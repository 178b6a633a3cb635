//! SQL in the arguments of a call.

use serde_json::{Map, Value};

use super::{Classification, classify_sql};

/// Deeper values are not looked into; no tool nests a statement so deep.
const MAX_DEPTH: usize = 16;
const NAMES: [&str; 10] =
    ["query", "queries", "statement", "statements", "stmt", "stmts", "command_text", "commandtext", "ddl", "dml"];

/// What the SQL in `arguments` can do, the highest of it: the texts under a name that holds `sql` or
/// is one such as `query` or `statement`, at any depth up to 16. `None`: there is none.
#[must_use]
pub fn classify_arguments(arguments: &Map<String, Value>) -> Option<Classification> {
    in_object(arguments, false, 0)
}

fn in_object(object: &Map<String, Value>, named: bool, depth: usize) -> Option<Classification> {
    object
        .iter()
        .filter_map(|(name, value)| in_value(value, named || holds_sql(name), depth))
        .reduce(Classification::or_higher)
}

fn in_value(value: &Value, named: bool, depth: usize) -> Option<Classification> {
    if depth >= MAX_DEPTH {
        return None;
    }
    match value {
        Value::String(text) if named => classify_sql(text),
        Value::Array(values) => {
            values.iter().filter_map(|value| in_value(value, named, depth + 1)).reduce(Classification::or_higher)
        }
        Value::Object(object) => in_object(object, named, depth + 1),
        _ => None,
    }
}

fn holds_sql(name: &str) -> bool {
    let name = name.to_lowercase();
    name.contains("sql") || NAMES.contains(&name.as_str()) || name.ends_with("_query") || name.ends_with("_statement")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::RiskLevel;

    fn level(arguments: &Value) -> Option<RiskLevel> {
        classify_arguments(arguments.as_object().unwrap()).map(|found| found.level)
    }

    #[test]
    fn sql_is_found_under_its_usual_names_at_any_depth() {
        assert_eq!(level(&json!({"sql": "SELECT 1"})), Some(RiskLevel::ReadOnly));
        assert_eq!(level(&json!({"Query": "DROP TABLE t"})), Some(RiskLevel::Destructive));
        let nested = json!({"request": {"statements": [{"text": "SELECT 1"}, "DELETE FROM t"]}});
        assert_eq!(level(&nested), Some(RiskLevel::Destructive));
    }

    #[test]
    fn other_text_is_no_sql() {
        assert_eq!(level(&json!({"text": "DROP TABLE t"})), None);
        assert_eq!(level(&json!({"query": "drop shipping companies near me"})), None);
        assert_eq!(level(&json!({"query": "update on the election"})), None);
    }

    #[test]
    fn very_deep_arguments_end() {
        let deep = (0..64).fold(json!({"sql": "DROP TABLE t"}), |inner, _| json!({ "a": inner }));
        assert_eq!(level(&deep), None);
    }
}
