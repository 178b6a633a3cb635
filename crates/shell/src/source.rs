//! The piece of the text that a simple command was written as.

use brush_parser::SourceSpan;
use brush_parser::ast::{
    CommandPrefixOrSuffixItem, IoFileRedirectTarget, IoRedirect, SimpleCommand, SourceLocation, Word,
};

/// The text of `command` within `text`, with its redirections and without the bodies of
/// here-documents.
pub(super) fn of(text: &str, command: &SimpleCommand) -> String {
    let prefix = || command.prefix.iter().flat_map(|prefix| &prefix.0);
    // The grammar keeps no place for the operator of a redirection: in front of everything else its
    // beginning is unknown.
    if prefix().any(|item| matches!(item, CommandPrefixOrSuffixItem::IoRedirect(_))) {
        return command.to_string();
    }
    let items = prefix().chain(command.suffix.iter().flat_map(|suffix| &suffix.0));
    let places = || command.word_or_name.iter().filter_map(Word::location).chain(items.clone().filter_map(place));
    let start = places().map(|place| place.start.index).min();
    let end = places().map(|place| place.end.index).max();
    let (Some(start), Some(end)) = (start, end) else { return text.trim().to_owned() };
    text.chars().skip(start).take(end.saturating_sub(start)).collect::<String>().trim().to_owned()
}

fn place(item: &CommandPrefixOrSuffixItem) -> Option<SourceSpan> {
    let CommandPrefixOrSuffixItem::IoRedirect(redirect) = item else { return item.location() };
    match redirect {
        IoRedirect::File(_, _, IoFileRedirectTarget::Filename(word) | IoFileRedirectTarget::Duplicate(word))
        | IoRedirect::HereString(_, word)
        | IoRedirect::OutputAndError(word, _) => word.location(),
        IoRedirect::HereDocument(_, document) => document.here_end.location(),
        IoRedirect::File(..) => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::{CommandLine, Shell};

    #[test]
    fn a_part_is_shown_as_it_was_written() {
        for (line, expected) in [
            ("git status -s; npm test > out.txt 2>&1 && ls", vec!["git status -s", "npm test > out.txt 2>&1", "ls"]),
            ("echo 'a;  b' >> ~/x | cat", vec!["echo 'a;  b' >> ~/x", "cat"]),
            ("NO_COLOR=1 cargo   test", vec!["NO_COLOR=1 cargo   test"]),
            ("cat <<'EOF'\nbody\nEOF\n", vec!["cat <<'EOF'"]),
            ("größe=1; echo 世界 x", vec!["echo 世界 x"]),
        ] {
            let parts = CommandLine::analyse(line, Shell::Bash).parts;
            let shown: Vec<&str> = parts.iter().map(|part| part.text.as_str()).collect();
            let shown: Vec<&str> = shown.into_iter().rev().take(expected.len()).rev().collect();
            assert_eq!(shown, expected, "{line}");
        }
    }
}
