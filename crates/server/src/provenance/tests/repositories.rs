//! Repositories that git itself has made, and hostile ones.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::super::repository::{common_folder_of, repository};

fn git(folder: &Path, line: &str) -> String {
    let output = Command::new("git")
        .args(["-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "init.defaultBranch=main"])
        .args(line.split(' '))
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .output()
        .unwrap();
    assert!(output.status.success(), "git {line}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// A repository with one commit, and the folder that it lies in.
fn scene() -> (tempfile::TempDir, PathBuf) {
    let root = tempfile::tempdir().unwrap();
    let shop = root.path().canonicalize().unwrap().join("shop");
    std::fs::create_dir_all(shop.join("src/deep")).unwrap();
    git(&shop, "init --quiet");
    git(&shop, "commit --quiet --allow-empty -m first");
    (root, shop)
}

#[test]
fn branch_and_commit_are_what_git_says() {
    let (_root, shop) = scene();
    let found = repository(&shop.join("src/deep")).unwrap();
    assert_eq!(Path::new(&found.folder), shop);
    assert_eq!((found.branch.as_deref(), found.commit, found.worktree_of), (Some("main"), None, None));
    git(&shop, "checkout --quiet -b feature/rounding");
    assert_eq!(repository(&shop).unwrap().branch.as_deref(), Some("feature/rounding"));
    git(&shop, "checkout --quiet --detach");
    let found = repository(&shop).unwrap();
    assert_eq!((found.branch, found.commit), (None, Some(git(&shop, "rev-parse HEAD"))));
}

#[test]
fn a_linked_worktree_names_its_repository() {
    let (_root, shop) = scene();
    git(&shop, "worktree add --quiet -b fix ../shop-fix");
    let linked = shop.with_file_name("shop-fix");
    let found = repository(&linked).unwrap();
    assert_eq!(Path::new(&found.folder), linked);
    assert_eq!(found.branch.as_deref(), Some("fix"));
    assert_eq!(found.worktree_of.as_deref(), shop.to_str());
    assert_eq!(common_folder_of(&linked), common_folder_of(&shop.join("src")));
    assert!(common_folder_of(&linked).is_some());
}

#[test]
fn a_submodule_is_a_repository_of_its_own_and_no_worktree() {
    let (_root, shop) = scene();
    let parts = shop.with_file_name("parts");
    std::fs::create_dir(&parts).unwrap();
    git(&parts, "init --quiet");
    git(&parts, "commit --quiet --allow-empty -m first");
    git(&shop, &format!("-c protocol.file.allow=always submodule --quiet add {} parts", parts.display()));
    let found = repository(&shop.join("parts")).unwrap();
    assert_eq!((found.branch.as_deref(), found.worktree_of), (Some("main"), None));
    assert_ne!(common_folder_of(&shop.join("parts")), common_folder_of(&shop));
}

#[test]
fn no_repository_is_none_and_what_is_hostile_is_not_waited_for() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path().canonicalize().unwrap();
    assert_eq!(repository(&root), None);
    let pipe = |path: &Path| nix::unistd::mkfifo(path, nix::sys::stat::Mode::from_bits_truncate(0o600)).unwrap();
    // A pipe in the place of each file would be waited for for ever.
    let one = root.join("one");
    std::fs::create_dir_all(one.join(".git")).unwrap();
    pipe(&one.join(".git/HEAD"));
    pipe(&one.join(".git/commondir"));
    let found = repository(&one).unwrap();
    assert_eq!((found.branch, found.commit, found.worktree_of), (None, None, None));
    let two = root.join("two");
    std::fs::create_dir_all(&two).unwrap();
    pipe(&two.join(".git"));
    assert_eq!(repository(&two), None);
    // Endless, and no text.
    let three = root.join("three");
    std::fs::create_dir_all(three.join(".git")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", three.join(".git/HEAD")).unwrap();
    let found = repository(&three).unwrap();
    assert_eq!(found.commit, None);
}
