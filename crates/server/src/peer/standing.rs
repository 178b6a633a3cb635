//! Whether it is known without a gap where an approver's process comes from. Facts in, a verdict out.
//!
//! A person's terminal: only shells stand between the process and the program that shows its terminal; that
//! program is a terminal that only a keyboard types into; and it was started by the login, by what started this
//! server too, or as a unit of its own. A program with a token needs the last of these.
//!
//! What remains. Everything here is about processes of one user, so a program of that user that gets somebody
//! else to start a terminal (systemd, or a terminal that other programs may ask for a new tab), or that types
//! with the display's own means (X11's XTEST), is not told apart from the person. Programs are known by files that
//! only root can change, but what such a program was made to load (`LD_PRELOAD`) is not seen.

use handraise_policy::{ApproverProcess, Doubt, ProcessId};

use crate::provenance::host_programs::{self, Typing};

/// Shells: they stand between a person's terminal and what is typed there, or between an agent and its hook.
pub(super) const SHELLS: &[&str] =
    &["sh", "bash", "rbash", "dash", "zsh", "fish", "ksh", "ksh93", "mksh", "busybox", "ash", "nu", "xonsh"];
/// What a shell is started with that a person types into.
const PLAIN_OPTIONS: &[&str] = &["-i", "-l", "-il", "-li", "--login", "--interactive", "--posix"];
/// Ours, which a person may type after `exec`.
const OWN_COMMAND: &str = "handraise";
/// Starts services, and takes in the children of what has ended: being its child says nothing.
const SERVICE_MANAGERS: &[&str] = &["systemd", "init", "openrc-init", "runit", "s6-svscan", "dinit"];

/// One process of a chain, as far as it could be looked at.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pub(super) id: ProcessId,
    /// Number of its parent.
    pub(super) parent: u32,
    /// Number of its terminal device; 0: none.
    pub(super) terminal: i32,
    /// It leads its session (setsid(2)).
    pub(super) leads_session: bool,
    /// Its effective user.
    pub(super) user: u32,
    pub(super) program: Program,
    /// Its arguments, which it can change.
    pub(super) arguments: Vec<String>,
    /// Its unit, unless that is the whole system.
    pub(super) unit: Option<String>,
    /// The machine that its SSH session comes from is this one.
    pub(super) is_from_here: bool,
}

/// What a process runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Program {
    /// A file of this name that only root can change.
    Fixed(String),
    /// A file at this path that others can change, or that has been changed since.
    Changeable(String),
    /// It cannot be looked at, as that of another user; the process calls itself so.
    Hidden(String),
}

/// Where this server itself stands.
#[derive(Clone, Debug, Default)]
pub(super) struct Own {
    pub(super) user: u32,
    /// It and its ancestors.
    pub(super) lineage: Vec<ProcessId>,
    pub(super) unit: Option<String>,
}

impl Program {
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Fixed(name) | Self::Hidden(name) => name,
            Self::Changeable(path) => path.rsplit('/').next().unwrap_or(path),
        }
    }

    fn is_shell(&self) -> bool {
        matches!(self, Self::Fixed(name) if SHELLS.contains(&name.as_str()))
    }
}

/// A person's terminal: the process at `chain`'s beginning, which has one.
pub(super) fn of_terminal(chain: &[Link], own: &Own) -> ApproverProcess {
    let lineage = || chain.iter().map(|link| link.id).collect();
    let doubted = |doubt| ApproverProcess { lineage: lineage(), doubt: Some(doubt), ..ApproverProcess::default() };
    let Some(asking) = chain.first() else { return doubted(unknown()) };
    let within = chain.iter().take_while(|link| link.terminal == asking.terminal).count();
    let (inside, outside) = chain.split_at(within);
    let started = match started_by(chain, within, own) {
        Ok(started) => started,
        Err(doubt) => return doubted(doubt),
    };
    let mut units: Vec<String> = asking.unit.iter().chain(started.units()).cloned().collect();
    if !started.by_unit {
        units.retain(|unit| Some(unit) != own.unit.as_ref());
    }
    let doubt = of_person(inside, outside).err();
    ApproverProcess { lineage: lineage(), units, doubt }
}

/// A program with an approver's token.
pub(super) fn of_program(chain: &[Link], own: &Own) -> ApproverProcess {
    let lineage = chain.iter().map(|link| link.id).collect();
    match started_by(chain, 0, own) {
        Ok(started) => {
            let units = if started.by_unit { started.units().cloned().collect() } else { Vec::new() };
            ApproverProcess { lineage, units, doubt: None }
        }
        Err(doubt) => ApproverProcess { lineage, doubt: Some(doubt), ..ApproverProcess::default() },
    }
}

/// What vouches for a chain of processes.
struct Started<'a> {
    /// The process that everything begins with.
    first: &'a Link,
    /// The one that was started last.
    last: &'a Link,
    /// Nothing but the unit that it runs in.
    by_unit: bool,
}

impl Started<'_> {
    fn units(&self) -> impl Iterator<Item = &String> {
        self.last.unit.iter().chain(&self.first.unit)
    }
}

/// Who started the chain: a login, what started this server too, or a service manager, in a unit of its own.
/// What was left behind by its parent is the child of a service manager as well, but stays in its unit.
///
/// The chain from its position `start` on is looked at.
fn started_by<'a>(chain: &'a [Link], start: usize, own: &Own) -> Result<Started<'a>, Doubt> {
    let last = chain.get(start).ok_or_else(left_behind)?;
    let (mut first, mut is_whole) = (last, chain.last().is_some_and(|end| end.parent <= 1));
    for (at, link) in chain.iter().enumerate().skip(start) {
        if matches!(&link.program, Program::Fixed(name) if SERVICE_MANAGERS.contains(&name.as_str())) {
            is_whole = true;
            break;
        }
        if own.user != 0 && link.user != own.user {
            let by_root = chain.get(at + 1).is_some_and(|above| above.user == 0);
            let device = at.checked_sub(1).and_then(|below| chain.get(below)).map_or(0, |below| below.terminal);
            return match host_programs::is_login(link.program.name(), by_root, device) {
                true => Ok(Started { first, last, by_unit: false }),
                false => Err(started_otherwise(link.program.name())),
            };
        }
        first = link;
        if own.lineage.contains(&link.id) {
            return Ok(Started { first, last, by_unit: false });
        }
    }
    if first.unit.is_some() && is_whole { Ok(Started { first, last, by_unit: true }) } else { Err(left_behind()) }
}

/// Whether only a person can have typed here: `inside` share the terminal, and the first of `outside` shows it.
fn of_person(inside: &[Link], outside: &[Link]) -> Result<(), Doubt> {
    let (Some((_, between)), Some(leader)) = (inside.split_first(), inside.last()) else { return Err(unknown()) };
    let Some(place) = outside.first().filter(|_| leader.leads_session) else { return Err(left_behind()) };
    if let Some(other) = between.iter().find(|link| !link.program.is_shell()) {
        return Err(in_between(&other.program));
    }
    let above_is_root = outside.get(1).is_some_and(|above| above.user == 0);
    let typing = match &place.program {
        Program::Fixed(name) => host_programs::typing(name),
        // Root's own, or what root's own has become: nobody looks into that.
        Program::Hidden(name) if place.user == 0 || above_is_root => {
            host_programs::typing(name).filter(|typing| *typing == Typing::Login)
        }
        Program::Hidden(_) | Program::Changeable(_) => None,
    };
    match typing.ok_or_else(|| no_terminal(&place.program))? {
        Typing::Programs => Err(typed_by_programs(place.program.name())),
        Typing::Login if place.program.name() == "login" && !host_programs::is_console(leader.terminal) => {
            Err(no_terminal(&place.program))
        }
        Typing::Login if leader.is_from_here => Err(from_here()),
        // What is given to `ssh` as a command was typed by whoever logged in.
        Typing::Login => Ok(()),
        Typing::Keyboard if is_plain(leader) => Ok(()),
        Typing::Keyboard => Err(one_command()),
    }
}

/// A shell that was started without anything to run, as a terminal does it, or what a person ran in its place.
fn is_plain(leader: &Link) -> bool {
    let mut options = leader.arguments.iter().skip(1).map(String::as_str);
    leader.program.is_shell() && options.all(|option| PLAIN_OPTIONS.contains(&option))
}

fn doubt(sentence: String) -> Doubt {
    Doubt { sentence, may_look: false }
}

fn unknown() -> Doubt {
    doubt("The process at the other end cannot be looked at".to_owned())
}

fn left_behind() -> Doubt {
    doubt(
        "What started this process has ended, or is not known, so an agent may have started it. Use a terminal that \
         you opened yourself, or the window of Handraise; start a program that decides as a systemd service"
            .to_owned(),
    )
}

fn started_otherwise(name: &str) -> Doubt {
    doubt(format!("It was started by `{name}`, which starts things for any program. {INSTEAD}"))
}

fn in_between(program: &Program) -> Doubt {
    let sentence = match program {
        Program::Changeable(path) if SHELLS.contains(&program.name()) => {
            format!("Any of your programs can change the shell `{path}`, so it does not show who types. {INSTEAD}")
        }
        other => format!(
            "`{}` stands between your terminal and `{OWN_COMMAND}`: start it from the shell itself",
            other.name()
        ),
    };
    Doubt { sentence, may_look: false }
}

fn no_terminal(program: &Program) -> Doubt {
    let what = match program {
        Program::Changeable(path) => format!("`{path}`, which any of your programs can change"),
        other => format!("`{}`", other.name()),
    };
    doubt(format!("This terminal is shown by {what}: that is no terminal that Handraise knows. {INSTEAD}"))
}

fn typed_by_programs(name: &str) -> Doubt {
    let sentence = format!("Other programs can type into {name}, so nothing is decided in it. {INSTEAD}");
    Doubt { sentence, may_look: true }
}

fn from_here() -> Doubt {
    doubt(format!("This SSH session comes from this very machine, or does not say from where. {INSTEAD}"))
}

fn one_command() -> Doubt {
    let sentence =
        format!("This terminal was opened to run one command, which any program can do. {INSTEAD}, with a shell in it");
    Doubt { sentence, may_look: true }
}

const INSTEAD: &str = "Answer in the window of Handraise, or in a plain terminal";

#[cfg(test)]
#[path = "standing_tests.rs"]
mod tests;
