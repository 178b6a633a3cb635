//! No call decides in a person's place.

use super::*;
use Action::{Allow, Ask, Deny};

/// The loosest policy there is.
fn loose(request: &Request) -> PolicyDecision {
    let allow = "version = 1\npreset = \"autonomous\"\n[[rule]]\npattern = \"*\"\naction = \"allow\"";
    policy(allow).decide(request, at(0))
}

#[test]
fn own_commands_that_decide_are_denied_however_they_get_to_run() {
    let lines = [
        "handraise approve --last",
        "handraise deny --last --reason x",
        "handraise answer 1 yes",
        "handraise --config-dir /tmp/x approve 0199",
        "handraise policy confirm",
        "handraise policy discard",
        "handraise connect claude-code",
        "handraise disconnect claude-code",
        "handraise watch",
        "handraise serve --approver-token-file /tmp/t",
        "handraise serve --port 0 --confirm-policy",
        "/usr/bin/handraise approve x",
        "~/.local/bin/handraise approve x",
        "sudo -u ann handraise approve x",
        "setsid -f handraise approve x",
        "nohup handraise approve x &",
        "timeout 9 env A=b handraise approve x",
        "han''draise app\"rove\" x",
        "handraise $VERB x",
        "handraise appro\"$V\" x",
        "H=handraise; $H approve x",
        "$(which handraise) approve x",
        "sh -c 'handraise approve x'",
        "bash -lc \"sleep 5; handraise approve --last\"",
        "echo 'handraise approve x' | sh",
        "bash <<< 'handraise approve x'",
        "cat > x.sh <<E\nhandraise approve x\nE\nsh x.sh",
        "sh <<'E'\nhandraise approve x\nE",
        "cat > x.sh <<'E'\nhandraise approve x\nE\n. ./x.sh",
        "cat > x.py <<'E'\nimport os; os.system('handraise approve x')\nE\npython3 x.py",
        "sh <<E\nhandraise approve x\nE",
        "echo 'handraise approve x' > x.sh",
        "find . -exec handraise approve x ';'",
        "xargs -n1 handraise approve < ids",
        "script -qc 'handraise approve x' /dev/null",
        "systemd-run --user handraise approve x",
        "echo 'handraise approve x' | at now",
        "ssh localhost handraise approve x",
        "gnome-terminal -- handraise approve x",
        "xterm -e handraise approve x",
        "tmux send-keys -t 0 'handraise approve x' Enter",
        "tmux send-keys handraise Space approve Space --last Enter",
        "tmux send-keys h a n d r a i s e Space a p p r o v e Enter",
        "tmux new-session -d 'handraise approve x'",
        "screen -S s -X stuff 'handraise approve x^M'",
        "xdotool type 'handraise approve x'",
        "wtype 'handraise deny x'",
        "ydotool type 'handraise policy confirm'",
        "python3 -c \"import subprocess; subprocess.run(['handraise', 'approve', 'x'])\"",
        "node -e \"require('child_process').execFileSync('handraise',['approve','x'])\"",
        "gdbus emit --session --object-path /o --signal org.freedesktop.Notifications.ActionInvoked 1 approve",
        "busctl --user call org.handraise.Tray /MenuBar com.canonical.dbusmenu Event",
        "curl -d '{}' http://127.0.0.1:4733/v1/approvals/0199/decision",
        "curl --unix-socket /run/user/1000/handraise/handraise.sock http://localhost/v1/grants",
        "curl -X PUT http://localhost:4733/v1/policy/confirm",
        "for i in 1 2; do handraise approve $i; done",
        "if true; then handraise approve x; fi",
        "eval 'handraise approve x'",
    ];
    let passed = |line: &&str| {
        let decision = loose(&shell(line));
        (decision.action, decision.protection) != (Deny, Some(Protection::Decision))
    };
    assert_eq!(lines.into_iter().filter(passed).collect::<Vec<_>>(), Vec::<&str>::new());
}

#[test]
fn nothing_before_the_subcommand_hides_it() {
    let lines = [
        "handraise --system-root / approve",
        "handraise --system-root / approve --last",
        "handraise --system-root=/ approve x",
        "handraise --agents-home /tmp --system-root / deny x",
        "handraise --color never approve x",
        "handraise --color=always --config-dir /tmp/c approve x",
        "handraise --option-that-is-new value approve x",
        "handraise -x value approve x",
        "handraise --json approve x",
        "handraise '--system-root' \"/\" app''rove x",
        "handraise --system-root / policy --data-dir /tmp confirm",
        "handraise policy --system-root / discard",
        "handraise --system-root / serve --approver-token-file=/tmp/t",
        "handraise --system-root $ROOT",
        "handraise --system-root $ROOT pending",
        "handraise {--system-root,/,approve} x",
        "handraise --system-root / appro* x",
        "handraise --json --$MORE",
        "handraise policy $WHAT",
        "handraise serve $MORE",
        "handraise confine -- handraise approve x",
        "handraise --system-root / acp -- handraise --system-root / approve x",
        "timeout 9 handraise --system-root / approve x",
        "sh -c 'handraise --system-root / approve x'",
        "echo 'handraise --system-root / approve x' | sh",
        "tmux send-keys -t 0 'handraise --system-root / approve x' Enter",
        "python3 -c \"import os; os.execvp('handraise', ['handraise', '--system-root', '/', 'approve', 'x'])\"",
        "handraise pause --for 1s",
        "handraise --system-root / resume",
        "handraise revoke x",
    ];
    let passed = |line: &&str| {
        let decision = loose(&shell(line));
        (decision.action, decision.protection) != (Deny, Some(Protection::Decision))
    };
    assert_eq!(lines.into_iter().filter(passed).collect::<Vec<_>>(), Vec::<&str>::new());
}

#[test]
fn talking_about_them_and_asking_is_not_deciding() {
    let lines = [
        "handraise ask --tool edit",
        "handraise pending",
        "handraise policy check",
        "handraise policy explain 'handraise approve x'",
        "handraise doctor",
        "handraise --config-dir /tmp/c ask --tool approve",
        "handraise --config-dir /tmp/c ask --tool x --arguments \"$ARGUMENTS\"",
        "handraise --color never history --status denied",
        "handraise show 0199",
        "handraise grants",
        "handraise completions bash",
        "handraise confine -- npm test",
        "handraise --version",
        "grep -rn 'handraise approve' docs",
        "rg 'handraise deny' | head",
        "git commit -m 'Let handraise approve show the call'",
        "git log --grep 'handraise approve'",
        "cargo test -p handraise-cli",
        "cargo test approve",
        "cd handraise && git status",
        "ls crates/handraise answer",
        "tmux send-keys -t 0 'npm test' Enter",
        "curl http://127.0.0.1:4733/v1/health",
        "gdbus introspect --session --dest org.freedesktop.Notifications --object-path /",
        "npm approve handraise",
    ];
    let refused = |line: &&str| loose(&shell(line)).action != Allow;
    assert_eq!(lines.into_iter().filter(refused).collect::<Vec<_>>(), Vec::<&str>::new());
}

#[test]
fn a_tool_that_is_told_to_is_asked_about() {
    let call = |arguments: &str| loose(&at_home(request("run_in_terminal", arguments))).action;
    assert_eq!(call(r#"{"deep":[{"input":"handraise approve x"}]}"#), Ask);
    assert_eq!(call(r#"{"url":"http://127.0.0.1:4733/v1/approvals/x/decision"}"#), Ask);
    assert_eq!(call(r#"{"input":"handraise is a gate; approve nothing"}"#), Allow);
}
