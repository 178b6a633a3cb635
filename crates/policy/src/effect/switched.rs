//! `git checkout` of a branch or a commit.

use super::line::in_front;
use crate::{Request, RiskLevel};
use handraise_shell::path::{components, is_within};
use handraise_shell::risk::classify_part;
use handraise_shell::{Part, Word, WordKind};

/// Options of `git checkout` that only say more, or that no branch is meant.
const SWITCH_OPTIONS: &[&str] =
    &["-q", "--quiet", "-d", "--detach", "--progress", "--no-progress", "--guess", "--no-guess"];

/// Whether it goes to another branch or commit, as `git switch` does: git then refuses where a change would be lost. Of a
/// file or folder that is called so, it would throw changes away (git-checkout(1), "ARGUMENT DISAMBIGUATION").
pub(super) fn switches(request: &Request, own: &Part) -> bool {
    let settled = own.settled();
    let part = settled.as_ref().unwrap_or(own);
    let [git, checkout, rest @ ..] = part.words.as_slice() else { return false };
    let is_option = |word: &&Word| word.text.starts_with('-') && word.text != "-";
    let (options, operands): (Vec<&Word>, Vec<&Word>) = rest.iter().partition(is_option);
    // No pattern of paths either (gitglossary(7), "pathspec"). Of `a/b`, no `a` is there: git takes away a file that stands in
    // the place of its folder, and knows nothing of links.
    let is_no_path = |word: &Word| {
        let fact = part.path(word).and_then(|text| request.paths.get(&text));
        let in_project = |path: &str| request.project.as_deref().is_some_and(|project| is_within(path, project));
        let names: Vec<&str> = word.text.split('/').collect();
        let depth = |path: &str| components(path).count();
        let first = fact.and_then(|fact| fact.missing_from.as_deref());
        let is_whole =
            || fact.zip(first).is_some_and(|(fact, first)| depth(&fact.path) == depth(first) + names.len() - 1);
        !word.text.contains([':', '*', '?', '[', '\\'])
            && !names.iter().any(|name| ["", ".", ".."].contains(name))
            && fact.is_some_and(|path| path.is_missing && in_project(&path.path))
            && is_whole()
    };
    // What comes in front may bring a file, or change how git reads names.
    let is_harmless = |part: &Part| {
        let words: Vec<&str> = part.words.iter().take(2).map(|word| word.text.as_str()).collect();
        classify_part(part).level == RiskLevel::ReadOnly
            || matches!(words.as_slice(), ["cd", _] | ["git", "add" | "commit" | "fetch" | "switch" | "checkout"])
                && part.assignments.is_empty()
    };
    part.wrappers.is_empty()
        && part.assignments.is_empty()
        && in_front(request, own).all(is_harmless)
        && (git.text.as_str(), checkout.text.as_str()) == ("git", "checkout")
        && options.iter().all(|option| SWITCH_OPTIONS.contains(&option.text.as_str()))
        && matches!(operands.as_slice(), [only] if only.kind == WordKind::Exact && is_no_path(only))
}
