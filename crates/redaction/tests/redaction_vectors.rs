//! What names say about their values, by the vectors that the libraries for other languages are held to as well.

use handraise_redaction::secrecy_of_name;
use serde::Deserialize;

const VECTORS: &str = include_str!("../../../sdk/vectors/redaction.jsonl");

#[derive(Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Case {
    Name {
        name: String,
        says: Option<String>,
    },
    /// What the packages show of arguments; the server itself redacts with its own marks.
    #[expect(dead_code, reason = "read by the tests of the packages")]
    Shown {
        arguments: serde_json::Value,
        shown: serde_json::Value,
    },
}

#[test]
fn names_say_what_the_vectors_say() {
    let cases: Vec<Case> = VECTORS.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names = cases.iter().filter_map(|case| match case {
        Case::Name { name, says } => Some((name, says)),
        Case::Shown { .. } => None,
    });
    let mut count = 0;
    for (name, says) in names {
        assert_eq!(secrecy_of_name(name), says.as_deref(), "{name}");
        count += 1;
    }
    assert!(count > 80, "{count}");
}
