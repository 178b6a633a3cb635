//! Serving others at a path of the project: whoever connects there from outside gets what the command likes.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

use super::{Attack, Inside, attack};
use crate::call::{call, path, socket, unix, with_address};
use crate::scene::{NOBODY, Outcome, Scene, is_root};

pub(super) fn from_outside(scene: &Scene, _: &Outcome) -> bool {
    scene.was_reached("from outside")
}

/// Somebody outside, who is the same user, connects again and again.
pub(super) fn somebody_comes(scene: &mut Scene) {
    comes(scene, |path| UnixStream::connect(path).is_ok());
}

pub(super) fn somebody_comes_by_packets(scene: &mut Scene) {
    comes(scene, |path| {
        let packets = socket(libc::AF_UNIX, libc::SOCK_SEQPACKET, 0).unwrap();
        let reached = with_address(libc::SYS_connect, packets, &unix(&path.to_string_lossy())).is_ok();
        let _ = call(libc::SYS_close, &[packets]);
        reached
    });
}

/// The same, as root.
pub(super) fn root_comes(scene: &mut Scene) {
    comes_as(scene, || {}, |path| UnixStream::connect(path).is_ok());
}

fn comes(scene: &mut Scene, connects: fn(&Path) -> bool) {
    comes_as(scene, become_the_user, connects);
}

fn comes_as(scene: &mut Scene, becomes: fn(), connects: fn(&Path) -> bool) {
    let path = scene.project.join("served");
    let try_often = move || {
        becomes();
        (0..100).find_map(|_| {
            std::thread::sleep(std::time::Duration::from_millis(5));
            connects(&path).then_some("from outside")
        })
    };
    scene.meanwhile = Some(Box::new(|| std::thread::spawn(try_often).join().unwrap()));
}

/// This thread alone: the system call knows no others.
fn become_the_user() {
    if is_root() {
        let user = i64::from(NOBODY);
        call(libc::SYS_setresgid, &[user, user, user]).unwrap();
        call(libc::SYS_setresuid, &[user, user, user]).unwrap();
    }
}

pub(super) fn wait() {
    println!("ready");
    std::thread::sleep(std::time::Duration::from_millis(400));
}

/// A name in the temporary folder that no other attack has.
pub(super) fn temporary(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("{name}-{}", std::process::id()))
}

/// Where the temporary folder lies outside: what is mounted there says it of itself.
pub(super) fn temporary_outside() -> io::Result<PathBuf> {
    let own = std::env::temp_dir();
    let mounts = fs::read_to_string("/proc/self/mountinfo")?;
    let mut fields = mounts.lines().map(|line| line.split(' ').skip(3));
    let root = fields.find_map(|mut fields| {
        let root = fields.next()?;
        (Path::new(fields.next()?) == own).then(|| PathBuf::from(root))
    });
    Ok(root.filter(|root| root != Path::new("/")).unwrap_or(own))
}

pub(super) fn serve(at: &Path) -> io::Result<()> {
    let _listener = UnixListener::bind(at)?;
    wait();
    Ok(())
}

/// Binds by way of a link that another thread exchanges: whoever looks first sees the temporary folder.
fn exchange(inside: &Inside) -> io::Result<()> {
    let [way, other] = ["project/way", "project/other"].map(|place| inside.at(place));
    symlink(std::env::temp_dir(), &way)?;
    symlink(".", &other)?;
    let (here, places) = (i64::from(libc::AT_FDCWD), [path(&way), path(other)]);
    std::thread::spawn(move || {
        loop {
            // RENAME_EXCHANGE
            let _ = call(libc::SYS_renameat2, &[here, places[0], here, places[1], 2]);
        }
    });
    println!("ready");
    let (there, own) = (inside.at("project/served"), std::env::temp_dir().join("served"));
    for _ in 0..400 {
        let listener = UnixListener::bind(way.join("served"));
        if listener.is_ok() && there.symlink_metadata().is_ok() {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        let _ = (fs::remove_file(&there), fs::remove_file(&own));
    }
    Ok(())
}

pub(super) const ATTACKS: &[Attack] = &[
    attack("serve_others_at_a_path", somebody_comes, |i| serve(&i.at("project/served")), from_outside),
    attack("serve_others_at_a_relative_path", somebody_comes, |_| serve(Path::new("served")), from_outside),
    attack(
        "serve_others_by_packets",
        somebody_comes_by_packets,
        |i| {
            let served = socket(libc::AF_UNIX, libc::SOCK_SEQPACKET, 0)?;
            with_address(libc::SYS_bind, served, &unix(&i.at("project/served").to_string_lossy()))?;
            call(libc::SYS_listen, &[served, 8])?;
            wait();
            Ok(())
        },
        from_outside,
    ),
    attack(
        "serve_others_after_moving_the_socket",
        somebody_comes,
        |i| {
            let own = temporary("moved");
            let _listener = UnixListener::bind(&own)?;
            // Outside, another file system may lie between.
            fs::rename(&own, i.at("project/served")).or_else(|_| symlink(&own, i.at("project/served")))?;
            wait();
            Ok(())
        },
        from_outside,
    ),
    attack(
        "serve_others_by_a_second_name",
        somebody_comes,
        |i| {
            let first = i.at("project/first");
            let _listener = UnixListener::bind(&first)?;
            fs::hard_link(&first, i.at("project/served"))?;
            wait();
            Ok(())
        },
        from_outside,
    ),
    attack(
        "serve_others_by_a_link_to_the_temporary_folder",
        somebody_comes,
        |i| {
            let own = temporary("led");
            let _listener = UnixListener::bind(&own)?;
            symlink(temporary_outside()?.join(own.file_name().unwrap()), i.at("project/served"))?;
            wait();
            Ok(())
        },
        from_outside,
    ),
    attack("serve_others_by_exchanging_a_link", somebody_comes, exchange, from_outside),
];
