//! Programs that run another program: with other rights, limits, times or terminals.

use super::class::Class;
use super::fact::Fact;
use super::{Program, UNLISTED, runner};

pub(super) const PROGRAMS: &[Program] = &[
    runner("nohup", "nohup(1)"),
    runner("time", "time(1)"),
    runner("env", "env(1)"),
    runner("timeout", "timeout(1)"),
    runner("nice", "nice(1)"),
    runner("ionice", "ionice(1)"),
    runner("setsid", "setsid(1)"),
    runner("stdbuf", "stdbuf(1)"),
    runner("sudo", "sudo(8)"),
    runner("doas", "doas(1)"),
    runner("xargs", "xargs(1)"),
    runner("su", "su(1)"),
    runner("runuser", "runuser(8)"),
    runner("pkexec", "pkexec(1)"),
    runner("flock", "flock(1)"),
    runner("script", "script(1)"),
    runner("parallel", "parallel(1)"),
    runner("watch", "watch(1)"),
    runner("strace ltrace", "strace(1), ltrace(1)"),
    runner("gdb", "gdb(1)"),
    runner("lldb", "lldb(1)"),
    runner(
        "valgrind perf prlimit run-parts start-stop-daemon dbus-launch watchman cross-env \
            concurrently nodemon pm2 forever supervisord s6-setuidgid s6-applyuidgid runsv ldd ld.so \
            ld-linux.so.2 ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 cgexec capsh with-contenv logsave \
            setlock daemonize daemon detach heaptrack bpftrace stap dtrace choom cpulimit multitime \
            openvt run-mailcap runcon runscope uidgid",
        "valgrind(1), perf(1), prlimit(1) and the manual page of each other",
    ),
    runner(
        "unshare nsenter bwrap proot numactl setpriv sshpass",
        "unshare(1), nsenter(1), bwrap(1) and the manual page of each other",
    ),
    runner("chroot", "chroot(8)"),
    runner(
        "busybox toybox fakeroot unbuffer rlwrap dbus-run-session xvfb-run torsocks proxychains \
            proxychains4",
        "busybox(1), toybox(1), fakeroot(1) and the manual page of each other",
    ),
    runner("tmux", "tmux(1)"),
    runner("screen", "screen(1)"),
    runner("at", "at(1)"),
    runner("batch newgrp", "batch(1), newgrp(1)"),
    runner("crontab", "crontab(1)"),
    runner("systemd-run", "systemd-run(1)"),
    runner(
        "entr caffeinate genv tini dumb-init catchsegv nocache eatmydata torify tsocks aa-exec dzdo",
        "entr(1), caffeinate(1), genv(1) and the manual page of each other",
    ),
    runner("firejail", "firejail(1)"),
    runner("chrt taskset", "chrt(1), taskset(1)"),
    runner("setarch", "setarch(1)"),
    runner("linux32 linux64", "linux32(1), linux64(1)"),
    runner("hyperfine", "hyperfine(1)"),
    runner("direnv", "direnv(1)"),
    runner(
        "gtimeout chpst softlimit setuidgid gosu su-exec faketime",
        "gtimeout(1), chpst(1), softlimit(1) and the manual page of each other",
    ),
    runner("gnice", "gnice(1)"),
    runner("gxargs", "gxargs(1)"),
    runner("sg", "sg(1)"),
    runner("dtach abduco sudoedit zellij byobu", "dtach(1), abduco(1), sudoedit(1) and the manual page of each other"),
    runner("wsl", "wsl(1)"),
    runner("sudo-rs", "the packages that install it under this name"),
    runner("doas-rs", "the packages that install it under this name"),
    Program {
        names: "gdbserver",
        source: "gdbserver(1)",
        is: &[Fact::TakesCommands],
        class: Class::Never("can run commands and open connections"),
        ..UNLISTED
    },
];
