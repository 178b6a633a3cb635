//! Programs that run another program: with other rights, limits, times or terminals.

use super::class::Class;
use super::danger::danger;
use super::fact::Fact;
use super::file_use::FileUse;
use super::form::form;
use super::interactive::Interactive;
use super::printer::printer;
use super::runs::{Wrapper, behind, script};
use super::{Program, UNLISTED, later, runner};

const ATTACHES: &str = "reads and changes another program that runs";

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: "nohup",
        source: "nohup(1)",
        is: &[Fact::OfTheSystem, Fact::Prefixed, Fact::RunsOperands],
        class: Class::Never("runs another program"),
        wrapper: Some(&Wrapper { ..Wrapper::PLAIN }),
        runs: &[behind("", 0)],
        ..UNLISTED
    },
    Program {
        names: "time",
        source: "time(1)",
        is: &[Fact::OfTheSystem, Fact::RunsOperands, Fact::Transparent],
        class: Class::Never("runs another program"),
        wrapper: Some(&Wrapper { flags: &["-p"], ..Wrapper::PLAIN }),
        runs: &[behind("", 0)],
        flags: "-p -a -v -q --append --portability --quiet --verbose",
        valued: "-o --output -f --format",
        files: FileUse { written: "-o --output", ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "env",
        source: "env(1)",
        is: &[Fact::OfTheSystem, Fact::Prefixed, Fact::RunsOperands, Fact::Transparent, Fact::OftenRun],
        class: Class::Never("runs another program"),
        wrapper: Some(&Wrapper { assignments: true, ..Wrapper::PLAIN }),
        runs: &[behind("", 0)],
        flags: "-i -",
        ..UNLISTED
    },
    Program {
        names: "timeout",
        source: "timeout(1)",
        is: &[Fact::OfTheSystem, Fact::Prefixed, Fact::RunsOperands, Fact::Transparent],
        class: Class::Never("runs another program"),
        wrapper: Some(&Wrapper {
            flags: &["--preserve-status", "--foreground", "-v", "--verbose"],
            valued: &["-k", "-s", "--kill-after", "--signal"],
            glued: &["--kill-after=", "--signal=", "-k", "-s"],
            duration: true,
            ..Wrapper::PLAIN
        }),
        runs: &[behind("", 1)],
        ..UNLISTED
    },
    Program {
        names: "nice",
        source: "nice(1)",
        is: &[Fact::Prefixed, Fact::RunsOperands, Fact::Transparent],
        class: Class::Never("runs another program"),
        wrapper: Some(&Wrapper { valued: &["-n", "--adjustment"], glued: &["-n", "--adjustment="], ..Wrapper::PLAIN }),
        runs: &[behind("", 0)],
        valued: "-n -c -p --adjustment",
        ..UNLISTED
    },
    Program {
        names: "ionice",
        source: "ionice(1)",
        is: &[Fact::RunsOperands, Fact::Transparent],
        class: Class::Never("runs another program"),
        wrapper: Some(&Wrapper { flags: &["-t"], valued: &["-c", "-n"], glued: &["-c", "-n"], ..Wrapper::PLAIN }),
        runs: &[behind("", 0)],
        valued: "-n -c -p --adjustment",
        ..UNLISTED
    },
    Program {
        names: "setsid",
        source: "setsid(1)",
        is: &[Fact::RunsOperands],
        class: Class::Never("runs another program"),
        wrapper: Some(&Wrapper { flags: &["-w", "--wait"], ..Wrapper::PLAIN }),
        runs: &[behind("", 0)],
        flags: "-w -f -c --wait --fork",
        ..UNLISTED
    },
    Program {
        names: "stdbuf",
        source: "stdbuf(1)",
        is: &[Fact::Prefixed, Fact::RunsOperands, Fact::Transparent],
        class: Class::Never("runs another program"),
        wrapper: Some(&Wrapper {
            valued: &["-i", "-o", "-e"],
            glued: &["-i", "-o", "-e", "--input=", "--output=", "--error="],
            ..Wrapper::PLAIN
        }),
        runs: &[behind("", 0)],
        ..UNLISTED
    },
    Program {
        names: "sudo",
        source: "sudo(8)",
        is: &[Fact::AsAnotherUser, Fact::OfTheSystem, Fact::RunsOperands, Fact::OftenRun],
        class: Class::Never("runs another program"),
        wrapper: Some(&Wrapper {
            transparent: false,
            flags: &["-n", "-E", "-H", "-S", "-k", "--non-interactive", "--preserve-env", "--set-home", "--stdin"],
            valued: &["-u", "-g", "--user", "--group"],
            glued: &["--user=", "--group=", "-u", "-g"],
            assignments: true,
            ..Wrapper::PLAIN
        }),
        runs: &[behind("", 0)],
        flags: "-n -E -H -S -k -b -i -s",
        valued: "-u --user -g --group -h --host -p --prompt -C -D -R -T -U -r -t",
        interactive: &[Interactive::AsShell],
        ..UNLISTED
    },
    Program {
        names: "doas",
        source: "doas(1)",
        is: &[Fact::AsAnotherUser, Fact::OfTheSystem, Fact::RunsOperands, Fact::OftenRun],
        class: Class::Never("runs another program"),
        wrapper: Some(&Wrapper {
            transparent: false,
            flags: &["-n"],
            valued: &["-u"],
            glued: &["-u"],
            ..Wrapper::PLAIN
        }),
        runs: &[behind("", 0)],
        valued: "-u -C",
        interactive: &[Interactive::AsShell],
        ..UNLISTED
    },
    Program {
        names: "xargs",
        source: "xargs(1)",
        is: &[Fact::Fed, Fact::OfTheSystem, Fact::RunsOperands, Fact::Transparent, Fact::TypedByOthers, Fact::OftenRun],
        class: Class::Never("runs another program"),
        runs: &[behind("", 0)],
        flags: "-0 -r -t -x --null --no-run-if-empty",
        valued: "-n -P -L -I -s -d -a -E --max-args --max-procs --arg-file --delimiter",
        ..UNLISTED
    },
    Program {
        names: "su",
        source: "su(1)",
        is: &[Fact::AsAnotherUser, Fact::RunsOperands, Fact::RunsInput, Fact::RunsText, Fact::OftenRun],
        class: Class::Never("runs another program"),
        interactive: &[Interactive::Unless(&["-c", "--command", "-u"])],
        ..UNLISTED
    },
    Program {
        names: "runuser",
        source: "runuser(8)",
        is: &[Fact::AsAnotherUser, Fact::RunsOperands, Fact::RunsOthers, Fact::RunsInput],
        class: Class::Never("runs another program"),
        interactive: &[Interactive::Unless(&["-c", "--command", "-u"])],
        ..UNLISTED
    },
    Program {
        names: "pkexec",
        source: "pkexec(1)",
        is: &[Fact::AsAnotherUser, Fact::RunsOperands, Fact::RunsOthers],
        class: Class::Never("runs another program"),
        interactive: &[Interactive::Below(1, &[])],
        ..UNLISTED
    },
    Program {
        names: "flock",
        source: "flock(1)",
        is: &[Fact::RunsOperands, Fact::RunsOthers, Fact::RunsText],
        class: Class::Never("runs another program"),
        runs: &[behind("", 1)],
        flags: "-n -x -s -e -u --nonblock --exclusive --shared --unlock",
        valued: "-w --wait --timeout -E --conflict-exit-code",
        ..UNLISTED
    },
    Program {
        names: "script",
        source: "script(1)",
        running: "-c --command",
        is: &[Fact::RunsOperands, Fact::RunsOthers, Fact::RunsText],
        class: Class::Never("runs another program"),
        interactive: &[Interactive::Unless(&["-c", "--command"])],
        ..UNLISTED
    },
    Program {
        names: "parallel",
        source: "parallel(1)",
        is: &[Fact::Fed, Fact::RunsOperands, Fact::RunsOthers, Fact::ReadsNames, Fact::RunsText, Fact::TypedByOthers],
        class: Class::Never("runs another program"),
        runs: &[script(0)],
        ..UNLISTED
    },
    Program {
        names: "watch",
        source: "watch(1)",
        is: &[Fact::RunsOperands, Fact::RunsOthers, Fact::RunsText],
        class: Class::Never("runs another program"),
        runs: &[script(0)],
        flags: "-d -t -e -g -b -c -x --differences --no-title --color --exec",
        valued: "-n --interval",
        ..UNLISTED
    },
    Program {
        names: "strace ltrace",
        source: "strace(1), ltrace(1)",
        is: &[Fact::RunsOperands, Fact::RunsOthers],
        class: Class::Never("runs another program"),
        runs: &[behind("", 0)],
        flags: "-f -ff -c -q -t -tt -r -v -y",
        valued: "-e -o -p -s -u -E -a -P -S",
        files: FileUse { written: "-o --output", ..FileUse::PLAIN },
        sets: &[danger("", "p attach", ATTACHES)],
        ..UNLISTED
    },
    Program { sets: &[danger("", "", ATTACHES)], ..runner("gcore", "gcore(1)") },
    Program {
        names: "gdb",
        source: "gdb(1)",
        sets: &[danger("", "p pid", ATTACHES), danger("attach", "", ATTACHES)],
        is: &[Fact::RunsOperands, Fact::RunsText],
        class: Class::Never("runs another program"),
        interactive: &[Interactive::Unless(&["-batch", "--batch", "-batch-silent"])],
        ..UNLISTED
    },
    Program {
        names: "lldb",
        source: "lldb(1)",
        sets: &[danger("", "p attach-pid attach-name n", ATTACHES)],
        is: &[Fact::RunsOperands],
        class: Class::Never("runs another program"),
        interactive: &[Interactive::Unless(&["--batch", "-b", "--print-script-interpreter-info"])],
        ..UNLISTED
    },
    Program {
        is: &[Fact::RunsOperands, Fact::AsAnotherUser],
        ..runner("s6-setuidgid s6-applyuidgid uidgid capsh", "s6-setuidgid(1), s6-applyuidgid(1), uidgid(1), capsh(1)")
    },
    Program { is: &[Fact::RunsOperands, Fact::RunsText], ..runner("nodemon", "nodemon(1)") },
    Program { sets: &[danger("", "", "runs every program in a folder")], ..runner("run-parts", "run-parts(8)") },
    Program { sets: &[danger("", "p pid", "changes what another process may use")], ..runner("prlimit", "prlimit(1)") },
    runner(
        "valgrind perf pexec start-stop-daemon dbus-launch watchman cross-env \
            concurrently supervisord runsv ldd ld.so ld-linux.so.2 \
            ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 cgexec with-contenv logsave setlock \
            daemonize daemon detach heaptrack bpftrace stap dtrace choom cpulimit multitime \
            openvt run-mailcap runcon runscope",
        "valgrind(1), perf(1) and the manual page of each other",
    ),
    Program {
        names: "nsenter",
        source: "nsenter(1)",
        sets: &[danger("", "t target a all", "runs something with the rights of another process")],
        is: &[Fact::RunsOperands, Fact::RunsOthers, Fact::RunsElsewhere, Fact::RunsText],
        class: Class::Never("runs another program"),
        interactive: &[Interactive::Below(2, &[])],
        ..UNLISTED
    },
    Program {
        names: "unshare",
        source: "unshare(1)",
        sets: &[danger("", "r map-root-user map-users map-auto U user S setuid", "runs something with other rights")],
        is: &[Fact::RunsOperands, Fact::RunsOthers, Fact::RunsElsewhere, Fact::RunsText],
        class: Class::Never("runs another program"),
        interactive: &[Interactive::Below(1, &[])],
        ..UNLISTED
    },
    Program {
        names: "proot",
        source: "proot(1)",
        is: &[Fact::RunsOperands, Fact::RunsOthers, Fact::RunsText],
        class: Class::Never("runs another program"),
        runs: &[behind("", 0)],
        interactive: &[Interactive::Below(1, &[])],
        ..UNLISTED
    },
    Program {
        names: "sshpass",
        source: "sshpass(1)",
        is: &[Fact::RunsOperands, Fact::RunsOthers, Fact::RunsText],
        class: Class::Never("runs another program"),
        ..UNLISTED
    },
    Program {
        names: "numactl setpriv",
        source: "numactl(1), setpriv(1)",
        is: &[Fact::RunsOperands, Fact::RunsOthers],
        class: Class::Never("runs another program"),
        ..UNLISTED
    },
    Program {
        names: "chroot",
        source: "chroot(8)",
        is: &[Fact::Prefixed, Fact::RunsOperands, Fact::RunsOthers, Fact::RunsElsewhere, Fact::RunsText],
        class: Class::Never("runs another program"),
        runs: &[behind("", 1)],
        interactive: &[Interactive::Below(2, &[])],
        ..UNLISTED
    },
    Program {
        names: "busybox",
        source: "busybox(1)",
        is: &[Fact::RunsOperands, Fact::RunsOthers, Fact::OftenRun],
        class: Class::Never("runs another program"),
        runs: &[behind("", 0)],
        interactive: &[Interactive::Below(1, &[])],
        ..UNLISTED
    },
    Program {
        names: "fakeroot",
        source: "fakeroot(1)",
        is: &[Fact::RunsOperands, Fact::RunsOthers],
        class: Class::Never("runs another program"),
        runs: &[behind("", 0)],
        interactive: &[Interactive::Below(1, &[])],
        ..UNLISTED
    },
    Program {
        names: "toybox unbuffer rlwrap dbus-run-session xvfb-run torsocks proxychains proxychains4",
        source: "toybox(1), unbuffer(1) and the manual page of each other",
        is: &[Fact::RunsOperands, Fact::RunsOthers],
        class: Class::Never("runs another program"),
        runs: &[behind("", 0)],
        ..UNLISTED
    },
    Program {
        names: "tmux",
        source: "tmux(1)",
        is: &[
            Fact::OfTheSystem,
            Fact::RunsOperands,
            Fact::SaysVersion,
            Fact::SaysVersionByCapital,
            Fact::RunsText,
            Fact::Types,
            Fact::TypedByOthers,
        ],
        class: Class::Never("runs another program"),
        sub_commands: "ls list-sessions attach attach-session kill-session kill-server has-session capture-pane \
            list-panes list-windows",
        looks: &[
            form("ls", "").at_most(0),
            form("list-sessions", "F=").at_most(0),
            form("list-windows", "a t= F=").at_most(0),
            form("list-panes", "a s t= F=").at_most(0),
            form("has-session", "t=").at_most(0),
            form("capture-pane", "# p a e q C J N T t= S= E=").only_with("p").at_most(0),
            form("display-message", "p t=").only_with("p").at_most(1),
        ],
        interactive: &[Interactive::Terminal],
        ..UNLISTED
    },
    Program {
        names: "screen",
        source: "screen(1)",
        is: &[Fact::OfTheSystem, Fact::RunsOperands, Fact::RunsText, Fact::Types],
        class: Class::Never("runs another program"),
        sub_commands: "ls list-sessions attach attach-session kill-session kill-server has-session capture-pane \
            list-panes list-windows",
        interactive: &[Interactive::Terminal],
        ..UNLISTED
    },
    Program {
        names: "at",
        source: "at(1)",
        is: &[Fact::ChangesMachine, Fact::RunsOperands, Fact::RunsInput],
        class: Class::Never("runs another program"),
        interactive: &[Interactive::Unless(&["-f", "-l", "-c", "-r", "-d"])],
        ..UNLISTED
    },
    Program {
        names: "batch newgrp",
        source: "batch(1), newgrp(1)",
        is: &[Fact::ChangesMachine, Fact::RunsOperands, Fact::RunsInput],
        class: Class::Never("runs another program"),
        interactive: &[Interactive::Always],
        ..UNLISTED
    },
    Program {
        names: "crontab",
        source: "crontab(1)",
        is: &[Fact::ChangesMachine, Fact::RunsOperands, Fact::RunsInput],
        class: Class::Never("runs another program"),
        destroys: &[danger("", "r", "removes every scheduled job")],
        interactive: &[Interactive::Bare, Interactive::As(&[&["-e"], &["-"]])],
        ..UNLISTED
    },
    Program {
        names: "systemd-run",
        source: "systemd-run(1)",
        is: &[Fact::ChangesMachine, Fact::RunsOperands, Fact::RunsOthers, Fact::RunsElsewhere],
        class: Class::Never("runs another program"),
        runs: &[behind("", 0)],
        flags: "--user --system --scope --pty -t --wait -q --quiet --collect",
        valued: "-p --property -u --unit --slice --uid --gid -E --setenv -M --machine --working-directory",
        interactive: &[Interactive::As(&[&["-t"], &["--pty"], &["--shell"], &["-S"], &["-P"], &["--pipe"]])],
        ..UNLISTED
    },
    Program {
        names: "dzdo",
        source: "dzdo(1)",
        is: &[Fact::RunsOperands, Fact::AsAnotherUser],
        class: Class::Never("runs another program"),
        runs: &[behind("", 0)],
        ..UNLISTED
    },
    Program {
        names: "entr",
        source: "entr(1)",
        is: &[Fact::RunsOperands, Fact::RunsText],
        class: Class::Never("runs another program"),
        runs: &[behind("", 0)],
        ..UNLISTED
    },
    Program { sets: &[danger("", "", "runs something with other rights")], ..runner("aa-exec", "aa-exec(1)") },
    Program {
        names: "caffeinate genv tini dumb-init catchsegv nocache eatmydata torify tsocks",
        source: "caffeinate(1), genv(1) and the manual page of each other",
        is: &[Fact::RunsOperands],
        class: Class::Never("runs another program"),
        runs: &[behind("", 0)],
        ..UNLISTED
    },
    Program {
        names: "firejail",
        source: "firejail(1)",
        is: &[Fact::RunsOperands, Fact::RunsOthers],
        class: Class::Never("runs another program"),
        runs: &[behind("", 0)],
        flags: "--quiet --noprofile --private",
        ..UNLISTED
    },
    Program {
        names: "bwrap",
        source: "bwrap(1)",
        is: &[Fact::RunsOperands, Fact::RunsOthers],
        class: Class::Never("runs another program"),
        files: FileUse { handed: "--bind --ro-bind --dev-bind", ..FileUse::PLAIN },
        ..UNLISTED
    },
    Program {
        names: "chrt taskset",
        source: "chrt(1), taskset(1)",
        is: &[Fact::RunsOperands, Fact::RunsOthers, Fact::Transparent],
        class: Class::Never("runs another program"),
        runs: &[behind("", 1)],
        ..UNLISTED
    },
    Program {
        names: "setarch",
        source: "setarch(1)",
        is: &[Fact::RunsOperands],
        class: Class::Never("runs another program"),
        runs: &[behind("", 1)],
        flags: "-R -B -F -I -L -S -T -X -Z -v",
        ..UNLISTED
    },
    Program {
        names: "linux32 linux64",
        source: "linux32(1), linux64(1)",
        is: &[Fact::RunsOperands],
        class: Class::Never("runs another program"),
        runs: &[behind("", 0)],
        flags: "-R -B -F -I -L -S -T -X -Z -v",
        ..UNLISTED
    },
    Program {
        names: "hyperfine",
        source: "hyperfine(1)",
        is: &[Fact::RunsOperands],
        class: Class::Never("runs another program"),
        runs: &[script(0)],
        ..UNLISTED
    },
    Program {
        names: "direnv",
        source: "direnv(1)",
        sets: later::DIRENV,
        is: &[Fact::RunsElsewhere, Fact::RunsOperands, Fact::RunsOthers],
        class: Class::Never("runs another program"),
        runs: &[behind("exec", 1)],
        prints: &[printer("export|dump", "direnv(1)")],
        ..UNLISTED
    },
    Program {
        is: &[Fact::RunsOperands, Fact::AsAnotherUser],
        runs: &[behind("", 1)],
        ..runner("setuidgid gosu su-exec", "setuidgid(1), gosu(1), su-exec(1)")
    },
    Program {
        names: "gtimeout chpst softlimit faketime",
        source: "gtimeout(1), chpst(1) and the manual page of each other",
        is: &[Fact::RunsOperands],
        class: Class::Never("runs another program"),
        runs: &[behind("", 1)],
        ..UNLISTED
    },
    Program {
        names: "gnice",
        source: "gnice(1)",
        is: &[Fact::RunsOperands],
        class: Class::Never("runs another program"),
        runs: &[behind("", 0)],
        valued: "-n -c -p --adjustment",
        ..UNLISTED
    },
    Program {
        names: "gxargs",
        source: "gxargs(1)",
        is: &[Fact::Fed, Fact::RunsOperands],
        class: Class::Never("runs another program"),
        first_name: "xargs",
        runs: &[behind("", 0)],
        flags: "-0 -r -t -x --null --no-run-if-empty",
        valued: "-n -P -L -I -s -d -a -E --max-args --max-procs --arg-file --delimiter",
        ..UNLISTED
    },
    Program {
        names: "sg",
        source: "sg(1)",
        is: &[Fact::AsAnotherUser, Fact::RunsOperands, Fact::RunsInput],
        class: Class::Never("runs another program"),
        interactive: &[Interactive::Unless(&["-c", "--command", "-u"])],
        ..UNLISTED
    },
    Program {
        names: "zellij",
        source: "zellij(1)",
        is: &[Fact::RunsOperands, Fact::Types],
        class: Class::Never("runs another program"),
        interactive: &[Interactive::Terminal],
        ..UNLISTED
    },
    Program {
        names: "dtach abduco sudoedit byobu",
        source: "dtach(1), abduco(1) and the manual page of each other",
        is: &[Fact::RunsOperands],
        class: Class::Never("runs another program"),
        interactive: &[Interactive::Terminal],
        ..UNLISTED
    },
    Program {
        names: "wsl",
        source: "Windows Subsystem for Linux documentation, \"Basic commands\"",
        is: &[Fact::RunsOperands],
        class: Class::Never("runs another program"),
        runs: &[behind("", 0)],
        announcing: "-e --exec",
        valued: "-d --distribution -u --user --cd",
        ..UNLISTED
    },
    Program {
        names: "sudo-rs",
        source: "the packages that install it under this name",
        is: &[Fact::RunsOperands, Fact::AsAnotherUser],
        class: Class::Never("runs another program"),
        first_name: "sudo",
        runs: &[behind("", 0)],
        flags: "-n -E -H -S -k -b -i -s",
        valued: "-u --user -g --group -h --host -p --prompt -C -D -R -T -U -r -t",
        interactive: &[Interactive::AsShell],
        ..UNLISTED
    },
    Program {
        names: "doas-rs",
        source: "the packages that install it under this name",
        is: &[Fact::RunsOperands, Fact::AsAnotherUser],
        class: Class::Never("runs another program"),
        first_name: "doas",
        interactive: &[Interactive::AsShell],
        ..UNLISTED
    },
    Program {
        names: "gdbserver",
        source: "gdbserver(1)",
        is: &[Fact::TakesCommands],
        class: Class::Never("can run commands and open connections"),
        ..UNLISTED
    },
    Program {
        names: "coreutils sg-run faketime-run",
        source: "coreutils(1), sg-run(1), faketime-run(1)",
        runs: &[behind("", 0)],
        ..UNLISTED
    },
    Program { names: "dvtm", source: "dvtm(1)", interactive: &[Interactive::Terminal], ..UNLISTED },
    Program { names: "winpty", source: "winpty(1)", is: &[Fact::RunsOthers], ..UNLISTED },
    Program { names: "atrm", source: "atrm(8)", destroys: &[danger("", "", "removes scheduled jobs")], ..UNLISTED },
];
