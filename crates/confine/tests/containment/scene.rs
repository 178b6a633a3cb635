//! A throwaway world: a project, a home with secrets, somebody who listens, somebody who can be hurt.

use std::collections::BTreeSet;
use std::ffi::CString;
use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, UdpSocket};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

/// What is secret everywhere: when it comes out, an attack has succeeded.
pub(crate) const SECRET: &str = "canary-secret-4711";
/// What a file outside holds when nobody has touched it.
pub(crate) const UNTOUCHED: &str = "untouched\n";
/// A user that nobody is, for attacker and walls when the tests run as root.
pub(crate) const NOBODY: u32 = 424_242;

/// How often those who wait look whether it is over.
const LOOK_INTERVAL: std::time::Duration = std::time::Duration::from_millis(50);

/// Which walls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Namespaces,
    /// Without namespaces, at this version of Landlock or what the kernel has.
    Abi(u32),
}

pub(crate) struct Scene {
    pub(crate) root: PathBuf,
    pub(crate) project: PathBuf,
    pub(crate) home: PathBuf,
    pub(crate) outside: PathBuf,
    /// Ports and names of those who listen, for the attacker.
    pub(crate) names: Vec<(&'static str, String)>,
    pub(crate) environment: Vec<(String, String)>,
    /// What the attacker gets as descriptor 9.
    pub(crate) inherited: Option<fs::File>,
    pub(crate) reached: Arc<Mutex<BTreeSet<&'static str>>>,
    /// Processes of others, which end with the scene.
    pub(crate) victims: Vec<Child>,
    /// What the command line of somebody says who works in the attacker's terminal, in a group of their own.
    neighbour: Option<String>,
    /// Shut when the scene goes, so that the threads behind them end.
    pub(crate) listening: Vec<OwnedFd>,
    over: Arc<AtomicBool>,
    /// Runs as soon as the attacker does.
    pub(crate) meanwhile: Option<Box<dyn FnOnce() -> Option<&'static str> + Send>>,
    /// Whether hidden files are part of the walls.
    pub(crate) hides: bool,
    /// Removed with the scene.
    pub(crate) files: Vec<PathBuf>,
    /// Unmounted with the scene.
    pub(crate) mounts: Vec<PathBuf>,
    pub(crate) shared: Vec<i32>,
    pub(crate) semaphores: Vec<i32>,
    pub(crate) messages: Vec<i32>,
    pub(crate) queues: Vec<String>,
    /// Both sides of a terminal that the attacker runs in, and its name.
    pub(crate) terminal: Option<(OwnedFd, OwnedFd, PathBuf)>,
    /// What the shell does after it that has started it.
    pub(crate) afterwards: Option<&'static str>,
    /// Its standard input is that terminal.
    pub(crate) given_terminal: bool,
    /// What else it gets as its standard input.
    pub(crate) standard_input: Option<OwnedFd>,
    /// The same of one that it does not run in.
    other: Option<(OwnedFd, OwnedFd, PathBuf)>,
}

pub(crate) struct Outcome {
    pub(crate) output: String,
}

pub(crate) fn is_root() -> bool {
    // SAFETY: it takes nothing.
    unsafe { libc::geteuid() == 0 }
}

/// Runs as an ordinary user.
pub(crate) fn ordinary(command: &mut Command) -> &mut Command {
    if is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    command
}

/// Walls and attacker, where everybody can start them. They go with this value.
pub(crate) struct Programs;

static PROGRAMS: OnceLock<PathBuf> = OnceLock::new();

impl Programs {
    pub(crate) fn install() -> Self {
        let place =
            PROGRAMS.get_or_init(|| PathBuf::from(format!("/var/tmp/handraise-programs-{}", std::process::id())));
        fs::create_dir(place).unwrap();
        fs::copy(env!("CARGO_BIN_EXE_handraise-confine"), place.join("handraise-confine")).unwrap();
        fs::copy(std::env::current_exe().unwrap(), place.join("attacker")).unwrap();
        Self
    }
}

impl Drop for Programs {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(programs());
    }
}

pub(crate) fn programs() -> &'static Path {
    PROGRAMS.get().unwrap()
}

impl Scene {
    pub(crate) fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        // Not below /tmp: that is another one inside.
        let root = PathBuf::from(format!("/var/tmp/handraise-scene-{}-{number}", std::process::id()));
        let scene = Self {
            project: root.join("project"),
            home: root.join("home"),
            outside: root.join("outside"),
            root,
            names: Vec::new(),
            environment: Vec::new(),
            inherited: None,
            reached: Arc::default(),
            victims: Vec::new(),
            neighbour: None,
            listening: Vec::new(),
            over: Arc::default(),
            meanwhile: None,
            hides: false,
            files: Vec::new(),
            mounts: Vec::new(),
            shared: Vec::new(),
            semaphores: Vec::new(),
            messages: Vec::new(),
            queues: Vec::new(),
            terminal: None,
            afterwards: None,
            given_terminal: true,
            standard_input: None,
            other: None,
        };
        scene.furnish();
        scene
    }

    fn furnish(&self) {
        for (file, text) in [
            ("outside/canary", UNTOUCHED),
            ("home/.ssh/id_ed25519", SECRET),
            ("home/.config/handraise/tokens/agent.token", SECRET),
            ("home/.cargo/credentials.toml", SECRET),
            // Readable inside, as tools are.
            ("home/.cargo/bin/tool", UNTOUCHED),
            ("project/src/main.rs", "fn main() {}\n"),
            ("project/.git/HEAD", "ref: refs/heads/main\n"),
            ("project/.git/config", "[core]\n"),
            ("project/.git/hooks/pre-commit.sample", "#!/bin/sh\n"),
        ] {
            let path = self.root.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        fs::copy(programs().join("attacker"), self.project.join("attacker")).unwrap();
        self.give_away();
    }

    /// Somebody was reached.
    pub(crate) fn was_reached(&self, name: &str) -> bool {
        self.reached.lock().unwrap().contains(name)
    }

    pub(crate) fn is_untouched(&self, file: &str) -> bool {
        fs::read_to_string(self.root.join(file)).is_ok_and(|text| text == UNTOUCHED)
    }

    /// Listens in every way there is, and notes who comes.
    pub(crate) fn listen(&mut self) {
        let note = |reached: &Arc<Mutex<BTreeSet<&'static str>>>, name: &'static str| {
            let reached = Arc::clone(reached);
            move || {
                reached.lock().unwrap().insert(name);
            }
        };
        for (name, address) in [("tcp4", "127.0.0.1:0"), ("tcp6", "[::1]:0")] {
            let listener = TcpListener::bind(address).unwrap();
            self.names.push((name, listener.local_addr().unwrap().port().to_string()));
            let note = note(&self.reached, name);
            self.listening.push(listener.try_clone().unwrap().into());
            std::thread::spawn(move || {
                while let Ok((mut stream, _)) = listener.accept() {
                    note();
                    let _ = stream.write_all(SECRET.as_bytes());
                }
            });
        }
        let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
        self.names.push(("udp", socket.local_addr().unwrap().port().to_string()));
        let noted = note(&self.reached, "udp");
        let over = Arc::clone(&self.over);
        socket.set_read_timeout(Some(LOOK_INTERVAL)).unwrap();
        std::thread::spawn(move || {
            while !over.load(Ordering::Relaxed) {
                if socket.recv(&mut [0; 8]).is_ok() {
                    noted();
                }
            }
        });
        let abstract_name = format!("handraise-{}", self.root.display());
        for (name, place) in [
            ("unix", Some(self.outside.join("unix"))),
            ("unix-in-project", Some(self.project.join("unix"))),
            ("abstract", None),
        ] {
            let listener = match &place {
                Some(path) => UnixListener::bind(path).unwrap(),
                None => UnixListener::bind_addr(&SocketAddr::from_abstract_name(&abstract_name).unwrap()).unwrap(),
            };
            let named = place.map_or(format!("@{abstract_name}"), |path| {
                crate::call::share(&path);
                path.to_string_lossy().into_owned()
            });
            self.names.push((name, named));
            let note = note(&self.reached, name);
            self.listening.push(listener.try_clone().unwrap().into());
            std::thread::spawn(move || {
                while listener.accept().is_ok() {
                    note();
                }
            });
        }
        for (name, place) in [("datagram", Some(self.outside.join("datagram"))), ("abstract-datagram", None)] {
            let socket = match &place {
                Some(path) => UnixDatagram::bind(path).unwrap(),
                None => UnixDatagram::bind_addr(&SocketAddr::from_abstract_name(format!("{abstract_name}-d")).unwrap())
                    .unwrap(),
            };
            let named = place.map_or(format!("@{abstract_name}-d"), |path| {
                crate::call::share(&path);
                path.to_string_lossy().into_owned()
            });
            self.names.push((name, named));
            let note = note(&self.reached, name);
            let over = Arc::clone(&self.over);
            socket.set_read_timeout(Some(LOOK_INTERVAL)).unwrap();
            std::thread::spawn(move || {
                while !over.load(Ordering::Relaxed) {
                    if socket.recv(&mut [0; 8]).is_ok() {
                        note();
                    }
                }
            });
        }
    }

    /// Somebody who can be hurt: a process of the same user, with a secret in its environment.
    pub(crate) fn victim(&mut self) -> u32 {
        let mut command = Command::new("sleep");
        command.arg("300").env("CANARY", SECRET).current_dir(&self.outside).process_group(0);
        let canary = fs::OpenOptions::new().read(true).write(true).open(self.outside.join("canary")).unwrap();
        command.stdin(canary);
        let child = ordinary(&mut command).spawn().unwrap();
        let pid = child.id();
        // Until it is itself.
        while fs::read_to_string(format!("/proc/{pid}/comm")).unwrap().trim() != "sleep" {
            std::thread::yield_now();
        }
        self.names.push(("victim", pid.to_string()));
        self.victims.push(child);
        pid
    }

    /// The victim still runs as it did.
    pub(crate) fn victim_lives(&self) -> bool {
        self.victims.iter().all(|child| runs(&(child.id() as i32)))
    }

    /// Listens at another address of this machine.
    pub(crate) fn listen_there(&mut self, address: std::net::Ipv4Addr) {
        let listener = TcpListener::bind((address, 0)).unwrap();
        self.names.push(("there", listener.local_addr().unwrap().port().to_string()));
        self.listening.push(listener.try_clone().unwrap().into());
        let reached = Arc::clone(&self.reached);
        std::thread::spawn(move || {
            while listener.accept().is_ok() {
                reached.lock().unwrap().insert("there");
            }
        });
    }

    /// Somebody will work in the attacker's terminal, in a group of their own: another job of the same shell.
    pub(crate) fn neighbour(&mut self) {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        self.terminal();
        let mark = format!("300.{}{:04}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        self.names.push(("neighbour", mark.clone()));
        self.neighbour = Some(mark);
    }

    fn neighbours(&self) -> Vec<i32> {
        let Some(mark) = &self.neighbour else { return Vec::new() };
        let line = format!("sleep\0{mark}\0");
        let is_one = |pid: &i32| fs::read(format!("/proc/{pid}/cmdline")).is_ok_and(|found| found == line.as_bytes());
        let pids =
            fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        pids.filter(is_one).collect()
    }

    /// The neighbour still runs as it did.
    pub(crate) fn neighbour_lives(&self) -> bool {
        self.neighbours().iter().any(runs)
    }

    /// The attacker will run in a terminal, as its leader.
    pub(crate) fn terminal(&mut self) {
        let (mut master, mut slave) = (0, 0);
        let nothing = std::ptr::null_mut();
        // SAFETY: it writes two numbers, which nobody else knows.
        let (master, slave) = unsafe {
            assert_eq!(libc::openpty(&raw mut master, &raw mut slave, nothing, nothing.cast(), nothing.cast()), 0);
            (OwnedFd::from_raw_fd(master), OwnedFd::from_raw_fd(slave))
        };
        let name = fs::read_link(format!("/proc/self/fd/{}", slave.as_raw_fd())).unwrap();
        if is_root() {
            std::os::unix::fs::chown(&name, Some(NOBODY), Some(NOBODY)).unwrap();
        }
        fs::set_permissions(&name, fs::Permissions::from_mode(0o620)).unwrap();
        self.terminal = Some((master, slave, name));
    }

    /// Somebody types a line as soon as the attacker is ready.
    pub(crate) fn types(&mut self, line: &str) {
        let master = self.terminal.as_ref().unwrap().0.try_clone().unwrap();
        let line = format!("{line}\n");
        self.meanwhile = Some(Box::new(move || {
            let _ = fs::File::from(master).write_all(line.as_bytes());
            None
        }));
    }

    /// A terminal of the same user that the attacker does not run in; its name.
    pub(crate) fn other_terminal(&mut self) -> String {
        self.terminal();
        self.other = self.terminal.take();
        self.other.as_ref().unwrap().2.to_string_lossy().into_owned()
    }

    /// Something has been written into the other terminal.
    pub(crate) fn was_written_to(&self) -> bool {
        let (master, _, _) = self.other.as_ref().unwrap();
        let mut waiting = 0_i32;
        // SAFETY: it writes a number.
        unsafe { libc::ioctl(master.as_raw_fd(), libc::FIONREAD, &raw mut waiting) };
        waiting > 0
    }

    /// Something waits to be read in the terminal that nobody typed.
    pub(crate) fn was_typed(&self) -> bool {
        let (_, slave, _) = self.terminal.as_ref().unwrap();
        // SAFETY: a structure that is written, then numbers.
        unsafe {
            let mut mode: libc::termios = std::mem::zeroed();
            libc::tcgetattr(slave.as_raw_fd(), &raw mut mode);
            libc::cfmakeraw(&raw mut mode);
            libc::tcsetattr(slave.as_raw_fd(), libc::TCSANOW, &raw const mode);
            let mut waiting = 0_i32;
            libc::ioctl(slave.as_raw_fd(), libc::FIONREAD, &raw mut waiting);
            waiting > 0
        }
    }

    /// The terminal takes nobody in: asked of the kernel, because root is taken in always.
    pub(crate) fn terminal_is_closed(&self) -> bool {
        const TIOCGEXCL: u64 = 0x8004_5440;
        let (_, slave, _) = self.terminal.as_ref().unwrap();
        let mut exclusive = 0_i32;
        // SAFETY: it writes a number.
        unsafe { libc::ioctl(slave.as_raw_fd(), TIOCGEXCL as _, &raw mut exclusive) };
        exclusive != 0
    }

    pub(crate) fn terminal_is_open_to_all(&self) -> bool {
        let (_, _, name) = self.terminal.as_ref().unwrap();
        fs::metadata(name).unwrap().permissions().mode() & 0o777 != 0o620
    }

    fn command(&self, mode: Option<Mode>) -> Command {
        let Some(mode) = mode else { return Command::new(self.project.join("attacker")) };
        let mut command = self.walls(mode);
        command.arg("--").arg(self.project.join("attacker"));
        command
    }

    /// The program that puts up the walls around the project, without a command.
    pub(crate) fn walls(&self, mode: Mode) -> Command {
        let hide = if self.hides { "" } else { r#","hide":[]"# };
        self.walls_of(mode, &format!(r#"{{"version":1,"project":["{}"]{hide}}}"#, self.project.display()))
    }

    /// The same with other walls, in JSON.
    pub(crate) fn walls_of(&self, mode: Mode, walls: &str) -> Command {
        let mut command = Command::new(programs().join("handraise-confine"));
        let file = self.root.join("walls.json");
        fs::write(&file, walls).unwrap();
        command.arg("--walls").arg(file).arg("--home").arg(&self.home);
        if let Mode::Abi(version) = mode {
            command.args(["--without-namespaces", "--imitate-abi", &version.to_string()]);
        }
        command.current_dir(&self.project);
        command
    }

    /// Runs a command line inside, and returns how it ended and what it said, on both ways.
    pub(crate) fn line(&self, mode: Mode, line: &str) -> (Option<i32>, String) {
        run_line(self.walls(mode), line, &self.environment)
    }

    /// The same with other walls, in JSON.
    pub(crate) fn line_with(&self, mode: Mode, walls: &str, line: &str) -> (Option<i32>, String) {
        run_line(self.walls_of(mode, walls), line, &self.environment)
    }

    /// What the test has made belongs to the ordinary user.
    pub(crate) fn give_away(&self) {
        if is_root() {
            crate::call::own(&self.root);
        }
    }

    /// A folder elsewhere belongs to the ordinary user, with all in it.
    pub(crate) fn give(folder: &Path) {
        if is_root() {
            crate::call::own(folder);
        }
    }

    /// Runs the attack, with these walls or without any.
    pub(crate) fn attack(&mut self, name: &str, mode: Option<Mode>) -> Outcome {
        let mut command = self.command(mode);
        if let Some(line) = self.afterwards {
            command = crate::call::followed_by(&command, line);
        }
        command.args(["--ignored", "--exact", "attacker", "--nocapture", "--test-threads=1", "-q"]);
        command.env("ATTACK", name).env("SCENE", &self.root).current_dir(&self.project);
        command.envs(self.names.iter().map(|(name, value)| (format!("AT_{name}"), value)));
        command.envs(self.environment.iter().cloned());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(given) = &self.standard_input {
            command.stdin(given.try_clone().unwrap());
        }
        if let Some(file) = &self.inherited {
            let number = file.as_raw_fd();
            // SAFETY: dup2 takes numbers and may be called between fork and exec.
            unsafe {
                command.pre_exec(
                    move || if libc::dup2(number, 9) < 0 { Err(std::io::Error::last_os_error()) } else { Ok(()) },
                );
            }
        }
        if let Some((_, slave, _)) = &self.terminal {
            if self.given_terminal {
                command.stdin(slave.try_clone().unwrap());
            }
            let number = slave.as_raw_fd();
            let words = |mark: &String| [c"sleep".to_owned(), CString::new(mark.as_str()).unwrap()];
            let neighbour = self.neighbour.as_ref().map(words);
            // SAFETY: they take numbers and may be called between fork and exec.
            unsafe {
                command.pre_exec(move || {
                    libc::setsid();
                    if libc::ioctl(number, libc::TIOCSCTTY, 0) < 0 {
                        return Err(std::io::Error::last_os_error());
                    }
                    if let Some(words) = &neighbour {
                        start_neighbour(words);
                    }
                    Ok(())
                });
            }
        }
        let mut child = ordinary(&mut command).spawn().unwrap();
        let mut output = String::new();
        if let Some(meanwhile) = self.meanwhile.take() {
            let mut first = [0; 1];
            // The attacker says when it is ready.
            let _ = child.stdout.as_mut().unwrap().read(&mut first);
            if let Some(reached) = meanwhile() {
                self.reached.lock().unwrap().insert(reached);
            }
        }
        let _ = child.stdout.take().unwrap().read_to_string(&mut output);
        let mut errors = String::new();
        let _ = child.stderr.take().unwrap().read_to_string(&mut errors);
        let status = child.wait().unwrap();
        if std::env::var_os("SHOW").is_some() {
            eprintln!("--- {name} {mode:?} {status}\n{output}{errors}");
        }
        Outcome { output }
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        for mut victim in self.victims.drain(..) {
            let _ = victim.kill();
            let _ = victim.wait();
        }
        for neighbour in self.neighbours() {
            // SAFETY: it takes numbers.
            unsafe { libc::kill(neighbour, libc::SIGKILL) };
        }
        self.over.store(true, Ordering::Relaxed);
        for listener in &self.listening {
            // SAFETY: it takes numbers.
            unsafe { libc::shutdown(listener.as_raw_fd(), libc::SHUT_RDWR) };
        }
        for place in &self.mounts {
            let _ = crate::call::call(libc::SYS_umount2, &[crate::call::path(place), 0]);
        }
        for file in &self.files {
            let _ = fs::remove_file(file);
        }
        for segment in &self.shared {
            // SAFETY: it takes numbers.
            unsafe { libc::shmctl(*segment, libc::IPC_RMID, std::ptr::null_mut()) };
        }
        for set in &self.semaphores {
            let _ = crate::call::call(libc::SYS_semctl, &[i64::from(*set), 0, i64::from(libc::IPC_RMID), 0]);
        }
        for queue in &self.messages {
            let _ = crate::call::call(libc::SYS_msgctl, &[i64::from(*queue), i64::from(libc::IPC_RMID), 0]);
        }
        for queue in &self.queues {
            let _ = crate::call::call(libc::SYS_mq_unlink, &[crate::call::path(queue)]);
        }
        let _ = fs::remove_dir_all(&self.root);
    }
}

/// Whether a process is there, and neither ended nor stopped.
fn runs(pid: &i32) -> bool {
    fs::read_to_string(format!("/proc/{pid}/stat"))
        .is_ok_and(|line| !matches!(line.rsplit(") ").next().unwrap().chars().next(), Some('Z' | 'X' | 'T')))
}

/// In the process that becomes attacker or walls: starts the neighbour, which is no child of either.
///
/// # Safety
/// Between fork and exec only: it calls nothing else than what may be called there.
unsafe fn start_neighbour(words: &[CString; 2]) {
    // SAFETY: numbers, and strings that end with zero.
    unsafe {
        let first = libc::fork();
        if first > 0 {
            libc::waitpid(first, std::ptr::null_mut(), 0);
        }
        if first != 0 {
            return;
        }
        if libc::fork() != 0 {
            libc::_exit(0);
        }
        libc::setpgid(0, 0);
        let nothing = libc::open(c"/dev/null".as_ptr(), libc::O_RDWR);
        for number in 0..3 {
            libc::dup2(nothing, number);
        }
        let words = [words[0].as_ptr(), words[1].as_ptr(), std::ptr::null()];
        libc::execv(c"/bin/sleep".as_ptr(), words.as_ptr());
        libc::_exit(1);
    }
}

pub(crate) fn run_line(mut command: Command, line: &str, environment: &[(String, String)]) -> (Option<i32>, String) {
    command.args(["-c", line]).envs(environment.iter().cloned());
    let output = ordinary(&mut command).output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&said).into_owned())
}

/// The user that attacker and walls run as.
pub(crate) fn user() -> u32 {
    // SAFETY: it takes nothing.
    if is_root() { NOBODY } else { unsafe { libc::geteuid() } }
}
