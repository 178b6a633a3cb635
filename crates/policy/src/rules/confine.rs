//! What runs confined, and inside of which walls. Pure data: `handraise-confine` puts the walls up.
//!
//! Architecture invariant: walls that cannot be put up are no walls. Then a person is asked.

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::facts::{Confinable, ConfinedCall};
use crate::scratch_files::{is_folder_for_temporary_files, is_temporary};
use crate::{Request, TemporaryFiles, ToolClass};
use handraise_display::line;
use handraise_shell::path::{is_within, lexical};

/// The names of the caches that a command inside walls may be let write. Their folders stand in `crates/confine`
/// (`caches.rs`), and a test of the server holds both alike.
pub const CACHES: &[&str] = &[
    "cargo",
    "go",
    "npm",
    "pnpm",
    "yarn",
    "bun",
    "deno",
    "pip",
    "uv",
    "poetry",
    "gradle",
    "maven",
    "nuget",
    "ccache",
    "sccache",
    "playwright",
    "pre-commit",
    "zig",
];

/// Longest name of a folder in a sentence, in characters.
const MAX_NAME: usize = 60;

impl ConfinedCall {
    /// The arguments that the agent gets in the place of its own: all of them, with a command line that starts the
    /// program for `request`. The quotes are those of sh, bash, zsh and fish alike.
    #[must_use]
    pub fn arguments(&self, request: &Request) -> Map<String, Value> {
        let program: Vec<String> = self.program.iter().map(|word| quoted(word)).collect();
        let (program, line) = (program.join(" "), quoted(&self.line));
        let line = format!("{program} --call {}:{} -- {line}", request.requester, request.id);
        let mut arguments = request.arguments.clone();
        arguments.insert(self.argument.clone(), Value::String(line));
        arguments
    }
}

/// One word for a shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// The table `[confine]`, as it is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConfineSettings {
    /// Further files and folders that may be written: absolute, in the home folder (`~/`) or in the project.
    pub write: Vec<String>,
    /// Further files and folders that may be read.
    pub read: Vec<String>,
    /// Names of files in the project that are shown though walls hide such files, as `.env`.
    pub show: Vec<String>,
    /// Places that must not be read.
    pub read_deny: Vec<String>,
    /// Caches of tools that may be written, of [`CACHES`].
    pub caches: Vec<String>,
    /// How much may be used.
    pub limits: WallLimits,
    /// What is open in some projects beside that.
    pub projects: Vec<ProjectWalls>,
}

/// A table `[[confine.project]]`: what is open to the walls of one project beside what is open to all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProjectWalls {
    /// The project folder: absolute, or in the home folder (`~/`).
    pub project: String,
    /// Further files and folders that may be written.
    pub write: Vec<String>,
    /// Further files and folders that may be read.
    pub read: Vec<String>,
    /// Names of files in it that are shown though walls hide such files.
    pub show: Vec<String>,
    /// Caches of tools that may be written, of [`CACHES`].
    pub caches: Vec<String>,
}

/// How much a command may use. What is not given is not limited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WallLimits {
    /// Processes and threads at one time.
    pub processes: Option<u64>,
    /// Bytes of private memory of each process.
    pub memory_bytes: Option<u64>,
    /// Seconds until it is ended.
    pub seconds: Option<u64>,
}

/// The walls around one call: it reaches no network, reads no credentials, and writes only what stands here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walls {
    /// The project folder, which it may write. Absolute.
    pub project: String,
    /// Further files and folders that it may write. Absolute.
    pub write: Vec<String>,
    /// Further files and folders that it may read. Absolute.
    pub read: Vec<String>,
    /// Names of files in the project that it sees though walls hide such files.
    pub show: Vec<String>,
    /// Temporary files and folders that are not there yet and that it may make. Absolute.
    pub made: Vec<String>,
    /// Places that it must not read. Absolute.
    pub read_deny: Vec<String>,
    /// Caches of tools that it may write.
    pub caches: Vec<String>,
    /// How much it may use.
    pub limits: WallLimits,
}

impl ConfineSettings {
    /// The walls for `request`, or why none can be put around it, as a clause.
    pub(super) fn walls_for(&self, request: &Request) -> Result<Walls, String> {
        if request.class != ToolClass::Shell {
            return Err("only command lines can be confined".to_owned());
        }
        if request.understood_command().is_none() {
            return Err("the command line was not understood".to_owned());
        }
        if !request.accepts_edits {
            return Err("this agent takes no changed command".to_owned());
        }
        if let Confinable::No(why) = &request.confinable {
            return Err(why.clone());
        }
        let project = request.project.clone().ok_or("the project is not known")?;
        if request.home.as_deref().is_some_and(|home| is_within(home, &project)) {
            return Err("its project folder holds the home folder".to_owned());
        }
        if is_folder_for_temporary_files(&project) {
            return Err("its project folder is the one for temporary files".to_owned());
        }
        let home = request.home.as_deref();
        let absolute = |path: &String| {
            let absolute = lexical(path, Some(&project), home);
            absolute.ok_or_else(|| format!("`{}` of [confine] cannot be told", line(path, MAX_NAME)))
        };
        let all = |paths: &[String]| paths.iter().map(absolute).collect::<Result<Vec<_>, _>>();
        let (mut write, mut read, read_deny) = (all(&self.write)?, all(&self.read)?, all(&self.read_deny)?);
        let (mut show, mut caches) = (self.show.clone(), self.caches.clone());
        let is_own = |own: &&ProjectWalls| lexical(&own.project, None, home).as_deref() == Some(project.as_str());
        for own in self.projects.iter().filter(is_own) {
            write = union(&write, &all(&own.write)?);
            read = union(&read, &all(&own.read)?);
            show = union(&show, &own.show);
            caches = union(&caches, &own.caches);
        }
        let is_hidden_in = |places: &[String], path: &str| places.iter().any(|place| is_within(path, place));
        if matches!(&request.confinable, Confinable::Yes(call) if !call.has_namespaces) {
            if self.limits.processes.is_some() {
                return Err("a limit for processes holds only where there are namespaces, and here are none".to_owned());
            }
            let own = std::slice::from_ref(&project);
            let hidden = read_deny.iter().find(|path| is_hidden_in(own, path) || is_hidden_in(&write, path));
            if let Some(path) = hidden {
                let path = line(path, MAX_NAME);
                return Err(format!("`{path}` can be hidden only where there are namespaces, and here are none"));
            }
        }
        let temporary = TemporaryFiles::of(request);
        let (write, read) = (union(&write, &temporary.write), union(&read, &temporary.read));
        Ok(Walls { write, read, show, made: temporary.made, read_deny, caches, limits: self.limits, project })
    }

    /// What both let a command do.
    pub(super) fn narrowed(&self, other: &Self) -> Self {
        Self {
            write: common(&self.write, &other.write),
            read: common(&self.read, &other.read),
            show: common(&self.show, &other.show),
            read_deny: union(&other.read_deny, &self.read_deny),
            caches: common(&self.caches, &other.caches),
            limits: self.limits.narrowed(other.limits),
            projects: other.projects.iter().map(|own| self.narrowed_for(own)).collect(),
        }
    }

    /// What of `other` this lets its project have, too.
    fn narrowed_for(&self, other: &ProjectWalls) -> ProjectWalls {
        let own = |of_all: &[String], of_project: fn(&ProjectWalls) -> &Vec<String>| {
            let same = self.projects.iter().filter(|own| own.project == other.project);
            let open = same.fold(of_all.to_vec(), |open, own| union(&open, of_project(own)));
            common(&open, of_project(other))
        };
        ProjectWalls {
            project: other.project.clone(),
            write: own(&self.write, |walls| &walls.write),
            read: own(&self.read, |walls| &walls.read),
            show: own(&self.show, |walls| &walls.show),
            caches: own(&self.caches, |walls| &walls.caches),
        }
    }

    /// The table in one line.
    pub(super) fn text(&self) -> String {
        let lists = [
            ("write", &self.write),
            ("read", &self.read),
            ("show", &self.show),
            ("read_deny", &self.read_deny),
            ("caches", &self.caches),
        ];
        let lists = lists.into_iter().filter(|(_, list)| !list.is_empty());
        let lists = lists.map(|(key, list)| format!("{key} = {}", list.join(", ")));
        let WallLimits { processes, memory_bytes, seconds } = self.limits;
        let limits = [("processes", processes), ("memory_bytes", memory_bytes), ("seconds", seconds)];
        let limits = limits.into_iter().filter_map(|(key, limit)| Some(format!("{key} = {}", limit?)));
        let projects = self.projects.iter().map(|own| {
            let open = own.write.iter().chain(&own.read).chain(&own.show).chain(&own.caches);
            let open: Vec<&str> = open.map(String::as_str).collect();
            format!("in {}: {}", own.project, open.join(", "))
        });
        lists.chain(limits).chain(projects).collect::<Vec<_>>().join("; ")
    }
}

/// What tells walls from others: SHA-256 of all that they say, in lower-case hexadecimal. A person's answer is bound to
/// the walls that were shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WallsHash(String);

impl WallsHash {
    /// The hash that somebody names, to be compared with one of [`Walls::hash`].
    #[must_use]
    pub fn named(text: String) -> Self {
        Self(text)
    }

    /// The hash as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Walls {
    /// What tells these walls from others.
    #[must_use]
    pub fn hash(&self) -> WallsHash {
        let Self { project, write, read, show, made, read_deny, caches, limits } = self;
        let WallLimits { processes, memory_bytes, seconds } = limits;
        let all = json!([project, write, read, show, made, read_deny, caches, [processes, memory_bytes, seconds]]);
        WallsHash(Sha256::digest(all.to_string()).iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// Whether it can write nothing beside the project.
    pub(super) fn hold_in_project(&self) -> bool {
        let beside = |path: &String| !is_within(path, &self.project) && !is_temporary(path);
        self.caches.is_empty() && !self.write.iter().any(beside)
    }

    /// One sentence for people, without a full stop: "writes only in shopfront and 2 caches, no network". Secrets that it
    /// sees are named: "writes only in shopfront, reads its .env, no network".
    #[must_use]
    pub fn sentence(&self) -> String {
        let name =
            |path: &String| line(path.rsplit('/').next().filter(|name| !name.is_empty()).unwrap_or(path), MAX_NAME);
        let places = std::iter::once(&self.project).chain(&self.write).chain(&self.made);
        let mut places: Vec<String> = places.map(name).collect();
        match self.caches.as_slice() {
            [] => {}
            [one] => places.push(format!("the cache of {one}")),
            several => places.push(format!("{} caches", several.len())),
        }
        let seen: Vec<String> = self.show.iter().map(name).collect();
        let seen = if seen.is_empty() { String::new() } else { format!(", reads its {}", listed(&seen)) };
        format!("writes only in {}{seen}, no network", listed(&places))
    }

    /// What both let a call do. Both are about the same call.
    pub(super) fn narrowed(&self, other: &Self) -> Self {
        Self {
            project: self.project.clone(),
            write: common(&self.write, &other.write),
            read: common(&self.read, &other.read),
            show: common(&self.show, &other.show),
            made: common(&self.made, &other.made),
            read_deny: union(&other.read_deny, &self.read_deny),
            caches: common(&self.caches, &other.caches),
            limits: self.limits.narrowed(other.limits),
        }
    }
}

impl WallLimits {
    fn narrowed(self, other: Self) -> Self {
        let lower = |one: Option<u64>, other: Option<u64>| match (one, other) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        Self {
            processes: lower(self.processes, other.processes),
            memory_bytes: lower(self.memory_bytes, other.memory_bytes),
            seconds: lower(self.seconds, other.seconds),
        }
    }
}

/// "a, b and c".
fn listed(names: &[String]) -> String {
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

/// What stands in both lists, in the order of the second.
fn common(one: &[String], other: &[String]) -> Vec<String> {
    other.iter().filter(|entry| one.contains(entry)).cloned().collect()
}

/// What stands in either list, that of the first in front.
fn union(one: &[String], other: &[String]) -> Vec<String> {
    one.iter().chain(other.iter().filter(|entry| !one.contains(entry))).cloned().collect()
}
