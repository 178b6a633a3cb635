//! The temporary files that walls name: what may be read, written and made there.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::passes::MODES;
use crate::scene::{Mode, Programs, Scene};

/// A folder among the temporary files of everybody, in which everybody may make something, as in `/tmp` itself.
struct Shared(tempfile::TempDir);

impl Shared {
    fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("shared-").tempdir_in("/tmp").unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o1777)).unwrap();
        Self(folder)
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

fn walls(scene: &Scene, read: &[&Path], made: &[&Path]) -> String {
    let project = scene.project.display();
    format!(r#"{{"version":1,"project":["{project}"],"hide":[],"read":{read:?},"made":{made:?}}}"#)
}

#[test]
fn what_walls_name_among_the_temporary_files_is_read_and_made() {
    let _programs = Programs::install();
    for mode in MODES {
        let (scene, shared) = (Scene::new(), Shared::new());
        let (script, beside, out) = (shared.at("s.sh"), shared.at("beside"), shared.at("out.txt"));
        fs::write(&script, "echo read").unwrap();
        fs::write(&beside, "somebody's").unwrap();
        let walls = walls(&scene, &[&script], &[&out, &shared.at("never")]);
        let line = format!(
            "sh {0} > {1}; cat {1}; cat {2}; echo x > {0}; echo y > {3}",
            script.display(),
            out.display(),
            beside.display(),
            shared.at("other").display()
        );
        let (_, said) = scene.line_with(mode, &walls, &line);
        assert!(said.starts_with("read\n") && !said.contains("somebody's"), "{mode:?} {said}");
        assert_eq!(fs::read_to_string(&out).unwrap(), "read\n", "{mode:?}");
        assert_eq!(fs::read_to_string(&script).unwrap(), "echo read", "{mode:?}");
        assert!(!shared.at("other").exists() && !shared.at("never").exists(), "{mode:?}");
    }
}

#[test]
fn what_is_no_file_and_no_folder_stays_inside() {
    let _programs = Programs::install();
    let (scene, shared) = (Scene::new(), Shared::new());
    let (link, pipe, folder, taken) = (shared.at("link"), shared.at("pipe"), shared.at("folder"), shared.at("taken"));
    let walls = walls(&scene, &[], &[&link, &pipe, &folder.join("deep"), &taken]);
    let line = format!(
        "ln -s /etc/passwd {}; mkfifo {}; mkdir -p {1}x {2}/deep; ln -s / {2}/deep/root; mv {3} {3}x; echo mine > {3}; exit 3",
        link.display(),
        pipe.display(),
        folder.display(),
        taken.display()
    );
    let (code, said) = scene.line_with(Mode::Namespaces, &walls, &line);
    assert_eq!(code, Some(3), "{said}");
    assert!(said.contains("stayed inside the walls and is gone"), "{said}");
    for place in [&link, &pipe] {
        assert!(fs::symlink_metadata(place).is_err(), "{}", place.display());
    }
    // A link in a folder leads where every link of an agent may lead: whoever follows it is asked about that.
    assert!(folder.join("deep/root").is_symlink());
    assert_eq!(fs::read_to_string(&taken).unwrap(), "mine\n");
}
