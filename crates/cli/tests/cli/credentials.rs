//! What the policy calls a credential, and what the walls hide: two tables, since the walls stand on nothing of the domain.

use std::path::{Path, PathBuf};

use handraise_shell::path::{is_credential, known_credentials};

/// The home folder of these tests.
const HOME: &str = "/home/ana";

/// What the policy calls a credential and the walls do not name, and why.
const NOT_NAMED: &[(&str, &str)] = &[
    (".config/pip/pip.conf", "pip does not start without it; docs/confine.md says so"),
    (".pip/pip.conf", "the same"),
    ("containers/auth.json", "the end of a path below /run/user, which no walls open"),
    ("user/globalstorage/state.vscdb", "the end of a path below the folders of the editors, which are hidden"),
    ("user/globalstorage/state.vscdb.backup", "the same"),
    ("appdata/roaming/nuget/nuget.config", "Windows has no walls"),
];

/// The places that no walls open, in small letters.
fn hidden() -> Vec<PathBuf> {
    let secrets = handraise_confine::secrets(&[PathBuf::from(HOME)]);
    secrets.iter().map(|place| PathBuf::from(place.to_string_lossy().to_lowercase())).collect()
}

fn in_home(known: &str) -> PathBuf {
    Path::new(HOME).join(known.trim_end_matches('/'))
}

#[test]
fn the_walls_hide_what_the_policy_calls_a_credential() {
    let hidden = hidden();
    let is_hidden = |path: &Path| hidden.iter().any(|place| path.starts_with(place));
    let is_named = |known: &str| {
        // Some ends of paths are those of the system.
        is_hidden(&in_home(known)) || is_hidden(&Path::new("/").join(known.trim_end_matches('/')))
    };
    let open: Vec<&str> = known_credentials().filter(|known| !is_named(known)).collect();
    let excepted: Vec<&str> = NOT_NAMED.iter().map(|(known, _)| *known).collect();
    let missing: Vec<&&str> = open.iter().filter(|known| !excepted.contains(known)).collect();
    assert!(missing.is_empty(), "add them to SECRETS in crates/confine/src/places.rs: {missing:#?}");
    let needless: Vec<&&str> = excepted.iter().filter(|known| !open.contains(known)).collect();
    assert!(needless.is_empty(), "the walls name them by now, or the policy no longer does: {needless:#?}");
}

#[test]
fn what_the_walls_hide_by_name_in_a_project_is_a_credential_for_the_policy() {
    let walls = handraise_confine::Walls::around("/home/ana/shopfront".into());
    for name in &walls.hide {
        let file = format!("/home/ana/shopfront/{}", name.replace('*', "local"));
        assert!(is_credential(&file, Some(HOME)), "{file}");
    }
    for name in handraise_confine::TEMPLATES {
        let file = format!("/home/ana/shopfront/{name}");
        assert!(!is_credential(&file, Some(HOME)), "{file}");
    }
}
