//! Ways of a connection past the look at its address, and what is given as a standard stream.

use std::io;
use std::net::{TcpListener, TcpStream};
use std::os::fd::{AsRawFd, OwnedFd};

use libc::{AF_INET, AF_INET6, SOCK_DGRAM, SOCK_STREAM};

use super::{Attack, attack};
use crate::call::{call, four, send_to, socket, with_address, write};
use crate::scene::{Outcome, Scene};

const LOCAL: [u8; 4] = [127, 0, 0, 1];

fn nothing(_: &mut Scene) {}

fn opened(_: &Scene, outcome: &Outcome) -> bool {
    outcome.output.contains("opened a door")
}

fn from_outside(scene: &Scene, _: &Outcome) -> bool {
    scene.was_reached("from outside")
}

fn option(socket: i64, level: i32, option: i32, value: &[u8]) -> io::Result<i64> {
    let value = [value.as_ptr() as i64, value.len() as i64];
    call(libc::SYS_setsockopt, &[socket, i64::from(level), i64::from(option), value[0], value[1]])
}

fn way(family: i32, level: i32, name: i32, value: &[u8]) -> io::Result<()> {
    option(socket(family, SOCK_STREAM, 0)?, level, name, value).map(|_| println!("opened a door"))
}

/// A segment routing header by way of `::1`: RFC 8754.
const SEGMENTS: [u8; 24] = [0, 2, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];

/// A port of the attacker's own that somebody else gets when the attacker has let go of it, and says so.
fn somebody_follows(scene: &mut Scene) {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    scene.names.push(("free", port.to_string()));
    scene.meanwhile = Some(Box::new(move || {
        let listener = (0..100).find_map(|_| {
            std::thread::sleep(std::time::Duration::from_millis(5));
            TcpListener::bind(("127.0.0.1", port)).ok()
        })?;
        listener.set_nonblocking(true).unwrap();
        let came = (0..500).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(5));
            listener.accept().is_ok()
        });
        came.then_some("from outside")
    }));
}

/// A listener whose queue is full, and a connection that waits for a place in it.
fn connect_that_waits(port: u16, blocks: bool) -> io::Result<()> {
    let listener = socket(AF_INET, SOCK_STREAM, 0)?;
    crate::call::set_option(listener, libc::SO_REUSEADDR)?;
    with_address(libc::SYS_bind, listener, &four(LOCAL, port))?;
    call(libc::SYS_listen, &[listener, 0])?;
    let _first = TcpStream::connect(("127.0.0.1", port))?;
    let kind = SOCK_STREAM | if blocks { 0 } else { libc::SOCK_NONBLOCK };
    let waits = socket(AF_INET, kind, 0)?;
    let waiting = std::thread::spawn(move || {
        let _ = with_address(libc::SYS_connect, waits, &four(LOCAL, port));
    });
    std::thread::sleep(std::time::Duration::from_millis(100));
    call(libc::SYS_close, &[listener])?;
    println!("let go");
    std::thread::sleep(std::time::Duration::from_millis(2_300));
    let _ = waiting.join();
    Ok(())
}

/// What the attacker gets as its standard input.
fn given(scene: &mut Scene, kind: i32) {
    scene.listen();
    let given = socket(AF_INET, kind, 0).unwrap();
    // SAFETY: the kernel has just made it.
    scene.standard_input = Some(unsafe { <OwnedFd as std::os::fd::FromRawFd>::from_raw_fd(given as i32) });
}

pub(super) const ATTACKS: &[Attack] = &[
    attack(
        "by_way_of_another_machine",
        nothing,
        // IP_OPTIONS, record route. Newer kernels let only root name the route itself.
        |_| way(AF_INET, libc::IPPROTO_IP, 4, &[7, 7, 4, 0, 0, 0, 0, 0]),
        opened,
    ),
    attack("by_way_of_another_machine_in_ipv6", nothing, |_| way(AF_INET6, libc::IPPROTO_IPV6, 57, &SEGMENTS), opened),
    attack(
        "by_way_of_another_machine_in_old_ipv6",
        nothing,
        |_| way(AF_INET6, libc::IPPROTO_IPV6, 5, &SEGMENTS),
        opened,
    ),
    attack(
        "connect_when_something_is_sent",
        somebody_follows,
        |inside| {
            let port = inside.port("free");
            let listener = TcpListener::bind(("127.0.0.1", port))?;
            let one = 1_i32.to_ne_bytes();
            let late = socket(AF_INET, SOCK_STREAM, 0)?;
            // TCP_FASTOPEN_CONNECT, TCP_FASTOPEN_NO_COOKIE
            option(late, libc::IPPROTO_TCP, 30, &one)?;
            option(late, libc::IPPROTO_TCP, 34, &one)?;
            with_address(libc::SYS_connect, late, &four(LOCAL, port))?;
            drop(listener);
            println!("let go");
            std::thread::sleep(std::time::Duration::from_millis(300));
            write(late, "x").map(drop)
        },
        from_outside,
    ),
    attack("connection_that_waits", somebody_follows, |i| connect_that_waits(i.port("free"), false), from_outside),
    attack("connect_call_that_waits", somebody_follows, |i| connect_that_waits(i.port("free"), true), from_outside),
    attack(
        "other_families_of_sockets",
        nothing,
        |_| {
            for family in 3..46 {
                let kinds = [SOCK_STREAM, SOCK_DGRAM, libc::SOCK_RAW, libc::SOCK_SEQPACKET];
                let opens =
                    |kind: &i32| family != AF_INET6 && family != libc::AF_NETLINK && socket(family, *kind, 0).is_ok();
                if kinds.iter().any(opens) {
                    println!("opened a door: {family}");
                }
            }
            Ok(())
        },
        opened,
    ),
    attack(
        "standard_input_that_sends",
        |scene| given(scene, SOCK_DGRAM),
        |i| send_to(0, "x", 0, &four(LOCAL, i.port("udp"))).map(drop),
        |scene, _| scene.was_reached("udp"),
    ),
    attack(
        "standard_input_that_sends_by_message",
        |scene| given(scene, SOCK_DGRAM),
        |i| crate::call::send_message(0, "x", 0, &mut four(LOCAL, i.port("udp"))).map(drop),
        |scene, _| scene.was_reached("udp"),
    ),
    attack(
        "standard_input_that_connects",
        |scene| given(scene, SOCK_STREAM),
        |i| with_address(libc::SYS_connect, 0, &four(LOCAL, i.port("tcp4"))).map(drop),
        |scene, _| scene.was_reached("tcp4"),
    ),
    attack(
        "standard_input_that_connects_anew",
        |scene| {
            scene.listen();
            let elsewhere = TcpListener::bind("127.0.0.1:0").unwrap();
            let given = TcpStream::connect(elsewhere.local_addr().unwrap()).unwrap();
            drop(elsewhere);
            assert!(given.as_raw_fd() > 2);
            scene.standard_input = Some(given.into());
        },
        |i| {
            let _ = with_address(libc::SYS_connect, 0, &[0; 16]);
            with_address(libc::SYS_connect, 0, &four(LOCAL, i.port("tcp4"))).map(drop)
        },
        |scene, _| scene.was_reached("tcp4"),
    ),
    // What the documentation says stays possible.
    attack(
        "see_connections",
        |scene| scene.listen(),
        |i| {
            let wanted = format!(":{:04X} ", i.port("tcp4"));
            let found = std::fs::read_to_string("/proc/net/tcp")?.contains(&wanted);
            if found {
                println!("opened a door");
            }
            Ok(())
        },
        opened,
    ),
];
