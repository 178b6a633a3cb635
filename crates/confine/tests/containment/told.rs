//! What a person and an agent are told of the walls, and what of a repository they let be seen.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::passes::MODES;
use crate::scene::{Mode, Programs, Scene, ordinary, run_line};

#[test]
fn denials_are_told_by_what_was_tried() {
    let _programs = Programs::install();
    for mode in MODES {
        let mut scene = Scene::new();
        scene.listen();
        fs::create_dir(scene.outside.join("deep")).unwrap();
        scene.give_away();
        let report = scene.project.join("report.json");
        let mut command = scene.walls(mode);
        let line = "echo x > ../outside/canary; mkdir ../outside/d; chmod 777 ../home/.cargo/bin/tool; \
                    perl -MSocket -e 'socket(S,PF_INET,SOCK_STREAM,0); connect(S, pack_sockaddr_in(80, inet_aton(\"192.0.2.1\")))'; \
                    (echo x > ../outside/deep/er); \
                    perl -MSocket -e 'socket(S,PF_UNIX,SOCK_STREAM,0); connect(S, pack_sockaddr_un(\"../outside/unix\"))'; \
                    exit 9";
        command.arg("--report").arg(&report).args(["-c", line]);
        let output = ordinary(&mut command).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        let last = said.lines().last().unwrap();
        assert_eq!(output.status.code(), Some(9));
        assert!(
            last.starts_with("handraise: denied by the walls: ") && last.contains("connect 192.0.2.1:80"),
            "{mode:?} {said}"
        );
        let told: serde_json::Value = serde_json::from_str(&fs::read_to_string(report).unwrap()).unwrap();
        let denied: Vec<(&str, &str)> = told["denied"]
            .as_array()
            .unwrap()
            .iter()
            .map(|denial| (denial["action"].as_str().unwrap(), denial["target"].as_str().unwrap()))
            .collect();
        let at = |path: &str| scene.root.join(path).to_string_lossy().into_owned();
        for expected in [
            ("write", at("outside/canary")),
            ("write", at("outside/d")),
            ("write", at("outside/deep/er")),
            ("connect", at("outside/unix")),
            ("change", at("home/.cargo/bin/tool")),
            ("connect", "192.0.2.1:80".to_owned()),
        ] {
            assert!(denied.contains(&(expected.0, expected.1.as_str())), "{mode:?} {expected:?} {denied:?}");
        }
        assert_eq!((&told["ending"]["code"], told["version"].as_u64()), (&serde_json::json!(9), Some(1)));
    }
}

#[test]
fn git_looks_at_a_repository_that_lies_elsewhere_and_names_the_project() {
    let _programs = Programs::install();
    let git = |folder: &Path, line: &str| {
        let mut command = Command::new("sh");
        command.env("HOME", folder).env("GIT_CONFIG_NOSYSTEM", "1").current_dir(folder).args(["-c", line]);
        let done = ordinary(&mut command).output().unwrap();
        assert!(done.status.success(), "{line}: {}", String::from_utf8_lossy(&done.stderr));
    };
    for mode in MODES {
        let mut scene = Scene::new();
        scene.environment.push(("HOME".to_owned(), scene.home.to_string_lossy().into_owned()));
        fs::remove_dir_all(&scene.project).unwrap();
        let user = "git -c user.name=ana -c user.email=ana@host.example";
        let line = format!(
            "git init -q -b main main && cd main && git config protocol.file.allow always && echo x >f && git add f && \
             {user} commit -q -m first && git worktree add -q -b side ../../project && \
             git init -q ../part && cd ../part && echo y >g && git add g && {user} commit -q -m part && cd ../main && \
             git -c protocol.file.allow=always submodule --quiet add ../part part"
        );
        git(&scene.outside, &line);
        let look = "git status --short --branch && git log --oneline | wc -l && git describe --always >/dev/null";
        let (code, said) = scene.line(mode, look);
        assert_eq!((code, said.as_str()), (Some(0), "## side\n1\n"), "{mode:?}");
        // What it holds for all is not written unasked, and a person hears of that.
        let (code, said) = scene.line(mode, "echo z >h && git add h");
        assert!(
            code != Some(0) && said.contains("denied by the walls: write ") && said.contains("index.lock"),
            "{mode:?} {said}"
        );
        // Whoever writes into the project does not open another repository with it.
        fs::create_dir_all(scene.project.join("tree")).unwrap();
        let linked = fs::read_to_string(scene.project.join(".git")).unwrap();
        fs::write(scene.project.join("tree/.git"), &linked).unwrap();
        scene.give_away();
        for (project, is_known) in [(scene.outside.join("main/part"), true), (scene.project.join("tree"), false)] {
            let walls = format!(r#"{{"version":1,"project":["{}"],"hide":[]}}"#, project.display());
            let (code, said) = {
                let mut command = scene.walls_of(mode, &walls);
                command.current_dir(&project);
                run_line(command, "git log --oneline | wc -l && git rev-parse HEAD", &scene.environment)
            };
            assert_eq!(code == Some(0), is_known, "{mode:?} {} {said}", project.display());
        }
    }
}

/// Else the same call would run confined, and in vain, as often as it is made.
#[test]
fn what_the_line_names_and_cannot_see_is_told_when_it_fails() {
    let _programs = Programs::install();
    for mode in MODES {
        let scene = Scene::new();
        fs::write(scene.outside.join("part"), "x").unwrap();
        scene.give_away();
        let part = scene.outside.join("part");
        let told = format!("denied by the walls: read {}.", part.display());
        for line in [
            "cat ../outside/part",
            "cd ../outside/part/.. && cat part",
            &format!("tool={} && cat $tool", part.display()),
        ] {
            let (code, said) = scene.line(mode, line);
            let is_told = said.contains(&told) || said.contains(&format!("read {}", scene.outside.display()));
            assert!(code != Some(0) && is_told, "{mode:?} {line}: {said}");
        }
        // A success needs nothing, what is not there is missing to everybody, and of secrets nothing is told.
        for line in
            ["cat ../outside/part; true", "cat ../outside/none", "cat ../home/.ssh/id_ed25519", "cat ./none /etc/none"]
        {
            let (_, said) = scene.line(mode, line);
            assert!(!said.contains("denied by the walls"), "{mode:?} {line}: {said}");
        }
    }
}

#[test]
fn a_service_of_the_machine_that_was_wanted_is_told() {
    let _programs = Programs::install();
    let service = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = service.local_addr().unwrap().port();
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    for mode in MODES {
        let scene = Scene::new();
        let connect = |port| {
            let address = format!("pack_sockaddr_in({port}, inet_aton(\"127.0.0.1\"))");
            format!("perl -MSocket -e 'socket(S,PF_INET,SOCK_STREAM,0); connect(S, {address}) or exit 9'")
        };
        let (code, said) = scene.line(mode, &connect(port));
        let told = format!("denied by the walls: connect 127.0.0.1:{port}.");
        assert!(code == Some(9) && said.contains(&told), "{mode:?} {said}");
        let (code, said) = scene.line(mode, &connect(nobody));
        let is_told = said.contains("denied by the walls");
        assert!(code == Some(9) && is_told == (mode != Mode::Namespaces), "{mode:?} {said}");
    }
}
