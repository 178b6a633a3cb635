//! Words of a text in any language that may name a program.

use super::super::super::command_line::{Word, WordKind};

/// More text than this is not searched, in characters; see `recovery`.
const MAX_LENGTH: usize = 16 * 1024;

/// `text` cut at everything that is no part of a program's name or path: `os.system("rm x")` has `os.system`,
/// `rm` and `x`, and `["rm", "x"]` has `rm` and `x`.
pub(crate) fn words(text: &str) -> Vec<Word> {
    let belongs = |c: char| c.is_alphanumeric() || "_-./+~@^".contains(c);
    // To `env -S` it is a blank (GNU coreutils manual, "env invocation").
    let text: String = text.replace("\\_", " ").chars().take(MAX_LENGTH).collect();
    text.split(|c: char| !belongs(c))
        .filter(|word| !word.is_empty())
        .map(|word| Word { text: word.to_owned(), kind: WordKind::Exact })
        .collect()
}

/// Whether there is more than one word in `text`, or a word that something else belongs to.
pub(super) fn is_script(text: &str) -> bool {
    text.contains(|c: char| c.is_whitespace() || "!|;&()[]{}='\"`,<>:%+\\".contains(c))
}

/// `|command` or `command|` in the place of a file.
pub(super) fn pipes(text: &str) -> bool {
    text.trim_start().starts_with('|') || text.trim_end().ends_with('|')
}
