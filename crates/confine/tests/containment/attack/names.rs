//! Seeing what lies elsewhere without reading it: names, sizes, where links lead, what is mounted, when files are used.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;

use super::{Attack, Inside, attack};
use crate::call::{call, open, path};
use crate::scene::{Outcome, SECRET, Scene};

const KEY: &str = "home/.ssh/id_ed25519";
const TOOL: &str = "home/.cargo/bin/tool";
const PASSWORDS: &str = "/etc/shadow";

fn nothing(_: &mut Scene) {}

fn opened(_: &Scene, outcome: &Outcome) -> bool {
    outcome.output.contains("opened a door")
}

fn door<T>(result: io::Result<T>) -> io::Result<()> {
    result.map(|_| println!("opened a door"))
}

/// Whether an attempt ends otherwise where something is than where nothing is.
fn door_if_told(inside: &Inside, attempt: impl Fn(&Path) -> io::Result<()>) -> io::Result<()> {
    let [there, absent] = ["home/.ssh", "home/.absent"].map(|place| attempt(&inside.at(place)));
    let numbers = [&there, &absent].map(|done| done.as_ref().err().and_then(io::Error::raw_os_error));
    if numbers[0] != numbers[1] { door(Ok(())) } else { there }
}

fn key_size(_: &Scene, outcome: &Outcome) -> bool {
    outcome.output.contains(&format!("size {}", SECRET.len()))
}

fn say_size(found: io::Result<fs::Metadata>) -> io::Result<()> {
    println!("size {}", found?.len());
    Ok(())
}

fn with_somebody_who_uses_a_tool(scene: &mut Scene) {
    with_somebody_who_uses(scene, TOOL);
}

/// Somebody opens a file again and again.
pub(super) fn with_somebody_who_uses(scene: &mut Scene, file: &str) {
    let tool = scene.root.join(file);
    scene.meanwhile = Some(Box::new(move || {
        for _ in 0..60 {
            std::thread::sleep(std::time::Duration::from_millis(5));
            drop(fs::File::open(&tool));
        }
        None
    }));
}

/// Watches with inotify(7) what happens meanwhile.
pub(super) fn watch(at: &Path, meanwhile: impl FnOnce()) -> io::Result<()> {
    let watch = call(libc::SYS_inotify_init1, &[i64::from(libc::IN_NONBLOCK)])?;
    call(libc::SYS_inotify_add_watch, &[watch, path(at), i64::from(libc::IN_OPEN)])?;
    println!("ready");
    meanwhile();
    let mut events = [0_u8; 256];
    door(call(libc::SYS_read, &[watch, events.as_mut_ptr() as i64, 256]))
}

pub(super) fn wait() {
    std::thread::sleep(std::time::Duration::from_millis(300));
}

/// Something that only root can mount.
pub(super) fn with_mount(scene: &mut Scene) {
    let place = scene.outside.join("mounted");
    fs::create_dir(&place).unwrap();
    let kind = path("tmpfs");
    call(libc::SYS_mount, &[kind, path(&place), kind, 0, 0]).unwrap();
    scene.mounts.push(place);
}

pub(super) const ATTACKS: &[Attack] = &[
    attack("see_names_and_sizes", nothing, |i| say_size(fs::metadata(i.at(KEY))), key_size),
    attack(
        "see_sizes_from_where_it_was_started",
        nothing,
        |_| say_size(fs::metadata(Path::new("..").join(KEY))),
        key_size,
    ),
    attack(
        "see_sizes_through_root",
        nothing,
        |i| say_size(fs::metadata(format!("/proc/self/root{}", i.at(KEY).display()))),
        key_size,
    ),
    attack(
        "see_sizes_below_an_inherited_folder",
        |scene| scene.inherited = fs::File::open(&scene.home).ok(),
        |_| say_size(fs::metadata("/proc/self/fd/9/.ssh/id_ed25519")),
        key_size,
    ),
    attack(
        "see_sizes_by_handle",
        nothing,
        |i| {
            let key = open(i.at(KEY), libc::O_PATH)?;
            say_size(fs::metadata(format!("/proc/self/fd/{key}")))
        },
        key_size,
    ),
    attack(
        "see_sizes_through_a_link_of_its_own",
        nothing,
        |i| {
            symlink(i.at(KEY), i.at("project/link"))?;
            say_size(fs::metadata(i.at("project/link")))
        },
        key_size,
    ),
    attack(
        "see_size_of_the_passwords",
        nothing,
        |_| say_size(fs::metadata(PASSWORDS)),
        |_, outcome| outcome.output.contains(&format!("size {}\n", fs::metadata(PASSWORDS).unwrap().len())),
    ),
    attack(
        "list_names",
        nothing,
        |i| {
            for entry in fs::read_dir(i.at("home/.ssh"))? {
                println!("{}", entry?.path().display());
            }
            Ok(())
        },
        |_, outcome| outcome.output.contains("id_ed25519"),
    ),
    attack("go_to_a_folder", nothing, |i| door(std::env::set_current_dir(i.at("home/.ssh"))), opened),
    attack(
        "ask_whether_a_file_is_there",
        nothing,
        |i| door(call(libc::SYS_faccessat, &[i64::from(libc::AT_FDCWD), path(i.at(KEY)), i64::from(libc::F_OK)])),
        opened,
    ),
    attack(
        "ask_for_the_handle_of_a_file",
        nothing,
        |i| {
            let mut handle = [128_u32, 0].to_vec();
            handle.resize(64, 0);
            let (mut mount, here) = (0_i32, i64::from(libc::AT_FDCWD));
            let places = [handle.as_mut_ptr() as i64, &raw mut mount as i64];
            door(call(libc::SYS_name_to_handle_at, &[here, path(i.at(KEY)), places[0], places[1], 0]))
        },
        opened,
    ),
    attack("see_names_by_making_folders", nothing, |i| door_if_told(i, |at| fs::create_dir(at)), opened),
    attack("see_names_by_removing_folders", nothing, |i| door_if_told(i, |at| fs::remove_dir(at)), opened),
    attack("see_names_by_binding", nothing, |i| door_if_told(i, |at| UnixListener::bind(at).map(drop)), opened),
    attack("see_names_by_renaming", nothing, |i| door_if_told(i, |at| fs::rename(i.at("project/src"), at)), opened),
    attack("see_names_by_running", nothing, |i| door_if_told(i, |at| Command::new(at).status().map(drop)), opened),
    attack(
        "see_where_links_lead",
        |scene| symlink("/somewhere/else", scene.home.join(".ssh/link")).unwrap(),
        |i| {
            let target = fs::read_link(i.at("home/.ssh/link"))?;
            if target.ends_with("else") { door(Ok(())) } else { Err(io::ErrorKind::NotFound.into()) }
        },
        opened,
    ),
    attack(
        "see_when_files_are_used",
        nothing,
        |i| {
            let watch = call(libc::SYS_inotify_init1, &[0])?;
            door(call(libc::SYS_inotify_add_watch, &[watch, path(i.at("home/.ssh")), i64::from(libc::IN_OPEN)]))
        },
        opened,
    ),
    attack(
        "see_when_a_device_is_used",
        |scene| with_somebody_who_uses(scene, "/dev/null"),
        |_| watch(Path::new("/dev/null"), wait),
        opened,
    ),
    attack("see_when_a_tool_is_used", with_somebody_who_uses_a_tool, |i| watch(&i.at(TOOL), wait), opened),
    attack(
        "see_when_a_folder_of_tools_is_used",
        with_somebody_who_uses_a_tool,
        |i| watch(&i.at("home/.cargo/bin"), wait),
        opened,
    ),
    Attack {
        name: "see_what_is_mounted",
        prepare: with_mount,
        run: |i| {
            let mounts = fs::read_to_string("/proc/self/mountinfo")?;
            let wanted = i.at("outside/mounted").display().to_string();
            if mounts.contains(&wanted) { door(Ok(())) } else { Err(io::ErrorKind::NotFound.into()) }
        },
        happened: opened,
        not_here: super::needs_root,
    },
];
