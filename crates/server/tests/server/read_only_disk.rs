//! A file system with one file in it that can be read. Whatever would write is never answered.
//!
//! Source: the Linux kernel's `include/uapi/linux/fuse.h`, version 7.31, for the layout of messages and the numbers below.

use std::io::stdin;
use std::os::fd::AsFd;
use std::sync::{Arc, Mutex};

use tokio::sync::Notify;

const LOOKUP: u32 = 1;
const GETATTR: u32 = 3;
const OPEN: u32 = 14;
const READ: u32 = 15;
const RELEASE: u32 = 18;
const FLUSH: u32 = 25;
const INIT: u32 = 26;
const OPENDIR: u32 = 27;
const RELEASEDIR: u32 = 29;
const CREATE: u32 = 35;
/// What needs no answer: `FORGET`, `INTERRUPT`, `BATCH_FORGET`.
const UNANSWERED: [u32; 3] = [2, 36, 42];
/// What is not there: `STATFS`, `GETXATTR`, `LISTXATTR`, `READDIR`, `ACCESS`, `READDIRPLUS`, `STATX`.
const MISSING: [u32; 7] = [17, 22, 23, 28, 34, 44, 52];
const ENOENT: i32 = -2;
const EIO: i32 = -5;
const ENOSYS: i32 = -38;
const FOLDER: u64 = 1;
const FILE: u64 = 2;
/// Bytes of the header of a request, and of a reply.
const IN_HEADER: usize = 40;
const OUT_HEADER: usize = 16;

/// The disk, on the FUSE device that is the standard input.
pub(crate) struct ReadOnlyDisk {
    served: Arc<Served>,
}

#[derive(Default)]
struct Served {
    /// Somebody wants to make another file.
    wants_to_write: Notify,
    /// What that one waits for.
    waiting: Mutex<Option<[u8; 8]>>,
}

impl ReadOnlyDisk {
    /// Serves the only file, which is called `name` and holds `text`, until somebody wants to make another one. Then
    /// nothing is answered any more.
    pub(crate) fn with(name: &'static str, text: String) -> Self {
        let served = Arc::new(Served::default());
        let own = served.clone();
        std::thread::spawn(move || {
            let mut buffer = vec![0; 256 * 1024];
            while let Ok(length) = nix::unistd::read(stdin().as_fd(), &mut buffer) {
                let request = &buffer[..length];
                let id = request[8..16].try_into().unwrap();
                if word(request, 4) == CREATE {
                    *own.waiting.lock().unwrap() = Some(id);
                    own.wants_to_write.notify_one();
                    return;
                }
                if let Some((error, body)) = answer(request, name, &text) {
                    reply(id, error, &body);
                }
            }
        });
        Self { served }
    }

    /// Waits until somebody wants to write.
    pub(crate) async fn wants_to_write(&self) {
        self.served.wants_to_write.notified().await;
    }
}

/// Whoever waits cannot even be killed, so it is told that the disk is broken.
impl Drop for ReadOnlyDisk {
    fn drop(&mut self) {
        let waiting = self.served.waiting.lock().ok().and_then(|mut waiting| waiting.take());
        waiting.into_iter().for_each(|id| reply(id, EIO, &[]));
    }
}

fn reply(id: [u8; 8], error: i32, body: &[u8]) {
    let mut reply = Vec::new();
    reply.extend(u32::try_from(OUT_HEADER + body.len()).unwrap().to_le_bytes());
    reply.extend(error.to_le_bytes());
    reply.extend(id);
    reply.extend(body);
    nix::unistd::write(stdin().as_fd(), &reply).ok();
}

/// `None`: there is no answer.
fn answer(request: &[u8], name: &str, text: &str) -> Option<(i32, Vec<u8>)> {
    let (node, body) = (long(request, 16), &request[IN_HEADER..]);
    let done = |body: Vec<u8>| Some((0, body));
    match word(request, 4) {
        kind if UNANSWERED.contains(&kind) => None,
        kind if MISSING.contains(&kind) => Some((ENOSYS, Vec::new())),
        INIT => {
            let mut out = Vec::new();
            [7_u32, 31, 0, 0, 0, 4096, 1].iter().for_each(|value| out.extend(value.to_le_bytes()));
            out.resize(64, 0);
            done(out)
        }
        LOOKUP if body.strip_suffix(&[0]) == Some(name.as_bytes()) => {
            let mut out = Vec::new();
            // For an hour.
            [FILE, 0, 3600, 0].iter().for_each(|value| out.extend(value.to_le_bytes()));
            out.extend([0; 8]);
            out.extend(attributes(FILE, text));
            done(out)
        }
        LOOKUP => Some((ENOENT, Vec::new())),
        GETATTR => {
            let mut out = vec![0; 16];
            out.extend(attributes(node, text));
            done(out)
        }
        OPEN | OPENDIR => done(vec![0; 16]),
        READ => {
            let (offset, size) = (usize::try_from(long(body, 8)).unwrap(), word(body, 16) as usize);
            let rest = text.as_bytes().get(offset..).unwrap_or_default();
            done(rest[..rest.len().min(size)].to_vec())
        }
        RELEASE | RELEASEDIR | FLUSH => done(Vec::new()),
        _ => None,
    }
}

fn attributes(node: u64, text: &str) -> Vec<u8> {
    let (mode, size) = if node == FOLDER { (0o40755, 0) } else { (0o100_644, text.len() as u64) };
    let mut out = Vec::new();
    [node, size, 1, 1, 1, 1].iter().for_each(|value| out.extend(value.to_le_bytes()));
    let (nanoseconds, links, owner) = ([0; 3], 1, [0; 2]);
    let rest: Vec<u32> = nanoseconds.into_iter().chain([mode, links]).chain(owner).chain([0, 4096, 0]).collect();
    rest.iter().for_each(|value: &u32| out.extend(value.to_le_bytes()));
    out
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

fn long(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
}
