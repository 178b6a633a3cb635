//! A link in the place of a file of the project, which leads others elsewhere: a line outside of the walls was judged by what
//! the file was.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

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
];
