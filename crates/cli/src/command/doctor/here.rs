//! Handraise itself on this machine.

use handraise_locations::{EndpointFile, Folders, read_private};
use handraise_policy::rules;
use handraise_protocol::{Health, HealthStatus, SurfaceKind, SurfaceList, SurfaceState};

use super::{Check, State};
use crate::client::{Client, ClientError};
use crate::command::confine;
use crate::command::settings_file::home;
use crate::runtime::runtime;

/// The server, its files, the policy, the start at login.
pub(super) fn checks(folders: &Folders) -> Vec<Check> {
    let mut checks = vec![server(folders), discovery(folders)];
    checks.extend(["default"].iter().chain(handraise_agents::NAMES).map(|name| token(folders, name)));
    checks.extend([policy_file(folders), autostart(), walls()]);
    checks
}

/// What calls can be confined by here.
fn walls() -> Check {
    let found = confine::capability();
    let (state, finding) = match &found {
        Ok(there) if there.holds_walls() && there.namespaces => (State::Fine, there.meaning().to_owned()),
        Ok(there) => (State::Note, format!("{} Missing: {}.", there.meaning(), there.missing.join("; "))),
        Err(error) => (State::Note, format!("No call can run confined: {error:#}.")),
    };
    super::check("walls", state, finding)
}

/// What the running Handraise asks a person on: notifications, tray, window or a terminal.
pub(super) fn surfaces(folders: &Folders) -> Vec<Check> {
    let asked = Client::default_requester(folders).and_then(|client| {
        let runtime = runtime().map_err(ClientError::System)?;
        runtime.block_on(client.get::<SurfaceList>("/v1/surfaces"))
    });
    match asked {
        Ok(list) if list.surfaces.is_empty() => {
            vec![super::check("surfaces", State::Note, "Nothing has been told yet about how a person is asked.")]
        }
        Ok(list) => list.surfaces.iter().map(surface).collect(),
        // That it does not run is said above.
        Err(_) => {
            vec![super::check("surfaces", State::Note, "Only a running Handraise knows its notifications and tray.")]
        }
    }
}

fn surface(SurfaceState { kind, works, detail }: &SurfaceState) -> Check {
    let name = match kind {
        SurfaceKind::Notifications => "notifications",
        SurfaceKind::Tray => "tray",
        SurfaceKind::Window => "prompt window",
        SurfaceKind::Terminal => "terminal",
    };
    let state = if *works { State::Fine } else { State::Note };
    super::check(name, state, handraise_display::line(detail, 400))
}

fn server(folders: &Folders) -> Check {
    let asked = Client::default_requester(folders).and_then(|client| {
        let runtime = runtime().map_err(ClientError::System)?;
        runtime.block_on(client.get::<Health>("/v1/health"))
    });
    match asked {
        Ok(health) => running(&health, folders),
        Err(error) => super::check("server", State::Wrong, error.sentence()),
    }
}

/// The server does not name the folder, since anybody on this machine may ask it.
fn running(health: &Health, folders: &Folders) -> Check {
    if health.status == HealthStatus::Ok {
        return super::check("server", State::Fine, "It is running and has proved that it is Handraise.");
    }
    let problem = health.problem.as_deref().unwrap_or("Something is wrong with the disk.");
    let problem = handraise_display::line(problem, 200);
    let data = folders.data.display();
    let finding = format!("Every call is denied, since the audit log cannot be written in {data}. {problem}");
    super::check("server", State::Wrong, finding)
}

fn discovery(folders: &Folders) -> Check {
    match EndpointFile::read(folders) {
        Ok(endpoint) => {
            let socket = endpoint.socket.map(|path| format!(" and {}", path.display())).unwrap_or_default();
            super::check("discovery file", State::Fine, format!("It names {}{socket}.", endpoint.address))
        }
        Err(error) if error.is_missing() => {
            super::check("discovery file", State::Note, "There is none; the server writes it while it runs.")
        }
        Err(error) => super::check("discovery file", State::Wrong, format!("{error}.")),
    }
}

fn token(folders: &Folders, name: &str) -> Check {
    let title = format!("token `{name}`");
    match read_private(&folders.token_file(name)) {
        Ok(_) => super::check(title, State::Fine, "Only you can read it."),
        Err(error) if error.is_missing() => super::check(title, State::Wrong, "It is missing. Start Handraise once."),
        Err(error) => super::check(title, State::Wrong, format!("{error}.")),
    }
}

fn policy_file(folders: &Folders) -> Check {
    let path = folders.policy_file();
    match std::fs::read_to_string(&path) {
        Ok(text) => match rules::parse(&text) {
            Ok(rules::LoadedPolicy { policy, .. }) => {
                let rules = policy.rule_count();
                let rules = if rules == 1 { "1 rule".to_owned() } else { format!("{rules} rules") };
                super::check("policy", State::Fine, format!("{} is valid; it has {rules}.", path.display()))
            }
            Err(diagnostics) => {
                let problems: Vec<String> = diagnostics.iter().map(ToString::to_string).collect();
                super::check("policy", State::Wrong, format!("{}: {}", path.display(), problems.join("; ")))
            }
        },
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            super::check("policy", State::Note, "There is no policy file; the server makes one when it starts.")
        }
        Err(error) => super::check("policy", State::Wrong, format!("{}: {error}.", path.display())),
    }
}

fn autostart() -> Check {
    let entry = home().map(|home| home.join(".config/autostart/handraise.desktop"));
    match entry {
        Ok(entry) if entry.exists() => {
            super::check("start at login", State::Fine, format!("{} is there.", entry.display()))
        }
        _ => super::check(
            "start at login",
            State::Note,
            "Off. Until Handraise is started, connected agents are denied everything. The settings window switches it on.",
        ),
    }
}
