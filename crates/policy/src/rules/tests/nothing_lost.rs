//! What removes files and loses nothing by it, in the presets `practical` and `workspace`.

use super::*;

const PRESETS: [&str; 2] = ["preset = \"practical\"", "preset = \"workspace\""];

/// `line` where nothing is at the paths `missing`, and a file at all others.
fn found(line: &str, missing: &[&str]) -> Request {
    let first = |path: &str| missing.iter().find(|one| path.starts_with(**one)).map(|one| (*one).to_owned());
    resolved(shell(line), |path| ResolvedPath {
        is_missing: missing.contains(&path),
        missing_from: first(path).filter(|_| missing.contains(&path)),
        is_folder: path == "/tmp",
        ..ResolvedPath::new(path.replace("/tmp/link", "/home/ann"))
    })
}

fn decided(line: &str, missing: &[&str]) -> [Action; 2] {
    PRESETS.map(|preset| by(preset, &found(line, missing)))
}

#[test]
fn new_temporary_files_may_be_made_in_workspace() {
    let missing = ["/tmp/x"];
    for line in ["cp a.rs /tmp/x", "touch /tmp/x"] {
        assert_eq!(decided(line, &missing)[1], Action::Allow, "{line}");
        assert_eq!(decided(line, &[])[1], Action::Ask, "{line}: somebody else's");
    }
    for line in
        ["mv a.rs /tmp/x", "ln -s /etc /tmp/x", "cp a.rs /tmp/x /etc/y", "cp -t /tmp a.rs", "cp ~/.ssh/id_rsa /tmp/x"]
    {
        assert_eq!(decided(line, &missing)[1], Action::Ask, "{line}");
    }
}

#[test]
fn what_the_same_line_has_made_may_go_again() {
    let missing = ["/home/ann/work/app/probe.rs", "/tmp/x", "/tmp/x/y", "/home/ann/work/app/new"];
    for line in ["mkdir -p /tmp/x && rm -rf /tmp/x", "mkdir /tmp/x/y", "cd /tmp && mkdir x && cd .. && rm -r /tmp/x"] {
        assert_eq!(decided(line, &missing), [Action::Allow; 2], "{line}");
    }
    for line in [
        "echo x > probe.rs; git add probe.rs; rm -f probe.rs",
        "cp a.txt new && ls && rm new",
        "touch new; rm ./new",
        "cat > probe.rs <<'EOF'\nx\nEOF\ngit status && grep x probe.rs; rm probe.rs",
    ] {
        assert_eq!(by(PRESETS[1], &found(line, &missing)), Action::Allow, "{line}");
    }
    for line in [
        // It was there before.
        "echo x > a.rs; rm a.rs",
        "mkdir -p /tmp/old && rm -rf /tmp/old",
        // Nothing in front of it has made it.
        "rm probe.rs",
        "cat probe.rs; rm probe.rs",
        "git add probe.rs; rm probe.rs",
        "rm probe.rs; echo x > probe.rs",
        "touch new; rm new a.rs",
        "touch new; rm *",
        "touch new; rm $new",
        "touch new; sudo rm new",
        "touch new; find . -name new -exec rm {} +",
        // It lies elsewhere.
        "mkdir -p /tmp/link/x && rm -rf /tmp/link/x",
        "mkdir -m 777 /tmp/x",
        "sudo mkdir /tmp/x",
        // What a link leads to nobody knows.
        "ln -s ~ new; mkdir /tmp/x; rm -rf /tmp/x/y",
        "mkdir -p /tmp/x/y; tar xf a.tar; rm -r /tmp/x/y",
    ] {
        assert!(decided(line, &missing).iter().all(|action| *action == Action::Ask), "{line}");
    }
}

#[test]
fn what_a_tool_fills_anew_may_go() {
    for line in [
        "rm -rf node_modules",
        "rm -rf web/node_modules ./.build",
        "rm -rf /home/ann/work/app/.next && ls",
        "for d in a b; do rm -rf \"$d/.pytest_cache\"; done",
        "rm -r src/__pycache__",
    ] {
        assert_eq!(decided(line, &[]), [Action::Allow; 2], "{line}");
    }
    for line in [
        "rm -rf build",
        "rm -rf dist",
        "rm -rf node_modules src",
        // People write it.
        "rm -rf tests/fixtures/node_modules",
        "rm -rf ../other/node_modules",
        "rm -rf ~/node_modules",
        "rm -rf /tmp/node_modules",
        "rm -rf node_modules/../src",
        "rm -rf node_modules_old",
        "rm -rf .git/node_modules",
        "rm -rf */node_modules",
        "sudo rm -rf node_modules",
        "mv node_modules ~/x",
        "git rm -r node_modules",
        "find node_modules -delete",
    ] {
        assert!(decided(line, &[]).iter().all(|action| *action == Action::Ask), "{line}");
    }
}
