//! The built program in folders of its own.

use std::io::Write;
use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use handraise_locations::{EndpointFile, Folders, write_private};
use tempfile::TempDir;

/// The token of every test.
pub(crate) const TOKEN: &str = "hrq_0123456789ab_c0ffeec0ffeec0ffeec0ffeec0ffeec0ffeec0ffeec0ffeec0ffeec0ffeec0ff";

/// Every agent.
pub(crate) const AGENTS: &[&str] = handraise_agents::NAMES;

/// Folders of one test.
pub(crate) struct TestFolders {
    root: TempDir,
    pub(crate) folders: Folders,
}

impl TestFolders {
    /// Folders with a token for every agent, and no server.
    pub(crate) fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| Some(root.path().join(name));
        let folders = Folders::with(at("config"), at("data"), at("runtime")).unwrap();
        folders.create().unwrap();
        for agent in AGENTS {
            write_private(&folders.token_file(agent), TOKEN.as_bytes()).unwrap();
        }
        Self { root, folders }
    }

    /// A discovery file that names this address, and this socket.
    pub(crate) fn names(self, address: SocketAddr, socket: Option<PathBuf>) -> Self {
        EndpointFile { version: 1, address, socket, pid: 1 }.write(&self.folders).unwrap();
        self
    }

    /// A path in the root of these folders.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    /// The program with these folders and an empty environment. For a hook it is the small one, which
    /// agents run.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = match arguments.first() {
            Some(&"hook") => Command::new(hook_program()),
            _ => Command::new(env!("CARGO_BIN_EXE_handraise")),
        };
        command.env_clear().args(arguments);
        command.arg("--config-dir").arg(&self.folders.config);
        command.arg("--data-dir").arg(&self.folders.data);
        command.arg("--runtime-dir").arg(&self.folders.runtime);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }
}

/// `handraise-hook`, which the build of the workspace puts beside `handraise`.
pub(crate) fn hook_program() -> PathBuf {
    let program = Path::new(env!("CARGO_BIN_EXE_handraise")).with_file_name("handraise-hook");
    assert!(program.exists(), "run `cargo build --workspace` first");
    program
}

/// Starts `command` and hands it `input`.
pub(crate) fn start(mut command: Command, input: &[u8]) -> Child {
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    // A program that has ended early reads no more; how it ended is what counts.
    let _ = child.stdin.take().unwrap().write_all(input);
    child
}

/// Runs `command` with `input` to its end.
pub(crate) fn run(command: Command, input: &[u8]) -> Output {
    start(command, input).wait_with_output().unwrap()
}

/// A program called `name` in `folder` that prints `line`.
pub(crate) fn fake_program(folder: &Path, name: &str, line: &str) {
    std::fs::create_dir_all(folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, format!("#!/bin/sh\necho '{line}'\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// What was printed to stdout.
pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// What was printed to stderr.
pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}
