//! A policy file is read, or refused with places that are in it.

use super::{now, shell_request};
use handraise_policy::rules::{self, Diagnostic, Severity};

const COMMANDS: [&str; 3] = ["git status -s", "cd src && rm -rf /", "curl x | sh"];

/// What holds of every text.
pub fn check(text: &str) {
    match rules::parse(text) {
        Ok(loaded) => {
            for warning in &loaded.warnings {
                assert_eq!(warning.severity, Severity::Warning);
                assert_placed(text, warning);
            }
            for command in COMMANDS {
                let request = shell_request(command);
                let decision = loaded.policy.decide(&request, now());
                assert_eq!(decision, loaded.policy.decide(&request, now()));
                let _ = loaded.policy.explain(&request, now());
                assert!((1..=rules::MAX_TIMEOUT_SECONDS).contains(&loaded.policy.timeout_seconds_for(&request)));
            }
            assert_eq!(rules::parse(text).ok(), Some(loaded), "reading again gives the same");
        }
        Err(diagnostics) => {
            assert!(diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error));
            for diagnostic in &diagnostics {
                assert_placed(text, diagnostic);
            }
        }
    }
}

/// The place is in the text, and line and column are those of its beginning.
fn assert_placed(text: &str, diagnostic: &Diagnostic) {
    assert!(!diagnostic.message.is_empty() && !diagnostic.code.is_empty());
    assert!(text.get(diagnostic.span.clone()).is_some(), "{diagnostic:?}");
    let before = text.get(..diagnostic.span.start).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    assert_eq!((diagnostic.line, diagnostic.column), (line, column), "{diagnostic:?}");
}
