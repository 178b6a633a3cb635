//! Folders that one tool fills, and fills again when they are gone.

/// Names of folders that one tool fills, under which nobody keeps work of their own. `build`, `dist`, `out` and `target`
/// are not among them: a project may have such a folder with files of its own.
///
/// Sources: npm, Node.js; Swift Package Manager; Next.js, Nuxt, SvelteKit, Turborepo, Parcel, Angular CLI; Gradle; Python,
/// pytest, mypy, Ruff, tox, nox; nyc; Dart; Xcode.
const FILLED: &[&str] = &[
    "node_modules",
    ".build",
    ".next",
    ".nuxt",
    ".svelte-kit",
    ".turbo",
    ".parcel-cache",
    ".angular",
    ".gradle",
    "__pycache__",
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
    ".tox",
    ".nox",
    ".nyc_output",
    ".dart_tool",
    "DerivedData",
];

/// Folders of tests, in which people write such folders themselves.
const WRITTEN_BY_HAND: &[&str] = &[
    "__fixtures__",
    "__mocks__",
    "__tests__",
    "e2e",
    "example",
    "examples",
    "fixture",
    "fixtures",
    "mock",
    "mocks",
    "sample",
    "samples",
    "spec",
    "specs",
    "test",
    "test-data",
    "test_data",
    "testdata",
    "tests",
];

/// Whether the folders `below` a project lead to one that a tool fills anew, or into it.
#[must_use]
pub fn is_filled_anew<S: AsRef<str>>(below: &[S]) -> bool {
    let filled = below.iter().position(|name| FILLED.contains(&name.as_ref()));
    let above = filled.and_then(|at| below.get(..at));
    above.is_some_and(|above| !above.iter().any(|name| WRITTEN_BY_HAND.contains(&name.as_ref())))
}

#[cfg(test)]
mod tests {
    use super::{FILLED, is_filled_anew};

    #[test]
    fn no_folder_is_filled_anew_in_which_people_keep_work() {
        for name in ["build", "dist", "out", "target", "bin", "obj", "vendor", ".venv", ".git", "coverage"] {
            assert!(!FILLED.contains(&name), "{name}");
        }
        assert!(is_filled_anew(&["web", "node_modules", "left-pad", "test"]));
        assert!(!is_filled_anew(&["tests", "fixtures", "node_modules"]), "people write it");
        assert!(!is_filled_anew(&["src"]));
    }
}
