//! Projects whose own files switch an agent's hooks off. Such a file comes with a clone, and the agent then
//! asks nobody there, so nothing but the file itself can tell.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};

use handraise_agents::{Agent, Level};
use handraise_locations::matching;

/// The largest file that is read, in bytes; Claude Code's own list grows to some of them.
const MAX_SIZE: u64 = 16 * 1024 * 1024;
/// Projects that are looked at.
const MAX_PROJECTS: usize = 400;

/// A file of a project that switches an agent's hooks off.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct HooksOff {
    /// The agent, as `claude-code`.
    pub agent: &'static str,
    /// The file.
    pub file: PathBuf,
    /// The setting in it.
    pub setting: &'static str,
}

impl HooksOff {
    /// For a person.
    #[must_use]
    pub fn sentence(&self) -> String {
        let Self { agent, file, setting } = self;
        let name = handraise_agents::agent(agent).map_or(*agent, Agent::display_name);
        let file = handraise_display::line(&file.display().to_string(), 400);
        format!("{file} switches the hooks of {name} off (`{setting}`), so in that project it asks nobody.")
    }
}

/// The files below `home` in which agents note the projects that they work in.
pub(crate) fn lists(home: &Path) -> Vec<PathBuf> {
    let agents = handraise_agents::NAMES.iter().filter_map(|name| handraise_agents::agent(name));
    agents.flat_map(|agent| agent.project_lists()).map(|list| home.join(list.file)).collect()
}

/// The folders that agents have worked in, by their own notes below `home`.
#[must_use]
pub fn known(home: &Path) -> Vec<PathBuf> {
    let agents = handraise_agents::NAMES.iter().filter_map(|name| handraise_agents::agent(name));
    let lists = agents.flat_map(|agent| agent.project_lists());
    let folders = lists.filter_map(|list| Some(list.folders(&read(&home.join(list.file))?))).flatten();
    let folders: BTreeSet<PathBuf> = folders.map(PathBuf::from).collect();
    folders.into_iter().take(MAX_PROJECTS).collect()
}

/// The agents that ask about every project of the user whose home folder is `home`, and could be switched
/// off in one: those that a file for the whole machine forbids that are not among them.
#[must_use]
pub fn could_be_off(home: &Path, root: &Path) -> Vec<&'static dyn Agent> {
    let agents = handraise_agents::NAMES.iter().filter_map(|name| handraise_agents::agent(name));
    agents.filter(|agent| is_connected(*agent, home)).filter(|agent| !is_pinned(*agent, root)).collect()
}

fn is_connected(agent: &dyn Agent, home: &Path) -> bool {
    agent.files(Level::User).iter().any(|managed| {
        matching(home, managed.path).iter().filter_map(|path| read(path)).any(|text| {
            let connection = managed.text.connection(&text).ok().flatten();
            connection.is_some_and(|connection| !connection.switched_off)
        })
    })
}

/// Whether a file for the whole machine lays down that hooks stay on.
#[must_use]
pub fn is_pinned(agent: &dyn Agent, root: &Path) -> bool {
    let files = agent.system_files();
    files.iter().any(|managed| {
        let text = read(&root.join(managed.path));
        text.is_some_and(|text| managed.text.connection(&text).is_ok_and(|found| found.is_some()))
    })
}

/// Every file in `folders` and the project folders above them that switches the hooks of one of `agents` off.
#[must_use]
pub fn hooks_off(
    agents: &[&'static dyn Agent],
    folders: impl IntoIterator<Item = PathBuf>,
    home: &Path,
) -> Vec<HooksOff> {
    let mut found = BTreeSet::new();
    let places: BTreeSet<PathBuf> = folders.into_iter().flat_map(|folder| places(&folder, home)).collect();
    for folder in places.into_iter().take(2 * MAX_PROJECTS) {
        for (agent, switch) in
            agents.iter().flat_map(|agent| agent.off_switches().iter().map(|switch| (*agent, switch)))
        {
            let files = matching(&folder, switch.file).into_iter();
            let off = files.filter(|file| read(file).is_some_and(|text| switch.is_off_in(&text)));
            found.extend(off.map(|file| HooksOff { agent: agent.name(), file, setting: switch.setting }));
        }
    }
    found.into_iter().collect()
}

/// `folder`, and the project that it lies in; not the home folder, whose files are the person's own settings.
fn places(folder: &Path, home: &Path) -> Vec<PathBuf> {
    let project = folder.to_str().and_then(|folder| crate::paths::project_of(folder, home));
    let both = [Some(folder.to_owned()), project];
    both.into_iter().flatten().filter(|folder| folder != home).collect()
}

/// The text of a plain file; what is none, as a pipe, is not waited for.
fn read(path: &Path) -> Option<String> {
    let is_file = path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() <= MAX_SIZE);
    let mut text = String::new();
    std::fs::File::open(path).ok().filter(|_| is_file)?.take(MAX_SIZE).read_to_string(&mut text).ok()?;
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(root: &Path, file: &str, text: &str) {
        let path = root.join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn agents(names: &[&str]) -> Vec<&'static dyn Agent> {
        names.iter().filter_map(|name| handraise_agents::agent(name)).collect()
    }

    #[test]
    fn a_clone_that_switches_hooks_off_is_found_from_below() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        let home = root.join("home");
        for (agent, file, text) in [
            ("claude-code", ".claude/settings.json", r#"{"disableAllHooks":true}"#),
            ("claude-code", ".claude/settings.local.json", r#"{"disableAllHooks":true}"#),
            ("codex", ".codex/config.toml", "[features]\nhooks = false\n"),
            ("gemini-cli", ".gemini/settings.json", r#"{"hooksConfig":{"enabled":false}}"#),
            ("gemini-cli", ".gemini/settings.json", r#"{"hooksConfig":{"disabled":["handraise"]}}"#),
            ("qwen-code", ".qwen/settings.json", r#"{"disableAllHooks":true}"#),
            ("copilot-cli", ".github/copilot/settings.json", r#"{"disableAllHooks":true}"#),
            ("copilot-cli", ".github/hooks/x.json", r#"{"version":1,"disableAllHooks":true}"#),
        ] {
            let clone = tempfile::tempdir_in(&root).unwrap();
            let folder = clone.path();
            write(folder, ".git/HEAD", "ref: refs/heads/main");
            write(folder, "src/deep/x", "");
            assert_eq!(hooks_off(&agents(&[agent]), [folder.join("src/deep")], &home), []);
            write(folder, file, text);
            for from in [folder.to_owned(), folder.join("src/deep")] {
                let found = hooks_off(&agents(handraise_agents::NAMES), [from], &home);
                let own: Vec<_> = found.iter().filter(|found| found.agent == agent).collect();
                assert_eq!(own.len(), 1, "{file}: {found:?}");
                assert!(own[0].sentence().contains(file), "{}", own[0].sentence());
            }
        }
    }

    #[test]
    fn only_an_agent_that_asks_and_is_not_held_to_it_counts() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        let home = root.join("home");
        assert!(could_be_off(&home, &root).is_empty());
        let hooks = r#"{"hooks":{"PreToolUse":[{"matcher":"*","hooks":[{"type":"command","command":"/x/handraise hook claude-code"}]}]}}"#;
        write(&home, ".claude/settings.json", hooks);
        write(&home, ".claude.json", r#"{"projects":{"/a":{},"/b":{}}}"#);
        assert_eq!(known(&home), [PathBuf::from("/a"), PathBuf::from("/b")]);
        let names = |agents: Vec<&'static dyn Agent>| agents.iter().map(|agent| agent.name()).collect::<Vec<_>>();
        assert_eq!(names(could_be_off(&home, &root)), ["claude-code"]);
        write(&root, "etc/claude-code/managed-settings.json", r#"{"disableAllHooks":false}"#);
        assert!(could_be_off(&home, &root).is_empty());
    }

    #[test]
    fn the_persons_own_settings_are_no_clones() {
        let root = tempfile::tempdir().unwrap();
        let home = root.path().canonicalize().unwrap();
        write(&home, ".claude/settings.json", r#"{"disableAllHooks":true}"#);
        assert_eq!(hooks_off(&agents(&["claude-code"]), [home.clone()], &home), []);
    }
}
