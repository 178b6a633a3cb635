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

/// What a patch that `git diff` would write does to one file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct GitFile<'a> {
    /// The file, without the letter that git puts in front.
    pub(crate) path: &'a str,
    /// Its hunks, as the format above has them.
    pub(crate) lines: String,
}

/// The files of `patch`. `None`: it holds something that is not understood.
pub(crate) fn git_files(patch: &str) -> Option<Vec<GitFile<'_>>> {
    const NOWHERE: &str = "/dev/null";
    let mut files: Vec<GitFile<'_>> = Vec::new();
    let mut old = NOWHERE;
    // Lines that a hunk still has: of before, of after.
    let (mut before, mut after) = (0_usize, 0_usize);
    for line in patch.lines() {
        if before > 0 || after > 0 {
            let file = files.last_mut()?;
            match line.as_bytes().first() {
                Some(b'+') => after = after.checked_sub(1)?,
                Some(b'-') => before = before.checked_sub(1)?,
                // Some tools take the space off an empty line.
                Some(b' ') | None => (before, after) = (before.checked_sub(1)?, after.checked_sub(1)?),
                Some(b'\\') => continue,
                Some(_) => return None,
            }
            let mark = if line.is_empty() { " " } else { "" };
            file.lines.extend([mark, line, "\n"]);
        } else if let Some(path) = line.strip_prefix("--- ") {
            old = git_path(path)?;
        } else if let Some(path) = line.strip_prefix("+++ ") {
            let new = git_path(path)?;
            files.push(GitFile { path: if new == NOWHERE { old } else { new }, lines: String::new() });
        } else if let Some(hunk) = line.strip_prefix("@@ -") {
            let (old, rest) = hunk.split_once(" +")?;
            let (new, _) = rest.split_once(" @@")?;
            let count = |range: &str| range.split_once(',').map_or(Some(1), |(_, count)| count.parse().ok());
            (before, after) = (count(old)?, count(new)?);
            files.last_mut()?.lines.push_str("@@\n");
        } else if line.starts_with("Binary files ") || line.starts_with("GIT binary patch") {
            return None;
        }
    }
    (before == 0 && after == 0).then_some(files)
}

/// A path as git writes it in front of hunks. One in quotation marks is not read.
fn git_path(text: &str) -> Option<&str> {
    let path = text.split('\t').next()?;
    if path.starts_with('"') {
        return None;
    }
    Some(path.strip_prefix("a/").or_else(|| path.strip_prefix("b/")).unwrap_or(path))
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
    fn a_patch_of_git_says_the_same_of_each_file() {
        let patch = "diff --git a/src/a.ts b/src/a.ts\nindex 1..2 100644\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,2 +1,2 @@ fn\n keep\n--- old\n+++ new\n\\ No newline at end of file\n--- /dev/null\n+++ b/b\n@@ -0,0 +1 @@\n+one\n";
        let files = git_files(patch).unwrap();
        assert_eq!((files[0].path, &*files[0].lines), ("src/a.ts", "@@\n keep\n--- old\n+++ new\n"));
        assert_eq!((files[1].path, &*files[1].lines), ("b", "@@\n+one\n"));
        assert_eq!(git_files("--- a/x\n+++ b/x\n@@ -1,9 +1 @@\n-a\n"), None);
        assert_eq!(git_files("Binary files a/x and b/x differ"), None);
    }

    #[test]
    fn an_indented_mark_counts_too() {
        assert_eq!(read("  *** Add File: x \n+a").len(), 1);
        assert!(read("").is_empty() && read("+a\n-b").is_empty());
    }
}
