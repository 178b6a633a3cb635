//! Links, second names and moves: what of them passes, and what does not.

use std::fs;

use crate::passes::{MODES, says};
use crate::scene::{Mode, Programs, Scene};

/// As without walls: links that stay in the project, second names, and moves between folders.
#[test]
fn links_and_moves_that_stay_in_the_project_pass() {
    let _programs = Programs::install();
    for mode in MODES {
        let scene = Scene::new();
        for (line, expected) in [
            ("mkdir -p bin lib/deep; echo x > lib/deep/tool; ln -s ../lib/deep/tool bin/tool; cat bin/tool", "x"),
            (
                "touch libx.so.1.2; ln -s libx.so.1.2 libx.so.1; ln -sf libx.so.1 libx.so; ln -sf ./libx.so.1 libx.so; readlink libx.so",
                "./libx.so.1",
            ),
            ("ln -s \"$PWD/lib\" whole && cat whole/deep/tool", "x"),
            ("mv bin/tool bin/other && mv bin/other lib/deep/moved && readlink lib/deep/moved", "../lib/deep/tool"),
            (
                "echo new > a; mv a lib/b && cat lib/b && test ! -e a && echo old > lib/deep/c; mv -f lib/b lib/deep/c && cat lib/deep/c",
                "new\nnew",
            ),
            (
                "echo 1 > one; ln one lib/two; ls -i one lib/two | cut -d' ' -f1 | uniq | wc -l; mv one lib/two 2>/dev/null; ls one lib/two",
                "1\nlib/two\none",
            ),
            ("mkdir -p from/in; echo y > from/in/f; ln -s f from/in/l; mv from/in lib/; cat lib/in/l; ls from", "y"),
            ("mv lib/in lib/out && mv lib/out/ lib/in/ && ls lib/in | tr '\\n' ' '", "f l"),
            (
                "mkdir ro; echo r > ro/r; chmod 555 ro; echo mine > kept; mv -f ro/r kept 2>/dev/null; cat kept; ls ro; chmod 755 ro",
                "mine\nr",
            ),
            ("mkdir lib/e && mv -T lib/in lib/e && mv -T lib/e/ lib/in && ls lib/in | tr '\\n' ' '", "f l"),
            (
                "cp -a lib copied && ln -s /usr/bin/env env && readlink copied/in/l env; mv -n copied/in/f lib/in/f; ls copied/in",
                "f\n/usr/bin/env\nf\nl",
            ),
            (
                "ln -s a lib 2>/dev/null; ln -s x here/none 2>/dev/null || echo none; ln -s x lib/in/f 2>/dev/null || echo there",
                "none\nthere",
            ),
        ] {
            says(&scene, mode, line, 0, expected);
        }
        // Nobody else sees the temporary folder of a call with namespaces.
        let line = "cd \"$TMPDIR\" && mkdir -p a/b c && ln -s /etc/hostname a/b/l && mv a/b c/ && readlink c/b/l && mv c/b/l l \
                            && ln -s ../../x a/up && mv a d && readlink d/up";
        match mode {
            Mode::Namespaces => says(&scene, mode, line, 0, "/etc/hostname\n../../x"),
            _ => says(&scene, mode, "cd \"$TMPDIR\" && ln -s /etc/hostname l 2>/dev/null || echo no", 0, "no"),
        }
    }
}

#[test]
fn a_link_that_leads_out_of_the_project_is_told() {
    let _programs = Programs::install();
    for mode in MODES {
        let scene = Scene::new();
        let (code, said) = scene.line(mode, "ln -s ../../home/.ssh src/keys");
        assert_ne!(code, Some(0), "{mode:?} {said}");
        assert!(
            said.contains("denied by the walls: link ") && said.contains("src/keys -> ../../home/.ssh"),
            "{mode:?} {said}"
        );
    }
}

/// The supervisor has other mounts than the command, and would move over what only the command finds covered.
#[test]
fn what_is_covered_or_kept_is_not_moved_over() {
    let _programs = Programs::install();
    let scene = Scene::new();
    fs::create_dir_all(scene.project.join("sub")).unwrap();
    for file in [".env", "sub/.env"] {
        fs::write(scene.project.join(file), "TOKEN=1\n").unwrap();
    }
    scene.give_away();
    let walls = format!(r#"{{"version":1,"project":["{}"],"hide":[".env"]}}"#, scene.project.display());
    let line = "ln -s x a; ln -s x b; mkdir -p d; echo y > d/f; echo y > d/g; mv -f a .env; mv -f d/f .env; mv sub moved; \
                mv -f b moved/.env; mv -f d/g moved/.env; mv .env d/; ln .env d/e; mv -f a .git/config; mv -f d/f .git/config; \
                mv .git/config d/; ln .git/config d/c; cat .env moved/.env sub/.env d/* 2>/dev/null; exit 3";
    let (code, said) = scene.line_with(Mode::Namespaces, &walls, line);
    assert!(code == Some(3) && !said.contains("TOKEN"), "{said}");
    let texts = [".env", "moved/.env", "sub/.env"].map(|file| fs::read_to_string(scene.project.join(file)).ok());
    assert_eq!(texts[0].as_deref(), Some("TOKEN=1\n"), "{said}");
    assert!(texts[1..].iter().flatten().all(|text| text == "TOKEN=1\n"), "{texts:?} {said}");
    assert!(texts[1..].iter().flatten().count() == 1, "{texts:?} {said}");
    assert_eq!(fs::read_to_string(scene.project.join(".git/config")).unwrap(), "[core]\n", "{said}");
}
