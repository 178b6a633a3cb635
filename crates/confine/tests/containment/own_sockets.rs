//! Sockets of the call itself pass the walls: they are reached, and look as they would without.

use std::fs;

use crate::passes::{MODES, says};
use crate::scene::{Mode, Programs, Scene, ordinary};

#[test]
fn its_own_sockets_are_reached() {
    let _programs = Programs::install();
    let scene = Scene::new();
    let serve = "use IO::Socket::INET; use IO::Socket::UNIX; $| = 1;";
    let tcp = "my $l = IO::Socket::INET->new(Listen => 5, LocalAddr => q(127.0.0.1)) or die \"listen $!\"; \
               if (!fork) { my $c = IO::Socket::INET->new(PeerAddr => q(127.0.0.1), PeerPort => $l->sockport) or die \"connect $!\"; \
               print $c \"hello\\n\"; exit } my $c = $l->accept; print <$c>;";
    let unix = "my $p = \"$ENV{TMPDIR}/s\"; my $l = IO::Socket::UNIX->new(Listen => 5, Local => $p) or die \"listen $!\"; \
                if (!fork) { my $c = IO::Socket::UNIX->new(Peer => $p) or die \"connect $!\"; print $c \"hello\\n\"; exit } \
                my $c = $l->accept; print <$c>; unlink $p;";
    // No address in particular is loopback.
    let any = &tcp.replace("PeerAddr => q(127.0.0.1)", "PeerAddr => q(0.0.0.0)");
    // At a path of the project, too, by either kind of name.
    let (relative, whole) = (unix.replace("$ENV{TMPDIR}", "."), unix.replace("$ENV{TMPDIR}", "$ENV{PWD}"));
    for mode in MODES {
        for talk in [tcp, any, unix, &relative, &whole] {
            says(&scene, mode, &format!("perl -e '{}'", [serve, talk].concat()), 0, "hello");
        }
    }
}

/// All that a program can see of a socket at a path, and how its calls fail.
#[test]
fn a_socket_looks_as_without_walls() {
    const LINE: &str = r#"exec perl -e '
        use Socket; umask 027;
        sub new { socket(my $s, AF_UNIX, SOCK_STREAM, 0) or die; $s }
        sub at { bind($_[0], pack_sockaddr_un($_[1])) ? "bound" : "$!" }
        sub to { my $c = new(); connect($c, pack_sockaddr_un($_[0])) ? unpack_sockaddr_un(getpeername $c) : "$!" }
        sub mode { sprintf "%o", (lstat $_[0])[2] }
        sub said { print join(", ", @_), "
" }
        my $s = new();
        said at($s, "src/../s"), mode("s"), to("s"), (listen($s, 9) ? "listens" : $!), to("s"), at($s, "other");
        said unpack_sockaddr_un(getsockname $s);
        chmod 0, "s"; said mode("s"), to("s");
        chmod 0700, "s"; rename "s", "t"; link "t", "u"; symlink "u", "v";
        said to("s"), to("t"), to("u"), to("v"), to("$ENV{PWD}/t");
        said map { at(new(), $_) } "t", ".", "src/..", "src/main.rs/s", "none/s", "none/", "v";
        said bind(new(), pack("S a120", AF_UNIX, "x" x 120)) ? "too long" : "$!";
        unlink "t", "u"; said to("t"), to("v"), to("src/main.rs"), to("src"); unlink "v";
        $s = new(); chmod 0604, $s; said at($s, "s"), mode("s"); listen $s, 9; close $s; said to("s"); unlink "s";
        opendir(my $d, "src") or die; my $n = fileno $d;
        $s = new(); said at($s, "/proc/self/fd/$n/s"), -S "src/s" ? "there" : "not there";
        listen $s, 9; said to("/proc/self/fd/$n/s") ne "" && to("src/s") eq "/proc/self/fd/$n/s" ? "reached" : "no";
        '"#;
    const EXPECTED: &str = "bound, 140750, Connection refused, listens, src/../s, Invalid argument\n\
        src/../s\n\
        140000, Permission denied\n\
        No such file or directory, src/../s, src/../s, src/../s, src/../s\n\
        Address already in use, Address already in use, Address already in use, Not a directory, \
        No such file or directory, No such file or directory, Address already in use\n\
        Invalid argument\n\
        No such file or directory, No such file or directory, Connection refused, Connection refused\n\
        bound, 140600\nConnection refused\n\
        bound, there\nreached";
    let _programs = Programs::install();
    for mode in MODES {
        let scene = Scene::new();
        let mut without = std::process::Command::new("/bin/sh");
        without.args(["-c", LINE]).current_dir(&scene.project);
        let output = ordinary(&mut without).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).trim(), EXPECTED, "without walls");
        fs::remove_file(scene.project.join("src/s")).unwrap();
        says(&scene, mode, LINE, 0, EXPECTED);
    }
}

/// Sockets come and go by the thousand, and none of them is mistaken for another.
#[test]
fn many_sockets_at_paths_leave_nothing() {
    let _programs = Programs::install();
    let line = r#"exec perl -e '
        use IO::Socket::UNIX;
        sub l { IO::Socket::UNIX->new(Listen => 5, Local => $_[0]) or die "$_[0] $!" }
        sub c { IO::Socket::UNIX->new(Peer => $_[0]) }
        my @kept = map { l("kept$_") } 1 .. 90;
        for (1 .. 400) { my $s = l("s"); c("s") or die $!; close $s; c("s") and die; unlink "s" if $_ < 400 }
        for (1 .. 90) { c("kept$_") or die $!; $kept[$_ - 1]->accept->close }
        print "reached"'"#;
    let scene = Scene::new();
    says(&scene, Mode::Namespaces, line, 0, "reached");
    let left = fs::read_dir(&scene.project).unwrap().map(|entry| entry.unwrap().file_name());
    let left: Vec<_> = left.filter(|name| !matches!(name.to_str(), Some("src" | ".git" | "attacker"))).collect();
    assert!(left.is_empty(), "{left:?}");
}

/// A listener that takes nobody, so that who connects waits for ever.
const FULL: &str = "use Socket; use Fcntl; \
    sub full { my ($family, $name) = @_; socket(my $l, $family, SOCK_STREAM, 0) or die; bind($l, $name) or die; \
    listen($l, 0) or die; for (1 .. 4) { socket(my $c, $family, SOCK_STREAM, 0) or die; fcntl($c, F_SETFL, O_NONBLOCK); \
    connect($c, $name); push @keep, $c, $l } getsockname $l }";

/// The supervisor waits for nobody: the time of a call ends it, and so does a signal.
#[test]
fn who_connects_for_ever_holds_up_nobody() {
    let _programs = Programs::install();
    let scene = Scene::new();
    let walls =
        format!(r#"{{"version":1,"project":["{}"],"hide":[],"limits":{{"seconds":2}}}}"#, scene.project.display());
    // The second says now that it waits and now that it does not, while it connects.
    let waits = [
        "my $n = full(AF_INET, pack_sockaddr_in(0, inet_aton q(127.0.0.1))); socket(my $c, AF_INET, SOCK_STREAM, 0); \
         connect($c, pack_sockaddr_in((unpack_sockaddr_in $n)[0], inet_aton q(0.0.0.0))); sleep 60",
        "unlink q(l); my $n = full(AF_UNIX, pack_sockaddr_un q(l)); for (1 .. 20) { socket(my $c, AF_UNIX, SOCK_STREAM, 0); \
         if (!fork) { fcntl($c, F_SETFL, $_[0]++ & 1 ? O_NONBLOCK : 0) while 1 } if (!fork) { connect $c, $n while 1 } } sleep 60",
    ];
    for mode in MODES {
        for wait in waits {
            let (code, said) = scene.line_with(mode, &walls, &format!("exec perl -e '{FULL}; {wait}'"));
            assert!(code == Some(124) && said.contains("the time of this call was over"), "{mode:?} {said} {wait}");
        }
    }
}

/// However many wait, what has to stay is put back, and nothing is left.
#[test]
fn connects_that_wait_leave_enough_files_to_end_a_call() {
    let _programs = Programs::install();
    let line = "rm -f l; exec perl -e '{FULL}; my $n = full(AF_UNIX, pack_sockaddr_un q(l)); \
                open my $h, q(>), q(.git/hooks/pre-commit); print $h q(evil); close $h; $| = 1; \
                for (1 .. 130) { next if fork; socket(my $c, AF_UNIX, SOCK_STREAM, 0); \
                select undef, undef, undef, 0.02 until connect $c, $n; sleep 60 } sleep 1; print q(done)'";
    let line = line.replace("{FULL}", FULL);
    for mode in MODES {
        let scene = Scene::new();
        for inherited in ["", "exec 8</dev/null; ", "exec 7</dev/null 8</dev/null 9</dev/null; "] {
            let walls = scene.walls(mode);
            let mut command = std::process::Command::new("bash");
            command.args(["-c", &format!("{inherited}ulimit -n 250; exec \"$@\""), "bash"]).arg(walls.get_program());
            command.args(walls.get_args()).args(["-c", &line]).current_dir(&scene.project);
            let output = ordinary(&mut command).output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success() && !said.contains("COULD NOT"), "{mode:?} {inherited} {output:?}");
            assert!(said.contains("processes that it left running"), "{mode:?} {inherited} {said}");
            assert!(!scene.project.join(".git/hooks/pre-commit").exists(), "{mode:?} {inherited} {said}");
        }
        let walls = scene.walls(mode);
        let mut command = std::process::Command::new("bash");
        command.args(["-c", "ulimit -n 140; exec \"$@\"", "bash"]).arg(walls.get_program());
        command.args(walls.get_args()).args(["-c", "echo ran"]).current_dir(&scene.project);
        let output = ordinary(&mut command).output().unwrap();
        assert!(output.status.code() == Some(125) && output.stdout.is_empty(), "{mode:?} {output:?}");
    }
}

/// Bound to a device, a socket sends what it has for loopback out of the machine.
#[test]
fn a_socket_is_bound_to_no_device() {
    let _programs = Programs::install();
    let scene = Scene::new();
    let line = "exec perl -e 'use Socket; socket(my $s, AF_INET, SOCK_STREAM, 0) or die; \
                for ([25, qq(lo\\0)], [62, pack q(i), 1]) { print setsockopt($s, SOL_SOCKET, $$_[0], $$_[1]) ? q(bound ) : qq($! ) }'";
    let free = std::process::Command::new("/bin/sh").args(["-c", line]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&free.stdout).trim(), "bound bound", "without walls");
    for mode in MODES {
        says(&scene, mode, line, 0, "Operation not permitted Operation not permitted");
    }
}
