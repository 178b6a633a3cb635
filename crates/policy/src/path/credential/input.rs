//! Which programs show what is redirected to them.

use super::is_cluster_with;
use handraise_shell::{Fact, Part, Word, WordKind, file_use, has_fact};

/// Whether `part` may show or copy what the files hold that its redirections read. Most programs may: what a line makes of
/// its input, such as `read` in a loop, may be shown by another part of it.
pub(crate) fn shows_input(part: &Part) -> bool {
    // `$(<file)` is `$(cat file)` (bash manual, "Command Substitution").
    let Some(program) = part.program() else { return true };
    let name = program.strip_prefix("/usr/bin/").or_else(|| program.strip_prefix("/bin/")).unwrap_or(program);
    // A program in a folder of somebody's is only called so.
    let Some(options) = file_use(name).hides_input.filter(|_| !name.contains('/')) else { return true };
    let runs_otherwise = |wrapper: &String| has_fact(wrapper, Fact::Fed) || !has_fact(wrapper, Fact::Transparent);
    part.wrappers.iter().any(runs_otherwise) || part.words.iter().skip(1).any(|word| may_be_one(word, options))
}

/// Whether `word` may be one of `options`, a long one cut short.
pub(super) fn may_be_one(word: &Word, options: &str) -> bool {
    let name = word.text.split('=').next().unwrap_or_default();
    let is = |option: &str| match option.strip_prefix("--") {
        Some(_) => name.len() > 2 && option.starts_with(name),
        None => option.chars().nth(1).is_some_and(|letter| is_cluster_with(&word.text, letter)),
    };
    let varies = word.kind == WordKind::Varies && word.may_be_option();
    let mut options = options.split_ascii_whitespace();
    if varies { options.next().is_some() } else { options.any(is) }
}
