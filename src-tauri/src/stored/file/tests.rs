use std::path::{Path, PathBuf};

use handraise_protocol::{Grant, GrantEffect, GrantId, Matcher, Scope, Settings};
use handraise_server::GrantList;
use serde_json::json;
use uuid::Uuid;

use super::*;
use crate::stored::{grants, settings};
use crate::testing::approval;

/// Writes as the plugin does: in place, without a word about durability.
struct Plain(PathBuf);

impl Backend for Plain {
    fn write(&self, fields: Map<String, Value>) -> Result<(), String> {
        std::fs::write(&self.0, serde_json::to_vec_pretty(&fields).unwrap()).unwrap();
        let private = std::os::unix::fs::PermissionsExt::from_mode(0o600);
        std::fs::set_permissions(&self.0, private).unwrap();
        Ok(())
    }
}

/// The disk is full: half of the file is there, and an error.
struct FullDisk(PathBuf);

impl Backend for FullDisk {
    fn write(&self, fields: Map<String, Value>) -> Result<(), String> {
        let bytes = serde_json::to_vec_pretty(&fields).unwrap();
        std::fs::write(&self.0, &bytes[..bytes.len() / 2]).unwrap();
        Err("no space left on device".into())
    }
}

fn now() -> Timestamp {
    Timestamp::UNIX_EPOCH
}

fn grant(number: u128) -> Grant {
    let approval = approval(number);
    let matcher = json!({"kind": "exact", "tool": "Bash", "arguments_hash": approval.arguments_hash});
    Grant {
        id: GrantId(Uuid::from_u128(number)),
        session: approval.session.unwrap(),
        effect: GrantEffect::Approve,
        matcher: serde_json::from_value::<Matcher>(matcher).unwrap(),
        scope: Scope::Session,
        title: "make".into(),
        created_at: now(),
        expires_at: None,
        decided_in: approval.id,
        tasks: Vec::new(),
    }
}

fn quiet() -> Settings {
    Settings { notifications: false, ..Settings::default() }
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn put(&self, name: &str, content: impl AsRef<[u8]>) {
        write_private(&self.path(name), content.as_ref()).unwrap();
    }

    fn settings(&self) -> Opened<Settings> {
        open(self.0.path(), settings::FORMAT, now())
    }

    fn save_settings(&self, value: &Settings) {
        let path = self.path("settings.json");
        save(&path, settings::FORMAT, &Plain(path.clone()), value).unwrap();
    }

    fn grants(&self) -> Opened<Vec<Grant>> {
        open(self.0.path(), grants::FORMAT, now())
    }

    fn save_grants(&self, value: &Vec<Grant>) {
        let path = self.path("grants.json");
        save(&path, grants::FORMAT, &Plain(path.clone()), value).unwrap();
    }
}

#[test]
fn without_a_file_the_defaults_count_and_nothing_is_said() {
    let opened = Folder::new().grants();
    assert_eq!(opened, Opened { value: Vec::new(), is_new: true, is_valid: true, notice: None, writable: true });
}

#[test]
fn what_was_saved_is_read_again() {
    let folder = Folder::new();
    folder.save_grants(&vec![grant(1), grant(2)]);
    let opened = folder.grants();
    assert_eq!(opened.value, [grant(1), grant(2)]);
    assert_eq!(opened.notice, None);

    folder.save_settings(&quiet());
    assert_eq!(folder.settings().value, quiet());
}

#[test]
fn a_damaged_file_is_set_aside_and_the_good_copy_restored() {
    let folder = Folder::new();
    folder.save_settings(&quiet());
    folder.put("settings.json", "{\"version\": 1, \"set");
    let opened = folder.settings();
    assert_eq!((opened.value, opened.is_valid), (quiet(), true));
    assert!(opened.notice.unwrap().detail.contains("The last good copy has taken its place."));
    assert_eq!(std::fs::read(folder.path("settings.json.damaged-0")).unwrap(), b"{\"version\": 1, \"set");
    assert_eq!(folder.settings().notice, None, "the second start finds everything in order");
}

#[test]
fn a_damaged_list_of_grants_says_nothing_and_the_audit_log_has_them() {
    let folder = Folder::new();
    folder.save_grants(&vec![grant(1)]);
    assert!(!folder.path("grants.json.good").exists(), "the audit log is the other one that knows");
    folder.put("grants.json", "{\"version\": 1, \"gra");
    let plain = |path: &Path| Ok(Box::new(Plain(path.to_owned())) as Box<dyn Backend>);
    let list = grants::GrantFile::new(folder.0.path().to_owned(), Box::new(plain));
    let listed = list.load().unwrap();
    assert_eq!(listed.grants, None);
    assert!(listed.notice.unwrap().detail.contains("The audit log says which of them hold."));
    // What is in force is in the list again.
    list.save(&[grant(1)]).unwrap();
    assert_eq!(list.load().unwrap().grants, Some(vec![grant(1)]));
    std::fs::remove_file(folder.path("grants.json")).unwrap();
    assert_eq!(list.load().unwrap().grants, Some(Vec::new()), "a person has taken all of them out");
}

#[test]
fn without_a_valid_copy_a_damaged_file_gives_nothing() {
    let folder = Folder::new();
    folder.put("settings.json", "nonsense");
    folder.put("settings.json.good", "nonsense too");
    let opened = folder.settings();
    assert_eq!((opened.value, opened.is_valid), (Settings::default(), false));
    assert!(opened.notice.unwrap().detail.contains("default settings"));
}

#[test]
fn a_removed_file_means_nothing_is_remembered() {
    let folder = Folder::new();
    folder.save_grants(&vec![grant(1)]);
    std::fs::remove_file(folder.path("grants.json")).unwrap();
    assert_eq!(folder.grants().value, []);
    folder.save_settings(&quiet());
    std::fs::remove_file(folder.path("settings.json")).unwrap();
    assert_eq!(folder.settings().value, Settings::default(), "the good copy does not bring back what was removed");
}

#[test]
fn a_newer_file_is_left_as_it_is() {
    let folder = Folder::new();
    let text = json!({"version": 2, "grants": {"by": "a later version"}}).to_string();
    folder.put("grants.json", &text);
    let opened = folder.grants();
    assert_eq!((opened.value, opened.is_valid, opened.writable), (Vec::new(), false, false));
    assert!(opened.notice.unwrap().title.contains("newer version"));
    assert_eq!(std::fs::read_to_string(folder.path("grants.json")).unwrap(), text);
}

#[test]
fn a_file_that_others_can_write_is_not_believed() {
    let folder = Folder::new();
    folder.save_grants(&vec![grant(1)]);
    let open_to_all = std::os::unix::fs::PermissionsExt::from_mode(0o666);
    std::fs::set_permissions(folder.path("grants.json"), open_to_all).unwrap();
    assert_eq!(folder.grants().value, []);
}

#[test]
fn an_unknown_field_of_a_grant_damages_the_file() {
    let folder = Folder::new();
    let mut narrowed = serde_json::to_value(grant(1)).unwrap();
    narrowed["only_on"] = json!("sundays");
    folder.put("grants.json", json!({"version": 1, "grants": [narrowed]}).to_string());
    assert_eq!(folder.grants().value, []);
}

#[test]
fn a_full_disk_is_an_error_and_what_was_there_is_put_back() {
    let folder = Folder::new();
    folder.save_settings(&quiet());
    let path = folder.path("settings.json");
    let error = save(&path, settings::FORMAT, &FullDisk(path.clone()), &Settings::default()).unwrap_err();
    assert!(error.to_string().contains("no space left"));
    let opened = folder.settings();
    assert_eq!(opened.value, quiet());
    assert_eq!(opened.notice, None);
}

/// Whatever is in the two files, only a grant out of a valid one is ever read.
#[test]
fn no_bytes_whatever_make_a_grant() {
    let folder = Folder::new();
    folder.save_grants(&vec![grant(1)]);
    let valid = std::fs::read(folder.path("grants.json")).unwrap();
    // A fixed sequence (xorshift), so that a failure can be repeated.
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut random = move |bound: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % bound as u64).unwrap()
    };
    let mut mangled = || {
        let mut bytes = valid.clone();
        match random(4) {
            0 => bytes.truncate(random(bytes.len())),
            1 => {
                let at = random(bytes.len());
                bytes[at] = u8::try_from(random(256)).unwrap();
            }
            2 => bytes = (0..random(64)).map(|_| u8::try_from(random(256)).unwrap()).collect(),
            _ => {
                let at = random(bytes.len());
                bytes.splice(at..at, b"\"grants\": [], ".iter().copied());
            }
        }
        bytes
    };
    for _ in 0..500 {
        let (main, copy) = (mangled(), mangled());
        folder.put("grants.json", &main);
        folder.put("grants.json.good", &copy);
        let read = folder.grants().value;
        let valid_ones: Vec<Vec<Grant>> = [&main, &copy]
            .into_iter()
            .filter_map(|bytes| parse::<Vec<Grant>>(std::str::from_utf8(bytes).ok()?, grants::FORMAT).ok())
            .collect();
        assert!(read.is_empty() || valid_ones.contains(&read), "{}", String::from_utf8_lossy(&main));
        for name in std::fs::read_dir(folder.0.path()).unwrap() {
            std::fs::remove_file(name.unwrap().path()).unwrap();
        }
    }
}
