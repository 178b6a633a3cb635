//! `handraise policy import`: the rules that agents keep themselves, as rules of the policy.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use handraise_agents::own_rules::{RuleEntry, RuleFile, RuleOutcome, RulePlace, placed};
use handraise_agents::{Agent, Level};
use handraise_display::line;
use handraise_locations::matching;
use handraise_policy::rules::parse;
use handraise_protocol::{AgentRules, OwnRule};
use handraise_server::{DryRun, projects, with_imported};

use super::added;
use crate::DONE;
use crate::command::settings_file::home;
use crate::command::{FolderArguments, list, say, usage};

/// Longest entry that is shown, in characters.
const MAX_ENTRY: usize = 300;
/// Largest file that is read, in bytes.
const MAX_FILE: u64 = 4 * 1024 * 1024;

/// Carry the agents' own allow, ask and deny lists over into rules
///
/// Reads the settings of Claude Code, Codex, Gemini CLI, Copilot CLI, OpenCode and Qwen Code where they stand: yours, and those
/// of the project in this folder. An entry that allows becomes a rule that allows the same or less, for that agent only.
/// What cannot be said is listed with the reason. Nothing is changed without --write.
#[derive(Debug, Args)]
pub(crate) struct Import {
    /// Only this agent, as `claude-code`
    #[arg(long)]
    agent: Option<String>,
    /// Only this file, as if it were among the agent's own settings
    #[arg(long, value_name = "FILE", requires = "agent", conflicts_with = "all_projects")]
    file: Option<PathBuf>,
    /// Of every project that agents have worked in as well
    #[arg(long)]
    all_projects: bool,
    /// Add the rules to the policy, once you have said yes
    #[arg(long, conflicts_with = "json")]
    write: bool,
    /// Say yes beforehand
    #[arg(long, requires = "write")]
    yes: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Import {
    /// Prints rules and report, or adds the rules.
    pub(crate) fn run(self, folders: &FolderArguments) -> anyhow::Result<ExitCode> {
        let file = folders.folders()?.policy_file();
        let policy = match fs::read_to_string(&file) {
            Err(error) if error.kind() == ErrorKind::NotFound => DryRun::starting_policy().to_owned(),
            read => read.with_context(|| format!("cannot read {}", file.display()))?,
        };
        let found = self.found(&policy)?;
        if self.json {
            list::print_json(&found)?;
            return Ok(DONE);
        }
        if found.is_empty() {
            say("Nothing to import: no agent here keeps rules of its own.")?;
            return Ok(DONE);
        }
        say(&found.iter().map(report).collect::<Vec<_>>().join("\n"))?;
        if self.write {
            write(&file, &policy, &found, self.yes)?;
        }
        Ok(DONE)
    }

    /// What each agent keeps; agents that keep nothing are not among them.
    fn found(&self, policy: &str) -> anyhow::Result<Vec<AgentRules>> {
        let agents: Vec<&'static dyn Agent> = match &self.agent {
            None => handraise_agents::NAMES.iter().filter_map(|name| handraise_agents::agent(name)).collect(),
            Some(name) => match handraise_agents::agent(name) {
                Some(agent) if !agent.rule_files().is_empty() => vec![agent],
                Some(agent) => bail!("{} keeps no rules that are known here", agent.display_name()),
                None => {
                    return Err(usage(format!(
                        "there is no agent `{name}`; the names are in `handraise agents --json`"
                    )));
                }
            },
        };
        let mut found = Vec::new();
        for agent in agents {
            let mut read = Read::default();
            match &self.file {
                Some(file) => read.file(form(agent, file)?, file, None),
                None => self.own_files(agent, &mut read)?,
            }
            if !read.entries.is_empty() || !read.problems.is_empty() {
                found.push(read.rules(agent, policy));
            }
        }
        Ok(found)
    }

    fn own_files(&self, agent: &dyn Agent, read: &mut Read) -> anyhow::Result<()> {
        let home = home()?;
        let mut here: Vec<PathBuf> = std::env::current_dir().into_iter().filter(|here| *here != home).collect();
        if self.all_projects {
            here.extend(projects::known(&home).into_iter().filter(|folder| *folder != home));
            here.sort();
            here.dedup();
        }
        for form in agent.rule_files() {
            let folders = if form.level == Level::User { std::slice::from_ref(&home) } else { here.as_slice() };
            for folder in folders {
                // A rule can only name a folder that is text.
                let project = if form.level == Level::Project { folder.to_str() } else { None };
                if form.level == Level::Project && project.is_none() {
                    continue;
                }
                for file in matching(folder, form.path).into_iter().filter(|file| file.is_file()) {
                    read.file(form, &file, project);
                }
            }
        }
        Ok(())
    }
}

/// The form of the agent's file that `file` is called like.
fn form(agent: &dyn Agent, file: &Path) -> anyhow::Result<&'static RuleFile> {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let ends = |form: &&RuleFile| {
        let last = form.path.rsplit('/').next().unwrap_or(form.path);
        last.strip_prefix('*').map_or(last == name, |end| name.ends_with(end))
    };
    let forms = agent.rule_files();
    match forms.iter().find(ends) {
        Some(form) => Ok(form),
        None => {
            let paths: Vec<&str> = forms.iter().map(|form| form.path).collect();
            bail!(
                "{} keeps its rules in files called as {}; rename a copy of {name}",
                agent.display_name(),
                paths.join(", ")
            )
        }
    }
}

/// The entries of one agent.
#[derive(Default)]
struct Read {
    entries: Vec<(String, RuleEntry)>,
    problems: Vec<String>,
}

impl Read {
    fn file(&mut self, form: &RuleFile, file: &Path, project: Option<&str>) {
        let name = file.display().to_string();
        let text = match fs::metadata(file).map(|found| found.len()) {
            Ok(size) if size > MAX_FILE => Err(format!("{name} is too large to be read.")),
            _ => fs::read_to_string(file).map_err(|error| format!("{name} cannot be read: {error}.")),
        };
        let read = text
            .and_then(|text| form.entries(&text, &RulePlace { project }).map_err(|error| format!("{name}: {error}.")));
        match read {
            Ok(entries) => self.entries.extend(entries.into_iter().map(|entry| (name.clone(), entry))),
            Err(problem) => self.problems.push(line(&problem, MAX_ENTRY)),
        }
    }

    /// As it is told. Rules that the policy has already are not added once more.
    fn rules(self, agent: &dyn Agent, policy: &str) -> AgentRules {
        let (files, entries): (Vec<String>, Vec<RuleEntry>) = self.entries.into_iter().unzip();
        let placed = placed(&entries);
        let new = |rules: &[String]| {
            let new = rules.iter().map(|rule| rule.trim()).filter(|rule| !policy.contains(rule));
            new.map(|rule| format!("{rule}\n")).collect::<Vec<_>>().join("\n")
        };
        let (in_front, behind) = (new(&placed.in_front), new(&placed.behind));
        let told = files.into_iter().zip(entries).map(|(file, RuleEntry { text, action, outcome, .. })| {
            let (rules, notes, covers_little, reason) = match outcome {
                RuleOutcome::Carried { rules, notes, covers_little } => (rules, notes, covers_little, None),
                RuleOutcome::Left { reason } => (Vec::new(), Vec::new(), false, Some(line(&reason, MAX_ENTRY))),
            };
            let notes = notes.iter().map(|note| line(note, MAX_ENTRY)).collect();
            let entry = line(&text, MAX_ENTRY);
            let (file, action) = (line(&file, MAX_ENTRY), action.map(Into::into));
            OwnRule { file, entry, action, rules, notes, covers_little, reason }
        });
        AgentRules {
            agent: agent.name().to_owned(),
            display_name: agent.display_name().to_owned(),
            entries: told.collect(),
            problems: self.problems,
            in_front,
            behind,
        }
    }
}

/// Rules and report, for a person.
fn report(found: &AgentRules) -> String {
    let (carried, left): (Vec<&OwnRule>, Vec<&OwnRule>) =
        found.entries.iter().partition(|entry| entry.reason.is_none());
    let mut lines = vec![format!("# {}: {} carried over, {} not", found.display_name, carried.len(), left.len())];
    match carried.iter().filter(|one| one.covers_little).count() {
        0 => {}
        1 => {
            lines.push("# One of them covers next to nothing. Its note says why, and what to write instead.".to_owned())
        }
        count => lines
            .push(format!("# {count} of them cover next to nothing. Their notes say why, and what to write instead.")),
    }
    let mut file = "";
    for one in carried {
        if one.file != file {
            file = &one.file;
            lines.push(format!("# from {file}"));
        }
        lines.push(String::new());
        lines.push(format!("# {}", one.entry));
        lines.extend(one.notes.iter().map(|note| format!("#   {note}")));
        lines.push(one.rules.iter().map(|rule| rule.trim()).collect::<Vec<_>>().join("\n\n"));
    }
    if !left.is_empty() {
        lines.push("\n# Not carried over:".to_owned());
    }
    for one in left {
        lines.push(format!("# {} ({})", one.entry, one.file));
        lines.extend(one.reason.iter().map(|reason| format!("#   {reason}")));
    }
    lines.extend(found.problems.iter().map(|problem| format!("# {problem}")));
    lines.push(String::new());
    lines.join("\n")
}

fn write(file: &Path, policy: &str, found: &[AgentRules], yes: bool) -> anyhow::Result<()> {
    if !file.exists() {
        bail!("there is no policy yet: start Handraise once, and it writes {}", file.display());
    }
    let mut new = policy.to_owned();
    for rules in found {
        new = with_imported(&new, &rules.in_front, &rules.behind)?;
    }
    if new == policy {
        return say("The policy has all of these rules already.");
    }
    let name = file.display();
    if parse(&new).is_err() {
        bail!("the rules cannot be added to {name}; `handraise policy check {name}` says what is odd about it");
    }
    added::write(file, policy, &new, yes)
}
