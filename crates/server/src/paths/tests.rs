use handraise_policy::path::Protection;

use super::*;

/// A home folder with a protected settings file and a protected folder.
struct Home {
    _root: tempfile::TempDir,
    path: PathBuf,
}

impl Home {
    fn new() -> Self {
        let root = tempfile::Builder::new().prefix("home").tempdir().unwrap();
        let path = root.path().canonicalize().unwrap();
        for folder in [".agent", ".config/own/tokens", "work/.git", "work/src"] {
            std::fs::create_dir_all(path.join(folder)).unwrap();
        }
        for file in [".agent/settings.json", ".config/own/tokens/one", "work/README.md"] {
            std::fs::write(path.join(file), file).unwrap();
        }
        Self { _root: root, path }
    }

    fn protected(&self) -> Protected {
        let paths = [self.path.join(".agent/settings.json"), self.path.join(".config/own")];
        let in_projects = [".agent/settings.json", ".agent/plugins", ".agent/skills"].map(Path::new);
        Protected::new(paths.iter().map(|path| (path.as_path(), Protection::Own)), in_projects, Some(&self.path))
    }

    /// Looked up in a call from the folder `work`.
    fn find(&self, text: &str) -> Option<ResolvedPath> {
        let cwd = self.path.join("work");
        PathResolver::new(Some(self.path.clone())).find(
            text,
            cwd.to_str(),
            &self.protected(),
            &mut SeenFolders::default(),
        )
    }

    fn is_protected(&self, text: &str) -> bool {
        self.find(text).unwrap().protected.is_some()
    }
}

#[test]
fn a_path_is_made_absolute_from_the_working_folder_or_the_home_folder() {
    let home = Home::new();
    let at = |text: &str| PathBuf::from(home.find(text).unwrap().path);
    assert_eq!(at("README.md"), home.path.join("work/README.md"));
    assert_eq!(at("./new/../src"), home.path.join("work/src"));
    assert_eq!(at("~"), home.path);
    assert_eq!(at("~/work/x"), home.path.join("work/x"));
    assert_eq!(at("/nowhere/at/all"), PathBuf::from("/nowhere/at/all"));
}

#[test]
fn a_document_that_a_skill_refers_to_is_no_setting() {
    let home = Home::new();
    assert!(!home.is_protected(".agent/skills/deploy/references/steps.md"));
    assert!(!home.is_protected(".agent/skills/deploy/references/more/steps.md"));
    for text in [
        ".agent/skills/deploy/SKILL.md",
        ".agent/skills/deploy/references/run.sh",
        ".agent/skills/deploy/references",
        ".agent/skills/references/steps.md",
        ".agent/skills/deploy/notes.md",
        ".agent/plugins/skills/deploy/references/steps.md",
        ".agent/settings.json",
    ] {
        assert!(home.is_protected(text), "{text}");
    }
}

#[test]
fn what_cannot_be_told_stays_open() {
    let home = Home::new();
    for text in ["", "a\0b", "~other/x"] {
        assert_eq!(home.find(text), None, "{text:?}");
    }
    assert_eq!(home.find(&"a/".repeat(3_000)), None);
    let resolver = PathResolver::new(Some(home.path.clone()));
    for cwd in [None, Some("relative"), Some("")] {
        assert_eq!(resolver.find("x", cwd, &home.protected(), &mut SeenFolders::default()), None, "{cwd:?}");
    }
    assert_eq!(PathResolver::new(None).find("~/x", Some("/"), &home.protected(), &mut SeenFolders::default()), None);
}

#[test]
fn a_protected_file_is_protected_by_any_spelling() {
    let home = Home::new();
    for text in [
        "~/.agent/settings.json",
        "../.agent/settings.json",
        "src/../../.agent/./settings.json",
        "~/.AGENT/Settings.json",
        "~/.config/own/policy.toml",
        "~/.config/own/tokens/one",
        "~/.config/own",
    ] {
        assert!(home.is_protected(text), "{text}");
    }
    for text in ["README.md", "~/.agent-notes", "~/.config/other", "~", "/"] {
        assert!(!home.is_protected(text), "{text}");
    }
}

#[test]
fn who_moves_the_folder_moves_the_file() {
    let home = Home::new();
    assert!(home.is_protected("~/.agent"));
    assert!(home.is_protected("~/.config"));
}

#[test]
fn a_file_of_a_project_is_protected_in_every_project_before_it_exists() {
    let home = Home::new();
    for text in [".agent/settings.json", ".agent", "deep/er/.agent/settings.json", ".agent/plugins/new/index.js"] {
        assert!(home.is_protected(text), "{text}");
    }
    assert!(!home.is_protected(".agent/notes.md"));
    assert!(!home.is_protected("settings.json"));
}

#[cfg(unix)]
mod links {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_symbolic_link_leads_to_what_it_points_to() {
        let home = Home::new();
        symlink(home.path.join(".agent/settings.json"), home.path.join("work/harmless.txt")).unwrap();
        symlink(home.path.join(".config/own"), home.path.join("work/folder")).unwrap();
        assert!(home.is_protected("harmless.txt"));
        assert!(home.is_protected("folder/not-there-yet"));
        assert!(home.is_protected("folder/../own/x"));
    }

    #[test]
    fn up_from_a_link_is_up_from_its_target() {
        let home = Home::new();
        std::fs::create_dir_all(home.path.join("elsewhere/deep")).unwrap();
        symlink(home.path.join("elsewhere/deep"), home.path.join("work/link")).unwrap();
        assert_eq!(PathBuf::from(home.find("link/../new").unwrap().path), home.path.join("elsewhere/new"));
        assert_eq!(PathBuf::from(home.find("link/..").unwrap().path), home.path.join("elsewhere"));
    }

    #[test]
    fn a_link_to_itself_is_nothing() {
        let home = Home::new();
        symlink("loop", home.path.join("work/loop")).unwrap();
        let found = home.find("loop/x");
        assert!(found.as_ref().is_none_or(|found| found.protected.is_none()), "{found:?}");
    }

    #[test]
    fn a_hard_link_is_the_same_file() {
        let home = Home::new();
        let link = |from: &str, to: &str| std::fs::hard_link(home.path.join(from), home.path.join(to)).unwrap();
        link(".agent/settings.json", "work/harmless.txt");
        link(".config/own/tokens/one", "work/token.txt");
        link("work/README.md", "work/copy.md");
        assert!(home.is_protected("harmless.txt"));
        assert!(home.is_protected("token.txt"));
        assert!(!home.is_protected("copy.md"));
    }

    #[test]
    fn a_hard_link_to_a_file_made_later_is_the_same_file() {
        let home = Home::new();
        std::fs::remove_file(home.path.join(".agent/settings.json")).unwrap();
        let protected = home.protected();
        std::fs::write(home.path.join(".agent/settings.json"), "{}").unwrap();
        std::fs::hard_link(home.path.join(".agent/settings.json"), home.path.join("work/x")).unwrap();
        assert!(protected.of(&home.path.join("work/x"), &mut SeenFolders::default()).is_some());
    }

    #[test]
    fn the_target_of_a_protected_link_is_protected() {
        let home = Home::new();
        let file = home.path.join("dotfiles-policy.toml");
        std::fs::write(&file, "version = 1").unwrap();
        symlink(&file, home.path.join(".config/linked.toml")).unwrap();
        let paths = [home.path.join(".config/linked.toml")];
        let protected =
            Protected::new(paths.iter().map(|path| (path.as_path(), Protection::Own)), [], Some(&home.path));
        assert!(protected.of(&file, &mut SeenFolders::default()).is_some());
    }
}
