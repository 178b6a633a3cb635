//! Made-up chains of processes: those that people have, and those that programs make.

use handraise_policy::ProcessId;

use super::{Link, Own, Program, of_program, of_terminal};

const ANN: u32 = 1000;
const ROOT: u32 = 0;
/// A pseudo-terminal, and the first console.
const PTS: i32 = 136 << 8;
const TTY1: i32 = (4 << 8) | 1;

fn fixed(name: &str) -> Program {
    Program::Fixed(name.to_owned())
}

/// A process of Ann without a terminal; its parent and number come with its place in the chain.
fn process(program: Program) -> Link {
    Link {
        id: ProcessId { pid: 0, started: 1 },
        parent: 0,
        terminal: 0,
        leads_session: false,
        user: ANN,
        arguments: vec![program.name().to_owned()],
        program,
        unit: None,
        is_from_here: false,
    }
}

fn on(terminal: i32, link: Link) -> Link {
    Link { terminal, ..link }
}

fn of_root(name: &str) -> Link {
    Link { user: ROOT, ..process(Program::Hidden(name.to_owned())) }
}

fn unit(name: &str, link: Link) -> Link {
    Link { unit: Some(name.to_owned()), ..link }
}

fn shell(terminal: i32) -> Link {
    Link { leads_session: true, ..on(terminal, process(fixed("bash"))) }
}

fn started_with(arguments: &[&str], link: Link) -> Link {
    Link { arguments: arguments.iter().map(|word| (*word).to_owned()).collect(), ..link }
}

fn handraise() -> Link {
    on(PTS, process(Program::Changeable("/home/ann/.local/bin/handraise".to_owned())))
}

/// The chain from a process up to the first process of the system.
fn chain(links: Vec<Link>) -> Vec<Link> {
    let count = u32::try_from(links.len()).unwrap();
    let numbered = links.into_iter().zip(0..).map(|(link, at)| {
        let pid = 100 + count - at;
        let parent = if at + 1 == count { 1 } else { pid - 1 };
        Link { id: ProcessId { pid, started: 1 }, parent, ..link }
    });
    numbered.collect()
}

fn own() -> Own {
    Own { user: ANN, lineage: vec![ProcessId { pid: 5000, started: 1 }], unit: None }
}

/// What is wrong with a terminal, and whether it may look.
fn wrong(links: Vec<Link>) -> Option<(String, bool)> {
    of_terminal(&chain(links), &own()).doubt.map(|doubt| (doubt.sentence, doubt.may_look))
}

fn login_manager() -> Vec<Link> {
    vec![process(fixed("xfce4-session")), of_root("lightdm"), of_root("lightdm")]
}

fn with(mut links: Vec<Link>, rest: Vec<Link>) -> Vec<Link> {
    links.extend(rest);
    links
}

#[test]
fn a_persons_terminals_are_known() {
    let systemd = || process(fixed("systemd"));
    let cases: [(&str, Vec<Link>); 7] = [
        (
            "GNOME Terminal",
            vec![
                unit("vte-1.scope", handraise()),
                unit("vte-1.scope", shell(PTS)),
                unit("gnome-terminal-server.service", process(fixed("gnome-terminal-server"))),
                systemd(),
            ],
        ),
        ("xterm", with(vec![handraise(), shell(PTS), process(fixed("xterm"))], login_manager())),
        (
            "a shell in a shell",
            with(
                vec![handraise(), on(PTS, process(fixed("zsh"))), shell(PTS), process(fixed("xterm"))],
                login_manager(),
            ),
        ),
        (
            "SSH",
            vec![handraise(), shell(PTS), process(Program::Hidden("sshd".into())), of_root("sshd"), of_root("sshd")],
        ),
        (
            "SSH with a command",
            vec![
                handraise(),
                started_with(&["bash", "-c", "handraise watch"], shell(PTS)),
                process(Program::Hidden("sshd-session".into())),
                of_root("sshd-session"),
                of_root("sshd"),
            ],
        ),
        ("a console", vec![on(TTY1, handraise()), shell(TTY1), of_root("login")]),
        (
            "Konsole in a unit of its own",
            vec![
                unit("app-konsole-1.scope", handraise()),
                unit("app-konsole-1.scope", started_with(&["/bin/bash", "-l"], shell(PTS))),
                unit("app-konsole-1.scope", process(fixed("konsole"))),
                systemd(),
            ],
        ),
    ];
    for (name, links) in cases {
        assert_eq!(wrong(links), None, "{name}");
    }
}

#[test]
fn what_a_program_makes_is_no_persons_terminal() {
    let script = || process(fixed("script"));
    let under = |links| with(links, login_manager());
    let xterm = || process(fixed("xterm"));
    let fish = || Link { leads_session: true, ..on(PTS, process(Program::Changeable("/home/ann/bin/fish".into()))) };
    let cases: [(&str, Vec<Link>, &str, bool); 13] = [
        ("an orphan with the terminal", vec![handraise()], "has ended", false),
        ("an orphan's own terminal", vec![handraise(), shell(PTS), script()], "has ended", false),
        ("an orphaned xterm", vec![handraise(), shell(PTS), xterm()], "has ended", false),
        ("a terminal of script", under(vec![handraise(), shell(PTS), script(), xterm()]), "no terminal", false),
        (
            "an agent in between",
            under(vec![handraise(), on(PTS, process(fixed("node"))), shell(PTS), xterm()]),
            "`node` stands between",
            false,
        ),
        ("a shell that anybody changes", under(vec![handraise(), fish(), xterm()]), "can change the shell", false),
        (
            "a terminal that anybody changes",
            under(vec![handraise(), shell(PTS), process(Program::Changeable("/home/ann/xterm".into()))]),
            "can change",
            false,
        ),
        (
            "tmux",
            vec![
                unit("session-1.scope", handraise()),
                unit("session-1.scope", shell(PTS)),
                unit("session-1.scope", process(fixed("tmux"))),
            ],
            "type into tmux",
            true,
        ),
        ("tmux without a unit", vec![handraise(), shell(PTS), process(fixed("tmux"))], "has ended", false),
        ("an editor", under(vec![handraise(), shell(PTS), process(fixed("code"))]), "type into code", true),
        (
            "one command",
            under(vec![handraise(), started_with(&["bash", "-c", "x"], shell(PTS)), xterm()]),
            "one command",
            true,
        ),
        (
            "SSH from here",
            vec![
                handraise(),
                Link { is_from_here: true, ..shell(PTS) },
                process(Program::Hidden("sshd".into())),
                of_root("sshd"),
                of_root("sshd"),
            ],
            "this very machine",
            false,
        ),
        (
            "xterm by cron",
            vec![handraise(), shell(PTS), xterm(), of_root("cron"), of_root("cron")],
            "started by `cron`",
            false,
        ),
    ];
    for (name, links, expected, may_look) in cases {
        let found = wrong(links);
        let (sentence, looks) = found.unwrap_or_else(|| panic!("{name} was taken for a person"));
        assert!(sentence.contains(expected), "{name}: {sentence}");
        assert_eq!(looks, may_look, "{name}");
    }
}

#[test]
fn a_program_of_root_under_a_borrowed_name_is_no_login() {
    // sg(1) belongs to root and keeps running above what it starts; it can be started as `login` or `lightdm`.
    for name in ["login", "lightdm", "sshd"] {
        let links = vec![handraise(), shell(PTS), process(fixed("xterm")), of_root(name)];
        assert!(wrong(links).is_some(), "{name}");
        let links = vec![handraise(), shell(PTS), of_root(name)];
        assert!(wrong(links).is_some(), "{name} with a terminal of its own");
    }
}

#[test]
fn what_started_the_server_too_vouches() {
    let links = chain(vec![handraise(), shell(PTS), process(fixed("xterm")), process(fixed("make"))]);
    let make = links.last().unwrap().id;
    let own = Own { lineage: vec![make], unit: Some("ci.service".into()), ..own() };
    assert_eq!(of_terminal(&links, &own).doubt, None);
    assert_eq!(of_program(&links, &own).doubt, None);
    // The service manager starts everything.
    let links = chain(vec![process(fixed("python3")), process(fixed("systemd"))]);
    let own = Own { lineage: vec![links.last().unwrap().id], ..own };
    assert!(of_program(&links, &own).doubt.is_some());
}

#[test]
fn a_unit_counts_unless_the_server_runs_in_it_too() {
    let links = || {
        let in_unit = |link| unit("session-2.scope", link);
        with(vec![in_unit(handraise()), in_unit(shell(PTS)), in_unit(process(fixed("xterm")))], login_manager())
    };
    let elsewhere = of_terminal(&chain(links()), &own());
    assert!(elsewhere.units.contains(&"session-2.scope".to_owned()));
    let same = Own { unit: Some("session-2.scope".into()), ..own() };
    assert_eq!(of_terminal(&chain(links()), &same).units, Vec::<String>::new());
    // Where nothing but the unit vouches, it counts always.
    let alone = vec![
        unit("session-2.scope", handraise()),
        unit("session-2.scope", shell(PTS)),
        unit("session-2.scope", process(fixed("xterm"))),
    ];
    let found = of_terminal(&chain(alone), &same);
    assert!(found.doubt.is_none() && found.units.contains(&"session-2.scope".to_owned()));
}

#[test]
fn a_program_with_a_token_was_started_by_somebody() {
    let left_behind = chain(vec![process(fixed("curl"))]);
    assert!(of_program(&left_behind, &own()).doubt.is_some());
    let service = chain(vec![unit("bot.service", process(fixed("node"))), process(fixed("systemd"))]);
    let found = of_program(&service, &own());
    assert_eq!((found.doubt, found.units.first().map(String::as_str)), (None, Some("bot.service")));
    let by_hand = with(vec![process(fixed("node")), shell(PTS), process(fixed("xterm"))], login_manager());
    assert_eq!(of_program(&chain(by_hand), &own()).doubt, None);
    assert!(of_program(&[], &own()).doubt.is_some() && of_terminal(&[], &own()).doubt.is_some());
}
