//! Containers, from what the system tells about a process: its control group and its namespaces.

use handraise_policy::ProvenanceContainer;

/// Longest id that is told of a container; the rest of the 64 digits says no more.
const ID_CHARACTERS: usize = 12;

/// How control groups of containers begin their last part that is not a plain folder, and what makes
/// such (the systemd scopes and the cgroupfs folders of each).
const SCOPES: &[(&str, &str)] = &[
    ("docker-", "Docker"),
    ("libpod-payload-", "Podman"),
    ("libpod-", "Podman"),
    ("cri-containerd-", "Kubernetes"),
    ("crio-", "Kubernetes"),
    ("lxc.payload.", "LXC"),
    ("systemd-nspawn@", "systemd-nspawn"),
    ("machine-", "systemd-machined"),
    ("app-flatpak-", "Flatpak"),
    ("snap.", "Snap"),
];
/// The same for folders whose next part is the container.
const FOLDERS: &[(&str, &str)] = &[("docker", "Docker"), ("lxc", "LXC"), ("garden", "Garden"), ("ecs", "ECS")];

/// The namespaces of a process: what `/proc/PID/ns/*` link to; `None` when they cannot be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Namespaces {
    pub(super) processes: Option<String>,
    pub(super) mounts: Option<String>,
}

/// What is known about where a process runs.
#[derive(Clone, Debug, Default)]
pub(super) struct Surroundings {
    /// Text of `/proc/PID/cgroup` (cgroups(7)).
    pub(super) cgroup: String,
    pub(super) namespaces: Namespaces,
    /// It finds `/.dockerenv`.
    pub(super) has_docker_mark: bool,
    /// It finds `/run/.containerenv`.
    pub(super) has_podman_mark: bool,
}

/// The container that a process runs in and the gate does not. Without any sign: none.
pub(super) fn container(process: &Surroundings, own: &Surroundings) -> Option<ProvenanceContainer> {
    let differs = |theirs: &Option<String>, ours: &Option<String>| theirs.is_some() && ours.is_some() && theirs != ours;
    let (theirs, ours) = (&process.namespaces, &own.namespaces);
    // The same file system: nothing that a person would call a container, as a snap without confinement.
    if theirs == ours && theirs.mounts.is_some() {
        return None;
    }
    if process.cgroup != own.cgroup
        && let Some(named) = named(&process.cgroup)
        && Some(&named) != self::named(&own.cgroup).as_ref()
    {
        return Some(named);
    }
    if differs(&theirs.mounts, &ours.mounts) {
        if process.has_docker_mark && !own.has_docker_mark {
            return Some(ProvenanceContainer { kind: "Docker".to_owned(), id: None });
        }
        if process.has_podman_mark && !own.has_podman_mark {
            return Some(ProvenanceContainer { kind: "Podman".to_owned(), id: None });
        }
    }
    // A mount namespace of its own alone is what a service has, or a program in a sandbox.
    let kind = if differs(&theirs.processes, &ours.processes) {
        "a process namespace"
    } else if differs(&theirs.mounts, &ours.mounts) {
        "a mount namespace"
    } else {
        return None;
    };
    Some(ProvenanceContainer { kind: kind.to_owned(), id: None })
}

/// The container that a control group belongs to, the outermost first.
fn named(cgroup: &str) -> Option<ProvenanceContainer> {
    // `HIERARCHY:CONTROLLERS:PATH`, one line each
    let paths = cgroup.lines().filter_map(|line| line.splitn(3, ':').nth(2));
    paths.filter(|path| path.len() > 1).find_map(|path| {
        let mut parts = path.split('/').filter(|part| !part.is_empty()).peekable();
        while let Some(part) = parts.next() {
            if let Some((scope, kind)) = SCOPES.iter().find(|(scope, _)| part.starts_with(scope)) {
                let id = part.strip_prefix(scope).unwrap_or(part);
                let id = id.trim_end_matches(".scope").trim_end_matches(".service");
                return Some(of(kind, id));
            }
            if let Some((_, kind)) = FOLDERS.iter().find(|(folder, _)| *folder == part)
                && let Some(id) = parts.peek()
            {
                return Some(of(kind, id));
            }
            if part.starts_with("kubepods") && parts.peek().is_none() {
                return Some(ProvenanceContainer { kind: "Kubernetes".to_owned(), id: None });
            }
        }
        None
    })
}

fn of(kind: &str, id: &str) -> ProvenanceContainer {
    let is_hash = id.len() == 64 && id.chars().all(|digit| digit.is_ascii_hexdigit());
    let id = if is_hash { id.chars().take(ID_CHARACTERS).collect() } else { id.to_owned() };
    ProvenanceContainer { kind: kind.to_owned(), id: (!id.is_empty()).then_some(id) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HASH: &str = "3f4ec1a09b1bd1d7d0f0ab54a6f1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3";

    fn surroundings(cgroup: &str, mounts: &str, processes: &str) -> Surroundings {
        let namespaces =
            Namespaces { processes: Some(format!("pid:[{processes}]")), mounts: Some(format!("mnt:[{mounts}]")) };
        Surroundings { cgroup: cgroup.to_owned(), namespaces, ..Surroundings::default() }
    }

    #[test]
    fn a_container_is_known_by_its_control_group() {
        let own = "0::/user.slice/user-1000.slice/user@1000.service/app.slice/app-gnome-handraise-2113.scope\n";
        let cases = [
            (format!("0::/system.slice/docker-{HASH}.scope\n"), "Docker", Some("3f4ec1a09b1b")),
            (format!("12:pids:/docker/{HASH}\n1:name=systemd:/docker/{HASH}\n"), "Docker", Some("3f4ec1a09b1b")),
            (
                format!("0::/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-{HASH}.scope/container\n"),
                "Podman",
                Some("3f4ec1a09b1b"),
            ),
            (
                format!("0::/kubepods.slice/kubepods-besteffort.slice/kubepods-pod1.slice/cri-containerd-{HASH}.scope\n"),
                "Kubernetes",
                Some("3f4ec1a09b1b"),
            ),
            ("0::/lxc.payload.build/user.slice/session-1.scope\n".to_owned(), "LXC", Some("build")),
            ("0::/lxc/build/init.scope\n".to_owned(), "LXC", Some("build")),
            (
                "0::/machine.slice/systemd-nspawn@build.service/payload\n".to_owned(),
                "systemd-nspawn",
                Some("build"),
            ),
            (
                "0::/user.slice/user-1000.slice/user@1000.service/app.slice/app-flatpak-com.visualstudio.code-3155.scope\n"
                    .to_owned(),
                "Flatpak",
                Some("com.visualstudio.code-3155"),
            ),
        ];
        for (cgroup, kind, id) in cases {
            let found = container(&surroundings(&cgroup, "2", "2"), &surroundings(own, "1", "1"));
            let expected = ProvenanceContainer { kind: kind.to_owned(), id: id.map(str::to_owned) };
            assert_eq!(found, Some(expected), "{cgroup}");
            let inside = surroundings(&cgroup, "2", "2");
            assert_eq!(container(&inside, &inside), None, "the gate is in the same one: {cgroup}");
        }
    }

    #[test]
    fn an_ordinary_desktop_is_none() {
        let own = "0::/user.slice/user-1000.slice/user@1000.service/app.slice/app-gnome-handraise-2113.scope\n";
        for cgroup in [
            "0::/user.slice/user-1000.slice/user@1000.service/app.slice/app-org.gnome.Terminal.slice/vte-spawn-1.scope\n",
            "0::/user.slice/user-1000.slice/user@1000.service/tmux-spawn-8.scope\n",
            "0::/user.slice/user-1000.slice/session-2.scope\n",
            "0::/system.slice/docker.service\n",
            "0::/\n",
            "",
        ] {
            assert_eq!(container(&surroundings(cgroup, "1", "1"), &surroundings(own, "1", "1")), None, "{cgroup}");
        }
    }

    #[test]
    fn without_a_telling_control_group_namespaces_and_marks_tell() {
        let own = surroundings("0::/\n", "1", "1");
        let kind = |process: &Surroundings| container(process, &own).map(|found| found.kind);
        assert_eq!(kind(&surroundings("0::/\n", "2", "2")).as_deref(), Some("a process namespace"));
        assert_eq!(kind(&surroundings("0::/\n", "2", "1")).as_deref(), Some("a mount namespace"));
        let docker = Surroundings { has_docker_mark: true, ..surroundings("0::/\n", "2", "2") };
        assert_eq!(kind(&docker).as_deref(), Some("Docker"));
        let podman = Surroundings { has_podman_mark: true, ..surroundings("0::/\n", "2", "2") };
        assert_eq!(kind(&podman).as_deref(), Some("Podman"));
        // A file with that name in our own root is no sign of a container.
        let same_root = Surroundings { has_docker_mark: true, ..surroundings("0::/\n", "1", "1") };
        assert_eq!(kind(&same_root), None);
        let snap = "0::/user.slice/user-1000.slice/user@1000.service/app.slice/snap.code.code-1a2b.scope\n";
        assert_eq!(kind(&surroundings(snap, "1", "1")), None);
        assert_eq!(kind(&surroundings(snap, "2", "1")).as_deref(), Some("Snap"));
        // What cannot be read is not held against anybody.
        let unreadable = Surroundings { namespaces: Namespaces::default(), ..surroundings("0::/\n", "1", "1") };
        assert_eq!(kind(&unreadable), None);
    }
}
