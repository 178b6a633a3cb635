//! What a desktop offers every program of its user: the real servers of the session, and who passes open files on.

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::AsRawFd;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::{Attack, attack};
use crate::call::{call, four, send_to, share, socket, unix, with_address, write};
use crate::scene::{Outcome, Scene, ordinary};

/// How long a server may take to start.
const PATIENCE: Duration = Duration::from_secs(30);
/// What the attacker says when a server has answered it.
const ANSWERED: &str = "a service answered";

fn find(program: &str) -> Option<PathBuf> {
    ["/usr/bin", "/bin", "/usr/sbin"].iter().map(|folder| Path::new(folder).join(program)).find(|path| path.is_file())
}

fn needs(program: &str, missing: &'static str) -> Option<&'static str> {
    find(program).is_none().then_some(missing)
}

fn needs_bus() -> Option<&'static str> {
    needs("dbus-daemon", "dbus-daemon is not installed")
}

fn needs_display() -> Option<&'static str> {
    needs("Xvfb", "Xvfb is not installed")
}

fn needs_agent() -> Option<&'static str> {
    needs("ssh-agent", "ssh-agent is not installed")
}

fn needs_compiler() -> Option<&'static str> {
    needs("cc", "no C compiler is installed")
}

/// A bus that lets every user in. The attacker's has no name on this machine, so that no bus runs as that one.
const BUS: &str = r#"<busconfig><type>session</type><listen>unix:path=bus</listen><auth>EXTERNAL</auth>
    <policy context="default"><allow user="*"/><allow own="*"/><allow send_destination="*"/></policy></busconfig>"#;

/// Starts a server of the ordinary user, which ends with the scene.
fn serve(scene: &mut Scene, program: &str, arguments: &[&str]) {
    let mut command = Command::new(find(program).unwrap());
    command
        .args(arguments)
        .current_dir(&scene.outside)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .stdout(Stdio::piped());
    scene.victims.push(ordinary(&mut command).spawn().unwrap());
}

/// Waits until somebody listens at `at`, in the folder outside.
fn await_listener(scene: &mut Scene, name: &'static str, at: &str) {
    let at = scene.outside.join(at);
    let until = Instant::now() + PATIENCE;
    while UnixStream::connect(&at).is_err() {
        assert!(Instant::now() < until, "{name} does not start");
        std::thread::yield_now();
    }
    scene.names.push((name, at.to_string_lossy().into_owned()));
}

fn bus(scene: &mut Scene) {
    let settings = scene.root.join("bus.conf");
    fs::write(&settings, BUS.replace("path=", &format!("path={}/", scene.outside.display()))).unwrap();
    let mut command = Command::new(find("dbus-daemon").unwrap());
    command.arg("--nofork").arg("--config-file").arg(settings).stdin(Stdio::null()).stderr(Stdio::null());
    scene.victims.push(command.spawn().unwrap());
    await_listener(scene, "bus", "bus");
}

fn agent(scene: &mut Scene) {
    serve(scene, "ssh-agent", &["-D", "-a", "agent"]);
    await_listener(scene, "agent", "agent");
}

fn display(scene: &mut Scene) {
    serve(scene, "Xvfb", &["-displayfd", "1", "-screen", "0", "64x64x8"]);
    let said = scene.victims.last_mut().unwrap().stdout.take().unwrap();
    let mut number = String::new();
    BufReader::new(said).read_line(&mut number).unwrap();
    scene.names.push(("display", format!("/tmp/.X11-unix/X{}", number.trim())));
}

/// What `docker ps` speaks to: HTTP at a path.
fn docker(scene: &mut Scene) {
    listen(scene, "docker.sock", |mut stream| {
        let _ = stream.read(&mut [0; 64]);
        let _ = stream.write_all(b"HTTP/1.0 200 OK\r\n\r\nOK");
    });
}

/// Who comes gets a file outside, open for writing.
fn giver(scene: &mut Scene) {
    let canary = fs::OpenOptions::new().write(true).open(scene.outside.join("canary")).unwrap();
    listen(scene, "giver", move |stream| pass_on(&stream, canary.as_raw_fd()));
}

fn listen(scene: &mut Scene, name: &'static str, serve: impl Fn(UnixStream) + Send + 'static) {
    let at = scene.outside.join(name);
    let listener = UnixListener::bind(&at).unwrap();
    share(&at);
    scene.names.push((name, at.to_string_lossy().into_owned()));
    scene.listening.push(listener.try_clone().unwrap().into());
    std::thread::spawn(move || {
        while let Ok((stream, _)) = listener.accept() {
            serve(stream);
        }
    });
}

/// One byte, and room for one open file beside it (unix(7), `SCM_RIGHTS`).
fn with_message<T>(run: impl FnOnce(&mut libc::msghdr) -> T) -> T {
    let (mut byte, mut beside) = ([b'x'], [0_u64; 4]);
    let mut part = libc::iovec { iov_base: byte.as_mut_ptr().cast(), iov_len: 1 };
    // SAFETY: all zeros is a message without anything.
    let mut message: libc::msghdr = unsafe { MaybeUninit::zeroed().assume_init() };
    message.msg_iov = &raw mut part;
    message.msg_iovlen = 1;
    message.msg_control = beside.as_mut_ptr().cast();
    // SAFETY: it counts bytes.
    message.msg_controllen = unsafe { libc::CMSG_SPACE(4) } as _;
    run(&mut message)
}

fn pass_on(stream: &UnixStream, file: i32) {
    with_message(|message| {
        // SAFETY: there is room for the head and one number.
        unsafe {
            let head = libc::CMSG_FIRSTHDR(message);
            (*head).cmsg_level = libc::SOL_SOCKET;
            (*head).cmsg_type = libc::SCM_RIGHTS;
            (*head).cmsg_len = libc::CMSG_LEN(4) as _;
            libc::CMSG_DATA(head).cast::<i32>().write_unaligned(file);
            libc::sendmsg(stream.as_raw_fd(), message, 0);
        }
    });
}

fn take(stream: i64) -> io::Result<i64> {
    with_message(|message| {
        call(libc::SYS_recvmsg, &[stream, (&raw mut *message) as i64, 0])?;
        // SAFETY: the kernel has written a head and a number, or no head.
        unsafe {
            let head = libc::CMSG_FIRSTHDR(message);
            if head.is_null() {
                return Err(io::ErrorKind::NotFound.into());
            }
            Ok(i64::from(libc::CMSG_DATA(head).cast::<i32>().read_unaligned()))
        }
    })
}

/// Connects to a server at a path or an abstract name.
fn reach(at: &str) -> io::Result<i64> {
    let stream = socket(libc::AF_UNIX, libc::SOCK_STREAM, 0)?;
    with_address(libc::SYS_connect, stream, &unix(at))?;
    Ok(stream)
}

/// Says `said` to a server, and whether it answers in this way.
fn ask(at: &str, said: &[u8], is_answer: impl Fn(&[u8]) -> bool) -> io::Result<()> {
    let stream = reach(at)?;
    call(libc::SYS_write, &[stream, said.as_ptr() as i64, said.len() as i64])?;
    let mut answer = [0_u8; 64];
    let length = call(libc::SYS_read, &[stream, answer.as_mut_ptr() as i64, 64])?;
    if !is_answer(&answer[..usize::try_from(length).unwrap()]) {
        return Err(io::ErrorKind::InvalidData.into());
    }
    println!("{ANSWERED}");
    Ok(())
}

fn answered(_: &Scene, outcome: &Outcome) -> bool {
    outcome.output.contains(ANSWERED)
}

/// The first words of a client: little-endian, version 11, no authorization (X Window System Protocol, "Connection Setup").
fn ask_display(at: &str) -> io::Result<()> {
    let hello = [b'l', 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    ask(at, &hello, |answer| answer.first() == Some(&1))
}

/// A library that writes outside as soon as any program loads it.
fn library(scene: &mut Scene) {
    let source = scene.root.join("library.c");
    let canary = scene.outside.join("canary");
    let text = format!(
        "#include <stdio.h>\n__attribute__((constructor)) static void f(void) {{\n\
         FILE *out = fopen(\"{}\", \"w\"); if (out) fclose(out); }}\n",
        canary.display()
    );
    fs::write(&source, text).unwrap();
    let made = scene.project.join("library.so");
    let built = Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&made).arg(&source).status().unwrap();
    assert!(built.success());
    share(&made);
}

fn canary_changed(scene: &Scene, _: &Outcome) -> bool {
    !scene.is_untouched("outside/canary")
}

fn reached_by_datagram(scene: &Scene, _: &Outcome) -> bool {
    scene.was_reached("udp")
}

const fn with(attack: Attack, not_here: fn() -> Option<&'static str>) -> Attack {
    Attack { not_here, ..attack }
}

pub(super) const ATTACKS: &[Attack] = &[
    with(
        attack(
            "session_bus",
            bus,
            // D-Bus Specification, "Authentication Protocol".
            |i| ask(&i.name("bus"), b"\0AUTH ANONYMOUS\r\n", |answer| answer.starts_with(b"REJECTED EXTERNAL")),
            answered,
        ),
        needs_bus,
    ),
    with(attack("display", display, |i| ask_display(&i.name("display")), answered), needs_display),
    with(
        attack("display_by_abstract_name", display, |i| ask_display(&format!("@{}", i.name("display"))), answered),
        needs_display,
    ),
    with(
        attack(
            "ssh_agent",
            agent,
            // SSH_AGENTC_REQUEST_IDENTITIES, SSH_AGENT_IDENTITIES_ANSWER (draft-ietf-sshm-ssh-agent).
            |i| ask(&i.name("agent"), &[0, 0, 0, 1, 11], |answer| answer.get(4) == Some(&12)),
            answered,
        ),
        needs_agent,
    ),
    attack(
        "docker_socket",
        docker,
        |i| ask(&i.name("docker.sock"), b"GET /_ping HTTP/1.0\r\n\r\n", |answer| answer.ends_with(b"OK")),
        answered,
    ),
    attack(
        "take_an_open_file_from_others",
        giver,
        |i| {
            let canary = take(reach(&i.name("giver"))?)?;
            write(canary, "changed").map(drop)
        },
        canary_changed,
    ),
    attack(
        "ask_a_resolver",
        Scene::listen,
        |i| {
            // Where is `leak.example`? (RFC 1035, section 4)
            let question = "\u{1}\u{1}\u{1}\0\0\u{1}\0\0\0\0\0\0\u{4}leak\u{7}example\0\0\u{1}\0\u{1}";
            let resolver = socket(libc::AF_INET, libc::SOCK_DGRAM, 0)?;
            send_to(resolver, question, 0, &four([127, 0, 0, 1], i.port("udp"))).map(drop)
        },
        reached_by_datagram,
    ),
    with(
        attack(
            "preload_a_library",
            library,
            |i| Command::new("/bin/true").env("LD_PRELOAD", i.at("project/library.so")).status().map(drop),
            canary_changed,
        ),
        needs_compiler,
    ),
];
