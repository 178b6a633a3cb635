//! git's sub-commands.
//!
//! Sources: git(1) and the manual page of each sub-command; gitattributes(5) on `textconv` and
//! external diff programs. What is only in the repository's own configuration is outside of a
//! command line and not judged here.

use crate::programs::effect::Effect::{self, Runs};

/// What `text`, a word behind `front`, does in whatever sub-command it stands, when no pattern spells it out: `--help` opens a page of the
/// manual with the viewer or browser that the repository's configuration names (git-help(1), "CONFIGURATION
/// VARIABLES"), `--rebase=interactive` opens an editor (git-pull(1)).
pub(super) fn word_effect(front: &str, text: &str) -> Option<Effect> {
    let edits = text
        .split_once('=')
        .is_some_and(|(name, value)| name.len() > 3 && "--rebase".starts_with(name) && value.starts_with('i'));
    (text == "--help" || edits || verifies_signature(front, text)).then_some(Runs)
}

/// Whether `text`, a word behind `front`, is or holds a format or a sort key that verifies signatures, with the program that the
/// repository's configuration names: `%G?`, `%-GK`, `%(*signature:grade)`, `--sort=-signature` (git-log(1), "PRETTY
/// FORMATS"; git-for-each-ref(1), "FIELD NAMES").
pub(crate) fn verifies_signature(front: &str, text: &str) -> bool {
    let in_format = text.split('%').skip(1).any(|behind| {
        let placeholder = behind.strip_prefix(['-', '+', ' ']).unwrap_or(behind).strip_prefix('G');
        placeholder.is_some_and(|rest| rest.starts_with(['G', '?', 'S', 'K', 'F', 'P', 'T']))
            || behind.strip_prefix('(').is_some_and(|atom| {
                atom.split(')').next().unwrap_or_default().to_ascii_lowercase().contains("signature")
            })
    });
    let sorts = |option: &str| option.len() > 2 && "--sort".starts_with(option);
    let glued = text.split_once('=').filter(|(option, _)| sorts(option)).map(|(_, key)| key);
    let key = glued.or(sorts(front).then_some(text));
    in_format || key.is_some_and(|key| key.contains("signature"))
}
