//! How far a chain goes, which of its programs is the agent, and what they run in.

use super::super::chain::Chain;
use super::super::process::Process;
use super::*;

/// Number of programs, the agent's process number, the terminal's name, its device.
fn read(lineage: &[Process]) -> (usize, Option<u32>, Option<String>, Option<String>) {
    let chain = Chain::of(lineage);
    let agent = chain.agent.and_then(|at| Some(chain.processes.get(at)?.id?.pid));
    let (program, device) = chain.terminal.map(|terminal| (terminal.program, terminal.device)).unwrap_or_default();
    (chain.processes.len(), agent, program, device)
}

fn found(
    count: usize,
    agent: u32,
    terminal: Option<&str>,
    device: Option<&str>,
) -> (usize, Option<u32>, Option<String>, Option<String>) {
    (count, Some(agent), terminal.map(str::to_owned), device.map(str::to_owned))
}

#[test]
fn a_hook_of_an_agent_in_a_terminal() {
    let lineage = [shim(PTS_3), sh(PTS_3), claude(PTS_3), bash(PTS_3), gnome_terminal(), systemd()];
    assert_eq!(read(&lineage), found(5, 70, Some("GNOME Terminal"), Some("pts/3")));
    // The hook in a session of its own, and the agent straight from the desktop.
    let lineage = [shim(0), sh(0), claude(PTS_3), gnome_terminal(), systemd()];
    assert_eq!(read(&lineage), found(4, 70, Some("GNOME Terminal"), Some("pts/3")));
}

#[test]
fn a_terminal_within_a_terminal_ends_at_the_outer_one() {
    let sudo = process(55, "/usr/bin/sudo", "sudo -s", PTS_3);
    let lineage = [claude(PTS_7), bash(PTS_7), sudo, bash(PTS_3), gnome_terminal(), systemd()];
    assert_eq!(read(&lineage), found(5, 70, Some("GNOME Terminal"), Some("pts/3")));
}

#[test]
fn a_terminal_that_an_agent_made_for_its_shell_is_not_the_terminal() {
    // An agent in an editor gives its shell a terminal of its own.
    let codex = process(71, "/opt/codex", "codex app-server", 0);
    let code = process(51, "/usr/share/code/code", "/usr/share/code/code --type=utility", 0);
    let ask = process(91, "/usr/bin/handraise", "handraise ask --tool edit", PTS_7);
    let lineage = [ask, bash(PTS_7), codex, code, systemd()];
    assert_eq!(read(&lineage), found(4, 71, Some("VS Code"), None));
}

#[test]
fn multiplexers_and_ssh_are_told() {
    let tmux = process(52, "/usr/bin/tmux", "tmux new -s work", 0);
    assert_eq!(read(&[claude(PTS_3), bash(PTS_3), tmux, systemd()]), found(3, 70, Some("tmux"), Some("pts/3")));
    // The programs of root do not tell their executable.
    let session = Process { executable: None, name: "sshd-session".into(), ..process(53, "", "sshd-session: ann", 0) };
    let listener = Process { executable: None, name: "sshd".into(), ..process(54, "", "sshd: /usr/sbin/sshd", 0) };
    let lineage = [claude(PTS_3), bash(PTS_3), session, listener];
    assert_eq!(read(&lineage), found(3, 70, Some("SSH"), Some("pts/3")));
}

#[test]
fn an_unknown_program_that_gives_a_terminal_is_named_by_its_file() {
    let thing = process(56, "/opt/thing/thing-term", "thing-term", 0);
    assert_eq!(read(&[claude(PTS_3), thing, systemd()]), found(2, 70, Some("thing-term"), Some("pts/3")));
}

#[test]
fn without_a_terminal_all_ancestors_are_told() {
    let cron = process(57, "/usr/sbin/cron", "cron -f", 0);
    assert_eq!(read(&[shim(0), sh(0), claude(0), cron]), found(4, 70, None, None));
}

#[test]
fn without_a_known_agent_whoever_started_the_hook_counts() {
    let bot = process(72, "/usr/bin/python3.12", "python3 /srv/bot.py", PTS_3);
    let lineage = [shim(PTS_3), sh(PTS_3), bot.clone(), bash(PTS_3), gnome_terminal()];
    assert_eq!(read(&lineage), found(5, 72, Some("GNOME Terminal"), Some("pts/3")));
    assert_eq!(read(&[bot, bash(PTS_3), gnome_terminal()]), found(3, 72, Some("GNOME Terminal"), Some("pts/3")));
    // A person tries the command out: there is no agent.
    let (_, agent, ..) = read(&[shim(PTS_3), bash(PTS_3)]);
    assert_eq!(agent, None);
}

#[test]
fn an_agent_that_another_one_runs_is_the_agent() {
    let codex = process(71, "/opt/codex", "codex exec", PTS_3);
    let lineage = [shim(PTS_3), sh(PTS_3), codex, sh(PTS_3), claude(PTS_3), bash(PTS_3), gnome_terminal()];
    assert_eq!(read(&lineage), found(7, 71, Some("GNOME Terminal"), Some("pts/3")));
}

#[test]
fn both_of_our_commands_ask_for_whoever_started_them() {
    for program in ["/usr/bin/handraise", "/usr/bin/handraise-hook", "/opt/handraise/handraise-hook (deleted)"] {
        let hook = process(92, program, "handraise hook claude-code", PTS_3);
        let bot = process(72, "/usr/bin/python3.12", "python3 /srv/bot.py", PTS_3);
        assert_eq!(read(&[hook, sh(PTS_3), bot, bash(PTS_3)]).1, Some(72), "{program}");
    }
}

#[test]
fn a_server_of_an_agent_is_not_in_the_terminal_that_started_it() {
    let apart = |process: Process| Process { leads_session: true, ..process };
    let (first, second) = (std::path::Path::new("/home/ann/first"), std::path::Path::new("/home/ann/second"));
    let server = || in_folder(apart(process(71, "/home/ann/.codex/codex", "codex app-server", 0)), first);
    let hook = || [in_folder(shim(0), second), in_folder(apart(sh(0)), second)];
    let [asking, shell] = hook();
    let lineage = [asking, shell, server(), process(70, "/opt/codex", "codex", PTS_3), bash(PTS_3), gnome_terminal()];
    assert_eq!(read(&lineage), (6, Some(71), None, None), "what started it can be seen all the same");
    assert_eq!(Chain::of(&lineage).folder().map(PathBuf::as_path), Some(second));
    // Started by an editor it works for that.
    let [asking, shell] = hook();
    let code = process(51, "/usr/share/code/code", "/usr/share/code/code --type=utility", 0);
    assert_eq!(read(&[asking, shell, server(), code]), found(4, 71, Some("VS Code"), None));
    // An agent in a terminal is where its process is, wherever its hooks run.
    let [asking, shell] = hook();
    let lineage = [asking, shell, in_folder(claude(PTS_3), first), bash(PTS_3), gnome_terminal()];
    assert_eq!(Chain::of(&lineage).folder().map(PathBuf::as_path), Some(first));
}
