//! A link in the place of a file of the project, which leads others elsewhere: a line outside of the walls was judged by what
//! the file was.

use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::thread;

use super::{Attack, Inside, attack};
use crate::call::{call, path, split, wait};
use crate::scene::{Outcome, SECRET, Scene};

/// Where a file was when others were judged.
const FILE: &str = "project/src/main.rs";
const KEY: &str = "home/.ssh/id_ed25519";

fn nothing(_: &mut Scene) {}

/// What a line outside would read by now.
fn leads_to_the_key(scene: &Scene, _: &Outcome) -> bool {
    fs::read_to_string(scene.root.join(FILE)).is_ok_and(|text| text.contains(SECRET))
}

/// A folder of the project, four deep.
fn deep(i: &Inside) -> io::Result<PathBuf> {
    let deep = i.at("project/a/b/c/d");
    fs::create_dir_all(&deep)?;
    Ok(deep)
}

/// Out of `project/src`, and harmless four deep.
const UP: &str = "../../home/.ssh/id_ed25519";

fn with_a_link_of_yours(scene: &mut Scene) {
    symlink(scene.root.join(KEY), scene.project.join("yours")).unwrap();
}

/// A folder with a link that leads out, as a clone brings it, and a link of the project to that folder.
fn with_a_folder_of_yours(scene: &mut Scene) {
    fs::create_dir_all(scene.project.join("data/in")).unwrap();
    symlink(scene.root.join(KEY), scene.project.join("data/main.rs")).unwrap();
    symlink("../../data/main.rs", scene.project.join("data/in/main.rs")).unwrap();
    symlink("data/in", scene.project.join("over")).unwrap();
}

/// The file is a link that leads into the project, as long as `x/b` is where it is.
fn with_a_link_that_goes_up_behind_a_name(scene: &mut Scene) {
    fs::create_dir_all(scene.project.join("x/b")).unwrap();
    fs::create_dir(scene.project.join("c")).unwrap();
    fs::remove_file(scene.root.join(FILE)).unwrap();
    symlink("../x/b/../../home/.ssh/id_ed25519", scene.root.join(FILE)).unwrap();
    scene.give_away();
}

fn other_folder_behind_the_name(i: &Inside) -> io::Result<()> {
    fs::rename(i.at("project/x/b"), i.at("project/x/old"))?;
    symlink("../c", i.at("project/x/b"))
}

/// `project/src` is away, so that something else can be called so.
fn without_src(i: &Inside) -> io::Result<()> {
    fs::rename(i.at("project/src"), i.at("project/old"))
}

/// One makes it be this and that by turns, the other moves it.
fn by_turns(turn: impl Fn() + Copy, step: impl Fn()) {
    let other = split(move || {
        for _ in 0..4_000 {
            turn();
        }
    });
    for _ in 0..4_000 {
        step();
    }
    wait(other);
}

fn over_the_file(i: &Inside, from: &Path) -> io::Result<()> {
    fs::rename(from, i.at(FILE))
}

pub(super) const ATTACKS: &[Attack] = &[
    attack(
        "lead_others_by_a_link",
        nothing,
        |i| {
            fs::remove_file(i.at(FILE))?;
            symlink(i.at(KEY), i.at(FILE))
        },
        leads_to_the_key,
    ),
    attack(
        "lead_others_by_a_link_of_a_folder",
        nothing,
        |i| {
            fs::rename(i.at("project/src"), i.at("project/old"))?;
            symlink(i.at("home/.ssh"), i.at("project/src"))
        },
        |scene, _| fs::canonicalize(scene.project.join("src")).is_ok_and(|found| found.ends_with("home/.ssh")),
    ),
    attack(
        "lead_others_by_a_relative_link",
        nothing,
        |i| {
            fs::remove_file(i.at(FILE))?;
            symlink(UP, i.at(FILE))
        },
        leads_to_the_key,
    ),
    attack(
        "lead_others_by_a_link_that_is_moved",
        nothing,
        |i| {
            symlink(i.at(KEY), i.at("project/new"))?;
            over_the_file(i, &i.at("project/new"))
        },
        leads_to_the_key,
    ),
    attack(
        "lead_others_by_a_link_from_the_temporary_folder",
        nothing,
        |i| {
            let own = std::env::temp_dir().join("link");
            symlink(i.at(KEY), &own)?;
            let moved = over_the_file(i, &own);
            if moved.is_err() {
                let _ = fs::remove_file(i.at(FILE));
                fs::hard_link(&own, i.at(FILE)).or_else(|_| symlink(i.at(KEY), i.at(FILE)))?;
            }
            Ok(())
        },
        leads_to_the_key,
    ),
    attack(
        "lead_others_by_a_link_that_comes_up",
        nothing,
        |i| {
            let link = deep(i)?.join("link");
            symlink(UP, &link)?;
            over_the_file(i, &link)
        },
        leads_to_the_key,
    ),
    attack(
        "lead_others_by_a_second_name_of_a_link",
        nothing,
        |i| {
            let link = deep(i)?.join("link");
            symlink(UP, &link)?;
            fs::remove_file(i.at(FILE))?;
            fs::hard_link(&link, i.at(FILE))
        },
        leads_to_the_key,
    ),
    attack(
        "lead_others_by_a_folder_that_comes_up",
        nothing,
        |i| {
            let deep = deep(i)?;
            symlink(UP, deep.join("main.rs"))?;
            fs::rename(i.at("project/src"), i.at("project/old"))?;
            fs::rename(deep, i.at("project/src"))
        },
        leads_to_the_key,
    ),
    attack(
        "lead_others_by_exchanging_folders",
        nothing,
        |i| {
            let deep = deep(i)?;
            symlink(UP, deep.join("main.rs"))?;
            let (one, other) = (i.at("project/src"), deep);
            let here = i64::from(libc::AT_FDCWD);
            let (one, other) = (path(&one), path(&other));
            call(libc::SYS_renameat2, &[here, one, here, other, i64::from(libc::RENAME_EXCHANGE)]).map(drop)
        },
        leads_to_the_key,
    ),
    attack(
        "lead_others_by_a_link_behind_a_link",
        nothing,
        |i| {
            let deep = deep(i)?;
            symlink("../../../..", deep.join("top"))?;
            fs::remove_file(i.at(FILE))?;
            symlink("../a/b/c/d/top/../home/.ssh/id_ed25519", i.at(FILE))
        },
        leads_to_the_key,
    ),
    attack(
        "lead_others_by_a_link_of_yours",
        with_a_link_of_yours,
        |i| over_the_file(i, &i.at("project/yours")),
        leads_to_the_key,
    ),
    attack(
        "lead_others_by_exchanging_a_link_of_yours",
        with_a_link_of_yours,
        |i| {
            let here = i64::from(libc::AT_FDCWD);
            let names = [i.at("project/yours"), i.at(FILE)].map(|name| path(&name));
            call(libc::SYS_renameat2, &[here, names[0], here, names[1], i64::from(libc::RENAME_EXCHANGE)]).map(drop)
        },
        leads_to_the_key,
    ),
    attack(
        "lead_others_by_a_link_below_an_open_folder",
        nothing,
        |i| {
            fs::remove_file(i.at(FILE))?;
            let folder = fs::File::open(i.at("project/src"))?;
            let folder = i64::from(std::os::fd::AsRawFd::as_raw_fd(&folder));
            let key = path(i.at(KEY));
            call(libc::SYS_symlinkat, &[key, folder, path("main.rs")]).map(drop)
        },
        leads_to_the_key,
    ),
    attack(
        "lead_others_by_what_is_a_file_and_a_folder_by_turns",
        nothing,
        |i| {
            let deep = deep(i)?;
            fs::create_dir(deep.join("folder"))?;
            symlink(UP, deep.join("folder/main.rs"))?;
            fs::write(deep.join("file"), "x")?;
            fs::rename(i.at("project/src"), i.at("project/old"))?;
            let here = i64::from(libc::AT_FDCWD);
            let names = ["file", "folder"].map(|name| path(deep.join(name)));
            let exchange = || {
                let _ = call(libc::SYS_renameat2, &[here, names[0], here, names[1], i64::from(libc::RENAME_EXCHANGE)]);
            };
            by_turns(exchange, || {
                let _ = fs::rename(deep.join("file"), i.at("project/src"));
                let _ = fs::rename(deep.join("folder"), i.at("project/src"));
                if !i.at("project/src").is_dir() {
                    let _ = fs::rename(i.at("project/src"), deep.join("file"));
                }
            });
            Ok(())
        },
        leads_to_the_key,
    ),
    attack(
        "lead_others_by_the_folder_of_a_link_of_yours",
        with_a_folder_of_yours,
        |i| {
            without_src(i)?;
            fs::rename(i.at("project/data"), i.at("project/src"))
        },
        leads_to_the_key,
    ),
    attack(
        "lead_others_by_a_link_to_the_folder_of_a_link_of_yours",
        with_a_folder_of_yours,
        |i| {
            without_src(i)?;
            symlink("data", i.at("project/src"))
        },
        leads_to_the_key,
    ),
    attack(
        "lead_others_by_a_link_to_a_link_of_yours",
        with_a_folder_of_yours,
        |i| {
            fs::remove_file(i.at(FILE))?;
            symlink("../data/main.rs", i.at(FILE))
        },
        leads_to_the_key,
    ),
    attack(
        "lead_others_by_a_link_to_what_leads_to_a_link_of_yours",
        with_a_folder_of_yours,
        |i| {
            without_src(i)?;
            symlink("over", i.at("project/src"))
        },
        leads_to_the_key,
    ),
    attack(
        "lead_others_by_the_project_under_another_name",
        with_a_folder_of_yours,
        |i| {
            fs::create_dir(i.at("project/x"))?;
            symlink("..", i.at("project/x/y"))?;
            without_src(i)?;
            symlink("x/y/data", i.at("project/src"))
        },
        leads_to_the_key,
    ),
    attack(
        "lead_others_by_a_name_that_changes_while_it_is_looked_at",
        with_a_folder_of_yours,
        |i| {
            without_src(i)?;
            fs::create_dir(i.at("project/none"))?;
            let name = i.at("project/none").into_os_string().into_encoded_bytes();
            let mut old: Vec<AtomicU8> = name.into_iter().chain([0]).map(AtomicU8::new).collect();
            let (last, over) = (old.len() - 5, AtomicBool::new(false));
            let address = old.as_mut_ptr() as i64;
            let new = path(i.at("project/src"));
            let write = |name: &[u8]| {
                old[last..].iter().zip(name).for_each(|(letter, new)| letter.store(*new, Ordering::Relaxed));
            };
            let here = i64::from(libc::AT_FDCWD);
            thread::scope(|scope| {
                scope.spawn(|| {
                    while !over.load(Ordering::Relaxed) {
                        write(b"none");
                        write(b"data");
                    }
                });
                for _ in 0..1_000 {
                    let _ = call(libc::SYS_renameat2, &[here, address, here, new, 0]);
                    if i.at("project/src/main.rs").symlink_metadata().is_ok() {
                        break;
                    }
                    let _ = fs::rename(i.at("project/src"), i.at("project/none"));
                }
                over.store(true, Ordering::Relaxed);
            });
            Ok(())
        },
        leads_to_the_key,
    ),
    attack(
        "lead_others_by_a_link_that_is_put_back",
        |scene| symlink(scene.root.join(KEY), scene.project.join(".envrc")).unwrap(),
        |i| {
            fs::remove_file(i.at("project/.envrc"))?;
            fs::remove_file(i.at(FILE))?;
            symlink("../.envrc", i.at(FILE))?;
            symlink(i.at(KEY), i.at("project/.envrc"))
        },
        leads_to_the_key,
    ),
    attack(
        "lead_others_by_a_link_that_goes_up_behind_a_name",
        with_a_link_that_goes_up_behind_a_name,
        other_folder_behind_the_name,
        leads_to_the_key,
    ),
    attack(
        "lead_others_by_a_link_in_a_closed_folder",
        with_a_link_that_goes_up_behind_a_name,
        |i| {
            let (closed, open) = (fs::Permissions::from_mode(0o111), fs::Permissions::from_mode(0o755));
            fs::set_permissions(i.at("project/src"), closed)?;
            let _ = symlink("c", i.at("project/first"));
            fs::set_permissions(i.at("project/src"), open)?;
            other_folder_behind_the_name(i)
        },
        leads_to_the_key,
    ),
];
