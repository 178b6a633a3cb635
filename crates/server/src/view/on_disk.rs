//! What a call changes in a file that is there already.

use std::time::Duration;

use handraise_display::line;
use handraise_policy::{Request, Subject};
use handraise_protocol::{Approval, DiffHunk, ReplacedFile, SubjectView};
use similar::{Change, TextDiff};

use super::diff_line;
use crate::paths::OnDisk;
use crate::redacted::RequestRedactor;

/// Lines that are shown around what changes.
const CONTEXT: usize = 3;
/// How long two texts are compared; then the rest counts as replaced.
const MAX_TIME: Duration = Duration::from_millis(200);
/// Longest text that says why a file is not shown, in characters.
const MAX_WHY: usize = 300;

/// `approval`, which `asked` came to, with what is `on_disk` at the place that it writes. `original` is the call with its
/// secrets.
pub(crate) fn with_file(
    approval: &mut Approval,
    original: &Request,
    asked: &Request,
    on_disk: OnDisk,
    redactor: &RequestRedactor,
) {
    match (&mut approval.subject, &asked.subject, &original.subject) {
        (SubjectView::Write(write), Subject::Write { content, .. }, _) => {
            write.replaces = Some(match on_disk {
                OnDisk::Text(held) => ReplacedFile::Text { hunks: hunks(&redactor.text(&held), content) },
                OnDisk::Binary(bytes) => ReplacedFile::Binary { bytes },
                OnDisk::Unseen(why) => ReplacedFile::Unseen { why: line(&redactor.text(&why), MAX_WHY) },
            });
        }
        (SubjectView::Edit(edit), _, Subject::Edit { before, .. }) => {
            if let OnDisk::Text(held) = on_disk {
                edit.first_line = only_place(&held, before);
            }
        }
        _ => {}
    }
}

/// `approval` as a requester may have it: it may not be able to read the file itself.
pub(crate) fn without_file(approval: &Approval) -> Approval {
    let mut approval = approval.clone();
    approval.consequences.clear();
    match &mut approval.subject {
        SubjectView::Write(write) => write.replaces = None,
        SubjectView::Edit(edit) => edit.first_line = None,
        _ => {}
    }
    approval
}

/// What changes from one text to another, with a few lines around each place.
fn hunks(before: &str, after: &str) -> Vec<DiffHunk> {
    let diff = TextDiff::configure().timeout(MAX_TIME).diff_lines(before, after);
    let number = |index: Option<usize>| u32::try_from(index.unwrap_or_default() + 1).unwrap_or(u32::MAX);
    diff.grouped_ops(CONTEXT)
        .iter()
        .filter_map(|group| {
            let first = group.first()?;
            let changes = group.iter().flat_map(|operation| diff.iter_changes(operation));
            Some(DiffHunk {
                before: number(Some(first.old_range().start)),
                after: number(Some(first.new_range().start)),
                lines: changes.map(|change: Change<&str>| diff_line(&change)).collect(),
            })
        })
        .collect()
}

/// The number of the line in which `part` begins, from 1, when it is in `text` exactly once.
fn only_place(text: &str, part: &str) -> Option<u32> {
    let at = text.find(part).filter(|_| !part.is_empty())?;
    let (above, rest) = text.split_at_checked(at)?;
    let mut next = rest.chars();
    next.next();
    (!next.as_str().contains(part)).then(|| u32::try_from(above.matches('\n').count() + 1).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use handraise_protocol::DiffSign;

    use super::*;

    #[test]
    fn what_changes_is_found_with_the_lines_around_it_and_their_numbers() {
        let held: String = (1..=40).map(|number| format!("line {number}\n")).collect();
        let changed = held.replace("line 10\n", "").replace("line 30\n", "line thirty\n");
        let found = hunks(&held, &changed);
        assert_eq!(found.iter().map(|hunk| (hunk.before, hunk.after)).collect::<Vec<_>>(), [(7, 7), (27, 26)]);
        let signs = |hunk: &DiffHunk, wanted| hunk.lines.iter().filter(|line| line.sign == wanted).count();
        assert_eq!(found.iter().map(|hunk| signs(hunk, DiffSign::Remove)).collect::<Vec<_>>(), [1, 1]);
        assert_eq!(found.iter().map(|hunk| signs(hunk, DiffSign::Add)).collect::<Vec<_>>(), [0, 1]);
        assert_eq!(hunks(&held, &held), []);
    }

    #[test]
    fn a_part_has_a_place_when_it_is_there_once() {
        assert_eq!(only_place("a\nb\nc\n", "b\nc"), Some(2));
        assert_eq!(only_place("a\nb\na\n", "a"), None);
        assert_eq!(only_place("aaa", "aa"), None, "also where they overlap");
        assert_eq!(only_place("ä\nß", "ß"), Some(2));
        assert_eq!(only_place("a", ""), None);
        assert_eq!(only_place("a", "b"), None);
    }
}
