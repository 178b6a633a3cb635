//! `handraise confine`: the program beside this one runs the command, and its end is the command's.

use crate::common::{TestFolders, run};

#[test]
#[cfg(target_os = "linux")]
fn a_command_inside_walls_ends_as_it_would_outside() {
    let place = TestFolders::new();
    let project = tempfile::tempdir_in("/var/tmp").unwrap();
    let project = project.path().to_str().unwrap();
    let inside = |line: &str| run(place.command(&["confine", "--project", project, "--", "sh", "-c", line]), b"");
    let done = inside("echo out; exit 3");
    assert_eq!((done.status.code(), String::from_utf8_lossy(&done.stdout).trim()), (Some(3), "out"), "{done:?}");
    // Beside the folder, where this user may write as well.
    let canary = format!("{project}-canary");
    let denied = inside(&format!("echo x > {canary}"));
    assert!(!denied.status.success() && !std::path::Path::new(&canary).exists(), "{denied:?}");
}

#[test]
fn it_says_what_this_machine_can_hold() {
    let place = TestFolders::new();
    let told = run(place.command(&["confine", "--explain", "--json"]), b"");
    let told: serde_json::Value = serde_json::from_slice(&told.stdout).unwrap();
    assert!(told["landlock_abi"].is_u64() && told["namespaces"].is_boolean(), "{told}");
    assert_eq!(run(place.command(&["confine"]), b"").status.code(), Some(2));
}
