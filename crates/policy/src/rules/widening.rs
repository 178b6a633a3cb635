//! What a person may open to the walls of a project, after they have denied a call something.
//!
//! Architecture invariant: never a control file, a setting of an agent, one of Handraise's own files, or the network.
//! Who looks at the disk says first what is no credential, no home and no folder of the system.

use toml::{Table, Value};

use super::confine::{CACHES, Walls};
use super::in_force::PolicyInForce;
use super::protection::is_agent_setting;
use super::rule_draft::RuleDraft;
use crate::Request;
use crate::control_files::is_control;
use crate::written_findings::acts_by_itself;
use handraise_display::{has_hidden, line};
use handraise_shell::path::is_within;

/// Longest path in a sentence, in characters.
const MAX_PATH: usize = 120;

/// What walls have denied a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WallsDenial {
    /// As one clause: "write /srv/x".
    pub clause: String,
    /// What would let it pass, as far as the disk tells.
    pub opening: Option<WallsOpening>,
}

/// What would let a call write where its walls have denied it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WallsOpening {
    /// The cache of this name.
    Cache(String),
    /// This folder: absolute, without links.
    Folder(String),
}

/// Something that a person may open to the walls of the project of one call.
#[derive(Clone, Debug, PartialEq)]
pub struct Widening {
    /// What is opened.
    pub opening: WallsOpening,
    /// The walls with it open.
    pub walls: Walls,
    /// The table `[[confine.project]]` that says so.
    pub table: RuleDraft,
}

impl WallsOpening {
    /// What it is, for people: "the cache of npm", "~/out".
    #[must_use]
    pub fn name(&self, home: Option<&str>) -> String {
        match self {
            Self::Cache(name) => format!("the cache of {name}"),
            Self::Folder(path) => line(&from_home(path, home), MAX_PATH),
        }
    }
}

impl PolicyInForce {
    /// What a person may open to `walls`, which stand around `request`, after these denials; each once.
    #[must_use]
    pub fn widenings(&self, request: &Request, walls: &Walls, denied: &[WallsDenial]) -> Vec<Widening> {
        let mut found: Vec<Widening> = Vec::new();
        for opening in denied.iter().filter_map(|denial| denial.opening.as_ref()) {
            let is_new = !found.iter().any(|widening| widening.opening == *opening);
            if is_new && self.may_open(opening, request, walls) {
                found.extend(Widening::new(opening, request, walls));
            }
        }
        found
    }

    fn may_open(&self, opening: &WallsOpening, request: &Request, walls: &Walls) -> bool {
        let folder = match opening {
            WallsOpening::Cache(name) => return CACHES.contains(&name.as_str()) && !walls.caches.contains(name),
            WallsOpening::Folder(folder) => folder,
        };
        let home = request.home.as_deref();
        let overlaps = |place: &str| is_within(folder, place) || is_within(place, folder);
        // A file in it, of any name.
        let file = format!("{folder}/x");
        let acts_later = is_control(&file, home)
            || acts_by_itself(&file, home)
            || is_agent_setting(&file)
            || is_control(folder, home);
        let policies = [Some(&self.confirmed), self.unconfirmed.as_ref()].into_iter().flatten();
        let mut protected = policies.flat_map(|policy| policy.protections.all());
        let is_denied = walls.read_deny.iter().any(|place| overlaps(place));
        let is_open = walls.write.iter().any(|place| is_within(folder, place));
        // What is denied in the project is kept there for its own sake.
        let is_project = overlaps(&walls.project) || home.is_some_and(|home| is_within(home, folder));
        let is_absolute = folder.starts_with('/');
        let is_kept = is_denied || is_open || is_project || acts_later || has_hidden(folder);
        is_absolute && !is_kept && !protected.any(|protected| overlaps(&protected.path))
    }
}

impl Widening {
    fn new(opening: &WallsOpening, request: &Request, walls: &Walls) -> Option<Self> {
        let home = request.home.as_deref();
        let mut wider = walls.clone();
        let mut table = Table::new();
        let text = |text: String| Value::String(text);
        table.insert("project".to_owned(), text(from_home(&walls.project, home)));
        let (key, entry) = match opening {
            WallsOpening::Cache(name) => {
                wider.caches.push(name.clone());
                ("caches", name.clone())
            }
            WallsOpening::Folder(folder) => {
                wider.write.push(folder.clone());
                ("write", from_home(folder, home))
            }
        };
        table.insert(key.to_owned(), Value::Array(vec![text(entry)]));
        let toml = format!("[[confine.project]]\n{table}");
        // It is kept as it is; nobody should be offered one that cannot be seen as it is, or that is read as a pattern.
        let is_plain = !has_hidden(&toml) && !toml.contains(['*', '?']);
        is_plain.then(|| Self { opening: opening.clone(), walls: wider, table: RuleDraft { toml } })
    }
}

/// A path as it is written from the home folder on, where it lies in there.
fn from_home(path: &str, home: Option<&str>) -> String {
    let below = home.and_then(|home| path.strip_prefix(home)?.strip_prefix('/'));
    below.map_or_else(|| path.to_owned(), |below| format!("~/{below}"))
}
