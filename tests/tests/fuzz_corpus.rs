//! What fuzzing has found to be different from everything before it, fed again to what reads hostile text. New inputs
//! come from `make fuzz KEEP=1`.

#![expect(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking, and so do the targets")]

use std::panic::catch_unwind;

#[expect(unreachable_pub, reason = "the targets use it as a library")]
#[path = "../fuzz/src/lib.rs"]
mod fuzz;

/// Feeds every line of `corpus`, a string in JSON, to `check`.
fn replay(corpus: &str, check: fn(&str)) {
    let mut failed = Vec::new();
    let texts: Vec<String> = corpus.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for text in &texts {
        if catch_unwind(|| check(text)).is_err() {
            failed.push(text);
        }
    }
    assert!(failed.is_empty(), "{} of {} inputs fail: {failed:#?}", failed.len(), texts.len());
    assert!(texts.len() >= 100, "only {} inputs", texts.len());
}

macro_rules! replayed {
    ($($target:ident)*) => {
        $(
            #[test]
            fn $target() {
                replay(include_str!(concat!("../fuzz/corpus/", stringify!($target), ".jsonl")), fuzz::$target::check);
            }
        )*
    };
}

replayed!(analyser decide display policy_parser redaction);
