//! The patch format of the tool `apply_patch` (Codex and others): which files a patch touches, and
//! for a patch of one file what changes in it.
//!
//! ```text
//! *** Begin Patch
//! *** Update File: src/cart.ts
//! *** Move to: src/basket.ts
//! @@
//!  context
//! -before
//! +after
//! *** End Patch
//! ```

use handraise_policy::Subject;

/// What a patch does to one file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct PatchedFile<'a> {
    path: &'a str,
    moved_to: Option<&'a str>,
    change: Change,
    /// Lines that go or stay.
    before: Vec<&'a str>,
    /// Lines that come or stay.
    after: Vec<&'a str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    Add,
    Update,
    Delete,
}

const MARKS: &[(&str, Change)] =
    &[("*** Add File: ", Change::Add), ("*** Update File: ", Change::Update), ("*** Delete File: ", Change::Delete)];
const MOVE: &str = "*** Move to: ";

/// The files of `patch`, in its order. Lines that belong to none are left out.
pub(crate) fn read(patch: &str) -> Vec<PatchedFile<'_>> {
    let mut files: Vec<PatchedFile<'_>> = Vec::new();
    for line in patch.lines() {
        let mark = line.trim();
        let begun = MARKS.iter().find_map(|(words, change)| Some((mark.strip_prefix(words)?.trim(), *change)));
        if let Some((path, change)) = begun {
            files.push(PatchedFile { path, moved_to: None, change, before: Vec::new(), after: Vec::new() });
            continue;
        }
        let Some(file) = files.last_mut() else { continue };
        if let Some(path) = mark.strip_prefix(MOVE) {
            file.moved_to = Some(path.trim());
        } else if let Some(new) = line.strip_prefix('+') {
            file.after.push(new);
        } else if let Some(old) = line.strip_prefix('-') {
            file.before.push(old);
        } else if let Some(kept) = line.strip_prefix(' ') {
            file.before.push(kept);
            file.after.push(kept);
        }
    }
    files
}

impl PatchedFile<'_> {
    /// The file, and where it is moved to.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.path).chain(self.moved_to)
    }

    /// What there is to see; `None` where that would not be all.
    pub(crate) fn subject(&self) -> Option<Subject> {
        let path = self.path.to_owned();
        match (self.change, self.moved_to) {
            (Change::Add, None) => Some(Subject::Write { path, content: text(&self.after) }),
            (Change::Update, None) => {
                Some(Subject::Edit { path, before: text(&self.before), after: text(&self.after) })
            }
            _ => None,
        }
    }
}

fn text(lines: &[&str]) -> String {
    lines.iter().flat_map(|line| [*line, "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_a_patch_is_named() {
        let patch = "*** Begin Patch\n*** Add File: a\n+one\n*** Delete File: b\n*** Update File: c\n*** Move to: d\n@@\n-x\n+y\n*** End Patch\n";
        let files = read(patch);
        let paths: Vec<&str> = files.iter().flat_map(PatchedFile::paths).collect();
        assert_eq!(paths, ["a", "b", "c", "d"]);
        assert_eq!(files.iter().filter_map(PatchedFile::subject).count(), 1);
    }

    #[test]
    fn an_update_of_one_file_is_an_edit() {
        let files = read("*** Begin Patch\n*** Update File: src/a.ts\n@@ fn\n keep\n-old\n+new\n*** End Patch");
        let [file] = files.as_slice() else { panic!("one file") };
        let edit = Subject::Edit { path: "src/a.ts".into(), before: "keep\nold\n".into(), after: "keep\nnew\n".into() };
        assert_eq!(file.subject(), Some(edit));
    }

    #[test]
    fn an_indented_mark_counts_too() {
        assert_eq!(read("  *** Add File: x \n+a").len(), 1);
        assert!(read("").is_empty() && read("+a\n-b").is_empty());
    }
}
