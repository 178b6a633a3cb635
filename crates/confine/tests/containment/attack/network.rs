//! Reaching somebody outside.

use std::io;
use std::net::Ipv6Addr;
use std::os::unix::fs::symlink;

use libc::{AF_INET, AF_INET6, AF_NETLINK, AF_UNIX, SOCK_DGRAM, SOCK_RAW, SOCK_STREAM};

use super::{Attack, Inside, attack};
use crate::call::{call, four, send_message, send_to, set_option, six, socket, split, unix, wait, with_address};
use crate::scene::{Outcome, Scene};

const LOCAL: [u8; 4] = [127, 0, 0, 1];

fn listen(scene: &mut Scene) {
    scene.listen();
}

macro_rules! reached {
    ($($name:ident $text:literal),+ $(,)?) => {
        $(fn $name(scene: &Scene, _: &Outcome) -> bool { scene.was_reached($text) })+
    };
}

reached! {
    tcp4 "tcp4", tcp6 "tcp6", udp "udp", unix_socket "unix", in_project "unix-in-project", abstract_socket "abstract",
    datagram "datagram", abstract_datagram "abstract-datagram", from_outside "from outside",
}

fn connect(family: i32, kind: i32, protocol: i32, address: &[u8]) -> io::Result<()> {
    with_address(libc::SYS_connect, socket(family, kind, protocol)?, address).map(drop)
}

fn connect_unix(at: &str) -> io::Result<()> {
    connect(AF_UNIX, SOCK_STREAM, 0, &unix(at))
}

fn pair(kind: i32) -> io::Result<i64> {
    let mut two = [0_i32; 2];
    call(libc::SYS_socketpair, &[i64::from(AF_UNIX), i64::from(kind), 0, two.as_mut_ptr() as i64])?;
    Ok(i64::from(two[0]))
}

/// Somebody who listens at a port, any when it is 0, that others may listen at, too.
fn shared(port: u16) -> io::Result<i64> {
    let listener = socket(AF_INET, SOCK_STREAM, 0)?;
    set_option(listener, libc::SO_REUSEPORT)?;
    // The kernel shares a port among sockets of one user only.
    call(libc::SYS_fchown, &[listener, 424_242, 424_242]).ok();
    with_address(libc::SYS_bind, listener, &four(LOCAL, port))?;
    call(libc::SYS_listen, &[listener, 64])?;
    Ok(listener)
}

fn port_of(socket: i64) -> u16 {
    let mut address = [0_u8; 16];
    let mut length = 16_u32;
    call(libc::SYS_getsockname, &[socket, address.as_mut_ptr() as i64, &raw mut length as i64]).unwrap();
    u16::from_be_bytes([address[2], address[3]])
}

/// Whether some of those who call at the port come to somebody else.
fn lacks_somebody(listener: i64, port: u16) -> Option<&'static str> {
    // SAFETY: the descriptor is this listener's alone.
    let listener = unsafe { <std::net::TcpListener as std::os::fd::FromRawFd>::from_raw_fd(listener as i32) };
    listener.set_nonblocking(true).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(50));
    let callers: Vec<_> = (0..30).filter_map(|_| std::net::TcpStream::connect(("127.0.0.1", port)).ok()).collect();
    let came = (0..30).filter(|_| listener.accept().is_ok()).count();
    (came < callers.len()).then_some("from outside")
}

/// Says what opened.
fn opened(_: &Scene, outcome: &Outcome) -> bool {
    outcome.output.contains("opened a door")
}

fn open_door(result: io::Result<i64>) -> io::Result<()> {
    result.map(|_| println!("opened a door"))
}

/// Listens at an address that others reach, and waits for somebody to come.
fn serve(address: &[u8], bound: bool) -> io::Result<()> {
    let listener = socket(AF_INET, SOCK_STREAM, 0)?;
    if bound {
        with_address(libc::SYS_bind, listener, address)?;
    }
    call(libc::SYS_listen, &[listener, 5])?;
    std::thread::sleep(std::time::Duration::from_millis(200));
    Ok(())
}

/// Somebody outside calls at an address that only those have who listen at every address.
fn somebody_calls(scene: &mut Scene) {
    somebody_calls_at(scene, "127.0.0.2");
}

fn somebody_calls_loopback(scene: &mut Scene) {
    somebody_calls_at(scene, "127.0.0.1");
}

/// A free port, for the attacker to listen at; somebody outside tries it meanwhile.
fn somebody_calls_at(scene: &mut Scene, address: &'static str) {
    let port = std::net::TcpListener::bind("0.0.0.0:0").unwrap().local_addr().unwrap().port();
    scene.names.push(("free", port.to_string()));
    scene.meanwhile = Some(Box::new(move || {
        // Two seconds: in an emulated machine it takes a while until somebody listens.
        for _ in 0..400 {
            // Where nobody listens, a socket that happens to have that very port reaches itself.
            let reached = std::net::TcpStream::connect((address, port));
            if reached.is_ok_and(|socket| socket.local_addr().ok() != socket.peer_addr().ok()) {
                return Some("from outside");
            }
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        None
    }));
}

fn serve_after_word(inside: &Inside, address: [u8; 4]) -> io::Result<()> {
    serve(&four(address, inside.port("free")), true)
}

pub(super) const ATTACKS: &[Attack] = &[
    attack("tcp4", listen, |i| connect(AF_INET, SOCK_STREAM, 0, &four(LOCAL, i.port("tcp4"))), tcp4),
    attack("tcp6", listen, |i| connect(AF_INET6, SOCK_STREAM, 0, &six(Ipv6Addr::LOCALHOST, i.port("tcp6"))), tcp6),
    attack(
        "tcp4_in_tcp6",
        listen,
        |i| connect(AF_INET6, SOCK_STREAM, 0, &six(std::net::Ipv4Addr::LOCALHOST.to_ipv6_mapped(), i.port("tcp4"))),
        tcp4,
    ),
    attack("tcp_by_zero_address", listen, |i| connect(AF_INET, SOCK_STREAM, 0, &four([0; 4], i.port("tcp4"))), tcp4),
    attack(
        "multipath_tcp",
        listen,
        |i| connect(AF_INET, SOCK_STREAM, libc::IPPROTO_MPTCP, &four(LOCAL, i.port("tcp4"))),
        tcp4,
    ),
    attack(
        "fast_open_by_sendto",
        listen,
        |i| {
            let s = socket(AF_INET, SOCK_STREAM, 0)?;
            send_to(s, "x", libc::MSG_FASTOPEN, &four(LOCAL, i.port("tcp4"))).map(drop)
        },
        tcp4,
    ),
    attack(
        "fast_open_by_sendmsg",
        listen,
        |i| {
            let s = socket(AF_INET, SOCK_STREAM, 0)?;
            send_message(s, "x", libc::MSG_FASTOPEN, &mut four(LOCAL, i.port("tcp4"))).map(drop)
        },
        tcp4,
    ),
    attack(
        "connect_race_in_memory",
        listen,
        |inside| {
            // A port of its own, that it may connect to, and that of another, in turn in the same place.
            let own = std::net::TcpListener::bind("127.0.0.1:0")?;
            let own = four(LOCAL, own.local_addr()?.port());
            let other = four(LOCAL, inside.port("tcp4"));
            let place = Box::leak(own.clone().into_boxed_slice()).as_mut_ptr() as usize;
            let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
            let told = stop.clone();
            let racer = std::thread::spawn(move || {
                while !told.load(std::sync::atomic::Ordering::Relaxed) {
                    for text in [&other, &own] {
                        // SAFETY: a race is what this is for.
                        unsafe { std::ptr::copy_nonoverlapping(text.as_ptr(), place as *mut u8, text.len()) };
                    }
                }
            });
            for _ in 0..3_000 {
                // It does not wait: nobody accepts at its own port.
                let s = socket(AF_INET, SOCK_STREAM | libc::SOCK_NONBLOCK, 0)?;
                let _ = call(libc::SYS_connect, &[s, place as i64, 16]);
                call(libc::SYS_close, &[s])?;
            }
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
            racer.join().map_err(|_| io::Error::other("racer"))
        },
        tcp4,
    ),
    attack(
        "take_over_a_port_that_was_its_own",
        |scene| {
            scene.listen();
            let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
            scene.names.push(("free", port.to_string()));
            scene.meanwhile = Some(Box::new(move || {
                // Somebody else gets the port when the attacker has let go of it.
                std::thread::sleep(std::time::Duration::from_millis(100));
                let listener = std::net::TcpListener::bind(("127.0.0.1", port)).unwrap();
                listener.set_nonblocking(true).unwrap();
                for _ in 0..100 {
                    if listener.accept().is_ok() {
                        return Some("from outside");
                    }
                    std::thread::sleep(std::time::Duration::from_millis(5));
                }
                None
            }));
        },
        |inside| {
            drop(std::net::TcpListener::bind(("127.0.0.1", inside.port("free")))?);
            println!("let go");
            for _ in 0..60 {
                std::thread::sleep(std::time::Duration::from_millis(5));
                let _ = std::net::TcpStream::connect(("127.0.0.1", inside.port("free")));
            }
            Ok(())
        },
        from_outside,
    ),
    attack(
        "share_a_port_of_others",
        |scene| {
            let listener = shared(0).unwrap();
            let port = port_of(listener);
            scene.names.push(("shared", port.to_string()));
            scene.meanwhile = Some(Box::new(move || lacks_somebody(listener, port)));
        },
        |inside| {
            println!("ready");
            shared(inside.port("shared"))?;
            std::thread::sleep(std::time::Duration::from_millis(300));
            Ok(())
        },
        from_outside,
    ),
    attack(
        "take_callers_of_localhost_by_the_other_family",
        |scene| {
            let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
            let port = listener.local_addr().unwrap().port();
            scene.names.push(("shared", port.to_string()));
            scene.meanwhile = Some(Box::new(move || {
                std::thread::sleep(std::time::Duration::from_millis(50));
                // As a client of `localhost` that tries version 6 first.
                let came = std::net::TcpStream::connect((Ipv6Addr::LOCALHOST, port));
                drop(listener);
                came.is_ok().then_some("from outside")
            }));
        },
        |inside| {
            let listener = socket(AF_INET6, SOCK_STREAM, 0)?;
            with_address(libc::SYS_bind, listener, &six(Ipv6Addr::LOCALHOST, inside.port("shared")))?;
            println!("ready");
            call(libc::SYS_listen, &[listener, 64])?;
            std::thread::sleep(std::time::Duration::from_millis(300));
            Ok(())
        },
        from_outside,
    ),
    attack(
        "share_a_port_with_who_comes_later",
        |scene| {
            let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
            scene.names.push(("shared", port.to_string()));
            scene.meanwhile = Some(Box::new(move || lacks_somebody(shared(port).ok()?, port)));
        },
        |inside| {
            // Bound before there is anybody to share it with, and listened at afterwards.
            let listener = socket(AF_INET, SOCK_STREAM, 0)?;
            set_option(listener, libc::SO_REUSEPORT)?;
            with_address(libc::SYS_bind, listener, &four(LOCAL, inside.port("shared")))?;
            println!("ready");
            std::thread::sleep(std::time::Duration::from_millis(20));
            call(libc::SYS_listen, &[listener, 64])?;
            std::thread::sleep(std::time::Duration::from_millis(300));
            Ok(())
        },
        from_outside,
    ),
    attack(
        "udp",
        listen,
        |i| send_to(socket(AF_INET, SOCK_DGRAM, 0)?, "x", 0, &four(LOCAL, i.port("udp"))).map(drop),
        udp,
    ),
    attack(
        "udp_connected",
        listen,
        |i| {
            let s = socket(AF_INET, SOCK_DGRAM, 0)?;
            with_address(libc::SYS_connect, s, &four(LOCAL, i.port("udp")))?;
            crate::call::write(s, "x").map(drop)
        },
        udp,
    ),
    attack(
        "udp_by_sendmsg",
        listen,
        |i| send_message(socket(AF_INET, SOCK_DGRAM, 0)?, "x", 0, &mut four(LOCAL, i.port("udp"))).map(drop),
        udp,
    ),
    attack(
        "listen_at_every_address",
        somebody_calls,
        |i| {
            println!("ready");
            serve_after_word(i, [0; 4])
        },
        from_outside,
    ),
    // What the documentation says stays possible.
    attack(
        "serve_others_on_loopback",
        somebody_calls_loopback,
        |i| {
            println!("ready");
            serve_after_word(i, LOCAL)
        },
        from_outside,
    ),
    attack("unix", listen, |i| connect_unix(&i.name("unix")), unix_socket),
    attack(
        "unix_by_symlink",
        listen,
        |i| {
            symlink(i.name("unix"), i.at("project/link"))?;
            connect_unix(&i.at("project/link").to_string_lossy())
        },
        unix_socket,
    ),
    attack(
        "unix_by_hard_link",
        listen,
        |i| {
            std::fs::hard_link(i.name("unix"), i.at("project/link"))?;
            connect_unix(&i.at("project/link").to_string_lossy())
        },
        unix_socket,
    ),
    attack("unix_by_proc_root", listen, |i| connect_unix(&format!("/proc/self/root{}", i.name("unix"))), unix_socket),
    attack("unix_of_others_in_the_project", listen, |i| connect_unix(&i.name("unix-in-project")), in_project),
    attack(
        "unix_of_others_at_the_name_of_its_own",
        listen,
        |i| {
            let own = i.at("project/own");
            let listener = std::os::unix::net::UnixListener::bind(&own)?;
            std::fs::rename(i.name("unix-in-project"), &own)?;
            let done = connect_unix(&own.to_string_lossy());
            drop(listener);
            done
        },
        in_project,
    ),
    attack(
        "unix_race",
        listen,
        |i| {
            let _own = std::os::unix::net::UnixListener::bind(i.at("project/own"))?;
            let swapper = split(|| {
                for _ in 0..1_500 {
                    for target in [i.at("project/own").to_string_lossy().into_owned(), i.name("unix")] {
                        let _ = symlink(target, i.at("project/new"));
                        let _ = std::fs::rename(i.at("project/new"), i.at("project/link"));
                    }
                }
            });
            for _ in 0..3_000 {
                let s = socket(AF_UNIX, SOCK_STREAM | libc::SOCK_NONBLOCK, 0)?;
                let _ = with_address(libc::SYS_connect, s, &unix(&i.at("project/link").to_string_lossy()));
                call(libc::SYS_close, &[s])?;
            }
            wait(swapper);
            Ok(())
        },
        unix_socket,
    ),
    attack("abstract", listen, |i| connect_unix(&i.name("abstract")), abstract_socket),
    attack(
        "datagram",
        listen,
        |i| send_to(socket(AF_UNIX, SOCK_DGRAM, 0)?, "x", 0, &unix(&i.name("datagram"))).map(drop),
        datagram,
    ),
    attack(
        "datagram_by_raw_socket",
        listen,
        |i| send_to(socket(AF_UNIX, SOCK_RAW, 0)?, "x", 0, &unix(&i.name("datagram"))).map(drop),
        datagram,
    ),
    attack(
        "datagram_by_pair",
        listen,
        |i| send_to(pair(SOCK_DGRAM)?, "x", 0, &unix(&i.name("datagram"))).map(drop),
        datagram,
    ),
    attack(
        "datagram_by_raw_pair",
        listen,
        |i| send_message(pair(SOCK_RAW)?, "x", 0, &mut unix(&i.name("datagram"))).map(drop),
        datagram,
    ),
    attack(
        "datagram_by_pair_with_flags",
        listen,
        |i| {
            send_to(pair(SOCK_DGRAM | libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK)?, "x", 0, &unix(&i.name("datagram")))
                .map(drop)
        },
        datagram,
    ),
    attack(
        "abstract_datagram",
        listen,
        |i| send_to(socket(AF_UNIX, SOCK_DGRAM, 0)?, "x", 0, &unix(&i.name("abstract-datagram"))).map(drop),
        abstract_datagram,
    ),
    attack(
        "take_an_abstract_name",
        |scene| {
            let name = unix(&format!("@handraise-taken-{}/", scene.root.display()));
            scene.meanwhile = Some(Box::new(move || {
                for _ in 0..40 {
                    let s = socket(AF_UNIX, SOCK_STREAM, 0).unwrap();
                    let found = with_address(libc::SYS_connect, s, &name).is_ok();
                    call(libc::SYS_close, &[s]).unwrap();
                    if found {
                        return Some("from outside");
                    }
                    std::thread::sleep(std::time::Duration::from_millis(5));
                }
                None
            }));
        },
        |i| {
            // Somebody outside would find the attacker there.
            let name = format!("@handraise-taken-{}", i.at("").display());
            let s = socket(AF_UNIX, SOCK_STREAM, 0)?;
            println!("ready");
            with_address(libc::SYS_bind, s, &unix(&name))?;
            call(libc::SYS_listen, &[s, 5])?;
            std::thread::sleep(std::time::Duration::from_millis(100));
            Ok(())
        },
        from_outside,
    ),
    attack("netlink_audit", |_| {}, |_| open_door(socket(AF_NETLINK, SOCK_RAW, libc::NETLINK_AUDIT)), opened),
    attack("netlink_events", |_| {}, |_| open_door(socket(AF_NETLINK, SOCK_RAW, libc::NETLINK_KOBJECT_UEVENT)), opened),
    attack(
        "netlink_sockets_of_others",
        |_| {},
        |_| open_door(socket(AF_NETLINK, SOCK_RAW, libc::NETLINK_SOCK_DIAG)),
        opened,
    ),
];
