//! Versions, as agents' programs print them.

/// Whether `printed` begins with, or has behind one word, a plain version of three numbers that is
/// `least` or later. A pre-release is not known to be any version.
pub(crate) fn is_at_least(printed: &str, least: [u32; 3]) -> bool {
    read(printed).is_some_and(|version| version >= least)
}

fn read(printed: &str) -> Option<[u32; 3]> {
    let word = printed.split_whitespace().find(|word| word.starts_with(|first: char| first.is_ascii_digit()))?;
    let parts: Option<Vec<u32>> = word.trim_end_matches('.').split('.').map(|part| part.parse().ok()).collect();
    parts?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_version_that_is_known_counts() {
        for version in ["2.1.295 (Claude Code)", "2.1.329\n", "2.2.0", "3.0.0", "codex-cli 2.1.295"] {
            assert!(is_at_least(version, [2, 1, 295]), "{version}");
        }
        for version in ["2.1.294", "1.9.999", "2.1", "2.1.295-beta", "", "unknown"] {
            assert!(!is_at_least(version, [2, 1, 295]), "{version}");
        }
    }
}
